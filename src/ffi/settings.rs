//! The settings of a world, and their enumerations. A value that comes from C is an integer until it has been checked.

use std::mem::MaybeUninit;

use super::guard;
use super::status_code::dry_status;
use super::structure::{self, number, numbered, same_members, structure};
use crate::error::{Error, Result, text};
use crate::world::settings::{
    Compatibility, CompatibleFriction, Diagnostics, ElasticLaw, FrictionLaw, JointSolver, LocalSolver, Method,
    Projection, Settings, SolverKind, Sweep, WarmStart,
};

/// How contacts act on bodies.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_method {
    /// Rigid contacts: no overlap, no elasticity.
    DRY_METHOD_RIGID = 0,
    /// Elastic contacts of given stiffness, with an integrator that is stable for any of them: SPOOK. Overlap carries
    /// the load: at rest each contact has the force of contact_law, whatever the step, and forces are unique.
    /// Contacts across a gap have none. Impacts faster than restitution_threshold are solved first, in a stage before
    /// the forces act. All contacts that touch belong to that stage: fast ones have their restitution, others have
    /// none. Overlap is not undone: position_projection and push_out_velocity are not used. Neither is compatibility,
    /// since compatible forces are those of the contacts. Bodies should overlap by a few percent at most: choose
    /// young_modulus or contact_stiffness by the load, not by the material alone.
    DRY_METHOD_SPOOK = 1,
    /// Rigid and elastic contacts in one world, with the theta method: bodies move with theta times their velocity
    /// after the step and 1 - theta times that before it. Contacts are elastic where the materials have a
    /// normal_stiffness. Their normal force is that stiffness times the overlap at the end of the step. Friction that
    /// sticks is a spring too, whose force is remembered and turns with the bodies. Forces are unique. The swings of
    /// an elastic contact that stays closed decrease by the factor (1 + theta h^2 k/m)^(-1/2) in each step. The method
    /// ignores restitution: a rigid contact turns back (1 - theta)/theta of its velocity. Where it sticks, this holds
    /// tangentially too, so at 0.5 it goes on ringing. Overlap of rigid contacts is undone as by DRY_METHOD_RIGID.
    /// There is no compatibility correction.
    DRY_METHOD_THETA = 2,
}

/// How the force of a compliant contact grows with its overlap delta. Of DRY_METHOD_SPOOK.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_contact_law {
    /// k delta^(3/2), with k = (4/3) E* sqrt(r*) [N/m^1.5].
    DRY_LAW_HERTZ = 0,
    /// k delta, with k = E* r* [N/m].
    DRY_LAW_HOOKE = 1,
}

/// dry_settings.diagnostics: the step sums up its energies, for the members of the report from elastic_energy on.
/// Costs about as much as one sweep.
pub const DRY_DIAGNOSE_ENERGY: u32 = 1u32;
/// dry_settings.diagnostics: the step measures its residuals by kind of row: residual_normal, residual_friction and
/// residual_rolling of the report.
pub const DRY_DIAGNOSE_RESIDUALS: u32 = 2u32;

/// How the contact problem of a step is solved, island by island.
///
/// All stop at the tolerance and report the true residual. DRY_SOLVER_PGS with a tolerance above 0, and the others
/// always, return no larger residual than that of their start.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_solver_kind {
    /// Projected Gauss-Seidel: sweeps over the contacts, each solved on its own. 50 sweeps where iterations is 0.
    DRY_SOLVER_PGS = 0,
    /// The same, extrapolated from the last sweeps: up to tens of times fewer of them to a small tolerance. 50
    /// sweeps where iterations is 0.
    DRY_SOLVER_PGS_ACCELERATED = 1,
    /// Proximal point and semismooth Newton steps: to round-off where sweeps stall, for islands of up to some
    /// thousand contacts; see newton_limit. Up to 1000 steps where iterations is 0; it ends when it can do no
    /// better.
    DRY_SOLVER_NEWTON = 2,
    /// Accelerated projected gradient. It needs no factorisation. 500 steps where iterations is 0. Memory and the time
    /// of a step are in proportion to the contacts.
    DRY_SOLVER_APGD = 3,
    /// Interior points on the convex problem of DRY_FRICTION_ASSOCIATED, then Newton steps. It takes some 10 to 40
    /// steps from any start, also where masses differ much, and reaches 1e-13 of the speeds. Each step factors a
    /// matrix of six rows per body. Other laws of friction are refused, and so are problems without bodies. Islands
    /// with rows that bound other rows, or with a ball joint that has dry friction, are solved by
    /// DRY_SOLVER_PGS_ACCELERATED (DRY_REPORT_FALLBACK). See DRY_REPORT_INFEASIBLE.
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
    /// Alternately forward and backward.
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
    /// From what the law of each contact gives at its overlap, along the normals. Of DRY_METHOD_SPOOK; own contacts have
    /// no such law.
    DRY_WARM_MODEL = 2,
    /// From the normal impulses of the last step, without friction.
    DRY_WARM_NORMALS = 3,
    /// From those of the last step, not applied to the velocities. Only for comparison: it fails.
    DRY_WARM_HISTORY_NO_VELOCITY = 4,
    /// From those of the last step, scaled so that the start is never worse than zero.
    DRY_WARM_GUARDED = 5,
    /// From the compatible forces of the last step; without a correction the same as DRY_WARM_HISTORY.
    DRY_WARM_COMPATIBLE = 6,
}

