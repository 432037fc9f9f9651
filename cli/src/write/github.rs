//! Findings as annotations of GitHub Actions, at their lines of a pull request.

use crate::report::finding::Finding;

/// A line for each finding.
pub(crate) fn github(file: &str, findings: &[Finding]) -> String {
    findings.iter().map(|one| annotation(file, one)).collect()
}

/// `::error file=kernel.toml,line=15,col=3,title=..::message`
fn annotation(file: &str, Finding { place, is_error, title, message }: &Finding) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let (level, file) = (if *is_error { "error" } else { "warning" }, property(file));
    let (line, column, title) = (place.line, place.column, property(title));
    format!("::{level} file={file},line={line},col={column},title={title}::{}\n", data(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::fault::Place;

    #[test]
    fn annotations_escape_what_would_end_them() {
        let (place, message) = (Place { line: 2, column: 3 }, "50 %, a\nb".to_string());
        let finding = Finding { place, is_error: true, title: "t", message };
        assert_eq!(
            annotation("a:b,c.toml", &finding),
            "::error file=a%3Ab%2Cc.toml,line=2,col=3,title=t::50 %25, a%0Ab\n"
        );
    }
}
