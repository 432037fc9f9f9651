//! `audit` on many kernels: folders, files of several kernels, `-q`, and findings at the lines of the source.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kernel in which 64 lanes write words `2^shift` bytes apart, compiled from a line of a file.
fn amd(name: &str, shift: u32) -> String {
    format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type {name},@function\n{name}:\n\
         .file 1 \"/lib\" \"standard.py\"\n.loc 1 314 12 ; standard.py:314:12 @[ src/kernels.py:63:12 ]\n\
         v_lshlrev_b32_e32 v1, {shift}, v0\nds_write_b32 v1, v0\ns_endpgm\n"
    )
}

const PTX: &str = ".version 8.0\n.target sm_90\n.file 1 \"src/kernels.cu\"
.visible .entry _Z4gemmIfEvPT_() .reqntid 32 {
.reg .b32 %r<9>;
.loc 1 12 3
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 7;
st.shared.b32 [%r2], %r1;
ret;\n}
.visible .entry none() {\nret;\n}
.visible .entry none_either() {\nret;\n}\n";

/// A cache as Triton has it, of one name for each test.
fn cache(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folders").join(name);
    drop(fs::remove_dir_all(&root));
    let files = [
        ("A/mild.amdgcn", amd("mild", 3)),
        ("A/mild.hsaco", "\u{7f}ELF".to_string()),
        (
            "A/mild.json",
            r#"{"target": {"arch": "gfx942", "warp_size": 64}, "num_warps": 2}"#.into(),
        ),
        ("A/mild.ttir", "module {}".to_string()),
        ("B/dear.s", amd("dear", 7)),
        ("B/host.s", "main:\n\tret\n".to_string()),
        ("C/gemm.ptx", PTX.to_string()),
    ];
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// Exit status, output and errors.
fn audit(at: &Path, words: &[&str]) -> (i32, String, String) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tiledesc"));
    let done = tool.current_dir(at).arg("audit").args(words).output().unwrap();
    let [out, err] = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    (done.status.code().unwrap(), out, err)
}

