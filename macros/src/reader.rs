//! Tokens, read one after the other: what every grammar of this crate is read by.
//!
//! A grammar is a function that takes a [`Reader`], and returns what it has read or a [`Fault`]: what was expected, at the
//! user's own word.
//!
//! ```text
//!   read ds_read_b128 MfmaRows<16>
//!                     ^^^^^^^^ expected `by` and a pattern: write `read ds_read_b128 by RowMajor`
//! ```

use crate::template::{at, literal, write};
use proc_macro::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};

/// A sentence about the tokens from one place to another.
pub(crate) struct Fault {
    from: Span,
    to: Span,
    text: String,
}

pub(crate) type Read<T> = Result<T, Fault>;

impl Fault {
    pub(crate) fn at(place: Span, text: impl Into<String>) -> Self {
        Self { from: place, to: place, text: text.into() }
    }

    /// A fault of all these tokens; of the macro's call if there are none.
    pub(crate) fn new(tokens: &[TokenTree], text: impl Into<String>) -> Self {
        let [from, to] = match tokens {
            [first, .., last] => [first.span(), last.span()],
            [only] => [only.span(); 2],
            [] => [Span::call_site(); 2],
        };
        Self { from, to, text: text.into() }
    }

    /// `compile_error!`, which the compiler underlines from its first token to its last.
    pub(crate) fn code(self) -> TokenStream {
        let mut text = Literal::string(&self.text);
        text.set_span(self.to);
        let mut braces = Group::new(Delimiter::Brace, TokenTree::from(text).into());
        braces.set_span(self.to);
        at("::core::compile_error!", self.from).into_iter().chain([braces.into()]).collect()
    }
}

/// The tokens that are left of a macro's input.
pub(crate) struct Reader {
    tokens: Vec<TokenTree>,
    next: usize,
    /// Where what is missing at the end would stand.
    end: Option<Span>,
}

impl Reader {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let tokens = tokens.into_iter().collect::<Vec<_>>();
        let end = tokens.last().map(TokenTree::span);
        Self { tokens, next: 0, end }
    }

    /// Tokens that another reader has read, just now.
    pub(crate) fn nested(tokens: Vec<TokenTree>, reader: &Self) -> Self {
        let end = reader.rest().first().map(TokenTree::span).or(reader.end);
        Self { tokens, next: 0, end }
    }

    /// The tokens of a group.
    pub(crate) fn within(group: &Group) -> Self {
        Self { end: Some(group.span_close()), ..Self::new(group.stream()) }
    }

    /// The tokens in the first braces: what a macro of the library hands over before the user's words.
    pub(crate) fn given(&mut self) -> TokenStream {
        match self.take() {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub(crate) fn rest(&self) -> &[TokenTree] {
        &self.tokens[self.next.min(self.tokens.len())..]
    }

    pub(crate) fn take(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.next).cloned();
        self.next += 1;
        token
    }

    /// What is wrong at the next token, or at the end.
    pub(crate) fn fault<T>(&self, text: impl Into<String>) -> Read<T> {
        let place = self.rest().first().map(TokenTree::span).or(self.end);
        Err(Fault::at(place.unwrap_or_else(Span::call_site), text))
    }

    pub(crate) fn is_sign(&self, sign: char) -> bool {
        is_sign(self.rest().first(), sign)
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        is_word(self.rest().first(), word)
    }

    /// Returns whether these signs are next and one.
    pub(crate) fn is_signs(&self, signs: &str) -> bool {
        is_signs(self.rest(), signs)
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> bool {
        let is = self.is_sign(sign);
        self.next += usize::from(is);
        is
    }

    pub(crate) fn take_signs(&mut self, signs: &str) -> bool {
        let is = self.is_signs(signs);
        self.next += if is { signs.len() } else { 0 };
        is
    }

    /// The next word, if it is this one.
    pub(crate) fn take_word(&mut self, word: &str) -> Option<Ident> {
        if self.is_word(word) { self.take_ident() } else { None }
    }

    /// Returns whether these words are next, which are taken then.
    pub(crate) fn take_words(&mut self, words: &[&str]) -> bool {
        let is = words.iter().enumerate().all(|(i, word)| is_word(self.rest().get(i), word));
        self.next += if is { words.len() } else { 0 };
        is
    }

    pub(crate) fn take_ident(&mut self) -> Option<Ident> {
        let Some(TokenTree::Ident(name)) = self.rest().first() else { return None };
        let name = name.clone();
        self.next += 1;
        Some(name)
    }

    pub(crate) fn ident(&mut self, expected: &str) -> Read<Ident> {
        match self.take_ident() {
            Some(name) => Ok(name),
            None => self.fault(expected),
        }
    }

    /// The next group, if it has these delimiters.
    pub(crate) fn take_group(&mut self, delimiter: Delimiter) -> Option<Group> {
        match self.rest().first() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => {
                let group = group.clone();
                self.next += 1;
                Some(group)
            }
            _ => None,
        }
    }

    /// The tokens of a type, up to some at which `stops` holds. What is between `<` and `>` is not asked.
    pub(crate) fn until(&mut self, stops: impl Fn(&[TokenTree]) -> bool) -> Vec<TokenTree> {
        self.tokens_until(stops, true)
    }

    /// The tokens of an expression, in which `<` compares, but for `::<`.
    pub(crate) fn expression(&mut self, stops: impl Fn(&[TokenTree]) -> bool) -> Vec<TokenTree> {
        self.tokens_until(stops, false)
    }

    fn tokens_until(
        &mut self,
        stops: impl Fn(&[TokenTree]) -> bool,
        is_type: bool,
    ) -> Vec<TokenTree> {
        let (begin, mut depth, mut is_after_path) = (self.next, 0_usize, false);
        while !self.is_at_end() && (depth > 0 || !stops(self.rest())) {
            if self.is_signs("::") {
                (self.next, is_after_path) = (self.next + 2, true);
                continue;
            }
            if self.is_sign('<') && (is_type || depth > 0 || is_after_path) {
                depth += 1;
            } else if self.is_sign('>') && !self.ends_arrow(begin) {
                depth = depth.saturating_sub(1);
            }
            (self.next, is_after_path) = (self.next + 1, false);
        }
        self.tokens[begin..self.next].to_vec()
    }

    fn ends_arrow(&self, begin: usize) -> bool {
        let before = self.tokens[begin..self.next].last();
        is_sign(before, '-') || is_sign(before, '=')
    }

    /// The expressions between commas.
    pub(crate) fn list(&mut self) -> Vec<Vec<TokenTree>> {
        let mut parts = Vec::new();
        while !self.is_at_end() {
            parts.push(self.expression(|rest| is_sign(rest.first(), ',')));
            self.take_sign(',');
        }
        parts
    }

    /// A path of names, which another macro may have read as one group.
    pub(crate) fn path(&mut self, expected: &str) -> Read<Vec<TokenTree>> {
        if let Some(read) = self.take_group(Delimiter::None) {
            return Ok(read.stream().into_iter().collect());
        }
        let mut path = vec![self.ident(expected)?.into()];
        while self.is_signs("::") {
            path.extend([self.take(), self.take()].into_iter().flatten());
            path.push(self.ident(expected)?.into());
        }
        Ok(path)
    }
}

