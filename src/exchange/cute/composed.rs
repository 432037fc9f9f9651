//! A swizzle after an offset after a layout: `swizzle(offset + layout(coordinate))`.
//!
//! The offset is added before the swizzle, and that is not the same as after it: with
//! `Sw<3,3,3>`, element (1, 0) of rows of 64 lies at 72, in a tile at offset 8 at
//! 72 ^ 8 = 64, and not at 80.

use super::error::CuteError;
use super::strided::Strided;
use super::swizzle::Swizzle;
use tiledesc_transforms::{Linear, List, Text, attempt, carry, say};

/// Which dimension runs fastest in a running number. Modes nested in one dimension run
/// first mode fastest either way.
///
/// ```
/// use tiledesc::exchange::cute::{Composed, Fastest};
///
/// let tile = Composed::parse("Sw<3,3,3> o 0 o (8,64):(64,1)").unwrap();
/// assert_eq!(tile.linear(Fastest::First).unwrap().columns()[..3], [72, 144, 288]);
/// assert_eq!(tile.linear(Fastest::Last).unwrap().columns()[..3], [1, 2, 4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fastest {
    /// The first: CuTe's numbers, called colexicographic there.
    First,
    /// The last: the numbers of [`Plan::nth`](crate::Plan::nth) and
    /// [`Plan::linear`](crate::Plan::linear).
    Last,
}

