//! Figures: the same bytes as the golden ones, true, legible, and alone in their files.
//!
//! `cargo xtask bless host --test plot` rewrites `tests/golden/figures` and the book's `docs/src/figures`.

mod colours;
mod files;
mod truth;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tiledesc::chip::{CHIPS, gfx942, gfx950, gfx1100, sm_90};
use tiledesc::direct::Source;
use tiledesc::matrix::mfma;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::plot::{self, Draw, Figure};

layout! {
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}

/// The tile of all of them.
const TILE: Shape = Shape { rows: 128, columns: 64, bits: 16 };

/// 4 halves of k a lane.
type Operand = mfma::F16_16x16x16::A;

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
    let plain = || Plain::default().figure().named("Plain");
    let padded = || Padded::default().figure().named("Padded");
    let xor = || ABlock::default().figure().named("ABlock");
    let phases = |subject: plot::Subject| subject.phases(read, First(MfmaRows::<16>)).unwrap();
    let ladder = |subject: plot::Subject| subject.rows(0..10).ladder(read).unwrap();
    let grid =
        |subject: plot::Subject| subject.rows(0..16).grid(read, First(MfmaRows::<16>)).unwrap();
    let three = [plain(), padded(), xor()];
    let uses = |rows, instruction| Use::new(Lanes::rows(rows), instruction);
    let accesses = [
        ("gfx942 16 rows", uses(16, read)),
        ("gfx942 32 rows", uses(32, read)),
        ("gfx950 16 rows", uses(16, &gfx950::ds_read_b128)),
        ("gfx1100 16 rows", uses(16, &gfx1100::ds_read_b128)),
        ("sm_90 16 rows", uses(16, &sm_90::ld_shared_b128)),
    ];
    // Of one wave on gfx942 the addresses of the first two accesses.
    let (tile, uses_of_one) = (TILE, [accesses[0].1, accesses[1].1]);
    let address = |spec| tiledesc_host::search::address_instructions(tile, spec, &uses_of_one);
    let specs = [Spec::row_major(), Spec::row_pad(8), Spec::gemm_xor(8)];
    let by_cost: Vec<_> = three.iter().cloned().zip(specs.map(address)).collect();
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
            plot::distribution("A of F16_16x16x16", &Operand::ENCODING.unwrap()).unwrap(),
        ),
        golden("journey", false, xor().journey(&[3, 17]).unwrap()),
        golden("fields", false, xor().fields().unwrap()),
        golden("addresses", false, xor().addresses(read, Lanes::rows(32)).unwrap()),
        golden("timeline", false, plot::timeline(&three, read, First(MfmaRows::<16>)).unwrap()),
        golden(
            "keys",
            false,
            plot::heat(&plot::keys(TILE, 8).unwrap(), &accesses)
                .unwrap()
                .titled("Keys of 128x64 halves"),
        ),
        golden("pads", false, plot::pads(TILE, 0..=64, &pads).unwrap()),
        golden("compare", false, plot::compare(&by_cost, &accesses).unwrap()),
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
    (found != text).then(|| format!("{}: cargo xtask bless host rewrites it", path.display()))
}

#[test]
fn golden_figures_are_the_same() {
    let folder = root().join("golden/figures");
    let wrong: Vec<_> = all()
        .iter()
        .flat_map(|one| {
            let (svg, text) = (one.figure.svg(), one.figure.text());
            let book = root().join("../../docs/src/figures").join(format!("{}.svg", one.name));
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

/// The book shows every figure that lies in its folder, and no other.
#[test]
fn the_book_shows_its_figures() {
    let pages =
        fs::read_dir(root().join("../../docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let text: String = pages.map(|page| fs::read_to_string(page).unwrap()).collect();
    let shown = text.split("](figures/").skip(1).map(|rest| rest.split(')').next().unwrap());
    let shown: BTreeSet<_> = shown.map(str::to_owned).collect();
    let made: BTreeSet<_> =
        all().iter().filter(|one| one.in_book).map(|one| format!("{}.svg", one.name)).collect();
    let files = fs::read_dir(root().join("../../docs/src/figures")).unwrap();
    let files = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!((&shown, &files.collect::<BTreeSet<_>>()), (&made, &made));
}
