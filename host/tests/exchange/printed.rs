//! Layouts as Triton's IR and Gluon print them have the bases that Triton computes (`tests/golden/triton`, Triton 3.9).

use serde_json::Value;
use support::{naturals, text};
use tiledesc::List;
use tiledesc_host::exchange::triton::{Bases, Nvmma, Swizzled, distributed, shared};

/// Those committed, or those of another file of the same kind.
fn cases() -> Vec<Value> {
    let own =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/triton/printed_layouts.json");
    let file = std::env::var("PRINTED_LAYOUTS").unwrap_or_else(|_| own.to_owned());
    let json: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!((text(&json["kind"]), json["version"].as_u64()), ("printed_layouts", Some(1)));
    json["cases"].as_array().unwrap().clone()
}

fn images(value: &Value) -> Vec<List> {
    value.as_array().unwrap().iter().map(|image| List::new(&naturals(image))).collect()
}

fn brings(image: &List) -> bool {
    image.as_slice().iter().any(|index| *index > 0)
}

/// The texts of a case: of the IR, with an alias and a line's end, and of Gluon.
fn texts(case: &Value) -> [String; 4] {
    let [attribute, gluon] = ["text", "gluon"].map(|key| text(&case[key]));
    [
        attribute.to_owned(),
        format!(" #shared1 = {attribute}\n"),
        gluon.to_owned(),
        format!("gl.{gluon}"),
    ]
}

#[test]
fn shared_layouts() {
    let mut count = 0;
    for case in cases().iter().filter(|case| case["of"] == "shared") {
        let lengths = List::new(&naturals(&case["shape"]));
        let wanted = Bases::new(lengths, &images(&case["offset"])).unwrap().plan().unwrap();
        for text in texts(case) {
            let plan = shared(&text, Some(lengths)).unwrap_or_else(|e| panic!("{text}: {e}"));
            for number in 0..plan.elements() {
                let at = lengths.nth(number);
                assert_eq!(
                    plan.offset(at.as_slice()),
                    wanted.offset(at.as_slice()),
                    "{text} {at:?}"
                );
            }
        }
        let attribute = text(&case["text"]);
        let again = Nvmma::parse(attribute).map(|one| one.to_string());
        let again = again.or_else(|_| Swizzled::parse(attribute).map(|one| one.to_string()));
        assert_eq!(again.as_deref().unwrap_or(attribute), attribute);
        count += 1;
    }
    assert!(count > 10, "{count}");
}

#[test]
fn register_layouts() {
    let mut count = 0;
    for case in cases().iter().filter(|case| case["of"] == "registers") {
        let lengths = List::new(&naturals(&case["shape"]));
        let [mut register, lane, warp] =
            ["register", "lane", "warp"].map(|owner| images(&case[owner]));
        register.retain(brings);
        for text in texts(case) {
            let found = distributed(&text, Some(lengths)).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(found.lengths(), lengths, "{text}");
            assert_eq!(
                [found.register(), found.lane(), found.warp()],
                [&register[..], &lane, &warp],
                "{text}"
            );
        }
        count += 1;
    }
    assert!(count > 50, "{count}");
}

#[test]
fn other_texts_are_refused() {
    let said = |text: &str| distributed(text, Some(List::pair(64, 64))).unwrap_err().to_string();
    let mma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 16]}>";
    // The place is that in the whole text.
    let operand = format!("#ttg.dot_op<{{opIdx = 0, parent = {mma}, kWidth = 2}}>");
    for text in [mma, &operand] {
        let at = text.find("[16, 16]").unwrap();
        assert_eq!(
            said(text),
            format!(
                "at byte {at}: expected [16, 8] of version 2, or [16, n, k] of version 3 with a power of two n from 8 to 256"
            )
        );
    }
    let blocked = |order: &str| {
        format!(
            "#ttg.blocked<{{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = {order}}}>"
        )
    };
    let twice = said(&blocked("[1, 1]"));
    assert!(twice.ends_with("expected an order that names each dimension once"), "{twice}");
    let longer = said(&blocked("[2, 1, 0]"));
    assert!(longer.ends_with("expected a power of two for each dimension"), "{longer}");
    let three = distributed(&blocked("[1, 0]"), Some(List::new(&[2, 64, 64]))).unwrap_err();
    assert_eq!(three.to_string(), "a layout of 2 dimensions, and the tile has 3");
    let nested = (0..20)
        .fold(blocked("[1, 0]"), |parent, _| format!("#ttg.slice<{{dim = 0, parent = {parent}}}>"));
    assert!(said(&nested).ends_with("at most 8 layouts within each other"), "{}", said(&nested));
    assert_eq!(
        said("#ttg.dpas<{repeatCount = 8}>"),
        "at byte 0: expected `#ttg.linear`, `blocked`, `slice`, `dot_op`, `nvidia_mma`, `amd_mfma` or `amd_wmma`, or Gluon's name of it"
    );
    let wmma = |version: u32, bases: &str| {
        format!(
            "#ttg.amd_wmma<{{version = {version}, isTranspose = false, ctaLayout = {{warp = {bases}}}}}>"
        )
    };
    assert_eq!(said(&wmma(4, "[]")), "at byte 25: expected version 1, 2 or 3");
    // Every second instruction, and a base of two dimensions.
    for bases in ["[[0, 2]]", "[[1, 1]]"] {
        assert!(
            said(&wmma(2, bases))
                .contains("do not count each dimension from the nearest instruction on")
        );
    }
    let partitions = "PartitionedSharedLayout(2, 1, 0, SwizzledSharedLayout(8, 1, 8, [1, 0]))";
    let refused = shared(partitions, Some(List::pair(64, 32))).unwrap_err().to_string();
    assert_eq!(
        refused,
        "each partition lies in a memory of its own, at an address that the compiler chooses: state one of them, a tile of \
         [32, 32] in `gl.SwizzledSharedLayout(vec=8, per_phase=1, max_phase=4, order=[1, 0])`, read by the waves that hold its pieces"
    );
    for (text, said) in [
        (partitions.replace("2, 1, 0", "2, 3, 0"), "at byte 27: expected a power of two"),
        (partitions.replace("2, 1, 0", "2, 64, 0"), "a tile of [64, 32] cannot be divided into 2 * 64 pieces along dimension 0"),
        (partitions.replace("2, 1, 0", "2, 1, 2"), "a tile of [64, 32] cannot be divided into 2 * 1 pieces along dimension 2"),
        (partitions.replace("(8, 1", "(3, 1"), "at byte 54: expected a power of two"),
        (
            "#ttg.partitioned_shared<{numPartitions = 2, numGroups = 2, partitionDim = 0, partitionLayout = \
             #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [64, 32]}>}>".to_string(),
            "the shape of partitionLayout is [64, 32], but a piece is [16, 32]",
        ),
    ] {
        assert_eq!(shared(&text, Some(List::pair(64, 32))).unwrap_err().to_string(), said, "{text}");
    }
    let large = blocked("[1, 0]").replace("[8, 4]", "[1048576, 1073741824]");
    for lengths in [None, Some(List::pair(64, 64))] {
        assert!(distributed(&large, lengths).is_err());
    }
    let small = "NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16)";
    assert_eq!(
        shared(small, Some(List::pair(64, 32))).unwrap_err().to_string(),
        "64 lines of 32 elements: a swizzle of 128 bytes has at least 8 lines of 64"
    );
}
