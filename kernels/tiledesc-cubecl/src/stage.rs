//! The five layouts that `cubek` lays a stage of shared memory in, and which of them the model
//! prefers.
//!
//! `cubek-std` 0.4.0-pre.1, `microkernel/staging/stage_layout.rs`: "Which reads faster is the
//! device's to say, so each is a setting." Here the bank model of a chip says it. The arithmetic is
//! that of `cubecl-tile` 0.12.0-pre.1, `layout/row_arrangement/`: chunks of 16 bytes, a bank period
//! of 128 bytes. Those versions are prereleases of a later minor than this crate's CubeCL, so the
//! layouts are stated here as descriptors, and nothing of theirs is linked.

use crate::judge::{JudgeError, Touch};
use core::fmt;
use tiledesc::chip::Chip;
use tiledesc::{Error, List, NumberError, Op, Plan};

/// How `cubek` lays a stage of rows out in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageLayout {
    /// Row by row.
    Strided,
    /// Row by row, each a chunk longer.
    PaddedRows,
    /// In tiles of the instruction, one after another, their rows in order.
    Blocks,
    /// In tiles of the instruction, each of their rows a chunk longer.
    PaddedBlocks,
    /// In tiles of the instruction, the chunks of each row xor-ed by the row.
    SwizzledBlocks,
}

/// A stage of `rows` by `columns` elements of `bits` bits, and the instruction's tile of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Rows of the stage.
    pub rows: u32,
    /// Elements of a row.
    pub columns: u32,
    /// Bits of an element.
    pub bits: u32,
    /// Rows and columns of the instruction's tile.
    pub tile: [u32; 2],
}

/// Bytes of a chunk: the widest read of a unit.
const CHUNK: u32 = 16;
/// Bytes of one pass over 32 banks.
const PERIOD: u32 = 128;

impl StageLayout {
    /// All five.
    pub const ALL: [Self; 5] =
        [Self::Strided, Self::PaddedRows, Self::Blocks, Self::PaddedBlocks, Self::SwizzledBlocks];

    /// The layout as data.
    ///
    /// ```
    /// use tiledesc_cubecl::{Stage, StageLayout};
    ///
    /// let stage = Stage { rows: 64, columns: 64, bits: 16, tile: [16, 64] };
    /// let at = |layout: StageLayout, row, column| layout.plan(stage).unwrap().offset(&[row, column]);
    /// assert_eq!(at(StageLayout::PaddedRows, 3, 17), Ok(3 * 72 + 17));
    /// assert_eq!(at(StageLayout::SwizzledBlocks, 19, 17), Ok(19 * 64 + (2 ^ 3) * 8 + 1));
    /// ```
    ///
    /// # Errors
    ///
    /// A tile that does not divide the stage, or rows that are not a whole number of chunks.
    pub fn plan(self, stage: Stage) -> Result<Plan, Error> {
        let Stage { rows, columns, bits, tile: [m, k] } = stage;
        divides(bits, CHUNK * 8, "bits of a chunk")?;
        divides(m, rows, "rows of the stage")?;
        divides(k, columns, "columns of the stage")?;
        let chunk = CHUNK * 8 / bits;
        let pad = |row: u32| if row * bits / 8 > CHUNK { chunk } else { 0 };
        match self {
            Self::Strided => Plan::naive(&[rows, columns], &[columns, 1]),
            Self::PaddedRows => Plan::naive(&[rows, columns], &[columns + pad(columns), 1]),
            Self::Blocks => blocks(stage, k),
            Self::PaddedBlocks => blocks(stage, k + pad(k)),
            Self::SwizzledBlocks => {
                let chunks = k / chunk;
                let keys = chunks.min(PERIOD / CHUNK);
                if keys < 2 { blocks(stage, k) } else { swizzled(stage, chunk, chunks, keys, m) }
            }
        }
    }
}

impl fmt::Display for StageLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Strided => "strided",
            Self::PaddedRows => "padded rows",
            Self::Blocks => "blocks",
            Self::PaddedBlocks => "padded blocks",
            Self::SwizzledBlocks => "swizzled blocks",
        })
    }
}

fn divides(divisor: u32, dividend: u32, name: &'static str) -> Result<(), Error> {
    if divisor == 0 {
        return Err(Error::Number(NumberError::DivideByZero));
    }
    if !dividend.is_multiple_of(divisor) {
        let (dividend, divisor) = ((dividend, name), (divisor, ""));
        return Err(Error::Number(NumberError::NotDivisible { dividend, divisor }));
    }
    Ok(())
}

