//! The order in which a file names the dimensions of a tile decides nothing: the same memory under the same accesses has
//! an answer of equal cost, and free instead is what is free of both.

use serde_json::Value;
use support::fuzz::Dice;
use tiledesc_cli::{explore, run};

/// A dimension: its name, its length, its stride.
type Dimension = (&'static str, u32, u32);

/// The file of a tile whose dimensions stand in this order.
fn file(
    chip: &str,
    element: &str,
    dimensions: &[&Dimension; 2],
    accesses: &[(&str, [String; 2], String)],
) -> String {
    let joined = |of: &dyn Fn(&Dimension) -> String| dimensions.map(of).join(", ");
    let shape = joined(&|one| format!("{} = {}", one.0, one.1));
    let strides = joined(&|one| one.2.to_string());
    let mut text = format!(
        "version = 1\nchips = [\"{chip}\"]\n[tile.A]\nelement = \"{element}\"\nshape = {{ {shape} }}\nstrides = [{strides}]\n"
    );
    for direction in ["write", "read"] {
        let of = |(op, factors, owners): &(&str, [String; 2], String)| {
            let factors = dimensions.map(|one| {
                let at = usize::from(one.0 == "y");
                format!("{} [{}]", one.0, factors[at])
            });
            format!("{{ op = \"{op}\", by = \"{}; {owners}\" }}", factors.join(", "))
        };
        let of_direction = accesses.iter().filter(|(op, ..)| {
            op.starts_with(if direction == "write" { "st" } else { "ld" })
                || op.starts_with(&format!("ds_{direction}"))
        });
        let list: Vec<_> = of_direction.map(of).collect();
        if !list.is_empty() {
            text += &format!("{direction} = [{}]\n", list.join(", "));
        }
    }
    text
}

/// Cycles, bytes and address instructions of the best, and whether it is free; the bytes that the first remedy adds.
fn answer(text: &str) -> (Vec<Value>, Option<u64>) {
    let found = explore("find", text);
    assert_eq!(found.err, "", "{text}");
    let found: Value = serde_json::from_str(&found.out).unwrap();
    let best = &found["rows"][0];
    let costs = ["cycles", "bytes", "address", "free"].map(|key| best[key].clone()).to_vec();
    let checked = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
    let report: Value = serde_json::from_str(&checked.out).unwrap();
    (costs, report["tiles"][0]["remedies"][0]["more_bytes"].as_u64())
}

/// The factors of one access: every lane, wave and thread takes a part of one of the dimensions.
fn access(
    dice: &mut Dice,
    [x, y]: [u32; 2],
    lanes: u32,
    bytes: u32,
    bits: u32,
) -> Option<([String; 2], String)> {
    let pack = bytes * 8 / bits;
    let mut rest = [x, y];
    let along = dice.below(2) as usize;
    if rest[along] % pack != 0 {
        return None;
    }
    rest[along] /= pack;
    // Lanes in both dimensions, in either order.
    let first = dice.below(2) as usize;
    let in_first = (1 << dice.below(lanes.ilog2() + 1)).min(rest[first]);
    let in_other = lanes / in_first;
    if rest[1 - first] < in_other {
        return None;
    }
    let mut of_lane = [0; 2];
    (of_lane[first], of_lane[1 - first]) = (in_first, in_other);
    let again = [rest[0] / of_lane[0], rest[1] / of_lane[1]];
    let names = [["a", "b"], ["c", "d"]];
    let mut factors: [Vec<String>; 2] = Default::default();
    for d in 0..2 {
        factors[d].push(format!("{} {}", names[d][0], again[d]));
        factors[d].push(format!("{} {}", names[d][1], of_lane[d]));
        if d == along && pack > 1 {
            factors[d].push(format!("v {pack}"));
        }
    }
    let vector = if pack > 1 { ", v" } else { "" };
    let owners =
        format!("lane ({}, {}), thread (a, c{vector})", names[first][1], names[1 - first][1]);
    Some((factors.map(|all| all.join(", ")), owners))
}

#[test]
fn answers_do_not_depend_on_it() {
    // The case that was found: masks where the columns in order are free.
    let x: Dimension = ("x", 8, 32);
    let y: Dimension = ("y", 32, 1);
    let down = [(
        "st.shared.b32",
        ["x 8".to_string(), "wave 8, y 4".to_string()],
        "wave (wave), lane (y, x)".to_string(),
    )];
    let both = [[&x, &y], [&y, &x]].map(|order| answer(&file("sm_75", "f32", &order, &down)));
    assert_eq!(both[0], both[1]);
    assert_eq!(Value::from(both[0].0.clone()), serde_json::json!([8, 1024, 2, true]));

    let (mut dice, mut free, mut better) = (Dice(0x514), 0, 0);
    let chips = [
        ("sm_75", 32, ["st.shared.b", "ld.shared.b"]),
        ("gfx942", 64, ["ds_write_b", "ds_read_b"]),
    ];
    for _ in 0..120 {
        let (chip, lanes, ops) = dice.of(&chips);
        let (element, bits) = dice.of(&[("f16", 16), ("f32", 32)]);
        let lengths = [8 << dice.below(4), 8 << dice.below(4)];
        let [x, y] = lengths;
        let strides = if dice.one_in(2) { [y, 1] } else { [1, x] };
        let mut accesses = Vec::new();
        let mut ops_of = Vec::new();
        for _ in 0..1 + dice.below(2) {
            let bytes = dice.of(&[bits / 8, 4, 8]);
            let op = format!("{}{}", ops[dice.below(2) as usize], bytes * 8);
            if let Some(one) = access(&mut dice, lengths, lanes, bytes, bits) {
                ops_of.push(op);
                accesses.push(one);
            }
        }
        let ops_of: Vec<String> = ops_of
            .into_iter()
            .map(
                |op| if op.ends_with("read_b16") { op.replace("read_b16", "read_u16") } else { op },
            )
            .collect();
        let accesses: Vec<_> = ops_of
            .iter()
            .zip(&accesses)
            .map(|(op, (factors, owners))| (op.as_str(), factors.clone(), owners.clone()))
            .collect();
        if accesses.is_empty() {
            continue;
        }
        let (x, y): (Dimension, Dimension) = (("x", x, strides[0]), ("y", y, strides[1]));
        let texts = [[&x, &y], [&y, &x]].map(|order| file(chip, element, &order, &accesses));
        // Vectors that lie across the memory as it is are refused in both.
        let judged =
            texts.each_ref().map(|text| run(["tiledesc", "check", "-"], &mut text.as_bytes()));
        assert_eq!(judged[0].status, judged[1].status, "{}", texts[0]);
        if !judged[0].err.is_empty() {
            continue;
        }
        let [one, other] = texts.each_ref().map(|text| answer(text));
        assert_eq!(one, other, "{}\n{}", texts[0], texts[1]);
        free += u32::from(one.0[3] == true);
        better += u32::from(one.1.is_some());
    }
    assert!(free > 30 && better > 10, "{free} {better}");
}
