//! Eight general contacts side by side: arms of any direction, any inertia, the full 3x3 block.
//!
//! The tangents diagonalise the block ([`crate::solver::general`]), the second one is `n x t1`. Lanes without a contact
//! have neither normals nor masses: no impulse comes of them.

mod ready;

use crate::math::Vec3;
use crate::math::lanes::{KEPT, Lanes, Places, Vec3s, Wide, prefetch_value};
use crate::solver::disc;
use crate::solver::local::Local;
use crate::solver::problem::{Contact, Impulse};
use crate::solver::wide::lines::{Bodies, loaded, read, write};
use crate::solver::wide::measure::{Found, residual};
use crate::solver::wide::side::{Answers, InLines, Late, Masses, Side};
use crate::solver::wide::turning::TorqueBatch;
use crate::solver::wide::{Batch, EXTRA, Given, Ground, Seated, TURNING, UNEVEN, lines};
use ready::read_masses;

const ZERO: Wide = Wide::splat(0.0);

/// General contacts prepared for the sweep.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct GeneralBatch {
    /// Lines of the bodies; those of immovable ones are kept, as the resting line in lanes without a contact.
    a: Places,
    b: Places,
    normal: [Wide; 3],
    arm_a: [Wide; 3],
    arm_b: [Wide; 3],
    /// See [`Local`]; what is a quotient of these is taken in the sweep, which waits for memory rather than for division.
    inverse: Wide,
    t1: [Wide; 3],
    /// `b_n`.
    bias: Wide,
    carried: [Wide; 2],
    tangential: [Wide; 2],
    friction: Wide,
    /// Along `n`, `t1`, `t2`.
    lambda: [Wide; 3],
}

/// What few contacts have: a velocity of the surface, and compliance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct GeneralExtra {
    /// At which friction is at rest.
    surface_velocity: [Wide; 3],
    /// `S_n`, `S_t`.
    compliance: [Wide; 2],
}

impl GeneralBatch {
    fn normal(&self, lane: usize) -> Vec3 {
        Vec3::from(read(&self.normal, lane))
    }

    /// The contact in a lane.
    fn contact(&self, lane: usize) -> Contact {
        Contact {
            body_a: self.a[lane] & !KEPT,
            body_b: self.b[lane] & !KEPT,
            normal: self.normal(lane),
            arm_a: Vec3::from(read(&self.arm_a, lane)),
            arm_b: Vec3::from(read(&self.arm_b, lane)),
            normal_bias: self.bias.0[lane],
            friction: self.friction.0[lane],
        }
    }

    fn tangents(&self, lane: usize) -> [Vec3; 2] {
        let t1 = Vec3::from(read(&self.t1, lane));
        [t1, self.normal(lane).cross(&t1)]
    }

    #[inline(always)]
    fn bodies<L: Lanes>(&self, ground: Ground, first: usize) -> [Bodies<L>; 2] {
        [Bodies::gather(ground.bodies, &self.a, first), Bodies::gather(ground.bodies, &self.b, first)]
    }

    /// Bodies with an impulse on b, and its opposite on a.
    #[inline(always)]
    fn pushed<L: Lanes, M: Masses<L>>(
        &self,
        [a, b]: [Bodies<L>; 2],
        masses: M,
        impulse: Vec3s<L>,
        (ground, first): (Ground, usize),
    ) -> [Side<L, M::Mass>; 2] {
        let [mass_a, mass_b] = masses.of([&a, &b], ground, [&self.a, &self.b], first);
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        [Side::pushed(a, mass_a, -impulse, arm_a), Side::pushed(b, mass_b, impulse, arm_b)]
    }

    #[inline(always)]
    fn store<L: Lanes, M: Answers<L>>(
        &self,
        a: &mut Bodies<L>,
        [side_a, side_b]: [Side<L, M>; 2],
        ground: Ground,
        first: usize,
    ) {
        side_a.add_to(a);
        side_b.store(ground, &self.b, first);
    }

