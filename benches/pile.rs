//! Time of a step of a settled pile of spheres, and what it is spent on.
//!
//! The scene is `pile` of the peer harness (`benches/peers`), number for number: spheres of 0.1 m and 2000 kg/m^3 on a
//! jittered lattice fall into an open box of five static ones, friction 0.5, step 1/240 s. The pile of 1000 settles for
//! 3 s at the sweeps it is measured with. That of 20 000 is one of 5000, settled at 10 sweeps and set four times side by
//! side as if mirrored at two walls, as the harness does it: it only has to adjust to its new neighbours.
//!
//! ```text
//! cargo bench --bench pile [-- 1000 20000 5000]
//! ```
//!
//! 5000: what the stick projection costs, as a share of the step, in a settled pile of 5000 and in the pyramid of 2870.
//!
//! Times are medians over the measured steps of one thread, with the fastest step and the 95th percentile. *Solve* is
//! preparing the rows, the sweeps and the residual; *a sweep more* is what 40 further sweeps cost, without the rest.

use std::time::Instant;

use drystone::body::{Definition, Kind};
use drystone::contact::material::Material;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::settings::Projection;
use drystone::world::{Report, Settings, World};

const DIAMETER: f64 = 0.1;
const RADIUS: f64 = 0.5 * DIAMETER;
const STEP: f64 = 1.0 / 240.0;
/// A fiftieth of a sphere: wide enough to see a falling sphere coming, too narrow to add many contacts.
const CONTACT_MARGIN: f64 = 0.02 * DIAMETER;
/// Steps of settling: 3 s.
const SETTLE: usize = 720;
/// Steps after a change of sweeps or of neighbours, before measuring.
const ADJUST: usize = 60;
const SWEEPS: [u32; 2] = [10, 50];

fn main() -> Result<()> {
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let wanted = |count| sizes.is_empty() || sizes.contains(&count);
    println!("contact margin {} mm, step {:.3} ms, one thread", 1e3 * CONTACT_MARGIN, 1e3 * STEP);
    println!("spheres sweeps contacts    ms per step            ns per contact   share of the step [%]           ");
    println!("                           median   min   95 %       and sweep     detect assemble solve integrate");
    if wanted(1000) {
        small()?;
    }
    if wanted(20_000) {
        large()?;
    }
    if wanted(5000) {
        projected()?;
    }
    Ok(())
}

/// The stick projection in a pile of 5000 settled at 50 sweeps without it, and in the pyramid of 2870 without friction, settled at
/// 100 sweeps: what each of the next steps with it costs.
fn projected() -> Result<()> {
    eprintln!("settling 5000 ...");
    let mut bed = Pile::new(&lattice(5000, 20), 20, 50)?;
    bed.run(SETTLE)?;
    bed.project("pile of 5000")?;
    eprintln!("settling the pyramid ...");
    let mut pyramid = Pile::pyramid(20, 100)?;
    pyramid.run(200)?;
    pyramid.project("pyramid of 2870")
}

/// 1000 spheres, settled at the sweeps they are measured with.
fn small() -> Result<()> {
    let mut rows = Vec::new();
    for sweeps in SWEEPS {
        let mut pile = Pile::new(&lattice(1000, 10), 10, sweeps)?;
        pile.run(SETTLE)?;
        rows.push(pile.measure(sweeps, 240)?);
    }
    print_rows(1000, &rows);
    Ok(())
}

/// 20 000 spheres: four beds of 5000.
fn large() -> Result<()> {
    eprintln!("settling a bed of 5000 ...");
    let mut bed = Pile::new(&lattice(5000, 20), 20, SWEEPS[0])?;
    bed.run(SETTLE)?;
    eprintln!("measuring four of them ...");
    let mut pile = Pile::new(&bed.four_mirrored()?, 40, SWEEPS[0])?;
    let mut rows = Vec::new();
    for sweeps in SWEEPS {
        pile.set_sweeps(sweeps)?;
        pile.run(ADJUST)?;
        rows.push(pile.measure(sweeps, 60)?);
    }
    print_rows(20_000, &rows);
    Ok(())
}

