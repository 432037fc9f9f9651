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
//! type compiles to 14). One evaluation costs about 0.1 us at run time and 50 us
//! in the compiler.

use crate::error::{Error, Side};
use crate::index::Word;
use crate::number::Fault;
use crate::sequence::{Fold, List};
use crate::transform::{Demand, Injective, Op};

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
    nodes: [Node; Self::MOST_NODES],
    node_count: usize,
    lengths: [u64; Self::MOST_HIDDEN],
    hidden_count: usize,
    top: List,
    bottom_count: usize,
    stages: u32,
    /// Elements spanned, counted from `origin`; 0 for an adaptor.
    space: u64,
    origin: u32,
}

/// The value of every hidden dimension at one coordinate.
pub type Hidden = [u32; Plan::MOST_HIDDEN];

/// `?` for const functions.
macro_rules! attempt {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
macro_rules! attempt_number {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(fault) => return Err(Error::Number(fault)),
        }
    };
}
pub(crate) use attempt;

impl Plan {
    /// The largest number of transforms. CK Tile's largest descriptor has 16.
    pub const MOST_NODES: usize = 40;
    /// The largest number of hidden dimensions. CK Tile's largest has 26.
    pub const MOST_HIDDEN: usize = 64;
    const NOTHING: Node =
        Node { op: Op::Freeze { index: 0 }, lower: List::EMPTY, upper: List::EMPTY };

    /// `count` dimensions without transforms or known lengths: the bottom of an
    /// adaptor.
    ///
    /// # Errors
    ///
    /// More than 12 dimensions.
    pub const fn bottoms(count: usize) -> Result<Self, Error> {
        if count > List::CAPACITY {
            return Err(Error::Number(Fault::TooLong { length: count as u32 }));
        }
        Ok(Self {
            nodes: [Self::NOTHING; Self::MOST_NODES],
            node_count: 0,
            lengths: [UNBOUNDED; Self::MOST_HIDDEN],
            hidden_count: count,
            top: List::iota(count),
            bottom_count: count,
            stages: 0,
            space: 0,
            origin: 0,
        })
    }

    /// Memory and one or two transforms over it.
    pub(crate) const fn base(op: Op, offset: Option<u32>) -> Result<Self, Error> {
        let mut plan = attempt!(Self::bottoms(1));
        let upper = attempt_number!(op.upper_lengths());
        let space = match op.demands().items[0] {
            Demand::Exactly(n) | Demand::AtLeast(n) => n,
        };
        if let Some(offset) = offset {
            plan.origin = offset;
            if space > 1 << 32 {
                return Err(Error::SpaceTooLarge { elements: space });
            }
            let shift = Op::Offset { length: saturate(space), offset };
            plan =
                attempt!(plan.unnumbered_stage(&[Ok(shift)], &[List::iota(1)], &[List::iota(1)]));
        }
        plan.space = space;
        plan = attempt!(plan.unnumbered_stage(
            &[Ok(op)],
            &[List::iota(1)],
            &[List::iota(upper.len())]
        ));
        if space + plan.origin as u64 > 1 << 32 {
            return Err(Error::SpaceTooLarge { elements: space + plan.origin as u64 });
        }
        Ok(plan)
    }

    /// A naive descriptor: dimensions with strides, in elements.
    ///
    /// The element space is 1 + sum of (length - 1) * stride, as in CK Tile.
    ///
    /// # Errors
    ///
    /// Sizes that differ, a length of 0, a space beyond 32-bit offsets.
    pub const fn naive(lengths: &[u32], strides: &[u32]) -> Result<Self, Error> {
        Self::base(attempt!(naive_op(lengths, strides)), None)
    }

    /// A packed descriptor: the last dimension runs fastest, without gaps.
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub const fn packed(lengths: &[u32]) -> Result<Self, Error> {
        let lengths = attempt_number!(List::from_slice(lengths));
        Self::base(Op::Unmerge { lengths }, None)
    }

    /// A naive descriptor whose rows are a multiple of `align` elements apart.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let rows = Plan::aligned(&[9, 21], 16).unwrap(); // strides [32, 1]
    /// assert_eq!(rows.element_space(), 277);
    /// ```
    ///
    /// # Errors
    ///
    /// A length or alignment of 0, a space beyond 32-bit offsets.
    pub const fn aligned(lengths: &[u32], align: u32) -> Result<Self, Error> {
        let lengths = attempt_number!(List::from_slice(lengths));
        let strides = attempt!(aligned_strides(&lengths, align));
        Self::base(Op::Embed { lengths, strides }, None)
    }

