//! A convex polyhedron: corners, and faces as polygons that coplanar triangles were merged into; its mass by exact integration.
//!
//! parry finds the triangles of the hull; everything else, and the check of the result, is here.

use std::collections::BTreeMap;
use std::iter::repeat_n;

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

use super::checks::{LONGEST, SHORTEST, THINNEST, by_coordinates, listed, own_points, probe_memory};
use super::graph::{HullGraph, Outline};
use super::moments::{MassProperties, Moments};
use crate::error::{Error, ErrorKind, Result, collected, push, reserve, text};
use crate::math::elementary::hypot;
use crate::math::{Quat, Vec3, turned_by};

/// Corners this close to a face's plane belong to it, as a fraction of the hull's size [-].
const COPLANAR: f64 = 1e-9;
/// A point of the input may lie this far outside the result, as a fraction of the hull's size [-].
const OUTSIDE: f64 = 1e-7;
/// What the hull search needs per point, counted generously [bytes].
const BYTES_PER_POINT: usize = 1024;
/// What memory is asked for.
const POINTS: &str = "points of a hull";
const FACES: &str = "faces of a hull";
const CORNERS: &str = "corners of a hull";

/// Axes in which the hull is searched, as rotation vectors, until one search succeeds: many points in common planes can
/// lead it astray, and rarely do so in oblique axes too.
const TURNS: [[f64; 3]; 4] = [[0.0; 3], [0.3, 0.5, 0.7], [-1.1, 0.4, 0.2], [0.6, -0.9, 1.3]];

/// A convex polyhedron in the axes, and about the origin, its points were given in.
#[derive(Debug, Clone)]
pub struct Hull {
    /// The points that it is made from, sorted, each once [m]. Made anew from these, it is the same to the last bit.
    pub(super) source: Vec<Vec3>,
    /// Its corners [m].
    pub(crate) points: Vec<Vec3>,
    /// The unit outward normal of each face.
    pub(crate) normals: Vec<Vec3>,
    /// Where each face's corners start in `corners`; one more than there are faces.
    pub(crate) starts: Vec<u32>,
    /// The corners of the faces, each counterclockwise as seen from outside.
    pub(crate) corners: Vec<u32>,
    /// How they hang together.
    pub(crate) graph: HullGraph,
    pub(super) mass_properties: MassProperties,
    pub(super) bounding_radius: f64,
}

impl Hull {
    pub(super) fn new(points: &[[f64; 3]]) -> Result<Self> {
        let count = points.len();
        if count < 4 {
            return Err(Error::argument(text!("points_xyz has {count} points, expected at least 4")));
        }
        let mut distinct = own_points(points, POINTS)?;
        distinct.sort_unstable_by(by_coordinates);
        distinct.dedup();
        let size = check_spread(&distinct, count)?;
        probe_memory(distinct.len(), BYTES_PER_POINT, POINTS)?;
        let mut outcome = Err(Error::new(ErrorKind::Internal, "no search for a hull was made"));
        for turn in TURNS {
            outcome = hull_of(&distinct, &turned_by(&Vec3::from(turn)))
                .and_then(|(corners, triangles)| Self::from_triangles(corners, &triangles, &distinct, size));
            if outcome.is_ok() {
                break;
            }
        }
        outcome.map(|hull| Self { source: distinct, ..hull })
    }

    /// The hull with these corners and outward triangles, if it holds all of `points`.
    fn from_triangles(corners: Vec<Vec3>, triangles: &[[u32; 3]], points: &[Vec3], size: f64) -> Result<Self> {
        let mut hull = Self {
            source: Vec::new(),
            points: corners,
            normals: Vec::new(),
            starts: vec![0],
            corners: Vec::new(),
            graph: HullGraph::default(),
            mass_properties: MassProperties::centred(0.0, [0.0; 3]),
            bounding_radius: 0.0,
        };
        hull.merge_faces(triangles, size)?;
        hull.drop_unused_points()?;
        hull.check_result(points, size)?;
        let apex = hull.points.iter().sum::<Vec3>() / hull.points.len() as f64;
        let at = |index: &u32| hull.points[*index as usize];
        let fan = |face: usize| {
            hull.face(face).split_first().into_iter().flat_map(move |(first, rest)| {
                rest.windows(2).filter_map(move |pair| Some([at(first), at(pair.first()?), at(pair.last()?)]))
            })
        };
        let moments = Moments::of_polyhedron(&apex, (0..hull.normals.len()).flat_map(fan));
        hull.mass_properties = moments.properties(&apex);
        hull.graph = HullGraph::new(&hull.points, &hull.starts, &hull.corners)?;
        hull.bounding_radius = hull.points.iter().map(|point| point.norm()).fold(0.0, f64::max);
        Ok(hull)
    }

