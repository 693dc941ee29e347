//! The solve of eight contacts alone: every width alike bit for bit, whichever lanes slide and whatever the numbers are.

use proptest::prelude::*;

use super::random::Random;
use super::wide_general::LEVELS;
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::solver::gauss_seidel::local::Local;
use crate::solver::gauss_seidel::rule::{Associated, Coulomb, Rule};
use std::marker::PhantomData;

/// Eight solves of one contact by a rule.
struct Solve<'a, R> {
    rule: PhantomData<R>,
    numbers: &'a [Wide; 14],
    impulse: &'a mut [Wide; 3],
}

impl<R: Rule> Kernel for Solve<'_, R> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut first = 0;
        while first < WIDE {
            let at = |index: usize| L::load(&self.numbers[index], first);
            let local = Local {
                inverse: at(0),
                carried: [at(1), at(2)],
                tangential: [at(3), at(4)],
                tangential_inverse: [at(5), at(6)],
            };
            let impulse = R::solve(&local, [at(7), at(8), at(9)], [at(10), at(11), at(12)], at(13));
            impulse[0].store(&mut self.impulse[0], first);
            impulse[1].store(&mut self.impulse[1], first);
            impulse[2].store(&mut self.impulse[2], first);
            first += L::WIDTH;
        }
    }
}

fn solve<R: Rule>(numbers: &[Wide; 14], level: Option<Level>) -> [Wide; 3] {
    let mut impulse = [Wide::default(); 3];
    let kernel = Solve { rule: PhantomData::<R>, numbers, impulse: &mut impulse };
    match level {
        Some(level) => dispatch(level, kernel),
        None => kernel.run::<f64>(),
    }
    impulse
}

/// A register may give the lanes that slide to a narrower one, where they are few.
#[test]
fn any_lanes_may_slide() {
    let mut random = Random(31);
    for slides in 0..1 << WIDE {
        let mut numbers = [Wide::default(); 14];
        for lane in 0..WIDE {
            let [s1, s2] = [0; 2].map(|_: i32| random.between(0.5, 2.0));
            // along the tangent either far beyond what friction of 0.5 holds, or hardly at all
            let across = if slides >> lane & 1 == 1 { random.between(3.0, 5.0) } else { random.between(0.0, 0.1) };
            let [k1, k2] = [0; 2].map(|_: i32| random.between(-0.1, 0.1));
            let all = [1.0, k1, k2, s1, s2, 1.0 / s1, 1.0 / s2, -1.0, across, 0.5 * across, 0.0, 0.0, 0.0, 0.5];
            numbers.iter_mut().zip(all).for_each(|(wide, number)| wide.0[lane] = number);
        }
        let single = solve::<Coulomb>(&numbers, None);
        for lane in 0..WIDE {
            let [normal, t1, t2] = single.map(|wide| wide.0[lane]);
            // impulses of about one: some units of round-off
            let on_cone = (t1.hypot(t2) - 0.5 * normal).abs() <= 1e-15;
            assert_eq!(on_cone, slides >> lane & 1 == 1);
        }
        for level in LEVELS {
            assert_eq!(solve::<Coulomb>(&numbers, Some(level)), single, "{level:?}, {slides:#b}");
        }
    }
}

/// Numbers of all sizes, and what is none.
pub(super) fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -10.0..10.0f64,
        4 => (-300.0..300.0f64, prop::bool::ANY).prop_map(|(e, sign)| if sign { 10f64.powf(e) } else { -10f64.powf(e) }),
        1 => prop::sample::select(vec![0.0, -0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN]),
    ]
}

proptest! {
    /// Whatever the numbers are, also where they make no sense.
    #[test]
    fn a_lane_does_not_depend_on_the_others(numbers in prop::collection::vec(any_number(), 14 * WIDE)) {
        let numbers: [Wide; 14] =
            std::array::from_fn(|at| Wide(std::array::from_fn(|lane| numbers[at * WIDE + lane])));
        for by in [solve::<Coulomb>, solve::<Associated>] {
            let single = by(&numbers, None);
            for level in LEVELS {
                for (wide, single) in by(&numbers, Some(level)).iter().zip(&single) {
                    for (wide, single) in wide.0.iter().zip(&single.0) {
                        // the bits of what is no number are the machine's own
                        prop_assert!(wide.to_bits() == single.to_bits() || wide.is_nan() && single.is_nan());
                    }
                }
            }
        }
    }
}
