//! Aliases as the IR has them: `#mma = #ttg.amd_mfma<..>` above, `parent = #mma` below.

use crate::Error;
use std::borrow::Cow;

/// A text of layouts that name each other, as one layout: the last, with what each alias stands for in its place. A text
/// without aliases stays as it is, and so do its bytes.
///
/// A definition is a line of the IR's, `#mma = #ttg.amd_mfma<{..}>`; behind it may be a line break or a blank.
pub(super) fn resolved(text: &str) -> Result<Cow<'_, str>, Error> {
    let mut known: Vec<(&str, String)> = Vec::new();
    let mut rest = text.trim();
    if alias(rest).is_none_or(|(_, value)| end(value) >= value.len()) && used(rest).is_none() {
        return Ok(Cow::Borrowed(text));
    }
    while let Some((name, value)) = alias(rest) {
        let (here, after) = value.split_at(end(value));
        let whole = replaced(here, &known).map_err(|error| error.further(begin_of(value, text)))?;
        rest = after.trim();
        if rest.is_empty() {
            return Ok(Cow::Owned(whole));
        }
        known.push((name, whole));
    }
    let whole = replaced(rest, &known).map_err(|error| error.further(begin_of(rest, text)))?;
    Ok(Cow::Owned(whole))
}

/// The byte at which the end of a text begins.
fn begin_of(end: &str, text: &str) -> usize {
    text.trim_end().len() - end.trim_end().len()
}

/// The name of a definition at the begin of a text, and the text behind its `=`.
fn alias(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.strip_prefix('#')?.split_once('=')?;
    let name = name.trim();
    is_name(name).then(|| (name, value.trim_start()))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The end of the attribute that a text begins with.
fn end(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth == 1 => return at + 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

/// The first alias that a text uses, and its place: `#mma`, and neither `#ttg.amd_mfma` nor a definition's own name.
fn used(text: &str) -> Option<(usize, &str)> {
    text.match_indices('#').find_map(|(at, _)| {
        let rest = &text[at + 1..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let is_other = rest[end..].starts_with('.') || rest[end..].trim_start().starts_with('=');
        (end > 0 && !is_other).then(|| (at, &rest[..end]))
    })
}

/// A text with what each alias stands for.
fn replaced(text: &str, known: &[(&str, String)]) -> Result<String, Error> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((at, name)) = used(rest) {
        let Some((_, value)) = known.iter().find(|(known, _)| *known == name) else {
            return Err(Error::syntax(
                text.len() - rest.len() + at,
                "what this alias stands for: put its line before, as in `#mma = #ttg.amd_mfma<{..}>`",
            ));
        };
        out += &rest[..at];
        out += value;
        rest = &rest[at + 1 + name.len()..];
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn aliases_are_what_they_stand_for() {
        let mma = "#ttg.amd_mfma<{version = 3}>";
        let of =
            |parent: &str| format!("#ttg.dot_op<{{opIdx = 0, parent = {parent}, kWidth = 8}}>");
        for text in [
            format!("#mma = {mma}\n{}", of("#mma")),
            format!("  #mma = {mma} #dot = {}", of("#mma")),
            format!("#a = {mma}\n#mma = #ttg.x<{{}}>\n{}\n", of("#a")),
        ] {
            assert_eq!(resolved(&text).unwrap(), of(mma), "{text}");
        }
        // An alias of an alias.
        let slice = "#ttg.slice<{dim = 1, parent = #dot}>";
        let wanted = slice.replace("#dot", &of(mma));
        let text = format!("#mma = {mma}\n#dot = {}\n{slice}", of("#mma"));
        assert_eq!(resolved(&text).unwrap(), wanted);
    }

    #[test]
    fn a_text_without_them_is_left_alone() {
        for text in [
            "#ttg.blocked<{order = [1, 0]}>",
            " #blocked = #ttg.blocked<{}>\n",
            "gl.BlockedLayout([1], [64], [4], [0])",
            "",
            "#",
            "#x",
        ] {
            match resolved(text) {
                Ok(same) => assert_eq!(same, text),
                Err(error) => assert!(
                    text == "#x"
                        && error.to_string().starts_with("at byte 0: expected what this alias"),
                    "{error}"
                ),
            }
        }
        let unknown = resolved("#ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>").unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "at byte 33: expected what this alias stands for: put its line before, as in `#mma = #ttg.amd_mfma<{..}>`",
        );
    }
}
