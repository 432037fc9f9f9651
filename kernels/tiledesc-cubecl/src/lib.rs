#![doc = include_str!("../README.md")]

mod index;
mod judge;
mod known;
mod rank;
mod rows;
mod spread;
mod stage;
mod through;
mod tiled;
mod window;

pub use index::{Traced, TracedMask};
pub use judge::{JudgeError, Judged, Touch, UnknownDevice, Way, chip_of};
pub use known::Known;
pub use rank::Coordinate;
pub use rows::{Rows, RowsLaunch};
pub use spread::Spread;
pub use stage::{Ranked, Stage, StageLayout, rank};
pub use through::Through;
pub use tiled::{Tiled, TiledBy, whole_vectors};
pub use window::Window;
