//! Counting a wave at once: the lanes of all phases side by side, which is a vector unit's work.
//!
//! ```text
//!   64 lanes in eight columns; 8 phases of 8 lanes: a column each        sums of a column, in planes
//!   first lanes of phases 0 to 7      banks 3  0  ..                      ones   twos   fours   eights
//!   second lanes of phases 0 to 7     banks 3  4  ..                      bank 3 of phase 0: twice
//! ```
//!
//! Eight words of a column are summed without a branch, and of fewer phases columns are added (2 of 32 lanes: every
//! second column). So a count takes a third of the time that it takes lane by lane. A constant has no vector
//! unit: there it takes more steps than `planes` do, and is not asked.
//!
//! What it counts is lanes; lanes that share a unit must not count twice, so a phase in which
//! two may is left to [`Distinct`](super::units::Distinct), unless it is another one moved by
//! whole units, which has the same degree.

use super::units::UnitGrid;
use crate::access::addresses::Addresses;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;

/// Lanes that are counted side by side.
const COLUMNS: usize = 8;

/// A number of each column.
type PerColumn = [u32; COLUMNS];

/// The first unit of each lane, in rows of eight: the first lanes of all phases, then the second
/// lanes, and so on. Of P phases, column c is of phase c % P.
pub(super) struct Wave {
    units: [u32; Phases::LANES],
    phases: usize,
    lanes: usize,
}

impl Wave {
    /// Greater than any degree: a value from here on encodes the number of a phase.
    pub(super) const SAME_AS: u32 = 1 << 16;

    /// Of the lanes that supply an address, all of them active; `None` if they do not fill rows
    /// of eight, each with the same number of lanes of each phase.
    #[inline]
    pub(super) const fn of(
        addresses: &Addresses,
        service: &Service,
        grid: UnitGrid,
        offset: u32,
    ) -> Option<Self> {
        let phases = &service.phases;
        let (count, each, mut phase) = (phases.count(), phases.lanes(0).len(), 1);
        while phase < count {
            if phases.lanes(phase).len() != each {
                return None;
            }
            phase += 1;
        }
        let (bytes, order) = (&addresses.bytes, phases.order());
        let units = match (count, each) {
            (8, 8) => turned::<8, 8>(bytes, order),
            (4, 16) => turned::<4, 16>(bytes, order),
            (2, 32) => turned::<2, 32>(bytes, order),
            (1, 64) => turned::<1, 64>(bytes, order),
            (4, 8) => turned::<4, 8>(bytes, order),
            (2, 16) => turned::<2, 16>(bytes, order),
            (1, 32) => turned::<1, 32>(bytes, order),
            (1, 8) => turned::<1, 8>(bytes, order),
            (2, 8) => turned::<2, 8>(bytes, order),
            _ => return None,
        };
        Some(Self { units, phases: count, lanes: count * each }.moved(offset, grid.shift()))
    }

    /// The first `lanes` in one phase, in units of `1 << shift` bytes.
    #[inline]
    const fn at_once(addresses: &Addresses, lanes: usize, shift: u32) -> Self {
        Self { units: addresses.bytes, phases: 1, lanes }.moved(0, shift)
    }

    /// From addresses to units. They were accepted, so that none wraps around.
    #[inline]
    const fn moved(mut self, offset: u32, shift: u32) -> Self {
        let mut i = 0;
        while i < Phases::LANES {
            self.units[i] = (self.units[i] + offset) >> (shift % 32);
            i += 1;
        }
        self
    }

