//! The plan: chunks of LDS, and what each lane brings to them.
//!
//! From the lowest LDS byte that is not covered yet, a *chunk* is the bytes of one instruction; lane L has the *unit* at
//! `base + L * stride`. A layout that is linear over bits is proven as a whole, by the columns of its inverse; of any other each
//! lane is computed.

use super::inverse::Inverse;
use super::refusal::DirectError;
use super::request::Request;
use crate::access::addresses::Addresses;
use crate::chip::{Transfer, lds_of};
use core::num::NonZero;
use tiledesc_transforms::{List, Plan, attempt, say};

/// The data that one lane loads at once: an element, several neighbours, or a part of a larger element.
///
/// ```
/// use tiledesc::{chip::gfx950::global_load_lds_b128, direct::Source, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let plan = ABlock::direct(Source::rows(64), &global_load_lds_b128).plan()?;
/// // Lane 9 writes row 1, place 1: pack 1 xor 1.
/// assert_eq!(plan.unit(0, 0, 9).unwrap().coordinate().as_slice(), [1, 0]);
/// # Ok::<(), tiledesc::direct::DirectError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub(super) coordinate: List,
    pub(super) part: u32,
}

impl Unit {
    /// The first element.
    #[must_use]
    pub const fn coordinate(&self) -> List {
        self.coordinate
    }

    /// The part's number within an element that is larger than the unit; else 0.
    #[must_use]
    pub const fn part(&self) -> u32 {
        self.part
    }
}

/// A plan of direct loads: for each wave, load and lane, the LDS byte and the source.
///
/// ```
/// use tiledesc::chip::gfx950;
/// use tiledesc::direct::{DirectLoad, Source, SourceRoute};
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// const PLAN: DirectLoad<'_> =
///     match ABlock::direct(Source::rows(8192), &gfx950::global_load_lds_b128).waves(4).plan() {
///         Ok(plan) => plan,
///         Err(error) => error.refuse("ABlock"),
///     };
/// assert_eq!((PLAN.loads(), PLAN.chunk(), PLAN.idle()), (4, 1024, 0));
/// // Each wave has a slice of four chunks.
/// assert_eq!((PLAN.base(0, 1), PLAN.base(2, 1)), (1024, 2 * 4096 + 1024));
/// // Lane 9 of wave 0 writes byte 144 in load 0: row 1, where pack 0 lies.
/// assert_eq!((PLAN.lds(0, 0, 9), PLAN.source(0, 0, 9)), (144, Some(16_384)));
/// // Load 1 is 8 rows further in every lane, whatever the pitch is.
/// assert_eq!(PLAN.route(1).bytes(), Some(8 * 8192 * 2));
/// assert_eq!(PLAN.route(1).steps().unwrap().along(0), 8);
/// // Each instruction touches 8 lines of 128 bytes, and could not touch fewer.
/// assert_eq!((PLAN.lines(0, 0, 128), PLAN.fewest_lines(128)), (Some(8), 8));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DirectLoad<'a> {
    pub(super) request: Request<'a>,
    pub(super) inverse: Inverse<'a>,
    bases: [u32; DirectLoad::MOST],
    pub(super) chunks: u32,
    pub(super) idle: u32,
    /// Proven by columns: no lane was computed.
    is_linear: bool,
}

