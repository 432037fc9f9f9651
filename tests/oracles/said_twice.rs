//! What is said twice of one tile is compared: the element of an operand, the names of dimensions, the width that a
//! notation states.
//!
//! | promise | against |
//! |---|---|
//! | A and B are laid over tiles of their own elements alone, results over any | elements written out for each operand |
//! | the names of a distribution are those of the tile, in its order | square tiles, whose lengths tell nothing |
//! | a recipe's names are those of its dimensions | tiles of which one length is doubled |
//! | a map that knows the width of its elements is asked as one of such | CuTe's pointers |

use core::marker::PhantomData;
use tiledesc::access::AccessError;
use tiledesc::chip::Instruction;
use tiledesc::chip::{Gfx942, Gfx1100, Sm80, Sm90, gfx942, gfx950, sm_80, sm_90};
use tiledesc::distribution::{DistributionError, Encoding, Transposed, Within, exchange};
use tiledesc::matrix::{Converted, mfma, mma, wgmma};
use tiledesc::pattern::{Lanes, Pattern};
use tiledesc::prelude::*;
use tiledesc::warp_gemm;
use tiledesc::{Plan, access::Placed, recipe::families};
use tiledesc_host::conversion::Conversion;
use tiledesc_host::exchange::cute;
use tiledesc_host::plot::Draw;

/// Sixteen bits of the user's own.
#[derive(Clone, Copy, Default)]
struct Posit;
impl Element for Posit {
    type Storage = u16;
    const BITS: u32 = 16;
    const NAME: &'static str = "posit";
    const TYPE: &'static str = "Posit";
}

/// A pattern's lanes, as a value.
struct Of<P>(PhantomData<P>);
impl<P: Pattern> Pattern for Of<P> {
    const LANES: Lanes<'static> = P::LANES;
}

/// Why a pattern may not be laid over its tile of an element, if that is the element.
fn refusal<P: Pattern + Distribution>(element: impl Element) -> Option<String> {
    let lengths = P::ENCODING.unwrap().lengths();
    let (rows, columns) = (lengths.at(lengths.len() - 2), lengths.at(lengths.len() - 1));
    let plan = match lengths.len() {
        2 => Plan::packed(&[rows, columns]).unwrap(),
        _ => Plan::packed(&[lengths.at(0), rows, columns]).unwrap(),
    };
    // Of no chip: what is refused for its element is refused before what a lane moves.
    match plan.verdict(element, Of::<P>(PhantomData), &Instruction::read("any", 4)) {
        Err(error @ AccessError::OtherElement { .. }) => Some(error.to_string()),
        _ => None,
    }
}

macro_rules! takes {
    ($($Operand:ty: $($Element:ident)*;)*) => {$(
        let own: &[&str] = &[$(stringify!($Element)),*];
        takes!(@each $Operand, own, F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit);
    )*};
    (@each $Operand:ty, $own:ident, $($Element:ident)*) => {$(
        let is_own = $own.contains(&stringify!($Element));
        let refused = refusal::<$Operand>($Element);
        assert_eq!(refused.is_none(), is_own, "{} {}", stringify!($Operand), stringify!($Element));
    )*};
}

/// Of elements of this crate the names count, of others the width.
#[test]
fn operands_are_of_their_own_elements() {
    takes! {
        mfma::F16_32x32x16::A: F16 Posit;
        mfma::F16_16x16x32::B: F16 Posit;
        mfma::BF16_32x32x8::A: BF16 Posit;
        mfma::F16_4x64x16::A: F16 Posit;
        mfma::F16_4x4x4::A: F16 Posit;
        mfma::F32_32x32x2::B: F32;
        mfma::XF32_16x16x8::A: F32;
        mfma::F64_16x16x4::A: F64;
        mfma::I8_32x32x16::A: I8;
        mfma::F8_32x32x16::A: F8 BF8;
        mfma::F8_32x32x64::B: F8 BF8;
        mfma::F8F6F4_32x32x64::A: F8 BF8 F6 F4;
        warp_gemm::A<Gfx942, F16, U16, U16, U32>: F16 Posit;
        warp_gemm::B<Gfx942, BF16, U16, U16, U32>: BF16 Posit;
        warp_gemm::A<Gfx942, Posit, U16, U16, U32>: F16 BF16 I16 Posit;
        warp_gemm::A<Gfx942, BF8, U16, U16, U32>: BF8;
        warp_gemm::A<Gfx1100, I8, U16, U16, U16>: I8;
        warp_gemm::B<Sm80, F32, U16, U8, U8>: F32;
        mma::A<U16, U2>: F16 BF16 I16 Posit;
        mma::B<U32, U4>: F8 BF8 I8;
        mma::A<U8, U1>: F64 F32 I64 I32;
        wgmma::A<U32, U4>: F8 BF8 I8;
        mma::quad_pair::Operand: F16 Posit;
        // Made of one, in waves.
        Transposed<mfma::F16_32x32x16::A>: F16 Posit;
    }
}