/// The start of the harness: a lattice of `count` spheres, `side` diameters wide, jittered by its own generator.
fn lattice(count: usize, side: usize) -> Vec<[f64; 3]> {
    let mut state: u64 = 12345;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let width = side as f64 * DIAMETER;
    let columns = (side as f64 / 1.1) as usize;
    let spacing = width / columns as f64;
    let place = |index: usize| -0.5 * width + (index as f64 + 0.5) * spacing;
    let mut centers = Vec::with_capacity(count);
    for index in 0..count {
        let (i, j, k) = (index % columns, index / columns % columns, index / (columns * columns));
        let [x, y, z] = [0; 3].map(|_: i32| (random() - 0.5) * 0.08 * DIAMETER);
        let height = RADIUS + 0.06 * DIAMETER + k as f64 * 1.1 * DIAMETER;
        centers.push([place(i) + x, place(j) + y, height + z]);
    }
    centers
}

/// A world with the box and its spheres.
struct Pile {
    world: World,
    spheres: Vec<Handle>,
    /// Half the inner width of the box [m].
    half_width: f64,
}

/// One line of the table.
struct Row {
    sweeps: u32,
    /// Wall time of every measured step, ascending [s].
    seconds: Vec<f64>,
    /// Of the last measured step, but for its times: those are summed.
    report: Report,
    contacts: f64,
}

impl Pile {
    fn new(centers: &[[f64; 3]], side: usize, sweeps: u32) -> Result<Self> {
        let settings = Settings { iterations: sweeps, contact_margin: CONTACT_MARGIN, ..Settings::default() };
        let mut world = World::new(settings, [0.0, 0.0, -9.81])?;
        let material = world.add_material(Material { friction: 0.5, density: 2000.0, ..Material::default() })?;
        let half_width = 0.5 * side as f64 * DIAMETER;
        add_box(&mut world, material, half_width, 2.0 + centers.last().map_or(0.0, |top| 2.0 * top[2]))?;
        let shape = world.add_shape(Shape::sphere(RADIUS)?)?;
        let place = |position: &[f64; 3]| Definition { shape, material, position: *position, ..Definition::default() };
        let spheres = world.add_bodies(&centers.iter().map(place).collect::<Vec<_>>())?;
        Ok(Self { world, spheres, half_width })
    }

    fn set_sweeps(&mut self, sweeps: u32) -> Result<()> {
        let settings = Settings { iterations: sweeps, ..*self.world.settings() };
        self.world.set_settings(settings)
    }

    fn step(&mut self) -> Result<Report> {
        self.world.step(STEP).map_err(|failure| failure.error)
    }

    fn run(&mut self, steps: usize) -> Result<()> {
        (0..steps).try_for_each(|_| self.step().map(|_| ()))
    }

    fn measure(&mut self, sweeps: u32, steps: usize) -> Result<Row> {
        let mut row = Row { sweeps, seconds: Vec::with_capacity(steps), report: Report::default(), contacts: 0.0 };
        for _ in 0..steps {
            let begin = Instant::now();
            let report = self.step()?;
            row.seconds.push(begin.elapsed().as_secs_f64());
            row.contacts += f64::from(report.contacts) / steps as f64;
            let sum = row.report;
            row.report = Report {
                seconds_detect: sum.seconds_detect + report.seconds_detect,
                seconds_assemble: sum.seconds_assemble + report.seconds_assemble,
                seconds_solve: sum.seconds_solve + report.seconds_solve,
                seconds_integrate: sum.seconds_integrate + report.seconds_integrate,
                seconds_total: sum.seconds_total + report.seconds_total,
                ..report
            };
        }
        row.seconds.sort_unstable_by(f64::total_cmp);
        Ok(row)
    }

    /// The cannonball pyramid on a fixed base.
    fn pyramid(base: usize, sweeps: u32) -> Result<Self> {
        let settings = Settings { iterations: sweeps, contact_margin: CONTACT_MARGIN, ..Settings::default() };
        let mut world = World::new(settings, [0.0, 0.0, -9.81])?;
        let material = world.add_material(Material { friction: 0.0, density: 2000.0, ..Material::default() })?;
        let shape = world.add_shape(Shape::sphere(RADIUS)?)?;
        let mut spheres = Vec::new();
        for layer in 0..base {
            for (x, y) in (0..base - layer).flat_map(|x| (0..base - layer).map(move |y| (x, y))) {
                let shift = 0.5 * layer as f64;
                let place = [x as f64 + shift, y as f64 + shift, 0.5_f64.sqrt() * layer as f64];
                let kind = if layer == 0 { Kind::Static } else { Kind::Dynamic };
                let position = place.map(|along| along * DIAMETER);
                spheres.push(world.add_body(&Definition {
                    kind,
                    shape,
                    material,
                    position,
                    ..Definition::default()
                })?);
            }
        }
        Ok(Self { world, spheres, half_width: 0.0 })
    }

