//! What holds of a layout, found by trying every coordinate: nothing of the
//! library's reasoning about structure is used.

use tiledesc::Plan;

/// Whether every aligned block of `length` along a dimension is evenly spaced by
/// `stride`, and wholly in memory or wholly in padding.
pub(crate) fn every_block_is_even(plan: &Plan, dimension: usize, length: u32, stride: i64) -> bool {
    (0..plan.elements()).all(|id| {
        let index = plan.nth(id);
        let mut first = index.as_slice().to_vec();
        let within = first[dimension] % length;
        first[dimension] -= within;
        let (here, block) = (plan.evaluate(index.as_slice()), plan.evaluate(&first));
        let distance = i64::from(here[0].wrapping_sub(block[0]).cast_signed());
        let (here, block) = (plan.accepts(&here), plan.accepts(&block));
        here == block && (!here || distance == i64::from(within) * stride)
    })
}
