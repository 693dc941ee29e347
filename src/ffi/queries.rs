//! Queries about the last completed step.

use crate::id::Handle;
use crate::world::ContactReport;

use super::guard;
use super::handle::{self, dry_body, dry_world};
use super::status_code::dry_status;
use super::structure::{self, recorded, same_members};

/// dry_contact.state: the contact carries impulse.
pub const DRY_CONTACT_ACTIVE: u32 = 1u32;
/// dry_contact.state: it slides, its friction on the cone. An active contact that does not slide sticks.
pub const DRY_CONTACT_SLIDING: u32 = 2u32;
/// dry_contact.state: it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
/// materials resist rolling or twisting.
pub const DRY_CONTACT_ROLLING: u32 = 4u32;
/// dry_contact.state: the step before did not have it.
pub const DRY_CONTACT_NEW: u32 = 8u32;

/// A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.
///
/// The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world axes;
/// body_a receives the opposite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_contact {
    /// The first body.
    pub body_a: dry_body,
    /// The second body.
    pub body_b: dry_body,
    /// The same contact keeps its key from step to step.
    pub key: u64,
    /// At the start of the step, world axes [m].
    pub point: [f64; 3],
    /// At the start of the step, from body_a to body_b, unit [-].
    pub normal: [f64; 3],
    /// At the start of the step; below 0: overlap [m].
    pub gap: f64,
    /// Along the normal, 0 or above [N].
    pub normal_force: f64,
    /// Across the normal [N].
    pub friction_force: [f64; 3],
    /// Rolling resistance across the normal and twisting resistance along it, without the moments of the forces
    /// above; 0 between two flat places [N m].
    pub rolling_torque: [f64; 3],
    /// After the compatibility correction; equal to normal_force while that is off [N].
    pub compatible_normal_force: f64,
    /// After the compatibility correction; equal to friction_force while that is off [N].
    pub compatible_friction_force: [f64; 3],
    /// Of body_b with respect to body_a at the contact, at the end of the step [m/s]. If bodies turn or their
    /// surfaces move, the tangential part is relative to the velocity that keeps the points of the surfaces together
    /// over the step. It is 0 where the contact sticks. In a strained box it is the velocity of the image that touches.
    pub relative_velocity: [f64; 3],
    /// The pair's coefficient [-].
    pub friction: f64,
    /// Of the compatibility correction, relative to other contacts.
    pub stiffness: f64,
    /// DRY_CONTACT_ bits.
    pub state: u32,
    /// Always 0.
    pub reserved: u32,
    /// The part of normal_force and friction_force that the impact stages of the step gave, world axes [N]. It is their
    /// impulse over the length of the step. 0 where nothing was struck: only DRY_METHOD_SPOOK has impact stages. The
    /// force after the impacts is normal_force * normal + friction_force - impact_force.
    pub impact_force: [f64; 3],
}

recorded!(dry_contact, impact_force);

impl From<ContactReport> for dry_contact {
    fn from(contact: ContactReport) -> Self {
        same_members! { contact {
            key, point, normal, gap, normal_force, friction_force, rolling_torque, compatible_normal_force,
            compatible_friction_force, relative_velocity, friction, stiffness, state, impact_force,
        } into Self { body_a: contact.body_a.0, body_b: contact.body_b.0, reserved: 0 } }
    }
}

/// Lists the contacts of the last step, those that carry nothing included. Before the first step there are none.
///
/// contacts: receives them if there is room for all. With NULL and capacity 0 the call returns the number alone.
///
/// contact_size: sizeof(dry_contact) as the caller was compiled, the distance in bytes from one to the next.
/// capacity: contacts that there is room for. Too few: DRY_ERR_CAPACITY, and only count is written.
/// count: receives the number of contacts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_contacts(
    world: *const dry_world,
    contacts: *mut dry_contact,
    contact_size: usize,
    capacity: usize,
    count: *mut usize,
) -> dry_status {
    guard::run("dry_query_contacts", || {
        // SAFETY: the host gives room for `capacity` contacts, and a place for a number.
        let (world, buffer) = unsafe {
            let world = handle::of(world)?;
            structure::known_size::<dry_contact>("contact_size", contact_size)?;
            (world, guard::buffer("contacts", contacts, contact_size, capacity, count)?)
        };
        world.read(|world| buffer.fill("contacts", world.contact_count(), world.contacts().map(dry_contact::from)))
    })
}

