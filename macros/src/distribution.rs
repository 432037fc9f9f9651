//! `distribution!`: tile dimensions as products of named factors, and who owns which.
//!
//! ```text
//!   type Rows: m [again 4, row 8] of 31; lane (row), thread (again);
//!
//!   struct Rows;
//!   impl Distribution for Rows { const ENCODING: .. = Encoding::of_parts(Encoding::of_numbers(..), [31], ["m"]); }
//!   const _: () = check_factors::<Rows>("Rows");
//! ```

use crate::reader::{Fault, Head, Parameter, Read, Reader, is_sign, parameters};
use crate::template::{literal, moved_to, words, write};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

const FORM: &str =
    "write `type Name: m [row 32], k [part 2, half 4]; lane (part, row), thread (half);`";
const OWNERS: [&str; 4] = ["repeat", "wave", "lane", "thread"];

struct Distribution {
    head: Head,
    name: Ident,
    parameters: Vec<Parameter>,
    /// Of a row of the library's matrices: the constant that says of which instructions it is an operand, or a function of a
    /// parameter.
    operand: Option<(Ident, Option<TokenStream>)>,
    dimensions: Vec<Dimension>,
    repeat: Vec<Factor>,
    /// The factors of the wave, of the lane and of the thread, slowest first.
    owned: [Vec<Ident>; 3],
}

/// A dimension, or several that are counted as one.
struct Dimension {
    names: Vec<Ident>,
    factors: Vec<Factor>,
    /// The lengths, where the factors only cover them.
    extent: Option<Vec<TokenTree>>,
}

struct Factor {
    name: Ident,
    length: Vec<TokenTree>,
}

/// One distribution.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Distribution::read(reader)?.write(tiledesc))
}

