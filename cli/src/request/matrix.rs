//! The matrix instructions of a loop's trip: `matrix = { op = "v_mfma_f32_16x16x32_f16", times = 64 }`, or a list of them.
//!
//! Beside the accesses of the tiles, each as often as its `times` says, they tell what bounds the loop.

use crate::request::fault::Fault;
use crate::request::value::{Table, Value, number, text};
use std::ops::Range;
use tiledesc::chip::Chip;
use tiledesc::warp_gemm;

/// A matrix instruction of a trip.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    span: Range<usize>,
    pub(crate) op: String,
    /// How often each wave executes it.
    pub(crate) times: u64,
    /// Waves of the workgroup.
    pub(crate) waves: u32,
}

/// More than any loop has.
const MOST_TIMES: u64 = 1 << 32;

pub(crate) fn read(value: &Value<'_>) -> Result<Vec<Matrix>, Fault> {
    match value.get_ref().as_array() {
        Some(all) => all.iter().map(one).collect(),
        None => Ok(vec![one(value)?]),
    }
}

fn one(value: &Value<'_>) -> Result<Matrix, Fault> {
    let table = Table::from_value(value, "matrix")?;
    let op = table.needs("op", "\"v_mfma_f32_16x16x32_f16\"")?;
    let times = table.get("times").map_or(Ok(1), |value| number(value, "times", 1..=MOST_TIMES))?;
    let waves = table.get("waves").map_or(Ok(4), |value| number(value, "waves", 1..=32))?;
    table.has_no_more()?;
    let waves = u32::try_from(waves).unwrap_or(4);
    Ok(Matrix { span: op.span(), op: text(op, "op")?.to_string(), times, waves })
}

/// What none of the chips has.
pub(crate) fn refused(all: &[Matrix], chips: &[&Chip]) -> Vec<Fault> {
    let of = |one: &Matrix| {
        let is_there = chips.iter().any(|chip| warp_gemm::find(chip, &one.op).is_ok());
        let why = chips.iter().find_map(|chip| warp_gemm::find(chip, &one.op).err());
        why.filter(|_| !is_there).map(|why| Fault::new(one.span.clone(), why.to_string()))
    };
    all.iter().filter_map(of).collect()
}
