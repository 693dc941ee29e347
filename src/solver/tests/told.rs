//! Contacts that are told, and get the numbers of their lanes: the answers are those of contacts in a list.

use super::random::{Random, Scene};
use crate::solver::contacts::{Contacts, Listed, NOBODY, NoteBegun, NotePlaces, Seats, in_a_row, in_order, taken};
use crate::solver::order::Order;
use crate::solver::problem::{Contact, Friction, Impulse, Impulses, Problem};
use crate::solver::start::Start;
use crate::solver::{List, Method, Options, Solver};
use crate::tasks::Alone;

const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 5,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::History(0.5),
    projection_passes: 0,
};

/// The contacts of a problem under other numbers: each number has the index of one.
struct Told<'a> {
    listed: Listed<'a>,
    numbers: &'a [u32],
}

impl Told<'_> {
    fn in_list(&self, batches: &[Seats]) -> Vec<Seats> {
        let number = |seat: u32| if seat == NOBODY { NOBODY } else { self.numbers[seat as usize] };
        batches.iter().map(|seats| seats.map(number)).collect()
    }
}

impl Contacts for Told<'_> {
    fn count(&self) -> usize {
        self.numbers.len()
    }

    fn may_resist_turning(&self) -> bool {
        self.listed.may_resist_turning()
    }

    fn may_yield_or_convey(&self) -> bool {
        self.listed.may_yield_or_convey()
    }

    fn bodies(&self, contact: usize) -> [u32; 2] {
        self.listed.bodies(self.numbers[contact] as usize)
    }

    fn is_between_balls(&self, contact: usize) -> bool {
        self.listed.is_between_balls(self.numbers[contact] as usize)
    }

    fn place(&self, batches: &[Seats], note: &mut NotePlaces) {
        self.listed.place(&self.in_list(batches), note);
    }

    fn begin(&self, batches: &[Seats], note: &mut NoteBegun) {
        self.listed.begin(&self.in_list(batches), note);
    }
}

