//! The values of a sequence as plain data, and CK Tile's operations on them.
//!
//! Lists are what the `const` half of the crate computes with: lengths, strides,
//! ids, coordinates. At most 12 elements, no allocation.
//!
//! They are what the compiler interprets most, so loops here call nothing, and slices end by [`head`]
//! and not by `slice::split_at`, which is a dozen calls: see DESIGN, "What the compiler pays for".

use crate::number::NumberError;

/// The values of a sequence, as plain data.
///
/// ```
/// use tiledesc_transforms::List;
///
/// const L: List = List::new(&[4, 3, 5]);
/// assert_eq!(L.reverse_exclusive_scan(Fold::Product).unwrap(), [15, 5, 1]);
/// # use tiledesc_transforms::Fold;
/// ```
#[derive(Clone, Copy)]
pub struct List {
    pub(crate) items: [u32; Self::CAPACITY],
    /// Not a `usize`: lists are in every error and plan.
    pub(crate) count: u32,
}

/// The operation by which a scan combines two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Addition; starts at 0.
    Sum,
    /// Multiplication; starts at 1.
    Product,
}

impl Fold {
    const fn start(self) -> u32 {
        match self {
            Self::Sum => 0,
            Self::Product => 1,
        }
    }

    /// Saturates; [`List::exact`] and the scans do not.
    const fn join(self, a: u32, b: u32) -> u32 {
        match self {
            Self::Sum => a.saturating_add(b),
            Self::Product => a.saturating_mul(b),
        }
    }
}

impl List {
    /// The largest number of elements.
    pub const CAPACITY: usize = 12;
    /// No elements.
    pub const EMPTY: Self = Self { items: [0; Self::CAPACITY], count: 0 };

    /// The elements of a slice.
    ///
    /// # Panics
    ///
    /// With more than 12 elements; use [`List::from_slice`] for user data.
    #[must_use]
    #[track_caller]
    pub const fn new(items: &[u32]) -> Self {
        match Self::from_slice(items) {
            Ok(list) => list,
            Err(_) => panic!("a list holds at most 12 elements"),
        }
    }

    /// The elements of a slice of at most 12.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::from_slice(&[128, 64])?, [128, 64]);
    /// assert!(List::from_slice(&[1; 13]).is_err());
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLong`].
    #[inline]
    pub const fn from_slice(items: &[u32]) -> Result<Self, NumberError> {
        if items.len() > Self::CAPACITY {
            return Err(NumberError::TooLong { length: items.len() as u32 });
        }
        let (mut list, mut i) = (Self::EMPTY, 0);
        while i < items.len() {
            list.items[i] = items[i];
            i += 1;
        }
        list.count = i as u32;
        Ok(list)
    }

    /// The first `count` of these; the caller knows that there are at least `count`.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn of_first(items: [u32; Self::CAPACITY], count: usize) -> Self {
        Self { items, count: count as u32 }
    }

    /// One element.
    #[must_use]
    #[inline]
    pub(crate) const fn one(item: u32) -> Self {
        let mut list = Self::EMPTY;
        list.items[0] = item;
        list.count = 1;
        list
    }

    /// Two elements: the coordinates of a tile.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17), [3, 17]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn pair(first: u32, second: u32) -> Self {
        let mut list = Self::EMPTY;
        list.items[0] = first;
        list.items[1] = second;
        list.count = 2;
        list
    }

    /// 0, 1, ..., `len - 1`.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::iota(3), [0, 1, 2]);
    /// ```
    #[must_use]
    pub const fn iota(len: usize) -> Self {
        let (mut list, mut i) = (Self::EMPTY, 0);
        while i < len && i < Self::CAPACITY {
            list.items[i] = i as u32;
            i += 1;
        }
        list.count = i as u32;
        list
    }

    /// The number of elements.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::new(&[128, 64]).len(), 2);
    /// ```
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// `==` in constants.
    #[doc(hidden)]
    #[must_use]
    pub const fn is_same(&self, other: &Self) -> bool {
        let mut i = 0;
        while i < self.len() && i < other.len() && self.at(i) == other.at(i) {
            i += 1;
        }
        i == self.len() && i == other.len()
    }

