//! Figures: the same bytes as the golden ones, true, legible, and alone in their files.
//!
//! `BLESS=1 cargo test --test figures` rewrites `tests/golden/figures` and the book's
//! `docs/src/figures`.

use resvg::usvg::roxmltree::{Document, Node};
use resvg::{tiny_skia, usvg};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tiledesc::chip::{CHIPS, gfx942, gfx950, gfx1100, sm_90};
use tiledesc::direct::Source;
use tiledesc::pattern::Lanes;
use tiledesc::plot::{self, Figure};
use tiledesc::prelude::*;
use tiledesc::remedy::Use;

layout! {
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}

distribution! {
    /// The A operand of a 16x16x16 MFMA, 16 bytes of k a lane.
    type Operand: m [row 16], k [part 4, pack 4]; lane (part, row), thread (pack);
}

/// Where the book takes it, and the figure.
struct Golden {
    name: &'static str,
    in_book: bool,
    figure: Figure,
}

fn golden(name: &'static str, in_book: bool, figure: Figure) -> Golden {
    Golden { name, in_book, figure }
}

/// One figure of each kind.
fn all() -> Vec<Golden> {
    let read = &gfx942::ds_read_b128;
    let plain = || Plain::figure().named("Plain");
    let padded = || Padded::figure().named("Padded");
    let xor = || ABlock::figure().named("ABlock");
    let phases = |subject: plot::Subject| subject.phases(read, MfmaRows::<16>).unwrap();
    let ladder = |subject: plot::Subject| subject.rows(0..10).ladder(read).unwrap();
    let grid = |subject: plot::Subject| subject.rows(0..16).grid(read, MfmaRows::<16>).unwrap();
    let three = [plain(), padded(), xor()];
    let uses = |rows, instruction| Use { lanes: Lanes::rows(rows), instruction };
    let accesses = [
        ("gfx942 16 rows", uses(16, read)),
        ("gfx942 32 rows", uses(32, read)),
        ("gfx950 16 rows", uses(16, &gfx950::ds_read_b128)),
        ("gfx1100 16 rows", uses(16, &gfx1100::ds_read_b128)),
        ("sm_90 16 rows", uses(16, &sm_90::ld_shared_b128)),
    ];
    let pads = [("16 rows", uses(16, read)), ("32 rows", uses(32, read))];
    let direct = ABlock::direct(Source::rows(8192), &gfx950::global_load_lds_b128).waves(4);
    let direct = direct.plan().unwrap();
    vec![
        golden("phases", true, phases(plain()).beside(phases(padded())).beside(phases(xor()))),
        golden("grid", true, grid(plain()).beside(grid(xor()))),
        golden(
            "served",
            true,
            plot::served(&[
                read,
                &gfx950::ds_read_b128,
                &gfx942::ds_read_b64,
                &gfx950::ds_read_b32,
            ]),
        ),
        golden("bits", true, xor().bits(read).unwrap()),
        golden(
            "distribution",
            true,
            plot::distribution("Operand", &Operand::ENCODING.unwrap()).unwrap(),
        ),
        golden("journey", false, xor().journey(&[3, 17]).unwrap()),
        golden("fields", false, xor().fields().unwrap()),
        golden("addresses", false, xor().addresses(read, Lanes::rows(32).whole()).unwrap()),
        golden("timeline", false, plot::timeline(&three, read, MfmaRows::<16>).unwrap()),
        golden(
            "keys",
            false,
            plot::heat(&plot::keys(F16, [128, 64], 8).unwrap(), &accesses)
                .unwrap()
                .titled("Keys of 128x64 halves"),
        ),
        golden("pads", false, plot::pads(F16, [128, 64], 0..=64, &pads).unwrap()),
        golden("compare", false, plot::compare(&three, &accesses, 5).unwrap()),
        golden("direct", true, plot::direct_load(&direct, 0, 0, 128).unwrap()),
        golden("evidence", false, plot::evidence(CHIPS)),
        golden("ladder", true, ladder(plain()).beside(ladder(padded())).beside(ladder(xor()))),
    ]
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a file, or writes it; says what is wrong.
fn same(path: PathBuf, text: &str) -> Option<String> {
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return None;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    (found != text).then(|| format!("{}: BLESS=1 rewrites it", path.display()))
}

#[test]
fn golden_figures_are_the_same() {
    let folder = root().join("tests/golden/figures");
    let wrong: Vec<_> = all()
        .iter()
        .flat_map(|one| {
            let (svg, text) = (one.figure.svg(), one.figure.text());
            let book = root().join("docs/src/figures").join(format!("{}.svg", one.name));
            [
                same(folder.join(format!("{}.svg", one.name)), &svg),
                same(folder.join(format!("{}.txt", one.name)), &text),
                if one.in_book { same(book, &svg) } else { None },
            ]
        })
        .flatten()
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// What every file must be.

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
    let figure = ABlock::figure().named(evil).rows(0..4).tile(32).unwrap().titled(evil);
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
    let svg = Tile::figure().tile(64).unwrap().svg();
    assert!(svg.len() < 300_000, "{}", svg.len());
    assert!(matches!(
        Plan::packed(&[512, 512]).unwrap().figure().of(F16).tile(32),
        Err(plot::PlotError::TooLarge { cells: 262_144, most: 65_536 })
    ));
}

// Colours: of the document itself.

fn channel(part: u8) -> f64 {
    let c = f64::from(part) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn rgb(colour: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| u8::from_str_radix(&colour[at..at + 2], 16).unwrap())
}

/// Relative luminance, as WCAG 2 defines it.
fn luminance(colour: &str) -> f64 {
    let [r, g, b] = rgb(colour).map(channel);
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(one: &str, other: &str) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The colour of a class in a style sheet.
fn fill<'a>(css: &'a str, class: &str) -> &'a str {
    let rule = css.split(&format!(".tiledesc .{class}")).nth(1).unwrap();
    &rule.split("fill:").nth(1).unwrap()[..7]
}

#[test]
fn colours_are_legible_and_ordered() {
    let svg = Plain::figure().rows(0..1).tile(32).unwrap().svg();
    let css = svg.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let (light, dark) = css.split_once("@media(prefers-color-scheme:dark){").unwrap();
    assert!(light.contains(".tiledesc .k{fill:#000}") && !dark.contains(".k{"));
    for (letter, count) in [('s', 8), ('h', 6)] {
        let inks: Vec<_> = (0..count).map(|i| fill(light, &format!("{letter}{i}"))).collect();
        for pair in inks.windows(2) {
            let lightness = |ink: &str| 116.0 * luminance(ink).cbrt() - 16.0;
            assert!(lightness(pair[0]) - lightness(pair[1]) > 4.0, "{pair:?}");
        }
        for ink in inks {
            assert!(contrast("#000000", ink) >= 4.5 && !dark.contains(ink), "{ink}");
        }
    }
    for css in [light, dark] {
        let [paper, blank, words, quiet] = ["p{", "b0", "w,", "q"].map(|class| fill(css, class));
        for (ink, ground) in [(words, paper), (quiet, paper), (words, blank)] {
            assert!(contrast(ink, ground) >= 4.5, "{ink} on {ground}");
        }
    }
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
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
