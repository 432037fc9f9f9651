//! What `check` says would be free: the least change first, in the words of the file and of C++, nothing that another
//! beats; under the access that loses most. A plain run tries 24 tiles.

use serde_json::Value;
use support::fuzz::{Dice, cases, seed};
use tiledesc_cli::{Status, run};

fn said(words: &[&str], text: &str) -> String {
    let output = run([&["tiledesc"], words].concat(), &mut text.as_bytes());
    assert_ne!(output.status, Status::Invalid, "{text}\n{}", output.err);
    output.out
}

fn report(words: &[&str], text: &str) -> Value {
    serde_json::from_str(&said(words, text)).unwrap()
}

/// Two lanes of a row: 33 floats to a row let lane (m, 1) meet lane (m + 1, 0); 34 do not.
const ROWS: &str = "version = 1\nchips = [\"sm_80\"]\n[tile.s]\nelement = \"f32\"\nshape = { m = 16, k = 32 }\n\
    strides = [33, 1]\nread = [{ op = \"ld.shared.b32\", by = \"m [row 16], k [rest 16, two 2]; lane (row, two), thread (rest)\" }]\n";

#[test]
fn another_pad_of_the_own_layout_stands_first() {
    let out = said(&["check", "-"], ROWS);
    let first = "<stdin>:7: s free instead: strides = [34, 1]: float s[16][34], s[m][k], 34 in place of 33, 60 bytes more\n";
    assert!(out.contains(first), "{out}");
    // A pad of another kind changes the formula, and so stands behind it.
    let bytes = "version = 1\n[tile.s]\nchips = [\"sm_80\"]\nbytes = 4096\nrecipe = \"interval-pad\"\nevery = 128\npadding = 8\n\
        read = [{ op = \"ld.shared.b32\", addresses = \"lane * 128\" }]\n";
    let out = said(&["check", "-"], bytes);
    let first = "free instead: recipe = \"interval-pad\", every = 128, padding = 4: unsigned char s[4220], \
        s[(byte >> 7 << 2) + byte], 4 in place of 8, 124 bytes fewer\n";
    assert!(out.contains(first), "{out}");
    // Columns first in memory, and three dimensions.
    let columns = "version = 1\nchips = [\"gfx942\"]\n[tile.s]\nelement = \"f16\"\nshape = { m = 64, k = 64 }\n\
        strides = [1, 64]\nread = [{ op = \"ds_read_u16\", by = \"row-major\" }]\n";
    let out = said(&["check", "-"], columns);
    assert!(out.contains("free instead: strides = [1, 66]: _Float16 s[64][66], s[k][m], 66 in place of 64, 252 bytes more\n"), "{out}");
    let three = "version = 1\nchips = [\"sm_90\"]\n[tile.s]\nelement = \"f16\"\nshape = { b = 4, m = 16, n = 32 }\n\
        strides = [544, 34, 1]\nread = [{ op = \"ld.shared.b16\", by = \"b [b 4], m [m 16], n [high 16, low 2]; lane (m, low), thread (b, high)\" }]\n";
    assert!(said(&["check", "-"], three).contains("free of conflicts"));
    let out = said(&["check", "-"], &three.replace("[544, 34, 1]", "[512, 32, 1]"));
    assert!(out.contains("strides = [544, 34, 1]: __half s[4][16][34], s[b][m][n], 34 in place of 32, 252 bytes more\n"), "{out}");
}

/// The first access conflicts 2-way once, the second 16-way eight times.
#[test]
fn a_remedy_stands_under_the_access_that_loses_most() {
    let text = "version = 1\nchips = [\"gfx942\"]\n[tile.A]\nelement = \"f32\"\nshape = { m = 64, k = 64 }\nstrides = [64, 1]\n\
        read = [\n{ op = \"ds_read_b32\", by = \"first strided 2\" },\n{ op = \"ds_read_b32\", by = \"column\", times = 8 },\n]\n";
    let out = said(&["check", "-"], text);
    let places: Vec<_> = out.lines().map(|line| line.split(": A ").next().unwrap()).collect();
    assert_eq!(places[..2], ["<stdin>:8", "<stdin>:9"], "{out}");
    let named = out.lines().filter(|line| line.contains(" instead: ") || line.contains(": A or "));
    assert!(named.clone().all(|line| line.starts_with("<stdin>:9: A ")), "{out}");
    assert_eq!(named.count(), 2, "{out}");
    let found = said(&["check", "-", "--format", "github"], text);
    let lines: Vec<_> = found.lines().map(|line| line.contains("free instead")).collect();
    assert_eq!(lines, [false, true], "{found}");
}

