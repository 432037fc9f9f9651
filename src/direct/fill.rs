//! The direct load that fills a tile, which limits its layout.
//!
//! A wave's direct load writes whole chunks of LDS. So 128x64 halves that `global_load_lds_b128` fills can have an xor of packs
//! of 16 bytes, but no pad after rows of 128 bytes: lane 8 of 64 would write into it. A layout that cannot be filled is not a
//! remedy:
//!
//! ```text
//!   read ds_read_b128 by MfmaRows<16>, gfx950                             free instead
//!   stored by lanes                                        GemmXor, KPack<8>; or RowPad, Padding<16>
//!   filled by global_load_lds_b128                         GemmXor, KPack<8>
//! ```

use super::plan::DirectLoad;
use super::refusal::DirectError;
use super::request::Request;
use super::source::Source;
use crate::chip::Transfer;
use tiledesc_transforms::Plan;

/// A transfer that brings the whole tile to LDS, and how many waves share the work.
///
/// Its source is the same tile in rows that the transfer can read from: for a pitch, a box or lanes
/// that may be idle, make a [`Request`].
///
/// ```
/// use tiledesc::chip::gfx950;
/// use tiledesc::direct::Fill;
/// use tiledesc::Plan;
///
/// let fill = Fill::by(&gfx950::global_load_lds_b128, 4);
/// let plain = Plan::packed(&[128, 64])?;
/// assert_eq!(fill.plan(&plain, 16).unwrap().loads(), 4);
/// let padded = Plan::naive(&[128, 64], &[72, 1])?;
/// assert_eq!(
///     fill.plan(&padded, 16).unwrap_err().to_string(),
///     "the chunk at byte 0: lane 8 would write bytes 128 to 143, which are padding (pad behind \
///      multiples of 1024 bytes, or allow idle lanes)"
/// );
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill<'a> {
    transfer: &'a Transfer,
    waves: u32,
}

impl<'a> Fill<'a> {
    /// Returns the fill by a transfer of this many waves.
    #[must_use]
    pub const fn by(transfer: &'a Transfer, waves: u32) -> Self {
        Self { transfer, waves }
    }

    /// The transfer.
    #[must_use]
    pub const fn transfer(&self) -> &'a Transfer {
        self.transfer
    }

    /// The waves.
    #[must_use]
    pub const fn waves(&self) -> u32 {
        self.waves
    }

    /// The plan of a layout, of elements of `bits` bits.
    ///
    /// # Errors
    ///
    /// [`DirectError`]: a tile that no wave can fill.
    pub const fn plan<'p>(
        &self,
        layout: &'p Plan,
        bits: u32,
    ) -> Result<DirectLoad<'p>, DirectError> {
        let unit = match (self.transfer.data() * 8).checked_div(bits) {
            Some(unit) if unit > 1 => unit,
            _ => 1,
        };
        let source = Source::in_tensor(layout.rank(), unit);
        Request::new(layout, bits, source, self.transfer).waves(self.waves).plan()
    }

    /// Returns whether another fills the same layouts.
    pub(crate) const fn is(&self, other: &Self) -> bool {
        self.waves == other.waves && self.transfer.writes_as(other.transfer)
    }
}
