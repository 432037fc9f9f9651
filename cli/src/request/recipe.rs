//! CK Tile's layouts by name, with their parameters beside it: `recipe = "gemm-xor"`, `kpack = 8`.
//!
//! A parameter that is a dimension of the tile, M, N or K, is taken from the shape. The dimensions keep the names and
//! the order of the shape, for any names and order of the recipe:
//!
//! ```text
//!   shape                      GemmXor<M, K>        dimensions
//!   { m = 128, k = 64 }        M 128, K 64          m, k
//!   { k = 64, n = 128 }        M 128, K 64          k, n       all have names of parameters
//!   { s = 128, d = 64 }        M 128, K 64          s, d       else by their places, which no name may contradict
//!   { x = 1024 }               M 1, K 1024          x          one row
//!   { b = 2, s = 128, d = 64 } M 256, K 64          b, s, d    the last dimension is a row, all others count rows
//! ```

use crate::request::fault::Fault;
use crate::request::shape::Dimension;
use crate::request::spelling::{did_you_mean, kebab, plain};
use crate::request::value::{Table, Value, flag, text, word, words};
use tiledesc::recipe::{self, Family};
use tiledesc::{ElementName, Error, F4, F6, F8, F16, F32, F64, List, Op, Plan};

/// All recipes for elements of the given width in bits: their layouts depend on nothing else.
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

/// The plan of a recipe, and names for its dimensions: those of the shape, in its order.
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
    let flat = shape.filter(|shape| is_flattened(table, family, shape));
    let mut taken = match flat {
        Some(shape) => flattened(family, shape)?,
        None => taken(table, family, shape)?,
    };
    if transposed {
        exchange(&mut taken);
    }
    if lines > 1 {
        narrow(&mut taken, lines)?;
    }
    let numbers = parameters(table, family, &taken, value)?;
    let items = items_of(table, family)?;
    let refused = |error: Error| {
        let message = in_words_of(&taken, &error.to_string());
        Fault::new(value.span(), with_numbers(family, &taken, &numbers, message))
    };
    let mut plan = family.plan(&numbers, &items).map_err(refused)?;
    let mut names = names_of(family, &numbers, &items, &plan, &taken);
    if lines > 1 {
        plan = recipe::joined(&plan, lines).map_err(refused)?;
    }
    if transposed {
        plan = recipe::transposed(&plan).map_err(refused)?;
        // Names of the shape stay with their lengths, which were exchanged before.
        if shape.is_none() {
            names.reverse();
        }
    }
    if let Some(shape) = flat {
        let lengths: Vec<_> = shape.iter().map(|one| one.length).collect();
        let names = shape.iter().map(|one| one.name.clone()).collect();
        return Ok((over(&lengths, &plan).map_err(refused)?, names));
    }
    in_order_of(shape.unwrap_or_default(), plan, names).map_err(refused)
}

/// Recipes that mean something in a single row; of others M or K is missing.
const OF_ONE_ROW: [&str; 4] = ["RowMajor", "DenseXor", "LinearPacks", "IntervalPad"];

/// Returns whether a recipe of M and K alone is laid over a shape of one dimension, or of three and more, whatever their
/// names: so one that was found can be pasted.
fn is_flattened(table: &Table<'_>, family: &Family, shape: &[Dimension]) -> bool {
    let all: Vec<_> = family.parameters().iter().filter(|one| is_dimension(one)).collect();
    let is_of_rows = all == [&"M", &"K"] && all.iter().all(|one| table.get_loose(one).is_none());
    is_of_rows
        && match shape.len() {
            1 => OF_ONE_ROW.contains(&family.name()),
            dimensions => dimensions > 2,
        }
}

/// The rows and columns of a shape of any number of dimensions: one row of one dimension, else rows of the last, counted
/// by all others.
fn flattened<'f>(family: &'f Family, shape: &[Dimension]) -> Result<Vec<Taken<'f>>, Fault> {
    let Some((last, others)) = shape.split_last() else { return Ok(Vec::new()) };
    let names: Vec<_> = others.iter().map(|one| one.name.as_str()).collect();
    let all = others.iter().fold(1_u128, |all, one| all.saturating_mul(u128::from(one.length)));
    let Ok(length) = u32::try_from(all) else {
        let (names, span) = (names.join(" * "), last.span.clone());
        return Err(Fault::new(span, format!("{names} are {all} rows, more than 32 bits count")));
    };
    let name = if names.is_empty() { "its one row".to_string() } else { names.join("*") };
    let rows = Dimension { name, length, span: last.span.clone() };
    let parameters = family.parameters().iter().filter(|one| is_dimension(one)).copied();
    Ok(parameters.zip([rows, last.clone()]).collect())
}

/// The rows and columns of a tile of any number of dimensions, as far as 32 bits hold them.
pub(crate) fn rows_and_columns(lengths: &[u32]) -> [u32; 2] {
    let (columns, others) = lengths.split_last().unwrap_or((&1, &[]));
    [others.iter().fold(1, |rows: u32, one| rows.saturating_mul(*one)), *columns]
}

