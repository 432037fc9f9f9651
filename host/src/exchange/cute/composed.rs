//! A swizzle after an offset after a layout: `swizzle(offset + layout(coordinate))`.
//!
//! The offset is added before the swizzle, and that is not the same as after it: with `Sw<3,3,3>`, element (1, 0) of
//! rows of 64 is at 72, in a tile at offset 8 at 72 ^ 8 = 64, and not at 80.

use super::carry;
use super::strided::{Strided, check_count};
use super::swizzle::{Swizzle, width};
use crate::Error;
use core::fmt;
use tiledesc::Linear;

/// The dimension that runs fastest in a running number. Modes nested in one dimension run first mode fastest either
/// way.
///
/// ```
/// use tiledesc_host::exchange::cute::{Composed, Fastest};
///
/// let tile = Composed::parse("Sw<3,3,3> o 0 o (8,64):(64,1)").unwrap();
/// assert_eq!(tile.linear(Fastest::First).unwrap().columns()[..3], [72, 144, 288]);
/// assert_eq!(tile.linear(Fastest::Last).unwrap().columns()[..3], [1, 2, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fastest {
    /// The first: CuTe's numbers, called colexicographic there.
    First,
    /// The last: the numbers of [`Plan::nth`](tiledesc::Plan::nth) and
    /// [`Plan::linear`](tiledesc::Plan::linear).
    Last,
}

/// CuTe's composed layout, in elements: `swizzle(offset + layout(coordinate))`.
///
/// ```
/// use tiledesc_host::exchange::cute::{Composed, Fastest};
///
/// let tile = Composed::parse("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)").unwrap();
/// assert_eq!(tile.offset_of(&[3, 17]), Some(201));
/// assert_eq!(tile.at(3 + 8 * 17), Some(201));
/// assert_eq!(tile.swizzle().to_string(), "Sw<3,3,3>"); // in elements
/// assert_eq!(tile.number_at(201), Ok(Some(139)));
///
/// let ours = tile.linear(Fastest::Last).unwrap();
/// assert_eq!(ours.columns(), [1, 2, 4, 8, 16, 32, 72, 144, 288]);
/// assert_eq!(ours.inverse().unwrap().apply(201), 3 * 64 + 17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The swizzle in elements, also where the text counts bytes.
    swizzle: Swizzle,
    offset: u32,
    /// Whether the offset was written as known to the compiler: `_0`.
    fixed: bool,
    /// Bits of an element, where the text has `smem_ptr[..]` in place of an offset.
    pointer: Option<u32>,
    layout: Strided,
}

impl Composed {
    /// `swizzle o offset o layout`, all in elements.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::{Composed, Strided, Swizzle};
    ///
    /// let rows = Strided::new(&[8, 64], &[64, 1]).unwrap();
    /// let tile = Composed::new(Swizzle::new(3, 3, 3).unwrap(), 8, rows).unwrap();
    /// assert_eq!(tile.offset_of(&[1, 0]), Some(64));
    /// assert_eq!(tile.to_string(), "Sw<3,3,3> o 8 o (8,64):(64,1)");
    /// ```
    ///
    /// # Errors
    ///
    /// More elements than 32 bits count.
    pub fn new(swizzle: Swizzle, offset: u32, layout: Strided) -> Result<Self, Error> {
        Self::as_written(swizzle, offset, false, layout)
    }

    pub(super) fn as_written(
        swizzle: Swizzle,
        offset: u32,
        fixed: bool,
        layout: Strided,
    ) -> Result<Self, Error> {
        Self { swizzle, offset, fixed, pointer: None, layout }.over(layout)
    }

    /// The layout as CUTLASS writes shared memory: the swizzle counts bytes, the layout elements of `bits` bits, and
    /// the pointer is not known yet. A pointer that is not aligned to all bits of the swizzle shifts the pattern.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::{Composed, Strided, Swizzle};
    ///
    /// let rows = Strided::new(&[8, 64], &[64, 1])?;
    /// let tile = Composed::in_bytes(Swizzle::new(3, 4, 3)?, 16, rows)?;
    /// assert_eq!(tile.to_string(), "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)");
    /// // What 3,4,3 is of bytes, 3,3,3 is of halves.
    /// assert_eq!(tile.swizzle().to_string(), "Sw<3,3,3>");
    /// // The same swizzle over 128 rows: row 11 is row 3 of the second atom.
    /// let tall = tile.over(Strided::new(&[128, 64], &[64, 1])?)?;
    /// assert_eq!(tall.offset_of(&[11, 17]), Some(512 + 201));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Swizzle::recast`].
    pub fn in_bytes(swizzle: Swizzle, bits: u32, layout: Strided) -> Result<Self, Error> {
        let swizzle = swizzle.recast(8, bits)?;
        Ok(Self { swizzle, offset: 0, fixed: false, pointer: Some(bits), layout })
    }