// What the waves do.
impl DirectLoad<'_> {
    /// The largest number of chunks of a plan: all of gfx950's LDS in chunks of 256 bytes.
    pub const MOST: usize = 640;

    /// Loads of a lane.
    #[must_use]
    pub const fn loads(&self) -> u32 {
        self.chunks / self.request.waves
    }

    /// The waves.
    #[must_use]
    pub const fn waves(&self) -> u32 {
        self.request.waves
    }

    /// The transfer.
    #[must_use]
    pub const fn transfer(&self) -> &Transfer {
        &self.request.transfer
    }

    /// Bytes of LDS that one instruction covers.
    #[must_use]
    pub const fn chunk(&self) -> u32 {
        self.step() * self.request.transfer.wave()
    }

    /// Lanes of all loads together that are switched off.
    #[must_use]
    pub const fn idle(&self) -> u32 {
        self.idle
    }

    /// Returns whether columns of bits proved the plan, without enumerating lanes.
    #[must_use]
    pub const fn is_linear(&self) -> bool {
        self.is_linear
    }

    /// The layout.
    #[must_use]
    pub const fn layout(&self) -> &Plan {
        self.inverse.plan
    }

    /// Bits of an element.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.request.bits
    }

    /// The byte of LDS at which the layout begins.
    #[must_use]
    pub const fn begin(&self) -> u32 {
        self.request.begin
    }

    /// Returns whether each wave has consecutive chunks, [`Order::Blocked`](super::Order).
    #[must_use]
    pub const fn is_blocked(&self) -> bool {
        self.request.order.is_blocked()
    }

    /// The chunk of a load of a wave, by its number.
    const fn number(&self, wave: u32, load: u32) -> u32 {
        if self.request.order.is_blocked() {
            wave * self.loads() + load
        } else {
            load * self.request.waves + wave
        }
    }

    /// Refuses a wave, a load or a lane that does not exist, on the caller's line.
    #[track_caller]
    pub(super) const fn refuse_absent(&self, wave: u32, load: u32, lane: u32) {
        refuse_beyond(["wave", "waves"], wave, self.waves());
        refuse_beyond(["load", "loads"], load, self.loads());
        refuse_beyond(["lane", "lanes"], lane, self.request.transfer.wave());
    }

    /// The LDS byte of lane 0: where each lane's follows from it, the base of the instruction.
    ///
    /// # Panics
    ///
    /// Without such a wave or load.
    #[must_use]
    #[track_caller]
    pub const fn base(&self, wave: u32, load: u32) -> u32 {
        self.lds(wave, load, 0)
    }

    /// The LDS byte that a lane writes first. Of a lane that is switched off and has an address of its
    /// own, byte 0 of the tile.
    ///
    /// # Panics
    ///
    /// Without such a wave, load or lane.
    #[must_use]
    #[track_caller]
    pub const fn lds(&self, wave: u32, load: u32, lane: u32) -> u32 {
        self.refuse_absent(wave, load, lane);
        let number = self.number(wave, load);
        match self.request.transfer.stride() {
            Some(stride) => self.bases[number as usize] + lane * stride,
            None => match self.own(number * self.request.transfer.wave() + lane) {
                Ok(Some((_, byte))) => byte as u32,
                _ => self.request.begin,
            },
        }
    }

    /// Returns what a lane loads; `None` if it is switched off.
    ///
    /// # Panics
    ///
    /// Without such a wave, load or lane.
    #[must_use]
    #[track_caller]
    pub const fn unit(&self, wave: u32, load: u32, lane: u32) -> Option<Unit> {
        self.refuse_absent(wave, load, lane);
        let number = self.number(wave, load);
        let Some(stride) = self.request.transfer.stride() else {
            return match self.own(number * self.request.transfer.wave() + lane) {
                Ok(Some((unit, _))) => Some(unit),
                _ => None,
            };
        };
        let byte = (self.bases[number as usize] - self.request.begin) as u64;
        match self.unit_at(byte + (lane * stride) as u64) {
            Ok(unit) => unit,
            Err(_) => None,
        }
    }

    /// The byte of the source that a lane reads first; `None` if it is switched off, or if a pitch
    /// of the run time is in it.
    ///
    /// # Panics
    ///
    /// Without such a wave, load or lane.
    #[must_use]
    #[track_caller]
    pub const fn source(&self, wave: u32, load: u32, lane: u32) -> Option<u64> {
        match self.unit(wave, load, lane) {
            Some(unit) => self.source_of(&unit),
            None => None,
        }
    }

    pub(super) const fn source_of(&self, unit: &Unit) -> Option<u64> {
        match self.request.source.offset(unit.coordinate.as_slice()) {
            Ok(Some(offset)) => Some(self.bytes(offset) + (unit.part * self.data()) as u64),
            _ => None,
        }
    }

    /// The LDS byte of each lane that is not switched off: for a bank verdict on a transfer whose lanes
    /// have addresses of their own, which is served as a store of its width.
    ///
    /// ```
    /// use tiledesc::chip::sm_90;
    /// use tiledesc::direct::Source;
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
    /// let plan = Padded::direct(Source::rows(8192), &sm_90::cp_async_b128).plan()?;
    /// let addresses = plan.addresses(0, 0);
    /// // Lane 8 begins the second row, 64 + 8 halves behind the first.
    /// assert_eq!((addresses.get(7), addresses.get(8)), (Some(112), Some(144)));
    /// let found = tiledesc::bank::conflicts(&addresses, &sm_90::st_shared_b128).unwrap();
    /// assert_eq!((found.degree(), found.base_cycles), (1, 4));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Without such a wave or load.
    #[must_use]
    #[track_caller]
    pub const fn addresses(&self, wave: u32, load: u32) -> Addresses {
        let (mut all, mut lane) = (Addresses::NONE, 0);
        while lane < self.request.transfer.wave() {
            if self.unit(wave, load, lane).is_some() {
                all.set(lane as usize, self.lds(wave, load, lane));
            }
            lane += 1;
        }
        all
    }
}

