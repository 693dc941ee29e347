//! The plan of a sweep: no contact is lost, and batches of one phase share no moving body. Any threads in any order give
//! the same bits.

use super::random::{Random, Scene, filled, lines_of, pairs_of, plain, prepare, resisting, to_lanes};
use crate::math::lanes::{Level, Lines, WIDE, Wide};
use crate::math::{BodyRow, ContactId, LaneSlot, Symmetric3, Vec3};
use crate::solver::gauss_seidel::packer::{Batches, LONGEST_RUN, Packer};
use crate::solver::gauss_seidel::rows::batches::{ContactBatches, Source};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::plan::{COLOURS, Plan, PlannedContacts, Planner};
use crate::solver::gauss_seidel::rows::{ContactTargets, Pass, Rows};
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::gauss_seidel::wide::{ContactBatch, PrepareContext, SweepBatch, SweepContext, lines};
use crate::solver::problem::islands::Islands;
use crate::solver::problem::order::Order;
use crate::solver::problem::pairs::TILE;
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, Velocity};
use crate::tasks::tests::Scoped;
use crate::tasks::{Serial, Tasks};

/// Spheres in a row on the fixed world, each touching the next.
fn chain(random: &mut Random, count: u32) -> Scene {
    let mut scene = Scene::default();
    let mut below = BodyRow::NONE;
    for _ in 0..count {
        let body = scene.sphere(1.0, 0.5, Velocity { linear: random.vector(1.0), angular: random.vector(1.0) });
        let (arm_a, arm_b) = (0.5 * Vec3::z(), -0.5 * Vec3::z());
        scene.contacts.push(Contact { arm_a, arm_b, friction: 0.5, ..plain(below, body, Vec3::z()) });
        below = body;
    }
    scene
}

/// 15 x 20 x 10 places with some jitter, row by row from the bottom, or in random order. The bodies are spheres and
/// anisotropic ones, and touch the neighbours that are near. Those at the bottom stand on a fixed floor.
fn lattice(random: &mut Random, shuffled: bool) -> Scene {
    let size = [15, 20, 10];
    let count = size.iter().product::<usize>();
    let mut names: Vec<BodyRow> = BodyRow::range(0..count).collect();
    for last in (1..count).rev().filter(|_| shuffled) {
        names.swap(last, random.index(last + 1));
    }
    let mut scene = Scene::default();
    for body in 0..count {
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        if body % 3 == 0 {
            scene.body(1.0, Symmetric3::diagonal([0.1, 0.12, 0.15]), velocity);
        } else {
            scene.sphere(1.0, 0.5, velocity);
        }
    }
    let jittered: Vec<Vec3> = (0..count).map(|_| random.vector(0.2)).collect();
    let index = |[x, y, z]: [usize; 3]| x + size[0] * (y + size[1] * z);
    let place = |at: [usize; 3]| Vec3::from(at.map(|k| k as f64)) + jittered[index(at)];
    for at in (0..count).map(|k| [k % size[0], k / size[0] % size[1], k / (size[0] * size[1])]) {
        let body = names[index(at)];
        if at[2] == 0 {
            let up = Vec3::z();
            scene.contacts.push(Contact { arm_b: -0.5 * up, friction: 0.5, ..plain(BodyRow::NONE, body, up) });
        }
        for step in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]] {
            let next: [usize; 3] = std::array::from_fn(|k| at[k] + step[k]);
            let near = || (place(next) - place(at)).norm() < 1.15;
            if (0..3).all(|k| next[k] < size[k]) && near() {
                let normal = (place(next) - place(at)).normalize();
                let contact = plain(body, names[index(next)], normal);
                let turning = if random.one_in(4) { 0.05 } else { 0.0 };
                let (arm_a, arm_b) = (0.5 * normal, -0.5 * normal);
                scene.add(Contact { arm_a, arm_b, friction: 0.5, ..contact }, resisting(turning, 0.0));
            }
        }
    }
    scene
}

/// Plans of parts of a scene, one after the other.
struct Made<B: ContactBatch> {
    planner: Planner,
    batches: ContactBatches<B>,
    plans: Vec<Plan>,
    /// The lane of each contact; `u32::MAX`: none.
    lanes: Vec<u32>,
}

