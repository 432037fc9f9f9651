//! The command: what it prints, and its exit status.

use std::fs;
use std::path::Path;
use std::process::Command;
use tiledesc_validation::list::patterns;
use tiledesc_validation::record::COLUMNS;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_validation")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A record of sm_80 by the model, one pattern of which is too slow by so many wavefronts.
fn record(extra: u64) -> String {
    let names = ["date: 2026-11-22", "chip: sm_80", "device: none", "driver: 0", "clock: 0"];
    let headers: String = names.map(|name| format!("# {name}\n")).concat();
    let rows = patterns("sm_80").unwrap().into_iter().map(|pattern| {
        let slow = if pattern.id() == "ld.shared.b32 stride4" { extra } else { 0 };
        let cycles = 25 + 2 * (pattern.wavefronts().unwrap() + slow);
        let (name, row) = (pattern.name(), pattern.instruction().name());
        format!("{name},{row},{cycles},{:08x}\n", pattern.fingerprint().unwrap())
    });
    format!("{headers}# compiler: none\n{COLUMNS}\n{}", rows.collect::<String>())
}

#[test]
fn exit_status_says_what_was_found() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exit");
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: String| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let good = file("good.csv", record(0));
    let bad = file("bad.csv", record(1));
    let torn = file("torn.csv", record(0).replace("# clock: 0\n", "# clock 0\n"));
    let (status, printed, _) = run(&["compare", &good]);
    assert!(status == Some(0) && printed.contains("all 384 patterns agree"), "{printed}");
    let (status, printed, _) = run(&["compare", &good, &bad]);
    assert_eq!(status, Some(1));
    let row = "ld.shared.b32 stride4: 35.00 cycles, 5.00 wavefronts; model 4 (phases of degree 4;";
    assert!(printed.contains(row), "{printed}");
    let (status, _, said) = run(&["compare", &torn]);
    assert_eq!((status, said), (Some(2), format!("{torn}: line 5: a header is `# name: value`\n")));
}

#[test]
fn what_is_not_there_is_refused() {
    let (status, printed, _) = run(&["list", "gfx942"]);
    assert_eq!(status, Some(0));
    assert!(printed.contains("\nstride2,ds_read_b32,4,2 2\n"), "{printed}");
    assert_eq!(run(&["write", "sm_1"]).0, Some(2));
    assert_eq!(run(&["ptx", "gfx942"]).2, "gfx942 takes no PTX\n");
    let (status, _, said) = run(&["measure"]);
    assert!(status == Some(2) && said.contains("validation compare FILE..."), "{said}");
    assert_eq!(run(&["compare"]).0, Some(2));
}
