//! The way of a layout that stands in its declaration, as a user goes it: from `=> _` to the best, and to that of another
//! tile. Of a package as a user has it, built by cargo.

use super::scratch::Scratch;
use std::process::Output;

const NONE: &str = "\
use tiledesc::prelude::*;

synthesize! {
    /// Says `=> _;`.
    pub type ABlock = F16 [64, 64] on gfx942:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>
    => _;
}

fn main() {
    println!(\"{}\", ABlock::byte_at([3u32, 17]));
}
";

struct Way(Scratch);

impl Way {
    fn text(&self) -> String {
        self.0.read("main.rs")
    }

    fn write(&self, text: &str) {
        self.0.write("main.rs", text);
    }

    /// Changes the file by hand.
    fn replace(&self, from: &str, to: &str) {
        let text = self.text();
        assert!(text.contains(from), "{text}");
        self.write(&text.replace(from, to));
    }

    /// `cargo test` fails with these lines.
    fn is_red(&self, lines: &[&str]) {
        says(self.0.cargo(&["test"]), false, lines);
    }

    fn is_green(&self) {
        says(self.0.cargo(&["test"]), true, &["no_layout_is_better_than_ABlock ... ok"]);
        says(self.0.cargo(&["run"]), true, &[]);
    }
}

fn says(output: Output, is_green: bool, lines: &[&str]) {
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert_eq!(output.status.success(), is_green, "{text}");
    for line in lines {
        assert!(text.contains(line), "{line:?} is not said:\n{text}");
    }
}

#[test]
#[ignore = "builds the library and its search for tests: 40 s"]
fn from_no_layout_to_the_best() {
    let host = support::root().join("host");
    let more = format!("[dev-dependencies]\ntiledesc-host = {{ path = {host:?} }}");
    let way = Way(Scratch::new("certificate", &[("kernel", "main.rs".into())], &more));
    way.write(NONE);

    // Nothing stands there.
    way.is_red(&["ABlock: `_` stands for the layout: `BLESS=1 cargo test` writes it"]);
    says(way.0.bless(&["test"]), true, &["no_layout_is_better_than_ABlock ... ok"]);
    let free = NONE.replace("=> _;\n}", "=> recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;\n}");
    assert_eq!(way.text(), free);
    way.is_green();

    // Another tile, of which no layout is free.
    way.replace("[64, 64]", "[64, 96]");
    way.is_red(&["ABlock: the layout is F16 [64, 64], the statement says F16 [64, 96]\n"]);
    // `seq![2, 3]` takes 352 cycles, too, and 46 address instructions in place of 37.
    let odd = "recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 5]>";
    let said = format!(
        "Error: ABlock: {odd} takes 352 cycles, floor 288: no masks over packs do better\n\
         To take it, add `at most 352 cycles;`"
    );
    says(way.0.bless(&["test"]), false, &[&said]);
    way.is_red(&["by MfmaRows<16>: 2-way", "to take this, add `at most 352 cycles;`"]);
    let limited = format!("=> {odd};\n    at most 352 cycles;");
    way.replace(&format!("=> {odd};"), &limited);
    way.is_green();

    // One that is worse, and allowed.
    way.replace("seq![2, 5]>;\n    at most 352", "seq![1, 2]>;\n    at most 400");
    let said = format!(
        "Error: ABlock: 384 cycles; the best takes 352 cycles, floor 288: no masks over packs do better\n\
         `BLESS=1 cargo test` writes\n=> {odd}; at most 352 cycles;"
    );
    way.is_red(&[&said]);
    says(way.0.bless(&["test"]), true, &[]);
    assert!(way.text().contains(&limited), "{}", way.text());
    way.is_green();

    // A limit that is too low: the layout stays.
    way.replace("at most 352", "at most 300");
    way.is_red(&["ABlock: 352 cycles, floor 288: the statement says `at most 300 cycles`"]);
    says(way.0.bless(&["test"]), true, &[]);
    assert!(way.text().contains(&limited), "{}", way.text());
}
