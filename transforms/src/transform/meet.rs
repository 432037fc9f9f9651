//! The question whether two coordinates meet below a transform, of those that can come at all.
//!
//! A slice above an embed takes some of its coordinates only; padding that is reported as valid brings more. So every dimension
//! is given the *interval* of the indices that come, from the top down, and each transform is checked for those:
//!
//! ```text
//!   right_pad[60, 4], unchecked   0 to 63     k
//!   naive [2, 60] strides [60, 1] 0 to 1, 0 to 63: (0, 60) and (1, 0) meet at 60
//!   slice[64, 8, 16] over it      0 to 1, 8 to 15: nothing meets
//! ```
//!
//! An interval may be too large, and holds every index that comes; so "never" is a proof.

use super::Op;
use super::strided::{Strided, Sum};
use crate::number::list::{Fold, List};

/// Indices from the first to the last; none if the first is larger. An index that wraps
/// around 0 is negative here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Interval {
    pub(crate) const ZERO: Self = Self::one(0);
    /// The farthest index: one that wraps around more than once is not followed.
    const FARTHEST: i64 = 1 << 40;

    pub(crate) const fn one(index: i64) -> Self {
        Self { first: index, last: index }
    }

    /// All indices of a dimension.
    pub(crate) const fn new(length: u64) -> Self {
        Self { first: 0, last: length.cast_signed() - 1 }
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// The largest difference of two indices.
    pub(crate) const fn width(self) -> u64 {
        if self.is_empty() { 0 } else { (self.last - self.first).cast_unsigned() }
    }

    const fn within(self, length: u64) -> bool {
        self.first >= 0 && self.last.cast_unsigned() < length
    }

    const fn moved(self, by: i64) -> Self {
        Self { first: self.first + by, last: self.last + by }
    }

    const fn cut(self, length: u32) -> Self {
        let end = length as i64 - 1;
        Self {
            first: if self.first < 0 { 0 } else { self.first },
            last: if self.last > end { end } else { self.last },
        }
    }

    const fn plus(self, other: Self, stride: u32) -> Self {
        Self {
            first: self.first.saturating_add(other.first.saturating_mul(stride as i64)),
            last: self.last.saturating_add(other.last.saturating_mul(stride as i64)),
        }
    }
}

/// The places where two coordinates meet below a transform.
// There is no allocator to box the one that is large.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meeting {
    /// Nowhere.
    Never,
    /// Every coordinate within `room` and the one `steps` further.
    At {
        /// The room along each upper dimension.
        room: [Interval; List::CAPACITY],
        /// Along each upper dimension.
        steps: [i64; List::CAPACITY],
    },
    /// The answer is not known.
    Unknown,
}

impl Meeting {
    /// Coordinates that differ by `steps`, both of them in `up`.
    const fn apart(up: &[Interval], steps: [i64; List::CAPACITY]) -> Self {
        let mut room = [Interval::ZERO; List::CAPACITY];
        let mut i = 0;
        while i < up.len() {
            let Interval { first, last } = up[i];
            room[i] = if steps[i] < 0 {
                Interval { first: first - steps[i], last }
            } else {
                Interval { first, last: last - steps[i] }
            };
            i += 1;
        }
        Self::At { room, steps }
    }

    /// Two indices of the only upper dimension.
    const fn of_one(first: i64, second: i64) -> Self {
        let (mut room, mut steps) = ([Interval::ZERO; List::CAPACITY], [0; List::CAPACITY]);
        (room[0], steps[0]) = (Interval::one(first), second - first);
        Self::At { room, steps }
    }
}

