//! What bounds a loop: LDS, or matrix instructions.

use schemars::JsonSchema;
use serde::Serialize;

/// Cycles of a workgroup in LDS and in its matrix pipes: of one trip of a loop, or of each instruction once.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Bound {
    /// Where the loop begins: `gemm.hip:41`, or the line of the text; null of the whole kernel.
    pub place: Option<String>,
    /// Cycles of LDS or shared memory.
    pub memory: Cycles,
    /// These cycles without conflicts.
    pub memory_without_conflicts: Cycles,
    /// Cycles of the fullest SIMD in matrix instructions.
    pub matrix: Cycles,
    /// What bounds it.
    pub by: BoundBy,
    /// What would bound it without conflicts.
    pub by_without_conflicts: BoundBy,
    /// Whether a figure is inferred.
    pub is_inferred: bool,
    /// `loop at gemm.hip:41: LDS 576 cycles a trip, MFMA 512: LDS-bound by 1.13; without conflicts 320: MFMA-bound by 1.60`
    pub sentence: String,
}

/// A number of cycles.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Cycles {
    /// The fewest.
    pub least: u64,
    /// The most: null if they are not known, and the same number where all is known.
    pub most: Option<u64>,
}

/// What bounds a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundBy {
    /// LDS, or shared memory.
    Memory,
    /// Matrix instructions.
    Matrix,
    /// One of the two; which one is not known.
    Open,
    /// The loop uses only one of the two.
    Nothing,
}
