//! `--format json` on random tiles: it is of its schema, and says what the library says of layouts,
//! patterns and rows that are made here without the command line.

use serde_json::Value;
use std::io::Read;
use support::fuzz::Dice;
use tiledesc::chip::Chip;
use tiledesc::pattern::Lanes;
use tiledesc::{
    Error, Plan,
    access::Placed,
    chip::{self, Access, Instruction},
    recipe,
};
use tiledesc_cli::run;

// A small part of JSON Schema: what `tiledesc schema` uses.

fn is_of(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    let fail = |what: String| Err(format!("{what}: {value}"));
    for (word, wanted) in schema.as_object().unwrap() {
        match (word.as_str(), wanted) {
            ("$ref", wanted) => {
                let name = wanted.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                is_of(value, &root["$defs"][name], root)?;
            }
            ("type", wanted) => {
                let is = |wanted: &Value| match wanted.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64(),
                    "null" => value.is_null(),
                    other => panic!("the type {other} is not read"),
                };
                // One type, or several of which it has one.
                let each = wanted.as_array().map_or(core::slice::from_ref(wanted), Vec::as_slice);
                if !each.iter().any(is) {
                    return fail(format!("not of type {wanted}"));
                }
            }
            ("const", wanted) if value != wanted => return fail(format!("not {wanted}")),
            ("enum", wanted) if !wanted.as_array().unwrap().contains(value) => {
                return fail(format!("none of {wanted}"));
            }
            ("minimum", wanted) if !value.is_null() && value.as_u64() < wanted.as_u64() => {
                return fail(format!("less than {wanted}"));
            }
            ("maximum", wanted) if value.as_u64() > wanted.as_u64() => {
                return fail(format!("more than {wanted}"));
            }
            ("minItems" | "maxItems", wanted) => {
                let found = value.as_array().map(|items| items.len() as u64);
                let is_less = word == "minItems" && found < wanted.as_u64();
                if found.is_some() && (is_less || word == "maxItems" && found > wanted.as_u64()) {
                    return fail(format!("not {word} {wanted}"));
                }
            }
            ("anyOf" | "oneOf", wanted) => {
                let mut each = wanted.as_array().unwrap().iter();
                if !each.any(|one| is_of(value, one, root).is_ok()) {
                    return fail("none of several".to_string());
                }
            }
            ("required", wanted) => {
                let missing = wanted
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|key| value.get(key.as_str().unwrap()).is_none());
                if let Some(missing) = missing {
                    return fail(format!("{missing} is missing"));
                }
            }
            ("properties", wanted) => {
                for (key, schema) in wanted.as_object().unwrap() {
                    value.get(key).map_or(Ok(()), |value| is_of(value, schema, root))?;
                }
            }
            ("additionalProperties", Value::Bool(false)) => {
                let known = schema["properties"].as_object().unwrap();
                let mut keys = value.as_object().into_iter().flat_map(|object| object.keys());
                let unknown = keys.find(|key| !known.contains_key(*key));
                if let Some(unknown) = unknown {
                    return fail(format!("{unknown} is not in the schema"));
                }
            }
            ("items", wanted) => {
                for value in value.as_array().into_iter().flatten() {
                    is_of(value, wanted, root)?;
                }
            }
            ("const" | "enum" | "minimum" | "maximum" | "format", _) => {}
            ("$schema" | "$defs" | "title" | "description", _) => {}
            (other, _) => panic!("the word {other} of the schema is not read"),
        }
    }
    Ok(())
}

fn schema(of: &str) -> Value {
    let printed = run(["tiledesc", "schema", of], &mut std::io::empty());
    serde_json::from_str(&printed.out).unwrap()
}

