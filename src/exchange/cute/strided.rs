//! CuTe's layouts: nested shape and stride, the first mode fastest.
//!
//! `((2,4),8):((1,16),2)` has 3 flattened modes and 64 coordinates. Number 13 is
//! coordinate (1, 2, 1): 1 + 2 * 2 + 8 * 1. In a plan of the lengths [8, 8] the same
//! element is (5, 1) and has number 41: there the last dimension is fastest.

use super::error::CuteError;
use tiledesc_transforms::{List, Text, attempt};

/// Integers in brackets, flattened, and where the brackets were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tuple {
    items: List,
    /// Bit `i` is set where item `i` was written as known to the compiler: `_8`.
    fixed: u16,
    /// Brackets opened before and closed after each item.
    opens: [u8; List::CAPACITY],
    closes: [u8; List::CAPACITY],
    /// Brackets opened before the next item.
    pending: u8,
}

impl Tuple {
    pub(super) const EMPTY: Self = Self {
        items: List::EMPTY,
        fixed: 0,
        opens: [0; List::CAPACITY],
        closes: [0; List::CAPACITY],
        pending: 0,
    };

    /// Flat, in one bracket.
    const fn flat(items: &[u32]) -> Result<Self, CuteError> {
        let (mut tuple, mut i) = (Self::EMPTY.open(), 0);
        while i < items.len() {
            tuple = attempt!(tuple.push(items[i], false));
            i += 1;
        }
        Ok(tuple.close())
    }

    /// Lists in brackets, in one bracket.
    const fn nested(modes: &[&[u32]]) -> Result<Self, CuteError> {
        let (mut tuple, mut m) = (Self::EMPTY.open(), 0);
        while m < modes.len() {
            let mut i = 0;
            while i < modes[m].len() {
                tuple = if i == 0 && modes[m].len() > 1 { tuple.open() } else { tuple };
                tuple = attempt!(tuple.push(modes[m][i], false));
                i += 1;
            }
            tuple = if modes[m].len() > 1 { tuple.close() } else { tuple };
            m += 1;
        }
        Ok(tuple.close())
    }

    #[must_use]
    pub(super) const fn open(mut self) -> Self {
        self.pending = self.pending.saturating_add(1);
        self
    }

    pub(super) const fn push(mut self, item: u32, fixed: bool) -> Result<Self, CuteError> {
        let i = self.items.len();
        self.items = match self.items.push_back(item) {
            Ok(items) => items,
            Err(_) => return Err(CuteError::Modes { modes: i as u32 + 1 }),
        };
        self.fixed |= (fixed as u16) << i;
        self.opens[i] = self.pending;
        self.pending = 0;
        Ok(self)
    }

    /// After the last item; without one there is nothing to close.
    #[must_use]
    pub(super) const fn close(mut self) -> Self {
        if !self.items.is_empty() {
            let last = self.items.len() - 1;
            self.closes[last] = self.closes[last].saturating_add(1);
        }
        self
    }

    /// Whether item `i` is the first of an outermost mode.
    const fn begins_mode(&self, i: usize) -> bool {
        let (mut depth, mut before) = (0i32, 0);
        while before < i {
            depth += self.opens[before] as i32 - self.closes[before] as i32;
            before += 1;
        }
        i == 0 || depth <= 1
    }

    const fn is_congruent(&self, other: &Self) -> bool {
        let (mut same, mut i) = (self.items.len() == other.items.len(), 0);
        while same && i < self.items.len() {
            same = self.opens[i] == other.opens[i] && self.closes[i] == other.closes[i];
            i += 1;
        }
        same
    }

    const fn write(&self, mut text: Text) -> Text {
        let mut i = 0;
        while i < self.items.len() {
            text = text.str(if i > 0 { "," } else { "" });
            text = repeated(text, "(", self.opens[i]);
            text = text.str(if self.fixed >> i & 1 == 1 { "_" } else { "" });
            text = repeated(text.number(self.items.at(i) as u64), ")", self.closes[i]);
            i += 1;
        }
        text
    }
}

const fn repeated(mut text: Text, word: &str, times: u8) -> Text {
    let mut i = 0;
    while i < times {
        text = text.str(word);
        i += 1;
    }
    text
}

