//! `convert!`: from what lanes hold by one distribution to another, through a layout that is found.
//!
//! ```text
//!   type Tile = F16 [128, 64] on gfx942: type Stores from Sums, type Loads to Rows; at most 96 cycles;
//!
//!   const Tile: Converted = convert::<F16, Sums, Rows>([128, 64], "gfx942", ["Sums", "Rows"]);
//!   type Tile = Layout<F16, the recipe of the constant's numbers>;
//!   type Stores = Accesses<Sums, Tile, Lit<{ Tile.packs[0] }>>;
//!   type Loads = Accesses<Rows, Tile, Lit<{ Tile.packs[1] }>>;
//!   const _: () = confirm::<Tile, Sums, Rows>("Tile", [128, 64], "gfx942", &Tile, Some(96));
//! ```
//!
//! With parameters, `type Tile<E: Element, C: Target> = E [128, 64] on C: ..`, and behind `by any` the accesses are a `Side` of
//! the question as a type (`src/statement/converting.rs`).

use crate::declaration::{FOUND, limit, named_by};
use crate::reader::{Fault, Head, Parameter, Read, Reader, is_sign, is_word, parameters};
use crate::template::{literal, moved_to, number as index, words, words_of, write};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

const FORM: &str =
    "write `type Tile = F16 [128, 64] on gfx942: type Stores from Sums, type Loads to Rows;`";

/// `type Stores from Sums by any`
struct Side {
    head: Head,
    name: Ident,
    distribution: Vec<TokenTree>,
    /// Whether its instruction may hand round what lanes address.
    by_any: bool,
}

impl Side {
    fn read(reader: &mut Reader, way: &str) -> Read<Self> {
        let head = Head::read(reader, "convert")?;
        if reader.take_word("type").is_none() {
            return reader
                .fault(format!("convert!: expected `type` and a name of the accesses: {FORM}"));
        }
        let name = reader.ident(&format!("convert!: expected a name after `type`: {FORM}"))?;
        if reader.take_word(way).is_none() {
            return reader.fault(format!(
                "convert!: expected `{way}` and a distribution after `{name}`: {FORM}"
            ));
        }
        let distribution = reader.until(|rest| {
            is_sign(rest.first(), ',') || is_sign(rest.first(), ';') || is_word(rest.first(), "by")
        });
        if distribution.is_empty() {
            return reader
                .fault(format!("convert!: expected a distribution after `{way}`: {FORM}"));
        }
        let by_any = reader.take_word("by").is_some();
        if by_any && reader.take_word("any").is_none() {
            return reader.fault(
                "convert!: the instruction is chosen: write `by any` to have `ldmatrix`, `stmatrix` and transposing reads tried \
                 too, or nothing",
            );
        }
        Ok(Self { head, name, distribution, by_any })
    }

    /// The type of its addresses: `accesses` is code with holes.
    fn written(&self, side: usize, accesses: &str, holes: &[(&str, TokenStream)]) -> TokenStream {
        let does = ["stores what lanes hold of", "loads what lanes are to hold of"][side];
        let about = format!("The access that {does} `{}`.", words(&self.distribution));
        let own = [
            ("Side", TokenTree::from(self.name.clone()).into()),
            ("Distribution", self.distribution.iter().cloned().collect()),
            ("side", index(side)),
        ];
        let holes = [holes, &own].concat();
        let mut code = self.head.documented(&about, self.name.span());
        code.extend(moved_to(&self.head.visibility, self.name.span()));
        code.extend(write(
            &format!("type #Side<#declared> = {accesses};"),
            self.name.span(),
            &holes,
        ));
        code
    }
}

struct Conversion {
    head: Head,
    name: Ident,
    parameters: Vec<Parameter>,
    element: TokenStream,
    tile: TokenStream,
    chip: Ident,
    sides: [Side; 2],
    limit: TokenStream,
}

