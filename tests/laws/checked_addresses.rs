//! No address without a check: what a kernel is handed by `addressing` is, in every wave, access and lane, a
//! whole vector of the layout, aligned and inside its memory; and what is refused is refused in the verdict's
//! words.
//!
//! | asked of | by hand |
//! |---|---|
//! | which elements a lane holds | digits counted one by one (`support::lists`) |
//! | where they lie | `Plan::offset`, element by element |
//! | what a vector needs | as many neighbours, a multiple of the alignment, an end inside the space |
//!
//! Half of the plans are wrong on purpose, most of them where wave 0 does not look, and half of the tiles are not
//! divided by the factors: there a lane is handed what it holds, and no more. `cargo xtask test --deep` asks for more
//! (`tests/support/fuzz.rs`).

use std::collections::BTreeSet;
use support::fuzz::{Dice, cases};
use support::lists::{Covered, Factor, Lists};
use tiledesc::access::{AccessError, Placed, Route};
use tiledesc::chip::{Immediate, Instruction, Phases};
use tiledesc::pattern::Lanes;
use tiledesc::{List, Op, Plan};

/// `m [again, wave, row], k [chunk, high, element]`, in an order of the thread's own.
fn rows(dice: &mut Dice) -> Lists {
    let lengths = [
        dice.of(&[1, 2, 3, 4]),
        dice.of(&[1, 2, 4]),
        dice.of(&[1, 2, 4, 8]),
        dice.of(&[1, 2, 4, 8]),
        dice.of(&[1, 1, 1, 2, 3]),
        dice.of(&[1, 2, 4, 8, 12]),
    ];
    let groups = [1, 1, 1, 2, 2, 2];
    let factors = groups.into_iter().zip(lengths);
    let factors = factors.map(|(group, length)| Factor { group, length }).collect();
    let thread = dice.of(&[[0, 4, 5], [0, 4, 5], [4, 5, 0], [0, 5, 4]]).to_vec();
    Lists { rank: 2, factors, owners: [vec![1], vec![2, 3], thread] }
}

/// A plan of a tile, mostly with a fault in it; `None` of a tile that cannot have this one.
fn plan(dice: &mut Dice, tile: &[u32]) -> Option<Plan> {
    let (packed, rank) = (Plan::packed(tile).ok()?, tile.len());
    match dice.below(8) {
        0 => Some(packed),
        1 | 2 => rows_anywhere(dice, tile),
        3 | 4 => last_row_flipped(dice, tile, packed),
        5 | 6 => last_rows_padded(dice, tile),
        _ => {
            let mut strides = vec![1; rank];
            for d in (0..rank - 1).rev() {
                strides[d] = strides[d + 1] * tile[d + 1];
            }
            Plan::naive_with_offset(tile, &strides, dice.below(20)).ok()
        }
    }
}

/// Rows that begin anywhere.
fn rows_anywhere(dice: &mut Dice, tile: &[u32]) -> Option<Plan> {
    let (last, above) = tile.split_last()?;
    let below = Plan::naive(&[above.iter().product(), *last], &[last + dice.below(9), 1]).ok()?;
    if above.len() != 2 {
        return (above.len() == 1).then_some(below);
    }
    let ops = [Op::Unmerge { lengths: List::new(above) }, Op::PassThrough { length: *last }];
    below.transform(&ops, &[&[0], &[1]], &[&[0, 1], &[2]]).ok()
}

/// Elements that the last row flips among themselves: whole in wave 0, torn where that row is.
fn last_row_flipped(dice: &mut Dice, tile: &[u32], packed: Plan) -> Option<Plan> {
    let [m, k] = *tile else { return None };
    let bits = m.next_power_of_two().trailing_zeros() as usize;
    if bits == 0 || !k.is_power_of_two() || k < 2 {
        return None;
    }
    let mut masks = vec![0; bits];
    masks[bits - 1] = 1 << dice.below(k.trailing_zeros());
    let xor = Op::XorBits { length0: m, length1: k, masks: List::new(&masks) };
    packed.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).ok()
}

/// The last rows, up to a half of all, are padding: perhaps none.
fn last_rows_padded(dice: &mut Dice, tile: &[u32]) -> Option<Plan> {
    let right = dice.below(tile[0].div_ceil(2) + 1);
    let mut lengths = tile.to_vec();
    lengths[0] -= right;
    let pad = Op::RightPad { low_length: lengths[0], right, skip_check: false };
    let pass = lengths[1..].iter().map(|length| Op::PassThrough { length: *length });
    let ops: Vec<_> = core::iter::once(pad).chain(pass).collect();
    let ids: Vec<[u32; 1]> = (0..tile.len() as u32).map(|d| [d]).collect();
    let ids: Vec<&[u32]> = ids.iter().map(|id| &id[..]).collect();
    Plan::packed(&lengths).ok()?.transform(&ops, &ids, &ids).ok()
}

