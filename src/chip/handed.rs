//! The distributions of an instruction that hands elements round: of what lanes address, and of what they get.
//!
//! ```text
//!   A of m16n8k16, by ldmatrix.x4    lane 17 addresses 8 halves of row 1 and holds two of row 4
//!   addresses_of   held -> addressed, what a kernel computes and the banks see
//!   fragments_of   addressed -> held, what the matrix instruction takes
//! ```
//!
//! Which digits go where is the instruction's ([`fragments`](super::fragments)); a distribution gives its factors other
//! owners by them.

use super::instruction::Instruction;
use crate::distribution::Encoding;

impl Instruction {
    /// Returns which lane gives the address of what each lane of `held` gets, where the instruction hands elements of
    /// this width in bits round: a lane that gives an address has the elements of one row. `None` if the lanes do not
    /// hold what the instruction hands them, and for an instruction by which each lane gets what it addresses.
    ///
    /// ```
    /// use tiledesc::{chip::sm_80, matrix::mma, prelude::*};
    ///
    /// type A = mma::A<U16, U2>;
    /// let rows = sm_80::ldmatrix_x4.addresses_of(&A::ENCODING?, 16).unwrap();
    /// // Lane 17 gives row 1 of the third matrix, 8 halves from column 8 on; it gets halves of row 4.
    /// assert_eq!((rows.elements(), rows.coordinate(0, 17, 0)?.as_slice()), (8, &[1, 8][..]));
    /// assert_eq!(A::coordinate(0, 17, 0), [4, 2]);
    /// // By `ldmatrix.x2.trans` each half of A, 8 neighbours of m.
    /// let columns = sm_80::ldmatrix_x2_trans.addresses_of(&A::ENCODING?, 16).unwrap();
    /// assert_eq!(columns.coordinate(0, 9, 1)?, [8 + 1, 1]);
    /// assert_eq!(sm_80::ld_shared_b32.addresses_of(&A::ENCODING?, 16), None);
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    #[must_use]
    pub const fn addresses_of(&self, held: &Encoding, bits: u32) -> Option<Encoding> {
        match self.addresses_along(held, bits) {
            Some((addresses, _)) => Some(addresses),
            None => None,
        }
    }

    /// Returns the [addresses](Self::addresses_of), with the dimension along which the elements of one run.
    pub(crate) const fn addresses_along(
        &self,
        held: &Encoding,
        bits: u32,
    ) -> Option<(Encoding, usize)> {
        let (phases, eights) = (&self.service().phases, self.bytes() * 8);
        if held.lanes() != phases.wave() as u32 || bits == 0 || !eights.is_multiple_of(bits) {
            return None;
        }
        let (pack, lanes) = (eights / bits, phases.addressed() as u32);
        match self.fragments().shares(bits, pack, lanes) {
            Some(shares) => match held.addressed_by(&shares, pack) {
                Some(found) if found.0.lanes() == lanes => Some(found),
                _ => None,
            },
            None => None,
        }
    }

    /// Returns what each lane holds, of a distribution of what each lane addresses: the way back from
    /// [`addresses_of`](Self::addresses_of). `None` for an instruction by which each lane gets what it addresses, where no source
    /// states who gets what, and where other lanes or elements are addressed than the instruction has.
    ///
    /// ```
    /// use tiledesc::{chip::sm_80, distribution::Encoding, pattern::Lanes};
    ///
    /// // The lanes of `LdmatrixRows<16>` over a tile of 16 x 16: lane l names row l mod 16, 8 halves.
    /// let rows = Lanes::rows(16).distribution(&[16, 16], 8, 32).unwrap();
    /// assert_eq!(rows.coordinate(0, 17, 0)?, [1, 8]);
    /// // By `ldmatrix.x4` it gets two halves of row 4 of each of the four matrices.
    /// let held = sm_80::ldmatrix_x4.fragments_of(&rows, 16).unwrap();
    /// assert_eq!(held.coordinate(0, 17, 0)?, [4, 2]);
    /// assert_eq!(held.coordinate(0, 17, 7)?, [8 + 4, 8 + 3]);
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    #[must_use]
    pub const fn fragments_of(&self, rows: &Encoding, bits: u32) -> Option<Encoding> {
        let (phases, eights) = (&self.service().phases, self.bytes() * 8);
        let lanes = phases.addressed() as u32;
        if rows.lanes() != lanes || bits == 0 || !eights.is_multiple_of(bits) {
            return None;
        }
        let pack = eights / bits;
        match self.fragments().shares(bits, pack, lanes) {
            Some(shares) => match rows.received_by(&shares, pack) {
                Some(held) if held.lanes() == phases.wave() as u32 => Some(held),
                _ => None,
            },
            None => None,
        }
    }
}