/// Tiles one after another, row by row of tiles, their rows `pitch` apart.
fn blocks(Stage { rows, columns, tile: [m, k], .. }: Stage, pitch: u32) -> Result<Plan, Error> {
    let across = columns / k;
    let lengths = [rows / m, m, across, k];
    let plan = Plan::naive(&lengths, &[across * m * pitch, pitch, m * pitch, 1])?;
    let merges = [merge(&lengths[..2]), merge(&lengths[2..])];
    plan.transform(&merges, &[&[0, 1], &[2, 3]], &[&[0], &[1]])
}

/// The same, chunk c of row r at c xor (r / R) mod keys: R rows share a bank period.
fn swizzled(stage: Stage, chunk: u32, chunks: u32, keys: u32, m: u32) -> Result<Plan, Error> {
    let Stage { rows, columns, tile: [_, k], .. } = stage;
    let (across, same) = (columns / k, (PERIOD / CHUNK / chunks).max(1));
    // Row r of a tile is (r / R, r mod R); a row is (high chunks, chunks of one key, elements).
    let lengths = [rows / m, m / same, same, across, chunks / keys, keys, chunk];
    let strides = [across * m * k, same * k, k, m * k, keys * chunk, chunk, 1];
    let plan = Plan::naive(&lengths, &strides)?;
    let pass = |i: usize| Op::PassThrough { length: lengths[i] };
    let xor = Op::Xor { length0: lengths[1], length1: keys };
    let plan = plan.transform(
        &[pass(0), xor, pass(2), pass(3), pass(4), pass(6)],
        &[&[0], &[1, 5], &[2], &[3], &[4], &[6]],
        &[&[0], &[1, 5], &[2], &[3], &[4], &[6]],
    )?;
    let merges = [merge(&lengths[..3]), merge(&lengths[3..])];
    plan.transform(&merges, &[&[0, 1, 2], &[3, 4, 5, 6]], &[&[0], &[1]])
}

fn merge(lengths: &[u32]) -> Op {
    Op::Merge { lengths: List::new(lengths) }
}

/// What a stage layout costs: cycles of all accesses, and bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The layout.
    pub layout: StageLayout,
    /// Cycles of shared memory, or why they cannot be counted.
    pub cycles: Result<u64, JudgeError>,
    /// Bytes that it takes.
    pub bytes: u64,
}

/// The five layouts, fewest cycles first and of equals fewest bytes.
///
/// ```
/// use tiledesc::chip::gfx942;
/// use tiledesc::prelude::*;
/// use tiledesc_cubecl::{Stage, StageLayout, Touch, rank};
///
/// distribution! {
///     type Fetch: m [again 2, row 8], k [chunk 8, half 8]; lane (row, chunk), thread (again, half);
///     type Rows: m [row 16], k [step 2, part 4, half 8]; lane (part, row), thread (step, half);
/// }
/// let stage = Stage { rows: 16, columns: 64, bits: 16, tile: [16, 64] };
/// let ranked = rank(&gfx942, stage, &[Touch::write::<Fetch>("fetch", 8), Touch::read::<Rows>("A", 8)])?;
/// assert_eq!(ranked[0].layout, StageLayout::SwizzledBlocks);
/// # Ok::<(), tiledesc::Error>(())
/// ```
///
/// # Errors
///
/// A stage that cannot be laid out: see [`StageLayout::plan`].
pub fn rank(chip: &Chip, stage: Stage, touches: &[Touch<'_>]) -> Result<Vec<Ranked>, Error> {
    let judge = |layout: StageLayout| -> Result<Ranked, Error> {
        let plan = layout.plan(stage)?;
        let judged = touches.iter().map(|touch| touch.judge(chip, &plan, stage.bits));
        let cycles = judged.map(|judged| judged.map(|judged| judged.cycles)).sum();
        Ok(Ranked { layout, cycles, bytes: plan.element_space() * u64::from(stage.bits) / 8 })
    };
    let mut ranked = StageLayout::ALL.into_iter().map(judge).collect::<Result<Vec<_>, _>>()?;
    ranked.sort_by_key(|entry| (entry.cycles.clone().unwrap_or(u64::MAX), entry.bytes));
    Ok(ranked)
}
