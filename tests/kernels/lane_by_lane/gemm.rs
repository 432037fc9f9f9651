//! C = A * B of any size, by workgroups of 256 lanes. A is M x K and B is N x K, both row-major,
//! C is M x N: BM x BN of it in a block, BK deep at a time, by matrix instructions of R rows.
//!
//! ```text
//!   global --Window--> registers --Accesses--> LDS, twice --Accesses--> registers --mfma--> sums
//!   sums --Accesses--> LDS, in the same place --Accesses--> registers --Window--> global
//! ```

use super::backend::{Scalar, View, convert, lanes, load, memory, multiply, read, store, write};
use tiledesc::access::AccessError;
use tiledesc::chip::gfx942;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M, N};
use tiledesc::storage::{Arena, Buffered};
use tiledesc::transforms::{Div, Mul};
use tiledesc::{
    distribution::{BlockRaked, Within},
    matrix::mfma,
};

distribution! {
    /// Which instructions of R rows, D deep, a wave's operand A is: four waves, two by two.
    pub(crate) type WavesA<Rows, Depth, R, D>:
        m [down (Rows / R / 2), wave 2], k [deep (Depth / D)];
        repeat [across 2], wave (wave, across), thread (down, deep);
    /// The same of B.
    pub(crate) type WavesB<Rows, Depth, R, D>:
        n [across (Rows / R / 2), wave 2], k [deep (Depth / D)];
        repeat [down 2], wave (down, wave), thread (across, deep);
}

/// The tiles in LDS.
type Operand<T, const ROWS: usize, const BK: usize> =
    recipe::GemmXor<T, M<ROWS>, K<BK>, <T as Scalar>::Pack>;
type Twice<T, const ROWS: usize, const BK: usize> = Buffered<Operand<T, ROWS, BK>, U2>;
pub(crate) type Product<T, const BM: usize, const BN: usize> = recipe::CShuffle<T, M<BM>, N<BN>>;

/// What threads fetch and store.
type Fetch<T, const ROWS: usize, const COLUMNS: usize> =
    BlockRaked<Lit<ROWS>, Lit<COLUMNS>, <T as Scalar>::Pack, U4>;
/// What one read of 16 bytes gives the lanes of a wave: R rows, as deep as it goes.
type Deep<T, const R: usize> = Div<Mul<<T as Scalar>::Pack, Lit<64>>, Lit<R>>;
type Part<T, const R: usize> = mfma::Operand<Lit<R>, Deep<T, R>>;
/// What waves read and sum up.
type ReadA<T, const BM: usize, const BK: usize, const R: usize> =
    Within<WavesA<Lit<BM>, Lit<BK>, Lit<R>, Deep<T, R>>, Part<T, R>>;
type ReadB<T, const BN: usize, const BK: usize, const R: usize> =
    Within<WavesB<Lit<BN>, Lit<BK>, Lit<R>, Deep<T, R>>, Part<T, R>>;
product! {
    pub(crate) type Sums<T: Scalar, const BM: usize, const BN: usize, const BK: usize, const R: usize> =
        ReadA<T, BM, BK, R> x ReadB<T, BN, BK, R> by [Lit<R>, Lit<R>, Deep<T, R>] of T on gfx942;
}

/// The kernel for one choice of element, block and instruction, and of how much of global memory an
/// instruction moves: a pack, or one element where rows are not a multiple of packs.
pub(crate) struct Gemm<
    T: Scalar,
    P,
    const BM: usize,
    const BN: usize,
    const BK: usize,
    const R: usize,
> {
    a: Window<View, Fetch<T, BM, BK>, P>,
    b: Window<View, Fetch<T, BN, BK>, P>,
    c: Window<View, Fetch<T, BM, BN>, P>,
}

impl<T: Scalar, P: Number, const BM: usize, const BN: usize, const BK: usize, const R: usize>
    Gemm<T, P, BM, BN, BK, R>
{
    pub(crate) fn new([m, n, k]: [u32; 3]) -> Result<Self, AccessError> {
        check_conflict_free! {
            Twice<T, BM, BK> on gfx942:
                write ds_write_b128 by Fetch<T, BM, BK>, read ds_read_b128 by ReadA<T, BM, BK, R>;
            Twice<T, BN, BK> on gfx942:
                write ds_write_b128 by Fetch<T, BN, BK>, read ds_read_b128 by ReadB<T, BN, BK, R>;
            Product<T, BM, BN> on gfx942: read ds_read_b128 by Fetch<T, BM, BN>
        }
        let view = |rows, columns| Naive::rows(rows, columns).whole();
        Ok(Self {
            a: Window::new(view(m, k)?)?,
            b: Window::new(view(n, k)?)?,
            c: Window::new(view(m, n)?)?,
        })
    }

    /// A and B twice, one pair written while the other is read; C in their place.
    const LOOP: Arena =
        Arena::on(&gfx942).holds::<Twice<T, BM, BK>>("a").holds::<Twice<T, BN, BK>>("b");
    const LDS: Arena = Self::LOOP.then().holds::<Product<T, BM, BN>>("c");

    /// The workgroup of one block.
    pub(crate) fn block(
        &self,
        [row, column]: [u32; 2],
        depth: u32,
        [of_a, of_b]: [&[T::Storage]; 2],
        of_c: &mut [T::Storage],
    ) {
        let (mut a, mut b) = (self.a.at([row, 0]), self.b.at([column, 0]));
        let mut lds = memory::<T::Storage>(Self::LDS.bytes());
        let mut sums = lanes::<Sums<T, BM, BN, BK, R>, f32>(|_, _, _| ());
        let mut next = (load(of_a, &a), load(of_b, &b));
        for step in 0..depth.div_ceil(BK as u32) {
            let lds_a = Self::LOOP.at("a") + Twice::<T, BM, BK>::begin_of(step % 2);
            let lds_b = Self::LOOP.at("b") + Twice::<T, BN, BK>::begin_of(step % 2);
            write::<Fetch<T, BM, BK>, Operand<T, BM, BK>, T::Pack>(&next.0, &mut lds, lds_a);
            write::<Fetch<T, BN, BK>, Operand<T, BN, BK>, T::Pack>(&next.1, &mut lds, lds_b);
            a.move_by([0, BK as i32]);
            b.move_by([0, BK as i32]);
            next = (load(of_a, &a), load(of_b, &b));
            // A barrier: this buffer is written. The other one may be while it is read.
            let a = read::<ReadA<T, BM, BK, R>, Operand<T, BM, BK>, T::Pack>(&lds, lds_a);
            let b = read::<ReadB<T, BN, BK, R>, Operand<T, BN, BK>, T::Pack>(&lds, lds_b);
            for (wave, sums) in sums.iter_mut().enumerate() {
                <Sums<T, BM, BN, BK, R>>::each(|of_a, of_b, of_sums| {
                    multiply::<T>(R as u32, (&a[wave], of_a), (&b[wave], of_b), (sums, of_sums));
                });
            }
        }
        let (sums, lds_c) = (convert(&sums, T::store), Self::LDS.at("c"));
        write::<Sums<T, BM, BN, BK, R>, Product<T, BM, BN>, U1>(&sums, &mut lds, lds_c);
        let c = read::<Fetch<T, BM, BN>, Product<T, BM, BN>, T::Pack>(&lds, lds_c);
        store(&c, of_c, &self.c.at([row, column]));
    }
}
