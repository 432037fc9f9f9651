//! Triton's `nvmma_shared`: a tile as TMA brings it and `wgmma` reads it, in boxes of swizzled lines.
//!
//! ```text
//!   #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>     in the IR
//!   NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)                      in Gluon
//!
//!   line of a box      swizzlingByteWidth bytes of the contiguous dimension; without a swizzle at most 256 elements
//!   16-byte chunk c    c  xor  line / (128 / swizzlingByteWidth) % (swizzlingByteWidth / 16)
//! ```
//!
//! `fp4Padded` is of bytes of two fp4 each, for which TMA leaves 8 of every 16 bytes empty: byte c of a row lies at c / 8 * 16 + c % 8
//! of one that is swizzled as any other.
//!
//! A box has at most 256 elements of any other dimension, and boxes follow each other, those along dimension 0 first. The
//! contiguous dimension is the last one, of a `transposed` layout the first.
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, `LinearLayoutConversions.cpp`, and the bases that Triton 3.9 computes
//! (`tests/golden/triton`).

use super::Bases;
use super::fields::Fields;
use crate::exchange::linear::odd_length;
use crate::{Error, ErrorKind};
use tiledesc::{List, Op, Plan};

/// The most elements of a box along a dimension (PTX ISA, `boxDim` of a tensor map).
const BOX: u32 = 256;

/// An `nvmma_shared` layout, of a tile of any size.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::triton::Nvmma;
///
/// let text = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>";
/// let nvmma = Nvmma::parse(text)?;
/// assert_eq!(nvmma.to_string(), text);
/// let plan = nvmma.bases(List::pair(64, 128))?.plan()?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(3 * 64 + (17 / 8 ^ 3) * 8 + 17 % 8));
/// // The second box of 64 lines begins at column 64.
/// assert_eq!(plan.offset(&[0, 64]), Ok(64 * 64));
/// // The same in Gluon.
/// assert_eq!(Nvmma::parse("ttgl.NVMMASharedLayout(128, element_bitwidth=16, rank=2)"), Ok(nvmma));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nvmma {
    /// Bytes of a swizzled line; 0 without a swizzle.
    line: u32,
    bits: u32,
    transposed: bool,
    /// Whether 8 bytes of padding follow each 8 of fp4.
    padded: bool,
    rank: u32,
}

const ATTRIBUTE: [&str; 6] = [
    "`swizzlingByteWidth`",
    "`transposed`",
    "`elementBitWidth`",
    "`fp4Padded`",
    "`rank`",
    "`CGALayout`",
];
const GLUON: [&str; 6] = [
    "`swizzle_byte_width`",
    "`element_bitwidth`",
    "`rank`",
    "`transposed`",
    "`fp4_padded`",
    "`cga_layout`",
];

impl Nvmma {
    /// Reads the attribute as Triton prints it, or Gluon's constructor.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Nvmma;
    ///
    /// let odd = Nvmma::parse("NVMMASharedLayout(swizzle_byte_width=96, element_bitwidth=16)");
    /// assert_eq!(odd.unwrap_err().to_string(), "at byte 37: expected 0, 32, 64 or 128");
    /// ```
    ///
    /// # Errors
    ///
    /// Another text, with the byte: also widths that Triton does not have, padded elements of another width than bytes, and a
    /// layout of several blocks.
    pub fn parse(text: &str) -> Result<Self, Error> {
        // The places of the fields below in either text.
        let (fields, [line, bits, transposed, padded, rank]) = match text.contains('(') {
            true => (Fields::parse(text, ["NVMMASharedLayout"], GLUON)?.1, [0, 1, 3, 4, 2]),
            false => (Fields::parse(text, ["#ttg.nvmma_shared"], ATTRIBUTE)?.1, [0, 2, 1, 3, 4]),
        };
        let read = Self {
            line: fields.number(line)?,
            bits: fields.number(bits)?,
            transposed: fields.flag(transposed)?,
            padded: fields.flag(padded)?,
            rank: if fields.has(rank) { fields.number(rank)? } else { 2 },
        };
        if ![0, 32, 64, 128].contains(&read.line) {
            return fields.expected(line, "0, 32, 64 or 128");
        }
        if ![8, 16, 32, 64].contains(&read.bits) {
            return fields.expected(bits, "8, 16, 32 or 64");
        }
        if read.padded && read.bits != 8 {
            return fields.expected(bits, "8, as padded fp4 is of bytes");
        }
        fields.one_block(5)?;
        Ok(read)
    }

    /// The number of bits of an element.
    #[must_use]
    pub fn element_bits(&self) -> u32 {
        self.bits
    }

