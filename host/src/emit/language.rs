//! Languages: a row of names for each, and a function that writes.
//!
//! Names that the user chooses: a wrong one makes a file that does not compile, or, as
//! `linux` in gcc's C, one that computes with the number 1.
//!
//! | refused | in | why |
//! |---|---|---|
//! | `2m`, `a b`, `ä`, `_` | all | no identifier |
//! | `int`, `xor`, `linux`, `INT_MAX` | C, HIP | a keyword of C or C++, or a macro |
//! | `__f`, `a__b`, `_A` | C, HIP | the compiler's own |
//! | `threadIdx`, `hipMalloc` | HIP | in every kernel |
//! | `fn`, `mod`, `u32`, `__f` | WGSL | a keyword, or reserved for one |
//! | `div`, `mod`, `xor` | plain text | an operator |
//! | `abs`, `size_t`, `_f`; `min` | C, HIP; WGSL | the function only: the library has it |
//!
//! A coordinate may be called `index` or `min`: inside the function it hides the library's.
//! The lists are in `words/`: C23 and C++20, the headers of C11 and C23 and what gcc adds to them,
//! the macros of Windows' headers; HIP's and CUDA's device functions; WGSL of August 2025.

use super::expression::{Condition, Expression};
use super::infix::Written;
use crate::{Error, ErrorKind};

/// A language. One file has the row of each; no other code distinguishes them.
#[derive(Debug)]
pub(super) struct Language {
    /// The name for people.
    pub(super) title: &'static str,
    /// The extension of its files.
    pub(super) extension: &'static str,
    /// Words, by spaces, that are not names of anything.
    pub(super) reserved: &'static [&'static str],
    /// Words that are not names of functions.
    pub(super) library: &'static [&'static str],
    /// Returns whether a name is reserved for the compiler and its library.
    pub(super) is_of_compiler: fn(&str) -> bool,
    /// Names that only such functions have.
    pub(super) is_of_library: fn(&str) -> bool,
    /// The beginning of a comment.
    pub(super) comment: &'static str,
    pub(super) writes: Writing,
}

/// The texts that are written in a language.
#[derive(Debug)]
pub(super) enum Writing {
    /// A function of this name and these coordinates, as a formula.
    Formula(fn(&str, &[&str], &Expression) -> String),
    /// Functions and constants.
    Program(Program),
}

/// The writers of a language of programs.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) function: fn(&Function<'_>) -> String,
    /// Whether a file may be included twice: then it guards itself.
    pub(super) guard: bool,
    /// Whether a file may be in a namespace.
    pub(super) namespaces: bool,
    /// Whether there are numbers of 64 bits.
    pub(super) wide: bool,
    /// A constant of 32 bits.
    pub(super) constant: fn(&str, u32) -> String,
}

/// A function that is to be written.
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    /// The names of its parameters: of coordinate 0, of coordinate 1, ..
    pub(super) coordinates: &'a [&'a str],
    pub(super) returns: Returns<'a>,
}

/// The value that a function returns.
#[derive(Clone, Copy)]
pub(super) enum Returns<'a> {
    /// A value.
    Value(&'a Expression),
    /// One of several values, by the number in the coordinate `by`; of no such number the first.
    Choice { by: usize, of: &'a [Expression] },
    /// The truth of a condition.
    Holds(&'a Condition),
    /// A sum in 64 bits: of products of two, and of one more. Only where the language has such numbers.
    Wide { products: &'a [[Expression; 2]], and: &'a Expression },
    /// The test that 32 bits hold every offset of a tensor, of its lengths, and of a pitch for each but the last. Only
    /// where the language has numbers of 64.
    Fits,
}

impl<'a> Function<'a> {
    /// The expressions of the function: of a condition each value before its bound.
    pub(super) fn expressions(&self) -> Vec<&'a Expression> {
        match self.returns {
            Returns::Value(value) => [value].into(),
            Returns::Choice { of, .. } => of.iter().collect(),
            Returns::Wide { products, and } => products.iter().flatten().chain([and]).collect(),
            Returns::Fits => Vec::new(),
            Returns::Holds(condition) => {
                condition.comparisons().iter().flat_map(|(value, bound)| [value, bound]).collect()
            }
        }
    }

    /// Coordinates that it does not read, of those that its expressions do not.
    pub(super) fn unused(&self, unread: &[usize]) -> Vec<&'a str> {
        let chooses = match self.returns {
            Returns::Choice { by, .. } => Some(by),
            Returns::Fits => return Vec::new(),
            _ => None,
        };
        let unused = unread.iter().filter(|i| Some(**i) != chooses);
        unused.map(|i| self.coordinates[*i]).collect()
    }
}

/// The values of a choice, each once, in their order, with the numbers that choose it; the first is
/// that of number 0.
pub(super) fn cases(values: &[Written]) -> Vec<(&str, Vec<usize>)> {
    let mut cases: Vec<(&str, Vec<usize>)> = Vec::new();
    for (number, value) in values.iter().enumerate() {
        match cases.iter_mut().find(|(known, _)| *known == value.text) {
            Some((_, numbers)) => numbers.push(number),
            None => cases.push((&value.text, [number].into())),
        }
    }
    cases
}

impl Language {
    /// Refuses names that are not identifiers, are reserved, or are given twice.
    pub(super) fn check(&self, name: &str, coordinates: &[&str]) -> Result<(), Error> {
        self.identifier(name)?;
        if (self.is_of_library)(name) || contains(self.library, name) {
            return Err(self.keeps(name));
        }
        for (i, coordinate) in coordinates.iter().enumerate() {
            self.identifier(coordinate)?;
            if *coordinate == name || coordinates[..i].contains(coordinate) {
                return Err(twice(coordinate));
            }
        }
        Ok(())
    }

    fn identifier(&self, name: &str) -> Result<(), Error> {
        let letters = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !letters
            || name.trim_matches('_').is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit())
        {
            let refused = format!(
                "`{name}` is not a name: write letters, digits and `_`, no digit first, not `_` alone"
            );
            return Err(Error::new(ErrorKind::Name, refused));
        }
        if (self.is_of_compiler)(name) || contains(self.reserved, name) {
            return Err(self.keeps(name));
        }
        Ok(())
    }

    fn keeps(&self, name: &str) -> Error {
        let refused = format!("`{name}` is a name that {} keeps for itself", self.title);
        Error::new(ErrorKind::Name, refused)
    }
}

/// The error of one name for two things.
pub(super) fn twice(name: &str) -> Error {
    Error::new(ErrorKind::Name, format!("the name `{name}` is given twice"))
}

/// Returns whether a name is a word of some lists. Most names are in none, not even as a part of a word, and a search
/// for that is cheap: with words alone, three quarters of a header's time in a debug build.
fn contains(lists: &[&str], name: &str) -> bool {
    let is_word =
        |list: &&str| list.contains(name) && list.split_whitespace().any(|word| word == name);
    lists.iter().any(is_word)
}

/// Returns `false`, for a language that keeps no such names.
pub(super) fn none(_: &str) -> bool {
    false
}

/// Returns whether a capital follows a beginning: `_Bool`.
pub(super) fn capital_behind(name: &str, beginning: &str) -> bool {
    name.strip_prefix(beginning).is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

/// `m, k` with each name written by `one`.
pub(super) fn listed(names: &[&str], one: impl Fn(&str) -> String) -> String {
    names.iter().map(|name| one(name)).collect::<Vec<_>>().join(", ")
}
