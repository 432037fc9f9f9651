//! Triton's `amd_wmma`: results and operands of WMMA, and the tiles that a block repeats of it.
//!
//! ```text
//!   #ttg.amd_wmma<{version = 2, isTranspose = true, ctaLayout = {register = [[1, 0]], warp = [[0, 1]]}}>
//!   AMDWMMALayout(version=2, transposed=True, warp_bases=[[0, 1]], reg_bases=[[1, 0]], instr_shape=[16, 16, 16])
//! ```
//!
//! | version | chips | result of 16 x 16 | operand |
//! |---|---|---|---|
//! | 1 | gfx11 | 16 lanes along columns, 2 along rows, 8 registers along every second row | 16 lanes along rows, both halves the same |
//! | 2, 3 | gfx12, gfx1250 | 8 registers along rows, 16 lanes along columns, 2 along rows | `kWidth` registers along k, 16 lanes along rows, 2 along k |
//!
//! A base of `ctaLayout` counts instructions: those of registers and of warps take turns along each dimension.
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, and the bases that Triton 3.9 computes (`tests/golden/triton`).

use super::fields::Fields;
use super::text::Reader;
use super::turns::{Owner, Turns};
use crate::Error;
use tiledesc::List;

const ATTRIBUTE: [&str; 5] =
    ["`version`", "`isTranspose`", "`ctaLayout`", "`instrShape`", "`CGALayout`"];
const GLUON: [&str; 7] = [
    "`version`",
    "`transposed`",
    "`warp_bases`",
    "`reg_bases`",
    "`instrShape`",
    "`cga_layout`",
    "`rank`",
];

/// The layout of a result.
pub(super) struct Wmma {
    version: u32,
    transposed: bool,
    /// Rows, columns and k of the instruction, those of a transposed result exchanged.
    shape: [u32; 3],
    /// The images of registers and of warps, in instructions.
    images: [Vec<List>; 2],
}

impl Wmma {
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        // The places of the fields below in either text.
        let is_attribute = text.contains("#ttg.amd_wmma");
        if is_attribute {
            let (_, fields) = Fields::parse(text, ["#ttg.amd_wmma"], ATTRIBUTE)?;
            fields.one_block(4)?;
            let images = fields.inner(2, cta)?;
            return Self::new(&fields, [0, 1, 3], images);
        }
        let (_, fields) = Fields::parse(text, ["AMDWMMALayout"], GLUON)?;
        fields.one_block(5)?;
        let of = |field| if fields.has(field) { fields.images(field) } else { Ok(Vec::new()) };
        let images = [of(3)?, of(2)?];
        Self::new(&fields, [0, 1, 4], images)
    }

    fn new<const N: usize>(
        fields: &Fields<'_, N>,
        [version, transposed, shape]: [usize; 3],
        images: [Vec<List>; 2],
    ) -> Result<Self, Error> {
        let number = fields.number(version)?;
        if !(1..=3).contains(&number) {
            return fields.expected(version, "version 1, 2 or 3");
        }
        let of_instruction =
            if fields.has(shape) { fields.list(shape)? } else { List::new(&[16, 16, 16]) };
        let [rows, columns, k] = match *of_instruction.as_slice() {
            [16, 16, k] if k.is_power_of_two() && k >= 4 => [16, 16, k],
            [32, 16, k] if k.is_power_of_two() && k >= 4 && number == 3 => [32, 16, k],
            _ => return fields.expected(shape, "[16, 16, k], or of version 3 [32, 16, k]"),
        };
        if images.iter().flatten().any(|image| image.len() != 2) {
            return fields.expected(version, "bases of two dimensions");
        }
        let transposed = fields.flag(transposed)?;
        let [rows, columns] = if transposed { [columns, rows] } else { [rows, columns] };
        Ok(Self { version: number, transposed, shape: [rows, columns, k], images })
    }

    pub(super) fn result(&self) -> Result<Turns, Error> {
        let [rows, columns] = if self.transposed { [1, 0] } else { [0, 1] };
        let turns = Turns::new([1, 0]);
        let turns = match self.version {
            1 => turns.with(Owner::Lane, 16, columns).with(Owner::Lane, 2, rows).with(
                Owner::Register,
                8,
                rows,
            ),
            _ => turns.with(Owner::Register, 8, rows).with(Owner::Lane, 16, columns).with(
                Owner::Lane,
                2,
                rows,
            ),
        };
        let turns = turns.with(Owner::Register, self.shape[rows] / 16, rows);
        self.repeated(turns, [Some(0), Some(1)])
    }

    pub(super) fn operand(&self, is_a: bool, k_width: u32) -> Result<Turns, Error> {
        let [k, other] = if is_a { [1, 0] } else { [0, 1] };
        let halves = (self.version > 1).then_some(k);
        let turns = Turns::new([k, other])
            .with(Owner::Register, k_width, k)
            .with(Owner::Lane, 16, other)
            .with(Owner::Lane, 2, halves);
        let held = if halves.is_some() { 2 * k_width } else { k_width };
        let turns = turns.with(Owner::Register, (self.shape[2] / held).max(1), k).with(
            Owner::Register,
            self.shape[other] / 16,
            other,
        );
        let along = |d: usize| (d != k).then_some(d);
        self.repeated(turns, [along(0), along(1)])
    }

    /// The instructions of a block: registers and warps take turns along each dimension, from the nearest on; along none what
    /// is the same there.
    fn repeated(&self, mut turns: Turns, along: [Option<usize>; 2]) -> Result<Turns, Error> {
        let mut queues = self.images.each_ref().map(|images| images.iter());
        let owners = [Owner::Register, Owner::Warp];
        let mut next = [1_u32; 2];
        let moved = |image: &List| (0..2).filter(|d| image.at(*d) > 0).collect::<Vec<_>>();
        while queues.iter().any(|queue| queue.len() > 0) {
            let taken = (0..2).find_map(|at| {
                let image = queues[at].as_slice().first()?;
                match moved(image)[..] {
                    [] => Some((at, None)),
                    [d] => (image.at(d) == next[d]).then_some((at, Some(d))),
                    _ => None,
                }
            });
            let Some((at, d)) = taken else {
                return Err(Error::no_form(
                    "bases of `ctaLayout` that do not count each dimension from the nearest instruction on",
                ));
            };
            queues[at].next();
            if let Some(d) = d {
                next[d] *= 2;
            }
            turns = turns.with(owners[at], 2, d.and_then(|d| along[d]));
        }
        Ok(turns)
    }
}

/// `{register = [[1, 0]], warp = [[0, 1]]}`
fn cta(text: &str) -> Result<[Vec<List>; 2], Error> {
    let mut reader = Reader { text, at: 0 };
    let mut images = [Vec::new(), Vec::new()];
    reader.needs("{", "`{`")?;
    while !reader.takes("}") {
        reader.takes(",");
        let owner = if reader.takes("register") {
            0
        } else if reader.takes("warp") {
            1
        } else {
            return reader.expected("`register` or `warp`");
        };
        reader.needs("=", "`=`")?;
        images[owner] = reader.images()?;
    }
    reader.ends()?;
    Ok(images)
}
