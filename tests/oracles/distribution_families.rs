//! Families of distributions: fetches, operands of matrix instructions, one around another.
//!
//! | promise | against |
//! |---|---|
//! | fetches and operands are CK Tile's | its tables `dist_*`, coordinate by coordinate |
//! | operands of `mma` are Triton's | bases that Triton 3.9 computed |
//! | each coordinate is held by as many lanes as there are copies | all lanes, tried |
//! | one around another | the coordinate of the outer, times the inner lengths, plus that of the inner |
//! | reduced, sliced, shuffled | what each lane held before |

use proptest::prelude::*;
use std::collections::BTreeMap;
use support::naturals;
use tiledesc::List;
use tiledesc::distribution::{
    BlockRaked, Distribution, Encoding, Shuffled, ThreadRaked, WarpRaked, Within,
};
use tiledesc::matrix::{mfma, mma, wmma};
use tiledesc::prelude::*;
use tiledesc_host::exchange::triton::Registers;

/// The encoding of a table of CK Tile's.
fn ck(name: &str) -> Encoding {
    let json = &support::committed(name).json["encoding"];
    let lists = |field: &str| -> Vec<Vec<u32>> {
        json[field].as_array().unwrap().iter().map(naturals).collect()
    };
    let all = [lists("hs"), lists("ps_major"), lists("ps_minor")];
    let [hs, major, minor] =
        all.each_ref().map(|lists| lists.iter().map(Vec::as_slice).collect::<Vec<&[u32]>>());
    let ys = [naturals(&json["ys_major"]), naturals(&json["ys_minor"])];
    Encoding::ck(&naturals(&json["rs"]), &hs, (&major, &minor), (&ys[0], &ys[1])).unwrap()
}

/// Whether both have the same numbers, and the same coordinate for each.
fn same<T: Distribution>(name: &str) {
    let (ours, theirs) = (T::ENCODING.unwrap_or_else(|fault| panic!("{name}: {fault}")), ck(name));
    let numbers = |of: &Encoding| [of.waves(), of.lanes(), of.elements(), of.replicas()];
    assert_eq!(numbers(&ours), numbers(&theirs), "{name}");
    assert_eq!(ours.lengths(), theirs.lengths(), "{name}");
    for (wave, lane, element) in all(&ours) {
        let [one, other] = [&ours, &theirs].map(|of| of.coordinate(wave, lane, element));
        assert_eq!(one, other, "{name}: ({wave}, {lane}, {element})");
    }
}

fn all(of: &Encoding) -> impl Iterator<Item = (u32, u32, u32)> {
    let (waves, lanes, elements) = (of.waves(), of.lanes(), of.elements());
    (0..waves)
        .flat_map(move |w| (0..lanes).flat_map(move |l| (0..elements).map(move |e| (w, l, e))))
}

distribution! {
    /// 2 x 2 waves, each of 2 instructions along m and 4 along k: A of the block.
    type WavesOfA:
        m [again 2, wave 2], k [deep 4];
        repeat [n 2], wave (wave, n), thread (again, deep);
    /// The same of B: 4 along n, 2 along k.
    type WavesOfB:
        n [again 4, wave 2], k [deep 2];
        repeat [m 2], wave (m, wave), thread (again, deep);
}

#[test]
fn ck_tiles_tables() {
    same::<ThreadRaked<U128, U64, U8, U4>>("dist_copy_thread_raked_b256_128x64_v8");
    same::<WarpRaked<U128, U32, U8, U4>>("dist_copy_warp_raked_b256_128x32_v8");
    same::<BlockRaked<U64, U64, U4, U4>>("dist_copy_block_raked_b256_64x64_v4");
    // Fetched as 64 rows of 128, stored as 128 of 64.
    same::<Shuffled<ThreadRaked<U64, U128, U8, U4>>>(
        "dist_copy_thread_raked_shuffled_b256_64x128_v8",
    );
    same::<mfma::F16_16x16x16::A>("dist_mfma_f16_16x16x16_A");
    same::<mfma::F16_16x16x16::C>("dist_mfma_f16_16x16x16_C");
    same::<mfma::F16_32x32x8::A>("dist_mfma_f16_32x32x8_A");
    same::<mfma::F16_32x32x8::B>("dist_mfma_f16_32x32x8_B");
    same::<mfma::F16_32x32x8::C>("dist_mfma_f16_32x32x8_C");
    same::<mfma::F16_32x32x8::Ct>("dist_mfma_f16_32x32x8_ct_C");
    same::<mfma::F8F6F4_16x16x128::B>("dist_mfma_fp8_16x16x128_B");
    same::<mfma::F8_32x32x16::A>("dist_mfma_fp8_32x32x16_A");
    same::<mfma::SwizzledB<U32, U16, U4>>("dist_mfma_f16_32x32x16_swizzleB_ct_B");
    same::<mfma::Repeated<U4, U16>>("dist_mfma_f16_4x64x16_A");
    same::<mfma::F16_4x64x16::A>("dist_mfma_f16_4x64x16_A");
    same::<Within<WavesOfA, mfma::F16_32x32x16::A>>("dist_block_A_128x64_2x2warps_32x32x16");
    same::<Within<WavesOfB, mfma::F16_16x16x32::B>>("dist_block_B_128x64_2x2warps_16x16x32");
}

