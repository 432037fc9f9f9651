//! Findings as SARIF 2.1.0, for code scanning.

use crate::report::finding::{Finding, Level, TITLES};
use crate::write::checkout::named;
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

/// A finding at the line of the source, of an inlined function at the call's; the other lines, and that of the text, are related.
fn result(file: &str, one: &Finding) -> Value {
    let at = |path: &str, region: Value| json!({ "artifactLocation": { "uri": path }, "region": region });
    let of_text =
        || at(file, json!({ "startLine": one.place.line, "startColumn": one.place.column }));
    let mut places: Vec<Value> = named(&one.source)
        .iter()
        .map(|one| at(&one.path, json!({ "startLine": one.line })))
        .collect();
    let place = places.pop();
    let mut result = json!({
        "ruleId": rule(one.title),
        "level": match one.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
        "message": { "text": one.message },
        "locations": [{ "physicalLocation": place.clone().unwrap_or_else(of_text) }],
    });
    if place.is_some() {
        places.push(of_text());
        let related = |place: &Value| json!({ "physicalLocation": place });
        result["relatedLocations"] = places.iter().map(related).collect();
    }
    result
}
