//! The output of an answer in a format, with an exit status.
//!
//! A file of this folder uses only those above it in this table, and the layers before.
//!
//! | file | what it writes |
//! |---|---|
//! | `output` | two texts and an exit status: what a run leaves |
//! | `console` | colours, and word of what takes long |
//! | `files` | files, only when their text has changed |
//! | `checkout` | the files of a checkout, as `github` and `sarif` name them |
//! | `text`, `json`, `github`, `sarif` | reports as lines, as JSON, as annotations, for code scanning |
//! | `check` | `check`, in one of these |
//! | `html` | the frame of a page |
//! | `audit_page` | compiled kernels as one HTML page |
//! | `audit` | `audit`, in one of these |
//! | `explain` | one access: tables of phases and lanes, counters to expect |
//! | `find` | layouts by what they cost |
//! | `at` | places of elements, a line each |
//! | `convert` | one notation, or all as lines of a file |
//! | `counters` | what a profile says |
//! | `list` | what there is, as columns or as JSON |
//! | `emit` | headers, and what they depend on |
//! | `paste` | the Rust lines to paste |
//! | `page` | everything about a file as one HTML page |
//! | `show` | figures as text or SVG, or that page |
//! | `manual` | man pages and completions |
//! | `served` | one instruction lane by lane and phase by phase, as JSON |
//! | `explore_audit` | what the explorer shows of compiled kernels |
//! | `explore` | what the explorer shows of a tile |
//! | `summary` | all of the command line as one object |

pub(crate) mod at;
pub(crate) mod audit;
mod audit_page;
pub(crate) mod check;
mod checkout;
pub(crate) mod console;
pub(crate) mod convert;
pub(crate) mod counters;
pub(crate) mod emit;
pub(crate) mod explain;
pub(crate) mod explore;
mod explore_audit;
mod files;
pub(crate) mod find;
mod github;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod manual;
pub(crate) mod output;
mod page;
mod paste;
mod sarif;
mod served;
pub(crate) mod show;
pub(crate) mod summary;
pub(crate) mod text;
