//! The way back as formulas: the coordinate of an offset, one expression for each dimension.
//!
//! ```text
//!   rows padded by 8     m = o / 72          k = o % 72
//!   xor, 128 x 64        m = o / 64          k = o % 64 ^ o / 64 % 8 * 8
//! ```
//!
//! By a layout's digits the offset is a sum of strides times xors of the bits of the coordinate. Where a stride is
//! larger than all below it can add, dividing gives the digits back; side by side they are a linear map, which is
//! inverted. What is left is to write its columns as shifts. Other layouts go back through their transforms, where each has a
//! formula for that.

use super::expression::Expression;
use super::raised::raised;
use crate::Error;
use tiledesc::{Digits, Extent, Index, Linear, Plan};

/// Digits with their places side by side, the largest stride first.
struct OrderedDigits {
    digits: Digits,
    /// The number of each digit, its lowest place, and its bits.
    order: Vec<(usize, u32, u32)>,
}

/// One expression for each dimension, of an offset that is coordinate 0. They are meaningless for an offset that no
/// coordinate has.
///
/// ```
/// use tiledesc_host::emit::{self, TEXT};
/// use tiledesc::prelude::*;
///
/// let padded = Plan::naive(&[128, 64], &[72, 1])?;
/// let [m, k] = &emit::inverse(&padded)?[..] else { panic!() };
/// assert_eq!(TEXT.function("m", &["o"], m)?, "m(o) = o div 72");
/// assert_eq!(TEXT.function("k", &["o"], k)?, "k(o) = o mod 72");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A layout that such formulas do not invert, with the reason; a [`Header`](super::Header) writes it as a comment in
/// place of the function.
pub fn inverse(plan: &Plan) -> Result<Vec<Expression>, Error> {
    if plan.elements() != 1 {
        plan.prove_injective()?;
    }
    let Some(digits) = plan.digits() else {
        return of_number(plan).or_else(|why| raised(plan).ok_or(why));
    };
    let Some(ordered) = OrderedDigits::new(digits, plan) else {
        return raised(plan).ok_or_else(overlap);
    };
    let not_linear = || Error::no_form("more than 32 bits, or two coordinates of one offset");
    let back = ordered.map(plan).and_then(|map| map.inverse()).ok_or_else(not_linear)?;
    let parts = ordered.parts(plan)?;
    let lengths = plan.lengths();
    let mut dimensions = Vec::new();
    let mut first = 0;
    for length in lengths.as_slice().iter().rev() {
        let width = bits_of(*length);
        dimensions.push(ordered.index(&back, &parts, first, width));
        first += width;
    }
    dimensions.reverse();
    Ok(dimensions)
}

/// The inverse where the coordinates are counted first: the number of the offset, and what dividing leaves of it.
fn of_number(plan: &Plan) -> Result<Vec<Expression>, Error> {
    let no_digits = || {
        Error::no_form(
            "its offset is not a sum of strides times bits: it divides by a non-power-of-two, pads or looks up",
        )
    };
    let (below, strides) = plan.below_number().ok_or_else(no_digits)?;
    let mut number = inverse(&below)?.pop().ok_or_else(no_digits)?;
    let lengths = plan.lengths();
    let mut order: Vec<_> = (0..lengths.len()).collect();
    order.sort_by_key(|d| core::cmp::Reverse(strides.at(*d)));
    let mut dimensions = vec![Expression::number(0); lengths.len()];
    let mut reached = u64::from(u32::MAX) + 1;
    for d in order {
        let (stride, length) = (strides.at(d), lengths.at(d));
        // Each number has its coordinate only where strides are those of lengths.
        if u64::from(stride) * u64::from(length) > reached || stride == 0 {
            return Err(overlap());
        }
        reached = u64::from(stride);
        dimensions[d] = number.div(Extent::constant(stride));
        number = number.rem(Extent::constant(stride));
    }
    Ok(dimensions)
}

fn overlap() -> Error {
    Error::no_form("its strides overlap, so dividing does not separate them")
}

fn bits_of(length: u32) -> u32 {
    u32::BITS - length.saturating_sub(1).leading_zeros()
}

impl OrderedDigits {
    fn new(digits: Digits, plan: &Plan) -> Option<Self> {
        let mut by_stride: Vec<_> = (0..digits.count()).collect();
        by_stride.sort_by_key(|digit| digits.stride(*digit));
        let (mut order, mut place, mut reached) = (Vec::new(), 0, 0);
        for digit in by_stride {
            let (all, most) = reach(&digits, digit, plan);
            let width = u32::BITS - all.leading_zeros();
            let stride = u64::from(digits.stride(digit));
            if reached >= stride || place + width > u32::BITS {
                return None;
            }
            reached += u64::from(most) * stride;
            order.push((digit, place, width));
            place += width;
        }
        order.reverse();
        Some(Self { digits, order })
    }

    /// The map from the bits of the coordinate, the last dimension's lowest, to the digits side by side.
    fn map(&self, plan: &Plan) -> Option<Linear> {
        let mut columns = Vec::new();
        for d in (0..plan.rank()).rev() {
            for b in 0..self.digits.bits(d) {
                let each = self.order.iter();
                let placed =
                    each.map(|(digit, place, _)| self.digits.column(*digit, d, b) << place);
                columns.push(placed.fold(0, |all, one| all | one));
            }
        }
        let each = self.order.iter();
        let constant = each.fold(0, |all, (digit, at, _)| all | self.digits.constant(*digit) << at);
        Linear::new(&columns, constant).ok()
    }

