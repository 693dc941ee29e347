//! A test: the top wall moves down, the right one carries its stress.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::common::assembly::{Assembly, Hold, Law, Side};
use super::packing::{Packing, STRESS, definition, relax, settle};
use super::support::Failure;
use super::support::saved::Saved;

/// What is tested, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Test {
    pub(crate) friction: f64,
    /// Infinite: rigid.
    pub(crate) stiffness: f64,
    /// Axial strain of an increment [-], and how many there are.
    pub(crate) step: f64,
    pub(crate) increments: usize,
}

/// Most steps with friction before statics [-].
const RELAXING: usize = 60;
/// Steps that take the place of an increment [-]. They end where no grain moves further in a step [D], and the right wall is off by
/// less than this part of its force.
const STEP: f64 = 0.03;
const MAX_STEPS: usize = 40;
const STILL: f64 = 5e-3;
const BALANCED: f64 = 0.01;
/// The test ends if the grains are farther from balance than this after the last of these steps.
const MAX_UNBALANCE: f64 = 0.5;

/// A point of the curves.
struct Point {
    strain: f64,
    deviator: f64,
    volume: f64,
}

/// A test that is under way.
struct Shear {
    assembly: Assembly,
    sheared: Sheared,
}

/// What a test has found so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Sheared {
    increments: usize,
    /// Increments to balance before, and how many of them statics did not solve.
    settled: [usize; 2],
    /// Width and height before.
    size: [f64; 2],
    /// Increments by steps, and by what part of its force the right wall was off then.
    stepped: usize,
    off_stepped: f64,
    iterations: u64,
    /// Largest forces missing on a body, and of the right wall to its stress, over the force of that.
    unbalanced: f64,
    off: f64,
    curve: Vec<[f64; 3]>,
}

impl Test {
    /// Runs the test. `part` is called with the share that is done.
    pub(crate) fn run(
        &self,
        packing: &Packing,
        saved: &mut Saved,
        mut part: impl FnMut(f64),
    ) -> Result<Value, Failure> {
        let mut shear = self.begin(packing, saved)?;
        let step = self.step * shear.sheared.size[1];
        let mut failure = Value::Null;
        while shear.sheared.increments < self.increments {
            if let Some(what) = shear.increment(step)? {
                failure = json!(what);
                break;
            }
            let Point { strain, deviator, volume } = shear.point()?;
            shear.sheared.curve.push([strain, deviator, volume]);
            shear.sheared.increments += 1;
            part(shear.sheared.increments as f64 / self.increments as f64);
            saved.keep("shearing", &shear.sheared, &[&shear.assembly.world])?;
        }
        let Shear { assembly, sheared } = shear;
        let Sheared { settled, size, stepped, off_stepped, iterations, unbalanced, off, curve, .. } = sheared;
        Ok(json!({
            "size": size, "settling": settled, "stepped": stepped, "stepped_off": off_stepped, "iterations": iterations, "unbalanced": unbalanced,
            "side_off": off, "failure": failure, "curve": curve, "poses": assembly.poses()?,
            "final_size": [assembly.face(Side::Right)?, assembly.face(Side::Top)?],
        }))
    }

    /// Returns a test before its first increment, or where an earlier program was interrupted.
    fn begin(&self, packing: &Packing, saved: &mut Saved) -> Result<Shear, Failure> {
        let law = Law { friction: self.friction, floor_friction: 0.0, stiffness: self.stiffness };
        let mut assembly = packing.free(law)?;
        let earlier: Option<Sheared> = saved.state("shearing")?;
        let mut sheared = earlier.clone().unwrap_or_default();
        if earlier.is_none() {
            // Rigid grains have no overlaps that are to carry the stress.
            if self.stiffness.is_finite() {
                relax(&mut assembly, self.stiffness, RELAXING)?;
                sheared.settled = settle(&mut assembly, self.stiffness)?;
            }
            sheared.size = [assembly.face(Side::Right)?, assembly.face(Side::Top)?];
            sheared.curve.push([0.0; 3]);
        }
        // The wall is smooth: none of its contacts remembers a force.
        assembly.set_wall(Side::Top, sheared.size[1], Hold::Driven)?;
        saved.restore(&mut [&mut assembly.world])?;
        Ok(Shear { assembly, sheared })
    }
}

impl Shear {
    /// Moves the top wall down by a length: by statics, or by steps where statics does not solve it. Returns what is wrong if the grains do
    /// not come to rest in these either.
    fn increment(&mut self, length: f64) -> Result<Option<String>, Failure> {
        let height = self.assembly.face(Side::Top)?;
        let force = STRESS * (height - length);
        self.assembly.drive(Side::Top, -length)?;
        self.assembly.push(Side::Right, -force)?;
        let report = self.assembly.world.solve_static(&definition(), &mut [])?;
        self.sheared.iterations += u64::from(report.iterations);
        if report.is_converged && !report.is_collapse {
            self.sheared.unbalanced = self.sheared.unbalanced.max(report.unbalanced / force);
            self.sheared.off = self.sheared.off.max((self.assembly.thrust(Side::Right)? / force - 1.0).abs());
            return Ok(None);
        }
        self.sheared.stepped += 1;
        let off = self.steps(length, force)?;
        self.sheared.off_stepped = self.sheared.off_stepped.max(off);
        Ok((off > MAX_UNBALANCE).then(|| format!("the right wall is off by {off:.3} of its force; {report:?}")))
    }

    /// The same by steps that start at rest: masses over the square of the step are a proximal term. Returns by what part of its force the
    /// right wall is off.
    fn steps(&mut self, length: f64, force: f64) -> Result<f64, Failure> {
        let assembly = &mut self.assembly;
        assembly.drive(Side::Top, -length / STEP)?;
        let mut off = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            assembly.push(Side::Right, -force)?;
            assembly.world.step(STEP)?;
            assembly.drive(Side::Top, 0.0)?;
            off = (assembly.thrust(Side::Right)? / force - 1.0).abs();
            let fastest = assembly.rest()?;
            if off < BALANCED && STEP * fastest < STILL {
                break;
            }
        }
        Ok(off)
    }

    fn point(&self) -> Result<Point, Failure> {
        let [width, height] = [self.assembly.face(Side::Right)?, self.assembly.face(Side::Top)?];
        let [first_width, first_height] = self.sheared.size;
        let deviator = self.assembly.thrust(Side::Top)? / width - self.assembly.thrust(Side::Right)? / height;
        let volume = 1.0 - width * height / (first_width * first_height);
        Ok(Point { strain: 1.0 - height / first_height, deviator, volume })
    }
}
