//! Instructions of SASS that addresses are computed with, as instructions of PTX.
//!
//! | instruction | result |
//! |---|---|
//! | `IADD3 d, a, b, c` | a + b + c, and with `.X` a carry from each predicate behind |
//! | `IMAD d, a, b, c` | a b + c; `.WIDE` of 64 bits, with c; `.HI` the upper half of that |
//! | `LEA d, a, b, n` | (a << n) + b |
//! | `LEA.HI d, a, b, c, n` | (c a << n >> 32) + b; with `.SX32` the sign of a is c |
//! | `SHF.L d, a, n, c` | a << n; `.HI` the upper half of c a << n |
//! | `SHF.R d, a, n, c` | the lower half of c a >> n; `.HI` c >> n |
//! | `PRMT d, a, table, b` | bytes by a table |
//!
//! Where predicates are written before these results, they are carries. Of a form that is not followed `effect` says what it
//! writes: the same in all lanes if its operands are.
//!
//! Sources: NVIDIA, "CUDA Binary Utilities", "Instruction Set Reference", names them; what they do is what `ptxas` uses
//! them for, which `tests/sass.rs` compares with the PTX.

use super::operand::{One, Operand, Place, Register};
use super::writer::{Made, Writer, named, number};
use crate::ptx::text::Operand as Word;

/// A function of its operands that is not followed.
pub(super) const FUNCTION: &str = "fma.ftz";

