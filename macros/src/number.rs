//! Numbers and lists of them: `number!`, `seq!`, `lower!`.
//!
//! ```text
//!   K / P * L + 1    ->    Add<Mul<Div<K, P>, L>, Lit<1>>
//!   [8, K / 8]       ->    (Lit<8>, Div<K, Lit<8>>,)
//! ```

use crate::reader::{Fault, Read, Reader, is_sign};
use crate::template::write;
use proc_macro::{Delimiter, Literal, Span, TokenStream, TokenTree};

const FORM: &str = "a number is a literal, a name, or these with + - * / and ( )";

/// A number, to the end of the reader's tokens.
pub(crate) fn number(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut sum = product(transforms, reader)?;
    while !reader.is_at_end() {
        let operator = match () {
            () if reader.take_sign('+') => "Add",
            () if reader.take_sign('-') => "Sub",
            () => return reader.fault(FORM),
        };
        let other = product(transforms, reader)?;
        sum = joined(transforms, operator, sum, other);
    }
    Ok(sum)
}

fn product(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut product = operand(transforms, reader)?;
    loop {
        let operator = match () {
            () if reader.take_sign('*') => "Mul",
            () if reader.take_sign('/') => "Div",
            () if reader.take_word("div").is_some() => "Quotient",
            () => return Ok(product),
        };
        let other = operand(transforms, reader)?;
        product = joined(transforms, operator, product, other);
    }
}

/// A literal, a number in parentheses, or a type by its name: `K`, `M<128>`, `sizes::Rows`.
fn operand(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    match reader.rest().first() {
        Some(TokenTree::Literal(number)) => {
            let number = integer(number)?;
            reader.take();
            Ok(lit(transforms, number))
        }
        // What another macro has read as one comes without parentheses.
        Some(TokenTree::Group(group))
            if matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::None) =>
        {
            let mut inner = Reader::within(group);
            reader.take();
            number_or_type(transforms, &mut inner)
        }
        Some(TokenTree::Ident(_)) => named(reader),
        _ => reader.fault(FORM),
    }
}

fn number_or_type(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let all = reader.rest().to_vec();
    // A qualified path, or one from the root, is a type.
    match is_sign(all.first(), '<') || is_sign(all.first(), ':') {
        true => Ok(all.into_iter().collect()),
        false => number(transforms, reader),
    }
}

/// A path of names, each with its arguments.
fn named(reader: &mut Reader) -> Read<TokenStream> {
    let mut path = reader.path(FORM)?;
    while reader.is_sign('<') {
        path.extend(reader.take());
        path.extend(reader.until(|rest| is_sign(rest.first(), '>')));
        path.extend(reader.take());
        while reader.is_signs("::") {
            path.extend([reader.take(), reader.take()].into_iter().flatten());
            path.push(reader.ident(FORM)?.into());
        }
    }
    Ok(path.into_iter().collect())
}

/// An integer without its suffix: a number is a `usize`.
fn integer(number: &Literal) -> Read<Literal> {
    const SUFFIXES: [&str; 10] =
        ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
    let text = number.to_string();
    let bare = SUFFIXES.iter().find_map(|suffix| text.strip_suffix(suffix)).unwrap_or(&text);
    let is_integer = bare.starts_with(|first: char| first.is_ascii_digit())
        && (bare.starts_with("0x") || !bare.contains(['.', 'e', 'E']));
    match bare.parse::<Literal>() {
        Ok(mut bare) if is_integer => {
            bare.set_span(number.span());
            Ok(bare)
        }
        _ => Err(Fault::at(number.span(), FORM)),
    }
}

fn lit(transforms: &TokenStream, number: Literal) -> TokenStream {
    let holes = [("transforms", transforms.clone()), ("number", TokenTree::from(number).into())];
    // A path, so that it is a value too.
    write("#transforms::Lit::<#number>", Span::mixed_site(), &holes)
}

fn joined(transforms: &TokenStream, operator: &str, a: TokenStream, b: TokenStream) -> TokenStream {
    let code = format!("#transforms::{operator}<#a, #b>");
    write(&code, Span::mixed_site(), &[("transforms", transforms.clone()), ("a", a), ("b", b)])
}

/// Numbers between commas, to the end: a tuple.
pub(crate) fn sequence(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut numbers = TokenStream::new();
    while !reader.is_at_end() {
        numbers.extend(item(transforms, reader)?);
        numbers.extend(write(",", Span::mixed_site(), &[]));
    }
    Ok(write("(#numbers)", Span::mixed_site(), &[("numbers", numbers)]))
}

/// The number before the next comma, which is taken too.
pub(crate) fn item(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut tokens = Reader::nested(reader.until(|rest| is_sign(rest.first(), ',')), reader);
    reader.take_sign(',');
    number(transforms, &mut tokens)
}

/// `[0, 2], [1]`: for each transform the dimensions that it takes or gives.
pub(crate) fn wiring(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut lists = TokenStream::new();
    while !reader.is_at_end() {
        let Some(list) = reader.take_group(Delimiter::Bracket) else {
            return reader.fault("expected the dimensions of a transform: `[0, 1]`");
        };
        lists.extend(ids(transforms, &mut Reader::within(&list))?);
        lists.extend(write(",", Span::mixed_site(), &[]));
        if !reader.is_at_end() && !reader.take_sign(',') {
            return reader.fault("expected `,`");
        }
    }
    Ok(write("(#lists)", Span::mixed_site(), &[("lists", lists)]))
}

/// The numbers of dimensions, to the end.
pub(crate) fn ids(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let mut ids = TokenStream::new();
    while !reader.is_at_end() {
        while let Some(read) = reader.take_group(Delimiter::None) {
            *reader = Reader::nested(
                read.stream().into_iter().chain(reader.rest().to_vec()).collect(),
                reader,
            );
        }
        let Some(TokenTree::Literal(id)) = reader.rest().first() else {
            return reader.fault("expected the number of a dimension: `0`");
        };
        let id = integer(id)?;
        reader.take();
        ids.extend(lit(transforms, id));
        ids.extend(write(",", Span::mixed_site(), &[]));
        if !reader.is_at_end() && !reader.take_sign(',') {
            return reader.fault("expected `,`");
        }
    }
    Ok(write("(#ids)", Span::mixed_site(), &[("ids", ids)]))
}
