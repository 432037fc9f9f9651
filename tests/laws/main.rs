//! Laws of transforms, plans, distributions and windows: what must hold of every one of them, tried on many.
//!
//! Each module is one promise, which its header states. `cargo test --test laws compositions::` runs one of them.

mod accesses;
mod addressing;
mod checked_addresses;
mod compositions;
mod covering;
mod curves;
mod distribution_patterns;
mod distributions;
mod exchange;
mod linear;
mod linear_bits;
mod masked_offsets;
mod pattern;
mod plans_at_the_edge;
mod ready_patterns;
mod sequence;
mod storage;
mod tile_order;
mod window;
