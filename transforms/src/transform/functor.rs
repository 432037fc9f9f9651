//! `functor`: a function of the user's as a transform.
//!
//! ```text
//!   upper   u0                 lower index: f(u0)
//!   lower   f(u0)              CK Tile (2026): functor_transform(f, length)
//! ```
//!
//! The function is a table with one entry per upper index, so that the compiler can check it (CK copies vector guarantees through
//! at the caller's risk). A kernel computes the function if [`Function::apply`] is overridden, and looks it up otherwise. A
//! gather of rows, a bit reversal and an expert's token list are functors.

use super::{Checks, Demand, Demands, Interval, Meeting, Op, OpForm, Run, Transform, no_zero, transform};
use crate::error::Error;
use crate::index::Index;
use crate::number::NumberError;
use crate::number::list::List;
use crate::seal::Seal;
use core::marker::PhantomData;
use core::ops;
use tiledesc_macros::Phantom;

/// A function from upper to lower indices, for [`Functor`].
///
/// ```
/// use tiledesc_transforms::{Function, Functor, Index, Transform};
///
/// struct Backwards;
/// impl Function for Backwards {
///     const TABLE: &'static [u32] = &[3, 2, 1, 0];
/// }
/// let mut low = [0u32];
/// Functor::<Backwards>::new().lower(&[1], &mut low);
/// assert_eq!(low, [2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of an index",
    note = "implement `Function` with its `TABLE` of values at 0, 1, ..."
)]
pub trait Function: 'static {
    /// The values at 0, 1, ...; their number is the length of the dimension.
    const TABLE: &'static [u32];

    /// Computes the function: override it when that is cheaper than a look-up, and check the two against each other with
    /// [`law::functor`](crate::law::functor).
    #[inline]
    fn apply<I: Index>(index: &I) -> I {
        index.lookup(Self::TABLE)
    }
}

/// A dimension whose lower index is `F`'s value.
///
/// ```
/// use tiledesc_transforms::{Function, Functor, Transform};
///
/// struct Evens;
/// impl Function for Evens {
///     const TABLE: &'static [u32] = &[0, 2, 4, 6];
/// }
/// let mut low = [0u32];
/// Functor::<Evens>::new().lower(&[3], &mut low);
/// assert_eq!(low, [6]);
/// ```
#[derive(Phantom)]
pub struct Functor<F>(PhantomData<F>);

impl<F> Functor<F> {
    /// The transform of the function `F`.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<F: Function> Transform for Functor<F> {
    const SEAL: Seal = Seal;
    const OP: Result<Op, NumberError> = Ok(Op::Functor { table: F::TABLE });
    const FORM: OpForm = OpForm { op: Op::Functor { table: F::TABLE }, fields: &[] };
    const AFFINE: bool = Plain::AFFINE;
    const CHECKS: Checks = Checks::none(Plain::AFFINE);

    fn op(&self) -> Result<Op, NumberError> {
        Self::OP
    }

    #[inline(always)]
    fn lower<I: Index>(
        &self,
        up: &(impl ops::Index<usize, Output = I> + ?Sized),
        low: &mut (impl ops::IndexMut<usize, Output = I> + ?Sized),
    ) {
        low[0] = F::apply(&up[0]);
    }

    #[inline(always)]
    fn lengths(&self, mut set: impl FnMut(usize, u32)) {
        set(0, F::TABLE.len() as u32);
    }

    fn valid<I: Index>(
        &self,
        _: &(impl ops::Index<usize, Output = I> + ?Sized),
    ) -> Option<I::Mask> {
        None
    }
}

transform! {
    Plain { table is Table }
    upper [table.len() as u64]
    rule |up, low| {
        low[0] = up[0].lookup(table);
    }
    always valid
}

impl Plain {
    pub(crate) const NAME: &'static str = "functor";
    pub(crate) const AFFINE: bool = false;

    pub(crate) const fn demands(self) -> Demands {
        let (mut largest, mut i) = (0, 0);
        while i < self.table.len() {
            largest = if self.table[i] > largest { self.table[i] } else { largest };
            i += 1;
        }
        Demands::One(Demand::AtLeast(largest as u64 + 1))
    }

    pub(crate) const fn check(self, _: &List) -> Result<(), Error> {
        no_zero(Self::NAME, &List::new(&[self.table.len() as u32]))
    }

    /// The first index with the value.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        let mut i = 0;
        while i < self.table.len() {
            if self.table[i] == low[0] {
                up[0] = i as u32;
                return true;
            }
            i += 1;
        }
        false
    }

    pub(crate) const fn injective(self) -> bool {
        let all = Interval::new(self.table.len() as u64);
        matches!(Op::Functor { table: self.table }.meet(&[all]), Meeting::Never)
    }

    /// Nothing is known of a table's steps here.
    pub(crate) const fn run(self, _: &[Run], up: &mut [Run]) {
        up[0] = Run::BROKEN;
    }
}
