//! Triton's `partitioned_shared`: pieces of a tile, dealt to memories of their own.
//!
//! ```text
//!   #ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = #ttg.swizzled_shared<..>}>
//!
//!   rows of 128x64    0 .. 31   32 .. 63   64 .. 95   96 .. 127
//!   partition         0         1          0          1
//!   its offsets       0 .. 2047            2048 .. 4095
//! ```
//!
//! gfx1250 has its LDS in regions of 64 KiB, and the compiler puts each partition into another one, at an address that it
//! chooses. So the attribute is no layout of one memory. Each partition is: `partitionLayout` repeated, piece after piece, with
//! the pads of all pieces counted through.
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, `LinearLayoutConversions.cpp` (`partitionedSharedToLinearLayout`) and
//! `Allocation.cpp`; the bases that Triton 3.9 computes; AMD's "A Deep Dive into LDS Optimizations on AMD Instinct MI450 GPUs".

use super::fields::Fields;
use super::{Bases, Padded, Swizzled, text, written};
use crate::Error;
use tiledesc::List;

/// The refusal of such a layout, with the words that state one partition of a tile of these lengths.
pub(super) fn refused(text: &str, lengths: Option<List>) -> Error {
    match one_partition(text, lengths) {
        Ok(sentence) => Error::no_form(sentence),
        Err(fault) => fault,
    }
}

fn one_partition(text: &str, lengths: Option<List>) -> Result<String, Error> {
    let names = ["`numPartitions`", "`numGroups`", "`partitionDim`", "`partitionLayout`"];
    let (_, fields) =
        Fields::parse(text, ["#ttg.partitioned_shared", "PartitionedSharedLayout"], names)?;
    let [partitions, groups] = [fields.power_of_two(0)?, fields.power_of_two(1)?];
    let dim = fields.number(2)? as usize;
    let apart = "each partition lies in a memory of its own, at an address that the compiler chooses: state one of them";
    let Some(lengths) = lengths else {
        return Ok(format!("{apart}, the {groups} pieces that it has"));
    };
    let pieces = partitions.saturating_mul(groups);
    if dim >= lengths.len() || !lengths.at(dim).is_multiple_of(pieces) {
        let tile = lengths.as_slice();
        return Err(Error::number(format!(
            "a tile of {tile:?} cannot be divided into {partitions} * {groups} pieces along dimension {dim}"
        )));
    }
    let piece = lengths.with(dim, lengths.at(dim) / pieces);
    let layout = fields.inner(3, |inner| of_pieces(inner, piece, dim, groups))?;
    let one = lengths.with(dim, lengths.at(dim) / partitions);
    Ok(format!(
        "{apart}, a tile of {:?} in `{layout}`, read by the waves that hold its pieces",
        one.as_slice()
    ))
}

/// Prints the layout of `groups` pieces in a row along a dimension: as Gluon's constructor if `inner` is one, else as an attribute.
fn of_pieces(inner: &str, piece: List, dim: usize, groups: u32) -> Result<String, Error> {
    let is_gluon = !inner.trim_start().starts_with('#');
    let padded = ["#ttg.padded_shared", "PaddedSharedLayout", "with_identity_for"];
    if padded.contains(&text::name(inner)) {
        let padded = Padded::parse(inner)?;
        if padded.lengths() != piece {
            let (own, piece) = (padded.lengths(), piece.as_slice());
            return Err(Error::mismatch(format!(
                "the shape of partitionLayout is {:?}, but a piece is {piece:?}",
                own.as_slice()
            )));
        }
        let whole = padded.repeated(dim, groups)?;
        return Ok(if is_gluon { format!("gl.{}", whole.gluon()) } else { whole.to_string() });
    }
    let plan = Swizzled::parse(inner)?.bases(piece)?.repeated(dim, groups)?.plan()?;
    Ok(if is_gluon { written::gluon(&plan)? } else { written::attribute(&plan)? })
}

impl Bases {
    /// Copies of the tile in a row along a dimension and in memory.
    pub(super) fn repeated(&self, dim: usize, copies: u32) -> Result<Self, tiledesc::Error> {
        let length = self.lengths.at(dim);
        let zeros = List::of_first([0; List::CAPACITY], self.lengths.len());
        let more = (0..copies.ilog2()).map(|bit| zeros.with(dim, length << bit));
        let images: Vec<_> = self.images().iter().copied().chain(more).collect();
        Self::new(self.lengths.with(dim, length.saturating_mul(copies)), &images)
    }
}
