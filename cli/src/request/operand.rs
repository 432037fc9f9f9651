//! Operands of matrix instructions by the names that people have at hand, over the tile and by the waves of a block.
//!
//! ```text
//!   a of v_mfma_f32_32x32x16_f16, waves 2x2        A, m by k: 2 waves along m, and the 2 along n hold the same
//!   b of mma.m16n8k16.f32.f16.f16.f32              B, n by k, by one wave
//!   c of v_mfma_f32_32x32x8_f16 swapped            C, m by n, of an instruction that is given B for A and A for B
//! ```
//!
//! Waves count along n fastest, and repeat along m and n where the tile is larger; a wave holds all of k. A read that moves more
//! than an operand has feeds several instructions along k, whose neighbours a lane then holds in one piece (CK's IterateK):
//! `ds_read_b128` for `v_mfma_f32_32x32x8_f16` brings 8 halves of k, for two instructions.

use crate::request::spelling::did_you_mean;
use tiledesc::chip::{Chip, Instruction};
use tiledesc::distribution::Encoding;
use tiledesc::warp_gemm::{self, MatrixInstruction, Operand};
use tiledesc::{ElementName, List};

/// What an access is laid over, as far as it is known: the tile, and the instruction on each of its chips.
#[derive(Clone, Copy, Default)]
pub(crate) struct Over<'a> {
    pub(crate) lengths: Option<List>,
    pub(crate) names: &'a [String],
    pub(crate) element: Option<ElementName>,
    pub(crate) chips: &'a [&'static Chip],
    pub(crate) rows: &'a [Instruction],
}

/// The operand, or the result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    A,
    B,
    C,
}

/// The words of an operand.
struct Words<'t> {
    of: Of,
    instruction: &'t str,
    is_swapped: bool,
    /// Waves along m and along n.
    waves: [u32; 2],
}

/// Returns whether a text names an operand: `a of ..`.
pub(crate) fn is_operand(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_letter = |word: &str| matches!(word, "a" | "b" | "c" | "d" | "A" | "B" | "C" | "D");
    words.next().is_some_and(is_letter) && words.next() == Some("of")
}

/// Who holds the operand that a text names.
pub(crate) fn read(text: &str, over: Over<'_>) -> Result<Encoding, String> {
    let words = words(text)?;
    let mut found: Option<(Encoding, &Chip)> = None;
    for (at, chip) in over.chips.iter().enumerate() {
        let encoding = of_chip(&words, chip, over.rows.get(at), over)?;
        match &found {
            Some((first, other)) if *first != encoding => {
                return Err(format!(
                    "lanes of {} and of {} hold different elements of {}: write a tile for each",
                    other.name(),
                    chip.name(),
                    words.instruction
                ));
            }
            _ => found = Some((encoding, chip)),
        }
    }
    let none = || {
        format!("`{text}` is an operand on a chip, and none is named: write `chips = [\"gfx942\"]`")
    };
    found.map(|(encoding, _)| encoding).ok_or_else(none)
}

fn words(text: &str) -> Result<Words<'_>, String> {
    let (operand, waves) = match text.split_once(',') {
        Some((operand, waves)) => (operand, waves_of(waves.trim())?),
        None => (text, [1, 1]),
    };
    let mut words = operand.split_whitespace();
    let of = match words.next() {
        Some("a" | "A") => Of::A,
        Some("b" | "B") => Of::B,
        _ => Of::C,
    };
    let wrong = || {
        format!(
            "`{text}`: write the operand and its instruction, as in `c of v_mfma_f32_32x32x8_f16 swapped, waves 2x2`"
        )
    };
    // The `of` that made it an operand.
    words.next();
    let instruction = words.next().ok_or_else(wrong)?;
    let is_swapped = match words.next() {
        None => false,
        Some("swapped") if words.next().is_none() => true,
        Some(_) => return Err(wrong()),
    };
    Ok(Words { of, instruction, is_swapped, waves })
}

/// `waves 2x2`
fn waves_of(text: &str) -> Result<[u32; 2], String> {
    let wrong = || {
        format!(
            "`{text}`: write the waves along m and along n, from 1 to 32 together, as in `waves 2x2`"
        )
    };
    let both = text.strip_prefix("waves").and_then(|rest| rest.trim().split_once('x'));
    let (m, n) = both.ok_or_else(wrong)?;
    let [m, n] = [m, n].map(|number| number.trim().parse::<u32>().ok());
    match (m, n) {
        (Some(m @ 1..=32), Some(n @ 1..=32)) if m * n <= 32 => Ok([m, n]),
        _ => Err(wrong()),
    }
}

