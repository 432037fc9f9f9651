//! `synthesize!`: layouts that are declared by their accesses, or stated with them.
//!
//! ```text
//!   type ABlock = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor, .. ; at most 352 cycles;
//!
//!   const ABlock: Declared = declare::<F16, _, _>([128, 64], &[lines]);          what was found
//!   type ABlock = Layout<F16, the recipe of the constant's numbers>;             as a type
//!   const _: () = confirm::<ABlock>("ABlock", [128, 64], &ABlock, Some(352));    proven by it
//! ```
//!
//! With `=> recipe::..<..>` behind the accesses the layout itself stands there, with a test that no layout is better; with `_`
//! a test writes it.

use crate::accesses::Accesses;
use crate::layouts::layout_type;
use crate::reader::{Fault, Head, Read, Reader, is_sign, is_word};
use crate::template::{literal, moved_to, number, words, words_of, write};
use crate::test_named;
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

const FORM: &str = "`type Name = F16 [128, 32] on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16> \
                    times 4;`";

/// One declaration.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Declaration::read(reader)?.write(tiledesc))
}

/// The recipe of a layout that was found, by the numbers in its constant.
pub(crate) const FOUND: &str = "<
    #tiledesc::statement::form::FormOf<{ #Name.numbers.form }> as #tiledesc::statement::form::RecipeOf<
        #tiledesc::parameter::M<{ #Name.numbers.rows }>,
        #tiledesc::parameter::K<{ #Name.numbers.columns }>,
        #tiledesc::parameter::KPack<{ #Name.numbers.pack }>,
        #tiledesc::parameter::MLdsLayer<{ #Name.numbers.layers }>,
        #tiledesc::parameter::LinePacks<{ #Name.numbers.line }>,
        #tiledesc::parameter::Every<{ #Name.numbers.every }>,
        #tiledesc::parameter::Padding<{ #Name.numbers.pad }>,
        #tiledesc::parameter::Lines<{ #Name.numbers.lines }>,
        #tiledesc::statement::form::PackedList<{ #Name.numbers.list }>,
    >
>::Recipe";

struct Declaration {
    head: Head,
    name: Ident,
    element: TokenStream,
    /// Rows and columns.
    tile: TokenStream,
    accesses: Accesses,
    answer: Answer,
    /// `Some(cycles)` or `None`.
    limit: TokenStream,
}

enum Answer {
    /// It is found.
    Sought,
    /// `=> _`: a test writes it.
    Blank,
    /// `=> recipe::..<..>`
    Stated(Vec<TokenTree>),
}

