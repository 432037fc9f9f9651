//! Random accesses: which element of the tile an element of a lane is.

use super::call::{Call, Naming};
use super::tile::{At, Tile, nth};
use support::fuzz::Dice;

/// Which element of the tile an element of a lane is; `None` where the lane holds nothing.
pub(crate) type Held = Box<dyn Fn(&[u64]) -> Option<At>>;

/// An access as the file has it, and what it is on one chip.
pub(crate) struct Access {
    pub(crate) by: String,
    pub(crate) vector: u64,
    pub(crate) waves: u64,
    pub(crate) elements: u64,
    pub(crate) held: Held,
}

impl Access {
    /// One of a kind, where it covers the tile with `lanes` lanes a wave; a kind that does not, distributes it. Chips
    /// whose waves differ have no distribution in common.
    pub(crate) fn random(
        dice: &mut Dice,
        kind: u32,
        tile: &Tile,
        lanes: u64,
        ragged: bool,
    ) -> Option<Self> {
        let (vector, columns) = (tile.layout.together, tile.columns());
        let whole = !ragged && tile.elements().is_multiple_of(lanes * vector);
        let same_waves = tile.chips.iter().all(|(_, other)| *other == lanes);
        match kind {
            0 if whole && lanes * vector >= columns => Some(Self::row_major(tile, lanes, vector)),
            1 if whole
                && tile.lengths.len() == 2
                && columns.is_multiple_of(lanes / 16 * vector)
                && !tile.chips[0].0.starts_with("sm") =>
            {
                Some(Self::mfma(tile, lanes, vector))
            }
            _ if same_waves && ragged && tile.lengths.len() == 2 && dice.one_in(3) => {
                Some(Self::counted(dice, tile, lanes, vector))
            }
            _ if same_waves => Some(Self::distributed(dice, tile, lanes, vector)),
            _ => None,
        }
    }

    /// Lane `l` of a wave has vector `l` of the tile, row by row.
    fn row_major(tile: &Tile, lanes: u64, vector: u64) -> Self {
        let lengths = tile.lengths.clone();
        let held = Box::new(move |i: &[u64]| {
            let id = (i[2] / vector * lanes + i[1]) * vector + i[2] % vector;
            Some(nth(&lengths, id))
        });
        Self { by: "row-major".into(), vector, waves: 1, elements: tile.elements() / lanes, held }
    }

    /// The operand of a matrix instruction with 16 rows: lane `l` has row `l % 16`, pack `l / 16`.
    fn mfma(tile: &Tile, lanes: u64, vector: u64) -> Self {
        let rows = tile.lengths[0];
        let held = Box::new(move |i: &[u64]| {
            let (access, blocks) = (i[2] / vector, rows / 16);
            let row = access % blocks * 16 + i[1] % 16;
            Some([row, (access / blocks * (lanes / 16) + i[1] / 16) * vector + i[2] % vector, 0])
        });
        Self {
            by: "mfma-rows 16".into(),
            vector,
            waves: 1,
            elements: tile.elements() / lanes,
            held,
        }
    }

    /// Vectors counted through rows and columns as one number, which end before the lanes do.
    fn counted(dice: &mut Dice, tile: &Tile, lanes: u64, vector: u64) -> Self {
        let ([rows, columns], [a, b]) =
            ([tile.lengths[0], tile.lengths[1]], [tile.names[0], tile.names[1]]);
        let waves = dice.of::<u64>(&[1, 2, 4]);
        let again = (rows * columns).div_ceil(vector * lanes * waves);
        let (factors, wave_first) = match dice.one_in(2) {
            true => (format!("w {waves}, again {again}"), true),
            false => (format!("again {again}, w {waves}"), false),
        };
        let by = format!(
            "({a}, {b}) [{factors}, l {lanes}, e {vector}] of ({rows}, {columns}); \
             wave (w), lane (l), thread (again, e)"
        );
        let held = Box::new(move |i: &[u64]| {
            let (access, e) = (i[2] / vector, i[2] % vector);
            let block = if wave_first { i[0] * again + access } else { access * waves + i[0] };
            let number = (block * lanes + i[1]) * vector + e;
            (number < rows * columns).then_some([number / columns, number % columns, 0])
        });
        Self { by, vector, waves, elements: again * vector, held }
    }