    /// Steps with the stick projection, and prints what it costs.
    fn project(&mut self, name: &str) -> Result<()> {
        let off = self.measure(0, 20)?;
        self.world.set_settings(Settings { projection: Projection::Stick, ..*self.world.settings() })?;
        println!(
            "{name}: {:.1} ms per step without the projection, residual {:.1e} m/s",
            1e3 * off.seconds[10],
            off.report.residual_max
        );
        for step in 1..=20 {
            let report = self.step()?;
            println!(
                "  step {step:2} with it: {:8.1} ms, {:4.1} % of it the projection, {} passes, {} of {} islands rejected, residual {:.1e} -> {:.1e} m/s",
                1e3 * report.seconds_total,
                100.0 * report.seconds_project / report.seconds_total,
                report.projection_passes,
                report.rejected_islands,
                report.projected_islands,
                report.solver_residual,
                report.residual_max,
            );
        }
        Ok(())
    }

    /// The spheres four times, mirrored at the walls `x` and `y` = minus half the width, which become the new axes.
    fn four_mirrored(&self) -> Result<Vec<[f64; 3]>> {
        let mut centers = Vec::with_capacity(4 * self.spheres.len());
        for (sign_x, sign_y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            for sphere in &self.spheres {
                let [x, y, z] = self.world.body_state(*sphere)?.position;
                centers.push([sign_x * (x + self.half_width), sign_y * (y + self.half_width), z]);
            }
        }
        Ok(centers)
    }
}

/// A floor and four walls of static boxes, open above.
fn add_box(world: &mut World, material: Handle, half_width: f64, height: f64) -> Result<()> {
    let (wide, out, up) = (half_width + 1.0, half_width + 0.5, 0.5 * height);
    let boxes = [
        ([wide, wide, 0.5], [0.0, 0.0, -0.5]),
        ([0.5, wide, up], [out, 0.0, up]),
        ([0.5, wide, up], [-out, 0.0, up]),
        ([wide, 0.5, up], [0.0, out, up]),
        ([wide, 0.5, up], [0.0, -out, up]),
    ];
    for (half_extents, position) in boxes {
        let shape = world.add_shape(Shape::cuboid(half_extents)?)?;
        let definition = Definition { kind: Kind::Static, shape, material, position, ..Definition::default() };
        world.add_body(&definition)?;
    }
    Ok(())
}

fn print_rows(spheres: usize, rows: &[Row]) {
    for row in rows {
        let report = &row.report;
        let steps = row.seconds.len();
        let at = |quantile: f64| 1e3 * row.seconds[((steps - 1) as f64 * quantile) as usize];
        let share = |seconds: f64| 100.0 * seconds / report.seconds_total;
        println!(
            "{spheres:7} {:6} {:8.0}  {:7.3} {:7.3} {:7.3}   {:10.1}     {:8.1} {:8.1} {:6.1} {:6.1}",
            row.sweeps,
            row.contacts,
            at(0.5),
            at(0.0),
            at(0.95),
            row.solve_nanoseconds() / f64::from(row.sweeps),
            share(report.seconds_detect),
            share(report.seconds_assemble),
            share(report.seconds_solve),
            share(report.seconds_integrate),
        );
    }
    for row in rows {
        println!(
            "        {:3} sweeps: overlap at most {:.2e} m, kinetic energy {:.1e} J per sphere, residual at most {:.1e} m/s, mean {:.1e} m/s",
            row.sweeps,
            row.report.max_overlap,
            row.report.kinetic_energy / spheres as f64,
            row.report.residual_max,
            row.report.residual_mean,
        );
    }
    if let [few, many] = rows {
        let more = (many.solve_nanoseconds() - few.solve_nanoseconds()) / f64::from(many.sweeps - few.sweeps);
        println!("        a sweep more: {more:.1} ns per contact");
    }
}

impl Row {
    /// Mean time of the solve, per contact [ns].
    fn solve_nanoseconds(&self) -> f64 {
        1e9 * self.report.seconds_solve / self.seconds.len() as f64 / self.contacts
    }
}
