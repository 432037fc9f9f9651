//! What a search says of tiles of any length, counted anew.
//!
//! | test | promise |
//! |---|---|
//! | `every_answer_counted` | on random questions of any lengths, chips and accesses the cycles of the answer are those that counting each lane of each instruction finds, and those that the search proposed; no candidate takes fewer |
//! | `every_length_up_to_24` | of small tiles of every length, each choice of masks and each pad counted: what is claimed of them holds |
//! | `what_nobody_searched_is_not_claimed` | which families of a tile there are, and at the floor that none was needed |
//! | `two_addresses_are_asked_of_each_candidate` | a layout on which lanes race is no answer, and one on which they do not is found though the tile in order races |
//! | `more_accesses_than_a_word_has_bits` | a read done 65 times costs what 65 reads cost |
//!
//! `FUZZ_CASES` asks for more questions, `FUZZ_SEED` for others (`tests/support/fuzz.rs`).

use std::sync::LazyLock;
use support::fuzz::{Dice, cases, seed};
use tiledesc::access::Placed;
use tiledesc::chip::{CHIPS, Instruction, Phases, Service, gfx942, gfx950, gfx1100};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::search::{Candidate, Extent, Optimality, Searched, Shape, Spec, Use};
use tiledesc::{List, Plan};

/// Cycles of all instructions by the row and by the other source, each lane of each asked for its coordinate and that
/// for its offset; `None` if one does not fit.
pub(super) fn counted(plan: &Plan, bits: u32, access: &Use<'_>) -> Option<[u64; 2]> {
    let row = access.instruction;
    let placed = Placed::new(plan, bits, access.lanes, row).ok()?;
    let lanes = row.service().phases.addressed();
    let mut cycles = [0; 2];
    for step in 0..placed.instructions() {
        let touched = placed.touched(step).ok()?;
        let mut bytes = [None; Phases::LANES];
        for (lane, byte) in bytes[..lanes].iter_mut().enumerate() {
            if let Some(at) = touched.coordinate(lane) {
                let byte_of = plan.offset(at.as_slice()).ok()? * bits / 8;
                if !byte_of.is_multiple_of(row.alignment()) {
                    return None;
                }
                *byte = Some(byte_of);
            }
        }
        let agree = |distance: usize| {
            (0..lanes).all(|lane| match (bytes[lane], bytes.get(lane ^ distance)) {
                (Some(one), Some(Some(other))) => one == *other,
                _ => true,
            })
        };
        let service = match row.merged() {
            Some(merged) if agree(1) || agree(2) => merged,
            _ => row.service(),
        };
        let own = by_phases(row, service, &bytes);
        let rival = row.rival().map_or(own, |other| by_phases(row, other, &bytes));
        cycles = [cycles[0] + own, cycles[1] + rival];
    }
    Some(cycles.map(|cycles| cycles * u64::from(access.times)))
}

/// In each phase the most dwords in a bank.
fn by_phases(row: &Instruction, service: &Service, bytes: &[Option<u32>]) -> u64 {
    let mut cycles = 0;
    let mut dwords = Vec::with_capacity(5 * Phases::LANES);
    let mut banks = vec![0u64; service.banks as usize];
    for part in 0..row.parts() {
        for phase in 0..service.phases.count() {
            let lanes = service.phases.lanes(phase).iter().filter_map(|lane| bytes[*lane as usize]);
            dwords.clear();
            dwords.extend(lanes.flat_map(|byte| {
                let first = byte + row.part(part);
                first / 4..(first + row.bytes()).div_ceil(4)
            }));
            dwords.sort_unstable();
            dwords.dedup();
            banks.fill(0);
            dwords.iter().for_each(|dword| banks[(dword % service.banks) as usize] += 1);
            cycles += banks.iter().max().unwrap().max(&1);
        }
    }
    cycles
}

