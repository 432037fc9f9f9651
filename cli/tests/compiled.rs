//! `audit` on compiled kernels: held to files of tiles, drawn, and as a page.
//!
//! `compiled/gemm-gfx942.s.gz` is `kernels/hip/gemm.hip` by Debian's clang 19.1.7, in `kernels/hip`:
//! `clang-19 -x hip --offload-device-only --offload-arch=gfx942 -nogpulib -nogpuinc -O3 -S -gline-tables-only
//! -fdebug-compilation-dir=. gemm.hip`. `compiled/gemm-sm_90.ptx.gz` is `kernels/cuda/gemm.cu` by nvcc 13.5.37, in
//! `kernels/cuda`: `nvcc -arch=sm_90 -O3 -lineinfo -ptx gemm.cu`, without the folder in `.file`. What today's compilers make
//! is held to the same layouts by `audit/tests/kernels.rs`.

use core::sync::atomic::{AtomicUsize, Ordering};
use flate2::read::GzDecoder;
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A committed text, unpacked to a file.
fn unpacked(path: &str) -> PathBuf {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(here(path)).unwrap()).read_to_string(&mut text).unwrap();
    // Tests run side by side: each has its own copy.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled").join(number);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(Path::new(path).file_stem().unwrap());
    fs::write(&file, text).unwrap();
    file
}

/// Runs `audit` on a text: exit status, and what it prints.
fn audit(text: &Path, options: &[&str]) -> (i32, String) {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tiledesc"));
    let output = tool.arg("audit").arg(text).args(options).output().unwrap();
    let all = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(all).unwrap())
}

/// What stands behind the line that names the file.
fn against(text: &Path, file: &Path, options: &[&str]) -> (i32, Vec<String>) {
    let options = [options, &["--against", file.to_str().unwrap()]].concat();
    let (status, out) = audit(text, &options);
    let (_, lines) = out.split_once("instructions of all waves, and of one tile:\n").expect(&out);
    (status, lines.lines().map(|line| line.trim().to_string()).collect())
}

#[test]
fn kernels_do_what_their_files_state() {
    let hip = unpacked("tests/compiled/gemm-gfx942.s.gz");
    let file = here("../kernels/hip/gemm.toml");
    let (status, said) = against(&hip, &file, &["--block", "256", "--strict"]);
    let wanted = [
        "a write store  ds_write_b128  16 of 16, from byte 0 on",
        "a read mfma-rows 32  ds_read_b128  32 of 16: 2 times a whole tile, from byte 0 on",
        "b write store  ds_write_b128  16 of 16, from byte 16384 on",
        "b read mfma-rows 32  ds_read_b128  32 of 16: 2 times a whole tile, from byte 16384 on",
    ];
    assert_eq!((status, said), (0, wanted.map(str::to_string).to_vec()));

    let cuda = unpacked("tests/compiled/gemm-sm_90.ptx.gz");
    let (status, said) = against(&cuda, &here("../kernels/cuda/gemm.toml"), &[]);
    // A is read by 4 of the 8 warps and B by 2; which is whose PTX does not say.
    let wanted = [
        "a write store  st.shared.v4.b32  32 of 32",
        "a read operand  ld.shared.v4.b32  96 of 32: 3 times a whole tile",
        "b write store  st.shared.v4.b32  32 of 32",
        "b read operand  ld.shared.v4.b32  96 of 32: 3 times a whole tile",
    ];
    assert_eq!((status, said), (0, wanted.map(str::to_string).to_vec()));
}

