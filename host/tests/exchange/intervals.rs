//! Interval padding in the words of others.
//!
//! | test | promise |
//! |---|---|
//! | `as_ck_has_them` | the descriptors, encodings and refusals that CK Tile's own test of the tensor data mover's padding asserts |
//! | `the_limits` | of every interval and pad of up to 2,100 bytes those are taken that CK's condition takes, the fields say them again, and a layout is refused with the limit that it breaks |
//! | `found_in_layouts` | random tiles of any lengths: the interval and pad of each padded layout, and of no other |
//! | `tensilelite_there_and_back` | TensileLite's two numbers and its text, where the block is rows, parts of rows, or none |

use support::fuzz::Dice;
use tiledesc::Plan;
use tiledesc::recipe::{Shape, Spec};
use tiledesc_host::exchange::intervals::{Padding, TdmPadding};

/// `test_qr_tdm_lds_padding.cpp`: tiles of 2-byte elements, where an element lies, the bytes of all.
#[test]
fn as_ck_has_them() {
    let qk: TdmPadding = "LdsPaddingConfig<true, 256, 16>".parse().unwrap();
    let v: TdmPadding = "ck_tile::detail::LdsPaddingConfig<true, 256, 32>".parse().unwrap();
    assert_eq!((qk.fields(), v.fields(), TdmPadding::NONE.fields()), ([5, 3], [5, 7], [0, 0]));
    for (padding, [rows, columns], [row, column, byte], bytes) in [
        (TdmPadding::NONE, [128, 128], [1, 0, 256], 32768),
        (qk, [128, 128], [0, 127, 254], 34800),
        (qk, [128, 128], [1, 0, 272], 34800),
        (qk, [128, 128], [127, 127, 34798], 34800),
        (qk, [64, 128], [1, 0, 272], 17392),
        (qk, [64, 32], [4, 0, 272], 4336),
        (v, [64, 128], [1, 0, 288], 18400),
    ] {
        let tile = Shape { rows, columns, bits: 16 };
        let plan = match padding.interval() {
            0 => Spec::row_major().plan(tile),
            interval => Spec::interval_pad(interval / 2, padding.amount() / 2).plan(tile),
        };
        let plan = plan.unwrap();
        assert_eq!(plan.offset(&[row, column]).map(|offset| offset * 2), Ok(byte));
        assert_eq!(plan.element_space() * 2, bytes);
        assert_eq!(Padding::from_plan(&plan, 16).unwrap().tdm(), Ok(padding));
    }
    for text in [
        "LdsPaddingConfig<false, 256, 16>",
        "LdsPaddingConfig<true, 0, 16>",
        "LdsPaddingConfig<true, 192, 16>",
        "LdsPaddingConfig<true, 2048, 16>",
        "LdsPaddingConfig<true, 256, 516>",
        "LdsPaddingConfig<true, 256>",
        "LdsPaddingConfig<true, 256, 16, 0>",
        "LdsPadding<true, 256, 16>",
    ] {
        assert!(text.parse::<TdmPadding>().is_err(), "{text}");
    }
}

#[test]
fn the_limits() {
    let mut taken = 0;
    for (interval, amount) in (0..2100).flat_map(|i| (0..600).map(move |amount| (i, amount))) {
        let wanted = (8..=1024).contains(&interval)
            && interval % 4 == 0
            && interval & (interval - 1) == 0
            && (4..=512).contains(&amount)
            && amount % 4 == 0;
        let made = TdmPadding::new(interval, amount);
        assert_eq!(made.is_ok(), wanted, "{interval} {amount}");
        let Ok(made) = made else { continue };
        let [log2, dwords] = made.fields();
        assert!(log2 < 8 && dwords < 128);
        assert_eq!((4 << (log2 + 1), 4 * (dwords + 1)), (interval, amount));
        assert_eq!(made.word(), (1 << 20) | (log2 << 22) | (dwords << 25));
        assert_eq!(TdmPadding::of_word(made.word()), made);
        assert_eq!(made.to_string().parse(), Ok(made));
        taken += 1;
    }
    assert_eq!(taken, 8 * 128);
    let refused = |bits, every, pad| {
        let tile = Shape { rows: 64, columns: 96, bits };
        let plan = Spec::interval_pad(every, pad).plan(tile).unwrap();
        Padding::from_plan(&plan, bits).unwrap().tdm()
    };
    for (bits, every, pad, limit) in [
        (16, 96, 8, "an interval of 192 bytes: "),
        (16, 1024, 8, "an interval of 2048 bytes: "),
        (8, 4, 4, "an interval of 4 bytes: "),
        (16, 128, 1, "a pad of 2 bytes: "),
        (32, 128, 129, "a pad of 516 bytes: "),
        (4, 128, 1, "1 elements of 4 bits do not fill whole bytes"),
    ] {
        let refused = refused(bits, every, pad).unwrap_err().to_string();
        assert!(refused.starts_with(limit), "{refused}");
    }
    assert_eq!(refused(4, 128, 8).unwrap().to_string(), "LdsPaddingConfig<true, 64, 4>");
}

