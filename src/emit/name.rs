//! Names that the user chooses: a wrong one makes a file that does not compile, or, as
//! `linux` in gcc's C, one that computes with the number 1.
//!
//! | refused | in | why |
//! |---|---|---|
//! | `2m`, `a b`, `ä`, `_` | all | no identifier |
//! | `int`, `xor`, `linux`, `stdin` | C, HIP | a keyword of C or C++, or a macro |
//! | `__f`, `a__b`, `_A` | C, HIP | the compiler's own |
//! | `threadIdx`, `hipMalloc` | HIP | in every kernel |
//! | `fn`, `mod`, `u32`, `__f` | WGSL | a keyword, or reserved for one |
//! | `div`, `mod`, `xor` | plain text | an operator |
//! | `abs`, `size_t`, `_f`; `min` | C, HIP; WGSL | the function only: the library has it |
//!
//! A coordinate may be called `index` or `min`: inside the function it hides the library's.
//! The lists are in `words/`: C23 and C++20, the headers of C11 and what gcc adds to them,
//! the macros of Windows' headers; HIP's and CUDA's device functions; WGSL of August 2025.

use super::Language;
use super::error::Error;
use alloc::string::ToString;

/// Words that are no names of anything, by language.
const fn reserved(language: Language) -> &'static [&'static str] {
    const C: &str = include_str!("words/c.txt");
    match language {
        Language::C => &[C],
        Language::Hip => &[C, include_str!("words/hip.txt")],
        Language::Wgsl => &[include_str!("words/wgsl.txt")],
        Language::Latex => &[],
        Language::Plain => &["div mod xor"],
    }
}

/// Words that are no names of functions.
const fn library(language: Language) -> &'static [&'static str] {
    const C: &str = include_str!("words/c_library.txt");
    match language {
        Language::C => &[C],
        Language::Hip => &[C, include_str!("words/hip_library.txt")],
        Language::Wgsl => &[include_str!("words/wgsl_library.txt")],
        Language::Latex | Language::Plain => &[],
    }
}

const fn title(language: Language) -> &'static str {
    match language {
        Language::C => "C",
        Language::Hip => "HIP",
        Language::Wgsl => "WGSL",
        Language::Latex => "LaTeX",
        Language::Plain => "plain text",
    }
}

/// Refuses names that are none, are reserved, or are given twice.
pub(super) fn check(language: Language, name: &str, coordinates: &[&str]) -> Result<(), Error> {
    identifier(language, name)?;
    let of_files = matches!(language, Language::C | Language::Hip) && name.starts_with('_');
    if of_files || contains(library(language), name) {
        return Err(Error::Reserved { name: name.to_string(), language: title(language) });
    }
    for (i, coordinate) in coordinates.iter().enumerate() {
        identifier(language, coordinate)?;
        if *coordinate == name || coordinates[..i].contains(coordinate) {
            return Err(Error::Twice { name: coordinate.to_string() });
        }
    }
    Ok(())
}

fn identifier(language: Language, name: &str) -> Result<(), Error> {
    let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !letters
        || name.trim_matches('_').is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(Error::NoIdentifier { name: name.to_string() });
    }
    if is_of_compiler(language, name) || contains(reserved(language), name) {
        return Err(Error::Reserved { name: name.to_string(), language: title(language) });
    }
    Ok(())
}

fn contains(lists: &[&str], name: &str) -> bool {
    lists.iter().any(|words| words.split_whitespace().any(|word| word == name))
}

/// Names that begin, or in C++ are, as only those of the compiler and its library are.
fn is_of_compiler(language: Language, name: &str) -> bool {
    let capital_behind = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    match language {
        Language::C => name.contains("__") || capital_behind("_"),
        Language::Hip => {
            name.contains("__") || ["_", "hip", "cuda"].into_iter().any(capital_behind)
        }
        Language::Wgsl => name.starts_with("__"),
        Language::Latex | Language::Plain => false,
    }
}
