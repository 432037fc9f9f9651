//! Random tiles that something takes without the address of a lane: in the forms of CuTe's atoms as they are, with one thing
//! changed, or in order. Whether an engine takes one follows from the masks of the atoms' bytes (NVIDIA/cutlass,
//! `mma_traits_sm90_gmma.hpp` and `mma_traits_sm100.hpp`) and from what PTX's ISA says of each engine.

use super::tile::{Layout, accesses, calls, coordinates, dot, layout, packed, stated};
use super::{File, Naming};
use crate::random_headers::call::Call;
use core::fmt::Write as _;
use serde_json::Value;
use support::fuzz::Dice;

/// A tile that an engine takes in a form, or does not.
pub(super) struct Consumed {
    tile: String,
    by: &'static str,
    pub(super) form: Option<Form>,
}

/// CuTe's name of an atom or that of the mode, the mode, and the alignment of the tile's base.
type Form = (&'static str, &'static str, u64);

impl Consumed {
    /// Compares the form that `check` states.
    pub(super) fn compare(&self, report: &Value, text: &str) {
        let Some((name, mode, alignment)) = self.form else { return };
        let mut tiles = report["tiles"].as_array().unwrap().iter();
        // Another consumer may hide the tile.
        let Some(tile) = tiles.find(|tile| tile["name"] == self.tile) else { return };
        let found = tile["consumed"].as_array().unwrap().iter().find(|one| one["by"] == self.by);
        let found = found.unwrap();
        let wanted: [Value; 3] = [name.into(), mode.into(), alignment.into()];
        assert_eq!(["form", "mode", "alignment"].map(|key| found[key].clone()), wanted, "{text}");
    }

    pub(super) fn is_refused(&self, fault: &Value, text: &str) {
        let message = fault["message"].as_str().unwrap();
        let begins = ["takes", "does not take"].map(|verb| format!("{} {verb} ", self.by));
        assert!(begins.iter().any(|begin| message.starts_with(begin)), "{message}\n{text}");
    }
}

/// Lines of bytes of which 16- or 32-byte chunks are exchanged by xor.
struct Atom {
    name: &'static str,
    mode: &'static str,
    alignment: u64,
    is_k_major: bool,
    /// Bytes of a line, and lines.
    line: u64,
    lines: u64,
    /// Bits that are flipped, the lowest of them, and how far above are those that flip them.
    xor: [u64; 3],
}

/// The widest first, K contiguous before M or N.
#[rustfmt::skip]
const ATOMS: [Atom; 9] = [
    Atom { name: "Layout_K_SW128_Atom", mode: "SWIZZLE_128B", alignment: 1024, is_k_major: true, line: 128, lines: 8, xor: [3, 4, 3] },
    Atom { name: "Layout_MN_SW128_Atom", mode: "SWIZZLE_128B", alignment: 1024, is_k_major: false, line: 128, lines: 8, xor: [3, 4, 3] },
    Atom { name: "Layout_MN_SW128_32B_Atom", mode: "SWIZZLE_128B_ATOM_32B", alignment: 1024, is_k_major: false, line: 128, lines: 4, xor: [2, 5, 2] },
    Atom { name: "Layout_K_SW64_Atom", mode: "SWIZZLE_64B", alignment: 512, is_k_major: true, line: 64, lines: 8, xor: [2, 4, 3] },
    Atom { name: "Layout_MN_SW64_Atom", mode: "SWIZZLE_64B", alignment: 512, is_k_major: false, line: 64, lines: 8, xor: [2, 4, 3] },
    Atom { name: "Layout_K_SW32_Atom", mode: "SWIZZLE_32B", alignment: 256, is_k_major: true, line: 32, lines: 8, xor: [1, 4, 3] },
    Atom { name: "Layout_MN_SW32_Atom", mode: "SWIZZLE_32B", alignment: 256, is_k_major: false, line: 32, lines: 8, xor: [1, 4, 3] },
    Atom { name: "Layout_K_INTER_Atom", mode: "SWIZZLE_NONE", alignment: 16, is_k_major: true, line: 16, lines: 8, xor: [0, 4, 3] },
    Atom { name: "Layout_MN_INTER_Atom", mode: "SWIZZLE_NONE", alignment: 16, is_k_major: false, line: 16, lines: 8, xor: [0, 4, 3] },
];

/// CuTe's swizzle of a byte.
fn swizzled([count, lowest, far]: [u64; 3], byte: u64) -> u64 {
    byte ^ (byte >> far & ((1 << count) - 1) << lowest)
}

