//! Lists of the library's tables, with evidence and source.

use crate::request::access::word_of;
use crate::request::recipe::families;
use crate::request::spelling::{kebab, plain};
use serde::{Serialize, Serializer};
use serde_json::Value;
use tiledesc::chip::{CHIPS, Chip, Transfer};
use tiledesc::pattern::{NAMED, Named};
use tiledesc::recipe::Family;
use tiledesc::{ELEMENTS, ElementName, chip::Instruction};
use tiledesc_host::emit;

/// Bits of the elements that recipes are listed for; their names do not depend on it.
const BITS: u32 = 16;

/// A list: its word, and the function that makes its rows.
pub(crate) type Listing = (&'static str, fn() -> Vec<Row>);

/// Names and values, in their order.
#[derive(Default)]
pub(crate) struct Row(pub(crate) Vec<(&'static str, Value)>);

impl Row {
    fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((name, value.into()));
        self
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

pub(crate) const TABLES: [Listing; 7] = [
    ("chips", chips),
    ("instructions", instructions),
    ("transfers", transfers),
    ("patterns", patterns),
    ("recipes", recipes),
    ("elements", elements),
    ("languages", languages),
];

/// The list of a word: a table, the instructions and transfers of a chip, or one recipe with its page.
pub(crate) fn rows(what: &str) -> Option<Vec<Row>> {
    if let Some((_, table)) = TABLES.iter().find(|(name, _)| *name == what) {
        return Some(table());
    }
    if let Some(chip) = CHIPS.iter().find(|chip| chip.name() == what) {
        let fills = chip.transfers().iter().map(|row| transfer(chip, row));
        return Some(chip.rows().iter().map(instruction).chain(fills).collect());
    }
    Some(vec![recipe(family(what)?, true)])
}

/// All words that have a list.
pub(crate) fn words_known() -> Vec<String> {
    let tables = TABLES.iter().map(|(name, _)| name.to_string());
    let chips = CHIPS.iter().map(|chip| chip.name().to_string());
    tables.chain(chips).chain(families(BITS).iter().map(|family| kebab(family.name()))).collect()
}

fn family(name: &str) -> Option<&'static Family> {
    families(BITS).iter().find(|one| plain(one.name()) == plain(name))
}

/// The keys of a recipe: its parameters, and its list.
pub(crate) fn keys(family: &Family) -> Vec<String> {
    family.parameters().iter().chain(&family.list()).map(|name| name.to_lowercase()).collect()
}

/// The page of one recipe, as its documentation has it, but for the example.
pub(crate) fn page(what: &str) -> Option<String> {
    let family = family(what)?;
    let lines = family.page().iter().take_while(|line| !line.contains("```"));
    let lines = lines.map(|line| unmarked(line).trim_end().to_string() + "\n");
    let head = format!("{}: {}\n", kebab(family.name()), keys(family).join(", "));
    Some((head + &lines.collect::<String>()).trim_end().to_string() + "\n")
}

fn chips() -> Vec<Row> {
    let chip = |chip: &Chip| {
        Row::default()
            .with("chip", chip.name())
            .with("lanes", chip.wave())
            .with("bytes", chip.lds())
            .with("banks", chip.banks())
            .with("rows", chip.tally().to_string())
    };
    CHIPS.iter().map(chip).collect()
}

fn instructions() -> Vec<Row> {
    CHIPS.iter().flat_map(|chip| chip.rows()).map(instruction).collect()
}

fn instruction(row: &Instruction) -> Row {
    let service = row.service();
    let rival = row.rival().map(|rival| {
        format!("{} banks, {} phases by {}", rival.banks, rival.phases.count(), rival.source)
    });
    Row::default()
        .with("chip", row.chip())
        .with("instruction", row.name())
        .with("access", word_of(row.access()))
        .with("bytes", row.bytes() * row.parts() as u32)
        .with("banks", service.banks)
        .with("phases", service.phases.count())
        .with("evidence", service.evidence.name())
        .with("source", service.source)
        .with("disputed", rival)
}

fn transfers() -> Vec<Row> {
    let of =
        |chip: &Chip| chip.transfers().iter().map(|row| transfer(chip, row)).collect::<Vec<_>>();
    CHIPS.iter().flat_map(of).collect()
}

/// The transfers that can `fill` a tile, in the columns of an instruction; bytes are those of a lane.
fn transfer(chip: &Chip, row: &Transfer) -> Row {
    let (evidence, source) = row.evidence();
    Row::default()
        .with("chip", chip.name())
        .with("instruction", row.name())
        .with("access", "fill")
        .with("bytes", row.data())
        .with("banks", Value::Null)
        .with("phases", Value::Null)
        .with("evidence", evidence.name())
        .with("source", source)
        .with("disputed", Value::Null)
}

fn patterns() -> Vec<Row> {
    let pattern = |named: &Named| {
        let parameter = named.parameter().map(|name| format!(" {name}")).unwrap_or_default();
        Row::default()
            .with("pattern", kebab(named.name()) + &parameter)
            .with("touches", words(named.page().iter().copied()))
    };
    NAMED.iter().map(pattern).collect()
}

fn recipes() -> Vec<Row> {
    families(BITS).iter().map(|family| recipe(family, false)).collect()
}

fn recipe(family: &Family, with_page: bool) -> Row {
    let page = family.page().iter().copied();
    let about = match with_page {
        true => words(page.take_while(|line| !line.contains("```"))),
        false => words(page.take_while(|line| !line.trim().is_empty())),
    };
    Row::default()
        .with("recipe", kebab(family.name()))
        .with("parameters", keys(family).join(" "))
        .with("about", about)
        .with("source", family.source().map(unmarked))
}

fn elements() -> Vec<Row> {
    let element = |one: &ElementName| {
        Row::default()
            .with("element", one.code.to_lowercase())
            .with("also", one.name)
            .with("bits", one.bits)
    };
    ELEMENTS.iter().map(element).collect()
}

fn languages() -> Vec<Row> {
    let language = |form: &emit::Form| {
        Row::default()
            .with("language", form.language().to_lowercase())
            .with("extension", form.extension())
    };
    emit::FORMS.iter().map(language).collect()
}

/// Lines of a page as one, without Markdown's marks.
pub(crate) fn words<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let text = lines.map(unmarked).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `struct@super::GemmXor` links and code marks as plain words.
fn unmarked(line: &str) -> String {
    let text = line.replace('`', "");
    let (Some(begin), Some(end)) = (text.find("]("), text.find(')')) else { return text };
    match end.checked_sub(begin) {
        Some(_) => unmarked(&(text[..begin].replacen('[', "", 1) + &text[end + 1..])),
        None => text,
    }
}
