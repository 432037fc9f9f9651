//! CK Tile's own rules over a graph of `tests/golden/ck_tile`, written from its README
//! alone: signed 32-bit indices, moves that add differences, and claims of vectors that
//! are passed on and never checked. Nothing of the library is used.

use crate::{int, ints, list, text};
use serde_json::{Value, json};

/// One transform between hidden dimensions.
struct Step {
    json: Value,
    lower: Vec<usize>,
    upper: Vec<usize>,
}

/// A finished graph, `flat`.
pub struct Graph {
    steps: Vec<Step>,
    hidden: usize,
    bottom: Vec<usize>,
    top: Vec<usize>,
}

fn ids(value: &Value) -> Vec<usize> {
    ints(value).into_iter().map(|id| usize::try_from(id).unwrap()).collect()
}

fn word(value: &Value) -> i32 {
    i32::try_from(int(value)).unwrap()
}

fn words(value: &Value) -> Vec<i32> {
    list(value).iter().map(word).collect()
}

/// The sum of indices times strides, in wrapping 32 bits.
fn dot(indices: &[i32], strides: &[i32]) -> i32 {
    let terms = indices.iter().zip(strides).map(|(i, stride)| i.wrapping_mul(*stride));
    terms.fold(0, i32::wrapping_add)
}

/// What one step of each digit counts, the last one fastest.
fn places(lengths: &[i32]) -> Vec<i32> {
    let mut places = vec![1i32; lengths.len()];
    for d in (1..lengths.len()).rev() {
        places[d - 1] = places[d].wrapping_mul(lengths[d]);
    }
    places
}

/// The quotient by a magic multiplier, of the dividend's bits: what is negative becomes
/// large.
fn magic_quotient(dividend: i32, divisor: i32) -> i32 {
    let (n, d) = (u64::from(dividend.cast_unsigned()), u64::from(divisor.cast_unsigned()));
    let shift = d.next_power_of_two().trailing_zeros();
    let multiplier = (((1 << shift) - d) << 32) / d + 1;
    ((((n * multiplier) >> 32) as u32).wrapping_add(n as u32) as u64 >> shift) as i32
}

/// Digits of a merged index; the first is not reduced.
fn digits(index: i32, lengths: &[i32], quotient: fn(i32, i32) -> i32) -> Vec<i32> {
    let (mut rest, mut digits) = (index, vec![0; lengths.len()]);
    for d in (1..lengths.len()).rev() {
        let above = quotient(rest, lengths[d]);
        digits[d] = rest.wrapping_sub(above.wrapping_mul(lengths[d]));
        rest = above;
    }
    digits[0] = rest;
    digits
}

impl Step {
    fn kind(&self) -> &str {
        text(&self.json["type"])
    }

    fn field(&self, name: &str) -> i32 {
        word(&self.json[name])
    }

    /// The upper lengths.
    fn lengths(&self) -> Vec<i32> {
        let lengths = || words(&self.json["lengths"]);
        match self.kind() {
            "pad" => vec![self.field("low_length") + self.field("left") + self.field("right")],
            "left_pad" => vec![self.field("low_length") + self.field("left")],
            "right_pad" => vec![self.field("low_length") + self.field("right")],
            "slice" => vec![self.field("end") - self.field("begin")],
            "merge" | "merge_divmod" => vec![lengths().iter().product()],
            "embed" | "unmerge" | "replicate" | "xor" => lengths(),
            "freeze" => vec![],
            _ => vec![self.field("length")],
        }
    }

    /// The lower indices.
    fn lower(&self, up: &[i32]) -> Vec<i32> {
        let lengths = || words(&self.json["lengths"]);
        match self.kind() {
            "merge" => digits(up[0], &lengths(), magic_quotient),
            "merge_divmod" => digits(up[0], &lengths(), i32::wrapping_div),
            "freeze" => vec![self.field("index")],
            "modulo" => vec![up[0].wrapping_rem(self.field("modulus"))],
            "xor" => vec![up[0], up[1] ^ up[0].wrapping_rem(lengths()[1])],
            "indexing" => vec![self.field("cached")],
            "pad" | "left_pad" => vec![up[0].wrapping_sub(self.field("left"))],
            "slice" => vec![up[0].wrapping_add(self.field("begin"))],
            "offset" => vec![up[0].wrapping_add(self.field("offset"))],
            _ => self.difference(up),
        }
    }

