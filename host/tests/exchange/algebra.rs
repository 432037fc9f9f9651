//! CuTe's algebra of layouts as its texts write it: what NVIDIA's `pycute` computes, and the definitions, evaluated number by
//! number here.
//!
//! | | must agree |
//! |---|---|
//! | `composition`, `complement`, `divide`, `product`, `coalesce`, `left_inverse`, `right_inverse` of `tests/golden/cute` | lengths of all modes, every offset; where a tile runs beyond its layout, the refusal |
//! | random layouts | `composition(A, B)` at `i` is `A(B(i))`; a division holds each element of `A` once, its tile first; of a refusal, that no modes do |

use serde_json::Value;
use support::fuzz::Dice;
use tiledesc_host::exchange::cute::{Composed, parse};

/// `(2,(8,4)):(8,(1,16))`
fn text(layout: &Value) -> String {
    fn tuple(value: &Value) -> String {
        match value.as_array() {
            Some(items) => format!("({})", items.iter().map(tuple).collect::<Vec<_>>().join(",")),
            None => value.to_string(),
        }
    }
    format!("{}:{}", tuple(&layout["shape"]), tuple(&layout["stride"]))
}

/// The lengths of the outermost modes.
fn outer(layout: &Composed) -> Vec<u64> {
    let (mut lengths, mut depth) = (Vec::new(), 0);
    for part in layout.to_string().split(':').next().unwrap().split_inclusive([',', '(', ')']) {
        if let Ok(number) = part.trim_end_matches([',', ')']).parse::<u64>() {
            match lengths.last_mut() {
                Some(last) if depth > 1 => *last *= number,
                _ => lengths.push(number),
            }
        }
        depth += i32::from(part.ends_with('(')) - i32::from(part.ends_with(')'));
        if depth == 2 && part.ends_with('(') {
            lengths.push(1);
        }
    }
    lengths
}

fn offsets(layout: &Composed) -> Vec<u64> {
    (0..layout.layout().size()).map(|number| layout.at(number).unwrap().into()).collect()
}

