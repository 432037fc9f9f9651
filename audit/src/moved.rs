//! Accesses whose bytes are moved, and what the banks make of them.
//!
//! ```text
//!   byte ^ (byte >> 8 & 7) << 4      16 lanes, 256 bytes apart: in 8 places of 16 bytes each, in place of one
//!   byte + byte / 256 * 16           the same by a pad of 16 bytes behind each 256
//! ```
//!
//! An access of two addresses a lane stays one where both move by as much; else it becomes two.

use crate::issue::Issue;
use std::fmt;
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::{Chip, Instruction};

/// A field of a byte address that flips another one below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The lowest bit.
    pub from: u32,
    /// The field's bits, as a mask over them.
    pub bits: u32,
    /// The lowest bit that it flips.
    pub to: u32,
}

/// A move of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Fields of the address flip bits below them: all bytes stay in their block.
    Mask(Vec<Field>),
    /// Adds `by` bytes after each `every` bytes.
    Pad {
        /// The byte at which the tile begins.
        begin: u32,
        /// Bytes before a pad.
        every: u32,
        /// Bytes of the pad.
        by: u32,
    },
}

impl Move {
    /// The byte that a byte is moved to.
    ///
    /// ```
    /// use tiledesc_audit::{Field, Move};
    ///
    /// let mask = Move::Mask(vec![Field { from: 8, bits: 7, to: 4 }]);
    /// assert_eq!([0, 256, 512 + 8, 2048].map(|byte| mask.apply(byte)), [0, 256 + 16, 512 + 32 + 8, 2048]);
    /// assert_eq!(mask.to_string(), "byte ^ (byte >> 8 & 7) << 4");
    /// let pad = Move::Pad { begin: 1024, every: 256, by: 16 };
    /// assert_eq!(pad.apply(1024 + 300), 1024 + 316);
    /// assert_eq!(pad.to_string(), "16 bytes behind each 256");
    /// ```
    #[must_use]
    pub fn apply(&self, byte: u32) -> u32 {
        match self {
            Self::Mask(fields) => fields
                .iter()
                .fold(byte, |moved, field| moved ^ (byte >> field.from & field.bits) << field.to),
            Self::Pad { begin, every, by } => {
                let inside = byte.wrapping_sub(*begin);
                byte.wrapping_add((inside / (*every).max(1)).wrapping_mul(*by))
            }
        }
    }

    /// Bytes that stay together: blocks from the tile's begin on.
    fn keeps(&self, byte: u32, bytes: u32) -> bool {
        let (inside, block) = match self {
            Self::Mask(fields) => {
                (byte, fields.iter().map(|one| 1 << one.to).min().unwrap_or(1 << 31))
            }
            Self::Pad { begin, every, .. } => (byte.wrapping_sub(*begin), *every),
        };
        inside % block.max(1) + bytes <= block
    }

    /// Bytes after which the move repeats, up to a distance that all bytes have in common.
    fn period(&self) -> u32 {
        match self {
            Self::Pad { every, .. } => (*every).max(1),
            Self::Mask(fields) => {
                let top = |one: &Field| one.from + 32 - one.bits.leading_zeros();
                1 << fields.iter().map(top).max().unwrap_or(0).min(31)
            }
        }
    }

    /// The bytes of a block that are exchanged among themselves; 1 of a pad.
    pub(crate) fn block(&self) -> u32 {
        match self {
            Self::Mask(fields) => {
                let top = |one: &Field| one.to + 32 - one.bits.leading_zeros();
                1 << fields.iter().map(top).max().unwrap_or(0)
            }
            Self::Pad { .. } => 1,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask(fields) => {
                f.write_str("byte")?;
                fields.iter().try_for_each(|Field { from, bits, to }| {
                    write!(f, " ^ (byte >> {from} & {bits}) << {to}")
                })
            }
            Self::Pad { every, by, .. } => write!(f, "{by} bytes behind each {every}"),
        }
    }
}

/// The most places that are tried of bytes that are known up to their begin.
const PLACES: u32 = 4096;

/// An instruction with the bytes of each lane, one or two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Touch {
    pub(crate) name: &'static str,
    pub(crate) lanes: Vec<Option<[u32; 2]>>,
    /// Zeros at the end of what is not known of all bytes alike; 32 where they are known.
    pub(crate) zeros: u32,
}

