//! A climb over linear layouts of packs, where the search through all of them was cut.
//!
//! The [search](super::places) tries 10,000 places and then ends without a proof. From the best that was found a climb
//! takes steps, each of which flips one bank bit of one column or exchanges two columns; where no step is better, two
//! random ones and on. What is better is taken, and nothing is claimed of the rest:
//!
//! ```text
//!   12,564 sets of two to five accesses of gfx950, 16 to 256 rows of 32 to 256 halves
//!
//!   ended without a proof     143    3,300 cycles, by both sources
//!   better after the climb    102    3,096 cycles
//! ```
//!
//! A step costs a rank for each access, as a verdict of a linear layout does.

use super::candidate::Candidate;
use super::claim::Claim;
use super::effort::Effort;
use super::places::Places;
use super::question::Question;
use super::spec::{Scheme, Spec};
use crate::bank::span::{Span, add};
use tiledesc_transforms::List;

/// Steps that are looked at, at most.
const MOST_STEPS: u32 = 4_000;

/// What a step costs for each access, in units that are placed.
const STEP: u64 = 8;

const BITS: usize = Span::BITS as usize;

/// A place for each bit of a dword's number.
#[derive(Clone, Copy)]
struct Columns {
    places: [u32; BITS],
    low: u32,
    end: u32,
}

impl Columns {
    /// Where a dword is.
    const fn of(&self, mut number: u32) -> u32 {
        let mut place = 0;
        while number != 0 {
            place ^= self.places[number.trailing_zeros() as usize];
            number &= number - 1;
        }
        place
    }

    /// Whether each dword has a place of its own.
    const fn are_apart(&self) -> bool {
        let (mut basis, mut lowest, mut bit) = ([0; BITS], 0, self.low);
        while bit < self.end {
            if !add!(basis, lowest, self.places[bit as usize]) {
                return false;
            }
            bit += 1;
        }
        true
    }

    /// The cycles of all accesses.
    const fn cycles(&self, claims: &[Claim]) -> u64 {
        let (mut cycles, mut i) = (0, 0);
        while i < claims.len() {
            let Claim { touched, bank_bits, base_cycles } = &claims[i];
            let (mut basis, mut lowest, mut rest) = ([0; BITS], 0, touched.lowest());
            while rest != 0 {
                let number = touched.basis()[rest.trailing_zeros() as usize];
                let place = self.of(number) & ((1 << *bank_bits) - 1);
                let _ = add!(basis, lowest, place);
                rest &= rest - 1;
            }
            cycles += *base_cycles << (touched.dimension() - (lowest as u32).count_ones());
            i += 1;
        }
        cycles
    }

    /// A step: one of this many, by its number.
    const fn stepped(&self, step: u32, bank_end: u32) -> Self {
        let mut next = *self;
        let (count, banks) = (self.end - self.low, bank_end - self.low);
        if step < count * banks {
            next.places[(self.low + step / banks) as usize] ^= 1 << (self.low + step % banks);
            return next;
        }
        let pair = step - count * banks;
        let [one, other] = [self.low + pair / count, self.low + pair % count];
        next.places[one as usize] = self.places[other as usize];
        next.places[other as usize] = self.places[one as usize];
        next
    }

    /// Flips of a bank bit, and exchanges of two columns.
    const fn steps(&self, bank_end: u32) -> u32 {
        let (count, banks) = (self.end - self.low, bank_end - self.low);
        count * (banks + count)
    }
}

impl Question<'_, '_> {
    /// A linear layout of packs that costs less than the best, if the climb meets one.
    pub(super) const fn climb(&self, best: &Candidate, effort: &mut Effort) -> Option<Candidate> {
        let Some(places) = self.places() else { return None };
        let claims = self.claims();
        let rivals = claims.rival_cycles();
        let cost = claims.len() as u64 * STEP;
        let mut here = self.begin(best, places.range(effort.columns()));
        let (mut cycles, mut found) = (here.cycles(claims.as_slice()), None);
        let mut least = best.weight() + rivals;
        let steps = here.steps(places.bank_end());
        let (mut random, mut looks, mut tried) = (1u64, 0, 0);
        while looks < MOST_STEPS && least > places.least(claims.as_slice()) && steps > 0 {
            if !effort.spend(cost) {
                break;
            }
            looks += 1;
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let next = here.stepped((random >> 33) as u32 % steps, places.bank_end());
            tried += 1;
            if !next.are_apart() {
                continue;
            }
            let next_cycles = next.cycles(claims.as_slice());
            // Sideways is taken; up only where as many steps as there are were no better.
            if next_cycles <= cycles || tried > steps {
                tried = if next_cycles == cycles { tried } else { 0 };
                (here, cycles) = (next, next_cycles);
            }
            if cycles < least {
                (least, found) = (cycles, Some(here));
            }
        }
        match found {
            Some(columns) => self.climbed(&columns, &places, least - rivals),
            None => None,
        }
    }

