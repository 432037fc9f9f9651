//! `product!`: two tiles in registers, and the matrix instruction that multiplies them.
//!
//! ```text
//!   type Scores = ReadA x ReadB by v_mfma_f32_32x32x8_f16 on gfx942;
//!
//!   struct Scores;
//!   impl Product for Scores { type A = ReadA; type B = ReadB; const BY: .. = By::named("gfx942", "v_mfma_f32_32x32x8_f16", false); }
//!   impl Distribution for Scores { .. }      of the result
//!   const _: () = check::<Scores>("Scores");
//! ```

use crate::reader::{Fault, Head, Parameter, Read, Reader, is_sign, is_word, parameters};
use crate::template::{literal, moved_to, words, write};
use proc_macro::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};

const FORM: &str = "write `type Scores = ReadA x ReadB by v_mfma_f32_32x32x8_f16 on gfx942;`, or `by 32x32x8 of F16 on C;`";

struct Product {
    head: Head,
    name: Ident,
    parameters: Vec<Parameter>,
    factors: [Vec<TokenTree>; 2],
    by: By,
    /// Where the instruction stands.
    place: Span,
    is_swapped: bool,
    chip: Ident,
}

/// The instruction.
enum By {
    /// By its name, without the words that all of its kind have.
    Name(String),
    /// `32x32x8 of F16`, `[R, R, Lit<8>] of T`: M, N and K, and the elements of A and B.
    Shape([Vec<TokenTree>; 3], Vec<TokenTree>),
}

/// One product.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Product::read(reader)?.write(tiledesc))
}

impl Product {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "product")?;
        if reader.take_word("type").is_none() {
            return reader.fault(format!("product!: expected `type`: {FORM}"));
        }
        let name = reader.ident(&format!("product!: expected a name after `type`: {FORM}"))?;
        let parameters = parameters(reader, |parameter| {
            parameter.bound.is_empty().then(|| {
                format!(
                    "product!: cannot parse the parameters of `{name}`: each has one bound, `type {name}<C: Target, M: Number> = ..`"
                )
            })
        })?;
        if !reader.take_sign('=') {
            return reader.fault(format!("product!: expected `=`: {FORM}"));
        }
        let first = factor(reader, "x")?;
        let second = factor(reader, "by")?;
        let place = reader.rest().first().map_or_else(Span::call_site, TokenTree::span);
        let by = By::read(reader)?;
        let is_swapped = reader.take_word("swapped").is_some();
        if reader.take_word("on").is_none() {
            return reader.fault(format!("product!: expected `on` and a chip: {FORM}"));
        }
        let chip = reader.ident(&format!("product!: expected a chip after `on`: {FORM}"))?;
        if !reader.is_at_end() && !reader.take_sign(';') {
            return reader.fault(format!("product!: expected `;`: {FORM}"));
        }
        Ok(Self { head, name, parameters, factors: [first, second], by, place, is_swapped, chip })
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let holes = self.holes(tiledesc);
        let mut code = self.head.documented(&self.about(), self.name.span());
        code.extend(write(
            "#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::default::Default)]",
            self.name.span(),
            &holes,
        ));
        code.extend(moved_to(&self.head.visibility, self.name.span()));
        code.extend(write(
            "struct #Name<#declared>(::core::marker::PhantomData<(#types)>);",
            self.name.span(),
            &holes,
        ));
        code.extend(write(
            "impl<#bounded> #tiledesc::warp_gemm::Product for #Name<#names> {
                type A = #A;
                type B = #B;
                const BY: ::core::result::Result<
                    #tiledesc::warp_gemm::product::By, #tiledesc::distribution::DistributionError,
                > = #by;
            }
            impl<#bounded> #tiledesc::distribution::Distribution for #Name<#names> {
                const ENCODING: ::core::result::Result<
                    #tiledesc::distribution::Encoding, #tiledesc::distribution::DistributionError,
                > = #tiledesc::warp_gemm::product::encoding::<Self>();
                const OPERAND_OF: ::core::option::Option<&'static #tiledesc::distribution::OperandOf> =
                    #tiledesc::warp_gemm::product::operand_of::<Self>().as_ref();
            }",
            Span::mixed_site(),
            &holes,
        ));
        // One with parameters is checked where it is used.
        if self.parameters.is_empty() {
            code.extend(write(
                "const _: () = #tiledesc::warp_gemm::product::check::<#Name>(#name);",
                self.place,
                &holes,
            ));
        }
        code
    }

    /// What it is, for its page.
    fn about(&self) -> String {
        let [a, b] = [0, 1].map(|factor: usize| words(&self.factors[factor]));
        format!(
            "`{a} x {b} by {}` on {}: who holds the result, and the registers of each instruction.",
            self.by.words(),
            self.chip
        )
    }

    fn holes(&self, tiledesc: &TokenStream) -> Vec<(&'static str, TokenStream)> {
        let [first, second] = &self.factors;
        let mut holes = vec![
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("name", literal(&self.name.to_string())),
            ("names", Parameter::names(&self.parameters)),
            ("types", Parameter::types(&self.parameters)),
            ("declared", Parameter::declared(&self.parameters)),
            ("bounded", Parameter::bounded(&self.parameters)),
            ("A", first.iter().cloned().collect()),
            ("B", second.iter().cloned().collect()),
        ];
        holes.push(("by", self.instruction(tiledesc)));
        holes
    }

    /// The instruction as the library's question.
    fn instruction(&self, tiledesc: &TokenStream) -> TokenStream {
        let is_swapped = if self.is_swapped { "true" } else { "false" };
        let mut holes = vec![
            ("tiledesc", tiledesc.clone()),
            ("chip", TokenTree::from(self.chip.clone()).into()),
        ];
        let chip = write(
            "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@name #chip)] }",
            self.chip.span(),
            &holes,
        );
        holes.push(("named", chip));
        let code = match &self.by {
            By::Name(name) => {
                holes.push(("name", literal(name)));
                "named(#named, #name,"
            }
            By::Shape(shape, element) => {
                let numbers = shape.iter().map(|length| length_of(tiledesc, length));
                holes.push(("shape", numbers.collect()));
                holes.push(("Element", element.iter().cloned().collect()));
                "shaped::<#Element>(#named, [#shape],"
            }
        };
        write(
            &format!("#tiledesc::warp_gemm::product::By::{code} {is_swapped})"),
            Span::mixed_site(),
            &holes,
        )
    }
}

