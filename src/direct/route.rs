//! The source addresses of one load relative to those of load 0.

use super::plan::{DirectLoad, Unit, refuse_beyond};
use tiledesc_transforms::List;

/// Steps along each dimension of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    steps: [i32; List::CAPACITY],
    rank: usize,
}

impl Steps {
    /// Steps along a dimension.
    ///
    /// # Panics
    ///
    /// Without such a dimension.
    #[must_use]
    #[track_caller]
    pub const fn along(&self, dimension: usize) -> i32 {
        refuse_beyond(["dimension", "dimensions"], dimension as u32, self.rank as u32);
        self.steps[dimension]
    }

    /// Elements, with the strides of the run time.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    /// use tiledesc::direct::Source;
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let source = Source::rows_of_multiple(8);
    /// let plan = ABlock::direct(source, &gfx950::global_load_lds_b128).waves(4).plan().unwrap();
    /// let route = plan.route(3);
    /// let steps = route.steps().unwrap();
    /// // Load 3 is 24 rows further; how many bytes that is, the run time knows.
    /// assert_eq!((route.is_uniform(), route.bytes()), (true, None));
    /// assert_eq!((steps.along(0), steps.along(1), steps.elements(&[1000, 1])), (24, 0, 24_000));
    /// ```
    #[must_use]
    pub const fn elements(&self, strides: &[u32]) -> i64 {
        let (mut elements, mut d) = (0, 0);
        while d < self.rank && d < strides.len() {
            elements += self.steps[d] as i64 * strides[d] as i64;
            d += 1;
        }
        elements
    }

    const fn between(from: &List, to: &List) -> Self {
        let mut all = Self { steps: [0; List::CAPACITY], rank: from.len() };
        let mut d = 0;
        while d < all.rank {
            all.steps[d] = to.at(d) as i32 - from.at(d) as i32;
            d += 1;
        }
        all
    }

    const fn is(&self, other: &Self) -> bool {
        let mut d = 0;
        while d < self.rank {
            if self.steps[d] != other.steps[d] {
                return false;
            }
            d += 1;
        }
        self.rank == other.rank
    }
}

/// The source addresses of a load relative to those of load 0, in all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceRoute {
    /// A constant away: one scalar of the wave.
    Uniform {
        /// In bytes, unless a pitch of the run time is in it.
        bytes: Option<i64>,
        /// In steps along the source's dimensions, if they are the same in all lanes.
        steps: Option<Steps>,
    },
    /// Load 0's, xor-ed with a constant.
    Xor {
        /// The constant for the byte address of a tile that begins at a multiple of the next power of two.
        bytes: Option<u64>,
        /// The constants for the coordinate, dimension by dimension.
        coordinate: Option<List>,
    },
    /// Computed again.
    Computed,
}

impl SourceRoute {
    /// The bytes that are added, if they are and are known.
    #[must_use]
    pub const fn bytes(&self) -> Option<i64> {
        match self {
            Self::Uniform { bytes, .. } => *bytes,
            _ => None,
        }
    }

    /// The steps that are added, if they are.
    #[must_use]
    pub const fn steps(&self) -> Option<Steps> {
        match self {
            Self::Uniform { steps, .. } => *steps,
            _ => None,
        }
    }

    /// Returns whether the load is a constant away: then it takes one scalar for the wave, else an address for each lane.
    #[must_use]
    pub const fn is_uniform(&self) -> bool {
        matches!(self, Self::Uniform { .. })
    }
}

/// The constants that hold for all lanes so far.
#[derive(Clone, Copy)]
struct Common {
    sum: Option<i64>,
    steps: Option<Steps>,
    xor: Option<u64>,
    flips: Option<List>,
    is_first: bool,
}

impl Common {
    const fn new() -> Self {
        Self { sum: None, steps: None, xor: None, flips: None, is_first: true }
    }