/// The law of friction.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_friction_law {
    /// Coulomb's law on the round cone: friction opposes sliding.
    DRY_FRICTION_COULOMB = 0,
    /// The convex law on the same cone: sliding lifts bodies. A sliding contact opens along the normal with friction
    /// times its sliding speed, and likewise by rolling and twisting at their bounds. Contacts that stick are as with
    /// DRY_FRICTION_COULOMB. The step is one convex programme, so its velocities are unique, but sliding of rigid
    /// contacts loses no energy. A contact across a gap up to contact_margin acts before it closes where friction
    /// times the sliding speed times the step is above the gap that is left. Contacts that stick to bodies that turn
    /// drift along them by the error of a step.
    DRY_FRICTION_ASSOCIATED = 1,
    /// Two rows across the normal, each bounded by friction times the normal impulse, as legacy solvers have them:
    /// along the diagonals the friction bound is sqrt(2) times as large. For a normal (x, y, z) the first row lies
    /// along t1 = (1 - s c x x, -s c x y, -s x). The second row lies along t2 = (-c x y, s - c y y, -y). Here s is 1
    /// for z >= 0 and -1 below, and c = 1 / (s + z). Rolling about t1, about t2 and twisting are bounded rows too.
    DRY_FRICTION_BOX = 2,
}

/// The islands for which the stick projection follows the solver. An island is a group of bodies that touch. The
/// projection turns what sticks into exact constraints, so that nothing creeps: friction and rolling below their
/// bounds, closed contacts, bilateral rows. Its result is used where it lowers the residual.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_projection {
    /// None.
    DRY_PROJECTION_OFF = 0,
    /// All islands. Costs next to nothing at rest, and far more than the sweeps in large piles that still move. Choose
    /// it for heavy bodies on light ones, above 100 : 1: 10^4 kg rest on 1 kg.
    DRY_PROJECTION_STICK = 1,
    /// Those for which it pays, so that stacks, walls and towers stand. These are islands of at most 2000 bodies whose
    /// residual is above that of rest, and above the tolerance. The projection takes at most a tenth of the work of
    /// their sweeps, and as much as these in islands of up to 64 bodies without joints. Another island that it did not
    /// bring to rest has to wait. Work is counted, not timed: the choice is the same on every machine.
    /// DRY_REPORT_PROJECTION_REJECTED is never set. Problems without bodies are solved as with DRY_PROJECTION_OFF.
    DRY_PROJECTION_AUTO = 2,
}

/// The elastic law that makes contact forces unique. Among all forces that move the bodies in the same way, it
/// selects those that stiff elastic contacts carry. In dry_solver_solve the rows of own problems hold the
/// displacements of these contacts: without compliance rigidly, else as springs, within their bounds. A row that
/// rests at a bound and moves away from it, at more than closing_velocity of the report, keeps its impulse. So do
/// rows that scale bounds, and rows whose bounds are scaled or exclude 0. The correction runs on the answer of the
/// solver, per island, and changes neither velocities nor normal_force and friction_force. Relative stiffness: the
/// two moduli of the materials in series, or the pair's own.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatibility {
    /// No correction.
    DRY_COMPATIBILITY_OFF = 0,
    /// Linear contacts.
    DRY_COMPATIBILITY_HOOKE = 1,
    /// Hertz contacts, exponent 5/2: stiffness (4/3) E* sqrt(r*) of both materials and the radii of curvature. Two
    /// flat places have no radius: there it is that of the materials.
    DRY_COMPATIBILITY_HERTZ = 2,
    /// Contacts of any exponent above 1, compatibility_exponent: 2 is linear.
    DRY_COMPATIBILITY_POWER = 3,
}

