//! `insert`: an upper dimension that changes nothing.
//!
//! ```text
//!   upper     u0               lower index: none
//!   lower   (none)             CK Tile: make_insert_transform(length)
//! ```
//!
//! A [`replicate`](super::Replicate) of one dimension.

use super::{Demands, Injective, Run, replicate};
use crate::error::Error;
use crate::number::list::List;

transform! {
    /// An upper dimension of `length` with nothing below it.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let ops = [Op::Insert { length: 5 }, Op::PassThrough { length: 6 }];
    /// let plan = Plan::packed(&[6]).unwrap().transform(&ops, &[&[], &[0]], &[&[1], &[0]]).unwrap();
    /// assert_eq!(plan.lengths(), [6, 5]);
    /// assert_eq!(plan.offset(&[2, 4]), Ok(2));
    /// ```
    Insert::new { length: L is Length }
    upper [length]
    rule |up, low| {}
    always valid
}

pub(crate) const NAME: &str = "insert";
pub(crate) const AFFINE: bool = true;

const fn one(length: u32) -> List {
    List::new(&[length])
}

pub(crate) const fn demands(_: u32) -> Demands {
    Demands::NONE
}

pub(crate) const fn check(length: u32, _: &[u8]) -> Result<(), Error> {
    super::no_zero(NAME, &[length])
}

pub(crate) const fn raise(length: u32, low: &[u32], up: &mut [u32]) -> bool {
    replicate::raise(one(length), low, up)
}

pub(crate) const fn injective(length: u32) -> Injective {
    replicate::injective(one(length))
}

pub(crate) const fn run(length: u32, low: &[Run], up: &mut [Run]) {
    replicate::run(one(length), low, up);
}
