//! Placements: a pattern laid over a layout, and what each lane touches there.
//!
//! A pattern has coordinates, banks have bytes. The layout's offsets connect them, and the two may not fit in several ways: an
//! element too wide for the instruction, a pack torn apart by a swizzle, an address off its alignment, a lane outside the tile.
//! Each is refused with its numbers: a count of conflicts over addresses that no kernel has would be worse than none.
//!
//! A [`Placed`] answers from nine files, and a *step* of it is one wave instruction, from 0:
//!
//! | answers | by | file |
//! |---|---|---|
//! | does it fit, and may it be issued? | `Placed::check` | `src/access/placed.rs` |
//! | whose coordinate is it? | `Placed::coordinate` | `src/access/placed.rs` |
//! | the address of each lane in a step | `Placed::touched` | `src/access/placed/touched.rs` |
//! | the stride of each dimension, if offsets are sums of them | `Placed::strides` | `src/access/placed/touched.rs` |
//! | the steps that stand for all | `Placed::kinds` | `src/access/fast/kinds.rs` |
//! | lanes at equal distances | `Placed::runs` | `src/access/fast/runs.rs` |
//! | lanes on a layout that repeats itself | `Placed::rounds` | `src/access/fast/rounds.rs` |
//! | how far two steps are apart | `Placed::between` | `src/access/distance.rs` |
//! | the addresses of a kernel's accesses | `Placed::steps` | `src/access/accesses.rs` |
//! | what address arithmetic they cost | `Placed::addressing` | `src/access/addressing.rs` |
//! | the conflicts | `Placed::verdict` | `src/bank/verdict/ways.rs` |

use super::addresses::first_lanes;
use super::columns::Columns;
use super::error::AccessError;
use super::handed::{Over, row_addresses};
use super::misfit::misfit;
use super::refusal::{MOST_BYTES, accepts, no_instruction, refusal};
use super::vectors::is_contiguous;
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use crate::distribution::{Encoding, Reach, Walk};
use crate::element::{Element, ElementName};
use crate::layout::{Layout, Recipe, Tile, digits, known};
use crate::pattern::{Lanes, Pattern, Table};
use tiledesc_transforms::{Adaptor, Digits, List, Numbered, Plan, attempt, range};

mod touched;

pub use touched::Touched;

/// The most accesses of a lane that get an address each.
pub(super) const MOST_ACCESSES: usize = 512;

/// A pattern laid over a layout, for an instruction of a chip: the subject of every question about an access.
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
    pub(super) plan: &'p Plan,
    pub(super) digits: Option<Digits>,
    /// The numbers of a layout without digits.
    pub(super) numbered: Option<Numbered>,
    pub(super) bits: u32,
    lanes: Lanes<'p>,
    /// The walk of the pattern on this tile: digits, or the rows of a table.
    pub(super) walk: Walk,
    pub(super) table: Table<'p>,
    pub(super) instruction: &'i Instruction,
    pub(super) reach: Reach,
    /// True if aligned packs are known to be contiguous.
    pub(super) has_whole_packs: bool,
    /// Bytes of the layout, from byte 0 on.
    pub(super) space: u64,
    /// The smaller of `space` and what an address can reach.
    pub(super) limit: u64,
    /// Bytes from a lane's address to the end of what it touches.
    pub(super) bytes_to_end: u64,
    /// The lanes of the first instruction, if they stand for those of all.
    columns: Option<Columns>,
}

impl<'p, 'i> Placed<'p, 'i> {
    /// `lanes` over a plan of elements of `bits` bits, for an instruction.
    ///
    /// # Errors
    ///
    /// [`AccessError`] if the instruction does not move whole elements of the tile, or the tile is larger than the chip's memory.
    /// What single lanes touch is checked only when it is computed.
    pub const fn new(
        plan: &'p Plan,
        bits: u32,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        Self::named(plan, ElementName::of_bits(bits), lanes, instruction)
    }

    /// [`new`](Self::new) for elements that have a name.
    pub(crate) const fn named(
        plan: &'p Plan,
        element: ElementName,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        Self::with_digits(plan, plan.digits(), element, lanes, instruction)
    }

    /// [`named`](Self::named) for a plan whose digits are known.
    pub(crate) const fn with_digits(
        plan: &'p Plan,
        digits: Option<Digits>,
        element: ElementName,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        let numbered = if digits.is_none() { plan.numbered() } else { None };
        Self::with_form(plan, (digits, numbered), element, lanes, instruction)
    }

