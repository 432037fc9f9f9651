//! What follows `on` in a statement and in a declaration: chips, words, a fill, and accesses.
//!
//! ```text
//!   gfx942, gfx950 as documented: filled by global_load_lds_b128 by 4 waves, read ds_read_b128 by MfmaRows<16> times 2
//! ```
//!
//! A line is one access on one chip: a `StatedAccess` of the library.

use crate::layouts::layout_type;
use crate::reader::{Fault, Head, Read, Reader, bare, is_sign, is_signs, is_word};
use crate::template::{literal, moved_to, words, write};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// A statement, for the errors.
pub(crate) const FORM: &str = "`Layout on gfx942, gfx950: read ds_read_b128 by RowMajor, write ds_write_b128 by RowMajor`; \
                               statements end with `;`";

pub(crate) struct Accesses {
    /// A chip of ours, a parameter of a kernel, or the path of a module of the user's.
    chips: Vec<Vec<TokenTree>>,
    demand: Demand,
    pub(crate) fill: Option<Fill>,
    pub(crate) accesses: Vec<Access>,
}

/// `filled by transfer by 4 waves`
pub(crate) struct Fill {
    pub(crate) transfer: Ident,
    waves: TokenStream,
}

/// `read ds_read2_b32(0, 8) by first MfmaRows<16> times 4`
pub(crate) struct Access {
    /// What stands before `=`, if its addresses are asked for.
    pub(crate) named: Option<Named>,
    pub(crate) kind: Ident,
    instruction: Ident,
    /// Of two addresses: the distance between them.
    offsets: Option<TokenStream>,
    is_first: bool,
    pattern: Vec<TokenTree>,
    /// The weight, if one is stated.
    pub(crate) times: Vec<TokenTree>,
}

/// `pub type StoreA`
pub(crate) struct Named {
    head: Head,
    pub(crate) name: Ident,
}

impl Accesses {
    pub(crate) fn read(reader: &mut Reader) -> Read<Self> {
        Self::read_by(reader, Access::read)
    }

    /// Accesses of which some have names.
    pub(crate) fn read_named(reader: &mut Reader) -> Read<Self> {
        Self::read_by(reader, Access::read_named)
    }

    fn read_by(reader: &mut Reader, access: impl Fn(&mut Reader) -> Read<Access>) -> Read<Self> {
        let mut chips = vec![chip(reader)?];
        while reader.take_sign(',') {
            chips.push(chip(reader)?);
        }
        let demand = Demand::read(reader)?;
        if !reader.take_signs(":") {
            return reader.fault(format!("expected `:` and the accesses: write {FORM}"));
        }
        let fill = Fill::read(reader)?;
        let mut accesses = vec![access(reader)?];
        while reader.take_sign(',') && !ends_accesses(reader.rest()) {
            accesses.push(access(reader)?);
        }
        Ok(Self { chips, demand, fill, accesses })
    }

    /// The words behind `as`, declared once for all lines, and only where a statement has such words.
    pub(crate) fn demand(&self, tiledesc: &TokenStream) -> TokenStream {
        if self.demand.is_nothing() {
            return TokenStream::new();
        }
        let calls = self.demand.calls();
        write(
            &format!(
                "const __DEMAND: #tiledesc::statement::stated_access::RowDemand =
                    #tiledesc::statement::stated_access::RowDemand::ANY{calls};"
            ),
            Span::mixed_site(),
            &[("tiledesc", tiledesc.clone())],
        )
    }

    /// The types of the accesses that have names, of a layout.
    pub(crate) fn types(&self, tiledesc: &TokenStream, layout: &[TokenTree]) -> TokenStream {
        let chips: Vec<_> = self.chips.iter().map(|chip| words(chip)).collect();
        let of = format!("of `{}` on {}", words(layout), chips.join(", "));
        let one = |access: &Access| access.declared(tiledesc, layout, &self.chips[0], &of);
        self.accesses.iter().flat_map(one).collect()
    }