/// The type before a word, which is taken too.
fn factor(reader: &mut Reader, word: &str) -> Read<Vec<TokenTree>> {
    let ends = |rest: &[TokenTree]| {
        is_word(rest.first(), word) || is_word(rest.first(), "on") || is_sign(rest.first(), ';')
    };
    let factor = reader.until(ends);
    if factor.is_empty() {
        return reader.fault(format!(
            "product!: expected what lanes hold of a factor, a distribution or a name of `access!`: {FORM}"
        ));
    }
    if reader.take_word(word).is_none() {
        return reader
            .fault(format!("product!: expected `{word}` after `{}`: {FORM}", words(&factor)));
    }
    Ok(factor)
}

/// A number as the library's macros have it: a literal, a type, or arithmetic.
fn length_of(tiledesc: &TokenStream, length: &[TokenTree]) -> TokenStream {
    let is_type = length.iter().any(|token| is_sign(Some(token), '<'));
    let number = if is_type { "#length" } else { "#tiledesc::number!(#length)" };
    let holes = [("tiledesc", tiledesc.clone()), ("length", length.iter().cloned().collect())];
    write(&format!("<{number} as #tiledesc::Length>::KNOWN,"), Span::mixed_site(), &holes)
}

impl By {
    fn read(reader: &mut Reader) -> Read<Self> {
        match reader.rest().first() {
            Some(TokenTree::Literal(_)) => Self::of_shape(reader),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                Self::of_shape(reader)
            }
            _ => Self::of_name(reader),
        }
    }

    /// `32x32x8 of F16`, or `[Lit<R>, Lit<R>, U8] of T`.
    fn of_shape(reader: &mut Reader) -> Read<Self> {
        let place = reader.rest().to_vec();
        let parts = match reader.take() {
            Some(TokenTree::Group(group)) => numbers(&mut Reader::within(&group)),
            Some(shape) => split(&shape),
            None => Vec::new(),
        };
        let text = words(&place[..1]);
        let Ok(shape) = <[Vec<TokenTree>; 3]>::try_from(parts) else {
            return Err(Fault::new(
                &place[..1],
                format!("product!: `{text}` is not a shape, M x N x K: {FORM}"),
            ));
        };
        if reader.take_word("of").is_none() {
            return reader.fault(format!(
                "product!: expected `of` and the elements of A and B: write `by {text} of F16`"
            ));
        }
        let element = reader.until(ends);
        if element.is_empty() {
            return reader.fault(format!(
                "product!: expected the elements of A and B after `of`: write `by {text} of F16`"
            ));
        }
        Ok(Self::Shape(shape, element))
    }

    /// `v_mfma_f32_32x32x8_f16`, `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`
    fn of_name(reader: &mut Reader) -> Read<Self> {
        let name = reader.until(ends);
        if name.is_empty() {
            return reader
                .fault(format!("product!: expected a matrix instruction after `by`: {FORM}"));
        }
        // What all instructions of their kind have.
        let said = |part: &&str| !matches!(*part, "sync" | "aligned" | "row" | "col");
        Ok(Self::Name(words(&name).split('.').filter(said).collect::<Vec<_>>().join(".")))
    }

    fn words(&self) -> String {
        match self {
            Self::Name(name) => name.clone(),
            Self::Shape(shape, element) => {
                let [m, n, k] = shape.each_ref().map(|length| words(length));
                format!("{m} x {n} x {k} of {}", words(element))
            }
        }
    }
}

fn ends(rest: &[TokenTree]) -> bool {
    is_word(rest.first(), "swapped") || is_word(rest.first(), "on") || is_sign(rest.first(), ';')
}

/// The numbers between commas.
fn numbers(reader: &mut Reader) -> Vec<Vec<TokenTree>> {
    let mut all = Vec::new();
    while !reader.is_at_end() {
        all.push(reader.until(|rest| is_sign(rest.first(), ',')));
        reader.take_sign(',');
    }
    all
}

/// The numbers of `32x32x8`, which is a literal with a suffix.
fn split(shape: &TokenTree) -> Vec<Vec<TokenTree>> {
    let text = shape.to_string();
    let one = |length: &str| -> Option<Vec<TokenTree>> {
        let mut number = Literal::usize_unsuffixed(length.parse().ok()?);
        number.set_span(shape.span());
        Some(vec![number.into()])
    };
    text.split('x').map(one).collect::<Option<_>>().unwrap_or_default()
}
