// Overlap undone by moving bodies, so that it costs no velocity and no force: what Bullet calls split impulses.
#ifndef DRYSTONE_BULLET_PUSH_HPP
#define DRYSTONE_BULLET_PUSH_HPP

#include "contacts.hpp"

#include <algorithm>

namespace drystone {
namespace bullet {

/// Finds velocities that separate overlapping bodies, and nothing else: projected Gauss-Seidel over the normals of
/// the contacts, and the rows of joints that hold both ways.
///
/// A contact opens by a part of the overlap that it will have at the end of the step. It may close by no more than
/// the gap that it will have then. The pass need not converge: later steps undo the remaining overlap. Bodies are
/// moved as if their masses were the fourth root of their own. These moves have no momentum, so masses can be chosen
/// freely, and 1000 kg on 1 kg would take thousands of sweeps.
class Push {
public:
    /// Begins a step. Velocities are in the coordinates of the problem; see Body::is_anisotropic.
    void begin(const Bodies &bodies) {
        lines_.clear();
        most_ = 0;
        motion_.assign(bodies.known.size() + 1, Half());
    }

    /// Adds a contact that is to part at `speed`; below 0: that may close as fast [m/s].
    void add(const Point &place, double speed, const Bodies &bodies) {
        const auto half = [&](uint32_t body, const Vector &normal, const Vector &arm) {
            const Vector scale = body == FIXED ? Vector(1, 1, 1) : bodies.known[body].scale;
            return Half{normal.times(scale), arm.cross(normal)};
        };
        add_line({place.a, place.b}, half(place.a, -place.normal, place.arm_a),
                 half(place.b, place.normal, place.arm_b), speed, false, bodies);
        most_ = std::max(most_, speed);
    }

    /// Adds a row of the problem that is to keep its place.
    void add(const dry_problem_row &row, const Bodies &bodies) {
        const Half of_a{Vector(row.jacobian_a), Vector(row.jacobian_a + 3)},
            of_b{Vector(row.jacobian_b), Vector(row.jacobian_b + 3)};
        add_line({row.body_a, row.body_b}, of_a, of_b, 0, true, bodies);
    }

    void solve() {
        for (int sweep = 0; sweep < SWEEPS; ++sweep) {
            double largest = 0;
            for (Line &line : lines_) largest = std::max(largest, relax(line));
            if (largest <= ENOUGH * most_) break;
        }
    }

    /// Linear and angular velocity found for a body [m/s, rad/s].
    Half velocity(uint32_t body, const Bodies &bodies) const {
        return {motion_[body].linear.times(bodies.known[body].scale), motion_[body].angular};
    }

private:
    static constexpr int SWEEPS = 10;
    /// The pass ends when a sweep changes no contact by more than this part of the fastest [-].
    static constexpr double ENOUGH = 0.01;

    struct Pair {
        uint32_t a, b;
    };

    /// A contact or a row: what velocities it sees, and what an impulse of 1 does to them.
    struct Line {
        Pair pair;
        Half sees[2], does[2];
        double inverse, speed, impulse;
        bool is_bilateral;
    };

    std::vector<Line> lines_;
    std::vector<Half> motion_;
    double most_ = 0;

    void add_line(Pair pair, const Half &of_a, const Half &of_b, double speed, bool is_bilateral,
                  const Bodies &bodies) {
        Line line{pair, {of_a, of_b}, {done(bodies, pair.a, of_a), done(bodies, pair.b, of_b)}, 0, speed,
                  0,    is_bilateral};
        const double response = along(line.sees[0], line.does[0]) + along(line.sees[1], line.does[1]);
        if (!(response > 0)) return;
        line.inverse = 1 / response;
        // what does not move shares one place, which stays 0
        const auto ground = uint32_t(bodies.known.size());
        if (!bodies.moves(pair.a)) line.pair.a = ground;
        if (!bodies.moves(pair.b)) line.pair.b = ground;
        lines_.push_back(line);
    }

    static double along(const Half &x, const Half &y) { return x.linear.dot(y.linear) + x.angular.dot(y.angular); }

    static Half done(const Bodies &bodies, uint32_t body, const Half &sees) {
        if (!bodies.moves(body)) return {};
        const dry_problem_body &mass = bodies.posed[body];
        // by which the fourth root of the mass is lighter
        const double lighter = mass.inverse_mass > 0 ? std::sqrt(std::sqrt(mass.inverse_mass)) / mass.inverse_mass : 1;
        return {sees.linear * (lighter * mass.inverse_mass), times(mass.inverse_inertia, sees.angular) * lighter};
    }

    /// One line solved; by how much it moved [m/s].
    double relax(Line &line) {
        Half &a = motion_[line.pair.a], &b = motion_[line.pair.b];
        const double change = (line.speed - along(line.sees[0], a) - along(line.sees[1], b)) * line.inverse;
        const double before = line.impulse;
        line.impulse = line.is_bilateral ? before + change : std::max(before + change, 0.0);
        const double impulse = line.impulse - before;
        if (impulse == 0) return 0;
        a.linear = a.linear + line.does[0].linear * impulse;
        a.angular = a.angular + line.does[0].angular * impulse;
        b.linear = b.linear + line.does[1].linear * impulse;
        b.angular = b.angular + line.does[1].angular * impulse;
        return std::fabs(impulse) / line.inverse;
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
