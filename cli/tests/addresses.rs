//! Raw addresses: of the lanes that users stated in public, and of random formulas, `check` says what a count of
//! distinct dwords says that knows no layout. A plain run tries 150 formulas.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use support::formula::evaluate;
use support::fuzz::Dice;
use tiledesc::chip::{Instruction, find};
use tiledesc_cli::{Output, Status, run};

/// The largest number of distinct dwords of one bank in a phase.
fn degree(row: &Instruction, lanes: &[u64]) -> u64 {
    let service = row.service();
    let mut banks: BTreeMap<(usize, u64), BTreeSet<u64>> = BTreeMap::new();
    for (lane, address) in lanes.iter().enumerate() {
        let dwords = address / 4..(address + u64::from(row.bytes())).div_ceil(4);
        for dword in dwords {
            let bank = (service.phases.phase_of(lane).unwrap(), dword % u64::from(service.banks));
            banks.entry(bank).or_default().insert(dword);
        }
    }
    banks.values().map(BTreeSet::len).max().unwrap() as u64
}

fn checked(chip: &str, op: &str, addresses: &str) -> Output {
    let direction = if op.contains("write") || op.contains("store") || op.contains("st.") {
        "write"
    } else {
        "read"
    };
    let text = format!(
        "version = 1\nchips = [\"{chip}\"]\n[tile.lds]\nbytes = {}\n{direction} = [{{ op = \"{op}\", addresses = {addresses} }}]\n",
        find(chip).unwrap().lds()
    );
    run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes())
}

fn degree_of(output: &Output) -> u64 {
    let report: Value = serde_json::from_str(&output.out).unwrap();
    report["tiles"][0]["accesses"][0]["degree"].as_u64().unwrap_or_else(|| panic!("{}", output.err))
}

