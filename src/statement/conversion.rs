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
//! A pair of instructions is asked for a layout only while its cycles without conflicts are fewer than the best takes.

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
    /// The fewest cycles of any instructions that move what lanes hold, with whatever layout.
    pub least: u64,
    element: &'static str,
}

impl Converted {
    /// Returns what was found for these instructions, for constants.
    #[must_use]
    pub const fn found(&self) -> &Synthesis {
        &self.found
    }

    /// The instructions: the store, the load.
    #[must_use]
    pub const fn instructions(&self) -> [&'static str; 2] {
        [self.stated[0].instruction().name(), self.stated[1].instruction().name()]
    }

    const fn explain(&self, text: Text) -> Text {
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

/// One way to move what lanes hold: the row, and its cycles without conflicts, of all waves.
#[derive(Clone, Copy)]
struct Way {
    row: &'static Instruction,
    floor: u64,
}

/// The ways of one side, the widest first: of 16, 8, 4, 2 and 1 bytes.
struct Ways {
    ways: [Option<Way>; Self::WIDTHS.len()],
    least: u64,
}

impl Ways {
    const WIDTHS: [u32; 5] = [16, 8, 4, 2, 1];

    const fn of(
        encoding: &Encoding,
        rows: &'static [Instruction],
        access: Access,
        bits: u32,
    ) -> Self {
        let mut all = Self { ways: [None; Self::WIDTHS.len()], least: u64::MAX };
        range!(width, 0..Self::WIDTHS.len(), {
            let bytes = Self::WIDTHS[width];
            range!(i, 0..rows.len(), {
                let (row, pack) = (&rows[i], bytes * 8 / bits);
                let is_of_width = row.bytes() == bytes && row.access().is(access);
                let is_plain = row.parts() == 1 && row.fragments().is_own();
                if all.ways[width].is_none() && is_of_width && is_plain && holds(encoding, pack) {
                    let instructions =
                        encoding.waves() as u64 * (encoding.elements() / pack) as u64;
                    let floor = instructions * row.service().phases.count() as u64;
                    all.ways[width] = Some(Way { row, floor });
                    all.least = if floor < all.least { floor } else { all.least };
                }
            });
        });
        all
    }
}

/// Returns whether a lane holds so many contiguous elements in consecutive registers.
const fn holds(encoding: &Encoding, pack: u32) -> bool {
    pack > 0 && any!(along, 0..encoding.rank(), encoding.has_vectors(along, pack))
}

/// Returns the conversion of the fewest cycles, for the constants of what is declared; [`confirm`] reports what is wrong with it.
#[doc(hidden)]
#[must_use]
pub const fn convert<E: Element, From: Distribution, To: Distribution>(
    tile: [usize; 2],
    chip: &'static str,
    [from, to]: [&'static str; 2],
) -> Converted {
    let (shape, rows) = (shape::<E>(tile), rows_of(chip));
    let nothing = Converted {
        found: Synthesis::unknown(shape),
        numbers: LayoutNumbers::of(&Synthesis::unknown(shape).layout, shape),
        packs: [1; 2],
        stated: [
            StatedAccess::new::<From>(chip, from, Access::Write, &rows[0]),
            StatedAccess::new::<To>(chip, to, Access::Read, &rows[0]),
        ],
        least: 0,
        element: E::TYPE,
    };
    let (Ok(stored), Ok(loaded)) = (&From::ENCODING, &To::ENCODING) else { return nothing };
    let stores = Ways::of(stored, rows, Access::Write, E::BITS);
    let loads = Ways::of(loaded, rows, Access::Read, E::BITS);
    let mut best = Converted { least: stores.least.saturating_add(loads.least), ..nothing };
    let mut tried = [[false; Ways::WIDTHS.len()]; Ways::WIDTHS.len()];
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
            best.numbers = LayoutNumbers::of(&found.layout, shape);
            best.packs = [
                (store.row.bytes() * 8 / E::BITS) as usize,
                (load.row.bytes() * 8 / E::BITS) as usize,
            ];
            best.stated = stated;
        }
    }
    best
}

/// The pair that is to be tried next: of those that may beat the best, the one of the fewest cycles without conflicts.
const fn next(
    stores: &Ways,
    loads: &Ways,
    tried: &[[bool; Ways::WIDTHS.len()]; Ways::WIDTHS.len()],
    best: &Converted,
) -> Option<[usize; 2]> {
    let (mut pair, mut fewest) = (None, u64::MAX);
    if best.found.cycles > 0 {
        fewest = best.found.most_cycles();
    }
    range!(i, 0..tried.len(), {
        range!(j, 0..tried.len(), {
            if let (false, Some(store), Some(load)) = (tried[i][j], stores.ways[i], loads.ways[j])
                && store.floor + load.floor < fewest
            {
                (pair, fewest) = (Some([i, j]), store.floor + load.floor);
            }
        });
    });
    pair
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
        let ways = Ways::of(sides[side].0, rows, sides[side].1, E::BITS);
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

const fn widest(ways: &Ways) -> Option<&'static Instruction> {
    range!(i, 0..ways.ways.len(), {
        if let Some(way) = ways.ways[i] {
            return Some(way.row);
        }
    });
    None
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
/// `least`, which no other instructions of the chip go below. What keeps conflicts does not compile, unless it ends with
/// `at most 96 cycles;`. `ldmatrix`, `stmatrix` and transposing reads are not tried: `tiledesc_host::conversion`, which searches at
/// run time, has them, and all linear layouts.
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
