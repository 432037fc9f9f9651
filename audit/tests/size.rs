//! How long a large text takes: as many times a small one as it is larger, and within a bound whatever it is.
//!
//! | text | what could grow faster than it |
//! |---|---|
//! | many kernels in one text | lookups by name |
//! | a line or a kernel without an end | operands, labels, instructions |
//! | declarations | what a register's name stands for |
//!
//! A deep run takes a megabyte of Triton's programs for each time, and prints the seconds.

use core::fmt::Write;
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::time::Instant;
use tiledesc_audit::{Options, audit};

fn program(name: &str) -> String {
    let path = support::root().join("audit/tests/data").join(name);
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

/// A program as many times, each kernel under a name of its own.
fn times(program: &str, name: &str, count: usize) -> String {
    (0..count).map(|i| program.replace(name, &format!("{name}_{i}"))).collect()
}

/// The least of some turns: others may want the machine.
fn seconds(text: &str) -> f64 {
    let turn = |_| {
        let begin = Instant::now();
        assert!(!audit(text, &Options::default()).unwrap().is_empty());
        begin.elapsed().as_secs_f64()
    };
    (0..3).map(turn).fold(f64::INFINITY, f64::min)
}

/// 16 times the text take less than 64 times as long: a square would be 256.
#[test]
fn time_grows_with_the_text() {
    for (file, name) in
        [("transpose-gfx942.amdgcn.gz", "transpose"), ("transpose-sm_90.ptx.gz", "transpose")]
    {
        let program = program(file);
        let [few, many] = [4, 64].map(|count| seconds(&times(&program, name, count)));
        println!("{file}: {few:.4} s, {many:.4} s");
        assert!(many < 64.0 * few, "{file}: {few} s, {many} s");
    }
}

/// Instructions beyond what is judged are counted and not kept, labels and operands neither.
#[test]
fn one_line_and_one_kernel_of_any_length() {
    let head = ".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\n";
    let refused =
        |code: &str| audit(&format!("{head}{code}"), &Options::default()).unwrap_err().to_string();
    let cut = "f: the text ends before the program does";
    assert_eq!(refused(&format!("v_add_u32 {}", "v1,".repeat(1_000_000))), cut);
    let labels: String = (0..100_000).map(|i| format!(".L{i}:\n")).collect();
    assert_eq!(refused(&labels), cut);
}

/// Registers that are declared in many families are found by their names.
#[test]
fn many_declarations() {
    let mut text = ".version 8.0\n.target sm_90\n.visible .entry f()\n.reqntid 32\n{\n".to_string();
    for i in 0..20_000 {
        let _ = writeln!(text, ".reg .b32 %a<{i}>;\n.reg .b64 %a{i}x<9>;");
    }
    text += &"mov.u32 %a19998, %b7;\n".repeat(20_000);
    let begin = Instant::now();
    assert_eq!(audit(&(text + "}\n"), &Options::default()).unwrap().len(), 1);
    let took = begin.elapsed().as_secs_f64();
    assert!(took < 5.0, "{took} s: a square of 20,000");
}

/// The seconds of as many megabytes as asked for.
#[test]
fn megabytes() {
    if !support::fuzz::is_deep() {
        return;
    }
    let size = support::fuzz::times(1_000_000) as usize;
    for kind in ["amdgcn", "ptx"] {
        let (mut text, mut kernels) = (String::new(), 0);
        for (i, (name, chip)) in
            NAMES.into_iter().cycle().zip(CHIPS.into_iter().cycle()).enumerate()
        {
            if text.len() >= size {
                break;
            }
            let chip = if kind == "ptx" { "sm_90" } else { chip };
            let program = program(&format!("{name}-{chip}.{kind}.gz"));
            text += &program.replace(name, &format!("{name}_{i}"));
            kernels += 1;
        }
        println!("{} bytes, {kernels} kernels of {kind}: {:.2} s", text.len(), seconds(&text));
    }
}

const NAMES: [&str; 5] = ["gemm", "attention", "transpose", "softmax", "layer_norm"];
const CHIPS: [&str; 3] = ["gfx90a", "gfx942", "gfx950"];
