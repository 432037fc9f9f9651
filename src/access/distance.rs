//! The distance between two accesses: what takes every lane of the one to the other.
//!
//! An access needs no address of its own where it is the same distance from another one in every lane of every wave. For
//! instructions that are alike lane 0 decides it, so that the compiler computes one lane in place of 64:
//!
//! ```text
//!   lane l of access s is at      the sum is the same in all lanes         the xor is
//!   first(s) ^ flips(l)           if no lane flips a bit that differs      always the same
//!   first(s) + adds(l)            always                                   looked at, lane by lane
//!   in rounds of a number         looked at, place by place of a round     looked at, lane by lane
//!   anywhere                      looked at, lane by lane                  looked at, lane by lane
//! ```
//!
//! `Accesses` of 8 vectors in each of two waves, on padded rows, cost the compiler 1,883 million instructions lane by
//! lane, and 57 by lane 0.

use super::addresses::Addresses;
use super::placed::Placed;
use super::rounds::{Further, Relation, Rounds};
use crate::access::error::AccessError;
use crate::chip::phases::Phases;
use tiledesc_transforms::{List, attempt, range};

/// The places of the lanes of one access of one wave.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "const, so without an allocator; at most 64 are kept")]
pub(super) enum Whereabouts {
    /// The byte of lane 0, where all instructions are alike.
    First(u32),
    /// The bytes that it adds to all lanes, on a layout that repeats itself.
    Further(Further),
    /// Every lane.
    Lanes(Addresses),
}

impl Whereabouts {
    /// Returns whether some lane has it.
    pub(super) const fn is_issued(&self) -> bool {
        match self {
            Self::First(_) | Self::Further(_) => true,
            Self::Lanes(addresses) => addresses.active() != 0,
        }
    }
}

impl Placed<'_, '_> {
    /// Returns the places of an instruction's lanes, counted over all waves; by the [strides](Self::strides) of the layout, or
    /// its [rounds](Self::rounds).
    pub(super) const fn whereabouts(
        &self,
        step: u64,
        strides: &Option<List>,
        rounds: &Option<Rounds>,
    ) -> Result<Whereabouts, AccessError> {
        if let Some(rounds) = rounds {
            return Ok(Whereabouts::Further(self.further(rounds, step)));
        }
        if self.columns().is_some() || self.adds_to_all_lanes(strides) {
            return Ok(Whereabouts::First(attempt!(self.first_byte(step, strides))));
        }
        Ok(Whereabouts::Lanes(attempt!(self.addresses_by(step, strides))))
    }

    /// Returns whether each instruction adds the same to all lanes: on a layout of strides, by digits of its own number.
    const fn adds_to_all_lanes(&self, strides: &Option<List>) -> bool {
        strides.is_some() && !self.is_listed() && self.walk.is_within() && !self.walk.is_counted()
    }

    /// The constant that takes every lane of the one to the other, if it is the same for all, and no lane is active in the other
    /// alone: in this wave, and by rounds in all.
    pub(super) const fn between(
        &self,
        one: &Whereabouts,
        other: &Whereabouts,
        relation: Relation,
        rounds: &Option<Rounds>,
    ) -> Option<u32> {
        let (from, to) = match (one, other) {
            (Whereabouts::First(from), Whereabouts::First(to)) => (*from, *to),
            (Whereabouts::Further(from), Whereabouts::Further(to)) => {
                let Some(rounds) = rounds else { return None };
                return self.between_rounds(rounds, [from, to], relation);
            }
            (Whereabouts::Lanes(one), Whereabouts::Lanes(other)) => {
                return common(one, other, relation);
            }
            _ => return None,
        };
        let is_same = match (self.columns(), relation) {
            (Some(_), Relation::Xor) | (None, Relation::Sum) => true,
            (Some(columns), Relation::Sum) => columns.all_flips() & (from ^ to) == 0,
            (None, Relation::Xor) => match self.addresses_by(0, &self.strides()) {
                Ok(lanes) => common(&lanes.from(from), &lanes.from(to), relation).is_some(),
                Err(_) => false,
            },
        };
        if is_same { Some(relation.apart(from, to)) } else { None }
    }
}

/// The constant that takes each lane of the one to the other, if it is the same for all, lane by lane.
const fn common(one: &Addresses, other: &Addresses, relation: Relation) -> Option<u32> {
    if other.active() & !one.active() != 0 {
        return None;
    }
    let mut constant = None;
    range!(lane, 0..Phases::LANES, {
        if let (Some(from), Some(to)) = (one.get(lane), other.get(lane)) {
            let here = relation.apart(from, to);
            match constant {
                Some(constant) if constant != here => return None,
                _ => constant = Some(here),
            }
        }
    });
    constant
}