#[test]
fn what_is_missing_is_named() {
    let hip = unpacked("tests/compiled/gemm-gfx942.s.gz");
    let stated = fs::read_to_string(here("../kernels/hip/gemm.toml")).unwrap();
    let changed = |name: &str, from: &str, to: &str| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compiled-{name}.toml"));
        assert!(stated.contains(from), "{from}");
        fs::write(&file, stated.replacen(from, to, 1)).unwrap();
        against(&hip, &file, &["--block", "256"])
    };
    let (status, said) = changed("rows", "by = \"mfma-rows 32\"", "by = \"mfma-rows 16\"");
    assert_eq!(status, 1);
    assert_eq!(
        said[1],
        "a read mfma-rows 16  ds_read_b128  0 of 16: instruction 0 has lanes 0 and 16 at bytes 0 and 16 of the tile, \
         and in the code they are 2048 bytes apart"
    );
    // What the code does not tell is said.
    let often = "by = \"mfma-rows 32\", times = 4";
    let (status, said) = changed("times", "by = \"mfma-rows 32\"", often);
    assert_eq!((status, said.len()), (0, 5), "{said:?}");
    assert_eq!(
        said[4],
        "not compared: times = 4 of a read mfma-rows 32: the code does not say how often a loop runs"
    );
    let filled = "kpack = 8\nfill = { op = \"global_load_lds_b32\", waves = 4 }";
    let (status, said) = changed("fill", "kpack = 8", filled);
    assert_eq!((status, said.len()), (0, 5), "{said:?}");
    assert_eq!(
        said[4],
        "not compared: fill of a: where global_load_lds_b32 writes is not followed"
    );
    // Another layout.
    let (status, said) = changed("pad", "recipe = \"gemm-xor\"\nkpack = 8", "strides = [72, 1]");
    assert_eq!((status, said[0].contains("0 of 16: ")), (1, true), "{said:?}");
    // Another instruction.
    let (status, said) = changed("wide", "op = \"ds_read_b128\"", "op = \"ds_read_b64\"");
    assert_eq!(status, 1);
    assert!(said[1].ends_with("the code does not have this instruction"), "{said:?}");
    // One tile alone: what the other does is not stated.
    let (one, _) = stated.split_once("[tile.b]").unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-one.toml");
    fs::write(&file, one.replace("tile.a", "tile.lower")).unwrap();
    let (status, said) = against(&hip, &file, &["--block", "256"]);
    // It is the same tile twice.
    assert_eq!((status, said.len()), (0, 2), "{said:?}");
    assert_eq!(
        said[0],
        "lower write store  ds_write_b128  32 of 16: 2 times a whole tile, from bytes 0 and 16384 on"
    );
    fs::write(&file, one.replace("read = [{ op = \"ds_read_b128\", by = \"mfma-rows 32\" }]", ""))
        .unwrap();
    let (status, said) = against(&hip, &file, &["--block", "256"]);
    assert_eq!((status, said.len()), (0, 3), "{said:?}");
    assert_eq!(
        said[1],
        "not stated: ds_read_b128 x8 of gemm.hip:71, lanes 0 and 1 144 bytes apart"
    );
    let (status, _) = against(&hip, &file, &["--block", "256", "--strict"]);
    assert_eq!(status, 3);
    // Of another chip nothing is stated.
    let file = here("../kernels/cuda/gemm.toml");
    let (status, said) = audit(&hip, &["--block", "256", "--against", file.to_str().unwrap()]);
    assert_eq!(status, 2);
    assert!(
        said.ends_with("gemm.toml:1:1: no access is stated on gfx942; its tiles are of sm_90\n"),
        "{said}"
    );
}

#[test]
fn in_every_format() {
    let hip = unpacked("tests/compiled/gemm-gfx942.s.gz");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-formats.toml");
    let stated = fs::read_to_string(here("../kernels/hip/gemm.toml")).unwrap();
    fs::write(&file, stated.replace("mfma-rows 32", "mfma-rows 16")).unwrap();
    let of = |format: &str| {
        let options = ["--block", "256", "--against", file.to_str().unwrap(), "--format", format];
        audit(&hip, &options)
    };
    let (status, out) = of("json");
    let json: Value = serde_json::from_str(&out).unwrap();
    let kernel = &json["files"][0]["kernels"][0];
    assert_eq!((status, kernel["against"]["is_kept"].as_bool()), (1, Some(false)));
    assert_eq!(kernel["against"]["accesses"][1]["found"], 0);
    assert_eq!(kernel["against"]["not_stated"].as_array().unwrap().len(), 2);
    let (_, out) = of("github");
    assert!(out.starts_with("::error file="), "{out}");
    assert_eq!(out.matches("title=missing access").count(), 2, "{out}");
    let (_, out) = of("sarif");
    assert!(out.contains("missing-access"));
    let (_, page) = of("html");
    assert!(
        page.contains("<h3>Against ") && page.contains("not stated: ds_read_b128 x8"),
        "{page}"
    );
    roxmltree::Document::parse(page.trim_start_matches("<!DOCTYPE html>\n")).unwrap();
}

