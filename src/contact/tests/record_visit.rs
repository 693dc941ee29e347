use crate::contact::{
    ContactGeometry, ContactList, ContactRecord, ContactState, ContactView, FrictionFrame, ImpulseCache, Marks, Memory,
    Surface,
};
use crate::math::lanes::WIDE;
use crate::math::{Impulse, ImpulsiveWrench, LaneSlot, PointX8, Vec3};
use crate::visit::tests::{every_change_shows, members, words};

/// Two contacts, in lanes 1 and 0 of a batch.
fn memory() -> Memory {
    let mut memory = Memory::new();
    memory.contact_list.records = vec![
        ContactRecord { key: 1, ..ContactRecord::of_balls((1, 2)) },
        ContactRecord { key: 2, ..ContactRecord::at((3, 4), 0) },
    ];
    memory.contact_list.geometries = vec![ContactGeometry::default()];
    memory.points = vec![PointX8::NONE];
    memory.loads = ImpulseCache {
        lanes: [1, 0].map(LaneSlot).to_vec(),
        impulses: vec![Impulse::ZERO; WIDE],
        torques: vec![Vec3::zeros(); WIDE],
        sticking_velocities: vec![Vec3::zeros(); WIDE],
        frames: vec![FrictionFrame::default(); WIDE],
        position_multipliers: vec![0.0; WIDE],
        marks: vec![Marks::NONE; WIDE],
        totals: vec![ImpulsiveWrench::ZERO; WIDE],
        impacts: vec![Impulse::ZERO; WIDE],
        compatible: vec![Impulse::ZERO; WIDE],
    };
    memory
}

fn state(memory: &Memory) -> Vec<u64> {
    words(|recorded| memory.visit_state(recorded, |_| true))
}

#[test]
fn every_member_of_the_memory_is_visited() {
    let visit = |memory: &Memory, recorded: &mut _| memory.visit_state(recorded, |_| true);
    let changes = members!(Memory {
        contact_list: |memory| memory.contact_list.records[0].key = 7,
        loads: |memory| memory.loads.position_multipliers[0] = 1.0,
        points: |memory| memory.points[0].gap.0[1] = 1.0,
        next_key: |memory| memory.next_key += 1,
        step: |memory| memory.step = 1.0,
        substep: |memory| memory.substep = 1.0,
    });
    every_change_shows(&changes, memory, visit);
    let changes = members!(ContactList {
        records: |contact_list| _ = contact_list.records.pop(),
        geometries: |contact_list| contact_list.geometries[0].gap = 1.0
    });
    let with = |contact_list: &ContactList| Memory { contact_list: contact_list.clone(), ..memory() };
    every_change_shows(
        &changes,
        || memory().contact_list,
        |contact_list, recorded| visit(&with(contact_list), recorded),
    );
    let changes = members!(ContactRecord {
        body_a: |found| found.body_a = 0,
        body_b: |found| found.body_b = 9,
        key: |found| found.key = 9,
        geometry: |found| *found = ContactRecord { key: found.key, ..ContactRecord::of_balls(found.pair()) },
    });
    let with = |found: &ContactRecord| Memory {
        contact_list: ContactList { records: vec![*found], ..memory().contact_list },
        ..memory()
    };
    every_change_shows(&changes, || ContactRecord::at((1, 2), 0), |found, recorded| visit(&with(found), recorded));
    let changes = members!(ImpulseCache {
        impulses: |loads| loads.impulses[0].tangential.x = 1.0,
        torques: |loads| loads.torques[1].x = 1.0,
        sticking_velocities: |loads| loads.sticking_velocities[1].y = 1.0,
        frames: |loads| loads.frames[1].twist = 1.0,
        position_multipliers: |loads| loads.position_multipliers[1] = 1.0,
        marks: |loads| loads.marks[1] = Marks::new(false, false, true),
        totals: |loads| loads.totals[1].force.normal = 1.0,
        impacts: |loads| loads.impacts[1].normal = 1.0,
        compatible: |loads| loads.compatible[1].normal = 1.0,
    } but { lanes });
    let with = |loads: &ImpulseCache| Memory { loads: loads.clone(), ..memory() };
    every_change_shows(&changes, || memory().loads, |loads, recorded| visit(&with(loads), recorded));
}

fn touch() -> ContactView {
    let surface = Surface { friction: 0.5, rolling: 0.0, twisting: 0.0, restitution: 0.0, stiffness: 1.0 };
    ContactView { body_a: 1, body_b: 2, key: 3, geometry: ContactGeometry::default(), surface }
}

