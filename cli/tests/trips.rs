//! The bound of a loop that a file states, before a kernel exists.

use serde_json::Value;
use tiledesc_cli::run;

/// `check` of a file: exit status, output and errors.
fn check(file: &str, more: &[&str]) -> (u8, String, String) {
    let words = [&["tiledesc", "check", "-"], more].concat();
    let done = run(words, &mut file.as_bytes());
    (done.status as u8, done.out, done.err)
}

fn file(strides: &str, matrix: &str) -> String {
    format!(
        "version = 1\nchips = [\"gfx942\", \"gfx950\"]\n{matrix}\n[tile.A]\nelement = \"f16\"\n\
         shape = {{ m = 128, k = 64 }}\nstrides = {strides}\nread = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\", times = 4 }}]\n"
    )
}

/// 128 x 64 halves are 16 instructions of 8 cycles (gfx950: 4), four times as stated: 512 cycles of the banks, and of the pair with half of
/// the waves its port as long. `v_mfma_f32_32x32x8_f16` takes 32 cycles of a SIMD on both.
#[test]
fn a_loop_that_is_stated() {
    let matrix = "matrix = { op = \"v_mfma_f32_32x32x8_f16\", times = 12 }";
    let (status, out, err) = check(&file("[72, 1]", matrix), &["--max-degree", "9"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let lines: Vec<_> = out.lines().filter(|line| line.contains("a trip of")).collect();
    let (_, json, _) = check(&file("[72, 1]", matrix), &["--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    for (i, (chip, base)) in [("gfx942", 128), ("gfx950", 64)].into_iter().enumerate() {
        let mfma = 12 * 32;
        let access = &json["tiles"][0]["accesses"][i];
        assert_eq!((access["chip"].as_str(), &access["base_cycles"]), (Some(chip), &base.into()));
        let now = 4 * access["active_cycles"].as_u64().unwrap();
        let free = 4 * access["base_cycles"].as_u64().unwrap();
        assert!(
            lines[i].starts_with(&format!(
                "{chip}: a trip of 4 waves: LDS {now} cycles, MFMA {mfma}: "
            )),
            "{out}"
        );
        assert!(lines[i].contains(&format!("; without conflicts {free}")), "{out}");
        let bound = &json["trips"][i]["bound"];
        assert_eq!(
            (&bound["memory"]["least"], &bound["matrix"]["most"]),
            (&now.into(), &mfma.into())
        );
        assert_eq!(bound["by"], if now > mfma { "memory" } else { "matrix" });
        assert_eq!(bound["sentence"], lines[i].split_once(": ").unwrap().1);
    }
    assert!(out.contains("(bounds, not times: "), "{out}");
    // Eight waves are two on each SIMD; a list is the sum.
    let eight = "matrix = [{ op = \"v_mfma_f32_32x32x8_f16\", times = 6, waves = 8 }, { op = \"v_mfma_f32_16x16x16_f16\" }]";
    let (_, out, _) = check(&file("[72, 1]", eight), &[]);
    assert!(
        out.contains("gfx942: a trip of 8 waves: LDS")
            && out.contains(&format!("MFMA {}: ", 2 * (6 * 32 + 16))),
        "{out}"
    );
    // Without `matrix` nothing is said, and `-q` says what does not pass.
    assert!(!check(&file("[72, 1]", ""), &[]).1.contains("a trip"));
    assert!(!check(&file("[72, 1]", matrix), &["-q"]).1.contains("a trip"));
}

#[test]
fn what_is_wrong_with_it() {
    let of = |matrix: &str| check(&file("[72, 1]", matrix), &[]).2;
    assert!(
        of("matrix = { op = \"v_mfma_f32_32x32x8_f61\" }").starts_with("<stdin>:3:"),
        "{}",
        of("matrix = { op = \"v_mfma_f32_32x32x8_f61\" }")
    );
    assert!(of("matrix = { times = 3 }").contains("op"), "{}", of("matrix = { times = 3 }"));
    assert!(of("matrix = { op = \"v_mfma_f32_32x32x8_f16\", times = 0 }").contains("times"));
    assert!(
        of("matrix = { op = \"v_mfma_f32_32x32x8_f16\", tmies = 3 }")
            .contains("did you mean `times`?")
    );
}

/// Options say what the file's key says: two of them are its list.
#[test]
fn an_option_is_the_file() {
    let options = |matrix: &[&str]| {
        let tile = "tiledesc check --chip gfx942 --chip gfx950 --element f16 --shape m=128,k=64 --strides 72,1 --read";
        let read = ["ds_read_b128 by mfma-rows 16 times 4"];
        let matrix = matrix.iter().flat_map(|one| ["--matrix", one]);
        let words: Vec<_> = tile.split(' ').chain(read).chain(matrix).collect();
        let done = run(words, &mut std::io::empty());
        (done.out, done.err)
    };
    let bounds = |out: &str| {
        let lines = out.lines().filter(|line| line.contains("a trip of"));
        lines.map(str::to_string).collect::<Vec<_>>()
    };
    let eight = "matrix = [{ op = \"v_mfma_f32_32x32x8_f16\", times = 6, waves = 8 }, { op = \"v_mfma_f32_16x16x16_f16\" }]";
    let (out, err) =
        options(&["v_mfma_f32_32x32x8_f16 times 6 waves 8", "v_mfma_f32_16x16x16_f16"]);
    assert_eq!(err, "");
    assert_eq!(bounds(&out), bounds(&check(&file("[72, 1]", eight), &[]).1));
    assert_eq!(bounds(&out).len(), 2, "{out}");
    for (option, says) in [
        ("v_mfma_f32_32x32x8_f16 times", "--matrix: `times` has no number: write `times 64`"),
        ("v_mfma_f32_32x32x8_f16 times 6 times 7", "--matrix: `times` is given twice"),
        ("v_mfma_f32_32x32x8_f16 tmies 6", "did you mean `times`?"),
        ("v_mfma_f32_32x32x8_f61", "--matrix: "),
        (" ", "--matrix: no instruction is named"),
    ] {
        let (out, err) = options(&[option]);
        assert!(out.is_empty() && err.contains(says), "{option}: {out}{err}");
    }
}