    /// The columns of the best layout, if it is linear; else those of the tile in order.
    const fn begin(&self, best: &Candidate, [low, end]: [u32; 2]) -> Columns {
        let mut columns = Columns { places: [0; BITS], low, end };
        let (layout, masked) = (best.layout(), best.layout().masked(self.base.tile));
        let mut bit = 0;
        while bit < BITS {
            columns.places[bit] = 1 << bit;
            if bit + 2 < BITS && bit < end as usize {
                if let Some(masked) = &masked {
                    columns.places[bit] = masked.moved(4 << bit) >> 2;
                }
                let pack_bit = bit.wrapping_sub(low as usize);
                if matches!(layout.scheme(), Scheme::BitByBit) && pack_bit < layout.list().len() {
                    columns.places[bit] = layout.list().at(pack_bit) << low;
                }
            }
            bit += 1;
        }
        columns
    }

    /// What was climbed to, as a layout; `None` if a place leaves the bits that are placed.
    const fn climbed(&self, columns: &Columns, places: &Places, weight: u64) -> Option<Candidate> {
        let (mut packs, mut count, mut bit) = ([0; List::CAPACITY], 0, columns.low);
        while bit < columns.end {
            let (i, place) = ((bit - columns.low) as usize, columns.places[bit as usize]);
            if place >> columns.end != 0 {
                return None;
            }
            packs[i] = place >> columns.low;
            count = if packs[i] == 1 << i { count } else { i + 1 };
            bit += 1;
        }
        let pack = places.pack(self.base.recipe_tile.bits);
        let layout = self.base.layout(Spec::linear_packs(pack, List::of_first(packs, count)));
        let candidate = Candidate::new(layout, weight, self.bare_plain().bytes());
        if self.can_be(&candidate) { Some(candidate) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::gfx950;
    use crate::pattern::Lanes;
    use crate::search::base::Base;
    use crate::search::descent::tests::Random;
    use crate::search::weight::weight;
    use crate::search::{Shape, Use};
    use alloc::vec::Vec;

    /// From the tile in order: what is claimed of a layout is what its verdicts say, and the climb alone gets about as
    /// far as the searches that have a proof.
    #[test]
    fn from_the_tile_in_order() {
        let rows = [
            &gfx950::ds_read_b32,
            &gfx950::ds_read_u16,
            &gfx950::ds_write_b64,
            &gfx950::ds_read_b64,
            &gfx950::ds_write_b128,
            &gfx950::ds_read_b128,
        ];
        let (mut random, mut climbed, mut as_far, mut all) = (Random(7), 0, 0, 0);
        for case in 0..60 {
            let [m, k] = [16 << random.below(5), 32 << random.below(3)];
            let tile = Shape { rows: m, columns: k, bits: 16 };
            let uses: Vec<_> = (0..2 + random.below(3))
                .map(|_| {
                    let lanes = match random.below(6) {
                        0 => Lanes::row_major(),
                        1 => Lanes::column(),
                        2 => Lanes::diagonal(),
                        3 => Lanes::rows(16),
                        4 => Lanes::strided(2 << random.below(4)),
                        _ => Lanes::rows(32),
                    };
                    Use::new(lanes.first(), rows[random.below(6) as usize])
                })
                .collect();
            let Ok(question) = Base::rows(tile).question(&uses) else { continue };
            let mut effort = Effort::RUN_TIME;
            let (best, _) = question.answer(&mut effort);
            if question.unclaimed() != 0 || question.bare_plain().weight() == question.floor {
                continue;
            }
            all += 1;
            let Some(found) = question.climb(&question.bare_plain(), &mut effort) else {
                continue;
            };
            climbed += 1;
            let plan = found.layout().plan(tile).unwrap();
            let counted = weight(&plan, 16, &uses).unwrap().sum;
            assert_eq!(counted, found.weight(), "case {case}: {found:?}");
            assert!(found.weight() >= question.floor);
            as_far += u32::from(found.weight() <= best.weight());
        }
        assert!(climbed * 2 > all && as_far * 3 > climbed * 2, "{as_far} of {climbed} of {all}");
    }
}
