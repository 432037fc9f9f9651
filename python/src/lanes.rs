//! `verdict`: a byte for each lane of one instruction, and what the banks make of them.

use crate::check::Verdict;
use crate::error::{guarded, refused};
use crate::integers::Integers;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use tiledesc_cli::Lanes;

/// The verdict on addresses: a byte for each lane of one instruction of a chip, `None` of an inactive lane.
///
/// Addresses are a list, or an integer array of one dimension.
///
/// >>> import tiledesc as td
/// >>> v = td.verdict("gfx942", "ds_read_b128", [128 * lane for lane in range(64)])
/// >>> v.degree, v.cycles, v.pair, v.bank, v.evidence
/// (8, 64, (0, 1), 0, 'measured')
/// >>> td.verdict("gfx942", "ds_read_b128", [0, 16])
/// Traceback (most recent call last):
///   ..
/// tiledesc.TileError: gfx942 has waves of 64 lanes, but 2 addresses are given: an inactive lane has none, and its place
#[pyfunction]
#[pyo3(signature = (chip, instruction, addresses))]
pub(crate) fn verdict(
    chip: &str,
    instruction: &str,
    addresses: &Bound<'_, PyAny>,
) -> PyResult<Verdict> {
    guarded(|| {
        let bytes = bytes(addresses)?;
        let found = Lanes::judge(chip, instruction, &bytes).map_err(refused)?;
        let pair = |[a, b]: [usize; 2]| (a, b);
        Ok(Verdict {
            chip: chip.to_string(),
            instruction: instruction.to_string(),
            pattern: None,
            access: None,
            passes: found.is_free(),
            free: found.is_free(),
            degree: found.degree,
            cycles: found.cycles.into(),
            base_cycles: found.base_cycles.into(),
            pair: found.pair.map(pair),
            coordinates: None,
            bytes: found.bytes.map(|[a, b]| (a, b)),
            bank: found.bank,
            phase: found.pair.map(|_| found.phase),
            race: found.race.is_some(),
            evidence: found.evidence.name().to_string(),
            source: found.source.to_string(),
            rival_degree: found.rival_degree,
            sentence: found.to_string(),
            reordered: None,
            unwritten: 0,
            note: None,
        })
    })
}

/// The most lanes of a wave; a list of more is refused with their number.
const MOST: usize = 1 << 16;

/// A byte for each lane.
fn bytes(given: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u32>>> {
    let one = |lane: usize, number: i64| {
        u32::try_from(number).map(Some).map_err(|_| {
            refused(format!(
                "lane {lane} has the address {number}: a byte from 0 to {} is one",
                u32::MAX
            ))
        })
    };
    if given.cast::<PyList>().is_ok() || given.cast::<PyTuple>().is_ok() {
        let each = given.try_iter()?.take(MOST).enumerate().map(|(lane, item)| {
            let item = item?;
            if item.is_none() {
                return Ok(None);
            }
            match Integers::extract("an address", &item)? {
                Integers::One(number) => one(lane, number),
                _ => Err(refused(format!(
                    "lane {lane} has several addresses: give one for each lane"
                ))),
            }
        });
        return each.collect();
    }
    let all = Integers::extract("addresses", given)?;
    let [lanes] = *all.shape() else {
        let shape = all.shape();
        return Err(refused(format!(
            "addresses have the shape {shape:?}: give a list, one for each lane"
        )));
    };
    let mut numbers = vec![0; lanes.min(MOST)];
    all.read(0, &mut numbers)?;
    numbers.iter().enumerate().map(|(lane, number)| one(lane, *number)).collect()
}
