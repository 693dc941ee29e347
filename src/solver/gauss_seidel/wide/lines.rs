//! Bodies as lines of the cache, and in registers.

use crate::error::{Result, resize};
use crate::math::lanes::{Lanes, LineIndex, Lines, Places, Vec3s, WIDE, Wide};
use crate::math::{BodyRow, Vec3};
use crate::solver::problem::{MassInverse, Problem, Velocity};
use crate::tasks::{Tasks, each_piece};

/// Returns the line of a body that moves with `velocity`. Where its mass is not isotropic `1/I` is NaN: by that a contact is
/// known as general.
pub(in crate::solver) fn moving(velocity: &Velocity, mass: &MassInverse) -> Wide {
    let [v, w] = [velocity.linear, velocity.angular].map(signless);
    let turning = mass.isotropic().map_or(f64::NAN, |(_, inertia)| inertia);
    Wide([v.x, v.y, v.z, mass.linear.x, w.x, w.y, w.z, turning])
}

/// Returns the second line of a body, which general contacts read: `[Ixx Iyy Izz Ixy Iyz Ixz 1/m_y 1/m_z]`, inverse inertia
/// and inverse masses in world axes.
pub(in crate::solver) fn mass(mass: &MassInverse) -> Wide {
    let [xx, yy, zz, xy, yz, xz] = mass.angular.entries;
    Wide([xx, yy, zz, xy, yz, xz, mass.linear.y, mass.linear.z])
}

/// Returns the line of the same body at rest.
pub(in crate::solver) fn at_rest(line: &Wide) -> Wide {
    let [inverse_mass, inverse_inertia] = inverse_masses(line);
    Wide([0.0, 0.0, 0.0, inverse_mass, 0.0, 0.0, 0.0, inverse_inertia])
}

/// Returns the velocity of a line.
pub(in crate::solver) fn velocity(line: &Wide) -> Velocity {
    let [vx, vy, vz, _, wx, wy, wz, _] = line.0;
    Velocity { linear: Vec3::new(vx, vy, vz), angular: Vec3::new(wx, wy, wz) }
}

/// Writes a velocity into a line.
pub(in crate::solver) fn set_velocity(line: &mut Wide, velocity: &Velocity) {
    line.0[..3].copy_from_slice(signless(velocity.linear).as_slice());
    line.0[4..7].copy_from_slice(signless(velocity.angular).as_slice());
}

/// Removes the sign of zeros. Sums that start from a positive zero never become a negative one, so it does not matter
/// whether products with zeros of a mass are left out.
#[inline(always)]
fn signless(vector: Vec3) -> Vec3 {
    vector.add_scalar(0.0)
}

/// Returns `1/m` along x, and `1/I` or NaN.
#[inline(always)]
pub(in crate::solver) fn inverse_masses(line: &Wide) -> [f64; 2] {
    let [_, _, _, inverse_mass, _, _, _, inverse_inertia] = line.0;
    [inverse_mass, inverse_inertia]
}

/// Applies `impulse` and the angular impulse `moment` about the centre of mass to the velocity of a line.
#[inline(always)]
pub(in crate::solver) fn apply(line: &mut Wide, mass: &MassInverse, impulse: &Vec3, moment: &Vec3) {
    let mut moved = velocity(line);
    mass.apply(&mut moved, impulse, moment);
    set_velocity(line, &moved);
}

/// Bodies in a piece of work that writes lines.
pub(in crate::solver) const PIECE: usize = 1024;

/// Fills the lines of this number of bodies.
pub(in crate::solver) fn fill(
    lines: &mut Vec<Wide>,
    bodies: usize,
    tasks: &dyn Tasks,
    line: impl Fn(BodyRow) -> Wide + Sync,
) -> Result<()> {
    resize(lines, bodies, Wide::splat(0.0), "bodies")?;
    each_piece(tasks, PIECE, lines, |first, lines| {
        for (body, own) in BodyRow::range(first..first + lines.len()).zip(lines) {
            *own = line(body);
        }
    });
    Ok(())
}

/// Returns the number of lines of a problem: the resting one is the last.
pub(in crate::solver) fn count(problem: &Problem) -> usize {
    problem.masses.len() + 1
}

/// Returns whether no impulse moves the body of a line.
#[inline(always)]
pub(in crate::solver) fn is_read_only(line: &Wide) -> bool {
    // neither is zero where an impulse moves it
    inverse_masses(line) == [0.0; 2]
}

/// Returns the line at a place.
#[inline(always)]
pub(in crate::solver) fn of(place: LineIndex, bodies: &[Wide]) -> &Wide {
    &bodies[place.index()]
}

/// Returns whether the mass of a line's body is not isotropic.
#[inline(always)]
pub(in crate::solver) fn is_anisotropic(line: &Wide) -> bool {
    inverse_masses(line)[1].is_nan()
}

/// Returns the places of a batch without contacts.
pub(in crate::solver) fn nowhere(resting: BodyRow) -> Places {
    [LineIndex::new(resting, true); WIDE]
}

