//! Digits: an offset as strides times xors of bits.
//!
//! Xor, merge and unmerge of powers of two only move bits about: each bit of the
//! coordinate flips some bits of the result, whatever the others are. A naive base then
//! multiplies such *digits* by its strides and adds them up:
//!
//! ```text
//!   128 x 64, packs of 8, xor:  digits  chunk (k / 8) xor (m mod 8)   row m   k mod 8
//!                               strides 8                             64      1
//! ```
//!
//! So 13 columns replace 8192 offsets, for a padded tile as well. The digits are found by the transforms' own index rules,
//! evaluated over [`Bits`] in place of numbers: nothing is tried and nothing is claimed. A map that adds with a carry below its
//! base, divides by other numbers, pads, or looks up has none, unless it only adds up multiples of its indices. Where the strides
//! are powers of two and no bits meet, all digits are one: the map is [linear](Digits::is_linear). A base added to it keeps it linear
//! where no carry is a product of inputs.
//!
//! One evaluation by digits costs the compiler far less than one by the plan: see DESIGN, "What the
//! compiler pays for".

mod many;
mod rows;

use crate::index::Bits;
use crate::index::bits::column;
use crate::linear::{Linear, carry};
use crate::number::list::{Fold, List};
use crate::plan::{Plan, saturate};
use crate::transform::Op;

/// The digits of a descriptor and their strides.
///
/// ```
/// use tiledesc_transforms::{Digits, List, Op, Plan};
///
/// const SWIZZLED: Plan = {
///     let base = match Plan::packed(&[128, 8]) { Ok(plan) => plan, Err(_) => panic!() };
///     let xor = Op::Xor { length0: 128, length1: 8 };
///     match base.transform(&[xor], &[&[0, 1]], &[&[0, 1]]) { Ok(plan) => plan, Err(_) => panic!() }
/// };
/// const DIGITS: Digits = match SWIZZLED.digits() { Some(digits) => digits, None => panic!() };
/// assert_eq!(DIGITS.offset(&List::new(&[10, 5])), Some(10 * 8 + 7));
/// assert_eq!(DIGITS.offset(&List::new(&[10, 8])), None);
/// // One xor of columns; neighbours in an odd row change places.
/// assert!(DIGITS.is_linear() && !DIGITS.is_contiguous(1, 2));
/// // Strides may be any numbers, lengths to divide by may not.
/// assert!(Plan::naive(&[8, 8], &[3, 5]).unwrap().digits().is_some());
/// let seen_as_one = Op::Merge { lengths: List::new(&[6, 7]) };
/// let merged = Plan::packed(&[6, 7]).unwrap().transform(&[seen_as_one], &[&[0, 1]], &[&[0]]);
/// assert!(merged.unwrap().digits().is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Digits {
    /// Each an xor of columns; the offset is the sum of digit times stride.
    digits: [Bits; List::CAPACITY],
    strides: [u32; List::CAPACITY],
    digit_count: usize,
    /// The offset added to all digits.
    origin: u32,
    lengths: [u32; List::CAPACITY],
    /// The first input bit of each top dimension.
    first: [u32; List::CAPACITY],
    rank: usize,
    /// The number of input bits.
    inputs: u32,
}

impl Plan {
    /// The digits, if the map has any; an adaptor of several bottoms has none.
    #[must_use]
    pub const fn digits(&self) -> Option<Digits> {
        match self.digits_by_bits() {
            None => self.digits_of_indices(),
            found => found,
        }
    }

    /// Each index as a digit, where transforms only add up multiples of indices: rows of 66 within a line of memory.
    const fn digits_of_indices(&self) -> Option<Digits> {
        let adds = all!(n, 0..self.node_count, {
            let op = &self.nodes[n].op;
            op.is_affine() && op.is_always_valid()
        });
        if !adds || self.bottom_count != 1 {
            return None;
        }
        let mut index = [0; List::CAPACITY];
        let (origin, mut strides) = (self.evaluate(&index)[0], index);
        range!(d, 0..self.rank(), {
            index[d] = 1;
            strides[d] = self.evaluate(&index)[0].wrapping_sub(origin);
            index[d] = 0;
        });
        let strides = List::of_first(strides, self.rank());
        match Self::naive_with_offset(self.lengths().as_slice(), strides.as_slice(), origin) {
            Ok(plan) => plan.digits_by_bits(),
            Err(_) => None,
        }
    }

