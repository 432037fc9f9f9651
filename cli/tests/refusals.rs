//! What a wrong input is told: each mistake with its sentence and exit status.
//!
//! Every row is the good file with one change, so that nothing else can be what is refused.

use tiledesc_cli::{Status, run};

const GOOD: &str = r#"version = 1
chips = ["gfx942"]
[tile.A]
element = "f16"
shape = { m = 128, k = 64 }
recipe = "gemm-xor"
kpack = 8
read = [{ op = "ds_read_b128", by = "mfma-rows 16", times = 4 }]
"#;

/// What is changed, into what, and the line that is printed.
type Mistake = (&'static str, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    (
        "ds_read_b128",
        "ds_read_b256",
        "8:16: gfx942 has no instruction `ds_read_b256`; did you mean `ds_read_b128`?",
    ),
    // The file.
    ("version = 1\n", "", "1:1: the file has no `version`: write `version = 1`"),
    ("version = 1", "version = 2", "1:11: version = 2: this tiledesc reads version 1"),
    ("version = 1", "version = \"1\"", "1:11: version must be a whole number: write `version = 1`"),
    ("chips =", "chip =", "2:1: unknown key `chip` of the file; did you mean `chips`?"),
    ("[tile.A]", "[tile.A", "3:8: unclosed table, expected `]`"),
    (
        "[tile.A]",
        "[tile.\"a/b\"]",
        "3:7: `a/b` is not a valid name: use letters, digits, `_` and `-`",
    ),
    (
        "m = 128",
        "\"m\\n\" = 128",
        "5:11: `m\\n` is not a valid name: use letters, digits, `_` and `-`",
    ),
    ("[tile.A]", "[tiles.A]", "3:2: unknown key `tiles` of the file; did you mean `tile`?"),
    ("kpack = 8", "kpack = 8\nkpack = 4", "8:1: the key `kpack` is given twice"),
    ("[tile.A]", "[tile]", "3:1: each tile is a section with a name: write `[tile.A]`"),
    ("[tile.A]", "[[tile]]", "3:1: each tile is a section with a name: write `[tile.A]`"),
    (
        "mfma-rows 16",
        "mfma rows 16",
        "8:37: no pattern is called `mfma rows 16`; did you mean `mfma-rows`?",
    ),
    // Chips.
    ("[\"gfx942\"]", "[]", "2:9: chips is empty: name one, as in `[\"gfx942\"]`"),
    ("[\"gfx942\"]", "\"gfx942\"", "2:9: chips is a string: write a list of names `[\"gfx942\"]`"),
    (
        "gfx942",
        "gfx941",
        "2:10: gfx941: there are no rows for this chip; its nearest relative with rows is gfx942",
    ),
    (
        "gfx942",
        "gfx900",
        "2:10: gfx900: there are no rows for this chip; its nearest relative with rows is gfx906",
    ),
    ("gfx942", "GFX942", "2:10: there is no chip `GFX942`; did you mean `gfx942`?"),
    ("gfx942", "mi300x", "2:10: there is no chip `mi300x`; did you mean `gfx942`?"),
    ("gfx942", "Strix Halo", "2:10: there is no chip `Strix Halo`; did you mean `gfx1151`?"),
    ("gfx942", "sm90", "2:10: there is no chip `sm90`; did you mean `sm_90`?"),
    ("chips = [\"gfx942\"]\n", "", "2:1: tile A has no chip: write `chips = [\"gfx942\"]`"),
    (
        "kpack = 8",
        "kpack = 8\nmay_overlap = 1",
        "8:15: may_overlap is a whole number: write `true` or `false`",
    ),
    // Direct loads.
    (
        "kpack = 8",
        "kpack = 8\nfill = { op = \"global_load_lds_b128\" }",
        "8:15: gfx942 has no direct load `global_load_lds_b128`; it has `global_load_lds_b8`, `global_load_lds_b16`, `global_load_lds_b32`",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "recipe = \"row-pad\"\npadding = 16\nfill = { op = \"global_load_lds_b32\", waves = 4 }",
        "8:8: gfx942 global_load_lds_b32 by 4 waves: the chunk at byte 0: lane 32 would write bytes 128 to \
         131, which are padding (pad behind multiples of 256 bytes, or allow idle lanes); free instead: \
         recipe = \"gemm-xor\", kpack = 8",
    ),
    (
        "kpack = 8",
        "kpack = 8\nfill = { op = \"global_load_lds_b32\", wave = 4 }",
        "8:38: unknown key `wave` of fill; did you mean `waves`?",
    ),
    // Elements and shapes.
    ("element = \"f16\"\n", "", "3:1: tile A has no `element`: write `element = \"f16\"`"),
    ("\"f16\"", "\"f61\"", "4:11: no element is called `f61`; did you mean `f64`?"),
    (
        "\"f16\"",
        "\"fp4_padded\"",
        "4:11: no element is called `fp4_padded`: write `f4`, and its padding as a layout, as `recipe = \"interval-pad\"`, `every = 16`, `padding = 16`",
    ),
    ("\"f16\"", "\"float16x2\"", "4:11: no element is called `float16x2`; did you mean `f16`?"),
    ("\"f16\"", "16", "4:11: element is a whole number: write a string in quotes"),
    ("{ m = 128, k = 64 }", "[128, 64]", "5:9: shape is a list: write a table `{ .. }`"),
    ("m = 128", "m = 0", "5:15: shape.m = 0: write a whole number from 1 to 4294967295"),
    ("m = 128", "m = -128", "5:15: shape.m = -128: write a whole number from 1 to 4294967295"),
    (
        "m = 128",
        "m = 5000000000",
        "5:15: shape.m = 5000000000: write a whole number from 1 to 4294967295",
    ),
    (
        "m = 128",
        "m = 128.0",
        "5:15: shape.m is a floating-point number: write a whole number from 1 to 4294967295",
    ),
    (
        "{ m = 128, k = 64 }",
        "{}",
        "5:9: shape has from 1 to 12 dimensions, as in `{ m = 128, k = 64 }`",
    ),
    // Layouts.
    (
        "recipe = \"gemm-xor\"\n",
        "",
        "3:1: tile A has no layout: write one of `recipe`, `strides`, `cute`, `triton`, `iree`, `ck`, `stages`; rows side by side are `strides = [64, 1]`",
    ),
    (
        "kpack = 8",
        "kpack = 8\nstrides = [64, 1]",
        "8:1: a tile has one layout, but both `recipe` and `strides` are given: leave one of them out",
    ),
    ("gemm-xor", "gem-xor", "6:10: no recipe is called `gem-xor`; did you mean `gemm-xor`?"),
    (
        "kpack = 8\n",
        "",
        "6:10: GemmXor needs M, K, KPack, but KPack is not given: write `kpack = ..`",
    ),
    ("kpack = 8", "kpak = 8", "7:1: unknown key `kpak` of tile A; did you mean `kpack`?"),
    ("kpack = 8", "kpack = 24", "6:10: k = 64 is not a multiple of KPack = 24"),
    (
        "kpack = 8",
        "kpack = true",
        "7:9: kpack is a boolean: write a whole number from 1 to 4294967295",
    ),
    (
        "kpack = 8",
        "kpack = 8\npadding = 8",
        "8:1: unknown key `padding` of tile A; there are `as`, `bytes`, `chips`, `ck`, `consumed_by`, `cute`, `element`, `fetch`, `fill`, `iree`, `k`, `kpack`, `lines`, `m`, `may_overlap`, `read`, `recast_from`, `recipe`, `shape`, `stages`, `strides`, `transposed`, `triton`, `unit`, `view`, `write`",
    ),
    (
        "kpack = 8",
        "kpack = 8\ntransposed = 1",
        "8:14: transposed is a whole number: write `true` or `false`",
    ),
    ("kpack = 8", "kpack = 8\nlines = 3", "5:20: k = 64 is not a multiple of lines = 3"),
    ("kpack = 8", "kpack = 8\nlines = 16", "6:10: k = 4 is not a multiple of KPack = 8"),
    // Rows of the recipe are columns of the tile, so packs of rows are torn apart.
    (
        "kpack = 8",
        "kpack = 8\ntransposed = true",
        "9:9: gfx942 ds_read_b128 by mfma-rows 16: the 8 elements of lane 0 from (0, 0) on are not contiguous: the vector length along `k` is 1",
    ),
    (
        "m = 128, k = 64",
        "m = 128",
        "6:10: GemmXor needs M, K, KPack, but K is not given: write `k = ..`, or name it in the shape",
    ),
    // Dimensions keep the names of the shape.
    (
        "{ m = 128, k = 64 }\nrecipe = \"gemm-xor\"\nkpack = 8",
        "{ s = 128, d = 60 }\nrecipe = \"gemm-xor\"\nkpack = 8",
        "6:10: d = 60 is not a multiple of KPack = 8",
    ),
    (
        "mfma-rows 16",
        "k [part 4, half 8], m [row 16]; lane (part, row), thread (half)",
        "8:9: the distribution has the dimensions k, m, but the tile has m, k: write those, in this order",
    ),
    ("k = 64", "k = 64, b = 2", "6:10: b = 2 is not a multiple of KPack = 8"),
    ("recipe = \"gemm-xor\"\nkpack = 8", "strides = [64]", "6:11: strides: 2 lengths but 1 stride"),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "strides = [32, 1]",
        "6:11: not injective: coordinates (0, 32) and (1, 0) share offset 32; `may_overlap = true` allows it",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "strides = { m = 64, c = 1 }",
        "6:11: strides of tile A has no `k`: write `k = 1`",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"Sw<3,3,3> o 0 o (128;64):(64,1)\"",
        "6:8: at byte 20: expected `,` or `)`",
    ),
    (
        "m = 128, k = 64",
        "k = 128, d = 64",
        "5:11: `k` is K of GemmXor by its name, but M by its position: name all dimensions after the parameters, `m`, `k`, or none of them",
    ),
    // A swizzle of CuTe's text and the element.
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"S<3,4,3> o 0 o (128,64):(64,1)\"",
        "6:8: the swizzle may count elements or bytes, and the text does not say which: gfx942 ds_read_b128 by \
         mfma-rows 16 is 2-way in 256 cycles in elements, free of conflicts in bytes; write the key `unit`, \"elements\" \
         or \"bytes\", or for bytes `smem_ptr[16b](unset)` in the text",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"Sw<3,4,3> o smem_ptr[32b](unset) o (128,64):(64,1)\"",
        "6:8: `smem_ptr[32b]` says 32 bits, but an element of `f16` has 16",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"Sw<3,4,3> o smem_ptr[1b](unset) o (128,64):(64,1)\"",
        "6:8: `smem_ptr[1b]` says 1 bit, but an element of `f16` has 16",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)\"\nunit = \"elements\"",
        "6:8: the swizzle before `smem_ptr[16b]` counts bytes, and unit = \"elements\": leave one of them out",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"S<3,4,3> o 0 o (128,64):(64,1)\"\nunit = \"byte\"",
        "7:8: `unit` is what a swizzle counts, not `byte`; did you mean `bytes`?",
    ),
    (
        "kpack = 8",
        "kpack = 8\nunit = \"bytes\"",
        "8:8: `unit` is what the swizzle of `cute` counts, and the layout is `recipe`: leave it out",
    ),
    // Names of dimensions.
    (
        "mfma-rows 16",
        "foo [again 2, row 64], k [chunk 8, half 8]; lane (row), thread (again, chunk, half)",
        "8:9: the distribution has the dimensions foo, k, but the tile has m, k: write those, in this order",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "cute = \"(64,64):(64,1)\"",
        "6:8: the layout is of [64, 64] elements, and shape says [128, 64]",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "triton = { offset = [[0, 1], [0, 64]] }",
        "6:21: index 64 is out of range: `k` has length 64",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "triton = { vec = 8, maxPhase = 8 }",
        "6:10: triton has no `perPhase`: write `{ vec = 8, perPhase = 1, maxPhase = 8 }`, or bases as `{ offset = [[0, 1], ..] }`",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "triton = { vec = 6, perPhase = 1, maxPhase = 8 }",
        "6:10: vec = 6 is not a power of two",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "iree = \"xor_shuffle<64, 24>\"",
        "6:8: xor_shuffle<64, 24>: both numbers must be powers of two, and a chunk no longer than a row",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "ck = { mldslayer = 1 }",
        "6:6: ck has no `kpack`: write `kpack = 8`",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "stages = \"packed [128, 8, 8]; xr[128, 8] (0, 1) -> (0, 1), pass[8] (2) -> (2);\"",
        "6:10: at byte 20 of the stages: `xr` is not a transform; did you mean `xor`?",
    ),
    (
        "recipe = \"gemm-xor\"\nkpack = 8",
        "stages = \"packed [128, 64]; xor[128, 12] (0, 1) -> (0, 1);\"",
        "6:10: at byte 18 of the stages: stage 1: xor[128, 12] needs length 12, but dimension 1 has length 64",
    ),
    // Accesses.
    ("[{ op", "{ op", "8:63: unexpected key or value, expected newline, `#`"),
    (
        "op = \"ds_read_b128\", ",
        "",
        "8:9: a read of tile A has no `op`: write `op = \"ds_read_b128\"`",
    ),
    ("by =", "bye =", "8:32: unknown key `bye` of a read of tile A; did you mean `by`?"),
    (
        "ds_read_b128",
        "ds_raed_b128",
        "8:16: gfx942 has no instruction `ds_raed_b128`; did you mean `ds_read_b128`?",
    ),
    (
        "ds_read_b128",
        "ds_write_b128",
        "8:16: ds_write_b128 is a write, but it is listed under `read`",
    ),
    (
        "ds_read_b128",
        "ds_read2_b64",
        "8:16: ds_read2_b64 has two addresses: write their offsets, `ds_read2_b64(0, 64)`, or state the `ds_read_b64` that it does twice",
    ),
    (
        "ds_read_b128",
        "ds_read2_b64(0, 300)",
        "8:16: ds_read2_b64(0, 300): write two offsets from 0 to 255, as in `ds_read2_b64(0, 64)`",
    ),
    (
        "mfma-rows 16",
        "split 2 mfma-rows 16",
        "8:37: `split 2 mfma-rows 16`: write the parts and the lane that crosses them, as in `split 2 4 mfma-rows 16`",
    ),
    (
        "mfma-rows 16",
        "split 3 4 mfma-rows 16",
        "8:37: `split 3 4`: the parts are a power of two from 2 to 64, and the lane is 0 or one below 64",
    ),
    (
        "mfma-rows 16",
        "mfma-rows",
        "8:37: `mfma-rows` needs R, a whole number from 1 to 4294967295: write `mfma-rows 16`",
    ),
    (
        "mfma-rows 16",
        "mfma-rows 0",
        "8:37: `mfma-rows 0` needs R, a whole number from 1 to 4294967295: write `mfma-rows 16`",
    ),
    ("mfma-rows 16", "column 3", "8:37: `column 3`: Column takes no number"),
    (
        "mfma-rows 16",
        "m [row 32], k [part 2, pack 4]; lane (part, row)",
        "8:37: at byte 0 of the distribution: factor \"pack\" of k (length 4) has no owner: no lane would hold its other elements",
    ),
    (
        "mfma-rows 16",
        "m [wave 2, row 64], k [k 64]; lane (row), wave (wave), thread (k)",
        "8:37: at byte 42 of the distribution: expected an owner, in the order `repeat [..]`, `wave (..)`, `lane (..)`, `thread (..)`, found `wave`",
    ),
    (
        "mfma-rows 16",
        "m [row 32, k [part 2]; lane (part, row)",
        "8:37: at byte 13 of the distribution: expected a number, found `[part`",
    ),
    (
        "mfma-rows 16",
        "m [up 2, tall 2, row 32], k [deep 4, part 2, half 8]; repeat [left 64], wave (up, left), lane (part, row), thread (deep, tall, half)",
        "8:37: the distribution has 128 waves of 64 lanes, 8192 in all; a block has at most 1024",
    ),
    ("times = 4", "times = 0", "8:61: times = 0: write a whole number from 1 to 1073741824"),
    (
        "times = 4",
        "as = \"sure\"",
        "8:58: `as` does not take `sure`; there are `inferred`, `documented`, `measured`, `disputed`, `rival`",
    ),
    (
        "times = 4",
        "as = \"inferred measured\"",
        "8:58: `as` has both `inferred` and `measured`: write one word for how sure a row must be, `measured`, `documented` or `inferred`",
    ),
    (
        "times = 4",
        "as = \"rival measured disputed\"",
        "8:58: `as` has both `rival` and `disputed`: where two sources disagree, write `disputed` for the row's own or `rival` for the other",
    ),
    (
        "mfma-rows 16",
        "mfma-rows 61",
        "8:9: gfx942 ds_read_b128 by mfma-rows 61: no matrix instruction of a wave of 64 lanes has an operand of 61 rows: there are 4, 16, 32 and 64",
    ),
    (
        "mfma-rows 16",
        "mfma-rows 48",
        "8:9: gfx942 ds_read_b128 by mfma-rows 48: no matrix instruction of a wave of 64 lanes has an operand of 48 rows: there are 4, 16, 32 and 64",
    ),
    (
        "mfma-rows 16",
        "m [again 2, row 64], k [k 64]; repeat [copy 4194304], wave (copy), lane (row), thread (again, k)",
        "8:37: the distribution has 4194304 waves of 64 lanes, 268435456 in all; a block has at most 1024",
    ),
    (
        "m = 128",
        "m = 8",
        "8:9: gfx942 ds_read_b128 by mfma-rows 16: lane 8 would touch (8, 0), outside the tile of [8, 64]: `m` needs a length of 16 or more",
    ),
    (
        "m = 128",
        "m = 8192",
        "8:9: gfx942 ds_read_b128 by mfma-rows 16: the layout takes 1048576 bytes, but a block has 65536",
    ),
];

