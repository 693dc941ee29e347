//! What the contacts of a step carried, column by column: what few worlds need takes no room in the others.

use crate::contact::touch::{Load, Total};
use crate::error::{Result, reserve, resize};
use crate::math::Vec3;

/// What every contact has of its [`Load`]; a step reads it and writes it, so that it is kept small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// See [`Load::normal_impulse`].
    pub normal_impulse: f64,
    /// See [`Load::friction_impulse`].
    pub friction_impulse: Vec3,
    /// See [`Load::push`].
    pub push: f64,
    /// See [`Load::relative_velocity`].
    pub relative_velocity: Vec3,
    /// See [`Load::rebounds`].
    pub rebounds: bool,
    /// See [`Load::struck`].
    pub struck: bool,
    /// See [`Load::is_new`].
    pub is_new: bool,
}

/// What a contact has besides where something resists turning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turned {
    /// See [`Load::torque_impulse`].
    pub torque_impulse: Vec3,
    /// See [`Load::rolling_speed`].
    pub rolling_speed: f64,
}

/// What the compatibility correction made of the impulses of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compatible {
    /// See [`Load::compatible_normal`].
    pub normal: f64,
    /// See [`Load::compatible_friction`].
    pub friction: Vec3,
}

/// What contacts carried; parallel to the list of them.
#[derive(Debug, Clone, Default)]
pub struct Loads {
    /// One for each.
    pub carried: Vec<Carried>,
    /// One for each, or none where nothing resists turning.
    pub turned: Vec<Turned>,
    /// Their impulses summed over the step, one for each; none where it had a single substep, whose impulses they are.
    pub totals: Vec<Total>,
    /// One for each, or none without a correction.
    pub compatible: Vec<Compatible>,
}

impl Carried {
    /// Of a contact that was not there.
    pub const NONE: Self = Self {
        normal_impulse: 0.0,
        friction_impulse: Vec3::new(0.0, 0.0, 0.0),
        push: 0.0,
        relative_velocity: Vec3::new(0.0, 0.0, 0.0),
        rebounds: false,
        struck: false,
        is_new: false,
    };
}

impl Turned {
    /// Where nothing resists turning.
    pub const NONE: Self = Self { torque_impulse: Vec3::new(0.0, 0.0, 0.0), rolling_speed: 0.0 };
}

impl Loads {
    /// Makes room for the contacts of a step; what is there already is written over.
    pub fn begin(&mut self, count: usize) -> Result<()> {
        self.carried.truncate(count);
        resize(&mut self.carried, count, Carried::NONE, "contacts")?;
        self.totals.clear();
        self.compatible.clear();
        Ok(())
    }

    /// The same for torques, if contacts of the step have any.
    pub fn begin_turning(&mut self, turns: bool) -> Result<()> {
        let count = if turns { self.carried.len() } else { 0 };
        self.turned.truncate(count);
        resize(&mut self.turned, count, Turned::NONE, "contacts")
    }

    /// What contact `index` has of its own; nothing if it was not there.
    #[inline]
    pub fn carried_of(&self, index: usize) -> &Carried {
        self.carried.get(index).unwrap_or(&Carried::NONE)
    }

    /// The impulses of its last substep.
    fn last(&self, index: usize) -> Total {
        let Carried { normal_impulse, friction_impulse, .. } = *self.carried_of(index);
        Total { normal: normal_impulse, friction: friction_impulse, torque: self.turned_of(index).torque_impulse }
    }

    /// Adds the impulses of a substep to those of the substeps before it.
    pub fn add_up(&mut self, is_first: bool) -> Result<()> {
        let count = self.carried.len();
        if is_first {
            reserve(&mut self.totals, count, "contacts")?;
        }
        for index in 0..count {
            let last = self.last(index);
            match self.totals.get_mut(index) {
                Some(total) => *total += last,
                None => self.totals.push(last),
            }
        }
        Ok(())
    }

    /// Its impulses over the step.
    pub fn total(&self, index: usize) -> Total {
        self.totals.get(index).copied().unwrap_or_else(|| self.last(index))
    }

    /// Its torque and how fast it rolls.
    pub fn turned_of(&self, index: usize) -> Turned {
        self.turned.get(index).copied().unwrap_or(Turned::NONE)
    }

    /// Its impulses over the step after the correction.
    pub fn compatible_of(&self, index: usize) -> Compatible {
        self.compatible.get(index).copied().unwrap_or_else(|| {
            let Total { normal, friction, .. } = self.total(index);
            Compatible { normal, friction }
        })
    }

    /// All that it carried.
    pub fn load(&self, index: usize) -> Load {
        let Carried { normal_impulse, friction_impulse, push, relative_velocity, rebounds, struck, is_new } =
            *self.carried_of(index);
        let (turned, compatible) = (self.turned_of(index), self.compatible_of(index));
        Load {
            normal_impulse,
            friction_impulse,
            torque_impulse: turned.torque_impulse,
            push,
            compatible_normal: compatible.normal,
            compatible_friction: compatible.friction,
            relative_velocity,
            rolling_speed: turned.rolling_speed,
            rebounds,
            struck,
            is_new,
        }
    }

    /// Takes out all contacts, and makes room for `most` of them in every column from which a step inherits.
    pub fn clear(&mut self, most: usize) -> Result<()> {
        let Self { carried, turned, totals, compatible } = self;
        carried.clear();
        turned.clear();
        totals.clear();
        compatible.clear();
        reserve(carried, most, "contacts")?;
        reserve(turned, most, "contacts")?;
        reserve(compatible, most, "contacts")
    }

    /// Adds a contact to the columns from which a step inherits.
    pub fn push(&mut self, load: &Load) {
        self.carried.push(Carried {
            normal_impulse: load.normal_impulse,
            friction_impulse: load.friction_impulse,
            push: load.push,
            relative_velocity: load.relative_velocity,
            rebounds: load.rebounds,
            struck: load.struck,
            is_new: load.is_new,
        });
        self.turned.push(Turned { torque_impulse: load.torque_impulse, rolling_speed: load.rolling_speed });
        self.compatible.push(Compatible { normal: load.compatible_normal, friction: load.compatible_friction });
    }

    /// Keeps the contacts of which `is_kept` says so, asked for each in turn.
    pub fn retain(&mut self, is_kept: impl Fn(usize) -> bool) {
        fn sift<T>(column: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
            let mut index = 0..;
            column.retain(|_| index.next().is_some_and(&is_kept));
        }
        sift(&mut self.carried, &is_kept);
        sift(&mut self.turned, &is_kept);
        sift(&mut self.totals, &is_kept);
        sift(&mut self.compatible, &is_kept);
    }
}