fn of_chip(
    words: &Words<'_>,
    chip: &Chip,
    row: Option<&Instruction>,
    over: Over<'_>,
) -> Result<Encoding, String> {
    let by = instruction(words.instruction, chip)?;
    let one = operand(words, &by)?;
    if one.rank() != 2 {
        let (name, blocks) = (by.name(), by.blocks());
        return Err(format!(
            "{name} makes {blocks} products at once: write who holds what as a distribution, with the block as its first dimension"
        ));
    }
    let is_taken = |element: &ElementName| match words.of {
        Of::A => by.takes(first(words.is_swapped), element),
        Of::B => by.takes(first(!words.is_swapped), element),
        // An epilogue stores what it makes of the result.
        Of::C => true,
    };
    if let Some(element) = over.element.filter(|element| !is_taken(element)) {
        let (name, element) = (by.name(), element.code.to_lowercase());
        return Err(format!("{name} does not take the tile's elements, `{element}`"));
    }
    laid(&along_k(one, words.of, row, over)?, words, over)
}

/// A, or B of swapped operands.
fn first(is_swapped: bool) -> Operand {
    if is_swapped { Operand::B } else { Operand::A }
}

fn instruction(name: &str, chip: &Chip) -> Result<MatrixInstruction, String> {
    warp_gemm::find(chip, name).map_err(|why| {
        let names: Vec<_> = warp_gemm::instructions(chip).map(|one| one.name()).collect();
        let near = if why.to_string().contains(';') {
            String::new()
        } else {
            did_you_mean(name, names.iter().copied())
        };
        format!("{why}{near}")
    })
}

/// Who holds the operand of one instruction.
fn operand(words: &Words<'_>, by: &MatrixInstruction) -> Result<Encoding, String> {
    let name = by.name();
    if words.is_swapped && by.swapped_c().is_none() {
        return Err(format!("A and B of {name} have different shapes, so they cannot be swapped"));
    }
    let held = match words.of {
        Of::A => by.operand(first(words.is_swapped)),
        Of::B => by.operand(first(!words.is_swapped)),
        Of::C if words.is_swapped => by.swapped_c(),
        Of::C => Some(by.c()),
    };
    held.copied().ok_or_else(|| {
        format!("{name} reads this operand from shared memory by itself: write `consumed_by = \"wgmma\"` in the tile")
    })
}

/// The operand of as many instructions along k as one access feeds.
fn along_k(
    one: Encoding,
    of: Of,
    row: Option<&Instruction>,
    over: Over<'_>,
) -> Result<Encoding, String> {
    let (Some(row), Some(element)) = (row, over.element) else { return Ok(one) };
    let (moved, held) = (8 * row.bytes(), one.elements() * element.bits);
    let is_next =
        |element: u32| one.coordinate(0, 0, element).is_ok_and(|at| at.as_slice() == [0, element]);
    let is_in_one_piece = (0..one.elements()).all(is_next);
    if of == Of::C || row.hands_round() || !is_in_one_piece || moved <= held || moved % held > 0 {
        return Ok(one);
    }
    let steps = Encoding::ck(&[], &[&[1], &[moved / held]], (&[&[]], &[&[]]), (&[2], &[0]));
    steps.and_then(|steps| one.around(&steps)).map_err(|fault| fault.to_string())
}

