//! Lines under conditions: `.if` and its kin, `.elseif`, `.else`, `.endif`.
//!
//! ```text
//!   .if v_a > 3          is_on: the lines up to the next branch are assembled
//!   .elseif undefined    is_done: one branch was taken, and no other is looked at
//!   .else
//!   .endif
//! ```

use super::expression::value;
use super::{Assembled, Condition};

impl Assembled<'_> {
    /// Reads a directive of conditions; returns whether it is one.
    pub(super) fn condition(&mut self, number: usize, word: &str, rest: &str) -> bool {
        match word {
            ".else" | ".elseif" => {
                let Some(one) = self.conditions.last().copied() else {
                    self.refuse(number, format!("`{word}` without `.if`"));
                    return true;
                };
                let is_on = !one.is_done && (word == ".else" || self.holds(number, ".if", rest));
                let is_done = one.is_done || is_on;
                self.conditions.pop();
                self.conditions.push(Condition { is_on, is_done, ..one });
            }
            ".endif" => {
                if self.conditions.pop().is_none() {
                    self.refuse(number, "`.endif` without `.if`".to_string());
                }
            }
            ".if" | ".ifeq" | ".ifne" | ".ifgt" | ".ifge" | ".iflt" | ".ifle" | ".ifdef"
            | ".ifndef" | ".ifnotdef" | ".ifb" | ".ifnb" | ".ifc" | ".ifnc" | ".ifeqs"
            | ".ifnes" => {
                // Under a condition that does not hold, nothing is looked up.
                let is_asked = self.is_on();
                let is_on = is_asked && self.holds(number, word, rest);
                let is_done = is_on || !is_asked;
                self.conditions.push(Condition { line: number, is_on, is_done });
            }
            _ => return false,
        }
        true
    }

    fn holds(&mut self, number: usize, word: &str, rest: &str) -> bool {
        let pair = || rest.split_once(',').is_some_and(|(one, other)| one.trim() == other.trim());
        match word {
            ".ifdef" => return self.is_defined(number, word, rest),
            ".ifndef" | ".ifnotdef" => return !self.is_defined(number, word, rest),
            ".ifb" => return rest.is_empty(),
            ".ifnb" => return !rest.is_empty(),
            ".ifc" | ".ifeqs" => return pair(),
            ".ifnc" | ".ifnes" => return !pair(),
            _ => {}
        }
        let Some(value) = value(rest, &self.symbols) else {
            self.refuse_open(number, word, rest);
            return false;
        };
        match word {
            ".if" | ".ifne" => value != 0,
            ".ifeq" => value == 0,
            ".ifgt" => value > 0,
            ".ifge" => value >= 0,
            ".iflt" => value < 0,
            _ => value <= 0,
        }
    }

    /// Whether a text has a symbol or a label up to here. What an assembler defines by itself, by its chip, has to be stated.
    fn is_defined(&mut self, number: usize, word: &str, name: &str) -> bool {
        let is_defined = self.symbols.contains_key(name) || self.labels.contains(name);
        if !is_defined && [".amdgcn.", ".option."].iter().any(|own| name.starts_with(own)) {
            self.refuse_open(number, word, name);
        }
        is_defined
    }
}
