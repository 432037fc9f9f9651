//! Accesses in parts: the same elements by narrower instructions, counted by hand.
//!
//! | test | promise |
//! |---|---|
//! | `lanes_hold_what_they_held` | of random patterns, distributions, layouts and chips, the parts of each lane are those of its wide access, in the order that is stated; the verdict is that of counting each lane |
//! | `searches_count_parts` | what a search says of accesses in parts is what counting each lane finds |
//! | `pairs_of_quack` | stores of 8 bytes under the 128-byte and the 64-byte swizzle are 2-way, and free as two of 4, crossed by lanes of every second row, or every second pair of rows: measured by its authors |
//! | `rows_of_tables_change_places` | of random tables each lane takes the rows of a few instructions in an order of its own, all of them, and the verdict is that of counting each lane |
//! | `what_cannot_be_split` | a table by what does not divide its rows, or in order; other numbers of parts, wide accesses that a tile does not hold |

use super::short_list::{counted, weighed};
use support::asked::distribution_of;
use support::fuzz::{Dice, cases, seed};
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Instruction, gfx942, sm_90};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc::{List, Plan};
use tiledesc_host::exchange::cute::Composed;

/// A plain row of a chip that moves this many bytes as another does.
fn narrower(row: &Instruction, bytes: u32) -> Option<&'static Instruction> {
    let chip = CHIPS.iter().find(|chip| chip.name() == row.chip())?;
    chip.rows().iter().find(|one| {
        one.bytes() == bytes && one.access() == row.access() && one.parts() == 1 && is_plain(one)
    })
}

/// Whether lanes move what they address.
fn is_plain(row: &Instruction) -> bool {
    ["ldmatrix", "stmatrix", "_tr_", "_tr", "movmatrix"]
        .iter()
        .all(|word| !row.name().contains(word))
}

/// A layout of a tile that keeps narrow packs: in order, padded, at intervals, swizzled.
fn layout(dice: &mut Dice, tile: Shape, pack: u32) -> Option<Plan> {
    let layout = match dice.below(6) {
        0 => Spec::row_major(),
        1 => Spec::row_pad(pack * (1 + dice.below(9))),
        2 => Spec::interval_pad(pack * 16, pack * (1 + dice.below(3))),
        3 => Spec::gemm_xor(pack),
        4 => Spec::gemm_xor_layer(pack, 1 << dice.below(3)),
        _ => Spec::row_shift(pack),
    };
    layout.plan(tile).ok()
}

/// One access in parts: of a pattern or a distribution, by a row of a chip.
struct Question {
    tile: Shape,
    encoding: Option<Encoding>,
    pattern: Lanes<'static>,
    wide: &'static Instruction,
    narrow: &'static Instruction,
    parts: u32,
    lane: u32,
}

impl Question {
    fn of(dice: &mut Dice) -> Option<Self> {
        let chip = &CHIPS[dice.below(CHIPS.len() as u32) as usize];
        let wide = &chip.rows()[dice.below(chip.rows().len() as u32) as usize];
        let parts = dice.of(&[2, 2, 4]);
        if wide.parts() > 1 || !is_plain(wide) || wide.bytes() < 4 * parts || wide.bytes() == 12 {
            return None;
        }
        let narrow = narrower(wide, wide.bytes() / parts)?;
        let bits = dice.of(&[8, 16, 32]);
        let (lanes, pack) = (wide.service().phases.addressed() as u32, wide.bytes() * 8 / bits);
        let encoding = dice.one_in(2).then(|| distribution_of(dice, lanes, pack));
        let pattern = dice.of(&[
            Lanes::row_major(),
            Lanes::rows(16),
            Lanes::rows(32),
            Lanes::column(),
            Lanes::repeated_rows(16),
        ]);
        let [rows, columns] = match &encoding {
            Some(encoding) => [encoding.lengths().at(0), encoding.lengths().at(1)],
            None => [lanes * (1 + dice.below(3)), lanes.min(8) * pack * (1 + dice.below(3))],
        };
        let lane = dice.of(&[0, 1, 2, 4, 8, 16, 32]);
        Some(Self {
            tile: Shape { rows, columns, bits },
            encoding,
            pattern,
            wide,
            narrow,
            parts,
            lane,
        })
    }

