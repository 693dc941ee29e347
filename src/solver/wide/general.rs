//! Eight general contacts side by side: arms of any direction, any inertia, the full 3x3 block.
//!
//! The tangents diagonalise the block ([`crate::solver::general`]), the second one is `n x t1`. Lanes without a contact
//! are all zero: no impulse comes of them.

use crate::math::Vec3;
use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::disc;
use crate::solver::general::GeneralRow;
use crate::solver::local::Local;
use crate::solver::problem::{Contact, Impulse};
use crate::solver::wide::side::Side;
use crate::solver::wide::turning::TorqueBatch;
use crate::solver::wide::{Batch, Given, Ground, lines};

const ZERO: Wide = Wide::splat(0.0);

/// General contacts prepared for the sweep.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct GeneralBatch {
    /// Lines of the bodies; those of immovable ones are kept, as the resting line in lanes without a contact.
    a: Places,
    b: Places,
    normal: [Wide; 3],
    t1: [Wide; 3],
    arm_a: [Wide; 3],
    arm_b: [Wide; 3],
    /// `b_n`, `b_1`, `b_2`.
    bias: [Wide; 3],
    /// `S_n`, `S_t`.
    compliance: [Wide; 2],
    /// See [`Local`].
    inverse: Wide,
    carried: [Wide; 2],
    tangential: [Wide; 2],
    tangential_inverse: [Wide; 2],
    friction: Wide,
    /// Along `n`, `t1`, `t2`.
    lambda: [Wide; 3],
    /// `D_NN`, the measure of a change.
    scale: Wide,
    /// `Wd_nn` without compliance, and its inverse, for the position pass; both 0 where no impulse is given.
    normal_delassus: Wide,
    normal_delassus_inverse: Wide,
}

impl GeneralBatch {
    fn normal(&self, lane: usize) -> Vec3 {
        Vec3::from(read(&self.normal, lane))
    }

    fn tangents(&self, lane: usize) -> [Vec3; 2] {
        let t1 = Vec3::from(read(&self.t1, lane));
        [t1, self.normal(lane).cross(&t1)]
    }

    #[inline(always)]
    fn sides<L: Lanes>(&self, ground: Ground, first: usize) -> (Side<L>, Side<L>) {
        (Side::gather(ground, &self.a, first), Side::gather(ground, &self.b, first))
    }

    #[inline(always)]
    fn local<L: Lanes>(&self, first: usize) -> Local<L> {
        Local {
            inverse: L::load(&self.inverse, first),
            carried: loaded(&self.carried, first),
            tangential: loaded(&self.tangential, first),
            tangential_inverse: loaded(&self.tangential_inverse, first),
        }
    }
}

impl Batch for GeneralBatch {
    type Extra = ();
    type Torques = TorqueBatch;

    fn empty(resting: u32) -> Self {
        Self {
            a: lines::nowhere(resting),
            b: lines::nowhere(resting),
            normal: [ZERO; 3],
            t1: [ZERO; 3],
            arm_a: [ZERO; 3],
            arm_b: [ZERO; 3],
            bias: [ZERO; 3],
            compliance: [ZERO; 2],
            inverse: ZERO,
            carried: [ZERO; 2],
            tangential: [ZERO; 2],
            tangential_inverse: [ZERO; 2],
            friction: ZERO,
            lambda: [ZERO; 3],
            scale: ZERO,
            normal_delassus: ZERO,
            normal_delassus_inverse: ZERO,
        }
    }

    fn no_extra() {}

    fn no_torques() -> TorqueBatch {
        TorqueBatch::new()
    }

    fn write(&mut self, lane: usize, given: &Given, contact: &Contact) {
        let row = GeneralRow::new(given.problem, contact);
        self.a[lane] = lines::place(contact.body_a, given.bodies);
        self.b[lane] = lines::place(contact.body_b, given.bodies);
        for (wide, vector) in [
            (&mut self.normal, contact.normal),
            (&mut self.t1, row.t1),
            (&mut self.arm_a, contact.arm_a),
            (&mut self.arm_b, contact.arm_b),
            (&mut self.bias, row.bias.into()),
            (&mut self.lambda, Vec3::zeros()),
        ] {
            write(wide, lane, vector.into());
        }
        let local = row.block.prepared();
        write(&mut self.compliance, lane, [contact.normal_compliance, contact.tangential_compliance]);
        write(&mut self.carried, lane, local.carried);
        write(&mut self.tangential, lane, local.tangential);
        write(&mut self.tangential_inverse, lane, local.tangential_inverse);
        let gives = local.inverse > 0.0 && row.normal_delassus > 0.0;
        let delassus = if gives { [row.normal_delassus, 1.0 / row.normal_delassus] } else { [0.0; 2] };
        self.inverse.0[lane] = local.inverse;
        self.friction.0[lane] = contact.friction;
        self.scale.0[lane] = row.block.normal;
        (self.normal_delassus.0[lane], self.normal_delassus_inverse.0[lane]) = (delassus[0], delassus[1]);
    }

    fn write_extra(_: &mut (), _: usize, _: &Given, _: &Contact) {}

