//! Whole numbers from Python, one or an array of any shape, and arrays back of the kind that came in.
//!
//! | in | out |
//! |---|---|
//! | `int`, whatever has `__index__`, an array of no dimension | `int` |
//! | a list or tuple, nested to any shape | a list |
//! | `array.array` | `array.array("q", ..)` |
//! | numpy, and what has `__array__` (torch) or `__array_interface__` | numpy, `int64` |
//! | another buffer of integers | `memoryview`, format `q` |
//!
//! The stable ABI has no buffers before Python 3.11, so arrays are read through `memoryview`, a block at a time: a copy
//! of 128 KiB stays in a cache, and nothing of a large array is left behind.

use crate::error::refused;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyInt, PyList, PyMemoryView, PySlice, PyString, PyTuple,
};

/// The count of numbers that are read at a time.
pub(crate) const BLOCK: usize = 1 << 14;

/// The most dimensions of an array, as in numpy.
const MOST_DIMENSIONS: usize = 64;

/// One number, or many in a shape.
pub(crate) enum Integers<'py> {
    One(i64),
    Listed { numbers: Vec<i64>, shape: Vec<usize> },
    Buffer(Buffer<'py>),
}

/// An array in memory.
pub(crate) struct Buffer<'py> {
    /// The array's bytes in order: a view of single bytes, or a copy if they are not in order.
    bytes: Bytes<'py>,
    width: Width,
    shape: Vec<usize>,
    kind: Kind,
}

enum Bytes<'py> {
    View(Bound<'py, PyAny>),
    Copy(Bound<'py, PyBytes>),
}

/// The type that an answer has: a list, an array, numpy's array or a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Array,
    Numpy,
    View,
}

/// An integer of an array: its bytes, whether it has a sign, whether its bytes are swapped.
#[derive(Clone, Copy, Debug)]
struct Width {
    bytes: usize,
    signed: bool,
    swapped: bool,
}

/// The error that something is not a number: the argument and what it is.
fn not_whole(name: &str, what: &str) -> PyErr {
    refused(format!("{name} is {what}: give a whole number, or an array of whole numbers"))
}

fn kind_of(value: &Bound<'_, PyAny>) -> String {
    let name =
        value.get_type().name().map_or_else(|_| "object".to_string(), |name| name.to_string());
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {name}")
}

/// One number, without taking `True` for 1.
fn one(name: &str, value: &Bound<'_, PyAny>) -> PyResult<i64> {
    if value.cast::<PyBool>().is_ok()
        || !(value.cast::<PyInt>().is_ok() || value.hasattr("__index__")?)
    {
        return Err(not_whole(name, &kind_of(value)));
    }
    value.extract::<i64>().map_err(|_| match value.str() {
        Ok(digits) if digits.len().is_ok_and(|len| len <= 40) => refused(format!(
            "{name} = {digits} is out of range: whole numbers of 64 bits are taken"
        )),
        _ => refused(format!("{name} is out of range: whole numbers of 64 bits are taken")),
    })
}

impl<'py> Integers<'py> {
    /// The numbers of an argument.
    pub(crate) fn extract(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if value.cast::<PyInt>().is_ok() {
            return one(name, value).map(Self::One);
        }
        if value.cast::<PyString>().is_ok()
            || value.cast::<PyBytes>().is_ok()
            || value.cast::<PyByteArray>().is_ok()
        {
            return Err(not_whole(name, &kind_of(value)));
        }
        if value.cast::<PyList>().is_ok() || value.cast::<PyTuple>().is_ok() {
            let mut listed = Nested::default();
            listed.gather(name, value, 0)?;
            return Ok(Self::Listed { numbers: listed.numbers, shape: listed.shape });
        }
        if let Ok(view) = PyMemoryView::from(value) {
            return Buffer::extract(name, value, &view);
        }
        if let Some(array) = as_array(value)? {
            return Buffer::extract(name, &array, &PyMemoryView::from(&array)?);
        }
        one(name, value).map(Self::One)
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::One(_) => &[],
            Self::Listed { shape, .. } => shape,
            Self::Buffer(buffer) => &buffer.shape,
        }
    }

    /// The type of an answer of this argument's shape; `None` for one number.
    pub(crate) fn kind(&self) -> Option<Kind> {
        match self {
            Self::One(_) => None,
            Self::Listed { .. } => Some(Kind::List),
            Self::Buffer(buffer) => Some(buffer.kind),
        }
    }

    /// The numbers from `begin` on, as many as `into` has room for; one number is repeated.
    pub(crate) fn read(&self, begin: usize, into: &mut [i64]) -> PyResult<()> {
        match self {
            Self::One(number) => into.fill(*number),
            Self::Listed { numbers, .. } => {
                into.copy_from_slice(&numbers[begin..begin + into.len()]);
            }
            Self::Buffer(buffer) => buffer.read(begin, into)?,
        }
        Ok(())
    }
}

