// Checks that print one line each.
#ifndef DRYSTONE_TEST_BULLET_CHECK_HPP
#define DRYSTONE_TEST_BULLET_CHECK_HPP

#include <cmath>
#include <cstdio>
#include <string>

namespace check {

inline int &failures() {
    static int count = 0;
    return count;
}

inline void that(bool holds, const std::string &what) {
    std::printf("%-4s %s\n", holds ? "ok" : "FAIL", what.c_str());
    failures() += !holds;
}

/// A value that is not a number fails.
inline void at_most(double value, double bound, const std::string &what) {
    const bool holds = value <= bound;
    std::printf("%-4s %-78s %10.3e <= %.1e\n", holds ? "ok" : "FAIL", what.c_str(), value, bound);
    failures() += !holds;
}

inline void near(double value, double expected, double tolerance, const std::string &what) {
    const bool holds = std::fabs(value - expected) <= tolerance;
    std::printf("%-4s %-78s %10.6g = %.6g +- %.1e\n", holds ? "ok" : "FAIL", what.c_str(), value, expected, tolerance);
    failures() += !holds;
}

}  // namespace check

#endif
