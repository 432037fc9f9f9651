//! Kernels, run lane by lane on the CPU. Those that are compiled for GPUs are read in `audit/tests/kernels.rs`.
//!
//! Each module is one promise, which its header states. `cargo test --test kernels` runs it.

mod converted;
mod lane_by_lane;
