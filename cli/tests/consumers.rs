//! Tiles that something takes without the address of a lane: `consumed_by`. The forms are those of CuTe's atoms, computed here a
//! second time from their masks.

use serde_json::Value;
use tiledesc_cli::{Status, run};

fn check(words: &[&str]) -> tiledesc_cli::Output {
    run([&["tiledesc", "check"], words].concat(), &mut std::io::empty())
}

/// A tile of strides or CuTe's text on a chip, as a file.
fn file(chip: &str, element: &str, shape: &str, layout: &str, by: &str) -> String {
    format!(
        "version = 1\nchips = [\"{chip}\"]\n[tile.A]\nelement = \"{element}\"\nshape = {{ {shape} }}\n{layout}\nconsumed_by = {by}\n"
    )
}

fn asked(text: &str) -> (Status, Value) {
    let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
    (output.status, serde_json::from_str(&output.out).unwrap())
}

/// Rows of K with 16-byte chunks xor-ed by the row: `bits` of the chunk's number.
fn swizzled(bits: u32, rows: u32, columns: u32, atom: u32) -> String {
    let text = |numbers: [u32; 4]| {
        format!("(({},{}),({},{}))", numbers[0], numbers[1], numbers[2], numbers[3])
    };
    let shape = text([8, rows / 8, atom, columns / atom]);
    let stride = text([atom, 8 * atom, 1, rows * atom]);
    format!("cute = \"Sw<{bits},4,3> o smem_ptr[16b](unset) o {shape}:{stride}\"")
}

#[test]
fn forms_are_those_of_the_atoms() {
    for (bits, atom, name, mode, alignment) in [
        (3, 64, "Layout_K_SW128_Atom", "SWIZZLE_128B", 1024),
        (2, 32, "Layout_K_SW64_Atom", "SWIZZLE_64B", 512),
        (1, 16, "Layout_K_SW32_Atom", "SWIZZLE_32B", 256),
    ] {
        for (chip, by) in [("sm_90", "wgmma"), ("sm_100", "tcgen05"), ("sm_120", "tma")] {
            let layout = swizzled(bits, 128, 128, atom);
            let (status, report) =
                asked(&file(chip, "bf16", "m = 128, k = 128", &layout, &format!("\"{by}\"")));
            assert_eq!(status, Status::Free, "{report}");
            let found = &report["tiles"][0]["consumed"][0];
            assert_eq!(
                (&found["by"], &found["form"], &found["mode"]),
                (&by.into(), &name.into(), &mode.into())
            );
            assert_eq!(found["alignment"], alignment);
        }
        // One chunk elsewhere, by another key: no form.
        let wrong = swizzled(bits, 128, 128, atom).replace(",4,3>", ",4,4>");
        let (status, report) =
            asked(&file("sm_90", "bf16", "m = 128, k = 128", &wrong, "\"wgmma\""));
        assert_eq!(status, Status::Invalid);
        let message = report["faults"][0]["message"].as_str().unwrap();
        assert!(
            message.contains("wgmma does not take this layout: Layout_K_SW128_Atom: element ("),
            "{message}"
        );
    }
}

/// What is named instead is taken.
#[test]
fn a_refusal_names_what_would_do() {
    for (chip, by, element, shape) in [
        ("sm_90", "wgmma", "bf16", "m = 128, k = 64"),
        ("sm_90", "wgmma", "f8", "n = 64, k = 64"),
        ("sm_100", "tcgen05", "f32", "m = 64, k = 96"),
    ] {
        let lengths: Vec<u32> = shape
            .split(", ")
            .map(|one| one.split(" = ").nth(1).unwrap().parse().unwrap())
            .collect();
        let strides = format!("strides = [{}, 1]", lengths[1] + 8);
        let by = format!("\"{by}\"");
        let (status, report) = asked(&file(chip, element, shape, &strides, &by));
        assert_eq!(status, Status::Invalid);
        let message = report["faults"][0]["message"].as_str().unwrap();
        let instead = message.split("; it takes ").nth(1).unwrap_or_else(|| panic!("{message}"));
        let (status, report) = asked(&file(chip, element, shape, instead, &by));
        assert_eq!(
            (status, report["faults"].as_array().map(Vec::len)),
            (Status::Free, Some(0)),
            "{instead}: {report}"
        );
    }
}