/// `shape:stride`: `offset = sum of coordinate * stride` over the flattened modes, in
/// elements; a running number counts the first mode fastest.
///
/// Source: NVIDIA/cutlass, `include/cute/layout.hpp`.
///
/// ```
/// use tiledesc::exchange::cute::Strided;
///
/// const ROWS: Strided = match Strided::new(&[8, 64], &[64, 1]) { Ok(rows) => rows, Err(_) => panic!() };
/// assert_eq!((ROWS.size(), ROWS.cosize()), (512, 512));
/// assert_eq!(ROWS.nth(139).unwrap(), [3, 17]);
/// assert_eq!(ROWS.offset(&[3, 17]), Some(209));
/// assert_eq!(ROWS.at(139), Some(209));
/// assert_eq!(ROWS.to_string(), "(8,64):(64,1)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    shape: Tuple,
    stride: Tuple,
}

impl Strided {
    /// A layout without nesting.
    ///
    /// # Errors
    ///
    /// [`CuteError::Modes`], [`CuteError::Incongruent`], [`CuteError::ZeroLength`],
    /// [`CuteError::TooLarge`].
    pub const fn new(shape: &[u32], stride: &[u32]) -> Result<Self, CuteError> {
        Self::of(attempt!(Tuple::flat(shape)), attempt!(Tuple::flat(stride)))
    }

    /// A layout of modes that may have parts, the first fastest.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Strided;
    ///
    /// let tiles = Strided::nested(&[&[8, 16], &[64]], &[&[64, 512], &[1]]).unwrap();
    /// assert_eq!(tiles.to_string(), "((8,16),64):((64,512),1)");
    /// assert_eq!(tiles.fixed().to_string(), "((_8,_16),_64):((_64,_512),_1)");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); a mode without numbers.
    pub const fn nested(shape: &[&[u32]], stride: &[&[u32]]) -> Result<Self, CuteError> {
        let mut mode = 0;
        while mode < shape.len() {
            if shape[mode].is_empty() {
                return Err(CuteError::EmptyMode { mode: mode as u32 });
            }
            mode += 1;
        }
        Self::of(attempt!(Tuple::nested(shape)), attempt!(Tuple::nested(stride)))
    }

