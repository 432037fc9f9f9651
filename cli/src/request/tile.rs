//! Tiles and their accesses, from a file or a row of options.
//!
//! ```toml
//! version = 1
//! chips = ["gfx942", "gfx950"]
//! [tile.A]
//! element = "f16"
//! shape = { m = 128, k = 64 }
//! recipe = "gemm-xor"
//! kpack = 8
//! write = [{ op = "ds_write_b128", by = "row-major" }]
//! read = [{ op = "ds_read_b128", by = "mfma-rows 16", times = 4 }]
//! ```
//!
//! A kernel whose addresses alone are known is a tile of bytes:
//!
//! ```toml
//! [tile.lds]
//! bytes = 65536
//! read = [{ op = "ds_read_b128", addresses = "lane % 16 * 128 + lane / 16 * 16" }]
//! ```
//!
//! Its addresses count the bytes in order; a recipe says where they lie instead, as what `find` prints of it:
//!
//! ```toml
//! [tile.lds]
//! bytes = 65536
//! recipe = "interval-pad"
//! every = 128
//! padding = 4
//! ```
//!
//! Everything is read, and all that is wrong is reported, before anything is judged.

use crate::request::access::{self, Access};
use crate::request::consumer::{self, Consumer, Form};
use crate::request::fault::{Fault, Place, Source, kept};
use crate::request::fetch::{self, Fetch};
use crate::request::fill::{self, Fill};
use crate::request::held::{self, Held, Named};
use crate::request::layout::{self, Layout};
use crate::request::matrix::{self, Matrix};
use crate::request::operand::Over;
use crate::request::recipe::{families, is_exchanged};
use crate::request::spelling::{did_you_mean, nearest};
use crate::request::value::{Table, check_name, flag, number, refused, text};
use crate::request::{chip, shape, view};
use tiledesc::chip::{Chip, Evidence};
use tiledesc::{ELEMENTS, ElementName, Error, Plan};
use tiledesc_host::exchange::recast;
use toml::de::DeTable;

/// The version of files that is read.
const VERSION: u64 = 1;

/// A tile and its accesses.
#[derive(Clone, Debug)]
pub struct Tile {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) element: ElementName,
    pub(crate) layout: Layout,
    pub(crate) chips: Vec<&'static Chip>,
    pub(crate) accesses: Vec<Access>,
    /// The direct load that fills it, if one does.
    pub(crate) fill: Option<Fill>,
    /// The loads from global memory, and stores to it, whose lines are counted.
    pub(crate) fetches: Vec<Fetch>,
    /// What takes it without lane addresses.
    pub(crate) consumers: Vec<Consumer>,
    /// The file's terms for its headers.
    pub(crate) header: HeaderTerms,
    /// The matrix instructions of a trip of the file's loop.
    pub(crate) matrix: Vec<Matrix>,
}

/// The terms of a file for the headers that are written of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeaderTerms {
    /// The namespace, or in a language without the beginning of all names.
    pub(crate) name: Option<String>,
    /// Bits of an offset in a tensor, 32 or 64.
    pub(crate) offset_bits: Option<u64>,
}

/// The tiles of a text.
///
/// ```
/// use tiledesc_cli::{Source, tiles};
///
/// let text = "version = 1\n[tile.A]\nelement = \"f16\"\nshape = { m = 128, k = 64 }\nstrides = [72, 1]\n";
/// let all = tiles(&Source::of_text("kernel.toml", text)).unwrap();
/// assert_eq!(all[0].dimensions(), ["m", "k"]);
/// assert_eq!(all[0].plan().offset(&[3, 5]), Ok(221));
/// ```
///
/// # Errors
///
/// All that is wrong with it, a line each.
pub fn tiles(source: &Source) -> Result<Vec<Tile>, String> {
    read(source, &[]).map_err(|faults| source.explain_all(&faults))
}

/// A tile in a sentence: `tile A`; one of options has no name of its own.
pub(crate) fn called(name: &str) -> String {
    if name == "tile" { "the tile".to_string() } else { format!("tile {name}") }
}

