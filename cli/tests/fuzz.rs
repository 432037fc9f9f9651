//! Random mutations of valid files: whatever comes of them, it is an answer and no panic.

use support::fuzz::Dice;
use tiledesc_cli::{Status, run};

const FILES: [&str; 5] = [
    include_str!("cmd/tour.in/kernel.toml"),
    include_str!("cmd/tour.in/plain.toml"),
    include_str!("cmd/tour.in/padded.toml"),
    include_str!("cmd/tour.in/race.toml"),
    NOTATIONS,
];

/// What the other files have not.
const NOTATIONS: &str = r#"version = 1
chips = ["gfx950", "sm_90"]
[tile.C]
element = "f16"
cute = "Sw<3,3,3> o 0 o (8,64):(64,1)"
[tile.T]
element = "f16"
shape = { m = 4, k = 4 }
triton = { offset = [[0, 1], [0, 2], [1, 1], [2, 2]] }
[tile.V]
element = "f8"
shape = { m = 64, k = 128 }
triton = { vec = 16, perPhase = 2, maxPhase = 4, order = [1, 0] }
[tile.K]
element = "f4"
shape = { n = 128, k = 64 }
ck = { kpack = 16 }
[tile.S]
element = "f32"
stages = "naive [8, 16, 8/2] strides [4, 32, 1] offset 3; xor[16, 8] (1, 0) -> (1, 0), pass[4] (2) -> (2); pass[16] (1) -> (0), merge[8, 4] (0, 2) -> (1);"
chips = ["gfx942"]
read = [{ op = "ds_read2_b32(0, 1)", by = "register = [[0, 1]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 2], [0, 4]], warp = []", as = "inferred rival" }]
"#;

/// Pieces that mean something, to be put where they do not belong.
const PIECES: [&str; 24] = [
    "0",
    "1",
    "-1",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\n",
    "=",
    ",",
    "..",
    "ä",
    "\u{0}",
    "(",
    "/0",
    "[tile.A]\n",
    "as = ",
    "first ",
    "xor_bits[8, 8] masks [1] (0, 1) -> (0, 1), ",
];

/// A place in a list that may be empty.
fn below(dice: &mut Dice, count: usize) -> usize {
    dice.below(count.max(1) as u32) as usize
}

/// A place between characters.
fn place(dice: &mut Dice, text: &str) -> usize {
    let mut at = below(dice, text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutate(dice: &mut Dice, text: &mut String) {
    let (from, to) = (place(dice, text), place(dice, text));
    let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 24));
    let to = (from..=to).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(from);
    match dice.below(5) {
        0 => text.replace_range(from..to, ""),
        1 => text.insert_str(from, dice.of(&PIECES)),
        2 => {
            let again = text[from..to].to_string();
            let at = place(dice, text);
            text.insert_str(at, &again);
        }
        3 => text.replace_range(from..to, dice.of(&PIECES)),
        // A digit for a digit: numbers that are read and mean something else.
        _ => {
            let digits: Vec<_> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).collect();
            if let Some((at, _)) = digits.get(below(dice, digits.len())) {
                text.replace_range(*at..at + 1, &dice.below(10).to_string());
            }
        }
    }
}

#[test]
fn no_mutation_panics() {
    let (mut dice, mut counts) = (Dice(14), [0; 4]);
    let commands: [&[&str]; 9] = [
        &["check", "-"],
        &["check", "-", "--strict", "--format", "sarif"],
        &["explain", "-"],
        &["find", "-", "--all"],
        &["show", "-", "--figure", "phases,grid,bits,ladder,journey"],
        &["show", "-", "--format", "html"],
        &["emit", "-", "--lang", "hip"],
        &["convert", "-"],
        &["counters", "-", "--bank-conflict", "10", "--idx-active", "30"],
    ];
    for case in 0..support::fuzz::times(1000) as usize {
        let mut text = FILES[case % FILES.len()].to_string();
        for _ in 0..dice.below(4) {
            mutate(&mut dice, &mut text);
        }
        let command = commands[case / FILES.len() % commands.len()];
        let output = run(["tiledesc"].iter().chain(command), &mut text.as_bytes());
        counts[output.status as usize] += 1;
        // What is refused says why.
        let is_silent = output.err.is_empty() && output.out.is_empty();
        assert!(!is_silent, "case {case} says nothing:\n{text}");
        if output.status == Status::Invalid {
            let said = output.err.contains(':') || output.out.contains("invalid");
            assert!(said, "case {case}: {}\n{text}", output.err);
        }
    }
    println!(
        "{} free, {} conflicts, {} refused, {} weak",
        counts[0], counts[1], counts[2], counts[3]
    );
    assert!(counts[..3].iter().all(|count| *count > 0), "{counts:?}");
}

/// Options become a text, and no option may become two lines of it.
#[test]
fn no_option_panics() {
    const VALUES: [&str; 14] = [
        "",
        "f16",
        "m=128,k=64",
        "64,1",
        "[64, 1]",
        "{ vec = 8 }",
        "\n[tile.X]",
        "\"",
        "kpack=8",
        "m=",
        "(8,64):(64,1)",
        "packed [8, 8];",
        "ds_read_b128 by mfma-rows 16",
        "ds_read_b128 by column times x",
    ];
    const OPTIONS: [&str; 12] = [
        "--chip",
        "--element",
        "--shape",
        "--recipe",
        "--with",
        "--strides",
        "--cute",
        "--triton",
        "--ck",
        "--stages",
        "--write",
        "--read",
    ];
    let mut dice = Dice(3);
    for case in 0..2000 {
        let mut line = vec!["tiledesc", "check", "--chip=gfx942"];
        for _ in 0..dice.below(6) {
            line.extend([dice.of(&OPTIONS), dice.of(&VALUES)]);
        }
        let output = run(&line, &mut &b""[..]);
        assert!(!output.err.is_empty() || !output.out.is_empty(), "case {case}: {line:?}");
        // Every line names an option, or the program.
        let named = |said: &str| {
            ["-", "tiledesc: ", "options: ", "error: ", "  ", "For ", "Usage: ", "1 ", "0 "]
                .iter()
                .any(|begin| said.starts_with(begin))
        };
        assert!(
            output.err.lines().filter(|said| !said.is_empty()).all(named),
            "{line:?}\n{}",
            output.err
        );
    }
}

#[test]
fn deep_nesting_is_refused() {
    for text in [
        format!("version = 1\nchips = {}", "[".repeat(100_000)),
        format!(
            "version = 1\n[tile.A]\nelement = \"f16\"\nstages = \"packed [{}8]\"",
            "(".repeat(100_000)
        ),
        format!("version = 1\n[tile.A]\nelement = \"f16\"\ncute = \"{}\"", "(".repeat(100_000)),
    ] {
        let output = run(["tiledesc", "check", "-"], &mut text.as_bytes());
        assert_eq!(output.status, Status::Invalid);
    }
}
