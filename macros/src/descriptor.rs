//! `descriptor!`: a base, then transforms in stages, as a type.
//!
//! ```text
//!   type Rows<M>: packed [M, 64]; xor[M, 64] (0, 1) -> (0, 1);
//!
//!   type Rows<M> = Transformed<Packed<(M, Lit<64>)>, (Xor<M, Lit<64>>,), ((Lit<0>, Lit<1>),), ((Lit<0>, Lit<1>),)>;
//!   const fn Rows(numbers: [u32; 1]) -> Result<Plan, Error> { .. }
//! ```

use crate::number::{ids, item, sequence};
use crate::reader::{Fault, Head, Parameter, Read, Reader, is_sign, parameters};
use crate::template::{literal, moved_to, number as literal_number, words, write};
use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

const BASES: &str = "write `naive [8, 16] strides [16, 1];`, `packed [8, 16];`, `aligned [8, 16] to 32;` or `over Type;`";
const FORM: &str = "write `type Name: packed [8, 16]; xor[8, 16] (0, 1) -> (0, 1);`";

/// A transform: its names, its type, and how its numbers are written.
struct Row {
    names: &'static [&'static str],
    kind: &'static str,
    numbers: Numbers,
    form: &'static str,
}

#[derive(PartialEq)]
enum Numbers {
    /// So many.
    Of(usize),
    /// So many, with or without `unchecked` behind them.
    Checked(usize),
    /// Any, as one sequence.
    List,
    /// A sequence, and `strides`.
    Strided,
    /// So many, and a list of this name.
    With(usize, &'static str),
    /// A type.
    Type,
}

const fn row(
    names: &'static [&'static str],
    kind: &'static str,
    numbers: Numbers,
    form: &'static str,
) -> Row {
    Row { names, kind, numbers, form }
}

const TRANSFORMS: &[Row] = &[
    row(&["pass", "pass_through"], "PassThrough", Numbers::Of(1), "pass[n]"),
    row(&["merge"], "Merge", Numbers::List, "merge[n, n, ..]"),
    row(&["unmerge"], "Unmerge", Numbers::List, "unmerge[n, n, ..]"),
    row(&["xor"], "Xor", Numbers::Of(2), "xor[n, n]"),
    row(&["embed"], "Embed", Numbers::Strided, "embed[..] strides [..]"),
    row(&["pad"], "Pad", Numbers::Checked(3), "pad[low, left, right]"),
    row(&["left_pad"], "LeftPad", Numbers::Checked(2), "left_pad[low, left]"),
    row(&["right_pad"], "RightPad", Numbers::Checked(2), "right_pad[low, right]"),
    row(&["slice"], "Slice", Numbers::Of(3), "slice[low, begin, end]"),
    row(&["offset"], "Offset", Numbers::Of(2), "offset[length, offset]"),
    row(&["modulo"], "Modulo", Numbers::Of(2), "modulo[modulus, length]"),
    row(&["freeze"], "Freeze", Numbers::Of(1), "freeze[index]"),
    row(&["insert"], "Insert", Numbers::Of(1), "insert[n]"),
    row(&["replicate"], "Replicate", Numbers::List, "replicate[..]"),
    row(&["indexing"], "Indexing", Numbers::Of(2), "indexing[length, cached]"),
    row(&["xor_bits"], "XorBits", Numbers::With(2, "masks"), "xor_bits[n, n] masks [3, 2]"),
    row(
        &["linear_bits"],
        "LinearBits",
        Numbers::With(1, "columns"),
        "linear_bits[n] columns [1, 6, 4]",
    ),
    row(&["cyclic_shift"], "CyclicShift", Numbers::Of(2), "cyclic_shift[n, n]"),
    row(
        &["inverse_cyclic_shift"],
        "InverseCyclicShift",
        Numbers::Of(2),
        "inverse_cyclic_shift[n, n]",
    ),
    row(&["functor"], "Functor", Numbers::Type, "functor[F]"),
];

