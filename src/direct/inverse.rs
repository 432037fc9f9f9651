//! From an LDS offset to the element there.
//!
//! Where a layout has [`Digits`], its offset is strides times digits, as `72 m + k` of padded rows. A
//! stride above all that smaller ones add up to is found by dividing; the digits side by side are linear
//! over bits, and have an inverse. The plan's own inverse costs the compiler far more (see DESIGN).

use super::refusal::DirectError;
use tiledesc_transforms::{
    Digits, Error, Linear, List, Numbered, Plan, all, attempt, down, ones, range,
};

/// The inverse of a layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inverse<'a> {
    pub(super) plan: &'a Plan,
    /// Found once, as they are expensive in a constant: see DESIGN, "What the compiler pays for".
    pub(super) digits: Option<Digits>,
    side_by_side: Option<SideBySide>,
    /// The number that is found first, of a layout without digits.
    pub(super) numbered: Option<Numbered>,
    /// Whether the digits side by side are the offset itself, and each offset is an element's.
    is_dense: bool,
    /// Whether all lengths are powers of two as well.
    is_linear: bool,
    /// The lengths of the tile.
    lengths: List,
    /// The first and the last offset of the space, plus one, in elements.
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Digits that are found by dividing.
#[derive(Clone, Copy, Debug)]
struct SideBySide {
    /// Digits by their strides, the largest first.
    order: List,
    /// The place of each digit's lowest bit, side by side.
    places: List,
    widths: List,
    map: Linear,
    inverse: Linear,
}

impl SideBySide {
    const fn new(digits: &Digits, rank: usize) -> Option<Self> {
        let (order, mut places, mut widths) =
            (by_strides(digits), List::iota(digits.count()), List::iota(digits.count()));
        let (mut bits, mut reached, mut i) = (0, 0u64, digits.count());
        while i > 0 {
            i -= 1;
            let digit = order.at(i) as usize;
            let all = every_bit(digits, digit, rank);
            let width = 32 - all.leading_zeros();
            if reached >= digits.stride(digit) as u64 || bits + width > 32 {
                return None;
            }
            reached += all as u64 * digits.stride(digit) as u64;
            places = places.with(digit, bits);
            widths = widths.with(digit, width);
            bits += width;
        }
        let map = attempt_some(joint(digits, &places, rank));
        match map {
            Some(map) => match map.inverse() {
                Some(inverse) => Some(Self { order, places, widths, map, inverse }),
                None => None,
            },
            None => None,
        }
    }

    const fn at(&self, digits: &Digits, lengths: &List, offset: u32) -> Option<List> {
        let Some(mut rest) = offset.checked_sub(digits.origin()) else { return None };
        let (mut side_by_side, mut i) = (0u32, 0);
        while i < self.order.len() {
            let digit = self.order.at(i) as usize;
            let value = rest / digits.stride(digit);
            rest %= digits.stride(digit);
            if value as u64 >> self.widths.at(digit) > 0 {
                return None;
            }
            side_by_side |= ((value as u64) << self.places.at(digit)) as u32;
            i += 1;
        }
        let id = self.inverse.apply(side_by_side);
        if rest > 0 || self.map.apply(id) != side_by_side {
            return None;
        }
        in_lengths(lengths, id)
    }
}

/// The indices whose bits are side by side in `id`, the last dimension's lowest.
const fn split(lengths: &List, id: u32) -> List {
    let (mut index, mut rest) = (*lengths, id as u64);
    down!(d, 0..lengths.len(), {
        let bits = bits_of(lengths.at(d));
        index = index.with(d, (rest & ((1 << bits) - 1)) as u32);
        rest >>= bits;
    });
    index
}

/// The indices of [`split`], if each is below its length.
const fn in_lengths(lengths: &List, id: u32) -> Option<List> {
    let index = split(lengths, id);
    if all!(d, 0..lengths.len(), index.at(d) < lengths.at(d)) { Some(index) } else { None }
}

/// Returns whether all lengths are powers of two.
const fn are_bits(plan: &Plan) -> bool {
    let (lengths, mut d) = (plan.lengths(), 0);
    while d < lengths.len() && lengths.at(d).is_power_of_two() {
        d += 1;
    }
    d == lengths.len()
}

const fn bits_of(length: u32) -> u32 {
    if length > 1 { 32 - (length - 1).leading_zeros() } else { 0 }
}

/// Digits by their strides, the largest first.
const fn by_strides(digits: &Digits) -> List {
    let (mut order, mut i) = (List::iota(digits.count()), 1);
    while i < order.len() {
        let (moved, mut at) = (order.at(i), i);
        while at > 0 && digits.stride(order.at(at - 1) as usize) < digits.stride(moved as usize) {
            order = order.with(at, order.at(at - 1));
            at -= 1;
        }
        order = order.with(at, moved);
        i += 1;
    }
    order
}

/// The bits that a digit can have.
const fn every_bit(digits: &Digits, digit: usize, rank: usize) -> u32 {
    let (mut all, mut d) = (digits.constant(digit), 0);
    while d < rank {
        let mut b = 0;
        while b < digits.bits(d) {
            all |= digits.column(digit, d, b);
            b += 1;
        }
        d += 1;
    }
    all
}

/// All digits side by side, of the bits of all indices.
const fn joint(digits: &Digits, places: &List, rank: usize) -> Result<Linear, Error> {
    let (mut columns, mut count, mut constant, mut d) = ([0; Linear::BITS], 0, 0u32, rank);
    while d > 0 {
        d -= 1;
        let (bits, mut b) = (digits.bits(d), 0);
        while b < bits && count < Linear::BITS {
            let mut digit = 0;
            while digit < digits.count() {
                columns[count] |= place(digits.column(digit, d, b), places.at(digit));
                digit += 1;
            }
            count += 1;
            b += 1;
        }
    }
    let mut digit = 0;
    while digit < digits.count() {
        constant |= place(digits.constant(digit), places.at(digit));
        digit += 1;
    }
    Linear::new(columns.split_at(count).0, constant)
}

