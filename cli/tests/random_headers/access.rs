//! Random accesses: which element of the tile an element of a lane is.

use super::call::{Call, Naming};
use super::tile::Tile;
use support::fuzz::Dice;

/// Which element of the tile an element of a lane is; `None` where the lane holds nothing.
pub(crate) type Held = Box<dyn Fn(&[u64]) -> Option<[u64; 2]>>;

/// An access as the file has it, and what it is on one chip.
pub(crate) struct Access {
    pub(crate) by: String,
    pub(crate) vector: u64,
    pub(crate) waves: u64,
    pub(crate) elements: u64,
    pub(crate) held: Held,
}

impl Access {
    /// Lane `l` of a wave has vector `l` of the tile, row by row.
    pub(crate) fn row_major(tile: &Tile, lanes: u64, vector: u64) -> Self {
        let [rows, columns] = tile.lengths;
        let held = Box::new(move |i: &[u64]| {
            let id = (i[2] / vector * lanes + i[1]) * vector + i[2] % vector;
            Some([id / columns, id % columns])
        });
        Self { by: "row-major".into(), vector, waves: 1, elements: rows * columns / lanes, held }
    }

    /// The operand of a matrix instruction with 16 rows: lane `l` has row `l % 16`, pack `l / 16`.
    pub(crate) fn mfma(tile: &Tile, lanes: u64, vector: u64) -> Self {
        let [rows, columns] = tile.lengths;
        let held = Box::new(move |i: &[u64]| {
            let (access, blocks) = (i[2] / vector, rows / 16);
            let row = access % blocks * 16 + i[1] % 16;
            Some([row, (access / blocks * (lanes / 16) + i[1] / 16) * vector + i[2] % vector])
        });
        Self { by: "mfma-rows 16".into(), vector, waves: 1, elements: rows * columns / lanes, held }
    }

    /// Factors of both dimensions, dealt to waves, lanes and registers.
    pub(crate) fn distributed(dice: &mut Dice, tile: &Tile, lanes: u64, vector: u64) -> Self {
        let ([rows, columns], [a, b]) = (tile.lengths, tile.names);
        let parts = dice.of::<u64>(&[4, 8]).min(columns / vector);
        let (deep, row) = (columns / vector / parts, lanes / parts);
        let waves = dice.of::<u64>(&[1, 2, 4]).min(rows.div_ceil(row));
        let again = rows.div_ceil(row * waves);
        let of = if again * row * waves == rows { String::new() } else { format!(" of {rows}") };
        let (deep_first, row_first) = (dice.one_in(2), dice.one_in(2));
        let thread = if deep_first { "deep, again" } else { "again, deep" };
        let lane = if row_first { "r, part" } else { "part, r" };
        let by = format!(
            "{a} [again {again}, w {waves}, r {row}]{of}, {b} [deep {deep}, part {parts}, e {vector}]; \
             wave (w), lane ({lane}), thread ({thread}, e)"
        );
        let held = Box::new(move |i: &[u64]| {
            let (wave, lane, e) = (i[0], i[1], i[2] % vector);
            let (r, part) =
                if row_first { (lane / parts, lane % parts) } else { (lane % row, lane / row) };
            let block = i[2] / vector;
            let (d, again) = if deep_first {
                (block / again, block % again)
            } else {
                (block % deep, block / deep)
            };
            let at = (again * waves + wave) * row + r;
            (at < rows).then_some([at, (d * parts + part) * vector + e])
        });
        Self { by, vector, waves, elements: again * deep * vector, held }
    }
}

/// The instruction that moves the given number of elements at once, if there is one.
pub(crate) fn op(tile: &Tile, write: bool, vector: u64) -> Option<String> {
    let bits = vector * tile.element.1;
    let direction = if tile.chips[0].0 == "sm_90" {
        return [32, 64, 128]
            .contains(&bits)
            .then(|| format!("{}.shared.b{bits}", if write { "st" } else { "ld" }));
    } else if write {
        "ds_write"
    } else {
        "ds_read"
    };
    match (bits, write) {
        (32 | 64 | 128, _) => Some(format!("{direction}_b{bits}")),
        (8 | 16, true) => Some(format!("{direction}_b{bits}")),
        (8 | 16, false) => Some(format!("{direction}_u{bits}")),
        _ => None,
    }
}

/// Who holds what, and the addresses.
pub(crate) fn held(
    calls: &mut Vec<Call>,
    label: &str,
    naming: &Naming,
    name: &str,
    tile: &Tile,
    access: &Access,
    lanes: u64,
) {
    let counts = [access.waves, lanes, access.elements];
    let held = |i: &[u64]| (access.held)(i);
    let has_idle = (0..counts.iter().product()).any(|id: u64| {
        held(&[id / (lanes * access.elements), id / access.elements % lanes, id % access.elements])
            .is_none()
    });
    let (vector, valid) = (access.vector, naming.call(&format!("{name}_valid"), "i0, i1, i2"));
    for (d, dimension) in tile.names.iter().enumerate() {
        let mut code = naming.call(&format!("{name}_{dimension}"), "i0, i1, i2");
        if has_idle {
            code = format!("{valid} ? {code} : 99999u");
        }
        let label = format!("{label} {name}_{dimension}");
        calls.push(Call::of(&label, &counts, code, |i| held(i).map_or(99999, |at| at[d])));
    }
    // Addresses are written of up to 64 accesses a lane; a header says where there are more.
    if access.elements / vector > 64 {
        return;
    }
    let first = format!("i2 * {vector}u");
    let mut code = format!(
        "{} + {}",
        naming.call(&format!("{name}_address"), "i0, i1, i2"),
        naming.call(&format!("{name}_immediate"), "i2")
    );
    if has_idle {
        code = format!(
            "{} ? {code} : 99999u",
            naming.call(&format!("{name}_valid"), &format!("i0, i1, {first}"))
        );
    }
    let accesses = [access.waves, lanes, access.elements / vector];
    calls.push(Call::of(&format!("{label} {name}_address"), &accesses, code, |i| {
        held(&[i[0], i[1], i[2] * vector]).map_or(99999, |at| tile.byte(at))
    }));
    let element = naming.call(&format!("{name}_element"), "i0");
    calls.push(Call::of(&format!("{label} {name}_element"), &accesses[2..], element, |i| {
        i[0] * vector
    }));
}