    /// The degree of each phase; 0 if two of its lanes may share a unit, and that may be why it
    /// exceeds 1, or [`SAME_AS`](Self::SAME_AS) and the number of such a phase that has the same degree.
    /// `None` if all are 1. If `apart`, no two lanes of the wave share a unit.
    #[inline]
    pub(super) const fn degrees(&self, grid: UnitGrid, apart: bool) -> Option<PerColumn> {
        let mut degrees = match grid.units() {
            1 => self.most::<1>(grid),
            2 => self.most::<2>(grid),
            3 => self.most::<3>(grid),
            _ => self.most::<4>(grid),
        };
        let (mut above, mut phase) = (0, 0);
        while phase < COLUMNS {
            above |= degrees[phase] & !1;
            phase += 1;
        }
        if above == 0 {
            return None;
        }
        if !apart {
            match grid.units() {
                1 => self.forget::<1>(&mut degrees),
                2 => self.forget::<2>(&mut degrees),
                3 => self.forget::<3>(&mut degrees),
                _ => self.forget::<4>(&mut degrees),
            }
        }
        Some(degrees)
    }

    /// Forgets the degree of a phase that exceeds 1, if two of its lanes may touch a unit in
    /// common, each `U` of them: together all phases are asked first.
    #[inline]
    const fn forget<const U: u32>(&self, degrees: &mut PerColumn) {
        let (near, mut phase) = (!self.ascends::<U>() && self.is_near::<U>(), 0);
        while near && phase < self.phases {
            let other = self.alike(phase);
            if degrees[phase] > 1 && other < phase {
                degrees[phase] =
                    if degrees[other] == 0 { Self::SAME_AS + other as u32 } else { degrees[other] };
            } else if degrees[phase] > 1 && self.phase(phase).is_near::<U>() {
                degrees[phase] = 0;
            }
            phase += 1;
        }
    }

    /// The first phase of which one is a translate: the units of one are those of the other, each
    /// as much further. Of a padded tile on gfx942, 6 of 8 are translates.
    const fn alike(&self, phase: usize) -> usize {
        let mut other = 0;
        while other < phase && !self.is_moved(phase, other) {
            other += 1;
        }
        other
    }

    const fn is_moved(&self, one: usize, other: usize) -> bool {
        let distance = self.units[one].wrapping_sub(self.units[other]);
        let mut first = 0;
        while first < self.lanes
            && self.units[first + one].wrapping_sub(self.units[first + other]) == distance
        {
            first += self.phases;
        }
        first == self.lanes
    }

    /// The most lanes in a bank, of each phase, if a lane touches `U` units.
    #[inline]
    const fn most<const U: u32>(&self, grid: UnitGrid) -> PerColumn {
        if grid.groups() <= 32 {
            return fullest(&self.counts::<U, 1>(grid, 0), self.phases);
        }
        // 64 groups are two words.
        let mut most = fullest(&self.counts::<U, 2>(grid, 0), self.phases);
        let (others, mut c) = (fullest(&self.counts::<U, 2>(grid, 1), self.phases), 0);
        while c < COLUMNS {
            most[c] = if others[c] > most[c] { others[c] } else { most[c] };
            c += 1;
        }
        most
    }

    /// The lanes of each column by groups of banks, of one of `H` words of groups: as many as
    /// plane p has bit g in column c, each times 2^p.
    #[inline]
    const fn counts<const U: u32, const H: u32>(
        &self,
        grid: UnitGrid,
        half: u32,
    ) -> [PerColumn; 4] {
        let (mut planes, mut c) = ([[0; COLUMNS]; 4], 0);
        let (last, filled) = (grid.groups() as u32 - 1, self.filled());
        // The eight rows are written out, so that the loop over the columns is a vector's work.
        while c < COLUMNS {
            let (mut words, mut row) = ([0; 8], 0);
            while row < 8 {
                let first = self.units[row * COLUMNS + c];
                words[row] = if H == 1 { word::<U>(first, last) } else { of_two::<U>(first, half) };
                words[row] &= filled[row];
                row += 1;
            }
            [planes[0][c], planes[1][c], planes[2][c], planes[3][c]] = sum(words);
            c += 1;
        }
        planes
    }

    /// All bits for each row that holds lanes.
    #[inline]
    const fn filled(&self) -> [u32; 8] {
        let (mut filled, mut row) = ([0; 8], 0);
        while row < 8 {
            filled[row] = if row * COLUMNS < self.lanes { u32::MAX } else { 0 };
            row += 1;
        }
        filled
    }

