//! Materials, and what holds between two of them.

use crate::contact::material::{Material, Pair};
use crate::id::Handle;

use super::guard;
use super::handle::{self, dry_material, dry_world};
use super::status_code::dry_status;
use super::structure::{self, same_members, structure};

/// A material of bodies. Filled in by dry_material_def_init; grows at its end.
///
/// Between two materials friction, rolling and twisting friction are the geometric mean, and restitution is the
/// larger one. dry_material_pair_set can set other values.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_material_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Coulomb's coefficient, 0 or above [-]. Default 0.5.
    pub friction: f64,
    /// Coefficient of rolling resistance, 0 or above [-]. The torque against rolling is at most rolling_friction
    /// times r* times the normal force. Here r* = r_a r_b / (r_a + r_b), from the radii of curvature of the two
    /// shapes where they touch. Spheres, capsules and cylinders on their side have such a radius. All other places are
    /// flat, and the radius of the other shape alone counts. Two flat places do not resist rolling. Default 0.
    pub rolling_friction: f64,
    /// Coefficient of twisting resistance, 0 or above [-]: the same for the torque about the normal, against spinning on
    /// the spot. Two flat places resist that by friction at their contact points alone. Default 0.
    pub twisting_friction: f64,
    /// Speed of rebound over speed of impact, 0 to 1 [-]. Default 0. See restitution_threshold of dry_settings. With
    /// friction this law can create energy (Kane's paradox). If the contacts of an island would do work in sum, the
    /// restitution of the whole island is scaled down in that step until they do none. The step is then solved
    /// several times. In a step with a rebound, contacts of the island across a gap take restitution too. An impact
    /// that passes through gaps within contact_margin then keeps its energy with restitution 1. With DRY_METHOD_SPOOK it
    /// is the rebound in the impact stage. The elasticity of contacts adds to it, but spook_relaxation 2 of dry_settings
    /// leaves little of that once a step is near the time of a contact.
    pub restitution: f64,
    /// Above 0 [Pa]. With DRY_METHOD_SPOOK it gives contacts their stiffness; else only ratios between materials
    /// matter, and only to the compatibility correction. Default 1e9.
    pub young_modulus: f64,
    /// Above -1 and at most 0.5 [-]. Default 0.25.
    pub poisson_ratio: f64,
    /// Of bodies whose mass comes from their shape, above 0 [kg/m^3]. Default 1000.
    pub density: f64,
    /// The caller's own; drystone does not use it.
    pub user_data: u64,
    /// Of DRY_METHOD_SPOOK: the time c of the viscous part of a contact, 0 or above [s]. A Hertz contact carries k
    /// (delta^(3/2) + c sqrt(delta) d(delta)/dt), by Hooke k (delta + c d(delta)/dt). Of two materials the larger c
    /// holds. In short steps two grains of reduced mass m that meet at the speed v rebound by 1 - 1.153 c (k/m)^(2/5)
    /// v^(1/5) of it. Once a step is near the time of a contact, spook_relaxation 2 of dry_settings removes most of the
    /// rebound, also with c = 0. Two grains that touch for 2.2 ms then keep 0.7 of their speed at steps of 0.1 ms, and
    /// 0.3 at 0.5 ms. Default 0.
    pub contact_damping: f64,
    /// Of DRY_METHOD_THETA: the stiffness of each contact point along its normal, 0 or above [N/m]. Default 0: rigid.
    /// Of two materials the compliances add up. Two faces that touch at four points are four times as stiff. Bodies
    /// should move by less than contact_margin in a step: a contact that is found late begins with the energy of its
    /// overlap.
    pub normal_stiffness: f64,
    /// The same across the normal, for friction that sticks [N/m]. Default 0: two thirds of normal_stiffness. Above 0
    /// only if that is. Not the member of dry_settings of this name, which is a ratio of the compatibility correction.
    pub tangential_stiffness: f64,
}

structure!(dry_material_def, contact_damping, normal_stiffness);

impl Default for dry_material_def {
    fn default() -> Self {
        let material = Material::default();
        same_members! { material {
            friction, rolling_friction, twisting_friction, restitution, young_modulus, poisson_ratio, density, user_data,
            contact_damping, normal_stiffness, tangential_stiffness,
        } into Self { struct_size: size_of::<Self>() } }
    }
}

