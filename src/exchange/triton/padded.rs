//! Triton's `padded_shared`: a tile in some order of bits, with padding at fixed intervals.
//!
//! A direct load writes its lanes side by side, so that a pad can stand only between the chunks of whole waves. Triton
//! therefore pads at intervals of the offset, whatever row that is in, and permutes the rows first where that helps:
//!
//! ```text
//!   #ttg.padded_shared<[512:+16] {order = [1, 0], shape = [128, 64]}>
//!   #ttg.padded_shared<[128:+8, 256:+4] {offset = [[0, 1], [0, 2], ..], block = []}>
//!
//!   offset    x + x / 128 * 8 + x / 256 * 4       of x, the place among the bits' images (as Bases has them)
//! ```
//!
//! Intervals and pads are powers of two, as all of Triton's lengths are.
//!
//! Sources: triton-lang/triton, the attributes that `test/TritonGPU` has written for gfx950 and gfx1250, and those
//! that it has refused.

use super::Bases;
use super::fields::Fields;
use super::registers::RegisterError;
use super::text::{Reader, lengths};
use crate::layout::Mapping;
use tiledesc_transforms::{Digits, Error, Linear, List, Op, Plan};

/// A `padded_shared` layout.
///
/// ```
/// use tiledesc::exchange::triton::Padded;
/// use tiledesc::prelude::*;
///
/// let text = "#ttg.padded_shared<[128:+8, 256:+4] {order = [1, 0], shape = [16, 128]}>";
/// let padded = Padded::parse(text)?;
/// assert_eq!(padded.to_string(), text);
/// // Row 3 begins at 384: three pads of 8 before it, and one of 4.
/// assert_eq!(padded.plan()?.offset(&[3, 17]), Ok(384 + 17 + 3 * 8 + 4));
///
/// layout! { type Tile = recipe::IntervalPad<F16, M<128>, K<64>, Every<512>, Padding<16>>; }
/// assert_eq!(
///     Padded::of(&Tile::PLAN)?.to_string(),
///     "#ttg.padded_shared<[512:+16] {order = [1, 0], shape = [128, 64]}>",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padded {
    /// Elements from pad to pad, ascending, and the elements of each pad.
    every: List,
    pads: List,
    bases: Bases,
}

