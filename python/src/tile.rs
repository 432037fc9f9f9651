//! A tile: an element, a shape and a layout in one of the file's notations.

use crate::check::Check;
use crate::error::{guarded, refused};
use crate::integers::Integers;
use crate::offsets::Offsets;
use crate::question::printed;
use crate::value::{self, object};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use tiledesc_cli::report::check::Demand;
use tiledesc_cli::{Keys, Source, Value, tiles, undecided};

/// A tile in shared memory: its element, its shape and its layout.
///
/// The layout is one of `recipe`, `strides`, `cute`, `triton`, `iree`, `ck`, `stages`, with a recipe's parameters beside it, as in
/// a `kernel.toml`; `tiledesc list recipes` names them.
///
/// >>> import tiledesc as td
/// >>> a = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
/// >>> a.offset(1, 0)
/// 72
/// >>> a.offset([0, 1, 2], 8)
/// [8, 64, 152]
/// >>> a
/// Tile('f16', {'m': 128, 'k': 64}, recipe='gemm-xor', kpack=8)
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Tile {
    /// The name that emitted functions and reports have.
    #[pyo3(get)]
    name: String,
    /// The arguments, in their order.
    keys: Vec<(String, Value)>,
    offsets: Offsets,
    /// Bytes that the tile takes, padding included.
    #[pyo3(get)]
    bytes: u64,
    /// Bits of an element.
    #[pyo3(get)]
    bits: u32,
    dimensions: Vec<String>,
    /// The reason why the offsets are not known, of CuTe's text whose swizzle may count elements or bytes.
    undecided: Option<String>,
}

/// A function and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (String, Bound<'py, PyAny>));

/// Arguments of methods, that no layout has.
const OF_METHODS: [&str; 7] = ["write", "read", "fetch", "matrix", "chips", "fill", "version"];

impl Tile {
    /// A tile of the keys of a file.
    pub(crate) fn of_keys(name: &str, keys: Vec<(String, Value)>) -> PyResult<Self> {
        if let Some((key, _)) = keys.iter().find(|(key, _)| OF_METHODS.contains(&key.as_str())) {
            return Err(refused(format!(
                "{key}: a Tile is a layout; give `{key}` to its methods, as in check(\"gfx942\", read=[..])"
            )));
        }
        let all = tiles(&source(name, &keys, &[])).map_err(refused)?;
        let tile = all.into_iter().next().ok_or_else(|| refused("there is no tile"))?;
        let dimensions = tile.dimensions().to_vec();
        Ok(Self {
            name: name.to_string(),
            offsets: Offsets::new(*tile.plan(), &dimensions),
            bytes: tile.bytes(),
            bits: tile.element().bits,
            dimensions,
            undecided: undecided(&tile),
            keys,
        })
    }

    /// Refuses what asks for offsets, where they are not known.
    fn decided(&self) -> PyResult<()> {
        match &self.undecided {
            Some(why) => Err(refused(format!("cute: {why}"))),
            None => Ok(()),
        }
    }

    /// The keys; with the layout as stages in place of its own words, if it has one of some keys.
    fn plain(&self, py: Python<'_>, without: &[&str]) -> PyResult<Vec<(String, Value)>> {
        if !self.keys.iter().any(|(key, _)| without.contains(&key.as_str())) {
            return Ok(self.keys.clone());
        }
        let stages = ("stages".to_string(), Value::Text(self.converted(py, "stages")?));
        let kept = ["element", "shape", "may_overlap"];
        let keys = self.keys.iter().filter(|(key, _)| kept.contains(&key.as_str())).cloned();
        Ok(keys.chain([stages]).collect())
    }

    fn no_dimension(&self, name: &str) -> PyErr {
        let names = self.dimensions.join(", ");
        refused(format!("the tile has no dimension `{name}`: it has {names}"))
    }