/// The question as a type.
const ASKED: &str = "#tiledesc::statement::converting::Asked<
    #Element, #From, #To, #Chip, #Rows, #Columns, #says,
    { match #limit { ::core::option::Option::Some(cycles) => cycles, ::core::option::Option::None => 0 } },
>";

impl Conversion {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "convert")?;
        if reader.take_word("type").is_none() {
            return reader.fault(format!("convert!: expected `type`: {FORM}"));
        }
        let name = reader.ident(&format!("convert!: expected a name after `type`: {FORM}"))?;
        let parameters = parameters(reader, |parameter| {
            let is_bounded = parameter.is_constant || !parameter.bound.is_empty();
            (!is_bounded).then(|| {
                format!(
                    "convert!: `{}` has no bound: write `type {name}<E: Element, C: Target> = ..`",
                    parameter.name
                )
            })
        })?;
        if !reader.take_sign('=') {
            return reader.fault(format!("convert!: expected `=` after `{name}`: {FORM}"));
        }
        let element = reader.until(|rest| {
            let is_tile = matches!(rest.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
            is_tile || is_word(rest.first(), "on") || is_sign(rest.first(), ';')
        });
        let Some(tile) = reader.take_group(Delimiter::Bracket) else {
            return reader.fault(format!(
                "convert!: expected the tile, its rows and columns, after the element type: {FORM}"
            ));
        };
        if element.is_empty() || Reader::new(tile.stream()).list().len() != 2 {
            let missing = if element.is_empty() { "an element type" } else { "rows and columns" };
            return Err(Fault::at(tile.span(), format!("convert!: expected {missing}: {FORM}")));
        }
        if reader.take_word("on").is_none() {
            return reader.fault(format!("convert!: expected `on` and a chip: {FORM}"));
        }
        let chip = reader.ident(&format!("convert!: expected a chip after `on`: {FORM}"))?;
        if !reader.take_signs(":") {
            return reader
                .fault(format!("convert!: expected `:` and the accesses after the chip: {FORM}"));
        }
        let from = Side::read(reader, "from")?;
        if !reader.take_sign(',') {
            return reader.fault(format!("convert!: expected `,` and `type Loads to ..`: {FORM}"));
        }
        let sides = [from, Side::read(reader, "to")?];
        let limit = limit(reader, "convert")?;
        let (element, tile) = (element.into_iter().collect(), tile.stream());
        Ok(Self { head, name, parameters, element, tile, chip, sides, limit })
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let holes = self.holes(tiledesc);
        match self.parameters.is_empty() {
            true => self.write_found(&holes),
            false => self.write_open(&holes),
        }
    }

    /// The constant, the recipe of its numbers as a type, and the accesses.
    fn write_found(&self, holes: &[(&str, TokenStream)]) -> TokenStream {
        let place = self.name.span();
        let mut code = write(
            "#[doc = #about] #[allow(non_upper_case_globals, long_running_const_eval, dead_code)]",
            place,
            holes,
        );
        code.extend(moved_to(&self.head.visibility, place));
        let found = match self.sides.iter().any(|side| side.by_any) {
            true => format!(
                "<{ASKED} as #tiledesc::statement::converting::Conversion>::CONVERTED.by([#from, #to])"
            ),
            false => "#tiledesc::statement::conversion::convert::<#Element, #From, #To>(
                [#tile], #chip, [#from, #to], [false, false],
            )"
            .to_owned(),
        };
        code.extend(write(
            &format!("const #Name: #tiledesc::statement::Converted = {found};"),
            place,
            holes,
        ));
        // The tile has the names of both distributions, whatever they are.
        let found = FOUND
            .replace("#tiledesc::parameter::M<", "#tiledesc::Lit<")
            .replace("#tiledesc::parameter::K<", "#tiledesc::Lit<");
        code.extend(self.tile(&format!("#tiledesc::Layout<#Element, {found}>"), holes));
        for (number, side) in self.sides.iter().enumerate() {
            let accesses = match side.by_any {
                true => format!("#tiledesc::statement::Side<{ASKED}, #Name, #side>"),
                false => "#tiledesc::access::Accesses<
                    #Distribution, #Name, #tiledesc::Lit<{ #Name.packs[#side] }>,
                >"
                .to_owned(),
            };
            code.extend(side.written(number, &accesses, holes));
        }
        code.extend(write(
            "#[allow(long_running_const_eval)]
            const _: () = #tiledesc::statement::conversion::confirm::<#Name, #From, #To>(
                #name, [#tile], #chip, &#Name, #limit,
            );",
            place,
            holes,
        ));
        code
    }

    /// Types whose numbers are known where a kernel uses them.
    fn write_open(&self, holes: &[(&str, TokenStream)]) -> TokenStream {
        let layout = format!(
            "#tiledesc::Layout<#Element, #tiledesc::statement::converting::Found<{ASKED}>>"
        );
        let mut code = self.tile(&layout, holes);
        for (number, side) in self.sides.iter().enumerate() {
            let accesses = format!("#tiledesc::statement::Side<{ASKED}, #Name<#names>, #side>");
            code.extend(side.written(number, &accesses, holes));
        }
        code
    }

    /// The type of the layout.
    fn tile(&self, layout: &str, holes: &[(&str, TokenStream)]) -> TokenStream {
        let place = self.name.span();
        let [from, to] = [0, 1].map(|side: usize| words(&self.sides[side].distribution));
        let (element, tile) = (words_of(&self.element), words_of(&self.tile));
        let about = format!(
            "The layout through which `{element} [{tile}]` on {} goes from `{from}` to `{to}`.",
            self.chip
        );
        let about = match self.parameters.is_empty() {
            true => format!("{about} {}", named_by(&self.name)),
            false => about,
        };
        let mut code = self.head.documented(&about, place);
        code.extend(moved_to(&self.head.visibility, place));
        code.extend(write("type #Name<#declared> =", place, holes));
        code.extend(write(&format!("{layout};"), Span::mixed_site(), holes));
        code
    }

    fn holes(&self, tiledesc: &TokenStream) -> Vec<(&'static str, TokenStream)> {
        let chip = |code: &str| {
            let holes = [
                ("tiledesc", tiledesc.clone()),
                ("chip", TokenTree::from(self.chip.clone()).into()),
            ];
            write(code, self.chip.span(), &holes)
        };
        let named = "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@name #chip)] }";
        // A wrong name is refused once: with parameters the type alone has it.
        let typed = match self.parameters.is_empty() {
            true => "#tiledesc::__chip!(@type #chip)",
            false => "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@type #chip)] }",
        };
        let [from, to] = [0, 1].map(|side: usize| &self.sides[side].distribution);
        let [rows, columns] = self.lengths(tiledesc);
        let says = self.sides.iter().enumerate().map(|(i, side)| usize::from(side.by_any) << i);
        let says = says.sum::<usize>() + 4 * usize::from(!self.parameters.is_empty());
        vec![
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("name", literal(&self.name.to_string())),
            (
                "about",
                literal(&format!(
                    "What was found for the conversion by [`{0}`](type@{0}): instructions, layout and cycles.",
                    self.name
                )),
            ),
            ("declared", Parameter::declared(&self.parameters)),
            ("names", Parameter::names(&self.parameters)),
            ("Element", self.element.clone()),
            ("tile", self.tile.clone()),
            ("Rows", rows),
            ("Columns", columns),
            ("says", index(says)),
            ("chip", chip(named)),
            ("Chip", chip(typed)),
            ("From", from.iter().cloned().collect()),
            ("To", to.iter().cloned().collect()),
            ("from", literal(&words(from))),
            ("to", literal(&words(to))),
            ("limit", self.limit.clone()),
        ]
    }

    /// The lengths as types: of a declaration without parameters any constants, else numbers.
    fn lengths(&self, tiledesc: &TokenStream) -> [TokenStream; 2] {
        let lengths = Reader::new(self.tile.clone()).list();
        [0, 1].map(|side: usize| {
            let length = &lengths[side];
            let is_type = length.iter().any(|token| is_sign(Some(token), '<'));
            let code = match (self.parameters.is_empty(), is_type) {
                (true, _) => "#tiledesc::Lit<{ [#tile][#side] }>",
                (false, true) => "#length",
                (false, false) => "#tiledesc::number!(#length)",
            };
            let holes = [
                ("tiledesc", tiledesc.clone()),
                ("tile", self.tile.clone()),
                ("side", index(side)),
                ("length", length.iter().cloned().collect()),
            ];
            write(code, Span::mixed_site(), &holes)
        })
    }
}

/// One declaration.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Conversion::read(reader)?.write(tiledesc))
}
