//! Rows of one's own: each is refused when it is made, or counted as sets of bytes count it.
//!
//! | test | promise |
//! |---|---|
//! | `rows_that_cannot_be` | the sentences |
//! | `evidence_does_not_survive_a_change` | a row with other banks, phases, width or chip is inferred |
//! | `every_row_is_refused_or_counted_rightly` | random rows: banks 1 to 128, bytes 1 to 64, phases, pairs, rivals, merging |
//!
//! `cargo xtask test --deep` asks for more rows (`tests/support/fuzz.rs`).

use support::attempt::caught;
use support::count::{Counted, counted};
use support::fuzz::{Dice, cases};
use tiledesc::access::{AddressError, Addresses};
use tiledesc::bank::conflicts;
use tiledesc::chip::{Evidence, Instruction, Phases};
use tiledesc::chip::{Immediate, gfx942, gfx1201, sm_90};

/// What the constant of such a row prints; `None` if there can be one.
fn refusal(row: impl FnOnce() -> Instruction) -> Option<String> {
    caught(row).err().map(|panic| panic.sentence)
}

fn refused(row: fn() -> Instruction) -> String {
    refusal(row).expect("a row that cannot be")
}

#[test]
fn rows_that_cannot_be() {
    assert_eq!(
        refused(|| Instruction::read("x", 16).banks(2)),
        "a lane accesses 16 bytes at once, but all banks together are only 8 bytes wide",
    );
    assert_eq!(
        refused(|| Instruction::read("x", 8).banks(1)),
        "a lane accesses 8 bytes at once, but all banks together are only 4 bytes wide",
    );
    assert_eq!(
        refused(|| Instruction::read("x", 4).banks(1).of_bytes("y", 8)),
        "a lane accesses 8 bytes at once, but all banks together are only 4 bytes wide",
    );
    assert_eq!(
        refused(|| Instruction::write("x", 12).paired("x2", 12)),
        "an access of 12 bytes has one address a lane",
    );
    assert_eq!(
        refused(|| gfx942::ds_write_b32.paired("x2", 2)),
        "the unit of two offsets is 2 bytes: it must be a multiple of the alignment, 4, up to 65536",
    );
    assert_eq!(
        refused(|| gfx942::ds_write_b32.paired("x2", 4).of_bytes("x4", 8)),
        "the unit of two offsets is 4 bytes: it must be a multiple of the alignment, 8, up to 65536",
    );
    assert_eq!(
        refused(|| {
            let warp = Phases::contiguous(16).of_wave(32);
            Instruction::read("x", 8).merging(warp, Evidence::Inferred, "-").phases(warp)
        }),
        "the phases of merged accesses have 32 lanes in a wave of 32, but those of the row have 64 in a \
         wave of 64: state `.phases(..)` first",
    );
    assert_eq!(
        refused(|| Instruction::read("x", 4).phases(Phases::groups(&[&[0, 256]]))),
        "a lane of the wave is in no phase",
    );
}

/// Merged accesses have the row's banks, whichever was stated first, and those of another
/// source are not merged. Evidence is of the banks stated before it.
#[test]
fn the_order_of_statements_does_not_matter() {
    let pairs = Phases::contiguous(32);
    let row = Instruction::read("x", 8);
    let one = row.banks(64).merging(pairs, Evidence::Inferred, "-");
    let other = row.merging(pairs, Evidence::Inferred, "-").banks(64);
    let served = |row: &Instruction| row.merged().map(|merged| (merged.banks, merged.phases));
    assert_eq!(served(&one), served(&other));
    assert_eq!(other.merging(pairs, Evidence::Inferred, "-"), one);
    let same = Addresses::from_fn(|lane| Some(lane / 2 * 8));
    assert_eq!(conflicts(&same, &other).unwrap().base_cycles, 2);
}

#[test]
fn a_phase_that_is_none_has_no_lanes() {
    let phases = Phases::contiguous(16);
    assert_eq!((phases.count(), phases.lanes(3)[0], phases.lanes(4)), (4, 48, &[][..]));
    assert_eq!(phases.lanes(1000), [0; 0]);
}

