//! Coarse-grained fields: averages of grains and of their contact forces about points, weighted by a kernel. They obey the balances of
//! mass and momentum of a continuum exactly.
//!
//! `phi` is the kernel, whose integral over space is 1. Of grains with masses `m`, volumes `V_i`, places `x` and velocities `v`, and of
//! contacts that carry the force `f` on b along the branch `l` from a to b:
//!
//! ```text
//! density          rho = sum m phi(r - x)          momentum   p = sum m v phi      velocity  V = p / rho
//! packing          sum V_i phi                     temperature    sum m |v - V|^2 phi / (3 rho)
//! kinetic stress   -sum m (v - V) (x) (v - V) phi
//! contact stress   -sum l (x) f Int_0^1 phi(r - x_a - s l) ds
//! ```
//!
//! Grains and branches are found through cells, points are grouped, and groups are worked on at the same time. Each point adds up its
//! grains and its branches in their order, so its fields depend neither on the other points nor on threads.

mod cells;
mod field;
mod images;
mod kernel;
mod points;

#[cfg(test)]
mod tests;

use crate::error::{Result, push, text};
use crate::math::{Aabb, Period, Vec3};
use crate::tasks::{Tasks, each_span_of};

pub use field::{Branch, Field, Grain};
pub use kernel::{Kernel, KernelKind};
pub use points::Fields;

use cells::Cells;
use images::Images;
use points::{Points, SamplePoint};

/// Most points that one piece of work has, unless a single group has more.
const POINTS_PER_PIECE: usize = 512;
/// A branch is entered into cells at places that are so far apart, over the radius of the kernel.
const BRANCH_PIECE: f64 = 0.5;
/// A branch of more places than these is looked at for all points.
const MAX_PIECES: f64 = 64.0;
/// How far around points is looked, over the radius: more by far than coordinates are rounded.
const MARGIN: f64 = 1.001;

/// The grains and branches of a world, to be found by place.
#[derive(Debug)]
pub struct Medium {
    kernel: Kernel,
    images: Images,
    grains: Vec<Grain>,
    branches: Vec<Branch>,
    grain_cells: Cells,
    branch_cells: Cells,
}

/// The numbers of what is near a group of points.
#[derive(Debug, Default)]
struct Near {
    grains: Vec<u32>,
    branches: Vec<u32>,
}

impl Medium {
    /// Makes what the fields of this `kernel` need in a box of this `period`. Fields are sums in the order of `grains` and of `branches`,
    /// each with its images.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the kernel reaches over more than four periods.
    pub fn new(kernel: Kernel, period: &Period, grains: &[Grain], branches: &[Branch]) -> Result<Self> {
        let images = Images::new(period, &kernel, MARGIN)?;
        let radius = kernel.radius();
        let mut medium = Self {
            kernel,
            images,
            grains: Vec::new(),
            branches: Vec::new(),
            grain_cells: Cells::new(radius, grains.len())?,
            branch_cells: Cells::new(radius, branches.len())?,
        };
        for grain in grains {
            medium.add_grain(grain)?;
        }
        medium.grain_cells.sort();
        for branch in branches {
            medium.add_branch(branch)?;
        }
        medium.branch_cells.sort();
        Ok(medium)
    }

    fn add_grain(&mut self, grain: &Grain) -> Result<()> {
        let Self { images, grains, grain_cells, .. } = self;
        images.each(&Aabb::around([grain.position]), |shift| {
            let position = grain.position + shift;
            grain_cells.add(&position, grains.len() as u32)?;
            push(grains, Grain { position, ..*grain }, "grains")
        })
    }

    fn add_branch(&mut self, own: &Branch) -> Result<()> {
        let Self { kernel, images, branches, branch_cells, .. } = self;
        let pieces = (own.branch.norm() / (BRANCH_PIECE * kernel.radius())).ceil().max(1.0);
        images.each(&own.bounds(), |shift| {
            let (start, number) = (own.start + shift, branches.len() as u32);
            if pieces > MAX_PIECES {
                branch_cells.add_everywhere(number)?;
            } else {
                for piece in 0..pieces as u32 {
                    branch_cells.add(&(start + own.branch * ((f64::from(piece) + 0.5) / pieces)), number)?;
                }
            }
            push(branches, Branch { start, ..*own }, "branches of contacts")
        })
    }

