//! Compiled kernels: what `audit` finds.

use crate::report::access::Ruling;
use crate::report::baseline::{self, Baseline, Since};
use crate::report::bound::Bound;
use crate::report::status::Status;
use schemars::JsonSchema;
use serde::Serialize;

/// What `tiledesc audit --format json` prints: one object.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(title = "tiledesc.audit/1")]
pub struct Audit {
    /// Name of this schema.
    #[schemars(extend("const" = "tiledesc.audit/1"))]
    pub schema: &'static str,
    /// Name of the tool.
    #[schemars(extend("const" = "tiledesc"))]
    pub tool: &'static str,
    /// Version of the tool.
    pub version: &'static str,
    /// Exit status.
    #[schemars(with = "u8", range(max = 3))]
    pub status: Status,
    /// The highest degree that passes.
    pub max_degree: u32,
    /// Whether unknown addresses and weak evidence are refused.
    pub strict: bool,
    /// Whether lanes may write different values to one byte.
    pub allow_races: bool,
    /// Texts, in the order of the command line; of folders the dearest first.
    pub files: Vec<File>,
    /// The earlier report that it is compared with.
    pub baseline: Option<Baseline>,
    /// Files of folders that are no texts of kernels.
    pub left_out: Vec<String>,
}

/// A text with its kernels, or the reason that it cannot be judged.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct File {
    /// The file, or `<stdin>`.
    pub file: String,
    /// Kernels of a text that is judged; of a folder the dearest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernels: Option<Vec<Kernel>>,
    /// Why further kernels of a text are not judged, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Why a text is not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// A compiled kernel.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Kernel {
    /// The name that the text has.
    pub name: String,
    /// `attn, gfx942, 4 waves of 64, 118 LDS instructions, all addresses known`
    pub kernel: String,
    /// Chip that it is judged on.
    pub chip: &'static str,
    /// Target of the text, if that is another one.
    pub compiled_for: Option<String>,
    /// The highest degree, by the rows' own sources.
    pub worst_degree: u32,
    /// Cycles of all instructions, each executed once by one wave.
    pub cycles: u64,
    /// These cycles without conflicts.
    pub cycles_without_conflicts: u64,
    /// Instructions, those that are alike in one line: of loops first, the dearest first, then others in the order of the
    /// program.
    pub instructions: Vec<Line>,
    /// Registers, spills and LDS, as far as the text says: `208 vector registers, 24 scalar registers, none spilled`
    pub resources: Option<Resources>,
    /// `118 LDS instructions: 40 with conflicts; 4672 cycles where 768 would do, each executed once`
    pub sum: String,
    /// What bounds each innermost loop, the dearest first, and then the whole kernel: a bound, not a time. Waits, other
    /// instructions and global memory are left out, and wave n is taken to be on SIMD n mod 4.
    pub bounds: Vec<Bound>,
    /// The number of bounds that text prints, from the first on.
    #[serde(skip)]
    pub(crate) said: usize,
    /// Loads from global memory and stores to it, those that are alike in one line, in the order of the program.
    pub global: Vec<GlobalLine>,
    /// `global memory: 12 instructions: 10 touch the fewest sectors, 2 more than the fewest`
    pub global_sum: Option<String>,
    /// Writes and reads of one byte by two waves that no barrier orders: perhaps data races, which a run does not fail for.
    pub unordered: Vec<Unordered>,
    /// What would be better, a region each.
    pub better: Vec<Better>,
    /// Why nothing better is looked for, where some access has conflicts.
    pub silence: Option<String>,
    /// What becomes of the accesses that a file states.
    pub against: Option<Against>,
}