    /// How far the lower indices of a linear transform move with the upper ones.
    fn difference(&self, up: &[i32]) -> Vec<i32> {
        match self.kind() {
            "embed" => vec![dot(up, &words(&self.json["strides"]))],
            "unmerge" => vec![dot(up, &places(&words(&self.json["lengths"])))],
            "insert" | "replicate" => vec![],
            "freeze" => vec![0],
            "pass_through" | "pad" | "left_pad" | "right_pad" | "slice" | "offset" | "indexing" => {
                vec![up[0]]
            }
            other => panic!("{other} is not linear"),
        }
    }

    fn accepts(&self, up: &[i32]) -> bool {
        if self.json["skip_check"] == Value::Bool(true) {
            return true;
        }
        let below = |left: i32| up[0].wrapping_sub(left) < self.field("low_length");
        match self.kind() {
            "pad" => up[0] >= self.field("left") && below(self.field("left")),
            "left_pad" => up[0] >= self.field("left"),
            "right_pad" => below(0),
            _ => true,
        }
    }

    /// Returns whether ours gives another lower index: CK divides signed numbers, and its xor takes
    /// a modulo also of an index past the end.
    fn differs(&self, up: &[i32]) -> bool {
        match self.kind() {
            "merge" | "merge_divmod" | "modulo" => up[0] < 0,
            "xor" => !(0..words(&self.json["lengths"])[0]).contains(&up[0]),
            _ => false,
        }
    }

    /// Returns whether ours judges the index otherwise: a left pad also ends, a right pad begins.
    fn judges_otherwise(&self, up: &[i32]) -> bool {
        match self.kind() {
            "left_pad" => up[0].wrapping_sub(self.field("left")) >= self.field("low_length"),
            "right_pad" => up[0] < 0,
            _ => false,
        }
    }
}

impl Graph {
    pub fn new(flat: &Value) -> Self {
        let step = |json: &Value| Step {
            json: json.clone(),
            lower: ids(&json["lower"]),
            upper: ids(&json["upper"]),
        };
        let steps = list(&flat["transforms"]).iter().map(step).collect();
        let hidden = usize::try_from(int(&flat["ndim_hidden"])).unwrap();
        Self { steps, hidden, bottom: ids(&flat["bottom"]), top: ids(&flat["top"]) }
    }

    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Returns whether a transform of this type is in it.
    pub fn has(&self, kind: &str) -> bool {
        self.steps.iter().any(|step| step.kind() == kind)
    }

    /// The lengths of the top dimensions.
    pub fn lengths(&self) -> Vec<i32> {
        let length = |id: &usize| {
            let at = |step: &Step| Some(step.lengths()[step.upper.iter().position(|u| u == id)?]);
            self.steps.iter().find_map(at).unwrap_or_else(|| panic!("nothing makes {id}"))
        };
        self.top.iter().map(length).collect()
    }

    /// The bottom dimensions among the hidden ones.
    pub fn bottom(&self, hidden: &[i32]) -> Vec<i32> {
        self.bottom.iter().map(|id| hidden[*id]).collect()
    }

    /// Every hidden dimension of a top index.
    pub fn evaluate(&self, index: &[i32]) -> Vec<i32> {
        let mut hidden = vec![0; self.hidden];
        self.top.iter().zip(index).for_each(|(id, i)| hidden[*id] = *i);
        for step in self.steps.iter().rev() {
            let up = step.upper.iter().map(|id| hidden[*id]).collect::<Vec<_>>();
            step.lower.iter().zip(step.lower(&up)).for_each(|(id, i)| hidden[*id] = i);
        }
        hidden
    }

    /// The transforms and their upper indices.
    fn uppers(&self, hidden: &[i32]) -> impl Iterator<Item = (&Step, Vec<i32>)> {
        let up = |step: &Step| step.upper.iter().map(|id| hidden[*id]).collect();
        self.steps.iter().map(move |step| (step, up(step)))
    }

    /// Returns whether every transform accepts its upper index.
    pub fn accepts(&self, hidden: &[i32]) -> bool {
        self.uppers(hidden).all(|(step, up)| step.accepts(&up))
    }

    /// Returns whether some transform has another rule than ours at these indices.
    pub fn differs(&self, hidden: &[i32]) -> bool {
        self.uppers(hidden).any(|(step, up)| step.differs(&up))
    }