/// An expression without parentheses around all of it, of which rustc warns in an argument.
pub(crate) fn bare(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match &tokens[..] {
        [TokenTree::Group(all)] if all.delimiter() == Delimiter::Parenthesis => {
            all.stream().into_iter().collect()
        }
        _ => tokens,
    }
}

pub(crate) fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == word)
}

/// Returns whether these signs are next and one: `:` is not the half of `::`.
pub(crate) fn is_signs(rest: &[TokenTree], signs: &str) -> bool {
    let is = |(i, sign)| is_sign(rest.get(i), sign);
    let joint = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(sign)) if sign.spacing() == Spacing::Joint);
    let (ends_path, last) = (joint(rest.first()) && is_sign(rest.get(1), ':'), signs.len() - 1);
    signs.chars().enumerate().all(is)
        && rest.iter().take(last).all(|token| joint(Some(token)))
        && !(signs == ":" && ends_path)
}

/// What stands before a declaration's words.
pub(crate) struct Head {
    /// `#[..]`, as it is written.
    pub(crate) attributes: Vec<TokenTree>,
    /// `pub`, `pub(crate)`, or nothing.
    pub(crate) visibility: Vec<TokenTree>,
}

impl Head {
    /// Attributes and a visibility. A condition is refused: a declaration becomes several items.
    pub(crate) fn read(reader: &mut Reader, of: &str) -> Read<Self> {
        let mut attributes = Vec::new();
        while let (true, Some(TokenTree::Group(attribute))) =
            (reader.is_sign('#'), reader.rest().get(1).cloned())
        {
            if is_word(attribute.stream().into_iter().next().as_ref(), "cfg") {
                return reader.fault(format!(
                    "{of}!: `#[cfg]` cannot stand on one declaration inside; write `#[cfg(..)] {of}! {{ .. }}` around that \
                     declaration"
                ));
            }
            attributes.extend([reader.take(), reader.take()].into_iter().flatten());
        }
        // What another macro has read comes as one group, an empty one too.
        let mut visibility = Vec::new();
        if let Some(read) = reader.take_group(Delimiter::None) {
            visibility.extend(read.stream());
        } else if let Some(public) = reader.take_word("pub") {
            visibility.push(public.into());
            visibility.extend(reader.take_group(Delimiter::Parenthesis).map(TokenTree::from));
        }
        Ok(Self { attributes, visibility })
    }

