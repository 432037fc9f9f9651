//! The bank rule, case by case, and compared with an independent counter.
//!
//! | test | promise |
//! |---|---|
//! | the cases | broadcast, parts of dwords, inactive lanes, merging, pairs, races, refusals |
//! | `full_waves_agree_with_sets` | waves with all lanes active, nearly all: bit planes count them |
//! | `agrees_with_sets` | every row of every chip, random lanes, masks and alignments |
//! | `phases_serve_every_lane_once` | every row's phases are a partition of its lanes |

use proptest::prelude::*;
use std::collections::BTreeSet;
use support::count::{Counted, counted};
use support::fuzz::{Dice, cases};
use tiledesc::access::{AddressError, Addresses};
use tiledesc::bank::{self, Conflicts, conflicts};
use tiledesc::chip::gfx942::{
    ds_read_b128, ds_read2_b64, ds_write_b8, ds_write_b32, ds_write_b128,
};
use tiledesc::chip::{self, gfx942, gfx950, sm_80, sm_90};
use tiledesc::chip::{Evidence, Instruction, Phases};

fn wave(address: impl Fn(u32) -> u32) -> Addresses {
    Addresses::from_fn(|lane| Some(address(lane)))
}

fn warp(address: impl Fn(u32) -> u32) -> Addresses {
    Addresses::from_fn(|lane| (lane < 32).then(|| address(lane)))
}

#[track_caller]
fn case(addresses: &Addresses, instruction: &Instruction, degree: u32, cycles: [u32; 2]) {
    let found = conflicts(addresses, instruction).unwrap();
    let counted = (found.degree(), [found.base_cycles, found.conflict_cycles]);
    assert_eq!(counted, (degree, cycles), "{found:?}");
}

#[test]
fn broadcast_is_free() {
    case(&wave(|_| 48), &ds_read_b128, 1, [8, 0]);
    // Two rows that differ in every second lane.
    case(&wave(|lane| lane % 2 * 128), &ds_read_b128, 2, [8, 8]);
}

#[test]
fn parts_of_one_dword_do_not_conflict() {
    case(&wave(|lane| lane), &gfx942::ds_read_u8, 1, [2, 0]);
    case(&wave(|lane| 2 * lane), &gfx942::ds_read_u16, 1, [2, 0]);
    // 31 halves further is another dword of the same bank.
    case(&wave(|lane| lane % 2 * 128 + lane / 2 % 2 * 2), &gfx942::ds_read_u16, 2, [2, 2]);
}

#[test]
fn inactive_lanes_do_not_count_but_their_phase_does() {
    case(&Addresses::NONE, &ds_read_b128, 0, [8, 0]);
    let first = |count| Addresses::from_fn(move |lane| (lane < count).then_some(lane * 128));
    case(&first(2), &ds_read_b128, 2, [8, 1]);
    // Lanes 0 and 4 are served in different phases.
    let every_fourth = Addresses::from_fn(|lane| (lane % 4 == 0).then_some(lane * 128));
    case(&every_fourth, &ds_read_b128, 2, [8, 8]);
    case(&Addresses::NONE.with(63, 16), &ds_read_b128, 1, [8, 0]);
}

#[test]
fn more_banks_conflict_less() {
    let wide = Instruction::read("wide", 4).banks(64).phases(Phases::contiguous(64));
    case(&wave(|lane| 4 * lane), &wide, 1, [1, 0]);
    case(&wave(|lane| 4 * lane), &wide.banks(32), 2, [1, 1]);
    // Only the two widest reads of gfx950 have 64 banks.
    case(&wave(|lane| 256 * lane), &gfx950::ds_read_b64, 32, [2, 62]);
    case(&wave(|lane| 128 * lane), &gfx950::ds_read_b64, 16, [2, 30]);
    case(&wave(|lane| 128 * lane), &gfx950::ds_write_b64, 16, [4, 60]);
}