/// The dearest comes first; machine code whose text is there and what is no kernel are left out.
#[test]
fn a_folder_is_ranked() {
    let root = cache("ranked");
    let (status, out, err) = audit(&root, &["."]);
    assert_eq!((status, err.as_str()), (1, ""));
    let heads: Vec<_> = out
        .lines()
        .filter(|line| line.starts_with("./") && line.contains(" all addresses known"))
        .collect();
    let expected = [
        // 64 lanes, 128 bytes apart: 64 cycles where 2 would do.
        "./B/dear.s: dear, gfx942, 1 wave of 64 (taking x of a block as a multiple of 64; --block states its shape), 1 LDS instruction, all addresses known",
        "./C/gemm.ptx: gemm<float>, sm_90, 1 wave of 32, 1 shared-memory instruction, all addresses known",
        // Two warps, by Triton's own file.
        "./A/mild.amdgcn: mild, gfx942, 2 waves of 64, 1 LDS instruction, all addresses known",
    ];
    assert_eq!(heads, expected, "{out}");
    let others = "./C/gemm.ptx: 2 kernels without LDS or shared memory, and with the fewest lines of global memory\n";
    assert!(out.contains(others), "{out}");
    assert!(out.ends_with("1 file without a kernel that is wanted, such as ./B/host.s\n"), "{out}");
    let (_, json, _) = audit(&root, &[".", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["left_out"][0], "./B/host.s");
    assert_eq!(json["files"][1]["kernels"][0]["name"], "_Z4gemmIfEvPT_");
    let call = serde_json::json!([{ "path": "/lib/standard.py", "line": 314 }, { "path": "src/kernels.py", "line": 63 }]);
    assert_eq!(json["files"][0]["kernels"][0]["instructions"][0]["source"], call);
    // A part of a name chooses from all files.
    let (_, out, _) = audit(&root, &[".", "--kernel", "gemm<*", "-q"]);
    assert_eq!(out.lines().filter(|line| line.starts_with("./")).count(), 1, "{out}");
    let (status, _, err) = audit(&root.join("A"), &["../B/none"]);
    assert_eq!(status, 2, "{err}");
    fs::create_dir_all(root.join("D")).unwrap();
    let (status, _, err) = audit(&root, &["D"]);
    assert!(
        status == 2 && err.contains("D: no file of this folder ends in one of .amdgcn, .ptx"),
        "{err}"
    );
}

/// A kernel without findings is not printed, nor is an instruction that passes.
#[test]
fn quiet() {
    let root = cache("quiet");
    let (status, out, _) = audit(&root, &["A/mild.amdgcn", "B/dear.s", "-q", "--max-degree", "8"]);
    assert_eq!(status, 1);
    assert!(out.starts_with("B/dear.s: dear") && !out.contains("mild"), "{out}");
    let (status, out, _) = audit(&root, &["A/mild.amdgcn", "-q", "--max-degree", "8"]);
    assert_eq!((status, out.as_str()), (0, ""));
}

/// A kernel that cannot be judged is a sentence, and the others of its text are judged.
#[test]
fn one_of_many_cannot_be_judged() {
    let root = cache("one");
    let text = format!("{PTX}.visible .entry lost() {{\nbra $nowhere;\n}}\n");
    fs::write(root.join("many.ptx"), text).unwrap();
    let (status, out, err) = audit(&root, &["many.ptx"]);
    assert_eq!(status, 2);
    assert!(out.starts_with("many.ptx: gemm<float>, sm_90, 1 wave of 32"), "{out}");
    assert!(
        err.starts_with("many.ptx: lost: the branch in line") && err.lines().count() == 1,
        "{err}"
    );
    let (_, json, _) = audit(&root, &["many.ptx", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["files"][0]["refused"].as_array().unwrap().len(), 1);
    assert_eq!(json["files"][0]["kernels"].as_array().unwrap().len(), 3);
}

/// Annotations and code scanning name the line of the checkout: of an inlined function the call's.
#[test]
fn findings_are_at_the_source() {
    let root = cache("source");
    let (_, out, _) = audit(&root, &["B/dear.s", "C/gemm.ptx", "--format", "github"]);
    let lines: Vec<_> = out.lines().collect();
    let title = "title=bank conflict::";
    assert!(
        lines[0].starts_with(&format!("::error file=src/kernels.py,line=63,{title}ds_write_b32")),
        "{out}"
    );
    assert!(lines[0].ends_with("%0A(B/dear.s:7)"), "{out}");
    assert!(
        lines[1].starts_with(&format!("::error file=src/kernels.cu,line=12,{title}st.shared.b32")),
        "{out}"
    );
    let (_, out, _) = audit(&root, &["B/dear.s", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&out).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let uri = |place: &Value| place["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(uri(&result["locations"][0]), "src/kernels.py");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 63);
    assert_eq!(uri(&result["relatedLocations"][0]), "B/dear.s");
}

/// The instructions that lead to an address, by a line of the text or of the source.
#[test]
fn why_an_address_is_what_it_is() {
    let root = cache("why");
    let (status, out, err) = audit(&root, &["B/dear.s", "--why", "7"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[0].starts_with("B/dear.s: dear, gfx942, "), "{out}");
    assert_eq!(
        lines[1],
        "  line 6  v_lshlrev_b32_e32 v1, 7, v0  u + 128 lane, u the same in all lanes, a multiple of 8192"
    );
    assert!(
        lines[2].starts_with("  line 7  ds_write_b32 v1, v0          32-way: lanes 0 and 1"),
        "{out}"
    );
    assert_eq!(audit(&root, &["B/dear.s", "--why", "kernels.py:63"]).1, out);
    let (status, _, err) = audit(&root, &["B/dear.s", "--why", "3"]);
    assert_eq!(status, 2);
    assert!(
        err.starts_with("tiledesc: --why 3: no access to LDS or shared memory stands there"),
        "{err}"
    );
    let (_, _, err) = audit(&root, &[".", "--why", "3"]);
    assert_eq!(err, "tiledesc: --why is of one text, and there are 4\n");
}
