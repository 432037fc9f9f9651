//! Kinds of access: which bits of a tile's element are contiguous, and which row a lane addresses.
//!
//! A plain load moves what is at one lane's address. `ldmatrix` and AMD's transposed reads do not: a lane gives the
//! address of a row, and gets elements of the rows of others. For a conversion all of them are one thing: some
//! registers and lanes whose elements are contiguous, and the lanes and registers that address:
//! | | contiguous bits, the lowest first | bits of the addressing lane |
//! |---|---|---|
//! | plain, 2^v elements | v of registers, any | those of the lane |
//! | `ldmatrix`, `stmatrix` | registers of a dword, any; lanes 0, 1 | lanes 2, 3, 4, then registers, one for twice as many matrices |
//! | the same, `.trans` | registers of 16 bits, any; lanes 2, 3, 4 | a register, lanes 0, 1, then as above |
//! | `ds_read_b64_tr_bU`, 2^k units a lane | registers of a unit, any; lanes 0 to k - 1 | lanes k to 3, k registers, lanes 4, 5 |
//!
//! With 16 registers of one half each, in 64 lanes on gfx942, `ds_write_b128` has 3 contiguous register bits, and 2
//! instructions move all 16: 16 cycles without conflicts.
//!
//! Sources: PTX ISA, `ldmatrix` and `stmatrix`, fragment layouts of 8x8 matrices; AMD CDNA4 ISA, DS instructions with
//! transpose, as LLVM's and Triton's tests use them. `.trans` moves units of 16 bits: bytes in pairs within one half of
//! a dword are moved together.

use super::held::Held;
use tiledesc::chip::{Access, Instruction, Service};

/// The meaning of a bit of the addressing lane's number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// A bit that brings this number.
    Brings(u32),
    /// A register bit that is yet to be chosen.
    Register,
}

/// An instruction row for a tile that is held so.
pub(super) struct Kind<'i> {
    pub(super) row: &'i Instruction,
    /// The row's phases: merged ones where lanes agree in pairs.
    pub(super) service: &'i Service,
    /// Contiguous bits that are registers of one lane.
    pub(super) packing: usize,
    /// The contiguous bits above them.
    pub(super) fixed: Vec<u32>,
    pub(super) slots: Vec<Slot>,
    /// Instructions of one wave.
    pub(super) instructions: u32,
}

/// The way in which an instruction moves the elements of a lane.
enum Movement {
    Plain,
    /// 2^`doublings` matrices of 8 rows of 16 bytes.
    Matrices {
        doublings: usize,
        transposed: bool,
    },
    /// Rows of 16 lanes, in units of the given width in bits.
    Transposed {
        unit: u32,
    },
}

impl Movement {
    /// Returns the movement of a row; `None` if no conversion uses the row.
    fn from_row(row: &Instruction) -> Option<Self> {
        if !row.needs_whole_wave() {
            let one = row.parts() == 1 && row.bytes() == row.alignment();
            return one.then_some(Self::Plain);
        }
        let doublings = |text: &str| ["1", "2", "4"].iter().position(|count| *count == text);
        let name = row.name();
        if let Some(unit) = name.strip_prefix("ds_read_b64_tr_b") {
            return unit.parse().ok().map(|unit| Self::Transposed { unit });
        }
        let rest = name.strip_prefix("ldmatrix.x").or_else(|| name.strip_prefix("stmatrix.x"))?;
        let (count, transposed) = match rest.strip_suffix(".trans") {
            Some(count) => (count, true),
            None => (rest, false),
        };
        doublings(count).map(|doublings| Self::Matrices { doublings, transposed })
    }

