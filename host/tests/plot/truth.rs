//! What is drawn is true: the numbers of random figures, read from their words and counted again from
//! a formula, bytes and the phases of the row.

use crate::TILE;
use std::collections::{BTreeMap, BTreeSet};
use support::fuzz::Dice;
use tiledesc::chip::{gfx942, gfx950, gfx1100, sm_90};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{Op, access::Placed, chip::Instruction};
use tiledesc_host::plot::{self, Draw, Figure, Subject};

/// A tile of rows with a pitch, and packs of eight whose number is xor-ed with a row's bits.
#[derive(Clone, Copy, Debug)]
struct Tile {
    rows: u32,
    columns: u32,
    pitch: u32,
    shift: u32,
    key: u32,
}

impl Tile {
    /// The offset, by hand.
    fn offset(&self, m: u32, k: u32) -> u32 {
        m * self.pitch + (k ^ ((m >> self.shift) % self.key * 8))
    }

    fn random(dice: &mut Dice) -> Self {
        let columns = dice.of(&[16, 32, 64, 128]);
        let key = dice.of(&[1, 2, 4, 8]).min(columns / 8);
        let pitch = columns + 8 * dice.of(&[0, 0, 1, 2, 3, 8]);
        Self { rows: dice.of(&[64, 128]), columns, pitch, shift: dice.below(3), key }
    }

    /// The same by transforms.
    fn plan(&self) -> Plan {
        let Self { rows, columns, pitch, shift, key } = *self;
        let list = tiledesc::List::new;
        let ops = [
            Op::Xor { length0: rows >> shift, length1: key },
            Op::PassThrough { length: 1 << shift },
            Op::PassThrough { length: columns / 8 / key },
            Op::PassThrough { length: 8 },
        ];
        // The packs are `columns / 8 / key` groups of `key`, of which the lower is xor-ed.
        let split = Plan::naive(
            &[rows >> shift, 1 << shift, columns / 8 / key, key, 8],
            &[pitch << shift, pitch, 8 * key, 8, 1],
        )
        .unwrap();
        let xored = split
            .transform(&ops, &[&[0, 3], &[1], &[2], &[4]], &[&[0, 3], &[1], &[2], &[4]])
            .unwrap();
        let merges = [
            Op::Merge { lengths: list(&[rows >> shift, 1 << shift]) },
            Op::Merge { lengths: list(&[columns / 8 / key, key, 8]) },
        ];
        xored.transform(&merges, &[&[0, 1], &[2, 3, 4]], &[&[0], &[1]]).unwrap()
    }

    fn subject(&self) -> Subject {
        self.plan().figure().with_element(F16).named("tile")
    }
}

/// All numbers of a text, in its order.
fn numbers(text: &str) -> Vec<u32> {
    let words = text.split(|c: char| !c.is_ascii_digit());
    words.filter(|word| !word.is_empty()).map(|word| word.parse().unwrap()).collect()
}

/// `0-3 20` as numbers.
fn spread(text: &str) -> Vec<u32> {
    let one = |part: &str| {
        let ends = numbers(part);
        ends[0]..=ends[ends.len() - 1]
    };
    text.split(' ').flat_map(one).collect()
}

/// Which lanes touch which dwords, by phase and bank.
type Served = BTreeMap<(u32, u32, u32), BTreeSet<u32>>;

fn served(tile: &Tile, rows: u32, row: &Instruction) -> Served {
    served_at(row, |lane| {
        2 * tile.offset(lane % rows, lane / rows * (row.bytes() / 2) % tile.columns)
    })
}

/// The same of lanes at these bytes.
fn served_at(row: &Instruction, byte: impl Fn(u32) -> u32) -> Served {
    let mut all = Served::new();
    for phase in 0..row.service().phases.count() {
        for lane in row.service().phases.lanes(phase).iter().map(|lane| u32::from(*lane)) {
            let byte = byte(lane);
            for dword in byte / 4..(byte + row.bytes()).div_ceil(4) {
                let place = (phase as u32, dword % row.service().banks, dword);
                all.entry(place).or_default().insert(lane);
            }
        }
    }
    all
}

