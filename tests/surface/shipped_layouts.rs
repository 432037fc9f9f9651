//! What the analyzer must find in layouts that people ship, publish or ask about.
//!
//! | layout | access | degree |
//! |---|---|---|
//! | CK's universal GEMM, xor + layers | every write and read of every tile, gfx942 | 1 |
//! | CK's `(M + 1) * KPack` pad | 16-row read, gfx942 | 2 |
//! | CK's FMHA backward X, K = 32 | 32-row read, 16-row read, gfx942 | 2, 4 |
//! | CK's async tile 128x64 fp16 | 32-row read, gfx942 | 8 |
//! | any row pad of it, 1 to 32 elements | 16-row and 32-row read, gfx942 | 2 or more in one of them, or refused |
//! | the documentation's xor, 128-byte rows | 32-row read, gfx942, gfx950 | 1, 2 |
//! | the same | diagonal, gfx942 | 8, in 4 of 32 banks |
//!
//! All of this is the model's: no hardware counter was read for these layouts. Each
//! test says in one sentence whom it concerns.

use std::collections::BTreeSet;
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::{gfx942, gfx950, sm_80};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::{FlatmmPad, FmhaBwdX, GemmAsync, GemmXor, K, M, MN, XorPreshuffle};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc::{
    Tile,
    access::{AccessError, Placed},
    chip::Instruction,
};

/// How many lanes wait for one bank; `None` if the tile is too small for the wave.
fn ways(plan: &Plan, bits: u32, lanes: Lanes, instruction: &Instruction) -> Option<u32> {
    match Placed::new(plan, bits, lanes, instruction).and_then(|placed| placed.verdict()) {
        Ok(verdict) => {
            assert_eq!(verdict.conflicts().race, None);
            assert_eq!(verdict.is_free(), verdict.degree() == 1);
            Some(verdict.degree())
        }
        Err(AccessError::Tile { .. }) => None,
        Err(misfit) => panic!("{misfit}"),
    }
}

/// The three accesses of a GEMM operand in LDS: written row by row, read as 16 and
/// as 32 rows of a matrix instruction.
fn gemm<T: Tile>(_: T) -> [Option<u32>; 3] {
    let ways =
        |lanes, instruction| ways(&LayoutOf::<T>::PLAN, T::Element::BITS, lanes, instruction);
    [
        ways(Lanes::row_major(), &gfx942::ds_write_b128),
        ways(Lanes::rows(16), &gfx942::ds_read_b128),
        ways(Lanes::rows(32), &gfx942::ds_read_b128),
    ]
}

const FREE: Option<u32> = Some(1);
const TWO: Option<u32> = Some(2);
/// The tile has fewer packs in a row than the wave reads.
const SMALL: Option<u32> = None;

/// One line a tile: what the three accesses find.
macro_rules! gemm {
    ($($Recipe:ident<$E:ident, $m:literal x $k:literal, $pack:literal> $expected:expr;)*) => {$(
        let found = gemm(<$Recipe<$E, M<$m>, K<$k>, KPack<$pack>>>::default());
        assert_eq!(found, $expected, "{} {}x{}", $E::NAME, $m, $k);
    )*};
}

/// CK's universal GEMM chooses MLdsLayer so that every tile of the example
/// `gemm_lds` is free in the write and in both reads; a row of two packs is too
/// short for the 16-row read, which takes four.
#[test]
fn ck_gemm_xor_is_free() {
    gemm! {
        GemmXor<F16, 64 x 16, 8> [FREE, SMALL, FREE];
        GemmXor<F16, 128 x 32, 8> [FREE, FREE, FREE];
        GemmXor<F16, 256 x 32, 8> [FREE, FREE, FREE];
        GemmXor<F16, 128 x 64, 8> [FREE, FREE, FREE];
        GemmXor<BF16, 256 x 64, 8> [FREE, FREE, FREE];
        GemmXor<F16, 128 x 128, 8> [FREE, FREE, FREE];
        GemmXor<F8, 64 x 32, 16> [FREE, SMALL, FREE];
        GemmXor<F8, 128 x 64, 16> [FREE, FREE, FREE];
        GemmXor<F8, 256 x 128, 16> [FREE, FREE, FREE];
        GemmXor<F32, 128 x 16, 4> [FREE, FREE, FREE];
        GemmXor<F32, 128 x 32, 4> [FREE, FREE, FREE];
        GemmXor<F32, 64 x 64, 4> [FREE, FREE, FREE];
    }
}

/// Tiles of packs of 16 bytes that fit into 64 KiB: bits of an element, rows, packs
/// of a row.
fn tiles() -> impl Iterator<Item = (u32, u32, u32)> {
    let sizes = (0..6).flat_map(|chunks| (4..=8).map(move |m| (1 << m, 1 << chunks)));
    let fit = sizes.filter(|(m, chunks)| m * chunks * 16 <= 64 * 1024);
    fit.flat_map(|(m, chunks)| [4, 8, 16, 32, 64].map(|bits| (bits, m, chunks)))
}

