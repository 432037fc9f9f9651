//! `wmma.load` and `wmma.store`: what ptxas makes of them, and which bytes each lane addresses there.
//!
//! PTX names one address for all lanes, and not how a fragment lies in their registers. ptxas 12.9 makes the same of each form for
//! sm_75 to sm_120, whatever the stride (two `.x2` for each `.x4` on sm_75):
//!
//! | fragment of 16x16x16 | instructions | a lane's line and bytes in it |
//! |---|---|---|
//! | A, B of 16 bits, of rows | `ldmatrix.x4`, with `.trans` or not | `lane % 16`, 16 (lane / 16) |
//! | .. of columns | the same | `lane % 8 + 8 (lane / 16)`, 16 (lane / 8 % 2) |
//! | A, B of 16 bits, by a generic address | 4 of 4 bytes | `lane / 4`, 4 (lane % 4) |
//! | A of rows, B of columns, of 8 bits | `ldmatrix.x2` | `lane % 16`, 0 |
//! | C, D of 32 bits, of rows | 4 of 8 bytes | `lane / 4`, 8 (lane % 4) |
//! | .. of columns | 8 of 4 bytes | `2 (lane % 4)`, 4 (lane / 4) |
//! | C, D of 16 bits | 4 of 4 bytes | `lane / 4`, 4 (lane % 4) |
//!
//! Where there are several, all but the first lie whole lines or bytes further on in all lanes alike, so that each waits as
//! the first does. A line of the matrix in memory begins a stride behind the one before.

use super::function::Instruction;
use super::text::{Operand, WARP};
use crate::value::Value;

/// What ptxas makes of a load or store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    /// The row of its instructions.
    pub(super) row: &'static str,
    /// How many there are.
    pub(super) times: u32,
    /// Bytes of an element of the matrix.
    element: u32,
    /// The line and the bytes in it that a lane addresses.
    place: fn(u32) -> [u32; 2],
}

impl Fragment {
    /// Of a form that is known.
    pub(super) fn from_instruction(one: &Instruction) -> Option<Self> {
        let parts: Vec<&str> = one.name.split('.').collect();
        let (["wmma", verb, matrix, "sync", "aligned", order, "m16n16k16", rest @ ..], Some(kind)) =
            (&parts[..], parts.last())
        else {
            return None;
        };
        let is_generic = rest.len() == 1;
        let is_rows = *order == "row";
        let quads = |row, times, element| {
            Some(Self { row, times, element, place: |lane| [lane / 4, 4 * (lane % 4)] })
        };
        match (*verb, *matrix, *kind) {
            ("load", "a" | "b", "f16" | "bf16") if is_generic => quads("ld.shared.b32", 4, 2),
            ("load", "a" | "b", "f16" | "bf16") => Some(Self {
                row: "ldmatrix.x4",
                times: 1,
                element: 2,
                place: match is_rows {
                    true => |lane| [lane % 16, 16 * (lane / 16)],
                    false => |lane| [lane % 8 + 8 * (lane / 16), 16 * (lane / 8 % 2)],
                },
            }),
            ("load", "a", "s8" | "u8") if is_rows && !is_generic => Some(Self::of_bytes()),
            ("load", "b", "s8" | "u8") if !is_rows && !is_generic => Some(Self::of_bytes()),
            ("load", "c", "f16") => quads("ld.shared.b32", 4, 2),
            ("store", "d", "f16") => quads("st.shared.b32", 4, 2),
            ("load", "c", "f32" | "s32") => {
                Some(Self::of_words(["ld.shared.b64", "ld.shared.b32"], is_rows))
            }
            ("store", "d", "f32" | "s32") => {
                Some(Self::of_words(["st.shared.b64", "st.shared.b32"], is_rows))
            }
            _ => None,
        }
    }

    fn of_bytes() -> Self {
        Self { row: "ldmatrix.x2", times: 1, element: 1, place: |lane| [lane % 16, 0] }
    }

    fn of_words([wide, narrow]: [&'static str; 2], is_rows: bool) -> Self {
        if is_rows {
            Self { row: wide, times: 4, element: 4, place: |lane| [lane / 4, 8 * (lane % 4)] }
        } else {
            Self {
                row: narrow,
                times: 8,
                element: 4,
                place: |lane| [2 * (lane % 4), 4 * (lane / 4)],
            }
        }
    }

    /// What each lane of its first instruction addresses, of the address that all lanes name, and of lines so far apart; without a
    /// stride they follow each other.
    pub(super) fn address(&self, address: Value, stride: Option<Value>, at: usize) -> Value {
        let stride = stride.unwrap_or(Value::constant(16));
        let [line, bytes] = [0, 1].map(|i| Value::lanes(WARP, |lane| (self.place)(lane as u32)[i]));
        let pitch = stride.mul(&Value::constant(self.element), at);
        // Lanes that name different addresses are no program.
        let begin = match address {
            Value::Nothing => Value::Nothing,
            known if known.is_shared() => known,
            _ => Value::shared(0),
        };
        begin.add(&line.mul(&pitch, at), at).add(&bytes, at)
    }
}

/// The operand that says how far lines lie apart.
pub(super) fn stride(one: &Instruction) -> Option<&Operand> {
    one.operands.get(2).filter(|_| one.name.starts_with("wmma."))
}