impl Distribution {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "distribution")?;
        if reader.take_word("type").is_none() {
            return reader.fault(format!("distribution!: expected `type`: {FORM}"));
        }
        let name = reader.ident(&format!("distribution!: expected a name after `type`: {FORM}"))?;
        let parameters = parameters(reader, |parameter| {
            (parameter.is_constant || !parameter.bound.is_empty()).then(|| {
                format!("distribution!: the parameters of `{name}` are numbers and have no bounds: write `{name}<M, K>`")
            })
        })?;
        let mut operand = None;
        if reader.take_word("on").is_some() {
            let of = reader.ident("distribution!: expected the operand after `on`")?;
            let with = reader.take_group(Delimiter::Parenthesis).map(|group| group.stream());
            operand = Some((of, with));
        }
        if !reader.take_signs(":") {
            return reader.fault(format!(
                "distribution!: expected `:` and dimensions after `{name}`: {FORM}"
            ));
        }
        let mut dimensions = vec![Dimension::read(reader)?];
        while reader.take_sign(',') && !reader.is_sign(';') {
            dimensions.push(Dimension::read(reader)?);
        }
        if !reader.take_sign(';') {
            return reader.fault(format!(
                "distribution!: expected `,` and a further dimension, or `;` and the owners: {FORM}"
            ));
        }
        let (repeat, owned) = owners(reader)?;
        Ok(Self { head, name, parameters, operand, dimensions, repeat, owned })
    }

    /// The factors and their owners, for its page.
    fn about(&self) -> String {
        let dimensions = self.dimensions.iter().map(Dimension::words).collect::<Vec<_>>();
        let owner = |of: &str, names: &[Ident]| {
            let names = names.iter().map(Ident::to_string).collect::<Vec<_>>();
            (!names.is_empty()).then(|| format!("{of} ({})", names.join(", ")))
        };
        let repeat =
            (!self.repeat.is_empty()).then(|| format!("repeat [{}]", listed(&self.repeat)));
        let owned = ["wave", "lane", "thread"].into_iter().zip(&self.owned);
        let owners = repeat.into_iter().chain(owned.filter_map(|(of, names)| owner(of, names)));
        format!("`{}; {}`", dimensions.join(", "), owners.collect::<Vec<_>>().join(", "))
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let place = self.name.span();
        let holes = self.holes(tiledesc);
        let mut code = self.head.documented(&self.about(), place);
        code.extend(write(
            "#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::default::Default)]",
            place,
            &[],
        ));
        code.extend(moved_to(&self.head.visibility, place));
        code.extend(write(
            "struct #Name<#names>(::core::marker::PhantomData<(#names)>);",
            place,
            &holes,
        ));
        let numbers = "#tiledesc::distribution::Encoding::of_numbers(
            &[#repeat], &[#dimensions], &[#wave], &[#lane], &[#thread],
        )";
        // Over the tile that the factors divide, or over one that they cover.
        let encoding = if self.dimensions.iter().all(Dimension::is_whole) {
            numbers.to_owned()
        } else {
            format!(
                "#tiledesc::distribution::Encoding::of_parts(
                    {numbers}, <(#lengths) as #tiledesc::distribution::Sequences>::LISTS, &[#parts],
                )"
            )
        };
        let operand = match &self.operand {
            None => "",
            Some((_, None)) => "&#of",
            Some((_, Some(_))) => "&#of(<#with as #tiledesc::Number>::N)",
        };
        let operand = match operand {
            "" => String::new(),
            operand => format!(
                "const OPERAND_OF: ::core::option::Option<&'static #tiledesc::distribution::OperandOf> =
                    ::core::option::Option::Some({operand});"
            ),
        };
        // Where it is refused, it is refused once.
        let elements = match self.parameters.is_empty() {
            true => {
                "const ELEMENTS: usize = #tiledesc::distribution::elements_of(&Self::ENCODING);"
            }
            false => "",
        };
        code.extend(write(
            &format!(
                "impl<#bounded> #tiledesc::distribution::Distribution for #Name<#names> {{
                    const ENCODING: ::core::result::Result<
                        #tiledesc::distribution::Encoding, #tiledesc::distribution::DistributionError,
                    > = {encoding};
                    {elements}
                    {operand}
                }}"
            ),
            Span::mixed_site(),
            &holes,
        ));
        // One with parameters is checked where it is used.
        if self.parameters.is_empty() {
            code.extend(write(
                "const _: () = #tiledesc::distribution::check_factors::<#Name>(#name);",
                place,
                &holes,
            ));
        }
        code
    }

    fn holes(&self, tiledesc: &TokenStream) -> Vec<(&'static str, TokenStream)> {
        let owned = |of: usize| -> TokenStream {
            self.owned[of].iter().flat_map(|factor| comma(literal(&factor.to_string()))).collect()
        };
        let dimensions = self.dimensions.iter().map(|dimension| {
            write(
                "(#name, &[#factors]),",
                Span::mixed_site(),
                &[
                    ("name", literal(&dimension.name())),
                    ("factors", factors(tiledesc, &dimension.factors)),
                ],
            )
        });
        let parts = self.dimensions.iter().map(|dimension| {
            let names = dimension.names.iter().flat_map(|name| comma(literal(&name.to_string())));
            write("&[#names],", Span::mixed_site(), &[("names", names.collect())])
        });
        let lengths = self.dimensions.iter().map(|dimension| dimension.lengths(tiledesc));
        let mut holes = vec![
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("name", literal(&self.name.to_string())),
            ("names", Parameter::names(&self.parameters)),
            ("bounded", Parameter::of_numbers(&self.parameters, tiledesc)),
            ("repeat", factors(tiledesc, &self.repeat)),
            ("dimensions", dimensions.collect()),
            ("parts", parts.collect()),
            ("lengths", lengths.collect()),
            ("wave", owned(0)),
            ("lane", owned(1)),
            ("thread", owned(2)),
        ];
        if let Some((of, with)) = &self.operand {
            holes.push(("of", TokenTree::from(of.clone()).into()));
            holes.push(("with", with.clone().unwrap_or_default()));
        }
        holes
    }
}

impl Dimension {
    /// `m [again 4, row 8] of 31`, or several: `(m, k) [wave 4, lane 64] of (22, 40)`.
    fn read(reader: &mut Reader) -> Read<Self> {
        let names = match reader.take_group(Delimiter::Parenthesis) {
            Some(group) => names(&group, "a dimension")?,
            None => vec![
                reader
                    .ident(&format!("distribution!: expected the name of a dimension: {FORM}"))?,
            ],
        };
        let Some(group) = reader.take_group(Delimiter::Bracket) else {
            return reader
                .fault(format!("distribution!: expected the factors in brackets: {FORM}"));
        };
        let factors = Factor::list(&group)?;
        let extent = match reader.take_word("of") {
            None => None,
            Some(word) => {
                let extent =
                    reader.until(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), ';'));
                if extent.is_empty() {
                    return Err(Fault::at(
                        word.span(),
                        "distribution!: expected a length after `of`",
                    ));
                }
                Some(extent)
            }
        };
        Ok(Self { names, factors, extent })
    }

    /// As it is declared, for a page.
    fn words(&self) -> String {
        let of = self.extent.iter().map(|extent| format!(" of {}", words(extent)));
        format!("{} [{}]{}", self.name(), listed(&self.factors), of.collect::<String>())
    }

    fn is_whole(&self) -> bool {
        self.names.len() == 1 && self.extent.is_none()
    }

    /// What the factors count: a dimension, or several as one number.
    fn name(&self) -> String {
        let names = self.names.iter().map(Ident::to_string).collect::<Vec<_>>().join(", ");
        if self.names.len() == 1 { names } else { format!("({names})") }
    }

    /// The lengths as a sequence, empty where the factors divide the tile.
    fn lengths(&self, tiledesc: &TokenStream) -> TokenStream {
        let lengths = match self.extent.as_deref() {
            None => TokenStream::new(),
            Some([TokenTree::Group(group)]) if group.delimiter() == Delimiter::Parenthesis => {
                group.stream()
            }
            Some(length) => length.iter().cloned().collect(),
        };
        let holes = [("tiledesc", tiledesc.clone()), ("lengths", lengths)];
        write("#tiledesc::seq![#lengths],", Span::mixed_site(), &holes)
    }
}

