//! The kernels in `kernels/hip` and `kernels/cuda`: their headers are fresh, the machine code of the
//! compilers has what was promised of it, and on the CPU they compute a product.
//!
//! | test | judge |
//! |---|---|
//! | headers | what the library writes today; `cargo xtask bless audit kernels::` writes them anew |
//! | verdicts | free of conflicts on gfx942 and on sm_90 |
//! | HIP | Debian's `clang-19` (or `CLANG`) for gfx942: LDS instructions, immediates, address instructions |
//! | CUDA | `nvcc` (or `NVCC`) for sm_90, `nvdisasm` beside it |
//! | on the CPU | the HIP kernel by the same clang, 256 threads and an MFMA of ten lines, against a naive product |
//!
//! Without a compiler a test prints `skipped` and why.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::root;
use tiledesc::access::Route;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::storage::Arena;
use tiledesc::{access::Placed, chip::Instruction};
use tiledesc::{distribution::Within, matrix::mfma};
use tiledesc_audit::value::Value;
use tiledesc_host::Error;
use tiledesc_host::emit::{self, Form, Header};

layout! {
    /// 128 rows of 64 halves, staged through LDS by the xor recipe.
    type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}

const LDS: Arena = Arena::new("static shared memory", 48 << 10)
    .holds::<Block>("a")
    .accessed_by::<Accesses<hip::Store, Block, VectorSize<8>>>()
    .accessed_by::<Accesses<hip::ReadA, Block, VectorSize<8>>>()
    .accessed_by::<Accesses<cuda::Store, Block, VectorSize<8>>>()
    .accessed_by::<Accesses<cuda::ReadA, Block, VectorSize<8>>>()
    .holds::<Block>("b")
    .accessed_by::<Accesses<hip::ReadB, Block, VectorSize<8>>>()
    .accessed_by::<Accesses<cuda::ReadB, Block, VectorSize<8>>>();

/// 4 waves of 64 lanes, 2 by 2 of 64 x 64, of `v_mfma_f32_32x32x8_f16`.
mod hip {
    use super::*;

    distribution! {
        /// Who fetches A and B, 8 halves at a time.
        pub(super) type Store:
            m [again 4, wave 4, row 8],  k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        pub(super) type WavesA:
            m [up 2, tall 2], k [deep 4];
            repeat [left 2], wave (up, left), thread (deep, tall);
        pub(super) type WavesB:
            n [left 2, wide 2], k [deep 4];
            repeat [up 2], wave (up, left), thread (deep, wide);
        pub(super) type WavesC:
            m [up 2, tall 2], n [left 2, wide 2];
            wave (up, left), thread (tall, wide);
    }
    /// 8 halves: two instructions.
    pub(super) type ReadA = Within<WavesA, mfma::Operand<U32, U16>>;
    pub(super) type ReadB = Within<WavesB, mfma::Operand<U32, U16>>;
    pub(super) type Sum = Within<WavesC, mfma::Accumulator<U32, U32>>;
}

/// 8 warps of 32 lanes, 2 by 4 of 64 x 32, of `mma.m16n8k16`.
mod cuda {
    use super::*;

    distribution! {
        pub(super) type Store:
            m [again 4, wave 8, row 4],  k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        /// A lane has 16 halves of a row, which are its own of four instructions: of which k is no
        /// matter, if A and B agree.
        pub(super) type ReadA:
            m [up 2, tall 4, two 2, row 8],  k [quad 4, deep 2, half 8];
            repeat [left 4], wave (up, left), lane (row, quad), thread (deep, tall, two, half);
        pub(super) type ReadB:
            n [left 4, wide 4, row 8],  k [quad 4, deep 2, half 8];
            repeat [up 2], wave (up, left), lane (row, quad), thread (deep, wide, half);
        pub(super) type Sum:
            m [up 2, tall 4, two 2, row 8],  n [left 4, wide 4, quad 4, pair 2];
            wave (up, left), lane (row, quad), thread (tall, wide, two, pair);
    }
}

