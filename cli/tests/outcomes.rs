//! One rule for what becomes of an access, in every place that says it: the table "What becomes of an access" of
//! `cli/README.md`, a row each.
//!
//! | said by | of `check` and `audit` |
//! |---|---|
//! | the line, and the sum behind it | text |
//! | the exit status, without and with `--strict` | text |
//! | `outcome`, `ruling`, `degree` and what else there is | JSON |
//! | the level and title of the finding, or its absence | GitHub, SARIF |

use serde_json::{Value, json};
use tiledesc_cli::run;

/// What is asked, and what must be said of it.
struct Row {
    name: &'static str,
    words: &'static [&'static str],
    text: String,
    /// A part of the line.
    line: &'static str,
    /// A part of the last line.
    sum: &'static str,
    /// The exit status without and with `--strict`.
    status: [u8; 2],
    /// Fields of the access or instruction.
    fields: Value,
    /// Level and title of the finding, without and with `--strict`.
    finding: [Option<(&'static str, &'static str)>; 2],
}

fn tile(lines: &str) -> String {
    format!("version = 1\n{lines}\n")
}

fn amd(chip: &str, code: &str) -> String {
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n.type f,@function\nf:\n{code}\n\ts_endpgm\n"
    )
}

const CHECK: &[&str] = &["check", "-"];
const AUDIT: &[&str] = &["audit", "-", "--block", "64"];
const CONFLICT: Option<(&str, &str)> = Some(("error", "bank conflict"));
const RACE: Option<(&str, &str)> = Some(("error", "data race"));
const MAY_RACE: Option<(&str, &str)> = Some(("warning", "possible data race"));
const WEAK: Option<(&str, &str)> = Some(("warning", "weak evidence"));
const UNKNOWN: Option<(&str, &str)> = Some(("warning", "unknown address"));
const UNORDERED: Option<(&str, &str)> = Some(("note", "unordered accesses"));
const INVALID: Option<(&str, &str)> = Some(("error", "invalid input"));

/// Pairs of lanes at one byte, 128 bytes from pair to pair: all in bank 0 or its neighbour.
const PAIRS: &str = "\tv_lshrrev_b32 v1, 1, v0\n\tv_lshlrev_b32 v1, 7, v1";
/// Lanes 0 and 32 are 256 bytes apart: in one bank of 64, if both are served together.
const HALVES: &str = "\tv_and_b32 v1, 31, v0\n\tv_lshrrev_b32 v2, 5, v0\n\tv_lshlrev_b32 v2, 6, v2\n\
     \tv_or_b32 v1, v1, v2\n\tv_lshlrev_b32 v1, 2, v1";

/// Each lane writes a dword, and reads that of a lane of the other wave.
fn two_waves() -> String {
    let code = "\tv_lshlrev_b32 v1, 2, v0\n\tv_xor_b32 v2, 0x100, v1\n\tds_write_b32 v1, v3\n\tds_read_b32 v4, v2";
    amd("gfx942", code)
}

