//! A read of bytes that no write of its tile covers is said in every format, is an error under `--strict`, and is not
//! said where the file may leave a write out. Random lists of addresses are compared with sets of bytes.

use serde_json::Value;
use std::collections::BTreeSet;
use support::fuzz::Dice;
use tiledesc_cli::{Output, Status, explore, run};

fn said(words: &[&str], text: &str) -> Output {
    run([&["tiledesc", "check", "-"], words].concat(), &mut text.as_bytes())
}

/// Each access of a file's tiles, as JSON.
fn accesses(text: &str) -> Vec<Value> {
    let output = said(&["--format", "json"], text);
    assert_eq!(output.err, "", "{text}");
    let report: Value = serde_json::from_str(&output.out).unwrap();
    let tiles = report["tiles"].as_array().unwrap();
    tiles.iter().flat_map(|tile| tile["accesses"].as_array().unwrap().clone()).collect()
}

/// The reads' figures: bytes, instruction, lane, byte; nothing of a read without.
fn missed(text: &str) -> Vec<Option<[u64; 4]>> {
    let of = |one: &Value| {
        let keys = ["bytes", "instruction", "lane", "byte"];
        one.is_object().then(|| keys.map(|key| one[key].as_u64().unwrap()))
    };
    let all = accesses(text);
    let reads = all.iter().filter(|one| one["access"] == "read");
    reads.map(|one| of(&one["unwritten"])).collect()
}