/// A tile as text, and as the library has it.
struct Drawn {
    text: String,
    plan: Result<Plan, Error>,
    bits: u32,
    accesses: Vec<(Lanes<'static>, Instruction)>,
    /// Whether each pattern is of an operand that there is.
    has_operands: bool,
}

fn layout(dice: &mut Dice, [m, k]: [u32; 2], bits: u32) -> (String, Result<Plan, Error>) {
    let (pack, pad) = (dice.of(&[4, 8, 16]), dice.of(&[0, 4, 8, 16]));
    match dice.below(6) {
        0 => ("recipe = \"row-major\"".to_string(), Plan::packed(&[m, k])),
        1 => {
            let plan = Plan::naive(&[m, k], &[k + pad, 1]);
            (format!("recipe = \"RowPad\"\npadding = {pad}"), plan)
        }
        2 => {
            let layers = recipe::mlds_layer(k, bits, 32);
            let plan = recipe::gemm_xor(m, k, pack, layers);
            (format!("recipe = \"gemm-xor\"\nkpack = {pack}"), plan)
        }
        3 => {
            let plan = recipe::gemm_xor(m, k, pack, 2);
            (format!("ck = {{ kpack = {pack}, mldslayer = 2 }}"), plan)
        }
        4 => {
            let plan = Plan::naive(&[m, k], &[1, m + pad]);
            (format!("strides = {{ k = {}, m = 1 }}", m + pad), plan)
        }
        _ => {
            let words = format!(
                "packed [{m}, {k}/8, 8]; xor[{m}, {k}/8] (0, 1) -> (0, 1), pass[8] (2) -> (2); pass[{m}] (0) -> (0), merge[{k}/8, 8] (1, 2) -> (1);"
            );
            (format!("stages = \"{words}\""), recipe::gemm_xor(m, k, 8, 1))
        }
    }
}

fn pattern(dice: &mut Dice) -> (String, Lanes<'static>) {
    let rows = dice.of(&[8, 16, 32]);
    let (name, lanes) = match dice.below(6) {
        0 => ("row-major".to_string(), Lanes::row_major()),
        1 => ("column".to_string(), Lanes::column()),
        2 => ("Diagonal".to_string(), Lanes::diagonal()),
        3 => (format!("wmma-rows {rows}"), Lanes::repeated_rows(rows)),
        4 => (format!("MfmaRows<{rows}>"), Lanes::rows(rows)),
        _ => (format!("strided {rows}"), Lanes::strided(rows)),
    };
    if dice.below(3) == 0 { (format!("first {name}"), lanes.first()) } else { (name, lanes) }
}

fn draw(dice: &mut Dice) -> Drawn {
    let chip: &Chip = chip::find(dice.of(&["gfx942", "gfx950", "gfx1201", "sm_90"])).unwrap();
    let (element, bits) = dice.of(&[("f16", 16), ("f32", 32), ("fp8", 8), ("bf16", 16)]);
    let shape = [dice.of(&[16, 32, 64, 128]), dice.of(&[32, 64, 128])];
    let (words, plan) = layout(dice, shape, bits);
    let [m, k] = shape;
    let head =
        format!("version = 1\nchips = [\"{}\"]\n[tile.T]\nelement = \"{element}\"", chip.name());
    let mut text = format!("{head}\nshape = {{ m = {m}, k = {k} }}\n{words}\n");
    let (mut accesses, mut has_operands) = (Vec::new(), true);
    for (key, direction) in [("write", Access::Write), ("read", Access::Read)] {
        let rows: Vec<_> = chip
            .rows()
            .iter()
            .filter(|row| row.access() == direction && row.parts() == 1 && row.bytes() >= 4)
            .collect();
        text += &format!("{key} = [\n");
        for _ in 0..=dice.below(2) {
            let (row, (by, lanes)) = (dice.of(&rows), pattern(dice));
            text += &format!("  {{ op = \"{}\", by = \"{by}\", times = 3 }},\n", row.name());
            has_operands &= has_operand(&by, row.service().phases.wave());
            accesses.push((lanes, *row));
        }
        text += "]\n";
    }
    Drawn { text, plan, bits, accesses, has_operands }
}

/// Whether a matrix instruction of such a wave has an operand of the rows that a pattern names.
fn has_operand(by: &str, wave: usize) -> bool {
    let Some((_, rows)) = by.split_once("wmma-rows ").or_else(|| by.split_once("MfmaRows<")) else {
        return true;
    };
    match (rows.trim_end_matches('>'), wave) {
        ("16" | "32", _) => true,
        // `mma` has 8 columns of B; MFMA 4 rows, which are not drawn.
        ("8", wave) => wave == 32,
        (other, _) => panic!("{other} rows are not drawn"),
    }
}

/// What the library says; `None` of what it refuses.
fn known<'d>(drawn: &'d Drawn, plan: &'d Plan) -> Option<Vec<tiledesc::bank::Verdict<'d>>> {
    if !drawn.has_operands {
        return None;
    }
    let each = drawn.accesses.iter().map(|(lanes, row)| {
        Placed::new(plan, drawn.bits, *lanes, row).and_then(|placed| placed.verdict()).ok()
    });
    each.collect()
}

fn agrees(drawn: &Drawn, json: &Value, status: u8) {
    let plan = drawn.plan.as_ref().ok().filter(|plan| plan.injective().is_ok());
    let verdicts = plan.and_then(|plan| known(drawn, plan));
    let Some(verdicts) = verdicts else {
        assert_eq!(status, 2, "{}", drawn.text);
        assert!(!json["faults"].as_array().unwrap().is_empty());
        return;
    };
    // By the row's own source: what another one finds is a note.
    let is_free = |verdict: &tiledesc::bank::Verdict<'_>| {
        verdict.degree() <= 1 && verdict.conflicts().race.is_none()
    };
    let all_free = verdicts.iter().all(is_free);
    assert_eq!(status, u8::from(!all_free), "{}", drawn.text);
    let accesses = json["tiles"][0]["accesses"].as_array().unwrap();
    assert_eq!(accesses.len(), verdicts.len());
    for (said, verdict) in accesses.iter().zip(&verdicts) {
        assert_eq!(said["degree"], verdict.degree(), "{}", drawn.text);
        assert_eq!(said["worst_degree"], verdict.worst_degree());
        assert_eq!(said["free"], is_free(verdict));
        assert_eq!(said["instructions"], verdict.instructions());
        assert_eq!(said["base_cycles"], verdict.base_cycles());
        assert_eq!(said["conflict_cycles"], verdict.conflict_cycles());
        assert_eq!(said["active_cycles"], verdict.base_cycles() + verdict.conflict_cycles());
        assert_eq!(said["evidence"]["level"], verdict.weakest().evidence.name());
        let counted = said["counters"].get("sq_lds_bank_conflict");
        assert!(counted.is_none_or(|cycles| *cycles == 3 * verdict.conflict_cycles()));
        let lanes = verdict.pair().map(|[a, b]| serde_json::json!([a, b]));
        assert_eq!(said["meeting"].get("lanes"), lanes.as_ref());
        // The paragraph of the library holds the sentence.
        assert!(verdict.to_string().contains(said["sentence"].as_str().unwrap()));
    }
}

