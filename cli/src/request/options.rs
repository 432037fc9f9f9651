//! The input of a subcommand: a file, or options of one tile.

use crate::request::fault::{Fault, Source};
use crate::request::keys::{Keys, Value};
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
    /// The layout as Triton's IR or Gluon prints it, 'gl.SwizzledSharedLayout(8, 1, 8, [1, 0])', as bases, '[[0, 1], [1, 0]]',
    /// or as '{ vec = 8, perPhase = 1, maxPhase = 8 }'
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
    /// The element that the layout counts, where --element is another: of fp4 in bytes u8
    #[arg(long, value_name = "TYPE", help_heading = ONE)]
    recast_from: Option<String>,
    /// The tile as a view of the layout, by transforms: '{ of = { m = 128, k = 64 }, by = "slice[128, 0, 64] (0) -> (0), pass[64] (1) -> (1)" }'
    #[arg(long, value_name = "TOML", help_heading = ONE)]
    view: Option<String>,
    /// The direct load that fills the tile: '{ op = "global_load_lds_b128", waves = 4 }'
    #[arg(long, value_name = "TOML", help_heading = ONE)]
    fill: Option<String>,
    /// A tile given only by its size in bytes: its accesses are lane addresses
    #[arg(long, value_name = "N", help_heading = ONE)]
    bytes: Option<String>,
    /// A write: 'ds_write_b128 by row-major', by a pattern of `tiledesc list patterns`, a register layout as Triton prints it or
    /// a TV layout as CuTe does; or of bytes 'ds_write_b128 at lane * 16', with 'waves 4' where it names wave. May be given several times
    #[arg(long, value_name = "OP by PATTERN", help_heading = ONE)]
    write: Vec<String>,
    /// A read: 'ds_read_b128 by mfma-rows 16', or of bytes 'ds_read_b128 at lane * 16'. May be given several times
    #[arg(long, value_name = "OP by PATTERN", help_heading = ONE)]
    read: Vec<String>,
    /// A load from global memory, or a store to it, with the elements from row to row; `at most 16` cache lines (NVIDIA: sectors)
    /// may be added: 'global_load_dwordx4 by row-major rows 8192', 'load_b128 by row-major rows multiples of 8 at most 16'.
    /// May be given several times
    #[arg(long, value_name = "OP by PATTERN rows N", help_heading = ONE)]
    fetch: Vec<String>,
    /// What takes the tile without lane addresses: wgmma, tcgen05, tma. May be given several times
    #[arg(long, value_name = "ENGINE", help_heading = ONE)]
    consumed_by: Vec<String>,
    /// Matrix instructions of a loop's trip, which its accesses, each as often as its `times`, are compared with:
    /// 'v_mfma_f32_16x16x32_f16 times 64', with 'waves 8' if not 4. May be given several times
    #[arg(long, value_name = "OP times N", help_heading = ONE)]
    matrix: Vec<String>,
}

const ONE: &str = "One tile, without a file";

/// The meaning of `-`.
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
        Ok(Source::of_text(name, text))
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

impl Input {
    /// The text of the file, or of the options; refused too if the command line names a chip that there is not.
    pub(crate) fn source(&self, given: &mut Given<'_>) -> Result<Source, String> {
        let Some(file) = &self.file else { return self.of_options() };
        if let Some((option, ..)) = self.given().next() {
            return Err(format!(
                "{option} describes one tile without a file, but {file} is given too: leave one of them out"
            ));
        }
        self.chips()?;
        given.tiles(file)
    }

    /// The tiles of that text, on the chips that the command line names or on its own.
    pub(crate) fn tiles(&self, source: &Source) -> Result<Vec<Tile>, Vec<Fault>> {
        tile::read(source, &self.chips_of(source))
    }

    /// The tiles of that text that have no fault of their own, and all faults.
    pub(crate) fn each_tile(&self, source: &Source) -> (Vec<Tile>, Vec<Fault>) {
        tile::read_each(source, &self.chips_of(source))
    }

    /// The tiles of that text for a search, which need no layout.
    pub(crate) fn tiles_to_search(&self, source: &Source) -> Result<Vec<Tile>, Vec<Fault>> {
        tile::read_to_search(source, &self.chips_of(source))
    }

