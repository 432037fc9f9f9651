//! Random tiles: two dimensions by names, the bits of an element, and a layout with its offset.

use support::fuzz::Dice;

/// Two dimensions by names, the bits of an element, and a layout.
pub(crate) struct Tile {
    pub(crate) names: [&'static str; 2],
    pub(crate) lengths: [u64; 2],
    pub(crate) element: (&'static str, u64),
    pub(crate) layout: Layout,
    pub(crate) chips: Vec<(&'static str, u64)>,
}

impl Tile {
    pub(crate) fn random(dice: &mut Dice, ragged: bool) -> Self {
        let chips = match dice.below(6) {
            0 | 1 => vec![("gfx942", 64), ("gfx1201", 32)],
            2 => vec![("gfx1201", 32), ("gfx950", 64), ("gfx942", 64)],
            3 => vec![("gfx950", 64)],
            4 => vec![("gfx942", 64)],
            _ => vec![("sm_90", 32)],
        };
        let all = ["m", "k", "n", "s", "d", "row", "q", "mn"];
        let names = match dice.below(4) {
            0 => ["k", dice.of(&["n", "m", "mn"])],
            1 => [dice.of(&["n", "m"]), "k"],
            _ => loop {
                let two = [dice.of(&all), dice.of(&all)];
                if two[0] != two[1] {
                    break two;
                }
            },
        };
        let element = dice.of(&[("f16", 16), ("f16", 16), ("f32", 32), ("f8", 8)]);
        let lengths = if ragged {
            [dice.of::<u64>(&[22, 44, 37]), 64]
        } else {
            [dice.of::<u64>(&[32, 64]), dice.of::<u64>(&[32, 64])]
        };
        let layout = Layout::random(dice, names, lengths, element.1, ragged);
        Self { names, lengths, element, layout, chips }
    }

    pub(crate) fn byte(&self, [i, j]: [u64; 2]) -> u64 {
        (self.layout.offset)(i, j) * self.element.1 / 8
    }
}

/// A layout of rows and columns: what the file says, and its offset.
pub(crate) struct Layout {
    pub(crate) words: String,
    pub(crate) offset: Box<dyn Fn(u64, u64) -> u64>,
    /// Columns that are contiguous and aligned together.
    pub(crate) together: u64,
    /// Whether all places have an element.
    pub(crate) dense: bool,
}

impl Layout {
    pub(crate) fn random(
        dice: &mut Dice,
        names: [&str; 2],
        [rows, columns]: [u64; 2],
        bits: u64,
        ragged: bool,
    ) -> Self {
        let (bytes, most) = (bits / 8, 128 / bits);
        // Recipes take their rows from the second dimension of `{ k, n }`.
        let exchanged = names[0] == "k" && ["m", "n", "mn"].contains(&names[1]);
        let transposed = dice.one_in(4);
        let by_columns = exchanged != transposed;
        let (r, c) = if by_columns { (columns, rows) } else { (rows, columns) };
        let placed = move |by_row: Box<dyn Fn(u64, u64) -> u64>| -> Box<dyn Fn(u64, u64) -> u64> {
            match by_columns {
                true => Box::new(move |i, j| by_row(j, i)),
                false => by_row,
            }
        };
        let flag = if transposed { "transposed = true\n" } else { "" };
        let together = if by_columns { 1 } else { most };
        match dice.below(if ragged { 3 } else { 6 }) {
            0 => {
                let pitch = columns + dice.of::<u64>(&[0, 8, 16]) / bytes.min(4) * 4;
                let words = match dice.one_in(2) {
                    true => format!("strides = [{pitch}, 1]\n"),
                    false => format!("strides = {{ {} = 1, {} = {pitch} }}\n", names[1], names[0]),
                };
                let together = if (pitch * bytes).is_multiple_of(16) { most } else { 1 };
                let offset = Box::new(move |i, j| i * pitch + j);
                Self { words, offset, together, dense: pitch == columns }
            }
            1 => {
                let pitch = rows + u64::from(dice.below(3));
                let words = format!("strides = [1, {pitch}]\n");
                Self {
                    words,
                    offset: Box::new(move |i, j| i + j * pitch),
                    together: 1,
                    dense: false,
                }
            }
            2 => {
                let pad = dice.of::<u64>(&[8, 16]);
                let words = format!("recipe = \"row-pad\"\npadding = {pad}\n{flag}");
                let together = if ((c + pad) * bytes).is_multiple_of(16) { together } else { 1 };
                let by_row = Box::new(move |r, at| r * (c + pad) + at);
                Self { words, offset: placed(by_row), together, dense: false }
            }
            3 | 4 => {
                let pack = dice.of::<u64>(&[4, 8]);
                let words = format!("recipe = \"gemm-xor\"\nkpack = {pack}\n{flag}");
                let _ = r;
                let by_row = Box::new(xor(c, pack, bytes));
                let dense = !by_columns && pack * bits >= 128;
                Self { words, offset: placed(by_row), together: together.min(pack), dense }
            }
            _ => {
                let words =
                    format!("cute = \"Sw<2,3,3> o 0 o ({rows},{columns}):({columns},1)\"\n");
                let offset = Box::new(move |i, j| {
                    let at: u64 = i * columns + j;
                    at ^ ((at >> 3) & (3 << 3))
                });
                Self { words, offset, together: most.min(8), dense: most <= 8 }
            }
        }
    }
}

/// CK's xor of packs, as `docs/src` has it: pack `c / P` of row `r` goes to place `pack ^ r`, `L` rows being a line.
pub(crate) fn xor(columns: u64, pack: u64, bytes: u64) -> impl Fn(u64, u64) -> u64 {
    let layers = (128 / (columns * bytes)).max(1);
    move |r, c| {
        let (line, packs) = (r / layers, columns / pack * layers);
        let place = (r % layers * (columns / pack) + c / pack) ^ (line % packs);
        line * columns * layers + place * pack + c % pack
    }
}
