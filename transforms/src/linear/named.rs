//! Linear maps whose bits have names: several inputs, several outputs.
//!
//! A map of (wave, lane, register) to (m, k) and one of (m, k) to an offset make one of (wave, lane,
//! register) to an offset. As columns alone they are three lists of numbers, and the second may be
//! of another tile. With names a list says what it is about, and what does not meet is refused:
//!
//! ```text
//!   first   (wave 1, lane 6, register 2)  ->  (m 6, k 3)        bits of each
//!   then    (m 6, k 3)                    ->  (offset 9)
//!   after   (wave 1, lane 6, register 2)  ->  (offset 9)
//!
//!   first, with k of 4 bits:  "the first map gives k 4 bits, but the second takes 3"
//! ```
//!
//! [`Linear`] itself has no names: a map is the same map whatever its bits are called, proofs copy
//! and compare it at compile time, and its 144 bytes would be 736. So names are a layer above, paid
//! for where they are asked for.
//!
//! Names are in the order of a number's digits, the last fastest, as lengths are everywhere here;
//! what prints bits begins with the lowest.

use crate::error::Error;
use crate::linear::Linear;
use crate::number::is_same;
use crate::number::list::List;
use crate::number::text::Text;
use crate::plan::Plan;
use crate::say;

/// A name and its bits.
pub type NamedBits = (&'static str, u32);

/// A linear map of several named inputs to several named outputs.
///
/// ```
/// use tiledesc_transforms::{Linear, NameError, NamedLinear, Plan};
///
/// // 16 rows of 8 in 16 lanes, which hold 2 elements of each half of the row.
/// let lanes = Linear::new(&[1, 4, 8, 16, 32, 2, 64], 0).unwrap();
/// let first = NamedLinear::new(lanes, &[("lane", 5), ("register", 2)], &[("m", 4), ("k", 3)])?;
/// assert_eq!(first.apply(&[1, 3])?, [1, 5]);
/// // Bit 3 of the lane is column 2.
/// assert_eq!(first.image("lane", 3)?, [0, 2]);
///
/// let rows = Plan::naive(&[16, 8], &[32, 1]).unwrap().named_linear(&["m", "k"])?;
/// let offsets = rows.after(&first)?;
/// assert_eq!(offsets.input("lane")?, [32, 64, 128, 2, 256]);
/// assert_eq!(offsets.apply(&[1, 3])?, [37]);
///
/// let wide = Plan::packed(&[16, 16]).unwrap().named_linear(&["m", "k"])?;
/// assert_eq!(
///     wide.after(&first).unwrap_err().to_string(),
///     "the first map gives k 3 bits, but the second takes 4",
/// );
/// # Ok::<(), NameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLinear {
    map: Linear,
    inputs: Names,
    outputs: Names,
}

/// Names and their bits, the last lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Names {
    names: [NamedBits; List::CAPACITY],
    len: usize,
}

/// Which end of a map a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What a map takes.
    Input,
    /// What a map gives.
    Output,
}