#[test]
fn twelve_bytes_are_three_dwords() {
    case(&wave(|lane| 12 * lane), &gfx950::ds_write_b96, 1, [8, 0]);
    // The read's phases are not consecutive: lane 20 comes round to lane 0's banks.
    case(&wave(|lane| 12 * lane), &gfx950::ds_read_b96, 2, [8, 8]);
    case(&wave(|lane| 128 * lane), &gfx950::ds_read_b96, 8, [8, 56]);
    // Lanes 0 and 1 share a dword, which is free, and meet in no other.
    case(&Addresses::NONE.with(0, 0).with(1, 8), &gfx950::ds_read_b96, 1, [8, 0]);
    case(&Addresses::NONE.with(0, 0).with(1, 136), &gfx950::ds_read_b96, 2, [8, 1]);
    // All lanes at once: 192 dwords, 6 in each of 32 banks.
    let at_once = Instruction::read("b96", 12).phases(Phases::contiguous(64));
    case(&wave(|lane| 12 * lane), &at_once, 6, [1, 5]);
    let phase = bank::phase(&wave(|lane| 12 * lane), &at_once, 0).unwrap();
    assert_eq!((phase.degree, phase.bank, phase.banks), (6, 0, 32));
}

/// Lanes 0 and 1, 132 bytes apart: their first dwords are in different banks, and others of theirs meet.
#[test]
fn accesses_off_their_own_size() {
    for (bytes, by_dwords) in [(8, 2), (12, 2), (16, 2)] {
        let row = Instruction::read("off", bytes).aligned_to(4).phases(Phases::contiguous(16));
        case(&wave(|lane| lane % 2 * 132), &row, by_dwords, [4, 4]);
        // By dwords of their own nothing meets.
        case(&wave(|lane| lane % 2 * (128 + bytes)), &row, 1, [4, 0]);
    }
}

#[test]
fn two_addresses_are_two_accesses() {
    // The second is 64 bytes after the first; each is conflict-free on its own.
    case(&wave(|lane| 8 * lane), &ds_read2_b64.offsets(0, 8), 1, [8, 0]);
    case(&wave(|lane| 128 * lane), &ds_read2_b64.offsets(0, 8), 16, [8, 120]);
    let phase = bank::phase(&wave(|lane| 128 * lane), &ds_read2_b64.offsets(0, 8), 4).unwrap();
    assert_eq!((phase.degree, phase.bank), (16, 16));
}

#[test]
fn nvidia_merges_lanes_that_agree_in_pairs() {
    case(&warp(|lane| 8 * lane), &sm_80::ld_shared_b64, 1, [2, 0]);
    case(&warp(|lane| 8 * (lane / 2)), &sm_80::ld_shared_b64, 1, [1, 0]);
    case(&warp(|lane| 16 * (lane / 2)), &sm_80::ld_shared_b128, 1, [2, 0]);
    // Lanes i and i + 2 agree as well.
    case(&warp(|lane| 16 * (lane / 4 * 2 + lane % 2)), &sm_80::ld_shared_b128, 1, [2, 0]);
    // Half of the warp by one rule and half by the other is neither.
    let mixed = |lane: u32| 16 * if lane < 16 { lane / 2 } else { lane / 4 * 2 + lane % 2 };
    case(&warp(mixed), &sm_80::ld_shared_b128, 1, [4, 0]);
    // An inactive neighbour agrees with everybody.
    let even = Addresses::from_fn(|lane| (lane < 32 && lane % 2 == 0).then_some(8 * lane));
    case(&even, &sm_80::ld_shared_b64, 2, [1, 1]);
    // 4 bytes are one phase anyway, and matrices never merge.
    case(&warp(|lane| 4 * (lane / 2)), &sm_80::ld_shared_b32, 1, [1, 0]);
    case(&warp(|lane| 16 * (lane / 2)), &sm_80::ldmatrix_x4, 1, [4, 0]);
}