impl From<&dry_material_def> for Material {
    fn from(def: &dry_material_def) -> Self {
        same_members! { def {
            friction, rolling_friction, twisting_friction, restitution, young_modulus, poisson_ratio, density, user_data,
            contact_damping, normal_stiffness, tangential_stiffness,
        } into Self {} }
    }
}

/// The values for a pair of materials, in place of the mixing rules. Filled in by dry_pair_def_init; grows at its
/// end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_pair_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// Coulomb's coefficient, 0 or above [-]. Default 0.5.
    pub friction: f64,
    /// As in dry_material_def [-]. Default 0.
    pub rolling_friction: f64,
    /// As in dry_material_def [-]. Default 0.
    pub twisting_friction: f64,
    /// Speed of rebound over speed of impact, 0 to 1 [-]. Default 0.
    pub restitution: f64,
    /// Of the compatibility correction, relative to other pairs, 0 or above. Default 0: from the moduli.
    pub stiffness: f64,
    /// Of DRY_METHOD_SPOOK: the stiffness k of each contact, 0 or above [N/m^1.5 with DRY_LAW_HERTZ, N/m with
    /// DRY_LAW_HOOKE]. Default 0: from the moduli and the radii; two flat places, which have no radius, take the
    /// radius of the bounding sphere of the smaller body for it.
    pub contact_stiffness: f64,
    /// As in dry_material_def [s]. Default 0.
    pub contact_damping: f64,
    /// As in dry_material_def [N/m]. Default 0: from the materials. INFINITY: rigid.
    pub normal_stiffness: f64,
    /// As in dry_material_def [N/m]. Default 0: two thirds of normal_stiffness where that is above 0, else from the
    /// materials. INFINITY: rigid.
    pub tangential_stiffness: f64,
}

structure!(dry_pair_def, contact_stiffness, normal_stiffness);

impl Default for dry_pair_def {
    fn default() -> Self {
        let pair = Pair::default();
        same_members! { pair {
            friction, rolling_friction, twisting_friction, restitution, stiffness, contact_stiffness, contact_damping,
            normal_stiffness, tangential_stiffness,
        } into Self { struct_size: size_of::<Self>() } }
    }
}

impl From<&dry_pair_def> for Pair {
    fn from(def: &dry_pair_def) -> Self {
        same_members! { def {
            friction, rolling_friction, twisting_friction, restitution, stiffness, contact_stiffness, contact_damping,
            normal_stiffness, tangential_stiffness,
        } into Self {} }
    }
}

/// Fills in the default material.
///
/// def: the structure of the caller.
/// size: sizeof(dry_material_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_material_def_init(def: *mut dry_material_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_material_def_init", || unsafe { structure::init("def", def, size) })
}

/// Adds a material to a world, which keeps it until the world ends.
///
/// def: read during the call.
/// material: receives its handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_material_add(
    world: *mut dry_world,
    def: *const dry_material_def,
    material: *mut dry_material,
) -> dry_status {
    guard::run("dry_material_add", || {
        // SAFETY: the host gives a structure of the size it says, and a place for a handle.
        let (world, def, place) =
            unsafe { (handle::of(world)?, structure::read("def", def)?, guard::output("material", material)?) };
        world.write(|world| world.add_material(Material::from(&def))).map(|added| place.write(added.0))
    })
}

/// Fills in the default values for a pair of materials.
///
/// def: the structure of the caller.
/// size: sizeof(dry_pair_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_pair_def_init(def: *mut dry_pair_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_pair_def_init", || unsafe { structure::init("def", def, size) })
}

/// Sets the values for a pair of materials, in either order, from the next step on.
///
/// first, second: materials of this world; 0 is the default material; they may be equal.
/// def: read during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_material_pair_set(
    world: *mut dry_world,
    first: dry_material,
    second: dry_material,
    def: *const dry_pair_def,
) -> dry_status {
    guard::run("dry_material_pair_set", || {
        // SAFETY: the host gives a structure of the size it says.
        let (world, def) = unsafe { (handle::of(world)?, structure::read("def", def)?) };
        world.write(|world| world.set_material_pair(Handle(first), Handle(second), Pair::from(&def)))
    })
}