/// What a layout costs: cycles by the rows, by the other sources, and what a search weighs it by, which is those of
/// the rows and the conflicts of the others.
pub(super) fn weighed(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<[u64; 3]> {
    let mut sums = [0; 3];
    for access in uses {
        let [own, rival] = counted(plan, bits, access)?;
        let mut more = 0;
        if let Some(other) = access.instruction.rival() {
            let placed = Placed::new(plan, bits, access.lanes, access.instruction).ok()?;
            let phases = other.phases.count() as u64 * access.instruction.parts() as u64;
            more = rival - phases * placed.instructions() * u64::from(access.times);
        }
        sums = [sums[0] + own, sums[1] + rival, sums[2] + own + more];
    }
    Some(sums)
}

/// What a candidate says of the same.
fn said(one: &Candidate) -> [u64; 2] {
    [one.cycles(), one.rival_cycles()]
}

/// A length: often small, seldom a power of two.
fn length(dice: &mut Dice, most: u32) -> u32 {
    match dice.below(4) {
        0 => 1 << dice.below(most.ilog2() + 1),
        1 => 8 * (1 + dice.below(most / 8)),
        _ => 1 + dice.below(most),
    }
}

/// Lanes of several instructions one by one: counted along rows of some width, as a halo is; one instruction that
/// goes on along the tile; or anything. Some lanes hold nothing.
static TABLES: LazyLock<Vec<Vec<Row>>> = LazyLock::new(|| {
    let mut dice = Dice(7);
    (0..120).map(|_| table(&mut dice)).collect()
});

fn table(dice: &mut Dice) -> Vec<Row> {
    let [rows, packs] = [1 + dice.below(40), 1 + dice.below(40)];
    let pack = dice.of(&[1, 1, 2, 4, 8]);
    let (steps, lanes) = (1 + dice.below(40), dice.of(&[32, 64]));
    let [down, along] = [dice.below(3), dice.below(5)];
    let (form, idle) = (dice.below(3), dice.one_in(3));
    let first: Vec<[u32; 2]> = (0..lanes).map(|_| [dice.below(rows), dice.below(packs)]).collect();
    let step = |step: u32| {
        let mut row = [None; Phases::LANES];
        for lane in 0..lanes {
            let number = step * lanes + lane;
            let [m, k] = match form {
                0 => [number / packs, number % packs],
                1 => [lane % rows + step * down, lane / rows + step * along],
                _ => first[(lane as usize * 7 + step as usize / 3) % first.len()],
            };
            let is_idle = idle && lane > 0 && (number.is_multiple_of(11) || lane > 40);
            row[lane as usize] = (!is_idle).then(|| List::pair(m, k * pack));
        }
        row
    };
    (0..steps).map(step).collect()
}

fn pattern(dice: &mut Dice) -> Lanes<'static> {
    let lanes = match dice.below(9) {
        0 => Lanes::row_major(),
        1 => Lanes::column(),
        2 => Lanes::diagonal(),
        3 => Lanes::rows(16),
        4 => Lanes::rows(32),
        5 => Lanes::repeated_rows(16),
        6 => Lanes::strided(1 + dice.below(9)),
        7 => Lanes::table(&TABLES[dice.below(TABLES.len() as u32) as usize], 1),
        _ => Lanes::column_major(),
    };
    if dice.below(2) == 0 { lanes } else { lanes.first() }
}

/// One question: a tile, and accesses that the tile in order bears.
fn question(dice: &mut Dice) -> Option<(Shape, Vec<Use<'static>>)> {
    let bits = [8, 16, 16, 32][dice.below(4) as usize];
    let tile = Shape { rows: length(dice, 160), columns: length(dice, 160), bits };
    let chips: Vec<_> =
        CHIPS.iter().filter(|chip| chip.rows().iter().any(|row| row.rival().is_some())).collect();
    let chip = if dice.one_in(3) {
        dice.of(&chips)
    } else {
        &CHIPS[dice.below(CHIPS.len() as u32) as usize]
    };
    let plain = Spec::row_major().plan(tile).ok()?;
    let wanted = 1 + dice.below(5) as usize;
    let mut uses = Vec::new();
    for _ in 0..40 {
        let rows = chip.rows();
        let mut row = &rows[dice.below(rows.len() as u32) as usize];
        // Few rows are disputed.
        if dice.one_in(8)
            && let Some(disputed) = rows.iter().find(|row| row.rival().is_some())
        {
            row = disputed;
        }
        let access = Use::new(pattern(dice), row).times(1 + dice.below(3));
        let placed = Placed::new(&plain, bits, access.lanes, row);
        let fits = placed.is_ok_and(|placed| {
            placed.verdict().is_ok_and(|verdict| verdict.conflicts().race.is_none())
        });
        if fits && uses.len() < wanted {
            uses.push(access);
        }
    }
    if uses.is_empty() { None } else { Some((tile, uses)) }
}