impl Declaration {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "synthesize")?;
        if reader.take_word("type").is_none() {
            return reader.fault(format!("synthesize!: expected `type`: write {FORM}"));
        }
        let name =
            reader.ident(&format!("synthesize!: expected a name after `type`: write {FORM}"))?;
        if !reader.take_sign('=') {
            return reader.fault(format!("synthesize!: expected `=` after `{name}`: write {FORM}"));
        }
        let element = reader.until(|rest| {
            let is_tile = matches!(rest.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
            is_tile || is_word(rest.first(), "on") || is_sign(rest.first(), ';')
        });
        let Some(tile) = reader.take_group(Delimiter::Bracket) else {
            return reader.fault(format!(
                "synthesize!: expected the tile, its rows and columns, after the element type: write {FORM}"
            ));
        };
        let sides = Reader::new(tile.stream()).list();
        if element.is_empty() || sides.len() != 2 {
            let missing = if element.is_empty() { "an element type" } else { "rows and columns" };
            return Err(Fault::at(
                tile.span(),
                format!("synthesize!: expected {missing}: write {FORM}"),
            ));
        }
        if reader.take_word("on").is_none() {
            return reader.fault(format!("synthesize!: expected `on` and a chip: write {FORM}"));
        }
        let accesses = Accesses::read(reader)?;
        let answer = answer(reader)?;
        let limit = limit(reader, "synthesize")?;
        Ok(Self {
            head,
            name,
            element: element.into_iter().collect(),
            tile: tile.stream(),
            accesses,
            answer,
            limit,
        })
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        match &self.answer {
            Answer::Sought => self.write_sought(tiledesc, "#limit"),
            Answer::Blank => {
                // What the compiler finds stands in until the test has written it, whatever it takes.
                let any = "::core::option::Option::Some(#tiledesc::statement::certificate::ANY)";
                let mut code = self.write_sought(tiledesc, any);
                code.extend(self.fill(
                    tiledesc,
                    self.name.span(),
                    "const _: () = #tiledesc::statement::certificate::refuse_blank(
                        #name, ::core::option_env!(\"BLESS\"),
                    );",
                ));
                code.extend(self.test(tiledesc));
                code
            }
            Answer::Stated(layout) => self.write_stated(tiledesc, layout),
        }
    }

    /// What is found is a constant; the type takes its numbers; the layout is proven by them.
    fn write_sought(&self, tiledesc: &TokenStream, limit: &str) -> TokenStream {
        let place = self.name.span();
        let mut code = self.constant(
            tiledesc,
            &format!("What was found for the layout `{}`.", self.name),
            "#tiledesc::statement::declaration::Declared",
            "#tiledesc::statement::declaration::declare::<#Element, _, _>",
        );
        let recipe = self.fill(tiledesc, Span::mixed_site(), FOUND);
        code.extend(self.item(write(
            "type #Name = #tiledesc::Layout<#Element, #recipe>;",
            place,
            &[&self.holes(tiledesc)[..], &[("recipe", recipe)]].concat(),
        )));
        code.extend(self.fill(
            tiledesc,
            place,
            &format!(
                "#[allow(long_running_const_eval)]
                const _: () = #tiledesc::statement::declaration::confirm::<#Name>(
                    #name, [#tile], &#Name, {limit},
                );"
            ),
        ));
        code
    }

    /// The constant, the type that the declaration states, the judge of each access at its own word, and the test.
    fn write_stated(&self, tiledesc: &TokenStream, layout: &[TokenTree]) -> TokenStream {
        let place = self.name.span();
        let mut code = self.constant(
            tiledesc,
            &format!("What the layout `{}` costs.", self.name),
            "#tiledesc::statement::certificate::Certified",
            "#tiledesc::statement::certificate::certify::<#Name, #Element, _, _>",
        );
        let mut alias = self.fill(tiledesc, place, "type #Name =");
        alias.extend(layout_type(tiledesc, layout));
        alias.extend(self.fill(tiledesc, place, ";"));
        code.extend(self.item(alias));
        let mut judged = self.fill(
            tiledesc,
            place,
            "#tiledesc::statement::certificate::confirm::<#Name>(
                #name, &#Name, #limit, ::core::option_env!(\"BLESS\"),
            );",
        );
        for (i, access) in self.accesses.accesses.iter().enumerate() {
            judged.extend(write(
                "#tiledesc::statement::certificate::refuse_certified::<#Name>(
                    #name, &#Name, #i, #limit, ::core::option_env!(\"BLESS\"),
                );",
                access.kind.span(),
                &[&self.holes(tiledesc)[..], &[("i", number(i))]].concat(),
            ));
        }
        code.extend(write(
            "#[allow(long_running_const_eval)] const _: () = { #judged };",
            Span::mixed_site(),
            &[("judged", judged)],
        ));
        code.extend(self.test(tiledesc));
        code
    }

    fn constant(&self, tiledesc: &TokenStream, about: &str, kind: &str, made: &str) -> TokenStream {
        let lines = self.accesses.lines(tiledesc);
        let value = write(
            &format!(
                "{{
                    #[allow(unused_imports)]
                    use #tiledesc::chip::names::modules::*;
                    #demand
                    {made}([#tile], &[#lines])
                }}"
            ),
            Span::mixed_site(),
            &[
                &self.holes(tiledesc)[..],
                &[("demand", self.accesses.demand(tiledesc)), ("lines", lines)],
            ]
            .concat(),
        );
        let attributes = write(
            "#[doc = #about] #[allow(non_upper_case_globals, long_running_const_eval, dead_code)]",
            self.name.span(),
            &[("about", literal(about))],
        );
        let mut item = moved_to(&self.head.visibility, self.name.span());
        item.extend(write(
            &format!("const #Name: {kind} = #value;"),
            self.name.span(),
            &[&self.holes(tiledesc)[..], &[("value", value)]].concat(),
        ));
        attributes.into_iter().chain(item).collect()
    }

    /// An item with the declaration's attributes and visibility. It begins at its name, so that a second one of that name is
    /// wrong there.
    fn item(&self, item: TokenStream) -> TokenStream {
        let (place, tile) = (self.name.span(), words_of(&self.tile));
        let about = match &self.answer {
            Answer::Stated(layout) => format!("The layout `{}`", words(layout)),
            Answer::Sought | Answer::Blank => "The best layout that the compiler finds".to_owned(),
        };
        let about = format!(
            "{about}, of `{} [{tile}]` for {} accesses. {}",
            words_of(&self.element),
            self.accesses.accesses.len(),
            named_by(&self.name),
        );
        let mut code = self.head.documented(&about, place);
        code.extend(moved_to(&self.head.visibility, place));
        code.extend(item);
        code
    }

    /// The test of the crate that holds the declaration, which depends on `tiledesc-host` in its tests.
    fn test(&self, tiledesc: &TokenStream) -> TokenStream {
        let head = "#[cfg(test)] #[::core::prelude::v1::test] #[allow(non_snake_case)] fn";
        let body = "() -> ::core::result::Result<(), ::tiledesc_host::Error> {
            ::tiledesc_host::certificate::keep(
                &#Name.asked(),
                #limit,
                &::tiledesc_host::certificate::Place {
                    name: #name,
                    file: ::core::file!(),
                    line: ::core::line!(),
                    package: ::core::option_env!(\"CARGO_MANIFEST_DIR\"),
                },
            )
        }";
        let place = Span::mixed_site();
        test_named(
            &self.name.to_string(),
            self.fill(tiledesc, place, head),
            self.fill(tiledesc, place, body),
        )
    }

    fn fill(&self, tiledesc: &TokenStream, place: Span, code: &str) -> TokenStream {
        write(code, place, &self.holes(tiledesc))
    }

    fn holes(&self, tiledesc: &TokenStream) -> [(&'static str, TokenStream); 6] {
        [
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("name", literal(&self.name.to_string())),
            ("Element", self.element.clone()),
            ("tile", self.tile.clone()),
            ("limit", self.limit.clone()),
        ]
    }
}

