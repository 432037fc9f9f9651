//! `convert!`: from one distribution to another through LDS, by the instructions and the layout of the fewest cycles that the
//! compiler tries.
//!
//! ```text
//!   type Tile = F16 [128, 64] on gfx942: type Stores from Sums, type Loads to Rows;
//!
//!   const Tile: Converted = convert::<F16, Sums, Rows>([128, 64], "gfx942", ["Sums", "Rows"]);
//!   type Tile = Layout<F16, the recipe of the constant's numbers>;      as `synthesize!` makes it
//!   type Stores = Accesses<Sums, Tile, Lit<{ Tile.packs[0] }>>;         ds_write_b64
//!   type Loads = Accesses<Rows, Tile, Lit<{ Tile.packs[1] }>>;          ds_read_b64
//! ```
//!
//! A pair of instructions is asked for a layout only while its cycles without conflicts are fewer than the best takes. Behind
//! `by any` an instruction may hand round what lanes address, `ldmatrix` and the like; then, and of a declaration with
//! parameters, the accesses are a [`Side`](super::converting::Side).

use super::declaration::{LayoutNumbers, confirm_found, shape};
use super::found::costs;
use super::stated_access::StatedAccess;
use crate::chip::instruction::{Access, Instruction};
use crate::chip::rows_of;
use crate::distribution::{Distribution, Encoding};
use crate::element::Element;
use crate::layout::Tile;
use crate::search::{Synthesis, SynthesisError};
use tiledesc_transforms::{Text, any, range, say};

/// The conversion that [`convert!`](crate::convert!) declares: the instructions, and what is known of its layout.
///
/// ```
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// Rows of 64, 8 to a lane; and the same tile, columns of 8 to a lane.
///     type Rows: m [again 2, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
///     type Wide: m [wave 4, row 16], k [quarter 4, half 16]; wave (wave), lane (row, quarter), thread (half);
/// }
/// convert! { type Tile = F16 [64, 64] on gfx942: type Stores from Rows, type Loads to Wide; }
/// assert_eq!(Tile.instructions(), ["ds_write_b128", "ds_read_b128"]);
/// assert_eq!((Tile.cycles, Tile.least), (128, 128));
/// assert_eq!(Tile.rows().map(|row| (row.bytes(), row.hands_round())), [(16, false); 2]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Converted {
    found: Synthesis,
    #[doc(hidden)]
    pub numbers: LayoutNumbers,
    /// Elements that an instruction moves: of the store, of the load.
    #[doc(hidden)]
    pub packs: [usize; 2],
    stated: [StatedAccess<'static>; 2],
    /// The fewest cycles of any instructions that are tried and move what lanes hold, with whatever layout.
    pub least: u64,
    /// Which side may hand round what lanes address.
    any: [bool; 2],
    element: &'static str,
}

impl Converted {
    /// Returns what was found for these instructions, for constants.
    #[must_use]
    pub const fn found(&self) -> &Synthesis {
        &self.found
    }

    /// The names of the instructions: the store, the load.
    #[must_use]
    pub const fn instructions(&self) -> [&'static str; 2] {
        let [store, load] = self.rows();
        [store.name(), load.name()]
    }

    /// The rows of the instructions: the store, the load.
    #[must_use]
    pub const fn rows(&self) -> [&'static Instruction; 2] {
        [self.stated[0].instruction(), self.stated[1].instruction()]
    }

    /// The same with the distributions by these names.
    #[doc(hidden)]
    #[must_use]
    pub const fn by(mut self, [from, to]: [&'static str; 2]) -> Self {
        self.stated = [self.stated[0].by(from), self.stated[1].by(to)];
        self
    }

    pub(super) const fn explain(&self, text: Text) -> Text {
        let [store, load] = self.instructions();
        let text = say!(text: str(store), ", ", str(load), " by ");
        let Synthesis { layout, tile, cycles, rival_cycles, .. } = self.found;
        let text = layout.explain(text, self.element, tile).str(": ");
        let is_least = self.found.is_free && cycles == self.least;
        costs(text, [cycles, rival_cycles], self.least, is_least)
    }
}

impl core::ops::Deref for Converted {
    type Target = Synthesis;