#[test]
fn matrices_have_a_phase_each() {
    case(&warp(|lane| 128 * lane), &sm_80::ldmatrix_x4, 8, [4, 28]);
    // The lanes of the other matrices supply no address.
    case(&warp(|lane| 128 * lane), &sm_80::ldmatrix_x1, 8, [1, 7]);
    case(&warp(|lane| 128 * lane), &sm_90::stmatrix_x2_trans, 8, [2, 14]);
    // Packs 0, 1, 4, 9, 16, 25, 36, 49: three of them are 1 modulo 8, and another one. What lane 20
    // holds is not an address, and lanes 8 to 19 need none.
    let squares = Addresses::from_fn(|lane| (lane < 8).then_some(16 * lane * lane));
    case(&squares.with(20, 2), &sm_80::ldmatrix_x1, 4, [1, 3]);
}

#[test]
fn writers_of_one_byte_race() {
    let race = |addresses: &Addresses, row: &Instruction| conflicts(addresses, row).unwrap().race;
    assert_eq!(race(&wave(|lane| 4 * (lane % 63)), &ds_write_b32), Some([0, 63]));
    assert_eq!(race(&wave(|lane| 4 * lane), &ds_write_b32), None);
    // Four bytes of one dword are four writers of nothing in common.
    assert_eq!(race(&wave(|lane| lane), &ds_write_b8), None);
    assert_eq!(race(&wave(|lane| 12 * lane), &gfx942::ds_write_b96), None);
    assert_eq!(race(&wave(|lane| 8 * lane), &gfx942::ds_write_b96), Some([0, 1]));
    // The second address of lane 0 is the first of lane 1.
    let pair = gfx942::ds_write2_b32.offsets(0, 1);
    assert_eq!(race(&wave(|lane| 4 * lane), &pair), Some([1, 0]));
    // Reads may share, and both lanes may be one.
    assert_eq!(race(&wave(|_| 0), &ds_read_b128), None);
    assert_eq!(race(&Addresses::NONE.with(5, 0), &gfx942::ds_write2_b32.offsets(3, 3)), None);
}

#[test]
fn what_cannot_be_issued_is_refused() {
    let refused = |addresses: &Addresses, row: &Instruction| conflicts(addresses, row).unwrap_err();
    let says = |addresses: &Addresses, row: &Instruction| refused(addresses, row).to_string();
    assert_eq!(
        refused(&wave(|lane| 8 * lane), &ds_read_b128),
        AddressError::Misaligned { lane: 1, address: 8, alignment: 16, looser: None },
    );
    assert_eq!(
        says(&wave(|lane| 1024 * lane + 1008), &ds_write_b128.on("small", 65_535)),
        "lane 63 would touch byte 65535, beyond the memory of 65535 bytes",
    );
    assert_eq!(
        says(&wave(|_| 65_528), &ds_read2_b64.offsets(0, 1)),
        "lane 0 would touch byte 65543, beyond the memory of 65536 bytes",
    );
    assert_eq!(says(&wave(|_| 0), &sm_80::ld_shared_b32), "lane 32 is active in a wave of 32");
    // Nobody needs lane 32.
    assert_eq!(
        says(&warp(|lane| 16 * lane).with(40, 0), &sm_80::ldmatrix_x4),
        "lane 40 is active in a wave of 32",
    );
    assert_eq!(
        says(&Addresses::NONE.with(0, 0), &gfx950::ds_read_b64_tr_b16),
        "lane 1 is inactive, but the instruction needs all lanes",
    );
    assert_eq!(conflicts(&wave(|_| 65_520), &ds_read_b128).map(|c| c.degree()), Ok(1));
    let unknown = Instruction::read("no memory stated", 4);
    assert_eq!(
        refused(&Addresses::NONE.with(0, u32::MAX - 3).with(1, 2), &unknown),
        AddressError::Misaligned { lane: 1, address: 2, alignment: 4, looser: None },
    );
    assert_eq!(
        conflicts(&Addresses::NONE.with(0, u32::MAX - 3), &unknown).map(|c| c.degree()),
        Ok(1),
    );
}