/// The sentence of a type about the constant of its name.
pub(crate) fn named_by(name: &Ident) -> String {
    format!("The constant [`{name}`](const@{name}) has what was found, and its cycles.")
}

/// `=> Layout` or `=> _` behind the accesses.
fn answer(reader: &mut Reader) -> Read<Answer> {
    if !reader.take_signs("=>") {
        return Ok(Answer::Sought);
    }
    let layout = reader.until(|rest| is_sign(rest.first(), ';'));
    match &layout[..] {
        [] => reader
            .fault("synthesize!: expected the layout after `=>`, or `_`, which a test replaces"),
        [blank] if is_word(Some(blank), "_") => Ok(Answer::Blank),
        _ => Ok(Answer::Stated(layout)),
    }
}

/// What ends a declaration: `;`, or `; at most 352 cycles;`. The last `;` may be left out.
pub(crate) fn limit(reader: &mut Reader, of: &str) -> Read<TokenStream> {
    let none = || write("::core::option::Option::None", Span::mixed_site(), &[]);
    if reader.is_at_end() {
        return Ok(none());
    }
    if !reader.take_sign(';') {
        return match of {
            "synthesize" => reader.fault(format!(
                "synthesize!: expected `,` and a further access, or `;`: write {FORM}"
            )),
            _ => reader.fault(format!("{of}!: expected `;`, or `; at most 96 cycles;`")),
        };
    }
    if !(reader.is_word("at") && is_word(reader.rest().get(1), "most")) {
        return Ok(none());
    }
    let words = [reader.take(), reader.take()].into_iter().flatten().collect::<Vec<_>>();
    let cycles = reader.until(|rest| is_word(rest.first(), "cycles") || is_sign(rest.first(), ';'));
    if cycles.is_empty() || reader.take_word("cycles").is_none() {
        return Err(Fault::new(
            &words,
            format!("{of}!: expected a number of cycles: write `at most 352 cycles;`"),
        ));
    }
    if !reader.is_at_end() && !reader.take_sign(';') {
        return reader.fault(format!("{of}!: expected `;` after `cycles`"));
    }
    Ok(write(
        "::core::option::Option::Some(#cycles)",
        Span::mixed_site(),
        &[("cycles", cycles.into_iter().collect())],
    ))
}