    /// Coordinates that are given by name, `m=3, k=17`: those of the dimensions after the ones that are given by place.
    fn by_name<'py>(
        &self,
        first: usize,
        named: &Bound<'py, PyDict>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        for name in named.keys() {
            let name = name.str()?.to_cow()?.into_owned();
            match self.dimensions.iter().position(|known| *known == name) {
                None => return Err(self.no_dimension(&name)),
                Some(at) if at < first => {
                    return Err(refused(format!(
                        "{name} is given twice: by its place and by its name"
                    )));
                }
                Some(_) => {}
            }
        }
        let rest = self.dimensions.iter().skip(first);
        let each = rest.map(|name| {
            named.get_item(name)?.ok_or_else(|| refused(format!("{name} is not given")))
        });
        each.collect()
    }

    /// The tile and its accesses, as input of the library.
    pub(crate) fn source(&self, asked: &Accesses) -> Source {
        source(&self.name, &self.keys, &asked.keys)
    }

    /// A layout in another notation.
    fn converted(&self, py: Python<'_>, to: &str) -> PyResult<String> {
        let source = self.source(&Accesses::default());
        let words = guarded(|| printed(py, &["convert", "-", "--to", to], &source))?;
        Ok(words.trim_end().to_string())
    }

    /// The layout in another notation: its keys, or the text of the IR, where a file has one.
    fn table(&self, py: Python<'_>, to: &str) -> PyResult<Py<PyAny>> {
        let words = self.converted(py, to)?;
        if words.starts_with('#') {
            return Ok(words.into_pyobject(py)?.into_any().unbind());
        }
        let keys = Value::keys(words.trim_matches(['{', '}', ' '])).map_err(refused)?;
        Ok(object(py, &Value::Table(keys))?.unbind())
    }

    /// A figure of this tile.
    fn shown(
        &self,
        py: Python<'_>,
        figure: &str,
        format: &str,
        at: &[u32],
        asked: &Accesses,
    ) -> PyResult<String> {
        let at = at.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let mut words = vec!["show", "-", "--figure", figure, "--format", format];
        if !at.is_empty() {
            words.extend(["--at", &at]);
        }
        guarded(|| printed(py, &words, &self.source(asked)))
    }
}

/// Puts a value in the place of a key's; the one that it had.
fn replaced(keys: &mut [(String, Value)], name: &str, value: Value) -> Option<Value> {
    let known = keys.iter_mut().find(|(key, _)| key == name)?;
    Some(std::mem::replace(&mut known.1, value))
}

/// A tile by its keys.
fn source(name: &str, keys: &[(String, Value)], more: &[(&str, Value)]) -> Source {
    let mut all = Keys::new(name, "Tile");
    keys.iter().for_each(|(key, value)| all.push(key, key, value.clone()));
    more.iter().for_each(|(key, value)| all.push(*key, *key, value.clone()));
    Source::of_keys("<python>", all)
}

/// The accesses of a kernel to a tile, and the chips.
#[derive(Default)]
pub(crate) struct Accesses {
    keys: Vec<(&'static str, Value)>,
}

impl Accesses {
    pub(crate) fn new(
        chips: Option<&Bound<'_, PyAny>>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut keys = Vec::new();
        if let Some(chips) = chips {
            let chips = value::extract("chips", chips)?;
            keys.push((
                "chips",
                if let Value::Text(_) = chips { Value::List(vec![chips]) } else { chips },
            ));
        }
        for (name, given) in [("write", write), ("read", read)] {
            if let Some(given) = given {
                keys.push((name, accesses(name, &value::extract(name, given)?)?));
            }
        }
        if let Some(fill) = fill {
            keys.push(("fill", value::extract("fill", fill)?));
        }
        Ok(Self { keys })
    }

