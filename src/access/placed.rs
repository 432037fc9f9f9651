//! What each lane touches: a pattern laid over a layout.
//!
//! A pattern speaks of coordinates, banks of bytes. Between them stand the
//! layout's offsets, and the ways in which the two may not fit: an element too
//! wide for the instruction, a pack torn apart by a swizzle, an address off its
//! alignment, a lane outside the tile. Each is refused with its numbers: a count
//! of conflicts over addresses that no kernel has would be worse than none.

use super::addresses::Addresses;
use super::columns::Alike;
use super::curve::Curve;
use super::error::AccessError;
use super::handed::{Over, row_addresses};
use super::refusal::{AddressError, MOST_BYTES, accepts, no_instruction, refusal};
use super::strides::strides;
use super::vectors::{is_contiguous, together};
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use crate::distribution::{Encoding, Reach, Walk};
use crate::element::Element;
use crate::layout::{Layout, Recipe, Tile, known};
use crate::pattern::{Lanes, Pattern, Row};
use tiledesc_transforms::{Adaptor, Digits, Error, List, Numbered, Plan, attempt};

/// What each lane touches in one instruction: its coordinate and its byte address.
///
/// ```
/// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let first = ABlock::placed::<MfmaRows<16>>(&ds_read_b128)?.touched(0)?;
/// // Lane 19 reads row 3, pack 1, which lies where pack 1 xor 3 would without the swizzle.
/// assert_eq!(first.coordinate(19).unwrap(), [3, 8]);
/// assert_eq!(first.addresses().get(19), Some(3 * 128 + 2 * 16));
/// # Ok::<(), tiledesc::access::AccessError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Empty for an inactive lane. Not an `Option`, whose uninitialised bytes the compiler tracks in
    /// every copy: see DESIGN, "What the compiler pays for".
    coordinates: [List; Phases::LANES],
    addresses: Addresses,
}

impl Touched {
    const NOTHING: Self =
        Self { coordinates: [List::EMPTY; Phases::LANES], addresses: Addresses::NONE };

    /// The first coordinate of a lane; `None` if it is inactive.
    #[must_use]
    pub const fn coordinate(&self, lane: usize) -> Option<List> {
        if self.addresses.get(lane).is_some() { Some(self.coordinates[lane]) } else { None }
    }

    /// The byte addresses.
    #[must_use]
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }
}

/// A pattern laid over a layout, for an instruction of a chip: what every question about an
/// access is asked of.
///
/// ```
/// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
///
/// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
/// let reads = Placed::new(&rows, 16, Lanes::rows(16), &gfx942::ds_read_b128)?;
/// assert_eq!(reads.instructions(), 16);
/// let second = reads.touched(1)?;
/// assert_eq!(second.coordinate(17).unwrap(), [17, 8]);
/// assert_eq!(second.addresses().get(17), Some(2 * (17 * 72 + 8)));
/// assert_eq!((reads.verdict()?.degree(), reads.addressing()?.registers()), (2, 1));
/// # Ok::<(), tiledesc::access::AccessError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placed<'p, 'i> {
    plan: &'p Plan,
    pub(super) digits: Option<Digits>,
    /// Of a layout that has none.
    pub(super) numbered: Option<Numbered>,
    pub(super) bits: u32,
    lanes: Lanes<'p>,
    /// What the pattern is on this tile: digits, or the rows of a table.
    pub(super) walk: Walk,
    pub(super) table: &'p [Row],
    pub(super) instruction: &'i Instruction,
    pub(super) reach: Reach,
    /// Whether aligned packs are known to be contiguous.
    pub(super) whole: bool,
    /// Bytes of the layout, from byte 0 on.
    pub(super) space: u64,
    /// The smaller of `space` and what an address can reach.
    pub(super) limit: u64,
    /// Bytes from a lane's address to the end of what it touches.
    pub(super) end: u64,
    /// The lanes of the first instruction, if all are known to be alike.
    alike: Option<Alike>,
}

