//! Layouts in other libraries' words: what is read and written is what those libraries compute.
//!
//! Each module is one promise, which its header states. `cargo test -p tiledesc-host-tests --test exchange gmma::` runs one of
//! them. The tables are those of `tests/golden`.

// An error says all about the layout that does not fit.
#![allow(clippy::result_large_err)]

mod algebra;
mod ck_parameters;
mod cute;
mod descriptors;
mod gmma;
mod intervals;
mod linear_plans;
mod named;
mod oracle_cute;
mod oracle_registers;
mod printed;
mod recast;
mod source;
mod tma;
mod triton;
mod tv;

/// What a refusal says, with `#` for each number, and the numbers: a test checks that they are true.
fn told(refused: &tiledesc_host::Error) -> (String, Vec<i64>) {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let characters: Vec<char> = refused.to_string().chars().collect();
    let (mut said, mut numbers) = (String::new(), Vec::new());
    for run in characters.chunk_by(|one, next| is_of_word(*one) == is_of_word(*next)) {
        let run: String = run.iter().collect();
        match run.parse() {
            Ok(number) => {
                said.push('#');
                numbers.push(number);
            }
            Err(_) => said += &run,
        }
    }
    (said, numbers)
}
