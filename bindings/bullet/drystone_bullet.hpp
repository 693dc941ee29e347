// drystone in place of Bullet's btSequentialImpulseConstraintSolver.
//
//     btSequentialImpulseConstraintSolver solver;      becomes      drystone::BulletSolver solver;
//
// Header only, C++17, for Bullet 3.24 in single or double precision. Link with drystone. README.md in this folder lists
// the effect of each of Bullet's settings, what is measured, and what is not offered.
#ifndef DRYSTONE_BULLET_HPP
#define DRYSTONE_BULLET_HPP

#include "detail/answer.hpp"
#include "detail/contacts.hpp"
#include "detail/joints.hpp"
#include "detail/step_policy.hpp"
#include "detail/push.hpp"

#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <new>
#include <string>

namespace drystone {

/// A constraint solver for btDiscreteDynamicsWorld and btSoftRigidDynamicsWorld.
///
/// All islands of a step are solved at once, when the world has handed over the last of them. Warm starting, friction,
/// restitution, overlap, joints and what is written back are described in README.md.
///
/// A step that drystone refuses (a body at NaN, say) is done by Bullet's own solver; last_error says why. Solvers are
/// independent of each other; one belongs to one world at a time.
class BulletSolver : public btConstraintSolver {
public:
    /// drystone's settings, read in every step. By default those of dry_settings_init; `iterations` of 0 are the world's
    /// m_numIterations where sweeps are done. A fifth of `contact_margin` bounds the gap that counts as touching.
    dry_settings settings{};

    /// Whether the destructor writes a line to stderr if no world ever called this solver: the world has another one
    /// then.
    bool warns_if_unused = true;

    /// Throws std::bad_alloc where drystone has no memory.
    BulletSolver() {
        dry_settings_init(&settings, sizeof settings);
        if (dry_solver_create(&solver_) != DRY_OK) throw std::bad_alloc();
        report_.struct_size = sizeof report_;
    }
    ~BulletSolver() override {
        dry_solver_destroy(solver_);
        if (steps_ == 0 && warns_if_unused)
            std::fputs("drystone: no world ever called this BulletSolver; the world has another one "
                       "(world.getConstraintSolver())\n",
                       stderr);
    }
    BulletSolver(const BulletSolver &) = delete;
    BulletSolver &operator=(const BulletSolver &) = delete;

    /// How often a world called this solver: with each of its steps. 0: the world has another solver.
    uint64_t steps() const { return steps_; }

    /// drystone's report of the last step that it solved: residual, iterations, islands, times.
    const dry_step_report &report() const { return report_; }

    /// Whether the last step posed the problem of the step before, bit for bit, whose answer was taken again.
    bool was_settled() const { return was_settled_; }

    /// Where the residual of the last step is largest: a point of a manifold, or a constraint. Valid until the world
    /// changes. The pointers are null where the contact has no key, as in an impact.
    struct Worst {
        double residual = 0;
        const btPersistentManifold *manifold = nullptr;
        const btManifoldPoint *point = nullptr;
        const btTypedConstraint *joint = nullptr;
    };
    Worst worst() const;

    /// Status and message of the last step that was refused; DRY_OK and empty: none was.
    dry_status last_status() const { return status_; }
    const std::string &last_error() const { return error_; }

    /// Called with status and message whenever a step is refused. It must not throw or use the world.
    std::function<void(dry_status, const std::string &)> on_error;

    // What Bullet calls.

    void prepareSolve(int, int) override {
        ++steps_;
        gathered_.clear();
        gathering_ = true;
    }

    btScalar solveGroup(btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds,
                        int manifold_count, btTypedConstraint **joints, int joint_count,
                        const btContactSolverInfo &info, btIDebugDraw *drawer, btDispatcher *dispatcher) override {
        if (!gathering_) gathered_.clear(), ++steps_;
        gathered_.bodies.insert(gathered_.bodies.end(), bodies, bodies + body_count);
        gathered_.manifolds.insert(gathered_.manifolds.end(), manifolds, manifolds + manifold_count);
        gathered_.joints.insert(gathered_.joints.end(), joints, joints + joint_count);
        gathered_.dispatcher = dispatcher;
        if (!gathering_) solve(info, drawer);
        return 0;
    }

