//! Cost of detection per body, which must not depend on how many bodies there are.
//!
//! Spheres at random places, overlapping as they may, two fifths of the volume filled: the number of partners of a
//! sphere is the same for any number of spheres. Sizes are equal, or *uniform* in number over a ratio of 4 or 10, or of the *power law*
//! -3 in number over the same ratios (many fines). A last kind is spread evenly over the logarithm of a ratio of 100. Bodies are added either as they
//! lie in space (by cells of about 4x4x4 bodies) or in random order; the difference is what memory costs, not the algorithm.
//!
//! ```text
//! cargo bench --bench broad_phase [-- 1000 10000 100000 1000000]
//! ```
//!
//! ```text
//! cargo bench --bench broad_phase -- pile [two-threads] [1000 20000]
//! ```
//!
//! measures detection in a pile of equal spheres from its fall to its rest instead.
//!
//! *Pairs* is the broad phase alone, from bounds to sorted pairs; *detection* is `seconds_detect` of a step of a world
//! with these bodies: bounds, pairs and contacts. Times are the least of several repetitions, in one thread.

use std::sync::Arc;
use std::time::Instant;

use drystone::body::{Definition, Kind};
use drystone::collide::{Neighbours, Pairs, ProxySource};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::math::{Aabb, Vec3};
use drystone::shape::Shape;
use drystone::tasks::Pool;
use drystone::world::{Settings, World};

