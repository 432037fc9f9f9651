//! `emit`: headers for other languages, as the library writes them, from the tiles of a file.

use crate::answer::judge::{Demand, Judged, judge};
use crate::request::args::Emit;
use crate::request::fault::Source;
use crate::request::input::Tile;
use crate::{Output, Status};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tiledesc::Access as Direction;
use tiledesc::emit::{EmitError, FORMS, Form, Header};

/// The languages by the names that `--lang` takes: `hip` of HIP, `text` of plain text.
pub(crate) fn names() -> Vec<String> {
    FORMS.iter().map(short).collect()
}

fn short(form: &Form) -> String {
    let name = form.language().to_lowercase();
    name.split_whitespace().last().unwrap_or_default().to_string()
}

fn language(name: &str) -> Option<Form> {
    FORMS.into_iter().find(|form| short(form) == name)
}

/// A file that is to be written.
pub(crate) struct Made {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What one tile is in a language, without the head of a file.
pub(crate) fn of_tile(lang: &str, source: &Source, tile: &Tile) -> Result<String, String> {
    let form = language(lang).ok_or_else(|| format!("there is no language `{lang}`"))?;
    let mut header = Header::new(form);
    section(&mut header, source, tile)?;
    Ok(header.text().to_string())
}

pub(crate) fn run(emit: &Emit, source: &Source, tiles: &[Tile]) -> Output {
    let Some(form) = language(&emit.lang) else {
        return Output::invalid(format!("--lang: there is no `{}`", emit.lang));
    };
    let chosen: Vec<_> = tiles.iter().collect();
    let header = |tiles: &[&Tile], stem: &str| header(form, source, tiles, stem);
    let made = match &emit.output {
        None => match header(&chosen, &stem(&source.name)) {
            Ok(text) if !emit.list_outputs => return Output::done(text),
            Ok(_) => return Output::done(String::new()),
            Err(message) => return faulty(message),
        },
        Some(path) if is_folder(path) => {
            let each = chosen.iter().map(|tile| {
                let path = path.join(format!("{}.{}", tile.name, form.extension()));
                header(&[tile], &tile.name).map(|text| Made { path, text })
            });
            each.collect::<Result<Vec<_>, _>>()
        }
        Some(path) => {
            let made = header(&chosen, &stem(&path.to_string_lossy()));
            made.map(|text| vec![Made { path: path.clone(), text }])
        }
    };
    match made {
        Ok(made) if emit.list_outputs => {
            let lines = made.iter().map(|one| format!("{}\n", one.path.display()));
            Output::done(lines.collect())
        }
        Ok(made) => match write(&made, emit, source) {
            Ok(said) => Output { status: Status::Free, out: String::new(), err: said },
            Err(message) => Output::invalid(message),
        },
        Err(message) => faulty(message),
    }
}

/// Lines that say themselves where they belong.
fn faulty(message: String) -> Output {
    Output { status: Status::Invalid, out: String::new(), err: message }
}

pub(crate) fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

fn stem(path: &str) -> String {
    let name = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    name.filter(|name| !name.starts_with('<')).unwrap_or_else(|| "tiles".to_string())
}

/// Writes what has changed, and the depfile.
fn write(made: &[Made], emit: &Emit, source: &Source) -> Result<String, String> {
    let said = write_all(made)?;
    if let Some(path) = &emit.depfile {
        let targets: Vec<_> = made.iter().map(|one| escaped(&one.path.to_string_lossy())).collect();
        let needs =
            if source.is_file() { format!(" {}", escaped(&source.name)) } else { String::new() };
        put(path, &format!("{}:{needs}\n", targets.join(" ")))?;
    }
    Ok(said)
}

/// Writes what has changed, and says of each file whether it has.
pub(crate) fn write_all(made: &[Made]) -> Result<String, String> {
    let mut said = String::new();
    for one in made {
        let is_same = std::fs::read(&one.path).is_ok_and(|old| old == one.text.as_bytes());
        let _ = writeln!(
            said,
            "{}: {}",
            one.path.display(),
            if is_same { "unchanged" } else { "written" }
        );
        if !is_same {
            put(&one.path, &one.text)?;
        }
    }
    Ok(said)
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    let said = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(said)?;
    }
    std::fs::write(path, text).map_err(said)
}

/// A path as make reads it.
fn escaped(path: &str) -> String {
    path.replace('\\', "/").replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
}

/// The header of some tiles.
fn header(form: Form, source: &Source, tiles: &[&Tile], stem: &str) -> Result<String, String> {
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
        section(&mut header, source, tile)?;
    }
    Ok(header.file(stem, &[&about]))
}

/// What belongs to one tile: what it is, the verdict on each of its accesses, and code.
fn section(header: &mut Header, source: &Source, tile: &Tile) -> Result<(), String> {
    let demand = Demand { max_degree: 1, strict: false };
    let judged = judge(tile, demand).map_err(|faults| source.explain_all(&faults))?;
    let (plan, name) = (&tile.layout.plan, &tile.name);
    let refuse = |error: EmitError| format!("{}: tile {name}: {error}\n", source.line(tile.place));
    let dimensions: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
    let lengths = plan.lengths();
    let each = dimensions.iter().zip(lengths.as_slice());
    let shape: Vec<_> = each.map(|(name, length)| format!("{name} {length}")).collect();
    header.comment(&format!("{name}: {} of {}.", shape.join(", "), tile.element.name));
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
