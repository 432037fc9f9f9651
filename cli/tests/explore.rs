//! What the explorer is told, against the library and against the other subcommands.

use serde_json::Value;
use tiledesc::pattern::Lanes;
use tiledesc::{Plan, access::Placed, chip};
use tiledesc_cli::{Status, explore, run};

const FILE: &str = "version = 1
chips = [\"gfx942\"]
[tile.A]
element = \"f16\"
shape = { m = 128, k = 64 }
strides = [72, 1]
write = [{ op = \"ds_write_b128\", by = \"row-major\" }]
read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\", times = 4 }]
";

fn ask(question: &str, text: &str) -> Value {
    let output = explore(question, text);
    assert_eq!(output.status, Status::Free, "{question}: {}", output.err);
    serde_json::from_str(&output.out).unwrap()
}

/// The same file to the command line.
fn command(words: &[&str], text: &str) -> String {
    let words = ["tiledesc"].iter().chain(words);
    run(words.copied(), &mut text.as_bytes()).out
}

#[test]
fn check_is_the_command_lines() {
    let output = explore("check", FILE);
    assert_eq!(output.out, command(&["check", "--format", "json", "-"], FILE));
    assert_eq!(output.status, Status::Conflict);
    let wrong = FILE.replace("f16", "f17");
    let (here, there) = (
        explore("check", &wrong),
        run(["tiledesc", "check", "--format", "json", "-"], &mut wrong.as_bytes()),
    );
    assert_eq!(here, there);
    assert_eq!(here.status, Status::Invalid);
}

/// Offsets, banks, lanes, phases and crowds, each by the library without the command line.
#[test]
fn a_tile_is_the_librarys() {
    let answer = ask("tile 1", FILE);
    let plan = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    let tile = &answer["tile"];
    assert_eq!(tile["bytes"], (127 * 72 + 64) * 2);
    for id in [0, 1, 63, 64, 4000, 8191] {
        let offset = plan.offset(plan.nth(id).as_slice()).unwrap();
        assert_eq!(tile["offsets"][id as usize], offset);
        assert_eq!(tile["bank"][id as usize], offset * 2 / 4 % 32);
    }
    let row = chip::find("gfx942").unwrap().instruction("ds_read_b128").unwrap();
    let placed = Placed::new(&plan, 16, Lanes::rows(16), row).unwrap();
    let (verdict, shown) = (placed.verdict().unwrap(), &answer["shown"]);
    assert_eq!(answer["accesses"][1]["degree"], verdict.degree());
    assert_eq!(answer["accesses"][1]["sentence"], verdict.found().as_str());
    let touched = placed.touched(verdict.shown()).unwrap();
    assert_eq!(shown["lanes"].as_array().unwrap().len(), 64);
    for lane in shown["lanes"].as_array().unwrap() {
        let number = lane["lane"].as_u64().unwrap() as usize;
        let byte = touched.addresses().get(number).unwrap();
        assert_eq!(lane["byte"], byte);
        assert_eq!(
            lane["dwords"],
            serde_json::json!([byte / 4, byte / 4 + 1, byte / 4 + 2, byte / 4 + 3])
        );
    }
    // The fullest bank of each phase is as full as the library says.
    for (i, phase) in shown["phases"].as_array().unwrap().iter().enumerate() {
        let crowd = placed.phase(verdict.shown(), i).unwrap();
        let full = |bank: &Value| bank.as_array().unwrap().len();
        let banks = phase["banks"].as_array().unwrap();
        assert_eq!(banks.iter().map(full).max().unwrap(), crowd.degree as usize);
        assert_eq!(full(&banks[crowd.bank as usize]), crowd.degree as usize);
        assert_eq!(phase["degree"], crowd.degree);
    }
    assert_eq!(shown["phases"].as_array().unwrap().len(), 8);
}

#[test]
fn candidates_are_those_of_find() {
    let (answer, told) = (ask("find", FILE), command(&["find", "-"], FILE));
    let rows = answer["rows"].as_array().unwrap();
    assert!(told.contains(answer["proof"].as_str().unwrap()), "{told}");
    assert!(rows.len() > 2);
    for row in rows {
        let (cycles, bytes, words) = (&row["cycles"], &row["bytes"], row["words"].as_str());
        let line = told.lines().find(|line| line.contains(words.unwrap_or("as it is"))).unwrap();
        let figures: Vec<_> = line.split_whitespace().take(2).collect();
        assert_eq!(figures, [cycles.to_string(), bytes.to_string()]);
    }
}

/// Every cell is what `check` says of a file with that access alone.
#[test]
fn heat_is_the_verdict_of_each_access() {
    let mut seen = 0;
    for question in ["heat chip gfx950", "heat by mfma-rows 16", "heat by row-major"] {
        let answer = ask(question, FILE);
        let cells = answer["cells"].as_array().unwrap();
        for cell in cells.iter().step_by(7) {
            let word = |name: &str| cell[name].as_str().unwrap();
            let head = FILE.split("write =").next().unwrap().replace("gfx942", word("chip"));
            let (access, op, by) = (word("access"), word("op"), word("by"));
            let file = format!("{head}{access} = [{{ op = \"{op}\", by = \"{by}\" }}]\n");
            let report: Value = serde_json::from_str(&explore("check", &file).out).unwrap();
            match cell.get("degree") {
                Some(degree) => {
                    assert_eq!(report["tiles"][0]["accesses"][0]["degree"], *degree, "{file}");
                    seen += 1;
                }
                None => assert!(!report["faults"].as_array().unwrap().is_empty(), "{file}"),
            }
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn code_is_that_of_emit_and_convert() {
    let answer = ask("code", FILE);
    let text = |name: &str| {
        let all = answer.as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap()["text"].as_str().unwrap().to_string()
    };
    assert!(command(&["emit", "--lang", "hip", "-"], FILE).contains(&text("hip")));
    assert_eq!(command(&["convert", "--to", "cute", "-"], FILE).trim(), text("cute").trim());
    assert!(text("rust").contains("assert_conflict_free!"));
}

/// Every language of `emit` has a tab, and all tabs are of the layout that is shown, though it conflicts.
#[test]
fn tabs_agree_on_the_layout() {
    let answer = ask("code", FILE);
    let tabs = answer.as_array().unwrap();
    let names: Vec<_> = tabs.iter().map(|one| one["name"].as_str().unwrap()).collect();
    let languages = ["c", "hip", "cuda", "wgsl", "glsl", "msl", "latex", "text"];
    assert!(languages.iter().all(|name| names.contains(name)), "{names:?}");
    assert_eq!(names[0], "rust");
    let rust = tabs[0]["text"].as_str().unwrap();
    assert!(rust.contains("It has conflicts") && !rust.contains("in place of"), "{rust}");
    assert!(rust.contains("recipe::RowPad<F16, M<128>, K<64>, Padding<8>>"), "{rust}");
    let of =
        |name: &str| tabs[names.iter().position(|one| *one == name).unwrap()]["text"].to_string();
    assert!(of("hip").contains("m * 72") && of("glsl").contains("m * 72"), "{}", of("glsl"));
}

/// An unknown question, a number out of range, a text that is not a file: refused in a sentence, without a panic.
#[test]
fn what_is_wrong_is_said() {
    let output = explore("tiles", FILE);
    assert_eq!(output.status, Status::Invalid);
    assert_eq!(output.err, "tiledesc: there is no question `tiles`; did you mean `tile`?\n");
    for question in ["tile", "find", "heat chip gfx942", "code"] {
        let output = explore(question, "version = 1\n[tile.A]\nelement = \"f16\"\n");
        let answer: Value = serde_json::from_str(&output.out).unwrap();
        assert_eq!(answer["faults"][0]["line"], 2, "{question}");
        assert_eq!(explore(question, "").status, Status::Invalid);
    }
    let first = ask("tile 0", FILE);
    assert_eq!(ask("tile 99 99999999999999999999", FILE)["shown"]["line"], first["shown"]["line"]);
    assert_eq!(ask("heat chip gfx1", FILE)["cells"], serde_json::json!([]));
    assert_eq!(ask("heat by nothing", FILE)["cells"], serde_json::json!([]));
}

/// All that a page offers is taken by a file.
#[test]
fn what_is_listed_is_taken() {
    let list = ask("list", "");
    for chip in list["chips"].as_array().unwrap() {
        for row in chip["rows"].as_array().unwrap() {
            let (access, op) = (row["access"].as_str().unwrap(), row["op"].as_str().unwrap());
            let head = FILE.split("write =").next().unwrap();
            let head = head.replace("gfx942", chip["name"].as_str().unwrap());
            let file = format!("{head}{access} = [{{ op = \"{op}\", by = \"row-major\" }}]\n");
            let told = explore("check", &file).err;
            assert!(!told.contains("no instruction") && !told.contains("two addresses"), "{told}");
        }
    }
    assert_eq!(list["elements"][0]["bits"], 64);
    assert!(list["recipes"].as_array().unwrap().len() > 20);
}

/// Tiles of other ranks, widths, sizes and instructions: every question has an answer of JSON.
#[test]
fn odd_tiles_are_answered() {
    let odd = [
        (
            "gfx942",
            "f4",
            "shape = { m = 32, k = 128 }\nstrides = [128, 1]",
            "read",
            "ds_read_b128",
            "mfma-rows 16",
        ),
        (
            "gfx950",
            "f6",
            "shape = { m = 32, k = 64 }\nstrides = [64, 1]",
            "read",
            "ds_read_b96_tr_b6",
            "row-major",
        ),
        (
            "gfx942",
            "f64",
            "shape = { m = 32, k = 16 }\nstrides = [17, 1]",
            "write",
            "ds_write_b64",
            "row-major",
        ),
        (
            "gfx942",
            "f32",
            "shape = { m = 64, k = 128 }\nstrides = [128, 1]",
            "read",
            "ds_read2_b32(0, 64)",
            "mfma-rows 16",
        ),
        (
            "sm_90",
            "f16",
            "shape = { m = 64, k = 64 }\nstrides = [72, 1]",
            "read",
            "ldmatrix_x4",
            "ldmatrix-rows 16",
        ),
        (
            "gfx942",
            "f16",
            "shape = { a = 4, b = 16, c = 64 }\nstrides = [1024, 64, 1]",
            "read",
            "ds_read_b64",
            "row-major",
        ),
        ("gfx942", "f16", "shape = { k = 64 }\nstrides = [1]", "read", "ds_read_u16", "row-major"),
        (
            "gfx942",
            "f16",
            "shape = { m = 16, k = 64 }\nstrides = [0, 1]\nmay_overlap = true",
            "read",
            "ds_read_b64",
            "mfma-rows 16",
        ),
        (
            "gfx942",
            "f16",
            "shape = { m = 4096, k = 4096 }\nstrides = [4096, 1]",
            "read",
            "ds_read_b64",
            "row-major",
        ),
        (
            "gfx942",
            "f16",
            "stages = \"packed [16]; freeze[3] (0) -> ();\"",
            "read",
            "ds_read_u16",
            "row-major",
        ),
    ];
    let mut answered = 0;
    for (chip, element, layout, access, op, by) in odd {
        let file = format!(
            "version = 1\nchips = [\"{chip}\"]\n[tile.A]\nelement = \"{element}\"\n{layout}\n{access} = [{{ op = \"{op}\", by = \"{by}\" }}]\n"
        );
        for question in ["check", "tile", "tile 0 1", "find", "heat by row-major", "code"] {
            let output = explore(question, &file);
            let answer: Value = serde_json::from_str(&output.out)
                .unwrap_or_else(|error| panic!("{question} of\n{file}{error}: {}", output.err));
            let faults = answer["faults"].as_array().is_some_and(|faults| !faults.is_empty());
            assert_eq!(faults, output.status == Status::Invalid, "{question} of\n{file}");
            answered += usize::from(!faults);
        }
    }
    assert!(answered > 40, "{answered}");
}

/// A file with a letter gone or another in its place: an answer or a fault, never a panic.
#[test]
fn broken_files_are_answered() {
    for (at, _) in FILE.char_indices().filter(|(at, _)| at % 3 == 0) {
        for with in ["", "9", "\""] {
            let mut file = FILE.to_string();
            file.replace_range(at..=at, with);
            let output = explore("tile", &file);
            assert!(serde_json::from_str::<Value>(&output.out).is_ok(), "{file}{}", output.err);
        }
    }
}

/// Thread t writes at byte 128 t of a word whose place is not known: 32-way. The second kernel writes at byte 4 t.
const TEXT: &str = ".version 8.0
.target sm_90
.visible .entry column()
.reqntid 32
{
.reg .b32 %r<4>;
.shared .align 16 .b8 memory[4096];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 7;
mov.u32 %r3, memory;
add.s32 %r2, %r3, %r2;
ld.shared.b32 %r1, [%r3];
st.shared.b32 [%r2], %r1;
ret;
}
.visible .entry row()
{
.reg .b32 %r<4>;
.shared .align 16 .b8 memory[4096];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, memory;
add.s32 %r2, %r3, %r2;
st.shared.b32 [%r2], %r1;
ret;
}
";

/// The list is that of `tiledesc audit`, and a line has the lanes' bytes, banks and phases.
#[test]
fn a_compiled_kernel_is_that_of_audit() {
    let told = command(&["audit", "--format", "json", "--kernel", "column", "-"], TEXT);
    let told: Value = serde_json::from_str(&told).unwrap();
    let kernel = &told["files"][0]["kernels"][0];
    let answer = ask("audit", TEXT);
    assert_eq!(answer["kernels"], serde_json::json!(["column", "row"]));
    assert_eq!(
        (&answer["report"]["kernel"], &answer["report"]["sum"]),
        (&kernel["kernel"], &kernel["sum"])
    );
    assert_eq!(answer["report"]["instructions"], kernel["instructions"]);
    // The worst line is shown if none is named, here the second.
    let shown = &answer["shown"];
    assert_eq!((&shown["line"], &shown["is_known"]), (&2.into(), &false.into()));
    assert_eq!((&shown["access"], &shown["pair"]), (&"write".into(), &serde_json::json!([0, 1])));
    let lanes = shown["lanes"].as_array().unwrap();
    assert_eq!(lanes.len(), 32);
    for (number, lane) in (0_u32..).zip(lanes) {
        assert_eq!(lane["byte"], 128 * number);
        assert_eq!(lane["dwords"], serde_json::json!([32 * number]));
        assert_eq!(lane["banks"], serde_json::json!([0]));
    }
    assert_eq!(shown["phases"].as_array().unwrap().len(), 1);
    assert_eq!(shown["phases"][0]["banks"][0].as_array().unwrap().len(), 32);
    // The load of one word by all lanes is free.
    let load = ask("audit line=1", TEXT);
    assert_eq!((&load["shown"]["line"], &load["shown"]["pair"]), (&1.into(), &Value::Null));
    assert_eq!(load["shown"]["phases"][0]["degree"], 1);
    assert_eq!(ask("audit line=99", TEXT)["shown"], *shown);
}

#[test]
fn words_choose_kernel_chip_and_block() {
    // Where no block is stated, its x is taken as a multiple of the warp.
    let taken = ask("audit kernel=1", TEXT);
    assert_eq!((&taken["kernel"], &taken["shown"]["lanes"][5]["byte"]), (&1.into(), &20.into()));
    assert_eq!(taken["report"]["instructions"][0]["outcome"], "free");
    let row = ask("audit kernel=1 block=32,1,1 chip=sm_100", TEXT);
    assert_eq!(
        row["report"]["kernel"],
        "row, sm_100 (compiled for sm_90), 1 wave of 32, 1 shared-memory instruction, all addresses known"
    );
    // What the text is compiled for does not run there.
    let older = explore("audit kernel=1 block=32,1,1 chip=sm_80", TEXT);
    let why = "the text is compiled for sm_90, and the chip that is stated, sm_80, does not run it";
    assert_eq!((older.status, older.err), (Status::Invalid, format!("tiledesc: {why}\n")));
    assert_eq!(row["shown"]["lanes"][5]["byte"], 20);
    // The first, if there is no such kernel.
    assert_eq!(ask("audit kernel=7", TEXT)["kernel"], 0);
    let better = ask("better", TEXT);
    let told = command(&["audit", "--format", "json", "--kernel", "column", "-"], TEXT);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(better["regions"], told["files"][0]["kernels"][0]["better"]);
    assert_eq!(better["regions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_wrong_with_assembly_is_said() {
    for (question, text, why) in [
        ("audit", "int main() {}", "neither AMDGPU assembly nor PTX nor SASS"),
        ("audit", ".version 8.0\n.target sm_90\n", "no kernel was found in the text"),
        ("audit line=x", TEXT, "`line=x` needs a whole number behind its `=`"),
        ("audit 3", TEXT, "`3` is not one of kernel=, line=, chip= and block="),
        ("better block=0", TEXT, "a block has from 1 to 1024 lanes, but this one has 0"),
    ] {
        let output = explore(question, text);
        let answer: Value = serde_json::from_str(&output.out).unwrap();
        assert_eq!(answer["fault"], why, "{question}");
        assert_eq!(output.err, format!("tiledesc: {why}\n"));
        assert_eq!(output.status, Status::Invalid);
    }
    // What has no lanes says why.
    let text = TEXT.replace("ld.shared.b32 %r1, [%r3]", "ld.b32 %r1, [%r3]");
    let shown = &ask("audit line=1", &text)["shown"];
    assert_eq!(
        shown["why"],
        "ld.b32: a generic address, which may be in shared or in global memory"
    );
}
