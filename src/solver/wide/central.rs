//! Contacts whose normal passes through the centre of mass of every body that they move, and whose bodies turn alike about
//! every axis: spheres on spheres, planes and fixed boxes.
//!
//! The block is diagonal, one number for the normal and one for the whole tangent plane, so there are neither tangents
//! nor arms: with arms `l_a n` and `-l_b n` the relative velocity is `u = v_b - v_a - (l_a w_a + l_b w_b) x n`, friction
//! is a vector in world axes, and the exact local solve is a division and a clamp.

mod ready;

use crate::math::Vec3;
use crate::math::lanes::{Lanes, Places, Vec3s, WIDE, Wide, prefetch_value, put, take};
use crate::solver::order::STRING;
use crate::solver::problem::Impulse;
use crate::solver::wide::lines::{self, Bodies, Linear};
use crate::solver::wide::measure::{Found, Turning, residual};
use crate::solver::wide::{Batch, EXTRA, Given, Ground, Seated, TURNING, moving};
use ready::{conveyed, is_conveyed};

pub use ready::is_along;

/// Eight central contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct CentralBatch {
    /// Lines of bodies a and b.
    places: [Places; 2],
    normal: [Wide; 3],
    bias: Wide,
    /// `1 / (D_nn + S_n)`.
    normal_inverse: Wide,
    /// `1 / (D_tt + S_t)`.
    tangential_inverse: Wide,
    friction: Wide,
    /// Distance of the contact point from the centre of mass along the normal, outward, of a and b.
    levers: [Wide; 2],
    lambda_n: Wide,
    lambda_t: [Wide; 3],
}

/// What few contacts have: an immovable body that moves, a velocity of the surface, and compliance.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct Extra {
    /// What immovable bodies add to `u`, and to the spin of b relative to a.
    conveyed: [Wide; 3],
    spin: [Wide; 3],
    /// At which friction is at rest.
    surface_velocity: [Wide; 3],
    normal_compliance: Wide,
    tangential_compliance: Wide,
}

/// Rolling and twisting of eight central contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct CentralTorques {
    /// Most rolling torque over normal force, and most twisting torque [m].
    rolling: Wide,
    twisting: Wide,
    /// `1 / (1/I_a + 1/I_b)`.
    inverse: Wide,
    /// The distance at which a torque counts as a force [m].
    length: Wide,
    /// Torque on b in the tangent plane, and along the normal.
    rolled: [Wide; 3],
    twisted: Wide,
}

impl CentralBatch {
    #[inline(always)]
    fn body_b<L: Lanes>(&self, ground: Ground, first: usize) -> Bodies<L> {
        Bodies::gather(ground.bodies, &self.places[1], first)
    }

    /// The bodies as far as the position pass moves them: it does not turn them.
    #[inline(always)]
    fn linear<L: Lanes>(&self, ground: Ground, first: usize) -> [Linear<L>; 2] {
        let [a, b] = &self.places;
        [Linear::gather(ground.bodies, a, first), Linear::gather(ground.bodies, b, first)]
    }

    /// Adds to their displacements.
    #[inline(always)]
    fn displace<L: Lanes>(&self, ground: Ground, first: usize, [a, b]: [Linear<L>; 2], change: Vec3s<L>) {
        lines::add_linear(ground.bodies, &self.places[0], first, -(change * a.inverse_mass));
        lines::add_linear(ground.bodies, &self.places[1], first, change * b.inverse_mass);
    }

    #[inline(always)]
    fn levers<L: Lanes>(&self, first: usize) -> [L; 2] {
        [L::load(&self.levers[0], first), L::load(&self.levers[1], first)]
    }

    /// Adds to the velocities and spins of the bodies.
    #[inline(always)]
    fn add<L: Lanes>(
        &self,
        a: &mut Bodies<L>,
        (ground, first): (Ground, usize),
        linear: [Vec3s<L>; 2],
        angular: [Vec3s<L>; 2],
    ) {
        a.add([linear[0], angular[0]]);
        lines::add(ground.bodies, &self.places[1], first, [linear[1], angular[1]]);
    }

    /// `u`, without what immovable bodies add to it.
    #[inline(always)]
    fn relative_velocity<L: Lanes>(&self, [a, b]: [&Bodies<L>; 2], first: usize) -> Vec3s<L> {
        let [lever_a, lever_b] = self.levers::<L>(first);
        let spin = a.angular * lever_a + b.angular * lever_b;
        b.linear - a.linear - spin.cross(Vec3s::load(&self.normal, first))
    }
}

