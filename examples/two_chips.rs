//! A stage of a GEMM that is written once for MI300 and for RDNA3, with its promise.
//!
//! `cargo run --release -p tiledesc-examples --example two_chips`
//!
//! The chip is a parameter as the tile is. Each instance is judged by the rows of its own chip: the same 16-byte read takes
//! 8 cycles of 64 lanes on one and 4 of 32 on the other, in lanes that are served together in another order.

use tiledesc::chip::{Gfx942, Gfx1100, Target};
use tiledesc::prelude::*;

/// The tile of A: packs of 8 halves, swizzled.
type ATile<BM, BK> = recipe::GemmXor<F16, BM, BK, U8>;

/// Where a lane stores what it fetched. With a tile or a chip that conflicts, a build fails here, and says on which chip,
/// which lanes meet in which bank, and what would be free.
fn stage<C: Target, BM: Number, BK: Number>(lds: &mut [u16], m: u32, k: u32, v: u16) {
    check_conflict_free! {
        ATile<BM, BK> on C:
            write store_b128 by RowMajor,
            read  load_b128  by MfmaRows<16>
    }
    lds[ATile::<BM, BK>::at([m, k]) as usize] = v;
}

/// What the read costs on a chip.
fn report<C: Target>() {
    let verdict = ATile::<U128, U64>::verdict::<MfmaRows<16>>(&C::load_b128).unwrap();
    println!("{}: {} cycles, {}", C::NAME, verdict.active_cycles(), verdict.found());
}

fn main() {
    let mut lds = [0; 128 * 64];
    stage::<Gfx942, U128, U64>(&mut lds, 3, 17, 7);
    stage::<Gfx1100, U128, U64>(&mut lds, 5, 17, 9);
    println!("{} and {}", lds[201], lds[ATile::<U128, U64>::at([5u32, 17]) as usize]);
    report::<Gfx942>();
    report::<Gfx1100>();
}
