//! The search, held to counts that know nothing of it: `costs.rs` asks a layout for the place of each element of each lane,
//! and counts dwords in banks.
//!
//! | module | promise |
//! |---|---|
//! | `address` | the instructions of addresses, register by register |
//! | `counted` | whatever is answered, listed or refused is what counting says: cycles by both sources, bytes, address instructions, that each access is held; the front is those that no other beats |
//! | `families` | where all of a family is claimed, no layout of it is better, and it has some |
//! | `named` | the smallest questions that were once answered wrongly |
//! | `changed` | a change that is proposed is real, and lanes hold the same where it says so |
//! | `order` | the order of an access on a layout that stays: what is proposed is real, and nothing is better |
//! | `printed` | what is printed compiles, and is what was found |
//! | `tiles` | tiles of GEMMs, of lengths of every kind, are free without a byte more |
//! | `orders` | rows and columns exchanged, two addresses, direct loads, refusals |
//!
//! `cargo xtask test --deep 100 --seed 1` asks for more questions, and others. The descents themselves are held to
//! every choice in `host/src/search/tests.rs`.

mod address;
mod changed;
mod costs;
mod counted;
mod families;
mod named;
mod order;
mod orders;
mod printed;
mod tiles;
