//! What a subcommand is asked about: a file, or options of one tile as the same text that a file is.
//!
//! ```text
//!   --element f16 --shape m=128,k=64            [tile.tile]
//!                                               element = "f16"
//!                                               shape = { m = 128, k = 64 }
//! ```
//!
//! So that both are read in one place, and a fault of an option has its name where a file's has a line.

use crate::request::fault::{Fault, Source};
use crate::request::tile::Tile;
use crate::request::{bytes, chip, tile};
use clap::Args;
use std::io::Read;
use tiledesc::chip::Chip;

/// A file, or options for one tile.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Input {
    /// A TOML file of tiles; `-` is standard input. Without it, options describe one tile
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<String>,
    /// A chip; with a file, instead of the chips that it names. May be given several times
    #[arg(long, value_name = "CHIP")]
    pub(crate) chip: Vec<String>,
    /// The element type: f16, bf16, f8, f32, ..
    #[arg(long, value_name = "TYPE", help_heading = ONE)]
    element: Option<String>,
    /// Names and lengths of the dimensions: m=128,k=64
    #[arg(long, value_name = "NAME=LENGTH,..", help_heading = ONE)]
    shape: Option<String>,
    /// The layout as a recipe of CK Tile: gemm-xor, row-pad, ..
    #[arg(long, value_name = "NAME", help_heading = ONE)]
    recipe: Option<String>,
    /// A parameter of the recipe: kpack=8. May be given several times
    #[arg(long = "with", value_name = "NAME=VALUE", help_heading = ONE)]
    with: Vec<String>,
    /// The layout as strides, in elements: 72,1
    #[arg(long, value_name = "N,..", help_heading = ONE)]
    strides: Option<String>,
    /// The layout in CuTe's notation: 'Sw<3,3,3> o 0 o (128,64):(64,1)'
    #[arg(long, value_name = "TEXT", help_heading = ONE)]
    cute: Option<String>,
    /// What the swizzle of --cute counts: elements or bytes
    #[arg(long, value_name = "UNIT", help_heading = ONE)]
    unit: Option<String>,
    /// The layout as Triton's bases, '[[0, 1], [1, 0]]', or '{ vec = 8, perPhase = 1, maxPhase = 8 }'
    #[arg(long, value_name = "TOML", help_heading = ONE)]
    triton: Option<String>,
    /// The layout as IREE's attribute: '#iree_codegen.xor_shuffle<64, 8>'
    #[arg(long, value_name = "TEXT", help_heading = ONE)]
    iree: Option<String>,
    /// The layout by CK's parameters: '{ kpack = 8, mldslayer = 1 }'
    #[arg(long, value_name = "TOML", help_heading = ONE)]
    ck: Option<String>,
    /// The layout in the words of descriptor!: 'packed [128, 8, 8]; ..'
    #[arg(long, value_name = "TEXT", help_heading = ONE)]
    stages: Option<String>,
    /// The direct load that fills the tile: '{ op = "global_load_lds_b128", waves = 4 }'
    #[arg(long, value_name = "TOML", help_heading = ONE)]
    fill: Option<String>,
    /// A tile given only by its size in bytes: its accesses are lane addresses
    #[arg(long, value_name = "N", help_heading = ONE)]
    bytes: Option<String>,
    /// A write: 'ds_write_b128 by row-major', or of bytes 'ds_write_b128 at lane * 16', with 'waves 4' where it names wave. May be given several times
    #[arg(long, value_name = "OP by PATTERN", help_heading = ONE)]
    write: Vec<String>,
    /// A read: 'ds_read_b128 by mfma-rows 16', or of bytes 'ds_read_b128 at lane * 16'. May be given several times
    #[arg(long, value_name = "OP by PATTERN", help_heading = ONE)]
    read: Vec<String>,
}

const ONE: &str = "One tile, without a file";

