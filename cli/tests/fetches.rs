//! The lines of global memory that the loads and stores of a file touch: what `check` prints of them, and what it refuses.

use serde_json::Value;
use tiledesc_cli::run;

/// `check` of a file: exit status, output and errors.
fn check(chips: &str, fetch: &str, more: &[&str]) -> (u8, String, String) {
    let file = format!(
        "version = 1\nchips = {chips}\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 128, k = 64 }}\nstrides = [72, 1]\n\
         fetch = [{fetch}]\n"
    );
    let words = [&["tiledesc", "check", "-"], more].concat();
    let done = run(words, &mut file.as_bytes());
    (done.status as u8, done.out, done.err)
}

const FETCH: &str = "m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half)";

/// A wave takes 8 rows of 128 bytes: a line each where rows begin at lines, two where they begin 16 bytes further each, but
/// for the first.
#[test]
fn lines_of_rows() {
    for (rows, found, status) in [
        ("8192", "8 lines of 128 bytes, the fewest", 0),
        ("8200", "15 lines of 128 bytes where 8 would do, in access 0 of wave 0", 0),
        ("8200, at_most = 15", "15 lines of 128 bytes where 8 would do, in access 0 of wave 0", 0),
        (
            "8200, at_most = 14",
            "15 lines of 128 bytes where 8 would do, in access 0 of wave 0; at most 14 are allowed",
            1,
        ),
        ("\"multiples of 64\"", "8 lines of 128 bytes, the fewest", 0),
        ("\"multiples of 8\"", "15 lines of 128 bytes where 8 would do, in access 0 of wave 0", 0),
    ] {
        let fetch = format!("{{ op = \"global_load_dwordx4\", by = \"{FETCH}\", rows = {rows} }}");
        let (said, out, err) = check("[\"gfx942\"]", &fetch, &[]);
        assert_eq!((said, err.as_str()), (status, ""), "{rows}: {out}");
        let line = out.lines().next().unwrap();
        assert!(line.ends_with(&format!("  {found}")), "{rows}: {out}");
        let sum = if status == 1 {
            "1 global access, 1 beyond what is allowed"
        } else {
            "1 global access"
        };
        assert_eq!(out.lines().last(), Some(sum));
        // Quiet, it says what does not pass.
        let (_, quiet, _) = check("[\"gfx942\"]", &fetch, &["-q"]);
        assert_eq!(quiet.lines().count(), usize::from(status == 1), "{quiet}");
    }
}

