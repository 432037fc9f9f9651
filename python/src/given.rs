//! A compiled kernel as it is given: Triton's object, a path, a text or a folder, and what is asked of it.

use crate::error::refused;
use crate::value;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::collections::BTreeMap;
use std::path::Path;
use tiledesc_cli::{Options, Source, Value, block};

/// Texts of assembly.
pub(crate) enum Texts {
    One(Source),
    /// A folder, by its path.
    Folder(String),
}

/// Texts of assembly, and the facts from their object.
pub(crate) struct Given {
    pub(crate) texts: Texts,
    chip: Option<String>,
    block: Option<u64>,
}

impl Given {
    pub(crate) fn new(kernel: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(asm) = kernel.getattr("asm") {
            return Self::compiled(kernel, &asm);
        }
        let text = if let Ok(bytes) = kernel.cast::<PyBytes>() {
            String::from_utf8_lossy(bytes.as_bytes()).into_owned()
        } else if let Ok(text) = kernel.cast::<PyString>() {
            text.to_string_lossy().into_owned()
        } else if kernel.hasattr("__fspath__")? {
            return Self::file(
                kernel.call_method0("__fspath__")?.str()?.to_string_lossy().as_ref(),
            );
        } else {
            let kind = kernel.get_type().name()?.to_string();
            let message = format!(
                "a {kind} is not a compiled kernel: give what triton.compile returns, a path, or the text of assembly"
            );
            return Err(PyTypeError::new_err(message));
        };
        // One line without blanks is a path.
        match text.trim().contains(['\n', '\t', ' ']) || text.trim().is_empty() {
            true => Ok(Self::plain("<text>", text)),
            false => Self::file(text.trim()),
        }
    }

    fn plain(name: &str, text: String) -> Self {
        Self { texts: Texts::One(Source::of_text(name, text)), chip: None, block: None }
    }

    fn file(path: &str) -> PyResult<Self> {
        if Path::new(path).is_dir() {
            return Ok(Self { texts: Texts::Folder(path.to_string()), chip: None, block: None });
        }
        let bytes = std::fs::read(path).map_err(|error| refused(format!("{path}: {error}")))?;
        Ok(Self::plain(path, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Triton's compiled object: `asm` has the texts by their formats, `metadata` the target and the warps.
    fn compiled(kernel: &Bound<'_, PyAny>, asm: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text =
            FORMATS.iter().find_map(|format| asm.get_item(format).ok()?.extract::<String>().ok());
        let Some(text) = text else {
            let there = asm.call_method0("keys").and_then(|keys| {
                keys.try_iter()?.map(|key| key?.extract::<String>()).collect::<PyResult<Vec<_>>>()
            });
            let there = there.unwrap_or_default().join(", ");
            return Err(refused(format!(
                "the kernel's asm has no text of {}; there is {there}",
                FORMATS.join(" or ")
            )));
        };
        let metadata = kernel.getattr("metadata").ok();
        let says = |name: &str| {
            let metadata = metadata.as_ref()?;
            metadata.getattr(name).or_else(|_| metadata.get_item(name)).ok()
        };
        let name = says("name").and_then(|name| name.extract::<String>().ok());
        let target = says("target");
        let of_target = |name: &str| {
            let target = target.as_ref()?;
            target.getattr(name).or_else(|_| target.get_item(name)).ok()
        };
        let warps = says("num_warps").and_then(|warps| warps.extract::<u64>().ok());
        let lanes = of_target("warp_size")
            .or_else(|| says("warp_size"))
            .and_then(|lanes| lanes.extract::<u64>().ok());
        Ok(Self {
            texts: Texts::One(Source::of_text(name.unwrap_or_else(|| "kernel".to_string()), text)),
            chip: of_target("arch").and_then(|arch| chip(&arch)),
            block: warps.zip(lanes).map(|(warps, lanes)| warps * lanes),
        })
    }
}

/// The tiles that a kernel is compared with: a path, or the text of a file.
pub(crate) fn tiles(given: &Bound<'_, PyAny>) -> PyResult<Source> {
    match Given::new(given)?.texts {
        Texts::One(source) => Ok(source),
        Texts::Folder(path) => Err(refused(format!("{path} is a folder: give a file of tiles"))),
    }
}

/// The texts of a compiled object that are read, the one for AMD first.
const FORMATS: [&str; 2] = ["amdgcn", "ptx"];

/// `"gfx942"`, `"gfx942:sramecc+:xnack-"`, or 90 of `sm_90`.
fn chip(arch: &Bound<'_, PyAny>) -> Option<String> {
    if let Ok(number) = arch.extract::<u32>() {
        return Some(format!("sm_{number}"));
    }
    let name = arch.extract::<String>().ok()?;
    Some(name.split(':').next().unwrap_or_default().to_string())
}

/// The terms of a question beside the text.
pub(crate) struct Asked {
    pub(crate) options: Options,
    pub(crate) all: bool,
}

impl Asked {
    pub(crate) fn new(
        given: &Given,
        chip: Option<&str>,
        stated: Option<&Bound<'_, PyAny>>,
        kernel: Option<&str>,
        all: bool,
    ) -> PyResult<Self> {
        let words = match (stated, given.block) {
            (Some(stated), _) => Some(shape(&value::extract("block", stated)?)?),
            (None, lanes) => lanes.map(|lanes| lanes.to_string()),
        };
        let block = words.map(|words| block(&words)).transpose().map_err(refused)?;
        let chip = chip.map(str::to_string).or_else(|| given.chip.clone());
        let options =
            Options { chip, kernel: kernel.map(str::to_string), block, ..Options::default() };
        Ok(Self { options, all })
    }

    /// With symbols that the text does not define.
    pub(crate) fn with(mut self, symbols: Option<BTreeMap<String, i64>>) -> Self {
        self.options.symbols.extend(symbols.into_iter().flatten());
        self
    }
}

/// `256,1,1` of an int, or of up to three.
fn shape(block: &Value) -> PyResult<String> {
    let numbers = match block {
        Value::List(numbers) => numbers.as_slice(),
        one => std::slice::from_ref(one),
    };
    let each = numbers.iter().map(|number| match number {
        Value::Whole(digits) => Ok(digits.clone()),
        other => Err(refused(format!("block = {other}: write x, y and z, as in (256, 1, 1)"))),
    });
    Ok(each.collect::<PyResult<Vec<_>>>()?.join(","))
}
