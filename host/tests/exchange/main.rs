//! Layouts in other libraries' words: what is read and written is what those libraries compute.
//!
//! Each module is one promise, which its header states. `cargo test -p tiledesc-host --test exchange gmma::` runs one of
//! them. The tables are those of `tests/golden`.

// An error says all about the layout that does not fit.
#![allow(clippy::result_large_err)]

mod ck_parameters;
mod cute;
mod gmma;
mod intervals;
mod linear_plans;
mod named;
mod oracle_cute;
mod oracle_registers;
mod tma;
mod triton;
