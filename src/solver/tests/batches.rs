//! Contacts in batches of the sweep, whatever their bodies, visited one by one: lane by lane that is allowed.

use super::random::{Scene, lines_of, put, write_extra};
use crate::math::lanes::{Level, Lines, Places, Vec3s, WIDE, Wide, dispatch};
use crate::math::{BodyRow, Vec3, tangents};
use crate::solver::gauss_seidel::disc::Disc;
use crate::solver::gauss_seidel::rows::kernels::Measure;
use crate::solver::gauss_seidel::rule::Coulomb;
use crate::solver::gauss_seidel::wide::general::GeneralRow;
use crate::solver::gauss_seidel::wide::lines::{Bodies, moved};
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, Mass};
use crate::solver::gauss_seidel::wide::{ContactBatch, Extras, PrepareContext, SweepContext, lines};
use crate::solver::problem::{Contact, FullContact, Impulse, ImpulsiveWrench, OptionalTerms, Problem};

/// What is measured of eight contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measured {
    /// The velocities of b relative to a along the normals.
    pub(super) normal: Wide,
    pub(super) residual: Wide,
}

/// Contacts of one kind, with their torques and all optional terms.
#[derive(Clone)]
pub(super) struct Batches<B: ContactBatch> {
    pub(super) batches: Vec<B>,
    pub(super) extras: Vec<B::Extra>,
    pub(super) torques: Vec<B::Torques>,
    pub(super) masses: Vec<Wide>,
}

impl<B: ContactBatch> Batches<B> {
    /// The contacts of a scene.
    pub(super) fn new(scene: &Scene) -> Self {
        Self::made_at(Level::best(), scene, &scene.wholes())
    }

    /// These contacts between the bodies of a scene, by kernels of this width.
    pub(super) fn made_at(level: Level, scene: &Scene, contacts: &[(Contact, OptionalTerms)]) -> Self {
        let (problem, (masses, velocities)) = (scene.problem(), scene.with_world());
        let bodies = lines_of(&masses, &velocities);
        let given = PrepareContext { problem: &problem, bodies: &bodies, level };
        let count = contacts.len().div_ceil(WIDE);
        let mut made = Self {
            batches: vec![B::empty(BodyRow::from(scene.masses.len())); count],
            extras: vec![B::NO_EXTRA; count],
            torques: vec![B::NO_TORQUES; count],
            masses: masses.iter().map(lines::mass).collect(),
        };
        for (at, contacts) in contacts.chunks(WIDE).enumerate() {
            let wholes = || contacts.iter().map(|(contact, optional)| (contact, optional));
            put((&mut made.batches[at], Some(&mut made.torques[at])), &given, wholes(), false);
            for (lane, whole) in wholes().enumerate() {
                write_extra::<B>(&mut made.extras[at], lane, &given, whole);
            }
        }
        made
    }

    /// One contact in a batch of its own.
    pub(super) fn of_one(scene: &Scene, (contact, optional): FullContact) -> Self {
        Self::made_at(Level::best(), scene, &[(*contact, *optional)])
    }

    /// Without torque.
    pub(super) fn set(&mut self, index: usize, impulse: &Impulse) {
        self.set_wrench(index, &(*impulse).into());
    }

    pub(super) fn set_wrench(&mut self, index: usize, wrench: &ImpulsiveWrench) {
        let (at, lane) = (index / WIDE, index % WIDE);
        self.batches[at].set(lane, &wrench.force);
        self.batches[at].set_torque(&mut self.torques[at], lane, &wrench.torque);
    }

    pub(super) fn impulse(&self, index: usize) -> Impulse {
        self.wrench(index).force
    }

    pub(super) fn wrench(&self, index: usize) -> ImpulsiveWrench {
        let (batch, lane) = (&self.batches[index / WIDE], index % WIDE);
        let (normal, tangential) = batch.force(lane);
        let torque = batch.torque(&self.torques[index / WIDE], lane);
        ImpulsiveWrench { force: Impulse { normal, tangential }, torque }
    }

