//! `synthesize!` with its answer: the compiler judges the layout that is written there, and looks for none.
//!
//! ```text
//!   type Halves = F16 [64, 96] on gfx942: .. => recipe::DenseXor<..>; at most 352 cycles;
//!
//!   the compiler   is it a layout of F16 [64, 96], and do all accesses take 352 cycles or fewer?
//!   its test       does any other take fewer?
//! ```
//!
//! With `BLESS` in the compiler's environment nothing is refused here: the test writes a better one, and for that it has
//! to be built.

use super::asked::Asked;
use super::found::costs;
use super::instead::Copies;
use super::refusal::{fault, is_free_by_outline, refuse_fills, taken, with_free};
use super::stated_access::StatedAccess;
use crate::access::placed::laid;
use crate::bank::outlined;
use crate::element::Element;
use crate::layout::{Tile, check, known, outline};
use crate::recipe::Shape;
use crate::search::{Use, Weight};
use tiledesc_transforms::{List, Text, say};

/// The cost of a layout that [`synthesize!`](crate::synthesize!) declares with its answer.
///
/// It may be any layout, so there is no [`Spec`](crate::recipe::Spec) of it, as a [`Declared`](super::Declared) has.
///
/// ```
/// use tiledesc::prelude::*;
///
/// synthesize! {
///     type Halves = F16 [64, 96] on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>
///     => recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>;
///     at most 352 cycles;
/// }
/// assert_eq!((Halves.cycles, Halves.floor, Halves.is_free), (352, 288, false));
/// assert_eq!(Halves.to_string(), "352 cycles, floor 288");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Certified {
    /// Cycles of all accesses, by the rows' own sources.
    pub cycles: u64,
    /// Cycles of all accesses, by the sources that dispute rows; equal where no row is disputed or the others agree.
    pub rival_cycles: u64,
    /// Cycles without any conflict: no layout takes fewer.
    pub floor: u64,
    /// True if there is no conflict, by any source.
    pub is_free: bool,
    /// True for a layout of the tile that serves every access as the statement asks, conflicts apart.
    serves: bool,
    tile: Shape,
    element: &'static str,
    accesses: &'static [StatedAccess<'static>],
    /// The number of accesses of one chip, which come one after the other.
    of_chip: usize,
}

/// A limit that every layout keeps.
#[doc(hidden)]
pub const ANY: u64 = u64::MAX;

impl Certified {
    /// The more of its own cycles and those by other sources: what `at most` counts.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// synthesize! {
    ///     type ABlock = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<16>
    ///     => recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    /// }
    /// assert_eq!(ABlock.most_cycles(), 128);
    /// ```
    #[must_use]
    pub const fn most_cycles(&self) -> u64 {
        if self.cycles < self.rival_cycles { self.rival_cycles } else { self.cycles }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn asked(&self) -> Asked {
        let Self { tile, element, accesses, .. } = *self;
        let taken = if self.serves { Some(self.most_cycles()) } else { None };
        Asked { tile, element, accesses, taken }
    }

    const fn text(&self, text: Text) -> Text {
        let Self { cycles, rival_cycles, floor, is_free, .. } = *self;
        costs(text, [cycles, rival_cycles], floor, is_free)
    }

    /// Adds what an access takes; `None` if something is wrong with it that is no conflict.
    const fn and<T: Tile>(mut self, stated: &StatedAccess<'_>) -> Option<Self> {
        let Use { lanes, instruction, times, .. } = stated.uses();
        // Mostly the outline tells, and a plan is never made.
        if is_free_by_outline::<T>(stated) {
            let cycles = outlined::cycles::<T>(&lanes, instruction) * times as u64;
            self.cycles += cycles;
            self.rival_cycles += cycles;
            self.floor += cycles;
            return Some(self);
        }
        let Ok(placed) = laid::<T>(lanes, instruction) else { return None };
        match placed.verdict_without_pair() {
            Ok(verdict)
                if verdict.conflicts().race.is_none()
                    && stated.is_of_its_verb()
                    && !stated.is_weak(&verdict) =>
            {
                let [own, rival] = Weight::new(&verdict, times).by_source;
                self.cycles += own;
                self.rival_cycles += rival;
                self.floor += verdict.base_cycles() * times as u64;
                self.is_free = self.is_free && verdict.is_free();
                Some(self)
            }
            _ => None,
        }
    }
}

impl core::fmt::Display for Certified {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text(Text::new()).as_str())
    }
}

/// The lengths of a layout, if it can be.
const fn lengths<T: Tile>() -> Option<List> {
    match outline::<T>() {
        Some(outline) => Some(outline.digits().lengths()),
        None => lengths_of_plan::<T>(),
    }
}

/// A function, because the constants that a body names are evaluated whether it gets to them or not.
const fn lengths_of_plan<T: Tile>() -> Option<List> {
    match known::<T>() {
        Ok(plan) => Some(plan.lengths()),
        Err(_) => None,
    }
}

/// Returns whether a layout is one of the tile.
const fn is_of<T: Tile>(tile: Shape) -> bool {
    match lengths::<T>() {
        Some(lengths) => {
            matches!(lengths.as_slice(), [rows, columns] if *rows == tile.rows && *columns == tile.columns)
                && T::Element::BITS == tile.bits
        }
        None => false,
    }
}

