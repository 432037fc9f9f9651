//! What every file must be: alone, small, titled, and drawn alike by a renderer that is not a browser.

use super::colours::{fill, rgb};
use super::{ABlock, all};
use resvg::usvg::roxmltree::{Document, Node};
use resvg::{tiny_skia, usvg};
use std::collections::BTreeSet;
use tiledesc::Op;
use tiledesc::prelude::*;
use tiledesc_host::plot::{self, Draw};

const SVG: &str = "http://www.w3.org/2000/svg";

/// What is wrong with a document.
fn faults(name: &str, svg: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ask = |holds: bool, what: String| {
        if !holds {
            faults.push(format!("{name}: {what}"));
        }
    };
    let document = Document::parse(svg).unwrap();
    let root = document.root_element();
    ask(
        root.attribute("role") == Some("img") && root.has_attribute("viewBox"),
        "no picture".into(),
    );
    let first: Vec<_> = root.children().filter(Node::is_element).take(2).collect();
    ask(first[0].has_tag_name((SVG, "title")) && first[0].text().is_some(), "no title".into());
    ask(first[1].has_tag_name((SVG, "desc")) && first[1].text().is_some(), "no desc".into());
    ask(svg.matches("http").count() == 1, "an address of elsewhere".into());
    ask(svg.matches("url(").count() == svg.matches("url(#tiledesc-").count(), "a far url".into());
    for word in ["@import", "@font-face", "<script", "javascript:", "data:", "var("] {
        ask(!svg.contains(word), word.into());
    }
    let known =
        ["svg", "title", "desc", "style", "rect", "defs", "pattern", "path", "g", "use", "text"];
    for node in document.descendants().filter(Node::is_element) {
        let tag = node.tag_name().name();
        ask(known.contains(&tag), format!("<{tag}>"));
        for attribute in node.attributes() {
            ask(!attribute.name().starts_with("on"), attribute.name().into());
        }
        if let Some(target) = node.attribute("href") {
            let id = target.strip_prefix('#').unwrap_or("");
            let made = |other: &Node<'_, '_>| other.attribute("id") == Some(id);
            ask(
                document.descendants().any(|other| made(&other)),
                format!("{target} leads nowhere"),
            );
        }
        // A copy stands in a tree of its own, in which it has no ancestor of a class.
        if let ("rect", Some(_), Some(class)) = (tag, node.attribute("id"), node.attribute("class"))
        {
            let is_alone = svg.contains(&format!("rect.{class}{{fill:"));
            ask(is_alone, format!("the colour of {class} is matched by an ancestor"));
        }
        if tag == "use" {
            let title = node.children().find(|child| child.has_tag_name((SVG, "title")));
            ask(title.and_then(|title| title.text()).is_some(), "a cell without a title".into());
        }
    }
    faults
}

#[test]
fn files_stand_alone() {
    let faults: Vec<_> = all().iter().flat_map(|one| faults(one.name, &one.figure.svg())).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    // The judge sees what it is for.
    let bad = r##"<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 1 1"><title>a</title>
        <desc>b</desc><image href="http://x/y.png"/><use href="#a"/></svg>"##;
    assert_eq!(self::faults("bad", bad).len(), 5);
}

#[test]
fn every_cell_has_a_title_and_names_are_escaped() {
    let evil = "<script>&\"'\u{1}\u{ffff}]]>";
    let figure = ABlock::default().figure().named(evil).rows(0..4).tile(32).unwrap().titled(evil);
    assert!(faults("evil", &figure.svg()).is_empty());
    assert_eq!(
        Document::parse(&figure.svg())
            .unwrap()
            .descendants()
            .find(|n| n.has_tag_name((SVG, "title")))
            .unwrap()
            .text(),
        Some("<script>&\"'\u{fffd}\u{fffd}]]>")
    );
    for one in all() {
        assert!(one.figure.cells().all(|cell| !cell.title().is_empty()), "{}", one.name);
        assert!(!one.figure.summary().is_empty());
        // One name is one picture: nothing but what it shows is in the bytes.
        assert_eq!(one.figure.svg(), one.figure.clone().svg());
    }
}

#[test]
fn a_64x64_grid_is_small() {
    layout! { type Tile = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>; }
    let svg = Tile::default().figure().tile(64).unwrap().svg();
    assert!(svg.len() < 300_000, "{}", svg.len());
    let large = Plan::packed(&[512, 512]).unwrap().figure().with_element(F16).tile(32).unwrap_err();
    assert_eq!(
        large.to_string(),
        "262144 cells are more than the 65536 that are drawn: take fewer rows, `.rows(0..64)`",
    );
}