    /// The digits of an offset.
    fn parts(&self, plan: &Plan) -> Result<Vec<Expression>, Error> {
        let space = plan.element_space() + u64::from(plan.origin());
        let space =
            u32::try_from(space).map_err(|_| Error::no_form("its space is 2^32 elements"))?;
        let offset = Expression::coordinate(0, space);
        let mut rest = offset.sub(&Expression::number(self.digits.origin()));
        let mut parts = Vec::new();
        for (digit, ..) in &self.order {
            let stride = Extent::constant(self.digits.stride(*digit));
            parts.push(rest.div(stride));
            rest = rest.rem(stride);
        }
        Ok(parts)
    }

    /// The bits `first` to `first + width` of the map back: runs of bits that move together.
    fn index(&self, back: &Linear, parts: &[Expression], first: u32, width: u32) -> Expression {
        let mask = ((1u64 << width) - 1) as u32;
        let image = |bit: u32| {
            let column = back.columns().get(bit as usize).copied().unwrap_or(0);
            column >> first & mask
        };
        let mut sum: Option<Expression> = None;
        let mut take = |term: Expression| {
            sum = Some(match &sum {
                Some(sum) => sum.xor(&term),
                None => term,
            });
        };
        for (part, (_, place, bits)) in parts.iter().zip(&self.order) {
            let images: Vec<_> = (0..*bits).map(|bit| image(place + bit)).collect();
            for run in runs(&images) {
                let from = part.div(power(run.from));
                // A digit has no bits above its own; offsets that the layout does not have are not looked at.
                let is_last = run.from + run.count == *bits;
                let low = if is_last { from } else { from.rem(power(run.count)) };
                take(low.mul(power(run.to)));
            }
        }
        let constant = back.constant() >> first & mask;
        if constant != 0 {
            take(Expression::number(constant));
        }
        sum.unwrap_or_else(|| Expression::number(0))
    }
}

/// The bits that a digit can have, and a number that it does not exceed: that of the dimension that bounds it most.
fn reach(digits: &Digits, digit: usize, plan: &Plan) -> (u32, u32) {
    let of = |d: usize| {
        let columns = (0..digits.bits(d)).map(|bit| digits.column(digit, d, bit));
        columns.fold(0, |all, column| all | column)
    };
    let constant = digits.constant(digit);
    let all = (0..plan.rank()).fold(constant, |all, d| all | of(d));
    let bound = |d: usize| {
        let others = (0..plan.rank()).filter(|other| *other != d);
        let others = others.fold(constant, |all, other| all | of(other));
        let last = plan.lengths().at(d).saturating_sub(1);
        largest(|bit| digits.column(digit, d, bit as usize), last, others)
    };
    (all, (0..plan.rank()).map(bound).min().unwrap_or(all))
}

/// An upper bound of the images of indices up to `last`, whatever the bits `others` are. An index either is `last`, or
/// shares its bits down to one that it lacks; those below are free.
fn largest(column: impl Fn(u32) -> u32, last: u32, others: u32) -> u32 {
    let bits_set = |index: u32| (0..u32::BITS).filter(move |bit| index >> bit & 1 == 1);
    let image = |index: u32| bits_set(index).fold(0, |all, bit| all ^ column(bit));
    let below = |bit: u32| {
        let free = (0..bit).fold(0, |all, free| all | column(free));
        image(last ^ (last & (u32::MAX >> (31 - bit)))) | free | others
    };
    bits_set(last).map(below).fold(image(last) | others, u32::max)
}

fn power(bits: u32) -> Extent {
    Extent::constant(1 << bits.min(31))
}

/// Bits `from` on that go to bits `to` on.
struct BitRun {
    from: u32,
    to: u32,
    count: u32,
}

/// The images of consecutive bits, taken apart into runs.
fn runs(images: &[u32]) -> Vec<BitRun> {
    let mut found: Vec<BitRun> = Vec::new();
    for (from, image) in images.iter().enumerate() {
        let from = from as u32;
        for to in (0..u32::BITS).filter(|to| image >> to & 1 == 1) {
            let longer = found
                .iter_mut()
                .find(|run| run.from + run.count == from && run.to + run.count == to);
            match longer {
                Some(run) => run.count += 1,
                None => found.push(BitRun { from, to, count: 1 }),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::emit::TEXT;

    #[test]
    fn formulas_of_the_way_back() {
        let text = |plan: &Plan| -> Vec<String> {
            let each = inverse(plan).unwrap();
            each.iter().map(|one| TEXT.function("f", &["o"], one).unwrap()).collect()
        };
        let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
        assert_eq!(text(&padded), ["f(o) = o div 72", "f(o) = o mod 72"]);
        // The other index has no part in a digit: it reaches 2, not the 3 of its bits.
        let thirds = Plan::naive(&[4, 3], &[3, 1]).unwrap();
        assert_eq!(text(&thirds), ["f(o) = o div 3", "f(o) = o mod 3"]);
        // Rows of 22 reach 1407, and not the 2047 of their bits: buffers begin every 1408.
        let buffers = Plan::naive(&[2, 22, 64], &[1408, 64, 1]).unwrap();
        assert_eq!(text(&buffers)[0], "f(o) = o div 1408");
        let xor = tiledesc::recipe::gemm_xor(128, 64, 8, 1).unwrap();
        assert_eq!(text(&xor)[0], "f(o) = o div 64");
        // Two rows on one offset.
        let shared = inverse(&Plan::naive(&[4, 4], &[0, 1]).unwrap()).unwrap_err();
        assert_eq!(shared.kind(), ErrorKind::Layout);
    }
}
