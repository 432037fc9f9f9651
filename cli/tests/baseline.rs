//! A run beside an earlier one: only what is new or worse fails. And degrees that a file accepts, each with its reason.

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::fuzz::Dice;
use tiledesc_cli::{Output, Status, run};

/// Writes a file of this test.
fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("baseline");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn asked(subcommand: &str, text: &str, words: &[&str]) -> Output {
    run([&["tiledesc", subcommand, "-"], words].concat(), &mut text.as_bytes())
}

/// What a subcommand says of a text, beside what it said of an earlier one.
fn since(subcommand: &str, [before, now]: [&str; 2], name: &str, words: &[&str]) -> Output {
    let earlier = file(name, &asked(subcommand, before, &["--format", "json"]).out);
    asked(subcommand, now, &[&["--baseline", &earlier], words].concat())
}

fn tile(pitch: u32, reads: &str) -> String {
    format!(
        "version = 1\nchips = [\"gfx942\"]\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 128, k = 64 }}\nstrides = [{pitch}, 1]\n\
         read = [{reads}]\n"
    )
}

const ROWS: &str = "{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }";
const COLUMN: &str = "{ op = \"ds_read_u16\", by = \"first column\" }";

#[test]
fn only_what_is_new_or_worse_fails() {
    let both = format!("{ROWS}, {COLUMN}");
    let [four, two] = [tile(64, ROWS), tile(72, ROWS)];
    let more = tile(64, &both);
    let cases = [
        (
            [&four, &four],
            Status::Free,
            "bank 0 (known)\n",
            "0 new, 0 worse, 0 better, 1 known, 0 gone",
        ),
        (
            [&two, &four],
            Status::Conflict,
            " (worse: 2-way before)\n",
            "0 new, 1 worse, 0 better, 0 known, 0 gone",
        ),
        (
            [&four, &two],
            Status::Free,
            " (better: 4-way before)\n",
            "0 new, 0 worse, 1 better, 0 known, 0 gone",
        ),
        ([&four, &more], Status::Conflict, " (new)\n", "1 new, 0 worse, 0 better, 1 known, 0 gone"),
        (
            [&more, &four],
            Status::Free,
            "gone: A read gfx942 ds_read_u16 first column: 32-way before\n",
            "0 new, 0 worse, 0 better, 1 known, 1 gone",
        ),
    ];
    for (number, (texts, status, line, sum)) in cases.into_iter().enumerate() {
        let found = since("check", texts.map(String::as_str), &format!("case{number}.json"), &[]);
        assert_eq!((found.status, found.err.as_str()), (status, ""), "{}", found.out);
        assert!(
            found.out.contains(line) && found.out.ends_with(&format!(".json: {sum}\n")),
            "{}",
            found.out
        );
        // Annotations and remedies are of what fails.
        let name = format!("github{number}.json");
        let marked = since("check", texts.map(String::as_str), &name, &["--format", "github"]);
        assert_eq!(
            marked.out.matches("::error").count(),
            usize::from(status == Status::Conflict),
            "{}",
            marked.out
        );
        assert_eq!(found.out.contains(" instead: "), status == Status::Conflict, "{}", found.out);
    }
    // What a run lets pass is no worse for the next one.
    let earlier = file("first.json", &asked("check", &four, &["--format", "json"]).out);
    let words = ["--baseline", &earlier, "--format", "json"];
    let known = asked("check", &four, &words).out;
    let again = file("second.json", &known);
    let found = asked("check", &four, &["--baseline", &again]);
    assert_eq!(found.status, Status::Free);
    assert!(
        found.out.contains("no worse than before") && found.out.contains(" 1 known"),
        "{}",
        found.out
    );
}

/// What is weak with --strict is new beside a run without it, and known beside one with it.
#[test]
fn weak_evidence_is_known_too() {
    let text = "version = 1\nchips = [\"gfx906\"]\n[tile.A]\nelement = \"f32\"\nshape = { m = 64, k = 64 }\nstrides = [64, 1]\n\
        read = [{ op = \"ds_read_b32\", by = \"row-major\" }]\n";
    let earlier = |name: &str, words: &[&str]| {
        file(name, &asked("check", text, &[&["--format", "json"], words].concat()).out)
    };
    let (plain, strict) = (earlier("plain.json", &[]), earlier("strict.json", &["--strict"]));
    let found = |file: &str| asked("check", text, &["--strict", "--baseline", file]);
    let (first, second) = (found(&plain), found(&strict));
    assert_eq!(
        (first.status, second.status),
        (Status::Weak, Status::Free),
        "{}\n{}",
        first.out,
        second.out
    );
    let next = asked("check", text, &["--strict", "--baseline", &strict, "--format", "json"]).out;
    assert_eq!(found(&file("next.json", &next)).status, Status::Free);
}

