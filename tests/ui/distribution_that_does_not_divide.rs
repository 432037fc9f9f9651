// Attempt: rows of 64 in packs of 24.
use tiledesc::prelude::*;

distribution! {
    type Rows<K, V>: m [row 16], k [part (K / V), half V]; lane (part, row), thread (half);
}
const _: () = tiledesc::distribution::check_factors::<Rows<recipe::K<64>, KPack<24>>>("Rows");

fn main() {}
