//! Register layouts: the coordinate that each bit of register, lane and warp brings, and the equivalent
//! distribution.
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

use crate::Error;
use crate::exchange::linear::{self, NamedLinear};
use core::fmt;
use tiledesc::distribution::Encoding;
use tiledesc::{Linear, List};

/// The owners of bits, by Triton's names.
const NAMES: [&str; 3] = ["register", "lane", "warp"];

/// A register layout as Triton's bases.
///
/// ```
/// use tiledesc::distribution::Encoding;
/// use tiledesc_host::exchange::linear::from_encoding;
/// use tiledesc_host::exchange::triton::Registers;
///
/// let a = Encoding::ck(&[], &[&[32], &[2, 4]], (&[&[2, 1]], &[&[0, 0]]), (&[2], &[1])).unwrap();
/// let bases = Registers::from_encoding(&a)?;
/// let text = "register = [[0, 1], [0, 2]], \
///             lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4]], warp = []";
/// assert_eq!(bases.to_string(), text);
/// assert_eq!(Registers::parse(text)?, bases);
/// assert_eq!(from_encoding(&bases.encoding()?), from_encoding(&a));
/// // The last bit of the lane goes on along k, from 0 to 4; there is one warp.
/// assert_eq!(bases.lane()[5].as_slice(), [0, 4]);
/// assert_eq!((bases.register().len(), bases.lane().len(), bases.warp().len()), (2, 6, 0));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    lengths: List,
    /// The images of the bits of register, lane and warp.
    images: [Vec<List>; 3],
}

/// A bit of a register's, a lane's or a warp's number.
#[derive(Clone, Copy)]
struct Bit {
    /// `register`, `lane` or `warp`.
    of: &'static str,
    /// The bit, from 0.
    number: u32,
}

impl Bit {
    fn new(owner: usize, number: usize) -> Self {
        Self { of: NAMES[owner], number: number as u32 }
    }
}

impl fmt::Display for Bit {
    /// `register bit 3`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bit {}", self.of, self.number)
    }
}

/// The reason why a bit of a register layout belongs to no factor.
const SWIZZLE: &str = ": a swizzle in registers, which factors do not say";

impl Registers {
    /// Bases over a tile of these lengths: the coordinate that each bit of the register's, the
    /// lane's and the warp's number brings, in this order and the lowest bit first.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Registers;
    ///
    /// // 4 rows of 2, each row in a lane.
    /// let (column, rows) = ([List::pair(0, 1)], [List::pair(1, 0), List::pair(2, 0)]);
    /// let bases = Registers::new(List::pair(4, 2), [&column, &rows, &[]])?;
    /// assert_eq!(bases.to_string(), "register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []");
    /// assert_eq!(bases.encoding()?.lanes(), 4);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, an image of another rank or outside the tile, more than 32 bits.
    pub fn new(lengths: List, images: [&[List]; 3]) -> Result<Self, Error> {
        linear::odd_length(lengths.as_slice())?;
        let columns = images.iter().map(|of| of.len()).sum::<usize>();
        if columns > Linear::BITS {
            return Err(tiledesc::Error::TooManyBits { columns: columns as u32 }.into());
        }
        let mut all = images.iter().copied().flatten();
        all.try_for_each(|image| super::inside(&lengths, image))?;
        Ok(Self { lengths, images: images.map(<[List]>::to_vec) })
    }

    /// The same without one of several dimensions, and without the registers that moved along it alone.
    pub(super) fn without(&self, dimension: usize) -> Option<Result<Self, Error>> {
        let rank = self.lengths.len();
        if dimension >= rank || rank == 1 {
            return None;
        }
        let kept = |all: &List| {
            let others = all.as_slice().iter().enumerate().filter(|(d, _)| *d != dimension);
            List::new(&others.map(|(_, index)| *index).collect::<Vec<_>>())
        };
        let [mut register, lane, warp] =
            self.images.each_ref().map(|images| images.iter().map(kept).collect::<Vec<_>>());
        register.retain(|image| image.as_slice().iter().any(|index| *index > 0));
        Some(Self::new(kept(&self.lengths), [&register, &lane, &warp]))
    }

