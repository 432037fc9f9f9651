//! Real programs: what Triton 3.9.0 makes of five kernels for eight chips (`triton/compile.py`), compressed to 277 kB.
//!
//! `GOLDEN_KERNELS=FOLDER` reads all that the script has written there. `coverage` prints the table of the book and holds the
//! committed page to it: `cargo xtask bless audit` writes it.

use flate2::read::GzDecoder;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use tiledesc_audit::{Kernel, Options, Outcome, Report, audit};

fn data() -> PathBuf {
    support::root().join("audit/tests/data")
}

fn text(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn kernel_of(text: &str) -> Kernel {
    let mut kernels = audit(text, &Options::default()).unwrap();
    assert_eq!(kernels.len(), 1);
    kernels.remove(0)
}

fn kernel(name: &str) -> Kernel {
    let kind = if name.contains("-sm_") { "ptx" } else { "amdgcn" };
    kernel_of(&text(&data().join(format!("{name}.{kind}.gz"))))
}

/// How many instructions of a name have each degree above 1.
fn conflicts(report: &Report) -> BTreeMap<(String, u32), usize> {
    let mut all = BTreeMap::new();
    for line in report.lines.iter().filter(|line| line.outcome == Outcome::Conflicts) {
        *all.entry((line.opcode.clone(), line.verdict.unwrap().degree)).or_insert(0) +=
            line.lines.len();
    }
    all
}

#[test]
fn degrees_of_committed_programs() {
    type Conflicts = &'static [(&'static str, u32, usize)];
    // Accesses of all waves, each instruction in each.
    let expected: [(&str, usize, Conflicts); 12] = [
        // K lies without a swizzle: `#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1}>` in the IR.
        ("attention-gfx942", 416, &[("ds_read2_b64", 16, 32), ("ds_write2st64_b64", 2, 8)]),
        ("gemm-gfx950", 192, &[]),
        ("gemm-gfx1201", 448, &[("ds_store_b64", 2, 32)]),
        ("transpose-gfx1201", 192, &[]),
        ("layer_norm-gfx1100", 16, &[]),
        ("layer_norm-gfx90a", 16, &[]),
        ("gemm-sm_80", 480, &[]),
        ("gemm-sm_90", 320, &[]),
        ("attention-sm_80", 704, &[]),
        ("attention-sm_90", 384, &[]),
        ("transpose-sm_80", 32, &[]),
        ("attention-sm_100", 484, &[]),
    ];
    for (name, judged, found) in expected {
        let kernel = kernel(name);
        let report = kernel.report();
        assert_eq!(report.count(Outcome::Unknown), 0, "{report}");
        let with_row = kernel.sites.iter().filter(|site| site.access.is_ok());
        assert_eq!(with_row.map(|site| site.reached.len()).sum::<usize>(), judged, "{report}");
        let found = found.iter().map(|(op, degree, n)| ((op.to_string(), *degree), *n));
        assert_eq!(conflicts(&report), found.collect(), "{report}");
    }
}

