//! Operands by the instructions that hand round what lanes address: `ldmatrix`, `stmatrix`, transposing reads.
//!
//! | promise | against |
//! |---|---|
//! | an operand is taken exactly where its lanes hold what the instruction hands to them | the instruction, element by element, on every operand of every chip |
//! | the addresses are those of what they hold | the same, on tiles of several operands and waves in any order |
//! | verdicts on them | sets of dwords |
//! | what is suggested in place of another takes the operand | the same question |

use std::collections::{BTreeMap, BTreeSet};
use support::count::counted;
use support::fragments::{from, moved};
use support::fuzz::{self, Dice};
use tiledesc::access::{AccessError, Placed};
use tiledesc::chip::{CHIPS, Instruction, gfx950, gfx1250, sm_80, sm_90, sm_100};
use tiledesc::distribution::Encoding;
use tiledesc::matrix::{mfma, mma, wmma};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::warp_gemm;
use tiledesc::{List, Plan};

/// What each lane that gives an address gives, by (instruction of a wave, wave, lane): the first coordinate, if all are runs
/// along one dimension.
type Given = BTreeMap<(u32, u32, u32), List>;

/// The addresses that bring what lanes hold, and the dimension of the runs, found by asking of each element whose it is.
fn given(held: &Encoding, row: &Instruction, bits: u32) -> Option<(Given, usize)> {
    let (wave, n) = (row.service().phases.wave() as u32, row.bytes() * 8 / bits);
    let moved = moved(row, bits);
    if held.lanes() != wave || moved == 0 || !held.elements().is_multiple_of(moved) {
        return None;
    }
    let mut runs = BTreeMap::<(u32, u32, u32), Vec<Option<List>>>::new();
    for (w, lane) in (0..held.waves()).flat_map(|w| (0..wave).map(move |lane| (w, lane))) {
        for e in 0..held.elements() {
            let [by, at] = from(row.name(), bits, n, lane, e % moved)?;
            let run = runs.entry((e / moved, w, by)).or_insert_with(|| vec![None; n as usize]);
            let here = held.coordinate(w, lane, e).unwrap();
            assert_eq!(run[at as usize].replace(here), None, "two get one element");
        }
    }
    let is_run = |run: &[Option<List>], d: usize| {
        let first = run[0].unwrap();
        (0..n).all(|i| run[i as usize].unwrap() == first.with(d, first.at(d) + i))
    };
    let along = (0..held.rank()).find(|d| runs.values().all(|run| is_run(run, *d)))?;
    // Runs begin where packs of the tile do.
    let firsts: Given = runs.into_iter().map(|(key, run)| (key, run[0].unwrap())).collect();
    let aligned = firsts.values().all(|first| first.at(along).is_multiple_of(n));
    aligned.then_some((firsts, along))
}

/// A tile in order whose elements are contiguous along a dimension.
fn tile(lengths: &List, along: usize, pad: u32) -> Plan {
    let mut strides = vec![0; lengths.len()];
    let mut stride = 1;
    strides[along] = stride;
    stride = lengths.at(along) + pad;
    for d in (0..lengths.len()).rev().filter(|d| *d != along) {
        strides[d] = stride;
        stride *= lengths.at(d);
    }
    Plan::naive(lengths.as_slice(), &strides).unwrap()
}

/// A placement has the addresses, and its verdict is what sets of dwords say.
fn is_judged(plan: &Plan, held: &Encoding, row: &Instruction, bits: u32, given: &Given) -> u32 {
    let what = row.name();
    let placed = Placed::new(plan, bits, Lanes::distributed(held), row);
    let placed = placed.unwrap_or_else(|misfit| panic!("{what} {held:?}: {misfit}"));
    let n = row.bytes() * 8 / bits;
    let accesses = held.elements() / moved(row, bits);
    assert_eq!(placed.instructions(), u64::from(accesses * held.waves()), "{what}");
    let (mut degree, mut cycles) = (0, 0);
    for step in 0..placed.instructions() as u32 {
        let touched = placed.touched(u64::from(step)).expect(what);
        let addressed = row.service().phases.addressed();
        for lane in 0..addressed {
            let key = (step % accesses, step / accesses, lane as u32);
            assert_eq!(touched.coordinate(lane), Some(given[&key]), "{what} {key:?}");
            let byte = plan.offset(given[&key].as_slice()).unwrap() * bits / 8;
            assert_eq!(touched.addresses().get(lane), Some(byte), "{what} {key:?}");
        }
        assert!((addressed..64).all(|lane| touched.addresses().get(lane).is_none()));
        let counted = counted(touched.addresses(), row);
        degree = degree.max(counted.degree);
        cycles += u64::from(counted.base_cycles + counted.conflict_cycles);
    }
    let verdict = placed.verdict().expect(what);
    assert_eq!((verdict.degree(), verdict.active_cycles()), (degree, cycles), "{what}");
    assert_eq!(placed.distribution().as_ref(), Some(held), "{what}");
    let rows = placed.addressed().unwrap();
    for (&(access, wave, lane), first) in given {
        assert_eq!(rows.coordinate(wave, lane, access * n).as_ref(), Ok(first), "{what}");
    }
    // The way back from the addresses alone: whoever holds an element, to the register.
    let back = row.fragments_of(&rows, bits).expect(what);
    let numbers = |of: &Encoding| [of.waves(), of.lanes(), of.elements()];
    assert_eq!(numbers(&back), numbers(held), "{what}");
    for (wave, lane) in (0..held.waves()).flat_map(|w| (0..held.lanes()).map(move |l| (w, l))) {
        for element in 0..held.elements() {
            let [one, other] = [&back, held].map(|of| of.coordinate(wave, lane, element));
            assert_eq!(one, other, "{what} {wave} {lane} {element}");
        }
    }
    degree
}