/// Returns whether the direct loads that the accesses name can fill a layout.
const fn is_filled<T: Tile>(accesses: &[StatedAccess<'_>], of_chip: usize) -> bool {
    let mut i = 0;
    while i < accesses.len() {
        if let Some(fill) = accesses[i].uses().fill
            && let Ok(plan) = known::<T>()
            && fill.plan(plan, T::Element::BITS).is_err()
        {
            return false;
        }
        i += of_chip;
    }
    true
}

/// Returns the cost of a layout, of an element `E` as the statement has it; [`confirm`] and [`refuse_certified`] report what is
/// wrong with it.
#[doc(hidden)]
#[must_use]
pub const fn certify<T: Tile, E: Element, const C: usize, const N: usize>(
    [rows, columns]: [usize; 2],
    accesses: &'static [[StatedAccess<'static>; N]; C],
) -> Certified {
    let tile = Shape { rows: rows as u32, columns: columns as u32, bits: E::BITS };
    let accesses = accesses.as_flattened();
    let nothing = Certified {
        cycles: 0,
        rival_cycles: 0,
        floor: 0,
        is_free: false,
        serves: false,
        tile,
        element: E::TYPE,
        accesses,
        of_chip: N,
    };
    if !is_of::<T>(tile) || !is_filled::<T>(accesses, N) {
        return nothing;
    }
    let (mut sum, mut i) = (Certified { is_free: true, serves: true, ..nothing }, 0);
    while i < accesses.len() {
        sum = match sum.and::<T>(&accesses[i]) {
            Some(sum) => sum,
            None => return nothing,
        };
        i += 1;
    }
    sum
}

/// Refuses what is no layout of the tile, what its direct load cannot fill, and what takes more cycles than stated.
///
/// # Panics
///
/// With the numbers of both.
#[doc(hidden)]
#[track_caller]
pub const fn confirm<T: Tile>(
    name: &str,
    certified: &Certified,
    limit: Option<u64>,
    bless: Option<&str>,
) {
    if bless.is_some() {
        return;
    }
    check::<T>(name);
    let Certified { tile, accesses, of_chip, .. } = *certified;
    if !is_of::<T>(tile) {
        other::<T>(say!(Text::new(): str(name), ": "), certified).refuse()
    }
    refuse_fills::<T>(name, accesses, of_chip);
    if let Some(limit) = limit
        && certified.most_cycles() > limit
    {
        let text = certified.text(say!(Text::new(): str(name), ": "));
        let text = say!(text: ": the statement says `at most ", limit, " cycles`");
        text.str("\n`BLESS=1 cargo test` writes the best").refuse()
    }
}

/// "the layout is F16 [64, 64], the statement says F16 [64, 96]"
const fn other<T: Tile>(text: Text, certified: &Certified) -> Text {
    let text = say!(text: "the layout is ", str(T::Element::TYPE), " [");
    let (mut text, mut i) = (text, 0);
    if let Some(lengths) = lengths::<T>() {
        while i < lengths.len() {
            text = if i == 0 { text } else { text.str(", ") };
            text = say!(text: lengths.at(i));
            i += 1;
        }
    }
    let Shape { rows, columns, .. } = certified.tile;
    say!(text:
        "], the statement says ", str(certified.element), " [", rows, ", ", columns,
        "]\n`BLESS=1 cargo test` writes one for that"
    )
}

/// Refuses one access of the statement, on any chip: what conflicts where no limit is stated, and what is wrong
/// otherwise.
///
/// # Panics
///
/// As `assert_conflict_free!`, and with what to do about it.
#[doc(hidden)]
#[track_caller]
pub const fn refuse_certified<T: Tile>(
    name: &str,
    certified: &Certified,
    access: usize,
    limit: Option<u64>,
    bless: Option<&str>,
) {
    let Certified { tile, accesses, of_chip, serves, is_free, .. } = *certified;
    // Of another tile nothing more is said.
    if bless.is_some() || serves && (is_free || limit.is_some()) || !is_of::<T>(tile) {
        return;
    }
    let mut i = access;
    while i < accesses.len() {
        // Where all are served, only conflicts are wrong, and of these only what is free is better.
        if serves {
            if let Some(text) = conflicts::<T>(name, &accesses[i]) {
                let text =
                    with_free::<T>(text, accesses).str("\n`BLESS=1 cargo test` writes the best");
                say!(text: "; to take this, add `at most ", certified.most_cycles(), " cycles;`")
                    .refuse()
            }
        } else if !(limit.is_some() && taken::<T>(name, &accesses[i]).is_some())
            && let Some(text) = fault::<T>(name, accesses, i, Copies::ONE)
        {
            text.refuse()
        }
        i += of_chip;
    }
}

/// The conflicts of an access, if it has any.
const fn conflicts<T: Tile>(name: &str, stated: &StatedAccess<'_>) -> Option<Text> {
    let Use { lanes, instruction, .. } = stated.uses();
    let Ok(placed) = laid::<T>(lanes, instruction) else { return None };
    match placed.verdict() {
        Ok(verdict) if !verdict.is_free() => Some(stated.finding(stated.head(name), &verdict)),
        _ => None,
    }
}

/// Refuses a declaration with `_` in place of the layout.
///
/// # Panics
///
/// Always, but while the test writes it.
#[doc(hidden)]
#[track_caller]
pub const fn refuse_blank(name: &str, bless: Option<&str>) {
    if bless.is_none() {
        let text = say!(Text::new(): str(name), ": `_` stands for the layout");
        text.str(": `BLESS=1 cargo test` writes it").refuse()
    }
}
