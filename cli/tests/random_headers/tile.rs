//! Random tiles: dimensions by names, the bits of an element, chips, and a layout with its offset.

use super::layout::Layout;
use support::fuzz::Dice;

/// A coordinate of two or three dimensions; what a tile does not have is 0.
pub(crate) type At = [u64; 3];

/// Dimensions by names, the bits of an element, and a layout.
pub(crate) struct Tile {
    pub(crate) names: Vec<&'static str>,
    pub(crate) lengths: Vec<u64>,
    pub(crate) element: (&'static str, u64),
    pub(crate) layout: Layout,
    pub(crate) chips: Vec<(&'static str, u64)>,
}

impl Tile {
    pub(crate) fn random(dice: &mut Dice, ragged: bool) -> Self {
        let chips = match dice.below(9) {
            0 | 1 => vec![("gfx942", 64), ("gfx1201", 32)],
            2 => vec![("gfx1201", 32), ("gfx950", 64), ("gfx942", 64)],
            3 => vec![("gfx950", 64)],
            4 => vec![("gfx942", 64)],
            5 => vec![("gfx950", 64), ("gfx942", 64)],
            6 => vec![("sm_90", 32), ("sm_80", 32)],
            7 => vec![("gfx1250", 32)],
            _ => vec![("sm_90", 32)],
        };
        let element = dice.of(&[("f16", 16), ("f16", 16), ("f32", 32), ("f8", 8)]);
        let mut lengths = if ragged {
            vec![dice.of::<u64>(&[22, 44, 37]), dice.of::<u64>(&[64, 48, 80, 112])]
        } else {
            vec![dice.of::<u64>(&[32, 64]), dice.of::<u64>(&[32, 64])]
        };
        let buffers = dice.one_in(4);
        if buffers {
            let rows = if ragged { dice.of(&[11, 22]) } else { 32 };
            lengths = vec![dice.of::<u64>(&[2, 2, 3]), rows, lengths[1]];
        }
        let names = names(dice, lengths.len());
        let layout = Layout::random(dice, &names, &lengths, element.1, ragged);
        Self { names, lengths, element, layout, chips }
    }

    pub(crate) fn elements(&self) -> u64 {
        self.lengths.iter().product()
    }

    pub(crate) fn columns(&self) -> u64 {
        self.lengths[self.lengths.len() - 1]
    }

    /// The coordinate of a number, the last dimension the fastest.
    pub(crate) fn nth(&self, id: u64) -> At {
        nth(&self.lengths, id)
    }

    pub(crate) fn byte(&self, at: At) -> u64 {
        (self.layout.offset)(at) * self.element.1 / 8
    }
}

fn names(dice: &mut Dice, rank: usize) -> Vec<&'static str> {
    if rank == 3 {
        return dice.of(&[["buffer", "m", "k"], ["k", "n", "m"], ["head", "s", "d"]]).to_vec();
    }
    let all = ["m", "k", "n", "s", "d", "row", "q", "mn"];
    match dice.below(4) {
        0 => vec!["k", dice.of(&["n", "m", "mn"])],
        1 => vec![dice.of(&["n", "m"]), "k"],
        _ => loop {
            let two = [dice.of(&all), dice.of(&all)];
            if two[0] != two[1] && is_consistent(two) {
                break two.to_vec();
            }
        },
    }
}

/// Whether names are the parameters of a recipe of M and K, in either order, or contradict none of them.
fn is_consistent(names: [&str; 2]) -> bool {
    let place = |name| match name {
        "m" | "n" | "mn" => Some(0),
        "k" => Some(1),
        _ => None,
    };
    match names.map(place) {
        [Some(one), Some(other)] => one != other,
        [one, other] => one.is_none_or(|at| at == 0) && other.is_none_or(|at| at == 1),
    }
}

/// The coordinate of a number in a tile of these lengths, the last dimension the fastest.
pub(crate) fn nth(lengths: &[u64], mut id: u64) -> At {
    let mut at = [0; 3];
    for (d, length) in lengths.iter().enumerate().rev() {
        (at[d], id) = (id % length, id / length);
    }
    at
}
