//! What the compiler says when a user is wrong: one file in `tests/ui` for each
//! attempt, one `.stderr` beside it with the answer.
//!
//! | test | promise |
//! |---|---|
//! | `refusals` | every attempt is refused, with exactly the text in its `.stderr` |
//! | `users_line` | every error begins on the user's line, is short, and has decimal numbers |
//! | `run_time_says_the_same` | the same mistake at run time gives the same sentence |
//!
//! The text around our sentences is rustc's and depends on its version: 1.95. On any
//! other version, `refusals` says so and checks only what is ours: that the attempt
//! does not compile, on the user's line, with our sentence. `TILEDESC_UI=sentences`
//! does the same on 1.95.
//!
//! If you change a sentence, run this on rustc 1.95:
//!
//! ```text
//! cargo xtask bless surface ui::
//! git diff tests/ui       # read every text as the user who gets it
//! ```

use super::scratch::Scratch;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};
use tiledesc::distribution::Encoding;
use tiledesc::prelude::*;
use tiledesc::{Adaptor, List};
use tiledesc::{Error, Op};

/// The compiler that wrote the `.stderr` files.
const WRITTEN_ON: &str = "rustc 1.95.";

/// What trybuild gives the compiler for an attempt. By itself it gives the libraries all but the last, so that they
/// are built a second time for the attempts: 14 s of processor time. What this variable says is said to both.
const FLAGS: [&str; 6] =
    ["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];

#[test]
fn refusals() {
    let running = Command::new("rustc").arg("-V").output().expect("rustc runs");
    let running = String::from_utf8_lossy(&running.stdout);
    if running.starts_with(WRITTEN_ON) && env::var("TILEDESC_UI").is_err() {
        let own = env::current_exe().expect("a test has a path");
        let status = Command::new(own)
            .args(["ui::by_trybuild", "--exact", "--ignored", "--nocapture"])
            .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
            // With it a declaration that carries its layout is not judged.
            .env_remove("BLESS")
            .status()
            .expect("a test runs itself");
        assert!(status.success(), "an attempt is not refused as its .stderr says: see above");
    } else {
        // Checked instead: each attempt fails on the user's line with our sentence.
        let running = running.trim();
        support::skipped!("exact errors are of {WRITTEN_ON}*, this is {running}");
        sentences();
    }
}

#[test]
#[ignore = "`refusals` runs it, with the compiler's flags in the environment"]
fn by_trybuild() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

/// Checks every attempt with this compiler, whatever its own words are.
fn sentences() {
    let said = check_all();
    let mut wrong = Vec::new();
    for name in attempts() {
        let file = format!("tests/ui/{name}.rs");
        let errors = said.get(&name).map_or(&[][..], Vec::as_slice);
        if errors.is_empty() {
            wrong.push(format!("{file}: compiles"));
        }
        for Text { location, .. } in errors.iter().flat_map(|error| texts_of(error)) {
            if !location.contains(&file) {
                wrong.push(format!("{file}: points at {location}"));
            }
        }
        for expected in texts(&name).iter().filter_map(Text::ours) {
            // Between the backticks stand types, as each compiler likes to print them.
            let mut words = expected.split('`').step_by(2);
            if !words.all(|words| errors.iter().any(|error| error.contains(words))) {
                wrong.push(format!("{file}: does not say: {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The errors of each attempt: a build of a scratch package that has one
/// binary for each.
fn check_all() -> BTreeMap<String, Vec<String>> {
    let root = support::root();
    let names = attempts();
    let path = |name: &String| root.join(format!("tests/ui/{name}.rs"));
    let bins: Vec<_> = names.iter().map(|name| (&name[..], path(name))).collect();
    let package = Scratch::new("attempts", &bins, "");
    let mut said = BTreeMap::<_, Vec<_>>::new();
    for (target, message) in package.messages(&["--bins", "--keep-going"]) {
        if let ("error", Some(text)) = (
            message["level"].as_str().unwrap_or_default(),
            message["rendered"].as_str().filter(|text| text.contains("--> ")),
        ) {
            said.entry(target).or_default().push(text.to_owned());
        }
    }
    said
}

/// The names of the files in `tests/ui`, without `.rs`.
fn attempts() -> Vec<String> {
    let names = files("rs");
    assert_eq!(names, files("stderr"), "an attempt without its answer, or the reverse");
    names
}

fn files(extension: &str) -> Vec<String> {
    let paths = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let ours = paths.filter(|path| path.extension().is_some_and(|e| e == extension));
    let mut names: Vec<_> =
        ours.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn folder() -> PathBuf {
    support::root().join("tests/ui")
}

/// One error, as the compiler prints it.
struct Text {
    /// From `error` to the location.
    headline: String,
    /// The location: `ui/<file>.rs:4:1`.
    location: String,
}

impl Text {
    /// The sentence, if it is this library's and not the compiler's.
    fn ours(&self) -> Option<&str> {
        self.headline
            .strip_prefix("error[E0080]: evaluation panicked: ")
            .or(self.headline.strip_prefix("error[E0277]: "))
    }
}

fn texts(name: &str) -> Vec<Text> {
    texts_of(&fs::read_to_string(folder().join(name).with_extension("stderr")).unwrap())
}

fn texts_of(stderr: &str) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    for line in stderr.lines() {
        if line.starts_with("error") {
            texts.push(Text { headline: line.into(), location: String::new() });
        } else if let Some(text) = texts.last_mut()
            && text.location.is_empty()
        {
            match line.trim_start().strip_prefix("--> ") {
                Some(location) => text.location = location.into(),
                None => text.headline += &format!("\n{line}"),
            }
        }
    }
    texts
}

#[test]
fn users_line() {
    let mut wrong = Vec::new();
    for name in attempts() {
        let texts = texts(&name);
        assert!(!texts.is_empty(), "{name}.stderr holds no error");
        for Text { headline, location } in texts {
            let file = format!("ui/{name}.rs:");
            if !location.starts_with(&file) {
                wrong.push(format!("{name}: begins at {location}, not on the user's line"));
            }
            let first = headline.lines().next().unwrap_or_default();
            if first.len() > 250 {
                wrong.push(format!("{name}: {} characters are not a sentence", first.len()));
            }
            // rustc's own words for a rank that differs; the line below has it in decimal.
            let decimal = headline.contains("Rank>::Dimensions == Dimensions<");
            if headline.contains("UInt<") && !decimal {
                wrong.push(format!("{name}: names a number in binary"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The error of a result whose value has no `Debug` worth reading.
fn error<T>(result: Result<T, Error>) -> Error {
    result.err().expect("a mistake is refused")
}

#[test]
fn run_time_says_the_same() {
    let tile = Plan::packed(&[8, 16]).unwrap();
    let stage =
        |ops: &[Op], lower: &[&[u32]], upper: &[&[u32]]| error(tile.transform(ops, lower, upper));
    let (pass_8, pass_16) = (Op::PassThrough { length: 8 }, Op::PassThrough { length: 16 });
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    let overlapping = Plan::naive(&[4, 8], &[4, 1]).unwrap();
    let xor = |length0, length1| Op::Xor { length0, length1 };
    let cases = [
        (
            "unmerge_to_another_product",
            stage(
                &[pass_8, Op::Unmerge { lengths: List::new(&[4, 5]) }],
                &[&[0], &[1]],
                &[&[0], &[1, 2]],
            ),
        ),
        (
            "swap_merge_lengths",
            stage(&[Op::Merge { lengths: List::new(&[16, 8]) }], &[&[0, 1]], &[&[0]]),
        ),
        ("xor_wrong_lengths", stage(&[xor(16, 8)], &[&[0, 1]], &[&[0, 1]])),
        (
            "pass_a_false_length",
            stage(&[Op::PassThrough { length: 80 }, pass_16], &[&[0], &[1]], &[&[0], &[1]]),
        ),
        (
            "slice_past_the_end",
            stage(
                &[Op::Slice { low_length: 8, begin: 4, end: 20 }, pass_16],
                &[&[0], &[1]],
                &[&[0], &[1]],
            ),
        ),
        ("constant_index_out_of_range", error(tile.offset(&[9, 99]))),
        ("leave_out_an_upper_dimension", stage(&[pass_8, pass_16], &[&[0], &[1]], &[&[0], &[2]])),
        ("claim_a_dimension_twice", stage(&[pass_8, pass_8], &[&[0], &[0]], &[&[0], &[1]])),
        (
            "forget_a_dimension",
            stage(&[Op::Unmerge { lengths: List::new(&[2, 4]) }], &[&[0]], &[&[0, 1]]),
        ),
        ("xor_one_dimension", stage(&[pass_8, xor(8, 16)], &[&[0], &[1]], &[&[0], &[1]])),
        ("xor_one_lower_dimension", stage(&[pass_8, xor(4, 4)], &[&[0], &[1]], &[&[0], &[1, 2]])),
        (
            "xor_a_length_that_is_no_power_of_two",
            error(Plan::packed(&[8, 12]).unwrap().transform(&[xor(8, 12)], &[&[0, 1]], &[&[0, 1]])),
        ),
        ("claim_an_upper_dimension_twice", stage(&[pass_8, pass_16], &[&[0], &[1]], &[&[0], &[0]])),
        (
            "take_a_dimension_that_does_not_exist",
            stage(&[pass_8, pass_16], &[&[0], &[2]], &[&[0], &[1]]),
        ),
        (
            "freeze_past_the_end",
            stage(&[Op::Freeze { index: 8 }, pass_16], &[&[0], &[1]], &[&[], &[0]]),
        ),
        (
            "offset_past_the_end",
            stage(&[pass_8, Op::Offset { length: 16, offset: 8 }], &[&[0], &[1]], &[&[0], &[1]]),
        ),
        (
            "modulo_past_the_end",
            stage(&[pass_8, Op::Modulo { modulus: 32, length: 64 }], &[&[0], &[1]], &[&[0], &[1]]),
        ),
        (
            "embed_past_the_end",
            stage(
                &[pass_8, Op::Embed { lengths: List::new(&[4, 5]), strides: List::new(&[4, 1]) }],
                &[&[0], &[1]],
                &[&[0], &[1, 2]],
            ),
        ),
        (
            "empty_slice",
            stage(
                &[Op::Slice { low_length: 8, begin: 4, end: 4 }, pass_16],
                &[&[0], &[1]],
                &[&[0], &[1]],
            ),
        ),
        ("strides_without_lengths", error(Plan::naive(&[8, 16], &[16]))),
        ("length_of_zero", error(Packed::new([Dyn(8), Dyn(0)]))),
        ("element_space_beyond_32_bits", error(Naive::new([Dyn(65537); 2], [Dyn(65537), Dyn(1)]))),
        ("element_space_beyond_32_bits", error(Packed::new([Dyn(65537); 2]))),
        (
            "kpack_that_does_not_divide",
            error(Packed::new((number::Div::<recipe::K<64>, KPack<24>>::default(),))),
        ),
        ("bits_beyond_32_bits", error(recipe::RowMajor::<F4>([32768, 65536]))),
        ("overlap_where_a_bijection_is_asked", error(overlapping.bijective())),
        ("overlap_where_injectivity_is_asked", error(overlapping.injective())),
        ("holes_where_a_bijection_is_asked", error(padded.bijective())),
        ("offset_that_no_coordinate_has", error(padded.coordinate_of(70))),
        ("vector_of_a_dimension_that_does_not_exist", error(tile.vector(2))),
        (
            "padded_coordinate_in_a_constant",
            error(
                Packed::new([Dyn(10), Dyn(16)])
                    .unwrap()
                    .transform(
                        (RightPad::new(Dyn(10), Dyn(6)), PassThrough::new(Dyn(16))),
                        lower![[0], [1]],
                        upper![[0], [1]],
                    )
                    .and_then(|padded| padded.plan()?.offset(&[12, 3])),
            ),
        ),
    ];
    for (name, run_time) in cases {
        says(name, &run_time.to_string());
    }
}

/// The compiler's sentence of an attempt is that of the run time.
fn says(name: &str, run_time: &str) {
    for text in texts(name) {
        let compiler = text.ours().unwrap_or(&text.headline);
        // At compile time the name of the layout comes first.
        let named = compiler.split_once(": ").filter(|(name, _)| !name.contains(' '));
        let same = compiler == run_time || named.is_some_and(|(_, rest)| rest == run_time);
        assert!(same, "{name}\n  compiler: {compiler}\n  run time: {run_time}");
    }
}

#[test]
fn run_time_says_the_same_of_distributions() {
    type Factors = &'static [(&'static str, u32)];
    type Names = &'static [&'static str];
    const M: Factors = &[("wave", 4), ("row", 16)];
    const K: Factors = &[("part", 4), ("half", 2)];
    const WAVE: Names = &["wave"];
    let lane: Names = &["part", "row"];
    let made =
        |repeat: Factors, m: Factors, k: Factors, wave: Names, lane: Names, thread: Names| {
            Encoding::named(repeat, &[("m", m), ("k", k)], wave, lane, thread)
        };
    let copy: Factors = &[("copy", 2)];
    let ck = |lane: &[u32], thread: &[u32]| {
        let (major, minor) = (&[2, 1], lane);
        Encoding::ck(&[], &[&[32], &[2, 4]], (&[major], &[minor]), (&[2][..thread.len()], thread))
    };
    let cases = [
        ("factor_owned_twice", made(&[], M, K, WAVE, lane, &["row", "half"])),
        ("factor_listed_twice", made(&[], M, K, WAVE, &["part", "row", "part"], &["half"])),
        ("factor_owned_by_nobody", made(&[], M, K, WAVE, lane, &[])),
        ("repetition_owned_by_nobody", made(copy, M, K, WAVE, lane, &["half"])),
        ("repetition_in_a_lane", made(copy, M, K, WAVE, lane, &["copy", "half"])),
        ("unknown_factor", made(&[], M, K, WAVE, &["part", "rows"], &["half"])),
        (
            "name_of_two_factors",
            made(&[], &[("again", 4), ("row", 16)], &[("part", 4), ("again", 2)], &[], lane, &[]),
        ),
        ("factor_of_length_zero", made(&[], M, &[("part", 4), ("half", 0)], WAVE, lane, &[])),
        ("dimension_without_factors", made(&[], M, &[], WAVE, &["row"], &[])),
        ("too_many_lanes", made(&[], &[("row", 65536)], &[("part", 65536)], &[], lane, &[])),
        ("name_of_two_dimensions", Encoding::named(&[], &[("m", M), ("m", K)], &[], &[], &[])),
        ("of_ck_owned_by_nobody", ck(&[0, 0], &[])),
        ("of_ck_without_such_a_factor", ck(&[0, 1], &[1])),
    ];
    for (name, run_time) in cases {
        says(&format!("distribution_{name}"), &run_time.unwrap_err().to_string());
    }
}

#[test]
fn run_time_says_the_same_of_exchanges_and_storage() {
    use tiledesc::chip::gfx942;
    use tiledesc::storage::{Arena, Buffered, StorageError, Stored};
    use tiledesc::{
        distribution::{Distribution, Shuffled, ThreadRaked},
        matrix::mfma,
    };

    type Four = ThreadRaked<U128, U64, U8, U4>;
    type Block = recipe::GemmXor<F16, U128, U64, U8>;
    let exchange = |from: Result<Encoding, _>, to: Result<Encoding, _>| {
        from.and_then(|from| from.exchange(&to?))
    };
    let refused = |from, to| exchange(from, to).unwrap_err().to_string();
    says("exchange_for_another_tile", &refused(Four::ENCODING, Shuffled::<Four>::ENCODING));
    let two = ThreadRaked::<U128, U64, U8, U2>::ENCODING;
    says("exchange_for_other_waves", &refused(Four::ENCODING, two));
    let (sums, operand) = (mfma::F16_32x32x8::Ct::ENCODING, mfma::Operand::<U32, U32>::ENCODING);
    let elsewhere = exchange(sums, operand).unwrap().elsewhere().unwrap();
    says("exchange_through_lds", &elsewhere.to_string());
    let element = mfma::F16_32x32x8::C::ENCODING.unwrap().element(&[1, 4]).unwrap_err();
    says("element_of_a_lane_out_of_range", &element.to_string());

    let three = Buffered::<Block, U3>::SIZE;
    let both = three.and_then(|size| Arena::on(&gfx942).with("a", size)?.with("b", size));
    says("storage_beyond_the_chip", &both.unwrap_err().to_string());
    says("storage_of_an_unknown_name", &StorageError::Unknown.to_string());
    let five = Buffered::<Block, U5>::are_alike(&gfx942::ds_write_b128).unwrap_err();
    ends("buffers_beyond_the_chip", &five.to_string());
    type Rows = Buffered<recipe::RowPad<F16, U64, Lit<36>, U4>, U2, U8>;
    let apart = Rows::are_alike(&gfx942::ds_read_b128).unwrap_err();
    ends("buffers_of_another_alignment", &apart.to_string());
}

/// The compiler's sentence of an access ends as that of the run time.
fn ends(name: &str, run_time: &str) {
    for text in texts(name) {
        let compiler = text.ours().unwrap_or(&text.headline);
        assert!(compiler.ends_with(&format!(": {run_time}")), "{name}: {compiler}");
    }
}
