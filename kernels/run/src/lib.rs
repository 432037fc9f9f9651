//! What the programs share: the device, matrices with a naive result, and the analyzer's table.

pub mod device;
pub mod progress;
pub mod table;

pub use device::Gpu;
pub use progress::Progress;
pub use table::Table;
