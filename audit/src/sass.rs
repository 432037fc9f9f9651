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
//! | `ways` | where the ways of called code end |
//! | `call` | where calls return, and what they write |
//! | `translate` | a function as a kernel of PTX |
//!
//! What is known of registers, where lanes part, and what the banks make of an access is PTX's: this is a translation.

mod call;
mod effect;
mod integer;
mod matrix;
mod memory;
mod operand;
mod predicate;
mod special;
mod text;
mod translate;
mod ways;
mod writer;

use crate::error::Error;
use crate::kernel::{Kernel, Options, Work};
use crate::ptx::{self, program::Text};
use crate::slice::Slice;
use crate::target::{Target, first_lines};
use text::{Program, Section, addressed};

/// Returns whether a text looks like a disassembly: an instruction in capitals behind its address.
pub(crate) fn is_it(text: &str) -> bool {
    first_lines(text).any(|line| addressed(line).is_some())
}

/// The kernels of a text.
pub(crate) fn kernels(text: &str, options: &Options) -> Result<Vec<Result<Kernel, Error>>, Error> {
    let program = Program::read(text);
    if program.kernels().next().is_none() {
        return Err(Error::no_kernel());
    }
    let target = Target::of_code(options, program.chip)?;
    let facts = Text { files: program.files.clone(), ..Text::default() };
    let names: Vec<_> = program.kernels().map(|one| one.name).collect();
    let judge = |section: &Section<'_>, work: &mut Work| {
        let function = translate::function(&program, section)?;
        ptx::kernel(&facts, &function, &target, work)
    };
    Ok(Work::default().each(program.kernels(), &options.wanted(&names), judge))
}

/// The kernel with an access in a line of the text, and the instructions that lead to its address.
pub(crate) fn slice(text: &str, options: &Options, line: usize) -> Result<Option<Slice>, Error> {
    let program = Program::read(text);
    let target = Target::of_code(options, program.chip)?;
    let facts = Text { files: program.files.clone(), ..Text::default() };
    let is_there = |section: &&Section<'_>| section.code.iter().any(|one| one.line == line);
    let Some(section) = program.kernels().find(is_there) else { return Ok(None) };
    let function = translate::function(&program, section)?;
    ptx::slice_of(&facts, &function, &target, line)
}

/// The names of the kernels of a text.
pub(crate) fn names(text: &str) -> Vec<String> {
    Program::read(text).kernels().map(|one| one.name.to_string()).collect()
}
