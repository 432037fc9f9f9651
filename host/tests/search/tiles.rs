//! Tiles that kernels have: what is known to be free is found free.
//!
//! | test | promise |
//! |---|---|
//! | `tiles_of_gemms` | 213 tiles, written row by row and read as operands |
//! | `with_the_diagonal` | 61 that are read down a column and a diagonal, too |
//! | `rows_of_any_length` | 492 tiles whose row length is not a power of two |
//! | `tiles_of_floats` | 32 x 32 floats by rows, columns and the diagonal |
//! | `several_chips` | one layout for two chips |
//! | `one_access_many_times` | an access that is asked for 70 times costs 70 times as much |

use crate::costs::{Laid, accesses, costs};
use support::asked::fits;
use tiledesc::chip::{Instruction, gfx942, gfx950, gfx1100, sm_80, sm_90};
use tiledesc::pattern::Lanes;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;
use tiledesc_host::search::{Known, find};

/// A write and a read of 16 bytes.
const CHIPS: [[&Instruction; 2]; 4] = [
    [&gfx942::ds_write_b128, &gfx942::ds_read_b128],
    [&gfx950::ds_write_b128, &gfx950::ds_read_b128],
    [&gfx1100::ds_store_b128, &gfx1100::ds_load_b128],
    [&sm_90::st_shared_b128, &sm_90::ld_shared_b128],
];

/// Of long sweeps a plain `cargo test` finds and counts every ninth tile, `--release` all.
const EVERY: usize = if cfg!(debug_assertions) { 9 } else { 1 };

/// A tile that is written row by row, and read by these.
type Tile = (Shape, Vec<Use<'static>>);

/// Finds a layout without a conflict and without a byte more, and counts it.
fn is_free((tile, uses): &Tile) {
    let found = find(*tile, uses).unwrap();
    assert_eq!(found.known(), Known::Floor, "{tile:?} {found}");
    let bytes = u64::from(tile.rows * tile.columns * tile.bits / 8);
    assert_eq!(found.best.bytes, bytes, "{tile:?} {found}");
    let laid = Laid::of(*tile, found.best.layout).unwrap();
    let counted = costs(&laid, &accesses(*tile, uses).unwrap()).unwrap();
    assert_eq!(counted.weight, found.floor, "{tile:?} {found}");
}

/// Tiles of these lengths on gfx942 and gfx950 that hold a write and some reads.
fn tiles(lengths: &[[u32; 2]], reads: &[Vec<Lanes<'static>>]) -> Vec<Tile> {
    let mut all = Vec::new();
    for ([store, load], bits) in
        CHIPS[..2].iter().flat_map(|chip| [8, 16, 32].map(|bits| (chip, bits)))
    {
        for ([rows, columns], reads) in
            lengths.iter().flat_map(|lengths| reads.iter().map(move |reads| (lengths, reads)))
        {
            let tile = Shape { rows: *rows, columns: *columns, bits };
            let mut uses = vec![Use::new(Lanes::row_major(), store)];
            uses.extend(reads.iter().map(|lanes| Use::new(*lanes, load)));
            if uses.iter().all(|one| fits(tile, one)) {
                all.push((tile, uses));
            }
        }
    }
    all
}

fn lengths(columns: &[u32]) -> Vec<[u32; 2]> {
    [64, 128, 256].iter().flat_map(|m| columns.iter().map(move |k| [*m, *k])).collect()
}

/// Of 270 tiles of GEMMs, written row by row and read as operands of 16 rows, of 32, or of both, 213 hold their accesses.
#[test]
fn tiles_of_gemms() {
    let operands = [&[16][..], &[32], &[16, 32]];
    let reads = operands.map(|rows| rows.iter().map(|rows| Lanes::rows(*rows)).collect());
    let all = tiles(&lengths(&[16, 32, 64, 128, 256]), &reads);
    assert_eq!(all.len(), 213);
    all.iter().step_by(EVERY).for_each(is_free);
}

/// Write, both operands, a column, and the diagonal on which xor_t is 8-way (rocm-libraries 11597).
#[test]
fn with_the_diagonal() {
    let reads = vec![Lanes::rows(16), Lanes::rows(32), Lanes::column(), Lanes::diagonal()];
    let all = tiles(&lengths(&[32, 64, 128, 256]), &[reads]);
    assert_eq!(all.len(), 61);
    all.iter().for_each(is_free);
}

/// K that is a multiple of 8 but not a power of two, from 24 to 320: swizzles of the dense offset.
#[test]
fn rows_of_any_length() {
    let mut all = Vec::new();
    for ([store, load], rows) in
        CHIPS.iter().flat_map(|chip| [32, 64, 128, 256].map(|rows| (chip, rows)))
    {
        for columns in (24..=320).step_by(8).filter(|k: &u32| !k.is_power_of_two()) {
            let tile = Shape { rows, columns, bits: 16 };
            let write = Use::new(Lanes::row_major(), store);
            let reads = [16, 32].map(|rows| Use::new(Lanes::rows(rows), load));
            for uses in reads.map(|read| vec![write, read]) {
                if uses.iter().all(|one| fits(tile, one)) {
                    all.push((tile, uses));
                }
            }
        }
    }
    assert_eq!(all.len(), 492);
    all.iter().step_by(EVERY).for_each(is_free);
}

/// 32 x 32 floats and 32 lanes: rows, columns and the diagonal.
#[test]
fn tiles_of_floats() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    let read = |lanes| Use::new(lanes, &sm_80::ld_shared_b32);
    let all = [Lanes::row_major(), Lanes::column(), Lanes::diagonal()].map(read);
    is_free(&(tile, all[..2].to_vec()));
    is_free(&(tile, all.to_vec()));
}

/// One layout for two chips, where the one that CK takes for either is 2-way on the other.
#[test]
fn several_chips() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let of_chip = |[store, load]: [&'static Instruction; 2]| {
        let read = |rows| Use::new(Lanes::rows(rows), load);
        [Use::new(Lanes::row_major(), store), read(16), read(32)]
    };
    let uses: Vec<_> = CHIPS[..2].iter().flat_map(|chip| of_chip(*chip)).collect();
    let found = find(tile, &uses).unwrap();
    for ck in [Spec::gemm_xor(8), Spec::gemm_xor_64(8)] {
        let laid = Laid::of(tile, ck).unwrap();
        let counted = costs(&laid, &accesses(tile, &uses).unwrap()).unwrap();
        assert!(counted.weight > found.floor, "{ck:?}");
    }
    is_free(&(tile, uses));
}

/// As many accesses as 1 that is done so often.
#[test]
fn one_access_many_times() {
    for columns in [64, 96] {
        let tile = Shape { rows: 64, columns, bits: 16 };
        let read = Use::new(Lanes::rows(32), &gfx942::ds_read_b128);
        let one = find(tile, &[read]).unwrap();
        for count in [31, 33, 64, 65, 70] {
            let all = find(tile, &vec![read; count]).unwrap();
            let wanted = [one.best.cycles, one.floor].map(|cycles| count as u64 * cycles);
            assert_eq!([all.best.cycles, all.floor], wanted, "{count} of {columns}");
        }
    }
}
