//! A tile that lies in a tensor of any size: where its elements are, and whether they are in it.

use super::access::Access;
use super::call::{Call, Naming};
use super::tile::Tile;
use support::fuzz::Dice;

pub(crate) const WRAP: u64 = 1 << 32;

/// Where an element of a lane is in a tensor, if it is in it.
pub(crate) type Inside<'a> = &'a dyn Fn(&[u64]) -> Option<[u64; 2]>;

/// Whether a vector is in it, of its first element; of any other nothing.
pub(crate) type Whole<'a> = &'a dyn Fn(&[u64]) -> Option<bool>;

/// Functions of a tile that lies in a tensor.
pub(crate) struct Place<'a> {
    pub(crate) naming: &'a Naming,
    pub(crate) name: &'a str,
    pub(crate) narrow: bool,
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
        for turn in 0..2 {
            let tensor = Tensor::random(dice, tile, turn == 1);
            let at = |i: &[u64]| (access.held)(i).and_then(|held| tensor.inside(held));
            let vector = access.vector;
            let whole = |i: &[u64]| {
                let all = || (0..vector).all(|e| at(&[i[0], i[1], i[2] + e]).is_some());
                i[2].is_multiple_of(vector).then(all)
            };
            let label = format!("{label} {}_rows {turn}", self.name);
            self.calls(calls, &label, &tensor, &counts, (&at, &whole, vector));
        }
    }

    /// `at` is where an element is in the tensor, if it is in it; `whole` of a first element whether all its
    /// vector is, and of any other nothing.
    pub(crate) fn calls(
        &self,
        calls: &mut Vec<Call>,
        label: &str,
        tensor: &Tensor,
        counts: &[u64],
        (at, whole, vector): (Inside<'_>, Whole<'_>, u64),
    ) {
        let Tensor { origin: [o0, o1], lengths: [l0, l1], pitch } = *tensor;
        let name = format!("{}_rows", self.name);
        let valid = self
            .naming
            .call(&format!("{name}_valid"), &format!("{o0}u, {o1}u, {l0}u, {l1}u, i0, i1, i2"));
        let offset = self
            .naming
            .call(&format!("{name}_offset"), &format!("{o0}u, {o1}u, {pitch}u, i0, i1, i2"));
        let all = self
            .naming
            .call(&format!("{name}_whole"), &format!("{o0}u, {o1}u, {l0}u, {l1}u, i0, i1, i2"));
        calls.push(Call::of(&format!("{label} valid"), counts, valid.clone(), |i| {
            u64::from(at(i).is_some())
        }));
        let code = format!("i2 % {vector}u ? 2 : (unsigned){all}");
        calls.push(Call::of(&format!("{label} whole"), counts, code, |i| {
            whole(i).map_or(2, u64::from)
        }));
        let code = format!("{valid} ? {offset} : 7ull");
        let narrow = self.narrow;
        calls.push(Call::of(&format!("{label} offset"), counts, code, |i| {
            let found = at(i).map(|[row, column]| row * pitch + column);
            found.map_or(7, |offset| if narrow { offset % WRAP } else { offset })
        }));
        if narrow {
            let fits =
                self.naming.call(&format!("{name}_fits"), &format!("{l0}u, {l1}u, {pitch}u"));
            let last = u128::from(l0 - 1) * u128::from(pitch) + u128::from(l1 - 1);
            calls.push(Call::of(&format!("{label} fits"), &[1], fits, |_| {
                u64::from(last < u128::from(WRAP))
            }));
        }
    }
}

/// A tensor of any size, and where in it a tile lies; an origin left of it wraps around.
pub(crate) struct Tensor {
    pub(crate) origin: [u64; 2],
    pub(crate) lengths: [u64; 2],
    pub(crate) pitch: u64,
}

impl Tensor {
    pub(crate) fn random(dice: &mut Dice, tile: &Tile, large: bool) -> Self {
        let lengths = [0, 1].map(|_| match large {
            true => dice.of::<u64>(&[70_000, 2_147_483_648, 1_000_003]),
            // As 202 columns in vectors of 8.
            false => 1 + u64::from(dice.below(202)),
        });
        let mut d = 0;
        let origin = tile.lengths.map(|length| {
            let near = u64::from(dice.below(length as u32 + 5));
            let end = lengths[d];
            d += 1;
            // Around the end, or left of the begin.
            if dice.one_in(3) { WRAP - 1 - near } else { end.saturating_sub(near) }
        });
        let pitch = if large { dice.of::<u64>(&[70_000, WRAP - 1, 2_000_017]) } else { lengths[1] };
        Self { origin, lengths, pitch }
    }

    /// The coordinate of an element of the tile, if it is in the tensor.
    pub(crate) fn inside(&self, held: [u64; 2]) -> Option<[u64; 2]> {
        let mut at = [0; 2];
        for d in 0..2 {
            let origin = self.origin[d] as i64
                - if self.origin[d] >= WRAP / 2 + (1 << 30) { WRAP as i64 } else { 0 };
            at[d] =
                u64::try_from(origin + held[d] as i64).ok().filter(|at| *at < self.lengths[d])?;
        }
        Some(at)
    }
}
