//! The library's numbers against numbers that are not its own: tables that other systems printed, published
//! measurements, and counters and models that use nothing of what they check.
//!
//! Each module is one promise, which its header states. `cargo test --test oracles oracle_ck::` runs one of them.

mod any_length;
mod bank;
mod certificate;
mod definition;
mod direct_load;
mod distribution_families;
mod every_instruction;
mod fragments;
mod fuzz;
mod global_lines;
mod instruction_by_instruction;
mod matrix;
mod one_check_decides;
mod oracle_banks;
mod oracle_ck;
mod oracle_ck_types;
mod oracle_distributions;
mod oracle_triton;
mod own_rows;
mod product;
mod rank;
mod said_twice;
mod short_list;
mod split;
mod tile_figures;