#[test]
fn every_member_of_a_contact_is_visited() {
    let changes = members!(ContactView {
        body_a: |touch| touch.body_a = 0,
        body_b: |touch| touch.body_b = 9,
        key: |touch| touch.key = 9,
        geometry: |touch| touch.geometry.gap = 1.0,
        surface: |touch| touch.surface.friction = 1.0,
    });
    every_change_shows(&changes, touch, |touch, recorded| touch.visit_state(recorded));
    let changes = members!(ContactGeometry {
        feature: |geometry| geometry.feature = 1,
        local: |geometry| geometry.local.x = 1.0,
        gap: |geometry| geometry.gap = 1.0,
        normal: |geometry| geometry.normal.x = 1.0,
        arm_a: |geometry| geometry.arm_a.x = 1.0,
        arm_b: |geometry| geometry.arm_b.x = 1.0,
        point: |geometry| geometry.point.x = 1.0,
        radius: |geometry| geometry.radius = 1.0,
        is_along_normal: |geometry| geometry.is_along_normal[1] = true,
    });
    every_change_shows(&changes, ContactGeometry::default, |geometry, recorded| {
        ContactView { geometry: *geometry, ..touch() }.visit_state(recorded)
    });
    let changes = members!(Surface {
        friction: |surface| surface.friction = 1.0,
        rolling: |surface| surface.rolling = 1.0,
        twisting: |surface| surface.twisting = 1.0,
        restitution: |surface| surface.restitution = 1.0,
        stiffness: |surface| surface.stiffness = 2.0,
    });
    let visit =
        |surface: &Surface, recorded: &mut _| ContactView { surface: *surface, ..touch() }.visit_state(recorded);
    every_change_shows(&changes, || touch().surface, visit);
}

#[test]
fn every_member_of_a_load_is_visited() {
    let changes = members!(ContactState {
        impulse: |load| load.impulse.force.normal = 1.0,
        position_multiplier: |load| load.position_multiplier = 1.0,
        compatible: |load| load.compatible.normal = 1.0,
        relative_velocity: |load| load.relative_velocity.x = 1.0,
        rolling_speed: |load| load.rolling_speed = 1.0,
        frame: |load| load.frame.twist = 1.0,
        rebounds: |load| load.rebounds = true,
        had_impact: |load| load.had_impact = true,
        is_new: |load| load.is_new = true,
    });
    every_change_shows(&changes, ContactState::default, |load, recorded| load.visit_state(recorded));
    let changes = members!(FrictionFrame { normal: |frame| frame.normal.x = 1.0, twist: |frame| frame.twist = 1.0 });
    every_change_shows(&changes, FrictionFrame::default, |frame, recorded| frame.visit_state(recorded));
    let changes = members!(ImpulsiveWrench {
        force: |impulse| impulse.force.normal = 1.0,
        torque: |impulse| impulse.torque.x = 1.0,
    });
    let with = |impulse: &ImpulsiveWrench| ContactState { impulse: *impulse, ..ContactState::default() };
    every_change_shows(&changes, ImpulsiveWrench::default, |impulse, recorded| with(impulse).visit_state(recorded));
    every_change_shows(&changes, ImpulsiveWrench::default, |impulse, recorded| impulse.visit_state(recorded));
    let changes =
        members!(Impulse { normal: |impulse| impulse.normal = 1.0, tangential: |impulse| impulse.tangential.x = 1.0 });
    let with = |impulse: &Impulse| ContactState { impulse: (*impulse).into(), ..ContactState::default() };
    every_change_shows(&changes, Impulse::default, |impulse, recorded| with(impulse).visit_state(recorded));
    let with = |compatible: &Impulse| ContactState { compatible: *compatible, ..ContactState::default() };
    every_change_shows(&changes, Impulse::default, |impulse, recorded| with(impulse).visit_state(recorded));
    every_change_shows(&changes, Impulse::default, |impulse, recorded| impulse.visit_state(recorded));
}

/// Contacts have the same state in other lanes, with empty lanes between them, and where columns of zeros are missing.
#[test]
fn lanes_and_columns_of_zeros_are_not_visited() {
    let before = state(&memory());
    let mut other = memory();
    other.loads.lanes = [5, 3].map(LaneSlot).to_vec();
    other.loads.position_multipliers[7] = 9.0;
    assert_eq!(state(&other), before);
    let ImpulseCache { torques, totals, impacts, compatible, .. } = &mut other.loads;
    (*torques, *totals, *impacts, *compatible) = Default::default();
    assert_eq!(state(&other), before);
}

#[test]
fn only_the_contacts_that_are_kept_are_visited() {
    let is_kept = |found: &ContactRecord| found.pair() == (3, 4);
    let visited = words(|recorded| memory().visit_state(recorded, is_kept));
    let mut kept = memory();
    kept.retain(is_kept);
    assert_eq!(state(&kept), visited);
    assert_ne!(state(&memory()), visited);
}