    /// Returns whether there is no element.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert!(List::iota(0).is_empty());
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).as_slice(), &[3, 17]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn as_slice(&self) -> &[u32] {
        head(&self.items, self.count as usize)
    }

    /// Element `i`, for a caller who knows that it exists; 0 from the length to the
    /// capacity. Cheaper in a constant than `as_slice()[i]`, which is a dozen calls
    /// for the compiler's interpreter.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).at(1), 17);
    /// ```
    ///
    /// # Panics
    ///
    /// If `i` is 12 or more.
    #[inline(always)]
    #[must_use]
    pub const fn at(&self, i: usize) -> u32 {
        self.items[i]
    }

    /// All elements, 0 after the last, and how many there are: for loops that look at several and call nothing else.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn items(&self) -> (&[u32; Self::CAPACITY], u32) {
        (&self.items, self.count)
    }

    /// Returns two elements as one number, the first above 32 bits; all ones where there are not two. For loops over many pairs.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn both(&self) -> u64 {
        if self.count != 2 {
            return u64::MAX;
        }
        (self.items[0] as u64) << 32 | self.items[1] as u64
    }

    /// The list with `value` as element `i`, if there is one.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).with(1, 18), [3, 18]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn with(mut self, i: usize, value: u32) -> Self {
        if i < self.count as usize {
            self.items[i] = value;
        }
        self
    }

    /// Element `i`.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).get(1), Ok(17));
    /// assert!(List::pair(3, 17).get(2).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::NoSuchPosition`].
    pub const fn get(&self, i: usize) -> Result<u32, NumberError> {
        if i < self.len() {
            Ok(self.items[i])
        } else {
            Err(NumberError::NoSuchPosition { position: i as u32, length: self.len() as u32 })
        }
    }

    /// The list with `value` after its last element.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).push_back(5)?, [3, 17, 5]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLong`].
    #[inline]
    pub const fn push_back(mut self, value: u32) -> Result<Self, NumberError> {
        if self.count as usize == Self::CAPACITY {
            return Err(NumberError::TooLong { length: self.count + 1 });
        }
        self.items[self.count as usize] = value;
        self.count += 1;
        Ok(self)
    }

    /// The elements of `self`, then those of `other`.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::pair(3, 17).concat(&List::pair(5, 6))?, [3, 17, 5, 6]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLong`].
    pub const fn concat(self, other: &Self) -> Result<Self, NumberError> {
        if self.len() + other.len() > Self::CAPACITY {
            return Err(NumberError::TooLong { length: (self.len() + other.len()) as u32 });
        }
        let mut list = self;
        let mut i = 0;
        while i < other.count as usize {
            list.items[self.count as usize + i] = other.items[i];
            i += 1;
        }
        list.count += other.count;
        Ok(list)
    }

    /// Elements `from` to `to` (exclusive).
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::new(&[4, 5, 6, 7]).part(1, 3)?, [5, 6]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::NoSuchPosition`] when `from` or `to` is past the end.
    pub const fn part(&self, from: usize, to: usize) -> Result<Self, NumberError> {
        if to > self.len() || from > to {
            let position = if from > to { from } else { to };
            return Err(NumberError::NoSuchPosition {
                position: position as u32,
                length: self.len() as u32,
            });
        }
        let (mut list, mut i) = (Self::EMPTY, 0);
        while from + i < to {
            list.items[i] = self.items[from + i];
            i += 1;
        }
        list.count = i as u32;
        Ok(list)
    }

    /// The first coordinate (0), the one in the middle (1) or the last of these lengths.
    pub(crate) const fn around(&self, place: u32) -> Self {
        let (mut around, mut i) = (*self, 0);
        while i < self.count as usize {
            let last = self.items[i].saturating_sub(1);
            around.items[i] = match place {
                0 => 0,
                1 => last / 2,
                _ => last,
            };
            i += 1;
        }
        around
    }

    /// The last element first.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::new(&[4, 5, 6]).reverse(), [6, 5, 4]);
    /// ```
    #[must_use]
    pub const fn reverse(&self) -> Self {
        let mut list = *self;
        let mut i = 0;
        while i < self.count as usize {
            list.items[i] = self.items[self.count as usize - 1 - i];
            i += 1;
        }
        list
    }

    /// New element `i` is old element `map[i]`.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// let map = List::new(&[2, 0, 1]);
    /// assert_eq!(List::new(&[4, 5, 6]).reorder_new_to_old(&map)?, [6, 4, 5]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::NotAPermutation`], also when the sizes differ.
    pub const fn reorder_new_to_old(&self, map: &Self) -> Result<Self, NumberError> {
        if map.len() != self.len() || !map.is_permutation() {
            return Err(NumberError::NotAPermutation);
        }
        let mut list = *self;
        let mut i = 0;
        while i < self.count as usize {
            list.items[i] = self.items[map.items[i] as usize];
            i += 1;
        }
        Ok(list)
    }

    /// Old element `i` becomes new element `map[i]`.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// let map = List::new(&[2, 0, 1]);
    /// assert_eq!(List::new(&[4, 5, 6]).reorder_old_to_new(&map)?, [5, 6, 4]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::NotAPermutation`], also when the sizes differ.
    pub const fn reorder_old_to_new(&self, map: &Self) -> Result<Self, NumberError> {
        match map.inverse() {
            Ok(inverse) => self.reorder_new_to_old(&inverse),
            Err(fault) => Err(fault),
        }
    }

    /// Returns whether the elements are 0, 1, ..., `len - 1` in some order.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert!(List::new(&[2, 0, 1]).is_permutation());
    /// assert!(!List::new(&[2, 0, 2]).is_permutation());
    /// ```
    #[must_use]
    pub const fn is_permutation(&self) -> bool {
        let mut seen = 0u32;
        let mut i = 0;
        while i < self.count as usize {
            if self.items[i] < self.len() as u32 {
                seen |= 1 << self.items[i];
            }
            i += 1;
        }
        seen == (1 << self.len()) - 1
    }

    /// The permutation that undoes this one.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// assert_eq!(List::new(&[2, 0, 1]).inverse()?, [1, 2, 0]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::NotAPermutation`].
    pub const fn inverse(&self) -> Result<Self, NumberError> {
        if !self.is_permutation() {
            return Err(NumberError::NotAPermutation);
        }
        let mut list = *self;
        let mut i = 0;
        while i < self.count as usize {
            list.items[self.items[i] as usize] = i as u32;
            i += 1;
        }
        Ok(list)
    }

    /// Joins all elements; saturated.
    ///
    /// ```
    /// use tiledesc_transforms::{Fold, List};
    ///
    /// assert_eq!(List::new(&[4, 3, 5]).fold(Fold::Product), 60);
    /// ```
    #[must_use]
    pub const fn fold(&self, fold: Fold) -> u32 {
        let mut result = fold.start();
        let mut i = 0;
        while i < self.count as usize {
            result = fold.join(result, self.items[i]);
            i += 1;
        }
        result
    }

    /// The product of all elements, saturated: how many coordinates a box of these
    /// lengths has.
    ///
    /// ```
    /// use tiledesc_transforms::List;
    ///
    /// let lengths = List::new(&[4, 3, 5]);
    /// assert_eq!(lengths.elements(), 60);
    /// assert_eq!(lengths.nth(23), [1, 1, 3]);
    /// ```
    #[must_use]
    pub const fn elements(&self) -> u64 {
        let count = self.count as usize;
        let mut product = 1u64;
        let mut i = 0;
        while i < count {
            let item = self.items[i] as u64;
            // Below 2^32 it does not saturate, and need not call what does.
            product =
                if product >> 32 == 0 { product * item } else { product.saturating_mul(item) };
            i += 1;
        }
        product
    }

    /// The coordinate with a running number, the last dimension fastest, in a box of
    /// these lengths, none of which is 0. From [`elements`](Self::elements) on it starts
    /// over.
    #[must_use]
    pub const fn nth(&self, number: u64) -> Self {
        let (mut index, mut rest, mut i) = (*self, number, self.len());
        while i > 0 {
            i -= 1;
            let length = self.items[i] as u64;
            index.items[i] = (rest % length) as u32;
            rest /= length;
        }
        index
    }

    /// Joins all elements, if the result fits into 32 bits.
    ///
    /// ```
    /// use tiledesc_transforms::{Fold, List};
    ///
    /// assert_eq!(List::new(&[4, 3, 5]).exact(Fold::Sum), Ok(12));
    /// assert!(List::new(&[1 << 16, 1 << 16]).exact(Fold::Product).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLarge`].
    pub const fn exact(&self, fold: Fold) -> Result<u32, NumberError> {
        let mut result = fold.start() as u64;
        let mut i = 0;
        while i < self.count as usize {
            result = match fold {
                Fold::Sum => result + self.items[i] as u64,
                Fold::Product => result * self.items[i] as u64,
            };
            if result > u32::MAX as u64 {
                return Err(NumberError::TooLarge { value: result });
            }
            i += 1;
        }
        Ok(result as u32)
    }

    /// Element `i` joined with all before it.
    ///
    /// ```
    /// use tiledesc_transforms::{Fold, List};
    ///
    /// assert_eq!(List::new(&[4, 3, 5]).inclusive_scan(Fold::Sum)?, [4, 7, 12]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLarge`] beyond 32 bits.
    pub const fn inclusive_scan(&self, fold: Fold) -> Result<Self, NumberError> {
        self.scan(fold, true)
    }

    /// Joins all elements before each element `i`: 0 or 1 at the front.
    ///
    /// ```
    /// use tiledesc_transforms::{Fold, List};
    ///
    /// assert_eq!(List::new(&[4, 3, 5]).exclusive_scan(Fold::Sum)?, [0, 4, 7]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLarge`] beyond 32 bits.
    pub const fn exclusive_scan(&self, fold: Fold) -> Result<Self, NumberError> {
        self.scan(fold, false)
    }

    /// Element `i` joined with all after it.
    ///
    /// ```
    /// use tiledesc_transforms::{Fold, List};
    ///
    /// assert_eq!(List::new(&[4, 3, 5]).reverse_inclusive_scan(Fold::Product)?, [60, 15, 5]);
    /// # Ok::<(), tiledesc_transforms::NumberError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLarge`] beyond 32 bits.
    pub const fn reverse_inclusive_scan(&self, fold: Fold) -> Result<Self, NumberError> {
        reversed(self.reverse().scan(fold, true))
    }

    /// Joins all elements after each element `i`: the strides of a packed tensor when the elements are its lengths.
    ///
    /// # Errors
    ///
    /// [`NumberError::TooLarge`] beyond 32 bits.
    pub const fn reverse_exclusive_scan(&self, fold: Fold) -> Result<Self, NumberError> {
        reversed(self.reverse().scan(fold, false))
    }

    const fn scan(&self, fold: Fold, inclusive: bool) -> Result<Self, NumberError> {
        let mut list = *self;
        let mut running = fold.start() as u64;
        let mut i = 0;
        while i < self.count as usize {
            let next = match fold {
                Fold::Sum => running.saturating_add(self.items[i] as u64),
                Fold::Product => running.saturating_mul(self.items[i] as u64),
            };
            let value = if inclusive { next } else { running };
            if value > u32::MAX as u64 {
                return Err(NumberError::TooLarge { value });
            }
            list.items[i] = value as u32;
            running = next;
            i += 1;
        }
        Ok(list)
    }
}

