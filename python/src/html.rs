//! Tables for notebooks: lines above, columns, and cells that stand out.

use std::fmt::{Display, Write};
use tiledesc_host::plot::escaped;

/// A cell of a table.
pub(crate) struct Cell {
    text: String,
    marked: bool,
}

impl Cell {
    pub(crate) fn of(text: impl Display) -> Self {
        Self { text: text.to_string(), marked: false }
    }

    /// The same, standing out if something waits: bold, since colours depend on the page.
    pub(crate) fn marked(self, marked: bool) -> Self {
        Self { marked, ..self }
    }
}

/// A table; every text is escaped.
pub(crate) fn table(head: &[String], columns: &[&str], rows: &[Vec<Cell>]) -> String {
    let mut html = String::from("<div>");
    for line in head {
        let _ = write!(html, "<p>{}</p>", escaped(line));
    }
    html += "<table><thead><tr>";
    for column in columns {
        let _ = write!(html, "<th>{}</th>", escaped(column));
    }
    html += "</tr></thead><tbody>";
    for row in rows {
        html += "<tr>";
        for cell in row {
            let text = escaped(&cell.text);
            let _ = if cell.marked {
                write!(html, "<td><b>{text}</b></td>")
            } else {
                write!(html, "<td>{text}</td>")
            };
        }
        html += "</tr>";
    }
    html + "</tbody></table></div>"
}
