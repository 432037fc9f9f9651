//! The matrix instructions of PTX, and the shared memory that they read through descriptors.
//!
//! ```text
//!   mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32       of a warp: D f32, A and B f16
//!   wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32         D and C f32; A and B, which it does not name, f16
//!   wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16     of four warps: B, and A if it is no vector, in shared memory
//!   tcgen05.mma                                             shapes in a register: not known
//! ```

use super::function::Instruction;
use super::text::Operand;
use crate::matrix::Matrix;
use crate::span::Span;
use tiledesc::chip::Chip;

/// Warps of a warpgroup.
const WARPGROUP: u64 = 4;

/// The matrix instructions of a kernel.
pub(crate) fn all(code: &[Instruction], chip: &Chip) -> Vec<Matrix> {
    let found = code.iter().enumerate().filter_map(|(at, one)| Some((parse(at, one, chip)?, one)));
    // Whether all warps execute it is not known.
    found.map(|(matrix, one)| if one.guard.is_some() { matrix.or_none() } else { matrix }).collect()
}

fn parse(at: usize, one: &Instruction, chip: &Chip) -> Option<Matrix> {
    let parts: Vec<&str> = one.name.split('.').collect();
    let has = |word: &str| parts.contains(&word);
    match parts[0] {
        "call" => Some(Matrix::unknown(at, false)),
        "mma" if has("sp") || parts.iter().any(|part| part.starts_with("sp::")) => {
            Some(Matrix::unknown(at, false))
        }
        "mma" => Some(of_warps(at, &parts, 1, chip)),
        "wmma" if has("mma") => Some(of_warps(at, &parts, 1, chip)),
        "wgmma" if has("mma_async") && !has("sp") => Some(of_group(at, one, &parts, chip)),
        "wgmma" if has("mma_async") => Some(Matrix::unknown(at, true)),
        "tcgen05" if has("mma") => Some(Matrix::unknown(at, true)),
        "tcgen05" if has("cp") => Some(Matrix { pipe: Span::NONE, ..Matrix::unknown(at, true) }),
        _ => None,
    }
}

fn of_warps(at: usize, parts: &[&str], warps: u64, chip: &Chip) -> Matrix {
    let known = shape(parts).zip(types(parts));
    known.map_or(Matrix::unknown(at, false), |(shape, types)| {
        let [m, n, k] = shape;
        // Each quarter of a warp makes a product of its own.
        let blocks = if shape == [8, 8, 4] && types[1] == "f16" { 4 } else { 1 };
        Matrix::of_nvidia(at, [blocks * m, n, k], types, warps, chip)
    })
}

fn of_group(at: usize, one: &Instruction, parts: &[&str], chip: &Chip) -> Matrix {
    let matrix = of_warps(at, parts, WARPGROUP, chip);
    let Some(([m, n, k], bits)) = shape(parts).zip(types(parts).and_then(|[_, from]| bits(from)))
    else {
        return Matrix::unknown(at, true);
    };
    let in_registers = matches!(one.operands.get(1), Some(Operand::Vector(_)));
    let rows = if in_registers { n } else { m + n };
    matrix.with_bytes(rows * k * bits / 8, WARPGROUP)
}

/// m, n and k of `m16n8k16`.
fn shape(parts: &[&str]) -> Option<[u64; 3]> {
    parts.iter().find_map(|part| {
        let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
    })
}

/// The types of D and of A.
fn types<'p>(parts: &[&'p str]) -> Option<[&'p str; 2]> {
    let is_type = |part: &&&str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'm');
        ["f", "bf", "tf", "s", "u", "b", "e"].contains(&word)
    };
    match Vec::from_iter(parts.iter().skip(1).filter(is_type))[..] {
        // `wmma` of f16 names D and C alone.
        [to, _] => Some([to, "f16"]),
        [to, from, ..] => Some([to, from]),
        _ => None,
    }
}

/// The bits of an element.
fn bits(kind: &str) -> Option<u64> {
    Some(match kind {
        "f16" | "bf16" => 16,
        "tf32" => 32,
        "e4m3" | "e5m2" | "s8" | "u8" => 8,
        "b1" => 1,
        _ => return None,
    })
}
