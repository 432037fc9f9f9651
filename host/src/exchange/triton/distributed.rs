//! A register layout of any kind, as the IR or Gluon prints it: blocked, a matrix instruction's result or operand, a slice.
//!
//! ```text
//!   #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
//!
//!   register = [[0, 1], [0, 2], [0, 4], ..]       8 columns, and what a larger tile repeats
//!   lane     = [[0, 8], [0, 16], [1, 0], ..]      then 4 lanes along a row, 8 rows
//!   warp     = [[8, 0], [16, 0]]                  then 4 warps
//! ```
//!
//! Each kind is a small tile in which registers, lanes and warps take turns along a dimension. A larger tile repeats it in
//! further registers; in a smaller one bits bring nothing, and several lanes hold the same elements.
//!
//! | kind | the tile of one warp, registers within lanes within registers |
//! |---|---|
//! | `blocked` | `sizePerThread`, then `threadsPerWarp`, each in `order` |
//! | `nvidia_mma` | 2 columns, 4 lanes; 8 lanes along rows, then two halves of 8 rows; the other columns |
//! | `dot_op` of it | the same with `kWidth` along k in place of 2 columns; rows are 16 of A, 8 of B |
//! | `amd_mfma` | 4 rows, lanes along all columns, the other lanes along rows, the other rows; columns for rows if transposed |
//! | `dot_op` of it | `kWidth` along k, lanes along rows (of B, columns), the other lanes along k |
//! | `dot_op` of `blocked` | as its parent, but all of k in each lane |
//! | `amd_wmma`, `dot_op` of it | [`wmma`](super::wmma) |
//! | `slice` | its parent's over one index of `dim`, which is dropped |
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, `LinearLayoutConversions.cpp`, and the bases that Triton 3.9 computes
//! (`tests/golden/triton`).

use super::aliases::resolved;
use super::fields::Fields;
use super::turns::{Owner, Turns};
use super::wmma::Wmma;
use super::{Registers, text};
use crate::Error;
use crate::exchange::linear::odd_length;
use tiledesc::List;

/// The register layout over a tile of these lengths; without them, over the least tile that has no element twice.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::triton::distributed;
///
/// let rows = "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>";
/// assert_eq!(distributed(rows, None)?.lengths(), [32, 32]);
/// assert_eq!(
///     distributed(rows, Some(List::pair(32, 64)))?.to_string(),
///     "register = [[0, 1], [0, 2], [0, 4], [0, 32]], \
///      lane = [[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = [[8, 0], [16, 0]]",
/// );
/// let mma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";
/// let a = format!("#ttg.dot_op<{{opIdx = 0, parent = {mma}, kWidth = 2}}>");
/// // Two warps along n hold the same rows of A.
/// assert_eq!(distributed(&a, None)?.warp()[0].as_slice(), [0, 0]);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// Lines of the IR may stand before it, whose aliases it names: `#mma = #ttg.amd_mfma<{..}>` before `parent = #mma`.
///
/// Registers that hold another register's element are left out.
///
/// # Errors
///
/// Another text, with the byte: also an instruction whose layout is not known here, and a layout of several blocks. Lengths that
/// are not powers of two, or of another rank.
pub fn distributed(text: &str, lengths: Option<List>) -> Result<Registers, Error> {
    let text = &*resolved(text)?;
    let begin = text.trim_start();
    if begin.starts_with("register") {
        return Registers::parse(text);
    }
    if let Some(lengths) = &lengths {
        odd_length(lengths.as_slice())?;
    }
    if let Some(bases) = linear(text, 0)? {
        return lengths.map_or(Ok(bases.clone()), |lengths| bases.over(lengths));
    }
    read(text, 0)?.over(lengths)
}

const BLOCKED: [&str; 5] =
    ["`sizePerThread`", "`threadsPerWarp`", "`warpsPerCTA`", "`order`", "`CGALayout`"];
const MMA: [&str; 5] =
    ["`versionMajor`", "`versionMinor`", "`warpsPerCTA`", "`CGALayout`", "`instrShape`"];
const GLUON_MMA: [&str; 4] = ["`version`", "`warpsPerCTA`", "`instrShape`", "`cga_layout`"];
const MFMA: [&str; 7] = [
    "`version`",
    "`warpsPerCTA`",
    "`instrShape`",
    "`isTransposed`",
    "`CGALayout`",
    "`tilesPerWarp`",
    "`elementBitWidth`",
];
const GLUON_MFMA: [&str; 7] = [
    "`version`",
    "`instrShape`",
    "`transposed`",
    "`warpsPerCTA`",
    "`element_bitwidth`",
    "`tiles_per_warp`",
    "`cga_layout`",
];
const GLUON_LINEAR: [&str; 5] =
    ["`reg_bases`", "`lane_bases`", "`warp_bases`", "`block_bases`", "`shape`"];
