//! The table of what the analyzer says of a kernel's accesses.

use core::fmt;
use tiledesc::Plan;
use tiledesc::chip::{self, Chip};
use tiledesc_cubecl::{Touch, chip_of};

/// A line for each access of each layout, on one chip.
#[derive(Debug)]
pub struct Table {
    chip: &'static Chip,
    rows: Vec<[String; 5]>,
}

impl Table {
    /// For the device's chip. Of a device without rows, for `other`, and that is said.
    #[must_use]
    pub fn of_device(device: &str, other: &str) -> Option<Self> {
        let chip = match chip_of(device) {
            Ok(chip) => chip,
            Err(unknown) => {
                println!("{unknown}. What the model says of {other} instead:");
                chip::find(other).ok()?
            }
        };
        let head = ["layout", "access", "instruction", "degree", "cycles"];
        Some(Self { chip, rows: vec![head.map(str::to_owned)] })
    }

    /// Adds the accesses of a layout.
    pub fn layout(&mut self, name: &str, plan: &Plan, bits: u32, touches: &[Touch<'_>]) {
        for touch in touches {
            let cells = match touch.judge(self.chip, plan, bits) {
                Ok(judged) => {
                    let cycles = format!("{} of {}", judged.cycles, judged.least);
                    [judged.instruction.to_owned(), judged.degree.to_string(), cycles]
                }
                Err(error) => [error.to_string(), String::new(), String::new()],
            };
            let [instruction, degree, cycles] = cells;
            self.rows.push([name.to_owned(), touch.name.to_owned(), instruction, degree, cycles]);
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: [usize; 5] = core::array::from_fn(width);
        writeln!(
            f,
            "{}, cycles of all accesses of a wave, of those without conflicts:",
            self.chip.name()
        )?;
        for row in &self.rows {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}
