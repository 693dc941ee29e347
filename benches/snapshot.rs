//! What a snapshot of a pile at rest takes: bytes for each sphere, and how fast it is written and read.
//!
//! ```text
//! cargo bench --bench snapshot [-- 100000]
//! ```
//!
//! The pile is that of the peer harness, with and without rolling resistance, made large by mirror images. Times are processor times of one
//! thread, the best of ten. `size` is the time in which the number of bytes is found, `save` that in which it is found and the bytes are written
//! to memory of the host.

mod support;

use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::world::World;

use support::bed::{Bed, Recipe};
use support::clock::{pin, processor_time};
use support::pile::{REST, SETTLE, lattice, recipe};

/// Spheres of the pile that is mirrored, and its width in diameters.
const UNIT: usize = 4000;
const SIDE: usize = 15;
const ROUNDS: usize = 10;

fn main() -> Result<()> {
    pin();
    let size = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    println!("rolling  spheres  contacts  bytes per sphere   size [ms]   save [ms]  [MB/s]   restore [ms]  [MB/s]");
    [0.0, 0.02].into_iter().try_for_each(|rolling_friction| measure(size, rolling_friction))
}

fn measure(size: usize, rolling_friction: f64) -> Result<()> {
    let of = recipe(50);
    let of = Recipe { material: Material { rolling_friction, ..of.material }, slick: true, ..of };
    let mut unit = Bed::new(&of, &lattice(UNIT, SIDE))?;
    unit.run(SETTLE)?;
    let columns = (size / UNIT).isqrt().max(1);
    let mut bed = Bed::new(&of, &unit.grains()?.mirrored(columns, size / UNIT / columns))?;
    bed.run(REST / 4)?;
    let world = bed.world;
    let mut buffer = vec![1; world.snapshot_size()?];
    let [count, save, restore] = times(world.body_count(), &world, &mut buffer)?;
    let (bytes, spheres) = (buffer.len() as f64, world.body_count() - 5);
    println!(
        "{rolling_friction:7} {spheres:8} {:9} {:17.1} {:11.2} {:11.2} {:7.0} {:14.2} {:7.0}",
        world.contact_count(),
        bytes / spheres as f64,
        1e3 * count,
        1e3 * save,
        1e-6 * bytes / save,
        1e3 * restore,
        1e-6 * bytes / restore,
    );
    Ok(())
}

/// The shortest times of counting, of writing and of reading.
fn times(bodies: usize, world: &World, buffer: &mut [u8]) -> Result<[f64; 3]> {
    let mut other = world.try_clone()?;
    let mut best = [f64::INFINITY; 3];
    for _ in 0..ROUNDS {
        let begin = processor_time();
        let count = world.snapshot_size()?;
        let counted = processor_time();
        world.write_snapshot(&mut buffer[..world.snapshot_size()?])?;
        let written = processor_time();
        other.restore(buffer)?;
        let read = processor_time();
        assert!(count == buffer.len() && other.body_count() == bodies);
        for (best, time) in best.iter_mut().zip([counted - begin, written - counted, read - written]) {
            *best = best.min(time);
        }
    }
    assert_eq!(other.hash(), world.hash());
    Ok(best)
}
