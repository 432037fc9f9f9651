//! The instructions of every function in a compiler's assembly.

use std::collections::BTreeMap;

/// A function's instructions, one a line, by offset and form: `("xor_128x64", "ours")`.
pub(crate) type Listings = BTreeMap<(String, String), Vec<String>>;

/// Reads assembly, whose comments begin with `comment`.
///
/// Equal functions become one, of which the others are aliases (`.set a, b`) or
/// to which they jump (`jmp b`); such a function has the instructions of the one.
pub(crate) fn listings(assembly: &str, comment: char) -> Listings {
    let mut listings = Listings::new();
    let mut same = Vec::new();
    let mut function = None;
    for line in assembly.lines() {
        let code = line.split(comment).next().unwrap_or("").trim();
        if let Some(label) = code.strip_suffix(':') {
            // Local labels stay inside.
            if !label.starts_with(['.', 'L']) {
                function = name_of(label);
                function.clone().map(|name| listings.insert(name, Vec::new()));
            }
        } else if let Some((alias, of)) = alias(code) {
            same.extend(name_of(alias).zip(name_of(of)));
        } else if let Some(name) = &function
            && !code.is_empty()
            && !code.starts_with('.')
        {
            let words: Vec<&str> = code.split_whitespace().collect();
            listings.get_mut(name).unwrap().push(words.join(" "));
        }
    }
    same.extend(listings.iter().filter_map(|(name, listing)| match &listing[..] {
        [only] => Some((name.clone(), name_of(only.strip_prefix("jmp ")?)?)),
        _ => None,
    }));
    for (alias, of) in same {
        if let Some(listing) = listings.get(&of).cloned() {
            listings.insert(alias, listing);
        }
    }
    listings
}

/// `.set a, b` or `a = b`.
fn alias(code: &str) -> Option<(&str, &str)> {
    code.strip_prefix(".set ").and_then(|both| both.split_once(',')).or(code.split_once(" = "))
}

/// The offset and the form of a mangled name, or the kernel of a plain one.
///
/// Either mangling writes the path `functions::xor_128x64::ours` as
/// `9functions10xor_128x644ours`, with more before and behind.
pub(crate) fn name_of(symbol: &str) -> Option<(String, String)> {
    if symbol == "stage" {
        return Some(("kernel".to_owned(), symbol.to_owned()));
    }
    let path = &symbol[symbol.find("9functions")? + "9functions".len()..];
    let (offset, rest) = identifier(path)?;
    let (form, _) = identifier(rest)?;
    Some((offset.to_owned(), form.to_owned()))
}

/// A name behind its length, and the rest.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    text[digits..].split_at_checked(text[..digits].parse().ok()?)
}
