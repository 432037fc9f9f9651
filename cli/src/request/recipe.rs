//! CK Tile's layouts by name, with their parameters beside it: `recipe = "gemm-xor"`, `kpack = 8`.
//!
//! A parameter that is a dimension of the tile, M, N or K, is taken from the shape.

use crate::request::fault::Fault;
use crate::request::shape::Dimension;
use crate::request::spelling::{did_you_mean, kebab, plain};
use crate::request::value::{Table, Value, flag, refused, text, word, words};
use tiledesc::recipe::{self, Family};
use tiledesc::{ElementName, F4, F6, F8, F16, F32, F64, Plan};

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

/// The plan of a recipe, and names for its dimensions.
pub(crate) fn read(
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