    fn deref(&self) -> &Synthesis {
        &self.found
    }
}

impl core::fmt::Display for Converted {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.explain(Text::new()).as_str())
    }
}

/// One way to move what lanes hold: the row, its instructions, and its cycles without conflicts, of all waves.
#[derive(Clone, Copy)]
struct Way {
    row: &'static Instruction,
    instructions: u64,
    floor: u64,
}

impl Way {
    /// The way of a row; `None` if it does not move what lanes hold.
    const fn new(
        encoding: &Encoding,
        row: &'static Instruction,
        access: Access,
        bits: u32,
    ) -> Option<Self> {
        let bytes = row.bytes();
        let is_one = row.access().is(access) && row.parts() == 1 && bytes.is_power_of_two();
        if !is_one || bits == 0 || !(row.held_bytes() * 8).is_multiple_of(bits) {
            return None;
        }
        let held = row.held_bytes() * 8 / bits;
        if held == 0 {
            return None;
        }
        let moves = match row.fragments().is_own() {
            true => holds(encoding, held),
            // Of an address that is less aligned the chip has another row.
            false => bytes == row.alignment() && row.addresses_of(encoding, bits).is_some(),
        };
        if !moves {
            return None;
        }
        let instructions = encoding.waves() as u64 * (encoding.elements() / held) as u64;
        let floor = instructions * row.service().phases.count() as u64;
        Some(Self { row, instructions, floor })
    }

    /// Returns whether both move the same elements to the same places, if by other numbers of instructions.
    const fn is_like(&self, other: &Self) -> bool {
        let (one, another) = (self.row.fragments(), other.row.fragments());
        one.is_like(another) && (!one.is_own() || self.row.bytes() == other.row.bytes())
    }

    const fn is_better(&self, other: &Self) -> bool {
        self.floor < other.floor
            || self.floor == other.floor && self.instructions < other.instructions
    }
}

/// The ways of one side, the best of each kind: of 16, 8, 4, 2 and 1 bytes, and of each way to hand them round.
struct Ways {
    ways: [Option<Way>; Self::MOST],
    least: u64,
}

impl Ways {
    const MOST: usize = 9;

    /// The ways of a chip's rows; by `any` also those that hand round what lanes address.
    const fn new(
        encoding: &Encoding,
        rows: &'static [Instruction],
        access: Access,
        bits: u32,
        any: bool,
    ) -> Self {
        let mut all = Self { ways: [None; Self::MOST], least: u64::MAX };
        range!(i, 0..rows.len(), {
            if (any || rows[i].fragments().is_own())
                && let Some(way) = Way::new(encoding, &rows[i], access, bits)
            {
                all.add(way);
            }
        });
        all
    }

    const fn add(&mut self, way: Way) {
        range!(i, 0..Self::MOST, {
            let is_place = match &self.ways[i] {
                Some(known) if !known.is_like(&way) => false,
                Some(known) if !way.is_better(known) => return,
                _ => true,
            };
            if is_place {
                self.ways[i] = Some(way);
                self.least = if way.floor < self.least { way.floor } else { self.least };
                return;
            }
        });
    }
}

/// Returns whether a lane holds so many contiguous elements in consecutive registers.
const fn holds(encoding: &Encoding, pack: u32) -> bool {
    any!(along, 0..encoding.rank(), encoding.has_vectors(along, pack))
}