    /// The same with loads from global memory and stores to it, and with the matrix instructions of a loop's trip.
    fn beside(
        mut self,
        fetch: Option<&Bound<'_, PyAny>>,
        matrix: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if let Some(fetch) = fetch {
            self.keys.push(("fetch", fetches(&value::extract("fetch", fetch)?)?));
        }
        if let Some(matrix) = matrix {
            self.keys.push(("matrix", multiplied(&value::extract("matrix", matrix)?)?));
        }
        Ok(self)
    }
}

/// Accesses as a file has them: `[("ds_read_b128", "mfma-rows 16")]` is `[{ op = "ds_read_b128", by = "mfma-rows 16" }]`.
fn accesses(name: &str, given: &Value) -> PyResult<Value> {
    let wrong = || {
        refused(format!(
            "{name} is a list of accesses: write [(\"ds_{name}_b128\", \"row-major\")]"
        ))
    };
    let Value::List(all) = given else { return Err(wrong()) };
    let each = all.iter().map(|one| row(one, &["op", "by", "times"], 2).ok_or_else(wrong));
    Ok(Value::List(each.collect::<PyResult<_>>()?))
}

/// `[("global_load_dwordx4", "row-major", 8192)]`, perhaps with the most lines that are allowed.
fn fetches(given: &Value) -> PyResult<Value> {
    let wrong = || {
        refused(
            "fetch is a list of global accesses, each with the elements from row to row: write \
             [(\"global_load_dwordx4\", \"row-major\", 8192)]",
        )
    };
    let Value::List(all) = given else { return Err(wrong()) };
    let each =
        all.iter().map(|one| row(one, &["op", "by", "rows", "at_most"], 3).ok_or_else(wrong));
    Ok(Value::List(each.collect::<PyResult<_>>()?))
}

/// `("v_mfma_f32_16x16x32_f16", 64)`, or a list of such.
fn multiplied(given: &Value) -> PyResult<Value> {
    let wrong = || {
        refused(
            "matrix is a matrix instruction and how often a wave executes it, or a list of such: write \
             (\"v_mfma_f32_16x16x32_f16\", 64)",
        )
    };
    let one = |one: &Value| row(one, &["op", "times", "waves"], 1);
    let all = match given {
        Value::List(all) if !matches!(all.first(), Some(Value::Text(_))) => &all[..],
        given => return one(given).ok_or_else(wrong),
    };
    let each = all.iter().map(|given| one(given).ok_or_else(wrong));
    Ok(Value::List(each.collect::<PyResult<_>>()?))
}

/// A table, or a tuple of the values of its first keys, at least of some.
fn row(given: &Value, keys: &[&str], least: usize) -> Option<Value> {
    match given {
        Value::Table(_) => Some(given.clone()),
        Value::List(parts) if (least..=keys.len()).contains(&parts.len()) => {
            let each = keys.iter().map(ToString::to_string).zip(parts.iter().cloned());
            Some(Value::Table(each.collect()))
        }
        _ => None,
    }
}

/// Keys and values of a call.
fn keywords(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    let each =
        given.into_iter().flat_map(|given| given.iter()).filter(|(_, value)| !value.is_none()).map(
            |(key, value)| {
                let key = key.cast::<PyString>()?.to_cow()?.into_owned();
                let value = value::extract(&key, &value)?;
                Ok((key, value))
            },
        );
    each.collect()
}

/// A tile from an element, perhaps a shape, and keys.
fn tile(
    element: &Bound<'_, PyAny>,
    shape: Option<&Bound<'_, PyAny>>,
    name: &str,
    may_overlap: bool,
    layout: Vec<(String, Value)>,
) -> PyResult<Tile> {
    guarded(|| {
        let mut keys = vec![("element".to_string(), value::element(element)?)];
        if let Some(shape) = shape {
            keys.push(("shape".to_string(), value::extract("shape", shape)?));
        }
        keys.extend(layout);
        if may_overlap {
            keys.push(("may_overlap".to_string(), Value::Flag(true)));
        }
        Tile::of_keys(name, keys)
    })
}

#[pymethods]
impl Tile {
    #[new]
    #[pyo3(signature = (element, shape=None, *, name="tile", may_overlap=false, **layout))]
    fn new(
        element: &Bound<'_, PyAny>,
        shape: Option<&Bound<'_, PyAny>>,
        name: &str,
        may_overlap: bool,
        layout: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        tile(element, shape, name, may_overlap, keywords(layout)?)
    }

    /// A layout in CuTe's notation, or an object whose `str` is that.
    ///
    /// Without a shape its dimensions are called x0, x1, .. `unit` is what the swizzle of a text counts, "elements" or
    /// "bytes", unless the text has `smem_ptr[16b]`; that of a layout of the CuTe DSL counts elements. Without it a
    /// text is refused where that matters.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile.from_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)").offset(1, 0)
    /// 72
    /// >>> td.Tile.from_cute("S<3,4,3> o 0 o (128,64):(64,1)", unit="bytes").offset(1, 0)
    /// 72
    /// >>> td.Tile.from_cute("S<3,4,3> o 0 o (128,64):(64,1)", unit="elements").offset(1, 0)
    /// 64
    #[staticmethod]
    #[pyo3(signature = (cute, element=None, shape=None, *, unit=None, name="tile", may_overlap=false))]
    fn from_cute(
        cute: &Bound<'_, PyAny>,
        element: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
        unit: Option<&str>,
        name: &str,
        may_overlap: bool,
    ) -> PyResult<Self> {
        let f16 = PyString::new(cute.py(), "f16").into_any();
        let mut keys = vec![("cute".to_string(), Value::Text(cute.str()?.to_cow()?.into_owned()))];
        let is_layout = cute.get_type().name()?.to_cow()?.ends_with("Layout");
        if let Some(unit) = unit.or(is_layout.then_some("elements")) {
            keys.push(("unit".to_string(), Value::Text(unit.to_string())));
        }
        tile(element.unwrap_or(&f16), shape, name, may_overlap, keys)
    }

