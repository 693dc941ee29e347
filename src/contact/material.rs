//! Materials, and the coefficients between two of them.
//!
//! Mixing rules: friction, rolling and twisting are geometric means; of restitution and damping the larger one counts. Values that the host
//! sets for a pair replace them.

use crate::error::{Result, finite, in_range, not_negative, positive, reserve, text};
use crate::id::{Entity, Handle, Registry};
use crate::math::elementary::square;
use crate::math::limits;
use crate::visit::{Reader, State, StateVisitor, format_error, state};

/// The tangential stiffness of a contact point over its normal stiffness, if none is given [-].
const SHEAR: f64 = 2.0 / 3.0;

/// A material of bodies. `dry_material_def` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_material_def`
pub struct Material {
    pub friction: f64,
    pub rolling_friction: f64,
    pub twisting_friction: f64,
    pub restitution: f64,
    pub young_modulus: f64,
    pub poisson_ratio: f64,
    pub density: f64,
    pub user_data: u64,
    pub contact_damping: f64,
    pub normal_stiffness: f64,
    pub tangential_stiffness: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: 0.5,
            rolling_friction: 0.0,
            twisting_friction: 0.0,
            restitution: 0.0,
            young_modulus: 1e9,
            poisson_ratio: 0.25,
            density: 1000.0,
            user_data: 0,
            contact_damping: 0.0,
            normal_stiffness: 0.0,
            tangential_stiffness: 0.0,
        }
    }
}

impl Material {
    /// Refuses values that no material has.
    pub fn check(&self) -> Result<()> {
        check_surface(self.friction, self.rolling_friction, self.twisting_friction, self.restitution)?;
        positive("young_modulus", self.young_modulus)?;
        let nu = self.poisson_ratio;
        finite("poisson_ratio", nu)?;
        in_range("poisson_ratio", nu, nu > -1.0 && nu <= 0.5, "a number above -1 and at most 0.5")?;
        positive("density", self.density)?;
        not_negative("contact_damping", self.contact_damping)?;
        limits::stiffness("normal_stiffness", self.normal_stiffness)?;
        let shear = self.tangential_stiffness;
        limits::stiffness("tangential_stiffness", shear)?;
        let is_valid = shear == 0.0 || self.normal_stiffness > 0.0;
        in_range("tangential_stiffness", shear, is_valid, "0 where normal_stiffness is 0")
    }

    /// The compliances of a contact point along the normal and across it; 0 where it is rigid [m/N].
    fn point_compliance(&self) -> [f64; 2] {
        if self.normal_stiffness == 0.0 {
            return [0.0; 2];
        }
        let shear =
            if self.tangential_stiffness > 0.0 { self.tangential_stiffness } else { SHEAR * self.normal_stiffness };
        [self.normal_stiffness, shear].map(|stiffness| 1.0 / stiffness)
    }
}

state!(Material {
    friction,
    rolling_friction,
    twisting_friction,
    restitution,
    young_modulus,
    poisson_ratio,
    density,
    user_data,
    contact_damping,
    normal_stiffness,
    tangential_stiffness,
});

/// The coefficients between two materials. `dry_pair_def` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_pair_def`
pub struct Pair {
    pub friction: f64,
    pub rolling_friction: f64,
    pub twisting_friction: f64,
    pub restitution: f64,
    pub stiffness: f64,
    pub contact_stiffness: f64,
    pub contact_damping: f64,
    pub normal_stiffness: f64,
    pub tangential_stiffness: f64,
}

impl Default for Pair {
    fn default() -> Self {
        Self {
            friction: 0.5,
            rolling_friction: 0.0,
            twisting_friction: 0.0,
            restitution: 0.0,
            stiffness: 0.0,
            contact_stiffness: 0.0,
            contact_damping: 0.0,
            normal_stiffness: 0.0,
            tangential_stiffness: 0.0,
        }
    }
}

impl Pair {
    /// Whether bodies of these materials resist turning on each other.
    #[inline]
    pub fn resists_turning(&self) -> bool {
        self.rolling_friction > 0.0 || self.twisting_friction > 0.0
    }

    /// Returns the coefficients between two materials by the mixing rules, without stiffnesses.
    fn mixed(a: &Material, b: &Material) -> Self {
        Self {
            friction: geometric_mean(a.friction, b.friction),
            rolling_friction: geometric_mean(a.rolling_friction, b.rolling_friction),
            twisting_friction: geometric_mean(a.twisting_friction, b.twisting_friction),
            restitution: a.restitution.max(b.restitution),
            stiffness: 0.0,
            contact_stiffness: 0.0,
            contact_damping: a.contact_damping.max(b.contact_damping),
            normal_stiffness: 0.0,
            tangential_stiffness: 0.0,
        }
    }

