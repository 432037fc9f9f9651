//! The search for masks: what it finds is free, and where single shifts end it goes on.

use tiledesc::chip::{gfx942, gfx950};
use tiledesc::pattern::Lanes;
use tiledesc::search::{Scheme, Shape, Spec, Use};
use tiledesc::{access::Placed, chip::Instruction};

fn read(lanes: Lanes<'static>, instruction: &'static Instruction) -> Use<'static> {
    Use::new(lanes, instruction)
}

/// Every access of the kernel, in all its instructions, lane by lane.
fn is_free(remedy: Spec, tile: Shape, uses: &[Use<'_>]) -> bool {
    let plan = remedy.plan(tile).unwrap();
    uses.iter().all(|access| {
        let placed = Placed::new(&plan, tile.bits, access.lanes, access.instruction);
        placed.unwrap().verdict().is_ok_and(|verdict| verdict.is_free())
    })
}

/// Tiles of GEMMs: the write row by row, the operand of 16 rows, of 32, or of both.
fn gemm_tiles() -> Vec<(Shape, Vec<Use<'static>>)> {
    let mut all = Vec::new();
    let chips = [
        (&gfx942::ds_write_b128, &gfx942::ds_read_b128),
        (&gfx950::ds_write_b128, &gfx950::ds_read_b128),
    ];
    for (store, load) in chips {
        for (bits, rows, columns) in [8, 16, 32].into_iter().flat_map(|bits| {
            [64, 128, 256]
                .into_iter()
                .flat_map(move |rows| [16, 32, 64, 128, 256].map(|columns| (bits, rows, columns)))
        }) {
            let tile = Shape { rows, columns, bits };
            for operands in [&[16][..], &[32], &[16, 32]] {
                let mut uses = vec![read(Lanes::row_major(), store)];
                uses.extend(operands.iter().map(|rows| read(Lanes::rows(*rows), load)));
                // Only tiles that the accesses fit.
                let plain = Spec::row_pad(0).plan(tile).unwrap();
                let fits = |access: &Use<'_>| {
                    Placed::new(&plain, bits, access.lanes, access.instruction)
                        .is_ok_and(|placed| placed.verdict().is_ok())
                };
                if uses.iter().all(fits) {
                    all.push((tile, uses));
                }
            }
        }
    }
    all
}

/// All of them have a swizzle that costs no byte; nine need more than a shift, and no pad of
/// theirs is free either.
#[test]
fn gemm_tiles_are_free() {
    let (mut shifts, mut masks, mut pads) = (0, 0, 0);
    for (tile, uses) in gemm_tiles() {
        let found = tile.synthesize(&uses).unwrap_or_else(|no| panic!("{tile:?}: {no}")).layout();
        assert!(is_free(found, tile, &uses), "{tile:?}: {found:?}");
        let pad = tile.row_pad(&uses);
        pads += u32::from(pad.is_some());
        match found.scheme() {
            Scheme::MaskedLayers => {
                masks += 1;
                assert_eq!((tile.columns * tile.bits, pad), (512, None), "{tile:?}");
            }
            _ => shifts += 1,
        }
    }
    println!("{} tiles: {shifts} by shifts, {masks} by masks, {pads} by a row pad", shifts + masks);
    assert_eq!(masks, 9);
    assert!(shifts > 150);
}

/// A pad of a whole round of all banks leaves every bank where it was: no pad at all, though the tile
/// without one is free.
#[test]
fn no_pad_of_a_whole_round() {
    let tile = Shape { rows: 32, columns: 32, bits: 16 };
    let both = [
        Use::new(Lanes::row_major(), &gfx942::ds_write_b128),
        Use::new(Lanes::row_major(), &gfx942::ds_read_b128),
    ];
    assert!(Spec::row_major().is_free(tile, &both));
    assert!(Spec::row_pad(64).is_free(tile, &both));
    assert_eq!(tile.row_pad(&both), None);
}

/// The example of `src/search/fill.rs`: a direct load cannot write around a pad, and can fill a swizzle.
#[test]
fn a_tile_that_a_direct_load_fills_has_no_pad() {
    use tiledesc::search::Fill;

    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let read = Use::new(Lanes::rows(16), &gfx950::ds_read_b128);
    let filled = read.filled_by(Fill::by(&gfx950::global_load_lds_b128, 4));
    assert_eq!(tile.row_pad(&[read]), Some(Spec::row_pad(16)));
    assert_eq!(tile.row_pad(&[filled]), None);
    assert!(Spec::gemm_xor(8).is_free(tile, &[filled]));
}
