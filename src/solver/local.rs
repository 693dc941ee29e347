//! One contact solved exactly: Signorini and Coulomb with the isotropic cone.
//!
//! The three steps of [U]: open? else sticking? else sliding *against the final sliding velocity*. In axes that
//! diagonalise the tangential block, sliding is one scalar root. A pure function of numbers.

/// The block `D` of one contact in the axes `(n, t1, t2)` in which `S = D_TT - D_TN D_NT / D_NN` is diagonal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// `D_NN`, above zero.
    pub normal: f64,
    /// `D_NT`.
    pub coupling: [f64; 2],
    /// The diagonal of `S`, above zero.
    pub tangential: [f64; 2],
}

/// Which of the three ways a contact took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It separates: no impulse.
    Open,
    /// It sticks: no relative velocity.
    Stick,
    /// It slides: the impulse is on the cone.
    Slip,
}

impl Block {
    /// `D r`.
    pub fn times(&self, r: &[f64; 3]) -> [f64; 3] {
        let [n, t1, t2] = *r;
        let [c1, c2] = self.coupling;
        // D_TT = S + D_TN D_NT / D_NN, so the tangential part sees the coupling through one common factor.
        let carried = n + (c1 * t1 + c2 * t2) / self.normal;
        [self.normal * carried, c1 * carried + self.tangential[0] * t1, c2 * carried + self.tangential[1] * t2]
    }

    /// The impulse `r` with `w = D r + q` that obeys both laws, and its mode.
    pub fn solve(&self, q: &[f64; 3], mu: f64) -> ([f64; 3], Mode) {
        let [q_n, q_1, q_2] = *q;
        if q_n >= 0.0 {
            return ([0.0; 3], Mode::Open);
        }
        let alone = -q_n / self.normal;
        if mu == 0.0 {
            return ([alone, 0.0, 0.0], Mode::Slip);
        }
        let [c1, c2] = self.coupling;
        // The tangential velocity that is left when the normal impulse alone acts.
        let reduced = [q_1 - c1 * q_n / self.normal, q_2 - c2 * q_n / self.normal];
        let stick = self.at_shift(&reduced, alone, 0.0);
        if stick.normal > 0.0 && stick.length <= mu * stick.normal {
            return (stick.impulse(), Mode::Stick);
        }
        (self.slide(&reduced, alone, mu), Mode::Slip)
    }

    /// The impulse at the shift `a`: `r_T = -(S + a)^-1 q_T`, `r_n = alone - D_NT r_T / D_NN`.
    fn at_shift(&self, reduced: &[f64; 2], alone: f64, a: f64) -> Shifted {
        let [s1, s2] = [self.tangential[0] + a, self.tangential[1] + a];
        let [t1, t2] = [-reduced[0] / s1, -reduced[1] / s2];
        let [c1, c2] = self.coupling;
        let normal = alone - (c1 * t1 + c2 * t2) / self.normal;
        let slope_1 = -t1 / s1;
        let slope_2 = -t2 / s2;
        Shifted {
            normal,
            tangential: [t1, t2],
            length: length(t1, t2),
            normal_slope: -(c1 * slope_1 + c2 * slope_2) / self.normal,
            dot_slope: t1 * slope_1 + t2 * slope_2,
        }
    }

    /// The sliding impulse: the root `a > 0` of `mu r_n(a) / |r_T(a)| = 1`, by Newton's method in a bracket.
    ///
    /// The quotient is below one at `a = 0`, where the impulse is outside the cone, and grows without bound with `a`.
    /// Without coupling and with equal `S` it is linear in `a`, so that the first Newton step is exact.
    fn slide(&self, reduced: &[f64; 2], alone: f64, mu: f64) -> [f64; 3] {
        let size = length(reduced[0], reduced[1]);
        let coupling = length(self.coupling[0], self.coupling[1]) / self.normal;
        let least = self.tangential[0].min(self.tangential[1]);
        let mut low = 0.0;
        let mut high = (size * (1.0 + mu * coupling) / (mu * alone) - least).max(0.0);
        if !high.is_finite() {
            // So little normal impulse that friction is below round-off.
            return [alone, 0.0, 0.0];
        }
        let mut a = 0.0;
        let mut at = self.at_shift(reduced, alone, a);
        for _ in 0..60 {
            let excess = mu * at.normal - at.length;
            // Below its round-off the sign of the excess says nothing: a step back into the bracket would leave the root.
            if excess.abs() <= f64::EPSILON * (mu * (alone + coupling * at.length) + at.length) {
                break;
            }
            if excess < 0.0 {
                low = a
            } else {
                high = a
            }
            let newton = a + at.newton_step(mu);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - a).abs() <= 2.0 * f64::EPSILON * (a + least) {
                break;
            }
            a = next;
            at = self.at_shift(reduced, alone, a);
        }
        at.on_cone(mu)
    }
}

/// The impulse at one shift, and its derivatives by the shift.
struct Shifted {
    normal: f64,
    tangential: [f64; 2],
    length: f64,
    normal_slope: f64,
    /// `r_T . dr_T/da`
    dot_slope: f64,
}

impl Shifted {
    fn impulse(&self) -> [f64; 3] {
        [self.normal, self.tangential[0], self.tangential[1]]
    }

    /// The step of Newton's method on `mu r_n / |r_T| - 1`.
    fn newton_step(&self, mu: f64) -> f64 {
        let square = self.length * self.length;
        let value = mu * self.normal / self.length - 1.0;
        let slope = mu * (self.normal_slope - self.normal * self.dot_slope / square) / self.length;
        -value / slope
    }

    /// The impulse brought to `|r_T| = mu r_n`, which it is up to the round-off of the root, by changing its smaller
    /// part: `r_n` may be what is left of a difference, and its round-off times a large `mu` would spoil `r_T`.
    fn on_cone(&self, mu: f64) -> [f64; 3] {
        if mu > 1.0 && self.length > 0.0 {
            return [self.length / mu, self.tangential[0], self.tangential[1]];
        }
        let normal = self.normal.max(0.0);
        if self.length == 0.0 {
            return [normal, 0.0, 0.0];
        }
        let scale = mu * normal / self.length;
        [normal, scale * self.tangential[0], scale * self.tangential[1]]
    }
}

/// The square root alone, the same bits on every machine, which a library's `hypot` does not promise.
fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}
