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

/// How the contact problem of a step is solved. Offered in this version: DRY_SOLVER_PGS.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_solver_kind {
    /// Projected Gauss-Seidel: sweeps over the contacts, each solved on its own.
    DRY_SOLVER_PGS = 0,
    /// The same, accelerated by mixing the last sweeps. Not offered yet.
    DRY_SOLVER_PGS_ACCELERATED = 1,
    /// Proximal point and semismooth Newton steps: slower, accurate. Not offered yet.
    DRY_SOLVER_NEWTON = 2,
    /// Accelerated projected gradient, for associated friction. Not offered yet.
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
    /// In the order of the pairs of bodies.
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
    /// From the compatible forces of the last step. Not offered yet.
    DRY_WARM_COMPATIBLE = 6,
}

/// The law of friction. Offered in this version: DRY_FRICTION_COULOMB.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_friction_law {
    /// Coulomb's law on the round cone: friction opposes sliding.
    DRY_FRICTION_COULOMB = 0,
    /// The convex law, which lifts what slides. Not offered yet.
    DRY_FRICTION_ASSOCIATED = 1,
    /// Two bounded rows, as legacy solvers. Not offered yet.
    DRY_FRICTION_BOX = 2,
}

/// What follows the sweeps. Offered in this version: DRY_PROJECTION_OFF.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_projection {
    /// Nothing.
    DRY_PROJECTION_OFF = 0,
    /// Sticking contacts become exact constraints, so that nothing creeps. Not offered yet.
    DRY_PROJECTION_STICK = 1,
}

/// The elastic law that makes contact forces unique. Offered in this version: DRY_COMPATIBILITY_OFF.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatibility {
    /// No correction.
    DRY_COMPATIBILITY_OFF = 0,
    /// Linear contacts. Not offered yet.
    DRY_COMPATIBILITY_HOOKE = 1,
    /// Hertz contacts, exponent 5/2. Not offered yet.
    DRY_COMPATIBILITY_HERTZ = 2,
    /// Contacts of any exponent. Not offered yet.
    DRY_COMPATIBILITY_POWER = 3,
}

/// What the correction does with friction. Offered in this version: DRY_COMPATIBLE_FRICTION_OFF.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatible_friction {
    /// Leaves it as the solver found it.
    DRY_COMPATIBLE_FRICTION_OFF = 0,
    /// Corrects it in the convex form. Not offered yet.
    DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1,
    /// Corrects it to the limit of stiff elastic contacts. Not offered yet.
    DRY_COMPATIBLE_FRICTION_ELASTIC = 2,
}
