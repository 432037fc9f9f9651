//! Immediate offsets: what the accesses of one lane cost in address arithmetic.
//!
//! A kernel reads its tile in an unrolled loop. A DS instruction adds a constant to its
//! address for nothing, so an access whose distance from another is the same in every
//! lane needs no instruction of its own. A swizzle turns some distances into xors:
//!
//! | 128x64 fp16, 16 reads of 32 rows | address registers | immediate | one xor | computed anew |
//! |---|---|---|---|---|
//! | row-major, padded | 1 | 15 | 0 | 0 |
//! | xor (GemmXor) | 4 | 12 | 3 | 0 |
//! | cyclic shift | 4 | 12 | 1 | 2 |
//!
//! Kernel authors choose layouts by that as much as by conflicts. What a constant can be is the
//! row's: [`Instruction::immediate`].
//!
//! | instruction | field | largest constant |
//! |---|---|---|
//! | DS, one address | 16 bits, unsigned, bytes | 65,535 |
//! | `ds_read2_b64`, `ds_write2_b64` | 8 bits for each address, units of 8 bytes | 2,040, its own offsets included |
//! | `ds_read2st64_b32` | 8 bits for each address, units of 256 bytes | 65,280 |
//! | `LDS`, `STS`, `LDSM` of NVIDIA | 24 bits, signed, bytes | 8,388,607 |
//!
//! A distance is used only from the lower address to the higher. Immediates hold wherever the
//! layout begins in memory; an xor holds where it begins at a multiple of
//! [`Route::alignment`].

use super::distance::Whereabouts;
use super::rounds::{Relation, Rounds};
use crate::access::error::AccessError;
use crate::access::placed::{MOST_ACCESSES, Placed};
use crate::chip::instruction::Instruction;
use crate::element::Element;
use crate::layout::{Layout, Recipe};
use crate::pattern::Pattern;
use tiledesc_transforms::{List, Text, attempt, range, say};

/// The way in which one access gets its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Computed from the lane: the first access, and any that no cheaper route reaches. It is a register from
    /// then on.
    Computed,
    /// The first address, xor-ed with a constant: one instruction, and a register. True if
    /// the layout begins at a multiple of [`alignment`](Self::alignment).
    Xor {
        /// The constant, in bytes.
        constant: u32,
    },
    /// A register, and a constant in the instruction.
    Immediate {
        /// The number of the register, in the order in which they are made.
        register: usize,
        /// The constant, in bytes. With two addresses it is added to both offsets: 2048 bytes
        /// are 256 units of a `ds_read2_b64`, which no field holds.
        offset: u32,
    },
}

impl Route {
    pub(crate) const fn is_immediate(&self) -> bool {
        matches!(self, Self::Immediate { .. })
    }

    /// The alignment, in bytes, that the layout's first byte needs for the route to be true of the addresses in memory as it is
    /// of those from 0 on: for an xor the first power of two above its constant, else 1.
    ///
    /// ```
    /// use tiledesc::access::Route;
    ///
    /// assert_eq!(Route::Xor { constant: 0x60 }.alignment(), 128);
    /// // (128 + 16) ^ 0x60 is 128 + (16 ^ 0x60); of a layout that begins at 64 it is not.
    /// assert_eq!((128 + 16) ^ 0x60, 128 + (16 ^ 0x60));
    /// assert_ne!((64 + 16) ^ 0x60, 64 + (16 ^ 0x60));
    /// assert_eq!(Route::Computed.alignment(), 1);
    /// ```
    #[must_use]
    pub const fn alignment(&self) -> u64 {
        match self {
            Self::Xor { constant } => 1 << (u32::BITS - constant.leading_zeros()),
            Self::Computed | Self::Immediate { .. } => 1,
        }
    }
}

/// The routes of a pattern's accesses to their addresses, in the order of the accesses.
///
/// ```
/// use tiledesc::{chip::gfx942, prelude::*};
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let reads = Tile::addressing::<MfmaRows<32>>(&gfx942::ds_read_b128).unwrap();
/// // 16 reads: one address from the lane, three an xor away from it, and constants for the others.
/// assert_eq!((reads.computed(), reads.xors(), reads.immediates()), (1, 3, 12));
/// assert_eq!(reads.registers(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addressing {
    routes: [Route; Self::MOST],
    len: usize,
    /// The alignment that the instruction needs of the layout's first byte, whatever the routes.
    base: u32,
}

impl Addressing {
    /// The largest number of accesses. A constant has no memory of its own, and in stable Rust an array's length cannot be a
    /// constant of a type; so there is a limit, beyond what a kernel can have: a lane of the chips here has at most 512 registers
    /// of 4 bytes to load.
    pub const MOST: usize = MOST_ACCESSES;

