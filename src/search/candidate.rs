//! A layout with what it costs: cycles, then bytes, then address instructions.
//!
//! Two layouts of the same cycles differ in what else they take, and the order among them is fixed:
//!
//! ```text
//!   128x64 halves on gfx942, read by 16 rows   cycles   bytes   address instructions
//!   GemmXor                                   128       16384   4
//!   RowPad, Padding<16>                       128       20448   2
//!   RowPad, Padding<8>                        256       18416   2
//!   RowMajor                                  512       16384   2
//! ```

use super::spec::Spec;
use super::weight::Weight;

/// A layout with what it costs.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let all = tile.candidates(&[read])?;
/// let least = all.as_slice()[0];
/// assert_eq!((least.cycles(), least.bytes()), (128, 16_384));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub(super) layout: Spec,
    /// Cycles, and where two sources disagree on a row the conflicts of the other too.
    pub(super) weight: u64,
    /// Cycles by the rows, and by the other sources where there are such: known of what is handed out.
    pub(super) by_source: [u64; 2],
    pub(super) bytes: u64,
    pub(super) address_instructions: u32,
}

impl Candidate {
    /// The weight of a layout that some use does not fit.
    pub(super) const OUT: u64 = u64::MAX;

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> Spec {
        self.layout
    }

    /// Cycles of all accesses, by the rows' own sources.
    #[must_use]
    pub const fn cycles(&self) -> u64 {
        self.by_source[0]
    }

    /// The same by the rival sources of disputed rows; equal where none is disputed or the rivals agree.
    /// Layouts are compared by both: by cycles, and the conflicts that the others count.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, pattern::Lanes, search::{Shape, Use}};
    ///
    /// let tile = Shape { rows: 64, columns: 4, bits: 32 };
    /// let reads = [&gfx950::ds_read_b32, &gfx950::ds_read_b128];
    /// let found = tile.synthesize(&reads.map(|read| Use::new(Lanes::column().first(), read)))?;
    /// assert_eq!((found.best().cycles(), found.best().rival_cycles()), (12, 8));
    /// # Ok::<(), tiledesc::search::SynthesisError>(())
    /// ```
    #[must_use]
    pub const fn rival_cycles(&self) -> u64 {
        self.by_source[1]
    }

    /// Of such a weight, by each source as many; its address instructions are not counted.
    pub(super) const fn new(layout: Spec, weight: u64, bytes: u64) -> Self {
        Self { layout, weight, by_source: [weight; 2], bytes, address_instructions: 0 }
    }

    /// The same with the cycles of each source.
    pub(super) const fn by_source(self, by_source: [u64; 2]) -> Self {
        Self { by_source, ..self }
    }

    /// What it is compared by.
    pub(super) const fn weight(&self) -> u64 {
        self.weight
    }

    /// Whether the cycles of two sources were counted, and differ.
    pub(super) const fn is_by_source(&self) -> bool {
        self.by_source[0] != self.weight || self.by_source[1] != self.weight
    }

    /// Bytes of the layout.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Address instructions of one lane for all accesses, each once: an address takes as many as
    /// the offset has terms, one that is an xor away takes one, and a constant of the instruction none. Of an access of
    /// more than 64 instructions it is an estimate, which ranks candidates:
    /// [`Shape::address_instructions`](super::Shape::address_instructions) counts them.
    #[must_use]
    pub const fn address_instructions(&self) -> u32 {
        self.address_instructions
    }

    /// The same of another weight.
    pub(super) const fn weighing(self, weight: u64) -> Self {
        Self { weight, by_source: [weight; 2], ..self }
    }

    /// The same where an access weighs so much more.
    pub(super) const fn weighing_more(self, more: &Weight) -> Self {
        let Weight { sum, by_source } =
            Weight { sum: self.weight, by_source: self.by_source }.and(*more);
        Self { weight: sum, by_source, ..self }
    }

    /// Whether address instructions decide between it and another.
    pub(super) const fn is_tied(&self, other: &Self) -> bool {
        self.weight == other.weight && self.bytes == other.bytes
    }

    /// Whether it comes before another: fewer cycles, bytes, address instructions.
    pub(crate) const fn is_less(&self, other: &Self) -> bool {
        if self.weight != other.weight {
            return self.weight < other.weight;
        }
        if self.bytes != other.bytes {
            return self.bytes < other.bytes;
        }
        self.address_instructions < other.address_instructions
    }
}

#[cfg(test)]
mod tests {
    use crate::chip::gfx942::ds_read_b128;
    use crate::pattern::Lanes;
    use crate::search::{Shape, Spec, Use};
    use alloc::vec::Vec;

    /// The table of the module.
    #[test]
    fn four_layouts() {
        let tile = Shape { rows: 128, columns: 64, bits: 16 };
        let all = tile.candidates(&[Use::new(Lanes::rows(16), &ds_read_b128)]).unwrap();
        let wanted = [Spec::gemm_xor(8), Spec::row_pad(16), Spec::row_pad(8), Spec::row_major()];
        let costs: Vec<_> = (all.as_slice().iter())
            .filter(|one| wanted.contains(&one.layout()))
            .map(|one| (one.layout(), one.cycles(), one.bytes(), one.address_instructions()))
            .collect();
        let [xor, wide_pad, pad, plain] = wanted;
        assert_eq!(
            costs,
            [
                (xor, 128, 16_384, 4),
                (wide_pad, 128, 20_448, 2),
                (pad, 256, 18_416, 2),
                (plain, 512, 16_384, 2)
            ]
        );
    }
}
