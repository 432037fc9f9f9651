//! Linear maps: what columns prove, compared with what counting finds.
//!
//! | test | promise |
//! |---|---|
//! | `recipes_are_their_columns` | the columns and the fused code give every offset of every recipe that is linear, and the inverse every coordinate |
//! | `fused_without_powers_of_two` | so does fused code for lengths that are not powers of two |
//! | `fused_everywhere` | and fused code for padded, frozen, folded, reversed tiles of many sizes |
//! | `fused_masks` | and fused code for rows whose bits flip any bits of the packs |
//! | `random maps` | rank, image, kernel, inverse, composition, restriction, compared with a table of all images |
//! | `composed_differently` | two compositions of the same layout have the same map |

use proptest::prelude::*;
use std::collections::BTreeSet;
use tiledesc::prelude::*;
use tiledesc::recipe::Buffer;
use tiledesc::recipe::{
    GemmXor, GemmXor64, GemmXorLayer, K, M, MN, N, RowMajor as Rows, XorPreshuffle,
};
use tiledesc::transforms::{Basis, OfRank, Rank};
use tiledesc::{Error, Op};
use tiledesc::{Linear, List};
use tiledesc_host::emit::{Expression, TEXT};

/// A plan, its map, the map back, and the fused code: the same at every coordinate.
#[track_caller]
fn agree(name: &str, plan: &Plan, fused: impl Fn([u32; 2]) -> u32) {
    let map = plan.linear().unwrap_or_else(|error| panic!("{name}: {error}"));
    let back = map.inverse().unwrap_or_else(|| panic!("{name} overlaps"));
    assert_eq!(u64::from(map.rank()), u64::from(plan.elements().ilog2()), "{name}");
    for id in 0..plan.elements() {
        let index = plan.nth(id);
        let offset = plan.offset(index.as_slice()).unwrap();
        assert_eq!(map.apply(id as u32), offset, "{name}: {index:?}");
        assert_eq!(fused([index.at(0), index.at(1)]), offset, "{name}: fused {index:?}");
        assert_eq!(u64::from(back.apply(offset)), id, "{name}: back from {offset}");
    }
}

#[test]
fn recipes_are_their_columns() {
    macro_rules! recipes {
        ($($Recipe:ty),+ $(,)?) => {
            $(agree(stringify!($Recipe), &<$Recipe>::PLAN, <$Recipe>::at);)+
        };
    }
    recipes! {
        Rows<F16, M<128>, K<64>>,
        recipe::RowPad<F16, M<128>, K<64>, Padding<64>>,
        recipe::CShuffleColumn<F16, M<32>, N<64>>,
        recipe::GemmDsReadTr<F16, K<32>, MN<128>>,
        recipe::BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>>,
        XorPreshuffle<F16, M<128>, K<64>, KPack<8>>,
        XorPreshuffle<F32, M<32>, K<32>, KPack<1>>,
        GemmXor<F16, M<128>, K<64>, KPack<8>>,
        GemmXor<F16, M<64>, K<32>, KPack<8>>,
        GemmXor<F16, M<64>, K<16>, KPack<8>>,
        GemmXor<F8, M<64>, K<32>, KPack<16>>,
        GemmXor64<F16, M<64>, K<32>, KPack<8>>,
        GemmXorLayer<F16, M<64>, K<32>, KPack<8>, MLdsLayer<1>>,
        recipe::GemmAsync<F16, M<128>, K<64>, KPack<8>>,
        recipe::FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<2>>,
        recipe::MoeBridge<F16, Rep<2>, Rep<2>, Warps<4>>,
        recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>,
    }
}