/// The same, read from the titles of a figure.
fn drawn(figure: &Figure) -> Served {
    let mut all = Served::new();
    for cell in figure.cells().filter(|cell| !cell.title().ends_with("idle")) {
        let (place, who) = cell.title().split_once(": ").unwrap();
        let (phase, banks) = place.split_once(", ").unwrap();
        let (lanes, byte) = who.split_once(", ").unwrap();
        let (phase, byte) = (numbers(phase)[0], numbers(byte)[0]);
        let lanes: BTreeSet<u32> = spread(lanes.split_once(' ').unwrap().1).into_iter().collect();
        // One lane, or one and how many more.
        let label = numbers(cell.label());
        assert!(lanes.contains(&label[0]) && label.get(1).unwrap_or(&0) + 1 == lanes.len() as u32);
        for (i, bank) in spread(banks.split_once(' ').unwrap().1).into_iter().enumerate() {
            let before = all.insert((phase, bank, byte / 4 + i as u32), lanes.clone());
            assert!(before.is_none(), "{}", cell.title());
        }
    }
    all
}

/// The fullest bank of each phase.
fn degrees(served: &Served, phases: u32) -> Vec<u32> {
    let of = |phase: u32| {
        let mut banks: BTreeMap<u32, u32> = BTreeMap::new();
        served
            .keys()
            .filter(|key| key.0 == phase)
            .for_each(|key| *banks.entry(key.1).or_default() += 1);
        banks.values().copied().max().unwrap_or(0)
    };
    (0..phases).map(of).collect()
}

const ROWS: [&Instruction; 6] = [
    &gfx942::ds_read_b128,
    &gfx950::ds_read_b128,
    &gfx950::ds_read_b64,
    &gfx1100::ds_read_b64,
    &gfx942::ds_read_b32,
    &sm_90::ld_shared_b128,
];

#[test]
fn phases_by_bytes() {
    let mut dice = Dice(1);
    let mut conflicts = 0;
    for case in 0..300 {
        let (tile, row, rows) = (Tile::random(&mut dice), dice.of(&ROWS), dice.of(&[16, 32]));
        // Lanes beyond a row of the tile would begin again: a pattern of its own.
        let wave = row.service().phases.wave() as u32;
        if wave / rows * (row.bytes() / 2) > tile.columns {
            continue;
        }
        let figure = tile.subject().phases(row, Lanes::rows(rows).first()).unwrap();
        let served = served(&tile, rows, row);
        assert_eq!(drawn(&figure), served, "case {case}: {tile:?} {rows}");
        // The waiting cells are those beyond the first of a bank; the rows of the text are cycles.
        let degrees = degrees(&served, row.service().phases.count() as u32);
        let cycles: u32 = degrees.iter().map(|degree| (*degree).max(1)).sum();
        let plan = tile.plan();
        let verdict =
            Placed::new(&plan, 16, Lanes::rows(rows).first(), row).unwrap().verdict().unwrap();
        assert_eq!(verdict.active_cycles(), u64::from(cycles), "case {case}");
        let text = figure.text();
        let lines = text.lines().skip_while(|line| !line.starts_with("phase 0")).skip(1);
        assert_eq!(
            lines.take_while(|line| !line.is_empty()).count() as u32,
            cycles,
            "case {case}\n{text}"
        );
        conflicts += u32::from(degrees.iter().any(|degree| *degree > 1));
    }
    assert!(conflicts > 50, "{conflicts}");
}

/// Lanes that read the same: one cell of several lanes, and no wait.
#[test]
fn broadcasts_are_one_cell() {
    let mut dice = Dice(8);
    for _ in 0..40 {
        let tile = Tile::random(&mut dice);
        let (row, rows) = (&gfx1100::ds_read_b128, dice.of(&[1, 4, 16]));
        let figure = tile.subject().phases(row, Lanes::repeated_rows(rows).first()).unwrap();
        let served = served_at(row, |lane| 2 * tile.offset(lane % rows, 0));
        assert_eq!(drawn(&figure), served, "{tile:?} {rows}");
        let shared = figure.cells().filter(|cell| cell.label().contains('+')).count();
        assert_eq!(shared > 0, rows < 16, "{rows}\n{figure}");
    }
}

