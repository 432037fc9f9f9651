//! Headers for other languages, as the library writes them, from the tiles of a file.

use crate::answer::judge::{Judged, judge};
use crate::answer::refusal::Refusal;
use crate::report::check::Demand;
use crate::request::consumer::Told;
use crate::request::fault::Source;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use std::path::Path;
use tiledesc::chip::{Access as Direction, Chip};
use tiledesc::direct::DirectLoad;
use tiledesc_host::emit::{Form, Header};
use tiledesc_host::{Error, ErrorKind};

/// The code of one tile in a language, without the head of a file.
pub(crate) fn of_tile(form: Form, tile: &Tile) -> Result<String, Refusal> {
    let mut header = Header::new(form);
    section(&mut header, form, tile)?;
    Ok(header.text().to_string())
}

/// The header of some tiles of one file.
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
    let form = match tiles.first() {
        Some(tile) => with_offsets(form, tile)?,
        None => form,
    };
    let mut header = Header::new(form);
    if let (true, Some(tile)) = (form.has_namespaces(), tiles.first())
        && let Some(name) = namespace(source, tile)
    {
        let refuse = |error| Refusal::File(format!("{error}: write `name = \"..\"` in the file"));
        header.namespace(&name).map_err(refuse)?;
    }
    for (i, tile) in tiles.iter().enumerate() {
        if i > 0 {
            header.blank();
        }
        section(&mut header, form, tile)?;
    }
    Ok(header.file(stem, &[&about]))
}

/// Sets the bits of offsets in tensors: those of the file, or else of the language.
fn with_offsets(form: Form, tile: &Tile) -> Result<Form, Refusal> {
    match tile.header.offset_bits {
        Some(32) => Ok(form.narrow()),
        Some(bits) if !form.is_wide() && Header::new(form).is_program() => {
            let language = form.language();
            Err(Refusal::File(format!("offset_bits = {bits}: {language} has no such numbers")))
        }
        _ => Ok(form),
    }
}

/// The namespace: the name that the file gives itself, or its own as a word, `my-kernel.toml` as `my_kernel`.
fn namespace(source: &Source, tile: &Tile) -> Option<String> {
    if tile.header.name.is_some() {
        return tile.header.name.clone();
    }
    let stem = Path::new(&source.name).file_stem().filter(|_| source.is_file())?;
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = stem.to_string_lossy().chars().map(letter).collect();
    let begins = word.starts_with(|c: char| c.is_ascii_alphabetic());
    Some(if begins { word } else { format!("tiles_{}", word.trim_start_matches('_')) })
}

/// Writes the section of one tile: its name and shape, the verdict on each of its accesses, and code.
fn section(header: &mut Header, form: Form, tile: &Tile) -> Result<(), Refusal> {
    let judged = judge(tile, Demand::FREE).map_err(Refusal::Faults)?;
    let (plan, name) = (&tile.layout.plan, &prefixed(form, tile));
    let refuse = |error: Error| Refusal::new(tile, format!(": {error}"));
    let dimensions: Vec<_> = tile.layout.dimensions.iter().map(String::as_str).collect();
    let what = match tile.is_bytes() {
        true => plural(tile.bytes(), "byte"),
        false => format!("{} of {}", tile.shape(), tile.element.name),
    };
    header.comment(&format!("{}: {what}.", tile.name));
    for one in &judged {
        header.comment(&format!("  {} {}", one.report.access, one.report.text()));
    }
    header.plan(name, &dimensions, plan, Some(tile.element.bits)).map_err(refuse)?;
    if !header.is_program() {
        return Ok(());
    }
    consumed(header, name, tile).map_err(refuse)?;
    for (name, of_chips) in accesses(name, &judged) {
        let chips: Vec<_> = of_chips.iter().map(|one| one.chip).collect();
        let write = |header: &mut Header, name: &str, at: usize| {
            access(header, name, &dimensions, &of_chips[at])
        };
        on_chips(header, form, &name, &chips, write).map_err(refuse)?;
    }
    let Some(fill) = &tile.fill else { return Ok(()) };
    let write = |header: &mut Header, name: &str, at: usize| {
        let loads = fill.on(at);
        let plan = loads.plan(plan, tile.element.bits);
        // `judge` has refused a tile that cannot be filled.
        plan.map_or(Ok(()), |plan| filled(header, name, &dimensions, &plan))
    };
    on_chips(header, form, &format!("{name}_fill"), &tile.chips, write).map_err(refuse)
}

