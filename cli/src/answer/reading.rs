//! CuTe's texts whose swizzle may count elements or bytes: a fault asks for the unit where it matters.
//!
//! ```text
//!   S<3,4,3> o 0 o (128,64):(64,1), f16      in elements 2-way by 16 rows, in bytes free: ask
//!   Sw<3,3,3> o 0 o (128,64):(64,1), f16     in bytes a ds_read_b128 would be torn: elements are meant
//! ```

use crate::request::access::Access;
use crate::request::fault::Fault;
use crate::request::spelling::coordinate;
use crate::request::tile::Tile;
use tiledesc::access::{AccessError, Placed};
use tiledesc::bank::Verdict;
use tiledesc::{Plan, chip::Chip};

/// The facts that are needed of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// The verdicts on its accesses.
    Verdicts,
    /// The offsets of its elements.
    Addresses,
}

/// Refuses tiles whose text does not decide the facts that are needed.
pub(crate) fn decided(tiles: Vec<Tile>, needs: Needs) -> Result<Vec<Tile>, Vec<Fault>> {
    let faults: Vec<_> = tiles.iter().filter_map(|tile| undecided(tile, needs)).collect();
    if faults.is_empty() { Ok(tiles) } else { Err(faults) }
}

/// The fault that the unit of a swizzle is missing, if the facts depend on it. A reading by which a stated access
/// cannot be is not meant.
pub(crate) fn undecided(tile: &Tile, needs: Needs) -> Option<Fault> {
    let in_bytes = tile.layout.in_bytes.as_ref()?;
    let elements = &tile.layout.plan;
    let pairs = || {
        let chips = tile.chips.iter().enumerate();
        chips.flat_map(|(at, chip)| tile.accesses.iter().map(move |access| (at, *chip, access)))
    };
    let fails = |plan| pairs().any(|(at, _, access)| verdict(tile, plan, access, at).is_err());
    if fails(in_bytes) {
        return None;
    }
    let read = if fails(elements) {
        "in elements an access cannot be, in bytes all can".to_string()
    } else if let Some(differs) =
        pairs().find_map(|(at, chip, access)| said(tile, [elements, in_bytes], (access, chip, at)))
    {
        differs
    } else if needs == Needs::Addresses {
        apart(elements, in_bytes)
    } else {
        return None;
    };
    let bits = tile.element.bits;
    let message = format!(
        "the swizzle may count elements or bytes, and the text does not say which: {read}; write the key \
         `unit`, \"elements\" or \"bytes\", or for bytes `smem_ptr[{bits}b](unset)` in the text"
    );
    Some(Fault::new(tile.layout.span.clone(), message))
}

fn verdict<'t>(
    tile: &'t Tile,
    plan: &'t Plan,
    access: &'t Access,
    at: usize,
) -> Result<Verdict<'t>, AccessError> {
    Placed::new(plan, tile.element.bits, access.lanes_on(at), &access.rows[at])?.verdict()
}

/// The sentence with both verdicts on an access, if they are not the same.
fn said(
    tile: &Tile,
    plans: [&Plan; 2],
    (access, chip, at): (&Access, &Chip, usize),
) -> Option<String> {
    let [elements, bytes] = plans.map(|plan| verdict(tile, plan, access, at).ok());
    let (elements, bytes) = (elements?, bytes?);
    let figures = |one: &Verdict<'_>| {
        (one.conflicts().race.is_some(), one.degree(), one.worst_degree(), one.active_cycles())
    };
    let words = |one: &Verdict<'_>| match figures(one) {
        (true, ..) => "a data race".to_string(),
        (_, _, 1, _) => "free of conflicts".to_string(),
        (_, _, degree, cycles) => format!("{degree}-way in {cycles} cycles"),
    };
    let (op, by) = (&access.op, &access.by);
    (figures(&elements) != figures(&bytes)).then(|| {
        format!(
            "{} {op} by {by} is {} in elements, {} in bytes",
            chip.name(),
            words(&elements),
            words(&bytes)
        )
    })
}

/// The sentence with the first coordinate whose offsets differ.
fn apart(elements: &Plan, bytes: &Plan) -> String {
    let differs = (0..elements.elements()).find_map(|number| {
        let index = elements.nth(number);
        let [first, second] = [elements, bytes].map(|plan| plan.offset(index.as_slice()));
        (first != second).then_some((index, first.ok()?, second.ok()?))
    });
    match differs {
        Some((index, first, second)) => {
            let at = coordinate(index.as_slice());
            format!("{at} lies at offset {first} in elements, at {second} in bytes")
        }
        None => "the offsets differ".to_string(),
    }
}
