//! Random layouts: what the file says, and the offset as the documentation of each notation has it.

use super::tile::{At, nth};
use support::fuzz::Dice;

type Offset = Box<dyn Fn(At) -> u64>;

/// A layout: what the file says, and its offset.
pub(crate) struct Layout {
    pub(crate) words: String,
    pub(crate) offset: Offset,
    /// Columns that are contiguous and aligned together.
    pub(crate) together: u64,
    /// Whether all places have an element.
    pub(crate) dense: bool,
}

impl Layout {
    pub(crate) fn random(
        dice: &mut Dice,
        names: &[&str],
        lengths: &[u64],
        bits: u64,
        ragged: bool,
    ) -> Self {
        let most = 128 / bits;
        match (lengths, dice.below(8)) {
            (_, 0) if !ragged && lengths[0] != 3 => bases(dice, lengths, most),
            ([buffers, rows, columns], kind) => {
                let [b, i, j] = [*buffers, *rows, *columns];
                let inner = Self::of_buffer(dice, kind, [i, j], bits, ragged);
                inner.in_buffers(dice, names, [b, i, j])
            }
            ([rows, columns], 1) if !ragged => swizzled(dice, [*rows, *columns], most),
            ([rows, columns], kind @ 2..=3) => {
                let inner = Self::of_buffer(dice, kind, [*rows, *columns], bits, ragged);
                let words = format!("stages = \"{}\"\n", inner.base(&[*rows, *columns], None));
                let by_row = inner.offset;
                let offset = Box::new(move |[i, j, _]: At| by_row(i, j));
                Self { words, offset, together: inner.together, dense: inner.dense }
            }
            ([rows, columns], _) => {
                Self::of_two(dice, [names[0], names[1]], [*rows, *columns], bits, ragged)
            }
            _ => unreachable!("tiles have two or three dimensions"),
        }
    }

    /// Rows of one buffer: plain, with pads, or packs xor-ed with the row.
    fn of_buffer(
        dice: &mut Dice,
        kind: u32,
        [_, columns]: [u64; 2],
        bits: u64,
        ragged: bool,
    ) -> Inner {
        let (bytes, most) = (bits / 8, 128 / bits);
        let pitch = columns + dice.of::<u64>(&[0, 0, 8, 16]);
        let whole = (pitch * bytes).is_multiple_of(16);
        if kind.is_multiple_of(2) || ragged {
            return Inner {
                pitch,
                pack: None,
                together: if whole { most } else { 1 },
                dense: pitch == columns,
                offset: Box::new(move |i, j| i * pitch + j),
            };
        }
        let pack = dice.of::<u64>(&[4, 8]);
        let packs = columns / pack;
        Inner {
            pitch,
            pack: Some(pack),
            together: if whole { most.min(pack) } else { 1 },
            dense: pitch == columns,
            offset: Box::new(move |i, j| i * pitch + ((j / pack) ^ (i % packs)) * pack + j % pack),
        }
    }

    fn of_two(
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
        let c = if by_columns { rows } else { columns };
        let placed = move |by_row: Box<dyn Fn(u64, u64) -> u64>| -> Offset {
            match by_columns {
                true => Box::new(move |[i, j, _]| by_row(j, i)),
                false => Box::new(move |[i, j, _]| by_row(i, j)),
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
                let offset = Box::new(move |[i, j, _]: At| i * pitch + j);
                Self { words, offset, together, dense: pitch == columns }
            }
            1 => {
                let pitch = rows + u64::from(dice.below(3));
                let words = format!("strides = [1, {pitch}]\n");
                let offset = Box::new(move |[i, j, _]: At| i + j * pitch);
                Self { words, offset, together: 1, dense: false }
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
                let by_row = Box::new(xor(c, pack, bytes));
                let dense = !by_columns && pack * bits >= 128;
                Self { words, offset: placed(by_row), together: together.min(pack), dense }
            }
            _ => {
                let words = format!(
                    "cute = \"Sw<2,3,3> o 0 o ({rows},{columns}):({columns},1)\"\nunit = \"elements\"\n"
                );
                let offset = Box::new(move |[i, j, _]: At| swizzle(i * columns + j));
                Self { words, offset, together: most.min(8), dense: most <= 8 }
            }
        }
    }
}