fn rows() -> Vec<Row> {
    let gemm = "chips = [\"gfx942\"]\n[tile.A]\nelement = \"f16\"\nshape = { m = 128, k = 64 }";
    let read = "read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]";
    let disputed = |by: &str| {
        tile(&format!(
            "chips = [\"gfx950\"]\n[tile.A]\nelement = \"f32\"\nshape = {{ m = 2, k = 32 }}\nstrides = [64, 1]\n\
             read = [{{ op = \"ds_read_b32\", by = \"row-major\"{by} }}]"
        ))
    };
    vec![
        Row {
            name: "check: free",
            words: CHECK,
            text: tile(&format!("{gemm}\nrecipe = \"gemm-xor\"\nkpack = 8\n{read}")),
            line: "mfma-rows 16  free of conflicts",
            sum: "1 access of 1 tile: 1 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "free": true, "degree": 1, "worst_degree": 1}),
            finding: [None, None],
        },
        Row {
            name: "check: conflict",
            words: CHECK,
            text: tile(&format!("{gemm}\nstrides = [64, 1]\n{read}")),
            line: "mfma-rows 16  4-way in phase 0: lanes 0 and 1",
            sum: "1 access of 1 tile: 0 free, 1 with conflicts",
            status: [1, 1],
            fields: json!({"outcome": "conflict", "ruling": "conflicts", "free": false, "degree": 4}),
            finding: [CONFLICT, CONFLICT],
        },
        Row {
            name: "check: race",
            words: CHECK,
            text: tile(
                "chips = [\"gfx942\"]\n[tile.R]\nelement = \"f32\"\nshape = { m = 4, k = 8 }\nstrides = [32, 1]\n\
                 write = [{ op = \"ds_write_b32\", by = \"m [row 4], k [column 8]; repeat [copy 2], lane (copy, row, column)\" }]",
            ),
            line: "data race: lanes 0 and 32, (0, 0) and (0, 0), both byte 0; 4-way",
            sum: "1 access of 1 tile: 0 free, 1 with data races",
            status: [1, 1],
            fields: json!({"outcome": "race", "ruling": "races", "free": false, "degree": 4}),
            finding: [RACE, RACE],
        },
        Row {
            name: "check: a race, and a conflict of another instruction",
            words: CHECK,
            text: tile(
                "chips = [\"gfx942\"]\n[tile.R]\nbytes = 65536\nwrite = [{ op = \"ds_write_b32\", waves = 2, \
                 addresses = \"wave * lane * 128 + (1 - wave) * (lane / 2 * 4)\" }]",
            ),
            line: "data race: lanes 0 and 1, (0) and (0), both byte 0; 32-way",
            sum: "1 access of 1 tile: 0 free, 1 with data races",
            status: [1, 1],
            fields: json!({"outcome": "race", "ruling": "races", "free": false, "degree": 32}),
            finding: [RACE, RACE],
        },
        Row {
            name: "check: disputed, free by its row",
            words: CHECK,
            text: disputed(""),
            line: "row-major  free of conflicts (disputed: 2-way by nod-ai/amd-shark-ai",
            sum: "1 access of 1 tile: 1 free, 1 disputed",
            status: [0, 3],
            fields: json!({"outcome": "free", "free": true, "degree": 1, "worst_degree": 2}),
            finding: [None, WEAK],
        },
        Row {
            name: "check: disputed, and the file says that the row counts",
            words: CHECK,
            text: disputed(", as = \"disputed\""),
            line: "row-major  free of conflicts (disputed: 2-way by nod-ai/amd-shark-ai",
            sum: "1 access of 1 tile: 1 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "degree": 1, "worst_degree": 1}),
            finding: [None, None],
        },
        Row {
            name: "check: disputed, and the file says that the other counts",
            words: CHECK,
            text: disputed(", as = \"rival\""),
            line: "2-way in phase 0: lanes 0 and 32, (0, 0) and (1, 0), bytes 0 and 256, bank 0 (disputed: free by ",
            sum: "1 access of 1 tile: 0 free, 1 with conflicts",
            status: [1, 1],
            fields: json!({"outcome": "conflict", "ruling": "conflicts", "free": false, "degree": 2}),
            finding: [CONFLICT, CONFLICT],
        },
        Row {
            name: "check: inferred",
            words: CHECK,
            text: tile(
                "chips = [\"sm_80\"]\n[tile.A]\nelement = \"f32\"\nshape = { m = 1, k = 128 }\nstrides = [128, 1]\n\
                 read = [{ op = \"ld.shared.b128\", by = \"row-major\" }]",
            ),
            line: "row-major  free of conflicts (phases inferred: ",
            sum: "1 access of 1 tile: 1 free",
            status: [0, 3],
            fields: json!({"outcome": "free", "free": true, "degree": 1}),
            finding: [None, WEAK],
        },
        Row {
            name: "check: refused",
            words: CHECK,
            text: tile(&format!("{gemm}\nstrides = [4, 1]\n{read}")),
            line: "not injective",
            sum: "",
            status: [2, 2],
            fields: Value::Null,
            finding: [INVALID, INVALID],
        },
        Row {
            name: "audit: free",
            words: AUDIT,
            text: amd("gfx942", "\tv_lshlrev_b32 v1, 2, v0\n\tds_read_b32 v2, v1"),
            line: "free of conflicts",
            sum: "1 instruction: 1 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "degree": 1, "race": null}),
            finding: [None, None],
        },
        Row {
            name: "audit: conflict",
            words: AUDIT,
            text: amd("gfx942", "\tv_lshlrev_b32 v1, 7, v0\n\tds_read_b32 v2, v1"),
            line: "32-way: lanes 0 and 1, bytes 0 and 128, bank 0",
            sum: "1 instruction: 1 with conflicts",
            status: [1, 1],
            fields: json!({"outcome": "conflict", "ruling": "conflicts", "degree": 32}),
            finding: [CONFLICT, CONFLICT],
        },
        Row {
            name: "audit: race",
            words: AUDIT,
            text: amd("gfx942", &format!("{PAIRS}\n\tds_write_b32 v1, v0")),
            line: "data race: lanes 0 and 1 write different values to one byte; 16-way: lanes 0 and 2, bytes 0 and 128, bank 0",
            sum: "1 instruction: 1 with data races",
            status: [1, 1],
            fields: json!({"outcome": "race", "ruling": "races", "degree": 16, "race": {"lanes": [0, 1], "values": "different"}}),
            finding: [RACE, RACE],
        },
        Row {
            name: "audit: redundant stores",
            words: AUDIT,
            text: amd(
                "gfx942",
                &format!("{PAIRS}\n\tv_add_u32 v2, 0x1000, v1\n\tds_write_b32 v1, v2"),
            ),
            line: "16-way: lanes 0 and 2, bytes 0 and 128, bank 0; lanes 0 and 1 write the same value to one byte",
            sum: "1 instruction: 1 with conflicts",
            status: [1, 1],
            fields: json!({"outcome": "conflict", "ruling": "conflicts", "degree": 16, "race": {"lanes": [0, 1], "values": "same"}}),
            finding: [CONFLICT, CONFLICT],
        },
        Row {
            name: "audit: redundant stores without a conflict",
            words: AUDIT,
            text: amd("gfx942", "\tv_lshrrev_b32 v1, 1, v0\n\tv_lshlrev_b32 v1, 2, v1\n\tds_write_b32 v1, v1"),
            line: "free of conflicts; lanes 0 and 1 write the same value to one byte",
            sum: "1 instruction: 1 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "degree": 1, "race": {"lanes": [0, 1], "values": "same"}}),
            finding: [None, None],
        },
        Row {
            name: "audit: stores that may race",
            words: AUDIT,
            text: amd(
                "gfx942",
                &format!("{PAIRS}\n\tglobal_load_dword v2, v[4:5], off\n\tds_write_b32 v1, v2"),
            ),
            line: "16-way: lanes 0 and 2, bytes 0 and 128, bank 0; may be a data race: lanes 0 and 1 write one byte, and whether the same value is not known",
            sum: "1 instruction: 1 with conflicts",
            status: [1, 1],
            fields: json!({"outcome": "conflict", "ruling": "conflicts", "degree": 16, "race": {"lanes": [0, 1], "values": "unknown"}}),
            finding: [CONFLICT, CONFLICT],
        },
        Row {
            name: "audit: stores that may race, without a conflict",
            words: AUDIT,
            text: amd(
                "gfx942",
                "\tv_lshrrev_b32 v1, 1, v0\n\tv_lshlrev_b32 v1, 2, v1\n\tglobal_load_dword v2, v[4:5], off\n\tds_write_b32 v1, v2",
            ),
            line: "may be a data race: lanes 0 and 1 write one byte, and whether the same value is not known",
            sum: "1 instruction: 1 that may be a data race",
            status: [0, 3],
            fields: json!({"outcome": "may_race", "degree": 1, "race": {"lanes": [0, 1], "values": "unknown"}}),
            finding: [MAY_RACE, MAY_RACE],
        },
        Row {
            name: "audit: two waves at one byte",
            words: &["audit", "-", "--block", "128"],
            text: two_waves(),
            line: "may be a race: ds_write_b32 at line 6 by lane 0 of wave 0 and ds_read_b32 at line 7 by lane 0 of wave 1 access byte 0, and no barrier orders them",
            sum: "2 instructions: 2 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "degree": 1}),
            finding: [UNORDERED, UNORDERED],
        },
        Row {
            name: "audit: two waves at one byte, which is allowed",
            words: &["audit", "-", "--block", "128", "--allow-races"],
            text: two_waves(),
            line: "2 instructions: 2 free",
            sum: "2 instructions: 2 free",
            status: [0, 0],
            fields: json!({"outcome": "free", "ruling": "passes", "degree": 1}),
            finding: [None, None],
        },
        Row {
            name: "audit: disputed, free by its row",
            words: AUDIT,
            text: amd("gfx950", &format!("{HALVES}\n\tds_read_b32 v2, v1")),
            line: "free of conflicts (disputed: 2-way by nod-ai/amd-shark-ai",
            sum: "1 instruction: 1 free",
            status: [0, 3],
            fields: json!({"outcome": "free", "degree": 1, "rival_degree": 2}),
            finding: [None, WEAK],
        },
        Row {
            name: "audit: inferred",
            words: AUDIT,
            text: ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry f()\n{\n.reg .b32 %r<9>;\n\
                   mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%r2];\nret;\n}\n"
                .to_string(),
            line: "free of conflicts (inferred)",
            sum: "1 instruction: 1 free",
            status: [0, 3],
            fields: json!({"outcome": "free", "degree": 1, "evidence": "inferred"}),
            finding: [None, WEAK],
        },
        Row {
            name: "audit: unknown",
            words: AUDIT,
            text: amd("gfx942", "\tglobal_load_dword v1, v[4:5], off\n\tds_read_b32 v2, v1"),
            line: "unknown: its address was loaded from memory at line 4",
            sum: "1 instruction: 1 unknown",
            status: [0, 3],
            fields: json!({"outcome": "unknown", "ruling": "weak", "degree": null}),
            finding: [UNKNOWN, UNKNOWN],
        },
        Row {
            name: "audit: not understood",
            words: AUDIT,
            text: amd("gfx942", "\tds_read_b128 v[4:7], q1"),
            line: "cannot tell: `q1` is not a vector register: ds_read_b128 v[4:7], q1",
            sum: "1 instruction: 1 unknown",
            status: [0, 3],
            fields: json!({"outcome": "unknown", "ruling": "weak", "degree": null}),
            finding: [UNKNOWN, UNKNOWN],
        },
        Row {
            name: "audit: listed",
            words: AUDIT,
            text: amd("gfx942", "\tv_lshlrev_b32 v1, 2, v0\n\tds_add_u32 v1, v2"),
            line: "an atomic: no source says what they cost",
            sum: "1 instruction: 1 without a verdict",
            status: [0, 0],
            fields: json!({"outcome": "listed", "ruling": "passes", "degree": null}),
            finding: [None, None],
        },
        Row {
            name: "audit: another chip than the text's",
            words: &["audit", "-", "--block", "64", "--chip", "sm_90"],
            text: amd("gfx942", "\tv_lshlrev_b32 v1, 2, v0\n\tds_read_b32 v2, v1"),
            line: "the text is compiled for gfx942, and the chip that is stated, sm_90, does not run it",
            sum: "",
            status: [2, 2],
            fields: Value::Null,
            finding: [INVALID, INVALID],
        },
    ]
}

