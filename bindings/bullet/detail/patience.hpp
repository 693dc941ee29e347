// When the costly means are tried, and what a step starts from.
#ifndef DRYSTONE_BULLET_PATIENCE_HPP
#define DRYSTONE_BULLET_PATIENCE_HPP

#include <drystone.h>

#include <algorithm>
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

/// Decides in which steps the stick projection is tried, and from which impulses a step starts. All of it follows from
/// counts, speeds and residuals, so the same calls give the same bits.
class Patience {
public:
    /// The projection brings what rests to rest at once, and then costs nothing. While a large pile moves it takes as
    /// long as a hundred steps and mostly is rejected: so it waits until all is nearly at rest, and the longer the more
    /// often there was work for it. Few contacts, and mechanisms that hardly touch anything, are projected in every
    /// step: it is that which makes them exact.
    bool tries_projection(const Situation &now, size_t limit) {
        if (now.contacts + now.rows > limit) return false;
        if (is_mechanism(now)) return true;
        if (!is_small(now) && now.speed > NEARLY_AT_REST * now.kick) return false;
        if (wait_ == 0) return true;
        --wait_;
        return false;
    }

    /// Friction that is carried over whole from sweeps which do not converge shakes columns; forgotten it makes walls
    /// creep. It is forgotten in every third step while the sweeps are far off, where most contacts are those of faces.
    bool forgets_friction(const Situation &now) const {
        return is_shaky_ && 2 * now.rocking > now.contacts && steps_ % 3 == 0;
    }

    /// What came of a step.
    void note(const Situation &now, const dry_step_report &report, bool tried) {
        ++steps_;
        is_shaky_ = report.residual_mean > SHAKY * now.kick;
        if (!tried) return;
        const bool was_rejected = report.rejected_islands > 0, had_work = was_rejected || report.projected_islands > 0;
        if (was_rejected || (had_work && !is_small(now))) {
            pause_ = std::min(std::max(8 * pause_, was_rejected ? 32u : 1u), 512u);
        } else {
            pause_ = 0;
        }
        wait_ = pause_;
    }

private:
    /// A body slower than this part of what forces give it in a step [-].
    static constexpr double NEARLY_AT_REST = 0.002;
    /// Sweeps are far off if their mean residual is above this part of it [-].
    static constexpr double SHAKY = 0.005;
    /// So many contacts cost little [-].
    static constexpr size_t FEW = 64;

    unsigned wait_ = 0, pause_ = 0, steps_ = 0;
    bool is_shaky_ = false;

    static bool is_small(const Situation &now) { return now.contacts <= FEW && now.rows == 0; }
    static bool is_mechanism(const Situation &now) { return now.rows > 10 * now.contacts; }
};

}  // namespace bullet
}  // namespace drystone

#endif
