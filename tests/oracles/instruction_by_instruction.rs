//! A verdict counts one instruction for many; these are cases in which it must not.
//!
//! | test | promise |
//! |---|---|
//! | `a_table_is_each_of_its_instructions` | an instruction of a table that only looks like the one before, moved, is judged for itself |
//! | `runs_that_pass_the_last_of_64_banks` | lanes that follow each other past the last bank have the cycles of each lane |
//! | `beyond_four_gibibytes` | an instruction whose lanes have no address of 32 bits is refused, whatever the first one is |

use crate::short_list::counted;
use tiledesc::access::{AccessError, Placed};
use tiledesc::chip::{Instruction, Phases, gfx942, gfx1250};
use tiledesc::pattern::{Lanes, Row};
use tiledesc::search::Use;
use tiledesc::{List, Plan};

fn verdict(
    plan: &Plan,
    bits: u32,
    lanes: Lanes<'_>,
    row: &Instruction,
) -> Result<u64, AccessError> {
    Ok(Placed::new(plan, bits, lanes, row)?.verdict()?.active_cycles())
}

/// An instruction of 64 lanes.
fn row(at: impl Fn(u32) -> Option<[u32; 2]>) -> Row {
    core::array::from_fn(|lane| at(lane as u32).map(|[m, k]| List::pair(m, k)))
}

#[test]
fn a_table_is_each_of_its_instructions() {
    let plan = Plan::naive(&[8, 32], &[32, 1]).unwrap();
    let dword = &gfx942::ds_read_b32;
    let cycles = |table: &[Row]| verdict(&plan, 32, Lanes::table(table, 1), dword);
    let first = row(|lane| Some([lane / 32, lane % 32]));
    // Rows 0 and 1, and then 2 and 3: two phases each.
    let next = row(|lane| Some([lane / 32 + 2, lane % 32]));
    assert_eq!(cycles(&[first, next]).unwrap(), 4);
    // Columns 32 to 63 lie in memory, and outside the tile.
    let outside = row(|lane| Some([lane / 32, lane % 32 + 32]));
    assert!(cycles(&[outside]).is_err() && cycles(&[first, outside]).is_err());
    // Lanes 0 and 1 share a bank until lane 1 holds nothing.
    let crowded = row(|lane| Some([u32::from(lane == 1) + 2 * (lane / 32), (lane % 32) & !1]));
    let alone = row(|lane| {
        (lane != 1).then_some([u32::from(lane == 1) + 2 * (lane / 32), (lane % 32) & !1])
    });
    assert_eq!([&[crowded], &[alone]].map(|table| cycles(table).unwrap()), [3, 2]);
    assert_eq!(cycles(&[crowded, alone]).unwrap(), 5);
    assert_eq!(cycles(&[alone, crowded]).unwrap(), 5);
}

/// Lanes at equal distances are a word of banks, turned to where the first of them is: what passes the last of 64 banks
/// comes back at the first.
#[test]
fn runs_that_pass_the_last_of_64_banks() {
    let load = &gfx1250::ds_load_b32;
    for (lengths, stride, lanes) in [
        ([16, 20], 21, Lanes::row_major()),
        ([16, 20], 53, Lanes::row_major()),
        ([64, 24], 59, Lanes::column()),
    ] {
        let plan = Plan::naive(&lengths, &[stride, 1]).unwrap();
        let wanted = counted(&plan, 32, &Use::new(lanes, load)).map(|[own, _]| own);
        assert_eq!(verdict(&plan, 32, lanes, load).ok(), wanted, "{plan:?} {lanes:?}");
        assert!(wanted.is_some());
    }
}

/// Rows are 1 GiB apart: the first four have addresses of 32 bits.
#[test]
fn beyond_four_gibibytes() {
    let plan = Plan::naive(&[8, 64], &[1 << 28, 1]).unwrap();
    const WAVE: Phases = Phases::contiguous(32).of_wave(64);
    let read = &Instruction::read("dword", 4).phases(WAVE).banks(32);
    let first = verdict(&plan, 32, Lanes::row_major().first(), read);
    assert!(first.is_ok(), "{first:?}");
    assert!(verdict(&plan, 32, Lanes::row_major(), read).is_err());
    let [first, near, far] = [0, 3, 5].map(|m| row(|lane| Some([m, lane])));
    assert!(verdict(&plan, 32, Lanes::table(&[first, near], 1), read).is_ok());
    assert!(verdict(&plan, 32, Lanes::table(&[first, far], 1), read).is_err());
}
