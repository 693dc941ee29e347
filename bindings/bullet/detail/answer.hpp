// A problem, its answer, and whether the next problem is the same.
#ifndef DRYSTONE_BULLET_ANSWER_HPP
#define DRYSTONE_BULLET_ANSWER_HPP

#include "rows.hpp"

#include <cstring>

namespace drystone {
namespace bullet {

/// A remaining speed below this part of the speed that forces give a body in a step counts as zero [-]. In single
/// precision it is the rounding. In double precision it is 4e-12 m/s under gravity at 240 Hz, a hundred times the
/// residual of the projection.
constexpr double ROUNDING = sizeof(btScalar) == 4 ? 6e-8 : 1e-10;

/// The answer to a problem. A problem that is the one before, bit for bit, has the answer that is there: a pile at
/// rest, which in Bullet repeats itself, costs no solving.
class Answer {
public:
    /// 6 numbers for each body.
    std::vector<double> velocities;
    std::vector<dry_contact_solution> contacts;
    std::vector<double> row_impulses;

    void forget() { is_known_ = false; }

    /// Room for the answer to a problem.
    dry_solution place(const dry_problem &problem, dry_step_report &report) {
        velocities.resize(6 * problem.body_count);
        contacts.resize(problem.contact_count);
        row_impulses.resize(problem.row_count);
        report = dry_step_report{};
        report.struct_size = sizeof report;
        dry_solution solution{};
        solution.struct_size = sizeof solution;
        solution.velocities = velocities.data();
        solution.contacts = contacts.data();
        solution.row_impulses = row_impulses.data();
        solution.report = &report;
        return solution;
    }

    /// Whether the answer is that to this problem.
    bool is_to(const dry_problem &problem, const dry_settings &settings) const {
        return is_known_ && step_ == problem.step && std::memcmp(&settings, &settings_, sizeof settings) == 0 &&
               same(bodies_, problem.bodies, problem.body_count) &&
               same(contacts_, problem.contacts, problem.contact_count) && same(rows_, problem.rows, problem.row_count);
    }

    /// Keeps the problem that was just answered, if another call would not better the answer.
    void keep(const dry_problem &problem, const dry_settings &settings, bool is_final) {
        is_known_ = is_final;
        if (!is_final) return;
        bodies_.assign(problem.bodies, problem.bodies + problem.body_count);
        contacts_.assign(problem.contacts, problem.contacts + problem.contact_count);
        rows_.assign(problem.rows, problem.rows + problem.row_count);
        settings_ = settings;
        step_ = problem.step;
    }

private:
    bool is_known_ = false;
    std::vector<dry_problem_body> bodies_;
    std::vector<dry_problem_contact> contacts_;
    std::vector<dry_problem_row> rows_;
    dry_settings settings_{};
    double step_ = 0;

    template <class T>
    static bool same(const std::vector<T> &before, const T *now, size_t count) {
        return before.size() == count && (count == 0 || std::memcmp(before.data(), now, count * sizeof(T)) == 0);
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