impl End {
    /// `input` or `output`.
    ///
    /// ```
    /// use tiledesc_transforms::{Linear, NameError, NamedLinear};
    ///
    /// let three = Linear::new(&[1, 2, 4], 0).unwrap();
    /// let named = NamedLinear::new(three, &[("lane", 5)], &[("k", 3)]);
    /// let Err(NameError::BitsDiffer { end, named, map }) = named else { panic!() };
    /// assert_eq!((end.name(), named, map), ("input", 5, 3));
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// Why names do not fit a map, or two maps do not meet.
///
/// Reported where a [`NamedLinear`] is made, asked by name, or put after another.
///
/// | what is wrong | variants | reported by |
/// |---|---|---|
/// | the names of one map | `TooMany`, `Twice`, `BitsDiffer` | [`NamedLinear::new`] |
/// | a name or an index that is asked for | `Unknown`, `OutOfRange` | [`NamedLinear::input`], [`NamedLinear::output`], [`NamedLinear::apply`] |
/// | two maps that do not meet | `NotGiven`, `NotTaken`, `LengthsDiffer` | [`NamedLinear::after`] |
///
/// It wraps [`Error`] (`Map`). A distribution's and a register layout's errors wrap it.
///
/// A sentence of each row, exactly as it is printed:
///
/// ```
/// use tiledesc_transforms::{End, NameError};
///
/// let printed = [
///     (
///         NameError::BitsDiffer { end: End::Input, named: 5, map: 6 },
///         "the names of the inputs cover 5 bits, but the map has 6",
///     ),
///     (
///         NameError::OutOfRange { name: "lane", index: 64, bits: 6 },
///         "lane 64 does not exist: the length is 64",
///     ),
///     (
///         NameError::NotGiven { name: "lane" },
///         "the second map takes lane, which the first does not give",
///     ),
/// ];
/// for (error, sentence) in printed {
///     assert_eq!(error.to_string(), sentence);
/// }
/// ```
// No variant has the name of a type: rustc would print that type with its whole path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// What the map itself refuses.
    Map(Error),
    /// More names than a map has room for.
    TooMany {
        /// Of which end.
        end: End,
        /// How many.
        names: u32,
    },
    /// A name that an end has twice.
    Twice {
        /// Which end.
        end: End,
        /// The name.
        name: &'static str,
    },
    /// Names of more or fewer bits than the map has.
    BitsDiffer {
        /// Of which end.
        end: End,
        /// Bits of the names.
        named: u32,
        /// Bits of the map.
        map: u32,
    },
    /// A name that an end does not have.
    Unknown {
        /// Which end.
        end: End,
        /// The name.
        name: &'static str,
    },
    /// An input of the second map that the first one does not give.
    NotGiven {
        /// The name.
        name: &'static str,
    },
    /// An output of the first map that the second one does not take.
    NotTaken {
        /// The name.
        name: &'static str,
    },
    /// What one map gives and the other takes has different lengths.
    LengthsDiffer {
        /// The name.
        name: &'static str,
        /// Bits that the first map gives.
        given: u32,
        /// Bits that the second takes.
        taken: u32,
    },
    /// An index that an input does not have.
    OutOfRange {
        /// The input.
        name: &'static str,
        /// The index.
        index: u32,
        /// The input's bits.
        bits: u32,
    },
}

impl NameError {
    /// Appends the sentence to a text.
    #[must_use]
    pub const fn explain(self, text: Text) -> Text {
        match self {
            Self::Map(error) => error.explain(text),
            Self::TooMany { end, names } => say!(text:
                names, " names of ", str(end.name()), "s are too many: a map takes at most ",
                List::CAPACITY
            ),
            Self::Twice { end, name } => {
                say!(text: "two ", str(end.name()), "s are named ", str(name))
            }
            Self::BitsDiffer { end, named, map } => say!(text:
                "the names of the ", str(end.name()), "s cover ", named, " bits, but the map has ", map
            ),
            Self::Unknown { end, name } => {
                say!(text: "no ", str(end.name()), " is named ", str(name))
            }
            Self::NotGiven { name } => {
                say!(text: "the second map takes ", str(name), ", which the first does not give")
            }
            Self::NotTaken { name } => {
                say!(text: "the first map gives ", str(name), ", which the second does not take")
            }
            Self::LengthsDiffer { name, given, taken } => say!(text:
                "the first map gives ", str(name), " ", given, " bits, but the second takes ", taken
            ),
            Self::OutOfRange { name, index, bits } => say!(text:
                str(name), " ", index, " does not exist: the length is ", (1u64 << bits)
            ),
        }
    }
}

impl core::fmt::Display for NameError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

impl core::error::Error for NameError {}

