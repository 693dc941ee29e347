// Scalar rows of a problem.
#ifndef DRYSTONE_BULLET_ROWS_HPP
#define DRYSTONE_BULLET_ROWS_HPP

#include "bodies.hpp"

#include <cmath>

namespace drystone {
namespace bullet {

/// The two halves of a row: linear, then angular, of one body.
struct Half {
    Vector linear, angular;

    /// The velocity of a body along the row, without impulses.
    double velocity(const Bodies &bodies, uint32_t body) const {
        if (body == FIXED) return 0;
        return linear.dot(bodies.linear(body)) + angular.dot(Vector(bodies.posed[body].angular_velocity));
    }
};

class Rows {
public:
    std::vector<dry_problem_row> posed;

    void clear() { posed.clear(); }

    /// Adds a row that asks for the velocity `rhs` and has no bounds yet.
    dry_problem_row &add(const Bodies &bodies, uint32_t a, const Half &of_a, uint32_t b, const Half &of_b, double rhs) {
        dry_problem_row row{};
        row.body_a = a;
        row.body_b = b;
        row.rhs = rhs;
        write(bodies, a, of_a, row.jacobian_a, row.rhs);
        write(bodies, b, of_b, row.jacobian_b, row.rhs);
        row.lower = -INFINITY;
        row.upper = INFINITY;
        row.friction_row = -1;
        posed.push_back(row);
        return posed.back();
    }

private:
    static void write(const Bodies &bodies, uint32_t body, const Half &half, double *jacobian, double &rhs) {
        const Vector scale = body == FIXED ? Vector(1, 1, 1) : bodies.known[body].scale;
        const Vector start = body == FIXED ? Vector() : bodies.known[body].start;
        half.linear.times(scale).write(jacobian);
        half.angular.write(jacobian + 3);
        rhs -= half.linear.dot(start);
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
