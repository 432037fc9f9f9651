//! A declaration in the text of its file: its layout and its limit are written anew, and every other byte stays.
//!
//! ```text
//!   synthesize! { type Halves = F16 [64, 96] on gfx942: read .. => recipe::RowMajor<..>; at most 640 cycles; }
//!                                                               ^^^^^^^^^^^^^^^^^^^^^^^          ^^^
//! ```
//!
//! Comments and literals are skipped, so an example in a doc comment is not taken for a declaration.

use crate::{Error, ErrorKind};
use core::ops::Range;

/// The text that is written into a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written<'a> {
    /// The layout after `=>`; `None` leaves the present one.
    pub answer: Option<&'a str>,
    /// The number of `at most .. cycles`, if the declaration has a limit.
    pub cycles: u64,
}

/// The text of a file in which the declaration of this name has a new answer. If several have one name, the one whose
/// `synthesize!` is on this line is meant.
///
/// ```
/// use tiledesc_host::certificate::{Written, rewritten};
///
/// let source = "synthesize! { type T = F16 [64, 64] on gfx942: read ds_read_b128 by MfmaRows<16> => _; }";
/// let new = Written { answer: Some("recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>"), cycles: 64 };
/// let written = rewritten(source, "T", 1, new).unwrap();
/// assert!(written.ends_with("by MfmaRows<16> => recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>; }"));
/// ```
///
/// # Errors
///
/// No declaration of such a name with `=>` in a `synthesize!`; several, of which none or more than one is on the line.
pub fn rewritten(source: &str, name: &str, line: u32, new: Written<'_>) -> Result<String, Error> {
    let all = declarations(source, name);
    let on_line: Vec<_> = all.iter().filter(|found| found.line == line).collect();
    let found = match (&all[..], &on_line[..]) {
        ([], _) => {
            return Err(Error::new(
                ErrorKind::Unknown,
                "no `synthesize!` of this file declares it with `=>`: write the layout by hand",
            ));
        }
        ([found], _) | (_, &[found]) => found,
        _ => {
            let refused = format!(
                "{} declarations of this file have its name, and the line no longer tells which is meant: run it once more",
                all.len()
            );
            return Err(Error::new(ErrorKind::Declaration, refused));
        }
    };
    // From the end, so that the first place is where it was.
    let mut text = source.to_owned();
    if let Some(limit) = &found.limit {
        text.replace_range(limit.clone(), &new.cycles.to_string());
    }
    if let Some(answer) = new.answer {
        text.replace_range(found.answer.clone(), answer);
    }
    Ok(text)
}

/// A declaration with an answer.
struct Declaration {
    /// The line of its `synthesize!`.
    line: u32,
    answer: Range<usize>,
    /// The number of its limit.
    limit: Option<Range<usize>>,
}

/// Finds the declarations of a name.
fn declarations(source: &str, name: &str) -> Vec<Declaration> {
    let tokens = tokens(source);
    let is =
        |i: usize, text: &str| tokens.get(i).is_some_and(|token| &source[token.clone()] == text);
    let (mut found, mut i) = (Vec::new(), 0);
    while i < tokens.len() {
        if is(i, "synthesize") && is(i + 1, "!") && tokens.len() > i + 2 {
            let begin = tokens[i].start;
            let line = source[..begin].matches('\n').count() as u32 + 1;
            let end = end_of_group(source, &tokens, i + 2);
            let of_one = declarations_within(source, &tokens[i + 3..end.max(i + 3)], name);
            found.extend(of_one.map(|(answer, limit)| Declaration { line, answer, limit }));
            i = end;
        } else {
            i += 1;
        }
    }
    found
}

/// The token that closes the group which begins at one.
fn end_of_group(source: &str, tokens: &[Range<usize>], begin: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(begin) {
        depth += deeper(&source[token.clone()]);
        if depth <= 0 {
            return i;
        }
    }
    tokens.len()
}

