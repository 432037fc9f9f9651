//! `validation list CHIP`, `validation write CHIP`, `validation ptx CHIP`, `validation compare FILE...`.

use core::error::Error;
use std::env;
use std::fs;
use std::process::ExitCode;
use tiledesc_validation::compare::Comparison;
use tiledesc_validation::list::patterns;
use tiledesc_validation::ptx;
use tiledesc_validation::record::Record;
use tiledesc_validation::source::program;

const USAGE: &str =
    "validation list CHIP        the patterns, their phases and wavefronts by the model
validation write CHIP       the program that times them, in CUDA or HIP, to standard output
validation ptx CHIP         the same for run_ptx.py, which needs no compiler: NVIDIA only
validation compare FILE...  records beside the model; exit status 1 if patterns disagree";

fn list(chip: &str) -> Result<(), Box<dyn Error>> {
    println!("pattern,instruction,wavefronts,degrees");
    for pattern in patterns(chip)? {
        let degrees = pattern.degrees()?.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let (name, instruction) = (pattern.name(), pattern.instruction().name());
        println!("{name},{instruction},{},{degrees}", pattern.wavefronts()?);
    }
    Ok(())
}

/// Returns whether all patterns agree.
fn compare(files: &[String]) -> Result<bool, Box<dyn Error>> {
    let mut agree = true;
    for file in files {
        let text = fs::read_to_string(file).map_err(|fault| format!("{file}: {fault}"))?;
        let record = Record::parse(&text).map_err(|fault| format!("{file}: {fault}"))?;
        let comparison = Comparison::new(&record).map_err(|fault| format!("{file}: {fault}"))?;
        println!("{comparison}");
        agree &= comparison.disagreements().count() == 0;
    }
    Ok(agree)
}

fn run(arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["list", chip] => list(chip).map(|()| true),
        ["write", chip] => {
            print!("{}", program(chip).map_err(|fault| format!("{chip}: {fault}"))?);
            Ok(true)
        }
        ["ptx", chip] => {
            let text = ptx::program(chip).map_err(|fault| format!("{chip}: {fault}"))?;
            print!("{}", text.ok_or_else(|| format!("{chip} takes no PTX"))?);
            Ok(true)
        }
        ["compare", _, ..] => compare(&arguments[1..]),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}
