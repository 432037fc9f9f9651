//! Why an access is not judged: 16 reasons, of an atomic to operands that no assembler would accept.
//!
//! ```text
//!   ds_add_u32 v1, v2             an atomic: no source says what they cost
//!   ds_read_b128 v[4:7], q1       `q1` is not a vector register
//!   call.uni sum, (param0)        calls a function, whose accesses are not listed
//! ```

use std::fmt;

/// Why an instruction is not judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// An atomic: no source describes how the banks serve it.
    Atomic,
    /// A permutation, which moves data between lanes, and touches no bank.
    Permute,
    /// A load straight to LDS: a wave writes bytes that follow each other.
    Direct,
    /// An access that may be of LDS or of global memory.
    Flat,
    /// An access to LDS by a flat address.
    FlatLds,
    /// A call of a function.
    Call,
    /// The chip has no row of it.
    NoRow,
    /// The chip's waves have another size, or no rows are known of waves of this size.
    Wave {
        /// Lanes of the program's waves.
        wave: usize,
        /// Lanes of the rows' waves.
        rows: usize,
    },
    /// An offset outside the range that the instruction can encode.
    Offset,
    /// A generic address, which may be in shared memory.
    Generic,
    /// An access that may reach another block's shared memory.
    Cluster,
    /// A block of bytes is moved, with no address a lane.
    Bulk,
    /// Operands that a descriptor names.
    Descriptor,
    /// A word on which threads wait.
    Barrier,
    /// A part of a wider access, as ptxas joins neighbours.
    Joined,
    /// An instruction that no assembler would accept: the bytes that it accesses are not known.
    Unread {
        /// The fault: "`q1` is not a vector register".
        why: String,
        /// The instruction.
        text: Box<str>,
    },
}

impl fmt::Display for Unjudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Atomic => "an atomic: no source says what they cost",
            Self::Permute => "moves data between lanes, without banks",
            Self::Direct => "loads straight to LDS, where a wave writes consecutive bytes",
            Self::Flat => "a flat address, which may be in LDS or in global memory",
            Self::FlatLds => "in LDS by a flat address: no source says how its lanes are served",
            Self::Call => "calls a function, whose accesses are not listed",
            Self::NoRow => "the chip has no row of it",
            Self::Wave { wave, rows } => {
                return write!(f, "in waves of {wave}, and the chip's rows are of waves of {rows}");
            }
            Self::Offset => "its offset is out of range",
            Self::Generic => "a generic address, which may be in shared or in global memory",
            Self::Cluster => "may be in another block's shared memory",
            Self::Bulk => "moves a block of bytes, without an address a lane",
            Self::Descriptor => "reads operands by a descriptor, which is not followed",
            Self::Barrier => "a barrier's word, the same for all lanes",
            Self::Joined => "a part of a wider access, as ptxas joins neighbours",
            Self::Unread { why, text } => return write!(f, "{why}: {text}"),
        })
    }
}
