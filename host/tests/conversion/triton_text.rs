//! Triton's register layouts as it prints them, and the bases that they stand for.
//!
//! | layout | its instruction |
//! |---|---|
//! | `blocked` | `sizePerThread`, then `threadsPerWarp`, then `warpsPerCTA`, each by `order` |
//! | `nvidia_mma`, `amd_mfma` | what the instruction returns, by our own distributions |
//! | `dot_op` of these | its operand |
//!
//! Then warps, those along k beside each other hold the same; then registers, until the tile is
//! covered. Any other layout is read by the library, which is held to Triton's own bases
//! (`printed.rs` of `exchange`).

use tiledesc::prelude::*;
use tiledesc::{
    distribution::{Distribution, Encoding},
    matrix,
};
use tiledesc_host::exchange::triton::{Registers, distributed};

/// Images of the bits of register, lane and warp, as row and column.
pub(crate) type Bases = [Vec<[u32; 2]>; 3];

const REGISTER: usize = 0;
const WARP: usize = 2;

/// Bases while they are being laid out, and how far they reach by now.
struct Draft {
    shape: [u32; 2],
    reach: [u32; 2],
    bases: Bases,
}

impl Draft {
    fn of(shape: [u32; 2]) -> Self {
        Self { shape, reach: [1, 1], bases: Bases::default() }
    }

    /// An instruction's bases, of k before n where `turned`.
    fn of_instruction(shape: [u32; 2], encoding: &Encoding, turned: bool) -> Self {
        let registers = Registers::from_encoding(encoding).unwrap();
        let pair = |at: &tiledesc::List| {
            if turned { [at.at(1), at.at(0)] } else { [at.at(0), at.at(1)] }
        };
        let images = [registers.register(), registers.lane(), registers.warp()];
        let bases = images.map(|images| images.iter().map(pair).collect());
        Self { shape, reach: pair(&registers.lengths()), bases }
    }

    /// Numbers of an owner along a dimension; beyond the tile they repeat it, and registers
    /// that would are left out.
    fn along(&mut self, owner: usize, dimension: usize, count: u32) {
        for _ in 0..count.ilog2() {
            let mut image = [0, 0];
            if self.reach[dimension] < self.shape[dimension] {
                image[dimension] = self.reach[dimension];
            }
            if owner != REGISTER || image != [0, 0] {
                self.bases[owner].push(image);
            }
            self.reach[dimension] *= 2;
        }
    }

    /// Registers until the tile is covered.
    fn covered(mut self, order: [usize; 2]) -> Bases {
        for dimension in order {
            let times = (self.shape[dimension] / self.reach[dimension]).max(1);
            self.along(REGISTER, dimension, times);
        }
        self.bases
    }
}

/// The numbers after `key = `.
fn numbers(text: &str, key: &str) -> Vec<u32> {
    let (_, rest) =
        text.split_once(&format!("{key} = ")).unwrap_or_else(|| panic!("{text}: no {key}"));
    let list = rest.strip_prefix('[').map_or_else(
        || rest.split([',', '}']).next().unwrap(),
        |list| list.split(']').next().unwrap(),
    );
    list.split(',').map(|n| n.trim().parse().unwrap_or_else(|_| panic!("{text}: {key}"))).collect()
}

fn number(text: &str, key: &str) -> u32 {
    let [number] = numbers(text, key)[..] else { panic!("{text}: {key}") };
    number
}

/// Returns whether a layout is one of those in the table above; an operand of MFMA only where `kWidth` is all that a lane has of the
/// instruction's k, and no instruction that is larger than the tile.
fn is_read_here(text: &str, shape: [u32; 2]) -> bool {
    let has = |word: &str| text.contains(word);
    if ["#ttg.slice", "tilesPerWarp", "elementBitWidth", "instrShape = [1, "].into_iter().any(has) {
        return false;
    }
    if text.starts_with("#ttg.blocked<{") {
        return true;
    }
    if shape.iter().any(|length| *length < 32) {
        return false;
    }
    if !has("#ttg.dot_op<{") {
        let is_mfma = has("instrShape = [16, 16, ") || has("instrShape = [32, 32, ");
        return has("versionMajor = 2") || has("#ttg.amd_mfma") && is_mfma;
    }
    let width = text
        .rsplit_once("kWidth = ")
        .and_then(|(_, rest)| rest.strip_suffix("}>")?.parse::<u32>().ok());
    let Some(width) = width else { return false };
    match &numbers(text, "instrShape")[..] {
        [16, 8] => has("versionMajor = 2") && [2, 4].contains(&width),
        [side @ (16 | 32), _, k] => {
            has("#ttg.amd_mfma") && [4, 8].contains(&width) && *k == width * 64 / side
        }
        _ => false,
    }
}

fn by_the_library(text: &str, shape: [u32; 2]) -> Bases {
    let read = distributed(text, Some(tiledesc::List::new(&shape)));
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    let pairs = |images: &[tiledesc::List]| images.iter().map(|at| [at.at(0), at.at(1)]).collect();
    [read.register(), read.lane(), read.warp()].map(pairs)
}

