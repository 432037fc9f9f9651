//! The explorer's view of compiled kernels, as JSON: the list of `tiledesc audit`, and one access lane by lane.
//!
//! | word of a question | means |
//! |---|---|
//! | `kernel=1` | the second kernel of the text; without it the first |
//! | `line=6` | the sixth line of the list; without it the first one with the highest degree |
//! | `chip=gfx942` | the chip, where the text does not name it |
//! | `block=256,1,1` | the shape of a block |

use crate::answer::audit::{Audited, at_once, of_region};
use crate::answer::explain::Served;
use crate::answer::phases::First;
use crate::report::status::Status;
use crate::request::access::word_of;
use crate::request::audit::block;
use crate::request::fault::Source;
use crate::write::json::line;
use crate::write::output::Output;
use crate::write::served::{lanes, phases};
use serde_json::{Value, json};
use tiledesc::List;
use tiledesc::access::Addresses;
use tiledesc_audit::{Kernel, Options, audit, names};

/// The words of a question.
#[derive(Default)]
struct Asked {
    kernel: usize,
    /// The line, from 1, as the command line counts.
    line: Option<usize>,
    options: Options,
}

impl Asked {
    fn parse(words: &[&str]) -> Result<Self, String> {
        let mut asked = Self::default();
        for word in words {
            let number = |text: &str| {
                text.parse().map_err(|_| format!("`{word}` needs a whole number behind its `=`"))
            };
            match word.split_once('=') {
                Some(("kernel", text)) => asked.kernel = number(text)?,
                Some(("line", text)) => asked.line = Some(number(text)?),
                Some(("chip", name)) => asked.options.chip = Some(name.to_string()),
                Some(("block", shape)) => asked.options.block = Some(block(shape)?),
                _ => {
                    return Err(format!("`{word}` is not one of kernel=, line=, chip= and block="));
                }
            }
        }
        Ok(asked)
    }

    /// The kernel, the only one that is judged.
    fn judged(&mut self, text: &str, names: &[String]) -> Result<Kernel, String> {
        if self.kernel >= names.len() {
            self.kernel = 0;
        }
        self.options.kernel = names.get(self.kernel).cloned();
        let kernels = audit(text, &self.options).map_err(|refusal| refusal.to_string())?;
        kernels.into_iter().next().ok_or_else(|| "no kernel was found in the text".to_string())
    }
}

/// A kernel as a list, and one line of it lane by lane and phase by phase.
pub(crate) fn shown(source: &Source, words: &[&str]) -> Output {
    answered(source, words, |asked, kernel| {
        let one = at_once(kernel);
        let there = |number: &usize| (1..=one.report.instructions.len()).contains(number);
        let number = asked.line.filter(there).or_else(|| one.report.worst());
        json!({ "report": one.report, "shown": number.map(|number| access(&one, number)) })
    })
}

/// The advice for a kernel.
pub(crate) fn better(source: &Source, words: &[&str]) -> Output {
    answered(source, words, |_, kernel| {
        let found = kernel.better();
        json!({
            "regions": found.regions.iter().map(of_region).collect::<Vec<_>>(),
            "silence": found.silence,
        })
    })
}

/// An answer, with the names of all kernels; or the reason why there is no answer.
fn answered(
    source: &Source,
    words: &[&str],
    answer: impl FnOnce(&Asked, Kernel) -> Value,
) -> Output {
    let mut asked = match Asked::parse(words) {
        Ok(asked) => asked,
        Err(why) => return refused(&[], why),
    };
    let names = names(&source.text);
    match asked.judged(&source.text, &names) {
        Ok(kernel) => {
            let mut value = answer(&asked, kernel);
            value["kernels"] = names.into();
            value["kernel"] = asked.kernel.into();
            Output::done(line(&value))
        }
        Err(why) => refused(&names, why),
    }
}

fn refused(names: &[String], why: String) -> Output {
    let out = line(&json!({ "kernels": names, "fault": why }));
    Output { status: Status::Invalid, out, err: format!("tiledesc: {why}\n") }
}

/// A line of the list, lane by lane and phase by phase, or why its lanes cannot be shown.
fn access(one: &Audited, number: usize) -> Value {
    let line = &one.report.instructions[number - 1];
    let drawn = First::new(one, line).and_then(|first| {
        let addresses = Addresses::from_fn(|lane| first.lanes.get(lane as usize).copied()?);
        let served = Served::from_addresses(first.row, &addresses, |_| Some(List::EMPTY))
            .map_err(|error| error.to_string())?;
        Ok(json!({
            "wave": first.wave,
            "is_known": first.is_known,
            "access": word_of(first.row.access()),
            "bytes": first.row.bytes(),
            "parts": first.row.parts(),
            "banks": served.banks,
            "pair": line.lanes,
            "lanes": lanes(first.row, &served),
            "phases": phases(first.row, &served),
        }))
    });
    let mut value = drawn.unwrap_or_else(|why| json!({ "why": why }));
    value["line"] = number.into();
    value
}