/// Bits suffice for lengths in the middle, and other index types.
#[test]
fn fused_without_powers_of_two() {
    type Odd = XorPreshuffle<F16, M<96>, K<64>, KPack<8>>;
    type Wide = GemmXor<F16, M<48>, K<32>, KPack<8>>;
    for (row, column) in (0..96).flat_map(|row| (0..64).map(move |column| (row, column))) {
        let (odd, wide) = (Odd::PLAN.offset(&[row, column]), Wide::PLAN.offset(&[row, column]));
        assert_eq!(Ok(Odd::at([row, column])), odd);
        assert_eq!(Odd::at([u64::from(row), u64::from(column)]) as u32, odd.unwrap());
        if row < 48 && column < 32 {
            assert_eq!(Ok(Wide::at([row, column])), wide);
        }
    }
    // A base: added where its bits are free, xor-ed to nothing else.
    type Based = Layout<F16, tiledesc::NaiveWithOffset<seq![8, 8], seq![8, 1], Lit<64>>>;
    assert_eq!((Based::at([1u32, 1]), Based::at([7u32, 7])), (73, 127));
}

/// Every offset of a type, fused, against its plan.
#[track_caller]
fn fused_is_the_plan<D: Descriptor + Default, const R: usize>(name: &str)
where
    D::Rank: Rank<Array<u32> = [u32; R]>,
    [u32; R]: OfRank<<D::Rank as Rank>::Dimensions>,
    [u64; R]: OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = D::PLAN.unwrap_or_else(|error| panic!("{name}: {error}"));
    for index in (0..plan.elements()).map(|id| plan.nth(id)) {
        let at: [u32; R] = D::Rank::array(index.as_slice()).unwrap();
        let offset = plan.offset(&at).unwrap();
        assert_eq!(D::default().at(at), offset, "{name}: {at:?}");
        // Nothing wraps around that a wider index would keep.
        let wide = D::default().at(at.map(u64::from));
        assert_eq!(wide, u64::from(offset), "{name}: {at:?} in 64 bits");
    }
}