/// A kernel: its header, and what it does to LDS.
struct Kernel {
    form: Form,
    path: &'static str,
    store: Instruction,
    read: Instruction,
    lanes: [Lanes<'static>; 3],
    distributions: [tiledesc::distribution::Encoding; 2],
}

fn kernels() -> [Kernel; 2] {
    use tiledesc::chip::{gfx942, sm_90};
    [
        Kernel {
            // The kernel's pointers are those of its block, whose offsets 32 bits hold.
            form: emit::HIP.narrow(),
            path: "kernels/hip/gemm.hpp",
            store: gfx942::ds_write_b128,
            read: gfx942::ds_read_b128,
            lanes: [
                Lanes::of_distribution::<hip::Store>(),
                Lanes::of_distribution::<hip::ReadA>(),
                Lanes::of_distribution::<hip::ReadB>(),
            ],
            distributions: [hip::Store::ENCODING.unwrap(), hip::Sum::ENCODING.unwrap()],
        },
        Kernel {
            form: emit::CUDA.narrow(),
            path: "kernels/cuda/gemm.cuh",
            store: sm_90::st_shared_b128,
            read: sm_90::ld_shared_b128,
            lanes: [
                Lanes::of_distribution::<cuda::Store>(),
                Lanes::of_distribution::<cuda::ReadA>(),
                Lanes::of_distribution::<cuda::ReadB>(),
            ],
            distributions: [cuda::Store::ENCODING.unwrap(), cuda::Sum::ENCODING.unwrap()],
        },
    ]
}

const PLAN: Plan = Block::PLAN;

impl Kernel {
    /// The stores of A, and of B; the reads of A; the reads of B.
    fn placed(&self) -> [Placed<'_, '_>; 3] {
        let rows = [&self.store, &self.read, &self.read];
        let mut rows = rows.into_iter();
        self.lanes.map(|lanes| Placed::new(&PLAN, 16, lanes, rows.next().unwrap()).unwrap())
    }

    fn header(&self) -> Result<String, Error> {
        let [store, read_a, read_b] = self.placed();
        let [fetch, sum] = &self.distributions;
        let mut header = Header::new(self.form);
        header.arena("LDS", &LDS)?.blank();
        header.layout("Block", &["row", "k"], &Block::default())?.blank();
        header.distribution("store", &["row", "k"], fetch)?;
        header.verdict("store", &store)?.accesses("store", &store)?.blank();
        header.rows("rows", &["row", "k"], fetch, 8)?.blank();
        header.verdict("read_a", &read_a)?.accesses("read_a", &read_a)?.blank();
        header.verdict("read_b", &read_b)?.accesses("read_b", &read_b)?.blank();
        header.rows("sum", &["m", "n"], sum, 1)?;
        let about = "Made by audit/tests/kernels: cargo xtask bless audit kernels::";
        Ok(header.file("gemm", &[about]))
    }
}

#[test]
fn headers_are_fresh() {
    for kernel in kernels() {
        let (path, made) = (root().join(kernel.path), kernel.header().unwrap());
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == made,
            "{} is not what the library writes: cargo xtask bless audit kernels::",
            kernel.path
        );
    }
}

#[test]
fn every_access_is_free() {
    for kernel in kernels() {
        for placed in kernel.placed() {
            let verdict = placed.verdict().unwrap();
            assert!(verdict.is_free(), "{}: {verdict:?}", kernel.path);
        }
    }
}

/// An instruction of LDS in machine code.
#[derive(Debug)]
struct Lds {
    /// Its place in the text.
    line: usize,
    is_store: bool,
    register: String,
    offset: u32,
}

/// `ds_read_b128 v[2:5], v55 offset:4096`, `ds_write_b128 v54, v[2:5]`.
fn amd(line: usize, text: &str) -> Option<Lds> {
    let mut words = text.split_whitespace().map(|word| word.trim_end_matches(','));
    let name = words.next().filter(|name| name.starts_with("ds_"))?;
    let is_store = name == "ds_write_b128";
    assert!(is_store || name == "ds_read_b128", "{text}");
    let operands: Vec<_> = words.collect();
    let register = operands[usize::from(!is_store)].to_owned();
    let offset = operands.iter().find_map(|word| word.strip_prefix("offset:"));
    let offset = offset.map_or(0, |digits| digits.parse().unwrap());
    Some(Lds { line, is_store, register, offset })
}

