//! The number of neighbours along a dimension that one instruction can move.
//!
//! A 16-byte LDS instruction needs 8 fp16 elements side by side. CK Tile
//! *claims* such lengths: a promise of the caller is passed from transform to
//! transform, and one of the 56 claims in its own tables is false. Here nothing is
//! claimed; the guarantee is computed from the map.
//!
//! Walk along a dimension, all others held. A *break* is an index at which the
//! offset does not grow by the stride, or where memory meets padding, for some
//! value of the others; steps within padding do not count. Blocks of V, starting
//! at multiples of V, are whole exactly if every break is a multiple of V; so
//!
//! ```text
//!   V = gcd of all breaks         (the length of the dimension, if there is none)
//! ```
//!
//! | layout (fp16, 128 x 64) | along k | CK claims |
//! |---|---|---|
//! | row-major | 64 | 8 (what it was promised) |
//! | xor of packs of 8 | 8 | 8 |
//! | xor over the contiguous dimension | 1 | 8, false |
//!
//! Every transform has its effect on a walk ([`Op`](crate::Op)'s `run`); that gives a V that holds. Whether a larger one holds
//! too is decided by looking for a break between, up to [`Plan::MOST_TRIED`] steps: so the answer is exact for every layout of up
//! to 65,536 elements, and never too large for any. Of the others only those dimensions are varied that meet the walked one below
//! a transform that does more than add: rows of a table look-up are walked once, and not 128 times.

use crate::error::Error;
use crate::number::list::List;
use crate::plan::Plan;
use crate::transform::{Run, gcd};

/// The guarantee for every aligned block along a dimension.
///
/// ```
/// use tiledesc_transforms::Plan;
///
/// let padded = Plan::naive(&[128, 64], &[72, 1])?;
/// let along = padded.vector(1)?;
/// assert_eq!((along.length, along.stride), (64, 1));
/// # Ok::<(), tiledesc_transforms::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Elements in a block. Blocks begin at multiples of it; the last may be cut.
    pub length: u32,
    /// Offset from one element of a block to the next, in elements; 0 if blocks
    /// have one element.
    pub stride: i64,
}

impl Plan {
    /// The vector guarantee along a top dimension.
    ///
    /// ```
    /// use tiledesc_transforms::{Plan, Vector};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    /// assert_eq!(rows.vector(1), Ok(Vector { length: 64, stride: 1 }));
    /// assert_eq!(rows.vector(0), Ok(Vector { length: 128, stride: 72 }));
    /// ```
    ///
    /// # Errors
    ///
    /// A dimension that does not exist.
    pub const fn vector(&self, dimension: usize) -> Result<Vector, Error> {
        let walk = attempt!(Walk::new(self, dimension));
        let period = walk.run.period;
        let length = if period == 0 || period >= walk.length as u64 {
            walk.length
        } else {
            walk.blocks(period as u32)
        };
        let stride = if length > 1 { walk.stride } else { 0 };
        Ok(Vector { length, stride })
    }

    /// Returns whether all blocks of this many elements along a top dimension, from multiples of it on, are contiguous: offsets
    /// grow by 1, and the last block may be cut. Where the structure decides it, nothing is walked.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let padded = Plan::naive(&[128, 64], &[72, 1])?;
    /// assert_eq!((padded.has_blocks(1, 8), padded.has_blocks(0, 8)), (Ok(true), Ok(false)));
    /// # Ok::<(), tiledesc_transforms::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A dimension that does not exist.
    pub const fn has_blocks(&self, dimension: usize, elements: u32) -> Result<bool, Error> {
        let walk = attempt!(Walk::new(self, dimension));
        let period = walk.run.period;
        if elements <= 1 || period == 0 || period.is_multiple_of(elements as u64) {
            return Ok(elements <= 1 || walk.length == 1 || walk.stride == 1);
        }
        let length =
            if period >= walk.length as u64 { walk.length } else { walk.blocks(period as u32) };
        let is_whole = length == walk.length || length.is_multiple_of(elements);
        Ok(is_whole && (length <= 1 || walk.stride == 1))
    }

