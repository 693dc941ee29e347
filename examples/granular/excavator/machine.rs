//! An excavator: carriage, boom, stick, bucket and three cylinders of two bodies each, with hinges, sliders and four servos.

use drystone::body::Definition;
use drystone::error::Result;
use drystone::id::Handle;
use drystone::joint::{JointAxis, JointDefinition, JointKind, MotorMode};
use drystone::shape::Shape;
use drystone::world::{JointRequest, JointTarget, World};

use super::plane::{Angles, Arm, BOOM, BUCKET, Pins, Point, STICK, along, angle, distance, placed, table};

/// Masses of a machine of 50 t [kg].
const CARRIAGE: f64 = 36_000.0;
const OF_BOOM: f64 = 6000.0;
const OF_STICK: f64 = 3000.0;
/// Of back, floor and both sides of the bucket.
const OF_BUCKET: [f64; 4] = [600.0, 600.0, 400.0, 400.0];
/// Of the barrel and of the rod of each cylinder.
const OF_CYLINDER: [f64; 2] = [600.0, 400.0];
/// Of the cylinders of boom, stick and bucket, and of the swing [N], [N m].
const FORCES: [f64; 4] = [2.0e6, 1.5e6, 1.0e6, 3.0e6];
/// A cylinder is no faster [m/s], nor the swing [rad/s].
const FASTEST: [f64; 2] = [3.0, 2.5];
/// Of the bucket [m].
const WIDTH: f64 = 1.2;
/// Of its plates [m].
const PLATE: f64 = 0.06;
/// Where the back of the bucket ends, along the way from its pin to its tip and outwards [m].
const HEEL: Point = [0.45, 0.75];
/// The machine meets grains with its bucket alone.
pub(crate) const GRAIN: u32 = 1;
pub(crate) const WALL: u32 = 2;
const MACHINE: u32 = 4;

/// An axis with a servo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Servo {
    pub(crate) joint: Handle,
    /// The axis of the joint.
    pub(crate) index: usize,
    /// Its position by the table where the joint says 0 [m] or [rad].
    zero: f64,
    fastest: f64,
}

/// The machine in its world.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) arm: Arm,
    pub(crate) bodies: Vec<Handle>,
    /// Of boom, stick, bucket and swing.
    pub(crate) servos: [Servo; 4],
    /// The floor of the bucket, and the tip of the bucket in its axes [m].
    floor: Handle,
    tip: [f64; 3],
}

/// Adds the parts of a machine to a world.
struct Builder<'a> {
    world: &'a mut World,
    arm: Arm,
    material: Handle,
    bodies: Vec<Handle>,
}

impl Machine {
    /// Adds a machine at the start of its table.
    pub(crate) fn new(world: &mut World, material: Handle, arm: Arm) -> Result<Self> {
        let angles = table(0.0);
        let pins = arm.pins(&angles);
        let mut builder = Builder { world, arm, material, bodies: Vec::new() };
        let links = builder.links(&angles, &pins)?;
        let bucket = builder.bucket(&angles, &pins)?;
        let [carriage, boom, stick] = links;
        let swing = builder.swing(carriage)?;
        for (pair, pin) in
            [([carriage, boom], pins.boom), ([boom, stick], pins.stick), ([stick, bucket[1]], pins.bucket)]
        {
            builder.hinge(pair, pin)?;
        }
        let mut cylinders = [swing; 3];
        let ends = [[carriage, boom], [boom, stick], [stick, bucket[1]]];
        for (at, (cylinder, ends)) in cylinders.iter_mut().zip(ends).enumerate() {
            *cylinder = builder.cylinder(ends, pins.cylinders[at], FORCES[at])?;
        }
        let Builder { bodies, .. } = builder;
        let third = angles.boom + angles.stick + angles.bucket;
        let tip = arm.scale * BUCKET;
        // The floor of the bucket has the axes of the arm, and its origin at the pin.
        let [x, z] = placed([0.0; 2], third, [tip, 0.0]);
        let servos = [cylinders[0], cylinders[1], cylinders[2], swing];
        Ok(Self { arm, bodies, servos, floor: bucket[1], tip: [x, 0.0, z] })
    }

