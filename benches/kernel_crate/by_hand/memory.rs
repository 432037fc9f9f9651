//! Where the tiles of a product begin: A and B twice, and the values in their place when both are over.

/// The first byte of both buffers of A.
pub const A: u32 = 0;
/// The first byte of both buffers of B.
pub const B: u32 = 2 * 128 * 64 * 2;
/// The first byte of the values.
pub const VALUES: u32 = 0;
