//! Findings as annotations of GitHub Actions, at their lines of a pull request: of compiled kernels at the line of the source,
//! which is the call's where a function of another file was inlined.

use crate::report::finding::{Finding, Level};
use crate::write::checkout::{Named, named};

/// A line for each finding.
pub(crate) fn github(file: &str, findings: &[Finding]) -> String {
    findings.iter().map(|one| annotation(file, one)).collect()
}

/// `::error file=kernel.toml,line=15,col=3,title=..::message`
fn annotation(file: &str, Finding { place, source, level, title, message }: &Finding) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let (title, message) = (property(title), data(message));
    if let Some(Named { path, line }) = named(source).last() {
        let (path, text) = (property(path), data(&format!("{file}:{}", place.line)));
        return format!("::{level} file={path},line={line},title={title}::{message}%0A({text})\n");
    }
    let (file, line, column) = (property(file), place.line, place.column);
    format!("::{level} file={file},line={line},col={column},title={title}::{message}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::audit::Frame;
    use crate::request::fault::Place;

    #[test]
    fn annotations_escape_what_would_end_them() {
        let (place, message) = (Place { line: 2, column: 3 }, "50 %, a\nb".to_string());
        let source = Vec::new();
        let mut finding = Finding { place, source, level: Level::Error, title: "t", message };
        assert_eq!(
            annotation("a:b,c.toml", &finding),
            "::error file=a%3Ab%2Cc.toml,line=2,col=3,title=t::50 %25, a%0Ab\n"
        );
        let frame = |path: &str, line| Frame { path: path.to_string(), line };
        finding.source = vec![frame("/usr/lib/standard.py", 314), frame("src/kernels.py", 63)];
        assert_eq!(
            annotation("k.ptx", &finding),
            "::error file=src/kernels.py,line=63,title=t::50 %25, a%0Ab%0A(k.ptx:2)\n"
        );
    }
}
