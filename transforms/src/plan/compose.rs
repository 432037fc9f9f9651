//! Plans from bases, stages and chains: where a composition is checked.
//!
//! | what is composed | what must hold |
//! |---|---|
//! | a base | no length of 0, a space within 32-bit offsets |
//! | a stage | every dimension below and above is named once; every transform gets the lengths it demands |
//! | a chain | the upper bottom is the lower top, length by length |
//!
//! CK Tile checks the ids and no length at all: six of eleven typical mistakes
//! compile silently there.

use crate::error::{Error, Side};
use crate::number::NumberError;
use crate::number::list::{Fold, List, head};
use crate::plan::{Node, Plan, UNBOUNDED, saturate};
use crate::transform::{Demand, Demands, Op};

impl Plan {
    const NOTHING: Node =
        Node { op: Op::Freeze { index: 0 }, lower: List::EMPTY, upper: List::EMPTY };

    /// `count` dimensions without transforms or known lengths: the bottom of an
    /// adaptor. What is stacked on them gives them their lengths.
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let two = Plan::bottoms(2)?;
    /// let xor = Op::Xor { length0: 128, length1: 8 };
    /// let swizzle = two.transform(&[xor], &[&[0, 1]], &[&[0, 1]])?;
    /// assert_eq!(swizzle.lengths(), [128, 8]);
    /// assert_eq!(swizzle, Plan::adaptor(&[xor], &[&[0, 1]], &[&[0, 1]])?);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// More than 12 dimensions.
    pub const fn bottoms(count: usize) -> Result<Self, Error> {
        if count > List::CAPACITY {
            return Err(Error::Number(NumberError::TooLong { length: count as u32 }));
        }
        Ok(Self::unbounded(count))
    }

    const fn unbounded(count: usize) -> Self {
        Self {
            nodes: [Self::NOTHING; Self::MOST_NODES],
            node_count: 0,
            lengths: [UNBOUNDED; Self::MOST_HIDDEN],
            hidden_count: count,
            top: List::iota(count),
            bottom_count: count,
            stages: 0,
            space: 0,
            origin: 0,
        }
    }

    /// Memory and one or two transforms over it.
    pub(crate) const fn base(op: Op, offset: Option<u32>) -> Result<Self, Error> {
        let mut plan = Self::memory();
        attempt!(plan.add_base(op, offset));
        Ok(plan)
    }

    /// One dimension, without a base yet.
    pub(crate) const fn memory() -> Self {
        Self::unbounded(1)
    }

    pub(crate) const fn add_base(&mut self, op: Op, offset: Option<u32>) -> Result<(), Error> {
        let upper = attempt!(op.upper_lengths() => Error::Number);
        let demands = op.demands();
        let space = demands.first();
        let one = List::one(0);
        if let Some(offset) = offset {
            self.origin = offset;
            if space > 1 << 32 {
                return Err(Error::SpaceTooLarge { elements: space });
            }
            let shift = Op::Offset { length: saturate(space), offset };
            let (length, below, mut top) = (List::one(saturate(space)), self.top, one);
            attempt!(self.attach(&shift, &length, &below, &one, &one, &mut top));
            self.top = top;
        }
        self.space = space;
        let (below, given) = (self.top, List::iota(upper.len()));
        let mut top = given;
        attempt!(self.settle(&op, demands, &below, &one));
        attempt!(self.connect(&op, &upper, &below, &given, &mut top));
        self.top = top;
        self.addressable()
    }

    /// Refuses an element space beyond 32-bit offsets.
    pub(crate) const fn addressable(&self) -> Result<(), Error> {
        let elements = self.space.saturating_add(self.origin as u64);
        if elements > 1 << 32 { Err(Error::SpaceTooLarge { elements }) } else { Ok(()) }
    }

    /// A naive descriptor: dimensions with strides, in elements.
    ///
    /// The element space is 1 + sum of (length - 1) * stride, as in CK Tile.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// // 8 elements of padding behind each row, but the last.
    /// let padded = Plan::naive(&[128, 64], &[72, 1])?;
    /// assert_eq!((padded.offset(&[3, 17])?, padded.element_space()), (233, 9208));
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Sizes that differ, a length of 0, a space beyond 32-bit offsets.
    pub const fn naive(lengths: &[u32], strides: &[u32]) -> Result<Self, Error> {
        Self::base(attempt!(naive_op(lengths, strides)), None)
    }

