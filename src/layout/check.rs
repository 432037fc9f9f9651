//! The demands on a layout: composed, of bytes that fit 32 bits, and free of overlaps.

use super::faults::{faults, too_large};
use super::outline::outline;
use super::{Recipe, Tile};
use core::marker::PhantomData;
use tiledesc_transforms::{Adaptor, Error, NumberError, Plan, Text, range, say};

/// Expands to a question about the plan; an error is refused on the line of the function's caller.
macro_rules! answer {
    ($Layout:ty, $name:expr, |$plan:ident| $question:expr) => {{
        let answer = match known::<$Layout>() {
            Ok($plan) => $question,
            Err(error) => Err(error),
        };
        match answer {
            Ok(answer) => answer,
            Err(error) => error.refuse($name),
        }
    }};
}

pub(crate) use answer;

// The functions do not mention a constant of the type: a constant that fails points
// here, a function that panics at the user's line.

/// The layout as plain data, without a copy.
pub(crate) const fn known<T: Tile>() -> Result<&'static Plan, Error> {
    if let Some(error) = refused::<T>() {
        return Err(error);
    }
    match <T::Descriptor as Adaptor>::PLANNED {
        Ok(plan) => Ok(plan),
        Err(error) => Err(named::<T>(*error)),
    }
}

/// An error of plain numbers with the names of their places in the recipe.
const fn named<T: Tile>(error: Error) -> Error {
    match error {
        Error::Number(fault) => {
            let places = <T::Recipe as Recipe<T::Element>>::PLACES;
            Error::Number(in_places(fault, places))
        }
        error => error,
    }
}

/// Returns the fault whose two numbers are those of places without names of their own: 60 and 8 are K and KPack. Numbers that
/// were computed from others, or that two places have, stay without a name.
const fn in_places(fault: NumberError, places: &[(u32, &'static str)]) -> NumberError {
    match fault {
        NumberError::NotDivisible { dividend: (dividend, of), divisor: (divisor, by) }
            if of.is_empty() && by.is_empty() =>
        {
            match (place_of(dividend, places), place_of(divisor, places)) {
                (Some(of), Some(by)) => {
                    NumberError::NotDivisible { dividend: (dividend, of), divisor: (divisor, by) }
                }
                _ => fault,
            }
        }
        _ => fault,
    }
}

/// The name of the only place that has a number.
const fn place_of(number: u32, places: &[(u32, &'static str)]) -> Option<&'static str> {
    let mut found = None;
    range!(i, 0..places.len(), {
        if places[i].0 == number {
            if found.is_some() {
                return None;
            }
            found = Some(places[i].1);
        }
    });
    found
}

/// Returns the fault of a layout whose descriptor can be.
pub(crate) const fn refused<T: Tile>() -> Option<Error> {
    if outline::<T>().is_some() { None } else { refused_by_plan::<T>() }
}

const fn refused_by_plan<T: Tile>() -> Option<Error> {
    match <T::Descriptor as Adaptor>::PLANNED {
        Ok(plan) => faults::<T>(plan.element_space() + plan.origin() as u64),
        Err(_) => faults::<T>(0),
    }
}

/// Returns the plan if the byte offsets of its elements, or their bit offsets for widths that are no bytes, fit 32 bits.
///
/// # Errors
///
/// [`Error::BytesTooLarge`], [`Error::NoBits`], and the plan's own.
#[doc(hidden)]
pub const fn sized(plan: Result<Plan, Error>, bits: u32) -> Result<Plan, Error> {
    match &plan {
        Ok(known) => match too_large(known.element_space() + known.origin() as u64, bits) {
            None => plan,
            Some(error) => Err(error),
        },
        Err(_) => plan,
    }
}

/// [`Layout::check`](super::Layout::check), for macros: what is not a layout is refused in these words.
///
/// # Panics
///
/// As [`Layout::check`](super::Layout::check).
#[doc(hidden)]
#[track_caller]
pub const fn check<T: Tile>(name: &str) {
    if outline::<T>().is_none() {
        check_by_plan::<T>(name);
    }
}

/// Refuses a layout without an outline, by its plan. A function, because the constants that a body names are evaluated whether it
/// gets to them or not.
#[track_caller]
const fn check_by_plan<T: Tile>(name: &str) {
    match Proof::<T>::OF {
        Ok(()) => {}
        Err(undecided @ Error::Undecided { .. }) => refuse_undecided(*undecided, name),
        Err(error) => error.refuse(name),
    }
}

/// The result of [`check`], as one constant of a layout: where `layout!` has proven it, an address is proven by it, for nothing.
struct Proof<T>(PhantomData<T>);

impl<T: Tile> Proof<T> {
    const OF: &'static Result<(), Error> = &match known::<T>() {
        Ok(_) if <T::Recipe as Recipe<T::Element>>::MAY_OVERLAP => Ok(()),
        Ok(plan) => plan.prove_injective(),
        Err(error) => Err(error),
    };
}

/// Refuses a layout about which nothing is decided, with the way to let it pass.
#[track_caller]
const fn refuse_undecided(undecided: Error, name: &str) -> ! {
    let text = if name.is_empty() { Text::new() } else { say!(Text::new(): str(name), ": ") };
    let text = undecided.explain(text);
    say!(text: ", and allow it by #[may_overlap] in layout!").refuse()
}

/// [`Layout::check_size`](super::Layout::check_size), for macros: what is not a layout is refused in these
/// words.
///
/// # Panics
///
/// As [`Layout::check_size`](super::Layout::check_size).
#[doc(hidden)]
#[track_caller]
pub const fn check_size<T: Tile>(name: &str) {
    if outline::<T>().is_none() {
        answer!(T, name, |_plan| Ok(()));
    }
}

/// [`Layout::check_injective`](super::Layout::check_injective), for macros: what is not a layout is refused in
/// these words.
///
/// # Panics
///
/// As [`Layout::check_injective`](super::Layout::check_injective).
#[doc(hidden)]
#[track_caller]
pub const fn check_injective<T: Tile>(name: &str) {
    if outline::<T>().is_none() {
        answer!(T, name, |plan| plan.prove_injective());
    }
}

/// [`Layout::check_bijective`](super::Layout::check_bijective), for macros: what is not a layout is refused in
/// these words.
///
/// # Panics
///
/// As [`Layout::check_bijective`](super::Layout::check_bijective).
#[doc(hidden)]
#[track_caller]
pub const fn check_bijective<T: Tile>(name: &str) {
    answer!(T, name, |plan| plan.prove_bijective());
}
