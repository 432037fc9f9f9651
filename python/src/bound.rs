//! What bounds a loop: of compiled code, and of a file that states one before there is code.

use crate::view::{view, word};
use pyo3::prelude::*;
use tiledesc_cli::report::audit::Kernel;
use tiledesc_cli::report::bound::{Bound, Cycles};
use tiledesc_cli::report::check;

view! {
    /// What bounds an innermost loop, or a kernel with each instruction once: cycles of LDS beside matrix instructions.
    Limit(of: (&Kernel, &Bound)) {
        /// The kernel.
        kernel: String = of.0.kernel.split(',').next().unwrap_or_default().to_string(),
        /// Where the loop begins, `"gemm.hip:41"`, or `None` of the whole kernel.
        line: Option<String> = of.1.place.clone(),
        /// Cycles of LDS or shared memory: the fewest, and the most if they are known.
        memory: (u64, Option<u64>) = pair(of.1.memory),
        /// These cycles without any conflict.
        base_memory: (u64, Option<u64>) = pair(of.1.memory_without_conflicts),
        /// Cycles of the fullest SIMD in matrix instructions.
        matrix: (u64, Option<u64>) = pair(of.1.matrix),
        /// What bounds it: `"memory"`, `"matrix"`, `"open"` if that is not known, `"nothing"` if there is one of both alone.
        by: String = word(of.1.by),
        /// What would bound it without any conflict.
        base_by: String = word(of.1.by_without_conflicts),
        /// All of this as a sentence.
        sentence: String = of.1.sentence.clone(),
    }
}

view! {
    /// What bounds a trip of the loop that accesses and matrix instructions are stated of, on a chip that has these.
    Trip(one: &check::Trip) {
        /// The chip.
        chip: String = one.chip.to_string(),
        /// Cycles of LDS or shared memory: the fewest, and the most if they are known.
        memory: (u64, Option<u64>) = pair(one.bound.memory),
        /// These cycles without any conflict.
        base_memory: (u64, Option<u64>) = pair(one.bound.memory_without_conflicts),
        /// Cycles of the fullest SIMD in matrix instructions.
        matrix: (u64, Option<u64>) = pair(one.bound.matrix),
        /// What bounds it: `"memory"`, `"matrix"`, `"open"` if that is not known.
        by: String = word(one.bound.by),
        /// What would bound it without any conflict.
        base_by: String = word(one.bound.by_without_conflicts),
        /// All of this as a sentence.
        sentence: String = one.bound.sentence.clone(),
    }
}

fn pair(cycles: Cycles) -> (u64, Option<u64>) {
    (cycles.least, cycles.most)
}

#[pymethods]
impl Limit {
    fn __repr__(&self) -> String {
        format!("<Limit {}>", self.sentence)
    }

    fn __str__(&self) -> String {
        self.sentence.clone()
    }
}

#[pymethods]
impl Trip {
    fn __repr__(&self) -> String {
        format!("<Trip {}: {}>", self.chip, self.sentence)
    }

    fn __str__(&self) -> String {
        format!("{}: {}", self.chip, self.sentence)
    }
}