#[test]
fn phases_serve_every_lane_once() {
    let services = |row: &Instruction| {
        [Some(*row.service()), row.merged().copied(), row.rival().copied()].into_iter().flatten()
    };
    let mut rows = 0;
    for chip in chip::CHIPS {
        for row in chip.rows().iter().chain(chip.renamed()) {
            let name = (chip.name(), row.name());
            assert_eq!((row.chip(), row.memory()), (chip.name(), Some(chip.lds())), "{name:?}");
            assert_eq!(chip.instruction(row.name()), Ok(row), "{name:?} twice");
            assert_eq!(row.service().phases.wave() as u32, chip.wave(), "{name:?}");
            assert!(row.service().banks <= chip.banks(), "{name:?}");
            for service in services(row) {
                let phases = service.phases;
                let mut lanes: Vec<u8> =
                    (0..phases.count()).flat_map(|phase| phases.lanes(phase).to_vec()).collect();
                lanes.sort_unstable();
                assert!(lanes.iter().copied().eq(0..phases.addressed() as u8), "{name:?}");
                assert!(!service.source.is_empty(), "{name:?}");
                for lane in 0..phases.addressed() {
                    let phase = phases.phase_of(lane).unwrap();
                    assert!(phases.lanes(phase).contains(&(lane as u8)), "{name:?}");
                }
                assert_eq!(phases.phase_of(phases.addressed()), None, "{name:?}");
            }
            rows += 1;
        }
    }
    println!("{rows} rows of {} chips", chip::CHIPS.len());
    assert!(rows >= 300);
}

/// Every row of an AMD chip has the other generation's name too, and is the same instruction.
#[test]
fn every_row_has_both_names() {
    let (mut rows, mut same) = (0, BTreeSet::new());
    for chip in chip::CHIPS.iter().filter(|chip| chip.name().starts_with("gfx")) {
        let plain = |name: &str| !name.contains("_tr") && !name.contains("atomic");
        for row in chip.rows().iter().filter(|row| plain(row.name())) {
            let name = row.name().replace("ds_read", "ds_load").replace("ds_write", "ds_store");
            let name = name.replace("2st64_", "_2addr_stride64_").replace("load2_", "load_2addr_");
            let name = name.replace("store2_", "store_2addr_");
            let other = chip.renamed().iter().find(|other| other.name() == name);
            let other = other.unwrap_or_else(|| panic!("{} has no {name}", chip.name()));
            let of = |row: &Instruction| {
                let service = *row.service();
                (row.access(), row.bytes(), row.parts(), service.phases, service.banks)
            };
            assert_eq!(of(other), of(row), "{} {name}", chip.name());
            rows += 1;
            same.insert(name);
        }
        assert_eq!(chip.renamed().len(), 30, "{}", chip.name());
    }
    println!("{rows} rows of {} names", same.len());
    assert_eq!(same.len(), 30);
}

