//! A matrix instruction of a chip: who holds its operands, and which reads of LDS bring them.
//!
//! ```text
//!   gfx942, v_mfma_f32_32x32x8_f16    A: lane = (part of k, row), 4 halves of k   one ds_read_b64
//!                                     two of them along k, 8 halves              one ds_read_b128 for both
//! ```
//!
//! What the reads are is not a list: it follows from how many neighbours of k a lane holds, from the width of an
//! element, and from the rows of the chip.

use super::row::InstructionRow;
use super::{amd, nvidia};
use crate::chip::fragments::Fragments;
use crate::chip::instruction::{Access, Instruction};
use crate::chip::{CHIPS, Chip};
use crate::distribution::{DistributionError, Encoding, ProductSteps, product};
use crate::element::ElementName;
use crate::matrix::kind::{takes, takes_b};
use tiledesc_transforms::attempt;

/// An operand of a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The first factor, m by k.
    A,
    /// The second factor, n by k.
    B,
}

fn rows() -> impl Iterator<Item = &'static InstructionRow> {
    let wgmma = nvidia::WGMMA.iter().chain(nvidia::WGMMA_OF_INTEGERS).copied().flatten();
    amd::MFMA.iter().chain(amd::WMMA).chain(nvidia::MMA).chain(wgmma)
}

/// A matrix instruction of a chip.
///
/// ```
/// use tiledesc::chip::gfx942;
/// use tiledesc::matrix::mfma;
/// use tiledesc::prelude::*;
/// use tiledesc::warp_gemm::{self, Operand};
///
/// let mfma = warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16")?;
/// assert_eq!((mfma.m(), mfma.n(), mfma.k(), mfma.blocks()), (32, 32, 8, 1));
/// assert_eq!(mfma.a(), &mfma::F16_32x32x8::A::ENCODING?);
/// // 4 halves a lane; of two along k, 8.
/// let feed = mfma.feed(Operand::A).unwrap();
/// assert_eq!((feed.instruction().name(), feed.times()), ("ds_read_b64", 1));
/// assert_eq!(mfma.feed_of(Operand::A, 2).unwrap().instruction().name(), "ds_read_b128");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixInstruction {
    chip: Chip,
    row: &'static InstructionRow,
}

/// The reads of LDS that bring an operand to its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feed {
    instruction: &'static Instruction,
    times: u32,
}

impl Feed {
    /// The read: a row of the chip.
    #[must_use]
    pub const fn instruction(&self) -> &'static Instruction {
        self.instruction
    }

    /// The number of times that a wave issues it for one operand.
    #[must_use]
    pub const fn times(&self) -> u32 {
        self.times
    }
}

/// The dense matrix instructions of a chip.
///
/// ```
/// use tiledesc::chip::{gfx950, gfx1030, sm_80};
/// use tiledesc::warp_gemm;
///
/// assert_eq!(warp_gemm::instructions(&gfx950).filter(|row| row.k() >= 64).count(), 7);
/// let first = warp_gemm::instructions(&sm_80).next().unwrap();
/// assert_eq!(first.name(), "mma.m16n8k8.f32.f16.f16.f32");
/// assert_eq!(warp_gemm::instructions(&gfx1030).count(), 0);
/// ```
pub fn instructions(chip: &Chip) -> impl Iterator<Item = MatrixInstruction> + use<> {
    let chip = *chip;
    rows()
        .filter(move |row| row.on.has(chip.name()))
        .map(move |row| MatrixInstruction { chip, row })
}

/// The matrix instruction of a chip with this name. PTX's `.sync.aligned` and `.row.col` may be left out.
///
/// ```
/// use tiledesc::chip::{gfx942, sm_80};
/// use tiledesc::warp_gemm;
///
/// let mma = warp_gemm::find(&sm_80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")?;
/// assert_eq!((mma.m(), mma.n(), mma.k()), (16, 8, 16));
/// assert_eq!(
///     warp_gemm::find(&gfx942, "v_mfma_f32_32x32x16_f16").unwrap_err().to_string(),
///     "gfx942 has no matrix instruction v_mfma_f32_32x32x16_f16; gfx950 has it",
/// );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`NoMatrixInstruction`].
pub fn find<'n>(chip: &Chip, name: &'n str) -> Result<MatrixInstruction, NoMatrixInstruction<'n>> {
    let found = instructions(chip).find(|row| is_named(row.name(), name));
    found.ok_or(NoMatrixInstruction { chip: chip.name(), name })
}