impl<'p, 'i> Placed<'p, 'i> {
    /// `lanes` over a plan of elements of `bits` bits, for an instruction.
    ///
    /// # Errors
    ///
    /// [`AccessError`] if the instruction does not move whole elements of the tile, or the tile is
    /// larger than the chip's memory. What single lanes touch is refused when it is asked for.
    pub const fn new(
        plan: &'p Plan,
        bits: u32,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        Self::with_digits(plan, plan.digits(), bits, lanes, instruction)
    }

    /// The same where the digits of the plan are known.
    pub(crate) const fn with_digits(
        plan: &'p Plan,
        digits: Option<Digits>,
        bits: u32,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        let numbered = if digits.is_none() { plan.numbered() } else { None };
        Self::with_form(plan, (digits, numbered), bits, lanes, instruction)
    }

    /// The same where it is known, too, what a plan without digits counts first.
    const fn with_form(
        plan: &'p Plan,
        (digits, numbered): (Option<Digits>, Option<Numbered>),
        bits: u32,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        if let Some(error) = no_instruction(instruction) {
            return Err(AccessError::Address(error));
        }
        if let Some(misfit) = lanes.misfit(instruction) {
            return Err(AccessError::of(misfit));
        }
        let bytes = instruction.bytes();
        if bits == 0 || !(bytes * 8).is_multiple_of(bits) {
            return Err(AccessError::Width { bytes, bits });
        }
        let tile = match &digits {
            Some(digits) => digits.lengths(),
            None => plan.lengths(),
        };
        let (rank, pack) = (tile.len(), bytes * 8 / bits);
        let addressed = instruction.service().phases.addressed() as u32;
        let reach = Reach { tile, along: 0, pack, lanes: addressed };
        let (along, handed) = match lanes.encoding() {
            Ok(None) => (lanes.along(rank), None),
            Ok(Some(encoding)) => match row_addresses(encoding, &tile, instruction, bits) {
                Some((given, along)) => (along, Some(given)),
                None => {
                    let over = Over { plan, digits: &digits, encoding, reach, bits };
                    (attempt!(held_along(&over, &lanes, instruction)), None)
                }
            },
            Err(fault) => return Err(AccessError::Distribution(*fault)),
        };
        if rank != 2 && !lanes.takes_any_rank() {
            return Err(AccessError::Rank { rank: rank as u32 });
        }
        if along >= rank {
            return Err(beyond_rank(lanes.table_rows(), along as u32, rank as u32));
        }
        let columns = tile.at(along);
        let is_packs = columns.is_multiple_of(pack);
        if !is_packs && lanes.takes_packs() {
            return Err(AccessError::Packs { columns, pack });
        }
        let reach = Reach { along, ..reach };
        // The last pack of a row that is not a multiple of packs reaches past its end.
        let whole = is_packs
            && match &numbered {
                Some(numbered) if numbered.is_contiguous(along, pack) => true,
                _ => is_contiguous(plan, &digits, along, pack),
            };
        let space = space(plan, bits);
        if let Some(memory) = instruction.too_small_for(space) {
            return Err(AccessError::Memory { bytes: space, memory });
        }
        let end = instruction.reach() as u64;
        let limit = if space < MOST_BYTES { space } else { MOST_BYTES };
        let mut placed = Self {
            plan,
            digits,
            numbered,
            bits,
            lanes,
            walk: match &handed {
                Some(given) if lanes.is_first() => given.walk(along, pack).first(),
                Some(given) => given.walk(along, pack),
                None => lanes.walk(&reach),
            },
            table: lanes.table_rows(),
            instruction,
            reach,
            whole,
            space,
            limit,
            end,
            alike: None,
        };
        placed.alike = placed.find_alike();
        Ok(placed)
    }

    /// The lanes of the first instruction, if all are known to be alike.
    pub(crate) const fn alike(&self) -> Option<&Alike> {
        self.alike.as_ref()
    }

    /// Which coordinate each lane touches, except for patterns given as tables.
    pub(crate) const fn walk(&self) -> &Walk {
        &self.walk
    }

    /// The layout.
    #[cfg(feature = "emit")]
    pub(crate) const fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Bits of an element.
    #[cfg(feature = "emit")]
    pub(crate) const fn bits(&self) -> u32 {
        self.bits
    }

