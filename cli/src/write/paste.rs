//! The Rust lines to paste: the layout as a type, and the statement that the compiler checks.

use crate::answer::check::Checked;
use crate::answer::instead::Instead;
use crate::answer::judge::Judged;
use crate::answer::stages;
use crate::report::access::Ruling;
use crate::report::find::Row;
use crate::request::access::Access;
use crate::request::held::{Held, split_of};
use crate::request::instruction;
use crate::request::operand::is_operand;
use crate::request::spelling::plain;
use std::fmt::Write;
use tiledesc::Plan;
use tiledesc::chip::Chip;
use tiledesc::chip::Instruction;
use tiledesc::pattern::NAMED;
use tiledesc::recipe::{Shape, Spec};

/// The lines of one tile; of a tile that conflicts, the layout that is free instead.
pub(crate) fn lines(one: &Checked<'_>, rows: &[Row]) -> String {
    of_layout(one, rows, one.free().first())
}

/// The lines of one tile as it is, beside other code of the same layout.
pub(crate) fn lines_as_it_is(one: &Checked<'_>, rows: &[Row]) -> String {
    of_layout(one, rows, None)
}

fn of_layout(one: &Checked<'_>, rows: &[Row], free: Option<&Instead>) -> String {
    let name = type_of(&one.tile.name);
    let mut text = "use tiledesc::prelude::*;\n\n".to_string();
    let own = rows.iter().find(|row| row.own).and_then(|row| row.layout);
    let conflicts = one.judged.iter().any(|one| one.report.ruling.is_conflict());
    match (free, own) {
        (Some(instead), _) => {
            text += "// Free of conflicts, in place of the layout as it is.\n";
            layout(&mut text, &name, one, (Some(instead.cost.layout), &instead.plan));
        }
        (None, own) => {
            if conflicts {
                text += "// It has conflicts: the compiler refuses the statement below, and says where.\n";
            }
            layout(&mut text, &name, one, (own, &one.tile.layout.plan));
        }
    }
    if one.judged.iter().any(|one| one.report.ruling == Ruling::Weak) {
        text += "// The evidence is weaker than the statement demands: the compiler refuses that too.\n";
    }
    let mut declared = Vec::new();
    for access in &one.tile.accesses {
        declared.push(by(&mut text, &name, access, declared.len()));
    }
    text += &statement(&name, one, &declared);
    text
}

/// `A` as the name of a type that no name of the prelude is.
fn type_of(name: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() && upper => out.push(c.to_ascii_uppercase()),
            c if c.is_ascii_alphanumeric() => out.push(c),
            _ => {}
        }
        upper = !c.is_ascii_alphanumeric();
    }
    let first = if out.starts_with(|c: char| c.is_ascii_digit()) { "Of" } else { "" };
    format!("{first}{out}Tile")
}

/// The layout: a recipe if it is one, otherwise its transforms.
fn layout(text: &mut String, name: &str, one: &Checked<'_>, (recipe, plan): (Option<Spec>, &Plan)) {
    let (tile, element) = (one.tile, one.tile.element.code);
    let shape = Shape::from_plan(plan, tile.element.bits);
    if let (Some(layout), Some(shape)) = (recipe, shape) {
        let line = layout.text(element, shape);
        let _ = write!(text, "layout! {{\n    pub type {name} = {};\n}}\n", line.as_str());
        return;
    }
    // A recipe is of rows and columns; a tile of other dimensions has it as stages.
    match stages::write(plan) {
        Ok(stages) => {
            let lines: Vec<_> =
                stages.trim_end().lines().map(|line| format!("        {line}")).collect();
            let _ = write!(
                text,
                "descriptor! {{\n    pub type {name}Stages:\n{}\n}}\n",
                lines.join("\n")
            );
            let overlaps = match plan.prove_injective() {
                Ok(()) => "",
                Err(_) => "    #[may_overlap]\n",
            };
            let _ = write!(
                text,
                "layout! {{\n{overlaps}    pub type {name} = Layout<{element}, {name}Stages>;\n}}\n"
            );
        }
        Err(why) => {
            let _ = writeln!(text, "// The layout has no form as stages: {why}.");
        }
    }
}

