//! The offsets of many coordinates: a block at a time, by a table of the whole tile.
//!
//! A plan takes 0.1 us for an offset, numpy's own shifts and xors a hundredth of it. A tile that fits in shared memory
//! has at most some 100,000 elements, so many offsets are each read from a table that the plan has filled.

use crate::error::refused;
use crate::integers::{BLOCK, Integers, Kind};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::OnceLock;
use tiledesc::Plan;

/// The most elements of a tile that is kept as a table: 4 MiB.
const MOST_KEPT: u64 = 1 << 20;

/// A table is filled for a question of a quarter of its elements.
const WORTH: u64 = 4;

/// The table's entry where a coordinate has no offset, or one that must be computed.
const ASK: u32 = u32::MAX;

/// The offsets of a tile.
pub(crate) struct Offsets {
    plan: Plan,
    lengths: Vec<u32>,
    names: Vec<String>,
    table: OnceLock<Vec<u32>>,
}

impl Offsets {
    pub(crate) fn new(plan: Plan, names: &[String]) -> Self {
        let lengths = plan.lengths().as_slice().to_vec();
        Self { plan, lengths, names: names.to_vec(), table: OnceLock::new() }
    }

    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The offset of one coordinate, in elements.
    fn one(&self, index: &[u32]) -> PyResult<u32> {
        self.plan.offset(index).map_err(|error| refused(error.to_string()))
    }

    /// The coordinate at an offset.
    pub(crate) fn coordinate(&self, offset: u64) -> PyResult<Vec<u32>> {
        let space = self.plan.element_space();
        let word = u32::try_from(offset).ok().filter(|_| offset < space);
        let word = word.ok_or_else(|| {
            refused(format!(
                "offset = {offset} is out of range: the tile has {space}, from 0 to {}",
                space - 1
            ))
        })?;
        let found = self.plan.coordinate_of(word).map_err(|error| refused(error.to_string()))?;
        Ok(found.as_slice().to_vec())
    }

    /// The number of elements along a dimension that lie together.
    pub(crate) fn contiguous(&self, at: usize) -> PyResult<u32> {
        let block = self.plan.vector(at).map_err(|error| refused(error.to_string()))?;
        Ok(if block.stride == 1 { block.length } else { 1 })
    }

    /// The refusal of a number that is not an index of its dimension.
    fn outside(&self, at: usize, number: i64) -> PyErr {
        let (name, length) = (&self.names[at], self.lengths[at]);
        refused(format!(
            "{name} = {number} is out of range: {name} has {length}, from 0 to {}",
            length - 1
        ))
    }

    /// The offsets of arguments of one shape, or that numpy would bring to one.
    pub(crate) fn apply<'py>(
        &self,
        py: Python<'py>,
        given: &[Integers<'py>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let (names, rank) = (self.names.join(", "), self.lengths.len());
        if given.len() != rank {
            let given = given.len();
            return Err(refused(format!(
                "the tile has the dimensions {names}, and {given} of {rank} coordinates are given"
            )));
        }
        let Some(kind) = given.iter().filter_map(Integers::kind).max_by_key(|kind| strength(*kind))
        else {
            let mut index = Vec::new();
            for (at, one) in given.iter().enumerate() {
                if let Integers::One(number) = one {
                    index.push(self.index(at, *number)?);
                }
            }
            return Ok(self.one(&index)?.into_pyobject(py)?.into_any());
        };
        let shape = common(given)?;
        let spread: Vec<_> =
            given.iter().map(|one| Spread::new(one, &shape)).collect::<PyResult<_>>()?;
        let count: usize = shape.iter().product();
        let bytes = PyByteArray::new_with(py, count * 8, |bytes| self.fill(&spread, count, bytes))?;
        kind.give(bytes, &shape)
    }

    fn index(&self, at: usize, number: i64) -> PyResult<u32> {
        let index = u32::try_from(number).ok().filter(|index| *index < self.lengths[at]);
        index.ok_or_else(|| self.outside(at, number))
    }

    /// Writes offsets of 64 bits, block by block.
    fn fill(&self, given: &[Spread<'_, '_>], count: usize, bytes: &mut [u8]) -> PyResult<()> {
        let (mut numbers, mut ids) = (vec![0; BLOCK.min(count)], vec![0_u64; BLOCK.min(count)]);
        let elements = self.plan.elements();
        let is_worth = elements <= MOST_KEPT
            && (self.table.get().is_some() || count as u64 >= elements / WORTH);
        let table = is_worth.then(|| self.table.get_or_init(|| table(&self.plan)).as_slice());
        for (block, out) in bytes.chunks_mut(8 * BLOCK).enumerate() {
            let (numbers, ids) = (&mut numbers[..out.len() / 8], &mut ids[..out.len() / 8]);
            ids.fill(0);
            for (at, one) in given.iter().enumerate() {
                one.read(block * BLOCK, numbers)?;
                self.join(at, numbers, ids)?;
            }
            for (id, out) in ids.iter().zip(out.chunks_exact_mut(8)) {
                let known = table.map_or(ASK, |table| table[*id as usize]);
                let offset =
                    if known == ASK { self.one(self.plan.nth(*id).as_slice())? } else { known };
                out.copy_from_slice(&u64::from(offset).to_ne_bytes());
            }
        }
        Ok(())
    }

