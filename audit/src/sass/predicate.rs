//! Instructions of SASS that write predicates, or choose by them, as instructions of PTX.
//!
//! | instruction | result |
//! |---|---|
//! | `LOP3.LUT p, d, a, b, c, table, q` | bits by a table; p is whether one is set, or q |
//! | `PLOP3.LUT p, PT, a, b, c, table, ..` | a predicate by a table |
//! | `ISETP.LT.AND p, q, a, b, r` | p is a < b and r, q is a >= b and r; `.EX` of 64 bits, the lower halves compared before |
//! | `SEL d, a, b, p` | a or b |
//! | `P2R d, PR, a, mask`, `R2P PR, a, mask` | predicates to bits and back |

use super::integer::FUNCTION;
use super::operand::{File, One, Operand, Place, Register};
use super::writer::{Made, Writer, named, number};
use crate::ptx::text::Operand as Word;

impl Writer<'_> {
    pub(super) fn by_table(&mut self, one: &One<'_>) -> Option<()> {
        let (bit, rest) = match &one.operands[..] {
            [bit, rest @ ..] if bit.is_bit() => (bit.register(), rest),
            rest => (None, rest),
        };
        let [to, a, b, c, table, other @ ..] = rest else { return None };
        let Place::Number(table @ 0..256) = table.place else { return None };
        let [a, b, c] = [a, b, c].map(|one| self.source(one));
        let from = [a, b, c, number(table)];
        if bit.is_none() {
            return self.give_one(to, Made::new("lop3.b32", from));
        }
        let value = self.make("lop3.b32", from);
        let is_set = self.make_bit("setp.ne.u32", [value.clone(), number(0)]);
        let joined = match other.first() {
            Some(other) => {
                let other = self.source(other);
                let name = if one.has("PAND") { "and.pred" } else { "or.pred" };
                Made::new(name, [is_set, other])
            }
            None => Made::new("mov.pred", [is_set]),
        };
        self.give(vec![(bit, joined), (to.register(), Made::new("mov.b32", [value]))]);
        Some(())
    }

    pub(super) fn bits_by_table(&mut self, one: &One<'_>) -> Option<()> {
        let [to, second, a, b, c, table, rest @ ..] = &one.operands[..] else { return None };
        let from = self.reads(&[*a, *b, *c], false);
        let mut results = vec![(second.register(), Made::new(FUNCTION, from.clone()))];
        let made = match (table.place, rest.len()) {
            (Place::Number(table @ 0..256), 1) => {
                let [a, b, c] = [a, b, c].map(|one| self.source(one));
                let all = self.make("lop3.b32", [a, b, c, number(table)]);
                Made::new("and.b32", [all, number(1)])
            }
            _ => Made::new(FUNCTION, from),
        };
        results.push((to.register(), made));
        self.give(results);
        Some(())
    }

    pub(super) fn compared(&mut self, one: &One<'_>) -> Option<()> {
        let [to, not, a, b, other, below @ ..] = &one.operands[..] else { return None };
        let test = one.parts.first()?.to_ascii_lowercase();
        let is_unsigned = one.has("U32") || one.has("U64");
        let known = ["U32", "S32", "U64", "S64", "AND", "OR", "XOR", "EX"];
        let is_known = one.parts[1..].iter().all(|part| known.contains(part));
        let is_wide = one.has("U64") || one.has("S64");
        let is_test = ["lt", "eq", "le", "gt", "ne", "ge"].contains(&&test[..]);
        if !is_known || !is_test || one.has("EX") != (below.len() == 1) || is_wide && one.has("EX")
        {
            return None;
        }
        let [x, y] =
            if is_wide { [self.pair(a), self.pair(b)] } else { [self.source(a), self.source(b)] };
        let is = self.test(&test, is_unsigned, is_wide, [x, y], below.first());
        let join = match () {
            () if one.has("OR") => "or.pred",
            () if one.has("XOR") => "xor.pred",
            () => "and.pred",
        };
        let is_neutral = other.place == Place::True && other.inverted == (join != "and.pred");
        let other = self.source(other);
        if is_neutral && not.register().is_none() {
            return self.give_one(to, is);
        }
        let is = {
            let made = named(self.between(1));
            self.push(&is.name, [made.clone()].into_iter().chain(is.from).collect());
            made
        };
        let is_not = self.make_bit("not.pred", [is.clone()]);
        self.give(vec![
            (to.register(), Made::new(join, [is, other.clone()])),
            (not.register(), Made::new(join, [is_not, other])),
        ]);
        Some(())
    }

    /// A comparison; where the lower halves were compared before, of the upper ones.
    fn test(
        &mut self,
        test: &str,
        is_unsigned: bool,
        is_wide: bool,
        [x, y]: [Word; 2],
        below: Option<&Operand>,
    ) -> Made {
        let name = |test: &str| {
            let sign = if is_unsigned && !["eq", "ne"].contains(&test) { 'u' } else { 's' };
            format!("setp.{test}.{sign}{}", if is_wide { 64 } else { 32 })
        };
        let Some(below) = below else { return Made::new(name(test), [x, y]) };
        let below = self.source(below);
        if test == "ne" {
            let apart = self.make_bit("setp.ne.s32", [x, y]);
            return Made::new("or.pred", [apart, below]);
        }
        let alike = self.make_bit("setp.eq.s32", [x.clone(), y.clone()]);
        if test == "eq" {
            return Made::new("and.pred", [alike, below]);
        }
        let strict = if test.starts_with('l') { "lt" } else { "gt" };
        let both = self.make_bit("and.pred", [alike, below]);
        let apart = self.make_bit(&name(strict), [x, y]);
        Made::new("or.pred", [apart, both])
    }

    pub(super) fn selected(&mut self, one: &One<'_>) -> Option<()> {
        let [to, a, b, bit] = &one.operands[..] else { return None };
        match &one.parts[..] {
            [] => self.simple(*to, "selp.b32", &[*a, *b, *bit]),
            ["64"] => {
                let (a, b, bit) = (self.pair(a), self.pair(b), self.source(bit));
                let wide = self.make_wide("selp.b64", [a, b, bit]);
                self.give_wide(to.register(), wide);
                Some(())
            }
            _ => None,
        }
    }

    /// `P2R R0, PR, R1, 0x7f`: predicates in the bits of a mask, and R1 in the others.
    pub(super) fn bits_joined(&mut self, one: &One<'_>) -> Option<()> {
        let ([to, _, rest, mask], Some(&"PR")) = (&one.operands[..], one.words.get(1)) else {
            return None;
        };
        let (Place::Number(mask @ 0..128), true) = (mask.place, one.parts.is_empty()) else {
            return None;
        };
        let rest = self.source(rest);
        let mut all = self.make("and.b32", [rest, number(!mask & 0xffff_ffff)]);
        for bit in (0..7).filter(|bit| mask >> bit & 1 == 1) {
            let predicate = self.read(Register { file: File::Bits, number: bit });
            let one = self.make("selp.b32", [number(1 << bit), number(0), predicate]);
            all = self.make("or.b32", [all, one]);
        }
        self.give_one(to, Made::new("mov.b32", [all]))
    }

    /// `R2P PR, R0, 0x7f`: the bits of a mask to predicates.
    pub(super) fn bits_parted(&mut self, one: &One<'_>) -> Option<()> {
        let ([_, from, mask], Some(&"PR")) = (&one.operands[..], one.words.first()) else {
            return None;
        };
        let Place::Number(mask @ 0..128) = mask.place else { return None };
        let first = one.words[1].rsplit_once(".B").map_or("0", |(_, byte)| byte);
        let first = 8 * first.parse::<i64>().ok().filter(|byte| *byte < 4)?;
        let from = Operand { is_odd: false, ..*from };
        let from = self.source(&from);
        let mut results = Vec::new();
        for bit in (0..7).filter(|bit| mask >> bit & 1 == 1) {
            let moved = self.make("shr.u32", [from.clone(), number(first + bit as i64)]);
            let predicate = Register { file: File::Bits, number: bit };
            results.push((Some(predicate), Made::new("and.b32", [moved, number(1)])));
        }
        self.give(results);
        Some(())
    }
}