/// One descriptor.
pub(crate) fn expand(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let head = Head::read(reader, "descriptor")?;
    if reader.take_word("type").is_none() {
        return reader.fault(format!("descriptor!: expected `type`: {FORM}"));
    }
    let name = reader.ident(&format!("descriptor!: expected a name after `type`: {FORM}"))?;
    let parameters = parameters(reader, |parameter| {
        (parameter.is_constant || !parameter.bound.is_empty()).then(|| {
            format!("descriptor!: the parameters of `{name}` are numbers and have no bounds: write `{name}<M, K>`")
        })
    })?;
    if !reader.take_signs(":") {
        return reader
            .fault(format!("descriptor!: expected `:` and a base after `{name}`: {FORM}"));
    }
    let all = reader.rest().to_vec();
    let mut composed = base(transforms, reader)?;
    while !begins_declaration(reader) {
        composed = stage(transforms, reader, composed)?;
    }
    let stages = words(&all[..all.len() - reader.rest().len()]);
    let about = format!("`{}`", stages.trim_end_matches(';'));
    Ok(item_of(transforms, &head, &name, &parameters, &about, composed))
}

/// Returns whether the next descriptor begins, or none is left.
fn begins_declaration(reader: &Reader) -> bool {
    let is_group = matches!(reader.rest().first(), Some(TokenTree::Group(_)));
    reader.is_at_end()
        || is_group
        || reader.is_sign('#')
        || reader.is_word("pub")
        || reader.is_word("type")
}

/// The type, and a function of numbers that only the run time knows.
fn item_of(
    transforms: &TokenStream,
    head: &Head,
    name: &Ident,
    parameters: &[Parameter],
    stages: &str,
    composed: TokenStream,
) -> TokenStream {
    let place = name.span();
    let names = parameters.iter().map(|parameter| parameter.name.to_string()).collect::<Vec<_>>();
    let listed = names.iter().map(|name| format!("{name:?},")).collect::<String>();
    let known =
        (0..names.len()).map(|i| format!("#transforms::Parameter<{i}>,")).collect::<String>();
    let order = names.iter().map(|name| format!(" `{name}`")).collect::<String>();
    let about = format!("The plan of numbers that only the run time knows, in this order:{order};");
    let same = format!("the same as [`{name}`](type@{name}) of them.");
    let holes = [
        ("transforms", transforms.clone()),
        ("Name", TokenTree::from(name.clone()).into()),
        ("names", Parameter::names(parameters)),
        ("composed", composed),
        ("about", literal(&about)),
        ("same", literal(&same)),
        ("count", literal_number(names.len())),
    ];
    let visibility = moved_to(&head.visibility, place);
    let mut code = head.documented(stages, place);
    code.extend(visibility.clone());
    let alias = if names.is_empty() {
        "type #Name = #composed;"
    } else {
        "type #Name<#names> = #composed;"
    };
    code.extend(write(alias, place, &holes));
    if names.is_empty() || names.len() > 12 {
        return code;
    }
    code.extend(head.attributes.iter().cloned());
    code.extend(write(
        "#[doc = \"\"]
        #[doc = #about]
        #[doc = #same]
        #[doc = \"\"]
        #[doc = \"# Errors\"]
        #[doc = \"\"]
        #[doc = \"What is wrong with the composition.\"]
        #[allow(non_snake_case, dead_code)]",
        place,
        &holes,
    ));
    code.extend(visibility);
    code.extend(write(
        &format!(
            "const fn #Name(
                numbers: [u32; #count],
            ) -> ::core::result::Result<#transforms::Plan, #transforms::Error>
            where
                for<'a> #Name<{known}>: #transforms::OfNumbers<'a>,
            {{
                let form = <#Name<{known}> as #transforms::OfNumbers<'_>>::FORM;
                form.plan_of(numbers, [{listed}])
            }}"
        ),
        place,
        &holes,
    ));
    code
}

/// The base, with its `;`.
fn base(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let Some(word) = reader.take_ident() else {
        return reader.fault(format!("descriptor!: expected a base: {BASES}"));
    };
    let kind = word.to_string();
    if kind == "over" {
        let base = reader.until(|rest| is_sign(rest.first(), ';'));
        end_of_base(reader, &kind)?;
        return Ok(base.into_iter().collect());
    }
    if !["naive", "packed", "aligned"].contains(&kind.as_str()) {
        return Err(Fault::at(
            word.span(),
            format!("descriptor!: `{kind}` is not a base, with which a descriptor begins: {BASES}"),
        ));
    }
    let lengths = list(
        transforms,
        reader,
        &format!("descriptor!: expected the lengths after `{kind}`: {BASES}"),
    )?;
    let mut holes = vec![("transforms", transforms.clone()), ("lengths", lengths)];
    let mut code = match kind.as_str() {
        "naive" => "Naive<#lengths, #strides",
        "packed" => "Packed<#lengths",
        _ => "Aligned<#lengths, #to",
    }
    .to_owned();
    if kind == "naive" {
        if reader.take_word("strides").is_none() {
            return reader.fault(
                "naive: strides are missing: `naive [8, 16] strides [16, 1]`; `packed [8, 16]` computes them",
            );
        }
        holes.push((
            "strides",
            list(transforms, reader, "descriptor!: expected the strides: `strides [16, 1]`")?,
        ));
    }
    if kind == "aligned" {
        if reader.take_word("to").is_none() {
            return reader
                .fault("descriptor!: expected `to` and a number: write `aligned [8, 16] to 32;`");
        }
        holes.push(("to", until_semicolon(transforms, reader)?));
    } else if reader.take_word("offset").is_some() {
        code = code.replacen('<', "WithOffset<", 1) + ", #offset";
        holes.push(("offset", until_semicolon(transforms, reader)?));
    }
    end_of_base(reader, &kind)?;
    Ok(write(&format!("#transforms::{code}>"), Span::mixed_site(), &holes))
}

