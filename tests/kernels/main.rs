//! Kernels: run lane by lane on the CPU, and compiled for GPUs and counted.
//!
//! Each module is one promise, which its header states. `cargo test --test kernels compiled::` runs one of them.

mod compiled;
mod lane_by_lane;