#[test]
fn json_says_what_the_library_says() {
    let (mut dice, schema) = (Dice(20_261_122), schema("check"));
    let mut counts = [0; 3];
    for _ in 0..support::fuzz::times(600) {
        let drawn = draw(&mut dice);
        let command = ["tiledesc", "check", "-", "--format", "json"];
        let output = run(command, &mut drawn.text.as_bytes());
        let json: Value = serde_json::from_str(&output.out).unwrap();
        is_of(&json, &schema, &schema).unwrap_or_else(|why| panic!("{why}\n{}", drawn.text));
        agrees(&drawn, &json, output.status as u8);
        counts[output.status as usize] += 1;
    }
    println!("{} free, {} with conflicts, {} refused", counts[0], counts[1], counts[2]);
    // Of each kind some: free is one tile in 60.
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

#[test]
fn the_schema_refuses_what_is_not_of_it() {
    let schema = schema("check");
    let good = run(
        ["tiledesc", "check", "tests/cmd/tour.in/kernel.toml", "--format", "json"],
        &mut &b""[..],
    );
    let good: Value = serde_json::from_str(&good.out).unwrap();
    assert_eq!(is_of(&good, &schema, &schema), Ok(()));
    for spoil in [
        |json: &mut Value| json["status"] = 4.into(),
        |json: &mut Value| json["more"] = 1.into(),
        |json: &mut Value| json["tiles"][0]["accesses"][0]["degree"] = (-1).into(),
        |json: &mut Value| json["tiles"][0]["accesses"][0]["counters"] = Value::Null,
        |json: &mut Value| {
            json["tiles"][0].as_object_mut().unwrap().remove("bits");
        },
    ] {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert!(is_of(&bad, &schema, &schema).is_err(), "{bad}");
    }
}

/// What `find` says of random tiles, and `audit` of kernels of each kind, a refused text among them.
#[test]
fn each_report_is_of_its_schema() {
    let (mut dice, find) = (Dice(7), schema("find"));
    for _ in 0..40 {
        let drawn = draw(&mut dice);
        let output = run(["tiledesc", "find", "-", "--json"], &mut drawn.text.as_bytes());
        let json: Value = serde_json::from_str(&output.out).unwrap();
        is_of(&json, &find, &find).unwrap_or_else(|why| panic!("{why}\n{}", drawn.text));
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/compiled/");
    let against = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/tour.in/kernel.toml");
    let (audit, mut kernels) = (schema("audit"), 0);
    for name in ["gemm-gfx942.s.gz", "gemm-sm_90.ptx.gz", "README.md"] {
        let mut text = Vec::new();
        let bytes = std::fs::read(format!("{folder}{name}")).unwrap_or_default();
        let _ = flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text);
        for more in [&[][..], &["--against", against]] {
            let words = [&["tiledesc", "audit", "-", "--format", "json"], more].concat();
            let output = run(words, &mut text.as_slice());
            let Ok(json) = serde_json::from_str::<Value>(&output.out) else { continue };
            is_of(&json, &audit, &audit).unwrap_or_else(|why| panic!("{why}\n{name}"));
            kernels += json["files"][0]["kernels"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(kernels > 1, "{kernels} kernels");
}

#[test]
fn a_remedy_is_found_for_any_number_of_accesses() {
    for count in [1, 64, 65, 200] {
        let access = "{ op = \"ds_read_b128\", by = \"mfma-rows 32\" },\n";
        let text = format!(
            "version = 1\nchips = [\"gfx950\"]\n[tile.A]\nelement = \"f16\"\nshape = {{ m = 32, k = 64 }}\n\
             strides = [64, 1]\nread = [\n{}]\n",
            access.repeat(count)
        );
        let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
        let json: Value = serde_json::from_str(&output.out).unwrap();
        let found = json["tiles"][0]["remedies"].as_array().unwrap();
        assert!(!found.is_empty(), "{count} accesses");
    }
}
