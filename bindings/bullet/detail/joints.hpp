// Bullet's constraints as rows of a problem, and the answer back in them.
#ifndef DRYSTONE_BULLET_JOINTS_HPP
#define DRYSTONE_BULLET_JOINTS_HPP

#include "rows.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace drystone {
namespace bullet {

/// One row as a constraint writes it.
struct JointRow {
    btScalar first_linear[4], first_angular[4], second_linear[4], second_angular[4];
    btScalar error, cfm, lower, upper;
};

/// A row of a constraint that takes part.
struct JointPlace {
    btTypedConstraint *joint;
    /// In the list of rows.
    uint32_t index;
    /// As the constraint wrote it.
    uint32_t written;
    uint64_t key;
};

class Joints {
public:
    std::vector<JointPlace> places;
    /// The most iterations that a constraint asks for itself.
    int iterations = 0;

    void begin() {
        places.clear();
        std::swap(written_, before_);
        written_.clear();
        iterations = 0;
        ++step_;
        if (known_.size() > 2 * before_.size() + 64) forget_removed();
    }

    /// Forgets which row was which.
    void forget() { known_.clear(); }

    /// Asks a constraint for its rows and adds them.
    void add(btTypedConstraint &joint, Bodies &bodies, Rows &rows, const btContactSolverInfo &info) {
        joint.buildJacobian();
        joint.internalSetAppliedImpulse(0);
        if (btJointFeedback *feedback = joint.getJointFeedback()) {
            feedback->m_appliedForceBodyA.setZero();
            feedback->m_appliedTorqueBodyA.setZero();
            feedback->m_appliedForceBodyB.setZero();
            feedback->m_appliedTorqueBodyB.setZero();
        }
        if (!joint.isEnabled()) return;
        btTypedConstraint::btConstraintInfo1 size{0, 0};
        joint.getInfo1(&size);
        if (size.m_numConstraintRows <= 0) return;
        const uint32_t a = bodies.index_of(joint.getRigidBodyA()), b = bodies.index_of(joint.getRigidBodyB());
        const size_t first = written_.size();
        const double damping = double(ask(joint, size.m_numConstraintRows, info));
        iterations = std::max(iterations, joint.getOverrideNumSolverIterations());
        const uint64_t id = identify(joint, first);
        if (a == b || !(bodies.moves(a) || bodies.moves(b))) return;
        for (size_t i = first; i < written_.size(); ++i) {
            const JointRow &row = written_[i].row;
            const Half of_a = half(row.first_linear, row.first_angular),
                       of_b = half(row.second_linear, row.second_angular);
            const double response =
                bodies.response(a, of_a.linear, of_a.angular) + bodies.response(b, of_b.linear, of_b.angular);
            if (response <= double(SIMD_EPSILON)) continue;  // as Bullet does: such a row does nothing
            const double velocity = of_a.velocity(bodies, a) + of_b.velocity(bodies, b);
            dry_problem_row &added = rows.add(bodies, a, of_a, b, of_b, double(row.error) + (1 - damping) * velocity);
            // Bullet's solver measures softness in units of the row's own response
            added.compliance = row.cfm > 0 ? double(row.cfm) * response : 0;
            const double most = double(joint.getBreakingImpulseThreshold());
            added.lower = bound(std::max(double(row.lower), -most));
            added.upper = bound(std::min(double(row.upper), most));
            added.key = JOINT | id << 32 | written_[i].number;
            places.push_back({&joint, uint32_t(rows.posed.size() - 1), uint32_t(i), added.key});
        }
    }

    /// Writes the impulse of a row back: the constraint's applied impulse, which as Bullet has it is that of its last
    /// row; its feedback; and whether it broke.
    void report(const JointPlace &place, double impulse, double step) const {
        btTypedConstraint &joint = *place.joint;
        const JointRow &row = written_[place.written].row;
        if (btJointFeedback *feedback = joint.getJointFeedback()) {
            const btScalar force = btScalar(impulse / step);
            const btRigidBody &a = joint.getRigidBodyA(), &b = joint.getRigidBodyB();
            feedback->m_appliedForceBodyA += vector(row.first_linear) * force * a.getLinearFactor();
            feedback->m_appliedTorqueBodyA += vector(row.first_angular) * force * a.getAngularFactor();
            feedback->m_appliedForceBodyB += vector(row.second_linear) * force * b.getLinearFactor();
            feedback->m_appliedTorqueBodyB += vector(row.second_angular) * force * b.getAngularFactor();
        }
        joint.internalSetAppliedImpulse(btScalar(impulse));
        if (btFabs(btScalar(impulse)) >= joint.getBreakingImpulseThreshold()) joint.setEnabled(false);
    }

private:
    /// The bit by which keys of joints differ from those of contacts.
    static constexpr uint64_t JOINT = uint64_t(1) << 63;