/// Returns the conversion of the fewest cycles, for the constants of what is declared; [`confirm`] reports what is wrong with it.
#[doc(hidden)]
#[must_use]
pub const fn convert<E: Element, From: Distribution, To: Distribution>(
    tile: [usize; 2],
    chip: &'static str,
    [from, to]: [&'static str; 2],
    any: [bool; 2],
) -> Converted {
    let (shape, rows) = (shape::<E>(tile), rows_of(chip));
    let nothing = Converted {
        found: Synthesis::unknown(shape),
        numbers: LayoutNumbers::new(&Synthesis::unknown(shape).layout, shape),
        packs: [1; 2],
        stated: [
            StatedAccess::new::<From>(chip, from, Access::Write, &rows[0]),
            StatedAccess::new::<To>(chip, to, Access::Read, &rows[0]),
        ],
        least: 0,
        any,
        element: E::TYPE,
    };
    let (Ok(stored), Ok(loaded)) = (&From::ENCODING, &To::ENCODING) else { return nothing };
    let stores = Ways::new(stored, rows, Access::Write, E::BITS, any[0]);
    let loads = Ways::new(loaded, rows, Access::Read, E::BITS, any[1]);
    let mut best = Converted { least: stores.least.saturating_add(loads.least), ..nothing };
    let mut tried = [[false; Ways::MOST]; Ways::MOST];
    while let Some([i, j]) = next(&stores, &loads, &tried, &best) {
        tried[i][j] = true;
        let (Some(store), Some(load)) = (stores.ways[i], loads.ways[j]) else { continue };
        let stated = [
            StatedAccess::new::<From>(chip, from, Access::Write, store.row),
            StatedAccess::new::<To>(chip, to, Access::Read, load.row),
        ];
        if let Ok(found) = shape.synthesize(&[stated[0].uses(), stated[1].uses()])
            && (best.found.cycles == 0 || found.most_cycles() < best.found.most_cycles())
        {
            best.found = found;
            best.numbers = LayoutNumbers::new(&found.layout, shape);
            best.packs = [
                (store.row.bytes() * 8 / E::BITS) as usize,
                (load.row.bytes() * 8 / E::BITS) as usize,
            ];
            best.stated = stated;
        }
    }
    best
}

/// The pair that is to be tried next: of those that may beat the best, the one of the fewest cycles without conflicts; of equal
/// ones that of the fewest instructions, and one by which each lane gets what it addresses.
const fn next(
    stores: &Ways,
    loads: &Ways,
    tried: &[[bool; Ways::MOST]; Ways::MOST],
    best: &Converted,
) -> Option<[usize; 2]> {
    let (mut pair, mut least) = (None, [u64::MAX; 3]);
    if best.found.cycles > 0 {
        least = [best.found.most_cycles(), 0, 0];
    }
    range!(i, 0..tried.len(), {
        range!(j, 0..tried.len(), {
            if let (false, Some(store), Some(load)) = (tried[i][j], &stores.ways[i], &loads.ways[j])
            {
                let handed = store.row.hands_round() as u64 + load.row.hands_round() as u64;
                let instructions = store.instructions + load.instructions;
                let cost = [store.floor + load.floor, instructions, handed];
                if is_less(&cost, &least) {
                    (pair, least) = (Some([i, j]), cost);
                }
            }
        });
    });
    pair
}

const fn is_less(one: &[u64; 3], other: &[u64; 3]) -> bool {
    range!(i, 0..one.len(), {
        if one[i] != other[i] {
            return one[i] < other[i];
        }
    });
    false
}

/// Judges the type that was declared: the analyzer must confirm the result of the search.
///
/// # Panics
///
/// If nothing was found, or nothing without conflicts, without a limit.
#[doc(hidden)]
#[track_caller]
pub const fn confirm<T: Tile, From: Distribution, To: Distribution>(
    name: &str,
    tile: [usize; 2],
    chip: &'static str,
    converted: &Converted,
    limit: Option<u64>,
) {
    let text = say!(Text::new(): str(name), ": ");
    if let (Ok(stored), Ok(loaded)) = (&From::ENCODING, &To::ENCODING)
        && let Err(fault) = stored.is_named_as(loaded)
    {
        fault.explain(text).refuse()
    }
    if converted.found.cycles == 0 {
        none::<T::Element, From, To>(text, tile, chip, converted).refuse()
    }
    let is_enough = match limit {
        Some(limit) => converted.found.most_cycles() <= limit,
        None => converted.found.is_free,
    };
    if !is_enough {
        let text = converted.explain(text.str("the best that the compiler tries is "));
        let text = match limit {
            Some(limit) => say!(text: "\nThe statement says `at most ", limit, " cycles`"),
            None => say!(text:
                "\nTo take it, end with `at most ", converted.found.most_cycles(), " cycles;`"
            ),
        };
        text.str("\n`tiledesc_host::conversion::Conversion::between` tries all linear layouts")
            .refuse()
    }
    confirm_found::<T>(name, &converted.stated, &converted.found);
}

/// The reason why there is no conversion.
const fn none<E: Element, From: Distribution, To: Distribution>(
    text: Text,
    tile: [usize; 2],
    chip: &str,
    converted: &Converted,
) -> Text {
    let (stored, loaded) = match (&From::ENCODING, &To::ENCODING) {
        (Ok(stored), Ok(loaded)) => (stored, loaded),
        (Err(fault), _) | (_, Err(fault)) => return fault.explain(text),
    };
    let (shape, rows) = (shape::<E>(tile), rows_of(chip));
    let sides = [(stored, Access::Write), (loaded, Access::Read)];
    let mut uses = [converted.stated[0].uses(), converted.stated[1].uses()];
    range!(side, 0..sides.len(), {
        let ways = Ways::new(sides[side].0, rows, sides[side].1, E::BITS, converted.any[side]);
        match widest(&ways) {
            Some(row) => uses[side].instruction = row,
            None => {
                return say!(text:
                    str(chip), " has no instruction to ", str(["store", "load"][side]), " what a lane holds of elements of ",
                    E::BITS, " bits"
                );
            }
        }
    });
    match shape.synthesize(&uses) {
        Ok(_) => text.str("this is a fault of tiledesc"),
        Err(error @ SynthesisError::Crossed { .. }) => error.reason(text),
        Err(error) => {
            let text = match error.access() {
                Some(access) => say!(text: str(uses[access - 1].instruction.name()), ": "),
                None => text,
            };
            error.reason(text)
        }
    }
}

/// The row of the fewest instructions.
const fn widest(ways: &Ways) -> Option<&'static Instruction> {
    let (mut widest, mut fewest) = (None, u64::MAX);
    range!(i, 0..ways.ways.len(), {
        if let Some(way) = &ways.ways[i]
            && way.instructions < fewest
        {
            (widest, fewest) = (Some(way.row), way.instructions);
        }
    });
    widest
}

