//! The layouts of a block, one by one.
//!
//! ```text
//!   type A = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
//!
//!   type A = recipe::GemmXor<F16, $crate::parameter::M<128>, $crate::parameter::K<64>, KPack<8>>;
//!   const _: () = $crate::layout::check::<A>(::core::stringify!(A));
//! ```
//!
//! Of a type that begins with `recipe::`, `tiledesc::recipe::` or `Layout<`: `M`, `N`, `K` and `MN` of
//! one number are the recipe parameters, and a literal in a list of several is the number of that
//! value. Any other type stands as it is.

use crate::moved;
use crate::reader::{Fault, Read, Reader, documented, is_sign};
use crate::template::{literal, words, write};
use proc_macro::{Delimiter, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// One layout, and its check.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Layout::read(reader)?.write(tiledesc))
}

/// `#[doc = ..]* #[may_overlap]? #[..]* pub? type Name <..>? = ..;`
struct Layout {
    attributes: Vec<TokenTree>,
    /// Visibility and `type`.
    head: Vec<TokenTree>,
    may_overlap: bool,
    name: Ident,
    /// `<..>`, where it has parameters.
    parameters: Vec<TokenTree>,
    body: Vec<TokenTree>,
}

impl Layout {
    fn read(reader: &mut Reader) -> Read<Self> {
        const FORM: &str =
            "write `type Name = recipe::..<..>;` or `type Name = Layout<Element, Descriptor>;`";
        let (mut attributes, mut head, mut may_overlap) = (Vec::new(), Vec::new(), false);
        while let (true, Some(attribute)) = (reader.is_sign('#'), reader.rest().get(1)) {
            let is_ours = attribute.to_string() == "[may_overlap]";
            may_overlap |= is_ours;
            let attribute = [reader.take(), reader.take()].into_iter().flatten();
            attributes.extend(attribute.filter(|_| !is_ours));
        }
        // What another macro has read as a visibility comes as one group, an empty one too.
        if let Some(public) = reader.take_word("pub") {
            head.push(public.into());
            head.extend(reader.take_group(Delimiter::Parenthesis).map(TokenTree::from));
        } else {
            head.extend(reader.take_group(Delimiter::None).map(TokenTree::from));
        }
        let Some(word) = reader.take_word("type") else {
            return reader.fault(format!("layout!: expected `type`: {FORM}"));
        };
        head.push(word.into());
        let name = reader.ident(&format!("layout!: expected a name after `type`: {FORM}"))?;
        let parameters =
            reader.until(|rest| ['=', ':', ';'].iter().any(|sign| is_sign(rest.first(), *sign)));
        if reader.is_signs(":") {
            return reader.fault(format!(
                "layout!: `{name}` has a `:`: write `type {name} = recipe::..<..>;`; stages stand in `descriptor!`"
            ));
        }
        if !reader.take_sign('=') {
            return reader
                .fault(format!("layout!: expected `=` and a type after `{name}`: {FORM}"));
        }
        let ends = |rest: &[TokenTree]| is_sign(rest.first(), ';') || is_sign(rest.first(), ',');
        let body = reader.until(ends);
        if reader.is_sign(',') {
            let fault = reader.fault(format!("layout!: `{name}` ends with a `,`: write `;`"));
            reader.take();
            return fault;
        }
        if !reader.take_sign(';') {
            return Err(Fault::new(
                &body[body.len().saturating_sub(1)..],
                format!("layout!: a `;` is missing at the end of `{name}`"),
            ));
        }
        if body.is_empty() {
            return Err(Fault::at(
                name.span(),
                format!("layout!: expected a type after `{name} =`: {FORM}"),
            ));
        }
        if let Some(number) = in_place_of_the_element(&body) {
            return Err(Fault::at(
                number.span(),
                format!("layout!: expected an element type before `{number}`: {FORM}"),
            ));
        }
        Ok(Self { attributes, head, may_overlap, name, parameters, body })
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let of = |code: &str, place| {
            write(
                code,
                place,
                &[
                    ("tiledesc", tiledesc.clone()),
                    ("Name", TokenTree::from(self.name.clone()).into()),
                    ("name", literal(&self.name.to_string())),
                ],
            )
        };
        let about = format!("The layout `{}`.", words(&self.body));
        let mut code = documented(&self.attributes, &about, self.name.span());
        code.extend(self.head.iter().cloned());
        code.extend(TokenStream::from(TokenTree::from(self.name.clone())));
        code.extend(self.parameters.iter().cloned());
        let site = Span::mixed_site();
        code.extend(of(
            if self.may_overlap { "= #tiledesc::layout::MayOverlapOf<" } else { "=" },
            site,
        ));
        code.extend(type_of(tiledesc, &self.body));
        code.extend(of(if self.may_overlap { ">;" } else { ";" }, site));
        // One with parameters is checked where it is used; any other under the conditions that it is declared under.
        if self.parameters.is_empty() {
            code.extend(conditions(&self.attributes));
            code.extend(of(
                "const _: () = #tiledesc::layout::check::<#Name>(#name);",
                self.name.span(),
            ));
        }
        code
    }
}