    /// A layout as Triton's bases, `{"offset": [[0, 1], [0, 2], ..]}` or the list alone, bit 0 of the offset first; or a
    /// swizzle, `{"vec": 8, "perPhase": 1, "maxPhase": 8, "order": [1, 0]}`, which needs the shape; or a layout of Gluon's, or
    /// the text of one, or of the IR's attribute.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile.from_triton([[0, 1], [0, 2], [1, 0], [2, 2]]).offset(2, 0)
    /// 10
    /// >>> text = "SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0], cga_layout=[])"
    /// >>> td.Tile.from_triton(text, shape={"m": 128, "k": 64}).offset(1, 0)
    /// 72
    #[staticmethod]
    #[pyo3(signature = (triton, element=None, shape=None, *, name="tile"))]
    fn from_triton(
        triton: &Bound<'_, PyAny>,
        element: Option<&Bound<'_, PyAny>>,
        shape: Option<&Bound<'_, PyAny>>,
        name: &str,
    ) -> PyResult<Self> {
        let f16 = PyString::new(triton.py(), "f16").into_any();
        let value = if triton.get_type().name()?.to_cow()?.ends_with("Layout") {
            Value::Text(triton.str()?.to_cow()?.into_owned())
        } else {
            guarded(|| value::extract("triton", triton))?
        };
        tile(element.unwrap_or(&f16), shape, name, false, vec![("triton".to_string(), value)])
    }

    /// The same bytes as elements of another width: a byte as two fp4, two halves as one 32-bit word.
    ///
    /// The last dimension along which elements lie side by side becomes longer or shorter.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("u8", {"m": 128, "k": 32}, strides=[36, 1]).recast("fp4")
    /// >>> a
    /// Tile('fp4', {'m': 128, 'k': 64}, strides=[36, 1], recast_from='u8')
    /// >>> a.offset(3, 17) == 3 * 72 + 17
    /// True
    /// >>> td.Tile("f16", {"m": 128, "k": 64}, strides=[65, 1]).recast("f32")
    /// Traceback (most recent call last):
    ///   ..
    /// tiledesc.TileError: recast: coordinate (1, 0) lies at element 65 of 16 bits, which is not a multiple of 2, so no element of 32 bits begins there
    fn recast(&self, py: Python<'_>, element: &Bound<'_, PyAny>) -> PyResult<Self> {
        guarded(|| {
            self.decided()?;
            let to = value::element(element)?;
            let all = tiles(&source(&self.name, &self.keys, &[])).map_err(refused)?;
            let name = if let Value::Text(name) = &to { name.as_str() } else { "" };
            let lengths = all.first().map(|tile| tile.recast(name)).transpose();
            let lengths = lengths.map_err(|why| refused(format!("recast: {why}")))?;
            let mut keys = self.plain(py, &["recast_from", "view"])?;
            let from = replaced(&mut keys, "element", to);
            keys.extend(from.map(|from| ("recast_from".to_string(), from)));
            if keys.iter().any(|(key, _)| key == "shape") {
                let lengths = lengths.into_iter().flatten().map(|n| Value::Whole(n.to_string()));
                let shape = Value::Table(self.dimensions.iter().cloned().zip(lengths).collect());
                replaced(&mut keys, "shape", shape);
            }
            Self::of_keys(&self.name, keys)
        })
    }

