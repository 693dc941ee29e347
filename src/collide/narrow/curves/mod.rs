//! Prisms over curves against other prisms along z, cylinders along z, balls and half-spaces. All contacts are planar.
//! They lie in the middle of the depth that both shapes share. Other shapes are refused.

mod deep;
mod held;
mod knots;
mod minima;
mod notch;
mod plane;
mod round;
mod seat;
mod side;

#[cfg(test)]
mod tests;

use super::contact::{ContactPoint, POINTS, Placed};
use crate::collide::filter::Ball;
use crate::error::{Error, Result, push, text};
use crate::math::elementary::hypot;
use crate::math::{Mat3, Pose, Vec2, Vec3};
use crate::shape::nurbs::{Curve, CurveContacts, Outline};
use crate::shape::{Cuboid, Cylinder, HalfSpace, Shape};
use deep::{add_deep, is_inside};
use knots::add_samples;
use minima::{Sample, add_minima};
use plane::{Frame, Touch, at_height, is_upright, write, write_all};
use round::{add_disk, add_half_plane};
use seat::FLAT;
use side::{Pass, Side};

/// The largest tilt of the normal of a half-space from the x-y plane, or from the z axis [-].
const TILT_TOLERANCE: f64 = 1e-6;

/// Scratch memory of pairs with curves.
#[derive(Debug, Clone, Default)]
pub(super) struct CurveWorkspace {
    samples: Vec<Sample>,
    touches: Vec<Touch>,
    /// The outline of a box.
    outline: Outline,
}

/// Appends the contacts of any shape, a, with a curve, b.
///
/// # Errors
///
/// Curves do not support contacts with the other shape, or with its orientation.
pub(super) fn shape_curve(
    a: Placed,
    (curve, pose): (&Curve, &Pose),
    margin: f64,
    workspace: &mut CurveWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    check_upright(&pose.matrix)?;
    let side = side_of(curve, pose);
    let CurveWorkspace { samples, touches, outline } = workspace;
    touches.clear();
    match a.shape {
        Shape::Curve(other) => {
            check_upright(&a.pose.matrix)?;
            let sides = [side_of(other, a.pose), side];
            let is_by_knots = [other, curve].iter().all(|curve| curve.source.contacts == CurveContacts::Knots);
            prisms(sides, (is_by_knots, margin), (samples, touches), out)
        }
        Shape::Cuboid(cuboid) => {
            let frame = fill_box(outline, cuboid, a.pose)?;
            let sides = [Side { outline, frame, samples: curve.source.samples_per_span }, side];
            let is_by_knots = curve.source.contacts == CurveContacts::Knots;
            prisms(sides, (is_by_knots, margin), (samples, touches), out)
        }
        Shape::Cylinder(Cylinder { half_height, radius }) => {
            if !is_upright(&a.pose.matrix, 2) {
                return Err(refused("a cylinder that is not along z"));
            }
            let frame = Frame::new(a.pose, 0, *half_height);
            let Some(z) = frame.middle(&side.frame) else { return Ok(()) };
            add_disk((&frame.origin, *radius), &side, margin, touches)?;
            write(touches, z, out)
        }
        Shape::Sphere(sphere) => {
            let ball = Ball { center: a.pose.origin, radius: sphere.radius };
            ball_prism(&ball, &side, margin, touches, out)
        }
        Shape::HalfSpace(half_space) => {
            let Some((normal, offset)) = half_plane(half_space, a.pose)? else { return Ok(()) };
            add_half_plane((&normal, offset), &side, margin, touches)?;
            write(touches, 0.5 * (side.frame.ends[0] + side.frame.ends[1]), out)
        }
        Shape::Capsule(_) => Err(refused("a capsule")),
        Shape::Hull(_) => Err(refused("a hull")),
        Shape::Mesh(_) => Err(refused("a mesh")),
        Shape::Clump(_) => Err(refused("a clump")),
    }
}

/// Returns the contact of any shape, a, with a curve, b, at the point of a that is nearest to `place`, in world axes. The
/// two must be nearly parallel there, and the gap at most a tenth of the margin. Balls and disks have no such contacts.
/// Also returns the sum of both curvatures [1/m].
///
/// # Errors
///
/// A box has no edge along z, or the normal of a half-space leans out of the x-y plane.
pub(super) fn held_contact(
    a: Placed,
    (curve, pose): (&Curve, &Pose),
    place: &Vec3,
    margin: f64,
    CurveWorkspace { outline, .. }: &mut CurveWorkspace,
) -> Result<Option<(ContactPoint, f64)>> {
    let (side, at) = (side_of(curve, pose), Vec2::new(place.x, place.y));
    let touch = match a.shape {
        Shape::Curve(other) => held::of_prisms([side_of(other, a.pose), side], &at, margin),
        Shape::Cuboid(cuboid) => {
            let frame = fill_box(outline, cuboid, a.pose)?;
            held::of_prisms([Side { outline, frame, samples: side.samples }, side], &at, margin)
        }
        Shape::HalfSpace(half_space) => half_plane(half_space, a.pose)?
            .and_then(|(normal, offset)| held::of_half_plane((&normal, offset), &side, &at)),
        _ => None,
    };
    let is_near = |(touch, _): &(Touch, f64)| touch.gap <= FLAT * margin;
    Ok(touch.filter(is_near).map(|(touch, curvature)| (at_height(&touch, place.z), curvature)))
}

