//! Writes what an instruction of SASS does as instructions of PTX, whose registers are those of SASS.
//!
//! ```text
//!   @P0 LEA R2, R4, UR5, 0x2        shl.b32 %t0, R4, 2;  @P0 add.s32 R2, %t0, UR5
//!   IMAD.WIDE R2, R4, 0x4, R6       mov.b64 %d0, {R6, R7};  mad.wide.s32 %d1, R4, 4, %d0;  mov.b64 {R2, R3}, %d1
//! ```
//!
//! A register of a warp has one value, whichever lanes write it.
//!
//! What a guard has written is read again under the same guard, which need not be known for that: it is kept beside the
//! register up to the end of the block, or until the guard or the register changes.
//!
//! ```text
//!   @!P0 SHF.L.U32 R2, R7, 0x2, RZ      shl.b32 %s0, R7, 2;  @!P0 mov.b32 R2, %s0
//!   @!P0 STS [R2], R5                   @!P0 st.shared.b32 [%s0], R5
//! ```

use super::operand::{File, Operand, Place, Register};
use super::text::Line;
use crate::place::Loc;
use crate::ptx::function::{Instruction, Kind};
use crate::ptx::text::{Guard, Name, Operand as Word, Register as Number};
use std::borrow::Cow;
use std::sync::Arc;

/// A special register of PTX whose value is unknown and shared by all lanes.
const SHARED: &str = "%nsmid";

/// Registers for what is in between: of 32 bits, predicates, and of 64 bits.
const BETWEEN: [(Kind, usize); 3] = [(Kind::Bits32, 24), (Kind::Predicate, 12), (Kind::Bits64, 6)];

/// A result that is not written yet: an instruction and its operands.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) name: Cow<'static, str>,
    pub(super) from: Vec<Word>,
}

impl Made {
    pub(super) fn new(name: impl Into<Cow<'static, str>>, from: impl Into<Vec<Word>>) -> Self {
        Self { name: name.into(), from: from.into() }
    }
}

/// The instructions of a kernel, as they are written.
pub(super) struct Writer<'t> {
    pub(super) code: Vec<Instruction>,
    pub(super) registers: Vec<Kind>,
    /// The lanes for which the instruction at hand does anything.
    pub(super) guard: Option<Guard>,
    line: usize,
    loc: Option<Arc<Loc>>,
    /// The instruction at hand, where it is an access.
    text: &'t str,
    used: [usize; 3],
    /// The guard of the instruction at hand, as it stands there.
    asked: Option<Guard>,
    /// What guards have written: the guard, the register, and where it is kept.
    kept: Vec<(Guard, Number, Number)>,
    /// Registers to keep it in, and how many are in use.
    beside: (Vec<Number>, usize),
    /// Where the shape of a block lies in bank 0.
    shape: i64,
    /// The first of the words of local memory that are followed, and how many they are.
    words: [usize; 2],
}

/// The number of an integer.
pub(super) fn number(number: i64) -> Word {
    Word::Number(number)
}

pub(super) fn named(register: Number) -> Word {
    Word::Name(Name::Register(register))
}

fn special(name: &str) -> Word {
    Word::Name(Name::Special(name.into()))
}

/// An unknown value that all lanes share.
pub(super) fn shared() -> Word {
    special(SHARED)
}

/// The begin of each file among the registers of PTX, and of those between.
const FILES: [File; 4] = [File::Lanes, File::Warp, File::Bits, File::WarpBits];

impl<'t> Writer<'t> {
    /// `shape` is where the shape of a block lies in bank 0, and `words` are the words of local memory that are followed.
    pub(super) fn new(shape: i64, words: usize) -> Self {
        let kind = |file: File| match file {
            File::Lanes | File::Warp => Kind::Bits32,
            File::Bits | File::WarpBits => Kind::Predicate,
        };
        let of_files = FILES.iter().flat_map(|file| vec![kind(*file); file.count()]);
        let between = BETWEEN.iter().flat_map(|(kind, count)| vec![*kind; *count]);
        let mut registers: Vec<_> = of_files.chain(between).collect();
        let words = [registers.len(), words];
        registers.extend(vec![Kind::Bits32; words[1]]);
        Self {
            code: Vec::new(),
            registers,
            guard: None,
            line: 0,
            loc: None,
            text: "",
            used: [0; 3],
            asked: None,
            kept: Vec::new(),
            beside: (Vec::new(), 0),
            shape,
            words,
        }
    }

