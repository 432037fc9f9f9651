//! The verdict on one access on one chip.

use crate::report::baseline::{self, Since};
use schemars::JsonSchema;
use serde::Serialize;
use tiledesc_host::counters::{Lds, Ncu};

/// The verdict on one access on one chip.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Access {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of that line, from 1.
    pub column: usize,
    /// Direction.
    #[schemars(extend("enum" = ["read", "write"]))]
    pub access: &'static str,
    /// Name that the file gives the access, if it gives one.
    pub name: Option<String>,
    /// Chip.
    pub chip: &'static str,
    /// Instruction.
    pub op: String,
    /// Pattern as the file has it: of a distribution with a name, the name.
    pub by: String,
    /// How often the access is executed.
    pub times: u64,
    /// What is found by the row's own source, whatever degree is allowed.
    pub outcome: Outcome,
    /// What becomes of it with the degree and the evidence that are asked for.
    pub ruling: Ruling,
    /// Neither a conflict, by the row's own source, nor a race.
    pub free: bool,
    /// Degree by the row's own source; 1 is free.
    pub degree: u32,
    /// Degree by any source that counts.
    pub worst_degree: u32,
    /// Wave instructions of the pattern.
    pub instructions: u64,
    /// Cycles without conflicts, of all instructions, once.
    pub base_cycles: u64,
    /// Cycles that conflicts add.
    pub conflict_cycles: u64,
    /// The sum of both.
    pub active_cycles: u64,
    /// Two lanes that meet, or write one byte.
    pub meeting: Option<Meeting>,
    /// Bytes of a read that no stated write of the tile covers.
    pub unwritten: Option<Unwritten>,
    /// What takes fewer cycles on the layout as it is: the same elements by the same lanes, in another order.
    pub reordered: Option<Reordered>,
    /// How sure the row is.
    pub evidence: Evidence,
    /// What a profiler should print for `times` executions.
    pub counters: Counters,
    /// What is found, as a sentence.
    pub sentence: String,
    /// `fragments gfx942 ds_read_b128 mfma-rows 16`
    pub title: String,
    /// How to accept evidence that is too weak.
    pub advice: Option<String>,
    /// The degree that the file accepts of it, if it does.
    pub accepted: Option<Accepted>,
    /// What has become of it since an earlier report, if it is compared with one.
    pub since: Option<Since>,
    /// What it was then, if it is better or worse: `4-way`
    pub before: Option<String>,
    /// Where data chooses the bytes of the lanes, all else is of what waits longest: and this is what else there is.
    pub data: Option<Data>,
}

/// What comes of data that chooses the bytes of the lanes.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Data {
    /// Degree of the best that was found; 1 is free.
    pub best_degree: u32,
    /// Number of draws, each lane for itself, all values alike.
    pub draws: u32,
    /// Cycles of all draws.
    pub cycles_of_draws: u64,
}

impl Data {
    /// `; at best free; on average 3.40 cycles where 1 would do (1000 draws)`
    fn words(self, base_cycles: u64) -> String {
        let Self { best_degree, draws, cycles_of_draws } = self;
        let best = match best_degree {
            0 | 1 => "free".to_string(),
            degree => format!("{degree}-way, of what was tried"),
        };
        let mean = cycles_of_draws as f64 / f64::from(draws);
        // Where the phases depend on where lanes are, the worst may have more of them than most draws.
        let least = match mean >= base_cycles as f64 {
            true => format!(" where {base_cycles} would do"),
            false => String::new(),
        };
        format!("; at best {best}; on average {mean:.2} cycles{least} ({draws} draws)")
    }
}

/// A degree that the file accepts of an access.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Accepted {
    /// The highest degree that passes.
    pub max_degree: u32,
    /// Why.
    pub reason: String,
}

impl Accepted {
    /// ` (4-way accepted: TMA writes it)`
    fn words(&self, outcome: Outcome) -> String {
        let Self { max_degree, reason } = self;
        match outcome {
            Outcome::Free => format!(" (max_degree = {max_degree} is not needed)"),
            _ => format!(" ({max_degree}-way accepted: {reason})"),
        }
    }
}

/// What is found of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Neither a conflict nor a race.
    Free,
    /// Lanes wait for each other.
    Conflict,
    /// Two lanes write one byte.
    Race,
}

/// What becomes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// It is free, or within the degree that is allowed, or no worse than in an earlier report; an instruction of a kernel
    /// may also be only listed.
    Passes,
    /// It conflicts, by the row's own source, or by the one that the file says counts.
    Conflicts,
    /// Two lanes write one byte; in a compiled kernel, different values.
    Races,
    /// It would pass, but not on this evidence; an instruction of a kernel is unknown, or may be a data race.
    Weak,
    /// It would pass, but it reads bytes that no write of the tile covers.
    Unwritten,
}

impl Ruling {
    /// Returns whether it fails the run without `--strict`.
    #[must_use]
    pub fn is_conflict(self) -> bool {
        matches!(self, Self::Conflicts | Self::Races)
    }
}

