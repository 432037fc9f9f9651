//! Why a question about a tile has no answer: a fault of the file, or something about the tile.

use crate::request::fault::{Fault, Place, Source};
use crate::request::tile::{Tile, called};
use std::fmt::Display;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    Faults(Vec<Fault>),
    /// The tile's place, and a sentence about it.
    Tile(Place, String),
    /// A sentence about the file.
    File(String),
}

impl Refusal {
    /// A refusal of a tile; `why` follows the name, with its space or colon: ` has no access ..`, `: ..`.
    pub(crate) fn new(tile: &Tile, why: impl Display) -> Self {
        Self::Tile(tile.place, format!("{}{why}", called(&tile.name)))
    }

    /// A line for each fault, with its place in the source.
    pub(crate) fn lines(&self, source: &Source) -> String {
        match self {
            Self::Faults(faults) => source.explain_all(faults),
            Self::File(why) => format!("{}: {why}\n", source.name),
            Self::Tile(place, why) => format!("{}: {why}\n", source.line(*place)),
        }
    }
}