/// Rotated packs of 12 bytes would misalign reads of 8, which begin at multiples of 8: all three reads fit what is
/// found, by both sources.
#[test]
fn rotated_packs_keep_every_access_whole() {
    let tile = Shape { rows: 140, columns: 144, bits: 32 };
    let uses = [
        Use::new(Lanes::strided(1).first(), &gfx950::ds_read_b96).times(2),
        Use::new(Lanes::strided(6).first(), &gfx950::ds_read_b64),
        Use::new(Lanes::column_major().first(), &gfx950::ds_read_b32).times(2),
    ];
    let found = tile.synthesize(&uses).unwrap();
    let [own, rival, _] = weighed(&found.plan().unwrap(), 32, &uses).unwrap();
    assert_eq!((said(found.best()), [own, rival]), ([28, 24], [28, 24]), "{found}");
}

/// Pads of whole packs of 12 bytes, of which every second is no multiple of 8: a read of 8 bytes that stays in row 0
/// takes each of them.
#[test]
fn pads_that_only_one_row_takes() {
    let tile = Shape { rows: 104, columns: 128, bits: 32 };
    let uses = [
        Use::new(Lanes::strided(8).first(), &gfx950::ds_write_b96),
        Use::new(Lanes::column_major().first(), &gfx950::ds_read_b32),
        Use::new(Lanes::row_major().first(), &gfx950::ds_read_b64).times(3),
    ];
    let found = tile.synthesize(&uses).unwrap();
    let weight = |layout: Spec| weighed(&layout.plan(tile).unwrap(), 32, &uses).map(|sums| sums[2]);
    let least = (1..22).filter_map(|packs| weight(Spec::row_pad(3 * packs))).min().unwrap();
    assert_eq!(weight(Spec::row_pad(3)), Some(least));
    let [_, _, weight] = weighed(&found.plan().unwrap(), 32, &uses).unwrap();
    assert!(weight <= least, "{weight} of {least}: {found}");
}

/// Reads of 12 bytes by a table begin at column 4, within a pack of three floats: rotating the packs would tear them.
#[test]
fn reads_that_begin_within_a_pack() {
    let tile = Shape { rows: 140, columns: 81, bits: 32 };
    let row = |step: u32| {
        core::array::from_fn(|lane| {
            let (lane, number) = (lane as u32, step * 32 + lane as u32);
            let is_idle = lane > 31 || lane > 0 && number.is_multiple_of(11);
            (!is_idle).then(|| List::pair(number / 2, number % 2 * 4))
        })
    };
    let table: Vec<Row> = (0..8).map(row).collect();
    let uses = [
        Use::new(Lanes::row_major().first(), &gfx950::ds_read_b32),
        Use::new(Lanes::table(&table, 1), &gfx950::ds_read_b96).times(2),
    ];
    let found = tile.synthesize(&uses).unwrap();
    let weight = |layout: Spec| weighed(&layout.plan(tile).unwrap(), 32, &uses).map(|sums| sums[2]);
    assert_eq!([Spec::row_shift(3), Spec::row_pad(3)].map(weight), [None, Some(184)]);
    assert_eq!((found.layout(), found.searched().pads), (Spec::row_pad(3), Extent::All));
}

/// Transposed reads of 12 bytes by a table begin at every float, and reads of 16 are of packs of four: a swizzle of those
/// tears the others, and a pad does not.
#[test]
fn reads_that_a_swizzle_tears() {
    let tile = Shape { rows: 75, columns: 128, bits: 32 };
    let row =
        |step: u32| core::array::from_fn(|lane| Some(List::pair(2 * step, lane as u32 + 3 * step)));
    let table: Vec<Row> = (0..4).map(row).collect();
    let uses = [
        Use::new(Lanes::rows(16).first(), &gfx950::ds_read_b128).times(2),
        Use::new(Lanes::rows(32).first(), &gfx950::ds_read_b64).times(3),
        Use::new(Lanes::table(&table, 1), &gfx950::ds_read_b96_tr_b6).times(3),
    ];
    let found = tile.synthesize(&uses).unwrap();
    let [own, ..] = weighed(&found.plan().unwrap(), 32, &uses).unwrap();
    assert_eq!((found.layout(), found.cycles(), own), (Spec::row_pad(4), 124, 124), "{found}");
}

