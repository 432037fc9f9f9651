//! Values that come together: where paths meet, and where each lane may have the one or the other.
//!
//! | all lanes have one of | |
//! |---|---|
//! | `u + f` and `v + f` | `u + f`: u takes up the difference |
//! | two known numbers | the two |
//! | `u + f`, `v + g` | up to four such forms |
//! | more of them, or anything else | the low bits in which they agree |

use super::Value::{self, Nothing, OneOf, Sum, Unknown};
use super::{Lanes, Reason, Why};

/// Forms that are kept beside each other at most.
const FORMS: usize = 4;

impl Value {
    /// The forms `u + f` that a value may have; none of one that is not known.
    fn forms(&self) -> &[Self] {
        match self {
            Sum { .. } => std::slice::from_ref(self),
            OneOf(all) => all,
            _ => &[],
        }
    }

    /// Returns whether one of several operands has more forms than one.
    pub(super) fn has_forms<const N: usize>(all: [&Self; N]) -> bool {
        all.iter().any(|one| matches!(one, OneOf(_)))
    }

    /// The result of an operation for each choice of its operands' forms.
    pub(super) fn each<const N: usize>(
        all: [&Self; N],
        at: usize,
        op: &dyn Fn([&Self; N]) -> Self,
    ) -> Self {
        let forms = all.map(|one| match one {
            OneOf(forms) => &forms[..],
            one => std::slice::from_ref(one),
        });
        let count = forms.iter().map(|forms| forms.len()).product();
        let result = |mut choice: usize| {
            op(forms.map(|forms| {
                let one = &forms[choice % forms.len()];
                choice /= forms.len();
                one
            }))
        };
        Self::one_of((0..count).map(result).collect(), at)
    }

    /// One of several values, which all lanes share the choice of.
    fn one_of(all: Vec<Self>, at: usize) -> Self {
        let mut kept: Vec<Self> = Vec::new();
        let is_number = |one: &Self| one.number().is_some();
        let are_forms = all.iter().all(|one| matches!(one, Sum { .. } | OneOf(_)));
        for one in all.iter().flat_map(Self::forms) {
            if kept.contains(one) {
                continue;
            }
            // Two numbers are kept, and of three only what divides their distances.
            let is_second = kept.len() == 1 && is_number(one) && is_number(&kept[0]);
            let mut one = one.clone();
            while !is_second && let Some(near) = kept.iter().position(|other| one.is_near(other)) {
                one = kept.remove(near).meet(&one, at);
            }
            kept.push(one);
        }
        match kept.len() {
            1 if are_forms => kept.remove(0),
            2..=FORMS if are_forms => OneOf(kept.into()),
            _ => Self::plain_of(&all, at),
        }
    }

    /// Returns whether two forms differ by one number in all lanes.
    fn is_near(&self, other: &Self) -> bool {
        match (self, other) {
            (Sum { f, .. }, Sum { f: g, .. }) => f.with(g, u32::wrapping_sub).same().is_some(),
            _ => false,
        }
    }

    /// One form for all that a value may have, or the low bits in which they agree.
    pub(crate) fn plain(&self, at: usize) -> Self {
        match self {
            OneOf(all) => Self::plain_of(all, at),
            one => one.clone(),
        }
    }

    fn plain_of(all: &[Self], at: usize) -> Self {
        let met = |all: Self, one: &Self| match (&all, one) {
            (Nothing, known) | (known, Nothing) => known.clone(),
            _ if all == *one => all,
            _ => all.meet(one, at),
        };
        all.iter().fold(Nothing, met)
    }

    /// The low bits in which two values agree in some lanes, where a lane has the one or the other.
    fn common(&self, other: &Self, lanes: u64, reason: Reason) -> Self {
        let (Some((k, f)), Some((l, g))) = (self.lower(), other.lower()) else {
            return Unknown(reason);
        };
        // The bits in which they differ in some lane.
        let apart = match f.with(g, |a, b| a ^ b) {
            Lanes::Same(bits) if lanes != 0 => bits,
            Lanes::Same(_) => 0,
            Lanes::Each(all) => {
                let is_in = |lane: usize| lanes >> lane & 1 == 1;
                let bits = all.iter().take(64).enumerate().filter(|(lane, _)| is_in(*lane));
                bits.fold(0, |all, (_, bits)| all | bits)
            }
        };
        Self::part(apart.trailing_zeros().min(k).min(l), f, reason)
    }

