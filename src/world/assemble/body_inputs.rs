//! The bodies of a substep: the data for the solver, and the data for their contacts.
//!
//! The contacts read one cache line of each body, its input, so that eight bodies can be gathered at once. Its layout is
//!
//! `[x y z  radius  v.x v.y v.z  material]`
//!
//! with the centre and the radius of its shape [m], the velocity of its centre of mass [m/s], and the slot of its
//! material.

use crate::body::{Kick, Motion};
use crate::collide::Ball;
use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::{Lanes, Lines, Places, Vec3s, Wide};
use crate::solver::{MassInverse, Velocity};
use crate::tasks::{each_pair_of_pieces, each_piece};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::assemble::assembly::{AssembleInput, Assembly};

/// Writes `M^-1` and `vhat` of every row, and its input. Bodies outside the step are at rest, and impulses do not
/// move them.
pub(super) fn assemble_bodies(input: &AssembleInput, assembly: &mut Assembly) -> Result<()> {
    let AssembleInput { tasks, bodies, gravity, detector, motion: present, index, .. } = input;
    let (spheres, h) = (detector.spheres(), input.duration());
    let (count, active) = (index.slots().len(), index.active());
    // Rows of active bodies are overwritten.
    assembly.masses.truncate(active.len());
    resize(&mut assembly.masses, count, MassInverse::ZERO, "bodies")?;
    assembly.velocities.truncate(active.len());
    resize(&mut assembly.velocities, count, Velocity::ZERO, "bodies")?;
    resize(&mut assembly.inputs, count, Wide::splat(0.0), "bodies")?;
    let (inputs, resting) = assembly.inputs.split_at_mut(active.len());
    for (input, slot) in resting.iter_mut().zip(&index.slots()[active.len()..]) {
        *input = input_of(&spheres[*slot as usize], detector.material(*slot), &Vec3::zeros());
    }
    let rows = (&mut assembly.masses[..active.len()], (&mut assembly.velocities[..active.len()], inputs));
    each_pair_of_pieces(*tasks, BODIES_PER_PIECE, rows, |first, masses, (velocities, inputs)| {
        for (row, ((inverse, velocity), input)) in (first..).zip(masses.iter_mut().zip(velocities).zip(inputs)) {
            let slot = active[row] as usize;
            let (soon, later) = (active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
            bodies.prefetch(soon, later);
            detector.prefetch(soon);
            let (motion, mass, traits) = (&present[row], &bodies.mass[slot], &bodies.traits[slot]);
            // Borrowed, not copied: a copy would wait for its own stores.
            let turned;
            let angular = match mass.constant_inverse() {
                Some(constant) => constant,
                None => {
                    turned = mass.world_inverse(&motion.rotation);
                    &turned
                }
            };
            let kick = Kick {
                gravity: traits.gravity_scale * *gravity,
                wrench: *bodies.wrench(slot),
                linear_damping: traits.linear_damping,
                angular_damping: traits.angular_damping,
            };
            (velocity.linear, velocity.angular) = motion.kicked(mass, angular, &kick, h);
            (inverse.linear, inverse.angular) = (mass.inverse_mass, *angular);
            *input = input_of(&spheres[slot], detector.material(slot as u32), &motion.linear);
        }
    });
    assemble_point_speeds(input, &mut assembly.point_speeds)
}

/// Writes the largest speeds of contact points, where detection found any.
fn assemble_point_speeds(input: &AssembleInput, speeds: &mut Vec<f64>) -> Result<()> {
    let AssembleInput { tasks, bodies, settings, detector, motion: present, index, .. } = input;
    let (spheres, active) = (detector.spheres(), index.active());
    let count = if index.has_geometries() { index.slots().len() } else { 0 };
    let moving = active.len().min(count);
    // Bodies outside the step are at rest. The speeds of the others are overwritten.
    speeds.truncate(moving);
    resize(speeds, count, 0.0, "bodies")?;
    each_piece(*tasks, BODIES_PER_PIECE, &mut speeds[..moving], |first, speeds| {
        for (row, speed) in (first..).zip(speeds) {
            let slot = active[row] as usize;
            let (center, radius) = (&bodies.mass[slot].center, spheres[slot].radius);
            *speed = max_point_speed(&present[row], center, radius, settings.contact_margin);
        }
    });
    Ok(())
}

/// The bodies of eight contacts, on one side.
#[derive(Clone, Copy)]
pub(super) struct BodyInputs<L> {
    pub(super) center: Vec3s<L>,
    pub(super) radius: L,
    pub(super) velocity: Vec3s<L>,
    pub(super) material: L,
}

impl<L: Lanes> BodyInputs<L> {
    /// Gathers the bodies of some rows.
    #[inline(always)]
    pub(super) fn gather(inputs: Lines, rows: &Places, first: usize) -> Self {
        let [x, y, z, radius, v_x, v_y, v_z, material] = L::gather(inputs, rows, first);
        Self { center: Vec3s::new(x, y, z), radius, velocity: Vec3s::new(v_x, v_y, v_z), material }
    }

    /// Returns the distance from the origin plus the size. The round-off of gaps is in proportion to it [m].
    #[inline(always)]
    pub(super) fn reach(&self) -> L {
        self.center.dot(self.center).root() + self.size()
    }

    /// Returns the radius of the shape; 0 for a half-space [m].
    #[inline(always)]
    pub(super) fn size(&self) -> L {
        size_of(self.radius)
    }
}

/// Returns the input of a body whose centre of mass has this velocity.
#[inline(always)]
fn input_of(ball: &Ball, material: u32, velocity: &Vec3) -> Wide {
    let (Ball { center, radius }, v) = (ball, velocity);
    Wide([center.x, center.y, center.z, *radius, v.x, v.y, v.z, f64::from(material)])
}

/// Returns how much faster than its centre of mass any contact point of a body moves at most, round-off included [m/s]. `center` is the
/// centre of mass in body axes, `radius` that of the shape, `margin` the contact margin [m].
pub(super) fn max_point_speed(motion: &Motion, center: &Vec3, radius: f64, margin: f64) -> f64 {
    // From the centre of mass to the shape's origin, and from there to the surface.
    let arm = center.norm() + radius + margin;
    let spin = motion.angular.norm();
    let turning = if spin == 0.0 { 0.0 } else { spin * arm };
    // More than round-off could add.
    1.001 * turning + 1e-9 * motion.linear.norm()
}

/// Returns the largest speed of any contact point of a body; see [`max_point_speed`] [m/s].
pub(in crate::world) fn fastest_point(motion: &Motion, center: &Vec3, radius: f64, margin: f64) -> f64 {
    motion.linear.norm() + max_point_speed(motion, center, radius, margin)
}

/// Returns the slot of the material that an input has in its last number.
#[inline(always)]
pub(super) fn material_of(material: f64) -> u32 {
    material as u32
}

/// Returns the slot of the material.
#[inline(always)]
pub(super) fn material(input: &Wide) -> u32 {
    material_of(input.0[7])
}

/// Returns the radius of the shape; 0 for a half-space [m].
#[inline(always)]
pub(super) fn size(input: &Wide) -> f64 {
    size_of(input.0[3])
}

/// Returns whether eight materials are the same.
#[inline(always)]
pub(super) fn are_one_material(materials: &Wide) -> bool {
    materials.0.iter().fold(true, |same, material| same & (*material == materials.0[0]))
}

/// Returns the radius, or 0 if it is infinite [m].
#[inline(always)]
fn size_of<L: Lanes>(radius: L) -> L {
    L::select(L::above(L::splat(f64::INFINITY), radius), radius, L::splat(0.0))
}
