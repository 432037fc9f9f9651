//! Halves of `exec` as a whole: code names 32 lanes at a time, and a wave has 32 or 64.
//!
//! ```text
//!   waves of 32     v_cmpx_lt .. exec_lo         all of exec
//!   waves of 64     s_mov_b32 exec_lo, -1        and
//!                   s_mov_b32 exec_hi, 0         as s_mov_b64 exec, 0xffffffff in the place of the second
//! ```

use super::function::{Function, Instruction};
use super::text::{Half, Operand, Words};
use std::collections::BTreeSet;

/// The code of a wave of this size: there `exec_lo` is all of `exec`, and where each half of it gets a number, all gets one.
pub(super) fn whole(function: &Function, wave: usize) -> Vec<Instruction> {
    let mut code = function.code.clone();
    if wave == 32 {
        let operands =
            code.iter_mut().flat_map(|one| &mut one.words).flat_map(|words| &mut words.operands);
        operands
            .filter(|one| matches!(one, Operand::ExecHalf(_)))
            .for_each(|one| *one = Operand::Exec);
        return code;
    }
    let targets: BTreeSet<_> = code.iter().filter_map(|one| one.target).collect();
    for at in 1..code.len() {
        let halves = [half_of_lanes(&code[at - 1]), half_of_lanes(&code[at])];
        let all = match halves {
            [Some((Half::Low, low)), Some((Half::High, high))]
            | [Some((Half::High, high)), Some((Half::Low, low))] => {
                u64::from(high) << 32 | u64::from(low)
            }
            _ => continue,
        };
        // Whoever jumps between the two has the second half alone.
        if !targets.contains(&at) {
            code[at].words = Words::of_line(&format!("s_mov_b64 exec, {all:#x}"));
        }
    }
    code
}

/// `s_mov_b32 exec_lo, -1`: which half of the lanes, and the number that names them.
fn half_of_lanes(one: &Instruction) -> Option<(Half, u32)> {
    let [words] = &one.words[..] else { return None };
    match (words.name.as_str(), &words.operands[..]) {
        ("s_mov_b32", [Operand::ExecHalf(half), Operand::Number(lanes)]) => {
            Some((*half, *lanes as u32))
        }
        _ => None,
    }
}