/// What `-` stands for.
pub(crate) enum Given<'a> {
    /// Standard input.
    Stream(&'a mut dyn Read),
    /// A text in memory.
    Text(&'a Source),
}

impl Given<'_> {
    /// The text of a file, up to a limit in bytes, or what is given where it is called `-`. Its bytes become text by
    /// `decode`.
    pub(crate) fn source(
        &mut self,
        file: &str,
        most: u64,
        decode: impl FnOnce(Vec<u8>) -> Result<String, String>,
    ) -> Result<Source, String> {
        let (name, bytes) = match (file, self) {
            ("-", Self::Text(text)) => return Ok(text.clone()),
            (file, Self::Stream(stream)) => bytes::read(file, most, *stream)?,
            (file, Self::Text(_)) => bytes::read(file, most, &mut std::io::empty())?,
        };
        let text = decode(bytes).map_err(|why| format!("{name}: {why}"))?;
        Ok(Source { name, text, options: None })
    }

    /// The text of a file of tiles.
    pub(crate) fn tiles(&mut self, file: &str) -> Result<Source, String> {
        self.source(file, bytes::OF_TILES, |bytes| {
            String::from_utf8(bytes).map_err(|error| {
                let at = error.utf8_error().valid_up_to();
                format!("not UTF-8 from byte {at} on")
            })
        })
    }
}

/// Lines of a text, each with the option that it was made of.
#[derive(Default)]
struct Lines {
    text: String,
    options: Vec<String>,
}

impl Lines {
    fn push(&mut self, option: &'static str, line: &str) {
        // A line break in an option would move all that follows to another option.
        self.text += &line.replace(['\n', '\r'], " ");
        self.text.push('\n');
        self.options.push(option.to_string());
    }

    fn string(&mut self, option: &'static str, key: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.push(option, &format!("{key} = {}", quoted(value)));
        }
    }
}

/// A TOML string: JSON's escapes are TOML's, but for the delete character.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

impl Input {
    /// The text of the file, or of the options; refused too if the command line names a chip that there is not.
    pub(crate) fn source(&self, given: &mut Given<'_>) -> Result<Source, String> {
        let Some(file) = &self.file else { return self.of_options() };
        if let Some(option) = self.first_option() {
            return Err(format!(
                "{option} describes one tile without a file, and {file} is given: leave one out"
            ));
        }
        self.chips()?;
        given.tiles(file)
    }

    /// The tiles of that text, on the chips that the command line names or on its own.
    pub(crate) fn tiles(&self, source: &Source) -> Result<Vec<Tile>, Vec<Fault>> {
        match source.options {
            // Then they stand in the text.
            Some(_) => tile::read(source, &[]),
            None => tile::read(source, &self.chips().unwrap_or_default()),
        }
    }

    /// The chips that the command line names.
    fn chips(&self) -> Result<Vec<&'static Chip>, String> {
        let named = |name: &String| chip::named(name).map_err(|why| format!("--chip: {why}"));
        self.chip.iter().map(named).collect()
    }

    /// Whether a file or a tile is given.
    pub(crate) fn is_given(&self) -> bool {
        self.file.is_some() || self.first_option().is_some()
    }

    /// An option of one tile that is given.
    fn first_option(&self) -> Option<&'static str> {
        let given = [
            ("--element", self.element.is_some()),
            ("--shape", self.shape.is_some()),
            ("--recipe", self.recipe.is_some()),
            ("--with", !self.with.is_empty()),
            ("--strides", self.strides.is_some()),
            ("--cute", self.cute.is_some()),
            ("--unit", self.unit.is_some()),
            ("--triton", self.triton.is_some()),
            ("--iree", self.iree.is_some()),
            ("--ck", self.ck.is_some()),
            ("--stages", self.stages.is_some()),
            ("--fill", self.fill.is_some()),
            ("--bytes", self.bytes.is_some()),
            ("--write", !self.write.is_empty()),
            ("--read", !self.read.is_empty()),
        ];
        given.into_iter().find(|(_, is)| *is).map(|(option, _)| option)
    }

    fn of_options(&self) -> Result<Source, String> {
        if self.first_option().is_none() {
            return Err("name a FILE, `-` for standard input, or describe a tile: --element f16 \
                        --shape m=128,k=64 --strides 64,1"
                .to_string());
        }
        let mut lines = Lines::default();
        lines.push("options", "version = 1");
        lines.push("options", "[tile.tile]");
        if !self.chip.is_empty() {
            let chips: Vec<_> = self.chip.iter().map(|chip| quoted(chip)).collect();
            lines.push("--chip", &format!("chips = [{}]", chips.join(", ")));
        }
        lines.string("--element", "element", self.element.as_ref());
        if let Some(shape) = &self.shape {
            lines.push("--shape", &format!("shape = {{ {} }}", pairs(shape, "--shape")?));
        }
        lines.string("--recipe", "recipe", self.recipe.as_ref());
        for with in &self.with {
            lines.push("--with", &pairs(with, "--with")?);
        }
        if let Some(strides) = &self.strides {
            lines.push(
                "--strides",
                &format!("strides = [{}]", one_value("--strides", strides, true)?),
            );
        }
        lines.string("--cute", "cute", self.cute.as_ref());
        lines.string("--unit", "unit", self.unit.as_ref());
        lines.string("--iree", "iree", self.iree.as_ref());
        let values = [
            ("--triton", "triton", &self.triton),
            ("--ck", "ck", &self.ck),
            ("--fill", "fill", &self.fill),
            ("--bytes", "bytes", &self.bytes),
        ];
        for (option, key, value) in values {
            // What the IR or Gluon prints needs no quotes.
            if let Some(text) = value.as_ref().filter(|text| is_layout(text)) {
                lines.push(option, &format!("{key} = {}", quoted(text)));
            } else if let Some(value) = value {
                lines.push(option, &format!("{key} = {}", one_value(option, value, false)?));
            }
        }
        lines.string("--stages", "stages", self.stages.as_ref());
        accesses(&mut lines, "--write", "write", &self.write)?;
        accesses(&mut lines, "--read", "read", &self.read)?;
        Ok(Source { name: "<options>".to_string(), text: lines.text, options: Some(lines.options) })
    }
}

