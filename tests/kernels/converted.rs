//! Conversions that `convert!` declares, carried out lane by lane: each lane gets what it is to hold, in as few cycles as the
//! search at run time finds of the same instructions. What an instruction hands round stands here a second time, as its
//! manual says it.

use tiledesc::Tile;
use tiledesc::chip::{Chip, Instruction, Target, gfx942, gfx950, gfx1250, sm_80, sm_90};
use tiledesc::chip::{Gfx90a, Gfx942, Gfx950};
use tiledesc::distribution::{BlockRaked, Distribution, Within};
use tiledesc::matrix::{mfma, mma};
use tiledesc::prelude::*;
use tiledesc::statement::Converted;
use tiledesc_host::conversion::{Conversion, Held};

distribution! {
    /// 2 x 2 waves, each of 2 x 2 results of a matrix instruction.
    type Waves: m [again 2, wave 2], n [deep 2, beside 2]; wave (wave, beside), thread (again, deep);
    type Rows: m [again 2, row 16], n [chunk 4, half 8]; lane (row, chunk), thread (again, half);
    type Tall: m [wave 4, row 16], k [quarter 4, half 16]; wave (wave), lane (row, quarter), thread (half);
}
type Results = Within<Waves, mfma::F16_32x32x8::Ct>;

mod epilogue {
    use super::*;
    convert! { pub(super) type Tile = F16 [128, 128] on gfx942: pub(super) type Stores from Results, pub(super) type Loads to BlockRaked<U128, U128, U8, U4>; }
}
mod small {
    use super::*;
    convert! { pub(super) type Tile = F16 [32, 32] on gfx942: pub(super) type Stores from mfma::F16_32x32x8::Ct, pub(super) type Loads to Rows; }
}
mod wide {
    use super::*;
    convert! { pub(super) type Tile = F16 [64, 64] on gfx950: pub(super) type Stores from BlockRaked<U64, U64, U8, U4>, pub(super) type Loads to Tall; }
}

/// Stores a number for each element, loads by the other distribution, and compares every register.
macro_rules! carried_out {
    ($module:ident, $From:ty, $To:ty, $chip:expr, $columns:literal) => {{
        const STORED: usize = <$module::Stores as Width>::WIDTH;
        const LOADED: usize = <$module::Loads as Width>::WIDTH;
        let number = |[m, n]: [u32; 2]| m * $columns + n;
        let mut lds = vec![u32::MAX; 1 << 15];
        for wave in 0..<$From>::WAVES {
            for lane in 0..64 {
                let held: [u32; <$From>::ELEMENTS] = core::array::from_fn(|element| {
                    number(<$From>::coordinate(wave, lane, element))
                });
                $module::Stores::each_from(wave, lane, &held, |at, held: &[u32; STORED]| {
                    lds[at.index::<u16>()..][..STORED].copy_from_slice(held);
                });
            }
        }
        for wave in 0..<$To>::WAVES {
            for lane in 0..64 {
                let mut held = [0; <$To>::ELEMENTS];
                $module::Loads::each_into(wave, lane, &mut held, |at, held: &mut [u32; LOADED]| {
                    held.copy_from_slice(&lds[at.index::<u16>()..][..LOADED]);
                });
                for (element, held) in held.into_iter().enumerate() {
                    assert_eq!(held, number(<$To>::coordinate(wave, lane, element)));
                }
            }
        }
        compared::<$From, $To>(&$module::Tile, &$chip);
    }};
}

/// Elements of an access.
trait Width {
    const WIDTH: usize;
}
impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Width for Accesses<T, L, P> {
    const WIDTH: usize = P::N as usize;
}

/// The search at run time, which tries all linear layouts, has the same floor and takes no more.
fn compared<From: Distribution, To: Distribution>(found: &Converted, chip: &Chip) {
    let sought =
        Conversion::between(&From::ENCODING.unwrap(), &To::ENCODING.unwrap(), 16, chip).unwrap();
    let waves = u64::from(From::WAVES);
    let floor = waves * sought.floor().iter().sum::<u64>();
    assert_eq!(floor, found.least, "{found}, {sought}");
    assert!(waves * sought.cycles() <= found.cycles, "{found}, {sought}");
    assert!(found.is_free, "{found}");
}

#[test]
fn lanes_get_what_they_are_to_hold() {
    carried_out!(epilogue, Results, BlockRaked<U128, U128, U8, U4>, gfx942, 128);
    carried_out!(small, mfma::F16_32x32x8::Ct, Rows, gfx942, 32);
    carried_out!(wide, BlockRaked<U64, U64, U8, U4>, Tall, gfx950, 64);
    let said = [epilogue::Tile.to_string(), small::Tile.to_string(), wide::Tile.to_string()];
    println!("{said:#?}");
}

