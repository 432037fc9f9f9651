//! `find`: what its rows say is what `check` says of the same words in the file.

use serde_json::Value;
use std::collections::BTreeSet;
use tiledesc_cli::{Status, run};

const HEAD: &str = "version = 1\n[tile.T]\n";

/// A question: all but the layout, and a layout to begin with.
const ASKED: [[&str; 2]; 11] = [
    [
        "chips = [\"gfx942\", \"gfx950\"]\nelement = \"f16\"\nshape = { m = 128, k = 64 }\n\
         write = [{ op = \"ds_write_b128\", by = \"row-major\" }]\n\
         read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\", times = 4 }, { op = \"ds_read_b128\", by = \"mfma-rows 32\" }]\n",
        "recipe = \"gemm-xor\"\nkpack = 8\n",
    ],
    [
        "chips = [\"gfx1100\"]\nelement = \"f16\"\nshape = { m = 128, k = 32 }\n\
         read = [{ op = \"ds_load_b128\", by = \"wmma-rows 16\", times = 7 }]\n",
        "strides = [40, 1]\n",
    ],
    [
        "chips = [\"gfx942\"]\nelement = \"f16\"\nshape = { m = 96, k = 96 }\n\
         write = [{ op = \"ds_write_b64\", by = \"row-major\" }]\n\
         read = [{ op = \"ds_read_u16\", by = \"first column\" }, { op = \"ds_read_b64\", by = \"mfma-rows 16\" }]\n",
        "strides = [96, 1]\n",
    ],
    [
        "chips = [\"sm_90\"]\nelement = \"f32\"\nshape = { m = 32, k = 32 }\n\
         write = [{ op = \"st.shared.b32\", by = \"row-major\" }]\nread = [{ op = \"ld.shared.b32\", by = \"column\" }]\n",
        "cute = \"Sw<5,0,5> o 0 o (32,32):(32,1)\"\n",
    ],
    [
        "chips = [\"gfx950\"]\nelement = \"f32\"\nshape = { m = 2, k = 32 }\n\
         read = [{ op = \"ds_read_b32\", by = \"row-major\", as = \"disputed\" }]\n",
        "strides = [64, 1]\n",
    ],
    // Every second dword of a row: masks of rows leave a conflict, masks of its lines and columns do not.
    [
        "chips = [\"gfx90a\"]\nelement = \"f32\"\nshape = { m = 64, k = 64 }\n\
         read = [{ op = \"ds_read_b32\", by = \"strided 2\" }, { op = \"ds_read_b32\", by = \"column\" }, { op = \"ds_read_b32\", by = \"row-major\" }]\n",
        "strides = [64, 1]\n",
    ],
    // 64 banks for the wide read, 32 for the others: only packs that are placed bit by bit are free.
    [
        "chips = [\"gfx950\"]\nelement = \"f32\"\nshape = { m = 128, k = 32 }\n\
         write = [{ op = \"ds_write_b128\", by = \"row-major\", as = \"disputed\" }]\n\
         read = [{ op = \"ds_read_b128\", by = \"row-major\" }, { op = \"ds_read_b32\", by = \"mfma-rows 4\", as = \"disputed\" }]\n",
        "strides = [32, 1]\n",
    ],
    // Filled by direct loads: a pad would be free, and invalid.
    [
        "chips = [\"gfx950\"]\nelement = \"f16\"\nshape = { m = 128, k = 96 }\n\
         fill = { op = \"global_load_lds_b128\", waves = 4 }\n\
         read = [{ op = \"ds_read_b64\", by = \"mfma-rows 16\" }]\n",
        "strides = [96, 1]\n",
    ],
    // One dimension: an index function.
    [
        "chips = [\"sm_80\", \"sm_90\"]\nelement = \"f32\"\nshape = { x = 1024 }\n\
         write = [{ op = \"st.shared.v4.b32\", by = \"row-major\" }]\nread = [{ op = \"ld.shared.b32\", by = \"strided 32\" }]\n",
        "strides = [1]\n",
    ],
    // Bytes alone: where each of them lies instead.
    [
        "chips = [\"gfx942\"]\nbytes = 8192\n\
         read = [{ op = \"ds_read_b64\", addresses = \"lane * 128 + wave * 8\", waves = 4 }]\n",
        "",
    ],
    // Three dimensions: rows of the last.
    [
        "chips = [\"sm_90\"]\nelement = \"f16\"\nshape = { b = 4, m = 16, n = 32 }\n\
         write = [{ op = \"st.shared.v2.b32\", by = \"row-major\" }]\n\
         read = [{ op = \"ld.shared.b16\", by = \"b [b 4], m [m 16], n [low 2, high 16]; lane (low, m), thread (b, high)\" }]\n",
        "strides = [512, 32, 1]\n",
    ],
];