    void allSolved(const btContactSolverInfo &info, btIDebugDraw *drawer) override {
        if (!gathering_) return;
        gathering_ = false;
        if (!gathered_.bodies.empty()) solve(info, drawer);
    }

    /// Forgets all impulses.
    void reset() override {
        dry_solver *fresh = nullptr;
        if (dry_solver_create(&fresh) != DRY_OK) return;
        dry_solver_destroy(solver_);
        solver_ = fresh;
        contacts_.forget();
        joints_.forget();
        answer_.forget();
        step_policy_ = bullet::StepPolicy();
        is_parting_ = false;
        if (stock_) stock_->reset();
    }

    /// None of Bullet's.
    btConstraintSolverType getSolverType() const override { return btConstraintSolverType(0); }

private:
    /// Of contact_margin: the gap that counts as touching, at most [-].
    static constexpr double TOUCHING_MARGIN = 0.2;
    /// Of what a contact moves in a step at the largest residual: how much overlap is left to the corners of faces [-].
    static constexpr double UNSOLVED = 50;
    /// How many times as much is left to two spheres: what parts in a pile is lost, and falls again [-].
    static constexpr double LEFT_SPHERES = 1000;
    /// Of the gap that counts as touching: the overlap at which undoing it ends [-].
    static constexpr double LEFT = 0.005;

    /// What the world handed over in a step.
    struct Gathered {
        std::vector<btCollisionObject *> bodies;
        std::vector<btPersistentManifold *> manifolds;
        std::vector<btTypedConstraint *> joints;
        btDispatcher *dispatcher = nullptr;

        void clear() {
            bodies.clear();
            manifolds.clear();
            joints.clear();
        }
    };

    /// The floating point environment that drystone needs, for as long as this lives: engines flush small numbers to
    /// zero.
    struct DefaultEnvironment {
        std::fenv_t kept;
        DefaultEnvironment() {
            std::fegetenv(&kept);
            std::fesetenv(FE_DFL_ENV);
        }
        ~DefaultEnvironment() { std::fesetenv(&kept); }
    };

    dry_solver *solver_ = nullptr;
    dry_step_report report_{};
    dry_status status_ = DRY_OK;
    std::string error_;
    bool gathering_ = false, was_settled_ = false;
    uint64_t steps_ = 0;
    Gathered gathered_;
    bullet::Bodies bodies_;
    bullet::Contacts contacts_;
    bullet::Rows rows_;
    bullet::Joints joints_;
    bullet::Answer answer_;
    bullet::StepPolicy step_policy_;
    bullet::Push push_;
    std::vector<double> parting_;
    /// Whether the last step undid overlap, and how much of it there was [m].
    bool is_parting_ = false;
    double deepest_ = 0;
    std::unique_ptr<btSequentialImpulseConstraintSolver> stock_;

    void solve(const btContactSolverInfo &info, btIDebugDraw *drawer) {
        if (!pose(info) || !find_answer(info)) {
            solve_as_bullet_does(info, drawer);
            return;
        }
        report_contacts(info);
        for (const bullet::JointPlace &place : joints_.places)
            joints_.report(place, answer_.row_impulses[place.index], double(info.m_timeStep));
        const bool is_pushed = undo_overlap(double(info.m_timeStep));
        move_bodies(double(info.m_timeStep), is_pushed);
    }

    bool pose(const btContactSolverInfo &info);
    bool find_answer(const btContactSolverInfo &info);
    dry_settings chosen(const btContactSolverInfo &info, const bullet::Situation &situation);
    void report_contacts(const btContactSolverInfo &info) const;
    bool undo_overlap(double step);
    void move_bodies(double step, bool is_pushed) const;
    bool refuse(dry_status status, const std::string &message);
    void solve_as_bullet_does(const btContactSolverInfo &info, btIDebugDraw *drawer);
};

}  // namespace drystone

#include "detail/solve.hpp"

#endif
