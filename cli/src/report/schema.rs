//! The JSON schemas of the reports, made of their types.

use crate::report::audit::Audit;
use crate::report::check::Check;
use crate::report::find::Find;
use crate::request::args::Reported;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

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
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
