// How steps are projected, and what they start from.
#ifndef DRYSTONE_BULLET_STEP_POLICY_HPP
#define DRYSTONE_BULLET_STEP_POLICY_HPP

#include <drystone.h>

#include <cstddef>

namespace drystone {
namespace bullet {

/// What is known of a step before it is solved.
struct Situation {
    size_t contacts, rows;
    /// Contacts of bodies that touch at several points.
    size_t rocking;
    /// The largest speed of a body at the start of the step, and the largest that forces give one in it [m/s].
    double speed, kick;
};

/// Decides how steps are projected, and from which impulses they start. All of it follows from counts, speeds and
/// residuals, so the same calls give the same bits.
class StepPolicy {
public:
    /// Returns the projection of a step in place of DRY_PROJECTION_AUTO, which keeps to a tenth of the work of the
    /// sweeps. Mechanisms that hardly touch anything are projected in every step: this makes them exact. With many
    /// contacts that still move few projections are accepted. With as few sweeps as Bullet's these projections set
    /// bodies rocking.
    static dry_projection projection(const Situation &now) {
        if (now.rows > 10 * now.contacts) return DRY_PROJECTION_STICK;
        const bool is_small = now.contacts <= FEW && now.rows == 0;
        return is_small || now.speed <= NEARLY_AT_REST * now.kick ? DRY_PROJECTION_AUTO : DRY_PROJECTION_OFF;
    }

    /// Friction that is carried over in full from sweeps that do not converge shakes columns. Without it walls creep.
    /// So it is dropped in every third step while the sweeps are far off, if most contacts are those of faces.
    bool drops_friction(const Situation &now) const {
        return is_far_off_ && 2 * now.rocking > now.contacts && steps_ % 3 == 0;
    }

    /// Records the report of a step.
    void note(const Situation &now, const dry_step_report &report) {
        ++steps_;
        is_far_off_ = report.residual_mean > FAR_OFF * now.kick;
    }

private:
    /// A body slower than this part of what forces give it in a step [-].
    static constexpr double NEARLY_AT_REST = 0.002;
    /// Sweeps are far off if their mean residual is above this part of it [-].
    static constexpr double FAR_OFF = 0.005;
    /// So many contacts cost little [-].
    static constexpr size_t FEW = 64;

    unsigned steps_ = 0;
    bool is_far_off_ = false;
};

}  // namespace bullet
}  // namespace drystone

#endif
