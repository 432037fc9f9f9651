//! The user's request: a file or options, read into tiles, and all that is wrong with them.
//!
//! A file of this folder uses only those above it in this table.
//!
//! | file | concept |
//! |---|---|
//! | `spelling` | names as a user writes them, and names and counts in sentences |
//! | `bytes` | what a path or standard input holds |
//! | `keys` | a tile by keys and values in place of a text |
//! | `fault` | what is wrong with an input, and where |
//! | `value` | TOML values with their places |
//! | `reader` | words and numbers of a text |
//! | `data` | bytes of which data chooses one: the worst, the best, the average |
//! | `addresses` | the byte of each lane: a list, or a formula |
//! | `stages` | a layout in the words of `descriptor!` |
//! | `operand` | operands of matrix instructions by their names |
//! | `held` | what lanes touch: a pattern, or a distribution |
//! | `shape` | names and lengths of dimensions |
//! | `recipe`, `triton` | layouts by a recipe's name; by Triton's bases or swizzle |
//! | `notation` | the notations that `convert` writes, of files and of kernels |
//! | `layout` | a layout in one of seven notations |
//! | `view` | a tile as a view of a layout: in elements of another width, by transforms |
//! | `chip` | chips by their names |
//! | `fill` | the direct load that fills a tile |
//! | `fetch` | loads from global memory, and stores to it |
//! | `consumer` | what takes a tile without lane addresses: wgmma, tcgen05, TMA |
//! | `matrix` | the matrix instructions of a loop's trip |
//! | `instruction` | instructions by the names that people have at hand |
//! | `atomic` | atomics by their names, as reads of their width |
//! | `access` | an instruction and what its lanes touch |
//! | `tile` | a file: tiles and their accesses |
//! | `profile` | a profiler's table of counters |
//! | `figure`, `language` | the words of `--figure` and of `--lang` |
//! | `options` | a file, or options of one tile |
//! | `machine` | machine code that is no text, and the tools that disassemble it |
//! | `audit` | texts of assembly, and the shape of a block |
//! | `baseline` | an earlier report |
//! | `args` | the subcommands, and what `--help` says of them |

pub(crate) mod access;
pub(crate) mod addresses;
pub(crate) mod args;
pub(crate) mod atomic;
pub(crate) mod audit;
pub(crate) mod baseline;
pub(crate) mod bytes;
pub(crate) mod chip;
pub(crate) mod consumer;
pub(crate) mod data;
pub(crate) mod fault;
pub(crate) mod fetch;
pub(crate) mod figure;
pub(crate) mod fill;
pub(crate) mod held;
pub(crate) mod instruction;
pub(crate) mod keys;
pub(crate) mod language;
pub(crate) mod layout;
pub(crate) mod machine;
pub(crate) mod matrix;
pub(crate) mod notation;
pub(crate) mod operand;
pub(crate) mod options;
pub(crate) mod profile;
pub(crate) mod reader;
pub(crate) mod recipe;
pub(crate) mod shape;
pub(crate) mod spelling;
pub(crate) mod stages;
pub(crate) mod tile;
pub(crate) mod triton;
pub(crate) mod value;
pub(crate) mod view;