    /// Whether the lanes of each phase ascend, each at least `U` units after the one before: rows down a column,
    /// of which no two touch a unit in common.
    const fn ascends<const U: u32>(&self) -> bool {
        let mut lane = self.phases;
        while lane < self.lanes {
            let (before, here) = (self.units[lane - self.phases], self.units[lane]);
            if here <= before || here - before < U {
                return false;
            }
            lane += 1;
        }
        true
    }

    /// One phase alone.
    #[inline]
    const fn phase(&self, phase: usize) -> Self {
        let (mut units, lanes, mut i) = ([0; Phases::LANES], self.lanes / self.phases, 0);
        while i < lanes {
            units[i] = self.units[i * self.phases + phase];
            i += 1;
        }
        Self { units, phases: 1, lanes }
    }

    /// Whether in some phase two lanes may touch a unit in common, each `U` of them.
    #[inline]
    const fn is_near<const U: u32>(&self) -> bool {
        match self.lanes {
            64 => is_near::<64, U>(&self.units, self.phases),
            32 => is_near::<32, U>(&self.units, self.phases),
            16 => is_near::<16, U>(&self.units, self.phases),
            8 => is_near::<8, U>(&self.units, self.phases),
            _ => true,
        }
    }
}

/// Whether no two of the lanes, all of them active, touch the same byte, if that is seen without a table.
#[inline]
pub(super) const fn are_apart(addresses: &Addresses, instruction: &Instruction) -> bool {
    let (lanes, alignment) = (instruction.service().phases.addressed(), instruction.alignment());
    let wave = Wave::at_once(addresses, lanes, alignment.trailing_zeros());
    let near = match instruction.bytes() / alignment {
        1 => wave.is_near::<1>(),
        2 => wave.is_near::<2>(),
        3 => wave.is_near::<3>(),
        _ => wave.is_near::<4>(),
    };
    !near
}

/// Whether two lanes of a phase may be so near that both touch a unit, each `U` of them. By the
/// low 16 bits, eight lanes to a vector: what differs in them differs.
///
/// Each lane is compared with the half of the others that follows it, around the end of its
/// phase: every round handles all lanes at once, which vectorizes where a triangle would not.
#[inline]
const fn is_near<const N: usize, const U: u32>(
    units: &[u32; Phases::LANES],
    phases: usize,
) -> bool {
    // Twice, so that the end is followed by the beginning. And moved, so that the least of all
    // numbers is the distance as far back as a lane reaches.
    let (mut here, mut around, mut i) = ([0; N], [0; 2 * Phases::LANES], 0);
    while i < N {
        let unit = units[i] as i16;
        here[i] = unit.wrapping_add(i16::MIN + U as i16 - 1);
        (around[i], around[N + i]) = (unit, unit);
        i += 1;
    }
    let (mut least, mut apart) = (i16::MAX, phases);
    while apart <= N / 2 {
        let nearest = nearest::<N, U>(&here, chunk(&around, apart));
        least = if nearest < least { nearest } else { least };
        apart += phases;
    }
    least <= i16::MIN + 2 * (U as i16 - 1)
}

/// The least distance of lanes from others, in turn.
#[inline]
const fn nearest<const N: usize, const U: u32>(here: &[i16; N], others: &[i16; N]) -> i16 {
    let (mut least, mut i) = (i16::MAX, 0);
    while i < N {
        // Of one unit only whether it is the same matters: without a call, which is what takes
        // time where a constant is computed.
        let distance = if U == 1 { here[i] ^ others[i] } else { here[i].wrapping_sub(others[i]) };
        least = if distance < least { distance } else { least };
        i += 1;
    }
    least
}

/// The addresses of `P` phases of `N` lanes: not phase after phase, but the first lanes of all
/// phases, then the second ones.
#[inline]
const fn turned<const P: usize, const N: usize>(
    bytes: &[u32; Phases::LANES],
    order: &[u8; Phases::LANES],
) -> [u32; Phases::LANES] {
    let (mut turned, mut round) = ([0; Phases::LANES], 0);
    while round < N {
        let mut phase = 0;
        while phase < P {
            let lane = order[phase * N + round] as usize % Phases::LANES;
            turned[round * P + phase] = bytes[lane];
            phase += 1;
        }
        round += 1;
    }
    turned
}

