//! What a kernel tells the hardware of a tile: the fields of a matrix descriptor and the boxes of a tensor map, decoded as the
//! hardware reads them. Each element is found where CuTe's tables have it.
//!
//! Canonical layouts by NVIDIA/cutlass, the comments of `make_gmma_desc` and `make_umma_desc`; the xor is one of address bits.

use serde_json::Value;
use tiledesc_host::exchange::cute::Fastest;
use tiledesc_host::exchange::gmma::{Atom, Reader};
use tiledesc_host::exchange::tma::Mode;

/// A descriptor as the hardware has it, in bytes.
struct Decoded {
    leading: u64,
    stride: u64,
    /// 16-byte chunks of a line, lines of the pattern, and the bits that the xor moves: how many, the lowest, how far.
    chunks: u64,
    lines: u64,
    xor: [u32; 3],
}

impl Decoded {
    fn of(bits: u64, reader: Reader) -> Self {
        let field = |from: u32| (bits >> from & 0x3fff) * 16;
        const NONE: [u32; 2] = [9, 9];
        let modes = match reader {
            Reader::Wgmma => [[0, 0], [3, 4], [2, 4], [1, 4], NONE, NONE, NONE, NONE],
            Reader::Tcgen05 => [[0, 0], [2, 5], [3, 4], NONE, [2, 4], NONE, [1, 4], NONE],
        };
        let number = match reader {
            Reader::Wgmma => bits >> 62,
            Reader::Tcgen05 => {
                assert_eq!(bits >> 46 & 7, 1, "the version");
                bits >> 61
            }
        };
        let [count, lowest] = modes[number as usize];
        assert!(count < 9, "a mode that is not documented");
        let (chunks, lines, far) = if lowest == 5 { (8, 4, 2) } else { (1 << count, 8, 3) };
        Self { leading: field(16), stride: field(32), chunks, lines, xor: [count, lowest, far] }
    }

    /// The bit address of an element (mn, k) of an operand that begins at a byte.
    fn bit(&self, begin: u64, [mn, k]: [u64; 2], k_major: bool, width: u64) -> u64 {
        let (chunk, line) = (128 / width, self.chunks * 16);
        let is_swizzled = self.chunks > 1;
        let (bytes, within) = match (k_major, is_swizzled) {
            (true, _) => {
                let next = if is_swizzled { 16 } else { self.leading };
                (mn % 8 * line + mn / 8 * self.stride + k / chunk * next, k % chunk)
            }
            (false, true) => {
                let along = self.chunks * chunk;
                let bytes = mn / along * self.leading
                    + k % self.lines * line
                    + k / self.lines * self.stride;
                (bytes, mn % along)
            }
            (false, false) => {
                (mn / chunk * self.stride + k % 8 * 16 + k / 8 * self.leading, mn % chunk)
            }
        };
        let bit = (begin + bytes) * 8 + within * width;
        xored(bit / 8, self.xor) * 8 + bit % 8
    }
}

/// The byte at which the engine finds or stores another one.
fn xored(byte: u64, [count, lowest, far]: [u32; 3]) -> u64 {
    let key = byte >> (lowest + far) & ((1 << count) - 1);
    byte ^ key << lowest
}

/// Compares all elements (mn, k) that `bits` has the bit address of, operand by operand.
fn operands(
    atom: &Atom,
    tile: [u32; 2],
    order: Fastest,
    width: u64,
    bit: impl Fn(u64, u64) -> u64,
) -> u64 {
    let mut compared = 0;
    for reader in [Reader::Wgmma, Reader::Tcgen05] {
        let Ok(fields) = atom.descriptor(tile, order, reader) else {
            assert_eq!((reader, atom.mode()), (Reader::Wgmma, Mode::B128Atom32));
            continue;
        };
        let found = Decoded::of(fields.bits(), reader);
        assert_eq!(
            [found.leading, found.stride],
            [fields.leading(), fields.stride()].map(u64::from)
        );
        // An instruction takes 32 bytes of K, or two groups of lines where M or N is contiguous.
        let k_step = if atom.is_k_major() { 256 / width } else { 2 * found.lines };
        let mn_step = 256;
        let [rows, columns] = tile.map(u64::from);
        for mn in 0..rows {
            for k in 0..columns {
                let first = [mn / mn_step * mn_step, k / k_step * k_step];
                let begin = bit(first[0], first[1]);
                assert_eq!(begin % 128, 0, "{} {tile:?}", atom.name());
                let is =
                    found.bit(begin / 8, [mn - first[0], k - first[1]], atom.is_k_major(), width);
                assert_eq!(
                    is,
                    bit(mn, k),
                    "{} {tile:?} {order:?} {reader:?} ({mn}, {k})",
                    atom.name()
                );
                compared += 1;
            }
        }
    }
    compared
}

/// CuTe's own tables: `tile_to_shape` of each atom, and each atom alone.
#[test]
fn operands_are_where_cute_has_them() {
    let (mut cases, mut compared) = (0, 0);
    for table in support::committed_tables("cute") {
        if !["gmma_atoms", "umma_atoms"].contains(&table.name.trim_end_matches(".json")) {
            continue;
        }
        for case in table.json["cases"].as_array().unwrap() {
            let name = case["atom"].as_str().unwrap();
            let name = name.trim_start_matches("tile_to_shape(").trim_end_matches(')');
            let number = |field: &str| case[field].as_u64().unwrap();
            let (width, tile) = (number("elem_bits"), [number("mn") as u32, number("k") as u32]);
            let atom = Atom::named(name, width as u32).unwrap();
            compared += operands(&atom, tile, Fastest::First, width, |mn, k| {
                offset(case, mn + k * number("mn")) * width
            });
            cases += 1;
        }
    }
    println!("{compared} elements of {cases} tiles of CuTe's tables");
    assert!(cases > 70 && compared > 100_000, "{cases} {compared}");
}

