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
use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// What `layout!` brings along, in its own hygiene.
struct Templates {
    check: TokenStream,
    /// The type of a layout that may overlap.
    overlap: TokenStream,
    parameter: TokenStream,
    number: TokenStream,
    /// The macro that says what is wrong, and how its words begin.
    fault: [TokenStream; 2],
}

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let mut template = || match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let templates = Templates {
        check: template(),
        overlap: template(),
        parameter: template(),
        number: template(),
        fault: [template(), template()],
    };
    let (mut code, mut words) = (TokenStream::new(), Vec::new());
    for token in input {
        let ends = is(&token, ';');
        words.push(token);
        if ends {
            code.extend(templates.layout(&words));
            words.clear();
        }
    }
    // What lacks its `;` rustc refuses.
    code.extend(words);
    code
}

/// The type of one layout, which another macro may have read as one group.
pub(crate) fn expand_type(input: TokenStream) -> TokenStream {
    let mut input = input.into_iter();
    let mut template = || match input.next() {
        Some(TokenTree::Group(group)) => group.stream(),
        _ => TokenStream::new(),
    };
    let (parameter, number) = (template(), template());
    let none = TokenStream::new();
    let fault = [none.clone(), none.clone()];
    let templates = Templates { check: none.clone(), overlap: none, parameter, number, fault };
    let (mut words, mut code) = (input.collect::<Vec<_>>(), TokenStream::new());
    while let [TokenTree::Group(read)] = &words[..]
        && read.delimiter() == Delimiter::None
    {
        words = read.stream().into_iter().collect();
    }
    templates.write_type(&words, &mut code);
    code
}

impl Templates {
    /// A layout and its check, if the words are one.
    fn layout(&self, words: &[TokenTree]) -> TokenStream {
        let Some(found) = Found::of(words) else { return self.wrong(words) };
        let (head, body) = words.split_at(found.body);
        let mut code = TokenStream::new();
        code.extend(
            head.iter()
                .enumerate()
                .filter(|(i, _)| !found.overlap.contains(i))
                .map(|(_, token)| token.clone()),
        );
        if found.overlap.is_empty() {
            self.write_type(body, &mut code);
        } else {
            self.write_overlapping(body, &mut code);
        }
        // One with parameters is checked where it is used.
        if !found.has_parameters {
            let name = &words[found.name];
            // It is checked under the conditions that it is declared under.
            code.extend(conditions(head));
            code.extend(moved(check(&self.check, name), name.span()));
        }
        code
    }

    /// What is wrong with words, said by a macro that takes them.
    fn wrong(&self, words: &[TokenTree]) -> TokenStream {
        let [mut code, mut begin] = self.fault.clone();
        let words = Group::new(Delimiter::Brace, words.iter().cloned().collect());
        begin.extend([TokenTree::from(words)]);
        code.extend([TokenTree::from(Group::new(Delimiter::Brace, begin))]);
        code
    }

    /// The type of a layout that may overlap, to its end.
    fn write_overlapping(&self, words: &[TokenTree], code: &mut TokenStream) {
        let place = span(&self.overlap);
        let Some((end, layout)) = words.split_last() else { return };
        code.extend(self.overlap.clone());
        code.extend([punct('<', place)]);
        self.write_type(layout, code);
        code.extend([punct('>', place), end.clone()]);
    }

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
            let named = matches!(words[i].to_string().as_str(), "M" | "N" | "K" | "MN");
            // Not after `::`, which ends a path of the user's.
            if named
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

/// The parts of a layout's words.
struct Found {
    /// The words of `#[may_overlap]`.
    overlap: core::ops::Range<usize>,
    name: usize,
    has_parameters: bool,
    /// The first word of the type.
    body: usize,
}

impl Found {
    /// `#[doc = ..]* #[may_overlap]? #[..]* pub? type Name <..>? = ..;`
    fn of(words: &[TokenTree]) -> Option<Self> {
        let (mut i, mut overlap, mut documented) = (0, 0..0, true);
        while is(words.get(i)?, '#') {
            let attribute = words.get(i + 1)?.to_string();
            if documented && overlap.is_empty() && attribute == "[may_overlap]" {
                overlap = i..i + 2;
            }
            documented &= attribute.starts_with("[doc");
            i += 2;
        }
        // `pub`, `pub(crate)`, or what another macro has read, which comes as one group.
        if words.get(i)?.to_string() == "pub" {
            i += 1;
        }
        if let TokenTree::Group(_) = words.get(i)? {
            i += 1;
        }
        if words.get(i)?.to_string() != "type" {
            return None;
        }
        let name = i + 1;
        let TokenTree::Ident(_) = words.get(name)? else { return None };
        let has_parameters = is(words.get(name + 1)?, '<');
        let equals = words.iter().position(|token| is(token, '='))?;
        if !has_parameters && equals != name + 1 {
            return None;
        }
        Some(Self { overlap, name, has_parameters, body: equals + 1 })
    }
}

/// The `#[cfg]` of a layout's head.
fn conditions(head: &[TokenTree]) -> impl Iterator<Item = TokenTree> + '_ {
    let is_condition =
        |pair: &&[TokenTree]| is(&pair[0], '#') && pair[1].to_string().starts_with("[cfg(");
    head.windows(2).filter(is_condition).flat_map(|pair| pair.iter().cloned())
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

/// `const _: () = check::<Name>(::core::stringify!(Name));`
fn check(template: &TokenStream, name: &TokenTree) -> TokenStream {
    let place = span(template);
    let mut code = template.clone();
    let text = Group::new(Delimiter::Parenthesis, TokenStream::from(name.clone()));
    let joint = || TokenTree::from(Punct::new(':', Spacing::Joint));
    // By its path: the user may have another of this name.
    let text: TokenStream = [
        joint(),
        punct(':', place),
        Ident::new("core", place).into(),
        joint(),
        punct(':', place),
        Ident::new("stringify", place).into(),
        punct('!', place),
        grouped(text, place),
    ]
    .into_iter()
    .collect();
    code.extend([
        joint(),
        punct(':', place),
        punct('<', place),
        name.clone(),
        punct('>', place),
        grouped(Group::new(Delimiter::Parenthesis, text), place),
        punct(';', place),
    ]);
    code
}

fn grouped(mut group: Group, place: Span) -> TokenTree {
    group.set_span(place);
    group.into()
}

fn punct(character: char, place: Span) -> TokenTree {
    let mut punct = Punct::new(character, Spacing::Alone);
    punct.set_span(place);
    punct.into()
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Where a template stands.
fn span(template: &TokenStream) -> Span {
    template.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}