    const fn digits_by_bits(&self) -> Option<Digits> {
        if self.bottom_count != 1 {
            return None;
        }
        let mut hidden = [Bits::ZERO; Self::MOST_HIDDEN];
        let mut found = Digits::EMPTY;
        if !found.take_inputs(self, &mut hidden) {
            return None;
        }
        let base = self.naive_base();
        down!(above, base.nodes..self.node_count, {
            let node = &self.nodes[above];
            // Frequent, and cheaper for the compiler than asking its rule.
            if let Op::PassThrough { .. } = node.op {
                hidden[node.lower.items[0] as usize] = hidden[node.upper.items[0] as usize];
                continue;
            }
            if !node.op.is_always_valid() {
                return None;
            }
            node.lower_bits(&mut hidden);
        });
        let digits = if base.nodes > 0 { self.nodes[base.nodes - 1].upper } else { Base::MEMORY };
        if found.sum_up(&hidden, &digits, &base.strides, base.offset) { Some(found) } else { None }
    }

    /// The embed of a descriptor over memory, and the offset below it.
    const fn naive_base(&self) -> Base {
        let lowest = &self.nodes[0];
        if self.node_count == 0 || lowest.lower.items[0] != 0 {
            return Base::NONE;
        }
        let (below, at, offset) = match lowest.op {
            Op::Offset { offset, .. } => (lowest.upper.items[0], 1, offset),
            _ => (0, 0, 0),
        };
        let node = &self.nodes[at];
        if at == self.node_count || node.lower.items[0] != below {
            return Base::NONE;
        }
        match node.op {
            Op::Embed { strides, .. } => Base { nodes: at + 1, strides, offset },
            // Without an offset its digits are bits, too.
            Op::Unmerge { lengths } if at == 1 => {
                match lengths.reverse_exclusive_scan(Fold::Product) {
                    Ok(strides) => Base { nodes: at + 1, strides, offset },
                    Err(_) => Base::NONE,
                }
            }
            _ => Base::NONE,
        }
    }
}

/// Memory below a descriptor: strides and an offset, the first `nodes` of a plan.
struct Base {
    nodes: usize,
    strides: List,
    offset: u32,
}

impl Base {
    const NONE: Self = Self { nodes: 0, strides: List::one(1), offset: 0 };
    /// The hidden dimension of memory, where there is no embed.
    const MEMORY: List = List::one(0);
}

/// The bits of an index below a length.
const fn width(length: u32) -> u32 {
    if length > 1 { 32 - (length - 1).leading_zeros() } else { 0 }
}

impl Digits {
    const EMPTY: Self = Self {
        digits: [Bits::ZERO; List::CAPACITY],
        strides: [0; List::CAPACITY],
        digit_count: 0,
        origin: 0,
        lengths: [0; List::CAPACITY],
        first: [0; List::CAPACITY],
        rank: 0,
        inputs: 0,
    };

    /// Every top index as bits of the input, the last dimension lowest; false if there are not
    /// enough of those.
    const fn take_inputs(&mut self, plan: &Plan, hidden: &mut [Bits; Plan::MOST_HIDDEN]) -> bool {
        self.rank = plan.top.count as usize;
        down!(dimension, 0..self.rank, {
            let top = plan.top.items[dimension] as usize;
            let length = saturate(plan.lengths[top]);
            let first = self.inputs;
            let count = width(length);
            if first + count > Bits::INPUTS as u32 {
                return false;
            }
            hidden[top] = Bits::input(first, count);
            self.lengths[dimension] = length;
            self.first[dimension] = first;
            self.inputs += count;
        });
        true
    }

    /// Takes what is multiplied by its strides and added up; false if something of it is not known.
    ///
    /// Digits whose strides are powers of two that do not meet are one, the last: a padded tile has two then,
    /// however many its transforms made.
    const fn sum_up(
        &mut self,
        hidden: &[Bits],
        digits: &List,
        strides: &List,
        offset: u32,
    ) -> bool {
        let count = digits.len();
        let mut sum = Bits::ZERO;
        range!(place, 0..count, {
            let digit = &hidden[digits.items[place] as usize];
            if !digit.known() {
                return false;
            }
            if !sum.take(digit, strides.items[place]) {
                self.push(digit.settled(), strides.items[place]);
            }
        });
        self.origin = offset;
        if self.digit_count < count || count == 0 {
            if self.origin > 0 && sum.take(&Bits::number(self.origin), 1) {
                self.origin = 0;
            }
            self.push(sum, 1);
        }
        true
    }