impl Names {
    const fn new(names: &[NamedBits], end: End) -> Result<Self, NameError> {
        if names.len() > List::CAPACITY {
            return Err(NameError::TooMany { end, names: names.len() as u32 });
        }
        let mut made = Self { names: [("", 0); List::CAPACITY], len: 0 };
        while made.len < names.len() {
            let name = names[made.len];
            if made.find(name.0).is_some() {
                return Err(NameError::Twice { end, name: name.0 });
            }
            made.names[made.len] = name;
            made.len += 1;
        }
        Ok(made)
    }

    const fn all(&self) -> &[NamedBits] {
        self.names.split_at(self.len).0
    }

    /// Bits of all names; not more than 2^32, of which no map has that many.
    const fn bits(&self) -> u32 {
        let (mut bits, mut i) = (0u32, 0);
        while i < self.len {
            bits = bits.saturating_add(self.names[i].1);
            i += 1;
        }
        bits
    }

    const fn find(&self, name: &str) -> Option<usize> {
        let mut i = 0;
        while i < self.len {
            if is_same(self.names[i].0, name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    const fn place(&self, name: &'static str, end: End) -> Result<usize, NameError> {
        match self.find(name) {
            Some(place) => Ok(place),
            None => Err(NameError::Unknown { end, name }),
        }
    }

    /// The bits below those of a name.
    const fn below(&self, place: usize) -> u32 {
        let (mut bits, mut i) = (0, place + 1);
        while i < self.len {
            bits += self.names[i].1;
            i += 1;
        }
        bits
    }

    /// The index of a name in a number.
    const fn index(&self, place: usize, number: u32) -> u32 {
        let bits = self.names[place].1;
        ((number as u64 >> self.below(place)) & ((1 << bits) - 1)) as u32
    }

    const fn indices(&self, number: u32) -> List {
        let (mut list, mut i) = (List::iota(self.len), 0);
        while i < self.len {
            list = list.with(i, self.index(i, number));
            i += 1;
        }
        list
    }

    /// Where each of these names stands in `other`, which has all of them.
    const fn places(&self, other: &Self) -> [usize; List::CAPACITY] {
        let (mut places, mut i) = ([0; List::CAPACITY], 0);
        while i < self.len {
            if let Some(place) = other.find(self.names[i].0) {
                places[i] = place;
            }
            i += 1;
        }
        places
    }

    /// The number whose indices are those of `number` at these places of `other`.
    const fn reordered(&self, other: &Self, places: &[usize], number: u32) -> u32 {
        let (mut made, mut i) = (0, 0);
        while i < self.len {
            made |= ((other.index(places[i], number) as u64) << self.below(i)) as u32;
            i += 1;
        }
        made
    }

    /// Whether both are the same names in the same order.
    const fn stand_as(&self, other: &Self) -> bool {
        let (mut same, mut i) = (self.len == other.len, 0);
        while same && i < self.len {
            let ((name, bits), (others, of)) = (self.names[i], other.names[i]);
            same = bits == of && is_same(name, others);
            i += 1;
        }
        same
    }

    /// Whether these inputs are those outputs, in any order.
    const fn take(&self, given: &Self) -> Result<(), NameError> {
        let mut i = 0;
        while i < self.len {
            let (name, taken) = self.names[i];
            let Some(place) = given.find(name) else { return Err(NameError::NotGiven { name }) };
            let given = given.names[place].1;
            if given != taken {
                return Err(NameError::LengthsDiffer { name, given, taken });
            }
            i += 1;
        }
        let mut i = 0;
        while i < given.len {
            let name = given.names[i].0;
            if self.find(name).is_none() {
                return Err(NameError::NotTaken { name });
            }
            i += 1;
        }
        Ok(())
    }
}

impl Plan {
    /// The [linear map](Plan::linear) with these names of the dimensions, to `offset`, of as many
    /// bits as the element space has.
    ///
    /// ```
    /// use tiledesc_transforms::{NameError, Plan};
    ///
    /// let rows = Plan::naive(&[8, 8], &[16, 1]).unwrap().named_linear(&["m", "k"])?;
    /// assert_eq!((rows.input("m")?, rows.input("k")?), (&[16, 32, 64][..], &[1, 2, 4][..]));
    /// assert_eq!(rows.outputs(), [("offset", 7)]);
    /// assert_eq!(rows.input("n").unwrap_err().to_string(), "no input is named n");
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError::Map`] as [`Plan::linear`], and with fewer or more names than dimensions; two
    /// dimensions of one name.
    pub const fn named_linear(
        &self,
        dimensions: &[&'static str],
    ) -> Result<NamedLinear, NameError> {
        let lengths = self.lengths();
        let map = attempt!(self.linear() => NameError::Map);
        if dimensions.len() != lengths.len() {
            let (wanted, given) = (lengths.len() as u32, dimensions.len() as u32);
            return Err(NameError::Map(Error::Rank { wanted, given }));
        }
        let (mut inputs, mut i) = ([("", 0); List::CAPACITY], 0);
        while i < lengths.len() {
            inputs[i] = (dimensions[i], lengths.at(i).trailing_zeros());
            i += 1;
        }
        let space = self.element_space().saturating_sub(1);
        let outputs = [("offset", u64::BITS - space.leading_zeros())];
        NamedLinear::new(map, inputs.split_at(lengths.len()).0, &outputs)
    }
}

impl NamedLinear {
    /// Names for dimensions that have none, as Triton's: `dim0`, `dim1` and so on.
    pub const DIMENSIONS: [&'static str; List::CAPACITY] = [
        "dim0", "dim1", "dim2", "dim3", "dim4", "dim5", "dim6", "dim7", "dim8", "dim9", "dim10",
        "dim11",
    ];

    /// A map whose bits have these names, the last name's lowest.
    ///
    /// # Errors
    ///
    /// [`NameError::BitsDiffer`] if the names of the inputs are not as many bits as the map has, or those
    /// of the outputs fewer than its images; two inputs or two outputs of one name, more than 12,
    /// outputs of more than 32 bits.
    pub const fn new(
        map: Linear,
        inputs: &[NamedBits],
        outputs: &[NamedBits],
    ) -> Result<Self, NameError> {
        let inputs = attempt!(Names::new(inputs, End::Input));
        let outputs = attempt!(Names::new(outputs, End::Output));
        let (named, has) = (inputs.bits(), map.inputs as u32);
        if named != has {
            return Err(NameError::BitsDiffer { end: End::Input, named, map: has });
        }
        let (named, reaches) = (outputs.bits(), Self::reach(&map));
        if named > Linear::BITS as u32 {
            return Err(NameError::Map(Error::TooManyBits { columns: named }));
        }
        if named < reaches {
            return Err(NameError::BitsDiffer { end: End::Output, named, map: reaches });
        }
        Ok(Self { map, inputs, outputs })
    }

    /// Bits of the largest image.
    const fn reach(map: &Linear) -> u32 {
        let (mut all, mut b) = (map.constant, 0);
        while b < map.inputs {
            all |= map.columns[b];
            b += 1;
        }
        u32::BITS - all.leading_zeros()
    }

    /// The map without names: of the number whose digits are the inputs, to the one whose digits
    /// are the outputs, the last fastest.
    #[must_use]
    pub const fn map(&self) -> &Linear {
        &self.map
    }

    /// The names of the inputs and their bits.
    #[must_use]
    pub const fn inputs(&self) -> &[NamedBits] {
        self.inputs.all()
    }

    /// The names of the outputs and their bits.
    #[must_use]
    pub const fn outputs(&self) -> &[NamedBits] {
        self.outputs.all()
    }

    /// What each bit of an input flips, its lowest first; of several outputs the number that they
    /// make together.
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`].
    pub const fn input(&self, name: &'static str) -> Result<&[u32], NameError> {
        let place = attempt!(self.inputs.place(name, End::Input));
        let below = self.inputs.below(place) as usize;
        Ok(self.map.columns().split_at(below).1.split_at(self.inputs.names[place].1 as usize).0)
    }

    /// What bit `bit` of an input flips, output by output.
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`]; [`Error::NoSuchBit`] of the input.
    pub const fn image(&self, name: &'static str, bit: usize) -> Result<List, NameError> {
        let columns = attempt!(self.input(name));
        if bit >= columns.len() {
            let bits = columns.len() as u32;
            return Err(NameError::Map(Error::NoSuchBit { bit: bit as u32, bits }));
        }
        Ok(self.outputs.indices(columns[bit]))
    }

    /// The map to one of the outputs only.
    ///
    /// ```
    /// use tiledesc_transforms::{Linear, NameError, NamedLinear};
    ///
    /// let map = Linear::new(&[1, 4, 2, 8], 0).unwrap();
    /// let map = NamedLinear::new(map, &[("lane", 4)], &[("m", 2), ("k", 2)])?;
    /// assert_eq!(map.output("m")?.input("lane")?, [0, 1, 0, 2]);
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError::Unknown`].
    pub const fn output(&self, name: &'static str) -> Result<Self, NameError> {
        let place = attempt!(self.outputs.place(name, End::Output));
        let outputs = attempt!(Names::new(&[self.outputs.names[place]], End::Output));
        Ok(self.sent_to(outputs))
    }

    /// The same map with these outputs, which it has.
    const fn sent_to(&self, outputs: Names) -> Self {
        let (mut map, places) = (self.map, outputs.places(&self.outputs));
        map.constant = outputs.reordered(&self.outputs, &places, map.constant);
        let mut b = 0;
        while b < map.inputs {
            map.columns[b] = outputs.reordered(&self.outputs, &places, map.columns[b]);
            b += 1;
        }
        Self { map, inputs: self.inputs, outputs }
    }

    /// The outputs of indices, one for each input in the order of their names.
    ///
    /// # Errors
    ///
    /// A wrong number of indices, [`NameError::OutOfRange`].
    pub const fn apply(&self, indices: &[u32]) -> Result<List, NameError> {
        if indices.len() != self.inputs.len {
            let (wanted, given) = (self.inputs.len as u32, indices.len() as u32);
            return Err(NameError::Map(Error::Rank { wanted, given }));
        }
        let (mut number, mut i) = (0u64, 0);
        while i < indices.len() {
            let ((name, bits), index) = (self.inputs.names[i], indices[i]);
            if index as u64 >> bits != 0 {
                return Err(NameError::OutOfRange { name, index, bits });
            }
            number = number << bits | index as u64;
            i += 1;
        }
        Ok(self.outputs.indices(self.map.apply(number as u32)))
    }

    /// The inputs in a number, as the vectors of [`map`](Self::map)'s kernel are.
    ///
    /// ```
    /// use tiledesc_transforms::{Linear, NameError, NamedLinear};
    ///
    /// // Lanes 2 apart hold the same.
    /// let map = Linear::new(&[1, 2, 0, 4], 0).unwrap();
    /// let map = NamedLinear::new(map, &[("lane", 3), ("register", 1)], &[("k", 3)])?;
    /// let alike = map.map().kernel();
    /// assert_eq!(alike.vectors().len(), 1);
    /// assert_eq!(map.indices(alike.vectors()[0]), [2, 0]);
    /// # Ok::<(), NameError>(())
    /// ```
    #[must_use]
    pub const fn indices(&self, number: u32) -> List {
        self.inputs.indices(number)
    }

    /// The map as a [plan](Linear::plan) whose dimensions are the inputs, for verdicts and code.
    ///
    /// ```
    /// use tiledesc_transforms::{Linear, NameError, NamedLinear};
    ///
    /// let columns = Linear::new(&[1, 2, 4, 9, 18, 36], 0).unwrap();
    /// let map = NamedLinear::new(columns, &[("m", 3), ("k", 3)], &[("offset", 6)])?;
    /// let tile = map.plan()?;
    /// assert_eq!(tile.offset(&[3, 5]), Ok(27 ^ 5));
    /// assert_eq!(tile.named_linear(&["m", "k"])?, map);
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NameError::Map`] as [`Linear::plan`].
    pub const fn plan(&self) -> Result<Plan, NameError> {
        let (mut lengths, mut i) = (List::iota(self.inputs.len), 0);
        while i < lengths.len() {
            let bits = self.inputs.names[i].1;
            if bits == u32::BITS {
                let error = Error::TooLarge { what: "bits of a dimension", most: bits - 1 };
                return Err(NameError::Map(error));
            }
            lengths = lengths.with(i, 1 << bits);
            i += 1;
        }
        Ok(attempt!(self.map.plan(lengths.as_slice()) => NameError::Map))
    }

    /// `self` after `first`: the inputs of `first`, sent through both. Outputs of `first` become
    /// the inputs of `self` by name, in whatever order the two have them.
    ///
    /// # Errors
    ///
    /// [`NameError::NotGiven`], [`NameError::NotTaken`], [`NameError::LengthsDiffer`]: the outputs of
    /// `first` are not the inputs of `self`.
    pub const fn after(&self, first: &Self) -> Result<Self, NameError> {
        let (inputs, outputs) = (first.inputs, self.outputs);
        if self.inputs.stand_as(&first.outputs) {
            return Ok(Self { map: self.map.after(&first.map), inputs, outputs });
        }
        attempt!(self.inputs.take(&first.outputs));
        Ok(Self { map: self.map.after(&first.sent_to(self.inputs).map), inputs, outputs })
    }

    /// The map back, from the outputs to the inputs. Of a layout it is what Triton calls the
    /// layout: the coordinate of each bit of the offset.
    ///
    /// ```
    /// use tiledesc_transforms::{NameError, Plan};
    ///
    /// let tile = Plan::naive(&[4, 2], &[2, 1]).unwrap().named_linear(&["m", "k"])?;
    /// assert_eq!(
    ///     tile.inverse().unwrap().to_string(),
    ///     " - offset=1 -> (0, 1)
    ///    offset=2 -> (1, 0)
    ///    offset=4 -> (2, 0)
    /// where out dims are: [m (size 4), k (size 2)]",
    /// );
    /// # Ok::<(), NameError>(())
    /// ```
    ///
    /// `None` if two inputs share an image, or an output has none.
    #[must_use]
    pub const fn inverse(&self) -> Option<Self> {
        if self.inputs.bits() != self.outputs.bits() {
            return None;
        }
        match self.map.inverse() {
            Some(mut map) => {
                map.truncate(self.map.inputs);
                Some(Self { map, inputs: self.outputs, outputs: self.inputs })
            }
            None => None,
        }
    }
}

impl core::fmt::Display for NamedLinear {
    /// As Triton prints a linear layout: what each bit flips, output by output, the lowest input
    /// first.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.map.constant != 0 {
            writeln!(f, " - 0 -> {}", Tuple(self.outputs.indices(self.map.constant)))?;
        }
        for (name, bits) in self.inputs().iter().rev() {
            if *bits == 0 {
                writeln!(f, " - {name} is a size 1 dimension")?;
            }
            for (bit, column) in self.input(name).unwrap_or(&[]).iter().enumerate() {
                let mark = if bit == 0 { '-' } else { ' ' };
                let image = Tuple(self.outputs.indices(*column));
                writeln!(f, " {mark} {name}={} -> {image}", 1u64 << bit)?;
            }
        }
        f.write_str("where out dims are: [")?;
        for (i, (name, bits)) in self.outputs().iter().enumerate() {
            let between = if i > 0 { ", " } else { "" };
            write!(f, "{between}{name} (size {})", 1u64 << bits)?;
        }
        f.write_str("]")
    }
}

/// A coordinate as Triton prints one.
struct Tuple(List);

impl core::fmt::Display for Tuple {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(Text::new().coordinate(self.0.as_slice()).as_str())
    }
}