/// RDNA serves a wave of 64 as two waves of 32, whatever the addresses: cycles add, and the worse half has the degree.
#[test]
fn a_wave_of_64_is_two_of_32() {
    let mut dice = Dice(32);
    let (mut chips, mut judged) = (0, 0);
    for wide in chip::CHIPS.iter().filter(|chip| chip.name().ends_with("::wave64")) {
        chips += 1;
        let narrow = wide.in_waves_of(32).unwrap();
        assert_eq!((narrow.product(), narrow.name()), (wide.product(), wide.product()));
        assert_eq!((narrow.lds(), narrow.rows().len()), (wide.lds(), wide.rows().len()));
        for (row, half) in wide.rows().iter().zip(narrow.rows()) {
            assert_eq!((row.name(), row.bytes()), (half.name(), half.bytes()));
            let (row, half) = match row.parts() {
                1 => (*row, *half),
                _ => (row.offsets(0, 3), half.offsets(0, 3)),
            };
            for _ in 0..20 {
                let (unit, most) = (row.bytes().next_power_of_two(), dice.of(&[8, 64, 512]));
                let lanes: Vec<_> =
                    (0..64).map(|_| (dice.below(5) > 0).then(|| unit * dice.below(most))).collect();
                let of = |from: usize, count| {
                    Addresses::from_fn(|lane| {
                        (lane < count).then(|| lanes[from + lane as usize])?
                    })
                };
                let whole = conflicts(&of(0, 64), &row).unwrap();
                let halves = [0, 32].map(|from| conflicts(&of(from, 32), &half).unwrap());
                let sum = |each: fn(&Conflicts) -> u32| halves.iter().map(each).sum::<u32>();
                assert_eq!(whole.base_cycles, sum(|half| half.base_cycles), "{}", row.name());
                assert_eq!(whole.conflict_cycles, sum(|half| half.conflict_cycles));
                assert_eq!(whole.degree(), halves[0].degree().max(halves[1].degree()));
                judged += 1;
            }
        }
    }
    assert_eq!(judged, chips * 30 * 20);
    assert!(chips >= 6, "{chips} chips with waves of 64");
}

/// A phase has as many lanes as the banks serve, 12 bytes as 16; merged ones have twice as many, and of addresses that
/// are aligned to less than 8 bytes half as many are served.
#[test]
fn phases_are_as_wide_as_the_banks() {
    let rows = || chip::CHIPS.iter().flat_map(|chip| chip.rows().iter().chain(chip.renamed()));
    let mut merged = BTreeSet::new();
    for row in rows() {
        let width = |service: &tiledesc::chip::Service, times: u32| {
            let dwords = row.bytes().next_power_of_two().max(4) / 4;
            let served = times * service.banks / dwords;
            let served = if row.name().ends_with("_align4") { served / 2 } else { served };
            let lanes = served.min(service.phases.addressed() as u32);
            let phases = service.phases;
            let same = (0..phases.count()).all(|phase| phases.lanes(phase).len() == lanes as usize);
            assert!(same, "{} of {}: {phases:?}", row.name(), row.chip());
        };
        width(row.service(), 1);
        if let Some(service) = row.merged() {
            width(service, 2);
            merged.insert(row.name());
        }
    }
    let names = ["b64", "b128", "v2.b32", "v4.b32", "v2.b64"];
    let wide = ["ld", "st"].map(|kind| names.map(|name| format!("{kind}.shared.{name}")));
    assert_eq!(merged, wide.as_flattened().iter().map(String::as_str).collect());
}

/// NVIDIA developer forum, thread 373160: ncu on A10 (8.6) and H100 (9.0), two patterns of
/// `LDS.128` of 8 and 2 wavefronts. Without merging the second would be 4.
#[test]
fn wide_loads_of_8_6_and_9_0_merge_as_profiled() {
    for row in [tiledesc::chip::sm_86::ld_shared_b128, sm_90::ld_shared_b128] {
        let merged = row.merged().unwrap();
        // Wavefronts were measured, lanes were not: a row is as sure as its lanes.
        assert_eq!([row.service().evidence, merged.evidence], [Evidence::Documented; 2]);
        let apart = conflicts(&warp(|lane| lane % 16 * 32), &row).unwrap();
        assert_eq!((apart.active_cycles(), apart.degree(), apart.merged), (8, 2, false));
        let halves = conflicts(&warp(|lane| lane / 16 * 32), &row).unwrap();
        assert_eq!((halves.active_cycles(), halves.conflict_cycles, halves.merged), (2, 0, true));
        let plain = Instruction::read("never merged", 16).phases(row.service().phases);
        let never = conflicts(&warp(|lane| lane / 16 * 32), &plain).unwrap();
        assert_eq!(never.active_cycles(), 4);
    }
}

