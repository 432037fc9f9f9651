//! The promise as statements: what [`assert_conflict_free!`](crate::assert_conflict_free!),
//! [`check_conflict_free!`](crate::check_conflict_free!) and [`synthesize!`](crate::synthesize!) are made of.
//!
//! The macros are documented at the root. Public here is [`Declared`], the constant that
//! [`synthesize!`](crate::synthesize!) leaves beside its type, and [`Certified`], which it leaves beside one that stands in it.
//!
//! | file | concept |
//! |---|---|
//! | `found` | what a search found, or why it found nothing, as sentences |
//! | `stated_access` | an access on a chip, and how sure its row must be |
//! | `refusal` | what a statement refuses: an access, a fill |
//! | `instead` | what a refused statement suggests instead |
//! | `assertion` | a layout that conflicts does not compile |
//! | `words` | a statement's words, read into lines |
//! | `asked` | what the test of a declaration is asked |
//! | `declaration` | a layout that is declared by its accesses |
//! | `certificate` | a layout that is declared with its answer |
//! | `form` | what was found, as a type |

// Public for the test of a declaration alone.
#[doc(hidden)]
pub mod asked;
mod assertion;
// Public for the macros alone, as the four below.
#[doc(hidden)]
pub mod certificate;
#[doc(hidden)]
pub mod declaration;
#[doc(hidden)]
pub mod form;
mod found;
pub(crate) mod instead;
#[doc(hidden)]
pub mod refusal;
#[doc(hidden)]
pub mod stated_access;
mod words;

pub use certificate::Certified;
pub use declaration::Declared;
#[doc(hidden)]
pub use found::costs;
