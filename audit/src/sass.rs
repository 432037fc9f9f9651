//! SASS, the machine code of NVIDIA's GPUs, as `nvdisasm` and `cuobjdump -sass` print it: from text to what each warp does
//! to shared memory.
//!
//! | file | concept |
//! |---|---|
//! | `text` | a disassembly as functions, and what headers say |
//! | `operand` | registers, numbers, words of constant memory, addresses |
//! | `writer` | instructions of PTX on the registers of SASS |
//! | `integer` | instructions that addresses are computed with; `predicate` those of predicates, `special` what comes from elsewhere |
//! | `memory` | instructions that touch memory |
//! | `matrix` | matrix instructions by their names in PTX |
//! | `effect` | what the others write |
//! | `translate` | a function as a kernel of PTX |
//!
//! What is known of registers, where lanes part, and what the banks make of an access is PTX's: this is a translation.

mod effect;
mod integer;
mod matrix;
mod memory;
mod operand;
mod predicate;
mod special;
mod text;
mod translate;
mod writer;

use crate::kernel::{Kernel, Options, Refusal, Work};
use crate::ptx::{self, program::Text};
use crate::target::Target;
use text::{Program, addressed};

/// Whether a text looks like a disassembly: an instruction in capitals behind its address.
pub(crate) fn is_it(text: &str) -> bool {
    text.lines().take(100_000).any(|line| addressed(line).is_some())
}

/// The kernels of a text.
pub(crate) fn kernels(text: &str, options: &Options) -> Result<Vec<Kernel>, Refusal> {
    let program = Program::read(text);
    if program.kernels().next().is_none() {
        return Err(Refusal::NoKernel);
    }
    let target = Target::of_code(options.chip.as_deref(), program.chip)?;
    let facts = Text { files: program.files.clone(), ..Text::default() };
    let wanted = || program.kernels().filter(|one| options.wants(one.name));
    let (all, mut work, mut kernels) = (wanted().count(), Work::default(), Vec::new());
    for section in wanted() {
        work.begin(kernels.len(), all);
        let function = translate::function(&program, section)?;
        kernels.push(ptx::kernel(&facts, &function, &target, options, &mut work)?);
    }
    Ok(kernels)
}

/// The names of the kernels of a text.
pub(crate) fn names(text: &str) -> Vec<String> {
    Program::read(text).kernels().map(|one| one.name.to_string()).collect()
}