    /// The layout, read with a swizzle that counts bytes, and an offset and a layout that count elements of `bits`
    /// bits: what the CuTe DSL prints of a tensor whose pointer is swizzled. The text alone is read as one of elements,
    /// which is what it means of a layout; after `smem_ptr[16b]` the swizzle counts bytes.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute;
    ///
    /// let text = cute::parse("S<3,4,3> o 0 o (8,64):(64,1)")?;
    /// assert_eq!(text.offset_of(&[3, 17]), Some(193));
    /// assert_eq!(text.in_bytes_of(16)?.offset_of(&[3, 17]), Some(201));
    /// assert_eq!(
    ///     text.in_bytes_of(16)?.to_string(),
    ///     "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    /// );
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Swizzle::recast`]; a text that counts bytes of elements of another width.
    pub fn in_bytes_of(self, bits: u32) -> Result<Self, Error> {
        match self.pointer {
            Some(from) if from == bits => return Ok(self),
            Some(from) => return Err(width(from, bits)),
            None => {}
        }
        let swizzle = self.swizzle.recast(8, bits)?;
        // Behind a pointer there is no offset.
        let pointer = if self.offset == 0 { Some(bits) } else { None };
        Ok(Self { swizzle, pointer, ..self })
    }

    /// The swizzle and the offset over another layout.
    ///
    /// # Errors
    ///
    /// More elements than 32 bits count.
    pub fn over(mut self, layout: Strided) -> Result<Self, Error> {
        check_count(layout.cosize() + u64::from(self.offset))?;
        self.layout = layout;
        Ok(self)
    }

    /// The swizzle, in elements.
    #[must_use]
    pub fn swizzle(&self) -> &Swizzle {
        &self.swizzle
    }

    /// The offset that is added before the swizzle, in elements.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// Bits of an element, where the text has `smem_ptr[..]`.
    #[must_use]
    pub fn pointer_bits(&self) -> Option<u32> {
        self.pointer
    }

    /// The layout below.
    #[must_use]
    pub fn layout(&self) -> &Strided {
        &self.layout
    }

    /// The offset of a flattened coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub fn offset_of(&self, index: &[u32]) -> Option<u32> {
        self.layout.offset(index).map(|inner| self.swizzle.apply(self.offset + inner))
    }

    /// The offset of a running number, the first mode fastest.
    #[must_use]
    pub fn at(&self, number: u64) -> Option<u32> {
        self.offset_of(self.layout.nth(number)?.as_slice())
    }

    /// The running number, first mode fastest, of the element at an offset, for any lengths; `None` if no element
    /// has that offset.
    ///
    /// # Errors
    ///
    /// As [`Strided::number_at`].
    pub fn number_at(&self, offset: u32) -> Result<Option<u64>, Error> {
        match self.swizzle.apply(offset).checked_sub(self.offset) {
            Some(inner) => self.layout.number_at(inner),
            None => Ok(None),
        }
    }

    /// The layout as columns over the bits of a running number.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::{Composed, Fastest};
    ///
    /// let padded = Composed::parse("(8,64):(72,1)").unwrap();
    /// assert_eq!(
    ///     padded.linear(Fastest::First).unwrap_err().to_string(),
    ///     "72 and 8 share a bit: their sum carries, and columns only flip",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Exactly if there are no columns: a length that is not a power of two, or a sum that carries.
    pub fn linear(&self, fastest: Fastest) -> Result<Linear, Error> {
        let mut strides = Vec::new();
        for mode in self.order(fastest) {
            let (length, stride) = (self.layout.shape().at(mode), self.layout.stride().at(mode));
            if !length.is_power_of_two() {
                return Err(not_power_of_two(length, mode));
            }
            strides.extend((0..length.ilog2()).map(|b| stride << b));
        }
        let columns = carry::columns(self.offset, &strides).map_err(|b| {
            let (one, other) = (carry::meets(self.offset, &strides, b), strides[b]);
            Error::no_form(format!(
                "{one} and {other} share a bit: their sum carries, and columns only flip"
            ))
        })?;
        let columns: Vec<u32> =
            columns.into_iter().map(|column| self.swizzle.apply(column)).collect();
        let constant = self.swizzle.apply(self.offset);
        Ok(Linear::new(&columns, constant)?)
    }

    /// The flattened modes, the fastest first.
    fn order(&self, fastest: Fastest) -> Vec<usize> {
        let modes: Vec<usize> = (0..self.layout.shape().len()).collect();
        if fastest == Fastest::First {
            return modes;
        }
        let outer: Vec<_> = modes.chunk_by(|_, next| !self.layout.begins_mode(*next)).collect();
        outer.into_iter().rev().flatten().copied().collect()
    }
}

/// The error of a length of a flattened mode that has no columns.
pub(super) fn not_power_of_two(length: u32, mode: usize) -> Error {
    Error::no_form(format!(
        "length {length} of mode {mode} is not a power of two, so there are no columns"
    ))
}

/// A layout without a swizzle.
impl From<Strided> for Composed {
    fn from(layout: Strided) -> Self {
        Self { swizzle: Swizzle::NONE, offset: 0, fixed: false, pointer: None, layout }
    }
}

impl fmt::Display for Composed {
    /// CuTe's text; without swizzle and offset that of the layout alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { swizzle, offset, layout, .. } = self;
        let fixed = if self.fixed { "_" } else { "" };
        match self.pointer {
            Some(bits) => {
                // It was recast from bytes, so the way back to them is open.
                let bytes = swizzle.recast(bits, 8).unwrap_or(*swizzle);
                write!(f, "{bytes} o smem_ptr[{bits}b](unset) o {layout}")
            }
            None if *swizzle == Swizzle::NONE && *offset == 0 && !self.fixed => {
                write!(f, "{layout}")
            }
            None => write!(f, "{swizzle} o {fixed}{offset} o {layout}"),
        }
    }
}
