//! A climb over linear layouts of packs, where the descent through all of them was cut. It proves nothing.
//!
//! Each step flips a bit of one column, or exchanges two columns. A step that is no worse is taken; where none has been
//! better for as many steps as there are pairs of columns, any step is.
//!
//! ```text
//!   12,564 sets of two to five accesses of gfx950: 143 ended without a proof, 3,300 cycles together; after a climb 3,096
//! ```

use super::linear::Linear;
use core::ops::Range;

/// Steps that are looked at.
const MOST_STEPS: u32 = 4_000;

/// Columns of fewer cycles than `below`, those of some bits placed, if the climb comes to some.
pub(super) fn climb(linear: &Linear, placed: Range<u32>, below: u64) -> Option<Vec<u32>> {
    let mut columns = linear.in_order();
    let count = placed.len() as u32;
    let (mut cycles, mut since_better) = (linear.cycles(&columns, u64::MAX), 0);
    let (mut least, mut found, mut random) = (below, None, 1u64);
    for _ in 0..MOST_STEPS {
        // The multiplier of Knuth's MMIX generator: the same steps in each search.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let bit = |shift: u32| placed.start + (random >> shift) as u32 % count;
        let [one, other] = [33, 45].map(bit);
        let mut next = columns.clone();
        match random >> 63 {
            0 => next[one as usize] ^= 1 << other,
            _ => next.swap(one as usize, other as usize),
        }
        since_better += 1;
        if !is_bijective(&next[placed.start as usize..placed.end as usize]) {
            continue;
        }
        let next_cycles = linear.cycles(&next, u64::MAX);
        if next_cycles <= cycles || since_better > count * count {
            if next_cycles != cycles {
                since_better = 0;
            }
            (columns, cycles) = (next, next_cycles);
        }
        if cycles < least {
            (least, found) = (cycles, Some(columns.clone()));
        }
    }
    found
}

/// Whether no column is a sum of others.
fn is_bijective(columns: &[u32]) -> bool {
    let mut basis = Vec::<u32>::new();
    columns.iter().all(|column| {
        let rest = basis.iter().fold(*column, |rest, one| rest.min(rest ^ one));
        basis.push(rest);
        rest != 0
    })
}