/// Factors with their lengths, for a page.
fn listed(factors: &[Factor]) -> String {
    let factors = factors.iter().map(|factor| format!("{} {}", factor.name, words(&factor.length)));
    factors.collect::<Vec<_>>().join(", ")
}

impl Factor {
    /// `[wave 4, row (M / 4)]`
    fn list(group: &Group) -> Read<Vec<Self>> {
        let mut reader = Reader::within(group);
        let mut factors = Vec::new();
        while !reader.is_at_end() {
            let name = reader.ident("distribution!: expected a factor and its length: `row 16`")?;
            let length = reader.until(|rest| is_sign(rest.first(), ','));
            if length.is_empty() {
                return Err(Fault::at(
                    name.span(),
                    format!(
                        "distribution!: expected a length after the factor `{name}`: `{name} 16`"
                    ),
                ));
            }
            reader.take_sign(',');
            factors.push(Self { name, length });
        }
        Ok(factors)
    }
}

/// Factors with their lengths, which are numbers, parameters, types of numbers, or arithmetic.
fn factors(tiledesc: &TokenStream, factors: &[Factor]) -> TokenStream {
    let made = factors.iter().map(|factor| {
        let is_type = factor.length.iter().any(|token| is_sign(Some(token), '<'));
        let length = if is_type { "#length" } else { "#tiledesc::number!(#length)" };
        write(
            &format!("(#name, <{length} as #tiledesc::Length>::KNOWN),"),
            Span::mixed_site(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("name", literal(&factor.name.to_string())),
                ("length", factor.length.iter().cloned().collect()),
            ],
        )
    });
    made.collect()
}

/// `repeat [copy 2], wave (..), lane (..), thread (..);`, each only if it owns something.
fn owners(reader: &mut Reader) -> Read<(Vec<Factor>, [Vec<Ident>; 3])> {
    const ORDER: &str =
        "owners in the order repeat [copy 2], wave (wave), lane (part, row), thread (half)";
    let (mut repeat, mut owned, mut next) = (Vec::new(), [const { Vec::new() }; 3], 0);
    while !reader.take_sign(';') {
        let Some(i) = OWNERS.iter().position(|owner| reader.is_word(owner)) else {
            return reader.fault(format!("distribution!: expected an owner, or `;`: {ORDER}"));
        };
        if i < next {
            return reader.fault(format!(
                "distribution!: `{}` stands after `{}`: {ORDER}",
                OWNERS[i],
                OWNERS[next - 1]
            ));
        }
        let owner = reader.ident(ORDER)?;
        let delimiter = if i == 0 { Delimiter::Bracket } else { Delimiter::Parenthesis };
        let Some(group) = reader.take_group(delimiter) else {
            let form =
                if i == 0 { "`repeat [copy 2]`".to_owned() } else { format!("`{owner} (row)`") };
            return reader
                .fault(format!("distribution!: expected the factors of `{owner}`: write {form}"));
        };
        match i {
            0 => repeat = Factor::list(&group)?,
            i => owned[i - 1] = names(&group, "a factor")?,
        }
        reader.take_sign(',');
        next = i + 1;
    }
    Ok((repeat, owned))
}

fn names(group: &Group, what: &str) -> Read<Vec<Ident>> {
    let mut reader = Reader::within(group);
    let mut names = Vec::new();
    while !reader.is_at_end() {
        names.push(reader.ident(&format!("distribution!: expected the name of {what}"))?);
        if !reader.is_at_end() && !reader.take_sign(',') {
            return reader.fault("distribution!: expected `,`");
        }
    }
    Ok(names)
}

fn comma(code: TokenStream) -> TokenStream {
    code.into_iter().chain(write(",", Span::mixed_site(), &[])).collect()
}