/// The plan of rows and columns as one of a shape of any number of dimensions.
pub(crate) fn over(lengths: &[u32], plan: &Plan) -> Result<Plan, Error> {
    let of_two = plan.lengths();
    let (last, rank) = (lengths.len().saturating_sub(1) as u32, lengths.len());
    match rank {
        2 => Ok(*plan),
        1 => {
            let merge = Op::Merge { lengths: of_two };
            plan.transform(&[merge], &[&[0, 1]], &[&[0]])
        }
        _ => {
            let rows = Op::Unmerge {
                lengths: List::from_slice(&lengths[..rank - 1]).map_err(Error::Number)?,
            };
            let pass = Op::PassThrough { length: lengths[rank - 1] };
            let upper: Vec<u32> = (0..last).collect();
            plan.transform(&[rows, pass], &[&[0], &[1]], &[&upper, &[last]])
        }
    }
}

/// A dimension of the shape, and the parameter that it is.
type Taken<'f> = (&'f str, Dimension);

/// The parameter that each dimension of the shape is, in the recipe's order: by their names, if all have names of
/// parameters, `{ k = 64, n = 128 }`; else by their places, `{ s = 128, d = 64 }`.
fn taken<'f>(
    table: &Table<'_>,
    family: &'f Family,
    shape: Option<&[Dimension]>,
) -> Result<Vec<Taken<'f>>, Fault> {
    let all = family.parameters().iter().filter(|one| is_dimension(one));
    let free: Vec<&str> = all.copied().filter(|one| table.get_loose(one).is_none()).collect();
    let shape = shape.unwrap_or_default();
    let place = |one: &Dimension| {
        free.iter().position(|parameter| is_name_of(&one.name, parameter, family))
    };
    if let Some(more) = shape.get(free.len()) {
        let unnamed = shape.iter().find(|one| place(one).is_none()).unwrap_or(more);
        let (name, all) = (&unnamed.name, family.parameters().join(", "));
        let message = format!("{} has no dimension `{name}`: it has {all}", family.name());
        return Err(Fault::new(unnamed.span.clone(), message));
    }
    let mut by_name: Vec<_> = shape.iter().filter_map(|one| Some((place(one)?, one))).collect();
    by_name.sort_by_key(|(place, _)| *place);
    by_name.dedup_by_key(|(place, _)| *place);
    if by_name.len() < shape.len() {
        by_name = shape.iter().enumerate().collect();
        // By their places, but a name says another one.
        if let Some((at, one)) =
            by_name.iter().find(|(at, one)| place(one).is_some_and(|known| known != *at))
        {
            let (name, family) = (&one.name, family.name());
            let (own, here) = (place(one).map_or("", |known| free[known]), free[*at]);
            let message = format!(
                "`{name}` is {own} of {family} by its name, but {here} by its position: name all dimensions after the \
                 parameters, `{}`, or none of them",
                free.join("`, `").to_lowercase()
            );
            return Err(Fault::new(one.span.clone(), message));
        }
    }
    Ok(by_name.into_iter().map(|(place, one)| (free[place], one.clone())).collect())
}

/// Returns whether a recipe takes its rows, M, from the second of two dimensions of these names, and K from the first.
pub(crate) fn is_exchanged(names: &[String]) -> bool {
    let names: Vec<_> = names.iter().map(|name| name.to_lowercase()).collect();
    matches!(&names[..], [depth, rows] if depth == "k" && ROWS.contains(&rows.as_str()))
}