fn made<B: ContactBatch>(scene: &Scene, parts: &[Vec<ContactId>]) -> Made<B> {
    let (mut planner, mut batches) = (Planner::default(), ContactBatches::<B>::default());
    let mut lanes = vec![u32::MAX; scene.contacts.len()];
    let mut plans = Vec::new();
    let pairs = pairs_of(&scene.problem(), &scene.with_world().0);
    planner.begin(scene.contacts.len()).expect("memory");
    for part in parts {
        planner.choose(part.iter().copied());
        let bodies = scene.masses.len() + 1;
        let contacts = PlannedContacts { pairs: &pairs.all, are_sorted: pairs.are_sorted(), bodies };
        plans.push(planner.in_batches(contacts, &mut batches.assigned, B::LONGEST_RUN, &Serial).expect("memory"));
    }
    let occupied = |(_, contact): &(usize, &ContactId)| **contact != ContactId::NONE;
    for (lane, contact) in batches.assigned.contacts.as_flattened().iter().enumerate().filter(occupied) {
        let before = std::mem::replace(&mut lanes[*contact], lane as u32);
        assert_eq!(before, u32::MAX, "contact {contact} has two lanes");
    }
    Made { planner, batches, plans, lanes }
}

impl<B: ContactBatch> Made<B> {
    /// The phases of a part.
    fn phases(&self, part: usize) -> Vec<Vec<[u32; 2]>> {
        self.planner.phases(&self.plans[part]).map(<[[u32; 2]]>::to_vec).collect()
    }

    /// The contacts of a batch.
    fn batch(&self, at: u32) -> Vec<ContactId> {
        self.batches.assigned.contacts[at as usize]
            .iter()
            .copied()
            .filter(|contact| *contact != ContactId::NONE)
            .collect()
    }

    /// The contacts of the phases of a part, batch by batch.
    fn batches(&self, part: usize) -> Vec<Vec<ContactId>> {
        self.phases(part).into_iter().flatten().flat_map(|[first, end]| first..end).map(|at| self.batch(at)).collect()
    }
}

/// That every contact of every part is visited once, and that no body is moved by two at once.
fn assert_sound<B: ContactBatch>(scene: &Scene, parts: &[Vec<ContactId>], made: &Made<B>) {
    let mut visits = vec![0; scene.contacts.len()];
    let mut visited_lanes = Vec::new();
    for (part, contacts) in parts.iter().enumerate() {
        let mut seen = Vec::new();
        visited_lanes.extend(made.plans[part].lanes());
        seen.extend(made.plans[part].lanes().map(|slot| made.batches.assigned.contacts[slot.batch()][slot.lane()]));
        let mut end_before = 0;
        for phase in made.phases(part) {
            let mut owner = std::collections::BTreeMap::new();
            for (span, [first, end]) in phase.iter().enumerate() {
                assert!(end_before <= *first && first < end, "spans rise and hold something");
                end_before = *end;
                visited_lanes.extend(LaneSlot::range(*first as usize * WIDE..*end as usize * WIDE));
                for at in *first..*end {
                    let mut within = std::collections::BTreeSet::new();
                    for contact in made.batch(at) {
                        seen.push(contact);
                        let Contact { body_a, body_b, .. } = scene.contacts[contact];
                        for body in [body_a, body_b].into_iter().filter(|body| scene.problem().moves(*body)) {
                            assert!(within.insert(body), "body {body} is twice in the batch {at}");
                            let other = *owner.entry(body).or_insert(span);
                            assert_eq!(other, span, "body {body} is moved by two pieces at once");
                        }
                    }
                }
            }
        }
        assert_eq!(seen.len(), contacts.len(), "part {part}");
        seen.iter().for_each(|contact| visits[*contact] += 1);
        assert!(contacts.iter().all(|contact| visits[*contact] == 1), "part {part}");
    }
    for (contact, lane) in made.lanes.iter().enumerate().filter(|(_, lane)| **lane != u32::MAX) {
        assert_eq!(made.batches.assigned.contacts[*lane as usize / WIDE][*lane as usize % WIDE], contact.into());
    }
    let count = visited_lanes.len();
    visited_lanes.sort_unstable();
    visited_lanes.dedup();
    assert_eq!(visited_lanes.len(), count, "a lane is visited twice");
}

fn all(scene: &Scene) -> Vec<ContactId> {
    ContactId::range(0..scene.contacts.len()).collect()
}

