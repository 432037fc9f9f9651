//! How many address instructions a swizzle costs a lane, without a plan of it.
//!
//! A kernel computes one address and gets the others from it: by a constant in the instruction, which costs
//! nothing, or by one xor. Every instruction of a pattern over the row-major tile is the first one, moved by a
//! constant, and masks move columns and constants alike. A constant can be added in the instruction where it
//! flips only bits that no lane and no wave flips: then it is the same sum in all lanes. Else it is one xor:
//!
//! ```text
//!   128x64 halves, 16 reads of 32 rows, GemmXor: lanes flip bits 4 to 11 of a byte's address
//!   step 1: 32 rows on, adds 4096: an immediate        step 4: 16 columns on, flips 32: an xor
//!   4 addresses: 3 terms for the first, one xor for each other: 6 instructions for 16 reads
//! ```
//! The same figures as [`Addressing`] has of the plan (`tests/oracles/synthesis.rs`).

use super::base::Base;
use super::masks::Masked;
use crate::access::Addressing;
use crate::access::columns::Columns;
use crate::access::placed::first_of;
use crate::chip::instruction::Instruction;
use crate::distribution::{StepDigit, Stepping, Walk};
use crate::pattern::Row;

/// Lane bits and wave bits.
const MOST_COLUMNS: usize = Columns::BITS + 6;

/// Where the instructions of a pattern are in the row-major tile.
#[derive(Clone, Copy)]
pub(crate) struct AddressSteps {
    columns: [u32; MOST_COLUMNS],
    varying: usize,
    starts: [u32; Addressing::MOST],
    count: usize,
}

impl AddressSteps {
    /// None.
    pub(crate) const NONE: Self =
        Self { columns: [0; MOST_COLUMNS], varying: 0, starts: [0; Addressing::MOST], count: 0 };

    /// Of a pattern of columns over the row-major tile. Of more than 64 accesses the first 64.
    pub(crate) const fn of(walk: &Walk, table: &[Row], base: &Base, columns: &Columns) -> Self {
        let mut steps = Self { count: 1, ..Self::NONE };
        let waves = walk.waves() as u64;
        let accesses = walk.instructions() / waves;
        // One instruction computes its address, whatever lanes flip.
        if accesses == 1 {
            return steps;
        }
        steps.varying = columns.bits();
        let mut b = 0;
        while b < columns.bits() {
            steps.columns[b] = columns.column(b);
            b += 1;
        }
        steps.starts[0] = columns.address(0);
        let count =
            if accesses < Addressing::MOST as u64 { accesses as usize } else { Addressing::MOST };
        let stepping = if table.is_empty() { walk.stepping(&base.strides()) } else { None };
        match stepping {
            Some(stepping) if steps.starts[0] == 0 => {
                steps.add_starts(&stepping, count, base.tile.bits);
            }
            _ => {
                while steps.count < count {
                    steps.starts[steps.count] = start(walk, table, base, steps.count as u64);
                    steps.count += 1;
                }
            }
        }
        let mut wave = 1;
        while wave < waves && steps.varying < MOST_COLUMNS {
            let start = start(walk, table, base, wave * accesses);
            steps.columns[steps.varying] = start ^ steps.starts[0];
            steps.varying += 1;
            wave *= 2;
        }
        steps
    }

    /// Adds where the instructions are up to this many, each an earlier one and a turn of one digit.
    const fn add_starts(&mut self, stepping: &Stepping, count: usize, bits: u32) {
        let (mut digit, mut step) = (0, 1);
        while step < count {
            let StepDigit { place, end, adds } = stepping.at(digit);
            let bytes = (adds as u64 * bits as u64 / 8) as u32;
            let end = if end == 0 || end as usize > count { count } else { end as usize };
            while step < end {
                self.starts[step] = self.starts[step - place as usize] + bytes;
                step += 1;
            }
            digit += 1;
        }
        self.count = count;
    }

    /// How many instructions have an address that is looked at.
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// Address instructions with masks, of an offset of this many terms.
    pub(crate) const fn instructions(
        &self,
        row: &Instruction,
        swizzle: &Masked,
        terms: u32,
    ) -> u32 {
        if self.count == 1 {
            return terms;
        }
        let (mut varies, mut b) = (0, 0);
        while b < self.varying {
            varies |= swizzle.moved(self.columns[b]);
            b += 1;
        }
        let (mut made, mut registers, mut step) = ([0; Addressing::MOST], 0, 0);
        while step < self.count {
            let here = swizzle.moved(self.starts[step]);
            let mut register = 0;
            while register < registers && !reaches(row, made[register], here, varies) {
                register += 1;
            }
            if register == registers {
                made[registers] = here;
                registers += 1;
            }
            step += 1;
        }
        // The first is computed, the others are an xor away from it.
        (terms + registers as u32).saturating_sub(1)
    }
}

/// Whether a constant of the instruction takes all lanes from one access to another.
const fn reaches(row: &Instruction, from: u32, to: u32, varies: u32) -> bool {
    (from ^ to) & varies == 0 && to >= from && row.reaches(to - from)
}

/// Where lane 0 is in an instruction of the tile, in bytes.
const fn start(walk: &Walk, table: &[Row], base: &Base, step: u64) -> u32 {
    let element = match first_of(walk, table, step, 0) {
        Some(coordinate) => base.number(&coordinate),
        None => 0,
    };
    (element * base.tile.bits as u64 / 8) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::placed::Placed;
    use crate::chip::gfx942::ds_read_b128;
    use crate::pattern::Lanes;
    use crate::search::claims::columns;
    use crate::search::shape::Shape;
    use crate::search::spec::Spec;

    /// The example of the module.
    #[test]
    fn sixteen_reads() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let plan = tile.rows_in_order().unwrap();
        let reads = Placed::new(&plan, 16, Lanes::rows(32), &ds_read_b128).unwrap();
        let columns = columns(&reads, &mut 0).unwrap();
        let steps = AddressSteps::of(reads.walk(), &[], &Base::rows(tile), &columns);
        assert_eq!((steps.count, steps.starts[1], steps.starts[4]), (16, 4096, 32));
        let swizzle = Spec::gemm_xor(8).masked(tile).unwrap();
        let flipped = (0..6).fold(0, |all, bit| all | swizzle.moved(columns.column(bit)));
        assert_eq!(flipped, 0xff0);
        assert_eq!(swizzle.terms(), 3);
        assert_eq!(steps.instructions(&ds_read_b128, &swizzle, 3), 6);
    }
}