    /// A naive descriptor that starts at element `offset` of memory. The offset
    /// is not part of the element space, as in CK Tile.
    ///
    /// # Errors
    ///
    /// As [`naive`](Self::naive).
    pub const fn naive_with_offset(
        lengths: &[u32],
        strides: &[u32],
        offset: u32,
    ) -> Result<Self, Error> {
        Self::base(attempt!(naive_op(lengths, strides)), Some(offset))
    }

    /// A packed descriptor that starts at element `offset` of memory.
    ///
    /// # Errors
    ///
    /// As [`packed`](Self::packed).
    pub const fn packed_with_offset(lengths: &[u32], offset: u32) -> Result<Self, Error> {
        let lengths = attempt_number!(List::from_slice(lengths));
        Self::base(Op::Unmerge { lengths }, Some(offset))
    }

    /// One stage of transforms without memory below: CK's
    /// `make_single_stage_tensor_adaptor`.
    ///
    /// # Errors
    ///
    /// As [`transform`](Self::transform).
    pub const fn adaptor(ops: &[Op], lower: &[&[u32]], upper: &[&[u32]]) -> Result<Self, Error> {
        let mut count = 0;
        let mut i = 0;
        while i < lower.len() {
            count += lower[i].len();
            i += 1;
        }
        attempt!(Self::bottoms(count)).transform(ops, lower, upper)
    }

    /// A further stage: `ops[k]` takes the top dimensions `lower[k]` and gives
    /// the new top dimensions `upper[k]`. Every old and every new dimension is
    /// named once.
    ///
    /// ```
    /// use tiledesc_transforms::{Error, List, Op, Plan};
    ///
    /// let plan = Plan::packed(&[8, 16]).unwrap();
    /// let swapped = Op::Merge { lengths: List::new(&[16, 8]) };
    /// let error = plan.transform(&[swapped], &[&[0, 1]], &[&[0]]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "merge[16, 8] needs length 16, but dimension 0 has length 8"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Ids that are no permutation, lengths that do not agree, more transforms
    /// or dimensions than a plan holds.
    pub const fn transform(
        &self,
        ops: &[Op],
        lower: &[&[u32]],
        upper: &[&[u32]],
    ) -> Result<Self, Error> {
        let (lower, lower_len) = attempt!(id_lists(lower));
        let (upper, upper_len) = attempt!(id_lists(upper));
        let mut made = [const { Ok(Op::Freeze { index: 0 }) }; List::CAPACITY];
        if ops.len() > List::CAPACITY {
            return Err(Error::TooLarge { what: "transforms in a stage", most: 12 });
        }
        let mut i = 0;
        while i < ops.len() {
            made[i] = Ok(ops[i]);
            i += 1;
        }
        self.stage(
            made.split_at(ops.len()).0,
            lower.split_at(lower_len).0,
            upper.split_at(upper_len).0,
        )
    }

    /// [`transform`](Self::transform) from the constants of types.
    pub(crate) const fn stage(
        &self,
        ops: &[Result<Op, Fault>],
        lower: &[List],
        upper: &[List],
    ) -> Result<Self, Error> {
        match self.unnumbered_stage(ops, lower, upper) {
            Ok(mut plan) => {
                plan.stages += 1;
                Ok(plan)
            }
            Err(error) => Err(error.at_stage(self.stages + 1)),
        }
    }

    const fn unnumbered_stage(
        &self,
        ops: &[Result<Op, Fault>],
        lower: &[List],
        upper: &[List],
    ) -> Result<Self, Error> {
        if ops.len() != lower.len() || ops.len() != upper.len() {
            return Err(Error::StageSizes {
                stage: 0,
                transforms: ops.len() as u32,
                lower: lower.len() as u32,
                upper: upper.len() as u32,
            });
        }
        let new_rank = total(upper);
        attempt!(permutation(Side::Lower, lower, self.top.len()));
        attempt!(permutation(Side::Upper, upper, new_rank));
        let mut plan = *self;
        let mut top = [0; List::CAPACITY];
        let mut i = 0;
        while i < ops.len() {
            let op = attempt_number!(ops[i]);
            let ids = attempt!(self.below(&lower[i]));
            let first = plan.hidden_count;
            plan = attempt!(plan.attach(op, &ids, &lower[i], upper[i].len()));
            let mut j = 0;
            while j < upper[i].len() {
                top[upper[i].as_slice()[j] as usize] = (first + j) as u32;
                j += 1;
            }
            i += 1;
        }
        plan.top = List::new(top.split_at(new_rank).0);
        Ok(plan)
    }

