//! Directives that an assembler's second pass does not see: symbols, macros, repetitions.
//!
//! ```text
//!   .rept 2             the lines up to `.endr` twice, each with its number in the text
//!     s_nop 0
//!   .endr
//!   load 2, i=4         the lines of the macro `load` with these arguments
//! ```

use super::expression::value;
use super::line::{first_word, split_comment};
use super::macros::{Macro, arguments, replaced};
use super::{Assembled, MOST_LINES};
use std::collections::VecDeque;
use std::rc::Rc;

/// What begins the lines that an `.endr` ends.
const REPEATING: [&str; 4] = [".rept", ".rep", ".irp", ".irpc"];

impl Assembled<'_> {
    /// Carries out a directive that an assembler's second pass does not see; returns whether it is one.
    pub(super) fn directive(&mut self, number: usize, word: &str, rest: &str) -> bool {
        match word {
            ".set" | ".equ" | ".equiv" => {
                let (name, text) = rest.split_once(',').unwrap_or((rest, ""));
                self.set(name, text);
            }
            ".macro" => {
                let body = self.block(number, &[".macro"], &[".endm", ".endmacro"]);
                if let Some((name, one)) = Macro::parse(rest, body) {
                    self.macros.insert(name, Rc::new(one));
                }
            }
            ".purgem" => drop(self.macros.remove(rest)),
            ".rept" | ".rep" => {
                let body = self.block(number, &REPEATING, &[".endr"]);
                match value(rest, &self.symbols).map(usize::try_from) {
                    Some(Ok(count)) if count.saturating_mul(body.len()) <= MOST_LINES => {
                        self.make(std::iter::repeat_n(body, count).flatten().collect());
                    }
                    Some(Err(_)) => self.refuse(number, format!("`{word} {rest}` is negative")),
                    Some(_) => {
                        self.refuse(number, format!("macros make more than {MOST_LINES} lines"));
                    }
                    None => self.refuse_open(number, word, rest),
                }
            }
            ".irp" | ".irpc" => self.repeat_for_each(number, word, rest),
            ".altmacro" => self.is_alternate = true,
            ".noaltmacro" => self.is_alternate = false,
            ".exitm" => self.refuse(number, "`.exitm` is not read".to_string()),
            ".error" | ".err" => {
                self.refuse(number, format!("the text itself refuses to be assembled: {rest}"));
            }
            ".amdgpu_metadata" => {
                self.in_metadata = true;
                return false;
            }
            _ => return false,
        }
        true
    }

    /// `.irp to, 20, 24` and `.irpc digit, 024`: the lines again for each value.
    fn repeat_for_each(&mut self, number: usize, word: &str, rest: &str) {
        let body = self.block(number, &REPEATING, &[".endr"]);
        let (name, values) = rest.split_once(',').unwrap_or((rest, ""));
        let name = name.trim();
        let values: Vec<String> = match word {
            ".irp" => arguments(values),
            _ => values.trim().chars().map(String::from).collect(),
        };
        let mut lines = VecDeque::new();
        for value in &values {
            let known = |one: &str| (one == name).then_some(value.as_str());
            lines.extend(body.iter().map(|(at, line)| (*at, replaced(line, known))));
        }
        self.make(lines);
    }

    pub(super) fn set(&mut self, name: &str, text: &str) {
        let known = value(text, &self.symbols);
        self.symbols.insert(name.trim().to_string(), known);
    }

    /// The lines up to the end of a macro or a repetition, in which others may begin and end.
    fn block(
        &mut self,
        number: usize,
        begins: &[&str],
        ends: &[&str],
    ) -> VecDeque<(usize, String)> {
        let (mut lines, mut depth) = (VecDeque::new(), 0);
        while let Some((at, line)) = self.raw() {
            let (word, _) = first_word(split_comment(&line).0);
            if ends.contains(&word) {
                if depth == 0 {
                    return lines;
                }
                depth -= 1;
            }
            depth += usize::from(begins.contains(&word));
            lines.push_back((at, line.into_owned()));
        }
        self.refuse(number, format!("`{}` has no `{}`", begins[0], ends[0]));
        lines
    }

    pub(super) fn call(&mut self, number: usize, one: &Macro, rest: &str) {
        let mut given = arguments(rest);
        if self.is_alternate {
            for argument in &mut given {
                if let Some(known) =
                    argument.strip_prefix('%').and_then(|one| value(one, &self.symbols))
                {
                    *argument = known.to_string();
                }
            }
        }
        match one.lines(&given, self.calls, self.is_alternate) {
            Ok(lines) => self.make(lines),
            Err(parameter) => {
                self.refuse(number, format!("the macro's parameter `{parameter}` has no argument"));
            }
        }
        self.calls += 1;
    }
}
