// The step of drystone::BulletSolver, stage by stage.
#ifndef DRYSTONE_BULLET_SOLVE_HPP
#define DRYSTONE_BULLET_SOLVE_HPP

#ifndef DRYSTONE_BULLET_HPP
#error "include drystone_bullet.hpp"
#endif

namespace drystone {

/// Bullet's bodies, manifolds and constraints as a problem; false if there is something that drystone does not solve.
inline bool BulletSolver::pose(const btContactSolverInfo &info) {
    bodies_.begin(double(info.m_timeStep), double(info.m_maxGyroscopicForce));
    contacts_.begin(TOUCHING_MARGIN * settings.contact_margin);
    rows_.clear();
    joints_.begin();
    for (const btPersistentManifold *manifold : gathered_.manifolds) {
        const int types = manifold->getBody0()->getInternalType() | manifold->getBody1()->getInternalType();
        if (types & btCollisionObject::CO_FEATHERSTONE_LINK)
            return refuse(DRY_ERR_UNSUPPORTED,
                          "a contact of a btMultiBody is none of rigid bodies: it needs Bullet's own "
                          "btMultiBodyConstraintSolver");
        if (types & btCollisionObject::CO_SOFT_BODY)
            return refuse(DRY_ERR_UNSUPPORTED, "a manifold of a btSoftBody is none of rigid bodies");
    }
    for (btCollisionObject *object : gathered_.bodies) object->setCompanionId(-1);
    for (btCollisionObject *object : gathered_.bodies) bodies_.index_of(*object);
    for (btTypedConstraint *joint : gathered_.joints) joints_.add(*joint, bodies_, rows_, info);
    for (btPersistentManifold *manifold : gathered_.manifolds) contacts_.add(*manifold, bodies_, rows_, info);
    bodies_.release();
    return true;
}

/// Velocities and impulses: those of the step before where it posed the same problem, else drystone's.
inline bool BulletSolver::find_answer(const btContactSolverInfo &info) {
    dry_problem problem{};
    problem.struct_size = sizeof problem;
    problem.step = double(info.m_timeStep);
    problem.bodies = bodies_.posed.data();
    problem.body_count = bodies_.posed.size();
    problem.contacts = contacts_.posed.data();
    problem.contact_count = contacts_.posed.size();
    problem.rows = rows_.posed.data();
    problem.row_count = rows_.posed.size();
    was_settled_ = answer_.is_to(problem, settings);
    if (was_settled_) return true;

    const auto rocks = [](const bullet::Point &point) { return point.rocks(); };
    const auto rocking = size_t(std::count_if(contacts_.points.begin(), contacts_.points.end(), rocks));
    const bullet::Situation situation{problem.contact_count, problem.row_count, rocking, bodies_.speed(),
                                      bodies_.kick()};
    const dry_settings now = chosen(info, situation);
    dry_step_report report;
    dry_solution solution = answer_.place(problem, report);
    dry_status status;
    {
        DefaultEnvironment environment;
        status = dry_solver_solve(solver_, &problem, &now, &solution);
    }
    if (status != DRY_OK && status != DRY_ERR_NOT_CONVERGED) {
        char message[512];
        dry_last_error(message, sizeof message, nullptr);
        return refuse(status, message);
    }
    // an answer that has not converged is there, and better than none
    report_ = report;
    // as they were posed: that is what the next problem is compared with
    for (const bullet::JointPlace &place : joints_.places) rows_.posed[place.index].key = place.key;
    step_policy_.note(situation, report);
    answer_.keep(problem, settings, report.residual_max <= bullet::ROUNDING * situation.kick);
    return true;
}

/// The user's settings with what this step asks for.
inline dry_settings BulletSolver::chosen(const btContactSolverInfo &info, const bullet::Situation &situation) {
    dry_settings now = settings;
    const bool sweeps = now.solver == DRY_SOLVER_PGS || now.solver == DRY_SOLVER_PGS_ACCELERATED;
    if (now.iterations == 0 && sweeps)
        now.iterations = uint32_t(std::max({info.m_numIterations, joints_.iterations, 1}));
    if (now.projection == DRY_PROJECTION_AUTO) now.projection = bullet::StepPolicy::projection(situation);
    if (sweeps && now.projection != DRY_PROJECTION_STICK) {
        // few sweeps from the impulses of the last step let joints swing: a chain with a weight takes up energy
        for (const bullet::JointPlace &place : joints_.places) rows_.posed[place.index].key = 0;
    }
    if (now.warm_start == DRY_WARM_HISTORY && step_policy_.drops_friction(situation)) now.warm_start = DRY_WARM_NORMALS;
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING)) now.warm_start = DRY_WARM_OFF;
    return now;
}

inline void BulletSolver::report_contacts(const btContactSolverInfo &info) const {
    using bullet::Vector;
    for (const bullet::Point &place : contacts_.points) {
        if (place.is_rows) {
            const double *carried = &answer_.row_impulses[place.index];
            const Vector friction = place.across[0] * carried[1] + place.across[1] * carried[2];
            bullet::Contacts::report(place, place.normal * carried[0] + friction, carried[0], info);
        } else {
            const dry_contact_solution &solution = answer_.contacts[place.index];
            bullet::Contacts::report(place, Vector(solution.impulse), solution.normal_impulse, info);
        }
    }
}