    /// The hidden ids of some top dimensions.
    const fn below(&self, dimensions: &List) -> Result<List, Error> {
        let mut ids = List::EMPTY;
        let mut i = 0;
        while i < dimensions.len() {
            let id = self.top.as_slice()[dimensions.as_slice()[i] as usize];
            ids = attempt_number!(ids.push_back(id));
            i += 1;
        }
        Ok(ids)
    }

    /// Adds a node over hidden dimensions `lower`, with `given` new ones above.
    /// `names` are the dimensions as the user counts them, for errors.
    const fn attach(
        mut self,
        op: Op,
        lower: &List,
        names: &List,
        given: usize,
    ) -> Result<Self, Error> {
        let upper = attempt_number!(op.upper_lengths());
        if upper.len() != given {
            return Err(arity(&op, Side::Upper, upper.len(), given));
        }
        self = attempt!(self.settle(&op, lower, names));
        let no_room =
            self.node_count == Self::MOST_NODES || self.hidden_count + given > Self::MOST_HIDDEN;
        if no_room {
            return Err(Error::TooLarge { what: "transforms or dimensions", most: 40 });
        }
        let mut ids = List::EMPTY;
        let mut i = 0;
        while i < given {
            self.lengths[self.hidden_count] = upper.as_slice()[i] as u64;
            ids = attempt_number!(ids.push_back(self.hidden_count as u32));
            self.hidden_count += 1;
            i += 1;
        }
        self.nodes[self.node_count] = Node { op, lower: *lower, upper: ids };
        self.node_count += 1;
        Ok(self)
    }

    /// Checks a transform against the dimensions below it; an unbounded one
    /// takes the length that is demanded exactly.
    const fn settle(mut self, op: &Op, lower: &List, names: &List) -> Result<Self, Error> {
        let demands = op.demands();
        if demands.len != lower.len() {
            return Err(arity(op, Side::Lower, demands.len, lower.len()));
        }
        let mut dims = [0u8; List::CAPACITY];
        let mut i = 0;
        while i < demands.len {
            let dimension = names.as_slice()[i];
            dims[i] = dimension as u8;
            let id = lower.as_slice()[i] as usize;
            let has = self.lengths[id];
            let (transform, declared) = (op.name(), op.parameters());
            match demands.items[i] {
                Demand::Exactly(needs) if has == UNBOUNDED => self.lengths[id] = needs,
                Demand::Exactly(needs) if needs != has => {
                    return Err(Error::LengthDiffers {
                        stage: 0,
                        transform,
                        declared,
                        needs,
                        dimension,
                        has,
                    });
                }
                Demand::AtLeast(needs) if needs > has => {
                    return Err(Error::ReachesPast {
                        stage: 0,
                        transform,
                        declared,
                        needs,
                        dimension,
                        has,
                    });
                }
                _ => {}
            }
            i += 1;
        }
        attempt!(op.check(dims.split_at(lower.len()).0));
        Ok(self)
    }

    /// A plan from a finished graph over hidden ids, as CK Tile stores it:
    /// `bottom` dimensions first, nodes from memory upwards, then the ids of the
    /// top dimensions. Ids may be numbered in any order.
    ///
    /// # Errors
    ///
    /// An id used before it is made, lengths that do not agree, a wrong arity.
    pub const fn graph(bottom: &[u32], nodes: &[Node], top: &[u32]) -> Result<Self, Error> {
        let mut plan = attempt!(Self::bottoms(bottom.len()));
        // Position of the caller's id among ours; UNMADE until its node came.
        const UNMADE: u32 = u32::MAX;
        let mut ids = [UNMADE; Self::MOST_HIDDEN];
        let mut i = 0;
        while i < bottom.len() {
            attempt!(graph_id(bottom[i]));
            ids[bottom[i] as usize] = i as u32;
            i += 1;
        }
        let mut n = 0;
        while n < nodes.len() {
            let lower = attempt!(translate(&ids, &nodes[n].lower, Side::Lower));
            let first = plan.hidden_count as u32;
            let upper = nodes[n].upper;
            plan = attempt!(plan.attach(nodes[n].op, &lower, &nodes[n].lower, upper.len()));
            let mut j = 0;
            while j < upper.len() {
                let id = upper.as_slice()[j];
                attempt!(graph_id(id));
                if ids[id as usize] != UNMADE {
                    return Err(Error::ClaimedTwice { stage: 0, side: Side::Upper, dimension: id });
                }
                ids[id as usize] = first + j as u32;
                j += 1;
            }
            n += 1;
        }
        let top = attempt_number!(List::from_slice(top));
        plan.top = attempt!(translate(&ids, &top, Side::Upper));
        if bottom.len() == 1 && !nodes.is_empty() {
            plan.space = match nodes[0].op {
                Op::Offset { length, offset } => {
                    plan.origin = offset;
                    length as u64
                }
                op => match op.demands().items[0] {
                    Demand::Exactly(n) | Demand::AtLeast(n) => n,
                },
            };
        }
        Ok(plan)
    }

