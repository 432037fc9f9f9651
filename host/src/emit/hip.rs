//! HIP and CUDA C++: C's expressions, in a function of host and device.

use super::c::{self, Dialect};
use super::form::Form;
use super::language::{Language, Program, Writing, capital_behind};

/// HIP's C++, since C++14: a `__host__ __device__ constexpr` function.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc_host::emit::HIP;
/// use tiledesc_host::emit::Emit;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let code = ABlock::default().emit(HIP, "a_offset", ["m", "k"])?;
/// assert!(code.contains("__host__ __device__ constexpr unsigned a_offset(unsigned m, unsigned k)"), "{code}");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
pub const HIP: Form = Form::new(&ROW);

/// CUDA's C++: HIP's functions, in a file of another name.
pub const CUDA: Form = Form::new(&Language { title: "CUDA", extension: "cuh", ..ROW });

const ROW: Language = Language {
    title: "HIP",
    extension: "hpp",
    reserved: &[c::WORDS, c::MACROS, include_str!("words/hip.txt")],
    library: &[c::LIBRARY, include_str!("words/hip_library.txt")],
    is_of_compiler,
    writes: Writing::Program(Program {
        function: |function| DIALECT.function(function),
        namespaces: true,
        constant: |name, value| format!("constexpr unsigned {name} = {value}u;\n"),
        ..c::PROGRAM
    }),
    ..c::ROW
};

const DIALECT: Dialect =
    Dialect { kind: "__host__ __device__ constexpr", truth: "bool", yes: "true", ..c::DIALECT };

fn is_of_compiler(name: &str) -> bool {
    name.contains("__") || ["_", "hip", "cuda"].into_iter().any(|word| capital_behind(name, word))
}
