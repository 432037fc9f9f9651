//! A descriptor or adaptor as plain data: for proofs, files and search.
//!
//! A [`Plan`] is the graph of transforms that CK Tile keeps in types: *hidden
//! dimensions* 0, 1, 2, ... and nodes that compute lower ones from upper ones.
//!
//! ```text
//!   top            m = 11        k = 12          naive [8, 128, 8]
//!                 /   |          |   \           xor, unmerge, merge
//!   hidden   ..  9    7          8    10
//!                      ...
//!   bottom              0                        hidden dimension 0: the offset
//! ```
//!
//! Ids are handed out as CK hands them out: base first, then stage by stage,
//! transform by transform, one per upper dimension. So the `hidden` values of a
//! plan are CK's, number by number.
//!
//! Everything here is a `const fn`. Compile time builds a plan from a type, run
//! time from values; a plan never panics, it returns the [`Error`]. It is not
//! for kernels: LLVM does not see through its loops (139 instructions where the
//! type compiles to 14). One evaluation costs about 0.1 us at run time, and far
//! more in the compiler, where [digits](crate::Digits) are cheaper: see DESIGN, "What the compiler
//! pays for".

pub(crate) mod compose;
pub(crate) mod fields;
mod graph;
mod inverse;
mod vector;

pub use vector::Vector;

use crate::error::Error;
use crate::index::Bits;
use crate::index::{Many, Word};
use crate::number::list::{List, head};
use crate::transform::Op;

/// The length of a dimension that nobody limits: memory, or an adaptor's bottom.
pub const UNBOUNDED: u64 = u64::MAX;

/// One transform of a plan and the hidden dimensions it connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The transform.
    pub op: Op,
    /// Hidden ids towards memory.
    pub lower: List,
    /// Hidden ids towards the user.
    pub upper: List,
}

/// A descriptor or adaptor as plain data.
///
/// ```
/// use tiledesc_transforms::{Op, Plan};
///
/// // 128 rows of 8 chunks, chunk xor row: built and evaluated by the compiler.
/// const SWIZZLED: Plan = {
///     let base = match Plan::packed(&[128, 8]) { Ok(plan) => plan, Err(_) => panic!() };
///     let xor = Op::Xor { length0: 128, length1: 8 };
///     match base.transform(&[xor], &[&[0, 1]], &[&[0, 1]]) { Ok(plan) => plan, Err(_) => panic!() }
/// };
/// assert_eq!(SWIZZLED.offset(&[10, 5]), Ok(10 * 8 + 7));
/// assert_eq!(SWIZZLED.element_space(), 1024);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub(crate) nodes: [Node; Self::MOST_NODES],
    pub(crate) node_count: usize,
    pub(crate) lengths: [u64; Self::MOST_HIDDEN],
    pub(crate) hidden_count: usize,
    pub(crate) top: List,
    pub(crate) bottom_count: usize,
    pub(crate) stages: u32,
    /// Elements spanned, counted from `origin`; 0 for an adaptor.
    pub(crate) space: u64,
    pub(crate) origin: u32,
}

/// The value of every hidden dimension at one coordinate.
pub type Hidden = [u32; Plan::MOST_HIDDEN];

impl Plan {
    /// The largest number of transforms. CK Tile's largest descriptor has 16.
    pub const MOST_NODES: usize = 40;
    /// The largest number of hidden dimensions. CK Tile's largest has 26.
    pub const MOST_HIDDEN: usize = 64;
    /// The largest number of coordinates that [`coordinate_of`](Self::coordinate_of)
    /// tries, of steps that [`vector`](Self::vector) tries and of blocks that
    /// [`alignment`](Self::alignment) looks at.
    pub const MOST_TRIED: u64 = 65_536;