    /// A packed descriptor: the last dimension runs fastest, without gaps.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::packed(&[128, 64])?.offset(&[3, 17])?, 209);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub const fn packed(lengths: &[u32]) -> Result<Self, Error> {
        let lengths = attempt!(List::from_slice(lengths) => Error::Number);
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
        let lengths = attempt!(List::from_slice(lengths) => Error::Number);
        let strides = attempt!(aligned_strides(&lengths, align) => Error::Number);
        Self::base(Op::Embed { lengths, strides }, None)
    }

    /// A naive descriptor that starts at element `offset` of memory. The offset
    /// is not part of the element space, as in CK Tile.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::naive_with_offset(&[128, 64], &[72, 1], 1000)?.offset(&[3, 17])?, 1233);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
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
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::packed_with_offset(&[128, 64], 1000)?.offset(&[3, 17])?, 1209);
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`packed`](Self::packed).
    pub const fn packed_with_offset(lengths: &[u32], offset: u32) -> Result<Self, Error> {
        let lengths = attempt!(List::from_slice(lengths) => Error::Number);
        Self::base(Op::Unmerge { lengths }, Some(offset))
    }

    /// One stage of transforms without memory below, from coordinate to coordinate: CK's
    /// `make_single_stage_tensor_adaptor`. [`chain`](Self::chain) puts it over memory.
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
    ///     "stage 1: merge[16, 8] needs length 16, but dimension 0 has length 8"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Ids that are not a permutation, lengths that do not agree, more transforms
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
        attempt!(fits_a_stage(ops.len()));
        let mut i = 0;
        while i < ops.len() {
            made[i] = Ok(ops[i]);
            i += 1;
        }
        self.stage(head(&made, ops.len()), head(&lower, lower_len), head(&upper, upper_len))
    }

    /// [`transform`](Self::transform) from the constants of types.
    pub(crate) const fn stage(
        &self,
        ops: &[Result<Op, NumberError>],
        lower: &[List],
        upper: &[List],
    ) -> Result<Self, Error> {
        let mut plan = *self;
        attempt!(plan.add_stage(ops, &Wires::new(lower), &Wires::new(upper)));
        Ok(plan)
    }

    /// [`stage`](Self::stage) in place, without a copy of the plan: see DESIGN, "What the compiler pays for".
    pub(crate) const fn add_stage(
        &mut self,
        ops: &[Result<Op, NumberError>],
        lower: &Wires<'_>,
        upper: &Wires<'_>,
    ) -> Result<(), Error> {
        match self.add_unnumbered_stage(ops, lower, upper) {
            Ok(()) => {
                self.stages += 1;
                Ok(())
            }
            Err(error) => Err(error.at_stage(self.stages + 1)),
        }
    }

    /// On an error it may be half done.
    const fn add_unnumbered_stage(
        &mut self,
        ops: &[Result<Op, NumberError>],
        lower: &Wires<'_>,
        upper: &Wires<'_>,
    ) -> Result<(), Error> {
        let count = ops.len();
        if count != lower.count || count != upper.count {
            return Err(Error::StageSizes {
                stage: 0,
                transforms: count as u32,
                lower: lower.count as u32,
                upper: upper.count as u32,
            });
        }
        if !lower.once || lower.named != self.top.count || !upper.once {
            attempt!(permutation(Side::Lower, lower.lists, self.top.len()));
            attempt!(permutation(Side::Upper, upper.lists, upper.named as usize));
        }
        let mut top = List::EMPTY;
        let mut i = 0;
        while i < count {
            let op = match &ops[i] {
                Ok(op) => op,
                Err(fault) => return Err(Error::Number(*fault)),
            };
            let names = &lower.lists[i];
            let given = &upper.lists[i];
            i += 1;
            if let Op::PassThrough { length } = *op
                && self.passes(length, names, given, &mut top)
            {
                continue;
            }
            let lengths = attempt!(op.upper_lengths() => Error::Number);
            if lengths.count != given.count {
                return Err(arity(op, Side::Upper, lengths.len(), given.len()));
            }
            let below = self.below(names);
            attempt!(self.attach(op, &lengths, &below, names, given, &mut top));
        }
        top.count = upper.named;
        self.top = top;
        Ok(())
    }

    /// Adds a pass through, as [`attach`](Self::attach) does; false, and nothing is done, where that has something to refuse.
    /// They are so frequent that skipping all checks pays: see DESIGN, "What the compiler pays for".
    const fn passes(&mut self, length: u32, names: &List, given: &List, top: &mut List) -> bool {
        let n = self.node_count;
        let id = self.hidden_count;
        if names.count != 1 || given.count != 1 || n == Self::MOST_NODES || id == Self::MOST_HIDDEN
        {
            return false;
        }
        let below = self.top.items[names.items[0] as usize];
        if length == 0 || self.lengths[below as usize] != length as u64 {
            return false;
        }
        let op = Op::PassThrough { length };
        self.nodes[n] = Node { op, lower: List::one(below), upper: List::one(id as u32) };
        self.lengths[id] = length as u64;
        top.items[given.items[0] as usize] = id as u32;
        self.node_count = n + 1;
        self.hidden_count = id + 1;
        true
    }

    /// The hidden ids of some top dimensions.
    const fn below(&self, dimensions: &List) -> List {
        let mut ids = *dimensions;
        let count = dimensions.count as usize;
        let mut i = 0;
        while i < count {
            ids.items[i] = self.top.items[dimensions.items[i] as usize];
            i += 1;
        }
        ids
    }

    /// Adds a node over hidden dimensions `lower`, with new ones of `lengths` above, whose ids go to `top` at the positions
    /// `given`. `names` are the dimensions below as the user counts them, for errors.
    pub(crate) const fn attach(
        &mut self,
        op: &Op,
        lengths: &List,
        lower: &List,
        names: &List,
        given: &List,
        top: &mut List,
    ) -> Result<(), Error> {
        attempt!(self.settle(op, op.demands(), lower, names));
        self.connect(op, lengths, lower, given, top)
    }

    /// [`attach`](Self::attach) for a transform that was checked.
    const fn connect(
        &mut self,
        op: &Op,
        lengths: &List,
        lower: &List,
        given: &List,
        top: &mut List,
    ) -> Result<(), Error> {
        if self.node_count == Self::MOST_NODES {
            return Err(Error::TooLarge { what: "transforms", most: Self::MOST_NODES as u32 });
        }
        let first = self.hidden_count;
        let count = lengths.count as usize;
        if first + count > Self::MOST_HIDDEN {
            let most = Self::MOST_HIDDEN as u32;
            return Err(Error::TooLarge { what: "dimensions in all stages", most });
        }
        // As many as the lengths.
        let mut upper = *lengths;
        let mut i = 0;
        while i < count {
            let id = first + i;
            self.lengths[id] = lengths.items[i] as u64;
            upper.items[i] = id as u32;
            top.items[given.items[i] as usize] = id as u32;
            i += 1;
        }
        self.hidden_count = first + count;
        self.nodes[self.node_count] = Node { op: *op, lower: *lower, upper };
        self.node_count += 1;
        Ok(())
    }

    /// Checks a transform and its demands against the dimensions below it; an unbounded one
    /// takes the length that is demanded exactly.
    const fn settle(
        &mut self,
        op: &Op,
        demands: Demands,
        lower: &List,
        names: &List,
    ) -> Result<(), Error> {
        match demands {
            Demands::None if lower.count == 0 => {}
            Demands::One(Demand::Exactly(length)) if lower.count == 1 => {
                attempt!(self.settle_one(op, lower, names, 0, length));
            }
            Demands::One(needs @ Demand::AtLeast(length)) if lower.count == 1 => {
                let has = self.lengths[lower.items[0] as usize];
                if length > has {
                    return Err(differs(op, needs, names.items[0], has));
                }
            }
            Demands::Each(lengths) if lengths.count == lower.count => {
                let count = lengths.count as usize;
                let mut i = 0;
                while i < count {
                    let length = lengths.items[i] as u64;
                    if self.lengths[lower.items[i] as usize] != length {
                        attempt!(self.settle_one(op, lower, names, i, length));
                    }
                    i += 1;
                }
            }
            demands => return Err(arity(op, Side::Lower, demands.len(), lower.len())),
        }
        op.check(names)
    }

    /// Checks the length that a transform demands of its lower dimension `i`.
    const fn settle_one(
        &mut self,
        op: &Op,
        lower: &List,
        names: &List,
        i: usize,
        length: u64,
    ) -> Result<(), Error> {
        let id = lower.items[i] as usize;
        let has = self.lengths[id];
        if has == length {
            return Ok(());
        }
        if has != UNBOUNDED {
            return Err(differs(op, Demand::Exactly(length), names.items[i], has));
        }
        self.lengths[id] = length;
        Ok(())
    }

    /// An adaptor over a plan: `above`'s bottom dimensions are this plan's top
    /// dimensions, in order (CK `chain_tensor_adaptors`).
    ///
    /// ```
    /// use tiledesc_transforms::{Op, Plan};
    ///
    /// let xor = Op::Xor { length0: 128, length1: 8 };
    /// let swizzle = Plan::adaptor(&[xor], &[&[0, 1]], &[&[0, 1]])?;
    /// assert_eq!(swizzle.bottom(&[10, 5])?, [10, 5 ^ 2]);
    /// let tile = Plan::packed(&[128, 8])?.chain(&swizzle)?;
    /// assert_eq!(tile.offset(&[10, 5])?, 10 * 8 + 7);
    /// assert_eq!(
    ///     Plan::packed(&[64, 8])?.chain(&swizzle).unwrap_err().to_string(),
    ///     "chain: dimension 0 has length 64 below and 128 above",
    /// );
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Ranks or lengths that differ; nothing above; more than a plan holds.
    pub const fn chain(&self, above: &Self) -> Result<Self, Error> {
        if above.bottom_count != self.top.len() {
            return Err(Error::Rank {
                wanted: self.top.len() as u32,
                given: above.bottom_count as u32,
            });
        }
        if above.node_count == 0 {
            return Err(Error::EmptyChain);
        }
        let mut plan = *self;
        let mut i = 0;
        while i < above.bottom_count {
            let id = self.top.at(i) as usize;
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
            let lengths = attempt!(node.op.upper_lengths() => Error::Number);
            let (given, mut top) = (List::iota(lengths.len()), List::EMPTY);
            attempt!(plan.attach(&node.op, &lengths, &lower, &node.lower, &given, &mut top));
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
            let id = ids.at(i) as usize;
            shifted[i] = if id < above.bottom_count {
                self.top.at(id)
            } else {
                (id - above.bottom_count + self.hidden_count) as u32
            };
            i += 1;
        }
        List::of_first(shifted, ids.len())
    }
}