    /// The check of an access that has a name, beside its verdict.
    pub(crate) fn check_of_name(&self, tiledesc: &TokenStream, access: &Access) -> TokenStream {
        let Some(Named { name, .. }) = &access.named else { return TokenStream::new() };
        write(
            "#tiledesc::statement::named_access::check::<#Pattern, _, _>(
                ::core::marker::PhantomData::<#Name>, #name, &#row
            );",
            name.span(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("Name", TokenTree::from(name.clone()).into()),
                ("Pattern", access.pattern.iter().cloned().collect()),
                ("name", literal(&name.to_string())),
                ("row", access.row(tiledesc, &self.chips[0])),
            ],
        )
    }

    /// The lines, chip by chip.
    pub(crate) fn lines(&self, tiledesc: &TokenStream) -> TokenStream {
        self.chips.iter().flat_map(|chip| self.lines_on(tiledesc, chip)).collect()
    }

    fn lines_on(&self, tiledesc: &TokenStream, chip: &[TokenTree]) -> TokenStream {
        let lines: TokenStream =
            self.accesses.iter().flat_map(|access| self.line(tiledesc, chip, access)).collect();
        let Some(fill) = &self.fill else {
            return write("[#lines],", Span::mixed_site(), &[("lines", lines)]);
        };
        // The transfer is looked up on the chip that the first row is of, for the statement may name a parameter of a kernel.
        let fill = write(
            "#tiledesc::statement::refusal::fill(#row.chip(), #chip, #transfer, #waves)",
            fill.transfer.span(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("row", self.accesses[0].row(tiledesc, chip)),
                ("chip", literal(&words(chip))),
                ("transfer", literal(&fill.transfer.to_string())),
                ("waves", fill.waves.clone()),
            ],
        );
        write(
            "#tiledesc::statement::refusal::filled([#lines], #fill),",
            Span::mixed_site(),
            &[("tiledesc", tiledesc.clone()), ("lines", lines), ("fill", fill)],
        )
    }

    fn line(&self, tiledesc: &TokenStream, chip: &[TokenTree], access: &Access) -> TokenStream {
        let (mut row, mut more) = ("#row", String::new());
        if !self.demand.is_nothing() {
            (row, more) = ("__DEMAND.row(#row)", ".demanding(__DEMAND)".to_owned());
        }
        if !access.times.is_empty() {
            more.push_str(".times(#times)");
        }
        let (pattern, name) = match access.is_first {
            true => ("#tiledesc::pattern::First<#Pattern>", "first "),
            false => ("#Pattern", ""),
        };
        let kind = if access.kind.to_string() == "read" { "Read" } else { "Write" };
        write(
            &format!(
                "#tiledesc::statement::stated_access::StatedAccess::new::<{pattern}>(
                    #chip, #name, #tiledesc::chip::Access::{kind}, &{row}
                ){more},"
            ),
            Span::mixed_site(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("Pattern", access.pattern.iter().cloned().collect()),
                ("chip", literal(&words(chip))),
                ("name", literal(&format!("{name}{}", words(&access.pattern)))),
                ("row", access.row(tiledesc, chip)),
                ("times", access.times.iter().cloned().collect()),
            ],
        )
    }
}

impl Fill {
    fn read(reader: &mut Reader) -> Read<Option<Self>> {
        const FORM: &str = "write `filled by global_load_lds_b128 by 4 waves, read ..`";
        if reader.take_word("filled").is_none() {
            return Ok(None);
        }
        if reader.take_word("by").is_none() {
            return reader
                .fault(format!("expected `by` and the direct load that fills the tile: {FORM}"));
        }
        let transfer =
            reader.ident(&format!("expected the direct load that fills the tile: {FORM}"))?;
        let waves = waves(reader, FORM)?;
        if !reader.take_sign(',') {
            return reader.fault(format!("expected `,` and the accesses: {FORM}"));
        }
        Ok(Some(Self { transfer, waves }))
    }
}

/// `by 4 waves`: the number of waves.
pub(crate) fn waves(reader: &mut Reader, form: &str) -> Read<TokenStream> {
    if reader.take_word("by").is_none() {
        return reader.fault(format!("expected `by` and the number of waves: {form}"));
    }
    let is_unit = |rest: &[TokenTree]| UNITS.iter().any(|unit| is_word(rest.first(), unit));
    let waves =
        reader.until(|rest| is_unit(rest) || is_sign(rest.first(), ',') || ends_accesses(rest));
    if waves.is_empty() {
        return reader.fault(format!("expected the number of waves: {form}"));
    }
    if !is_unit(reader.rest()) {
        return reader.fault(format!("expected `waves` after their number: {form}"));
    }
    reader.take();
    Ok(bare(waves).into_iter().collect())
}

/// What the number of a fill or of a direct load counts, as either vendor calls it.
const UNITS: [&str; 4] = ["wave", "waves", "warp", "warps"];