    /// Factors of rows and columns, dealt to waves, lanes and registers; buffers to registers.
    fn distributed(dice: &mut Dice, tile: &Tile, lanes: u64, vector: u64) -> Self {
        let rank = tile.lengths.len();
        let ([rows, columns], [a, b]) = (
            [tile.lengths[rank - 2], tile.columns()],
            [tile.names[rank - 2], tile.names[rank - 1]],
        );
        let buffers = if rank == 3 { tile.lengths[0] } else { 1 };
        let parts = dice.of::<u64>(&[4, 8]).min(1 << (columns / vector).ilog2());
        let (deep, row) = ((columns / vector).div_ceil(parts), lanes / parts);
        let waves = dice.of::<u64>(&[1, 2, 4]).min(rows.div_ceil(row));
        let again = rows.div_ceil(row * waves);
        let of = if again * row * waves == rows { String::new() } else { format!(" of {rows}") };
        let ends = deep * parts * vector != columns;
        let of_columns = if ends { format!(" of {columns}") } else { String::new() };
        let (deep_first, row_first) = (dice.one_in(2), dice.one_in(2));
        let buffer_last = dice.one_in(2);
        let (before, first, last) = match (rank, buffer_last) {
            (2, _) => (String::new(), "", ""),
            (_, true) => (format!("{} [stage {buffers}], ", tile.names[0]), "", ", stage"),
            _ => (format!("{} [stage {buffers}], ", tile.names[0]), "stage, ", ""),
        };
        let thread = if deep_first { "deep, again" } else { "again, deep" };
        let lane = if row_first { "r, part" } else { "part, r" };
        let by = format!(
            "{before}{a} [again {again}, w {waves}, r {row}]{of}, {b} [deep {deep}, part {parts}, e {vector}]{of_columns}; \
             wave (w), lane ({lane}), thread ({first}{thread}{last}, e)"
        );
        let held = Box::new(move |i: &[u64]| {
            let (wave, lane, e) = (i[0], i[1], i[2] % vector);
            let (r, part) =
                if row_first { (lane / parts, lane % parts) } else { (lane % row, lane / row) };
            let (block, buffer) = match buffer_last {
                true => (i[2] / vector / buffers, i[2] / vector % buffers),
                false => (i[2] / vector % (again * deep), i[2] / vector / (again * deep)),
            };
            let (d, again) = if deep_first {
                (block / again, block % again)
            } else {
                (block % deep, block / deep)
            };
            let (i, j) = ((again * waves + wave) * row + r, (d * parts + part) * vector + e);
            let at = if rank == 3 { [buffer, i, j] } else { [i, j, 0] };
            (i < rows && j < columns).then_some(at)
        });
        Self { by, vector, waves, elements: buffers * again * deep * vector, held }
    }
}

/// The instruction that moves the given number of elements at once, if there is one.
pub(crate) fn op(tile: &Tile, write: bool, vector: u64) -> Option<String> {
    let bits = vector * tile.element.1;
    let direction = if tile.chips[0].0.starts_with("sm") {
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
    for (word, count) in ["WAVES", "LANES", "ELEMENTS"].into_iter().zip(counts) {
        calls.push(Call::constant(label, naming, &format!("{name}_{word}"), count));
    }
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
    let bytes = vector * tile.element.1 / 8;
    calls.push(Call::constant(label, naming, &format!("{name}_COUNT"), accesses[2]));
    calls.push(Call::constant(label, naming, &format!("{name}_BYTES"), bytes));
    calls.push(Call::of(&format!("{label} {name}_address"), &accesses, code, |i| {
        held(&[i[0], i[1], i[2] * vector]).map_or(99999, |at| tile.byte(at))
    }));
    let element = naming.call(&format!("{name}_element"), "i0");
    calls.push(Call::of(&format!("{label} {name}_element"), &accesses[2..], element, |i| {
        i[0] * vector
    }));
}