    /// Refuses values that no pair has.
    pub fn check(&self) -> Result<()> {
        check_surface(self.friction, self.rolling_friction, self.twisting_friction, self.restitution)?;
        not_negative("stiffness", self.stiffness)?;
        not_negative("contact_stiffness", self.contact_stiffness)?;
        not_negative("contact_damping", self.contact_damping)?;
        let rigid_or = |name, value| if value == f64::INFINITY { Ok(()) } else { limits::stiffness(name, value) };
        rigid_or("normal_stiffness", self.normal_stiffness)?;
        rigid_or("tangential_stiffness", self.tangential_stiffness)
    }
}

state!(unbounded Pair {
    friction,
    rolling_friction,
    twisting_friction,
    restitution,
    stiffness,
    contact_stiffness,
    contact_damping,
    normal_stiffness,
    tangential_stiffness,
});

fn check_surface(friction: f64, rolling: f64, twisting: f64, restitution: f64) -> Result<()> {
    not_negative("friction", friction)?;
    not_negative("rolling_friction", rolling)?;
    not_negative("twisting_friction", twisting)?;
    not_negative("restitution", restitution)?;
    in_range("restitution", restitution, restitution <= 1.0, "a number from 0 to 1")
}

/// The materials of a world and the pairs set by its host. Slot 0 is the default material, which [`Handle::NULL`] names.
#[derive(Debug, Clone)]
pub struct Materials {
    registry: Registry,
    pub(super) materials: Vec<Material>,
    /// Sorted by slots, the smaller one first.
    pub(super) pairs: Vec<((u32, u32), Pair)>,
}

impl Materials {
    /// The default material alone.
    pub fn new() -> Result<Self> {
        let mut all = Self { registry: Registry::new(Entity::Material), materials: Vec::new(), pairs: Vec::new() };
        all.add(Material::default())?;
        Ok(all)
    }

    /// A copy, as far as there is memory for it.
    pub fn try_clone(&self) -> Result<Self> {
        let mut copy = Self { registry: self.registry.try_clone()?, materials: Vec::new(), pairs: Vec::new() };
        reserve(&mut copy.materials, self.materials.len(), "materials")?;
        copy.materials.extend_from_slice(&self.materials);
        reserve(&mut copy.pairs, self.pairs.len(), "material pairs")?;
        copy.pairs.extend_from_slice(&self.pairs);
        Ok(copy)
    }

    /// Adds a material.
    pub fn add(&mut self, material: Material) -> Result<Handle> {
        material.check()?;
        reserve(&mut self.materials, 1, "materials")?;
        self.registry.reserve(1)?;
        self.materials.push(material);
        Ok(self.registry.insert().1)
    }

    /// The slot of a material; null is the default one.
    pub fn slot(&self, name: &str, handle: Handle) -> Result<usize> {
        if handle == Handle::NULL { Ok(0) } else { self.registry.slot(name, handle) }
    }

    /// How many materials there are.
    pub fn len(&self) -> usize {
        self.materials.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.materials.is_empty()
    }

    /// The material in `slot`.
    pub fn get(&self, slot: usize) -> &Material {
        &self.materials[slot]
    }

    /// Sets the coefficients between two materials, in place of the mixing rules.
    pub fn set_pair(&mut self, first: usize, second: usize, pair: Pair) -> Result<()> {
        pair.check()?;
        match self.find_pair(first, second) {
            Ok(at) => self.pairs[at].1 = pair,
            Err(at) => {
                reserve(&mut self.pairs, 1, "material pairs")?;
                self.pairs.insert(at, (pair_key(first, second), pair));
            }
        }
        Ok(())
    }

    /// Returns the index of the host's pair of two slots, or the index at which to insert it.
    fn find_pair(&self, first: usize, second: usize) -> std::result::Result<usize, usize> {
        self.pairs.binary_search_by_key(&pair_key(first, second), |entry| entry.0)
    }

    /// Returns the coefficients between the materials in two slots. The stiffness is above 0.
    pub fn pair(&self, first: usize, second: usize) -> Pair {
        let (a, b) = (&self.materials[first], &self.materials[second]);
        let mut pair = self.find_pair(first, second).map_or_else(|_| Pair::mixed(a, b), |at| self.pairs[at].1);
        if pair.stiffness == 0.0 {
            // Two springs in series, [K] 8.2.2.
            pair.stiffness = within_numbers(1.0 / (1.0 / a.young_modulus + 1.0 / b.young_modulus));
        }
        pair
    }

