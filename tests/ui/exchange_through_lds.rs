// Attempt: the accumulators of one product as the operand of the next.
use tiledesc::matrix::mfma;
use tiledesc::distribution::{Exchange, exchange};

type Sums = mfma::F16_32x32x8::Ct;
type Operand = mfma::Operand<tiledesc::Lit<32>, tiledesc::Lit<32>>;

const NEXT: Exchange<Sums, Operand> = exchange().in_registers();

fn main() {
    let _ = NEXT;
}