    /// A part of the tile, or another order of its elements, by transforms in the words of `descriptor!`: a slice, a
    /// merge of dimensions, a dimension split in two.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    /// >>> low = a.view("slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)", {"m": 64, "k": 64})
    /// >>> low.offset(3, 17) == a.offset(64 + 3, 17)
    /// True
    /// >>> line = low.view("merge[64, 64] (0, 1) -> (0)", {"i": 4096})
    /// >>> line.offset(3 * 64 + 17) == a.offset(67, 17)
    /// True
    #[pyo3(signature = (by, shape=None))]
    fn view(&self, by: &str, shape: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        guarded(|| {
            let mut keys = self.keys.clone();
            let at = |keys: &[(String, Value)], name| keys.iter().position(|(key, _)| key == name);
            let own = at(&keys, "shape").map(|at| keys.remove(at).1);
            let mut view = Vec::new();
            let mut words = by.to_string();
            match at(&keys, "view").map(|at| keys.remove(at).1) {
                Some(Value::Table(before)) => {
                    for (key, value) in before {
                        match (key.as_str(), value) {
                            ("by", Value::Text(first)) => {
                                words =
                                    format!("{}; {words}", first.trim_end().trim_end_matches(';'));
                            }
                            (_, value) => view.push((key, value)),
                        }
                    }
                }
                _ => view.extend(own.map(|own| ("of".to_string(), own))),
            }
            view.push(("by".to_string(), Value::Text(words)));
            if let Some(shape) = shape {
                keys.insert(1, ("shape".to_string(), value::extract("shape", shape)?));
            }
            keys.push(("view".to_string(), Value::Table(view)));
            Self::of_keys(&self.name, keys)
        })
    }

    /// The element as it was given: `"f16"`.
    #[getter]
    fn element(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let element = self.keys.iter().find(|(key, _)| key == "element");
        element.map_or_else(|| Ok(py.None()), |(_, value)| Ok(object(py, value)?.unbind()))
    }

    /// Names and lengths of the dimensions, the slowest first.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shape = PyDict::new(py);
        let each = self.dimensions.iter().zip(self.offsets.lengths());
        for (name, length) in each {
            shape.set_item(name, length)?;
        }
        Ok(shape)
    }

