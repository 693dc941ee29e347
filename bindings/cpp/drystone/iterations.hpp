// A function between the iterations of a call. Its exceptions do not pass through C. Part of drystone.hpp.
#ifndef DRYSTONE_ITERATIONS_HPP
#define DRYSTONE_ITERATIONS_HPP

#include "error.hpp"
#include "types.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

/// Is called with the number of iterations that are over; true stops the call.
using iteration_progress = std::function<bool(std::uint64_t)>;

namespace detail {

/// Stands between a call that iterates and the caller's function, whose exceptions must not enter the library.
class iteration_bridge {
public:
    iteration_bridge(iteration_progress progress, std::uint64_t every)
        : progress_(std::move(progress)), every_(every) {}

    dry_solver_progress callback() noexcept {
        dry_solver_progress all{};
        all.struct_size = sizeof all;
        set_in(all);
        return all;
    }

    /// Sets the members of a structure that are the function, its data and how often it is called.
    template <class Structure> void set_in(Structure &all) noexcept {
        all.user_data = this;
        all.progress = [](void *bridge, std::uint64_t done) {
            return static_cast<iteration_bridge *>(bridge)->call(done);
        };
        all.every = every_;
    }

    /// Throws what the function threw.
    void rethrow() {
#ifndef DRYSTONE_NO_EXCEPTIONS
        if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
#endif
    }

private:
    std::int32_t call(std::uint64_t done) noexcept {
#ifndef DRYSTONE_NO_EXCEPTIONS
        try {
            return progress_(done) ? 1 : 0;
        } catch (...) {
            thrown_ = std::current_exception();
            return 1;
        }
#else
        return progress_(done) ? 1 : 0;
#endif
    }

    iteration_progress progress_;
    std::uint64_t every_;
#ifndef DRYSTONE_NO_EXCEPTIONS
    std::exception_ptr thrown_;
#endif
};

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