/// The array of an object with another protocol than buffers: `__array__` or `__array_interface__`.
fn as_array<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !value.hasattr("__array__")? && !value.hasattr("__array_interface__")? {
        return Ok(None);
    }
    let kind = kind_of(value);
    let said = |error: PyErr| refused(format!("{kind} does not become an array: {error}"));
    let numpy = value.py().import("numpy").map_err(said)?;
    numpy.call_method1("asarray", (value,)).map(Some).map_err(said)
}

/// Nested lists of equal shape.
#[derive(Default)]
struct Nested {
    numbers: Vec<i64>,
    shape: Vec<usize>,
}

impl Nested {
    fn gather(&mut self, name: &str, value: &Bound<'_, PyAny>, depth: usize) -> PyResult<()> {
        let len = value.len()?;
        if depth >= MOST_DIMENSIONS {
            return Err(refused(format!(
                "{name}: lists are nested deeper than {MOST_DIMENSIONS} times"
            )));
        }
        // The first list of each depth says how long all of them are; numbers end the shape.
        let is_first = self.shape.len() == depth && self.numbers.is_empty();
        match self.shape.get(depth) {
            Some(known) if *known != len => {
                return Err(refused(format!(
                    "{name}: lists of {known} and of {len} numbers are not an array"
                )));
            }
            None if !is_first => {
                return Err(refused(format!(
                    "{name}: numbers and lists beside each other are not an array"
                )));
            }
            Some(_) => {}
            None => self.shape.push(len),
        }
        for item in value.try_iter()? {
            let item = item?;
            if item.cast::<PyList>().is_ok() || item.cast::<PyTuple>().is_ok() {
                self.gather(name, &item, depth + 1)?;
            } else if self.shape.len() == depth + 1 {
                self.numbers.push(one(name, &item)?);
            } else {
                return Err(refused(format!(
                    "{name}: numbers and lists beside each other are not an array"
                )));
            }
        }
        Ok(())
    }
}

impl<'py> Buffer<'py> {
    fn extract(
        name: &str,
        value: &Bound<'py, PyAny>,
        view: &Bound<'py, PyMemoryView>,
    ) -> PyResult<Integers<'py>> {
        let format = view.getattr("format")?.extract::<String>()?;
        let bytes = view.getattr("itemsize")?.extract::<usize>()?;
        let Some(width) = Width::parse(&format, bytes) else {
            return Err(not_whole(name, &format!("{} of elements `{format}`", kind_of(value))));
        };
        let shape = view.getattr("shape")?.extract::<Vec<usize>>()?;
        let in_order = view.getattr("c_contiguous")?.extract::<bool>()?;
        let count: usize = shape.iter().product();
        // A view of bytes is made of native elements only, and of no empty shape.
        let bytes = match in_order && count > 0 && format.len() == 1 {
            true => Bytes::View(view.call_method1("cast", ("B",))?),
            false => Bytes::Copy(view.call_method0("tobytes")?.cast_into::<PyBytes>()?),
        };
        let buffer = Self { bytes, width, kind: Kind::from_value(value)?, shape };
        if buffer.shape.is_empty() {
            let mut single = [0];
            buffer.read(0, &mut single)?;
            return Ok(Integers::One(single[0]));
        }
        Ok(Integers::Buffer(buffer))
    }

    fn read(&self, begin: usize, into: &mut [i64]) -> PyResult<()> {
        let (from, to) = (begin * self.width.bytes, (begin + into.len()) * self.width.bytes);
        match &self.bytes {
            Bytes::Copy(all) => self.width.numbers(&all.as_bytes()[from..to], into),
            Bytes::View(view) => {
                let part = PySlice::new(view.py(), from as isize, to as isize, 1);
                let part = view.get_item(part)?.call_method0("tobytes")?.cast_into::<PyBytes>()?;
                self.width.numbers(part.as_bytes(), into);
            }
        }
        Ok(())
    }
}