/// The same for tiles that nobody listed, in one instruction and in all that cover
/// the tile: 16 to 256 rows of 16 to 512 bytes, elements of 4 to 64 bits.
#[test]
fn ck_gemm_xor_is_free_in_a_sweep() {
    let (mut free, mut small) = (0, 0);
    for (bits, m, chunks) in tiles() {
        let (pack, k) = (128 / bits, chunks * 128 / bits);
        let plan = recipe::gemm_xor(m, k, pack, recipe::mlds_layer(k, bits, 32)).unwrap();
        for (lanes, fits, instruction) in [
            (Lanes::row_major(), m * chunks >= 64, &gfx942::ds_write_b128),
            (Lanes::rows(16), chunks >= 4, &gfx942::ds_read_b128),
            (Lanes::rows(32), m >= 32 && chunks >= 2, &gfx942::ds_read_b128),
        ] {
            let found = [lanes.first(), lanes].map(|lanes| ways(&plan, bits, lanes, instruction));
            assert_eq!(found, [fits.then_some(1); 2], "{bits} bits, {m}x{k}");
            *if fits { &mut free } else { &mut small } += 1;
        }
    }
    assert_eq!((free, small), (320, 115));
}

/// The pad of pipeline v1, flatmm and FMHA's K is free for 32-row reads and 2-way
/// for 16-row reads, which users met as an "opaque" conflict
/// (ROCm/composable_kernel#200); rows below 128 bytes are also written 2-way.
#[test]
fn ck_pad_is_two_way() {
    gemm! {
        FlatmmPad<F16, 64 x 16, 8> [TWO, SMALL, FREE];
        FlatmmPad<F16, 64 x 32, 8> [TWO, TWO, FREE];
        FlatmmPad<F16, 128 x 32, 8> [TWO, TWO, FREE];
        FlatmmPad<F16, 128 x 64, 8> [FREE, TWO, FREE];
        FlatmmPad<BF16, 256 x 64, 8> [FREE, TWO, FREE];
        FlatmmPad<F16, 128 x 128, 8> [FREE, TWO, FREE];
        FlatmmPad<F8, 128 x 64, 16> [TWO, TWO, FREE];
        FlatmmPad<F8, 256 x 128, 16> [FREE, TWO, FREE];
        FlatmmPad<F32, 128 x 16, 4> [TWO, TWO, FREE];
        FlatmmPad<F32, 128 x 32, 4> [FREE, TWO, FREE];
    }
    // Rows of 32 bytes hold four packs of 8 bytes; read so, they are 2-way as well.
    let plan = <FlatmmPad<F16, M<64>, K<16>, KPack<8>>>::PLAN;
    assert_eq!(ways(&plan, 16, Lanes::rows(16), &gfx942::ds_read_b64), TWO);
}

/// FMHA backward unmerges (K/P, MLdsLayer) where the GEMM unmerges (MLdsLayer,
/// K/P), so its xor leaves conflicts where there are layers; the GEMM had the same
/// order until ROCm/composable_kernel#2007.
#[test]
fn ck_fmha_backward_conflicts_with_layers() {
    type Of<const DEPTH: usize> = FmhaBwdX<F16, MN<128>, K<DEPTH>, KPack<8>, KIter<1>>;
    assert_eq!(gemm(Of::<32>::default()), [FREE, Some(4), TWO]);
    assert_eq!(gemm(Of::<64>::default()), [FREE, FREE, FREE]);
}

/// The async GEMM pipeline copies straight to LDS and has neither xor nor pad:
/// rows of 128 bytes are read 8-way.
#[test]
fn ck_async_is_eight_way() {
    type Async = GemmAsync<F16, M<128>, K<64>, KPack<8>>;
    assert_eq!(gemm(Async::default()), [FREE, Some(4), Some(8)]);
}

/// "Pad the row" has no answer for a kernel that reads one tile both ways: pads
/// that free the 16-row read leave the 32-row read 2-way, and the other way round;
/// pads off 16 bytes are refused.
#[test]
fn no_row_pad_frees_both_reads() {
    let read = |pad: u32, rows| {
        let plan = Plan::naive(&[128, 64], &[64 + pad, 1]).unwrap();
        match Placed::new(&plan, 16, Lanes::rows(rows), &gfx942::ds_read_b128)
            .and_then(|placed| placed.verdict())
        {
            Ok(verdict) => Some(verdict.degree()),
            Err(AccessError::Address(tiledesc::access::AddressError::Misaligned {
                alignment: 16,
                ..
            })) => None,
            Err(misfit) => panic!("{misfit}"),
        }
    };
    let found = |pad| [read(pad, 16), read(pad, 32)];
    let aligned = [8, 16, 24, 32].map(found);
    assert_eq!(aligned, [[TWO, FREE], [FREE, TWO], [TWO, FREE], [TWO, Some(4)]]);
    for pad in 1..=32 {
        assert_ne!(found(pad), [FREE, FREE], "a pad of {pad}");
        assert_eq!(found(pad) == [None, None], pad % 8 != 0, "a pad of {pad}");
    }
}

