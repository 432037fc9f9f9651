//! What would be free: layouts that are searched for, and the statements that demand one.
//!
//! | file | concept |
//! |---|---|
//! | `shape`, `fill` | a tile and what a kernel does to it; the direct load that fills it |
//! | [`remedy`], `base` | layouts of it, by the recipe that makes them; rows or columns that are contiguous |
//! | `claim`, `descent` | what one access asks and loses; the masks of the fewest cycles: numbers, banks, costs, and nothing else |
//! | `places` | every linear layout of packs: which bits are the banks |
//! | `claims`, `masks`, `steps` | what accesses ask of it, masks over rows in layers, address instructions |
//! | `question`, `candidate`, `error` | the candidates that answer accesses, and the least of them; one with its costs; why there is none |
//! | [`synthesis`] | the layout that costs least, judged, and what its cycles prove |
//! | [`candidates`] | all that it chooses from, by cost |
//! | `declaration`, `statement`, `laid` | [`synthesize!`](crate::synthesize!); what it leaves with a layout; its accesses, as the search laid them |
//! | [`conversion`] | from one distribution to another through LDS: instructions and layout |
//! | [`assertion`], `line`, `instead` | [`assert_conflict_free!`](crate::assert_conflict_free!), its lines, and what it says of other layouts |

pub mod assertion;
mod base;
mod candidate;
pub mod candidates;
mod claim;
mod claims;
pub mod conversion;
#[doc(hidden)]
pub mod declaration;
mod descent;
mod error;
mod fill;
mod instead;
mod laid;
mod line;
mod masks;
mod places;
mod question;
pub mod remedy;
mod shape;
mod statement;
mod steps;
pub mod synthesis;
