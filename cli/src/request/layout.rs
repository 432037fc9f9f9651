//! Layouts of a file: one of six notations, each a plan.
//!
//! | key | notation |
//! |---|---|
//! | `recipe` | CK Tile's layouts by name, with their parameters beside it |
//! | `strides` | plain memory, `[72, 1]` or `{ m = 72, k = 1 }` |
//! | `cute` | CuTe's text, `Sw<3,3,3> o 0 o (128,64):(64,1)` |
//! | `triton` | bases, `{ offset = [[0, 1], ..] }`, or `{ vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0] }` |
//! | `ck` | `{ kpack = 8, mldslayer = 1 }` of the universal GEMM |
//! | `stages` | the words of `descriptor!` |

use crate::request::fault::{Fault, did_you_mean};
use crate::request::stages;
use crate::request::value::{Table, Value, flag, list, plain, text, word, words};
use std::ops::Range;
use tiledesc::exchange::ck::Parameters;
use tiledesc::exchange::cute;
use tiledesc::exchange::triton::Bases;
use tiledesc::recipe::{self, Family};
use tiledesc::{
    ElementName, Error, F4, F6, F8, F16, F32, F64, List, Mapping, NumberError, Op, Plan,
};

/// The notations, of which a tile has one.
pub(crate) const NOTATIONS: [&str; 6] = ["recipe", "strides", "cute", "triton", "ck", "stages"];

/// A dimension of a tile as the file names it.
#[derive(Clone, Debug)]
pub(crate) struct Dimension {
    pub(crate) name: String,
    pub(crate) length: u32,
    pub(crate) span: Range<usize>,
}

/// A layout with names for its dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) plan: Plan,
    pub(crate) dimensions: Vec<String>,
    /// Where the file says it.
    pub(crate) span: Range<usize>,
}

/// All recipes for elements of so many bits: their layouts depend on nothing else.
pub(crate) fn families(bits: u32) -> &'static [Family] {
    match bits {
        64 => recipe::families::<F64>(),
        32 => recipe::families::<F32>(),
        16 => recipe::families::<F16>(),
        8 => recipe::families::<F8>(),
        6 => recipe::families::<F6>(),
        4 => recipe::families::<F4>(),
        _ => &[],
    }
}

