//! A kernel compared with what is stated of it: each access of a tile is in the code, as often as a whole tile needs
//! it, with the same differences between lanes.
//!
//! ```text
//!   stated   ds_write_b128, row by row, of 128x64 halves     16 instructions of a wave, lane 1 16 bytes behind lane 0
//!   code     8 instructions in each of 4 waves               two tiles, from byte 0 and from byte 16384 on
//! ```
//!
//! Where all bytes are known, a tile must begin somewhere: all of its instructions are looked for from one byte on.
//! Where the bytes are known up to u, as in PTX, instructions with the same differences are counted. A kernel may
//! access a tile several times over: by several waves, in a copy of a loop, or in a second buffer.

use crate::issue::Issue;
use crate::kernel::{Kernel, Site};
use pool::{Group, Pool, Step, canonical};
use std::fmt;
use tiledesc::access::{AccessError, Placed};
use tiledesc::chip::Instruction;

mod pool;

/// Instructions of a wave that one access of a tile has at most.
const MOST: u64 = 1 << 16;

/// An access as it is stated: what each of its instructions touches, from the tile's begin on.
#[derive(Clone, Debug)]
pub struct Stated {
    name: String,
    row: Instruction,
    /// The byte of each lane.
    steps: Vec<Vec<Option<u32>>>,
}

impl Stated {
    /// An access of a tile, by the name that is printed.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_audit::{Options, Stated, audit};
    ///
    /// layout! { type Words = recipe::RowMajor<F32, M<1>, K<64>>; }
    /// let text = "
    ///     .amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"
    ///     .type copy,@function
    /// copy:
    ///     v_lshlrev_b32_e32 v1, 2, v0
    ///     ds_write_b32 v1, v2
    ///     ds_read_b32 v3, v1 offset:256
    ///     s_endpgm
    /// ";
    /// let options = Options { block: Some([64, 1, 1]), ..Options::default() };
    /// let kernel = &audit(text, &options)?[0];
    ///
    /// let write = Words::placed::<RowMajor>(&gfx942::ds_write_b32)?;
    /// let write = Stated::new("W write", &write)?;
    /// let found = kernel.against(&[write]);
    /// assert!(found.is_kept());
    /// assert_eq!(found.kept[0].to_string(), "W write  ds_write_b32  1 of 1, from byte 0 on");
    /// assert_eq!(found.beyond[0].to_string(), "ds_read_b32 x1 of line 7, lanes 0 and 1 4 bytes apart");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AccessError`] of an access that the layout cannot have.
    pub fn new(name: impl Into<String>, placed: &Placed<'_, '_>) -> Result<Self, AccessError> {
        let row = *placed.instruction();
        let last = row.service().phases.addressed();
        let lanes = |step| {
            let touched = placed.touched(step)?;
            Ok::<_, AccessError>((0..last).map(|lane| touched.addresses().get(lane)).collect())
        };
        let steps = (0..placed.instructions().min(MOST)).map(lanes);
        Ok(Self { name: name.into(), row, steps: steps.collect::<Result<_, _>>()? })
    }
}

/// The comparison of a kernel with statements.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The stated accesses, in the order of the statements.
    pub kept: Vec<Kept>,
    /// Instructions of the code that no statement has.
    pub beyond: Vec<Beyond>,
    /// Instructions that have a row, and whose bytes are not known: they are not compared.
    pub unknown: Vec<Beyond>,
}

/// A stated access, as far as it is in the code.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The name of the statement.
    pub name: String,
    /// The instruction.
    pub opcode: String,
    /// Instructions of a wave for one tile.
    pub stated: usize,
    /// Instructions in the code, of all waves: of whole tiles if the access is kept.
    pub found: usize,
    /// The bytes at which the tile begins, where they are known.
    pub begins: Vec<u32>,
    /// The shortfall of the code, if there is one.
    pub missing: Option<Missing>,
}

/// The missing part of an access.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The first instruction of the access that is not in the code, from 0.
    pub step: usize,
    /// The bytes of two of its lanes, from the tile's begin: the first two that are on, or those that are elsewhere in
    /// the code.
    pub lanes: Vec<(usize, u32)>,
    /// The distance of these lanes in the instruction of the code that is most like it, where that shows them.
    pub apart: Option<i32>,
    /// The way in which the code falls short.
    why: Lack,
}

/// The way in which the code falls short of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lack {
    /// The code does not have the instruction.
    Opcode,
    /// The code's lanes have other addresses.
    Lanes,
    /// The code has instructions of such lanes, but fewer.
    Fewer,
    /// The code has all instructions, but not where a tile would have them.
    Elsewhere,
}

/// Instructions of the code that no statement has.
#[derive(Clone, Debug)]
pub struct Beyond {
    /// The line of the source, `gemm.hip:13`, or of the text.
    pub place: String,
    /// The instruction.
    pub opcode: String,
    /// The lines in the text, from 1.
    pub lines: Vec<usize>,
    /// Two lanes of the first, with their bytes from the first lane's on.
    pub lanes: Vec<(usize, u32)>,
}

impl Kernel {
    /// Compares the kernel with what is stated of its tiles; instructions are counted over all waves of a block.
    #[must_use]
    pub fn against(&self, stated: &[Stated]) -> Comparison {
        match self.apart.is_empty() {
            true => self.held(stated),
            false => self.as_written().held(stated),
        }
    }