    /// The chips in place of the text's own.
    fn chips_of(&self, source: &Source) -> Vec<&'static Chip> {
        match source.keys {
            // Then they are among the keys.
            Some(_) => Vec::new(),
            None => self.chips().unwrap_or_default(),
        }
    }

    /// The chips that the command line names.
    fn chips(&self) -> Result<Vec<&'static Chip>, String> {
        let named = |name: &String| chip::named(name).map_err(|why| format!("--chip: {why}"));
        self.chip.iter().map(named).collect()
    }

    /// Returns whether a file or a tile is given.
    pub(crate) fn is_given(&self) -> bool {
        self.file.is_some() || self.has_options()
    }

    fn has_options(&self) -> bool {
        self.given().next().is_some()
    }

    /// The options of one tile that are given, each with its text and how that is read.
    fn given(&self) -> impl Iterator<Item = (&'static str, &str, Reading)> {
        let all: [(&'static str, &[String], Reading); 20] = [
            ("--element", self.element.as_slice(), text_of),
            ("--shape", self.shape.as_slice(), shape),
            ("--recipe", self.recipe.as_slice(), text_of),
            ("--with", &self.with, pairs),
            ("--strides", self.strides.as_slice(), strides),
            ("--cute", self.cute.as_slice(), text_of),
            ("--unit", self.unit.as_slice(), text_of),
            ("--iree", self.iree.as_slice(), text_of),
            ("--triton", self.triton.as_slice(), layout),
            ("--ck", self.ck.as_slice(), layout),
            ("--recast-from", self.recast_from.as_slice(), text_of),
            ("--view", self.view.as_slice(), layout),
            ("--fill", self.fill.as_slice(), layout),
            ("--bytes", self.bytes.as_slice(), layout),
            ("--stages", self.stages.as_slice(), text_of),
            ("--write", &self.write, access),
            ("--read", &self.read, access),
            ("--fetch", &self.fetch, fetch),
            ("--consumed-by", &self.consumed_by, consumed_by),
            ("--matrix", &self.matrix, matrix),
        ];
        all.into_iter().flat_map(|(option, texts, how)| {
            texts.iter().map(move |text| (option, text.as_str(), how))
        })
    }

    fn of_options(&self) -> Result<Source, String> {
        if !self.has_options() {
            return Err("name a FILE, `-` for standard input, or describe a tile: --element f16 \
                        --shape m=128,k=64 --strides 64,1"
                .to_string());
        }
        let mut keys = Keys::new("tile", "options");
        if !self.chip.is_empty() {
            let chips = self.chip.iter().cloned().map(Value::Text).collect();
            keys.push("--chip", "chips", Value::List(chips));
        }
        for (option, text, read) in self.given() {
            for (key, value) in read(option, text)? {
                if option == "--with" && keys.has(&key) {
                    return Err(format!("--with: `{key}` is given twice"));
                }
                keys.push(option, key, value);
            }
        }
        Ok(Source::of_keys("<options>", keys))
    }
}

/// Reads the text of an option as keys and values.
type Reading = fn(&str, &str) -> Result<Vec<(String, Value)>, String>;

/// The value of the key that is called as its option.
fn own(option: &str, value: Value) -> Vec<(String, Value)> {
    vec![(option[2..].replace('-', "_"), value)]
}

fn text_of(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    Ok(own(option, Value::Text(text.to_string())))
}

/// A list, to which further options add.
fn consumed_by(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    Ok(own(option, Value::List(vec![Value::Text(text.to_string())])))
}

fn shape(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    Ok(own(option, Value::Table(pairs(option, text)?)))
}

/// A list without its brackets.
fn strides(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    let parsed = parsed(&format!("[{text}]")).map_err(|why| no_value(option, text, &why))?;
    Ok(own(option, parsed))
}

/// A value of TOML; what the IR or Gluon prints needs no quotes.
fn layout(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    if is_layout(text) { text_of(option, text) } else { Ok(own(option, value(option, text)?)) }
}

/// `m=128,k=64`
fn pairs(option: &str, text: &str) -> Result<Vec<(String, Value)>, String> {
    let pair = |pair: &str| {
        let (name, text) = pair.split_once('=').ok_or_else(|| {
            format!("{option}: `{pair}` is not of the form `NAME=VALUE`, as in `m=128`")
        })?;
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let name = name.trim();
        if name.is_empty() || !name.chars().all(is_key) {
            return Err(format!(
                "{option}: `{name}` is not a valid name: use letters, digits, `_` and `-`"
            ));
        }
        Ok((name.to_string(), value(option, text.trim())?))
    };
    let pairs = split_outside(text).into_iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let is_twice = |at: usize| pairs[..at].iter().any(|(known, _)| *known == pairs[at].0);
    match (1..pairs.len()).find(|at| is_twice(*at)) {
        Some(at) => Err(format!("{option}: `{}` is given twice", pairs[at].0)),
        None => Ok(pairs),
    }
}

/// Splits a text at the commas outside brackets.
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

fn value(option: &str, text: &str) -> Result<Value, String> {
    parsed(text).map_err(|why| no_value(option, text, &why))
}

