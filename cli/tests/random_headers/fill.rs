//! Direct loads of a tile.

use super::call::{Call, Naming};
use super::tensor::{Place, Tensor};
use super::tile::{At, Tile};
use core::fmt::Write as _;
use std::collections::BTreeMap;
use support::fuzz::Dice;

/// The transfer that can fill a tile on all its chips: whether its lanes have addresses of their own, its name, and the
/// bytes of a lane.
fn transfer(tile: &Tile) -> Option<(bool, &'static str, u64)> {
    let bytes = tile.layout.together * tile.element.1 / 8;
    let all = |begin: &str| tile.chips.iter().all(|(chip, _)| chip.starts_with(begin));
    if all("gfx950") && tile.layout.dense && bytes == 16 {
        Some((false, "global_load_lds_b128", 16))
    } else if all("gfx9") && tile.layout.dense && bytes >= 4 {
        Some((false, "global_load_lds_b32", 4))
    } else if all("sm") && bytes == 16 {
        Some((true, "cp_async_b128", 16))
    } else if all("gfx1250") && bytes >= 8 {
        Some((true, "global_load_async_to_lds_b64", 8))
    } else {
        None
    }
}

/// A direct load of the tile, where one can fill it.
pub(crate) fn fill(
    dice: &mut Dice,
    toml: &mut String,
    calls: &mut Vec<Call>,
    label: &str,
    (naming, narrow): (&Naming, bool),
    tile: &Tile,
) {
    let Some((own, op, data)) = transfer(tile) else { return };
    let (bits, lanes) = (tile.element.1, tile.chips[0].1);
    let (chunk, bytes) = (lanes * data, tile.elements() * bits / 8);
    let waves = dice.of::<u64>(&[1, 2, 4]);
    if !bytes.is_multiple_of(chunk * waves) {
        return;
    }
    writeln!(toml, "fill = {{ op = \"{op}\", waves = {waves} }}").unwrap();
    let loads = bytes / chunk / waves;
    let counts = [waves, lanes, loads];
    for (word, count) in ["WAVES", "LANES", "LOADS"].into_iter().zip(counts) {
        calls.push(Call::constant(label, naming, &format!("fill_{word}"), count));
    }
    calls.push(Call::constant(label, naming, "fill_BYTES", data));
    let back: BTreeMap<u64, At> =
        (0..tile.elements()).map(|id| tile.nth(id)).map(|at| (tile.byte(at), at)).collect();
    let at = |i: &[u64]| -> At {
        let unit = (i[0] * loads + i[2]) * lanes + i[1];
        if own { tile.nth(unit * data * 8 / bits) } else { back[&(unit * data)] }
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
    let vector = data * 8 / bits;
    let place = Place { naming, name: "fill", narrow, vector, by_element: false };
    let tensor = Tensor::random(dice, tile);
    place.calls(calls, &format!("{label} fill"), &tensor, &counts, &|i| Some(at(i)));
}