/// Parameters of CK Tile's sources that no table has, as they stand there: factors of length 1
/// included (`warp_gemm_attribute_mfma.hpp`, several blocks and SwizzleB; `WmmaTraitsBase`).
#[test]
fn ck_tiles_sources() {
    type Hs<'a> = [&'a [u32]; 2];
    fn same<T: Distribution>(rs: &[u32], hs: Hs<'_>, p: Hs<'_>, y: Hs<'_>) {
        let theirs = Encoding::ck(rs, &hs, (&[p[0]], &[p[1]]), (y[0], y[1])).unwrap();
        let ours = T::ENCODING.unwrap();
        let numbers = |of: &Encoding| [of.waves(), of.lanes(), of.elements(), of.replicas()];
        assert_eq!(numbers(&ours), numbers(&theirs));
        for (wave, lane, element) in all(&ours) {
            let [one, other] = [&ours, &theirs].map(|of| of.coordinate(wave, lane, element));
            assert_eq!(one, other, "({wave}, {lane}, {element})");
        }
    }
    let (lane_1_2, along_1): (Hs<'_>, Hs<'_>) = ([&[1, 2], &[1, 0]], [&[1, 1], &[0, 2]]);
    let (lane_2_1, along_2): (Hs<'_>, Hs<'_>) = ([&[2, 1], &[1, 0]], [&[2, 2], &[0, 2]]);
    let (blocks, pack): (Hs<'_>, Hs<'_>) = ([&[1, 2, 1], &[0, 0, 1]], [&[2], &[1]]);
    same::<mfma::F16_4x64x16::B>(&[], [&[16, 4], &[1, 16]], blocks, pack);
    same::<mfma::F16_4x64x16::C>(&[], [&[1, 1, 4], &[64]], lane_1_2, along_1);
    same::<mfma::F16_64x4x16::A>(&[], [&[16, 4], &[1, 16]], blocks, pack);
    same::<mfma::F16_64x4x16::B>(&[16], [&[4], &[1, 16]], [&[0, 2, 1], &[0, 0, 0]], pack);
    same::<mfma::F16_64x4x16::C>(&[], [&[1, 16, 4], &[4]], lane_1_2, along_1);
    same::<mfma::SwizzledC<U32, U32>>(&[], [&[32], &[2, 2, 8]], lane_2_1, along_2);
    let copied: Hs<'_> = [&[0, 2, 1], &[0, 1, 0]];
    same::<wmma::gfx11::Operand>(&[2], [&[16], &[1, 1, 16]], copied, along_2);
    same::<wmma::gfx11::C>(&[], [&[8, 2, 1], &[16]], lane_1_2, along_1);
    same::<wmma::gfx12::Operand<U16>>(&[1], [&[16], &[1, 2, 8]], lane_2_1, along_2);
    same::<wmma::gfx12::C>(&[], [&[1, 2, 8], &[16]], lane_1_2, along_1);
}

/// Triton's bases of `#ttg.dot_op` and `#ttg.nvidia_mma` of version 2, warpsPerCTA [2, 2], fp16,
/// from its conversions of 64x64; operand 1 is k by n there.
#[test]
fn tritons_operands() {
    distribution! {
        type OfA: m [again 2, warp 2], k [deep 4];
            repeat [n 2], wave (warp, n), thread (again, deep);
        type OfB: n [again 4, warp 2], k [deep 4];
            repeat [m 2], wave (m, warp), thread (again, deep);
        type OfC: m [down 2, row 2], n [again 4, column 2];
            wave (row, column), thread (down, again);
    }
    fn bases<T: Distribution>() -> String {
        Registers::from_encoding(&T::ENCODING.unwrap()).unwrap().to_string()
    }
    assert_eq!(
        bases::<Within<OfA, mma::A<U16, U2>>>(),
        "register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32], [32, 0]], \
         lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 0], [16, 0]]",
    );
    // Triton holds k before n: register = [[1, 0], [8, 0], [16, 0], [32, 0], [0, 16], [0, 32]].
    assert_eq!(
        bases::<Within<OfB, mma::B<U16, U2>>>(),
        "register = [[0, 1], [0, 8], [0, 16], [0, 32], [16, 0], [32, 0]], \
         lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [0, 0]]",
    );
    assert_eq!(
        bases::<Within<OfC, mma::C>>(),
        "register = [[0, 1], [8, 0], [0, 16], [0, 32], [32, 0]], \
         lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[0, 8], [16, 0]]",
    );
}