#[test]
fn grids_by_the_formula() {
    let mut dice = Dice(2);
    for case in 0..100 {
        let (tile, row) = (Tile::random(&mut dice), dice.of(&ROWS));
        let figure = tile.subject().rows(0..20).grid(row, Lanes::row_major().first()).unwrap();
        let (pack, banks) = (row.bytes() / 2, row.service().banks);
        let mut seen = 0;
        for cell in figure.cells() {
            let all = numbers(cell.title());
            let (m, k) = (all[0], all[1]);
            let byte = 2 * tile.offset(m, k);
            assert_eq!((m, k), (seen / (tile.columns / pack), seen % (tile.columns / pack) * pack));
            assert_eq!(cell.label(), tile.offset(m, k).to_string(), "case {case}: {tile:?}");
            assert_eq!(all[2..4], [byte, byte / 4 % banks], "case {case}: {}", cell.title());
            seen += 1;
        }
        assert_eq!(seen, 20 * tile.columns / pack);
        // And the text has them line by line.
        let text = figure.text();
        let lines = text.lines().skip_while(|line| !line.starts_with("row")).skip(1);
        for (m, line) in lines.take(20).enumerate() {
            let m = m as u32;
            let wanted: Vec<_> = [m]
                .into_iter()
                .chain((0..tile.columns).step_by(pack as usize).map(|k| tile.offset(m, k)))
                .collect();
            assert_eq!(numbers(line), wanted, "case {case}");
        }
    }
}

#[test]
fn framed_lanes_meet() {
    let mut dice = Dice(3);
    let mut framed = 0;
    for _ in 0..100 {
        let (tile, row) = (Tile::random(&mut dice), dice.of(&ROWS[..2]));
        if tile.columns < 32 {
            continue;
        }
        let figure = tile.subject().grid(row, Lanes::rows(16).first()).unwrap();
        let marked: Vec<_> = figure.cells().filter(|cell| cell.is_outlined()).collect();
        let degree = *degrees(&served(&tile, 16, row), row.service().phases.count() as u32)
            .iter()
            .max()
            .unwrap();
        assert_eq!(marked.len() as u32, if degree > 1 { degree } else { 0 }, "{tile:?}");
        // All of one bank, in different dwords, and of one phase.
        let banks: BTreeSet<_> = marked.iter().map(|cell| numbers(cell.title())[3]).collect();
        assert!(banks.len() <= 1);
        let lane = |cell: &&plot::Cell| {
            let at = numbers(cell.title());
            row.service()
                .phases
                .phase_of((at[1] / (row.bytes() / 2) * 16 + at[0]) as usize)
                .unwrap()
        };
        assert!(marked.iter().map(lane).collect::<BTreeSet<_>>().len() <= 1);
        framed += marked.len();
    }
    assert!(framed > 50);
}

#[test]
fn ladders_by_the_formula() {
    let mut dice = Dice(4);
    for case in 0..60 {
        let tile = Tile::random(&mut dice);
        let figure = tile.subject().ladder(&gfx942::ds_read_b128).unwrap();
        let mut lies: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        for m in 0..tile.rows {
            for k in 0..tile.columns {
                lies.insert(2 * tile.offset(m, k), (m, k));
            }
        }
        let (mut covered, mut holes) = (0, 0);
        for cell in figure.cells() {
            let all = numbers(cell.title());
            let banks = cell.title().split(", bank").nth(1).unwrap().split(':').next().unwrap();
            let count = spread(banks.trim_start_matches(['s', ' '])).len() as u32;
            assert_eq!(all[1], all[0] / 4 % 32, "case {case}");
            if cell.is_hatched() {
                assert!(
                    lies.range(all[0]..all[0] + 4 * count).next().is_none(),
                    "case {case}: {}",
                    cell.title()
                );
                holes += count;
            } else {
                let (m, k) = lies[&all[0]];
                assert_eq!(cell.label(), format!("{m},{k}"), "case {case}");
                for at in 0..2 * count {
                    assert_eq!(
                        lies[&(all[0] + 2 * at)],
                        (m, k + at),
                        "case {case}: {}",
                        cell.title()
                    );
                }
                covered += 2 * count;
            }
        }
        assert_eq!(covered, tile.rows * tile.columns, "case {case}");
        assert_eq!(holes * 2, (tile.rows - 1) * (tile.pitch - tile.columns), "case {case}");
    }
}