/// A field of so many bits in such units, and what chips have: 16 bits of AMD's one address, 8 of
/// each of two, 24 of NVIDIA's, one of them the sign.
#[test]
fn immediates() {
    let all = |field: Immediate| (field.bits(), field.is_signed(), field.unit(), field.largest());
    assert_eq!(all(Immediate::unsigned(12, 4)), (12, false, 4, 4095 * 4));
    // Up to the last that is below 2^31, which 30 bits of dwords pass.
    assert_eq!(all(Immediate::unsigned(31, 1)), (31, false, 1, 0x7fff_ffff));
    assert_eq!(all(Immediate::unsigned(29, 4)), (29, false, 4, 0x7fff_fffc));
    assert!(caught(|| Immediate::unsigned(30, 4)).is_err());
    assert_eq!(all(gfx942::ds_read_b64.immediate()), (16, false, 1, 65_535));
    assert_eq!(all(gfx942::ds_read2_b64.immediate()), (8, false, 8, 2040));
    assert_eq!(all(sm_90::ld_shared_b128.immediate()), (24, true, 1, 8_388_607));
}

/// Lanes that supply no address have no say in whether lanes agree in pairs, by whichever way
/// phases are counted: 4 of 32 lanes at 0, 0, 4, 4, of two addresses each.
#[test]
fn lanes_without_an_address_do_not_disagree() {
    let row = Instruction::read("x", 4).phases(Phases::contiguous(4).of_wave(32).only(4));
    let row = row.merging(Phases::groups(&[&PAIRS[0], &PAIRS[1]]).only(4), Evidence::Inferred, "-");
    for behind in [None, Some(8), Some(1000)] {
        // Columns tell of four lanes, and of three they do not.
        for lanes in [&[0, 0, 4, 4][..], &[0, 0, 4]] {
            let addresses = Addresses::from_fn(|lane| match lanes.get(lane as usize) {
                Some(address) => Some(*address),
                None if (4..32).contains(&lane) => behind.map(|from| from + 4 * lane),
                None => None,
            });
            let found = conflicts(&addresses, &row).unwrap();
            assert!(found.merged && found.base_cycles == 2, "{behind:?} {lanes:?}: {found:?}");
        }
    }
}

/// The even lanes, and the odd ones.
const PAIRS: [[usize; 16]; 2] = {
    let mut groups = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 32 {
        groups[lane % 2][lane / 2] = lane;
        lane += 1;
    }
    groups
};

/// How phases are made, so that making them can be refused with the row.
#[derive(Clone, Debug)]
struct Lanes {
    groups: Vec<Vec<usize>>,
    wave: usize,
    addressed: usize,
}

impl Lanes {
    /// A random partition of the lanes of a wave.
    fn random(random: &mut Dice, wave: usize, addressed: usize) -> Self {
        let mut order: Vec<usize> = (0..wave).collect();
        if random.one_in(2) {
            (1..wave).rev().for_each(|i| order.swap(i, random.below(i as u32 + 1) as usize));
        }
        let (size, ragged) = (1 + random.below(wave as u32) as usize, random.one_in(4));
        let (mut groups, mut rest) = (Vec::new(), &order[..]);
        while !rest.is_empty() {
            let size = if ragged { 1 + random.below(wave as u32) as usize } else { size };
            let (group, others) = rest.split_at(size.min(rest.len()));
            groups.push(group.to_vec());
            rest = others;
        }
        Self { groups, wave, addressed }
    }

    fn phases(&self) -> Phases {
        let groups: Vec<&[usize]> = self.groups.iter().map(Vec::as_slice).collect();
        Phases::groups(&groups).only(self.addressed)
    }
}

