//! Vectors: which bits of an element's number are the lowest of its offset.
//!
//! A load of 8 elements wants them contiguous in LDS, and all 8 in registers of its lane; a store of 2 wants 2
//! contiguous elements in registers of its own lanes. The lowest bits of the offset belong to both: the first to
//! registers of both sides, the further ones to registers of the wider.
//!
//! ```text
//!   bit 0 .. of the offset     b0  b1  b2          store 1 bit wide, load 3
//!                              both|load's
//!   masks                      f0: 1 of b0; 0 of b1, b2, of lanes and waves of both
//!                              f1: 1 of b1; 0 of b0, b2, of lanes and waves of the load
//! ```
//!
//! A vector is one tuple of registers in every lane exactly if each bit of the offset within it is 0 of lanes
//! and waves. Such a bit is a mask over the element's number. It exists exactly if its vector is not a sum of the
//! others and of those lanes and waves.

use super::held::Held;
use super::kind::{Kind, Slot};
use super::numbers::{NumberList, mask, meet, parity, span, with};
use tiledesc::Linear;
use tiledesc::bank::Span;

/// A kind for each side, the store first.
pub(super) struct KindPair<'a, 'i> {
    pub(super) held: [&'a Held; 2],
    pub(super) kinds: [&'a Kind<'i>; 2],
    /// Bits of an offset below a dword.
    pub(super) dword: usize,
}

/// The use that one side makes of its registers.
#[derive(Clone, Copy)]
pub(super) struct Tuples {
    /// The number that each bit of the place in an instruction's registers brings.
    pub(super) tuple: NumberList,
    /// The number that each bit of the instruction's number brings.
    pub(super) steps: NumberList,
    /// The number that each bit of the addressing lane's number brings.
    pub(super) slots: NumberList,
}

/// The lowest bits of offsets.
#[derive(Clone, Copy)]
pub(super) struct Vectors {
    /// The number with each bit of the offset, the lowest first.
    pub(super) low: NumberList,
    /// The mask whose parity in a number is that bit of its offset.
    pub(super) masks: NumberList,
    pub(super) sides: [Tuples; 2],
}

impl KindPair<'_, '_> {
    pub(super) fn vectors(&self) -> Option<Vectors> {
        let low = self.low()?;
        let mut masks = NumberList::NONE;
        for i in 0..low.len() {
            masks.push(self.mask(&low, i)?);
        }
        let (low, masks) = self.whole_dword(low, masks)?;
        let sides = [self.tuples(0, &low, &masks)?, self.tuples(1, &low, &masks)?];
        Some(Vectors { low, masks, sides })
    }

    fn widths(&self) -> [usize; 2] {
        self.kinds.map(Kind::width)
    }

    /// The side with the wider vectors.
    fn wider(&self) -> usize {
        let widths = self.widths();
        usize::from(widths[1] >= widths[0])
    }

    fn bits(&self) -> usize {
        self.held[0].bits()
    }

    /// The numbers with the lowest bits, as many as the wider kind is wide.
    fn low(&self) -> Option<NumberList> {
        let wide = self.wider();
        let registers = self.held.map(|held| span(held.registers().iter().copied()));
        let narrow_width = self.widths()[1 - wide];
        let mut low = [None; Linear::BITS];
        let width = self.widths()[wide];
        for (i, place) in low.iter_mut().enumerate().take(width) {
            let own = self.kinds[wide].fixed_at(i);
            *place = match self.kinds[1 - wide].fixed_at(i) {
                _ if i >= narrow_width => own,
                None => own.filter(|number| registers[1 - wide].holds(*number)),
                Some(other) if own.is_none() => registers[wide].holds(other).then_some(other),
                Some(other) => own.filter(|number| *number == other),
            };
            let is_free = |kind: &Kind<'_>| i < kind.packing || i >= kind.width();
            if place.is_none() && !self.kinds.iter().all(|kind| is_free(kind)) {
                return None;
            }
        }
        self.of_both(&mut low[..width.min(narrow_width)])?;
        self.of_wider(wide, &mut low[..width], narrow_width)?;
        Some(NumberList::new(low.into_iter().flatten()))
    }

    /// Fills the places that both sides leave free: registers of both, apart from all else.
    fn of_both(&self, low: &mut [Option<u32>]) -> Option<()> {
        let others = self.held[0].others().chain(self.held[1].others());
        let mut taken = span(others.chain(low.iter().flatten().copied()));
        fill(low, self.common_registers().iter(), &mut taken)
    }

    /// Bits of registers that both sides hold.
    pub(super) fn common(&self) -> usize {
        self.common_registers().len()
    }

    fn common_registers(&self) -> NumberList {
        meet(self.held[0].registers(), self.held[1].registers())
    }