/// A tile that conflicts more often than not.
fn tile(dice: &mut Dice) -> String {
    let (chip, read) = dice.of(&[
        ("gfx942", "ds_read_b32"),
        ("gfx942", "ds_read_b64"),
        ("gfx950", "ds_read_b128"),
        ("sm_80", "ld.shared.b32"),
        ("sm_90", "ld.shared.v4.b32"),
    ]);
    let (element, pack) = dice.of(&[("f32", 4), ("f16", 8)]);
    let (rows, columns) = (dice.of(&[16, 32, 64]), dice.of(&[32, 64, 96]));
    let pitch = columns + pack * dice.below(4);
    let by = dice.of(&["column", "mfma-rows 16", "strided 2", "first mfma-rows 4"]);
    let times = 1 + dice.below(3);
    format!(
        "version = 1\nchips = [\"{chip}\"]\n[tile.s]\nelement = \"{element}\"\nshape = {{ m = {rows}, k = {columns} }}\n\
         read = [{{ op = \"{read}\", by = \"{by}\", times = {times} }}, {{ op = \"{read}\", by = \"row-major\" }}]\n\
         strides = [{pitch}, 1]\n"
    )
}

fn costs(one: &Value) -> [u64; 3] {
    ["cycles", "bytes", "address"].map(|name| one[name].as_u64().unwrap_or(u64::MAX))
}

/// Returns whether the first costs are better in one and worse in none.
fn beats(one: [u64; 3], other: [u64; 3]) -> bool {
    one != other && (0..3).all(|at| one[at] <= other[at])
}

#[test]
fn nothing_that_is_named_is_beaten() {
    let mut dice = Dice(seed(0xf4));
    let (mut named, mut own, mut fronts) = (0, 0, 0);
    for _ in 0..cases("remedies") {
        let text = tile(&mut dice);
        let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
        // An instruction of 16 bytes on rows of 66.
        if output.status == Status::Invalid {
            continue;
        }
        let found: Value = serde_json::from_str(&output.out).unwrap();
        let found = &found["tiles"][0];
        let lists = ["remedies", "less"].map(|name| found[name].as_array().unwrap());
        let is_free = !lists[0].is_empty();
        let each = if is_free { lists[0] } else { lists[1] };
        let own_first = each.windows(2).all(|pair| {
            pair[0]["is_own_but_for_a_pad"] == true || pair[1]["is_own_but_for_a_pad"] == false
        });
        assert!(own_first, "{text}\n{found}");
        let candidates = report(&["find", "-", "--json"], &text);
        let candidates = candidates["tiles"][0]["rows"].as_array().unwrap();
        for one in each {
            // Another of the front, or of all that the search knows, beats it only if it changes more.
            let is_own = one["is_own_but_for_a_pad"] == true;
            let is_beaten = |other: &&Value| beats(costs(other), costs(one));
            let by = candidates.iter().find(is_beaten).filter(|_| !is_own);
            assert!(by.is_none(), "{one}\n{by:?}\n{text}");
            let by = each.iter().filter(|other| (other["is_own_but_for_a_pad"] == true) >= is_own);
            assert_eq!(by.filter(is_beaten).count(), 0, "{one}\n{text}");
            // In the file it is what was said of it.
            let (head, _) = text.split_once("strides").unwrap();
            let pasted = format!("{head}{}\n", in_lines(one["words"].as_str().unwrap()));
            let checked = report(&["check", "-", "--format", "json"], &pasted);
            let checked = &checked["tiles"][0];
            assert_eq!(checked["bytes"], one["bytes"], "{pasted}");
            let cycles = |access: &Value| {
                access["active_cycles"].as_u64().unwrap() * access["times"].as_u64().unwrap()
            };
            let all: u64 = checked["accesses"].as_array().unwrap().iter().map(cycles).sum();
            assert_eq!(Some(all), one["cycles"].as_u64(), "{pasted}");
            named += 1;
            own += usize::from(is_own);
        }
        // Nothing that is free costs fewer bytes, or fewer instructions, than all that is named.
        if is_free {
            for other in
                candidates.iter().filter(|row| row["free"] == true && row["disputed"] == false)
            {
                let is_met = |one: &Value| (0..3).all(|at| costs(one)[at] <= costs(other)[at]);
                assert!(each.iter().any(is_met), "{other}\n{text}");
            }
        }
        fronts += usize::from(each.len() > 1);
    }
    println!("{named} named, {own} of them the own layout's, {fronts} fronts");
    assert!(named > 15 && own > 2 && fronts > 3, "{named} {own} {fronts}");
}

/// The keys of a layout, a line each.
fn in_lines(words: &str) -> String {
    let (mut depth, mut out) = (0, String::new());
    for c in words.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        out.push(if c == ',' && depth == 0 { '\n' } else { c });
    }
    out
}