/// Volume of the spheres over that of the cube they are in.
const FILLING: f64 = 0.4;
/// Radius of the smallest sphere [m].
const RADIUS: f64 = 0.01;
const COUNTS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn main() -> Result<()> {
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if std::env::args().any(|argument| argument == "pile") {
        let counts = if asked.is_empty() { vec![1_000] } else { asked };
        return counts.iter().try_for_each(|count| pile(*count));
    }
    let counts = if asked.is_empty() { COUNTS.to_vec() } else { asked };
    println!("                                          pairs      pairs           detection");
    println!("sizes           order         bodies      per body   ns per body     ns per body");
    for (name, sizes) in SIZES {
        for shuffled in [false, true] {
            for count in &counts {
                let spheres = cloud(*count, sizes, shuffled);
                let (pairs, seconds) = time_pairs(&spheres)?;
                let detection = time_detection(&spheres)?;
                let per_body = |seconds: f64| 1e9 * seconds / *count as f64;
                println!(
                    "{name:14}  {:8}  {count:10}  {:12.2} {:13.1} {:15.1}",
                    if shuffled { "random" } else { "in space" },
                    pairs as f64 / *count as f64,
                    per_body(seconds),
                    per_body(detection),
                );
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
struct Sphere {
    center: Vec3,
    radius: f64,
}

/// Spheres of 0.1 m on a jittered lattice fall into a box that they fill ten layers high, and come to rest at 10 sweeps. Prints the
/// median time of detection per sphere and step in each window of 60 steps of 1/240 s.
fn pile(count: usize) -> Result<()> {
    let radius = 0.05;
    let columns = (count as f64 / 10.0).sqrt().ceil() as usize;
    let half_width = 0.5 * 0.11 * columns as f64;
    let settings = Settings { iterations: 10, contact_margin: 0.04 * radius, ..Settings::default() };
    let threads = if std::env::args().any(|argument| argument == "two-threads") { 2 } else { 1 };
    let mut world = World::with_tasks(settings, [0.0, 0.0, -9.81], Arc::new(Pool::new(threads, || true)?))?;
    let material = world.add_material(Material { friction: 0.5, ..Material::default() })?;
    for (axis, side) in [(2, -1.0), (0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
        let half_extents = [0, 1, 2].map(|k| if k == axis { 0.5 } else { half_width + 4.0 });
        let out = if axis == 2 { 0.5 } else { half_width + 0.5 };
        let position = [0, 1, 2].map(|k| if k == axis { side * out } else { 0.0 });
        let shape = world.add_shape(Shape::cuboid(half_extents)?)?;
        world.add_body(&Definition { kind: Kind::Static, shape, material, position, ..Definition::default() })?;
    }
    let shape = world.add_shape(Shape::sphere(radius)?)?;
    let mut random = Random(12345);
    for index in 0..count {
        let cell = [index % columns, index / columns % columns, index / (columns * columns)].map(|k| k as f64);
        let lowest = [0.055 - half_width, 0.055 - half_width, 0.3];
        let position = [0, 1, 2].map(|k| lowest[k] + 0.11 * cell[k] + 0.008 * (random.number() - 0.5));
        world.add_body(&Definition { shape, material, position, ..Definition::default() })?;
    }
    println!("pile of {count}: steps, contacts per sphere, detection [ns per sphere and step]: median, least");
    for window in 0..16 {
        let (mut seconds, mut contacts) = (Vec::new(), 0);
        for _ in 0..60 {
            let report = world.step(1.0 / 240.0).map_err(|failure| failure.error)?;
            seconds.push(report.seconds_detect);
            contacts = report.contacts;
        }
        seconds.sort_unstable_by(f64::total_cmp);
        let [fastest, median] = [0, 30].map(|at| 1e9 * seconds[at] / count as f64);
        println!("{:5} {:6.2} {median:8.1} {fastest:8.1}", 60 * (window + 1), f64::from(contacts) / count as f64);
    }
    Ok(())
}

/// How sizes are spread, in number: evenly over the size, evenly over its logarithm, or by its power -3. From [`RADIUS`] to this many times that.
#[derive(Clone, Copy)]
enum Sizes {
    Uniform(f64),
    Logarithm(f64),
    Power(f64),
}

const SIZES: [(&str, Sizes); 6] = [
    ("equal", Sizes::Uniform(1.0)),
    ("uniform 1:4", Sizes::Uniform(4.0)),
    ("uniform 1:10", Sizes::Uniform(10.0)),
    ("power -3 1:4", Sizes::Power(4.0)),
    ("power -3 1:10", Sizes::Power(10.0)),
    ("log 1:100", Sizes::Logarithm(100.0)),
];

impl Sizes {
    /// The size below which this part of the spheres is, over the smallest.
    fn quantile(self, part: f64) -> f64 {
        match self {
            Self::Uniform(ratio) => 1.0 + (ratio - 1.0) * part,
            Self::Logarithm(ratio) => ratio.powf(part),
            // The density r^-3 has the distribution (1 - r^-2) / (1 - ratio^-2).
            Self::Power(ratio) => (1.0 - part * (1.0 - ratio.powi(-2))).powf(-0.5),
        }
    }
}

/// Random spheres.
fn cloud(count: usize, sizes: Sizes, shuffled: bool) -> Vec<Sphere> {
    let mut random = Random(12345);
    // Evenly spaced quantiles, so that the sizes of few bodies are spread as those of many.
    let radius = |index: usize| RADIUS * sizes.quantile((index as f64 + 0.5) / count as f64);
    let volume: f64 = (0..count).map(|index| 4.0 / 3.0 * std::f64::consts::PI * radius(index).powi(3)).sum();
    let side = (volume / FILLING).cbrt();
    let mut spheres: Vec<Sphere> = (0..count)
        .map(|index| {
            let center = Vec3::from_fn(|_, _| side * random.number());
            Sphere { center, radius: radius(index) }
        })
        .collect();
    if shuffled {
        for last in (1..count).rev() {
            spheres.swap(last, (random.number() * (last + 1) as f64) as usize);
        }
    } else {
        // About 4x4x4 bodies to a cell, the cells in rows and layers.
        let cells = (count as f64 / 64.0).cbrt().ceil();
        let cell = |center: f64| (center / side * cells) as i64;
        spheres.sort_by_key(|sphere| [0, 1, 2].map(|axis| cell(sphere.center[axis])));
    }
    spheres
}

/// The generator of the peer harness.
struct Random(u64);

impl Random {
    /// From 0 to below 1.
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 9_007_199_254_740_992.0
    }
}

/// How often to repeat a measurement of `count` bodies: the first repetitions also make room for the results.
fn repetitions(count: usize) -> usize {
    (2_000_000 / count.max(1)).clamp(5, 200)
}

/// Spheres whose fat bounds are their own bounds.
struct Cloud<'a>(&'a [Sphere]);

impl ProxySource for Cloud<'_> {
    fn slots(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let Sphere { center, radius } = self.0[slot as usize];
        let reach = Vec3::repeat(radius);
        Some(Aabb { lower: center - reach, upper: center + reach })
    }

    fn unbounded(&self) -> &[u32] {
        &[]
    }

    fn admits(&self, _: u32, _: u32) -> bool {
        true
    }
}

/// Number of pairs, and the time the broad phase takes to find and to sort them [s].
fn time_pairs(spheres: &[Sphere]) -> Result<(usize, f64)> {
    let (mut neighbours, mut workspace) = (Neighbours::default(), Pairs::default());
    let mut fastest = f64::INFINITY;
    for _ in 0..repetitions(spheres.len()) {
        let begin = Instant::now();
        neighbours.rebuild(&Cloud(spheres), &mut workspace)?;
        fastest = fastest.min(begin.elapsed().as_secs_f64());
    }
    let pairs = (0..neighbours.parts()).map(|number| neighbours.part(number).partners.len()).sum();
    Ok((pairs, fastest))
}

/// Time of detection in a world with these bodies [s]. Nothing moves: the step is too short.
fn time_detection(spheres: &[Sphere]) -> Result<f64> {
    let settings = Settings {
        iterations: 1,
        position_projection: false,
        contact_margin: 0.0,
        push_out_velocity: 0.0,
        ..Settings::default()
    };
    let mut world = World::new(settings, [0.0; 3])?;
    let mut definitions = Vec::with_capacity(spheres.len());
    let mut shared: Option<(f64, drystone::id::Handle)> = None;
    for sphere in spheres {
        let shape = match shared {
            Some((radius, shape)) if radius == sphere.radius => shape,
            _ => world.add_shape(Shape::sphere(sphere.radius)?)?,
        };
        shared = Some((sphere.radius, shape));
        definitions.push(Definition { shape, position: sphere.center.into(), ..Definition::default() });
    }
    world.add_bodies(&definitions)?;
    let mut fastest = f64::INFINITY;
    for _ in 0..repetitions(spheres.len()).min(20) {
        let report = world.step(1e-9).map_err(|failure| failure.error)?;
        fastest = fastest.min(report.seconds_detect);
    }
    Ok(fastest)
}
