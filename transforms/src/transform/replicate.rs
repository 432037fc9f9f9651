//! `replicate`: upper dimensions that change nothing.
//!
//! ```text
//!   upper   u0   u1            lower index: none
//!   lower   (none)             CK Tile: make_replicate_transform(lengths)
//! ```
//!
//! A broadcast: every index of the new dimensions leads to the same element.
//! Not injective, unless all lengths are 1.

use super::{Demands, Run, transform};

transform! {
    /// Upper dimensions of `lengths` with nothing below them.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op, Plan};
    ///
    /// let copies = Op::Replicate { lengths: List::new(&[5]) };
    /// let keep = Op::PassThrough { length: 6 };
    /// let plan = Plan::packed(&[6]).unwrap();
    /// let plan = plan.transform(&[copies, keep], &[&[], &[0]], &[&[0], &[1]]).unwrap();
    /// assert_eq!(plan.lengths(), [5, 6]);
    /// assert_eq!(plan.offset(&[4, 2]), Ok(2));
    /// ```
    Replicate::new { lengths: L is Lengths }
    upper each lengths
    rule |up, low| {}
    always valid
    nonzero each lengths
}

impl Plain {
    pub(crate) const NAME: &'static str = "replicate";
    pub(crate) const AFFINE: bool = true;

    pub(crate) const fn demands(self) -> Demands {
        Demands::None
    }

    /// Index 0 of every copy; the others are never found.
    pub(crate) const fn raise(self, _: &[u32], up: &mut [u32]) -> bool {
        let mut i = 0;
        while i < self.lengths.len() {
            up[i] = 0;
            i += 1;
        }
        true
    }

    pub(crate) const fn injective(self) -> bool {
        self.lengths.elements() == 1
    }

    /// Walking a copy changes nothing.
    pub(crate) const fn run(self, _: &[Run], up: &mut [Run]) {
        let mut i = 0;
        while i < self.lengths.len() {
            up[i] = Run::STILL;
            i += 1;
        }
    }
}
