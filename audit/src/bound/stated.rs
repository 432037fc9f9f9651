//! The bound of a loop that is stated, before a kernel exists: what each trip does to LDS, and its matrix instructions.
//!
//! ```text
//!   matrix = { op = "v_mfma_f32_16x16x32_f16", times = 64 }     gfx950, 4 waves: 64 x 16 = 1024 cycles of each SIMD
//!   read 128x64 halves, ds_read_b128, times = 4                 4 x 16 instructions of 4 cycles: 256 of the banks
//! ```
//!
//! Accesses are spread evenly over the waves, so that two of four waves on one pair of SIMDs are half of all.

use super::{Bound, units};
use crate::matrix::{Matrix, QUARTERS};
use crate::span::Span;
use tiledesc::chip::{Chip, Evidence, Instruction};
use tiledesc::warp_gemm;

/// What a trip does to LDS by one kind of access: of all waves.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'r> {
    /// The row.
    pub row: &'r Instruction,
    /// Instructions.
    pub instructions: u64,
    /// Cycles of all.
    pub cycles: u64,
    /// These cycles without conflicts.
    pub free: u64,
}

/// Matrix instructions of each wave of a trip.
#[derive(Clone, Copy, Debug)]
pub struct Multiplied<'n> {
    /// The name: `v_mfma_f32_16x16x32_f16`, `mma.m16n8k16.f32.f16.f16.f32`.
    pub op: &'n str,
    /// How often each wave executes it.
    pub times: u64,
}

impl Bound {
    /// What bounds a trip of `waves` waves that is stated; `None` if the chip has no such matrix instruction.
    ///
    /// ```
    /// use tiledesc::chip::{find, gfx942};
    /// use tiledesc_audit::{Asked, Bound, By, Multiplied};
    ///
    /// // 64 reads of 16 bytes a lane, 2-way: 16 cycles each in place of 8.
    /// let read = Asked { row: &gfx942::ds_read_b128, instructions: 64, cycles: 1024, free: 512 };
    /// let matrix = Multiplied { op: "v_mfma_f32_32x32x8_f16", times: 24 };
    /// let bound = Bound::stated(find("gfx942")?, 4, &[read], &[matrix]).unwrap();
    /// assert_eq!(bound.by(), By::Memory);
    /// assert_eq!(
    ///     bound.to_string(),
    ///     "a trip of 4 waves: LDS 1024 cycles, MFMA 768: LDS-bound by 1.33; without conflicts 512: MFMA-bound by 1.50"
    /// );
    /// # Ok::<(), tiledesc::chip::ChipError>(())
    /// ```
    #[must_use]
    pub fn stated(
        chip: &'static Chip,
        waves: u32,
        asked: &[Asked<'_>],
        matrix: &[Multiplied<'_>],
    ) -> Option<Self> {
        let waves = waves.max(1);
        let ports = chip.ports();
        let pairs = ports.filter(|ports| ports.count() > Some(1));
        let port = |one: &Asked<'_>| {
            let cycles = pairs.and_then(|ports| ports.cycles(one.row));
            cycles.map_or(0, |cycles| u64::from(cycles).saturating_mul(one.instructions))
        };
        let sum =
            |of: &dyn Fn(&Asked<'_>) -> u64| asked.iter().map(of).fold(0, u64::saturating_add);
        // A pair's port is busy for as long as the banks at least.
        let memory = |of: &dyn Fn(&Asked<'_>) -> u64| {
            let pair = sum(&|one| if pairs.is_some() { port(one).max(of(one)) } else { 0 });
            let pair = u128::from(pair) * u128::from(of_pair(waves)) / u128::from(waves);
            Span::exactly(sum(of).max(u64::try_from(pair).unwrap_or(u64::MAX)))
        };
        let mut pipe = Span::NONE;
        let mut is_inferred =
            asked.iter().any(|one| one.row.service().evidence == Evidence::Inferred);
        is_inferred |=
            !asked.is_empty() && ports.is_some_and(|ports| ports.evidence() == Evidence::Inferred);
        let rounds = u64::from(waves.div_ceil(QUARTERS as u32));
        for one in matrix {
            let cycles = Matrix::named(chip, one.op)?;
            is_inferred |= cycles.is_inferred;
            pipe = pipe + cycles.pipe.times(one.times.saturating_mul(rounds));
        }
        Some(Self {
            place: None,
            memory: memory(&|one| one.cycles),
            free: memory(&|one| one.free),
            matrix: pipe,
            is_inferred,
            sites: Vec::new(),
            units: units(chip),
            is_of_four: false,
            stated: Some(waves),
        })
    }
}

/// Waves of the fuller pair of SIMDs, in the best of the pairings.
const fn of_pair(waves: u32) -> u32 {
    2 * (waves / 4) + [0, 1, 1, 2][(waves % 4) as usize]
}

impl Matrix {
    /// An instruction by its name; `None` if the chip has no such one.
    fn named(chip: &Chip, op: &str) -> Option<Self> {
        let found = warp_gemm::find(chip, op).ok()?;
        if !chip.name().starts_with("sm_") {
            return Some(Self::of_amd(0, found.name(), chip));
        }
        let mut words = found.name().split('.').skip(2);
        let types = [words.next()?, words.next()?];
        let shape = [found.m(), found.n(), found.k()].map(u64::from);
        let warps = if found.name().starts_with("wgmma") { QUARTERS as u64 } else { 1 };
        Some(Self::of_nvidia(0, shape, types, warps, chip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The best pairing of the waves' SIMDs, by trying all three.
    #[test]
    fn pairs() {
        for waves in 1..64 {
            let mut simds = [0; 4];
            (0..waves).for_each(|wave| simds[wave % 4] += 1);
            let pairings = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];
            let fuller = |[a, b]: [[usize; 2]; 2]| {
                [a, b].map(|[x, y]| simds[x] + simds[y]).into_iter().max().unwrap()
            };
            assert_eq!(
                pairings.map(fuller).into_iter().min(),
                Some(of_pair(waves as u32)),
                "{waves}"
            );
        }
    }
}