    /// The value where all lanes took one of two paths; of two reasons the own one stays. With the first in the text a loop of
    /// loads was gone through seven times in place of twice, for reasons alone.
    #[must_use]
    pub fn join(&self, other: &Self, at: usize) -> Self {
        match (self, other) {
            (Nothing, known) | (known, Nothing) => known.clone(),
            _ if self == other => self.clone(),
            (Sum { .. } | OneOf(_), Sum { .. } | OneOf(_)) => {
                Self::one_of(self.forms().iter().chain(other.forms()).cloned().collect(), at)
            }
            _ => self.meet(other, at),
        }
    }

    /// One value for two that all lanes share the choice of.
    fn meet(&self, other: &Self, at: usize) -> Self {
        match (self, other) {
            (OneOf(_), _) => self.plain(at).meet(other, at),
            (_, OneOf(_)) => self.meet(&other.plain(at), at),
            (Sum { k, f }, Sum { k: l, f: g }) => {
                let distance = g.get(0).wrapping_sub(f.get(0));
                match g.with(f, u32::wrapping_sub) {
                    Lanes::Same(_) => Self::sum(Self::zeros(*k.min(l), distance), f.clone()),
                    Lanes::Each(_) => self.common(other, u64::MAX, Reason { at, why: Why::Paths }),
                }
            }
            _ => self.meet_open(other).unwrap_or_else(|| {
                let reason = self.why().or(other.why()).unwrap_or(Reason { at, why: Why::Paths });
                self.common(other, u64::MAX, reason)
            }),
        }
    }

    /// The value where each lane of a set has the new value or the old one, and the others the old one.
    #[must_use]
    pub fn either(&self, new: &Self, lanes: u64, at: usize) -> Self {
        match (self, new) {
            _ if lanes == 0 => self.clone(),
            (Nothing, known) | (known, Nothing) => known.clone(),
            (OneOf(_), _) => self.plain(at).either(new, lanes, at),
            (_, OneOf(_)) => self.either(&new.plain(at), lanes, at),
            (Sum { k: 32, f }, Sum { k: 32, f: g })
                if (0..64).filter(|lane| lanes >> lane & 1 == 1).all(|lane| f.agrees(g, lane)) =>
            {
                self.clone()
            }
            _ => {
                let reason = self.reason(new).unwrap_or(Reason { at, why: Why::Mask });
                self.common(new, lanes, reason)
            }
        }
    }

    /// One of two, by a bit of each of `wave` lanes.
    pub(crate) fn chosen(bit: &Self, yes: &Self, no: &Self, wave: usize, at: usize) -> Self {
        match bit.known() {
            Some(Lanes::Same(0)) => no.clone(),
            Some(Lanes::Same(_)) => yes.clone(),
            Some(each) => no.within(yes, each.set(wave), wave, at),
            None if bit.is_shared() => no.join(yes, at),
            None => no.either(yes, u64::MAX, at),
        }
    }

    /// The value where each lane of a set has the new value, and the others, of `wave` lanes, the old one.
    #[must_use]
    pub fn within(&self, new: &Self, lanes: u64, wave: usize, at: usize) -> Self {
        let all = u64::MAX >> (64 - wave);
        match (self, new) {
            _ if lanes & all == 0 => self.clone(),
            _ if lanes & all == all => new.clone(),
            (Nothing, known) | (known, Nothing) => known.clone(),
            _ if Self::has_forms([self, new]) => {
                Self::each([self, new], at, &|[old, new]| old.within(new, lanes, wave, at))
            }
            _ => {
                let reason = self.reason(new).unwrap_or(Reason { at, why: Why::Mask });
                let (Some((k, f)), Some((l, g))) = (self.lower(), new.lower()) else {
                    return Unknown(reason);
                };
                let own = |lane: usize| {
                    if lanes >> lane & 1 == 1 { g.get(lane) } else { f.get(lane) }
                };
                Self::part(k.min(l), &Lanes::from_fn(wave, own), reason)
            }
        }
    }
}
