// Attempt: a row of one's own with fewer banks than a lane touches.
use tiledesc::chip::Instruction;

const READ: Instruction = Instruction::read("vx_read_b128", 16).banks(2);

fn main() {
    let _ = READ;
}