    /// [`with_digits`](Self::with_digits) where the number that a plan without digits counts first is known too.
    const fn with_form(
        plan: &'p Plan,
        (digits, numbered): (Option<Digits>, Option<Numbered>),
        element: ElementName,
        lanes: Lanes<'p>,
        instruction: &'i Instruction,
    ) -> Result<Self, AccessError> {
        let (reach, walk) = attempt!(fitting(plan, &digits, &element, &lanes, instruction));
        let (bits, Reach { tile, along, pack, .. }) = (element.bits, reach);
        // The last pack of a row that is not a multiple of packs reaches past its end.
        let has_whole_packs = tile.at(along).is_multiple_of(pack)
            && match &numbered {
                Some(numbered) if numbered.is_contiguous(along, pack) => true,
                _ => is_contiguous(plan, &digits, along, pack),
            };
        let space = space(plan, bits);
        if let Some(memory) = instruction.too_small_for(space) {
            return Err(AccessError::Memory { bytes: space, memory });
        }
        let mut placed = Self {
            plan,
            digits,
            numbered,
            bits,
            lanes,
            walk,
            table: lanes.table_rows(),
            instruction,
            reach,
            has_whole_packs,
            space,
            limit: if space < MOST_BYTES { space } else { MOST_BYTES },
            bytes_to_end: instruction.bytes_to_end() as u64,
            columns: None,
        };
        placed.columns = placed.find_columns();
        Ok(placed)
    }

    /// The lanes of the first instruction as columns, if it stands for all.
    const fn find_columns(&self) -> Option<Columns> {
        let Some(digits) = &self.digits else { return None };
        // With two addresses, a later instruction may leave the tile; beyond 2^32 bytes, all its lanes may.
        let is_beyond = self.instruction.parts() > 1 || self.limit < self.space;
        if !self.has_whole_packs
            || !self.bits.is_power_of_two()
            || self.instructions() > 1 && is_beyond
            || !digits.is_linear()
            || !self.walk.is_linear(self.reach.pack)
        {
            return None;
        }
        let bits = self.reach.lanes.trailing_zeros() as usize;
        let (constant, lanes) = (digits.constant(0), self.walk.flips(bits, digits, 0));
        Columns::of_elements(constant, lanes, bits, self.bits, self.instruction, self.limit)
    }

    /// The lanes of the first instruction, if they stand for those of all.
    pub(crate) const fn columns(&self) -> Option<&Columns> {
        self.columns.as_ref()
    }

    /// The coordinates that the lanes touch, except for patterns given as tables.
    pub(crate) const fn walk(&self) -> &Walk {
        &self.walk
    }

    /// The layout.
    #[must_use]
    pub const fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Bits of an element.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Refuses a distribution in which the elements of an access are not in consecutive registers, as a vector is.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942::ds_read_b128, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::placed::<MfmaRows<16>>(&ds_read_b128)?;
    /// assert!(reads.in_registers(&reads.distribution().unwrap()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError::Scattered`].
    pub const fn in_registers(self, encoding: &Encoding) -> Result<Self, AccessError> {
        let (pack, dimension) = (self.pack(), self.along());
        let (along, apart) = (encoding.dimension_name(dimension), encoding.apart(dimension, pack));
        if apart == 1 { Ok(self) } else { Err(AccessError::Scattered { pack, along, apart }) }
    }

    /// The first element of each access of a lane of a distribution, in order or along CK Tile's snake.
    pub(super) const fn first_elements(
        &self,
        encoding: &Encoding,
        snake: bool,
    ) -> [u32; MOST_ACCESSES] {
        let (Reach { along, pack, .. }, mut first) = (self.reach, [0; MOST_ACCESSES]);
        let encoding = encoding.in_packs(along, pack);
        let (accesses, most) = (self.accesses() as usize, MOST_ACCESSES);
        range!(access, 0..if accesses < most { accesses } else { most }, {
            first[access] = encoding.first_of(access as u32, along, pack, snake);
        });
        first
    }

    /// Elements that a lane moves.
    ///
    /// ```
    /// use tiledesc::{access::Placed, List, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let tile = Plan::packed(&[64, 64])?;
    /// let read = Placed::new(&tile, 16, Lanes::rows(16), &gfx942::ds_read_b128).unwrap();
    /// // 8 halves along k; lane 20 of instruction 1 reads row 4 of the next 32 columns.
    /// assert_eq!((read.pack(), read.along()), (8, 1));
    /// assert_eq!(read.coordinate(0, 20), Some(List::pair(4, 8)));
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn pack(&self) -> u32 {
        self.reach.pack
    }

    /// The dimension along which a lane moves them: see [`pack`](Self::pack).
    #[must_use]
    pub const fn along(&self) -> usize {
        self.reach.along
    }

