//! AMDGPU assembly: from text to what each wave does to LDS.
//!
//! | file | concept |
//! |---|---|
//! | `assembler` | macros, symbols, repetitions and conditions as plain lines |
//! | `text` | a line as mnemonic, operands and modifiers |
//! | `function` | the instructions of a function |
//! | `metadata` | what a text states of a kernel, and the YAML that states it |
//! | `distance` | distances that code adds to an address |
//! | `jumps` | where jumps by a register go; `calls` what a call may write |
//! | `open` | a function as it is read |
//! | `program` | a text as functions, with what directives say of them |
//! | `mask` | sets of lanes, known or named |
//! | `pointer` | which registers hold pointers, and to what memory |
//! | `scalar` | what a scalar register holds |
//! | `mode` | how vector instructions differ from what they say |
//! | `state` | registers under masks |
//! | `start` | what is known when a wave begins |
//! | `global` | where an instruction finds its bytes in global memory |
//! | `matrix` | which are matrix instructions |
//! | `order` | which instructions order waves |
//! | `row` | the row of an access; `operands` whether it has the operands of its row |
//! | `wave` | what an instruction does; `vector`, `scalar` |
//! | `flow` | where each instruction leads; `halves` those of `exec` |
//! | `run` | what one wave does |
//! | `kernel` | a kernel, wave by wave |

mod assembler;
mod calls;
mod distance;
mod flow;
mod function;
mod global;
mod halves;
mod jumps;
mod kernel;
mod mask;
mod matrix;
mod metadata;
mod mode;
mod open;
mod operands;
mod order;
mod pointer;
mod program;
mod row;
mod run;
mod scalar;
mod start;
mod state;
mod text;
mod wave;

use crate::error::{Error, ErrorKind};
use crate::kernel::{Kernel, MOST, Options, Work};
use crate::slice::{self, Slice};
use crate::target::{Target, begins, first_lines};
use function::{Function, Instruction};
use kernel::kernel;
use program::{Functions, Text};
use std::collections::BTreeSet;
use text::{Operand, Register, Words};
use wave::lds_address;

/// Returns whether a text looks like AMDGPU assembly.
pub(crate) fn is_it(text: &str) -> bool {
    begins(text, &[".amdgcn_target", ".amdgpu_metadata", "s_endpgm", "s_waitcnt"])
        || first_lines(text).any(|line| line.contains("elf64-amdgpu"))
}

/// The kernels of a text.
pub(crate) fn kernels(text: &str, options: &Options) -> Result<Vec<Result<Kernel, Error>>, Error> {
    let facts = Text::read(text, &options.symbols);
    if let Some((line, why)) = &facts.fault {
        return Err(Error::new(ErrorKind::Incomplete, format!("line {line}: {why}")));
    }
    if facts.functions.is_empty() {
        // Mesa, `src/amd/compiler/aco_print_asm.cpp`: the blocks of a shader are BB0, BB1 and so on, and nothing more.
        let is_dump = text.lines().any(|line| line.trim_end() == "BB0:");
        return Err(if is_dump { shader_dump() } else { Error::no_kernel() });
    }
    let target = Target::resolve(options, facts.chip.as_deref())?;
    let names: Vec<_> = facts.kernels().collect();
    let kernels =
        Functions::new(text, &options.symbols, MOST).filter(|one| facts.is_kernel(&one.name));
    let judge = |one: Function, work: &mut Work| kernel(&facts, &one, &target, work);
    Ok(Work::default().each(kernels, &options.wanted(&names), judge))
}

/// The kernel with an access in a line of the text, and the instructions that lead to its address.
pub(crate) fn slice(text: &str, options: &Options, line: usize) -> Result<Option<Slice>, Error> {
    let facts = Text::read(text, &options.symbols);
    let target = Target::resolve(options, facts.chip.as_deref())?;
    for function in
        Functions::new(text, &options.symbols, MOST).filter(|one| facts.is_kernel(&one.name))
    {
        let is_it = |one: &Instruction| {
            one.line == line && one.words.iter().any(|words| lds_address(words).is_some())
        };
        let Some(at) = function.code.iter().position(is_it) else { continue };
        let mut work = Work::seeing();
        let kernel = kernel(&facts, &function, &target, &mut work)?;
        let code = leading(&function.code, at);
        return Ok(Some(Slice { kernel, code, seen: work.seen.unwrap_or_default() }));
    }
    Ok(None)
}

/// The instructions before an access on which its address depends, in the order of the text.
fn leading(code: &[Instruction], at: usize) -> Vec<usize> {
    let registers = |operand: &Operand| match operand {
        Operand::Register(one) => one.each().collect(),
        _ => Vec::new(),
    };
    let addresses = code[at].words.iter().filter_map(lds_address);
    let open: BTreeSet<Register> = addresses.flat_map(registers).collect();
    slice::leading(at, open, |before, open| {
        let step = |words: &Words| {
            let writes = wave::destination(words).map(registers).unwrap_or_default();
            let is_one = writes.iter().any(|register| open.contains(register));
            if is_one {
                open.retain(|register| !writes.contains(register));
                open.extend(words.operands.iter().skip(1).flat_map(registers));
            }
            is_one
        };
        code[before].words.iter().map(step).fold(false, |any, one| any | one)
    })
}

/// The names of the kernels of a text.
pub(crate) fn names(text: &str) -> Vec<String> {
    Text::read(text, &[]).kernels().map(str::to_string).collect()
}

/// The error of a shader dump of Mesa's RADV: blocks without directives.
fn shader_dump() -> Error {
    let sentence = "a shader dump of Mesa's RADV is not read: it does not say what the registers hold when the shader begins";
    Error::new(ErrorKind::Incomplete, sentence)
}