/// Rows and columns, in the words of `stages`.
struct Inner {
    pitch: u64,
    pack: Option<u64>,
    together: u64,
    dense: bool,
    offset: Box<dyn Fn(u64, u64) -> u64>,
}

impl Inner {
    /// Several of them, one behind the other.
    fn in_buffers(self, dice: &mut Dice, names: &[&str], lengths: [u64; 3]) -> Layout {
        let [buffers, rows, columns] = lengths;
        let pad = dice.of::<u64>(&[0, 0, 64]);
        let each = rows * self.pitch + pad;
        let plain = self.pack.is_none();
        let (pitch, dense) = (self.pitch, self.dense && pad == 0);
        if plain && dense && dice.one_in(3) && rows % 8 == 0 {
            let words = format!(
                "cute = \"Sw<2,3,3> o 0 o ({buffers},{rows},{columns}):({each},{columns},1)\"\nunit = \"elements\"\n"
            );
            let offset =
                Box::new(move |[b, i, j]: At| swizzle(b * rows * columns + i * columns + j));
            return Layout { words, offset, together: self.together.min(8), dense };
        }
        let words = match (plain, dice.below(3)) {
            (true, 0) => format!("strides = [{each}, {pitch}, 1]\n"),
            (true, 1) => {
                let [a, b, c] = [names[0], names[1], names[2]];
                format!("strides = {{ {c} = 1, {b} = {pitch}, {a} = {each} }}\n")
            }
            _ => format!("stages = \"{}\"\n", self.base(&lengths, Some(each))),
        };
        let by_row = self.offset;
        let offset = Box::new(move |[b, i, j]: At| b * each + by_row(i, j));
        Layout { words, offset, together: self.together, dense }
    }

    /// The stages: a base of as many dimensions, packs xor-ed with rows, packs and their elements merged.
    fn base(&self, lengths: &[u64], each: Option<u64>) -> String {
        let columns = lengths[lengths.len() - 1];
        let (mut all, mut strides) = (lengths.to_vec(), Vec::from_iter(each));
        strides.extend([self.pitch, 1]);
        if let Some(pack) = self.pack {
            all.pop();
            all.extend([columns / pack, pack]);
            strides.pop();
            strides.extend([pack, 1]);
        }
        let dense = all
            .windows(2)
            .enumerate()
            .all(|(d, _)| strides[d] == all[d + 1..].iter().product::<u64>());
        let base = match dense {
            true => format!("packed {all:?}"),
            false => format!("naive {all:?} strides {strides:?}"),
        };
        let Some(pack) = self.pack else { return format!("{base};") };
        let (rank, packs) = (lengths.len(), columns / pack);
        let rows = lengths[rank - 2];
        let first: Vec<_> =
            (0..rank - 2).map(|d| format!("pass[{}] ({d}) -> ({d}), ", lengths[d])).collect();
        let first = first.concat();
        let [r, c, e] = [rank - 2, rank - 1, rank];
        format!(
            "{base}; {first}xor[{rows}, {packs}] ({r}, {c}) -> ({r}, {c}), pass[{pack}] ({e}) -> ({e}); \
             {first}pass[{rows}] ({r}) -> ({r}), merge[{packs}, {pack}] ({c}, {e}) -> ({c});"
        )
    }
}

/// `Sw<2,3,3>`: bits 6 and 7 into bits 3 and 4.
fn swizzle(at: u64) -> u64 {
    at ^ ((at >> 3) & (3 << 3))
}

