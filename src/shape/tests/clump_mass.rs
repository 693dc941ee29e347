use std::f64::consts::PI;

use proptest::prelude::*;

use super::clump::part;
use crate::math::elementary::{atan2, sin_cos};
use crate::math::{Quat, Vec3};
use crate::shape::{MassProperties, PartDefinition, Shape};

fn of(parts: &[PartDefinition]) -> MassProperties {
    Shape::clump(parts).expect("a clump").mass_properties().expect("a mass")
}

fn sphere(radius: f64, position: [f64; 3]) -> PartDefinition {
    part(Shape::sphere(radius).unwrap(), position)
}

fn cuboid(half: [f64; 3], position: [f64; 3]) -> PartDefinition {
    part(Shape::cuboid(half).unwrap(), position)
}

/// The largest difference, each in units of the size of what is compared.
fn difference(a: &MassProperties, b: &MassProperties) -> f64 {
    let size = b.volume.cbrt();
    let inertia = (a.inertia.to_matrix() - b.inertia.to_matrix()).amax() / b.inertia.to_matrix().amax();
    let numbers = [a.volume / b.volume - 1.0, a.mass / b.mass - 1.0, (a.center - b.center).norm() / size, inertia];
    numbers.into_iter().fold(0.0, |largest, number| largest.max(number.abs()))
}

fn assert_same(a: &MassProperties, b: &MassProperties, tolerance: f64) {
    let off = difference(a, b);
    assert!(off <= tolerance, "off by {off:e}: {a:?}, not {b:?}");
}

#[test]
fn parts_apart_and_flush_are_summed() {
    let whole = Shape::cuboid([2.0, 1.0, 0.5]).unwrap().mass_properties().unwrap();
    assert_same(
        &of(&[cuboid([1.0, 1.0, 0.5], [-1.0, 0.0, 0.0]), cuboid([1.0, 1.0, 0.5], [1.0, 0.0, 0.0])]),
        &whole,
        1e-15,
    );
    // A dumbbell: about the axis 2 x 2/5 m r^2, across that and 2 m d^2.
    let dumbbell = of(&[sphere(1.0, [0.0, 0.0, 2.0]), sphere(1.0, [0.0, 0.0, -2.0])]);
    let mass = 4.0 / 3.0 * PI;
    assert!((dumbbell.volume - 2.0 * mass).abs() < 1e-14);
    let expected = [0.8 * mass + 8.0 * mass, 0.8 * mass + 8.0 * mass, 0.8 * mass, 0.0, 0.0, 0.0];
    for (found, expected) in dumbbell.inertia.entries.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found} against {expected}");
    }
}

#[test]
fn overlapping_boxes_are_exact() {
    // The same box cut up with overlaps, in two orders, and turned.
    let whole = Shape::cuboid([2.0, 1.0, 0.5]).unwrap().mass_properties().unwrap();
    let mut parts = vec![
        cuboid([1.5, 1.0, 0.5], [-0.5, 0.0, 0.0]),
        cuboid([1.25, 0.75, 0.5], [0.75, 0.25, 0.0]),
        cuboid([1.0, 0.5, 0.5], [1.0, -0.5, 0.0]),
    ];
    assert_same(&of(&parts), &whole, 1e-14);
    parts.reverse();
    assert_same(&of(&parts), &whole, 1e-14);
    let turn = Quat::new(Vec3::new(0.4, -1.0, 0.3));
    let [x, y, z, w] = turn.coords.into();
    for part in &mut parts {
        part.rotation = [x, y, z, w];
        part.position = (turn * Vec3::from(part.position)).into();
    }
    let turned = MassProperties { inertia: whole.inertia.rotated(turn.to_rotation_matrix().matrix()), ..whole };
    assert_same(&of(&parts), &turned, 1e-13);
    // A plus sign of 6 x 2 x 1 twice: volume 20, about z 2 x 12 (36 + 4)/12 - 4 (4 + 4)/12.
    let plus = of(&[cuboid([3.0, 1.0, 0.5], [0.0; 3]), cuboid([1.0, 3.0, 0.5], [0.0; 3])]);
    assert!((plus.volume - 20.0).abs() < 1e-13 && (plus.inertia.entries[2] - (80.0 - 8.0 / 3.0)).abs() < 1e-12);
}

