//! A statement that holds, holds of every instruction: ready-made layouts, ready-made patterns and all rows of all
//! chips, against a wave that walks the tile lane by lane (`support::walked`).
//!
//! What cannot be, a lane outside the tile, a torn or misaligned vector, is refused in the words that the walk finds by
//! itself. A plain run tries 1,500 statements, `cargo xtask test --deep` asks for more.

use support::fuzz::{Dice, cases};
use support::walked::{Said, Tile, any_row, finding, rival, walk};
use tiledesc::access::Placed;
use tiledesc::chip::Instruction;

/// Whether a statement is refused, free in every instruction, or only in the first.
#[derive(Default)]
struct Tally {
    judged: u32,
    free: u32,
    later: u32,
    refused: u32,
}

impl Tally {
    /// Judges a statement by the library and by the walk.
    fn add(&mut self, tile: &Tile, said: Said, row: &Instruction) {
        let placed = Placed::new(&tile.plan, tile.bits, said.lanes(), row);
        let verdict = placed.as_ref().map_err(|error| *error).and_then(Placed::verdict);
        let walked = walk(tile, said, false, row);
        let context =
            || format!("{}, {} on {} by {said:?}: {verdict:?}", tile.name, row.name(), row.chip());
        let walked = match walked {
            Ok(walked) => walked,
            Err(sentence) => {
                let error = verdict.as_ref().map_err(ToString::to_string).err();
                assert_eq!(error, Some(sentence), "{}", context());
                self.refused += 1;
                return;
            }
        };
        let verdict = verdict.as_ref().unwrap_or_else(|_| panic!("{} but {walked:?}", context()));
        self.judged += 1;
        let by_other = rival(tile, said, false, row);
        let is_free =
            walked.degree == 1 && !walked.race && by_other.is_none_or(|degree| degree == 1);
        assert_eq!(verdict.is_free(), is_free, "{} {walked:?}", context());
        let found = (verdict.instructions(), verdict.conflict_cycles());
        assert_eq!(found, (walked.instructions, walked.conflict_cycles), "{}", context());
        // Degree, lanes, bytes and bank, or the two lanes of a race.
        assert_eq!(verdict.found().as_str(), finding(row, &walked, by_other), "{}", context());
        self.free += u32::from(verdict.is_free());
        self.later += u32::from(!verdict.is_free() && walked.first_is_free);
    }
}

/// Layouts that count their elements first: lanes that share a pack, those that do not, and races.
#[test]
fn counted_layouts() {
    let (mut dice, mut tally, mut shared) = (Dice(13), Tally::default(), 0);
    while tally.judged < 60 {
        let Some(tile) = Tile::random(&mut dice, 1) else { continue };
        if !(tile.name.contains("DenseXor") || tile.name.contains("IntervalPad")) {
            continue;
        }
        let (row, _) = any_row(&mut dice);
        for said in [Said::Repeated(16), Said::Repeated(8), Said::Rows(16), Said::RowMajor] {
            let before = tally.judged;
            tally.add(&tile, said, &row);
            shared += u32::from(matches!(said, Said::Repeated(_))) * (tally.judged - before);
        }
    }
    assert!(shared > 20 && tally.free > 5, "{} shared, {} free", shared, tally.free);
}

#[test]
fn green_is_every_instruction() {
    let (mut dice, mut tally) = (Dice(11), Tally::default());
    while tally.judged + tally.refused < cases("every instruction") {
        let Some(tile) = Tile::random(&mut dice, 1) else { continue };
        let (said, (row, _)) = (Said::random(&mut dice), any_row(&mut dice));
        tally.add(&tile, said, &row);
    }
    let Tally { judged, free, later, refused } = tally;
    println!(
        "{judged} judged, {free} of them free in every instruction, {later} in the first alone; {refused} refused"
    );
    assert!(
        free > judged / 20 && later > 0,
        "{judged} judged, {free} free, {later} in the first alone"
    );
}
