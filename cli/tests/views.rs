//! Tiles that are views of a layout: its bytes as elements of another width, and transforms above it. Offsets are those of
//! formulas, every element compared.

use tiledesc_cli::{Source, run, tiles};

/// The offset of every element of a tile of two dimensions, in bits; its lengths first.
fn bits(keys: &str) -> ([u32; 2], Vec<u64>) {
    let text = format!("version = 1\n[tile.A]\n{keys}\n");
    let tile = tiles(&Source::of_text("t", text))
        .unwrap_or_else(|said| panic!("{keys}: {said}"))
        .remove(0);
    let plan = tile.plan();
    let [rows, columns] = plan.lengths().as_slice()[..] else {
        panic!("{keys}: {:?}", plan.lengths())
    };
    let each = (0..rows).flat_map(|m| (0..columns).map(move |k| [m, k]));
    let width = u64::from(tile.element().bits);
    let offsets = each.map(|at| u64::from(plan.offset(&at).unwrap()) * width).collect();
    ([rows, columns], offsets)
}

/// Bits by a formula.
fn wanted([rows, columns]: [u32; 2], of: impl Fn(u64, u64) -> u64) -> ([u32; 2], Vec<u64>) {
    let each = (0..rows).flat_map(|m| (0..columns).map(move |k| [m, k].map(u64::from)));
    ([rows, columns], each.map(|[m, k]| of(m, k)).collect())
}

#[test]
fn elements_of_another_width() {
    // Two fp4 in each byte, one 32-bit word of two halves: of rows, of columns, of what is xor-ed by rows.
    let xor = |m: u64, k: u64| m * 64 + (k ^ (m % 8 * 8));
    for (keys, says) in [
        (
            "element = \"f4\"\nshape = { m = 128, k = 64 }\nstrides = [36, 1]\nrecast_from = \"u8\"",
            wanted([128, 64], |m, k| m * 36 * 8 + k * 4),
        ),
        (
            "element = \"f4\"\nshape = { m = 128, k = 64 }\nstrides = [1, 80]\nrecast_from = \"u8\"",
            wanted([128, 64], |m, k| k * 80 * 8 + m * 4),
        ),
        (
            "element = \"f32\"\nshape = { m = 64, k = 32 }\nstrides = { m = 68, k = 1 }\nrecast_from = \"f16\"",
            wanted([64, 32], |m, k| m * 68 * 16 + k * 32),
        ),
        (
            "element = \"f32\"\nshape = { m = 128, k = 32 }\nrecipe = \"gemm-xor\"\nkpack = 8\nrecast_from = \"f16\"",
            wanted([128, 32], |m, k| xor(m, 2 * k) * 16),
        ),
        (
            "element = \"u8\"\nshape = { m = 128, k = 128 }\nrecipe = \"gemm-xor\"\nkpack = 8\nrecast_from = \"f16\"",
            wanted([128, 128], |m, k| xor(m, k / 2) * 16 + k % 2 * 8),
        ),
        (
            "element = \"f32\"\ncute = \"Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)\"\nrecast_from = \"half\"",
            wanted([128, 32], |m, k| xor(m, 2 * k) * 16),
        ),
        (
            "element = \"f4\"\nshape = { m = 128, k = 128 }\nrecast_from = \"u8\"\n\
             triton = \"#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\"",
            wanted([128, 128], |m, k| xor(m, k / 2) * 8 + k % 2 * 4),
        ),
        // Of one width nothing changes.
        (
            "element = \"bf16\"\nshape = { m = 8, k = 8 }\nstrides = [9, 1]\nrecast_from = \"f16\"",
            wanted([8, 8], |m, k| (m * 9 + k) * 16),
        ),
    ] {
        assert_eq!(bits(keys), says, "{keys}");
    }
}