/// `LDS.128 R100, [R121+UR5+0x400] ;`, `STS.128 [R122], R4 ;`.
fn nvidia(line: usize, text: &str) -> Option<Lds> {
    let is_store = text.contains(" STS.");
    if !is_store && !text.contains(" LDS.") {
        return None;
    }
    assert!(text.contains(if is_store { " STS.128 " } else { " LDS.128 " }), "{text}");
    let address = text.split_once('[')?.1.split_once(']')?.0;
    let register = address.split('+').next()?.to_owned();
    let offset = address.split('+').find_map(|word| word.strip_prefix("0x"));
    let offset = offset.map_or(0, |digits| u32::from_str_radix(digits, 16).unwrap());
    Some(Lds { line, is_store, register, offset })
}

/// What accesses promise of a tile that begins at a byte: the constants of the instructions.
fn promised(placed: &Placed<'_, '_>, begin: u32) -> Vec<u32> {
    let constant = |route: &Route| match route {
        Route::Immediate { offset, .. } => begin + offset,
        _ => begin,
    };
    placed.addressing().unwrap().routes().iter().map(constant).collect()
}

/// Instructions, immediates and address registers are as many as were promised.
fn compare(kernel: &Kernel, found: &[Lds]) {
    let [store, read_a, read_b] = kernel.placed();
    let registers = |placed: &Placed<'_, '_>| placed.addressing().unwrap().registers();
    let (a, b) = (LDS.at("a"), LDS.at("b"));
    for (word, is_store, one, other, most) in [
        // One address serves A and B: they are a constant apart.
        ("stores", true, &store, &store, registers(&store)),
        ("reads", false, &read_a, &read_b, registers(&read_a) + registers(&read_b)),
    ] {
        let mut promised = [promised(one, a), promised(other, b)].concat();
        let these = found.iter().filter(|lds| lds.is_store == is_store);
        let mut offsets: Vec<_> = these.clone().map(|lds| lds.offset).collect();
        let named: BTreeSet<_> = these.map(|lds| &lds.register).collect();
        promised.sort_unstable();
        offsets.sort_unstable();
        assert_eq!(offsets, promised, "{}: immediates of {word}", kernel.path);
        assert!(named.len() <= most, "{}: {word}: {named:?}, promised {most}", kernel.path);
        println!(
            "{}: {} {word}, {} with an immediate, {} address registers (promised {most})",
            kernel.path,
            offsets.len(),
            offsets.iter().filter(|offset| **offset != 0).count(),
            named.len(),
        );
    }
}

