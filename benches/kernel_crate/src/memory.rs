//! Where the tiles of a product begin: A and B twice, and the values in their place when both are over.

use crate::attention::Values;
use crate::gemm::f16;
use tiledesc::prelude::*;
use tiledesc::storage::{Arena, Buffered};

const PRODUCT: Arena = Arena::on(&tiledesc::chip::gfx942)
    .holds::<Buffered<f16::A, U2>>("a")
    .holds::<Buffered<f16::B, U2>>("b");
const LDS: Arena = PRODUCT.then().holds::<Values>("values");

/// The first byte of both buffers of A.
pub const A: u32 = PRODUCT.at("a");
/// The first byte of both buffers of B.
pub const B: u32 = PRODUCT.at("b");
/// The first byte of the values.
pub const VALUES: u32 = LDS.at("values");