/// Balls on the x axis: the union has discs as sections, of the largest ball there.
fn balls_on_a_line(balls: &[(f64, f64)]) -> MassProperties {
    let square = |x: f64| balls.iter().map(|(c, r)| r * r - (x - c) * (x - c)).fold(0.0, f64::max);
    let mut ends: Vec<f64> = balls.iter().flat_map(|(c, r)| [c - r, c + r]).collect();
    for (a, p) in balls {
        // Where two spheres meet.
        ends.extend(balls.iter().filter(|(b, _)| b != a).map(|(b, q)| 0.5 * (a + b) + 0.5 * (p * p - q * q) / (b - a)));
    }
    ends.sort_by(f64::total_cmp);
    // Three points of Gauss: exact up to the fifth degree.
    let nodes = [(-0.6f64.sqrt(), 5.0 / 18.0), (0.0, 4.0 / 9.0), (0.6f64.sqrt(), 5.0 / 18.0)];
    let integral = |f: &dyn Fn(f64) -> f64| {
        let span = |ends: &[f64]| {
            let (middle, length) = (0.5 * (ends[0] + ends[1]), ends[1] - ends[0]);
            nodes.iter().map(|(node, weight)| weight * length * f(middle + 0.5 * length * node)).sum::<f64>()
        };
        ends.windows(2).map(span).sum::<f64>()
    };
    let volume = integral(&|x| PI * square(x));
    let center = integral(&|x| PI * square(x) * x) / volume;
    let along = integral(&|x| PI * square(x) * square(x)) / 2.0;
    let across = along / 2.0 + integral(&|x| PI * square(x) * (x - center) * (x - center));
    MassProperties { center: Vec3::new(center, 0.0, 0.0), ..MassProperties::centred(volume, [along, across, across]) }
}

#[test]
fn overlapping_spheres_are_exact() {
    for balls in [
        vec![(0.0, 1.0), (1.0, 1.0)],
        vec![(0.0, 1.0), (0.3, 0.8)],
        vec![(-1.0, 0.7), (0.0, 1.0), (0.9, 0.5), (1.5, 0.4)],
        vec![(0.0, 1.0), (0.2, 0.5)],
        vec![(0.0, 1.0), (1e-3, 1.0)],
    ] {
        let mut parts: Vec<_> = balls.iter().map(|(x, r)| sphere(*r, [*x, 0.0, 0.0])).collect();
        assert_same(&of(&parts), &balls_on_a_line(&balls), 1e-13);
        parts.reverse();
        assert_same(&of(&parts), &balls_on_a_line(&balls), 1e-13);
    }
    // Three times the same ball is one.
    let ball = Shape::sphere(1.0).unwrap().mass_properties().unwrap();
    assert_same(&of(&[sphere(1.0, [0.0; 3]), sphere(1.0, [0.0; 3]), sphere(0.9, [0.0; 3])]), &ball, 1e-14);
}

#[test]
fn a_ball_at_the_corner_of_a_box_is_exact() {
    // Seven eighths of the ball are outside.
    let found = of(&[cuboid([1.0; 3], [0.0; 3]), sphere(0.5, [1.0; 3])]);
    let ball = 4.0 / 3.0 * PI * 0.125;
    assert!((found.volume - 8.0 - 0.875 * ball).abs() < 1e-13);
    // The eighth inside has its first moment at pi r^4/16 from the corner.
    let first = 0.875 * ball + PI * 0.0625 / 16.0;
    assert!((found.center - Vec3::repeat(first / found.volume)).norm() < 1e-14);
}

/// Corners and faces that meet the surface and the centre of the ball exactly.
#[test]
fn a_ball_and_aligned_boxes_are_exact() {
    let ball = 4.0 / 3.0 * PI;
    for (half, position, shared) in [
        ([0.5, 1.0, 0.5], [0.5, 1.0, 0.5], ball / 8.0),
        ([0.5; 3], [0.5; 3], ball / 8.0),
        ([0.5, 1.0, 1.0], [0.5, 0.0, 0.0], ball / 2.0),
        ([1.0; 3], [0.0; 3], ball),
        ([1.0; 3], [2.0, 0.0, 0.0], 0.0),
        ([0.5; 3], [0.5, 1.5, 0.5], 0.0),
    ] {
        let boxes = 8.0 * half.iter().product::<f64>();
        for parts in [[sphere(1.0, [0.0; 3]), cuboid(half, position)], [cuboid(half, position), sphere(1.0, [0.0; 3])]]
        {
            let found = of(&parts).volume;
            assert!((found - (ball + boxes - shared)).abs() < 1e-13, "{half:?} at {position:?}: {found}");
        }
    }
}

