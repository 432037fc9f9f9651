//! What would be free instead, in the words of the file. The library tries each layout with all
//! accesses of the tile, on all its chips.

use crate::input::Tile;
use crate::layout::kebab;
use tiledesc::Plan;
use tiledesc::remedy::{Remedy, Shape, Use};

/// A layout that would be free.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// As the file has it: `recipe = "gemm-xor", kpack = 8`.
    pub(crate) words: String,
    /// Bytes more than the tile takes now.
    pub(crate) more: u64,
    pub(crate) plan: Plan,
}

/// More accesses are judged, but no remedy is tried, as in the library's statement.
const MOST_USES: usize = 64;

/// The layouts that were found free; `None` where none was tried.
pub(crate) fn remedies(tile: &Tile) -> Option<Vec<Instead>> {
    let shape = Shape::of(&tile.layout.plan, tile.element.bits)?;
    let each = tile.accesses.iter().flat_map(|access| {
        let times = u32::try_from(access.times).unwrap_or(u32::MAX);
        access.rows.iter().map(move |row| Use::new(access.lanes.lanes(), row).times(times))
    });
    let uses: Vec<_> = each.collect();
    if uses.is_empty() || uses.len() > MOST_USES {
        return None;
    }
    let found = [shape.swizzle(&uses), shape.row_pad(&uses)];
    Some(found.into_iter().flatten().filter_map(|remedy| instead(tile, shape, remedy)).collect())
}

fn instead(tile: &Tile, shape: Shape, remedy: Remedy) -> Option<Instead> {
    let space = |plan: &Plan| (plan.element_space() * u64::from(tile.element.bits)).div_ceil(8);
    let plan = remedy.plan(shape).ok()?;
    let more = space(&plan).saturating_sub(space(&tile.layout.plan));
    Some(Instead { words: format!("{}{}", words(remedy), renamed(tile, shape)), more, plan })
}

fn words(remedy: Remedy) -> String {
    let recipe = |name: &str| format!("recipe = \"{}\"", kebab(name));
    match remedy {
        Remedy::Xor { pack, banks: 64 } => format!("{}, kpack = {pack}", recipe("GemmXor64")),
        Remedy::Xor { pack, .. } => format!("{}, kpack = {pack}", recipe("GemmXor")),
        Remedy::XorLayer { pack, layers } => {
            format!("{}, kpack = {pack}, mldslayer = {layers}", recipe("GemmXorLayer"))
        }
        Remedy::XorBits { pack, layers, masks } => format!(
            "{}, kpack = {pack}, mldslayer = {layers}, masks = {:?}",
            recipe("GemmXorBits"),
            masks.as_slice()
        ),
        Remedy::RowPad { elements } => format!("{}, padding = {elements}", recipe("RowPad")),
        Remedy::InOrder => recipe("RowMajor"),
        Remedy::Rotated { pack } => format!("{}, kpack = {pack}", recipe("RowShift")),
        other => format!("{other:?}"),
    }
}

/// The shape by the names that recipes take, if the tile's are others.
fn renamed(tile: &Tile, shape: Shape) -> String {
    let names: Vec<_> = tile.layout.dimensions.iter().map(|name| name.to_lowercase()).collect();
    match &names[..] {
        [rows, depth] if ["m", "n", "mn"].contains(&rows.as_str()) && depth == "k" => String::new(),
        _ => format!(", shape = {{ m = {}, k = {} }}", shape.rows, shape.columns),
    }
}

/// `free instead: ..; or .., 4064 bytes more`
pub(crate) fn sentence(found: Option<&[Instead]>) -> Option<String> {
    let found = found?;
    if found.is_empty() {
        return Some("tried, not free: xor swizzles and row pads of this tile".to_string());
    }
    let each = found.iter().map(|one| match one.more {
        0 => one.words.clone(),
        more => format!("{}, {more} bytes more", one.words),
    });
    Some(format!("free instead: {}", each.collect::<Vec<_>>().join("; or ")))
}
