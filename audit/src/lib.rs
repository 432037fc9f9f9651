//! Bank conflicts of a compiled kernel, read from its assembly.
#![doc = include_str!("../README.md")]
//!
//! | file | concept |
//! |---|---|
//! | [`value`] | what is known of a register: `u + f(lane)` |
//! | `graph` | blocks, and the loops that they are in |
//! | `pages` | a file of registers, of which states share parts |
//! | `loops` | the loops whose trips are counted, and what each trip goes through |
//! | `text` | what the assemblies write alike: operands, integers, tests |
//! | `span` | cycles that are known, or lie between two numbers |
//! | `width` | the bytes that a lane moves, by the name of an instruction of AMD |
//! | `matrix` | matrix instructions, and how long each keeps its pipe busy |
//! | `name` | the names of kernels, as the text and as the source has them |
//! | `place` | the line in the source, and the calls that led to it |
//! | `resources` | registers, spills and LDS, as far as the text says |
//! | `atomic` | what an atomic takes at least |
//! | `unordered` | a write and a read of one byte that no barrier orders |
//! | `error` | why a text is refused |
//! | `kernel` | a kernel's accesses as they were found |
//! | `target` | the chip: what the text is compiled for, and what is stated |
//! | `unroll` | loops whose first rounds are blocks of their own |
//! | `issue` | one wave at one instruction, with the byte of each lane |
//! | `stores` | two lanes that write one byte: the same value, or a data race |
//! | `between` | what waves do between two barriers |
//! | `data` | addresses that depend on data, and conflict with none of it |
//! | `verdict` | what the banks make of an access |
//! | `global` | lines and sectors of global memory that an access touches |
//! | `against` | a kernel held to what is stated of it |
//! | `region` | accesses that share bytes: who reads what was written |
//! | `moved` | accesses whose bytes are moved, and what the banks make of them |
//! | `bound` | what bounds a loop: LDS or matrix instructions |
//! | `better` | the mask or the pad that would be better for a region |
//! | `report` | the report on a kernel |
//! | `slice` | the instructions that lead to an address |
//! | `amdgpu` | AMDGPU assembly |
//! | `ptx` | PTX |
//! | `sass` | the machine code of NVIDIA's GPUs |

// The lints are of a library without std; this one has it.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]

mod against;
mod amdgpu;
mod atomic;
mod better;
mod between;
mod bound;
mod data;
mod error;
mod global;
mod graph;
mod issue;
mod kernel;
mod loops;
mod matrix;
mod moved;
mod name;
mod pages;
mod place;
mod ptx;
mod region;
mod report;
mod resources;
mod sass;
mod slice;
mod span;
mod stores;
mod target;
mod text;
mod unordered;
mod unroll;
pub mod value;
mod verdict;
mod width;

pub use against::{Beyond, Comparison, Kept, Missing, Stated};
pub use better::{Advice, Better, Change, Search};
pub use bound::{Asked, Bound, By, LEFT_OUT, Multiplied};
pub use error::{Error, ErrorKind};
pub use global::{Coalescing, GlobalLine, GlobalReport, Shape};
pub use kernel::{Array, Block, Global, Kernel, Moved, Options, Reached, Row, Site, Unjudged};
pub use moved::{Field, Move};
pub use name::demangled;
pub use place::Place;
pub use report::{Line, Outcome, Report};
pub use resources::Resources;
pub use slice::{Known, Reasons};
pub use span::Span;
pub use stores::{Race, Values};
pub use unordered::{Side, Unordered};
pub use verdict::{Meeting, Ruling, Verdict, bytes};

/// Bytes of a text that is read at most.
const MOST: usize = 256 << 20;

/// The kernels of a text, with their accesses to LDS.
///
/// ```
/// use tiledesc_audit::{Options, audit};
///
/// let refused = audit("int main() { return 0; }", &Options::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "neither AMDGPU assembly nor PTX nor SASS");
/// ```
///
/// # Errors
///
/// [`Error`]: another format, a chip without rows, a text that is cut off.
pub fn audit(text: &str, options: &Options) -> Result<Vec<Kernel>, Error> {
    each(text, options)?.into_iter().collect()
}