    /// Returns whether some transform judges these indices otherwise than ours.
    pub fn judges_otherwise(&self, hidden: &[i32]) -> bool {
        self.uppers(hidden).any(|(step, up)| step.judges_otherwise(&up))
    }

    /// Returns whether it pads, so that an index may leave the range of a transform.
    pub fn pads(&self) -> bool {
        ["pad", "left_pad", "right_pad"].iter().any(|kind| self.has(kind))
    }

    /// CK's move: differences of linear transforms are added, others are computed again,
    /// and an `indexing` keeps its lower index but passes the difference on.
    pub fn advance(&self, hidden: &mut [i32], difference: &[i32]) {
        let mut diff = vec![0; self.hidden];
        for (id, by) in self.top.iter().zip(difference) {
            (diff[*id], hidden[*id]) = (*by, hidden[*id].wrapping_add(*by));
        }
        for step in self.steps.iter().rev() {
            let of = |all: &[i32]| step.upper.iter().map(|id| all[*id]).collect::<Vec<_>>();
            let again = matches!(step.kind(), "merge" | "merge_divmod" | "xor" | "modulo");
            let low = if again { step.lower(&of(hidden)) } else { step.difference(&of(&diff)) };
            for (id, value) in step.lower.iter().zip(low) {
                let was = hidden[*id];
                let is = if again { value } else { was.wrapping_add(value) };
                diff[*id] = is.wrapping_sub(was);
                hidden[*id] = if step.kind() == "indexing" { was } else { is };
            }
        }
    }
}

/// The finished graph of a staged form: the schema hands out hidden ids in order.
pub fn flatten(build: &Value) -> Value {
    let base = &build["base"];
    let mut graph = Flat { nodes: Vec::new(), hidden: 1, top: Vec::new() };
    let below = match text(&base["kind"]).strip_suffix("_with_offset") {
        Some(_) => {
            let offset = json!({"type": "offset", "length": space(base), "offset": base["offset"]});
            graph.attach(&offset, vec![0], 1)
        }
        None => vec![0],
    };
    let lengths = plain(&base["lengths"]);
    graph.top = match text(&base["kind"]) {
        kind if kind.starts_with("packed") => {
            graph.attach(&json!({"type": "unmerge", "lengths": lengths}), below, lengths.len())
        }
        _ => {
            let embed = json!({"type": "embed", "lengths": lengths, "strides": strides(base)});
            graph.attach(&embed, below, lengths.len())
        }
    };
    list(&build["stages"]).iter().for_each(|stage| graph.stage(stage));
    json!({"ndim_hidden": graph.hidden, "transforms": graph.nodes, "bottom": [0], "top": graph.top})
}

struct Flat {
    nodes: Vec<Value>,
    hidden: usize,
    top: Vec<usize>,
}

impl Flat {
    /// Adds a transform; its new ids.
    fn attach(&mut self, json: &Value, lower: Vec<usize>, count: usize) -> Vec<usize> {
        let upper: Vec<usize> = (self.hidden..self.hidden + count).collect();
        let mut node = json!({"lower": lower, "upper": upper});
        for (field, value) in json.as_object().unwrap() {
            // The lower length of a slice is that of its dimension.
            if field != "low_length" || json["type"] != "slice" {
                node[field] = if value.is_array() {
                    plain(value).into()
                } else if value.is_number() || value.is_object() {
                    int(value).into()
                } else {
                    value.clone()
                };
            }
        }
        self.nodes.push(node);
        self.hidden += count;
        upper
    }

    fn stage(&mut self, stage: &Value) {
        let (lower, upper) = (list(&stage["lower"]), list(&stage["upper"]));
        let transforms = list(&stage["transforms"]);
        assert_eq!([lower.len(), upper.len()], [transforms.len(); 2], "lists of a stage");
        let rank = upper.iter().map(|ids| list(ids).len()).sum();
        let mut top = vec![usize::MAX; rank];
        for ((json, lower), upper) in transforms.iter().zip(lower).zip(upper) {
            let below = ids(lower).into_iter().map(|d| self.top[d]).collect();
            let upper = ids(upper);
            let made = self.attach(json, below, upper.len());
            upper.iter().zip(made).for_each(|(d, id)| top[*d] = id);
        }
        self.top = top;
    }
}