impl Tile {
    /// The offset of each coordinate, in elements.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.layout.plan
    }

    /// The names of its dimensions, the slowest first.
    #[must_use]
    pub fn dimensions(&self) -> &[String] {
        &self.layout.dimensions
    }

    /// The tile's element.
    #[must_use]
    pub fn element(&self) -> ElementName {
        self.element
    }

    /// The lengths of its dimensions in elements of another width, of which one is longer or shorter.
    ///
    /// ```
    /// use tiledesc_cli::{Source, tiles};
    ///
    /// let text = "version = 1\n[tile.A]\nelement = \"u8\"\nshape = { m = 128, k = 32 }\nstrides = [36, 1]\n";
    /// let all = tiles(&Source::of_text("kernel.toml", text)).unwrap();
    /// assert_eq!(all[0].recast("fp4"), Ok(vec![128, 64]));
    /// ```
    ///
    /// # Errors
    ///
    /// The sentence on why its elements cannot be recast to these.
    pub fn recast(&self, element: &str) -> Result<Vec<u32>, String> {
        let (to, plan) = (self::element(element)?, &self.layout.plan);
        if to.bits == self.element.bits {
            return Ok(plan.lengths().as_slice().to_vec());
        }
        let along =
            recast::dimension(plan).ok_or("its elements lie side by side along no dimension")?;
        let found = recast::plan(plan, along, [self.element.bits, to.bits]);
        found.map(|plan| plan.lengths().as_slice().to_vec()).map_err(|error| error.to_string())
    }

    /// `m 128, k 64`
    pub(crate) fn shape(&self) -> String {
        let lengths = self.layout.plan.lengths();
        let each = self.layout.dimensions.iter().zip(lengths.as_slice());
        each.map(|(name, length)| format!("{name} {length}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns whether the tile is plain bytes, whose accesses are addresses.
    pub(crate) fn is_bytes(&self) -> bool {
        self.layout.dimensions == ["byte"] && self.element.code == BYTE
    }

    /// The tile as what an access is laid over, on no chip.
    pub(crate) fn over(&self) -> Over<'_> {
        let (lengths, names) = (Some(self.layout.plan.lengths()), &self.layout.dimensions[..]);
        Over { lengths, names, element: Some(self.element), ..Over::default() }
    }

    /// The form in which a consumer takes the tile in a layout, or why it does not.
    pub(crate) fn taken_by(&self, consumer: &Consumer, plan: &Plan) -> Result<Form, String> {
        consumer.form(plan, self.element.bits, is_exchanged(&self.layout.dimensions))
    }

    /// `gfx942, sm_90`
    pub(crate) fn on(&self) -> String {
        self.chips.iter().map(|chip| chip.name()).collect::<Vec<_>>().join(", ")
    }

    /// Bytes of its element space.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes_of(&self.layout.plan)
    }

    /// Bytes of the element space in another layout.
    pub(crate) fn bytes_of(&self, plan: &Plan) -> u64 {
        (plan.element_space() * u64::from(self.element.bits)).div_ceil(8)
    }
}

