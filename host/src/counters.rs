//! The counts that the profiler should print.
//!
//! A verdict counts cycles; a profiler prints counters and formulas over them.
//! This file is the dictionary, so that a prediction and a profile can be laid
//! side by side. For a 16-row `ds_read_b128` of a row-major 128x64 fp16 tile on
//! gfx942:
//!
//! | | counter or metric | predicted |
//! |---|---|---|
//! | rocprof | `SQ_LDS_BANK_CONFLICT`, `SQ_LDS_IDX_ACTIVE` | 24, 32 an instruction |
//! | rocprof-compute panel 12 | Bank Conflicts/Access | 3.0 |
//! | | Bank Conflict Rate | 9.375 % |
//! | | Theoretical Bandwidth | 1024 bytes |
//!
//! The rate is conflicts / 32 in percent of the conflict-free cycles, so it is not
//! comparable across widths: in the worst case a `ds_read_b32` shows 96.875 %, a
//! `ds_read_b128` 21.875 %. Look at the degree as well.
//!
//! Formulas: ROCm/rocm-systems, rocprofiler-compute,
//! `1200_local_data_share_lds.yaml`, and rocprofiler-sdk `counter_defs.yaml`
//! (August 2025); for NVIDIA the metric names are Nsight Compute's. rocprof-compute
//! takes 32 banks for every chip, gfx950 included, and so does this file. Not
//! predicted: `SQ_LDS_ADDR_CONFLICT` (atomics), `SQ_LDS_UNALIGNED_STALL`,
//! latency, and whatever arbitration between waves adds. On gfx1201 the conflict
//! counter always reads 0.

use tiledesc::bank::{Conflicts, Verdict};

/// The LDS counters of rocprof, and what rocprof-compute's panel 12 makes of them.
///
/// ```
/// use tiledesc::{prelude::*, chip::gfx942};
/// use tiledesc_host::counters::Lds;
///
/// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
/// let read = Plain::verdict::<MfmaRows<16>>(&gfx942::ds_read_b128).unwrap();
/// // A kernel that reads 1000 tiles so, by 16 instructions each.
/// let kernel = Lds::from_verdict(&read).times(1000);
/// assert_eq!((kernel.bank_conflict, kernel.idx_active), (384_000, 512_000));
/// assert_eq!(kernel.conflicts_per_access(), Some(3.0));
/// assert_eq!(kernel.conflict_rate(), Some(9.375));
/// assert_eq!(kernel.theoretical_bytes(), 16_384_000);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lds {
    /// `SQ_INSTS_LDS`: wave instructions.
    pub insts: u64,
    /// `SQ_LDS_IDX_ACTIVE`, panel 12 "Index Accesses": cycles, with conflicts.
    pub idx_active: u64,
    /// `SQ_LDS_BANK_CONFLICT`, panel 12 "Bank Conflict": cycles.
    pub bank_conflict: u64,
}

impl Lds {
    /// rocprof-compute's `lds_banks_per_cu`, for every chip.
    const BANKS: u64 = 32;

    /// The counters of all instructions of a verdict.
    #[must_use]
    pub const fn from_verdict(verdict: &Verdict<'_>) -> Self {
        Self {
            insts: verdict.instructions(),
            idx_active: verdict.active_cycles(),
            bank_conflict: verdict.conflict_cycles(),
        }
    }

    /// The counters of one instruction.
    #[must_use]
    pub const fn of_one(conflicts: &Conflicts) -> Self {
        Self {
            insts: 1,
            idx_active: conflicts.active_cycles() as u64,
            bank_conflict: conflicts.conflict_cycles as u64,
        }
    }

