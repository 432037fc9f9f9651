//! A stage: transforms side by side, each wired to dimensions below and above.
//!
//! ```text
//!   (Xor<..>, PassThrough<..>)   lower![[1, 0], [2]]   upper![[1, 0], [2]]
//! ```
//!
//! A tuple of at most 12 transforms beside two tuples of id lists. What every stage
//! does (rules, lengths, moves, validity) is written once here and unrolled over
//! the tuple, so that kernels see straight code.

use crate::error::Error;
use crate::index::{Index, both};
use crate::number::NumberError;
use crate::number::extent::Extent;
use crate::number::list::List;
use crate::plan::Plan;
use crate::plan::compose::Wires;
use crate::seal::Seal;
use crate::transform::{Checks, Op, OpForm, Transform};
use crate::typed::rank::{Ids, View, ViewMut};
use core::ops::Add;
use tiledesc_macros::each;
use typenum::{Sum, Unsigned};

/// The ids of all transforms of a stage: a tuple of [`Ids`], written
/// `lower![[1, 0], [2]]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of dimension ids for each transform",
    note = "write `lower![[1, 0], [2]]`: one list for each transform, at most 12 dimensions in all"
)]
pub trait Wiring: Copy + Default + 'static {
    #[doc(hidden)]
    const SEAL: Seal;
    /// The number of dimensions named.
    type Total: Unsigned;
    /// The ids.
    const LISTS: &'static [List];
    /// The wires of the lists.
    #[doc(hidden)]
    const WIRES: Wires<'static> = Wires::new(Self::LISTS);
}

/// The transforms of a stage, with the dimensions each takes and gives: a tuple
/// of [`Transform`]s beside two tuples of as many id lists.
#[diagnostic::on_unimplemented(
    message = "a stage needs one lower and one upper id list for each of its transforms",
    label = "transforms, `lower![..]` and `upper![..]` differ in number",
    note = "for two transforms write `lower![[0], [1]]` and `upper![[0], [1]]`"
)]
pub trait Stage<Lo, Up>: Copy {
    #[doc(hidden)]
    const SEAL: Seal;
    /// The transforms as plain data.
    const OPS: &'static [Result<Op, NumberError>];
    /// The transforms of numbers known only at run time.
    #[doc(hidden)]
    const FORMS: &'static [OpForm];
    /// Adds the stage, with its run-time lengths, to a plan.
    ///
    /// # Errors
    ///
    /// Whatever [`Plan::transform`] refuses.
    fn stage(&self, below: &Plan) -> Result<Plan, Error>;
    /// Writes the lengths of the upper dimensions.
    fn lengths(&self, top: &mut [u32]);
    /// Every index rule of the stage.
    fn lower<I: Index>(&self, top: &[I], below: &mut [I]);
    /// Moves by `diff`: `top` is the new top index; `below` goes in old and comes out new, and `below_diff` is its difference.
    fn advance(&self, top: &[u32], diff: &[u32], below: &mut [u32], below_diff: &mut [u32]);
    /// The part of the stage's checks that is known from the types alone.
    #[doc(hidden)]
    const CHECKS: Checks;
    /// Returns whether every transform of the stage accepts its indices; `None` if they do.
    fn accepts<I: Index>(&self, top: &[I]) -> Option<I::Mask>;
    /// Returns whether all indices are in range that [`accepts`](Self::accepts) does not look at.
    fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask>;
}

/// One transform's share of the lengths.
#[inline(always)]
fn lengths_of<T: Transform, Up: Ids>(transform: &T, top: &mut [u32]) {
    transform.lengths(|i, length| top[Up::IDS[i]] = length);
}

/// One transform's share of the range: nothing where being valid is being in range.
#[inline(always)]
fn in_range_of<T: Transform, Up: Ids, I: Index>(
    transform: &T,
    top: &[I],
    so_far: Option<I::Mask>,
) -> Option<I::Mask> {
    let mut mask = so_far;
    if const { !T::CHECKS.any } {
        transform.lengths(|i, length| {
            let below = top[Up::IDS[i]].below(Extent::constant(length));
            mask = both::<I>(mask.take(), Some(below));
        });
    }
    mask
}