/// Looks for overlap that will be left at the end of the step, and how to undo it; whether there is any worth it.
inline bool BulletSolver::undo_overlap(double step) {
    using bullet::Vector;
    const auto velocity = [this](uint32_t body, const Vector &arm) {
        if (body == bullet::FIXED) return Vector();
        const double *posed = &answer_.velocities[6 * size_t(body)];
        return bodies_.meant(body, Vector(posed)) + Vector(posed + 3).cross(arm);
    };
    // the residual of the sweeps opens and closes the corners of faces at random; the push ignores an overlap of that
    // size, and leaves half as much in addition
    const double unsolved = UNSOLVED * step * report_.residual_max;
    bool is_deep = false, is_left = false;
    double deepest = 0, erp = 1;
    parting_.clear();
    for (const bullet::Point &place : contacts_.points) {
        const Vector apart = velocity(place.b, place.arm_b) - velocity(place.a, place.arm_a);
        const double gap = place.gap + step * apart.dot(place.normal);
        const double spared = place.rocks() ? std::min(unsolved, place.touching) : 0;
        const double least = std::min(place.stays, LEFT * place.touching);
        const double stays = std::max(std::min(place.stays, std::max(LEFT_SPHERES * unsolved, least)), 0.5 * spared);
        const double deep = place.push > 0 ? -gap - spared - stays : 0;
        is_deep |= deep + stays > place.touching;
        is_left |= deep > LEFT * place.touching;
        if (place.push > 0) deepest = std::max(deepest, deep), erp = std::min(erp, place.push);
        // what counts as touching is undone in two steps, more of it by its part
        const double undone = std::max(place.push * deep, std::min(deep, 0.5 * (place.touching - spared)));
        parting_.push_back(deep > 0 ? std::min(undone / step, settings.push_out_velocity)
                                    : -std::max(gap, 0.0) / step);
    }
    // The pass begins where something is deeper than what counts as touching. It goes on until hardly anything is
    // left of the overlap, or until rounding and what moves keep it from shrinking.
    const bool shrinks = deepest < (1 - 0.5 * erp) * deepest_;
    is_parting_ = is_deep || (is_parting_ && is_left && shrinks);
    deepest_ = deepest;
    if (!is_parting_) return false;
    push_.begin(bodies_);
    for (const bullet::JointPlace &place : joints_.places) {
        const dry_problem_row &row = rows_.posed[place.index];
        if (std::isinf(row.lower) && std::isinf(row.upper)) push_.add(row, bodies_);
    }
    for (size_t i = 0; i < parting_.size(); ++i) push_.add(contacts_.points[i], parting_[i], bodies_);
    push_.solve();
    return true;
}

/// Writes velocities, and what the pass against overlap moved.
inline void BulletSolver::move_bodies(double step, bool is_pushed) const {
    using bullet::Vector;
    for (size_t i = 0; i < bodies_.known.size(); ++i) {
        const bullet::Body &body = bodies_.known[i];
        if (!body.moves) continue;
        const double *posed = &answer_.velocities[6 * i];
        const Vector linear = bodies_.meant(uint32_t(i), Vector(posed)), angular(posed + 3);
        // a velocity below the rounding of what forces had added to it is none
        const double rest = bullet::ROUNDING * bodies_.linear(uint32_t(i)).largest(),
                     turn = rest * bodies_.turns(uint32_t(i));
        body.rigid->setLinearVelocity(linear.rounded(rest).bullet());
        body.rigid->setAngularVelocity(angular.rounded(turn).bullet());
        if (!is_pushed) continue;
        const bullet::Half motion = push_.velocity(uint32_t(i), bodies_);
        btTransform moved;
        btTransformUtil::integrateTransform(body.rigid->getWorldTransform(), motion.linear.bullet(),
                                            motion.angular.bullet(), btScalar(step), moved);
        body.rigid->setWorldTransform(moved);
    }
}

inline BulletSolver::Worst BulletSolver::worst() const {
    Worst worst;
    worst.residual = report_.residual_max;
    const uint64_t key = report_.worst_contact;
    for (const bullet::Point &place : contacts_.points) {
        const uint64_t own = place.is_rows ? rows_.posed[place.index].key : contacts_.posed[place.index].key;
        if (own != key || key == 0) continue;
        worst.manifold = place.manifold;
        worst.point = place.point;
    }
    for (const bullet::JointPlace &place : joints_.places)
        if (rows_.posed[place.index].key == key && key != 0) worst.joint = place.joint;
    return worst;
}

inline bool BulletSolver::refuse(dry_status status, const std::string &message) {
    status_ = status;
    error_ = message;
    answer_.forget();
    was_settled_ = false;
    if (on_error) on_error(status, message);
    return false;
}

inline void BulletSolver::solve_as_bullet_does(const btContactSolverInfo &info, btIDebugDraw *drawer) {
    if (!stock_) stock_.reset(new btSequentialImpulseConstraintSolver());
    Gathered &all = gathered_;
    stock_->solveGroup(all.bodies.data(), int(all.bodies.size()), all.manifolds.data(), int(all.manifolds.size()),
                       all.joints.data(), int(all.joints.size()), info, drawer, all.dispatcher);
}

}  // namespace drystone

#endif
