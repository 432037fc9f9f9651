//! Tables for notebooks: lines above, columns, and cells that stand out.

use std::fmt::Display;
use tiledesc_host::plot::escaped;

/// A cell of a table.
pub(crate) fn cell(text: impl Display) -> String {
    escaped(&text.to_string())
}

/// A cell, in bold type if it is marked: colours depend on the page.
pub(crate) fn marked(text: impl Display, is_marked: bool) -> String {
    if is_marked { format!("<b>{}</b>", cell(text)) } else { cell(text) }
}

/// A table of such cells under some lines.
pub(crate) fn table(head: &[String], columns: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut html = String::from("<div>");
    head.iter().for_each(|line| html += &format!("<p>{}</p>", escaped(line)));
    tiledesc_cli::table(&mut html, columns, rows);
    html + "</div>"
}
