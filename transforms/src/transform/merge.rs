//! `merge`: several lower dimensions seen as one.
//!
//! ```text
//!   upper       u0             lower digits of u0 in mixed radix, last fastest:
//!             /  |  \\           u0 = (l0 * L1 + l1) * L2 + l2
//!   lower   l0   l1   l2       digit 0 is not reduced: there is nothing above it
//!
//!   law: bijection of [0, L0 * L1 * L2); the inverse of unmerge
//!   CK Tile: make_merge_transform (v2 magic division, v3 / and %)
//! ```
//!
//! CK has two merges for one map. Here a length that is a number divides as the
//! compiler sees fit, and a [`Dyn`](struct@crate::Dyn) one by [`Magic`](crate::Magic)
//! multiplication, dimension by dimension.

use super::{Demands, Op, Run, raise_by, transform};

transform! {
    /// Lower dimensions of `lengths`, slowest first, seen as one.
    ///
    /// ```
    /// use tiledesc_transforms::{Dyn, Merge, Transform, seq};
    ///
    /// let mut low = [0u32; 3];
    /// Merge::new(seq![2, 3, 4]).lower(&[23], &mut low);
    /// assert_eq!(low, [1, 2, 3]);
    /// Merge::new([Dyn(2), Dyn(3), Dyn(4)]).lower(&[7], &mut low);
    /// assert_eq!(low, [0, 1, 3]);
    /// ```
    Merge::new { lengths: L is Lengths }
    upper product lengths
    rule |up, low| {
        let mut rest = up[0].clone();
        let mut i = lengths.len();
        while i > 1 {
            i -= 1;
            let length = lengths.at(i);
            low[i] = rest.rem(length);
            rest = rest.div(length);
        }
        if i == 1 {
            low[0] = rest;
        }
    }
    always valid, injective
    nonzero each lengths
}

impl Plain {
    pub(crate) const NAME: &'static str = "merge";
    pub(crate) const AFFINE: bool = false;

    pub(crate) const fn demands(self) -> Demands {
        Demands::Each(self.lengths)
    }

    /// The inverse is [`unmerge`](super::Unmerge)'s rule.
    pub(crate) const fn raise(self, low: &[u32], up: &mut [u32]) -> bool {
        raise_by(Op::Unmerge { lengths: self.lengths }, low, up)
    }

    /// Walking walks the last digit. Its carry continues the run where the next
    /// digit's stride is just the last one's reach; elsewhere it breaks.
    pub(crate) const fn run(self, low: &[Run], up: &mut [Run]) {
        let l = self.lengths.as_slice();
        let mut run = Run::STILL;
        let mut reach = 1u64; // product of the lengths behind digit i
        let mut i = l.len();
        while i > 0 {
            i -= 1;
            if l[i] > 1 {
                let continues = run.stride.wrapping_mul(reach as i64) == low[i].stride;
                if reach == 1 {
                    run = low[i];
                } else if run.period == 0 && continues {
                    run.period = low[i].period * reach;
                } else {
                    run = run.broken_at(reach);
                    break;
                }
                // A break at the digit's end is the next digit's affair.
                if run.period.is_multiple_of(reach * l[i] as u64) {
                    run.period = 0;
                }
                reach *= l[i] as u64;
            }
        }
        up[0] = run;
    }
}
