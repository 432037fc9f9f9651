//! A function of a text: its instructions, with lines and targets.

use super::text::Words;
use crate::place::Place;
use std::sync::Arc;

/// An instruction of a program, or two that are issued together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instruction {
    pub(crate) words: Vec<Words>,
    /// The line of the text, from 1.
    pub(crate) line: usize,
    pub(crate) place: Option<Arc<Place>>,
    /// The target of a branch: an index of an instruction, which may be one past the last.
    pub(crate) target: Option<usize>,
    /// Whether the compiler marks a register spill or reload.
    pub(crate) spills: bool,
}

/// A function of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The instructions, as many as are kept of a function at most.
    pub(crate) code: Vec<Instruction>,
    /// The number of instructions in the text.
    pub(crate) length: usize,
}