#[test]
fn every_contact_has_one_lane_and_no_body_is_moved_by_two_at_once() {
    let mut random = Random(1);
    let mut scenes = vec![chain(&mut random, 5000), lattice(&mut random, false), lattice(&mut random, true)];
    for (bodies, contacts) in
        [(3, 0), (3, 1), (5, 20), (100, 300), (1023, 2000), (1024, 2000), (1025, 2000), (4000, 9000)]
    {
        scenes.push(Scene::random(&mut random, bodies, contacts));
    }
    for scene in &scenes {
        let one = vec![all(scene)];
        assert_sound(scene, &one, &made::<CentralBatch>(scene, &one));
        // parts of all sizes, also those that are too small for batches
        let mut parts = vec![Vec::new(); 7];
        for contact in &one[0] {
            let part = [0, 0, 0, 1, 1, 2, 3 + contact.index() % 4][random.index(7)];
            if part < 3 || parts[part].len() < 2 {
                parts[part].push(*contact);
            }
        }
        parts.swap(0, 4);
        assert_sound(scene, &parts, &made::<CentralBatch>(scene, &parts));
    }
}

#[test]
fn large_problems_have_several_pieces_at_once() {
    let mut random = Random(2);
    let scene = chain(&mut random, 5000);
    let phases = made::<CentralBatch>(&scene, &[all(&scene)]).phases(0);
    // 5000 bodies are in 5 tiles; the four contacts between them share no body: one colour, one batch
    assert_eq!(phases.iter().map(Vec::len).collect::<Vec<_>>(), [5, 1]);
    for shuffled in [false, true] {
        let scene = lattice(&mut random, shuffled);
        let phases = made::<CentralBatch>(&scene, &[all(&scene)]).phases(0);
        assert_eq!(phases[0].len(), 3, "3000 bodies are in 3 tiles");
        // Of a body with up to 12 neighbours, 11 contacts may be in the way of the 12th, and as many at the other one.
        assert!((2..=24).contains(&phases.len()), "{} phases", phases.len());
        // in random order two of three contacts are between tiles, some thousand: pieces of 256 contacts
        assert!(!shuffled || phases[1].len() > 1);
    }
}

#[test]
fn what_fits_a_tile_is_one_window() {
    let mut random = Random(3);
    let small = Scene::random(&mut random, TILE as usize - 2, 3000);
    // and so is what is in one tile of a larger problem
    let large = chain(&mut random, 4 * TILE);
    for (scene, contacts) in [(&small, all(&small)), (&large, (2 * TILE + 1..3 * TILE).map(ContactId).collect())] {
        let parts = [contacts];
        let made = made::<CentralBatch>(scene, &parts);
        let mut batches = Batches::default();
        let pairs = pairs_of(&scene.problem(), &scene.with_world().0).all;
        Packer::default()
            .pack(BodyRow(0)..BodyRow::from(scene.masses.len() + 1), &parts[0], &pairs, LONGEST_RUN, &mut batches)
            .expect("memory");
        assert_eq!(made.phases(0).iter().map(Vec::len).collect::<Vec<_>>(), [1]);
        assert!(made.batches(0).iter().map(Vec::as_slice).eq(batches.iter()));
    }
}

#[test]
fn contacts_that_hardly_fill_batches_are_visited_in_their_order() {
    let mut scene = Scene::default();
    let first = scene.sphere(1.0, 0.5, Velocity::ZERO);
    for _ in 1..20 {
        let body = scene.sphere(1.0, 0.5, Velocity::ZERO);
        scene.contacts.push(plain(first, body, Vec3::z()));
    }
    let made = made::<CentralBatch>(&scene, &[all(&scene)]);
    assert!(made.phases(0).is_empty());
    assert!(made.plans[0].lanes().eq(LaneSlot::range(0..19)) && made.lanes.iter().copied().eq(0..19));
}