/// How the correction treats friction. The convex and the elastic form keep friction within its bounds, and agree
/// where nothing slides.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_compatible_friction {
    /// Keeps the friction of the solver, so forces are not unique where there is friction. The report counts contacts
    /// where friction then exceeds its bound.
    DRY_COMPATIBLE_FRICTION_OFF = 0,
    /// Corrects it in the convex form, in which sliding contacts are pressed apart.
    DRY_COMPATIBLE_FRICTION_ASSOCIATED = 1,
    /// Corrects it to the limit of stiff elastic contacts under a load that grows in proportion. Where the correction
    /// does not find that limit, the convex form holds. The report counts such islands (associated_islands).
    DRY_COMPATIBLE_FRICTION_ELASTIC = 2,
    /// DRY_COMPATIBLE_FRICTION_ASSOCIATED in islands that have friction. Elsewhere all forms give the same forces,
    /// and the normal ones alone are corrected.
    DRY_COMPATIBLE_FRICTION_AUTO = 3,
}

/// How joints are solved, and the rows without bounds of own problems.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_joint_solver {
    /// Bodies that joints connect are solved as one mechanism, exactly and for any number of sweeps. Contacts meet
    /// its true inertia: that of the arm behind the bucket. Sweeps visit its contacts, and its bounds, motors with
    /// bounds and friction. A mechanism with many of them is solved as by DRY_JOINTS_ROWS: where six for each of its
    /// bodies with contacts, and one for each of these rows, are above 128.
    DRY_JOINTS_SPLIT = 0,
    /// The rows of joints are swept like contacts. Faster where thousands of bodies hang together in loops; long
    /// chains, and light bodies between heavy ones, need many sweeps.
    DRY_JOINTS_ROWS = 1,
}

