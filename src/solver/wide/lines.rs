//! Bodies as lines of the cache.

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::{KEPT, Lanes, Lines, Places, Vec3s, WIDE, Wide};
use crate::solver::problem::{MassInverse, Problem, Velocity};
use crate::tasks::{Tasks, each_piece};

/// The line of a body that moves with `velocity`. Where it does not answer alike in all directions `1/I` is no number: that is
/// how a contact tells whether it is central.
pub(in crate::solver) fn moving(velocity: &Velocity, mass: &MassInverse) -> Wide {
    let [v, w] = [velocity.linear, velocity.angular].map(signless);
    let turning = mass.isotropic().map_or(f64::NAN, |(_, inertia)| inertia);
    Wide([v.x, v.y, v.z, mass.linear.x, w.x, w.y, w.z, turning])
}

/// What general contacts need of its mass besides: `[Ixx Iyy Izz Ixy Iyz Ixz 1/m_y 1/m_z]`, inverse inertia and inverse
/// masses in world axes.
pub(in crate::solver) fn mass(mass: &MassInverse) -> Wide {
    let [xx, yy, zz, xy, yz, xz] = mass.angular.entries;
    Wide([xx, yy, zz, xy, yz, xz, mass.linear.y, mass.linear.z])
}

/// The line of the same body at rest.
pub(in crate::solver) fn at_rest(line: &Wide) -> Wide {
    let [inverse_mass, inverse_inertia] = inverse_masses(line);
    Wide([0.0, 0.0, 0.0, inverse_mass, 0.0, 0.0, 0.0, inverse_inertia])
}

/// The velocity of a line.
pub(in crate::solver) fn velocity(line: &Wide) -> Velocity {
    let [vx, vy, vz, _, wx, wy, wz, _] = line.0;
    Velocity { linear: Vec3::new(vx, vy, vz), angular: Vec3::new(wx, wy, wz) }
}

/// Writes a velocity into a line.
pub(in crate::solver) fn set_velocity(line: &mut Wide, velocity: &Velocity) {
    line.0[..3].copy_from_slice(signless(velocity.linear).as_slice());
    line.0[4..7].copy_from_slice(signless(velocity.angular).as_slice());
}

/// Zeros lose their sign. What is added to such a number never makes a negative zero of it, so that it does not matter whether
/// products with what is zero of a mass were left out.
#[inline(always)]
fn signless(vector: Vec3) -> Vec3 {
    vector.add_scalar(0.0)
}

/// `1/m` along x, and `1/I` or no number.
#[inline(always)]
pub(in crate::solver) fn inverse_masses(line: &Wide) -> [f64; 2] {
    let [_, _, _, inverse_mass, _, _, _, inverse_inertia] = line.0;
    [inverse_mass, inverse_inertia]
}

/// Adds to the velocity of a line what `impulse` and the angular impulse `moment` about the centre of mass change.
#[inline(always)]
pub(in crate::solver) fn apply(line: &mut Wide, mass: &MassInverse, impulse: &Vec3, moment: &Vec3) {
    let mut moved = velocity(line);
    mass.apply(&mut moved, impulse, moment);
    set_velocity(line, &moved);
}

/// Bodies whose lines are written at a time.
const PIECE: usize = 1024;

/// Lines for so many bodies.
pub(in crate::solver) fn fill(
    lines: &mut Vec<Wide>,
    bodies: usize,
    tasks: &dyn Tasks,
    line: impl Fn(usize) -> Wide + Sync,
) -> Result<()> {
    // what is there already is written over
    lines.truncate(bodies);
    resize(lines, bodies, Wide::splat(0.0), "bodies")?;
    each_piece(tasks, PIECE, lines, |first, lines| {
        for (body, own) in (first..).zip(lines) {
            *own = line(body);
        }
    });
    Ok(())
}

/// How many lines the bodies of a problem have: the resting one is the last.
pub(in crate::solver) fn count(problem: &Problem) -> usize {
    problem.masses.len() + 1
}

/// The place of a body's line; one that no impulse moves is read and not written. The resting line is the last.
#[inline(always)]
pub(in crate::solver) fn place(body: u32, bodies: &[Wide]) -> u32 {
    let body = body.min(bodies.len() as u32 - 1);
    if is_kept(&bodies[body as usize]) { body | KEPT } else { body }
}

/// Whether no impulse moves the body of a line.
#[inline(always)]
pub(in crate::solver) fn is_kept(line: &Wide) -> bool {
    // neither is zero, or no number, where anything moves it
    inverse_masses(line) == [0.0; 2]
}

/// The line at a place.
#[inline(always)]
pub(in crate::solver) fn of(place: u32, bodies: &[Wide]) -> &Wide {
    &bodies[(place & !KEPT) as usize]
}

/// Whether the body of a line does not answer alike in all directions.
#[inline(always)]
pub(in crate::solver) fn is_uneven(line: &Wide) -> bool {
    inverse_masses(line)[1].is_nan()
}

/// The places of a batch without contacts.
pub(in crate::solver) fn nowhere(resting: u32) -> Places {
    [resting | KEPT; WIDE]
}

/// A body in each lane.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Bodies<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    pub(in crate::solver) angular: Vec3s<L>,
    /// `1/m` along x.
    pub(in crate::solver) inverse_mass: L,
    /// `1/I` where it is isotropic, else no number.
    pub(in crate::solver) inverse_inertia: L,
}

