//! Checks that an instruction on LDS has the operands of its row, and no modifiers but its own.
//!
//! ```text
//!   ds_read_b128 v[4:7], v1 offset:16                  data, address
//!   ds_write2_b64 v1, v[2:3], v[4:5] offset1:8         address, data of the first, data of the second
//!   ds_read_b128 v[4:7], q1                            `q1` is not a vector register
//!   ds_read_b128 v[4:7]                                the address is missing
//! ```
//!
//! A text may be cut off, edited by hand, or of an assembler that is newer than this crate. Its addresses are not
//! guessed then.

use super::text::{File, Operand, Register, Words};
use super::wave::ATOMICS;
use crate::text::number;
use tiledesc::chip::{self, Access, Chip, Instruction};

/// The fault of an instruction of this row, if it has one.
pub(super) fn misread(words: &Words, row: &Instruction, chip: &Chip) -> Option<String> {
    let places = places(row);
    if let Some(missing) = places.get(words.operands.len()) {
        return Some(format!("{} is missing", missing.what));
    }
    if words.operands.len() > places.len() {
        return Some(format!("`{}` is one operand too many", words.said(places.len())));
    }
    let operands = words.operands.iter().zip(&places).enumerate();
    let mut wrong =
        operands.filter_map(|(i, (operand, place))| place.refuses(operand, words.said(i), chip));
    wrong.next().or_else(|| of_modifiers(words, row.parts() == 2))
}

/// A place for an operand: vector registers, as many as the row moves.
struct Place {
    what: &'static str,
    registers: usize,
    is_address: bool,
    /// Whether 16 bits of a register are enough.
    is_narrow: bool,
}

fn places(row: &Instruction) -> Vec<Place> {
    let count = row.bytes().div_ceil(4) as usize;
    let address = Place { what: "the address", registers: 1, is_address: true, is_narrow: false };
    let data =
        |what, registers| Place { what, registers, is_address: false, is_narrow: row.bytes() <= 2 };
    match (row.access(), row.parts()) {
        (Access::Read, parts) => vec![data("the destination", parts * count), address],
        (Access::Write, 2) => {
            vec![address, data("the first datum", count), data("the second datum", count)]
        }
        (Access::Write, _) => vec![address, data("the datum", count)],
    }
}

impl Place {
    fn refuses(&self, operand: &Operand, said: &str, chip: &Chip) -> Option<String> {
        let Operand::Register(Register { file, first, count, half }) = *operand else {
            return Some(format!("`{said}` is not a vector register"));
        };
        // gfx1250 reaches more of them by an instruction of its own.
        let most = if chip.product() == "gfx1250" { 1024 } else { 256 };
        // Accumulation registers are numbered behind all others.
        let (Self { what, registers, is_address, is_narrow }, last) = (self, first + count);
        match file {
            File::S => Some(format!("`{said}` is not a vector register")),
            File::A if *is_address => {
                Some(format!("`{said}` is an accumulation register, which cannot be an address"))
            }
            _ if last > most => Some(format!("{} has no register `{said}`", chip.product())),
            _ if half.is_some() && !is_narrow => {
                Some(format!("`{said}` is half a register, and {what} is a whole one"))
            }
            _ if count != *registers => {
                let expected = match registers {
                    1 => "1 register".to_string(),
                    many => format!("{many} registers"),
                };
                Some(format!("`{said}` has {count}, and {what} is {expected}"))
            }
            _ => None,
        }
    }
}

/// `offset:16`, of two addresses `offset0:4 offset1:8`, each once.
fn of_modifiers(words: &Words, is_pair: bool) -> Option<String> {
    let own: &[&str] = if is_pair { &["offset0", "offset1"] } else { &["offset"] };
    for (i, (name, value)) in words.modifiers.iter().enumerate() {
        let said = if value.is_empty() { name.clone() } else { format!("{name}:{value}") };
        if !own.contains(&name.as_str()) {
            return Some(format!("`{said}` is no modifier of it"));
        }
        if number(value).is_none() {
            return Some(format!("`{said}` has no number"));
        }
        if words.modifiers[..i].iter().any(|(other, _)| other == name) {
            return Some(format!("`{name}` is said twice"));
        }
    }
    None
}

/// Instructions on LDS without a row on any chip, by the beginnings of their names.
const OTHERS: [&str; 16] = [
    "ds_wrxchg",
    "ds_storexchg",
    "ds_wrap_rtn_",
    "ds_condxchg",
    "ds_cond_sub_",
    "ds_sub_clamp_",
    "ds_sub_gs_reg_rtn",
    "ds_add_gs_reg_rtn",
    "ds_append",
    "ds_consume",
    "ds_ordered_count",
    "ds_bvh_stack_",
    "ds_atomic_",
    "ds_param_load",
    "ds_direct_load",
    "ds_read_addtid_b32",
];

/// Returns whether an instruction of this name exists, although the chip has no row of it.
pub(super) fn exists(name: &str) -> bool {
    let is_row = |chip: &Chip| chip.instruction(name).is_ok();
    let others = ["ds_write_addtid_b32", "ds_load_addtid_b32", "ds_store_addtid_b32"];
    ATOMICS.iter().chain(&OTHERS).any(|begin| name.starts_with(begin))
        || others.contains(&name)
        || chip::CHIPS.iter().any(is_row)
}
