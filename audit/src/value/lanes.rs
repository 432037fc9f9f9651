//! A number for each lane of a wave, kept once where it is the same in all.

use std::rc::Rc;

/// A number for each lane of a wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// The number that all lanes have.
    Same(u32),
    /// A number for each lane, not all the same.
    Each(Rc<[u32]>),
}

impl Lanes {
    pub(super) const ZERO: Self = Self::Same(0);

    /// The number of each of `wave` lanes.
    #[must_use]
    pub fn from_fn(wave: usize, mut number: impl FnMut(usize) -> u32) -> Self {
        Self::from_dyn(wave, &mut number)
    }

    /// [`from_fn`](Self::from_fn), compiled once. With a copy of this and of its callers for each of 200 closures, the crate takes
    /// 47 s to compile in place of 39.
    fn from_dyn(wave: usize, number: &mut dyn FnMut(usize) -> u32) -> Self {
        let mut few = [0; 64];
        let Some(all) = few.get_mut(..wave) else {
            return Self::of_slice(&Vec::from_iter((0..wave).map(number)));
        };
        all.iter_mut().enumerate().for_each(|(lane, one)| *one = number(lane));
        Self::of_slice(all)
    }

    fn of_slice(all: &[u32]) -> Self {
        match all {
            [first, rest @ ..] if rest.iter().all(|one| one == first) => Self::Same(*first),
            _ => Self::Each(all.into()),
        }
    }

    /// The number of a lane.
    ///
    /// # Panics
    ///
    /// With a lane that the wave does not have.
    #[must_use]
    pub fn get(&self, lane: usize) -> u32 {
        match self {
            Self::Same(number) => *number,
            Self::Each(all) => all[lane],
        }
    }

    pub(super) fn map(&self, op: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::Same(number) => Self::Same(op(*number)),
            Self::Each(all) => Self::from_fn(all.len(), |lane| op(all[lane])),
        }
    }

    /// A function of several; compiled once for as many, as [`from_dyn`](Self::from_dyn).
    pub(super) fn apply<const N: usize>(all: [&Self; N], op: &dyn Fn([u32; N]) -> u32) -> Self {
        let each = all.iter().find_map(|one| match one {
            Self::Each(each) => Some(each.len()),
            Self::Same(_) => None,
        });
        match each {
            None => Self::Same(op(all.map(|one| one.get(0)))),
            Some(wave) => Self::from_fn(wave, |lane| op(all.map(|one| one.get(lane)))),
        }
    }

    pub(super) fn with(&self, other: &Self, op: impl Fn(u32, u32) -> u32) -> Self {
        Self::apply([self, other], &|[a, b]| op(a, b))
    }

    /// Returns whether the condition holds in every lane.
    pub(crate) fn all(&self, is: impl Fn(u32) -> bool) -> bool {
        match self {
            Self::Same(number) => is(*number),
            Self::Each(all) => all.iter().all(|number| is(*number)),
        }
    }

    /// The bits that are set in some lane.
    pub(super) fn any(&self) -> u32 {
        match self {
            Self::Same(bits) => *bits,
            Self::Each(all) => all.iter().fold(0, |any, bits| any | bits),
        }
    }

    /// The lanes of `wave` whose lowest bit is set, lane 0 in bit 0.
    pub(crate) fn set(&self, wave: usize) -> u64 {
        (0..wave).fold(0, |set, lane| set | u64::from(self.get(lane) & 1) << lane)
    }

    /// The number, if it is the same in all lanes.
    #[must_use]
    pub fn same(&self) -> Option<u32> {
        match self {
            Self::Same(number) => Some(*number),
            Self::Each(_) => None,
        }
    }

    /// Returns whether a lane has the same number in both; true of a lane that the wave does not have.
    pub(super) fn agrees(&self, other: &Self, lane: usize) -> bool {
        match (self, other) {
            (Self::Same(a), Self::Same(b)) => a == b,
            (Self::Each(all), _) | (_, Self::Each(all)) => {
                lane >= all.len() || self.get(lane) == other.get(lane)
            }
        }
    }
}