    /// The coordinate that a lane addresses in instruction `step`, whether the layout holds it or not; `None` of an inactive
    /// lane, and of an instruction that there is not. See [`pack`](Self::pack).
    #[must_use]
    pub const fn coordinate(&self, step: u64, lane: usize) -> Option<List> {
        if step < self.instructions() && lane < self.reach.lanes as usize {
            self.first_of(step, lane as u32)
        } else {
            None
        }
    }

    /// The coordinate that a lane addresses first in an instruction that exists; no indices for an inactive lane.
    pub(crate) const fn first_coordinate(&self, step: u64, lane: usize) -> List {
        match self.first_of(step, lane as u32) {
            Some(coordinate) => coordinate,
            None => List::EMPTY,
        }
    }

    /// The coordinate that a lane addresses first, by the rows of a table if the pattern has them; `None` for an inactive lane.
    const fn first_of(&self, step: u64, lane: u32) -> Option<List> {
        if self.table.is_empty() {
            self.walk.coordinate(step as u32, lane)
        } else {
            *self.table.at(step as usize, lane as usize)
        }
    }

    /// Returns whether the pattern is a table.
    pub(crate) const fn is_listed(&self) -> bool {
        !self.table.is_empty()
    }

    /// The row of the instruction.
    #[must_use]
    pub const fn instruction(&self) -> &'i Instruction {
        self.instruction
    }

    /// Returns what the lanes hold as a distribution of this tile, for a kernel that holds what was judged; `None` if it is none.
    /// See [`Lanes::distribution`].
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
    /// An instruction may [hand round](Instruction::hands_round) what lanes address. A distribution then is what they hold, and a
    /// ready-made pattern what they [address](Self::addressed); what they hold follows from that, where a source states who gets
    /// what:
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::sm_80, matrix::mma, pattern::Lanes};
    /// use tiledesc::prelude::*;
    ///
    /// let rows = Plan::naive(&[16, 16], &[16, 1]).unwrap();
    /// for lanes in [Lanes::of_distribution::<mma::A<U16, U2>>(), Lanes::rows(16)] {
    ///     let reads = Placed::new(&rows, 16, lanes, &sm_80::ldmatrix_x4)?;
    ///     // Lane 9 holds two elements of row 2, and addresses row 9.
    ///     assert_eq!(reads.distribution().unwrap().coordinate(0, 9, 0).unwrap(), [2, 2]);
    ///     assert_eq!(reads.addressed().unwrap().coordinate(0, 9, 0).unwrap(), [9, 0]);
    ///     assert_eq!(reads.touched(0)?.coordinate(9).unwrap(), [9, 0]);
    /// }
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    #[must_use]
    pub const fn distribution(&self) -> Option<Encoding> {
        if let Ok(Some(held)) = self.lanes.encoding()
            && self.handed(held).is_some()
        {
            return Some(*held);
        }
        match self.addressed() {
            Some(given) if self.instruction.hands_round() => {
                self.instruction.fragments_of(&given, self.bits)
            }
            given => given,
        }
    }

    /// Returns what the lanes address as a distribution of this tile; `None` if it is none. Where an instruction does not
    /// [hand round](Instruction::hands_round) what they address, it is what they [hold](Self::distribution).
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::sm_90, matrix::mma, pattern::Lanes};
    ///
    /// let rows = Plan::naive(&[16, 8], &[8, 1]).unwrap();
    /// let lanes = Lanes::of_distribution::<mma::C>();
    /// let given = Placed::new(&rows, 16, lanes, &sm_90::stmatrix_x2)?.addressed().unwrap();
    /// // 16 lanes address 8 elements each; 32 hold 4 each.
    /// assert_eq!((given.lanes(), given.elements()), (16, 8));
    /// assert_eq!(given.coordinate(0, 5, 0).unwrap(), [5, 0]);
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    #[must_use]
    pub const fn addressed(&self) -> Option<Encoding> {
        if let Ok(Some(held)) = self.lanes.encoding()
            && let Some((given, _)) = self.handed(held)
        {
            return Some(given);
        }
        self.lanes.over(&self.reach)
    }

    /// Who addresses what a distribution's lanes hold, of all instructions over the tile, if this one hands it round.
    const fn handed(&self, held: &Encoding) -> Option<(Encoding, usize)> {
        if self.lanes.is_first() {
            return None;
        }
        row_addresses(held, &self.reach.tile, self.instruction, self.bits)
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
        // Columns stand for all instructions.
        if let Some(columns) = &self.columns
            && accepts(columns, first_lanes(1 << columns.bits()), self.instruction)
        {
            return Ok(());
        }
        let strides = self.strides();
        if let Some(strides) = &strides
            && self.runs(strides).is_some()
        {
            return Ok(());
        }
        if strides.is_none() && self.rounds().is_some() {
            return Ok(());
        }
        let kinds = self.kinds_by(&strides);
        range!(step, 0..kinds.end(), {
            if kinds.steps_of(&self.walk, step) > 0 {
                attempt!(self.check_one(step, &strides));
            }
        });
        Ok(())
    }

    /// Returns whether one instruction is accepted; one whose lanes are all idle is not issued.
    const fn check_one(&self, step: u64, strides: &Option<List>) -> Result<(), AccessError> {
        let addresses = attempt!(self.addresses_by(step, strides));
        let is_issued = addresses.active() != 0;
        match refusal(&addresses, self.instruction) {
            Some(error) if is_issued => Err(AccessError::Address(error)),
            _ => Ok(()),
        }
    }
}

