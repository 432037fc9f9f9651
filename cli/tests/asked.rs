//! "Asked and answered": questions that users asked in public, with what the threads measured or claim, held against
//! what this library says of the same lanes.
//!
//! `tests/golden/asked/README.md` has the schema. Every address is there twice, as a list and as a formula; every
//! degree is counted twice, by the library and here; where the tile has a file, the command line says the same of it.
//!
//! `cargo xtask bless cli asked::` rewrites `docs/src/asked.md`.

use core::fmt::Write;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use support::formula::Formula;
use tiledesc::access::{AddressError, Addresses};
use tiledesc::bank::{Conflicts, conflicts};
use tiledesc::chip::{Instruction, find};
use tiledesc_cli::run;

/// Where we say otherwise than a thread: its question, the tile, and what is said of it. Each has its reason on the page.
///
/// What was measured or stated as a result is "stated"; an explanation is "claimed".
const DIFFERS: [(&str, &str, &str); 7] = [
    ("Q3", "b64_pad4", "claimed degree"),
    ("Q3", "b128_pad4", "claimed degree"),
    ("Q4", "pad0", "claimed degree"),
    ("Q25", "threads16", "claimed free"),
    ("Q26", "m_first", "stated free"),
    ("Q26", "k_first", "stated free"),
    ("Q28", "rows72", "claimed degree"),
];

/// When the threads were read, but for those that say another date.
const READ: &str = "2026-11-23";

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn asked() -> Value {
    let path = root().join("tests/golden/asked/questions.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key}: {value}"))
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("no {key}: {value}"))
}

fn row(case: &Value) -> &'static Instruction {
    find(text(case, "chip")).unwrap().instruction(text(case, "instruction")).unwrap()
}

fn addresses(case: &Value) -> Addresses {
    let lanes = list(case, "lanes");
    Addresses::from_fn(|lane| Some(lanes.get(lane as usize)?.as_u64()? as u32))
}

/// What the library says of a case.
fn answer(case: &Value) -> Result<Conflicts, AddressError> {
    conflicts(&addresses(case), row(case))
}

/// The distinct dwords of each bank, phase by phase, counted without the library.
fn degree_by_hand(case: &Value) -> usize {
    let service = row(case).service();
    let mut phases: BTreeMap<(usize, u64), BTreeSet<u64>> = BTreeMap::new();
    for (lane, address) in list(case, "lanes").iter().enumerate() {
        let first = address.as_u64().unwrap() / 4;
        let phase = service.phases.phase_of(lane).unwrap();
        for dword in first..first + u64::from(row(case).bytes() / 4) {
            phases.entry((phase, dword % u64::from(service.banks))).or_default().insert(dword);
        }
    }
    phases.values().map(BTreeSet::len).max().unwrap()
}

/// How many lanes want each bank, over the whole wave, without regard to phases.
fn lanes_of_banks(case: &Value) -> BTreeMap<u64, usize> {
    let mut banks = BTreeMap::new();
    for address in list(case, "lanes") {
        let first = address.as_u64().unwrap() / 4;
        for dword in first..first + u64::from(row(case).bytes() / 4) {
            *banks.entry(dword % u64::from(row(case).service().banks)).or_default() += 1;
        }
    }
    banks
}

/// Whether what a thread says of a case is so; the other cases of its question are there for comparison.
fn holds(key: &str, said: &Value, case: &Value, cases: &[Value]) -> bool {
    let found = answer(case);
    let cycles = |case: &Value| answer(case).unwrap().active_cycles();
    let other = |said: &Value| {
        cases.iter().find(|case| case["tile"] == *said).unwrap_or_else(|| panic!("no tile {said}"))
    };
    match key {
        "free" => found.is_ok_and(|found| found.degree() == 1) == said.as_bool().unwrap(),
        "refused" => found.is_err() == said.as_bool().unwrap(),
        "degree" => said.as_u64() == Some(u64::from(found.unwrap().degree())),
        "conflicts" => said.as_u64() == Some(u64::from(found.unwrap().conflict_cycles)),
        "lanes_a_bank" => {
            said.as_u64() == lanes_of_banks(case).values().max().map(|lanes| *lanes as u64)
        }
        "banks" => said.as_u64() == Some(lanes_of_banks(case).len() as u64),
        "faster_than" => cycles(case) < cycles(other(said)),
        "slower_than" => cycles(case) > cycles(other(said)),
        _ => panic!("{key} is not read"),
    }
}

