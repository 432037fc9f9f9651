//! Linear maps whose bits have names: several inputs, several outputs.
//!
//! A map of (wave, lane, register) to (m, k) and one of (m, k) to an offset make one of (wave, lane, register) to an
//! offset. As columns alone they are three lists of numbers, and the second may be of another tile. With names a list
//! shows its meaning, and maps that do not meet are refused:
//!
//! ```text
//!   first   (wave 1, lane 6, register 2)  ->  (m 6, k 3)        bits of each
//!   then    (m 6, k 3)                    ->  (offset 9)
//!   after   (wave 1, lane 6, register 2)  ->  (offset 9)
//!
//!   first, with k of 4 bits:  "the first map gives k 4 bits, but the second takes 3"
//! ```
//!
//! [`Linear`] itself has no names: a map is the same map under any names, and proofs copy and compare its 144 bytes at
//! compile time. Names are a layer above, for a person's machine.
//!
//! Names are in the order of a number's digits, the last fastest, as lengths are everywhere here;
//! what prints bits begins with the lowest.

use crate::{Error, ErrorKind};
use core::fmt;
use tiledesc::distribution::Encoding;
use tiledesc::{Linear, List, Plan};

/// A name and its bits.
pub type NamedBits = (&'static str, u32);

/// A linear map of several named inputs to several named outputs.
///
/// ```
/// use tiledesc::{Linear, Plan};
/// use tiledesc_host::exchange::linear::NamedLinear;
///
/// // 16 rows of 8 in 16 lanes, which hold 2 elements of each half of the row.
/// let lanes = Linear::new(&[1, 4, 8, 16, 32, 2, 64], 0).unwrap();
/// let first = NamedLinear::new(lanes, &[("lane", 5), ("register", 2)], &[("m", 4), ("k", 3)])?;
/// assert_eq!(first.apply(&[1, 3])?, [1, 5]);
/// // Bit 3 of the lane is column 2.
/// assert_eq!(first.image("lane", 3)?, [0, 2]);
///
/// let rows = NamedLinear::from_plan(&Plan::naive(&[16, 8], &[32, 1]).unwrap(), &["m", "k"])?;
/// let offsets = rows.after(&first)?;
/// assert_eq!(offsets.input("lane")?, [32, 64, 128, 2, 256]);
/// assert_eq!(offsets.apply(&[1, 3])?, [37]);
///
/// let wide = NamedLinear::from_plan(&Plan::packed(&[16, 16]).unwrap(), &["m", "k"])?;
/// assert_eq!(
///     wide.after(&first).unwrap_err().to_string(),
///     "the first map gives k 3 bits, but the second takes 4",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLinear {
    map: Linear,
    inputs: Vec<NamedBits>,
    outputs: Vec<NamedBits>,
}

/// Refuses too many names of an end, `input` or `output`, or one twice.
fn checked(names: &[NamedBits], end: &str) -> Result<Vec<NamedBits>, Error> {
    if names.len() > List::CAPACITY {
        let (names, most) = (names.len(), List::CAPACITY);
        return Err(Error::number(format!(
            "{names} names of {end}s are too many: a map takes at most {most}"
        )));
    }
    let is_second = |(i, (name, _)): &(usize, &NamedBits)| find(&names[..*i], name).is_some();
    match names.iter().enumerate().find(is_second) {
        Some((_, (name, _))) => {
            let refused = format!("two {end}s are named {name}");
            Err(Error::new(ErrorKind::Name, refused))
        }
        None => Ok(names.to_vec()),
    }
}

fn find(names: &[NamedBits], name: &str) -> Option<usize> {
    names.iter().position(|(other, _)| *other == name)
}

fn place(names: &[NamedBits], name: &'static str, end: &str) -> Result<usize, Error> {
    let unknown = || Error::new(ErrorKind::Unknown, format!("no {end} is named {name}"));
    find(names, name).ok_or_else(unknown)
}

/// The error of names of more or fewer bits than the map has.
fn bits_differ(end: &str, named: u32, map: u32) -> Error {
    Error::number(format!("the names of the {end}s cover {named} bits, but the map has {map}"))
}

/// The bits of some names; at most 2^32, more than any map has.
fn bits(names: &[NamedBits]) -> u32 {
    names.iter().fold(0, |sum, (_, bits)| sum.saturating_add(*bits))
}

/// The index of a name in a number.
fn index(names: &[NamedBits], place: usize, number: u32) -> u32 {
    let above = u64::from(number) >> bits(&names[place + 1..]);
    (above & ((1 << names[place].1) - 1)) as u32
}

