//! Immediate offsets: the address that each route gives is the one that the layout gives.

use tiledesc::addressing::Route;
use tiledesc::chip::gfx942::{ds_read_b64, ds_read_b128, ds_write_b128};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::{Instruction, Placed};

/// Follows the routes as a kernel would, and compares every lane's address. Returns
/// registers, immediates, xors, and what is computed besides the first.
fn followed(plan: &Plan, bits: u32, lanes: Lanes, row: &Instruction) -> [usize; 4] {
    let found = Placed::new(plan, bits, lanes, row).and_then(|placed| placed.addressing()).unwrap();
    let at = |step: usize, lane| {
        let touched = Placed::new(plan, bits, lanes, row)
            .and_then(|placed| placed.touched(step as u64))
            .unwrap();
        touched.addresses().get(lane)
    };
    let mut registers: Vec<usize> = Vec::new();
    for (step, route) in found.routes().iter().enumerate() {
        for lane in 0..64 {
            let Some(wanted) = at(step, lane) else { continue };
            let reached = match *route {
                Route::Computed => wanted,
                Route::Xor { constant } => at(0, lane).unwrap() ^ constant,
                Route::Immediate { register, offset } => {
                    assert!(offset <= 0xffff, "16 bits");
                    at(registers[register], lane).unwrap() + offset
                }
            };
            assert_eq!(reached, wanted, "access {step}, lane {lane}: {route:?}");
        }
        if !matches!(route, Route::Immediate { .. }) {
            registers.push(step);
        }
    }
    assert_eq!(registers.len(), found.registers());
    [found.registers(), found.immediates(), found.xors(), found.computed() - 1]
}

descriptor! {
    type Rotated:
        naive [8, 128, 8] strides [8, 64, 1];
        cyclic_shift[128, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
        pass[128] (1) -> (0),                    merge[8, 8] (0, 2) -> (1);
}

#[test]
fn the_table() {
    let rows = |lanes: u32| Lanes::rows(lanes).whole();
    let plain = Plan::naive(&[128, 64], &[64, 1]).unwrap();
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    let xor = recipe::gemm_xor(128, 64, 8, 1).unwrap();
    let rotated = <Rotated as Adaptor>::PLAN.unwrap();
    assert_eq!(followed(&plain, 16, rows(16), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&padded, 16, rows(16), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&xor, 16, rows(16), &ds_read_b128), [2, 14, 1, 0]);
    // Half a turn flips a bit.
    assert_eq!(followed(&rotated, 16, rows(16), &ds_read_b128), [2, 14, 1, 0]);
    // The write's steps are rows: the key does not change, nor does a register.
    assert_eq!(followed(&xor, 16, Lanes::row_major().whole(), &ds_write_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&plain, 16, rows(32), &ds_read_b128), [1, 15, 0, 0]);
    assert_eq!(followed(&xor, 16, rows(32), &ds_read_b128), [4, 12, 3, 0]);
    assert_eq!(followed(&rotated, 16, rows(32), &ds_read_b128), [4, 12, 1, 2]);
}

#[test]
fn layers() {
    let plan = recipe::gemm_xor(64, 32, 8, 2).unwrap();
    let found = followed(&plan, 16, Lanes::rows(16).whole(), &ds_read_b64);
    assert_eq!(found.iter().skip(1).sum::<usize>() + 1, 8);
}

/// A distance that does not fit into 16 bits, or is negative, needs a register.
#[test]
fn what_an_immediate_cannot_hold() {
    let far = Plan::naive(&[64, 16], &[16, 2048]).unwrap();
    let found = Placed::new(&far, 32, Lanes::column().whole(), &ds_read_b64)
        .and_then(|placed| placed.addressing());
    assert!(found.is_err(), "columns are no packs");
    let wide = Plan::naive(&[128, 4], &[1024, 1]).unwrap();
    let word = Instruction::read("b128", 16);
    let found = Placed::new(&wide, 32, Lanes::column().whole(), &word)
        .and_then(|placed| placed.addressing())
        .unwrap();
    assert_eq!((found.routes().len(), found.registers()), (2, 2));
    assert_eq!(found.routes()[1], Route::Xor { constant: 64 * 4096 });
    let falling = Plan::naive(&[64, 2, 4], &[8, 4, 1]).unwrap();
    let row = tiledesc::Instruction::read("b128", 16);
    let found = Placed::new(&falling, 32, Falling::LANES, &row)
        .and_then(|placed| placed.addressing())
        .unwrap();
    assert_eq!(found.routes(), [Route::Computed, Route::Xor { constant: 16 }]);
}

use tiledesc::Pattern;
pattern! {
    /// The second pack first.
    Falling(lane, step in 2) => [lane, 1 - step, 0];
}

#[test]
fn too_many_accesses() {
    let tile = Plan::packed(&[1024, 64]).unwrap();
    let found = Placed::new(&tile, 16, Lanes::rows(16).whole(), &Instruction::read("x", 16))
        .and_then(|placed| placed.addressing());
    assert_eq!(found.unwrap_err().to_string(), "instruction 64 of a pattern of 128");
}
