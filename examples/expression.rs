//! A sixth language: your own `Index`, in fifty lines.
//!
//! `cargo run -p tiledesc-examples --example expression`
//!
//! `tiledesc_host::emit` writes five. For any other language, a descriptor can compute with any
//! type that has the ten operations of [`Index`]; here that is a string.
//!
//! | operation | here | in a compiler |
//! |---|---|---|
//! | `add`, `sub`, `xor` | `(a + b)` | an instruction with two operands |
//! | `mul`, `div`, `rem` | `(a * 8)` | the same, with a constant |
//! | `constant` | `8` | a constant in the same function as `self` |
//! | `lookup` | an array and its entry | a load |
//! | `below`, `both` | `(a < 8) && (b < 4)` | a predicate |

use tiledesc::prelude::*;
use tiledesc::{Extent, Index};

#[derive(Clone)]
struct C(String);

impl C {
    fn binary(&self, operator: &str, other: impl core::fmt::Display) -> Self {
        Self(format!("({} {operator} {other})", self.0))
    }
}

impl Index for C {
    type Mask = Self;

    fn below(&self, bound: Extent) -> Self {
        self.binary("<", bound.value())
    }
    fn both(one: &Self, other: &Self) -> Self {
        one.binary("&&", &other.0)
    }
    fn add(&self, other: &Self) -> Self {
        self.binary("+", &other.0)
    }
    fn sub(&self, other: &Self) -> Self {
        self.binary("-", &other.0)
    }
    fn xor(&self, other: &Self) -> Self {
        self.binary("^", &other.0)
    }
    fn mul(&self, by: Extent) -> Self {
        if by.value() == 1 { self.clone() } else { self.binary("*", by.value()) }
    }
    fn div(&self, by: Extent) -> Self {
        if by.value() == 1 { self.clone() } else { self.binary("/", by.value()) }
    }
    fn rem(&self, by: Extent) -> Self {
        self.binary("%", by.value())
    }
    fn constant(&self, value: Extent) -> Self {
        Self(value.value().to_string())
    }
    fn lookup(&self, table: &'static [u32]) -> Self {
        Self(format!("((const unsigned[]){table:?})[{}]", self.0))
    }
}

layout! { type ABlock = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>; }

fn main() {
    let C(offset) = ABlock::at([C("m".into()), C("k".into())]);
    println!("unsigned offset(unsigned m, unsigned k) {{ return {offset}; }}");
}