    /// The routes, access by access.
    #[must_use]
    pub const fn routes(&self) -> &[Route] {
        self.routes.split_at(self.len).0
    }

    const fn count(&self, wanted: u8) -> usize {
        let mut count = 0;
        range!(i, 0..self.len, {
            let kind = match self.routes[i] {
                Route::Computed => 0,
                Route::Xor { .. } => 1,
                Route::Immediate { .. } => 2,
            };
            count += (kind == wanted) as usize;
        });
        count
    }

    /// Addresses that are computed from the lane, the first included.
    #[must_use]
    pub const fn computed(&self) -> usize {
        self.count(0)
    }

    /// Addresses that are one xor away from the first: one instruction each.
    #[must_use]
    pub const fn xors(&self) -> usize {
        self.count(1)
    }

    /// Accesses that need no address instruction.
    #[must_use]
    pub const fn immediates(&self) -> usize {
        self.count(2)
    }

    /// Address registers.
    #[must_use]
    pub const fn registers(&self) -> usize {
        self.computed() + self.xors()
    }

    /// The alignment, in bytes, that the layout's first byte needs for all routes to be true, all addresses to be aligned, and
    /// all banks to be those that were judged: without an xor the instruction's alignment, and at least the 4 bytes of a bank's
    /// word.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::addressing::<MfmaRows<32>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!((reads.xors(), reads.alignment()), (3, 128));
    /// layout! { type Rows = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
    /// let reads = Rows::addressing::<MfmaRows<32>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!((reads.xors(), reads.alignment()), (0, 16));
    /// ```
    #[must_use]
    pub const fn alignment(&self) -> u64 {
        let mut most = self.base as u64;
        range!(i, 0..self.len, {
            let here = self.routes[i].alignment();
            most = if here > most { here } else { most };
        });
        most
    }

    /// Address instructions of all accesses together, where a whole address takes `whole`:
    /// an immediate takes none and an xor one.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::addressing::<MfmaRows<32>>(&gfx942::ds_read_b128).unwrap();
    /// // The byte address takes 5 vector instructions (`tests/codegen/gfx942.txt`): half
    /// // an instruction for each of the 16 reads.
    /// assert_eq!((reads.routes().len(), reads.instructions(5)), (16, 8));
    /// ```
    #[must_use]
    pub const fn instructions(&self, whole: usize) -> usize {
        self.computed() * whole + self.xors()
    }

    /// "16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed; the layout
    /// begins at a multiple of 128 bytes".
    #[must_use]
    pub const fn text(&self) -> Text {
        let text = say!(Text::new():
            self.len, " accesses: ", self.registers(),
            str(if self.registers() == 1 { " address register, " } else { " address registers, " }),
            self.immediates(),
            " immediate, ", self.xors(), " by one xor, ", self.computed().saturating_sub(1),
            " more computed"
        );
        if self.xors() == 0 {
            return text;
        }
        say!(text: "; the layout begins at a multiple of ", self.alignment(), " bytes")
    }
}

impl core::fmt::Display for Addressing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl Placed<'_, '_> {
    /// Returns the routes of its instructions to their addresses, one after the other in one wave.
    ///
    /// ```
    /// use tiledesc::access::Route;
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    /// let reads = Placed::new(&rows, 16, Lanes::rows(16), &gfx942::ds_read_b128)?;
    /// let all = reads.addressing()?;
    /// assert_eq!((all.routes().len(), all.registers()), (16, 1));
    /// assert_eq!(all.routes()[1], Route::Immediate { register: 0, offset: 16 * 72 * 2 });
    /// # Ok::<(), tiledesc::access::AccessError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`] of the first lane, in any wave, that cannot touch what it should: what
    /// [`check`](Self::check) refuses. Also of more than [`Addressing::MOST`] instructions.
    pub const fn addressing(&self) -> Result<Addressing, AccessError> {
        attempt!(self.check_count());
        let registers = AddressRegisters::new(self);
        // Lanes of rounds have been checked.
        if registers.rounds.is_none() {
            attempt!(self.check());
        }
        self.routed_by(registers)
    }

    const fn check_count(&self) -> Result<(), AccessError> {
        let (step, instructions) = (Addressing::MOST as u64, self.accesses());
        if instructions > step { Err(AccessError::Step { step, instructions }) } else { Ok(()) }
    }

    const fn routed_by(&self, mut registers: AddressRegisters) -> Result<Addressing, AccessError> {
        let (routes, base) = ([Route::Computed; Addressing::MOST], self.instruction().moved_unit());
        let mut found = Addressing { routes, len: 0, base };
        while (found.len as u64) < self.accesses() {
            found.routes[found.len] = attempt!(registers.route(self, found.len as u64));
            found.len += 1;
        }
        Ok(found)
    }

