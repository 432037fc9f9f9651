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
//! [run](crate::access::runs) are a constant word, turned to where the first of them is; words that meet are added,
//! plane by plane. So a phase costs as much as it has runs, one or two, and no lane is looked at.

use super::conflicts::Conflicts;
use super::planes::{PLANES, add_word, fullest};
use super::units::UnitGrid;
use crate::access::runs::Runs;
use crate::chip::cosets::Cosets;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;
use tiledesc_transforms::range;

/// How many degrees of phases are kept.
const KNOWN: usize = 1 << 7;

/// What lanes of a run do to the banks by one source's phases.
pub(super) struct RunWords<'s> {
    phases: &'s Phases,
    cosets: &'s Cosets,
    grid: UnitGrid,
    /// How many bits of a lane's number count lanes that follow each other in a phase; the other masks of the phase
    /// lead to as many lanes further on.
    bits: usize,
    /// By a number of lanes, the groups that they touch if the first begins in group 0.
    words: [u64; Phases::LANES + 1],
    /// The bits of these masks.
    further: u64,
    /// The most lanes that are in different groups, of those that follow each other in a phase.
    longest: u64,
    /// The degrees of phases that were counted, each with its [key](Self::key), at a place by that: 0 where none is. Of 200
    /// phases that read rows of 100 floats 50 are counted.
    known: [u64; KNOWN],
}

impl<'s> RunWords<'s> {
    /// `None` of phases that are not cosets, and where lanes that share a dword are not together.
    pub(super) const fn of(
        runs: &Runs,
        instruction: &Instruction,
        service: &'s Service,
    ) -> Option<Self> {
        let grid = UnitGrid::of(instruction, service);
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
            unit = ((lanes as u64 * distance) >> grid.shift()) & (groups - 1);
        }
        let (phases, longest) = (&service.phases, lanes as u64);
        let mut further = 0;
        range!(i, bits..cosets.count(), {
            further |= cosets.mask(i) as u64;
        });
        Some(Self { phases, cosets, grid, bits, words, further, longest, known: [0; KNOWN] })
    }

    /// The conflicts of an instruction.
    pub(super) const fn conflicts(&mut self, runs: &Runs, step: u64) -> Conflicts {
        let [begin, before] = runs.begin(step);
        let (each, count, order) = (1 << self.bits, self.phases.count(), self.phases.order());
        let mut found = Conflicts {
            base_cycles: count as u32,
            conflict_cycles: 0,
            phase: 0,
            degree: 0,
            race: None,
            merged: false,
        };
        let (mut phase, mut i) = (0, 0);
        while phase < count {
            let lane = order[i] as u64 & !(each - 1);
            let key = self.key(runs, before, lane);
            // The high bits of a product with an odd number tell multiples of lanes apart.
            let place = (key as u32).wrapping_mul(0x9E37_79B1) as usize / (1 << 25);
            if key == 0 || self.known[place] >> 32 != key {
                self.known[place] = key << 32 | self.degree(runs, [begin, before], lane) as u64;
            }
            let degree = self.known[place] as u32;
            i = self.phases.end(phase);
            found.conflict_cycles += degree - 1;
            if degree > found.degree {
                found.degree = degree;
                found.phase = phase;
            }
            phase += 1;
        }
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

    /// The degree of the phase that a lane is of, the first of those that follow each other, beside what lane 0 of the wave
    /// adds and of the lanes that were counted before it.
    const fn degree(&self, runs: &Runs, [begin, before]: [u64; 2], lane: u64) -> u32 {
        let (shift, groups, longest) = (self.grid.shift(), self.grid.groups() as u32, self.longest);
        let count = self.cosets.count() - self.bits;
        let (mut ones, mut planes, mut is_crowded) = (0, [0; PLANES], false);
        // Lane after lane of those that no mask but the further ones leads to: each flips one more.
        let (mut block, mut first) = (1u32, lane);
        loop {
            let (mut number, mut left) = (before + first, 1 << self.bits);
            while left > 0 {
                let [address, run] = runs.at(number);
                let run = if run < left { run } else { left };
                let run = if run < longest { run } else { longest };
                let group = ((begin + address) >> shift) as u32 & (groups - 1);
                let turned = (self.words[run as usize] as u128) << group;
                let word = (turned | turned >> groups) as u64 & (u64::MAX >> (u64::BITS - groups));
                is_crowded |= add_word!(ones, planes, word);
                (number, left) = (number + run, left - run);
            }
            if block == 1 << count {
                break;
            }
            first ^= self.cosets.mask(self.bits + block.trailing_zeros() as usize) as u64;
            block += 1;
        }
        if is_crowded { fullest(ones, &planes) } else { 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::placed::Placed;
    use crate::bank::conflicts::conflicts;
    use crate::chip::{gfx942, gfx950, gfx1201, sm_90};
    use crate::pattern::Lanes;
    use tiledesc_transforms::Plan;

    /// As each instruction's lanes say it one by one, also of which phase is shown.
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
                let Some(mut words) = RunWords::of(&runs, row, row.service()) else { continue };
                for step in 0..placed.instructions() {
                    let touched = placed.touched(step).unwrap();
                    let wanted = conflicts(touched.addresses(), row).unwrap();
                    let found = words.conflicts(&runs, step);
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
