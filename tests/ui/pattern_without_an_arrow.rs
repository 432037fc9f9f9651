// Attempt: a pattern written as an assignment.
use tiledesc::prelude::*;

pattern! { Rows(lane) = [lane, 0]; }

fn main() {}
