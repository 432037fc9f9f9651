//! The grammars of the macros, and where an error of a macro's code points.
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
//! layout of twenty underlines all twenty. No form of `macro_rules` says otherwise, so the grammars are read here, by hand and
//! without a dependency (see DESIGN, "What the compiler pays for"), and errors stand at the user's words.
//!
//! | file | reads |
//! |---|---|
//! | `reader` | tokens, one after the other; what is wrong with one |
//! | `template` | nothing: it writes code, as text with holes |
//! | `layouts` | `layout!` |
//! | `pattern`, `distribution` | the macros of that name |
//! | `accesses` | `gfx942: read ds_read_b128 by RowMajor, ..` |
//! | `statement`, `declaration` | `assert_conflict_free!`, `check_conflict_free!`, `access!`; `synthesize!` |
//! | `direct` | `assert_direct_load!`, `check_direct_load!`, `direct_load!` |
//! | `coalesced` | `assert_coalesced!`, `check_coalesced!` |
//! | `conversion` | `convert!` |
//! | `product` | `product!` |
//! | `number`, `descriptor` | `number!`, `seq!`, `lower!`; `descriptor!` |
//! | `each` | `each!`, of the library alone: the same code for each of some numbers or words |
//! | `phantom` | `#[derive(Phantom)]`, of the library alone: the traits of a type that only carries its parameters |
//! | `transform` | `transform!`, of the library alone: a transform from its parameters and its index rule |

mod accesses;
mod coalesced;
mod conversion;
mod declaration;
mod descriptor;
mod direct;
mod distribution;
mod each;
mod layouts;
mod number;
mod pattern;
mod phantom;
mod product;
mod reader;
mod statement;
mod template;
mod transform;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use reader::{Fault, Read, Reader, one_by_one};

/// What a public macro hands over: `{$crate}`, then the user's words, which a grammar reads one by one.
fn read(
    input: TokenStream,
    recovers: bool,
    grammar: impl Fn(&TokenStream, &mut Reader) -> Read<TokenStream>,
) -> TokenStream {
    let mut reader = Reader::new(input);
    let tiledesc = reader.given();
    one_by_one(reader, recovers, |reader| grammar(&tiledesc, reader))
}

fn once(
    input: TokenStream,
    grammar: impl Fn(&TokenStream, &mut Reader) -> Read<TokenStream>,
) -> TokenStream {
    let mut reader = Reader::new(input);
    let transforms = reader.given();
    grammar(&transforms, &mut reader).unwrap_or_else(Fault::code)
}

/// `assertions! { {$crate} Layout on chip: .. }` is what `assert_conflict_free!` becomes.
#[proc_macro]
pub fn assertions(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| statement::expand(tiledesc, reader, true))
}

/// `checks! { {$crate} Layout on chip: .. }` is what `check_conflict_free!` becomes.
#[proc_macro]
pub fn checks(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| statement::expand(tiledesc, reader, false))
}

/// `accesses! { {$crate} Layout on chip: type Name = .. }` is what `access!` becomes.
#[proc_macro]
pub fn accesses(input: TokenStream) -> TokenStream {
    read(input, true, statement::declare)
}

/// `declarations! { {$crate} type Name = .. }` is what `synthesize!` becomes.
#[proc_macro]
pub fn declarations(input: TokenStream) -> TokenStream {
    read(input, false, declaration::expand)
}

/// `direct_assertions! { {$crate} Layout on chip: .. }` is what `assert_direct_load!` becomes.
#[proc_macro]
pub fn direct_assertions(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| direct::assertion(tiledesc, reader, true))
}

/// `direct_checks! { {$crate} Layout on chip: .. }` is what `check_direct_load!` becomes.
#[proc_macro]
pub fn direct_checks(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| direct::assertion(tiledesc, reader, false))
}

/// `direct_loads! { {$crate} type Name = .. }` is what `direct_load!` becomes.
#[proc_macro]
pub fn direct_loads(input: TokenStream) -> TokenStream {
    read(input, true, direct::declaration)
}

/// `coalesced_assertions! { {$crate} Distribution on chip: .. }` is what `assert_coalesced!` becomes.
#[proc_macro]
pub fn coalesced_assertions(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| coalesced::expand(tiledesc, reader, true))
}

