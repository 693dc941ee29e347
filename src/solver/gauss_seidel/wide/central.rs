//! Contacts whose normal passes through the centre of mass of every body that they move, and whose bodies have isotropic
//! mass: spheres on spheres, planes and fixed boxes.
//!
//! The block is diagonal: one number for the normal and one for the whole tangent plane. There are therefore neither
//! tangents nor arms. With arms `l_a n` and `-l_b n` the relative velocity is
//! `u = v_b - v_a - (l_a w_a + l_b w_b) x n`. Friction is a vector in world axes, and the exact local solve is a
//! division and a clamp.

mod associated;
mod optional;
mod prepare;

use crate::math::lanes::{Lanes, Places, Vec3s, WIDE, Wide, prefetch_value, put, take};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::packer::LONGEST_RUN;
use crate::solver::gauss_seidel::rule::Rule;
use crate::solver::gauss_seidel::wide::batch::{BatchInput, ContactBatch, EXTRA, PrepareContext, SweepBatch, TURNING};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, Linear, SweepContext};
use crate::solver::gauss_seidel::wide::masses::MassSource;
use crate::solver::gauss_seidel::wide::residual::{Bound, Measured, Split, residual};
use crate::solver::problem::Impulse;
use optional::{Solved, bounded};
use prepare::{is_kinematic, kinematic_motion, moving};

pub(in crate::solver) use optional::{CentralTorques, Extra};
pub(in crate::solver) use prepare::CentralBatch;

impl SweepBatch for CentralBatch {
    type Extra = Extra;
    type Torques = CentralTorques;
    const READS_MASSES: bool = false;
    const EXTRA_BYTES: usize = Extra::SWEPT_BYTES;
    const LONGEST_RUN: usize = LONGEST_RUN;

    #[inline(always)]
    fn places(&self) -> [&Places; 2] {
        [&self.places[0], &self.places[1]]
    }

    #[inline(always)]
    fn bytes_read(&self) -> usize {
        size_of::<Self>()
    }

    #[inline(always)]
    fn relax<L: Lanes, M: MassSource, R: Rule, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        context: SweepContext,
        first: usize,
    ) -> L {
        if R::DILATES {
            return self.relax_associated(a, extra, torques, context, first);
        }
        let (zero, relaxation) = (L::splat(0.0), context.relaxation);
        let b = self.body_b::<L>(context, first);
        let normal = Vec3s::load(&self.normal, first);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut u = self.relative_velocity([a, &b], first);
        if let Some(extra) = extra {
            u = extra.with_offset(u, first);
        }
        let u_n = normal.dot(u);
        let old_n = L::load(&self.lambda_n, first);
        let lambda_n = self.solve_normal(u_n, old_n, extra, relaxation, first);

        // the tangent plane: sticking, projected on the cone where it is outside
        let old_t = Vec3s::load(&self.lambda_t, first);
        let mut w_t = u - normal * u_n;
        if let Some(extra) = extra {
            w_t = w_t + old_t * L::load(&extra.tangential_compliance, first);
        }
        let tangential_inverse = L::load(&self.tangential_inverse, first);
        let limit = L::load(&self.friction, first) * lambda_n;
        let lambda_t = bounded(old_t, old_t - w_t * tangential_inverse, limit, relaxation);

        let change_t = lambda_t - old_t;
        let change = normal * (lambda_n - old_n) + change_t;
        let moment = normal.cross(change_t);
        lambda_n.store(&mut self.lambda_n, first);
        lambda_t.store(&mut self.lambda_t, first);
        let mut turns = [-(moment * (lever_a * a.inverse_inertia)), -(moment * (lever_b * b.inverse_inertia))];
        let mut changed = zero;
        if MEASURED {
            let responds = L::above(tangential_inverse, zero);
            let square = change.dot(change) / (tangential_inverse * tangential_inverse);
            changed = L::select(responds, square, zero);
        }
        if let Some(torques) = torques {
            let solved = Solved { normal, normal_impulse: lambda_n, relaxation };
            let turned = torques.solve::<L, MEASURED>(extra, [a, &b], &mut turns, &solved, first);
            changed = turned.larger(changed);
        }
        a.add([-(change * a.inverse_mass), turns[0]]);
        lines::add(context.bodies, &self.places[1], first, [change * b.inverse_mass, turns[1]]);
        changed
    }

    #[inline(always)]
    fn apply<L: Lanes>(
        &self,
        a: &mut Bodies<L>,
        torques: Option<&CentralTorques>,
        context: SweepContext,
        first: usize,
    ) {
        let b = self.body_b::<L>(context, first);
        let normal = Vec3s::load(&self.normal, first);
        let friction = Vec3s::load(&self.lambda_t, first);
        let impulse = normal * L::load(&self.lambda_n, first) + friction;
        let moment = normal.cross(friction);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut turns = [-(moment * (lever_a * a.inverse_inertia)), -(moment * (lever_b * b.inverse_inertia))];
        if let Some(torques) = torques {
            let torque = Vec3s::load(&torques.rolled, first) + normal * L::load(&torques.twisted, first);
            turns = [turns[0] - torque * a.inverse_inertia, turns[1] + torque * b.inverse_inertia];
        }
        a.add([-(impulse * a.inverse_mass), turns[0]]);
        lines::add(context.bodies, &self.places[1], first, [impulse * b.inverse_mass, turns[1]]);
    }

    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, torques: Option<&CentralTorques>, first: usize) -> [[Vec3s<L>; 2]; 2] {
        let normal = Vec3s::load(&self.normal, first);
        let friction = Vec3s::load(&self.lambda_t, first);
        let moment = normal.cross(friction);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut turns = [-(moment * lever_a), -(moment * lever_b)];
        if let Some(torques) = torques {
            let torque = Vec3s::load(&torques.rolled, first) + normal * L::load(&torques.twisted, first);
            turns = [turns[0] - torque, turns[1] + torque];
        }
        let impulse = normal * L::load(&self.lambda_n, first) + friction;
        [[-impulse, turns[0]], [impulse, turns[1]]]
    }
}

