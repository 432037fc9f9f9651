//! What a backend gives a kernel: memory that is moved as many elements at a time as an instruction
//! does, matrix instructions, and lanes that run one after another between barriers. Where anything
//! lies is said by the types that the kernel names.

use super::machine::{Accumulators, NOTHING, mfma};
use core::ops::Range;
use support::fuzz::Dice;
use tiledesc::Tile;
use tiledesc::distribution::Exchange;
use tiledesc::prelude::*;

/// An element that these kernels compute with.
pub(crate) trait Scalar: Element + Copy {
    /// Elements of 16 bytes, what one lane moves at once.
    type Pack: Number;
    fn load(stored: Self::Storage) -> f32;
    fn store(value: f32) -> Self::Storage;
}

impl Scalar for F16 {
    type Pack = U8;
    fn load(stored: u16) -> f32 {
        half::f16::from_bits(stored).to_f32()
    }
    fn store(value: f32) -> u16 {
        half::f16::from_f32(value).to_bits()
    }
}

impl Scalar for F32 {
    type Pack = U4;
    fn load(stored: f32) -> f32 {
        stored
    }
    fn store(value: f32) -> f32 {
        value
    }
}

/// The registers of all lanes of a block: wave, lane, element.
pub(crate) type Registers<S> = Vec<Vec<Vec<S>>>;

/// What holds an element of a tile.
type Stored<L> = <<L as Tile>::Element as Element>::Storage;

/// A matrix in global memory.
pub(crate) type View = tiledesc::transforms::RunTimeRows;

/// What each lane of a distribution does, in its own registers.
pub(crate) fn lanes<T: Distribution, S: Copy + Default>(
    mut f: impl FnMut(u32, u32, &mut [S]),
) -> Registers<S> {
    let mut lane = |wave, lane| {
        let mut registers = vec![S::default(); T::ELEMENTS];
        f(wave, lane, &mut registers);
        registers
    };
    let wave = |wave| (0..T::LANES_PER_WAVE).map(|number| lane(wave, number)).collect();
    (0..T::WAVES).map(wave).collect()
}

/// Global memory to registers; what is outside of the view is 0.
pub(crate) fn load<T: Distribution, P: Number, S: Copy + Default>(
    from: &[S],
    window: &Window<View, T, P>,
) -> Registers<S> {
    lanes::<T, S>(|wave, lane, registers| {
        window.each(wave, lane, |offset, valid, first| {
            if valid {
                copy(&mut registers[first..], &from[offset as usize..], P::N);
            }
        });
    })
}

/// Registers to global memory.
pub(crate) fn store<T: Distribution, P: Number, S: Copy>(
    registers: &Registers<S>,
    to: &mut [S],
    window: &Window<View, T, P>,
) {
    each_lane(registers, |wave, lane, registers| {
        window.each(wave, lane, |offset, valid, first| {
            if valid {
                copy(&mut to[offset as usize..], &registers[first..], P::N);
            }
        });
    });
}

/// Registers to LDS, to a tile that begins at a byte.
pub(crate) fn write<T: Distribution, L: Tile<Descriptor: Default>, P: Number>(
    registers: &Registers<Stored<L>>,
    lds: &mut [Stored<L>],
    base: u32,
) {
    check_base::<T, L, P>(base);
    each_lane(registers, |wave, lane, registers| {
        Accesses::<T, L, P>::each(wave, lane, |address, immediate, valid, first| {
            let at = (base + address + immediate) as usize / size_of::<Stored<L>>();
            if valid {
                copy(&mut lds[at..], &registers[first..], P::N);
            }
        });
    });
}

/// LDS to registers, from a tile that begins at a byte.
pub(crate) fn read<T: Distribution, L: Tile<Descriptor: Default>, P: Number>(
    lds: &[Stored<L>],
    base: u32,
) -> Registers<Stored<L>> {
    check_base::<T, L, P>(base);
    lanes::<T, Stored<L>>(|wave, lane, registers| {
        Accesses::<T, L, P>::each(wave, lane, |address, immediate, valid, first| {
            let at = (base + address + immediate) as usize / size_of::<Stored<L>>();
            if valid {
                copy(&mut registers[first..], &lds[at..], P::N);
            }
        });
    })
}

/// An address that is one xor away from another is so at multiples of this only.
fn check_base<T: Distribution, L: Tile<Descriptor: Default>, P: Number>(base: u32) {
    assert!(u64::from(base).is_multiple_of(Accesses::<T, L, P>::ADDRESSING.alignment()));
}

/// So many bytes of memory.
pub(crate) fn memory<S: Clone + Default>(bytes: u32) -> Vec<S> {
    vec![S::default(); bytes as usize / size_of::<S>()]
}

fn copy<S: Copy>(to: &mut [S], from: &[S], elements: u32) {
    to[..elements as usize].copy_from_slice(&from[..elements as usize]);
}

fn each_lane<S>(registers: &Registers<S>, mut f: impl FnMut(u32, u32, &[S])) {
    for (wave, lanes) in (0..).zip(registers) {
        (0..).zip(lanes).for_each(|(lane, registers)| f(wave, lane, registers));
    }
}

/// A matrix instruction of R rows in one wave, on these registers of its lanes.
pub(crate) fn multiply<T: Scalar>(
    rows: u32,
    (a, of_a): (&[Vec<T::Storage>], Range<usize>),
    (b, of_b): (&[Vec<T::Storage>], Range<usize>),
    (sums, of_sums): (&mut [Vec<f32>], Range<usize>),
) {
    let operands = |lanes: &[Vec<T::Storage>], of: Range<usize>| -> Vec<Vec<f32>> {
        lanes.iter().map(|lane| lane[of.clone()].iter().map(|x| T::load(*x)).collect()).collect()
    };
    let mut found: Accumulators = NOTHING;
    mfma(rows, &operands(a, of_a), &operands(b, of_b), &mut found);
    for (lane, found) in sums.iter_mut().zip(found) {
        lane[of_sums.clone()].iter_mut().zip(found).for_each(|(sum, more)| *sum += more);
    }
}

/// Another type of element in each register.
pub(crate) fn convert<S: Copy, Q>(registers: &Registers<S>, to: fn(S) -> Q) -> Registers<Q> {
    let lane = |lane: &Vec<S>| lane.iter().map(|element| to(*element)).collect();
    registers.iter().map(|wave| wave.iter().map(lane).collect()).collect()
}

/// What is held one way, held another way, in the same registers.
pub(crate) fn permute<From: Distribution, To: Distribution, S: Copy>(
    registers: &Registers<S>,
    exchange: Exchange<From, To>,
) -> Registers<S> {
    let from = exchange.permutation().unwrap();
    let lane = |lane: &Vec<S>| from.iter().map(|element| lane[*element as usize]).collect();
    registers.iter().map(|wave| wave.iter().map(lane).collect()).collect()
}

/// What lane ^ mask has.
pub(crate) fn from_lane<S: Copy>(of: &[S], mask: u32) -> Vec<S> {
    (0..of.len()).map(|lane| of[lane ^ mask as usize]).collect()
}

/// Small whole numbers: every sum is exact in f32, and below 2048 in f16.
pub(crate) fn numbers<T: Scalar>(count: u32, seed: u32) -> Vec<T::Storage> {
    let mut dice = Dice(seed.into());
    (0..count).map(|_| T::store(dice.below(5) as f32 - 2.0)).collect()
}
