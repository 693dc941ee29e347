//! Contacts whose normal passes through the centre of mass of every body that they move, and whose bodies have isotropic
//! mass: spheres on spheres, planes and fixed boxes.
//!
//! The block is diagonal, one number for the normal and one for the whole tangent plane, so there are neither tangents
//! nor arms: with arms `l_a n` and `-l_b n` the relative velocity is `u = v_b - v_a - (l_a w_a + l_b w_b) x n`, friction
//! is a vector in world axes, and the exact local solve is a division and a clamp.

mod layout;
mod position;
mod prepare;
mod relax;

use crate::math::lanes::{Lanes, Places, Vec3s, WIDE, Wide, prefetch_value, put, take};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::packer::LONGEST_RUN;
use crate::solver::gauss_seidel::wide::batch::{Batch, EXTRA, TURNING};
use crate::solver::gauss_seidel::wide::context::FilledX8;
use crate::solver::gauss_seidel::wide::context::{BatchInput, PrepareContext, SweepContext};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies};
use crate::solver::gauss_seidel::wide::masses::MassSource;
use crate::solver::gauss_seidel::wide::residual::{Measured, Split, Turning, residual};
use crate::solver::problem::Impulse;
use prepare::{is_kinematic, kinematic_motion, moving};

pub(in crate::solver) use layout::{CentralBatch, CentralTorques, Extra};

impl Batch for CentralBatch {
    type Extra = Extra;
    type Torques = CentralTorques;
    const READS_MASSES: bool = false;
    const LONGEST_RUN: usize = LONGEST_RUN;
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

    fn no_extra() -> Extra {
        Extra::NONE
    }

    fn no_torques() -> CentralTorques {
        CentralTorques::NONE
    }

    #[inline(always)]
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut CentralTorques>,
        context: &PrepareContext,
        input: &BatchInput,
    ) -> u32 {
        let BatchInput { count, pairs, filled: &FilledX8 { normal, contacts, start, optional } } = *input;
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
            found |= if optional.yield_or_convey() { EXTRA } else { 0 };
            let mut first = 0;
            while first < WIDE {
                let (normal, surface) =
                    (Vec3s::load(&self.normal, first), Vec3s::load(&optional.surface_velocity, first));
                (L::load(&self.bias, first) + normal.dot(surface)).store(&mut self.bias, first);
                first += L::WIDTH;
            }
        }
        self.block::<L>(&contacts.arms, torques, optional, context.bodies);
        found
    }

    fn write_extra(extra: &mut Extra, lane: usize, context: &PrepareContext, input: &BatchInput) {
        let arms = input.filled.contacts.arms(lane);
        let [velocity, spin] = kinematic_motion(input.pair(lane), &arms, context.problem);
        put(&mut extra.kinematic_velocity, lane, &velocity);
        put(&mut extra.kinematic_spin, lane, &spin);
        put(&mut extra.surface_velocity, lane, &take(&input.filled.optional.surface_velocity, lane));
        extra.normal_compliance.0[lane] = input.filled.optional.compliance[0].0[lane];
        extra.tangential_compliance.0[lane] = input.filled.optional.compliance[1].0[lane];
    }

    #[inline(always)]
    fn places(&self) -> [&Places; 2] {
        [&self.places[0], &self.places[1]]
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

    fn resists_turning(torques: &CentralTorques, lane: usize) -> bool {
        torques.rolling.0[lane] > 0.0 || torques.twisting.0[lane] > 0.0
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
    fn relax<L: Lanes, M: MassSource, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        context: SweepContext,
        first: usize,
    ) -> L {
        self.solve::<L, MEASURED>(a, extra, torques, context, first)
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
        self.add(a, context, first, [-(impulse * a.inverse_mass), impulse * b.inverse_mass], turns);
    }

    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, torques: Option<&CentralTorques>, first: usize) -> [Vec3s<L>; 3] {
        let normal = Vec3s::load(&self.normal, first);
        let friction = Vec3s::load(&self.lambda_t, first);
        let moment = normal.cross(friction);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut turns = [-(moment * lever_a), -(moment * lever_b)];
        if let Some(torques) = torques {
            let torque = Vec3s::load(&torques.rolled, first) + normal * L::load(&torques.twisted, first);
            turns = [turns[0] - torque, turns[1] + torque];
        }
        [normal * L::load(&self.lambda_n, first) + friction, turns[0], turns[1]]
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
        let block_n = L::pick(L::above(inverse_n, zero), one / inverse_n, zero);
        let scale = (block_n + L::splat(2.0) / inverse_t) * L::splat(1.0 / 3.0);
        let turning = torques.map(|torques| torques.turning(normal, [a, &b], extra, first));
        let residual = residual(L::load(&self.friction, first), scale, w, impulse, turning.as_ref());
        // in a lane without a contact nothing responds
        let residual = L::pick(L::above(inverse_t, zero), residual, zero);
        let speed = |turning: Turning<L>| turning.spin.tangential.dot(turning.spin.tangential).root() * turning.length;
        Measured { normal: u_n, residual, rolling_speed: turning.map_or(zero, speed) }
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, context: SweepContext, multipliers: &Wide, first: usize) {
        self.displace::<L>(context, multipliers, first);
    }

    #[inline(always)]
    fn push<L: Lanes, M: MassSource>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L {
        self.open::<L>(context, targets, multipliers, first)
    }
}