/// Each coordinate by as many lanes as there are copies.
fn covers<T: Distribution>(lengths: [u32; 2], [lanes, elements, copies]: [u32; 3]) {
    let encoding = T::ENCODING.unwrap();
    assert_eq!(encoding.lengths(), lengths);
    assert_eq!(
        [encoding.lanes(), encoding.elements(), encoding.replicas()],
        [lanes, elements, copies]
    );
    let mut held = BTreeMap::<Vec<u32>, u32>::new();
    for (wave, lane, element) in all(&encoding) {
        let at = encoding.coordinate(wave, lane, element).unwrap();
        *held.entry(at.as_slice().to_vec()).or_default() += 1;
    }
    assert_eq!(held.len() as u32, lengths[0] * lengths[1]);
    assert!(held.values().all(|times| *times == copies));
}

#[test]
fn operands_cover_their_tiles() {
    macro_rules! mfma {
        ($($Name:ident $mn:literal $k:literal;)*) => {$(
            covers::<mfma::$Name::A>([$mn, $k], [64, $mn * $k / 64, 1]);
            covers::<mfma::$Name::B>([$mn, $k], [64, $mn * $k / 64, 1]);
            covers::<mfma::$Name::C>([$mn, $mn], [64, $mn * $mn / 64, 1]);
            covers::<mfma::$Name::Ct>([$mn, $mn], [64, $mn * $mn / 64, 1]);
        )*};
    }
    mfma! {
        F32_32x32x2 32 2; F32_16x16x4 16 4; F16_32x32x8 32 8; F16_16x16x16 16 16;
        F16_32x32x16 32 16; F16_16x16x32 16 32; BF16_32x32x8 32 8; BF16_16x16x16 16 16;
        BF16_32x32x16 32 16; BF16_16x16x32 16 32; F8_32x32x16 32 16; F8_16x16x32 16 32;
        F8F6F4_32x32x64 32 64; F8F6F4_16x16x128 16 128;
    }
    covers::<mfma::F16_4x64x16::A>([4, 16], [64, 16, 16]);
    covers::<mfma::F16_4x64x16::B>([64, 16], [64, 16, 1]);
    covers::<mfma::F16_4x64x16::C>([4, 64], [64, 4, 1]);
    covers::<mfma::F16_64x4x16::B>([4, 16], [64, 16, 16]);
    covers::<mfma::F16_64x4x16::C>([64, 4], [64, 4, 1]);
    covers::<mfma::SwizzledB<U32, U16, U4>>([32, 16], [64, 8, 1]);
    covers::<mfma::SwizzledC<U32, U32>>([32, 32], [64, 16, 1]);
    covers::<mfma::Repeated<U4, U16>>([4, 16], [64, 16, 16]);
    covers::<wmma::gfx11::Operand>([16, 16], [32, 16, 2]);
    covers::<wmma::gfx11::C>([16, 16], [32, 8, 1]);
    covers::<wmma::gfx12::Operand<U16>>([16, 16], [32, 8, 1]);
    covers::<wmma::gfx12::Operand<U32>>([16, 32], [32, 16, 1]);
    covers::<wmma::gfx12::C>([16, 16], [32, 8, 1]);
    covers::<mma::A<U16, U2>>([16, 16], [32, 8, 1]);
    covers::<mma::A<U8, U2>>([16, 8], [32, 4, 1]);
    covers::<mma::A<U8, U1>>([16, 8], [32, 4, 1]);
    covers::<mma::A<U32, U4>>([16, 32], [32, 16, 1]);
    covers::<mma::B<U16, U2>>([8, 16], [32, 4, 1]);
    covers::<mma::B<U32, U4>>([8, 32], [32, 8, 1]);
    covers::<mma::C>([16, 8], [32, 4, 1]);
    covers::<ThreadRaked<U128, U64, U8, U4>>([128, 64], [64, 32, 1]);
    // Waves of 32, 16 lanes a row; fewer elements a lane than a vector has.
    covers::<WarpRaked<Lit<24>, U64, U4, U2, U32>>([24, 64], [32, 24, 1]);
    covers::<BlockRaked<U16, U32, U8, U4>>([16, 32], [64, 2, 1]);
}