/// What a thread says of a case: `stated degree`, the figure, and whether it is so.
fn said(case: &Value, cases: &[Value]) -> Vec<(String, Value, bool)> {
    let mut said = Vec::new();
    for kind in ["stated", "claimed"] {
        for (key, value) in case[kind].as_object().into_iter().flatten() {
            said.push((format!("{kind} {key}"), value.clone(), holds(key, value, case, cases)));
        }
    }
    said
}

/// Every statement that does not hold.
fn differing(asked: &Value) -> Vec<(String, String, String)> {
    let mut differing = Vec::new();
    for question in list(asked, "questions") {
        let cases = list(question, "cases");
        for case in cases {
            for (key, _, _) in said(case, cases).into_iter().filter(|(_, _, holds)| !holds) {
                differing.push((text(question, "id").into(), text(case, "tile").into(), key));
            }
        }
    }
    differing
}

/// What the command line says of the file of a question, tile by tile; empty if it has none.
fn file(id: &str) -> BTreeMap<String, Value> {
    let path = root().join(format!("tests/golden/asked/{id}.toml"));
    if !path.exists() {
        return BTreeMap::new();
    }
    let words = ["tiledesc", "check", path.to_str().unwrap(), "--format", "json"];
    let output = run(words, &mut std::io::empty());
    let report: Value = serde_json::from_str(&output.out).unwrap();
    assert_eq!(report["faults"], Value::Array(Vec::new()), "{id}");
    let tiles = list(&report, "tiles").iter();
    tiles.map(|tile| (text(tile, "name").to_owned(), tile.clone())).collect()
}

#[test]
fn formulas_are_the_lanes_and_degrees_are_counted_twice() {
    for question in list(&asked(), "questions") {
        for case in list(question, "cases") {
            let name = (text(question, "id"), text(case, "tile"));
            let formula = Formula { text: case["formula"].as_str(), given: None };
            let lanes = list(case, "lanes");
            assert_eq!(lanes.len(), row(case).service().phases.wave(), "{name:?}: lanes of a wave");
            for (lane, address) in lanes.iter().enumerate() {
                let computed = formula.at(lane as u64).unwrap().map(u64::from);
                assert_eq!(computed, address.as_u64(), "{name:?}: lane {lane}");
            }
            if let Ok(found) = answer(case) {
                assert_eq!(found.degree() as usize, degree_by_hand(case), "{name:?}");
            }
        }
    }
}

#[test]
fn threads_and_answers_differ_only_where_listed() {
    let asked = asked();
    let differing = differing(&asked);
    let listed: Vec<_> =
        DIFFERS.iter().map(|(a, b, c)| (a.to_string(), b.to_string(), c.to_string())).collect();
    assert_eq!(differing, listed);
    for question in list(&asked, "questions") {
        let differs = differing.iter().any(|(id, ..)| id == text(question, "id"));
        assert!(!differs || question["why"].is_string(), "{question}: why not?");
    }
}

/// The twelve that have all lanes and a result.
#[test]
fn golden_questions_have_a_file_and_agree() {
    let asked = asked();
    let golden = list(&asked, "questions").iter().filter(|question| question["golden"] == true);
    let mut count = 0;
    for question in golden {
        let (id, cases) = (text(question, "id"), list(question, "cases"));
        let stated = |key: &str| key.starts_with("stated");
        let said: Vec<_> = cases.iter().flat_map(|case| said(case, cases)).collect();
        assert!(said.iter().any(|(key, ..)| stated(key)), "{id} states nothing");
        assert!(said.iter().all(|(key, _, holds)| *holds || !stated(key)), "{id}");
        assert!(!file(id).is_empty(), "{id} has no file");
        count += 1;
    }
    assert_eq!(count, 12);
}

