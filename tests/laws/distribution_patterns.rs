//! A distribution as an access pattern: all waves, all accesses.
//!
//! | promise | against |
//! |---|---|
//! | a lane's accesses are its elements, each once | the elements, tried one by one |
//! | the verdict, by rank or counted | the banks of every instruction, counted |
//! | lengths that are not powers of two | the same |
//! | what does not fit is refused | its sentence |

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tiledesc::access::Addresses;
use tiledesc::chip::{gfx942, gfx950, gfx1100, sm_90};
use tiledesc::distribution::{Distribution, Encoding};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{
    access::{AccessError, Placed},
    bank,
    chip::Instruction,
    pattern::Pattern,
};

/// What each lane of each wave must touch: its elements in groups of `pack` along `along`.
fn accesses(
    encoding: &Encoding,
    along: usize,
    pack: u32,
) -> BTreeMap<(u32, u32), BTreeSet<Vec<u32>>> {
    let mut all = BTreeMap::new();
    for wave in 0..encoding.waves() {
        for lane in 0..encoding.lanes() {
            let held: BTreeSet<Vec<u32>> = (0..encoding.elements())
                .map(|element| {
                    encoding.coordinate(wave, lane, element).unwrap().as_slice().to_vec()
                })
                .collect();
            let starts = held.iter().filter(|at| at[along].is_multiple_of(pack)).cloned();
            let starts: BTreeSet<Vec<u32>> = starts.collect();
            assert_eq!(starts.len() as u32 * pack, encoding.elements());
            for start in &starts {
                for element in 1..pack {
                    let mut at = start.clone();
                    at[along] += element;
                    assert!(held.contains(&at), "{at:?} is in another lane");
                }
            }
            all.insert((wave, lane), starts);
        }
    }
    all
}

/// Every instruction against the accesses, and the verdict against the counts of all.
fn check(
    placed: &Placed<'_, '_>,
    encoding: &Encoding,
    along: usize,
    pack: u32,
    address: impl Fn(&[u32]) -> u32,
) {
    let mut left = accesses(encoding, along, pack);
    let (mut degree, mut conflict_cycles, mut base_cycles) = (0, 0, 0);
    let per_wave = u64::from(encoding.elements() / pack);
    assert_eq!(placed.instructions(), per_wave * u64::from(encoding.waves()));
    for step in 0..placed.instructions() {
        let (touched, wave) = (placed.touched(step).unwrap(), (step / per_wave) as u32);
        for lane in 0..encoding.lanes() {
            let at = touched.coordinate(lane as usize).unwrap();
            assert!(left.get_mut(&(wave, lane)).unwrap().remove(at.as_slice()), "{at:?} twice");
        }
        let bytes = |lane: u32| {
            let at = touched.coordinate(lane as usize)?;
            Some(address(at.as_slice()))
        };
        let found = bank::conflicts(&Addresses::from_fn(bytes), placed.instruction()).unwrap();
        degree = degree.max(found.degree());
        conflict_cycles += u64::from(found.conflict_cycles);
        base_cycles += u64::from(found.base_cycles);
    }
    assert!(left.values().all(BTreeSet::is_empty), "not touched: {left:?}");
    let verdict = placed.verdict().unwrap();
    assert_eq!(
        (verdict.degree(), verdict.conflict_cycles(), verdict.base_cycles()),
        (degree, conflict_cycles, base_cycles)
    );
}