/// Adds up the contact forces on a body in the last step, world axes. Their sum over all bodies is zero. The forces of
/// joints are those of dry_query_body_joint_force.
///
/// force: receives the force, averaged over the step [N].
///
/// torque: receives the torque about the body's centre of mass at the start of the step [N m]. It includes rolling
/// and twisting resistance.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[force; 3], [torque; 3]]
pub unsafe extern "C" fn dry_query_body_force(
    world: *const dry_world,
    body: dry_body,
    force: *mut f64,
    torque: *mut f64,
) -> dry_status {
    guard::run("dry_query_body_force", || {
        // SAFETY: the host gives places for three numbers each.
        let (world, force, torque) = unsafe {
            (handle::of(world)?, guard::output_numbers("force", force)?, guard::output_numbers("torque", torque)?)
        };
        world.read(|world| world.body_force(Handle(body))).map(|answer| {
            force.write(answer.0);
            torque.write(answer.1);
        })
    })
}

/// Reads the energy of a world as it is now.
///
/// kinetic: receives that of all moving bodies [J]; infinite for speeds whose square is beyond the largest number.
/// potential: receives that of their weight, relative to the world's origin [J].
///
/// DRY_ERR_NOT_FINITE: the potential energy is beyond the largest number, or no number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_query_energy(
    world: *const dry_world,
    kinetic: *mut f64,
    potential: *mut f64,
) -> dry_status {
    guard::run("dry_query_energy", || {
        // SAFETY: the host gives places for two numbers.
        let (world, kinetic, potential) =
            unsafe { (handle::of(world)?, guard::output("kinetic", kinetic)?, guard::output("potential", potential)?) };
        let (kinetic_now, potential_now) = world.read(|world| world.energy())?;
        kinetic.write(kinetic_now);
        potential.write(potential_now);
        Ok(())
    })
}

/// Averages the stress that contacts carry in a box. It is -1/V times the sum of l (x) f over the contacts of the
/// last step whose points lie in the box. V is the volume of the box. Tension is positive: compression gives a
/// negative normal stress. The stress is zero where there is no contact, and before the first step. Contacts of
/// removed bodies are omitted.
///
/// f is the force on body b in world axes, averaged over the step: compatible normal force and compatible friction.
/// While the correction is off, both are those of the solver. Rolling and twisting torques are not part of it.
///
/// The vector l is the branch vector from the centre of mass of a to that of b, at the start of the step. The centre
/// of a wall has no meaning for the grains next to it. On the side of a static or kinematic body the branch therefore
/// ends at the contact point. For a packing at rest whose bodies have no weight, the mean is thus 1/V times the sum
/// of x (x) t. Here t are the forces that walls exert on it at the points x. A dynamic body counts from its centre of
/// mass, also with locked components.
///
/// A point on a lower face of the box is in it, one on an upper face is not: boxes side by side count each contact
/// once.
///
/// In a periodic world (dry_world_def.period) every image of a contact that lies in the box counts: a box of one
/// period has each contact once.
///
/// lower, upper: corners of the box, world axes, lower < upper in every component [m]. The call is DRY_ERR_ARGUMENT
/// if they are not, or if the volume overflows or underflows. It is DRY_ERR_NOT_FINITE if a corner is not finite, or
/// if the stress is too large for a double.
///
/// stress: receives the tensor, row major: stress[3 * i + j] is -1/V times the sum of l_i f_j [Pa].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[lower; 3], [upper; 3], [stress; 9]]
pub unsafe extern "C" fn dry_query_stress(
    world: *const dry_world,
    lower: *const f64,
    upper: *const f64,
    stress: *mut f64,
) -> dry_status {
    guard::run("dry_query_stress", || {
        // SAFETY: the host gives three numbers for each corner, and a place for nine.
        let (world, lower, upper, stress) = unsafe {
            (
                handle::of(world)?,
                guard::numbers("lower", lower)?,
                guard::numbers("upper", upper)?,
                guard::output_numbers("stress", stress)?,
            )
        };
        world.read(|world| world.stress(lower, upper)).map(|answer| stress.write(answer))
    })
}