/// 32 of 4 phases and two addresses, and 8 writes; 768 cycles would do.
#[test]
fn what_attention_costs() {
    let report = kernel("attention-gfx942").report();
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

/// CUDA by clang 19 (`clang/known.cu`), with degrees that are counted on paper.
#[test]
fn known_kernels() {
    let path = support::root().join("audit/tests/clang/known.ptx.gz");
    let kernels = audit(&text(&path), &Options::default()).unwrap();
    let of = |name: &str| {
        let report = kernels.iter().find(|one| one.name == name).unwrap().report();
        let (free, unknown) = (report.count(Outcome::Free), report.count(Outcome::Unknown));
        let degrees = conflicts(&report).into_iter().map(|((op, degree), n)| (op, degree, n));
        (free, unknown, degrees.collect::<Vec<_>>())
    };
    let (load, store) = ("ld.shared.f32".to_string(), "st.shared.f32".to_string());
    assert_eq!(of("transpose"), (1, 0, vec![(load.clone(), 32, 1)]));
    assert_eq!(of("padded"), (2, 0, vec![]));
    // Strides of 2, 4, .. 256 words by 32, 32, 32, 16, 8, 4, 2 and 1 lanes of a warp: 2-way, 4, 8, 8, 8, 4, 2, free.
    let rounds = |name: &String, each: usize| {
        [(2, 2), (4, 2), (8, 3)].map(|(degree, n)| (name.clone(), degree, each * n))
    };
    assert_eq!(of("strided"), (5, 0, [rounds(&load, 2), rounds(&store, 1)].concat()));
    assert_eq!(of("counted"), (2, 2, vec![]));
}

/// Addresses that are spilled to scratch memory are read back.
#[test]
fn spilled_addresses_are_known() {
    let text = text(&data().join("gemm-gfx1201.amdgcn.gz"));
    assert!(text.contains("scratch_load_b32"));
    let unknown = |text: &str| kernel_of(text).report().count(Outcome::Unknown);
    assert_eq!(unknown(&text), 0);
    // If nobody knows where they are written, they are not.
    let elsewhere = text.replace("scratch_store_b32 off, v", "scratch_store_b32 v1, v");
    assert!(unknown(&elsewhere) > 0);
}

const CHIPS: [&str; 8] =
    ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "sm_80", "sm_90", "sm_100"];

/// All programs, as the table of the book: at least 99 % are known.
#[test]
fn coverage() {
    let folder = std::env::var_os("GOLDEN_KERNELS").map_or_else(data, PathBuf::from);
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut cells: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let (mut all, mut unknown) = (0, 0);
    for path in &paths {
        let report = kernel_of(&text(path)).report();
        let judged: usize = report.lines.iter().map(|line| line.lines.len()).sum::<usize>()
            - report.count(Outcome::Listed);
        let (lost, worst) = (report.count(Outcome::Unknown), report.worst());
        let cell = match (lost, worst) {
            (0, 0 | 1) => format!("{judged}"),
            (0, _) => format!("{judged}, {worst}-way"),
            _ => format!("{judged}, {lost} unknown"),
        };
        let name = path.file_name().unwrap().to_string_lossy();
        let (program, chip) = name.split('.').next().unwrap().split_once('-').unwrap();
        cells.entry(program.to_string()).or_default().insert(chip.to_string(), cell);
        (all, unknown) = (all + judged, unknown + lost);
    }
    let programs: Vec<_> = cells.keys().map(String::as_str).collect();
    let rule = "---|".repeat(programs.len());
    let mut table = format!("| | {} |\n|---|{rule}\n", programs.join(" | "));
    for chip in CHIPS {
        let row = cells.values().map(|of| of.get(chip).map_or("-", String::as_str));
        table += &format!("| {chip} | {} |\n", row.collect::<Vec<_>>().join(" | "));
    }
    println!("{table}{} programs, {all} instructions with a row, {unknown} unknown", paths.len());
    assert!(unknown * 100 <= all, "{unknown} of {all}");
    if std::env::var_os("GOLDEN_KERNELS").is_none() {
        assert_eq!(paths.len(), 40);
        the_book_has(&table);
    }
}

fn the_book_has(table: &str) {
    let path = support::root().join("docs/src/compiled_kernel.md");
    let page = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- programs -->\n", "<!-- end of programs -->\n");
    let at = page.find(begin).unwrap() + begin.len();
    let to = page.find(end).unwrap();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, format!("{}{table}{}", &page[..at], &page[to..])).unwrap();
    } else {
        assert_eq!(
            &page[at..to],
            table,
            "the page has another table: cargo xtask bless audit writes it"
        );
    }
}