/// What a kernel takes of a CU or an SM; null where the text does not say.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Resources {
    /// Vector registers of a lane, or the registers of a thread.
    pub registers: Option<u32>,
    /// Scalar registers of a wave.
    pub scalars: Option<u32>,
    /// Registers that were spilled.
    pub spilled: Option<u32>,
    /// Bytes of scratch memory of a lane.
    pub scratch: Option<u32>,
    /// Bytes of LDS or shared memory that the text declares.
    pub lds: Option<u32>,
    /// Waves of a SIMD at most, as the compiler says.
    pub occupancy: Option<u32>,
    /// All of this as a sentence.
    pub sentence: String,
}

/// Instructions that are alike: of one name, one line of the source, one depth of loops, and one outcome.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Line {
    /// What becomes of them with the degree and the evidence that are asked for.
    pub ruling: Ruling,
    /// Where they stand: `attention.py:13`, or the line of the text.
    pub place: String,
    /// The line of the source, and the calls that were inlined there, the innermost first; empty if the text names none.
    pub source: Vec<Frame>,
    /// Their name.
    pub opcode: String,
    /// Their lines in the text, from 1.
    pub lines: Vec<usize>,
    /// Number of loops around them.
    pub loops: u32,
    /// What is found by the rows' own sources, whatever degree is allowed.
    pub outcome: LineOutcome,
    /// Degree of the worst, by the row's own source.
    pub degree: Option<u32>,
    /// Degree by the source that disputes the row, if there is one.
    pub rival_degree: Option<u32>,
    /// Two lanes that write one byte.
    pub race: Option<Race>,
    /// How sure the row is.
    #[schemars(extend("enum" = ["measured", "documented", "inferred", null]))]
    pub evidence: Option<&'static str>,
    /// Number of the worst wave in its block.
    pub wave: Option<usize>,
    /// Two lanes that wait for each other.
    pub lanes: Option<[usize; 2]>,
    /// Their bytes.
    pub bytes: Option<[u32; 2]>,
    /// Cycles of all, each executed once by one wave.
    pub cycles: u64,
    /// These cycles without conflicts.
    pub cycles_without_conflicts: u64,
    /// The innermost loop that they are in: which of the kernel's bounds, from 0.
    pub bound: Option<usize>,
    /// Whether they conflict in a loop that is matrix-bound with and without these conflicts.
    pub is_hidden: bool,
    /// What is found, as a sentence.
    pub found: String,
    /// What has become of them since an earlier report, if they are compared with one; of several the worst.
    pub since: Option<Since>,
    /// What they were then, if they are better or worse: `4-way`
    pub before: Option<String>,
}

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Frame {
    /// The file with its folders, as the compiler was told.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// Instructions on global memory that are alike.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GlobalLine {
    /// Line of the source, `attention.py:13`, or of the text.
    pub place: String,
    /// The line of the source, and the calls that were inlined there, the innermost first; empty if the text names none.
    pub source: Vec<Frame>,
    /// Name of the instruction.
    pub opcode: String,
    /// Lines in the text, from 1.
    pub lines: Vec<usize>,
    /// The number of loops that they are in.
    pub loops: u32,
    /// Bytes of each lane.
    pub bytes: u32,
    /// Whether some base lets one of them touch no more than its bytes need; null if its addresses are not known.
    pub is_least: Option<bool>,
    /// The least that holds the bytes of one of them.
    pub least: Option<Touched>,
    /// What one of them touches with the best base that its alignment allows.
    pub best: Option<Touched>,
    /// What it touches with the worst.
    pub worst: Option<Touched>,
    /// What is found, as a sentence.
    pub found: String,
    /// Whether text lists it.
    #[serde(skip)]
    pub(crate) is_listed: bool,
}

/// Lines of a cache, and the sectors of them that are fetched.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct Touched {
    /// Lines.
    pub lines: u32,
    /// Sectors; of lines without them, lines.
    pub sectors: u32,
}

/// What is found of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LineOutcome {
    /// Free of conflicts.
    Free,
    /// Lanes wait for each other.
    Conflict,
    /// Two lanes write different values to one byte.
    Race,
    /// Two lanes write one byte, and whether the same value is not known.
    MayRace,
    /// Its addresses are not known, or the instruction cannot have them.
    Unknown,
    /// No row says how it is served, or no wave gets there.
    Listed,
}

