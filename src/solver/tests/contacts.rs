//! Contact buffers filled in the order of the lanes: the answers are those of a list of contacts.

use super::random::{Random, Scene, filled, from_lanes, plain};
use crate::math::lanes::{WIDE, Wide};
use crate::math::{BodyRow, ContactId, LaneSlot, PointX8, Symmetric3, Vec3};
use crate::solver::problem::contacts::{list_pairs, occupied};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, Impulse, Impulses, ImpulsiveWrench, OptionalTerms, Problem, Velocity};
use crate::solver::{
    ContactPair, ContactsX8, List, Method, OptionalTermsX8, Options, Outcome, Solver, StartX8, StickProjection,
};
use crate::tasks::Serial;

const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 5,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::History(0.5),
    projection: StickProjection::Off,
    splits: false,
};

/// A scene with contacts of all kinds, some between bodies that nothing moves, and impulses to start from.
fn scene(random: &mut Random, case: usize) -> (Scene, Impulses) {
    let (bodies, contacts) = (3 + random.index(40), random.index(120));
    let mut scene = Scene::random(random, bodies, contacts);
    if case.is_multiple_of(2) {
        scene.resist_turning(random);
    }
    if case.is_multiple_of(3) {
        // no optional terms at all, or torques alone
        scene.optional.iter_mut().for_each(|optional| {
            optional.surface_velocity = Vec3::zeros();
            (optional.normal_compliance, optional.tangential_compliance) = (0.0, 0.0);
        });
    }
    if case % 6 == 3 {
        scene.optional.clear();
    }
    let mut start = scene.no_impulses();
    for impulse in &mut start.contacts {
        *impulse = Impulse::force(random.between(0.0, 1.0), random.vector(0.1));
    }
    for torque in &mut start.torques {
        *torque = random.vector(0.1);
    }
    (scene, start)
}

/// The problem without its list.
fn without_list<'a>(problem: &Problem<'a>) -> Problem<'a> {
    Problem { contacts: &[], optional: &[], ..*problem }
}

fn pairs_of(problem: &Problem) -> Vec<ContactPair> {
    let mut pairs = Vec::new();
    list_pairs(problem, &mut pairs, &Serial).expect("memory");
    pairs
}

/// Solves a problem without its list: its contacts get lanes, and stand in a buffer that is filled in their order.
fn solve_filled(solver: &mut Solver, problem: &Problem, options: &Options, start: &Impulses) -> (Impulses, Outcome) {
    let bare = without_list(problem);
    solver.lay_out(&bare, &pairs_of(problem), options, false).expect("memory");
    let mut buffer = filled(problem, solver.lanes());
    buffer.start_from(solver.lanes(), start);
    let mut impulses = Impulses::default();
    let outcome = solver.solve_filled(&bare, &mut buffer, options, &mut impulses).expect("memory");
    assert!(impulses.contacts.is_empty() && impulses.torques.is_empty(), "without a list the answer is in the lanes");
    (read_lanes(solver), outcome)
}

/// Reads the impulses of all lanes; returns them by the numbers of the contacts. Lanes without a contact have none.
fn read_lanes(solver: &Solver) -> Impulses {
    // what an answer leaves behind is written over
    let mut all = Impulses { contacts: vec![Impulse::force(7.0, Vec3::x()); 3], ..Impulses::default() };
    solver.read_lanes(&mut all.contacts, &mut all.torques).expect("memory");
    let lanes = solver.lanes().as_flattened();
    assert_eq!(all.contacts.len(), lanes.len());
    assert_eq!(all.torques.len(), if solver.rows.resists_turning { lanes.len() } else { 0 });
    let mut empty = (0..lanes.len()).filter(|lane| lanes[*lane] == ContactId::NONE);
    assert!(empty.all(|lane| all.wrench(lane.into()) == ImpulsiveWrench::ZERO));
    let contacts = solver.lane_of().iter().map(|lane| all.contacts[lane.index()]).collect();
    let with_torques = solver.lane_of().iter().filter(|_| solver.rows.resists_turning);
    let torques = with_torques.map(|lane| all.torque(lane.index().into())).collect();
    Impulses { contacts, torques, rows: Vec::new() }
}

