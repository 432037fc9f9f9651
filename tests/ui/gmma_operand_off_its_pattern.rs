// Attempt: put the second operand of a wgmma right after a first of 8.5 KiB.
use tiledesc::exchange::gmma::Atom;

const B: Atom = match Atom::named("Layout_K_SW128_Atom", 16) {
    Ok(atom) => atom,
    Err(_) => panic!(),
};
const _: () = B.check_base(8704);

fn main() {}