impl Padded {
    /// Reads the attribute as Triton prints it, or Gluon's constructor.
    ///
    /// ```
    /// use tiledesc::exchange::triton::Padded;
    ///
    /// let odd = Padded::parse("#ttg.padded_shared<[3:+2] {order = [0], shape = [8]}>").unwrap_err();
    /// assert_eq!(odd.to_string(), "at byte 20: expected a power of two");
    /// let gluon = "PaddedSharedLayout(interval_padding_pairs=[[4, 2]], offset_bases=[[1], [2], [4]], cga_layout=[], shape=[8])";
    /// let attribute = "#ttg.padded_shared<[4:+2] {order = [0], shape = [8]}>";
    /// assert_eq!(Padded::parse(gluon), Padded::parse(attribute));
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError::Syntax`] with the byte: also of intervals and pads that are not powers of two, of an interval
    /// that is named twice, of bases that do not bring every element once.
    pub fn parse(text: &str) -> Result<Self, RegisterError> {
        if text.contains('(') {
            return Self::of_gluon(text);
        }
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        needs(&mut reader, "#ttg.padded_shared<[", "`#ttg.padded_shared<[`")?;
        let (every, pads) = intervals(&mut reader)?;
        needs(&mut reader, "{", "`{`")?;
        let bases =
            if reader.takes("order") { ordered(&mut reader)? } else { of_offsets(&mut reader)? };
        needs(&mut reader, "}>", "`}>`")?;
        reader.blanks();
        if reader.at < reader.bytes.len() {
            return reader.expected("the end");
        }
        Ok(Self { every, pads, bases })
    }

    /// `PaddedSharedLayout(interval_padding_pairs=[[512, 16]], offset_bases=[[0, 1], ..], cga_layout=[], shape=[128, 64])`
    fn of_gluon(text: &str) -> Result<Self, RegisterError> {
        let names = ["intervalpaddingpairs", "offsetbases", "cgalayout", "shape"];
        let (_, fields) = Fields::of(text, ["PaddedSharedLayout"], names)?;
        let (mut pairs, mut images) = ([List::EMPTY; Linear::BITS], [List::EMPTY; Linear::BITS]);
        let count = fields.images(0, &mut pairs)?;
        let pairs = &mut pairs[..count];
        pairs.sort_unstable_by_key(|pair| if pair.is_empty() { 0 } else { pair.at(0) });
        let is_pair = |pair: &List| {
            pair.len() == 2 && pair.as_slice().iter().all(|number| number.is_power_of_two())
        };
        let is_new = |two: &[List]| two[0].at(0) < two[1].at(0);
        if count == 0
            || count > List::CAPACITY
            || !pairs.iter().all(is_pair)
            || !pairs.windows(2).all(is_new)
        {
            return fields.expected(0, "pairs of powers of two, each interval once");
        }
        fields.one_block(2)?;
        let (count, shape) = (fields.images(1, &mut images)?, fields.list(3)?);
        let bases = match Bases::new(shape, &images[..count]) {
            Ok(bases) if bases.linear().is_ok() => bases,
            _ => return fields.expected(1, "bases that bring every element once"),
        };
        let column = |i: usize| {
            let mut numbers = [0; List::CAPACITY];
            numbers.iter_mut().zip(pairs.iter()).for_each(|(number, pair)| *number = pair.at(i));
            List::of_first(numbers, pairs.len())
        };
        Ok(Self { every: column(0), pads: column(1), bases })
    }

    /// The lengths of the tile.
    #[must_use]
    pub const fn lengths(&self) -> List {
        self.bases.lengths
    }

    /// The layout as a plan, offsets in elements.
    ///
    /// # Errors
    ///
    /// Bases that do not bring every coordinate once; a tile or pads beyond 32 bits; more than twelve bits of a number
    /// that change places.
    pub fn plan(&self) -> Result<Plan, Error> {
        let (map, lengths) = (self.bases.linear()?, self.bases.lengths);
        let space = 1u32.checked_shl(map.inputs() as u32).ok_or(Error::NoMemory)?;
        let mut plan = self.spaced(space)?;
        let columns = &map.columns()[..map.inputs()];
        let stays = |b: &usize| columns[*b] == 1 << b;
        let mut low = (0..columns.len()).take_while(stays).count();
        let end = (0..columns.len()).rev().find(|b| !stays(b)).map_or(low, |b| b + 1);
        if end > low {
            // What moves may flip some of what stays.
            low = columns[low..end].iter().fold(low, |low, c| low.min(c.trailing_zeros() as usize));
            let most = List::CAPACITY as u32;
            let moved: List = (columns[low..end].iter())
                .try_fold(List::EMPTY, |list, column| list.push_back(column >> low))
                .map_err(|_| Error::TooLarge { what: "bits that change places", most })?;
            let parts = List::pair(space >> low, 1 << low);
            let apart = [
                Op::LinearBits { length: parts.at(0), columns: moved },
                Op::PassThrough { length: parts.at(1) },
            ];
            plan = plan
                .transform(&[Op::Unmerge { lengths: parts }], &[&[0]], &[&[0, 1]])?
                .transform(&apart, &[&[0], &[1]], &[&[0], &[1]])?
                .transform(&[Op::Merge { lengths: parts }], &[&[0, 1]], &[&[0]])?;
        }
        let unmerge = Op::Unmerge { lengths };
        plan.transform(&[unmerge], &[&[0]], &[List::iota(lengths.len()).as_slice()])
    }

    /// Elements one behind the other, with the pads between them.
    fn spaced(&self, space: u32) -> Result<Plan, Error> {
        // What counts the intervals, the slowest first, and how far apart these are.
        let (mut parts, mut strides, mut above) = (List::EMPTY, List::EMPTY, space);
        for i in (0..self.every.len()).rev().filter(|i| self.every.at(*i) < space) {
            let every = self.every.at(i);
            let pads = (0..=i).map(|j| u64::from(every / self.every.at(j) * self.pads.at(j)));
            let stride = u64::from(every) + pads.sum::<u64>();
            let stride = u32::try_from(stride).map_err(|_| Error::NoMemory)?;
            parts = parts.push_back(above / every).map_err(Error::Number)?;
            strides = strides.push_back(stride).map_err(Error::Number)?;
            above = every;
        }
        parts = parts.push_back(above).map_err(Error::Number)?;
        strides = strides.push_back(1).map_err(Error::Number)?;
        let plan = Plan::naive(parts.as_slice(), strides.as_slice())?;
        if parts.len() == 1 {
            return Ok(plan);
        }
        let merge = Op::Merge { lengths: parts };
        plan.transform(&[merge], &[List::iota(parts.len()).as_slice()], &[&[0]])
    }

    /// A plan with one pad at an interval, as Triton would write it: of a `RowPad` or an `IntervalPad` of lengths that
    /// are powers of two.
    ///
    /// # Errors
    ///
    /// [`Error::NotLinear`] of any other layout.
    pub fn of(plan: &Plan) -> Result<Self, Error> {
        let refused = Error::NotLinear { length: None };
        let digits = plan.digits().ok_or(refused)?;
        let (every, pad, map) = taken_apart(&digits).ok_or(refused)?;
        let bases = Bases::of(&map.plan(plan.lengths().as_slice())?)?;
        Ok(Self { every: List::new(&[every]), pads: List::new(&[pad]), bases })
    }

    /// Whether the images are those of dimensions in this order, the fastest first.
    fn is_in_order(&self, order: impl Iterator<Item = usize>) -> bool {
        let mut images = self.bases.images().iter();
        let mut is_next = |d: usize, bit: u32| {
            let of =
                |image: &List| (0..image.len()).all(|i| image.at(i) == u32::from(i == d) << bit);
            images.next().is_some_and(of)
        };
        let mut order = order;
        order.all(|d| (0..self.bases.lengths.at(d).ilog2()).all(|bit| is_next(d, bit)))
    }
}

