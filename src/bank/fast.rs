//! Fast ways to a degree: each is [`rule`](super::rule) without a look at every lane.
//!
//! | file | of which accesses | instead of | asked by |
//! |---|---|---|---|
//! | `outlined` | linear ones on layouts that have no plan yet | a plan and a placement, too | a statement, first of all |
//! | `rank` | addresses that are an xor of columns | the count of all instructions | a verdict, first |
//! | `runs` | lanes at equal distances | the count of lanes: a word of banks for each run of them | a verdict, where no rank tells |
//! | `span` | the sums of a few numbers, xor for `+` | a list of them | `rank`, `outlined` and the claims of a search |
//!
//! Each says `None` where it cannot tell, and the next one is asked. The runs themselves, lanes at equal distances, are
//! found in `access/fast/runs.rs`; here their banks are counted.

pub(crate) mod outlined;
pub(crate) mod rank;
pub(super) mod runs;
pub(crate) mod span;
