//! The values of a kernel's source, and what a name is of its arguments.

use crate::exchange::cute::{self, Composed, Swizzle};
use crate::exchange::gmma::Atom;
use crate::{Error, ErrorKind};

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(i64),
    Tuple(Vec<Self>),
    /// `Sw<3,3,3>`.
    Swizzle(String),
    /// The bits of an element behind a pointer to shared memory.
    Pointer(u32),
    Layout(Composed),
    /// A TV layout, and the lengths of the tile that it covers.
    Tiled(Composed, Vec<u32>),
    /// A name without a value: a type, an order, or one that is missing. With its byte.
    Word(String, usize),
}

/// An argument, and its name where it has one.
pub(super) type Argument = (Option<String>, Value);

/// The error of a name that nothing says the value of.
pub(super) fn missing(name: &str, at: usize) -> Error {
    Error::new(
        ErrorKind::Unknown,
        format!(
            "at byte {at}: `{name}` has no value here: write it before, as in `{name} = 128;`, or the number in its place"
        ),
    )
}

pub(super) fn arithmetic(
    one: Value,
    other: Value,
    at: usize,
    of: fn(i64, i64) -> Option<i64>,
) -> Result<Value, Error> {
    let numbers = (number(&one)?, number(&other)?);
    of(numbers.0, numbers.1)
        .map(Value::Number)
        .ok_or_else(|| Error::syntax(at, "numbers with a result of 63 bits"))
}

fn number(value: &Value) -> Result<i64, Error> {
    match value {
        Value::Number(number) => Ok(*number),
        Value::Word(name, at) => Err(missing(name, *at)),
        Value::Tuple(each) => Err(Error::number(format!(
            "a tuple of {} stands where one number is wanted",
            each.len()
        ))),
        _ => Err(Error::number("a layout stands where a number is wanted")),
    }
}

/// `(8,(8,8))`
pub(super) fn tuple(value: &Value) -> Result<String, Error> {
    match value {
        Value::Tuple(each) => {
            let each: Result<Vec<_>, _> = each.iter().map(tuple).collect();
            Ok(format!("({})", each?.join(",")))
        }
        one => number(one).map(|number| number.to_string()),
    }
}

pub(super) fn printed(text: &str) -> Result<Value, Error> {
    composed(text).map(Value::Layout)
}

/// The layout of a text that was made here, whose places are not the user's.
fn composed(text: &str) -> Result<Composed, Error> {
    let said = |error: Error| match error.kind() {
        ErrorKind::Syntax { expected, .. } => {
            Error::no_form(format!("{text}: expected {expected}"))
        }
        _ => error,
    };
    cute::parse(text).map_err(said)
}

fn layout(value: &Value, at: usize) -> Result<&Composed, Error> {
    match value {
        Value::Layout(layout) => Ok(layout),
        Value::Word(name, at) => Err(missing(name, *at)),
        _ => Err(Error::syntax(at, "a layout among the arguments")),
    }
}

/// `Sw<3,3,3> o 0 o layout`
pub(super) fn behind(
    swizzle: &str,
    offset: Option<&Value>,
    below: &Value,
    at: usize,
) -> Result<Value, Error> {
    let below = layout(below, at)?;
    if *below.swizzle() != Swizzle::NONE {
        return Err(Error::no_form("a swizzle of a swizzled layout has no form"));
    }
    let offset = match offset {
        Some(Value::Pointer(bits)) => format!("smem_ptr[{bits}b](unset)"),
        Some(offset) => number(offset)?.to_string(),
        None => "0".to_string(),
    };
    printed(&format!("{swizzle} o {offset} o {below}"))
}

/// Strides that leave no gaps; with `is_last` the last mode is contiguous.
fn compact(shape: &Value, step: &mut i64, is_last: bool) -> Result<Value, Error> {
    let Value::Tuple(each) = shape else {
        let own = *step;
        *step = step.saturating_mul(number(shape)?);
        return Ok(Value::Number(own));
    };
    let mut strides = each.clone();
    let mut order: Vec<_> = (0..each.len()).collect();
    if is_last {
        order.reverse();
    }
    for at in order {
        strides[at] = compact(&each[at], step, is_last)?;
    }
    Ok(Value::Tuple(strides))
}

/// Strides that leave no gaps, the mode of the least order contiguous.
fn ordered(shape: &Value, order: &Value) -> Result<Value, Error> {
    let (Value::Tuple(each), Value::Tuple(order)) = (shape, order) else {
        return compact(shape, &mut 1, false);
    };
    if each.len() != order.len() {
        let (modes, given) = (each.len(), order.len());
        return Err(Error::mismatch(format!("an order of {given} is given for {modes} modes")));
    }
    let mut places: Vec<_> =
        order.iter().map(number).collect::<Result<Vec<_>, _>>()?.into_iter().zip(0..).collect();
    places.sort_unstable();
    let (mut strides, mut step) = (each.clone(), 1);
    for (_, at) in places {
        strides[at] = compact(&each[at], &mut step, false)?;
    }
    Ok(Value::Tuple(strides))
}