/// The bases of a layout over a tile of these lengths.
pub(crate) fn bases(text: &str, shape: [u32; 2]) -> Bases {
    if !is_read_here(text, shape) {
        return by_the_library(text, shape);
    }
    let inside = |start: &str| {
        text.strip_prefix("#ttg.").and_then(|text| text.strip_prefix(start)?.strip_suffix("}>"))
    };
    if let Some(text) = inside("blocked<{") {
        return blocked(text, shape);
    }
    if let Some(text) = inside("dot_op<{") {
        let (operand, rest) = text.split_once(", parent = ").unwrap();
        let (parent, width) = rest.rsplit_once(", ").unwrap();
        return dot(parent, number(operand, "opIdx"), number(width, "kWidth"), shape);
    }
    assert!(text.ends_with("}>"), "{text}");
    let [warps, instruction] = ["warpsPerCTA", "instrShape"].map(|key| numbers(text, key));
    let mut draft = Draft::of_instruction(shape, &returned(text, &instruction), false);
    [1, 0].into_iter().for_each(|d| draft.along(WARP, d, warps[d]));
    draft.covered([1, 0])
}

fn blocked(text: &str, shape: [u32; 2]) -> Bases {
    let order = match numbers(text, "order")[..] {
        [0, 1] => [0, 1],
        [1, 0] => [1, 0],
        _ => panic!("{text}: order"),
    };
    let mut draft = Draft::of(shape);
    for (owner, key) in ["sizePerThread", "threadsPerWarp", "warpsPerCTA"].into_iter().enumerate() {
        let counts = numbers(text, key);
        assert_eq!(counts.len(), 2, "{text}: {key}");
        order.into_iter().for_each(|d| draft.along(owner, d, counts[d]));
    }
    draft.covered(order)
}

/// What an instruction returns.
fn returned(text: &str, instruction: &[u32]) -> Encoding {
    let mfma = text.starts_with("#ttg.amd_mfma<{");
    if !mfma {
        assert!(
            text.starts_with("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "),
            "{text}"
        );
        assert_eq!(instruction, [16, 8], "{text}");
        return matrix::mma::C::ENCODING.unwrap();
    }
    let transposed = match text.rsplit_once("isTransposed = ").unwrap().1 {
        "true}>" => true,
        "false}>" => false,
        _ => panic!("{text}: isTransposed"),
    };
    made(match (transposed, instruction) {
        (false, [16, 16, _]) => matrix::mfma::Accumulator::<U16, U16>::ENCODING,
        (false, [32, 32, _]) => matrix::mfma::Accumulator::<U32, U32>::ENCODING,
        (true, [16, 16, _]) => matrix::mfma::SwappedAccumulator::<U16, U16>::ENCODING,
        (true, [32, 32, _]) => matrix::mfma::SwappedAccumulator::<U32, U32>::ENCODING,
        _ => panic!("{text}: instrShape"),
    })
}

fn made(encoding: Result<Encoding, tiledesc::distribution::DistributionError>) -> Encoding {
    encoding.unwrap()
}

/// An operand: m by k, or k by n.
fn dot(parent: &str, operand: u32, width: u32, shape: [u32; 2]) -> Bases {
    let [warps, instruction] = ["warpsPerCTA", "instrShape"].map(|key| numbers(parent, key));
    // The parent's own attributes are read as well.
    let _ = returned(parent, &instruction);
    let encoding = if parent.starts_with("#ttg.amd_mfma<{") {
        assert!(instruction[2] == width * 64 / instruction[0], "{parent}: kWidth {width}");
        made(match (instruction[0], width) {
            (16, 4) => matrix::mfma::Operand::<U16, U16>::ENCODING,
            (16, 8) => matrix::mfma::Operand::<U16, U32>::ENCODING,
            (32, 4) => matrix::mfma::Operand::<U32, U8>::ENCODING,
            (32, 8) => matrix::mfma::Operand::<U32, U16>::ENCODING,
            _ => panic!("{parent}: kWidth {width}"),
        })
    } else {
        made(match (operand, width) {
            (0, 2) => matrix::mma::A::<U16, U2>::ENCODING,
            (0, 4) => matrix::mma::A::<U32, U4>::ENCODING,
            (1, 2) => matrix::mma::B::<U16, U2>::ENCODING,
            (1, 4) => matrix::mma::B::<U32, U4>::ENCODING,
            _ => panic!("{parent}: operand {operand}, kWidth {width}"),
        })
    };
    let k = match operand {
        0 => 1,
        1 => 0,
        _ => panic!("opIdx {operand}"),
    };
    let mut draft = Draft::of_instruction(shape, &encoding, operand == 1);
    for d in [1, 0] {
        if d == k {
            draft.bases[WARP].extend(vec![[0, 0]; warps[d].ilog2() as usize]);
        } else {
            draft.along(WARP, d, warps[d]);
        }
    }
    draft.covered([k, 1 - k])
}
