//! The layout of a tile that takes the fewest cycles in all accesses of a kernel.
//!
//! ```text
//!   64x64 halves on gfx942, read by 16 rows: 8 instructions of 8 phases each             cycles
//!     row by row: the 8 lanes of a phase are 128 bytes apart, in 2 groups of banks          256
//!     16 bytes after each row: in 4 groups                                                  128
//!     packs xor-ed with the row: in 8 groups                                                 64   the floor
//! ```
//!
//! An access is the list of its phases: lanes that the banks serve together. A layout maps each coordinate to a byte,
//! and costs one cycle a phase, and one more for each further unit in the fullest group of banks. Families of layouts
//! are tried in the order below. What a family offers is taken only if the library's verdict confirms it
//! ([`Verdict`](tiledesc::bank::Verdict)).
//!
//! | family | layouts | searched |
//! |---|---|---|
//! | [`Family::Shifts`] | xors of a single shift, CK Tile's among them | all |
//! | [`Family::RowPads`] | elements after each row | all, up to one round of the banks |
//! | [`Family::IntervalPads`] | elements after every 64 to 1024 bytes; of a single row after any interval | all, up to one round of the banks |
//! | [`Family::Rotation`] | packs rotated by the row | the only one |
//! | [`Family::Masks`] | each bit of a line's number flips any bits of a pack's place in the line | branch and bound, then a climb |
//! | [`Family::Packs`] | every linear layout that keeps packs whole | branch and bound, then a climb |
//!
//! Each is tried with rows contiguous and with columns contiguous.
//!
//! ```
//! use tiledesc::{chip::gfx942, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
//! use tiledesc_host::search::find;
//!
//! let tile = Shape { rows: 64, columns: 64, bits: 16 };
//! let answer = find(tile, &[Use::new(Lanes::rows(16), &gfx942::ds_read_b128)])?;
//! assert_eq!((answer.best.layout, answer.best.cycles, answer.floor), (Spec::gemm_xor(8), 64, 64));
//! # Ok::<(), tiledesc::search::SynthesisError>(())
//! ```

// An error holds the numbers of its sentence, as those of the library do, and ends a search.
#![allow(clippy::result_large_err)]

mod address;
mod answer;
mod best;
mod candidate;
mod change;
mod climb;
mod columns;
mod descent;
mod form;
mod linear;
mod masks;
mod order;
mod packs;
mod pads;
mod phase;
mod question;
mod rotation;
mod shifts;
#[cfg(test)]
mod tests;

pub use address::address_instructions;
pub use answer::{Answer, Extent, Family, Known};
pub use candidate::Candidate;
pub use change::{Change, change};
pub use order::{Reordered, reorder};

use best::Best;
use question::Question;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::{SynthesisError, Use};