/// How a world steps. Filled in by dry_settings_init; grows at its end.
///
/// Every member is checked, also where the chosen method and solver do not use it. Some members are otherwise
/// ignored:
///
/// * theta: with any method other than DRY_METHOD_THETA.
/// * seed: with any sweep other than DRY_SWEEP_RANDOM.
/// * warm_start_factor: with DRY_WARM_OFF and DRY_WARM_GUARDED.
/// * projection_passes: with DRY_PROJECTION_OFF.
/// * newton_limit: with any solver other than DRY_SOLVER_NEWTON.
/// * sweep and relaxation: with DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and DRY_SOLVER_CONIC. The sweeps of the projection
///   and of islands above newton_limit still use them.
/// * compatible_friction, compatibility_tolerance and tangential_stiffness: with DRY_COMPATIBILITY_OFF.
/// * compatibility_exponent: with any compatibility other than DRY_COMPATIBILITY_POWER.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_settings {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// How contacts act on bodies; own contacts bring their compliance, and do not use it. Default DRY_METHOD_RIGID.
    pub method: MaybeUninit<dry_method>,
    /// How the contact problem is solved. Default DRY_SOLVER_PGS.
    pub solver: MaybeUninit<dry_solver_kind>,
    /// In which order contacts are visited. Default DRY_SWEEP_COLORED.
    pub sweep: MaybeUninit<dry_sweep>,
    /// How one contact is solved. Default DRY_LOCAL_BLOCK.
    pub local_solver: MaybeUninit<dry_local_solver>,
    /// Where impulses start. Default DRY_WARM_HISTORY.
    pub warm_start: MaybeUninit<dry_warm_start>,
    /// Default DRY_FRICTION_COULOMB.
    pub friction_law: MaybeUninit<dry_friction_law>,
    /// The projection that follows the sweeps. Default DRY_PROJECTION_AUTO.
    pub projection: MaybeUninit<dry_projection>,
    /// The law of the compatibility correction. Default DRY_COMPATIBILITY_OFF.
    pub compatibility: MaybeUninit<dry_compatibility>,
    /// How the correction treats friction. Default DRY_COMPATIBLE_FRICTION_AUTO.
    pub compatible_friction: MaybeUninit<dry_compatible_friction>,
    /// Most sweeps per step, or steps of Newton or of gradients. 0, the default: the number that dry_solver_kind gives,
    /// 50 for sweeps. Usual: 10 to 200. With too few, tall piles sink and forces do not balance between bodies; the
    /// reported residual shows it.
    pub iterations: u32,
    /// Of DRY_PROJECTION_STICK and DRY_PROJECTION_AUTO: most passes. Default 3; 0 is none at all.
    pub projection_passes: u32,
    /// Flag, default 1: overlap is undone by moving bodies after the step, so that it costs no force and no energy.
    /// A fifth of what overlaps at the end of a step is undone in it. Where two bodies touch at several points, up
    /// to a tenth of contact_margin is left for as long as the sweeps have not converged: it keeps stacks from
    /// rocking. 0: overlap is undone through the velocities, as legacy engines do, and reported forces contain it.
    pub position_projection: u32,
    /// Flag, default 0. 1: bodies that rest fall asleep and cost nothing until something wakes them. Bodies that
    /// touch fall asleep together; static bodies do not connect them. They fall asleep when all have been slow for
    /// half a second. A body is slow if no point of it is faster than 2 % of the speed that gravity gives a body in a
    /// substep. In that time no force of the host may act on them, and nothing that moves may touch them. A body
    /// alone without weight must be at rest exactly.
    ///
    /// A sleeping body has no velocity. Its last step determines its contacts, its forces and those on the bodies
    /// below it, whatever the length of later steps. They balance its weight to that 2 %, and as well as the sweeps
    /// had converged by then. Only the compatible forces of bodies that are awake are corrected.
    ///
    /// What wakes a body wakes all that fell asleep with it, at once. A moving body that comes within contact_margin
    /// wakes it, and the same step solves that contact. A force or torque that is not zero, a new state, and
    /// dry_body_wake wake it too. So does any change of a static or kinematic body on which it rests, or that comes
    /// to lie against it. So does the removal of a body that it touches. Bodies of a joint fall asleep and wake
    /// together. A motor whose target moves keeps them awake, and any change of the joint wakes them. Another
    /// gravity, other settings and another pair of materials wake all bodies. Keys and the impulses to start from
    /// outlast sleep.
    pub sleeping: u32,
    /// Flag, default 0. 1: a step whose largest residual stays above tolerance is undone and returns
    /// DRY_ERR_NOT_CONVERGED; its report is written. Needs a tolerance above 0.
    pub require_convergence: u32,
    /// Of DRY_SWEEP_RANDOM. Default 0; any number.
    pub seed: u64,
    /// The sweeps end when the largest residual over the contacts is below this [m/s]. Default 0: all sweeps are
    /// done; in islands of up to 64 contacts without rows they end where one only changes round-off. Usual: 1e-8 to
    /// 1e-4 of the speeds in play; below about 1e-15 of them round-off is in the way.
    pub tolerance: f64,
    /// Factor on the change of a contact's impulse, above 0 and below 2 [-]. Default 1. Below 1 sweeps converge more
    /// slowly; much above 1 they swing in stiff piles, and near 2 they add energy.
    pub relaxation: f64,
    /// Factor on the impulses that a step starts from, 0 to 1 [-]. Default 1. With less and few sweeps a pile rests on
    /// forces that are steadily too small; at 1 it may jitter instead.
    pub warm_start_factor: f64,
    /// Of DRY_METHOD_THETA: the weight of the velocity after the step, 0.5 to 1 [-]. Default 0.5. At 1 bodies move with
    /// it alone, and pressed bodies come to rest. At 0.5 elastic contacts with h^2 k/m far above 1 ring: they rebound
    /// with nearly no loss of energy.
    pub theta: f64,
    /// Of DRY_COMPATIBILITY_POWER, above 1 [-]. Default 2.
    pub compatibility_exponent: f64,
    /// Of the correction: how well compatible forces have the resultants of the solver's, relative, above 0 [-].
    /// Default 1e-10.
    pub compatibility_tolerance: f64,
    /// Tangential over normal stiffness of the correction, above 0 [-]. Default 2/7. Not the stiffness of this name in
    /// dry_material_def, which is that of the contacts of DRY_METHOD_THETA.
    pub tangential_stiffness: f64,
    /// Contacts are made up to this gap, 0 or above [m]. Default 1e-3. Choose 1 to 10 % of the smallest body, or the
    /// distance travelled in a step. A body that moves further in one step may overlap for a step. A wide margin
    /// costs contacts that carry nothing.
    pub contact_margin: f64,
    /// Largest speed at which overlap is undone, 0 or above [m/s]. Default 1. At 0 overlap stays; at large values
    /// bodies that were put into each other jump apart.
    pub push_out_velocity: f64,
    /// A contact approaching faster than this takes restitution, in the step in which it would close; 0 or above [m/s].
    /// Default 0.01. Near 0 a resting pile rattles; above the impact speeds nothing rebounds.
    pub restitution_threshold: f64,
    /// Of DRY_SOLVER_NEWTON: the largest island, counted in contacts and rows, that it solves. Larger ones are solved
    /// by DRY_SOLVER_PGS_ACCELERATED, and the report has the flag DRY_REPORT_FALLBACK. Default 10000. The same holds
    /// for islands with too many couplings: the operator has more than 8 million entries, or its factor takes more
    /// than 4e9 multiplications by prediction. It holds also where a ball joint has dry friction. A solve makes as
    /// many factors as iterations allow, and none beyond 2e12 multiplications in all.
    pub newton_limit: u32,
    /// The number of equal parts into which a step is divided, at most 1000. 0, the default, stands for 1. The contacts
    /// are found once in a step; iterations are those of a part, and forces are averages over the step. Usual: 4 to 20
    /// parts of a few iterations each, for chains and what moves fast.
    pub substeps: u32,
    /// How joints are solved. Default DRY_JOINTS_SPLIT. No effect on DRY_SOLVER_NEWTON, DRY_SOLVER_APGD and
    /// DRY_SOLVER_CONIC, which solve joints together with contacts, and with DRY_FRICTION_BOX, where they are swept.
    pub joint_solver: MaybeUninit<dry_joint_solver>,
    /// Flag, default 1: the rigid rows of joints are aimed, that is, they hold at the end of the step, so that swinging
    /// mechanisms keep their energy. 0: they hold at its beginning, and motion along curves loses energy, the more the
    /// longer the step.
    pub joint_aim: u32,
    /// Of DRY_METHOD_SPOOK: how the force of a contact grows with its overlap. Default DRY_LAW_HERTZ.
    pub contact_law: MaybeUninit<dry_contact_law>,
    /// DRY_DIAGNOSE_ bits: what a step measures beyond what it needs. Default 0.
    pub diagnostics: u32,
    /// Of DRY_METHOD_SPOOK: contacts are damped within this many substeps at least, 0 or above [-]. Default 2, which
    /// is stable with any step. It costs rebound once a step is near the time of a contact. For two grains that touch
    /// for 2.2 ms, restitution by elasticity is 0.7 at steps of 0.1 ms and 0.3 at 0.5 ms. Below 1 the step must be
    /// below a tenth of that time: else contacts gain energy.
    pub spook_relaxation: f64,
    /// Of DRY_METHOD_SPOOK: contacts that stick creep at this speed for each newton of friction, and turn for each
    /// newton metre of rolling or twisting resistance, 0 or above [m/(N s)]. Default 1e-6; 0: they stick exactly.
    pub regularisation: f64,
}

