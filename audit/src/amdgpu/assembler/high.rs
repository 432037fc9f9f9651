//! Registers from v256 on, which gfx1250 reaches by a mode: an operand has eight bits, and `s_set_vgpr_msb` those above them.
//!
//! LLVM prints the whole name behind what it encodes, and the mode in words, where it has compiled the code itself:
//!
//! ```text
//!   s_set_vgpr_msb 64        ;  msbs: dst=1 src0=0 src1=0 src2=0      as s_nop
//!   v_add3_u32 v38 /*v294*/, s8, v164, v165                           v_add3_u32 v294, s8, v164, v165
//! ```
//!
//! Without these words the mode is not followed, and all registers are unknown behind it.
//!
//! Source: LLVM, `AMDGPUInstPrinter::printRegOperand` and the verbose output of `AMDGPUAsmPrinter`.

use crate::amdgpu::text::{File, Register, register};

/// Returns whether a line sets the mode, and a compiler prints it in words: then it prints whole names, too.
pub(super) fn is_mode_in_words(line: &str) -> bool {
    line.trim_start().starts_with("s_set_vgpr_msb")
        && line.split_once(';').is_some_and(|(_, words)| words.trim_start().starts_with("msbs:"))
}

/// The line with each `v38 /*v294*/` as `v294`; other comments stay.
pub(super) fn with_whole_names(line: &str) -> Result<String, String> {
    let (mut kept, mut rest) = (String::new(), line);
    while let Some((before, comment)) = rest.split_once("/*") {
        let Some((name, behind)) = comment.split_once("*/") else { break };
        let encoded = before.trim_end();
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "[:].".contains(c);
        let (operand, encoded) = encoded.split_at(encoded.trim_end_matches(is_of_name).len());
        match (vectors(encoded), vectors(name)) {
            (Some(low), Some(whole)) if is_low(low, whole) => {
                kept.push_str(operand);
                kept.push_str(name);
            }
            (Some(_), Some(_)) => {
                return Err(format!(
                    "`{encoded} /*{name}*/`: {name} is not {encoded} plus a multiple of 256"
                ));
            }
            _ => {
                kept.push_str(before);
                kept.push_str("/*");
                kept.push_str(name);
                kept.push_str("*/");
            }
        }
        rest = behind;
    }
    kept.push_str(rest);
    Ok(kept)
}

fn vectors(name: &str) -> Option<Register> {
    register(name).filter(|one| one.file == File::V)
}

/// Returns whether one is named by the low eight bits of the other.
fn is_low(low: Register, whole: Register) -> bool {
    low.first == whole.first % 256 && (low.count, low.half) == (whole.count, whole.half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_operands() {
        let whole = |line| with_whole_names(line);
        assert_eq!(
            whole("ds_load_b128 v[2:5] /*v[258:261]*/, v38 /*v294*/ offset:16 /* v1 */").as_deref(),
            Ok("ds_load_b128 v[258:261], v294 offset:16 /* v1 */")
        );
        assert_eq!(
            whole("v_add_f32 v1, -v2 /*v258*/, v3").as_deref(),
            Ok("v_add_f32 v1, -v258, v3")
        );
        assert_eq!(
            whole("v_mov_b16 v1.h /*v769.h*/, v0.l").as_deref(),
            Ok("v_mov_b16 v769.h, v0.l")
        );
        assert_eq!(
            whole("v_mov_b32 v38 /*v295*/, 0"),
            Err("`v38 /*v295*/`: v295 is not v38 plus a multiple of 256".to_string())
        );
        assert!(is_mode_in_words("\ts_set_vgpr_msb 64   ;  msbs: dst=1 src0=0 src1=0 src2=0"));
        assert!(!is_mode_in_words("s_set_vgpr_msb 64 ; by hand"));
    }
}
