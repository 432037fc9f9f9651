//! Addresses that depend on data: free exactly if no two lanes can conflict, with any bits of theirs, and none can write a byte of
//! another's.
//!
//! Whether two lanes can is tried: with each choice of their bits, alone, by the definition of the rule. A plain run has 60 accesses.

use crate::rules::{amdgpu, ptx};
use support::fuzz::Dice;
use tiledesc::access::Addresses;
use tiledesc::bank::rule;
use tiledesc::chip::{self, Access, Instruction};
use tiledesc_audit::value::{Lanes, Reason, Value, Why};
use tiledesc_audit::{Reached, Row, Ruling, Site};

const ROWS: [(&str, &str); 10] = [
    ("gfx942", "ds_read_b32"),
    ("gfx942", "ds_read_b64"),
    ("gfx942", "ds_read_b128"),
    ("gfx942", "ds_write_b32"),
    ("gfx950", "ds_read_b64"),
    ("gfx950", "ds_write_b16"),
    ("gfx1100", "ds_read_u8"),
    ("sm_90", "ld.shared.b32"),
    ("sm_90", "st.shared.b16"),
    ("sm_80", "ld.shared.b16"),
];

fn site(row: Instruction, address: Value, on: Option<u64>) -> Site {
    let reached = vec![Reached { wave: 0, address, on, stored: Vec::new() }];
    Site {
        opcode: row.name().to_string(),
        line: 1,
        place: None,
        loops: 0,
        access: Ok(Row { row, offset: 0, times: 1, joined: 1 }),
        reached,
        in_rows: false,
        at: 0,
    }
}

/// All numbers that have no other bits.
fn choices(open: u32) -> Vec<u32> {
    (0..=open).filter(|one| one & !open == 0).collect()
}

/// Whether two lanes that are on can conflict, or write one byte.
fn can_meet(row: &Instruction, first: &[u32], on: u64, open: u32) -> bool {
    let choices = choices(open);
    let lanes = Vec::from_iter((0..first.len()).filter(|lane| on >> lane & 1 == 1));
    lanes.iter().any(|&a| {
        lanes.iter().filter(|&&b| b > a).any(|&b| {
            choices.iter().any(|x| {
                choices.iter().any(|y| {
                    let two = Addresses::NONE.with(a, first[a] + x).with(b, first[b] + y);
                    let found = rule::conflicts(&two, row);
                    found.degree() > 1 || row.access() == Access::Write && found.race.is_some()
                })
            })
        })
    })
}

#[test]
fn what_is_free_whatever_the_data() {
    let numbers = support::fuzz::numbers(60);
    let cases = numbers.end - numbers.start;
    let mut found = [0; 2];
    for seed in numbers {
        let mut dice = Dice(seed);
        let (name, opcode) = dice.of(&ROWS);
        let row = *chip::find(name).unwrap().instruction(opcode).unwrap();
        let wave = row.service().phases.wave();
        let unit = row.alignment();
        // Digits of three bits, low ones or those of a row, and lanes that are a word apart, or some of them.
        let at = dice.of(&[0, 1, 2, 4, 7, 7, 8, 8, 9]);
        let open = ((1 + dice.below(7)) * unit) << at;
        let (step, turn) = (unit * dice.of(&[1, 1, 1, 2, 3, 32]), dice.of(&[64, 64, 32, 16, 4]));
        let first = Vec::from_iter((0..wave).map(|lane| (lane % turn) as u32 * step));
        let on = dice.of(&[None, None, Some(u64::MAX), Some(0xffff), Some(0x1_0001)]);
        let f = Lanes::from_fn(wave, |lane| first[lane]);
        let reason = Reason { at: 0, why: Why::Loaded };
        let k = dice.of(&[32, 4, 8]);
        let address = Value::Among { k, open, f, reason };
        let ruling = site(row, address, on).ruling(wave);
        let meets = can_meet(&row, &first, on.unwrap_or(u64::MAX), open);
        let what = format!("{seed}: {name} {opcode} {open:#x} {first:?} {on:?}");
        match ruling {
            Ruling::Judged(verdict) => {
                assert!(!meets && verdict.degree == 1 && verdict.race.is_none(), "{what}");
            }
            Ruling::Unknown(why) => assert!(meets && why == reason, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
        found[usize::from(meets)] += 1;
    }
    println!("{} accesses are free whatever the data, {} are not", found[0], found[1]);
    assert!(found.iter().all(|count| *count as u64 > cases / 10), "{found:?}: a check of little");
}

/// A table of 16 numbers, the counters of a radix sort, and a table of 64.
#[test]
fn tables_and_counters() {
    let all = |kernel: tiledesc_audit::Kernel| {
        kernel.rulings().iter().map(|one| matches!(one, Ruling::Judged(_))).collect::<Vec<_>>()
    };
    let amd = amdgpu(
        "gfx942",
        64,
        "global_load_dword v3, v[4:5], off
         v_and_b32_e32 v4, 60, v3
         ds_read_b32 v5, v4 offset:256
         v_lshlrev_b32_e32 v6, 8, v3
         v_lshl_or_b32 v6, v0, 2, v6
         ds_write_b32 v6, v5
         v_and_b32_e32 v4, 0xfc, v3
         ds_read_b32 v5, v4",
    );
    assert_eq!(all(amd), [true, true, false]);
    let nvidia = ptx("shr.u32 %r1, %r9, 29;
         shl.b32 %r2, %r1, 9;
         mov.u32 %r3, tile;
         add.s32 %r4, %r3, %r2;
         shl.b32 %r5, %r0, 2;
         add.s32 %r6, %r4, %r5;
         shr.u32 %r7, %r9, 28;
         and.b32 %r8, %r7, 1;
         shl.b32 %r10, %r8, 1;
         add.s32 %r11, %r6, %r10;
         ld.shared.u16 %h1, [%r11];
         st.shared.u16 [%r11], %h1;
         add.s32 %r12, %r3, %r2;
         ld.shared.u16 %h1, [%r12];");
    assert_eq!(all(nvidia), [true, true, false]);
}
