//! Which of `cubek`'s five stage layouts the bank model prefers, on the devices that are named:
//! `stages "AMD Instinct MI300X" sm_90`. Needs no device.

use tiledesc::prelude::*;
use tiledesc_cubecl::{Stage, Touch, chip_of, rank};

distribution! {
    /// A warp takes 16 rows of 64 halves, 8 each.
    type Fetch32: m [again 4, row 4], k [chunk 8, half 8]; lane (row, chunk), thread (again, half);
    /// A unit reads its row of a 16-row tile, 8 halves at a time: lanes are rows and pairs of chunks.
    type Rows32: m [row 16], k [step 4, part 2, half 8]; lane (part, row), thread (step, half);
    /// The same of 64 lanes.
    type Fetch64: m [again 2, row 8], k [chunk 8, half 8]; lane (row, chunk), thread (again, half);
    type Rows64: m [row 16], k [step 2, part 4, half 8]; lane (part, row), thread (step, half);
}

fn main() -> Result<(), tiledesc::Error> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let defaults = ["gfx942", "gfx950", "gfx1100", "sm_90"].map(str::to_owned).to_vec();
    let stage = Stage { rows: 16, columns: 64, bits: 16, tile: [16, 16] };
    println!(
        "a stage of 16 rows of 64 halves, in tiles of 16 x 16 and 16 x 64: fetched by rows, read as operands"
    );
    for device in if named.is_empty() { defaults } else { named } {
        let chip = match chip_of(&device) {
            Ok(chip) => chip,
            Err(unknown) => {
                println!("{unknown}");
                continue;
            }
        };
        let touches = if chip.wave() == 64 {
            [Touch::write::<Fetch64>("fetch", 8), Touch::read::<Rows64>("operand", 8)]
        } else {
            [Touch::write::<Fetch32>("fetch", 8), Touch::read::<Rows32>("operand", 8)]
        };
        for tile in [[16, 16], [16, 64]] {
            println!("{device} ({}), tile {} x {}:", chip.name(), tile[0], tile[1]);
            for entry in rank(chip, Stage { tile, ..stage }, &touches)? {
                match entry.cycles {
                    Ok(cycles) => {
                        println!("  {:16} {cycles:4} cycles, {} bytes", entry.layout, entry.bytes);
                    }
                    Err(error) => println!("  {:16} {error}", entry.layout),
                }
            }
        }
    }
    Ok(())
}