    fn write_torques(torques: &mut TorqueBatch, lane: usize, given: &Given, contact: &Contact) {
        torques.write(lane, given.problem, contact);
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

    fn impulse(&self, lane: usize) -> Impulse {
        let [normal, along_1, along_2] = read(&self.lambda, lane);
        let [t1, t2] = self.tangents(lane);
        Impulse::force(normal, along_1 * t1 + along_2 * t2)
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
        _: Option<&()>,
        torques: Option<&mut TorqueBatch>,
        ground: Ground,
        first: usize,
    ) -> L {
        let relaxation = ground.relaxation;
        let (a, b) = self.sides::<L>(ground, first);
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let t2 = normal.cross(t1);
        let u = b.at(arm_b) - a.at(arm_a);
        let old: [L; 3] = loaded(&self.lambda, first);
        let [bias_n, bias_1, bias_2]: [L; 3] = loaded(&self.bias, first);
        let [soft_n, soft_t]: [L; 2] = loaded(&self.compliance, first);
        let w = [
            normal.dot(u) + (bias_n + soft_n * old[0]),
            t1.dot(u) + (bias_1 + soft_t * old[1]),
            t2.dot(u) + (bias_2 + soft_t * old[2]),
        ];
        let friction = L::load(&self.friction, first);
        let exact = self.local(first).solve(w, old, friction).impulse;
        let next = if relaxation == 1.0 { exact } else { relaxed(old, exact, friction, L::splat(relaxation)) };
        next[0].store(&mut self.lambda[0], first);
        next[1].store(&mut self.lambda[1], first);
        next[2].store(&mut self.lambda[2], first);

        let (d_n, d_1, d_2) = (next[0] - old[0], next[1] - old[1], next[2] - old[2]);
        let impulse = normal * d_n + t1 * d_1 + t2 * d_2;
        let (mut a, mut b) = (a.pulled(impulse, arm_a), b.pushed(impulse, arm_b));
        let mut change = L::splat(0.0);
        if MEASURED {
            let scale = L::load(&self.scale, first);
            change = (d_n * d_n + d_1 * d_1 + d_2 * d_2) * (scale * scale);
        }
        if let Some(torques) = torques {
            let turned = torques.relax::<L, MEASURED>(&mut a, &mut b, (normal, next[0]), first, relaxation);
            if MEASURED {
                change = turned.larger(change);
            }
        }
        a.scatter(ground, &self.a, first);
        b.scatter(ground, &self.b, first);
        change
    }

    #[inline(always)]
    fn apply<L: Lanes>(&self, torques: Option<&TorqueBatch>, ground: Ground, first: usize) {
        let (mut a, mut b) = self.sides::<L>(ground, first);
        let (normal, t1) = (Vec3s::load(&self.normal, first), Vec3s::load(&self.t1, first));
        let [along_n, along_1, along_2]: [L; 3] = loaded(&self.lambda, first);
        let impulse = normal * along_n + t1 * along_1 + normal.cross(t1) * along_2;
        a = a.pulled(impulse, Vec3s::load(&self.arm_a, first));
        b = b.pushed(impulse, Vec3s::load(&self.arm_b, first));
        if let Some(torques) = torques {
            torques.apply(&mut a, &mut b, normal, first);
        }
        a.scatter(ground, &self.a, first);
        b.scatter(ground, &self.b, first);
    }

    #[inline(always)]
    fn shift<L: Lanes>(&self, ground: Ground, multipliers: &Wide, first: usize) {
        let (a, b) = self.sides::<L>(ground, first);
        let change = Vec3s::load(&self.normal, first) * L::load(multipliers, first);
        a.pulled(change, Vec3s::load(&self.arm_a, first)).scatter(ground, &self.a, first);
        b.pushed(change, Vec3s::load(&self.arm_b, first)).scatter(ground, &self.b, first);
    }

    #[inline(always)]
    fn push<L: Lanes>(&self, ground: Ground, targets: &Wide, multipliers: &mut Wide, first: usize) -> L {
        let (a, b) = self.sides::<L>(ground, first);
        let normal = Vec3s::load(&self.normal, first);
        let (arm_a, arm_b) = (Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first));
        let along = normal.dot(b.at(arm_b) - a.at(arm_a));
        let old = L::load(multipliers, first);
        let inverse = L::load(&self.normal_delassus_inverse, first);
        let next = (old + (L::load(targets, first) - along) * inverse).larger(L::splat(0.0));
        next.store(multipliers, first);
        let step = next - old;
        a.pulled(normal * step, arm_a).scatter(ground, &self.a, first);
        b.pushed(normal * step, arm_b).scatter(ground, &self.b, first);
        step.magnitude() * L::load(&self.normal_delassus, first)
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

/// Some numbers of each lane.
#[inline(always)]
pub(super) fn loaded<L: Lanes, const N: usize>(from: &[Wide; N], first: usize) -> [L; N] {
    let mut numbers = [L::splat(0.0); N];
    let mut at = 0;
    while at < N {
        numbers[at] = L::load(&from[at], first);
        at += 1;
    }
    numbers
}

/// The numbers of one lane.
pub(super) fn read<const N: usize>(from: &[Wide; N], lane: usize) -> [f64; N] {
    std::array::from_fn(|at| from[at].0[lane])
}

/// Sets them.
pub(super) fn write<const N: usize>(to: &mut [Wide; N], lane: usize, numbers: [f64; N]) {
    for (wide, number) in to.iter_mut().zip(numbers) {
        wide.0[lane] = number;
    }
}