/// What is wrong with the vector of `pack` elements from a coordinate on; its byte, if nothing is.
fn vector(
    plan: &Plan,
    at: &[u32],
    along: usize,
    pack: u32,
    bits: u32,
    row: &Instruction,
) -> Option<u32> {
    let first = plan.offset(at).ok()?;
    let mut index = at.to_vec();
    for i in 1..pack {
        index[along] = at[along] + i;
        if plan.offset(&index) != Ok(first + i) {
            return None;
        }
    }
    let bit = u64::from(first) * u64::from(bits);
    let space = (plan.element_space() + u64::from(plan.origin())) * u64::from(bits);
    let byte = bit / 8;
    let whole = bit.is_multiple_of(8) && byte.is_multiple_of(row.alignment().into());
    (whole && bit + u64::from(pack * bits) <= space.next_multiple_of(8)).then_some(byte as u32)
}

/// The dimensions along which what every lane holds falls into aligned packs.
fn dimensions(held: &[Held], rank: usize, pack: u32) -> Vec<usize> {
    let in_packs = |d: &usize| {
        held.iter().all(|lane| {
            let all: BTreeSet<&[u32]> = lane.iter().flatten().map(Vec::as_slice).collect();
            lane.iter().flatten().all(|at| {
                let mut index = at.clone();
                let first = at[*d] / pack * pack;
                (first..first + pack).all(|i| {
                    index[*d] = i;
                    all.contains(&index[..])
                })
            })
        })
    };
    (0..rank).filter(in_packs).collect()
}

#[derive(Debug, Default)]
struct Count {
    handed: u32,
    refused: u32,
    /// Refused although nothing is wrong in wave 0.
    later: u32,
    /// Handed out with lanes that hold nothing.
    idle: u32,
}

/// What a lane holds, element by element.
type Held = Vec<Option<Vec<u32>>>;

/// The vectors of a lane, by their first coordinates.
fn firsts(lane: &Held, along: usize, pack: u32) -> BTreeSet<&[u32]> {
    let held = lane.iter().flatten();
    held.filter(|at| at[along].is_multiple_of(pack)).map(Vec::as_slice).collect()
}

/// Asks for accesses of `pack` elements of `bits` bits, by an instruction with an immediate of `field` bits.
fn check(covered: &Covered, plan: &Plan, [bits, pack, field]: [u32; 3], count: &mut Count) {
    let lists = &covered.lists;
    let (Ok(encoding), lanes) = (covered.encoding(), lists.numbers(1)) else { return };
    let is_width = [1, 2, 4, 8, 12, 16].map(|bytes| 8 * bytes).contains(&(pack * bits));
    if lanes > 64 || lists.numbers(2) / pack > 64 || !is_width {
        return;
    }
    let phases = Phases::contiguous(lanes as usize).of_wave(lanes as usize);
    let row = Instruction::read("an access", pack * bits / 8).phases(phases);
    let row = row.with_immediate(Immediate::unsigned(field, 1));
    let Ok(placed) = Placed::new(plan, bits, Lanes::distributed(&encoding), &row) else { return };
    let held = covered.held();
    let along = dimensions(&held, covered.tile().len(), pack);
    let is_fine = |d: usize, lanes: &[Held]| {
        lanes.iter().all(|lane| {
            firsts(lane, d, pack).iter().all(|at| vector(plan, at, d, pack, bits, &row).is_some())
        })
    };
    match placed.addressing() {
        Ok(found) => {
            count.handed += 1;
            count.idle += u32::from(held.iter().flatten().any(Option::is_none));
            // Along which dimension, the first access tells.
            let along = along.into_iter().filter(|d| is_fine(*d, &held)).collect::<Vec<_>>();
            assert!(!along.is_empty(), "{covered:?} {plan:?}: {bits} bits, {pack} a vector");
            for wave in 0..lists.numbers(0) {
                let lanes = &held[(wave * lanes) as usize..][..lanes as usize];
                follow(&placed, &found, wave, pack, lanes, |at| {
                    along.iter().any(|d| vector(plan, at, *d, pack, bits, &row).is_some())
                });
            }
        }
        Err(misfit) => {
            count.refused += 1;
            assert_eq!(placed.verdict().unwrap_err(), misfit, "the verdict's sentence");
            assert!(!matches!(misfit, AccessError::Step { .. }));
            assert!(along.iter().any(|d| !is_fine(*d, &held)), "{covered:?} {plan:?}: {misfit}");
            let wave_0 = &held[..lanes as usize];
            count.later += u32::from(along.iter().all(|d| is_fine(*d, wave_0)));
        }
    }
}