fn end_of_base(reader: &mut Reader, kind: &str) -> Read<()> {
    if reader.take_sign(';') {
        return Ok(());
    }
    reader.fault(match reader.is_sign(',') {
        true => format!("descriptor!: `{kind} [..]` ends with a `,`: write `;`"),
        false => format!("descriptor!: a `;` is missing after the base `{kind}`"),
    })
}

/// A number up to the `;`.
fn until_semicolon(transforms: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    let tokens = reader.until(|rest| is_sign(rest.first(), ';'));
    crate::number::number(transforms, &mut Reader::nested(tokens, reader))
}

/// Numbers in brackets.
fn list(transforms: &TokenStream, reader: &mut Reader, expected: &str) -> Read<TokenStream> {
    match reader.take_group(Delimiter::Bracket) {
        Some(group) => sequence(transforms, &mut Reader::within(&group)),
        None => reader.fault(expected),
    }
}

/// A stage, with its `;`.
fn stage(transforms: &TokenStream, reader: &mut Reader, below: TokenStream) -> Read<TokenStream> {
    let (mut made, mut lower, mut upper) =
        (TokenStream::new(), TokenStream::new(), TokenStream::new());
    loop {
        let [transform, takes, gives] = transform(transforms, reader)?;
        for (all, one) in [(&mut made, transform), (&mut lower, takes), (&mut upper, gives)] {
            all.extend(one);
            all.extend(write(",", Span::mixed_site(), &[]));
        }
        if reader.take_sign(';') {
            break;
        }
        if reader.is_at_end() {
            return reader.fault("descriptor!: a `;` is missing after the last stage");
        }
        if !reader.take_sign(',') {
            let next = reader.rest()[0].to_string();
            return reader.fault(format!("descriptor!: a `,` or a `;` is missing before `{next}`"));
        }
    }
    Ok(write(
        "#transforms::Transformed<#below, (#made), (#lower), (#upper)>",
        Span::mixed_site(),
        &[
            ("transforms", transforms.clone()),
            ("below", below),
            ("made", made),
            ("lower", lower),
            ("upper", upper),
        ],
    ))
}

/// `xor[8, 16] (0, 1) -> (0, 1)`: the type, what it takes and what it gives.
fn transform(transforms: &TokenStream, reader: &mut Reader) -> Read<[TokenStream; 3]> {
    const FORM: &str = "a transform is `xor[8, 16] (0, 1) -> (0, 1)`: its numbers, what it takes and what it gives";
    let name = reader.ident(&format!("descriptor!: expected a transform: {FORM}"))?;
    let Some(row) = TRANSFORMS.iter().find(|row| row.names.contains(&name.to_string().as_str()))
    else {
        let forms = TRANSFORMS.iter().take(6).map(|row| row.form).collect::<Vec<_>>().join(", ");
        return Err(Fault::at(
            name.span(),
            format!("no transform is called `{name}`: write {forms}, .."),
        ));
    };
    let Some(group) = reader.take_group(Delimiter::Bracket) else {
        return reader
            .fault(format!("descriptor!: expected the numbers of `{name}`: write `{}`", row.form));
    };
    let kind = row.kind(transforms, reader, &name, &group)?;
    let takes = match reader.take_group(Delimiter::Parenthesis) {
        Some(group) => ids(transforms, &mut Reader::within(&group))?,
        None => {
            return reader.fault(format!(
                "descriptor!: expected what `{name}` takes, in parentheses: {FORM}"
            ));
        }
    };
    if !reader.take_signs("->") {
        return reader.fault(format!("descriptor!: expected `->` and what `{name}` gives: {FORM}"));
    }
    let gives = match reader.take_group(Delimiter::Parenthesis) {
        Some(group) => ids(transforms, &mut Reader::within(&group))?,
        None => {
            return reader.fault(format!(
                "descriptor!: expected what `{name}` gives, in parentheses: {FORM}"
            ));
        }
    };
    Ok([kind, takes, gives])
}

