//! Is the model right? Patterns of shared-memory accesses are timed on a GPU, and the cycles are
//! compared with the wavefronts that the model counts.
//!
//! | step | where |
//! |---|---|
//! | what each lane touches, and what the model says of it | [`pattern`] |
//! | the patterns of a chip | [`list`] |
//! | a program in CUDA or HIP that times them | [`source`] |
//! | the same in PTX, where there is a driver and no compiler | [`ptx`] |
//! | what it printed, read back | [`record`] |
//! | a line through the cycles, and who is off it | [`compare`] |
//!
//! ```
//! use tiledesc_validation::list::patterns;
//!
//! let timed = patterns("sm_90").unwrap();
//! assert!(timed.len() >= 100);
//! let column = timed.iter().find(|p| p.id() == "ld.shared.b128 column-pad0").unwrap();
//! // 8 lanes a phase, 256 bytes apart: 4 phases of degree 8.
//! assert_eq!((column.wavefronts().unwrap(), column.degrees().unwrap()), (32, vec![8; 4]));
//! ```

pub mod compare;
pub mod list;
pub mod pattern;
pub mod ptx;
pub mod record;
pub mod source;
