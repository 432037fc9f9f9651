//! CK Tile's coordinate transforms as types: pure coordinates.
//!
//! This crate knows integers and coordinates, and nothing of bytes, lanes or
//! banks; [`tiledesc`](https://docs.rs/tiledesc) gives them hardware meaning and
//! re-exports everything here. If you are reading this page, `tiledesc` is
//! probably the crate you want.
//!
//! The journey of a coordinate, and the order of the files:
//!
//! | file | concept |
//! |---|---|
//! | [`mod@number`], [`sequence`] | integers and sequences known to the compiler |
//! | [`Index`] | what an index rule computes with |
//! | [`Error`] | what cannot be composed, in sentences |
//! | [`Transform`], [`Op`] | one step, as a type and as plain data; one file each |
//! | [`Plan`] | a composition as plain data: for the compiler, proofs, search; `compose`, `graph` and `inverse` are its parts |
//! | [`Digits`], [`Linear`] | a map that moves bits, as strides of digits, and as columns |
//! | [`Adaptor`], [`Descriptor`] | compositions as types: for kernels |
//! | [`Coordinate`], [`Position`] | coordinates that move |
//! | [`Vector`] | how many neighbours one instruction may move |
//! | [`law`] | injective, bijective, in bounds, round trip |
//!
//! ```
//! use tiledesc_transforms::*;
//!
//! descriptor! {
//!     /// 128 rows of 8 chunks of 8; the chunk is xor-ed with the row.
//!     type Tile:
//!         naive [128, 8, 8] strides [64, 8, 1];
//!         xor[128, 8] (0, 1) -> (0, 1),   pass[8] (2) -> (2);
//!         pass[128] (0) -> (0),           merge[8, 8] (1, 2) -> (1);
//! }
//! assert_eq!(Tile::default().at([3u32, 17]), 201);
//! assert!(law::bijective::<Tile>().is_ok());
//! ```

#![no_std]

#[macro_use]
mod attempt;
#[macro_use]
mod loops;

mod seal;

pub mod number;

pub mod sequence;

mod error;

mod curve;

mod index;

mod transform;

mod plan;

mod linear;

mod typed;

pub mod law;

mod macros;

#[doc(hidden)]
pub use tiledesc_macros::{
    descriptors as __descriptors, each as __each, number as __number, sequence as __sequence,
    wiring as __wiring,
};

pub use curve::Curve;
pub use error::{Demand, Error, Side};
pub use index::{Index, WideUnsigned};
pub use linear::{Basis, Digits, Linear, Numbered, Turned};
#[doc(hidden)]
pub use number::formula::{Given, Parameter};
pub use number::{
    Add, AlignUp, Div, Dyn, Extent, Fold, Length, List, Lit, Magic, Max, Min, Mul, Number,
    NumberError, Quotient, Sub, Text,
};
pub use plan::{Hidden, Node, Plan, UNBOUNDED, Vector};
pub use sequence::{Lengths, Sequence};
pub use transform::*;
pub use typed::*;
