// The host's job system, as a class. Its exceptions do not pass through C. Part of drystone.hpp.
#ifndef DRYSTONE_TASKS_HPP
#define DRYSTONE_TASKS_HPP

#include "error.hpp"

#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <utility>

namespace drystone {
inline namespace DRYSTONE_VARIANT {

namespace detail {
class job_bridge;
}

/// A piece of drystone's work. Calling it does it, on whichever thread; copies are the same piece, and it is done once
/// however often they are called, before or after it has been waited for.
class task {
public:
    /// Does the work, unless another call has begun it.
    void operator()() const noexcept {
        if (state_->begun.exchange(true)) return;
        state_->work(state_->argument);
        state_->ended.store(true, std::memory_order_release);
    }
    /// Whether the work is done.
    bool ended() const noexcept { return state_->ended.load(std::memory_order_acquire); }
    /// Returns when the work is done. Does it if no other call has begun it.
    void finish() const noexcept {
        (*this)();
        while (!ended()) std::this_thread::yield(); // another thread does it, for some microseconds
    }

private:
    friend class detail::job_bridge;
    struct state {
        dry_task work;
        void *argument;
        std::atomic<bool> begun{false}, ended{false};
        state(dry_task given, void *with) noexcept : work(given), argument(with) {}
    };
    explicit task(std::shared_ptr<state> unstarted) noexcept : state_(std::move(unstarted)) {}
    std::shared_ptr<state> state_;
};

/// The host's job system: a world that is made with one steps on its threads. dry_task_callbacks in drystone.h
/// describes what the functions are called for, and how often. The thread that steps calls them, within world::step.
/// If one throws, the step is finished nevertheless, and step() then throws the same exception.
class job_system {
public:
    virtual ~job_system() = default;
    /// Runs the task or queues it: on another thread if possible. It may also call the task at once.
    virtual void submit(task work) = 0;
    /// Called before the thread that steps waits for a task: a host may do other work of its own until task::ended.
    /// The default does nothing, and the thread does the task if no other thread has begun it.
    virtual void wait(const task &work) { static_cast<void>(work); }
};

namespace detail {

/// Stands between a world and a job system, at one place in memory for as long as the world lives.
class job_bridge {
public:
    job_bridge(job_system &jobs, std::uint32_t workers) noexcept : jobs_(jobs), workers_(workers) {}

    dry_task_callbacks callbacks() noexcept {
        dry_task_callbacks all{};
        all.struct_size = sizeof all;
        all.user_data = this;
        all.run_task = [](void *bridge, dry_task work, void *argument) -> void * {
            return static_cast<job_bridge *>(bridge)->run(work, argument);
        };
        all.wait = [](void *bridge, void *given) { static_cast<job_bridge *>(bridge)->wait_for(given); };
        all.worker_count = workers_;
        return all;
    }

    /// Throws what a function of the job system threw since the last call.
    void rethrow() {
#ifndef DRYSTONE_NO_EXCEPTIONS
        if (auto thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
#endif
    }

private:
    // Not NULL, even if the host threw: it may have queued the task before that, and so it is waited for.
    void *run(dry_task work, void *argument) noexcept {
        task *given = nullptr;
        guarded([&] {
            given = new task(std::make_shared<task::state>(work, argument));
            jobs_.submit(*given);
        });
        return given;
    }

    void wait_for(void *pointer) noexcept {
        const std::unique_ptr<task> given(static_cast<task *>(pointer));
        guarded([&] { jobs_.wait(*given); });
        given->finish();
    }

    template <class Call> void guarded(Call &&call) noexcept {
#ifndef DRYSTONE_NO_EXCEPTIONS
        try {
            call();
        } catch (...) {
            if (!thrown_) thrown_ = std::current_exception();
        }
#else
        call();
#endif
    }

    job_system &jobs_;
    std::uint32_t workers_;
#ifndef DRYSTONE_NO_EXCEPTIONS
    std::exception_ptr thrown_; // only the thread that steps comes here
#endif
};

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
