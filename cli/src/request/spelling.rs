//! Names as a user writes them, and names and counts as sentences have them.
//!
//! ```text
//!   GemmXor is written gemm-xor, and found as gemm_xor or GEMMXOR too
//!   `kpak` is unknown: did you mean `kpack`?
//!   1 access, 2 accesses
//! ```

use std::fmt::Display;

/// `GemmXor` as a file has it: `gemm-xor`.
pub(crate) fn kebab(code: &str) -> String {
    let mut words = String::new();
    for (i, c) in code.char_indices() {
        if c.is_ascii_uppercase() && i > 0 {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// A name without case, `-` and `_`.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).collect::<String>().to_lowercase()
}

/// `1 tile`, `2 tiles`, `2 accesses`
pub(crate) fn plural<N: Display + From<u8> + PartialEq>(count: N, word: &str) -> String {
    let ending = match (count == N::from(1), word.ends_with('s')) {
        (true, _) => "",
        (false, true) => "es",
        (false, false) => "s",
    };
    format!("{count} {word}{ending}")
}

/// A coordinate as a sentence has it: `(1, 0)`.
pub(crate) fn coordinate(index: &[u32]) -> String {
    let each: Vec<_> = index.iter().map(u32::to_string).collect();
    format!("({})", each.join(", "))
}

/// A sentence of the library, which counts dimensions, with the names of a tile's: `dimension 1` is `k`. Of a stage they are
/// its own, and stay as they are.
pub(crate) fn by_names(sentence: &str, names: &[String]) -> String {
    if sentence.contains("stage ") {
        return sentence.to_string();
    }
    let mut parts = sentence.split("dimension ");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let name = part[..end].parse().ok().and_then(|at: usize| names.get(at));
        match name {
            Some(name) => out += &format!("`{name}`{}", &part[end..]),
            None => out += &format!("dimension {part}"),
        }
    }
    out
}

/// Rows as columns of text: all fields aligned but the last, which is as it is, to at most `most` characters each. A column
/// without a word takes no room.
pub(crate) fn columns(rows: &[Vec<String>], most: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|row| row.get(i)).map(String::len).max();
    let widths: Vec<_> = (0..columns).map(|i| width(i).unwrap_or(0).min(most)).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().filter(|(_, (_, width))| **width > 0);
        let cell = |(i, (cell, width)): (usize, (&String, &usize))| {
            let width = if i + 1 == columns { 0 } else { *width };
            format!("  {cell:width$}")
        };
        out += cells.map(cell).collect::<String>().trim_end();
        out.push('\n');
    }
    out
}

/// A text as one line: what a user has written may hold line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// `; did you mean `kpack`?`, or all there are.
pub(crate) fn did_you_mean<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(near) = nearest(given, known.clone()) {
        return format!("; did you mean `{near}`?");
    }
    let all: Vec<_> = known.into_iter().map(|name| format!("`{name}`")).collect();
    if all.is_empty() { String::new() } else { format!("; there are {}", all.join(", ")) }
}

/// The known name with the fewest letters changed, if those are at most a third of it.
pub(crate) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let far = |name: &str| distance(&given.to_lowercase(), &name.to_lowercase());
    let close = known.into_iter().map(|name| (far(name), name)).min_by_key(|(far, _)| *far)?;
    let most = given.chars().count().max(close.1.chars().count()).div_ceil(3);
    (close.0 <= most).then_some(close.1)
}

/// Letters inserted, left out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<_> = b.chars().collect();
    let mut row: Vec<_> = (0..=b.len()).collect();
    for (i, one) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let changed = diagonal + usize::from(one != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_have_their_names() {
        let names = ["m", "k"].map(str::to_string);
        for (sentence, said) in [
            ("length 24 of dimension 0 is odd", "length 24 of `m` is odd"),
            ("dimension 1 has 8, dimension 0 4", "`k` has 8, `m` 4"),
            ("along dimension 12, a dimension of 2", "along dimension 12, a dimension of 2"),
            ("stage 1: dimension 1 has length 64", "stage 1: dimension 1 has length 64"),
        ] {
            assert_eq!(by_names(sentence, &names), said);
        }
    }

    #[test]
    fn nearest_names_are_near() {
        assert_eq!(distance("kpak", "kpack"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(nearest("chip", ["chips", "tile"]), Some("chips"));
        assert_eq!(nearest("zzz", ["chips", "tile"]), None);
    }
}
