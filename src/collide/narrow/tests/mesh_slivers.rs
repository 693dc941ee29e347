//! Meshes with random thin triangles: balls and capsules touch them as they touch the flat surfaces that these divide.

use super::scene::{one_way, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// A triangle in the plane of its neighbours counts as tilted by at most that: two thresholds of slopes are 1e-6 and 1.4e-6 [rad].
pub(super) const TILT: f64 = 1.5e-6;
/// The error of a gap, over the size of the shape: the normals of the thinnest triangles are off by so much [-].
const GAP: f64 = 1e-8;

/// Numbers between 0 and 1 (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// A number whose order of magnitude is random.
    fn power(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    pub(super) fn turn(&mut self, reach: f64) -> Quat {
        Quat::new(Vec3::from([0; 3].map(|_| self.between(-reach, reach))))
    }
}

pub(super) struct Surface {
    pub(super) points: Vec<[f64; 3]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub(super) fn floor() -> Self {
        let points = vec![[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
        Self { points, triangles: vec![[0, 1, 2], [0, 2, 3]] }
    }

    pub(super) fn closed([x, y, z]: [f64; 3]) -> Self {
        let side = |bits: u32, axis: u32, half: f64| if bits >> axis & 1 == 1 { half } else { -half };
        let points = (0..8).map(|bits| [side(bits, 0, x), side(bits, 1, y), side(bits, 2, z)]).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Self { points, triangles: sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect() }
    }

    fn corner(&self, at: u32) -> Vec3 {
        Vec3::from(self.points[at as usize])
    }

    /// Whether a mesh may have this triangle.
    fn has_area(&self, corners: &[u32; 3]) -> bool {
        let [a, b, c] = corners.map(|corner| self.corner(corner));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        (b - a).cross(&(c - a)).norm() > 1.1e-8 * longest * longest
    }

    /// Divides a random triangle at a point near an edge or a corner, or two triangles at a point of their edge. Nothing changes if a part
    /// would have no area. With coordinates of 32 bits thin parts may lie over their neighbours.
    fn divide(&mut self, random: &mut Random, finest: f64, is_single: bool) {
        let (at, turn, new) = (random.below(self.triangles.len()), random.below(3), self.points.len() as u32);
        let [a, b, c] = [0, 1, 2].map(|step| self.triangles[at][(turn + step) % 3]);
        let (small, part) = (random.power(finest, -0.5), random.unit());
        let kind = random.below(3);
        let [of_a, of_b, of_c] = match kind {
            0 => [small, (1.0 - small) * part, (1.0 - small) * (1.0 - part)],
            1 => [1.0 - small, small * part, small * (1.0 - part)],
            _ => [small, 1.0 - small, 0.0],
        };
        let place = self.corner(a) * of_a + self.corner(b) * of_b + self.corner(c) * of_c;
        self.points.push(place.map(|value| if is_single { f64::from(value as f32) } else { value }).into());
        let (mut parts, mut divided) = (vec![[a, b, new], [b, c, new], [c, a, new]], vec![at]);
        if kind == 2 {
            parts = vec![[a, new, c], [new, b, c]];
            let shares = |triangle: &[u32; 3]| triangle.contains(&a) && triangle.contains(&b);
            let other = (0..self.triangles.len()).find(|other| *other != at && shares(&self.triangles[*other]));
            if let Some(other) = other {
                let beyond = self.triangles[other].into_iter().find(|corner| *corner != a && *corner != b);
                let beyond = beyond.expect("a third corner");
                parts.extend([[b, new, beyond], [new, a, beyond]]);
                divided.push(other);
            }
        }
        if !parts.iter().all(|part| self.has_area(part)) {
            self.points.pop();
            return;
        }
        divided.sort_unstable();
        for at in divided.into_iter().rev() {
            self.triangles.swap_remove(at);
        }
        self.triangles.extend(parts);
    }

    pub(super) fn divided(mut self, random: &mut Random, count: usize) -> Self {
        let (finest, is_single) = (-random.between(1.0, 9.0), random.below(2) == 0);
        (0..count).for_each(|_| self.divide(random, finest, is_single));
        self
    }

    pub(super) fn mesh(&self) -> Shape {
        Shape::mesh(&self.points, &self.triangles).expect("a mesh")
    }

    /// A random corner, or a point of an edge.
    pub(super) fn place(&self, random: &mut Random) -> Vec3 {
        let [a, b, _] = self.triangles[random.below(self.triangles.len())].map(|corner| self.corner(corner));
        let part = if random.below(2) == 0 { 0.0 } else { random.unit() };
        a + (b - a) * part
    }
}

/// A ball or a capsule with its half length, which is 0 for a ball, and its radius.
fn shape(random: &mut Random) -> (Shape, f64, f64) {
    let radius = random.power(-1.7, -0.3);
    let half = if random.below(2) == 0 { 0.0 } else { random.power(-1.5, -0.3) };
    let shape = if half > 0.0 { Shape::capsule(half, radius) } else { Shape::sphere(radius) };
    (shape.expect("a shape"), half, radius)
}

/// A gap of any kind, for a shape with this radius.
fn gap(random: &mut Random, radius: f64) -> f64 {
    radius * [0.0, -1e-3, -random.power(-9.0, -0.7), random.power(-9.0, -0.7)][random.below(4)]
}

fn deepest(found: &[ContactPoint]) -> f64 {
    found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min)
}

/// One of six such poses had a tilted contact.
#[test]
fn a_floor_of_thin_triangles_is_a_plane() {
    let (plane, here) = (Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("a plane"), turned(0.0, 0.0, 0.0, [0.0; 3]));
    for number in 0..2000 {
        let random = &mut Random(7919 * number);
        let count = 5 + random.below(40);
        let floor = Surface::floor().divided(random, count);
        let turn = if random.below(2) == 0 { Quat::identity() } else { random.turn(1.0) };
        let (mesh, ground) = (floor.mesh(), Pose::new(Vec3::zeros(), turn));
        for _ in 0..10 {
            let (shape, half, radius) = shape(random);
            let (gap, margin) = (gap(random, radius), random.power(-5.0, -0.5));
            let tilt = [0.0, random.power(-12.0, -1.0), random.between(0.0, 1.5)][random.below(3)];
            let own = Quat::from_axis_angle(&Vec3::z_axis(), random.between(0.0, 6.3))
                * Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2 + tilt);
            let off = random.power(-14.0, -0.5) * Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0);
            let foot = floor.place(random) + off;
            if foot.amax() > 0.95 {
                continue;
            }
            // The lower end, or the middle, is over the foot.
            let to_lower = own * Vec3::z() * (half * [0.0, 1.0][random.below(2)]);
            let middle = Vec3::new(foot.x - to_lower.x, foot.y - to_lower.y, radius + half * tilt.sin() + gap);
            let found = one_way((&shape, &Pose::new(turn * middle, turn * own)), (&mesh, &ground), margin);
            let expected = one_way((&shape, &Pose::new(middle, own)), (&plane, &here), margin);
            let case = || format!("{number}: {gap:e}, {margin:e}, {half}, {radius}, {tilt:e}: {found:?}, {expected:?}");
            let down = turn * -Vec3::z();
            let is_straight = |contact: &ContactPoint| (contact.normal - down).norm() <= TILT;
            assert!(found.iter().all(is_straight), "{}", case());
            assert_eq!(found.is_empty(), expected.is_empty(), "{}", case());
            let off = if found.is_empty() { 0.0 } else { deepest(&found) - deepest(&expected) };
            assert!(off.abs() <= GAP * (half + radius), "{off:e}, {}", case());
        }
    }
}