impl Extra {
    /// Of contacts that have none.
    pub(in crate::solver) const NONE: Self = Self {
        conveyed: [Wide::splat(0.0); 3],
        spin: [Wide::splat(0.0); 3],
        surface_velocity: [Wide::splat(0.0); 3],
        normal_compliance: Wide::splat(0.0),
        tangential_compliance: Wide::splat(0.0),
    };

    /// What is added to `u` before friction is asked for.
    #[inline(always)]
    fn offset<L: Lanes>(&self, first: usize) -> Vec3s<L> {
        Vec3s::load(&self.conveyed, first) - Vec3s::load(&self.surface_velocity, first)
    }
}

impl CentralTorques {
    /// Of contacts that resist no turning.
    pub(in crate::solver) const NONE: Self = Self {
        rolling: Wide::splat(0.0),
        twisting: Wide::splat(0.0),
        inverse: Wide::splat(0.0),
        length: Wide::splat(1.0),
        rolled: [Wide::splat(0.0); 3],
        twisted: Wide::splat(0.0),
    };

    /// How far b turns relative to a and what torques resist it, to be measured.
    #[inline(always)]
    fn turning<L: Lanes>(
        &self,
        normal: Vec3s<L>,
        [a, b]: [&Bodies<L>; 2],
        extra: Option<&Extra>,
        first: usize,
    ) -> Turning<L> {
        let spin = conveyed_spin(b.angular - a.angular, extra, first);
        let along = normal.dot(spin);
        Turning {
            bounds: [L::load(&self.rolling, first), L::load(&self.twisting, first)],
            length: L::load(&self.length, first),
            spin: (spin - normal * along, along),
            torque: (Vec3s::load(&self.rolled, first), L::load(&self.twisted, first)),
        }
    }
}

/// The spin of b relative to a, with that of immovable bodies.
#[inline(always)]
fn conveyed_spin<L: Lanes>(spin: Vec3s<L>, extra: Option<&Extra>, first: usize) -> Vec3s<L> {
    match extra {
        Some(extra) => spin + Vec3s::load(&extra.spin, first),
        None => spin,
    }
}

/// A vector brought to the length `limit` where it is longer.
#[inline(always)]
fn clamped<L: Lanes>(vector: Vec3s<L>, limit: L) -> Vec3s<L> {
    let square = vector.dot(vector);
    let outside = L::above(square, limit * limit);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    // Most contacts stick or carry nothing: the chain from one batch to the next is then shorter by a root and a division.
    let scale = if L::any(L::both(outside, L::above(limit, zero))) { limit / square.root() } else { limit };
    let scale = L::pick(outside, scale, one);
    vector * scale
}

impl Batch for CentralBatch {
    type Extra = Extra;
    type Torques = CentralTorques;
    const READS_MASSES: bool = false;
    const STRING: usize = STRING;
    const PUSHED_BYTES: usize = std::mem::offset_of!(Self, bias);
    const MEASURES_TURNING: bool = true;

    fn empty(resting: u32) -> Self {
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
        given: &Given,
        seated: &Seated,
    ) -> u32 {
        let Seated { count, pairs, contacts, optional } = *seated;
        // What a body that no impulse moves does at a contact is in the offset: the resting line adds nothing.
        let resting = given.problem.masses.len() as u32;
        self.places = [moving(&pairs[0], resting), moving(&pairs[1], resting)];
        (self.normal, self.bias, self.friction) = (contacts.geometry.normal, contacts.bias, contacts.friction);
        (self.lambda_n, self.lambda_t) = (contacts.normal, contacts.tangential);
        let mut found = if torques.is_some() && optional.resist_turning() { TURNING } else { 0 };
        for lane in 0..count {
            found |= if is_conveyed(seated.pair(lane), given.problem) { EXTRA } else { 0 };
        }
        if !PLAIN {
            found |= if optional.yield_or_convey() { EXTRA } else { 0 };
            let mut first = 0;
            while first < WIDE {
                let (normal, surface) = (Vec3s::load(&self.normal, first), Vec3s::load(&optional.surface_velocity, first));
                (L::load(&self.bias, first) + normal.dot(surface)).store(&mut self.bias, first);
                first += L::WIDTH;
            }
        }
        self.block::<L>(&contacts.geometry.arms, torques, optional, given.bodies);
        found
    }

