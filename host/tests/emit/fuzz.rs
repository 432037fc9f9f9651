//! CuTe's texts and random plans through everything: read, as a plan, emitted, and computed
//! by a grammar of its own. `cargo xtask test --deep` asks for more than the thousand that every run does
//! (`tests/support/fuzz.rs`).

use super::cases::{cute_text, names};
use super::grammar::{Choice, Grammar, Holds};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use support::fuzz::Dice;
use support::fuzz::cases;
use support::lists::{Covered, Lists};
use tiledesc::Error;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{
    Extent, Index,
    access::Placed,
    chip::{Instruction, Phases},
};
use tiledesc_host::ErrorKind;
use tiledesc_host::emit::{self, Emit, Expression, Header};
use tiledesc_host::exchange::cute::{self, Composed, Fastest};
use tiledesc_host::exchange::linear;
use tiledesc_proptest::unchecked_composition;

/// `Swizzle(B,M,S)` of `offset + m * stride ..`, from the definition.
fn by_hand(tile: &Composed, flat: &[u32]) -> u32 {
    let strides = tile.layout().stride().as_slice();
    let inner: u32 = flat.iter().zip(strides).map(|(index, stride)| index * stride).sum();
    let x = tile.offset() + inner;
    let (b, m, s) = (tile.swizzle().bits(), tile.swizzle().base(), tile.swizzle().shift());
    let above = m + s.max(0).unsigned_abs();
    let y = x & (((1 << b) - 1) << above);
    x ^ if s >= 0 { y >> s } else { y << -s }
}

/// A few coordinates of a plan: the last, and some between.
fn some(plan: &Plan) -> impl Iterator<Item = Vec<u32>> {
    let (plan, elements) = (*plan, plan.elements());
    let step = (elements / 13).max(1);
    (0..elements)
        .step_by(usize::try_from(step).unwrap())
        .chain([elements - 1])
        .map(move |number| plan.nth(number).as_slice().to_vec())
}

