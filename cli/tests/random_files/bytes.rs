//! Random tiles of bytes: formulas of lane, wave and data in C's operators, computed a second time.

use super::{File, Stated, chips, op, terms};
use core::fmt::Write as _;
use support::fuzz::Dice;

/// A formula, as text and as a function of lane, wave and data.
struct Formula {
    text: String,
    value: Box<dyn Fn([i64; 3]) -> i64>,
}

impl Formula {
    fn random(dice: &mut Dice, deep: u32, has_data: bool) -> Self {
        if deep == 0 || dice.one_in(5) {
            return Self::leaf(dice, has_data);
        }
        let one = Self::random(dice, deep - 1, has_data);
        let other = Self::random(dice, deep - 1, has_data);
        let number = i64::from(1 + dice.below(7));
        let (a, b) = (one.value, other.value);
        let (left, right) = (one.text, other.text);
        let of = |text: String, value: Box<dyn Fn([i64; 3]) -> i64>| Self { text, value };
        let truth = |holds: bool| i64::from(holds);
        match dice.below(14) {
            0 | 1 => of(format!("({left} + {right})"), Box::new(move |at| a(at) + b(at))),
            2 => of(format!("({left} - {right})"), Box::new(move |at| a(at) - b(at))),
            3 => of(format!("({left} ^ {right})"), Box::new(move |at| a(at) ^ b(at))),
            4 => of(format!("({left} & {right})"), Box::new(move |at| a(at) & b(at))),
            5 => of(format!("({left} | {right})"), Box::new(move |at| a(at) | b(at))),
            6 => of(format!("{left} * {number}"), Box::new(move |at| a(at) * number)).grouped(),
            7 => of(format!("{left} / {number}"), Box::new(move |at| a(at) / number)).grouped(),
            8 => of(format!("{left} % {number}"), Box::new(move |at| a(at) % number)).grouped(),
            9 => of(
                format!("(({left} & 255) << {number})"),
                Box::new(move |at| (a(at) & 255) << number),
            ),
            10 => of(format!("({left} >> {number})"), Box::new(move |at| a(at) >> number)),
            11 => of(
                format!("({left} < {right} ? {left} : {number})"),
                Box::new(move |at| if a(at) < b(at) { a(at) } else { number }),
            ),
            12 => of(
                format!("({left} == {right} || {left} > {number})"),
                Box::new(move |at| truth(a(at) == b(at) || a(at) > number)),
            ),
            _ => of(
                format!("(!{right} && {left} != {number} ? {right} : ~{left})"),
                Box::new(move |at| if b(at) == 0 && a(at) != number { b(at) } else { !a(at) }),
            ),
        }
    }

    fn grouped(self) -> Self {
        Self { text: format!("({})", self.text), value: self.value }
    }

    fn leaf(dice: &mut Dice, has_data: bool) -> Self {
        let number = i64::from(dice.below(64));
        match dice.below(if has_data { 6 } else { 5 }) {
            0..=2 => Self { text: "lane".into(), value: Box::new(|at| at[0]) },
            3 => Self { text: "wave".into(), value: Box::new(|at| at[1]) },
            4 => Self { text: number.to_string(), value: Box::new(move |_| number) },
            _ => Self { text: "v".into(), value: Box::new(|at| at[2]) },
        }
    }
}

pub(super) fn bytes(dice: &mut Dice, file: &mut File, name: &str, is_cdna: bool) {
    let (chips, lanes) = chips(dice, is_cdna);
    let all: Vec<_> = chips.iter().map(|chip| format!("\"{chip}\"")).collect();
    let pad = dice.one_in(3).then(|| (dice.of(&[64_u32, 128, 256]), dice.of(&[16_u32, 32])));
    write!(file.toml, "[tile.{name}]\nchips = [{}]\nbytes = 16384\n", all.join(", ")).unwrap();
    if let Some((every, padding)) = pad {
        write!(file.toml, "recipe = \"interval-pad\"\nevery = {every}\npadding = {padding}\n")
            .unwrap();
    }
    let lies = move |byte: u32| byte + pad.map_or(0, |(every, padding)| byte / every * padding);
    for (key, is_write) in [("write", true), ("read", false)] {
        let mut items = Vec::new();
        for _ in 0..dice.below(3) {
            let bits = dice.of(&[8_u64, 16, 32, 32, 64, 128]);
            let Some((op, row)) = op(dice, chips[0], is_write, bits) else { continue };
            let width = (bits / 8) as i64;
            let values = if dice.one_in(4) { 1 + i64::from(dice.below(12)) } else { 1 };
            let has_data = values > 1;
            let formula = Formula::random(dice, 3, has_data);
            let active = dice.one_in(3).then(|| i64::from(1 + dice.below(lanes as u32)));
            let waves =
                if formula.text.contains("wave") { 1 + i64::from(dice.below(3)) } else { 1 };
            let whole = format!("(({}) & 511) * {width}", formula.text);
            let mut text = match active {
                Some(active) => format!("lane < {active} ? {whole} : idle"),
                None => whole,
            };
            if has_data {
                text = format!("any v < {values}; {text}");
            }
            let value = formula.value;
            let byte = |lane: i64, wave: i64, data: i64| {
                let is_idle = active.is_some_and(|active| lane >= active);
                (!is_idle).then(|| lies((((value)([lane, wave, data]) & 511) * width) as u32))
            };
            let sent = |draw: &mut dyn FnMut() -> i64| -> Vec<Vec<Option<u32>>> {
                let wave = |wave| {
                    (0..64)
                        .map(
                            |lane| {
                                if lane < lanes as i64 { byte(lane, wave, draw()) } else { None }
                            },
                        )
                        .collect()
                };
                (0..waves).map(wave).collect()
            };
            let first = sent(&mut || 0);
            let drawn = if has_data {
                (0..20).map(|_| sent(&mut || i64::from(dice.below(values as u32)))).collect()
            } else {
                Vec::new()
            };
            let (words, times, accepted) = terms(dice);
            let waves_of =
                if text.contains("wave") { format!(", waves = {waves}") } else { String::new() };
            items.push(format!("{{ op = \"{op}\", addresses = \"{text}\"{waves_of}{words} }}"));
            let (tile, at, chip) = (name.to_string(), items.len() - 1, chips[0]);
            let (sent, drawn) = (first, drawn);
            let one = Stated { tile, key, at, chip, row, times, accepted, sent, drawn };
            file.state(&chips, &one);
        }
        if !items.is_empty() {
            writeln!(file.toml, "{key} = [{}]", items.join(", ")).unwrap();
        }
    }
}