#[test]
fn found_in_layouts() {
    let (mut dice, mut padded, mut others) = (Dice(3), 0, 0);
    for _ in 0..2000 {
        let [rows, columns] = [1 + dice.below(40), 1 + dice.below(40)];
        let tile = Shape { rows, columns, bits: 16 };
        let (every, pad) = (1 + dice.below(64), 1 + dice.below(20));
        if let Ok(plan) = Spec::interval_pad(every, pad).plan(tile) {
            let found = Padding::from_plan(&plan, 16).unwrap();
            // A pad behind the last element is none.
            let is_seen = every < rows * columns;
            assert_eq!((found.every(), found.pad()), if is_seen { (every, pad) } else { (0, 0) });
            let again = found.plan().unwrap();
            for at in (0..rows).flat_map(|row| (0..columns).map(move |column| [row, column])) {
                assert_eq!(again.offset(&at), plan.offset(&at));
            }
            padded += u32::from(is_seen);
        }
        let rows_apart = Spec::row_pad(pad).plan(tile).unwrap();
        let found = Padding::from_plan(&rows_apart, 16).unwrap();
        assert_eq!((found.every(), found.pad()), if rows > 1 { (columns, pad) } else { (0, 0) });
        // Rows in another order, and columns.
        let turned = Plan::naive(&[rows, columns], &[1, rows]).unwrap();
        assert_eq!(Padding::from_plan(&turned, 16).is_ok(), rows == 1 || columns == 1);
        others += 1;
    }
    assert!(padded > 200 && others > 100, "{padded} {others}");
    let error = Padding::from_plan(&Plan::packed(&[8]).unwrap(), 16).unwrap_err();
    assert!(error.to_string().starts_with("element (0, 0) lies at 0, "), "{error}");
}

#[test]
fn tensilelite_there_and_back() {
    for (tile, bits, numbers, at, offset) in [
        // Row by row; a pad behind each row; after four rows; within a row; a block of a row.
        ([64, 32], 16, [0, 0], [5, 3], 5 * 32 + 3),
        ([64, 32], 16, [0, 8], [5, 3], 5 * 40 + 3),
        ([64, 32], 16, [256, 8], [5, 3], 5 * 32 + 3 + 8),
        ([16, 256], 16, [256, 4], [1, 130], 386 + 3 * 4),
        ([16, 256], 8, [128, 16], [1, 130], 386 + 3 * 16),
        ([32, 64], 32, [1024, 6], [31, 63], 2047 + 7 * 6),
    ] {
        let padding = Padding::of_tensilelite(tile, bits, numbers).unwrap();
        let plan = padding.plan().unwrap();
        assert_eq!(plan.offset(&at), Ok(offset), "{numbers:?}");
        let found = Padding::from_plan(&plan, bits).unwrap();
        assert_eq!((found, found.tensilelite()), (padding, numbers));
        assert_eq!(Padding::of_tensilelite_text(tile, bits, &found.to_string()), Ok(padding));
    }
    // A block of one row is written as none.
    let row = Padding::of_tensilelite([64, 32], 16, [64, 8]).unwrap();
    assert_eq!(row.tensilelite(), [0, 8]);
    for text in [
        "",
        "LdsPad: 8",
        "LdsBlockSizePerPad: 256",
        "LdsPad: 8, LdsPad: 8",
        "LdsPad: x, LdsBlockSizePerPad: 256",
        "LdsPadC: 8, LdsBlockSizePerPad: 256",
    ] {
        let refused = Padding::of_tensilelite_text([64, 32], 16, text).unwrap_err();
        let wanted = "expected `LdsBlockSizePerPad: 256, LdsPad: 8`";
        assert_eq!(refused.to_string(), wanted, "{text}");
    }
    let odd = Padding::of_tensilelite([64, 32], 32, [258, 8]);
    assert_eq!(odd.unwrap_err().to_string(), "258 elements of 32 bits do not fill whole bytes",);
}