#[test]
fn refusals_say_why() {
    fn said<T: Distribution>() -> String {
        T::ENCODING.unwrap_err().to_string()
    }
    // 128 vectors a row for 64 lanes; a tile of 100 rows for 4 waves of 8.
    assert_eq!(
        said::<ThreadRaked<U64, Lit<1024>, U8, U4>>(),
        "factor \"row\" of y has no length: lanes of a wave = 64 is not a multiple of vectors of a row = 128",
    );
    assert_eq!(
        said::<ThreadRaked<Lit<100>, U64, U8, U4>>(),
        "factor \"again\" of y has no length: rows = 100 is not a multiple of rows at once = 32",
    );
    distribution! { type Line: x [wave 4]; wave (wave); }
    assert_eq!(
        said::<Within<Line, mfma::F16_32x32x8::A>>(),
        "a distribution of 1 dimensions cannot surround one of 2",
    );
    assert_eq!(
        said::<mfma::Operand<U32, Lit<3>>>(),
        "factor \"pack\" of k has no length: 96 is not a multiple of 64"
    );
    let a = mfma::F16_32x32x16::A::ENCODING.unwrap();
    let part = |begin, end| a.slice(1, begin, end).map(|_| ()).unwrap_err().to_string();
    assert_eq!(part(0, 8), "the slice [0, 8) of k would split lanes");
    assert_eq!(part(4, 4), "slice: its end 4 is not greater than its begin 4");
    assert_eq!(part(8, 17), "index 16 is out of range: dimension 1 has length 16");
    let other = "dimension 2 does not exist: there are 2 dimensions";
    assert_eq!(a.slice(2, 0, 1).unwrap_err().to_string(), other);
    assert_eq!(a.reduced(2).unwrap_err().to_string(), other);
    let block = Within::<WavesOfA, mfma::F16_32x32x16::A>::ENCODING.unwrap();
    let third = block.slice(1, 32, 48).unwrap();
    assert_eq!(
        (third.encoding.lengths(), third.origin),
        (List::new(&[128, 16]), List::new(&[0, 2, 0]))
    );
    assert_eq!(
        block.slice(1, 16, 64).unwrap_err().to_string(),
        "the slice [16, 64) of k would split lanes"
    );
    type Bad = ThreadRaked<U64, Lit<1024>, U8, U4>;
    let bad = said::<Bad>();
    assert!(
        bad.ends_with("lanes of a wave = 64 is not a multiple of vectors of a row = 128"),
        "{bad}"
    );
    assert_eq!([said::<Within<WavesOfA, Bad>>(), said::<Shuffled<Bad>>()], [&bad[..]; 2]);
}

/// Two dimensions of up to two factors each, and a repetition, for each of the owners.
fn small() -> impl Strategy<Value = Encoding> {
    let factors = || prop::collection::vec((1u32..=3, 0usize..3), 1..=2);
    (factors(), factors(), 1u32..=2, any::<bool>()).prop_map(|(m, k, copies, in_wave)| {
        let mut owners = [const { (Vec::new(), Vec::new()) }; 3];
        for (major, list) in [(1, &m), (2, &k)] {
            for (minor, (_, owner)) in (0..).zip(list) {
                owners[*owner].0.push(major);
                owners[*owner].1.push(minor);
            }
        }
        let copied = usize::from(!in_wave);
        owners[copied].0.push(0);
        owners[copied].1.push(0);
        let lengths = |list: &[(u32, usize)]| list.iter().map(|at| at.0).collect::<Vec<u32>>();
        let [wave, lane, thread] = &owners;
        Encoding::ck(
            &[copies],
            &[&lengths(&m), &lengths(&k)],
            (&[&wave.0, &lane.0], &[&wave.1, &lane.1]),
            (&thread.0, &thread.1),
        )
        .unwrap()
    })
}