impl Atom {
    /// Elements along M or N and along K.
    fn lengths(&self, bits: u64) -> [u64; 2] {
        let along = self.line * 8 / bits;
        if self.is_k_major { [self.lines, along] } else { [along, self.lines] }
    }

    /// Where element (mn, k) lies in a tile of whole atoms, one above the other or side by side.
    fn offset(&self, bits: u64, counts: [u64; 2], is_first: bool, at: [u64; 2]) -> u64 {
        let lengths = self.lengths(bits);
        let [i, j] = [at[0] / lengths[0], at[1] / lengths[1]];
        let number = if is_first { j * counts[0] + i } else { i * counts[1] + j };
        let [mn, k] = [at[0] % lengths[0], at[1] % lengths[1]];
        let (line, along) = if self.is_k_major { (mn, k) } else { (k, mn) };
        let byte = swizzled(self.xor, line * self.line + along * bits / 8);
        number * lengths[0] * lengths[1] + (byte * 8 + along * bits % 8) / bits
    }

    /// Whether a tile is made of it.
    fn tiles(&self, bits: u64, [mn, k]: [u64; 2], offset: &dyn Fn([u64; 2]) -> u64) -> bool {
        let lengths = self.lengths(bits);
        let counts = [mn / lengths[0], k / lengths[1]];
        let is = |is_first| {
            (0..mn * k).all(|n| {
                let at = [n / k, n % k];
                self.offset(bits, counts, is_first, at) == offset(at)
            })
        };
        mn % lengths[0] == 0 && k % lengths[1] == 0 && (is(true) || is(false))
    }

    /// Whether an engine reads it of elements of some width.
    fn is_of(&self, by: &str, bits: u64) -> bool {
        let is_umma = self.mode == "SWIZZLE_128B_ATOM_32B";
        match by {
            "wgmma" => [8, 16, 32].contains(&bits) && !is_umma && (self.is_k_major || bits == 16),
            "tcgen05" => [4, 8, 16, 32].contains(&bits),
            _ => true,
        }
    }
}

/// The form in which an engine takes a tile; its first dimension is K if it is `turned`.
fn form(by: &str, bits: u64, lengths: &[u64], is_turned: bool, lies: &Layout) -> Option<Form> {
    let is_whole = |length: u64| (length * bits).is_multiple_of(128);
    let in_order =
        |strides: &[u64]| coordinates(lengths).all(|at| dot(&at, strides) == (lies.offset)(&at));
    let is_rows = is_whole(lengths[lengths.len() - 1]) && in_order(&packed(lengths));
    let is_columns = lengths.len() == 2 && is_whole(lengths[0]) && in_order(&[1, lengths[0]]);
    if by == "tma" && (is_rows || is_columns) {
        return Some(("SWIZZLE_NONE", "SWIZZLE_NONE", 128));
    }
    let &[one, other] = lengths else { return None };
    let tile = if is_turned { [other, one] } else { [one, other] };
    let offset = |[mn, k]: [u64; 2]| (lies.offset)(&if is_turned { [k, mn] } else { [mn, k] });
    let atoms = ATOMS.iter().filter(|atom| atom.is_of(by, bits));
    let found = { atoms }.find(|atom| atom.tiles(bits, tile, &offset))?;
    Some((found.name, found.mode, found.alignment))
}

pub(super) fn consumed(dice: &mut Dice, file: &mut File, name: &str, naming: &Naming) {
    let (chips, engines) = dice.of::<(&[&str], &[&str])>(&[
        (&["sm_90"], &["wgmma", "tma"]),
        (&["sm_90"], &["wgmma"]),
        (&["sm_100"], &["tcgen05", "tma"]),
        (&["sm_100", "sm_103"], &["tcgen05"]),
        (&["sm_90", "sm_120"], &["tma"]),
        (&["sm_121"], &["tma"]),
    ]);
    let (element, bits) = dice.of(&[
        ("f16", 16),
        ("bf16", 16),
        ("f8", 8),
        ("u8", 8),
        ("f32", 32),
        ("f4", 4),
        ("f64", 64),
    ]);
    let mut names: &[&str] =
        dice.of(&[&["m", "k"], &["n", "k"], &["k", "m"], &["k", "n"], &["row", "col"]]);
    let (lengths, layout) = match dice.below(4) {
        0 => in_order(dice, &mut names, bits),
        _ => of_atoms(dice, names[0] == "k", bits),
    };
    stated(file, (name, chips), element, (names, &lengths), &layout.words);
    let is_turned = names[0] == "k";
    let forms: Vec<_> =
        engines.iter().map(|by| form(by, bits, &lengths, is_turned, &layout)).collect();
    if engines.len() == 1 && dice.one_in(2) {
        writeln!(file.toml, "consumed_by = \"{}\"", engines[0]).unwrap();
    } else {
        writeln!(file.toml, "consumed_by = {engines:?}").unwrap();
    }
    for (by, form) in engines.iter().zip(&forms) {
        file.consumed.push(Consumed { tile: name.to_string(), by, form: *form });
        if let Some((_, _, alignment)) = form {
            let word = format!("{}_ALIGNMENT", by.to_uppercase());
            file.calls.push(Call::constant(&naming.before, naming, &word, *alignment));
        }
    }
    calls(&mut file.calls, (names, &lengths, false), bits, &layout, naming);
    // A tile that is not taken has no verdicts.
    let before = file.stated.len();
    accesses(dice, file, (name, chips, 32), (names, &lengths, bits), &layout);
    if forms.contains(&None) {
        file.stated.truncate(before);
    }
}