/// Every case of "Asked and answered", by its list and by its formula.
#[test]
fn addresses_of_users() {
    let text = include_str!("../../tests/golden/asked/questions.json");
    let questions: Value = serde_json::from_str(text).unwrap();
    let (mut judged, mut refused) = (0, 0);
    for case in questions["questions"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|one| one["cases"].as_array().unwrap())
    {
        let (chip, op) = (case["chip"].as_str().unwrap(), case["instruction"].as_str().unwrap());
        let row = find(chip).unwrap().instruction(op).unwrap();
        let lanes: Vec<_> =
            case["lanes"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
        let [list, formula] = [case["lanes"].to_string(), case["formula"].to_string()]
            .map(|one| checked(chip, op, &one));
        if list.status == Status::Invalid {
            assert_eq!(formula.status, Status::Invalid, "{case}");
            refused += 1;
            continue;
        }
        assert_eq!([degree_of(&list), degree_of(&formula)], [degree(row, &lanes); 2], "{case}");
        judged += 1;
    }
    assert!(judged >= 50 && refused >= 1, "{judged} {refused}");
}

/// A formula in C's operators and parentheses, of small numbers.
fn random(dice: &mut Dice, depth: u32) -> String {
    if depth == 0 {
        return match dice.below(3) {
            0 => "lane".to_string(),
            1 => "wave".to_string(),
            _ => dice.below(40).to_string(),
        };
    }
    let operators = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"];
    let operator = dice.of(&operators);
    let [one, other] = [0, 1].map(|_| {
        let below = dice.below(depth);
        let part = random(dice, below);
        if dice.one_in(2) { format!("({part})") } else { part }
    });
    match operator {
        // The other reader shifts bits out.
        "<<" | ">>" => format!("({one} {operator} {})", dice.below(9)),
        _ => format!("{one} {operator} {other}"),
    }
}

/// The byte of each lane of a wave, as `explain` lists it, of as many waves as there are.
fn bytes(file: &str, wave: usize) -> Result<Vec<u64>, String> {
    let words = ["tiledesc", "explain", "-", "--step", &wave.to_string()];
    let output = run(words, &mut file.as_bytes());
    if output.status == Status::Invalid {
        return Err(output.err);
    }
    let rows = output.out.lines().skip_while(|line| !line.starts_with("lane  phase")).skip(1);
    let byte = |line: &str| line.split_whitespace().nth(3)?.parse().ok();
    Ok(rows.map_while(byte).collect())
}

/// The byte of each lane of the only wave, as `explain` lists it; `None` of one that is idle.
fn bytes_of(file: &str) -> Result<Vec<Option<u64>>, String> {
    let output = run(["tiledesc", "explain", "-"], &mut file.as_bytes());
    if output.status == Status::Invalid {
        return Err(output.err);
    }
    let mut lanes = vec![None; 64];
    let rows = output.out.lines().skip_while(|line| !line.starts_with("lane  phase")).skip(1);
    for row in rows.take_while(|row| !row.is_empty()) {
        let words: Vec<_> = row.split_whitespace().collect();
        lanes[words[0].parse::<usize>().unwrap()] = Some(words[3].parse().unwrap());
    }
    Ok(lanes)
}

/// Without parentheses the operators bind as in C; a formula without a value is refused, and never wraps. Of each
/// wave the bytes are asked of `explain`, and of all together the degree of `check`.
#[test]
fn random_formulas() {
    let cases = support::fuzz::times(150);
    let mut dice = Dice(30);
    let (mut judged, mut refused) = (0, 0);
    for case in 0..cases {
        let inner = random(&mut dice, 4);
        let (chip, op, size) = dice.of(&[
            ("gfx942", "ds_read_b32", 4),
            ("gfx942", "ds_read_b128", 16),
            ("gfx1201", "ds_load_b64", 8),
            ("sm_90", "ld.shared.b32", 4),
        ]);
        let waves = 1 + dice.below(3) as usize;
        let formula = if dice.one_in(2) {
            format!("x = {inner}; x % 4096 * {size}")
        } else {
            format!("({inner}) % 4096 * {size}")
        };
        let file = format!(
            "version = 1\nchips = [\"{chip}\"]\n[tile.lds]\nbytes = 65536\n\
             read = [{{ op = \"{op}\", addresses = \"{formula}\", waves = {waves} }}]\n"
        );
        let row = find(chip).unwrap().instruction(op).unwrap();
        let of = |wave: usize| -> Option<Vec<u64>> {
            let byte = |lane| {
                let value = evaluate(&inner, &[("lane", lane), ("wave", wave as i64)]).ok()?;
                u64::try_from(value % 4096 * size).ok()
            };
            (0..i64::from(find(chip).unwrap().wave())).map(byte).collect()
        };
        let Some(all) = (0..waves).map(of).collect::<Option<Vec<_>>>() else {
            assert!(bytes(&file, 0).is_err(), "{case}: {file} has no value");
            refused += 1;
            continue;
        };
        for (wave, lanes) in all.iter().enumerate() {
            let found = bytes(&file, wave).unwrap_or_else(|said| panic!("{case}: {file}{said}"));
            assert_eq!(found, *lanes, "{case}, wave {wave}: {file}");
        }
        let worst = all.iter().map(|lanes| degree(row, lanes)).max();
        let output = run(["tiledesc", "check", "-", "--format", "json"], &mut file.as_bytes());
        assert_eq!(Some(degree_of(&output)), worst, "{case}: {file}");
        judged += 1;
    }
    println!("{judged} formulas judged, {refused} refused");
    assert!(judged > cases / 4 && refused > cases / 20, "{judged} {refused}");
}

/// A formula of all operators of C, with what it is of a lane.
enum Term {
    Leaf(&'static str, i64),
    Sign(char, Box<Self>),
    Pair(&'static str, Box<[Self; 2]>),
    Choice(Box<[Self; 3]>),
}

/// How tightly C binds: of an operator, of a sign 20, of a choice 0.
fn binding(operator: &str) -> u32 {
    match operator {
        "*" | "/" | "%" => 13,
        "+" | "-" => 12,
        "<<" | ">>" => 11,
        "<" | "<=" | ">" | ">=" => 10,
        "==" | "!=" => 9,
        "&" => 8,
        "^" => 7,
        "|" => 6,
        "&&" => 5,
        _ => 4,
    }
}

impl Term {
    fn random(dice: &mut Dice, depth: u32, lane: i64) -> Self {
        let inner = |dice: &mut Dice| {
            let depth = dice.below(depth.max(1));
            Self::random(dice, depth, lane)
        };
        match dice.below(12) {
            _ if depth == 0 => match dice.below(4) {
                0 => Self::Leaf("3", 3),
                1 => Self::Leaf("0", 0),
                2 => Self::Leaf("17", 17),
                _ => Self::Leaf("lane", lane),
            },
            0 => Self::Sign(dice.of(&['-', '~', '!']), Box::new(inner(dice))),
            1 | 2 => Self::Choice(Box::new([inner(dice), inner(dice), inner(dice)])),
            _ => {
                let all = [
                    "*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&",
                    "^", "|", "&&", "||",
                ];
                Self::Pair(dice.of(&all), Box::new([inner(dice), inner(dice)]))
            }
        }
    }

    /// The text with no more parentheses than C needs.
    fn text(&self, least: u32) -> String {
        let (binds, text) = match self {
            Self::Leaf(word, _) => (30, word.to_string()),
            Self::Sign(sign, of) => (20, format!("{sign}{}", of.text(20))),
            Self::Pair(operator, of) => {
                let binds = binding(operator);
                (binds, format!("{} {operator} {}", of[0].text(binds), of[1].text(binds + 1)))
            }
            Self::Choice(of) => {
                (0, format!("{} ? {} : {}", of[0].text(1), of[1].text(0), of[2].text(0)))
            }
        };
        if binds < least { format!("({text})") } else { text }
    }

    /// The value in C; `None` where it has none, unless the lane does not come there.
    fn value(&self) -> Option<i64> {
        Some(match self {
            Self::Leaf(_, value) => *value,
            Self::Sign('-', of) => of.value()?.checked_neg()?,
            Self::Sign('~', of) => !of.value()?,
            Self::Sign(_, of) => i64::from(of.value()? == 0),
            Self::Choice(of) if of[0].value()? != 0 => of[1].value()?,
            Self::Choice(of) => of[2].value()?,
            Self::Pair("&&", of) => i64::from(of[0].value()? != 0 && of[1].value()? != 0),
            Self::Pair("||", of) => i64::from(of[0].value()? != 0 || of[1].value()? != 0),
            Self::Pair(operator, of) => {
                let (one, other) = (of[0].value()?, of[1].value()?);
                match *operator {
                    "*" => one.checked_mul(other)?,
                    "/" => one.checked_div(other)?,
                    "%" => one.checked_rem(other)?,
                    "+" => one.checked_add(other)?,
                    "-" => one.checked_sub(other)?,
                    "<<" if (0..63).contains(&other) => {
                        i64::try_from(i128::from(one) << other).ok()?
                    }
                    ">>" if (0..64).contains(&other) => one >> other,
                    "<<" | ">>" => return None,
                    "<" => i64::from(one < other),
                    "<=" => i64::from(one <= other),
                    ">" => i64::from(one > other),
                    ">=" => i64::from(one >= other),
                    "==" => i64::from(one == other),
                    "!=" => i64::from(one != other),
                    "&" => one & other,
                    "^" => one ^ other,
                    _ => one | other,
                }
            }
        })
    }
}

/// Every operator, sign and choice has C's value for a lane, in C's order; what the lane does not come to needs none. Lane by
/// lane another formula, 24 in a file; what has no value is alone in its file.
#[test]
fn operators_of_c() {
    let cases = support::fuzz::times(24);
    let file = |formula: &str| {
        format!(
            "version = 1\nchips = [\"gfx942\"]\n[tile.lds]\nbytes = 65536\n\
             read = [{{ op = \"ds_read_b32\", addresses = \"{formula}\" }}]\n"
        )
    };
    let (mut judged, mut refused) = (0, 0);
    for case in 0..cases {
        let mut dice = Dice(case + 1);
        let (mut formula, mut wanted, mut empty) = (String::new(), vec![None; 64], None);
        for lane in 0..24 {
            let term = Term::random(&mut dice, 5, lane);
            let text = format!("({}) & 1023 << 2", term.text(0));
            match term.value() {
                Some(value) => {
                    formula += &format!("lane == {lane} ? {text} : ");
                    wanted[lane as usize] = Some((value & 1023 << 2) as u64);
                    judged += 1;
                }
                None => empty = Some(format!("lane == {lane} ? {text} : idle")),
            }
        }
        assert_eq!(bytes_of(&file(&(formula.clone() + "idle"))), Ok(wanted), "{formula}");
        if let Some(formula) = empty {
            assert!(bytes_of(&file(&formula)).is_err(), "{formula} has no value");
            refused += 1;
        }
    }
    println!("{judged} formulas of all operators judged, {refused} refused");
    assert!(judged > 12 * cases && refused > cases / 4, "{judged} {refused}");
}

/// Options say the same; a tile of bytes has no other layout than where its bytes lie.
#[test]
fn addresses_without_a_file() {
    let words = ["tiledesc", "check", "--chip", "gfx942", "--bytes", "65536"];
    let read = ["--read", "ds_read_b128 at lane % 16 * 128 + lane / 16 * 16 times 4"];
    let of = |more: &[&str]| run([&words[..], &read, more].concat(), &mut std::io::empty());
    assert_eq!(
        of(&[]).out,
        "--read: tile gfx942 ds_read_b128 lane % 16 * 128 + lane / 16 * 16  4-way in phase 0: lanes 0 and 1, \
         (0) and (128), bytes 0 and 128, bank 0\n--read: tile free instead: recipe = \"dense-xor\", kpack = 16, \
         linepacks = 8, masks = [2, 4]: unsigned char tile[65536], tile[byte ^ (byte >> 7 & 3) << 5]\n\
         1 access of 1 tile: 0 free, 1 with conflicts\n"
    );
    let said = of(&["--element", "f16", "--strides", "64,1"]).err;
    assert_eq!(
        said,
        "--element: a tile of `bytes` has no `element`: leave one of them out\n\
         --strides: a tile of `bytes` has no `strides`: leave one of them out\n"
    );
}

/// Each mistake with the column in the formula.
#[test]
fn mistakes() {
    for (addresses, said) in [
        (
            "\"lane * * 2\"",
            "at column 8 of the addresses: expected `lane`, `wave`, a number or `(`, found `*`",
        ),
        ("\"lane // 2\"", "at column 6 of the addresses: `//` is not an operator: `/` rounds down"),
        (
            "\"4 * lan\"",
            "at column 5 of the addresses: `lan` is unknown here: there are `lane`, `wave`",
        ),
        (
            "\"r = lane; rr * 4\"",
            "at column 11 of the addresses: `rr` is unknown here: there are `lane`, `wave`, `r`",
        ),
        ("\"lane = 3; lane\"", "at column 1 of the addresses: `lane` has a value already"),
        ("\"64 / (3 - lane)\"", "at column 4 of the addresses: `64 / 0` of lane 3 has no value"),
        (
            "\"lane - 1\"",
            "at column 1 of the addresses: lane 0 gets -1, but a byte is from 0 to 4294967295",
        ),
        (
            "\"4 * (lane < 8 ? lane : idle)\"",
            "at column 5 of the addresses: lane 8 is idle here: `idle` must be a whole branch, as in `lane < 48 ? lane * 16 : idle`",
        ),
        ("\"lane < 8 ? 4\"", "at column 13 of the addresses: expected `:`, found the end"),
        ("\"idle = 4; idle\"", "at column 1 of the addresses: `idle` has a value already"),
        ("\"(lane\"", "at column 6 of the addresses: expected `)`, found the end"),
        (
            "\"lane * 5000000000\"",
            "at column 8 of the addresses: `5000000000` has more than 32 bits",
        ),
        ("[0, 4, -4]", "an address = -4: write a whole number from 0 to 4294967295"),
        (
            "[]",
            "addresses is empty: write a formula `\"lane * 16\"`, or a list of bytes, one a lane, `[0, 16]`",
        ),
        (
            "7",
            "addresses is a whole number: write a formula `\"lane * 16\"`, or a list of bytes, one a lane, `[0, 16]`",
        ),
        ("[[0], 4]", "addresses is a whole number: write a list of bytes, one a lane, `[0, 16]`"),
    ] {
        let output = checked("gfx942", "ds_read_b32", addresses);
        assert_eq!(output.status, Status::Invalid);
        assert!(output.err.ends_with(&format!(": {said}\n")), "{addresses}: {}", output.err);
    }
}