/// How sure the rows are: what is called measured is what the sources measured.
#[test]
fn only_what_was_measured_is_called_measured() {
    let measured: Vec<String> = chip::CHIPS
        .iter()
        .flat_map(|chip| chip.rows().iter().map(move |row| (chip.name(), row)))
        .filter(|(_, row)| row.service().evidence == Evidence::Measured)
        .map(|(chip, row)| format!("{chip} {}", row.name()))
        .collect();
    // The services in the order of a chip's table, then the narrow forms that a source measured themselves.
    let rdna3 = [
        "ds_read_b32",
        "ds_read_b64",
        "ds_read_b128",
        "ds_write_b32",
        "ds_write_b64",
        "ds_write_b128",
        "ds_read_u16",
        "ds_write_b16",
        "ds_read_u16_d16",
        "ds_read_u16_d16_hi",
    ];
    let expected: [(&str, &[&str]); 8] = [
        ("gfx90a", &rdna3[..6]),
        ("gfx942", &rdna3[..8]),
        (
            "gfx950",
            &[
                "ds_read_b32",
                "ds_read_b64",
                "ds_read_b96",
                "ds_read_b128",
                "ds_write_b32",
                "ds_write_b64",
                "ds_write_b128",
            ],
        ),
        ("gfx1100", &rdna3),
        ("gfx1100::wave64", &rdna3),
        ("gfx1151", &rdna3),
        ("gfx1151::wave64", &rdna3),
        ("gfx1201", &rdna3[..3]),
    ];
    let expected: Vec<String> = expected
        .iter()
        .flat_map(|(chip, rows)| rows.iter().map(move |row| format!("{chip} {row}")))
        .collect();
    assert_eq!(measured, expected);
}

/// The witness: lanes of the named phase that touch the named bank.
fn check_witness(addresses: &Addresses, row: &Instruction, found: &Conflicts) {
    let service = if found.merged { row.merged().unwrap() } else { row.service() };
    let (part, phase) =
        (found.phase / service.phases.count(), found.phase % service.phases.count());
    let crowd = bank::phase(addresses, row, found.phase).unwrap();
    assert_eq!(crowd.degree, found.degree());
    assert_eq!(crowd.pair().is_some(), crowd.degree > 1);
    // The fullest banks, of all lanes of the phase.
    let mut full = vec![BTreeSet::new(); service.banks as usize];
    for lane in (0..64).filter(|lane| service.phases.phase_of(*lane) == Some(phase)) {
        let Some(address) = addresses.get(lane) else { continue };
        let first = address + row.part(part);
        for dword in first / 4..=(first + (row.bytes() - 1)) / 4 {
            full[(dword % service.banks) as usize].insert(dword);
        }
    }
    let fullest: Vec<usize> =
        (0..full.len()).filter(|bank| full[*bank].len() as u32 == crowd.degree).collect();
    if crowd.degree > 0 {
        assert_eq!((crowd.bank as usize, crowd.banks as usize), (fullest[0], fullest.len()));
    }
    let meet = (0..64).filter(|lane| crowd.lanes >> lane & 1 == 1);
    let mut dwords = BTreeSet::new();
    for lane in meet {
        assert_eq!(service.phases.phase_of(lane), Some(phase));
        let first_byte = addresses.get(lane).unwrap() + row.part(part);
        let last = (first_byte + (row.bytes() - 1)) / 4;
        dwords.extend((first_byte / 4..=last).filter(|dword| dword % service.banks == crowd.bank));
    }
    assert_eq!(dwords.len() as u32, if crowd.degree > 1 { crowd.degree } else { 0 });
}