/// Columns of M: of 16 bits alone for wgmma; a box in order for TMA alone.
#[test]
fn engines_differ() {
    let columns =
        "cute = \"Sw<3,4,3> o smem_ptr[16b](unset) o ((64,2),(8,8)):((1,512),(64,1024))\"";
    let (status, report) = asked(&file("sm_90", "f16", "m = 128, k = 64", columns, "\"wgmma\""));
    assert_eq!(
        (status, &report["tiles"][0]["consumed"][0]["form"]),
        (Status::Free, &"Layout_MN_SW128_Atom".into()),
        "{report}"
    );
    let bytes = "cute = \"Sw<3,4,3> o smem_ptr[8b](unset) o ((128,1),(8,8)):((1,0),(128,1024))\"";
    let of_bytes = |chip, by| asked(&file(chip, "f8", "m = 128, k = 64", bytes, by)).0;
    assert_eq!(of_bytes("sm_90", "\"wgmma\""), Status::Invalid);
    assert_eq!(of_bytes("sm_100", "\"tcgen05\""), Status::Free);
    for (strides, status) in
        [("strides = [64, 1]", Status::Free), ("strides = [72, 1]", Status::Invalid)]
    {
        let text = file("sm_90", "f16", "m = 128, k = 64", strides, "[\"tma\"]");
        assert_eq!(asked(&text).0, status, "{strides}");
        assert_eq!(asked(&text.replace("\"tma\"", "\"tma\", \"wgmma\"")).0, Status::Invalid);
    }
    // A row, and every second element.
    for (stride, status) in [(1, Status::Free), (2, Status::Invalid)] {
        let strides = format!("strides = [{stride}]");
        let (found, report) = asked(&file("sm_90", "f16", "x = 64", &strides, "\"tma\""));
        assert_eq!(found, status, "{report}");
    }
}

#[test]
fn what_is_not_there_is_refused() {
    let said = |chip: &str, by: &str| {
        let text = file(chip, "f16", "m = 128, k = 64", "strides = [64, 1]", by);
        run(["tiledesc", "check", "-"], &mut text.as_bytes()).err
    };
    assert_eq!(
        said("sm_80", "\"wgmma\""),
        "<stdin>:7:15: sm_80 has no wgmma; chips that have it: sm_90\n"
    );
    assert_eq!(
        said("sm_90", "\"wgmm\""),
        "<stdin>:7:15: `consumed_by`: nothing called `wgmm` takes a tile without lane addresses; did you mean `wgmma`?\n"
    );
}

/// Keys with commas between as lines.
fn lines(words: &str) -> String {
    let mut depth = 0;
    let line = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        if c == ',' && depth == 0 { '\n' } else { c }
    };
    words.chars().map(line).collect()
}

/// `find` and `check` name only layouts that the consumer takes.
#[test]
fn remedies_are_taken() {
    let accesses =
        "consumed_by = \"wgmma\"\nwrite = [{ op = \"st.shared.b128\", by = \"column\" }]";
    let text = |layout: &str| {
        format!(
            "version = 1\nchips = [\"sm_90\"]\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 64, k = 64 }}\n{layout}\n{accesses}\n"
        )
    };
    let text =
        text("recipe = \"gemm-xor\"\nkpack = 8").replace("by = \"column\"", "by = \"row-major\"");
    let output = run(["tiledesc", "find", "-", "--json"], &mut text.as_bytes());
    let found: Value = serde_json::from_str(&output.out).unwrap();
    let rows = found["tiles"][0]["rows"].as_array().unwrap();
    assert!(!rows.is_empty());
    for row in rows {
        let words = lines(row["words"].as_str().unwrap());
        let (status, report) = asked(&text.replace("recipe = \"gemm-xor\"\nkpack = 8", &words));
        assert_ne!(status, Status::Invalid, "{words}: {report}");
    }
    // Rows of 128 halves are two atoms side by side, which no recipe is.
    let wide = "version = 1\nchips = [\"sm_90\"]\n[tile.C]\nelement = \"bf16\"\nshape = { m = 128, n = 128 }\nstrides = [128, 1]\n\
        write = [{ op = \"stmatrix.x4\", by = \"c of wgmma.m64n128k16.f32.bf16.bf16, waves 2x1\" }]\nconsumed_by = \"tma\"\n";
    let out = run(["tiledesc", "check", "-"], &mut wide.as_bytes()).out;
    let text =
        out.split("free in a form that tma takes: ").nth(1).unwrap_or_else(|| panic!("{out}"));
    let text = format!("{}\"", text.split("\": ").next().unwrap());
    let (status, report) = asked(&wide.replace("strides = [128, 1]", &text));
    assert_eq!(status, Status::Free, "{text}: {report}");
    let silent = check(&[
        "--chip",
        "sm_90",
        "--element",
        "f16",
        "--shape",
        "m=64,k=64",
        "--strides",
        "64,1",
    ]);
    assert!(silent.out.contains("or `consumed_by = \"wgmma\"`"), "{}", silent.out);
}

