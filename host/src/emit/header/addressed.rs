//! The elements that lanes address, where an instruction hands them round: names of their own beside those of what
//! lanes hold.

use super::super::expression::Expression;
use super::super::form::check_names;
use super::super::language::Returns;
use super::Header;
use super::held::{ACCESSORS, lane, no_distribution, wave};
use crate::Error;
use tiledesc::access::Placed;
use tiledesc::{Extent, Index};

impl Header {
    /// Adds what each lane addresses by an instruction that [hands it round](tiledesc::chip::Instruction::hands_round):
    /// `row_m` and so on, the coordinate of the first element at the address of an access. `ROW_LANES` lanes give an
    /// address, of `ROW_ELEMENTS` elements each; the others repeat theirs. What a lane holds is
    /// [`distribution`](Self::distribution)'s names.
    ///
    /// By any other instruction a lane addresses what it holds, and nothing is written.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::{access::Placed, Plan, chip::sm_90::stmatrix_x2, matrix::mma, pattern::Lanes};
    ///
    /// let rows = Plan::naive(&[16, 8], &[8, 1])?;
    /// let writes = Placed::new(&rows, 16, Lanes::of_distribution::<mma::C>(), &stmatrix_x2)?;
    /// let mut header = Header::new(emit::C);
    /// header.distribution("acc", &["m", "n"], &writes.distribution().unwrap())?;
    /// header.addressed("acc", &["m", "n"], &writes)?;
    /// // Lane 5 holds (1, 2), and addresses row 5.
    /// assert!(header.text().contains("unsigned acc_n(unsigned wave, unsigned lane, unsigned element) {"));
    /// assert!(header.text().contains("#define acc_ROW_LANES 16u\n#define acc_ROW_ELEMENTS 8u\n"));
    /// assert!(header.text().contains("unsigned acc_row_m(unsigned wave, unsigned lane, unsigned access) {"));
    /// assert!(header.text().contains("    return lane & 15;\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Lanes that hold no distribution of the tile; another number of names than dimensions.
    pub fn addressed(
        &mut self,
        name: &str,
        dimensions: &[&str],
        placed: &Placed<'_, '_>,
    ) -> Result<&mut Self, Error> {
        if !placed.instruction().hands_round() {
            return Ok(self);
        }
        let encoding = placed.addressed().ok_or_else(no_distribution)?;
        check_names(dimensions.len(), encoding.rank())?;
        let pack = placed.pack();
        self.constant(&format!("{name}_ROW_LANES"), u64::from(encoding.lanes()))?;
        self.constant(&format!("{name}_ROW_ELEMENTS"), u64::from(pack))?;
        let access = Expression::coordinate(2, encoding.elements() / pack);
        let first = access.mul(Extent::constant(pack));
        let index = encoding.index_of(&[wave(&encoding), lane(&encoding, placed), first]);
        for (dimension, index) in dimensions.iter().zip(&index) {
            let about =
                format!("{dimension} of the first element that a lane addresses in an access.");
            let function = format!("{name}_row_{dimension}");
            self.write(&about, &function, &ACCESSORS, Returns::Value(index))?;
        }
        Ok(self)
    }
}