/// Random tiles before and after: marked by what both reports say, the status by the marks alone.
#[test]
fn marks_are_those_of_the_degrees() {
    let mut dice = Dice(0xba5e);
    let ops = ["ds_read_b64", "ds_read_b128"];
    let by = ["row-major", "mfma-rows 16", "mfma-rows 32"];
    let mut seen = [0; 5];
    for number in 0..30 {
        let mut text = || {
            let reads = (0..1 + dice.below(3)).map(|_| {
                let (op, by) = (dice.of(&ops), dice.of(&by));
                format!("{{ op = \"{op}\", by = \"first {by}\" }}")
            });
            let mut reads: Vec<_> = reads.collect();
            reads.sort();
            reads.dedup();
            let pitch = 64 + 8 * dice.below(3);
            tile(pitch, &reads.join(", "))
        };
        let texts = [text(), text()];
        let of = |text: &str| {
            let out = asked("check", text, &["--format", "json"]).out;
            serde_json::from_str::<Value>(&out).unwrap()["tiles"][0]["accesses"].clone()
        };
        let [before, now] = [of(&texts[0]), of(&texts[1])];
        if before.is_null() || now.is_null() {
            continue;
        }
        let name = format!("random{number}.json");
        let found = since("check", [&texts[0], &texts[1]], &name, &["--format", "json"]);
        let report: Value = serde_json::from_str(&found.out).unwrap();
        let marked = report["tiles"][0]["accesses"].as_array().unwrap();
        let cost = |one: &Value| {
            // All are of one instruction, whose cycles are compared as they are.
            (one["degree"].as_u64().unwrap(), one["conflict_cycles"].as_u64().unwrap())
        };
        let same =
            |one: &Value, other: &Value| one["op"] == other["op"] && one["by"] == other["by"];
        let mut fails = false;
        for (one, now) in marked.iter().zip(now.as_array().unwrap()) {
            let then = before.as_array().unwrap().iter().find(|other| same(one, other)).map(cost);
            let is_free = now["free"] == true;
            let (wanted, at) = match then {
                Some(then) if then > cost(now) => (Some("better"), 0),
                _ if is_free => (None, 1),
                None => (Some("new"), 2),
                Some(then) if then < cost(now) => (Some("worse"), 3),
                Some(_) => (Some("known"), 4),
            };
            seen[at] += 1;
            fails |= matches!(wanted, Some("new" | "worse"));
            assert_eq!(one["since"].as_str(), wanted, "{texts:?}");
        }
        assert_eq!(found.status == Status::Conflict, fails, "{texts:?}");
        let is_gone =
            |one: &&Value| one["free"] == false && !marked.iter().any(|other| same(one, other));
        let gone = before.as_array().unwrap().iter().filter(is_gone).count();
        assert_eq!(report["baseline"]["gone"].as_array().unwrap().len(), gone, "{texts:?}");
    }
    assert!(seen.iter().all(|many| *many > 1), "{seen:?}");
}

/// A kernel of gfx942 that reads one column by so many instructions after so many lines that do nothing.
fn kernel(shift: u32, lines: usize, reads: usize) -> String {
    let head = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type column,@function\ncolumn:\n";
    let nothing = "\ts_nop 0\n".repeat(lines);
    let reads: String = (0..reads).map(|at| format!("\tds_read_b32 v{}, v1\n", at + 2)).collect();
    format!("{head}{nothing}\tv_lshlrev_b32_e32 v1, {shift}, v0\n{reads}\ts_endpgm\n")
}