    const fn add(
        &mut self,
        [from, to]: [&Unit; 2],
        bytes: Option<(u64, u64)>,
        distance: Option<i64>,
    ) {
        let (a, b) = (from.coordinate(), to.coordinate());
        let steps = Steps::between(&a, &b);
        let flips = flipped(&a, &b);
        let xor = match bytes {
            Some((from, to)) => Some(from ^ to),
            None => None,
        };
        let same_part = from.part() == to.part();
        if self.is_first {
            self.is_first = false;
            self.sum = distance;
            self.xor = xor;
            (self.steps, self.flips) =
                if same_part { (Some(steps), Some(flips)) } else { (None, None) };
            return;
        }
        if !matches!((self.sum, distance), (Some(a), Some(b)) if a == b) {
            self.sum = None;
        }
        if !matches!((self.xor, xor), (Some(a), Some(b)) if a == b) {
            self.xor = None;
        }
        if !matches!(&self.steps, Some(all) if same_part && all.is(&steps)) {
            self.steps = None;
        }
        if !matches!(&self.flips, Some(all) if same_part && all.is_same(&flips)) {
            self.flips = None;
        }
    }

    const fn route(&self, is_affine: bool) -> SourceRoute {
        let steps = if is_affine { self.steps } else { None };
        if self.sum.is_some() || steps.is_some() {
            return SourceRoute::Uniform { bytes: self.sum, steps };
        }
        if self.xor.is_some() || self.flips.is_some() {
            return SourceRoute::Xor { bytes: self.xor, coordinate: self.flips };
        }
        SourceRoute::Computed
    }
}

const fn flipped(a: &List, b: &List) -> List {
    let (mut flips, mut d) = (*a, 0);
    while d < a.len() {
        flips = flips.with(d, a.at(d) ^ b.at(d));
        d += 1;
    }
    flips
}

/// The bits of either.
const fn joined(a: &List, b: &List) -> List {
    let (mut all, mut d) = (*a, 0);
    while d < a.len() {
        all = all.with(d, a.at(d) | b.at(d));
        d += 1;
    }
    all
}

const fn are_disjoint(a: &List, b: &List) -> bool {
    let mut d = 0;
    while d < a.len() && a.at(d) & b.at(d) == 0 {
        d += 1;
    }
    d == a.len()
}

