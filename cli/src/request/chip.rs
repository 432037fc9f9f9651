//! Chips by their names: `chips = ["gfx942", "sm_90"]`.

use crate::request::fault::Fault;
use crate::request::value::{Value, list, refused, text};
use tiledesc::chip::{Chip, ChipError};

pub(crate) fn read(value: &Value<'_>) -> Result<Vec<&'static Chip>, Fault> {
    let items = list(value, "chips", "a list of names `[\"gfx942\"]`")?;
    if items.is_empty() {
        return Err(Fault::new(value.span(), "chips is empty: name one, as in `[\"gfx942\"]`"));
    }
    items.into_iter().map(|one| named(text(one, "a chip")?).map_err(refused(one))).collect()
}

/// A chip by its name.
pub(crate) fn named(name: &str) -> Result<&'static Chip, String> {
    tiledesc::chip::find(name).map_err(|error| match error {
        ChipError::Meant { chip } => format!("there is no chip `{name}`; did you mean `{chip}`?"),
        error => format!("{name}: {error}"),
    })
}
