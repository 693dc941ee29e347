//! What interfaces carry: the resultant of the contacts between two blocks, where it acts, and its share along the normal.

use drystone::world::StaticDefinition;
use serde_json::{Value, json};

use super::super::support::Failure;
use super::{Structure, Wrench};

/// The forces between two blocks, of which `b` was created later.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Interface {
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// On block `b` [N].
    pub(crate) resultant: [f64; 3],
    /// Where it acts: the mean of the contact points, weighted by their normal forces [m].
    pub(crate) point: [f64; 3],
    /// From `a` to `b`: the mean of the normals, weighted as the points.
    pub(crate) normal: [f64; 3],
    /// The share along the normal [N].
    pub(crate) normal_force: f64,
    /// The length of the rest [N].
    pub(crate) tangential_force: f64,
}

impl Interface {
    pub(crate) fn record(&self) -> Value {
        json!({
            "a": self.a, "b": self.b, "resultant": self.resultant, "point": self.point, "normal": self.normal,
            "normal_force": self.normal_force, "tangential_force": self.tangential_force,
        })
    }
}

impl Structure {
    /// Returns what all interfaces that are pressed carry, as of the last increment or step, in the order of blocks.
    pub(crate) fn interfaces(&self) -> Vec<Interface> {
        let place = |body| self.blocks.iter().position(|block| block.body == body).unwrap_or(usize::MAX);
        let mut sums: Vec<Interface> = Vec::new();
        for contact in self.world.contacts().filter(|contact| contact.normal_force > 0.0) {
            let (a, b) = (place(contact.body_a), place(contact.body_b));
            let sign = if a < b { 1.0 } else { -1.0 };
            let (a, b) = (a.min(b), a.max(b));
            let known = sums.iter().position(|sum| sum.a == a && sum.b == b).unwrap_or_else(|| {
                let none = [0.0; 3];
                let empty = Interface {
                    a,
                    b,
                    resultant: none,
                    point: none,
                    normal: none,
                    normal_force: 0.0,
                    tangential_force: 0.0,
                };
                sums.push(empty);
                sums.len() - 1
            });
            let sum = &mut sums[known];
            sum.normal_force += contact.normal_force;
            for axis in 0..3 {
                let pressed = contact.normal_force * contact.normal[axis];
                sum.normal[axis] += sign * pressed;
                sum.point[axis] += contact.normal_force * contact.point[axis];
                sum.resultant[axis] += sign * (pressed + contact.friction_force[axis]);
            }
        }
        sums.iter_mut().for_each(finish);
        sums.sort_by_key(|sum| (sum.a, sum.b));
        sums
    }

    /// Balances the weights and a share of a load, without moving the blocks. Returns whether forces exist that do.
    pub(crate) fn balance(&mut self, load: &[Wrench], share: f64) -> Result<bool, Failure> {
        self.push(load, share)?;
        let report = self.world.solve_static(&StaticDefinition::default(), &mut [])?;
        Ok(report.is_converged && !report.is_collapse)
    }

    /// Returns whether no forces balance the weights and a share of a load.
    pub(crate) fn collapses(&mut self, load: &[Wrench], share: f64) -> Result<bool, Failure> {
        self.push(load, share)?;
        Ok(self.world.solve_static(&StaticDefinition::default(), &mut [])?.is_collapse)
    }
}

/// Makes means out of the sums of an interface.
fn finish(sum: &mut Interface) {
    sum.point = sum.point.map(|entry| entry / sum.normal_force);
    let length = sum.normal.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
    sum.normal = sum.normal.map(|entry| entry / length);
    sum.normal_force = (0..3).map(|axis| sum.resultant[axis] * sum.normal[axis]).sum();
    let squares = |axis: usize| (sum.resultant[axis] - sum.normal_force * sum.normal[axis]).powi(2);
    sum.tangential_force = (0..3).map(squares).sum::<f64>().sqrt();
}
