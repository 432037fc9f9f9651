// Attempt: put a 128-byte-swizzled tile after 512 bytes of something else.
use tiledesc::exchange::tma::Mode;

const _: () = Mode::B128.check_base(512);

fn main() {}
