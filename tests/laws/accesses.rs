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
    /// Neighbouring rows: a xor each.
    type ThreadRaked:
        m [wave 4, row 8, again 4],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// The operand of 32x32x16 in two waves, four deep.
    type Operand:
        m [again 2, wave 2, row 32], k [deep 4, part 2, half 8];
        wave (wave), lane (part, row), thread (again, deep, half);
    /// A warp of 32, fp8.
    type Bytes: m [row 32], k [again 4, byte 16]; lane (row), thread (again, byte);
    /// Three dimensions.
    type Cube: b [batch 2], m [row 16], k [part 4, pack 4]; lane (row, part), thread (batch, pack);
}

layout! {
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Swizzled8 = recipe::GemmXor<F8, M<32>, K<64>, KPack<16>>;
    type Boxes = Layout<F16, Packed<seq![2, 16, 16]>>;
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
    for wave in 0..T::WAVES {
        for lane in 0..T::LANES_PER_WAVE {
            let (mut elements, mut calls) = (BTreeSet::new(), 0);
            Accesses::<T, L, P>::each(wave, lane, |address, immediate, first| {
                assert!(immediate < 1 << 16);
                for element in first..first + pack {
                    let here = LayoutOf::<L>::byte_at(T::coordinate(wave, lane, element));
                    let bytes = (element - first) as u32 * bits / 8;
                    assert_eq!(address + immediate + bytes, here, "{wave} {lane} {element}");
                    assert!(elements.insert(element));
                }
                calls += 1;
            });
            assert_eq!(calls, Accesses::<T, L, P>::COUNT);
            assert!(elements.into_iter().eq(0..T::ELEMENTS));
        }
    }
    for (wave, lane) in (0..T::WAVES).flat_map(|wave| [(wave, 0), (wave, T::LANES_PER_WAVE - 1)]) {
        let (mut straight, mut snake) = (Vec::new(), Vec::new());
        Accesses::<T, L, P>::each(wave, lane, |a, i, first| straight.push((first, a + i)));
        Accesses::<T, L, P>::each_snake(wave, lane, |a, i, first| snake.push((first, a + i)));
        assert!(snake.iter().map(|(first, _)| *first).eq(snaked::<T>(pack)));
        snake.sort_unstable();
        straight.sort_unstable();
        assert_eq!(snake, straight);
    }
    let all = Accesses::<T, L, P>::ADDRESSING;
    [all.computed(), all.xors(), all.immediates()]
}

/// First elements in the order in which each Y runs back where the number of the row is odd; packs
/// are the fastest elements.
fn snaked<T: Distribution>(pack: usize) -> Vec<usize> {
    let ys = T::ENCODING.unwrap().ys();
    let mut lengths: Vec<usize> = ys.as_slice().iter().map(|length| *length as usize).collect();
    let mut rest = pack;
    for length in lengths.iter_mut().rev() {
        let within = rest.min(*length);
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
    all.into_iter().map(|access| access * pack).collect()
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

/// Six elements of a lane follow each other, and the second pack of two of them lies in two factors:
/// its accesses are no digits of the lane's registers. Three are a factor, and six are both.
#[test]
fn packs_that_lie_in_two_factors() {
    let k = [("pair", 2), ("three", 3)];
    let held = Encoding::named(
        &[],
        &[("m", &[("row", 64)]), ("k", &k)],
        &[],
        &["row"],
        &["pair", "three"],
    )
    .unwrap();
    let plan = Plan::packed(&[64, 6]).unwrap();
    let placed = |bits, row: &Instruction| {
        Placed::new(&plan, bits, Lanes::distributed(&held), row).map(|placed| placed.instructions())
    };
    assert_eq!(
        placed(16, &Instruction::read("x", 4)).unwrap_err().to_string(),
        "a lane moves 2 elements and holds 6 contiguous ones, along k, in factors that packs of 2 \
         do not fit",
    );
    let twelve = &Instruction::read("x", 12);
    assert_eq!([placed(32, twelve), placed(16, twelve)], [Ok(2), Ok(1)]);
}

/// What a kernel is refused that the compiler says: the elements of an access elsewhere than one
/// after another.
#[test]
fn sentence_of_scattered_registers() {
    let along = tiledesc::distribution::DimensionName { name: "k", number: 1 };
    let scattered = tiledesc::access::AccessError::Scattered { pack: 8, along, apart: 2 };
    assert_eq!(
        scattered.to_string(),
        "the 8 elements of an access along k are not in consecutive registers: one is 2 \
         after its neighbour",
    );
}