    /// Begins an instruction that does something for the lanes of its guard; `false` if it has none.
    pub(super) fn begin(&mut self, line: &Line<'t>) -> bool {
        (self.line, self.loc, self.text) = (line.line, line.loc.clone(), line.text);
        (self.used, self.guard, self.asked) = ([0; 3], None, None);
        let Some(word) = line.guard else { return true };
        let guard = Operand::parse(word);
        match guard.place {
            Place::True => return !guard.inverted,
            Place::Register(register) if guard.is_bit() && !guard.is_odd => {
                let (predicate, negated) = (self.register(register), guard.inverted);
                self.guard = Some(Guard { predicate, negated });
                self.asked = self.guard;
            }
            _ => {
                // Nobody knows which lanes.
                let bit = self.between(1);
                self.push("unknown", vec![named(bit)]);
                self.guard = Some(Guard { predicate: bit, negated: false });
            }
        }
        true
    }

    /// The number of a register among those of PTX.
    pub(super) fn register(&self, one: Register) -> Number {
        let before = FILES.iter().take_while(|file| **file != one.file);
        before.map(|file| file.count()).sum::<usize>() + one.number
    }

    pub(super) fn named(&self, one: Register) -> Word {
        named(self.register(one))
    }

    /// A register as the lanes of the guard read it.
    pub(super) fn read(&self, one: Register) -> Word {
        let register = self.register(one);
        let is_it = |(guard, of, _): &&(Guard, Number, Number)| {
            Some(*guard) == self.asked && *of == register
        };
        named(self.kept.iter().find(is_it).map_or(register, |(.., kept)| *kept))
    }

    /// Forgets what guards have written: other ways lead here.
    pub(super) fn begin_block(&mut self) {
        self.kept.clear();
        self.beside.1 = 0;
    }

    /// Forgets what guards have written to registers that change, and what was written under guards that do.
    pub(super) fn written(&mut self, all: &[Register]) {
        for one in all {
            let register = self.register(*one);
            self.kept.retain(|(guard, of, _)| *of != register && guard.predicate != register);
        }
    }

    /// Keeps what a guard writes to a register.
    fn keep(&mut self, guard: Guard, register: Number) -> Number {
        if self.beside.1 == self.beside.0.len() {
            self.registers.push(Kind::Bits32);
            self.beside.0.push(self.registers.len() - 1);
        }
        let kept = self.beside.0[self.beside.1];
        self.beside.1 += 1;
        self.kept.push((guard, register, kept));
        kept
    }

    /// A word of local memory.
    pub(super) fn word(&self, word: usize) -> Word {
        named(self.words[0] + word)
    }

    /// Every register that SASS has, and every word of local memory.
    pub(super) fn all(&self) -> Vec<Number> {
        let [first, count] = self.words;
        (0..FILES.iter().map(|file| file.count()).sum()).chain(first..first + count).collect()
    }

    /// A register for what is in between, of the kinds in their order.
    pub(super) fn between(&mut self, kind: usize) -> Number {
        let used = self.used[kind];
        self.used[kind] += 1;
        if used >= BETWEEN[kind].1 {
            self.registers.push(BETWEEN[kind].0);
            return self.registers.len() - 1;
        }
        let files = FILES.iter().map(|file| file.count()).sum::<usize>();
        files + BETWEEN[..kind].iter().map(|(_, count)| count).sum::<usize>() + used
    }

    /// Writes an instruction for all lanes.
    pub(super) fn push(&mut self, name: &str, operands: Vec<Word>) {
        self.push_as(name, operands, None, false);
    }

    /// Writes an instruction for the lanes of the guard.
    pub(super) fn guarded(&mut self, name: &str, operands: Vec<Word>) {
        self.push_as(name, operands, self.guard, false);
    }

    /// Writes an access for the lanes of the guard.
    pub(super) fn access(&mut self, name: &str, operands: Vec<Word>) {
        self.push_as(name, operands, self.guard, true);
    }

    fn push_as(&mut self, name: &str, operands: Vec<Word>, guard: Option<Guard>, is_access: bool) {
        let text = if is_access { self.text } else { "" };
        let (name, text, line, loc) = (name.into(), text.into(), self.line, self.loc.clone());
        let one = Instruction { guard, name, operands, text, line, loc, ..Instruction::default() };
        self.code.push(one);
    }

    /// Writes what comes of operands to a register in between.
    fn made(&mut self, kind: usize, name: &str, from: impl IntoIterator<Item = Word>) -> Word {
        let to = named(self.between(kind));
        self.push(name, [to.clone()].into_iter().chain(from).collect());
        to
    }

    /// A number of 32 bits in between.
    pub(super) fn make<const N: usize>(&mut self, name: &str, from: [Word; N]) -> Word {
        self.made(0, name, from)
    }

