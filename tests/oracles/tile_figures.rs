//! Figures of CK Tile's own distributions over the layouts that its kernels store them in.
//!
//! Each row of the table names a golden table, a layout and an instruction, and says what must
//! come out: accesses, degree, cycles of a wave and their floor, and how a lane finds its
//! addresses. The figures are of a model written apart from this library; every one of them is
//! also counted here, from the six parameters of the table by digits and sets.
//!
//! ```text
//!   dist_block_A_128x64_2x2warps_32x32x16 of row-major halves, ds_read_b128 on gfx942
//!   8 accesses, degree 8: 512 cycles of 64; 1 address computed, no xor of it, 7 immediate
//! ```

use serde_json::Value;
use std::collections::BTreeSet;
use support::distributions::encoding;
use support::{committed, naturals};
use tiledesc::chip::{gfx942, gfx950};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{access::Placed, chip::Instruction};

layout! {
    type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    /// Two rows of 64 bytes in a line: MLdsLayer is 2.
    type Narrow = recipe::GemmXor<F16, M<128>, K<32>, KPack<8>>;
    type Floats = recipe::GemmXor<F32, M<64>, K<64>, KPack<4>>;
    type Block = recipe::RowMajor<F16, M<32>, K<32>>;
    type Layered = recipe::GemmXorLayer<F16, M<32>, K<32>, KPack<4>, MLdsLayer<2>>;
}

/// What is said of a distribution, a layout and an instruction.
#[derive(Debug, PartialEq, Eq)]
struct Figures {
    /// Of a lane.
    accesses: u64,
    degree: u32,
    /// Of all accesses of a wave, and what they take without conflicts.
    cycles: [u64; 2],
    /// Addresses of a lane: computed, an xor of one of those, a constant away from one.
    addresses: [usize; 3],
}

struct Row {
    table: &'static str,
    plan: &'static Plan,
    bits: u32,
    instruction: &'static Instruction,
    figures: Figures,
}

