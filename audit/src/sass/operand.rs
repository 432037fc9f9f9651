//! An operand of SASS.
//!
//! | operand | |
//! |---|---|
//! | `R5`, `UR4`, `P0`, `UP1` | registers: of each lane, of the warp; predicates of both |
//! | `RZ`, `URZ`, `PT`, `UPT` | 0, and true |
//! | `-R5`, `~R5`, `\|R5\|`, `!P0` | negated, inverted, without its sign; not |
//! | `R5.reuse`, `R2.64` | how it is read does not change its low 32 bits |
//! | `R5.H0_H0` | half of it: not followed |
//! | `0x10`, `-0x10` | an integer |
//! | `c[0x0][0x160]`, `c[0x0][R4+0x10]`, `cx[UR4][0x8]` | a word of constant memory |

use crate::text::number;

/// A file of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum File {
    /// `R5`
    Lanes,
    /// `UR5`
    Warp,
    /// `P5`
    Bits,
    /// `UP5`
    WarpBits,
}

impl File {
    /// Registers that there are of it.
    pub(super) const fn count(self) -> usize {
        match self {
            Self::Lanes | Self::Warp => 255,
            Self::Bits | Self::WarpBits => 7,
        }
    }

    /// Returns whether all lanes have one register.
    pub(super) const fn is_of_warp(self) -> bool {
        matches!(self, Self::Warp | Self::WarpBits)
    }
}

/// A register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register {
    pub(super) file: File,
    pub(super) number: usize,
}

impl Register {
    /// The one after it, for numbers of 64 bits and more; `None` past the last.
    pub(super) fn after(self, by: usize) -> Option<Self> {
        let number = self.number + by;
        (number < self.file.count()).then_some(Self { number, ..self })
    }
}

/// What an operand names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(Register),
    /// `RZ`, `URZ`
    Zero,
    /// `PT`, `UPT`
    True,
    Number(i64),
    /// A word of a bank of constant memory; no bank if the bank is named by a register.
    Constant {
        bank: Option<u32>,
        index: Option<Register>,
        offset: i64,
    },
    /// A number in floating point.
    Real,
    Other,
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    pub(super) place: Place,
    /// `-`
    pub(super) negated: bool,
    /// `~`, and `!` of a predicate.
    pub(super) inverted: bool,
    /// `|R5|`
    pub(super) absolute: bool,
    /// Whether a modifier is not followed.
    pub(super) is_odd: bool,
}

impl Operand {
    pub(super) fn register(&self) -> Option<Register> {
        match self.place {
            Place::Register(register) => Some(register),
            _ => None,
        }
    }

    /// Returns whether it is a predicate.
    pub(super) fn is_bit(&self) -> bool {
        let is_file = |file| matches!(file, File::Bits | File::WarpBits);
        self.place == Place::True || self.register().is_some_and(|one| is_file(one.file))
    }

    pub(super) fn is_plain(&self) -> bool {
        !self.negated && !self.inverted && !self.absolute && !self.is_odd
    }

    pub(super) fn is_zero(&self) -> bool {
        matches!(self.place, Place::Zero | Place::Number(0)) && !self.inverted && !self.is_odd
    }

    pub(super) fn parse(word: &str) -> Self {
        let (mut word, mut one) = (word.trim(), Self::PLAIN);
        loop {
            word = match word.as_bytes() {
                [b'-', b'0'..=b'9', ..] => break,
                [b'-', ..] => {
                    one.negated = !one.negated;
                    &word[1..]
                }
                [b'~' | b'!', ..] => {
                    one.inverted = !one.inverted;
                    &word[1..]
                }
                [b'+', b'0'..=b'9', ..] => &word[1..],
                _ => break,
            };
        }
        if let Some(inner) = word.strip_prefix('|') {
            let (inner, rest) = inner.split_once('|').unwrap_or((inner, "?"));
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            one.absolute = true;
            one.is_odd |= !rest.is_empty() && !is_read_alike(rest);
            word = inner;
        }
        one.place = match constant(word) {
            Some(place) => place,
            None => {
                let (name, rest) = word.split_once('.').unwrap_or((word, ""));
                match named(name) {
                    Some(place) => {
                        let parts = rest.split('.').filter(|part| !part.is_empty());
                        one.is_odd |= parts.into_iter().any(|part| !is_read_alike(part));
                        place
                    }
                    None => number(word).map_or_else(|| real(word), Place::Number),
                }
            }
        };
        one
    }

    const PLAIN: Self = Self {
        place: Place::Other,
        negated: false,
        inverted: false,
        absolute: false,
        is_odd: false,
    };
}

/// `.reuse` is of the operand cache, `.64` says that the next register belongs to it, too.
fn is_read_alike(modifier: &str) -> bool {
    ["reuse", "64"].contains(&modifier)
}

fn named(name: &str) -> Option<Place> {
    let (file, rest) = match name.as_bytes() {
        [b'U', b'R', ..] => (File::Warp, &name[2..]),
        [b'U', b'P', ..] => (File::WarpBits, &name[2..]),
        [b'R', ..] => (File::Lanes, &name[1..]),
        [b'P', ..] => (File::Bits, &name[1..]),
        _ => return None,
    };
    match (rest, file) {
        ("Z", File::Lanes | File::Warp) => Some(Place::Zero),
        ("T", File::Bits | File::WarpBits) => Some(Place::True),
        _ => {
            let number = rest.parse().ok().filter(|number| *number < file.count())?;
            let is_digits = rest.bytes().all(|one| one.is_ascii_digit());
            is_digits.then_some(Place::Register(Register { file, number }))
        }
    }
}

