//! The matrix instruction of a name: the question that is compared with every row, and its answer.
//!
//! A name may be in several rows, each of chips of its own, and only the row of the chip is evaluated.

use super::row::{InstructionRow, On, held};
use crate::distribution::{Distribution, DistributionError, Encoding, ProductFault};
use tiledesc_transforms::number::is_same;

/// A name on a chip, and the row so far.
#[derive(Clone, Copy)]
pub(super) struct Named {
    chip: &'static str,
    name: &'static str,
    row: Option<InstructionRow>,
    /// The other chips that have an instruction of this name, if this one has none.
    elsewhere: &'static [&'static str],
}

impl Named {
    /// The question before any row was compared.
    pub(super) const fn new(chip: &'static str, name: &'static str) -> Self {
        Self { chip, name, row: None, elsewhere: &[] }
    }

    /// Returns whether this is the name of a row.
    pub(super) const fn is(&self, name: &str) -> bool {
        is_same(self.name, name)
    }

    /// The row of that name, if it is the chip's, with C of swapped operands if they may be swapped.
    pub(super) const fn or<A: Distribution, B: Distribution, C: Distribution>(
        mut self,
        on: On,
        [from, to]: [u32; 2],
        swapped_c: Option<&'static Encoding>,
    ) -> Self {
        if on.has(self.chip) {
            self.row = Some(InstructionRow {
                name: self.name,
                on,
                bits: [from, from, to],
                a: held::<A>(),
                b: Some(held::<B>()),
                c: held::<C>(),
                swapped_c,
            });
        } else {
            self.elsewhere = on.chips();
        }
        self
    }

    /// The row of the chip.
    pub(super) const fn found(&self) -> Result<InstructionRow, DistributionError> {
        let Self { chip, name, row, elsewhere: chips } = *self;
        let fault = match (row, name.as_bytes()) {
            (Some(row), _) => return Ok(row),
            (None, [b'w', b'g', b'm', b'm', b'a', ..]) => ProductFault::NoRegisters { name },
            (None, _) => ProductFault::NoInstruction { chip, name, chips },
        };
        Err(DistributionError::Product(fault))
    }
}
