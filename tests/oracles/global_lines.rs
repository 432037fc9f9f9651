//! Cache lines and sectors of global accesses, against a bit for every byte.
//!
//! | test | promise |
//! |---|---|
//! | `lines_and_sectors_as_bits_count_them` | 100,000 random address sets on every chip's lines: touched, least, best and worst base |
//! | `tiles_as_their_lanes_count_them` | 50 random distributions over rows: the access that touches most, wherever the tile begins |
//! | `elements_that_no_lane_holds_as_a_vector` | a refusal with the longest that it holds |
//! | `published_counters` | AMD's 32,768 and 131,072 accesses of 2,048 waves; NVIDIA's ideal sectors a request |

use std::collections::BTreeSet;
use support::fuzz::{Dice, times};
use tiledesc::access::{Coalescing, Pitch};
use tiledesc::chip::{CHIPS, Lines, Touched, gfx90a, gfx942, gfx950, gfx1100, sm_75, sm_90};
use tiledesc::distribution::Encoding;

/// Bytes that may be accessed: a bit each.
const WINDOW: usize = 8192;

struct Bits(Vec<u64>);

impl Bits {
    fn of(addresses: &[Option<u64>], bytes: u32, base: u64) -> Self {
        let mut bits = vec![0; WINDOW / 64];
        for address in addresses.iter().flatten() {
            for byte in 0..u64::from(bytes) {
                let at = address + base + byte;
                bits[(at / 64) as usize] |= 1 << (at % 64);
            }
        }
        Self(bits)
    }