#[test]
fn the_first_part_gives_the_density() {
    let (small, large) = (cuboid([0.5; 3], [0.0; 3]), cuboid([1.0; 3], [0.0; 3]));
    let dense = PartDefinition { density_factor: 3.0, ..small };
    let found = of(&[dense.clone(), large.clone()]);
    assert!((found.volume - 8.0).abs() < 1e-14 && (found.mass - 10.0).abs() < 1e-14);
    // 7 m^3 (the cube less the small one) and three times the small one.
    let expected = 8.0 * 8.0 / 12.0 + 2.0 * 2.0 / 12.0;
    assert!((found.inertia.entries[0] - expected).abs() < 1e-14);
    let hidden = of(&[large, dense]);
    assert!((hidden.volume - 8.0).abs() < 1e-14 && (hidden.mass - 8.0).abs() < 1e-14);
}

/// What cylinders share is taken from prisms: the error that the header states.
#[test]
fn overlapping_cylinders_are_near() {
    let cylinder = |position: [f64; 3]| part(Shape::cylinder(2.0, 1.0).unwrap(), position);
    let whole = 4.0 * PI;
    let check = |sum: f64, found: MassProperties, shared: f64| {
        let off = (sum - found.volume - shared) / whole;
        assert!(off.abs() < 2e-5, "{off:e} of the cylinder");
    };
    let s = 0.5f64.sqrt();
    // Two crossed cylinders share 16/3 r^3.
    let crossed = PartDefinition { rotation: [s, 0.0, 0.0, s], ..cylinder([0.0; 3]) };
    check(2.0 * whole, of(&[cylinder([0.0; 3]), crossed]), 16.0 / 3.0);
    check(whole + 4.0 / 3.0 * PI, of(&[cylinder([0.0; 3]), sphere(1.0, [0.0; 3])]), 4.0 / 3.0 * PI);
    // A segment of the circle, 4 m long: of a box whose side is at x, and twice of a parallel cylinder at 2 x.
    for x in [0.0f64, 0.2, 0.5, 0.9, 0.975, 0.99, 0.999] {
        let segment = 4.0 * (atan2((1.0 - x * x).sqrt(), x) - x * (1.0 - x * x).sqrt());
        check(whole + 64.0, of(&[cuboid([2.0; 3], [2.0 + x, 0.0, 0.0]), cylinder([0.0; 3])]), segment);
        if x > 0.0 {
            for turn in [0.0, 0.03, 0.05] {
                let (sine, cosine) = sin_cos(turn);
                let pair = [cylinder([0.0; 3]), cylinder([2.0 * x * cosine, 2.0 * x * sine, 0.0])];
                check(2.0 * whole, of(&pair), 2.0 * segment);
            }
        }
    }
    // A ball around the end of a capsule is all of what they share: exact.
    let capsule = Shape::capsule(1.0, 0.5).unwrap();
    let alone = capsule.mass_properties().unwrap();
    assert_same(&of(&[part(capsule, [0.0; 3]), sphere(0.5, [0.0, 0.0, 1.0])]), &alone, 1e-13);
}

proptest! {
    /// With one density the order of the parts has no effect, however they overlap; it decides what is cut from what.
    #[test]
    fn the_order_of_equal_parts_has_no_effect(
        places in proptest::collection::vec(
            (proptest::array::uniform3(-0.7..0.7f64), proptest::array::uniform3(-1.0..1.0f64), 0.2..0.9f64, 0..3u32), 2..6),
    ) {
        let made = |(position, turn, size, kind): &([f64; 3], [f64; 3], f64, u32)| {
            let shape = match kind {
                0 => Shape::sphere(*size),
                1 => Shape::cuboid([*size, 0.5 * size, 0.8 * size]),
                _ => Shape::hull(&[[0.0, 0.0, *size], [*size, 0.0, 0.0], [0.0, *size, 0.0], [-*size, -*size, -*size]]),
            };
            let [x, y, z, w] = Quat::new(Vec3::from(*turn)).coords.into();
            PartDefinition { shape: shape.unwrap(), position: *position, rotation: [x, y, z, w], density_factor: 1.0 }
        };
        let mut parts: Vec<_> = places.iter().map(made).collect();
        let found = of(&parts);
        parts.reverse();
        assert_same(&of(&parts), &found, 1e-10);
        parts.rotate_left(1);
        assert_same(&of(&parts), &found, 1e-10);
        // No more than the sum, no less than the largest.
        let volumes = parts.iter().map(|part| part.shape.mass_properties().unwrap().volume);
        let (sum, largest) = volumes.fold((0.0, 0.0f64), |(sum, largest), volume| (sum + volume, largest.max(volume)));
        prop_assert!(found.volume <= sum * (1.0 + 1e-12) && found.volume >= largest * (1.0 - 1e-12));
        prop_assert!(found.inertia.to_matrix().symmetric_eigenvalues().min() > 0.0);
    }
}

