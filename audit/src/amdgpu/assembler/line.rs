//! A line in its parts: comment, label, assignment, words.
//!
//! ```text
//!   loop: v_add_u32 v1, v[v_a + 1], 8 - 4   ; next
//!   label first_word                        comment     words of the third operand: `8-4`
//! ```

use crate::amdgpu::text::is_symbol;

/// A line up to its comment, and the comment.
pub(crate) fn split_comment(line: &str) -> (&str, &str) {
    let end = line.find(';').into_iter().chain(line.find("//")).min();
    line.split_at(end.unwrap_or(line.len()))
}

pub(super) fn first_word(code: &str) -> (&str, &str) {
    let code = code.trim();
    let (word, rest) = code.split_once(char::is_whitespace).unwrap_or((code, ""));
    (word, rest.trim())
}

/// Where a `/*` is that neither quotation marks nor the rest of a line hide.
pub(super) fn begin_of_comment(line: &str) -> Option<usize> {
    let mut in_quotes = false;
    for (at, c) in line.char_indices() {
        in_quotes ^= c == '"';
        let rest = &line[at..];
        if !in_quotes && rest.starts_with("/*") {
            return Some(at);
        }
        if !in_quotes && (c == ';' || rest.starts_with("//")) {
            return None;
        }
    }
    None
}

/// `loop_12:`, `loop_12: s_nop 0`, `1 :s_nop 0`: the label, and what follows.
pub(super) fn label(code: &str) -> Option<(&str, &str)> {
    let (name, rest) = code.split_once(':')?;
    let name = name.trim();
    let is_number = !name.is_empty() && name.bytes().all(|c| c.is_ascii_digit());
    (is_number || is_symbol(name)).then_some((name, rest.trim()))
}

/// The name of a label that is a number and was written `count` times.
pub(super) fn numbered(label: &str, count: usize) -> String {
    format!(".L{label}.{count}")
}

/// `a = 4`
pub(super) fn assignment(code: &str) -> Option<(&str, &str)> {
    let (name, text) = code.split_once('=')?;
    (is_symbol(name.trim()) && !text.starts_with('=')).then_some((name.trim(), text))
}

/// Returns whether a minus sign subtracts, as in `8 - 4`, `8-4` and `8 -4`: it follows a number or a name.
pub(super) fn has_difference(text: &str) -> bool {
    text.match_indices('-').any(|(at, _)| {
        let before = text[..at].trim_end();
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_.$)".contains(c))
    })
}

/// The words of a part of an instruction; the words of a sum are one. `|v3|` is a word of its own.
pub(super) fn words(part: &str) -> Vec<String> {
    let operator = |c: char| "+*/%&^<>=".contains(c);
    let begins = |word: &str| {
        word == "|"
            || word.starts_with("||")
            || word.starts_with(|c| operator(c) || "-):".contains(c))
    };
    let ends = |word: &str| {
        let is_open = word.matches('(').count() > word.matches(')').count();
        let is_cut = word.ends_with(|c| operator(c) || "-(:!~".contains(c));
        is_open || is_cut || word.ends_with(" |") || word.ends_with("||")
    };
    let mut all: Vec<String> = Vec::new();
    for word in part.split_whitespace() {
        match all.last_mut() {
            Some(last) if ends(last) || begins(word) => {
                last.push_str(if word == "|" { " |" } else { word });
            }
            _ => all.push(word.to_string()),
        }
    }
    all
}
