//! Code, written as text with holes, at a place.
//!
//! ```text
//!   write("#tiledesc::layout::check::<#Name>(#text);", place, &[("tiledesc", ..), ("Name", ..), ("text", ..)])
//! ```
//!
//! Of the template's own tokens only the place is the given one: names mean what they mean in a `macro_rules` of the library,
//! so that a local does not meet a user's of that name. What fills a hole stays where it is.

use crate::moved;
use proc_macro::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};

/// The holes of a path that begins with `$crate`, which stands where the template's own tokens do: an expression that begins
/// elsewhere than it ends is, for the compiler, the whole call of the macro.
const CRATES: [&str; 2] = ["tiledesc", "transforms"];

/// The code of a template whose tokens stand at a place; holes are `#name`.
pub(crate) fn write(text: &str, place: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    fill(at_call(text), place.resolved_at(Span::mixed_site()), holes)
}

/// Code without holes.
pub(crate) fn at(text: &str, place: Span) -> TokenStream {
    write(text, place, &[])
}

fn at_call(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("a template is code: {error}: {text}"))
}

fn fill(code: TokenStream, place: Span, holes: &[(&str, TokenStream)]) -> TokenStream {
    let (mut filled, mut code) = (Vec::new(), code.into_iter().peekable());
    while let Some(mut token) = code.next() {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == '#')
            && let Some(TokenTree::Ident(name)) = code.peek()
        {
            let name = name.to_string();
            let hole = holes.iter().find(|(hole, _)| *hole == name);
            let (_, tokens) = hole.unwrap_or_else(|| panic!("nothing fills `#{name}`"));
            filled.extend(if CRATES.contains(&&*name) {
                moved(tokens.clone(), place)
            } else {
                tokens.clone()
            });
            code.next();
            continue;
        }
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), fill(group.stream(), place, holes)).into();
        }
        token.set_span(place);
        filled.push(token);
    }
    filled.into_iter().collect()
}

/// A text as a literal.
pub(crate) fn literal(text: &str) -> TokenStream {
    TokenTree::from(Literal::string(text)).into()
}

/// A number as a literal.
pub(crate) fn number(number: usize) -> TokenStream {
    TokenTree::from(Literal::usize_unsuffixed(number)).into()
}

/// Tokens, moved to a place; what they mean stays.
pub(crate) fn moved_to(tokens: &[TokenTree], place: Span) -> TokenStream {
    moved(tokens.iter().cloned().collect(), place)
}

/// Tokens as rustc prints a type: `recipe::GemmXor<F16, M<128>>`.
pub(crate) fn words(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    let mut before = None;
    for token in tokens {
        let word = match token {
            TokenTree::Group(group) => group_words(group),
            token => token.to_string(),
        };
        if needs_space(before, token, &text) {
            text.push(' ');
        }
        text.push_str(&word);
        before = Some(token);
    }
    text
}

/// A stream of tokens as [`words`] prints them.
pub(crate) fn words_of(tokens: &TokenStream) -> String {
    words(&tokens.clone().into_iter().collect::<Vec<_>>())
}

fn group_words(group: &Group) -> String {
    let inner = words(&group.stream().into_iter().collect::<Vec<_>>());
    match group.delimiter() {
        Delimiter::Parenthesis => format!("({inner})"),
        Delimiter::Bracket => format!("[{inner}]"),
        Delimiter::Brace => format!("{{ {inner} }}"),
        Delimiter::None => inner,
    }
}

/// Returns whether a space stands before a token: between two words, after `,` and `;`, and around an operator.
fn needs_space(before: Option<&TokenTree>, token: &TokenTree, text: &str) -> bool {
    let sign = |token: &TokenTree| match token {
        TokenTree::Punct(sign) => Some(sign.as_char()),
        _ => None,
    };
    let Some(before) = before else { return false };
    let is_operator = |sign: char| matches!(sign, '+' | '-' | '*' | '/' | '=' | '|' | '%' | '^');
    match (sign(before), sign(token)) {
        (Some(',' | ';'), _) => true,
        (None, None) => matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_)),
        (None, Some(sign)) => is_operator(sign),
        // A prefix, `*const T`, has no word before it.
        (Some(sign), None) if is_operator(sign) => {
            let operand = text.trim_end_matches(sign);
            operand.ends_with(' ') || sign == '='
        }
        (Some('>'), None) => matches!(token, TokenTree::Ident(_)) || text.ends_with("->"),
        (Some('>'), Some(sign)) => is_operator(sign),
        _ => false,
    }
}
