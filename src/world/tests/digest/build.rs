//! What the scenes are built from.

use std::sync::Arc;

use super::words::Random;
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::error::Result;
use crate::id::Handle;
use crate::shape::Shape;
use crate::tasks::{Serial, Tasks};
use crate::world::{Settings, World};

/// What a host does to its world before each step, whose number counts from 1.
pub(in crate::world::tests) type Act = Box<dyn FnMut(&mut World, usize)>;

/// A world, and what its host does.
pub(in crate::world::tests) struct Scene {
    pub(in crate::world::tests) world: World,
    /// [s]
    pub(in crate::world::tests) step: f64,
    pub(in crate::world::tests) steps: usize,
    pub(in crate::world::tests) act: Act,
}

/// A world that is being built. Lengths in metres, gravity along -z.
pub(super) struct Builder {
    pub(super) world: World,
    pub(super) random: Random,
    /// Of the bodies that are added next.
    pub(super) material: Handle,
}

impl Builder {
    pub(super) fn new(settings: Settings, seed: u64) -> Self {
        Self::with_tasks(settings, seed, Arc::new(Serial))
    }

    pub(super) fn with_tasks(settings: Settings, seed: u64, tasks: Arc<dyn Tasks>) -> Self {
        let world = World::with_tasks(settings, [0.0, 0.0, -9.81], tasks).expect("settings");
        Self { world, random: Random(seed), material: Handle::NULL }
    }

    pub(super) fn material(&mut self, material: Material) -> Handle {
        self.material = self.world.add_material(material).expect("a material");
        self.material
    }

    pub(super) fn shape(&mut self, shape: Result<Shape>) -> Handle {
        self.world.add_shape(shape.expect("a shape")).expect("memory")
    }

    /// A convex body with corners about `radius` from its origin, none of it symmetric.
    pub(super) fn hull(&mut self, corners: usize, radius: f64) -> Handle {
        let random = &mut self.random;
        let mut corner = || random.unit().map(|x: f64| radius * random.between(0.8, 1.0) * x);
        let points: Vec<[f64; 3]> = (0..corners).map(|_| corner()).collect();
        self.shape(Shape::hull(&points))
    }

    /// Rough ground of two triangles for each of `cells` by `cells` squares of this `size`, about z = 0.
    pub(super) fn ground(&mut self, cells: u32, size: f64, height: f64) -> Handle {
        let middle = 0.5 * f64::from(cells);
        let mut points = Vec::new();
        for row in 0..=cells {
            for column in 0..=cells {
                let [x, y] = [column, row].map(|place| size * (f64::from(place) - middle));
                points.push([x, y, self.random.between(-height, height)]);
            }
        }
        let corner = |row: u32, column: u32| row * (cells + 1) + column;
        let squares = (0..cells).flat_map(|row| (0..cells).map(move |column| [row, column]));
        let triangles: Vec<[u32; 3]> = squares
            .flat_map(|[row, column]| {
                let [a, b] = [corner(row, column), corner(row, column + 1)];
                let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
                [[a, b, d], [a, d, c]]
            })
            .collect();
        self.shape(Shape::mesh(&points, &triangles))
    }

    /// A body of this shape at rest.
    pub(super) fn at(&self, shape: Handle, position: [f64; 3]) -> Definition {
        Definition { shape, position, material: self.material, ..Definition::default() }
    }

    pub(super) fn add(&mut self, definition: &Definition) -> Handle {
        self.world.add_body(definition).expect("a body")
    }

    pub(super) fn fixed(&mut self, shape: Handle, position: [f64; 3]) -> Handle {
        self.add(&Definition { kind: Kind::Static, ..self.at(shape, position) })
    }

    /// The half-space below z = 0.
    pub(super) fn floor(&mut self) -> Handle {
        let plane = self.shape(Shape::half_space([0.0, 0.0, 1.0], 0.0));
        self.fixed(plane, [0.0; 3])
    }

    /// Four walls about the origin, this far from it.
    pub(super) fn walls(&mut self, distance: f64) {
        let [thick, high] = [0.1, 2.0];
        let across = self.shape(Shape::cuboid([thick, distance + 2.0 * thick, high]));
        let along = self.shape(Shape::cuboid([distance, thick, high]));
        let reach = distance + thick;
        for [x, y] in [[-reach, 0.0], [reach, 0.0]] {
            self.fixed(across, [x, y, 0.5 * high]);
        }
        for [x, y] in [[0.0, -reach], [0.0, reach]] {
            self.fixed(along, [x, y, 0.5 * high]);
        }
    }

    /// Bodies on a jittered lattice with this `spacing`, its lowest layer about `base`. The shapes alternate.
    pub(super) fn heap(&mut self, shapes: &[Handle], counts: [usize; 3], spacing: f64, base: [f64; 3]) -> Vec<Handle> {
        let mut bodies = Vec::new();
        for layer in 0..counts[2] {
            for row in 0..counts[1] {
                for column in 0..counts[0] {
                    let place = [column, row, layer].map(|place| spacing * place as f64);
                    let centred: [f64; 3] = std::array::from_fn(|axis| {
                        let middle = if axis < 2 { 0.5 * spacing * (counts[axis] - 1) as f64 } else { 0.0 };
                        base[axis] + place[axis] - middle + self.random.between(-0.03, 0.03) * spacing
                    });
                    let rotation = self.random.unit();
                    let shape = shapes[bodies.len() % shapes.len()];
                    let definition = Definition { rotation, ..self.at(shape, centred) };
                    bodies.push(self.add(&definition));
                }
            }
        }
        bodies
    }

    pub(super) fn scene(self, step: f64, steps: usize) -> Scene {
        self.acting(step, steps, |_, _| ())
    }

    pub(super) fn acting(self, step: f64, steps: usize, act: impl FnMut(&mut World, usize) + 'static) -> Scene {
        Scene { world: self.world, step, steps, act: Box::new(act) }
    }
}

/// Two threads, where the library has any.
pub(super) fn two_threads() -> Arc<dyn Tasks> {
    #[cfg(feature = "threads")]
    return Arc::new(crate::tasks::Pool::new(2, || true).expect("threads"));
    #[cfg(not(feature = "threads"))]
    Arc::new(Serial)
}
