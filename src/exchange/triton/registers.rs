//! Register layouts: which coordinate each bit of register, lane and warp brings, and the
//! distribution that says the same.
//!
//! ```text
//!   dist_mfma_f16_32x32x8_A          register = [[0, 1], [0, 2]]
//!   m [row 32], k [part 2, pack 4]   lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]]
//!   lane (part, row), thread (pack)  warp = []
//! ```
//!
//! Back, bits of one owner that are neighbours in a dimension, too, are a factor; lane and warp
//! bits that bring nothing are repetitions. What moves two dimensions at once, or a dimension by
//! two bits, is a swizzle in registers: Triton has those, a distribution of factors does not.

use crate::distribution::{DistributionError, Encoding};
use tiledesc_transforms::{Error, Linear, List, NameError, NamedLinear, Text, attempt, say};

/// Whose number a bit belongs to, by Triton's names.
const NAMES: [&str; 3] = ["register", "lane", "warp"];

/// A register layout as Triton's bases.
///
/// ```
/// use tiledesc::distribution::Encoding;
/// use tiledesc::exchange::triton::{RegisterError, Registers};
///
/// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1])).unwrap();
/// let bases = Registers::of(&a)?;
/// let text = "register = [[0, 1], [0, 2]], \
///             lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], warp = []";
/// assert_eq!(bases.to_string(), text);
/// assert_eq!(Registers::parse(text)?, bases);
/// assert_eq!(bases.encoding()?.linear(), a.linear());
/// // The last bit of the lane goes on along k, from 0 to 4; there is one warp.
/// assert_eq!(bases.lane()[5].as_slice(), [0, 4]);
/// assert_eq!((bases.register().len(), bases.lane().len(), bases.warp().len()), (2, 6, 0));
/// # Ok::<(), RegisterError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    lengths: List,
    images: [List; Linear::BITS],
    /// The bits of register, lane and warp.
    bits: [usize; 3],
}

/// Why bases are not a distribution, or a distribution has no bases.
///
/// Reported on the way in ([`Registers::parse`], [`Registers::new`]) and on the way to a distribution
/// ([`Registers::encoding`]), which says less than bases do.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the text | `Syntax` | [`Registers::parse`] |
/// | bases that no factor is | `TwoDimensions`, `TwoBits` | [`Registers::encoding`] |
/// | bases that bring an element twice or not at all | `Same`, `Repeats`, `Unreached` | [`Registers::encoding`] |
///
/// It wraps [`Error`] (`Tile`), [`DistributionError`] (`Distribution`) and [`NameError`] (`Names`). Nothing wraps
/// it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc::exchange::triton::{Bit, RegisterError};
///
/// let bit = Bit { of: "lane", number: 0 };
///
/// let printed = [
///     (RegisterError::Syntax { at: 11, expected: "`[`" }, "at byte 11: expected `[`"),
///     (
///         RegisterError::TwoDimensions { bit, first: 0, second: 1 },
///         "lane bit 0 moves dimensions 0 and 1: a swizzle in registers, which factors do not say",
///     ),
///     (RegisterError::Unreached { dimension: 1, by: 4 }, "no bit moves dimension 1 by 4"),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegisterError {
    /// What the tile refuses: a length that is not a power of two, an image outside, more than 32
    /// bits.
    Tile(Error),
    /// What the distribution refuses.
    Distribution(DistributionError),
    /// What a linear map of these names refuses: a tile of more than 32 bits.
    Names(NameError),
    /// A bit that moves two dimensions.
    TwoDimensions {
        /// The bit.
        bit: Bit,
        /// One dimension.
        first: u32,
        /// The other.
        second: u32,
    },
    /// A bit that moves a dimension by two bits.
    TwoBits {
        /// The bit.
        bit: Bit,
        /// The dimension.
        dimension: u32,
        /// By how much it is moved.
        by: u32,
    },
    /// Two bits that do the same.
    Same {
        /// One bit.
        first: Bit,
        /// The other.
        second: Bit,
        /// The dimension that they move.
        dimension: u32,
        /// By how much.
        by: u32,
    },
    /// A place that no bit leads to.
    Unreached {
        /// The dimension.
        dimension: u32,
        /// By how much nothing moves it.
        by: u32,
    },
    /// A register bit that moves nothing.
    Repeats {
        /// The bit.
        bit: Bit,
    },
    /// Not the text of bases.
    Syntax {
        /// The byte.
        at: u32,
        /// What should stand there.
        expected: &'static str,
    },
}

/// A bit of a register's, a lane's or a warp's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bit {
    /// `register`, `lane` or `warp`.
    pub of: &'static str,
    /// The bit, from 0.
    pub number: u32,
}

impl Bit {
    const fn new(owner: usize, number: usize) -> Self {
        Self { of: NAMES[owner], number: number as u32 }
    }