/// Who addresses what a lane gets, or gives, as the `place`-th half of an instruction, and which half of that address it is.
///
/// | | lane t, half h |
/// |---|---|
/// | `ldmatrix.xN`, `stmatrix.xN` (PTX ISA) | half 2 * (t % 4) + h % 2 of the row that lane 8 * (h / 2) + t / 4 addresses |
/// | the same, `.trans` | half t / 4 of the row that lane 8 * (h / 2) + 2 * (t % 4) + h % 2 addresses |
/// | `ds_read_b64_tr_b16` (CDNA4 ISA), of 16 lanes | half t % 16 of row h, which four neighbouring lanes address |
/// | `ds_load_tr16_b128` (Triton, `MemoryOpToLLVM.cpp`), of 8 lanes | half t % 8 of what lane h of the 8 addresses |
fn giver(row: &Instruction, lane: u32, place: u32) -> (u32, u32) {
    let name = row.name();
    if name.ends_with(".trans") {
        return (8 * (place / 2) + 2 * (lane % 4) + place % 2, lane / 4);
    }
    if name.contains("matrix.") {
        return (8 * (place / 2) + lane / 4, 2 * (lane % 4) + place % 2);
    }
    match name {
        "ds_read_b64_tr_b16" => (lane / 16 * 16 + 4 * place + lane % 16 / 4, lane % 4),
        "ds_load_tr16_b128" => (lane / 8 * 8 + place, lane % 8),
        _ => (lane, place),
    }
}

/// The accesses of one side: of each lane of each wave, the byte that it addresses by each instruction, and the first of its
/// halves that the instruction moves.
struct Given {
    row: &'static Instruction,
    lanes: Vec<Vec<(u32, usize)>>,
}

/// Gathers them.
fn given(
    row: &'static Instruction,
    waves: u32,
    each: impl Fn(u32, u32, &mut dyn FnMut(u32, usize)),
) -> Given {
    let wave = row.service().phases.wave() as u32;
    let threads = (0..waves).flat_map(|w| (0..wave).map(move |lane| (w, lane)));
    let lanes = threads.map(|(wave, lane)| {
        let mut all = Vec::new();
        each(wave, lane, &mut |byte, first| all.push((byte, first)));
        all
    });
    Given { row, lanes: lanes.collect() }
}

impl Given {
    /// Wave, lane, element of the lane, and the half of LDS in which it is, of all.
    fn moved(&self) -> Vec<(u32, u32, usize, usize)> {
        let wave = self.row.service().phases.wave() as u32;
        let mut all = Vec::new();
        for thread in 0..self.lanes.len() as u32 {
            let (wave, lane, first_of_wave) = (thread / wave, thread % wave, thread / wave * wave);
            for (i, (_, first)) in self.lanes[thread as usize].iter().enumerate() {
                for place in 0..self.row.held_bytes() / 2 {
                    let (giver, within) = giver(self.row, lane, place);
                    let (byte, _) = self.lanes[(first_of_wave + giver) as usize][i];
                    all.push((wave, lane, first + place as usize, (byte / 2 + within) as usize));
                }
            }
        }
        all
    }
}

/// Carries a conversion of halves out, and compares it with what the search at run time finds.
fn carry_out<From: Distribution, To: Distribution>(
    found: &Converted,
    [stores, loads]: [Given; 2],
    chip: &Chip,
    by_any: bool,
) {
    let mut lds = vec![None; 1 << 16];
    for (wave, lane, element, at) in stores.moved() {
        let held: [u32; 2] = From::coordinate(wave, lane, element);
        assert!(lds[at].is_none_or(|there| there == held), "{found}: {at}");
        lds[at] = Some(held);
    }
    let moved = loads.moved();
    for (wave, lane, element, at) in &moved {
        assert_eq!(lds[*at], Some(To::coordinate(*wave, *lane, *element)), "{found}");
    }
    let all = To::WAVES as usize * To::LANES_PER_WAVE as usize * To::ELEMENTS;
    assert_eq!(moved.len(), all, "{found}: every register of every lane");

    assert!(found.is_free, "{found}");
    // The other search has powers of two, and no transposing reads of gfx1250.
    let sides =
        [&From::ENCODING, &To::ENCODING].map(|held| Held::from_encoding(held.as_ref().unwrap()));
    let (true, [Ok(from), Ok(to)]) = (chip.name() != "gfx1250", sides) else {
        assert_eq!(found.cycles, found.least, "{found}");
        return;
    };
    let rows = chip.rows().iter().filter(|row| by_any || !row.hands_round());
    let sought = Conversion::by(&from, &to, 16, rows).unwrap();
    let waves = u64::from(From::WAVES);
    assert_eq!(waves * sought.floor().iter().sum::<u64>(), found.least, "{found}, {sought}");
    assert_eq!(waves * sought.cycles(), found.cycles, "{found}, {sought}");
}