impl Access {
    /// An access that may have a name: `pub type StoreA = write ds_write_b128 by Fetch`.
    fn read_named(reader: &mut Reader) -> Read<Self> {
        const FORM: &str = "write `type StoreA = write ds_write_b128 by Fetch`";
        let head = Head::read(reader, "access")?;
        if reader.take_word("type").is_none() {
            let is_plain = head.attributes.is_empty() && head.visibility.is_empty();
            return match is_plain {
                true => Self::read(reader),
                false => reader.fault(format!("expected `type` and a name: {FORM}")),
            };
        }
        let name = reader.ident(&format!("expected a name after `type`: {FORM}"))?;
        if reader.is_sign('<') {
            return reader.fault(format!(
                "`{name}` has no parameters: in a generic kernel write `check_conflict_free!`, and take the addresses of \
                 `Accesses<Distribution, Layout, VectorSize<8>>`"
            ));
        }
        if !reader.take_sign('=') {
            return reader.fault(format!("expected `=` and an access: {FORM}"));
        }
        let access = Self::read(reader)?;
        let wrong = match (access.is_first, access.offsets.is_some()) {
            (true, _) => {
                "`first` is one instruction, and a name is of all that a lane holds: leave out `first`"
            }
            (_, true) => {
                "an instruction of two addresses has no name: state it in `assert_conflict_free!`"
            }
            _ => return Ok(Self { named: Some(Named { head, name }), ..access }),
        };
        Err(Fault::at(name.span(), wrong))
    }

    /// The type of an access that has a name; `of` says of what layout, on which chips.
    fn declared(
        &self,
        tiledesc: &TokenStream,
        layout: &[TokenTree],
        chip: &[TokenTree],
        of: &str,
    ) -> TokenStream {
        let Some(Named { head, name }) = &self.named else { return TokenStream::new() };
        let (kind, instruction, by) = (&self.kind, &self.instruction, words(&self.pattern));
        let about = format!("`{kind} {instruction} by {by}` {of}, free of conflicts.");
        let holes = [
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(name.clone()).into()),
            ("Pattern", self.pattern.iter().cloned().collect()),
            ("Layout", layout_type(tiledesc, layout)),
            ("row", self.row(tiledesc, chip)),
        ];
        let mut code = head.documented(&about, name.span());
        code.extend(moved_to(&head.visibility, name.span()));
        code.extend(write(
            "type #Name = #tiledesc::access::Accesses<
                #Pattern,
                <#Layout as #tiledesc::storage::judged::Judged>::Tile,
                #tiledesc::Lit<{
                    #[allow(unused_imports)]
                    use #tiledesc::chip::names::modules::*;
                    #tiledesc::statement::named_access::elements::<
                        <#Layout as #tiledesc::storage::judged::Judged>::Tile
                    >(&#row)
                }>,
            >;",
            name.span(),
            &holes,
        ));
        code
    }

    fn read(reader: &mut Reader) -> Read<Self> {
        let kind = reader.ident(&format!("expected `read` or `write`: write {FORM}"))?;
        if kind.to_string() == "type" || kind.to_string() == "pub" {
            return Err(Fault::at(
                kind.span(),
                "`access!` declares types: write `access! { Layout on gfx942: type StoreA = write ds_write_b128 by Fetch }`",
            ));
        }
        if !["read", "write"].contains(&kind.to_string().as_str()) {
            return Err(Fault::at(
                kind.span(),
                format!(
                    "`{kind}` is neither `read` nor `write`: write `read ds_read_b128 by RowMajor`"
                ),
            ));
        }
        let instruction = reader.ident(&format!(
            "expected an instruction after `{kind}`: write `{kind} ds_{kind}_b128 by RowMajor`"
        ))?;
        let offsets = match reader.take_group(Delimiter::Parenthesis) {
            None => None,
            Some(group) if Reader::new(group.stream()).list().len() == 2 => Some(group.stream()),
            Some(group) => {
                return Err(Fault::at(
                    group.span(),
                    format!(
                        "expected two offsets, one for each address: write `{instruction}(0, 8)`"
                    ),
                ));
            }
        };
        if reader.take_word("by").is_none() {
            return reader.fault(format!(
                "expected `by` and a pattern: write `{kind} {instruction} by RowMajor`"
            ));
        }
        let is_first = reader.is_word("first") && !ends_pattern(&reader.rest()[1..]);
        if is_first {
            reader.take();
        }
        let pattern = reader.until(ends_pattern);
        if pattern.is_empty() {
            return reader.fault(format!(
                "expected a pattern after `by`: write `{kind} {instruction} by RowMajor`"
            ));
        }
        if let Some(next) = run_on(&pattern) {
            let text = format!(
                "expected `,` before a further access, or `;` before a further layout: `{next}`"
            );
            return Err(Fault::at(next.span(), text));
        }
        let mut times = Vec::new();
        if let Some(word) = reader.take_word("times") {
            times = bare(reader.until(|rest| is_sign(rest.first(), ',') || ends_accesses(rest)));
            if times.is_empty() {
                return Err(Fault::at(
                    word.span(),
                    "expected a number after `times`: write `times 4`",
                ));
            }
        }
        Ok(Self { named: None, kind, instruction, offsets, is_first, pattern, times })
    }

    /// The row of a chip, by the name of one of ours, or by the path of a module of the user's.
    fn row(&self, tiledesc: &TokenStream, chip: &[TokenTree]) -> TokenStream {
        let (code, offsets) = match (chip.len(), &self.offsets) {
            (1, None) => ("#tiledesc::__chip!(#chip [#chip::#instruction])", None),
            (1, Some(offsets)) => {
                ("#tiledesc::__chip!(#chip [#chip::#instruction.offsets(#offsets)])", Some(offsets))
            }
            (_, None) => ("#chip::#instruction", None),
            (_, Some(offsets)) => ("#chip::#instruction.offsets(#offsets)", Some(offsets)),
        };
        write(
            code,
            chip[0].span(),
            &[
                ("tiledesc", tiledesc.clone()),
                ("chip", chip.iter().cloned().collect()),
                ("instruction", TokenTree::from(self.instruction.clone()).into()),
                ("offsets", offsets.cloned().unwrap_or_default()),
            ],
        )
    }
}