    fn held(&self, stated: &[Stated]) -> Comparison {
        let issues = self.issues();
        let mut pool = Pool::new(self, &issues);
        let all: Vec<_> = stated.iter().map(|one| pool.steps(self.chip, one)).collect();
        let mut kept: Vec<_> =
            stated.iter().zip(&all).map(|(one, steps)| Kept::new(one, steps)).collect();
        let mut groups = Group::from_steps(&all);
        // Each access once, and then as often as there is more.
        for group in &mut groups {
            group.take(&mut pool, &all, group.members.len());
        }
        let short = groups.iter().flat_map(|group| &group.members[group.begins.len()..]);
        for at in short.copied() {
            let (found, step, why) = pool.part(&all[at]);
            let opcode = canonical(self.chip, &stated[at].row);
            let has_opcode = pool.shapes.keys().any(|shape| shape.opcode == opcode);
            let why = if has_opcode { why } else { Lack::Opcode };
            kept[at].found = found;
            kept[at].missing = Some(pool.missing(&stated[at], opcode, step, why));
        }
        while groups.iter_mut().any(|group| group.is_whole() && group.take(&mut pool, &all, 1)) {}
        groups.into_iter().for_each(|group| group.hand_out(&mut kept));
        Comparison { kept, beyond: self.left(&issues, &pool), unknown: self.unknown(&issues) }
    }

    /// The instructions that no access has taken.
    fn left(&self, issues: &[Issue], pool: &Pool) -> Vec<Beyond> {
        let mut left: Vec<_> =
            pool.left.iter().flat_map(|one| one.values()).flatten().copied().collect();
        left.sort_unstable();
        let mut all = Vec::new();
        for at in left {
            let issue = &issues[at];
            let first = issue.first().unwrap_or(0);
            let lanes = issue.bytes.iter().enumerate();
            let lanes = lanes.filter_map(|(lane, byte)| Some((lane, (*byte)?.wrapping_sub(first))));
            beyond(&mut all, &self.sites[issue.site], lanes.take(2).collect());
        }
        all
    }

    /// Instructions whose bytes are not known in some wave.
    fn unknown(&self, issues: &[Issue]) -> Vec<Beyond> {
        let (mut all, mut known) = (Vec::new(), vec![0; self.sites.len()]);
        issues.iter().for_each(|one| known[one.site] += 1);
        for (at, site) in self.sites.iter().enumerate() {
            if site.access.is_ok() && known[at] < site.reached.len() {
                beyond(&mut all, site, Vec::new());
            }
        }
        all
    }
}

/// Adds an instruction to those of its name and line.
fn beyond(all: &mut Vec<Beyond>, site: &Site, lanes: Vec<(usize, u32)>) {
    let place = site.said_place();
    match all.iter_mut().find(|one| one.place == place && one.opcode == site.opcode) {
        Some(known) if known.lines.last() == Some(&site.line) => {}
        Some(known) => known.lines.push(site.line),
        None => {
            let opcode = site.opcode.clone();
            all.push(Beyond { place, opcode, lines: vec![site.line], lanes });
        }
    }
}

impl Comparison {
    /// Returns whether each stated access is in the code, as often as stated.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.kept.iter().all(|one| one.missing.is_none())
    }
}

impl Kept {
    fn new(stated: &Stated, steps: &[Step]) -> Self {
        let (name, opcode) = (stated.name.clone(), stated.row.name().to_string());
        let (stated, found, begins) = (steps.len(), 0, Vec::new());
        Self { name, opcode, stated, found, begins, missing: None }
    }

    fn takes(&mut self, begin: Option<u32>) {
        self.found += self.stated;
        if let Some(begin) = begin
            && !self.begins.contains(&begin)
        {
            self.begins.push(begin);
        }
    }
}

impl fmt::Display for Kept {
    /// `A read  ds_read_b128  32 of 16: 2 times a whole tile, from byte 0 on`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, opcode, found, stated) = (&self.name, &self.opcode, self.found, self.stated);
        write!(f, "{name}  {opcode}  {found} of {stated}")?;
        if let Some(missing) = &self.missing {
            return write!(f, ": {missing}");
        }
        if found > stated {
            write!(f, ": {} times a whole tile", found / stated.max(1))?;
        }
        let begins: Vec<_> = self.begins.iter().map(u32::to_string).collect();
        match &begins[..] {
            [] => Ok(()),
            [one] => write!(f, ", from byte {one} on"),
            [head @ .., last] => write!(f, ", from bytes {} and {last} on", head.join(", ")),
        }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = match &self.lanes[..] {
            [(a, x), (b, y)] => {
                let step = self.step;
                format!("instruction {step} has lanes {a} and {b} at bytes {x} and {y} of the tile")
            }
            _ => format!("instruction {} has one lane", self.step),
        };
        match self.why {
            Lack::Opcode => f.write_str("the code does not have this instruction"),
            Lack::Lanes => match self.apart {
                Some(apart) => write!(f, "{at}, and in the code they are {apart} bytes apart"),
                None => write!(f, "{at}, and no instruction of the code has such lanes"),
            },
            Lack::Fewer => write!(f, "{at}, and the code has fewer such instructions"),
            Lack::Elsewhere => {
                write!(f, "{at}; the code has such lanes, but not where one tile has them")
            }
        }
    }
}

impl fmt::Display for Beyond {
    /// `ds_read_b32 x2 of gemm.hip:13, lanes 0 and 1 128 bytes apart`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} x{} of {}", self.opcode, self.lines.len(), self.place)?;
        match &self.lanes[..] {
            [(a, x), (b, y)] => {
                let apart = y.wrapping_sub(*x).cast_signed();
                write!(f, ", lanes {a} and {b} {apart} bytes apart")
            }
            _ => Ok(()),
        }
    }
}