/// Two lanes that meet.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Meeting {
    /// Whether they write the same byte.
    pub race: bool,
    /// Number of the instruction of the pattern.
    pub instruction: u64,
    /// Phase in which they meet.
    pub phase: usize,
    /// Bank, if they meet in one.
    pub bank: Option<u32>,
    /// Lanes.
    pub lanes: [usize; 2],
    /// Coordinates that they address.
    pub coordinates: [Vec<u32>; 2],
    /// Their bytes.
    pub bytes: [u32; 2],
}

/// Bytes of a read that no write of the tile covers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Unwritten {
    /// Number of such bytes in the whole access.
    pub bytes: u64,
    /// The first instruction that reads one.
    pub instruction: u64,
    /// Its first lane that does.
    pub lane: usize,
    /// Where that lane begins; null in a tile of bytes.
    pub coordinate: Option<Vec<u32>>,
    /// The first such byte of that lane.
    pub byte: u64,
    /// `reads 256 bytes that no stated write covers, first in instruction 0: lane 0, byte 1024`
    pub sentence: String,
}

/// An access in the order of the fewest cycles.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reordered {
    /// Instruction.
    pub op: &'static str,
    /// The numbers of `by = "split 2 4 .."`: parts, and the lane that crosses them.
    pub split: [u32; 2],
    /// Cycles of `times` executions.
    pub cycles: u64,
    /// Whether it is free by any source.
    pub free: bool,
    /// `free with two ds_read_b64 in place of each ds_read_b128, ..: 128 cycles`
    pub sentence: String,
}

/// How sure the row of an instruction is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Evidence {
    /// The weakest that the verdict rests on.
    #[schemars(extend("enum" = ["measured", "documented", "inferred"]))]
    pub level: &'static str,
    /// Who says so, or from what it is inferred.
    pub source: &'static str,
    /// Whether sources disagree on the row, and the file does not say by which it goes.
    pub disputed: bool,
    /// Degree by the source that disputes the row, if there is one.
    pub rival_degree: Option<u32>,
}

/// The counters that a profiler should print: rocprof's, or Nsight Compute's.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the names are the profilers'")]
pub enum Counters {
    Rocprof { sq_insts_lds: u64, sq_lds_idx_active: u64, sq_lds_bank_conflict: u64 },
    NsightCompute { requests: u64, wavefronts: u64, wavefronts_ideal: u64 },
}

impl Counters {
    /// Returns each by the name that the profiler has for it.
    pub(crate) fn named(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Rocprof { sq_insts_lds, sq_lds_idx_active, sq_lds_bank_conflict } => {
                let (insts, idx_active) = (sq_insts_lds, sq_lds_idx_active);
                let lds = Lds { insts, idx_active, bank_conflict: sq_lds_bank_conflict };
                let (ratio, rate) = (lds.conflicts_per_access(), lds.conflict_rate());
                vec![
                    ("SQ_INSTS_LDS", insts.to_string()),
                    ("SQ_LDS_IDX_ACTIVE", idx_active.to_string()),
                    ("SQ_LDS_BANK_CONFLICT", sq_lds_bank_conflict.to_string()),
                    ("Bank Conflicts/Access", format!("{:.3}", ratio.unwrap_or(0.0))),
                    ("Bank Conflict Rate", format!("{:.3} %", rate.unwrap_or(0.0))),
                ]
            }
            Self::NsightCompute { requests, wavefronts, wavefronts_ideal: ideal } => vec![
                ("smsp__inst_executed_op_shared", requests.to_string()),
                ("memory_l1_wavefronts_shared", wavefronts.to_string()),
                ("memory_l1_wavefronts_shared_ideal", ideal.to_string()),
                (
                    "excessive wavefronts",
                    Ncu { requests, wavefronts, ideal }.excessive().to_string(),
                ),
            ],
        }
    }
}

impl Access {
    /// Returns what is found, with how to accept it, or what the file accepts, and what has become of it:
    /// `4-way in phase 0: .. (known)`.
    #[must_use]
    pub fn found(&self) -> String {
        let accepted = self.accepted.as_ref().map(|one| one.words(self.outcome));
        let since = baseline::words(self.since, self.before.as_deref());
        let advice = self.advice.as_deref().unwrap_or_default();
        let accepted = accepted.unwrap_or_default();
        // What is free at worst is free.
        let [worst, data] = match self.data.filter(|_| !self.free) {
            Some(data) => ["at worst ".to_string(), data.words(self.base_cycles)],
            None => [String::new(), String::new()],
        };
        format!("{worst}{}{data}{advice}{accepted}{since}", self.sentence)
    }

    /// Returns the title, and what is found: `gfx942 ds_read_b128 mfma-rows 16  4-way in phase 0: ..`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}  {}", self.title, self.found())
    }

    /// Returns `note: reads 256 bytes that no stated write covers, ..`; without the word where that is why the access
    /// does not pass.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let word = if self.ruling == Ruling::Unwritten { "" } else { "note: " };
        self.unwritten.as_ref().map(|unwritten| format!("{word}{}", unwritten.sentence))
    }

    /// Returns whether another source finds it worse, and the file does not say by which to go.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.worst_degree > self.degree.max(1)
    }

    /// Orders accesses by how bad they are, a data race worst.
    #[must_use]
    pub fn badness(&self) -> (bool, u32, u32) {
        (self.outcome == Outcome::Race, self.degree, self.worst_degree)
    }
}
