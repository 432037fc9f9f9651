//! Bank conflicts of a compiled kernel, read from its assembly.
#![doc = include_str!("../README.md")]
//!
//! | file | concept |
//! |---|---|
//! | [`value`] | what is known of a register: `u + f(lane)` |
//! | `graph` | blocks, and the loops that they are in |
//! | `kernel` | a kernel's accesses as they were found; why a text is refused |
//! | `verdict` | what the banks make of an access |
//! | `report` | what is said of a kernel |
//! | `amdgpu` | AMDGPU assembly |

// The lints are of a library without std; this one has it.
#![allow(clippy::std_instead_of_core, clippy::alloc_instead_of_core)]

mod amdgpu;
mod graph;
mod kernel;
mod report;
pub mod value;
mod verdict;

pub use kernel::{Block, Kernel, Options, Place, Reached, Refusal, Row, Site, Unjudged};
pub use report::{Line, Outcome, Report};
pub use verdict::{Meeting, Ruling, Verdict, bytes};

/// Bytes of a text that is read at most.
const MOST: usize = 256 << 20;

/// The kernels of a text, with their accesses to LDS.
///
/// ```
/// use tiledesc_audit::{Options, audit};
///
/// let refused = audit("int main() { return 0; }", &Options::default()).unwrap_err();
/// assert_eq!(refused.to_string(), "not AMDGPU assembly");
/// ```
///
/// # Errors
///
/// [`Refusal`]: another format, a chip without rows, a text that is cut off.
pub fn audit(text: &str, options: &Options) -> Result<Vec<Kernel>, Refusal> {
    if text.len() > MOST {
        return Err(Refusal::Large { bytes: text.len(), most: MOST });
    }
    if !amdgpu::is_it(text) {
        return Err(Refusal::Format);
    }
    let kernels = amdgpu::kernels(text, options)?;
    match &options.kernel {
        Some(name) if kernels.is_empty() => {
            Err(Refusal::NoSuchKernel { name: name.clone(), there: amdgpu::names(text) })
        }
        _ => Ok(kernels),
    }
}
