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

use crate::declaration::{FOUND, limit};
use crate::reader::{Fault, Head, Read, Reader, is_sign, is_word};
use crate::template::{literal, moved_to, number, words, write};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

const FORM: &str =
    "write `type Tile = F16 [128, 64] on gfx942: type Stores from Sums, type Loads to Rows;`";

/// `type Stores from Sums`
struct Side {
    head: Head,
    name: Ident,
    distribution: Vec<TokenTree>,
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
        let distribution =
            reader.until(|rest| is_sign(rest.first(), ',') || is_sign(rest.first(), ';'));
        if distribution.is_empty() {
            return reader
                .fault(format!("convert!: expected a distribution after `{way}`: {FORM}"));
        }
        Ok(Self { head, name, distribution })
    }

    /// The type of its addresses.
    fn written(&self, tiledesc: &TokenStream, tile: &Ident, pack: usize) -> TokenStream {
        let does = ["stores what lanes hold of", "loads what lanes are to hold of"][pack];
        let about = format!("The access that {does} `{}`.", words(&self.distribution));
        let about = if self.head.attributes.is_empty() { about } else { format!("\n\n{about}") };
        let holes = [
            ("tiledesc", tiledesc.clone()),
            ("about", literal(&about)),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("Tile", TokenTree::from(tile.clone()).into()),
            ("Distribution", self.distribution.iter().cloned().collect()),
            ("pack", number(pack)),
        ];
        let mut code: TokenStream = self.head.attributes.iter().cloned().collect();
        code.extend(write("#[doc = #about]", self.name.span(), &holes));
        code.extend(moved_to(&self.head.visibility, self.name.span()));
        code.extend(write(
            "type #Name = #tiledesc::access::Accesses<
                #Distribution, #Tile, #tiledesc::Lit<{ #Tile.packs[#pack] }>,
            >;",
            self.name.span(),
            &holes,
        ));
        code
    }
}

struct Conversion {
    head: Head,
    name: Ident,
    element: TokenStream,
    tile: TokenStream,
    chip: Ident,
    sides: [Side; 2],
    limit: TokenStream,
}

impl Conversion {
    fn read(reader: &mut Reader) -> Read<Self> {
        let head = Head::read(reader, "convert")?;
        if reader.take_word("type").is_none() {
            return reader.fault(format!("convert!: expected `type`: {FORM}"));
        }
        let name = reader.ident(&format!("convert!: expected a name after `type`: {FORM}"))?;
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
        Ok(Self { head, name, element, tile, chip, sides, limit })
    }

    fn write(&self, tiledesc: &TokenStream) -> TokenStream {
        let place = self.name.span();
        let chip = write(
            "#tiledesc::__chip! { #chip [#tiledesc::__chip!(@name #chip)] }",
            self.chip.span(),
            &[("tiledesc", tiledesc.clone()), ("chip", TokenTree::from(self.chip.clone()).into())],
        );
        let [from, to] = [0, 1].map(|side: usize| &self.sides[side].distribution);
        let holes = [
            ("tiledesc", tiledesc.clone()),
            ("Name", TokenTree::from(self.name.clone()).into()),
            ("name", literal(&self.name.to_string())),
            ("about", literal(&format!("What was found for the conversion by `{}`.", self.name))),
            ("Element", self.element.clone()),
            ("tile", self.tile.clone()),
            ("chip", chip),
            ("From", from.iter().cloned().collect()),
            ("To", to.iter().cloned().collect()),
            ("from", literal(&words(from))),
            ("to", literal(&words(to))),
            ("limit", self.limit.clone()),
        ];
        let mut code = write(
            "#[doc = #about] #[allow(non_upper_case_globals, long_running_const_eval, dead_code)]",
            place,
            &holes,
        );
        code.extend(moved_to(&self.head.visibility, place));
        code.extend(write(
            "const #Name: #tiledesc::statement::Converted = #tiledesc::statement::conversion::convert::<
                #Element, #From, #To,
            >([#tile], #chip, [#from, #to]);",
            place,
            &holes,
        ));
        code.extend(self.head.attributes.iter().cloned());
        code.extend(moved_to(&self.head.visibility, place));
        let recipe = write(FOUND, Span::mixed_site(), &holes);
        code.extend(write(
            "type #Name = #tiledesc::Layout<#Element, #recipe>;",
            place,
            &[&holes[..], &[("recipe", recipe)]].concat(),
        ));
        for (pack, side) in self.sides.iter().enumerate() {
            code.extend(side.written(tiledesc, &self.name, pack));
        }
        code.extend(write(
            "#[allow(long_running_const_eval)]
            const _: () = #tiledesc::statement::conversion::confirm::<#Name, #From, #To>(
                #name, [#tile], #chip, &#Name, #limit,
            );",
            place,
            &holes,
        ));
        code
    }
}

/// One declaration.
pub(crate) fn expand(tiledesc: &TokenStream, reader: &mut Reader) -> Read<TokenStream> {
    Ok(Conversion::read(reader)?.write(tiledesc))
}