/// The rows that hand round what lanes address.
fn handing(chip: &tiledesc::chip::Chip) -> impl Iterator<Item = &'static Instruction> {
    chip.rows().iter().filter(|row| row.needs_whole_wave())
}

/// Every operand and result of every matrix instruction by every such row of its chip, in each width that they come in.
#[test]
fn operands_are_judged_by_what_feeds_them() {
    let (mut taken, mut refused) = (BTreeMap::<&str, u32>::new(), 0);
    // Many instructions hold the same, and a row is the same on all chips.
    let mut tried = BTreeSet::new();
    for chip in CHIPS {
        for matrix in warp_gemm::instructions(chip) {
            let [a, b, c] = matrix.bits();
            let held = [(Some(matrix.a()), a), (matrix.b(), b), (Some(matrix.c()), c)];
            // A result is stored as what the next product takes.
            let stored = [8, 16].map(|bits| (Some(matrix.c()), bits));
            let swapped = [8, 16, 32].map(|bits| (matrix.swapped_c(), bits));
            let all = held.into_iter().chain(stored).chain(swapped).filter(|_| matrix.n() <= 64);
            for (held, bits) in all.filter_map(|(held, bits)| Some((held?, bits))) {
                for row in handing(chip).filter(|row| (row.bytes() * 8).is_multiple_of(bits)) {
                    if !tried.insert((core::ptr::from_ref(held), bits, row.name())) {
                        continue;
                    }
                    match given(held, row, bits) {
                        Some((given, along)) => {
                            is_judged(&tile(&held.lengths(), along, 0), held, row, bits, &given);
                            *taken.entry(row.name()).or_default() += 1;
                        }
                        None => {
                            refused += 1;
                            is_refused(held, row, bits);
                        }
                    }
                }
            }
        }
    }
    println!("{taken:#?}, {refused} refused");
    let by_none: BTreeSet<_> = CHIPS.iter().flat_map(handing).map(Instruction::name).collect();
    let by_none: Vec<_> = by_none.into_iter().filter(|name| !taken.contains_key(name)).collect();
    // No source says what the first three hand round, and the others store more than one result has.
    let more = ["stmatrix.m16n8.x2.trans.b8", "stmatrix.m16n8.x4.trans.b8"];
    assert_eq!(
        by_none,
        [&["ds_load_tr4_b64", "ds_load_tr4_b64_align4", "ds_load_tr6_b96"][..], &more].concat()
    );
}

/// What lanes do not hold is refused by the name of the instruction. Where no source says who gets what, a distribution that is no
/// operand says what lanes address.
fn is_refused(held: &Encoding, row: &Instruction, bits: u32) {
    let n = row.bytes() * 8 / bits;
    let is_known = !row.name().starts_with("ds_load_tr4") && !row.name().starts_with("ds_load_tr6");
    for along in 0..held.rank() {
        let plan = tile(&held.lengths(), along, 0);
        match Placed::new(&plan, bits, Lanes::distributed(held), row) {
            Err(AccessError::Fragments { name, access, .. }) => {
                assert_eq!((name, access), (row.name(), row.access()));
            }
            Err(misfit) => assert!(!is_known, "{}: {misfit}", row.name()),
            Ok(placed) => {
                assert!(!is_known, "{}: {held:?}", row.name());
                assert_eq!(held.lanes(), row.service().phases.addressed() as u32);
                assert_eq!(placed.instructions(), u64::from(held.elements() / n * held.waves()));
                assert_eq!((placed.addressed(), placed.distribution()), (Some(*held), None));
            }
        }
    }
}

