//! Every member of what a host describes, with a value that is not its default.
//!
//! The lists name all members of a structure: one with a new member does not compile until its list has it too.

use crate::body::{Definition, Kind, Lock};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::world::Settings;
use crate::world::settings::{
    Compatibility, CompatibleFriction, Diagnostics, ElasticLaw, FrictionLaw, JointSolver, LocalSolver, Method,
    Projection, SolverKind, Sweep, WarmStart,
};

/// The name of a member, and a function that gives it another value.
pub(crate) type Change<T> = (&'static str, fn(&mut T));

/// `changes!(Whole { member = value, ... } but { member, ... })`: a [`Change`] for each member. Those behind `but` are
/// left out. The structure is destructured without `..`, so that no member can be forgotten.
macro_rules! changes {
    ($whole:ident { $($member:ident = $value:expr),+ $(,)? } $(but { $($omitted:ident),+ })?) => {{
        let $whole { $($member: _,)+ $($($omitted: _),+)? } = <$whole>::default();
        let changes: Vec<Change<$whole>> = vec![$((stringify!($member), |whole| whole.$member = $value)),+];
        changes
    }};
}
pub(crate) use changes;

/// Settings of which some are not offered: [`Settings::check`] refuses them.
pub(crate) fn setting() -> Vec<Change<Settings>> {
    changes!(Settings {
        method = Method::Theta,
        solver = SolverKind::Newton,
        sweep = Sweep::Natural,
        local_solver = LocalSolver::Rows,
        warm_start = WarmStart::Guarded,
        friction_law = FrictionLaw::Box,
        projection = Projection::Stick,
        compatibility = Compatibility::Hertz,
        compatible_friction = CompatibleFriction::Elastic,
        iterations = 3,
        projection_passes = 4,
        position_projection = false,
        sleeping = true,
        require_convergence = true,
        seed = 1,
        tolerance = 0.1,
        relaxation = 0.9,
        warm_start_factor = 0.5,
        theta = 0.75,
        compatibility_exponent = 2.5,
        compatibility_tolerance = 0.1,
        tangential_stiffness = 0.1,
        contact_margin = 0.1,
        push_out_velocity = 0.1,
        restitution_threshold = 0.1,
        newton_limit = 7,
        substeps = 2,
        joint_solver = JointSolver::Rows,
        joint_aim = false,
        contact_law = ElasticLaw::Hooke,
        diagnostics = Diagnostics { energy: true, residuals: false },
        spook_relaxation = 1.0,
        regularisation = 0.0,
    })
}

/// A body; the handles are of no world.
pub(crate) fn definition() -> Vec<Change<Definition>> {
    changes!(Definition {
        kind = Kind::Static,
        lock = Lock(1),
        shape = Handle(77),
        material = Handle(78),
        position = [1.0, 0.0, 0.0],
        rotation = [0.0, 0.0, 1.0, 0.0],
        linear_velocity = [1.0, 0.0, 0.0],
        angular_velocity = [1.0, 0.0, 0.0],
        mass = 2.0,
        center_of_mass = [0.1, 0.0, 0.0],
        inertia = [0.1, 0.1, 0.11, 0.0, 0.0, 0.0],
        gravity_scale = 0.5,
        linear_damping = 0.5,
        angular_damping = 0.5,
        filter_category = 2,
        filter_mask = 2,
        filter_group = 2,
        user_data = 2,
    })
}

/// A material.
pub(crate) fn material() -> Vec<Change<Material>> {
    changes!(Material {
        friction = 0.25,
        rolling_friction = 0.25,
        twisting_friction = 0.25,
        restitution = 0.25,
        young_modulus = 2.0,
        poisson_ratio = 0.125,
        density = 2.0,
        user_data = 2,
        contact_damping = 0.5,
        normal_stiffness = 2.0,
        // Alone it is refused.
    } but { tangential_stiffness })
}

/// A pair of materials.
pub(crate) fn pair() -> Vec<Change<Pair>> {
    changes!(Pair {
        friction = 0.25,
        rolling_friction = 0.25,
        twisting_friction = 0.25,
        restitution = 0.25,
        stiffness = 2.0,
        contact_stiffness = 2.0,
        contact_damping = 0.5,
        normal_stiffness = 2.0,
        tangential_stiffness = 2.0,
    })
}

/// The default with one change, which must be one.
pub(crate) fn changed<T: Default + PartialEq + std::fmt::Debug>((name, change): &Change<T>) -> T {
    let mut whole = T::default();
    change(&mut whole);
    assert_ne!(whole, T::default(), "{name}");
    whole
}
