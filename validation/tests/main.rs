//! What the validation is held to, in one program: six would each link the whole of it.

mod compare;
mod exit;
mod host;
mod list;
mod records;
mod source;