    /// Whether a point, in the hull's axes, is inside or at most `slack` [m] beyond the planes of the faces.
    pub(crate) fn holds(&self, point: &Vec3, slack: f64) -> bool {
        self.normals.iter().enumerate().all(|(face, normal)| {
            let corner = self.face(face).first().map(|corner| self.points[*corner as usize]);
            corner.is_some_and(|corner| normal.dot(&(point - corner)) <= slack)
        })
    }

    /// Its corners and faces.
    #[inline]
    pub(crate) fn outline(&self) -> Outline<'_> {
        let Self { points, normals, starts, corners, .. } = self;
        Outline { points, normals, starts, corners }
    }

    fn face(&self, index: usize) -> &[u32] {
        listed(&self.starts, &self.corners, index)
    }

    /// Gathers, largest triangle first, all corners in the plane of each triangle that has no face yet.
    fn merge_faces(&mut self, triangles: &[[u32; 3]], size: f64) -> Result<()> {
        let triangles = triangles.iter().map(|triangle| triangle.map(|corner| self.points[corner as usize]));
        let with_areas = triangles.map(|[a, b, c]| ((b - a).cross(&(c - a)), [a, b, c]));
        let mut order = collected(with_areas, FACES)?;
        order.sort_by(|(first, _), (second, _)| second.norm_squared().total_cmp(&first.norm_squared()));
        let mut merged = collected(repeat_n(false, order.len()), FACES)?;
        for seed in 0..order.len() {
            let (vector, [origin, ..]) = order[seed];
            if merged[seed] || vector.norm_squared() == 0.0 {
                continue;
            }
            let normal = vector.normalize();
            let flat = |point: &Vec3| normal.dot(&(point - origin)).abs() <= COPLANAR * size;
            for (other, (vector, corners)) in order.iter().enumerate().skip(seed) {
                merged[other] |= corners.iter().all(flat) && vector.dot(&normal) >= 0.0;
            }
            let mut members = Vec::new();
            reserve(&mut members, self.points.len(), FACES)?;
            members.extend((0..self.points.len() as u32).filter(|index| flat(&self.points[*index as usize])));
            self.add_face(&normal, members, size)?;
        }
        Ok(())
    }

    /// Adds the face in the plane of `normal` whose corners are among `members`.
    fn add_face(&mut self, normal: &Vec3, members: Vec<u32>, size: f64) -> Result<()> {
        let outline = outline(&self.points, normal, members, COPLANAR * size)?;
        let at = |index: usize| self.points[outline[index % outline.len()] as usize];
        let middle = (0..outline.len()).map(at).sum::<Vec3>() / outline.len() as f64;
        let vector: Vec3 = (0..outline.len()).map(|index| (at(index) - middle).cross(&(at(index + 1) - middle))).sum();
        push(&mut self.normals, vector.try_normalize(0.0).unwrap_or(*normal), FACES)?;
        reserve(&mut self.corners, outline.len(), CORNERS)?;
        self.corners.extend(outline);
        push(&mut self.starts, self.corners.len() as u32, FACES)
    }

    /// Forgets points that are no face's corner: those inside a face or an edge.
    fn drop_unused_points(&mut self) -> Result<()> {
        let mut places = collected(repeat_n(u32::MAX, self.points.len()), POINTS)?;
        self.corners.iter().for_each(|corner| places[*corner as usize] = 0);
        let mut kept = 0u32;
        for (index, place) in places.iter_mut().enumerate().filter(|(_, place)| **place == 0) {
            *place = kept;
            self.points.swap(kept as usize, index);
            kept += 1;
        }
        self.points.truncate(kept as usize);
        self.corners.iter_mut().for_each(|corner| *corner = places[*corner as usize]);
        Ok(())
    }

    /// Refuses a hull that leaves a point of the input outside.
    fn check_result(&self, points: &[Vec3], size: f64) -> Result<()> {
        let mut worst = 0f64;
        for (face, normal) in self.normals.iter().enumerate() {
            let Some(origin) = self.face(face).first().map(|index| self.points[*index as usize]) else { continue };
            worst = points.iter().fold(worst, |worst, point| worst.max(normal.dot(&(point - origin))));
        }
        if self.normals.len() < 4 || worst > OUTSIDE * size {
            let faces = self.normals.len();
            let message =
                text!("the hull of points_xyz came out with {faces} faces and leaves a point {worst:e} outside");
            return Err(Error::new(ErrorKind::Internal, message));
        }
        Ok(())
    }
}