/// Converts what lanes hold by one distribution to another, through LDS: the compiler chooses the instruction that stores, the one
/// that loads, and the layout between them.
///
/// The result of a matrix instruction is to be stored 16 bytes a lane:
///
/// ```
/// use tiledesc::matrix::mfma;
/// use tiledesc::prelude::*;
///
/// type Sums = mfma::F16_32x32x8::Ct; // 4 neighbours of a row a lane, four times
/// distribution! {
///     /// 16 rows of 32 halves at a time, 8 a lane.
///     type Rows: m [again 2, row 16], n [chunk 4, half 8]; lane (row, chunk), thread (again, half);
/// }
/// convert! {
///     /// Through LDS.
///     type Tile = F16 [32, 32] on gfx942: type Stores from Sums, type Loads to Rows;
/// }
/// assert_eq!(Tile.instructions(), ["ds_write_b64", "ds_read_b64"]);
/// assert_eq!((Tile.cycles, Tile.least), (32, 32));
///
/// // In the kernel.
/// let (mut lds, mut rows) = ([0u16; 2 * 1024], [0u16; 16]);
/// for lane in 0..64 {
///     let sums: [u16; 16] = core::array::from_fn(|element| {
///         let [m, n] = Sums::coordinate(0, lane, element);
///         (32 * m + n) as u16
///     });
///     Stores::each_from(0, lane, &sums, |at, held: &[u16; 4]| {
///         lds[at.index::<u16>()..][..4].copy_from_slice(held);
///     });
/// }
/// Loads::each_into(0, 9, &mut rows, |at, held: &mut [u16; 4]| {
///     held.copy_from_slice(&lds[at.index::<u16>()..][..4]);
/// });
/// // Lane 9 has row 2, from column 8 on, and row 18.
/// assert_eq!((rows[0], rows[15]), (2 * 32 + 8, 18 * 32 + 15));
/// ```
///
/// The name of the tile is a constant too, a [`Converted`](crate::statement::Converted): the instructions, their cycles, and
/// `least`, which no other instructions that are tried go below. What keeps conflicts does not compile, unless it ends with
/// `at most 96 cycles;`. `tiledesc_host::conversion`, which searches at run time, tries all linear layouts.
///
/// # By any instruction
///
/// By default each lane moves what it addresses. Behind `by any` an instruction may hand it round, as `ldmatrix`, `stmatrix` and
/// the transposing reads do; the accesses are a [`Side`](crate::statement::Side), whose closure issues the instruction that was
/// chosen:
///
/// ```
/// use tiledesc::matrix::mma;
/// use tiledesc::prelude::*;
///
/// // Columns of 16 are stored, and the matrix instruction wants pairs along k.
/// distribution! { type Columns: m [chunk 2, half 8], k [column 16]; lane (column, chunk), thread (half); }
/// convert! { type Tile = F16 [16, 16] on sm_80: type Stores from Columns, type Loads to mma::A<U16, U2> by any; }
/// assert_eq!(Tile.instructions(), ["st.shared.b128", "ldmatrix.x4.trans"]);
/// ```
///
/// # In a generic kernel
///
/// With parameters the conversion is found for each tile, element and chip that a kernel is called with, and what is wrong with it
/// is said there, by `cargo build`. The layout places packs bit by bit, and the rows may be 48 in number, for example. If the best
/// layout has pads, or the number of packs in a row is not a power of two, declare the conversion without parameters:
///
/// ```
/// use tiledesc::chip::{Gfx90a, Gfx950, Target};
/// use tiledesc::matrix::mfma;
/// use tiledesc::prelude::*;
///
/// distribution! { type Rows: m [again 2, row 16], n [chunk 4, half 8]; lane (row, chunk), thread (again, half); }
/// convert! {
///     type Tile<E: Element, C: Target> = E [32, 32] on C:
///         type Stores from mfma::F16_32x32x8::Ct, type Loads to Rows;
/// }
/// /// The bytes that lane 9 stores to.
/// fn epilogue<E: Element, C: Target>() -> Vec<u32> {
///     let mut bytes = Vec::new();
///     Stores::<E, C>::each(0, 9, |byte, immediate, _, _| bytes.push(byte + immediate));
///     bytes
/// }
/// assert_eq!(epilogue::<F16, Gfx90a>().len(), 4);
/// assert_eq!(Loads::<F32, Gfx950>::CONVERTED.instructions(), ["ds_write_b128", "ds_read_b128"]);
/// ```
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// distribution! {
///     type Rows: m [row 64], k [half 8]; lane (row), thread (half);
///     type Half: m [row 32], k [two 2, half 8]; lane (two, row), thread (half);
/// }
/// convert! { type Tile = F16 [64, 8] on gfx942: type Stores from Rows, type Loads to Half; }
/// // Tile: ds_read_b128: the distribution covers a tile of [32, 16], but the layout's tile is [64, 8]
/// ```
#[doc(alias = "convert_layout")]
#[macro_export]
macro_rules! convert {
    ($($declarations:tt)*) => { $crate::__conversions! { {$crate} $($declarations)* } };
}
