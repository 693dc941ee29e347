//! Rigid bodies in frictional contact, with contact forces a host can trust.
//!
//! # The problem
//!
//! In one step of length `h` the contacts of all bodies are solved together:
//!
//! ```text
//! v+ = vhat + M^-1 G^T lambda            u = G v+
//! normal     0 <= lambda_n  _|_  w_n = u_n + S_n lambda_n + b_n >= 0
//! friction   |lambda_t| <= mu lambda_n,  w_t = u_t + S_t lambda_t + b_t = -s lambda_t / |lambda_t|,
//!            s >= 0,  s (mu lambda_n - |lambda_t|) = 0
//! ```
//!
//! `vhat` are the velocities after gravity and the host's forces, and `M` the masses. `G` maps velocities of bodies to
//! relative velocities `u` at the contacts. `lambda` are the impulses, and `mu` is the friction coefficient. A contact
//! law chooses the bias `b` and the compliance `S`, nothing else. Forces are `lambda / h`.
//!
//! # A first world
//!
//! A box of 1000 kg on a slope of 20 degrees is at rest after a step, and the slope carries its weight.
//!
//! ```
//! use drystone::body::{Definition, Kind};
//! use drystone::contact::material::Material;
//! use drystone::error::Result;
//! use drystone::shape::Shape;
//! use drystone::world::{Settings, World};
//!
//! # fn main() -> Result<()> {
//! let mut world = World::new(Settings::default(), [0.0, 0.0, -9.81])?;
//! let material = world.add_material(Material { friction: 0.5, density: 1000.0, ..Material::default() })?;
//!
//! let half = 10f64.to_radians();
//! let rotation = [0.0, half.sin(), 0.0, half.cos()];
//! let up = [(2.0 * half).sin(), 0.0, (2.0 * half).cos()];
//!
//! let shape = world.add_shape(Shape::half_space(up, 0.0)?)?;
//! let slope = world.add_body(&Definition { kind: Kind::Static, shape, material, ..Definition::default() })?;
//!
//! let shape = world.add_shape(Shape::cuboid([0.5; 3])?)?;
//! let position = up.map(|each| 0.5 * each);
//! let block = world.add_body(&Definition { shape, material, position, rotation, ..Definition::default() })?;
//!
//! let report = world.step(0.01).map_err(|failure| failure.error)?;
//! assert_eq!(report.contacts, 4);
//!
//! let (force, _torque) = world.body_force(slope)?;
//! assert!((force[2] + 9810.0).abs() < 1e-6, "{force:?} N");
//! assert!(world.body_state(block)?.linear_velocity.iter().all(|each| each.abs() < 1e-9));
//! # Ok(())
//! # }
//! ```
//!
//! # Conventions
//!
//! SI units, `f64`, right-handed axes, quaternions `(x, y, z, w)`. Bodies are `a` and `b`; the normal points from a to
//! b; a gap is negative where they overlap; an impulse acts on b, its opposite on a. Every result depends on inputs and
//! handles alone: never on addresses, hash order or time.
//!
//! # Reading order
//!
//! 1. [`world`]: bodies, materials and joints of a world, and how a step advances them. `step.rs` lists the stages of a
//!    step in order.
//! 2. [`solver`]: solves the problem above, from bodies, contacts and rows.
//! 3. [`law`]: sets the bias and the compliance of each contact.
//! 4. [`collide`]: finds the pairs of bodies that may touch, and their contact points.
//! 5. [`contact`]: keeps data of contacts from step to step, such as impulses to start from.
//! 6. [`joint`]: writes the rows of joints.
//! 7. [`body`]: mass, position and velocity of a body, and how it moves in a step.
//! 8. [`tasks`]: runs the work of a step on one thread or on several.
//! 9. [`ffi`]: the C interface. Its header is `include/drystone.h`.
//!
//! `ARCHITECTURE.md` has the layers and the imports that they allow.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod body;
pub mod collide;
pub mod contact;
pub mod error;
pub mod ffi;
pub mod id;
pub mod joint;
pub mod law;
pub mod math;
pub mod query;
pub mod shape;
pub mod solver;
pub mod tasks;
pub mod visit;
#[cfg(feature = "vtk")]
pub mod vtk;
pub mod world;