/// `m=128,k=64` as `m = 128, k = 64`.
fn pairs(text: &str, option: &str) -> Result<String, String> {
    let mut words = Vec::new();
    for pair in split_outside(text) {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| format!("{option}: `{pair}` is no `NAME=VALUE`, as in `m=128`"))?;
        let (name, value) = (name.trim(), value.trim());
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(is_key) {
            return Err(format!(
                "{option}: `{name}` is not a valid name: use letters, digits, `_` and `-`"
            ));
        }
        words.push(format!("{name} = {}", one_value(option, value, false)?));
    }
    Ok(words.join(", "))
}

/// Parts between commas that stand in no brackets.
fn split_outside(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0usize, 0);
    for (i, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

/// A text that is one TOML value, so that no option can be two; a list without its brackets.
fn one_value<'a>(option: &str, text: &'a str, is_list: bool) -> Result<&'a str, String> {
    let flat = text.replace(['\n', '\r'], " ");
    let whole = if is_list { format!("[{flat}]") } else { flat };
    match toml::de::DeValue::parse(&whole) {
        Ok(_) => Ok(text),
        Err(error) => {
            let why = error.message().trim().replace('\n', "; ");
            Err(format!("{option}: `{text}` is not a value: {why}"))
        }
    }
}

/// `ds_read_b128 by mfma-rows 16 times 4`, `ds_read_b128 at wave * 1024 + lane * 16 waves 4`
fn accesses(
    lines: &mut Lines,
    option: &'static str,
    key: &str,
    given: &[String],
) -> Result<(), String> {
    if given.is_empty() {
        return Ok(());
    }
    lines.push(option, &format!("{key} = ["));
    for access in given {
        let parted = |word, key| access.split_once(word).map(|(op, rest)| (op, key, rest));
        let (op, what, by) = parted(" by ", "by").or_else(|| parted(" at ", "addresses")).ok_or_else(|| {
            format!(
                "{option}: `{access}` is not an access: write `{option} 'ds_{key}_b128 by row-major'`"
            )
        })?;
        let (by, times) = match by.rsplit_once(" times ") {
            Some((by, times)) => {
                (by, format!(", times = {}", one_value(option, times.trim(), false)?))
            }
            None => (by, String::new()),
        };
        let (by, waves) = match by.rsplit_once(" waves ").filter(|_| what == "addresses") {
            Some((by, waves)) => {
                (by, format!(", waves = {}", one_value(option, waves.trim(), false)?))
            }
            None => (by, String::new()),
        };
        let (op, by) = (quoted(op.trim()), quoted(by.trim()));
        lines.push(option, &format!("{{ op = {op}, {what} = {by}{waves}{times} }},"));
    }
    lines.push(option, "]");
    Ok(())
}

/// A layout of Triton's as text: `#ttg.swizzled_shared<..>`, `gl.SwizzledSharedLayout(..)`.
fn is_layout(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("#ttg.")
        || text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.contains("Layout(")
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_in_brackets_part_nothing() {
        let parts = super::split_outside("a=[[1],2],b={ c = 3, d = 4 },e");
        assert_eq!(parts, ["a=[[1],2]", "b={ c = 3, d = 4 }", "e"]);
    }
}
