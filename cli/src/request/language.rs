//! The languages by the names that `--lang` takes: `hip` of HIP, `text` of plain text.

use tiledesc_host::emit::{FORMS, Form};

/// The languages that a report shows.
pub(crate) fn shown() -> impl Iterator<Item = (&'static str, Form)> {
    ["hip", "cuda", "c", "wgsl"].into_iter().filter_map(|name| Some((name, form(name)?)))
}

/// All languages by their names.
pub(crate) fn all() -> impl Iterator<Item = (String, Form)> {
    FORMS.into_iter().map(|form| (short(&form), form))
}

pub(crate) fn names() -> Vec<String> {
    all().map(|(name, _)| name).collect()
}

fn short(form: &Form) -> String {
    let name = form.language().to_lowercase();
    name.split_whitespace().last().unwrap_or_default().to_string()
}

pub(crate) fn form(name: &str) -> Option<Form> {
    FORMS.into_iter().find(|form| short(form) == name)
}
