//! MSL, Metal's language: C++14, where a constant of the file names its address space.
//!
//! Source: Apple, Metal Shading Language Specification 3.2, 1.5 and 4.2.

use super::c::{self, Dialect};
use super::form::Form;
use super::language::{Language, Program, Writing};

/// MSL: a `static inline` function of `uint`.
pub const MSL: Form = Form::new(&ROW);

const ROW: Language = Language {
    title: "MSL",
    extension: "metal",
    reserved: &[c::WORDS, c::MACROS, include_str!("words/msl.txt")],
    library: &[c::LIBRARY, include_str!("words/msl_library.txt")],
    writes: Writing::Program(Program {
        function: |function| DIALECT.function(function),
        constant: |name, value| format!("constant constexpr uint {name} = {value}u;\n"),
        ..c::PROGRAM
    }),
    ..c::ROW
};

const DIALECT: Dialect =
    Dialect { word: "uint", wide: Some("ulong"), truth: "bool", yes: "true", ..c::DIALECT };