/// The accesses of both sides of a declaration, which are `by any` or not.
macro_rules! sides {
    ($found:expr, $Stores:ty, $Loads:ty, $waves:expr) => {{
        let [store, load] = $found.rows();
        [
            given(store, $waves, |wave, lane, f| {
                <$Stores>::each(wave, lane, |byte, immediate, valid, first| {
                    assert!(valid);
                    f(byte + immediate, first);
                });
            }),
            given(load, $waves, |wave, lane, f| {
                <$Loads>::each(wave, lane, |byte, immediate, valid, first| {
                    assert!(valid);
                    f(byte + immediate, first);
                });
            }),
        ]
    }};
}

distribution! {
    /// 16 rows of 16 halves, 8 a lane; and as many columns.
    type Halves: m [row 16], k [chunk 2, half 8]; lane (row, chunk), thread (half);
    type Columns: m [chunk 2, half 8], k [column 16]; lane (column, chunk), thread (half);
    /// The result of `mma` by rows: four halves a lane.
    type Quarters: m [row 16], n [two 2, four 4]; lane (row, two), thread (four);
    /// Three of them, which is not a power of two.
    type Three: m [thrice 3], n [one 1]; thread (thrice, one);
    type ThreeQuarters: m [thrice 3, row 16], n [two 2, four 4]; lane (row, two), thread (thrice, four);
    /// 32 rows of k of 64 halves of m, and 8 of k a lane.
    type Deep: k [again 4, row 8], m [chunk 8, half 8]; lane (row, chunk), thread (again, half);
    type Operand: k [part 4, pack 8], m [again 4, column 16]; lane (part, column), thread (again, pack);
    /// 8 halves of m a lane; and 8 of k.
    type AlongM: m [half 8], k [row 32]; lane (row), thread (half);
    type AlongK: m [eight 8], k [part 4, pack 8]; lane (part, eight), thread (pack);
}

mod ldmatrix {
    use super::*;
    convert! { pub(super) type Tile = F16 [16, 16] on sm_80: pub(super) type Stores from Halves, pub(super) type Loads to mma::A<U16, U2> by any; }
}
mod ldmatrix_trans {
    use super::*;
    convert! { pub(super) type Tile = F16 [16, 16] on sm_80: pub(super) type Stores from Columns, pub(super) type Loads to mma::A<U16, U2> by any; }
}
mod stmatrix {
    use super::*;
    convert! { pub(super) type Tile = F16 [16, 8] on sm_90: pub(super) type Stores from mma::C by any, pub(super) type Loads to Quarters; }
}
mod thrice {
    use super::*;
    convert! { pub(super) type Tile = F16 [48, 8] on sm_90: pub(super) type Stores from Within<Three, mma::C> by any, pub(super) type Loads to ThreeQuarters; }
}
mod both {
    use super::*;
    convert! { pub(super) type Tile = F16 [16, 16] on sm_90: pub(super) type Stores from mma::A<U16, U2> by any, pub(super) type Loads to Halves by any; }
}
mod transposed_950 {
    use super::*;
    convert! { pub(super) type Tile = F16 [32, 64] on gfx950: pub(super) type Stores from Deep, pub(super) type Loads to Operand by any; }
}
mod transposed_1250 {
    use super::*;
    convert! { pub(super) type Tile = F16 [8, 32] on gfx1250: pub(super) type Stores from AlongM, pub(super) type Loads to AlongK by any; }
}

