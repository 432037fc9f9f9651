//! Layouts as tiles see them: counted in elements of another width (`recast_from`), and some rows of a larger one (`view`).

use super::tile::{Layout, layout, together};
use support::fuzz::Dice;

/// A layout with the words of the file, and whether it may be another one's view, or of another width.
pub(super) fn seen(dice: &mut Dice, names: &[&str], lengths: &[u64], bits: u64) -> (Layout, bool) {
    // With its pads twice the tile fits into a block, too.
    let has_room = lengths.iter().product::<u64>() * bits <= 8 << 13;
    match dice.below(6) {
        0 if has_room => (view(dice, names, lengths, bits), true),
        0..=2 => (of_width(dice, names, lengths, bits), true),
        _ => (layout(dice, names, lengths), false),
    }
}

/// A layout that may count elements of half or of twice the width.
fn of_width(dice: &mut Dice, names: &[&str], lengths: &[u64], bits: u64) -> Layout {
    let all = [(8, "u8"), (16, "f16"), (32, "float"), (64, "f64")];
    let others: Vec<_> =
        all.into_iter().filter(|(from, _)| *from == 2 * bits || *from * 2 == bits).collect();
    let last = lengths.len() - 1;
    // So that packs of eight divide the rows that are counted.
    if others.is_empty() || !lengths[last].is_multiple_of(16) {
        return layout(dice, names, lengths);
    }
    let (from, name) = dice.of(&others);
    let mut counted = lengths.to_vec();
    counted[last] = lengths[last] * bits / from;
    let Layout { words, offset } = layout(dice, names, &counted);
    let one = Layout { words, offset };
    if !together(&counted, from, &one).contains(&2) {
        return layout(dice, names, lengths);
    }
    let Layout { words, offset } = one;
    let words = format!("{words}recast_from = \"{name}\"\n");
    let recast = move |at: &[u64]| {
        let mut of = at.to_vec();
        of[last] = at[last] * bits / from;
        (offset(&of) * from + at[last] * bits % from) / bits
    };
    Layout { words, offset: Box::new(recast) }
}

/// Some of twice as many rows.
fn view(dice: &mut Dice, names: &[&str], lengths: &[u64], bits: u64) -> Layout {
    let mut of = lengths.to_vec();
    of[0] *= 2;
    let begin = u64::from(dice.below(lengths[0] as u32 + 1));
    let Layout { words, offset } = of_width(dice, names, &of, bits);
    let shape: Vec<_> =
        names.iter().zip(&of).map(|(name, length)| format!("{name} = {length}")).collect();
    let passed: String =
        (1..of.len()).map(|d| format!(", pass[{}] ({d}) -> ({d})", of[d])).collect();
    let words = format!(
        "{words}view = {{ of = {{ {} }}, by = \"slice[{}, {begin}, {}] (0) -> (0){passed}\" }}\n",
        shape.join(", "),
        of[0],
        begin + lengths[0]
    );
    let rows = move |at: &[u64]| {
        let mut of = at.to_vec();
        of[0] += begin;
        offset(&of)
    };
    Layout { words, offset: Box::new(rows) }
}
