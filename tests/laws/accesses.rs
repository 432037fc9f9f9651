//! The accesses of a lane: every element once, at the byte where the layout has it.

use std::collections::BTreeSet;
use tiledesc::RankedTile;
use tiledesc::distribution::Encoding;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{access::Placed, chip::Instruction};

distribution! {
    /// Rows apart by waves: addresses are immediates of one.
    type Fetch:
        m [again 4, wave 4, row 8],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// Neighbouring rows: an xor each.
    type ThreadRaked:
        m [wave 4, row 8, again 4],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// The operand of 32x32x16 in two waves, four deep.
    type Operand:
        m [again 2, wave 2, row 32], k [deep 4, part 2, half 8];
        wave (wave), lane (part, row), thread (again, deep, half);
    /// The same of 192x96.
    type Deep:
        m [again 3, wave 2, row 32], k [deep 6, part 2, half 8];
        wave (wave), lane (part, row), thread (again, deep, half);
    /// 160 accesses, and rows of 512 bytes.
    type Long: m [again 160, row 4], k [part 16, half 8]; lane (row, part), thread (again, half);
    /// A pack of each of 96 rows.
    type Column: m [row 96], k [chunk 64, half 8]; lane (chunk), thread (row, half);
    /// A warp of 32, fp8.
    type Bytes: m [row 32], k [again 4, byte 16]; lane (row), thread (again, byte);
    /// Three dimensions.
    type Cube: b [batch 2], m [row 16], k [part 4, pack 4]; lane (row, part), thread (batch, pack);
    /// A halo: 220 vectors of 4 by 256 threads, and 110 of 8 by two waves.
    type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
    type Halo8: (m, k) [wave 2, lane 64, part 8] of (22, 40); wave (wave), lane (lane), thread (part);
    /// The same by one wave, four times.
    type Again: (m, k) [again 4, lane 64, part 4] of (22, 40); lane (lane), thread (again, part);
    /// 31 rows, and 100 columns by 4.
    type Rows: m [again 4, row 8] of 31, k [part 32, four 4] of 100; wave (row), lane (part), thread (again, four);
    /// What waves 2 and 3 have nothing of.
    type Few: (m, k) [wave 4, lane 64, part 4] of (5, 40); wave (wave), lane (lane), thread (part);
}

layout! {
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Swizzled8 = recipe::GemmXor<F8, M<32>, K<64>, KPack<16>>;
    type Boxes = Layout<F16, Packed<seq![2, 16, 16]>>;
    type Turned = recipe::RowShift<F16, M<192>, K<96>, KPack<8>>;
    type Rotated = recipe::RowShift<F16, M<96>, K<512>, KPack<8>>;
    type Dense = recipe::DenseXor<F16, M<192>, K<96>, KPack<8>, LinePacks<8>, seq![2]>;
    type Tall = recipe::RowMajor<F16, M<640>, K<128>>;
    type TallXor = recipe::GemmXor<F16, M<640>, K<128>, KPack<8>>;
    type Small = recipe::RowMajor<F16, M<22>, K<40>>;
    type SmallPadded = recipe::RowPad<F16, M<22>, K<40>, Padding<8>>;
    type Odd = recipe::RowMajor<F16, M<31>, K<100>>;
    type Few40 = recipe::RowMajor<F16, M<5>, K<40>>;
}

/// Compares with the coordinate and the layout, element by element; says how many registers,
/// xors and immediates there are.
fn check<T, L, P, const R: usize>() -> [usize; 3]
where
    T: Distribution,
    L: RankedTile<R>,
    P: Number,
    [u32; R]: tiledesc::transforms::OfRank<
            <<L::Descriptor as Adaptor>::Rank as tiledesc::transforms::Rank>::Dimensions,
        >,
{
    let bits = <L::Element as Element>::BITS;
    let pack = P::N as usize;
    assert_eq!(Accesses::<T, L, P>::BYTES * 8, P::N * bits);
    let mut bytes_held = BTreeSet::new();
    for wave in 0..T::WAVES {
        for lane in 0..T::LANES_PER_WAVE {
            let (mut elements, mut calls) = (BTreeSet::new(), 0);
            Accesses::<T, L, P>::each(wave, lane, |address, immediate, valid, first| {
                assert!(immediate < 1 << 16);
                for element in first..first + pack {
                    let (at, is_held) = T::masked(wave, lane, element);
                    assert_eq!(valid, is_held, "{wave} {lane} {element}");
                    if valid {
                        let bytes = (element - first) as u32 * bits / 8;
                        let here = address + immediate + bytes;
                        assert_eq!(here, LayoutOf::<L>::byte_at(at), "{wave} {lane} {element}");
                        bytes_held.insert(here);
                    }
                    assert!(elements.insert(element));
                }
                calls += 1;
            });
            assert_eq!(calls, Accesses::<T, L, P>::COUNT);
            assert!(elements.into_iter().eq(0..T::ELEMENTS));
        }
    }
    // All of the tile, and each element once but for copies.
    let tile = T::ENCODING.unwrap().lengths();
    assert_eq!(bytes_held.len() as u64, tile.elements());
    for (wave, lane) in (0..T::WAVES).flat_map(|wave| [(wave, 0), (wave, T::LANES_PER_WAVE - 1)]) {
        let (mut straight, mut snake) = (Vec::new(), Vec::new());
        Accesses::<T, L, P>::each(wave, lane, |a, i, _, first| straight.push((first, a + i)));
        Accesses::<T, L, P>::each_snake(wave, lane, |a, i, _, first| snake.push((first, a + i)));
        if let Some(wanted) = snaked::<T>(pack) {
            assert!(snake.iter().map(|(first, _)| *first).eq(wanted));
        }
        snake.sort_unstable();
        straight.sort_unstable();
        assert_eq!(snake, straight);
    }
    let all = Accesses::<T, L, P>::ADDRESSING;
    [all.computed(), all.xors(), all.immediates()]
}