    /// Fills the places that only the wider side has. A number that a phase of the narrower
    /// touches costs that no banks: so these come first from a dword on, and last below.
    fn of_wider(&self, wide: usize, low: &mut [Option<u32>], from: usize) -> Option<()> {
        let registers = self.held[wide].registers();
        let narrow = self.kinds[1 - wide];
        let touched: NumberList = self.touched_lanes(1 - wide);
        let first = meet(registers, touched.as_slice());
        let slots = narrow.slots.iter().filter(|slot| **slot == Slot::Register).count();
        let common = self.common_registers();
        let mut taken = span(low.iter().flatten().copied());
        let above = from.max(self.dword).min(low.len());
        let (below, above) = low.split_at_mut(above);
        let cheap = first.iter().chain(common.iter().take(slots));
        fill(above, cheap.chain(registers.iter().copied()), &mut taken)?;
        let dear = registers.iter().copied().filter(|number| !first.as_slice().contains(number));
        fill(below, dear.chain(first.iter()), &mut taken)
    }

    /// The numbers that lanes of one phase bring, of the bits that are not registers.
    fn touched_lanes(&self, side: usize) -> NumberList {
        let kind = self.kinds[side];
        let brings = |mask: u8| {
            let bits = kind.slots.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            bits.map(|(_, slot)| match slot {
                Slot::Brings(number) => Some(*number),
                Slot::Register => None,
            })
            .try_fold(0, |sum, number| number.map(|number| sum ^ number))
        };
        let masks = kind.service.phases.lane_masks().unwrap_or_default();
        NumberList::new(masks.iter().filter_map(|mask| brings(*mask)))
    }

    /// The mask of bit `i`.
    fn mask(&self, low: &NumberList, i: usize) -> Option<u32> {
        let mut zero = span(low.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, b)| b));
        for (held, kind) in self.held.iter().zip(self.kinds) {
            if i < kind.width() {
                zero = with(zero, held.others().filter(|other| !kind.fixed.contains(other)));
                if i >= kind.packing {
                    zero = with(zero, held.registers().iter().copied());
                }
            }
        }
        mask(&zero, low.as_slice()[i], self.bits())
    }

    /// Adds bits up to a dword, where neither side is as wide: any will do, since a dword conflicts with none of its
    /// parts.
    fn whole_dword(
        &self,
        mut low: NumberList,
        mut masks: NumberList,
    ) -> Option<(NumberList, NumberList)> {
        while low.len() < self.dword.min(self.bits()) {
            let unseen = |number: &u32| masks.iter().all(|mask| parity(mask, *number) == 0);
            let (sums, units) = (span(low.iter()), (0..self.bits()).map(|bit| 1 << bit));
            let next = units.filter(unseen).find(|unit| !sums.holds(*unit))?;
            masks.push(mask(&sums, next, self.bits())?);
            low.push(next);
        }
        Some((low, masks))
    }

    /// Divides a side's registers into those of a vector, those of an instruction's other rows, and those of further
    /// instructions. Each is 0 in the bits of the vector, but for the vector's.
    fn tuples(&self, side: usize, low: &NumberList, masks: &NumberList) -> Option<Tuples> {
        let (held, kind) = (self.held[side], self.kinds[side]);
        let packing = &low.as_slice()[..kind.packing];
        let begins = |number: u32| {
            let within = masks.iter().zip(packing);
            within.fold(number, |at, (mask, bit)| at ^ (parity(mask, number) * bit))
        };
        let own = span(held.registers().iter().copied());
        let mut taken = span(packing.iter().copied());
        let mut further = NumberList::NONE;
        let vector = low.iter().skip(kind.width()).filter(|number| own.holds(*number));
        for register in vector.chain(held.registers().iter().copied()) {
            if taken.add(register) {
                further.push(begins(register));
            }
        }
        let mut further = further.iter();
        let mut tuples = Tuples {
            tuple: NumberList::new(packing.iter().copied()),
            steps: NumberList::NONE,
            slots: NumberList::NONE,
        };
        for slot in &kind.slots {
            let number = match slot {
                Slot::Brings(number) => *number,
                Slot::Register => further.next()?,
            };
            if *slot == Slot::Register {
                tuples.tuple.push(number);
            }
            tuples.slots.push(number);
        }
        tuples.steps = NumberList::new(further);
        Some(tuples)
    }
}

fn fill(places: &mut [Option<u32>], of: impl Iterator<Item = u32>, taken: &mut Span) -> Option<()> {
    let mut left = of.filter(|number| taken.add(*number));
    for place in places.iter_mut().filter(|place| place.is_none()) {
        *place = Some(left.next()?);
    }
    Some(())
}

impl Vectors {
    /// The elements that a phase of a side touches.
    pub(super) fn touched(&self, side: usize, kind: &Kind<'_>) -> Span {
        let masks = kind.service.phases.lane_masks().unwrap_or_default();
        let slots = &self.sides[side].slots;
        let lanes = masks.iter().map(|mask| slots.sum(u32::from(*mask)));
        span(self.low.iter().take(kind.width()).chain(lanes))
    }
}