fn plain(value: &Value) -> Vec<i64> {
    ints(value)
}

/// The strides of a base: as given, or with rows padded to a multiple of `align`.
fn strides(base: &Value) -> Vec<i64> {
    if base["kind"] != "aligned" {
        return plain(&base["strides"]);
    }
    let (lengths, align) = (plain(&base["lengths"]), int(&base["align"]));
    let mut strides = vec![1; lengths.len()];
    for d in (1..lengths.len()).rev() {
        let last = d + 1 == lengths.len();
        let length = if last { (lengths[d] + align - 1) / align * align } else { lengths[d] };
        strides[d - 1] = strides[d] * length;
    }
    strides
}

/// The element space of a base.
pub fn space(base: &Value) -> i64 {
    let lengths = plain(&base["lengths"]);
    if text(&base["kind"]).starts_with("packed") {
        return lengths.iter().product();
    }
    let reach = lengths.iter().zip(strides(base)).map(|(length, stride)| (length - 1) * stride);
    1 + reach.sum::<i64>()
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A claim of a vector: length and stride, -1 for none.
pub type Claim = (i64, i64);

/// The claims that CK makes of every top dimension: promises of the base, passed on.
/// With `packed_stride`, a packed base that promises no length still promises stride 1.
pub fn claims(build: &Value, flat: &Value, packed_stride: bool) -> Vec<Claim> {
    let promise = promise(&build["base"], packed_stride);
    let mut claims = vec![(-1, -1); usize::try_from(int(&flat["ndim_hidden"])).unwrap()];
    for (step, rt) in list(&flat["transforms"]).iter().zip(run_time(build)) {
        let (lower, upper) = (ids(&step["lower"]), ids(&step["upper"]));
        let below = lower.iter().map(|id| claims[*id]).collect::<Vec<_>>();
        let above = passed_on(step, &below, upper.len(), rt);
        upper.iter().zip(above).for_each(|(id, claim)| claims[*id] = claim);
        if upper.contains(&promise.0) {
            let (length, stride) = promise.1;
            let claim = &mut claims[promise.0];
            *claim = (
                if length == -1 { claim.0 } else { length },
                if stride == -1 { claim.1 } else { stride },
            );
        }
    }
    ids(&flat["top"]).into_iter().map(|id| claims[id]).collect()
}

/// The hidden dimension that a base promises a vector of, and the vector.
fn promise(base: &Value, packed_stride: bool) -> (usize, Claim) {
    let given = |field: &str| base.get(field).map_or(-1, int);
    let length = given("guaranteed_vector_length");
    let packed = text(&base["kind"]).starts_with("packed");
    let stride = match packed {
        true if length != -1 || packed_stride => 1,
        true => -1,
        false => given("guaranteed_vector_stride"),
    };
    let offset = text(&base["kind"]).ends_with("_with_offset");
    (if offset { 1 } else { plain(&base["lengths"]).len() }, (length, stride))
}

/// Of each transform in turn, whether its last length is given at run time.
fn run_time(build: &Value) -> Vec<bool> {
    let rt = |json: &Value| {
        json["lengths"].as_array().and_then(|l| l.last()).is_some_and(Value::is_object)
    };
    let base = &build["base"];
    let offset = text(&base["kind"]).ends_with("_with_offset").then_some(false);
    let stages = list(&build["stages"]).iter().flat_map(|stage| list(&stage["transforms"]));
    offset.into_iter().chain([rt(base)]).chain(stages.map(rt)).collect()
}

/// The claims of the upper dimensions, from those of the lower ones. `rt`: the last length
/// is known at run time only, and CK takes it for 0.
fn passed_on(step: &Value, below: &[Claim], count: usize, rt: bool) -> Vec<Claim> {
    match text(&step["type"]) {
        "pass_through" | "right_pad" | "left_pad" | "xor" => below.to_vec(),
        "merge" | "merge_divmod" => vec![*below.last().unwrap()],
        "unmerge" => {
            let last = if rt { 0 } else { *ints(&step["lengths"]).last().unwrap() };
            let (length, stride) = below[0];
            let mut above = vec![(-1, -1); count];
            above[count - 1] = (if length == -1 { -1 } else { gcd(length, last) }, stride);
            above
        }
        _ => vec![(-1, -1); count],
    }
}