    /// The stiffness of each contact point of the materials in two slots, along the normal and across it; infinite where it is rigid [N/m].
    pub fn point_stiffness(&self, first: usize, second: usize) -> [f64; 2] {
        let of = |slot: usize| self.materials[slot].point_compliance();
        let ([a_n, a_t], [b_n, b_t]) = (of(first), of(second));
        // Two springs in series.
        let [normal, tangential] = [a_n + b_n, a_t + b_t].map(|compliance| 1.0 / compliance);
        let Ok(at) = self.find_pair(first, second) else { return [normal, tangential] };
        let Pair { normal_stiffness: own, tangential_stiffness: own_shear, .. } = self.pairs[at].1;
        let along = if own > 0.0 { own } else { normal };
        let across = match own_shear {
            0.0 if own > 0.0 => SHEAR * own,
            0.0 => tangential,
            _ => own_shear,
        };
        [along, across]
    }

    /// Returns whether the host set the relative stiffness of the pair in two slots.
    pub fn is_stiffness_given(&self, first: usize, second: usize) -> bool {
        self.find_pair(first, second).is_ok_and(|at| self.pairs[at].1.stiffness > 0.0)
    }

    /// `1/E*` of the materials in two slots, `sum (1 - nu^2) / E` [1/Pa].
    pub fn effective_compliance(&self, first: usize, second: usize) -> f64 {
        let compliance = |material: &Material| (1.0 - square(material.poisson_ratio)) / material.young_modulus;
        compliance(&self.materials[first]) + compliance(&self.materials[second])
    }

    /// Whether bodies of any two materials may resist turning on each other.
    pub fn resist_turning(&self) -> bool {
        let resists = |material: &Material| material.rolling_friction > 0.0 || material.twisting_friction > 0.0;
        self.materials.iter().any(resists) || self.pairs.iter().any(|(_, pair)| pair.resists_turning())
    }

    /// Whether bodies of any two materials may rebound.
    pub fn rebound(&self) -> bool {
        self.materials.iter().any(|material| material.restitution > 0.0)
            || self.pairs.iter().any(|(_, pair)| pair.restitution > 0.0)
    }

    /// Reads all materials and all pairs.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such materials.
    pub fn load(reader: &mut Reader) -> Result<Self> {
        let registry = Registry::load(reader, Entity::Material, size_of::<u32>())?;
        let materials = reader.sequence("materials", size_of::<u64>(), |reader| {
            let material = Material::read(reader)?;
            material.check().map(|()| material)
        })?;
        let count = materials.len();
        if count == 0 || count != registry.slots() || registry.untaken() > 0 {
            return Err(format_error(text!("{count} materials do not fit their handles")));
        }
        let pairs = reader.sequence("pairs", size_of::<u64>(), |reader| {
            let (slots, pair) = <((u32, u32), Pair)>::read(reader)?;
            let holds = slots.0 <= slots.1 && (slots.1 as usize) < count;
            pair.check()?;
            if holds { Ok((slots, pair)) } else { Err(format_error(text!("materials {slots:?} are no pair"))) }
        })?;
        if pairs.is_sorted_by(|a, b| a.0 < b.0) {
            return Ok(Self { registry, materials, pairs });
        }
        Err(format_error("pairs of materials do not ascend"))
    }

    /// Visits all materials and all pairs.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { registry, materials, pairs } = self;
        registry.visit_state(visitor);
        visitor.length(materials.len());
        materials.iter().for_each(|material| material.visit_state(visitor));
        visitor.length(pairs.len());
        for ((first, second), pair) in pairs {
            visitor.half(*first);
            visitor.half(*second);
            pair.visit_state(visitor);
        }
    }
}

fn pair_key(first: usize, second: usize) -> (u32, u32) {
    (first.min(second) as u32, first.max(second) as u32)
}

/// Clamps a stiffness, so that it is neither 0 nor infinite for any materials.
pub(super) fn within_numbers(stiffness: f64) -> f64 {
    stiffness.clamp(f64::MIN_POSITIVE, f64::MAX)
}

/// Returns the geometric mean. It is exact for equal arguments, also where `a * a` would overflow or underflow.
fn geometric_mean(a: f64, b: f64) -> f64 {
    if a == b { a } else { a.sqrt() * b.sqrt() }
}