    /// The offsets of coordinates, in elements: an int of ints, an array of integer arrays, which are brought to one
    /// shape by numpy's rule.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1])
    /// >>> a.offset(3, 5)
    /// 221
    /// >>> a.offset(m=3, k=5)
    /// 221
    /// >>> a.offset([[0], [1]], [0, 1, 2])
    /// [[0, 1, 2], [72, 73, 74]]
    /// >>> a.offset(128, 0)
    /// Traceback (most recent call last):
    ///   ..
    /// tiledesc.TileError: m = 128 is out of range: m has 128, from 0 to 127
    #[pyo3(signature = (*coordinate, **named))]
    fn offset<'py>(
        &self,
        py: Python<'py>,
        coordinate: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded(|| {
            self.decided()?;
            let name = |at: usize| self.dimensions.get(at).map_or("a coordinate", String::as_str);
            let mut given: Vec<_> = coordinate.iter().collect();
            if let Some(named) = named {
                given.extend(self.by_name(given.len(), named)?);
            }
            let given = given.iter().enumerate().map(|(at, one)| Integers::extract(name(at), one));
            self.offsets.apply(py, &given.collect::<PyResult<Vec<_>>>()?)
        })
    }

    /// The coordinate at an offset, in elements: the way back of `offset`.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    /// >>> a.coordinate(201)
    /// (3, 17)
    /// >>> a.offset(3, 17)
    /// 201
    fn coordinate<'py>(&self, py: Python<'py>, offset: u64) -> PyResult<Bound<'py, PyTuple>> {
        guarded(|| {
            self.decided()?;
            PyTuple::new(py, self.offsets.coordinate(offset)?)
        })
    }

    /// The number of elements along a dimension that lie together, in blocks from its multiples on.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    /// >>> a.contiguous("k"), a.contiguous("m")
    /// (8, 1)
    fn contiguous(&self, dimension: &str) -> PyResult<u32> {
        guarded(|| {
            self.decided()?;
            let at = self.dimensions.iter().position(|name| name == dimension);
            self.offsets.contiguous(at.ok_or_else(|| self.no_dimension(dimension))?)
        })
    }

    /// The verdict on every access, on every chip: as `tiledesc check`.
    ///
    /// An access is `(instruction, pattern)`, `(instruction, pattern, times)` or a dict with the keys of a file. With
    /// `strict` a verdict on inferred or disputed evidence does not pass, nor a read of bytes that no stated write covers.
    ///
    /// >>> import tiledesc as td
    /// >>> a = td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1])
    /// >>> found = a.check("gfx942", read=[("ds_read_b128", "mfma-rows 16")])
    /// >>> found.passes, found.worst.degree, found.worst.pair
    /// (False, 4, (0, 1))
    /// >>> found.instead[0]
    /// 'strides = [80, 1]'
    ///
    /// `fetch` are loads from global memory and stores to it, `(instruction, pattern, rows)` or with the most cache lines
    /// that pass; `rows` are the elements from row to row, or `"multiples of 8"`. `matrix` is what a loop multiplies beside
    /// its accesses, `(instruction, times)` for each of 4 waves, or as many as a third number says; or a list of such.
    ///
    /// >>> a.check("gfx942", fetch=[("global_load_dwordx4", "row-major", 8200)]).fetches
    /// [<Fetch gfx942 global_load_dwordx4 row-major, rows of 8200  15 lines of 128 bytes where 8 would do, in access 0 of wave 0>]
    /// >>> found = a.check("gfx942", read=[("ds_read_b128", "mfma-rows 16")], matrix=("v_mfma_f32_32x32x8_f16", 12))
    /// >>> found.trips[0].memory, found.trips[0].matrix, found.trips[0].by
    /// ((512, 512), (384, 384), 'memory')
    #[pyo3(signature = (chips, *, write=None, read=None, fetch=None, matrix=None, fill=None, max_degree=None, strict=false))]
    fn check(
        &self,
        py: Python<'_>,
        chips: &Bound<'_, PyAny>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fetch: Option<&Bound<'_, PyAny>>,
        matrix: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
        max_degree: Option<&Bound<'_, PyAny>>,
        strict: bool,
    ) -> PyResult<Check> {
        guarded(|| {
            let asked = Accesses::new(Some(chips), write, read, fill)?.beside(fetch, matrix)?;
            let source = self.source(&asked);
            let demand = Demand { max_degree: degree(max_degree)?, strict, allow_races: false };
            Check::new(py, source, demand)
        })
    }

    /// The offset in another language: `hip`, `cuda`, `c`, `wgsl`, `glsl`, `msl`, `latex`, `text`. With accesses also
    /// the elements of lanes, and the addresses: as `tiledesc emit`.
    ///
    /// >>> import tiledesc as td
    /// >>> print(td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8, name="A").emit("text"))
    /// # Made by tiledesc ...
    /// A_offset(m, k) = 64 * m + (k xor 8 * (m mod 8))
    /// ...
    #[pyo3(signature = (language, chips=None, *, write=None, read=None, fill=None))]
    fn emit(
        &self,
        py: Python<'_>,
        language: &str,
        chips: Option<&Bound<'_, PyAny>>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        guarded(|| {
            let source = self.source(&Accesses::new(chips, write, read, fill)?);
            printed(py, &["emit", "-", "--lang", language], &source)
        })
    }

    /// A figure as SVG: `grid`, `phases`, `timeline`, `bits`, `ladder`, `journey`, `fields`, ..: as `tiledesc show`.
    ///
    /// Figures of an access need `chips` and a `write` or `read`; of several the worst is drawn.
    #[pyo3(signature = (figure="grid", chips=None, *, write=None, read=None, fill=None, at=vec![]))]
    fn svg(
        &self,
        py: Python<'_>,
        figure: &str,
        chips: Option<&Bound<'_, PyAny>>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
        at: Vec<u32>,
    ) -> PyResult<String> {
        self.shown(py, figure, "svg", &at, &guarded(|| Accesses::new(chips, write, read, fill))?)
    }

    /// A figure as characters, for a terminal.
    #[pyo3(signature = (figure="grid", chips=None, *, write=None, read=None, fill=None, at=vec![]))]
    fn show(
        &self,
        py: Python<'_>,
        figure: &str,
        chips: Option<&Bound<'_, PyAny>>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
        at: Vec<u32>,
    ) -> PyResult<String> {
        self.shown(py, figure, "text", &at, &guarded(|| Accesses::new(chips, write, read, fill))?)
    }

    /// The layout in CuTe's notation: as it is printed, or as code, `"cpp"` or `"dsl"`; `"bytes"` with the swizzle of bytes.
    ///
    /// >>> import tiledesc as td
    /// >>> tile = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    /// >>> tile.to_cute()
    /// 'Sw<3,3,3> o 0 o (128,64):(64,1)'
    /// >>> tile.to_cute("cpp")
    /// 'composition(Swizzle<3,3,3>{}, Layout<Shape<_128,_64>, Stride<_64,_1>>{})'
    #[pyo3(signature = (words=None))]
    fn to_cute(&self, py: Python<'_>, words: Option<&str>) -> PyResult<String> {
        match words {
            None => self.converted(py, "cute"),
            Some(words @ ("bytes" | "cpp" | "dsl")) => self.converted(py, &format!("cute-{words}")),
            Some(other) => Err(refused(format!(
                "to_cute: words is \"cpp\", \"dsl\" or \"bytes\", not {other:?}"
            ))),
        }
    }

    /// The layout as Gluon's constructor, with `gl` for `triton.experimental.gluon.language`.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1]).to_gluon()
    /// 'gl.PaddedSharedLayout.with_identity_for([[64, 8]], [128, 64], [1, 0])'
    fn to_gluon(&self, py: Python<'_>) -> PyResult<String> {
        self.converted(py, "gluon")
    }

    /// The layout as the attribute of Triton's IR.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8).to_ttgir()
    /// '#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>'
    fn to_ttgir(&self, py: Python<'_>) -> PyResult<String> {
        self.converted(py, "ttgir")
    }

    /// The layout as Triton's bases, bit 0 of the offset first; of rows with pads, the text of `padded_shared`.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile("f16", {"m": 2, "k": 4}, strides=[4, 1]).to_triton()
    /// {'offset': [[0, 1], [0, 2], [1, 0]]}
    /// >>> td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1]).to_triton()
    /// '#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [128, 64]}>'
    fn to_triton(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.table(py, "triton")
    }

    /// KPack and MLdsLayer of CK's universal GEMM, if they have these offsets.
    ///
    /// >>> import tiledesc as td
    /// >>> td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8).to_ck()
    /// {'kpack': 8, 'mldslayer': 1}
    fn to_ck(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.table(py, "ck")
    }

    /// The layout in the words of `descriptor!`, the library's own composition of transforms.
    fn to_stages(&self, py: Python<'_>) -> PyResult<String> {
        self.converted(py, "stages")
    }

    /// The text of a `kernel.toml` with this tile.
    ///
    /// >>> import tiledesc as td
    /// >>> print(td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1], name="A").to_toml())
    /// version = 1
    /// [tile.A]
    /// element = "f16"
    /// shape = { m = 128, k = 64 }
    /// strides = [72, 1]
    #[pyo3(signature = (chips=None, *, write=None, read=None, fetch=None, matrix=None, fill=None))]
    fn to_toml(
        &self,
        chips: Option<&Bound<'_, PyAny>>,
        write: Option<&Bound<'_, PyAny>>,
        read: Option<&Bound<'_, PyAny>>,
        fetch: Option<&Bound<'_, PyAny>>,
        matrix: Option<&Bound<'_, PyAny>>,
        fill: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<String> {
        guarded(|| {
            let asked = Accesses::new(chips, write, read, fill)?.beside(fetch, matrix)?;
            Ok(self.source(&asked).to_string())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut words = Vec::new();
        for (at, (key, value)) in self.keys.iter().enumerate() {
            let value = object(py, value)?.repr()?.to_cow()?.into_owned();
            let is_plain = at == 0 || at == 1 && key == "shape";
            words.push(if is_plain { value } else { format!("{key}={value}") });
        }
        if self.name != "tile" {
            words.push(format!("name={}", PyString::new(py, &self.name).repr()?));
        }
        Ok(format!("Tile({})", words.join(", ")))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> Option<String> {
        self.shown(py, "grid", "svg", &[], &Accesses::default()).ok()
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.name, &self.keys) == (&other.name, &other.keys)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        source(&self.name, &self.keys, &[]).to_string().hash(&mut hasher);
        hasher.finish()
    }

    /// Supports `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let keys = object(py, &Value::Table(self.keys.clone()))?;
        Ok((
            py.import("tiledesc")?.getattr("_tiledesc")?.getattr("_tile")?,
            (self.name.clone(), keys),
        ))
    }
}

/// A pickled tile.
#[pyfunction]
pub(crate) fn _tile(name: &str, keys: &Bound<'_, PyDict>) -> PyResult<Tile> {
    guarded(|| Tile::of_keys(name, keywords(Some(keys))?))
}

/// The highest degree that passes.
pub(crate) fn degree(given: Option<&Bound<'_, PyAny>>) -> PyResult<u32> {
    let Some(given) = given else { return Ok(1) };
    let value = value::extract("max_degree", given)?;
    let number = if let Value::Whole(digits) = &value { digits.parse().ok() } else { None };
    number.filter(|degree| *degree > 0).ok_or_else(|| {
        refused(format!("max_degree = {value}: write a whole number from 1 to {}", u32::MAX))
    })
}
