//! C = A * B of any size, by workgroups of 256 lanes. A is M x K and B is N x K, both
//! row-major (K contiguous), C is M x N.
//!
//! A block is BM x BN x BK: both operands through LDS, matrix instructions of R rows, C through
//! LDS to memory. Four waves lie two by two over C and take turns in steps of R rows and R
//! columns: wave (i, j) has rows R * (2 * again + i) .. and columns R * (2 * again + j) ...

use crate::machine::{Accumulators, LANES, NOTHING, THREADS, WAVES, mfma};
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M, N};
use tiledesc::transforms::{PaddedTo, RunTimeRows};

/// An element that the kernel computes with.
pub(crate) trait Scalar: Element + Copy {
    /// Elements of 16 bytes, what one lane moves at once.
    type Pack: Number;
    /// Elements that a lane gives to one matrix instruction.
    const OPERANDS: usize;
    fn load(stored: Self::Storage) -> f32;
    fn store(value: f32) -> Self::Storage;
}

impl Scalar for F16 {
    type Pack = KPack<8>;
    const OPERANDS: usize = 4;
    fn load(stored: u16) -> f32 {
        half::f16::from_bits(stored).to_f32()
    }
    fn store(value: f32) -> u16 {
        half::f16::from_f32(value).to_bits()
    }
}

impl Scalar for F32 {
    type Pack = KPack<4>;
    const OPERANDS: usize = 1;
    fn load(stored: f32) -> f32 {
        stored
    }
    fn store(value: f32) -> f32 {
        value
    }
}

pub(crate) type ABlock<T, const BM: usize, const BK: usize> =
    recipe::GemmXor<T, M<BM>, K<BK>, <T as Scalar>::Pack>;
pub(crate) type BBlock<T, const BN: usize, const BK: usize> =
    recipe::GemmXor<T, M<BN>, K<BK>, <T as Scalar>::Pack>;
pub(crate) type CBlock<T, const BM: usize, const BN: usize> = recipe::CShuffle<T, M<BM>, N<BN>>;

/// A matrix in global memory: rows of a run-time length, padded to whole blocks.
type View = PaddedTo<RunTimeRows>;

/// The operands, and their sizes.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'a, T: Scalar> {
    pub(crate) a: &'a [T::Storage],
    pub(crate) b: &'a [T::Storage],
    pub(crate) sizes: [u32; 3],
}

/// The kernel for one choice of block and matrix instruction.
pub(crate) struct Gemm<T, const BM: usize, const BN: usize, const BK: usize, const R: u32>(
    core::marker::PhantomData<T>,
);

/// The views of A, B and C.
type Views = [View; 3];