/// The part of a tile that lanes reach, and their walk over it; or why the instruction, the elements, the pattern and the tile do
/// not fit each other.
const fn fitting(
    plan: &Plan,
    digits: &Option<Digits>,
    element: &ElementName,
    lanes: &Lanes<'_>,
    instruction: &Instruction,
) -> Result<(Reach, Walk), AccessError> {
    if let Some(error) = no_instruction(instruction) {
        return Err(AccessError::Address(error));
    }
    if let Some(misfit) = misfit(lanes, instruction, element) {
        return Err(misfit);
    }
    let (bytes, bits) = (instruction.bytes(), element.bits);
    if bits == 0 || !(bytes * 8).is_multiple_of(bits) {
        return Err(AccessError::Width { bytes, bits });
    }
    let tile = match digits {
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
                let over = Over { plan, digits, encoding, reach, bits };
                (attempt!(held_along(&over, lanes, instruction)), None)
            }
        },
        Err(fault) => return Err(AccessError::Distribution(*fault)),
    };
    if rank != 2 && !lanes.takes_any_rank() {
        return Err(AccessError::Rank { rank: rank as u32 });
    }
    if along >= rank {
        return Err(beyond_rank(&lanes.table_rows(), along as u32, rank as u32));
    }
    let columns = tile.at(along);
    if lanes.takes_packs() && !columns.is_multiple_of(pack) {
        return Err(AccessError::Packs { columns, pack });
    }
    let reach = Reach { along, ..reach };
    let walk = match &handed {
        Some(given) if lanes.is_first() => given.walk(along, pack).first(),
        Some(given) => given.walk(along, pack),
        None => lanes.walk(&reach),
    };
    Ok((reach, walk))
}

/// Bytes of a layout, from byte 0 on.
pub(crate) const fn space(plan: &Plan, bits: u32) -> u64 {
    let elements = plan.element_space() + plan.origin() as u64;
    (elements * bits as u64).div_ceil(8)
}

/// Returns the fault of a table whose packs run along a dimension that the tile does not have: its coordinates are of another
/// tile, or the dimension is.
const fn beyond_rank(table: &Table<'_>, along: u32, rank: u32) -> AccessError {
    range!(i, 0..table.len() * Phases::LANES, {
        if let Some(coordinate) = table.at(i / Phases::LANES, i % Phases::LANES) {
            let indices = coordinate.len() as u32;
            if indices == rank {
                break;
            }
            return AccessError::Coordinates { indices, rank };
        }
    });
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
    // A distribution says what lanes hold, though its elements may be packs that lanes could address. Where no source says
    // who gets what, one that is no operand can only say what they address.
    let fragments = instruction.fragments();
    if !fragments.is_own() && (fragments.are_known() || lanes.operand().is_some()) {
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
            if let Ok(Some(encoding)) = lanes.encoding()
                && let Some(distribution) = encoding.exchanged(T::Recipe::DIMENSIONS)
            {
                let tile = T::Recipe::DIMENSIONS;
                return Err(AccessError::Names { distribution, tile });
            }
            let digits = digits::<T>();
            let numbered = if digits.is_none() { numbered::<T>() } else { None };
            let element = ElementName::new::<T::Element>();
            Placed::with_form(plan, (digits, numbered), element, lanes, instruction)
        }
        Err(error) => Err(AccessError::Layout(error)),
    }
}

/// The number that a layout without digits counts first. A function, because the constants that a body names are evaluated
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
    pub const fn placed<P: Pattern>(
        instruction: &Instruction,
    ) -> Result<Placed<'static, '_>, AccessError>
    where
        E: Element,
        R: Recipe<E>,
    {
        laid::<Self>(P::LANES, instruction)
    }
}
