//! `find`: the layouts of a tile by what they cost, each a `Tile`, and what is proven of the best.

use crate::error::{guarded, refused};
use crate::html::{Cell, table};
use crate::question::ask_json;
use crate::tile::{Accesses, Tile};
use crate::value::Value;
use pyo3::prelude::*;
use serde::Deserialize;

/// A layout and what it costs in all accesses.
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Choice {
    tile: Py<Tile>,
    words: String,
    row: Row,
    floor: Option<u64>,
    proof: String,
    rows: Vec<Row>,
}

/// What `tiledesc find --json` prints, as far as it is shown here.
#[derive(Deserialize)]
struct Report {
    tiles: Vec<Found>,
}

#[derive(Deserialize)]
struct Found {
    proof: String,
    floor: Option<u64>,
    rows: Vec<Row>,
}

/// A layout that was tried.
#[pyclass(frozen, get_all, module = "tiledesc")]
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Row {
    /// The layout in the words of a file: `recipe = "gemm-xor", kpack = 8`. `None` of the tile's own, if no recipe is it.
    words: Option<String>,
    /// Cycles of all accesses, executed as often as they say.
    cycles: u64,
    /// Bytes that the tile takes.
    bytes: u64,
    /// Instructions that make the addresses of one lane, if they are known.
    address: Option<u32>,
    /// Whether it is free in all accesses.
    free: bool,
    /// Whether it is the layout that was asked about.
    own: bool,
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
            key("element", Value::of("element", element)?),
            key("shape", Value::of("shape", shape)?),
        ];
        let asked = Accesses::of(Some(chips), write, read, fill)?;
        let rows = Value::Text("row-major".to_string());
        let plain =
            Tile::of_keys(name, stated.iter().cloned().chain([key("recipe", rows)]).collect())?;
        let report: Report = ask_json(py, &["find", "-", "--json"], &plain.text(&asked))?;
        let Some(found) = report.tiles.into_iter().next() else {
            return Err(refused("there is no tile"));
        };
        let best = found.rows.iter().find(|row| row.words.is_some()).cloned();
        let Some(row) = best else { return Err(refused(found.proof)) };
        let words = row.words.clone().unwrap_or_default();
        let mut keys = stated;
        for (name, value) in Value::table(&words).map_err(refused)? {
            keys.retain(|(known, _)| *known != name);
            keys.push((name, value));
        }
        let tile = Py::new(py, Tile::of_keys(name, keys)?)?;
        Ok(Choice { tile, words, row, floor: found.floor, proof: found.proof, rows: found.rows })
    })
}

#[pymethods]
impl Choice {
    /// The tile in this layout.
    #[getter]
    fn tile(&self, py: Python<'_>) -> Py<Tile> {
        self.tile.clone_ref(py)
    }

    /// The layout in the words of a file.
    #[getter]
    fn words(&self) -> &str {
        &self.words
    }

    /// Cycles of all accesses, executed as often as they say.
    #[getter]
    fn cycles(&self) -> u64 {
        self.row.cycles
    }

    /// Cycles of the same instructions without any conflict, which no layout goes below.
    #[getter]
    fn floor(&self) -> Option<u64> {
        self.floor
    }

    /// What is known of the least: `"448 cycles, the floor: no layout does better"`.
    #[getter]
    fn proof(&self) -> &str {
        &self.proof
    }

    /// Bytes that the tile takes.
    #[getter]
    fn bytes(&self) -> u64 {
        self.row.bytes
    }

    /// Instructions that make the addresses of one lane, if they are known.
    #[getter]
    fn address(&self) -> Option<u32> {
        self.row.address
    }

    /// Whether it is free in all accesses.
    #[getter]
    fn free(&self) -> bool {
        self.row.free
    }

    /// All that was tried, the best first.
    #[getter]
    fn rows(&self) -> Vec<Row> {
        self.rows.clone()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let tile = self.tile.bind(py).repr()?;
        Ok(format!("<Choice {tile}: {}>", self.proof))
    }

    fn _repr_html_(&self) -> String {
        let cells = |row: &Row| {
            vec![
                Cell::of(row.cycles).marked(row.free),
                Cell::of(row.bytes),
                Cell::of(row.address.map_or_else(|| "-".to_string(), |count| count.to_string())),
                Cell::of(row.words.as_deref().unwrap_or("as it is")),
            ]
        };
        let rows: Vec<_> = self.rows.iter().take(SHOWN).map(cells).collect();
        table(
            &[format!("{}: {}", self.words, self.proof)],
            &["cycles", "bytes", "address", "layout"],
            &rows,
        )
    }
}

/// Rows of a table in a notebook.
const SHOWN: usize = 12;
