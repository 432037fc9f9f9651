//! `show`: figures as text or as SVG, or a whole report.

use crate::answer::check::{Checked, checked};
use crate::answer::figure::{of_access, of_layout};
use crate::report::check::Demand;
use crate::request::args::{Picture, Show};
use crate::request::fault::Source;
use crate::request::figure::Kind;
use crate::request::tile::{Tile, called};
use crate::write::files::{Made, is_folder, named, write_all};
use crate::write::output::Output;
use crate::write::page;
use std::path::Path;
use tiledesc_host::plot::Figure;

/// A figure with the name of its file.
struct Drawn {
    name: String,
    figure: Figure,
}

pub(crate) fn run(show: &Show, source: &Source, tiles: &[Tile]) -> Output {
    let all = match checked(tiles, Demand::FREE) {
        Ok(all) => all,
        Err(faults) => return Output::faults(source, &faults),
    };
    if show.format == Picture::Html {
        if show.figure.is_empty() && show.line.is_none() {
            let text = page::page(source, &all, &show.at);
            return given(show, source, vec![Made { path: "report.html".into(), text }]);
        }
        return Output::invalid(
            "--format html is of the whole file: leave out --figure and --line",
        );
    }
    let mut figures = Vec::new();
    for kind in if show.figure.is_empty() { &[Kind::Phases][..] } else { &show.figure } {
        for one in &all {
            match of_tile(show, *kind, one) {
                Ok(drawn) => figures.extend(drawn),
                Err(why) => {
                    let at = source.line(one.tile.place);
                    let (kind, tile) = (kind.name(), called(&one.tile.name));
                    return Output::invalid(format!("{at}: no {kind} of {tile}: {why}"));
                }
            }
            // It is the same of all tiles.
            if *kind == Kind::Evidence {
                break;
            }
        }
    }
    let made = figures.into_iter().map(|Drawn { name, figure }| match show.format {
        Picture::Svg => Made { path: format!("{name}.svg").into(), text: figure.svg() },
        _ => Made { path: format!("{name}.txt").into(), text: figure.text() },
    });
    given(show, source, made.collect())
}

/// Prints or writes what was made.
fn given(show: &Show, source: &Source, mut made: Vec<Made>) -> Output {
    let written = match (named(show.output.as_ref()), &mut made[..]) {
        (Some(folder), made) if is_folder(folder) => {
            made.iter_mut().for_each(|one| one.path = folder.join(&one.path));
            write_all(made, source, false)
        }
        (Some(path), [one]) => {
            one.path = path.into();
            write_all(&made, source, false)
        }
        (Some(path), _) if show.format == Picture::Text => {
            let text = joined(&made);
            write_all(&[Made { path: path.into(), text }], source, false)
        }
        (Some(path), many) => return several(many.len(), path),
        (None, [_, _, ..]) if show.format == Picture::Svg => {
            return several(made.len(), Path::new("figures"));
        }
        (None, _) => return Output::done(joined(&made)),
    };
    Output::wrote(written)
}

fn joined(made: &[Made]) -> String {
    made.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn several(count: usize, path: &Path) -> Output {
    let path = path.display();
    Output::invalid(format!("{count} figures are {count} files: name a folder, `-o {path}/`"))
}

/// A figure of a tile, or those of the accesses that are chosen.
fn of_tile(show: &Show, kind: Kind, one: &Checked<'_>) -> Result<Vec<Drawn>, String> {
    let tile = &one.tile.name;
    let drawn =
        |name: String, figure: Result<Figure, String>| figure.map(|figure| Drawn { name, figure });
    let none =
        "it has no access: write `read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`";
    if kind.is_of_access() || kind == Kind::Grid && !one.judged.is_empty() {
        let chosen: Vec<_> = match show.line {
            Some(line) => one.judged.iter().filter(|one| one.access.place.line == line).collect(),
            None => one.worst().into_iter().collect(),
        };
        if chosen.is_empty() {
            return match show.line {
                Some(line) => Err(format!("there is no access in line {line}")),
                None => Err(none.to_string()),
            };
        }
        let many = chosen.len() > 1;
        let each = chosen.into_iter().enumerate().map(|(i, access)| {
            let number = if many { format!("-{i}") } else { String::new() };
            drawn(format!("{tile}-{}{number}", kind.name()), of_access(kind, one, access))
        });
        return each.collect();
    }
    if kind.is_of_all() && one.judged.is_empty() {
        return Err(none.to_string());
    }
    let name = if kind == Kind::Evidence { kind.name() } else { format!("{tile}-{}", kind.name()) };
    drawn(name, of_layout(kind, one, &show.at)).map(|drawn| vec![drawn])
}