proptest! {
    #[test]
    fn one_around_another(outer in small(), inner in small()) {
        let both = outer.around(&inner).unwrap();
        prop_assert_eq!(both.replicas(), outer.replicas() * inner.replicas());
        let lengths = inner.lengths();
        for (w0, l0, e0) in all(&outer) {
            for (w1, l1, e1) in all(&inner) {
                let numbers = [
                    w0 * inner.waves() + w1,
                    l0 * inner.lanes() + l1,
                    e0 * inner.elements() + e1,
                ];
                let ours = both.coordinate(numbers[0], numbers[1], numbers[2]).unwrap();
                let (far, near) =
                    (outer.coordinate(w0, l0, e0).unwrap(), inner.coordinate(w1, l1, e1).unwrap());
                for d in 0..2 {
                    prop_assert_eq!(ours.at(d), far.at(d) * lengths.at(d) + near.at(d));
                }
            }
        }
    }

    /// Summed up over a dimension, each lane holds the other indices that it held, each once.
    #[test]
    fn reduced(encoding in small(), dimension in 0usize..2) {
        let reduced = encoding.reduced(dimension).unwrap();
        prop_assert_eq!([reduced.waves(), reduced.lanes()], [encoding.waves(), encoding.lanes()]);
        let mut sums = BTreeMap::<(u32, u32), Vec<u32>>::new();
        for (wave, lane, element) in all(&encoding) {
            let at = encoding.coordinate(wave, lane, element).unwrap().at(1 - dimension);
            let held = sums.entry((wave, lane)).or_default();
            if !held.contains(&at) {
                held.push(at);
            }
        }
        for ((wave, lane), mut held) in sums {
            let ours = |element| reduced.coordinate(wave, lane, element).unwrap().at(0);
            let mut ours: Vec<u32> = (0..reduced.elements()).map(ours).collect();
            ours.sort_unstable();
            held.sort_unstable();
            prop_assert_eq!(ours, held);
        }
    }

    /// A slice holds exactly what its lanes hold of those indices, at its origin; the whole is one.
    #[test]
    fn slices(encoding in small(), dimension in 0usize..2, from in 0u32..9, to in 1u32..10) {
        let length = encoding.lengths().at(dimension);
        let (begin, end) = (from % length, from % length + 1 + to % (length - from % length));
        let Ok(slice) = encoding.slice(dimension, begin, end) else {
            prop_assert!(end - begin < length);
            return Ok(());
        };
        let (part, ys) = (slice.encoding, slice.encoding.ys());
        prop_assert_eq!(part.lengths().at(dimension), end - begin);
        prop_assert_eq!([part.waves(), part.lanes()], [encoding.waves(), encoding.lanes()]);
        for (wave, lane, element) in all(&part) {
            let mut y = ys.nth(u64::from(element));
            for i in 0..ys.len() {
                y = y.with(i, y.at(i) + slice.origin.at(i));
            }
            let whole = slice.whole.element(y.as_slice()).unwrap();
            let at = part.coordinate(wave, lane, element).unwrap();
            let moved = at.with(dimension, at.at(dimension) + begin);
            prop_assert_eq!(encoding.coordinate(wave, lane, whole).unwrap(), moved);
        }
    }

    /// Where a lane holds all of a dimension, neighbour after neighbour, any part of it that ends where such parts
    /// end is a slice, whatever the factors.
    #[test]
    fn slices_of_neighbours(lengths in prop::collection::vec(1u32..5, 1..4), part in 1u32..25, at in 0u32..24) {
        let length: u32 = lengths.iter().product();
        let part = (part..=length).find(|part| length.is_multiple_of(*part)).unwrap_or(length);
        let begin = at % (length / part) * part;
        let majors: Vec<u32> = lengths.iter().map(|_| 2).collect();
        let minors: Vec<u32> = (0..lengths.len() as u32).collect();
        let (rows, columns) = ([4], &lengths[..]);
        let hs = [&rows[..], columns];
        let encoding = Encoding::ck(&[], &hs, (&[&[1]], &[&[0]]), (&majors, &minors)).unwrap();
        let slice = encoding.slice(1, begin, begin + part).unwrap();
        prop_assert_eq!(slice.encoding.lengths(), [4, part]);
        let first = slice.whole.element(slice.origin.as_slice()).unwrap();
        for (lane, element) in (0..4).flat_map(|lane| (0..part).map(move |element| (lane, element))) {
            prop_assert_eq!(slice.encoding.coordinate(0, lane, element).unwrap(), [lane, element]);
            prop_assert_eq!(encoding.coordinate(0, lane, first + element).unwrap(), [lane, begin + element]);
        }
    }

    /// Shuffled, the indices stand in the other order, and so do the thread's digits.
    #[test]
    fn shuffled(encoding in small()) {
        let shuffled = encoding.shuffled().unwrap();
        let ys = encoding.ys();
        prop_assert_eq!(shuffled.ys(), ys.reverse());
        for (wave, lane, element) in all(&encoding) {
            let turned = ys.nth(u64::from(element)).reverse();
            let turned = shuffled.element(turned.as_slice()).unwrap();
            let at = shuffled.coordinate(wave, lane, turned).unwrap();
            prop_assert_eq!(at, encoding.coordinate(wave, lane, element).unwrap().reverse());
        }
        prop_assert_eq!(shuffled.shuffled(), Ok(encoding));
    }
}