#[test]
fn fuzz_texts() {
    let (mut fused, mut unsaid, mut values) = (0, 0, 0);
    for seed in 0..cases("emitted texts") {
        let text = cute_text(seed);
        let tile = cute::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let plan = tile.plan().unwrap_or_else(|error| panic!("{text}: {error}"));
        let rows = tile.layout().shape().at(0);
        let emitted = [emit::C, emit::C.staged()].map(|form| {
            let text = tile.emit(form, "f", ["m", "k"]).unwrap();
            Grammar::C.parsed(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
        });
        for index in some(&plan) {
            let offset = by_hand(&tile, &[index[0] % rows, index[0] / rows, index[1]]);
            assert_eq!(plan.offset(&index), Ok(offset), "{text} at {index:?}");
            for parsed in &emitted {
                assert_eq!(parsed.value(&["m", "k"], &index), offset, "{text} at {index:?}");
                values += 1;
            }
        }
        // Columns that take more transforms than a plan holds are its only loss.
        let columns = tile.linear(Fastest::Last).ok();
        match columns.map(|map| linear::plan(&map, plan.lengths().as_slice())) {
            Some(Err(Error::TooLarge { .. })) if plan.linear().is_err() => unsaid += 1,
            _ => assert_eq!(plan.linear().ok(), columns, "{text}"),
        }
        fused += u32::from(plan.digits().is_some());
    }
    println!(
        "{} texts, {fused} fused, {unsaid} lose columns, {values} values",
        cases("emitted texts")
    );
    assert!(fused > cases("emitted texts") / 4);
}

/// An index computed from itself, again and again: written out, it would be 2^rounds operations.
fn shared<I: Index>(index: &I, rounds: u32, seed: u32) -> I {
    let mut dice = Dice(seed.into());
    let mut next = |n: u32| dice.below(n);
    let mut x = index.clone();
    for _ in 0..rounds {
        let n = Extent::constant([3, 5, 8, 12, 64][next(5) as usize]);
        let other = match next(3) {
            0 => x.mul(n),
            1 => x.div(n),
            _ => x.rem(n),
        };
        x = match next(3) {
            0 => x.add(&other),
            1 => x.sub(&other),
            _ => x.xor(&other),
        };
    }
    x
}

#[test]
fn what_is_needed_twice_is_written_once() {
    let languages = [
        (emit::C, Grammar::C),
        (emit::WGSL, Grammar::Wgsl),
        (emit::TEXT, Grammar::Plain),
        (emit::LATEX, Grammar::Latex),
    ];
    for seed in 0..cases("emitted texts") / 4 {
        let rounds = 1 + seed % 60;
        let expression = shared(&Expression::coordinate(0, u32::MAX), rounds, seed);
        for (form, grammar) in languages {
            let text = form.function("f", &["x"], &expression).unwrap();
            assert!(text.len() < 2000 + 200 * rounds as usize, "seed {seed}: {text}");
            let parsed = grammar.parsed(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            for x in [0, 1, 7, 100, 65_537, 3_000_000_000] {
                let value = shared(&x, rounds, seed);
                assert_eq!(parsed.value(&["x"], &[x]), value, "seed {seed}, {x}: {text}");
            }
        }
    }
}

#[test]
fn fuzz_plans() {
    let (mut values, mut tables) = (0, 0);
    let mut runner = TestRunner::deterministic();
    let composition = unchecked_composition(5);
    for _ in 0..cases("emitted plans") {
        let plan = composition.new_tree(&mut runner).unwrap().current();
        let names = names(plan.rank());
        let emitted = [emit::C, emit::C.staged()].map(|form| plan.emit(form, "z", names));
        for text in emitted {
            let text = match text {
                Ok(text) => text,
                Err(error) if error.to_string().starts_with("the layout looks up a table of ") => {
                    tables += 1;
                    continue;
                }
                Err(error) => panic!("{error}: {plan:?}"),
            };
            let parsed = Grammar::C.parsed(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            for index in some(&plan) {
                if let Ok(offset) = plan.offset(&index) {
                    assert_eq!(parsed.value(names, &index), offset, "{index:?}: {text} {plan:?}");
                    values += 1;
                }
            }
        }
    }
    println!("{} plans, {tables} look up a table, {values} values", cases("emitted plans"));
}

/// Some layout of a tile: rows, rows apart, or chunks of each row moved.
fn layout_of(tile: &[u32], dice: &mut Dice) -> Plan {
    let [.., rows, columns] = tile else { return Plan::packed(tile).unwrap() };
    match (tile.len(), dice.below(3)) {
        (2, 0) => recipe::gemm_xor(*rows, *columns, dice.of(&[1, 2, 4, 8]), 1)
            .unwrap_or_else(|_| Plan::packed(tile).unwrap()),
        (2, 1) => Plan::naive(tile, &[columns + dice.of(&[1, 2, 4, 8]), 1]).unwrap(),
        _ => Plan::packed(tile).unwrap(),
    }
}

/// Random distributions over some layout: coordinates, addresses, immediates and first elements of
/// a header, as written, against factors that are counted digit by digit.
#[test]
fn fuzz_accesses() {
    let (mut dice, mut tried, mut refused, mut choices, mut values) = (Dice(3), 0, 0, 0, 0);
    let names = ["x", "y", "z", "p", "q", "r"];
    let mut idle = 0;
    while tried < cases("emitted accesses") {
        let lists = Lists::random(&mut dice);
        let (waves, lanes, elements) = (lists.numbers(0), lists.numbers(1), lists.numbers(2));
        if ![4, 8, 16, 32, 64].contains(&lanes) || waves * lanes * elements > 2048 {
            continue;
        }
        let whole = Covered { parts: vec![vec![]; lists.rank], lists };
        let covered = match dice.one_in(2) {
            true => Covered::random(&mut dice, whole.lists),
            false => whole,
        };
        let (tile, Ok(encoding)) = (covered.tile(), covered.encoding()) else { continue };
        if tile.len() > names.len() {
            continue;
        }
        tried += 1;
        let plan = layout_of(&tile, &mut dice);
        let pack = dice.of(&[1, 1, 2, 4]);
        let phases = Phases::contiguous(lanes as usize).of_wave(lanes as usize);
        let row = Instruction::read("an access", 2 * pack).phases(phases);
        let mut header = Header::new(emit::C);
        header.distribution("held", &names[..tile.len()], &encoding).unwrap();
        let placed = Placed::new(&plan, 16, Lanes::distributed(&encoding), &row);
        let accesses = match placed.map(|placed| header.accesses("read", &placed).map(|_| ())) {
            Ok(Ok(())) => true,
            Err(_) => false,
            Ok(Err(error)) if error.kind() == ErrorKind::Access => false,
            Ok(Err(error)) => panic!("{error}"),
        };
        refused += u32::from(!accesses);
        let function = |name: &str| Choice::in_header(header.text(), name);
        let held: Vec<_> =
            names[..tile.len()].iter().map(|name| function(&format!("held_{name}"))).collect();
        let all_held = covered.held();
        let is_idle = all_held.iter().flatten().any(Option::is_none);
        let masks = ["held_valid", "read_valid"].map(|name| {
            assert_eq!(header.text().contains(name), is_idle && (name == "held_valid" || accesses));
            header.text().contains(name).then(|| Holds::in_header(header.text(), name))
        });
        let read = ["address", "immediate", "element"];
        let read = accesses.then(|| read.map(|name| function(&format!("read_{name}"))));
        choices += u32::from(header.text().contains("switch"));
        for (wave, lane) in (0..waves).flat_map(|wave| (0..lanes).map(move |lane| (wave, lane))) {
            let holds = &all_held[(wave * lanes + lane) as usize];
            for element in 0..elements {
                let coordinate = &holds[element as usize];
                for mask in masks.iter().flatten() {
                    let valid = mask.holds(&["wave", "lane", "element"], &[wave, lane, element]);
                    assert_eq!(valid, coordinate.is_some(), "{}", header.text());
                    idle += u32::from(!valid);
                }
                let Some(coordinate) = coordinate else { continue };
                for (function, index) in held.iter().zip(coordinate) {
                    let names = ["wave", "lane", "element"];
                    let found = function.value(&names, &[wave, lane, element]);
                    assert_eq!(found, *index, "{covered:?}");
                }
            }
            let Some([address, immediate, first]) = &read else { continue };
            let mut moved = BTreeSet::new();
            for access in 0..elements / pack {
                let names = ["wave", "lane", "access"];
                let at = address.value(&names, &[wave, lane, access]);
                let byte = at.wrapping_add(immediate.value(&["access"], &[access]));
                let first = first.value(&["access"], &[access]);
                assert!(moved.insert(first), "{}", header.text());
                for i in 0..pack {
                    let Some(coordinate) = &holds[(first + i) as usize] else { continue };
                    let offset = plan.offset(coordinate).unwrap();
                    let text = header.text();
                    assert_eq!(byte + 2 * i, 2 * offset, "{covered:?} {plan:?}\n{text}");
                    values += 1;
                }
            }
        }
    }
    println!(
        "{tried} distributions, {refused} have no accesses, {choices} choose, {values} bytes, {idle} idle"
    );
    assert!(refused < tried * 3 / 4 && choices > tried / 20 && idle > tried);
}