    /// `register bit 3`
    const fn explain(self, text: Text) -> Text {
        say!(text: str(self.of), " bit ", self.number)
    }
}

/// Why a bit of a register layout belongs to no factor.
const SWIZZLE: &str = ": a swizzle in registers, which factors do not say";

impl RegisterError {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Tile(error) => error.explain(text),
            Self::Distribution(error) => error.explain(text),
            Self::Names(error) => error.explain(text),
            Self::TwoDimensions { bit, first, second } => {
                let text = bit.explain(text);
                say!(text: " moves dimensions ", first, " and ", second, str(SWIZZLE))
            }
            Self::TwoBits { bit, dimension, by } => {
                let text = bit.explain(text);
                say!(text: " moves dimension ", dimension, " by ", by, ", which is not a power of two", str(SWIZZLE))
            }
            Self::Same { first, second, dimension, by } => {
                let text = second.explain(first.explain(text).str(" and "));
                say!(text: " both move dimension ", dimension, " by ", by)
            }
            Self::Unreached { dimension, by } => {
                say!(text: "no bit moves dimension ", dimension, " by ", by)
            }
            Self::Repeats { bit } => {
                bit.explain(text).str(" moves nothing: a lane would hold one element twice")
            }
            Self::Syntax { at, expected } => {
                say!(text: "at byte ", at, ": expected ", str(expected))
            }
        }
    }
}

impl core::fmt::Display for RegisterError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for RegisterError {}

impl Registers {
    /// Bases over a tile of these lengths: the coordinate that each bit of the register's, the
    /// lane's and the warp's number brings, in this order and the lowest bit first.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc::exchange::triton::{RegisterError, Registers};
    ///
    /// // 4 rows of 2, each row in a lane.
    /// let (column, rows) = ([List::pair(0, 1)], [List::pair(1, 0), List::pair(2, 0)]);
    /// let bases = Registers::new(List::pair(4, 2), [&column, &rows, &[]])?;
    /// assert_eq!(bases.to_string(), "register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []");
    /// assert_eq!(bases.encoding()?.lanes(), 4);
    /// # Ok::<(), RegisterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError::Tile`]: a length that is not a power of two, an image of another rank or
    /// outside the tile, more than 32 bits.
    pub const fn new(lengths: List, images: [&[List]; 3]) -> Result<Self, RegisterError> {
        if let Some(error) = super::odd_length(&lengths) {
            return Err(RegisterError::Tile(error));
        }
        let mut made = Self { lengths, images: [List::EMPTY; Linear::BITS], bits: [0; 3] };
        let columns = images[0].len() + images[1].len() + images[2].len();
        if columns > Linear::BITS {
            return Err(RegisterError::Tile(Error::TooManyBits { columns: columns as u32 }));
        }
        let (mut owner, mut at) = (0, 0);
        while owner < 3 {
            while made.bits[owner] < images[owner].len() {
                let image = images[owner][made.bits[owner]];
                if let Some(error) = super::outside(&lengths, &image) {
                    return Err(RegisterError::Tile(error));
                }
                made.images[at] = image;
                made.bits[owner] += 1;
                at += 1;
            }
            owner += 1;
        }
        Ok(made)
    }

    /// The bases of a distribution.
    ///
    /// # Errors
    ///
    /// As [`Encoding::linear`].
    pub const fn of(encoding: &Encoding) -> Result<Self, RegisterError> {
        let map = attempt!(encoding.linear() => RegisterError::Distribution);
        let numbers = [encoding.elements(), encoding.lanes(), encoding.waves()];
        let lengths = encoding.lengths();
        let mut made = Self { lengths, images: [List::EMPTY; Linear::BITS], bits: [0; 3] };
        let mut owner = 0;
        while owner < 3 {
            made.bits[owner] = numbers[owner].trailing_zeros() as usize;
            owner += 1;
        }
        let mut b = 0;
        while b < map.inputs() {
            made.images[b] = lengths.nth(map.columns()[b] as u64);
            b += 1;
        }
        Ok(made)
    }

    /// The lengths of the tile.
    #[must_use]
    pub const fn lengths(&self) -> List {
        self.lengths
    }

    /// The coordinate that each bit of the register's number brings.
    #[must_use]
    pub const fn register(&self) -> &[List] {
        self.images_of(0)
    }

    /// The coordinate that each bit of the lane's number brings.
    #[must_use]
    pub const fn lane(&self) -> &[List] {
        self.images_of(1)
    }

    /// The coordinate that each bit of the warp's number brings.
    #[must_use]
    pub const fn warp(&self) -> &[List] {
        self.images_of(2)
    }

    const fn images_of(&self, owner: usize) -> &[List] {
        self.images.split_at(self.first(owner)).1.split_at(self.bits[owner]).0
    }