const SLICE: [&str; 2] = ["`dim`", "`parent`"];
const OPERAND: [&str; 3] = ["`opIdx`", "`parent`", "`kWidth`"];
const GLUON_OPERAND: [&str; 3] = ["`operand_index`", "`parent`", "`kWidth`"];

/// The most layouts that one text has within each other: a slice of an operand of a result is three.
const DEEPEST: usize = 8;

const OTHER_DIMENSION: &str = "a dimension of the parent, which has another one";

fn read(text: &str, depth: usize) -> Result<Turns, Error> {
    match text::name(text) {
        "#ttg.blocked" | "BlockedLayout" => blocked(text, None),
        "#ttg.slice" | "SliceLayout" => slice(text, depth),
        "#ttg.dot_op" | "DotOperandLayout" => operand(text),
        "#ttg.nvidia_mma" | "NVMMADistributedLayout" => Ok(Mma::read(text)?.result()),
        "#ttg.amd_mfma" | "AMDMFMALayout" => Ok(Mfma::read(text)?.result()),
        "#ttg.amd_wmma" | "AMDWMMALayout" => Wmma::read(text)?.result(),
        _ => Err(Error::syntax(
            text::name_at(text),
            "`#ttg.linear`, `blocked`, `slice`, `dot_op`, `nvidia_mma`, `amd_mfma` or `amd_wmma`, or Gluon's name of it",
        )),
    }
}

/// Bases as they are written, or a slice of them.
fn linear(text: &str, depth: usize) -> Result<Option<Registers>, Error> {
    match text::name(text) {
        "#ttg.linear" | "#ttg.generic_linear" => Registers::parse(text).map(Some),
        "DistributedLinearLayout" => {
            let (_, fields) = Fields::parse(text, ["DistributedLinearLayout"], GLUON_LINEAR)?;
            fields.one_block(3)?;
            let [register, lane, warp] = [fields.images(0)?, fields.images(1)?, fields.images(2)?];
            Registers::new(fields.list(4)?, [&register, &lane, &warp]).map(Some)
        }
        "#ttg.slice" | "SliceLayout" if depth < DEEPEST => {
            let (_, fields) = Fields::parse(text, ["#ttg.slice", "SliceLayout"], SLICE)?;
            let Some(parent) = fields.inner(1, |parent| linear(parent, depth + 1))? else {
                return Ok(None);
            };
            match parent.without(fields.number(0)? as usize) {
                Some(kept) => kept.map(Some),
                None => fields.expected(0, OTHER_DIMENSION),
            }
        }
        _ => Ok(None),
    }
}

/// A blocked layout, or an operand of one, where each lane holds all of k.
fn blocked(text: &str, is_a: Option<bool>) -> Result<Turns, Error> {
    let (_, fields) = Fields::parse(text, ["#ttg.blocked", "BlockedLayout"], BLOCKED)?;
    fields.one_block(4)?;
    let order = fields.order(3)?;
    let order: Vec<usize> = order.as_slice().iter().map(|d| *d as usize).collect();
    if is_a.is_some() && order.len() < 2 {
        return fields.expected(3, "an operand of two or three dimensions");
    }
    let k = is_a.map(|is_a| order.len() - if is_a { 1 } else { 2 });
    let mut turns = Turns::new(order.clone());
    for (field, owner) in [Owner::Register, Owner::Lane, Owner::Warp].into_iter().enumerate() {
        let counts = fields.powers_of_two(field, order.len())?;
        for d in &order {
            turns = match owner {
                Owner::Register if k == Some(*d) => turns.filled(*d),
                _ => turns.with(owner, counts.at(*d), (k != Some(*d)).then_some(*d)),
            };
        }
    }
    Ok(turns)
}

fn slice(text: &str, depth: usize) -> Result<Turns, Error> {
    let (_, fields) = Fields::parse(text, ["#ttg.slice", "SliceLayout"], SLICE)?;
    if depth == DEEPEST {
        return fields.expected(1, "at most 8 layouts within each other");
    }
    let mut turns = fields.inner(1, |parent| read(parent, depth + 1))?;
    let kept = (0..turns.order.len()).filter(|d| !turns.sliced.contains(d));
    match kept.clone().nth(fields.number(0)? as usize) {
        Some(dim) if kept.count() > 1 => turns.sliced.push(dim),
        _ => return fields.expected(0, OTHER_DIMENSION),
    }
    Ok(turns)
}