/// The tiles of a source, or all that is wrong with it.
///
/// `chips` take the place of the file's, if there are any.
pub(crate) fn read(source: &Source, chips: &[&'static Chip]) -> Result<Vec<Tile>, Vec<Fault>> {
    whole(read_for(source, chips, Purpose::Answer))
}

/// The tiles of a source that have no fault of their own, and all that is wrong with the source. What is wrong with the file
/// leaves none.
pub(crate) fn read_each(source: &Source, chips: &[&'static Chip]) -> (Vec<Tile>, Vec<Fault>) {
    read_for(source, chips, Purpose::Answer)
}

/// The tiles of a source for a search: one that states no layout has its rows side by side.
pub(crate) fn read_to_search(
    source: &Source,
    chips: &[&'static Chip],
) -> Result<Vec<Tile>, Vec<Fault>> {
    whole(read_for(source, chips, Purpose::Search))
}

fn whole((tiles, faults): (Vec<Tile>, Vec<Fault>)) -> Result<Vec<Tile>, Vec<Fault>> {
    if faults.is_empty() { Ok(tiles) } else { Err(faults) }
}

/// What tiles are read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Something about their layouts.
    Answer,
    /// Other layouts, so that their own may be missing.
    Search,
}

fn read_for(source: &Source, chips: &[&'static Chip], purpose: Purpose) -> (Vec<Tile>, Vec<Fault>) {
    if let Some(keys) = &source.keys {
        return read_table(source, &keys.table(), chips, purpose);
    }
    let parsed = DeTable::parse(&source.text);
    let fault = |error: &toml::de::Error| {
        let span = error.span().unwrap_or(0..0);
        let message = match error.message().trim() {
            // A word that begins as `true`, `false`, `inf` or `nan` do.
            said if said.starts_with("invalid boolean")
                || said.starts_with("invalid float, expected `") =>
            {
                "string values must be quoted, as in `\"f16\"`".to_string()
            }
            "duplicate key" => {
                let key = source.text.get(span.clone()).unwrap_or_default();
                format!("the key `{key}` is given twice")
            }
            said => said.replace('\n', "; "),
        };
        Fault::new(span, message)
    };
    match parsed {
        Ok(parsed) => read_table(source, parsed.get_ref(), chips, purpose),
        Err(error) => (Vec::new(), vec![fault(&error)]),
    }
}

fn read_table(
    source: &Source,
    table: &DeTable<'_>,
    chips: &[&'static Chip],
    purpose: Purpose,
) -> (Vec<Tile>, Vec<Fault>) {
    let table = Table::new(table, 0..0, "the file");
    let mut faults = Vec::new();
    let tiles = tiles_of(source, &table, (chips, purpose), &mut faults);
    let of_file = table.refuse_unknown();
    let tiles = if of_file.is_empty() { tiles } else { Vec::new() };
    faults.extend(of_file);
    faults.sort_by_key(|fault| fault.span.start);
    (tiles, faults)
}

fn tiles_of(
    source: &Source,
    table: &Table<'_>,
    (instead, purpose): (&[&'static Chip], Purpose),
    faults: &mut Vec<Fault>,
) -> Vec<Tile> {
    kept(version(table), faults);
    let chips = kept(table.get("chips").map_or(Ok(Vec::new()), chip::read), faults);
    let header = kept(header_terms(table), faults).unwrap_or_default();
    let distributions = held::read_named(table, faults);
    let least = kept(access::least_of(table), faults).flatten();
    let matrix = kept(table.get("matrix").map_or(Ok(Vec::new()), matrix::read), faults);
    let matrix = matrix.unwrap_or_default();
    let tile = table.get("tile");
    // An unknown key may be the one that is missing: then it is said once.
    let is_whole = !table.has_slip();
    let of_file = chips.filter(|chips| is_whole || !chips.is_empty());
    let asked = Asked { instead, purpose, of_file, header, distributions, least, matrix };
    let none = "there is no tile: write a section `[tile.A]`";
    let Some(value) = tile else {
        if is_whole {
            faults.push(Fault::new(table.span(), none));
        }
        return Vec::new();
    };
    let unnamed =
        |table: &Table<'_>| table.entries().any(|(.., one)| one.as_ref().as_table().is_none());
    let all = match Table::from_value(value, "tile") {
        Ok(all) if !unnamed(&all) => all,
        _ => {
            let message = "each tile is a section with a name: write `[tile.A]`";
            faults.push(Fault::new(value.span(), message));
            return Vec::new();
        }
    };
    let is_sound = faults.is_empty();
    let mut tiles = Vec::new();
    for (name, span, value) in all.entries() {
        let before = faults.len();
        let Some(table) = kept(Table::from_value(value, called(name)), faults) else { continue };
        let place = source.place(span.start);
        kept(check_name(name, &span), faults);
        let tile = tile_of(source, &table, (name, place), &asked, faults);
        faults.extend(table.refuse_unknown());
        tiles.extend(tile.filter(|_| is_sound && faults.len() == before));
    }
    if all.entries().next().is_none() {
        faults.push(Fault::new(value.span(), none));
    }
    let chips: Vec<_> = tiles.iter().flat_map(|tile: &Tile| &tile.chips).copied().collect();
    let of_matrix =
        if faults.is_empty() { matrix::refused(&asked.matrix, &chips) } else { Vec::new() };
    let is_refused = !of_matrix.is_empty();
    faults.extend(of_matrix);
    if is_refused { Vec::new() } else { tiles }
}

fn version(table: &Table<'_>) -> Result<(), Fault> {
    let value = table.needs("version", "1")?;
    let is_whole = matches!(value.get_ref(), toml::de::DeValue::Integer(_));
    if !is_whole {
        return Err(Fault::new(
            value.span(),
            "version must be a whole number: write `version = 1`",
        ));
    }
    match number(value, "version", 0..=u64::MAX)? {
        VERSION => Ok(()),
        other => Err(Fault::new(
            value.span(),
            format!("version = {other}: this tiledesc reads version 1"),
        )),
    }
}

/// `name = "gemm"`, `offset_bits = 32`
fn header_terms(table: &Table<'_>) -> Result<HeaderTerms, Fault> {
    let name = table.get("name").map(|value| {
        let name = text(value, "name")?;
        check_name(name, &value.span()).map(|()| name.to_string())
    });
    let bits = table.get("offset_bits").map(|value| match number(value, "offset_bits", 32..=64)? {
        bits @ (32 | 64) => Ok(bits),
        bits => {
            let message = format!("offset_bits = {bits}: write 32 or 64");
            Err(Fault::new(value.span(), message))
        }
    });
    Ok(HeaderTerms { name: name.transpose()?, offset_bits: bits.transpose()? })
}

/// The terms of a file for all its tiles, and the chips in place of its own. The file's chips are missing if they were
/// refused: then all else of the tiles is read and reported, but nothing that a chip decides.
struct Asked<'a> {
    instead: &'a [&'static Chip],
    purpose: Purpose,
    of_file: Option<Vec<&'static Chip>>,
    header: HeaderTerms,
    distributions: Vec<Named>,
    /// The evidence that its accesses accept.
    least: Option<Evidence>,
    matrix: Vec<Matrix>,
}

fn tile_of(
    source: &Source,
    table: &Table<'_>,
    (name, place): (&str, Place),
    asked: &Asked<'_>,
    faults: &mut Vec<Fault>,
) -> Option<Tile> {
    let own = table.get("chips").map(|value| kept(chip::read(value), faults));
    let chips = match own {
        _ if !asked.instead.is_empty() => Some(asked.instead.to_vec()),
        Some(own) => own,
        None => asked.of_file.clone(),
    };
    let least = kept(access::least_of(table), faults).flatten();
    let may_overlap =
        table.get("may_overlap").map_or(Ok(false), |value| flag(value, "may_overlap"));
    // Where it is not a flag, that is fault enough.
    let may_overlap = kept(may_overlap, faults).unwrap_or(true);
    let (element, layout) = match table.get("bytes") {
        Some(value) => {
            let others = layout::NOTATIONS.into_iter().filter(|key| *key != "recipe");
            for key in ["element", "shape", "recast_from", "view"].into_iter().chain(others) {
                if let (true, Some(span)) = (table.has(key), table.key_span(key)) {
                    let message =
                        format!("a tile of `bytes` has no `{key}`: leave one of them out");
                    faults.push(Fault::new(span, message));
                }
            }
            let element = element(BYTE).expect("a row of the table");
            let layout = layout::of_bytes(table, value, &element);
            (element, layout)
        }
        None => {
            let element = kept(element_of(table), faults);
            let shape = kept(shape::read(table), faults);
            // Without them nothing below has a meaning, and its keys are not known.
            let (Some(element), Some(shape)) = (element, shape) else {
                let _ = layout_keys(table);
                return None;
            };
            let from = table.get("recast_from").map(|value| {
                let name = text(value, "recast_from")?;
                Ok::<_, Fault>((self::element(name).map_err(refused(value))?, value))
            });
            let layout = from
                .transpose()
                .and_then(|from| view::read(table, &element, shape.as_deref(), from));
            (element, layout)
        }
    };
    let layout = layout.map_err(of_tensor);
    let layout = layout.and_then(|layout| match &layout.unstated {
        Some(fault) if asked.purpose == Purpose::Answer => Err(fault.clone()),
        Some(_) => Ok(layout),
        None => proven(layout, may_overlap),
    });
    if layout.is_err() {
        let _ = layout_keys(table);
    }
    let of_chips = chips.as_deref().unwrap_or_default();
    let least = least.or(asked.least);
    let known = layout.as_ref().ok();
    let over = Over {
        lengths: known.map(|layout| layout.plan.lengths()),
        names: known.map_or(&[], |layout| &layout.dimensions),
        element: Some(element),
        chips: of_chips,
        rows: &[],
    };
    let terms = (&asked.distributions[..], over, least);
    let mut accesses = access::read(source, table, terms, faults);
    let fetches = table.get("fetch").map_or(Vec::new(), |value| {
        fetch::read(source, value, (&asked.distributions[..], over), faults)
    });
    let fill = match (table.get("fill"), &chips) {
        (Some(value), Some(chips)) => Some(kept(fill::read(value, chips), faults)),
        _ => None,
    };
    let consumers = match (table.get("consumed_by"), &chips) {
        (Some(value), Some(chips)) => kept(consumer::read(value, chips), faults),
        _ => Some(Vec::new()),
    };
    let layout = match layout {
        Err(_) if table.has_slip() => return None,
        layout => kept(layout, faults)?,
    };
    for access in &accesses {
        if matches!(access.lanes, Held::Addresses(_) | Held::Data(_)) && !table.has("bytes") {
            let message = "addresses are bytes of a tile of `bytes = 65536`, which has no element, shape or layout";
            faults.push(Fault::new(access.span.clone(), message));
        }
        let checked = access.lanes.check_names(&layout.stated_names());
        kept(checked.map_err(|message| Fault::new(access.span.clone(), message)), faults);
    }
    for fetch in &fetches {
        kept(fetch.check_names(&layout.stated_names()), faults);
    }
    for access in &mut accesses {
        if let Held::Data(data) = &mut access.lanes {
            let (op, by) = (&access.op, &access.by);
            let settled = match access.rows.iter().find(|row| row.parts() > 1) {
                Some(_) => Err(format!("{op} has two addresses, and data chooses one")),
                None => data.settle(&layout.plan, &access.rows).map_err(|error| error.to_string()),
            };
            let said = |why| Fault::new(access.span.clone(), format!("{op} by {by}: {why}"));
            kept(settled.map_err(said), faults);
        }
    }
    let chips = chips?;
    if (!accesses.is_empty() || !fetches.is_empty()) && chips.is_empty() {
        let message = format!("{} has no chip: write `chips = [\"gfx942\"]`", called(name));
        faults.push(Fault::new(table.span(), message));
        return None;
    }
    let fill = match fill {
        Some(fill) => Some(fill?),
        None => None,
    };
    Some(Tile {
        name: name.to_string(),
        place,
        element,
        layout,
        chips,
        accesses,
        fill,
        fetches,
        consumers: consumers?,
        header: asked.header.clone(),
        matrix: asked.matrix.clone(),
    })
}

/// The fault of a layout that is too large for a tile, with what counts the elements of a tensor.
fn of_tensor(fault: Fault) -> Fault {
    let is_too_large = ["exceeds 32-bit offsets", "exceed 32-bit byte offsets"];
    let is_of_space = is_too_large.iter().any(|words| fault.message.contains(words));
    let stride = fault.message.strip_prefix("a number of strides = ");
    let stride = stride.and_then(|rest| rest.split(':').next()?.parse::<u64>().ok());
    match is_of_space || stride.is_some_and(|stride| stride > u64::from(u32::MAX)) {
        true => Fault {
            message: format!(
                "{}; a tile is a part of such a tensor, whose elements the header's `_rows_offset` counts in 64 bits",
                fault.message
            ),
            ..fault
        },
        false => fault,
    }
}

/// Marks all keys of layouts as known, where the layout itself was refused: one fault is enough.
fn layout_keys(table: &Table<'_>) -> usize {
    let parameters = families(8).iter().flat_map(|family| family.parameters());
    let known = parameters.filter(|name| table.get_loose(name).is_some()).count();
    let others = [
        "columns",
        "consumed_by",
        "fetch",
        "fill",
        "lines",
        "masks",
        "read",
        "recast_from",
        "transposed",
        "unit",
        "view",
        "write",
    ]
    .into_iter()
    .chain(layout::NOTATIONS);
    known + others.filter(|name| table.has(name)).count()
}

fn element_of(table: &Table<'_>) -> Result<ElementName, Fault> {
    let value = table.needs("element", "\"f16\"")?;
    element(text(value, "element")?).map_err(refused(value))
}

/// The element of a tile of `bytes`.
const BYTE: &str = "I8";

/// Elements as C, C++, HIP, CUDA, PyTorch and papers call them. A layout knows widths: an unsigned integer is the signed
/// one of its width.
const CALLED: [(&str, &[&str]); 15] = [
    ("f64", &["double", "float64"]),
    ("f32", &["float", "float32", "tf32", "xf32"]),
    ("f16", &["half", "__half", "_float16", "float16", "half_t", "fp16_t"]),
    ("bf16", &["bfloat16", "__hip_bfloat16", "__nv_bfloat16", "__bf16", "bf16_t", "bfloat16_t"]),
    (
        "f8",
        &[
            "e4m3",
            "e4m3fn",
            "fp8_e4m3",
            "float8_e4m3",
            "float8_e4m3fn",
            "float8_e4m3fnuz",
            "fp8e4nv",
            "fp8e4b8",
            "mxfp8",
        ],
    ),
    ("bf8", &["e5m2", "fp8_e5m2", "float8_e5m2", "float8_e5m2fnuz", "fp8e5", "fp8e5b16"]),
    ("f6", &["e2m3", "e3m2", "fp6_e2m3", "fp6_e3m2", "float6_e2m3fn", "float6_e3m2fn", "mxfp6"]),
    ("f4", &["e2m1", "fp4_e2m1", "float4_e2m1fn", "mxfp4", "nvfp4"]),
    ("i64", &["u64", "int64_t", "uint64", "uint64_t"]),
    ("i32", &["u32", "int", "unsigned", "int32_t", "uint32", "uint32_t"]),
    ("i16", &["u16", "short", "int16_t", "uint16", "uint16_t"]),
    ("i8", &["u8", "char", "byte", "int8_t", "uint8", "uint8_t"]),
    ("i4", &["u4"]),
    ("complex128", &["double2", "c128", "cudoublecomplex", "hipdoublecomplex"]),
    ("complex64", &["float2", "c64", "cucomplex", "cufloatcomplex", "hipfloatcomplex"]),
];

/// An element by its name in code, in reports, or elsewhere.
fn element(name: &str) -> Result<ElementName, String> {
    let lower = name.to_lowercase();
    let other = CALLED.iter().find(|(_, names)| names.contains(&lower.as_str()));
    let code = other.map_or(lower.as_str(), |(code, _)| code);
    let is = |known: &&ElementName| {
        known.code.eq_ignore_ascii_case(code) || known.name.eq_ignore_ascii_case(code)
    };
    ELEMENTS.iter().find(is).copied().ok_or_else(|| {
        let names: Vec<_> = ELEMENTS.iter().map(|known| known.code.to_lowercase()).collect();
        let begins = begins(&lower).filter(|code| *code != lower);
        let near = match begins {
            Some(code) if lower.contains("pad") => format!(
                ": write `{code}`, and its padding as a layout, as `recipe = \"interval-pad\"`, `every = 16`, `padding = 16`"
            ),
            Some(code) if nearest(name, names.iter().map(String::as_str)).is_none() => {
                format!("; did you mean `{code}`?")
            }
            _ => did_you_mean(name, names.iter().map(String::as_str)),
        };
        format!("no element is called `{name}`{near}")
    })
}

/// The element whose name a longer one begins with: `f4` of `fp4_padded`, `f16` of `float16x2`.
fn begins(name: &str) -> Option<String> {
    let own = ELEMENTS.iter().map(|known| known.code.to_lowercase());
    let called =
        CALLED.iter().flat_map(|(code, names)| names.iter().map(move |name| (*name, *code)));
    let called = called.map(|(name, code)| (name.to_string(), code.to_string()));
    let printed =
        ELEMENTS.iter().map(|known| (known.name.to_lowercase(), known.code.to_lowercase()));
    let all = own.map(|code| (code.clone(), code)).chain(called).chain(printed);
    all.filter(|(known, _)| name.starts_with(known.as_str()))
        .max_by_key(|(known, _)| known.len())
        .map(|(_, code)| code)
}

/// The most coordinates that are all tried, where structure does not decide whether two share an offset: about a
/// second.
const MOST_TRIED: u64 = 1 << 22;

/// Refuses a layout whose coordinates share an offset.
fn proven(layout: Layout, may_overlap: bool) -> Result<Layout, Fault> {
    if may_overlap {
        return Ok(layout);
    }
    let proof = match layout.plan.prove_injective() {
        Err(Error::Undecided { .. } | Error::TooManyToTry { .. })
            if layout.plan.elements() <= MOST_TRIED =>
        {
            layout.plan.injective()
        }
        decided => decided,
    };
    match proof {
        Ok(()) => Ok(layout),
        Err(error) => {
            let message = format!("{error}; `may_overlap = true` allows it");
            Err(Fault::new(layout.span, message))
        }
    }
}