    /// A predicate in between.
    pub(super) fn make_bit<const N: usize>(&mut self, name: &str, from: [Word; N]) -> Word {
        self.made(1, name, from)
    }

    /// A number of 64 bits in between.
    pub(super) fn make_wide<const N: usize>(&mut self, name: &str, from: [Word; N]) -> Word {
        self.made(2, name, from)
    }

    /// The low 32 bits of an operand, or its predicate.
    pub(super) fn source(&mut self, one: &Operand) -> Word {
        if one.is_odd {
            return Word::Other;
        }
        if one.is_bit() {
            return match (one.register(), one.inverted) {
                (Some(register), true) => Word::Not(self.register(register)),
                (Some(register), false) => self.named(register),
                (None, inverted) => number(i64::from(!inverted)),
            };
        }
        let plain = self.plain(one.place);
        let size = if one.absolute { self.make("abs.s32", [plain]) } else { plain };
        let signed = if one.negated { self.make("neg.s32", [size]) } else { size };
        if one.inverted { self.make("not.b32", [signed]) } else { signed }
    }

    /// The registers that operands read, for a function that is not followed; with `pairs`, each register and the next one.
    pub(super) fn reads(&mut self, all: &[Operand], pairs: bool) -> Vec<Word> {
        let mut words = Vec::new();
        for one in all {
            match one.place {
                Place::Register(register) => {
                    let count = if pairs && !one.is_bit() { 2 } else { 1 };
                    let each = (0..count).filter_map(|by| register.after(by));
                    words.extend(each.map(|one| self.read(one)));
                }
                Place::Constant { index: Some(index), .. } => words.push(self.read(index)),
                Place::Other => {
                    let unknown = named(self.between(0));
                    self.push("unknown", vec![unknown.clone()]);
                    words.push(unknown);
                }
                Place::Constant { .. }
                | Place::Zero
                | Place::True
                | Place::Number(_)
                | Place::Real => {
                    words.push(shared());
                }
            }
        }
        words
    }

    /// The number of words of the stack that are followed.
    pub(super) const fn words(&self) -> usize {
        self.words[1]
    }

    fn plain(&self, place: Place) -> Word {
        match place {
            Place::Register(register) => self.read(register),
            Place::Zero | Place::True => number(0),
            Place::Number(one) => number(one & 0xffff_ffff),
            Place::Constant { bank, index, offset } => self.constant(bank, index, offset),
            Place::Real | Place::Other => Word::Other,
        }
    }

    /// A word of constant memory, whose address all lanes share: an operand's index is a register of the warp.
    pub(super) fn constant(&self, bank: Option<u32>, index: Option<Register>, offset: i64) -> Word {
        let axis = [0, 4, 8].iter().position(|at| offset == self.shape + at);
        match (bank, index, axis) {
            (_, Some(Register { file: File::Lanes, .. }), _) => Word::Other,
            (Some(0), None, Some(axis)) => special(["%ntid.x", "%ntid.y", "%ntid.z"][axis]),
            _ => shared(),
        }
    }

    /// The upper half of an operand of 64 bits.
    fn upper(&self, one: &Operand) -> Word {
        match one.place {
            Place::Register(register) => {
                register.after(1).map_or(Word::Other, |one| self.read(one))
            }
            Place::Number(one) => number(one >> 32 & 0xffff_ffff),
            Place::Constant { bank, index, offset } => self.constant(bank, index, offset + 4),
            Place::Zero => number(0),
            _ => Word::Other,
        }
    }

    /// An operand of 64 bits.
    pub(super) fn pair(&mut self, one: &Operand) -> Word {
        if one.is_odd || one.absolute || one.is_bit() {
            return Word::Other;
        }
        let halves = vec![self.plain(one.place), self.upper(one)];
        let both = self.make_wide("mov.b64", [Word::Vector(halves)]);
        match (one.negated, one.inverted) {
            (false, false) => both,
            (true, false) => self.make_wide("neg.s64", [both]),
            (false, true) => self.make_wide("not.b64", [both]),
            (true, true) => Word::Other,
        }
    }