/// All that is stated of a row, in numbers.
#[derive(Clone, Debug)]
struct Stated {
    writes: bool,
    bytes: u32,
    renamed: Option<u32>,
    aligned: Option<u32>,
    banks: u32,
    banks_last: bool,
    lanes: Lanes,
    merged: Option<Lanes>,
    rival: Option<(u32, Lanes)>,
    pair: Option<(u32, [u8; 2])>,
    memory: Option<u32>,
}

const WIDTHS: [u32; 6] = [1, 2, 4, 8, 12, 16];

impl Stated {
    fn random(random: &mut Dice) -> Self {
        let width = |random: &mut Dice| {
            if random.one_in(10) { 1 + random.below(64) } else { random.of(&WIDTHS) }
        };
        let banks = |random: &mut Dice| {
            if random.one_in(10) { 1 + random.below(128) } else { 1 << random.below(7) }
        };
        let wave = if random.one_in(4) { 1 + random.below(64) } else { random.of(&[32, 64, 64]) };
        let wave = wave as usize;
        let addressed =
            if random.one_in(8) { 1 + random.below(wave as u32) as usize } else { wave };
        let more = |random: &mut Dice| {
            let other = if random.one_in(20) { 1 + random.below(64) as usize } else { wave };
            let fewer = 1 + random.below(other as u32) as usize;
            let addressed = if random.one_in(20) { fewer } else { addressed.min(other) };
            Lanes::random(random, other, addressed)
        };
        let bytes = width(random);
        let alignment = if bytes == 12 { 4 } else { bytes };
        let unit = match random.below(4) {
            0 => random.below(70_000),
            _ => alignment * (1 + random.below(64)),
        };
        Self {
            writes: random.one_in(2),
            bytes,
            renamed: random.one_in(8).then(|| width(random)),
            aligned: random.one_in(3).then(|| random.of(&[1, 2, 4, 4, 8, 8, 12, 16])),
            banks: banks(random),
            banks_last: random.one_in(2),
            lanes: Lanes::random(random, wave, addressed),
            merged: random.one_in(3).then(|| more(random)),
            rival: random.one_in(6).then(|| (banks(random), more(random))),
            pair: random
                .one_in(4)
                .then(|| (unit, [random.below(256) as u8, random.below(256) as u8])),
            memory: (!random.one_in(3)).then(|| 1 + random.below(1 << 18)),
        }
    }

    /// Bytes of a lane, in the end.
    fn width(&self) -> u32 {
        self.renamed.unwrap_or(self.bytes)
    }

    fn alignment(&self) -> u32 {
        self.aligned.unwrap_or_else(|| self.own_alignment())
    }

    /// Unless another is stated.
    fn own_alignment(&self) -> u32 {
        if self.width() == 12 { 4 } else { self.width() }
    }

    /// Whether there can be such an instruction: what the book says of each statement.
    fn can_be(&self) -> bool {
        let of_row = |other: &Lanes| {
            (other.wave, other.addressed) == (self.lanes.wave, self.lanes.addressed)
        };
        let banks =
            |banks: u32| [1, 2, 4, 8, 16, 32, 64].contains(&banks) && 4 * banks >= self.width();
        let pair = |unit: u32| {
            unit > 0
                && unit <= 65_536
                && unit.is_multiple_of(self.alignment())
                && self.width() == self.alignment()
        };
        let aligned = |to: u32| {
            to == self.own_alignment()
                || [4, 8, 16].contains(&to) && self.width().is_multiple_of(to)
        };
        [self.bytes, self.width()].iter().all(|bytes| WIDTHS.contains(bytes))
            && self.aligned.is_none_or(aligned)
            && banks(self.banks)
            && self.merged.iter().all(of_row)
            && self.rival.iter().all(|(other, lanes)| banks(*other) && of_row(lanes))
            && self.pair.iter().all(|(unit, _)| pair(*unit))
    }

