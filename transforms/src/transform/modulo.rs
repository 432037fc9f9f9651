//! `modulo`: a dimension that starts over.
//!
//! ```text
//!   upper  0 1 2 3 4 5 6 7 8 ..          lower index: u0 mod modulus
//!   lower  0 1 2 3 0 1 2 3 0 ..          (modulus 4)
//!
//!   CK Tile: make_modulo_transform(modulus, length)
//! ```
//!
//! A ring of buffers. CK's cannot move (its update does not compile); this one
//! can. Injective only if it never starts over.

use super::{Demand, Demands, Injective, Run, no_zero};
use crate::error::Error;
use crate::number::list::List;

transform! {
    /// A dimension of `length` over the first `modulus` indices of the one below.
    ///
    /// ```
    /// use tiledesc_transforms::{Lit, Modulo, Transform};
    ///
    /// let mut low = [0u32];
    /// Modulo::new(Lit::<6>, Lit::<18>).lower(&[17], &mut low);
    /// assert_eq!(low, [5]);
    /// ```
    Modulo::new { modulus: N is Length, length: L is Length }
    upper [length]
    rule |up, low| {
        low[0] = up[0].rem(modulus);
    }
    always valid
}

pub(crate) const NAME: &str = "modulo";
pub(crate) const AFFINE: bool = false;

pub(crate) const fn demands(modulus: u32, length: u32) -> Demands {
    let reach = if length < modulus { length } else { modulus };
    Demands::one(Demand::AtLeast(reach as u64))
}

pub(crate) const fn check(modulus: u32, length: u32, _: &[u8]) -> Result<(), Error> {
    no_zero(NAME, &[modulus, length])
}

pub(crate) const fn raise(_: u32, _: u32, low: &[u32], up: &mut [u32]) -> bool {
    up[0] = low[0];
    true
}

pub(crate) const fn injective(modulus: u32, length: u32) -> Injective {
    if length <= modulus {
        return Injective::Yes;
    }
    Injective::No(List::new(&[0]), List::new(&[modulus]))
}

/// Walking is walking below until it starts over.
pub(crate) const fn run(modulus: u32, length: u32, low: &[Run], up: &mut [Run]) {
    up[0] = if length <= modulus { low[0] } else { low[0].broken_at(modulus as u64) };
}