/// Refuses a number that is none of as many.
#[track_caller]
pub(super) const fn refuse_beyond([one, many]: [&str; 2], number: u32, numbers: u32) {
    if number >= numbers {
        say!(Text::new():
            str(one), " ", number, " does not exist: the number of ", str(many), " is ", numbers
        )
        .refuse()
    }
}

impl<'a> Request<'a> {
    /// The plan.
    ///
    /// # Errors
    ///
    /// [`DirectError`] if a lane would bring what belongs elsewhere, or write what it should not.
    pub const fn plan(&self) -> Result<DirectLoad<'a>, DirectError> {
        DirectLoad::new(self)
    }
}

// How it is made.
impl<'a> DirectLoad<'a> {
    const fn new(request: &Request<'a>) -> Result<Self, DirectError> {
        if request.waves == 0 {
            return Err(DirectError::NoWaves);
        }
        let layout: &'a Plan = attempt!(request.layout => DirectError::Layout);
        let inverse = attempt!(Inverse::new(layout, request.digits));
        let mut plan = Self {
            request: *request,
            inverse,
            bases: [0; Self::MOST],
            chunks: 0,
            idle: 0,
            is_linear: false,
        };
        attempt!(plan.check_units());
        if request.transfer.stride().is_none() {
            attempt!(plan.own_addresses());
        } else if plan.is_proven() {
            plan.is_linear = inverse.linear().is_some();
            let all = inverse.to * request.bits as u64 / 8;
            while plan.chunks as u64 * (plan.chunk() as u64) < all {
                attempt!(plan.push(plan.chunks as u64 * plan.chunk() as u64));
            }
        } else {
            attempt!(plan.enumerate());
        }
        attempt!(plan.check_memory());
        attempt!(plan.check_end());
        attempt!(plan.share_out());
        Ok(plan)
    }

    pub(super) const fn data(&self) -> u32 {
        self.request.transfer.data()
    }

    /// Bytes from lane to lane.
    pub(super) const fn step(&self) -> u32 {
        match self.request.transfer.stride() {
            Some(stride) => stride,
            None => self.data(),
        }
    }

    /// Elements of a unit; 1 of an element that is larger.
    pub(super) const fn elements(&self) -> u32 {
        let elements = self.data() * 8 / self.request.bits;
        if elements > 1 { elements } else { 1 }
    }

    /// The byte at which an element of such an offset begins.
    pub(super) const fn bytes(&self, offset: u64) -> u64 {
        offset * self.request.bits as u64 / 8
    }

    const fn check_units(&self) -> Result<(), DirectError> {
        let (bits, data) = (self.request.bits, self.data() * 8);
        let divides =
            bits > 0 && data.is_multiple_of(bits) && (self.step() * 8).is_multiple_of(bits);
        if divides || bits.is_multiple_of(data) && bits > 0 {
            return Ok(());
        }
        Err(DirectError::units(&self.request.transfer, bits))
    }

    /// The byte after the last that is filled, from where bases are counted.
    pub(crate) const fn end(&self) -> u64 {
        self.space() + self.request.begin as u64
    }

    /// Checks that the chip has this much memory; nothing is known about a transfer of the user's own.
    const fn check_memory(&self) -> Result<(), DirectError> {
        let (bytes, chip) = (self.end(), self.request.transfer.chip());
        match lds_of(chip) {
            Some(memory) if bytes > memory as u64 => {
                Err(DirectError::Memory { bytes, chip, memory })
            }
            _ => Ok(()),
        }
    }

    /// One chunk more, at a byte of the tile.
    const fn push(&mut self, byte: u64) -> Result<(), DirectError> {
        let (transfer, byte) = (&self.request.transfer, byte + self.request.begin as u64);
        if !byte.is_multiple_of(transfer.alignment() as u64) {
            return Err(DirectError::Misaligned { byte, alignment: transfer.alignment() });
        }
        if byte >> transfer.bits_of_base() > 0 {
            let (bits, chip) = (transfer.bits_of_base(), transfer.chip());
            return Err(DirectError::BeyondBase { byte, bits, chip });
        }
        if self.chunks as usize == Self::MOST {
            let chunks = self.chunks as u64 + 1;
            return Err(DirectError::TooMany { chunks, most: Self::MOST as u32 });
        }
        self.bases[self.chunks as usize] = byte as u32;
        self.chunks += 1;
        Ok(())
    }