impl DirectLoad<'_> {
    /// Returns the source addresses of a load relative to those of load 0, in all lanes of all waves.
    ///
    /// # Panics
    ///
    /// Without such a load.
    #[must_use]
    #[track_caller]
    pub const fn route(&self, load: u32) -> SourceRoute {
        self.refuse_absent(0, load, 0);
        self.route_in(0, self.waves(), load)
    }

    /// Returns the route of a load within one wave: another wave may have another constant.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    /// use tiledesc::direct::{Source, SourceRoute};
    /// use tiledesc::prelude::*;
    ///
    /// // Rows of two chunks of 16 packs; from row 16 on the xor swaps these halves.
    /// layout! { type Tile = recipe::GemmXor<F16, M<32>, K<256>, KPack<8>>; }
    /// let plan = Tile::direct(Source::rows(256), &gfx950::global_load_lds_b32).waves(2).plan()?;
    /// assert_eq!([0, 1].map(|wave| plan.route_of(wave, 1).bytes()), [Some(256), Some(-256)]);
    /// assert!(matches!(plan.route(1), SourceRoute::Xor { bytes: Some(256), .. }));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Without such a wave or load.
    #[must_use]
    #[track_caller]
    pub const fn route_of(&self, wave: u32, load: u32) -> SourceRoute {
        self.refuse_absent(wave, load, 0);
        self.route_in(wave, wave + 1, load)
    }

    const fn route_in(&self, from: u32, to: u32, load: u32) -> SourceRoute {
        if let Some(lane_flips) = &self.lane_flips(from, to) {
            let route = self.linear_route(lane_flips, from, load);
            if route.is_uniform() {
                return route;
            }
        }
        self.compared(from, to, load)
    }

    /// Returns the coordinates of a load relative to those of load 0, in all lanes of all waves. An xor that may be no constant
    /// of source bytes is that of coordinates alone, for which no lane is computed where the map is linear.
    pub(super) const fn coordinate_route(
        &self,
        lane_flips: &Option<List>,
        load: u32,
    ) -> SourceRoute {
        match lane_flips {
            Some(lane_flips) => self.linear_route(lane_flips, 0, load),
            None => self.compared_by_columns(load),
        }
    }

    /// The bits of each index in which lanes of load 0 differ, if the map is linear: those of its columns, a unit for each
    /// bit of lane and wave.
    pub(super) const fn lane_flips(&self, from: u32, to: u32) -> Option<List> {
        if !self.is_linear() {
            return None;
        }
        let first = self.coordinate(from, 0, 0);
        let (mut flips, mut bit) = (flipped(&first, &first), 1);
        while bit < self.transfer().wave() {
            flips = joined(&flips, &flipped(&first, &self.coordinate(from, 0, bit)));
            bit <<= 1;
        }
        bit = 1;
        while bit < to - from {
            flips = joined(&flips, &flipped(&first, &self.coordinate(from + bit, 0, 0)));
            bit <<= 1;
        }
        Some(flips)
    }

    /// Returns the route of a load by a linear map: each lane's coordinate is xor-ed with one constant. If no lane flips a bit of
    /// it, that adds the same steps in all lanes; otherwise it does not: sums of different powers of two with signs, no two are
    /// equal.
    const fn linear_route(&self, lane_flips: &List, wave: u32, load: u32) -> SourceRoute {
        let flips = self.flips(wave, load);
        if !are_disjoint(lane_flips, &flips) {
            return SourceRoute::Xor { bytes: None, coordinate: Some(flips) };
        }
        let mut common = Common::new();
        self.compare(&mut common, wave, load, 1, true);
        common.route(self.request.source.is_affine())
    }

    /// The coordinate of a lane's unit. A linear map has no lane without one.
    const fn coordinate(&self, wave: u32, load: u32, lane: u32) -> List {
        match self.unit(wave, load, lane) {
            Some(unit) => unit.coordinate(),
            None => List::iota(0),
        }
    }

    const fn compared(&self, from: u32, to: u32, load: u32) -> SourceRoute {
        let (mut common, mut wave) = (Common::new(), from);
        while wave < to {
            if !self.compare(&mut common, wave, load, self.transfer().wave(), true) {
                return SourceRoute::Computed;
            }
            wave += 1;
        }
        common.route(self.request.source.is_affine())
    }

    /// Compares coordinates alone. Loads whose lanes follow the same columns are apart by one xor, which is one sum if no lane
    /// flips a bit of it.
    const fn compared_by_columns(&self, load: u32) -> SourceRoute {
        let (mut common, lane_flips, mut wave) = (Common::new(), self.flips_of_lanes(), 0);
        while wave < self.waves() {
            let follows = self.follows_columns(wave, 0) && self.follows_columns(wave, load);
            let lanes = if follows { 1 } else { self.transfer().wave() };
            if !self.compare(&mut common, wave, load, lanes, false) {
                return SourceRoute::Computed;
            }
            if let Some(lane_flips) = &lane_flips
                && follows
                && !are_disjoint(lane_flips, &self.flips(wave, load))
            {
                common.steps = None;
            }
            wave += 1;
        }
        common.route(self.request.source.is_affine())
    }

    /// The constant by which lane 0's coordinate differs from that of load 0.
    const fn flips(&self, wave: u32, load: u32) -> List {
        flipped(&self.coordinate(wave, 0, 0), &self.coordinate(wave, load, 0))
    }

    /// Compares the first lanes of a load with those of load 0, their bytes too if asked; returns whether each has one there.
    const fn compare(
        &self,
        common: &mut Common,
        wave: u32,
        load: u32,
        lanes: u32,
        has_bytes: bool,
    ) -> bool {
        let (mut lane, mut may_route) = (0, true);
        while lane < lanes {
            if let Some(to) = self.unit(wave, load, lane) {
                match self.unit(wave, 0, lane) {
                    Some(from) if has_bytes => self.compare_units(common, [&from, &to]),
                    Some(from) => common.add([&from, &to], None, None),
                    None => may_route = false,
                }
            }
            lane += 1;
        }
        may_route
    }

    const fn compare_units(&self, common: &mut Common, [from, to]: [&Unit; 2]) {
        let (a, b) = (from.coordinate(), to.coordinate());
        let parts = (to.part() as i64 - from.part() as i64) * self.data() as i64;
        let distance = match self.request.source.distance(&a, &b) {
            Ok(Some(elements)) => Some(elements * self.request.bits as i64 / 8 + parts),
            _ => None,
        };
        let bytes = match (self.source_of(from), self.source_of(to)) {
            (Some(from), Some(to)) => Some((from, to)),
            _ => None,
        };
        common.add([from, to], bytes, distance);
    }
}

#[cfg(test)]
mod tests;