    /// Visits one contact; returns the square of its change in velocity [m^2/s^2].
    pub(super) fn relax(&mut self, index: usize, bodies: &mut [Wide], relaxation: f64) -> f64 {
        let at = index / WIDE;
        let ground = SweepContext {
            bodies: Lines::new(bodies),
            masses: Lines::new(&mut self.masses),
            relaxation,
            dilation: 0.0,
        };
        let (extra, torques) = (Some(&self.extras[at]), Some(&mut self.torques[at]));
        let (batch, lane) = (&mut self.batches[at], index % WIDE);
        let own = *batch.places()[0];
        moved(ground.bodies, &own, lane, |a| {
            batch.relax::<f64, Anisotropic, Coulomb, true>(a, extra, torques, ground, lane)
        })
    }

    /// The velocity of b relative to a of a lane of the first batch, with what contacts have `optional`.
    pub(super) fn relative(&self, lane: usize, lines: &[Wide], optional: bool) -> Vec3 {
        let batch = &self.batches[0];
        let body = |places: &Places| {
            let velocity = lines::velocity(&lines[places[lane].index()]);
            let [linear, angular] = [velocity.linear, velocity.angular].map(|v| Vec3s::new(v.x, v.y, v.z));
            // only the velocities are asked for
            Bodies::<f64> { linear, angular, inverse_mass: f64::NAN, inverse_inertia: f64::NAN }
        };
        let [a, b] = batch.places().map(body);
        let extra = self.extras.first().filter(|_| optional);
        let Vec3s { x, y, z } = batch.relative([&a, &b], extra, lane);
        Vec3::new(x, y, z)
    }

    /// What is measured of the first batch by kernels of this width; with what contacts have `optional`, as far
    /// as the batch measures that.
    pub(super) fn measured(&self, level: Level, lines: &[Wide], optional: bool) -> Measured {
        let none = Wide::splat(0.0);
        let (mut normal, mut residuals) = ([none], [none]);
        let (mut lines, mut masses) = (lines.to_vec(), self.masses.clone());
        let measure = Measure {
            batches: &self.batches,
            extras: Extras { all: &self.extras, places: if optional { &[0] } else { &[] } },
            torques: if optional && B::MEASURES_TURNING { &self.torques } else { &[] },
            normal: &mut normal,
            residuals: &mut residuals,
            context: SweepContext {
                bodies: Lines::new(&mut lines),
                masses: Lines::new(&mut masses),
                relaxation: 1.0,
                dilation: 0.0,
            },
        };
        dispatch(level, measure);
        Measured { normal: normal[0], residual: residuals[0] }
    }
}

/// The row of a contact alone.
pub(super) fn general_row(problem: &Problem, (contact, optional): FullContact) -> GeneralRow<f64> {
    let mass =
        |body: BodyRow| Mass { linear: problem.mass(body).linear.into(), angular: problem.mass(body).angular.entries };
    let compliance = [optional.normal_compliance, optional.tangential_compliance];
    let arms = [contact.arm_a.into(), contact.arm_b.into()];
    GeneralRow::new(contact.normal.into(), arms, &[mass(contact.body_a), mass(contact.body_b)], compliance)
}

/// The torque rows of a contact, one by one.
pub(super) struct RollingRow {
    /// Tangents, of which those of the disc are made.
    pub(super) t1: Vec3,
    pub(super) t2: Vec3,
    /// The block of rolling about `t1` and `t2`; none where the bodies do not turn about either.
    pub(super) disc: Option<Disc>,
    /// The diagonal entry of twisting [1/(kg m^2)].
    pub(super) twisting_block: f64,
    /// The distance at which a torque counts as a force [m].
    pub(super) length: f64,
}

impl RollingRow {
    /// The row of a contact that resists turning, or `None`.
    pub(super) fn new(problem: &Problem, (contact, optional): FullContact) -> Option<Self> {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let turns = mass_a.angular.trace() + mass_b.angular.trace() > 0.0;
        if !optional.resists_turning() || !turns {
            return None;
        }
        let (t1, t2) = tangents(&contact.normal);
        let respond = |axis: &Vec3| mass_a.angular.times(axis) + mass_b.angular.times(axis);
        let (along_1, along_2) = (respond(&t1), respond(&t2));
        Some(Self {
            t1,
            t2,
            disc: Disc::new(t1.dot(&along_1), t1.dot(&along_2), t2.dot(&along_2)),
            twisting_block: contact.normal.dot(&respond(&contact.normal)),
            length: contact.measure(mass_a, mass_b, optional).length,
        })
    }
}
