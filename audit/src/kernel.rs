//! A kernel's accesses to LDS or shared memory, as they were found.

use crate::error::{Error, ErrorKind};
use crate::graph::{Bits, Graph};
use crate::matrix::Matrix;
use crate::name::{self, demangled};
use crate::place::Place;
use crate::resources::Resources;
use crate::unordered::Unordered;
use crate::value::{Reason, Value, Why};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use tiledesc::chip::{self, Chip, Instruction};

/// The user's options beside the text.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The chip: where the text does not name it, or one of several that run it. A chip that does not run what the text is
    /// compiled for is refused.
    pub chip: Option<String>,
    /// The kernels that are wanted: a name, as the text has it or [demangled](crate::demangled), a pattern with `*` and `?`,
    /// or a part of a name, in this order: a part is looked for only where no kernel has that name.
    pub kernel: Option<String>,
    /// x, y and z of a block.
    pub block: Option<[u32; 3]>,
    /// Symbols of AMDGPU assembly that its text does not define, as `-defsym` gives them to an assembler.
    pub symbols: Vec<(String, i64)>,
}

impl Options {
    /// Which kernels are wanted, of all in a text.
    pub(crate) fn wanted(&self, names: &[&str]) -> Vec<bool> {
        match &self.kernel {
            Some(word) => name::wanted(names, word),
            None => vec![true; names.len()],
        }
    }
}

/// The shape of a block, and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Stated, by the user or as required by the kernel.
    Stated([u32; 3]),
    /// A line of as many lanes at most, by the kernel's metadata.
    Line(u32),
    /// An unknown shape: x is taken to be a multiple of the wave.
    Unknown,
}

/// Lanes of a block at most, on every chip.
const LANES: u32 = 1024;

impl Block {
    pub(crate) fn new(options: &Options, required: Option<[u32; 3]>, most: Option<u32>) -> Self {
        let fits = |block: &[u32; 3]| {
            let lanes = block.iter().try_fold(1_u32, |all, one| all.checked_mul(*one));
            lanes.is_some_and(|lanes| (1..=LANES).contains(&lanes))
        };
        match (options.block.or(required).filter(fits), most) {
            (Some(block), _) => Self::Stated(block),
            (None, Some(most @ 1..=LANES)) => Self::Line(most),
            _ => Self::Unknown,
        }
    }

    /// Lanes, if they are known.
    #[must_use]
    pub fn lanes(self) -> Option<u32> {
        Some(self.shape()?.iter().product())
    }

    /// x, y and z of the lane of this number, in a block of this shape.
    pub(crate) fn item([x, y, z]: [u32; 3], lane: u32) -> [u32; 3] {
        [lane % x, lane / x % y, lane / x / y % z]
    }

    /// x, y and z, if they are known.
    #[must_use]
    pub fn shape(self) -> Option<[u32; 3]> {
        match self {
            Self::Stated(block) => Some(block),
            Self::Line(lanes) => Some([lanes, 1, 1]),
            Self::Unknown => None,
        }
    }
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The kernel's name.
    pub name: String,
    /// The chip, in waves of the program's size.
    pub chip: &'static Chip,
    /// The chip that the text is compiled for, if it is another which `chip` runs the code of: `sm_80` on `sm_90`.
    pub compiled_for: Option<String>,
    /// Lanes of a wave.
    pub wave: usize,
    /// The block.
    pub block: Block,
    /// Whether a block of an unknown shape is taken to be one row, since the code asks for y and z of it: a multiple of the wave
    /// long, as rows always are.
    pub is_one_row: bool,
    /// What it takes of a CU or an SM, as far as the text says.
    pub resources: Resources,
    /// Instructions that access LDS or shared memory, in the order of the program.
    pub sites: Vec<Site>,
    /// Instructions that load from global memory or store to it, in the order of the program.
    pub globals: Vec<Global>,
    /// Writes and reads of one byte by two waves that no barrier orders, those that are alike as one.
    pub unordered: Vec<Unordered>,
    /// The line of each instruction in the text, and in its source.
    pub instructions: Vec<(usize, Option<Arc<Place>>)>,
    /// The kernel's blocks, of indices of `instructions`.
    pub(crate) graph: Graph,
    /// Its matrix instructions, in the order of the program.
    pub(crate) matrix: Vec<Matrix>,
    /// The blocks that each wave may get to.
    pub(crate) there: Vec<Bits>,
    /// The variables of shared memory, if some lanes wait for each other.
    pub(crate) arrays: Vec<Array>,
    /// The variable that each access is in, if that is known.
    pub(crate) within: Vec<Option<Within>>,
    /// Accesses that are taken as one with others, by their places among `sites`, as they are written.
    pub(crate) apart: Vec<(usize, Site)>,
}