/// Against the same parts cut by hand: each density counts where no part before has the point.
#[test]
fn parts_of_many_densities_count_where_they_come_first() {
    // Unit cubes side by side along x, each reaching 1/2 into the next one: the later part of a pair keeps half of it.
    let factors = [2.0, 2.0, 5.0, 1.0, 1.0, 3.0];
    let parts: Vec<PartDefinition> = (0..6)
        .map(|at| PartDefinition {
            density_factor: factors[at],
            ..cuboid([0.5, 0.5, 0.5], [0.5 * at as f64, 0.0, 0.0])
        })
        .collect();
    let found = of(&parts);
    let slices: Vec<PartDefinition> = (0..6)
        .map(|at| {
            let (half, place) = if at == 0 { (0.5, 0.0) } else { (0.25, 0.5 * at as f64 + 0.25) };
            PartDefinition { density_factor: factors[at], ..cuboid([half, 0.5, 0.5], [place, 0.0, 0.0]) }
        })
        .collect();
    assert_same(&found, &of(&slices), 1e-13);
    // Balls: a light shell about a heavy core, in both orders.
    let (core, shell) = (sphere(0.5, [0.0; 3]), sphere(1.0, [0.0; 3]));
    let heavy = PartDefinition { density_factor: 4.0, ..core };
    let ball = 4.0 / 3.0 * PI;
    let found = of(&[heavy.clone(), shell.clone()]);
    assert!((found.mass - (ball + 3.0 * ball / 8.0)).abs() < 1e-13 && (found.volume - ball).abs() < 1e-13);
    let hidden = of(&[shell, heavy]);
    assert!((hidden.mass - ball).abs() < 1e-13 && (hidden.volume - ball).abs() < 1e-13);
}

/// A part that is hidden counts nothing, however dense it is.
#[test]
fn hidden_parts_of_any_density_count_nothing() {
    let ball = 4.0 / 3.0 * PI;
    for factor in [1e4, 1e12, 1e20, 1e-20] {
        let dense = |part: PartDefinition| PartDefinition { density_factor: factor, ..part };
        let found = of(&[sphere(1.0, [0.0; 3]), dense(sphere(0.5, [0.2, 0.0, 0.0])), sphere(1.0, [1.0, 0.0, 0.0])]);
        // Two balls at the distance 1 share a lens.
        let expected = 2.0 * ball - 2.0 * PI * 0.25 * 2.5 / 3.0;
        assert!((found.mass / expected - 1.0).abs() < 1e-13, "{factor:e}: {}", found.mass);
    }
}

/// The corner of a box on a lattice is on the sphere: an edge ends there.
#[test]
fn turned_boxes_with_corners_on_a_sphere_are_exact() {
    let half = 0.5f64.sqrt();
    let box_at = |rotation: [f64; 4]| PartDefinition { rotation, ..cuboid([0.5, 0.25, 0.25], [0.0, 0.25, 0.0]) };
    // A quarter turn either way about z is the same box.
    let volume =
        |rotation| of(&[sphere(0.75, [0.0; 3]), box_at(rotation), cuboid([0.25; 3], [0.25, 0.5, 0.25])]).volume;
    for axis in 0..3 {
        let turn = |sign: f64| {
            std::array::from_fn(|at| {
                if at == axis {
                    sign * half
                } else if at == 3 {
                    half
                } else {
                    0.0
                }
            })
        };
        let (one, other) = (volume(turn(1.0)), volume(turn(-1.0)));
        assert!((one / other - 1.0).abs() < 1e-13, "{axis}: {one} {other}");
    }
}

/// A rod of many balls that overlap, each of another density than its neighbours: the caps that each one keeps.
#[test]
fn a_long_rod_of_balls_is_exact() {
    let count = 2000;
    let factor = |at: usize| 1.0 + (at % 3) as f64;
    let parts: Vec<PartDefinition> = (0..count)
        .map(|at| PartDefinition { density_factor: factor(at), ..sphere(1.0, [at as f64, 0.0, 0.0]) })
        .collect();
    let found = of(&parts);
    // The lens that two balls share at the distance 1 is two caps of height 1/2.
    let (ball, lens) = (4.0 / 3.0 * PI, 2.0 * PI * 0.25 * 2.5 / 3.0);
    let mass: f64 = (0..count).map(|at| factor(at) * (ball - if at > 0 { lens } else { 0.0 })).sum();
    let volume = count as f64 * ball - (count - 1) as f64 * lens;
    assert!((found.mass / mass - 1.0).abs() < 1e-12, "{} {mass}", found.mass);
    assert!((found.volume / volume - 1.0).abs() < 1e-12, "{} {volume}", found.volume);
}
