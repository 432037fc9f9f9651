//! Instructions by the names that people have at hand: the assembler's, PTX's in full, SASS's, or one that is no chip's.
//!
//! ```text
//!   written                                        on sm_80           on gfx942
//!   ld.shared.v4.f32, LDS.128                      ld.shared.b128     -
//!   ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 ldmatrix.x4.trans  -
//!   LDSM.16.MT88.4                                 ldmatrix.x4.trans  -
//!   cp.async.cg.shared.global 16, LDGSTS.E.128     st.shared.b128     -
//!   load_b128, store_b16                           ld.shared.b128, .. ds_read_b128, ds_write_b16
//! ```
//!
//! A row is of the bits that a lane moves, so a type is as good as another of its width.

use crate::request::spelling::nearest;
use tiledesc::chip::{Chip, Instruction};

/// The row of an instruction by its name, with the offsets of its two addresses if it has any.
pub(crate) fn row(op: &str, chip: &Chip) -> Result<Instruction, String> {
    let (name, offsets) = match op.split_once('(') {
        Some((name, rest)) => (name.trim(), Some(rest.trim_end().trim_end_matches(')'))),
        None => (op.trim(), None),
    };
    let Some(row) = named(name, chip) else {
        let all = chip.rows().iter().chain(chip.renamed()).map(Instruction::name);
        if copies(name, chip) {
            return Err(format!(
                "{name}: add the bytes that each lane copies, 4, 8 or 16, as in `cp.async.ca.shared.global 8`"
            ));
        }
        let near = match of_width(name, chip).or_else(|| nearest(&name.replace('.', "_"), all)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => format!("; `tiledesc list {}` prints those there are", chip.name()),
        };
        return Err(format!("{} has no instruction `{name}`{near}", chip.name()));
    };
    let Some(offsets) = offsets else {
        if row.parts() > 1 {
            let (stem, bits) = name.rsplit_once("_b").unwrap_or((name, ""));
            let one = format!("{}_b{bits}", stem.trim_end_matches("st64").trim_end_matches('2'));
            return Err(format!(
                "{name} has two addresses: write their offsets, `{name}(0, 64)`, or state the `{one}` that it does twice"
            ));
        }
        return Ok(*row);
    };
    let numbers: Vec<_> = offsets.split(',').map(|one| one.trim().parse::<u8>()).collect();
    match (row.parts(), &numbers[..]) {
        (2, [Ok(first), Ok(second)]) => Ok(row.offsets(*first, *second)),
        (2, _) => Err(format!("{op}: write two offsets from 0 to 255, as in `{name}(0, 64)`")),
        _ => Err(format!("{name} has one address, and takes no offsets")),
    }
}

/// The name of the instruction that moves most, of those that are called as another but for their width:
/// `ds_read_b128` for `ds_read_b256`.
fn of_width(name: &str, chip: &Chip) -> Option<&'static str> {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_alike = |row: &&'static Instruction| {
        stem(name) < name.len() && row.name()[..stem(row.name())] == name[..stem(name)]
    };
    let rows = chip.rows().iter().chain(chip.renamed()).filter(is_alike);
    let wider = name[stem(name)..].parse::<u32>().ok()?;
    rows.filter(|row| 8 * row.bytes() < wider).max_by_key(|row| row.bytes()).map(Instruction::name)
}

/// The row of an instruction by the chip's own name for it, or else by another.
fn named(name: &str, chip: &Chip) -> Option<&'static Instruction> {
    let own = chip.instruction(name).ok();
    own.or_else(|| chip.instruction(&own_name(name, chip)?).ok())
}

/// The name that the rows of a chip have for another.
fn own_name(name: &str, chip: &Chip) -> Option<String> {
    if let Some((word, bits)) = name.split_once("_b") {
        return neutral(word, bits.parse().ok()?, chip);
    }
    if name.contains("::cluster") {
        return None;
    }
    let parts: Vec<&str> = name.split('.').collect();
    let (base, parts) = parts.split_first()?;
    match *base {
        "cp" if copies(name, chip) => Some(format!("st.shared.b{}", 8 * bytes_of_copy(parts)?)),
        "LDGSTS" if copies("cp.async", chip) => {
            Some(format!("st.shared.b{}", bits_of_sass(&widths(parts))?))
        }
        "ld" | "st" if parts.iter().any(|part| part.starts_with("shared")) => {
            Some(format!("{base}.shared.b{}", bits_of_ptx(parts)?))
        }
        "LDS" => Some(format!("ld.shared.b{}", bits_of_sass(parts)?)),
        "STS" => Some(format!("st.shared.b{}", bits_of_sass(parts)?)),
        "ldmatrix" | "stmatrix" => matrices(base, parts, ["m8n8", "b16"], "trans"),
        "LDSM" => matrices("ldmatrix", parts, ["M88", "16"], "MT88"),
        "STSM" => matrices("stmatrix", parts, ["M88", "16"], "MT88"),
        _ => None,
    }
}