/// Tiles of several operands, held by waves, in any order of the registers, padded: taken and refused as the
/// instruction says.
#[test]
fn tiles_of_operands() {
    let (mut dice, mut degrees) = (Dice(28), BTreeMap::<u32, u32>::new());
    let [mut refused, mut torn] = [0; 2];
    let chips = [gfx950, gfx1250, sm_80, sm_90, sm_100];
    for _ in 0..fuzz::cases("fragments") {
        let chip = dice.of(&chips);
        let rows: Vec<_> = handing(&chip).collect();
        let row = dice.of(&rows);
        let inner: Vec<_> = warp_gemm::instructions(&chip)
            .filter(|matrix| matrix.blocks() == 1 && matrix.a().waves() == 1)
            .flat_map(|of| {
                let [a, _, c] = of.bits();
                [(of.a(), a), (of.b().unwrap(), a), (of.c(), c), (of.c(), 16)]
            })
            .filter(|(_, bits)| (row.bytes() * 8).is_multiple_of(*bits))
            .collect();
        let (held, bits) = dice.of(&inner);
        let lengths = [1, 1, 2, 2, 3, 4];
        let [a, b, c] = core::array::from_fn(|_| dice.of(&lengths));
        let wave = dice.of(&[1, 2]);
        let dimensions = [("m", &[("a", a), ("wave", wave)][..]), ("k", &[("b", b), ("c", c)])];
        let order = dice.of(&[["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["b", "a", "c"]]);
        let outer = Encoding::named(&[], &dimensions, &["wave"], &[], &order).unwrap();
        let held = outer.around(held).unwrap();
        if held.lengths().elements() * u64::from(bits) > 8 << 15 {
            continue;
        }
        let Some((given, along)) = given(&held, row, bits) else {
            refused += 1;
            is_refused(&held, row, bits);
            continue;
        };
        let n = row.bytes() * 8 / bits;
        let plan = tile(&held.lengths(), along, n * dice.below(4));
        // Four registers at a time out of three times two: no digit says which.
        if [a, b, c].contains(&3)
            && let Err(misfit) = Placed::new(&plan, bits, Lanes::distributed(&held), row)
        {
            assert!(matches!(misfit, AccessError::Fragments { .. }), "{misfit}");
            torn += 1;
            continue;
        }
        let degree = is_judged(&plan, &held, row, bits, &given);
        *degrees.entry(degree).or_default() += 1;
    }
    println!("degrees {degrees:?}, {refused} refused, {torn} torn");
    let taken: u32 = degrees.values().sum();
    assert!(degrees.len() > 3 && refused > 0 && 10 * torn < taken, "{degrees:?}, {torn} torn");
}

fn says(lanes: Lanes<'_>, bits: u32, row: &Instruction, lengths: [u32; 2]) -> String {
    let plan = Plan::packed(&lengths).unwrap();
    match Placed::new(&plan, bits, lanes, row) {
        Ok(_) => "taken".to_owned(),
        Err(misfit) => misfit.to_string(),
    }
}

distribution! { type OwnRows: m [row 32], k [eight 8]; lane (row), thread (eight); }

/// The sentences, and that what they suggest is taken.
#[test]
fn what_would_bring_it_is_said() {
    let a = Lanes::of_distribution::<mma::A<U16, U2>>();
    let b = Lanes::of_distribution::<mma::B<U16, U2>>();
    let c = Lanes::of_distribution::<mma::C>();
    for (lanes, bits, row, lengths, sentence) in [
        (a, 16, sm_80::ldmatrix_x4, [16, 16], "taken"),
        (b, 16, sm_80::ldmatrix_x2, [8, 16], "taken"),
        (
            b,
            16,
            sm_80::ldmatrix_x4,
            [8, 16],
            "ldmatrix.x4 does not bring what the distribution's lanes hold; ldmatrix.x2 does",
        ),
        (
            a,
            16,
            sm_80::ld_shared_b128,
            [16, 16],
            "a lane moves 8 elements but holds only 2 contiguous ones along k; ldmatrix.x4 moves what it holds",
        ),
        // fp32 sums: pairs of 8 bytes, and of half as much as a matrix has.
        (
            c,
            32,
            sm_90::stmatrix_x4,
            [16, 8],
            "stmatrix.x4 does not take what the distribution's lanes hold; st.shared.b64 does",
        ),
        (c, 16, sm_90::stmatrix_x2, [16, 8], "taken"),
        // Lanes that hold rows of their own, which they could address.
        (
            Lanes::of_distribution::<OwnRows>(),
            16,
            sm_80::ldmatrix_x4,
            [32, 8],
            "ldmatrix.x4 does not bring what the distribution's lanes hold; ld.shared.b128 does",
        ),
        (
            Lanes::of_distribution::<mfma::Operand<U32, U16>>(),
            8,
            gfx950::ds_read_b64_tr_b16,
            [32, 16],
            "ds_read_b64_tr_b16 does not bring what the distribution's lanes hold; ds_read_b64 does",
        ),
        (
            Lanes::of_distribution::<wmma::gfx12::Operand<U32>>(),
            4,
            gfx1250::ds_load_tr4_b64,
            [16, 32],
            "no source says what each lane gets from ds_load_tr4_b64; ds_read_b32 does",
        ),
    ] {
        assert_eq!(says(lanes, bits, &row, lengths), sentence, "{}", row.name());
        let suggested = sentence.rsplit_once("; ").map(|(_, suggested)| suggested.split(' '));
        if let Some(name) = suggested.and_then(|mut words| words.next()) {
            let chip = tiledesc::chip::find(row.chip()).unwrap();
            let other = chip.instruction(name).unwrap();
            assert_eq!(other.access(), row.access());
            assert_eq!(says(lanes, bits, other, lengths), "taken", "{name}");
        }
    }
}