    fn whole(&self) -> Lanes<'_> {
        self.encoding.as_ref().map_or(self.pattern, Lanes::distributed)
    }

    fn split(&self) -> Lanes<'_> {
        self.whole().split(self.parts, self.lane).unwrap()
    }
}

#[test]
fn lanes_hold_what_they_held() {
    let (mut dice, all) = (Dice(seed(5)), cases("accesses in parts"));
    let (mut judged, mut crossed, mut other_order) = (0, 0, 0);
    for case in 0..all {
        let Some(asked) = Question::of(&mut dice) else { continue };
        let Question { tile, wide, narrow, parts, lane, .. } = asked;
        let pack = narrow.bytes() * 8 / tile.bits;
        let Some(plan) = layout(&mut dice, tile, pack) else { continue };
        let plain = Spec::row_major().plan(tile).unwrap();
        let Ok(whole) = Placed::new(&plain, tile.bits, asked.whole(), wide) else { continue };
        let (lanes, steps) = (asked.split(), whole.instructions());
        let split = Placed::new(&plan, tile.bits, lanes, narrow).unwrap();
        let says = || format!("case {case}: {tile:?} {lanes:?} {} {}", wide.name(), narrow.name());
        if whole.verdict().is_err() {
            assert!(split.verdict().is_err(), "{}", says());
            continue;
        }
        // Wide accesses that are a distribution of the tile have parts.
        let in_order = Placed::new(&plain, tile.bits, lanes, narrow).unwrap().verdict();
        let (lengths, addressed) = ([tile.rows, tile.columns], wide.service().phases.addressed());
        let wide_ones = asked.whole().distribution(&lengths, pack * parts, addressed as u32);
        assert!(wide_ones.is_none() || in_order.is_ok(), "{in_order:?} {}", says());
        let Ok(verdict) = split.verdict() else { continue };
        assert_eq!(split.instructions(), steps * u64::from(parts), "{}", says());
        let at =
            |placed: &Placed<'_, '_>, step, of: usize| placed.touched(step).unwrap().coordinate(of);
        // The parts of a lane's wide access, by the instruction that takes each.
        let wanted = |step: u64, part: u32, of: usize| {
            let first = at(&whole, step, of).unwrap();
            let own = part ^ (of as u32).checked_div(lane).map_or(0, |crossed| crossed % parts);
            [first.at(0), first.at(1) + own * pack]
        };
        let follow = (0..parts).all(|part| {
            (0..addressed).all(|of| at(&split, u64::from(part), of).unwrap() == wanted(0, part, of))
        });
        for of in 0..addressed {
            let told = |step: u64| at(&split, step, of).unwrap();
            let mut all_told: Vec<_> = (0..split.instructions())
                .map(|step| (told(step).at(0), told(step).at(1)))
                .collect();
            let mut all_wanted = Vec::new();
            for (step, part) in (0..steps).flat_map(|step| (0..parts).map(move |part| (step, part)))
            {
                let [m, k] = wanted(step, part, of);
                if follow {
                    assert_eq!(
                        told(step * u64::from(parts) + u64::from(part)),
                        [m, k],
                        "{}",
                        says()
                    );
                }
                all_wanted.push((m, k));
            }
            // The i-th instruction that takes some of an access takes the part of which it is the turn.
            for step in 0..steps {
                let turn = |part| {
                    let [m, k] = wanted(step, part, of);
                    all_told.iter().position(|told| *told == (m, k))
                };
                let turns: Vec<_> = (0..parts).map(turn).collect();
                assert!(turns.is_sorted(), "{turns:?} lane {of} {}", says());
            }
            all_told.sort_unstable();
            all_wanted.sort_unstable();
            assert_eq!(all_told, all_wanted, "lane {of} {}", says());
        }
        other_order += u32::from(!follow);
        let access = Use::new(lanes, narrow);
        let [own, _] = counted(&plan, tile.bits, &access).unwrap();
        assert_eq!(verdict.active_cycles(), own, "{}", says());
        judged += 1;
        crossed += u32::from(lane != 0);
    }
    println!("{judged} judged, {crossed} crossed, {other_order} with the parts apart");
    assert!(
        judged > all / 12 && crossed > all / 15 && other_order > 0,
        "{judged} {crossed} {other_order}"
    );
}

