//! Counting by runs: lanes at equal distances are one word of banks.
//!
//! ```text
//!   64 lanes write rows of 96 halves on gfx942, rows 208 bytes apart: units of 16 bytes, 8 groups of banks
//!
//!   lanes of phase 1    8 to 11    12 to 15
//!   units               8 to 11    13 to 16
//!   groups              0 to 3     5 to 7, 0       group 0 twice: 2-way
//! ```
//!
//! A word has a bit for each group of banks. The lanes of a phase that follow each other and are of one
//! [run](crate::access::runs) are a constant word, rotated to where the first of them is; words that meet are added,
//! plane by plane. So a phase costs as much as it has runs, one or two, and no lane is looked at.
//!
//! Degrees of phases are kept, since a phase of rows of 100 begins like an earlier one three times of four. What that and the
//! runs save is in DESIGN, "What the compiler pays for".

use crate::access::runs::Runs;
use crate::bank::conflicts::Conflicts;
use crate::bank::units::UnitGrid;
use crate::chip::cosets::Cosets;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::range;

/// The number of degrees of phases that are kept.
const KNOWN: usize = 1 << 7;

/// Bits of a count of at most 64 in a bank.
const PLANES: usize = 7;

/// The conflicts of the lanes of a run by one source's phases.
pub(in crate::bank) struct RunWords<'s> {
    phases: &'s Phases,
    cosets: &'s Cosets,
    grid: UnitGrid,
    /// The number of bits of a lane's number that count lanes that follow each other in a phase; the other masks of the phase
    /// lead to as many lanes further on.
    bits: usize,
    /// By a number of lanes, the groups that they touch if the first begins in group 0.
    words: [u64; Phases::LANES + 1],
    /// The most lanes that are in different groups, of those that follow each other in a phase.
    longest: u64,
    /// The bits of a lane's number that the other masks contain.
    further: u64,
    /// The degrees of phases that were counted, each with its [key](Self::key), at a place by that: 0 where none is. Of 200
    /// phases that read rows of 100 floats 50 are counted.
    known: [u64; KNOWN],
}

impl<'s> RunWords<'s> {
    /// `None` of phases that are not cosets, and where lanes that share a dword are not together.
    pub(in crate::bank) const fn new(
        runs: &Runs,
        instruction: &Instruction,
        service: &'s Service,
    ) -> Option<Self> {
        let grid = UnitGrid::new(instruction, service);
        let Some(cosets) = service.phases.cosets() else { return None };
        let bits = cosets.consecutive_bits();
        let (most, distance, groups) = (1 << bits, runs.distance(), grid.groups() as u64);
        let (mut words, mut lanes, mut unit) = ([0; Phases::LANES + 1], 0, 0);
        if distance < 4 && !(most as u64 * distance).is_multiple_of(4) {
            return None;
        }
        while lanes < most {
            let taken = words[lanes];
            let of_lane = grid.groups_from(unit as u32);
            let begins = distance >= 4 || (lanes as u64 * distance).is_multiple_of(4);
            if begins && taken & of_lane != 0 {
                break;
            }
            lanes += 1;
            words[lanes] = taken | of_lane;
            unit = ((lanes as u64 * distance) >> grid.shift) & (groups - 1);
        }
        let (phases, longest, mut further) = (&service.phases, lanes as u64, 0);
        range!(i, bits..cosets.count(), { further |= cosets.mask(i) as u64 });
        Some(Self { phases, cosets, grid, bits, words, longest, further, known: [0; KNOWN] })
    }

    /// The conflicts of an instruction that [begins](crate::access::Placed::begin_of_runs) so.
    pub(in crate::bank) const fn conflicts(&mut self, runs: &Runs, begin: [u64; 2]) -> Conflicts {
        let (count, order, mut place) = (self.phases.count(), self.phases.order(), 0);
        let mut found = Conflicts::of_phases(count, false);
        range!(phase, 0..count, {
            let first = order[place] as u64 >> self.bits << self.bits;
            let key = self.key(runs, begin[1], first);
            // Fibonacci hashing: the top 7 bits of the product with 2^32 / phi, an odd number.
            let known = (key as u32).wrapping_mul(0x9E37_79B1) as usize / (1 << 25);
            if key == 0 || self.known[known] >> 32 != key {
                self.known[known] = key << 32 | self.degree(runs, begin, first) as u64;
            }
            found.add(phase, self.known[known] as u32);
            place = self.phases.end(phase);
        });
        found
    }

    /// What a phase's degree depends on, where each run is as long as the first and as far from it: how many lanes are of the
    /// first run, if all lanes follow each other; else where in a run the first lane is, and which bits of it the further
    /// masks flip. 0 where it depends on more.
    const fn key(&self, runs: &Runs, before: u64, lane: u64) -> u64 {
        let Some(length) = runs.of_one_jump() else { return 0 };
        let (left, each) = (length - (before + lane) % length, 1 << self.bits);
        if self.bits == self.cosets.count() {
            return if left < each { left } else { each };
        }
        let key = left * Phases::LANES as u64 + (lane & self.further);
        if key >> 32 == 0 { key } else { 0 }
    }

