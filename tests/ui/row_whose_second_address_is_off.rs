// Attempt: a row of one's own whose second address is off its alignment.
use tiledesc::chip::Instruction;
use tiledesc::chip::gfx942;

const WRITE: Instruction = gfx942::ds_write_b32.paired("vx_write2_b32", 2).offsets(0, 1);

fn main() {
    let _ = WRITE;
}
