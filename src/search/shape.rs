//! A tile and what a kernel does to it: the question that a search answers.
//!
//! A layout is good or bad for all accesses together, each as often as it is done:
//!
//! ```text
//!   Shape { rows: 128, columns: 64, bits: 16 }          on gfx942
//!
//!   Use   lanes        instruction     times   cycles without conflicts
//!         row by row   ds_write_b128     1    128
//!         16 rows      ds_read_b128      4    512
//! ```

use super::fill::Fill;
use crate::chip::instruction::Instruction;
use crate::direct::DirectError;
use crate::pattern::Lanes;
use tiledesc_transforms::{Error, Plan};

/// One access that a layout must serve.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, search::{Shape, Use}};
///
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// assert_eq!(tile.synthesize(&[read])?.cycles, 128);
/// assert_eq!(tile.synthesize(&[read.times(4)])?.cycles, 512);
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Use<'a> {
    /// Which coordinate each lane touches.
    pub lanes: Lanes<'a>,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// How many times the whole access is done: in a loop over K each operand is read once an iteration.
    pub times: u32,
    /// The direct load that fills the tile, if one does: then the layout must bear that too.
    pub fill: Option<Fill<'a>>,
}

impl<'a> Use<'a> {
    /// Once.
    #[must_use]
    pub const fn new(lanes: Lanes<'a>, instruction: &'a Instruction) -> Self {
        Self { lanes, instruction, times: 1, fill: None }
    }

    /// This often.
    #[must_use]
    pub const fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// Of a tile that a direct load fills.
    ///
    /// ```
    /// use tiledesc::search::{Fill, Shape, Spec, Use};
    /// use tiledesc::{List, chip::gfx950, pattern::Lanes};
    ///
    /// // Rows of 192 bytes: where a direct load writes 16 bytes a lane, no pad can be between them.
    /// let tile = Shape { rows: 128, columns: 96, bits: 16 };
    /// let read = Use::new(Lanes::rows(16), &gfx950::ds_read_b64);
    /// let filled = read.filled_by(Fill::by(&gfx950::global_load_lds_b128, 4));
    /// let best = |read| tile.synthesize(&[read]).map(|found| (found.layout, found.cycles));
    /// assert_eq!(best(read)?, (Spec::row_pad(8), 96));
    /// assert_eq!(best(filled)?, (Spec::dense_xor(8, 16, List::new(&[1, 2])), 96));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn filled_by(mut self, fill: Fill<'a>) -> Self {
        self.fill = Some(fill);
        self
    }
}

/// A two-dimensional tile of elements of a width in bits.
///
/// ```
/// use tiledesc::{Plan, search::Shape};
///
/// let padded = Plan::naive(&[128, 64], &[72, 1])?;
/// assert_eq!(Shape::of(&padded, 16), Some(Shape { rows: 128, columns: 64, bits: 16 }));
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// M, in elements.
    pub rows: u32,
    /// K, in elements.
    pub columns: u32,
    /// Bits of an element.
    pub bits: u32,
}

impl Shape {
    /// The tile of a plan; `None` unless it has two dimensions.
    #[must_use]
    pub const fn of(plan: &Plan, bits: u32) -> Option<Self> {
        let lengths = plan.lengths();
        match lengths.as_slice() {
            [rows, columns] => Some(Self { rows: *rows, columns: *columns, bits }),
            _ => None,
        }
    }

