//! Tiles of bytes, whose accesses are addresses: a header has the bytes, and beside them the verdicts.

use super::call::{Call, Naming};
use super::doors::Stated;
use core::fmt::Write as _;
use support::fuzz::Dice;

pub(crate) fn raw(
    dice: &mut Dice,
    toml: &mut String,
    calls: &mut Vec<Call>,
    label: &str,
    naming: &Naming,
) -> Stated {
    let bytes = dice.of::<u64>(&[2048, 5000]);
    let step = dice.of::<u64>(&[4, 8, 32]);
    let (chip, op) = dice.of(&[
        ("gfx942", "ds_read_b32"),
        ("gfx1201", "ds_load_b32"),
        ("sm_90", "ld.shared.b32"),
    ]);
    let lanes = if chip == "gfx942" { 64 } else { 32 };
    let (by, more, sent) = match dice.below(3) {
        0 => {
            let by = format!("lane * {step} + wave * 4");
            let wave = |wave: u64| lanes_at(lanes, move |lane| Some(lane * step + wave * 4));
            (format!("\"{by}\""), ", waves = 2", vec![wave(0), wave(1)])
        }
        1 => {
            let by = format!("r = lane / 16; c = lane % 16; r * {step} + (c ^ r) * 4");
            let at = move |lane| Some(lane / 16 * step + ((lane % 16) ^ (lane / 16)) * 4);
            (format!("\"{by}\""), "", vec![lanes_at(lanes, at)])
        }
        _ => {
            let at = move |lane| {
                [Some(0), Some(step), None, Some(2 * step)].get(lane as usize).copied()?
            };
            (format!("[0, {step}, \"-\", {}]", 2 * step), "", vec![lanes_at(lanes, at)])
        }
    };
    let addresses = format!("{by}{more}");
    writeln!(
        toml,
        "[tile.raw]\nchips = [\"{chip}\"]\nbytes = {bytes}\nread = [{{ op = \"{op}\", addresses = {addresses} }}]"
    )
    .unwrap();
    for word in ["LENGTH_BYTE", "SPACE", "BYTES"] {
        calls.push(Call::constant(label, naming, word, bytes));
    }
    for word in ["offset", "byte", "byte_at"] {
        let code = naming.call(word, "i0");
        calls.push(Call::of(&format!("{label} {word}"), &[bytes], code, |i| i[0]));
    }
    Stated { tile: "raw".into(), key: "read", name: None, chip, op: op.into(), by, sent }
}

/// Lanes at bytes, which are the coordinates of a tile of bytes.
fn lanes_at(lanes: u64, at: impl Fn(u64) -> Option<u64>) -> Vec<Option<(Vec<u64>, u64)>> {
    (0..lanes).map(|lane| at(lane).map(|byte| (vec![byte], byte))).collect()
}
