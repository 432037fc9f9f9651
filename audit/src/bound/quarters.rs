//! The sums of the four SIMDs of a CU, or of the four parts of an SM, and how they become one number.

use crate::matrix::{Matrix, QUARTERS};
use crate::span::Span;

/// The cycles of an access of one wave: of the banks, and of its pair's port.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub(super) banks: Span,
    port: Span,
}

/// The cycles of an access of one wave, as it is and without conflicts.
#[derive(Clone, Copy)]
pub(super) struct Loads(pub(super) [Load; 2]);

impl Load {
    /// An access that keeps its port busy for some cycles, and for as long as the banks take.
    pub(super) fn new(banks: Span, port: Option<u64>) -> Self {
        Self { banks, port: port.map_or(Span::NONE, |port| Span::exactly(port).max(banks)) }
    }

    const fn or_none(self) -> Self {
        Self { banks: self.banks.or_none(), port: self.port.or_none() }
    }

    /// Either of two loads.
    pub(super) fn or(self, other: Self) -> Self {
        Self { banks: self.banks.or(other.banks), port: self.port.or(other.port) }
    }
}

/// The work of the four SIMDs: the sums of their waves.
pub(super) struct Quarters {
    loads: [[Load; QUARTERS]; 2],
    pipes: [Span; QUARTERS],
}

/// The three ways to pair four SIMDs.
const PAIRINGS: [[[usize; 2]; 2]; 3] = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];

impl Quarters {
    pub(super) const fn new() -> Self {
        let none = Load { banks: Span::NONE, port: Span::NONE };
        Self { loads: [[none; QUARTERS]; 2], pipes: [Span::NONE; QUARTERS] }
    }

    pub(super) fn load(&mut self, simd: usize, Loads(loads): Loads, is_steady: bool) {
        for (all, load) in self.loads.iter_mut().zip(loads) {
            let load = if is_steady { load } else { load.or_none() };
            let one = &mut all[simd];
            *one = Load { banks: one.banks + load.banks, port: one.port + load.port };
        }
    }

    pub(super) fn matrix(&mut self, simd: usize, matrix: Matrix, is_steady: bool) {
        let matrix = if is_steady { matrix } else { matrix.or_none() };
        self.pipes[simd] = self.pipes[simd] + matrix.pipe;
        let load = Load::new(matrix.memory, None);
        self.load(simd, Loads([load; 2]), true);
    }

    /// Cycles of the memory, now and without conflicts.
    pub(super) fn memory(&self) -> [Span; 2] {
        self.loads.map(|loads| {
            let banks = loads.iter().fold(Span::NONE, |sum, load| sum + load.banks);
            let fuller = |pairs: [[usize; 2]; 2]| {
                let [one, two] = pairs.map(|[a, b]| loads[a].port + loads[b].port);
                one.max(two)
            };
            PAIRINGS.map(fuller).into_iter().reduce(Span::min).map_or(banks, |pair| banks.max(pair))
        })
    }

    /// Cycles of the fullest SIMD.
    pub(super) fn pipe(&self) -> Span {
        self.pipes.into_iter().fold(Span::NONE, Span::max)
    }
}
