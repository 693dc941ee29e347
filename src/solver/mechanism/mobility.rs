//! The mobility of the ports of a mechanism: the velocities of all ports that an impulse at one of them causes.

use crate::error::{Error, Result, push, refill, text};
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::split::Mechanism;
use crate::solver::operator::blocks::{IMMOVABLE, SIX, dot};
use crate::solver::problem::{Jacobian, Problem};

/// A linear combination of the velocities of two bodies: `J_a v_a + J_b v_b`. A unit impulse at it is `J^T`.
///
/// Sides that are not in the mechanism count as resting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Port(pub [(BodyRow, Jacobian); 2]);

impl Port {
    /// Returns the six ports of a body: its velocity and its spin, world axes.
    pub fn of_body(body: BodyRow) -> [Self; SIX] {
        std::array::from_fn(|own| {
            let unit = |first: usize| Vec3::from_fn(|axis, _| if first + axis == own { 1.0 } else { 0.0 });
            let jacobian = Jacobian { linear: unit(0), angular: unit(3) };
            Self([(body, jacobian), (BodyRow::NONE, Jacobian::ZERO)])
        })
    }
}

impl Mechanism {
    /// Computes `C = P Mc^-1 P^T` of ports `P`: `n` x `n` numbers, row by row. Symmetric.
    ///
    /// Column `k` has the velocities of all ports after a unit impulse at port `k`, while the rows of the mechanism hold.
    ///
    /// # Errors
    ///
    /// A body that impulses move is not in the mechanism, or memory is exhausted.
    pub fn mobility(&mut self, problem: &Problem, ports: &[Port], c: &mut Vec<f64>) -> Result<()> {
        self.port_sides.clear();
        for Port(sides) in ports {
            let sides = [self.side(problem, &sides[0])?, self.side(problem, &sides[1])?];
            push(&mut self.port_sides, sides, "ports of a mechanism")?;
        }
        let Self { refined, six, port_sides, .. } = self;
        let (own, count) = (&refined.rows, ports.len());
        refill(c, count * count, 0.0, "entries of an inverse mass")?;
        for first in (0..count).step_by(SIX) {
            six.begin(own.bodies.len(), own.rows.len())?;
            let columns = &port_sides[first..count.min(first + SIX)];
            for (column, sides) in columns.iter().enumerate() {
                for (number, entries) in sides {
                    let Some(p) = six.p.get_mut(*number as usize) else { continue };
                    p.iter_mut().zip(entries).for_each(|(p, entry)| p[column] += entry);
                }
            }
            refined.solve(six, 0.0);
            for (row, sides) in c.chunks_mut(count).zip(&*port_sides) {
                let speeds =
                    sides.iter().fold([0.0; SIX], |speeds, (number, entries)| match six.x.get(*number as usize) {
                        Some(x) => std::array::from_fn(|column| speeds[column] + dot(entries, &x.map(|x| x[column]))),
                        None => speeds,
                    });
                row[first..].iter_mut().zip(speeds).for_each(|(entry, speed)| *entry = speed);
            }
        }
        symmetrise(c, count);
        Ok(())
    }

    fn side(&self, problem: &Problem, (body, jacobian): &(BodyRow, Jacobian)) -> Result<(u32, [f64; SIX])> {
        let own = &self.refined.rows;
        let number = own.number(*body);
        if number == IMMOVABLE && problem.moves(*body) {
            return Err(Error::argument(text!("body {body} is not in the mechanism; it has no row without bounds")));
        }
        let root = own.roots().get(number as usize);
        Ok((number, root.map_or([0.0; SIX], |root| root.times(jacobian))))
    }
}

/// Takes the mean of each pair of entries across the diagonal.
fn symmetrise(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            let [low, high] = [row * size + column, column * size + row];
            let mean = 0.5 * (matrix[low] + matrix[high]);
            (matrix[low], matrix[high]) = (mean, mean);
        }
    }
}