#[test]
fn bits_and_fields_flip_what_they_say() {
    let mut dice = Dice(5);
    for case in 0..60 {
        let tile = Tile { pitch: 0, ..Tile::random(&mut dice) };
        let tile = Tile { pitch: tile.columns, ..tile };
        let figure = tile.subject().bits(&gfx942::ds_read_b128).unwrap();
        let mut seen = 0;
        for cell in figure.cells() {
            let all = numbers(cell.title());
            let (bit, dimension, value) = (all[0], all[1], all[2]);
            let at = if dimension == 0 { (1 << bit, 0) } else { (0, 1 << bit) };
            let flips = (2 * tile.offset(at.0, at.1)) & value != 0;
            assert_eq!(cell.label() == "1", flips, "case {case}: {tile:?} {}", cell.title());
            assert_eq!(cell.title().contains("flips"), flips);
            seen += 1;
        }
        let inputs = (tile.rows * tile.columns).ilog2();
        assert_eq!(seen, inputs * (inputs + 1), "one more for the byte of a half");
        let figure = tile.subject().fields().unwrap();
        for cell in figure.cells().filter(|cell| cell.title().starts_with("Triton")) {
            let all = numbers(cell.title());
            assert_eq!(tile.offset(all[1], all[2]), 1 << all[0], "case {case}: {}", cell.title());
        }
    }
}

#[test]
fn distributions_are_owned() {
    let encodings = [
        super::Operand::ENCODING.unwrap(),
        tiledesc::matrix::mfma::F16_32x32x8::C::ENCODING.unwrap(),
        Raked::ENCODING.unwrap(),
    ];
    for encoding in encodings {
        let figure = plot::distribution("it", &encoding).unwrap();
        assert_eq!(figure.cells().count() as u64, encoding.lengths().elements());
        for cell in figure.cells() {
            let all = numbers(cell.title());
            let (wave, rest) =
                if encoding.waves() > 1 { (all[2], &all[3..]) } else { (0, &all[2..]) };
            let at = encoding.coordinate(wave, rest[0], rest[1]).unwrap();
            assert_eq!(at.as_slice(), &all[..2], "{}", cell.title());
            let label = if encoding.waves() > 1 {
                format!("{wave}:{}", rest[0])
            } else {
                rest[0].to_string()
            };
            assert_eq!(cell.label(), label);
        }
    }
}

