//! Who gives the address of what a lane gets, where an instruction hands it round.
//!
//! By `ldmatrix` a lane gets 4 of the 16 bytes that it names. What it gets is the operand of an `mma`, and what it names
//! follows from that: the same factors, owned by others.
//!
//! ```text
//!   A of m16n8k16      m [half 2, row 8], k [deep 2, quad 4, pair 2]
//!   held               lane (row, quad),        thread (deep, half, pair)
//!   by ldmatrix.x4     lane (deep, half, row),  thread (quad, pair)          lane 9 names (1, 8) to (1, 15)
//!   by the transposed  lane (deep, half, quad, pair),  thread (row)
//! ```
//!
//! Which digits change their owner is the instruction's ([`Shares`](super::shares)); a factor that is only
//! partly such a digit is cut into two.

use super::draft::{Draft, Misfit, misfit};
use super::encoding::{Encoding, Factor};
use super::fault::Owner;
use super::shares::{Share, Shares};
use tiledesc_transforms::{any, attempt, down, range};

/// A part of a factor of lanes or elements: the digit of its owner's number that it is.
#[derive(Clone, Copy)]
struct Piece {
    owner: u32,
    below: u32,
    length: u32,
}

impl Piece {
    const fn is_of(&self, share: &Share) -> bool {
        self.owner == owner(share) as u32
            && self.below >= share.below
            && self.below < share.below * share.length
    }
}

const fn owner(share: &Share) -> Owner {
    if share.of_lane { Owner::Lane } else { Owner::Thread }
}

/// The factors cut where digits end.
struct Cut<'a> {
    shares: &'a Shares,
    draft: Draft,
    pieces: [Piece; Encoding::MOST_FACTORS],
    count: usize,
}

impl Encoding {
    /// Returns who gives the addresses of what lanes hold, `pack` elements at each, and the dimension along which these
    /// lie; `None` if no dimension has such packs. An instruction that hands elements round needs all lanes, and takes
    /// no mask.
    pub(crate) const fn addressed_by(&self, shares: &Shares, pack: u32) -> Option<(Self, usize)> {
        if !self.cover.is_whole() {
            return None;
        }
        let Ok(addresses) = self.with_owners(shares) else { return None };
        down!(dimension, 0..self.rank, {
            if addresses.has_vectors(dimension, pack) {
                return Some((addresses, dimension));
            }
        });
        None
    }

    /// Returns what lanes hold of what these address, `pack` elements at each address: the way back.
    pub(crate) const fn received_by(&self, shares: &Shares, pack: u32) -> Option<Self> {
        if !self.cover.is_whole() || !self.elements().is_multiple_of(pack) {
            return None;
        }
        if let Ok(held) = self.with_owners(&shares.reversed()) { Some(held) } else { None }
    }

    const fn with_owners(&self, shares: &Shares) -> Result<Self, Misfit> {
        let none = Piece { owner: 0, below: 1, length: 1 };
        let pieces = [none; Self::MOST_FACTORS];
        let mut cut = Cut { shares, draft: Draft::new(), pieces, count: 0 };
        let mut at = 0;
        range!(group, 0..self.rank + 1, {
            if group > 0 {
                attempt!(cut.draft.dimension(self.dimensions[group - 1]) => misfit);
            }
            while at < self.begin(group + 1) {
                let (factor, next) = self.joined(at, self.begin(group + 1));
                attempt!(cut.factor(&factor));
                at = next;
            }
        });
        cut.owned()
    }

    /// A factor with those after it that are the next digits of its dimension and of its owner, for these may be cut
    /// elsewhere; and the one after them.
    const fn joined(&self, at: usize, end: usize) -> (Factor, usize) {
        let (mut factor, mut next) = (self.factors[at], at + 1);
        while next < end
            && (self.factors[next].length == 1 || factor.continues(&self.factors[next]))
        {
            let faster = self.factors[next];
            if faster.length > 1 {
                factor = Factor { length: factor.length * faster.length, ..faster };
            }
            next += 1;
        }
        (factor, next)
    }
}

impl Cut<'_> {
    /// A factor, cut into the digits that it is.
    const fn factor(&mut self, factor: &Factor) -> Result<(), Misfit> {
        let Factor { name, length, owner, below, .. } = *factor;
        let mut end = below as u64 * length as u64;
        loop {
            let start = self.last_end(owner, below as u64, end);
            // A digit that ends within it, and at none of its own.
            if !end.is_multiple_of(start) {
                return Err(Misfit);
            }
            let length = (end / start) as u32;
            attempt!(self.draft.factor(name, Ok(length)) => misfit);
            self.pieces[self.count] = Piece { owner, below: start as u32, length };
            self.count += 1;
            if start == below as u64 {
                return Ok(());
            }
            end = start;
        }
    }

    /// The last beginning or end of an owner's digit within a range of its number, or the range's beginning.
    const fn last_end(&self, of: u32, begin: u64, end: u64) -> u64 {
        let mut last = begin;
        range!(i, 0..Shares::COUNT, {
            let share = self.shares.at(i);
            let limits = [share.below as u64, share.below as u64 * share.length as u64];
            range!(side, 0..2, {
                if of == owner(share) as u32 && last < limits[side] && limits[side] < end {
                    last = limits[side];
                }
            });
        });
        last
    }

    /// The pieces with the owners that the instruction gives them.
    const fn owned(mut self) -> Result<Encoding, Misfit> {
        attempt!(self.claim_rest(Owner::Wave));
        attempt!(self.claim_rest(Owner::Thread));
        // An owner lists its slowest first.
        down!(i, 0..Shares::COUNT, { attempt!(self.claim(i)) });
        Ok(attempt!(self.draft.finish() => misfit))
    }

    /// The pieces that are not a digit of one instruction, slowest first: waves, and elements of further ones.
    const fn claim_rest(&mut self, of: Owner) -> Result<(), Misfit> {
        let mut above = u64::MAX;
        while let Some(at) = self.slowest(of as u32, above) {
            if !any!(i, 0..Shares::COUNT, self.pieces[at].is_of(self.shares.at(i))) {
                attempt!(self.draft.claim(of, at) => misfit);
            }
            above = self.pieces[at].below as u64;
        }
        Ok(())
    }

    /// The pieces of a share, slowest first, which is a digit of the address or of the elements.
    const fn claim(&mut self, i: usize) -> Result<(), Misfit> {
        let share = *self.shares.at(i);
        let to = if i < self.shares.elements.len() { Owner::Thread } else { Owner::Lane };
        let mut above = share.below as u64 * share.length as u64;
        while let Some(at) = self.slowest(owner(&share) as u32, above) {
            if !self.pieces[at].is_of(&share) {
                break;
            }
            attempt!(self.draft.claim(to, at) => misfit);
            above = self.pieces[at].below as u64;
        }
        Ok(())
    }

    /// The slowest piece of an owner below a place of its number.
    const fn slowest(&self, of: u32, above: u64) -> Option<usize> {
        let (mut slowest, mut below) = (None, 0);
        range!(i, 0..self.count, {
            let piece = &self.pieces[i];
            let at = piece.below as u64;
            if piece.owner == of && piece.length > 1 && at < above && at >= below {
                (slowest, below) = (Some(i), at);
            }
        });
        slowest
    }
}
