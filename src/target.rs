//! Chips, and their memory instructions: one module each, one constant a row.
//!
//! | chip | instructions |
//! |---|---|
//! | [`gfx942`] (MI300) | `ds_read_b128`, `ds_write_b128` |
//!
//! Other chips and instructions are the bank analyzer's, which is not here yet;
//! an [`Instruction`](crate::Instruction) of your own can be analyzed today.

#[allow(non_upper_case_globals)]
pub mod gfx942;
