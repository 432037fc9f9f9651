//! The counters that a profiler should print of an access: rocprof's, or Nsight Compute's.

use crate::answer::judge::Judged;
use tiledesc::bank::counters::{Lds, Ncu};

/// The counters of all executions.
pub(crate) enum Expected {
    Rocprof(Lds),
    NsightCompute(Ncu),
}

impl Expected {
    pub(crate) fn of(one: &Judged<'_>) -> Self {
        let times = one.access.times;
        match one.chip.name().starts_with("sm_") {
            true => Self::NsightCompute(Ncu::of(&one.verdict).times(times)),
            false => Self::Rocprof(Lds::of(&one.verdict).times(times)),
        }
    }

    /// Each by the name that the profiler has for it.
    pub(crate) fn named(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Rocprof(lds) => vec![
                ("SQ_INSTS_LDS", lds.insts.to_string()),
                ("SQ_LDS_IDX_ACTIVE", lds.idx_active.to_string()),
                ("SQ_LDS_BANK_CONFLICT", lds.bank_conflict.to_string()),
                (
                    "Bank Conflicts/Access",
                    format!("{:.3}", lds.conflicts_per_access().unwrap_or(0.0)),
                ),
                ("Bank Conflict Rate", format!("{:.3} %", lds.conflict_rate().unwrap_or(0.0))),
            ],
            Self::NsightCompute(ncu) => vec![
                ("smsp__inst_executed_op_shared", ncu.requests.to_string()),
                ("memory_l1_wavefronts_shared", ncu.wavefronts.to_string()),
                ("memory_l1_wavefronts_shared_ideal", ncu.ideal.to_string()),
                ("excessive wavefronts", ncu.excessive().to_string()),
            ],
        }
    }
}