    /// The largest power of two that divides the offset of the first element of
    /// every [`vector`](Self::vector) along a dimension, in elements: an
    /// instruction that moves 8 elements needs 8. 1 if there are too many blocks
    /// to look at.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert_eq!(Plan::naive(&[128, 64], &[72, 1]).unwrap().alignment(1), Ok(8));
    /// ```
    ///
    /// # Errors
    ///
    /// A dimension that does not exist.
    pub const fn alignment(&self, dimension: usize) -> Result<u32, Error> {
        let block = attempt!(self.vector(dimension)).length;
        let (mut walked, mut first) = (attempt!(Walk::new(self, dimension)), 0);
        let (mut done, mut each, mut bits) = (walked.varied, block, 1u32 << 31);
        // What only adds to the offset is walked by itself: 128 rows and 8 blocks are 136 offsets.
        loop {
            match walked.offset_bits(each) {
                Some(more) => bits |= more,
                None => return Ok(1),
            }
            while first < self.rank() && done >> first & 1 == 1 {
                first += 1;
            }
            if first == self.rank() {
                return Ok(1 << bits.trailing_zeros());
            }
            walked = attempt!(Walk::new(self, first));
            let within = walked.base.at(dimension) % block;
            walked.base = walked.base.with(dimension, walked.base.at(dimension) - within);
            (done, each) = (done | walked.varied, 1);
        }
    }

    /// The dimensions that change what a walk along one finds, as bits, and a valid
    /// coordinate to hold the others at: those only add to the offset.
    ///
    /// A dimension matters if it meets the walked one, or one that matters, above a transform
    /// that does more than add, or that checks. If no coordinate is known to be valid, all do.
    const fn varied(&self, dimension: usize) -> (u32, List) {
        let mut place = 0;
        while place < 3 {
            let base = self.lengths().around(place);
            if self.accepts(&self.evaluate(base.as_slice())) {
                return (self.mixed(dimension), base);
            }
            place += 1;
        }
        (ALL, List::EMPTY)
    }

    const fn mixed(&self, dimension: usize) -> u32 {
        let mut mixed = 1 << dimension;
        loop {
            let more = self.joined(mixed);
            if more == mixed {
                return mixed;
            }
            mixed = more;
        }
    }

    /// The dimensions of `mixed`, and those that meet them.
    const fn joined(&self, mut mixed: u32) -> u32 {
        let (mut from, mut i) = ([0u32; Self::MOST_HIDDEN], 0);
        while i < self.rank() {
            from[self.top().at(i) as usize] = 1 << i;
            i += 1;
        }
        let mut n = self.nodes().len();
        while n > 0 {
            n -= 1;
            let node = &self.nodes()[n];
            let (mut all, mut i) = (0, 0);
            while i < node.upper.len() {
                all |= from[node.upper.at(i) as usize];
                i += 1;
            }
            let adds = node.op.is_affine() && node.op.is_always_valid();
            if !adds && all & mixed != 0 {
                mixed |= all;
            }
            let mut i = 0;
            while i < node.lower.len() {
                from[node.lower.at(i) as usize] = all;
                i += 1;
            }
        }
        mixed
    }

    /// Returns the walk along a top dimension by structure alone.
    const fn run(&self, dimension: usize) -> Run {
        let mut runs = [Run::STILL; Self::MOST_HIDDEN];
        runs[0] = Run { period: 0, stride: 1 };
        let nodes = self.nodes();
        let mut n = 0;
        while n < nodes.len() {
            let mut low = [Run::STILL; List::CAPACITY];
            let mut up = [Run::STILL; List::CAPACITY];
            let mut i = 0;
            while i < nodes[n].lower.len() {
                low[i] = runs[nodes[n].lower.as_slice()[i] as usize];
                i += 1;
            }
            if nodes[n].op.leaves_dimension() {
                // Rules promise nothing outside their dimensions.
                return Run::BROKEN;
            }
            nodes[n].op.run(&low, &mut up);
            let mut i = 0;
            while i < nodes[n].upper.len() {
                runs[nodes[n].upper.as_slice()[i] as usize] = up[i];
                i += 1;
            }
            n += 1;
        }
        runs[self.top().as_slice()[dimension] as usize]
    }
}

/// Every dimension, as bits.
const ALL: u32 = u32::MAX;

/// One dimension walked, all others held at a *context*.
struct Walk<'p> {
    plan: &'p Plan,
    dimension: usize,
    lengths: List,
    length: u32,
    /// The dimensions that are varied, as bits; the others are held at `base`.
    varied: u32,
    base: List,
    /// The walk by structure alone.
    run: Run,
    /// The first step in memory: what every step inside a block is.
    stride: i64,
}

/// The offset and the validity at one coordinate.
#[derive(Clone, Copy)]
struct Place {
    offset: u32,
    valid: bool,
}

impl<'p> Walk<'p> {
    const fn new(plan: &'p Plan, dimension: usize) -> Result<Self, Error> {
        let lengths = plan.lengths();
        let rank = lengths.len() as u32;
        if dimension >= lengths.len() {
            return Err(Error::NoDimension { dimension: dimension as u32, rank });
        }
        let length = lengths.as_slice()[dimension];
        let run = plan.run(dimension);
        let (varied, base) = plan.varied(dimension);
        let stride = run.stride;
        let mut walk = Self { plan, dimension, lengths, length, varied, base, run, stride };
        walk.stride = walk.first_step();
        Ok(walk)
    }