/// A chip, or `no chip` is wrong at what stands in its place.
fn chip(reader: &mut Reader) -> Read<Vec<TokenTree>> {
    reader
        .path("expected a chip after `on`: write `on gfx942: ..`, several `on gfx942, gfx950: ..`")
}

/// Returns whether tokens end the accesses.
fn ends_accesses(rest: &[TokenTree]) -> bool {
    rest.is_empty() || is_sign(rest.first(), ';') || is_signs(rest, "=>")
}

fn ends_pattern(rest: &[TokenTree]) -> bool {
    ends_accesses(rest) || is_sign(rest.first(), ',') || is_word(rest.first(), "times")
}

/// The word behind a pattern that has ended: `MfmaRows<16> read ..`, of which rustc would say that a `>` is missing.
fn run_on(pattern: &[TokenTree]) -> Option<&TokenTree> {
    let (mut depth, mut ends) = (0_usize, false);
    for token in pattern {
        let is_word = matches!(token, TokenTree::Ident(_));
        if is_word && ends && depth == 0 {
            return Some(token);
        }
        let closes = is_sign(Some(token), '>');
        depth += usize::from(is_sign(Some(token), '<'));
        depth = depth.saturating_sub(usize::from(closes));
        ends = is_word && !["dyn", "impl"].contains(&&*token.to_string()) || closes;
    }
    None
}

/// The words behind `as`: how sure rows must be, and which of two sources counts that disagree.
#[derive(Default)]
struct Demand {
    evidence: Option<Ident>,
    source: Option<Ident>,
}

impl Demand {
    fn read(reader: &mut Reader) -> Read<Self> {
        let mut demand = Self::default();
        if reader.take_word("as").is_none() {
            return Ok(demand);
        }
        if !matches!(reader.rest().first(), Some(TokenTree::Ident(_))) {
            return reader.fault("expected a word after `as`: `measured`, `documented`, `inferred`, `disputed` or `rival`");
        }
        while let Some(word) = reader.take_ident() {
            demand.add(word)?;
        }
        Ok(demand)
    }

    fn add(&mut self, word: Ident) -> Read<()> {
        let (place, name) = (word.span(), word.to_string());
        let (before, rule) = match name.as_str() {
            "measured" | "documented" | "inferred" => (
                self.evidence.replace(word),
                "how sure its rows must be takes one word: `measured`, `documented` or `inferred`",
            ),
            "disputed" | "rival" => (
                self.source.replace(word),
                "where two sources disagree, write `disputed` for the row's own or `rival` for the other",
            ),
            _ => {
                return Err(Fault::at(
                    place,
                    format!(
                        "cannot parse `as {name}`; evidence is `as measured`, `as documented` or `as inferred`; where two \
                         sources disagree, `as disputed` takes the row's own and `as rival` the other"
                    ),
                ));
            }
        };
        match before {
            None => Ok(()),
            Some(before) => Err(Fault::at(
                place,
                format!("`as {before}` and `as {name}` in one statement: {rule}"),
            )),
        }
    }

    /// Returns whether the statement has no `as`.
    fn is_nothing(&self) -> bool {
        self.evidence.is_none() && self.source.is_none()
    }

    /// The calls that make the demand of one of any row.
    fn calls(&self) -> String {
        let evidence = self.evidence.as_ref().map(|word| match word.to_string().as_str() {
            "measured" => ".at_least(#tiledesc::chip::Evidence::Measured)",
            "documented" => ".at_least(#tiledesc::chip::Evidence::Documented)",
            _ => ".at_least(#tiledesc::chip::Evidence::Inferred)",
        });
        let source = self.source.as_ref().map(|word| format!(".{word}()"));
        evidence.unwrap_or_default().to_owned() + &source.unwrap_or_default()
    }
}
