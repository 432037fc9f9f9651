//! Layouts of a file: one of seven notations, each a plan.
//!
//! | key | notation |
//! |---|---|
//! | `recipe` | CK Tile's layouts by name, with their parameters beside it |
//! | `strides` | plain memory, `[72, 1]` or `{ m = 72, k = 1 }` |
//! | `cute` | CuTe's text, `Sw<3,3,3> o 0 o (128,64):(64,1)`, or its algebra, `tile_to_shape(..)`; `unit` says what the swizzle counts, "elements" or "bytes" |
//! | `triton` | bases, `{ offset = [[0, 1], ..] }`, or `{ vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0] }`, or the IR's or Gluon's text |
//! | `iree` | IREE's attribute, `#iree_codegen.xor_shuffle<64, 8>` or `rotate_rows<..>` |
//! | `ck` | `{ kpack = 8, mldslayer = 1 }` of the universal GEMM |
//! | `stages` | the words of `descriptor!` |

use crate::request::fault::Fault;
use crate::request::notation::Notation;
use crate::request::reader::Syntax;
use crate::request::shape::{self, Dimension, names};
use crate::request::spelling::{by_names, did_you_mean, plural};
use crate::request::value::{Table, Value, refused, text, word, words};
use crate::request::{recipe, stages, triton};
use std::ops::Range;
use tiledesc::recipe::mlds_layer;
use tiledesc::{ElementName, Error, List, Mapping, Plan};
use tiledesc_host::exchange::ck::Parameters;
use tiledesc_host::exchange::cute::Composed;
use tiledesc_host::exchange::iree::Swizzle;
use tiledesc_host::exchange::source::{self, Style};
use tiledesc_host::exchange::triton::is_gluon;

/// The notations; a tile has one of them.
pub(crate) const NOTATIONS: [&str; 7] =
    ["recipe", "strides", "cute", "triton", "iree", "ck", "stages"];

/// The notation of a view, which no key alone states.
pub(crate) const VIEW: &str = "view";

/// A layout with names for its dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) plan: Plan,
    /// The layout with the swizzle counted in bytes, where CuTe's text leaves that open and it matters.
    pub(crate) in_bytes: Option<Box<Plan>>,
    pub(crate) dimensions: Vec<String>,
    /// The key that states it: of [`NOTATIONS`], or `bytes`; of a view [`VIEW`].
    pub(crate) notation: &'static str,
    /// The notation in which the kernel has the layout: of a remedy, too. None has C++'s arrays.
    pub(crate) of_kernel: Option<Notation>,
    /// Whether the file names the dimensions.
    has_shape: bool,
    /// The bytes of the file that state it.
    pub(crate) span: Range<usize>,
    /// Why a tile that states no layout is refused; `find` begins with rows side by side instead.
    pub(crate) unstated: Option<Fault>,
}

impl Layout {
    /// The names of the dimensions, where they are the file's or the recipe's, and not `x0`, which is made up.
    pub(crate) fn stated_names(&self) -> Vec<Option<&str>> {
        let each = self.dimensions.iter().enumerate();
        let is_stated = |at: usize, name: &String| self.has_shape || *name != unnamed(at);
        each.map(|(at, name)| is_stated(at, name).then_some(name.as_str())).collect()
    }

    /// Returns whether the file names the dimensions.
    pub(crate) fn has_shape(&self) -> bool {
        self.has_shape
    }

    /// A layout whose shape the file states, and which leaves nothing open.
    fn new(
        plan: Plan,
        dimensions: Vec<String>,
        notation: &'static str,
        span: Range<usize>,
    ) -> Self {
        let (in_bytes, of_kernel, has_shape, unstated) = (None, None, true, None);
        Self { plan, in_bytes, dimensions, notation, of_kernel, has_shape, span, unstated }
    }

    /// Marks the layout as a view of what its notation states.
    pub(crate) fn viewed(&mut self, has_shape: bool, span: Range<usize>) {
        (self.notation, self.has_shape, self.span) = (VIEW, has_shape, span);
    }
}

/// Plain memory, for accesses that are known by their addresses alone; or by a recipe where each byte of it lies.
pub(crate) fn of_bytes(
    table: &Table<'_>,
    value: &Value<'_>,
    byte: &ElementName,
) -> Result<Layout, Fault> {
    let length = word(value, "bytes", 1)?;
    let dimension = Dimension { name: "byte".to_string(), length, span: value.span() };
    let (plan, dimensions) = match table.get("recipe") {
        Some(recipe) => recipe::read(table, recipe, byte, Some(&[dimension]))?,
        None => (Plan::naive(&[length], &[1]).map_err(refused(value))?, vec![dimension.name]),
    };
    Ok(Layout::new(plan, dimensions, "bytes", value.span()))
}

