//! An instruction that accesses memory, and what each wave does there.
//!
//! ```text
//!   line 7, ds_read_b128, in 1 loop       row and offset, or why it is not judged
//!     wave 0: u + 16 lane                 all lanes on
//!     wave 1: u + 16 lane + 1024          lanes 0 to 31
//! ```

use super::unjudged::Unjudged;
use crate::graph::Graph;
use crate::place::Place;
use crate::value::{Reason, Value, Why};
use std::collections::BTreeMap;
use std::sync::Arc;
use tiledesc::chip::{self, Instruction};

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
    /// [is taken so](crate::Kernel::is_one_row) only where that row is the block.
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

/// The accesses of a kernel, by their instructions and by which of two that are issued together, before any wave gets there: `find`
/// gives the names of those of an instruction and how they access memory.
pub(crate) fn sites<A>(
    graph: &Graph,
    instructions: &[(usize, Option<Arc<Place>>)],
    find: impl Fn(usize) -> Vec<Option<(String, A)>>,
) -> BTreeMap<(usize, usize), Site<A>> {
    let mut sites = BTreeMap::new();
    for (block, range) in graph.blocks.iter().enumerate() {
        for at in range.clone() {
            let (line, place) = &instructions[at];
            for (part, found) in find(at).into_iter().enumerate() {
                let Some((opcode, access)) = found else { continue };
                let (line, place, loops) = (*line, place.clone(), graph.depth[block]);
                let (reached, in_rows) = (Vec::new(), false);
                let site = Site { opcode, line, place, loops, access, reached, in_rows, at };
                sites.insert((at, part), site);
            }
        }
    }
    sites
}

/// How many accesses are known in all waves that get there: no more with each further wave.
pub(crate) fn known<'s>(sites: impl IntoIterator<Item = &'s Site>) -> usize {
    sites.into_iter().filter(|site| site.is_known()).count()
}
