//! The method of [K] section 7: an augmented Lagrangian after LANCELOT (Conn, Gould and Toint 1992, Algorithm 3.1) for
//!
//! ```text
//! min_f  sum_i (p-1)/p k_i^(1/(1-p)) f_i^(p/(p-1))    s.t.  B^T f = F,  f >= 0
//! ```
//!
//! whose subproblems with bounds are solved by accelerated projected gradients (Mazhar, Heyn, Negrut and Tasora 2015).
//!
//! What the paper leaves open was chosen to help it. Forces in units of the largest, stiffness in units of the stiffest;
//! three displacements for each sphere. The start is the given impulses, which are feasible, and every subproblem begins
//! where the last one ended, with its Lipschitz estimate. Multipliers are updated to first order where the constraints
//! hold to LANCELOT's tolerance, and the penalty is multiplied by ten where not; exponents of the tolerances are its
//! defaults. The first penalty is the one of 10, 100, 300, 1000, 3000 and 10 000 that was fastest over the three models. Gradients
//! backtrack by the exact difference of the function from its linear model, since function values are round-off near the
//! end. They estimate the Lipschitz constant with the published factors 2 and 0.9, and restart where the step goes uphill.
//! They end on the gradient mapping, which costs nothing, before the projected gradient confirms it. An iteration is one product
//! with `B`, one with its transpose and one evaluation of the law.

use crate::clock::processor_time;

/// Of the constraints, in units of the compliance of the stiffest contact.
const PENALTY: f64 = 300.0;

/// Larger penalty where the constraints do not come down.
const HARDER: f64 = 10.0;

/// Relative changes of a force up to this leave the third derivative of its energy aside [-].
const SMALL: f64 = 1e-4;

/// A contact of two spheres.
pub(crate) struct Member {
    /// The numbers of the spheres, where they move.
    pub(crate) bodies: [Option<usize>; 2],
    /// From the first to the second.
    pub(crate) normal: [f64; 3],
    pub(crate) stiffness: f64,
}

/// The contacts of spheres.
pub(crate) struct Truss {
    pub(crate) members: Vec<Member>,
    /// `p`.
    pub(crate) exponent: f64,
    /// How many spheres move.
    pub(crate) spheres: usize,
}

/// How far the method came.
pub(crate) struct Reached {
    pub(crate) forces: Vec<f64>,
    pub(crate) seconds: f64,
    pub(crate) subproblems: usize,
    pub(crate) gradients: usize,
    /// Norm of `B^T f - F` over that of `F`.
    pub(crate) residual: f64,
    /// Norm of the projected gradient over that of the energy's gradient at the start.
    pub(crate) stationarity: f64,
}

type Vectors = Vec<[f64; 3]>;

/// A point, `B^T f - F` there, and the gradient of the augmented Lagrangian.
#[derive(Clone)]
struct Point {
    forces: Vec<f64>,
    defect: Vectors,
}

struct Search<'a> {
    truss: &'a Truss,
    load: Vectors,
    /// `k^(1/(1-p))`
    compliance: Vec<f64>,
    penalty: f64,
    multipliers: Vectors,
    at: Point,
    lipschitz: f64,
    gradients: usize,
    end: f64,
}

impl Truss {
    /// Forces with the resultants of `given`, to `tolerance`, in at most `limit` [s].
    pub(crate) fn solve(&self, given: &[f64], tolerance: f64, limit: f64) -> Reached {
        let begin = processor_time();
        let unit = given.iter().copied().fold(0.0, f64::max);
        let mut search = Search::new(self, given.iter().map(|force| force / unit).collect(), begin + limit);
        let load = norm(search.load.as_flattened());
        let scale = norm(&search.slopes(&search.at.forces));
        let (mut omega, mut eta) = first_tolerances(search.penalty);
        let mut reached = Reached {
            forces: Vec::new(),
            seconds: 0.0,
            subproblems: 0,
            gradients: 0,
            residual: 1.0,
            stationarity: 1.0,
        };
        while processor_time() < search.end {
            reached.stationarity = search.minimise(omega.max(tolerance) * scale) / scale;
            reached.subproblems += 1;
            reached.residual = norm(search.at.defect.as_flattened()) / load;
            if reached.residual <= tolerance && reached.stationarity <= tolerance {
                break;
            }
            if reached.residual <= eta.max(tolerance) {
                search.update_multipliers();
                omega /= search.penalty;
                eta /= search.penalty.powf(0.9);
            } else {
                search.penalty *= HARDER;
                search.lipschitz *= HARDER;
                (omega, eta) = first_tolerances(search.penalty);
            }
        }
        reached.forces = search.at.forces.iter().map(|force| unit * force).collect();
        reached.gradients = search.gradients;
        reached.seconds = processor_time() - begin;
        reached
    }

