// Many steps in one call, with a function between them. Its exceptions do not pass through C. Part of drystone.hpp.
#ifndef DRYSTONE_RUN_HPP
#define DRYSTONE_RUN_HPP

#include "error.hpp"
#include "types.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// The result of a run.
struct run_result {
    /// The number of completed steps. It is less than requested if the function stopped the run.
    std::uint64_t steps_done = 0;
    /// Of the last of them; zeros if there is none.
    step_report report;
};

namespace detail {

/// Stands between a run and the caller's function.
template <class Progress> class run_bridge {
public:
    run_bridge(Progress &progress, std::uint64_t every) noexcept : progress_(progress), every_(every) {}

    dry_run_progress callback() noexcept {
        dry_run_progress all{};
        all.struct_size = sizeof all;
        all.user_data = this;
        all.progress = [](void *bridge, std::uint64_t done, std::uint64_t count, const dry_step_report *report) {
            return static_cast<run_bridge *>(bridge)->call(done, count, *report);
        };
        all.every = every_;
        return all;
    }

    /// Throws what the function threw.
    void rethrow() {
#ifndef DRYSTONE_NO_EXCEPTIONS
        if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
#endif
    }

private:
    std::int32_t call(std::uint64_t done, std::uint64_t count, const dry_step_report &report) noexcept {
#ifndef DRYSTONE_NO_EXCEPTIONS
        try {
            return stops(done, count, report);
        } catch (...) {
            thrown_ = std::current_exception();
            return 1;
        }
#else
        return stops(done, count, report);
#endif
    }

    std::int32_t stops(std::uint64_t done, std::uint64_t count, const dry_step_report &report) {
        using answer = decltype(progress_(done, count, report));
        if constexpr (std::is_void_v<answer>) {
            progress_(done, count, report);
            return 0;
        } else {
            return progress_(done, count, report) ? 1 : 0;
        }
    }

    Progress &progress_;
    std::uint64_t every_;
#ifndef DRYSTONE_NO_EXCEPTIONS
    std::exception_ptr thrown_;
#endif
};

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
