//! Accesses: a pattern or a distribution laid over a layout, the byte address of every lane.
//!
//! | file | concept |
//! |---|---|
//! | [`Curve`] | an order of accesses, as `Accesses` take CK Tile's snake |
//! | [`Placed`], [`Touched`] | a pattern laid over a layout: the byte address of each lane |
//! | [`AccessError`] | why it cannot be laid |
//! | `misfit` | an operand that is of other rows, of another chip or of another element |
//! | [`Addresses`], [`AddressError`] | those addresses, and why an instruction refuses some |
//! | `handed` | operands read by `ldmatrix` and its like, whose lanes receive what others address |
//! | `vectors` | along which dimension a lane of a distribution has whole vectors |
//! | [`Accesses`] | the accesses of a lane, for kernels: address, immediate and register of each |
//! | [`Window`] | the part of a tensor in global memory that a block moves at once |
//! | [`Address`], [`TensorOffset`] | where an access of either goes, with the registers that it moves |
//! | [`Coalescing`] | the lines of global memory that the accesses of a window touch |
//! | [`Addressing`] | what the accesses of one lane cost in address arithmetic |
//! | `distance` | what takes every lane of one access to another |
//! | `fast` | what is known of all lanes, or of all instructions, before any is asked |
//!
//! Every verdict begins with a [`Placed`]. All ways to make one end in `Placed::with_form`, which refuses whatever does not fit:
//!
//! | of | by |
//! |---|---|
//! | a layout as a type | [`Layout::placed`](crate::Layout::placed), in statements `placed::laid` |
//! | a plan | [`Placed::new`]; `Placed::with_digits` where many accesses share the plan's digits |
//! | any [`Mapping`](crate::Mapping) and an element | `Placed::named` |

mod accesses;
pub(crate) mod addresses;
mod addressing;
pub(crate) mod coalesced;
mod distance;
pub(crate) mod error;
mod fast;
mod handed;
pub(crate) mod misfit;
mod moved;
pub(crate) mod placed;
pub(crate) mod refusal;
mod vectors;
mod window;

pub use accesses::Accesses;
pub(crate) use accesses::or_nowhere;
pub use addresses::Addresses;
pub use addressing::{Addressing, Route};
pub use coalesced::Coalescing;
#[doc(hidden)]
pub use coalesced::Pitch;
pub use error::AccessError;
use fast::rounds;
pub(crate) use fast::{columns, runs, strides};
pub(crate) use moved::check_moved;
pub use moved::{Address, TensorOffset};
pub use placed::{Placed, Touched};
pub use refusal::AddressError;
#[doc(inline)]
pub use tiledesc_transforms::Curve;
#[doc(hidden)]
pub use window::MayBeRefused;
pub use window::Window;