const fn row(
    table: &'static str,
    (plan, bits): (&'static Plan, u32),
    instruction: &'static Instruction,
    (accesses, degree, cycles, addresses): (u64, u32, [u64; 2], [usize; 3]),
) -> Row {
    Row { table, plan, bits, instruction, figures: Figures { accesses, degree, cycles, addresses } }
}

const THREAD_RAKED: &str = "dist_copy_thread_raked_b256_128x64_v8";
const WARP_RAKED: &str = "dist_copy_warp_raked_b256_128x32_v8";
const BLOCK_RAKED: &str = "dist_copy_block_raked_b256_64x64_v4";
const BLOCK_A: &str = "dist_block_A_128x64_2x2warps_32x32x16";
const BLOCK_B: &str = "dist_block_B_128x64_2x2warps_16x16x32";
const C: &str = "dist_mfma_f16_32x32x8_C";
const C_TRANSPOSED: &str = "dist_mfma_f16_32x32x8_ct_C";

const WRITE: &Instruction = &gfx942::ds_write_b128;
const READ: &Instruction = &gfx942::ds_read_b128;
const READ_64: &Instruction = &gfx950::ds_read_b128;

const TABLE: [Row; 13] = [
    row(THREAD_RAKED, (&Swizzled::PLAN, 16), WRITE, (4, 1, [32, 32], [1, 3, 0])),
    row(THREAD_RAKED, (&Rows::PLAN, 16), WRITE, (4, 1, [32, 32], [1, 0, 3])),
    row(WARP_RAKED, (&Narrow::PLAN, 16), WRITE, (2, 1, [16, 16], [1, 0, 1])),
    row(BLOCK_RAKED, (&Floats::PLAN, 32), WRITE, (4, 1, [32, 32], [1, 0, 3])),
    row(BLOCK_A, (&Swizzled::PLAN, 16), READ, (8, 1, [64, 64], [1, 3, 4])),
    row(BLOCK_A, (&Rows::PLAN, 16), READ, (8, 8, [512, 64], [1, 0, 7])),
    row(BLOCK_A, (&Padded::PLAN, 16), READ, (8, 1, [64, 64], [1, 0, 7])),
    row(BLOCK_A, (&Swizzled::PLAN, 16), READ_64, (8, 2, [64, 32], [1, 3, 4])),
    row(BLOCK_B, (&Swizzled::PLAN, 16), READ, (8, 1, [64, 64], [1, 1, 6])),
    row(BLOCK_B, (&Swizzled::PLAN, 16), READ_64, (8, 1, [32, 32], [1, 1, 6])),
    row(C, (&Block::PLAN, 16), &gfx942::ds_write_b16, (16, 1, [32, 32], [1, 0, 15])),
    row(C_TRANSPOSED, (&Block::PLAN, 16), &gfx942::ds_write_b64, (4, 8, [128, 16], [1, 0, 3])),
    row(C_TRANSPOSED, (&Layered::PLAN, 16), &gfx942::ds_write_b64, (4, 1, [16, 16], [1, 3, 0])),
];

#[test]
fn every_figure_by_the_analyzer() {
    for Row { table, plan, bits, instruction, figures } in &TABLE {
        let (encoding, _) = encoding(&committed(table).json["encoding"]).unwrap();
        let placed = Placed::new(plan, *bits, Lanes::distributed(&encoding), instruction).unwrap();
        let waves = u64::from(encoding.waves());
        let (verdict, addressing) = (placed.verdict().unwrap(), placed.addressing().unwrap());
        let found = Figures {
            accesses: placed.instructions() / waves,
            degree: verdict.degree(),
            cycles: [verdict.active_cycles(), verdict.base_cycles()].map(|cycles| cycles / waves),
            addresses: [addressing.computed(), addressing.xors(), addressing.immediates()],
        };
        assert_eq!(found, *figures, "{table} by {} on {}", instruction.name(), instruction.chip());
    }
}

#[test]
fn every_figure_by_counting() {
    for Row { table, plan, bits, instruction, figures } in &TABLE {
        let accesses = addresses(&committed(table).json, plan, *bits, instruction.bytes());
        let counted = Figures {
            accesses: accesses[0].len() as u64,
            degree: wave(&accesses[0], instruction).0,
            cycles: wave(&accesses[0], instruction).1,
            addresses: routes(&accesses),
        };
        assert_eq!(
            counted,
            *figures,
            "{table} by {} on {}",
            instruction.name(),
            instruction.chip()
        );
        // The figures are of any wave.
        let all = accesses.iter().map(|its| wave(its, instruction));
        assert_eq!(all.collect::<BTreeSet<_>>().len(), 1, "{table}: waves differ");
    }
}

/// Byte addresses by wave, access and lane: an access starts where an element is the first of as
/// many neighbours in memory as the instruction moves.
fn addresses(json: &Value, plan: &Plan, bits: u32, bytes: u32) -> Vec<Vec<Vec<u32>>> {
    let lengths = naturals(&json["top_lengths"]);
    let (p_lengths, y_lengths) = lengths.split_at(json["ndim_p"].as_u64().unwrap() as usize);
    let (lanes, waves) = match *p_lengths {
        [lanes] => (lanes, 1),
        [waves, lanes] => (lanes, waves),
        _ => panic!("{p_lengths:?}"),
    };
    let (elements, pack) = (y_lengths.iter().product::<u32>(), bytes * 8 / bits);
    let byte = |wave: u32, lane: u32, element: u32| {
        let ps = if p_lengths.len() == 1 { vec![lane] } else { vec![wave, lane] };
        let index = coordinate(&json["encoding"], &ps, &digits(element, y_lengths));
        plan.offset(&index).unwrap() * bits / 8
    };
    let access = |wave: u32, first: u32| {
        let of_lane = |lane| {
            let at = byte(wave, lane, first);
            assert!((0..pack).all(|i| byte(wave, lane, first + i) == at + i * bits / 8));
            at
        };
        (0..lanes).map(of_lane).collect()
    };
    let of_wave = |wave| (0..elements / pack).map(|i| access(wave, i * pack)).collect();
    (0..waves).map(of_wave).collect()
}

/// The digits of a number, the last fastest.
fn digits(mut number: u32, lengths: &[u32]) -> Vec<u32> {
    let mut digits: Vec<u32> = lengths
        .iter()
        .rev()
        .map(|length| {
            let digit = number % length;
            number /= length;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

/// The X index of P and Y indices: their digits, put where the encoding says.
fn coordinate(encoding: &Value, ps: &[u32], ys: &[u32]) -> Vec<u32> {
    let lists = |field: &str| -> Vec<Vec<u32>> {
        encoding[field].as_array().unwrap().iter().map(naturals).collect()
    };
    let mut factors = vec![naturals(&encoding["rs"])];
    factors.extend(lists("hs"));
    let mut values: Vec<Vec<u32>> = factors.iter().map(|list| vec![0; list.len()]).collect();
    let mut put = |majors: &[u32], minors: &[u32], digits: &[u32]| {
        for ((major, minor), digit) in majors.iter().zip(minors).zip(digits) {
            values[*major as usize][*minor as usize] = *digit;
        }
    };
    for ((majors, minors), number) in lists("ps_major").iter().zip(&lists("ps_minor")).zip(ps) {
        let length = |(major, minor): (&u32, &u32)| factors[*major as usize][*minor as usize];
        let lengths: Vec<u32> = majors.iter().zip(minors).map(length).collect();
        put(majors, minors, &digits(*number, &lengths));
    }
    put(&naturals(&encoding["ys_major"]), &naturals(&encoding["ys_minor"]), ys);
    let index = |(lengths, digits): (&Vec<u32>, &Vec<u32>)| {
        lengths.iter().zip(digits).fold(0, |index, (length, digit)| index * length + digit)
    };
    factors.iter().zip(&values).skip(1).map(index).collect()
}

/// The largest degree of the accesses of a wave; their cycles, and what they are without
/// conflicts: the most distinct dwords in a bank, phase by phase.
fn wave(accesses: &[Vec<u32>], instruction: &Instruction) -> (u32, [u64; 2]) {
    let service = instruction.service();
    let degree = |lanes: &Vec<u32>, phase: usize| {
        let bytes = service.phases.lanes(phase).iter().flat_map(|lane| {
            let at = lanes[usize::from(*lane)];
            at..at + instruction.bytes()
        });
        let dwords: BTreeSet<u32> = bytes.map(|byte| byte / 4).collect();
        let of = |bank| dwords.iter().filter(|dword| **dword % service.banks == bank).count();
        (0..service.banks).map(of).max().unwrap() as u32
    };
    let phases = || 0..service.phases.count();
    let degrees: Vec<u32> =
        accesses.iter().flat_map(|lanes| phases().map(|phase| degree(lanes, phase))).collect();
    let cycles = degrees.iter().map(|degree| u64::from(*degree)).sum();
    (degrees.iter().copied().max().unwrap(), [cycles, degrees.len() as u64])
}

/// How each access finds its address from those before it, as in every lane of every wave: a
/// constant added that an instruction encodes, else an xor, else computed.
fn routes(waves: &[Vec<Vec<u32>>]) -> [usize; 3] {
    let of = |access: usize| waves.iter().flat_map(move |wave| wave[access].iter().copied());
    let (mut registers, [mut computed, mut xors, mut immediates]) = (Vec::new(), [0; 3]);
    for access in 0..waves[0].len() {
        let constant = |register: &usize, by: fn(u32, u32) -> u32| {
            let found: BTreeSet<u32> =
                of(access).zip(of(*register)).map(|(a, b)| by(a, b)).collect();
            found.len() == 1 && found.iter().all(|by| *by < 1 << 16)
        };
        if registers.iter().any(|register| constant(register, u32::wrapping_sub)) {
            immediates += 1;
            continue;
        }
        let flips = registers.iter().any(|register| constant(register, |a, b| a ^ b));
        *if flips { &mut xors } else { &mut computed } += 1;
        registers.push(access);
    }
    [computed, xors, immediates]
}