/// The first `count` elements, or all if there are fewer.
#[doc(hidden)]
#[inline]
#[must_use]
pub const fn head<T>(mut items: &[T], count: usize) -> &[T] {
    // The length is asked once: that is two calls.
    let mut beyond = items.len().saturating_sub(count);
    while beyond >= 16
        && let [rest @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = items
    {
        items = rest;
        beyond -= 16;
    }
    if beyond >= 8
        && let [rest @ .., _, _, _, _, _, _, _, _] = items
    {
        items = rest;
        beyond -= 8;
    }
    if beyond >= 4
        && let [rest @ .., _, _, _, _] = items
    {
        items = rest;
        beyond -= 4;
    }
    while beyond > 0
        && let [rest @ .., _] = items
    {
        items = rest;
        beyond -= 1;
    }
    items
}

/// The elements after the first `count`.
#[doc(hidden)]
#[inline]
#[must_use]
pub const fn tail<T>(mut items: &[T], mut count: usize) -> &[T] {
    while count >= 8
        && let [_, _, _, _, _, _, _, _, rest @ ..] = items
    {
        (items, count) = (rest, count - 8);
    }
    while count > 0
        && let [_, rest @ ..] = items
    {
        (items, count) = (rest, count - 1);
    }
    items
}

const fn reversed(list: Result<List, NumberError>) -> Result<List, NumberError> {
    match list {
        Ok(list) => Ok(list.reverse()),
        Err(fault) => Err(fault),
    }
}

impl core::fmt::Debug for List {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_slice().fmt(f)
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for List {}

impl<const N: usize> PartialEq<[u32; N]> for List {
    fn eq(&self, other: &[u32; N]) -> bool {
        self.as_slice() == other
    }
}