/// A box of 1 to 4 dimensions in the order of its elements, or any random layout.
fn in_order(dice: &mut Dice, names: &mut &[&str], bits: u64) -> (Vec<u64>, Layout) {
    let rank = dice.of(&[1, 2, 2, 3, 4]);
    let kind = dice.below(3);
    // A recipe takes k before m for its own two, exchanged.
    if rank != 2 || kind == 0 {
        *names = &["b", "t", "y", "x"][..rank];
    }
    let mut lengths = vec![2; rank];
    lengths[rank - 1] = dice.of::<u64>(&[8, 16, 24, 64]) * if bits < 8 { 2 } else { 1 };
    lengths[0] = if rank == 1 { lengths[0] } else { dice.of(&[3, 8, 16, 24]) };
    let strides = match kind {
        0 => return (lengths.clone(), layout(dice, names, &lengths)),
        1 if rank == 2 => vec![1, lengths[0]],
        _ => packed(&lengths),
    };
    let words = format!("strides = {strides:?}\n");
    (lengths, Layout { words, offset: Box::new(move |at| dot(at, &strides)) })
}

/// Whole atoms as CuTe's text, in a third of all cases with one number changed.
fn of_atoms(dice: &mut Dice, is_turned: bool, bits: u64) -> (Vec<u64>, Layout) {
    let atom = &ATOMS[dice.below(9) as usize];
    let (of, counts) = (atom.lengths(bits), [dice.of::<u64>(&[1, 2, 3, 4]), dice.of(&[1, 2])]);
    let size = of[0] * of[1];
    let mut steps =
        if dice.one_in(2) { [size, size * counts[0]] } else { [size * counts[1], size] };
    let along = atom.line * 8 / bits;
    let within = if atom.is_k_major { [along, 1] } else { [1, along] };
    let mut xor = atom.xor;
    match dice.below(18) {
        0 => xor[0] = (xor[0] + 1) % 4,
        1 => xor[0] = 0,
        2 => xor[1] += 1,
        3 => xor[2] += 1,
        4 => steps[usize::from(steps[1] > steps[0])] += 128 * 8 / bits,
        5 => steps = steps.map(|step| 2 * step),
        _ => {}
    }
    // Bits that are flipped lie below those that flip them.
    xor[2] = xor[2].max(xor[0]);
    let mut modes = [0, 1].map(|d| ([of[d], counts[d]], [within[d], steps[d]]));
    if is_turned {
        modes.reverse();
    }
    let text = |all: [[u64; 2]; 2]| {
        format!("(({},{}),({},{}))", all[0][0], all[0][1], all[1][0], all[1][1])
    };
    let form = format!("{}:{}", text(modes.map(|mode| mode.0)), text(modes.map(|mode| mode.1)));
    let [count, lowest, far] = xor;
    let words = match count == 0 && dice.one_in(2) {
        true => format!("cute = \"{form}\"\n"),
        false => {
            format!("cute = \"Sw<{count},{lowest},{far}> o smem_ptr[{bits}b](unset) o {form}\"\n")
        }
    };
    let offset = move |at: &[u64]| {
        let of_mode = |d: usize| {
            let ([length, _], [inner, outer]) = modes[d];
            at[d] % length * inner + at[d] / length * outer
        };
        let bit = (of_mode(0) + of_mode(1)) * bits;
        (swizzled(xor, bit / 8) * 8 + bit % 8) / bits
    };
    (
        modes.map(|([one, other], _)| one * other).to_vec(),
        Layout { words, offset: Box::new(offset) },
    )
}