    /// The same, if the elements of each access of a distribution are in consecutive registers.
    pub(crate) const fn in_registers(self, encoding: &Encoding) -> Result<Self, AccessError> {
        let (pack, dimension) = (self.pack(), self.along());
        let (along, apart) = (encoding.dimension_name(dimension), encoding.apart(dimension, pack));
        if apart == 1 { Ok(self) } else { Err(AccessError::Scattered { pack, along, apart }) }
    }

    /// The first element of each access of a lane of a distribution, up to 64.
    pub(super) const fn first_elements(&self, encoding: &Encoding) -> [u32; 64] {
        let (mut first, mut access) = ([0; 64], 0);
        while access < 64 && (access as u64) < self.accesses() {
            first[access as usize] =
                encoding.first_of_access(access, self.reach.along, self.reach.pack);
            access += 1;
        }
        first
    }

    /// The first element of an access of a lane along CK Tile's snake.
    pub(super) const fn snaked_element(&self, encoding: &Encoding, access: u32) -> u32 {
        let encoding = encoding.in_packs(self.reach.along, self.reach.pack);
        let (ys, scalars) = (encoding.ys(), encoding.scalars(self.reach.along, self.reach.pack));
        let (mut order, mut y) = (ys, 0);
        while y < ys.len() {
            order = order.with(y, y as u32);
            y += 1;
        }
        let curve = Curve::new(ys.as_slice(), order.as_slice(), scalars.as_slice());
        let Ok(curve) = curve else { return 0 };
        match curve.snake().index(access) {
            Ok(ys) => match encoding.element(ys.as_slice()) {
                Ok(element) => element,
                Err(_) => 0,
            },
            Err(_) => 0,
        }
    }

    /// Elements that a lane moves.
    pub(crate) const fn pack(&self) -> u32 {
        self.reach.pack
    }

    /// The dimension along which it does.
    pub(crate) const fn along(&self) -> usize {
        self.reach.along
    }

    /// The first coordinate of a lane in instruction `step`; no indices of an inactive lane.
    pub(crate) const fn coordinate(&self, step: u64, lane: usize) -> List {
        match self.first_of(step, lane as u32) {
            Some(coordinate) => coordinate,
            None => List::EMPTY,
        }
    }

    /// The same; `None` of an inactive lane.
    const fn first_of(&self, step: u64, lane: u32) -> Option<List> {
        first_of(&self.walk, self.table, step, lane)
    }

