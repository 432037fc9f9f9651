// Attempt: CK's six parameters, with a minor index too large.
use tiledesc::prelude::*;

type Lost = Encoded<seq![], lists![[32], [2, 4]], lists![[2, 1]], lists![[0, 1]], seq![2], seq![1]>;
const _: () = tiledesc::distribution::check_factors::<Lost>("Lost");

fn main() {}
