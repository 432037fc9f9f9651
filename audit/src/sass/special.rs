//! Instructions of SASS that bring numbers from elsewhere than a lane's own registers, as instructions of PTX.
//!
//! | instruction | result |
//! |---|---|
//! | `S2R d, SR_TID.X`, `CS2R d, SRZ` | a special register |
//! | `R2UR d, a` | a of one of the lanes |
//! | `SHFL.BFLY p, d, a, n, 0x1f` | a of another lane |
//! | `VOTE`, `REDUX` | the same in all lanes |
//! | `HFMA2 d, -RZ, RZ, 0, 2.384185791015625e-07` | a constant, as two numbers of 16 bits |

use super::operand::{One, Operand, Place, Register};
use super::writer::{Made, Writer, named, number, shared};
use crate::ptx::text::Operand as Word;

impl Writer<'_> {
    pub(super) fn of_one_lane(&mut self, one: &One<'_>) -> Option<()> {
        let (from, to) = one.operands.split_last()?;
        let (bits, to): (Vec<Operand>, Vec<Operand>) = to.iter().partition(|one| one.is_bit());
        let [to] = to[..] else { return None };
        let from = self.source(from);
        self.give(vec![(to.register(), Made::new("any.b32", [from]))]);
        self.forget(&bits.iter().filter_map(Operand::register).collect::<Vec<_>>());
        Some(())
    }

    pub(super) fn special_register(&mut self, one: &One<'_>) -> Option<()> {
        let ([to, _], [_, name]) = (&one.operands[..], one.words) else { return None };
        let to = to.register();
        let value = self.special(name);
        // It is not known which lane's.
        let of_warp = to.is_some_and(|to| to.file.is_of_warp());
        let is_of_all = value == shared() || value == number(0);
        let value = if of_warp && !is_of_all { shared() } else { value };
        let after = to.filter(|_| one.base == "CS2R" && !one.has("32")).and_then(|to| to.after(1));
        if value == Word::Other {
            self.forget(&[to, after].into_iter().flatten().collect::<Vec<_>>());
            return Some(());
        }
        let upper = if value == number(0) { number(0) } else { Word::Other };
        self.give(vec![
            (to, Made::new("mov.b32", [value])),
            (after, Made::new("mov.b32", [upper])),
        ]);
        Some(())
    }

    /// `HFMA2.MMA R2, -RZ, RZ, 0, 2.384185791015625e-07`: 0 times 0 plus a constant, which is how one is written at times.
    pub(super) fn halves(&mut self, one: &One<'_>) -> Option<()> {
        let ([to, a, b, ..], [_, _, _, high, low]) = (&one.operands[..], one.words) else {
            return None;
        };
        let is_known = one.parts.iter().all(|part| *part == "MMA");
        let is_zero = |one: &Operand| one.place == Place::Zero && !one.is_odd;
        if !is_known || !is_zero(a) || !is_zero(b) {
            return None;
        }
        let number_of = |word: &str| half(word).map(i64::from);
        let both = number_of(high)? << 16 | number_of(low)?;
        self.give_one(to, Made::new("mov.b32", [number(both)]))
    }

    /// `SHFL.BFLY P0, R1, R2, 0x10, 0x1f`
    pub(super) fn shuffled(&mut self, one: &One<'_>) -> Option<()> {
        let [bit, to, from, b, c] = &one.operands[..] else { return None };
        let name = match &one.parts[..] {
            ["IDX"] => "shfl.sync.idx.b32",
            ["UP"] => "shfl.sync.up.b32",
            ["DOWN"] => "shfl.sync.down.b32",
            ["BFLY"] => "shfl.sync.bfly.b32",
            _ => return None,
        };
        let all: Vec<Register> = [to, bit].iter().filter_map(|one| one.register()).collect();
        if self.guard.is_some() {
            self.forget(&all);
            return Some(());
        }
        let [from, b, c] = [from, b, c].map(|one| self.source(one));
        let made = [named(self.between(0)), named(self.between(1))];
        self.push(name, vec![Word::Both(made.to_vec()), from, b, c, number(0xffff_ffff)]);
        let [value, fits] = made;
        self.give(vec![
            (to.register(), Made::new("mov.b32", [value])),
            (bit.register(), Made::new("mov.pred", [fits])),
        ]);
        Some(())
    }

    /// What all lanes get alike: every operand but the last is written.
    pub(super) fn voted(&mut self, one: &One<'_>) -> Option<()> {
        let (_, to) = one.operands.split_last()?;
        self.give(to.iter().map(|to| (to.register(), Made::new("mov.b32", [shared()]))).collect());
        Some(())
    }
}

/// The bits of a number of 16 bits in floating point that is written exactly; 0 is positive.
fn half(word: &str) -> Option<u16> {
    let value: f64 = word.parse().ok().filter(|value: &f64| value.is_finite())?;
    if value == 0.0 {
        return (!word.starts_with('-')).then_some(0);
    }
    let sign = if value < 0.0 { 0x8000 } else { 0 };
    let mut exponent = -14;
    let mut scaled = value.abs() * 2_f64.powi(24);
    while scaled >= 2048.0 {
        scaled /= 2.0;
        exponent += 1;
    }
    if scaled.fract() != 0.0 || exponent > 15 {
        return None;
    }
    let bits = scaled as u16;
    // Below 2^10 there is no leading 1: a number too small for one.
    Some(sign | if bits < 1024 { bits } else { ((exponent + 15) as u16) << 10 | bits & 0x3ff })
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves() {
        for (word, bits) in [
            ("0", 0),
            ("1", 0x3c00),
            ("-1", 0xbc00),
            ("2.384185791015625e-07", 4),
            ("0.00048828125", 0x1000),
            ("65504", 0x7bff),
            ("6.103515625e-05", 0x0400),
            ("1.5", 0x3e00),
        ] {
            assert_eq!(half(word), Some(bits), "{word}");
        }
        assert!(["-0", "0.1", "+INF", "+QNAN", "65536"].iter().all(|word| half(word).is_none()));
    }
}
