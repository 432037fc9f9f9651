// Attempt: a row of one's own whose merged phases are of a wave of 64, its own of 32.
use tiledesc::chip::{Evidence, Instruction, Phases};

const READ: Instruction = Instruction::read("vx_read_b64", 8)
    .phases(Phases::contiguous(16).of_wave(32))
    .merging(Phases::contiguous(32), Evidence::Inferred, "as sm_75");

fn main() {
    let _ = READ;
}