/// A type as `layout!` takes it; another macro may have read it as one group.
pub(crate) fn layout_type(tiledesc: &TokenStream, words: &[TokenTree]) -> TokenStream {
    let mut words = words.to_vec();
    while let [TokenTree::Group(read)] = &words[..]
        && read.delimiter() == Delimiter::None
    {
        words = read.stream().into_iter().collect();
    }
    type_of(tiledesc, &words)
}

fn type_of(tiledesc: &TokenStream, words: &[TokenTree]) -> TokenStream {
    let of = |path: &str| write(path, Span::mixed_site(), &[("tiledesc", tiledesc.clone())]);
    let templates =
        Templates { parameter: of("#tiledesc::parameter::"), number: of("#tiledesc::Lit") };
    let mut code = TokenStream::new();
    templates.write_type(words, &mut code);
    code
}

/// What stands for the words that `layout!` brings along.
struct Templates {
    parameter: TokenStream,
    number: TokenStream,
}

impl Templates {
    /// The type, to its end.
    fn write_type(&self, words: &[TokenTree], code: &mut TokenStream) {
        let mut i = of_ours(words);
        if i == 0 {
            code.extend(words.iter().cloned());
            return;
        }
        code.extend(words[..i].iter().cloned());
        while i < words.len() {
            let (before, after) = (&words[i - 1], words.get(i + 1));
            // Not after `::`, which ends a path of the user's.
            if is_number(&words[i])
                && !is(before, ':')
                && after.is_some_and(|token| is(token, '<'))
                && words.get(i + 3).is_some_and(|token| is(token, '>'))
            {
                // All at the user's word.
                let place = words[i].span().resolved_at(span(&self.parameter));
                code.extend(moved(self.parameter.clone(), place));
                code.extend([TokenTree::from(Ident::new(&words[i].to_string(), place))]);
                code.extend(words[i + 1..i + 4].iter().cloned());
                i += 4;
                continue;
            }
            let list = is(before, ',')
                && after.is_some_and(|token| is(token, ',') || is(token, '>'))
                || is(before, '<') && after.is_some_and(|token| is(token, ','));
            if list && matches!(words[i], TokenTree::Literal(_)) {
                code.extend(self.number.clone());
                let place = span(&self.number);
                code.extend([punct('<', place), words[i].clone(), punct('>', place)]);
            } else {
                code.extend([words[i].clone()]);
            }
            i += 1;
        }
    }
}

/// The `#[cfg]` of a layout's attributes.
fn conditions(attributes: &[TokenTree]) -> impl Iterator<Item = TokenTree> + '_ {
    let is_condition =
        |pair: &&[TokenTree]| is(&pair[0], '#') && pair[1].to_string().starts_with("[cfg(");
    attributes.windows(2).filter(is_condition).flat_map(|pair| pair.iter().cloned())
}

/// How many words a type of ours begins with; 0 if it is not ours.
fn of_ours(words: &[TokenTree]) -> usize {
    for begin in
        [&["recipe", ":", ":"][..], &["tiledesc", ":", ":", "recipe", ":", ":"], &["Layout", "<"]]
    {
        let same = |(token, word): (&TokenTree, &&str)| token.to_string() == **word;
        if words.len() > begin.len() && words.iter().zip(begin).all(same) {
            return begin.len();
        }
    }
    0
}

/// The number that is the first parameter of a recipe, where its element belongs.
fn in_place_of_the_element(words: &[TokenTree]) -> Option<&TokenTree> {
    let ours = of_ours(words);
    match &words[ours..] {
        [TokenTree::Ident(_), opens, number, after, ..]
            if ours > 0 && is(&words[ours - 1], ':') && is(opens, '<') =>
        {
            let is_named = is_number(number) && is(after, '<');
            (is_named || matches!(number, TokenTree::Literal(_))).then_some(number)
        }
        _ => None,
    }
}

/// Returns whether it is the name of a length that `layout!` brings along.
fn is_number(word: &TokenTree) -> bool {
    matches!(word.to_string().as_str(), "M" | "N" | "K" | "MN")
}

fn punct(character: char, place: Span) -> TokenTree {
    let mut punct = Punct::new(character, Spacing::Alone);
    punct.set_span(place);
    punct.into()
}

fn is(token: &TokenTree, character: char) -> bool {
    is_sign(Some(token), character)
}

/// Where a template stands.
fn span(template: &TokenStream) -> Span {
    template.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