    /// An adaptor over a plan: `above`'s bottom dimensions are this plan's top
    /// dimensions, in order (CK `chain_tensor_adaptors`).
    ///
    /// # Errors
    ///
    /// Ranks or lengths that differ.
    pub const fn chain(&self, above: &Self) -> Result<Self, Error> {
        if above.bottom_count != self.top.len() {
            return Err(Error::Rank {
                wanted: self.top.len() as u32,
                given: above.bottom_count as u32,
            });
        }
        let mut plan = *self;
        let mut i = 0;
        while i < above.bottom_count {
            let id = self.top.as_slice()[i] as usize;
            let (below, over) = (self.lengths[id], above.lengths[i]);
            if below == UNBOUNDED {
                plan.lengths[id] = over;
            } else if over != UNBOUNDED && over != below {
                return Err(Error::ChainDiffers { dimension: i as u32, below, above: over });
            }
            i += 1;
        }
        let mut n = 0;
        while n < above.node_count {
            let node = above.nodes[n];
            let lower = self.shifted(above, &node.lower);
            plan = attempt!(plan.attach(node.op, &lower, &node.lower, node.upper.len()));
            n += 1;
        }
        plan.top = self.shifted(above, &above.top);
        Ok(plan)
    }

    /// Hidden ids of `above`, once it sits on this plan.
    const fn shifted(&self, above: &Self, ids: &List) -> List {
        let mut shifted = [0; List::CAPACITY];
        let mut i = 0;
        while i < ids.len() {
            let id = ids.as_slice()[i] as usize;
            shifted[i] = if id < above.bottom_count {
                self.top.as_slice()[id]
            } else {
                (id - above.bottom_count + self.hidden_count) as u32
            };
            i += 1;
        }
        List::new(shifted.split_at(ids.len()).0)
    }