/// The layout of a tile: the one notation that its table has, or else rows side by side.
pub(crate) fn read(
    table: &Table<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Layout, Fault> {
    let given: Vec<_> = NOTATIONS.into_iter().filter(|key| table.has(key)).collect();
    let notation = match (&given[..], shape) {
        ([notation], _) => *notation,
        ([], Some(shape)) => return side_by_side(table, shape),
        _ => return Err(not_one(table, &given, shape)),
    };
    let value = table.needs(notation, "..")?;
    if let (true, Some(unit)) = (notation != "cute", table.get("unit")) {
        let message = format!(
            "`unit` is what the swizzle of `cute` counts, and the layout is `{notation}`: leave it out"
        );
        return Err(Fault::new(unit.span(), message));
    }
    let found = of_notation(table, (notation, value), element, shape);
    let mut layout = found.map_err(|fault| match notation {
        // Stages count dimensions of their own.
        "stages" => fault,
        _ => Fault { message: by_names(&fault.message, &names(shape)), ..fault },
    })?;
    layout.has_shape = shape.is_some();
    if notation != "recipe" {
        agrees(&layout, shape)?;
    }
    fits(&layout, element)?;
    Ok(with_names(layout))
}

/// The notation in which a kernel states a layout that CuTe's text is.
fn of_cute_kernel(style: Style, layout: &Composed) -> Notation {
    match style {
        Style::Atom => Notation::CuteBytes,
        Style::Cpp => Notation::CuteCpp,
        Style::Dsl => Notation::CuteDsl,
        Style::Printed if layout.pointer_bits().is_some() => Notation::CuteBytes,
        Style::Printed => Notation::Cute,
    }
}

fn of_notation(
    table: &Table<'_>,
    (notation, value): (&'static str, &Value<'_>),
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Layout, Fault> {
    let (mut dimensions, mut in_bytes, mut of_kernel) = (names(shape), None, None);
    let plan = match notation {
        "recipe" => {
            let (plan, of_recipe) = recipe::read(table, value, element, shape)?;
            dimensions = of_recipe;
            plan
        }
        "strides" => of_strides(table, value, shape)?,
        "cute" => {
            let words = text(value, "cute")?;
            let composed = source::parse(words).map_err(refused(value))?;
            of_kernel = Some(of_cute_kernel(source::style(words), &composed));
            let (plan, other) = of_cute(table, value, (words, composed), element)?;
            in_bytes = other.map(Box::new);
            plan
        }
        "triton" => {
            let is_gluon = value.get_ref().as_str().is_some_and(is_gluon);
            of_kernel = Some(if is_gluon { Notation::Gluon } else { Notation::Ttgir });
            triton::read(table, value, element, shape)?
        }
        "iree" => of_iree(value, shape)?,
        "ck" => of_ck(table, value, element, shape)?,
        _ => of_stages(value)?,
    };
    let layout = Layout::new(plan, dimensions, notation, value.span());
    Ok(Layout { in_bytes, of_kernel, ..layout })
}

/// The layout of a tile that states none.
fn side_by_side(table: &Table<'_>, shape: &[Dimension]) -> Result<Layout, Fault> {
    let fault = not_one(table, &[], Some(shape));
    let lengths: Vec<_> = shape.iter().map(|dimension| dimension.length).collect();
    // Where there is no such layout, the missing one is fault enough.
    let plan = Plan::packed(&lengths).map_err(|_| fault.clone())?;
    let (dimensions, span) = (names(Some(shape)), fault.span.clone());
    let layout = Layout::new(plan, dimensions, "strides", span);
    Ok(Layout { unstated: Some(fault), ..layout })
}

/// The fault of a tile with no notation, or with several.
fn not_one(table: &Table<'_>, given: &[&str], shape: Option<&[Dimension]>) -> Fault {
    let all = NOTATIONS.map(|key| format!("`{key}`")).join(", ");
    let Some(second) = given.get(1) else {
        let name = table.called();
        let side_by_side = shape.map_or(String::new(), |shape| {
            format!("; rows side by side are `strides = {:?}`", packed(shape))
        });
        let message = format!("{name} has no layout: write one of {all}{side_by_side}");
        return Fault::new(table.span(), message);
    };
    let span = table.key_span(second).unwrap_or_else(|| table.span());
    let message = format!(
        "a tile has one layout, but both `{}` and `{second}` are given: leave one of them out",
        given[0]
    );
    Fault::new(span, message)
}

/// The strides of rows side by side.
fn packed(shape: &[Dimension]) -> Vec<u64> {
    let mut strides = vec![1_u64; shape.len()];
    for d in (1..shape.len()).rev() {
        strides[d - 1] = strides[d].saturating_mul(u64::from(shape[d].length));
    }
    strides
}

/// Names dimensions that have no name `x0`, `x1`, ..
pub(crate) fn with_names(mut layout: Layout) -> Layout {
    for i in layout.dimensions.len()..layout.plan.rank() {
        layout.dimensions.push(unnamed(i));
    }
    layout
}

/// The name of a dimension that has no other.
fn unnamed(at: usize) -> String {
    format!("x{at}")
}

/// Refuses a layout of another shape than the file's.
pub(crate) fn agrees(layout: &Layout, shape: Option<&[Dimension]>) -> Result<(), Fault> {
    let Some(shape) = shape else { return Ok(()) };
    let lengths: Vec<_> = shape.iter().map(|dimension| dimension.length).collect();
    let has = layout.plan.lengths();
    if has.as_slice() == lengths {
        return Ok(());
    }
    let message =
        format!("the layout is of {:?} elements, and shape says {lengths:?}", has.as_slice());
    Err(Fault::new(layout.span.clone(), message))
}

/// Refuses a layout whose bytes no 32-bit address reaches.
pub(crate) fn fits(layout: &Layout, element: &ElementName) -> Result<(), Fault> {
    let elements = layout.plan.element_space() + u64::from(layout.plan.origin());
    // As a layout of a type: elements that do not begin at a byte have offsets in bits.
    let unit = if element.bits.is_multiple_of(8) { element.bits / 8 } else { element.bits };
    if elements.saturating_mul(u64::from(unit)) <= 1 << 32 {
        return Ok(());
    }
    let error = Error::BytesTooLarge { elements, bits: element.bits };
    Err(Fault::new(layout.span.clone(), error))
}

fn of_iree(value: &Value<'_>, shape: Option<&[Dimension]>) -> Result<Plan, Fault> {
    let lengths = shape::lengths(shape, value, "iree")?;
    let lengths =
        List::from_slice(&lengths).map_err(|e| Fault::new(value.span(), Error::Number(e)))?;
    let swizzle: Swizzle = text(value, "iree")?.parse().map_err(refused(value))?;
    swizzle.plan(lengths).map_err(refused(value))
}

fn of_strides(
    table: &Table<'_>,
    value: &Value<'_>,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let lengths = shape::lengths(shape, value, "strides")?;
    let strides = match value.get_ref() {
        toml::de::DeValue::Table(_) => {
            let by_name = Table::from_value(value, format!("strides of {}", table.called()))?;
            let each = shape.unwrap_or_default().iter();
            let stride = |one: &Dimension| word(by_name.needs(&one.name, "1")?, &one.name, 0);
            let strides = each.map(stride).collect::<Result<Vec<_>, _>>()?;
            by_name.has_no_more()?;
            strides
        }
        _ => words(value, "strides", 0)?,
    };
    Plan::naive(&lengths, &strides).map_err(refused(value))
}

/// CuTe's text as a plan; where it leaves open whether its swizzle counts elements or bytes, also as the other one.
fn of_cute(
    table: &Table<'_>,
    value: &Value<'_>,
    (words, composed): (&str, Composed),
    element: &ElementName,
) -> Result<(Plan, Option<Plan>), Fault> {
    let in_bytes = || composed.in_bytes_of(element.bits);
    let plan = |one: Composed| one.to_plan().map_err(refused(value));
    match (table.get("unit").map(unit_of).transpose()?, composed.pointer_bits()) {
        (_, Some(bits)) if bits != element.bits => {
            let (name, own) = (element.code.to_lowercase(), element.bits);
            let message = format!(
                "`smem_ptr[{bits}b]` says {}, but an element of `{name}` has {own}",
                plural(bits, "bit")
            );
            Err(Fault::new(value.span(), message))
        }
        (Some(Unit::Elements), Some(bits)) => {
            let message = format!(
                "the swizzle before `smem_ptr[{bits}b]` counts bytes, and unit = \"elements\": leave one of them out"
            );
            Err(Fault::new(value.span(), message))
        }
        (Some(Unit::Bytes), None) => Ok((plan(in_bytes().map_err(refused(value))?)?, None)),
        (Some(_), _) | (None, Some(_)) => Ok((plan(composed)?, None)),
        (None, None) if source::counts_elements(words) => Ok((plan(composed)?, None)),
        // A swizzle that moves parts of an element, counted in bytes, does not count them.
        (None, None) => {
            let other = in_bytes().ok().filter(|other| other.swizzle() != composed.swizzle());
            let other = other.and_then(|other| other.to_plan().ok());
            let own = plan(composed)?;
            Ok((own, other.filter(|other| is_apart(&own, other))))
        }
    }
}

/// Returns whether two plans of a shape have an element at different offsets; true of plans with more elements than are
/// compared.
pub(crate) fn is_apart(one: &Plan, other: &Plan) -> bool {
    let is_moved = |number| {
        let index = one.nth(number);
        one.offset(index.as_slice()) != other.offset(index.as_slice())
    };
    one.elements() > MOST_COMPARED || (0..one.elements()).any(is_moved)
}

/// The most elements of two layouts that are compared one by one: a tenth of a second.
pub(crate) const MOST_COMPARED: u64 = 1 << 20;

/// The unit of a swizzle's numbers.
#[derive(Clone, Copy)]
enum Unit {
    Elements,
    Bytes,
}

fn unit_of(value: &Value<'_>) -> Result<Unit, Fault> {
    match text(value, "unit")? {
        "elements" => Ok(Unit::Elements),
        "bytes" => Ok(Unit::Bytes),
        other => {
            let near = did_you_mean(other, ["elements", "bytes"]);
            Err(Fault::new(
                value.span(),
                format!("`unit` is what a swizzle counts, not `{other}`{near}"),
            ))
        }
    }
}

fn of_stages(value: &Value<'_>) -> Result<Plan, Fault> {
    let read = stages::parse(text(value, "stages")?);
    let said = |fault: Syntax| format!("at byte {} of the stages: {}", fault.at, fault.message);
    read.map_err(said).map_err(refused(value))
}

fn of_ck(
    table: &Table<'_>,
    value: &Value<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let [rows, columns] = shape::lengths(shape, value, "ck")?[..] else {
        return Err(Fault::new(value.span(), "`ck` is of a shape of two dimensions, rows and K"));
    };
    let ck = Table::from_value(value, format!("ck of {}", table.called()))?;
    let pack = match ck.get_loose("kpack") {
        Some(pack) => word(pack, "kpack", 1)?,
        None => return Err(Fault::new(value.span(), "ck has no `kpack`: write `kpack = 8`")),
    };
    let layers = match ck.get_loose("mldslayer") {
        Some(layers) => word(layers, "mldslayer", 1)?,
        // CK's own choice on 32 banks.
        None => mlds_layer(columns, element.bits, 32),
    };
    ck.has_no_more()?;
    Parameters { pack, layers }.plan(rows, columns).map_err(refused(value))
}

#[cfg(test)]
mod tests {
    use crate::request::shape;
    use crate::request::value::Table;
    use tiledesc::ELEMENTS;
    use toml::de::DeTable;

    fn layout(words: &str) -> super::Layout {
        let parsed = DeTable::parse(words).unwrap();
        let table = Table::new(parsed.get_ref(), 0..0, "the tile");
        let f16 = ELEMENTS.iter().find(|one| one.code == "F16").unwrap();
        super::read(&table, f16, shape::read(&table).unwrap().as_deref()).unwrap()
    }

    /// The rows of a recipe are those of the names, or else of the places.
    #[test]
    fn arguments_are_in_the_order_of_the_shape() {
        let offset = |words: &str, index: [u32; 2]| layout(words).plan.offset(&index).unwrap();
        let xor = "recipe = \"gemm-xor\"\nkpack = 8";
        let by_row = |row: u32, depth: u32| row * 64 + (depth ^ (row % 8 * 8));
        for (row, depth) in [(0, 0), (3, 17), (127, 63), (64, 5)] {
            let wanted = by_row(row, depth);
            assert_eq!(
                offset(&format!("shape = {{ n = 128, k = 64 }}\n{xor}"), [row, depth]),
                wanted
            );
            assert_eq!(
                offset(&format!("shape = {{ k = 64, n = 128 }}\n{xor}"), [depth, row]),
                wanted
            );
            assert_eq!(
                offset(&format!("shape = {{ s = 128, d = 64 }}\n{xor}"), [row, depth]),
                wanted
            );
            // That of the exchanged tile: packs along the columns.
            let exchanged = format!("shape = {{ k = 128, n = 64 }}\n{xor}\ntransposed = true");
            assert_eq!(offset(&exchanged, [row, depth]), wanted);
        }
    }

    /// A square tile, whose lengths do not show which dimension is which.
    #[test]
    fn dimensions_have_the_names_of_their_parameters() {
        let names = |words: &str| layout(words).dimensions;
        assert_eq!(
            names("shape = { m = 64, k = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8"),
            ["m", "k"]
        );
        assert_eq!(
            names("shape = { K = 64, n = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8"),
            ["K", "n"]
        );
        assert_eq!(
            names("shape = { s = 64, d = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8"),
            ["s", "d"]
        );
        assert_eq!(names("recipe = \"gemm-xor\"\nm = 64\nk = 64\nkpack = 8"), ["m", "k"]);
        assert_eq!(names("shape = { mn = 64, k = 64 }\nrecipe = \"gemm-ds-read-tr\""), ["mn", "k"]);
        let bridge = "recipe = \"moe-bridge\"\nrep_m = 1\nrep_n = 1\nwarps = 1";
        assert_eq!(names(bridge), ["x0", "x1"]);
        assert_eq!(names("cute = \"(8,64):(64,1)\""), ["x0", "x1"]);
    }
}
