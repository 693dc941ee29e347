//! rapier behind peer.h: stock parameters apart from the time step and the number of solver iterations.
//!
//! rapier's cylinders lie along y. The rigid body of a cylinder is therefore turned by a quarter about x.

use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::prelude::*;
use std::os::raw::{c_char, c_int, c_long};

const BOX: c_int = 1;
const HULL: c_int = 2;
const CYLINDER: c_int = 3;
const CAPSULE: c_int = 4;

#[repr(C)]
pub struct PeerShape {
    kind: c_int,
    half: [f64; 3],
    radius: f64,
    half_length: f64,
    points: *const f64,
    point_count: c_int,
}

#[repr(C)]
pub struct PeerBody {
    shape: PeerShape,
    fixed: c_int,
    mass: f64,
    inertia: [f64; 3],
    position: [f64; 3],
    rotation: [f64; 4],
}

#[repr(C)]
pub struct PeerConfig {
    dt: f64,
    gravity: [f64; 3],
    friction: f64,
    iterations: c_int,
    max_bodies: c_int,
    variant: *const c_char,
}

#[repr(C)]
pub struct PeerState {
    position: [f64; 3],
    rotation: [f64; 4],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
}

pub struct PeerWorld {
    world: PhysicsWorld,
    /// Each moving body, and its rotation from peer.h's body axes to rapier's.
    moving: Vec<(RigidBodyHandle, Rotation)>,
    friction: f64,
}

fn vector(v: [f64; 3]) -> Vector {
    Vector::new(v[0] as Real, v[1] as Real, v[2] as Real)
}

fn numbers(v: Vector) -> [f64; 3] {
    [v.x as f64, v.y as f64, v.z as f64]
}

/// The collider, its rotation from peer.h's body axes to rapier's, and the moments of inertia about rapier's axes.
fn collider(b: &PeerBody) -> Option<(ColliderBuilder, Rotation, [f64; 3])> {
    let s = &b.shape;
    let (radius, half_length) = (s.radius as Real, s.half_length as Real);
    let same = Rotation::from_xyzw(0.0, 0.0, 0.0, 1.0);
    let [x, y, z] = b.inertia;
    Some(match s.kind {
        BOX => (ColliderBuilder::cuboid(s.half[0] as Real, s.half[1] as Real, s.half[2] as Real), same, b.inertia),
        HULL => {
            let all = unsafe { std::slice::from_raw_parts(s.points, 3 * s.point_count as usize) };
            let points: Vec<_> = all.chunks(3).map(|p| vector([p[0], p[1], p[2]])).collect();
            (ColliderBuilder::convex_hull(&points)?, same, b.inertia)
        }
        CYLINDER => {
            let half = std::f64::consts::FRAC_1_SQRT_2 as Real;
            let turn = Rotation::from_xyzw(half, 0.0, 0.0, half); // y of rapier is z of peer.h
            (ColliderBuilder::cylinder(half_length, radius), turn, [x, z, y])
        }
        CAPSULE => (ColliderBuilder::capsule_z(half_length, radius), same, b.inertia),
        _ => (ColliderBuilder::ball(radius), same, b.inertia),
    })
}

#[no_mangle]
pub extern "C" fn peer_engine() -> *const c_char {
    if cfg!(feature = "simd8") { c"rapier_simd8".as_ptr() } else { c"rapier".as_ptr() }
}

#[no_mangle]
pub extern "C" fn peer_version() -> *const c_char {
    c"0.36.1".as_ptr()
}

#[no_mangle]
pub extern "C" fn peer_precision() -> *const c_char {
    c"f32".as_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn peer_create(config: *const PeerConfig) -> *mut PeerWorld {
    let config = &*config;
    let mut world = PhysicsWorld::default();
    world.gravity = vector(config.gravity);
    world.integration_parameters.dt = config.dt as Real;
    world.integration_parameters.num_solver_iterations = config.iterations as usize;
    Box::into_raw(Box::new(PeerWorld { world, moving: Vec::new(), friction: config.friction }))
}

#[no_mangle]
pub unsafe extern "C" fn peer_add(w: *mut PeerWorld, b: *const PeerBody) -> c_int {
    let (w, b) = (&mut *w, &*b);
    let Some((collider, turn, inertia)) = collider(b) else { return 1 };
    let collider = collider.friction(w.friction as Real).restitution(0.0);
    let [x, y, z, s] = b.rotation.map(|part| part as Real);
    let pose = Pose::from_parts(vector(b.position), Rotation::from_xyzw(x, y, z, s) * turn);
    if b.fixed != 0 {
        w.world.insert(RigidBodyBuilder::fixed().pose(pose), collider);
        return 0;
    }
    let properties = MassProperties::new(vector([0.0; 3]), b.mass as Real, vector(inertia));
    let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
    let (handle, _) = w.world.insert(body, collider.mass_properties(properties));
    w.moving.push((handle, turn));
    0
}

#[no_mangle]
pub extern "C" fn peer_finish(_: *mut PeerWorld) {}

#[no_mangle]
pub unsafe extern "C" fn peer_step(w: *mut PeerWorld) {
    let w = &mut *w;
    w.world.step();
}

#[no_mangle]
pub unsafe extern "C" fn peer_states(w: *mut PeerWorld, states: *mut PeerState) {
    let w = &*w;
    for (i, (handle, turn)) in w.moving.iter().enumerate() {
        let body = &w.world.bodies[*handle];
        let r = *body.rotation() * turn.inverse();
        *states.add(i) = PeerState {
            position: numbers(body.translation()),
            rotation: [r.x as f64, r.y as f64, r.z as f64, r.w as f64],
            velocity: numbers(body.linvel()),
            angular_velocity: numbers(body.angvel()),
        };
    }
}

#[no_mangle]
pub unsafe extern "C" fn peer_contacts(w: *mut PeerWorld) -> c_long {
    let w = &*w;
    let pairs = w.world.narrow_phase.contact_pairs();
    pairs.flat_map(|pair| pair.solver_manifolds()).map(|m| m.data.solver_contacts.len()).sum::<usize>() as c_long
}
