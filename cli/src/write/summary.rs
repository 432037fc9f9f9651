//! All of the command line as one object, for programs that write commands: an agent, an editor, a wrapper.

use crate::report::schema::schema;
use crate::request::args::Cli;
use crate::request::args::Reported;
use crate::write::explore::list;
use crate::write::json::pretty;
use clap::{Arg, Command, CommandFactory};
use serde_json::{Value, json};

/// The subcommands with their options, what there is to choose from, exit statuses and schemas, as JSON.
///
/// ```
/// let all: serde_json::Value = serde_json::from_str(&tiledesc_cli::help_json()).unwrap();
/// assert_eq!(all["schema"], "tiledesc.help/1");
/// assert_eq!(all["commands"][0]["name"], "check");
/// let chips = all["choices"]["chips"].as_array().unwrap();
/// assert!(chips.iter().any(|chip| chip["name"] == "gfx942"));
/// ```
#[must_use]
pub fn help_json() -> String {
    let mut program = Cli::command();
    program.build();
    let commands = program.get_subcommands().filter(|one| one.get_name() != "help");
    pretty(&json!({
        "schema": "tiledesc.help/1",
        "tool": "tiledesc",
        "version": env!("CARGO_PKG_VERSION"),
        "about": program.get_long_about().map(ToString::to_string),
        "examples": program.get_after_long_help().map(ToString::to_string),
        "commands": commands.map(command).collect::<Vec<_>>(),
        "choices": list(),
        "schemas": {
            "tiledesc.check/1": schema(Reported::Check),
            "tiledesc.audit/1": schema(Reported::Audit),
            "tiledesc.find/1": schema(Reported::Find),
        },
    }))
}

fn command(one: &Command) -> Value {
    let arguments =
        one.get_arguments().filter(|one| !["help", "version"].contains(&one.get_id().as_str()));
    json!({
        "name": one.get_name(),
        "about": one.get_about().map(ToString::to_string),
        "usage": one.clone().render_usage().to_string(),
        "arguments": arguments.map(argument).collect::<Vec<_>>(),
        "more": one.get_after_help().map(ToString::to_string),
    })
}

fn argument(one: &Arg) -> Value {
    let values = one.get_possible_values();
    let values: Vec<_> = values.iter().map(|value| value.get_name().to_string()).collect();
    json!({
        "name": one.get_long().map_or_else(|| one.get_id().to_string(), |long| format!("--{long}")),
        "value": one.get_action().takes_values().then(|| one.get_value_names().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>())),
        "help": one.get_help().map(ToString::to_string),
        "values": if one.get_action().takes_values() { values } else { vec![] },
        "repeated": matches!(one.get_action(), clap::ArgAction::Append),
        "required": one.is_required_set(),
    })
}