    fn row(&self) -> Instruction {
        let row = if self.writes { Instruction::write } else { Instruction::read }("x", self.bytes);
        let row = self.renamed.map_or(row, |bytes| row.of_bytes("y", bytes));
        let row = self.aligned.map_or(row, |bytes| row.aligned_to(bytes));
        let row = row.phases(self.lanes.phases());
        let row = if self.banks_last { row } else { row.banks(self.banks) };
        let row = match &self.merged {
            Some(lanes) => row.merging(lanes.phases(), Evidence::Inferred, "-"),
            None => row,
        };
        let row = if self.banks_last { row.banks(self.banks) } else { row };
        let row = match &self.rival {
            Some((banks, lanes)) => row.disputed(*banks, lanes.phases(), Evidence::Inferred, "-"),
            None => row,
        };
        let row = self.memory.map_or(row, |memory| row.on("mine", memory));
        match self.pair {
            Some((unit, [first, second])) => row.paired("x2", unit).offsets(first, second),
            None => row,
        }
    }

    /// Lanes that often agree and often meet; now and then one that cannot be.
    fn addresses(&self, random: &mut Dice) -> Addresses {
        let (unit, pairs) = (self.alignment(), random.of(&[1u32, 1, 2, 4]));
        let (spread, rows) = (1 + random.below(80), 1 + random.below(6));
        let mut addresses = Addresses::NONE;
        for lane in 0..self.lanes.wave as u32 {
            let from = lane / pairs * pairs;
            if from != lane
                && let Some(same) = addresses.get(from as usize)
            {
                addresses = addresses.with(lane as usize, same);
            } else if !random.one_in(6) {
                let at = random.below(spread) * unit + random.below(rows) * 256;
                addresses = addresses.with(lane as usize, at / unit * unit);
            }
        }
        match random.below(30) {
            0 => addresses.with(random.below(64) as usize, random.below(1 << 20)),
            1 => addresses.with(random.below(64) as usize, u32::MAX - random.below(64)),
            _ => addresses,
        }
    }

    /// Whether the instruction can be issued, byte by byte.
    fn issued(&self, addresses: &Addresses) -> bool {
        let parts = self.pair.map_or(vec![0], |(unit, [a, b])| {
            vec![u64::from(unit) * u64::from(a), u64::from(unit) * u64::from(b)]
        });
        let memory = self.memory.map_or(1 << 32, u64::from);
        (0..64).all(|lane| match addresses.get(lane) {
            None => true,
            Some(_) if lane >= self.lanes.wave => false,
            Some(_) if lane >= self.lanes.addressed => true,
            Some(address) => parts.iter().all(|part| {
                let first = u64::from(address) + part;
                first % u64::from(self.alignment()) == 0
                    && first + u64::from(self.width()) <= memory
            }),
        })
    }
}

#[test]
fn every_row_is_refused_or_counted_rightly() {
    let cases = cases("own rows");
    let mut random = Dice(0x5eed_0f0f_1234_5678);
    let [mut refusals, mut counts, mut impossible] = [0u32; 3];
    for case in 0..cases {
        let stated = Stated::random(&mut random);
        if !stated.can_be() {
            let sentence = refusal(|| stated.row());
            let sentence = sentence.unwrap_or_else(|| panic!("{case}: accepted: {stated:?}"));
            let arithmetic = ["attempt to", "out of bounds", "overflow"];
            assert!(
                !arithmetic.iter().any(|word| sentence.contains(word)),
                "{sentence}: {stated:?}"
            );
            refusals += 1;
            continue;
        }
        let (row, addresses) = (stated.row(), stated.addresses(&mut random));
        match conflicts(&addresses, &row) {
            Ok(found) => {
                assert!(stated.issued(&addresses), "{case}: {stated:?} {addresses:?}");
                assert_eq!(Counted::of(&found), counted(&addresses, &row), "{case}: {stated:?}");
                counts += 1;
            }
            Err(AddressError::Offsets { .. }) => panic!("{case}: {stated:?}"),
            Err(refusal) => {
                assert!(!stated.issued(&addresses), "{case}: {refusal} {stated:?} {addresses:?}");
                impossible += 1;
            }
        }
    }
    println!("{refusals} rows refused, {counts} counted, {impossible} with impossible addresses");
    assert!([refusals, counts, impossible].iter().all(|count| *count > cases / 100));
}