/// Solves a problem that lists its contacts.
fn solve(solver: &mut Solver, problem: &Problem, options: &Options, start: &Impulses) -> (Impulses, Outcome) {
    let mut impulses = start.clone();
    let outcome = solver.solve(problem, options, &mut impulses).expect("memory");
    (impulses, outcome)
}

/// Everything that a solve answers, as bits.
fn bits(solver: &Solver, scene: &Scene, (impulses, outcome): &(Impulses, Outcome)) -> Vec<u64> {
    let wrenches = ContactId::range(0..scene.contacts.len()).map(|contact| impulses.wrench(contact));
    let vectors = wrenches.clone().flat_map(|wrench| [wrench.force.tangential, wrench.torque]);
    let bodies = solver.velocities().iter().chain(solver.total_impulses());
    let vectors = vectors.chain(bodies.flat_map(|body| [body.linear, body.angular]));
    let numbers = wrenches.map(|wrench| wrench.force.normal).chain(solver.residuals());
    let numbers = numbers.chain(from_lanes(solver.lane_of(), solver.normal_velocities()));
    let all = vectors.flat_map(|vector| [vector.x, vector.y, vector.z]).chain(numbers);
    all.chain([outcome.residual_max, outcome.residual_mean]).map(f64::to_bits).collect()
}

/// Asserts that every contact has one lane, and that both tables of the solver say the same.
fn assert_lanes(solver: &Solver, count: usize) {
    let all = (0..)
        .zip(solver.lanes())
        .flat_map(|(at, batch)| occupied(batch).map(move |(lane, contact)| (at, lane, contact)));
    let mut lane_of = vec![LaneSlot::NONE; count];
    for (at, lane, contact) in all {
        let before = std::mem::replace(&mut lane_of[contact], LaneSlot::new(at, lane));
        assert_eq!(before, LaneSlot::NONE, "contact {contact} has two lanes");
    }
    assert!(!lane_of.contains(&LaneSlot::NONE));
    assert_eq!(solver.lane_of(), lane_of);
}

#[test]
fn answers_are_those_of_a_list() {
    let mut random = Random(11);
    let starts =
        [Start::History(0.5), Start::Normals(0.75), Start::Zero, Start::WithoutVelocity(0.5), Start::History(1.0)];
    let (mut met, mut kept, mut outside) = (0, 0, 0);
    for case in 0..60 {
        let (scene, start) = scene(&mut random, case);
        let problem = scene.problem();
        let options = Options { start: starts[case % starts.len()], ..PLAIN };
        let (mut by_list, mut by_buffer) = (Solver::default(), Solver::default());
        for round in 0..3 {
            let expected = solve(&mut by_list, &problem, &options, &start);
            let found = solve_filled(&mut by_buffer, &problem, &options, &start);
            assert_eq!(
                by_buffer.rows.keeps_lanes(&problem, &by_buffer.pairs, options.layout()),
                round > 0,
                "the same pairs"
            );
            kept += usize::from(round > 0);
            assert_eq!(by_buffer.lanes(), by_list.lanes(), "case {case}");
            assert_lanes(&by_buffer, scene.contacts.len());
            assert_eq!((found.0.contacts.len(), found.0.torques.len()), (scene.contacts.len(), start.torques.len()));
            assert_eq!((found.1.worst, found.1.islands), (expected.1.worst, expected.1.islands));
            let all = [bits(&by_buffer, &scene, &found), bits(&by_list, &scene, &expected)];
            assert!(all[0] == all[1], "case {case}, round {round}");
            met += scene.contacts.len();
            let moves = |contact: &&Contact| problem.moves(contact.body_a) || problem.moves(contact.body_b);
            outside += scene.contacts.len() - scene.contacts.iter().filter(moves).count();
        }
    }
    assert!(met > 3000 && kept > 100 && outside > 50, "hardly anything: {met} contacts, {kept} kept, {outside} inert");
}