    /// The degree of the phase that a lane is of, the first of those that follow each other.
    const fn degree(&self, runs: &Runs, [begin, before]: [u64; 2], lane: u64) -> u32 {
        let (shift, groups, longest) = (self.grid.shift, self.grid.groups() as u32, self.longest);
        let (mut planes, mut most_planes, mut first) = ([0; PLANES], 0, lane);
        // The first lane of each run of the phase, in Gray-code order: step n flips the further mask number `trailing_zeros(n)`.
        range!(block, 1..(1u32 << (self.cosets.count() - self.bits)) + 1, {
            let (mut number, mut left) = (before + first, 1 << self.bits);
            while left > 0 {
                let [address, run] = runs.at(number);
                let run = if run < left { run } else { left };
                let run = if run < longest { run } else { longest };
                let group = ((begin + address) >> shift) as u32 & (groups - 1);
                let rotated = (self.words[run as usize] as u128) << group;
                let word =
                    (rotated | rotated >> groups) as u64 & (u64::MAX >> (u64::BITS - groups));
                // A carry through a few planes, and through none where nothing meets: in place, since a call is dear.
                let (mut carry, mut plane) = (word, 0);
                while carry != 0 {
                    (planes[plane], carry) = (planes[plane] ^ carry, planes[plane] & carry);
                    plane += 1;
                }
                most_planes = if plane > most_planes { plane } else { most_planes };
                (number, left) = (number + run, left - run);
            }
            let further = self.bits + block.trailing_zeros() as usize;
            if further < self.cosets.count() {
                first ^= self.cosets.mask(further) as u64;
            }
        });
        if most_planes > 1 { fullest(&planes) } else { 1 }
    }
}

/// The most in a bank, of counts bit by bit, a word of all banks each.
const fn fullest(planes: &[u64; PLANES]) -> u32 {
    let (mut places, mut most) = (u64::MAX, 0);
    range!(below, 0..PLANES, {
        let full = planes[PLANES - 1 - below] & places;
        most = most << 1 | (full != 0) as u32;
        places = if full == 0 { places } else { full };
    });
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::placed::Placed;
    use crate::bank::conflicts::conflicts;
    use crate::chip::{gfx942, gfx950, gfx1201, sm_90};
    use crate::pattern::Lanes;
    use tiledesc_transforms::Plan;

    /// Degrees by runs equal those of each instruction's lanes one by one, and so does the phase that is shown.
    #[test]
    fn as_lanes_one_by_one() {
        let rows = [
            &gfx942::ds_write_b128,
            &gfx942::ds_read_b128,
            &gfx942::ds_read_b96,
            &gfx942::ds_write_b64,
            &gfx942::ds_read_u16,
            &gfx942::ds_read_u8,
            &gfx950::ds_read_b32,
            &gfx950::ds_read_b128,
            &gfx1201::ds_load_b64,
            &sm_90::ld_shared_b128,
            &sm_90::ldmatrix_x4,
        ];
        let patterns = [
            Lanes::row_major(),
            Lanes::column(),
            Lanes::rows(16),
            Lanes::rows(12),
            Lanes::repeated_rows(16),
            Lanes::strided(3),
        ];
        let (mut counted, mut crowded) = (0, 0);
        for (m, k, pad) in [
            (64, 96, 8),
            (64, 96, 2),
            (96, 40, 8),
            (128, 24, 16),
            (128, 100, 4),
            (48, 24, 0),
            (64, 104, 24),
            (256, 12, 1),
            (64, 192, 8),
            (32, 320, 40),
        ] {
            let plan = Plan::naive(&[m, k], &[k + pad, 1]).unwrap();
            for (lanes, row) in patterns.into_iter().flat_map(|lanes| rows.map(|row| (lanes, row)))
            {
                let Ok(placed) = Placed::new(&plan, 16, lanes, row) else { continue };
                let strides = placed.strides().unwrap();
                let Some(runs) = placed.runs(&strides) else { continue };
                let Some(mut words) = RunWords::new(&runs, row, row.service()) else { continue };
                for step in 0..placed.instructions() {
                    let touched = placed.touched(step).unwrap();
                    let wanted = conflicts(touched.addresses(), row).unwrap();
                    let begin = placed.begin_of_runs(&runs, &strides, step);
                    let found = words.conflicts(&runs, begin);
                    // A rank names the first phase, as all are alike.
                    assert_eq!(found, wanted, "{m}x{k}+{pad} {} {lanes:?} {step}", row.name());
                    counted += 1;
                    crowded += u32::from(found.degree > 1);
                }
            }
        }
        assert!(counted > 4000 && crowded > 1000, "{counted} {crowded}");
    }
}
