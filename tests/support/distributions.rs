//! Reads CK Tile's tile distributions and space-filling curves, every field of them.

use serde_json::Value;
use tiledesc::distribution::{DistributionError, Encoding, Place};
use tiledesc::{List, Node, Op, Plan, access::Curve};

/// What a table says that is not so.
pub type Read<T = ()> = Result<T, String>;

/// Checks a tile distribution, and its graph by what makes it; says how many points it has.
pub fn distribution(
    json: &Value,
    graph_of: impl Fn(&Encoding) -> Result<Plan, DistributionError>,
) -> Read<usize> {
    fields(
        json,
        "schema kind name encoding ndim_x ndim_p ndim_y x_lengths y_lengths top_lengths \
         thread_buffer_size total flat y_to_d x_index sample",
    )?;
    same("schema", natural(&json["schema"])?, 1)?;
    same("kind", json["kind"].as_str(), Some("tile_distribution"))?;
    let (encoding, p_count) = encoding(&json["encoding"])?;
    let plan = graph_of(&encoding).map_err(|error| error.to_string())?;

    same("x_lengths", &naturals(&json["x_lengths"])?[..], encoding.lengths().as_slice())?;
    same("y_lengths", &naturals(&json["y_lengths"])?[..], encoding.ys().as_slice())?;
    same("top_lengths", &naturals(&json["top_lengths"])?[..], plan.lengths().as_slice())?;
    same("thread_buffer_size", natural(&json["thread_buffer_size"])?, encoding.elements())?;
    same("total", u64::from(natural(&json["total"])?), plan.elements())?;
    same("ndim_x", natural(&json["ndim_x"])? as usize, encoding.rank())?;
    same("ndim_p", natural(&json["ndim_p"])? as usize, p_count)?;
    same("ndim_y", natural(&json["ndim_y"])? as usize, encoding.ys().len())?;

    elements(&encoding, &naturals(&json["y_to_d"])?)?;
    graph(&plan, &json["flat"])?;
    points(&encoding, &plan, json)
}

/// The encoding, and the number of its P dimensions.
pub fn encoding(json: &Value) -> Read<(Encoding, usize)> {
    fields(json, "rs hs ps_major ps_minor ys_major ys_minor")?;
    let list = |field: &str| naturals(&json[field]);
    let lists = |field: &str| -> Read<Vec<Vec<u32>>> {
        items(&json[field])?.iter().map(naturals).collect()
    };
    let (hs, ps_major, ps_minor) = (lists("hs")?, lists("ps_major")?, lists("ps_minor")?);
    let [hs, ps_major, ps_minor] = [&hs, &ps_major, &ps_minor]
        .map(|lists| lists.iter().map(Vec::as_slice).collect::<Vec<&[u32]>>());
    let ys = (list("ys_major")?, list("ys_minor")?);
    let made = Encoding::ck(&list("rs")?, &hs, (&ps_major, &ps_minor), (&ys.0, &ys.1));
    Ok((made.map_err(|error| error.to_string())?, ps_major.len()))
}

fn elements(encoding: &Encoding, y_to_d: &[u32]) -> Read {
    same("entries of y_to_d", y_to_d.len(), encoding.elements() as usize)?;
    for (id, element) in y_to_d.iter().enumerate() {
        let ys = encoding.ys().nth(id as u64);
        same("y_to_d", encoding.element(ys.as_slice()), Ok(*element))?;
    }
    Ok(())
}

/// The graph, with its hidden ids.
fn graph(plan: &Plan, json: &Value) -> Read {
    fields(json, "ndim_hidden transforms bottom top")?;
    same("ndim_hidden", natural(&json["ndim_hidden"])? as usize, plan.hidden_count())?;
    same("bottom", &naturals(&json["bottom"])?[..], List::iota(plan.bottom_count()).as_slice())?;
    same("top", &naturals(&json["top"])?[..], plan.top().as_slice())?;
    let nodes = items(&json["transforms"])?;
    same("the number of transforms", nodes.len(), plan.nodes().len())?;
    for (json, node) in nodes.iter().zip(plan.nodes()) {
        fields(json, "type lengths lower upper")?;
        let list = |field: &str| -> Read<List> {
            List::from_slice(&naturals(&json[field])?).map_err(|fault| format!("{fault:?}"))
        };
        let lengths = list("lengths")?;
        let op = match json["type"].as_str() {
            Some("replicate") => Op::Replicate { lengths },
            Some("unmerge") => Op::Unmerge { lengths },
            Some("merge") => Op::Merge { lengths },
            other => return Err(format!("{other:?} in a distribution")),
        };
        same("transform", node, &Node { op, lower: list("lower")?, upper: list("upper")? })?;
    }
    Ok(())
}