fn every_row() -> impl Strategy<Value = Instruction> {
    let rows: Vec<Instruction> = chip::CHIPS.iter().flat_map(|chip| chip.rows().to_vec()).collect();
    (proptest::sample::select(rows), any::<(u8, u8)>(), any::<bool>()).prop_map(
        |(row, (first, second), own)| {
            let row = if row.parts() == 2 { row.offsets(first % 16, second % 16) } else { row };
            // A row of somebody's own: other phases and banks.
            if own && row.service().phases.wave() == 64 {
                row.banks(4 << (first % 5)).phases(Phases::contiguous(1 + second as usize % 64))
            } else {
                row
            }
        },
    )
}

/// Lanes that often agree, and often meet.
fn addresses_for(row: &Instruction) -> impl Strategy<Value = Addresses> + use<> {
    let (wave, unit) = (row.service().phases.wave(), row.alignment());
    let all = row.needs_whole_wave();
    let lane = (0..40u32, 0..4u32, proptest::bool::weighted(0.8));
    let pairs = proptest::sample::select(vec![1usize, 1, 1, 2, 4]);
    (proptest::collection::vec(lane, wave), pairs, any::<bool>()).prop_map(
        move |(lanes, group, every_second)| {
            Addresses::from_fn(|lane| {
                let lane = lane as usize;
                let from = if every_second { lane & !2 } else { lane / group * group };
                let (unit_number, row_number, active) = *lanes.get(from)?;
                (lane < wave && (active || all)).then_some(unit_number * unit + row_number * 256)
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..Default::default() })]

    #[test]
    fn agrees_with_sets(
        (row, addresses) in every_row().prop_flat_map(|row| (Just(row), addresses_for(&row))),
    ) {
        let found = conflicts(&addresses, &row).unwrap();
        prop_assert_eq!(Counted::of(&found), counted(&addresses, &row), "{} {}", row.chip(), row.name());
        check_witness(&addresses, &row, &found);
    }

    /// An address off its alignment is refused, whatever the others are.
    #[test]
    fn refuses_what_is_not_aligned(
        // Rows that move a byte are never off.
        (row, addresses, off) in every_row()
            .prop_filter("no alignment", |row| row.alignment() > 1)
            .prop_flat_map(|row| (Just(row), addresses_for(&row), 1..row.alignment())),
        lane in 0..32usize,
    ) {
        // Other lanes supply no address to be off.
        let lane = lane % row.service().phases.addressed();
        let address = 256 + off;
        let refused = conflicts(&addresses.with(lane, address), &row);
        prop_assert_eq!(
            refused,
            Err(AddressError::Misaligned {
                lane,
                address,
                alignment: row.alignment(),
                looser: row.looser(),
            }),
        );
    }
}

/// A row of a chip, or of nobody: other phases, banks, pairs and mergers, and no end of memory.
fn row_of(dice: &mut Dice, rows: &[Instruction]) -> Instruction {
    if dice.one_in(2) {
        let row = dice.of(rows);
        let [first, second] = [0; 2].map(|_| dice.below(16) as u8);
        return if row.parts() == 2 { row.offsets(first, second) } else { row };
    }
    let new = dice.of(&[Instruction::read, Instruction::write]);
    let (bytes, wave) = (dice.of(&[1, 2, 4, 8, 12, 16]), dice.of(&[64, 64, 32, 48, 16]));
    // In turns of 4 lanes as often as in order.
    let mut order: Vec<usize> = (0..wave).collect();
    if dice.one_in(2) {
        order.sort_by_key(|lane| (lane / 4 % 2, lane / 4));
    }
    let phases = |lanes: usize| Phases::groups(&order.chunks(lanes).collect::<Vec<_>>());
    let row = new("x", bytes).phases(phases(1 << dice.below(7))).banks(4 << dice.below(5));
    let row = match dice.below(4) {
        0 => row.merging(phases(1 << dice.below(7)), Evidence::Inferred, "-"),
        _ => row,
    };
    let (unit, second) = (bytes * (1 + dice.below(3)), dice.below(16) as u8);
    if dice.one_in(4) && bytes != 12 { row.paired("x2", unit).offsets(0, second) } else { row }
}

/// The addresses of a full wave: scattered, evenly spaced with padding, at the end of memory or
/// far apart; then a few lanes follow others, and now and then one is inactive.
fn full_wave(dice: &mut Dice, row: &Instruction) -> Addresses {
    let unit = row.alignment();
    let reach = row.bytes() + row.part(0).max(row.part(row.parts() - 1));
    let end = row.memory().map_or(1 << 32, u64::from);
    let last = u32::try_from((end - u64::from(reach)) / u64::from(unit)).unwrap();
    let (kind, spread) = (dice.below(5), 1 << dice.below(15));
    let (pitch, across, step) = (dice.below(100), 1 << dice.below(7), 1 + dice.below(5));
    let far = dice.of(&[1 << 16, 1 << 14, 1 << 8]);
    let place = |dice: &mut Dice, lane: u32| match kind {
        0 => dice.below(spread),
        1 => lane % across * pitch + lane / across * step,
        2 => last - dice.below(spread).min(last),
        3 => dice.below(4) * far + dice.below(spread),
        _ => lane * pitch + dice.below(2),
    };
    let places: Vec<u32> = (0..64).map(|lane| place(dice, lane).min(last) * unit).collect();
    let mut wave = Addresses::from_fn(|lane| {
        ((lane as usize) < row.service().phases.wave()).then(|| places[lane as usize])
    });
    let lanes = row.service().phases.addressed() as u32;
    for _ in 0..dice.of(&[0, 0, 1, 2, 8, 40]) {
        let (one, distance) = (dice.below(lanes), dice.of(&[1, 2, 4, 8, 32, 63]));
        let (other, further) = (one ^ distance, dice.of(&[0, 0, 0, 1, 2, 3]));
        if other < lanes {
            let first = places[one as usize] / unit;
            wave = wave.with(other as usize, first.saturating_add(further).min(last) * unit);
        }
    }
    if dice.one_in(16) && !row.needs_whole_wave() {
        let idle = dice.below(64);
        wave = Addresses::from_fn(|lane| wave.get(lane as usize).filter(|_| lane != idle));
    }
    wave
}

#[test]
fn full_waves_agree_with_sets() {
    let (count, mut dice) = (cases("full waves"), Dice(11));
    let mut rows: Vec<Instruction> =
        chip::CHIPS.iter().flat_map(|chip| chip.rows().to_vec()).collect();
    // And by two and by four units, which few of them have: the same, aligned to less.
    for row in [gfx942::ds_read_b64, ds_read_b128, ds_write_b128, gfx950::ds_read_b128] {
        let less = [4, 8].map(|bytes| row.aligned_to(bytes));
        rows.extend(less.iter().cycle().take(100));
    }
    let [mut free, mut crowded, mut races] = [0u32; 3];
    for case in 0..count {
        let row = row_of(&mut dice, &rows);
        let wave = full_wave(&mut dice, &row);
        let found = conflicts(&wave, &row).unwrap();
        assert_eq!(Counted::of(&found), counted(&wave, &row), "{case}: {row:?} {wave:?}");
        check_witness(&wave, &row, &found);
        free += u32::from(found.degree() == 1);
        crowded += u32::from(found.degree() > 1);
        races += u32::from(found.race.is_some());
    }
    println!("{count} full waves: {free} free, {crowded} with conflicts, {races} with a race");
    assert!([free, crowded, races].iter().all(|found| *found > count / 20));
}

/// A verdict is passed about in constants: what every lane touches stays with the placement.
#[test]
fn a_verdict_is_small() {
    assert!(
        size_of::<tiledesc::bank::Verdict<'_>>() <= 256,
        "{}",
        size_of::<tiledesc::bank::Verdict<'_>>()
    );
}
