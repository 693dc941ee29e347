//! Eight general contacts side by side: arms of any direction, any inertia, the full 3x3 block.
//!
//! The tangents diagonalise the block (`prepare`), the second one is `n x t1`. Lanes without a contact
//! have neither normals nor masses, and give no impulse.

mod layout;
mod prepare;

use crate::math::lanes::{Lanes, LineIndex, Places, Vec3s, Wide, prefetch_value};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::disc;
use crate::solver::gauss_seidel::rule::Rule;
use crate::solver::gauss_seidel::wide::batch::{
    ANISOTROPIC, BatchInput, ContactBatch, EXTRA, PrepareContext, SweepBatch, TURNING,
};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext, loaded, read, write};
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, InverseMass, MassSource};
use crate::solver::gauss_seidel::wide::residual::{Bound, Measured, Split, residual};
use crate::solver::gauss_seidel::wide::turning::{JointTrial, TorqueBatch, turn};
use crate::solver::problem::Impulse;
use prepare::read_masses;

pub(in crate::solver) use layout::{GeneralBatch, GeneralExtra};
pub(in crate::solver) use prepare::{FullBlock, GeneralRow};

const ZERO: Wide = Wide::splat(0.0);

impl SweepBatch for GeneralBatch {
    type Extra = GeneralExtra;
    type Torques = TorqueBatch;
    const READS_MASSES: bool = true;
    /// The points of a face one after the other make a wall swing: at 10 sweeps it then drifts by 65 mm in 10 s, not by 2.
    const LONGEST_RUN: usize = 1;

    #[inline(always)]
    fn places(&self) -> [&Places; 2] {
        [&self.a, &self.b]
    }

    #[inline(always)]
    fn bytes_read(&self) -> usize {
        size_of::<Self>()
    }

    #[inline(always)]
    fn relax<L: Lanes, M: MassSource, R: Rule, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&GeneralExtra>,
        mut torques: Option<&mut TorqueBatch>,
        context: SweepContext,
        first: usize,
    ) -> L {
        let relaxation = context.relaxation;
        let bodies = [*a, Bodies::gather(context.bodies, &self.b, first)];
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let t2 = normal.cross(t1);
        let u = bodies[1].at(arm_b) - bodies[0].at(arm_a);
        let old: [L; 3] = loaded(&self.lambda, first);
        let mut w = [normal.dot(u) + L::load(&self.bias, first), t1.dot(u), t2.dot(u)];
        if let Some(extra) = extra {
            let surface = Vec3s::load(&extra.surface_velocity, first);
            let [soft_n, soft_t]: [L; 2] = loaded(&extra.compliance, first);
            w[0] = w[0] + soft_n * old[0];
            w[1] = w[1] + (soft_t * old[1] - t1.dot(surface));
            w[2] = w[2] + (soft_t * old[2] - t2.dot(surface));
        }
        let friction = L::load(&self.friction, first);
        let local = self.local(first);
        let mut exact = R::solve(&local, w, old, friction);
        let mut turned = None;
        if let Some(torques) = torques.as_deref_mut()
            && R::DILATES
        {
            let trial = JointTrial { local: &local, w, old, friction, relaxation };
            let spin = bodies[1].angular - bodies[0].angular;
            turned = Some(torques.project(&trial, &mut exact, normal, spin, first));
        }
        let next = if relaxation == 1.0 { exact } else { relaxed(old, exact, friction, L::splat(relaxation)) };
        next[0].store(&mut self.lambda[0], first);
        next[1].store(&mut self.lambda[1], first);
        next[2].store(&mut self.lambda[2], first);

        let (d_n, d_1, d_2) = (next[0] - old[0], next[1] - old[1], next[2] - old[2]);
        let impulse = normal * d_n + t1 * d_1 + t2 * d_2;
        let mut sides = self.pushed::<L, M>(bodies, impulse, context, first);
        let mut change = L::splat(0.0);
        if MEASURED {
            let (square, inverse) = (d_n * d_n + d_1 * d_1 + d_2 * d_2, L::load(&self.inverse, first));
            change = L::select(L::above(inverse, change), square / (inverse * inverse), change);
        }
        if let Some(turned) = turned {
            let [side_a, side_b] = &mut sides;
            let response = turn(side_a, side_b, turned);
            change = torques.map_or(change, |torques| torques.square_of(response, first).larger(change));
        } else if let Some(torques) = torques {
            let turned = torques.relax::<L, M::Mass<L>, MEASURED>(&mut sides, normal, next[0], first, relaxation);
            if MEASURED {
                change = turned.larger(change);
            }
        }
        self.store(a, sides, context, first);
        change
    }

    #[inline(always)]
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&TorqueBatch>, context: SweepContext, first: usize) {
        let bodies = [*a, Bodies::gather(context.bodies, &self.b, first)];
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [along_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = normal * along_n + t1 * along_1 + normal.cross(t1) * along_2;
        let mut sides = self.pushed::<L, Anisotropic>(bodies, impulse, context, first);
        if let Some(torques) = torques {
            torques.apply(&mut sides, normal, first);
        }
        self.store(a, sides, context, first);
    }

    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, torques: Option<&TorqueBatch>, first: usize) -> [[Vec3s<L>; 2]; 2] {
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [along_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = normal * along_n + (t1 * along_1 + normal.cross(t1) * along_2);
        let moment_a = Vec3s::load(&self.arm_a, first).cross(impulse);
        let moment_b = Vec3s::load(&self.arm_b, first).cross(impulse);
        match torques {
            Some(torques) => {
                let torque = torques.torques(normal, first);
                [[-impulse, -(moment_a + torque)], [impulse, moment_b + torque]]
            }
            None => [[-impulse, -moment_a], [impulse, moment_b]],
        }
    }
}

