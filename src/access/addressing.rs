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
//! Kernel authors choose layouts by that as much as by conflicts. The immediate field of
//! the DS instructions holds 16 bits, unsigned, in bytes (AMD ISA documents, DS
//! instructions, OFFSET0 and OFFSET1), so a distance is used only from the lower address
//! to the higher.

use super::addresses::Addresses;
use crate::access::pattern::Pattern;
use crate::access::placed::{AccessError, Placed};
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
use crate::layout::Tile;
use crate::recipe::{example, on_every_tile};
use tiledesc_transforms::{Text, attempt, say};

/// How one access gets its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// Computed from the lane: the first access, and any that no other road reaches. It
    /// is a register from then on.
    Computed,
    /// The first address, xor-ed with a constant: one instruction, and a register.
    Xor {
        /// The constant, in bytes.
        constant: u32,
    },
    /// A register, and a constant in the instruction.
    Immediate {
        /// The number of the register, in the order in which they are made.
        register: usize,
        /// The constant, in bytes.
        offset: u32,
    },
}

/// How the accesses of a pattern get their addresses, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Addressing {
    routes: [Route; Self::MOST],
    len: usize,
}

impl Addressing {
    /// The most accesses that are looked at.
    pub const MOST: usize = 64;

    /// The routes, access by access.
    #[must_use]
    pub const fn routes(&self) -> &[Route] {
        self.routes.split_at(self.len).0
    }

    const fn count(&self, wanted: u8) -> usize {
        let (mut count, mut i) = (0, 0);
        while i < self.len {
            let kind = match self.routes[i] {
                Route::Computed => 0,
                Route::Xor { .. } => 1,
                Route::Immediate { .. } => 2,
            };
            count += (kind == wanted) as usize;
            i += 1;
        }
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

    /// Accesses that need no instruction but their own.
    #[must_use]
    pub const fn immediates(&self) -> usize {
        self.count(2)
    }

    /// Address registers.
    #[must_use]
    pub const fn registers(&self) -> usize {
        self.computed() + self.xors()
    }

    /// Address instructions of all accesses together, where a whole address takes `whole`:
    /// an immediate takes none and a xor one.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let reads = Tile::addressing::<Whole<MfmaRows<32>>>(&gfx942::ds_read_b128).unwrap();
    /// // The byte address takes 5 vector instructions (`tests/codegen/gfx942.txt`): half
    /// // an instruction for each of the 16 reads.
    /// assert_eq!((reads.routes().len(), reads.instructions(5)), (16, 8));
    /// ```
    #[must_use]
    pub const fn instructions(&self, whole: usize) -> usize {
        self.computed() * whole + self.xors()
    }

    /// "16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed".
    #[must_use]
    pub const fn text(&self) -> Text {
        say!(Text::new():
            self.len, " accesses: ", self.registers(), " address registers, ", self.immediates(),
            " immediate, ", self.xors(), " by one xor, ", self.computed().saturating_sub(1),
            " more computed"
        )
    }
}

impl core::fmt::Display for Addressing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text().as_str())
    }
}

impl Placed<'_, '_> {
    /// How its instructions get their addresses, one after the other in one wave.
    ///
    /// ```
    /// use tiledesc::addressing::Route;
    /// use tiledesc::{Placed, Plan, chip::gfx942, pattern::Lanes};
    ///
    /// let rows = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    /// let reads = Placed::new(&rows, 16, Lanes::rows(16).whole(), &gfx942::ds_read_b128)?;
    /// let all = reads.addressing()?;
    /// assert_eq!((all.routes().len(), all.registers()), (16, 1));
    /// assert_eq!(all.routes()[1], Route::Immediate { register: 0, offset: 16 * 72 * 2 });
    /// # Ok::<(), tiledesc::AccessError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`] if a lane cannot touch what it should, or of more than 64 instructions.
    pub const fn addressing(&self) -> Result<Addressing, AccessError> {
        if self.instructions() > Addressing::MOST as u64 {
            let instructions = self.instructions();
            return Err(AccessError::Step { step: Addressing::MOST as u64, instructions });
        }
        let mut registers = Registers { made: [Addresses::NONE; Addressing::MOST], len: 0 };
        let mut found = Addressing { routes: [Route::Computed; Addressing::MOST], len: 0 };
        while (found.len as u64) < self.instructions() {
            match self.touched(found.len as u64) {
                Ok(touched) => found.routes[found.len] = registers.route(touched.addresses()),
                Err(misfit) => return Err(misfit),
            }
            found.len += 1;
        }
        Ok(found)
    }
}

/// The address registers that there are so far.
struct Registers {
    made: [Addresses; Addressing::MOST],
    len: usize,
}

impl Registers {
    /// The largest constant of a DS instruction.
    const LARGEST: u32 = 0xffff;

    const fn route(&mut self, addresses: &Addresses) -> Route {
        let mut register = 0;
        while register < self.len {
            let distance = common(&self.made[register], addresses, Relation::Sum);
            if let Some(offset) = distance
                && offset <= Self::LARGEST
            {
                return Route::Immediate { register, offset };
            }
            register += 1;
        }
        self.made[self.len] = *addresses;
        self.len += 1;
        if self.len == 1 {
            return Route::Computed;
        }
        match common(&self.made[0], addresses, Relation::Xor) {
            Some(constant) => Route::Xor { constant },
            None => Route::Computed,
        }
    }
}

#[derive(Clone, Copy)]
enum Relation {
    Sum,
    Xor,
}

/// What takes every lane of the one to the other, if it is the same for all, and the
/// same lanes are active.
const fn common(one: &Addresses, other: &Addresses, relation: Relation) -> Option<u32> {
    if one.active() != other.active() {
        return None;
    }
    let (mut constant, mut lane) = (None, 0);
    while lane < Phases::LANES {
        if let (Some(from), Some(to)) = (one.get(lane), other.get(lane)) {
            let here = match relation {
                Relation::Sum => to.wrapping_sub(from),
                Relation::Xor => to ^ from,
            };
            match constant {
                Some(constant) if constant != here => return None,
                _ => constant = Some(here),
            }
        }
        lane += 1;
    }
    constant
}

macro_rules! methods {
    ($($Tile:ident<$($P:ident),*>)*) => {$(
        impl<$($P),*> $crate::recipe::$Tile<$($P),*> {
            /// How the accesses of a pattern over this layout get their addresses.
            ///
            #[doc = example!($Tile "```
use tiledesc::{chip::gfx942, prelude::*};

layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
let reads = Tile::addressing::<Whole<MfmaRows<16>>>(&gfx942::ds_read_b128).unwrap();
assert_eq!(
    reads.to_string(),
    \"16 accesses: 2 address registers, 14 immediate, 1 by one xor, 0 more computed\",
);
```")]
            ///
            /// # Errors
            ///
            /// As [`Placed::addressing`].
            pub const fn addressing<Walk: Pattern>(
                instruction: &Instruction,
            ) -> Result<Addressing, AccessError>
            where
                Self: Tile,
            {
                attempt!(Self::placed::<Walk>(instruction)).addressing()
            }
        }
    )*};
}
on_every_tile!(methods);