const fn naive_op(lengths: &[u32], strides: &[u32]) -> Result<Op, Error> {
    let lengths = attempt!(List::from_slice(lengths) => Error::Number);
    let strides = attempt!(List::from_slice(strides) => Error::Number);
    Ok(Op::Embed { lengths, strides })
}

/// Last stride 1; the next a multiple of `align` that holds a row; then packed.
pub(crate) const fn aligned_strides(lengths: &List, align: u32) -> Result<List, NumberError> {
    if align == 0 {
        return Err(NumberError::DivideByZero);
    }
    let mut padded = *lengths;
    if let Ok(last) = lengths.get(lengths.len().wrapping_sub(1)) {
        let row = (last as u64).div_ceil(align as u64) * align as u64;
        let outer = attempt!(lengths.part(0, lengths.len() - 1));
        padded = attempt!(outer.push_back(saturate(row)));
    }
    padded.reverse_exclusive_scan(Fold::Product)
}

const fn fits_a_stage(transforms: usize) -> Result<(), Error> {
    if transforms <= List::CAPACITY {
        return Ok(());
    }
    Err(Error::TooLarge { what: "transforms in a stage", most: List::CAPACITY as u32 })
}

type IdLists = ([List; List::CAPACITY], usize);

const fn id_lists(ids: &[&[u32]]) -> Result<IdLists, Error> {
    attempt!(fits_a_stage(ids.len()));
    let mut lists = [List::EMPTY; List::CAPACITY];
    let mut i = 0;
    while i < ids.len() {
        lists[i] = attempt!(List::from_slice(ids[i]) => Error::Number);
        i += 1;
    }
    Ok((lists, ids.len()))
}

