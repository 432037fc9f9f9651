// Attempt: CK's six parameters, with the last factor left out.
use tiledesc::prelude::*;

type Lost = Encoded<seq![], lists![[32], [2, 4]], lists![[2, 1]], lists![[0, 0]], seq![], seq![]>;
const _: () = tiledesc::distribution::check_factors::<Lost>("Lost");

fn main() {}
