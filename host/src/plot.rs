//! Figures of layouts: SVG, and the same as terminal text.
//!
//! A verdict says 4-way; a picture says why. Of the 128x64 fp16 tile, read by `ds_read_b128` on
//! gfx942, a row a cycle:
//!
//! ```text
//! Plain: 4-way, 32 cycles                 ABlock: free of conflicts, 8 cycles
//! phase 0   4   8   12  16  20  24  28    phase 0   4   8   12  16  20  24  28
//! 0      0   20                           0      0   1   2   3   21  20  23  22
//!        1   21                           1      17  16  19  18  4   5   6   7
//!        2   22                           2      8   9   10  11  29  28  31  30
//!        3   23                           3      25  24  27  26  12  13  14  15
//! 1      4   16                           4      34  35  32  33  55  54  53  52
//!        ..                               ..
//! ```
//!
//! Everything shown comes from the library: addresses of [`Placed`](tiledesc::access::Placed), phases of
//! [`Instruction`](tiledesc::chip::Instruction), degrees of [`Verdict`](tiledesc::bank::Verdict), offsets of
//! [`Plan`](tiledesc::Plan). A [`Figure`] is data, cells with their words; [`svg`](Figure::svg) and
//! [`text`](Figure::text) draw the same at the same places. Colour never carries information alone: a number or a hatch
//! repeats it, and every cell has a tooltip.
//!
//! | figure | shows |
//! |---|---|
//! | [`Subject::phases`] | banks by phase of one instruction: who waits for whom |
//! | [`Subject::grid`], [`Subject::tile`] | each coordinate with its offset and bank, the lanes that meet framed |
//! | [`served`] | lanes served together, by chip and instruction |
//! | [`Subject::bits`] | the matrix over bits, with byte, bank and key framed |
//! | [`fn@distribution`] | a tile by lane, registers as shades |
//! | [`Subject::ladder`] | LDS as lines of banks, padding hatched |
//! | [`Subject::journey`] | the graph of transforms with a coordinate flowing through it |
//! | [`Subject::fields`] | one offset in the words of CuTe, CK Tile and Triton |
//! | [`Subject::addresses`] | registers and immediates of an unrolled loop |
//! | [`timeline`] | the cycles of one instruction, layout by layout |
//! | [`heat`], [`keys`], [`pads`] | degrees by layout and access: which key, which pad, which chip |
//! | [`compare`] | layouts by cycles, bytes and address instructions |
//! | [`direct_load`] | source lines against a chunk of LDS |
//! | [`evidence`] | how sure the rows of each chip are |
//!
//! A layout's figure is one call, [`Draw::figure`]: `ABlock::default().figure().phases(&gfx942::ds_read_b128,
//! MfmaRows::<16>)`; a map that does not know its element is given one, `.figure().with_element(F16)`.

// The figure itself, in the pages of rustdoc.
#![cfg_attr(doc, doc = "", doc = include_str!("../tests/golden/figures/phases.svg"))]

mod addresses;
mod bits;
mod canvas;
mod compare;
mod direct;
mod distribution;
mod evidence;
mod fields;
mod grid;
mod heat;
mod journey;
mod ladder;
mod palette;
mod phases;
mod scene;
mod served;
mod subject;
mod svg;
mod table;
mod text;
mod timeline;
mod wording;

pub use compare::compare;
pub use direct::direct_load;
pub use distribution::distribution;
pub use evidence::evidence;
pub use heat::{heat, keys, pads};
pub use palette::Ink;
pub use scene::{Cell, Figure};
pub use served::served;
pub use subject::Subject;
pub use svg::escaped;
pub use timeline::timeline;

use tiledesc::Mapping;

/// Figures of any [`Mapping`]: of a [`Layout`](tiledesc::Layout), a [`Plan`](tiledesc::Plan), a text of CuTe.
///
/// ```
/// use tiledesc::{chip::gfx942, prelude::*};
/// use tiledesc_host::plot::Draw;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let figure = Tile::default().figure().phases(&gfx942::ds_read_b128, MfmaRows::<16>)?;
/// assert!(figure.text().contains("GemmXor: free of conflicts, 128 cycles"));
///
/// let padded = Plan::naive(&[128, 64], &[72, 1])?.figure().with_element(F16).named("padded");
/// let figure = padded.phases(&gfx942::ds_read_b128, MfmaRows::<16>)?;
/// // 2-way: one lane of each phase waits.
/// assert_eq!(figure.cells().filter(|cell| cell.is_hatched()).count(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Draw: Mapping {
    /// Returns the layout as the subject of figures, under its [name](Mapping::name).
    fn figure(&self) -> Subject {
        Subject::new(self.name(), self)
    }
}

impl<T: Mapping + ?Sized> Draw for T {}