/// A renderer that is not a browser draws each cell where its number stands.
#[test]
fn renderers_agree() {
    for one in all() {
        let tree = usvg::Tree::from_str(&one.figure.svg(), &usvg::Options::default()).unwrap();
        let size = tree.size().to_int_size();
        let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).unwrap();
        resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
        let svg = one.figure.svg();
        let document = Document::parse(&svg).unwrap();
        let covered = |cell: &&plot::Cell| cell.is_hatched() || cell.is_outlined();
        let covered: BTreeSet<_> = one.figure.cells().filter(covered).map(|c| c.title()).collect();
        let mut cells = 0;
        for node in document.descendants().filter(|node| node.has_tag_name((SVG, "use"))) {
            let title = node.first_element_child().unwrap().text().unwrap();
            if covered.contains(title) {
                continue;
            }
            let row = node.parent().unwrap().attribute("transform").unwrap();
            let row: f32 = row.trim_end_matches(')').rsplit(' ').next().unwrap().parse().unwrap();
            let x: f32 = node.attribute("x").unwrap().parse().unwrap();
            let class = &node.attribute("href").unwrap()[1..3];
            let at =
                pixels.pixel((x * 7.5 + 12.0) as u32 + 3, (row * 18.0 + 12.0) as u32 + 3).unwrap();
            let wanted = rgb(fill(&svg, class));
            assert_eq!([at.red(), at.green(), at.blue()], wanted, "{}: {title}", one.name);
            cells += 1;
        }
        assert!(cells > 0, "{}", one.name);
    }
}