/// The offset of a running number, by the README's formula.
fn offset(case: &Value, number: u64) -> u64 {
    let field = |name: &str| case[name].as_u64().unwrap();
    let leaves = |name: &str| {
        let both = case[name].as_array().unwrap().iter();
        let flat =
            both.flat_map(|one| one.as_array().cloned().unwrap_or_else(|| vec![one.clone()]));
        flat.map(|one| one.as_u64().unwrap()).collect::<Vec<_>>()
    };
    let (mut rest, mut sum) = (number, 0);
    for (length, stride) in leaves("shape").into_iter().zip(leaves("stride")) {
        sum += rest % length * stride;
        rest /= length;
    }
    sum ^ (sum >> (field("M") + field("S")) & ((1 << field("B")) - 1)) << field("M")
}

/// Every atom in both orders: operands by descriptor, and boxes by a tensor map of the atom's mode.
#[test]
fn tiles_in_both_orders() {
    let modes = [Mode::B128, Mode::B128Atom32, Mode::B64, Mode::B32, Mode::None];
    let mut tried = 0;
    for (mode, width) in modes.into_iter().flat_map(|mode| [4, 8, 16, 32].map(|bits| (mode, bits)))
    {
        for atom in [Atom::k_major(mode, width), Atom::mn_major(mode, width)].into_iter().flatten()
        {
            for (counts, order) in [[1, 1], [2, 1], [1, 4], [8, 2], [3, 4]]
                .into_iter()
                .flat_map(|counts| [(counts, Fastest::First), (counts, Fastest::Last)])
            {
                let lengths = atom.lengths();
                let tile = [lengths[0] * counts[0], lengths[1] * counts[1]];
                let tiled = atom.tile_to(tile, order).unwrap();
                let bit = |mn: u64, k: u64| {
                    let at = [mn % u64::from(lengths[0]), mn / u64::from(lengths[0])];
                    let on = [k % u64::from(lengths[1]), k / u64::from(lengths[1])];
                    let index = [at[0], at[1], on[0], on[1]].map(|index| index as u32);
                    u64::from(tiled.offset_of(&index).unwrap()) * u64::from(width)
                };
                operands(&atom, tile, order, u64::from(width), bit);
                boxes(&atom, tile, order, u64::from(width), bit);
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 9 * 4 * 10);
}

/// Each box is stored line by line from its first element on, xor-ed by address bits.
fn boxes(atom: &Atom, tile: [u32; 2], order: Fastest, width: u64, bit: impl Fn(u64, u64) -> u64) {
    let found = atom.boxes(tile, order).unwrap();
    let [rows, columns] = found.map(u64::from);
    assert!(rows <= 256 && columns <= 256);
    assert!((0..2).all(|d| tile[d].is_multiple_of(found[d])));
    let xor =
        [[0, 0, 3], [1, 4, 3], [2, 4, 3], [3, 4, 3], [2, 5, 2]][atom.mode().number() as usize];
    for mn in 0..u64::from(tile[0]) {
        for k in 0..u64::from(tile[1]) {
            let begin = bit(mn / rows * rows, k / columns * columns);
            let (i, j) = (mn % rows, k % columns);
            let number = if atom.is_k_major() { i * columns + j } else { j * rows + i };
            let stored = begin + number * width;
            let is = xored(stored / 8, xor) * 8 + stored % 8;
            assert_eq!(is, bit(mn, k), "{} {tile:?} {order:?} {found:?} ({mn}, {k})", atom.name());
        }
    }
}

#[test]
fn what_no_descriptor_says() {
    let atom = Atom::named("Layout_K_SW128_Atom", 16).unwrap();
    let of = |tile, order| atom.descriptor(tile, order, Reader::Wgmma);
    assert_eq!(
        of([128, 96], Fastest::First).unwrap_err().to_string(),
        "Layout_K_SW128_Atom: a tile of 128 x 96 is not made of whole atoms of 8 x 64",
    );
    // 257 atoms of 1024 bytes to the next rows.
    assert_eq!(
        of([16, 257 * 64], Fastest::Last).unwrap_err().to_string(),
        "Layout_K_SW128_Atom: atoms 263168 bytes apart: a descriptor has room for 262128",
    );
    let fields = of([128, 64], Fastest::First).unwrap();
    for address in [8, 1 << 18] {
        assert_eq!(
            fields.at(address).unwrap_err().to_string(),
            format!("a matrix begins at a multiple of 16 bytes below 262144, not at {address}"),
        );
    }
    let words = Atom::named("Layout_MN_SW128_32B_Atom", 32).unwrap();
    assert_eq!(
        words.descriptor([32, 8], Fastest::First, Reader::Wgmma).unwrap_err().to_string(),
        "wgmma has no swizzle SWIZZLE_128B_ATOM_32B",
    );
}