/// The columns of `find`'s table and of the figure `compare`: what stands under one heading is one number. Also of more
/// than 64 instructions, of which pads take no more than of 32.
#[test]
fn find_and_compare_count_addresses_alike() {
    let long = |columns: u32| {
        format!(
            "chips = [\"sm_90\"]\nelement = \"i8\"\nshape = {{ r = 64, c = {columns} }}\nread = [{{ op = \"ld.shared.b8\", by = \"column\" }}]\n"
        )
    };
    let pad = "recipe = \"row-pad\"\npadding = 4\n";
    let longs = [32, 64, 256].map(|columns| [long(columns), pad.to_string()]);
    let asked = ASKED.iter().map(|[asked, layout]| [asked.to_string(), layout.to_string()]);
    let mut counts = 0;
    for [asked, layout] in longs.iter().cloned().chain(asked) {
        let text = format!("{HEAD}{layout}{asked}");
        let said = |words: &[&str]| {
            let output = run([&["tiledesc"], words].concat(), &mut text.as_bytes());
            assert_eq!(output.err, "", "{text}");
            output.out
        };
        // From the left of the one, from the right of the other: cycles, bytes, address; the words of the layout.
        let found = said(&["find", "-"]);
        let row = |line: &str| {
            let (numbers, words) = line.split_at_checked(30)?;
            let numbers: Vec<_> = numbers.split_whitespace().map(str::to_string).collect();
            (numbers.len() == 3 && numbers[0].parse::<u64>().is_ok())
                .then(|| (words.trim().to_string(), numbers))
        };
        let found: Vec<_> = found.lines().filter_map(row).collect();
        let compared = said(&["show", "-", "--figure", "compare"]);
        for (words, numbers) in &found {
            let line = compared.lines().find(|line| {
                line.starts_with(&format!("{words}  ")) || line.starts_with(&format!("{words} "))
            });
            let line = line.unwrap_or_else(|| panic!("{words}\n{compared}"));
            let cells: Vec<_> = line[words.len()..].split_whitespace().collect();
            let [cycles, bytes, _, address] = cells[cells.len() - 4..] else { panic!("{line}") };
            assert_eq!([cycles, bytes, address], numbers[..], "{text}\n{line}");
            counts += 1;
            if asked.contains("by = \"column\"")
                && asked.contains("i8")
                && words.contains("row-pad")
            {
                assert_eq!(address, "2", "{line}");
            }
        }
    }
    assert!(counts > 40, "{counts}");
}

/// Cycles, bytes, whether all is free: by verdicts, with the bytes of the element space.
fn judged(text: &str) -> (u64, u64, bool) {
    let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
    assert_ne!(output.status, Status::Invalid, "{text}\n{}", output.err);
    let all: Value = serde_json::from_str(&output.out).unwrap();
    let tile = &all["tiles"][0];
    let accesses = tile["accesses"].as_array().unwrap();
    let number = |one: &Value, name: &str| one[name].as_u64().unwrap();
    let cycles = accesses.iter().map(|one| number(one, "active_cycles") * number(one, "times"));
    let is_free = accesses.iter().all(|one| one["free"] == true);
    (cycles.sum(), number(tile, "bytes"), is_free)
}

/// A row: cycles, bytes, address instructions, the words, the notes.
fn row(line: &str) -> (u64, u64, Option<u64>, String, String) {
    let (cycles, rest) = line.trim().split_once(' ').unwrap();
    let (bytes, rest) = rest.trim().split_once(' ').unwrap();
    let (address, layout) = rest.trim().split_once(' ').unwrap();
    let (words, notes) = layout.trim().split_once(" (").unwrap_or((layout.trim(), ""));
    let number = |text: &str| text.parse().unwrap();
    (number(cycles), number(bytes), address.parse().ok(), words.to_string(), notes.to_string())
}

/// Whether a line is one, and not what an access takes in another order.
fn is_row(line: &str) -> bool {
    !line.starts_with("  as it is:")
}