/// What a name is of its arguments.
pub(super) fn value(name: &str, given: &[Argument], at: usize) -> Result<Value, Error> {
    let by_name = |word: &str| {
        given.iter().find(|(known, _)| known.as_deref() == Some(word)).map(|(_, one)| one)
    };
    let by_place: Vec<&Value> =
        given.iter().filter(|(known, _)| known.is_none()).map(|(_, one)| one).collect();
    match (name, &by_place[..]) {
        ("Int" | "C" | "constant" | "integral_constant" | "Int32", [.., last]) => {
            number(last).map(Value::Number)
        }
        ("decltype", [one]) => Ok((*one).clone()),
        ("smem_ptr_flag_bits", [bits]) => Ok(Value::Pointer(
            u32::try_from(number(bits)?)
                .map_err(|_| Error::syntax(at, "the bits of an element"))?,
        )),
        ("Swizzle" | "make_swizzle" | "Sw" | "S", [bits, base, shift]) => {
            let [bits, base, shift] = [number(bits)?, number(base)?, number(shift)?];
            Ok(Value::Swizzle(format!("Sw<{bits},{base},{shift}>")))
        }
        (
            "Shape" | "Stride" | "Step" | "Coord" | "Tile" | "tuple" | "make_shape" | "make_stride"
            | "make_tuple" | "make_coord" | "make_tile" | "make_step",
            each,
        ) => Ok(Value::Tuple(each.iter().map(|one| (*one).clone()).collect())),
        ("make_layout", [Value::Layout(_), ..]) => beside(&by_place, at),
        ("Layout" | "make_layout", [shape]) => strided(shape, by_name("stride")),
        ("Layout" | "make_layout", [shape, stride]) => strided(shape, Some(stride)),
        ("make_ordered_layout", [shape, order @ ..]) => {
            let order = order.first().copied().or(by_name("order"));
            let order = order.ok_or_else(|| Error::syntax(at, "an order after the shape"))?;
            strided(shape, Some(&ordered(shape, order)?))
        }
        (
            "composition" | "make_composed_layout" | "ComposedLayout",
            [Value::Swizzle(swizzle), between @ .., below],
        ) => behind(swizzle, between.first().copied(), below, at),
        ("make_copy_atom", _) => Ok(Value::Word(name.to_string(), at)),
        ("make_tiled_copy" | "make_tiled_copy_tv", [_, threads, values])
        | ("make_layout_tv", [threads, values]) => tiled(layout(threads, at)?, layout(values, at)?),
        ("tile_to_shape", [one, shape, order @ ..]) => {
            to_shape(layout(one, at)?, shape, order.first().copied().or(by_name("order")))
        }
        _ if name.starts_with("Layout_") && name.ends_with("_Atom") => match by_place[..] {
            [Value::Word(element, _), ..] => atom(name, element).map(Value::Layout),
            _ => {
                Err(Error::syntax(at, "an element of an atom, as in `Layout_K_SW128_Atom<half_t>`"))
            }
        },
        // A type.
        _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
            Ok(Value::Word(name.to_string(), at))
        }
        (_, [first, more @ ..]) => {
            let text = |one: &&Value| match one {
                Value::Layout(layout) => Ok(layout.to_string()),
                one => tuple(one),
            };
            let each: Result<Vec<_>, _> = core::iter::once(first).chain(more).map(text).collect();
            printed(&format!("{name}({})", each?.join(", ")))
        }
        (_, []) => Err(missing(name, at)),
    }
}

/// A layout of a shape, and its strides or what says them.
fn strided(shape: &Value, stride: Option<&Value>) -> Result<Value, Error> {
    let stride = match stride {
        Some(Value::Word(word, _)) if ["LayoutRight", "GenRowMajor"].contains(&word.as_str()) => {
            compact(shape, &mut 1, true)?
        }
        Some(Value::Word(word, _)) if ["LayoutLeft", "GenColMajor"].contains(&word.as_str()) => {
            compact(shape, &mut 1, false)?
        }
        Some(stride) => stride.clone(),
        None => compact(shape, &mut 1, false)?,
    };
    printed(&format!("{}:{}", tuple(shape)?, tuple(&stride)?))
}

/// Layouts as the modes of one.
fn beside(each: &[&Value], at: usize) -> Result<Value, Error> {
    let (mut shapes, mut strides) = (Vec::new(), Vec::new());
    for one in each {
        let one = layout(one, at)?;
        if *one.swizzle() != Swizzle::NONE {
            return Err(Error::no_form("a swizzled layout is no mode of another"));
        }
        let text = one.to_string();
        let (shape, stride) = text.split_once(':').unwrap_or((&text, ""));
        shapes.push(shape.to_string());
        strides.push(stride.to_string());
    }
    printed(&format!("({}):({})", shapes.join(","), strides.join(",")))
}