/// One transform's share of a move.
#[inline(always)]
fn advance_one<T: Transform, Lo: Ids, Up: Ids>(
    transform: &T,
    top: &[u32],
    diff: &[u32],
    below: &mut [u32],
    below_diff: &mut [u32],
) {
    let moved = View::<Up, u32>::new(diff);
    if (0..moved.count()).all(|i| moved[i] == 0) {
        return;
    }
    let mut new = [0; List::CAPACITY];
    let new = &mut new[..Lo::Count::USIZE];
    if T::AFFINE {
        let mut at_zero = [0; List::CAPACITY];
        transform.lower(&moved, new);
        transform.lower(&[0; List::CAPACITY], &mut at_zero);
        for (i, new) in new.iter_mut().enumerate() {
            below_diff[Lo::IDS[i]] = new.wrapping_sub(at_zero[i]);
        }
    } else {
        transform.lower(&View::<Up, u32>::new(top), new);
        for (i, new) in new.iter().enumerate() {
            below_diff[Lo::IDS[i]] = new.wrapping_sub(below[Lo::IDS[i]]);
        }
    }
    for id in &Lo::IDS[..Lo::Count::USIZE] {
        below[*id] = below[*id].wrapping_add(below_diff[*id]);
    }
}

// Stages of one to twelve transforms: of each its type, what it takes, and what it gives.
each! { 1..=12:
    impl<#(#T: Transform, #L: Ids, #U: Ids),*> Stage<(#(#L,)*), (#(#U,)*)> for (#(#T,)*) {
        const SEAL: Seal = Seal;
        const OPS: &'static [Result<Op, NumberError>] = once!([#(#T::OP),*]);
        const FORMS: &'static [OpForm] = &[#(#T::FORM),*];

        fn stage(&self, below: &Plan) -> Result<Plan, Error> {
            let (#(#t,)*) = self;
            below.stage(&[#(#t.op()),*], &[#(#L::VALUES),*], &[#(#U::VALUES),*])
        }

        #[inline(always)]
        fn lengths(&self, top: &mut [u32]) {
            let (#(#t,)*) = self;
            #(lengths_of::<#T, #U>(#t, top);)*
        }

        #[inline(always)]
        fn lower<I: Index>(&self, top: &[I], below: &mut [I]) {
            let (#(#t,)*) = self;
            #(#t.lower(&View::<#U, I>::new(top), &mut ViewMut::<#L, I>::new(below));)*
        }

        #[inline(always)]
        fn advance(
            &self,
            top: &[u32],
            diff: &[u32],
            below: &mut [u32],
            below_diff: &mut [u32],
        ) {
            let (#(#t,)*) = self;
            #(advance_one::<#T, #L, #U>(#t, top, diff, below, below_diff);)*
        }

        const CHECKS: Checks = Checks::none(true)#(.beside(#T::CHECKS))*;

        #[inline(always)]
        fn accepts<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
            let (#(#t,)*) = self;
            let mask = None;
            #(let mask = both::<I>(mask, #t.valid(&View::<#U, I>::new(top)));)*
            mask
        }

        #[inline(always)]
        fn in_range<I: Index>(&self, top: &[I]) -> Option<I::Mask> {
            let (#(#t,)*) = self;
            let mask = None;
            #(let mask = in_range_of::<#T, #U, I>(#t, top, mask);)*
            mask
        }
    }
}

// The ids of one transform, and of further ones with a last one.
impl<T: Ids> Wiring for (T,) {
    type Total = T::Count;
    const SEAL: Seal = Seal;
    const LISTS: &'static [List] = &[T::VALUES];
}
each! { 1..12:
    impl<#(#T: Ids,)* #T: Ids> Wiring for (#(#T,)* #T,)
    where
        (#(#T,)*): Wiring,
        <(#(#T,)*) as Wiring>::Total: Add<#T::Count>,
        Sum<<(#(#T,)*) as Wiring>::Total, #T::Count>: Unsigned,
    {
        type Total = Sum<<(#(#T,)*) as Wiring>::Total, #T::Count>;
        const SEAL: Seal = Seal;
        const LISTS: &'static [List] = &[#(#T::VALUES,)* #T::VALUES];
    }
}
