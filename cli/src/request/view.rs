//! A tile as a view of a layout: its elements in another width, and transforms above it.
//!
//! ```toml
//! element = "f4"                          # two in each byte that the layout counts
//! shape = { m = 128, k = 64 }
//! strides = [32, 1]
//! recast_from = "u8"
//!
//! shape = { m = 64, k = 64 }              # the rows from 64 on
//! recipe = "gemm-xor"
//! kpack = 8
//! view = { of = { m = 128, k = 64 }, by = "slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)" }
//! ```
//!
//! `shape` is that of the view, whose dimensions accesses and headers name. A tile with both keys is recast first.

use crate::request::fault::Fault;
use crate::request::layout::{self, Layout, agrees, fits, with_names};
use crate::request::reader::Syntax;
use crate::request::shape::{self, Dimension, names};
use crate::request::stages;
use crate::request::value::{Table, Value, refused, text};
use tiledesc::{ElementName, Plan};
use tiledesc_host::exchange::recast;

/// The element that a layout counts, and the key that says so.
pub(crate) type Counted<'a> = Option<(ElementName, &'a Value<'a>)>;

/// The layout of a tile: as it is stated, or a view of that.
pub(crate) fn read(
    table: &Table<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
    from: Counted<'_>,
) -> Result<Layout, Fault> {
    let Some(value) = table.get("view") else { return of_width(table, element, shape, from) };
    let view = Table::from_value(value, "view")?;
    let of = shape::read_key(&view, "of")?;
    let by = view.needs("by", "\"slice[128, 0, 64] (0) -> (0), pass[64] (1) -> (1)\"")?;
    view.has_no_more()?;
    if let (None, Some(key)) =
        (&of, ["strides", "ck", "iree"].into_iter().find(|key| table.has(key)))
    {
        let message = format!(
            "`{key}` needs the shape of what is viewed: write `view = {{ of = {{ m = 128, k = 64 }}, by = .. }}`"
        );
        return Err(Fault::new(value.span(), message));
    }
    let mut layout = of_width(table, element, of.as_deref(), from)?;
    let words = text(by, "by")?;
    let above = |plan: &Plan| {
        // The byte says which stage it is; its number would count those below the view.
        let said = |Syntax { at, message }: Syntax| {
            let behind = message.strip_prefix("stage ").and_then(|rest| rest.split_once(": "));
            format!("at byte {at} of the view: {}", behind.map_or(&message[..], |(_, rest)| rest))
        };
        stages::over(words, *plan).map_err(said).map_err(refused(by))
    };
    layout.plan = above(&layout.plan)?;
    layout.in_bytes = layout.in_bytes.map(|plan| above(&plan)).transpose()?.map(Box::new);
    layout.dimensions = names(shape);
    layout.viewed(shape.is_some(), by.span());
    agrees(&layout, shape)?;
    fits(&layout, element)?;
    Ok(with_names(layout))
}

/// The layout as it is stated; of elements of another width, recast.
fn of_width(
    table: &Table<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
    from: Counted<'_>,
) -> Result<Layout, Fault> {
    let Some((from, key)) = from.filter(|(from, _)| from.bits != element.bits) else {
        return layout::read(table, element, shape);
    };
    let widths = [from.bits, element.bits];
    let Some(shape) = shape else {
        let stated = layout::read(table, &from, None)?;
        let along = recast::dimension(&stated.plan).ok_or_else(|| no_neighbours(key))?;
        return of_stated(stated, along, (element, widths), key);
    };
    // The dimension that becomes longer or shorter is the last that can be.
    let mut first = None;
    for along in (0..shape.len()).rev() {
        match along_one(table, (shape, along), (&from, element), key) {
            Ok(Some(layout)) => return Ok(layout),
            Ok(None) => {}
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_else(|| no_neighbours(key)))
}

/// The layout recast along a dimension of its shape; none where elements do not lie side by side along it.
fn along_one(
    table: &Table<'_>,
    (shape, along): (&[Dimension], usize),
    (from, element): (&ElementName, &ElementName),
    key: &Value<'_>,
) -> Result<Option<Layout>, Fault> {
    let (widths @ [old, new], called) = ([from.bits, element.bits], called(key));
    let Dimension { name, length, .. } = &shape[along];
    let bits = u64::from(*length) * u64::from(new);
    let stated_length = u32::try_from(bits / u64::from(old)).ok();
    let Some(stated_length) = stated_length.filter(|_| bits.is_multiple_of(u64::from(old))) else {
        let message = format!(
            "recast_from: the {length} elements along `{name}` are {bits} bits, which cannot be divided evenly into elements of \
             `{called}`, {old} bits each"
        );
        return Err(Fault::new(key.span(), message));
    };
    let mut stated = shape.to_vec();
    stated[along].length = stated_length;
    let layout = layout::read(table, from, Some(&stated)).map_err(|fault| {
        let message =
            format!("{} (of `{called}`, of which `{name}` has {stated_length})", fault.message);
        Fault { message, ..fault }
    })?;
    if stated_length > 1 && !recast::has_neighbours(&layout.plan, along) {
        return Ok(None);
    }
    of_stated(layout, along, (element, widths), key).map(Some)
}

/// A layout recast along a dimension.
fn of_stated(
    mut layout: Layout,
    along: usize,
    (element, widths): (&ElementName, [u32; 2]),
    key: &Value<'_>,
) -> Result<Layout, Fault> {
    let recast = |plan: &Plan| recast::plan(plan, along, widths).map_err(refused(key));
    layout.plan = recast(&layout.plan)?;
    layout.in_bytes = layout.in_bytes.map(|plan| recast(&plan)).transpose()?.map(Box::new);
    let (has_shape, span) = (layout.has_shape(), layout.span.clone());
    layout.viewed(has_shape, span);
    fits(&layout, element)?;
    Ok(layout)
}

fn no_neighbours(key: &Value<'_>) -> Fault {
    let message = format!(
        "recast_from: elements of `{}` lie side by side along no dimension, so none can become longer or shorter",
        called(key)
    );
    Fault::new(key.span(), message)
}

/// The element as the file calls it.
fn called<'a>(key: &'a Value<'a>) -> &'a str {
    text(key, "recast_from").unwrap_or_default()
}
