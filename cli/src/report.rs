//! The report: what is found, as data. `answer` makes it once, and every door shows it: lines, JSON, SARIF, annotations,
//! pages, Python and the explorer.
//!
//! A field may be added at any time; the number in `tiledesc.check/1` grows when one changes its meaning or goes.
//!
//! A file of this folder uses only those above it in this table, and `request`.
//!
//! | file | concept |
//! |---|---|
//! | `status` | exit statuses |
//! | `baseline` | what has become of accesses since an earlier report |
//! | `access` | the verdict on an access |
//! | `bound` | what bounds a loop |
//! | `check` | tiles with their verdicts: `tiledesc.check/1` |
//! | `find` | layouts by what they cost: `tiledesc.find/1` |
//! | `audit` | compiled kernels: `tiledesc.audit/1` |
//! | `finding` | what does not pass, each at its place |
//! | `schema` | the JSON schemas of the three reports |

pub mod access;
pub mod audit;
pub mod baseline;
pub mod bound;
pub mod check;
pub mod find;
pub(crate) mod finding;
pub mod schema;
pub mod status;

pub use crate::request::args::Reported;