fn operand(text: &str) -> Result<Turns, Error> {
    let (_, fields) = match text.contains("#ttg.dot_op") {
        true => Fields::parse(text, ["#ttg.dot_op"], OPERAND)?,
        false => Fields::parse(text, ["DotOperandLayout"], GLUON_OPERAND)?,
    };
    let operand = fields.number(0)?;
    if operand > 1 {
        return fields.expected(0, "0 of A or 1 of B");
    }
    let is_a = operand == 0;
    let is_blocked = |parent| Ok(matches!(text::name(parent), "#ttg.blocked" | "BlockedLayout"));
    if fields.inner(1, is_blocked)? {
        // Without a width, or in Gluon of 0.
        return fields.inner(1, |parent| blocked(parent, Some(is_a)));
    }
    let k_width = fields.power_of_two(2)?;
    fields.inner(1, |parent| match text::name(parent) {
        "#ttg.nvidia_mma" | "NVMMADistributedLayout" => {
            Ok(Mma::read(parent)?.operand(is_a, k_width))
        }
        "#ttg.amd_mfma" | "AMDMFMALayout" => Ok(Mfma::read(parent)?.operand(is_a, k_width)),
        "#ttg.amd_wmma" | "AMDWMMALayout" => Wmma::read(parent)?.operand(is_a, k_width),
        _ => Err(Error::syntax(
            text::name_at(parent),
            "`nvidia_mma`, `amd_mfma`, `amd_wmma` or `blocked` as parent",
        )),
    })
}

/// Warps, of an operand those along k hold the same.
fn with_warps(turns: Turns, warps: &List, k: Option<usize>, order: &[usize]) -> Turns {
    let along = |d| (k != Some(d)).then_some(d);
    order.iter().fold(turns, |turns, d| turns.with(Owner::Warp, warps.at(*d), along(*d)))
}

/// Warps of each dimension, a batch before rows and columns if there are three.
fn warps_of<const N: usize>(fields: &Fields<'_, N>, field: usize) -> Result<List, Error> {
    fields.powers_of_two(field, fields.list(field)?.len().clamp(2, 3))
}

/// k and the other dimension of an operand, of dimensions whose rows are `rows`.
fn dimensions(is_a: bool, rows: usize) -> [usize; 2] {
    if is_a { [rows + 1, rows] } else { [rows, rows + 1] }
}

/// `mma.sync` (version 2) or `wgmma` (3), whose result is 16 by `n` a warp.
struct Mma {
    n: u32,
    warps: List,
    /// The order in which warps count: along columns first for `mma.sync`, along rows for `wgmma`.
    order: Vec<usize>,
}

impl Mma {
    fn read(text: &str) -> Result<Self, Error> {
        // The places of the fields below in either text.
        let is_attribute = text.contains("#ttg.nvidia_mma");
        let (version, warps, shape, at) = if is_attribute {
            let (_, fields) = Fields::parse(text, ["#ttg.nvidia_mma"], MMA)?;
            fields.one_block(3)?;
            (fields.number(0)?, warps_of(&fields, 2)?, fields.list(4)?, fields.begin(4))
        } else {
            let (_, fields) = Fields::parse(text, ["NVMMADistributedLayout"], GLUON_MMA)?;
            fields.one_block(3)?;
            let version = fields.list(0)?.as_slice().first().copied().unwrap_or(0);
            (version, warps_of(&fields, 1)?, fields.list(2)?, fields.begin(2))
        };
        match (version, warps.len(), shape.as_slice()) {
            (2, 2, [16, 8]) => Ok(Self { n: 8, warps, order: vec![1, 0] }),
            (2, 3, [1, 16, 8]) => Ok(Self { n: 8, warps, order: vec![2, 1, 0] }),
            (3, 2, [16, n, ..]) if n.is_power_of_two() && (8..=256).contains(n) => {
                Ok(Self { n: *n, warps, order: vec![0, 1] })
            }
            _ => Err(Error::syntax(
                at,
                "[16, 8] of version 2, or [16, n, k] of version 3 with a power of two n from 8 to 256",
            )),
        }
    }

    /// The dimension of rows.
    fn rows(&self) -> usize {
        self.warps.len() - 2
    }

    /// 4 lanes by 8, with `width` elements of a lane at first.
    fn tile(
        turns: Turns,
        [rows, columns]: [u32; 2],
        width: u32,
        [inner, outer]: [usize; 2],
    ) -> Turns {
        turns
            .with(Owner::Register, width, inner)
            .with(Owner::Lane, 4, inner)
            .with(Owner::Lane, 8, outer)
            .with(Owner::Register, rows / 8, outer)
            .with(Owner::Register, columns / (4 * width), inner)
    }