    const fn push(&mut self, digit: Bits, stride: u32) {
        self.digits[self.digit_count] = digit;
        self.strides[self.digit_count] = stride;
        self.digit_count += 1;
    }

    /// The offset of a coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub const fn offset(&self, index: &List) -> Option<u32> {
        if index.len() != self.rank || any!(i, 0..self.rank, index.at(i) >= self.lengths[i]) {
            return None;
        }
        let mut offset = self.origin;
        range!(d, 0..self.digit_count, {
            offset = offset.wrapping_add(self.digit(d, index).wrapping_mul(self.strides[d]));
        });
        Some(offset)
    }

    /// The value of a digit at a coordinate in range, before its stride.
    ///
    /// # Panics
    ///
    /// If there is no such digit, or the coordinate is out of range.
    #[must_use]
    pub const fn digit(&self, digit: usize, index: &List) -> u32 {
        let digit = &self.digits[digit];
        let mut value = digit.constant;
        range!(i, 0..self.rank, {
            ones!(bit, index.at(i), { value ^= digit.column(self.first[i] as usize + bit) });
        });
        value
    }

    /// Returns whether every block of `length` indices along a dimension, starting at a multiple of it, is contiguous. False also
    /// where bits do not decide it: for a length that is not a power of two or has more bits than an index, and where a block is
    /// spread over digits.
    #[must_use]
    pub const fn is_contiguous(&self, dimension: usize, length: u32) -> bool {
        if length == 0 || length & (length - 1) != 0 || dimension >= self.rank {
            return false;
        }
        let first = self.first[dimension] as usize;
        // It has bits that no index has.
        if length / 2 >= self.lengths[dimension] {
            return false;
        }
        let count = length.trailing_zeros() as usize;
        let mut counting = 0;
        range!(d, 0..self.digit_count, {
            let digit = &self.digits[d];
            if self.strides[d] == 1 && digit.counts(first, count) {
                counting += 1;
            } else if !digit.ignores(first, count) {
                return false;
            }
        });
        counting == 1 || count == 0
    }

    /// Returns whether the offset is one digit, an xor of columns: [`Plan::linear`](crate::Plan::linear) has it.
    #[must_use]
    pub const fn is_linear(&self) -> bool {
        self.digit_count == 1 && self.strides[0] == 1 && self.origin == 0
    }

    /// Returns whether the offset is an xor of what each bit of an element's *number* flips, the tile counted row by row: it is
    /// [linear](Self::is_linear), and each length but the first is a power of two. Rows of 40 that are 64 apart are linear in
    /// their indices, yet element 40 is at 64, where the bits of 40 flip 40.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// let rows = |columns, apart| Plan::naive(&[64, columns], &[apart, 1]).unwrap().digits().unwrap();
    /// assert!(rows(40, 64).is_linear() && !rows(40, 64).is_linear_by_number());
    /// assert!(rows(64, 64).is_linear_by_number());
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub const fn is_linear_by_number(&self) -> bool {
        self.is_linear() && all!(d, 1..self.rank, self.lengths[d].is_power_of_two())
    }

    /// The one digit of a map whose strides are powers of two that do not meet, and a base that it
    /// is added to.
    pub(crate) const fn joint(&self) -> Option<Linear> {
        if self.digit_count != 1 || self.strides[0] != 1 {
            return None;
        }
        let (digit, inputs) = (&self.digits[0], self.inputs as usize);
        let mut columns = [0; Linear::BITS];
        range!(i, 0..inputs, {
            columns[i] = digit.column(i);
        });
        carry::based(&Linear { columns, inputs, constant: digit.constant }, self.origin)
    }

    /// The lengths of the dimensions: [`Plan::lengths`](crate::Plan::lengths).
    #[doc(hidden)]
    #[must_use]
    pub const fn lengths(&self) -> List {
        List::of_first(self.lengths, self.rank)
    }

    /// The number of dimensions of a coordinate.
    #[doc(hidden)]
    #[must_use]
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The number of digits.
    ///
    /// ```
    /// use tiledesc_transforms::{List, Plan};
    ///
    /// // Rows of 64 every 72: the offset is 72 * m + k.
    /// let digits = Plan::naive(&[128, 64], &[72, 1]).unwrap().digits().unwrap();
    /// assert_eq!((digits.count(), digits.stride(0), digits.stride(1)), (2, 72, 1));
    /// let columns = |digit| [0, 1, 2, 3, 4, 5, 6].map(|bit| digits.column(digit, 0, bit));
    /// assert_eq!((digits.bits(0), columns(0)), (7, [1, 2, 4, 8, 16, 32, 64]));
    /// assert_eq!(columns(1), [0; 7]);
    /// // At (3, 17): 72 * 3 + 1 * 17. No xor of columns, and whole rows are contiguous.
    /// let at = List::pair(3, 17);
    /// assert_eq!((digits.digit(0, &at), digits.digit(1, &at)), (3, 17));
    /// assert!(!digits.is_linear() && digits.is_contiguous(1, 64));
    /// ```
    #[must_use]
    pub const fn count(&self) -> usize {
        self.digit_count
    }

    /// The factor of a digit, in elements.
    ///
    /// # Panics
    ///
    /// If there is no such digit.
    #[must_use]
    pub const fn stride(&self, digit: usize) -> u32 {
        self.strides[digit]
    }

    /// The offset added to all digits, in elements.
    #[must_use]
    pub const fn origin(&self) -> u32 {
        self.origin
    }

    /// The value of a digit at coordinate 0.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// // A tile that starts at element 64 of memory, and at one that shares bits with its rows.
    /// let apart = Plan::naive_with_offset(&[8, 8], &[8, 1], 64).unwrap().digits().unwrap();
    /// assert_eq!((apart.constant(0), apart.origin()), (64, 0));
    /// let among = Plan::naive_with_offset(&[8, 8], &[8, 1], 8).unwrap().digits().unwrap();
    /// assert_eq!((among.constant(0), among.origin()), (0, 8));
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such digit.
    #[must_use]
    pub const fn constant(&self, digit: usize) -> u32 {
        self.digits[digit].constant
    }

    /// The bits of a digit that a bit of a dimension's index flips; 0 for a bit that the index does not have.
    ///
    /// # Panics
    ///
    /// If there is no such digit or dimension.
    #[must_use]
    pub const fn column(&self, digit: usize, dimension: usize, bit: usize) -> u32 {
        if bit >= self.bits(dimension) {
            return 0;
        }
        self.digits[digit].column(self.first[dimension] as usize + bit)
    }

    /// The bits of a dimension's index.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    #[must_use]
    pub const fn bits(&self, dimension: usize) -> usize {
        width(self.lengths[dimension]) as usize
    }

    /// Returns where the element of a number is, beside element 0: of a map that is
    /// [linear by number](Self::is_linear_by_number).
    #[doc(hidden)]
    #[must_use]
    pub const fn flips_of(&self, number: u32) -> u32 {
        let words = &self.digits[0].words;
        let mut flips = 0;
        ones!(input, number, { flips ^= column!(words, input) });
        flips
    }

    /// Xor-s what `count` bits of a dimension's index flip of a digit, from bit `bit` on, into
    /// numbers from `at` on: a run of [`column`](Self::column)s, of bits that the index has.
    #[doc(hidden)]
    pub const fn flip<const N: usize>(
        &self,
        numbers: &mut [u32; N],
        at: usize,
        count: usize,
        (digit, dimension, bit): (usize, usize, usize),
    ) {
        let words = &self.digits[digit].words;
        let mut input = self.first[dimension] as usize + bit;
        let end = at + count;
        range!(i, at..end, {
            numbers[i] ^= column!(words, input);
            input += 1;
        });
    }
}

/// Whether two maps are the same digits of the same lengths, however they were composed.
impl PartialEq for Digits {
    fn eq(&self, other: &Self) -> bool {
        let (count, rank) = (self.digit_count, self.rank);
        let is_same_digit = |d: usize| {
            self.strides[d] == other.strides[d] && self.digits[d].is_same(&other.digits[d])
        };
        (count, rank, self.origin) == (other.digit_count, other.rank, other.origin)
            && self.lengths[..rank] == other.lengths[..rank]
            && (0..count).all(is_same_digit)
    }
}

impl Eq for Digits {}
