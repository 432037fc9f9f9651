//! A matrix whose size only the run time knows, as a descriptor in one line.

use crate::error::Error;
use crate::number::{Dyn, Lit};
use crate::typed::base::Naive;
use crate::typed::descriptor::Descriptor;
use crate::typed::padded::PaddedTo;

/// A matrix in memory whose size only the run time knows, row after row: not yet a
/// descriptor, because its size is not yet checked.
///
/// ```
/// use tiledesc_transforms::*;
///
/// let (m, k) = (10, 40);
/// let whole = Naive::rows(m, k).whole()?;
/// assert_eq!(whole.at([3u32, 17]), 137);
/// let pitched = Naive::rows(m, k).pitch(64).padded_to([8, 16])?;
/// assert_eq!(pitched.valid_offset([3u32, 17]), Some(209));
/// assert_eq!(pitched.valid_offset([3u32, 40]), None);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    lengths: [u32; 2],
    pitch: u32,
}

/// The descriptor of [`Rows`]: the pitch is known at run time, and elements of a row are
/// contiguous.
pub type RunTimeRows = Naive<[Dyn; 2], (Dyn, Lit<1>)>;

impl RunTimeRows {
    /// A matrix of `m` rows of `k` elements, row after row.
    #[must_use]
    pub const fn rows(m: u32, k: u32) -> Rows {
        Rows { lengths: [m, k], pitch: k }
    }
}

impl Rows {
    /// Returns the matrix with each row beginning `pitch` elements after the one before.
    #[must_use]
    pub const fn pitch(self, pitch: u32) -> Self {
        Self { pitch, ..self }
    }

    /// The descriptor of the matrix.
    ///
    /// # Errors
    ///
    /// A length of 0, a space beyond 32-bit offsets.
    pub fn whole(self) -> Result<RunTimeRows, Error> {
        Naive::new(self.lengths.map(Dyn), (Dyn(self.pitch), Lit::<1>))
    }

    /// The descriptor of the matrix as a whole number of tiles; the rest of the last ones is padding.
    ///
    /// # Errors
    ///
    /// As [`whole`](Self::whole), and a tile of length 0.
    pub fn padded_to(self, tile: [u32; 2]) -> Result<PaddedTo<RunTimeRows>, Error> {
        self.whole()?.padded_to(tile)
    }
}