impl ContactBatch for CentralBatch {
    const NO_EXTRA: Extra = Extra::NONE;
    const NO_TORQUES: CentralTorques = CentralTorques::NONE;
    const POSITION_BYTES: usize = std::mem::offset_of!(Self, bias);
    const MEASURES_TURNING: bool = true;

    fn empty(resting: BodyRow) -> Self {
        let zero = Wide::splat(0.0);
        Self {
            places: [lines::nowhere(resting); 2],
            normal: [zero; 3],
            bias: zero,
            normal_inverse: zero,
            tangential_inverse: zero,
            friction: zero,
            levers: [zero; 2],
            lambda_n: zero,
            lambda_t: [zero; 3],
        }
    }

    #[inline(always)]
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut CentralTorques>,
        context: &PrepareContext,
        input: &BatchInput,
    ) -> u32 {
        let BatchInput { count, pairs, normal, contacts, start, optional } = *input;
        // The motion of a body that no impulse moves is in the optional terms: the resting line adds nothing.
        let resting = BodyRow::from(context.problem.masses.len());
        self.places = [moving(&pairs[0], resting), moving(&pairs[1], resting)];
        (self.normal, self.bias, self.friction) = (*normal, contacts.bias, contacts.friction);
        (self.lambda_n, self.lambda_t) = (start.normal, start.tangential);
        let mut found = if torques.is_some() && optional.resist_turning() { TURNING } else { 0 };
        for lane in 0..count {
            found |= if is_kinematic(input.pair(lane), context.problem) { EXTRA } else { 0 };
        }
        if !PLAIN {
            found |= if optional.have_compliance_or_surface_velocity() { EXTRA } else { 0 };
            for first in (0..WIDE).step_by(L::WIDTH) {
                let (normal, surface) =
                    (Vec3s::load(&self.normal, first), Vec3s::load(&optional.surface_velocity, first));
                (L::load(&self.bias, first) + normal.dot(surface)).store(&mut self.bias, first);
            }
        }
        self.block::<L>(&contacts.arms, torques, optional, context.bodies);
        found
    }

    fn write_extra(extra: &mut Extra, lane: usize, context: &PrepareContext, input: &BatchInput) {
        let arms = input.contacts.arms(lane);
        let [velocity, spin] = kinematic_motion(input.pair(lane), &arms, context.problem);
        put(&mut extra.kinematic_velocity, lane, &velocity);
        put(&mut extra.kinematic_spin, lane, &spin);
        let surface = take(&input.optional.surface_velocity, lane);
        extra.moves |= [velocity, spin, surface].iter().any(|each| *each != Vec3::zeros());
        put(&mut extra.surface_velocity, lane, &surface);
        put(&mut extra.offset, lane, &(velocity - surface));
        extra.normal_compliance.0[lane] = input.optional.compliance[0].0[lane];
        extra.tangential_compliance.0[lane] = input.optional.compliance[1].0[lane];
        extra.turning_compliance.0[lane] = input.optional.compliance[2].0[lane];
    }

    #[inline]
    fn set(&mut self, lane: usize, impulse: &Impulse) {
        self.lambda_n.0[lane] = impulse.normal;
        put(&mut self.lambda_t, lane, &impulse.tangential);
    }

    #[inline]
    fn force(&self, lane: usize) -> (f64, Vec3) {
        (self.lambda_n.0[lane], take(&self.lambda_t, lane))
    }

    #[inline(always)]
    fn prefetch_impulses(&self, torques: Option<&CentralTorques>) {
        prefetch_value(&self.lambda_n);
        prefetch_value(&self.lambda_t);
        if let Some(torques) = torques {
            prefetch_value(&self.normal);
            prefetch_value(&torques.rolled);
            prefetch_value(&torques.twisted);
        }
    }

    fn set_torque(&self, torques: &mut CentralTorques, lane: usize, torque: &Vec3) {
        let normal = take(&self.normal, lane);
        let turns = torques.inverse.0[lane] > 0.0;
        let torque = if turns { *torque } else { Vec3::zeros() };
        let along = normal.dot(&torque);
        torques.twisted.0[lane] = along;
        put(&mut torques.rolled, lane, &(torque - along * normal));
    }

    fn torque(&self, torques: &CentralTorques, lane: usize) -> Vec3 {
        take(&torques.rolled, lane) + torques.twisted.0[lane] * take(&self.normal, lane)
    }

    #[inline(always)]
    fn relative<L: Lanes>(&self, bodies: [&Bodies<L>; 2], extra: Option<&Extra>, first: usize) -> Vec3s<L> {
        let u = self.relative_velocity(bodies, first);
        match extra {
            Some(extra) => u + Vec3s::load(&extra.kinematic_velocity, first),
            None => u,
        }
    }

    #[inline(always)]
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&CentralTorques>,
        context: SweepContext,
        first: usize,
    ) -> Measured<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let b = self.body_b::<L>(context, first);
        let (normal, bias) = (Vec3s::load(&self.normal, first), L::load(&self.bias, first));
        let impulse = Split { normal: L::load(&self.lambda_n, first), tangential: Vec3s::load(&self.lambda_t, first) };
        let u = self.relative([a, &b], extra, first);
        let u_n = normal.dot(u);
        let mut w = Split { normal: u_n + bias, tangential: u - normal * u_n };
        if let Some(extra) = extra {
            let past = u - Vec3s::load(&extra.surface_velocity, first);
            let past_n = normal.dot(past);
            w.normal = past_n + bias + L::load(&extra.normal_compliance, first) * impulse.normal;
            w.tangential = past - normal * past_n + impulse.tangential * L::load(&extra.tangential_compliance, first);
        }
        let (inverse_n, inverse_t) = (L::load(&self.normal_inverse, first), L::load(&self.tangential_inverse, first));
        // a third of the trace of the block; locked translations do not respond along the normal
        let block_n = L::select(L::above(inverse_n, zero), one / inverse_n, zero);
        let scale = (block_n + L::splat(2.0) / inverse_t) * L::splat(1.0 / 3.0);
        let turning = torques.map(|torques| torques.turning(normal, [a, &b], extra, first));
        let bound = Bound { friction: L::load(&self.friction, first), dilation: context.dilation };
        let residual = residual(bound, scale, w, impulse, turning.as_ref());
        // in a lane without a contact nothing responds
        let residual = L::select(L::above(inverse_t, zero), residual, zero);
        Measured { normal: u_n, residual }
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, context: SweepContext, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        self.add_displacement(context, first, self.linear(context, first), change);
    }

    #[inline(always)]
    fn push<L: Lanes, M: MassSource>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L {
        let [a, b] = self.linear::<L>(context, first);
        let normal = Vec3s::load(&self.normal, first);
        let zero = L::splat(0.0);
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let along = normal.dot(b.linear - a.linear);
        let old = L::load(multipliers, first);
        let wanted = (old + (L::load(targets, first) - along) / inverse_mass).larger(zero);
        // what nothing moves stays where it is
        let next = L::select(L::above(inverse_mass, zero), wanted, old);
        next.store(multipliers, first);
        let step = next - old;
        self.add_displacement(context, first, [a, b], normal * step);
        step.magnitude() * inverse_mass
    }
}

