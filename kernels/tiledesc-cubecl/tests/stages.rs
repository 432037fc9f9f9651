//! The stage layouts of `cubek` computed a second time, as `cubecl-tile` does: by lines of 16 bytes,
//! blocks, keys and pitches, without descriptors.

use tiledesc::chip::gfx942;
use tiledesc_cubecl::{Stage, StageLayout, rank};

/// `StageStorage` and `RowArrangement` of `cubecl-tile` 0.12.0-pre.1, in elements.
fn offset(layout: StageLayout, stage: Stage, row: u32, column: u32) -> u32 {
    let [m, k] = match layout {
        StageLayout::Strided | StageLayout::PaddedRows => [stage.rows, stage.columns],
        _ => stage.tile,
    };
    let line = 128 / stage.bits;
    let lines = k / line;
    let padded = matches!(layout, StageLayout::PaddedRows | StageLayout::PaddedBlocks) && lines > 1;
    let pitch = lines + u32::from(padded);
    let block = row / m * (stage.columns / k) + column / k;
    let (row, column) = (row % m, column % k);
    let mut at = column / line;
    if layout == StageLayout::SwizzledBlocks && lines > 1 {
        let keys = lines.min(8);
        let rows_per_key = (8 / lines).max(1);
        at ^= row / rows_per_key % keys;
    }
    ((block * m + row) * pitch + at) * line + column % line
}

#[test]
fn the_stage_layouts_are_those_of_cubecl_tile() {
    let mut compared = 0;
    for bits in [16, 32] {
        for (rows, columns) in [(64, 64), (32, 128), (128, 32)] {
            for tile in [[16, 16], [16, 8], [8, 32], [32, 32], [16, columns]] {
                let stage = Stage { rows, columns, bits, tile };
                for layout in StageLayout::ALL {
                    let plan =
                        layout.plan(stage).unwrap_or_else(|error| panic!("{stage:?}: {error}"));
                    for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                        let expected = offset(layout, stage, row, column);
                        let got = plan.offset(&[row, column]);
                        assert_eq!(got, Ok(expected), "{layout}, {stage:?}, ({row}, {column})");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 2 * 3 * 4096 * 5 * 5);
}

#[test]
fn a_tile_that_does_not_divide_the_stage_is_refused() {
    let stage = Stage { rows: 64, columns: 64, bits: 16, tile: [0, 64] };
    assert!(StageLayout::Blocks.plan(stage).is_err());
    let stage = Stage { tile: [48, 64], ..stage };
    assert!(StageLayout::Blocks.plan(stage).is_err());
    assert!(rank(&gfx942, stage, &[]).is_err());
    let stage = Stage { bits: 0, tile: [16, 64], ..stage };
    assert!(StageLayout::PaddedRows.plan(stage).is_err());
}
