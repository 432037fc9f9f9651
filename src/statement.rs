//! The promise as statements: what [`assert_conflict_free!`](crate::assert_conflict_free!),
//! [`check_conflict_free!`](crate::check_conflict_free!) and [`synthesize!`](crate::synthesize!) are made of.
//!
//! | file | concept |
//! |---|---|
//! | `stated_access` | an access on a chip, and how sure its row must be |
//! | `instead` | what a statement that is refused says of other layouts |
//! | `assertion` | a layout that conflicts does not compile |
//! | `judge` | which of its accesses are free, from where the search laid them
//! | `declaration` | a layout that is declared by what is done to it |

pub mod assertion;
pub mod declaration;
mod instead;
mod judge;
pub mod stated_access;