/// A refusal by the recipe's parameters, by the names of the shape: `d = 60 is not a multiple of KPack = 8`.
fn in_words_of(taken: &[Taken<'_>], message: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = String::new();
    for part in message.split_inclusive(|c| !is_letter(c)) {
        let word = part.trim_end_matches(|c| !is_letter(c));
        let known = taken.iter().find(|(parameter, _)| *parameter == word);
        words += known.map_or(word, |(_, dimension)| &dimension.name);
        words += &part[word.len()..];
    }
    words
}

/// A refusal that names no parameter speaks of what the recipe makes of them: `GemmDsReadTr of k = 12, kpack = 8: 64 is not
/// a multiple of 12`.
fn with_numbers(family: &Family, taken: &[Taken<'_>], numbers: &[u32], message: String) -> String {
    let words = || message.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_named = |name: &str| words().any(|word| word == name);
    let names: Vec<_> = family
        .parameters()
        .iter()
        .map(|parameter| match taken.iter().find(|(known, _)| known == parameter) {
            Some((_, dimension)) => dimension.name.clone(),
            None => parameter.to_lowercase(),
        })
        .collect();
    let parameters = family.parameters().iter().map(|name| name.to_string());
    let is_of_nobody = message.starts_with(|c: char| c.is_ascii_digit());
    if let Some((_, own)) =
        taken.iter().find(|(_, own)| words().next() == Some(&own.length.to_string()))
    {
        return format!("{} = {message}", own.name);
    }
    if !is_of_nobody && names.iter().cloned().chain(parameters).any(|name| is_named(&name)) {
        return message;
    }
    let each = names.iter().zip(numbers).map(|(name, number)| format!("{name} = {number}"));
    format!("{} of {}: {message}", family.name(), each.collect::<Vec<_>>().join(", "))
}

/// A plan whose dimensions are those of the shape in its order; others stay where they are.
fn in_order_of(
    shape: &[Dimension],
    plan: Plan,
    names: Vec<String>,
) -> Result<(Plan, Vec<String>), Error> {
    let is_of_shape = |name: &String| shape.iter().any(|one| one.name == *name);
    let mut ordered = shape.iter().filter(|one| names.contains(&one.name));
    let mut in_order = |name: &String| match is_of_shape(name) {
        true => ordered.next().map_or_else(|| name.clone(), |one| one.name.clone()),
        false => name.clone(),
    };
    let wanted: Vec<_> = names.iter().map(&mut in_order).collect();
    if wanted == names {
        return Ok((plan, names));
    }
    let pass: Vec<_> = plan
        .lengths()
        .as_slice()
        .iter()
        .map(|length| Op::PassThrough { length: *length })
        .collect();
    let lower: Vec<_> = (0..names.len() as u32).map(|d| [d]).collect();
    let place = |name: &String| [wanted.iter().position(|one| one == name).unwrap_or(0) as u32];
    let upper: Vec<_> = names.iter().map(place).collect();
    let lower: Vec<_> = lower.iter().map(|id| &id[..]).collect();
    let upper: Vec<_> = upper.iter().map(|id| &id[..]).collect();
    let plan = plan.transform(&pass, &lower, &upper)?;
    Ok((plan, wanted))
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
fn exchange(taken: &mut [Taken<'_>]) {
    if let [(_, rows), (_, columns)] = taken {
        std::mem::swap(&mut rows.length, &mut columns.length);
    }
}

/// The dimensions of the narrow tile, several rows of which make one row of the shape.
fn narrow(taken: &mut [Taken<'_>], lines: u32) -> Result<(), Fault> {
    if let [(_, rows), (_, columns)] = taken {
        let Dimension { name, length, span } = &columns;
        if !length.is_multiple_of(lines) {
            let message = format!("{name} = {length} is not a multiple of lines = {lines}");
            return Err(Fault::new(span.clone(), message));
        }
        columns.length /= lines;
        rows.length = rows.length.saturating_mul(lines);
    }
    Ok(())
}

/// The numbers of a recipe: from its keys, or from the dimensions of the shape.
fn parameters(
    table: &Table<'_>,
    family: &Family,
    taken: &[Taken<'_>],
    value: &Value<'_>,
) -> Result<Vec<u32>, Fault> {
    let mut numbers = Vec::new();
    for parameter in family.parameters() {
        if let Some(given) = table.get_loose(parameter) {
            // A buffer is numbered from 0, and a pad may be none.
            let least = u32::from(!matches!(*parameter, "Buffer" | "Padding"));
            numbers.push(word(given, &parameter.to_lowercase(), least)?);
        } else if let Some((_, dimension)) = taken.iter().find(|(known, _)| known == parameter) {
            numbers.push(dimension.length);
        } else {
            let key = parameter.to_lowercase();
            let all = family.parameters().join(", ");
            let message = format!(
                "{} needs {all}, but {parameter} is not given: write `{key} = ..`{}",
                family.name(),
                if is_dimension(parameter) { ", or name it in the shape" } else { "" }
            );
            return Err(Fault::new(value.span(), message));
        }
    }
    Ok(numbers)
}

/// Parameters that are dimensions of the tile.
pub(crate) const BY_NAME: [&str; 4] = ["M", "N", "MN", "K"];

fn is_dimension(parameter: &str) -> bool {
    BY_NAME.contains(&parameter)
}

/// Names of the rows of either operand.
const ROWS: [&str; 3] = ["m", "n", "mn"];

/// Returns whether a dimension has the name of a parameter: its own, or, as in the library, that of the rows of either
/// operand.
fn is_name_of(name: &str, parameter: &str, family: &Family) -> bool {
    let name = name.to_lowercase();
    match parameter {
        "M" if !family.parameters().contains(&"N") => ROWS.contains(&name.as_str()),
        "MN" => ROWS.contains(&name.as_str()),
        _ => name == parameter.to_lowercase(),
    }
}

/// The names of a recipe's dimensions: a dimension that is twice as long where a parameter is
/// twice as large is that parameter's.
fn names_of(
    family: &Family,
    numbers: &[u32],
    items: &[u32],
    plan: &Plan,
    taken: &[Taken<'_>],
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
            let given = taken.iter().find(|(known, _)| known == parameter);
            names[d] = given.map_or_else(|| parameter.to_lowercase(), |(_, one)| one.name.clone());
        }
    }
    names
}