/// Reads of three floats down the only column, which is a row of one: there is no pack of three to be rotated.
#[test]
fn rows_shorter_than_an_access() {
    let tile = Shape { rows: 192, columns: 1, bits: 32 };
    let table: [Row; 1] = [core::array::from_fn(|lane| {
        let lane = lane as u32;
        Some(List::pair(20 * (lane * 3 % 5) + lane % 3, 0))
    })];
    for read in [&gfx950::ds_read_b96_tr_b6, &gfx950::ds_read_b96] {
        let uses = [Use::new(Lanes::table(&table, 0), read)];
        let found = tile.synthesize(&uses).unwrap();
        let [own, ..] = weighed(&found.plan().unwrap(), 32, &uses).unwrap();
        assert_eq!((found.layout(), found.cycles(), own), (Spec::row_major(), 12, 12), "{found}");
        assert_eq!(found.searched().recipes, Extent::All, "{found}");
    }
}

/// The same, with conflicts: rows that are padded would tear the reads, and of a single row nothing that was tried
/// takes fewer cycles than the tile in order. The search proposes none that it has not judged.
#[test]
fn what_is_proposed_was_judged() {
    let tile = Shape { rows: 192, columns: 1, bits: 32 };
    for (apart, cycles) in [(16, 22), (32, 36)] {
        let lane = |lane: u32| apart * (3 * lane % 5) + lane % 3;
        for (tile, along) in [(tile, 0), (tile.transposed(), 1)] {
            let at = |row: u32| if along == 0 { List::pair(row, 0) } else { List::pair(0, row) };
            let table: [Row; 1] = [core::array::from_fn(|l| Some(at(lane(l as u32))))];
            let uses = [Use::new(Lanes::table(&table, along), &gfx950::ds_read_b96)];
            let found = tile.synthesize(&uses).unwrap();
            let [own, ..] = weighed(&found.plan().unwrap(), 32, &uses).unwrap();
            let said = (found.cycles(), own, found.floor(), found.is_refuted());
            assert_eq!(said, (cycles, cycles, 8, false), "{found}");
            let all = tile.candidates(&uses).unwrap();
            assert_eq!(all.as_slice().iter().map(|one| one.cycles()).min(), Some(cycles));
            // What was searched is said of both: pads behind rows and behind columns.
            assert_eq!(found.searched().pads, Extent::All, "{found} {:?}", found.searched());
        }
    }
}

#[test]
fn every_answer_counted() {
    let (mut dice, all) = (Dice(seed(29)), cases("questions of any length"));
    let (mut asked, mut floors, mut proven, mut disputed) = (0, 0, 0, 0);
    for case in 0..all {
        let Some((tile, uses)) = question(&mut dice) else { continue };
        let Ok(found) = tile.synthesize(&uses) else { continue };
        asked += 1;
        let plan = found.plan().unwrap();
        let says = || format!("case {case}: {tile:?} {found}\n{uses:?}");
        let [own, rival, weight] = weighed(&plan, tile.bits, &uses).unwrap();
        assert_eq!(said(found.best()), [own, rival], "{}", says());
        assert!(!found.is_refuted(), "{}", says());
        let is_at_floor = found.optimality() == Optimality::Floor;
        assert_eq!(is_at_floor, weight == found.floor(), "{}", says());
        let verdicts = uses.iter().map(|access| {
            let placed = Placed::new(&plan, tile.bits, access.lanes, access.instruction).unwrap();
            placed.verdict().unwrap().active_cycles() * u64::from(access.times)
        });
        assert_eq!(verdicts.sum::<u64>(), own, "{}", says());
        floors += u32::from(found.optimality() == Optimality::Floor);
        proven += u32::from(found.optimality() == Optimality::Exhausted);
        disputed += u32::from(uses.iter().any(|access| access.instruction.rival().is_some()));
        // All that is chosen from.
        if case % 8 == 0 {
            let all = tile.candidates(&uses).unwrap();
            for one in all.as_slice() {
                let plan = one.layout().plan(tile).unwrap();
                let [own, rival, other] = weighed(&plan, tile.bits, &uses).unwrap();
                assert_eq!(said(one), [own, rival], "{one:?} {}", says());
                assert!(weight <= other, "{one:?} {}", says());
            }
        }
    }
    println!("{asked} asked, {floors} at the floor, {proven} of all masks, {disputed} disputed");
    assert!(asked * 4 > all && floors > asked / 8, "{asked} {floors} {proven} {disputed}");
}