/// `GemmXor` as a file has it: `gemm-xor`.
pub(crate) fn kebab(code: &str) -> String {
    let mut words = String::new();
    for (i, c) in code.char_indices() {
        if c.is_ascii_uppercase() && i > 0 {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// The layout of a tile: the one notation that its table has.
pub(crate) fn read(
    table: &Table<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Layout, Fault> {
    let given: Vec<_> = NOTATIONS.into_iter().filter(|key| table.has(key)).collect();
    let [notation] = given[..] else { return Err(not_one(table, &given)) };
    let value = table.needs(notation, "..")?;
    let (plan, dimensions) = match notation {
        "recipe" => of_recipe(table, value, element, shape)?,
        "strides" => (of_strides(table, value, shape)?, named(shape)),
        "cute" => (of_cute(value)?, named(shape)),
        "triton" => (of_triton(table, value, shape)?, named(shape)),
        "ck" => (of_ck(table, value, element, shape)?, named(shape)),
        _ => (of_stages(value)?, named(shape)),
    };
    let layout = Layout { plan, dimensions, span: value.span() };
    if notation != "recipe" {
        agrees(&layout, shape)?;
    }
    fits(&layout, element)?;
    Ok(with_names(layout))
}

/// None, or several.
fn not_one(table: &Table<'_>, given: &[&str]) -> Fault {
    let all = NOTATIONS.map(|key| format!("`{key}`")).join(", ");
    let Some(second) = given.get(1) else {
        let name = table.called();
        return Fault::new(table.span(), format!("{name} has no layout: write one of {all}"));
    };
    let span = table.key_span(second).unwrap_or_else(|| table.span());
    let message = format!(
        "a tile has one layout, and both `{}` and `{second}` are given: leave one of them out",
        given[0]
    );
    Fault::new(span, message)
}

fn named(shape: Option<&[Dimension]>) -> Vec<String> {
    shape.unwrap_or_default().iter().map(|dimension| dimension.name.clone()).collect()
}

/// Dimensions that nobody has named are `x0`, `x1`, ..
fn with_names(mut layout: Layout) -> Layout {
    for i in layout.dimensions.len()..layout.plan.rank() {
        layout.dimensions.push(format!("x{i}"));
    }
    layout
}

/// Refuses a layout of another shape than the file says.
fn agrees(layout: &Layout, shape: Option<&[Dimension]>) -> Result<(), Fault> {
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
fn fits(layout: &Layout, element: &ElementName) -> Result<(), Fault> {
    let elements = layout.plan.element_space() + u64::from(layout.plan.origin());
    if elements * u64::from(element.bits) <= 8 << 32 {
        return Ok(());
    }
    let error = Error::BytesTooLarge { elements, bits: element.bits };
    Err(Fault::new(layout.span.clone(), error))
}

fn refused(value: &Value<'_>) -> impl Fn(Error) -> Fault + use<> {
    let span = value.span();
    move |error| Fault::new(span.clone(), error)
}

// Recipes.

fn of_recipe(
    table: &Table<'_>,
    value: &Value<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<(Plan, Vec<String>), Fault> {
    let (name, families) = (text(value, "recipe")?, families(element.bits));
    let Some(family) = families.iter().find(|family| plain(family.name()) == plain(name)) else {
        let names: Vec<_> = families.iter().map(|family| kebab(family.name())).collect();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        return Err(Fault::new(value.span(), format!("no recipe is called `{name}`{near}")));
    };
    let transposed =
        table.get("transposed").map_or(Ok(false), |value| flag(value, "transposed"))?;
    let lines = table.get("lines").map_or(Ok(1), |value| word(value, "lines", 1))?;
    let exchanged = shape.filter(|_| transposed).map(exchanged);
    let by_rows = exchanged.as_deref().or(shape);
    let narrow = by_rows.filter(|_| lines > 1).map(|shape| in_lines(shape, lines)).transpose()?;
    let numbers = parameters(table, family, narrow.as_deref().or(by_rows), value)?;
    let items = items_of(table, family)?;
    let mut plan = family.plan(&numbers, &items).map_err(refused(value))?;
    let mut names = names_of(family, &numbers, &items, &plan, shape);
    if lines > 1 {
        plan = recipe::joined(&plan, lines).map_err(refused(value))?;
    }
    if !transposed {
        return Ok((plan, names));
    }
    // Names of the shape stay in its order.
    if shape.is_none() {
        names.reverse();
    }
    Ok((recipe::transposed(&plan).map_err(refused(value))?, names))
}

/// The masks or columns of a recipe, if it takes a list.
fn items_of(table: &Table<'_>, family: &Family) -> Result<Vec<u32>, Fault> {
    let Some(key) = family.list().map(str::to_lowercase) else { return Ok(Vec::new()) };
    match table.get_loose(&key) {
        Some(items) => words(items, &key, 0),
        None => Ok(Vec::new()),
    }
}

/// The dimensions of the tile that a transposed recipe is of: each by its name, as long as the other.
fn exchanged(shape: &[Dimension]) -> Vec<Dimension> {
    let lengths = shape.iter().rev().map(|one| one.length);
    shape.iter().zip(lengths).map(|(one, length)| Dimension { length, ..one.clone() }).collect()
}

/// The dimensions of the narrow tile of which so many rows are one of the shape's.
fn in_lines(shape: &[Dimension], lines: u32) -> Result<Vec<Dimension>, Fault> {
    let mut narrow = shape.to_vec();
    if let [rows, columns] = &mut narrow[..] {
        let Dimension { name, length, span } = &columns;
        if !length.is_multiple_of(lines) {
            let message = format!("{name} = {length} is not a multiple of lines = {lines}");
            return Err(Fault::new(span.clone(), message));
        }
        columns.length /= lines;
        rows.length = rows.length.saturating_mul(lines);
    }
    Ok(narrow)
}

/// The numbers of a recipe: from its keys, or from the dimensions of the shape.
fn parameters(
    table: &Table<'_>,
    family: &Family,
    shape: Option<&[Dimension]>,
    value: &Value<'_>,
) -> Result<Vec<u32>, Fault> {
    let (mut numbers, mut used) = (Vec::new(), Vec::new());
    for parameter in family.parameters() {
        if let Some(given) = table.get_loose(parameter) {
            // A buffer is numbered from 0, and a pad may be none.
            let least = u32::from(!matches!(*parameter, "Buffer" | "Padding"));
            numbers.push(word(given, &parameter.to_lowercase(), least)?);
        } else if let Some(dimension) = of_shape(parameter, family, shape) {
            used.push(dimension.name.clone());
            numbers.push(dimension.length);
        } else {
            let key = parameter.to_lowercase();
            let all = family.parameters().join(", ");
            let message = format!(
                "{} needs {all}, and {parameter} is not given: write `{key} = ..`{}",
                family.name(),
                if is_dimension(parameter) { ", or name it in the shape" } else { "" }
            );
            return Err(Fault::new(value.span(), message));
        }
    }
    let unused = shape.unwrap_or_default().iter().find(|one| !used.contains(&one.name));
    match unused {
        None => Ok(numbers),
        Some(unused) => {
            let (name, all) = (&unused.name, family.parameters().join(", "));
            let message = format!("{} has no dimension `{name}`: it has {all}", family.name());
            Err(Fault::new(unused.span.clone(), message))
        }
    }
}

/// Parameters that are dimensions of the tile.
pub(crate) const BY_NAME: [&str; 4] = ["M", "N", "MN", "K"];

fn is_dimension(parameter: &str) -> bool {
    BY_NAME.contains(&parameter)
}

/// The dimension that a parameter takes: by its own name, or, as in the library, the rows of
/// either operand.
fn of_shape<'s>(
    parameter: &str,
    family: &Family,
    shape: Option<&'s [Dimension]>,
) -> Option<&'s Dimension> {
    let rows: &[&str] = match parameter {
        "M" if !family.parameters().contains(&"N") => &["m", "n", "mn"],
        "MN" => &["mn", "m", "n"],
        "M" => &["m"],
        "N" => &["n"],
        "K" => &["k"],
        _ => return None,
    };
    let shape = shape?;
    rows.iter().find_map(|name| shape.iter().find(|one| one.name.to_lowercase() == *name))
}

/// The names of a recipe's dimensions: a dimension that is twice as long where a parameter is
/// twice as large is that parameter's.
fn names_of(
    family: &Family,
    numbers: &[u32],
    items: &[u32],
    plan: &Plan,
    shape: Option<&[Dimension]>,
) -> Vec<String> {
    let mut names: Vec<_> = (0..plan.rank()).map(|i| format!("x{i}")).collect();
    for (i, parameter) in family.parameters().iter().enumerate() {
        if !is_dimension(parameter) {
            continue;
        }
        let mut doubled = numbers.to_vec();
        doubled[i] = doubled[i].saturating_mul(2);
        let Ok(other) = family.plan(&doubled, items) else { continue };
        let (before, after) = (plan.lengths(), other.lengths());
        let grown = |d: &usize| after.as_slice().get(*d) == Some(&(before.at(*d) * 2));
        let mut grew = (0..plan.rank()).filter(grown);
        if let (Some(d), None) = (grew.next(), grew.next()) {
            let given = of_shape(parameter, family, shape).map(|one| one.name.clone());
            names[d] = given.unwrap_or_else(|| parameter.to_lowercase());
        }
    }
    names
}

// Other notations.

fn lengths_of(
    shape: Option<&[Dimension]>,
    value: &Value<'_>,
    key: &str,
) -> Result<Vec<u32>, Fault> {
    let missing = || format!("`{key}` needs the shape: write `shape = {{ m = 128, k = 64 }}`");
    let shape = shape.ok_or_else(|| Fault::new(value.span(), missing()))?;
    Ok(shape.iter().map(|dimension| dimension.length).collect())
}

fn of_strides(
    table: &Table<'_>,
    value: &Value<'_>,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let lengths = lengths_of(shape, value, "strides")?;
    let strides = match value.get_ref() {
        toml::de::DeValue::Table(_) => {
            let by_name = Table::of(value, format!("strides of {}", table.called()))?;
            let each = shape.unwrap_or_default().iter();
            let stride = |one: &Dimension| word(by_name.needs(&one.name, "1")?, &one.name, 0);
            let strides = each.map(stride).collect::<Result<Vec<_>, _>>()?;
            match by_name.refuse_unknown().into_iter().next() {
                Some(unknown) => return Err(unknown),
                None => strides,
            }
        }
        _ => words(value, "strides", 0)?,
    };
    Plan::naive(&lengths, &strides).map_err(refused(value))
}

fn of_cute(value: &Value<'_>) -> Result<Plan, Fault> {
    let composed = cute::parse(text(value, "cute")?).map_err(|e| Fault::new(value.span(), e))?;
    composed.to_plan().map_err(refused(value))
}

fn of_stages(value: &Value<'_>) -> Result<Plan, Fault> {
    let stages = text(value, "stages")?;
    let read = stages::parse(stages);
    read.map_err(|fault| {
        Fault::new(value.span(), format!("at byte {} of the stages: {}", fault.at, fault.message))
    })
}

fn of_ck(
    table: &Table<'_>,
    value: &Value<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let [rows, columns] = lengths_of(shape, value, "ck")?[..] else {
        return Err(Fault::new(value.span(), "`ck` is of a shape of two dimensions, rows and K"));
    };
    let ck = Table::of(value, format!("ck of {}", table.called()))?;
    let pack = match ck.get_loose("kpack") {
        Some(pack) => word(pack, "kpack", 1)?,
        None => return Err(Fault::new(value.span(), "ck has no `kpack`: write `kpack = 8`")),
    };
    let layers = match ck.get_loose("mldslayer") {
        Some(layers) => word(layers, "mldslayer", 1)?,
        // CK's own choice on 32 banks.
        None => recipe::mlds_layer(columns, element.bits, 32),
    };
    if let Some(unknown) = ck.refuse_unknown().into_iter().next() {
        return Err(unknown);
    }
    Parameters { pack, layers }.plan(rows, columns).map_err(refused(value))
}

// Triton.

fn of_triton(
    table: &Table<'_>,
    value: &Value<'_>,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let lengths = lengths_of(shape, value, "triton")?;
    if matches!(value.get_ref(), toml::de::DeValue::Array(_)) {
        return of_bases(value, &lengths);
    }
    let triton = Table::of(value, format!("triton of {}", table.called()))?;
    let plan = match triton.get("offset") {
        Some(bases) => of_bases(bases, &lengths),
        None => of_swizzle(&triton, value, &lengths),
    };
    match triton.refuse_unknown().into_iter().next() {
        Some(unknown) => Err(unknown),
        None => plan,
    }
}

fn of_bases(value: &Value<'_>, lengths: &[u32]) -> Result<Plan, Fault> {
    let images = list(value, "offset", "a list of bases `[[0, 1], [1, 0]]`")?;
    let image = |one: &Value<'_>| {
        let indices = words(one, "a basis", 0)?;
        List::from_slice(&indices).map_err(|e| Fault::new(one.span(), Error::Number(e)))
    };
    let images = images.into_iter().map(image).collect::<Result<Vec<_>, _>>()?;
    let lengths =
        List::from_slice(lengths).map_err(|e| Fault::new(value.span(), Error::Number(e)))?;
    let bases = Bases::new(lengths, &images).map_err(refused(value))?;
    bases.plan().map_err(refused(value))
}

/// Triton's `swizzled_shared`: element (r, c) lies in chunk `c / vec xor (r / perPhase mod
/// maxPhase)` of its row; `order` names the dimension that runs fastest first.
fn of_swizzle(triton: &Table<'_>, value: &Value<'_>, lengths: &[u32]) -> Result<Plan, Fault> {
    let &[first, second] = lengths else {
        return Err(Fault::new(value.span(), "vec, perPhase and maxPhase are of two dimensions"));
    };
    // All are asked for before one is missed: a key that is right is known.
    let keys = ["vec", "perPhase", "maxPhase"].map(|key| (key, triton.get_loose(key)));
    let order = triton.get("order");
    let number = |(key, given): (&str, Option<&Value<'_>>)| match given {
        Some(given) => word(given, key, 1),
        None => {
            let message = format!(
                "triton has no `{key}`: write `{{ vec = 8, perPhase = 1, maxPhase = 8 }}`, or bases as \
                 `{{ offset = [[0, 1], ..] }}`"
            );
            Err(Fault::new(value.span(), message))
        }
    };
    let [vec, per_phase, max_phase] = keys;
    let [vec, per_phase, max_phase] = [number(vec)?, number(per_phase)?, number(max_phase)?];
    let order = match order {
        Some(order) => words(order, "order", 0)?,
        None => vec![1, 0],
    };
    let by_rows = match order[..] {
        [1, 0] => true,
        [0, 1] => false,
        _ => return Err(Fault::new(value.span(), "order is `[1, 0]` or `[0, 1]`")),
    };
    let [rows, columns] = if by_rows { [first, second] } else { [second, first] };
    if max_phase.min(rows) > columns / vec {
        let message = format!(
            "maxPhase = {max_phase} is more than the {} chunks of a row: a chunk would leave its row",
            columns / vec
        );
        return Err(Fault::new(value.span(), message));
    }
    let plan = swizzled([rows, columns], [vec, per_phase, max_phase]).map_err(refused(value))?;
    if by_rows {
        return Ok(plan);
    }
    let pass = [Op::PassThrough { length: rows }, Op::PassThrough { length: columns }];
    plan.transform(&pass, &[&[0], &[1]], &[&[1], &[0]]).map_err(refused(value))
}

/// Rows of chunks, each xor-ed with its row's number by phases.
fn swizzled(
    [rows, columns]: [u32; 2],
    [vec, per_phase, max_phase]: [u32; 3],
) -> Result<Plan, Error> {
    if !columns.is_multiple_of(vec) {
        return Err(not_whole(columns, vec, "vec"));
    }
    let chunks = columns / vec;
    // Rows that no index has do not count.
    let per_phase = per_phase.min(rows);
    let max_phase = max_phase.min(rows / per_phase);
    let round = u64::from(per_phase) * u64::from(max_phase);
    if !u64::from(rows).is_multiple_of(round) {
        return Err(not_whole(rows, round as u32, "perPhase * maxPhase"));
    }
    let again = rows / round as u32;
    let pass = |length| Op::PassThrough { length };
    let list = |lengths: &[u32]| List::new(lengths);
    Plan::packed(&[again, max_phase, per_phase, chunks, vec])?
        .transform(
            &[
                pass(again),
                Op::Xor { length0: max_phase, length1: chunks },
                pass(per_phase),
                pass(vec),
            ],
            &[&[0], &[1, 3], &[2], &[4]],
            &[&[0], &[1, 3], &[2], &[4]],
        )?
        .transform(
            &[
                Op::Merge { lengths: list(&[again, max_phase, per_phase]) },
                Op::Merge { lengths: list(&[chunks, vec]) },
            ],
            &[&[0, 1, 2], &[3, 4]],
            &[&[0], &[1]],
        )
}

fn not_whole(of: u32, by: u32, name: &'static str) -> Error {
    Error::Number(NumberError::NotDivisible { dividend: (of, ""), divisor: (by, name) })
}

#[cfg(test)]
mod tests {
    use crate::request::fault::Source;
    use crate::request::input;

    fn layout(words: &str) -> super::Layout {
        let text = format!("version = 1\n[tile.T]\nelement = \"f16\"\n{words}\n");
        let source = Source { name: "t".to_string(), text, options: None };
        let tiles = input::read(&source, &[]);
        let mut tiles = tiles.unwrap_or_else(|faults| panic!("{}", source.explain_all(&faults)));
        tiles.remove(0).layout
    }

    /// Triton's formula, as its documentation has it.
    fn triton([row, column]: [u32; 2], columns: u32, [vec, per_phase, max_phase]: [u32; 3]) -> u32 {
        let chunk = (column / vec) ^ (row / per_phase % max_phase);
        row * columns + chunk * vec + column % vec
    }

    #[test]
    fn tritons_swizzles() {
        let mut tried = 0;
        for (rows, columns) in [(16, 32), (64, 64), (8, 128), (2, 64), (24, 64)] {
            for [vec, per_phase, max_phase] in
                [[8, 1, 4], [4, 2, 4], [1, 1, 8], [8, 4, 2], [8, 1, 1]]
            {
                let numbers = [vec, per_phase, max_phase];
                let by_rows = layout(&format!(
                    "shape = {{ m = {rows}, k = {columns} }}\n\
                     triton = {{ vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase} }}"
                ));
                let by_columns = layout(&format!(
                    "shape = {{ m = {columns}, k = {rows} }}\ntriton = {{ vec = {vec}, perPhase = \
                     {per_phase}, maxPhase = {max_phase}, order = [0, 1] }}"
                ));
                for id in 0..rows * columns {
                    let (row, column) = (id / columns, id % columns);
                    let wanted = Ok(triton([row, column], columns, numbers));
                    assert_eq!(by_rows.plan.offset(&[row, column]), wanted);
                    assert_eq!(by_columns.plan.offset(&[column, row]), wanted);
                    tried += 1;
                }
            }
        }
        assert!(tried > 30_000);
    }

    /// A square tile, of which the lengths do not tell which dimension is which.
    #[test]
    fn dimensions_have_the_names_of_their_parameters() {
        let names = |words: &str| layout(words).dimensions;
        assert_eq!(
            names("shape = { m = 64, k = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8"),
            ["m", "k"]
        );
        assert_eq!(
            names("shape = { K = 64, n = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8"),
            ["n", "K"]
        );
        assert_eq!(names("recipe = \"gemm-xor\"\nm = 64\nk = 64\nkpack = 8"), ["m", "k"]);
        assert_eq!(names("shape = { mn = 64, k = 64 }\nrecipe = \"gemm-ds-read-tr\""), ["k", "mn"]);
        let bridge = "recipe = \"moe-bridge\"\nrep_m = 1\nrep_n = 1\nwarps = 1";
        assert_eq!(names(bridge), ["x0", "x1"]);
        assert_eq!(names("cute = \"(8,64):(64,1)\""), ["x0", "x1"]);
    }
}
