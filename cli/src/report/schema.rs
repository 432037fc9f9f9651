//! The JSON schemas of the reports, made of their types.

use crate::report::audit::Audit;
use crate::report::check::Check;
use crate::report::find::Find;
use crate::request::args::Reported;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// Returns the JSON schema of what a subcommand prints.
///
/// ```
/// use tiledesc_cli::{Reported, report::schema::schema};
///
/// assert_eq!(schema(Reported::Find).get("title").unwrap(), "tiledesc.find/1");
/// ```
#[must_use]
pub fn schema(of: Reported) -> Schema {
    match of {
        Reported::Check => root::<Check>(),
        Reported::Audit => root::<Audit>(),
        Reported::Find => root::<Find>(),
    }
}

fn root<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.with_transform(RecursiveTransform(closed)).into_generator().into_root_schema_for::<T>()
}

/// Numbers that are never 0.
const POSITIVE: [&str; 9] = [
    "line",
    "column",
    "max_degree",
    "bits",
    "bytes",
    "times",
    "instructions",
    "base_cycles",
    "active_cycles",
];

/// An object has no other fields, and some of its numbers are never 0.
fn closed(schema: &mut Schema) {
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for name in POSITIVE {
        if let Some(least) = fields.get_mut(name).and_then(|field| field.get_mut("minimum")) {
            *least = 1.into();
        }
    }
    schema.insert("additionalProperties".to_string(), false.into());
}
