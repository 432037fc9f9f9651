//! Whether numbers of lanes are what is claimed of them: that there is one u for all of them, a multiple of 2^k.

use tiledesc_audit::value::{Lanes, Value};

/// Whether what is claimed is so of these lanes and the number of each.
pub(crate) fn is_true(claim: &Value, is: &[(usize, u32)]) -> bool {
    match claim {
        Value::Sum { k, f } => is_among(*k, 0, f, is),
        Value::Among { k, open, f, .. } => is_among(*k, *open, f, is),
        Value::Part { bits, f, .. } => {
            is.iter().all(|(lane, number)| (number ^ f.get(*lane)) << (32 - bits) == 0)
        }
        Value::OneOf(forms) => forms.iter().any(|form| is_true(form, is)),
        Value::Nothing => is.is_empty(),
        Value::Unknown(_) => true,
    }
}

/// Whether a u, a multiple of 2^k, leaves each of these lanes bits of `open`, of each its own. Of more than 12 open bits only those below them are
/// held, but for open bits from some place up to bit 31: there is nothing to hold above that place.
fn is_among(k: u32, open: u32, f: &Lanes, is: &[(usize, u32)]) -> bool {
    let Some(first) = is.first() else { return true };
    let top = 32 - open.leading_ones();
    let below = |bits: u32| ((1_u64 << bits) - 1) as u32;
    let (kept, divided) = (below(top), below(k));
    let open = open & kept;
    let rest = |(lane, number): &(usize, u32)| number.wrapping_sub(f.get(*lane)) & kept;
    if k == 32 {
        return is.iter().all(|one| rest(one) & !open == 0);
    }
    if open.count_ones() > 12 {
        let low = below(k.min(open.trailing_zeros()));
        return is.iter().all(|one| rest(one) & low == 0);
    }
    // Each choice of the first lane's bits leaves one u.
    let mut bits = 0_u32;
    loop {
        let u = rest(first).wrapping_sub(bits) & kept;
        let is_own = |one: &(usize, u32)| rest(one).wrapping_sub(u) & kept & !open == 0;
        if u & divided == 0 && is.iter().all(is_own) {
            return true;
        }
        bits = bits.wrapping_sub(open) & open;
        if bits == 0 {
            return false;
        }
    }
}
