//! A test: the top wall moves down, the right one carries its stress.

use serde_json::{Value, json};

use super::common::assembly::{Assembly, Hold, Law, Side};
use super::packing::{Packing, STRESS, definition, relax, settle};
use super::support::Failure;

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
    /// Width and height before.
    size: [f64; 2],
    /// Increments by steps, and by what part of its force the right wall was off then.
    stepped: usize,
    off_stepped: f64,
    iterations: u64,
    /// Largest forces missing on a body, and of the right wall to its stress, over the force of that.
    unbalanced: f64,
    off: f64,
}

impl Test {
    /// Runs the test. `part` is called with the share that is done.
    pub(crate) fn run(&self, packing: &Packing, mut part: impl FnMut(f64)) -> Result<Value, Failure> {
        let law = Law { friction: self.friction, floor_friction: 0.0, stiffness: self.stiffness };
        let mut assembly = packing.free(law)?;
        // Rigid grains have no overlaps that are to carry the stress.
        let settled = if self.stiffness.is_finite() {
            relax(&mut assembly, self.stiffness, RELAXING)?;
            settle(&mut assembly, self.stiffness)?
        } else {
            [0; 2]
        };
        let size = [assembly.face(Side::Right)?, assembly.face(Side::Top)?];
        // The wall is smooth: none of its contacts remembers a force.
        assembly.set_wall(Side::Top, size[1], Hold::Driven)?;
        let step = self.step * size[1];
        let mut shear =
            Shear { assembly, size, stepped: 0, off_stepped: 0.0, iterations: 0, unbalanced: 0.0, off: 0.0 };
        let (mut curve, mut failure) = (vec![[0.0; 3]], Value::Null);
        for increment in 0..self.increments {
            if let Some(what) = shear.increment(step)? {
                failure = json!(what);
                break;
            }
            let Point { strain, deviator, volume } = shear.point()?;
            curve.push([strain, deviator, volume]);
            part((increment + 1) as f64 / self.increments as f64);
        }
        let Shear { assembly, size, stepped, off_stepped, iterations, unbalanced, off } = shear;
        Ok(json!({
            "size": size, "settling": settled, "stepped": stepped, "stepped_off": off_stepped, "iterations": iterations, "unbalanced": unbalanced,
            "side_off": off, "failure": failure, "curve": curve, "poses": assembly.poses()?,
            "final_size": [assembly.face(Side::Right)?, assembly.face(Side::Top)?],
        }))
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
        self.iterations += u64::from(report.iterations);
        if report.is_converged && !report.is_collapse {
            self.unbalanced = self.unbalanced.max(report.unbalanced / force);
            self.off = self.off.max((self.assembly.thrust(Side::Right)? / force - 1.0).abs());
            return Ok(None);
        }
        self.stepped += 1;
        let off = self.steps(length, force)?;
        self.off_stepped = self.off_stepped.max(off);
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
        let [first_width, first_height] = self.size;
        let deviator = self.assembly.thrust(Side::Top)? / width - self.assembly.thrust(Side::Right)? / height;
        let volume = 1.0 - width * height / (first_width * first_height);
        Ok(Point { strain: 1.0 - height / first_height, deviator, volume })
    }
}
