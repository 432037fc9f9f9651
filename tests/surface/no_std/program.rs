//! A program without std: the library is linked with core alone. It has what std would bring, a panic handler: were std
//! anywhere below, it would be there twice, and nothing is built.

#![no_std]
#![no_main]

// Asked for once, to see that it is noticed.
#[cfg(feature = "std")]
extern crate std;

use core::panic::PanicInfo;
use tiledesc::{chip::gfx942, prelude::*};

layout! {
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}
assert_conflict_free! { ABlock on gfx942: read ds_read_b128 by MfmaRows<32> }

// C's library, which starts the program.
#[link(name = "c")]
unsafe extern "C" {
    safe fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

// A debug build of core refers to both; nothing is unwound.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    abort()
}

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    // What the compiler does not know beforehand.
    let row = core::hint::black_box(3);
    assert_eq!(Plain::offset([row, 5]), 3 * 64 + 5);
    assert_eq!(Plain::degree::<MfmaRows<16>>(&gfx942::ds_read_b128), 4);
    42
}