impl Writer<'_> {
    /// Translates an instruction; returns `false` if it is not one of this file's.
    pub(super) fn integer(&mut self, one: &One<'_>) -> bool {
        self.of_integer(one).is_some()
    }

    fn of_integer(&mut self, one: &One<'_>) -> Option<()> {
        match one.base {
            "MOV" | "MOV32I" => self.moved(one),
            "IADD" | "IADD3" | "VIADD" => self.sum(one),
            "IMAD" => self.product(one),
            "LEA" => self.scaled(one),
            "SHF" => self.shifted(one),
            "LOP3" => self.by_table(one),
            "PLOP3" => self.bits_by_table(one),
            "ISETP" => self.compared(one),
            "SEL" => self.selected(one),
            "PRMT" if one.parts.is_empty() => {
                let [to, a, table, b] = one.operands[..] else { return None };
                self.simple(to, "prmt.b32", &[a, b, table])
            }
            "IMNMX" | "VIMNMX" => self.extreme(one),
            "IABS" => self.simple(*one.operands.first()?, "abs.s32", one.operands.get(1..2)?),
            "POPC" if one.operands.len() == 2 && one.parts.is_empty() => {
                self.simple(one.operands[0], "popc.b32", &one.operands[1..])
            }
            "BREV" if one.operands.len() == 2 => {
                self.simple(one.operands[0], "brev.b32", &one.operands[1..])
            }
            "FLO" if one.operands.len() == 2 && one.parts == ["U32"] => {
                self.simple(one.operands[0], "bfind.u32", &one.operands[1..])
            }
            "SGXT" => self.extended(one),
            "BMSK" => self.mask(one),
            "P2R" => self.bits_joined(one),
            "R2P" => self.bits_parted(one),
            "R2UR" => self.of_one_lane(one),
            "S2R" | "S2UR" | "CS2R" => self.special_register(one),
            "HFMA2" => self.halves(one),
            "SHFL" => self.shuffled(one),
            "VOTE" | "VOTEU" | "REDUX" | "CREDUX" => self.voted(one),
            _ => None,
        }
    }

    /// Writes a function of one operand or more that is followed.
    pub(super) fn simple(
        &mut self,
        to: Operand,
        name: &'static str,
        from: &[Operand],
    ) -> Option<()> {
        let from: Vec<_> = from.iter().map(|one| self.source(one)).collect();
        self.give_one(&to, Made::new(name, from))
    }

    /// Writes a number of 64 bits.
    pub(super) fn give_wide(&mut self, to: Option<Register>, wide: Word) {
        let [lower, upper] = self.apart(wide);
        let after = to.and_then(|to| to.after(1));
        self.give(vec![
            (to, Made::new("mov.b32", [lower])),
            (after, Made::new("mov.b32", [upper])),
        ]);
    }

    /// The halves of a number of 64 bits.
    fn apart(&mut self, wide: Word) -> [Word; 2] {
        let halves = [named(self.between(0)), named(self.between(0))];
        self.push("mov.b64", vec![Word::Vector(halves.to_vec()), wide]);
        halves
    }

    fn moved(&mut self, one: &One<'_>) -> Option<()> {
        let [to, from, rest @ ..] = &one.operands[..] else { return None };
        match (one.has("64"), rest) {
            (true, []) => {
                let wide = self.pair(from);
                self.give_wide(to.register(), wide);
                Some(())
            }
            // All four bytes.
            (false, [] | [Operand { place: Place::Number(15), .. }]) => {
                self.simple(*to, "mov.b32", &[*from])
            }
            _ => None,
        }
    }

    fn sum(&mut self, one: &One<'_>) -> Option<()> {
        let (to, carries, from) = one.with_carries()?;
        if one.has("64") {
            let ([a, b], []) = (from, &carries[..]) else { return None };
            let (a, b) = (self.pair(a), self.pair(b));
            let sum = self.make_wide("add.s64", [a, b]);
            self.give_wide(to.register(), sum);
            return Some(());
        }
        let is_known = one.parts.iter().all(|part| ["X", "U32", "S32"].contains(part));
        let (numbers, bits): (Vec<Operand>, Vec<Operand>) =
            from.iter().partition(|one| !one.is_bit());
        // What a sign means where a carry comes in is not followed.
        let is_signed = |one: &Operand| one.negated && !one.is_zero();
        if !is_known
            || one.has("X") == bits.is_empty()
            || one.has("X") && numbers.iter().any(is_signed)
        {
            return None;
        }
        let words: Vec<_> = numbers.iter().map(|one| self.source(one)).collect();
        let [ones @ .., last] = &words[..] else { return None };
        let mut sum = None;
        for word in ones {
            sum = Some(match sum {
                None => word.clone(),
                Some(sum) => self.make("add.s32", [sum, word.clone()]),
            });
        }
        let sum = self.with_bits([sum.unwrap_or(number(0)), last.clone()], &bits);
        let mut results = vec![(to.register(), Made::new("add.s32", sum.clone()))];
        results.extend(self.carries(&carries, &numbers, from, &sum));
        self.give(results);
        Some(())
    }

    /// The two words of a sum to which predicates are added, too.
    fn with_bits(&mut self, sum: [Word; 2], bits: &[Operand]) -> [Word; 2] {
        bits.iter().fold(sum, |sum, bit| [self.make("add.s32", sum), self.as_number(bit)])
    }

    /// A predicate as 1 or 0.
    fn as_number(&mut self, bit: &Operand) -> Word {
        let bit = self.source(bit);
        self.make("selp.b32", [number(1), number(0), bit])
    }

    /// The carries of a sum: of two numbers that are no differences the sum is then less than either.
    fn carries(
        &mut self,
        carries: &[Operand],
        numbers: &[Operand],
        from: &[Operand],
        sum: &[Word],
    ) -> Vec<(Option<Register>, Made)> {
        let two: Vec<&Operand> = numbers.iter().filter(|one| !one.is_zero()).collect();
        let is_plain =
            two.len() <= 2 && from.len() == numbers.len() && two.iter().all(|one| one.is_plain());
        let mut all = Vec::new();
        for (i, carry) in carries.iter().enumerate() {
            let made = match (&two[..], is_plain && i == 0) {
                ([], true) => Made::new("mov.b32", [number(0)]),
                ([first, ..], true) => {
                    let whole = self.make("add.s32", [sum[0].clone(), sum[1].clone()]);
                    let first = self.source(first);
                    Made::new("setp.lt.u32", [whole, first])
                }
                _ => Made::new(FUNCTION, self.reads(from, false)),
            };
            all.push((carry.register(), made));
        }
        all
    }

    fn product(&mut self, one: &One<'_>) -> Option<()> {
        let (to, carries, from) = one.with_carries()?;
        let [a, b, c, bits @ ..] = from else { return None };
        let signed = !one.has("U32");
        let known = ["MOV", "SHL", "IADD", "U32", "S32", "WIDE", "HI", "X"];
        let is_known = one.parts.iter().all(|part| known.contains(part)) && carries.is_empty();
        let (wide, high) = (one.has("WIDE"), one.has("HI"));
        if !wide && !high && is_known && (bits.is_empty() || one.has("X") && bits.len() == 1) {
            let [a, b, c] = [a, b, c].map(|one| self.source(one));
            let Some(bit) = bits.first() else {
                return self.give_one(&to, Made::new("mad.lo.s32", [a, b, c]));
            };
            let (whole, carry) = (self.make("mad.lo.s32", [a, b, c]), self.as_number(bit));
            return self.give_one(&to, Made::new("add.s32", [whole, carry]));
        }
        let is_pair = matches!(c.place, Place::Register(_) | Place::Zero | Place::Constant { .. });
        if !is_known || !bits.is_empty() || high && !is_pair || c.negated && !c.is_zero() {
            return None;
        }
        let (a, b, c) = (self.source(a), self.source(b), self.pair(c));
        let name = if signed { "mad.wide.s32" } else { "mad.wide.u32" };
        let whole = self.make_wide(name, [a, b, c]);
        if wide {
            self.give_wide(to.register(), whole);
        } else {
            let [_, upper] = self.apart(whole);
            self.give(vec![(to.register(), Made::new("mov.b32", [upper]))]);
        }
        Some(())
    }

    fn scaled(&mut self, one: &One<'_>) -> Option<()> {
        let (to, carries, from) = one.with_carries()?;
        let count = |one: &Operand| match one.place {
            Place::Number(count @ 0..32) => Some(count),
            _ => None,
        };
        let (is_high, is_signed, takes) = (one.has("HI"), one.has("SX32"), one.has("X"));
        let is_known = one.parts.iter().all(|part| ["HI", "SX32", "X"].contains(part));
        let (a, b, upper, n, bits) = match (is_high, is_signed, from) {
            (false, false, [a, b, n]) if !takes => (a, b, None, n, &[][..]),
            (true, false, [a, b, c, n, bits @ ..]) => (a, b, Some(c), n, bits),
            (true, true, [a, b, n, bits @ ..]) => (a, b, None, n, bits),
            _ => return None,
        };
        let (Some(n), true) = (count(n), is_known && bits.len() == usize::from(takes)) else {
            return None;
        };
        if is_high && !a.is_plain() {
            return None;
        }
        let lower = self.source(a);
        let moved = match (is_high, upper) {
            (false, _) => self.make("shl.b32", [lower, number(n)]),
            (true, Some(upper)) => {
                let upper = self.source(upper);
                self.make("shf.l.clamp.b32", [lower, upper, number(n)])
            }
            (true, None) => {
                let upper = self.make("shr.s32", [lower.clone(), number(31)]);
                self.make("shf.l.clamp.b32", [lower, upper, number(n)])
            }
        };
        let sum = [moved, self.source(b)];
        let sum = self.with_bits(sum, bits);
        let sources = self.reads(from, false);
        let mut results = vec![(to.register(), Made::new("add.s32", sum))];
        results.extend(
            carries.iter().map(|one| (one.register(), Made::new(FUNCTION, sources.clone()))),
        );
        self.give(results);
        Some(())
    }

    fn shifted(&mut self, one: &One<'_>) -> Option<()> {
        let [to, a, n, c] = &one.operands[..] else { return None };
        let (left, high, wraps) = (one.has("L"), one.has("HI"), one.has("W"));
        let is_wide = one.has("U64") || one.has("S64");
        let known = ["L", "R", "HI", "W", "U32", "S32", "U64", "S64"];
        let is_known = one.parts.iter().all(|part| known.contains(part));
        let count = match n.place {
            Place::Number(count) if n.is_plain() => Some(count),
            Place::Zero => Some(0),
            _ => None,
        };
        let is_small = count.is_some_and(|count| (0..32).contains(&count));
        // Of numbers of 64 bits some counts say what others do not.
        if !is_known || is_wide && !is_small {
            return None;
        }
        let [low, by, up] = [a, n, c].map(|one| self.source(one));
        let by = if wraps { self.make("and.b32", [by, number(31)]) } else { by };
        let made = match (left, high) {
            (true, false) => Made::new("shl.b32", [low, by]),
            (true, true) => Made::new("shf.l.clamp.b32", [low, up, by]),
            (false, true) if one.has("S32") || one.has("S64") => Made::new("shr.s32", [up, by]),
            (false, true) => Made::new("shr.u32", [up, by]),
            (false, false) => Made::new("shf.r.clamp.b32", [low, up, by]),
        };
        self.give_one(to, made)
    }

    fn extreme(&mut self, one: &One<'_>) -> Option<()> {
        let [to, a, b, bit] = &one.operands[..] else { return None };
        let is_known = one.parts.iter().all(|part| ["U32", "S32"].contains(part));
        if !is_known || bit.place != Place::True {
            return None;
        }
        let name = match (bit.inverted, one.has("U32")) {
            (false, false) => "min.s32",
            (false, true) => "min.u32",
            (true, false) => "max.s32",
            (true, true) => "max.u32",
        };
        self.simple(*to, name, &[*a, *b])
    }

    fn extended(&mut self, one: &One<'_>) -> Option<()> {
        let [to, a, bits] = &one.operands[..] else { return None };
        let made = match (bits.place, &one.parts[..]) {
            (Place::Number(bits @ 1..32), []) => {
                let a = self.source(a);
                let up = self.make("shl.b32", [a, number(32 - bits)]);
                Made::new("shr.s32", [up, number(32 - bits)])
            }
            (Place::Number(bits @ 1..32), ["U32"]) => {
                let a = self.source(a);
                Made::new("and.b32", [a, number((1 << bits) - 1)])
            }
            _ => return None,
        };
        self.give_one(to, made)
    }

    fn mask(&mut self, one: &One<'_>) -> Option<()> {
        let [to, first, bits] = &one.operands[..] else { return None };
        if !one.parts.is_empty() {
            return None;
        }
        let [first, bits] = [first, bits].map(|one| self.source(one));
        let above = self.make("shl.b32", [number(1), bits]);
        let all = self.make("sub.s32", [above, number(1)]);
        self.give_one(to, Made::new("shl.b32", [all, first]))
    }
}
