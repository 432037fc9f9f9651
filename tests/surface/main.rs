//! What users see: programs, errors, the book, recipes, no std, and the order of the sources.
//!
//! Each module is one promise, which its header states. `cargo test --test surface ui::` runs one of them.

mod book;
mod certificate;
mod claims;
mod declared_names;
mod every_sentence;
mod evidence;
mod house;
mod hygiene;
mod misfits;
mod no_std;
mod numbers;
mod recipes;
mod scratch;
mod sentences;
mod shipped_layouts;
mod statements;
mod ui;
mod user_programs;
mod users_line;