/// First elements in the order in which each Y runs back where the number of the row is odd; packs
/// are the fastest elements. `None` where they end within factors that they do not divide.
fn snaked<T: Distribution>(pack: usize) -> Option<Vec<usize>> {
    let ys = T::ENCODING.unwrap().ys();
    let mut lengths: Vec<usize> = ys.as_slice().iter().map(|length| *length as usize).collect();
    let mut rest = pack;
    for length in lengths.iter_mut().rev() {
        let within = rest.min(*length);
        if !rest.is_multiple_of(within) || !length.is_multiple_of(within) {
            return None;
        }
        (*length, rest) = (*length / within, rest / within);
    }
    let mut all = vec![0];
    for length in lengths {
        let row = |(number, before): (usize, &usize)| {
            let back = number % 2 == 1;
            let digit = move |at| if back { length - 1 - at } else { at };
            let before = *before;
            (0..length).map(move |at| before * length + digit(at)).collect::<Vec<_>>()
        };
        all = all.iter().enumerate().flat_map(row).collect();
    }
    Some(all.into_iter().map(|access| access * pack).collect())
}

#[test]
fn every_element_once() {
    // The figures of the specification: thread-raked stores need four registers, others one.
    assert_eq!(check::<Fetch, Xor, U8, 2>(), [1, 0, 3]);
    assert_eq!(check::<ThreadRaked, Xor, U8, 2>(), [1, 3, 0]);
    assert_eq!(check::<ThreadRaked, Plain, U8, 2>(), [1, 0, 3]);
    assert_eq!(check::<Operand, Xor, U8, 2>(), [1, 3, 4]);
    assert_eq!(check::<Operand, Plain, U8, 2>(), [1, 0, 7]);
    assert_eq!(check::<Operand, Padded, U8, 2>(), [1, 0, 7]);
    assert_eq!(check::<Fetch, Padded, U4, 2>(), [1, 0, 7]);
    assert_eq!(check::<Fetch, Xor, U2, 2>()[0], 1);
    assert_eq!(check::<Bytes, Swizzled8, U16, 2>()[0], 1);
    assert_eq!(check::<Cube, Boxes, U4, 3>(), [1, 0, 1]);
}

/// Rows that are rotated or swizzled as one number, and more accesses than address registers.
#[test]
fn rounds_and_many_accesses() {
    let turned = check::<Deep, Turned, U8, 2>();
    let dense = check::<Deep, Dense, U8, 2>();
    assert_eq!((turned.iter().sum::<usize>(), dense.iter().sum::<usize>()), (18, 18));
    assert!(turned[2] > 0 && dense[2] > 0, "{turned:?} {dense:?}");
    assert_eq!(check::<Long, Tall, U8, 2>(), [1, 2, 157]);
    assert_eq!(check::<Long, TallXor, U8, 2>().iter().sum::<usize>(), 160);
    // Each row is rotated by its own number, and has a register of its own: more than are compared with further accesses.
    let [computed, xors, _] = check::<Column, Rotated, U8, 2>();
    assert!(computed + xors > 64, "{computed} {xors}");
}

/// Of a tile that the factors do not divide: each lane what it holds, and the others are not valid.
#[test]
fn tails() {
    assert_eq!(check::<Halo, Small, U4, 2>(), [1, 0, 0]);
    assert_eq!(check::<Halo, SmallPadded, U4, 2>(), [1, 0, 0]);
    assert_eq!(check::<Halo, Small, U1, 2>(), [1, 0, 3]);
    assert_eq!(check::<Halo8, Small, U8, 2>(), [1, 0, 0]);
    // 256 elements further: rows of 40 without a pad are one run, rows of 48 are not.
    assert_eq!(check::<Again, Small, U4, 2>(), [1, 0, 3]);
    assert_eq!(check::<Again, SmallPadded, U4, 2>()[0], 4);
    assert_eq!(check::<Rows, Odd, U4, 2>(), [1, 0, 3]);
    assert_eq!(check::<Few, Few40, U4, 2>(), [1, 0, 0]);
}