/// A body in each lane.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Bodies<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    pub(in crate::solver) angular: Vec3s<L>,
    /// `1/m` along x.
    pub(in crate::solver) inverse_mass: L,
    /// `1/I` where it is isotropic, else NaN.
    pub(in crate::solver) inverse_inertia: L,
}

impl<L: Lanes> Bodies<L> {
    /// Reads the bodies at `places`.
    #[inline(always)]
    pub(in crate::solver) fn gather(lines: Lines, places: &Places, first: usize) -> Self {
        let [vx, vy, vz, inverse_mass, wx, wy, wz, inverse_inertia] = L::gather(lines, places, first);
        Self { linear: Vec3s::new(vx, vy, vz), angular: Vec3s::new(wx, wy, wz), inverse_mass, inverse_inertia }
    }

    /// Writes the bodies to `places`.
    #[inline(always)]
    pub(in crate::solver) fn scatter(self, lines: Lines, places: &Places, first: usize) {
        let Self { linear: v, angular: w, inverse_mass, inverse_inertia } = self;
        L::scatter(lines, places, first, [v.x, v.y, v.z, inverse_mass, w.x, w.y, w.z, inverse_inertia]);
    }

    /// Adds to velocity and spin.
    #[inline(always)]
    pub(in crate::solver) fn add(&mut self, [linear, angular]: [Vec3s<L>; 2]) {
        (self.linear, self.angular) = (self.linear + linear, self.angular + angular);
    }

    /// Returns the velocity of the point at `arm`.
    #[inline(always)]
    pub(in crate::solver) fn at(&self, arm: Vec3s<L>) -> Vec3s<L> {
        self.linear + self.angular.cross(arm)
    }
}

/// The lines that contacts of one kind are swept on.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct SweepContext<'a> {
    /// The lines of the bodies.
    pub(in crate::solver) bodies: Lines<'a>,
    /// The second lines, with the masses that general contacts need.
    pub(in crate::solver) masses: Lines<'a>,
    /// Factor on the change of every contact.
    pub(in crate::solver) relaxation: f64,
    /// That of the law of friction [-].
    pub(in crate::solver) dilation: f64,
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

/// Body a of a batch in each lane.
///
/// Where the batches that follow have the same bodies in the same lanes, they stay here: they are read before the first
/// of these batches and written after the last. No other lane of theirs has such a body, as no two contacts of a batch
/// share a moving one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct BodyACache<L> {
    pub(in crate::solver) bodies: Bodies<L>,
    /// Whether they are those of the batch that comes next.
    is_kept: bool,
}

impl<L: Lanes> BodyACache<L> {
    /// Returns an empty cache.
    #[inline(always)]
    pub(in crate::solver) fn empty() -> Self {
        let zero = L::splat(0.0);
        let none = Vec3s::new(zero, zero, zero);
        let bodies = Bodies { linear: none, angular: none, inverse_mass: zero, inverse_inertia: zero };
        Self { bodies, is_kept: false }
    }

    /// Reads the bodies at `places`, unless they are here.
    #[inline(always)]
    pub(in crate::solver) fn read(&mut self, lines: Lines, places: &Places, first: usize) {
        if !self.is_kept {
            self.bodies = Bodies::gather(lines, places, first);
        }
    }

    /// Keeps the bodies at `places` if they are those of the `next` batch too, of which all lanes must be here. Returns
    /// whether it does.
    #[inline(always)]
    pub(in crate::solver) fn keep(&mut self, places: &Places, next: Option<&Places>) -> bool {
        self.is_kept = L::WIDTH == WIDE && next == Some(places);
        self.is_kept
    }

    /// Keeps the bodies at `places` as [`BodyACache::keep`] does, or writes them.
    #[inline(always)]
    pub(in crate::solver) fn keep_or_write(
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

/// Adds to velocities and spins of the bodies at `places`. The lines are read again: kept while a contact is solved, they
/// would fill the registers.
#[inline(always)]
pub(in crate::solver) fn add<L: Lanes>(lines: Lines, places: &Places, first: usize, [v, w]: [Vec3s<L>; 2]) {
    L::scatter_add(lines, places, first, [[v.x, v.y, v.z], [w.x, w.y, w.z]]);
}

/// The velocity of the body in each lane, without its spin.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Linear<L> {
    pub(in crate::solver) linear: Vec3s<L>,
    /// `1/m` along x.
    pub(in crate::solver) inverse_mass: L,
}

impl<L: Lanes> Linear<L> {
    /// Reads that of the bodies at `places`.
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

/// Reads some numbers of each lane.
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

/// Reads the numbers of one lane.
pub(in crate::solver) fn read<const N: usize>(from: &[Wide; N], lane: usize) -> [f64; N] {
    std::array::from_fn(|at| from[at].0[lane])
}

/// Writes the numbers of one lane.
pub(in crate::solver) fn write<const N: usize>(to: &mut [Wide; N], lane: usize, numbers: [f64; N]) {
    for (wide, number) in to.iter_mut().zip(numbers) {
        wide.0[lane] = number;
    }
}
