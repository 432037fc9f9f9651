//! One instruction, lane by lane and phase by phase, as JSON.

use crate::answer::explain::{Phase, Served};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use tiledesc::chip::Instruction;

/// Lanes with their dwords.
pub(crate) fn lanes(row: &Instruction, served: &Served<'_>) -> Value {
    let each = served.lanes.iter().map(|lane| {
        let dwords: Vec<_> = lane.starts.iter().flat_map(|first| dwords(row, *first)).collect();
        json!({
            "lane": lane.lane,
            "at": lane.coordinate.as_slice(),
            "byte": lane.byte,
            "starts": lane.starts,
            "dwords": dwords,
            "banks": dwords.iter().map(|dword| dword % served.banks).collect::<Vec<_>>(),
        })
    });
    each.collect()
}

/// Phases in order, those of a second address after those of the first.
pub(crate) fn phases(row: &Instruction, served: &Served<'_>) -> Value {
    let phases = served.phases.iter().enumerate();
    phases.map(|(number, one)| phase(row, served, number, one)).collect()
}

/// A phase, with the lanes that ask each bank for each dword.
fn phase(row: &Instruction, served: &Served<'_>, number: usize, one: &Phase<'_>) -> Value {
    let mut banks = vec![Vec::<(u32, Vec<u8>)>::new(); served.banks as usize];
    for lane in one.lanes {
        let found = served.lanes.iter().find(|other| other.lane == usize::from(*lane));
        for dword in found.into_iter().flat_map(|found| dwords(row, found.starts[one.part])) {
            let bank = &mut banks[(dword % served.banks) as usize];
            match bank.iter_mut().find(|(known, _)| *known == dword) {
                Some((_, lanes)) => lanes.push(*lane),
                None => bank.push((dword, vec![*lane])),
            }
        }
    }
    let lanes = |dwords: &Vec<(u32, Vec<u8>)>| -> Value {
        dwords.iter().map(|(_, lanes)| lanes.as_slice()).collect()
    };
    json!({
        "phase": number, "degree": one.degree, "bank": one.bank, "lanes": one.lanes,
        "banks": banks.iter().map(lanes).collect::<Vec<_>>(),
    })
}

/// The dwords that one address of a lane touches.
fn dwords(row: &Instruction, first: u32) -> RangeInclusive<u32> {
    first / 4..=(first + row.bytes() - 1) / 4
}