    /// Instructions that make the addresses of one lane in all accesses, where a whole address takes `whole`: one that is
    /// an xor away takes one, a constant of the instruction none. `None` of accesses that the layout does not hold.
    ///
    /// ```
    /// use tiledesc::{access::Placed, Plan, chip::gfx942, pattern::Lanes, recipe::{Shape, Spec}};
    ///
    /// // Rows of 128 bytes, xor-ed: an address of 3 terms, and for the other half of the columns one xor.
    /// let plan = Spec::gemm_xor(8).plan(Shape { rows: 128, columns: 64, bits: 16 })?;
    /// let read = Placed::new(&plan, 16, Lanes::rows(16), &gfx942::ds_read_b128).unwrap();
    /// assert_eq!(read.address_instructions(3), Some(3 + 1));
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn address_instructions(&self, whole: u32) -> Option<u32> {
        let mut registers = AddressRegisters::new(self);
        let mut sum = 0;
        range!(access, 0..self.accesses(), {
            sum += match registers.route(self, access) {
                Ok(Route::Immediate { .. }) => 0,
                Ok(Route::Xor { .. }) => 1,
                Ok(Route::Computed) => whole,
                Err(_) => return None,
            };
        });
        Some(sum)
    }
}

/// The address registers that there are so far: an access, and where it is in the first wave.
struct AddressRegisters {
    made: [(u64, Whereabouts); Self::MOST],
    len: usize,
    /// The strides of the layout, if it is one of strides.
    strides: Option<List>,
    /// The rounds of the layout, if it repeats itself.
    rounds: Option<Rounds>,
}

impl AddressRegisters {
    /// The number of accesses that further accesses are compared with: those beyond are computed or xor-ed, and none is a
    /// constant away from them.
    const MOST: usize = 64;

    const fn new(placed: &Placed<'_, '_>) -> Self {
        let nothing = (0, Whereabouts::First(0));
        let (strides, rounds) = (placed.strides(), placed.rounds());
        Self { made: [nothing; Self::MOST], len: 0, strides, rounds }
    }

    const fn route(&mut self, placed: &Placed<'_, '_>, access: u64) -> Result<Route, AccessError> {
        let here = attempt!(placed.whereabouts(access, &self.strides, &self.rounds));
        range!(register, 0..self.len, {
            let (from, made) = &self.made[register];
            if let Some(offset) = placed.between(made, &here, Relation::Sum, &self.rounds)
                && placed.instruction().reaches(offset)
                && attempt!(self.in_all_waves(placed, [*from, access], Relation::Sum, offset))
            {
                return Ok(Route::Immediate { register, offset });
            }
        });
        if self.len < Self::MOST {
            self.made[self.len] = (access, here);
            self.len += 1;
        }
        let (from, made) = &self.made[0];
        if *from != access
            && let Some(constant) = placed.between(made, &here, Relation::Xor, &self.rounds)
            && attempt!(self.in_all_waves(placed, [*from, access], Relation::Xor, constant))
        {
            return Ok(Route::Xor { constant });
        }
        Ok(Route::Computed)
    }

    /// Returns whether a constant takes one access to another in every wave but the first too.
    const fn in_all_waves(
        &self,
        placed: &Placed<'_, '_>,
        [from, to]: [u64; 2],
        relation: Relation,
        constant: u32,
    ) -> Result<bool, AccessError> {
        let mut wave = if self.rounds.is_some() { placed.waves() } else { 1 };
        while wave < placed.waves() {
            let first = wave * placed.accesses();
            let one = attempt!(placed.whereabouts(first + from, &self.strides, &None));
            let other = attempt!(placed.whereabouts(first + to, &self.strides, &None));
            // Of an access that no lane of a wave has, any constant is true.
            if other.is_issued() {
                let here = placed.between(&one, &other, relation, &None);
                if !matches!(here, Some(here) if here == constant) {
                    return Ok(false);
                }
            }
            wave += 1;
        }
        Ok(true)
    }
}

impl<E, R> Layout<E, R> {
    /// Returns the routes of a pattern's accesses over this layout to their addresses.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::addressing::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
    /// assert_eq!(
    ///     reads.to_string(),
    ///     "16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed; \
    ///      the layout begins at a multiple of 128 bytes",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Placed::addressing`].
    pub const fn addressing<P: Pattern>(
        instruction: &Instruction,
    ) -> Result<Addressing, AccessError>
    where
        E: Element,
        R: Recipe<E>,
    {
        attempt!(Self::placed::<P>(instruction)).addressing()
    }
}
