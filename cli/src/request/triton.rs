//! Triton's layouts of shared memory: bases, or the numbers of a swizzle.
//!
//! ```text
//!   triton = { offset = [[0, 1], [0, 2], [1, 0]] }             where each bit of an offset lies
//!   triton = { vec = 8, perPhase = 1, maxPhase = 8 }           `order` names the fastest dimension first
//!   triton = "#ttg.padded_shared<[512:+16] {..}>"              as the IR prints it
//!   triton = "#shared = #ttg.nvmma_shared<{..}>"               its name may stand before it
//!   triton = "SwizzledSharedLayout(8, 1, 8, [1, 0])"           as Gluon writes it
//! ```

use crate::request::fault::Fault;
use crate::request::shape::{self, Dimension};
use crate::request::value::{Table, Value, list, refused, word, words};
use tiledesc::{ElementName, Error, List, NumberError, Plan};
use tiledesc_host::exchange::triton::{self, Bases, Swizzled};

pub(crate) fn read(
    table: &Table<'_>,
    value: &Value<'_>,
    element: &ElementName,
    shape: Option<&[Dimension]>,
) -> Result<Plan, Fault> {
    let lengths = || shape::lengths(shape, value, "triton");
    let stated = match shape {
        Some(_) => Some(lengths()?),
        None => None,
    };
    if matches!(value.get_ref(), toml::de::DeValue::Array(_)) {
        return of_bases(value, stated.as_deref());
    }
    if let toml::de::DeValue::String(text) = value.get_ref() {
        let lengths = stated.as_deref().map(List::from_slice).transpose();
        let lengths = lengths.map_err(|e| Fault::new(value.span(), Error::Number(e)))?;
        if let Ok(Some(bits)) = triton::element_bits(text)
            && bits != element.bits
        {
            let (name, own) = (element.code.to_lowercase(), element.bits);
            let mut message =
                format!("elements of {bits} bits, but an element of `{name}` has {own}");
            // The only one that counts other elements than its kernel.
            if own == 4 && bits == 8 {
                message += "; a layout of fp4 counts bytes, two elements in each: write `element = \"u8\"`, and half as many along the contiguous dimension";
            }
            return Err(Fault::new(value.span(), message));
        }
        return triton::shared(text, lengths).map_err(refused(value));
    }
    let triton = Table::from_value(value, format!("triton of {}", table.called()))?;
    let plan = match triton.get("offset") {
        Some(bases) => {
            one_block(&triton)?;
            of_bases(bases, stated.as_deref())
        }
        None => of_swizzle(&triton, value, &lengths()?),
    };
    triton.has_no_more()?;
    plan
}

/// Refuses `block = [[64, 0]]`; blocks with copies of one tile, `[[0, 0]]`, are as one.
fn one_block(triton: &Table<'_>) -> Result<(), Fault> {
    let Some(value) = triton.get("block") else { return Ok(()) };
    for image in list(value, "block", "a list of bases `[[0, 0]]`")? {
        if words(image, "a basis", 0)?.iter().any(|index| *index != 0) {
            let message = "these bases are of several blocks, and a tile is of one: leave `block` out for its own";
            return Err(Fault::new(value.span(), message));
        }
    }
    Ok(())
}

/// Over a tile of these lengths; of none that are stated, over the least tile that holds all images.
fn of_bases(value: &Value<'_>, lengths: Option<&[u32]>) -> Result<Plan, Fault> {
    let images = list(value, "offset", "a list of bases `[[0, 1], [1, 0]]`")?;
    let image = |one: &Value<'_>| {
        let indices = words(one, "a basis", 0)?;
        List::from_slice(&indices).map_err(|e| Fault::new(one.span(), Error::Number(e)))
    };
    let images = images.into_iter().map(image).collect::<Result<Vec<_>, _>>()?;
    let least = least(&images);
    let lengths = List::from_slice(lengths.unwrap_or(&least));
    let lengths = lengths.map_err(|e| Fault::new(value.span(), Error::Number(e)))?;
    let bases = Bases::new(lengths, &images).map_err(refused(value))?;
    bases.plan().map_err(|error| match error {
        Error::TooLarge { most, .. } => {
            let message = format!(
                "these bases mix too many bits: a layout of them takes more than {most} dimensions"
            );
            Fault::new(value.span(), message)
        }
        other => Fault::new(value.span(), other),
    })
}

