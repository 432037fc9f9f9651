//! Runs the C++ program that the build script has compiled.

use std::process::{Command, ExitCode};

/// What the program prints; `None` where no compiler was.
fn printed() -> Option<String> {
    let output = Command::new(option_env!("KERNEL")?).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn main() -> ExitCode {
    match (printed(), option_env!("KERNEL")) {
        (Some(text), _) => print!("{text}"),
        (None, Some(program)) => {
            eprintln!("{program}: an address is wrong");
            return ExitCode::FAILURE;
        }
        (None, None) => println!("skipped: kernel.cpp was not compiled"),
    }
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_reads_the_whole_tile() {
        match super::printed() {
            Some(text) => assert_eq!(text, "16384 bytes, each where it should be\n"),
            None if option_env!("KERNEL").is_none() => println!("skipped: no C++ compiler"),
            None => panic!("the kernel fails"),
        }
    }
}