fn deeper(token: &str) -> i32 {
    match token {
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// The answers and the limits of the declarations of this name, among the tokens of a `synthesize!`.
fn declarations_within<'a>(
    source: &'a str,
    tokens: &'a [Range<usize>],
    name: &'a str,
) -> impl Iterator<Item = (Range<usize>, Option<Range<usize>>)> + 'a {
    // Up to each `;` that stands in no brackets.
    let mut depth = 0;
    let parts = tokens.split(move |token| {
        depth += deeper(&source[token.clone()]);
        depth == 0 && &source[token.clone()] == ";"
    });
    let parts: Vec<_> = parts.collect();
    let limits: Vec<_> = parts.iter().skip(1).copied().map(Some).chain([None]).collect();
    parts.into_iter().zip(limits).filter_map(move |(part, next)| {
        let text = |i: usize| part.get(i).map(|token| &source[token.clone()]);
        let is_named = (1..part.len()).any(|i| {
            text(i - 1) == Some("type") && text(i) == Some(name) && text(i + 1) == Some("=")
        });
        // Both signs of the arrow, side by side.
        let arrow = (1..part.len()).find(|i| {
            (text(i - 1), text(*i)) == (Some("="), Some(">")) && part[i - 1].end == part[*i].start
        })?;
        let (first, last) = (part.get(arrow + 1)?, part.last()?);
        is_named.then(|| (first.start..last.end, next.and_then(|part| limit(source, part))))
    })
}

/// The number of `at most 352 cycles`.
fn limit(source: &str, part: &[Range<usize>]) -> Option<Range<usize>> {
    let [at, most, number, cycles] = part else { return None };
    let words = [at, most, cycles].map(|token| &source[token.clone()]);
    (words == ["at", "most", "cycles"]).then(|| number.clone())
}