impl Width {
    /// The integers of a buffer's format: `q`, `<i`; `None` of others.
    fn parse(format: &str, bytes: usize) -> Option<Self> {
        let (order, code) = match format.as_bytes() {
            [code] => (b'@', *code),
            [order @ (b'@' | b'=' | b'<' | b'>' | b'!'), code] => (*order, *code),
            _ => return None,
        };
        let signed = match code {
            b'b' | b'h' | b'i' | b'l' | b'q' | b'n' => true,
            b'B' | b'H' | b'I' | b'L' | b'Q' | b'N' => false,
            _ => return None,
        };
        let swapped = match order {
            b'<' => cfg!(target_endian = "big"),
            b'>' | b'!' => cfg!(target_endian = "little"),
            _ => false,
        };
        matches!(bytes, 1 | 2 | 4 | 8).then_some(Self { bytes, signed, swapped })
    }

    /// Numbers of bytes in order. An unsigned number of 64 bits that has no sign bit left is past every tile: -1.
    fn numbers(self, bytes: &[u8], into: &mut [i64]) {
        match (self.bytes, self.signed) {
            (1, true) => self.each(bytes, into, |word| i8::from_ne_bytes(word).into()),
            (1, false) => self.each(bytes, into, |word| u8::from_ne_bytes(word).into()),
            (2, true) => self.each(bytes, into, |word| i16::from_ne_bytes(word).into()),
            (2, false) => self.each(bytes, into, |word| u16::from_ne_bytes(word).into()),
            (4, true) => self.each(bytes, into, |word| i32::from_ne_bytes(word).into()),
            (4, false) => self.each(bytes, into, |word| u32::from_ne_bytes(word).into()),
            (_, true) => self.each(bytes, into, i64::from_ne_bytes),
            (_, false) => self.each(bytes, into, |word| u64::from_ne_bytes(word) as i64),
        }
    }

    fn each<const N: usize>(self, bytes: &[u8], into: &mut [i64], number: fn([u8; N]) -> i64) {
        for (into, word) in into.iter_mut().zip(bytes.as_chunks().0) {
            let mut word = *word;
            if self.swapped {
                word.reverse();
            }
            *into = number(word);
        }
    }
}

impl Kind {
    fn from_value(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let module = value.get_type().module()?.to_cow()?.into_owned();
        Ok(match module.split('.').next() {
            Some("array") => Self::Array,
            Some("numpy") => Self::Numpy,
            _ => Self::View,
        })
    }

    /// Numbers of 64 bits in a shape.
    pub(crate) fn give<'py>(
        self,
        bytes: Bound<'py, PyByteArray>,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = bytes.py();
        match self {
            Self::Numpy => {
                let flat = py.import("numpy")?.call_method1("frombuffer", (bytes, "int64"))?;
                flat.call_method1("reshape", (PyTuple::new(py, shape)?,))
            }
            Self::Array => {
                let array = py.import("array")?.call_method1("array", ("q",))?;
                array.call_method1("frombytes", (bytes,))?;
                Ok(array)
            }
            Self::View | Self::List => {
                let flat = PyMemoryView::from(&bytes)?.call_method1("cast", ("q",))?;
                // A memoryview of an empty shape is a flat one.
                let is_flat = shape.len() <= 1 || shape.contains(&0);
                let view = match is_flat {
                    true => flat,
                    false => {
                        let bytes = flat.call_method1("cast", ("B",))?;
                        bytes.call_method1("cast", ("q", PyTuple::new(py, shape)?))?
                    }
                };
                if self == Self::View || shape.contains(&0) {
                    nested(self, view, shape)
                } else {
                    view.call_method0("tolist")
                }
            }
        }
    }
}

/// A view as it is, or the lists of an empty shape.
fn nested<'py>(
    kind: Kind,
    view: Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    if kind == Kind::View {
        return Ok(view);
    }
    let py = view.py();
    let mut empty = PyList::empty(py);
    for len in shape.iter().take_while(|len| **len > 0).collect::<Vec<_>>().into_iter().rev() {
        empty = PyList::new(py, (0..*len).map(|_| empty.clone()))?;
    }
    Ok(empty.into_any())
}