/// A variable of shared memory, as the text declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The name that the text has.
    pub name: String,
    /// Its bytes; `None` if the launch says how many they are.
    pub bytes: Option<u32>,
}

impl Array {
    /// The name in the source, without the function that it stands in: `s` of `_ZZ9transposePfE1s`.
    #[must_use]
    pub fn title(&self) -> String {
        let name = demangled(&self.name);
        name.rsplit("::").next().unwrap_or(&name).to_string()
    }
}

/// An access in a variable of shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Within {
    /// The variable, by its place among the kernel's.
    pub(crate) array: usize,
    /// What each wave does there, in the order of the site's, with addresses from the variable's begin on; empty if that is not
    /// known.
    pub(crate) reached: Vec<Reached>,
}

impl Kernel {
    /// A kernel with the lines of its instructions, of which nothing else is known yet.
    pub(crate) fn new(
        name: &str,
        chip: &'static Chip,
        (wave, block): (usize, Block),
        graph: Graph,
        instructions: Vec<(usize, Option<Arc<Place>>)>,
    ) -> Self {
        Self {
            name: name.to_string(),
            chip,
            compiled_for: None,
            wave,
            block,
            is_one_row: false,
            resources: Resources::default(),
            sites: Vec::new(),
            globals: Vec::new(),
            unordered: Vec::new(),
            instructions,
            graph,
            matrix: Vec::new(),
            there: Vec::new(),
            arrays: Vec::new(),
            within: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// Takes what a pass has found for what is known.
    pub(crate) fn take(&mut self, found: Passed) {
        Passed { sites: self.sites, globals: self.globals, there: self.there } = found;
    }

    /// The kernel with each access as it is written: ptxas joins some.
    pub(crate) fn as_written(&self) -> Self {
        let mut kernel = self.clone();
        for (at, site) in std::mem::take(&mut kernel.apart) {
            kernel.sites[at] = site;
        }
        kernel
    }

    /// The name that the source has: `gemm<float, 128>` of `_Z4gemmIfLi128EEvPKfPf`.
    #[must_use]
    pub fn title(&self) -> String {
        demangled(&self.name)
    }
}

/// An instruction that accesses memory: LDS or shared memory, or as a [`Global`] global memory.
#[derive(Clone, Debug)]
pub struct Site<A = Result<Row, Unjudged>> {
    /// The instruction's name.
    pub opcode: String,
    /// The line in the text, from 1.
    pub line: usize,
    /// The line in the source.
    pub place: Option<Arc<Place>>,
    /// The number of loops that it is in.
    pub loops: u32,
    /// The row with its immediates, or why the instruction is not judged.
    pub access: A,
    /// The addresses of each wave that gets there, those of a wave one after the other if it may have several: in rounds of a
    /// loop, say.
    pub reached: Vec<Reached>,
    /// Whether `reached` holds only where x of the block is a multiple of the wave, which is not stated; of a kernel that
    /// [is taken so](Kernel::is_one_row) only where that row is the block.
    pub in_rows: bool,
    /// The index among the kernel's instructions.
    pub at: usize,
}

/// Marks each access whose facts hold only if a wave is in one row of its block.
pub(crate) fn mark_rows<A>(sites: &mut [Site<A>], without: &[Site<A>]) {
    let by_place: BTreeMap<usize, &Site<A>> = without.iter().map(|one| (one.at, one)).collect();
    for site in sites {
        let Some(without) = by_place.get(&site.at) else {
            site.in_rows = true;
            continue;
        };
        let is_without = |one: &Reached| {
            let facts = |one: &Reached| (one.address.clone(), one.on, one.stored.clone());
            without.reached.iter().any(|other| facts(other) == facts(one))
        };
        let is_same = site.reached.is_empty() == without.reached.is_empty();
        site.in_rows = !is_same || !site.reached.iter().all(is_without);
    }
}

/// A load from global memory, or a store to it.
pub type Global = Site<Moved>;

/// What a lane moves between its registers and global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Bytes of each lane.
    pub bytes: u32,
    /// Bytes by which every lane's address is a multiple, whatever the base.
    pub alignment: u32,
}

impl<A> Site<A> {
    /// Adds what a wave does, if it was not known to: rounds of a loop may do what others did. Of several
    /// forms of an address each is one that the wave may have.
    pub(crate) fn reach(&mut self, one: Reached) {
        if let Value::OneOf(forms) = &one.address {
            for form in forms.iter() {
                self.reach(Reached { address: form.clone(), ..one.clone() });
            }
            return;
        }
        let of_wave = self.reached.iter().rev().take_while(|known| known.wave == one.wave);
        if !of_wave.into_iter().any(|known| *known == one) {
            self.reached.push(one);
        }
    }