/// A value of TOML; a line break in an option is a blank.
fn parsed(text: &str) -> Result<Value, String> {
    Value::parse(&text.replace(['\n', '\r'], " "))
}

fn no_value(option: &str, text: &str, why: &str) -> String {
    format!("{option}: `{text}` is not a value: {why}")
}

/// `ds_read_b128 by mfma-rows 16 times 4`, `ds_read_b128 at wave * 1024 + lane * 16 waves 4`
fn access(option: &str, given: &str) -> Result<Vec<(String, Value)>, String> {
    let key = &option[2..];
    let parted = |word, what| given.split_once(word).map(|(op, rest)| (op, what, rest));
    let parted = parted(" by ", "by").or_else(|| parted(" at ", "addresses"));
    let (op, what, rest) = parted.ok_or_else(|| {
        format!(
            "{option}: `{given}` is not an access: write `{option} 'ds_{key}_b128 by row-major'`"
        )
    })?;
    let mut keys = Vec::new();
    let mut ending = |text: &mut &str, word: &str| {
        let Some((by, number)) = text.rsplit_once(&format!(" {word} ")) else { return Ok(()) };
        *text = by;
        keys.push((word.to_string(), value(option, number.trim())?));
        Ok::<_, String>(())
    };
    let mut by = rest;
    ending(&mut by, "times")?;
    if what == "addresses" {
        ending(&mut by, "waves")?;
    }
    for (key, text) in [("op", op), (what, by)] {
        keys.push((key.to_string(), Value::Text(text.trim().to_string())));
    }
    Ok(own(option, Value::List(vec![Value::Table(keys)])))
}

/// `global_load_dwordx4 by row-major rows 8192`, `load_b128 by row-major rows multiples of 8 at most 16`
fn fetch(option: &str, given: &str) -> Result<Vec<(String, Value)>, String> {
    let parts = || {
        let (op, rest) = given.split_once(" by ")?;
        let (by, rows) = rest.rsplit_once(" rows ")?;
        Some((op, by, rows))
    };
    let (op, by, rows) = parts().ok_or_else(|| {
        format!(
            "{option}: `{given}` does not say what, by which lanes and in rows of how many elements: write \
             `{option} 'global_load_dwordx4 by row-major rows 8192'`"
        )
    })?;
    let (rows, most) = match rows.split_once(" at most ") {
        Some((rows, most)) => (rows, Some(value(option, most.trim())?)),
        None => (rows, None),
    };
    let text = |text: &str| Value::Text(text.trim().to_string());
    let is_number = rows.trim().starts_with(|c: char| c.is_ascii_digit());
    let rows = if is_number { value(option, rows.trim())? } else { text(rows) };
    let mut keys = vec![("op", text(op)), ("by", text(by)), ("rows", rows)];
    keys.extend(most.map(|most| ("at_most", most)));
    let keys = keys.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
    Ok(own(option, Value::List(vec![Value::Table(keys)])))
}

/// `v_mfma_f32_16x16x32_f16 times 64 waves 8`
fn matrix(option: &str, given: &str) -> Result<Vec<(String, Value)>, String> {
    let words: Vec<_> = given.split_whitespace().collect();
    let [op, rest @ ..] = &words[..] else {
        return Err(format!(
            "{option}: no instruction is named: write `{option} 'v_mfma_f32_16x16x32_f16 times 64'`"
        ));
    };
    let mut keys = vec![("op".to_string(), Value::Text((*op).to_string()))];
    for pair in rest.chunks(2) {
        let [key, number] = pair else {
            return Err(format!("{option}: `{}` has no number: write `times 64`", pair[0]));
        };
        if keys.iter().any(|(known, _)| known == key) {
            return Err(format!("{option}: `{key}` is given twice"));
        }
        keys.push(((*key).to_string(), value(option, number)?));
    }
    Ok(own(option, Value::List(vec![Value::Table(keys)])))
}

/// A layout of Triton's as text: `#ttg.swizzled_shared<..>`, `gl.SwizzledSharedLayout(..)`.
fn is_layout(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('#')
        || text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.contains("Layout(")
}

#[cfg(test)]
mod tests {
    #[test]
    fn commas_in_brackets_part_nothing() {
        let parts = super::split_outside("a=[[1],2],b={ c = 3, d = 4 },e");
        assert_eq!(parts, ["a=[[1],2]", "b={ c = 3, d = 4 }", "e"]);
    }

    #[test]
    fn a_name_is_given_once() {
        let twice = super::pairs("--shape", "m=128,k=64,m=64").unwrap_err();
        assert_eq!(twice, "--shape: `m` is given twice");
        assert_eq!(super::pairs("--shape", "m=128,k=64").unwrap().len(), 2);
    }
}
