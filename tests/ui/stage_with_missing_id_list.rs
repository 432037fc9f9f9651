// Attempt: two transforms, one list of upper ids, as values.
use tiledesc::prelude::*;

fn padded(m: u32, k: u32) -> Result<u32, tiledesc::Error> {
    let a = Naive::new([Dyn(m), Dyn(k)], [Dyn(k), Dyn(1)])?.transform(
        (RightPad::new(Dyn(m), Dyn(8)), PassThrough::new(Dyn(k))),
        lower![[0], [1]],
        upper![[0]],
    )?;
    Ok(a.at([0u32]))
}

fn main() {}
