//! `insert`: an upper dimension that changes nothing.
//!
//! ```text
//!   upper     u0               lower index: none
//!   lower   (none)             CK Tile: make_insert_transform(length)
//! ```
//!
//! A [`replicate`](super::Replicate) of one dimension.

use super::{replicate, transform};
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
    nonzero [length]
    by as_replicate: demands, raise, injective, run
}

impl Plain {
    pub(crate) const NAME: &'static str = "insert";
    pub(crate) const AFFINE: bool = true;

    const fn as_replicate(self) -> replicate::Plain {
        replicate::Plain { lengths: List::new(&[self.length]) }
    }
}