#[test]
fn transforms_above_a_layout() {
    let xor = |m: u64, k: u64| (m * 64 + (k ^ (m % 8 * 8))) * 16;
    let recipe = "element = \"f16\"\nrecipe = \"gemm-xor\"\nkpack = 8";
    let of = "of = { m = 128, k = 64 }";
    for (keys, says) in [
        (
            format!("{recipe}\nshape = {{ m = 64, k = 64 }}\nview = {{ {of}, by = \"slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)\" }}"),
            wanted([64, 64], |m, k| xor(64 + m, k)),
        ),
        // The other way round, with a semicolon at the end.
        (
            format!("{recipe}\nshape = {{ k = 64, m = 128 }}\nview = {{ {of}, by = \"pass[128] (0) -> (1), pass[64] (1) -> (0);\" }}"),
            wanted([64, 128], |k, m| xor(m, k)),
        ),
        // The elements in an order: 32 of a row, 128 rows, the other 32.
        (
            format!("{recipe}\nshape = {{ half = 2, i = 4096 }}\nview = {{ {of}, by = \"unmerge[2, 32] (1) -> (0, 2), pass[128] (0) -> (1); pass[2] (0) -> (0), merge[128, 32] (1, 2) -> (1)\" }}"),
            wanted([2, 4096], |half, i| xor(i / 32, half * 32 + i % 32)),
        ),
        // Recast first, and then its rows.
        (
            "element = \"f32\"\nshape = { m = 64, k = 32 }\nrecipe = \"gemm-xor\"\nkpack = 8\nrecast_from = \"f16\"\n\
             view = { of = { m = 128, k = 32 }, by = \"slice[128, 0, 64] (0) -> (0), pass[32] (1) -> (1)\" }"
                .to_string(),
            wanted([64, 32], |m, k| xor(m, 2 * k)),
        ),
        // A text that has its shape needs no `of`, and a view without names has none.
        (
            "element = \"f16\"\nstages = \"packed [128, 64]\"\nview = { by = \"slice[128, 1, 3] (0) -> (0), pass[64] (1) -> (1)\" }"
                .replace("[128, 64]", "[128, 64];"),
            wanted([2, 64], |m, k| ((m + 1) * 64 + k) * 16),
        ),
    ] {
        assert_eq!(bits(&keys), says, "{keys}");
    }
}

/// The verdict on a view is that on the same bytes, and options say what a file says.
#[test]
fn verdicts_of_views() {
    let check = |words: &[&str]| {
        let words = [&["tiledesc", "check", "--chip", "gfx950"], words].concat();
        let done = run(words, &mut std::io::empty());
        (done.out, done.err)
    };
    let read = "ds_read_b128 by mfma-rows 16";
    let stated = |strides: &'static str| {
        ["--element", "u8", "--shape", "m=128,k=64", "--strides", strides, "--read", read]
    };
    let recast = [
        "--element",
        "f4",
        "--shape",
        "m=128,k=128",
        "--strides",
        "64,1",
        "--recast-from",
        "u8",
        "--read",
        read,
    ];
    let found = |words: &[&str]| {
        let (out, err) = check(words);
        assert_eq!(err, "");
        out.lines().next().unwrap().rsplit("  ").next().unwrap().to_string()
    };
    let [of_bytes, of_halves] = [found(&stated("64,1")), found(&recast)];
    // Coordinates along k are counted in other elements, those of the first column in none.
    assert!(of_bytes.starts_with("2-way") && of_bytes == of_halves, "{of_bytes}\n{of_halves}");
    // What is named instead is a layout of the tile, not of what it is a view of.
    let (out, _) = check(&recast);
    assert!(
        out.contains("in place of the view as well: leave `recast_from` and `view` out"),
        "{out}"
    );
    assert!(!check(&stated("64,1")).0.contains("recast_from"));
    let view = "{ of = { m = 256, k = 64 }, by = \"slice[256, 128, 256] (0) -> (0), pass[64] (1) -> (1)\" }";
    let viewed = [&stated("80,1")[..], &["--view", view]].concat();
    // 128 rows further on all lanes find the banks as they do in the first.
    let whole = found(&stated("80,1"));
    assert_eq!(found(&viewed).split(", bytes").next(), whole.split(", bytes").next());
}