/// The least powers of two that are above all images, dimension by dimension.
fn least(images: &[List]) -> Vec<u32> {
    let rank = images.iter().map(List::len).max().unwrap_or(0);
    let bits =
        |at: usize| images.iter().fold(0, |bits, one| bits | one.as_slice().get(at).unwrap_or(&0));
    // A length of 2^32 does not fit: the bases are refused as outside of the tile.
    let above = |bits: u32| 1_u32.checked_shl(u32::BITS - bits.leading_zeros()).unwrap_or(1);
    (0..rank).map(|at| above(bits(at))).collect()
}

/// Triton's `swizzled_shared` by its numbers.
fn of_swizzle(triton: &Table<'_>, value: &Value<'_>, lengths: &[u32]) -> Result<Plan, Fault> {
    // All are asked for before one is missed: a key that is right is known.
    let keys = ["vec", "perPhase", "maxPhase"].map(|key| (key, triton.get_loose(key)));
    let order = triton.get("order");
    let number = |(key, given): (&str, Option<&Value<'_>>)| match given {
        Some(given) => word(given, key, 1),
        None => {
            let message = format!(
                "triton has no `{key}`: write `{{ vec = 8, perPhase = 1, maxPhase = 8 }}`, or bases as \
                 `{{ offset = [[0, 1], ..] }}`"
            );
            Err(Fault::new(value.span(), message))
        }
    };
    let [vec, per_phase, max_phase] = keys;
    let numbers = [number(vec)?, number(per_phase)?, number(max_phase)?];
    let order = match order {
        Some(order) => words(order, "order", 0)?,
        // The last dimension is the fastest.
        None => (0..lengths.len() as u32).rev().collect(),
    };
    let at_order = |error: NumberError| Fault::new(value.span(), Error::Number(error));
    let order = List::from_slice(&order).map_err(at_order)?;
    let swizzled = Swizzled::new(numbers, order).map_err(refused(value))?;
    let lengths = List::from_slice(lengths).map_err(at_order)?;
    swizzled.plan(lengths).map_err(refused(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeTable;

    /// The plan of some lengths and a value of TOML.
    fn plan(lengths: [u32; 2], triton: &str) -> Plan {
        let text = format!("triton = {triton}");
        let parsed = DeTable::parse(&text).unwrap();
        let table = Table::new(parsed.get_ref(), 0..0, "the tile");
        let name = |i: usize| ["m", "k"][i].to_string();
        let shape = [0, 1].map(|i| Dimension { name: name(i), length: lengths[i], span: 0..0 });
        let f16 = tiledesc::ELEMENTS.iter().find(|one| one.code == "F16").unwrap();
        read(&table, table.get("triton").unwrap(), f16, Some(&shape)).unwrap()
    }

    /// Triton's formula, as its documentation has it.
    fn triton([row, column]: [u32; 2], columns: u32, [vec, per_phase, max_phase]: [u32; 3]) -> u32 {
        let chunk = (column / vec) ^ (row / per_phase % max_phase);
        row * columns + chunk * vec + column % vec
    }

    /// A swizzle as text is that of its numbers.
    #[test]
    fn texts() {
        let table = "{ vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1] }";
        let numbers = "vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]";
        let wanted = plan([64, 128], table);
        for text in [
            format!("#ttg.swizzled_shared<{{{numbers}}}>"),
            "gl.SwizzledSharedLayout(8, 2, 4, [0, 1])".to_string(),
            "SwizzledSharedLayout(vec=8, per_phase=2, max_phase=4, order=[0, 1], cga_layout=[])"
                .to_string(),
        ] {
            let found = plan([64, 128], &format!("{text:?}"));
            for id in 0..64 * 128 {
                let at = [id / 128, id % 128];
                assert_eq!(found.offset(&at), wanted.offset(&at), "{text}");
            }
        }
    }

    #[test]
    fn tritons_swizzles() {
        let mut tried = 0;
        for (rows, columns) in [(16, 32), (64, 64), (8, 128), (2, 64), (24, 64)] {
            for [vec, per_phase, max_phase] in
                [[8, 1, 4], [4, 2, 4], [1, 1, 8], [8, 4, 2], [8, 1, 1]]
            {
                let numbers = [vec, per_phase, max_phase];
                let words = format!("vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}");
                let by_rows = plan([rows, columns], &format!("{{ {words} }}"));
                let by_columns = plan([columns, rows], &format!("{{ {words}, order = [0, 1] }}"));
                for id in 0..rows * columns {
                    let (row, column) = (id / columns, id % columns);
                    let wanted = Ok(triton([row, column], columns, numbers));
                    assert_eq!(by_rows.offset(&[row, column]), wanted);
                    assert_eq!(by_columns.offset(&[column, row]), wanted);
                    tried += 1;
                }
            }
        }
        assert!(tried > 30_000);
    }
}