/// What an epilogue stores is what it has made of the result; shapes are those of several instructions; who converts says so.
#[test]
fn results_and_shapes_are_of_any_element() {
    takes! {
        mfma::F16_32x32x16::C: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        mfma::F16_32x32x16::Ct: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        warp_gemm::C<Gfx942, F32, U16, U16>: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        mma::C: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        mfma::Operand<U32, U16>: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        Converted<mfma::F16_32x32x16::A>: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
        Converted<warp_gemm::A<Gfx942, F16, U16, U16, U32>>: F64 F32 F16 BF16 F8 BF8 F6 F4 I64 I32 I16 I8 I4 Posit;
    }
}

/// Each sentence names both, also where a tile is known by its width alone.
#[test]
fn both_elements_are_named() {
    let says =
        |element| format!("the operand of mfma::F16_32x32x16 is F16, but the tile is {element}");
    assert!(refusal::<mfma::F16_32x32x16::A>(BF16).unwrap().starts_with(&says("BF16;")));
    let eight = refusal::<mfma::F8_32x32x16::A>(F16).unwrap();
    assert!(
        eight.starts_with("the operand of mfma::F8_32x32x16 is F8 or BF8, but the tile is F16;")
    );
    let pairs = refusal::<mma::A<U16, U2>>(F8).unwrap();
    assert!(pairs.starts_with(
        "the operand of mma is of 16 bits, but the tile is F8; if the kernel converts"
    ));
    let plan = Plan::packed(&[32, 16]).unwrap();
    let lanes = Lanes::of_distribution::<mfma::F16_32x32x16::A>();
    let placed = |bits| Placed::new(&plan, bits, lanes, &gfx950::ds_read_b64);
    assert!(placed(8).unwrap_err().to_string().starts_with(&says("of 8 bits;")));
    assert!(placed(16).is_ok());
}

distribution! {
    type Waves: m [again 4], k [deep 2]; thread (again, deep);
    type InOrder: m [row 64], k [again 8, half 8]; lane (row), thread (again, half);
    type Exchanged: k [row 64], m [again 8, half 8]; lane (row), thread (again, half);
    type Others: row [row 64], column [again 8, half 8]; lane (row), thread (again, half);
    type OfB: k [row 64], n [again 8, half 8]; lane (row), thread (again, half);
}
layout! {
    type Named = recipe::RowPad<F16, M<64>, K<64>, Padding<8>>;
    type NamedN = recipe::RowPad<F16, N<64>, K<64>, Padding<8>>;
    type Numbers = recipe::RowPad<F16, U64, U64, U8>;
    type Turned = recipe::Transposed<recipe::RowPad<F16, M<64>, K<64>, Padding<8>>>;
}

