//! Fast ways to a degree: each is [`rule`](super::rule) without a look at every lane.
//!
//! | file | of which accesses | instead of |
//! |---|---|---|
//! | `rank`, `span` | addresses that are an xor of columns | the count of all instructions |
//! | `outlined` | linear ones on layouts that have no plan yet | a plan and a placement, too |
//! | `runs` | lanes at equal distances | the count of lanes: a word of banks for each run of them |

pub(crate) mod outlined;
pub(crate) mod rank;
pub(super) mod runs;
pub(crate) mod span;
