//! Direct loads of a tile.

use super::call::{Call, Naming};
use super::tensor::Tensor;
use super::tile::Tile;
use core::fmt::Write as _;
use std::collections::BTreeMap;
use support::fuzz::Dice;

/// A direct load of the tile, where one can fill it.
pub(crate) fn fill(
    dice: &mut Dice,
    toml: &mut String,
    calls: &mut Vec<Call>,
    label: &str,
    naming: &Naming,
    tile: &Tile,
) {
    let ([(chip, lanes)], [rows, columns]) = (&tile.chips[..], tile.lengths) else { return };
    let (own, op, data) = match *chip {
        "gfx950" if tile.layout.dense && tile.layout.together * tile.element.1 == 128 => {
            (false, "global_load_lds_b128", 16)
        }
        "gfx942" if tile.layout.dense && tile.layout.together > 1 => {
            (false, "global_load_lds_b32", 4)
        }
        "sm_90" if tile.layout.together * tile.element.1 == 128 => (true, "cp_async_b128", 16),
        _ => return,
    };
    let (bits, chunk) = (tile.element.1, lanes * data);
    let chunks = rows * columns * bits / 8 / chunk;
    let waves = dice.of::<u64>(&[1, 2, 4]);
    if !(rows * columns * bits / 8).is_multiple_of(chunk * waves) {
        return;
    }
    writeln!(toml, "fill = {{ op = \"{op}\", waves = {waves} }}").unwrap();
    let (loads, lanes) = (chunks / waves, *lanes);
    let counts = [waves, lanes, loads];
    let back: BTreeMap<u64, [u64; 2]> = (0..rows * columns)
        .map(|id| [id / columns, id % columns])
        .map(|at| (tile.byte(at), at))
        .collect();
    let at = |i: &[u64]| -> [u64; 2] {
        let unit = (i[0] * loads + i[2]) * lanes + i[1];
        let id = unit * data * 8 / bits;
        if own { [id / columns, id % columns] } else { back[&(unit * data)] }
    };
    for (d, name) in tile.names.iter().enumerate() {
        let code = naming.call(&format!("fill_{name}"), "i0, i1, i2");
        calls.push(Call::of(&format!("{label} fill_{name}"), &counts, code, |i| at(i)[d]));
    }
    let code = match own {
        true => naming.call("fill_lds", "i0, i1, i2"),
        false => format!("{} + i1 * {data}u", naming.call("fill_base", "i0, i2")),
    };
    calls.push(Call::of(&format!("{label} fill_lds"), &counts, code, |i| tile.byte(at(i))));
    let tensor = Tensor::random(dice, tile, false);
    let Tensor { origin: [o0, o1], lengths: [l0, l1], .. } = tensor;
    let vector = data * 8 / bits;
    let code = naming.call("fill_whole", &format!("{o0}u, {o1}u, {l0}u, {l1}u, i0, i1, i2"));
    calls.push(Call::of(&format!("{label} fill_whole"), &counts, code, |i| {
        let [row, column] = at(i);
        u64::from((0..vector).all(|e| tensor.inside([row, column + e]).is_some()))
    }));
}
