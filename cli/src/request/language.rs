//! The languages by the names that `--lang` takes: `hip` of HIP, `text` of plain text.

use tiledesc::emit::{FORMS, Form};

/// The languages that a report and the explorer show.
pub(crate) fn shown() -> impl Iterator<Item = (&'static str, Form)> {
    ["hip", "cuda", "c", "wgsl"].into_iter().filter_map(|name| Some((name, form(name)?)))
}

pub(crate) fn names() -> Vec<String> {
    FORMS.iter().map(short).collect()
}

fn short(form: &Form) -> String {
    let name = form.language().to_lowercase();
    name.split_whitespace().last().unwrap_or_default().to_string()
}

pub(crate) fn form(name: &str) -> Option<Form> {
    FORMS.into_iter().find(|form| short(form) == name)
}