    /// The bases over a tile of these lengths.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Nvmma;
    ///
    /// let columns = "NVMMASharedLayout(32, 32, transposed=True)";
    /// let bases = Nvmma::parse(columns).unwrap().bases(List::pair(8, 8)).unwrap();
    /// assert_eq!(bases.to_string(), "[[1, 0], [2, 0], [4, 0], [0, 1], [0, 2], [4, 4]]");
    /// ```
    ///
    /// # Errors
    ///
    /// Padded fp4, which leaves bytes empty; another rank; a length that is not a power of two; fewer elements than a swizzled line, or fewer lines than 8; a transposed tile of
    /// more than two dimensions, of which Triton's own bases leave elements out.
    pub fn bases(&self, lengths: List) -> Result<Bases, Error> {
        if self.padded {
            return Err(Error::no_form(
                "padded fp4 leaves 8 of 16 bytes empty, so it has no bases",
            ));
        }
        odd_length(lengths.as_slice())?;
        let rank = lengths.len();
        if rank as u32 != self.rank {
            let wanted = self.rank;
            return Err(Error::number(format!(
                "a layout of {wanted} dimensions, and the tile has {rank}"
            )));
        }
        let fast = self.fast(rank);
        let boxes = self.boxes(&lengths, fast)?;
        let zeros = List::of_first([0; List::CAPACITY], rank);
        let bits = |from: u32, to: u32| (from.ilog2()..to.ilog2()).map(|bit| 1 << bit);
        let mut images: Vec<List> =
            bits(1, boxes.at(fast)).map(|column| zeros.with(fast, column)).collect();
        let mut line = 1;
        for d in (0..rank).rev().filter(|d| *d != fast) {
            for index in bits(1, boxes.at(d)) {
                images.push(zeros.with(d, index).with(fast, self.moved(line)));
                line *= 2;
            }
        }
        for d in 0..rank {
            images.extend(bits(boxes.at(d), lengths.at(d)).map(|index| zeros.with(d, index)));
        }
        Ok(Bases::new(lengths, &images)?)
    }

    /// The layout of a tile of these lengths, padded fp4 included.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Nvmma;
    ///
    /// // Bytes 8 to 15 of row 1 are in chunk 1 xor 1.
    /// let fp4 = Nvmma::parse("NVMMASharedLayout(128, 8, fp4_padded=True)")?.plan(List::pair(128, 64))?;
    /// assert_eq!((fp4.offset(&[1, 9]), fp4.element_space()), (Ok(128 + 1), 128 * 128));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`bases`](Self::bases), of a padded layout those of a tile of twice the bytes; a row of fewer bytes than 8.
    pub fn plan(&self, lengths: List) -> Result<Plan, Error> {
        if !self.padded {
            return Ok(self.bases(lengths)?.plan()?);
        }
        let fast = self.fast(lengths.len());
        let length = lengths.get(fast).map_err(tiledesc::Error::Number)?;
        if !length.is_multiple_of(8) || length == 0 {
            return Err(Error::number(format!(
                "a row of {length} bytes cannot be divided into padded parts of 8"
            )));
        }
        let plain = Self { padded: false, ..*self };
        let padded = |fault: Error| match fault.kind() {
            ErrorKind::Number => {
                Error::number(format!("with 8 empty bytes behind every 8, {fault}"))
            }
            _ => fault,
        };
        let wide = lengths.with(fast, length.saturating_mul(2));
        let wide = plain.bases(wide).map_err(padded)?.plan()?;
        let parts = List::pair(length / 8, 8);
        let others = |op: Op| {
            let each = lengths.as_slice().iter().enumerate();
            let of = |(d, length): (usize, &u32)| {
                if d == fast { op } else { Op::PassThrough { length: *length } }
            };
            each.map(of).collect::<Vec<_>>()
        };
        // The part of a row and the byte in it, as a dimension behind the others, and both as one again.
        let one: Vec<[u32; 1]> = (0..lengths.len() as u32).map(|d| [d]).collect();
        let two = [fast as u32, lengths.len() as u32];
        let alone: Vec<&[u32]> = one.iter().map(|d| &d[..]).collect();
        let mut apart = alone.clone();
        apart[fast] = &two;
        let spread = Op::Embed { lengths: parts, strides: List::pair(16, 1) };
        let spread = wide.transform(&others(spread), &alone, &apart)?;
        Ok(spread.transform(&others(Op::Merge { lengths: parts }), &apart, &alone)?)
    }

    /// The contiguous dimension.
    fn fast(&self, rank: usize) -> usize {
        if self.transposed { 0 } else { rank.saturating_sub(1) }
    }

    /// The lengths of a box of a tile whose contiguous dimension is `fast`.
    fn boxes(&self, lengths: &List, fast: usize) -> Result<List, Error> {
        let mut boxes = *lengths;
        for (d, length) in lengths.as_slice().iter().enumerate() {
            boxes = boxes.with(d, BOX.min(*length));
        }
        if self.transposed && lengths.len() > 2 {
            let rank = lengths.len();
            return Err(Error::no_form(format!(
                "a transposed tile of {rank} dimensions: only one of two is read"
            )));
        }
        if self.line == 0 {
            return Ok(boxes);
        }
        let (columns, wanted) = (boxes.at(fast), self.line * 8 / self.bits);
        let lines: u32 = (0..lengths.len()).filter(|d| *d != fast).map(|d| boxes.at(d)).product();
        if columns < wanted || lines < 8 {
            return Err(Error::number(format!(
                "{lines} lines of {columns} elements: a swizzle of {} bytes has at least 8 lines of {wanted}",
                self.line
            )));
        }
        Ok(boxes.with(fast, wanted))
    }

    /// The number of elements by which a bit of the line's number moves chunks.
    fn moved(&self, line: u32) -> u32 {
        if self.line == 0 || line >= 8 {
            return 0;
        }
        let (lines_per_phase, chunks) = (128 / self.line, self.line / 16);
        line / lines_per_phase % chunks * (128 / self.bits)
    }
}

impl core::fmt::Display for Nvmma {
    /// Prints the layout as the IR does.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { line, bits, transposed, padded, rank } = self;
        write!(
            f,
            "#ttg.nvmma_shared<{{swizzlingByteWidth = {line}, transposed = {transposed}, elementBitWidth = {bits}"
        )?;
        if *padded {
            f.write_str(", fp4Padded = true")?;
        }
        match rank {
            2 => f.write_str("}>"),
            _ => write!(f, ", rank = {rank}}}>"),
        }
    }
}
