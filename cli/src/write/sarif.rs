//! Findings as SARIF 2.1.0, for code scanning.

use crate::answer::finding::{Finding, TITLES};
use crate::request::fault::Source;
use crate::write::json::pretty;
use serde_json::{Value, json};

/// A log with one run, of the findings of each source.
pub(crate) fn sarif(found: &[(&Source, Vec<Finding>)]) -> String {
    let rules = TITLES
        .map(|(title, text)| json!({ "id": rule(title), "shortDescription": { "text": text } }));
    let of = |(source, findings): &(&Source, Vec<Finding>)| {
        findings.iter().map(|one| result(source, one)).collect::<Vec<_>>()
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

fn result(source: &Source, one: &Finding) -> Value {
    json!({
        "ruleId": rule(one.title),
        "level": if one.is_error { "error" } else { "warning" },
        "message": { "text": one.message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": source.name },
            "region": { "startLine": one.place.line, "startColumn": one.place.column },
        }}],
    })
}
