//! Normals, arms and gaps of contacts, eight at a time. Those of two balls are computed from their centres. Detection found all others.

use crate::contact::ContactList;
use crate::law::round_off_gap;
use crate::math::lanes::prefetch::{FEW_BODIES, GEOMETRY_AHEAD};
use crate::math::lanes::{Lanes, LineIndex, Lines, Places, Vec3s, WIDE, Wide, prefetch_one_of, put};
use crate::math::{ContactId, Period, PointX8, Vec3};
use crate::shape::effective_radius;
use crate::solver::problem::contacts::{LaneContacts, occupied};
use crate::world::assemble::body_inputs::{self, BodyInputs};
use crate::world::index::Index;

/// The input of the geometry of contacts.
#[derive(Clone, Copy)]
pub(super) struct GeometryContext<'a> {
    pub(super) contact_list: &'a ContactList,
    pub(super) index: &'a Index,
    /// One for each row; see [`BodyInputs`].
    pub(super) inputs: &'a [Wide],
    /// One for each row, or none where all contacts are between balls; see
    /// [`max_point_speed`](crate::world::assemble::body_inputs::max_point_speed) [m/s].
    pub(super) point_speeds: &'a [f64],
    /// The largest gap of a contact [m].
    pub(super) margin: f64,
    /// The box that the bodies are in: balls touch in their nearest images.
    pub(super) period: &'a Period,
    /// The gap of each contact at the start of the substep; empty in the first substep, in which it is computed [m].
    pub(super) gaps: &'a [f64],
}

/// The geometry of the contacts of a batch, and the data of their bodies that the law needs.
pub(super) struct BatchGeometry {
    /// The rows of bodies a and b.
    pub(super) rows: [Places; 2],
    pub(super) point: PointX8,
    pub(super) arms: [[Wide; 3]; 2],
    /// Up to this gap the bodies touch [m].
    pub(super) round_off: Wide,
    /// The size of the larger body [m].
    pub(super) size: Wide,
    /// The velocity of the centre of b, or of its image, relative to that of a at the start of the substep [m/s].
    pub(super) relative_velocity: [Wide; 3],
    /// The largest speed of the contact points relative to each other, minus that of the centres; 0 for balls [m/s].
    pub(super) max_point_speed: Wide,
    /// The materials of a and b.
    pub(super) materials: [Wide; 2],
    /// The effective radii [m].
    pub(super) radius: Wide,
}

const ZERO: Wide = Wide::splat(0.0);

impl BatchGeometry {
    /// No contacts.
    pub(super) const NONE: Self = Self {
        rows: [[LineIndex::FIRST[0]; WIDE]; 2],
        point: PointX8::NONE,
        arms: [[ZERO; 3]; 2],
        round_off: ZERO,
        size: ZERO,
        relative_velocity: [ZERO; 3],
        max_point_speed: ZERO,
        materials: [ZERO; 2],
        radius: ZERO,
    };

    /// Empties the lanes without a contact.
    fn clear_unoccupied(&mut self, lanes: &LaneContacts) {
        for lane in (0..WIDE).filter(|lane| lanes[*lane] == ContactId::NONE) {
            self.rows.iter_mut().for_each(|rows| rows[lane] = LineIndex::FIRST[0]);
            (self.point.gap.0[lane], self.round_off.0[lane], self.radius.0[lane]) = (0.0, 0.0, 0.0);
            for vector in [&mut self.point.normal, &mut self.relative_velocity].into_iter().chain(&mut self.arms) {
                put(vector, lane, &Vec3::zeros());
            }
        }
    }
}

impl<'a> GeometryContext<'a> {
    /// The inputs of the bodies of a contact.
    #[inline(always)]
    pub(super) fn inputs(&self, contact: ContactId) -> [&'a Wide; 2] {
        self.index.rows_of(contact).map(|row| &self.inputs[row])
    }

    /// Returns the radii of the bounding spheres of the bodies of a contact; 0 of a half-space [m].
    #[inline(always)]
    pub(super) fn sizes(&self, contact: ContactId) -> [f64; 2] {
        self.inputs(contact).map(body_inputs::size)
    }

