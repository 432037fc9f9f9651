//! The frame of a page: its head, texts of the user, and figures inline.
//!
//! Every text of the user goes through [`escaped`](tiledesc_host::plot::escaped). A page loads nothing, and is well-formed XML too, so that a test can
//! read it; the policy forbids everything but its own styles.

use std::fmt::Write;
use tiledesc_host::plot::{Figure, escaped};

const STYLE: &str = "\
:root{color-scheme:light dark;--page:#fff;--words:#1b1b1f;--quiet:#5a5a66;--line:#d5d5dd;--box:#f4f4f8;--link:#0b57d0}
@media(prefers-color-scheme:dark){:root{--page:#141418;--words:#e8e8ee;--quiet:#a8a8b6;--line:#3a3a44;--box:#1f1f26;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:72rem;background:var(--page);color:var(--words);font:16px/1.5 system-ui,sans-serif}
h1,h2,h3{line-height:1.25}h2{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}
a{color:var(--link)}.quiet{color:var(--quiet)}
code,pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.875em;overflow-wrap:anywhere}
pre{overflow:auto;background:var(--box);padding:.75rem;border-radius:6px;overflow-wrap:normal}
.wide{overflow-x:auto;max-width:100%}
table{border-collapse:collapse}caption{text-align:left}th code{white-space:nowrap}td code{display:inline-block;min-width:13rem}th,td{padding:.25rem .75rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
details{margin:.5rem 0;padding:.25rem .75rem;border:1px solid var(--line);border-radius:6px}
summary{cursor:pointer;overflow-wrap:anywhere}
.ruling{display:inline-block;padding:0 .5em;border:1px solid currentColor;border-radius:1em;font-weight:600}
figure{margin:1rem 0}.found{white-space:pre-wrap;overflow-wrap:anywhere}svg{display:block;height:auto;max-width:none}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
";

/// A page up to its heading.
pub(crate) fn opened(name: &str) -> String {
    let (name, version) = (escaped(name), env!("CARGO_PKG_VERSION"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"generator\" content=\"tiledesc {version}\"/>\n\
         <title>{name}: bank conflicts</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{name}</h1>\n",
    )
}

/// The end of a page.
pub(crate) const CLOSED: &str = "</main>\n</body>\n</html>\n";

/// Appends a table of cells that are HTML; a column that is called `n:..` holds numbers.
pub fn table(text: &mut String, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    let cell = |tag: &str, column: &str, cell: &str| {
        let class = if column.starts_with("n:") { " class=\"n\"" } else { "" };
        format!("<{tag}{class}>{cell}</{tag}>")
    };
    let row = |tag: &str, cells: &[String]| {
        let cells = columns.iter().zip(cells).map(|(column, one)| cell(tag, column, one));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let heads: Vec<_> = columns.iter().map(|one| one.trim_start_matches("n:").into()).collect();
    let rows: String = rows.into_iter().map(|cells| row("td", &cells)).collect();
    *text += &format!("<div class=\"wide\"><table>\n{}{rows}</table></div>\n", row("th", &heads));
}

/// Appends a figure inline, or the reason why it is missing; `number` keeps its ids unique on the page.
pub(crate) fn inline(
    text: &mut String,
    number: &mut usize,
    figure: &Result<Figure, String>,
    name: &str,
) {
    match figure {
        Ok(figure) => {
            let (n, title) = (*number, escaped(figure.title()));
            *number += 1;
            // Inline it needs no namespace; its parts are named in the whole page.
            let svg = figure.svg();
            let svg = svg
                .replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1)
                .replace(" id=\"", &format!(" id=\"f{n}-"))
                .replace(" href=\"#", &format!(" href=\"#f{n}-"))
                .replace("url(#tiledesc-", &format!("url(#f{n}-tiledesc-"));
            let _ = writeln!(
                text,
                "<figure class=\"{name}\"><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\">\n{svg}</div></figure>"
            );
        }
        Err(why) => {
            let _ = writeln!(text, "<p class=\"quiet\">No figure of {name}: {}.</p>", escaped(why));
        }
    }
}