/// Each choice of masks of a line of rows, for each number of rows that can be a line.
fn every_mask(tile: Shape, pack: u32, mut each: impl FnMut(&Plan)) {
    for layers in [1, 2, 4, 8].into_iter().filter(|layers| tile.rows.is_multiple_of(*layers)) {
        let packs = tile.columns / pack * layers;
        let lines = (tile.rows / layers).next_power_of_two().ilog2();
        if packs < 2 || !packs.is_power_of_two() || u64::from(packs).pow(lines) > 1 << 9 {
            continue;
        }
        for choice in 0..packs.pow(lines) {
            let masks: Vec<u32> = (0..lines).map(|bit| choice / packs.pow(bit) % packs).collect();
            let layout = Spec::gemm_xor_bits(pack, layers, List::new(&masks));
            if let Ok(plan) = layout.plan(tile) {
                each(&plan);
            }
        }
    }
}

/// Each choice of masks of the dense offset, in lines that fill 32 or 64 banks or divide the tile.
fn every_dense_mask(tile: Shape, pack: u32, mut each: impl FnMut(&Plan)) {
    if !tile.columns.is_multiple_of(pack) {
        return;
    }
    let packs = tile.rows * (tile.columns / pack);
    for banks in [32, 64] {
        let line = (1 << packs.trailing_zeros()).min(banks * 32 / (pack * tile.bits));
        let bits = (packs / line).next_power_of_two().ilog2();
        if u64::from(line).pow(bits) > 1 << 12 {
            continue;
        }
        for choice in 0..line.pow(bits) {
            let masks: Vec<u32> = (0..bits).map(|bit| choice / line.pow(bit) % line).collect();
            if let Ok(plan) = Spec::dense_xor(pack, line, List::new(&masks)).plan(tile) {
                each(&plan);
            }
        }
    }
}

/// A wave of eight lanes on eight banks, so that small tiles have conflicts; four of half the lanes each.
const LANES: Phases = Phases::contiguous(8).of_wave(8);
const HALVES: Phases = Phases::contiguous(4).of_wave(8);
static ROWS: [Instruction; 4] = [
    Instruction::read("eight", 4).phases(LANES).banks(8),
    Instruction::read("pairs", 8).phases(HALVES).banks(8),
    Instruction::read("four", 4).phases(HALVES).banks(4),
    Instruction::read("narrow", 2).phases(LANES).banks(8),
];

/// One to four reads of a tile of small lengths, those that fit it.
fn small(dice: &mut Dice, tile: Shape) -> Vec<Use<'static>> {
    let patterns = [
        Lanes::row_major(),
        Lanes::rows(2),
        Lanes::rows(4),
        Lanes::column(),
        Lanes::diagonal(),
        Lanes::strided(2),
        Lanes::strided(3),
        Lanes::strided(4),
    ];
    let plain = Spec::row_major().plan(tile).unwrap();
    let reads = (0..1 + dice.below(4)).map(|_| {
        let lanes = dice.of(&patterns);
        let lanes = if dice.one_in(2) { lanes } else { lanes.first() };
        Use::new(lanes, &ROWS[dice.below(4) as usize]).times(1 + dice.below(3))
    });
    let fits = |one: &Use<'_>| weighed(&plain, tile.bits, core::slice::from_ref(one)).is_some();
    reads.filter(fits).collect()
}