impl<L: Lanes> Bodies<L> {
    /// The bodies at `places`.
    #[inline(always)]
    pub(in crate::solver) fn gather(lines: Lines, places: &Places, first: usize) -> Self {
        let [vx, vy, vz, inverse_mass, wx, wy, wz, inverse_inertia] = L::gather(lines, places, first);
        Self { linear: Vec3s::new(vx, vy, vz), angular: Vec3s::new(wx, wy, wz), inverse_mass, inverse_inertia }
    }

    /// Back to `places`.
    #[inline(always)]
    pub(in crate::solver) fn scatter(self, lines: Lines, places: &Places, first: usize) {
        let Self { linear: v, angular: w, inverse_mass, inverse_inertia } = self;
        L::scatter(lines, places, first, [v.x, v.y, v.z, inverse_mass, w.x, w.y, w.z, inverse_inertia]);
    }

    /// Moves faster by so much.
    #[inline(always)]
    pub(in crate::solver) fn add(&mut self, [linear, angular]: [Vec3s<L>; 2]) {
        (self.linear, self.angular) = (self.linear + linear, self.angular + angular);
    }

    /// The velocity of the point at `arm`.
    #[inline(always)]
    pub(in crate::solver) fn at(&self, arm: Vec3s<L>) -> Vec3s<L> {
        self.linear + self.angular.cross(arm)
    }
}

/// Body a of a batch in each lane. Where the batches that follow have the same ones in the same lanes it stays here all the while: it
/// is read before the first of them and written after the last. No other lane of theirs may have such a body, and none has, as no
/// two contacts of a batch share a moving one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Held<L> {
    pub(in crate::solver) bodies: Bodies<L>,
    /// Whether they are those of the batch that comes next.
    go_on: bool,
}

impl<L: Lanes> Held<L> {
    /// Nobody yet.
    #[inline(always)]
    pub(in crate::solver) fn nobody() -> Self {
        let zero = L::splat(0.0);
        let none = Vec3s::new(zero, zero, zero);
        let bodies = Bodies { linear: none, angular: none, inverse_mass: zero, inverse_inertia: zero };
        Self { bodies, go_on: false }
    }

    /// Takes the bodies at `places`, unless it has them.
    #[inline(always)]
    pub(in crate::solver) fn take(&mut self, lines: Lines, places: &Places, first: usize) {
        if !self.go_on {
            self.bodies = Bodies::gather(lines, places, first);
        }
    }

    /// Keeps the bodies at `places` if they are those of the `next` batch too, of which all lanes must be here. Says whether it does.
    #[inline(always)]
    pub(in crate::solver) fn keep(&mut self, places: &Places, next: Option<&Places>) -> bool {
        self.go_on = L::WIDTH == WIDE && next == Some(places);
        self.go_on
    }

    /// The same; writes them where they are not kept.
    #[inline(always)]
    pub(in crate::solver) fn keep_or_leave(
        &mut self,
        lines: Lines,
        places: &Places,
        first: usize,
        next: Option<&Places>,
    ) {
        if !self.keep(places, next) {
            self.bodies.scatter(lines, places, first);
        }
    }
}

/// Lets `work` move the bodies at `places`.
#[inline(always)]
pub(in crate::solver) fn moved<L: Lanes, T>(
    lines: Lines,
    places: &Places,
    first: usize,
    work: impl FnOnce(&mut Bodies<L>) -> T,
) -> T {
    let mut bodies = Bodies::gather(lines, places, first);
    let done = work(&mut bodies);
    bodies.scatter(lines, places, first);
    done
}

/// Adds to velocities and spins of the bodies at `places`. What was gathered need not be kept while a contact is solved: it would fill
/// the registers.
#[inline(always)]
pub(in crate::solver) fn add<L: Lanes>(lines: Lines, places: &Places, first: usize, [v, w]: [Vec3s<L>; 2]) {
    L::scatter_add(lines, places, first, [[v.x, v.y, v.z], [w.x, w.y, w.z]]);
}

/// How the body in each lane moves, but for its spin.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Linear<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    /// `1/m` along x.
    pub(in crate::solver) inverse_mass: L,
}

impl<L: Lanes> Linear<L> {
    /// That of the bodies at `places`.
    #[inline(always)]
    pub(in crate::solver) fn gather(lines: Lines, places: &Places, first: usize) -> Self {
        let [vx, vy, vz, inverse_mass] = L::gather_front(lines, places, first);
        Self { linear: Vec3s::new(vx, vy, vz), inverse_mass }
    }
}

/// Adds to the velocities of the bodies at `places`.
#[inline(always)]
pub(in crate::solver) fn add_linear<L: Lanes>(lines: Lines, places: &Places, first: usize, v: Vec3s<L>) {
    L::scatter_add_front(lines, places, first, [v.x, v.y, v.z]);
}

/// Some numbers of each lane.
#[inline(always)]
pub(in crate::solver) fn loaded<L: Lanes, const N: usize>(from: &[Wide; N], first: usize) -> [L; N] {
    let mut numbers = [L::splat(0.0); N];
    let mut at = 0;
    while at < N {
        numbers[at] = L::load(&from[at], first);
        at += 1;
    }
    numbers
}

/// The numbers of one lane.
pub(in crate::solver) fn read<const N: usize>(from: &[Wide; N], lane: usize) -> [f64; N] {
    std::array::from_fn(|at| from[at].0[lane])
}

/// Sets them.
pub(in crate::solver) fn write<const N: usize>(to: &mut [Wide; N], lane: usize, numbers: [f64; N]) {
    for (wide, number) in to.iter_mut().zip(numbers) {
        wide.0[lane] = number;
    }
}
