use super::{contact_list, point, points};
use crate::contact::{ContactGeometry, ContactList, ContactRecord, FrictionFrame, Marks};
use crate::math::{Vec3, turned_by};

#[test]
fn the_pair_is_body_a_then_body_b() {
    for found in [ContactRecord::of_balls((3, 7)), ContactRecord::at((3, 7), 5)] {
        assert_eq!((found.pair(), found.pair_key(), found.key), ((3, 7), 3 << 32 | 7, 0));
        let known = ContactRecord { key: 9, ..found };
        assert_eq!((known.key, known.pair(), known.geometry_index()), (9, found.pair(), found.geometry_index()));
    }
    assert_eq!(
        (ContactRecord::of_balls((3, 7)).geometry_index(), ContactRecord::at((3, 7), 5).geometry_index()),
        (None, Some(5))
    );
}

#[test]
fn what_is_kept_of_a_contact_stays_small() {
    // Every contact is written and read several times in a step, and kept of two steps.
    assert_eq!(size_of::<ContactRecord>(), 20);
    assert!(size_of::<ContactGeometry>() <= 152, "{}", size_of::<ContactGeometry>());
    assert_eq!(size_of::<Marks>(), 1);
}

/// Contacts of balls, and others between them.
fn mixed() -> ContactList {
    let (others, mut all) =
        (contact_list(&[point(0, 2, 7, 1.0), point(0, 2, 8, 2.0), point(1, 3, 9, 3.0)]), ContactList::default());
    let geometries = others.geometries.iter().map(Some);
    let list = [None].into_iter().chain(geometries).chain([None]);
    for (key, geometry) in (1..).zip(list) {
        all.push((key as u32, 10), key, geometry);
    }
    all
}

#[test]
fn a_contact_of_balls_has_no_geometry() {
    let all = mixed();
    let geometries: Vec<_> = all.records.iter().map(ContactRecord::geometry_index).collect();
    assert_eq!(geometries, [None, Some(0), Some(1), Some(2), None]);
    assert_eq!(all.records.iter().map(|found| found.feature(&all.geometries)).collect::<Vec<_>>(), [1, 7, 8, 9, 1]);
    assert_eq!((all.len(), all.is_empty(), all.geometries.len()), (5, false, 3));
}

#[test]
fn what_is_kept_keeps_its_geometry() {
    for kept in 0..32_u32 {
        let (before, mut all) = (points(&mixed()), mixed());
        let stays = |key: u64| kept >> (key - 1) & 1 > 0;
        all.retain(|found| stays(found.key));
        let expected: Vec<_> = before.iter().filter(|point| stays(point.key)).collect();
        let left = points(&all);
        assert_eq!((left.len(), all.len()), (expected.len(), expected.len()));
        for (left, expected) in left.iter().zip(expected) {
            assert_eq!((left.pair, left.key, left.feature), (expected.pair, expected.key, expected.feature));
        }
        let geometries = all.records.iter().filter(|found| found.geometry_index().is_some()).count();
        assert_eq!(all.geometries.len(), geometries);
    }
}

#[test]
fn there_is_room_for_as_many_as_a_step_has() {
    let mut all = mixed();
    for (contacts, geometries) in [(2, 1), (9, 4), (0, 0)] {
        all.begin(contacts, geometries).expect("memory");
        assert_eq!((all.len(), all.geometries.len()), (contacts, geometries));
    }
    all.clear(3).expect("memory");
    assert!(all.is_empty() && all.records.capacity() >= 3 && all.geometries.capacity() >= 3);
}

/// A pair turns as one body by a right angle in 90 steps, about an axis that is oblique to the normal.
#[test]
fn friction_turns_with_its_pair_and_keeps_its_length() {
    let (step, axis) = (1.0_f64.to_radians(), Vec3::new(2.0, -1.0, 2.0) / 3.0);
    let (mut normal, mut exact) = (Vec3::new(0.0, 0.6, 0.8), Vec3::new(0.5, -0.8, 0.6));
    let mut friction = exact;
    let length = friction.norm();
    for _ in 0..90 {
        let frame = FrictionFrame { normal, twist: step * axis.dot(&normal) };
        let turn = turned_by(&(step * axis));
        (normal, exact) = (turn * normal, turn * exact);
        friction = frame.turned(&friction, &normal);
        // rounding of 90 steps
        assert!((friction.norm() - length).abs() < 1e-14 && friction.dot(&normal).abs() < 1e-15);
    }
    // of second order in the angle of a step
    let off = (friction - exact).norm() / length;
    assert!(off < 2e-5, "{off}");
}

#[test]
fn friction_without_a_frame_stays_in_the_tangent_plane() {
    let friction = FrictionFrame::default().turned(&Vec3::new(3.0, 0.0, 4.0), &Vec3::z());
    assert_eq!(friction, Vec3::new(5.0, 0.0, 0.0));
    assert_eq!(FrictionFrame::default().turned(&Vec3::zeros(), &Vec3::z()), Vec3::zeros());
    let over = FrictionFrame { normal: -Vec3::z(), twist: 0.0 };
    assert_eq!(over.turned(&Vec3::x(), &Vec3::z()), Vec3::x());
}