/// A scene with contacts of all kinds, some between bodies that nothing moves, and impulses to start from.
fn scene(random: &mut Random, case: usize) -> (Scene, Impulses) {
    let (bodies, contacts) = (3 + random.index(40), random.index(120));
    let mut scene = Scene::random(random, bodies, contacts);
    if case.is_multiple_of(2) {
        scene.resist_turning(random);
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
    Problem { contacts: &[], besides: &[], ..*problem }
}

#[test]
fn answers_are_those_of_a_list() {
    let mut random = Random(11);
    let (mut met, mut kept) = (0, 0);
    for case in 0..60 {
        let (scene, start) = scene(&mut random, case);
        let problem = scene.problem();
        let (mut by_list, mut told) = (Solver::default(), Solver::default());
        let mut numbers: Vec<u32> = (0..scene.contacts.len() as u32).collect();
        for round in 0..3 {
            let mut expected = start.clone();
            let outcome = by_list.solve(&problem, &PLAIN, &mut expected).expect("memory");

            let listed = Listed { problem: &problem, impulses: Some(&start) };
            let bare = without_list(&problem);
            let contacts = Told { listed, numbers: &numbers };
            let is_filled = told.fill_told(&bare, &contacts, &PLAIN, round > 0).expect("memory");
            assert_eq!(is_filled, round > 0, "what has numbers of lanes keeps them");
            kept += usize::from(is_filled);
            if !is_filled {
                let mut order = Vec::new();
                told.lay_out_told(&bare, &contacts, &PLAIN, &mut order).expect("memory");
                numbers = order.into_iter().map(|number| numbers[number as usize]).collect();
                let contacts = Told { listed, numbers: &numbers };
                told.fill_renumbered(&bare, &contacts, &PLAIN).expect("memory");
            }
            let mut found = Impulses::default();
            let contacts = Told { listed, numbers: &numbers };
            let other = told.solve_told(&bare, &contacts, &PLAIN, &mut found).expect("memory");

            for (number, index) in numbers.iter().enumerate() {
                assert_eq!(found.wrench(number), expected.wrench(*index as usize), "case {case}");
            }
            assert_eq!(told.velocities(), by_list.velocities());
            assert_eq!((other.residual_max, other.islands), (outcome.residual_max, outcome.islands));
            // a sum over the same terms in another order: to some round-off of 120 of them
            let sums = told.total_impulses().iter().zip(by_list.total_impulses());
            for (one, other) in sums {
                let apart = (one.linear - other.linear).norm() + (one.angular - other.angular).norm();
                assert!(apart <= 1e-13 * (1.0 + other.linear.norm() + other.angular.norm()), "case {case}");
            }
            met += scene.contacts.len();
        }
    }
    assert!(met > 3000 && kept > 100, "hardly anything: {met} contacts, {kept} kept");
}

#[test]
fn only_plain_sweeps_need_no_list() {
    assert!(PLAIN.need_no_list(Friction::Coulomb));
    assert!(!PLAIN.need_no_list(Friction::Box));
    let others = [
        Options { method: Method::Accelerated, ..PLAIN },
        Options { order: Order::Natural, ..PLAIN },
        Options { tolerance: 1e-9, ..PLAIN },
        Options { projection_passes: 1, ..PLAIN },
        Options { start: Start::Guarded, ..PLAIN },
    ];
    assert!(others.iter().all(|options| !options.need_no_list(Friction::Coulomb)));
}

#[test]
fn of_a_list_it_is_known_which_contacts_an_island_has() {
    let mut random = Random(13);
    for case in 0..20 {
        let (scene, mut impulses) = scene(&mut random, case);
        let problem = scene.problem();
        let mut solver = Solver::default();
        solver.solve(&problem, &PLAIN, &mut impulses).expect("memory");
        let of_islands = (0..solver.islands().len()).flat_map(|number| solver.islands().get(number).contacts);
        let mut found: Vec<u32> = of_islands.copied().collect();
        found.sort_unstable();
        let moves = |contact: &Contact| problem.moves(contact.body_a) || problem.moves(contact.body_b);
        let all = (0..).zip(&scene.contacts).filter(|(_, contact)| moves(contact)).map(|(index, _)| index);
        assert_eq!(found, all.collect::<Vec<u32>>(), "case {case}: the correction asks for them");
    }
}

#[test]
fn a_list_has_what_is_told() {
    let mut random = Random(12);
    for case in 0..20 {
        let (scene, start) = scene(&mut random, case);
        let (problem, mut list, mut impulses) = (scene.problem(), List::default(), Impulses::default());
        let listed = Listed { problem: &problem, impulses: Some(&start) };
        list.fill(&listed, &mut impulses, &Alone).expect("memory");
        assert_eq!(list.contacts, scene.contacts);
        assert_eq!(impulses.contacts, start.contacts);
        for (index, contact) in scene.contacts.iter().enumerate() {
            assert_eq!(list.of(&problem).whole(index), (contact, problem.besides(index)));
            assert_eq!(impulses.torque(index), start.torque(index));
        }
    }
}

#[test]
fn values_in_a_row_are_those_of_full_batches_whose_contacts_follow_each_other() {
    let values: Vec<u32> = (0..20).collect();
    let follow = std::array::from_fn(|lane| 3 + lane as u32);
    assert_eq!(in_a_row(&follow, &values), Some(&follow));
    for lane in 0..8 {
        let mut seats = follow;
        seats[lane] += 1;
        assert_eq!(in_a_row(&seats, &values), None, "lane {lane}");
        seats[lane] = NOBODY;
        assert_eq!(in_a_row(&seats, &values), None, "lane {lane} is empty");
    }
    assert_eq!(in_a_row(&follow, &values[..10]), None, "there are not so many");
}

#[test]
fn contacts_are_seated_in_order() {
    for count in [0, 1, 8, 127, 128, 129, 300] {
        let (mut seen, mut full) = (Vec::new(), 0);
        in_order(5..5 + count, |first, batches| {
            assert_eq!(first, seen.len());
            seen.extend(batches.iter().flat_map(taken).map(|(_, contact)| contact));
            full += batches.iter().filter(|seats| seats[7] != NOBODY).count();
        });
        assert_eq!((seen, full), ((5..5 + count).collect(), count / 8));
    }
}
