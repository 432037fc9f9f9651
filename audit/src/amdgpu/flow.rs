//! Where each instruction leads: the blocks of a kernel, and the ways that a wave may take.
//!
//! ```text
//!   s_cbranch_scc1 L      to L and behind it; to one of them where the condition code is known
//!   s_setpc_b64 s[80:81]  to the label that `jumps` has found, or out of the text: such a kernel is refused
//!   s_endpgm              nowhere
//! ```

use super::function::Instruction;
use super::jumps;
use super::state::State;
use crate::error::Error;
use crate::graph::{Flow, Graph};
use crate::kernel;

/// The blocks of a kernel.
pub(super) fn graph(name: &str, code: &[Instruction]) -> Result<Graph, Error> {
    let flow = |one: &Instruction| {
        let word = one.words[0].name.as_str();
        let target = || one.target.ok_or_else(|| Error::target(name, one.line));
        Ok(match word {
            "s_branch" => Flow::Jump(target()?),
            _ if word.starts_with("s_cbranch_") => Flow::Branch(target()?),
            _ if word.starts_with("s_setpc") => one.target.map_or(Flow::End, Flow::Jump),
            _ if word.starts_with("s_endpgm") => Flow::End,
            _ => Flow::Next,
        })
    };
    let flows: Vec<_> = code.iter().map(flow).collect::<Result<_, _>>()?;
    if let Some(error) = unread(name, code, &flows) {
        return Err(error);
    }
    // Padding after the end is code, too.
    let ends =
        matches!(flows.last(), Some(Flow::End | Flow::Jump(_))) || flows.contains(&Flow::End);
    if !ends {
        return Err(Error::cut(name));
    }
    kernel::graph(name, &flows)
}

/// The error of code that the text does not say, of what the kernel can reach: a jump by a register, an encoded instruction, or a
/// macro of another file. A function that was called goes back by `s[30:31]` (LLVM, "User Guide for AMDGPU Backend", calling
/// convention).
fn unread(name: &str, code: &[Instruction], flows: &[Flow]) -> Option<Error> {
    let (mut open, mut seen) = (vec![0], vec![false; code.len()]);
    let goes_back = !code.iter().any(|one| jumps::address(one).is_some_and(|one| one.first == 30));
    while let Some(at) = open.pop() {
        let (Some(flow), Some(false)) = (flows.get(at), seen.get(at)) else { continue };
        seen[at] = true;
        let (word, line) = (code[at].words[0].name.as_str(), code[at].line);
        if word.starts_with('.') {
            let why = format!(
                "`{word}` in line {line} is code that is not read: assemble the text, and give the code object"
            );
            return Some(Error::incomplete(name, &why));
        }
        match flow {
            Flow::End
                if jumps::jump(&code[at]).is_some_and(|one| one.first != 30 || !goes_back) =>
            {
                let why = format!("where the jump in line {line} goes is not in the text");
                return Some(Error::incomplete(name, &why));
            }
            Flow::End => {}
            Flow::Next => open.push(at + 1),
            Flow::Jump(target) => open.push(*target),
            Flow::Branch(target) => open.extend([*target, at + 1]),
        }
    }
    None
}

/// The blocks after one: a branch whose condition is known goes one way.
pub(super) fn ways(code: &[Instruction], graph: &Graph, block: usize, state: &State) -> Vec<usize> {
    let [next, jump] = graph.after[block];
    let last = &code[graph.blocks[block].end - 1].words[0].name;
    let taken = match last.as_str() {
        "s_cbranch_scc0" => state.scc.map(|scc| !scc),
        "s_cbranch_scc1" => state.scc,
        "s_cbranch_execz" => state.exec().lanes().map(|lanes| lanes == 0),
        "s_cbranch_execnz" => state.exec().lanes().map(|lanes| lanes != 0),
        "s_cbranch_vccz" => state.vcc().map(|lanes| lanes == 0),
        "s_cbranch_vccnz" => state.vcc().map(|lanes| lanes != 0),
        _ => None,
    };
    match (taken, jump) {
        (Some(true), Some(_)) => jump.into_iter().collect(),
        (Some(false), _) => next.into_iter().collect(),
        _ => [next, jump].into_iter().flatten().collect(),
    }
}
