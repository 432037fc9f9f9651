//! Cases of kind `direct_load_plan`: what a source says of loads that go straight to LDS, beside
//! our plan of the same tile.
//!
//! A tile with fewer bytes than one instruction moves is what one lane moves: its rows are repeated
//! for each lane. A refused case of which another chip has the transfer must be possible there, so that
//! no field of it is left unread.

use crate::formula::evaluate;
use crate::published::{Case, Expected, Figure, Read};
use serde_json::Value;
use tiledesc::Plan;
use tiledesc::chip::{self, Chip};
use tiledesc::direct::{DirectError, DirectLoad, Request, Source};

/// The tile of a case, by its chip or by another that has the transfer.
struct Tile {
    plan: Plan,
    bits: u32,
    waves: u32,
    wave: u32,
    data: u32,
    columns: u32,
}

pub fn figures(case: Case<'_>) -> Read<Vec<Figure>> {
    let tile = Tile::of(case)?;
    let chip = chip::find(case.text("arch")?).map_err(|error| error.to_string())?;
    let valid = case.0["valid"].as_bool().ok_or("valid is neither true nor false")?;
    let source = Source::rows(tile.columns);
    let request = tile.request(chip, source);
    let planned = request.and_then(|request| request.plan().map_err(Ok));
    match planned {
        Ok(plan) if valid => {
            let found = case.expected()?.into_iter().map(|figure| tile.figure(&plan, figure));
            Ok(found.collect::<Read<Vec<_>>>()?.into_iter().flatten().collect())
        }
        Err(Ok(refused)) if !valid => tile.reasons(case, refused, source),
        Err(Err(wrong)) => Err(wrong),
        Ok(plan) => Err(format!("refused by its source, ours has {} loads", plan.loads())),
        Err(Ok(refused)) => Err(format!("ours is refused: {refused}")),
    }
}

impl Tile {
    fn of(case: Case<'_>) -> Read<Self> {
        let small = |key: &str| -> Read<u32> {
            let number = case.number(key)?;
            u32::try_from(number).map_err(|_| format!("{key} is {number}"))
        };
        let shape = case.0["tile_shape"].as_array().ok_or("tile_shape is not a list")?;
        let [rows, columns] = shape[..].iter().filter_map(Value::as_u64).collect::<Vec<_>>()[..]
        else {
            return Err("tile_shape does not have two lengths".to_owned());
        };
        let (wave, threads, data) =
            (small("subgroup_size")?, small("workgroup_size")?, small("transfer_bytes")?);
        if wave == 0 || threads % wave > 0 {
            return Err(format!("{threads} lanes are not a whole number of waves of {wave}"));
        }
        let bytes = small("element_bytes")?;
        let is_of_a_lane = rows * columns * u64::from(bytes) < u64::from(wave * data);
        let rows = if is_of_a_lane { rows * u64::from(threads) } else { rows };
        let lengths = [rows, columns].map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        let plan = Plan::packed(&lengths).map_err(|error| error.to_string())?;
        let waves = threads / wave;
        Ok(Self { plan, bits: 8 * bytes, waves, wave, data, columns: lengths[1] })
    }

