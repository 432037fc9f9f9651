//! What bounds a loop: its accesses to LDS, or its matrix instructions.
//!
//! A conflict costs time only where LDS takes longer than what goes on beside it. Of one trip of a loop:
//!
//! ```text
//!   gfx942, 4 waves, a trip of each        cycles of the banks     of its pair's port   of its SIMD
//!   4 ds_read_b128, free                    4 x  8 = 32            4 x 16 = 64
//!   2 ds_read_b128, 4-way                   2 x 32 = 64            2 x 32 = 64
//!   4 v_mfma_f32_32x32x8_f16                                                            4 x 32 = 128
//!   all four waves                          384                    two a pair: 256      one a SIMD: 128
//!   without conflicts                       192                    192                  128
//! ```
//!
//! So this loop is LDS-bound by 3, and would be by 1.5 without conflicts. The rule, once for all chips, of the waves of a
//! workgroup:
//!
//! ```text
//!   LDS     the larger of  all cycles of the banks, and  the fuller pair's cycles of its port, where a chip has pairs
//!   matrix  the fullest SIMD's cycles; wave n is on SIMD n mod 4
//! ```
//!
//! No source says which SIMDs are a pair; the pairing with the least load on its fuller pair is assumed. A conflict is assumed
//! to keep a port busy no longer than the banks. This is a bound, not a time: it leaves out waits, other vector instructions,
//! issue slots, global memory, and conflicts between waves.

use crate::kernel::{Kernel, Reached};
use crate::moved::Move;
use crate::span::Span;
use crate::verdict::Ruling;
use model::Model;
use std::collections::BTreeSet;
use tiledesc::chip::Chip;

mod asked;
mod direct;
mod model;
mod quarters;
mod said;
mod stated;

pub use said::LEFT_OUT;
pub use stated::{Asked, Multiplied};

/// What bounds a loop or a kernel, of LDS and matrix instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// LDS, or shared memory.
    Memory,
    /// Matrix instructions, which take at least as long.
    Matrix,
    /// One of the two; which one depends on cycles that are not known.
    Open,
    /// The loop uses only one of the two.
    Nothing,
}

/// The cycles of a workgroup in LDS and in its matrix pipes: of a trip of a loop, or of each instruction once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The line of the source, or of the text, where a loop begins; `None` of the whole kernel, each instruction once.
    pub place: Option<String>,
    /// Cycles of LDS or shared memory.
    pub memory: Span,
    /// These cycles without conflicts.
    pub free: Span,
    /// Cycles of the fullest SIMD in matrix instructions.
    pub matrix: Span,
    /// Whether a figure is inferred.
    pub is_inferred: bool,
    /// The accesses, by their places among the kernel's.
    pub sites: Vec<usize>,
    /// The names of both units.
    units: [&'static str; 2],
    /// Whether the number of waves is unknown, and four are assumed.
    is_of_four: bool,
    /// The number of waves, if it is a trip that is stated and not read from code.
    stated: Option<u32>,
}

impl Bound {
    /// What bounds it.
    #[must_use]
    pub fn by(&self) -> By {
        self.by_either(self.memory)
    }

    /// What would bound it without conflicts.
    #[must_use]
    pub fn by_without_conflicts(&self) -> By {
        self.by_either(self.free)
    }

    fn by_either(&self, memory: Span) -> By {
        match () {
            () if memory == Span::NONE || self.matrix == Span::NONE => By::Nothing,
            () if memory.is_above(self.matrix) => By::Memory,
            () if self.matrix.is_no_less(memory) => By::Matrix,
            () => By::Open,
        }
    }

    /// The fewest cycles of both.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        self.memory.max(self.matrix).least()
    }
}

impl Kernel {
    /// What bounds each innermost loop, the dearest first, and then the whole kernel with each instruction once.
    ///
    /// ```
    /// use tiledesc_audit::{By, Options, audit};
    ///
    /// let text = "
    ///     .amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"
    ///     .type gemm,@function
    /// gemm:
    ///     v_lshlrev_b32_e32 v1, 7, v0     ; 128 bytes from lane to lane: 8-way
    /// again:
    ///     ds_read_b128 v[2:5], v1
    ///     v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]
    ///     s_cbranch_scc1 again
    ///     s_endpgm
    /// ";
    /// let options = Options { block: Some([256, 1, 1]), ..Options::default() };
    /// let bounds = audit(text, &options)?[0].bounds();
    /// assert_eq!((bounds[0].by(), bounds[0].by_without_conflicts()), (By::Memory, By::Matrix));
    /// assert_eq!(
    ///     bounds[0].to_string(),
    ///     "loop at line 7: LDS 256 cycles a trip, MFMA 32: LDS-bound by 8.00; without conflicts 32: MFMA-bound by 1.00"
    /// );
    /// # Ok::<(), tiledesc_audit::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> Vec<Bound> {
        self.bounds_of(&self.judged())
    }

    /// The bounds by the rulings of all waves.
    pub(crate) fn bounds_of(&self, judged: &[Vec<Ruling>]) -> Vec<Bound> {
        Model::new(self, judged, |_, _| None).bounds()
    }

    /// What bounds the loops with some accesses, and what would if their bytes were moved.
    pub(crate) fn bounds_after(
        &self,
        judged: &[Vec<Ruling>],
        to: &Move,
        sites: &[usize],
    ) -> Vec<[Bound; 2]> {
        let sites: BTreeSet<usize> = sites.iter().copied().collect();
        let moved = |site: usize, reached: &Reached| {
            sites.contains(&site).then(|| self.moved(site, reached, to)).flatten()
        };
        let touches =
            |one: &Bound| one.place.is_some() && one.sites.iter().any(|at| sites.contains(at));
        let then = Model::new(self, judged, moved).bounds();
        let now = self.bounds_of(judged).into_iter().filter(touches);
        let pair = |now: Bound| {
            let then = then.iter().find(|one| one.place == now.place && one.sites == now.sites)?;
            Some([now.clone(), then.clone()])
        };
        now.filter_map(pair).collect()
    }
}

/// The names of both units.
fn units(chip: &Chip) -> [&'static str; 2] {
    match chip.product() {
        name if name.starts_with("sm_") => ["shared memory", "MMA"],
        name if name.starts_with("gfx9") => ["LDS", "MFMA"],
        _ => ["LDS", "WMMA"],
    }
}