/// Runs a question: exit status, standard output, standard error.
fn asked(row: &Row, more: &[&str]) -> (u8, String, String) {
    let words = ["tiledesc"].iter().chain(row.words).chain(more);
    let output = run(words, &mut row.text.as_bytes());
    (output.status as u8, output.out, output.err)
}

#[test]
fn every_place_says_the_same() {
    let mut wrong = Vec::new();
    for row in rows() {
        let mut ask = |is: bool, what: &str, found: &dyn core::fmt::Debug| {
            if !is {
                wrong.push(format!("{}: {what}: {found:?}", row.name));
            }
        };
        for (at, strict) in [&[][..], &["--strict"][..]].into_iter().enumerate() {
            let (status, out, err) = asked(&row, strict);
            ask(status == row.status[at], "status", &(strict, status));
            let all = format!("{out}{err}");
            ask(all.contains(row.line), "line", &all);
            let sum = out.lines().rev().find(|line| line.contains(row.sum));
            let is_whole = sum.is_some_and(|line| {
                let rest = line.split_once(row.sum).map_or("", |(_, rest)| rest);
                // With `--strict` the sum says, too, what is not accepted.
                rest.is_empty() || rest.starts_with(';') || rest.starts_with(", 1 on evidence")
            });
            ask(row.sum.is_empty() || is_whole, "sum", &all);

            let json = [strict, &["--format", "json"]].concat();
            let (again, out, _) = asked(&row, &json);
            let value: Value = serde_json::from_str(&out).unwrap_or_default();
            ask(again == status && value["status"] == status, "status in JSON", &value["status"]);
            let one = match row.words[0] {
                "check" => &value["tiles"][0]["accesses"][0],
                _ => &value["files"][0]["kernels"][0]["instructions"][0],
            };
            for (name, wanted) in row.fields.as_object().into_iter().flatten() {
                ask(&one[name] == wanted, name, &one[name]);
            }
            // What passes has status 0, and what is weak 3 with `--strict`.
            let ruled = match one["ruling"].as_str() {
                None => vec![2],
                Some("passes") => vec![0],
                Some("weak") => vec![if strict.is_empty() { 0 } else { 3 }],
                Some(_) => vec![1],
            };
            ask(ruled.contains(&status), "ruling and status", &(&one["ruling"], status));

            let github = [strict, &["--format", "github"]].concat();
            let (again, out, _) = asked(&row, &github);
            ask(again == status, "status of GitHub", &again);
            let wanted = row.finding[at].map_or(String::new(), |(level, _)| {
                let level = if level == "note" { "notice" } else { level };
                format!("::{level} file=")
            });
            let title =
                row.finding[at].map_or(String::new(), |(_, title)| format!("title={title}::"));
            let is_it = match row.finding[at] {
                None => out.is_empty(),
                Some(_) => out.starts_with(&wanted) && out.contains(&title),
            };
            ask(is_it, "GitHub", &out);

            let sarif = [strict, &["--format", "sarif"]].concat();
            let (again, out, _) = asked(&row, &sarif);
            ask(again == status, "status of SARIF", &again);
            let value: Value = serde_json::from_str(&out).unwrap_or_default();
            let found = &value["runs"][0]["results"][0];
            let (level, rule) = row.finding[at].unzip();
            ask(found["level"].as_str() == level, "level of SARIF", found);
            let rule = rule.map(|title| title.replace(' ', "-"));
            ask(found["ruleId"].as_str() == rule.as_deref(), "rule of SARIF", found);
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
