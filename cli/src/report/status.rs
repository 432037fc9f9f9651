//! Exit statuses.

use serde::{Serialize, Serializer};

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All accesses are free, or within the degree that is allowed.
    Free = 0,
    /// A conflict, or a data race.
    Conflict = 1,
    /// Invalid input, layout or access.
    Invalid = 2,
    /// With `--strict`: inferred or disputed evidence, or a read of bytes that no stated write covers.
    Weak = 3,
    /// The reader of the output has gone, as of `| head`: 128 and the number of SIGPIPE, which is what a shell reports
    /// of a program that a closed pipe ends.
    Closed = 141,
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(*self as u8)
    }
}