fn points(encoding: &Encoding, plan: &Plan, json: &Value) -> Read<usize> {
    let ids: Vec<u64> = match json.get("sample") {
        Some(sample) => naturals(sample)?.into_iter().map(u64::from).collect(),
        None => (0..plan.elements()).collect(),
    };
    let (x_index, rank) = (naturals(&json["x_index"])?, encoding.rank());
    same("entries of x_index", x_index.len(), rank * ids.len())?;
    if ids.is_empty() {
        return Err("no points".to_owned());
    }
    for (id, x) in ids.iter().zip(x_index.chunks(rank)) {
        if *id >= plan.elements() {
            return Err(format!("point {id} does not exist"));
        }
        let index = plan.nth(*id);
        let (ps, ys) = index.as_slice().split_at(index.len() - encoding.ys().len());
        let (wave, lane) = match ps {
            [lane] => (0, *lane),
            [wave, lane] => (*wave, *lane),
            _ => return Err("neither (lane) nor (wave, lane)".to_owned()),
        };
        let element = encoding.element(ys).map_err(|error| error.to_string())?;
        let ours = encoding.coordinate(wave, lane, element).map_err(|error| error.to_string())?;
        same("coordinate", ours.as_slice(), x)?;
        same("coordinate by the plan", plan.bottom(index.as_slice()), Ok(ours))?;
        let copies = (0..encoding.replicas()).map(|copy| encoding.owner_of_copy(x, copy));
        let found = copies.filter(|place| *place == Ok(Place { wave, lane, element })).count();
        same("owners that are this lane", found, 1)?;
    }
    Ok(ids.len())
}

/// Checks a space-filling curve; says how many accesses it has.
pub fn curve(json: &Value) -> Read<usize> {
    fields(
        json,
        "schema kind name tensor_lengths dim_access_order scalars_per_access snake num_access \
         indices forward_steps",
    )?;
    same("schema", natural(&json["schema"])?, 1)?;
    same("kind", json["kind"].as_str(), Some("space_filling_curve"))?;
    let list = |field: &str| naturals(&json[field]);
    let lengths = list("tensor_lengths")?;
    let curve = Curve::new(&lengths, &list("dim_access_order")?, &list("scalars_per_access")?)
        .map_err(|error| error.to_string())?;
    let snake = json["snake"].as_bool().ok_or("snake is neither true nor false")?;
    let curve = if snake { curve.snake() } else { curve };

    let count = curve.accesses();
    same("num_access", natural(&json["num_access"])?, count)?;
    let (indices, steps) = (items(&json["indices"])?, items(&json["forward_steps"])?);
    same("the number of indices", indices.len(), count as usize)?;
    same("the number of steps", steps.len() + 1, count as usize)?;
    for (access, index) in (0..).zip(indices) {
        let ours = curve.index(access).map_err(|error| error.to_string())?;
        same("index", &naturals(index)?[..], ours.as_slice())?;
    }
    for (access, wanted) in (0..).zip(steps) {
        let wanted: Vec<i64> = items(wanted)?.iter().filter_map(Value::as_i64).collect();
        let ours: Vec<i64> = match lengths.len() {
            1 => step::<1>(&curve, access)?,
            2 => step::<2>(&curve, access)?,
            3 => step::<3>(&curve, access)?,
            4 => step::<4>(&curve, access)?,
            5 => step::<5>(&curve, access)?,
            rank => return Err(format!("a curve of {rank} dimensions")),
        };
        same("step", ours, wanted)?;
    }
    Ok(count as usize)
}

fn step<const RANK: usize>(curve: &Curve, access: u32) -> Read<Vec<i64>> {
    let step = curve.step::<RANK>(access).map_err(|error| error.to_string())?;
    Ok(step.into_iter().map(i64::from).collect())
}

fn same<T: PartialEq + core::fmt::Debug>(what: &str, one: T, other: T) -> Read {
    if one == other { Ok(()) } else { Err(format!("{what}: {one:?} and {other:?}")) }
}

/// Refuses a field that is not known.
fn fields(json: &Value, known: &str) -> Read {
    let object = json.as_object().ok_or("not an object")?;
    match object.keys().find(|key| !known.split_whitespace().any(|known| known == *key)) {
        Some(key) => Err(format!("an unknown field: {key}")),
        None => Ok(()),
    }
}

fn items(json: &Value) -> Read<&Vec<Value>> {
    json.as_array().ok_or_else(|| format!("not a list: {json}"))
}

fn natural(json: &Value) -> Read<u32> {
    let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| format!("not a natural number: {json}"))
}

fn naturals(json: &Value) -> Read<Vec<u32>> {
    items(json)?.iter().map(natural).collect()
}