#[test]
fn contacts_that_find_no_colour_come_last_in_their_order() {
    // a body of the first tile touches 200 of the second
    let mut scene = Scene::default();
    for _ in 0..2 * TILE {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    scene.contacts.extend((TILE..TILE + 200).map(|b| plain(BodyRow(0), BodyRow(b), Vec3::z())));
    let parts = [all(&scene)];
    let made = made::<CentralBatch>(&scene, &parts);
    assert_sound(&scene, &parts, &made);
    // one contact in each batch: one for each colour, and the others in one piece
    let phases = made.phases(0);
    assert_eq!(phases.len(), COLOURS + 1);
    assert!(phases[..COLOURS].iter().all(|phase| phase.len() == 1 && phase[0][1] - phase[0][0] == 1));
    let last = &phases[COLOURS];
    assert!(last.len() == 1 && (last[0][1] - last[0][0]) as usize == 200 - COLOURS, "{last:?}");
    assert!(made.batches(0).into_iter().flatten().eq(ContactId::range(0..200)));
}

#[test]
fn immovable_bodies_do_not_keep_contacts_apart() {
    // A floor that moves by itself, in the first tile, under spheres of all tiles; some touch the fixed world too.
    let mut scene = Scene::default();
    let floor = scene.kinematic(Velocity { linear: Vec3::x(), angular: Vec3::zeros() });
    for _ in 1..3 * TILE {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    for body in 1..3 * TILE {
        scene.contacts.push(plain(if body % 2 == 0 { floor } else { BodyRow::NONE }, BodyRow(body), Vec3::z()));
    }
    let parts = [all(&scene)];
    let pairs = pairs_of(&scene.problem(), &scene.with_world().0).all;
    assert!(pairs.iter().all(|[a, b]| a.is_read_only() && !b.is_read_only()));
    let made = made::<CentralBatch>(&scene, &parts);
    assert_sound(&scene, &parts, &made);
    // three tiles and nothing between them; every batch is full except for the last one of the first tile
    assert_eq!(made.phases(0).iter().map(Vec::len).collect::<Vec<_>>(), [3]);
    let partial = made.batches(0).iter().filter(|batch| batch.len() < WIDE).count();
    assert_eq!((made.batches(0).len(), partial), (3 * TILE as usize / WIDE, 1));
}

#[test]
fn contacts_that_are_sorted_are_grouped_as_all_others() {
    let mut random = Random(6);
    for scene in [chain(&mut random, 5000), lattice(&mut random, false)] {
        let pairs = pairs_of(&scene.problem(), &scene.with_world().0);
        assert!(pairs.are_sorted());
        let planned = [false, true].map(|are_sorted| {
            let (mut planner, mut batches) = (Planner::default(), ContactBatches::<CentralBatch>::default());
            planner.begin(scene.contacts.len()).expect("memory");
            // some are left out
            planner.choose(all(&scene).into_iter().filter(|contact| contact.0 % 7 > 0));
            let contacts = PlannedContacts { pairs: &pairs.all, are_sorted, bodies: scene.masses.len() + 1 };
            let plan = planner
                .in_batches(contacts, &mut batches.assigned, CentralBatch::LONGEST_RUN, &Serial)
                .expect("memory");
            let phases: Vec<_> = planner.phases(&plan).map(<[[u32; 2]]>::to_vec).collect();
            (phases, batches.assigned.contacts)
        });
        assert!(planned[0].0.len() > 1 && planned[0] == planned[1]);
    }
}

fn bits(numbers: impl Iterator<Item = f64>) -> Vec<u64> {
    numbers.map(f64::to_bits).collect()
}

fn impulse_bits(impulses: impl Iterator<Item = ImpulsiveWrench>) -> Vec<u64> {
    let numbers = |ImpulsiveWrench { force: Impulse { normal, tangential: t }, torque: m }| {
        [normal, t.x, t.y, t.z, m.x, m.y, m.z]
    };
    bits(impulses.flat_map(numbers))
}

/// Impulses after some sweeps, how much each sweep changed, and where two sweeps of the position pass bring bodies and multipliers.
fn swept(scene: &Scene, tasks: &dyn Tasks) -> [Vec<u64>; 3] {
    let (problem, masses) = (scene.problem(), scene.with_world().0);
    let (mut islands, mut rows) = (Islands::default(), Rows::default());
    islands.find(&problem).expect("memory");
    let pairs = pairs_of(&problem, &masses);
    prepare(&mut rows, (&problem, &pairs), &islands, Order::Colored, tasks);
    let pass = Pass { order: Order::Colored, relaxation: 1.0, measured: true, tasks };
    let changes = (0..5)
        .flat_map(|number| (0..islands.len()).map(move |island| (number, island)))
        .map(|(number, island)| rows.sweep(&masses, island, number, &pass));
    let changes = bits(changes.collect::<Vec<_>>().into_iter());
    let targets: Vec<f64> = (0..scene.contacts.len()).map(|at| (at % 3) as f64 - 1.0).collect();
    let multipliers = vec![0.1; scene.contacts.len()];
    let [targets, mut multipliers] = [targets, multipliers].map(|values| to_lanes(&rows.lanes, &values));
    rows.scale_multipliers(&mut multipliers, [0.9; 2]);
    rows.rest(tasks);
    rows.shift(&masses, &mut multipliers, tasks);
    for _ in 0..2 {
        rows.push(0, &masses, &ContactTargets { targets: &targets, scales: &[] }, &mut multipliers, tasks);
    }
    let impulses = impulse_bits(ContactId::range(0..scene.contacts.len()).map(|contact| rows.contact_impulse(contact)));
    [impulses, changes, bits(rows.bodies.iter().chain(&multipliers).flat_map(|wide| wide.0))]
}

#[test]
fn any_threads_give_the_same_bits() {
    let mut random = Random(4);
    for scene in [chain(&mut random, 5000), lattice(&mut random, false), lattice(&mut random, true)] {
        let alone = swept(&scene, &Serial);
        let none = impulse_bits(std::iter::once(ImpulsiveWrench::ZERO));
        assert!(alone[0].chunks(7).filter(|impulse| *impulse != none).count() > 1000, "hardly any impulses");
        for tasks in [Scoped(2), Scoped(5)] {
            let other = swept(&scene, &tasks);
            for (one, other) in alone.iter().zip(&other) {
                assert!(one == other, "{tasks:?}");
            }
        }
    }
}

/// Contacts of one kind swept as their plan says, forth or with the pieces of each phase from the last to the first.
fn pieces<B: ContactBatch>(scene: &Scene, contacts: Vec<ContactId>, backward: bool) -> [Vec<u64>; 2] {
    let (problem, (masses, velocities)) = (scene.problem(), scene.with_world());
    let mut made = made::<B>(scene, &[contacts]);
    let lines = lines_of(&masses, &velocities);
    let pairs = pairs_of(&problem, &masses);
    let given = PrepareContext { problem: &problem, bodies: &lines, level: Level::best() };
    let buffer = filled(&problem, &made.batches.assigned.contacts);
    let source = Source { buffer: &buffer, pairs: &pairs.all, factors: [1.0; 2] };
    // of which kind they are does not matter here
    made.batches.fill(&given, &source, 0, &Serial).expect("memory");
    made.batches.fill_extras(&given, &source, 0, true).expect("memory");
    let mut bodies: Vec<Wide> = velocities.iter().zip(&masses).map(|(v, mass)| lines::moving(v, mass)).collect();
    let mut seconds: Vec<Wide> = masses.iter().map(lines::mass).collect();
    let (phases, plan) = (made.phases(0), made.plans[0]);
    assert!(phases.iter().any(|spans| spans.len() > 1), "nothing could be turned around");
    for _ in 0..5 {
        let ground = SweepContext {
            bodies: Lines::new(&mut bodies),
            masses: Lines::new(&mut seconds),
            relaxation: 1.0,
            dilation: 0.0,
        };
        if backward {
            for [first, end] in phases.iter().flat_map(|spans| spans.iter().rev()) {
                let lanes = LaneSlot::range(*first as usize * WIDE..*end as usize * WIDE);
                lanes.for_each(|lane| _ = made.batches.relax(lane, ground));
            }
        } else {
            let phases = Phases { plan: &plan, planner: &made.planner, level: Level::best(), tasks: &Serial };
            made.batches.sweep(phases, ground, true);
        }
    }
    let lanes = made.lanes.iter().filter(|lane| **lane != u32::MAX);
    let impulses = impulse_bits(lanes.map(|lane| {
        let mut force = Impulse::ZERO;
        made.batches.read(LaneSlot(*lane), &mut force);
        ImpulsiveWrench { force, torque: made.batches.torque(LaneSlot(*lane)) }
    }));
    [impulses, bits(bodies.iter().flat_map(|line| line.0))]
}

#[test]
fn the_order_of_pieces_does_not_matter() {
    let mut random = Random(5);
    for shuffled in [false, true] {
        let scene = lattice(&mut random, shuffled);
        let pairs = pairs_of(&scene.problem(), &scene.with_world().0);
        let is_central = |at: &ContactId| pairs.central[*at];
        let (centrals, generals): (Vec<ContactId>, Vec<ContactId>) = all(&scene).into_iter().partition(is_central);
        assert!(centrals.len() > 1000 && generals.len() > 1000, "{} and {}", centrals.len(), generals.len());
        let turned = [false, true].map(|backward| pieces::<CentralBatch>(&scene, centrals.clone(), backward));
        assert!(turned[0] == turned[1], "central contacts");
        let turned = [false, true].map(|backward| pieces::<GeneralBatch>(&scene, generals.clone(), backward));
        assert!(turned[0] == turned[1], "general contacts");
    }
}
