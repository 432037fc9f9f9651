use super::*;
use crate::access::placed::Placed;
use crate::bank::conflicts::conflicts;
use crate::chip::{gfx942, gfx950, sm_90};
use crate::pattern::Lanes;
use tiledesc_transforms::{List, Op, Plan};

/// A dense tile with `width` bits of an element's number from bit `from` on xor-ed into those from bit `into` on.
fn swizzled([rows, columns]: [u32; 2], [from, into, width]: [u32; 3]) -> Plan {
    let dense = Plan::packed(&[rows * columns]).unwrap().xor_fields(from, into, width).unwrap();
    let tile = Op::Unmerge { lengths: List::pair(rows, columns) };
    dense.transform(&[tile], &[&[0]], &[&[0, 1]]).unwrap()
}

/// The first instruction of each class as its lanes say it one by one, also which phase is shown.
#[test]
fn as_lanes_one_by_one() {
    let rows = [
        &gfx942::ds_read_b128,
        &gfx942::ds_write_b64,
        &gfx942::ds_read_b32,
        &gfx950::ds_read_b128,
        &sm_90::ld_shared_b128,
    ];
    let patterns = [Lanes::row_major(), Lanes::rows(16), Lanes::rows(32), Lanes::column()];
    let (mut counted, mut crowded, mut later) = (0, 0, 0);
    for (tile, fields) in [
        ([128, 96], [6, 3, 3]),
        ([64, 80], [5, 3, 2]),
        ([128, 72], [7, 3, 3]),
        ([64, 48], [6, 4, 2]),
    ] {
        let plan = swizzled(tile, fields);
        for (lanes, row) in patterns.into_iter().flat_map(|lanes| rows.map(|row| (lanes, row))) {
            let Ok(placed) = Placed::new(&plan, 16, lanes, row) else { continue };
            let (Some(classes), Some(flips)) = (placed.number_classes(), placed.flips()) else {
                continue;
            };
            if !classes.are_apart() {
                continue;
            }
            for class in 0..classes.count() {
                let touched = placed.touched(classes.at(class).0).unwrap();
                let wanted = conflicts(touched.addresses(), row).unwrap();
                let of = (placed.bits_and_alignment(), (row, row.service()));
                let found = conflicts_by_number(&classes, &flips, class, of.0, of.1).unwrap();
                assert_eq!(found, wanted, "{tile:?} {fields:?} {} {lanes:?} {class}", row.name());
                counted += 1;
                crowded += u32::from(found.degree > 1);
                later += u32::from(found.phase > 0);
            }
        }
    }
    assert!(counted > 200 && crowded > 80 && later > 10, "{counted} {crowded} {later}");
}

/// Lanes three halves apart have no address of which 8 bytes can be read.
#[test]
fn off_the_alignment() {
    let plan = swizzled([128, 96], [6, 3, 3]);
    let placed = Placed::new(&plan, 16, Lanes::strided(3), &gfx942::ds_read_u16).unwrap();
    let (classes, flips) = (placed.number_classes().unwrap(), placed.flips().unwrap());
    let by = |alignment| {
        let row = (&gfx942::ds_read_u16, gfx942::ds_read_u16.service());
        conflicts_by_number(&classes, &flips, 0, [16, alignment], row).is_some()
    };
    assert_eq!([2, 4, 8].map(by), [true, false, false]);
}
