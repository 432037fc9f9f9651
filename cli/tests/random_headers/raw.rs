//! Tiles of bytes, whose accesses are addresses: a header has the bytes, and beside them the verdicts.

use super::call::{Call, Naming};
use core::fmt::Write as _;
use support::fuzz::Dice;

pub(crate) fn raw(
    dice: &mut Dice,
    toml: &mut String,
    calls: &mut Vec<Call>,
    label: &str,
    naming: &Naming,
) {
    let bytes = dice.of::<u64>(&[2048, 5000]);
    let step = dice.of::<u64>(&[4, 8, 32]);
    let (chip, op) = dice.of(&[
        ("gfx942", "ds_read_b32"),
        ("gfx1201", "ds_load_b32"),
        ("sm_90", "ld.shared.b32"),
    ]);
    let addresses = match dice.below(3) {
        0 => format!("\"lane * {step} + wave * 4\", waves = 2"),
        1 => format!("\"r = lane / 16; c = lane % 16; r * {step} + (c ^ r) * 4\""),
        _ => format!("[0, {step}, \"-\", {}]", 2 * step),
    };
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
}