    /// The same tile with its two dimensions exchanged: what recipes are of where columns are
    /// contiguous.
    ///
    /// ```
    /// use tiledesc::search::Shape;
    ///
    /// let tile = Shape { rows: 64, columns: 128, bits: 16 };
    /// assert_eq!(tile.transposed(), Shape { rows: 128, columns: 64, bits: 16 });
    /// ```
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows, ..self }
    }

    /// The narrower tile in which `lines` rows make up one row of this one.
    pub(crate) const fn in_lines(self, lines: u32) -> Self {
        let columns = match self.columns.checked_div(lines) {
            Some(columns) => columns,
            None => self.columns,
        };
        Self { rows: self.rows.saturating_mul(lines), columns, ..self }
    }

    /// The rows that fill this many banks, as [`mlds_layer`](crate::recipe::mlds_layer) has them: whose
    /// formula is expensive in a constant: see DESIGN, "What the compiler pays for".
    pub(super) const fn layers_on(self, banks: u32) -> u32 {
        match (banks as u64 * 32).checked_div(self.columns as u64 * self.bits as u64) {
            Some(layers) if layers > 1 => layers as u32,
            _ => 1,
        }
    }

    /// The name of the ready-made element of as many bits; `E`, an element of the user's, where none has.
    ///
    /// ```
    /// use tiledesc::search::Shape;
    ///
    /// assert_eq!([16, 24].map(|bits| Shape { rows: 8, columns: 8, bits }.element()), ["F16", "E"]);
    /// ```
    #[must_use]
    pub const fn element(self) -> &'static str {
        match self.bits {
            4 => "F4",
            6 => "F6",
            8 => "F8",
            16 => "F16",
            32 => "F32",
            64 => "F64",
            _ => "E",
        }
    }

    /// Row by row.
    pub(crate) const fn rows_in_order(self) -> Result<Plan, Error> {
        Plan::naive(&[self.rows, self.columns], &[self.columns, 1])
    }

    /// Elements from pad to pad: an address stays aligned, and a dword is the least that helps.
    pub(crate) const fn pad_step(self, uses: &[Use<'_>]) -> u32 {
        let bytes = Needs::of(uses).widest;
        self.elements_of((if bytes < 4 { 4 } else { bytes }) * 8)
    }

    /// Elements of one round of all banks: no row is padded by as many.
    pub(crate) const fn pad_round(self, uses: &[Use<'_>]) -> u32 {
        self.elements_of(Needs::of(uses).most_banks * 32)
    }

    /// The elements in this many bits; none of 0 bits.
    const fn elements_of(self, bits: u32) -> u32 {
        match bits.checked_div(self.bits) {
            Some(elements) => elements,
            None => 0,
        }
    }
}

/// What all uses together ask of a tile.
pub(super) struct Needs {
    /// The most bytes that a lane moves in any of them, or that a direct load keeps together.
    pub(super) widest: u32,
    pub(super) most_banks: u32,
    /// Whether some use has the tile filled by a direct load.
    pub(super) is_filled: bool,
}

impl Needs {
    pub(super) const fn of(uses: &[Use<'_>]) -> Self {
        let (mut needs, mut i) = (Self { widest: 0, most_banks: 0, is_filled: false }, 0);
        let count = uses.len();
        while i < count {
            let Use { instruction, fill, .. } = &uses[i];
            let (mut bytes, banks) = (instruction.bytes(), instruction.service().banks);
            if let Some(fill) = fill {
                needs.is_filled = true;
                if fill.unit() > bytes {
                    bytes = fill.unit();
                }
            }
            if bytes > needs.widest {
                needs.widest = bytes;
            }
            if banks > needs.most_banks {
                needs.most_banks = banks;
            }
            i += 1;
        }
        needs
    }
}

/// Why a layout cannot be filled as some use has it, of elements of this many bits.
pub(crate) const fn unfilled(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<DirectError> {
    let mut i = 0;
    while i < uses.len() {
        // One statement has one transfer for each chip, and as many uses as accesses.
        if let Some(fill) = &uses[i].fill
            && !(i > 0 && matches!(&uses[i - 1].fill, Some(last) if last.is(fill)))
            && let Err(error) = fill.plan(plan, bits)
        {
            return Some(error);
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::mlds_layer;

    #[test]
    fn layers_are_those_of_the_recipe() {
        for (columns, bits) in (0..300).flat_map(|columns| [4, 8, 16, 32].map(|b| (columns, b))) {
            let tile = Shape { rows: 1, columns, bits };
            for banks in [16, 32, 64] {
                let wanted = mlds_layer(columns, bits, banks);
                assert_eq!(tile.layers_on(banks), wanted, "{tile:?}, {banks} banks");
            }
        }
    }
}