/// The kernels of `does_it_matter`: one that its conflict bounds, and one in which it hides.
#[test]
fn a_conflict_matters_or_hides_in_every_format() {
    let page = fs::read_to_string(here("../docs/src/does_it_matter.md")).unwrap();
    let text = page.split("```asm\n").nth(1).unwrap().split("```").next().unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled-matter.s");
    fs::write(&file, text).unwrap();
    let of = |options: &[&str]| audit(&file, &[&["--block", "256"], options].concat());
    let (status, out) = of(&[]);
    // Both fail, whether the conflict matters or not, and what is left out is said once.
    assert_eq!((status, out.matches("(bounds, not times").count()), (1, 1), "{out}");
    assert_eq!(out.matches("; not what bounds its loop\n").count(), 1, "{out}");
    let loops: Vec<&str> = out.lines().filter(|line| line.starts_with("loop at")).collect();
    let [narrow, wide] = loops[..] else { panic!("{out}") };
    assert!(narrow.contains(": LDS-bound by 2.00; without conflicts 32: MFMA-bound"), "{narrow}");
    assert!(wide.ends_with(": MFMA-bound by 1.50; without conflicts 32, which changes nothing"));
    let (_, out) = of(&["--format", "json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    let kernels = &json["files"][0]["kernels"];
    for (at, by, then) in [(0, "memory", 32), (1, "matrix", 32)] {
        let (kernel, better) = (&kernels[at], &kernels[at]["better"][0]["bounds"][0]);
        let (bound, line) = (&kernel["bounds"][0], &kernel["instructions"][0]);
        assert_eq!((&bound["by"], &bound["by_without_conflicts"]), (&by.into(), &"matrix".into()));
        assert_eq!((&line["bound"], &line["is_hidden"]), (&0.into(), &(by == "matrix").into()));
        assert_eq!(better["memory"]["least"], then);
        // The whole kernel, each instruction once, is the last.
        assert!(kernel["bounds"][1]["place"].is_null());
    }
    let (_, out) = of(&["--format", "github"]);
    assert_eq!(out.matches("::error ").count(), 2, "{out}");
    assert!(loops.iter().all(|one| out.contains(one)), "{out}");
    let (_, out) = of(&["--format", "sarif"]);
    assert!(loops.iter().all(|one| out.contains(one)), "{out}");
    let (_, out) = of(&["--format", "html"]);
    assert!(loops.iter().all(|one| out.contains(one)), "{out}");
}

/// Figures and the page of a transposition, whose 32 accesses are 2-way.
#[test]
fn an_access_is_drawn() {
    let text = unpacked("../audit/tests/data/transpose-gfx950.amdgcn.gz");
    let (_, list) = audit(&text, &[]);
    let at = list.lines().position(|line| line.contains("2-way")).unwrap();
    let (status, figure) = audit(&text, &["--access", &at.to_string()]);
    assert_eq!(status, 0);
    // Two rows a phase now, and one with the mask: two figures.
    let words = figure.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in
        ["wave 0: 2-way, 4 cycles", "byte ^ (byte >> 7 & 1) << 5: free of conflicts, 2 cycles"]
    {
        assert!(words.contains(part), "{figure}");
    }
    let (_, svg) = audit(&text, &["--access", &at.to_string(), "--format", "svg"]);
    assert!(svg.starts_with("<svg "), "{svg}");
    let (status, said) = audit(&text, &["--access", "99"]);
    assert_eq!(
        (status, said.ends_with("--access 99: the list has 3 lines\n")),
        (2, true),
        "{said}"
    );
    let (status, said) = audit(&text, &["--format", "svg"]);
    assert_eq!(status, 2);
    assert!(said.contains("add --access N"), "{said}");
    let (_, page) = audit(&text, &["--format", "html"]);
    let page = page.trim_start_matches("<!DOCTYPE html>\n");
    let document = roxmltree::Document::parse(page).unwrap();
    let figures = document.descendants().filter(|node| node.has_tag_name("figure")).count();
    let conflicts = list.lines().filter(|line| line.contains("-way: ")).count();
    assert_eq!(figures, conflicts);
}