    fn bytes(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Units of 32, 64 or 128 bytes with a bit that is set.
    fn units(&self, unit: u32) -> u32 {
        let count = match unit {
            32 => {
                let half =
                    |word: &u64| usize::from(*word as u32 != 0) + usize::from(*word >> 32 != 0);
                self.0.iter().map(half).sum()
            }
            64 => self.0.iter().filter(|word| **word != 0).count(),
            128 => self.0.chunks(2).filter(|words| words.iter().any(|word| *word != 0)).count(),
            other => panic!("no cache has units of {other} bytes"),
        };
        count as u32
    }

    fn touched(&self, of: Lines) -> Touched {
        Touched { lines: self.units(of.bytes()), sectors: self.units(of.sector()) }
    }
}

/// Contiguous, strided, of few places, anywhere; some lanes inactive.
fn random(dice: &mut Dice, bytes: u32) -> Vec<Option<u64>> {
    let lanes = dice.of(&[1, 5, 16, 32, 32, 64, 64]);
    let (start, stride) = (dice.below(300), dice.of(&[0, bytes, bytes, 2 * bytes, 36, 100]));
    let (few, kind, idle) = (1 + dice.below(6), dice.below(3), dice.of(&[0, 0, 3]));
    let span = WINDOW as u32 - 128 - bytes - 1;
    (0..lanes)
        .map(|lane| {
            let address = match kind {
                0 => start + stride * lane,
                1 => 1000 * dice.below(few) + start,
                _ => dice.below(span),
            };
            (idle == 0 || !dice.one_in(idle)).then_some(u64::from(address % span))
        })
        .collect()
}

/// The chips' lines, each kind once.
fn kinds() -> Vec<Lines> {
    let mut seen = BTreeSet::new();
    let all = CHIPS.iter().filter_map(|chip| chip.lines());
    all.filter(|lines| seen.insert((lines.bytes(), lines.sector()))).collect()
}

#[test]
fn lines_and_sectors_as_bits_count_them() {
    let kinds = kinds();
    assert_eq!(kinds.len(), 3);
    let (mut dice, mut ranges) = (Dice(0x11ce), [0; 2]);
    for case in 0..times(100_000) {
        let bytes = dice.of(&[1, 2, 4, 4, 8, 12, 16, 16, 32]);
        let addresses = random(&mut dice, bytes);
        let bits = Bits::of(&addresses, bytes, 0);
        let lines = kinds[case as usize % kinds.len()];
        let what = || format!("case {case}: {addresses:?} of {bytes} bytes, {lines:?}");
        assert_eq!(lines.touched(&addresses, bytes), bits.touched(lines), "{}", what());
        let least = lines.least(&addresses, bytes);
        let unique = bits.bytes();
        assert_eq!(least.lines, unique.div_ceil(lines.bytes()), "{}", what());
        assert_eq!(least.sectors, unique.div_ceil(lines.sector()), "{}", what());
        if case % 10 != 0 {
            continue;
        }
        // A base modulo 2^64 moves lines, not what lanes touch.
        let far: Vec<_> = addresses.iter().map(|one| one.map(|at| at.wrapping_sub(4096))).collect();
        assert_eq!(lines.touched(&far, bytes), bits.touched(lines), "{}", what());
        assert_eq!(lines.least(&far, bytes), least, "{}", what());
        if case % 200 != 0 {
            continue;
        }
        let alignment = dice.of(&[1, 2, 4, 12, 16, 64, 128, 256]);
        let bases = (0..lines.bytes()).map(|times| alignment * times % lines.bytes());
        let bases: BTreeSet<u32> = bases.collect();
        let each: Vec<Touched> = bases
            .iter()
            .map(|base| Bits::of(&addresses, bytes, u64::from(*base)).touched(lines))
            .collect();
        let of = |by: fn(&Touched) -> u32| {
            let all = || each.iter().map(by);
            (all().min().unwrap(), all().max().unwrap())
        };
        let (best, worst) = lines.over_bases(&addresses, bytes, alignment);
        assert_eq!((best.lines, worst.lines), of(|one| one.lines), "{} at {alignment}", what());
        assert_eq!(
            (best.sectors, worst.sectors),
            of(|one| one.sectors),
            "{} at {alignment}",
            what()
        );
        ranges[usize::from(best != worst)] += 1;
    }
    assert!(ranges.iter().all(|count| *count > 100), "{ranges:?}");
}

#[test]
fn published_counters() {
    let wave = |stride: u64| -> Vec<_> { (0..64).map(|lane| Some(stride * lane)).collect() };
    // rocprof-compute of MI300X, 2,048 waves: 100 % and 25 % coalesced.
    let counted = |chip: tiledesc::chip::Chip, stride| {
        chip.lines().unwrap().accesses_of_dwords(&wave(stride)).map(|one| 2048 * one)
    };
    for chip in [gfx90a, gfx942, gfx950] {
        assert_eq!(counted(chip, 4), Some(32_768));
        assert_eq!(counted(chip, 1024), Some(131_072));
        // Between both no source counts.
        assert_eq!(counted(chip, 8), None);
    }
    assert_eq!((counted(gfx1100, 4), counted(sm_90, 4)), (None, None));
    let lines = gfx942.lines().unwrap();
    let mut mixed = wave(4);
    for (lane, address) in mixed.iter_mut().enumerate().take(8) {
        *address = Some((1 << 20) + 512 * lane as u64);
    }
    assert_eq!(lines.accesses_of_dwords(&mixed), Some(2 * 4 + 14));
    mixed[63] = None;
    assert_eq!(lines.accesses_of_dwords(&mixed), None);
    let off: Vec<_> = wave(4).iter().map(|one| one.map(|at| at + 4)).collect();
    assert_eq!(lines.accesses_of_dwords(&off), None);
    // NVIDIA, Nsight Compute: 4, 8 and 16 sectors of a warp's 4, 8 and 16 bytes a lane, 32 of a stride of a sector.
    for chip in [sm_75, sm_90] {
        let sectors =
            |stride, bytes| chip.lines().unwrap().touched(&wave(stride)[..32], bytes).sectors;
        assert_eq!([4, 8, 16].map(|bytes| sectors(u64::from(bytes), bytes)), [4, 8, 16]);
        assert_eq!((sectors(32, 4), sectors(0, 4)), (32, 1));
    }
}

#[test]
fn lanes_and_bytes_that_no_instruction_has() {
    use support::attempt::caught;
    let lines = sm_90.lines().unwrap();
    let sentence = |bytes, lanes| {
        let addresses = vec![Some(0); lanes];
        caught(move || lines.touched(&addresses, bytes)).err().map(|panic| panic.sentence)
    };
    assert_eq!(sentence(4, 64), None);
    assert_eq!(sentence(4, 65).unwrap(), "a wave has at most 64 lanes");
    assert_eq!(sentence(0, 1).unwrap(), "a lane accesses 1 to 32 bytes");
    assert_eq!(sentence(33, 1).unwrap(), "a lane accesses 1 to 32 bytes");
    assert_eq!(lines.touched(&[None; 32], 4), Touched { lines: 0, sectors: 0 });
    assert_eq!(lines.least(&[], 4), Touched { lines: 0, sectors: 0 });
}

/// Rows of a tile by lanes in some order; of some the last rows are missing.
fn distribution(dice: &mut Dice, vector: u32) -> Encoding {
    let [again, wave, row, chunk] = [
        dice.of(&[1, 2, 3]),
        dice.of(&[1, 2, 4]),
        dice.of(&[1, 2, 4, 8]),
        dice.of(&[1, 2, 3, 4, 8]),
    ];
    let rows = [("again", again), ("wave", wave), ("row", row)];
    let rows = if dice.one_in(2) { [rows[2], rows[0], rows[1]] } else { rows };
    let columns = [("chunk", chunk), ("half", vector)];
    let lane = if dice.one_in(2) { ["row", "chunk"] } else { ["chunk", "row"] };
    let (dimensions, thread) = ([("m", &rows[..]), ("k", &columns[..])], ["again", "half"]);
    let whole = Encoding::named(&[], &dimensions, &["wave"], &lane, &thread).unwrap();
    let last = again * wave * row - dice.below(3);
    let parts: [&[u32]; 2] = [&[last], &[]];
    match last < again * wave * row && last > again * wave * row * 3 / 4 {
        true => whole.covering(&parts).unwrap_or(whole),
        false => whole,
    }
}

/// The most units that an access touches, of tiles at the first multiples of their own lengths.
fn most(encoding: &Encoding, vector: u32, pitch: u64, unit: u64) -> usize {
    let lengths = encoding.lengths();
    let (rows, columns) = (u64::from(lengths.at(0)), u64::from(lengths.at(1)));
    let mut most = 0;
    let origins = (0..64).flat_map(|i| (0..64).map(move |j| (i * rows, j * columns)));
    let begins: BTreeSet<u64> = origins.map(|(m, k)| 2 * (m * pitch + k) % unit).collect();
    for wave in 0..encoding.waves() {
        for first in (0..encoding.elements()).step_by(vector as usize) {
            let lanes = (0..encoding.lanes()).filter_map(|lane| {
                let at = encoding.coordinate(wave, lane, first).ok()?;
                Some(2 * (u64::from(at.at(0)) * pitch + u64::from(at.at(1))))
            });
            let lanes: Vec<u64> = lanes.collect();
            for begin in &begins {
                let halves = lanes
                    .iter()
                    .flat_map(|at| (0..u64::from(vector)).map(move |half| at + begin + 2 * half));
                let mut units: Vec<u64> = halves.map(|byte| byte / unit).collect();
                units.sort_unstable();
                units.dedup();
                most = most.max(units.len());
            }
        }
    }
    most
}

#[test]
fn tiles_as_their_lanes_count_them() {
    let (mut dice, mut more, mut idle) = (Dice(11), 0, 0);
    for case in 0..times(50) {
        let vector = dice.of(&[2, 4, 8]);
        let encoding = distribution(&mut dice, vector);
        let lines = dice.of(&kinds());
        let (step, is_multiple) = (vector * (1 + dice.below(20)), dice.one_in(2));
        let (unit, width) = (u64::from(lines.sector()), u64::from(encoding.lengths().at(1)));
        let rows = if is_multiple { Pitch::multiple_of(step) } else { Pitch::new(step) };
        let found = Coalescing::worst(&encoding, [2 * vector, 16], rows, &lines).unwrap();
        let pitches: Vec<u64> = match is_multiple {
            // Each further one leaves of a unit what one of these does, and none is so short that rows share a unit.
            true => {
                let mut left = BTreeSet::new();
                let all =
                    (1..=64).map(|by| (by + (width + 192).next_multiple_of(64)) * u64::from(step));
                all.filter(|pitch| left.insert(2 * pitch % unit)).collect()
            }
            false => vec![u64::from(step)],
        };
        let expected = pitches.iter().map(|pitch| most(&encoding, vector, *pitch, unit)).max();
        assert_eq!(
            Some(found.touched().sectors as usize),
            expected,
            "{case}: {encoding:?} {rows:?} {lines:?}"
        );
        more += u32::from(found.touched().sectors > found.least().sectors);
        idle += u32::from(encoding.has_idle_lanes());
    }
    assert!(more > 20 && idle > 3, "{more} {idle}");
}

#[test]
fn elements_that_no_lane_holds_as_a_vector() {
    let (rows, columns) = ([("again", 4), ("row", 8)], [("chunk", 8)]);
    let dimensions = [("m", &rows[..]), ("k", &columns[..])];
    let single = Encoding::named(&[], &dimensions, &[], &["row", "chunk"], &["again"]).unwrap();
    let lines = sm_90.lines().unwrap();
    assert_eq!(
        Coalescing::worst(&single, [16, 16], Pitch::new(64), &lines).unwrap_err().to_string(),
        "a lane moves 8 elements but holds only 1 contiguous ones along k"
    );
}
