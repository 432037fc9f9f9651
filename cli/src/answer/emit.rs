//! Headers for other languages, as the library writes them, from the tiles of a file.

use crate::answer::judge::{Demand, Judged, judge};
use crate::answer::refusal::Refusal;
use crate::request::fault::Source;
use crate::request::tile::Tile;
use std::path::Path;
use tiledesc::chip::Access as Direction;
use tiledesc::emit::{EmitError, Form, Header};

/// What one tile is in a language, without the head of a file.
pub(crate) fn of_tile(form: Form, tile: &Tile) -> Result<String, Refusal> {
    let mut header = Header::new(form);
    section(&mut header, tile)?;
    Ok(header.text().to_string())
}

/// The header of some tiles.
pub(crate) fn header(
    form: Form,
    source: &Source,
    tiles: &[Tile],
    stem: &str,
) -> Result<String, Refusal> {
    let from = Path::new(&source.name).file_name();
    let from = from.map_or_else(|| source.name.clone(), |name| name.to_string_lossy().into_owned());
    let version = env!("CARGO_PKG_VERSION");
    let about = match source.is_file() {
        true => format!("Made by tiledesc {version} from {from}: edit that file, not this one."),
        false => format!("Made by tiledesc {version}."),
    };
    let mut header = Header::new(form);
    for (i, tile) in tiles.iter().enumerate() {
        if i > 0 {
            header.blank();
        }
        section(&mut header, tile)?;
    }
    Ok(header.file(stem, &[&about]))
}

/// What belongs to one tile: what it is, the verdict on each of its accesses, and code.
fn section(header: &mut Header, tile: &Tile) -> Result<(), Refusal> {
    let judged = judge(tile, Demand::FREE).map_err(Refusal::Faults)?;
    let (plan, name) = (&tile.layout.plan, &tile.name);
    let refuse = |error: EmitError| Refusal::of(tile, format!(": {error}"));
    let dimensions: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
    header.comment(&format!("{name}: {} of {}.", tile.shape(), tile.element.name));
    for one in &judged {
        header.comment(&format!("  {} {}", one.direction(), one.line()));
    }
    header.plan(name, &dimensions, plan, Some(tile.element.bits)).map_err(refuse)?;
    if header.is_program() {
        for (name, of_chips) in accesses(tile, &judged) {
            access(header, &name, &dimensions, of_chips).map_err(refuse)?;
        }
    }
    Ok(())
}

/// The accesses of a tile by their names, `A_read` and `A_read2`, each on all its chips.
fn accesses<'j, 't>(tile: &Tile, judged: &'j [Judged<'t>]) -> Vec<(String, &'j [Judged<'t>])> {
    let mut named: Vec<(String, &[Judged<'_>])> = Vec::new();
    for of_chips in judged.chunk_by(|one, next| std::ptr::eq(one.access, next.access)) {
        let first = format!("{}_{}", tile.name, of_chips[0].direction());
        let mut numbers = 2..;
        let mut name = first.clone();
        while named.iter().any(|(known, _)| *known == name) {
            name = format!("{first}{}", numbers.next().unwrap_or(0));
        }
        named.push((name, of_chips));
    }
    named
}

/// Who holds what, and the addresses: once, where all chips have the same. What is written comes from
/// somewhere: of a tensor of any size, which elements, and which of them are in it.
fn access(
    header: &mut Header,
    name: &str,
    dimensions: &[&str],
    of_chips: &[Judged<'_>],
) -> Result<(), EmitError> {
    let [first, others @ ..] = of_chips else { return Ok(()) };
    // A pattern in one instruction says of no other where its lanes are.
    let Some(held) = first.placed.distribution() else { return Ok(()) };
    header.blank().distribution(name, dimensions, &held)?;
    let routes = |one: &Judged<'_>| one.placed.addressing().map(|all| all.routes().to_vec());
    let is_same =
        |one: &Judged<'_>| one.placed.distribution() == Some(held) && routes(one) == routes(first);
    let all_same = others.iter().all(is_same);
    for one in if all_same { &of_chips[..1] } else { of_chips } {
        let name = match all_same {
            true => name.to_string(),
            false => format!("{name}_{}", one.chip.name().replace('-', "_")),
        };
        match header.accesses(&name, &one.placed) {
            Ok(_) => {}
            Err(
                error @ (EmitError::NoDistribution
                | EmitError::TwoAddresses { .. }
                | EmitError::Access(_)),
            ) => {
                header.comment(&format!("{name}: no addresses: {error}."));
            }
            Err(error) => return Err(error),
        }
    }
    if first.access.direction == Direction::Write {
        let vector = 8 * first.row.bytes() / first.tile.element.bits;
        match header.blank().rows(&format!("{name}_rows"), dimensions, &held, vector) {
            Err(error @ EmitError::Access(_)) => {
                header.comment(&format!("{name}: no rows: {error}."));
            }
            other => drop(other?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use tiledesc::emit::{NoInverse, inverse};

    #[test]
    fn strides_that_overlap_have_no_way_back() {
        // Rows of 5 whose every second element lies in the next: each offset once, and no division
        // parts them.
        let stages = "naive [2, 8] strides [5, 1]; pass[2] (0) -> (0), unmerge[4, 2] (1) -> (1, 2); \
                      pass[2] (0) -> (0), pass[4] (1) -> (1), freeze[0] (2) -> ();";
        let woven = crate::request::stages::parse(stages).unwrap();
        assert_eq!(woven.injective(), Ok(()));
        assert_eq!(inverse(&woven).unwrap_err(), NoInverse::Overlap);
    }
}