    #[inline(always)]
    fn local<L: Lanes>(&self, first: usize) -> Local<L> {
        let tangential: [L; 2] = loaded(&self.tangential, first);
        // In a lane without a contact this is no number, and picked nowhere.
        let tangential_inverse = [L::splat(1.0) / tangential[0], L::splat(1.0) / tangential[1]];
        let (inverse, carried) = (L::load(&self.inverse, first), loaded(&self.carried, first));
        Local { inverse, carried, tangential, tangential_inverse }
    }

    /// Solves the contacts of some lanes, whose bodies have their masses from there; see [`Batch::relax`].
    #[inline(always)]
    fn visit<L: Lanes, M: Masses<L>, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        (extra, torques): (Option<&GeneralExtra>, Option<&mut TorqueBatch>),
        masses: M,
        (ground, first): (Ground, usize),
    ) -> L {
        let relaxation = ground.relaxation;
        let bodies = [*a, Bodies::gather(ground.bodies, &self.b, first)];
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
        let exact = self.local(first).solve(w, old, friction).impulse;
        let next = if relaxation == 1.0 { exact } else { relaxed(old, exact, friction, L::splat(relaxation)) };
        next[0].store(&mut self.lambda[0], first);
        next[1].store(&mut self.lambda[1], first);
        next[2].store(&mut self.lambda[2], first);

        let (d_n, d_1, d_2) = (next[0] - old[0], next[1] - old[1], next[2] - old[2]);
        let impulse = normal * d_n + t1 * d_1 + t2 * d_2;
        let mut sides = self.pushed(bodies, masses, impulse, (ground, first));
        let mut change = L::splat(0.0);
        if MEASURED {
            let (square, inverse) = (d_n * d_n + d_1 * d_1 + d_2 * d_2, L::load(&self.inverse, first));
            change = L::pick(L::above(inverse, change), square / (inverse * inverse), change);
        }
        if let Some(torques) = torques {
            let turned = torques.relax::<L, M::Mass, MEASURED>(&mut sides, (normal, next[0]), first, relaxation);
            if MEASURED {
                change = turned.larger(change);
            }
        }
        self.store(a, sides, ground, first);
        change
    }

    /// Opens the contacts of some lanes in the position pass, with masses from there; see [`Batch::push`].
    #[inline(always)]
    fn open<L: Lanes, M: Masses<L>>(
        &self,
        (targets, multipliers): (&Wide, &mut Wide),
        masses: M,
        (ground, first): (Ground, usize),
    ) -> L {
        let [a, b] = self.bodies::<L>(ground, first);
        let [mass_a, mass_b] = masses.of([&a, &b], ground, self.places(), first);
        let normal = Vec3s::load(&self.normal, first);
        let moment_a = Vec3s::load(&self.arm_a, first).cross(normal);
        let moment_b = Vec3s::load(&self.arm_b, first).cross(normal);
        let along = normal.dot(b.linear - a.linear) + (moment_b.dot(b.angular) - moment_a.dot(a.angular));
        let ([shift_a, turn_a], [shift_b, turn_b]) =
            (mass_a.answers(normal, moment_a), mass_b.answers(normal, moment_b));
        // `Wd_nn` without compliance; nothing is pushed where the contact takes no impulse
        let delassus = normal.dot(shift_a + shift_b) + (moment_a.dot(turn_a) + moment_b.dot(turn_b));
        let zero = L::splat(0.0);
        let gives = L::both(L::above(L::load(&self.inverse, first), zero), L::above(delassus, zero));
        let inverse = L::pick(gives, L::splat(1.0) / delassus, zero);
        let old = L::load(multipliers, first);
        let next = (old + (L::load(targets, first) - along) * inverse).larger(zero);
        next.store(multipliers, first);
        let step = next - old;
        lines::add(ground.bodies, &self.a, first, [shift_a * -step, turn_a * -step]);
        lines::add(ground.bodies, &self.b, first, [shift_b * step, turn_b * step]);
        step.magnitude() * delassus
    }
}

