//! Phases: which lanes of a wave the hardware serves together.

use super::cosets::Cosets;
use tiledesc_transforms::number::{head, tail};

/// The lanes that are served together.
///
/// ```
/// use tiledesc::chip::Phases;
///
/// const WRITES: Phases = Phases::contiguous(8);
/// assert_eq!((WRITES.count(), WRITES.phase_of(9)), (8, Some(1)));
/// assert_eq!(WRITES.lanes(1), [8, 9, 10, 11, 12, 13, 14, 15]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Phases {
    /// The lanes, phase by phase.
    order: [u8; Self::LANES],
    /// The end of each phase in `order`.
    ends: [u8; Self::LANES],
    /// The phase of each lane.
    of: [u8; Self::LANES],
    count: usize,
    wave: usize,
    /// The masks whose cosets they are, if they are.
    cosets: Option<Cosets>,
}

impl Phases {
    /// The largest number of lanes in a wave.
    pub const LANES: usize = crate::distribution::MOST_LANES;

    const fn none(wave: usize) -> Self {
        let none = [0; Self::LANES];
        Self { order: none, ends: none, of: none, count: 0, wave, cosets: None }
    }

    /// The next phase: the lanes put into `order` up to `end`.
    const fn close(mut self, end: usize) -> Self {
        let mut i = if self.count == 0 { 0 } else { self.ends[self.count - 1] as usize };
        while i < end {
            self.of[self.order[i] as usize % Self::LANES] = self.count as u8;
            i += 1;
        }
        self.ends[self.count] = end as u8;
        self.count += 1;
        self
    }

    /// Phases of `lanes` consecutive lanes, for a wave of 64.
    ///
    /// # Panics
    ///
    /// If `lanes` is 0.
    #[must_use]
    #[track_caller]
    pub const fn contiguous(lanes: usize) -> Self {
        assert!(lanes > 0, "a phase has at least one lane");
        let mut phases = Self { order: Self::IN_ORDER, ..Self::none(Self::LANES) };
        let (mut lane, mut phase) = (0, 0);
        while lane < Self::LANES {
            let end = if Self::LANES - lane > lanes { lane + lanes } else { Self::LANES };
            while lane < end {
                phases.of[lane] = phase;
                lane += 1;
            }
            phases.ends[phase as usize] = end as u8;
            phase += 1;
        }
        phases.count = phase as usize;
        // Each row of a chip begins with such phases: see DESIGN, "What the compiler pays for".
        if lanes & (lanes - 1) == 0 {
            let within = if lanes < Self::LANES { lanes } else { Self::LANES };
            phases.cosets = Some(Cosets::of_lowest(within.trailing_zeros()));
            return phases;
        }
        phases.with_cosets()
    }

    /// The lanes of a wave, one after the other.
    pub(crate) const IN_ORDER: [u8; Self::LANES] = {
        let (mut order, mut lane) = ([0; Self::LANES], 0);
        while lane < Self::LANES {
            order[lane] = lane as u8;
            lane += 1;
        }
        order
    };

    /// Groups of lanes, each a phase; the wave is all lanes listed.
    ///
    /// ```
    /// use tiledesc::chip::Phases;
    ///
    /// const EVEN_AND_ODD: Phases = Phases::groups(&[&[0, 2], &[1, 3]]);
    /// assert_eq!((EVEN_AND_ODD.wave(), EVEN_AND_ODD.phase_of(2)), (4, Some(0)));
    /// ```
    ///
    /// # Panics
    ///
    /// Unless each of the lanes 0, 1, 2, ... up to at most 63 is in one group.
    #[must_use]
    #[track_caller]
    pub const fn groups(groups: &[&[usize]]) -> Self {
        Self::none(0).grouped(groups, 0).complete()
    }