/// The kernels of a text, each with its accesses to LDS or the reason why it is not judged: others of the text are. Where the
/// work for one text ends, the last is the reason for all further ones.
///
/// ```
/// use tiledesc_audit::{Options, each};
///
/// let text = ".version 8.0\n.target sm_90\n.visible .entry first()\n{\nbra $nowhere;\n}\n\
///             .visible .entry second()\n{\nret;\n}\n";
/// let all = each(text, &Options::default())?;
/// let why = all[0].as_ref().unwrap_err().to_string();
/// assert_eq!(why, "first: the branch in line 5 goes to a label that is not in the text");
/// assert_eq!(all[1].as_ref().unwrap().name, "second");
/// # Ok::<(), tiledesc_audit::Error>(())
/// ```
///
/// # Errors
///
/// [`Error`] of the whole text: another format, a chip without rows.
pub fn each(text: &str, options: &Options) -> Result<Vec<Result<Kernel, Error>>, Error> {
    if text.len() > MOST {
        let sentence = format!("a text of {} bytes, and at most {MOST} are read", text.len());
        return Err(Error::new(ErrorKind::TooLarge, sentence));
    }
    let text = without_mark(text);
    let kernels = match () {
        () if amdgpu::is_it(text) => amdgpu::kernels(text, options)?,
        () if sass::is_it(text) => sass::kernels(text, options)?,
        () if ptx::is_it(text) => ptx::kernels(text, options)?,
        () => return Err(no_format()),
    };
    match &options.kernel {
        Some(name) if kernels.is_empty() => Err(no_such_kernel(name, &names(text))),
        _ => Ok(kernels),
    }
}

fn no_format() -> Error {
    Error::new(ErrorKind::Format, "neither AMDGPU assembly nor PTX nor SASS")
}

/// Kernels that an error names at most.
const NAMED: usize = 12;

fn no_such_kernel(name: &str, there: &[String]) -> Error {
    let some: Vec<_> = there.iter().take(NAMED).map(|name| demangled(name)).collect();
    let more = match there.len() - some.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let sentence = format!("no kernel is called `{name}`; there is {}{more}", some.join(", "));
    Error::new(ErrorKind::NoKernel, sentence)
}

/// The names of the kernels of a text, in its order; none if it is neither AMDGPU assembly nor PTX nor SASS, or
/// too long. No kernel is judged.
///
/// ```
/// let text = ".version 8.0\n.target sm_90\n.visible .entry first()\n{\nret;\n}\n.visible .entry second()\n{\nret;\n}\n";
/// assert_eq!(tiledesc_audit::names(text), ["first", "second"]);
/// ```
#[must_use]
pub fn names(text: &str) -> Vec<String> {
    let text = without_mark(text);
    match () {
        () if text.len() > MOST => Vec::new(),
        () if amdgpu::is_it(text) => amdgpu::names(text),
        () if sass::is_it(text) => sass::names(text),
        () if ptx::is_it(text) => ptx::names(text),
        () => Vec::new(),
    }
}

/// What leads to the address of an access: of that in a line of the text, or of the first of a line of the source,
/// `kernels.py:30`. `None` if no access of a kernel stands there.
///
/// ```
/// use tiledesc_audit::{Options, why};
///
/// let text = "
///     .amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"
///     .type column,@function
/// column:
///     v_and_b32_e32 v2, 31, v0
///     v_lshlrev_b32_e32 v1, 7, v2
///     ds_read_b32 v3, v1
///     s_endpgm
/// ";
/// let options = Options { block: Some([64, 1, 1]), ..Options::default() };
/// let reasons = why(text, &options, "7")?.unwrap();
/// let known: Vec<_> = reasons.steps.iter().map(|one| (one.line, one.known.as_str())).collect();
/// assert_eq!(known[1], (6, "128 lane in 0 to 31, -4096 + 128 lane in 32 to 63"));
/// assert_eq!(known[2].0, 7);
/// assert!(known[2].1.starts_with("32-way"));
/// # Ok::<(), tiledesc_audit::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`audit`], of the kernel in which the access stands.
pub fn why(text: &str, options: &Options, at: &str) -> Result<Option<Reasons>, Error> {
    let text = without_mark(text);
    // The line of the text, from what a report says.
    let line = match at.trim_start_matches("line ").trim().parse() {
        Ok(line) => line,
        Err(_) => match line_of(text, options, at)? {
            Some(line) => line,
            None => return Ok(None),
        },
    };
    let found = match () {
        () if amdgpu::is_it(text) => amdgpu::slice(text, options, line)?,
        () if sass::is_it(text) => sass::slice(text, options, line)?,
        () if ptx::is_it(text) => ptx::slice(text, options, line)?,
        () => return Err(no_format()),
    };
    Ok(found.and_then(|found| found.reasons(text, line)))
}

/// The line of the first access at a line of the source.
fn line_of(text: &str, options: &Options, place: &str) -> Result<Option<usize>, Error> {
    let kernels = each(text, options)?;
    let sites = kernels.iter().flatten().flat_map(|kernel| &kernel.sites);
    let is_there = |said: &str| said == place || said.split(" in ").any(|part| part == place);
    Ok(sites.into_iter().find(|site| is_there(&site.said_place())).map(|site| site.line))
}

/// The text after a byte order mark, which editors of Windows put before it.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
