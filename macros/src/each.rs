//! Declarations of a block, one by one, each at its name.
//!
//! ```text
//!   descriptor! { type A: ..; type B: ..; }    descriptor! { type A: ..; }    wrong at `A`
//!                                              descriptor! { type B: ..; }    wrong at `B`
//! ```
//!
//! What `macro_rules` declares begins and ends, for the compiler, where the macro was called. So it is called where the name
//! stands.

use super::moved;
use proc_macro::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};

/// The macro of this path, called for each declaration.
pub(super) fn expand(path: &TokenStream, words: &[TokenTree]) -> TokenStream {
    let (mut code, mut begin, mut place) = (TokenStream::new(), 0, None);
    for (name, word) in words.iter().enumerate().filter(|(i, _)| is_name(words, *i)) {
        // Behind the `;` of the one before; without it both are one, and the macro says what is missing.
        let end = words[begin..name].iter().rposition(is_end).map(|end| begin + end + 1);
        if let (Some(place), Some(end)) = (place, end) {
            code.extend(call(path, &words[begin..end], place));
            begin = end;
        }
        if place.is_none() || end.is_some() {
            place = Some(word.span());
        }
    }
    if let (Some(first), rest) = (words.get(begin), &words[begin..]) {
        code.extend(call(path, rest, place.unwrap_or_else(|| first.span())));
    }
    code
}

/// Whether a word is what stands behind `type`.
fn is_name(words: &[TokenTree], i: usize) -> bool {
    let is_type = |word: &TokenTree| word.to_string() == "type";
    matches!(words[i], TokenTree::Ident(_)) && i > 0 && is_type(&words[i - 1])
}

fn is_end(word: &TokenTree) -> bool {
    matches!(word, TokenTree::Punct(sign) if sign.as_char() == ';')
}

/// A call at a place, of words that stay where they are.
fn call(path: &TokenStream, words: &[TokenTree], place: Span) -> TokenStream {
    let of = path.clone().into_iter().next().map_or(place, |word| word.span());
    let mut sign = TokenTree::from(Punct::new('!', Spacing::Alone));
    let mut words = TokenTree::from(Group::new(Delimiter::Brace, words.iter().cloned().collect()));
    for token in [&mut sign, &mut words] {
        token.set_span(place.resolved_at(of));
    }
    moved(path.clone(), place).into_iter().chain([sign, words]).collect()
}