    fn write_extra(extra: &mut Extra, lane: usize, given: &Given, seated: &Seated) {
        let [velocity, spin] = conveyed(seated.pair(lane), &seated.contacts.geometry.arms(lane), given.problem);
        put(&mut extra.conveyed, lane, &velocity);
        put(&mut extra.spin, lane, &spin);
        put(&mut extra.surface_velocity, lane, &take(&seated.optional.surface_velocity, lane));
        extra.normal_compliance.0[lane] = seated.optional.compliance[0].0[lane];
        extra.tangential_compliance.0[lane] = seated.optional.compliance[1].0[lane];
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
    fn ask_for_impulses(&self, torques: Option<&CentralTorques>) {
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
    fn relax<L: Lanes, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Extra>,
        torques: Option<&mut CentralTorques>,
        ground: Ground,
        first: usize,
    ) -> L {
        let relaxation = ground.relaxation;
        let b = self.body_b::<L>(ground, first);
        let normal = Vec3s::load(&self.normal, first);
        let [lever_a, lever_b] = self.levers::<L>(first);
        let mut u = self.relative_velocity([a, &b], first);
        if let Some(extra) = extra {
            u = u + extra.offset(first);
        }

        // the normal: a division and a clamp
        let zero = L::splat(0.0);
        let old_n = L::load(&self.lambda_n, first);
        let u_n = normal.dot(u);
        let mut w_n = u_n + L::load(&self.bias, first);
        if let Some(extra) = extra {
            w_n = w_n + L::load(&extra.normal_compliance, first) * old_n;
        }
        let mut lambda_n = (old_n - L::load(&self.normal_inverse, first) * w_n).larger(zero);
        if relaxation != 1.0 {
            lambda_n = (old_n + L::splat(relaxation) * (lambda_n - old_n)).larger(zero);
        }

        // the tangent plane: sticking, brought back to the cone where it is outside
        let old_t = Vec3s::load(&self.lambda_t, first);
        let mut w_t = u - normal * u_n;
        if let Some(extra) = extra {
            w_t = w_t + old_t * L::load(&extra.tangential_compliance, first);
        }
        let tangential_inverse = L::load(&self.tangential_inverse, first);
        let limit = L::load(&self.friction, first) * lambda_n;
        let mut lambda_t = clamped(old_t - w_t * tangential_inverse, limit);
        if relaxation != 1.0 {
            lambda_t = clamped(old_t + (lambda_t - old_t) * L::splat(relaxation), limit);
        }

        let change_t = lambda_t - old_t;
        let change = normal * (lambda_n - old_n) + change_t;
        let moment = normal.cross(change_t);
        lambda_n.store(&mut self.lambda_n, first);
        lambda_t.store(&mut self.lambda_t, first);
        let mut turns = [-(moment * (lever_a * a.inverse_inertia)), -(moment * (lever_b * b.inverse_inertia))];
        let mut changed = zero;
        if MEASURED {
            let answers = L::above(tangential_inverse, zero);
            let square = change.dot(change) / (tangential_inverse * tangential_inverse);
            changed = L::pick(answers, square, zero);
        }
        if let Some(torques) = torques {
            let asked = (lambda_n, first, relaxation);
            let turned = turn::<L, MEASURED>((torques, extra), normal, [a, &b], &mut turns, asked);
            changed = turned.larger(changed);
        }
        self.add(a, (ground, first), [-(change * a.inverse_mass), change * b.inverse_mass], turns);
        changed
    }

    #[inline(always)]
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&CentralTorques>, ground: Ground, first: usize) {
        let b = self.body_b::<L>(ground, first);
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
        self.add(a, (ground, first), [-(impulse * a.inverse_mass), impulse * b.inverse_mass], turns);
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
            Some(extra) => u + Vec3s::load(&extra.conveyed, first),
            None => u,
        }
    }

    #[inline(always)]
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        (extra, torques): (Option<&Extra>, Option<&CentralTorques>),
        ground: Ground,
        first: usize,
    ) -> Found<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let b = self.body_b::<L>(ground, first);
        let (normal, bias) = (Vec3s::load(&self.normal, first), L::load(&self.bias, first));
        let impulse = (L::load(&self.lambda_n, first), Vec3s::load(&self.lambda_t, first));
        let u = self.relative([a, &b], extra, first);
        let u_n = normal.dot(u);
        let mut w = (u_n + bias, u - normal * u_n);
        if let Some(extra) = extra {
            let past = u - Vec3s::load(&extra.surface_velocity, first);
            let past_n = normal.dot(past);
            w.0 = past_n + bias + L::load(&extra.normal_compliance, first) * impulse.0;
            w.1 = past - normal * past_n + impulse.1 * L::load(&extra.tangential_compliance, first);
        }
        let (inverse_n, inverse_t) = (L::load(&self.normal_inverse, first), L::load(&self.tangential_inverse, first));
        // a third of the trace of the block; locked translations answer nothing along the normal
        let block_n = L::pick(L::above(inverse_n, zero), one / inverse_n, zero);
        let scale = (block_n + L::splat(2.0) / inverse_t) * L::splat(1.0 / 3.0);
        let turning = torques.map(|torques| torques.turning(normal, [a, &b], extra, first));
        let residual = residual((L::load(&self.friction, first), scale), w, impulse, turning.as_ref());
        // in a lane without a contact nothing answers at all
        let residual = L::pick(L::above(inverse_t, zero), residual, zero);
        let speed = |turning: Turning<L>| turning.spin.0.dot(turning.spin.0).root() * turning.length;
        Found { normal: u_n, residual, rolling_speed: turning.map_or(zero, speed) }
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, ground: Ground, multipliers: &Wide, first: usize) {
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        self.displace(ground, first, self.linear(ground, first), change);
    }

    #[inline(always)]
    fn push<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L {
        let [a, b] = self.linear::<L>(ground, first);
        let normal = Vec3s::load(&self.normal, first);
        let zero = L::splat(0.0);
        let inverse_mass = a.inverse_mass + b.inverse_mass;
        let along = normal.dot(b.linear - a.linear);
        let old = L::load(multipliers, first);
        let wanted = (old + (L::load(targets, first) - along) / inverse_mass).larger(zero);
        // what nothing moves stays where it is
        let next = L::pick(L::above(inverse_mass, zero), wanted, old);
        next.store(multipliers, first);
        let step = next - old;
        self.displace(ground, first, [a, b], normal * step);
        step.magnitude() * inverse_mass
    }
}

