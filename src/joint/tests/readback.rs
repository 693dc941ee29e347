use crate::joint::tests::{kinds, samples};
use crate::joint::{JointLoad, JointRow, SideVector, load_across, locked_rows};
use crate::math::Vec3;

/// The load at `pB` makes the same forces and torques about both centres of mass as the rows do.
#[test]
fn the_load_is_that_of_the_rows() {
    let step = 0.25;
    for (kind, locks) in kinds() {
        for sides in samples() {
            let geometry = sides.geometry();
            let rows = locked_rows(&geometry, kind, &locks, [0.4, 0.9]);
            let impulses: Vec<(JointRow, f64)> =
                rows.as_slice().iter().enumerate().map(|(number, row)| (row.row, number as f64 - 1.5)).collect();
            let load = JointLoad::of_rows(&geometry, impulses.iter().copied(), step);
            let sum = |side: fn(&JointRow) -> SideVector| {
                impulses.iter().fold((Vec3::zeros(), Vec3::zeros()), |(force, torque), (row, impulse)| {
                    let SideVector { linear, angular } = side(row);
                    (force + impulse / step * linear, torque + impulse / step * angular)
                })
            };
            for (found, expected) in
                [(load.on_a(&geometry), sum(|row| row.a)), (load.on_b(&geometry), sum(|row| row.b))]
            {
                // Six rows of up to 14 N on arms of up to 2 m.
                assert!((found.linear - expected.0).norm() <= 1e-13, "{kind:?}: {found:?}, not {expected:?}");
                assert!((found.angular - expected.1).norm() <= 1e-13, "{kind:?}: {found:?}, not {expected:?}");
            }
        }
    }
}

#[test]
fn a_force_has_no_torque_about_the_point_where_it_acts() {
    for sides in samples() {
        let geometry = sides.geometry();
        let row = geometry.row_along(&Vec3::new(0.0, 0.6, 0.8));
        let load = JointLoad::of_rows(&geometry, [(row, 0.5)], 0.1);
        assert!((load.force - Vec3::new(0.0, 3.0, 4.0)).norm() <= 1e-15, "{load:?}");
        assert!(load.torque.norm() <= 1e-15, "{load:?}");
        let turning = JointLoad::of_rows(&geometry, [(JointRow::turning(Vec3::x()), 0.5)], 0.1);
        assert_eq!(turning, JointLoad { force: Vec3::zeros(), torque: Vec3::new(5.0, 0.0, 0.0) });
    }
    let geometry = samples()[0].geometry();
    assert_eq!(JointLoad::of_rows(&geometry, [], 0.1), JointLoad::ZERO);
}

#[test]
fn the_load_across_an_axis_has_no_part_along_it() {
    assert_eq!(load_across(&Vec3::new(3.0, 4.0, 100.0), &Vec3::z()), 5.0);
    assert_eq!(load_across(&Vec3::new(0.0, 0.0, -7.0), &Vec3::z()), 0.0);
}