    /// Gives each wave as many chunks: where lanes may be idle, the last waves have some behind the tile, whose lanes all are.
    const fn share_out(&mut self) -> Result<(), DirectError> {
        let (waves, wave) = (self.request.waves, self.request.transfer.wave());
        if !self.chunks.is_multiple_of(waves) && !self.request.may_idle {
            let (chunks, chunk) = (self.chunks as u64, self.chunk());
            return Err(DirectError::Waves { chunks, chunk, waves });
        }
        while !self.chunks.is_multiple_of(waves) {
            if self.request.transfer.stride().is_none() {
                self.chunks += 1;
            } else {
                let last = self.bases[self.chunks as usize - 1] - self.request.begin;
                attempt!(self.push(last as u64 + self.chunk() as u64));
            }
            // Its columns say nothing of lanes that are idle.
            self.is_linear = false;
            self.idle += wave;
        }
        Ok(())
    }

    /// Every chunk, every lane.
    const fn enumerate(&mut self) -> Result<(), DirectError> {
        let (mut covered, has_blocks) = (0, self.has_blocks());
        while let Some(offset) = attempt!(self.inverse.next(covered)) {
            let byte = self.bytes(offset);
            attempt!(self.push(byte));
            let mut lane = 0;
            while lane < self.request.transfer.wave() {
                if has_blocks {
                    attempt!(self.take_block(byte, lane));
                } else if attempt!(self.brings(byte, lane)) {
                    attempt!(self.check_behind(byte + (lane * self.step()) as u64));
                } else {
                    attempt!(self.switch_off(byte, lane));
                }
                lane += 1;
            }
            covered = ((byte + self.chunk() as u64) * 8).div_ceil(self.request.bits as u64);
        }
        Ok(())
    }

    /// A lane that has a block of a unit, or no element.
    const fn take_block(&mut self, chunk: u64, lane: u32) -> Result<(), DirectError> {
        let byte = chunk + (lane * self.step()) as u64;
        match attempt!(self.inverse.at(byte * 8 / self.request.bits as u64)) {
            Some(_) => Ok(()),
            None if self.request.may_idle => {
                self.idle += 1;
                Ok(())
            }
            None => self.switch_off(chunk, lane),
        }
    }

    /// A lane without data.
    const fn switch_off(&mut self, chunk: u64, lane: u32) -> Result<(), DirectError> {
        let step = self.step() as u64;
        let byte = chunk + lane as u64 * step;
        let next = attempt!(self.inverse.next(byte * 8 / self.request.bits as u64));
        let padding = DirectError::Padding {
            chunk,
            lane,
            byte,
            data: self.data(),
            whole: self.chunk(),
            hole: None,
        };
        match next {
            // What is no data, and would be overwritten, is never brought.
            Some(next) if self.bytes(next) < byte + step => {
                Err(DirectError::Misaligned { byte: self.bytes(next), alignment: step as u32 })
            }
            _ if self.request.may_idle => {
                self.idle += 1;
                Ok(())
            }
            Some(_) => Err(padding),
            None => Err(DirectError::Lanes { lanes: lane, wave: self.request.transfer.wave() }),
        }
    }

    /// Returns whether a lane has data that can all be brought at once.
    const fn brings(&self, chunk: u64, lane: u32) -> Result<bool, DirectError> {
        let byte = chunk + (lane * self.step()) as u64;
        let first = byte * 8 / self.request.bits as u64;
        let (mut hole, mut held, mut i) = (None, false, 0);
        while i < self.elements() as u64 {
            if attempt!(self.inverse.at(first + i)).is_some() {
                held = true;
            } else if hole.is_none() {
                hole = Some(self.bytes(first + i));
            }
            i += 1;
        }
        if held && hole.is_some() {
            let (data, whole) = (self.data(), self.chunk());
            return Err(DirectError::Padding { chunk, lane, byte, data, whole, hole });
        }
        let mut one = attempt!(self.inverse.at(first));
        i = 1;
        while i < self.elements() as u64 {
            let other = attempt!(self.inverse.at(first + i));
            if let (Some(from), Some(to)) = (&one, &other) {
                attempt!(self.check_next(byte, i as u32, from, to));
            }
            one = other;
            i += 1;
        }
        if let Some(unit) = attempt!(self.unit_at(byte)) {
            attempt!(self.check_source(&unit));
        }
        Ok(held)
    }

