//! Elements of another width: every bit stays where it is, and what cannot be recast is refused with what is wrong.

use support::fuzz::{Dice, cases};
use tiledesc::{Op, Plan};
use tiledesc_host::exchange::recast;

/// A plan of rows: padded, xor-swizzled, column-major, or with a length that is not a power of two.
fn any(dice: &mut Dice) -> Plan {
    let rows = 1 + dice.below(9);
    let row = [2, 4, 6, 8, 12, 16, 24, 32][dice.below(8) as usize];
    let pad = [0, 0, 1, 2, 3, 4, 8][dice.below(7) as usize];
    match dice.below(5) {
        0 => Plan::naive(&[rows, row], &[row + pad, 1]).unwrap(),
        1 => Plan::naive(&[row, rows], &[1, row + pad]).unwrap(),
        2 => Plan::naive_with_offset(&[rows, row], &[row + pad, 1], pad).unwrap(),
        3 => {
            let pack = 1 << dice.below(4);
            let xor = Op::Xor { length0: 8, length1: 8 };
            let packed = Plan::naive(&[8, 8, pack], &[8 * pack + pad, pack, 1]).unwrap();
            let pass = Op::PassThrough { length: pack };
            let xored = packed.transform(&[xor, pass], &[&[0, 1], &[2]], &[&[0, 1], &[2]]).unwrap();
            let merge = Op::Merge { lengths: tiledesc::List::pair(8, pack) };
            let pass = Op::PassThrough { length: 8 };
            xored.transform(&[pass, merge], &[&[0], &[1, 2]], &[&[0], &[1]]).unwrap()
        }
        _ => {
            let low = Op::LeftPad { low_length: row, left: pad, skip_check: false };
            let pass = Op::PassThrough { length: rows };
            let packed = Plan::packed(&[rows, row]).unwrap();
            packed.transform(&[pass, low], &[&[0], &[1]], &[&[0], &[1]]).unwrap()
        }
    }
}

/// The bit at which each element begins, in the order of coordinates; `None` in padding.
fn bits(plan: &Plan, width: u32) -> Vec<Option<u64>> {
    let of = |number| plan.offset(plan.nth(number).as_slice()).ok();
    (0..plan.elements())
        .map(|number| of(number).map(|at| u64::from(at) * u64::from(width)))
        .collect()
}

/// The bits of each element of `to` bits that `r` of `from` bits along a dimension are, if these lie side by side from a
/// multiple on.
fn joined(plan: &Plan, along: usize, r: u32, from: u32) -> Option<Vec<Option<u64>>> {
    let lengths = plan.lengths();
    if !lengths.at(along).is_multiple_of(r) {
        return None;
    }
    let fewer = lengths.with(along, lengths.at(along) / r);
    let all = (0..fewer.elements()).map(|number| {
        let first = fewer.nth(number);
        let each: Vec<_> = (0..r)
            .map(|part| plan.offset(first.with(along, first.at(along) * r + part).as_slice()).ok())
            .collect();
        let is_block = match each[0] {
            None => each.iter().all(Option::is_none),
            Some(begin) => {
                begin % r == 0 && (0..r).all(|part| each[part as usize] == Some(begin + part))
            }
        };
        is_block.then(|| each[0].map(|begin| u64::from(begin) * u64::from(from)))
    });
    all.collect()
}

#[test]
fn every_bit_stays() {
    let (count, mut dice) = (cases("recast layouts"), Dice(1));
    let (mut split, mut wide, mut refused) = (0, 0, 0);
    for case in 0..count {
        let plan = any(&mut dice);
        let along = match recast::dimension(&plan) {
            Some(along) => along,
            None => dice.below(2) as usize,
        };
        let (r, from) =
            ([2, 3, 4, 8][dice.below(4) as usize], [4, 8, 16, 32][dice.below(4) as usize]);
        // Narrower: part by part.
        let wide_bits = r * from;
        let narrow = recast::plan(&plan, along, [wide_bits, from]).unwrap();
        let lengths = plan.lengths();
        assert_eq!(narrow.lengths(), lengths.with(along, lengths.at(along) * r), "{case}");
        for number in 0..narrow.elements() {
            let index = narrow.nth(number);
            let old = index.with(along, index.at(along) / r);
            let begin = plan.offset(old.as_slice()).ok();
            let wanted = begin.map(|at| at * wide_bits + index.at(along) % r * from);
            let found = narrow.offset(index.as_slice()).ok().map(|at| at * from);
            assert_eq!(found, wanted, "{case}: {plan:?} by {r} at {index:?}");
        }
        assert_eq!(narrow.element_space() * u64::from(from) % u64::from(wide_bits), 0, "{case}");
        split += 1;
        // There and back.
        let back = recast::plan(&narrow, along, [from, wide_bits]).unwrap();
        assert_eq!(bits(&back, wide_bits), bits(&plan, wide_bits), "{case}");
        assert_eq!(
            (back.element_space(), back.lengths()),
            (plan.element_space(), lengths),
            "{case}"
        );
        // Wider: exactly where elements lie side by side from a multiple on.
        match (recast::plan(&plan, along, [from, wide_bits]), joined(&plan, along, r, from)) {
            (Ok(found), Some(wanted)) => {
                assert_eq!(bits(&found, wide_bits), wanted, "{case}: {plan:?} by {r}");
                wide += 1;
            }
            (Err(_), None) => refused += 1,
            (found, wanted) => panic!("{case}: {plan:?} by {r}: {found:?}, not {wanted:?}"),
        }
    }
    println!("{split} split, {wide} joined, {refused} refused");
    assert!(wide > count / 20 && refused > count / 4, "{wide} {refused}");
}

#[test]
fn what_cannot_be_recast() {
    let rows = Plan::naive(&[8, 12], &[13, 1]).unwrap();
    for (plan, along, widths, says) in [
        (
            rows,
            1,
            [16, 24],
            "elements of 16 bits cannot be recast to 24 bits: neither width is a multiple of the other",
        ),
        (
            rows,
            1,
            [4, 32],
            "dimension 1 has 12 elements of 4 bits, which cannot be divided evenly into elements of 32 bits",
        ),
        (
            rows,
            1,
            [16, 32],
            "coordinate (1, 0) lies at element 13 of 16 bits, which is not a multiple of 2, so no element of 32 bits begins there",
        ),
        (
            rows,
            0,
            [16, 32],
            "coordinate (0, 1) lies at element 1 of 16 bits, which is not a multiple of 2, so no element of 32 bits begins there",
        ),
        (
            Plan::naive(&[2, 2], &[1 << 31, 1]).unwrap(),
            1,
            [8, 4],
            "the element space of 4294967300 elements exceeds 32-bit offsets (at most 4294967296)",
        ),
        (rows, 2, [16, 8], "dimension 2 does not exist: there are 2 dimensions"),
    ] {
        assert_eq!(recast::plan(&plan, along, widths).unwrap_err().to_string(), says);
    }
}