/// A table of some instructions, of which some lanes are idle.
fn table(dice: &mut Dice, steps: u32) -> Vec<Row> {
    let [down, along, idle] = [dice.below(4), dice.below(9), dice.below(3)];
    let at = |step: u32, lane: u32| {
        let at = List::pair((lane + step * down) % 40, (lane / 8 * 4 + step * along) % 32);
        (idle > 0 || lane == 0 || !(step + lane).is_multiple_of(5)).then_some(at)
    };
    (0..steps).map(|step| core::array::from_fn(|lane| at(step, lane as u32))).collect()
}

#[test]
fn rows_of_tables_change_places() {
    let (mut dice, all) = (Dice(seed(8)), cases("tables in another order"));
    let (mut judged, mut fewer) = (0, 0);
    let tile = Shape { rows: 40, columns: 32, bits: 32 };
    for _ in 0..all {
        let parts = dice.of(&[2, 2, 4, 8]);
        let steps = parts * (1 + dice.below(3));
        let rows = table(&mut dice, steps);
        let lane = dice.of(&[1, 2, 4, 8, 16, 32]);
        let row = dice.of(&[&gfx942::ds_read_b32, &sm_90::ld_shared_b32]);
        let lanes = Lanes::table(&rows, 1).split(parts, lane).unwrap();
        let Some(plan) = layout(&mut dice, tile, 1) else { continue };
        let placed = Placed::new(&plan, 32, lanes, row).unwrap();
        assert_eq!(placed.instructions(), u64::from(steps));
        let first = Placed::new(&plan, 32, lanes.first(), row).unwrap();
        let follows = |step: u32, of: usize| {
            // Of the rows from `step / parts * parts` on, the one of its turn.
            let turn = of as u32 / lane % parts;
            let wanted = step / parts * parts + ((step % parts) ^ turn);
            placed.coordinate(step.into(), of) == rows[wanted as usize][of]
        };
        for of in 0..row.service().phases.addressed() {
            assert!((0..steps).all(|step| follows(step, of)), "{parts} {lane}, lane {of}");
            assert_eq!(first.coordinate(0, of), placed.coordinate(0, of));
        }
        let cycles = |lanes| counted(&plan, 32, &Use::new(lanes, row));
        let Some([own, _]) = cycles(lanes) else { continue };
        assert_eq!(placed.verdict().unwrap().active_cycles(), own, "{parts} {lane} {plan:?}");
        judged += 1;
        fewer += u32::from(own < cycles(Lanes::table(&rows, 1)).unwrap()[0]);
    }
    println!("{judged} tables, {fewer} of fewer cycles");
    assert!(judged > all / 2 && fewer > all / 30, "{judged} {fewer}");
}

/// Of one to three accesses, of which one is in parts.
#[test]
fn searches_count_parts() {
    let (mut dice, all) = (Dice(seed(6)), cases("searches of parts"));
    let (mut asked, mut floors, mut conflicts) = (0, 0, 0);
    for case in 0..all {
        let Some(one) = Question::of(&mut dice) else { continue };
        let Question { tile, wide, narrow, .. } = one;
        let mut uses = vec![Use::new(one.split(), narrow)];
        for lanes in [Lanes::row_major(), Lanes::column()] {
            if dice.one_in(2) {
                uses.push(Use::new(lanes, if dice.one_in(2) { wide } else { narrow }));
            }
        }
        let plain = Spec::row_major().plan(tile).unwrap();
        uses.retain(|one| weighed(&plain, tile.bits, core::slice::from_ref(one)).is_some());
        let Ok(found) = tile.synthesize(&uses) else { continue };
        let [own, rival, _] = weighed(&found.plan().unwrap(), tile.bits, &uses).unwrap();
        let told = [found.cycles, found.rival_cycles];
        assert_eq!(told, [own, rival], "case {case}: {tile:?} {found}\n{uses:?}");
        asked += 1;
        floors += u32::from(found.cycles == found.floor);
        conflicts += u32::from(found.cycles > found.floor);
    }
    println!("{asked} asked, {floors} at the floor, {conflicts} not");
    assert!(asked > all / 8 && floors > 0 && conflicts > 0, "{asked} {floors} {conflicts}");
}