/// The places of all words and signs.
fn tokens(source: &str) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = source[at..].chars().next() {
        let rest = &source[at..];
        let (length, is_token) = match next {
            _ if next.is_whitespace() => (next.len_utf8(), false),
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            '/' if rest.starts_with("/*") => (comment(rest), false),
            _ => match literal(rest) {
                Some(length) => (length, false),
                None if is_word(next) => (rest.find(|c| !is_word(c)).unwrap_or(rest.len()), true),
                None => (next.len_utf8(), true),
            },
        };
        if is_token {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The length of a comment that may hold others.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of a literal in quotes that a text begins with.
fn literal(text: &str) -> Option<usize> {
    let body = text.trim_start_matches(['b', 'c']);
    if text.len() - body.len() <= 1 {
        if let Some(raw) = body.strip_prefix('r') {
            let quoted = raw.trim_start_matches('#');
            let hashes = &raw[..raw.len() - quoted.len()];
            if let Some(inner) = quoted.strip_prefix('"') {
                let end = format!("\"{hashes}");
                let length = inner.find(&end).map_or(inner.len(), |at| at + end.len());
                return Some(text.len() - inner.len() + length);
            }
        }
        if let Some(inner) = body.strip_prefix('"') {
            return Some(text.len() - inner.len() + quoted(inner, '"'));
        }
    }
    // A character, and not a lifetime.
    let inner = text.strip_prefix('\'')?;
    let mut characters = inner.chars();
    match (characters.next()?, characters.next()?) {
        ('\\', _) => Some(1 + quoted(inner, '\'')),
        (one, '\'') => Some(2 + one.len_utf8()),
        _ => None,
    }
}

/// The length up to the quote and with it.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: Written<'static> =
        Written { answer: Some("recipe::New<F16, seq![2, 3]>"), cycles: 7 };

    fn new(source: &str, line: u32) -> Result<String, Error> {
        rewritten(source, "T", line, NEW)
    }

    #[test]
    fn writes_layout_and_limit() {
        let source = "\
//! synthesize! { type T = F16 [1, 1] on vx: read r by P => _; }
use tiledesc::prelude::*; /* synthesize! { type T = .. => _; /* */ } */
const A: [&str; 3] = [\"synthesize! { type T => \\\"\", r#\"synthesize! { \"type T => \"#, \"é\"];
const B: [char; 3] = ['\"', '\\'', '{'];
fn c<'a>(x: &'a str) -> &'a str { match x { _ => x } }

tiledesc::synthesize! {
    type Other = F16 [1, 1] on vx: read r by P => recipe::Old<F16, seq![1; 2]>; at most 9 cycles;
    /// A declaration that ends in `=> _;`.
    #[allow(dead_code)]
    pub(crate) type T = F16 [64, 96] on vx, vy as measured:
        write w(0, 1) by Table<{ 2 + 1 }> times 4,
        read  r by P, // => the last
    => recipe::Old<F16, M<{ if A >= 2 { 1; 2 } else { 3 } }>,
        seq![2, 3]>  ; at most /* two */ 9_000   cycles; // kept
    type Plain = F16 [1, 1] on vx: read r by P;
    at most 9 cycles;
}
";
        let at = source.find("recipe::Old<F16, M<{").unwrap();
        let (before, after) = source.split_at(at);
        let after = after
            .replace(
                "recipe::Old<F16, M<{ if A >= 2 { 1; 2 } else { 3 } }>,\n        seq![2, 3]>  ;",
                "recipe::New<F16, seq![2, 3]>  ;",
            )
            .replace("9_000", "7");
        let wanted = format!("{before}{after}");
        assert_eq!(new(source, 7), Ok(wanted.clone()));
        // The line is not asked where there is one: another test may have changed it.
        assert_eq!(new(source, 70), Ok(wanted));
        let limit = Written { answer: None, cycles: 12 };
        assert_eq!(rewritten(source, "T", 7, limit), Ok(source.replace("9_000", "12")));
        for other in ["Plain", "Thing"] {
            let nowhere = rewritten(source, other, 7, NEW).unwrap_err();
            assert_eq!(nowhere.kind(), ErrorKind::Unknown, "{nowhere}");
        }
    }

    #[test]
    fn needs_no_limit_and_no_semicolon() {
        let source = "synthesize! { type T = F16 [1, 1] on vx: read r by P => _ }";
        assert_eq!(new(source, 1), Ok(source.replace('_', "recipe::New<F16, seq![2, 3]>")));
        let two = "synthesize!(type T = A [1, 1] on vx: read r by P => _; type U = A [1, 1] on vx: read r by P => _;);";
        assert_eq!(new(two, 1), Ok(two.replacen('_', "recipe::New<F16, seq![2, 3]>", 1)));
    }

    #[test]
    fn tells_two_of_a_name_by_the_line() {
        let one = "mod a { synthesize! { type T = F16 [1, 1] on vx: read r by P => _; } }\n";
        let two = [one, one].concat();
        let wanted = one.replace('_', "recipe::New<F16, seq![2, 3]>");
        assert_eq!(new(&two, 1), Ok(wanted.clone() + one));
        assert_eq!(new(&two, 2), Ok(one.to_owned() + &wanted));
        for (text, line) in [(two, 3), (one.repeat(2).replace('\n', " "), 1)] {
            let several = new(&text, line).unwrap_err();
            assert_eq!(several.kind(), ErrorKind::Declaration);
            assert!(several.to_string().starts_with("2 declarations of this file"), "{several}");
        }
    }

    #[test]
    fn text_that_ends_anywhere() {
        let source = "synthesize! { type T = F16 [1, 1] on vx: read r by P<'a'> => A<\"\\\"\">; at most 3 cycles; } é";
        for end in (0..source.len()).filter(|end| source.is_char_boundary(*end)) {
            let _ = new(&source[..end], 1);
        }
        assert_eq!(new("", 1).unwrap_err().kind(), ErrorKind::Unknown);
    }
}