    /// Groups of lanes 0 to 31, followed by the same groups of lanes 32 to 63.
    ///
    /// ```
    /// use tiledesc::chip::{Phases, gfx942::ds_read_b128};
    ///
    /// const CROSSED: Phases = Phases::halves(&[
    ///     &[0, 1, 2, 3, 20, 21, 22, 23],
    ///     &[4, 5, 6, 7, 16, 17, 18, 19],
    ///     &[8, 9, 10, 11, 28, 29, 30, 31],
    ///     &[12, 13, 14, 15, 24, 25, 26, 27],
    /// ]);
    /// assert_eq!((CROSSED.count(), CROSSED.phase_of(4), CROSSED.phase_of(32 + 4)), (8, Some(1), Some(5)));
    /// assert_eq!(ds_read_b128.service().phases, CROSSED);
    /// ```
    ///
    /// # Panics
    ///
    /// Unless each of the lanes 0 to 31 is in one group.
    #[must_use]
    #[track_caller]
    pub const fn halves(groups: &[&[usize]]) -> Self {
        let both = Self::none(0).grouped(groups, 0).grouped(groups, 32).complete();
        assert!(both.wave == Self::LANES, "half a wave has 32 lanes");
        both
    }

    #[track_caller]
    const fn grouped(mut self, groups: &[&[usize]], first_lane: usize) -> Self {
        let mut group = 0;
        while group < groups.len() {
            assert!(!groups[group].is_empty(), "a phase has at least one lane");
            let mut i = 0;
            while i < groups[group].len() {
                assert!(self.wave < Self::LANES, "a wave has at most 64 lanes");
                // Before it is a byte: lane 256 is no lane 0.
                assert!(groups[group][i] < Self::LANES, "a lane of the wave is in no phase");
                self.order[self.wave] = (groups[group][i] + first_lane) as u8;
                self.wave += 1;
                i += 1;
            }
            self = self.close(self.wave);
            group += 1;
        }
        self
    }

    /// Refuses a lane that is missing or listed twice.
    #[track_caller]
    const fn complete(self) -> Self {
        let mut seen = 0u64;
        let mut i = 0;
        while i < self.wave {
            assert!((self.order[i] as usize) < self.wave, "a lane of the wave is in no phase");
            seen |= 1 << self.order[i];
            i += 1;
        }
        assert!(self.wave > 0, "a wave has at least one lane");
        assert!(seen.count_ones() as usize == self.wave, "a lane is in two phases");
        self.with_cosets()
    }

    const fn with_cosets(mut self) -> Self {
        self.cosets = Cosets::new(&self.of, self.addressed(), self.count);
        self
    }

    /// Returns the phases of a wave of `lanes`: 32 on NVIDIA and RDNA. Phases of none of them are gone.
    ///
    /// ```
    /// use tiledesc::chip::Phases;
    ///
    /// const WAVE: Phases = Phases::contiguous(8);
    /// const WARP: Phases = WAVE.of_wave(32);
    /// assert_eq!((WAVE.count(), WARP.count(), WARP.wave(), WARP.phase_of(40)), (8, 4, 32, None));
    /// ```
    ///
    /// # Panics
    ///
    /// With 0 lanes, or more than there are.
    #[must_use]
    #[track_caller]
    pub const fn of_wave(self, lanes: usize) -> Self {
        let mut phases = self.only(lanes);
        phases.wave = lanes;
        phases
    }

    /// Returns the phases if only the first `lanes` supply an address, as in `ldmatrix.x1`, whose lanes 8 to 31 supply none. The
    /// wave keeps its size.
    ///
    /// ```
    /// use tiledesc::chip::{Phases, sm_90::ldmatrix_x1};
    ///
    /// const ONE: Phases = Phases::contiguous(8).of_wave(32).only(8);
    /// assert_eq!((ONE.count(), ONE.addressed(), ONE.wave()), (1, 8, 32));
    /// assert_eq!(ldmatrix_x1.service().phases, ONE);
    /// ```
    ///
    /// # Panics
    ///
    /// With 0 lanes, or more than there are.
    #[must_use]
    #[track_caller]
    pub const fn only(self, lanes: usize) -> Self {
        assert!(lanes > 0 && lanes <= self.wave, "a wave has no such lanes");
        // All of them.
        if lanes == self.wave {
            return self;
        }
        let mut phases = Self::none(self.wave);
        let (mut phase, mut from, mut kept) = (0, 0, 0);
        while phase < self.count {
            let before = kept;
            while from < self.ends[phase] as usize {
                if (self.order[from] as usize) < lanes {
                    phases.order[kept] = self.order[from];
                    kept += 1;
                }
                from += 1;
            }
            if kept > before {
                phases = phases.close(kept);
            }
            phase += 1;
        }
        phases.with_cosets()
    }