    /// The addresses of each wave that gets there: several, if it may have several.
    pub(crate) fn reached_by_wave(&self) -> impl Iterator<Item = &[Reached]> {
        self.reached.chunk_by(|a, b| a.wave == b.wave)
    }

    /// `attention.py:13`, of an inlined function `standard.py:314 in attention.py:13`, or the line of the text.
    #[must_use]
    pub fn said_place(&self) -> String {
        match &self.place {
            Some(place) => place.to_string(),
            None => format!("line {}", self.line),
        }
    }
}

impl Site {
    /// Returns whether the addresses of all waves that get there are known.
    pub(crate) fn is_known(&self) -> bool {
        let is_form = |one: &Reached| {
            matches!(one.address, Value::Nothing | Value::Sum { .. } | Value::OneOf(_))
        };
        self.access.is_ok() && self.reached.iter().all(is_form)
    }

    /// Returns whether an address is unknown for a reason that more cases may mend: rounds of a loop, warps of a block.
    pub(crate) fn is_open(&self) -> bool {
        self.open_at().is_some()
    }

    /// The instruction whose loop's rounds may mend it: itself, or the one that may have written any register.
    pub(crate) fn open_at(&self) -> Option<usize> {
        let mended = |one: &Reached| match one.address.why()? {
            Reason { why: Why::Computed | Why::Mask | Why::Paths, .. } => Some(self.at),
            Reason { why: Why::Foreign, at } => Some(at),
            _ => None,
        };
        self.access.as_ref().ok().and_then(|_| self.reached.iter().find_map(mended))
    }
}

/// A row of a chip, as an instruction uses it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The row; of two addresses with both offsets.
    pub row: Instruction,
    /// The constant that is added to each lane's address, in bytes.
    pub offset: u32,
    /// The number of instructions of this row that it stands for, each of which waits as the first does: 4 of
    /// `wmma.store`.
    pub times: u32,
    /// The number of instructions of the text that are taken as this one, since ptxas makes one of them.
    pub joined: u32,
}

impl Row {
    /// The row of a wave in which an address is a multiple of less, if the chip has one.
    pub(crate) fn looser(&self) -> Option<Instruction> {
        let looser = self.row.looser()?;
        chip::find(self.row.chip()).ok()?.instruction(looser).ok().copied()
    }
}