/// RDNA runs waves of 32 or of 64, as the program says. Each verdict is the chip's of that size, and one of 64 is two of 32.
#[test]
fn waves_of_both_sizes() {
    use tiledesc::access::Addresses;
    use tiledesc::bank::conflicts;
    let reads = ["ds_load_b32", "ds_load_b64", "ds_load_b128", "ds_load_u16"];
    let mut judged = 0;
    let chips = tiledesc::chip::CHIPS.iter();
    for chip in chips.filter_map(|chip| chip.name().strip_suffix("::wave64")) {
        let to = ["v4", "v[4:5]", "v[4:7]", "v4"];
        for ((name, shift), to) in reads.into_iter().zip([7, 4, 6, 6]).zip(to) {
            let cycles = [32, 64].map(|wave| {
                let text = format!(
                    ".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n.type f,@function\nf:\n\
                     v_and_b32_e32 v0, 63, v0\nv_lshlrev_b32_e32 v0, {shift}, v0\n{name} {to}, v0\ns_endpgm\n\
                     .amdhsa_kernel f\n.amdhsa_wavefront_size32 {}\n.end_amdhsa_kernel\n",
                    i32::from(wave == 32)
                );
                let block = Some([64, 1, 1]);
                let kernels = audit(&text, &Options { block, ..Options::default() }).unwrap();
                let (kernel, report) = (&kernels[0], kernels[0].report());
                let waves = if wave == 64 { "1 wave of 64" } else { "2 waves of 32" };
                assert!(report.head.starts_with(&format!("f, {chip}, {waves}, ")), "{report}");
                assert_eq!((kernel.chip.wave(), kernel.chip.product()), (wave, chip));
                let row = kernel.chip.instruction(name).unwrap();
                let of_wave = Addresses::from_fn(|lane| (lane < wave).then_some(lane << shift));
                let expected = conflicts(&of_wave, row).unwrap();
                assert_eq!(report.worst(), expected.degree(), "{chip} {name} {wave}: {report}");
                judged += 1;
                expected.active_cycles()
            });
            assert_eq!(cycles[1], 2 * cycles[0], "{chip} {name}");
        }
    }
    println!("{judged} programs");
}

/// Who says how many lanes a wave has: the kernel's directive, else its metadata, else the chip.
#[test]
fn the_size_of_a_wave_is_stated_or_the_chips() {
    let wave = |chip: &str, directive: &str, metadata: &str| {
        let directive = match directive {
            "" => String::new(),
            one => {
                format!(".amdhsa_kernel f\n.amdhsa_wavefront_size32 {one}\n.end_amdhsa_kernel\n")
            }
        };
        let metadata = match metadata {
            "" => String::new(),
            lanes => format!(
                ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .name: f\n    .wavefront_size: {lanes}\n...\n.end_amdgpu_metadata\n"
            ),
        };
        let text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n.type f,@function\nf:\n\
             v_lshlrev_b32_e32 v0, 2, v0\nds_write_b32 v0, v1\ns_endpgm\n{directive}{metadata}"
        );
        let options = Options { block: Some([128, 1, 1]), ..Options::default() };
        let kernel = audit(&text, &options).unwrap().remove(0);
        // As many waves as the block has get to the store, each with its own bytes.
        let store = &kernel.sites[0];
        assert_eq!(store.reached.len(), 128 / kernel.wave);
        let first = store.reached.last().map(|one| one.address.known().unwrap().get(0));
        assert_eq!(first, Some(4 * (128 - kernel.wave) as u32));
        (kernel.wave, kernel.chip.wave())
    };
    for (chip, own) in [("gfx942", 64), ("gfx90a", 64), ("gfx1100", 32), ("gfx1201", 32)] {
        assert_eq!(wave(chip, "", ""), (own, own as u32), "{chip}");
    }
    assert_eq!(wave("gfx1100", "", "64"), (64, 64));
    assert_eq!(wave("gfx1100", "", "32"), (32, 32));
    assert_eq!(wave("gfx1100", "0", ""), (64, 64));
    assert_eq!(wave("gfx1100", "1", "64"), (32, 32));
    assert_eq!(wave("gfx1100", "0", "32"), (64, 64));
}