    /// Checks that one element follows another in the source; `kept` are together so far.
    pub(super) const fn check_next(
        &self,
        byte: u64,
        kept: u32,
        first: &List,
        second: &List,
    ) -> Result<(), DirectError> {
        let apart = attempt!(self.request.source.distance(first, second) => DirectError::Layout);
        if matches!(apart, Some(1)) {
            return Ok(());
        }
        Err(self.apart(byte, kept, [first, second], apart, false))
    }

    pub(super) const fn apart(
        &self,
        byte: u64,
        kept: u32,
        [first, second]: [&List; 2],
        apart: Option<i64>,
        in_lds: bool,
    ) -> DirectError {
        DirectError::Apart {
            byte: byte as u32,
            data: self.data() as u8,
            first: *first,
            second: *second,
            excess: match apart {
                Some(apart) => NonZero::new(apart - 1),
                None => None,
            },
            kept: kept as u8,
            needed: self.elements() as u8,
            in_lds,
        }
    }

    /// Checks that a unit's source address is a multiple of its bytes, for every pitch that is as stated.
    pub(super) const fn check_source(&self, unit: &Unit) -> Result<(), DirectError> {
        let (source, index) = (&self.request.source, &unit.coordinate);
        let unit_bits = self.data() as u64 * 8;
        let mut known = *index;
        let mut d = 0;
        while d < index.len() {
            if source.open() >> d & 1 == 1 {
                let stride = match source.stated(d) {
                    Some(stride) => stride as u64,
                    None => 0,
                };
                let bits = stride * index.at(d) as u64 * self.request.bits as u64;
                if !bits.is_multiple_of(unit_bits) {
                    return Err(self.misaligned(index, bits / 8, true));
                }
                known = known.with(d, 0);
            }
            d += 1;
        }
        let offset = attempt!(source.offset(known.as_slice()) => DirectError::Layout);
        let bits = match offset {
            Some(offset) => offset * self.request.bits as u64,
            None => 0,
        };
        // A part of an element is a multiple of a unit further.
        if bits.is_multiple_of(unit_bits) {
            return Ok(());
        }
        Err(self.misaligned(index, bits / 8, false))
    }

    const fn misaligned(&self, coordinate: &List, byte: u64, is_least: bool) -> DirectError {
        let alignment = self.data();
        DirectError::SourceMisaligned { coordinate: *coordinate, byte, is_least, alignment }
    }

    /// Checks that the bytes which a lane writes beyond its data belong to no element.
    const fn check_behind(&self, byte: u64) -> Result<(), DirectError> {
        let bits = self.request.bits as u64;
        let end = byte + self.step() as u64;
        let mut at = byte + self.data() as u64;
        while at < end {
            if let Some(coordinate) = attempt!(self.inverse.at(at * 8 / bits)) {
                let (stride, data) = (self.step(), self.data());
                return Err(DirectError::Widened { stride, data, byte: at, coordinate });
            }
            at += 1;
        }
        Ok(())
    }

    /// Checks that the bytes which the last lane writes beyond its data are the layout's: a neighbour may begin there.
    const fn check_end(&self) -> Result<(), DirectError> {
        let (stride, data) = (self.step(), self.data());
        if stride == data {
            return Ok(());
        }
        let (last, mut lane) = (self.chunks as usize - 1, self.request.transfer.wave());
        let chunk = (self.bases[last] - self.request.begin) as u64;
        while lane > 0 {
            lane -= 1;
            let byte = chunk + (lane * stride) as u64;
            if attempt!(self.unit_at(byte)).is_some() {
                let (end, bytes) = (byte + stride as u64, self.space());
                return if end > bytes {
                    Err(DirectError::BehindTile { stride, data, bytes, end })
                } else {
                    Ok(())
                };
            }
        }
        Ok(())
    }

    /// Bytes of the tile, from its byte 0 on.
    const fn space(&self) -> u64 {
        let plan = self.inverse.plan;
        let elements = plan.element_space() + plan.origin() as u64;
        (elements * self.request.bits as u64).div_ceil(8)
    }

    /// The unit at a byte of the tile.
    const fn unit_at(&self, byte: u64) -> Result<Option<Unit>, DirectError> {
        let bits = byte * 8;
        let offset = bits / self.request.bits as u64;
        let part = (bits % self.request.bits as u64) / (self.data() as u64 * 8);
        match attempt!(self.inverse.at(offset)) {
            Some(coordinate) => Ok(Some(Unit { coordinate, part: part as u32 })),
            None => Ok(None),
        }
    }
}