/// The dimensions that each transform of a stage names, and what is to be seen of all. Of a type
/// it is a constant, found once for all stages that are wired alike.
#[derive(Clone, Copy, Debug)]
pub struct Wires<'a> {
    lists: &'a [List],
    count: usize,
    /// The number of dimensions that are named.
    named: u32,
    /// True if they are all dimensions below that number, each once.
    once: bool,
}

impl<'a> Wires<'a> {
    /// Returns the wires of the lists that each transform names.
    pub(crate) const fn new(lists: &'a [List]) -> Self {
        let mut named = 0;
        let mut i = 0;
        while i < lists.len() {
            named += lists[i].count;
            i += 1;
        }
        let once = permutation(Side::Lower, lists, named as usize).is_ok();
        Self { lists, count: lists.len(), named, once }
    }
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
        while j < lists[i].count as usize {
            let dimension = lists[i].items[j];
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

/// Names the smaller id that was left out, where an upper id is past the end.
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
                found |= lists[i].at(j) == wanted;
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

const fn differs(op: &Op, needs: Demand, dimension: u32, has: u64) -> Error {
    let (transform, declared) = (op.name(), op.parameters());
    Error::LengthDiffers { stage: 0, transform, declared, needs, dimension, has }
}

pub(super) const fn arity(op: &Op, side: Side, takes: usize, given: usize) -> Error {
    Error::Arity { stage: 0, transform: op.name(), side, takes: takes as u32, given: given as u32 }
}