/// `1.5`, `+INF`, `-QNAN`
fn real(word: &str) -> Place {
    let digits = word.trim_start_matches(['+', '-']);
    let is_named = ["INF", "QNAN", "SNAN"].contains(&digits);
    let is_one = is_named || word.parse::<f64>().is_ok();
    if is_one { Place::Real } else { Place::Other }
}

/// `c[0x0][R4+0x160]`
fn constant(word: &str) -> Option<Place> {
    let (bank, rest) = match word.strip_prefix("c[") {
        Some(rest) => {
            let (bank, rest) = rest.split_once(']')?;
            (Some(number(bank).and_then(|bank| u32::try_from(bank).ok())?), rest)
        }
        None => (None, word.strip_prefix("cx[")?.split_once(']')?.1),
    };
    let (inside, rest) = rest.strip_prefix('[')?.split_once(']')?;
    if !rest.split('.').all(|part| part.is_empty() || is_read_alike(part)) {
        return Some(Place::Other);
    }
    let (mut index, mut offset) = (None, 0_i64);
    for term in inside.split('+') {
        match Operand::parse(term) {
            Operand { place: Place::Zero, .. } => {}
            one if !one.is_plain() => return Some(Place::Other),
            Operand { place: Place::Number(number), .. } => offset = offset.wrapping_add(number),
            Operand { place: Place::Register(register), .. } if index.is_none() => {
                index = Some(register);
            }
            _ => return Some(Place::Other),
        }
    }
    Some(Place::Constant { bank, index, offset })
}

/// The address of an access: `[R2.X4+UR4+0x10]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Address {
    /// Registers, each with the bits by which it is shifted to the left.
    pub(super) terms: Vec<(Register, u32)>,
    pub(super) offset: i64,
    /// Whether something before it says how it is translated, as of global memory.
    pub(super) is_described: bool,
    /// Whether some of it is not followed.
    pub(super) is_odd: bool,
}

impl Address {
    /// The address between the last brackets of an operand; `desc[UR4]` and the like before them say how it is translated.
    pub(super) fn parse(word: &str) -> Option<Self> {
        let (before, inside) = word.strip_suffix(']')?.rsplit_once('[')?;
        let mut address = Self { is_described: !before.is_empty(), ..Self::default() };
        for term in inside.split('+') {
            let (term, shift) = match term.trim().rsplit_once(".X") {
                Some((term, "4")) => (term, 2),
                Some((term, "8")) => (term, 3),
                Some((term, "16")) => (term, 4),
                _ => (term, 0),
            };
            // `.U32` says what is above bit 31, where an address of 64 bits is made of it.
            let one = Operand::parse(term.strip_suffix(".U32").unwrap_or(term));
            match one.place {
                Place::Zero => {}
                Place::Number(number) if one.is_plain() => {
                    address.offset = address.offset.wrapping_add(number);
                }
                Place::Register(register) => {
                    address.is_odd |= !one.is_plain();
                    address.terms.push((register, shift));
                }
                _ => address.is_odd = true,
            }
        }
        Some(address)
    }
}

/// An instruction with its modifiers and operands.
pub(super) struct One<'l> {
    /// `IMAD` of `IMAD.WIDE.U32` and of `UIMAD.WIDE.U32`.
    pub(super) base: &'l str,
    pub(super) parts: Vec<&'l str>,
    pub(super) operands: Vec<Operand>,
    /// The operands as they stand.
    pub(super) words: &'l [&'l str],
}

impl One<'_> {
    pub(super) fn has(&self, part: &str) -> bool {
        self.parts.contains(&part)
    }

    /// The registers that are written, of an instruction that writes predicates behind its result, and its sources.
    pub(super) fn with_carries(&self) -> Option<(Operand, Vec<Operand>, &[Operand])> {
        let (to, rest) = self.operands.split_first()?;
        let count = rest.iter().take_while(|one| one.is_bit() && !one.inverted).count();
        Some((*to, rest[..count].to_vec(), &rest[count..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() {
        let register = |file, number| Place::Register(Register { file, number });
        for (word, place) in [
            ("R5.reuse", register(File::Lanes, 5)),
            ("UR63", register(File::Warp, 63)),
            ("!P6", register(File::Bits, 6)),
            ("UP0", register(File::WarpBits, 0)),
            ("-RZ", Place::Zero),
            ("!UPT", Place::True),
            ("-0x10", Place::Number(-16)),
            ("c[0x0][0x160]", Place::Constant { bank: Some(0), index: None, offset: 0x160 }),
            ("c[0x0][RZ]", Place::Constant { bank: Some(0), index: None, offset: 0 }),
            ("cx[UR4][0x8]", Place::Constant { bank: None, index: None, offset: 8 }),
            ("1.5", Place::Real),
            ("-1.1920928955078125e-07", Place::Real),
            ("R255", Place::Other),
            ("P7", Place::Other),
            ("+INF", Place::Real),
            ("gdesc[UR4]", Place::Other),
        ] {
            assert_eq!(Operand::parse(word).place, place, "{word}");
        }
        let one = Operand::parse("-|R5|.reuse");
        assert!(one.negated && one.absolute && !one.is_odd);
        assert!(Operand::parse("R5.H0_H0").is_odd && Operand::parse("|R5|.H1").is_odd);
        let address = Address::parse("[R2.X4+UR4+-0x10]").unwrap();
        assert_eq!((address.terms.len(), address.terms[0].1, address.offset), (2, 2, -16));
        assert!(Address::parse("desc[UR4][R2.64]").unwrap().is_described);
        let address = Address::parse("[R2.U32+UR4+0x8]").unwrap();
        assert_eq!((address.terms.len(), address.offset, address.is_odd), (2, 8, false));
        assert!(Address::parse("[R2.H1+UR4]").unwrap().is_odd);
    }
}
