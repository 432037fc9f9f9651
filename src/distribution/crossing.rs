//! An access in parts that lanes take in orders of their own.
//!
//! A lane that holds 8 bytes may move them by two instructions of 4. If all lanes begin with the first half, an instruction
//! touches every other dword; if lanes with bit 4 begin with the second, it touches as many dwords of each kind. In the end
//! every lane holds the same:
//!
//! ```text
//!   lanes with bit 4 cross the halves      lane     0  1  2  3   4  5  6  7   8 ..
//!   instruction 0 moves half               0 or 1   0  0  0  0   1  1  1  1   0
//!   instruction 1                                   1  1  1  1   0  0  0  0   1
//! ```
//!
//! In a walk that is a digit of the instruction's number, xor-ed with bits of the lane's. On a layout of xors that is one more
//! column of the lane; where addresses are sums, an instruction does not add the same to all lanes, and each lane is computed
//! (`Walk::is_within` is false).

use tiledesc_transforms::List;

/// Bits of a lane's number from `lane` on, and as many of an index from `index` on.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) lane: usize,
    pub(super) index: usize,
    pub(super) count: usize,
}

impl Run {
    pub(super) const NONE: Self = Self { lane: 0, index: 0, count: 0 };
}

/// The digit of the instruction's number that selects the part that a lane moves, and the divisor of the lane's number to cross
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The digit is `step / below % parts`.
    pub(super) below: u32,
    pub(super) parts: u32,
    pub(super) dimension: usize,
    /// Elements of a part.
    pub(super) stride: u32,
    pub(super) lane: u32,
}

impl Crossing {
    /// The bits among the lowest `bits` of a lane's number that cross parts, and the bits of the index that these are. A part is
    /// a power of two of elements.
    pub(super) const fn run(&self, bits: usize) -> Run {
        let (lane, parts) =
            (self.lane.trailing_zeros() as usize, self.parts.trailing_zeros() as usize);
        if lane >= bits {
            return Run::NONE;
        }
        let count = if lane + parts < bits { parts } else { bits - lane };
        Run { lane, index: self.stride.trailing_zeros() as usize, count }
    }

    /// Puts the lane's own part in place of the instruction's.
    pub(super) const fn turn(&self, index: &mut [u32; List::CAPACITY], step: u32, lane: u32) {
        let Self { below, parts, dimension, stride, .. } = *self;
        let part = step / below % parts;
        let own = part ^ (lane / self.lane % parts);
        let at = &mut index[dimension];
        *at = at.saturating_sub(part * stride).saturating_add(own * stride);
    }
}