/// Writes what a kernel tells the engines that take the tile without lane addresses.
fn consumed(header: &mut Header, name: &str, tile: &Tile) -> Result<(), Error> {
    for one in &tile.consumers {
        // `judge` has refused a tile that is not taken.
        let Ok(form) = tile.taken_by(one, &tile.layout.plan) else { continue };
        header.blank().comment(&format!("Consumed by {}: {}.", one.name(), form.sentence()));
        let prefix = format!("{name}_{}", one.name().to_uppercase());
        let mut constant = |word: &str, value: u64| {
            header.constant(&format!("{prefix}_{word}"), value).map(|_| ())
        };
        constant("ALIGNMENT", form.alignment.into())?;
        match &form.told {
            Told::Map { swizzle, boxes } => {
                constant("SWIZZLE", (*swizzle).into())?;
                for (dimension, length) in tile.layout.dimensions.iter().zip(boxes) {
                    constant(&format!("BOX_{}", dimension.to_uppercase()), (*length).into())?;
                }
                header.comment(&format!(
                    "CU_TENSOR_MAP_{} and boxDim of a tensor map (CUDA Driver API); a box goes to {name}_byte of its first element.",
                    form.mode
                ));
            }
            Told::Descriptor(fields, lines) => {
                constant("LEADING", fields.leading().into())?;
                constant("STRIDE", fields.stride().into())?;
                constant("SWIZZLE", fields.swizzle().into())?;
                constant("LOW", fields.bits() & u64::from(u32::MAX))?;
                constant("HIGH", fields.bits() >> 32)?;
                let [about, swizzle] = match one.name() {
                    "wgmma" => ["wgmma; CUTLASS, make_gmma_desc", "bits 62, 63"],
                    _ => ["tcgen05; CUTLASS, make_umma_desc", "bits 61 to 63"],
                };
                header.comment(&format!(
                    "The matrix descriptor (PTX ISA, {about}): LEADING / 16 is bits 16 to 29,"
                ));
                header.comment(&format!(
                    "STRIDE / 16 bits 32 to 45, SWIZZLE {swizzle}; LOW and HIGH are both words, of a start address of 0."
                ));
                header.comment(&format!(
                    "An operand that begins at a multiple of {lines} lines has {prefix}_LOW | (address & 0x3ffff) >> 4,"
                ));
                header.comment(&format!(
                    "where address is the tile's + {name}_byte of its first element."
                ));
            }
        }
    }
    Ok(())
}

/// The name of a tile in code: after that of its file, where the language has no namespaces.
fn prefixed(form: Form, tile: &Tile) -> String {
    match &tile.header.name {
        Some(name) if !form.has_namespaces() => format!("{name}_{}", tile.name),
        _ => tile.name.clone(),
    }
}