/// The rows of an instruction: looked up once, and not at each place that its bytes may be at.
struct Rows {
    row: &'static Instruction,
    /// That of one address a lane, if it has two.
    single: Option<&'static Instruction>,
}

impl Rows {
    fn new(touch: &Touch, chip: &Chip) -> Option<Self> {
        let row = chip.instruction(touch.name).ok()?;
        let has_two = row.parts() > 1;
        let single = has_two.then(|| chip.instruction(&single(touch.name)).ok()).flatten();
        Some(Self { row, single })
    }
}

/// The cost of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) cycles: u64,
    pub(crate) degree: u32,
    /// Whether two addresses of a lane have become two instructions.
    pub(crate) is_split: bool,
}

impl Touch {
    pub(crate) fn new(row: &Instruction, issue: &Issue) -> Self {
        let part = |byte: u32| [0, 1].map(|part| byte.wrapping_add(row.part(part)));
        let lanes = issue.bytes.iter().map(|byte| byte.map(part)).collect();
        Self { name: row.name(), lanes, zeros: issue.zeros }
    }

    /// The touch with each byte changed.
    pub(crate) fn map(&self, change: impl Fn(u32) -> u32) -> Self {
        let lanes = self.lanes.iter().map(|lane| lane.map(|bytes| bytes.map(&change)));
        Self { lanes: lanes.collect(), ..*self }
    }

    /// The cost where bytes are moved, in the worst of the places that all may be at; `None` if a vector does not stay whole.
    ///
    /// ```text
    ///   s[lane][j], j not known: bytes 128 lane + 4 j      16 bytes behind each 128: as with j = 0 for all of 32 j
    /// ```
    pub(crate) fn cost(&self, chip: &Chip, moved: &Move) -> Option<Cost> {
        let rows = Rows::new(self, chip)?;
        if self.zeros >= 32 {
            return self.of_bytes(&rows, moved);
        }
        let period = moved.period();
        let lowest = |number: u32| number & number.wrapping_neg();
        // An instruction has no address that is no multiple of its bytes, up to 16.
        let step = lowest(period).min((1 << self.zeros).max(lowest(rows.row.bytes())));
        if period / step > PLACES {
            return None;
        }
        let begin = self.least(period)?;
        let at = |far: u32| self.map(|byte| byte.wrapping_add(begin).wrapping_add(far));
        let costs = (0..period).step_by(step as usize).map(|far| at(far).of_bytes(&rows, moved));
        let worse = |a: Cost, b: Cost| {
            let is_split = a.is_split || b.is_split;
            Cost { is_split, ..if b.cycles > a.cycles { b } else { a } }
        };
        costs.reduce(|a, b| Some(worse(a?, b?)))?
    }

    /// The cost where bytes are moved, in one of these places: no more than [`cost`](Self::cost).
    pub(crate) fn cost_at_once(&self, chip: &Chip, moved: &Move) -> Option<Cost> {
        let rows = Rows::new(self, chip)?;
        if self.zeros >= 32 {
            return self.of_bytes(&rows, moved);
        }
        let begin = self.least(moved.period())?;
        self.map(|byte| byte.wrapping_add(begin)).of_bytes(&rows, moved)
    }

    /// What is to be added to bytes that are known up to their begin, so that none lies before 0 and few behind: a multiple of
    /// the period.
    fn least(&self, period: u32) -> Option<u32> {
        let bytes =
            || self.lanes.iter().flatten().flatten().map(|byte| i64::from(byte.cast_signed()));
        let (lowest, period) = (bytes().min().unwrap_or(0), i64::from(period));
        let begin = lowest.rem_euclid(period) - lowest;
        u32::try_from(begin.rem_euclid(1 << 32)).ok()
    }

    fn of_bytes(&self, rows: &Rows, moved: &Move) -> Option<Cost> {
        let row = rows.row;
        let bytes = || self.lanes.iter().flatten().flat_map(|bytes| &bytes[..row.parts()]);
        if !bytes().all(|byte| moved.keeps(*byte, row.bytes())) {
            return None;
        }
        if row.parts() == 1 {
            return self.judged(row, 0, |byte| moved.apply(byte));
        }
        let moved = self.map(|byte| moved.apply(byte));
        if let Some(row) = moved.together(row) {
            return moved.judged(&row, 0, |byte| byte);
        }
        let of_part = |part| moved.judged(rows.single?, part, |byte| byte);
        let [a, b] = [of_part(0)?, of_part(1)?];
        Some(Cost { cycles: a.cycles + b.cycles, degree: a.degree.max(b.degree), is_split: true })
    }