/// Triton's bases: each bit of an offset is a coordinate, and those of several bits are xor-ed. The lengths are powers
/// of two.
fn bases(dice: &mut Dice, lengths: &[u64], most: u64) -> Layout {
    let together = dice.of(&[1, 4, 8, 16]).min(most);
    let (rank, last) = (lengths.len(), lengths.len() - 1);
    let mut images: Vec<At> = Vec::new();
    for (d, length) in lengths.iter().enumerate() {
        images.extend((0..length.ilog2()).map(|bit| {
            let mut image = [0; 3];
            image[d] = 1 << bit;
            image
        }));
    }
    // First the columns that stay together, then all others in any order, and some of them xor-ed with each other.
    let is_first = |image: &At| image[last] > 0 && image[last] < together;
    images.sort_by_key(|image| (!is_first(image), image[last]));
    let first = together.ilog2() as usize;
    let count = images.len();
    for i in (first + 1..count).rev() {
        let other = first + dice.below((i - first + 1) as u32) as usize;
        images.swap(i, other);
    }
    // A plan of three dimensions holds fewer xors.
    for _ in 0..dice.below(if rank == 3 { 3 } else { 7 }) {
        let [one, other] = [0, 1].map(|_| first + dice.below((count - first) as u32) as usize);
        if one != other {
            let add = images[other];
            images[one].iter_mut().zip(add).for_each(|(index, more)| *index ^= more);
        }
    }
    let words: Vec<_> = images.iter().map(|image| format!("{:?}", &image[..rank])).collect();
    let words = format!("triton = {{ offset = [{}] }}\n", words.join(", "));
    // The offset of each coordinate, row by row.
    let mut offsets = vec![u64::MAX; 1 << count];
    let row_major = |at: &At| (0..rank).fold(0, |id, d| id * lengths[d] + at[d]) as usize;
    for offset in 0..1_u64 << count {
        let bits = (0..count).filter(|bit| offset >> bit & 1 == 1);
        let at = bits.fold([0; 3], |at: At, bit| core::array::from_fn(|d| at[d] ^ images[bit][d]));
        offsets[row_major(&at)] = offset;
    }
    assert_eq!(nth(lengths, offsets.len() as u64 - 1)[last], lengths[last] - 1);
    let lengths = lengths.to_vec();
    let offset = Box::new(move |at: At| {
        offsets[lengths.iter().enumerate().fold(0, |id, (d, length)| id * length + at[d]) as usize]
    });
    Layout { words, offset, together, dense: true }
}

/// Triton's `swizzled_shared`: chunk `c / vec` of row `r` goes to `chunk ^ r / perPhase % maxPhase`.
fn swizzled(dice: &mut Dice, [rows, columns]: [u64; 2], most: u64) -> Layout {
    let by_columns = dice.one_in(3);
    let (r, c) = if by_columns { (columns, rows) } else { (rows, columns) };
    let vec = dice.of::<u64>(&[4, 8]);
    let per = dice.of::<u64>(&[1, 2]);
    let phases = dice.of::<u64>(&[2, 4, 8]).min(c / vec).min(r / per);
    let order = if by_columns { "[0, 1]" } else { "[1, 0]" };
    let order = match by_columns || dice.one_in(2) {
        true => format!(", order = {order}"),
        false => String::new(),
    };
    let words =
        format!("triton = {{ vec = {vec}, perPhase = {per}, maxPhase = {phases}{order} }}\n");
    let offset = Box::new(move |[i, j, _]: At| {
        let (row, at) = if by_columns { (j, i) } else { (i, j) };
        row * c + ((at / vec) ^ (row / per % phases)) * vec + at % vec
    });
    let together = if by_columns { 1 } else { vec.min(most) };
    Layout { words, offset, together, dense: !by_columns }
}

/// CK's xor of packs, as `docs/src` has it: pack `c / P` of row `r` goes to place `pack ^ r`, `L` rows being a line.
fn xor(columns: u64, pack: u64, bytes: u64) -> impl Fn(u64, u64) -> u64 {
    let layers = (128 / (columns * bytes)).max(1);
    move |r, c| {
        let (line, packs) = (r / layers, columns / pack * layers);
        let place = (r % layers * (columns / pack) + c / pack) ^ (line % packs);
        line * columns * layers + place * pack + c % pack
    }
}