    /// The coordinates of all lanes, instruction by instruction, of a pattern that is a table.
    pub(crate) const fn listed(&self) -> Option<&'p [Row]> {
        if self.table.is_empty() { None } else { Some(self.table) }
    }

    /// Whether each lane of instruction `step` holds something; of lanes that are counted true without looking.
    pub(crate) const fn is_full(&self, step: u64) -> bool {
        let mut lane = if self.table.is_empty() { self.reach.lanes } else { 0 };
        while lane < self.reach.lanes && self.table[step as usize][lane as usize].is_some() {
            lane += 1;
        }
        lane == self.reach.lanes
    }

    /// The row of the instruction.
    #[must_use]
    pub const fn instruction(&self) -> &'i Instruction {
        self.instruction
    }

    /// The distribution that the pattern is on this tile, for a kernel that holds what was judged; `None` if it
    /// is not one. See [`Lanes::distribution`].
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    /// let reads = Placed::new(&rows, 16, Lanes::rows(16), &gfx942::ds_read_b128)?;
    /// let held = reads.distribution().unwrap();
    /// assert_eq!((held.lanes(), held.ys().as_slice()), (64, &[2, 8, 8][..]));
    /// let same = Placed::new(&rows, 16, Lanes::distributed(&held), &gfx942::ds_read_b128)?;
    /// assert_eq!(same.touched(9)?, reads.touched(9)?);
    /// // Its first instruction alone is not of the whole tile.
    /// let first = Placed::new(&rows, 16, Lanes::rows(16).first(), &gfx942::ds_read_b128)?;
    /// assert_eq!(first.distribution(), None);
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    ///
    /// Of an instruction that hands round what it reads, who gives which address, and not who gets it:
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::sm_80, matrix::mma, pattern::Lanes};
    /// use tiledesc::prelude::*;
    ///
    /// let rows = Plan::naive(&[16, 16], &[16, 1]).unwrap();
    /// let lanes = Lanes::of_distribution::<mma::A<U16, U2>>();
    /// let given = Placed::new(&rows, 16, lanes, &sm_80::ldmatrix_x4)?.distribution().unwrap();
    /// // Lane 9 names row 1 of the second matrix, which is 8 rows further.
    /// assert_eq!(given.coordinate(0, 9, 0).unwrap(), [9, 0]);
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    #[must_use]
    pub const fn distribution(&self) -> Option<Encoding> {
        if !self.lanes.is_first()
            && let Ok(Some(encoding)) = self.lanes.encoding()
            && let Some((given, _)) =
                row_addresses(encoding, &self.reach.tile, self.instruction, self.bits)
        {
            return Some(given);
        }
        self.lanes.over(&self.reach)
    }

    /// The number of wave instructions.
    #[must_use]
    pub const fn instructions(&self) -> u64 {
        self.walk.instructions()
    }

    /// The number of wave instructions of one lane: of a distribution, those of one wave.
    pub(crate) const fn accesses(&self) -> u64 {
        self.instructions() / self.waves()
    }

    /// The number of waves whose instructions these are; of patterns that count no waves, 1.
    pub(crate) const fn waves(&self) -> u64 {
        self.walk.waves() as u64
    }

    /// Refuses what any instruction of any wave cannot do: a vector that is torn, misaligned, in padding or
    /// outside the memory, in any lane. [`verdict`](Self::verdict) refuses the same.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// // Rows of 136 bytes: row 1 begins at no multiple of 16.
    /// let rows = Plan::naive(&[128, 64], &[68, 1]).unwrap();
    /// let reads = Placed::new(&rows, 16, Lanes::rows(16), &gfx942::ds_read_b128)?;
    /// assert!(reads.check().unwrap_err().to_string().starts_with("byte 136 of lane 1 is not aligned to 16"));
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`], of the first instruction and lane.
    pub const fn check(&self) -> Result<(), AccessError> {
        if self.are_accepted() {
            return Ok(());
        }
        let strides = self.strides();
        if let Some(strides) = &strides
            && self.runs(strides).is_some()
        {
            return Ok(());
        }
        let (repeats, mut step) = (self.repeats_by(&strides), 0);
        while step < repeats.end() {
            if repeats.of(&self.walk, step) == 0 {
                step += 1;
                continue;
            }
            let addresses = match self.addresses_by(step, &strides) {
                Ok(addresses) => addresses,
                Err(misfit) => return Err(misfit),
            };
            let is_issued = addresses.active() != 0;
            if is_issued && let Some(error) = refusal(&addresses, self.instruction) {
                return Err(AccessError::Address(error));
            }
            step += 1;
        }
        Ok(())
    }

    /// Whether all instructions are alike, and the first can be.
    const fn are_accepted(&self) -> bool {
        match &self.alike {
            Some(Alike::Columns(columns)) => {
                let active = u64::MAX >> (Phases::LANES - (1 << columns.bits()));
                accepts(columns, active, self.instruction)
            }
            Some(Alike::Sums { addresses, .. }) => refusal(addresses, self.instruction).is_none(),
            None => self.are_numbers_accepted(),
        }
    }

    /// What the lanes touch in instruction `step`, from 0.
    ///
    /// # Errors
    ///
    /// [`AccessError`]: a lane outside the tile or in padding, elements that are not contiguous, an
    /// instruction after the last, or without an active lane. A distribution may have such: of waves that
    /// hold nothing of a tile that it [covers](Encoding::covering).
    pub const fn touched(&self, step: u64) -> Result<Touched, AccessError> {
        self.touched_by(step, &self.strides())
    }

    /// The byte of lane 0 in instruction `step`, where all are alike; by [strides](Self::strides) that all share.
    pub(super) const fn first_byte(
        &self,
        step: u64,
        strides: &Option<List>,
    ) -> Result<u32, AccessError> {
        match self.first_of(step, 0) {
            Some(coordinate) => self.address(0, &coordinate, strides),
            None => Err(AccessError::Idle { step, instructions: self.instructions() }),
        }
    }

    /// The strides of the layout, if it is one of strides.
    pub(crate) const fn strides(&self) -> Option<List> {
        match &self.digits {
            Some(digits) => strides(digits),
            None => None,
        }
    }

    /// The addresses of instruction `step`, by [strides](Self::strides) that all instructions share.
    pub(crate) const fn addresses_by(
        &self,
        step: u64,
        strides: &Option<List>,
    ) -> Result<Addresses, AccessError> {
        if let Some(addresses) = self.addresses_in_table(step, strides) {
            return Ok(addresses);
        }
        if let Some(addresses) = self.addresses_in_walk(step, strides) {
            return Ok(addresses);
        }
        match self.touched_by(step, strides) {
            Ok(touched) => Ok(touched.addresses),
            Err(misfit) => Err(misfit),
        }
    }

    const fn touched_by(&self, step: u64, strides: &Option<List>) -> Result<Touched, AccessError> {
        if step >= self.instructions() {
            return Err(AccessError::Step { step, instructions: self.instructions() });
        }
        let mut touched = Touched::NOTHING;
        let mut lane = 0;
        while lane < self.reach.lanes {
            if let Some(coordinate) = self.first_of(step, lane) {
                let address = match self.address(lane, &coordinate, strides) {
                    Ok(address) => address,
                    Err(misfit) => return Err(self.in_step(misfit, step)),
                };
                touched.coordinates[lane as usize] = coordinate;
                touched.addresses.set(lane as usize, address);
            }
            lane += 1;
        }
        if touched.addresses.active() == 0 && !self.walk.has_idle_lanes() {
            return Err(AccessError::Idle { step, instructions: self.instructions() });
        }
        Ok(touched)
    }

    /// Whether all lanes of an instruction are known to be in the tile.
    pub(crate) const fn is_inside(&self, step: u64) -> bool {
        self.walk.is_within() || self.walk.is_inside(step as u32, &self.reach)
    }

    /// Whether the same is known of all instructions, or nothing can be of any: of a table, or of a distribution that
    /// holds nothing in some lanes.
    pub(crate) const fn are_inside(&self) -> bool {
        let (count, mut step) = (self.instructions(), 0);
        if !self.table.is_empty() || self.walk.is_within() || self.walk.is_by_more_than_digits() {
            return true;
        }
        while step < count && self.walk.is_inside(step as u32, &self.reach) {
            step += 1;
        }
        step == count
    }

    /// The addresses by a table of two indices on a layout of strides, in a loop that calls next to nothing; `None`
    /// where a lane must be looked at closely, or is refused.
    const fn addresses_in_table(&self, step: u64, strides: &Option<List>) -> Option<Addresses> {
        let (Some(strides), Some(digits)) = (strides, &self.digits) else { return None };
        let Some(most) = self.limit.checked_sub(self.end) else { return None };
        let Reach { tile, along, pack, lanes } = &self.reach;
        // Where neighbours are one element apart packs may begin anywhere.
        let are_packs = strides.at(*along) != 1;
        if are_packs && !self.whole {
            return None;
        }
        if step >= self.table.len() as u64 || tile.len() != 2 || *pack == 0 {
            return None;
        }
        let (row, lanes, pack) = (&self.table[step as usize], *lanes as usize, *pack);
        let ((strides, _), (tile, _), along) = (strides.items(), tile.items(), *along);
        let (origin, bits) = (digits.origin() as u64, self.bits as u64);
        let (mut addresses, mut active, mut lane) = (Addresses::NONE, 0u64, 0);
        while lane < lanes {
            if let Some(at) = &row[lane] {
                let (index, rank) = at.items();
                let torn = if are_packs {
                    pack > 1 && !index[along].is_multiple_of(pack)
                } else {
                    index[along] as u64 + pack as u64 > tile[along] as u64
                };
                if rank != 2 || index[0] >= tile[0] || index[1] >= tile[1] || torn {
                    return None;
                }
                // A stride may count down: the sum wraps around, as 32 bits do.
                let first = origin + index[0] as u64 * strides[0] as u64;
                let offset = (first & u32::MAX as u64) + index[1] as u64 * strides[1] as u64;
                let bit = (offset & u32::MAX as u64) * bits;
                if bit & 7 != 0 || bit >> 3 > most {
                    return None;
                }
                addresses.bytes[lane] = (bit >> 3) as u32;
                active |= 1 << lane;
            }
            lane += 1;
        }
        addresses.active = active;
        if active == 0 { None } else { Some(addresses) }
    }

    /// The addresses by the digits of a walk on a layout of strides, of all lanes digit by digit; `None` where a lane must
    /// be looked at closely, or is refused.
    const fn addresses_in_walk(&self, step: u64, strides: &Option<List>) -> Option<Addresses> {
        let (Some(strides), Some(digits)) = (strides, &self.digits) else { return None };
        let Some(most) = self.limit.checked_sub(self.end) else { return None };
        if !self.table.is_empty() || step >= self.instructions() {
            return None;
        }
        let is_inside = self.whole && self.walk.is_within()
            || strides.at(self.reach.along) == 1 && self.is_inside(step);
        if !is_inside {
            return None;
        }
        let numbers = self.walk.lane_numbers(strides, digits.origin(), step as u32);
        let Some(mut bytes) = numbers else { return None };
        let (bits, lanes, mut lane) = (self.bits as u64, self.reach.lanes as usize, 0);
        while lane < lanes {
            let bit = bytes[lane] as u64 * bits;
            if bit & 7 != 0 || bit >> 3 > most {
                return None;
            }
            bytes[lane] = (bit >> 3) as u32;
            lane += 1;
        }
        while lane < Phases::LANES {
            bytes[lane] = 0;
            lane += 1;
        }
        Some(Addresses { bytes, active: u64::MAX >> (Phases::LANES - lanes) })
    }

    /// The refusal of a lane, with what instruction `step` knows of it: the length that all its lanes need, or that it
    /// is one after the first.
    const fn in_step(&self, misfit: AccessError, step: u64) -> AccessError {
        if let AccessError::BeyondSpace { lane, end, space, .. } = misfit {
            return AccessError::BeyondSpace { lane, end, space, step };
        }
        let AccessError::Tile { tile, lane, coordinate, dimension, .. } = misfit else {
            return misfit;
        };
        if step > 0
            && let Some(covers) = self.lanes.covers(&self.reach)
        {
            let step = step as u32;
            return AccessError::Uneven { tile, covers, step, coordinate };
        }
        let pack = if dimension as usize == self.reach.along { self.reach.pack } else { 1 };
        let (mut enough, mut other) = (0, 0);
        while other < self.reach.lanes {
            if let Some(at) = self.first_of(step, other) {
                let end = at.at(dimension as usize).saturating_add(pack);
                enough = if end > enough { end } else { enough };
            }
            other += 1;
        }
        AccessError::Tile { tile, lane, coordinate, dimension, enough }
    }

    /// The byte address of the pack at a coordinate.
    const fn address(
        &self,
        lane: u32,
        coordinate: &List,
        strides: &Option<List>,
    ) -> Result<u32, AccessError> {
        let first = match self.offset_by(coordinate, strides) {
            Ok(offset) => offset,
            Err(error) => return Err(self.outside(lane, coordinate, error)),
        };
        let whole = self.whole && coordinate.at(self.reach.along).is_multiple_of(self.reach.pack)
            || self.is_within_row(coordinate, strides);
        if !whole && let Err(misfit) = self.check_contiguous(lane, coordinate, first) {
            return Err(misfit);
        }
        let bit = first as u64 * self.bits as u64;
        if !bit.is_multiple_of(8) {
            return Err(AccessError::WithinByte { lane, bit });
        }
        let end = bit / 8 + self.end;
        if end > self.limit {
            return Err(self.beyond(lane, end));
        }
        Ok((bit / 8) as u32)
    }

    /// Whether a pack ends within the tile, on a layout of strides along which neighbours are one element apart.
    const fn is_within_row(&self, at: &List, strides: &Option<List>) -> bool {
        let Reach { tile, along, pack, .. } = &self.reach;
        let end = at.at(*along) as u64 + *pack as u64;
        matches!(strides, Some(strides) if strides.at(*along) == 1) && end <= tile.at(*along) as u64
    }

    /// After the layout, or after what an address can name.
    const fn beyond(&self, lane: u32, end: u64) -> AccessError {
        if end > self.space {
            return AccessError::BeyondSpace { lane, end, space: self.space, step: 0 };
        }
        let (lane, memory) = (lane as usize, MOST_BYTES);
        AccessError::Address(AddressError::BeyondMemory { lane, end, memory })
    }

    /// The offset in elements: by digits where there are some, which are cheaper for the compiler than
    /// the plan.
    pub(super) const fn offset(&self, coordinate: &List) -> Result<u32, Error> {
        if let Some(digits) = &self.digits
            && let Some(offset) = digits.offset(coordinate)
        {
            return Ok(offset);
        }
        if let Some(numbered) = &self.numbered
            && let Some(offset) = numbered.offset(coordinate)
        {
            return Ok(offset);
        }
        self.plan.offset(coordinate.as_slice())
    }

    /// The same where the layout is one of strides.
    const fn offset_by(&self, coordinate: &List, strides: &Option<List>) -> Result<u32, Error> {
        if let (Some(strides), Some(digits)) = (strides, &self.digits)
            && let Some(offset) = by_strides(digits.origin(), strides, coordinate, &self.reach.tile)
        {
            return Ok(offset);
        }
        self.offset(coordinate)
    }

    const fn outside(&self, lane: u32, coordinate: &List, error: Error) -> AccessError {
        match error {
            Error::OutOfRange { dimension, .. } => AccessError::Tile {
                tile: self.reach.tile,
                lane,
                coordinate: *coordinate,
                dimension,
                // All lanes are looked at by whoever knows the instruction.
                enough: 0,
            },
            // A walk of wide accesses that have no parts has no coordinates.
            Error::Rank { given: 0, .. } if self.lanes.parts().count > 1 => {
                let Reach { pack, along, .. } = self.reach;
                let parts = self.lanes.parts().count;
                AccessError::Parts { parts, pack: pack.saturating_mul(parts), along: along as u32 }
            }
            Error::Rank { wanted, given } => {
                AccessError::Coordinates { indices: given, rank: wanted }
            }
            _ => AccessError::Padding { lane, coordinate: *coordinate },
        }
    }

    /// Refuses a pack that is torn apart, element by element, and one that a pad whose check is
    /// skipped lets begin below 0.
    const fn check_contiguous(&self, lane: u32, at: &List, first: u32) -> Result<(), AccessError> {
        let (pack, along) = (self.reach.pack, self.reach.along);
        if first.checked_add(pack - 1).is_none() {
            let end = (first as u64 + pack as u64) * self.bits as u64 / 8;
            return Err(AccessError::BeyondSpace { lane, end, space: self.space, step: 0 });
        }
        let mut element = 1;
        while element < pack {
            let coordinate = at.with(along, at.at(along).saturating_add(element));
            match self.offset(&coordinate) {
                Ok(offset) if offset == first + element => element += 1,
                Ok(_) => {
                    let together = together(self.plan, along);
                    let coordinate = *at;
                    return Err(AccessError::NotContiguous {
                        lane,
                        coordinate,
                        pack,
                        along: along as u32,
                        together,
                    });
                }
                Err(error) => return Err(self.outside(lane, &coordinate, error)),
            }
        }
        Ok(())
    }
}

/// The offset of a coordinate on a layout of strides; `None` outside.
const fn by_strides(origin: u32, strides: &List, at: &List, tile: &List) -> Option<u32> {
    if at.len() != tile.len() {
        return None;
    }
    let (mut offset, mut d) = (origin, 0);
    while d < tile.len() {
        let index = at.at(d);
        if index >= tile.at(d) {
            return None;
        }
        offset = offset.wrapping_add(index.wrapping_mul(strides.at(d)));
        d += 1;
    }
    Some(offset)
}

/// Bytes of a layout, from byte 0 on.
pub(crate) const fn space(plan: &Plan, bits: u32) -> u64 {
    let elements = plan.element_space() + plan.origin() as u64;
    (elements * bits as u64).div_ceil(8)
}

/// The first coordinate of a lane in an instruction of a pattern, by the rows of its table if it has one;
/// `None` of an inactive lane.
pub(crate) const fn first_of(walk: &Walk, table: &[Row], step: u64, lane: u32) -> Option<List> {
    match table {
        [] => walk.coordinate(step as u32, lane),
        rows => rows[step as usize][lane as usize],
    }
}

/// What is wrong with a table whose packs lie along a dimension that the tile does not have: its coordinates are of
/// another tile, or the dimension is.
const fn beyond_rank(table: &[Row], along: u32, rank: u32) -> AccessError {
    let mut i = 0;
    while i < table.len() * Phases::LANES {
        if let Some(coordinate) = &table[i / Phases::LANES][i % Phases::LANES] {
            let indices = coordinate.len() as u32;
            if indices == rank {
                break;
            }
            return AccessError::Coordinates { indices, rank };
        }
        i += 1;
    }
    AccessError::Along { along, rank }
}

/// The dimension along which a distribution's lanes take their elements: the last along which
/// a lane holds enough and the layout keeps them together; if it does so along none, the last
/// along which a lane holds enough.
const fn held_along(
    over: &Over<'_>,
    lanes: &Lanes<'_>,
    instruction: &Instruction,
) -> Result<usize, AccessError> {
    let Over { plan, digits, encoding, reach, .. } = *over;
    let (tile, pack, addressed) = (reach.tile, reach.pack, reach.lanes);
    if !encoding.is_of(&tile) {
        let distribution = encoding.lengths();
        return Err(AccessError::OtherTile { distribution, tile });
    }
    // What holds an operand holds no rows, though its elements may be packs by chance.
    if lanes.is_operand() && !instruction.fragments().is_own() {
        return Err(over.other_fragments(instruction));
    }
    let lanes = encoding.lanes();
    if lanes != addressed {
        let (name, chip) = (instruction.name(), instruction.chip());
        let wave = instruction.service().phases.wave() as u32;
        let misfit = AccessError::Lanes { lanes, name, chip, wave, addressed };
        return Err(over.explained(misfit, instruction));
    }
    let (mut held, mut dimension) = (None, tile.len());
    while dimension > 0 {
        dimension -= 1;
        if encoding.has_packs(dimension, pack) {
            if is_contiguous(plan, digits, dimension, pack) {
                return Ok(dimension);
            }
            if held.is_none() {
                held = Some(dimension);
            }
        }
    }
    match held {
        Some(dimension) => Ok(dimension),
        None => Err(over.explained(encoding.no_packs(pack), instruction)),
    }
}

/// A pattern laid over a layout.
pub(crate) const fn laid<'p, 'i, T: Tile>(
    lanes: Lanes<'p>,
    instruction: &'i Instruction,
) -> Result<Placed<'p, 'i>, AccessError> {
    match known::<T>() {
        Ok(plan) => {
            let digits = T::Descriptor::DIGITS;
            let numbered = if digits.is_none() { numbered::<T>() } else { None };
            Placed::with_form(plan, (digits, numbered), T::Element::BITS, lanes, instruction)
        }
        Err(error) => Err(AccessError::Layout(error)),
    }
}

/// What a layout without digits counts first. A function, because the constants that a body names are evaluated
/// whether it gets to them or not.
const fn numbered<T: Tile>() -> Option<Numbered> {
    T::Descriptor::NUMBERED
}

impl<E, R> Layout<E, R> {
    /// A pattern laid over this layout, for an instruction.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::placed::<MfmaRows<32>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(reads.touched(0).unwrap().coordinate(33).unwrap(), [1, 8]);
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Placed::new`].
    pub const fn placed<Walk: Pattern>(
        instruction: &Instruction,
    ) -> Result<Placed<'static, '_>, AccessError>
    where
        E: Element,
        R: Recipe<E>,
    {
        laid::<Self>(Walk::LANES, instruction)
    }
}