/// Both forms say the same: every number that stands in a cell stands in the SVG and in the text. Only what a mark means
/// is said where the form has the mark.
#[test]
fn both_forms_say_the_same() {
    for one in all() {
        let (svg, text) = (one.figure.svg(), one.figure.text());
        let document = Document::parse(&svg).unwrap();
        let written = document.descendants().filter(|node| node.has_tag_name((SVG, "text")));
        let written: Vec<_> = written.filter_map(|node| node.text()).collect();
        let written = written.join(" ");
        let count = |text: &str| {
            let mut count = std::collections::BTreeMap::new();
            let is_word = |c: char| !(c.is_whitespace() || "[]|+-/".contains(c));
            let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
            words.for_each(|word| *count.entry(word.to_owned()).or_insert(0) += 1);
            count
        };
        let (all, here) = (count(&written), count(&text));
        let mut words = here.iter().filter(|(word, _)| !matches!(word.as_str(), ":" | ".."));
        assert!(words.all(|(word, many)| all.get(word) >= Some(many)), "{}", one.name);
        let marks = ["Hatched:", "Framed:", "Colour:"];
        if marks.iter().all(|mark| !all.contains_key(*mark)) {
            assert_eq!(all, here, "{}", one.name);
        }
        // Colours add nothing but themselves.
        let coloured = one.figure.coloured_text();
        let plain: String = coloured
            .split('\u{1b}')
            .enumerate()
            .map(|(i, part)| if i == 0 { part } else { part.split_once('m').unwrap().1 })
            .collect();
        // Above the notes, of which one is of colours.
        let lines = |text: &str| {
            let (above, _) = text.trim_end().rsplit_once("\n\n").unwrap();
            above.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(lines(&plain), lines(&text), "{}", one.name);
    }
}

/// A legend speaks of what is to be seen: of a hatch where a cell has one, and in characters `//` where it has no number;
/// of colours only where there are some.
#[test]
fn legends_are_of_what_is_shown() {
    let (mut hatched, mut framed, mut hidden) = (0, 0, 0);
    for one in all() {
        let (svg, text, name) = (one.figure.svg(), one.figure.text(), &one.name);
        let is_there = |is: &dyn Fn(&tiledesc_host::plot::Cell) -> bool| one.figure.cells().any(is);
        // Every figure with such cells has a legend, but for two whose cells say it themselves.
        let says_itself = matches!(*name, "evidence" | "direct");
        let is_hatched = is_there(&|cell| cell.is_hatched()) && !says_itself;
        let is_empty =
            is_there(&|cell| cell.is_hatched() && cell.label().is_empty()) && !says_itself;
        let is_framed = is_there(&|cell| cell.is_outlined());
        assert_eq!(svg.contains("Hatched:"), is_hatched, "{name}");
        assert_eq!(text.contains("//:"), is_empty, "{name}");
        assert_eq!(
            (svg.contains("Framed:"), text.contains("[..]:")),
            (is_framed, is_framed),
            "{name}"
        );
        assert!(
            !text.contains("Hatched") && !text.contains("Framed") && !text.contains("Colour"),
            "{name}"
        );
        assert_eq!(
            svg.contains("Colour:"),
            one.figure.coloured_text().contains("Colour:"),
            "{name}"
        );
        hatched += u32::from(is_empty);
        framed += u32::from(is_framed);
        hidden += u32::from(is_hatched && !is_empty);
    }
    assert!(hatched > 1 && framed > 1 && hidden > 0, "{hatched} {framed} {hidden}");
}

/// Figures at the edges of what there is.
#[test]
fn odd_subjects() {
    let plan = |lengths: &[u32]| Plan::packed(lengths).unwrap().figure();
    let read = &tiledesc::chip::gfx942::ds_read_b128;
    // One dimension, one element, none of a known width.
    assert_eq!(plan(&[64]).with_element(F32).tile(32).unwrap().cells().count(), 64);
    assert_eq!(plan(&[1, 1]).with_element(F32).bits(read).unwrap().cells().count(), 0);
    assert_eq!(
        plan(&[4, 4]).tile(32).unwrap_err().to_string(),
        "a figure of banks needs the width of an element: name it with `.with_element(F16)`",
    );
    assert!(plan(&[2, 3, 8]).with_element(F32).tile(32).unwrap().text().contains("\n1,2 "));
    // No row is shown, or none is left.
    assert_eq!(plan(&[4, 4]).with_element(F32).rows(9..12).tile(32).unwrap().cells().count(), 0);
    assert!(
        faults("empty", &plan(&[4, 4]).with_element(F32).rows(9..12).tile(32).unwrap().svg())
            .is_empty()
    );
    // Halves of bytes, and six bits, which no address has.
    let four = plan(&[64, 64]).with_element(F4).bits(read).unwrap();
    assert!(four.text().contains("1/2 byte"));
    let six = plan(&[64, 64]).with_element(F6);
    assert!(six.bits(read).is_err());
    assert!(six.rows(0..4).ladder(read).unwrap().cells().count() > 0);
    // 33 bits lie in two banks.
    let wide = plan(&[1, 4]).of_bits(33).tile(32).unwrap();
    let titles: Vec<_> = wide.cells().map(|cell| cell.title().to_owned()).collect();
    assert_eq!(titles, ["0,0 banks 0-1", "0,1 banks 1-2", "0,2 banks 2-3", "0,3 banks 3-4"]);
    // As 6 bits do where they cross a dword; past the last bank comes the first.
    let crosses = |element: usize, banks| {
        let six = plan(&[1, 176]).with_element(F6).tile(banks).unwrap();
        six.cells().nth(element).unwrap().title().to_owned()
    };
    assert_eq!(crosses(4, 32), "0,4 bank 0");
    assert_eq!(crosses(5, 32), "0,5 banks 0-1");
    assert_eq!(
        (crosses(170, 32), crosses(170, 64)),
        ("0,170 banks 31, 0".into(), "0,170 banks 31-32".into())
    );
    // A memory without banks is one bank.
    let one = plan(&[4, 4]).with_element(F32).tile(0).unwrap();
    assert!(one.cells().all(|cell| cell.title().ends_with(" bank 0")));
    // Padding has no offset.
    let padded = Plan::packed(&[4, 6]).unwrap();
    let pad = Op::RightPad { low_length: 6, right: 2, skip_check: false };
    let pass = Op::PassThrough { length: 4 };
    let padded = padded.transform(&[pass, pad], &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    let figure = padded.figure().with_element(F32).tile(32).unwrap();
    assert_eq!(figure.cells().filter(|cell| cell.is_hatched()).count(), 8);
    assert_eq!(figure.cells().nth(6).unwrap().title(), "0,6 is padding");
    // A load that is not there, and a line without bytes.
    let row = &tiledesc::chip::gfx950::global_load_lds_b128;
    let load = ABlock::direct(tiledesc::direct::Source::rows(64), row).waves(4).plan().unwrap();
    assert_eq!(
        plot::direct_load(&load, 4, 0, 128).unwrap_err().to_string(),
        "wave 4 has no load 0: there are 4 waves of 4 loads",
    );
    assert_eq!(
        plot::direct_load(&load, 0, 0, 0).unwrap_err().to_string(),
        "a line of 0 bytes holds nothing",
    );
    // A matrix of the run time is not walked to the end.
    let whole = Plan::packed(&[65_535, 65_536]).unwrap().figure().with_element(F8);
    let first = whole.clone().rows(0..2);
    assert_eq!(whole.tile(32).unwrap_err().kind(), tiledesc_host::ErrorKind::TooLarge);
    assert_eq!(first.rows(0..1).tile(32).unwrap().cells().count(), 65_536);
    // Invalid layouts are refused in the library's sentence.
    let wrong =
        tiledesc_host::exchange::cute::parse("(8,8):(0,0)").unwrap().figure().with_element(F16);
    assert!(wrong.phases(read, MfmaRows::<16>).is_err());
}
