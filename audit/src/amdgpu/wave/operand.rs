//! Operands as an instruction reads them, and what it writes to them.
//!
//! | operand | its 32 bits | a write of x |
//! |---|---|---|
//! | `v3`, `s[2:3]` | the first register's, and of 64 bits the next one's | is theirs |
//! | `v3.h` | those above bit 15, shifted down | keeps the lower half |
//! | `exec` | the lanes that are on, if they are known | turns lanes on and off |
//! | `-1`, `off` | the number, 0 | |
//! | `src_shared_base` | 0: an aperture begins at a multiple of 2^32 | |

use super::{Step, Write};
use crate::amdgpu::mask::Set;
use crate::amdgpu::mode::Mode;
use crate::amdgpu::scalar::{Mask, Scalar};
use crate::amdgpu::state::place;
use crate::amdgpu::text::{File, Half, Operand, Register, SCALARS};
use crate::value::wide::Wide;
use crate::value::{Reason, Value, Why};

impl Step<'_, '_> {
    pub(super) fn unknown(&self) -> Value {
        Value::Unknown(Reason { at: self.at, why: Why::Computed })
    }

    /// An operand's 32 bits, the first of several, in the lanes that are on.
    pub(super) fn vector(&self, operand: &Operand) -> Value {
        self.nth(operand, 0)
    }

    /// The 32 bits of its register of this number; of an integer the lower or upper ones.
    pub(super) fn nth(&self, operand: &Operand, i: usize) -> Value {
        match operand {
            Operand::Register(register) => {
                let value = match place(*register) {
                    Some(place) => self.state.read(place + i),
                    None if register.first + i < SCALARS => {
                        self.state.scalar(register.first + i).value
                    }
                    None => Value::shared(0),
                };
                match register.half {
                    None => value,
                    Some(Half::Low) => value.and(&Value::constant(0xffff), self.at),
                    Some(Half::High) => value.shr(&Value::constant(16), false, self.at),
                }
            }
            Operand::Number(number) => Value::constant((*number >> (32 * i.min(1))) as u32),
            Operand::Null => Value::constant(0),
            Operand::Exec => match self.state.exec().lanes() {
                Some(lanes) => Value::constant((lanes >> (32 * i.min(1))) as u32),
                None => Value::shared(0),
            },
            Operand::Scc => {
                self.state.scc.map_or(Value::shared(0), |bit| Value::constant(u32::from(bit)))
            }
            Operand::ExecHalf(_) => Value::shared(0),
            // An aperture begins at a multiple of 2^32.
            Operand::Name(name)
                if i == 0 && name.starts_with("src_") && name.ends_with("_base") =>
            {
                Value::constant(0)
            }
            Operand::Name(name) => {
                let name = name.split('@').next().unwrap_or(name);
                Value::shared(self.start.symbols.get(name).copied().unwrap_or(0))
            }
            Operand::Other => self.unknown(),
        }
    }

    /// The first two registers of each operand.
    pub(super) fn pairs(&self, operands: &[Operand]) -> Vec<Wide> {
        operands.iter().map(|one| [self.nth(one, 0), self.nth(one, 1)]).collect()
    }

    /// A mask of lanes, if anything is known of it.
    pub(super) fn mask(&self, operand: &Operand) -> Option<Mask> {
        let all = self.state.all();
        match operand {
            Operand::Exec => Some(Mask::Set(self.state.exec())),
            Operand::Number(number) => {
                Some(Mask::Set(Set::known(number.cast_unsigned() & all.bits)))
            }
            other => {
                let one = other.scalar().filter(|one| one.count == self.state.wave() / 32)?;
                self.state.mask(one.first)
            }
        }
    }

    /// Writes the first of the registers of an operand.
    pub(super) fn put(&mut self, operand: Option<&Operand>, value: Value) {
        self.put_all(operand, vec![value]);
    }

    /// Writes the registers of an operand; of those that no value is given for, nothing is known.
    pub(super) fn put_all(&mut self, operand: Option<&Operand>, values: Vec<Value>) {
        match operand {
            Some(Operand::Register(register)) => {
                let mut values = values.into_iter();
                for i in 0..register.count {
                    let value = values.next().unwrap_or_else(|| self.unknown());
                    if register.file == File::S {
                        self.writes.push(Write::Scalar(register.first + i, Scalar::new(value)));
                    } else {
                        let value = self.half_of(*register, value);
                        self.writes.push(Write::Vector(*register, i, value));
                    }
                }
            }
            Some(Operand::Exec | Operand::ExecHalf(_)) => {
                let value = values.first().and_then(Value::number);
                let whole = matches!(operand, Some(Operand::Exec)) && self.state.wave() == 32;
                let known =
                    value.filter(|_| whole).map(|bits| Mask::Set(Set::known(u64::from(bits))));
                self.writes.push(Write::Exec(known));
            }
            _ => {}
        }
    }

    /// A register's value after a write of its upper or lower 16 bits.
    fn half_of(&self, register: Register, value: Value) -> Value {
        let (Some(half), Some(place)) = (register.half, place(register)) else { return value };
        let (low, high) = (Value::constant(0xffff), Value::constant(0xffff_0000));
        let old = match self.state.read(place) {
            // The other half may still be anything.
            Value::Nothing => self.unknown(),
            old => old,
        };
        match half {
            Half::Low => old.and(&high, self.at).or(&value.and(&low, self.at), self.at),
            Half::High => {
                let moved = value.shl(&Value::constant(16), self.at);
                old.and(&low, self.at).or(&moved, self.at)
            }
        }
    }

    pub(super) fn put_mask(&mut self, operand: Option<&Operand>, mask: Option<Mask>) {
        self.writes.extend(operand.and_then(|operand| match operand {
            Operand::Exec => Some(Write::Exec(mask)),
            Operand::ExecHalf(_) => Some(Write::Exec(None)),
            other => Some(Write::Mask(other.scalar()?.first, mask)),
        }));
    }

    /// Marks the registers of an operand, in the lanes that are on, as holding nothing of use: where two paths meet,
    /// the value is the other path's.
    pub(super) fn forget(&mut self, operand: Option<&Operand>) {
        let Some(Operand::Register(register)) = operand else { return };
        if self.state.mode != Mode::PLAIN {
            return;
        }
        for i in 0..register.count {
            self.writes.push(Write::Vector(*register, i, Value::Nothing));
        }
    }

    /// Forgets the content of what an operand names.
    pub(super) fn lose(&mut self, operand: Option<&Operand>) {
        self.put_all(operand, Vec::new());
    }
}