/// Instructions of a kernel are known by its name and their own, wherever they stand; as many as there were.
#[test]
fn compiled_kernels_are_compared() {
    let [two, four] = [kernel(3, 0, 2), kernel(4, 0, 2)];
    let cases = [
        (
            [four.clone(), kernel(4, 5, 2)],
            Status::Free,
            " (known)\n",
            "0 new, 0 worse, 0 better, 2 known, 0 gone",
        ),
        (
            [four.clone(), kernel(4, 5, 3)],
            Status::Conflict,
            " (new)\n",
            "1 new, 0 worse, 0 better, 2 known, 0 gone",
        ),
        (
            [two.clone(), four.clone()],
            Status::Conflict,
            " (worse: 2-way before)\n",
            "0 new, 2 worse, 0 better, 0 known, 0 gone",
        ),
        (
            [four.clone(), two],
            Status::Free,
            " (better: 4-way before)\n",
            "0 new, 0 worse, 2 better, 0 known, 0 gone",
        ),
        (
            [four.clone(), kernel(4, 0, 1)],
            Status::Free,
            "gone: column gfx942 ds_read_b32: 4-way before\n",
            "0 new, 0 worse, 0 better, 1 known, 1 gone",
        ),
        (
            [four.clone(), kernel(2, 0, 2)],
            Status::Free,
            "free of conflicts (better: 4-way before)\n",
            "0 new, 0 worse, 2 better, 0 known, 0 gone",
        ),
    ];
    for (number, ([before, now], status, line, sum)) in cases.into_iter().enumerate() {
        let texts = [before.as_str(), now.as_str()];
        let found =
            since("audit", texts, &format!("kernel{number}.json"), &["--block", "64", "--all"]);
        assert_eq!((found.status, found.err.as_str()), (status, ""), "{number}: {}", found.out);
        assert!(
            found.out.contains(line) && found.out.ends_with(&format!(".json: {sum}\n")),
            "{number}: {}",
            found.out
        );
    }
}

#[test]
fn a_report_that_is_none_is_refused() {
    let text = tile(64, ROWS);
    let refused = |file: &str| {
        let found = asked("check", &text, &["--baseline", file]);
        assert_eq!(found.status, Status::Invalid);
        found.err.replace(file, "old.json")
    };
    let ask = "write one with `tiledesc check .. --format json > old.json`\n";
    let other = asked("audit", &kernel(4, 0, 1), &["--format", "json"]).out;
    assert_eq!(
        refused(&file("other.json", &other)),
        format!("tiledesc: old.json: its schema is tiledesc.audit/1, not tiledesc.check/1; {ask}")
    );
    assert_eq!(
        refused(&file("empty.json", "{}")),
        format!("tiledesc: old.json: it has no schema tiledesc.check/1; {ask}")
    );
    assert!(
        refused(&file("text.json", &text))
            .contains("not a report of an earlier run: expected value")
    );
    let whole = asked("check", &text, &["--format", "json"]).out;
    let part = whole.replace("\"base_cycles\"", "\"bose_cycles\"");
    assert_eq!(
        refused(&file("part.json", &part)),
        format!("tiledesc: old.json: it is incomplete; {ask}")
    );
    assert!(refused("/nowhere/old.json").starts_with("tiledesc: old.json: "));
}

#[test]
fn a_file_accepts_a_degree_for_a_reason() {
    let of = |pitch, keys: &str| {
        let read = format!("{{ op = \"ds_read_b128\", by = \"mfma-rows 16\"{keys} }}");
        asked("check", &tile(pitch, &read), &[])
    };
    let four = ", max_degree = 4, reason = \"the loader writes rows\"";
    let found = of(64, four);
    assert_eq!(found.status, Status::Free, "{}", found.out);
    assert!(
        found.out.contains("bank 0 (4-way accepted: the loader writes rows)\n"),
        "{}",
        found.out
    );
    assert!(!found.out.contains("instead"), "{}", found.out);
    let found = of(64, &four.replace("= 4", "= 2"));
    assert_eq!(found.status, Status::Conflict);
    assert!(found.out.contains("(2-way accepted: the loader writes rows)\n"), "{}", found.out);
    let found = of(80, four);
    assert!(
        found.out.contains("free of conflicts (max_degree = 4 is not needed)\n"),
        "{}",
        found.out
    );
    let refused = |keys: &str| of(64, keys).err;
    assert!(
        refused(", max_degree = 4")
            .contains("max_degree = 4 accepts a conflict: write `reason = \"..\"` beside it")
    );
    assert!(refused(", max_degree = 4, reason = \" \"").contains("accepts a conflict"));
    assert!(
        refused(", reason = \"so\"")
            .contains("`reason` says why a degree is accepted: write `max_degree = 2` beside it")
    );
    assert!(
        refused(", max_degree = 1, reason = \"so\"")
            .contains("max_degree = 1: write a whole number from 2 to 64")
    );
}