impl Batch for GeneralBatch {
    type Extra = GeneralExtra;
    type Torques = TorqueBatch;
    const READS_MASSES: bool = true;
    /// The points of a face one after the other make a wall swing: at 10 sweeps it then drifts by 65 mm in 10 s, not by 2.
    const STRING: usize = 1;
    const PUSHED_BYTES: usize = std::mem::offset_of!(Self, t1);
    const MEASURES_TURNING: bool = false;

    fn empty(resting: u32) -> Self {
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

    fn no_extra() -> GeneralExtra {
        GeneralExtra { surface_velocity: [ZERO; 3], compliance: [ZERO; 2] }
    }

    fn no_torques() -> TorqueBatch {
        TorqueBatch::new()
    }

    #[inline(always)]
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut TorqueBatch>,
        given: &Given,
        seated: &Seated,
    ) -> u32 {
        let Seated { count, pairs, contacts, optional } = *seated;
        [self.a, self.b] = *pairs;
        (self.normal, [self.arm_a, self.arm_b]) = (contacts.geometry.normal, contacts.geometry.arms);
        (self.bias, self.friction) = (contacts.bias, contacts.friction);
        let mut found = if torques.is_some() && optional.resist_turning() { TURNING } else { 0 };
        found |= if !PLAIN && optional.yield_or_convey() { EXTRA } else { 0 };
        for lane in 0..count {
            let pair = seated.pair(lane);
            found |=
                if pair.iter().any(|place| lines::is_uneven(lines::of(*place, given.bodies))) { UNEVEN } else { 0 };
        }
        self.lambda = [ZERO; 3];
        let mut masses = [[ZERO; 9]; 2];
        read_masses(&mut masses[0], &self.a, given.problem);
        read_masses(&mut masses[1], &self.b, given.problem);
        self.block::<L>(&masses, &optional.compliance);
        (0..count).for_each(|lane| self.set(lane, &contacts.impulse(lane)));
        if let Some(torques) = torques {
            *torques = TorqueBatch::new();
            for lane in 0..count {
                torques.write(lane, given.problem, (&self.contact(lane), &optional.besides(lane)));
                self.set_torque(torques, lane, &optional.torque(lane));
            }
        }
        found
    }

    fn write_extra(extra: &mut GeneralExtra, lane: usize, _: &Given, seated: &Seated) {
        write(&mut extra.surface_velocity, lane, read(&seated.optional.surface_velocity, lane));
        write(&mut extra.compliance, lane, read(&seated.optional.compliance, lane));
    }

    #[inline(always)]
    fn places(&self) -> [&Places; 2] {
        [&self.a, &self.b]
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
    fn ask_for_impulses(&self, torques: Option<&TorqueBatch>) {
        prefetch_value(&self.normal);
        prefetch_value(&self.t1);
        prefetch_value(&self.lambda);
        if let Some(torques) = torques {
            prefetch_value(torques);
        }
    }

    fn resists_turning(torques: &TorqueBatch, lane: usize) -> bool {
        torques.resists_turning(lane)
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
    fn relax<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&GeneralExtra>,
        torques: Option<&mut TorqueBatch>,
        ground: Ground,
        first: usize,
    ) -> L {
        self.visit::<L, _, MEASURED>(a, (extra, torques), Late, (ground, first))
    }

    #[inline(always)]
    fn relax_alike<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&GeneralExtra>,
        torques: Option<&mut TorqueBatch>,
        ground: Ground,
        first: usize,
    ) -> L {
        self.visit::<L, _, MEASURED>(a, (extra, torques), InLines, (ground, first))
    }