/// Compares a result with a table's: its values, and its shape but for brackets around one mode.
fn is_table(found: &Composed, case: &Value, what: &str) {
    let table: Vec<_> =
        case["table"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    assert_eq!(offsets(found), table, "{what}: {found}");
    let shape = |text: &str| text.split(':').next().unwrap().to_string();
    assert_eq!(shape(&found.to_string()), shape(&text(&case["result"])), "{what}");
}

/// The question of a case, as text.
fn question(kind: &str, case: &Value) -> String {
    let (op, a) = (case["op"].as_str().unwrap_or(kind), text(&case["a"]));
    match (case.get("cotarget"), case.get("b")) {
        (Some(n), _) => format!("{op}({a}, {n})"),
        (None, Some(b)) => format!("{op}({a}, {})", text(b)),
        (None, None) => format!("{op}({a})"),
    }
}

/// Checks an operation on one layout, number by number.
fn is_defined(kind: &str, found: &Composed, case: &Value, what: &str) {
    let Some(a_table) = case.get("a_table") else { return };
    let of: Vec<u64> = a_table.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let a = parse(&text(&case["a"])).unwrap();
    assert_eq!(offsets(&a), of, "{what}: a_table");
    let found = offsets(found);
    match kind {
        "coalesce" => assert_eq!(found, of, "{what}"),
        "right_inverse" => {
            let there = found.iter().map(|number| of[*number as usize]);
            assert!(there.eq(0..found.len() as u64), "{what}");
        }
        _ => {
            let back = of.iter().map(|offset| found[*offset as usize]);
            assert!(back.eq(0..of.len() as u64), "{what}");
        }
    }
}

const KINDS: [&str; 7] =
    ["composition", "complement", "divide", "product", "coalesce", "left_inverse", "right_inverse"];

/// Where a tile runs beyond its layout, or lengths and strides do not divide each other: CuTe's C++ does not compile the latter.
const REFUSED: [&str; 4] = [
    " is beyond the ",
    " is not a multiple of the ",
    " do not divide each other",
    "modes composed one by one",
];

/// The tables of a folder, `GOLDEN_CUTE` or the committed one.
#[test]
fn results_are_those_of_pycute() {
    let (mut done, mut refused) = (0, 0);
    let tables = support::tables("GOLDEN_CUTE", "cute");
    for table in tables.iter().filter(|table| KINDS.contains(&table.kind())) {
        let cases = table.json["cases"].as_array().unwrap();
        assert_eq!(table.json["count"].as_u64(), Some(cases.len() as u64), "{}: count", table.name);
        for case in cases {
            let what = question(table.kind(), case);
            match parse(&what) {
                Ok(found) => {
                    is_table(&found, case, &what);
                    is_defined(table.kind(), &found, case, &what);
                    done += 1;
                }
                Err(error) => {
                    let known = REFUSED.iter().any(|why| error.to_string().contains(why));
                    assert!(known, "{what}: {error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{done} as pycute, {refused} refused: beyond their layouts, or not divisible");
    assert!(done > refused, "{done} {refused}");
}

/// A layout of one to three modes, of which some are nested, as text.
fn layout(dice: &mut Dice, lengths: &[u32]) -> String {
    let count = 1 + dice.below(3);
    let (mut shape, mut stride) = (Vec::new(), Vec::new());
    let mut next = dice.of(&[1, 1, 1, 2, 3]);
    for _ in 0..count {
        let length = dice.of(lengths);
        shape.push(length);
        stride.push(next);
        next = next * length * dice.of(&[1, 1, 1, 2]);
    }
    for at in (1..count as usize).rev() {
        let other = dice.below(at as u32 + 1) as usize;
        shape.swap(at, other);
        stride.swap(at, other);
    }
    let text = |all: &[u32]| {
        let all: Vec<_> = all.iter().map(u32::to_string).collect();
        match &all[..] {
            [one] => one.clone(),
            [one, rest @ ..] if count == 3 => format!("({one},({}))", rest.join(",")),
            _ => format!("({})", all.join(",")),
        }
    };
    format!("{}:{}", text(&shape), text(&stride))
}

/// Whether values are those of some lengths and strides, the first fastest: each length is the most that its stride goes on for.
fn is_strided(values: &[u64]) -> bool {
    if values.len() < 2 {
        return values == [0];
    }
    let mut span = 1;
    while span < values.len() {
        let step = values[span].wrapping_sub(values[0]);
        let goes_on = |n: usize| {
            (0..span).all(|i| {
                values
                    .get(n * span + i)
                    .is_some_and(|v| *v == values[i].wrapping_add(step.wrapping_mul(n as u64)))
            })
        };
        let length = (1..).take_while(|n| goes_on(*n)).count() + 1;
        // A shorter length might do where the longest does not divide.
        let fits = |length: &usize| values.len().is_multiple_of(span * length);
        let Some(length) = (2..=length).rev().find(fits) else { return false };
        span *= length;
    }
    true
}

#[test]
fn compositions_are_their_definition() {
    let (mut done, mut refused, mut by_rule) = (0, 0, 0);
    for number in 0..support::fuzz::times(2000) {
        let mut dice = Dice(number * 7919 + 11);
        let lengths: &[u32] = if dice.one_in(2) { &[2, 4, 8] } else { &[2, 3, 4, 6] };
        let (a, b) = (layout(&mut dice, lengths), layout(&mut dice, lengths));
        let [first, second] = [&a, &b].map(|text| parse(text).unwrap());
        let numbers = offsets(&second);
        let inside = numbers.iter().all(|number| *number < first.layout().size());
        let wanted: Option<Vec<u64>> =
            numbers.iter().map(|number| first.at(*number).map(u64::from)).collect();
        match parse(&format!("composition({a}, {b})")) {
            Ok(found) => {
                assert!(inside, "{a} {b}");
                assert_eq!(Some(offsets(&found)), wanted, "composition({a}, {b}): {found}");
                // A single mode may fall into several.
                let is_one = !b.starts_with('(');
                assert!(
                    is_one || outer(&found) == outer(&second),
                    "composition({a}, {b}): {found}"
                );
                done += 1;
            }
            Err(error) => {
                // No mode of the second is one of strides, it runs out, or CuTe's rule is broken by these numbers.
                let is_mode = |mode: &(u32, u32)| {
                    let at = |i: u32| first.at(u64::from(i) * u64::from(mode.1)).map(u64::from);
                    (0..mode.0).map(at).collect::<Option<Vec<_>>>().is_some_and(|v| is_strided(&v))
                };
                let shape = second.layout().shape().as_slice().iter().copied();
                let modes: Vec<_> =
                    shape.zip(second.layout().stride().as_slice().iter().copied()).collect();
                let (said, numbers) = crate::told(&error);
                let is_rule = match said.split(": ").last().unwrap() {
                    "a step of # and the length # at stride # do not divide each other" => {
                        let [step, length, _] = numbers[numbers.len() - 3..] else {
                            panic!("{said}")
                        };
                        step % length != 0 && length % step != 0
                    }
                    "# steps are not a multiple of the # that the length # at stride # has room for" =>
                    {
                        let [steps, room, ..] = numbers[numbers.len() - 4..] else {
                            panic!("{said}")
                        };
                        steps % room != 0
                    }
                    // Each mode has its own modes, but together they carry.
                    rest => rest.starts_with("number # goes to #, but modes composed one by one"),
                };
                let is_none = !modes.iter().all(is_mode);
                assert!(!inside || is_none || is_rule, "composition({a}, {b}): {error}");
                assert!(inside != said.contains("is beyond"), "composition({a}, {b}): {error}");
                by_rule += u32::from(inside && !is_none);
                refused += 1;
            }
        }
    }
    println!("{done} compositions, {refused} refused, {by_rule} of them though modes would do");
    assert!(done > 400 && refused > 400);
}

#[test]
fn divisions_hold_each_element_once() {
    let mut done = 0;
    for number in 0..support::fuzz::times(500) {
        let mut dice = Dice(number * 7919 + 12);
        let a = layout(&mut dice, &[2, 4, 8]);
        let tile = dice.of(&["2", "4:2", "(2,2):(1,4)", "<2,2>", "(2,2:1)", "(2:2)"]);
        let own = offsets(&parse(&a).unwrap());
        for op in ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"] {
            let Ok(found) = parse(&format!("{op}({a}, {tile})")) else { continue };
            let (mut found, mut own) = (offsets(&found), own.clone());
            found.sort_unstable();
            own.sort_unstable();
            assert_eq!(found, own, "{op}({a}, {tile})");
            done += 1;
        }
    }
    println!("{done} divisions");
    assert!(done > 500);
}

/// What people write, and what is told to them.
#[test]
fn texts_of_people() {
    for (text, is) in [
        ("composition(Sw<3,3,3>, (8,64):(64,1))", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("composition((128,64):(64,1), <8:16, 64:1>)", "(8,64):(1024,1)"),
        ("complement(4:1, 24)", "6:4"),
        ("right_inverse((4,8):(8,1))", "(8,4):(4,1)"),
        ("right_inverse((4,2):(1,8))", "4:1"),
        ("left_inverse((4,2):(1,8))", "(4,2,2):(1,8,4)"),
        ("complement((2,2):(1,6), 24)", "(3,2):(2,12)"),
        ("coalesce((2,(1,6)):(1,(6,2)))", "12:1"),
        ("cute.logical_divide((128,64):(64,1), (8, 64))", "((8,16),(64,1)):((64,512),(1,0))"),
        ("cute::zipped_divide((128,64):(64,1), (_8,_64))", "((8,64),(16,1)):((64,1),(512,0))"),
        ("tiled_divide((128,64):(64,1), (8,64))", "((8,64),16,1):((64,1),512,0)"),
        ("flat_divide((128,64):(64,1), (8,64))", "(8,64,16,1):(64,1,512,0)"),
        ("zipped_divide((128,64):(64,1), (8))", "((8),(16,64)):((64),(512,1))"),
        ("logical_product(4:1, 3:1)", "(4,3):(1,4)"),
        ("blocked_product((2,5):(5,1), (3,4):(1,3))", "((2,3),(5,4)):((5,10),(1,30))"),
        ("raked_product((2,5):(5,1), (3,4):(1,3))", "((3,2),(4,5)):((10,5),(30,1))"),
        (
            "logical_divide(Sw<3,3,3> o 0 o (8,64):(64,1), (8,8))",
            "Sw<3,3,3> o 0 o ((8,1),(8,8)):((64,0),(1,8))",
        ),
        (
            "composition((8,64):(64,1), logical_divide((8,64):(1,8), (8,64)))",
            "((8,1),(64,1)):((64,0),(1,0))",
        ),
    ] {
        assert_eq!(parse(text).map(|found| found.to_string()).as_deref(), Ok(is), "{text}");
    }
    for (text, says) in [
        (
            "logical_divide(10:1, 4:1)",
            "10:1 after (4,3):(1,4): number 11 is beyond the 10 that the first has",
        ),
        (
            "composition((6,2):(8,2), 3:4)",
            "a step of 4 and the length 6 at stride 8 do not divide each other",
        ),
        (
            "complement((2,2):(1,3), 24)",
            "the stride 3 is not a multiple of the 2 offsets that smaller strides span",
        ),
        (
            "logical_divide((8,8):(8,1), (2,2,2))",
            "3 tilers are given for the 2 modes of (8,8):(8,1)",
        ),
        (
            "tile_to_shape((8,64):(64,1), (100,64))",
            "length 100 of mode 0 is not a multiple of the 8 of (8,64):(64,1)",
        ),
        (
            "complement(Sw<3,3,3> o 0 o (8,64):(64,1), 512)",
            "the complement of a swizzled layout has no form",
        ),
        (
            "logical_devide((8,8):(8,1), 2)",
            "`logical_devide` is not among the operations that are read: composition, complement",
        ),
        ("logical_divide((8,8):(8,1), 0)", "mode 0 has length 0"),
        ("logical_divide((8,8):(8,1))", "two arguments are wanted"),
        ("logical_divide((8,8):(8,1), (2,2)", "expected `,` or `)`"),
        ("composition((8,8):(8,1), (2,2):4)", "their brackets differ"),
    ] {
        let error = parse(text).map(|found| found.to_string()).unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
}
