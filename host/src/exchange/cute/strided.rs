//! CuTe's layouts: nested shape and stride, the first mode fastest.
//!
//! `((2,4),8):((1,16),2)` has 3 flattened modes and 64 coordinates. Number 13 is
//! coordinate (1, 2, 1): 1 + 2 * 2 + 8 * 1. In a plan of the lengths [8, 8] the same
//! element is (5, 1) and has number 41: there the last dimension is fastest.

use super::algebra::Tree;
use crate::Error;
use core::fmt;
use tiledesc::List;

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

    /// Lists in brackets, each of several numbers in one of its own.
    fn nested(modes: impl IntoIterator<Item = impl AsRef<[u32]>>) -> Result<Self, Error> {
        let mut tuple = Self::EMPTY.open();
        for mode in modes {
            let mode = mode.as_ref();
            let is_nested = mode.len() > 1;
            tuple = if is_nested { tuple.open() } else { tuple };
            tuple = mode.iter().try_fold(tuple, |tuple, item| tuple.push(*item, false))?;
            tuple = if is_nested { tuple.close() } else { tuple };
        }
        Ok(tuple.close())
    }

    #[must_use]
    pub(super) fn open(mut self) -> Self {
        self.pending = self.pending.saturating_add(1);
        self
    }

    pub(super) fn push(mut self, item: u32, fixed: bool) -> Result<Self, Error> {
        let i = self.items.len();
        self.items = self.items.push_back(item).map_err(|_| no_modes(i + 1))?;
        self.fixed |= u16::from(fixed) << i;
        self.opens[i] = core::mem::take(&mut self.pending);
        Ok(self)
    }

    /// Closes a mode after the last item; without one there is nothing to close.
    #[must_use]
    pub(super) fn close(mut self) -> Self {
        if let Some(last) = self.items.len().checked_sub(1) {
            self.closes[last] = self.closes[last].saturating_add(1);
        }
        self
    }

    /// Returns whether item `i` is the first of an outermost mode.
    fn begins_mode(&self, i: usize) -> bool {
        let depth = |item: usize| i32::from(self.opens[item]) - i32::from(self.closes[item]);
        i == 0 || (0..i).map(depth).sum::<i32>() <= 1
    }

    fn is_congruent(&self, other: &Self) -> bool {
        self.items.len() == other.items.len()
            && (self.opens, self.closes) == (other.opens, other.closes)
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.items.as_slice().iter().enumerate() {
            let opens = "(".repeat(self.opens[i].into());
            let closes = ")".repeat(self.closes[i].into());
            let fixed = if self.fixed >> i & 1 == 1 { "_" } else { "" };
            write!(f, "{}{opens}{fixed}{item}{closes}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// `shape:stride`: `offset = sum of coordinate * stride` over the flattened modes, in
/// elements; a running number counts the first mode fastest.
///
/// Source: NVIDIA/cutlass, `include/cute/layout.hpp`.
///
/// ```
/// use tiledesc_host::exchange::cute::Strided;
///
/// let rows = Strided::new(&[8, 64], &[64, 1])?;
/// assert_eq!((rows.size(), rows.cosize()), (512, 512));
/// assert_eq!(rows.nth(139).unwrap(), [3, 17]);
/// assert_eq!(rows.offset(&[3, 17]), Some(209));
/// assert_eq!(rows.at(139), Some(209));
/// assert_eq!(rows.to_string(), "(8,64):(64,1)");
/// # Ok::<(), tiledesc_host::Error>(())
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
    /// No mode or more than 12; a shape and a stride of different numbers; a length of 0; more elements than 32 bits count.
    pub fn new(shape: &[u32], stride: &[u32]) -> Result<Self, Error> {
        Self::from_tuples(Tuple::nested(shape.chunks(1))?, Tuple::nested(stride.chunks(1))?)
    }

    /// A layout of modes that may have parts, the first fastest.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Strided;
    ///
    /// let tiles = Strided::nested(&[&[8, 16], &[64]], &[&[64, 512], &[1]]).unwrap();
    /// assert_eq!(tiles.to_string(), "((8,16),64):((64,512),1)");
    /// assert_eq!(tiles.fixed().to_string(), "((_8,_16),_64):((_64,_512),_1)");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); a mode without numbers.
    pub fn nested(shape: &[&[u32]], stride: &[&[u32]]) -> Result<Self, Error> {
        if let Some(mode) = shape.iter().position(|mode| mode.is_empty()) {
            return Err(Error::number(format!("mode {mode} has no numbers")));
        }
        Self::from_tuples(Tuple::nested(shape)?, Tuple::nested(stride)?)
    }

    /// The layout of the modes of each dimension, a length and a stride each.
    pub(super) fn of_modes(modes: &[Vec<(u32, u32)>]) -> Result<Self, Error> {
        let numbers = |of: fn(&(u32, u32)) -> u32| {
            Tuple::nested(modes.iter().map(|mode| mode.iter().map(of).collect::<Vec<_>>()))
        };
        Self::from_tuples(numbers(|mode| mode.0)?, numbers(|mode| mode.1)?)
    }

    /// The layout with all numbers written as known to the compiler: `_8`.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        let all = (1 << self.shape().len()) - 1;
        (self.shape.fixed, self.stride.fixed) = (all, all);
        self
    }

    pub(super) fn from_tuples(shape: Tuple, stride: Tuple) -> Result<Self, Error> {
        if !shape.is_congruent(&stride) {
            return Err(Error::mismatch(format!(
                "the shape has {} numbers and the stride {}, or their brackets differ",
                shape.items.len(),
                stride.items.len()
            )));
        }
        if shape.items.is_empty() {
            return Err(no_modes(0));
        }
        if let Some(mode) = shape.items.as_slice().iter().position(|length| *length == 0) {
            return Err(Error::number(format!("mode {mode} has length 0")));
        }
        let layout = Self { shape, stride };
        check_count(layout.size().max(layout.cosize()))?;
        Ok(layout)
    }

    /// The layout with its brackets as branches.
    pub(super) fn tree(&self) -> Tree {
        let mut open = vec![Vec::new()];
        for (i, (length, stride)) in self.modes().enumerate() {
            open.resize(open.len() + usize::from(self.shape.opens[i]), Vec::new());
            open.last_mut().expect("the outermost").push(Tree::One(length.into(), stride.into()));
            for _ in 0..self.shape.closes[i] {
                let modes = open.pop().expect("as many brackets close as open");
                open.last_mut().expect("the outermost").push(Tree::Modes(modes));
            }
        }
        open.remove(0).remove(0)
    }

    /// The layout of branches.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub(super) fn of_tree(tree: &Tree) -> Result<Self, Error> {
        let [mut shape, mut stride] = [Tuple::EMPTY; 2];
        branches(tree, &mut shape, &mut stride)?;
        Self::from_tuples(shape, stride)
    }

    /// The lengths, flattened.
    #[must_use]
    pub fn shape(&self) -> &List {
        &self.shape.items
    }

    /// The strides, flattened, in elements.
    #[must_use]
    pub fn stride(&self) -> &List {
        &self.stride.items
    }

    /// The lengths of the modes that are nested in no other; saturated.
    pub(in crate::exchange) fn lengths(&self) -> List {
        let mut lengths: Vec<u32> = Vec::new();
        for (mode, length) in self.shape().as_slice().iter().enumerate() {
            match lengths.last_mut() {
                Some(outer) if !self.begins_mode(mode) => *outer = outer.saturating_mul(*length),
                _ => lengths.push(*length),
            }
        }
        List::new(&lengths)
    }

    /// Length and stride of each flattened mode.
    fn modes(&self) -> impl Iterator<Item = (u32, u32)> {
        self.shape().as_slice().iter().copied().zip(self.stride().as_slice().iter().copied())
    }

    /// Returns whether a flattened mode is the first of one that was not nested in another.
    pub(in crate::exchange) fn begins_mode(&self, mode: usize) -> bool {
        self.shape.begins_mode(mode)
    }

    /// The number of coordinates.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.shape().elements()
    }

    /// One more than the largest offset.
    #[must_use]
    pub fn cosize(&self) -> u64 {
        let last =
            |(length, stride): (u32, u32)| u64::from(length.saturating_sub(1)) * u64::from(stride);
        self.modes().map(last).fold(1, u64::saturating_add)
    }

    /// The flattened coordinate of a running number, the first mode fastest; `None` from
    /// the size on.
    #[must_use]
    pub fn nth(&self, number: u64) -> Option<List> {
        (number < self.size()).then(|| self.shape().reverse().nth(number).reverse())
    }

    /// The offset of a flattened coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub fn offset(&self, index: &[u32]) -> Option<u32> {
        if index.len() != self.shape().len() {
            return None;
        }
        let each = index.iter().zip(self.modes());
        each.map(|(i, (length, stride))| (*i < length).then(|| i * stride)).sum()
    }

    /// The offset of a running number, the first mode fastest.
    #[must_use]
    pub fn at(&self, number: u64) -> Option<u32> {
        self.offset(self.nth(number)?.as_slice())
    }

    /// The running number at an offset, for any lengths; `None` if no element has it. It is the smallest of several
    /// that differ in modes of stride 0.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Strided;
    ///
    /// let rows = Strided::new(&[6, 10], &[10, 1]).unwrap();
    /// assert_eq!(rows.number_at(34), Ok(Some(3 + 6 * 4)));
    /// assert_eq!(rows.number_at(60), Ok(None));
    /// assert!(Strided::new(&[3, 2], &[2, 3]).unwrap().number_at(4).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A stride within what smaller ones span; two modes of the same stride.
    pub fn number_at(&self, offset: u32) -> Result<Option<u64>, Error> {
        // Length, stride, and what a step adds to the number, the widest stride first; the others add nothing.
        let mut weight = 1;
        let weighed = self.modes().map(|(length, stride)| {
            let below = weight;
            weight *= u64::from(length);
            (length, stride, below)
        });
        let mut modes: Vec<_> = weighed.filter(|mode| mode.0 > 1 && mode.1 > 0).collect();
        modes.sort_by_key(|mode| core::cmp::Reverse(mode.1));
        let (mut rest, mut number) = (offset, 0);
        for (i, (length, stride, weight)) in modes.iter().copied().enumerate() {
            let narrower = &modes[i + 1..];
            if narrower.first().is_some_and(|next| next.1 == stride) {
                return Err(Error::no_form(format!(
                    "two modes have stride {stride}: an offset may belong to several coordinates"
                )));
            }
            let reach = narrower.iter().map(|mode| u64::from(mode.0 - 1) * u64::from(mode.1));
            let below = 1 + reach.sum::<u64>();
            if below > u64::from(stride) {
                return Err(Error::no_form(format!(
                    "stride {stride} lies within the {below} offsets that smaller strides span: no division tells them apart"
                )));
            }
            let step = (rest / stride).min(length - 1);
            rest -= step * stride;
            number += u64::from(step) * weight;
        }
        Ok((rest == 0).then_some(number))
    }
}