    /// The number of top dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.top.len()
    }

    /// The lengths of the top dimensions, in elements.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::packed(&[128, 64])?.lengths(), [128, 64]);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn lengths(&self) -> List {
        let mut lengths = self.top;
        let count = lengths.count as usize;
        let mut i = 0;
        while i < count {
            let length = self.lengths[lengths.items[i] as usize];
            lengths.items[i] = if length > MOST_LENGTH { u32::MAX } else { length as u32 };
            i += 1;
        }
        lengths
    }

    /// The number of coordinates: the product of the lengths, saturated.
    #[must_use]
    pub const fn elements(&self) -> u64 {
        self.lengths().elements()
    }

    /// Elements of memory spanned, from [`origin`](Self::origin). Pads, slices
    /// and offsets above the base do not change it, as in CK Tile.
    #[must_use]
    pub const fn element_space(&self) -> u64 {
        self.space
    }

    /// The element at which the space begins: the offset of a `_with_offset`
    /// base, 0 otherwise.
    #[must_use]
    pub const fn origin(&self) -> u32 {
        self.origin
    }

    /// The transforms, from memory upwards.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::packed(&[128, 64])?.nodes().len(), 1);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn nodes(&self) -> &[Node] {
        head(&self.nodes, self.node_count)
    }

    /// The number of hidden dimensions.
    #[must_use]
    pub const fn hidden_count(&self) -> usize {
        self.hidden_count
    }

    /// The hidden ids of the top dimensions.
    #[must_use]
    pub const fn top(&self) -> List {
        self.top
    }

    /// The number of bottom dimensions; they are hidden dimensions 0, 1, ...
    #[must_use]
    pub const fn bottom_count(&self) -> usize {
        self.bottom_count
    }

    /// Laws and inverses are about offsets: refuses an adaptor.
    pub(crate) const fn has_memory(&self) -> Result<(), Error> {
        if self.bottom_count() == 1 && self.element_space() > 0 {
            Ok(())
        } else {
            Err(Error::NoMemory)
        }
    }

    /// Every hidden dimension at the top index `index`, by the index rules
    /// alone: no index is refused, and arithmetic wraps. Missing indices are 0.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let plan = Plan::packed(&[128, 64])?;
    /// assert_eq!(plan.evaluate(&[3, 17])[0], 209);
    /// // Row 200 is none; the rules go on.
    /// assert_eq!(plan.evaluate(&[200, 0])[0], 12_800);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn evaluate(&self, index: &[u32]) -> Hidden {
        let mut hidden = [0; Self::MOST_HIDDEN];
        let mut i = 0;
        while i < self.top.len() && i < index.len() {
            hidden[self.top.at(i) as usize] = index[i];
            i += 1;
        }
        let mut n = self.node_count;
        while n > 0 {
            n -= 1;
            self.nodes[n].lower(&mut hidden);
        }
        hidden
    }

    /// The offset of a coordinate, in elements.
    ///
    /// # Errors
    ///
    /// A wrong rank, an index out of range, a coordinate in padding.
    pub const fn offset(&self, index: &[u32]) -> Result<u32, Error> {
        attempt!(self.check_range(index));
        let hidden = self.evaluate(index);
        if self.accepts(&hidden) {
            Ok(hidden[0])
        } else {
            Err(Error::InPadding { coordinate: attempt!(List::from_slice(index) => Error::Number) })
        }
    }

    /// The offsets of as many coordinates as a wave has lanes, dimension by dimension, all in range; `None` of an adaptor,
    /// and where there is padding. One by one, 64 take the compiler a hundred times as long.
    #[doc(hidden)]
    #[must_use]
    pub const fn offsets(&self, indices: &[[u32; 64]; List::CAPACITY]) -> Option<[u32; 64]> {
        if self.bottom_count != 1 {
            return None;
        }
        let mut hidden = [Many::ZERO; Self::MOST_HIDDEN];
        range!(d, 0..self.top.len(), { hidden[self.top.at(d) as usize] = Many(indices[d]) });
        range!(below, 0..self.node_count, {
            let node = &self.nodes[self.node_count - 1 - below];
            if !node.op.is_always_valid() {
                return None;
            }
            node.lower_many(&mut hidden);
        });
        Some(hidden[0].0)
    }

    /// The bottom index of a coordinate of an adaptor.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Op, Plan};
    ///
    /// let pairs = Op::Unmerge { lengths: List::pair(8, 2) };
    /// let adaptor = Plan::adaptor(&[pairs], &[&[0]], &[&[0, 1]])?;
    /// assert_eq!(adaptor.bottom(&[5, 1])?, [5 * 2 + 1]);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`offset`](Self::offset).
    pub const fn bottom(&self, index: &[u32]) -> Result<List, Error> {
        attempt!(self.offset(index));
        Ok(List::new(self.evaluate(index).split_at(self.bottom_count).0))
    }

    /// Refuses a coordinate of another rank or out of range.
    pub(crate) const fn check_range(&self, index: &[u32]) -> Result<(), Error> {
        if index.len() != self.top.len() {
            return Err(Error::Rank { wanted: self.top.len() as u32, given: index.len() as u32 });
        }
        let lengths = self.lengths();
        let mut i = 0;
        while i < index.len() {
            let length = lengths.at(i);
            if index[i] >= length {
                return Err(Error::OutOfRange { dimension: i as u32, index: index[i], length });
            }
            i += 1;
        }
        Ok(())
    }

    /// Returns whether every transform accepts its upper indices, of what [`evaluate`](Self::evaluate) has computed: false in
    /// padding.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let pad = Op::RightPad { low_length: 40, right: 24, skip_check: false };
    /// let row = Plan::packed(&[40])?.transform(&[pad], &[&[0]], &[&[0]])?;
    /// let valid = (0..64).filter(|k| row.accepts(&row.evaluate(&[*k])));
    /// assert_eq!(valid.count(), 40);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn accepts(&self, hidden: &Hidden) -> bool {
        let mut n = 0;
        while n < self.node_count {
            let node = &self.nodes[n];
            if !node.op.is_always_valid() && !node.op.valid(&gather(hidden, &node.upper)) {
                return false;
            }
            n += 1;
        }
        true
    }

    /// The coordinate with the linear id `id`, the last dimension fastest.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::packed(&[128, 64])?.nth(209), [3, 17]);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    #[must_use]
    pub const fn nth(&self, id: u64) -> List {
        self.lengths().nth(id)
    }
}