    /// The number of phases: the cycles without any conflict.
    #[must_use]
    #[inline]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The lanes of a wave.
    #[must_use]
    #[inline]
    pub const fn wave(&self) -> usize {
        self.wave
    }

    /// The lanes that supply an address: the first ones of the wave.
    #[must_use]
    pub const fn addressed(&self) -> usize {
        if self.count == 0 { 0 } else { self.ends[self.count - 1] as usize }
    }

    /// The lanes of a phase; none if there is no such phase.
    #[must_use]
    #[inline]
    pub const fn lanes(&self, phase: usize) -> &[u8] {
        if phase >= self.count {
            return &[];
        }
        let from = if phase == 0 { 0 } else { self.ends[phase - 1] as usize };
        tail(head(&self.order, self.ends[phase] as usize), from)
    }

    /// The phase of a lane; `None` if it supplies no address.
    #[must_use]
    #[inline]
    pub const fn phase_of(&self, lane: usize) -> Option<usize> {
        if lane < self.addressed() { Some(self.of[lane] as usize) } else { None }
    }

    /// Returns whether the same lanes are together, phase by phase.
    pub(crate) const fn are(&self, other: &Self) -> bool {
        if self.wave != other.wave
            || self.count != other.count
            || self.addressed() != other.addressed()
        {
            return false;
        }
        let (mut lane, addressed) = (0, self.addressed());
        while lane < addressed {
            if self.of[lane] != other.of[lane] {
                return false;
            }
            lane += 1;
        }
        true
    }

    /// The masks whose cosets the phases are, if they are.
    #[inline]
    pub(crate) const fn cosets(&self) -> Option<&Cosets> {
        self.cosets.as_ref()
    }

    /// The masks of lanes, each a sum of none of the others, of which every phase has all sums xor-ed with one lane;
    /// `None` of phases that are no such cosets.
    ///
    /// ```
    /// use tiledesc::chip::Phases;
    ///
    /// assert_eq!(Phases::contiguous(8).lane_masks(), Some(&[1, 2, 4][..]));
    /// ```
    #[must_use]
    pub const fn lane_masks(&self) -> Option<&[u8]> {
        match &self.cosets {
            Some(cosets) => Some(cosets.masks()),
            None => None,
        }
    }

    /// The lanes that supply an address, phase by phase.
    #[inline]
    pub(crate) const fn order(&self) -> &[u8; Self::LANES] {
        &self.order
    }

    /// The end of a phase among [these](Self::order).
    #[inline]
    pub(crate) const fn end(&self, phase: usize) -> usize {
        self.ends[phase] as usize
    }
}

impl core::fmt::Debug for Phases {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries((0..self.count).map(|phase| self.lanes(phase))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Consecutive lanes as groups of their own, of any length.
    #[test]
    fn contiguous_as_groups() {
        for lanes in 1..=Phases::LANES + 1 {
            let all: Vec<usize> = (0..Phases::LANES).collect();
            let groups: Vec<&[usize]> = all.chunks(lanes).collect();
            assert_eq!(Phases::contiguous(lanes), Phases::groups(&groups), "{lanes}");
            assert_eq!(Phases::contiguous(lanes).of_wave(Phases::LANES), Phases::groups(&groups));
        }
        assert_eq!(Phases::contiguous(128), Phases::contiguous(64));
    }
}
