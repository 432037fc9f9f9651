//! A statement that holds, holds of every instruction: ready-made layouts, ready-made patterns and all rows of all
//! chips, against a wave that walks the tile lane by lane (`support::walked`).
//!
//! What cannot be, a lane outside the tile, a torn or misaligned vector, is refused in the words that the walk finds by
//! itself. A plain run tries 1,500 statements, `FUZZ_CASES` asks for more.

use support::fuzz::{Dice, cases};
use support::walked::{Said, Tile, any_row, finding, rival, walk};
use tiledesc::access::Placed;

#[test]
fn green_is_every_instruction() {
    let mut dice = Dice(11);
    let (mut judged, mut free, mut later, mut refused) = (0, 0, 0, 0);
    while judged + refused < cases("every instruction") {
        let Some(tile) = Tile::random(&mut dice, 1) else { continue };
        let (said, (row, _)) = (Said::random(&mut dice), any_row(&mut dice));
        let placed = Placed::new(&tile.plan, tile.bits, said.lanes(), &row);
        let verdict = placed.as_ref().map_err(|error| *error).and_then(Placed::verdict);
        let walked = walk(&tile, said, false, &row);
        let context =
            || format!("{}, {} on {} by {said:?}: {verdict:?}", tile.name, row.name(), row.chip());
        let walked = match walked {
            Ok(walked) => walked,
            Err(sentence) => {
                let error = verdict.as_ref().map_err(ToString::to_string).err();
                assert_eq!(error, Some(sentence), "{}", context());
                refused += 1;
                continue;
            }
        };
        let verdict = verdict.as_ref().unwrap_or_else(|_| panic!("{} but {walked:?}", context()));
        judged += 1;
        let by_other = rival(&tile, said, false, &row);
        let is_free =
            walked.degree == 1 && !walked.race && by_other.is_none_or(|degree| degree == 1);
        assert_eq!(verdict.is_free(), is_free, "{} {walked:?}", context());
        let found = (verdict.instructions(), verdict.conflict_cycles());
        assert_eq!(found, (walked.instructions, walked.conflict_cycles), "{}", context());
        // Degree, lanes, bytes and bank, or the two lanes of a race.
        assert_eq!(verdict.found().as_str(), finding(&row, &walked, by_other), "{}", context());
        free += u32::from(verdict.is_free());
        later += u32::from(!verdict.is_free() && walked.first_is_free);
    }
    println!(
        "{judged} judged, {free} of them free in every instruction, {later} in the first alone; {refused} refused"
    );
    assert!(
        free > judged / 20 && later > 0,
        "{judged} judged, {free} free, {later} in the first alone"
    );
}