/// `k [..], m [..]` of a tile of M and K; what the tile does not have by name is not compared.
#[test]
fn names_stand_in_the_order_of_the_tile() {
    let row = &gfx942::ds_read_b128;
    let says = "the distribution has the dimensions k, m, but the tile has M, K: write them in the tile's order, \
                or the tile's lengths without names, as `U64`";
    assert_eq!(Named::verdict::<Exchanged>(row).unwrap_err().to_string(), says);
    assert!(Named::verdict::<Transposed<InOrder>>(&gfx942::ds_read_u16).is_err());
    assert!(Named::verdict::<InOrder>(row).is_ok() && Named::verdict::<Others>(row).is_ok());
    assert!(Named::verdict::<OfB>(row).is_ok(), "K may be a row that recipes call M");
    assert!(
        NamedN::verdict::<OfB>(row)
            .unwrap_err()
            .to_string()
            .contains("k, n, but the tile has N, K")
    );
    assert!(NamedN::verdict::<InOrder>(row).is_ok(), "the operand of B has m too");
    assert!(Numbers::verdict::<Exchanged>(row).is_ok());
    assert!(Turned::verdict::<Transposed<Transposed<InOrder>>>(&gfx942::ds_read_u16).is_ok());
    // In kernels, too.
    assert!(
        std::panic::catch_unwind(|| Accesses::<InOrder, Named, U8>::each(0, 0, |_, _, _, _| ()))
            .is_ok()
    );
}

/// Two distributions of one tile: one around the other, and one after the other.
#[test]
fn names_of_two_distributions_agree() {
    let differ = |one, other| DistributionError::NamesDiffer { one, other };
    type Around = Within<Waves, Transposed<mfma::F16_16x16x16::A>>;
    assert_eq!(Around::ENCODING.unwrap_err(), differ(["m", "k"], ["k", "m"]));
    assert!(Within::<Waves, mfma::F16_16x16x16::A>::ENCODING.is_ok());
    let [from, to] = [InOrder::ENCODING, Exchanged::ENCODING].map(Result::unwrap);
    let error = from.exchange(&to).unwrap_err();
    assert_eq!(error, differ(["m", "k"], ["k", "m"]));
    assert_eq!(
        error.to_string(),
        "one distribution has the dimensions m, k, the other k, m: write both in one order"
    );
    let others = Others::ENCODING.unwrap();
    assert!(from.exchange(&others).unwrap().is_identity());
    let converted = |to: &Encoding| Conversion::between(&from, to, 16, &gfx942);
    assert_eq!(converted(&to).unwrap_err(), error.into());
    assert!(converted(&others).is_ok());
    assert!(!exchange::<InOrder, Others>().is_through_lds());
}

/// The names that are compared are M, N, MN and K of a recipe, in the order of its parameters: as many dimensions double.
#[test]
fn names_of_recipes_are_those_of_their_dimensions() {
    let dimensions = ["M", "N", "MN", "K"];
    let number = |name: &&str| match *name {
        "M" | "N" | "MN" => 128,
        "K" => 64,
        "KPack" | "VectorSize" | "Padding" => 8,
        "Warps" => 4,
        "BlockSize" => 256,
        "Buffer" => 0,
        "Every" => 256,
        "LinePacks" => 8,
        "MPerXdl" => 16,
        _ => 1,
    };
    let mut seen = Vec::new();
    for family in families::<F16>() {
        let named: Vec<_> = (0..family.parameters().len())
            .filter(|i| dimensions.contains(&family.parameters()[*i]))
            .collect();
        let numbers: Vec<u32> = family.parameters().iter().map(number).collect();
        let items: &[u32] = if family.list().is_some() { &[1, 2, 4] } else { &[] };
        let (Ok(plan), [first, second]) = (family.plan(&numbers, items), &named[..]) else {
            continue;
        };
        if plan.rank() != 2 {
            continue;
        }
        for (dimension, parameter) in [*first, *second].into_iter().enumerate() {
            let mut doubled = numbers.clone();
            doubled[parameter] *= 2;
            let Ok(other) = family.plan(&doubled, items) else { continue };
            let mut lengths = plan.lengths().as_slice().to_vec();
            lengths[dimension] *= 2;
            let is_turned = matches!(family.name(), "FmhaBwdXT" | "SplitKvCombineTransposed");
            if is_turned {
                lengths = plan.lengths().as_slice().to_vec();
                lengths[1 - dimension] *= 2;
            }
            assert_eq!(other.lengths().as_slice(), lengths, "{} {parameter}", family.name());
            seen.push(family.name());
        }
    }
    seen.dedup();
    assert!(seen.len() > 15, "{seen:?}");
}

