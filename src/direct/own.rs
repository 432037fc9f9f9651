//! Transfers whose lanes have LDS addresses of their own: `cp.async`, and gfx1250's loads. Units are
//! dealt to lanes in the order of the source.
//!
//! 64 KB are 4,096 units of 16 bytes, and looking at each costs the compiler 8 s. Where the layout's columns show that every
//! block of a unit is contiguous on both sides and begins at a multiple of a unit, no unit is looked at.

use super::plan::{DirectLoad, Unit};
use super::refusal::DirectError;
use tiledesc_transforms::{List, attempt};

impl DirectLoad<'_> {
    /// The dimension along which units run: the source's contiguous one, else the last.
    pub(super) const fn along(&self) -> usize {
        let rank = self.inverse.plan.rank();
        let mut d = rank;
        while d > 0 {
            d -= 1;
            if self.request.source.begins_contiguous(d) {
                return d;
            }
        }
        rank.saturating_sub(1)
    }

    /// Coordinates in the source's order: row-major, with the contiguous dimension fastest.
    const fn in_order(&self, mut id: u64) -> List {
        let (lengths, along) = (self.inverse.plan.lengths(), self.along());
        let mut index = lengths;
        index = index.with(along, (id % lengths.at(along) as u64) as u32);
        id /= lengths.at(along) as u64;
        let mut d = lengths.len();
        while d > 0 {
            d -= 1;
            if d != along {
                index = index.with(d, (id % lengths.at(d) as u64) as u32);
                id /= lengths.at(d) as u64;
            }
        }
        index
    }

    /// The dimensions in the source's order, the fastest last.
    #[must_use]
    pub fn order_of_source(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        let along = self.along();
        (0..self.inverse.plan.rank()).filter(move |d| *d != along).chain([along])
    }

    /// The units of the tile, each what one lane brings in one load.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950, direct::Source, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// // 16 KB, 16 bytes a lane.
    /// let load = Tile::direct(Source::rows(8192), &gfx950::global_load_lds_b128).waves(4).plan()?;
    /// assert_eq!((load.units(), load.order_of_source().collect::<Vec<_>>()), (1024, vec![0, 1]));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.inverse.plan.elements() * self.request.bits as u64 / (self.data() as u64 * 8)
    }

    /// A unit by its number, and its LDS byte.
    pub(super) const fn own(&self, number: u32) -> Result<Option<(Unit, u64)>, DirectError> {
        if number as u64 >= self.units() {
            return Ok(None);
        }
        let parts = self.request.bits.div_ceil(self.data() * 8);
        let id = (number / parts) as u64 * self.elements() as u64;
        let unit = Unit { coordinate: self.in_order(id), part: number % parts };
        let offset = attempt!(self.inverse.offset(&unit.coordinate)) as u64;
        let byte = self.bytes(offset) + (unit.part * self.data()) as u64;
        Ok(Some((unit, byte + self.request.begin as u64)))
    }

    pub(super) const fn own_addresses(&mut self) -> Result<(), DirectError> {
        let (units, wave) = (self.units(), self.request.transfer.wave());
        if !self.inverse.plan.elements().is_multiple_of(self.elements() as u64) {
            return Err(DirectError::units(&self.request.transfer, self.request.bits));
        }
        let last = (units % wave as u64) as u32;
        if last > 0 && !self.request.may_idle {
            return Err(DirectError::Lanes { lanes: last, wave });
        }
        let chunks = units.div_ceil(wave as u64);
        if chunks > u32::MAX as u64 / wave as u64 {
            return Err(DirectError::TooMany { chunks, most: u32::MAX / wave });
        }
        self.chunks = chunks as u32;
        self.idle = self.chunks * wave - units as u32;
        if self.are_blocks() {
            return Ok(());
        }
        let mut number = 0;
        while (number as u64) < units {
            attempt!(self.check_own(number));
            number += 1;
        }
        Ok(())
    }

    /// Returns whether every unit is known to be a block, aligned on both sides.
    const fn are_blocks(&self) -> bool {
        let unit = self.data() as u64;
        let lengths = self.inverse.plan.lengths();
        lengths.at(self.along()).is_multiple_of(self.elements())
            && (self.request.begin as u64).is_multiple_of(unit)
            && self.has_blocks()
    }

    /// Checks that a unit is together and aligned on both sides.
    const fn check_own(&self, number: u32) -> Result<(), DirectError> {
        let Some((unit, byte)) = attempt!(self.own(number)) else { return Ok(()) };
        if !byte.is_multiple_of(self.data() as u64) {
            return Err(DirectError::Misaligned { byte, alignment: self.data() });
        }
        let parts = self.request.bits.div_ceil(self.data() * 8);
        let id = (number / parts) as u64 * self.elements() as u64;
        let (mut one, mut i) = (unit.coordinate, 1);
        while i < self.elements() {
            let other = self.in_order(id + i as u64);
            attempt!(self.check_next(byte, i, &one, &other));
            let from = attempt!(self.inverse.offset(&one));
            let to = attempt!(self.inverse.offset(&other));
            if to != from + 1 {
                let apart = Some(to as i64 - from as i64);
                return Err(self.apart(byte, i, [&one, &other], apart, true));
            }
            one = other;
            i += 1;
        }
        self.check_source(&unit)
    }
}