descriptor! {
    /// A padded base below a swizzle: digits of strides 72 and 1.
    type PaddedXor<K, M, P>:
        naive [M, K/P, P] strides [K + P, P, 1];
        xor[M, K/P] (0, 1) -> (0, 1),   pass[P] (2) -> (2);
        pass[M] (0) -> (0),             merge[K/P, P] (1, 2) -> (1);
    /// The chunk is what is padded and xor-ed: a cluster under a stride of 1032.
    type PaddedChunks<K, M, P>:
        naive [K/P, M, P] strides [M*P + P, P, 1];
        xor[M, K/P] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        pass[M] (1) -> (0),             merge[K/P, P] (0, 2) -> (1);
    /// One row of a padded tile.
    type Row<I>:
        naive [8, 16] strides [24, 1];
        freeze[I] (0) -> (),   pass[16] (1) -> (0);
    /// A row that is never asked for: the key is a constant, xor-ed with the chunk.
    type FrozenRow<K, M, P>:
        packed [M, K/P, P];
        xor[M, K/P] (0, 1) -> (0, 1),   pass[P] (2) -> (2);
        freeze[M - 3] (0) -> (),        merge[K/P, P] (1, 2) -> (0);
    /// The same over padding: its constant meets the bits of a digit that is not all.
    type FrozenPadded<K, M, P>:
        naive [M, K/P, P] strides [K + P, 3*P, 1];
        xor[M, K/P] (0, 1) -> (0, 1),   pass[P] (2) -> (2);
        freeze[M - 3] (0) -> (),        merge[K/P, P] (1, 2) -> (0);
    /// Two swizzles in series, and rows that wrap around.
    type Twice<K, M, P>:
        naive [M, K/P, P] strides [K, P, 1];
        xor[M, K/P] (0, 1) -> (0, 1),   pass[P] (2) -> (2);
        xor[K/P, M] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
        modulo[M, 4*M] (0) -> (0),      merge[K/P, P] (1, 2) -> (1);
    /// Bits in reverse, in pairs that are xor-ed: 18 terms, more than are fused.
    type Reversed:
        packed [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
        xor[2, 2] (0, 1) -> (0, 1),     xor[2, 2] (2, 3) -> (2, 3),     xor[2, 2] (4, 5) -> (4, 5),
        xor[2, 2] (6, 7) -> (6, 7),     xor[2, 2] (8, 9) -> (8, 9),     xor[2, 2] (10, 11) -> (10, 11);
        merge[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] (11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0) -> (0);
}
descriptor! {
    /// Rows and chunks that are each other's key: layers are needed twice, behind each
    /// other.
    type BothWays:
        naive [8, 4] strides [6152, 2048];
        xor[4, 8] (1, 0) -> (0, 1);
        insert[3] () -> (0),              xor[8, 4] (1, 0) -> (1, 2);
        unmerge[2, 2] (2) -> (0, 1),      xor[3, 8] (0, 1) -> (3, 2);
    /// A quotient and its remainder in one index: nothing is left of the quotient's
    /// stride, less, more, or the remainder has bits above it.
    type Quotients<A, B>:
        naive [4, 4, 4] strides [16*B, A, B];
        merge[4, 4, 4] (0, 1, 2) -> (0);
    /// The same where the remainder, and the quotient, are in clusters of their own.
    type RemainderXored:
        naive [64, 8] strides [21, 3];
        xor[64, 8] (0, 1) -> (0, 1);
        merge[64, 8] (0, 1) -> (0);
    type QuotientXored:
        packed [16, 4, 2];
        pass[16] (0) -> (0),              xor[2, 4] (2, 1) -> (1, 2);
        xor[2, 16] (1, 0) -> (1, 0),      pass[4] (2) -> (2);
        merge[16, 2, 4] (0, 1, 2) -> (0);
    /// A base with an offset, which carries or does not.
    type Below<O>:
        naive [8, 16] strides [24, 1] offset O;
        pass[8] (0) -> (0),   unmerge[4, 4] (1) -> (1, 2);
}

/// Terms of every kind: padded, layered, shared, moved as a cluster, with constants that
/// are added and that are xor-ed, too many; and lengths that are not powers of two.
#[test]
fn fused_everywhere() {
    macro_rules! types {
        ($($Type:ty),+ $(,)?) => { $(fused_is_the_plan::<$Type, _>(stringify!($Type));)+ };
    }
    macro_rules! tiles {
        ($($Tile:ident)+) => { $(tiles! { @$Tile
            [U32 U64 U8] [U64 U32 U8] [U64 U16 U4] [U128 U8 U16] [U64 U48 U8] [U8 U16 U1] [U16 U64 U16]
        })+ };
        (@$Tile:ident $([$($n:ty)+])+) => { types! { $($Tile<$($n),+>),+ } };
    }
    type U48 = Lit<48>;
    tiles! { PaddedXor PaddedChunks FrozenRow FrozenPadded }
    types! {
        Twice<U32, U4, U8>, Twice<U64, U8, U8>, Twice<U128, U16, U4>,
        BothWays, RemainderXored, QuotientXored,
        Quotients<Lit<12>, Lit<3>>, Quotients<Lit<13>, Lit<3>>, Quotients<Lit<9>, Lit<3>>,
        Quotients<Lit<36>, Lit<5>>, Quotients<Lit<1>, Lit<3>>, Quotients<Lit<0>, Lit<3>>,
        Row<Lit<5>>, Reversed, Below<Lit<0>>, Below<Lit<64>>, Below<Lit<7>>, Below<Lit<1000>>,
        recipe::GemmV1Pad<F16, M<96>, K<32>>, recipe::FmhaK<F32, N<40>, K<32>>,
        recipe::GemmTdm<F16, M<64>, K<32>, Padding<8>>,
        recipe::FmhaKWholeK<F16, N<64>, K<32>, Buffers<2>>,
        recipe::FmhaV<F16, N<128>, K<32>, Buffers<2>, recipe::FmhaVSize<F16, N<128>, K<32>>>,
        recipe::MoeAStore<F16, M<32>, K<64>, Warps<4>>, recipe::MoeALoad<F16, M<32>, K<64>, Warps<4>>,
        recipe::FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, Buffer<1>, Lit<4608>>,
        recipe::FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<2>, Lit<4608>>,
        recipe::GemmColumnMajor<F16, MN<256>, K<32>, VectorSize<8>, MPerXdl<16>, BlockSize<256>>,
        recipe::GemmColumnMajor<F16, MN<64>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>,
        recipe::FmhaBwdXT<F16, KIter<2>, MN<64>, K<32>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<64>>,
        recipe::FmhaBwdX<F16, MN<64>, K<16>, KPack<4>, KIter<2>>,
        recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>,
        recipe::GemmXorBits<F8, M<96>, K<64>, KPack<4>, MLdsLayer<2>, seq![5, 0, 31, 8]>,
        recipe::GemmXorBits<F16, M<64>, K<64>, KPack<8>, MLdsLayer<1>, seq![5, 2, 4]>,
        recipe::GemmXorBits<F16, M<64>, K<128>, KPack<8>, MLdsLayer<1>, seq![9, 2, 12, 8]>,
        recipe::LinearPacks<F32, M<128>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>,
        recipe::LinearPacks<F16, M<64>, K<64>, KPack<8>, seq![8, 16, 33, 66, 4, 2, 1, 128, 256]>,
        GemmXor<F16, M<96>, K<32>, KPack<4>>, GemmXorLayer<F16, M<64>, K<32>, KPack<4>, MLdsLayer<8>>,
    }
}

#[test]
fn the_worked_example() {
    let map = <GemmXor<F16, M<128>, K<64>, KPack<8>>>::PLAN.linear().unwrap();
    let expected = [1, 2, 4, 8, 16, 32, 72, 144, 288, 512, 1024, 2048, 4096];
    assert_eq!((map.columns(), map.constant()), (&expected[..], 0));
    // The swizzle is its own inverse: the columns of both are the same.
    assert_eq!(map.inverse().unwrap().columns()[..13], expected);
}

/// Two compositions of the same layout have the same map; a layout that differs anywhere has
/// another.
#[test]
fn composed_differently() {
    let by_stages = <GemmXor<F16, M<128>, K<64>, KPack<8>>>::PLAN.linear();
    let by_chunks = <XorPreshuffle<F16, M<128>, K<64>, KPack<8>>>::PLAN.linear();
    assert_eq!(by_stages, by_chunks);
    assert_ne!(by_stages, <GemmXor64<F16, M<128>, K<64>, KPack<8>>>::PLAN.linear());
    // Rows, and the merge of what an unmerge took apart: 64 apart, and 72.
    for pitch in [64, 72] {
        let rows = Plan::naive(&[128, 64], &[pitch, 1]).unwrap();
        let (whole, eights) = (Op::PassThrough { length: 128 }, tiledesc::List::new(&[8, 8]));
        let apart = rows.transform(
            &[whole, Op::Unmerge { lengths: eights }],
            &[&[0], &[1]],
            &[&[0], &[1, 2]],
        );
        let together = apart.unwrap().transform(
            &[whole, Op::Merge { lengths: eights }],
            &[&[0], &[1, 2]],
            &[&[0], &[1]],
        );
        let together = together.unwrap();
        assert_eq!(together.linear(), rows.linear());
        assert_eq!(together.digits(), rows.digits());
        // Memory of three dimensions, of which two are seen as one.
        let memory = Plan::naive(&[128, 8, 8], &[pitch, 8, 1]).unwrap();
        let merge = [whole, Op::Merge { lengths: eights }];
        let merged = memory.transform(&merge, &[&[0], &[1, 2]], &[&[0], &[1]]).unwrap();
        assert_eq!(merged.digits(), rows.digits());
        assert_ne!(rows.digits(), Plan::naive(&[128, 64], &[pitch + 8, 1]).unwrap().digits());
        assert_ne!(rows.digits(), Plan::naive(&[64, 64], &[pitch, 1]).unwrap().digits());
    }
}

#[test]
fn what_is_not_linear() {
    let says = |plan: Result<Plan, Error>| plan.unwrap().linear().unwrap_err().to_string();
    assert_eq!(
        says(Plan::naive(&[128, 64], &[72, 1])),
        "the map is not linear over bits: it adds with a carry, pads or looks up",
    );
    assert_eq!(
        says(Plan::packed(&[4, 12])),
        "length 12 of dimension 1 is not a power of two (nearest: 8 and 16)",
    );
    // Two bottoms have two maps.
    let keep = [Op::PassThrough { length: 8 }, Op::PassThrough { length: 4 }];
    let two = Plan::adaptor(&keep, &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    assert!(two.digits().is_none() && two.linear().is_err());
    let many = Linear::new(&[0; 33], 0).unwrap_err().to_string();
    assert_eq!(many, "33 columns are too many: a map takes at most 32 bits");
    let map = Linear::new(&[1, 2], 0).unwrap();
    assert_eq!(
        map.restricted(&[2], 0).unwrap_err().to_string(),
        "bit 2 does not exist: the map has 2 bits"
    );
}

/// A base on bits that no column touches is a constant; else its sum has carries.
#[test]
fn a_base_is_a_constant_or_carries() {
    let based = Plan::naive_with_offset(&[8, 8], &[8, 1], 64).unwrap().linear().unwrap();
    assert_eq!((based.constant(), based.apply(9)), (64, 73));
    assert_eq!(based.inverse().unwrap().apply(73), 9);
    assert!(Plan::naive_with_offset(&[8, 8], &[8, 1], 63).unwrap().linear().is_err());
}

/// A tile that begins anywhere has columns exactly where its offsets, counted, are an xor of them.
#[test]
fn bases_that_carry_and_still_have_columns() {
    let half = Plan::naive_with_offset(&[16], &[1], 8).unwrap().linear().unwrap();
    assert_eq!((half.columns(), half.constant()), (&[1, 2, 4, 24][..], 8));
    descriptor! { type Half: packed [4, 4] offset 8; }
    let packed = <Layout<F16, Half>>::PLAN.linear().unwrap();
    assert_eq!((packed.columns(), packed.constant()), (&[1, 2, 4, 24][..], 8));
    let (mut with, mut without) = (0, 0);
    for (rows, columns) in (0..4).flat_map(|m| (0..4).map(move |k| (1u32 << m, 1u32 << k))) {
        let strides = [[columns, 1], [2 * columns, 1], [1, rows], [1, 4 * rows], [2, 2 * rows]];
        for ([first, second], base) in
            strides.into_iter().flat_map(|s| (0..150).map(move |b| (s, b)))
        {
            let plain = Plan::naive_with_offset(&[rows, columns], &[first, second], base).unwrap();
            let xor = Op::Xor { length0: rows, length1: columns };
            let swizzled = plain.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
            for plan in [plain, swizzled] {
                let elements = rows * columns;
                let offsets: Vec<u32> = (0..elements)
                    .map(|e| plan.offset(plan.nth(e.into()).as_slice()).unwrap())
                    .collect();
                let by_columns = |e: u32| {
                    let bits = (0..32).filter(|b| e >> b & 1 == 1);
                    bits.fold(offsets[0], |sum, b| sum ^ offsets[0] ^ offsets[1 << b])
                };
                let is_xor = (0..elements).all(|e| by_columns(e) == offsets[e as usize]);
                let what = format!("{rows}x{columns} by {first}, {second} from {base}");
                let Ok(map) = plan.linear() else {
                    assert!(!is_xor, "{what} is an xor of columns");
                    without += 1;
                    continue;
                };
                assert!(
                    (0..elements).all(|e| map.apply(e) == offsets[e as usize]),
                    "{what}: {map:?}"
                );
                with += 1;
            }
        }
    }
    println!("{with} have columns, {without} have none");
    assert!(with > 1000 && without > 1000, "{with} {without}");
}

/// A sub-tile: 16 rows and 32 columns of the swizzled tile, from row 32 and column 32.
#[test]
fn a_sub_tile_is_a_restriction() {
    let plan = <GemmXor<F16, M<128>, K<64>, KPack<8>>>::PLAN;
    let bits = [0, 1, 2, 3, 4, 6, 7, 8, 9];
    let part = plan.linear().unwrap().restricted(&bits, 32 * 64 + 32).unwrap();
    for (row, column) in (0..16).flat_map(|row| (0..32).map(move |column| (row, column))) {
        assert_eq!(Ok(part.apply(row * 32 + column)), plan.offset(&[32 + row, 32 + column]));
    }
}

fn span(basis: &Basis) -> BTreeSet<u32> {
    let all = 0..1u32 << basis.vectors().len();
    let chosen = |x: u32| basis.vectors().iter().enumerate().filter(move |(b, _)| x >> b & 1 == 1);
    all.map(|x| chosen(x).fold(0, |sum, (_, vector)| sum ^ vector)).collect()
}

fn maps() -> impl Strategy<Value = Linear> {
    // Few output bits, so that columns often depend on each other.
    let columns = (0..=8usize, 1..=10u32).prop_flat_map(|(inputs, bits)| {
        (proptest::collection::vec(0..1u32 << bits, inputs), any::<u32>())
    });
    columns.prop_map(|(columns, constant)| Linear::new(&columns, constant).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..Default::default() })]

    /// Rows and what their bits flip: fused, a shift for each distance, and a product for two.
    #[test]
    fn fused_masks(masks in prop::collection::vec(0u32..16, 1..6), pitch in 7u32..10, length in 3u32..33) {
        let xor = Op::XorBits { length0: length, length1: 16, masks: List::new(&masks) };
        let base = Plan::naive(&[length, 16], &[pitch * 16, 8]).unwrap();
        let plan = base.transform(&[xor], &[&[0, 1]], &[&[0, 1]]);
        // More masks than the rows have bits.
        prop_assume!(plan.is_ok());
        let plan = plan.unwrap();
        for index in (0..plan.elements()).map(|number| plan.nth(number)) {
            let index = index.as_slice();
            prop_assert_eq!(plan.fused(index, &0), plan.offset(index), "{:?} {:?}", plan, index);
        }
    }

    #[test]
    fn rank_image_and_kernel(map in maps()) {
        let all = 0..1u32 << map.inputs();
        let images: BTreeSet<u32> = all.clone().map(|x| map.apply(x) ^ map.constant()).collect();
        prop_assert_eq!(images.len(), 1 << map.rank());
        prop_assert_eq!(span(&map.image()), images);
        let silent: BTreeSet<u32> = all.filter(|x| map.apply(*x) == map.constant()).collect();
        prop_assert_eq!(span(&map.kernel()), silent);
        prop_assert_eq!(map.kernel().vectors().len() + map.rank() as usize, map.inputs());
    }

    #[test]
    fn inverse_leads_back(map in maps()) {
        let images: BTreeSet<u32> = (0..1u32 << map.inputs()).map(|x| map.apply(x)).collect();
        match map.inverse() {
            None => prop_assert!(images.len() < 1 << map.inputs()),
            Some(back) => {
                prop_assert_eq!(images.len(), 1 << map.inputs());
                for x in 0..1u32 << map.inputs() {
                    prop_assert_eq!(back.apply(map.apply(x)), x);
                }
                for image in images {
                    prop_assert_eq!(map.apply(back.apply(image)), image);
                }
            }
        }
    }

    #[test]
    fn composition_and_restriction(outer in maps(), inner in maps(), at in any::<u32>()) {
        let both = outer.after(&inner);
        for x in 0..1u32 << inner.inputs() {
            prop_assert_eq!(both.apply(x), outer.apply(inner.apply(x)));
        }
        let kept: Vec<usize> = (0..inner.inputs()).filter(|bit| bit % 3 != 1).rev().collect();
        let part = inner.restricted(&kept, at).unwrap();
        for x in 0..1u32 << kept.len() {
            let moved = kept.iter().enumerate().map(|(new, old)| (x >> new & 1) << old);
            let rest = kept.iter().fold(at, |rest, bit| rest & !(1 << bit));
            prop_assert_eq!(part.apply(x), inner.apply(moved.sum::<u32>() | rest));
        }
    }
}