/// The accesses of a tile, each on all its chips: by the names that the file gives, `A_fragments`, of a write and a read
/// of one name `A_write_fragments` and `A_read_fragments`; or by their places, `A_read` and `A_read2`.
fn accesses<'j, 't>(tile: &str, judged: &'j [Judged<'t>]) -> Vec<(String, &'j [Judged<'t>])> {
    let mut named: Vec<(String, &[Judged<'_>])> = Vec::new();
    for of_chips in judged.chunk_by(|one, next| std::ptr::eq(one.access, next.access)) {
        let (access, word) = (of_chips[0].access, of_chips[0].report.access);
        if let Some(name) = &access.name {
            let is_other = |one: &Judged<'_>| {
                one.access.name == access.name && one.access.direction != access.direction
            };
            let word = if judged.iter().any(is_other) { format!("{word}_") } else { String::new() };
            named.push((format!("{tile}_{word}{name}"), of_chips));
            continue;
        }
        let first = format!("{tile}_{word}");
        let others = (2..).map(|number| format!("{first}{number}"));
        let mut names = std::iter::once(first.clone()).chain(others);
        let name = names.find(|name| named.iter().all(|(known, _)| known != name));
        named.push((name.unwrap_or(first), of_chips));
    }
    named
}

/// Writes the parts that depend on the chip, of each of some chips by its place: once, where the same is written for
/// all, and else for each by its name, `A_read_gfx942`. Waves of 64 and of 32 lanes hold other elements.
fn on_chips(
    header: &mut Header,
    form: Form,
    name: &str,
    chips: &[&Chip],
    write: impl Fn(&mut Header, &str, usize) -> Result<(), Error>,
) -> Result<(), Error> {
    let text = |at: usize| {
        let mut alone = Header::new(form);
        write(&mut alone, name, at).map(|()| alone.text().to_string())
    };
    let texts = (0..chips.len()).map(text).collect::<Result<Vec<_>, _>>()?;
    if texts.iter().all(|text| text.is_empty()) {
        return Ok(());
    }
    if texts.windows(2).all(|pair| pair[0] == pair[1]) {
        return write(header.blank(), name, 0);
    }
    for (at, chip) in chips.iter().enumerate() {
        write(
            header.blank(),
            &format!("{name}_{}", chip.name().replace("::", "_").replace('-', "_")),
            at,
        )?;
    }
    Ok(())
}

/// Writes the elements that lanes hold, those that they address if these are others, and the addresses. A write has a
/// source: of a tensor of any size, which elements, and which of them are in it.
fn access(
    header: &mut Header,
    name: &str,
    dimensions: &[&str],
    one: &Judged<'_>,
) -> Result<(), Error> {
    // A pattern in one instruction says of no other where its lanes are.
    if one.placed.addressed().is_none() {
        return Ok(());
    }
    let held = one.placed.distribution();
    if let Some(held) = &held {
        header.distribution(name, dimensions, held)?;
    }
    header.addressed(name, dimensions, &one.placed)?;
    match header.accesses(name, &one.placed) {
        Ok(_) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NoForm | ErrorKind::Access) => {
            header.comment(&format!("{name}: no addresses: {error}."));
        }
        Err(error) => return Err(error),
    }
    let Some(held) = held.filter(|_| one.access.direction == Direction::Write) else {
        return Ok(());
    };
    let last = dimensions.len() - 1;
    let vector = held.vector(last, 8 * one.row.held_bytes() / one.tile.element.bits);
    header.blank().rows(&format!("{name}_rows"), dimensions, &held, vector).map(drop)
}

/// Writes the elements that a direct load brings, or why no formula has them.
fn filled(
    header: &mut Header,
    name: &str,
    dimensions: &[&str],
    loads: &DirectLoad<'_>,
) -> Result<(), Error> {
    match header.direct(name, dimensions, loads) {
        Err(error) if error.kind() == ErrorKind::NoForm => {
            header.comment(&format!("{name}: no direct loads: {error}."));
            Ok(())
        }
        other => other.map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use tiledesc_host::emit::inverse;

    #[test]
    fn strides_that_overlap_have_no_way_back() {
        // Rows of 5 whose every second element lies in the next: each offset once, and no division
        // parts them.
        let stages = "naive [2, 8] strides [5, 1]; pass[2] (0) -> (0), unmerge[4, 2] (1) -> (1, 2); \
                      pass[2] (0) -> (0), pass[4] (1) -> (1), freeze[0] (2) -> ();";
        let woven = crate::request::stages::parse(stages).unwrap();
        assert_eq!(woven.injective(), Ok(()));
        assert_eq!(
            inverse(&woven).unwrap_err().to_string(),
            "its strides overlap, so dividing does not separate them",
        );
    }
}