#[test]
fn data_derived_from_other_pairs_is_recomputed() {
    let mut random = Random(14);
    let (mut solver, mut moved) = (Solver::default(), [0; 2]);
    for case in 0..60 {
        let (mut scene, start) = scene(&mut random, case);
        if scene.contacts.len() < 2 {
            continue;
        }
        // spheres in front of all others
        scene.masses[0] = scene.masses.get(2).copied().unwrap_or(scene.masses[0]);
        scene.masses[0].angular = Symmetric3::diagonal([3.0; 3]);
        let mut before = None;
        for change in 0..6 {
            let other = random.index(scene.contacts.len());
            let contact = &mut scene.contacts[other];
            match change {
                // the first layout, and the same once more
                0 | 1 => {}
                2 => (contact.body_a, contact.body_b) = (contact.body_b, contact.body_a),
                // another kind of contact, between the same bodies
                3 => contact.arm_a = 0.5 * contact.normal,
                4 => {
                    contact.arm_a += 0.25 * contact.normal.cross(&Vec3::new(0.3, -0.4, 0.7));
                    contact.arm_b += 0.25 * contact.normal.cross(&Vec3::new(0.3, -0.4, 0.7));
                }
                // every contact of a body that turned alike about every axis
                _ => scene.masses[0].angular = Symmetric3::diagonal([2.0, 3.0, 4.0]),
            }
            let found = solve_filled(&mut solver, &scene.problem(), &PLAIN, &start);
            assert_lanes(&solver, scene.contacts.len());
            let mut rebuilt = Solver::default();
            let expected = solve_filled(&mut rebuilt, &scene.problem(), &PLAIN, &start);
            assert_eq!(solver.lanes(), rebuilt.lanes(), "case {case}, change {change}");
            let all = [bits(&solver, &scene, &found), bits(&rebuilt, &scene, &expected)];
            assert!(all[0] == all[1], "case {case}, change {change}");
            // The lanes are kept where the kinds and the pairs are those of the problem before, and only there.
            let now = (solver.pairs.all.clone(), solver.pairs.central.clone());
            let is_same = before.as_ref() == Some(&now);
            assert_eq!(solver.pairs.same, is_same, "case {case}, change {change}");
            assert!(change != 1 || is_same);
            let kinds_differ = before.as_ref().is_some_and(|(_, kinds): &(Vec<_>, Vec<bool>)| *kinds != now.1);
            moved[0] += usize::from(change > 0 && !is_same);
            moved[1] += usize::from(change > 0 && kinds_differ);
            before = Some(now);
        }
    }
    assert!(moved[0] > 80 && moved[1] > 20, "hardly anything changed: {moved:?}");
}

#[test]
fn contacts_of_another_kind_get_lanes_of_that_kind() {
    // Spheres side by side on the world: all are central until one arm leaves the normal.
    let mut scene = Scene::default();
    for _ in 0..20 {
        let body = scene.sphere(1.0, 0.5, Velocity { linear: -Vec3::z(), angular: Vec3::zeros() });
        scene.contacts.push(Contact { arm_b: -0.5 * Vec3::z(), ..plain(BodyRow::NONE, body, Vec3::z()) });
    }
    let (mut solver, start) = (Solver::default(), scene.no_impulses());
    solve_filled(&mut solver, &scene.problem(), &PLAIN, &start);
    assert_eq!((solver.lanes().len(), solver.lane_of()[4]), (3, LaneSlot(4)));
    scene.contacts[4].arm_b = Vec3::new(0.1, 0.0, -0.5);
    solve_filled(&mut solver, &scene.problem(), &PLAIN, &start);
    assert_lanes(&solver, 20);
    assert_eq!(solver.lanes().len(), 4, "general contacts have batches of their own");
    assert_eq!(solver.lane_of()[4], LaneSlot(24), "behind the central ones");
    scene.contacts[4].arm_b = -0.5 * Vec3::z();
    solve_filled(&mut solver, &scene.problem(), &PLAIN, &start);
    assert_eq!((solver.lanes().len(), solver.lane_of()[4]), (3, LaneSlot(4)));

    // another order of the visits is another layout, of the same pairs
    let natural = Options { order: Order::Natural, ..PLAIN };
    let (problem, pairs) = (scene.problem(), pairs_of(&scene.problem()));
    assert!(solver.lay_out(&problem, &pairs, &PLAIN, true).expect("memory") && solver.pairs.same);
    assert!(solver.rows.keeps_lanes(&problem, &solver.pairs, PLAIN.layout()));
    assert!(!solver.rows.keeps_lanes(&problem, &solver.pairs, natural.layout()));
    assert!(!solver.lay_out(&problem, &pairs, &natural, true).expect("memory") && solver.pairs.same);
    assert!(solver.rows.keeps_lanes(&problem, &solver.pairs, natural.layout()));
    assert!(solver.lay_out(&problem, &pairs, &natural, true).expect("memory"));
}