/// Follows the routes of a wave as a kernel does: every address is the layout's of a vector that the lane holds,
/// and a lane has one for each of its vectors.
fn follow(
    placed: &Placed<'_, '_>,
    found: &tiledesc::access::Addressing,
    wave: u32,
    pack: u32,
    held: &[Held],
    is_whole: impl Fn(&[u32]) -> bool,
) {
    let accesses = found.routes().len() as u64;
    let touched: Vec<_> =
        (0..accesses).map(|i| placed.touched(u64::from(wave) * accesses + i).unwrap()).collect();
    let (mut registers, mut moved) = (Vec::new(), vec![BTreeSet::new(); held.len()]);
    for (step, (route, here)) in found.routes().iter().zip(&touched).enumerate() {
        for (lane, held) in held.iter().enumerate() {
            let Some(wanted) = here.addresses().get(lane) else { continue };
            let from = |i: usize| touched[i].addresses().get(lane).unwrap();
            let reached = match *route {
                Route::Computed => wanted,
                Route::Xor { constant } => from(0) ^ constant,
                Route::Immediate { register, offset } => from(registers[register]) + offset,
            };
            assert_eq!(reached, wanted, "{route:?} of wave {wave}, lane {lane}");
            let at = here.coordinate(lane).unwrap().as_slice().to_vec();
            let is_held = held.iter().flatten().any(|held| *held == at);
            assert!(is_held && is_whole(&at), "lane {lane} of wave {wave} holds {at:?}");
            moved[lane].insert(at);
        }
        if !matches!(route, Route::Immediate { .. }) {
            registers.push(step);
        }
    }
    for (moved, held) in moved.iter().zip(held) {
        assert_eq!(moved.len() * pack as usize, held.iter().flatten().count(), "wave {wave}");
    }
}

#[test]
fn nothing_is_handed_out_that_was_not_checked() {
    let (cases, mut dice, mut count) = (cases("checked addresses"), Dice(41), Count::default());
    for _ in 0..cases {
        let lists = if dice.one_in(3) { Lists::random(&mut dice) } else { rows(&mut dice) };
        if lists.product() > 4096 {
            continue;
        }
        let (bits, pack) = (dice.of(&[4, 8, 16, 32]), dice.of(&[1, 2, 3, 4, 6, 8]));
        let whole = Covered { parts: vec![vec![]; lists.rank], lists };
        let covered = match dice.one_in(2) {
            true => Covered::random(&mut dice, whole.lists),
            false => whole,
        };
        let Some(plan) = plan(&mut dice, &covered.tile()) else { continue };
        check(&covered, &plan, [bits, pack, dice.of(&[6, 8, 16, 16])], &mut count);
    }
    println!("{cases} cases: {count:?}");
    let Count { handed, refused, later, idle } = count;
    assert!(handed > cases / 20 && refused > cases / 40 && later > cases / 200, "{count:?}");
    assert!(idle > cases / 40, "{count:?}");
}

/// The smallest cases: of each the first wave is fine, or all lanes of it that begin a row.
#[test]
fn what_only_a_later_lane_or_wave_shows() {
    let refused = |plan: &Plan, lists: &Lists, pack: u32| {
        let encoding = lists.encoding().unwrap();
        let row = Instruction::read("an access", pack * 2);
        let placed = Placed::new(plan, 16, Lanes::distributed(&encoding), &row).unwrap();
        placed.addressing().unwrap_err().to_string()
    };
    let of = |wave, row, element| {
        let factors = [(1, wave), (1, row), (2, element)];
        let factors = factors.map(|(group, length)| Factor { group, length }).to_vec();
        Lists { rank: 2, factors, owners: [vec![0], vec![1], vec![2]] }
    };
    // Rows of 8 in two halves, which change places in the rows of wave 1.
    let halves = Plan::packed(&[128, 8]).unwrap();
    let masks = List::new(&[0, 0, 0, 0, 0, 0, 4]);
    let xor = Op::XorBits { length0: 128, length1: 8, masks };
    let torn = halves.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
    assert_eq!(
        refused(&torn, &of(2, 64, 8), 8),
        "the 8 elements of lane 0 from (64, 0) on are not contiguous: the vector length along dimension 1 is 4"
    );
    // 100 rows, padded to 128: rows 100 to 127 are lanes 36 to 63 of wave 1.
    let (pad, pass) = (
        Op::RightPad { low_length: 100, right: 28, skip_check: false },
        Op::PassThrough { length: 8 },
    );
    let padded = Plan::packed(&[100, 8]).unwrap();
    let padded = padded.transform(&[pad, pass], &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    assert_eq!(
        refused(&padded, &of(2, 64, 8), 8),
        "lane 36 would touch (100, 0), which is padding"
    );
    // Rows of 136 bytes: every second begins at no multiple of 16.
    let rows = Plan::naive(&[128, 8], &[68, 1]).unwrap();
    assert!(
        refused(&rows, &of(2, 64, 8), 8).starts_with("byte 136 of lane 1 is not aligned to 16;")
    );
}

/// Rows of 300 halves in two chunks of 256, at bytes 0, 512, 600 and 1112 of lane 0: from chunk 1 of row 0 an immediate of
/// 9 bits reaches chunk 0 of row 1, but only lanes 0 to 10 have an address there.
#[test]
fn a_register_serves_the_lanes_that_have_it() {
    let factors = [(1, 2), (2, 2), (2, 64), (2, 4)];
    let factors = factors.map(|(group, length)| Factor { group, length }).to_vec();
    let lists = Lists { rank: 2, factors, owners: [vec![], vec![2], vec![0, 1, 3]] };
    let covered = Covered { lists, parts: vec![vec![], vec![300]] };
    let mut count = Count::default();
    check(&covered, &Plan::packed(&[2, 300]).unwrap(), [16, 4, 9], &mut count);
    assert_eq!((count.handed, count.idle), (1, 1));
}