/// The header has what a kernel tells each engine; `host/tests/exchange/descriptors.rs` decodes such fields.
#[test]
fn headers_have_descriptors() {
    let header = |text: &str, lang: &str| {
        let output = run(["tiledesc", "emit", "-", "--lang", lang], &mut text.as_bytes());
        assert_eq!(output.err, "");
        output.out
    };
    let layout = swizzled(3, 128, 128, 64);
    let text = file("sm_90", "bf16", "m = 128, k = 128", &layout, "[\"wgmma\", \"tma\"]");
    let cuda = header(&text, "cuda");
    for line in [
        "// Consumed by wgmma: Layout_K_SW128_Atom, K contiguous, its base at a multiple of 1024 bytes.",
        "constexpr unsigned A_WGMMA_ALIGNMENT = 1024u;",
        "constexpr unsigned A_WGMMA_LEADING = 16u;",
        "constexpr unsigned A_WGMMA_STRIDE = 1024u;",
        "constexpr unsigned A_WGMMA_SWIZZLE = 1u;",
        "constexpr unsigned A_WGMMA_LOW = 65536u;",
        "constexpr unsigned A_WGMMA_HIGH = 1073741888u;",
        "// An operand that begins at a multiple of 8 lines has A_WGMMA_LOW | (address & 0x3ffff) >> 4,",
        "constexpr unsigned A_TMA_SWIZZLE = 3u;",
        "constexpr unsigned A_TMA_BOX_M = 128u;",
        "constexpr unsigned A_TMA_BOX_K = 64u;",
    ] {
        assert!(cuda.contains(&format!("{line}\n")), "{line}:\n{cuda}");
    }
    // K is the first dimension of the tile: the same fields, and the box in the tile's order.
    let turned = text
        .replace("m = 128, k = 128", "k = 128, m = 128")
        .replace("((8,16),(64,2)):((64,512),(1,8192))", "((64,2),(8,16)):((1,8192),(64,512))");
    assert_ne!(turned, text);
    let turned = header(&turned, "c");
    assert!(turned.contains("#define A_WGMMA_HIGH 1073741888u\n"), "{turned}");
    assert!(turned.contains("#define A_TMA_BOX_K 64u\n#define A_TMA_BOX_M 128u\n"), "{turned}");
    let of_tcgen05 = text.replace("sm_90", "sm_100").replace("wgmma", "tcgen05");
    // 2 << 29, 1 << 14 and 64.
    assert!(
        header(&of_tcgen05, "cuda").contains("constexpr unsigned A_TCGEN05_HIGH = 1073758272u;\n")
    );
    // Rows in order: boxes of whole rows of at most 256, and of a longer row a part of 16 bytes each.
    for (shape, strides, boxes) in [
        ("m = 512, k = 64", "strides = [64, 1]", [256, 64]),
        ("m = 8, k = 264", "strides = [264, 1]", [1, 88]),
    ] {
        let text = file("sm_90", "f16", shape, strides, "\"tma\"");
        let [m, k] = boxes.map(|length| length.to_string());
        let found = header(&text, "c");
        assert!(
            found.contains(&format!("#define A_TMA_BOX_M {m}u\n#define A_TMA_BOX_K {k}u\n")),
            "{found}"
        );
    }
    assert!(!header(&text, "text").contains("WGMMA"));
}

/// Options name engines as a file does.
#[test]
fn an_option_is_the_file() {
    let cute = "Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)";
    let tile = ["--chip", "sm_90", "--element", "f16", "--shape", "m=128,k=64", "--cute", cute];
    let both = check(&[&tile[..], &["--consumed-by", "wgmma", "--consumed-by", "tma"]].concat());
    assert_eq!(both.err, "");
    let lines: Vec<_> = both.out.lines().take(2).collect();
    let form = "Layout_K_SW128_Atom, K contiguous, its base at a multiple of 1024 bytes";
    assert_eq!(lines, ["wgmma", "tma"].map(|by| format!("options: tile consumed by {by}  {form}")));
    let wrong = check(&[&tile[..], &["--consumed-by", "wgmm"]].concat());
    assert_eq!(
        wrong.err,
        "--consumed-by: `consumed_by`: nothing called `wgmm` takes a tile without lane addresses; did you mean `wgmma`?\n"
    );
}