/// Rolling, then twisting, within the bounds that the contact's normal impulse sets; returns the squares of the changes.
#[inline(always)]
fn turn<L: Lanes, const MEASURED: bool>(
    (torques, extra): (&mut CentralTorques, Option<&Extra>),
    normal: Vec3s<L>,
    [a, b]: [&Bodies<L>; 2],
    turns: &mut [Vec3s<L>; 2],
    (lambda_n, first, relaxation): (L, usize, f64),
) -> L {
    let spin = conveyed_spin((b.angular + turns[1]) - (a.angular + turns[0]), extra, first);
    let along = normal.dot(spin);
    let inverse = L::load(&torques.inverse, first);
    let old = Vec3s::load(&torques.rolled, first);
    let limit = L::load(&torques.rolling, first) * lambda_n;
    // A normal is unit but for round-off: where a body keeps spinning about it, part of that would stay among what rolls, and
    // gather sweep by sweep.
    let free = old - (spin - normal * along) * inverse;
    let mut rolled = clamped(free - normal * normal.dot(free), limit);
    if relaxation != 1.0 {
        rolled = clamped(old + (rolled - old) * L::splat(relaxation), limit);
    }
    rolled.store(&mut torques.rolled, first);

    // rolling in the tangent plane does not change the spin along the normal
    let limit = L::load(&torques.twisting, first) * lambda_n;
    let old_twist = L::load(&torques.twisted, first);
    let twisted = (old_twist - L::splat(relaxation) * along * inverse).smaller(limit).larger(-limit);
    twisted.store(&mut torques.twisted, first);

    let change = (rolled - old) + normal * (twisted - old_twist);
    *turns = [turns[0] - change * a.inverse_inertia, turns[1] + change * b.inverse_inertia];
    if !MEASURED {
        return L::splat(0.0);
    }
    let answer = change * ((a.inverse_inertia + b.inverse_inertia) * L::load(&torques.length, first));
    answer.dot(answer)
}
