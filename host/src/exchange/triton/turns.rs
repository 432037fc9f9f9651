//! A tile in which the bits of registers, lanes and warps take turns: what every kind of register layout is made of.

use super::Registers;
use crate::Error;
use tiledesc::List;

/// A tile in which the bits of registers, lanes and warps take turns, the fastest first.
pub(super) struct Turns {
    /// The owner of each bit and the dimension along which it counts; `None` where it brings nothing.
    bits: Vec<(Owner, Option<usize>)>,
    /// Where, of those bits, the registers of a larger tile come along a dimension; of others after all.
    filled: Vec<(usize, usize)>,
    /// The dimensions, in the order in which a larger tile repeats this one.
    pub(super) order: Vec<usize>,
    /// The dimensions that slices have dropped; the tile has one index of each.
    pub(super) sliced: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Register,
    Lane,
    Warp,
}

impl Turns {
    pub(super) fn new(order: impl IntoIterator<Item = usize>) -> Self {
        let order = order.into_iter().collect();
        Self { bits: Vec::new(), filled: Vec::new(), order, sliced: Vec::new() }
    }

    /// So many of an owner, along a dimension.
    pub(super) fn with(
        mut self,
        owner: Owner,
        count: u32,
        along: impl Into<Option<usize>>,
    ) -> Self {
        let along = along.into();
        self.bits.extend((0..count.ilog2()).map(|_| (owner, along)));
        self
    }

    /// As many registers along a dimension as the tile has room for.
    pub(super) fn filled(mut self, along: usize) -> Self {
        self.filled.push((self.bits.len(), along));
        self
    }

    /// The registers over a tile of these lengths.
    pub(super) fn over(mut self, lengths: Option<List>) -> Result<Registers, Error> {
        let rank = self.order.len();
        let whole = self.whole_lengths(lengths)?;
        let (end, filled) = (self.bits.len(), core::mem::take(&mut self.filled));
        let last = self.order.iter().filter(|d| filled.iter().all(|(_, along)| along != *d));
        let all: Vec<_> = filled.iter().copied().chain(last.map(|d| (end, *d))).collect();
        // From the last on, so that the earlier places stay.
        for (at, d) in all.into_iter().rev() {
            let repeats = whole.at(d).checked_shr(self.bits_along(d)).unwrap_or(0).max(1);
            let bits = (0..repeats.ilog2()).map(|_| (Owner::Register, Some(d)));
            self.bits.splice(at..at, bits);
        }
        let kept: Vec<usize> = (0..rank).filter(|d| !self.sliced.contains(d)).collect();
        // Bits beyond any length stay beyond it.
        let mut next = vec![1_u32; rank];
        let mut images = [const { Vec::new() }; 3];
        for (owner, along) in &self.bits {
            let index = along.map_or(0, |d| next[d]);
            along.iter().for_each(|d| next[*d] = next[*d].saturating_mul(2));
            let is_inside = along.is_some_and(|d| index < whole.at(d));
            let place = kept.iter().position(|d| is_inside && *along == Some(*d));
            if *owner != Owner::Register || place.is_some() {
                let zeros = List::of_first([0; List::CAPACITY], kept.len());
                images[*owner as usize].push(place.map_or(zeros, |at| zeros.with(at, index)));
            }
        }
        let [register, lane, warp] = &images;
        let lengths: Vec<u32> = kept.iter().map(|d| whole.at(*d)).collect();
        Registers::new(List::new(&lengths), [register, lane, warp])
    }

    /// The number of bits that count along a dimension.
    fn bits_along(&self, d: usize) -> u32 {
        self.bits.iter().filter(|(_, along)| *along == Some(d)).count() as u32
    }

    /// The lengths of all dimensions, sliced ones included, for a tile of these.
    fn whole_lengths(&self, lengths: Option<List>) -> Result<List, Error> {
        let rank = self.order.len();
        let mut given = lengths.iter().flat_map(|lengths| lengths.as_slice().iter().copied());
        let mut whole = List::of_first([1; List::CAPACITY], rank);
        for d in (0..rank).filter(|d| !self.sliced.contains(d)) {
            let least = 1_u32.checked_shl(self.bits_along(d)).unwrap_or(0);
            whole =
                whole.with(d, if lengths.is_some() { given.next().unwrap_or(0) } else { least });
        }
        let wanted = rank - self.sliced.len();
        match lengths {
            Some(lengths) if lengths.len() != wanted => {
                let given = lengths.len();
                Err(Error::number(format!(
                    "a layout of {wanted} dimensions, and the tile has {given}"
                )))
            }
            _ if whole.as_slice().contains(&0) => {
                Err(tiledesc::Error::TooManyBits { columns: self.bits.len() as u32 }.into())
            }
            _ => Ok(whole),
        }
    }
}
