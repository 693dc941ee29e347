//! The enumerations of the settings. A value that comes from C is an integer until it has been checked.

/// How contacts act on bodies. Offered in this version: DRY_METHOD_RIGID.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_method {
    /// Rigid contacts: no overlap, no elasticity.
    DRY_METHOD_RIGID = 0,
    /// Regularised and stabilised contacts of given stiffness. Not offered yet.
    DRY_METHOD_SPOOK = 1,
    /// The theta method with elastic contacts. Not offered yet.
    DRY_METHOD_THETA = 2,
}

/// How the contact problem of a step is solved, island by island. Not offered yet: DRY_SOLVER_CONIC.
///
/// All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
/// always, return no larger residual than that of their start.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_solver_kind {
    /// Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations is 0.
    DRY_SOLVER_PGS = 0,
    /// The same, extrapolated from the last sweeps: up to tens of times fewer of them to a small tolerance. 50 sweeps
    /// where iterations is 0.
    DRY_SOLVER_PGS_ACCELERATED = 1,
    /// Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to some thousand
    /// contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no better.
    DRY_SOLVER_NEWTON = 2,
    /// Accelerated projected gradient: no factorisation, fewer promises. 500 steps where iterations is 0.
    DRY_SOLVER_APGD = 3,
    /// Interior point, for associated friction. Not offered yet.
    DRY_SOLVER_CONIC = 4,
}

/// The order in which a sweep visits the contacts.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_sweep {
    /// In batches of contacts that share no moving body.
    DRY_SWEEP_COLORED = 0,
    /// One after the other: those of a world along a curve that fills space, those of the host as it lists them.
    DRY_SWEEP_NATURAL = 1,
    /// Forth and back by turns.
    DRY_SWEEP_SYMMETRIC = 2,
    /// In a new order for each sweep, drawn from the seed. Another seed may give other forces of the same motion.
    DRY_SWEEP_RANDOM = 3,
}

/// How one contact is solved within a sweep. Offered in this version: DRY_LOCAL_BLOCK.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_local_solver {
    /// Normal and friction together, exactly.
    DRY_LOCAL_BLOCK = 0,
    /// Row by row, each clamped. Not offered yet.
    DRY_LOCAL_ROWS = 1,
}

/// Where the impulses of a step start.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_warm_start {
    /// From zero.
    DRY_WARM_OFF = 0,
    /// From those of the last step, applied to the velocities too.
    DRY_WARM_HISTORY = 1,
    /// From a contact model. Not offered yet.
    DRY_WARM_MODEL = 2,
    /// From the normal impulses of the last step, without friction.
    DRY_WARM_NORMALS = 3,
    /// From those of the last step, not applied to the velocities: to show that this fails.
    DRY_WARM_HISTORY_NO_VELOCITY = 4,
    /// From those of the last step, scaled so that the start is never worse than zero.
    DRY_WARM_GUARDED = 5,
    /// From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY.
    DRY_WARM_COMPATIBLE = 6,
}

/// The law of friction. Offered in this version: DRY_FRICTION_COULOMB, DRY_FRICTION_BOX.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_friction_law {
    /// Coulomb's law on the round cone: friction opposes sliding.
    DRY_FRICTION_COULOMB = 0,
    /// The convex law, which lifts what slides. Not offered yet.
    DRY_FRICTION_ASSOCIATED = 1,
    /// Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers have them: along
    /// the diagonals a body is held sqrt(2) times as fast. The rows of a normal (x, y, z) lie along
    /// t1 = (1 - s c x x, -s c x y, -s x) and t2 = (-c x y, s - c y y, -y), with s = 1 for z >= 0 and -1 below,
    /// c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
    DRY_FRICTION_BOX = 2,
}

/// What follows the solver.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_projection {
    /// Nothing.
    DRY_PROJECTION_OFF = 0,
    /// What sticks becomes an exact constraint, so that nothing creeps: friction and rolling below their bounds, closed
    /// contacts, bilateral rows. Taken where the residual falls by it, island by island. Costs next to nothing at rest,
    /// and far more than the sweeps in large piles that still move.
    DRY_PROJECTION_STICK = 1,
}

/// The elastic law that makes contact forces unique: among all that move the bodies alike, those that stiff elastic
/// contacts carry. It runs on the answer of the solver, per island, and changes neither velocities nor normal_force and
/// friction_force. Relative stiffness: the two moduli of the materials in series, or the pair's own.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatibility {
    /// No correction.
    DRY_COMPATIBILITY_OFF = 0,
    /// Linear contacts.
    DRY_COMPATIBILITY_HOOKE = 1,
    /// Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii of curvature. Two flat
    /// places have no radius: there it is that of the materials.
    DRY_COMPATIBILITY_HERTZ = 2,
    /// Contacts of any exponent above 1, compatibility_exponent: 2 is linear.
    DRY_COMPATIBILITY_POWER = 3,
}

/// What the correction does with friction. Both forms keep friction within its bounds, and agree where nothing slides.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatible_friction {
    /// Leaves it as the solver found it; the report counts contacts whose bound it exceeds then.
    DRY_COMPATIBLE_FRICTION_OFF = 0,
    /// Corrects it in the convex form, in which what slides is pressed apart.
    DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1,
    /// Corrects it to the limit of stiff elastic contacts under a load that grows in proportion. Where that is not
    /// found, the convex form stands, and the report says so (associated_islands).
    DRY_COMPATIBLE_FRICTION_ELASTIC = 2,
}