#[test]
fn what_is_wrong_with_a_view() {
    let f4 = "element = \"f4\"\nshape = { m = 128, k = 64 }";
    let f16 = "element = \"f16\"\nshape = { m = 64, k = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8";
    for (keys, says) in [
        (
            "element = \"f4\"\nshape = { m = 127, k = 63 }\nstrides = [32, 1]\nrecast_from = \"u8\"".to_string(),
            "recast_from: the 63 elements along `k` are 252 bits, which cannot be divided evenly into elements of `u8`, 8 bits each",
        ),
        (
            "element = \"f32\"\nshape = { m = 128, k = 32 }\nstrides = [65, 1]\nrecast_from = \"f16\"".to_string(),
            "coordinate (1, 0) lies at element 65 of 16 bits, which is not a multiple of 2, so no element of 32 bits begins there",
        ),
        (
            "element = \"f32\"\nshape = { m = 128, k = 32 }\nrecipe = \"gemm-xor\"\nkpack = 1\nrecast_from = \"f16\"".to_string(),
            "elements of `f16` lie side by side along no dimension",
        ),
        (
            "element = \"f6\"\nshape = { m = 128, k = 64 }\nstrides = [48, 1]\nrecast_from = \"u8\"".to_string(),
            "elements of 8 bits cannot be recast to 6 bits: neither width is a multiple of the other",
        ),
        (
            format!("{f4}\ncute = \"(128,31):(31,1)\"\nrecast_from = \"u8\""),
            "the layout is of [128, 31] elements, and shape says [128, 32] (of `u8`, of which `k` has 32)",
        ),
        (format!("{f4}\nstrides = [32, 1]\nrecast_from = \"u9\""), "no element is called `u9`"),
        (format!("{f4}\nstrides = [32, 1]\nrecast_form = \"u8\""), "did you mean `recast_from`?"),
        (
            format!("{f16}\nview = {{ of = {{ m = 128, k = 64 }}, by = \"slice[128, 64, 192] (0) -> (0), pass[64] (1) -> (1)\" }}"),
            "192",
        ),
        (
            format!("{f16}\nview = {{ of = {{ m = 128, k = 64 }}, by = \"slice[128, 0, 32] (0) -> (0), pass[64] (1) -> (1)\" }}"),
            "the layout is of [32, 64] elements, and shape says [64, 64]",
        ),
        (format!("{f16}\nview = {{ of = {{ m = 128, k = 64 }} }}"), "view has no `by`"),
        (format!("{f16}\nview = {{ of = {{ m = 0, k = 64 }}, by = \"\" }}"), "of.m = 0"),
        (
            format!("{f16}\nview = {{ of = {{ m = 128, k = 64 }}, by = \"\" }}"),
            "at byte 0 of the view: expected a transform, as in `slice[128, 0, 64] (0) -> (0)`, found the end",
        ),
        (
            "element = \"f16\"\nshape = { m = 64, k = 64 }\nstrides = [64, 1]\nview = { by = \"slice[128, 0, 64] (0) -> (0)\" }".to_string(),
            "`strides` needs the shape of what is viewed: write `view = { of = { m = 128, k = 64 }, by = .. }`",
        ),
        ("bytes = 64\nview = { by = \"pass[64] (0) -> (0)\" }".to_string(), "a tile of `bytes` has no `view`"),
    ] {
        let said = tiles(&Source::of_text("t", format!("version = 1\n[tile.A]\n{keys}\n")));
        let said = said.expect_err(&keys);
        assert!(said.contains(says), "{keys}: {said}");
        assert_eq!(said.lines().count(), 1, "{keys}: {said}");
    }
}