/// The key of CK Tile's documentation, chunk ^ row, was made for gfx942; on gfx950 the
/// 16-row read stays conflict-free and the 32-row read becomes 2-way.
#[test]
fn ck_documented_xor_does_not_carry_over() {
    let plan = <XorPreshuffle<F16, M<128>, K<64>, KPack<8>>>::PLAN;
    let read = |rows, instruction| ways(&plan, 16, Lanes::rows(rows), instruction);
    assert_eq!([16, 32].map(|rows| read(rows, &gfx942::ds_read_b128)), [FREE, FREE]);
    assert_eq!([16, 32].map(|rows| read(rows, &gfx950::ds_read_b128)), [FREE, TWO]);
}

/// The banks that an instruction touches in all its lanes together.
fn banks(addresses: &Addresses, instruction: &Instruction) -> BTreeSet<u32> {
    let lanes = (0..64).filter_map(|lane| addresses.get(lane));
    let dwords = lanes.flat_map(|byte| byte / 4..(byte + instruction.bytes()).div_ceil(4));
    dwords.map(|dword| dword % instruction.service().banks).collect()
}

/// On a diagonal row and chunk are equal, their xor is 0, and every lane is sent to
/// the first chunk: one bank of 32 for packs of a dword (ROCm/rocm-libraries#11597),
/// four for packs of 16 bytes; plain rows would have been free.
#[test]
fn ck_xor_collapses_on_a_diagonal() {
    let found = |plan: &Plan, bits, instruction: &Instruction| {
        let placed = Placed::new(plan, bits, Lanes::diagonal(), instruction).unwrap();
        let (verdict, touched) = (placed.verdict().unwrap(), placed.touched(0).unwrap());
        let banks = banks(touched.addresses(), instruction);
        println!("{} on a diagonal: {}-way, {banks:?}", instruction.name(), verdict.degree());
        (verdict.degree(), banks.len())
    };
    let (halves, floats) = (&gfx942::ds_read_b128, &gfx942::ds_read_b32);
    let xor = <XorPreshuffle<F16, M<128>, K<64>, KPack<8>>>::PLAN;
    assert_eq!(found(&xor, 16, halves), (8, 4));
    let xor = <XorPreshuffle<F32, M<64>, K<32>, KPack<1>>>::PLAN;
    assert_eq!(found(&xor, 32, floats), (32, 1));
    let plain = |columns| Plan::naive(&[128, columns], &[columns, 1]).unwrap();
    assert_eq!(found(&plain(64), 16, halves), (1, 32));
    assert_eq!(found(&plain(32), 32, floats), (1, 32));
}

/// Which chunk of 16 bytes holds a row's chunk.
type Key = fn(u32, u32) -> u32;

/// The ways of `ds_read_b128`, lane l at row l mod R and chunk l / R, in each phase:
/// gfx942 R = 16 and 32, gfx950 R = 16 and 32.
fn keyed(stride: u32, key: Key) -> [u32; 4] {
    let chips = [gfx942::ds_read_b128, gfx950::ds_read_b128];
    [(0, 16), (0, 32), (1, 16), (1, 32)].map(|(chip, rows)| {
        let at = |lane| stride * (lane % rows) + 16 * key(lane / rows, lane % rows);
        let found = bank::conflicts(&Addresses::from_fn(|l| Some(at(l))), &chips[chip]).unwrap();
        assert_eq!(found.conflict_cycles, (found.degree() - 1) * found.base_cycles, "all phases");
        found.degree()
    })
}

/// A swizzle is right or wrong only for a chip, a row length and an operand: of these
/// keys none is conflict-free for a row of 128 bytes in all four columns, so check a key
/// that you copy from another kernel.
#[test]
fn keys_belong_to_chip_and_operand() {
    let none: Key = |chunk, _| chunk;
    let row: Key = |chunk, row| chunk ^ (row % 8);
    let pair: Key = |chunk, row| chunk ^ (row / 2 % 8);
    let row_of_16: Key = |chunk, row| chunk ^ (row % 16);
    let table = [
        (64, none, [2, 4, 2, 4]),
        (128, none, [4, 8, 4, 8]),
        (128, row, [1, 1, 1, 2]),
        (128, pair, [2, 2, 1, 1]),
        (128 + 16, none, [2, 1, 2, 1]),
        (256, none, [4, 8, 8, 16]),
        (256, row_of_16, [1, 1, 1, 1]),
    ];
    for (line, (stride, key, expected)) in table.into_iter().enumerate() {
        assert_eq!(keyed(stride, key), expected, "line {line}: rows every {stride} bytes");
    }
}