/// Copies of a layout up to a shape: those along the mode of the least order next to each other.
fn to_shape(one: &Composed, shape: &Value, order: Option<&Value>) -> Result<Value, Error> {
    let whole = format!("tile_to_shape({one}, {})", tuple(shape)?);
    let (Some(order), Value::Tuple(lengths)) = (order, shape) else { return printed(&whole) };
    let own = one.layout().lengths();
    let copies = |(d, length): (usize, &Value)| {
        let (length, own) =
            (number(length)?, i64::from(own.as_slice().get(d).copied().unwrap_or(1)));
        Ok((own > 0 && length % own == 0).then_some(Value::Number(length / own)))
    };
    let copies: Result<Vec<_>, Error> = lengths.iter().enumerate().map(copies).collect();
    let Some(copies) = copies?.into_iter().collect::<Option<Vec<_>>>() else {
        return printed(&whole);
    };
    let copies = Value::Tuple(copies);
    let strides = ordered(&copies, order)?;
    printed(&format!("blocked_product({one}, {}:{})", tuple(&copies)?, tuple(&strides)?))
}

/// The most elements of a tile that is dealt to threads.
const MOST_TILED: u64 = 1 << 20;

/// What each thread holds: the copies of `threads`, as many as `values` has, with the values of a thread side by side.
fn tiled(threads: &Composed, values: &Composed) -> Result<Value, Error> {
    let whole = composed(&format!("raked_product({threads}, {values})"))?;
    let size = whole.layout().size();
    let sizes = [threads.layout().size(), values.layout().size()];
    if size > MOST_TILED || sizes.iter().any(|size| !size.is_power_of_two()) {
        let [threads, values] = sizes;
        return Err(Error::number(format!(
            "{threads} threads of {values} values: powers of two are wanted, {MOST_TILED} elements at most"
        )));
    }
    // The number of the element of each thread and value, threads fastest.
    let mut held = vec![None; size as usize];
    for number in 0..size {
        let place = whole.at(number).and_then(|at| held.get_mut(at as usize));
        match place {
            Some(place @ None) => *place = Some(number),
            _ => {
                return Err(Error::no_form(format!(
                    "{threads} and {values} do not number {} threads and {} values, each once",
                    sizes[0], sizes[1]
                )));
            }
        }
    }
    let held: Vec<u64> = held.into_iter().flatten().collect();
    // Bits whose steps double are one mode.
    let of = |begin: u32, count: u32| {
        let mut modes: Vec<(u64, u64)> = Vec::new();
        for step in (begin..begin + count).map(|bit| held[1 << bit]) {
            match modes.last_mut() {
                Some((length, first)) if step == *length * *first => *length *= 2,
                _ => modes.push((2, step)),
            }
        }
        let text = |each: Vec<String>| {
            if each.len() == 1 { each[0].clone() } else { format!("({})", each.join(",")) }
        };
        let modes = if modes.is_empty() { vec![(1, 0)] } else { modes };
        let (lengths, steps) =
            modes.iter().map(|(length, step)| (length.to_string(), step.to_string())).unzip();
        (text(lengths), text(steps))
    };
    let [bits, more] = sizes.map(u64::ilog2);
    let ((threads, step), (values, other)) = (of(0, bits), of(bits, more));
    let found = composed(&format!("({threads},{values}):({step},{other})"))?;
    let covered = whole.layout().lengths();
    match (0..size).find(|at| found.at(*at).map(u64::from) != Some(held[*at as usize])) {
        None => Ok(Value::Tiled(found, covered.as_slice().to_vec())),
        Some(at) => Err(Error::no_form(format!(
            "thread and value {at} are not at a sum of the places of their bits"
        ))),
    }
}

/// The atom of a name of CuTe's for elements of a type of C++.
fn atom(name: &str, element: &str) -> Result<Composed, Error> {
    // half_t, bfloat16_t, tfloat32_t, float_e4m3_t, int8_t, and those of C++ itself.
    let bits = match element {
        "float" => 32,
        "double" => 64,
        "half" => 16,
        "tfloat32_t" | "tf32_t" => 32,
        _ if element.contains("e4m3") || element.contains("e5m2") => 8,
        _ if element.contains("e2m1") => 4,
        _ => {
            let digits: String = element.chars().filter(char::is_ascii_digit).collect();
            match (digits.parse(), element.starts_with("half")) {
                (Ok(bits), _) => bits,
                (_, true) => 16,
                _ => {
                    return Err(Error::number(format!(
                        "`{element}` is not an element whose bits are known: write one such as half_t, bfloat16_t, int8_t"
                    )));
                }
            }
        }
    };
    Atom::named(name, bits).map(|atom| *atom.layout())
}
