//! Kernels: run lane by lane on the CPU, compiled for GPUs and counted, and emitted in other languages.
//!
//! Each module is one promise, which its header states. `cargo test --test kernels emit::` runs one of them.

mod compiled;
mod emit;
mod lane_by_lane;