/// Computes the lower dimensions of a node from the upper ones. A value becomes an index by tokens, not
/// by a call: see DESIGN, "What the compiler pays for".
macro_rules! lower_node {
    ($lower:ident over $Index:ident, of $Value:ty, $of:tt, $value:tt) => {
        pub(crate) const fn $lower(&self, hidden: &mut [$Value; Plan::MOST_HIDDEN]) {
            let mut up = [$Index::ZERO; List::CAPACITY];
            let mut low = up;
            let count = self.upper.count as usize;
            let mut i = 0;
            while i < count {
                up[i] = lower_node!($of hidden[self.upper.items[i] as usize]);
                i += 1;
            }
            self.op.$lower(&up, &mut low);
            let count = self.lower.count as usize;
            let mut i = 0;
            while i < count {
                hidden[self.lower.items[i] as usize] = lower_node!($value low[i]);
                i += 1;
            }
        }
    };
    (word $value:expr) => { Word($value) };
    (number $value:expr) => { $value.0 };
    (same $value:expr) => { $value };
}

impl Node {
    lower_node!(lower over Word, of u32, word, number);
    lower_node!(lower_bits over Bits, of Bits, same, same);
    lower_node!(lower_many over Many, of Many, same, same);
}

/// The values of some hidden dimensions.
pub(crate) const fn gather(hidden: &Hidden, ids: &List) -> [u32; List::CAPACITY] {
    let mut values = [0; List::CAPACITY];
    let mut i = 0;
    while i < ids.len() {
        values[i] = hidden[ids.at(i) as usize];
        i += 1;
    }
    values
}

pub(crate) const fn saturate(length: u64) -> u32 {
    if length > MOST_LENGTH { u32::MAX } else { length as u32 }
}

/// The largest length that is a number.
const MOST_LENGTH: u64 = u32::MAX as u64;

impl core::fmt::Debug for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Plan")
            .field("lengths", &self.lengths())
            .field("element_space", &self.space)
            .field("nodes", &self.nodes())
            .finish()
    }
}