/// Returns whether a row's name is this one, without the part that all instructions of its kind have.
fn is_named(row: &str, name: &str) -> bool {
    let said = |part: &&str| !matches!(*part, "sync" | "aligned" | "mma_async" | "row" | "col");
    row.split('.').filter(said).eq(name.split('.').filter(said))
}

/// A chip has no matrix instruction of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMatrixInstruction<'n> {
    /// The chip.
    pub chip: &'static str,
    /// The name.
    pub name: &'n str,
}

impl core::fmt::Display for NoMatrixInstruction<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { chip, name } = self;
        write!(f, "{chip} has no matrix instruction {name}")?;
        let others = CHIPS.iter().filter(|other| find(other, name).is_ok()).map(Chip::name);
        let mut count = 0;
        for other in others {
            write!(f, "{}{other}", if count == 0 { "; " } else { ", " })?;
            count += 1;
        }
        f.write_str(match count {
            0 => "",
            1 => " has it",
            _ => " have it",
        })
    }
}

impl core::error::Error for NoMatrixInstruction<'_> {}

// Shapes and operands.
impl MatrixInstruction {
    /// The mnemonic: of AMD as the chip's assembler writes it, of NVIDIA without `.sync.aligned` and `.row.col`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.row.name
    }

    /// The chip.
    #[must_use]
    pub const fn chip(&self) -> &Chip {
        &self.chip
    }

    /// Rows of A and of C, in a block.
    #[must_use]
    pub fn m(&self) -> u32 {
        let lengths = self.c().lengths();
        lengths.at(lengths.len() - 2)
    }

    /// Columns of B and of C, in a block.
    #[must_use]
    pub fn n(&self) -> u32 {
        let lengths = self.c().lengths();
        lengths.at(lengths.len() - 1)
    }

    /// Columns of A and rows of B.
    #[must_use]
    pub fn k(&self) -> u32 {
        let lengths = self.a().lengths();
        lengths.at(lengths.len() - 1)
    }

    /// The number of products that it makes at once. The operands of several have the block as their first dimension.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        let lengths = self.c().lengths();
        if lengths.len() > 2 { lengths.at(0) } else { 1 }
    }

    /// The holders of A, m by k; of `wgmma`, if it is given in registers.
    #[must_use]
    pub const fn a(&self) -> &'static Encoding {
        self.row.a
    }

    /// The holders of B, n by k; `None` of `wgmma`, which reads it from shared memory by itself.
    #[must_use]
    pub const fn b(&self) -> Option<&'static Encoding> {
        self.row.b
    }

    /// The holders of C and D, m by n.
    #[must_use]
    pub const fn c(&self) -> &'static Encoding {
        self.row.c
    }

    /// The holders of C and D, m by n, of swapped operands: B given for A, and A for B. A lane's neighbours are along n then.
    /// `None` of `mma` and `wgmma`, whose operands have different shapes.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::warp_gemm;
    ///
    /// let mfma = warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16")?;
    /// assert_eq!(mfma.c().coordinate(0, 33, 6)?, [8 + 4 + 2, 1]);
    /// assert_eq!(mfma.swapped_c().unwrap().coordinate(0, 33, 6)?, [1, 8 + 4 + 2]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn swapped_c(&self) -> Option<&'static Encoding> {
        self.row.swapped_c
    }

    /// The holders of an operand; `None` if the instruction reads it from memory by itself.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, sm_90};
    /// use tiledesc::warp_gemm::{self, Operand};
    ///
    /// let mfma = warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16")?;
    /// let b = mfma.operand(Operand::B).unwrap();
    /// // 4 neighbours of k a lane: lane 33 has those from 4 on, of column 1.
    /// assert_eq!((b.elements(), b.coordinate(0, 33, 0)?.as_slice()), (4, &[1, 4][..]));
    /// let wgmma = warp_gemm::find(&sm_90, "wgmma.m64n256k16.f32.f16.f16")?;
    /// assert_eq!(wgmma.operand(Operand::B), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn operand(&self, operand: Operand) -> Option<&'static Encoding> {
        match operand {
            Operand::A => Some(self.row.a),
            Operand::B => self.row.b,
        }
    }

    /// Returns whether an operand may be of such elements; one of the user's own counts by its width.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    /// use tiledesc::warp_gemm::{self, Operand};
    /// use tiledesc::ELEMENTS;
    ///
    /// let of = |code| ELEMENTS.iter().find(|one| one.code == code).unwrap();
    /// let mfma = warp_gemm::find(&gfx950, "v_mfma_f32_32x32x16_f16")?;
    /// assert!(mfma.takes(Operand::A, of("F16")));
    /// assert!(!mfma.takes(Operand::A, of("BF16")));
    /// let mfma = warp_gemm::find(&gfx950, "v_mfma_f32_16x16x128_f8f6f4")?;
    /// assert!(mfma.takes(Operand::B, of("F4")));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn takes(&self, operand: Operand, element: &ElementName) -> bool {
        let name = self.row.name;
        let is_of_kind = match operand {
            Operand::A => takes(name, element.code),
            Operand::B => takes_b(name, element.code),
        };
        // Instructions of 8, 6 and 4 bits have one row, of 8.
        let is_narrow = matches!(element.bits, 4 | 6) && self.row.bits[operand as usize] == 8;
        is_of_kind && (is_narrow || element.bits == self.row.bits[operand as usize])
    }

    /// Returns who holds the product of what lanes hold of A, m by k, and of B, n by k, and the instructions of a wave that
    /// make it: as [`product!`](crate::product!), with data.
    ///
    /// ```
    /// use tiledesc::{chip::sm_80, matrix::mma, prelude::*, warp_gemm};
    ///
    /// let mma = warp_gemm::find(&sm_80, "mma.m16n8k16.f32.f16.f16.f32").unwrap();
    /// // 32 of k: two instructions, each with 8 elements of A and 4 of B.
    /// let (sums, steps) = mma.product(&mma::A::<U32, U2>::ENCODING?, &mma::B::<U32, U2>::ENCODING?)?;
    /// assert_eq!(sums.lengths(), mma::C::ENCODING?.lengths());
    /// assert!(steps.iter().eq([[0, 0, 0], [8, 4, 0]]));
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::Product`], and [`DistributionError`] of tiles that the factors do not divide.
    pub const fn product(
        &self,
        a: &Encoding,
        b: &Encoding,
    ) -> Result<(Encoding, ProductSteps), DistributionError> {
        product(a, b, &attempt!(self.row.operands(false)))
    }

    /// [`product`](Self::product) by an instruction that is given B for A and A for B, so that a lane's neighbours are along n.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, matrix::mfma::F16_32x32x8, prelude::*, warp_gemm};
    ///
    /// let mfma = warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16").unwrap();
    /// let (sums, _) = mfma.swapped_product(&F16_32x32x8::A::ENCODING?, &F16_32x32x8::B::ENCODING?)?;
    /// assert_eq!(sums.coordinate(0, 33, 6)?, [1, 8 + 4 + 2]);
    /// # Ok::<(), tiledesc::distribution::DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`product`](Self::product); also of an instruction whose operands [cannot be swapped](Self::swapped_c).
    pub const fn swapped_product(
        &self,
        a: &Encoding,
        b: &Encoding,
    ) -> Result<(Encoding, ProductSteps), DistributionError> {
        product(a, b, &attempt!(self.row.operands(true)))
    }

    /// Bits of an element of A, of B and of C.
    #[must_use]
    pub const fn bits(&self) -> [u32; 3] {
        self.row.bits
    }
}

// What feeds it.
impl MatrixInstruction {
    /// The reads that bring an operand from a tile whose neighbours along k are contiguous: `ldmatrix` where the
    /// operand is made of its fragments, else the widest read of the chip that a lane's neighbours fill.
    ///
    /// The pattern of a verdict is the operand's distribution, laid over the tile
    /// ([`Lanes::distributed`](crate::pattern::Lanes::distributed)), whichever the read is; by `ldmatrix` lanes give the
    /// addresses of [other rows](Instruction::addresses_of).
    ///
    /// `None` if the instruction reads the operand from memory by itself.
    ///
    /// ```
    /// use tiledesc::chip::{gfx950, gfx1100, sm_80};
    /// use tiledesc::warp_gemm::{self, MatrixInstruction, Operand};
    ///
    /// fn fed(matrix: MatrixInstruction) -> (&'static str, u32) {
    ///     let feed = matrix.feed(Operand::B).unwrap();
    ///     (feed.instruction().name(), feed.times())
    /// }
    /// assert_eq!(fed(warp_gemm::find(&gfx950, "v_mfma_f32_32x32x16_f16")?), ("ds_read_b128", 1));
    /// assert_eq!(fed(warp_gemm::find(&gfx1100, "v_wmma_f32_16x16x16_f16")?), ("ds_read_b128", 2));
    /// assert_eq!(fed(warp_gemm::find(&sm_80, "mma.m16n8k16.f32.f16.f16.f32")?), ("ldmatrix.x2", 1));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn feed(&self, operand: Operand) -> Option<Feed> {
        self.handed(operand, Fragments::keeps_rows).or_else(|| self.feed_of(operand, 1))
    }

    /// The reads of an operand of several such instructions along k, whose lanes hold as many times the neighbours (CK
    /// Tile's `IterateK`), so that one read may feed several. The chip's plain reads: no `ldmatrix`. `None` also of no
    /// instruction, and of more than have 2^32 bits.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::warp_gemm::{self, Operand};
    ///
    /// let fp8 = warp_gemm::find(&gfx942, "v_mfma_f32_16x16x32_fp8_fp8")?;
    /// let [one, two] = [1, 2].map(|count| fp8.feed_of(Operand::A, count).unwrap());
    /// assert_eq!((one.instruction().name(), one.times()), ("ds_read_b64", 1));
    /// assert_eq!((two.instruction().name(), two.times()), ("ds_read_b128", 1));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn feed_of(&self, operand: Operand, instructions: u32) -> Option<Feed> {
        let held = self.operand(operand)?;
        let k = held.rank() - 1;
        let bits = self.bits()[operand as usize];
        let all = (held.elements() * bits).checked_mul(instructions).filter(|all| *all > 0)?;
        // Neighbours of one instruction join those of the next only where a lane holds them all in one piece.
        let in_one_piece = held.tail(k) == held.elements();
        let neighbours = if in_one_piece { all } else { held.tail(k) * bits };
        let reads = self.chip.rows().iter().filter(|row| {
            let plain = matches!(row.access(), Access::Read) && row.parts() == 1;
            plain && !row.needs_whole_wave() && neighbours.is_multiple_of(8 * row.bytes())
        });
        let wider = |best: Option<&'static Instruction>, row| match best {
            Some(best) if best.bytes() >= Instruction::bytes(row) => Some(best),
            _ => Some(row),
        };
        let instruction = reads.fold(None, wider)?;
        Some(Feed { instruction, times: all / (8 * instruction.bytes()) })
    }

    /// The reads that bring an operand from a tile whose neighbours along m, or n of B, are contiguous, if the chip has
    /// reads that transpose: `ds_read_b64_tr_b16` and its like, `ldmatrix` with `.trans`.
    ///
    /// ```
    /// use tiledesc::chip::{gfx942, gfx950, sm_80};
    /// use tiledesc::warp_gemm::{self, Operand};
    ///
    /// let name = "v_mfma_f32_32x32x8_f16";
    /// let feed = warp_gemm::find(&gfx950, name)?.transposed_feed(Operand::A).unwrap();
    /// assert_eq!((feed.instruction().name(), feed.times()), ("ds_read_b64_tr_b16", 1));
    /// assert_eq!(warp_gemm::find(&gfx942, name)?.transposed_feed(Operand::A), None);
    /// let feed = warp_gemm::find(&sm_80, "mma.m16n8k16.f32.f16.f16.f32")?.transposed_feed(Operand::B).unwrap();
    /// assert_eq!(feed.instruction().name(), "ldmatrix.x2.trans");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn transposed_feed(&self, operand: Operand) -> Option<Feed> {
        self.handed(operand, Fragments::transposes)
    }

    /// The widest read of the chip that hands the operand round in such a way.
    fn handed(&self, operand: Operand, how: impl Fn(Fragments) -> bool) -> Option<Feed> {
        let (held, bits) = (self.operand(operand)?, self.bits()[operand as usize]);
        let reads = self.chip.rows().iter().filter(|row| {
            let is_read = matches!(row.access(), Access::Read);
            is_read && how(row.fragments()) && row.addresses_of(held, bits).is_some()
        });
        let moved = |row: &Instruction| row.bytes() * row.service().phases.addressed() as u32;
        let instruction = reads.max_by_key(|row| moved(row))?;
        let all = held.elements() * held.lanes() * bits / 8;
        Some(Feed { instruction, times: all / moved(instruction) })
    }
}