/// The index of each name in a number.
fn indices(names: &[NamedBits], number: u32) -> List {
    let each: Vec<u32> = (0..names.len()).map(|place| index(names, place, number)).collect();
    List::new(&each)
}

/// The number of these indices, which are in range.
fn number(names: &[NamedBits], indices: impl Iterator<Item = u32>) -> u32 {
    let each = names.iter().zip(indices);
    each.fold(0u64, |number, ((_, bits), index)| number << bits | u64::from(index)) as u32
}

/// Refuses inputs that are not those outputs, in any order.
fn check_meeting(taken: &[NamedBits], given: &[NamedBits]) -> Result<(), Error> {
    for &(name, taken) in taken {
        let refused = match find(given, name).map(|place| given[place].1) {
            Some(given) if given == taken => continue,
            Some(given) => {
                format!("the first map gives {name} {given} bits, but the second takes {taken}")
            }
            None => format!("the second map takes {name}, which the first does not give"),
        };
        return Err(Error::mismatch(refused));
    }
    match given.iter().find(|(name, _)| find(taken, name).is_none()) {
        Some((name, _)) => Err(Error::mismatch(format!(
            "the first map gives {name}, which the second does not take"
        ))),
        None => Ok(()),
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
    /// Names of inputs that are not as many bits as the map has, or of outputs that are fewer than its images; two inputs
    /// or two outputs of one name, more than 12, outputs of more than 32 bits.
    pub fn new(map: Linear, inputs: &[NamedBits], outputs: &[NamedBits]) -> Result<Self, Error> {
        let (inputs, outputs) = (checked(inputs, "input")?, checked(outputs, "output")?);
        let (named, has) = (bits(&inputs), map.inputs() as u32);
        if named != has {
            return Err(bits_differ("input", named, has));
        }
        let images = map.columns().iter().fold(map.constant(), |all, column| all | column);
        let (named, reaches) = (bits(&outputs), u32::BITS - images.leading_zeros());
        if named > Linear::BITS as u32 {
            return Err(tiledesc::Error::TooManyBits { columns: named }.into());
        }
        if named < reaches {
            return Err(bits_differ("output", named, reaches));
        }
        Ok(Self { map, inputs, outputs })
    }

    /// The [linear map](Plan::linear) of a descriptor with these names of the dimensions, to `offset`, of as many bits as
    /// the element space has.
    ///
    /// ```
    /// use tiledesc::Plan;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// let rows = NamedLinear::from_plan(&Plan::naive(&[8, 8], &[16, 1]).unwrap(), &["m", "k"])?;
    /// assert_eq!((rows.input("m")?, rows.input("k")?), (&[16, 32, 64][..], &[1, 2, 4][..]));
    /// assert_eq!(rows.outputs(), [("offset", 7)]);
    /// assert_eq!(rows.input("n").unwrap_err().to_string(), "no input is named n");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Plan::linear`]; fewer or more names than dimensions, two dimensions of one name.
    pub fn from_plan(plan: &Plan, dimensions: &[&'static str]) -> Result<Self, Error> {
        let (map, lengths) = (plan.linear()?, plan.lengths());
        check_count(lengths.len(), dimensions.len())?;
        let bits = lengths.as_slice().iter().map(|length| length.trailing_zeros());
        let inputs: Vec<NamedBits> = dimensions.iter().copied().zip(bits).collect();
        let space = plan.element_space().saturating_sub(1);
        Self::new(map, &inputs, &[("offset", u64::BITS - space.leading_zeros())])
    }

    /// The [linear map](super::from_encoding) of a distribution with names: (wave, lane, register) to the dimensions by their
    /// names, or `dim0`, `dim1` and so on of those that have none.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// distribution! {
    ///     /// The A operand of a 32x32x8 MFMA.
    ///     type A: m [row 32], k [part 2, pack 4]; lane (part, row), thread (pack);
    /// }
    /// layout! { type Tile = recipe::GemmXor<F16, M<32>, K<8>, KPack<4>>; }
    ///
    /// let held = NamedLinear::from_encoding(&A::ENCODING?)?;
    /// let offsets = NamedLinear::from_plan(&Tile::PLAN, &["m", "k"])?.after(&held)?;
    /// assert_eq!(offsets.input("lane")?, [8, 16, 32, 68, 136, 4]);
    /// // Of a tile with other names, or of other lengths:
    /// let other = NamedLinear::from_plan(&Plan::packed(&[32, 16])?, &["m", "k"])?;
    /// assert_eq!(
    ///     other.after(&held).unwrap_err().to_string(),
    ///     "the first map gives k 3 bits, but the second takes 4",
    /// );
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_encoding`](super::from_encoding).
    pub fn from_encoding(encoding: &Encoding) -> Result<Self, Error> {
        let map = super::from_encoding(encoding)?;
        let inputs = [
            ("wave", encoding.waves().trailing_zeros()),
            ("lane", encoding.lanes().trailing_zeros()),
            ("register", encoding.elements().trailing_zeros()),
        ];
        let name = |d: usize| Some(encoding.dimension_name(d).name).filter(|name| !name.is_empty());
        let lengths = encoding.lengths();
        let bits = lengths.as_slice().iter().map(|length| length.trailing_zeros()).enumerate();
        let outputs: Vec<NamedBits> =
            bits.map(|(d, bits)| (name(d).unwrap_or(Self::DIMENSIONS[d]), bits)).collect();
        Self::new(map, &inputs, &outputs)
    }

    /// The map without names: of the number whose digits are the inputs, to the one whose digits
    /// are the outputs, the last fastest.
    #[must_use]
    pub fn map(&self) -> &Linear {
        &self.map
    }

    /// The names of the inputs and their bits.
    #[must_use]
    pub fn inputs(&self) -> &[NamedBits] {
        &self.inputs
    }

    /// The names of the outputs and their bits.
    #[must_use]
    pub fn outputs(&self) -> &[NamedBits] {
        &self.outputs
    }

    /// The bits that each bit of an input flips, its lowest first; of several outputs the number that they make
    /// together.
    ///
    /// # Errors
    ///
    /// No input of this name.
    pub fn input(&self, name: &'static str) -> Result<&[u32], Error> {
        let place = place(&self.inputs, name, "input")?;
        let below = bits(&self.inputs[place + 1..]) as usize;
        Ok(&self.map.columns()[below..][..self.inputs[place].1 as usize])
    }

    /// The bits that bit `bit` of an input flips, output by output.
    ///
    /// # Errors
    ///
    /// No input of this name, or none of its bits.
    pub fn image(&self, name: &'static str, bit: usize) -> Result<List, Error> {
        let columns = self.input(name)?;
        let missing = tiledesc::Error::NoSuchBit { bit: bit as u32, bits: columns.len() as u32 };
        let column = columns.get(bit).ok_or(missing)?;
        Ok(indices(&self.outputs, *column))
    }

    /// The map to one of the outputs only.
    ///
    /// ```
    /// use tiledesc::Linear;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// let map = Linear::new(&[1, 4, 2, 8], 0).unwrap();
    /// let map = NamedLinear::new(map, &[("lane", 4)], &[("m", 2), ("k", 2)])?;
    /// assert_eq!(map.output("m")?.input("lane")?, [0, 1, 0, 2]);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No output of this name.
    pub fn output(&self, name: &'static str) -> Result<Self, Error> {
        let place = place(&self.outputs, name, "output")?;
        Ok(self.sent_to(&[self.outputs[place]]))
    }

    /// The map to some of its outputs, in this order.
    fn sent_to(&self, outputs: &[NamedBits]) -> Self {
        let places: Vec<usize> =
            outputs.iter().filter_map(|(name, _)| find(&self.outputs, name)).collect();
        let sent = |image: &u32| {
            number(outputs, places.iter().map(|place| index(&self.outputs, *place, *image)))
        };
        let columns: Vec<u32> = self.map.columns().iter().map(sent).collect();
        let constant = sent(&self.map.constant());
        let map = Linear::new(&columns, constant).expect("as many columns as before");
        Self { map, inputs: self.inputs.clone(), outputs: outputs.to_vec() }
    }

    /// The outputs of indices, one for each input in the order of their names.
    ///
    /// # Errors
    ///
    /// A wrong number of indices, an index out of range.
    pub fn apply(&self, given: &[u32]) -> Result<List, Error> {
        check_count(self.inputs.len(), given.len())?;
        for (&(name, bits), &index) in self.inputs.iter().zip(given) {
            if u64::from(index) >> bits != 0 {
                return Err(Error::number(format!(
                    "{name} {index} does not exist: the length is {}",
                    1u64 << bits
                )));
            }
        }
        let number = number(&self.inputs, given.iter().copied());
        Ok(indices(&self.outputs, self.map.apply(number)))
    }

    /// The inputs in a number, as the vectors of [`map`](Self::map)'s kernel are.
    ///
    /// ```
    /// use tiledesc::Linear;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// // Lanes 2 apart hold the same.
    /// let map = Linear::new(&[1, 2, 0, 4], 0).unwrap();
    /// let map = NamedLinear::new(map, &[("lane", 3), ("register", 1)], &[("k", 3)])?;
    /// let alike = map.map().kernel();
    /// assert_eq!(alike.vectors().len(), 1);
    /// assert_eq!(map.indices(alike.vectors()[0]), [2, 0]);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    #[must_use]
    pub fn indices(&self, number: u32) -> List {
        indices(&self.inputs, number)
    }

    /// The map as a [plan](super::plan()) whose dimensions are the inputs, for verdicts and code.
    ///
    /// ```
    /// use tiledesc::Linear;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// let columns = Linear::new(&[1, 2, 4, 9, 18, 36], 0).unwrap();
    /// let map = NamedLinear::new(columns, &[("m", 3), ("k", 3)], &[("offset", 6)])?;
    /// let tile = map.plan()?;
    /// assert_eq!(tile.offset(&[3, 5]), Ok(27 ^ 5));
    /// assert_eq!(NamedLinear::from_plan(&tile, &["m", "k"])?, map);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`plan`](super::plan()).
    pub fn plan(&self) -> Result<Plan, Error> {
        let beyond = tiledesc::Error::TooLarge { what: "bits of a dimension", most: u32::BITS - 1 };
        let each = self.inputs.iter().map(|(_, bits)| 1u32.checked_shl(*bits).ok_or(beyond));
        let lengths = each.collect::<Result<Vec<u32>, _>>()?;
        Ok(super::plan(&self.map, &lengths)?)
    }

    /// `self` after `first`: the inputs of `first`, sent through both. Outputs of `first` become the inputs of `self`
    /// by name, in any order.
    ///
    /// # Errors
    ///
    /// Outputs of `first` that are not the inputs of `self`.
    pub fn after(&self, first: &Self) -> Result<Self, Error> {
        check_meeting(&self.inputs, &first.outputs)?;
        let map = self.map.after(&first.sent_to(&self.inputs).map);
        Ok(Self { map, inputs: first.inputs.clone(), outputs: self.outputs.clone() })
    }

    /// The map back, from the outputs to the inputs. The inverse of a layout is what Triton calls the layout: the
    /// coordinate of each bit of the offset.
    ///
    /// ```
    /// use tiledesc::Plan;
    /// use tiledesc_host::exchange::linear::NamedLinear;
    ///
    /// let tile = NamedLinear::from_plan(&Plan::naive(&[4, 2], &[2, 1]).unwrap(), &["m", "k"])?;
    /// assert_eq!(
    ///     tile.inverse().unwrap().to_string(),
    ///     " - offset=1 -> (0, 1)
    ///    offset=2 -> (1, 0)
    ///    offset=4 -> (2, 0)
    /// where out dims are: [m (size 4), k (size 2)]",
    /// );
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// `None` if two inputs share an image, or an output has none.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let back = self.map.inverse().filter(|_| bits(&self.inputs) == bits(&self.outputs))?;
        let map = Linear::new(&back.columns()[..self.map.inputs()], back.constant()).ok()?;
        Some(Self { map, inputs: self.outputs.clone(), outputs: self.inputs.clone() })
    }
}

/// Refuses more or fewer indices than wanted.
fn check_count(wanted: usize, given: usize) -> Result<(), Error> {
    if wanted == given {
        return Ok(());
    }
    Err(tiledesc::Error::Rank { wanted: wanted as u32, given: given as u32 }.into())
}

impl fmt::Display for NamedLinear {
    /// Prints the text that Triton prints of a linear layout: the bits that each bit flips, output by output, the
    /// lowest input first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let image = |column: u32| {
            let each = indices(&self.outputs, column);
            let each: Vec<String> = each.as_slice().iter().map(u32::to_string).collect();
            format!("({})", each.join(", "))
        };
        if self.map.constant() != 0 {
            writeln!(f, " - 0 -> {}", image(self.map.constant()))?;
        }
        for (name, bits) in self.inputs.iter().rev() {
            if *bits == 0 {
                writeln!(f, " - {name} is a size 1 dimension")?;
            }
            for (bit, column) in self.input(name).unwrap_or(&[]).iter().enumerate() {
                let mark = if bit == 0 { '-' } else { ' ' };
                writeln!(f, " {mark} {name}={} -> {}", 1u64 << bit, image(*column))?;
            }
        }
        let size = |(name, bits): &NamedBits| format!("{name} (size {})", 1u64 << bits);
        let sizes: Vec<String> = self.outputs.iter().map(size).collect();
        write!(f, "where out dims are: [{}]", sizes.join(", "))
    }
}
