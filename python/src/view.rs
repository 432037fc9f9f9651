//! Parts of a report as objects: a line an attribute, with where it comes from.

use serde::Serialize;

/// Declares a class whose attributes are read from a part of a report.
macro_rules! view {
    ($(#[$doc:meta])* $name:ident($one:ident: $of:ty) {
        $($(#[$about:meta])* $field:ident: $kind:ty = $from:expr,)*
    }) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, get_all, module = "tiledesc")]
        #[derive(Clone, Debug)]
        pub(crate) struct $name {
            $($(#[$about])* pub(crate) $field: $kind,)*
        }

        impl $name {
            pub(crate) fn new($one: $of) -> Self {
                Self { $($field: $from,)* }
            }
        }
    };
}

pub(crate) use view;

/// The word of a report in JSON.
pub(crate) fn word(one: impl Serialize) -> String {
    serde_json::to_value(one)
        .ok()
        .and_then(|one| one.as_str().map(str::to_string))
        .unwrap_or_default()
}
