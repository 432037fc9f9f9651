//! `find`: the layouts of a tile by what they cost, each a `Tile`, and what is proven of the best.

use crate::error::{guarded, refused};
use crate::html::{cell, marked, table};
use crate::question::ask;
use crate::tile::{Accesses, Tile};
use crate::value;
use crate::view::view;
use pyo3::prelude::*;
use tiledesc_cli::{Value, report::find as report};

/// A layout and what it costs in all accesses.
#[pyclass(frozen, get_all, module = "tiledesc")]
pub(crate) struct Choice {
    /// The tile in this layout.
    tile: Py<Tile>,
    /// The layout in the words of a file.
    words: String,
    /// Cycles of all accesses, each executed as often as stated.
    cycles: u64,
    /// Cycles of the same instructions without any conflict, which no layout goes below.
    floor: Option<u64>,
    /// The proof for the least: `"448 cycles, the floor: no layout does better"`.
    proof: String,
    /// Bytes that the tile takes.
    bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known.
    address: Option<u32>,
    /// Whether the layout is free in all accesses.
    free: bool,
    /// The layouts that were tried, the best first.
    rows: Vec<Row>,
}

view! {
    /// A layout that was tried.
    Row(one: &report::Row) {
        /// The layout in the words of a file: `recipe = "gemm-xor", kpack = 8`. `None` of the tile's own, if no recipe is it.
        words: Option<String> = one.words.clone(),
        /// Cycles of all accesses, each executed as often as stated.
        cycles: u64 = one.cycles,
        /// Bytes that the tile takes.
        bytes: u64 = one.bytes,
        /// Instructions that make the addresses of one lane, if they are known.
        address: Option<u32> = one.address,
        /// Whether the layout is free in all accesses.
        free: bool = one.free,
        /// Whether the layout is the tile's own.
        own: bool = one.own,
    }
}

#[pymethods]
impl Row {
    fn __repr__(&self) -> String {
        let words = self.words.as_deref().unwrap_or("as it is");
        format!("<Row {} cycles, {} bytes: {words}>", self.cycles, self.bytes)
    }
}

/// The layout that costs least in all accesses, and what is proven of all others.
///
/// Several chips are searched together. The tile is stated by its element and shape, its dimensions called m and k (or n
/// and k) as recipes call them; `fill` is the direct load that must be able to fill it.
///
/// >>> import tiledesc as td
/// >>> best = td.find("f16", {"m": 128, "k": 32}, chips=["gfx950"],
/// ...                write=[("ds_write_b128", "row-major")],
/// ...                read=[("ds_read_b128", "mfma-rows 16"), ("ds_read_b128", "mfma-rows 32", 4)])
/// >>> best.tile
/// Tile('f16', {'m': 128, 'k': 32}, recipe='gemm-xor-bits', kpack=8, mldslayer=4, masks=[3, 2])
/// >>> best.cycles == best.floor, best.proof
/// (True, '224 cycles, the floor: no layout does better')
#[pyfunction]
#[pyo3(signature = (element, shape, chips, *, write=None, read=None, fill=None, name="tile"))]
pub(crate) fn find(
    py: Python<'_>,
    element: &Bound<'_, PyAny>,
    shape: &Bound<'_, PyAny>,
    chips: &Bound<'_, PyAny>,
    write: Option<&Bound<'_, PyAny>>,
    read: Option<&Bound<'_, PyAny>>,
    fill: Option<&Bound<'_, PyAny>>,
    name: &str,
) -> PyResult<Choice> {
    guarded(|| {
        let key = |name: &str, value| (name.to_string(), value);
        let stated = vec![
            key("element", value::element(element)?),
            key("shape", value::extract("shape", shape)?),
        ];
        let asked = Accesses::new(Some(chips), write, read, fill)?;
        let rows = key("recipe", Value::Text("row-major".to_string()));
        let plain = Tile::of_keys(name, stated.iter().cloned().chain([rows]).collect())?;
        let source = plain.source(&asked);
        let report = ask(py, || tiledesc_cli::find(&source))?;
        let Some(found) = report.tiles.first() else { return Err(refused("there is no tile")) };
        let best = found.rows.iter().find_map(|row| Some((row, row.words.clone()?)));
        let Some((row, words)) = best else { return Err(refused(&found.proof)) };
        let mut keys = stated;
        for (name, value) in Value::keys(&words).map_err(refused)? {
            keys.retain(|(known, _)| *known != name);
            keys.push((name, value));
        }
        let tile = Py::new(py, Tile::of_keys(name, keys)?)?;
        let rows = found.rows.iter().map(Row::new).collect();
        let report::Row { cycles, bytes, address, free, .. } = *row;
        let (floor, proof) = (found.floor, found.proof.clone());
        Ok(Choice { tile, words, cycles, floor, proof, bytes, address, free, rows })
    })
}

#[pymethods]
impl Choice {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tile = self.tile.bind(py).repr()?;
        Ok(format!("<Choice {tile}: {}>", self.proof))
    }

    fn _repr_html_(&self) -> String {
        let cells = |row: &Row| {
            vec![
                marked(row.cycles, row.free),
                cell(row.bytes),
                cell(row.address.map_or_else(|| "-".to_string(), |count| count.to_string())),
                cell(row.words.as_deref().unwrap_or("as it is")),
            ]
        };
        let rows = self.rows.iter().take(SHOWN).map(cells).collect();
        table(
            &[format!("{}: {}", self.words, self.proof)],
            &["cycles", "bytes", "address", "layout"],
            rows,
        )
    }
}

/// Rows of a table in a notebook.
const SHOWN: usize = 12;