/// `load_b128`, of whatever chip.
fn neutral(word: &str, bits: u32, chip: &Chip) -> Option<String> {
    let is_load = match word {
        "load" | "read" => true,
        "store" | "write" => false,
        _ => return None,
    };
    Some(match (chip.name().starts_with("sm_"), is_load) {
        (true, true) => format!("ld.shared.b{bits}"),
        (true, false) => format!("st.shared.b{bits}"),
        (false, true) if bits < 32 => format!("ds_read_u{bits}"),
        (false, true) => format!("ds_read_b{bits}"),
        (false, false) => format!("ds_write_b{bits}"),
    })
}

/// The bits of a lane by the type in a name of PTX, and by the length of its vector.
fn bits_of_ptx(parts: &[&str]) -> Option<u32> {
    let (last, others) = parts.split_last()?;
    let last = last.strip_suffix("x2").map_or((*last, 1), |one| (one, 2));
    let width = last.0.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let width: u32 = width.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64 | 128))?;
    let many = match others.iter().find(|part| part.starts_with('v') && part.len() == 2) {
        Some(&"v2") => 2,
        Some(&"v4") => 4,
        Some(_) => return None,
        None => 1,
    };
    Some(width * last.1 * many)
}

/// Returns whether an instruction is a copy by lanes past the registers, which begins with sm_80 (PTX ISA, `cp.async`).
fn copies(name: &str, chip: &Chip) -> bool {
    let capability = chip.name().strip_prefix("sm_").and_then(|number| number.parse().ok());
    let is_one = name.starts_with("cp.async") && !name.starts_with("cp.async.bulk");
    is_one && capability.is_some_and(|number: u32| number >= 80)
}

/// The bytes that a lane writes by `cp.async.cg.shared.global 16`: the number behind, and without it 16 of `cg`, which has no
/// other.
fn bytes_of_copy(parts: &[&str]) -> Option<u32> {
    let words = parts.iter().flat_map(|part| part.split_whitespace());
    let number = words.filter_map(|word| word.trim_start_matches(',').parse().ok()).next_back();
    number.or(parts.contains(&"cg").then_some(16)).filter(|bytes| matches!(bytes, 4 | 8 | 16))
}

/// The parts of `LDGSTS.E.BYPASS.128` that say a width.
fn widths<'p>(parts: &[&'p str]) -> Vec<&'p str> {
    parts.iter().copied().filter(|part| part.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// The bits of a lane by the parts of a name of SASS after `LDS` or `STS`; `U` says that they may lie anywhere.
fn bits_of_sass(parts: &[&str]) -> Option<u32> {
    Some(match parts {
        [] | ["U"] => 32,
        ["U8" | "S8"] => 8,
        ["U16" | "S16"] => 16,
        ["64"] | ["U", "64"] => 64,
        ["128"] | ["U", "128"] => 128,
        _ => return None,
    })
}

/// `ldmatrix.x4.trans`: of the only shape and width that rows have. SASS leaves out the count of one matrix, and has
/// another shape in place of `trans`.
fn matrices(base: &str, parts: &[&str], [shape, width]: [&str; 2], trans: &str) -> Option<String> {
    let is_trans = parts.contains(&trans);
    let is_known = |part: &&str| {
        let count = part.trim_start_matches('x');
        [shape, width, trans, "sync", "aligned", "shared", "shared::cta"].contains(part)
            || ["1", "2", "4"].contains(&count)
    };
    let is_whole = parts.contains(&width) && (parts.contains(&shape) || is_trans);
    if !is_whole || !parts.iter().all(is_known) {
        return None;
    }
    let count =
        |part: &&str| ["1", "2", "4"].into_iter().find(|one| part.trim_start_matches('x') == *one);
    let count = parts.iter().find_map(count).unwrap_or("1");
    Some(format!("{base}.x{count}{}", if is_trans { ".trans" } else { "" }))
}