    fn result(&self) -> Turns {
        let rows = self.rows();
        let turns = Turns::new((0..rows + 2).rev());
        let turns = Self::tile(turns, [16, self.n], 2, [rows + 1, rows]);
        with_warps(turns, &self.warps, None, &self.order)
    }

    fn operand(&self, is_a: bool, k_width: u32) -> Turns {
        let [k, other] = dimensions(is_a, self.rows());
        let turns = Turns::new([k, other].into_iter().chain((0..self.rows()).rev()));
        let lines = if is_a { 16 } else { 8 };
        let turns = Self::tile(turns, [lines, 8 * k_width], k_width, [k, other]);
        with_warps(turns, &self.warps, Some(k), &self.order)
    }
}

/// `v_mfma`, by waves of 64.
struct Mfma {
    /// Rows and columns of a result.
    sides: [u32; 2],
    /// The rows that a lane has one after the other: 4, of doubles 1.
    run: u32,
    transposed: bool,
    warps: List,
    /// The instructions beside each other that a warp has in each dimension.
    tiles: List,
}

impl Mfma {
    fn read(text: &str) -> Result<Self, Error> {
        // The places of the fields below in either text.
        let (fields, [shape, transposed, warps, bits, tiles, blocks]) = match text
            .contains("#ttg.amd_mfma")
        {
            true => (Fields::parse(text, ["#ttg.amd_mfma"], MFMA)?.1, [2, 3, 1, 6, 5, 4]),
            false => (Fields::parse(text, ["AMDMFMALayout"], GLUON_MFMA)?.1, [1, 2, 3, 4, 5, 6]),
        };
        fields.one_block(blocks)?;
        let is_turned = fields.flag(transposed)?;
        let sides = match (fields.list(shape)?.as_slice(), is_turned) {
            ([32, 32, ..], _) => [32, 32],
            ([16, 16, ..], _) => [16, 16],
            ([4, 64, ..], false) => [4, 64],
            ([64, 4, ..], true) => [64, 4],
            _ => {
                let known = "[32, 32, k], [16, 16, k], [4, 64, k], or transposed [64, 4, k]";
                return fields.expected(shape, known);
            }
        };
        let run = match if fields.has(bits) { fields.number(bits)? } else { 32 } {
            32 => 4,
            64 if sides == [16, 16] => 1,
            _ => return fields.expected(bits, "results of 32 bits, or of [16, 16, k] of 64"),
        };
        let warps = warps_of(&fields, warps)?;
        let one = || List::of_first([1; List::CAPACITY], warps.len());
        let tiles =
            if fields.has(tiles) { fields.powers_of_two(tiles, warps.len())? } else { one() };
        Ok(Self { sides, run, transposed: is_turned, warps, tiles })
    }

    /// The dimension of rows.
    fn rows(&self) -> usize {
        self.warps.len() - 2
    }

    /// Tiles, warps and the registers that fill the rest, along each dimension; along k of an operand only warps, which hold the same.
    fn repeated(&self, turns: Turns, k: Option<usize>) -> Turns {
        (0..self.warps.len()).rev().fold(turns, |turns, d| {
            if k == Some(d) {
                return turns.with(Owner::Warp, self.warps.at(d), None);
            }
            let turns = turns.with(Owner::Register, self.tiles.at(d), d);
            turns.with(Owner::Warp, self.warps.at(d), d).filled(d)
        })
    }

    fn result(&self) -> Turns {
        let (rows, [m, n]) = (self.rows(), self.sides);
        let ([down, along], [lanes, lines]) =
            if self.transposed { ([rows + 1, rows], [m, n]) } else { ([rows, rows + 1], [n, m]) };
        let others = 64 / lanes;
        let turns = Turns::new((0..rows + 2).rev())
            .with(Owner::Register, self.run, down)
            .with(Owner::Lane, lanes, along)
            .with(Owner::Lane, others, down)
            .with(Owner::Register, lines / (self.run * others), down);
        self.repeated(turns, None)
    }

    fn operand(&self, is_a: bool, k_width: u32) -> Turns {
        let [k, other] = dimensions(is_a, self.rows());
        let lanes = self.sides[usize::from(!is_a)];
        let turns = Turns::new([k, other].into_iter().chain((0..self.rows()).rev()))
            .with(Owner::Register, k_width, k)
            .with(Owner::Lane, lanes, other)
            .with(Owner::Lane, 64 / lanes, k)
            .filled(k);
        self.repeated(turns, Some(k))
    }
}