/// `coalesced_checks! { {$crate} Distribution on chip: .. }` is what `check_coalesced!` becomes.
#[proc_macro]
pub fn coalesced_checks(input: TokenStream) -> TokenStream {
    read(input, true, |tiledesc, reader| coalesced::expand(tiledesc, reader, false))
}

/// `conversions! { {$crate} type Name = .. }` is what `convert!` becomes.
#[proc_macro]
pub fn conversions(input: TokenStream) -> TokenStream {
    read(input, false, conversion::expand)
}

/// `products! { {$crate} type Name = A x B by instruction on chip; }` is what `product!` becomes.
#[proc_macro]
pub fn products(input: TokenStream) -> TokenStream {
    read(input, true, product::expand)
}

/// `patterns! { {$crate} Name(lane) => ..; }` is what `pattern!` becomes.
#[proc_macro]
pub fn patterns(input: TokenStream) -> TokenStream {
    read(input, true, pattern::expand)
}

/// `distributions! { {$crate} type Name: .. }` is what `distribution!` becomes.
#[proc_macro]
pub fn distributions(input: TokenStream) -> TokenStream {
    read(input, false, distribution::expand)
}

/// `descriptors! { {$crate} type Name: .. }` is what `descriptor!` becomes.
#[proc_macro]
pub fn descriptors(input: TokenStream) -> TokenStream {
    read(input, false, descriptor::expand)
}

/// `number! { {$crate} K / 8 }` is the type of a number, of a literal alone a value too.
#[proc_macro]
pub fn number(input: TokenStream) -> TokenStream {
    once(input, number::number)
}

/// `sequence! { {$crate} K / 8, 8 }` is what `seq!` becomes: a tuple of numbers.
#[proc_macro]
pub fn sequence(input: TokenStream) -> TokenStream {
    once(input, number::sequence)
}

/// `wiring! { {$crate} [0, 1], [2] }` is what `lower!` and `upper!` become.
#[proc_macro]
pub fn wiring(input: TokenStream) -> TokenStream {
    once(input, number::wiring)
}

/// `each! { 1..=12: code }` is the code for each of these numbers, `each! { u32, u64: code }` for each of these words.
#[proc_macro]
pub fn each(input: TokenStream) -> TokenStream {
    each::expand(&mut Reader::new(input)).unwrap_or_else(Fault::code)
}

/// `#[derive(Phantom)]` makes a type that only carries its parameters `Clone`, `Copy`, `Default` and `Debug`, whatever they are.
#[proc_macro_derive(Phantom)]
pub fn phantom(input: TokenStream) -> TokenStream {
    phantom::expand(&mut Reader::new(input)).unwrap_or_else(Fault::code)
}

/// `transform! { Name::new { length: L is Length } upper [length] rule |up, low| { .. } }` is a transform and its twin of numbers.
#[proc_macro]
pub fn transform(input: TokenStream) -> TokenStream {
    transform::expand(&mut Reader::new(input)).unwrap_or_else(Fault::code)
}

/// `layouts! { {$crate} type Name = recipe::..<..>; }` is what `layout!` becomes: each layout of a block and its check, which is
/// wrong at the layout's name.
#[proc_macro]
pub fn layouts(input: TokenStream) -> TokenStream {
    read(input, true, layouts::expand)
}

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

/// The first word. A type that `macro_rules` has read comes in a group without delimiters,
/// whose own place is the macro's.
fn first(words: TokenStream) -> Option<Span> {
    match words.into_iter().next()? {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => first(group.stream()),
        word => Some(word.span()),
    }
}

/// A test of a declaration: the head, `no_layout_is_better_than_Name`, and the body.
fn test_named(declared: &str, head: TokenStream, body: TokenStream) -> TokenStream {
    // At the place of the head, so that what is wrong with it is wrong at the macro's call.
    let place = head.clone().into_iter().next().map_or_else(Span::call_site, |word| word.span());
    let name = format!("no_layout_is_better_than_{}", declared.trim_start_matches("r#"));
    head.into_iter().chain([TokenTree::from(Ident::new(&name, place))]).chain(body).collect()
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