    struct Written {
        JointRow row;
        /// The same for as long as the row is there.
        uint32_t number;
    };
    static_assert(sizeof(Written) % sizeof(btScalar) == 0, "constraints step from row to row in whole scalars");

    /// What is known of a constraint from the last step.
    struct Known {
        const btRigidBody *first = nullptr, *second = nullptr;
        uint64_t id = 0, step = 0;
        /// Its rows in the list of what was written.
        size_t begin = 0, end = 0;
        uint32_t numbers = 0;
    };

    std::vector<Written> written_, before_;
    std::unordered_map<const btTypedConstraint *, Known> known_;
    uint64_t step_ = 1, ids_ = 0;

    void forget_removed() {
        for (auto entry = known_.begin(); entry != known_.end();)
            entry = entry->second.step + 1 < step_ ? known_.erase(entry) : std::next(entry);
    }

    static btVector3 vector(const btScalar *v) { return {v[0], v[1], v[2]}; }
    static Half half(const btScalar *linear, const btScalar *angular) {
        return {Vector(vector(linear)), Vector(vector(angular))};
    }

    /// Bullet's infinities are large numbers.
    static double bound(double impulse) {
        return std::fabs(impulse) < 1e18 ? impulse : std::copysign(INFINITY, impulse);
    }

    /// Has the constraint write its rows; how much of a velocity it takes out in this step [-].
    btScalar ask(btTypedConstraint &joint, int count, const btContactSolverInfo &info) {
        const size_t first = written_.size();
        Written blank{};
        blank.row.cfm = info.m_globalCfm;
        blank.row.lower = -SIMD_INFINITY;
        blank.row.upper = SIMD_INFINITY;
        written_.resize(first + size_t(count), blank);
        JointRow &row = written_[first].row;
        btTypedConstraint::btConstraintInfo2 asked{};
        asked.fps = 1 / info.m_timeStep;
        asked.erp = info.m_erp;
        asked.m_J1linearAxis = row.first_linear;
        asked.m_J1angularAxis = row.first_angular;
        asked.m_J2linearAxis = row.second_linear;
        asked.m_J2angularAxis = row.second_angular;
        asked.rowskip = int(sizeof(Written) / sizeof(btScalar));
        asked.m_constraintError = &row.error;
        asked.cfm = &row.cfm;
        asked.m_lowerLimit = &row.lower;
        asked.m_upperLimit = &row.upper;
        asked.m_numIterations = info.m_numIterations;
        asked.m_damping = info.m_damping;
        joint.getInfo2(&asked);
        return asked.m_damping;
    }

    /// Numbers the rows of a constraint from `first` on as those of the last step that they continue. The constraint's
    /// own number, which is new where it was not there.
    uint64_t identify(const btTypedConstraint &joint, size_t first) {
        Known &known = known_[&joint];
        const btRigidBody *one = &joint.getRigidBodyA(), *other = &joint.getRigidBodyB();
        if (known.step + 1 != step_ || known.first != one || known.second != other) {
            known = Known();
            known.first = one;
            known.second = other;
            known.id = ++ids_ & 0x7fffffff;
        }
        const size_t begin = known.begin, end = known.end;
        const bool as_before = end - begin == written_.size() - first;
        for (size_t i = first; i < written_.size(); ++i) {
            const size_t found = as_before ? begin + (i - first) : most_alike(written_[i].row, begin, end);
            written_[i].number = found < end ? before_[found].number : ++known.numbers;
            if (!as_before && found < end) before_[found].row = JointRow();  // taken
        }
        known.begin = first;
        known.end = written_.size();
        known.step = step_;
        return known.id;
    }

    /// The row of the last step along which bodies move most alike; `end` where there is none. Limits and motors come
    /// and go between the others.
    size_t most_alike(const JointRow &row, size_t begin, size_t end) const {
        double most = 0.8;
        size_t found = end;
        for (size_t i = begin; i < end; ++i) {
            const double alike = cosine(before_[i].row, row);
            if (alike > most) most = alike, found = i;
        }
        return found;
    }

    static double cosine(const JointRow &x, const JointRow &y) {
        double xy = 0, xx = 0, yy = 0;
        const auto take = [&](const btScalar *p, const btScalar *q) {
            for (int k = 0; k < 3; ++k) {
                xy += double(p[k] * q[k]);
                xx += double(p[k] * p[k]);
                yy += double(q[k] * q[k]);
            }
        };
        take(x.first_linear, y.first_linear);
        take(x.first_angular, y.first_angular);
        take(x.second_linear, y.second_linear);
        take(x.second_angular, y.second_angular);
        return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
