//! The committed records, each beside the model of today. What disagrees and is known stands in a
//! file beside the record, with its reason; anything else fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tiledesc_validation::compare::Comparison;
use tiledesc_validation::record::Record;

fn records(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "csv")).collect();
    found.sort();
    found
}

/// Lines `instruction pattern: reason`; the file need not be there.
fn known(record: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(record.with_extension("known.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (id, reason) = line.split_once(": ").expect("`instruction pattern: reason`");
            assert!(!reason.trim().is_empty(), "{id} has no reason");
            id.to_owned()
        })
        .collect()
}

/// What is wrong with the records of a folder, and how many there are.
fn judge(folder: &Path) -> (usize, Vec<String>) {
    let (all, mut faults) = (records(folder), Vec::new());
    for path in &all {
        let name = path.file_name().unwrap().to_string_lossy();
        let record = match Record::parse(&fs::read_to_string(path).unwrap()) {
            Ok(record) => record,
            Err(fault) => {
                faults.push(format!("{name}: {fault}"));
                continue;
            }
        };
        if record.timed().len() < 100 {
            faults.push(format!("{name}: {} patterns, and not 100", record.timed().len()));
        }
        let comparison = Comparison::new(&record).unwrap();
        println!("{name}\n{comparison}");
        let found: BTreeSet<_> =
            comparison.disagreements().map(|point| point.timed.pattern.id()).collect();
        let known = known(path);
        faults.extend(found.difference(&known).map(|id| format!("{name}: {id} disagrees")));
        faults.extend(known.difference(&found).map(|id| format!("{name}: {id} agrees by now")));
    }
    (all.len(), faults)
}

#[test]
fn committed_records_agree_with_the_model() {
    let (records, faults) = judge(&Path::new(env!("CARGO_MANIFEST_DIR")).join("records"));
    assert!(faults.is_empty(), "{faults:#?}");
    match records {
        0 => println!("no record yet: nobody has run the programs on a GPU"),
        some => println!("{some} records agree, but for what is known"),
    }
}

/// The same on records of our own making: one that agrees, one that does not, known and unknown.
#[test]
fn a_record_that_disagrees_fails_unless_it_is_known() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("records");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    assert_eq!(judge(&folder), (0, vec![]));
    let (good, bad) = (synthetic(""), synthetic("ld.shared.b64 pairs8"));
    fs::write(folder.join("good.csv"), good).unwrap();
    fs::write(folder.join("README.md"), "not a record").unwrap();
    assert_eq!(judge(&folder), (1, vec![]));
    fs::write(folder.join("bad.csv"), bad).unwrap();
    let disagrees = "bad.csv: ld.shared.b64 pairs8 disagrees".to_owned();
    assert_eq!(judge(&folder), (2, vec![disagrees]));
    fs::write(folder.join("bad.known.txt"), "ld.shared.b64 pairs8: seen, not understood\n")
        .unwrap();
    assert_eq!(judge(&folder), (2, vec![]));
    fs::write(folder.join("good.known.txt"), "ld.shared.b32 one: no more\n").unwrap();
    let agrees = "good.csv: ld.shared.b32 one agrees by now".to_owned();
    assert_eq!(judge(&folder), (2, vec![agrees]));
    fs::write(folder.join("torn.csv"), "# date: 2026-11-22\nstride1").unwrap();
    assert!(judge(&folder).1.iter().any(|fault| fault.starts_with("torn.csv: line 2: ")));
}

/// A record of sm_80 by the model, with three wavefronts too many for one pattern.
fn synthetic(wrong: &str) -> String {
    let mut text = String::from(
        "# date: 2026-11-22\n# chip: sm_80\n# device: none\n# driver: 0\n# clock: 0\n# compiler: none\n",
    );
    text.push_str(tiledesc_validation::record::COLUMNS);
    for pattern in tiledesc_validation::list::patterns("sm_80").unwrap() {
        let extra = if pattern.id() == wrong { 3 } else { 0 };
        let cycles = 25 + 2 * (pattern.wavefronts().unwrap() + extra);
        let (name, instruction) = (pattern.name(), pattern.instruction().name());
        let hash = pattern.fingerprint().unwrap();
        text.push_str(&format!("\n{name},{instruction},{cycles},{hash:08x}"));
    }
    text
}