impl Op {
    /// The lower indices that come of some upper ones; `None` if that is not known.
    pub(crate) const fn reach(&self, up: &[Interval]) -> Option<[Interval; List::CAPACITY]> {
        let mut low = [Interval::ZERO; List::CAPACITY];
        let mut i = 0;
        while i < up.len() {
            if up[i].first < -Interval::FARTHEST || up[i].last > Interval::FARTHEST {
                return None;
            }
            i += 1;
        }
        match *self {
            Self::PassThrough { .. } => low[0] = up[0],
            Self::RightPad { low_length, skip_check, .. } => {
                low[0] = if skip_check { up[0] } else { up[0].cut(low_length) };
            }
            Self::LeftPad { low_length, left, skip_check }
            | Self::Pad { low_length, left, skip_check, .. } => {
                let moved = up[0].moved(-(left as i64));
                low[0] = if skip_check { moved } else { moved.cut(low_length) };
            }
            Self::Offset { offset: by, .. } | Self::Slice { begin: by, .. } => {
                low[0] = up[0].moved(by as i64);
            }
            Self::Embed { strides, .. } => low[0] = sum(up, &strides),
            Self::Unmerge { lengths } => match lengths.reverse_exclusive_scan(Fold::Product) {
                Ok(strides) => low[0] = sum(up, &strides),
                Err(_) => return None,
            },
            Self::Freeze { index } | Self::Indexing { cached: index, .. } => {
                low[0] = Interval::one(index as i64);
            }
            Self::Insert { .. } | Self::Replicate { .. } => {}
            Self::Modulo { modulus, .. } => low[0] = below_modulo(up[0], modulus as i64),
            Self::Functor { table } => low[0] = values(table),
            Self::Merge { lengths } => {
                if up[0].first < 0 {
                    return None;
                }
                digits(up[0], &lengths, &mut low);
            }
            Self::Xor { length0, length1 } => {
                if !up[0].within(length0 as u64) || !up[1].within(length1 as u64) {
                    return None;
                }
                (low[0], low[1]) = (up[0], flipped(up[0], up[1], length1));
            }
            Self::XorBits { length0, length1, .. } => {
                if !up[0].within(length0 as u64) || !up[1].within(length1 as u64) {
                    return None;
                }
                (low[0], low[1]) = (up[0], Interval::new(length1 as u64));
            }
            Self::LinearBits { length, .. } => {
                if !up[0].within(length as u64) {
                    return None;
                }
                low[0] = Interval::new(length as u64);
            }
            Self::CyclicShift { length1, .. } | Self::InverseCyclicShift { length1, .. } => {
                (low[0], low[1]) = (up[0], Interval::new(length1 as u64));
            }
        }
        Some(low)
    }

    /// Returns whether every lower coordinate has an upper one, and that one is valid.
    pub(crate) const fn is_onto(&self) -> bool {
        match *self {
            Self::PassThrough { .. }
            | Self::Merge { .. }
            | Self::Unmerge { .. }
            | Self::Xor { .. }
            | Self::XorBits { .. }
            | Self::LinearBits { .. }
            | Self::CyclicShift { .. }
            | Self::InverseCyclicShift { .. }
            | Self::Pad { .. }
            | Self::LeftPad { .. }
            | Self::RightPad { .. } => true,
            // Others may be; nothing is claimed.
            _ => false,
        }
    }

    /// Returns whether two upper coordinates within `up` have the same lower one.
    pub(crate) const fn meet(&self, up: &[Interval]) -> Meeting {
        match *self {
            Self::PassThrough { .. }
            | Self::Pad { .. }
            | Self::LeftPad { .. }
            | Self::RightPad { .. }
            | Self::Offset { .. }
            | Self::Slice { .. }
            | Self::Freeze { .. }
            // Digit 0 is not reduced, and xor with one key twice changes nothing: out of
            // range as well.
            | Self::Merge { .. }
            | Self::Xor { .. }
            | Self::XorBits { .. }
            | Self::LinearBits { .. } => Meeting::Never,
            Self::Embed { strides, .. } => strided(up, &strides),
            Self::Unmerge { lengths } => match lengths.reverse_exclusive_scan(Fold::Product) {
                Ok(strides) => strided(up, &strides),
                Err(_) => Meeting::Unknown,
            },
            Self::Insert { .. } | Self::Replicate { .. } | Self::Indexing { .. } => {
                strided(up, &List::new([0; List::CAPACITY].split_at(up.len()).0))
            }
            Self::Modulo { modulus, .. } => {
                if up[0].first < 0 {
                    return Meeting::Unknown;
                }
                if up[0].width() < modulus as u64 {
                    return Meeting::Never;
                }
                let mut steps = [0; List::CAPACITY];
                steps[0] = modulus as i64;
                Meeting::apart(up, steps)
            }
            Self::CyclicShift { length0, length1 } | Self::InverseCyclicShift { length0, length1 } => {
                let known = up[0].within(length0 as u64) && up[1].within(length1 as u64);
                if known { Meeting::Never } else { Meeting::Unknown }
            }
            Self::Functor { table } => {
                if up[0].within(table.len() as u64) {
                    twice(table, up[0])
                } else {
                    Meeting::Unknown
                }
            }
        }
    }
}

