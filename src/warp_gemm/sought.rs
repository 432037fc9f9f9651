//! The matrix instruction of a shape: the question that is compared with every row of a chip, and the best answer so far.

use super::row::{On, held};
use crate::distribution::{Distribution, DistributionError, Encoding, NoMatrix, OperandOf};
use crate::matrix::kind::takes;
use tiledesc_transforms::attempt;

/// The operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    A,
    B,
    C,
}

/// The operand that is sought, and the best instruction so far: the one with the most of k.
#[derive(Clone, Copy)]
pub(super) struct Sought {
    operand: Of,
    bits: u32,
    fault: NoMatrix,
    pub(super) best: Option<Found>,
}

/// An instruction, and who holds the operand of it.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) name: &'static str,
    held: &'static Encoding,
    on: On,
    k: u32,
    /// Whether a lane holds its k of A and of B in one piece.
    in_one_piece: bool,
}

impl Found {
    /// The instruction whose operand it is: shapes alone are on more chips than the one that was found.
    pub(super) const fn operand_of(&self) -> OperandOf {
        OperandOf::of_any(self.name, self.on.chips())
    }
}

impl Sought {
    /// The question before any row was compared.
    pub(super) const fn new(
        chip: &'static str,
        element: &'static str,
        bits: u32,
        operand: Of,
        [m, n, k]: [u32; 3],
    ) -> Self {
        let known = [[0; 3]; NoMatrix::MOST];
        let k = match operand {
            Of::C => None,
            Of::A | Of::B => Some(k),
        };
        let fault = NoMatrix { chip, element, m, n, k, known };
        Self { operand, bits, fault, best: None }
    }

    /// Returns whether a row is on the chip and of the element.
    pub(super) const fn may_be(&self, name: &str, on: On, [from, to]: [u32; 2]) -> bool {
        match self.operand {
            Of::C => to == self.bits && on.has(self.fault.chip),
            Of::A | Of::B => {
                from == self.bits && on.has(self.fault.chip) && takes(name, self.fault.element)
            }
        }
    }

    /// The best with a further row. Of several blocks an operand has three dimensions, and is none of these.
    pub(super) const fn or<A: Distribution, B: Distribution, C: Distribution>(
        mut self,
        name: &'static str,
        on: On,
    ) -> Self {
        let (a, b, c) = (held::<A>(), held::<B>(), held::<C>());
        if c.rank() != 2 {
            return self;
        }
        let (m, n, k) = (c.lengths().at(0), c.lengths().at(1), a.lengths().at(1));
        self.note([m, n, k]);
        let is_better = match &self.best {
            Some(best) => k > best.k,
            None => true,
        };
        let divides = match self.fault.k {
            Some(whole) => whole > 0 && whole.is_multiple_of(k),
            None => true,
        };
        if m == self.fault.m && n == self.fault.n && divides && is_better {
            let held = match self.operand {
                Of::A => a,
                Of::B => b,
                Of::C => c,
            };
            let in_one_piece = a.tail(1) == a.elements() && b.tail(1) == b.elements();
            self.best = Some(Found { name, held, on, k, in_one_piece });
        }
        self
    }

    /// A shape that there is, once.
    const fn note(&mut self, [m, n, k]: [u32; 3]) {
        let (count, is_of_k, mut i) = (self.fault.count(), self.fault.k.is_some(), 0);
        while i < count {
            let known = self.fault.known[i];
            if known[0] as u32 == m && known[1] as u32 == n && (!is_of_k || known[2] as u32 == k) {
                return;
            }
            i += 1;
        }
        if count < NoMatrix::MOST {
            self.fault.known[count] = [m as u16, n as u16, k as u16];
        }
    }

    /// The best, or what there is instead.
    pub(super) const fn found(&self) -> Result<Found, DistributionError> {
        match self.best {
            Some(found) => Ok(found),
            None => Err(DistributionError::NoMatrix(self.fault)),
        }
    }

    /// The number of instructions along k.
    pub(super) const fn times(&self) -> u32 {
        match (&self.best, self.fault.k) {
            (Some(found), Some(k)) => k / found.k,
            (Some(_), None) => 1,
            (None, _) => 0,
        }
    }

    /// Who holds it: neighbours of k of several instructions are one piece where those of one are, so that one read
    /// brings them, as in [`MatrixInstruction::feed_of`](super::MatrixInstruction::feed_of).
    pub(super) const fn encoding(&self) -> Result<Encoding, DistributionError> {
        let found = attempt!(self.found());
        let times = self.times();
        if times == 1 {
            return Ok(*found.held);
        }
        let along_k =
            attempt!(Encoding::ck(&[], &[&[1], &[times]], (&[&[]], &[&[]]), (&[2], &[0])));
        if found.in_one_piece { found.held.around(&along_k) } else { along_k.around(found.held) }
    }
}