/// Two lanes that write one byte.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Race {
    /// Lanes.
    pub lanes: [usize; 2],
    /// Whether the values are the same.
    #[schemars(extend("enum" = ["same", "unknown", "different"]))]
    pub values: &'static str,
}

/// A byte that a lane writes and a lane of another wave reads, with no barrier between the two.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Unordered {
    /// The write.
    pub write: Side,
    /// The read.
    pub read: Side,
    /// The byte; of a variable from its begin on.
    pub byte: u32,
    /// The variable of shared memory, if the text names it.
    pub variable: Option<String>,
    /// Whether the later of the two is in the next round of a loop.
    pub is_next_round: bool,
    /// The lines in the text of all pairs that are alike, those of the write first.
    pub lines: Vec<[usize; 2]>,
    /// All of this as a sentence.
    pub sentence: String,
}

/// One of two accesses to a byte.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Side {
    /// Where it stands: `attention.py:13`, or the line of the text.
    pub place: String,
    /// The line of the source, and the calls that were inlined there, the innermost first; empty if the text names none.
    pub source: Vec<Frame>,
    /// Its name.
    pub opcode: String,
    /// Its line in the text, from 1.
    pub line: usize,
    /// Number of the wave in its block.
    pub wave: usize,
    /// The lane.
    pub lane: usize,
}

/// What would be better for accesses that share bytes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Better {
    /// The first byte and the one after the last, where they are known; of a variable from its begin on.
    pub bytes: Option<[u32; 2]>,
    /// The variable of shared memory that they are in, if the text names it.
    pub variable: Option<String>,
    /// Where the bytes should lie.
    #[serde(rename = "move")]
    pub to: Option<String>,
    /// Cycles now, each access executed once by one wave.
    pub cycles_now: u64,
    /// Cycles then.
    pub cycles: Option<u64>,
    /// The declaration with a pad that takes no more cycles, of a variable whose length the text states.
    pub declaration: Option<String>,
    /// Cycles without any conflict.
    pub cycles_without_conflicts: u64,
    /// What would bound the loops with these accesses then.
    pub bounds: Vec<Bound>,
    /// What is found, as a sentence.
    pub found: String,
}

/// What becomes of the accesses that a file states.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Against {
    /// The file.
    pub file: String,
    /// Whether all are in the code.
    pub is_kept: bool,
    /// Accesses that are stated, in their order.
    pub accesses: Vec<Kept>,
    /// Instructions of the code beside them.
    pub not_stated: Vec<Beyond>,
    /// Instructions whose bytes are not known.
    pub not_known: Vec<Beyond>,
    /// What the file states and the code does not tell, a sentence each.
    pub not_compared: Vec<String>,
}

/// A stated access, as far as it is in the code.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Kept {
    /// `A read mfma-rows 16`
    pub access: String,
    /// Its instruction.
    pub opcode: String,
    /// Instructions of a wave for one tile.
    pub stated: usize,
    /// Instructions in the code, of all waves: of whole tiles if it is kept.
    pub found: usize,
    /// Bytes at which the tile begins, where they are known.
    pub begins: Vec<u32>,
    /// Where the code falls short.
    pub missing: Option<String>,
    /// All of this as a sentence.
    pub sentence: String,
}

/// Instructions of the code that nothing states.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Beyond {
    /// Where they stand: `gemm.hip:13`, or the line of the text.
    pub place: String,
    /// Their name.
    pub opcode: String,
    /// Their lines in the text, from 1.
    pub lines: Vec<usize>,
    /// All of this as a sentence.
    pub sentence: String,
}

