// Attempt: state phases in which lane 1 is served twice and lane 2 never.
use tiledesc::chip::{Instruction, Phases};

const _: Instruction = Instruction::read("vx_read_b64", 8).phases(Phases::groups(&[&[0, 1], &[1, 3]]));

fn main() {}