/// Three 4-byte colours: 12 bytes, which is not a power of two.
#[derive(Clone, Copy)]
struct Rgb;
impl Element for Rgb {
    const BITS: u32 = 96;
    const NAME: &'static str = "rgb";
    type Storage = [u32; 3];
}

descriptor! {
    /// Row 3 of a swizzled tile: what is xor-ed with a constant is k, and not its bytes.
    type RowOfFour:
        naive [4, 8] strides [8, 1];
        xor[4, 8] (0, 1) -> (0, 1);
        freeze[3] (0) -> (),   pass[8] (1) -> (0);
}

#[test]
fn bytes_of_a_flipped_offset() {
    type Colours = Layout<Rgb, RowOfFour>;
    for k in 0..8u32 {
        assert_eq!(Colours::at([k]), 24 + (k ^ 3));
        assert_eq!(Colours::byte_at([k]), 12 * (24 + (k ^ 3)), "{k}");
    }
}

/// What a failed assertion about maps prints: the columns and vectors that there are.
#[test]
fn maps_are_printed() {
    let map = Linear::new(&[1, 2, 3], 4).unwrap();
    assert_eq!(format!("{map:?}"), "Linear { columns: [1, 2, 3], constant: 4 }");
    assert_eq!(format!("{:?} {:?}", map.image(), map.kernel()), "[1, 2] [7]");
    assert!(!map.kernel().is_empty() && !map.image().is_empty());
}