impl Audit {
    /// Sets the exit status by what becomes of the instructions, and of the accesses that are stated.
    pub(crate) fn set_status(&mut self) {
        let rulings = || self.kernels().flat_map(Kernel::rulings);
        self.status = match () {
            () if self.files.iter().any(File::is_refused) => Status::Invalid,
            () if rulings().any(Ruling::is_conflict) => Status::Conflict,
            () if self.strict && rulings().any(|ruling| ruling == Ruling::Weak) => Status::Weak,
            () => Status::Free,
        };
    }

    /// Returns the kernels of all texts.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.files.iter().flat_map(|file| file.kernels.iter().flatten())
    }
}

impl Kernel {
    /// Returns whether there is nothing to say of it: no access of LDS, and no more of global memory than its bytes need.
    pub(crate) fn is_empty(&self) -> bool {
        self.instructions.is_empty()
            && self.said == 0
            && self.against.is_none()
            && self.said_global().next().is_none()
    }

    /// Cycles that conflicts take.
    pub(crate) fn lost(&self) -> u64 {
        self.cycles.saturating_sub(self.cycles_without_conflicts)
    }

    /// Returns the sentences of the bounds that are worth a line.
    pub(crate) fn said_bounds(&self) -> impl Iterator<Item = &str> {
        self.bounds.iter().take(self.said).map(|one| one.sentence.as_str())
    }

    /// Returns the lines on global memory that text lists: what touches more than it needs, or may.
    pub(crate) fn said_global(&self) -> impl Iterator<Item = &GlobalLine> {
        self.global.iter().filter(|line| line.is_listed)
    }

    /// Returns the first line of the list, from 1, with the highest degree: a list is read from there.
    #[must_use]
    pub fn worst(&self) -> Option<usize> {
        let lines = self.instructions.iter().enumerate();
        let judged = lines.filter_map(|(at, line)| Some((at + 1, line.degree?)));
        judged.reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(number, _)| number)
    }

    /// Returns what becomes of its lines, and of the accesses that are stated.
    pub(crate) fn rulings(&self) -> impl Iterator<Item = Ruling> {
        let stated = self.against.iter().map(Against::ruling);
        self.instructions.iter().map(|line| line.ruling).chain(stated)
    }
}

impl Against {
    /// What becomes of a kernel that should do what is stated, and nothing beside it.
    fn ruling(&self) -> Ruling {
        match self.is_kept {
            false => Ruling::Conflicts,
            true if self.not_stated.is_empty() && self.not_known.is_empty() => Ruling::Passes,
            true => Ruling::Weak,
        }
    }

    /// What becomes of each stated access, with whether it is kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (bool, &str)> {
        self.accesses.iter().map(|one| (one.missing.is_none(), one.sentence.as_str()))
    }

    /// What is not held to the file, a line each.
    pub fn beside(&self) -> impl Iterator<Item = String> {
        let stated = self.not_stated.iter().map(|one| format!("not stated: {}", one.sentence));
        let known = self.not_known.iter().map(|one| format!("not known: {}", one.sentence));
        let compared = self.not_compared.iter().map(|one| format!("not compared: {one}"));
        stated.chain(known).chain(compared)
    }
}

impl File {
    /// Returns whether the text, or one of its kernels, cannot be judged.
    fn is_refused(&self) -> bool {
        self.fault.is_some() || !self.refused.is_empty()
    }

    /// Returns the kernels that have something to report, and the number of the others. A single kernel is always reported.
    pub(crate) fn told(&self) -> (Vec<&Kernel>, usize) {
        let all = || self.kernels.iter().flatten();
        let told: Vec<_> = match all().count() {
            1 => all().collect(),
            _ => all().filter(|kernel| !kernel.is_empty()).collect(),
        };
        let others = all().count() - told.len();
        (told, others)
    }
}

impl Line {
    /// What is found, and what has become of it: `4-way: lanes 0 and 1, .. (known)`.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.found, baseline::words(self.since, self.before.as_deref()))
    }

    /// Returns whether two lanes write one byte, and perhaps not the same value.
    pub(crate) fn may_race(&self) -> bool {
        self.race.as_ref().is_some_and(|race| race.values == "unknown")
    }
}