    /// The number of top dimensions.
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.top.len()
    }

    /// The lengths of the top dimensions, in elements.
    #[must_use]
    pub const fn lengths(&self) -> List {
        let mut lengths = [0; List::CAPACITY];
        let mut i = 0;
        while i < self.top.len() {
            lengths[i] = saturate(self.lengths[self.top.as_slice()[i] as usize]);
            i += 1;
        }
        List::new(lengths.split_at(self.top.len()).0)
    }

    /// The number of coordinates: the product of the lengths, saturated.
    #[must_use]
    pub const fn elements(&self) -> u64 {
        let (lengths, mut product, mut i) = (self.lengths(), 1u64, 0);
        while i < lengths.len() {
            product = product.saturating_mul(lengths.as_slice()[i] as u64);
            i += 1;
        }
        product
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
    #[must_use]
    pub const fn nodes(&self) -> &[Node] {
        self.nodes.split_at(self.node_count).0
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

    /// Every hidden dimension at the top index `index`, by the index rules
    /// alone: no index is refused, and arithmetic wraps. Missing indices are 0.
    #[must_use]
    pub const fn evaluate(&self, index: &[u32]) -> Hidden {
        let mut hidden = [0; Self::MOST_HIDDEN];
        let mut i = 0;
        while i < self.top.len() && i < index.len() {
            hidden[self.top.as_slice()[i] as usize] = index[i];
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
            Err(Error::InPadding { coordinate: attempt_number!(List::from_slice(index)) })
        }
    }

    /// The bottom index of a coordinate of an adaptor.
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
            let length = lengths.as_slice()[i];
            if index[i] >= length {
                return Err(Error::OutOfRange { dimension: i as u32, index: index[i], length });
            }
            i += 1;
        }
        Ok(())
    }

    /// Whether every transform accepts its upper indices: false in padding.
    #[must_use]
    pub const fn accepts(&self, hidden: &Hidden) -> bool {
        let mut n = 0;
        while n < self.node_count {
            let node = &self.nodes[n];
            if !node.op.valid(&gather(hidden, &node.upper)) {
                return false;
            }
            n += 1;
        }
        true
    }

    /// The coordinate at an offset: the inverse of [`offset`](Self::offset).
    ///
    /// Every transform that is injective inverts its rule; the result is
    /// evaluated again before it is returned, so it is never wrong. Where a
    /// transform is not injective by itself (a modulo of which a slice takes one
    /// round), every coordinate is tried, up to 65,536.
    ///
    /// # Errors
    ///
    /// [`Error::NoCoordinate`] for an offset in a gap or behind the end,
    /// [`Error::Undecided`] where too many coordinates would have to be tried.
    pub const fn coordinate_of(&self, offset: u32) -> Result<List, Error> {
        let mut hidden = [0; Self::MOST_HIDDEN];
        hidden[0] = offset;
        let (mut found, mut exact, mut n) = (true, true, 0);
        while n < self.node_count {
            found = self.nodes[n].raise(&mut hidden) && found;
            exact = matches!(self.nodes[n].op.injective(), Injective::Yes) && exact;
            n += 1;
        }
        let index = gather(&hidden, &self.top);
        let index = List::new(index.split_at(self.top.len()).0);
        if found && self.is_at(&index, offset) {
            return Ok(index);
        }
        if exact { Err(Error::NoCoordinate { offset }) } else { self.search(offset) }
    }

    const fn is_at(&self, index: &List, offset: u32) -> bool {
        matches!(self.offset(index.as_slice()), Ok(here) if here == offset)
    }

    /// The first coordinate with an offset, all tried.
    const fn search(&self, offset: u32) -> Result<List, Error> {
        if self.elements() > 65_536 {
            return Err(Error::Undecided { law: "invertible", elements: self.elements() });
        }
        let mut id = 0;
        while id < self.elements() {
            let index = self.nth(id);
            if self.is_at(&index, offset) {
                return Ok(index);
            }
            id += 1;
        }
        Err(Error::NoCoordinate { offset })
    }

    /// The coordinate with the linear id `id`, the last dimension fastest.
    #[must_use]
    pub const fn nth(&self, id: u64) -> List {
        let lengths = self.lengths();
        let mut index = [0; List::CAPACITY];
        let mut rest = id;
        let mut i = lengths.len();
        while i > 0 {
            i -= 1;
            index[i] = (rest % lengths.as_slice()[i] as u64) as u32;
            rest /= lengths.as_slice()[i] as u64;
        }
        List::new(index.split_at(lengths.len()).0)
    }
}

impl Node {
    /// Computes the lower dimensions from the upper ones.
    const fn lower(&self, hidden: &mut Hidden) {
        let mut up = [Word(0); List::CAPACITY];
        let mut low = [Word(0); List::CAPACITY];
        let mut i = 0;
        while i < self.upper.len() {
            up[i] = Word(hidden[self.upper.as_slice()[i] as usize]);
            i += 1;
        }
        self.op.lower(&up, &mut low);
        let mut i = 0;
        while i < self.lower.len() {
            hidden[self.lower.as_slice()[i] as usize] = low[i].0;
            i += 1;
        }
    }

    /// Computes the upper dimensions from the lower ones.
    pub(crate) const fn raise(&self, hidden: &mut Hidden) -> bool {
        let mut up = [0; List::CAPACITY];
        let found = self.op.raise(&gather(hidden, &self.lower), &mut up);
        let mut i = 0;
        while i < self.upper.len() {
            hidden[self.upper.as_slice()[i] as usize] = up[i];
            i += 1;
        }
        found
    }
}

/// The values of some hidden dimensions.
pub(crate) const fn gather(hidden: &Hidden, ids: &List) -> [u32; List::CAPACITY] {
    let mut values = [0; List::CAPACITY];
    let mut i = 0;
    while i < ids.len() {
        values[i] = hidden[ids.as_slice()[i] as usize];
        i += 1;
    }
    values
}

const fn saturate(length: u64) -> u32 {
    if length > u32::MAX as u64 { u32::MAX } else { length as u32 }
}

const fn naive_op(lengths: &[u32], strides: &[u32]) -> Result<Op, Error> {
    let lengths = attempt_number!(List::from_slice(lengths));
    let strides = attempt_number!(List::from_slice(strides));
    Ok(Op::Embed { lengths, strides })
}

