//! A macro: its parameters, and its lines with arguments in their place.
//!
//! | in a macro's lines | becomes |
//! |---|---|
//! | `\name` | the argument |
//! | `\@` | the number of macros called before |
//! | `\()` | nothing: it ends a name |

use crate::amdgpu::text::is_of_name;
use std::collections::VecDeque;

/// A macro.
pub(super) struct Macro {
    parameters: Vec<Parameter>,
    /// Its lines with their numbers in the text.
    body: VecDeque<(usize, String)>,
}

struct Parameter {
    name: String,
    /// The argument where none is given.
    default: String,
    is_required: bool,
    /// Whether it takes all the arguments that are left.
    is_rest: bool,
}

impl Macro {
    /// The macro of the words after `.macro`, with its name.
    pub(super) fn parse(head: &str, body: VecDeque<(usize, String)>) -> Option<(String, Self)> {
        let end = head.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(head.len());
        let (name, rest) = head.split_at(end);
        let rest = rest.trim_start().trim_start_matches(',');
        let parameters = arguments(rest).iter().map(|text| Parameter::parse(text)).collect();
        (!name.is_empty()).then(|| (name.to_string(), Self { parameters, body }))
    }

    /// The lines for these arguments; a parameter that must have one and has none is the error.
    pub(super) fn lines(
        &self,
        given: &[String],
        call: usize,
        is_alternate: bool,
    ) -> Result<VecDeque<(usize, String)>, &str> {
        let mut values: Vec<Option<String>> = vec![None; self.parameters.len()];
        let mut next = 0;
        for argument in given {
            let named = argument.split_once('=').and_then(|(name, value)| {
                // `a==4` is a comparison.
                let name = (!value.starts_with('=')).then(|| name.trim())?;
                let at = self.parameters.iter().position(|one| one.name == name)?;
                Some((at, value.trim()))
            });
            let (at, value) = named.unwrap_or((next, argument.as_str()));
            next = at + 1;
            let last = self.parameters.len().checked_sub(1);
            if last.is_some_and(|last| at >= last && self.parameters[last].is_rest) {
                let rest = values[last.unwrap_or(0)].get_or_insert_default();
                if !rest.is_empty() {
                    rest.push_str(", ");
                }
                rest.push_str(value);
            } else if at < values.len() && !value.is_empty() {
                values[at] = Some(value.to_string());
            }
        }
        for (parameter, value) in self.parameters.iter().zip(&mut values) {
            if value.is_none() && parameter.is_required {
                return Err(&parameter.name);
            }
            value.get_or_insert_with(|| parameter.default.clone());
        }
        let call = call.to_string();
        let argument = |name: &str| {
            if name == "@" {
                return Some(call.as_str());
            }
            let at = self.parameters.iter().position(|one| one.name == name)?;
            values[at].as_deref()
        };
        let bare =
            |line: String| if is_alternate { without_backslashes(&line, argument) } else { line };
        Ok(self
            .body
            .iter()
            .map(|(number, line)| (*number, bare(replaced(line, argument))))
            .collect())
    }
}

impl Parameter {
    /// `name`, `name=4`, `name:req`, `name:vararg`.
    fn parse(text: &str) -> Self {
        let (text, default) = text.split_once('=').unwrap_or((text, ""));
        let (name, kind) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        Self {
            name: name.trim().to_string(),
            default: default.trim().to_string(),
            is_required: kind.trim() == "req",
            is_rest: kind.trim() == "vararg",
        }
    }
}

/// The arguments of a call: commas part them, and so do blanks with no operator beside them. Quotation marks are dropped.
/// `%` joins nothing, as in LLVM: it begins an expression after `.altmacro`.
pub(super) fn arguments(text: &str) -> Vec<String> {
    const JOINS: &str = "+-*/&|^<>=!~";
    let (mut all, mut open) = (Vec::new(), String::new());
    let (mut depth, mut in_quotes, mut after_blank) = (0_i32, false, false);
    let text = text.trim();
    for c in text.chars() {
        if in_quotes || c == '"' {
            in_quotes ^= c == '"';
            if c != '"' {
                open.push(c);
            }
            continue;
        }
        if c == ',' && depth <= 0 {
            all.push(std::mem::take(&mut open).trim().to_string());
            after_blank = false;
            continue;
        }
        let ends = after_blank
            && depth <= 0
            && !open.is_empty()
            && !JOINS.contains(c)
            && !open.ends_with(|c| JOINS.contains(c));
        if ends && !c.is_whitespace() {
            all.push(std::mem::take(&mut open));
        }
        after_blank = c.is_whitespace();
        depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        if !c.is_whitespace() {
            open.push(c);
        }
    }
    if !text.is_empty() {
        all.push(open.trim().to_string());
    }
    all
}

/// A line with each `\name` that is known replaced.
pub(super) fn replaced<'a>(line: &str, known: impl Fn(&str) -> Option<&'a str>) -> String {
    let (mut all, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once('\\') {
        all.push_str(before);
        if let Some(after) = after.strip_prefix("()") {
            rest = after;
            continue;
        }
        let end = if after.starts_with('@') {
            1
        } else {
            after.find(|c| !is_of_name(c)).unwrap_or(after.len())
        };
        let (name, after) = after.split_at(end);
        match known(name) {
            Some(value) => all.push_str(value),
            None => {
                all.push('\\');
                all.push_str(name);
            }
        }
        rest = after;
    }
    all + rest
}

/// A line with each name that is known replaced, as `.altmacro` has it.
fn without_backslashes<'a>(line: &str, known: impl Fn(&str) -> Option<&'a str>) -> String {
    let (mut all, mut word) = (String::with_capacity(line.len()), String::new());
    for c in line.chars().chain(['\n']) {
        if is_of_name(c) {
            word.push(c);
            continue;
        }
        all.push_str(known(&word).unwrap_or(&word));
        word.clear();
        all.push(c);
    }
    all.pop();
    all
}
