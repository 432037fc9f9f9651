//! A tile that lies in a tensor of any size: where its elements are, and whether they are in it.

use super::access::Access;
use super::call::{Call, Naming};
use super::tile::{At, Tile};
use core::fmt::Display;
use support::fuzz::Dice;

pub(crate) const WRAP: u64 = 1 << 32;

/// Functions of what is moved between a tile and a tensor.
pub(crate) struct Place<'a> {
    pub(crate) naming: &'a Naming,
    /// What they begin with: `write_rows`.
    pub(crate) name: &'a str,
    /// Offsets of 32 bits.
    pub(crate) narrow: bool,
    /// Elements that are moved at once.
    pub(crate) vector: u64,
    /// Whether `i2` counts elements, each of which has its own function `valid`; else it counts loads.
    pub(crate) by_element: bool,
}

impl Place<'_> {
    pub(crate) fn rows(
        &self,
        calls: &mut Vec<Call>,
        label: &str,
        dice: &mut Dice,
        tile: &Tile,
        access: &Access,
        lanes: u64,
    ) {
        let counts = [access.waves, lanes, access.elements];
        let tensor = Tensor::random(dice, tile);
        let label = format!("{label} {}", self.name);
        self.calls(calls, &label, &tensor, &counts, &access.held);
    }

    /// `held` is where an element, or the first of a load, is in the tile.
    pub(crate) fn calls(
        &self,
        calls: &mut Vec<Call>,
        label: &str,
        tensor: &Tensor,
        counts: &[u64],
        held: &dyn Fn(&[u64]) -> Option<At>,
    ) {
        let Tensor { origin, lengths, pitch } = tensor;
        let last = lengths.len() - 1;
        let at = |i: &[u64]| held(i).and_then(|held| tensor.inside(held));
        // Of a vector's first element, and the others behind it along the last dimension.
        let whole = |i: &[u64]| {
            let all = (0..self.vector).all(|e| {
                let element = held(i).map(|mut held| {
                    held[last] += e;
                    held
                });
                element.and_then(|held| tensor.inside(held)).is_some()
            });
            let begins = !self.by_element || i[2].is_multiple_of(self.vector);
            begins.then_some(all)
        };
        let function = |word: &str, given: [&[u64]; 2]| {
            let given = given.concat();
            let call = format!("{}, i0, i1, i2", listed(&given));
            self.naming.call(&format!("{}_{word}", self.name), &call)
        };
        let offset = function("offset", [origin, pitch]);
        let all = function("whole", [origin, lengths]);
        let asked =
            if self.by_element { function("valid", [origin, lengths]) } else { all.clone() };
        if self.by_element {
            calls.push(Call::of(&format!("{label} valid"), counts, asked.clone(), |i| {
                u64::from(at(i).is_some())
            }));
        }
        let code = match self.by_element {
            true => format!("i2 % {}u ? 2 : (unsigned){all}", self.vector),
            false => format!("(unsigned){all}"),
        };
        calls.push(Call::of(&format!("{label} whole"), counts, code, |i| {
            whole(i).map_or(2, u64::from)
        }));
        let code = format!("{asked} ? {offset} : 7ull");
        calls.push(Call::of(&format!("{label} offset"), counts, code, |i| {
            let is_asked = self.by_element || whole(i) == Some(true);
            let found = at(i).filter(|_| is_asked).map(|at| tensor.offset(&at));
            found.map_or(7, |offset| if self.narrow { offset % WRAP } else { offset })
        }));
        if self.narrow {
            let sizes = listed(&[&lengths[..], pitch].concat());
            let fits = self.naming.call(&format!("{}_fits", self.name), &sizes);
            let end: u128 = (0..last).map(|d| times(lengths[d] - 1, pitch[d])).sum();
            let end = end + u128::from(lengths[last] - 1);
            calls.push(Call::of(&format!("{label} fits"), &[1], fits, |_| {
                u64::from(end < u128::from(WRAP))
            }));
        }
    }
}

fn listed(numbers: &[impl Display]) -> String {
    numbers.iter().map(|number| format!("{number}u")).collect::<Vec<_>>().join(", ")
}

fn times(one: u64, other: u64) -> u128 {
    u128::from(one) * u128::from(other)
}

/// A tensor of any size, and where in it a tile lies; an origin left of it wraps around.
pub(crate) struct Tensor {
    pub(crate) origin: Vec<u64>,
    pub(crate) lengths: Vec<u64>,
    /// Of each dimension but the last.
    pub(crate) pitch: Vec<u64>,
}

impl Tensor {
    /// A small one, or one whose offsets take more than 32 bits.
    pub(crate) fn random(dice: &mut Dice, tile: &Tile) -> Self {
        let large = dice.one_in(2);
        let length = |dice: &mut Dice| match large {
            true => dice.of::<u64>(&[70_000, 2_147_483_648, 1_000_003]),
            // As 202 columns in vectors of 8.
            false => 1 + u64::from(dice.below(202)),
        };
        let lengths: Vec<_> = tile.lengths.iter().map(|_| length(dice)).collect();
        let origin = tile.lengths.iter().zip(&lengths).map(|(length, end)| {
            let near = u64::from(dice.below(*length as u32 + 5));
            // Around the end, or left of the begin.
            if dice.one_in(3) { WRAP - 1 - near } else { end.saturating_sub(near) }
        });
        let origin = origin.collect();
        let pitch = (1..lengths.len()).map(|d| match large {
            true => dice.of::<u64>(&[70_000, WRAP - 1, 2_000_017]),
            false => lengths[d..].iter().product(),
        });
        Self { origin, pitch: pitch.collect(), lengths }
    }

    /// The coordinate of an element of the tile, if it is in the tensor.
    fn inside(&self, held: At) -> Option<At> {
        let mut at = [0; 3];
        for d in 0..self.lengths.len() {
            let origin = self.origin[d] as i64
                - if self.origin[d] >= WRAP / 2 + (1 << 30) { WRAP as i64 } else { 0 };
            at[d] =
                u64::try_from(origin + held[d] as i64).ok().filter(|at| *at < self.lengths[d])?;
        }
        Some(at)
    }

    fn offset(&self, at: &At) -> u64 {
        let rows: u128 = self.pitch.iter().zip(at).map(|(pitch, at)| times(*pitch, *at)).sum();
        u64::try_from(rows + u128::from(at[self.pitch.len()])).expect("a tensor of 64-bit offsets")
    }
}
