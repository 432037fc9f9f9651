//! Layouts that `synthesize!` declares with their answers: each costs what counting finds, and its test, which the
//! macro wrote beside it, searches for a better one.
//!
//! | test | promise |
//! |---|---|
//! | `no_layout_is_better_than_..` | no layout of fewer cycles is found: what `synthesize!` writes |
//! | `cycles_as_counted` | cycles, by each source, are those that counting each lane of each instruction finds |
//! | `type_as_it_stands` | the type is the one behind `=>` |
//! | `same_as_found` | where the compiler finds the same layout, its constant says the same |
//!
//! The way from no answer to the best is a test of its own (`tests/surface/certificate.rs`).

use super::short_list::weighed;
use tiledesc::chip::{gfx942, gfx950};
use tiledesc::direct::Fill;
use tiledesc::pattern::{Lanes, Pattern};
use tiledesc::prelude::*;
use tiledesc::search::Use;
use tiledesc::statement::Certified;

const DEPTH: usize = 96;

pattern! {
    /// 34x66 floats, a tile of 32x64 with its halo, stored in order by a wave, of which the last lanes are idle.
    Halo(lane, step in 36) => [(64 * step + lane) / 66, (64 * step + lane) % 66] if 64 * step + lane < 2244;
    /// Read down the columns.
    Down(lane, step in 33) => [lane % 32 + 1, 2 * step + lane / 32];
}
distribution! {
    type Operand: m [again 8, row 16], k [next 2, part 4, half 8];
        lane (part, row), thread (again, next, half);
}

synthesize! {
    /// The halves of the book.
    type Halves = F16 [64, DEPTH] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>,
    => recipe::DenseXor<F16, M<64>, K<{ DEPTH }>, KPack<8>, LinePacks<8>, seq![2, 3]>;
    at most 352 cycles;
    pub(crate) type WithHalo = F32 [34, 66] on gfx942:
        write ds_write_b32 by Halo, read ds_read_b32 by Down
    => recipe::DenseXor<F32, M<34>, K<66>, KPack<1>, LinePacks<4>, seq![0, 0, 0, 1]>;
    at most 138 cycles;
    #[allow(dead_code)]
    type Both = BF16 [128, 64] on gfx942, gfx950 as documented:
        write ds_write_b128 by RowMajor times 2,
        read  ds_read_b128  by Operand,
        read  ds_read_b128  by MfmaRows<32> times 4
    => recipe::GemmXorBits<BF16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![4, 1, 2, 4]>;
    type Filled = F16 [128, 64] on gfx950:
        filled by global_load_lds_b128 by 4 waves,
        read ds_read_b128 by MfmaRows<16>
    => recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>;
    type Mixed = F32 [128, 32] on gfx950:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by RowMajor,
        read  ds_read_b32   by MfmaRows<4>
    => recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 10, 28]>;
    /// Two sources disagree on the read, and only the row's own finds it free.
    type Disputed = F32 [2, 64] on gfx950: read ds_read_b32 by HalfRows
    => recipe::RowMajor<F32, M<2>, K<64>>;
    at most 4 cycles;
}

pattern! { HalfRows(lane) => [lane / 32, lane % 32]; }

type Padded = Layout<F16, Naive<seq![64, 64], seq![80, 1]>>;

synthesize! {
    /// A layout by a name, of an element of as many bits; the last `;` is left out.
    type ByName = BF16 [64, 64] on gfx942: read ds_read_b128 by first MfmaRows<16> => Padded
}