/// A file says of a tile what the raw lanes say.
#[test]
fn files_say_what_the_lanes_say() {
    let mut compared = 0;
    for question in list(&asked(), "questions") {
        let id = text(question, "id");
        let cases = list(question, "cases");
        for (name, tile) in file(id) {
            let case = cases.iter().find(|case| text(case, "tile") == name).unwrap();
            let (found, access) = (answer(case).unwrap(), &tile["accesses"][0]);
            assert_eq!(access["op"], case["instruction"], "{id} {name}");
            assert_eq!(access["degree"], found.degree(), "{id} {name}");
            let cycles = found.active_cycles() * access["instructions"].as_u64().unwrap() as u32;
            assert_eq!(access["active_cycles"], cycles, "{id} {name}");
            if found.degree() > 1 {
                let meeting = &access["meeting"];
                for (lane, byte) in list(meeting, "lanes").iter().zip(list(meeting, "bytes")) {
                    let at = lane.as_u64().unwrap() as usize;
                    assert_eq!(*byte, case["lanes"][at], "{id} {name}");
                }
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 35);
}

/// A figure that nobody compares may be wrong.
#[test]
fn a_corrupted_figure_is_noticed() {
    let asked = asked();
    let expected = differing(&asked);
    let mut corrupted = 0;
    for (q, question) in list(&asked, "questions").iter().enumerate() {
        for (c, case) in list(question, "cases").iter().enumerate() {
            for kind in ["stated", "claimed"] {
                for (key, value) in case[kind].as_object().into_iter().flatten() {
                    let mut wrong = asked.clone();
                    let of = &mut wrong["questions"][q]["cases"][c][kind];
                    match value {
                        Value::Bool(is) => of[key] = (!is).into(),
                        Value::Number(number) => of[key] = (number.as_u64().unwrap() + 1).into(),
                        _ => of[key] = case["tile"].clone(),
                    }
                    // A wrong degree that is not ours either stays a difference.
                    let was = (
                        text(question, "id").into(),
                        text(case, "tile").into(),
                        format!("{kind} {key}"),
                    );
                    let stays = value.is_number() && expected.contains(&was);
                    assert_eq!(differing(&wrong) == expected, stays, "{was:?}");
                    corrupted += 1;
                }
            }
        }
    }
    println!("{corrupted} figures corrupted");
    assert!(corrupted > 40);
}

/// In words, what a thread says.
fn in_words(key: &str, value: &Value) -> String {
    match (key, value) {
        ("free", Value::Bool(true)) => "free".into(),
        ("free", _) => "conflicts".into(),
        ("refused", _) => "misaligned".into(),
        ("degree", value) => format!("{value}-way"),
        ("conflicts", value) => format!("{value} conflicts an instruction"),
        ("lanes_a_bank", value) => format!("{value} lanes a bank"),
        ("banks", value) => format!("{value} banks"),
        (key, value) => format!("{} `{}`", key.replace('_', " "), value.as_str().unwrap()),
    }
}

/// In words, what we say.
fn ours(case: &Value) -> String {
    let cycles = |found: &Conflicts| match found.active_cycles() {
        1 => "1 cycle".to_owned(),
        cycles => format!("{cycles} cycles"),
    };
    match answer(case) {
        Ok(found) if found.degree() == 1 => format!("free, {}", cycles(&found)),
        Ok(found) => format!("{}-way, {}", found.degree(), cycles(&found)),
        // What hardware makes of an unaligned address is said once, where a thread is about it.
        Err(error) => format!("refused: {}", error.to_string().split(';').next().unwrap()),
    }
}

/// In words, what a thread says as a result and as an explanation, and whether we agree.
fn held(said: &[(String, Value, bool)]) -> String {
    let of = |kind: &str, name: &str| -> Option<String> {
        let of_kind = said.iter().filter_map(|(key, value, holds)| {
            Some((in_words(key.strip_prefix(kind)?.trim_start(), value), *holds))
        });
        let (words, holds): (Vec<String>, Vec<bool>) = of_kind.unzip();
        let agrees = if holds.iter().all(|holds| *holds) { "agrees" } else { "**differs**" };
        (!words.is_empty()).then(|| format!("{name}{}: {agrees}", words.join(", ")))
    };
    [of("stated", ""), of("claimed", "explanation ")]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("; ")
}

/// Where and when a question was asked; when it was read, if not with all others.
fn thread(question: &Value) -> String {
    let thread = match text(question, "url") {
        "" => text(question, "thread").to_owned(),
        url => format!("[{}]({url})", text(question, "thread")),
    };
    let date = text(question, "date");
    match text(question, "read") {
        READ => format!("{thread}, {date}."),
        read if read.starts_with("not") => format!("{thread}, {date}; {read}."),
        read => format!("{thread}, {date}; read {read}."),
    }
}

/// A question's tiles. What all of them share, and a column with nothing in it, is not repeated.
fn table(page: &mut String, cases: &[Value], file: &BTreeMap<String, Value>) {
    let row = |case: &Value| format!("{}, `{}`", text(case, "chip"), text(case, "instruction"));
    let remedy = |case: &Value| {
        let words = file.get(text(case, "tile"))?["remedies"][0]["words"].as_str()?;
        Some(format!("`{words}`"))
    };
    let one_row = cases.iter().all(|case| row(case) == row(&cases[0]));
    let remedies = cases.iter().any(|case| remedy(case).is_some());
    let line = |tile: &str, row: &str, rest: &str, remedy: &str| {
        let cells = [Some(tile), (!one_row).then_some(row), Some(rest), remedies.then_some(remedy)];
        format!("| {} |\n", cells.into_iter().flatten().collect::<Vec<_>>().join(" | "))
    };
    let first = if one_row { row(&cases[0]) } else { "tile".into() };
    *page += &line(&first, "chip, instruction", "we say | the thread", "free instead");
    *page += &line("-", "-", "-|-", "-").replace(' ', "");
    for case in cases {
        let said = said(case, cases);
        let rest = format!("{} | {}", ours(case), held(&said));
        let tile = format!("`{}`", text(case, "tile"));
        *page += &line(&tile, &row(case), &rest, &remedy(case).unwrap_or_default());
    }
}

/// A question with its cases.
fn asked_and_answered(page: &mut String, question: &Value) {
    let id = text(question, "id");
    writeln!(page, "\n### {id}: {}\n", text(question, "asks")).unwrap();
    writeln!(page, "{} {}\n", thread(question), text(question, "found")).unwrap();
    table(page, list(question, "cases"), &file(id));
    if let Some(why) = question["why"].as_str() {
        writeln!(page, "\n{why}").unwrap();
    }
}

fn page() -> String {
    let asked = asked();
    let (questions, rest) = (list(&asked, "questions"), list(&asked, "without_lanes"));
    let all: Vec<(String, Value, bool)> = questions
        .iter()
        .flat_map(|question| {
            let cases = list(question, "cases");
            cases.iter().flat_map(|case| said(case, cases)).collect::<Vec<_>>()
        })
        .collect();
    let count = |kind: &str| {
        let of = all.iter().filter(|(key, ..)| key.starts_with(kind));
        (of.clone().filter(|(_, _, holds)| *holds).count(), of.count())
    };
    let ((stated, of_stated), (claimed, of_claimed)) = (count("stated"), count("claimed"));
    let golden = questions.iter().filter(|question| question["golden"] == true).count();
    let mut page = String::from(
        "# Asked and answered\n\n<!-- Written by `cargo xtask bless cli asked::`. -->\n\n",
    );
    writeln!(
        page,
        "{} questions about bank conflicts that users asked in public in 2025 and 2026. {golden} threads give every lane \
         and a result,\n{} more give every lane. The library agrees with {stated} of {of_stated} results (what a thread \
         measured or states) and {claimed} of {of_claimed}\nexplanations (the reason that it gives). Times and rates are of \
         whole kernels, so only their order is compared.\n\nA test computes the answers and writes this page, from the byte \
         address of every lane and, for {golden} questions, from a file\nfor [the command line](command_line.md): \
         `tests/golden/asked/Q1.toml` and so on. Threads were last read on {READ} unless\ntheir line says otherwise.\n",
        questions.len() + rest.len(),
        questions.len() - golden,
    )
    .unwrap();
    page += "## With every lane and a result\n";
    let is_golden = |question: &&Value| question["golden"] == true;
    for question in questions.iter().filter(is_golden) {
        asked_and_answered(&mut page, question);
    }
    page += "\n## With every lane\n";
    for question in questions.iter().filter(|question| !is_golden(question)) {
        asked_and_answered(&mut page, question);
    }
    page +=
        "\n## Without lanes\n\nThe thread, what it asks, and what is missing for an answer:\n\n";
    for one in rest {
        let of = |key| text(one, key);
        let end = if of("asks").ends_with('?') { "" } else { "." };
        let asked = format!("{}, {}: {}{end}", of("id"), of("thread"), of("asks"));
        writeln!(page, "* {asked} {}", of("missing")).unwrap();
    }
    page
}

#[test]
fn the_page_is_the_answers() {
    let path = root().join("docs/src/asked.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "cargo xtask bless cli asked::");
    assert_eq!(page.matches("\n### Q").count() + page.matches("\n* Q").count(), 41);
}
