//! `#[derive(Phantom)]`, of the library alone: the traits of a type that only carries its parameters.
//!
//! ```text
//!   #[derive(Phantom)]                          Clone, Copy and Default for all T and N; Debug prints `Buffered`
//!   struct Buffered<T, N>(PhantomData<(T, N)>);
//! ```
//!
//! The derives of the standard library would demand each trait of the parameters, too, and a chip or a pattern need not have any.

use crate::reader::{Read, Reader, is_sign, is_word};
use crate::template::{literal, write};
use proc_macro::{TokenStream, TokenTree};

/// One struct, behind its attributes and its visibility.
pub(crate) fn expand(reader: &mut Reader) -> Read<TokenStream> {
    while reader.take_word("struct").is_none() {
        if reader.take().is_none() {
            return reader.fault("expected a struct");
        }
    }
    let name = reader.ident("expected the name of the struct")?;
    let (declared, named) = parameters(reader)?;
    let code = "
        impl<#declared> ::core::clone::Clone for #Name<#named> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<#declared> ::core::marker::Copy for #Name<#named> {}
        impl<#declared> ::core::default::Default for #Name<#named> {
            fn default() -> Self {
                Self(::core::marker::PhantomData)
            }
        }
        impl<#declared> ::core::fmt::Debug for #Name<#named> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(#text)
            }
        }";
    let text = literal(&name.to_string());
    let (place, name) = (name.span(), TokenTree::from(name).into());
    let holes = [("declared", declared), ("named", named), ("Name", name), ("text", text)];
    Ok(write(code, place, &holes))
}

/// `T, const N: usize` and `T, N`, without defaults.
fn parameters(reader: &mut Reader) -> Read<(TokenStream, TokenStream)> {
    let (mut declared, mut named) = (TokenStream::new(), TokenStream::new());
    let ends = |rest: &[TokenTree]| is_sign(rest.first(), ',') || is_sign(rest.first(), '>');
    if !reader.take_sign('<') {
        return reader.fault("expected the parameters that the struct carries");
    }
    while !reader.take_sign('>') {
        let parameter = reader.until(|rest| ends(rest) || is_sign(rest.first(), '='));
        reader.until(ends);
        reader.take_sign(',');
        let is_constant = is_word(parameter.first(), "const");
        let name = parameter.get(usize::from(is_constant)).cloned();
        let comma = write(",", proc_macro::Span::mixed_site(), &[]);
        declared.extend(parameter.into_iter().chain(comma.clone()));
        named.extend(name.into_iter().chain(comma));
    }
    Ok((declared, named))
}