/// What no address is handed out of: a vector that is partly of the tile.
#[test]
fn a_torn_tail_is_refused() {
    let says = |encoding: &Encoding, plan: &Plan, pack: u32| {
        let row = Instruction::read("x", 2 * pack);
        let placed = Placed::new(plan, 16, Lanes::distributed(encoding), &row);
        placed.and_then(|placed| placed.addressing()).unwrap_err().to_string()
    };
    let rows = ("m", &[("row", 4)][..]);
    let by = |part, pack, length: u32| {
        let k = ("k", &[("part", part), ("pack", pack)][..]);
        let whole = Encoding::named(&[], &[rows, k], &[], &["row", "part"], &["pack"]).unwrap();
        (whole.covering(&[&[], &[length]]).unwrap(), Plan::packed(&[4, length]).unwrap())
    };
    let (twelve_and_a_half, plan) = by(16, 8, 100);
    let sentence = "rows of 100 elements are not a multiple of packs of 8";
    assert_eq!(says(&twelve_and_a_half, &plan, 8), sentence);
    assert_eq!(twelve_and_a_half.coordinate(0, 12, 3).unwrap(), [0, 99]);
    assert!(twelve_and_a_half.coordinate(0, 12, 4).is_err());
    // A run that goes on in the next row within a vector.
    let k = ("", &[("lane", 64), ("pack", 8)][..]);
    let run = Encoding::named(&[], &[k], &[], &["lane"], &["pack"]).unwrap();
    let run = run.covering(&[&[4, 100]]).unwrap();
    assert_eq!(says(&run, &Plan::packed(&[4, 100]).unwrap(), 8), sentence);
}

distribution! {
    /// Twelve neighbours a lane, in two factors and in three.
    type Twelve: m [row 64], k [b 3, c 4]; lane (row), thread (b, c);
    type Deep12: m [again 2, row 32], k [deep 2, part 2, b 3, c 2, d 2]; lane (part, row), thread (deep, again, b, c, d);
}
layout! {
    type Rows12 = recipe::RowMajor<F16, M<64>, K<12>>;
    type Rows48 = recipe::RowPad<F16, M<64>, K<48>, Padding<8>>;
}

/// Neighbouring factors of a lane are one: packs end within them where they end in neither.
#[test]
fn packs_that_lie_in_two_factors() {
    assert_eq!(check::<Twelve, Rows12, U6, 2>(), [1, 0, 1]);
    assert_eq!(check::<Twelve, Rows12, U2, 2>(), [1, 0, 5]);
    assert_eq!(check::<Twelve, Rows12, U4, 2>(), [1, 0, 2]);
    assert_eq!(check::<Deep12, Rows48, U6, 2>(), [1, 0, 7]);
    assert_eq!(check::<Deep12, Rows48, U4, 2>(), [1, 0, 11]);
    // A lane's factor of 1 between them moves nothing.
    let k = [("half", 2), ("one", 1), ("pair", 4)];
    let (m, lane) = ([("row", 64)], ["row", "one"]);
    let held = Encoding::named(&[], &[("m", &m), ("k", &k)], &[], &lane, &["half", "pair"]);
    assert_eq!(held.unwrap().vector(1, 8), 8);
    // In another order of the registers they are not neighbours there.
    let k = [("b", 2), ("c", 3)];
    let held =
        Encoding::named(&[], &[("m", &[("row", 64)]), ("k", &k)], &[], &["row"], &["c", "b"]);
    let (held, plan) = (held.unwrap(), Plan::packed(&[64, 6]).unwrap());
    let row = Instruction::read("x", 4);
    assert_eq!(
        Placed::new(&plan, 16, Lanes::distributed(&held), &row).unwrap_err().to_string(),
        "a lane moves 2 elements but holds 6 contiguous ones along k, in factors that packs of 2 do not divide",
    );
}

/// What a kernel is refused that the compiler says: the elements of an access elsewhere than one
/// after another.
#[test]
fn sentence_of_scattered_registers() {
    let along = tiledesc::distribution::DimensionName { name: "k", number: 1 };
    let scattered = tiledesc::access::AccessError::Scattered { pack: 8, along, apart: 2 };
    assert_eq!(
        scattered.to_string(),
        "the 8 elements of an access along k are not in consecutive registers: one is 2 registers after its neighbour",
    );
}