impl ContactBatch for GeneralBatch {
    const NO_EXTRA: GeneralExtra = GeneralExtra { surface_velocity: [ZERO; 3], compliance: [ZERO; 2] };
    const NO_TORQUES: TorqueBatch = TorqueBatch::NONE;
    const POSITION_BYTES: usize = std::mem::offset_of!(Self, t1);
    const MEASURES_TURNING: bool = false;

    fn empty(resting: BodyRow) -> Self {
        Self {
            a: lines::nowhere(resting),
            b: lines::nowhere(resting),
            normal: [ZERO; 3],
            t1: [ZERO; 3],
            arm_a: [ZERO; 3],
            arm_b: [ZERO; 3],
            bias: ZERO,
            inverse: ZERO,
            carried: [ZERO; 2],
            tangential: [ZERO; 2],
            friction: ZERO,
            lambda: [ZERO; 3],
        }
    }

    #[inline(always)]
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut TorqueBatch>,
        context: &PrepareContext,
        input: &BatchInput,
    ) -> u32 {
        let BatchInput { count, pairs, normal, contacts, start, optional } = *input;
        [self.a, self.b] = *pairs;
        (self.normal, [self.arm_a, self.arm_b]) = (*normal, contacts.arms);
        (self.bias, self.friction) = (contacts.bias, contacts.friction);
        let mut found = if torques.is_some() && optional.resist_turning() { TURNING } else { 0 };
        found |= if !PLAIN && optional.have_compliance_or_surface_velocity() { EXTRA } else { 0 };
        for lane in 0..count {
            let pair = input.pair(lane);
            let is_anisotropic = |place: LineIndex| lines::is_anisotropic(lines::of(place, context.bodies));
            found |= if pair.into_iter().any(is_anisotropic) { ANISOTROPIC } else { 0 };
        }
        self.lambda = [ZERO; 3];
        let mut masses = [[ZERO; 9]; 2];
        read_masses(&mut masses[0], &self.a, context.problem);
        read_masses(&mut masses[1], &self.b, context.problem);
        let [soft_n, soft_t, _] = optional.compliance;
        self.block::<L>(&masses, &[soft_n, soft_t]);
        (0..count).for_each(|lane| self.set(lane, &start.impulse(lane)));
        if let Some(torques) = torques {
            *torques = TorqueBatch::NONE;
            for lane in 0..count {
                torques.write(lane, context.problem, (&self.contact(lane), &optional.optional_terms(lane)));
                self.set_torque(torques, lane, &optional.torque(lane));
            }
        }
        found
    }

    fn write_extra(extra: &mut GeneralExtra, lane: usize, _: &PrepareContext, input: &BatchInput) {
        write(&mut extra.surface_velocity, lane, read(&input.optional.surface_velocity, lane));
        let [soft_n, soft_t, _] = read(&input.optional.compliance, lane);
        write(&mut extra.compliance, lane, [soft_n, soft_t]);
    }

    fn set(&mut self, lane: usize, impulse: &Impulse) {
        // a contact that no impulse moves takes none
        if self.inverse.0[lane] > 0.0 {
            let [t1, t2] = self.tangents(lane);
            let lambda = [impulse.normal, impulse.tangential.dot(&t1), impulse.tangential.dot(&t2)];
            write(&mut self.lambda, lane, lambda);
        }
    }

    fn force(&self, lane: usize) -> (f64, Vec3) {
        let [normal, along_1, along_2] = read(&self.lambda, lane);
        let [t1, t2] = self.tangents(lane);
        (normal, along_1 * t1 + along_2 * t2)
    }

    #[inline(always)]
    fn prefetch_impulses(&self, torques: Option<&TorqueBatch>) {
        prefetch_value(&self.normal);
        prefetch_value(&self.t1);
        prefetch_value(&self.lambda);
        if let Some(torques) = torques {
            prefetch_value(torques);
        }
    }

    fn set_torque(&self, torques: &mut TorqueBatch, lane: usize, torque: &Vec3) {
        // a contact that no impulse moves took none, and carries no torque
        let torque = if self.lambda[0].0[lane] > 0.0 { *torque } else { Vec3::zeros() };
        torques.set(lane, &self.normal(lane), &torque);
    }

    fn torque(&self, torques: &TorqueBatch, lane: usize) -> Vec3 {
        torques.torque(lane, &self.normal(lane))
    }

    #[inline(always)]
    fn relative<L: Lanes>(&self, [a, b]: [&Bodies<L>; 2], _: Option<&GeneralExtra>, first: usize) -> Vec3s<L> {
        b.at(Vec3s::load(&self.arm_b, first)) - a.at(Vec3s::load(&self.arm_a, first))
    }

    #[inline(always)]
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        extra: Option<&GeneralExtra>,
        _: Option<&TorqueBatch>,
        context: SweepContext,
        first: usize,
    ) -> Measured<L> {
        let b = Bodies::gather(context.bodies, &self.b, first);
        let [mass_a, mass_b] = self.masses::<L, Anisotropic>([a, &b], context, first);
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let u = self.relative([a, &b], None, first);
        let mut trace = mass_a.trace_at(arm_a) + mass_b.trace_at(arm_b);
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [lambda_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = Split { normal: lambda_n, tangential: t1 * along_1 + normal.cross(t1) * along_2 };
        let u_n = normal.dot(u);
        let mut w = Split { normal: u_n + L::load(&self.bias, first), tangential: u - normal * u_n };
        if let Some(extra) = extra {
            let surface = Vec3s::load(&extra.surface_velocity, first);
            let [soft_n, soft_t]: [L; 2] = loaded(&extra.compliance, first);
            trace = trace + soft_n + L::splat(2.0) * soft_t;
            w.normal = w.normal + soft_n * lambda_n;
            w.tangential = w.tangential - (surface - normal * normal.dot(surface)) + impulse.tangential * soft_t;
        }
        let scale = trace * L::splat(1.0 / 3.0);
        let bound = Bound { friction: L::load(&self.friction, first), dilation: context.dilation };
        let residual = residual(bound, scale, w, impulse, None);
        // between bodies that nothing moves nothing is wrong
        let zero = L::splat(0.0);
        let is_fixed = L::without(L::above(scale, L::splat(-1.0)), L::above(scale, zero));
        Measured { normal: u_n, residual: L::select(is_fixed, zero, residual) }
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, context: SweepContext, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        let [a, b] = self.pushed::<L, Anisotropic>(self.bodies(context, first), change, context, first);
        a.store(context, &self.a, first);
        b.store(context, &self.b, first);
    }

    #[inline(always)]
    fn push<L: Lanes, M: MassSource>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L {
        let [a, b] = self.bodies::<L>(context, first);
        let [mass_a, mass_b] = self.masses::<L, M>([&a, &b], context, first);
        let normal = Vec3s::load(&self.normal, first);
        let moment_a = Vec3s::load(&self.arm_a, first).cross(normal);
        let moment_b = Vec3s::load(&self.arm_b, first).cross(normal);
        let along = normal.dot(b.linear - a.linear) + (moment_b.dot(b.angular) - moment_a.dot(a.angular));
        let ([shift_a, turn_a], [shift_b, turn_b]) =
            (mass_a.responses(normal, moment_a), mass_b.responses(normal, moment_b));
        // `D_nn` without compliance; nothing is moved where the contact takes no impulse
        let delassus = normal.dot(shift_a + shift_b) + (moment_a.dot(turn_a) + moment_b.dot(turn_b));
        let zero = L::splat(0.0);
        let responds = L::both(L::above(L::load(&self.inverse, first), zero), L::above(delassus, zero));
        let inverse = L::select(responds, L::splat(1.0) / delassus, zero);
        let old = L::load(multipliers, first);
        let next = (old + (L::load(targets, first) - along) * inverse).larger(zero);
        next.store(multipliers, first);
        let step = next - old;
        lines::add(context.bodies, &self.a, first, [shift_a * -step, turn_a * -step]);
        lines::add(context.bodies, &self.b, first, [shift_b * step, turn_b * step]);
        step.magnitude() * delassus
    }
}

/// Returns the impulse part of the way from `old` to `exact` or beyond it, back on the cone.
#[inline(always)]
fn relaxed<L: Lanes>(old: [L; 3], exact: [L; 3], friction: L, relaxation: L) -> [L; 3] {
    let normal = (old[0] + relaxation * (exact[0] - old[0])).larger(L::splat(0.0));
    let along_1 = old[1] + relaxation * (exact[1] - old[1]);
    let along_2 = old[2] + relaxation * (exact[2] - old[2]);
    let [t1, t2] = disc::clamped([along_1, along_2], friction * normal);
    [normal, t1, t2]
}
