//! The promise as statements: what [`assert_conflict_free!`](crate::assert_conflict_free!),
//! [`check_conflict_free!`](crate::check_conflict_free!), [`access!`](crate::access!) and
//! [`synthesize!`](crate::synthesize!) are made of.
//!
//! The macros are documented at the root. Public here is [`Declared`], the constant that
//! [`synthesize!`](crate::synthesize!) leaves beside its type, and [`Certified`], which it leaves beside a type whose layout
//! the declaration itself states.
//!
//! | file | concept |
//! |---|---|
//! | `found` | what a search found, or why it found nothing, as sentences |
//! | `stated_access` | an access on a chip, and how sure its row must be |
//! | `refusal` | what a statement refuses: an access, a fill |
//! | `instead` | what a refused statement suggests instead |
//! | `assertion` | a layout that conflicts does not compile |
//! | `named_access` | an access that has a name: judged, and its addresses |
//! | `asked` | what the test of a declaration is asked |
//! | `declaration` | a layout that is declared by its accesses |
//! | `certificate` | a layout that is declared with its answer |
//! | `form` | what was found, as a type |
//!
//! # The path of a statement
//!
//! `ABlock on gfx942: read ds_read_b128 by MfmaRows<16>`, from its tokens to the sentence of its error (files of `src`):
//!
//! | step | by | file |
//! |---|---|---|
//! | tokens become one line for each access and chip | `assertions!`, `Accesses::lines` | `macros/src/statement.rs`, `macros/src/accesses.rs` |
//! | a line holds the chip's row and the lanes of the pattern | `StatedAccess::new` | `statement/stated_access.rs` |
//! | each access is refused at its own word, or passes | `Statement::write`, `refuse_access` | `macros/src/statement.rs`, `statement/refusal.rs` |
//! | the layout's outline says that it is free: most end here | `is_free_by_outline`, `outlined::degree` | `bank/fast/outlined.rs` |
//! | otherwise the pattern is laid over the layout's plan | `fault`, `laid` | `access/placed.rs` |
//! | the banks are asked, and which two lanes meet | `Placed::verdict` | `bank/verdict/ways.rs` |
//! | what was found becomes a sentence | `Verdict::finding` | `bank/verdict/words.rs` |
//! | a layout is sought that is free in all accesses | `Shape::propose` | `search/synthesis.rs` |
//! | the remedies are named, with the bytes that they add | `Shape::explain` | `statement/instead.rs` |
//! | the text is the message of a panic on the user's line | `Text::refuse` | `transforms/src/number/text.rs` |

// Public for the test of a declaration alone.
#[doc(hidden)]
pub mod asked;
mod assertion;
// Public for the macros alone, as the five below.
#[doc(hidden)]
pub mod certificate;
#[doc(hidden)]
pub mod declaration;
#[doc(hidden)]
pub mod form;
mod found;
pub(crate) mod instead;
#[doc(hidden)]
pub mod named_access;
#[doc(hidden)]
pub mod refusal;
#[doc(hidden)]
pub mod stated_access;

pub use certificate::Certified;
pub use declaration::Declared;
#[doc(hidden)]
pub use found::costs;