/// A bit for each of up to 32 groups of banks, `last` the last of them, that `U` units touch.
#[inline]
const fn word<const U: u32>(first: u32, last: u32) -> u32 {
    let one = 1 << (first & last);
    if U == 1 {
        return one;
    }
    // After the last group the first.
    let (all, two) = (u32::MAX >> (31 - last), one << 1 | one >> last);
    match U {
        2 => (one | two) & all,
        3 => (one | two | two << 1 | (two & all) >> last) & all,
        _ => (word::<2>(first, last) | word::<2>(first.wrapping_add(2), last)) & all,
    }
}

/// A bit for each of the first or of the second 32 of 64 groups that `U` units touch.
#[inline]
const fn of_two<const U: u32>(first: u32, half: u32) -> u32 {
    let (mut word, mut unit) = (0, 0);
    while unit < U {
        let group = first.wrapping_add(unit) % 64;
        word |= ((group / 32 == half) as u32) << (group % 32);
        unit += 1;
    }
    word
}

/// `N` of them, from `first` on.
#[inline]
const fn chunk<T, const N: usize>(all: &[T], first: usize) -> &[T; N] {
    match all.split_at(first).1.first_chunk() {
        Some(chunk) => chunk,
        None => panic!("a row ends with the wave"),
    }
}

/// The sum of three bits in each place: ones and twos.
#[inline]
const fn full(a: u32, b: u32, c: u32) -> [u32; 2] {
    [a ^ b ^ c, a & b | (a ^ b) & c]
}

/// The sum of eight bits in each place: ones, twos, fours, eights.
#[inline]
const fn sum(words: [u32; 8]) -> [u32; 4] {
    let [a, a2] = full(words[0], words[1], words[2]);
    let [b, b2] = full(words[3], words[4], words[5]);
    let [c, c2] = full(a, b, words[6]);
    let [ones, d2] = [c ^ words[7], c & words[7]];
    let [e, e4] = full(a2, b2, c2);
    let [twos, f4] = [e ^ d2, e & d2];
    [ones, twos, e4 ^ f4, e4 & f4]
}

/// The largest count in each phase.
#[inline]
const fn fullest(counts: &[PerColumn; 4], phases: usize) -> PerColumn {
    match phases {
        8 => largest(counts),
        4 => largest(&folded::<4, 5>(counts, 4)),
        2 => largest(&folded::<5, 6>(&folded::<4, 5>(counts, 4), 2)),
        _ => largest(&folded::<6, 7>(&folded::<5, 6>(&folded::<4, 5>(counts, 4), 2), 1)),
    }
}

/// Adds each of the second `half` of columns to that of the first: one plane more.
#[inline]
const fn folded<const P: usize, const Q: usize>(
    planes: &[PerColumn; P],
    half: usize,
) -> [PerColumn; Q] {
    let (mut folded, mut c) = ([[0; COLUMNS]; Q], 0);
    while c < half {
        let (mut carry, mut p) = (0, 0);
        while p < P {
            [folded[p][c], carry] = full(planes[p][c], planes[p][c + half], carry);
            p += 1;
        }
        folded[P][c] = carry;
        c += 1;
    }
    folded
}

/// The largest count of each column.
#[inline]
const fn largest<const P: usize>(planes: &[PerColumn; P]) -> PerColumn {
    let (mut largest, mut c) = ([0; COLUMNS], 0);
    while c < COLUMNS {
        let (mut places, mut most, mut p) = (u32::MAX, 0, P);
        while p > 0 {
            p -= 1;
            let full = planes[p][c] & places;
            places = if full == 0 { places } else { full };
            most |= ((full != 0) as u32) << p;
        }
        largest[c] = most;
        c += 1;
    }
    largest
}
