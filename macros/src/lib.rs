//! Where an error of a macro's code points, and the layouts of a `layout!` block.
//!
//! ```text
//!   macro_rules alone                        with `point!`
//!
//!   layout! {                                layout! {
//!  _^                                            type A = ..;
//! |      type A = ..;                            type Tight = ..;
//! |      type Tight = ..;                             ^^^^^ Tight: not injective: ..
//! |      type B = ..;                            type B = ..;
//! | }                                        }
//! |_^ Tight: not injective: ..
//! ```
//!
//! What `macro_rules` writes stands, for the compiler, where the macro was called: one bad
//! layout of twenty underlines all twenty. No form of `macro_rules` says otherwise, so this
//! is a procedural macro, without a dependency (see DESIGN, "What the compiler pays for"). `layouts!` reads
//! types token by token, which `macro_rules` does in time that grows with the square.

mod layouts;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

/// `point! { {words} code }` is the code, and what is wrong with it is wrong at the words.
///
/// Names mean what they meant: only the place moves. Without words, or without braces around
/// them, the code stays where it is.
#[proc_macro]
pub fn point(input: TokenStream) -> TokenStream {
    let mut code = input.into_iter();
    match code.next() {
        Some(TokenTree::Group(words)) => match first(words.stream()) {
            Some(place) => moved(code.collect(), place),
            None => code.collect(),
        },
        other => other.into_iter().chain(code).collect(),
    }
}

/// `layouts! { {check} {check_size} {parameter} {Lit} {fault!} {@fault} type A = ..; }` is each
/// layout of a block and its check, which is wrong at the layout's name.
///
/// The templates are the code before `::<A>(stringify!(A));`, the paths of the one-letter
/// parameters' module and of the number of a literal, and the macro that says what is wrong with
/// words that are no layout. What is read, and what becomes of it, says `layouts.rs`.
#[proc_macro]
pub fn layouts(input: TokenStream) -> TokenStream {
    layouts::expand(input)
}

/// The first word. A type that `macro_rules` has read comes in a group without delimiters,
/// whose own place is the macro's.
fn first(words: TokenStream) -> Option<Span> {
    match words.into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first(group.stream()),
        word => Some(word.span()),
    }
}

fn moved(code: TokenStream, place: Span) -> TokenStream {
    code.into_iter()
        .map(|mut token| {
            let span = place.resolved_at(token.span());
            if let TokenTree::Group(group) = &token {
                if group.delimiter() == Delimiter::None {
                    return token;
                }
                token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
            }
            token.set_span(span);
            token
        })
        .collect()
}