    /// Sets the speeds by which all axes come to the table at the end of a step of length `h`, which ends at `time`.
    pub(crate) fn steer(&self, world: &mut World, time: f64, h: f64) -> Result<()> {
        let angles = table(time);
        let [boom, stick, bucket] = self.arm.lengths(&angles);
        let mut targets = Vec::with_capacity(4);
        for (servo, wanted) in self.servos.iter().zip([boom, stick, bucket, angles.swing]) {
            let now = servo.zero + world.joint_state(servo.joint)?.position[servo.index];
            let speed = ((wanted - now) / h).clamp(-servo.fastest, servo.fastest);
            targets.push(JointTarget { joint: servo.joint, index: servo.index, position: None, velocity: Some(speed) });
        }
        world.set_joint_targets(&targets)
    }

    /// Returns the forces of the servos in the last step [N], [N m].
    pub(crate) fn forces(&self, world: &World) -> Result<[f64; 4]> {
        let mut forces = [0.0; 4];
        for (force, servo) in forces.iter_mut().zip(&self.servos) {
            *force = world.joint_state(servo.joint)?.motor_force[servo.index];
        }
        Ok(forces)
    }

    /// Returns where the tip of the bucket is [m].
    pub(crate) fn tip(&self, world: &World) -> Result<[f64; 3]> {
        let state = world.body_state(self.floor)?;
        let turned = rotate(state.rotation, self.tip);
        Ok([0, 1, 2].map(|axis| state.position[axis] + turned[axis]))
    }
}

