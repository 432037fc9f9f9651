//! What the book says of other people's pages (`docs/src/claims.md`) is so: each claim that can be computed is
//! computed.

mod ck;
mod profiler;
mod tma;
