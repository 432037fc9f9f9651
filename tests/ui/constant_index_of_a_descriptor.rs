// Attempt: the offset of (9, 99) in a descriptor of 8 by 16.
use tiledesc::offset_of;
use tiledesc::prelude::*;

const OFFSET: u32 = offset_of::<Packed<seq![8, 16]>, 2>([9, 99]);

fn main() {}
