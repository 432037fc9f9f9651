//! The promise as statements: what [`assert_conflict_free!`](crate::assert_conflict_free!),
//! [`check_conflict_free!`](crate::check_conflict_free!), [`access!`](crate::access!) and
//! [`synthesize!`](crate::synthesize!) are made of.
//!
//! The macros are documented at the root. Public here is [`Declared`], the constant that
//! [`synthesize!`](crate::synthesize!) leaves beside its type, [`Certified`], which it leaves beside a type whose layout
//! the declaration itself states, and what [`convert!`](crate::convert!) leaves: [`Converted`] and [`Side`].
//!
//! | file | concept |
//! |---|---|
//! | `found` | what a search found, or why it found nothing, as sentences |
//! | `stated_access` | an access on a chip, and how sure its row must be |
//! | `refusal` | what a statement refuses: an access, a fill |
//! | `instead` | what a refused statement suggests instead |
//! | `assertion` | a layout that conflicts does not compile |
//! | `named_access` | an access that has a name: judged, and its addresses |
//! | `coalesced` | lines of global memory that a wave may touch |
//! | `asked` | what the test of a declaration is asked |
//! | `declaration` | a layout that is declared by its accesses |
//! | `conversion` | from one distribution to another through LDS |
//! | `converting` | the same as a type, with parameters or with instructions that hand elements round |
//! | `certificate` | a layout that is declared with its answer |
//! | `form` | what was found, as a type |
//!
//! # The path of a statement
//!
//! `assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }` becomes a constant. If rustc can evaluate it,
//! the access is free of conflicts. If it panics, the text of the panic is the error, at the word `read`. In the order of calls,
//! with files from the root of the repository:
//!
//! | step | by | file |
//! |---|---|---|
//! | the macro hands its tokens on | `assert_conflict_free!` | `src/statement/assertion.rs` |
//! | one statement after the other is read | `assertions!` | `macros/src/lib.rs` |
//! | its layout | `Statement::read` | `macros/src/statement.rs` |
//! | its chips, evidence, direct load and accesses | `Accesses::read` | `macros/src/accesses.rs` |
//! | the constant is written, with a call for each access | `Statement::write` | `macros/src/statement.rs` |
//! | an access on a chip is the chip's row and the pattern's lanes | `StatedAccess::new` | `src/statement/stated_access.rs` |
//! | is it about a layout, or buffers of one? | `refuse_access` | `src/storage/judged.rs` |
//! | the access is judged, chip by chip | `refuse_on_chips` | `src/statement/refusal.rs` |
//! | is it free by the layout's outline? Most end here | `is_free_by_outline` | `src/statement/refusal.rs` |
//! | the degree on the outline, by a rank | `outlined::degree` | `src/bank/fast/outlined.rs` |
//! | otherwise it is judged by the layout's plan | `fault` | `src/statement/refusal.rs` |
//! | the pattern is laid over the plan, or does not fit | `laid` | `src/access/placed.rs` |
//! | the [banks are asked](crate::bank#who-is-asked-for-a-degree) | `Placed::verdict` | `src/bank/verdict/ways.rs` |
//! | two lanes that meet in a bank are found | `Meeting::new` | `src/bank/verdict.rs` |
//! | the verdict becomes a sentence | `Verdict::finding` | `src/bank/verdict/words.rs` |
//! | what would be free in all accesses is added | `with_remedy` | `src/statement/refusal.rs` |
//! | in words, with the bytes that a pad adds | `Shape::explain` | `src/statement/instead.rs` |
//! | the first layouts of a short list that are | `Shape::propose` | `src/search/synthesis.rs` |
//! | the text is the message of a panic | `Text::refuse` | `transforms/src/number/text.rs` |
//!
//! Two judges are asked. The outline knows the layout's digits from the numbers of its recipe, before there is a plan, and only
//! "free" is its last word: any other answer is found again by the plan, which also names the lanes. The plan's judge has three
//! ways, which `bank.rs` lists: a rank where addresses are xors of columns, words of banks where they are sums of strides, and
//! otherwise lane by lane, in one step of each kind. A row that two sources dispute is asked twice, and must be free by both.
//! What the outline and a rank compute in the example, rows of 64 halves on 32 banks:
//!
//! ```text
//!   bit of the lane             1     2     4     8    16    32
//!   moves its first dword by   32    64   128   256     4     8
//!   phase 0                    lanes 0 to 3 and 20 to 23: the sums (xor) of the masks 1, 2 and 20
//!   their first dwords         the sums of 32, 64 and 128 ^ 4 = 132
//!   those in bank 0            0, 32, 64 and 96, of lanes 0 to 3: 4-way
//!
//!   by RowMajor the bits are    4     8    16    32    64   128, the sums of 4, 8 and 16 ^ 64 = 80: only 0 is in bank 0, free
//! ```
//!
//! To read it all, begin with `bank/rule.rs`, the definition; then `bank.rs`, `statement/refusal.rs`, `bank/verdict/ways.rs`,
//! `bank/fast/span.rs`, `bank/fast/rank.rs` and `access/placed.rs`. To change what a conflict is, change `rule.rs` and each way
//! that `bank.rs` lists; to change a sentence, `words.rs`.

// Public for the test of a declaration alone.
#[doc(hidden)]
pub mod asked;
mod assertion;
// Public for the macros alone, as the eight below.
#[doc(hidden)]
pub mod certificate;
#[doc(hidden)]
pub mod coalesced;
#[doc(hidden)]
pub mod conversion;
#[doc(hidden)]
pub mod converting;
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
pub use conversion::Converted;
pub use converting::Side;
pub use declaration::Declared;
#[doc(hidden)]
pub use found::costs;