impl CentralBatch {
    /// Returns the normal impulse: a division and a clamp.
    #[inline(always)]
    fn solve_normal<L: Lanes>(&self, u_n: L, old: L, extra: Option<&Extra>, relaxation: f64, first: usize) -> L {
        let zero = L::splat(0.0);
        let mut w_n = u_n + L::load(&self.bias, first);
        if let Some(extra) = extra {
            w_n = w_n + L::load(&extra.normal_compliance, first) * old;
        }
        let mut impulse = (old - L::load(&self.normal_inverse, first) * w_n).larger(zero);
        if relaxation != 1.0 {
            impulse = (old + L::splat(relaxation) * (impulse - old)).larger(zero);
        }
        impulse
    }

    /// Reads the bodies for the position pass, which does not turn them.
    #[inline(always)]
    fn linear<L: Lanes>(&self, context: SweepContext, first: usize) -> [Linear<L>; 2] {
        let [a, b] = &self.places;
        [Linear::gather(context.bodies, a, first), Linear::gather(context.bodies, b, first)]
    }

    /// Applies an impulse of the position pass to the displacements.
    #[inline(always)]
    fn add_displacement<L: Lanes>(
        &self,
        context: SweepContext,
        first: usize,
        [a, b]: [Linear<L>; 2],
        change: Vec3s<L>,
    ) {
        lines::add_linear(context.bodies, &self.places[0], first, -(change * a.inverse_mass));
        lines::add_linear(context.bodies, &self.places[1], first, change * b.inverse_mass);
    }
}