#[test]
fn only_plain_sweeps_in_batches_need_no_list() {
    assert!(!PLAIN.need_list(Friction::Coulomb));
    assert!(PLAIN.need_list(Friction::Box));
    let others = [
        Options { method: Method::Accelerated, ..PLAIN },
        Options { method: Method::Newton { limit: 1 }, ..PLAIN },
        Options { method: Method::Apgd, ..PLAIN },
        Options { order: Order::Natural, ..PLAIN },
        Options { order: Order::Symmetric, ..PLAIN },
        Options { order: Order::Random(1), ..PLAIN },
        Options { tolerance: 1e-9, ..PLAIN },
        Options { projection: StickProjection::Always(1), ..PLAIN },
        Options { start: Start::Guarded, ..PLAIN },
    ];
    assert!(others.iter().all(|options| options.need_list(Friction::Coulomb)));
    let plain = [Start::Zero, Start::History(1.0), Start::Normals(0.5), Start::WithoutVelocity(1.0)];
    assert!(plain.iter().all(|start| !Options { start: *start, ..PLAIN }.need_list(Friction::Coulomb)));
}

#[test]
fn islands_list_their_contacts_once_a_list_is_needed() {
    let mut random = Random(13);
    for case in 0..20 {
        let (scene, start) = scene(&mut random, case);
        let problem = scene.problem();
        let mut solver = Solver::default();
        let without = solve_filled(&mut solver, &problem, &PLAIN, &start);
        let without = bits(&solver, &scene, &without);
        assert!(!solver.islands().has_contacts);
        let (count, lanes) = (solver.islands().len(), solver.lanes().to_vec());

        let with = solve(&mut solver, &problem, &PLAIN, &start);
        assert!(solver.islands().has_contacts && solver.pairs.same);
        assert_eq!((solver.islands().len(), solver.lanes()), (count, &lanes[..]));
        assert!(bits(&solver, &scene, &with) == without, "case {case}");
        let of_islands = (0..solver.islands().len()).flat_map(|number| solver.islands().get(number).contacts);
        let mut found: Vec<ContactId> = of_islands.copied().collect();
        found.sort_unstable();
        let moves = |contact: &Contact| problem.moves(contact.body_a) || problem.moves(contact.body_b);
        let all = ContactId::range(0..scene.contacts.len())
            .zip(&scene.contacts)
            .filter(|(_, contact)| moves(contact))
            .map(|(index, _)| index);
        assert_eq!(found, all.collect::<Vec<ContactId>>(), "case {case}");

        // what is known stays known while the pairs are the same
        solve_filled(&mut solver, &problem, &PLAIN, &start);
        assert!(solver.islands().has_contacts);
    }
}

