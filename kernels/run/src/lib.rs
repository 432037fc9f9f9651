//! What the programs share: the device, the GEMM, and the analyzer's table.

pub mod attention;
pub mod device;
pub mod gemm;
pub mod progress;
pub mod table;

pub use device::Gpu;
pub use progress::Progress;
pub use table::Table;
