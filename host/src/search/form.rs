//! A form of linear layouts: which of their columns a family chooses, and from what.

use super::linear::Linear;
use super::question::Question;
use core::ops::Range;
use tiledesc::recipe::Spec;

/// The columns that a family of layouts chooses, and their choices.
pub(super) trait Form {
    /// The bits whose columns are chosen; all others stay where they are.
    fn chosen(&self) -> Range<u32>;

    /// The bits that a chosen column may flip.
    fn flipped(&self) -> Range<u32>;

    /// The columns that a bit may have, given those of the bits below it: the simplest first, and one of each kind if no
    /// two units of a phase differ in the bit.
    fn choices(&self, bit: u32, columns: &[u32], is_used: bool) -> Vec<u32>;

    /// The recipe that is pasted.
    fn recipe(&self, question: &Question<'_>, columns: &[u32]) -> Spec;

    /// A step of a climb by a random number; whether it leads to a layout.
    fn step(&self, columns: &mut [u32], random: u64) -> bool;

    /// Columns from which a climb begins, beside those that a descent found.
    fn start(&self, _: &Linear) -> Option<Vec<u32>> {
        None
    }
}