/// A tile of 8 rows as the TMA swizzles it, written by the accumulator of wgmma.
fn quack(text: &str, columns: u32) -> (Plan, Encoding) {
    let k = [("j", columns / 8), ("part", 4), ("two", 2)];
    let encoding = Encoding::named(
        &[],
        &[("m", &[("row", 8)]), ("n", &k)],
        &[],
        &["row", "part"],
        &["j", "two"],
    );
    let composed = Composed::parse(text).unwrap();
    (composed.plan().unwrap(), encoding.unwrap())
}

#[test]
fn pairs_of_quack() {
    // Two rows of 128 bytes meet, or two that are two rows of 64 bytes apart.
    for (text, columns, crossed) in
        [("Sw<3,2,3> o 0 o (8,32):(32,1)", 32, 4), ("Sw<2,2,3> o 0 o (8,16):(16,1)", 16, 8)]
    {
        let (plan, encoding) = quack(text, columns);
        let whole = Lanes::distributed(&encoding);
        let cycles = |lanes, row| {
            let told =
                Placed::new(&plan, 32, lanes, row).unwrap().verdict().unwrap().active_cycles();
            assert_eq!(counted(&plan, 32, &Use::new(lanes, row)).unwrap()[0], told);
            told
        };
        let stores = u64::from(columns / 8);
        assert_eq!(cycles(whole, &sm_90::st_shared_b64), 4 * stores);
        let pairs = |lane| cycles(whole.split(2, lane).unwrap(), &sm_90::st_shared_b32);
        assert_eq!([0, crossed].map(pairs), [4 * stores, 2 * stores], "{text}");
    }
}

#[test]
fn what_cannot_be_split() {
    let rows: [Row; 1] = [core::array::from_fn(|lane| Some(List::pair(lane as u32, 0)))];
    assert_eq!(Lanes::table(&rows, 1).split(2, 1), None);
    let rows = [rows[0]; 6];
    let splits = |parts, lane| Lanes::table(&rows, 1).split(parts, lane).is_some();
    assert_eq!([splits(2, 1), splits(2, 0), splits(4, 1)], [true, false, false]);
    let numbers = [(1, 0), (3, 0), (128, 0), (0, 0), (2, 3), (2, 64)];
    assert!(numbers.iter().all(|&(parts, lane)| Lanes::rows(16).split(parts, lane).is_none()));
    assert_eq!(Lanes::rows(16).split(2, 1).unwrap().split(2, 1), None);
    // Rows of 12 halves are packs of 4, and no packs of 8; 24 rows are no blocks of 16; others leave elements out.
    let judged = |tile: [u32; 2], lanes: Lanes<'_>| {
        let plan = Plan::packed(&tile).unwrap();
        let split = lanes.split(2, 1).unwrap();
        Placed::new(&plan, 16, split, &gfx942::ds_read_b64)
            .and_then(|placed| placed.verdict().map(drop))
    };
    assert!(judged([64, 32], Lanes::rows(16)).is_ok());
    assert!(judged([64, 12], Lanes::column()).is_err());
    assert!(judged([24, 32], Lanes::rows(16)).is_err());
    assert!(judged([64, 64], Lanes::strided(3)).is_err());
    let halves = [("m", &[("row", 64)][..]), ("k", &[("pack", 4)][..])];
    let narrow = Encoding::named(&[], &halves, &[], &["row"], &["pack"]).unwrap();
    // What is wrong is said of the wide accesses, whichever way they do not divide the tile.
    let says = "an access in 2 parts moves 8 elements along dimension 1, and such accesses do not divide the tile: each \
                element must be in exactly one of them, and all 8 of an access with one lane";
    let said = |tile, lanes| judged(tile, lanes).unwrap_err().to_string();
    assert_eq!(said([64, 4], Lanes::distributed(&narrow)), says);
    assert_eq!(said([64, 12], Lanes::column()), says);
    assert_eq!(said([24, 32], Lanes::rows(16)), says);
    assert_eq!(said([64, 64], Lanes::strided(3)), says);
}
