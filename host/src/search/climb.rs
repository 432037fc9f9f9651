//! A climb over linear layouts of one form, where the descent through all of them was cut. It proves nothing.
//!
//! Each step flips a bit of one column, or exchanges two columns. A step that is no worse is taken; where none has been
//! better for as many steps as there are pairs of columns, any step is.
//!
//! ```text
//!   12,564 sets of two to five accesses of gfx950: 143 ended without a proof, 3,300 cycles together; after a climb 3,096
//! ```

use super::form::Form;
use super::linear::Linear;

/// Steps that are looked at.
const MOST_STEPS: usize = 4_000;

/// Units that the steps of one climb place: some 3 ms.
const MOST_CLIMBED: usize = 500_000;

/// Layouts that the verdict refuses.
const MOST_REFUSED: u32 = 64;

/// Columns of fewer cycles than `below` that hold all accesses, if the climb from some columns comes to some.
pub(super) fn climb(
    linear: &Linear,
    mut columns: Vec<u32>,
    form: &dyn Form,
    below: u64,
    is_held: impl Fn(&[u32]) -> bool,
) -> Option<Vec<u32>> {
    let units: usize = linear.phases.iter().map(|units| units.bytes.len()).sum();
    let (patience, mut refused) = (form.chosen().len().pow(2), 0);
    let (mut cycles, mut since_better) = (linear.cycles(&columns, u64::MAX), 0);
    let (mut least, mut found, mut random) = (below, None, 1u64);
    for _ in 0..MOST_STEPS.min(MOST_CLIMBED / units.max(1)) {
        // The multiplier of Knuth's MMIX generator: the same steps in each search.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut next = columns.clone();
        since_better += 1;
        if !form.step(&mut next, random) {
            continue;
        }
        let is_any_taken = since_better > patience;
        let next_cycles = linear.cycles(&next, if is_any_taken { u64::MAX } else { cycles + 1 });
        if next_cycles <= cycles || is_any_taken {
            if next_cycles != cycles {
                since_better = 0;
            }
            (columns, cycles) = (next, next_cycles);
        }
        if cycles < least && refused < MOST_REFUSED {
            match is_held(&columns) {
                true => (least, found) = (cycles, Some(columns.clone())),
                false => refused += 1,
            }
        }
    }
    found
}