/// A declaration of each kind, its plan, and its accesses a second time.
fn all() -> Vec<(Certified, Plan, Vec<Use<'static>>)> {
    let [store, load] = [&gfx942::ds_write_b128, &gfx942::ds_read_b128];
    let [wide_store, wide_load] = [&gfx950::ds_write_b128, &gfx950::ds_read_b128];
    let in_order = Lanes::row_major();
    let fill = Fill::by(&gfx950::global_load_lds_b128, 4);
    let both = |store, load| {
        let operand = Use::new(Operand::LANES, load);
        [
            Use::new(in_order, store).times(2),
            operand,
            Use::new(MfmaRows::<32>::LANES, load).times(4),
        ]
    };
    vec![
        (
            Halves,
            Halves::PLAN,
            vec![
                Use::new(in_order, store),
                Use::new(MfmaRows::<16>::LANES, load),
                Use::new(MfmaRows::<32>::LANES, load),
            ],
        ),
        (
            WithHalo,
            WithHalo::PLAN,
            vec![
                Use::new(Halo::LANES, &gfx942::ds_write_b32),
                Use::new(Down::LANES, &gfx942::ds_read_b32),
            ],
        ),
        (Both, Both::PLAN, [both(store, load), both(wide_store, wide_load)].concat()),
        (Filled, Filled::PLAN, vec![Use::new(MfmaRows::<16>::LANES, wide_load).filled_by(fill)]),
        (
            Mixed,
            Mixed::PLAN,
            vec![
                Use::new(in_order, wide_store),
                Use::new(in_order, wide_load),
                Use::new(MfmaRows::<4>::LANES, &gfx950::ds_read_b32),
            ],
        ),
        (Disputed, Disputed::PLAN, vec![Use::new(HalfRows::LANES, &gfx950::ds_read_b32)]),
        (ByName, ByName::PLAN, vec![Use::new(MfmaRows::<16>::LANES.first(), load)]),
    ]
}

#[test]
fn cycles_as_counted() {
    let mut free = 0;
    for (found, plan, uses) in all() {
        let bits = found.asked().tile.bits;
        let [own, rival, weight] = weighed(&plan, bits, &uses).unwrap();
        assert_eq!([found.cycles, found.rival_cycles], [own, rival], "{found}");
        assert_eq!(found.is_free, weight == found.floor, "{found}");
        free += u32::from(found.is_free);
        // What its test asks is what stands there.
        let asked: Vec<_> = found.asked().uses().collect();
        assert_eq!(format!("{asked:?}"), format!("{uses:?}"));
    }
    assert_eq!(free, 5);
    assert_eq!((Halves.cycles, Halves.floor, Halves.is_free), (352, 288, false));
    assert_eq!((WithHalo.cycles, WithHalo.floor), (138, 138));
    assert_eq!(
        Disputed.to_string(),
        "2 cycles, the floor by its own rows; 2 by the other source, with conflicts"
    );
    assert_eq!(Filled.to_string(), "64 cycles, the floor");
}

#[test]
fn type_as_it_stands() {
    type Pasted =
        recipe::DenseXor<F16, recipe::M<64>, recipe::K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>;
    assert_eq!(Halves::PLAN, Pasted::PLAN);
    assert_eq!(Halves::BYTES, 64 * 96 * 2);
    // Row 1 of the packs from 10 on, as the book has it.
    assert_eq!(Mixed::offset([1, 0]), 10 * 4);
    let _: (Halves, ByName) = (Pasted::default(), Padded::default());
}

/// The same without their answers.
mod found {
    use super::Operand;
    use tiledesc::prelude::*;

    synthesize! {
        pub(super) type Both = BF16 [128, 64] on gfx942, gfx950 as documented:
            write ds_write_b128 by RowMajor times 2,
            read  ds_read_b128  by Operand,
            read  ds_read_b128  by MfmaRows<32> times 4;
        pub(super) type Filled = F16 [128, 64] on gfx950:
            filled by global_load_lds_b128 by 4 waves,
            read ds_read_b128 by MfmaRows<16>;
    }
}

#[test]
fn same_as_found() {
    for (found, certified) in [(found::Both, Both), (found::Filled, Filled)] {
        let of_found = (found.cycles, found.rival_cycles, found.floor, found.is_free);
        let Certified { cycles, rival_cycles, floor, is_free, .. } = certified;
        assert_eq!(of_found, (cycles, rival_cycles, floor, is_free), "{found}");
        assert_eq!(found.most_cycles(), certified.most_cycles());
    }
}
