//! The inertia of a joint along one of its axes: what its motor feels while its locked rows hold.

use crate::joint::{JointRow, SideVector};
use crate::solver::MassInverse;
use crate::world::joints::state::AXES;

/// A row is dependent on the rows before it if less than this part of its square is left without them [-].
const DEPENDENT: f64 = 1e-12;

/// Returns `1 / (g M_j^-1 g^T)`, with `M_j^-1` the inverse masses of both bodies without what the `locked` rows hold [kg] or [kg m^2].
/// `None` where nothing moves along `g`.
pub(super) fn inertia_along(g: &JointRow, locked: &[JointRow], masses: &[MassInverse; 2]) -> Option<f64> {
    // The locked rows made conjugate one after the other: `rows[i] M^-1 rows[j]` is zero for different ones.
    let mut conjugate: [(JointRow, f64); AXES] = [(JointRow::ZERO, 0.0); AXES];
    let mut count = 0;
    for row in locked.iter().take(AXES) {
        let whole = product(row, row, masses);
        let rest = without(*row, &conjugate[..count], masses);
        let square = product(&rest, &rest, masses);
        if square > DEPENDENT * whole {
            conjugate[count] = (rest, square);
            count += 1;
        }
    }
    let rest = without(*g, &conjugate[..count], masses);
    let mobility = product(&rest, &rest, masses);
    (mobility > DEPENDENT * product(g, g, masses)).then(|| 1.0 / mobility)
}

/// Returns a row without its parts along conjugate ones, each given with its square.
fn without(row: JointRow, conjugate: &[(JointRow, f64)], masses: &[MassInverse; 2]) -> JointRow {
    conjugate.iter().fold(row, |rest, (other, square)| {
        let part = product(&rest, other, masses) / square;
        let less = |own: &SideVector, other: &SideVector| SideVector {
            linear: own.linear - part * other.linear,
            angular: own.angular - part * other.angular,
        };
        JointRow { a: less(&rest.a, &other.a), b: less(&rest.b, &other.b) }
    })
}

/// Returns `J M^-1 K^T`.
fn product(j: &JointRow, k: &JointRow, [mass_a, mass_b]: &[MassInverse; 2]) -> f64 {
    mobility(mass_a, &j.a, &k.a) + mobility(mass_b, &j.b, &k.b)
}

/// Returns the part of one body in `J M^-1 K^T`.
pub(super) fn mobility(mass: &MassInverse, j: &SideVector, k: &SideVector) -> f64 {
    j.linear.dot(&k.linear.component_mul(&mass.linear)) + j.angular.dot(&mass.angular.times(&k.angular))
}
