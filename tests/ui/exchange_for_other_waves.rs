// Attempt: what 4 waves hold, to 2 waves.
use tiledesc::distribution::{Exchange, ThreadRaked, exchange};
use tiledesc::prelude::*;

type Four = ThreadRaked<U128, U64, U8, U4>;
type Two = ThreadRaked<U128, U64, U8, U2>;

const ROWS: Exchange<Four, Two> = exchange::<Four, Two>();

fn main() {
    let _ = ROWS;
}