/// A wave at an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The wave's number in its block.
    pub wave: usize,
    /// Byte addresses, without constants.
    pub address: Value,
    /// The lanes that are on, lane 0 in bit 0; `None` if that depends on data.
    pub on: Option<u64>,
    /// The values that are written, in numbers of 32 bits, those of the first address before those of the second; empty
    /// for reads, and for lanes that write for others.
    pub stored: Vec<Value>,
}

/// Why an instruction is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// An atomic: no source describes how the banks serve it.
    Atomic,
    /// A permutation, which moves data between lanes, and touches no bank.
    Permute,
    /// A load straight to LDS: a wave writes bytes that follow each other.
    Direct,
    /// An access that may be of LDS or of global memory.
    Flat,
    /// An access to LDS by a flat address.
    FlatLds,
    /// A call of a function.
    Call,
    /// The chip has no row of it.
    NoRow,
    /// The chip's waves have another size, or no rows are known of waves of this size.
    Wave {
        /// Lanes of the program's waves.
        wave: usize,
        /// Lanes of the rows' waves.
        rows: usize,
    },
    /// An offset outside the range that the instruction can encode.
    Offset,
    /// A generic address, which may be in shared memory.
    Generic,
    /// An access that may reach another block's shared memory.
    Cluster,
    /// A block of bytes is moved, with no address a lane.
    Bulk,
    /// Operands that a descriptor names.
    Descriptor,
    /// A word on which threads wait.
    Barrier,
    /// A part of a wider access, as ptxas joins neighbours.
    Joined,
    /// An instruction that no assembler would accept: the bytes that it accesses are not known.
    Unread {
        /// The fault: "`q1` is not a vector register".
        why: String,
        /// The instruction.
        text: Box<str>,
    },
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Atomic => "an atomic: no source says what they cost",
            Self::Permute => "moves data between lanes, without banks",
            Self::Direct => "loads straight to LDS, where a wave writes consecutive bytes",
            Self::Flat => "a flat address, which may be in LDS or in global memory",
            Self::FlatLds => "in LDS by a flat address: no source says how its lanes are served",
            Self::Call => "calls a function, whose accesses are not listed",
            Self::NoRow => "the chip has no row of it",
            Self::Wave { wave, rows } => {
                return write!(f, "in waves of {wave}, and the chip's rows are of waves of {rows}");
            }
            Self::Offset => "its offset is out of range",
            Self::Generic => "a generic address, which may be in shared or in global memory",
            Self::Cluster => "may be in another block's shared memory",
            Self::Bulk => "moves a block of bytes, without an address a lane",
            Self::Descriptor => "reads operands by a descriptor, which is not followed",
            Self::Barrier => "a barrier's word, the same for all lanes",
            Self::Joined => "a part of a wider access, as ptxas joins neighbours",
            Self::Unread { why, text } => return write!(f, "{why}: {text}"),
        })
    }
}

/// What one pass through a kernel finds: the accesses of shared and of global memory, with what each wave does there, and the
/// blocks that each wave may get to.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    pub(crate) sites: Vec<Site>,
    pub(crate) globals: Vec<Global>,
    pub(crate) there: Vec<Bits>,
}

/// How many accesses are known in all waves that get there: no more with each further wave.
pub(crate) fn known<'s>(sites: impl IntoIterator<Item = &'s Site>) -> usize {
    sites.into_iter().filter(|site| site.is_known()).count()
}

/// The work done for one text: instructions that are gone through, in all waves and as often as loops need.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// Steps of all kernels, and of this one.
    spent: usize,
    here: usize,
    /// Kernels that were judged, and all.
    judged: usize,
    all: usize,
    /// Steps of attempts to know more, of all kernels.
    tried: usize,
    /// What instructions write in the first wave, where somebody asks for it.
    pub(crate) seen: Option<BTreeMap<usize, Value>>,
}

impl Work {
    /// Steps of a text at most; a step is a fifth of a microsecond.
    const MOST: usize = 25_000_000;

    /// Begins a kernel.
    const fn begin(&mut self, judged: usize, all: usize) {
        (self.judged, self.all, self.here) = (judged, all, 0);
    }