structure!(dry_settings, newton_limit, joint_solver, contact_law);

impl Default for dry_settings {
    fn default() -> Self {
        Self::from(&Settings::default())
    }
}

impl From<&Settings> for dry_settings {
    fn from(settings: &Settings) -> Self {
        same_members! { settings {
            iterations, projection_passes, seed, tolerance, relaxation, warm_start_factor, theta, compatibility_exponent,
            compatibility_tolerance, tangential_stiffness, contact_margin, push_out_velocity, restitution_threshold,
            newton_limit, spook_relaxation, regularisation,
        } into Self {
            struct_size: size_of::<Self>(),
            method: numbered(settings.method as u32),
            solver: numbered(settings.solver as u32),
            sweep: numbered(settings.sweep as u32),
            local_solver: numbered(settings.local_solver as u32),
            warm_start: numbered(settings.warm_start as u32),
            friction_law: numbered(settings.friction_law as u32),
            projection: numbered(settings.projection as u32),
            compatibility: numbered(settings.compatibility as u32),
            compatible_friction: numbered(settings.compatible_friction as u32),
            position_projection: settings.position_projection.into(),
            sleeping: settings.sleeping.into(),
            require_convergence: settings.require_convergence.into(),
            joint_solver: numbered(settings.joint_solver as u32),
            joint_aim: settings.joint_aim.into(),
            contact_law: numbered(settings.contact_law as u32),
            diagnostics: diagnostic_bits(settings.diagnostics),
            // 0 where an older host has a reserved member.
            substeps: if settings.substeps == 1 { 0 } else { settings.substeps },
        } }
    }
}