    /// Returns the fields at each of the `points`, world axes [m]. At most `u32::MAX` points.
    ///
    /// # Errors
    ///
    /// A field is beyond the largest number.
    pub fn fields(&self, points: &[[f64; 3]], tasks: &dyn Tasks) -> Result<Fields> {
        let points = Points::grouped(points, |point| self.images.inside(point), self.kernel.radius())?;
        let spans = points.pieces(POINTS_PER_PIECE)?;
        let mut fields = points.fields()?;
        let mut outcomes = crate::error::collected(spans.iter().map(|_| Ok(())), "pieces of points")?;
        each_span_of(tasks, &spans, (&mut fields, &mut outcomes), |number, part, outcome| {
            if let Some([first, _]) = spans.get(number) {
                *outcome = self.fill(points.from(*first as usize), part);
            }
        });
        outcomes.into_iter().collect::<Result<()>>()?;
        let fields = Fields::new(points, fields)?;
        fields.iter().enumerate().try_for_each(|(index, field)| field.check_at(index))?;
        Ok(fields)
    }

    /// Fills in the fields of the first of these samples.
    fn fill(&self, samples: &[SamplePoint], fields: &mut [Field]) -> Result<()> {
        let mut near = Near::default();
        let mut rest = fields;
        let count = rest.len().min(samples.len());
        for group in samples[..count].chunk_by(|one, other| one.cell == other.cell) {
            self.find(group, &mut near)?;
            let (part, others) = rest.split_at_mut(group.len());
            for (sample, field) in group.iter().zip(part) {
                let grains = near.grains.iter().filter_map(|number| self.grains.get(*number as usize));
                let branches = near.branches.iter().filter_map(|number| self.branches.get(*number as usize));
                *field = Field::at(&sample.point, &self.kernel, grains, branches);
            }
            rest = others;
        }
        Ok(())
    }

    /// Finds everything that any of these points can see.
    fn find(&self, group: &[SamplePoint], near: &mut Near) -> Result<()> {
        let none = Aabb { lower: Vec3::repeat(f64::INFINITY), upper: Vec3::repeat(f64::NEG_INFINITY) };
        let Aabb { lower, upper } = group.iter().fold(none, |bounds, sample| Aabb {
            lower: bounds.lower.inf(&sample.point),
            upper: bounds.upper.sup(&sample.point),
        });
        let grown = |reach: f64| Aabb { lower: lower.add_scalar(-reach), upper: upper.add_scalar(reach) };
        let seen = grown(MARGIN * self.kernel.radius());
        let is_seen = |number: u32| {
            self.grains.get(number as usize).is_some_and(|grain| meets(&seen, &grain.position, &grain.position))
        };
        self.grain_cells.near(&seen, is_seen, &mut near.grains)?;
        let is_seen = |number: u32| {
            self.branches.get(number as usize).is_some_and(|branch| {
                let Aabb { lower, upper } = branch.bounds();
                meets(&seen, &lower, &upper)
            })
        };
        // The places of a branch are up to half a piece from its points.
        let around = grown((MARGIN + 0.5 * BRANCH_PIECE) * self.kernel.radius());
        self.branch_cells.near(&around, is_seen, &mut near.branches)
    }
}

/// Whether two boxes meet.
fn meets(region: &Aabb, lower: &Vec3, upper: &Vec3) -> bool {
    (0..3).all(|axis| region.lower[axis] <= upper[axis] && lower[axis] <= region.upper[axis])
}

/// Refuses more points than can be numbered.
pub fn check_count(count: usize) -> Result<()> {
    if u32::try_from(count).is_ok() {
        return Ok(());
    }
    Err(crate::error::Error::argument(text!("count is {count}, expected at most {}", u32::MAX)))
}