    /// The same with all numbers written as known to the compiler: `_8`.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        let all = (1 << self.shape().len()) - 1;
        (self.shape.fixed, self.stride.fixed) = (all, all);
        self
    }

    pub(super) const fn of(shape: Tuple, stride: Tuple) -> Result<Self, CuteError> {
        if !shape.is_congruent(&stride) {
            let (shape, stride) = (shape.items.len() as u32, stride.items.len() as u32);
            return Err(CuteError::Incongruent { shape, stride });
        }
        if shape.items.is_empty() {
            return Err(CuteError::Modes { modes: 0 });
        }
        let (layout, mut mode) = (Self { shape, stride }, 0);
        while mode < shape.items.len() {
            if shape.items.at(mode) == 0 {
                return Err(CuteError::ZeroLength { mode: mode as u32 });
            }
            mode += 1;
        }
        let (size, cosize) = (layout.size(), layout.cosize());
        let value = if size > cosize { size } else { cosize };
        if value > 1 << 32 { Err(CuteError::TooLarge { value }) } else { Ok(layout) }
    }

    /// The lengths, flattened.
    #[must_use]
    pub const fn shape(&self) -> &List {
        &self.shape.items
    }

    /// The strides, flattened, in elements.
    #[must_use]
    pub const fn stride(&self) -> &List {
        &self.stride.items
    }

    /// The lengths of the modes that are nested in no other; saturated.
    pub(in crate::exchange) const fn lengths(&self) -> List {
        let (mut lengths, mut outer, mut mode) = (*self.shape(), 0, 0);
        while mode < self.shape().len() {
            let length = self.shape().at(mode);
            if mode > 0 && self.begins_mode(mode) {
                outer += 1;
            }
            let before = if self.begins_mode(mode) { 1 } else { lengths.at(outer) };
            lengths = lengths.with(outer, before.saturating_mul(length));
            mode += 1;
        }
        match lengths.part(0, outer + 1) {
            Ok(lengths) => lengths,
            Err(_) => lengths,
        }
    }

    /// Whether a flattened mode is the first of one that was not nested in another.
    pub(super) const fn begins_mode(&self, mode: usize) -> bool {
        self.shape.begins_mode(mode)
    }

    /// The number of coordinates.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.shape().elements()
    }

    /// One more than the largest offset.
    #[must_use]
    pub const fn cosize(&self) -> u64 {
        let (mut last, mut mode) = (0u64, 0);
        while mode < self.shape().len() {
            let steps = self.shape().at(mode).saturating_sub(1) as u64;
            last = last.saturating_add(steps * self.stride().at(mode) as u64);
            mode += 1;
        }
        last.saturating_add(1)
    }

    /// The flattened coordinate of a running number, the first mode fastest; `None` from
    /// the size on.
    #[must_use]
    pub const fn nth(&self, number: u64) -> Option<List> {
        if number < self.size() { Some(self.shape().reverse().nth(number).reverse()) } else { None }
    }

    /// The offset of a flattened coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub const fn offset(&self, index: &[u32]) -> Option<u32> {
        let (mut offset, mut mode) = (0, 0);
        if index.len() != self.shape().len() {
            return None;
        }
        while mode < index.len() {
            if index[mode] >= self.shape().at(mode) {
                return None;
            }
            offset += index[mode] * self.stride().at(mode);
            mode += 1;
        }
        Some(offset)
    }

    /// The offset of a running number, the first mode fastest.
    #[must_use]
    pub const fn at(&self, number: u64) -> Option<u32> {
        match self.nth(number) {
            Some(index) => self.offset(index.as_slice()),
            None => None,
        }
    }

    /// The running number at an offset, for any lengths; `None` if no element has it.
    /// Of several that differ in modes of stride 0 it is the smallest.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Strided;
    ///
    /// let rows = Strided::new(&[6, 10], &[10, 1]).unwrap();
    /// assert_eq!(rows.number_at(34), Ok(Some(3 + 6 * 4)));
    /// assert_eq!(rows.number_at(60), Ok(None));
    /// assert!(Strided::new(&[3, 2], &[2, 3]).unwrap().number_at(4).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`CuteError::Interleaved`] where a stride lies within what smaller ones span,
    /// [`CuteError::Repeated`] where two modes have the same.
    pub const fn number_at(&self, offset: u32) -> Result<Option<u64>, CuteError> {
        let (mut rest, mut number) = (offset, 0);
        let mut limit = u32::MAX as u64 + 1;
        while let Some((mode, weight)) = self.widest_below(limit) {
            let (length, stride) = (self.shape().at(mode), self.stride().at(mode));
            limit = stride as u64;
            let below = self.spanned_below(limit);
            if self.is_shared(mode) {
                return Err(CuteError::Repeated { stride });
            }
            if below > limit {
                return Err(CuteError::Interleaved { stride, below });
            }
            let step = if rest / stride < length { rest / stride } else { length - 1 };
            rest -= step * stride;
            number += step as u64 * weight;
        }
        Ok(if rest == 0 { Some(number) } else { None })
    }

    /// The mode with the largest stride below `limit` and what a step of it adds to the
    /// running number; modes that add nothing are passed over.
    const fn widest_below(&self, limit: u64) -> Option<(usize, u64)> {
        let (mut found, mut weight, mut mode) = (None, 1u64, 0);
        let mut widest = 0;
        while mode < self.shape().len() {
            let (length, stride) = (self.shape().at(mode), self.stride().at(mode));
            if length > 1 && stride > widest && (stride as u64) < limit {
                widest = stride;
                found = Some((mode, weight));
            }
            weight *= length as u64;
            mode += 1;
        }
        found
    }

    /// One more than the largest offset that strides below `limit` reach.
    const fn spanned_below(&self, limit: u64) -> u64 {
        let (mut last, mut mode) = (0, 0);
        while mode < self.shape().len() {
            let (length, stride) = (self.shape().at(mode), self.stride().at(mode));
            if (stride as u64) < limit {
                last += (length - 1) as u64 * stride as u64;
            }
            mode += 1;
        }
        last + 1
    }

    /// Whether another mode has the stride of this one.
    const fn is_shared(&self, mode: usize) -> bool {
        let (mut shared, mut other) = (false, 0);
        while other < self.shape().len() {
            let same = self.stride().at(other) == self.stride().at(mode);
            shared |= other != mode && same && self.shape().at(other) > 1;
            other += 1;
        }
        shared
    }

    /// Appends CuTe's text: `(8,64):(64,1)`.
    pub(super) const fn write(&self, text: Text) -> Text {
        self.stride.write(self.shape.write(text).str(":"))
    }
}

impl core::fmt::Display for Strided {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.write(Text::new()).as_str())
    }
}