    /// The counters of `count` executions.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self {
            insts: self.insts * count,
            idx_active: self.idx_active * count,
            bank_conflict: self.bank_conflict * count,
        }
    }

    /// The sum of both.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let read = Lds { insts: 1, idx_active: 32, bank_conflict: 24 };
    /// let write = Lds { insts: 1, idx_active: 8, bank_conflict: 0 };
    /// assert_eq!(read.plus(write), Lds { insts: 2, idx_active: 40, bank_conflict: 24 });
    /// ```
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            insts: self.insts + other.insts,
            idx_active: self.idx_active + other.idx_active,
            bank_conflict: self.bank_conflict + other.bank_conflict,
        }
    }

    /// Cycles without conflicts.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let kernel = Lds { insts: 1000, idx_active: 32_000, bank_conflict: 24_000 };
    /// assert_eq!(kernel.accesses(), 8_000);
    /// ```
    #[must_use]
    pub const fn accesses(self) -> u64 {
        self.idx_active - self.bank_conflict
    }

    /// Panel 12.2 "Theoretical Bandwidth", in bytes: what the cycles without conflicts
    /// could have moved. A `ds_read_b32` counts 256 per wave, however few lanes are
    /// active.
    #[must_use]
    pub const fn theoretical_bytes(self) -> u64 {
        self.accesses() * 4 * Self::BANKS
    }

    /// Panel 12.2 "Bank Conflicts/Access"; `None` without accesses.
    #[must_use]
    pub fn conflicts_per_access(self) -> Option<f64> {
        ratio(self.bank_conflict, self.accesses())
    }

    /// Panel 12.1 "Bank Conflict Rate", in percent: at most 96.875.
    #[must_use]
    pub fn conflict_rate(self) -> Option<f64> {
        Some(100.0 / Self::BANKS as f64 * self.conflicts_per_access()?)
    }

    /// Panel 12.1 "Utilization", in percent of the cycles of `cus` compute units.
    /// `gui_active` is `GRBM_GUI_ACTIVE` of one die.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let kernel = Lds { insts: 1000, idx_active: 32_000, bank_conflict: 24_000 };
    /// assert_eq!(kernel.utilization(64_000, 4), Some(12.5));
    /// ```
    #[must_use]
    pub fn utilization(self, gui_active: u64, cus: u32) -> Option<f64> {
        Some(100.0 * ratio(self.idx_active, gui_active.checked_mul(u64::from(cus))?)?)
    }

    /// Panel 12.1 "Theoretical Bandwidth", in percent of the peak of `cus` compute
    /// units at `max_sclk` MHz, for a kernel of `nanoseconds`.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let kernel = Lds { insts: 1000, idx_active: 32_000, bank_conflict: 24_000 };
    /// // 1,024,000 bytes in 10 us are 102.4 a ns; one unit at 2000 MHz has 256 bytes a ns.
    /// let percent = kernel.bandwidth_percent(10_000.0, 2000.0, 1);
    /// assert!((percent - 40.0).abs() < 1e-9);
    /// ```
    #[must_use]
    pub fn bandwidth_percent(self, nanoseconds: f64, max_sclk: f64, cus: u32) -> f64 {
        let peak = max_sclk * f64::from(cus) * 0.00128;
        self.theoretical_bytes() as f64 / nanoseconds / peak
    }

    /// rocprof's derived `LDSBankConflict` on gfx9, in percent of the kernel's cycles.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let kernel = Lds { insts: 1000, idx_active: 32_000, bank_conflict: 24_000 };
    /// // Of 64,000 cycles on 4 compute units.
    /// assert_eq!(kernel.lds_bank_conflict(64_000, 4), Some(9.375));
    /// ```
    #[must_use]
    pub fn lds_bank_conflict(self, gui_active: u64, cus: u32) -> Option<f64> {
        Some(100.0 * ratio(self.bank_conflict, gui_active.checked_mul(u64::from(cus))?)?)
    }

    /// rocprof's derived `LDSBankConflict` on gfx10, gfx11 and gfx12, in percent of
    /// the active cycles.
    ///
    /// ```
    /// use tiledesc_host::counters::Lds;
    ///
    /// let kernel = Lds { insts: 1000, idx_active: 32_000, bank_conflict: 24_000 };
    /// assert_eq!(kernel.lds_bank_conflict_rdna(), Some(75.0));
    /// ```
    #[must_use]
    pub fn lds_bank_conflict_rdna(self) -> Option<f64> {
        Some(100.0 * ratio(self.bank_conflict, self.idx_active)?)
    }
}

/// The shared-memory counters of Nsight Compute.
///
/// For a warp in which all lanes of a phase are inactive the counts are inferred: that such a phase costs a wavefront was
/// measured on MI200 only.
///
/// ```
/// use tiledesc::{access, bank, chip::sm_80};
/// use tiledesc_host::counters::Ncu;
///
/// // A column of a 32x32 tile of floats.
/// let column = access::Addresses::from_fn(|lane| (lane < 32).then_some(128 * lane));
/// let found = bank::conflicts(&column, &sm_80::ld_shared_b32).unwrap();
/// let counters = Ncu::of_one(&found);
/// assert_eq!((counters.wavefronts, counters.ideal, counters.excessive()), (32, 1, 31));
/// assert_eq!(counters.n_way(), Some(32.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ncu {
    /// `smsp__inst_executed_op_shared_ld` or `_st`: warp instructions.
    pub requests: u64,
    /// `memory_l1_wavefronts_shared`;
    /// `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld` or `_st`.
    pub wavefronts: u64,
    /// `memory_l1_wavefronts_shared_ideal`.
    pub ideal: u64,
}

impl Ncu {
    /// The counters of all instructions of a verdict.
    #[must_use]
    pub const fn from_verdict(verdict: &Verdict<'_>) -> Self {
        Self {
            requests: verdict.instructions(),
            wavefronts: verdict.active_cycles(),
            ideal: verdict.base_cycles(),
        }
    }

    /// The counters of one instruction.
    #[must_use]
    pub const fn of_one(conflicts: &Conflicts) -> Self {
        Self {
            requests: 1,
            wavefronts: conflicts.active_cycles() as u64,
            ideal: conflicts.base_cycles as u64,
        }
    }

    /// The counters of `count` executions.
    #[must_use]
    pub const fn times(self, count: u64) -> Self {
        Self {
            requests: self.requests * count,
            wavefronts: self.wavefronts * count,
            ideal: self.ideal * count,
        }
    }

    /// The sum of both.
    ///
    /// ```
    /// use tiledesc_host::counters::Ncu;
    ///
    /// let column = Ncu { requests: 1, wavefronts: 32, ideal: 1 };
    /// let row = Ncu { requests: 1, wavefronts: 1, ideal: 1 };
    /// assert_eq!(column.plus(row).excessive(), 31);
    /// ```
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            wavefronts: self.wavefronts + other.wavefronts,
            ideal: self.ideal + other.ideal,
        }
    }

    /// `derived__memory_l1_wavefronts_shared_excessive`. The hardware counter
    /// `l1tex__data_bank_conflicts_pipe_lsu_mem_shared` is this plus what arbitration
    /// adds: 1.8 % in a published case.
    #[must_use]
    pub const fn excessive(self) -> u64 {
        self.wavefronts - self.ideal
    }

    /// `derived__memory_l1_conflicts_shared_nway`: wavefronts per request. A
    /// conflict-free 128-bit access shows 4, which is not a conflict.
    #[must_use]
    pub fn n_way(self) -> Option<f64> {
        ratio(self.wavefronts, self.requests)
    }
}

fn ratio(of: u64, to: u64) -> Option<f64> {
    (to > 0).then(|| of as f64 / to as f64)
}