/// Where the parameter of the second dimension comes first, the names are exchanged.
#[test]
fn names_of_turned_recipes_are_exchanged() {
    layout! { type Turned = recipe::SplitKvCombineTransposed<F32, M<64>, N<64>, KPack<4>>; }
    distribution! {
        type Right: n [row 64], m [again 64]; lane (row), thread (again);
        type Wrong: m [row 64], n [again 64]; lane (row), thread (again);
    }
    let verdict = |wrong: bool| match wrong {
        true => Turned::verdict::<Wrong>(&gfx942::ds_read_b32).map(|_| ()),
        false => Turned::verdict::<Right>(&gfx942::ds_read_b32).map(|_| ()),
    };
    assert_eq!(
        verdict(true).unwrap_err(),
        AccessError::Names { distribution: ["m", "n"], tile: ["N", "M"] }
    );
    assert_eq!(verdict(false), Ok(()));
}

/// `smem_ptr[16b]` is of elements of 16 bits.
#[test]
fn a_pointer_is_of_elements_of_its_width() {
    let tile = cute::parse("Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)").unwrap();
    let row = &gfx942::ds_read_b128;
    assert_eq!(tile.verdict(F16, MfmaRows::<16>, row).unwrap().degree(), 1);
    assert_eq!(
        tile.verdict(F32, MfmaRows::<16>, row).unwrap_err().to_string(),
        "the layout is of elements of 16 bits, but F32 has 32",
    );
    // Without a pointer the swizzle counts elements, unless the user says bytes.
    let text = cute::parse("S<3,4,3> o 0 o (128,64):(64,1)").unwrap();
    assert_eq!(text.verdict(F16, MfmaRows::<16>, row).unwrap().degree(), 2);
    let in_bytes = text.in_bytes_of(16).unwrap();
    assert_eq!(in_bytes.verdict(F16, MfmaRows::<16>, row).unwrap().degree(), 1);
    assert_eq!(in_bytes.to_plan(), tile.to_plan());
    assert!(
        in_bytes.in_bytes_of(32).is_err() && in_bytes.verdict(F8, MfmaRows::<16>, row).is_err()
    );
}

/// Rows of two chips in one question.
#[test]
fn rows_are_of_one_chip() {
    use tiledesc::direct::Fill;
    use tiledesc::recipe::Shape;
    use tiledesc::search::{SynthesisError, Use};
    let rows = [&gfx942::ds_write_b128, &gfx950::ds_read_b128];
    let held = tiledesc_host::conversion::Held::from_encoding(&InOrder::ENCODING.unwrap()).unwrap();
    let error = Conversion::by(&held, &held, 16, rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the instructions are of gfx942 and gfx950, but a conversion is on one chip"
    );
    let read =
        |row| Use::new(Lanes::rows(16), row).filled_by(Fill::by(&gfx950::global_load_lds_b128, 4));
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    assert!(tile.synthesize(&[read(&gfx950::ds_read_b128)]).is_ok());
    let error = tile.synthesize(&[read(&gfx942::ds_read_b128)]).unwrap_err();
    assert_eq!(error, SynthesisError::OtherChip { access: 1, chip: "gfx942", fill: "gfx950" });
    assert_eq!(
        error.to_string(),
        "access 1: it is of gfx942, but the tile is filled by a direct load of gfx950"
    );
    // The best of one chip may be what another lacks.
    type Fp8 = warp_gemm::A<Sm90, F8, U16, U8, U32>;
    let rows = Plan::packed(&[16, 32]).unwrap();
    let says = "the operand is of mma.m16n8k32.f32.e4m3.e4m3.f32, which sm_80 lacks; sm_89, sm_90, sm_100, sm_103, \
                sm_120, sm_121 have it";
    let verdict =
        |row| rows.verdict(F8, Of::<Fp8>(PhantomData), row).map(|verdict| verdict.degree());
    assert_eq!(verdict(&sm_80::ldmatrix_x4).unwrap_err().to_string(), says);
    assert!(verdict(&sm_90::ldmatrix_x4).is_ok());
}

/// A figure of a layout that knows its element.
#[test]
fn figures_are_of_the_element_of_the_layout() {
    let named = Named::default().figure().of_bits(32).ladder(&gfx942::ds_read_b128);
    assert_eq!(
        named.unwrap_err().to_string(),
        "the layout is of elements of 16 bits, but the figure of 32"
    );
}
