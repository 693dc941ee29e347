//! Contacts as lines: force chains.

use crate::body::Kind;
use crate::error::Result;
use crate::math::Vec3;
use crate::query::{StepImpulses, contact_report};
use crate::vtk::{Array, Cells, Dataset, Geometry, NumberType};
use crate::world::sleep::StepContact;
use crate::world::state::World;

/// Returns a line for each contact: from centre to centre, and on the side of a body that is not dynamic to the contact point.
pub(super) fn dataset(world: &World) -> Result<Dataset> {
    let count = world.contact_count();
    let mut points = Array::floats("Points", 3, 2 * count)?;
    let mut lines = Cells::new(count, 2)?;
    let integers = |name| Array::new(name, NumberType::UInt64, 1, count);
    let mut names = [integers("key")?, integers("body_a")?, integers("body_b")?, integers("state")?];
    let numbers = |name| Array::floats(name, 1, count);
    let mut scalars = [numbers("gap")?, numbers("normal_force")?, numbers("compatible_normal_force")?];
    let triples = |name| Array::floats(name, 3, count);
    let mut vectors = [
        triples("point")?,
        triples("normal")?,
        triples("friction_force")?,
        triples("compatible_friction_force")?,
        triples("rolling_torque")?,
        triples("relative_velocity")?,
        triples("impact_force")?,
    ];
    for (number, contact) in world.live_contacts().enumerate() {
        let StepContact { touch, load, total, impact, step, .. } = &contact;
        for (slot, arm) in [(touch.body_a, &touch.geometry.arm_a), (touch.body_b, &touch.geometry.arm_b)] {
            let is_dynamic = world.bodies.traits[slot as usize].kind == Kind::Dynamic;
            let end = touch.geometry.point - if is_dynamic { *arm } else { Vec3::zeros() };
            points.add(end.as_slice())?;
        }
        lines.add([2 * number as u64, 2 * number as u64 + 1])?;
        let report = contact_report(
            touch,
            load,
            StepImpulses { total: *total, impact: *impact },
            &world.bodies.registry,
            *step,
            world.settings.tolerance,
        );
        let values = [report.key, report.body_a.0, report.body_b.0, u64::from(report.state)];
        names.iter_mut().zip(values).try_for_each(|(array, value)| array.add_integer(value))?;
        let values = [report.gap, report.normal_force, report.compatible_normal_force];
        scalars.iter_mut().zip(values).try_for_each(|(array, value)| array.add(&[value]))?;
        let values = [
            report.point,
            report.normal,
            report.friction_force,
            report.compatible_friction_force,
            report.rolling_torque,
            report.relative_velocity,
            report.impact_force,
        ];
        vectors.iter_mut().zip(values).try_for_each(|(array, value)| array.add(&value))?;
    }
    let geometry = Geometry::Poly { points, vertices: Cells::new(0, 0)?, lines, polygons: Cells::new(0, 0)? };
    let cell_data = names.into_iter().chain(scalars).chain(vectors).collect();
    Ok(Dataset { geometry, point_data: Vec::new(), cell_data })
}