/// 128x64 of halves: 64 lanes read packs of 8, of one factor or several in any order, the other
/// bits of the tile in any order.
fn fetches() -> impl Strategy<Value = Encoding> {
    let bits: Vec<(u32, u32)> = (0..7).map(|i| (1, i)).chain((0..3).map(|i| (2, i))).collect();
    let packs: [&[u32]; 5] = [&[8], &[2, 4], &[4, 2], &[2, 2, 2], &[4, 1, 2]];
    let packs = prop::sample::select(packs.to_vec());
    let thread = packs.prop_flat_map(|pack| {
        let places: Vec<(u32, u32)> = (0..pack.len() as u32).map(|i| (2, 3 + i)).collect();
        (Just(pack), Just(places).prop_shuffle(), any::<bool>())
    });
    let to_wave = prop::collection::vec(any::<bool>(), 4);
    (Just(bits).prop_shuffle(), to_wave, thread).prop_map(
        |(bits, to_wave, (pack, within, first))| {
            let (lane, rest) = bits.split_at(6);
            let of = |wanted: bool| -> Vec<(u32, u32)> {
                let both = rest.iter().zip(&to_wave).filter(|(_, wave)| **wave == wanted);
                both.map(|(bit, _)| *bit).collect()
            };
            let (wave, other) = (of(true), of(false));
            let thread = if first { [within, other].concat() } else { [other, within].concat() };
            let split =
                |owner: &[(u32, u32)]| -> (Vec<u32>, Vec<u32>) { owner.iter().copied().unzip() };
            let [wave, lane, thread] = [split(&wave), split(lane), split(&thread)];
            let k = [&[2, 2, 2], pack].concat();
            Encoding::ck(
                &[],
                &[&[2; 7], &k],
                (&[&wave.0, &lane.0], &[&wave.1, &lane.1]),
                (&thread.0, &thread.1),
            )
            .unwrap()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn verdicts_are_counts(encoding in fetches(), pad in 0u32..3, chip in any::<bool>()) {
        let read = if chip { &gfx942::ds_read_b128 } else { &gfx950::ds_read_b128 };
        layout! { type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
        let swizzled = Swizzled::PLAN;
        let rows = Plan::naive(&[128, 64], &[64 + 8 * pad, 1]).unwrap();
        for plan in [swizzled, rows] {
            let placed = Placed::new(&plan, 16, Lanes::distributed(&encoding), read).unwrap();
            check(&placed, &encoding, 1, 8, |at| 2 * plan.offset(at).unwrap());
        }
    }
}

distribution! {
    type ThreadRaked: m [wave 4, row 8, again 4], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    type WarpRaked: m [wave 4, again 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// Three rows and two halves of a chunk: no powers of two.
    type Odd: m [again 3, row 16], k [chunk 4, part 3, pair 4];
        lane (chunk, row), thread (again, part, pair);
    /// What a 32x32x8 MFMA returns, and the same transposed.
    type Accumulator: m [again 4, part 2, group 4], n [column 32];
        lane (part, column), thread (again, group);
    type Transposed: m [column 32], n [again 4, part 2, group 4];
        lane (part, column), thread (again, group);
    /// A gfx11 WMMA operand.
    type Wmma: m [row 16], k [pack 16]; repeat [copy 2], lane (copy, row), thread (pack);
}
type BlockA = Encoded<
    seq![2],
    lists![[2, 2, 32], [4, 2, 8]],
    lists![[1, 0], [2, 1]],
    lists![[1, 0], [1, 2]],
    seq![1, 2, 2],
    seq![0, 0, 2],
>;
layout! {
    type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type Block = recipe::RowMajor<F16, M<32>, K<32>>;
    type Layered = recipe::GemmXorLayer<F16, M<32>, K<32>, KPack<4>, MLdsLayer<2>>;
    type OddRows = recipe::RowMajor<F32, M<48>, K<48>>;
    type OddPadded = recipe::RowPad<F32, M<48>, K<48>, Padding<4>>;
    type WmmaRows16 = recipe::RowMajor<F16, M<16>, K<16>>;
}

/// Every access of a distribution by `check`: the cycles of one wave, and its floor.
fn counted<P: Distribution + Pattern>(plan: &Plan, bits: u32, row: &Instruction) -> [u64; 2] {
    let placed = Placed::new(plan, bits, P::LANES, row).unwrap();
    let pack = row.bytes() * 8 / bits;
    check(&placed, &P::ENCODING.unwrap(), 1, pack, |at| plan.offset(at).unwrap() * bits / 8);
    let verdict = placed.verdict().unwrap();
    [verdict.active_cycles(), verdict.base_cycles()].map(|cycles| cycles / u64::from(P::WAVES))
}

/// Where lanes own no powers of two every instruction is counted; a copy is read as often as it is
/// held.
#[test]
fn other_lengths_and_copies() {
    let odd = counted::<Odd>(&OddRows::PLAN, 32, &gfx942::ds_read_b128);
    assert_eq!(odd.map(|cycles| cycles % 9), [0, 0]);
    counted::<Odd>(&OddPadded::PLAN, 32, &gfx942::ds_read_b64);
    counted::<Wmma>(&WmmaRows16::PLAN, 16, &gfx1100::ds_load_b128);
}

/// Waves and accesses of any number, above the lanes' digits and below: of powers of two in lanes
/// one instruction stands for all, of rows that are not powers of two too.
#[test]
fn waves_and_accesses_of_any_number() {
    let read = &gfx942::ds_read_b128;
    // Every fifth of all: 5 divides no number of choices.
    for case in (0..2 * 3 * 3 * 3 * 3 * 2).step_by(5) {
        let digit = |below: u32, of: &[u32]| of[(case / below) as usize % of.len()];
        let (waves, again, under) = (digit(1, &[1, 3]), digit(2, &[1, 3, 5]), digit(6, &[1, 2, 3]));
        let (deep, more) = (digit(18, &[1, 2, 3]), digit(54, &[1, 2, 3]));
        let pad = digit(162, &[0, 8]);
        let encoding = Encoding::named(
            &[],
            &[
                ("m", &[("wave", waves), ("again", again), ("row", 16), ("under", under)]),
                ("k", &[("deep", deep), ("part", 4), ("more", more), ("pack", 8)]),
            ],
            &["wave"],
            &["part", "row"],
            &["deep", "again", "more", "under", "pack"],
        )
        .unwrap();
        let [m, k] = [encoding.lengths().at(0), encoding.lengths().at(1)];
        if 2 * m * (k + pad) > read.memory().unwrap() {
            continue;
        }
        let rows = Plan::naive(&[m, k], &[k + pad, 1]).unwrap();
        for plan in [Some(rows), recipe::gemm_xor(m, k, 8, 1).ok()].into_iter().flatten() {
            let placed = Placed::new(&plan, 16, Lanes::distributed(&encoding), read).unwrap();
            check(&placed, &encoding, 1, 8, |at| 2 * plan.offset(at).unwrap());
        }
    }
}

// The statement takes a distribution as it takes a pattern.
assert_conflict_free! {
    Swizzled on gfx942: write ds_write_b128 by ThreadRaked, read ds_read_b128 by BlockA;
    Padded on gfx942: write ds_write_b128 by WarpRaked, read ds_read_b128 by BlockA;
    Layered on gfx942: write ds_write_b64 by Transposed;
}

/// A dimension along which the layout is contiguous is taken, if a lane holds enough there.
#[test]
fn the_dimension_of_a_pack() {
    distribution! {
        type Square: m [row 8, down 8], k [column 8, right 8];
            lane (row, column), thread (down, right);
    }
    let square = Square::ENCODING.unwrap();
    let rows = Plan::naive(&[64, 64], &[64, 1]).unwrap();
    let columns = Plan::naive(&[64, 64], &[1, 64]).unwrap();
    for (plan, along) in [(&rows, 1), (&columns, 0)] {
        let placed = Placed::new(plan, 16, Square::LANES, &gfx942::ds_write_b128).unwrap();
        check(&placed, &square, along, 8, |at| 2 * plan.offset(at).unwrap());
    }
}

#[test]
fn refusals_say_why() {
    fn said<P: Pattern>(plan: &Plan, bits: u32, row: &Instruction) -> String {
        let placed = Placed::new(plan, bits, P::LANES, row).and_then(|placed| placed.verdict());
        placed.unwrap_err().to_string()
    }
    let read = &gfx942::ds_read_b128;
    assert_eq!(
        said::<ThreadRaked>(&Block::PLAN, 16, read),
        "the distribution covers a tile of [128, 64], but the layout's tile is [32, 32]",
    );
    let deep = Plan::packed(&[4, 32, 64]).unwrap();
    assert_eq!(
        said::<ThreadRaked>(&deep, 16, read),
        "the distribution covers a tile of [128, 64], but the layout's tile is [4, 32, 64]",
    );
    assert_eq!(
        said::<Wmma>(&WmmaRows16::PLAN, 16, read),
        "the distribution has 32 lanes, but the wave of ds_read_b128 on gfx942 has 64 lanes",
    );
    assert_eq!(
        said::<Wmma>(&WmmaRows16::PLAN, 16, &sm_90::ldmatrix_x2),
        "ldmatrix.x2 does not bring what the distribution's lanes hold; ld.shared.b128 does",
    );
    assert_eq!(
        said::<Accumulator>(&Block::PLAN, 16, read),
        "a lane moves 8 elements but holds only 4 contiguous ones along m; ds_read_u16 moves what it \
         holds",
    );
    assert_eq!(
        said::<Accumulator>(&Block::PLAN, 16, &gfx942::ds_read_b64),
        "the 4 elements of lane 0 from (0, 0) on are not contiguous: the vector length along \
         dimension 0 is 1",
    );
    // Packs of 8 end within a factor of 3, which is one of 24 only where the registers are in that order.
    distribution! {
        type Three: m [row 64], k [chunk 2, part 3, pair 4]; lane (row), thread (part, pair, chunk);
        type InOrder: m [row 64], k [chunk 2, part 3, pair 4]; lane (row), thread (chunk, part, pair);
    }
    let rows = Plan::naive(&[64, 24], &[24, 1]).unwrap();
    assert_eq!(
        said::<Three>(&rows, 16, read),
        "a lane moves 8 elements but holds 24 contiguous ones along k, in factors that packs of 8 do not divide; ds_read_b96 moves what it holds",
    );
    // `part` and `pair` are neighbours, a factor of 12: packs of 6 fit it, and so do packs of 4.
    let reads = [&gfx942::ds_read_b96, &gfx942::ds_read_b64];
    let counts =
        reads.map(|read| Placed::new(&rows, 16, Three::LANES, read).unwrap().instructions());
    assert_eq!(counts, [4, 6]);
    assert_eq!(Placed::new(&rows, 16, InOrder::LANES, read).unwrap().instructions(), 3);
    distribution! {
        type Rest<K>: m [row 64], k [part (K / 24), element 24]; lane (row), thread (part, element);
    }
    assert_eq!(
        said::<Rest<U64>>(&Rows::PLAN, 16, read),
        "factor \"part\" of k has no length: 64 is not a multiple of 24",
    );
    let write = Placed::new(&WmmaRows16::PLAN, 16, Wmma::LANES, &gfx1100::ds_store_b128).unwrap();
    assert!(!write.verdict().unwrap().is_free(), "two lanes write one byte");
    assert!(matches!(
        Placed::new(&Rows::PLAN, 16, Rest::<U64>::LANES, read),
        Err(AccessError::Distribution(_))
    ));
}
