//! `emit`: headers to standard output or to files, with what they depend on in the words of make.

use crate::answer::emit::header;
use crate::request::args::Emit;
use crate::request::fault::Source;
use crate::request::language;
use crate::request::tile::Tile;
use crate::write::files::{Made, is_folder, named, put, write_all};
use crate::write::output::{Output, Unwritten};
use std::path::Path;
use std::slice::from_ref;

pub(crate) fn run(emit: &Emit, source: &Source, tiles: &[Tile]) -> Output {
    let Some(form) = language::form(&emit.lang) else {
        return Output::invalid(format!("--lang: there is no `{}`", emit.lang));
    };
    let header = |tiles: &[Tile], stem: &str| header(form, source, tiles, stem);
    let made = match named(emit.output.as_ref()) {
        None => match header(tiles, &stem(&source.name)) {
            Ok(text) if !emit.list_outputs => return Output::done(text),
            Ok(_) => return Output::done(String::new()),
            Err(why) => return Output::refused(why.lines(source)),
        },
        Some(path) if is_folder(path) => {
            let each = tiles.iter().map(|tile| {
                let path = path.join(format!("{}.{}", tile.name, form.extension()));
                header(from_ref(tile), &tile.name).map(|text| Made { path, text })
            });
            each.collect::<Result<Vec<_>, _>>()
        }
        Some(path) => {
            let made = header(tiles, &stem(&path.to_string_lossy()));
            made.map(|text| vec![Made { path: path.into(), text }])
        }
    };
    match made {
        Ok(made) if emit.list_outputs => {
            let lines = made.iter().map(|one| format!("{}\n", one.path.display()));
            Output::done(lines.collect())
        }
        Ok(made) => Output::wrote(write(&made, emit, source)),
        Err(why) => Output::refused(why.lines(source)),
    }
}

fn stem(path: &str) -> String {
    let name = Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    name.filter(|name| !name.starts_with('<')).unwrap_or_else(|| "tiles".to_string())
}

/// Writes the headers, and the depfile.
fn write(made: &[Made], emit: &Emit, source: &Source) -> Result<String, Unwritten> {
    let said = write_all(made, source, emit.if_changed)?;
    if let Some(path) = &emit.depfile {
        let targets: Vec<_> = made.iter().map(|one| escaped(&one.path.to_string_lossy())).collect();
        let needs =
            if source.is_file() { format!(" {}", escaped(&source.name)) } else { String::new() };
        put(path, &format!("{}:{needs}\n", targets.join(" ")), source)?;
    }
    Ok(said)
}

/// A path as make reads it.
fn escaped(path: &str) -> String {
    path.replace('\\', "/").replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
}