/// Outside of a closed box a ball has one contact, and a capsule none that is deeper than the overlap. One of four balls had contacts with other
/// normals, and one of 300 capsules deeper ones.
#[test]
fn thin_triangles_at_a_rim_push_to_no_side() {
    let (half_extents, here) = ([1.0, 0.75, 0.5], turned(0.0, 0.0, 0.0, [0.0; 3]));
    let solid = Shape::cuboid(half_extents).expect("a box");
    let mut compared = 0;
    for number in 0..2000 {
        let random = &mut Random(104_729 * number + 1);
        let count = 10 + random.below(80);
        let surface = Surface::closed(half_extents).divided(random, count);
        let mesh = surface.mesh();
        for _ in 0..10 {
            let (shape, half, radius) = shape(random);
            let (gap, margin, turn) = (gap(random, radius), random.power(-5.0, -0.5), random.turn(2.0));
            let mut place = surface.place(random);
            let rim = random.below(3);
            place[rim] = half_extents[rim] * 1f64.copysign(place[rim]);
            let outward = [0, 1, 2].map(|axis| {
                let is_outside = place[axis].abs() >= half_extents[axis];
                if is_outside { random.unit() * 1f64.copysign(place[axis]) } else { 0.0 }
            });
            let outward = Vec3::from(outward).normalize();
            let lower = turn * Vec3::z() * (half * [0.0, 1.0][random.below(2)]);
            let pose = Pose::new(place + outward * (radius + gap) + lower * 1f64.copysign(lower.dot(&outward)), turn);
            let expected = one_way((&shape, &pose), (&solid, &here), margin);
            // The middle line is outside.
            if expected.is_empty() || deepest(&expected) < -0.95 * radius {
                continue;
            }
            compared += 1;
            let found = one_way((&shape, &pose), (&mesh, &here), margin);
            let case = || format!("{number}: {gap:e}, {margin:e}, {half}, {radius}: {found:?}, {expected:?}");
            let off = deepest(&found) - deepest(&expected);
            assert!(off.abs() <= GAP * (half + radius), "{off:e}, {}", case());
            if half == 0.0 {
                let is_same = (found[0].normal - expected[0].normal).norm() <= TILT;
                assert!(found.len() == 1 && is_same, "{}", case());
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}
