//! What a macro declares begins and ends at its name: a second one of that name is underlined there, and not where the
//! macro was called, which may be twenty declarations ago.

use super::scratch::Scratch;

/// Each declares `Name` for the second time; the first one is some lines above, and public.
const DECLARED: [(&str, &str); 8] = [
    ("descriptor", "type Name: packed [64, 64];"),
    ("generic_descriptor", "type Name<K>: packed [64, K];"),
    ("pattern", "Name(lane) => [lane, 0];"),
    ("generic_pattern", "Name<K: Number>(lane) => [lane, K::N];"),
    ("distribution", "type Name: m [row 64], k [half 8]; lane (row), thread (half);"),
    (
        "direct_load",
        "type Name = Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 64;",
    ),
    ("synthesize", "type Name = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor;"),
    (
        "certified_synthesize",
        "type Name = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor => recipe::RowMajor<F16, M<128>, K<64>>;",
    ),
];

#[test]
fn are_underlined_where_they_stand_twice() {
    let mut program = String::from(
        "use tiledesc::prelude::*;\n\
         layout! { pub type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }\n",
    );
    let mut wanted = Vec::new();
    for (name, declaration) in DECLARED {
        let macro_name = name.rsplit_once("generic_").or(name.rsplit_once("certified_"));
        let macro_name = macro_name.map_or(name, |(_, name)| name);
        let other = declaration.replace("Name", "Other");
        // Before and behind it others are declared by the same call, but for a load's, which is of one.
        let others = if name == "direct_load" { "" } else { &other };
        program += &format!(
            "mod {name} {{\nuse crate::*;\n{macro_name}! {{ {others}\n/// Public.\npub {declaration} }}\n\
             {macro_name}! {{ /// The second.\npub(crate) {declaration}\n}}\n}}\n"
        );
        let line = program.lines().count() - 2;
        let begin = "pub(crate) ".len() + declaration.find("Name").unwrap() + 1;
        wanted.push((line as u64, begin as u64));
    }
    program += "fn main() {}\n";
    let scratch = Scratch::new("declared_names", &[("names", "names.rs".into())], "");
    scratch.write("names.rs", &program);
    let mut found = Vec::new();
    for (_, message) in scratch.messages(&[]) {
        if message["code"]["code"] != "E0428" {
            continue;
        }
        for span in message["spans"].as_array().unwrap() {
            // What another crate's macro writes is where it was called.
            let (is_primary, mut span) = (span["is_primary"] == true, span);
            while span["file_name"] != "names.rs" {
                span = &span["expansion"]["span"];
            }
            let text = span["text"][0]["text"].as_str().unwrap();
            let [begin, end] =
                ["column_start", "column_end"].map(|key| span[key].as_u64().unwrap());
            assert_eq!(span["line_start"], span["line_end"], "{message}");
            assert_eq!(&text[begin as usize - 1..end as usize - 1], "Name", "{message}");
            if is_primary {
                found.push((span["line_start"].as_u64().unwrap(), begin));
            }
        }
    }
    // A layout that is searched for is a type and a constant, a descriptor with parameters a type and a function.
    found.dedup();
    assert_eq!(found, wanted);
}
