//! Random tiles of 1 to 4 dimensions: an element, a layout with its offset, and accesses.

use super::fetch::fetch;
use super::viewed::seen;
use super::{File, Naming, Stated, chips, op, terms};
use crate::random_headers::call::Call;
use core::fmt::Write as _;
use support::fuzz::Dice;

/// An offset of a coordinate, and the words of the file for it.
pub(super) struct Layout {
    pub(super) words: String,
    pub(super) offset: Offset,
}

/// The offset of a coordinate.
pub(super) type Offset = Box<dyn Fn(&[u64]) -> u64>;

/// Elements by names that people write, and their bits.
const ELEMENTS: [(&str, u64); 14] = [
    ("f64", 64),
    ("double", 64),
    ("f32", 32),
    ("uint32_t", 32),
    ("f16", 16),
    ("half", 16),
    ("bf16", 16),
    ("f8", 8),
    ("e5m2", 8),
    ("u8", 8),
    ("f4", 4),
    ("i4", 4),
    ("complex64", 64),
    ("int", 32),
];

/// Names of dimensions, in orders of which no recipe takes one for another.
const NAMES: [&[&str]; 4] = [&["x"], &["row", "col"], &["b", "y", "x"], &["t", "c", "h", "w"]];

pub(super) fn tile(dice: &mut Dice, file: &mut File, name: &str, naming: &Naming, is_cdna: bool) {
    let rank = 1 + dice.below(4) as usize;
    let names = NAMES[rank - 1];
    let (chips, lanes) = chips(dice, is_cdna);
    let (element, bits) = dice.of(&ELEMENTS);
    let mut lengths: Vec<u64> = (0..rank)
        .map(|d| match (rank, d + 1 == rank) {
            (1, _) => dice.of(&[64, 96, 256, 512, 1000]),
            (_, true) => dice.of(&[8, 16, 24, 32, 64, 40]),
            (2, _) => dice.of(&[8, 16, 22, 32, 37]),
            _ => dice.of(&[1, 2, 3, 4, 8]),
        })
        .collect();
    // With its pads it fits into the block of each chip.
    for d in 0..rank {
        while lengths.iter().product::<u64>() * bits > 16 << 13 && d + 1 < rank && lengths[d] > 1 {
            lengths[d] /= 2;
        }
    }
    let (layout, is_seen) = seen(dice, names, &lengths, bits);
    stated(file, (name, &chips), element, (names, &lengths), &layout.words);
    let called = (names, &lengths[..], is_seen);
    calls(&mut file.calls, called, bits, &layout, naming);
    fetch(dice, file, (name, &chips, lanes), (names, &lengths, bits));
    accesses(dice, file, (name, &chips, lanes), (names, &lengths, bits), &layout);
}

/// The head of a tile.
pub(super) fn stated(
    file: &mut File,
    (name, chips): (&str, &[&str]),
    element: &str,
    (names, lengths): (&[&str], &[u64]),
    words: &str,
) {
    let shape: Vec<_> =
        names.iter().zip(lengths).map(|(name, length)| format!("{name} = {length}")).collect();
    write!(
        file.toml,
        "[tile.{name}]\nchips = {chips:?}\nelement = \"{element}\"\nshape = {{ {} }}\n{words}",
        shape.join(", ")
    )
    .unwrap();
}

