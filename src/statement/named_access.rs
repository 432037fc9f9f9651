//! An access that has a name: it is judged as in a statement, and its name is the type of its addresses.
//!
//! ```text
//!   access! { ABlock on gfx942: pub type StoreA = write ds_write_b128 by Fetch }
//!
//!   pub type StoreA = Accesses<Fetch, ABlock, Lit<8>>;    16 bytes are 8 elements of ABlock
//!   const _: () = { .. };                                 the statement; then `check`
//! ```
//!
//! So nobody writes the width, the layout or the distribution a second time.

use crate::access::Accesses;
use crate::chip::instruction::Instruction;
use crate::distribution::Distribution;
use crate::element::Element;
use crate::layout::Tile;
use core::marker::PhantomData;
use tiledesc_transforms::{Number, say};

/// The elements that a lane moves by an instruction; 1 where it moves no whole number of them, which the statement refuses.
#[must_use]
#[doc(hidden)]
pub const fn elements<L: Tile>(row: &Instruction) -> usize {
    let (bits, element) = (row.bytes() * 8, L::Element::BITS);
    if bits.is_multiple_of(element) { (bits / element) as usize } else { 1 }
}

/// Refuses a name for addresses that no kernel can be given, though the access is free.
///
/// # Panics
///
/// With the reason.
#[doc(hidden)]
#[track_caller]
pub const fn check<T, L, P>(_: PhantomData<Accesses<T, L, P>>, name: &str, row: &Instruction)
where
    T: Distribution,
    L: Tile<Descriptor: Default>,
    P: Number,
{
    let text = say!(Text::new(): str(name), ": ");
    if !row.fragments().is_own() {
        let text = say!(text:
            str(row.name()), " hands on what lanes address, so they get other registers: leave out `type ", str(name),
            " =`, and take `Accesses` of what `addresses_of` gives"
        );
        text.refuse()
    }
    if let Err(fault) = &Accesses::<T, L, P>::ROUTED {
        say!(text: str(fault.as_str())).refuse()
    }
}
