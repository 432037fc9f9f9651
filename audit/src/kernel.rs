//! A kernel's accesses to LDS or shared memory, as they were found.

mod site;
mod unjudged;
mod work;

pub use site::{Global, Moved, Reached, Row, Site};
pub(crate) use site::{known, mark_rows, sites};
pub use unjudged::Unjudged;
pub(crate) use work::{PLACES, PLACES_A_STEP, Work};

use crate::error::{BLOCKS, Error};
use crate::graph::{Bits, Flow, Graph};
use crate::matrix::Matrix;
use crate::name::{self, demangled};
use crate::place::Place;
use crate::resources::Resources;
use crate::unordered::Unordered;
use std::sync::Arc;
use tiledesc::chip::Chip;

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
    /// The block that is stated, or required by the kernel, or of as many lanes at most.
    pub(crate) fn new(
        stated: Option<[u32; 3]>,
        required: Option<[u32; 3]>,
        most: Option<u32>,
    ) -> Self {
        let fits = |block: &[u32; 3]| {
            let lanes = block.iter().try_fold(1_u32, |all, one| all.checked_mul(*one));
            lanes.is_some_and(|lanes| (1..=LANES).contains(&lanes))
        };
        match (stated.or(required).filter(fits), most) {
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
    /// A kernel of which only the lines of its instructions are known yet.
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

/// What one pass through a kernel finds: the accesses of shared and of global memory, with what each wave does there, and the
/// blocks that each wave may get to.
#[derive(Debug, Default)]
pub(crate) struct Passed {
    pub(crate) sites: Vec<Site>,
    pub(crate) globals: Vec<Global>,
    pub(crate) there: Vec<Bits>,
}

/// Instructions and blocks of a kernel that are judged at most: each block keeps registers.
pub(crate) const MOST: usize = 200_000;
const MOST_BLOCKS: usize = 10_000;

/// The blocks of a kernel.
pub(crate) fn graph(name: &str, flows: &[Flow]) -> Result<Graph, Error> {
    let too_many = |blocks| Error::too_many(name, blocks, BLOCKS, MOST_BLOCKS);
    Graph::new(flows, MOST_BLOCKS).map_err(too_many)
}
