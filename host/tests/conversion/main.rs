//! Conversions: carried out byte by byte, compared with every linear layout of small tiles, and with what Triton's compiler
//! takes.
//!
//! Each module is one promise, which its header states. `cargo test -p tiledesc-host-tests --test conversion oracle_conversions::`
//! runs one of them. The tables are those of `tests/golden`.

mod oracle_conversions;
mod searched;
mod simulate;
mod triton_text;