    #[inline(always)]
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&TorqueBatch>, ground: Ground, first: usize) {
        let bodies = [*a, Bodies::gather(ground.bodies, &self.b, first)];
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [along_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = normal * along_n + t1 * along_1 + normal.cross(t1) * along_2;
        let mut sides = self.pushed(bodies, Late, impulse, (ground, first));
        if let Some(torques) = torques {
            torques.apply(&mut sides, normal, first);
        }
        self.store(a, sides, ground, first);
    }

    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, torques: Option<&TorqueBatch>, first: usize) -> [Vec3s<L>; 3] {
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [along_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = normal * along_n + (t1 * along_1 + normal.cross(t1) * along_2);
        let moment_a = Vec3s::load(&self.arm_a, first).cross(impulse);
        let moment_b = Vec3s::load(&self.arm_b, first).cross(impulse);
        match torques {
            Some(torques) => {
                let torque = torques.torques(normal, first);
                [impulse, -(moment_a + torque), moment_b + torque]
            }
            None => [impulse, -moment_a, moment_b],
        }
    }

    #[inline(always)]
    fn relative<L: Lanes>(&self, [a, b]: [&Bodies<L>; 2], _: Option<&GeneralExtra>, first: usize) -> Vec3s<L> {
        b.at(Vec3s::load(&self.arm_b, first)) - a.at(Vec3s::load(&self.arm_a, first))
    }

    #[inline(always)]
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        (extra, _): (Option<&GeneralExtra>, Option<&TorqueBatch>),
        ground: Ground,
        first: usize,
    ) -> Found<L> {
        let b = Bodies::gather(ground.bodies, &self.b, first);
        let [mass_a, mass_b] = Late.of([a, &b], ground, self.places(), first);
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let u = self.relative([a, &b], None, first);
        let mut trace = mass_a.trace_at(arm_a) + mass_b.trace_at(arm_b);
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [lambda_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = (lambda_n, t1 * along_1 + normal.cross(t1) * along_2);
        let u_n = normal.dot(u);
        let mut w = (u_n + L::load(&self.bias, first), u - normal * u_n);
        if let Some(extra) = extra {
            let surface = Vec3s::load(&extra.surface_velocity, first);
            let [soft_n, soft_t]: [L; 2] = loaded(&extra.compliance, first);
            trace = trace + soft_n + L::splat(2.0) * soft_t;
            w.0 = w.0 + soft_n * lambda_n;
            w.1 = w.1 - (surface - normal * normal.dot(surface)) + impulse.1 * soft_t;
        }
        let scale = trace * L::splat(1.0 / 3.0);
        let residual = residual((L::load(&self.friction, first), scale), w, impulse, None);
        // between bodies that nothing moves nothing is wrong
        let zero = L::splat(0.0);
        let is_fixed = L::without(L::above(scale, L::splat(-1.0)), L::above(scale, zero));
        Found { normal: u_n, residual: L::pick(is_fixed, zero, residual), rolling_speed: zero }
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, ground: Ground, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        let [a, b] = self.pushed::<L, _>(self.bodies(ground, first), Late, change, (ground, first));
        a.store(ground, &self.a, first);
        b.store(ground, &self.b, first);
    }

    #[inline(always)]
    fn push<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L {
        self.open::<L, _>((targets, multipliers), Late, (ground, first))
    }

    #[inline(always)]
    fn push_alike<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L {
        self.open::<L, _>((targets, multipliers), InLines, (ground, first))
    }
}

/// Part of the way to `exact` or beyond it, back on the cone.
#[inline(always)]
fn relaxed<L: Lanes>(old: [L; 3], exact: [L; 3], friction: L, relaxation: L) -> [L; 3] {
    let normal = (old[0] + relaxation * (exact[0] - old[0])).larger(L::splat(0.0));
    let along_1 = old[1] + relaxation * (exact[1] - old[1]);
    let along_2 = old[2] + relaxation * (exact[2] - old[2]);
    let [t1, t2] = disc::clamped([along_1, along_2], friction * normal);
    [normal, t1, t2]
}