#[cold]
fn refused(partner: &str) -> Error {
    Error::unsupported(text!(
        "a NURBS curve meets {partner}; it can meet other curves, boxes with an edge along z, cylinders along z, spheres, and half-spaces whose normal is in the x-y plane or along z"
    ))
}

fn check_upright(matrix: &Mat3) -> Result<()> {
    if is_upright(matrix, 2) && matrix[(2, 2)] > 0.0 {
        return Ok(());
    }
    let axis = matrix.column(2);
    Err(Error::unsupported(text!(
        "a NURBS curve has its z axis along {:?}, it touches others only with its z axis along that of the world",
        axis.as_slice()
    )))
}

fn side_of<'a>(curve: &'a Curve, pose: &Pose) -> Side<'a> {
    let frame = Frame::new(pose, 0, curve.source.half_depth);
    Side { outline: &curve.outline, frame, samples: curve.source.samples_per_span }
}

/// Appends the contacts of two prisms along z.
fn prisms(
    [a, b]: [Side; 2],
    (is_by_knots, margin): (bool, f64),
    (samples, touches): (&mut Vec<Sample>, &mut Vec<Touch>),
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let Some(z) = a.frame.middle(&b.frame) else { return Ok(()) };
    let [along_a, along_b] = [Pass::new([a, b], true, margin), Pass::new([b, a], false, margin)];
    if is_by_knots {
        add_samples(&along_a, touches)?;
        add_samples(&along_b, touches)?;
        return write_all(touches, z, out);
    }
    // Both passes find the same pairs of points, with one exception: a tip deeper in the other outline than the centre
    // of its curvature.
    let has_tips = a.outline.has_corners() || b.outline.has_corners();
    let mut is_crossed = add_minima(&along_a, samples, touches)?;
    if is_crossed || has_tips {
        is_crossed |= add_minima(&along_b, samples, touches)?;
    }
    if touches.is_empty() {
        let passes = [along_a, along_b];
        if is_crossed || samples.iter().any(Sample::is_inside) || is_inside(&passes) {
            add_deep(passes, samples, touches)?;
        }
    }
    write(touches, z, out)
}

/// Sets `outline` to that of a box with an edge along z. Returns the frame of the box.
fn fill_box(outline: &mut Outline, cuboid: &Cuboid, pose: &Pose) -> Result<Frame> {
    let Some(along) = (0..3).rev().find(|axis| is_upright(&pose.matrix, *axis)) else {
        return Err(refused("a box without an edge along z"));
    };
    let (x, y) = ((along + 1) % 3, (along + 2) % 3);
    let (w, h) = (cuboid.half_extents[x], cuboid.half_extents[y]);
    let corners = [[-w, -h], [w, -h], [w, h], [-w, h]];
    let controls: [[f64; 3]; 8] = std::array::from_fn(|at| {
        let [x, y] = corners[at.div_ceil(2) % 4];
        [x, y, 1.0]
    });
    outline.fill(1, &controls)?;
    Ok(Frame::new(pose, x, cuboid.half_extents[along]))
}

/// Appends the contact of a ball, a. Next to the prism it counts as a disk. Otherwise it touches an end or an edge.
fn ball_prism(
    ball: &Ball,
    side: &Side,
    margin: f64,
    touches: &mut Vec<Touch>,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let center = Vec2::new(ball.center.x, ball.center.y);
    let [low, high] = side.frame.ends;
    let (up, end) = (ball.center.z - high, low - ball.center.z);
    let (endways, end) = if up >= end { (Vec3::z(), up) } else { (-Vec3::z(), end) };
    let foot = side.outline.nearest(&side.frame.to_local(&center));
    if end <= 0.0 && foot.distance > end {
        add_disk((&center, ball.radius), side, margin, touches)?;
        return write(touches, ball.center.z, out);
    }
    let sideways = side.frame.turned(&foot.normal);
    let (distance, outward) = if foot.distance > 0.0 {
        let distance = hypot(foot.distance, end);
        (distance, (Vec3::new(sideways.x, sideways.y, 0.0) * foot.distance + endways * end) / distance)
    } else {
        (end, endways)
    };
    match ContactPoint::of_ball(ball, distance, &outward, margin) {
        Some(contact) => push(out, ContactPoint { feature: 0, ..contact }, POINTS),
        None => Ok(()),
    }
}

/// Returns the half-plane of a half-space whose surface is parallel to z: its unit normal and its offset [m]. A half-space
/// whose surface is across z has no contact, since curves do not move along z.
fn half_plane(half_space: &HalfSpace, pose: &Pose) -> Result<Option<(Vec2, f64)>> {
    let normal = pose.matrix * half_space.normal;
    let flat = Vec2::new(normal.x, normal.y);
    if flat.norm() < TILT_TOLERANCE {
        return Ok(None);
    }
    if normal.z.abs() > TILT_TOLERANCE {
        return Err(refused("a half-space whose normal leans out of the x-y plane"));
    }
    Ok(Some((flat.normalize(), half_space.offset + normal.dot(&pose.origin))))
}