const fn sum(up: &[Interval], strides: &List) -> Interval {
    let (mut sum, mut i) = (Interval::ZERO, 0);
    while i < up.len() {
        sum = sum.plus(up[i], strides.at(i));
        i += 1;
    }
    sum
}

const fn below_modulo(up: Interval, modulus: i64) -> Interval {
    if up.first >= 0 && up.first / modulus == up.last / modulus {
        return Interval { first: up.first % modulus, last: up.last % modulus };
    }
    Interval { first: 0, last: modulus - 1 }
}

/// The least and the largest value of a table.
const fn values(table: &[u32]) -> Interval {
    let (mut least, mut most, mut i) = (u32::MAX, 0, 0);
    while i < table.len() {
        least = if table[i] < least { table[i] } else { least };
        most = if table[i] > most { table[i] } else { most };
        i += 1;
    }
    Interval { first: least as i64, last: most as i64 }
}

/// The indices of a dimension xor-ed with those of a key.
const fn flipped(key: Interval, up: Interval, length: u32) -> Interval {
    let bits = length as i64 - 1;
    if key.width() > 0 || key.first & bits != 0 && up.width() > 0 {
        return Interval::new(length as u64);
    }
    Interval { first: up.first ^ key.first & bits, last: up.last ^ key.first & bits }
}

/// The digits of a merge: those in which the first and the last index agree are one, the
/// next is an interval, and those after it are any.
const fn digits(up: Interval, lengths: &List, low: &mut [Interval; List::CAPACITY]) {
    let (mut first, mut last, mut agree, mut i) = (up.first, up.last, true, 0);
    while i < lengths.len() {
        let (mut behind, mut j) = (1i64, i + 1);
        while j < lengths.len() {
            behind = behind.saturating_mul(lengths.at(j) as i64);
            j += 1;
        }
        low[i] = if agree {
            Interval { first: first / behind, last: last / behind }
        } else {
            Interval::new(lengths.at(i) as u64)
        };
        agree = agree && low[i].width() == 0;
        (first, last) = (first % behind, last % behind);
        i += 1;
    }
}

const fn strided(up: &[Interval], strides: &List) -> Meeting {
    let (mut wide, mut widths, mut i) = ([0; List::CAPACITY], [0; List::CAPACITY], 0);
    while i < up.len() {
        (wide[i], widths[i]) = (strides.at(i) as u64, up[i].width());
        i += 1;
    }
    match Strided::meet(wide.split_at(up.len()).0, widths.split_at(up.len()).0) {
        Sum::Never => Meeting::Never,
        Sum::At(steps) => Meeting::apart(up, steps),
        Sum::Unknown => Meeting::Unknown,
    }
}

/// Values of a table that came or did not, as bits of 64 words at a time.
const WINDOW: u32 = 64 * 64;
/// The most entries that are looked at, again and again for each window.
const MOST_LOOKED_AT: u64 = 1 << 24;

/// Two entries of a table that are the same, of those in `up`.
const fn twice(table: &[u32], up: Interval) -> Meeting {
    let (mut from, mut looked_at) = (Some(0), 0);
    while let Some(least) = from {
        looked_at += up.width() + 1;
        if looked_at > MOST_LOOKED_AT {
            return Meeting::Unknown;
        }
        let (mut seen, mut i) = ([0u64; 64], up.first);
        from = None;
        while i <= up.last {
            let value = table[i as usize];
            if value >= least && value - least < WINDOW {
                let (word, bit) = (((value - least) / 64) as usize, 1 << (value % 64));
                if seen[word] & bit != 0 {
                    return Meeting::of_one(index_of(table, up.first, value), i);
                }
                seen[word] |= bit;
            } else if value >= least {
                from = match from {
                    Some(next) if next <= value / 64 * 64 => from,
                    _ => Some(value / 64 * 64),
                };
            }
            i += 1;
        }
    }
    Meeting::Never
}

/// The first index, from `first` on, of a value that comes.
const fn index_of(table: &[u32], first: i64, value: u32) -> i64 {
    let mut i = first;
    while table[i as usize] != value {
        i += 1;
    }
    i
}
