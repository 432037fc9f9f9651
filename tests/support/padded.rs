//! Adaptors in the schema of CK's tables, of which some coordinates are in padding. Their
//! bottom indices are worked out by hand, as CK computes them.

use crate::Table;
use serde_json::{Value, json};

/// An adaptor over two bottom dimensions, its bottom indices by hand.
fn by_hand(name: &str, transforms: Value, top: &[u32], lengths: &[u32], bottom: Value) -> Table {
    let hidden = top.iter().max().map_or(0, |last| last + 1);
    let total: u32 = lengths.iter().product();
    let json = json!({
        "schema": 1, "kind": "tensor_adaptor", "name": name,
        "flat": {"ndim_hidden": hidden, "transforms": transforms, "bottom": [0, 1], "top": top},
        "lengths": lengths, "total": total, "bottom_index": bottom
    });
    Table { name: name.to_owned(), json }
}

/// Adaptors of which some coordinates are in padding.
pub fn padded_adaptors() -> [Table; 4] {
    let both = json!([
        {"type": "pad", "low_length": 2, "left": 2, "right": 1, "skip_check": false, "lower": [0], "upper": [2]},
        {"type": "right_pad", "low_length": 1, "right": 1, "skip_check": true, "lower": [1], "upper": [3]}
    ]);
    let bottoms =
        json!([[-2, 0], [-2, 1], [-1, 0], [-1, 1], [0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]);
    // An index past the end makes the first digit larger than its length.
    let past = json!([
        {"type": "merge", "lengths": [2, 3], "lower": [0, 1], "upper": [2]},
        {"type": "right_pad", "low_length": 6, "right": 2, "skip_check": false, "lower": [2], "upper": [3]}
    ]);
    let digits = json!([[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1]]);
    // CK divides signed numbers, rounding to zero.
    let before = json!([
        {"type": "merge_divmod", "lengths": [2, 3], "lower": [0, 1], "upper": [2]},
        {"type": "left_pad", "low_length": 6, "left": 4, "skip_check": false, "lower": [2], "upper": [3]}
    ]);
    let signed = json!([
        [-1, -1],
        [-1, 0],
        [0, -2],
        [0, -1],
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 1],
        [1, 2]
    ]);
    // CK's xor takes the modulo of an index past the end, and of a negative one.
    let xor = json!([
        {"type": "xor", "lengths": [2, 2], "lower": [0, 1], "upper": [2, 3]},
        {"type": "pad", "low_length": 2, "left": 1, "right": 1, "skip_check": false, "lower": [2], "upper": [4]}
    ]);
    let mixed = json!([[-1, -1], [-1, -2], [0, 0], [0, 1], [1, 1], [1, 0], [2, 0], [2, 1]]);
    [
        by_hand("padded_both", both, &[2, 3], &[5, 2], bottoms),
        by_hand("padded_past", past, &[3], &[8], digits),
        by_hand("padded_before", before, &[3], &[10], signed),
        by_hand("padded_xor", xor, &[4, 3], &[4, 2], mixed),
    ]
}