    /// `B^T f - F`.
    fn defect(&self, forces: &[f64], load: &Vectors, defect: &mut Vectors) {
        defect.iter_mut().zip(load).for_each(|(defect, load)| *defect = load.map(|load| -load));
        for (Member { bodies, normal, .. }, force) in self.members.iter().zip(forces) {
            for (body, force) in bodies.iter().zip([-force, *force]) {
                if let Some(body) = body {
                    defect[*body].iter_mut().zip(normal).for_each(|(sum, normal)| *sum += force * normal);
                }
            }
        }
    }
}

/// LANCELOT's tolerances at a new penalty: of the gradient and of the constraints.
fn first_tolerances(penalty: f64) -> (f64, f64) {
    (1.0 / penalty, penalty.powf(-0.1))
}

impl<'a> Search<'a> {
    fn new(truss: &'a Truss, forces: Vec<f64>, end: f64) -> Self {
        let zeros = vec![[0.0; 3]; truss.spheres];
        let mut load = zeros.clone();
        truss.defect(&forces, &zeros, &mut load);
        let stiffest = truss.members.iter().map(|member| member.stiffness).fold(0.0, f64::max);
        let power = 1.0 / (1.0 - truss.exponent);
        let compliance = truss.members.iter().map(|member| (member.stiffness / stiffest).powf(power)).collect();
        Self {
            truss,
            load,
            compliance,
            penalty: PENALTY,
            multipliers: zeros.clone(),
            at: Point { forces, defect: zeros },
            lipschitz: PENALTY,
            gradients: 0,
            end,
        }
    }

    fn update_multipliers(&mut self) {
        let (sums, defects) = (self.multipliers.as_flattened_mut(), self.at.defect.as_flattened());
        sums.iter_mut().zip(defects).for_each(|(sum, defect)| *sum += self.penalty * defect);
    }

    /// `f^(1/(p-1))`, odd.
    fn root(&self, force: f64) -> f64 {
        if self.truss.exponent == 2.0 {
            force
        } else if self.truss.exponent == 2.5 {
            force.cbrt().powi(2).copysign(force)
        } else {
            force.abs().powf(1.0 / (self.truss.exponent - 1.0)).copysign(force)
        }
    }

    /// The gradient of the energy.
    fn slopes(&self, forces: &[f64]) -> Vec<f64> {
        forces.iter().zip(&self.compliance).map(|(force, compliance)| compliance * self.root(*force)).collect()
    }

    /// The energy of a contact at `there` minus its linear model at `here`, which has the slope `slope`.
    fn above_model(&self, compliance: f64, slope: f64, here: f64, there: f64) -> f64 {
        let (step, degree) = (there - here, 1.0 / (self.truss.exponent - 1.0));
        if self.truss.exponent == 2.0 {
            0.5 * compliance * step * step
        } else if step.abs() < SMALL * here.abs() {
            0.5 * degree * slope / here * step * step
        } else {
            let energy = |force: f64| compliance / (degree + 1.0) * force * self.root(force);
            energy(there) - energy(here) - slope * step
        }
    }