    /// The same over a tile of other lengths: what moves beyond a shorter one moves nothing, and a longer one takes further
    /// registers.
    pub(super) fn over(&self, lengths: List) -> Result<Self, Error> {
        let (own, rank) = (self.lengths, lengths.len());
        if own.len() != rank {
            return Err(Error::number(format!(
                "a layout of {} dimensions, and the tile has {rank}",
                own.len()
            )));
        }
        let longer: Vec<usize> = (0..rank).filter(|d| lengths.at(*d) > own.at(*d)).collect();
        if longer.len() > 1 {
            let [own, whole] = [own.as_slice(), lengths.as_slice()];
            return Err(Error::no_form(format!(
                "bases of {own:?} and a tile of {whole:?}: which dimension repeats first is not in them"
            )));
        }
        let cut = |image: &List| {
            let each = image.as_slice().iter().zip(lengths.as_slice());
            List::new(&each.map(|(index, length)| index & (length - 1)).collect::<Vec<_>>())
        };
        let brings = |image: &List| image.as_slice().iter().any(|index| *index > 0);
        let [mut register, lane, warp] =
            self.images.each_ref().map(|images| images.iter().map(cut).collect::<Vec<_>>());
        register.retain(brings);
        let zeros = List::of_first([0; List::CAPACITY], rank);
        for d in longer {
            let bits = own.at(d).ilog2()..lengths.at(d).ilog2();
            register.extend(bits.map(|bit| zeros.with(d, 1 << bit)));
        }
        Self::new(lengths, [&register, &lane, &warp])
    }

    /// The bases of a distribution.
    ///
    /// # Errors
    ///
    /// As [`linear::from_encoding`].
    pub fn from_encoding(encoding: &Encoding) -> Result<Self, Error> {
        let map = linear::from_encoding(encoding)?;
        let lengths = encoding.lengths();
        let mut images = map.columns().iter().map(|column| lengths.nth(u64::from(*column)));
        let numbers = [encoding.elements(), encoding.lanes(), encoding.waves()];
        let bits = numbers.map(|number| number.trailing_zeros() as usize);
        Ok(Self { lengths, images: bits.map(|bits| images.by_ref().take(bits).collect()) })
    }

    /// The lengths of the tile.
    #[must_use]
    pub fn lengths(&self) -> List {
        self.lengths
    }

    /// The coordinate that each bit of the register's number brings.
    #[must_use]
    pub fn register(&self) -> &[List] {
        &self.images[0]
    }

    /// The coordinate that each bit of the lane's number brings.
    #[must_use]
    pub fn lane(&self) -> &[List] {
        &self.images[1]
    }

    /// The coordinate that each bit of the warp's number brings.
    #[must_use]
    pub fn warp(&self) -> &[List] {
        &self.images[2]
    }

    /// The linear map of these bases, with Triton's names: (warp, lane, register) to (dim0, dim1,
    /// ..). Bases that are not a distribution have one, too.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Registers;
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
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A tile of more than 2^32 elements.
    pub fn named_linear(&self) -> Result<NamedLinear, Error> {
        let lengths = self.lengths.as_slice();
        let all = self.images.iter().flatten();
        let columns: Vec<_> = all.map(|image| linear::number(&self.lengths, image)).collect();
        let map = Linear::new(&columns, 0)?;
        let inputs = [2, 1, 0].map(|owner| (NAMES[owner], self.images[owner].len() as u32));
        let bits = lengths.iter().map(|length| length.trailing_zeros());
        let outputs: Vec<_> = NamedLinear::DIMENSIONS.into_iter().zip(bits).collect();
        NamedLinear::new(map, &inputs, &outputs)
    }

    /// The distribution with these bases, of as few factors as there can be.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Registers;
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
    /// A bit that moves two dimensions or a dimension by two bits, two bits that do the same, a place that none leads to, a
    /// register bit that moves nothing.
    pub fn encoding(&self) -> Result<Encoding, Error> {
        let movers = self.movers()?;
        let mut lists = CkLists::default();
        for (dimension, movers) in movers.iter().enumerate() {
            lists.hs.push(Vec::new());
            self.factors(dimension, movers, &mut lists)?;
        }
        self.repetitions(&mut lists);
        lists.encoding()
    }

    /// The owner and its bit that move each bit of each dimension.
    fn movers(&self) -> Result<Vec<[Option<Place>; Linear::BITS]>, Error> {
        let mut movers = vec![[None; Linear::BITS]; self.lengths.len()];
        for (owner, images) in self.images.iter().enumerate() {
            for (number, image) in images.iter().enumerate() {
                let bit = Bit::new(owner, number);
                let Some(dimension) = one_dimension(image, bit)? else {
                    if owner == 0 {
                        return Err(Error::no_form(format!(
                            "{bit} moves nothing: a lane would hold one element twice"
                        )));
                    }
                    continue;
                };
                let by = image.at(dimension);
                let mover = &mut movers[dimension][by.trailing_zeros() as usize];
                if let Some((first, its)) = mover.replace((owner, number)) {
                    let first = Bit::new(first, its);
                    return Err(Error::no_form(format!(
                        "{first} and {bit} both move dimension {dimension} by {by}"
                    )));
                }
            }
        }
        Ok(movers)
    }