/// Last stride 1; the next a multiple of `align` that holds a row; then packed.
pub(crate) const fn aligned_strides(lengths: &List, align: u32) -> Result<List, Error> {
    if align == 0 {
        return Err(Error::Number(Fault::DivideByZero));
    }
    let mut padded = *lengths;
    if let Ok(last) = lengths.get(lengths.len().wrapping_sub(1)) {
        let row = (last as u64).div_ceil(align as u64) * align as u64;
        let outer = attempt_number!(lengths.part(0, lengths.len() - 1));
        padded = attempt_number!(outer.push_back(saturate(row)));
    }
    Ok(padded.reverse_exclusive_scan(Fold::Product))
}

type IdLists = ([List; List::CAPACITY], usize);

const fn id_lists(ids: &[&[u32]]) -> Result<IdLists, Error> {
    if ids.len() > List::CAPACITY {
        return Err(Error::TooLarge { what: "transforms in a stage", most: 12 });
    }
    let mut lists = [List::EMPTY; List::CAPACITY];
    let mut i = 0;
    while i < ids.len() {
        lists[i] = attempt_number!(List::from_slice(ids[i]));
        i += 1;
    }
    Ok((lists, ids.len()))
}

const fn total(lists: &[List]) -> usize {
    let (mut total, mut i) = (0, 0);
    while i < lists.len() {
        total += lists[i].len();
        i += 1;
    }
    total
}

/// Every dimension below `rank` is named exactly once.
const fn permutation(side: Side, lists: &[List], rank: usize) -> Result<(), Error> {
    if rank > List::CAPACITY {
        return Err(Error::TooLarge { what: "dimensions", most: List::CAPACITY as u32 });
    }
    let mut seen = 0u32;
    let mut i = 0;
    while i < lists.len() {
        let mut j = 0;
        while j < lists[i].len() {
            let dimension = lists[i].as_slice()[j];
            if dimension >= rank as u32 {
                return Err(no_such(side, dimension, lists, rank));
            }
            if seen & 1 << dimension != 0 {
                return Err(Error::ClaimedTwice { stage: 0, side, dimension });
            }
            seen |= 1 << dimension;
            j += 1;
        }
        i += 1;
    }
    let missing = seen.trailing_ones();
    if missing < rank as u32 {
        return Err(Error::Unclaimed { stage: 0, side, dimension: missing });
    }
    Ok(())
}

/// An upper id past the end means that a smaller one was left out; say which.
const fn no_such(side: Side, dimension: u32, lists: &[List], rank: usize) -> Error {
    if matches!(side, Side::Lower) {
        return Error::NoSuchDimension { stage: 0, side, dimension, rank: rank as u32 };
    }
    let mut wanted = 0;
    while wanted < rank as u32 {
        let (mut found, mut i) = (false, 0);
        while i < lists.len() {
            let mut j = 0;
            while j < lists[i].len() {
                found |= lists[i].as_slice()[j] == wanted;
                j += 1;
            }
            i += 1;
        }
        if !found {
            return Error::Unclaimed { stage: 0, side, dimension: wanted };
        }
        wanted += 1;
    }
    Error::NoSuchDimension { stage: 0, side, dimension, rank: rank as u32 }
}

const fn arity(op: &Op, side: Side, takes: usize, given: usize) -> Error {
    Error::Arity { stage: 0, transform: op.name(), side, takes: takes as u32, given: given as u32 }
}

const fn graph_id(id: u32) -> Result<(), Error> {
    if id as usize >= Plan::MOST_HIDDEN {
        return Err(Error::TooLarge { what: "hidden dimensions", most: Plan::MOST_HIDDEN as u32 });
    }
    Ok(())
}

const fn translate(ids: &Hidden, list: &List, side: Side) -> Result<List, Error> {
    let mut result = List::EMPTY;
    let mut i = 0;
    while i < list.len() {
        let id = list.as_slice()[i];
        attempt!(graph_id(id));
        if ids[id as usize] == u32::MAX {
            return Err(Error::NoSuchDimension { stage: 0, side, dimension: id, rank: 0 });
        }
        result = attempt_number!(result.push_back(ids[id as usize]));
        i += 1;
    }
    Ok(result)
}

impl core::fmt::Debug for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Plan")
            .field("lengths", &self.lengths())
            .field("element_space", &self.space)
            .field("nodes", &self.nodes())
            .finish()
    }
}
