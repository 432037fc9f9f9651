// Attempt: flip three bits with those two above them.
use tiledesc::exchange::cute::Swizzle;

const SWIZZLE: Swizzle = match Swizzle::new(3, 4, 2) {
    Ok(swizzle) => swizzle,
    Err(refused) => refused.refuse(),
};

fn main() {
    let _ = SWIZZLE;
}