/// The largest pack of all, in elements: what a swizzle keeps together.
fn pack_of(uses: &[Use<'_>], bits: u32) -> u32 {
    uses.iter().map(|one| one.instruction.bytes() * 8 / bits).max().unwrap()
}

#[test]
fn every_length_up_to_24() {
    let all = cases("small tiles");
    let (mut dice, mut claims, mut proven, mut better) = (Dice(3), 0, 0, 0);
    let (mut pads, mut intervals, mut dense) = (0, 0, 0);
    for case in 0..12 * all {
        // All pairs of lengths, in an order of no length after the next.
        let [m, k] = [case * 101 % 529 / 23, case * 101 % 529 % 23].map(|length| length + 2);
        let tile = Shape { rows: m, columns: k, bits: 16 };
        let uses = small(&mut dice, tile);
        let Ok(found) = tile.synthesize(&uses) else { continue };
        let says = || format!("{tile:?}: {found}, {:?}\n{uses:?}", found.searched());
        let least = |plan: &Plan| weighed(plan, 16, &uses).map(|[cycles, ..]| cycles);
        if found.searched().pads == Extent::All {
            let banks = uses.iter().map(|one| one.instruction.service().banks).max().unwrap();
            let step = pack_of(&uses, 16).max(2) as usize;
            for pad in (step as u32..banks * 2).step_by(step).map(Spec::row_pad) {
                let cycles = pad.plan(tile).ok().and_then(|plan| least(&plan));
                assert!(cycles.is_none_or(|cycles| cycles >= found.cycles()), "{pad:?} {}", says());
                pads += 1;
            }
        }
        if found.searched().dense == Extent::All {
            every_dense_mask(tile, pack_of(&uses, 16).max(2), |plan| {
                let cycles = least(plan);
                assert!(cycles.is_none_or(|cycles| cycles > found.floor()), "{}", says());
                dense += u32::from(cycles.is_some());
            });
        }
        if found.searched().intervals == Extent::All {
            let banks = uses.iter().map(|one| one.instruction.service().banks).max().unwrap();
            let step = pack_of(&uses, 16).max(2);
            for (every, pad) in (5..10).flat_map(|log2| {
                (step..banks * 2).step_by(step as usize).map(move |pad| (1 << log2, pad))
            }) {
                let layout = Spec::interval_pad(every, pad);
                let cycles = layout.plan(tile).ok().and_then(|plan| least(&plan));
                assert!(
                    cycles.is_none_or(|cycles| cycles >= found.cycles()),
                    "{layout:?} {}",
                    says()
                );
                intervals += u32::from(cycles.is_some());
            }
        }
        let is_proven = matches!(found.optimality(), Optimality::Exhausted | Optimality::Linear);
        proven += u32::from(is_proven);
        every_mask(tile, pack_of(&uses, 16), |plan| {
            let Some(cycles) = least(plan) else { return };
            claims += u32::from(is_proven);
            assert!(!is_proven || cycles >= found.cycles(), "{cycles}: {}", says());
            better += u32::from(cycles < found.cycles());
        });
    }
    // Rows that are not a multiple of a line: once none of these masks was searched, and all were claimed.
    let (rows, read) = (Lanes::row_major().first(), Lanes::rows(16).first());
    for (m, k, store, load, least) in [
        (18, 16, &gfx942::ds_write_b64, &gfx942::ds_read_b64, 8),
        (20, 8, &gfx1100::ds_store_b64, &gfx1100::ds_load_b64, 4),
    ] {
        let tile = Shape { rows: m, columns: k, bits: 16 };
        let found = tile.synthesize(&[Use::new(rows, store), Use::new(read, load)]).unwrap();
        assert_eq!((found.cycles(), found.optimality()), (least, Optimality::Floor), "{found}");
    }
    println!(
        "{proven} proven by {claims} masks, {pads} pads, {intervals} at intervals, {dense} of the dense offset; {better} masks beat an open answer"
    );
    assert!(
        proven > 3 && claims > 100 && pads > 200 && intervals > 200 && dense > 200,
        "{proven} {claims} {pads} {intervals} {dense}"
    );
}

/// Rows of 96 halves are 12 packs, of which there are no masks and no linear layouts; at the floor nothing is searched.
#[test]
fn what_nobody_searched_is_not_claimed() {
    let searched = |[rows, columns]: [u32; 2], uses: &[Use<'_>]| {
        let found = Shape { rows, columns, bits: 16 }.synthesize(uses).unwrap();
        let Searched { masks, linear, pads, .. } = *found.searched();
        ([masks, linear, pads], found.optimality())
    };
    let (all, nothing) = (Extent::All, Extent::Nothing);
    let write = Use::new(Lanes::row_major().first(), &gfx942::ds_write_b128);
    let [read, other] =
        [16, 32].map(|rows| Use::new(Lanes::rows(rows).first(), &gfx942::ds_read_b128));
    let column = Use::new(Lanes::column(), &gfx942::ds_read_u16);
    assert_eq!(
        searched([64, 96], &[write, read, other]),
        ([nothing, nothing, all], Optimality::Open)
    );
    assert_eq!(searched([64, 64], &[write, column]), ([all; 3], Optimality::Linear));
    assert_eq!(searched([128, 64], &[read]), ([nothing; 3], Optimality::Floor));
}

/// Uses are bits of a word in parts of the search, and 65 of them are as many as 1 that is done 65 times.
#[test]
fn more_accesses_than_a_word_has_bits() {
    for columns in [64, 96] {
        let tile = Shape { rows: 64, columns, bits: 16 };
        let read = Use::new(Lanes::rows(32), &gfx942::ds_read_b128);
        let one = tile.synthesize(&[read]).unwrap();
        for count in [31, 32, 33, 64, 65, 70] {
            let all = tile.synthesize(&vec![read; count]).unwrap();
            let wanted = [one.cycles(), one.floor()].map(|cycles| count as u64 * cycles);
            assert_eq!(
                [all.cycles(), all.floor()],
                wanted,
                "{count} accesses to rows of {columns}"
            );
        }
    }
}

/// The second address of an instruction is so many bytes behind the first on every layout, and lies elsewhere in each:
/// so it is asked of each candidate, and the tile in order, on which lanes race, is none.
#[test]
fn two_addresses_are_asked_of_each_candidate() {
    let (mut free, mut none) = (0, 0);
    for (columns, second) in [2, 4, 8, 16].into_iter().flat_map(|k| (1..=16).map(move |n| (k, n))) {
        let tile = Shape { rows: 64, columns, bits: 32 };
        let write = gfx942::ds_write2_b32.offsets(0, second);
        let uses = [Use::new(Lanes::row_major().first(), &write)];
        let races = |layout: Spec| {
            let plan = layout.plan(tile).unwrap();
            let lane = |lane: u32| plan.offset(&[lane / columns, lane % columns]).unwrap();
            let both = |l| [lane(l), lane(l) + u32::from(second)];
            let mut dwords: Vec<u32> = (0..64).flat_map(both).collect();
            dwords.sort_unstable();
            dwords.windows(2).any(|pair| pair[0] == pair[1])
        };
        let is_out = races(Spec::row_major());
        match tile.synthesize(&uses) {
            Ok(found) => {
                assert!(!races(found.layout()), "{found}");
                assert_eq!(
                    Some(found.cycles()),
                    counted(&found.plan().unwrap(), 32, &uses[0]).map(|[own, _]| own)
                );
                let all = tile.candidates(&uses).unwrap();
                assert!(all.as_slice().iter().all(|one| !races(one.layout())));
                free += u32::from(is_out && found.cycles() == found.floor());
            }
            Err(error) => {
                assert!(is_out && (1..32).all(|pad| races(Spec::row_pad(pad))), "{error}");
                none += 1;
            }
        }
    }
    println!("{free} free where the tile in order races, {none} on no layout");
    assert!(free > 10, "{free} {none}");
    let tile = Shape { rows: 64, columns: 2, bits: 32 };
    let write = gfx942::ds_write2_b32.offsets(0, 4);
    let found = tile.synthesize(&[Use::new(Lanes::row_major().first(), &write)]).unwrap();
    assert_eq!((found.layout(), found.cycles()), (Spec::row_pad(4), found.floor()));
}
