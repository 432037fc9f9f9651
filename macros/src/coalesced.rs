//! Lines of global memory: which distribution loads or stores which elements, and how many lines a wave may touch.
//!
//! ```text
//!   Fetch on gfx942, gfx950: global_load_dwordx4 of F16, from rows of multiples of 8, at most 16 lines
//!
//!   coalesced::refuse::<Fetch, F16>("Fetch", &["gfx942", "gfx950"], "global_load_dwordx4", Pitch::multiple_of(8), AtMost::Lines(16))
//! ```

use crate::reader::{Read, Reader, bare, is_sign};
use crate::statement::layout;
use crate::template::{literal, words, write};
use proc_macro::{Ident, Span, TokenStream, TokenTree};

const EXAMPLE: &str = "on gfx942: global_load_dwordx4 of F16, from rows of 8192";
const FORM: &str = "write `Fetch on gfx942: global_load_dwordx4 of F16, from rows of 8192`; also `rows of multiples of 8`, \
                    `, at most 16 lines`";

/// `Fetch on gfx942: global_load_dwordx4 of F16, from rows of multiples of 8, at most 16 lines`
struct Statement {
    distribution: Vec<TokenTree>,
    chips: Vec<Ident>,
    instruction: Ident,
    element: Vec<TokenTree>,
    rows: &'static str,
    pitch: TokenStream,
    /// The limit, and whether it is of lines or sectors.
    most: Option<(TokenStream, &'static str)>,
}

impl Statement {
    fn read(reader: &mut Reader) -> Read<Self> {
        let distribution = layout(reader, EXAMPLE)?;
        let mut chips = vec![reader.ident(&format!("expected a chip after `on`: {FORM}"))?];
        while reader.take_sign(',') {
            chips.push(reader.ident(&format!("expected a further chip after `,`: {FORM}"))?);
        }
        if !reader.take_signs(":") {
            return reader.fault(format!("expected `:` and an instruction after the chip: {FORM}"));
        }
        let instruction = reader.ident(&format!("expected an instruction after `:`: {FORM}"))?;
        if reader.take_word("of").is_none() {
            return reader
                .fault(format!("expected `of` and the element after `{instruction}`: {FORM}"));
        }
        let element = reader.until(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), ';'));
        if element.is_empty() {
            return reader.fault(format!("expected an element after `of`: {FORM}"));
        }
        if !(reader.take_sign(',') && reader.take_words(&["from", "rows", "of"])) {
            return reader
                .fault(format!("expected `, from rows of` and a pitch in elements: {FORM}"));
        }
        let rows = match reader.take_words(&["multiples", "of"]) {
            true => "multiple_of",
            false => "new",
        };
        let pitch =
            reader.expression(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), ';'));
        if pitch.is_empty() {
            return reader.fault(format!("expected a pitch in elements: {FORM}"));
        }
        let pitch = bare(pitch).into_iter().collect();
        let most = Self::read_most(reader)?;
        if !reader.is_at_end() && !reader.take_sign(';') {
            return reader.fault(format!("expected `;`, or `, at most 16 lines`: {FORM}"));
        }
        Ok(Self { distribution, chips, instruction, element, rows, pitch, most })
    }

    /// `, at most 16 lines`
    fn read_most(reader: &mut Reader) -> Read<Option<(TokenStream, &'static str)>> {
        if !reader.take_sign(',') {
            return Ok(None);
        }
        if !reader.take_words(&["at", "most"]) {
            return reader.fault("expected `at most 16 lines` after `,`");
        }
        let is_unit = |rest: &[TokenTree]| matches!(rest.first(), Some(TokenTree::Ident(word)) if unit_of(word).is_some());
        let number = reader.until(|rest| is_unit(rest) || is_sign(rest.first(), ';'));
        if number.is_empty() {
            return reader.fault("expected a number after `at most`: write `at most 16 lines`");
        }
        let Some(unit) = reader.take_ident().and_then(|word| unit_of(&word)) else {
            return reader
                .fault("expected `lines` or `sectors` after the number: write `at most 16 lines`");
        };
        Ok(Some((bare(number).into_iter().collect(), unit)))
    }

    fn write(&self, tiledesc: &TokenStream, is_item: bool) -> TokenStream {
        let name = literal(&words(&self.distribution));
        let (limit, number) = match &self.most {
            None => ("Least".to_owned(), TokenStream::new()),
            Some((number, unit)) => (format!("{unit}(#number)"), number.clone()),
        };
        let most = write(
            &format!("#tiledesc::statement::coalesced::AtMost::{limit}"),
            Span::mixed_site(),
            &[("tiledesc", tiledesc.clone()), ("number", number)],
        );
        let mut chips = TokenStream::new();
        for chip in &self.chips {
            chips.extend(write(
                "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@name #chip)] },",
                chip.span(),
                &[("tiledesc", tiledesc.clone()), ("chip", TokenTree::from(chip.clone()).into())],
            ));
        }
        let holes = [
            ("tiledesc", tiledesc.clone()),
            ("Distribution", self.distribution.iter().cloned().collect()),
            ("Element", self.element.iter().cloned().collect()),
            ("name", name),
            ("chips", chips),
            ("instruction", literal(&self.instruction.to_string())),
            ("pitch", self.pitch.clone()),
            ("most", most),
        ];
        let refused = write(
            &format!(
                "#tiledesc::statement::coalesced::refuse::<#Distribution, #Element>(
                    #name, &[#chips], #instruction, #tiledesc::access::Pitch::{}(#pitch), #most,
                );",
                self.rows
            ),
            self.instruction.span(),
            &holes,
        );
        let (before, behind) = if is_item { ("const _: () =", ";") } else { ("const", "") };
        write(
            &format!("#[allow(long_running_const_eval)] {before} {{ #refused }} {behind}"),
            Span::mixed_site(),
            &[("refused", refused)],
        )
    }
}

fn unit_of(word: &Ident) -> Option<&'static str> {
    match word.to_string().as_str() {
        "line" | "lines" => Some("Lines"),
        "sector" | "sectors" => Some("Sectors"),
        _ => None,
    }
}

/// One statement: a constant, or a constant expression of a function.
pub(crate) fn expand(
    tiledesc: &TokenStream,
    reader: &mut Reader,
    is_item: bool,
) -> Read<TokenStream> {
    Ok(Statement::read(reader)?.write(tiledesc, is_item))
}