/// CuTe's composed layout, in elements: `swizzle(offset + layout(coordinate))`.
///
/// ```
/// use tiledesc::exchange::cute::{Composed, Fastest};
///
/// const TILE: Composed =
///     match Composed::parse("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)") {
///         Ok(tile) => tile,
///         Err(_) => panic!(),
///     };
/// assert_eq!(TILE.offset_of(&[3, 17]), Some(201));
/// assert_eq!(TILE.at(3 + 8 * 17), Some(201));
/// assert_eq!(TILE.swizzle().to_string(), "Sw<3,3,3>"); // in elements
/// assert_eq!(TILE.number_at(201), Ok(Some(139)));
///
/// let ours = TILE.linear(Fastest::Last).unwrap();
/// assert_eq!(ours.columns(), [1, 2, 4, 8, 16, 32, 72, 144, 288]);
/// assert_eq!(ours.inverse().unwrap().apply(201), 3 * 64 + 17);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composed {
    /// In elements, also where the text counts bytes.
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
    /// use tiledesc::exchange::cute::{Composed, Strided, Swizzle};
    ///
    /// let rows = Strided::new(&[8, 64], &[64, 1]).unwrap();
    /// let tile = Composed::new(Swizzle::new(3, 3, 3).unwrap(), 8, rows).unwrap();
    /// assert_eq!(tile.offset_of(&[1, 0]), Some(64));
    /// assert_eq!(tile.to_string(), "Sw<3,3,3> o 8 o (8,64):(64,1)");
    /// ```
    ///
    /// # Errors
    ///
    /// [`CuteError::TooLarge`].
    pub const fn new(swizzle: Swizzle, offset: u32, layout: Strided) -> Result<Self, CuteError> {
        Self::as_written(swizzle, offset, false, layout)
    }

    pub(super) const fn as_written(
        swizzle: Swizzle,
        offset: u32,
        fixed: bool,
        layout: Strided,
    ) -> Result<Self, CuteError> {
        Self { swizzle, offset, fixed, pointer: None, layout }.over(layout)
    }

    /// As CUTLASS writes shared memory: the swizzle counts bytes, the layout elements of
    /// `bits` bits, and the pointer is not known yet. A pointer that is not aligned to
    /// all bits of the swizzle shifts the pattern.
    ///
    /// ```
    /// use tiledesc::exchange::cute::{Composed, CuteError, Strided, Swizzle};
    ///
    /// let rows = Strided::new(&[8, 64], &[64, 1])?;
    /// let tile = Composed::in_bytes(Swizzle::new(3, 4, 3)?, 16, rows)?;
    /// assert_eq!(tile.to_string(), "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)");
    /// // What 3,4,3 is of bytes, 3,3,3 is of halves.
    /// assert_eq!(tile.swizzle().to_string(), "Sw<3,3,3>");
    /// // The same swizzle over 128 rows: row 11 is row 3 of the second atom.
    /// let tall = tile.over(Strided::new(&[128, 64], &[64, 1])?)?;
    /// assert_eq!(tall.offset_of(&[11, 17]), Some(512 + 201));
    /// # Ok::<(), CuteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Swizzle::recast`].
    pub const fn in_bytes(swizzle: Swizzle, bits: u32, layout: Strided) -> Result<Self, CuteError> {
        let swizzle = attempt!(swizzle.recast(8, bits));
        Ok(Self { swizzle, offset: 0, fixed: false, pointer: Some(bits), layout })
    }

    /// The same, if the swizzle of the text counts bytes, and the offset and the layout elements of `bits` bits: what the
    /// CuTe DSL prints of a tensor whose pointer is swizzled. The text alone is read as one of elements, which is
    /// what it means of a layout; after `smem_ptr[16b]` it says that it counts bytes.
    ///
    /// ```
    /// use tiledesc::exchange::cute::{self, CuteError};
    ///
    /// let text = cute::parse("S<3,4,3> o 0 o (8,64):(64,1)")?;
    /// assert_eq!(text.offset_of(&[3, 17]), Some(193));
    /// assert_eq!(text.in_bytes_of(16)?.offset_of(&[3, 17]), Some(201));
    /// assert_eq!(
    ///     text.in_bytes_of(16)?.to_string(),
    ///     "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    /// );
    /// # Ok::<(), CuteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Swizzle::recast`]; [`CuteError::Width`] of a text that counts bytes of elements of another width.
    pub const fn in_bytes_of(self, bits: u32) -> Result<Self, CuteError> {
        match self.pointer {
            Some(from) if from == bits => return Ok(self),
            Some(from) => return Err(CuteError::Width { from, to: bits }),
            None => {}
        }
        let swizzle = attempt!(self.swizzle.recast(8, bits));
        // Behind a pointer there is no offset.
        let pointer = if self.offset == 0 { Some(bits) } else { None };
        Ok(Self { swizzle, pointer, ..self })
    }

    /// The same swizzle and offset over another layout.
    ///
    /// # Errors
    ///
    /// [`CuteError::TooLarge`].
    pub const fn over(mut self, layout: Strided) -> Result<Self, CuteError> {
        let value = layout.cosize() + self.offset as u64;
        if value > 1 << 32 {
            return Err(CuteError::TooLarge { value });
        }
        self.layout = layout;
        Ok(self)
    }

    /// The swizzle, in elements.
    #[must_use]
    pub const fn swizzle(&self) -> &Swizzle {
        &self.swizzle
    }

    /// What is added before the swizzle, in elements.
    #[must_use]
    pub const fn offset(&self) -> u32 {
        self.offset
    }

    /// Bits of an element, where the text has `smem_ptr[..]`.
    #[must_use]
    pub const fn pointer_bits(&self) -> Option<u32> {
        self.pointer
    }

    /// The layout below.
    #[must_use]
    pub const fn layout(&self) -> &Strided {
        &self.layout
    }

    /// The offset of a flattened coordinate, in elements; `None` if it is out of range.
    #[must_use]
    pub const fn offset_of(&self, index: &[u32]) -> Option<u32> {
        match self.layout.offset(index) {
            Some(inner) => Some(self.swizzle.apply(self.offset + inner)),
            None => None,
        }
    }

    /// The offset of a running number, the first mode fastest.
    #[must_use]
    pub const fn at(&self, number: u64) -> Option<u32> {
        match self.layout.nth(number) {
            Some(index) => self.offset_of(index.as_slice()),
            None => None,
        }
    }

    /// The running number, first mode fastest, of what lies at an offset; `None` if
    /// nothing does. For any lengths.
    ///
    /// # Errors
    ///
    /// As [`Strided::number_at`].
    pub const fn number_at(&self, offset: u32) -> Result<Option<u64>, CuteError> {
        match self.swizzle.apply(offset).checked_sub(self.offset) {
            Some(inner) => self.layout.number_at(inner),
            None => Ok(None),
        }
    }

    /// The layout as columns over the bits of a running number.
    ///
    /// ```
    /// use tiledesc::exchange::cute::{Composed, Fastest};
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
    /// [`CuteError::NotPowerOfTwo`]; [`CuteError::Carries`], exactly if there are no columns.
    pub const fn linear(&self, fastest: Fastest) -> Result<Linear, CuteError> {
        let (mut strides, mut inputs) = ([0; Linear::BITS], 0);
        let (order, mut m) = (self.order(fastest), 0);
        while m < order.len() {
            let mode = order.at(m) as usize;
            let (length, stride) = (self.layout.shape().at(mode), self.layout.stride().at(mode));
            if !length.is_power_of_two() {
                return Err(CuteError::NotPowerOfTwo { length, mode: mode as u32 });
            }
            let mut b = 0;
            while b < length.ilog2() {
                strides[inputs] = stride << b;
                inputs += 1;
                b += 1;
            }
            m += 1;
        }
        let strides = strides.split_at(inputs).0;
        let mut columns = match carry::columns(self.offset, strides) {
            Ok(columns) => columns,
            Err(b) => {
                let one = carry::meets(self.offset, strides, b);
                return Err(CuteError::Carries { one, other: strides[b] });
            }
        };
        let mut b = 0;
        while b < inputs {
            columns[b] = self.swizzle.apply(columns[b]);
            b += 1;
        }
        match Linear::new(columns.split_at(inputs).0, self.swizzle.apply(self.offset)) {
            Ok(map) => Ok(map),
            Err(error) => Err(CuteError::Map(error)),
        }
    }

    /// The flattened modes, the fastest first.
    const fn order(&self, fastest: Fastest) -> List {
        let modes = self.layout.shape().len();
        let mut order = List::iota(modes);
        if matches!(fastest, Fastest::First) {
            return order;
        }
        let (mut written, mut end) = (0, modes);
        while end > 0 {
            let mut begin = end - 1;
            while !self.layout.begins_mode(begin) {
                begin -= 1;
            }
            let mut mode = begin;
            while mode < end {
                order = order.with(written, mode as u32);
                written += 1;
                mode += 1;
            }
            end = begin;
        }
        order
    }

    /// Appends CuTe's text; without swizzle and offset that of the layout alone.
    const fn write(&self, text: Text) -> Text {
        let alone = self.swizzle.is(&Swizzle::NONE) && self.offset == 0 && !self.fixed;
        let text = match (self.pointer, &self.swizzle) {
            (Some(bits), swizzle) => {
                // It was recast from bytes, so the way back to them is open.
                let text = match swizzle.recast(bits, 8) {
                    Ok(bytes) => bytes.write(text),
                    Err(_) => swizzle.write(text),
                };
                say!(text: " o smem_ptr[", bits, "b](unset) o ")
            }
            (None, _) if alone => text,
            (None, swizzle) => {
                let text = swizzle.write(text).str(if self.fixed { " o _" } else { " o " });
                say!(text: self.offset, " o ")
            }
        };
        self.layout.write(text)
    }
}

/// A layout without a swizzle.
impl From<Strided> for Composed {
    fn from(layout: Strided) -> Self {
        Self { swizzle: Swizzle::NONE, offset: 0, fixed: false, pointer: None, layout }
    }
}

impl core::fmt::Display for Composed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.write(Text::new()).as_str())
    }
}