impl Builder<'_> {
    /// Returns the point of the plane in the world, before any swing.
    fn at(&self, point: Point) -> [f64; 3] {
        self.arm.world(point, 0.0)
    }

    fn add(&mut self, definition: &Definition) -> Result<Handle> {
        let definition = Definition { material: self.material, filter_category: MACHINE, ..*definition };
        let body = self.world.add_body(&definition)?;
        self.bodies.push(body);
        Ok(body)
    }

    /// Adds a beam from one point to another that meets nothing.
    fn beam(&mut self, from: Point, to: Point, [mass, thick]: [f64; 2]) -> Result<Handle> {
        let s = self.arm.scale;
        let half = 0.5 * distance(from, to);
        let shape = self.world.add_shape(Shape::cuboid([half, 0.5 * s * thick, 0.5 * s * thick])?)?;
        let angle = angle(from, to);
        let position = self.at(along(from, angle, half));
        let rotation = [0.0, -(0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
        self.add(&Definition {
            shape,
            position,
            rotation,
            mass: s * s * s * mass,
            filter_mask: 0,
            ..Definition::default()
        })
    }

    /// Adds carriage, boom and stick.
    fn links(&mut self, angles: &Angles, pins: &Pins) -> Result<[Handle; 3]> {
        let s = self.arm.scale;
        let carriage = self.beam([-3.0 * s, 1.0 * s], [1.0 * s, 1.0 * s], [CARRIAGE, 2.0])?;
        let boom = self.beam(pins.boom, along(pins.boom, angles.boom, s * BOOM), [OF_BOOM, 0.6])?;
        let second = angles.boom + angles.stick;
        let back = along(pins.stick, second, -0.8 * s);
        let stick = self.beam(back, along(pins.stick, second, s * STICK), [OF_STICK, 0.45])?;
        Ok([carriage, boom, stick])
    }

    /// Adds the bucket: back, floor and sides, welded together. Meshes cannot move by forces, and a hull is full.
    fn bucket(&mut self, angles: &Angles, pins: &Pins) -> Result<[Handle; 4]> {
        let s = self.arm.scale;
        let third = angles.boom + angles.stick + angles.bucket;
        let (half, thick) = (0.5 * WIDTH * s, PLATE * s);
        let [pin, heel, tip] = [[0.0; 2], HEEL, [BUCKET, 0.0]].map(|[x, z]: Point| [s * x, s * z]);
        let plate = |from: Point, to: Point| {
            let outwards = angle(from, to) + 0.5 * std::f64::consts::PI;
            vec![from, to, along(to, outwards, thick), along(from, outwards, thick)]
        };
        let sides = vec![pin, heel, tip];
        let parts = [
            (plate(pin, heel), [-half, half]),
            (plate(heel, tip), [-half, half]),
            (sides.clone(), [-half - thick, -half]),
            (sides, [half, half + thick]),
        ];
        let mut plates = [Handle::NULL; 4];
        for ((plate, (profile, across)), mass) in plates.iter_mut().zip(parts).zip(OF_BUCKET) {
            let outline: Vec<Point> = profile.into_iter().map(|local| placed([0.0; 2], third, local)).collect();
            *plate = self.prism(&outline, across, pins.bucket, s * s * s * mass)?;
        }
        for other in [plates[0], plates[2], plates[3]] {
            let definition = JointDefinition::new(JointKind::Fixed);
            self.joint(
                definition,
                [JointAxis::new(JointKind::Fixed); 6],
                [plates[1], other],
                pins.bucket,
                [0.0, -1.0, 0.0],
            )?;
        }
        Ok(plates)
    }

    /// Adds a prism across the plane, whose outline is given from `pin`. It meets grains.
    fn prism(&mut self, outline: &[Point], across: [f64; 2], pin: Point, mass: f64) -> Result<Handle> {
        let points: Vec<[f64; 3]> = outline.iter().flat_map(|[x, z]| across.map(|y| [*x, y, *z])).collect();
        let hull = Shape::hull(&points)?;
        let solid =
            hull.mass_properties().map(|solid| (solid.center.into(), solid.inertia.scaled(mass / solid.volume)));
        let (center_of_mass, inertia) =
            solid.map_or(([0.0; 3], [0.0; 6]), |(center, inertia)| (center, inertia.entries));
        let shape = self.world.add_shape(hull)?;
        let position = self.at(pin);
        self.add(&Definition {
            shape,
            position,
            mass,
            center_of_mass,
            inertia,
            filter_mask: GRAIN,
            ..Definition::default()
        })
    }

    fn joint(
        &mut self,
        mut definition: JointDefinition,
        axes: [JointAxis; 6],
        bodies: [Handle; 2],
        point: Point,
        axis: [f64; 3],
    ) -> Result<Handle> {
        let point = self.at(point);
        self.world.place_joint(&mut definition, bodies, &point, &axis, None)?;
        let [body_a, body_b] = bodies;
        self.world.add_joint(&JointRequest { definition, axes, body_a, body_b, user_data: 0 })
    }

    fn hinge(&mut self, bodies: [Handle; 2], pin: Point) -> Result<Handle> {
        let kind = JointKind::Hinge;
        self.joint(JointDefinition::new(kind), [JointAxis::new(kind); 6], bodies, pin, [0.0, -1.0, 0.0])
    }

    /// Returns an axis whose motor has a force up to `most`.
    fn driven(kind: JointKind, most: f64) -> JointAxis {
        JointAxis { motor: MotorMode::Velocity, force_lower: -most, force_upper: most, ..JointAxis::new(kind) }
    }

    fn swing(&mut self, carriage: Handle) -> Result<Servo> {
        let kind = JointKind::Hinge;
        let mut axes = [JointAxis::new(kind); 6];
        axes[5] = Self::driven(kind, FORCES[3] * self.arm.scale.powi(4));
        let joint =
            self.joint(JointDefinition::new(kind), axes, [Handle::NULL, carriage], [0.0; 2], [0.0, 0.0, 1.0])?;
        Ok(Servo { joint, index: 5, zero: 0.0, fastest: FASTEST[1] })
    }

    /// Adds a cylinder between points of two bodies.
    fn cylinder(&mut self, ends: [Handle; 2], [from, to]: [Point; 2], most: f64) -> Result<Servo> {
        let s = self.arm.scale;
        let (length, turn) = (distance(from, to), angle(from, to));
        let barrel = self.beam(from, along(from, turn, 0.6 * length), [OF_CYLINDER[0], 0.25])?;
        let rod = self.beam(along(from, turn, 0.4 * length), to, [OF_CYLINDER[1], 0.15])?;
        self.hinge([ends[0], barrel], from)?;
        self.hinge([rod, ends[1]], to)?;
        let kind = JointKind::Slider;
        let mut axes = [JointAxis::new(kind); 6];
        axes[2] = Self::driven(kind, most * s * s * s);
        let [x, z] = along([0.0; 2], turn, 1.0);
        let joint = self.joint(JointDefinition::new(kind), axes, [barrel, rod], from, [x, 0.0, z])?;
        Ok(Servo { joint, index: 2, zero: length, fastest: FASTEST[0] * s })
    }
}

/// Turns a vector by a quaternion (x, y, z, w).
pub(crate) fn rotate([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let twice = cross([x, y, z], v).map(|one| 2.0 * one);
    let more = cross([x, y, z], twice);
    [0, 1, 2].map(|axis| v[axis] + w * twice[axis] + more[axis])
}
