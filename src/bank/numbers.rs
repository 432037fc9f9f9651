//! Counting by numbers: lanes of a swizzle of the dense offset, without an address each.
//!
//! Such a layout flips a few bits of an element's number, by [others of it](crate::access::numbered). So a lane's bank is
//! its number in instruction 0, what the instruction adds to that, and an entry of a table.

use super::conflicts::Conflicts;
use super::planes::{PLANES, add_word, fullest};
use super::units::UnitGrid;
use crate::access::classes::NumberClasses;
use crate::access::flips::Flips;
use crate::chip::instruction::{Instruction, Service};
use crate::chip::phases::Phases;

/// The conflicts of the first instruction of a class, of lanes that are all active and touch different units; `None`
/// where one is not aligned.
pub(super) const fn conflicts_by_number(
    classes: &NumberClasses,
    flips: &Flips,
    class: usize,
    [bits, alignment]: [u32; 2],
    (instruction, service): (&Instruction, &Service),
) -> Option<Conflicts> {
    let (grid, phases) = (UnitGrid::of(instruction, service), &service.phases);
    let (order, numbers, adds) = (phases.order(), classes.lanes(), classes.adds(class));
    let (table, from) = (&flips.table, flips.from);
    let (shift, last, is_one) = (grid.shift() + 3, grid.groups() as u32 - 1, grid.units() == 1);
    let (bits, mut all) = (bits as u64, 0);
    let mut found = Conflicts {
        base_cycles: phases.count() as u32,
        conflict_cycles: 0,
        phase: 0,
        degree: 0,
        race: None,
        merged: false,
    };
    let (count, mut phase, mut i) = (phases.count(), 0, 0);
    while phase < count {
        let end = phases.end(phase);
        let (mut ones, mut planes, mut is_crowded) = (0, [0; PLANES], false);
        while i < end {
            let number = numbers[order[i] as usize % Phases::LANES] + adds;
            let bit = (number ^ table[(number >> from & Flips::LAST) as usize]) as u64 * bits;
            i += 1;
            all |= bit;
            let unit = (bit >> shift) as u32;
            let groups = if is_one { 1 << (unit & last) } else { grid.groups_from(unit) };
            is_crowded |= add_word!(ones, planes, groups);
        }
        let degree = if is_crowded { fullest(ones, &planes) } else { 1 };
        found.conflict_cycles += degree - 1;
        if degree > found.degree {
            found.degree = degree;
            found.phase = phase;
        }
        phase += 1;
    }
    if all & (8 * alignment as u64 - 1) == 0 { Some(found) } else { None }
}

#[cfg(test)]
mod tests;