#[test]
fn a_buffer_has_the_contacts_of_a_list() {
    let mut random = Random(12);
    for case in 0..20 {
        let (scene, start) = scene(&mut random, case);
        let (problem, mut solver) = (scene.problem(), Solver::default());
        let pairs = pairs_of(&problem);
        solver.lay_out(&problem, &pairs, &PLAIN, true).expect("memory");
        let mut buffer = filled(&problem, solver.lanes());
        buffer.start_from(solver.lanes(), &start);
        assert_eq!(buffer.optional.len(), if scene.optional.is_empty() { 0 } else { solver.lanes().len() });
        for (index, contact) in scene.contacts.iter().enumerate() {
            let (batch, lane) = (solver.lane_of()[index].batch(), solver.lane_of()[index].lane());
            let bodies = [contact.body_a, contact.body_b];
            assert_eq!((pairs[index], bodies), (contact.pair(), pairs[index].bodies));
            assert_eq!(buffer.contact(LaneSlot::new(batch, lane), bodies), *contact);
            assert_eq!(buffer.optional_terms(LaneSlot::new(batch, lane)), *problem.optional_terms(index.into()));
            assert_eq!(buffer.impulses[WIDE * batch + lane], start.contacts[index]);
            assert_eq!(buffer.points[batch].normal(lane), contact.normal);
            assert_eq!(buffer.contacts[batch].arms(lane), [contact.arm_a, contact.arm_b]);
            let torque = buffer.optional.get(batch).map_or(Vec3::zeros(), |optional| optional.torque(lane));
            // torques are written where there are optional terms
            assert_eq!(torque, if scene.optional.is_empty() { Vec3::zeros() } else { start.torque(index.into()) });
        }
        for (batch, lanes) in solver.lanes().iter().enumerate() {
            for lane in (0..WIDE).filter(|lane| lanes[*lane] == ContactId::NONE) {
                assert_eq!(
                    buffer.contact(LaneSlot::new(batch, lane), [BodyRow(0); 2]),
                    plain(BodyRow(0), BodyRow(0), Vec3::zeros())
                );
                assert_eq!(buffer.optional_terms(LaneSlot::new(batch, lane)), OptionalTerms::NONE);
                assert_eq!(buffer.impulses[WIDE * batch + lane], Impulse::ZERO);
            }
        }

        let (mut list, mut impulses) = (List::default(), Impulses::default());
        list.fill(&buffer, &pairs, solver.lane_of(), &mut impulses, &Serial).expect("memory");
        assert_eq!((&list.contacts, &impulses.contacts), (&scene.contacts, &start.contacts));
        for index in ContactId::range(0..scene.contacts.len()) {
            assert_eq!(list.of(&without_list(&problem)).full_contact(index), problem.full_contact(index));
            assert_eq!(impulses.torque(index), start.torque(index));
        }
    }
}

#[test]
fn lanes_are_written_one_by_one() {
    let mut random = Random(15);
    let (mut point, mut contacts, mut written) = (PointX8::NONE, ContactsX8::NONE, Vec::new());
    for lane in 0..WIDE {
        assert_eq!((point.normal(lane), contacts.arms(lane)), (Vec3::zeros(), [Vec3::zeros(); 2]));
        let [normal, arm_a, arm_b] = [0; 3].map(|_| random.vector(1.0));
        point.set_normal(lane, &normal);
        contacts.put_arms(lane, [&arm_a, &arm_b]);
        written.push((normal, [arm_a, arm_b]));
    }
    let found = (0..WIDE).map(|lane| (point.normal(lane), contacts.arms(lane)));
    assert!(found.eq(written), "no lane is written over by another");
    assert_eq!(point.gap, PointX8::NONE.gap);
    assert_eq!(ContactsX8 { arms: ContactsX8::NONE.arms, ..contacts }, ContactsX8::NONE);
}

#[test]
fn impulses_are_scaled_and_none_is_left_by_a_factor_of_zero() {
    let given: [Impulse; WIDE] =
        std::array::from_fn(|lane| Impulse::force(lane as f64, Vec3::new(f64::NAN, 1.0, f64::INFINITY)));
    let (start, mut optional) = (StartX8::new(&given), OptionalTermsX8::NONE);
    let mut written = [Impulse::ZERO; WIDE];
    start.write(&mut written);
    for (lane, (one, own)) in written.iter().zip(&given).enumerate() {
        assert_eq!((one.normal, one.tangential.yz()), (own.normal, own.tangential.yz()));
        assert!(one.tangential.x.is_nan() && start.impulse(lane).normal == lane as f64);
    }
    assert!(!optional.resist_turning() && !optional.have_compliance_or_surface_velocity());
    optional.torque = [Wide::splat(f64::NAN), Wide::splat(2.0), Wide::splat(-4.0)];
    let scaled = start.scaled([0.5, 0.0]);
    assert_eq!(scaled.impulse(6), Impulse::force(3.0, Vec3::zeros()));
    assert_eq!(start.scaled([0.0, 2.0]).impulse(5).normal, 0.0);
    assert_eq!(start.scaled([0.0, 2.0]).impulse(5).tangential.y, 2.0);
    assert_eq!(optional.scaled(0.0).torque(3), Vec3::zeros());
    assert_eq!(optional.scaled(0.25).torque(3).yz(), Vec3::new(0.0, 0.5, -1.0).yz());
    optional.twisting.0[7] = 0.125;
    assert!(optional.resist_turning() && !optional.have_compliance_or_surface_velocity());
    optional.compliance[1].0[3] = 0.5;
    assert!(optional.have_compliance_or_surface_velocity());
}