impl dry_settings {
    /// The settings behind the numbers. Ranges, and what is offered, the world checks.
    pub(super) fn checked(&self) -> Result<Settings> {
        Ok(same_members! { self {
            iterations, projection_passes, seed, tolerance, relaxation, warm_start_factor, theta, compatibility_exponent,
            compatibility_tolerance, tangential_stiffness, contact_margin, push_out_velocity, restitution_threshold,
            newton_limit, spook_relaxation, regularisation,
        } into Settings {
            method: chosen("method", "METHOD", self.method, Method::from_number)?,
            solver: chosen("solver", "SOLVER", self.solver, SolverKind::from_number)?,
            sweep: chosen("sweep", "SWEEP", self.sweep, Sweep::from_number)?,
            local_solver: chosen("local_solver", "LOCAL", self.local_solver, LocalSolver::from_number)?,
            warm_start: chosen("warm_start", "WARM", self.warm_start, WarmStart::from_number)?,
            friction_law: chosen("friction_law", "FRICTION", self.friction_law, FrictionLaw::from_number)?,
            projection: chosen("projection", "PROJECTION", self.projection, Projection::from_number)?,
            compatibility: chosen("compatibility", "COMPATIBILITY", self.compatibility, Compatibility::from_number)?,
            compatible_friction: chosen(
                "compatible_friction",
                "COMPATIBLE_FRICTION",
                self.compatible_friction,
                CompatibleFriction::from_number,
            )?,
            position_projection: structure::flag("position_projection", self.position_projection)?,
            sleeping: structure::flag("sleeping", self.sleeping)?,
            require_convergence: structure::flag("require_convergence", self.require_convergence)?,
            joint_solver: chosen("joint_solver", "JOINTS", self.joint_solver, JointSolver::from_number)?,
            joint_aim: structure::flag("joint_aim", self.joint_aim)?,
            contact_law: chosen("contact_law", "LAW", self.contact_law, ElasticLaw::from_number)?,
            diagnostics: diagnostics(self.diagnostics)?,
            substeps: self.substeps.max(1),
        } })
    }
}

fn diagnostic_bits(Diagnostics { energy, residuals }: Diagnostics) -> u32 {
    (u32::from(energy) * DRY_DIAGNOSE_ENERGY) | (u32::from(residuals) * DRY_DIAGNOSE_RESIDUALS)
}

fn diagnostics(bits: u32) -> Result<Diagnostics> {
    if bits & !(DRY_DIAGNOSE_ENERGY | DRY_DIAGNOSE_RESIDUALS) != 0 {
        return Err(Error::argument(text!("diagnostics is {bits:#x}, expected DRY_DIAGNOSE_ bits")));
    }
    Ok(Diagnostics { energy: bits & DRY_DIAGNOSE_ENERGY != 0, residuals: bits & DRY_DIAGNOSE_RESIDUALS != 0 })
}

fn chosen<C, T>(name: &str, family: &str, choice: MaybeUninit<C>, from: impl Fn(u32) -> Option<T>) -> Result<T> {
    let number = number(choice);
    from(number).ok_or_else(|| Error::argument(text!("{name} is {number}, expected a DRY_{family}_ constant")))
}

/// Fills in the default settings.
///
/// settings: the structure of the caller.
/// size: sizeof(dry_settings) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_settings_init(settings: *mut dry_settings, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_settings_init", || unsafe { structure::init("settings", settings, size) })
}