impl Mapping for Padded {
    fn to_plan(&self) -> Result<Plan, Error> {
        self.plan()
    }
}

/// The interval, its pad, and the linear map without it: of two digits, the faster of stride 1.
fn taken_apart(digits: &Digits) -> Option<(u32, u32, Linear)> {
    if digits.count() != 2 || digits.origin() != 0 {
        return None;
    }
    let low = (0..2).find(|d| digits.stride(*d) == 1)?;
    let (mut fast, mut slow) = ([0; Linear::BITS], [0; Linear::BITS]);
    let (mut count, mut all) = (0, 0);
    for (d, b) in (0..digits.rank()).rev().flat_map(|d| (0..digits.bits(d)).map(move |b| (d, b))) {
        (fast[count], slow[count]) = (digits.column(low, d, b), digits.column(1 - low, d, b));
        all |= fast[count];
        count += 1;
    }
    let every: u32 = all.checked_add(1)?;
    let pad = digits.stride(1 - low).checked_sub(every)?;
    let is_constant = digits.constant(0) | digits.constant(1) != 0;
    if !every.is_power_of_two() || !pad.is_power_of_two() || is_constant {
        return None;
    }
    for (column, above) in fast.iter_mut().zip(slow) {
        *column |= above.checked_mul(every)?;
    }
    Some((every, pad, Linear::new(&fast[..count], 0).ok()?))
}

fn needs(reader: &mut Reader<'_>, words: &str, said: &'static str) -> Result<(), RegisterError> {
    if reader.takes(words) { Ok(()) } else { reader.expected(said) }
}