/// What a program prints about itself, if it is there.
fn is_there(program: &str, question: &str) -> Option<String> {
    let output = Command::new(program).arg(question).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Debian's, or `CLANG`.
fn clang() -> String {
    env::var("CLANG").unwrap_or_else(|_| "clang-19".to_owned())
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels_compiled");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn hip_has_what_was_promised() {
    let clang = clang();
    match is_there(&clang, "--print-targets") {
        None => return support::skipped!("{clang} is not installed (CLANG names another)"),
        Some(targets) if !targets.contains("amdgcn") => {
            return support::skipped!("{clang} has no target amdgcn");
        }
        Some(_) => {}
    }
    let out = folder().join("gemm.s");
    succeeds(
        Command::new(&clang)
            .args(["-x", "hip", "--offload-device-only", "--offload-arch=gfx942", "-nogpulib"])
            .args(["-nogpuinc", "-O3", "-Wall", "-Wextra", "-Werror", "-S", "-o"])
            .arg(&out)
            .arg(root().join("kernels/hip/gemm.hip")),
    );
    let text = fs::read_to_string(out).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let found: Vec<_> = lines.iter().enumerate().filter_map(|(i, text)| amd(i, text)).collect();
    let [kernel, _] = kernels();
    compare(&kernel, &found);
    compare_bytes(&kernel, &text);
    compare_addresses(&kernel, &lines, &found, made_on_amd);
    for lds in &found {
        let remade = lines[found[0].line..found[found.len() - 1].line].iter();
        let mut remade =
            remade.filter(|text| made_on_amd(text).is_some_and(|(made, _)| made == lds.register));
        assert_eq!(remade.next(), None, "an address is computed in the loop");
    }
}

/// What the compiler made of the kernel touches the bytes of the layout, lane by lane, in each of its waves: no other
/// bytes, and none of them is left out.
fn compare_bytes(kernel: &Kernel, text: &str) {
    let options = tiledesc_audit::Options { block: Some([256, 1, 1]), ..Default::default() };
    let audited = tiledesc_audit::audit(text, &options).unwrap().remove(0);
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for site in &audited.sites {
        let row = site.access.as_ref().unwrap();
        let is_store = site.opcode == "ds_write_b128";
        assert_eq!(site.reached.len(), 4, "each wave gets to {site:?}");
        for one in &site.reached {
            let Value::Sum { k: 32, f } = &one.address else { panic!("{site:?}") };
            let bytes: Vec<_> = (0..64).map(|lane| f.get(lane) + row.offset).collect();
            found[usize::from(is_store)].insert(bytes);
        }
    }
    let [store, read_a, read_b] = kernel.placed();
    let of = |placed: &Placed<'_, '_>, tile: &str| {
        let bytes = |step| {
            let touched = placed.touched(step).unwrap();
            let byte = |lane| touched.addresses().get(lane).unwrap() + LDS.at(tile);
            (0..64).map(byte).collect::<Vec<_>>()
        };
        (0..placed.instructions()).map(bytes).collect::<Vec<_>>()
    };
    let both = |a: Vec<_>, b: Vec<_>| a.into_iter().chain(b).collect::<BTreeSet<_>>();
    let stated = [both(of(&read_a, "a"), of(&read_b, "b")), both(of(&store, "a"), of(&store, "b"))];
    for (word, found, stated) in
        [("reads", &found[0], &stated[0]), ("stores", &found[1], &stated[1])]
    {
        assert_eq!(found, stated, "{}: {word}", kernel.path);
        println!("{}: {} {word} of 64 lanes each, byte by byte", kernel.path, found.len());
    }
    let named =
        [("a write", &store), ("b write", &store), ("a read", &read_a), ("b read", &read_b)];
    let stated = named.map(|(name, placed)| tiledesc_audit::Stated::new(name, placed).unwrap());
    let held = audited.against(&stated);
    held.kept.iter().for_each(|one| println!("{}: {one}", kernel.path));
    assert!(held.is_kept() && held.beyond.is_empty() && held.unknown.is_empty(), "{held:?}");
    let begins: Vec<_> = held.kept.iter().map(|one| one.begins.clone()).collect();
    assert_eq!(begins, [LDS.at("a"), LDS.at("b"), LDS.at("a"), LDS.at("b")].map(|byte| vec![byte]));
    let report = audited.report();
    assert_eq!(
        (report.worst(), report.count(tiledesc_audit::Outcome::Unknown)),
        (1, 0),
        "{report}"
    );
}

/// Vector instructions that make the addresses of A's reads and of B's, before the loop: those of one
/// address, and the xors of the others.
fn compare_addresses(kernel: &Kernel, lines: &[&str], found: &[Lds], made: Made) {
    let before = &lines[..found[0].line];
    let [_, read_a, read_b] = kernel.placed();
    for (word, placed, begins) in
        [("A", &read_a, LDS.at("a")..LDS.at("b")), ("B", &read_b, LDS.at("b")..LDS.bytes())]
    {
        let reads = found.iter().filter(|lds| !lds.is_store && begins.contains(&lds.offset));
        let registers: BTreeSet<_> = reads.map(|lds| lds.register.as_str()).collect();
        let count = |registers: &[&str]| {
            let mut all = BTreeSet::new();
            for register in registers {
                slice(before, register, before.len(), made, &mut all);
            }
            all.len()
        };
        let all = count(&registers.iter().copied().collect::<Vec<_>>());
        let whole = registers.iter().map(|register| count(&[register])).min().unwrap();
        let promised = placed.addressing().unwrap().instructions(whole);
        println!(
            "{} {word}: {all} address instructions, {whole} of the first; promised {promised}",
            kernel.path
        );
        assert_eq!(all, promised, "{word}");
    }
}

/// The register that a vector instruction makes, and those that it is made of.
type Made = fn(&str) -> Option<(&str, Vec<&str>)>;

/// `v_xor_b32_e32 v56, 0x60, v55`.
fn made_on_amd(text: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = text.split_whitespace().map(|word| word.trim_end_matches(','));
    words.next().filter(|name| name.starts_with("v_"))?;
    Some((words.next()?, words.filter(|word| word.starts_with('v')).collect()))
}

/// `/*0440*/  LOP3.LUT R116, R118.reuse, 0x10, RZ, 0x3c, !PT ;`; what is read of the thread or of memory
/// is made of nothing.
fn made_on_nvidia(text: &str) -> Option<(&str, Vec<&str>)> {
    let (name, operands) = text.split_once("*/")?.1.trim().split_once(' ')?;
    let is_read = ["S2R", "LD", "ST"].iter().any(|begin| name.starts_with(begin));
    let is_register = |word: &&str| {
        word.strip_prefix('R').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
    };
    let mut words = operands.split([',', ' ']).map(|word| word.trim_end_matches(".reuse"));
    let made = words.next().filter(is_register).filter(|_| !is_read)?;
    Some((made, words.filter(is_register).collect()))
}

/// The lines that make a register as it is at line `end`, and all that it is made of.
fn slice(lines: &[&str], register: &str, end: usize, made: Made, all: &mut BTreeSet<usize>) {
    let making = (0..end).rev().find_map(|i| {
        let (known, operands) = made(lines[i])?;
        (known == register).then_some((i, operands))
    });
    let Some((at, operands)) = making else { return };
    if all.insert(at) {
        for operand in operands {
            slice(lines, operand, at, made, all);
        }
    }
}

#[test]
fn cuda_has_what_was_promised() {
    let nvcc = env::var("NVCC").unwrap_or_else(|_| "nvcc".to_owned());
    if is_there(&nvcc, "--version").is_none() {
        return support::skipped!("{nvcc} is not installed (NVCC names another)");
    }
    let out = folder().join("gemm.cubin");
    succeeds(
        Command::new(&nvcc)
            .args(["-arch=sm_90", "-O3", "-Werror", "all-warnings", "-cubin", "-o"])
            .arg(&out)
            .arg(root().join("kernels/cuda/gemm.cu")),
    );
    println!("nvcc takes kernels/cuda/gemm.cu");
    let beside = Path::new(&nvcc).with_file_name("nvdisasm").to_string_lossy().into_owned();
    if is_there(&beside, "--version").is_none() {
        return support::skipped!("{beside} is not installed, so no machine code is read");
    }
    let text = succeeds(Command::new(beside).arg(&out));
    let lines: Vec<_> = text.lines().collect();
    let found: Vec<_> = lines.iter().enumerate().filter_map(|(i, text)| nvidia(i, text)).collect();
    let [_, kernel] = kernels();
    compare(&kernel, &found);
    compare_addresses(&kernel, &lines, &found, made_on_nvidia);
}

/// Both kernels, a thread for each lane.
#[test]
fn kernels_compute_a_product() {
    let clang = clang();
    if is_there(&clang, "--version").is_none() {
        return support::skipped!("{clang} is not installed (CLANG names another)");
    }
    for kernel in ["hip", "cuda"] {
        let here = root().join("audit/tests/kernels").join(kernel).with_extension("cpp");
        let program = folder().join(kernel);
        succeeds(
            Command::new(&clang)
                .args(["-x", "c++", "-std=c++20", "-O1", "-pthread", "-Wall", "-Werror"])
                .args(["-Wno-psabi", "-I"])
                .arg(root().join("kernels").join(kernel))
                .arg(&here)
                .args(["-lstdc++", "-lm", "-o"])
                .arg(&program),
        );
        print!("{kernel}: {}", succeeds(&mut Command::new(program)));
    }
}

/// What the book shows of the kernel stands in it.
#[test]
fn the_book_shows_the_kernel() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let (page, kernel) = (read("docs/src/hip_kernel.md"), read("kernels/hip/gemm.hip"));
    let blocks: Vec<_> = page.split("```cpp\n").skip(1).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let block = block.split_once("```").unwrap().0;
        assert!(kernel.contains(block), "{block}");
    }
}