/// The largest distance from the first point [m], if the points span a volume.
fn check_spread(points: &[Vec3], count: usize) -> Result<f64> {
    let refuse = |found: String| {
        let distinct = points.len();
        let message = text!("points_xyz has {count} points, {distinct} of them distinct, {found}");
        Err(Error::argument(text!("{message}, expected 4 that span a volume")))
    };
    let Some(origin) = points.first() else { return refuse(String::new()) };
    let farthest = |distance: &dyn Fn(&Vec3) -> f64| {
        points.iter().fold((0.0, *origin), |best, point| {
            let here = distance(point);
            if here > best.0 { (here, *point) } else { best }
        })
    };
    let (size, second) = farthest(&|point| (point - origin).norm());
    if !(SHORTEST..=LONGEST).contains(&size) {
        return refuse(text!("at most {size:e} apart"));
    }
    let along = (second - origin) / size;
    let (width, third) = farthest(&|point| (point - origin).cross(&along).norm());
    if width <= THINNEST * size {
        return refuse(text!("on one line within {width:e} over a length of {size}"));
    }
    let normal = along.cross(&((third - origin) / width)).normalize();
    let (thickness, _) = farthest(&|point| (point - origin).dot(&normal).abs());
    if thickness <= THINNEST * size {
        return refuse(text!("in one plane within {thickness:e} over a length of {size}"));
    }
    if size * width * thickness < SHORTEST * SHORTEST * SHORTEST {
        return refuse(text!("{size:e} by {width:e} by {thickness:e} large"));
    }
    Ok(size)
}

/// Of points in one plane those that are corners of their convex outline, counterclockwise about `normal`; points within
/// `tolerance` [m] of the line between two others are none (Andrew's monotone chain).
fn outline(points: &[Vec3], normal: &Vec3, mut members: Vec<u32>, tolerance: f64) -> Result<Vec<u32>> {
    let (t1, t2) = crate::math::tangents(normal);
    let flat = |index: u32| [t1.dot(&points[index as usize]), t2.dot(&points[index as usize])];
    let turns = |a: u32, b: u32, c: u32| {
        let (a, b, c) = (flat(a), flat(b), flat(c));
        let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        u[0] * v[1] - u[1] * v[0] > tolerance * hypot(v[0], v[1])
    };
    members.sort_by(|first, second| {
        let (a, b) = (flat(*first), flat(*second));
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(first.cmp(second))
    });
    let mut outline = Vec::new();
    reserve(&mut outline, 2 * members.len(), CORNERS)?;
    for back in [false, true] {
        let start = outline.len();
        for step in 0..members.len() {
            let next = members[if back { members.len() - 1 - step } else { step }];
            while outline.len() >= start + 2 && !turns(outline[outline.len() - 2], outline[outline.len() - 1], next) {
                outline.pop();
            }
            outline.push(next);
        }
        // The last of each chain is the first of the other.
        outline.pop();
    }
    Ok(outline)
}

/// Corners and outward triangles of the hull, found in axes turned by `turn`.
///
/// parry starts from the eigenvectors of the points, which it computes with `acos` and `cos` of the platform. They decide
/// where it starts, not where a corner is.
fn hull_of(points: &[Vec3], turn: &Quat) -> Result<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let no_hull = |cause: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Internal, text!("no convex hull of points_xyz was found: {cause}"))
    };
    let turned = |point: &Vec3| if *turn == Quat::identity() { *point } else { turn * point };
    let cloud = points.iter().map(turned).map(|point| Vector::new(point.x, point.y, point.z));
    let cloud = collected(cloud, POINTS)?;
    let bits = |v: &Vector| [v.x, v.y, v.z].map(f64::to_bits);
    let originals: BTreeMap<[u64; 3], Vec3> = cloud.iter().map(bits).zip(points.iter().copied()).collect();
    let (corners, triangles) = try_convex_hull(&cloud).map_err(|cause| no_hull(&cause))?;
    let corners: Option<Vec<Vec3>> = corners.iter().map(|corner| originals.get(&bits(corner)).copied()).collect();
    corners.map(|corners| (corners, triangles)).ok_or_else(|| no_hull(&"a corner is no point of the input"))
}