/// `128:+8, 256:+4]`, the smallest interval first.
fn intervals(reader: &mut Reader<'_>) -> Result<(List, List), RegisterError> {
    let mut all: [(u32, u32); List::CAPACITY] = [(0, 0); List::CAPACITY];
    let mut count = 0;
    while count == 0 || reader.takes(",") {
        let every = power_of_two(reader)?;
        needs(reader, ":+", "`:+`")?;
        let pad = power_of_two(reader)?;
        if count == all.len() || all[..count].iter().any(|(other, _)| *other == every) {
            return reader.expected("an interval that is not named yet");
        }
        all[count] = (every, pad);
        count += 1;
    }
    needs(reader, "]", "`]`")?;
    all[..count].sort_unstable();
    Ok((
        List::of_first(all.map(|(every, _)| every), count),
        List::of_first(all.map(|(_, pad)| pad), count),
    ))
}

fn power_of_two(reader: &mut Reader<'_>) -> Result<u32, RegisterError> {
    reader.blanks();
    let at = reader.at as u32;
    match reader.number()? {
        number if number.is_power_of_two() => Ok(number),
        _ => Err(RegisterError::Syntax { at, expected: "a power of two" }),
    }
}

/// ` = [1, 0], shape = [128, 64]`: the fastest dimension first.
fn ordered(reader: &mut Reader<'_>) -> Result<Bases, RegisterError> {
    needs(reader, "=", "`=`")?;
    let order = reader.image()?;
    for words in [",", "shape", "="] {
        needs(reader, words, "`, shape =`")?;
    }
    let shape = reader.image()?;
    let is_shape = shape.as_slice().iter().all(|length| length.is_power_of_two());
    if !is_shape || order.len() != shape.len() {
        return reader.expected("powers of two, as many as the order has");
    }
    let (mut images, mut count) = ([List::EMPTY; Linear::BITS], 0);
    let zeros = List::of_first([0; List::CAPACITY], shape.len());
    for d in order.as_slice().iter().map(|d| *d as usize) {
        if d >= shape.len() || count + shape.at(d).ilog2() as usize > Linear::BITS {
            return reader.expected("an order of all dimensions, of 32 bits together");
        }
        for bit in 0..shape.at(d).ilog2() {
            images[count] = zeros.with(d, 1 << bit);
            count += 1;
        }
    }
    complete(reader, shape, &images[..count])
}

/// `offset = [[0, 1], ..], block = []`.
fn of_offsets(reader: &mut Reader<'_>) -> Result<Bases, RegisterError> {
    needs(reader, "offset", "`order` or `offset`")?;
    needs(reader, "=", "`=`")?;
    let mut images = [List::EMPTY; Linear::BITS];
    let count = reader.images(&mut images)?;
    for words in [",", "block", "=", "[", "]"] {
        needs(reader, words, "`, block = []`")?;
    }
    complete(reader, lengths([&images[..count], &[], &[]]), &images[..count])
}

/// The bases, if they bring every coordinate once.
fn complete(reader: &Reader<'_>, shape: List, images: &[List]) -> Result<Bases, RegisterError> {
    match Bases::new(shape, images) {
        Ok(bases) if bases.linear().is_ok() => Ok(bases),
        _ => reader.expected("bases that bring every element once"),
    }
}

/// As Triton prints it: by order and shape where the bits are in order, elsewhere by their images.
impl core::fmt::Display for Padded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("#ttg.padded_shared<[")?;
        for i in 0..self.every.len() {
            let between = if i == 0 { "" } else { ", " };
            write!(f, "{between}{}:+{}", self.every.at(i), self.pads.at(i))?;
        }
        let lengths = self.bases.lengths;
        let rank = lengths.len();
        let is_last_fastest = self.is_in_order((0..rank).rev());
        if !is_last_fastest && !self.is_in_order(0..rank) {
            return write!(f, "] {{offset = {}, block = []}}>", self.bases);
        }
        f.write_str("] {order = [")?;
        for i in 0..rank {
            let between = if i == 0 { "" } else { ", " };
            write!(f, "{between}{}", if is_last_fastest { rank - 1 - i } else { i })?;
        }
        write!(f, "], shape = {:?}}}>", lengths.as_slice())
    }
}
