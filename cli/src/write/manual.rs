//! The files that a packager installs beside the program: man pages, and completions for shells.

use crate::request::args::Cli;
use crate::request::spelling::did_you_mean;
use crate::write::output::Output;
use clap::CommandFactory;
use clap_complete::Shell;

pub(crate) fn completions(shell: Shell) -> Output {
    let (mut script, mut command) = (Vec::new(), Cli::command());
    clap_complete::generate(shell, &mut command, "tiledesc", &mut script);
    Output::done(String::from_utf8_lossy(&script).into_owned())
}

/// The man page of the program, or of a subcommand.
pub(crate) fn man(name: Option<&str>) -> Output {
    let mut command = Cli::command();
    command.build();
    let command = match name {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(found) => found.clone().display_name(format!("tiledesc-{name}")),
            None => {
                let names: Vec<_> = command.get_subcommands().map(|one| one.get_name()).collect();
                let near = did_you_mean(name, names);
                return Output::invalid(format!("man: there is no subcommand `{name}`{near}"));
            }
        },
    };
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).render(&mut page) {
        Ok(()) => Output::done(String::from_utf8_lossy(&page).into_owned()),
        Err(error) => Output::invalid(error),
    }
}
