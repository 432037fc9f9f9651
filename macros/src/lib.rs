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

mod each;
mod layouts;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

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

/// `declared! { {Name} item }` is the item, which begins and ends at its name: a second one of that name is wrong there.
///
/// What stands in braces stays where it is, so that what is wrong with the words of an expression is wrong at these.
#[proc_macro]
pub fn declared(input: TokenStream) -> TokenStream {
    let mut code = input.into_iter();
    match code.next() {
        Some(TokenTree::Group(name)) => match first(name.stream()) {
            Some(place) => at_name(code.collect(), place),
            None => code.collect(),
        },
        other => other.into_iter().chain(code).collect(),
    }
}

/// The tokens of items, moved to a name. Signs are put where the first word comes from, or an item that ends with the `;` of
/// another macro would begin and end nowhere.
fn at_name(items: TokenStream, place: Span) -> TokenStream {
    let mut words = items.clone().into_iter().filter(|token| matches!(token, TokenTree::Ident(_)));
    let signs = words.next().map_or(place, |word| place.resolved_at(word.span()));
    items.into_iter().map(|token| moved_to(token, place, signs)).collect()
}

/// A token of an item's head, moved to its name. A visibility comes in a group without delimiters, and the item begins with it.
fn moved_to(mut token: TokenTree, place: Span, signs: Span) -> TokenTree {
    let span = match &token {
        TokenTree::Punct(_) => signs,
        _ => place.resolved_at(token.span()),
    };
    if let TokenTree::Group(group) = &token {
        let tokens = group.stream();
        let tokens = match group.delimiter() {
            Delimiter::None if !is_visibility(&tokens) => return token,
            Delimiter::Brace => tokens,
            _ => tokens.into_iter().map(|token| moved_to(token, place, signs)).collect(),
        };
        token = Group::new(group.delimiter(), tokens).into();
    }
    token.set_span(span);
    token
}

fn is_visibility(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Group(group)) => is_visibility(&group.stream()),
        word => word.is_some_and(|word| word.to_string() == "pub"),
    }
}

/// `layouts! { {check} {MayOverlapOf} {parameter} {Lit} {fault!} {@fault} type A = ..; }` is each
/// layout of a block and its check, which is wrong at the layout's name.
///
/// The templates are the code before `::<A>(stringify!(A));`, the paths of the one-letter
/// parameters' module and of the number of a literal, and the macro that says what is wrong with
/// words that are not a layout. What is read, and what becomes of it, says `layouts.rs`.
#[proc_macro]
pub fn layouts(input: TokenStream) -> TokenStream {
    layouts::expand(input)
}

/// `layout_type! { {parameter} {Lit} recipe::..<..> }` is the type as `layouts!` takes it, without a declaration.
#[proc_macro]
pub fn layout_type(input: TokenStream) -> TokenStream {
    layouts::expand_type(input)
}

/// `test_of! { {Name} {head} {body} }` is the head, `no_layout_is_better_than_Name`, and the body: of names, no form of
/// `macro_rules` makes another.
#[proc_macro]
pub fn test_of(input: TokenStream) -> TokenStream {
    let mut parts = input.into_iter().map(|part| match part {
        TokenTree::Group(part) => part.stream(),
        word => word.into(),
    });
    let [name, head, body] = [(); 3].map(|()| parts.next().unwrap_or_default());
    // At the place of the head, so that what is wrong with it is wrong at the macro's call.
    let place = head.clone().into_iter().next().map_or_else(Span::call_site, |word| word.span());
    let name = name.to_string();
    let name = format!("no_layout_is_better_than_{}", name.trim_start_matches("r#"));
    let name = Ident::new(&name, place);
    head.into_iter().chain([TokenTree::from(name)]).chain(body).collect()
}

/// `each! { {path} type A: ..; type B: ..; }` is `path! { type A: ..; } path! { type B: ..; }`, each called at its name.
#[proc_macro]
pub fn each(input: TokenStream) -> TokenStream {
    let mut words = input.into_iter();
    match words.next() {
        Some(TokenTree::Group(path)) => each::expand(&path.stream(), &words.collect::<Vec<_>>()),
        other => other.into_iter().chain(words).collect(),
    }
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
