//! GLSL: C's operators and precedence, and a `u` on every number.
//!
//! An `int` beside a `uint` is an error in OpenGL ES, and so is a `case` of the other type.
//! Source: Khronos, The OpenGL Shading Language 4.60, 3.6 (keywords), 5.1 (precedence).

use super::c::{self, Dialect};
use super::form::Form;
use super::infix::Rules;
use super::language::{Language, Program, Writing, none};

/// GLSL, since 1.30 and ES 3.00: a function of `uint`.
pub const GLSL: Form = Form::new(&ROW);

const ROW: Language = Language {
    title: "GLSL",
    extension: "glsl",
    reserved: &[include_str!("words/glsl.txt")],
    library: &[include_str!("words/glsl_library.txt")],
    is_of_compiler: |name| name.contains("__") || name.starts_with("gl_"),
    is_of_library: none,
    writes: Writing::Program(Program {
        function: |function| DIALECT.function(function),
        wide: false,
        constant: |name, value| format!("const uint {name} = {value}u;\n"),
        ..c::PROGRAM
    }),
    ..c::ROW
};

const DIALECT: Dialect = Dialect {
    kind: "",
    word: "uint",
    wide: None,
    truth: "bool",
    yes: "true",
    none: "",
    says_unused: false,
    rules: &Rules { number: |value| format!("{value}u"), wraps: c::wraps },
};