fn check(text: &str) -> tiledesc_cli::Output {
    run(["tiledesc", "check", "-"], &mut text.as_bytes())
}

#[test]
fn the_file_without_a_mistake_is_free() {
    let output = check(GOOD);
    assert_eq!(output.status, Status::Free, "{}", output.err);
}

#[test]
fn every_mistake_is_named_with_its_place() {
    assert!(MISTAKES.len() >= 30);
    let mut wrong = Vec::new();
    for (from, to, line) in MISTAKES {
        assert_eq!(GOOD.matches(from).count().min(1), 1, "{from} stands in the good file");
        let output = check(&GOOD.replacen(from, to, 1));
        let wanted = format!("<stdin>:{line}");
        // One mistake is one line: what follows from it is not said again.
        let is_said = output.err.trim_end() == wanted;
        if output.status != Status::Invalid || !is_said || !output.out.is_empty() {
            wrong
                .push(format!("{from} -> {to}\n  wanted {wanted}\n  said   {}", output.err.trim()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), MISTAKES.len(), wrong.join("\n"));
}

/// Rows that share their bytes fit into LDS, however many there are.
#[test]
fn an_access_of_too_many_instructions() {
    let same = "strides = [0, 1]\nmay_overlap = true";
    let text =
        GOOD.replace("m = 128", "m = 16777216").replace("recipe = \"gemm-xor\"\nkpack = 8", same);
    assert_eq!(
        check(&text).err.trim_end(),
        "<stdin>:8:9: gfx942 ds_read_b128 by mfma-rows 16: 2097152 instructions are too many: at most 1048576 are judged"
    );
}

/// The second line names the access that needs it, without a list of other names.
#[test]
fn a_distribution_that_is_refused() {
    let held = "[distribution]\nheld = \"m [row 32, k [part 2]; lane (part, row)\"\n\n[tile.A]";
    let output = check(&GOOD.replacen("[tile.A]", held, 1).replacen("mfma-rows 16", "held", 1));
    assert_eq!(
        output.err.lines().collect::<Vec<_>>(),
        [
            "<stdin>:4:8: at byte 13 of the distribution: expected a number, found `[part`",
            "<stdin>:11:37: the distribution `held` is refused where it is named",
        ]
    );
}

/// A tile of which nothing is judged is no green one, in any format; the status is that of a file for `emit` alone.
#[test]
fn a_tile_without_an_access_is_said() {
    let none = GOOD.split_once("read").unwrap().0;
    let said = |words: &[&str], text: &str| {
        let output = run([&["tiledesc", "check", "-"], words].concat(), &mut text.as_bytes());
        assert_eq!(output.status, Status::Free);
        output.out
    };
    let silence = "has no access, so nothing is judged: write `read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`";
    assert_eq!(
        said(&[], none),
        format!("<stdin>:3: A {silence}\nno access of 1 tile: nothing was judged\n")
    );
    assert_eq!(
        said(&["--format", "github"], none),
        format!("::warning file=<stdin>,line=3,col=7,title=no access::A {silence}\n")
    );
    assert!(said(&["--format", "sarif"], none).contains("\"ruleId\": \"no-access\""));
    assert!(!said(&[], GOOD).contains("no access"));
    // What fills it is judged.
    let filled = none.to_string() + "fill = { op = \"global_load_lds_b32\", waves = 4 }\n";
    assert!(!said(&[], &filled).contains("no access, so"));
}

/// `--strict` is of all accesses; what one of them says of itself goes before it.
#[test]
fn an_access_may_accept_what_strict_refuses() {
    let status = |with: &str| {
        let text = GOOD.replace("gfx942", "gfx908").replace(", times = 4", with);
        run(["tiledesc", "check", "-", "--strict"], &mut text.as_bytes()).status
    };
    assert_eq!(status(""), Status::Weak);
    assert_eq!(status(", as = \"inferred\""), Status::Free);
    assert_eq!(status(", as = \"documented\""), Status::Weak);
}

/// A tile and a file may accept it for all their accesses, the nearer first. Of sm_90 most rows are inferred.
#[test]
fn a_tile_and_a_file_accept_evidence() {
    let check = |of_file: &str, of_tile: &str, of_access: &str| {
        let text = format!(
            "version = 1\n{of_file}chips = [\"sm_90\"]\n[tile.A]\n{of_tile}element = \"f16\"\nshape = {{ m = 64, k = 64 }}\n\
             recipe = \"gemm-xor\"\nkpack = 8\nread = [{{ op = \"ldmatrix.x4\", by = \"ldmatrix-rows 16\"{of_access} }}]\n"
        );
        run(["tiledesc", "check", "-", "--strict"], &mut text.as_bytes())
    };
    let (inferred, documented) = ("as = \"inferred\"\n", "as = \"documented\"\n");
    let refused = check("", "", "");
    assert_eq!(refused.status, Status::Weak);
    let advice =
        ": to accept that, write `as = \"inferred\"` in the access, the tile or the file\n";
    assert!(refused.out.contains(advice), "{}", refused.out);
    assert_eq!(check(inferred, "", "").status, Status::Free);
    assert_eq!(check("", inferred, "").status, Status::Free);
    assert_eq!(check(documented, inferred, "").status, Status::Free);
    assert_eq!(check(inferred, documented, "").status, Status::Weak);
    assert_eq!(check(inferred, documented, ", as = \"inferred\"").status, Status::Free);
    for bare in ["inferred", "false_", "true_", "nano"] {
        let said = "<stdin>:2:6: string values must be quoted, as in `\"f16\"`\n";
        assert_eq!(check(&format!("as = {bare}\n"), "", "").err, said);
    }
    assert_eq!(
        check("as = \"rival\"\n", "", "").err,
        "<stdin>:2:6: `disputed` and `rival` choose a source for one access: write them in that access\n"
    );
}

/// Waves that a formula names, or a list has, are those that are stated.
#[test]
fn waves_of_addresses() {
    let said = |addresses: &str| {
        let text = format!(
            "version = 1\nchips = [\"gfx942\"]\n[tile.A]\nbytes = 65536\n\
             read = [{{ op = \"ds_read_b128\", addresses = {addresses} }}]\n"
        );
        let output = check(&text);
        (output.status, output.out + &output.err)
    };
    let formula = "\"wave * 1024 + lane * 16\"";
    let (status, text) = said(formula);
    assert_eq!(status, Status::Invalid);
    assert!(
        text.ends_with("depend on `wave`, but the number of waves is missing: write `waves = 4`\n"),
        "{text}"
    );
    assert_eq!(said(&format!("{formula}, waves = 4")).0, Status::Free);
    // A name that only begins so.
    assert_eq!(said("\"waves = 2; waves * 1024 + lane * 16\"").0, Status::Free);
    let (status, text) = said("[[0, 16], [32, 48]], waves = 4");
    assert_eq!(status, Status::Invalid);
    assert!(
        text.ends_with(
            "addresses lists 2 waves, but waves = 4: leave `waves` out, or list each wave\n"
        ),
        "{text}"
    );
    assert_eq!(said("[[0, 16], [32, 48]], waves = 2").0, Status::Free);
    let option = |access: &str| {
        let words = ["tiledesc", "check", "--chip", "gfx942", "--bytes", "65536", "--read", access];
        run(words, &mut &b""[..]).status
    };
    assert_eq!(option("ds_read_b128 at wave * 1024 + lane * 16"), Status::Invalid);
    assert_eq!(option("ds_read_b128 at wave * 1024 + lane * 16 waves 4 times 2"), Status::Free);
}

/// Both readings of a swizzle are named where they give different answers; a reading that tears an access is ruled out.
#[test]
fn a_swizzle_counts_elements_or_bytes() {
    let asked = |command: &[&str], cute: &str, unit: &[&str]| {
        let words = [
            "--chip",
            "gfx942",
            "--element",
            "f16",
            "--cute",
            cute,
            "--read",
            "ds_read_b128 by mfma-rows 16",
        ];
        run([&["tiledesc"], command, &words, unit].concat(), &mut &b""[..])
    };
    let (atom, emit) = ("S<3,4,3> o 0 o (128,64):(64,1)", &["emit", "--lang", "c"][..]);
    let said = "gfx942 ds_read_b128 by mfma-rows 16 is 2-way in 256 cycles in elements, free of conflicts in bytes";
    for command in [&["check"][..], emit, &["find"], &["show"], &["convert"], &["explain"]] {
        let output = asked(command, atom, &[]);
        assert_eq!(output.status, Status::Invalid, "{command:?}");
        assert!(output.err.contains(said), "{command:?}: {}", output.err);
    }
    assert_eq!(asked(&["check"], atom, &["--unit", "bytes"]).status, Status::Free);
    assert_eq!(asked(&["check"], atom, &["--unit", "elements"]).status, Status::Conflict);
    // 8 bytes that move tear a read of 16: elements are meant.
    let xor = "Sw<3,3,3> o 0 o (128,64):(64,1)";
    assert_eq!(asked(&["check"], xor, &[]).status, Status::Free);
    let in_bytes = asked(emit, "Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)", &[]);
    let offset = |output: &tiledesc_cli::Output| {
        output.out.lines().find(|line| line.contains("return")).map(str::to_string)
    };
    assert_eq!(offset(&asked(emit, xor, &[])), offset(&in_bytes));
    assert!(offset(&in_bytes).is_some());
    // The verdict is one in both, but no address is.
    let rows = [
        "--element",
        "f16",
        "--chip",
        "gfx942",
        "--cute",
        atom,
        "--read",
        "ds_read_b128 by row-major",
    ];
    let run_of = |command: &[&str]| run([&["tiledesc"], command, &rows].concat(), &mut &b""[..]);
    assert_eq!(run_of(&["check"]).status, Status::Free);
    assert!(run_of(emit).err.contains("(1, 0) lies at offset 64 in elements, at 72 in bytes"));
    // Nothing is said twice of bytes.
    let f8 = ["tiledesc", "emit", "--lang", "c", "--element", "f8", "--cute", atom];
    assert_eq!(run(f8, &mut &b""[..]).status, Status::Free);
}

/// A profile is of the chips of its vendor.
#[test]
fn counters_are_of_a_vendor() {
    let file = GOOD.replace("recipe = \"gemm-xor\"\nkpack = 8", "strides = [64, 1]");
    let asked = |text: &str, words: &[&str]| {
        run([&["tiledesc", "counters", "-"], words].concat(), &mut text.as_bytes())
    };
    let [amd, nvidia] = [
        ["--bank-conflict", "300", "--idx-active", "400"],
        ["--wavefronts", "400", "--ideal", "100"],
    ];
    assert!(asked(&file, &amd).out.contains("gfx942: 1 access of the file"));
    assert_eq!(
        asked(&file, &nvidia).err,
        "tiledesc: Nsight Compute's metrics are of NVIDIA's chips, but <stdin> is of gfx942\n"
    );
    let of_nvidia = file.replace("gfx942", "sm_90").replace("ds_read_b128", "ld.shared.b128");
    assert!(asked(&of_nvidia, &nvidia).out.contains("sm_90: 1 access of the file"));
    assert_eq!(
        asked(&of_nvidia, &amd).err,
        "tiledesc: rocprof's counters are of AMD's chips, but <stdin> is of sm_90\n"
    );
}

/// Beside a file one figure is enough: it says how often each access would be done to explain it.
#[test]
fn one_figure_is_enough_beside_a_file() {
    let file = GOOD.replace("recipe = \"gemm-xor\"\nkpack = 8", "strides = [64, 1]");
    let asked = |text: &str, words: &[&str]| {
        run([&["tiledesc", "counters", "-"], words].concat(), &mut text.as_bytes())
    };
    // 16 instructions of 8 phases lose 3 cycles in each, 4 times.
    let once = 4 * 16 * 8 * 3;
    for (option, value, unit, mine) in [
        ("--bank-conflict", 10 * once, "cycles lost to conflicts", once),
        ("--idx-active", 4096, "cycles of work and of conflicts", 2048),
        ("--insts", 32, "instructions", 64),
    ] {
        let found = asked(&file, &[option, &value.to_string()]);
        assert_eq!((found.status, found.err.as_str()), (Status::Free, ""));
        let times = match (value / mine, value % mine) {
            (many, 0) => format!("{many} times"),
            _ => "0.50 times".to_string(),
        };
        let line = format!("  4-way, {mine}: alone it would be done {times}\n");
        let all = format!("  all: {mine} {unit}: the profile's {value} are all of them, {times}\n");
        assert!(found.out.starts_with(&format!("{value} {unit}; --")), "{}", found.out);
        assert!(found.out.contains(&line) && found.out.ends_with(&all), "{}", found.out);
    }
    let none = asked(&file, &["--bank-conflict", "0"]).out;
    assert!(none.contains(&format!("4-way, {once}: the profile has none of it")), "{none}");
    let free = asked(GOOD, &["--bank-conflict", "7"]).out;
    assert!(free.contains("1-way, 0: it does not explain the profile"), "{free}");
    assert!(
        free.ends_with("the profile's are of an access that the file does not state\n"),
        "{free}"
    );
    // Nsight Compute's conflicts alone.
    let of_nvidia = file.replace("gfx942", "sm_90").replace("ds_read_b128", "ld.shared.b128");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("conflicts.csv");
    let table = "\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n\
        \"k\",\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\",\"768\"\n";
    std::fs::write(&path, table).unwrap();
    let path = path.display().to_string();
    let found = asked(&of_nvidia, &["--profile", &path]).out;
    assert!(
        found.contains(
            "\n768 cycles lost to conflicts; l1tex__data_pipe_lsu_wavefronts_mem_shared beside it"
        ),
        "{found}"
    );
    let alone = run(["tiledesc", "counters", "--profile", &path], &mut &b""[..]).err;
    assert!(alone.contains("is in it alone: measure l1tex__data_pipe_lsu_wavefronts_mem_shared beside it, or name a FILE"), "{alone}");
    let none = run(["tiledesc", "counters", "--bank-conflict", "7"], &mut &b""[..]).err;
    assert!(none.ends_with("one of them is enough beside a FILE\n"), "{none}");
}

/// Options are the same text, and name themselves instead of a line.
#[test]
fn mistakes_of_options() {
    let tile =
        ["tiledesc", "check", "--chip", "gfx942", "--element", "f16", "--shape", "m=128,k=64"];
    let cases: &[(&[&str], &str)] = &[
        (&["--strides", "64"], "--strides: strides: 2 lengths but 1 stride\n"),
        (&["--strides", "64,"], "--strides: strides: 2 lengths but 1 stride\n"),
        (
            &["--strides", "64] #"],
            "tiledesc: --strides: `64] #` is not a value: unexpected content, expected nothing\n",
        ),
        (
            &["--recipe", "gemm-xor", "--with", "kpack"],
            "tiledesc: --with: `kpack` is not of the form `NAME=VALUE`, as in `m=128`\n",
        ),
        (
            &["--recipe", "gemm-xor", "--with", "k pack=8"],
            "tiledesc: --with: `k pack` is not a valid name: use letters, digits, `_` and `-`\n",
        ),
        (
            &["--strides", "64,1", "--read", "ds_read_b128"],
            "tiledesc: --read: `ds_read_b128` is not an access: write `--read 'ds_read_b128 by row-major'`\n",
        ),
        (&["--cute", "(128;64):(64,1)"], "--cute: at byte 4: expected `,` or `)`\n"),
        (
            &["--cute", "make_layout(make_shape(bM, _64{}))"],
            "--cute: at byte 23: `bM` has no value here: write it before, as in `bM = 128;`, or the number in its place\n",
        ),
        (
            &["kernel.toml"],
            "tiledesc: --element describes one tile without a file, but kernel.toml is given too: leave one of them out\n",
        ),
    ];
    for (options, said) in cases {
        let output = run(tile.iter().chain(*options), &mut &b""[..]);
        assert_eq!((output.status, output.err.as_str()), (Status::Invalid, *said));
    }
    // A pipeline, fp4 of bytes, a view's stage.
    let options = |words: &[&str]| {
        run(["tiledesc", "check", "--chip", "sm_100"].iter().chain(words), &mut &b""[..]).err
    };
    let fp4 = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8, fp4Padded = true}>";
    assert_eq!(
        options(&["--element", "f4", "--shape", "m=128,k=128", "--triton", fp4]),
        "--triton: elements of 8 bits, but an element of `f4` has 4; a layout of fp4 counts bytes, two elements in each: write `element = \"u8\"`, and half as many along the contiguous dimension\n"
    );
    assert_eq!(
        options(&[
            "--element",
            "f16",
            "--cute",
            "(128,64,3):(64,1,8192)",
            "--read",
            "ldmatrix.x4 by ldmatrix-rows 16"
        ]),
        "--read: sm_100 ldmatrix.x4 by ldmatrix-rows 16: the pattern needs a tile of 2 dimensions, but this one has 3; for a pipeline, state one stage without its mode, or write the access as a distribution\n"
    );
    let view = "version = 1\nchips = [\"sm_80\"]\n[tile.A]\nelement = \"f16\"\nshape = { m = 8, k = 16 }\nrecipe = \"gemm-xor\"\nkpack = 8\n\
                view = { of = { m = 8, k = 64 }, by = \"pass[8] (0) -> (0), slice[0, 16, 64] (1) -> (1)\" }\n";
    let output = run(["tiledesc", "check", "-"], &mut view.as_bytes());
    assert_eq!(
        output.err,
        "<stdin>:8:39: at byte 0 of the view: slice[0, 16, 64] needs length 0, but dimension 1 has length 64\n"
    );
    let output = run(["tiledesc", "check", "no such file.toml"], &mut &b""[..]);
    assert!(output.err.starts_with("tiledesc: no such file.toml: "), "{}", output.err);
    let output = run(["tiledesc", "check", "-"], &mut &b"version = \xff"[..]);
    assert_eq!(output.err, "tiledesc: <stdin>: not UTF-8 from byte 10 on\n");
}

/// What is wrong with an access hides its own tile, and no other: in each format, and with status 2 all the same.
#[test]
fn the_other_tiles_are_judged() {
    let tile = |name: &str, pitch: u32| {
        format!(
            "[tile.{name}]\nelement = \"f16\"\nshape = {{ m = 128, k = 64 }}\nstrides = [{pitch}, 1]\n\
             read = [{{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }}]\n"
        )
    };
    let head = "version = 1\nchips = [\"gfx942\"]\n";
    // Rows of 136 bytes: the second is not aligned to the 16 of the read.
    let (text, alone) = (
        format!("{head}{}{}", tile("A", 68), tile("B", 64)),
        format!("{head}\n\n\n\n\n{}", tile("B", 64)),
    );
    let said = |text: &str, format: &str| {
        run(["tiledesc", "check", "-", "--format", format], &mut text.as_bytes())
    };
    let both = said(&text, "text");
    assert_eq!(both.status, Status::Invalid);
    assert_eq!(both.out, said(&alone, "text").out);
    assert!(both.out.contains("B gfx942 ds_read_b128 mfma-rows 16  4-way"), "{both:?}");
    assert!(
        both.err.starts_with("<stdin>:7:9: gfx942 ds_read_b128 by mfma-rows 16: byte 136"),
        "{both:?}"
    );
    let json: serde_json::Value = serde_json::from_str(&said(&text, "json").out).unwrap();
    assert_eq!((json["status"].as_u64(), json["faults"].as_array().unwrap().len()), (Some(2), 1));
    assert_eq!(
        (json["tiles"].as_array().unwrap().len(), &json["tiles"][0]["name"]),
        (1, &"B".into())
    );
    let github = said(&text, "github").out;
    assert!(github.contains("byte 136") && github.contains("4-way"), "{github}");
}

/// A tensor of 31 GB is no tile, and it is said what counts its elements; that is no answer to a stride below 0.
#[test]
fn a_tensor_is_not_a_tile() {
    let said = |shape: &str, strides: &str| {
        let text = format!(
            "version = 1\n[tile.G]\nelement = \"f16\"\nshape = {{ {shape} }}\nstrides = {strides}\n"
        );
        check(&text).err
    };
    let tensor = "; a tile is a part of such a tensor, whose elements the header's `_rows_offset` counts in 64 bits\n";
    for (shape, strides, says) in [
        (
            "m = 125000, k = 125000",
            "[125000, 1]",
            "the element space of 15625000000 elements exceeds 32-bit offsets",
        ),
        ("m = 128, k = 64", "[5000000000, 1]", "a number of strides = 5000000000: write a whole"),
    ] {
        let found = said(shape, strides);
        assert!(found.contains(says) && found.ends_with(tensor), "{found}");
    }
    let negative = said("m = 128, k = 64", "[-64, 1]");
    assert!(!negative.is_empty() && !negative.contains("tensor"), "{negative}");
}