impl<T: Scalar, const BM: usize, const BN: usize, const BK: usize, const R: u32>
    Gemm<T, BM, BN, BK, R>
{
    const PACK: u32 = <T::Pack>::N;
    /// Elements of K that one read of every lane covers.
    const DEPTH: u32 = Self::PACK * LANES / R;
    /// Where B begins in LDS, and where LDS ends; C takes the place of both.
    const B_AT: usize = ABlock::<T, BM, BK>::SPACE as usize;
    const LDS: usize = {
        let operands = Self::B_AT + BBlock::<T, BN, BK>::SPACE as usize;
        let c = CBlock::<T, BM, BN>::SPACE as usize;
        if operands > c { operands } else { c }
    };
    /// Whole matrix instructions, whole packs.
    const FITS: () = assert!(
        (BM as u32).is_multiple_of(2 * R)
            && (BN as u32).is_multiple_of(2 * R)
            && (BK as u32).is_multiple_of(Self::DEPTH)
    );

    /// The product, row-major.
    pub(crate) fn run(operands: Operands<'_, T>) -> Result<Vec<T::Storage>, Error> {
        const { Self::FITS };
        check_conflict_free! {
            ABlock<T, BM, BK> on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<R>;
            BBlock<T, BN, BK> on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<R>;
            CBlock<T, BM, BN> on gfx942: read ds_read_b128 by RowMajor
        }
        let [m, n, k] = operands.sizes;
        let [bm, bn, bk] = [BM, BN, BK].map(|length| length as u32);
        let views = [
            Naive::rows(m, k).padded_to([bm, bk])?,
            Naive::rows(n, k).padded_to([bn, bk])?,
            Naive::rows(m, n).padded_to([bm, bn])?,
        ];
        let mut c = vec![T::Storage::default(); (m * n) as usize];
        for row in (0..m).step_by(BM) {
            for column in (0..n).step_by(BN) {
                Self::block(operands, &views, [row, column], &mut c);
            }
        }
        Ok(c)
    }

    /// One workgroup. Between the steps stands a barrier.
    fn block(operands: Operands<'_, T>, views: &Views, at: [u32; 2], c: &mut [T::Storage]) {
        let mut lds = vec![T::Storage::default(); Self::LDS];
        let tiles = (BM as u32 / R / 2 * (BN as u32 / R / 2)) as usize;
        let mut sums = vec![vec![NOTHING; tiles]; WAVES as usize];
        for k in (0..operands.sizes[2]).step_by(BK) {
            let (of_a, of_b) = lds.split_at_mut(Self::B_AT);
            for thread in 0..THREADS {
                Self::fetch(thread, operands.a, &views[0], [at[0], k], BM, |index, pack| {
                    put(of_a, ABlock::<T, BM, BK>::at(index), pack);
                });
                Self::fetch(thread, operands.b, &views[1], [at[1], k], BN, |index, pack| {
                    put(of_b, BBlock::<T, BN, BK>::at(index), pack);
                });
            }
            for wave in 0..WAVES {
                Self::multiply(wave, &lds, &mut sums[wave as usize]);
            }
        }
        for wave in 0..WAVES {
            Self::shuffle(wave, &sums[wave as usize], &mut lds);
        }
        for thread in 0..THREADS {
            Self::store(thread, &lds, &views[2], at, c);
        }
    }

    /// The packs of a tile of `rows` by `columns` that a thread moves: pack after pack, row
    /// after row, every 256th.
    fn packs(thread: u32, rows: usize, columns: usize) -> impl Iterator<Item = [u32; 2]> {
        let packs = columns as u32 / Self::PACK;
        let all = (thread..rows as u32 * packs).step_by(THREADS as usize);
        all.map(move |pack| [pack / packs, pack % packs * Self::PACK])
    }

    /// A thread's part of an operand's tile: global memory to LDS.
    fn fetch(
        thread: u32,
        from: &[T::Storage],
        view: &View,
        origin: [u32; 2],
        rows: usize,
        mut put: impl FnMut([u32; 2], &[T::Storage]),
    ) {
        for [row, column] in Self::packs(thread, rows, BK) {
            let mut pack = [T::Storage::default(); 8];
            let pack = &mut pack[..Self::PACK as usize];
            for (element, column) in pack.iter_mut().zip(origin[1] + column..) {
                if let Some(at) = view.valid_offset([origin[0] + row, column]) {
                    *element = from[at as usize];
                }
            }
            put([row, column], pack);
        }
    }

    /// All products of a wave in one step of BK.
    fn multiply(wave: u32, lds: &[T::Storage], sums: &mut [Accumulators]) {
        let (of_a, of_b) = lds.split_at(Self::B_AT);
        for k in (0..BK as u32).step_by(Self::DEPTH as usize) {
            let a = Self::operand(wave / 2, BM, k, of_a, |index| ABlock::<T, BM, BK>::at(index));
            let b = Self::operand(wave % 2, BN, k, of_b, |index| BBlock::<T, BN, BK>::at(index));
            for (tile, sums) in sums.iter_mut().enumerate() {
                let (a, b) = (&a[tile / b.len()], &b[tile % b.len()]);
                for first in (0..Self::PACK as usize).step_by(T::OPERANDS) {
                    let part = |lane: &Vec<f32>| lane[first..first + T::OPERANDS].to_vec();
                    let (a, b): (Vec<_>, Vec<_>) =
                        (a.iter().map(part).collect(), b.iter().map(part).collect());
                    mfma(R, &a, &b, sums);
                }
            }
        }
    }

    /// What the lanes of a wave read of an operand: for each matrix instruction, a pack a lane.
    /// Lane l reads row l % R, pack l / R.
    fn operand(
        wave: u32,
        rows: usize,
        k: u32,
        lds: &[T::Storage],
        place: impl Fn([u32; 2]) -> u32,
    ) -> Vec<Vec<Vec<f32>>> {
        let pack = |again: u32, lane: u32| {
            let row = (2 * again + wave) * R + lane % R;
            let first = place([row, k + lane / R * Self::PACK]) as usize;
            lds[first..first + Self::PACK as usize].iter().map(|x| T::load(*x)).collect()
        };
        let again = 0..rows as u32 / R / 2;
        again.map(|again| (0..LANES).map(|lane| pack(again, lane)).collect()).collect()
    }

    /// A wave's accumulators to LDS. Register r of lane l is row
    /// 4 * (64 / R) * (r / 4) + 4 * (l / R) + r % 4 of the matrix instruction, column l % R.
    fn shuffle(wave: u32, sums: &[Accumulators], lds: &mut [T::Storage]) {
        let across = (BN as u32 / R / 2) as usize;
        for (tile, sums) in sums.iter().enumerate() {
            let m = (2 * (tile / across) as u32 + wave / 2) * R;
            let n = (2 * (tile % across) as u32 + wave % 2) * R;
            for lane in 0..LANES {
                for register in 0..R * R / LANES {
                    let row = register / 4 * (4 * LANES / R) + lane / R * 4 + register % 4;
                    let at = CBlock::<T, BM, BN>::at([m + row, n + lane % R]);
                    lds[at as usize] = T::store(sums[lane as usize][register as usize]);
                }
            }
        }
    }

    /// A thread's part of C: LDS to global memory.
    fn store(thread: u32, lds: &[T::Storage], view: &View, at: [u32; 2], c: &mut [T::Storage]) {
        for [row, column] in Self::packs(thread, BM, BN) {
            let first = CBlock::<T, BM, BN>::at([row, column]) as usize;
            let pack = &lds[first..first + Self::PACK as usize];
            for (element, column) in pack.iter().zip(at[1] + column..) {
                if let Some(to) = view.valid_offset([at[0] + row, column]) {
                    c[to as usize] = *element;
                }
            }
        }
    }
}

/// One store of a pack.
fn put<S: Copy>(lds: &mut [S], at: u32, pack: &[S]) {
    lds[at as usize..at as usize + pack.len()].copy_from_slice(pack);
}
