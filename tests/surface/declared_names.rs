//! What a macro declares begins and ends at its name: a second one of that name is underlined there, and not where the
//! macro was called, which may be twenty declarations ago. It has a line of documentation of its own, for who points at it.

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

/// Each declares public names, and the user says nothing of them.
const UNDOCUMENTED: &str = "
    use tiledesc::{matrix::mfma, prelude::*};
    descriptor! { pub type Plain: packed [64, 64]; pub type Rows<M, K>: naive [M, K] strides [K, 1]; }
    layout! { pub type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; pub type Any<R> = recipe::RowMajor<F16, R, K<64>>; }
    distribution! {
        pub type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
        pub type Down: m [chunk 16, half 8], k [again 2, wave 4, column 8]; wave (wave), lane (column), thread (again, chunk, half);
        pub type Open<R>: m [again R, row 64] of 100, k [half 8]; repeat [copy 2], wave (copy), lane (row), thread (again, half);
    }
    pattern! { pub Half(lane) => [lane, 0] if lane < 32; pub Every<const S: u32>(lane, step in 2) => [S * lane, step], along 0; }
    access! { Block on gfx942: pub type Stores = write ds_write_b128 by Fetch }
    product! { pub type Sums = mfma::F16_32x32x8::A x mfma::F16_32x32x8::B by v_mfma_f32_32x32x8_f16 on gfx942; }
    convert! { pub type Tile = F16 [128, 64] on gfx942: pub type From from Fetch, pub type To to Fetch; }
    convert! { pub type Tiles<E: Element> = E [128, 64] on gfx942: pub type FromOf from Fetch, pub type ToOf to Fetch; }
    synthesize! { pub type Best = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor; }
    synthesize! { pub type Kept = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor => recipe::RowMajor<F16, M<128>, K<64>>; }
    direct_load! { pub type Load = Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 64; }
    pub struct Nothing;
";

#[test]
fn are_documented() {
    let library = "[lib]\npath = \"documented.rs\"";
    let scratch = Scratch::new("documented", &[], library);
    scratch.write(
        "documented.rs",
        &format!("//! Names.\n#![allow(unused)]\n#![warn(missing_docs)]\n{UNDOCUMENTED}"),
    );
    let said = scratch.messages(&[]);
    let text = |message: &serde_json::Value| message["rendered"].as_str().unwrap().to_owned();
    let said = said.iter().map(|(_, message)| text(message)).collect::<Vec<_>>();
    assert!(matches!(&said[..], [one] if one.contains("pub struct Nothing;")), "{said:#?}");
}