/// The type of what the lanes touch, declared if it must be; `None` if it has no form in Rust.
fn by(text: &mut String, name: &str, access: &Access, number: usize) -> Option<String> {
    match &access.lanes {
        Held::Ready(_) => {
            let whole = pattern(&access.words)?;
            match whole.strip_prefix("first ") {
                Some(rest) if is_split(access) => Some(format!("first {}", in_parts(access, rest))),
                _ => Some(in_parts(access, &whole)),
            }
        }
        Held::Addresses(_) | Held::Data(_) => None,
        Held::Distribution(..) | Held::Split(..) => {
            let words = access.words.trim_end_matches([';', ' ']);
            let ours = !["register", "#ttg", "type "].iter().any(|other| words.starts_with(other))
                && !is_operand(words);
            let held = format!("{name}Held{number}");
            if ours {
                let _ = write!(text, "distribution! {{\n    pub type {held}: {words};\n}}\n");
            }
            ours.then(|| in_parts(access, &held))
        }
    }
}

fn is_split(access: &Access) -> bool {
    matches!(split_of(&access.by), Ok(Some(_)))
}

/// A type as it is, or `Split<MfmaRows<16>, 2, 4>` of accesses in parts.
fn in_parts(access: &Access, whole: &str) -> String {
    match split_of(&access.by) {
        Ok(Some(([parts, lane], _))) => format!("Split<{whole}, {parts}, {lane}>"),
        _ => whole.to_string(),
    }
}

/// `mfma-rows 32` as `MfmaRows<32>`, `first mfma-rows 32` as `first MfmaRows<32>`.
fn pattern(by: &str) -> Option<String> {
    let mut words: Vec<_> = by.split_whitespace().collect();
    let is_first = words.first() == Some(&"first");
    if is_first {
        words.remove(0);
    }
    let named =
        NAMED.iter().find(|named| plain(named.name()) == plain(words.first().unwrap_or(&"")))?;
    let number = words.get(1).map(|number| format!("<{number}>")).unwrap_or_default();
    let name = format!("{}{number}", named.name());
    Some(if is_first { format!("first {name}") } else { name })
}

/// The statement: of each chip and each demand on its evidence the accesses.
fn statement(name: &str, one: &Checked<'_>, declared: &[Option<String>]) -> String {
    let (mut lines, mut heads) = (String::new(), Vec::<(String, String)>::new());
    for judged in &one.judged {
        let at = one.tile.accesses.iter().position(|access| std::ptr::eq(access, judged.access));
        let (direction, op) = (judged.report.access, op(judged));
        let Some(Some(by)) = at.and_then(|at| declared.get(at)) else {
            let _ =
                writeln!(lines, "// {direction} {op}: `{}` has no form here.", judged.access.by);
            continue;
        };
        let head = format!("    {name} on {}{}:\n", judged.chip.name(), demands(judged));
        let line = format!("        {direction} {op} by {by},\n");
        match heads.iter_mut().find(|(known, _)| *known == head) {
            Some((_, lines)) if !lines.contains(&line) => *lines += &line,
            Some(_) => {}
            None => heads.push((head, line)),
        }
    }
    if !heads.is_empty() {
        let all: Vec<_> = heads
            .iter()
            .map(|(head, lines)| format!("{head}{}", lines.trim_end().trim_end_matches(',')))
            .collect();
        let _ = write!(lines, "assert_conflict_free! {{\n{}\n}}\n", all.join(";\n"));
    }
    lines
}

/// `ds_read2_b32(0, 64)` by the name that the chip's row has.
fn op(judged: &Judged<'_>) -> String {
    let offsets = judged.access.op.split_once('(').map(|(_, rest)| format!("({rest}"));
    // PTX has dots, where Rust's constants have none.
    let name = judged.row.name().replace('.', "_");
    format!("{name}{}", offsets.unwrap_or_default())
}

/// The words after `as`: ` as measured rival`.
fn demands(judged: &Judged<'_>) -> String {
    let least = judged.access.least.map(|least| least.name());
    let source = source(judged.row, &judged.access.op, judged.chip);
    let words: Vec<_> = [least, source].into_iter().flatten().collect();
    if words.is_empty() { String::new() } else { format!(" as {}", words.join(" ")) }
}

/// The source that the file chooses, of two.
fn source(row: &Instruction, op: &str, chip: &Chip) -> Option<&'static str> {
    let both = instruction::row(op, chip).ok()?;
    if both.rival().is_none() || *row == both {
        return None;
    }
    Some(if *row == both.as_rival() { "rival" } else { "disputed" })
}
