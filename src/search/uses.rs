//! The uses of a tile in a kernel: the question that a search answers.
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

use crate::chip::instruction::Instruction;
use crate::direct::{DirectError, Fill};
use crate::pattern::Lanes;
use tiledesc_transforms::Plan;

/// One access that a layout must serve.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, pattern::Lanes, recipe::Shape, search::Use};
///
/// let read = Use::new(Lanes::rows(16), &ds_read_b128);
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// assert_eq!(tile.synthesize(&[read])?.cycles, 128);
/// assert_eq!(tile.synthesize(&[read.times(4)])?.cycles, 512);
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Use<'a> {
    /// The coordinate that each lane touches.
    pub lanes: Lanes<'a>,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// The number of times that the whole access is done: in a loop over K each operand is read once an iteration.
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

    /// Returns the use of a tile that a direct load fills.
    ///
    /// ```
    /// use tiledesc::recipe::{Shape, Spec};
    /// use tiledesc::direct::Fill;
    /// use tiledesc::search::Use;
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

/// The needs of all uses together.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// The most bytes that a lane moves in any of them, or that a direct load keeps together.
    pub(super) widest: u32,
    /// The most banks that any of them has.
    pub(super) banks: u32,
    /// True if some use has the tile filled by a direct load.
    pub(super) is_filled: bool,
    /// True if two sources disagree on the row of some use.
    pub(super) is_disputed: bool,
}

impl Needs {
    pub(super) const fn new(uses: &[Use<'_>]) -> Self {
        let mut needs = Self { widest: 0, banks: 0, is_filled: false, is_disputed: false };
        let mut i = 0;
        while i < uses.len() {
            let Use { instruction, fill, .. } = &uses[i];
            needs.widest = larger(needs.widest, instruction.bytes());
            needs.banks = larger(needs.banks, instruction.service().banks);
            needs.is_disputed |= instruction.rival().is_some() && !instruction.is_settled();
            if let Some(fill) = fill {
                needs.widest = larger(needs.widest, fill.transfer().data());
                needs.is_filled = true;
            }
            i += 1;
        }
        needs
    }
}

const fn larger(one: u32, other: u32) -> u32 {
    if one < other { other } else { one }
}

/// Why a layout cannot be filled as some use has it, of elements of this many bits.
pub(super) const fn unfilled(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<DirectError> {
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