/// Up to two writes and reads of a tile, as its chips have instructions for them.
pub(super) fn accesses(
    dice: &mut Dice,
    file: &mut File,
    (name, chips, lanes): (&str, &[&'static str], u64),
    (names, lengths, bits): (&[&str], &[u64], u64),
    layout: &Layout,
) {
    let together = together(lengths, bits, layout);
    for (key, is_write) in [("write", true), ("read", false)] {
        let mut items = Vec::new();
        for _ in 0..dice.below(3) {
            let vectors: Vec<u64> =
                together.iter().copied().filter(|v| (8..=128).contains(&(v * bits))).collect();
            if vectors.is_empty() {
                continue;
            }
            let vector = dice.of(&vectors);
            let Some((op, row)) = op(dice, chips[0], is_write, vector * bits) else { continue };
            let (by, sent) = access(dice, names, lengths, (lanes, vector), &|at| {
                ((layout.offset)(at) * bits / 8) as u32
            });
            let (words, times, accepted) = terms(dice);
            items.push(format!("{{ op = \"{op}\", by = \"{by}\"{words} }}"));
            let (tile, at, chip) = (name.to_string(), items.len() - 1, chips[0]);
            let drawn = Vec::new();
            let one = Stated { tile, key, at, chip, row, times, accepted, sent, drawn };
            file.state(chips, &one);
        }
        match &items[..] {
            [] => {}
            [one] if dice.one_in(3) => writeln!(file.toml, "{key}.only_{key} = {one}").unwrap(),
            _ => writeln!(file.toml, "{key} = [{}]", items.join(", ")).unwrap(),
        }
    }
}

/// All coordinates, the last dimension fastest.
pub(super) fn coordinates(lengths: &[u64]) -> impl Iterator<Item = Vec<u64>> + '_ {
    (0..lengths.iter().product::<u64>()).map(|number| nth(lengths, number))
}

fn nth(lengths: &[u64], mut number: u64) -> Vec<u64> {
    let mut at = vec![0; lengths.len()];
    for (index, length) in at.iter_mut().zip(lengths).rev() {
        (*index, number) = (number % length, number / length);
    }
    at
}

/// The sizes of vectors along the last dimension that lie together everywhere, at whole multiples of themselves in bytes.
pub(super) fn together(lengths: &[u64], bits: u64, layout: &Layout) -> Vec<u64> {
    let last = lengths.len() - 1;
    let is_whole = |vector: u64| {
        lengths[last].is_multiple_of(vector)
            && coordinates(lengths).all(|at| {
                let first: Vec<_> =
                    at[..last].iter().copied().chain([at[last] / vector * vector]).collect();
                let begin = (layout.offset)(&first);
                (layout.offset)(&at) == begin + at[last] % vector
                    && (begin * bits).is_multiple_of(vector * bits)
            })
    };
    [1, 2, 4, 8, 16, 32].into_iter().filter(|vector| is_whole(*vector)).collect()
}

/// Offsets, bytes, the way back, and constants.
pub(super) fn calls(
    calls: &mut Vec<Call>,
    (names, lengths, is_seen): (&[&str], &[u64], bool),
    bits: u64,
    layout: &Layout,
    naming: &Naming,
) {
    let parameters: Vec<_> = (0..lengths.len()).map(|d| format!("i{d}")).collect();
    let (label, parameters) = (&naming.before, parameters.join(", "));
    let offset = naming.call("offset", &parameters);
    // A dimension of one element may have the stride of another, and then no formula divides them.
    let has_way_back = !is_seen && lengths.iter().all(|length| *length > 1);
    for (d, name) in names.iter().enumerate().filter(|_| has_way_back) {
        let back = naming.call(&format!("{name}_at"), &offset);
        calls.push(Call::of(&format!("{label} {name}_at"), lengths, back, |at| at[d]));
    }
    calls.push(Call::of(&format!("{label} offset"), lengths, offset, |at| (layout.offset)(at)));
    if bits >= 8 {
        let byte = naming.call("byte", &parameters);
        calls.push(Call::of(&format!("{label} byte"), lengths, byte, |at| {
            (layout.offset)(at) * bits / 8
        }));
    }
    // Of a view they are those of the layout below it, and not each has a formula back.
    if is_seen {
        return;
    }
    let space = coordinates(lengths).map(|at| (layout.offset)(&at)).max().unwrap() + 1;
    calls.push(Call::constant(label, naming, "SPACE", space));
    calls.push(Call::constant(label, naming, "BYTES", (space * bits).div_ceil(8)));
}

pub(super) fn packed(lengths: &[u64]) -> Vec<u64> {
    let mut strides = vec![1; lengths.len()];
    for d in (1..lengths.len()).rev() {
        strides[d - 1] = strides[d] * lengths[d];
    }
    strides
}

pub(super) fn dot(at: &[u64], strides: &[u64]) -> u64 {
    at.iter().zip(strides).map(|(index, stride)| index * stride).sum()
}

pub(super) fn layout(dice: &mut Dice, names: &[&str], lengths: &[u64]) -> Layout {
    let (rank, last) = (lengths.len(), lengths.len() - 1);
    let are_powers = lengths.iter().all(|length| length.is_power_of_two());
    let rows = packed(lengths);
    match dice.below(7) {
        0 | 1 => strides(dice, names, lengths),
        2 if rank > 1 => {
            let (padding, columns) = (dice.of::<u64>(&[1, 2, 4, 8, 16]), lengths[last]);
            let words = format!("recipe = \"row-pad\"\npadding = {padding}\n");
            let offset = move |at: &[u64]| {
                let number = dot(at, &rows);
                number + number / columns * padding
            };
            Layout { words, offset: Box::new(offset) }
        }
        3 if lengths.iter().product::<u64>().is_multiple_of(8) => {
            let elements: u64 = lengths.iter().product();
            let whole: Vec<u64> = [8, 16, 32, 64]
                .into_iter()
                .filter(|every| elements.is_multiple_of(*every))
                .collect();
            let (every, padding) = (dice.of(&whole), dice.of::<u64>(&[1, 2, 4, 8]));
            let words =
                format!("recipe = \"interval-pad\"\nevery = {every}\npadding = {padding}\n");
            let offset = move |at: &[u64]| {
                let number = dot(at, &rows);
                number + number / every * padding
            };
            Layout { words, offset: Box::new(offset) }
        }
        4 if rank == 2 && are_powers => {
            let ([r, c], pack) = ([lengths[0], lengths[1]], dice.of::<u64>(&[1, 2, 4, 8]));
            let packs = c / pack;
            let words = format!(
                "stages = \"packed [{r}, {packs}, {pack}]; xor[{r}, {packs}] (0, 1) -> (0, 1), pass[{pack}] (2) -> (2); \
                 pass[{r}] (0) -> (0), merge[{packs}, {pack}] (1, 2) -> (1);\"\n"
            );
            let offset = move |at: &[u64]| {
                at[0] * c + ((at[1] / pack) ^ (at[0] % packs)) * pack + at[1] % pack
            };
            Layout { words, offset: Box::new(offset) }
        }
        5 if rank == 2 => {
            let ([r, c], pack) = ([lengths[0], lengths[1]], dice.of::<u64>(&[1, 2, 4, 8]));
            let packs = c / pack;
            let words = format!(
                "stages = \"packed [{r}, {packs}, {pack}]; cyclic_shift[{r}, {packs}] (0, 1) -> (0, 1), pass[{pack}] (2) -> (2); \
                 pass[{r}] (0) -> (0), merge[{packs}, {pack}] (1, 2) -> (1);\"\n"
            );
            let offset =
                move |at: &[u64]| at[0] * c + (at[1] / pack + at[0]) % packs * pack + at[1] % pack;
            Layout { words, offset: Box::new(offset) }
        }
        6 if are_powers && lengths.iter().product::<u64>() >= 64 => {
            let (mask, base, shift) = (dice.of::<u64>(&[1, 2]), dice.below(3), 2 + dice.below(2));
            let text = |all: &[u64]| all.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
            let words = format!(
                "cute = \"Sw<{mask},{base},{shift}> o 0 o ({}):({})\"\nunit = \"elements\"\n",
                text(lengths),
                text(&rows)
            );
            let offset = move |at: &[u64]| {
                let number = dot(at, &rows);
                number ^ (number >> shift & ((1 << mask) - 1) << base)
            };
            Layout { words, offset: Box::new(offset) }
        }
        _ => strides(dice, names, lengths),
    }
}

/// Strides with holes: dimensions in any order, each beyond the reach of those below it.
fn strides(dice: &mut Dice, names: &[&str], lengths: &[u64]) -> Layout {
    let mut order: Vec<_> = (0..lengths.len()).rev().collect();
    // Holes behind short dimensions multiply by the long ones: 1536 complex numbers once took 127,904 bytes.
    if dice.one_in(4) && lengths.iter().product::<u64>() <= 1024 {
        let [one, other] = [0, 1].map(|_| dice.below(order.len() as u32) as usize);
        order.swap(one, other);
    }
    let (mut strides, mut next) = (vec![0; lengths.len()], dice.of::<u64>(&[1, 1, 1, 1, 2]));
    for d in order {
        strides[d] = next;
        next = next * lengths[d] + dice.of::<u64>(&[0, 0, 0, 1, 2, 4, 8, 16]);
    }
    let words = match dice.one_in(2) {
        true => format!("strides = {strides:?}\n"),
        false => {
            let each: Vec<_> = names
                .iter()
                .zip(&strides)
                .map(|(name, stride)| format!("{name} = {stride}"))
                .collect();
            format!("strides = {{ {} }}\n", each.join(", "))
        }
    };
    Layout { words, offset: Box::new(move |at| dot(at, &strides)) }
}

/// A pattern or a distribution of vectors along the last dimension, and the byte of each lane, wave by wave.
pub(super) fn access(
    dice: &mut Dice,
    names: &[&str],
    lengths: &[u64],
    (lanes, vector): (u64, u64),
    byte: &dyn Fn(&[u64]) -> u32,
) -> (String, Vec<Vec<Option<u32>>>) {
    let elements: u64 = lengths.iter().product();
    let instruction = |at: &dyn Fn(u64) -> Option<Vec<u64>>| -> Vec<Option<u32>> {
        (0..64).map(|lane| if lane < lanes { at(lane).map(|at| byte(&at)) } else { None }).collect()
    };
    if dice.one_in(4) && elements.is_multiple_of(lanes * vector) {
        let of =
            |step: u64| instruction(&|lane| Some(nth(lengths, (step * lanes + lane) * vector)));
        return ("row-major".to_string(), (0..elements / (lanes * vector)).map(of).collect());
    }
    let rank = lengths.len();
    // The lanes of each dimension, all together a wave.
    let mut of_lanes = vec![1_u64; rank];
    (0..lanes.ilog2()).for_each(|_| of_lanes[dice.below(rank as u32) as usize] *= 2);
    let vectors: Vec<u64> =
        (0..rank).map(|d| if d + 1 == rank { lengths[d] / vector } else { lengths[d] }).collect();
    let of_waves: Vec<u64> = (0..rank).map(|_| dice.of(&[1, 1, 1, 2])).collect();
    let again: Vec<u64> =
        (0..rank).map(|d| vectors[d].div_ceil(of_lanes[d] * of_waves[d])).collect();
    let mut text = Vec::new();
    for d in 0..rank {
        let (a, w, l) = (again[d], of_waves[d], of_lanes[d]);
        let part = if d + 1 == rank { format!(", e {vector}") } else { String::new() };
        let of =
            if a * w * l == vectors[d] { String::new() } else { format!(" of {}", lengths[d]) };
        text.push(format!("{} [a{d} {a}, w{d} {w}, l{d} {l}{part}]{of}", names[d]));
    }
    let mut shuffled = |letter: &str| {
        let mut order: Vec<_> = (0..rank).collect();
        (1..rank).for_each(|at| order.swap(at, dice.below(at as u32 + 1) as usize));
        let names: Vec<_> = order.iter().map(|d| format!("{letter}{d}")).collect();
        (order, names.join(", "))
    };
    let ((waves, w), (lanes_in, l), (steps, a)) = (shuffled("w"), shuffled("l"), shuffled("a"));
    let by = format!("{}; wave ({w}), lane ({l}), thread ({a}, e)", text.join(", "));
    // The digits of a number, the first in the order the slowest.
    let digits = |order: &[usize], counts: &[u64], mut number: u64| {
        let mut all = vec![0; rank];
        for d in order.iter().rev() {
            (all[*d], number) = (number % counts[*d], number / counts[*d]);
        }
        all
    };
    let mut sent = Vec::new();
    for wave in 0..of_waves.iter().product() {
        for step in 0..again.iter().product() {
            let (w, a) = (digits(&waves, &of_waves, wave), digits(&steps, &again, step));
            sent.push(instruction(&|lane| {
                let l = digits(&lanes_in, &of_lanes, lane);
                let at = |d: usize| (a[d] * of_waves[d] + w[d]) * of_lanes[d] + l[d];
                let is_inside = (0..rank).all(|d| at(d) < vectors[d]);
                is_inside.then(|| {
                    (0..rank).map(|d| if d + 1 == rank { at(d) * vector } else { at(d) }).collect()
                })
            }));
        }
    }
    (by, sent)
}