/// Lanes per bank, as NVlabs/cuda-oxide counts them: neither dwords nor phases.
fn lanes_per_bank(addresses: &Addresses) -> u32 {
    let mut lanes = [0; 32];
    (0..32)
        .filter_map(|lane| addresses.get(lane))
        .for_each(|byte| lanes[byte as usize / 4 % 32] += 1);
    lanes.into_iter().max().unwrap()
}

/// Dwords per bank over all 32 lanes, as facebookresearch/tensor-layouts counts
/// them: no phases.
fn dwords_per_bank(addresses: &Addresses, bytes: u32) -> usize {
    let lanes = (0..32).filter_map(|lane| addresses.get(lane));
    let dwords = lanes.flat_map(|byte| byte / 4..(byte + bytes).div_ceil(4));
    let dwords: BTreeSet<u32> = dwords.collect();
    (0..32).map(|bank| dwords.iter().filter(|d| *d % 32 == bank).count()).max().unwrap()
}

/// The three accesses of every kernel, on which other analyzers cry wolf: a
/// contiguous row of halves, a broadcast, contiguous vectors of 16 bytes.
#[test]
fn what_others_call_a_conflict_is_free() {
    let free = |addresses: &Addresses, instruction: &Instruction| {
        let found = bank::conflicts(addresses, instruction).unwrap();
        assert_eq!((found.degree(), found.conflict_cycles), (1, 0), "{}", instruction.name());
    };
    let wave = |stride: u32| Addresses::from_fn(|lane| Some(stride * lane));
    let warp = |stride: u32| Addresses::from_fn(|lane| (lane < 32).then_some(stride * lane));

    assert_eq!(lanes_per_bank(&warp(2)), 2);
    free(&warp(2), &sm_80::ld_shared_b16);
    free(&wave(2), &gfx942::ds_read_u16);

    assert_eq!(lanes_per_bank(&warp(0)), 32);
    free(&warp(0), &sm_80::ld_shared_b32);
    free(&wave(0), &gfx942::ds_read_b32);
    free(&wave(0), &gfx942::ds_read_b128);

    assert_eq!(dwords_per_bank(&warp(16), 16), 4);
    free(&warp(16), &sm_80::ld_shared_b128);
    free(&wave(16), &gfx942::ds_read_b128);
    free(&wave(16), &gfx950::ds_read_b128);
}

/// Of two swizzles that are free the one is named that CK takes for the banks of the chip.
#[test]
fn a_remedy_is_of_the_chip() {
    let shape = Shape { rows: 64, columns: 32, bits: 16 };
    let swizzle = |instruction| {
        let uses = [Use::new(Lanes::row_major().first(), instruction)];
        let all = tiledesc_host::search::candidates(shape, &uses).unwrap();
        let mut free = all.iter().filter(|one| one.layout.is_free(shape, &uses));
        free.find(|one| one.layout != Spec::row_major()).map(|one| one.layout)
    };
    assert_eq!(swizzle(&gfx942::ds_write_b128), Some(Spec::gemm_xor(8)));
    assert_eq!(swizzle(&gfx950::ds_read_b128), Some(Spec::gemm_xor_64(8)));
}

/// One key in sixteen is free on gfx942 and gfx950 for operands of 16 and of 32 rows of 128
/// bytes: the book's page on banks. `xor_t`'s, seq![1, 2, 4], is none of them.
#[test]
fn keys_that_are_free_on_two_chips() {
    use tiledesc::chip::{gfx942, gfx950};
    use tiledesc::{access::Addresses, bank::conflicts};

    let key = |masks: u32, row: u32| {
        (0..5).fold(0, |key, b| key ^ ((row >> b & 1) * (masks >> (3 * b) & 7)))
    };
    let is_free = |masks: u32| {
        [gfx942::ds_read_b128, gfx950::ds_read_b128].iter().all(|row| {
            [16, 32].into_iter().all(|rows| {
                let address = |l| 128 * (l % rows) + 16 * ((l / rows) ^ key(masks, l % rows));
                let lanes = Addresses::from_fn(|l| Some(address(l)));
                conflicts(&lanes, row).unwrap().degree() == 1
            })
        })
    };
    let of = |masks: [u32; 5]| masks.iter().rev().fold(0, |all, mask| all << 3 | mask);
    assert_eq!((0..1 << 15).filter(|masks| is_free(*masks)).count(), 2016);
    assert!(is_free(of([1, 2, 4, 0, 1])) && !is_free(of([1, 2, 4, 0, 0])));
}
