//! `emit`: headers for other languages: offsets, the way back, constants, verdicts as comments.

use crate::args::Emit;
use crate::fault::Source;
use crate::input::Tile;
use crate::inverse::inverse;
use crate::judge::{Demand, judge};
use crate::{Output, Status};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tiledesc::emit::{Emit as _, EmitError, FORMS, Form};

/// The largest figure that a constant of 32 bits holds.
const MOST: u64 = u32::MAX as u64;

/// A language as it was asked for.
struct Language {
    form: Form,
    extension: &'static str,
}

/// The languages by the names that `--lang` takes: those of the library, and CUDA, whose functions
/// are HIP's.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<_> = FORMS.iter().map(|form| short(form).to_string()).collect();
    names.insert(2.min(names.len()), "cuda".to_string());
    names
}

/// `hip` of HIP, `text` of plain text.
fn short(form: &Form) -> String {
    let name = form.language().to_lowercase();
    name.split_whitespace().last().unwrap_or_default().to_string()
}

fn language(name: &str) -> Option<Language> {
    let (of, extension) = if name == "cuda" { ("hip", Some("cuh")) } else { (name, None) };
    let form = *FORMS.iter().find(|form| short(form) == of)?;
    Some(Language { form, extension: extension.unwrap_or(form.extension()) })
}

/// How a language writes what is no function.
struct Style {
    comment: &'static str,
    guard: bool,
    constant: Option<fn(&str, u64) -> String>,
}

impl Language {
    fn style(&self) -> Style {
        match self.extension {
            "h" => Style {
                comment: "//",
                guard: true,
                constant: Some(|name, value| format!("#define {name} {value}u\n")),
            },
            "hpp" | "cuh" => Style {
                comment: "//",
                guard: true,
                constant: Some(|name, value| format!("constexpr unsigned {name} = {value}u;\n")),
            },
            "wgsl" => Style {
                comment: "//",
                guard: false,
                constant: Some(|name, value| format!("const {name}: u32 = {value}u;\n")),
            },
            "tex" => Style { comment: "%", guard: false, constant: None },
            _ => Style { comment: "#", guard: false, constant: None },
        }
    }
}

/// A file that is to be written.
pub(crate) struct Made {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// What one tile is in a language, without the head of a file.
pub(crate) fn of_tile(lang: &str, source: &Source, tile: &Tile) -> Result<String, String> {
    let language = language(lang).ok_or_else(|| format!("there is no language `{lang}`"))?;
    section(&language, &language.style(), source, tile)
}

pub(crate) fn run(emit: &Emit, source: &Source, tiles: &[Tile]) -> Output {
    let Some(language) = language(&emit.lang) else {
        return Output::invalid(format!("--lang: there is no `{}`", emit.lang));
    };
    let chosen: Vec<_> = tiles.iter().collect();
    let header = |tiles: &[&Tile], stem: &str| header(&language, source, tiles, stem);
    let made = match &emit.output {
        None => match header(&chosen, &stem(&source.name)) {
            Ok(text) if !emit.list_outputs => return Output::done(text),
            Ok(_) => return Output::done(String::new()),
            Err(message) => return faulty(message),
        },
        Some(path) if is_folder(path) => {
            let each = chosen.iter().map(|tile| {
                let path = path.join(format!("{}.{}", tile.name, language.extension));
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
fn header(
    language: &Language,
    source: &Source,
    tiles: &[&Tile],
    stem: &str,
) -> Result<String, String> {
    let style = language.style();
    let from = Path::new(&source.name).file_name();
    let from = from.map_or_else(|| source.name.clone(), |name| name.to_string_lossy().into_owned());
    let (mark, version) = (style.comment, env!("CARGO_PKG_VERSION"));
    let mut text = match source.is_file() {
        true => format!(
            "{mark} Made by tiledesc {version} from {from}: edit that file, not this one.\n"
        ),
        false => format!("{mark} Made by tiledesc {version}.\n"),
    };
    let guard = guard(stem, language.extension);
    if style.guard {
        let _ = write!(text, "#ifndef {guard}\n#define {guard}\n");
    }
    for tile in tiles {
        text.push('\n');
        text += &section(language, &style, source, tile)?;
    }
    if style.guard {
        let _ = write!(text, "\n#endif // {guard}\n");
    }
    Ok(text)
}

fn guard(stem: &str, extension: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("TILEDESC_{stem}_{extension}").chars().map(letter).collect()
}

/// What belongs to one tile.
fn section(
    language: &Language,
    style: &Style,
    source: &Source,
    tile: &Tile,
) -> Result<String, String> {
    let (layout, name) = (&tile.layout, &tile.name);
    let refuse = |error: EmitError| format!("{}: tile {name}: {error}\n", source.line(tile.place));
    let mut text = comments(style, source, tile)?;
    if let Some(constant) = style.constant {
        for (word, value) in constants(tile).into_iter().filter(|(_, value)| *value <= MOST) {
            text += &constant(&format!("{name}_{word}"), value);
        }
        text.push('\n');
    }
    let names: Vec<_> = layout.dimensions.iter().map(String::as_str).collect();
    let (form, bits) = (language.form, tile.element.bits);
    let functions = [("offset", form), ("byte", form.bytes_of(bits))];
    for (word, form) in functions {
        let about =
            if word == "byte" { "The byte in which an element begins." } else { "In elements." };
        let made = layout.plan.emit(form, &format!("{name}_{word}"), &names).map_err(refuse)?;
        text += &format!("{} {about}\n{}\n", style.comment, made.trim_end());
    }
    match inverse(&layout.plan) {
        Ok(each) => {
            for (dimension, index) in names.iter().zip(&each) {
                let function = format!("{name}_{dimension}_at");
                let made = form.function(&function, &["offset"], index).map_err(refuse)?;
                let about = format!("{dimension} of the element at an offset, in elements.");
                text += &format!("{} {about}\n{}\n", style.comment, made.trim_end());
            }
        }
        Err(why) => {
            text += &format!("{} No formula leads back from an offset: {why}.\n", style.comment);
        }
    }
    Ok(text)
}

/// What the tile is, and the verdict on each of its accesses.
fn comments(style: &Style, source: &Source, tile: &Tile) -> Result<String, String> {
    let demand = Demand { max_degree: 1, strict: false };
    let judged = judge(tile, demand).map_err(|faults| source.explain_all(&faults))?;
    let lengths = tile.layout.plan.lengths();
    let each = tile.layout.dimensions.iter().zip(lengths.as_slice());
    let shape: Vec<_> = each.map(|(name, length)| format!("{name} {length}")).collect();
    let (shape, element) = (shape.join(", "), tile.element.name);
    let mut text = format!("{} {}: {shape} of {element}.\n", style.comment, tile.name);
    for one in &judged {
        let _ = writeln!(text, "{}   {} {}", style.comment, one.direction(), one.line());
    }
    Ok(text)
}

/// Figures of a tile by their names.
fn constants(tile: &Tile) -> Vec<(String, u64)> {
    let plan = &tile.layout.plan;
    let space = plan.element_space();
    let each = tile.layout.dimensions.iter().zip(plan.lengths().as_slice().to_vec());
    let lengths =
        each.map(|(name, length)| (format!("LENGTH_{}", name.to_uppercase()), u64::from(length)));
    let bytes = (space * u64::from(tile.element.bits)).div_ceil(8);
    lengths.chain([("SPACE".to_string(), space), ("BYTES".to_string(), bytes)]).collect()
}
