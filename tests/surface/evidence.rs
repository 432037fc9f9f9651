//! How sure the rows are, as the README and the book say it: counted from the table itself.
//!
//! `cargo xtask bless surface evidence::` writes the book's table; what the README must say is in the test's message.

use core::fmt::Write;
use std::fs;
use tiledesc::chip::Evidence;
use tiledesc::chip::{self, Tally};

fn page(path: &str) -> String {
    fs::read_to_string(support::root().join(path)).unwrap()
}

fn all() -> Tally {
    chip::CHIPS.iter().fold(Tally::NONE, |all, chip| all.plus(chip.tally()))
}

fn line(name: &str, tally: Tally) -> String {
    let Tally { measured, documented, inferred, disputed, .. } = tally;
    format!("| {name} | {} | {measured} | {documented} | {inferred} | {disputed} |\n", tally.rows())
}

const HEAD: &str =
    "| chip | rows | measured | documented | inferred | disputed |\n|---|---|---|---|---|---|\n";

/// A line for the chips of which the same is known, and the sum of all chips.
fn table() -> String {
    let mut alike: Vec<(Tally, Vec<&str>)> = Vec::new();
    for chip in chip::CHIPS {
        match alike.iter_mut().find(|(tally, _)| *tally == chip.tally()) {
            Some((_, names)) => names.push(chip.name()),
            None => alike.push((chip.tally(), vec![chip.name()])),
        }
    }
    let mut table = String::from(HEAD);
    for (tally, names) in alike {
        // A name that breaks at a space leaves the table as narrow as a telephone.
        table += &line(&names.join(", ").replace("::", " "), tally);
    }
    table + &line("all chips", all())
}

#[test]
fn the_book_holds_the_table() {
    let (path, table) = ("docs/src/banks_and_phases.md", table());
    let page = page(path);
    let (before, rest) = page.split_once(HEAD).expect("the table's head");
    let (_, after) = rest.split_once("\n\n").expect("a paragraph after the table");
    let wanted = format!("{before}{table}\n{after}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(support::root().join(path), &wanted).unwrap();
    } else {
        assert!(page == wanted, "cargo xtask bless surface evidence:: writes\n{table}");
    }
}

#[test]
fn the_readme_holds_the_sum() {
    let Tally { measured, documented, inferred, disputed, .. } = all();
    let mut sum = String::new();
    write!(
        sum,
        "of {} rows {measured} are measured, {documented} documented and {inferred} inferred; \
         sources disagree about {disputed} of them",
        all().rows(),
    )
    .unwrap();
    println!("{sum}");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&page("README.md")).contains(&sum), "the README lacks: {sum}");
}

/// The tally counted another way: row by row, through the public questions.
#[test]
fn every_row_is_counted_once() {
    let rows = || chip::CHIPS.iter().flat_map(|chip| chip.rows());
    let of = |evidence| rows().filter(|row| row.service().evidence == evidence).count();
    let all = all();
    assert_eq!(all.measured, of(Evidence::Measured));
    assert_eq!(all.documented, of(Evidence::Documented));
    assert_eq!(all.inferred, of(Evidence::Inferred));
    assert_eq!(all.disputed, rows().filter(|row| row.rival().is_some()).count());
}

/// No row is surer than the source that it names: what sources do not speak of is inferred.
#[test]
fn what_no_source_speaks_of_is_inferred() {
    for chip in chip::CHIPS {
        for row in chip.rows() {
            let services = [Some(row.service()), row.merged()].into_iter().flatten();
            for service in services {
                let name = (chip.name(), row.name());
                let sure = service.evidence > Evidence::Inferred;
                let [stores, matrices] =
                    ["st.shared", "stmatrix"].map(|s| row.name().starts_with(s));
                // NVIDIA's guide speaks of loads and stores of 4 bytes, and of no other width.
                let guide = service.source.starts_with("CUDA C++ Best Practices Guide");
                assert!(!guide || row.bytes() == 4 && chip.name().starts_with("sm_"), "{name:?}");
                if guide {
                    continue;
                }
                assert!(!(sure && (stores || matrices)), "{name:?}: the sources speak of loads");
                assert!(!(sure && service.source.starts_with("as ")), "{name:?}: {service:?}");
                assert!(
                    !service.source.contains("dh_comms") || !sure,
                    "{name:?}: of which access?"
                );
                // Of the widths that the forum's threads do not speak of.
                let narrow = row.name().starts_with("ld.shared") && row.bytes() < 16;
                let others = row.name().starts_with("ldmatrix") && row.name() != "ldmatrix.x4";
                assert!(!(sure && (narrow || others)), "{name:?}: {service:?}");
                let thread = service.source.contains("77228");
                assert!(!thread || matches!(chip.name(), "sm_70" | "sm_75"), "{name:?}");
            }
        }
    }
}

/// What there is in place of a chip or an instruction that there is not.
#[test]
fn chips_by_other_names() {
    let says = |name: &str| chip::find(name).unwrap_err().to_string();
    assert_eq!(
        says("gfx941"),
        "there are no rows for this chip; its nearest relative with rows is gfx942"
    );
    assert_eq!(
        says("gfx900"),
        "there are no rows for this chip; its nearest relative with rows is gfx906"
    );
    for (name, chip) in [
        ("gfx943", "gfx942"),
        ("GFX942", "gfx942"),
        ("mi300x", "gfx942"),
        ("MI300X", "gfx942"),
        ("Radeon VII", "gfx906"),
        ("gfx1201 wave64", "gfx1201::wave64"),
        ("Strix Halo", "gfx1151"),
        ("RX 7900 XTX", "gfx1100"),
        ("sm90", "sm_90"),
        ("SM_90a", "sm_90"),
        ("H100", "sm_90"),
    ] {
        assert_eq!(says(name), format!("the chip is called `{chip}` here"), "{name}");
    }
    let names: Vec<&str> = chip::CHIPS.iter().map(|chip| chip.name()).collect();
    assert_eq!(
        says("vega"),
        format!("there are no rows for this chip; there are rows for {}", names.join(", "))
    );
    let gfx942 = chip::find("gfx942").unwrap();
    let rows: Vec<&str> = gfx942.rows().iter().map(|row| row.name()).collect();
    assert_eq!(
        gfx942.instruction("ds_read_b256").unwrap_err().to_string(),
        format!("gfx942 has no such row; it has {}", rows.join(", ")),
    );
}