/// Each kind of instruction that hands round what lanes address.
#[test]
fn lanes_get_what_others_address() {
    let sides = sides!(ldmatrix::Tile, ldmatrix::Stores, ldmatrix::Loads, 1);
    carry_out::<Halves, mma::A<U16, U2>>(&ldmatrix::Tile, sides, &sm_80, true);
    let sides = sides!(ldmatrix_trans::Tile, ldmatrix_trans::Stores, ldmatrix_trans::Loads, 1);
    carry_out::<Columns, mma::A<U16, U2>>(&ldmatrix_trans::Tile, sides, &sm_80, true);
    let sides = sides!(stmatrix::Tile, stmatrix::Stores, stmatrix::Loads, 1);
    carry_out::<mma::C, Quarters>(&stmatrix::Tile, sides, &sm_90, true);
    let sides = sides!(thrice::Tile, thrice::Stores, thrice::Loads, 1);
    carry_out::<Within<Three, mma::C>, ThreeQuarters>(&thrice::Tile, sides, &sm_90, true);
    assert_eq!((thrice::Tile.instructions()[0], thrice::Stores::COUNT), ("stmatrix.x2", 3));
    let sides = sides!(both::Tile, both::Stores, both::Loads, 1);
    carry_out::<mma::A<U16, U2>, Halves>(&both::Tile, sides, &sm_90, true);
    let sides = sides!(transposed_950::Tile, transposed_950::Stores, transposed_950::Loads, 1);
    carry_out::<Deep, Operand>(&transposed_950::Tile, sides, &gfx950, true);
    let sides = sides!(transposed_1250::Tile, transposed_1250::Stores, transposed_1250::Loads, 1);
    carry_out::<AlongM, AlongK>(&transposed_1250::Tile, sides, &gfx1250, true);
    let chosen = [
        ldmatrix::Tile,
        ldmatrix_trans::Tile,
        stmatrix::Tile,
        both::Tile,
        transposed_950::Tile,
        transposed_1250::Tile,
    ];
    println!("{:#?}", chosen.each_ref().map(ToString::to_string));
    let names = chosen.map(|found| found.instructions());
    assert_eq!(
        names,
        [
            ["st.shared.b128", "ldmatrix.x4"],
            ["st.shared.b128", "ldmatrix.x4.trans"],
            ["stmatrix.x2", "ld.shared.b64"],
            ["stmatrix.x4", "ld.shared.b128"],
            ["ds_write_b128", "ds_read_b64_tr_b16"],
            ["ds_write_b128", "ds_load_tr16_b128"],
        ],
    );
}

mod open {
    use super::*;

    convert! {
        /// Of any elements, on any chip with waves of 64.
        pub(super) type Tile<E: Element, C: Target> = E [32, 32] on C:
            pub(super) type Stores from mfma::F16_32x32x8::Ct, pub(super) type Loads to Rows;
    }
}

/// Of 48 rows, which are not a power of two.
mod open_of_48_rows {
    use super::*;

    distribution! {
        pub(super) type Rows: m [thrice 3, row 16], n [chunk 4, half 8]; lane (row, chunk), thread (thrice, half);
        pub(super) type Quarters: m [thrice 3, part 2, row 8], n [chunk 8, four 4]; lane (row, chunk), thread (thrice, part, four);
        pub(super) type Columns: m [thrice 3, row 16], n [chunk 4, half 8]; lane (chunk, row), thread (thrice, half);
    }
    convert! {
        pub(super) type Straight<C: Target> = F16 [48, 32] on C:
            pub(super) type StraightStores from Rows, pub(super) type StraightLoads to Quarters;
        pub(super) type Turned<C: Target> = F16 [48, 32] on C:
            pub(super) type TurnedStores from Rows, pub(super) type TurnedLoads to Columns;
    }
}

/// A kernel that is generic over its elements and its chip: the instructions, and of halves all that is moved.
fn epilogue<E: Element, C: Target>() -> [&'static str; 2] {
    let found = open::Loads::<E, C>::CONVERTED;
    if E::BITS == 16 {
        let sides = sides!(found, open::Stores<E, C>, open::Loads<E, C>, 1);
        carry_out::<mfma::F16_32x32x8::Ct, Rows>(&found, sides, &C::CHIP, false);
    }
    found.instructions()
}

/// A kernel that is generic over its chip: what is moved, and the layouts.
fn of_48_rows<C: Target>() -> [String; 2] {
    use open_of_48_rows::*;
    let straight = StraightStores::<C>::CONVERTED;
    let sides = sides!(straight, StraightStores<C>, StraightLoads<C>, 1);
    carry_out::<Rows, Quarters>(&straight, sides, &C::CHIP, false);
    let turned = TurnedStores::<C>::CONVERTED;
    let sides = sides!(turned, TurnedStores<C>, TurnedLoads<C>, 1);
    carry_out::<Rows, Columns>(&turned, sides, &C::CHIP, false);
    [straight.to_string(), turned.to_string()]
}

#[test]
fn lengths_need_not_be_powers_of_two() {
    let said = [of_48_rows::<Gfx942>(), of_48_rows::<Gfx950>()];
    println!("{said:#?}");
    // In order, and with packs that change places.
    let layouts = ["RowMajor<F16, M<48>, K<32>>", "GemmXor<F16, M<48>, K<32>, KPack<8>>"];
    assert!(said.iter().all(|said| (0..2).all(|i| said[i].contains(layouts[i]))));
}

#[test]
fn a_kernel_may_be_generic_over_elements_and_chips() {
    let by_chip = [
        epilogue::<F16, Gfx942>(),
        epilogue::<BF16, Gfx950>(),
        epilogue::<F16, Gfx90a>(),
        epilogue::<F32, Gfx942>(),
        epilogue::<F8, Gfx942>(),
    ];
    assert_eq!(by_chip[0], small::Tile.instructions());
    println!("{by_chip:?}");
}
