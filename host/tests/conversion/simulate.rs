//! A conversion carried out: every byte that a block writes, every byte that it reads, every
//! phase counted. What instructions move stands here a second time, as their manuals say it.
//!
//! | | lane t, 32-bit register m |
//! |---|---|
//! | `ldmatrix.xN`, `stmatrix.xN` (PTX ISA) | bytes 4 * (t % 4) .. of the row that lane 8 * m + t / 4 addresses |
//! | the same, `.trans` | halves t / 4 of the rows that lanes 8 * m + 2 * (t % 4), and + 1, address |
//! | `ds_read_b64_tr_bU` (CDNA4 ISA), of 16 lanes | unit t of every row; a row is what 64 / U units of neighbouring lanes give |

use std::collections::BTreeSet;
use tiledesc::chip::{Access, Instruction};
use tiledesc_host::conversion::{Conversion, Side};

/// Which element a register of a lane of a wave holds.
pub(crate) type Holds<'a> = &'a dyn Fn([u32; 3]) -> u32;

/// Carries out a conversion of elements of `bits` bits, and counts the cycles of a wave on both
/// sides; of all waves they must be the same.
pub(crate) fn simulate(conversion: &Conversion<'_>, bits: u32, holds: [Holds<'_>; 2]) -> [u64; 2] {
    let unit = bits.min(8);
    let parts = bits / unit;
    let elements = 1u32 << conversion.layout().inputs();
    let mut memory = vec![None; (elements * parts) as usize];
    let (store, load) = (conversion.store(), conversion.load());
    for moved in all(store, bits, unit) {
        let value = (holds[0]([moved.wave, moved.lane, moved.register]), moved.part);
        let cell = &mut memory[moved.cell as usize];
        assert!(cell.is_none_or(|other| other == value), "two elements at {}", moved.cell);
        *cell = Some(value);
    }
    let mut read = BTreeSet::new();
    for moved in all(load, bits, unit) {
        let value = (holds[1]([moved.wave, moved.lane, moved.register]), moved.part);
        let cell = memory[moved.cell as usize];
        assert_eq!(cell, Some(value), "lane {} register {}", moved.lane, moved.register);
        assert!(read.insert((moved.wave, moved.lane, moved.register, moved.part)), "read twice");
    }
    let held = load.held();
    let lanes = held.waves().len() + held.lanes().len() + held.registers().len();
    assert_eq!(read.len(), (parts as usize) << lanes, "every register of every lane");
    [store, load].map(cycles)
}

/// A part of an element on its way.
struct Moved {
    wave: u32,
    lane: u32,
    register: u32,
    part: u32,
    /// Its place in memory, in parts.
    cell: u32,
}

fn all<'a>(side: &'a Side<'_>, bits: u32, unit: u32) -> impl Iterator<Item = Moved> + 'a {
    let waves = 0..1u32 << side.held().waves().len();
    let each = move |wave| (0..side.instructions()).map(move |instruction| (wave, instruction));
    waves.flat_map(each).flat_map(move |(wave, instruction)| {
        moves(side, wave, instruction, bits).into_iter().flat_map(move |(lane, place, bit)| {
            let register = side.register(instruction, place);
            let first = (bit / u64::from(unit)) as u32;
            (0..bits / unit).map(move |part| Moved {
                wave,
                lane,
                register,
                part,
                cell: first + part,
            })
        })
    })
}

/// Lane, place in its tuple, bit of memory, for each element that an instruction moves.
fn moves(side: &Side<'_>, wave: u32, instruction: u32, bits: u32) -> Vec<(u32, u32, u64)> {
    let row = side.instruction();
    let lanes = 1u32 << side.held().lanes().len();
    let address = |lane: u32| 8 * u64::from(side.address(wave, lane, instruction));
    let mut found = Vec::new();
    for lane in 0..lanes {
        for place in 0..side.tuple() {
            let at = u64::from(place * bits);
            let (register, within) = ((at / 32) as u32, at % 32);
            let bit = match Matrix::of(row) {
                Matrix::None => address(lane) + at,
                Matrix::Rows => {
                    address(8 * register + lane / 4) + 32 * u64::from(lane % 4) + within
                }
                Matrix::Columns => {
                    let row = 2 * (lane % 4) + (within / 16) as u32;
                    address(8 * register + row) + 16 * u64::from(lane / 4) + within % 16
                }
                Matrix::Units(unit) => {
                    let (per_lane, column) = (64 / unit, lane % 16);
                    let row = (at / u64::from(unit)) as u32;
                    let giver = lane / 16 * 16 + row * (16 / per_lane) + column / per_lane;
                    address(giver) + u64::from(column % per_lane * unit) + at % u64::from(unit)
                }
            };
            found.push((lane, place, bit));
        }
    }
    assert_eq!(side.tuple() * bits, 8 * moved_bytes(row), "the tuple of {}", row.name());
    found
}

/// Bytes of a lane's registers.
fn moved_bytes(row: &Instruction) -> u32 {
    match Matrix::of(row) {
        Matrix::Rows | Matrix::Columns => {
            4 * ["1", "2", "4"]
                .iter()
                .position(|n| row.name().contains(&format!(".x{n}")))
                .map(|n| 1 << n)
                .unwrap()
        }
        _ => row.bytes(),
    }
}

enum Matrix {
    None,
    Rows,
    Columns,
    Units(u32),
}

impl Matrix {
    fn of(row: &Instruction) -> Self {
        let name = row.name();
        if let Some(unit) = name.strip_prefix("ds_read_b64_tr_b") {
            return Self::Units(unit.parse().unwrap());
        }
        match (name.contains("matrix."), name.ends_with(".trans")) {
            (false, _) => Self::None,
            (true, false) => Self::Rows,
            (true, true) => Self::Columns,
        }
    }
}

/// The cycles of a wave, by sets of dwords.
fn cycles(side: &Side<'_>) -> u64 {
    let row = side.instruction();
    let wave_cycles = |wave: u32| -> u64 {
        let one = |instruction| {
            let lanes = row.service().phases.addressed() as u32;
            let addresses: Vec<u32> =
                (0..lanes).map(|lane| side.address(wave, lane, instruction)).collect();
            assert!(addresses.iter().all(|at| at % row.bytes() == 0), "aligned");
            let pairs =
                |by: u32| (0..lanes).all(|l| addresses[l as usize] == addresses[(l ^ by) as usize]);
            let merged = row.merged().filter(|_| pairs(1) || pairs(2));
            let service = merged.unwrap_or(row.service());
            let phase = |phase: usize| {
                let mut banks = vec![BTreeSet::new(); service.banks as usize];
                for lane in service.phases.lanes(phase) {
                    let first = addresses[usize::from(*lane)];
                    for byte in first..first + row.bytes() {
                        banks[(byte / 4 % service.banks) as usize].insert(byte / 4);
                    }
                }
                banks.iter().map(BTreeSet::len).max().unwrap() as u64
            };
            (0..service.phases.count()).map(phase).sum::<u64>()
        };
        (0..side.instructions()).map(one).sum()
    };
    let waves: Vec<u64> = (0..1 << side.held().waves().len()).map(wave_cycles).collect();
    assert!(waves.iter().all(|cycles| *cycles == waves[0]), "waves differ: {waves:?}");
    assert!(matches!(row.access(), Access::Read | Access::Write));
    waves[0]
}