    /// The first image of an owner.
    const fn first(&self, owner: usize) -> usize {
        match owner {
            0 => 0,
            1 => self.bits[0],
            _ => self.bits[0] + self.bits[1],
        }
    }

    /// The linear map of these bases, with Triton's names: (warp, lane, register) to (dim0, dim1,
    /// ..). Bases that are not a distribution have one, too.
    ///
    /// ```
    /// use tiledesc::exchange::triton::{RegisterError, Registers};
    ///
    /// let swizzled = Registers::parse("register = [[0, 1]], lane = [[1, 1], [2, 0]], warp = []")?;
    /// assert_eq!(
    ///     swizzled.named_linear()?.to_string(),
    ///     " - register=1 -> (0, 1)
    ///  - lane=1 -> (1, 1)
    ///    lane=2 -> (2, 0)
    ///  - warp is a size 1 dimension
    /// where out dims are: [dim0 (size 4), dim1 (size 2)]",
    /// );
    /// # Ok::<(), RegisterError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError::Names`] of a tile of more than 2^32 elements.
    pub const fn named_linear(&self) -> Result<NamedLinear, RegisterError> {
        let (mut columns, mut b) = ([0; Linear::BITS], 0);
        let bits = self.bits[0] + self.bits[1] + self.bits[2];
        while b < bits {
            columns[b] = super::number(&self.lengths, &self.images[b]);
            b += 1;
        }
        let map = attempt!(Linear::new(columns.split_at(bits).0, 0) => RegisterError::Tile);
        let (mut inputs, mut i) = ([("", 0); 3], 0);
        while i < inputs.len() {
            inputs[i] = (NAMES[2 - i], self.bits[2 - i] as u32);
            i += 1;
        }
        let (mut outputs, mut d) = ([("", 0); List::CAPACITY], 0);
        while d < self.lengths.len() {
            outputs[d] = (NamedLinear::DIMENSIONS[d], self.lengths.at(d).trailing_zeros());
            d += 1;
        }
        let named = NamedLinear::new(map, &inputs, outputs.split_at(self.lengths.len()).0);
        Ok(attempt!(named => RegisterError::Names))
    }

    /// The distribution with these bases, of as few factors as there can be.
    ///
    /// ```
    /// use tiledesc::exchange::triton::{RegisterError, Registers};
    ///
    /// let twice = Registers::parse("register = [[0, 1]], lane = [[1, 1]], warp = []").unwrap();
    /// assert_eq!(
    ///     twice.encoding().unwrap_err().to_string(),
    ///     "lane bit 0 moves dimensions 0 and 1: a swizzle in registers, which factors do not say",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError`]: a bit that moves two dimensions or a dimension by two bits, two bits
    /// that do the same, a place that none leads to, a register bit that moves nothing.
    pub const fn encoding(&self) -> Result<Encoding, RegisterError> {
        let movers = attempt!(self.movers());
        let mut lists = CkLists::NONE;
        let mut dimension = 0;
        while dimension < self.lengths.len() {
            attempt!(self.factors(dimension, &movers[dimension], &mut lists));
            dimension += 1;
        }
        attempt!(self.repetitions(&mut lists));
        lists.encoding(self.lengths.len())
    }

    /// The bit that moves each bit of each dimension.
    const fn movers(&self) -> Result<Movers, RegisterError> {
        let mut movers = [[None; Linear::BITS]; List::CAPACITY];
        let mut owner = 0;
        while owner < 3 {
            let mut number = 0;
            while number < self.bits[owner] {
                let bit = Bit::new(owner, number);
                let image = &self.images[self.first(owner) + number];
                if let Some(dimension) = attempt!(one_dimension(image, bit)) {
                    let by = image.at(dimension);
                    let mover = &mut movers[dimension][by.trailing_zeros() as usize];
                    if let Some((first, its)) = *mover {
                        let (first, second) = (Bit::new(first, its), bit);
                        let dimension = dimension as u32;
                        return Err(RegisterError::Same { first, second, dimension, by });
                    }
                    *mover = Some((owner, number));
                } else if owner == 0 {
                    return Err(RegisterError::Repeats { bit });
                }
                number += 1;
            }
            owner += 1;
        }
        Ok(movers)
    }

