//! Findings as SARIF 2.1.0, for code scanning.

use crate::report::finding::{Finding, TITLES};
use crate::write::json::pretty;
use serde_json::{Value, json};

/// A log with one run, of the findings of each file.
pub(crate) fn sarif(found: &[(&str, Vec<Finding>)]) -> String {
    let rules = TITLES
        .map(|(title, text)| json!({ "id": rule(title), "shortDescription": { "text": text } }));
    let of = |(file, findings): &(&str, Vec<Finding>)| {
        findings.iter().map(|one| result(file, one)).collect::<Vec<_>>()
    };
    let results: Vec<_> = found.iter().flat_map(of).collect();
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tiledesc",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "results": results,
        }],
    }))
}

/// `bank conflict` as the rule `bank-conflict`.
fn rule(title: &str) -> String {
    title.replace(' ', "-")
}

fn result(file: &str, one: &Finding) -> Value {
    json!({
        "ruleId": rule(one.title),
        "level": if one.is_error { "error" } else { "warning" },
        "message": { "text": one.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": file },
            "region": { "startLine": one.place.line, "startColumn": one.place.column },
        }}],
    })
}
