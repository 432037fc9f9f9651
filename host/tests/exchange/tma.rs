//! TMA's modes: the masks of CuTe's table, the alignment that the pattern needs, and the
//! undocumented modes.

use serde_json::Value;
use tiledesc_host::exchange::tma::Mode;

const MODES: [Mode; 5] = [Mode::None, Mode::B32, Mode::B64, Mode::B128, Mode::B128Atom32];

#[test]
fn masks_are_cutes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/cute/tma_swizzle.json");
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let modes = json["modes"].as_object().unwrap();
    for (name, table) in modes {
        let wanted = format!("SWIZZLE_{name}");
        let mode = MODES.into_iter().find(|mode| mode.name() == wanted);
        let mode = mode.unwrap_or_else(|| panic!("{name} has no mode"));
        for (chunk, stored) in table["chunk_map_1024B"].as_array().unwrap().iter().enumerate() {
            let address = mode.address(4096, 16 * chunk as u32).unwrap();
            assert_eq!(u64::from(address - 4096), 16 * stored.as_u64().unwrap(), "{name}: {chunk}");
        }
    }
    assert!(modes.len() >= 3);
}

/// At a multiple of the alignment the pattern is that of a tile at 0; at half of it, where
/// there is a pattern, it is another. Only that of 32-byte atoms repeats earlier than the
/// documented boundary.
#[test]
fn the_alignment_is_what_the_pattern_needs() {
    let alignments = MODES.map(|mode| mode.base_alignment().unwrap());
    assert_eq!(alignments, [128, 256, 512, 1024, 1024]);
    assert_eq!(MODES.map(|mode| mode.span().unwrap()), [16, 32, 64, 128, 128]);
    for mode in MODES {
        let (swizzle, alignment) = (mode.swizzle().unwrap(), mode.base_alignment().unwrap());
        let from = |base: u32| -> Vec<u32> {
            (0..4096).map(|offset| swizzle.apply(base + offset).wrapping_sub(base)).collect()
        };
        assert_eq!(from(3 * alignment), from(0), "{mode:?}");
        let repeats_earlier = matches!(mode, Mode::None | Mode::B128Atom32);
        assert_eq!(from(alignment / 2) == from(0), repeats_earlier, "{mode:?}");
        let refused = mode.address(alignment / 2, 0).unwrap_err();
        let (name, half) = (mode.name(), alignment / 2);
        assert_eq!(
            refused.to_string(),
            format!(
                "{name}: a tile at byte {half} would be stored with the pattern shifted: its base must be a multiple of \
                 {alignment}"
            ),
        );
    }
}

#[test]
fn undocumented_modes_are_refused_by_name() {
    for mode in [Mode::B128Atom32Flip8, Mode::B128Atom64] {
        assert_eq!(mode.address(0, 0).unwrap_err().to_string(), undocumented(mode));
    }
}

/// A box as a plan is where the engine stores it, for every width of elements.
#[test]
fn boxes_lie_where_the_engine_stores_them() {
    let mut elements = 0;
    for mode in MODES {
        for bits in [8, 16, 32, 64] {
            let plan = mode.tile(24, bits).unwrap().plan().unwrap();
            let line = 8 * mode.span().unwrap() / bits;
            assert_eq!(plan.lengths(), [24, line], "{mode:?}");
            for [row, column] in (0..24).flat_map(|r| (0..line).map(move |c| [r, c])) {
                let stored = mode.address(8192, (row * line + column) * bits / 8).unwrap() - 8192;
                let lies = plan.offset(&[row, column]).unwrap() * bits / 8;
                assert_eq!(lies, stored, "{mode:?}, {bits} bits: {row}, {column}");
                elements += 1;
            }
        }
    }
    assert_eq!(elements, 24 * (16 + 32 + 64 + 128 + 128) * (8 + 4 + 2 + 1) / 8);
    let says = |mode: Mode, rows, bits| mode.tile(rows, bits).unwrap_err().to_string();
    assert_eq!(
        says(Mode::B128, 8, 24),
        "units of 8 and of 24 bits: neither is the other times a power of two",
    );
    assert_eq!(says(Mode::B128, 0, 16), "mode 0 has length 0");
    assert_eq!(says(Mode::B128Atom64, 8, 16), undocumented(Mode::B128Atom64));
}

fn undocumented(mode: Mode) -> String {
    let name = mode.name();
    format!("{name}: NVIDIA does not document its pattern, so it has no address here")
}