const RAW: &str = "version = 1
chips = [\"gfx942\"]
[tile.lds]
bytes = 65536
write = [{ op = \"ds_write_b32\", addresses = \"lane * 4\" }]
read = [{ op = \"ds_read_b32\", addresses = \"lane * 4 + 1024\" }]
";

#[test]
fn it_is_a_note_and_an_error_under_strict_in_every_format() {
    let sentence =
        "reads 256 bytes that no stated write covers, first in instruction 0: lane 0, byte 1024";
    let name = "gfx942 ds_read_b32 lane * 4 + 1024";
    let [plain, strict] = [&[][..], &["--strict"]].map(|words| said(words, RAW));
    assert_eq!((plain.status, strict.status), (Status::Free, Status::Weak));
    let end = "2 accesses of 1 tile: 2 free, 1 with bytes that no stated write covers\n";
    for (output, word) in [(&plain, "note: "), (&strict, "")] {
        let note = format!("<stdin>:6: lds {name}  {word}{sentence}\n{end}");
        assert!(output.out.ends_with(&note), "{}", output.out);
    }
    // What fails is said to those who ask for no more.
    assert_eq!(said(&["--quiet"], RAW).out, "");
    assert!(said(&["--quiet", "--strict"], RAW).out.contains(sentence));
    for (words, level) in
        [(&["--format", "github"][..], "warning"), (&["--format", "github", "--strict"], "error")]
    {
        let note = format!(
            "::{level} file=<stdin>,line=6,col=9,title=unwritten bytes::lds {name}: {sentence}\n"
        );
        assert_eq!(said(words, RAW).out, note);
    }
    let sarif: Value = serde_json::from_str(&said(&["--format", "sarif"], RAW).out).unwrap();
    let [result] = &sarif["runs"][0]["results"].as_array().unwrap()[..] else { panic!("{sarif}") };
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"unwritten-bytes".into(), &"warning".into())
    );
    let [_, read] = &accesses(RAW)[..] else { panic!() };
    assert_eq!(
        (&read["ruling"], &read["unwritten"]["sentence"]),
        (&"passes".into(), &sentence.into())
    );
    let strict: Value =
        serde_json::from_str(&said(&["--format", "json", "--strict"], RAW).out).unwrap();
    assert_eq!(
        (&strict["tiles"][0]["accesses"][1]["ruling"], &strict["status"]),
        (&"unwritten".into(), &3.into())
    );
    let shown: Value = serde_json::from_str(&explore("tile", RAW).out).unwrap();
    assert_eq!(shown["notes"], serde_json::json!([null, format!("note: {sentence}")]));
    let page = run(["tiledesc", "show", "-", "--format", "html"], &mut RAW.as_bytes()).out;
    assert!(page.contains(sentence));
}

/// Half of a tile is written, all of it is read: rows 64 to 127 of 144 bytes each.
const TILE: &str = "version = 1
chips = [\"gfx942\", \"sm_90\"]
[tile.A]
element = \"f16\"
shape = { m = 128, k = 64 }
strides = [72, 1]
";

#[test]
fn a_tile_with_a_layout_names_the_coordinate() {
    let of = |write: &str, read: &str| {
        let text = TILE.replace(", \"sm_90\"", "");
        format!(
            "{text}write = [{{ op = \"ds_write_b16\", by = \"{write}\" }}]\nread = [{{ op = \"ds_read_b128\", by = \"{read}\" }}]\n"
        )
    };
    // What lies between two rows is no byte of an element: nobody reads it.
    for whole in
        ["row-major", "m [again 8, wave 16], k [lane 64]; wave (wave), lane (lane), thread (again)"]
    {
        assert_eq!(missed(&of(whole, "mfma-rows 16")), [None], "{whole}");
    }
    // Every second element is written, and the others are not.
    let half = of("strided 2", "mfma-rows 16");
    let [Some([bytes, instruction, lane, byte])] = missed(&half)[..] else { panic!("{half}") };
    let all = accesses(&half);
    let written = all[0]["instructions"].as_u64().unwrap() * 64;
    assert_eq!(bytes, 2 * (128 * 64 - written), "{half}");
    assert_eq!((instruction, lane, byte), (0, 0, 2));
    assert_eq!(all[1]["unwritten"]["coordinate"], serde_json::json!([0, 0]));
}

#[test]
fn nothing_is_said_where_a_write_may_be_left_out() {
    let read = "read = [{ op = \"ds_read_b32\", addresses = \"lane * 4 + 1024\" }]\n";
    let head = RAW.split_once("write").unwrap().0;
    let of = |more: &str| format!("{head}{more}{read}");
    let write =
        |addresses: &str| format!("{{ op = \"ds_write_b32\", addresses = \"{addresses}\" }}");
    assert_eq!(missed(&of("")), [None], "it is only read");
    let both = format!("write = [{}, {}]\n", write("lane * 4"), write("lane * 4 + 1024"));
    assert_eq!(missed(&of(&both)), [None], "two writes cover it together");
    let by_waves =
        "write = [{ op = \"ds_write_b32\", addresses = \"lane * 4 + 256 * wave\", waves = 5 }]\n";
    assert_eq!(missed(&of(by_waves)), [None], "wave 4 writes it");
    assert!(missed(&of(&by_waves.replace("waves = 5", "waves = 4")))[0].is_some());
    // By its first instruction, by a direct load.
    let tile = |writes: &str| {
        format!(
            "{}{writes}read = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]\n",
            TILE.replace(", \"sm_90\"", "").replace("72", "64")
        )
    };
    let half = "write = [{ op = \"ds_write_b16\", by = \"strided 2\" }]\n";
    assert!(missed(&tile(half))[0].is_some());
    assert_eq!(missed(&tile(&half.replace("strided", "first strided"))), [None]);
    let fill = "fill = { op = \"global_load_lds_b32\", waves = 4 }\n";
    assert_eq!(missed(&tile(&(fill.to_string() + half))), [None]);
}

/// Lists of one or two writes and one or two reads, also of two addresses each; the bytes as sets.
#[test]
fn random_addresses_are_covered_as_their_sets_of_bytes_are() {
    let (mut dice, mut said) = (Dice(0x51), 0);
    let ops = [("_b32", 4, &[0][..]), ("_b64", 8, &[0]), ("2_b32(0, 64)", 4, &[0, 256])];
    for _ in 0..300 {
        let mut one = |verb: &str| {
            let (name, bytes, parts) = dice.of(&ops);
            let lanes: Vec<u64> =
                (0..64)
                    .map(|lane| {
                        if verb == "write" {
                            bytes * lane
                        } else {
                            bytes * u64::from(dice.below(48))
                        }
                    })
                    .collect();
            let each = lanes.iter().map(|byte| {
                parts.iter().flat_map(|part| byte + part..byte + part + bytes).collect::<Vec<_>>()
            });
            let by = format!("{{ op = \"ds_{verb}{name}\", addresses = {lanes:?} }}");
            (by, each.collect::<Vec<_>>())
        };
        let (write, read) = (one("write"), one("read"));
        let text = format!(
            "version = 1\nchips = [\"gfx942\"]\n[tile.lds]\nbytes = 4096\nwrite = [{}]\nread = [{}]\n",
            write.0, read.0
        );
        let written: BTreeSet<u64> = write.1.concat().into_iter().collect();
        let lost: BTreeSet<u64> =
            read.1.concat().into_iter().filter(|byte| !written.contains(byte)).collect();
        let first =
            read.1.iter().enumerate().find_map(|(lane, bytes)| {
                Some((lane, bytes.iter().find(|byte| lost.contains(byte))?))
            });
        let wanted = first.map(|(lane, byte)| [lost.len() as u64, 0, lane as u64, *byte]);
        assert_eq!(missed(&text), [wanted], "{text}");
        said += u32::from(wanted.is_some());
    }
    assert!((50..250).contains(&said), "{said}");
}
