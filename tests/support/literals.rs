//! String literals of Rust text: what a source says, without its escapes.

use proc_macro2::{TokenStream, TokenTree};

/// The string literals of a text, in order; those of one bracket, at any depth, are one list.
///
/// # Panics
///
/// If the text is not Rust.
#[must_use]
pub fn of(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    collect(text.parse().expect("Rust text"), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Literal(literal) => found.extend(unescaped(&literal.to_string())),
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// What a literal stands for; `None` for one that is not a string.
fn unescaped(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return Some(raw.strip_prefix('"')?.strip_suffix('"')?.to_string());
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            // A line that goes on: the next one's indentation is not part of it.
            ('\\', Some('\n')) => while rest.next_if(|c| c.is_whitespace()).is_some() {},
            ('\\', Some('n')) => {
                rest.next();
                text.push('\n');
            }
            ('\\', Some(_)) => text.extend(rest.next()),
            _ => text.push(c),
        }
    }
    Some(text)
}
