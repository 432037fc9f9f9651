//! `at`: where elements lie, what lies at an offset or a byte, and what holds of a tile.

use tiledesc_cli::{Output, Status, run};

fn at(words: &[&str]) -> Output {
    run([&["tiledesc", "at"], words].concat(), &mut std::io::empty())
}

const XOR: [&str; 8] =
    ["--element", "f16", "--shape", "m=128,k=64", "--recipe", "gemm-xor", "--with", "kpack=8"];

/// Every offset of the xor tile leads to the coordinate that the formula sends there, and back.
#[test]
fn there_and_back() {
    for (m, k) in [(0, 0), (3, 17), (127, 63), (64, 5), (7, 56)] {
        let offset = m * 64 + (k ^ (m % 8 * 8));
        let (one, two, three) =
            (format!("{m},{k}"), offset.to_string(), (2 * offset + 1).to_string());
        let output = at(&[&XOR[..], &["--at", &one, "--offset", &two, "--byte", &three]].concat());
        let lies = format!("offset {offset}, byte {}", 2 * offset);
        let there = format!("options: tile (m {m}, k {k}) lies at {lies}\n");
        let back = format!("options: tile at {lies} is (m {m}, k {k})\n");
        assert_eq!(
            (output.status, output.out),
            (Status::Free, format!("{there}{back}{back}")),
            "{}",
            output.err
        );
    }
}

#[test]
fn facts() {
    let output = at(&XOR);
    let wanted = "options: tile  8192 elements of fp16 in as many places, 16384 bytes\n\
        options: tile  along k 8 elements lie together, 16 bytes\n\
        options: tile  wgmma and TMA call it Layout_K_SW128_Atom: SWIZZLE_128B, its base at a multiple of 1024 bytes\n";
    assert_eq!(output.out, wanted);
    let padded = at(&["--element", "f4", "--shape", "x=3,y=64", "--strides", "72,1"]);
    let wanted = "options: tile  192 elements of fp4 in 208 places, 104 bytes\n\
        options: tile  along y 64 elements lie together, 32 bytes\n";
    assert_eq!(padded.out, wanted);
}

#[test]
fn what_is_not_there_is_said() {
    let rows = ["--element", "f16", "--shape", "m=128,k=64", "--strides", "72,1"];
    for (words, said) in [
        (["--offset", "70"], "has nothing at offset 70, byte 140: it is a gap"),
        (
            ["--byte", "99999"],
            "has nothing at offset 49999, byte 99998: it takes 9208 elements, 18416 bytes",
        ),
        (["--at", "3"], "has the dimensions m, k, but 1 index is given"),
        (["--at", "3,64"], "has nothing at (3, 64): index 64 is out of range: `k` has length 64"),
    ] {
        let output = at(&[&rows[..], &words].concat());
        assert_eq!(output.status, Status::Invalid);
        assert_eq!(output.err, format!("options: tile {said}\n"));
    }
}