/// The layout of the fewest cycles; of those the one of the fewest bytes, then of the fewest address instructions.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::Shape, search::Use};
/// use tiledesc_host::search::find;
///
/// // 64x96 halves: one and a half rounds of the banks to a row. Each read alone is free, both together are not.
/// let tile = Shape { rows: 64, columns: 96, bits: 16 };
/// let write = Use::new(Lanes::row_major(), &gfx942::ds_write_b128);
/// let [one, other] = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128));
/// let answer = find(tile, &[write, one, other])?;
/// assert_eq!((answer.best.cycles, answer.floor), (352, 288));
/// assert_eq!(answer.to_string(), "recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 5]>: \
///     352 cycles, floor 288: no masks over packs do better");
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
///
/// # Errors
///
/// [`SynthesisError`]: an access that no layout holds, and why.
pub fn find(tile: Shape, uses: &[Use<'_>]) -> Result<Answer, SynthesisError> {
    answer(&Question::of_both_orders(tile, uses)?, tile, uses)
}

/// Finds the answer and every layout that a table of choices shows, the least first: as [`candidates`], with the best
/// among them.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::Shape, search::Use};
/// use tiledesc_host::search::find_all;
///
/// let tile = Shape { rows: 64, columns: 96, bits: 16 };
/// let [one, other] = [16, 32].map(|rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128));
/// let (answer, all) = find_all(tile, &[one, other])?;
/// assert!(answer.best == all[0] && all.len() > 10);
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
///
/// # Errors
///
/// As [`find`].
pub fn find_all(tile: Shape, uses: &[Use<'_>]) -> Result<(Answer, Vec<Candidate>), SynthesisError> {
    let orders = Question::of_both_orders(tile, uses)?;
    let mut answer = answer(&orders, tile, uses)?;
    let mut all = Best::new(tile, uses, true);
    // A search for what is less than the best comes further than one for the least of each family.
    all.keep(answer.best);
    search(&orders, &mut all);
    // It may be that one of those takes fewer address instructions.
    answer.best = all.kept[0];
    Ok((answer, all.kept))
}

/// The layouts that a table of choices shows: CK Tile's xors, every pad, the least of each other family; by cycles,
/// bytes and address instructions.
///
/// ```
/// use tiledesc::{chip::gfx942, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
/// use tiledesc_host::search::{candidates, front};
///
/// let tile = Shape { rows: 128, columns: 64, bits: 16 };
/// let all = candidates(tile, &[Use::new(Lanes::rows(16), &gfx942::ds_read_b128)])?;
/// let costs = |layout| all.iter().find(|one| one.layout == layout).map(|one| (one.cycles, one.bytes));
/// assert_eq!(costs(Spec::gemm_xor(8)), Some((128, 16_384)));
/// assert_eq!(costs(Spec::row_pad(8)), Some((256, 18_416)));
/// // A kernel that has room but no address instructions to spare takes the second.
/// let least: Vec<_> = front(&all).into_iter().map(|one| (one.cycles, one.bytes, one.address_instructions)).collect();
/// assert_eq!(least[0], (128, 16_384, Some(4)));
/// assert!(least.contains(&(512, 16_384, Some(2))));
/// # Ok::<(), tiledesc::search::SynthesisError>(())
/// ```
///
/// # Errors
///
/// As [`find`].
pub fn candidates(tile: Shape, uses: &[Use<'_>]) -> Result<Vec<Candidate>, SynthesisError> {
    find_all(tile, uses).map(|(_, all)| all)
}

/// The pad of the fewest bytes without any conflict, after rows or at intervals: for kernels that must keep the order
/// of a row's elements, or have the tensor data mover write the tile that has conflicts in order. Columns where an
/// access moves several elements of one.
///
/// ```
/// use tiledesc::{chip::gfx1250::ds_load_b128, pattern::Lanes, recipe::{Shape, Spec}, search::Use};
/// use tiledesc_host::search::free_pad;
///
/// // Four rows of 64 bytes fill 64 banks: 16 bytes after every 256, as the tensor data mover can write them.
/// let tile = Shape { rows: 128, columns: 32, bits: 16 };
/// let pad = free_pad(tile, &[Use::new(Lanes::rows(16), &ds_load_b128)]).unwrap();
/// assert_eq!((pad.layout, pad.bytes), (Spec::interval_pad(128, 8), 128 * 64 + 31 * 16));
/// ```
#[must_use]
pub fn free_pad(tile: Shape, uses: &[Use<'_>]) -> Option<Candidate> {
    let mut best = Best::new(tile, uses, false);
    let orders = Question::of_both_orders(tile, uses).ok()?;
    let question = orders.first()?;
    pads::rows(question, &mut best);
    pads::intervals(question, &mut best);
    best.kept.first().copied().filter(|least| least.weight <= question.floor)
}

/// The candidates that no other beats in one cost while being no worse in the rest: the choices among cycles, bytes and
/// address instructions.
#[must_use]
pub fn front(all: &[Candidate]) -> Vec<Candidate> {
    let is_beaten = |one: &Candidate| all.iter().any(|other| other.beats(one));
    all.iter().filter(|one| !is_beaten(one)).copied().collect()
}

/// A search of a family of layouts: it offers what it finds, and returns how far it searched.
type Search = fn(&Question<'_>, &mut Best<'_>) -> Extent;

/// The families in the order in which they are tried: first those that are counted in less than a millisecond.
const FAMILIES: [(Family, Search); 6] = [
    (Family::Shifts, shifts::search),
    (Family::RowPads, pads::rows),
    (Family::Rotation, rotation::search),
    (Family::Masks, masks::search),
    (Family::Packs, packs::search),
    (Family::IntervalPads, pads::intervals),
];

fn answer(
    orders: &[Question<'_>],
    tile: Shape,
    uses: &[Use<'_>],
) -> Result<Answer, SynthesisError> {
    let mut best = Best::new(tile, uses, false);
    let searched = search(orders, &mut best);
    let floor = orders.iter().map(|question| question.floor).min().unwrap_or(0);
    let best = best.kept.first().copied().ok_or_else(|| misfit(orders))?;
    Ok(Answer { tile, best, floor, searched })
}

/// The reason why no layout holds the accesses.
fn misfit(orders: &[Question<'_>]) -> SynthesisError {
    orders.iter().find_map(|question| question.misfit).unwrap_or(SynthesisError::NoUse)
}

/// Offers every family of both orders of memory; how far each was searched.
fn search(orders: &[Question<'_>], best: &mut Best<'_>) -> Vec<(Family, Extent)> {
    let mut of_order = |question: &Question<'_>| {
        best.offer(question, Spec::row_major());
        FAMILIES.map(|(family, search)| match best.is_done(question.floor) {
            true => (family, Extent::Nothing),
            false => (family, search(question, best)),
        })
    };
    let of_each: Vec<_> = orders.iter().map(&mut of_order).collect();
    let of_both = |i: usize| {
        let extents = of_each.iter().map(|order| order[i].1);
        Some((FAMILIES[i].0, extents.reduce(Extent::and)?))
    };
    (0..FAMILIES.len()).filter_map(of_both).collect()
}