    /// Judges the kernels that are wanted one by one, as far as the work allows.
    pub(crate) fn each<F, K>(
        mut self,
        functions: impl Iterator<Item = F>,
        wanted: &[bool],
        mut judge: impl FnMut(F, &mut Self) -> Result<K, Error>,
    ) -> Vec<Result<K, Error>> {
        let mut kernels = Vec::new();
        let all = wanted.iter().filter(|one| **one).count();
        for (function, _) in functions.zip(wanted).filter(|(_, is_wanted)| **is_wanted) {
            self.begin(kernels.len(), all);
            kernels.push(judge(function, &mut self));
            if kernels.last().is_some_and(|last| {
                last.as_ref().is_err_and(|error| error.kind() == ErrorKind::Work)
            }) {
                break;
            }
        }
        kernels
    }

    /// The work that an attempt to know more may do: what it spends is not the kernel's, so that none is refused for it.
    pub(crate) fn extra(&self) -> Self {
        let spent = Self::MOST - Self::MOST / 8 + self.tried.min(Self::MOST) / 8;
        Self { spent, here: 0, ..Self::default() }
    }

    /// The work of somebody who asks what instructions write.
    pub(crate) fn seeing() -> Self {
        Self { seen: Some(BTreeMap::new()), ..Self::default() }
    }

    /// Notes what an instruction writes, if somebody asks.
    pub(crate) fn see(&mut self, at: usize, value: impl FnOnce() -> Option<Value>) {
        if let Some(seen) = &mut self.seen
            && !seen.contains_key(&at)
            && let Some(value) = value()
        {
            seen.insert(at, value);
        }
    }

    /// Counts the work of an attempt.
    pub(crate) fn take(&mut self, extra: &Self) {
        self.tried = self.tried.saturating_add(extra.here);
    }

    /// Goes some steps.
    pub(crate) fn spend(&mut self, kernel: &str, steps: usize) -> Result<(), Error> {
        self.here += steps;
        self.spent += steps;
        let Self { judged, all, .. } = *self;
        match () {
            () if self.here > Self::MOST => {
                Err(Error::too_large(kernel, "the addresses in its loops did not settle"))
            }
            () if self.spent > Self::MOST => {
                let sentence = format!(
                    "the {all} kernels of this text take more work than one run does: it ended \
                     after {judged}; --kernel NAME judges one, such as {kernel}"
                );
                Err(Error::new(ErrorKind::Work, sentence))
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was judged before the work of a text ended is kept, and the last entry says where it ended.
    #[test]
    fn what_was_judged_is_kept() {
        let judge = |steps: usize, work: &mut Work| work.spend("f", steps * (Work::MOST / 4));
        let all = Work::default().each([1, 1, 5, 1, 1, 1].into_iter(), &[true; 6], judge);
        let said: Vec<_> =
            all.iter().map(|one| one.as_ref().err().map(ToString::to_string)).collect();
        let endless = Some("f: the addresses in its loops did not settle".to_string());
        let work = "the 6 kernels of this text take more work than one run does: it ended after 3; --kernel NAME judges \
                    one, such as f";
        assert_eq!(said, [None, None, endless, Some(work.to_string())]);
    }

    /// One kernel that takes all the work has no end, and several have too much of it.
    #[test]
    fn work_ends() {
        let mut work = Work::default();
        work.begin(0, 3);
        assert_eq!(work.spend("f", Work::MOST / 2), Ok(()));
        work.begin(1, 3);
        assert_eq!(work.spend("g", Work::MOST / 2), Ok(()));
        work.begin(2, 3);
        assert_eq!(
            work.spend("h", 2).unwrap_err().to_string(),
            "the 3 kernels of this text take more work than one run does: it ended after 2; \
             --kernel NAME judges one, such as h"
        );
        let endless = Work::default().spend("f", Work::MOST + 1).unwrap_err();
        assert_eq!(endless.to_string(), "f: the addresses in its loops did not settle");
    }
}