    /// The contiguous bits that are registers', those that are lanes', and the addressing ones: the table of the module.
    fn bits(
        &self,
        row: &Instruction,
        lanes: &[u32],
        bits: u32,
    ) -> Option<(usize, Vec<u32>, Vec<Slot>)> {
        let brings = |lanes: &[u32]| lanes.iter().copied().map(Slot::Brings).collect::<Vec<_>>();
        let registers = |count| vec![Slot::Register; count];
        Some(match *self {
            Self::Plain => (log(8 * row.bytes(), bits)?, Vec::new(), brings(lanes)),
            // A matrix has 8 rows of 4 dwords, of 32 lanes; a row of transposed units 16 lanes.
            Self::Matrices { .. } if lanes.len() != 5 => return None,
            Self::Transposed { .. } if lanes.len() < 4 => return None,
            Self::Matrices { doublings, transposed: false } => {
                let slots = [brings(&lanes[2..]), registers(doublings)];
                (log(32, bits)?, lanes[..2].to_vec(), slots.concat())
            }
            Self::Matrices { doublings, transposed: true } => {
                let slots = [registers(1), brings(&lanes[..2]), registers(doublings)];
                (log(16, bits)?, lanes[2..].to_vec(), slots.concat())
            }
            Self::Transposed { unit } => {
                let units = log(64, unit)?;
                let slots = [brings(&lanes[units..4]), registers(units), brings(&lanes[4..])];
                (log(unit, bits)?, lanes[..units].to_vec(), slots.concat())
            }
        })
    }
}

/// Bits of a number of elements that `bits` bits are in `of` bits; `None` if they are not whole.
fn log(of: u32, bits: u32) -> Option<usize> {
    (of >= bits).then(|| (of / bits).trailing_zeros() as usize)
}

impl<'i> Kind<'i> {
    /// Returns the kind of a row, for elements of `bits` bits; `None` if the row does not move what is held so.
    pub(super) fn new(row: &'i Instruction, held: &Held, bits: u32) -> Option<Self> {
        let lanes = held.lanes();
        if row.service().phases.wave() != 1 << lanes.len() {
            return None;
        }
        let agree = |bit: usize| lanes.get(bit) == Some(&0);
        let merged = row.merged().is_some() && (agree(0) || agree(1));
        let service = row.served(merged);
        service.phases.lane_masks()?;
        let (packing, fixed, slots) = Movement::from_row(row)?.bits(row, lanes, bits)?;
        if fixed.contains(&0) {
            return None;
        }
        let registers = slots.iter().filter(|slot| **slot == Slot::Register).count();
        let rounds = held.registers().len().checked_sub(packing + registers)?;
        let instructions = 1u32.checked_shl(rounds as u32)?;
        Some(Self { row, service, packing, fixed, slots, instructions })
    }

    /// The contiguous bit `i`, if the kind fixes it.
    pub(super) fn fixed_at(&self, i: usize) -> Option<u32> {
        i.checked_sub(self.packing).and_then(|i| self.fixed.get(i).copied())
    }

    /// Contiguous bits.
    pub(super) fn width(&self) -> usize {
        self.packing + self.fixed.len()
    }

    /// Cycles of a wave, without conflicts.
    pub(super) fn cycles(&self) -> u64 {
        u64::from(self.instructions) * self.service.phases.count() as u64
    }

    /// Returns whether the same layouts serve both, as far as vectors go.
    fn is_like(&self, other: &Self) -> bool {
        self.packing == other.packing && self.fixed == other.fixed
    }

    fn is_better(&self, other: &Self) -> bool {
        (self.cycles(), self.instructions) < (other.cycles(), other.instructions)
    }
}

/// The kinds of one side: the cheapest of each form.
pub(super) fn kinds<'i>(
    rows: impl IntoIterator<Item = &'i Instruction>,
    access: Access,
    held: &Held,
    bits: u32,
) -> Vec<Kind<'i>> {
    let mut kinds: Vec<Kind<'i>> = Vec::new();
    let rows = rows.into_iter().filter(|row| row.access() == access);
    for kind in rows.filter_map(|row| Kind::new(row, held, bits)) {
        match kinds.iter_mut().find(|known| known.is_like(&kind)) {
            Some(known) if kind.is_better(known) => *known = kind,
            Some(_) => {}
            None => kinds.push(kind),
        }
    }
    kinds
}

/// Returns whether a row is one of AMD's transposed reads, whose phases nobody has measured.
pub(super) fn is_transposed_read(row: &Instruction) -> bool {
    matches!(Movement::from_row(row), Some(Movement::Transposed { .. }))
}