/// An operand in all its places of the tile, by all waves.
fn laid(one: &Encoding, words: &Words<'_>, over: Over<'_>) -> Result<Encoding, String> {
    let Words { of, waves: [along_m, along_n], .. } = *words;
    // The rows that waves are along, and the columns: k, or n of the result.
    let (names, waves) = match of {
        Of::A => (["m", "k"], [along_m, 1]),
        Of::B => (["n", "k"], [along_n, 1]),
        Of::C => (["m", "n"], [along_m, along_n]),
    };
    let whole = [one.lengths().at(0) * waves[0], one.lengths().at(1) * waves[1]];
    let is_turned = is_turned(of, over.names);
    let lengths = match over.lengths {
        Some(lengths) if lengths.len() != 2 => {
            let dimensions = lengths.len();
            return Err(format!(
                "an operand has two dimensions, {} and {}, but the tile has {dimensions}",
                names[0], names[1]
            ));
        }
        Some(lengths) if is_turned => [lengths.at(1), lengths.at(0)],
        Some(lengths) => [lengths.at(0), lengths.at(1)],
        None => whole,
    };
    for (at, (length, part)) in lengths.into_iter().zip(whole).enumerate() {
        if !length.is_multiple_of(part) {
            let (name, by) = (names[at], one.lengths().at(at));
            let by = match waves[at] {
                1 => format!("the {by} of the instructions that an access feeds"),
                waves => format!("{waves} waves by {by}"),
            };
            return Err(format!("{name} = {length} is not a multiple of {part}, {by}"));
        }
    }
    let again = [lengths[0] / whole[0], lengths[1] / whole[1]];
    let outer = match of {
        Of::A => Encoding::ck(
            &[along_n],
            &[&[again[0], along_m], &[again[1]]],
            (&[&[1, 0], &[]], &[&[1, 0], &[]]),
            (&[1, 2], &[0, 0]),
        ),
        Of::B => Encoding::ck(
            &[along_m],
            &[&[again[0], along_n], &[again[1]]],
            (&[&[0, 1], &[]], &[&[0, 1], &[]]),
            (&[1, 2], &[0, 0]),
        ),
        Of::C => Encoding::ck(
            &[],
            &[&[again[0], along_m], &[again[1], along_n]],
            (&[&[1, 2], &[]], &[&[1, 1], &[]]),
            (&[1, 2], &[0, 0]),
        ),
    };
    let all = outer.and_then(|outer| outer.around(one));
    let all = all.and_then(|all| if is_turned { all.transposed() } else { Ok(all) });
    all.map_err(|fault| fault.to_string())
}