    /// The factors of a dimension, from its highest bit: bits of one owner that follow each
    /// other there as well are one.
    fn factors(
        &self,
        dimension: usize,
        movers: &[Option<Place>],
        lists: &mut CkLists,
    ) -> Result<(), Error> {
        let mut bit = self.lengths.at(dimension).trailing_zeros() as usize;
        let unreached = |bit: usize| {
            Error::no_form(format!("no bit moves dimension {dimension} by {}", 1u32 << bit))
        };
        if bit == 0 {
            lists.hs[dimension].push(1);
        }
        while bit > 0 {
            let (owner, highest) = movers[bit - 1].ok_or_else(|| unreached(bit - 1))?;
            let follows = |width: &usize| {
                movers[bit - 1 - width].is_some_and(|next| next == (owner, highest - width))
            };
            let width = (0..bit.min(highest + 1)).take_while(follows).count();
            let minor = lists.hs[dimension].len() as u32;
            lists.hs[dimension].push(1 << width);
            lists.ends[owner].push((highest, dimension as u32 + 1, minor));
            bit -= width;
        }
        Ok(())
    }

    /// The lane's and the warp's bits that move nothing.
    fn repetitions(&self, lists: &mut CkLists) {
        for owner in [2, 1] {
            let moves = |image: &List| image.as_slice().iter().any(|by| *by != 0);
            let mut end = self.images[owner].len();
            while end > 0 {
                let below = self.images[owner][..end].iter().rev();
                let width = below.take_while(|image| !moves(image)).count();
                if width > 0 {
                    lists.ends[owner].push((end - 1, 0, lists.rs.len() as u32));
                    lists.rs.push(1 << width);
                }
                end -= width.max(1);
            }
        }
    }
}

/// An owner, and a bit of its number.
type Place = (usize, usize);

/// The dimension that an image moves, if it moves any.
fn one_dimension(image: &List, bit: Bit) -> Result<Option<usize>, Error> {
    let mut moved = None;
    for (dimension, by) in image.as_slice().iter().copied().enumerate().filter(|(_, by)| *by != 0) {
        if let Some(first) = moved.replace(dimension) {
            return Err(Error::no_form(format!(
                "{bit} moves dimensions {first} and {dimension}{SWIZZLE}"
            )));
        }
        if !by.is_power_of_two() {
            return Err(Error::no_form(format!(
                "{bit} moves dimension {dimension} by {by}, which is not a power of two{SWIZZLE}"
            )));
        }
    }
    Ok(moved)
}

/// CK Tile's six parameters, while they are being found.
#[derive(Default)]
struct CkLists {
    rs: Vec<u32>,
    hs: Vec<Vec<u32>>,
    /// The factors of each owner by their highest bit: the major and the minor index.
    ends: [Vec<(usize, u32, u32)>; 3],
}

impl CkLists {
    fn encoding(mut self) -> Result<Encoding, Error> {
        // The slowest first.
        self.ends.iter_mut().for_each(|ends| ends.sort_by_key(|end| core::cmp::Reverse(end.0)));
        let [register, lane, warp] = self.ends.map(|ends| {
            let indices = ends.into_iter().map(|(_, major, minor)| (major, minor));
            indices.unzip::<u32, u32, Vec<_>, Vec<_>>()
        });
        let hs: Vec<&[u32]> = self.hs.iter().map(Vec::as_slice).collect();
        let places = (&[&warp.0[..], &lane.0][..], &[&warp.1[..], &lane.1][..]);
        Ok(Encoding::ck(&self.rs, &hs, places, (&register.0, &register.1))?)
    }
}

impl core::fmt::Display for Registers {
    /// Prints the bases as Triton's attributes print them: `register = [[0, 1]], lane = [[1, 0]], warp = []`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (owner, name) in NAMES.iter().enumerate() {
            let between = if owner > 0 { ", " } else { "" };
            write!(f, "{between}{name} = {:?}", self.images[owner])?;
        }
        Ok(())
    }
}
