//! The accesses of a question as they lie over the tile in order, kept for the judge of what is found: he
//! would else find them once more from pattern, digits and instruction, at twice the work of the compiler.

use crate::access::columns::Columns;

/// The first accesses of a question, as they lie over the tile row by row; none of those whose lanes are no
/// xor of columns.
#[derive(Clone, Copy)]
pub(crate) struct Laid {
    columns: [Option<Columns>; Self::MOST],
}

impl Laid {
    /// Accesses that are kept; of others the judge asks the pattern.
    pub(crate) const MOST: usize = 8;

    /// None.
    pub(crate) const NONE: Self = Self { columns: [None; Self::MOST] };

    /// Keeps an access.
    pub(crate) const fn keep(&mut self, access: usize, columns: &Columns) {
        if access < Self::MOST {
            self.columns[access] = Some(*columns);
        }
    }

    /// An access that was kept.
    pub(crate) const fn get(&self, access: usize) -> Option<&Columns> {
        self.columns[access].as_ref()
    }
}
