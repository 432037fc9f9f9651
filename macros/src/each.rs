//! `each!`: the same code for each number of a range, or for each of some words.
//!
//! ```text
//!   each! { u32, u64: impl Wide for # {} }        impl Wide for u32 {}  impl Wide for u64 {}
//!   each! { 1..=2: type #U = [u8; #]; }           type U1 = [u8; 1];    type U2 = [u8; 2];
//!   each! { 2: (#(#T,)*) = #(f(#)).*; }           (T0, T1,) = f(0).f(1);
//! ```
//!
//! `#` is the number or the word. Of a number, `#T` is a name that ends with it, and `#(..)*` repeats what is in the parentheses
//! for 0 and what follows up to the number, with that number for `#`; what stands before the `*` is between the copies.
//! `#[..]` stays an attribute. What a macro was given, such as its `$body`, is copied as it is.

use crate::reader::{Fault, Read, Reader, is_sign, is_signs};
use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

const FORM: &str =
    "expected numbers such as `0..12`, `1..=12` or `4, 8`, or words, then `:` and the code";

/// The copies, one after the other.
pub(crate) fn expand(reader: &mut Reader) -> Read<TokenStream> {
    let mut items = Vec::new();
    while !reader.is_signs(":") {
        item(reader, &mut items)?;
        reader.take_sign(',');
    }
    reader.take_sign(':');
    let code = reader.rest();
    items.iter().map(|item| item.copy(code)).collect()
}

/// What is in the place of `#`.
enum Item {
    Number(usize),
    Words(Vec<TokenTree>),
}

/// An item, or the items of a range.
fn item(reader: &mut Reader, items: &mut Vec<Item>) -> Read<()> {
    let words = reader.until(|rest| is_sign(rest.first(), ',') || is_signs(rest, ":"));
    if words.is_empty() {
        return reader.fault(FORM);
    }
    let mut range = Reader::nested(words.clone(), reader);
    let Some(first) = number(&mut range) else {
        items.push(Item::Words(words));
        return Ok(());
    };
    if range.is_at_end() {
        items.push(Item::Number(first));
        return Ok(());
    }
    let is_range = range.take_signs("..");
    let includes_last = range.take_sign('=');
    match number(&mut range) {
        Some(last) if is_range && range.is_at_end() => {
            let end = last + usize::from(includes_last);
            items.extend((first..end).map(Item::Number));
            Ok(())
        }
        _ => range.fault(FORM),
    }
}

/// The next number, which another macro may have read as a group.
fn number(reader: &mut Reader) -> Option<usize> {
    let literal = match reader.rest().first()? {
        TokenTree::Literal(literal) => literal.to_string(),
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().to_string()
        }
        _ => return None,
    };
    let number = literal.parse().ok()?;
    reader.take();
    Some(number)
}

impl Item {
    /// The code, with the item in the place of `#`.
    fn copy(&self, code: &[TokenTree]) -> Read<TokenStream> {
        let (mut copied, mut at) = (Vec::new(), 0);
        while let Some(token) = code.get(at) {
            at += 1;
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    let (tokens, taken) = self.hole(&code[at..], sign.span())?;
                    copied.extend(tokens);
                    at += taken;
                }
                // What a macro was given has no holes.
                TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                    copied.push(self.group(group)?);
                }
                token => copied.push(token.clone()),
            }
        }
        Ok(copied.into_iter().collect())
    }

    fn group(&self, group: &Group) -> Read<TokenTree> {
        let code = self.copy(&group.stream().into_iter().collect::<Vec<_>>())?;
        let mut copy = Group::new(group.delimiter(), code);
        copy.set_span(group.span());
        Ok(copy.into())
    }

    /// What a `#` becomes, by the tokens after it, and how many of these it takes.
    fn hole(&self, rest: &[TokenTree], place: Span) -> Read<(TokenStream, usize)> {
        match (self, rest.first()) {
            (_, Some(TokenTree::Group(attribute)))
                if attribute.delimiter() == Delimiter::Bracket =>
            {
                let mut sign = proc_macro::Punct::new('#', proc_macro::Spacing::Alone);
                sign.set_span(place);
                Ok((TokenStream::from_iter([sign.into(), self.group(attribute)?]), 1))
            }
            (Self::Words(words), _) => Ok((words.iter().cloned().collect(), 0)),
            (Self::Number(number), Some(TokenTree::Ident(name))) => {
                let name = Ident::new(&format!("{name}{number}"), name.span());
                Ok((TokenTree::from(name).into(), 1))
            }
            (Self::Number(number), Some(TokenTree::Group(code)))
                if code.delimiter() == Delimiter::Parenthesis =>
            {
                repeated(*number, code, &rest[1..])
            }
            (Self::Number(number), _) => {
                let mut literal = Literal::usize_unsuffixed(*number);
                literal.set_span(place);
                Ok((TokenTree::from(literal).into(), 0))
            }
        }
    }
}

/// The code of `#(..),*` for each number below another.
fn repeated(end: usize, code: &Group, after: &[TokenTree]) -> Read<(TokenStream, usize)> {
    let between = match after {
        [star, ..] if is_sign(Some(star), '*') => None,
        [between, star, ..] if is_sign(Some(star), '*') => Some(between),
        _ => return Err(Fault::at(code.span(), "expected `*` after `#(..)`, or a sign and `*`")),
    };
    let code: Vec<_> = code.stream().into_iter().collect();
    let mut copies = TokenStream::new();
    for number in 0..end {
        copies.extend(between.filter(|_| number > 0).cloned());
        copies.extend(Item::Number(number).copy(&code)?);
    }
    Ok((copies, 2 + usize::from(between.is_some())))
}
