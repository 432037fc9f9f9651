// Attempt: a gather of 3000 rows, each of which a ring of buffers has twice.
use tiledesc::{Function, descriptor, prelude::*};

struct EveryOther;
impl Function for EveryOther {
    const TABLE: &'static [u32] = &{
        let mut table = [0; 3000];
        let mut i = 0;
        while i < 3000 {
            table[i] = i as u32 + if i % 2 == 1 { 3000 } else { 0 };
            i += 1;
        }
        table
    };
}

descriptor! {
    type Gathered:
        packed [3000, 3];
        modulo[3000, 6000] (0) -> (0),   pass[3] (1) -> (1);
        functor[EveryOther] (0) -> (0),  pass[3] (1) -> (1);
}
layout! { type Rows = Layout<F16, Gathered>; }

layout! {
    #[may_overlap]
    type Allowed = Layout<F16, Gathered>;
}

fn main() {}