const fn place(bits: u32, at: u32) -> u32 {
    ((bits as u64) << at) as u32
}

const fn attempt_some(map: Result<Linear, Error>) -> Option<Linear> {
    match map {
        Ok(map) => Some(map),
        Err(_) => None,
    }
}

impl<'a> Inverse<'a> {
    /// Returns the inverse of a layout in which no two coordinates share an offset, with its digits if they are known.
    pub(super) const fn new(plan: &'a Plan, digits: Option<&Digits>) -> Result<Self, DirectError> {
        let digits = match digits {
            Some(known) => Some(*known),
            None => plan.digits(),
        };
        let numbered = if digits.is_none() { plan.numbered() } else { None };
        let side_by_side = match (&digits, &numbered) {
            (Some(digits), _) => SideBySide::new(digits, plan.rank()),
            (None, Some(numbered)) => SideBySide::new(numbered.digits(), 1),
            (None, None) => None,
        };
        if side_by_side.is_none() || numbered.is_some() {
            attempt!(plan.prove_injective() => DirectError::Layout);
        }
        let is_xor = matches!(&digits, Some(digits) if digits.is_linear());
        let from = plan.origin() as u64;
        let (space, lengths) = (plan.element_space(), plan.lengths());
        let (is_dense, is_linear) = (is_xor && space == plan.elements(), is_xor && are_bits(plan));
        let to = from + space;
        Ok(Self { plan, digits, side_by_side, numbered, is_dense, is_linear, lengths, from, to })
    }

    /// The inverse of a map that is linear over bits.
    pub(super) const fn linear(&self) -> Option<&Linear> {
        match &self.side_by_side {
            Some(known) if self.is_linear => Some(&known.inverse),
            _ => None,
        }
    }

    /// The inverse of a map that is an xor of columns up to its last element, whatever the lengths are, and has no holes.
    pub(super) const fn dense(&self) -> Option<&Linear> {
        match &self.side_by_side {
            Some(known) if self.is_dense => Some(&known.inverse),
            _ => None,
        }
    }

    /// Returns whether each of these bits, added to an offset, is that bit of the lowest digit, and flips nothing else.
    pub(super) const fn adds_bits(&self, offset: u64, bits: u32) -> bool {
        let (Some(known), Some(digits)) = (&self.side_by_side, &self.digits) else { return false };
        let Some(mut rest) = (offset as u32).checked_sub(digits.origin()) else { return false };
        let (mut lowest, mut above) = (0, 1 << 32);
        range!(i, 0..known.order.len(), {
            if i > 0 {
                above = digits.stride(lowest) as u64;
                rest %= above as u32;
            }
            lowest = known.order.at(i) as usize;
        });
        let most = (rest | bits) as u64;
        let is_in_digit = most < above && most >> known.widths.at(lowest) == 0;
        digits.stride(lowest) == 1 && rest & bits == 0 && is_in_digit
    }

    /// The bits of each index that bits of the lowest digit flip.
    pub(super) const fn flips_of(&self, bits: u32) -> Option<List> {
        let (Some(known), Some(_)) = (&self.side_by_side, &self.digits) else { return None };
        let mut flips = 0;
        ones!(b, bits, {
            if b >= known.inverse.columns().len() {
                return None;
            }
            flips |= known.inverse.columns()[b];
        });
        Some(split(&self.lengths, flips))
    }

    /// The offset of a coordinate.
    pub(super) const fn offset(&self, index: &List) -> Result<u32, DirectError> {
        if let Some(digits) = &self.digits
            && let Some(offset) = digits.offset(index)
        {
            return Ok(offset);
        }
        if let Some(numbered) = &self.numbered
            && let Some(offset) = numbered.offset(index)
        {
            return Ok(offset);
        }
        match self.plan.offset(index.as_slice()) {
            Ok(offset) => Ok(offset),
            Err(error) => Err(DirectError::Layout(error)),
        }
    }

    /// The coordinate at an offset; `None` in a hole or outside.
    pub(super) const fn at(&self, offset: u64) -> Result<Option<List>, DirectError> {
        if offset < self.from || offset >= self.to {
            return Ok(None);
        }
        if let Some(inverse) = self.dense() {
            return Ok(Some(split(&self.lengths, inverse.apply(offset as u32))));
        }
        if let (Some(known), Some(digits)) = (&self.side_by_side, &self.digits) {
            return Ok(known.at(digits, &self.lengths, offset as u32));
        }
        if let (Some(known), Some(numbered)) = (&self.side_by_side, &self.numbered) {
            let found = known.at(numbered.digits(), &numbered.digits().lengths(), offset as u32);
            return Ok(match found {
                Some(number) => numbered.index_of(number.at(0), &self.lengths),
                None => None,
            });
        }
        match self.plan.coordinate_of(offset as u32) {
            Ok(coordinate) => Ok(Some(coordinate)),
            Err(Error::NoCoordinate { .. }) => Ok(None),
            Err(error) => Err(DirectError::Layout(error)),
        }
    }

    /// The first offset from `offset` on that has an element.
    pub(super) const fn next(&self, mut offset: u64) -> Result<Option<u64>, DirectError> {
        if offset < self.from {
            offset = self.from;
        }
        while offset < self.to {
            if attempt!(self.at(offset)).is_some() {
                return Ok(Some(offset));
            }
            offset += 1;
        }
        Ok(None)
    }
}