/// A remainder that is added to what its quotient makes is spared, unless the factor that is left
/// has more bits than the one before: 1032 - 8 is 1024, but 1024 - 8 is 1016.
#[test]
fn remainders_are_spared() {
    let text = |stride| {
        let rows = Plan::naive(&[16, 8], &[stride, 1]).unwrap();
        let merge = Op::Merge { lengths: List::new(&[16, 8]) };
        let plan = rows.transform(&[merge], &[&[0, 1]], &[&[0]]).unwrap();
        let k = Expression::coordinate(0, 128);
        TEXT.function("o", &["k"], &plan.fused(core::slice::from_ref(&k), &k).unwrap()).unwrap()
    };
    assert_eq!(text(1032), "o(k) = 1024 * (k div 8) + k");
    assert_eq!(text(1024), "o(k) = (k mod 8) + 1024 * (k div 8)");
}

/// Twelve indices of a bit are a term each, and one more for each of them that flips the next. 16
/// terms are fused, more are evaluated by stages.
#[test]
fn as_many_terms_as_there_are() {
    for flips in 2..=6usize {
        let mut ops = vec![Op::Xor { length0: 2, length1: 2 }; flips];
        ops.resize(12 - flips, Op::PassThrough { length: 2 });
        let pairs: Vec<Vec<u32>> = (0..flips as u32).map(|i| vec![2 * i, 2 * i + 1]).collect();
        let ids: Vec<Vec<u32>> =
            pairs.into_iter().chain((2 * flips as u32..12).map(|i| vec![i])).collect();
        let ids: Vec<&[u32]> = ids.iter().map(Vec::as_slice).collect();
        let plan = Plan::packed(&[2; 12]).unwrap().transform(&ops, &ids, &ids).unwrap();
        for number in 0..1u32 << 12 {
            let index: [u32; 12] = core::array::from_fn(|i| number >> (11 - i) & 1);
            let keys = (0..flips).fold(0, |keys, i| keys | 1 << (11 - 2 * i));
            let flipped = number ^ (number & keys) >> 1;
            assert_eq!(plan.fused(&index, &0), Ok(flipped), "{flips} flips, {index:?}");
        }
    }
}
