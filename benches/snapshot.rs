//! What a snapshot of a pile at rest takes: bytes for each sphere, and how fast it is written and read.
//!
//! ```text
//! cargo bench --bench snapshot [-- 100000]
//! ```
//!
//! The pile is that of the peer harness, made large by mirror images: rigid, rigid and asleep, elastic; with and
//! without rolling resistance, which a pile needs to fall asleep. Times are processor times of one
//! thread, the best of ten. `size` is the time in which the number of bytes is found, `save` that in which it is found and the bytes are written
//! to memory of the host.

mod support;

use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::world::settings::Method;
use drystone::world::{Settings, World};

use support::bed::{Bed, Recipe};
use support::clock::{pin, processor_time};
use support::pile::{REST, SETTLE, lattice, recipe};

/// Spheres of the pile that is mirrored, and its width in diameters.
const UNIT: usize = 4000;
const SIDE: usize = 15;
const ROUNDS: usize = 10;
/// So long a pile is at rest before it sleeps: more than 0.5 s.
const FALL_ASLEEP: usize = 480;

fn main() -> Result<()> {
    pin();
    let size = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    println!(
        "method rolling  spheres asleep  contacts  bytes per sphere   size [ms]   save [ms]  [MB/s]   restore [ms]  [MB/s]"
    );
    let elastic = Method::Spook;
    for (method, rolling_friction, sleeping) in [
        (Method::Rigid, 0.0, false),
        (Method::Rigid, 0.02, false),
        (Method::Rigid, 0.02, true),
        (elastic, 0.0, false),
        (elastic, 0.02, false),
    ] {
        measure(size, method, rolling_friction, sleeping)?;
    }
    Ok(())
}

fn measure(size: usize, method: Method, rolling_friction: f64, sleeping: bool) -> Result<()> {
    let of = recipe(50);
    let settings = Settings { method, ..of.settings };
    let of = Recipe { settings, material: Material { rolling_friction, ..of.material }, slick: true, ..of };
    let mut unit = Bed::new(&of, &lattice(UNIT, SIDE))?;
    unit.run(SETTLE)?;
    let columns = (size / UNIT).isqrt().max(1);
    let mut bed = Bed::new(&of, &unit.grains()?.mirrored(columns, size / UNIT / columns))?;
    bed.run(REST / 4)?;
    if sleeping {
        bed.world.set_settings(Settings { sleeping, ..*bed.world.settings() })?;
        bed.run(FALL_ASLEEP)?;
    }
    let world = bed.world;
    let mut asleep = 0;
    for body in world.body_handles() {
        asleep += usize::from(!world.is_awake(body)?);
    }
    let mut buffer = vec![1; world.snapshot_size()?];
    let [count, save, restore] = times(world.body_count(), &world, &mut buffer)?;
    let (bytes, spheres) = (buffer.len() as f64, world.body_count() - 5);
    println!(
        "{:6} {rolling_friction:7} {spheres:8} {asleep:6} {:9} {:17.1} {:11.2} {:11.2} {:7.0} {:14.2} {:7.0}",
        format!("{method:?}"),
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
