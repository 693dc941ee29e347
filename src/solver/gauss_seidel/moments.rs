//! The impulses of contacts on their bodies, and the moments of these.

use crate::math::lanes::{Kernel, Lanes, Level, LineIndex, Lines, Vec3s, WIDE, Wide, dispatch, put, take};
use crate::math::{BodyRow, ContactId};
use crate::solver::problem::lane_contacts::{LaneContacts, occupied};
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, Velocity};

/// Calls `work` for the contacts of some batches, one by one, with the place of each among all lanes, its bodies, its impulse on them, and the
/// moment of that about their centres of mass. `contact` returns the contact of a number.
#[inline]
pub(in crate::solver) fn each_on_bodies(
    batches: &[LaneContacts],
    contact: impl Fn(ContactId) -> Contact,
    impulse: impl Fn(ContactId) -> ImpulsiveWrench,
    mut work: impl FnMut(usize, [BodyRow; 2], [Velocity; 2]),
) {
    let mut on = OnBodies { impulse: [ZERO; 3], moments: [[ZERO; 3]; 2] };
    for (at, lanes) in batches.iter().enumerate() {
        let (mut geometry, mut bodies) = (Geometry::NONE, [[BodyRow(0); 2]; WIDE]);
        // Impulse and torque of each contact, a line.
        let mut impulses = [ZERO; WIDE];
        for (lane, number) in occupied(lanes) {
            let Contact { body_a, body_b, normal, arm_a, arm_b, .. } = contact(number);
            put(&mut geometry.normal, lane, &normal);
            put(&mut geometry.arms[0], lane, &arm_a);
            put(&mut geometry.arms[1], lane, &arm_b);
            bodies[lane] = [body_a, body_b];
            let ImpulsiveWrench { force: Impulse { normal, tangential: t }, torque } = impulse(number);
            impulses[lane] = Wide([normal, t.x, t.y, t.z, torque.x, torque.y, torque.z, 0.0]);
        }
        dispatch(Level::best(), Moments { geometry: &geometry, impulses: &impulses, on: &mut on });
        for (lane, _) in occupied(lanes) {
            let linear = take(&on.impulse, lane);
            let on_bodies = [
                Velocity { linear: -linear, angular: take(&on.moments[0], lane) },
                Velocity { linear, angular: take(&on.moments[1], lane) },
            ];
            work(WIDE * at + lane, bodies[lane], on_bodies);
        }
    }
}

const ZERO: Wide = Wide::splat(0.0);

/// The impulses of the contacts of a batch on bodies b, and their moments about the centres of mass of a and b, with the torques.
struct OnBodies {
    impulse: [Wide; 3],
    moments: [[Wide; 3]; 2],
}

/// Normals and arms of the contacts of a batch.
struct Geometry {
    normal: [Wide; 3],
    arms: [[Wide; 3]; 2],
}

impl Geometry {
    const NONE: Self = Self { normal: [ZERO; 3], arms: [[ZERO; 3]; 2] };
}

/// Computes the impulses and moments of a batch.
struct Moments<'a> {
    geometry: &'a Geometry,
    impulses: &'a [Wide; WIDE],
    on: &'a mut OnBodies,
}

impl Kernel for Moments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { geometry, impulses, on } = self;
        let (lines, places) = (Lines::read_only(impulses), &LineIndex::FIRST);
        let mut first = 0;
        while first < WIDE {
            let [along, x, y, z, torque_x, torque_y, torque_z, _] = L::gather(lines, places, first);
            let torque = Vec3s::new(torque_x, torque_y, torque_z);
            let vector = Vec3s::load(&geometry.normal, first) * along + Vec3s::new(x, y, z);
            vector.store(&mut on.impulse, first);
            (-(Vec3s::load(&geometry.arms[0], first).cross(vector) + torque)).store(&mut on.moments[0], first);
            (Vec3s::load(&geometry.arms[1], first).cross(vector) + torque).store(&mut on.moments[1], first);
            first += L::WIDTH;
        }
    }
}
