//! Triton's `padded_shared`: a tile in some order of bits, with padding at fixed intervals.
//!
//! A direct load writes its lanes side by side, so that pads are possible only between the chunks of whole waves.
//! Triton therefore pads at intervals of the offset, in any row, and permutes the rows first where that helps:
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
use super::fields::{Fields, is_order};
use super::text::{Reader, lengths, name_at};
use crate::Error;
use crate::exchange::linear;
use tiledesc::Mapping;
use tiledesc::{Digits, Linear, List, Op, Plan};

/// A `padded_shared` layout.
///
/// ```
/// use tiledesc_host::exchange::triton::Padded;
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
///     Padded::from_plan(&Tile::PLAN)?.to_string(),
///     "#ttg.padded_shared<[512:+16] {order = [1, 0], shape = [128, 64]}>",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padded {
    /// Elements from pad to pad, ascending, and the elements of each pad.
    pairs: Vec<(u32, u32)>,
    bases: Bases,
}

impl Padded {
    /// Reads the attribute as Triton prints it, or Gluon's constructor.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Padded;
    ///
    /// let odd = Padded::parse("#ttg.padded_shared<[3:+2] {order = [0], shape = [8]}>").unwrap_err();
    /// assert_eq!(odd.to_string(), "at byte 20: expected a power of two");
    /// let gluon = "PaddedSharedLayout(interval_padding_pairs=[[4, 2]], offset_bases=[[1], [2], [4]], cga_layout=[], shape=[8])";
    /// let attribute = "#ttg.padded_shared<[4:+2] {order = [0], shape = [8]}>";
    /// assert_eq!(Padded::parse(gluon), Padded::parse(attribute));
    /// let short = "gl.PaddedSharedLayout.with_identity_for([[4, 2]], [8], [0])";
    /// assert_eq!(Padded::parse(short), Padded::parse(attribute));
    /// ```
    ///
    /// # Errors
    ///
    /// Another text, with the byte: also intervals and pads that are not powers of two, an interval that is named twice,
    /// bases that do not bring every element once.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text.contains('(') {
            return Self::of_gluon(text);
        }
        let mut reader = Reader { text, at: name_at(text) };
        reader.needs("#ttg.padded_shared<[", "`#ttg.padded_shared<[`")?;
        let pairs = intervals(&mut reader)?;
        reader.needs("{", "`{`")?;
        let bases =
            if reader.takes("order") { ordered(&mut reader)? } else { of_offsets(&mut reader)? };
        reader.needs("}>", "`}>`")?;
        reader.ends()?;
        Ok(Self { pairs, bases })
    }

    /// `PaddedSharedLayout(interval_padding_pairs=[[512, 16]], offset_bases=[[0, 1], ..], cga_layout=[], shape=[128, 64])`
    fn of_gluon(text: &str) -> Result<Self, Error> {
        if super::text::name(text) == "with_identity_for" {
            return Self::with_identity_for(text);
        }
        let names = ["`interval_padding_pairs`", "`offset_bases`", "`cga_layout`", "`shape`"];
        let (_, fields) = Fields::parse(text, ["PaddedSharedLayout"], names)?;
        let pairs = pairs(&fields)?;
        fields.one_block(2)?;
        let (images, shape) = (fields.images(1)?, fields.list(3)?);
        match Bases::new(shape, &images) {
            Ok(bases) if bases.linear().is_ok() => Ok(Self { pairs, bases }),
            _ => fields.expected(1, "bases that bring every element once"),
        }
    }

    /// `PaddedSharedLayout.with_identity_for([[512, 16]], [128, 64], [1, 0])`
    fn with_identity_for(text: &str) -> Result<Self, Error> {
        let names = ["`interval_padding_pairs`", "`shape`", "`order`", "`cga_layout`"];
        let (_, fields) = Fields::parse(text, ["with_identity_for"], names)?;
        let pairs = pairs(&fields)?;
        fields.one_block(3)?;
        let (shape, order) = (fields.powers_of_two(1, fields.list(2)?.len())?, fields.order(2)?);
        match Bases::new(shape, &in_order(shape, order)) {
            Ok(bases) if bases.linear().is_ok() => Ok(Self { pairs, bases }),
            _ => fields.expected(1, "a shape of 32 bits together"),
        }
    }

    /// Copies of the tile in a row along a dimension and in memory; pads are counted through.
    pub(super) fn repeated(&self, dim: usize, copies: u32) -> Result<Self, tiledesc::Error> {
        Ok(Self { pairs: self.pairs.clone(), bases: self.bases.repeated(dim, copies)? })
    }

    /// The lengths of the tile.
    #[must_use]
    pub fn lengths(&self) -> List {
        self.bases.lengths
    }

    /// The layout as a plan, offsets in elements.
    ///
    /// # Errors
    ///
    /// Bases that do not bring every coordinate once; a tile or pads beyond 32 bits; more than twelve bits of a number
    /// that change places.
    pub fn plan(&self) -> Result<Plan, tiledesc::Error> {
        let (map, lengths) = (self.bases.linear()?, self.bases.lengths);
        let space = 1u32.checked_shl(map.inputs() as u32).ok_or(tiledesc::Error::NoMemory)?;
        let mut plan = self.spaced(space)?;
        let (low, moved) = linear::moved(&map);
        if !moved.is_empty() {
            if moved.len() > List::CAPACITY {
                let most = List::CAPACITY as u32;
                return Err(tiledesc::Error::TooLarge { what: "bits that change places", most });
            }
            let parts = List::pair(space >> low, 1 << low);
            let apart = [
                Op::LinearBits { length: parts.at(0), columns: List::new(&moved) },
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

    /// A plan of elements in a row, with the pads between them.
    fn spaced(&self, space: u32) -> Result<Plan, tiledesc::Error> {
        // What counts the intervals, the slowest first, and how far apart these are.
        let (mut parts, mut strides, mut above) = (Vec::new(), Vec::new(), space);
        for (i, (every, _)) in self.pairs.iter().enumerate().rev() {
            if *every >= space {
                continue;
            }
            let pads = self.pairs[..=i].iter().map(|(other, pad)| u64::from(every / other * pad));
            let stride = u64::from(*every) + pads.sum::<u64>();
            parts.push(above / every);
            strides.push(u32::try_from(stride).map_err(|_| tiledesc::Error::NoMemory)?);
            above = *every;
        }
        parts.push(above);
        strides.push(1);
        let plan = Plan::naive(&parts, &strides)?;
        if parts.len() == 1 {
            return Ok(plan);
        }
        let merge = Op::Merge { lengths: List::new(&parts) };
        plan.transform(&[merge], &[List::iota(parts.len()).as_slice()], &[&[0]])
    }

    /// A plan with one pad at an interval, as Triton would write it: of a `RowPad` or an `IntervalPad` of lengths that
    /// are powers of two.
    ///
    /// # Errors
    ///
    /// [`tiledesc::Error::NotLinear`] of any other layout.
    pub fn from_plan(plan: &Plan) -> Result<Self, tiledesc::Error> {
        let refused = tiledesc::Error::NotLinear { length: None };
        let digits = plan.digits().ok_or(refused)?;
        let (every, pad, map) = taken_apart(&digits).ok_or(refused)?;
        let bases = Bases::from_plan(&linear::plan(&map, plan.lengths().as_slice())?)?;
        Ok(Self { pairs: vec![(every, pad)], bases })
    }

    /// The dimensions, the fastest first, where their bits are in order and the last or the first is the fastest.
    fn order(&self) -> Option<Vec<usize>> {
        let rank = self.bases.lengths.len();
        let orders = [(0..rank).rev().collect::<Vec<_>>(), (0..rank).collect()];
        orders.into_iter().find(|order| self.is_in_order(order.iter().copied()))
    }

    /// The same layout as Gluon's constructor.
    pub(super) fn gluon(&self) -> String {
        let pairs: Vec<_> = self.pairs.iter().map(|(every, pad)| [every, pad]).collect();
        let shape = self.bases.lengths;
        let shape = shape.as_slice();
        match self.order() {
            Some(order) => {
                format!("PaddedSharedLayout.with_identity_for({pairs:?}, {shape:?}, {order:?})")
            }
            None => format!(
                "PaddedSharedLayout(interval_padding_pairs={pairs:?}, offset_bases={}, cga_layout=[], shape={shape:?})",
                self.bases
            ),
        }
    }

    /// Returns whether the images are those of dimensions in this order, the fastest first.
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
    fn to_plan(&self) -> Result<Plan, tiledesc::Error> {
        self.plan()
    }
}

/// The interval, its pad, and the linear map without it: of two digits, the faster of stride 1.
fn taken_apart(digits: &Digits) -> Option<(u32, u32, Linear)> {
    if digits.count() != 2 || digits.origin() != 0 {
        return None;
    }
    let low = (0..2).find(|d| digits.stride(*d) == 1)?;
    let places = (0..digits.rank()).rev().flat_map(|d| (0..digits.bits(d)).map(move |b| (d, b)));
    let columns: Vec<[u32; 2]> =
        places.map(|(d, b)| [low, 1 - low].map(|digit| digits.column(digit, d, b))).collect();
    let every = columns.iter().fold(0, |all, [fast, _]| all | fast).checked_add(1)?;
    let pad = digits.stride(1 - low).checked_sub(every)?;
    let is_constant = digits.constant(0) | digits.constant(1) != 0;
    if !every.is_power_of_two() || !pad.is_power_of_two() || is_constant {
        return None;
    }
    let joined = columns.iter().map(|[fast, slow]| Some(fast | slow.checked_mul(every)?));
    Some((every, pad, Linear::new(&joined.collect::<Option<Vec<_>>>()?, 0).ok()?))
}

/// The pairs of a constructor, the smallest interval first.
fn pairs<const N: usize>(fields: &Fields<'_, N>) -> Result<Vec<(u32, u32)>, Error> {
    let pair = |pair: &List| match *pair.as_slice() {
        [every, pad] if every.is_power_of_two() && pad.is_power_of_two() => Some((every, pad)),
        _ => None,
    };
    let pairs: Option<Vec<_>> = fields.images(0)?.iter().map(pair).collect();
    let mut pairs = pairs.unwrap_or_default();
    pairs.sort_unstable();
    let is_twice = pairs.windows(2).any(|two| two[0].0 == two[1].0);
    if pairs.is_empty() || pairs.len() > List::CAPACITY || is_twice {
        return fields.expected(0, "pairs of powers of two, each interval once");
    }
    Ok(pairs)
}

/// The images of dimensions in an order, the fastest first.
fn in_order(shape: List, order: List) -> Vec<List> {
    let zeros = List::of_first([0; List::CAPACITY], shape.len());
    let of = |d: usize| (0..shape.at(d).ilog2()).map(move |bit| zeros.with(d, 1 << bit));
    order.as_slice().iter().flat_map(|d| of(*d as usize)).collect()
}

/// `128:+8, 256:+4]`, the smallest interval first.
fn intervals(reader: &mut Reader<'_>) -> Result<Vec<(u32, u32)>, Error> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    while all.is_empty() || reader.takes(",") {
        let every = power_of_two(reader)?;
        reader.needs(":+", "`:+`")?;
        let pad = power_of_two(reader)?;
        if all.len() == List::CAPACITY || all.iter().any(|(other, _)| *other == every) {
            return reader.expected("an interval that is not named yet");
        }
        all.push((every, pad));
    }
    reader.needs("]", "`]`")?;
    all.sort_unstable();
    Ok(all)
}

fn power_of_two(reader: &mut Reader<'_>) -> Result<u32, Error> {
    reader.blanks();
    let at = reader.at;
    match reader.number()? {
        number if number.is_power_of_two() => Ok(number),
        _ => Err(Error::syntax(at, "a power of two")),
    }
}

/// ` = [1, 0], shape = [128, 64]`: the fastest dimension first.
fn ordered(reader: &mut Reader<'_>) -> Result<Bases, Error> {
    reader.needs("=", "`=`")?;
    let order = reader.image()?;
    for words in [",", "shape", "="] {
        reader.needs(words, "`, shape =`")?;
    }
    let shape = reader.image()?;
    let is_shape = shape.as_slice().iter().all(|length| length.is_power_of_two());
    if !is_shape || order.len() != shape.len() {
        return reader.expected("powers of two, as many as the order has");
    }
    let bits: u32 = shape.as_slice().iter().map(|length| length.ilog2()).sum();
    if !is_order(&order) || bits > Linear::BITS as u32 {
        return reader.expected("an order of all dimensions, of 32 bits together");
    }
    complete(reader, shape, &in_order(shape, order))
}

/// `offset = [[0, 1], ..], block = []`.
fn of_offsets(reader: &mut Reader<'_>) -> Result<Bases, Error> {
    reader.needs("offset", "`order` or `offset`")?;
    reader.needs("=", "`=`")?;
    let images = reader.images()?;
    for words in [",", "block", "=", "[", "]"] {
        reader.needs(words, "`, block = []`")?;
    }
    complete(reader, lengths(&images), &images)
}

/// The bases, if they bring every coordinate once.
fn complete(reader: &Reader<'_>, shape: List, images: &[List]) -> Result<Bases, Error> {
    match Bases::new(shape, images) {
        Ok(bases) if bases.linear().is_ok() => Ok(bases),
        _ => reader.expected("bases that bring every element once"),
    }
}

/// Prints the layout as Triton does: by order and shape where the bits are in order, elsewhere by their images.
impl core::fmt::Display for Padded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("#ttg.padded_shared<[")?;
        let pairs: Vec<_> =
            self.pairs.iter().map(|(every, pad)| format!("{every}:+{pad}")).collect();
        f.write_str(&pairs.join(", "))?;
        match self.order() {
            Some(order) => {
                let shape = self.bases.lengths;
                write!(f, "] {{order = {order:?}, shape = {:?}}}>", shape.as_slice())
            }
            None => write!(f, "] {{offset = {}, block = []}}>", self.bases),
        }
    }
}