    /// A special register.
    pub(super) fn special(&self, name: &str) -> Word {
        match name {
            "SRZ" => number(0),
            "SR_TID.X" => special("%tid.x"),
            "SR_TID.Y" => special("%tid.y"),
            "SR_TID.Z" => special("%tid.z"),
            "SR_LANEID" => special("%laneid"),
            "SR_EQMASK" => special("%lanemask_eq"),
            "SR_LTMASK" => special("%lanemask_lt"),
            "SR_LEMASK" => special("%lanemask_le"),
            "SR_GTMASK" => special("%lanemask_gt"),
            "SR_GEMASK" => special("%lanemask_ge"),
            "SR_CTAID.X" | "SR_CTAID.Y" | "SR_CTAID.Z" | "SR_CgaCtaId" | "SR_CgaSize"
            | "SR_SWINHI" | "SR_SWINLO" | "SR_LWINHI" | "SR_LWINLO" | "SR_SMEMSZ"
            | "SR_VIRTUALSMID" | "SR_GRIDID" | "SR_NWARPID" => shared(),
            _ => Word::Other,
        }
    }

    /// Writes the result of an instruction that has one.
    pub(super) fn give_one(&mut self, to: &Operand, made: Made) -> Option<()> {
        self.give(vec![(to.register(), made)]);
        Some(())
    }

    /// Writes results to their registers, all at once; a result without a register is dropped.
    pub(super) fn give(&mut self, results: Vec<(Option<Register>, Made)>) {
        let wanted: Vec<_> = results.into_iter().filter_map(|(to, one)| Some((to?, one))).collect();
        let written: Vec<Register> = wanted.iter().map(|(to, _)| *to).collect();
        if let [(to, one)] = &wanted[..] {
            self.written(&written);
            return self.put(*to, &one.name, one.from.clone());
        }
        let mut made = Vec::new();
        for (to, one) in wanted {
            let value = match to.file {
                File::Lanes | File::Warp => self.made(0, &one.name, one.from),
                File::Bits | File::WarpBits => self.made(1, &one.name, one.from),
            };
            made.push((to, value));
        }
        // A result may be the guard.
        if let Some(guard) = self.guard {
            let predicate = self.between(1);
            self.push("mov.pred", vec![named(predicate), named(guard.predicate)]);
            self.guard = Some(Guard { predicate, ..guard });
        }
        self.written(&written);
        for (to, value) in made {
            self.put(to, "mov.b32", vec![value]);
        }
        // The guard that it was written under is no more.
        let bits: Vec<Register> = written
            .into_iter()
            .filter(|one| matches!(one.file, File::Bits | File::WarpBits))
            .collect();
        self.written(&bits);
    }

    /// Writes one result.
    fn put(&mut self, to: Register, name: &str, from: Vec<Word>) {
        let number = self.register(to);
        let by_lane = self.guard.filter(|guard| self.is_of_lanes(guard.predicate));
        let Some(guard) = by_lane.filter(|_| to.file.is_of_warp()) else {
            let of_bits = matches!(to.file, File::Bits | File::WarpBits);
            let Some(asked) = self.asked.filter(|_| !of_bits) else {
                return self.guarded(name, [named(number)].into_iter().chain(from).collect());
            };
            let kept = self.keep(asked, number);
            self.push(name, [named(kept)].into_iter().chain(from).collect());
            return self.guarded("mov.b32", vec![named(number), named(kept)]);
        };
        // Some lanes write it, and all have it.
        let new = self.made(0, name, from);
        let guard = match guard.negated {
            true => Word::Not(guard.predicate),
            false => named(guard.predicate),
        };
        let one = self.make("selp.b32", [new, named(number), guard]);
        self.push("any.b32", vec![named(number), one]);
    }

    /// Returns whether a predicate is a register of each lane.
    fn is_of_lanes(&self, predicate: Number) -> bool {
        let first = self.register(Register { file: File::WarpBits, number: 0 });
        !(first..first + File::WarpBits.count()).contains(&predicate)
    }

    /// Makes registers unknown, in the lanes of the guard; those of the warp are the same in all lanes.
    pub(super) fn forget(&mut self, all: &[Register]) {
        self.forget_by("unknown", all);
    }

    /// Makes registers unknown by an instruction of this name.
    pub(super) fn forget_by(&mut self, name: &str, all: &[Register]) {
        self.written(all);
        let (of_warp, of_lanes): (Vec<Register>, Vec<Register>) =
            all.iter().partition(|one| one.file.is_of_warp());
        if !of_lanes.is_empty() || name != "unknown" {
            let all = of_lanes.into_iter().map(|one| self.named(one)).collect();
            self.guarded(name, vec![Word::Vector(all)]);
        }
        for one in of_warp {
            self.put(one, "mov.b32", vec![shared()]);
        }
    }

    /// Makes every register and every word of local memory unknown, in the lanes of the guard.
    pub(super) fn forget_all(&mut self) {
        self.begin_block();
        let all = self.all().into_iter().map(named).collect();
        self.guarded("unknown", vec![Word::Vector(all)]);
    }
}