impl Row {
    /// The type of a transform of these numbers.
    fn kind(
        &self,
        transforms: &TokenStream,
        reader: &mut Reader,
        name: &Ident,
        group: &Group,
    ) -> Read<TokenStream> {
        let of = |code: &str, numbers: TokenStream, more: TokenStream| {
            write(
                &format!("#transforms::{}<{code}>", self.kind),
                Span::mixed_site(),
                &[("transforms", transforms.clone()), ("numbers", numbers), ("more", more)],
            )
        };
        let none = TokenStream::new;
        match self.numbers {
            Numbers::Type => Ok(of("#numbers", group.stream(), none())),
            Numbers::List if group.stream().is_empty() => {
                Err(Fault::at(group.span(), format!("`{name}[]` needs at least one number")))
            }
            Numbers::List => {
                let numbers = sequence(transforms, &mut Reader::within(group))?;
                Ok(of("#numbers", numbers, none()))
            }
            Numbers::Strided => {
                let numbers = sequence(transforms, &mut Reader::within(group))?;
                let strides = self.list(transforms, reader, "strides")?;
                Ok(of("#numbers, #more", numbers, strides))
            }
            Numbers::With(count, list) => {
                let numbers = self.count(transforms, name, group, count)?;
                let list = self.list(transforms, reader, list)?;
                Ok(of("#numbers #more", numbers, list))
            }
            Numbers::Of(count) => {
                Ok(of("#numbers", self.count(transforms, name, group, count)?, none()))
            }
            Numbers::Checked(count) => {
                let (tokens, is_unchecked) = without_unchecked(group);
                let tokens = Group::new(Delimiter::Bracket, tokens);
                let numbers = self.count(transforms, name, &tokens, count)?;
                let check = if is_unchecked { "Unchecked" } else { "Checked" };
                Ok(of(&format!("#numbers #transforms::{check}"), numbers, none()))
            }
        }
    }

    /// So many numbers, each with its comma.
    fn count(
        &self,
        transforms: &TokenStream,
        name: &Ident,
        group: &Group,
        count: usize,
    ) -> Read<TokenStream> {
        let (mut reader, mut numbers, mut given) = (Reader::within(group), TokenStream::new(), 0);
        while !reader.is_at_end() {
            numbers.extend(item(transforms, &mut reader)?);
            numbers.extend(write(",", Span::mixed_site(), &[]));
            given += 1;
        }
        if given == count {
            return Ok(numbers);
        }
        let plural = if count == 1 { "" } else { "s" };
        Err(Fault::at(
            name.span(),
            format!("`{name}` takes {count} number{plural}, not {given}: write `{}`", self.form),
        ))
    }

    /// `strides [16, 1]`; masks and columns may be a type.
    fn list(&self, transforms: &TokenStream, reader: &mut Reader, word: &str) -> Read<TokenStream> {
        if reader.take_word(word).is_none() {
            return reader.fault(format!("descriptor!: expected `{word}`: write `{}`", self.form));
        }
        if let Some(group) = reader.take_group(Delimiter::Bracket) {
            return sequence(transforms, &mut Reader::within(&group));
        }
        let is_parenthesis = |rest: &[TokenTree]| matches!(rest.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let list = reader.until(is_parenthesis);
        if list.is_empty() {
            return reader.fault(format!(
                "descriptor!: expected a list after `{word}`: write `{}`",
                self.form
            ));
        }
        Ok(list.into_iter().collect())
    }
}

/// The tokens before `, unchecked`, and whether it is there.
fn without_unchecked(group: &Group) -> (TokenStream, bool) {
    let tokens = group.stream().into_iter().collect::<Vec<_>>();
    match &tokens[..] {
        [numbers @ .., comma, word]
            if is_sign(Some(comma), ',') && words(core::slice::from_ref(word)) == "unchecked" =>
        {
            (numbers.iter().cloned().collect(), true)
        }
        _ => (group.stream(), false),
    }
}