/// Evidence is of banks and phases: who changes them has to say anew how he knows.
#[test]
fn evidence_does_not_survive_a_change() {
    let says = |row: &Instruction| (row.service().evidence, row.service().source);
    let read = gfx942::ds_read_b128;
    let in_order = Phases::contiguous(8);
    let inferred = |reason| (Evidence::Inferred, reason);
    let measured = says(&read);
    assert_eq!(measured.0, Evidence::Measured);

    assert_eq!(says(&read.banks(64)), inferred("banks changed from a measured row"));
    assert_eq!(says(&read.phases(in_order)), inferred("phases changed from a measured row"));
    // The first reason stays: the row before it had evidence.
    let both = read.banks(64).phases(in_order);
    assert_eq!(says(&both), inferred("banks changed from a measured row"));
    let back = read.banks(64).banks(32);
    assert_eq!(says(&back), inferred("banks changed from a measured row"));
    let stated = gfx1201::ds_read_b96;
    assert_eq!(says(&stated.banks(64)), inferred("banks changed from a documented row"));
    let wide = gfx942::ds_write_b96;
    assert_eq!(says(&wide.banks(64)), inferred("banks changed from an inferred row"));
    assert_eq!(
        says(&read.of_bytes("x", 8)),
        inferred("width changed from a measured row"),
        "a source of one width does not speak of another"
    );
    assert_eq!(says(&read.on("gfx950", 1 << 16)), inferred("chip changed from a measured row"));
    assert_eq!(
        says(&gfx942::ds_read_b64.paired("x", 8)),
        inferred("number of addresses changed from a measured row")
    );

    // No change: the same banks and phases, another name, the same chip, another field.
    let same = [
        read.banks(32).phases(read.service().phases),
        read.named("x"),
        read.of_bytes("x", 16),
        read.on("gfx942", 1 << 10),
        read.with_immediate(tiledesc::chip::Immediate::SASS),
        read.whole_wave(),
        read.as_disputed(),
        read.as_rival(),
    ];
    for row in &same {
        assert_eq!(says(row), measured);
    }

    // Stated anew, and stated in any order but before the change.
    assert_eq!(says(&both.measured("here")), (Evidence::Measured, "here"));
    assert_eq!(says(&both.source("here")), (Evidence::Documented, "here"));
    assert_eq!(says(&both.inferred("as mine")), inferred("as mine"));
    let own = Instruction::read("x", 16);
    for row in [
        own.banks(64).phases(in_order).source("here"),
        own.phases(in_order).banks(64).on("vx", 1 << 16).source("here"),
        own.on("vx", 1 << 16).banks(64).phases(in_order).source("here").named("y"),
    ] {
        assert_eq!(says(&row), (Evidence::Documented, "here"));
    }
    assert_eq!(says(&own.banks(64).phases(in_order)), inferred("not stated"));
    let early = own.source("here").banks(64);
    assert_eq!(says(&early), inferred("banks changed from a documented row"));

    // Of merged accesses and of another source, each by its own evidence.
    let warp = Phases::contiguous(16).of_wave(32);
    let load = own.phases(Phases::contiguous(8).of_wave(32)).measured("here");
    let load = load.merging(warp, Evidence::Documented, "there");
    let load = load.disputed(64, warp, Evidence::Measured, "a rival");
    let (wide, narrow) = (load.banks(64), load.of_bytes("x", 8));
    let merged = |row: &Instruction| row.merged().map(|service| (service.evidence, service.source));
    let rival = |row: &Instruction| row.rival().map(|service| (service.evidence, service.source));
    assert_eq!(merged(&wide), Some(inferred("banks changed from a documented row")));
    assert_eq!(rival(&wide), Some((Evidence::Measured, "a rival")));
    assert_eq!(merged(&narrow), Some(inferred("width changed from a documented row")));
    assert_eq!(rival(&narrow), Some(inferred("width changed from a measured row")));
}