    /// Computes the geometry of the contacts of a batch.
    #[inline(always)]
    pub(super) fn compute<L: Lanes>(&self, lanes: &LaneContacts, batch: &mut BatchGeometry) {
        let BatchGeometry { rows, point, arms, round_off, size, relative_velocity, max_point_speed, materials, radius } =
            &mut *batch;
        *max_point_speed = ZERO;
        self.index.find_rows(lanes, rows);
        let inputs = Lines::read_only(self.inputs);
        let mut first = 0;
        while first < WIDE {
            let a = BodyInputs::<L>::gather(inputs, &rows[0], first);
            let b = BodyInputs::<L>::gather(inputs, &rows[1], first);
            let between = BallPair::new(&a, &b, self.margin, self.period);
            between.normal.store(&mut point.normal, first);
            let half = L::splat(0.5) * between.gap;
            (between.normal * (a.radius + half)).store(&mut arms[0], first);
            (between.normal * -(b.radius + half)).store(&mut arms[1], first);
            between.gap.store(&mut point.gap, first);
            (L::splat(round_off_gap(1.0)) * between.reach).store(round_off, first);
            a.size().larger(b.size()).store(size, first);
            (b.velocity - a.velocity).store(relative_velocity, first);
            a.material.store(&mut materials[0], first);
            b.material.store(&mut materials[1], first);
            effective_radius(a.radius, b.radius).store(radius, first);
            first += L::WIDTH;
        }
        if self.index.has_geometries() {
            for (lane, contact) in occupied(lanes) {
                let Some(geometry) =
                    self.index.geometry_index(contact).and_then(|geometry| self.contact_list.geometries.get(geometry))
                else {
                    continue;
                };
                point.set_normal(lane, &geometry.normal);
                put(&mut arms[0], lane, &geometry.arm_a);
                put(&mut arms[1], lane, &geometry.arm_b);
                (point.gap.0[lane], radius.0[lane]) = (geometry.gap, geometry.radius);
                let [a, b] = [0, 1].map(|side| self.point_speeds[rows[side][lane].index()]);
                max_point_speed.0[lane] = a + b;
            }
        }
        if lanes[WIDE - 1] == ContactId::NONE {
            batch.clear_unoccupied(lanes);
        }
    }

    /// Puts the gaps of a later substep in place of those at the start of the step.
    #[inline(always)]
    pub(super) fn follow_gaps(&self, lanes: &LaneContacts, gap: &mut Wide) {
        if !self.gaps.is_empty() {
            occupied(lanes).for_each(|(lane, contact)| gap.0[lane] = self.gaps[contact]);
        }
    }

    /// Prefetches the input of the contacts of the next batches.
    #[inline(always)]
    pub(super) fn prefetch(&self, batches: &[LaneContacts], at: usize) {
        if self.inputs.len() <= FEW_BODIES {
            return;
        }
        let mut rows = [[LineIndex::FIRST[0]; WIDE]; 2];
        if let Some(later) = batches.get(at + GEOMETRY_AHEAD) {
            self.index.find_rows(later, &mut rows);
            rows.as_flattened().iter().for_each(|row| prefetch_one_of(self.inputs, row.index()));
        }
        if let Some(soon) = batches.get(at + 1).filter(|_| self.index.has_geometries()) {
            for (_, contact) in occupied(soon) {
                if let Some(geometry) = self.index.geometry_index(contact) {
                    prefetch_one_of(&self.contact_list.geometries, geometry);
                }
            }
        }
    }
}

/// Balls in pairs, by the same operations as [`sphere_sphere`](crate::collide::narrow::sphere_sphere).
struct BallPair<L> {
    normal: Vec3s<L>,
    gap: L,
    reach: L,
}

impl<L: Lanes> BallPair<L> {
    #[inline(always)]
    fn new(a: &BodyInputs<L>, b: &BodyInputs<L>, margin: f64, period: &Period) -> Self {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let mut arm = b.center - a.center;
        if !period.is_open() {
            arm = period.nearest_lanes(arm);
        }
        let distance = arm.dot(arm).root();
        let apart = L::above(distance, zero);
        let normal = Vec3s::new(
            L::select(apart, arm.x / distance, zero),
            L::select(apart, arm.y / distance, zero),
            L::select(apart, arm.z / distance, one),
        );
        let gap = (distance - (a.radius + b.radius)).smaller(L::splat(margin));
        Self { normal, gap, reach: a.reach() + b.reach() }
    }
}