/// A pattern by its name is of each chip's wave, and NVIDIA's lines have sectors.
#[test]
fn patterns_on_two_chips() {
    let fetch = "{ op = \"ld.global.v4.f32\", by = \"row-major\", rows = 8200 }, { op = \"store_b16\", by = \"column\", rows = 64 }";
    let (status, out, err) = check("[\"gfx950\", \"sm_90\"]", fetch, &[]);
    assert_eq!((status, err.as_str()), (0, ""));
    let found: Vec<_> = out.lines().map(|line| line.rsplit("  ").next().unwrap()).collect();
    assert_eq!(
        found[..4],
        [
            "15 lines of 128 bytes where 8 would do, in access 0 of wave 0",
            // Four rows of 128 bytes, of which two begin within a sector.
            "18 sectors of 32 bytes where 16 would do, in access 0 of wave 0",
            "64 lines of 128 bytes where 1 would do, in access 0 of wave 0",
            "32 sectors of 32 bytes where 2 would do, in access 0 of wave 0",
        ],
        "{out}"
    );
    let (_, json, _) = check("[\"sm_90\"]", fetch, &["--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    let first = &json["tiles"][0]["fetches"][0];
    assert_eq!(
        ["lines", "least_lines", "sectors", "least_sectors"].map(|key| first[key].as_u64()),
        [7, 4, 18, 16].map(Some)
    );
    assert_eq!((first["passes"].as_bool(), first["rows"].as_str()), (Some(true), Some("8200")));
}

#[test]
fn what_is_wrong_with_a_fetch() {
    for (chips, fetch, says) in [
        (
            "gfx942",
            "op = \"ds_read_b128\", by = \"row-major\", rows = 64",
            "`ds_read_b128` is no load from global memory",
        ),
        ("gfx942", "op = \"load_b128\", by = \"row-major\"", "rows"),
        (
            "gfx942",
            "op = \"load_b128\", by = \"row-major\", rows = \"8\"",
            "or `\"multiples of 8\"`",
        ),
        (
            "gfx942",
            "op = \"load_b128\", by = \"row-major\", rows = 65",
            "row 1 begins at byte 130, which is not aligned to the 16 bytes of a lane",
        ),
        ("gfx942", "op = \"load_b128\", by = \"row-major\", rows = 64, at_least = 4", "at_least"),
        (
            "gfx1250",
            "op = \"load_b128\", by = \"row-major\", rows = 64",
            "no source states the cache lines of this chip",
        ),
        (
            "gfx942",
            "op = \"load_b128\", by = \"k [row 64], m [half 8]; lane (row), thread (half)\", rows = 64",
            "write those, in this order",
        ),
        (
            "sm_90",
            "op = \"load_b128\", by = \"m [row 8], k [chunk 8, half 8]; lane (row, chunk), thread (half)\", rows = 64",
            "the distribution has 64 lanes, but the wave has 32",
        ),
    ] {
        let (status, _, err) = check(&format!("[\"{chips}\"]"), &format!("{{ {fetch} }}"), &[]);
        assert_eq!(status, 2, "{fetch}: {err}");
        assert!(err.contains(says), "{fetch}: {err}");
    }
}

/// An option says what a list of the file says, and may be given several times.
#[test]
fn an_option_is_the_file() {
    let same = [
        (
            "global_load_dwordx4 by row-major rows 8200",
            "{ op = \"global_load_dwordx4\", by = \"row-major\", rows = 8200 }",
        ),
        (
            "load_b128 by row-major rows multiples of 8 at most 14",
            "{ op = \"load_b128\", by = \"row-major\", rows = \"multiples of 8\", at_most = 14 }",
        ),
    ];
    let fetches = |json: &str| {
        let json: Value = serde_json::from_str(json).unwrap();
        let mut all = json["tiles"][0]["fetches"].as_array().unwrap().clone();
        for one in &mut all {
            // Of options each is a line.
            one["line"] = Value::Null;
            one["column"] = Value::Null;
        }
        all
    };
    let options: Vec<_> = same.iter().flat_map(|(option, _)| ["--fetch", option]).collect();
    let (status, out, err) = optional(&[&options[..], &["--format", "json"]].concat());
    let of_file = same.map(|(_, fetch)| fetch).join(", ");
    let (wanted, json, _) = check("[\"gfx942\"]", &of_file, &["--format", "json"]);
    assert_eq!((status, wanted, err.as_str()), (1, 1, ""));
    assert_eq!(fetches(&out), fetches(&json));
    assert_eq!(fetches(&out).len(), 2);
    assert_eq!(fetches(&out)[1]["at_most"], 14);
}

/// `check` of options: exit status, output and errors.
fn optional(more: &[&str]) -> (u8, String, String) {
    let tile =
        ["tiledesc", "check", "--chip", "gfx942", "--element", "f16", "--shape", "m=128,k=64"];
    let words = [&tile[..], &["--strides", "72,1"], more].concat();
    let done = run(words, &mut std::io::empty());
    (done.status as u8, done.out, done.err)
}

#[test]
fn what_is_wrong_with_an_option() {
    for (option, says) in [
        ("load_b128 by row-major", "write `--fetch 'global_load_dwordx4 by row-major rows 8192'`"),
        ("load_b128 rows 64", "does not say what, by which lanes and in rows of how many elements"),
        ("load_b128 by row-major rows many", "--fetch: `rows = \"many\"`: write the elements"),
        ("load_b128 by row-major rows 64 at most few", "--fetch: `few` is not a value"),
        ("load_b128 by row-major rows 64 at most 0", "--fetch: at_most = 0: write a whole number"),
        ("load_b128 by row-majr rows 64", "--fetch: no pattern is called `row-majr`"),
    ] {
        let (status, _, err) = optional(&["--fetch", option]);
        assert_eq!(status, 2, "{option}: {err}");
        assert!(err.contains(says), "{option}: {err}");
    }
}
