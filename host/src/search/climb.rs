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

/// Units that the steps of one climb place: some 2 ms.
const MOST_CLIMBED: usize = 500_000;

/// Columns that may be refused.
const MOST_REFUSED: u32 = 64;

/// Columns of fewer cycles than `below` that are held, if the climb from some columns comes to some.
pub(super) fn climb(
    linear: &Linear,
    from: Vec<u32>,
    form: &dyn Form,
    below: u64,
    is_held: impl Fn(&[u32]) -> bool,
) -> Option<Vec<u32>> {
    let units = linear.phases.iter().map(|units| units.bytes.len()).sum();
    let (work, mut cycles) = (linear.work(MOST_CLIMBED), linear.cycles(&from, u64::MAX));
    let mut now = linear.clone();
    now.go(from);
    let (patience, mut since_better, mut refused) = (form.chosen().len().pow(2), 0, 0);
    let (mut least, mut found, mut random) = (below, None, 1u64);
    for _ in 0..MOST_STEPS {
        work.spend(units);
        if work.is_spent() {
            break;
        }
        // The multiplier of Knuth's MMIX generator: the same steps in each search.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut next = now.columns.clone();
        since_better += 1;
        if !form.step(&mut next, random) {
            continue;
        }
        let most = if since_better > patience { u64::MAX } else { cycles + 1 };
        let next_cycles = now.cycles(&next, most);
        if next_cycles < most {
            if next_cycles != cycles {
                since_better = 0;
            }
            now.go(next);
            cycles = next_cycles;
        }
        if cycles < least && refused < MOST_REFUSED {
            match is_held(&now.columns) {
                true => (least, found) = (cycles, Some(now.columns.clone())),
                false => refused += 1,
            }
        }
    }
    found
}
