//! Instructions of SASS that touch memory, as instructions of PTX.
//!
//! | SASS | PTX |
//! |---|---|
//! | `LDS.128 R4, [R2+UR4+0x10]` | `ld.shared.v4.b32` |
//! | `STS.U16 [R2.X4], R5` | `st.shared.u16` |
//! | `LDSM.16.MT88.4 R4, [R2]`, `STSM` | `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`, `stmatrix` |
//! | `LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64]` | `cp.async.cg.shared.global`: the bytes that it writes, and those that it reads |
//! | `ATOMS`, `SYNCS`, `UTMALDG`, `HGMMA`, `UTCHMMA` | listed, as their PTX is |
//! | `LD`, `ST`, `ATOM` | of generic addresses |
//! | `LDG`, `LDC` | the same in all lanes if the address is |
//! | `STL [R1+0x10], R5` | a register for each word of the stack, where no address of it is computed |

use super::matrix;
use super::operand::{Address, File, One, Operand, Place, Register};
use super::text::Section;
use super::writer::{Made, Writer, named, number, shared};
use crate::ptx::text::{Name, Operand as Word};
use std::collections::BTreeSet;

/// How an access is written down: operands that are written, an address, and what is behind.
struct Access<'o> {
    to: &'o [Operand],
    address: Address,
    data: &'o [Operand],
}

impl<'o> Access<'o> {
    fn new(one: &'o One<'_>) -> Option<Self> {
        let is_address = |word: &&str| word.ends_with(']') && !is_constant(word);
        let at = one.words.iter().position(is_address)?;
        let address = Address::parse(one.words[at])?;
        Some(Self { to: &one.operands[..at], address, data: &one.operands[at + 1..] })
    }
}

fn is_constant(word: &str) -> bool {
    let word = word.trim_start_matches(['-', '~', '|']);
    word.starts_with("c[") || word.starts_with("cx[")
}

/// Registers of 32 bits that an access moves.
fn registers(parts: &[&str]) -> usize {
    let of = |part: &&str| match *part {
        "64" => Some(2),
        "96" | "128" => Some(4),
        "256" => Some(8),
        _ => None,
    };
    parts.iter().find_map(of).unwrap_or(1)
}

/// What an access of shared memory moves: `v4.b32`, `u8`. sm_75 has `LDS.U`, which moves the same.
fn moved(parts: &[&str]) -> Option<&'static str> {
    Some(match parts.strip_prefix(&["U"]).unwrap_or(parts) {
        [] | ["32"] => "b32",
        ["U8"] => "u8",
        ["S8"] => "s8",
        ["U16"] => "u16",
        ["S16"] => "s16",
        ["64"] => "v2.b32",
        ["128"] => "v4.b32",
        _ => return None,
    })
}

/// The PTX of an access that is listed, whatever its operands.
fn listed(base: &str) -> Option<&'static str> {
    Some(match base {
        "UTMALDG" | "UTMASTG" | "UTMAREDG" | "UBLKCP" | "UBLKRED" => "cp.async.bulk.shared::cta",
        "UTCHMMA" | "UTCQMMA" | "UTCIMMA" | "UTCOMMA" | "UTCMMA" => "tcgen05.mma",
        "UTCCP" => "tcgen05.cp",
        "UTCBAR" => "tcgen05.commit",
        "STAS" | "REDAS" => "st.async.shared::cluster",
        _ => return None,
    })
}

