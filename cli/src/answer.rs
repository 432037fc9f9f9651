//! Answers as plain data: verdicts, remedies, figures, headers. Nothing is printed here.
//!
//! A file of this folder uses only those above it in this table, `report` and `request`.
//!
//! | file | concept |
//! |---|---|
//! | `refusal` | why a question has no answer |
//! | `question` | a tile and its accesses, as rows and columns |
//! | `stages`, `convert` | a layout in the words of `descriptor!`; in each notation |
//! | `copied` | a layout's declaration and index, as the author of a kernel copies them |
//! | `instead` | the layouts that are worth a change, the least change first |
//! | `remedy` | what would be free instead, and what is proven of it |
//! | `unwritten` | bytes that a read finds and no write has put there |
//! | `reading` | whether a swizzle of CuTe's text counts elements or bytes |
//! | `judge` | the verdict on an access |
//! | `order` | what an access takes in another order, where the layout stays |
//! | `trip` | what bounds a loop, as it is and as a file states it |
//! | `fetch` | lines of global memory that loads and stores touch |
//! | `check` | all tiles with their verdicts |
//! | `lanes` | the verdict on addresses, one for each lane |
//! | `audit` | compiled kernels |
//! | `baseline` | a report beside an earlier one |
//! | `phases` | figures of their instructions |
//! | `explain` | one instruction, lane by lane and phase by phase |
//! | `find` | layouts by what they cost |
//! | `heat` | a layout in accesses that its file does not name |
//! | `choices`, `figure` | figures of several layouts; of an access, a layout or chips |
//! | `at` | where an element lies, and what lies at an offset |
//! | `emit` | headers |
//! | `counters` | from a profile to a degree, and to the accesses that explain it |
//! | `list` | what there is |

pub(crate) mod at;
pub(crate) mod audit;
pub(crate) mod baseline;
pub(crate) mod check;
pub(crate) mod choices;
pub(crate) mod convert;
pub(crate) mod copied;
pub(crate) mod counters;
pub(crate) mod emit;
pub(crate) mod explain;
pub(crate) mod fetch;
pub(crate) mod figure;
pub(crate) mod find;
pub(crate) mod heat;
pub(crate) mod instead;
pub(crate) mod judge;
pub(crate) mod lanes;
pub(crate) mod list;
pub(crate) mod order;
pub(crate) mod phases;
pub(crate) mod question;
pub(crate) mod reading;
pub(crate) mod refusal;
pub(crate) mod remedy;
pub(crate) mod stages;
pub(crate) mod trip;
pub(crate) mod unwritten;
