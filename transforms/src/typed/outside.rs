//! Indices that a debug build refuses: out of range, or in padding.
//!
//! Kernels call `Descriptor::at` where the index is known to be valid, and a release build checks nothing. A debug build checks
//! an index of integers on the caller's line, and the plan makes the sentence. These checks are compiled again for each layout of
//! a user's crate, so they name as little of it as they can:
//!
//! | a crate of kernels, 12 layouts, debug build | functions | instructions of rustc beyond formulas |
//! |---|---|---|
//! | each transform is asked for its lengths | 736 | 2,272 M |
//! | the plan is asked, unless a transform checks more than lengths | 178 | 1,771 M |

use crate::error::Error;
use crate::index::{Index, both};
use crate::number::list::List;
use crate::plan::Plan;
use crate::typed::adaptor::Adaptor;
use core::marker::PhantomData;

/// Refuses an index that `Descriptor::at` must not be called with. The value's own transforms check it, since its lengths may
/// be known at run time only.
#[track_caller]
pub(super) fn refuse_outside<D: Adaptor, I: Index>(descriptor: &D, index: &[I]) {
    let Some(wide) = numbers(index) else { return };
    let wide = &wide[..index.len()];
    // Not `mask_of`: of what cannot be, whoever asks has said so already.
    if both::<u64>(descriptor.in_range(wide), descriptor.accepts_top(wide)) == Some(false)
        && let Ok(plan) = descriptor.plan()
    {
        refuse_invalid(&plan, wide);
    }
}

/// Refuses an index that `Descriptor::at_of_type` must not be called with: by the lengths of the type's plan, and by its
/// transforms if some of them check more than lengths.
#[track_caller]
pub(super) fn refuse_outside_of_type<I: Index>(
    index: &[I],
    plan: &Result<Plan, Error>,
    accepted: Option<Accepts>,
) {
    let (Some(wide), Ok(plan)) = (numbers(index), plan) else { return };
    let wide = &wide[..index.len()];
    let is_accepted = accepted.is_none_or(|accepted| accepted(wide) != Some(false));
    if !is_accepted || !is_in_range(&plan.lengths(), wide) {
        refuse_invalid(plan, wide);
    }
}

/// Returns whether all transforms accept an index; `None` if no index makes a difference.
pub(super) type Accepts = fn(&[u64]) -> Option<bool>;

/// The check by the transforms of a type that has one value. Behind a constant, because a function that is named in a branch is
/// compiled whether it is called or not.
pub(super) struct Accepted<D>(PhantomData<D>);

impl<D: Adaptor + Default> Accepted<D> {
    /// `None` if no transform checks more than its lengths.
    pub(super) const TOP: Option<Accepts> =
        if D::CHECKS.any { Some(|top| D::default().accepts_top(top)) } else { None };
}

fn is_in_range(lengths: &List, index: &[u64]) -> bool {
    let mut pairs = lengths.as_slice().iter().zip(index);
    pairs.all(|(length, index)| *index < u64::from(*length))
}

/// The numbers of an index of integers, `None` of symbols.
fn numbers<I: Index>(index: &[I]) -> Option<[u64; List::CAPACITY]> {
    let mut wide = [0; List::CAPACITY];
    for (i, index) in index.iter().enumerate() {
        wide[i] = index.number()?;
    }
    Some(wide)
}

/// Panics with the sentence of a plan that refuses an index.
#[track_caller]
fn refuse_invalid(plan: &Plan, index: &[u64]) {
    let mut narrow = [0; List::CAPACITY];
    for (narrow, wide) in narrow.iter_mut().zip(index) {
        *narrow = u32::try_from(*wide).unwrap_or(u32::MAX);
    }
    if let Err(error) = plan.offset(&narrow[..index.len()]) {
        panic!("{error}");
    }
}

/// Refuses part of a vector, or a dimension that does not exist, of `Descriptor::valid_vector`.
#[track_caller]
pub(super) fn refuse_no_vector<I: Index>(index: &[I], dimension: usize, elements: u32) {
    let Some(along) = index.get(dimension) else {
        let rank = index.len();
        panic!("dimension {dimension} does not exist: the number of dimensions is {rank}");
    };
    assert!(elements.is_power_of_two(), "a vector of {elements} elements: not a power of two");
    // A negative number is out of range, and no vector is valid there.
    let first = along.number().filter(|number| *number != u64::MAX).unwrap_or(0);
    assert!(
        first.is_multiple_of(u64::from(elements)),
        "index {first} of dimension {dimension} is not a multiple of the vector's {elements} elements"
    );
}