impl Writer<'_> {
    /// Translates an instruction; returns `false` if it is not one of this file's.
    pub(super) fn memory(&mut self, one: &One<'_>) -> bool {
        self.of_memory(one).is_some()
    }

    fn of_memory(&mut self, one: &One<'_>) -> Option<()> {
        match one.base {
            "LDC" | "LDCU" | "ULDC" => return self.constant_load(one),
            "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA" => return self.of_descriptors(one),
            _ => {}
        }
        if let Some(name) = listed(one.base) {
            self.access(name, Vec::new());
            return Some(());
        }
        let Access { to, address, data } = Access::new(one)?;
        let count = registers(&one.parts);
        match one.base {
            "LDS" => {
                let name = format!("ld.shared.{}", moved(&one.parts).unwrap_or("odd"));
                let place = self.place(&address);
                self.load(&name, to, count, place);
            }
            "STS" => {
                let name = format!("st.shared.{}", moved(&one.parts).unwrap_or("odd"));
                let (place, data) = (self.place(&address), self.data(data.first(), count));
                self.access(&name, vec![place, data]);
            }
            "LDSM" => {
                let place = self.place(&address);
                match matrices(&one.parts) {
                    Some((kind, count)) => self.load(&format!("ldmatrix.{kind}"), to, count, place),
                    None => self.load("ldmatrix.odd", to, 4, place),
                }
            }
            "STSM" => {
                let (kind, count) = matrices(&one.parts).unwrap_or(("odd", 4));
                let (place, data) = (self.place(&address), self.data(data.first(), count));
                self.access(&format!("stmatrix.{kind}"), vec![place, data]);
            }
            "LDGSTS" => {
                let bytes = number(4 * count as i64);
                let place = self.place(&address);
                // The address that it reads is the next one.
                let read = one.words.iter().filter(|word| word.ends_with(']')).nth(1);
                let source = match read.and_then(|word| Address::parse(word)) {
                    Some(source) => self.lower(&source),
                    None => self.unknown_place(),
                };
                self.access("cp.async.cg.shared.global", vec![place, source, bytes]);
            }
            "ATOMS" => self.load("atom.shared.b32", to, count, number(0)),
            "ATOM" => self.load("atom.b32", to, count, number(0)),
            "ATOMG" => self.load("atom.global.b32", to, count, number(0)),
            "SYNCS" | "ARRIVES" => self.load("mbarrier.sass", to, count, number(0)),
            "LD" => {
                let place = self.anywhere(&address);
                self.load("ld.b32", to, count, place);
            }
            "LDG" => {
                let is_weak = !one.parts.iter().any(|part| ["STRONG", "MMIO"].contains(part));
                let places = vec![self.anywhere(&address), self.lower(&address)];
                let name = if is_weak { "ld.global.b32" } else { "ld.relaxed.global.b32" };
                self.load_of(name, to, count, places);
            }
            "STG" => {
                let place = self.lower(&address);
                self.access("st.global.b32", vec![place, number(0)]);
            }
            "ST" => {
                let place = self.anywhere(&address);
                self.access("st.b32", vec![place, number(0)]);
            }
            "LDL" => self.load_word(to, count, &address),
            "STL" => self.store_word(data.first(), count, &address),
            _ => return None,
        }
        Some(())
    }

    /// Writes what loads to registers.
    fn load(&mut self, name: &str, to: &[Operand], count: usize, from: Word) {
        self.load_of(name, to, count, vec![from]);
    }

    fn load_of(&mut self, name: &str, to: &[Operand], count: usize, from: Vec<Word>) {
        let (all, words) = self.loaded(to, count);
        self.access(name, [words].into_iter().chain(from).collect());
        self.written(&all);
    }

    /// The registers that are loaded, each of the given number of words, and predicates.
    fn loaded(&self, to: &[Operand], count: usize) -> (Vec<Register>, Word) {
        let each = |one: Register| {
            let count = if matches!(one.file, File::Bits | File::WarpBits) { 1 } else { count };
            (0..count).filter_map(move |by| one.after(by))
        };
        let all = Vec::from_iter(to.iter().filter_map(Operand::register).flat_map(each));
        let words = all.iter().map(|one| self.named(*one)).collect();
        (all, Word::Vector(words))
    }

    /// The address of an access of shared memory.
    fn place(&mut self, address: &Address) -> Word {
        if address.is_described {
            return self.unknown_place();
        }
        self.lower(address)
    }

    fn unknown_place(&mut self) -> Word {
        let unknown = self.between(0);
        self.push("unknown", vec![named(unknown)]);
        Word::Address(Some(Name::Register(unknown)), 0)
    }

    /// The lower half of an address.
    fn lower(&mut self, address: &Address) -> Word {
        if address.is_odd {
            return self.unknown_place();
        }
        let mut sum = None;
        for (register, shift) in &address.terms {
            let term = self.read(*register);
            let term = match shift {
                0 => term,
                shift => self.make("shl.b32", [term, number(i64::from(*shift))]),
            };
            sum = Some(match sum {
                None => term,
                Some(sum) => self.make("add.s32", [sum, term]),
            });
        }
        let base = match sum {
            Some(Word::Name(name)) => Some(name),
            _ => None,
        };
        Word::Address(base, address.offset)
    }

    /// An unknown address; only whether all lanes share it is kept.
    fn anywhere(&mut self, address: &Address) -> Word {
        let mut from = Vec::new();
        for (register, _) in &address.terms {
            let both = [Some(*register), register.after(1)];
            from.extend(both.into_iter().flatten().map(|one| self.read(one)));
        }
        let place = self.between(0);
        if address.is_odd {
            self.push("unknown", vec![named(place)]);
        } else {
            self.push("fma.ftz", [named(place)].into_iter().chain(from).collect());
        }
        Word::Address(Some(Name::Register(place)), 0)
    }

    /// What is stored.
    fn data(&mut self, from: Option<&Operand>, count: usize) -> Word {
        let register = from.and_then(Operand::register);
        let part = |by: usize| match (from, register) {
            (_, Some(register)) => register.after(by).map_or(Word::Other, |one| self.read(one)),
            (Some(Operand { place: Place::Zero, .. }), _) => number(0),
            _ => Word::Other,
        };
        let parts: Vec<_> = (0..count).map(part).collect();
        match parts.len() {
            1 => parts[0].clone(),
            _ => Word::Vector(parts),
        }
    }

    /// `LDC.64 R2, c[0x0][R4+0x210]`
    fn constant_load(&mut self, one: &One<'_>) -> Option<()> {
        let [to, from] = &one.operands[..] else { return None };
        let (to, count) = (to.register(), registers(&one.parts));
        let each = |by: usize| to.and_then(|to| to.after(by));
        let Place::Constant { bank, index, offset } = from.place else {
            let of_warp = to.is_some_and(|to| to.file.is_of_warp());
            let from = if of_warp { shared() } else { Word::Other };
            self.give(
                (0..count).map(|by| (each(by), Made::new("mov.b32", [from.clone()]))).collect(),
            );
            return Some(());
        };
        if let Some(index) = index {
            let from = vec![self.read(index)];
            let made = Made::new("fma.ftz", from);
            self.give((0..count).map(|by| (each(by), made.clone())).collect());
            return Some(());
        }
        let is_whole = one.parts.iter().all(|part| ["32", "64", "128"].contains(part));
        let word = |by: usize| {
            let offset = offset + 4 * by as i64;
            if is_whole { self.constant(bank, None, offset) } else { shared() }
        };
        let words: Vec<_> = (0..count).map(word).collect();
        let made = |(by, word)| (each(by), Made::new("mov.b32", [word]));
        self.give(words.into_iter().enumerate().map(made).collect());
        Some(())
    }

    /// `HGMMA.64x128x16.F32 R24, gdesc[UR4], R24, gsb0`
    fn of_descriptors(&mut self, one: &One<'_>) -> Option<()> {
        let columns = one.parts.first()?.split('x').nth(1)?.parse::<usize>().ok()?;
        // A is of registers, or of the descriptor as B is.
        let of_registers = one.operands.get(1).is_some_and(|a| a.register().is_some());
        let a = if of_registers { Word::Vector(Vec::new()) } else { number(0) };
        let name = matrix::name(one.base, &one.parts);
        self.load(&name, one.operands.get(..1)?, columns.div_ceil(2), a);
        Some(())
    }

    fn load_word(&mut self, to: &[Operand], count: usize, address: &Address) {
        let Some(first) = self.stack_word(address) else {
            let place = self.anywhere(&Address { is_odd: true, ..Address::default() });
            let (all, words) = self.loaded(to, count);
            self.guarded("ld.local.b32", vec![words, place]);
            return self.written(&all);
        };
        for by in 0..count {
            let to = to.first().and_then(Operand::register).and_then(|to| to.after(by));
            if let Some(to) = to {
                self.guarded("mov.b32", vec![self.named(to), self.word(first + by)]);
                self.written(&[to]);
            }
        }
    }

    fn store_word(&mut self, from: Option<&Operand>, count: usize, address: &Address) {
        let Some(first) = self.stack_word(address) else { return };
        let data = self.data(from, count);
        for (by, part) in data.parts().iter().enumerate() {
            self.guarded("mov.b32", vec![self.word(first + by), part.clone()]);
        }
    }

    fn stack_word(&self, address: &Address) -> Option<usize> {
        let is_followed = self.words() > 0;
        is_followed.then_some(address.offset as usize / 4)
    }
}