fn branches(tree: &Tree, shape: &mut Tuple, stride: &mut Tuple) -> Result<(), Error> {
    match tree {
        Tree::One(length, step) => {
            // A mode of one element has any stride.
            let step = if *length == 1 { 0 } else { *step };
            let word = |number: u64| {
                u32::try_from(number)
                    .map_err(|_| Error::too_large(format!("{number} does not fit into 32 bits")))
            };
            *shape = shape.push(word(*length)?, false)?;
            *stride = stride.push(word(step)?, false)?;
        }
        Tree::Modes(modes) => {
            (*shape, *stride) = (shape.open(), stride.open());
            modes.iter().try_for_each(|mode| branches(mode, shape, stride))?;
            (*shape, *stride) = (shape.close(), stride.close());
        }
    }
    Ok(())
}

/// The error of no mode, or of more than 12 when flattened.
fn no_modes(modes: usize) -> Error {
    Error::number(format!("{modes} modes; there must be 1 to 12, flattened"))
}

/// Refuses a size or an offset that exceeds 32 bits.
pub(super) fn check_count(elements: u64) -> Result<(), Error> {
    if elements <= 1 << 32 {
        return Ok(());
    }
    // Products are saturated.
    let at_least = if elements == u64::MAX { "at least " } else { "" };
    Err(Error::too_large(format!("{at_least}{elements} elements do not fit into 32 bits")))
}

impl fmt::Display for Strided {
    /// CuTe's text: `(8,64):(64,1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.shape, self.stride)
    }
}