#[test]
fn rows_say_what_check_says() {
    let (mut rows, mut conflicts) = (0, 0);
    for [asked, own] in ASKED {
        let file = |layout: &str| format!("{HEAD}{asked}{layout}");
        let found = run(["tiledesc", "find", "-", "--all"], &mut file(own).as_bytes());
        assert_eq!(found.err, "");
        let mut lines = found.out.lines();
        let head = lines.next().unwrap();
        assert_eq!(lines.next(), Some("     cycles    bytes  address  layout"));
        let all: Vec<_> = lines.filter(|line| is_row(line)).map(row).collect();
        let is_own = |notes: &str| notes.starts_with("as it is");
        assert_eq!(
            all.iter().filter(|one| one.3 == "as it is" || is_own(&one.4)).count(),
            1,
            "{head}"
        );
        // A third of the rows in a plain run, and the layout as it is.
        let tried = all.iter().enumerate().filter(|(number, row)| {
            support::fuzz::is_deep() || number % 3 == 0 || row.3 == "as it is" || is_own(&row.4)
        });
        for (_, (cycles, bytes, address, words, notes)) in tried {
            // Keys in a line of their own; a shape is stated already.
            let keys = words.split(", shape").next().unwrap();
            let keys = keys
                .replacen(", ", "\n", 2)
                .replace(", masks", "\nmasks")
                .replace(", columns", "\ncolumns")
                .replace(", linepacks", "\nlinepacks")
                .replace(", padding", "\npadding");
            let keys = keys.replace(", transposed", "\ntransposed").replace(", lines", "\nlines");
            let text = if words == "as it is" { file(own) } else { file(&keys) };
            let (by_check, space, is_free) = judged(&text);
            assert_eq!((*cycles, *bytes), (by_check, space), "{words}");
            assert_eq!(is_free, !notes.contains("conflicts"), "{words} {notes}");
            if is_own(notes) {
                assert_eq!((by_check, space), (judged(&file(own)).0, judged(&file(own)).1));
            }
            assert!(address.is_some() || words == "as it is", "{words}");
            rows += 1;
            conflicts += usize::from(!is_free);
        }
        assert!(all.is_sorted_by_key(|one| one.0));
        let least = format!("T on {}: {} cycle", chips(asked), all[0].0);
        assert!(head.contains(&least), "{head}");
        // The floor is what a free layout takes, and none takes less.
        let free = all.iter().filter(|one| !one.4.contains("conflicts")).map(|one| one.0).min();
        assert_eq!(
            head.ends_with("the floor: no layout does better"),
            free == Some(all[0].0),
            "{head}"
        );
        assert_eq!(found.status, if free.is_some() { Status::Free } else { Status::Conflict });
        let best = run(["tiledesc", "find", "-", "--words"], &mut file(own).as_bytes()).out;
        let first = all.iter().find(|one| one.3 != "as it is").unwrap();
        assert_eq!(best, format!("{}\n", first.3));
    }
    println!("{rows} rows, {conflicts} with conflicts");
    assert!(rows > 40 && conflicts > 8, "{rows} rows, {conflicts} with conflicts");
}

fn chips(asked: &str) -> String {
    let list = asked.split_once('[').unwrap().1.split_once(']').unwrap().0;
    list.replace('"', "")
}

/// Without `--all`, `find` prints the rows that no other row beats in cycles, bytes and address instructions, and the layout as it
/// is.
#[test]
fn the_choices_are_what_no_other_beats() {
    for [asked, own] in ASKED {
        let text = format!("{HEAD}{asked}{own}");
        let shown = |words: &[&str]| {
            let words = [&["tiledesc", "find", "-"], words].concat();
            let out = run(words, &mut text.as_bytes()).out;
            let rows =
                out.lines().skip(2).filter(|line| line.contains("recipe") || line.ends_with(')'));
            (rows.map(row).collect::<Vec<_>>(), out)
        };
        let ((few, out), (all, _)) = (shown(&[]), shown(&["--all"]));
        let left = all.len() - few.len();
        let said = format!("  {left} more that were tried: --all\n");
        assert!(left == 0 || out.ends_with(&said), "{out}");
        assert!(few.iter().all(|one| all.contains(one)), "{out}");
        let costs = |one: &(u64, u64, Option<u64>, String, String)| {
            (one.0, one.1, one.2.unwrap_or(u64::MAX))
        };
        let beats = |one: (u64, u64, u64), than: (u64, u64, u64)| {
            one != than && one.0 <= than.0 && one.1 <= than.1 && one.2 <= than.2
        };
        let is_own = |one: &&(u64, u64, Option<u64>, String, String)| one.4.contains("as it is");
        let choices: BTreeSet<_> = few.iter().map(costs).collect();
        let own = all.iter().find(is_own).map(costs);
        for one in all.iter().filter(|one| !is_own(one)) {
            let is_beaten = all.iter().any(|other| beats(costs(other), costs(one)));
            let is_shown = !is_beaten || own == Some(costs(one));
            assert_eq!(choices.contains(&costs(one)), is_shown, "{one:?}\n{out}");
        }
    }
}

