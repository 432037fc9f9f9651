//! The search for masks: what it finds is free, and where single shifts end it goes on.

use tiledesc::chip::{gfx942, gfx950};
use tiledesc::pattern::Lanes;
use tiledesc::remedy::{Remedy, Shape, Use};
use tiledesc::{Instruction, Placed};

fn read(lanes: Lanes<'static>, instruction: &'static Instruction) -> Use<'static> {
    Use::new(lanes, instruction)
}

/// Every access of the kernel, in all its instructions, lane by lane.
fn is_free(remedy: Remedy, tile: Shape, uses: &[Use<'_>]) -> bool {
    let plan = remedy.plan(tile).unwrap();
    uses.iter().all(|access| {
        let placed = Placed::new(&plan, tile.bits, access.lanes.whole(), access.instruction);
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
                let plain = Remedy::RowPad { elements: 0 }.plan(tile).unwrap();
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
        let found = tile.swizzle(&uses).unwrap_or_else(|| panic!("{tile:?} has no swizzle"));
        assert!(is_free(found, tile, &uses), "{tile:?}: {found:?}");
        let pad = tile.row_pad(&uses);
        pads += u32::from(pad.is_some());
        match found {
            Remedy::XorBits { .. } => {
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

/// The diagonal on which xor_t is 8-way (rocm-libraries 11597): write, both operands and the
/// diagonal, by masks found at once.
#[test]
fn the_diagonal_too() {
    let mut tried = 0;
    for (store, load) in [
        (&gfx942::ds_write_b128, &gfx942::ds_read_b128),
        (&gfx950::ds_write_b128, &gfx950::ds_read_b128),
    ] {
        for (rows, columns) in
            [64, 128, 256].into_iter().flat_map(|m| [32, 64, 128, 256].map(|k| (m, k)))
        {
            let tile = Shape { rows, columns, bits: 16 };
            if rows * columns * 2 > store.memory().unwrap() {
                continue;
            }
            let uses = [
                read(Lanes::row_major(), store),
                read(Lanes::rows(16), load),
                read(Lanes::rows(32), load),
                read(Lanes::diagonal(), load),
            ];
            let found = (0..4).find_map(|log| {
                let masks = tile.masks(8, 1 << log, &uses)?;
                Some(Remedy::XorBits { pack: 8, layers: 1 << log, masks })
            });
            let found = found.unwrap_or_else(|| panic!("{tile:?}"));
            assert!(
                is_free(found, tile, &uses[..3]) && found.is_free(tile, &uses),
                "{tile:?} {found:?}"
            );
            tried += 1;
        }
    }
    assert_eq!(tried, 23);
}

/// Against every choice of masks: there are some exactly where the search finds some.
#[test]
fn exhausted() {
    let (mut found, mut none) = (0, 0);
    // Columns of the tile, rows of the operand, and rows apart: some are never free.
    for (bits, rows, columns, stride) in [8u32, 16, 32].into_iter().flat_map(|bits| {
        [16u32, 32, 64, 256, 512].into_iter().flat_map(move |rows| {
            [16u32, 32, 64].into_iter().flat_map(move |columns| {
                [1u32, 2, 4, 8, 16, 32].map(move |stride| (bits, rows, columns, stride))
            })
        })
    }) {
        let tile = Shape { rows, columns, bits };
        let (pack, line) = (128 / bits, columns * bits / 128);
        if line < 2 || u64::from(line).pow(rows.ilog2()) > 70_000 {
            continue;
        }
        let uses = [
            read(Lanes::strided(stride * pack), &gfx942::ds_read_b128),
            read(Lanes::rows(16), &gfx942::ds_read_b128),
        ];
        let plain = Remedy::RowPad { elements: 0 }.plan(tile).unwrap();
        let fits = |access: &Use<'_>| {
            Placed::new(&plain, bits, access.lanes, access.instruction)
                .is_ok_and(|placed| placed.verdict().is_ok())
        };
        if !uses.iter().all(fits) {
            continue;
        }
        let choices = (line as u64).pow(rows.ilog2());
        let any = (0..choices).any(|mut choice| {
            let mut masks = tiledesc::List::EMPTY;
            for _ in 0..rows.ilog2() {
                masks = masks.push_back((choice % u64::from(line)) as u32).unwrap();
                choice /= u64::from(line);
            }
            Remedy::XorBits { pack, layers: 1, masks }.is_free(tile, &uses)
        });
        let masks = tile.masks(pack, 1, &uses);
        assert_eq!(masks.is_some(), any, "{tile:?}, every {stride}th pack: {masks:?}");
        *if any { &mut found } else { &mut none } += 1;
    }
    println!("{found} with masks, {none} without");
    assert!(found > 5 && none > 0, "{found} with masks, {none} without");
}
