// Attempt: read buffers of a layout, not declared by itself, whose rows overlap.
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;

type Tight = Layout<F16, Naive<seq![128, 64], seq![48, 1]>>;
type Two = Buffered<Tight, U2>;
assert_conflict_free! { Two on gfx942: read ds_read_b64 by RowMajor }

fn main() {}