    /// The offsets of every `each`th index in all contexts, or-ed: those of the dimensions that
    /// are varied, for the others add to them what their own walks find. `None` where there are too
    /// many to look at.
    const fn offset_bits(&self, each: u32) -> Option<u32> {
        let start = self.look(0, 0);
        if self.varied == 1 << self.dimension && self.run.period == 0 && start.valid {
            // One stride all along.
            let further = if each < self.length { each as i64 * self.run.stride } else { 0 };
            return Some(start.offset | further as u32);
        }
        let steps = self.length.div_ceil(each) as u64;
        if self.contexts().saturating_mul(steps) > Plan::MOST_TRIED {
            return None;
        }
        let (mut bits, mut context) = (0, 0);
        while context < self.contexts() {
            let mut step = 0;
            while step < steps {
                let here = self.look(context, (step * each as u64) as u32);
                bits |= if here.valid { here.offset } else { 0 };
                step += 1;
            }
            context += 1;
        }
        Some(bits)
    }

    /// The first step from memory to memory; the run's stride if none is found in
    /// reasonable time, 0 if there is none.
    const fn first_step(&self) -> i64 {
        // Without a step, no context would count as tried.
        if self.length == 1 {
            return 0;
        }
        let (mut context, mut tried) = (0, 0);
        while context < self.contexts() && tried < Plan::MOST_TRIED {
            let mut at = 1;
            while at < self.length && tried < Plan::MOST_TRIED {
                let (before, here) = (self.look(context, at - 1), self.look(context, at));
                if before.valid && here.valid {
                    return difference(here, before);
                }
                at += 1;
                tried += 1;
            }
            context += 1;
        }
        if tried < Plan::MOST_TRIED { 0 } else { self.run.stride }
    }

    /// Returns whether a dimension is part of the context.
    const fn varies(&self, dimension: usize) -> bool {
        dimension != self.dimension && self.varied >> dimension & 1 == 1
    }

    /// The number of coordinates of the dimensions that are varied, saturated.
    const fn contexts(&self) -> u64 {
        let (mut contexts, mut i) = (1u64, 0);
        while i < self.lengths.len() {
            if self.varies(i) {
                contexts = contexts.saturating_mul(self.lengths.at(i) as u64);
            }
            i += 1;
        }
        contexts
    }

    /// Index `at` of the dimension, in one context.
    const fn look(&self, context: u64, at: u32) -> Place {
        let mut index = [0; List::CAPACITY];
        let mut rest = context;
        let mut i = self.lengths.len();
        while i > 0 {
            i -= 1;
            if i == self.dimension {
                index[i] = at;
            } else if !self.varies(i) {
                index[i] = self.base.at(i);
            } else {
                let length = self.lengths.as_slice()[i] as u64;
                index[i] = (rest % length) as u32;
                rest /= length;
            }
        }
        let hidden = self.plan.evaluate(index.split_at(self.lengths.len()).0);
        Place { offset: hidden[0], valid: self.plan.accepts(&hidden) }
    }

    /// The size of whole blocks, given that breaks are multiples of `period`:
    /// the gcd of all breaks, or `period` where there are too many to look at.
    const fn blocks(&self, period: u32) -> u32 {
        let steps = self.length.div_ceil(period) as u64 - 1;
        let contexts = self.contexts();
        // Where not all are looked at the answer is `period`, whatever the others say.
        if contexts.saturating_mul(steps) > Plan::MOST_TRIED {
            return period;
        }
        let mut common = 0;
        let mut context = 0;
        while context < contexts && common != period as u64 {
            let mut at = period as u64;
            while at < self.length as u64 && common != period as u64 {
                if self.breaks(context, at as u32) {
                    common = gcd(common, at);
                }
                at += period as u64;
            }
            context += 1;
        }
        if common == 0 { self.length } else { common as u32 }
    }

    /// Returns whether the step to index `at` is not a step inside a block.
    const fn breaks(&self, context: u64, at: u32) -> bool {
        let (before, here) = (self.look(context, at - 1), self.look(context, at));
        before.valid != here.valid || (here.valid && difference(here, before) != self.stride)
    }
}

/// A signed 32-bit difference: strides are small against the offset range.
const fn difference(here: Place, before: Place) -> i64 {
    here.offset.wrapping_sub(before.offset).cast_signed() as i64
}