    /// The load on a chip: refused (`Ok`), or a case that says what cannot be.
    fn request<'a>(
        &'a self,
        chip: &Chip,
        source: Source<'a>,
    ) -> Result<Request<'a>, Read<DirectError>> {
        if chip.wave() != self.wave {
            return Err(Err(format!("{} has waves of {}", chip.name(), chip.wave())));
        }
        let Some(transfer) = chip.transfer(self.data) else {
            return Err(Ok(DirectError::no_transfer(self.data, chip.name())));
        };
        Ok(Request::new(&self.plan, self.bits, source, transfer).waves(self.waves))
    }

    /// The reason of a refusal, which must name the chip that has the transfer, if that is ours.
    fn reasons(
        &self,
        case: Case<'_>,
        refused: DirectError,
        source: Source<'_>,
    ) -> Read<Vec<Figure>> {
        let mut found = Vec::new();
        for Expected { key, value, .. } in case.expected()? {
            if key != "reject_reason" {
                return Err(format!("a figure this test does not know: {key}"));
            }
            let reason = value.as_str().ok_or("reject_reason is not a string")?;
            let words = || reason.split(|c: char| !c.is_alphanumeric());
            let holds = match refused {
                DirectError::NoTransfer { data, elsewhere: Some(other), .. } => {
                    let chip = chip::find(other).map_err(|error| error.to_string())?;
                    let there = self.request(chip, source).and_then(|r| r.plan().map_err(Ok));
                    let bytes = data.to_string();
                    there.is_ok()
                        && words().any(|word| word == other)
                        && words().any(|word| word == bytes)
                }
                DirectError::NoTransfer { .. } => false,
                _ => true,
            };
            found.push(Figure::new(key, reason, refused, holds));
        }
        Ok(found)
    }

    fn figure(&self, plan: &DirectLoad<'_>, figure: Expected<'_>) -> Read<Vec<Figure>> {
        let total = self.plan.elements() * u64::from(self.bits) / 8;
        let ours = match figure.key {
            "num_subgroups" => plan.waves().into(),
            "subgroup_bytes" => total / u64::from(plan.waves()),
            "loads_per_lane" => plan.loads().into(),
            "bytes_per_instruction" => plan.chunk().into(),
            "lane_stride_bytes" => plan.transfer().stride().map_or(0, u64::from),
            "lds_base_formula" => return self.bases(plan, figure),
            "source_index_formula" => return self.sources(plan, figure),
            "source_index_rule" => return self.rule(plan, figure),
            "samples" => return self.samples(plan, figure),
            _ => return figure.unknown().map(|()| Vec::new()),
        };
        let theirs = figure.natural()?;
        Ok(vec![Figure::new(figure.key, theirs, ours, theirs == ours)])
    }

    /// A formula of wave `s`, load `j` and `lane`, set beside every lane of ours.
    fn everywhere(
        &self,
        plan: &DirectLoad<'_>,
        figure: Expected<'_>,
        holds: impl Fn(&[(&str, i64)], [u32; 3]) -> Read<bool>,
    ) -> Read<Vec<Figure>> {
        let mut differs = None;
        for s in 0..plan.waves() {
            for j in 0..plan.loads() {
                for lane in 0..self.wave {
                    let names = [("s", s.into()), ("j", j.into()), ("lane", lane.into())];
                    if !holds(&names, [s, j, lane])? {
                        differs = differs.or(Some([s, j, lane]));
                    }
                }
            }
        }
        let told = differs.map_or("every lane".to_owned(), |at| format!("not at {at:?}"));
        Ok(vec![Figure::new(figure.key, figure.value, told, differs.is_none())])
    }

    fn bases(&self, plan: &DirectLoad<'_>, figure: Expected<'_>) -> Read<Vec<Figure>> {
        let formula = figure.value.as_str().ok_or("a formula is not a string")?;
        self.everywhere(plan, figure, |names, [s, j, _]| {
            Ok(evaluate(formula, names)? == i64::from(plan.base(s, j)))
        })
    }

    /// `[4*s + j, lane]`
    fn sources(&self, plan: &DirectLoad<'_>, figure: Expected<'_>) -> Read<Vec<Figure>> {
        let formula = figure.value.as_str().ok_or("a formula is not a string")?;
        let inside = formula.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let inside = inside.ok_or_else(|| format!("no coordinate: {formula}"))?;
        self.everywhere(plan, figure, |names, at| {
            let theirs = inside.split(',').map(|part| evaluate(part, names));
            Ok(theirs.collect::<Read<Vec<_>>>()? == coordinate(plan, at)?)
        })
    }

    /// `linear = j*64 + lane (elements) in the 4x64 slice of subgroup s`
    fn rule(&self, plan: &DirectLoad<'_>, figure: Expected<'_>) -> Read<Vec<Figure>> {
        let text = figure.value.as_str().ok_or("a rule is not a string")?;
        let rule =
            text.strip_prefix("linear =").and_then(|rest| rest.split_once("(elements) in the "));
        let slice = rule.and_then(|(_, slice)| slice.strip_suffix(" slice of subgroup s"));
        let sides = slice.and_then(|slice| slice.split_once('x'));
        let (Some((formula, _)), Some((rows, columns))) = (rule, sides) else {
            return Err(format!("a rule this test does not know: {text}"));
        };
        let (rows, columns) = (evaluate(rows, &[])?, evaluate(columns, &[])?);
        let of_ours = self.plan.elements() as i64 / i64::from(self.waves);
        if rows * columns != of_ours || columns != i64::from(self.columns) {
            return Err(format!("a slice has {of_ours} elements in rows of {}", self.columns));
        }
        self.everywhere(plan, figure, |names, at| {
            let ours = coordinate(plan, at)?;
            let linear = ours[0] * columns + ours[1] - i64::from(at[0]) * rows * columns;
            Ok(evaluate(formula, names)? == linear)
        })
    }

    fn samples(&self, plan: &DirectLoad<'_>, figure: Expected<'_>) -> Read<Vec<Figure>> {
        let samples = figure.list()?;
        if samples.is_empty() {
            return Err("no samples".to_owned());
        }
        samples.iter().map(|sample| self.sample(plan, sample)).collect()
    }

    fn sample(&self, plan: &DirectLoad<'_>, sample: &Value) -> Read<Figure> {
        let fields = sample.as_object().ok_or("a sample is not an object")?;
        if fields.keys().any(|key| !["s", "j", "lane", "src", "lds"].contains(&key.as_str())) {
            return Err(format!("a sample of fields this test does not know: {sample}"));
        }
        let number = |key: &str| sample[key].as_u64().ok_or_else(|| format!("{key} in {sample}"));
        let (s, j, lane) = (number("s")?, number("j")?, number("lane")?);
        if s >= plan.waves().into() || j >= plan.loads().into() || lane >= self.wave.into() {
            return Err(format!("there is no such lane: {sample}"));
        }
        let at = [s, j, lane].map(|n| n as u32);
        let (ours, lds) = (coordinate(plan, at)?, plan.lds(at[0], at[1], at[2]));
        let theirs = sample["src"].as_array().ok_or("src is not a list")?;
        let same = theirs.iter().map(Value::as_i64).eq(ours.iter().copied().map(Some));
        let holds = same && number("lds")? == u64::from(lds);
        Ok(Figure::new("samples", sample, format!("{ours:?} to {lds}"), holds))
    }
}

fn coordinate(plan: &DirectLoad<'_>, [s, j, lane]: [u32; 3]) -> Read<Vec<i64>> {
    let unit = plan.unit(s, j, lane).ok_or("an idle lane")?;
    Ok(unit.coordinate().as_slice().iter().map(|i| i64::from(*i)).collect())
}