    /// The attributes, and a line of documentation behind the user's.
    pub(crate) fn documented(&self, about: &str, place: Span) -> TokenStream {
        documented(&self.attributes, about, place)
    }
}

/// Attributes, and a line of documentation of our own behind the user's.
pub(crate) fn documented(attributes: &[TokenTree], about: &str, place: Span) -> TokenStream {
    let about = if attributes.is_empty() { about.to_owned() } else { format!("\n\n{about}") };
    let mut code: TokenStream = attributes.iter().cloned().collect();
    code.extend(write("#[doc = #about]", place, &[("about", literal(&about))]));
    code
}

/// A parameter of a declaration: `M`, `M: Number` or `const S: u32`.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) is_constant: bool,
    /// The bound, or the type of a constant.
    pub(crate) bound: Vec<TokenTree>,
}

/// The parameters behind a name, if there are any; `wrong` says what is wrong with one.
pub(crate) fn parameters(
    reader: &mut Reader,
    wrong: impl Fn(&Parameter) -> Option<String>,
) -> Read<Vec<Parameter>> {
    let mut parameters = Vec::new();
    if !reader.take_sign('<') {
        return Ok(parameters);
    }
    while !reader.take_sign('>') {
        let is_constant = reader.take_word("const").is_some();
        let name = reader.ident("expected the name of a parameter, or `>`")?;
        let bound = match reader.take_signs(":") {
            true => reader.until(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), '>')),
            false => Vec::new(),
        };
        let (place, parameter) = (name.span(), Parameter { name, is_constant, bound });
        if let Some(text) = wrong(&parameter) {
            return Err(Fault::at(place, text));
        }
        parameters.push(parameter);
        if !reader.take_sign(',') && !reader.is_sign('>') {
            return reader.fault("expected `,` or `>` after a parameter");
        }
    }
    Ok(parameters)
}

impl Parameter {
    /// `M, S`
    pub(crate) fn names(all: &[Self]) -> TokenStream {
        all.iter()
            .flat_map(|parameter| write("#name,", Span::mixed_site(), &parameter.holes()))
            .collect()
    }

    /// `M, const S: u32`
    pub(crate) fn declared(all: &[Self]) -> TokenStream {
        let one = |parameter: &Self| {
            let code = if parameter.is_constant { "const #name: #bound," } else { "#name," };
            write(code, Span::mixed_site(), &parameter.holes())
        };
        all.iter().flat_map(one).collect()
    }

    /// The names of those that are types.
    pub(crate) fn types(all: &[Self]) -> TokenStream {
        let types = all.iter().filter(|parameter| !parameter.is_constant);
        types
            .flat_map(|parameter| write("#name,", Span::mixed_site(), &parameter.holes()))
            .collect()
    }

    /// `M: Number, const S: u32`
    pub(crate) fn bounded(all: &[Self]) -> TokenStream {
        let one = |parameter: &Self| {
            let code =
                if parameter.is_constant { "const #name: #bound," } else { "#name: #bound," };
            write(code, Span::mixed_site(), &parameter.holes())
        };
        all.iter().flat_map(one).collect()
    }

    /// Parameters of which each is a constant or a number.
    pub(crate) fn of_numbers(all: &[Self], tiledesc: &TokenStream) -> TokenStream {
        let one = |parameter: &Self| {
            let number = ("tiledesc", tiledesc.clone());
            let holes = [&parameter.holes()[..], &[number]].concat();
            let code = match parameter.is_constant {
                true => "const #name: #bound,",
                false => "#name: #tiledesc::Number,",
            };
            write(code, Span::mixed_site(), &holes)
        };
        all.iter().flat_map(one).collect()
    }

    fn holes(&self) -> [(&'static str, TokenStream); 2] {
        let name = TokenTree::from(self.name.clone()).into();
        [("name", name), ("bound", self.bound.iter().cloned().collect())]
    }
}

/// What is read one by one, to the end. After a fault the next begins behind a `;` where `recovers`; else none is read.
pub(crate) fn one_by_one(
    mut reader: Reader,
    recovers: bool,
    mut read: impl FnMut(&mut Reader) -> Read<TokenStream>,
) -> TokenStream {
    let mut code = TokenStream::new();
    while !reader.is_at_end() {
        match read(&mut reader) {
            Ok(one) => code.extend(one),
            Err(fault) => {
                code.extend(fault.code());
                if !recovers {
                    break;
                }
                reader.expression(|rest| is_sign(rest.first(), ';'));
                reader.take_sign(';');
            }
        }
    }
    code
}