/// Returns whether the tile has the columns of the operand as its first dimension, by its names: `{ k = 64, m = 128 }`.
fn is_turned(of: Of, names: &[String]) -> bool {
    let [first, second] = names else { return false };
    let [first, second] = [first, second].map(|name| name.to_lowercase());
    match of {
        Of::C => first == "n" && second == "m",
        Of::A | Of::B => first == "k" && second != "k",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiledesc::ELEMENTS;
    use tiledesc::chip::{gfx942, gfx950, sm_80, sm_90};

    /// Who holds what, by the chip's instruction that reads LDS, over a tile of named dimensions.
    fn held(
        text: &str,
        chip: &'static Chip,
        op: &str,
        tile: [(&str, u32); 2],
    ) -> Result<Encoding, String> {
        let names = tile.map(|(name, _)| name.to_string());
        let rows = [*chip.instruction(op).unwrap()];
        let element = *ELEMENTS.iter().find(|one| one.code == "F16").unwrap();
        read(
            text,
            Over {
                lengths: Some(List::pair(tile[0].1, tile[1].1)),
                names: &names,
                element: Some(element),
                chips: &[chip],
                rows: &rows,
            },
        )
    }

    /// Compares every element of every lane with a formula of wave, lane and element.
    fn compare(found: &Encoding, counts: [u32; 3], wanted: impl Fn(u32, u32, u32) -> [u32; 2]) {
        assert_eq!([found.waves(), found.lanes(), found.elements()], counts);
        for wave in 0..counts[0] {
            for lane in 0..counts[1] {
                for element in 0..counts[2] {
                    let at = found.coordinate(wave, lane, element).unwrap();
                    assert_eq!(
                        at.as_slice(),
                        wanted(wave, lane, element),
                        "{wave} {lane} {element}"
                    );
                }
            }
        }
    }

    /// Lane l of `v_mfma_f32_32x32x16_f16` has row l % 32 and 8 of k from l / 32 * 8 on (AMD's matrix calculator).
    #[test]
    fn operands_of_a_block_of_waves() {
        let tile = [("m", 128), ("k", 64)];
        let a = held("a of v_mfma_f32_32x32x16_f16, waves 2x2", &gfx950, "ds_read_b128", tile);
        compare(&a.unwrap(), [4, 64, 64], |wave, lane, e| {
            let (again, deep) = (e / 32, e / 8 % 4);
            [again * 64 + wave / 2 * 32 + lane % 32, deep * 16 + lane / 32 * 8 + e % 8]
        });
        let b = held(
            "b of v_mfma_f32_32x32x16_f16, waves 2x2",
            &gfx950,
            "ds_read_b128",
            [("n", 64), ("k", 32)],
        );
        compare(&b.unwrap(), [4, 64, 16], |wave, lane, e| {
            [wave % 2 * 32 + lane % 32, e / 8 * 16 + lane / 32 * 8 + e % 8]
        });
        // The dimensions of the file, k first.
        let turned =
            held("a of v_mfma_f32_32x32x16_f16", &gfx950, "ds_read_b128", [("k", 16), ("m", 32)]);
        compare(&turned.unwrap(), [1, 64, 8], |_, lane, e| [lane / 32 * 8 + e, lane % 32]);
    }

    /// 8 halves feed two instructions of 8 of k on gfx942, so a lane has 8 neighbours; 4 halves feed one.
    #[test]
    fn one_read_feeds_several_instructions() {
        let tile = [("m", 32), ("k", 32)];
        let wide = held("a of v_mfma_f32_32x32x8_f16", &gfx942, "ds_read_b128", tile).unwrap();
        compare(&wide, [1, 64, 16], |_, lane, e| [lane % 32, e / 8 * 16 + lane / 32 * 8 + e % 8]);
        let narrow = held("a of v_mfma_f32_32x32x8_f16", &gfx942, "ds_read_b64", tile).unwrap();
        compare(&narrow, [1, 64, 16], |_, lane, e| [lane % 32, e / 4 * 8 + lane / 32 * 4 + e % 4]);
    }

    /// Rows of groups of 4 (AMD's matrix calculator); a swapped instruction has them along n.
    #[test]
    fn results() {
        let tile = [("m", 64), ("n", 64)];
        let c = held("c of v_mfma_f32_32x32x8_f16, waves 2x2", &gfx942, "ds_write_b64", tile);
        let group = |lane: u32, e: u32| e / 4 * 8 + lane / 32 * 4 + e % 4;
        compare(&c.unwrap(), [4, 64, 16], |wave, lane, e| {
            [wave / 2 * 32 + group(lane, e), wave % 2 * 32 + lane % 32]
        });
        let c =
            held("c of v_mfma_f32_32x32x8_f16 swapped, waves 2x2", &gfx942, "ds_write_b64", tile);
        compare(&c.unwrap(), [4, 64, 16], |wave, lane, e| {
            [wave / 2 * 32 + lane % 32, wave % 2 * 32 + group(lane, e)]
        });
        // `mma`: lane l has rows l / 4 and 8 more, columns 2 * (l % 4) and the next (PTX ISA).
        let c = held(
            "d of mma.m16n8k16.f32.f16.f16.f32, waves 1x2",
            &sm_80,
            "st.shared.b32",
            [("m", 16), ("n", 16)],
        );
        compare(&c.unwrap(), [2, 32, 4], |wave, lane, e| {
            [e / 2 * 8 + lane / 4, wave * 8 + lane % 4 * 2 + e % 2]
        });
    }

    #[test]
    fn refusals() {
        let tile = [("m", 100), ("k", 64)];
        let said = |text: &str, chip| {
            held(text, chip, if chip == &sm_90 { "ld.shared.b128" } else { "ds_read_b128" }, tile)
                .unwrap_err()
        };
        for (text, chip, wanted) in [
            (
                "a of v_mfma_f32_32x32x16_f16, waves 2x2",
                &gfx950,
                "m = 100 is not a multiple of 64, 2 waves by 32",
            ),
            (
                "a of v_mfma_f32_32x32x16_f16",
                &gfx942,
                "gfx942 has no matrix instruction v_mfma_f32_32x32x16_f16; gfx950 has it",
            ),
            (
                "a of v_mfma_f32_32x32x8_bf16",
                &gfx942,
                "v_mfma_f32_32x32x8_bf16 does not take the tile's elements, `f16`",
            ),
            (
                "a of v_mfma_f32_32x32x16_f16, waves 4",
                &gfx950,
                "`waves 4`: write the waves along m and along n, from 1 to 32 together, as in `waves 2x2`",
            ),
            (
                "b of wgmma.m64n128k16.f32.f16.f16",
                &sm_90,
                "wgmma.m64n128k16.f32.f16.f16 reads this operand from shared memory by itself: write `consumed_by = \"wgmma\"` in the tile",
            ),
            (
                "a of",
                &gfx942,
                "`a of`: write the operand and its instruction, as in `c of v_mfma_f32_32x32x8_f16 swapped, waves 2x2`",
            ),
        ] {
            assert_eq!(said(text, chip), wanted);
        }
    }
}