/// `16.MT88.4` as PTX says it, and the registers that each lane moves.
fn matrices(parts: &[&str]) -> Option<(&'static str, usize)> {
    Some(match parts {
        ["16", "M88"] => ("sync.aligned.m8n8.x1.shared.b16", 1),
        ["16", "M88", "2"] => ("sync.aligned.m8n8.x2.shared.b16", 2),
        ["16", "M88", "4"] => ("sync.aligned.m8n8.x4.shared.b16", 4),
        ["16", "MT88"] => ("sync.aligned.m8n8.x1.trans.shared.b16", 1),
        ["16", "MT88", "2"] => ("sync.aligned.m8n8.x2.trans.shared.b16", 2),
        ["16", "MT88", "4"] => ("sync.aligned.m8n8.x4.trans.shared.b16", 4),
        _ => return None,
    })
}

/// The register that points to the stack.
const POINTER: &str = "R1";
/// Words of the stack that are followed at most.
const MOST_WORDS: usize = 1024;

/// The words of the stack, if every access of it is at a constant distance from the pointer, which is set once before them,
/// and read by nothing else; 0 else.
pub(super) fn words_of_stack(section: &Section<'_>, entries: &BTreeSet<usize>) -> usize {
    let straight = entries.first().copied().unwrap_or(section.code.len());
    let (mut words, mut is_used) = (0, false);
    let returns = section.returns();
    for (at, line) in section.code.iter().enumerate() {
        let (base, rest) = line.name.split_once('.').unwrap_or((line.name, ""));
        if base == "CALL" && returns {
            return 0;
        }
        let is_access = ["LDL", "STL"].contains(&base);
        let names = |word: &&&str| {
            let mut parts = word.split(|c: char| !c.is_ascii_alphanumeric());
            parts.any(|part| part == POINTER)
        };
        let mentions = line.operands.iter().filter(names).count();
        if !is_access && mentions > 0 {
            let is_set =
                line.operands.first() == Some(&POINTER) && is_setting(line.operands.get(1..));
            if !is_set || is_used || at >= straight || line.guard.is_some() {
                return 0;
            }
        }
        if is_access {
            is_used = true;
            let parts: Vec<&str> = rest.split('.').filter(|part| *part != "LU").collect();
            let is_whole = parts.iter().all(|part| ["", "32", "64", "128"].contains(part));
            let word = line.operands.iter().find(|word| word.ends_with(']'));
            let address = word.and_then(|word| Address::parse(word));
            let Some(address) = address.filter(|_| is_whole) else { return 0 };
            let is_pointer = |(register, shift): &(Register, u32)| {
                *register == Register { file: File::Lanes, number: 1 } && *shift == 0
            };
            let is_plain = !address.is_odd && !address.is_described;
            let is_based = address.terms.len() == 1 && address.terms.iter().all(is_pointer);
            let Ok(offset) = usize::try_from(address.offset) else { return 0 };
            let end = offset / 4 + registers(&parts);
            if !is_plain || !is_based || offset % 4 != 0 || end > MOST_WORDS || mentions != 1 {
                return 0;
            }
            words = words.max(end);
        }
    }
    words
}

/// Returns whether the pointer is set to a constant, or moved by one.
fn is_setting(from: Option<&[&str]>) -> bool {
    let is_fixed = |word: &&str| {
        let one = Operand::parse(word);
        let is_itself = **word == *POINTER;
        let is_constant = match one.place {
            Place::Constant { index, .. } => index.is_none(),
            place => matches!(place, Place::Number(_) | Place::Zero | Place::True),
        };
        is_itself || is_constant
    };
    from.is_some_and(|from| from.iter().all(is_fixed))
}