    /// The row with the offsets of both addresses from the first one on, if these are the same in all lanes.
    fn together(&self, row: &Instruction) -> Option<Instruction> {
        let mut apart = self.lanes.iter().flatten().map(|[a, b]| b.wrapping_sub(*a));
        let first = apart.next().unwrap_or(0);
        let unit = row.offsets(0, 1).part(1);
        let units = u8::try_from(first / unit).ok().filter(|_| first.is_multiple_of(unit))?;
        apart.all(|one| one == first).then(|| row.offsets(0, units))
    }

    /// The cost of an instruction of one address of each lane, whose byte is changed.
    fn judged(&self, row: &Instruction, part: usize, to: impl Fn(u32) -> u32) -> Option<Cost> {
        let lane = |lane: u32| self.lanes.get(lane as usize).copied().flatten();
        let lanes = Addresses::from_fn(|at| Some(to(lane(at)?[part])));
        let found = bank::conflicts(&lanes, row).ok()?;
        let rival = match row.rival() {
            Some(_) => bank::conflicts(&lanes, &row.as_rival()).ok()?,
            None => found,
        };
        let cycles = found.active_cycles().max(rival.active_cycles()).into();
        Some(Cost { cycles, degree: found.degree().max(rival.degree()), is_split: false })
    }
}

/// The instruction of one address a lane: `ds_read2st64_b64` is two of `ds_read_b64`.
pub(crate) fn single(name: &str) -> String {
    let words = ["2addr_stride64_", "2addr_", "2st64_", "2_"];
    match words.iter().find_map(|word| name.split_once(word)) {
        Some((verb, width)) => format!("{}_{width}", verb.trim_end_matches('_')),
        None => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::chip::{find, gfx942};

    fn chip() -> &'static Chip {
        find("gfx942").unwrap()
    }

    /// All lanes read `bytes` in a row from `begin` on.
    fn touch(row: &Instruction, begin: u32) -> Touch {
        let byte = |lane| begin + lane * row.bytes();
        let lanes = (0..64).map(|lane| Some([byte(lane); 2])).collect();
        Touch { name: row.name(), lanes, zeros: 32 }
    }

    /// Byte by byte: whether a vector stays one.
    fn is_whole(to: &Move, byte: u32, bytes: u32) -> bool {
        (0..bytes).all(|i| to.apply(byte + i) == to.apply(byte) + i)
    }

    /// A pad that falls into a vector tears it, though the vector's first byte stays aligned.
    #[test]
    fn a_pad_inside_a_vector_is_none() {
        let read = touch(&gfx942::ds_read_b128, 0);
        let [at_row, inside] = [0, 8].map(|begin| Move::Pad { begin, every: 256, by: 16 });
        assert!(is_whole(&at_row, 240, 16) && !is_whole(&inside, 256, 16));
        assert!(read.cost(chip(), &at_row).is_some());
        // The lane at byte 256 has 8 bytes before the pad and 8 behind it; the first of them is aligned.
        assert_eq!(read.lanes[16], Some([256; 2]));
        assert_eq!(inside.apply(256) % 16, 0);
        assert_eq!(read.cost(chip(), &inside), None);
    }

    /// Whatever has a cost keeps each vector whole.
    #[test]
    fn vectors_that_are_judged_are_whole() {
        let rows = [&gfx942::ds_read_b32, &gfx942::ds_read_b64, &gfx942::ds_read_b128];
        let pads = [0, 4, 8, 16, 24, 64]
            .into_iter()
            .flat_map(|begin| [32, 48, 64, 256].map(|every| Move::Pad { begin, every, by: 16 }));
        let masks = (2..6).flat_map(|to| {
            (to + 1..9).map(move |from| Move::Mask(vec![Field { from, bits: 1, to }]))
        });
        let mut seen = [0, 0];
        for to in pads.chain(masks) {
            for row in rows {
                let read = touch(row, 64);
                let bytes = read.lanes.iter().flatten().map(|[byte, _]| *byte);
                let whole = bytes.clone().all(|byte| is_whole(&to, byte, row.bytes()));
                let is_judged = read.cost(chip(), &to).is_some();
                assert!(whole || !is_judged, "{} moved by {to:?}", row.name());
                seen[usize::from(is_judged)] += 1;
            }
        }
        assert!(seen[0] > 30 && seen[1] > 90, "{seen:?}");
    }
}