distribution! {
    type Raked: m [again 2, wave 2, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
}

#[test]
fn degrees_of_pads_by_bytes() {
    let row = &gfx942::ds_read_b128;
    let uses = |rows| tiledesc::search::Use::new(Lanes::rows(rows), row);
    let figure = plot::pads(TILE, 0..=64, &[("16 rows", uses(16)), ("32 rows", uses(32))]).unwrap();
    assert_eq!(figure.cells().count(), 18);
    for cell in figure.cells() {
        let all = numbers(cell.title());
        let tile = Tile { rows: 128, columns: 64, pitch: 64 + all[0], shift: 0, key: 1 };
        let degree = *degrees(&served(&tile, all[1], row), 8).iter().max().unwrap();
        assert_eq!(cell.label(), degree.to_string(), "{}", cell.title());
    }
}

#[test]
fn keys_are_what_they_are_called() {
    for subject in plot::keys(TILE, 8).unwrap() {
        let all = numbers(subject.name());
        let (shift, key) = match all[..] {
            [key] => (0, key),
            [below, key] => (below.ilog2(), key),
            _ => (0, 1),
        };
        let tile = Tile { rows: 128, columns: 64, pitch: 64, shift, key };
        let figure = subject.tile(32).unwrap();
        for (i, cell) in figure.cells().enumerate() {
            let i = i as u32;
            assert_eq!(cell.label(), tile.offset(i / 64, i % 64).to_string(), "{}", subject.name());
        }
    }
}

/// Follows the registers of the figure, lane by lane.
#[test]
fn addresses_are_reached() {
    let mut dice = Dice(6);
    for _ in 0..30 {
        let tile = Tile { rows: 128, ..Tile::random(&mut dice) };
        let row = &gfx942::ds_read_b128;
        if tile.columns < 32 {
            continue;
        }
        let lanes = Lanes::rows(32);
        let figure = tile.subject().addresses(row, lanes).unwrap();
        let plan = tile.plan();
        let placed = Placed::new(&plan, 16, lanes, row).unwrap();
        let address =
            |step: usize, lane| placed.touched(step as u64).unwrap().addresses().get(lane).unwrap();
        let mut registers: Vec<Vec<u32>> = Vec::new();
        for (step, cell) in figure.cells().enumerate() {
            let all = numbers(cell.label());
            let of = |lane: usize| match cell.label() {
                label if label.ends_with("new") => address(step, lane),
                label if label.contains('^') => registers[0][lane] ^ all[1],
                _ => registers[all[0] as usize][lane] + all[1],
            };
            let found: Vec<_> = (0..64).map(of).collect();
            let wanted: Vec<_> = (0..64).map(|lane| address(step, lane)).collect();
            assert_eq!(found, wanted, "{tile:?}: {}", cell.title());
            if !cell.label().contains('+') {
                assert_eq!(registers.len(), all[0] as usize);
                registers.push(found);
            }
        }
        assert_eq!(figure.cells().count() as u32, 128 * tile.columns / 512);
    }
}

#[test]
fn a_journey_ends_at_the_offset() {
    let mut dice = Dice(7);
    for _ in 0..50 {
        let tile = Tile::random(&mut dice);
        let (m, k) = (dice.below(tile.rows), dice.below(tile.columns));
        let figure = tile.subject().journey(&[m, k]).unwrap();
        let last = figure.cells().last().unwrap();
        assert_eq!(last.label(), tile.offset(m, k).to_string());
        assert_eq!(last.title(), format!("offset {}", tile.offset(m, k)));
        let first: Vec<_> = figure.cells().take(2).map(|cell| cell.label().to_owned()).collect();
        assert_eq!(first, [m.to_string(), k.to_string()]);
        assert!(figure.text().contains(&format!("tile: ({m}, {k}) is at {}", tile.offset(m, k))));
    }
    assert!(Plan::packed(&[4, 4]).unwrap().figure().with_element(F16).journey(&[4, 0]).is_err());
}

#[test]
fn timelines_by_bytes() {
    let mut dice = Dice(9);
    for case in 0..60 {
        let tile = Tile { columns: 128, pitch: 128 + 8 * dice.below(9), ..Tile::random(&mut dice) };
        let (row, rows) = (dice.of(&ROWS), dice.of(&[16, 32]));
        let figure = plot::timeline(&[tile.subject()], row, Lanes::rows(rows).first()).unwrap();
        let degrees = degrees(&served(&tile, rows, row), row.service().phases.count() as u32);
        let mut wanted = Vec::new();
        let mut cycle = 0;
        for (phase, degree) in degrees.iter().enumerate() {
            wanted.push(format!("tile, cycle {cycle}: phase {phase}"));
            if *degree == 2 {
                wanted.push(format!("tile, cycle {}: phase {phase} again", cycle + 1));
            } else if *degree > 2 {
                let last = cycle + degree - 1;
                wanted.push(format!("tile, cycles {}-{last}: phase {phase} again", cycle + 1));
            }
            cycle += (*degree).max(1);
        }
        let found: Vec<_> = figure.cells().map(|cell| cell.title().to_owned()).collect();
        assert_eq!(found, wanted, "case {case}: {tile:?} {rows}");
    }
}

#[test]
fn comparisons_by_bytes() {
    let row = &gfx942::ds_read_b128;
    let uses = |rows| tiledesc::search::Use::new(Lanes::rows(rows).first(), row);
    let mut dice = Dice(10);
    for _ in 0..20 {
        let tile = Tile { columns: 64, ..Tile::random(&mut dice) };
        let tile = Tile { pitch: 64 + 8 * dice.below(4), ..tile };
        let figure =
            plot::compare(&[(tile.subject(), Some(7))], &[("a", uses(16)), ("b", uses(32))])
                .unwrap();
        let labels: Vec<_> = figure.cells().map(|cell| numbers(cell.label())[0]).collect();
        let cycles =
            |rows| degrees(&served(&tile, rows, row), 8).iter().map(|d| (*d).max(1)).sum::<u32>();
        let (a, b) = (cycles(16), cycles(32));
        assert_eq!(labels[..3], [a, b, a + b], "{tile:?}");
        assert_eq!(labels[3], 2 * ((tile.rows - 1) * tile.pitch + 64), "{tile:?}");
        // Of one instruction each there is one address; the instructions are those that are given.
        assert_eq!(labels[4..], [2, 7]);
    }
}

/// An access that a layout does not bear is a hatched cell with the reason, and has no part in sums.
#[test]
fn comparisons_of_what_cannot_be() {
    use tiledesc::search::Use;
    let uses = [16, 32].map(|rows| Use::new(Lanes::rows(rows).first(), &gfx942::ds_read_b128));
    // Rows of 65 halves tear packs apart; 24 rows are not an operand of 32.
    let odd = Plan::naive(&[24, 64], &[65, 1]).unwrap();
    let short = Plan::packed(&[24, 64]).unwrap();
    let layouts = [("odd", &odd), ("short", &short)]
        .map(|(name, plan)| (plan.figure().with_element(F16).named(name), None));
    let figure = plot::compare(&layouts, &[("a", uses[0]), ("b", uses[1])]).unwrap();
    let cells: Vec<_> = figure.cells().map(|cell| (cell.label(), cell.title())).collect();
    let [odd, short] = [&cells[..6], &cells[6..]];
    for row in [odd, short] {
        assert_eq!((row[2].0, row[4].0, row[5].0), ("-", "-", "-"), "{row:?}");
        assert!(row[2].1.ends_with("cycles are not known of every access"), "{row:?}");
    }
    assert_eq!((odd[0].0, odd[1].0, odd[3].0), ("", "", "3118"));
    assert!(odd[0].1.starts_with("odd, a, ds_read_b128 on gfx942: byte 130"), "{odd:?}");
    assert_eq!((short[0].0, short[1].0, short[3].0), ("32", "", "3072"));
    assert!(short[1].1.starts_with("short, b, ds_read_b128 on gfx942: lane 24"), "{short:?}");
}

#[test]
fn direct_loads_by_the_formula() {
    use tiledesc::chip::gfx950::global_load_lds_b128;
    use tiledesc::direct::{Request, Source};
    let mut dice = Dice(11);
    for _ in 0..20 {
        let tile = Tile { rows: 128, columns: 64, pitch: 64, ..Tile::random(&mut dice) };
        let pitch = 64 * (1 + dice.below(100));
        let plan = tile.plan();
        let request = Request::new(&plan, 16, Source::rows(pitch), &global_load_lds_b128).waves(4);
        let load = request.plan().unwrap();
        let (wave, number) = (dice.below(4), dice.below(4));
        let figure = plot::direct_load(&load, wave, number, 128).unwrap();
        let mut lines = BTreeSet::new();
        for (lane, cell) in figure.cells().enumerate() {
            let all = numbers(cell.title());
            let (m, k) = (all[2], all[3]);
            let source = 2 * (m * pitch + k);
            assert_eq!(
                all[..2],
                [lane as u32, 2 * tile.offset(m, k)],
                "{tile:?}: {}",
                cell.title()
            );
            assert_eq!(all[4..], [source, source / 128]);
            assert_eq!(numbers(cell.label()), [source / 128, source % 128 / 16]);
            lines.insert(source / 128);
        }
        assert!(figure.summary().starts_with(&format!("{} lines of 128 bytes", lines.len())));
    }
}

#[test]
fn rows_of_chips_are_counted() {
    use tiledesc::chip::{CHIPS, Evidence};
    let figure = plot::evidence(CHIPS);
    for chip in CHIPS {
        for (kind, evidence) in [
            ("measured", Evidence::Measured),
            ("documented", Evidence::Documented),
            ("inferred", Evidence::Inferred),
        ] {
            let count = chip.rows().iter().filter(|row| row.service().evidence == evidence).count();
            let cell = figure.cells().find(|cell| {
                cell.title().starts_with(&format!("{}: ", chip.name()))
                    && cell.title().ends_with(kind)
            });
            assert_eq!(
                cell.map_or(0, |cell| numbers(cell.label())[0]) as usize,
                count,
                "{}",
                chip.name()
            );
        }
    }
    // And each lane is in the phase that its row says.
    let rows = [&gfx942::ds_read_b128, &gfx1100::ds_read_b64];
    let figure = plot::served(&rows);
    let lanes =
        rows.iter().flat_map(|row| (0..row.service().phases.wave()).map(move |lane| (row, lane)));
    for ((row, lane), cell) in lanes.zip(figure.cells()) {
        let phase: usize = cell.label().parse().unwrap();
        assert!(row.service().phases.lanes(phase).contains(&(lane as u8)));
        assert_eq!(cell.title(), format!("lane {lane}: phase {phase}"));
    }
    assert_eq!(figure.cells().count(), 96);
}
