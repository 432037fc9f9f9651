//! Real programs: what Triton 3.9.0 makes of five kernels for gfx90a to gfx1201 (`triton/compile.py`).
//!
//! Six texts are committed. `AUDIT_TEXTS=FOLDER` reads all that the script has written there, and prints a table of
//! known and unknown addresses; of the 25 texts all 1,880 instructions with a row are known in every wave.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tiledesc_audit::{Kernel, Options, Outcome, audit};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn kernel(path: &Path) -> Kernel {
    let text = fs::read_to_string(path).unwrap();
    let mut kernels = audit(&text, &Options::default()).unwrap();
    assert_eq!(kernels.len(), 1, "{path:?}");
    kernels.remove(0)
}

/// How many instructions of a name have each degree above 1.
fn conflicts(kernel: &Kernel) -> Vec<(String, u32, usize)> {
    let mut all = BTreeMap::new();
    for line in kernel.report().lines.iter().filter(|line| line.outcome == Outcome::Conflicts) {
        let key = (line.opcode.clone(), line.verdict.unwrap().degree);
        *all.entry(key).or_insert(0) += line.lines.len();
    }
    all.into_iter().map(|((name, degree), count)| (name, degree, count)).collect()
}

#[test]
fn degrees_of_committed_programs() {
    type Conflicts = &'static [(&'static str, u32, usize)];
    let expected: [(&str, usize, Conflicts); 6] = [
        // K lies without a swizzle: `#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1}>` in the IR.
        ("attention-gfx942", 104, &[("ds_read2_b64", 16, 32), ("ds_write2st64_b64", 2, 8)]),
        ("gemm-gfx950", 48, &[]),
        ("gemm-gfx1201", 112, &[("ds_store_b64", 2, 32)]),
        ("transpose-gfx1201", 48, &[]),
        ("layer_norm-gfx1100", 4, &[]),
        ("layer_norm-gfx90a", 4, &[]),
    ];
    for (name, judged, found) in expected {
        let kernel = kernel(&data().join(name).with_extension("amdgcn"));
        let report = kernel.report();
        assert_eq!(report.count(Outcome::Unknown), 0, "{report}");
        let listed = report.count(Outcome::Listed);
        assert_eq!(kernel.sites.len() - listed, judged, "{report}");
        let owned = found.iter().map(|(op, degree, n)| (op.to_string(), *degree, *n));
        assert_eq!(conflicts(&kernel), owned.collect::<Vec<_>>(), "{report}");
    }
}

/// 32 of 4 phases and two addresses, and 8 writes; 768 cycles would do.
#[test]
fn what_attention_costs() {
    let report = kernel(&data().join("attention-gfx942.amdgcn")).report();
    assert_eq!(report.cycles(), [4672, 768]);
    let line =
        report.lines.iter().find(|line| line.loops == 1 && line.outcome == Outcome::Conflicts);
    let line = line.unwrap();
    assert_eq!((line.place.as_str(), line.lines.len()), ("kernels.py:30", 16));
    assert!(
        line.found.starts_with("16-way: lanes 0 and 1, bytes 0 and 256, bank 0"),
        "{}",
        line.found
    );
}

/// Addresses that are spilled to scratch memory are read back.
#[test]
fn spilled_addresses_are_known() {
    let path = data().join("gemm-gfx1201.amdgcn");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("scratch_load_b32"));
    let unknown = |text: &str| {
        let kernels = audit(text, &Options::default()).unwrap();
        kernels[0].report().count(Outcome::Unknown)
    };
    assert_eq!(unknown(&text), 0);
    // If nobody knows where they are written, they are not.
    let elsewhere = text.replace("scratch_store_b32 off, v", "scratch_store_b32 v1, v");
    assert!(unknown(&elsewhere) > 0);
}

/// All texts of a folder, as a table of the book.
#[test]
fn coverage() {
    let folder = std::env::var_os("AUDIT_TEXTS").map_or_else(data, PathBuf::from);
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "amdgcn"));
    paths.sort();
    let (mut all, mut unknown) = (0, 0);
    println!("| program | instructions | unknown | conflicts |\n|---|---|---|---|");
    for path in &paths {
        let kernel = kernel(path);
        let report = kernel.report();
        let listed = report.count(Outcome::Listed);
        let judged = kernel.sites.len() - listed;
        let said = |(name, degree, n): (String, u32, usize)| format!("`{name}` x{n} {degree}-way");
        let conflicts: Vec<_> = conflicts(&kernel).into_iter().map(said).collect();
        let name = path.file_stem().unwrap().to_string_lossy();
        println!(
            "| {name} | {judged} | {} | {} |",
            report.count(Outcome::Unknown),
            conflicts.join(", ")
        );
        all += judged;
        unknown += report.count(Outcome::Unknown);
    }
    println!("{} programs, {all} instructions with a row, {unknown} unknown", paths.len());
    assert!(paths.len() >= 6 && unknown * 100 <= all, "{unknown} of {all}");
}