    /// The factors of a dimension, from its highest bit: bits of one owner that follow each
    /// other there as well are one.
    const fn factors(
        &self,
        dimension: usize,
        movers: &[Option<(usize, usize)>; Linear::BITS],
        lists: &mut CkLists,
    ) -> Result<(), RegisterError> {
        let mut bit = self.lengths.at(dimension).trailing_zeros() as usize;
        if bit == 0 {
            lists.hs[dimension] = List::new(&[1]);
        }
        while bit > 0 {
            let Some((owner, highest)) = movers[bit - 1] else {
                let (dimension, by) = (dimension as u32, 1 << (bit - 1));
                return Err(RegisterError::Unreached { dimension, by });
            };
            let mut width = 0;
            while width < bit
                && width <= highest
                && matches!(movers[bit - 1 - width], Some((same, number))
                    if same == owner && number + width == highest)
            {
                width += 1;
            }
            let minor = lists.hs[dimension].len() as u32;
            lists.hs[dimension] = attempt!(longer(lists.hs[dimension], 1 << width));
            lists.ends[owner][highest] = Some((dimension as u32 + 1, minor));
            bit -= width;
        }
        Ok(())
    }

    /// The lane's and the warp's bits that move nothing.
    const fn repetitions(&self, lists: &mut CkLists) -> Result<(), RegisterError> {
        let mut owner = 3;
        while owner > 1 {
            owner -= 1;
            let mut end = self.bits[owner];
            while end > 0 {
                let mut width = 0;
                while width < end && self.moves_nothing(owner, end - 1 - width) {
                    width += 1;
                }
                if width > 0 {
                    let minor = lists.rs.len() as u32;
                    lists.rs = attempt!(longer(lists.rs, 1 << width));
                    lists.ends[owner][end - 1] = Some((0, minor));
                }
                end -= if width > 0 { width } else { 1 };
            }
        }
        Ok(())
    }

    const fn moves_nothing(&self, owner: usize, number: usize) -> bool {
        self.images[self.first(owner) + number].fold(tiledesc_transforms::Fold::Sum) == 0
    }
}

/// The owner and its bit that move each bit of a dimension.
type Movers = [[Option<(usize, usize)>; Linear::BITS]; List::CAPACITY];

/// The dimension that an image moves, if it moves any.
const fn one_dimension(image: &List, bit: Bit) -> Result<Option<usize>, RegisterError> {
    let (mut moved, mut dimension) = (None, 0);
    while dimension < image.len() {
        let by = image.at(dimension);
        if by != 0 {
            if let Some(first) = moved {
                let (first, second) = (first as u32, dimension as u32);
                return Err(RegisterError::TwoDimensions { bit, first, second });
            }
            if !by.is_power_of_two() {
                let dimension = dimension as u32;
                return Err(RegisterError::TwoBits { bit, dimension, by });
            }
            moved = Some(dimension);
        }
        dimension += 1;
    }
    Ok(moved)
}

const fn longer(list: List, length: u32) -> Result<List, RegisterError> {
    match list.push_back(length) {
        Ok(list) => Ok(list),
        Err(fault) => Err(RegisterError::Tile(Error::Number(fault))),
    }
}

/// CK Tile's six parameters, while they are being found.
struct CkLists {
    rs: List,
    hs: [List; List::CAPACITY],
    /// Of each owner, by the highest bit: the factor's major and minor index.
    ends: [[Option<(u32, u32)>; Linear::BITS]; 3],
}

impl CkLists {
    const NONE: Self = Self {
        rs: List::EMPTY,
        hs: [List::EMPTY; List::CAPACITY],
        ends: [[None; Linear::BITS]; 3],
    };

    const fn encoding(&self, rank: usize) -> Result<Encoding, RegisterError> {
        let (mut hs, mut dimension) = ([&[] as &[u32]; List::CAPACITY], 0);
        while dimension < rank {
            hs[dimension] = self.hs[dimension].as_slice();
            dimension += 1;
        }
        let [register, lane, warp] =
            [attempt!(self.owned(0)), attempt!(self.owned(1)), attempt!(self.owned(2))];
        let made = Encoding::ck(
            self.rs.as_slice(),
            hs.split_at(rank).0,
            (&[warp.0.as_slice(), lane.0.as_slice()], &[warp.1.as_slice(), lane.1.as_slice()]),
            (register.0.as_slice(), register.1.as_slice()),
        );
        Ok(attempt!(made => RegisterError::Distribution))
    }

    /// The major and the minor indices of an owner's factors, slowest first.
    const fn owned(&self, owner: usize) -> Result<(List, List), RegisterError> {
        let (mut major, mut minor, mut bit) = (List::EMPTY, List::EMPTY, Linear::BITS);
        while bit > 0 {
            bit -= 1;
            if let Some((its_major, its_minor)) = self.ends[owner][bit] {
                major = attempt!(longer(major, its_major));
                minor = attempt!(longer(minor, its_minor));
            }
        }
        Ok((major, minor))
    }
}

impl core::fmt::Display for Registers {
    /// As Triton's attributes print them: `register = [[0, 1]], lane = [[1, 0]], warp = []`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (owner, name) in NAMES.iter().enumerate() {
            let between = if owner > 0 { ", " } else { "" };
            write!(f, "{between}{name} = {:?}", self.images_of(owner))?;
        }
        Ok(())
    }
}