    /// From the gradient of the energy to that of the augmented Lagrangian.
    fn gradient(&self, slopes: &[f64], defect: &Vectors) -> Vec<f64> {
        let pull = |(y, c): (&[f64; 3], &[f64; 3])| std::array::from_fn(|k| y[k] + self.penalty * c[k]);
        let pulls: Vectors = self.multipliers.iter().zip(defect).map(pull).collect();
        let along = |body: Option<usize>, normal: &[f64; 3]| body.map_or(0.0, |body| dot(&pulls[body], normal));
        let members = self.truss.members.iter().zip(slopes);
        members
            .map(|(Member { bodies: [a, b], normal, .. }, slope)| slope + along(*b, normal) - along(*a, normal))
            .collect()
    }

    /// Minimises over `f >= 0` until the projected gradient has at most this norm, which is returned.
    fn minimise(&mut self, enough: f64) -> f64 {
        let mut ahead = self.at.clone();
        self.truss.defect(&self.at.forces, &self.load, &mut ahead.defect);
        self.at.defect.clone_from(&ahead.defect);
        let mut next = ahead.clone();
        let mut theta = 1.0_f64;
        loop {
            let slopes = self.slopes(&ahead.forces);
            let gradient = self.gradient(&slopes, &ahead.defect);
            let mapping = self.descend(&ahead, (&slopes, &gradient), &mut next);
            self.gradients += 1;
            let uphill: f64 =
                gradient.iter().zip(&next.forces).zip(&self.at.forces).map(|((g, n), f)| g * (n - f)).sum();
            let next_theta = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
            let mut ahead_by = theta * (1.0 - theta) / (theta * theta + next_theta);
            theta = next_theta;
            if uphill > 0.0 {
                (theta, ahead_by) = (1.0, 0.0);
            }
            extrapolate(&next.forces, &self.at.forces, ahead_by, &mut ahead.forces);
            extrapolate(
                next.defect.as_flattened(),
                self.at.defect.as_flattened(),
                ahead_by,
                ahead.defect.as_flattened_mut(),
            );
            std::mem::swap(&mut self.at, &mut next);
            let over = processor_time() >= self.end;
            if mapping <= enough || over {
                let projected = self.projected_gradient();
                if projected <= enough || over {
                    return projected;
                }
            }
            self.lipschitz *= 0.9;
        }
    }

    /// A projected gradient step from `ahead` to `next`; the norm of the gradient mapping.
    fn descend(&mut self, ahead: &Point, (slopes, gradient): (&[f64], &[f64]), next: &mut Point) -> f64 {
        loop {
            let from = ahead.forces.iter().zip(gradient);
            next.forces.iter_mut().zip(from).for_each(|(next, (f, g))| *next = (f - g / self.lipschitz).max(0.0));
            self.truss.defect(&next.forces, &self.load, &mut next.defect);
            let steps = ahead.forces.iter().zip(&next.forces);
            let length: f64 = steps.clone().map(|(here, there)| (there - here).powi(2)).sum();
            let energy: f64 = steps
                .zip(slopes.iter().zip(&self.compliance))
                .map(|((here, there), (slope, compliance))| self.above_model(*compliance, *slope, *here, *there))
                .sum();
            let defects = ahead.defect.as_flattened().iter().zip(next.defect.as_flattened());
            let change: f64 = defects.map(|(here, there)| (there - here).powi(2)).sum();
            if energy + 0.5 * self.penalty * change <= 0.5 * self.lipschitz * length {
                return self.lipschitz * length.sqrt();
            }
            self.lipschitz *= 2.0;
        }
    }

    /// The norm of the gradient where a force is above zero, and of what of it would raise a force elsewhere.
    fn projected_gradient(&self) -> f64 {
        let gradient = self.gradient(&self.slopes(&self.at.forces), &self.at.defect);
        let free = gradient.iter().zip(&self.at.forces).map(|(g, f)| if *f > 0.0 { *g } else { g.min(0.0) });
        free.map(|g| g * g).sum::<f64>().sqrt()
    }
}

/// `out = to + factor (to - from)`.
fn extrapolate(to: &[f64], from: &[f64], factor: f64, out: &mut [f64]) {
    out.iter_mut().zip(to.iter().zip(from)).for_each(|(out, (to, from))| *out = to + factor * (to - from));
}

fn dot(x: &[f64; 3], y: &[f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