    /// The numbers of coordinates with one dimension more, the last the lowest.
    fn join(&self, at: usize, numbers: &[i64], ids: &mut [u64]) -> PyResult<()> {
        let length = u64::from(self.lengths[at]);
        // A negative number is past the end without its sign.
        let mut most = 0;
        if length.is_power_of_two() {
            // All are below it if their bits are; without a multiplication of 64 bits four go at a time.
            for (id, number) in ids.iter_mut().zip(numbers) {
                most |= *number as u64;
                *id = *id << length.trailing_zeros() | *number as u64;
            }
        } else {
            for (id, number) in ids.iter_mut().zip(numbers) {
                most = most.max(*number as u64);
                *id = id.wrapping_mul(length).wrapping_add(*number as u64);
            }
        }
        match numbers.iter().find(|number| **number as u64 >= length) {
            Some(number) if most >= length => Err(self.outside(at, *number)),
            _ => Ok(()),
        }
    }
}

/// numpy's arrays win over lists, those over others.
fn strength(kind: Kind) -> u32 {
    match kind {
        Kind::View => 0,
        Kind::Array => 1,
        Kind::List => 2,
        Kind::Numpy => 3,
    }
}

/// The offset of each coordinate, the last dimension lowest.
fn table(plan: &Plan) -> Vec<u32> {
    (0..plan.elements()).map(|id| plan.offset(plan.nth(id).as_slice()).unwrap_or(ASK)).collect()
}

/// The shape that numpy's rule brings all to: dimensions from the last on are equal, or one of them is 1.
fn common(given: &[Integers<'_>]) -> PyResult<Vec<usize>> {
    let rank = given.iter().map(|one| one.shape().len()).max().unwrap_or(0);
    let mut shape = vec![1; rank];
    for one in given {
        for (all, own) in shape.iter_mut().rev().zip(one.shape().iter().rev()) {
            match (*all, *own) {
                (known, own) if known == own || own == 1 => {}
                (1, own) => *all = own,
                _ => {
                    let shapes: Vec<_> =
                        given.iter().map(|one| format!("{:?}", one.shape())).collect();
                    return Err(refused(format!(
                        "arrays of the shapes {} have no common shape",
                        shapes.join(" and ")
                    )));
                }
            }
        }
    }
    let count = shape.iter().try_fold(1_usize, |all, one| all.checked_mul(*one));
    match count {
        Some(count) if count <= isize::MAX as usize / 8 => Ok(shape),
        _ => Err(refused("the arrays have too many elements together")),
    }
}

/// An argument in the common shape.
enum Spread<'g, 'py> {
    /// An argument that has that shape, or is one number.
    Same(&'g Integers<'py>),
    /// An argument of numbers, and which of them each coordinate has.
    Repeated { numbers: Vec<i64>, shape: Vec<usize>, strides: Vec<usize> },
}

impl<'g, 'py> Spread<'g, 'py> {
    fn new(one: &'g Integers<'py>, shape: &[usize]) -> PyResult<Self> {
        let own = one.shape();
        if own == shape || matches!(one, Integers::One(_)) {
            return Ok(Self::Same(one));
        }
        let mut numbers = vec![0; own.iter().product()];
        one.read(0, &mut numbers)?;
        let (mut strides, mut stride) = (vec![0; shape.len()], 1);
        for (at, own) in own.iter().enumerate().rev() {
            let at = shape.len() - one.shape().len() + at;
            strides[at] = if *own == 1 { 0 } else { stride };
            stride *= own;
        }
        Ok(Self::Repeated { numbers, shape: shape.to_vec(), strides })
    }

    fn read(&self, begin: usize, into: &mut [i64]) -> PyResult<()> {
        match self {
            Self::Same(one) => one.read(begin, into),
            Self::Repeated { numbers, shape, strides } => {
                for (i, number) in into.iter_mut().enumerate() {
                    let (mut rest, mut at) = (begin + i, 0);
                    for (length, stride) in shape.iter().zip(strides).rev() {
                        at += rest % length * stride;
                        rest /= length;
                    }
                    *number = numbers[at];
                }
                Ok(())
            }
        }
    }
}
