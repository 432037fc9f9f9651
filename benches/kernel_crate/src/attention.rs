//! Values and keys of attention, whose heads have 64 and 96 columns.

use crate::threads::{NextRows, Rows96};
use tiledesc::chip::gfx942::{ds_read_b128, ds_write_b128};
use tiledesc::prelude::*;

layout! {
    /// The values, padded.
    pub type Values = recipe::RowPad<F16, M<128>, K<64>, Padding<16>>;
    /// The keys, padded.
    #[cfg(not(feature = "dense"))]
    pub type Keys = recipe::RowPad<F16, M<64>, K<96>, Padding<8>>;
    /// The keys, without a pad.
    #[cfg(feature = "dense")]
    pub type Keys = recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2]>;
}

assert_conflict_free! {
    Values on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
}

// A pad of 16 bytes leaves conflicts, so many and no more.
const WAYS: (u32, u32) = if cfg!(feature = "dense") { (1, 1) } else { (2, 2) };
const _: () = assert!(Keys::degree::<RowMajor>(&ds_write_b128) == WAYS.0);
const _: () = assert!(Keys::degree::<MfmaRows<16>>(&ds_read_b128) == WAYS.1);

type ValueStores = Accesses<NextRows, Values, VectorSize<8>>;
type KeyStores = Accesses<Rows96, Keys, VectorSize<8>>;
const _: () = assert!(ValueStores::ADDRESSING.registers() <= 8);
const _: () = assert!(KeyStores::ADDRESSING.registers() <= 8);

/// The byte of an element of the values.
#[must_use]
pub fn value(m: u32, k: u32) -> u32 {
    Values::byte_at([m, k])
}

/// The byte of an element of the keys.
#[must_use]
pub fn key(m: u32, k: u32) -> u32 {
    Keys::byte_at([m, k])
}

/// Stores what a thread has loaded of the values.
pub fn store_values(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    ValueStores::each(wave, lane, |address, immediate, _, first| {
        let at = (address + immediate) as usize / 2;
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    });
}

/// Stores what a thread has loaded of the keys.
pub fn store_keys(lds: &mut [u16], tile: &[u16], wave: u32, lane: u32) {
    KeyStores::each(wave, lane, |address, immediate, _, first| {
        let at = (address + immediate) as usize / 2;
        lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
    });
}
