//! drystone beside other engines: the tables and the picture of what `run.sh` measured.
//!
//! ```text
//! benches/peers/run.sh HARNESS                                  runs all engines, interleaved, and then this
//! cargo bench --bench peers -- RESULTS.jsonl [PICTURE.svg]      this alone
//! ```

mod plot;
mod rows;
#[allow(dead_code)] // not all of it is used here
#[path = "../support/sample.rs"]
mod sample;
mod table;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut files = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(results) = files.next() else {
        println!("no results given: benches/peers/run.sh HARNESS makes them (see benches/peers/README.md)");
        return Ok(());
    };
    let results = rows::Results::read(Path::new(&results))?;
    table::print(&results);
    if let Some(picture) = files.next() {
        plot::draw(&results, Path::new(&picture))?;
        eprintln!("drawn: {picture}");
    }
    Ok(())
}