/// JSON has the rows of the whole table, and the same proof.
#[test]
fn json_has_the_rows_of_the_table() {
    for [asked, own] in ASKED {
        let text = format!("{HEAD}{asked}{own}");
        let found = |option: &str| run(["tiledesc", "find", "-", option], &mut text.as_bytes());
        let (table, json) = (found("--all"), found("--json"));
        assert_eq!(table.status, json.status);
        let json: Value = serde_json::from_str(&json.out).unwrap();
        let tile = &json["tiles"][0];
        let head = table.out.lines().next().unwrap();
        assert!(head.ends_with(tile["proof"].as_str().unwrap()), "{head}");
        let is_floor = head.ends_with("the floor: no layout does better");
        assert_eq!(tile["floor"] == tile["rows"][0]["cycles"], is_floor, "{head}");
        let of_json = tile["rows"].as_array().unwrap().iter().map(|one| {
            let words = one["words"].as_str().unwrap_or("as it is").to_string();
            (
                one["cycles"].as_u64().unwrap(),
                one["bytes"].as_u64().unwrap(),
                one["address"].as_u64(),
                words,
            )
        });
        let rows = table.out.lines().skip(2).filter(|line| is_row(line)).map(row);
        let of_table = rows.map(|one| (one.0, one.1, one.2, one.3));
        assert!(of_json.eq(of_table));
    }
}

/// No layout of a tile is free by the wide store: the split that `find` and `check` name is free when the file says it,
/// the explorer names it too, and its lines of Rust have it.
#[test]
fn a_split_access_is_free_when_it_is_stated() {
    let held =
        "m [again 4, row 16], k [j 12, part 4, two 2]; lane (row, part), thread (again, j, two)";
    let file = |op: &str, by: &str, layout: &str| {
        format!(
            "version = 1\nchips = [\"gfx950\"]\n[distribution]\nheld = \"{held}\"\n[tile.T]\nelement = \"f32\"\n\
             shape = {{ m = 64, k = 96 }}\n{layout}\nwrite = [{{ op = \"{op}\", by = \"{by}\" }}]\n\
             read = [{{ op = \"ds_read_b128\", by = \"column\" }}]\n"
        )
    };
    let said = |words: &[&str], text: &str| {
        run(["tiledesc"].into_iter().chain(words.iter().copied()), &mut text.as_bytes())
    };
    let wide = file("ds_write_b64", "held", "strides = [96, 1]");
    let change = "free with two ds_write_b32 in place of each ds_write_b64, where lanes with bit 2 take the second half \
                  first (`split 2 2`): recipe = \"row-pad\", padding = 4: 288 cycles";
    for words in [["find", "-"], ["check", "-"]] {
        let out = said(&words, &wide).out;
        assert!(out.contains(change), "{words:?}: {out}");
    }
    let explored: Value = serde_json::from_str(&tiledesc_cli::explore("find", &wide).out).unwrap();
    assert_eq!(explored["change"], change);
    for (by, cycles) in [("split 2 2 held", 288), ("split 2 0 held", 480)] {
        let split = file("ds_write_b32", by, "recipe = \"row-pad\"\npadding = 4");
        assert_eq!(judged(&split).0, cycles, "{by}");
    }
    let split = file("ds_write_b32", "split 2 2 held", "recipe = \"row-pad\"\npadding = 4");
    let code: Value = serde_json::from_str(&tiledesc_cli::explore("code", &split).out).unwrap();
    let rust = code[0]["text"].as_str().unwrap();
    assert!(rust.contains("write ds_write_b32 by Split<TTileHeld0, 2, 2>"), "{rust}");
}

/// A tile that states no layout is searched from rows side by side, and that is said; all else refuses it.
#[test]
fn a_tile_needs_no_layout() {
    let text = |layout: &str| {
        format!(
            "version = 1\nchips = [\"gfx942\"]\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 128, k = 64 }}\n{layout}\
            read = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]\n"
        )
    };
    let found = |words: &[&str], layout: &str| {
        run([&["tiledesc"], words].concat(), &mut text(layout).as_bytes())
    };
    let (none, stated) = (found(&["find", "-"], ""), found(&["find", "-"], "strides = [64, 1]\n"));
    let note = "  no layout is stated: as it is are rows side by side\n";
    assert_eq!(none.status, stated.status);
    assert_eq!(none.out.replace(note, ""), stated.out);
    assert!(none.out.contains(note) && !stated.out.contains(note), "{}", none.out);
    let json: Value = serde_json::from_str(&found(&["find", "-", "--json"], "").out).unwrap();
    assert_eq!(json["tiles"][0]["stated"], false);
    for command in ["check", "emit", "show", "convert", "explain", "at"] {
        let words: &[&str] =
            if command == "emit" { &["emit", "-", "--lang", "c"] } else { &[command, "-"] };
        let refused = found(words, "");
        assert_eq!(refused.status, Status::Invalid, "{command}");
        assert!(refused.err.contains("tile A has no layout"), "{}", refused.err);
    }
    // A slip of the pen is no missing layout.
    let slip = found(&["find", "-"], "stride = [64, 1]\n");
    assert_eq!(slip.status, Status::Invalid);
    assert!(
        slip.err.contains("unknown key `stride` of tile A; did you mean `strides`?"),
        "{}",
        slip.err
    );
}
