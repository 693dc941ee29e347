// Worlds that step on a host's job system: real threads, one queue for all jobs, and a wait that does other jobs
// meanwhile. Some of these call the world that is being stepped, which must be busy, others step other worlds, which
// must work. And threads of the world's own. Whatever works on a step, the bits are the same.
#include <drystone.h>

#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

int failures = 0;

void check(const char *what, bool holds) {
    std::printf("%-4s %s\n", holds ? "ok" : "FAIL", what);
    failures += holds ? 0 : 1;
}

void must(dry_status status) {
    if (status != DRY_OK) {
        char message[512] = "";
        (void)dry_last_error(message, sizeof message, nullptr);
        std::printf("FAIL %s: %s\n", dry_status_name(status), message);
        std::exit(EXIT_FAILURE);
    }
}

// How this thread rounds doubles: by a sum, since fegetround may look elsewhere.
bool rounds_upwards() {
    volatile double one = 1.0, tiny = 1e-17;
    return one + tiny > 1.0;
}

// ---- the host's job system ---------------------------------------------------------------------

struct Job {
    std::function<void()> work;
    std::atomic<bool> done{false};
};

using Ticket = std::shared_ptr<Job>;

class JobSystem {
public:
    explicit JobSystem(int threads) {
        for (int k = 0; k < threads; ++k) {
            threads_.emplace_back([this] { live(); });
        }
    }

    ~JobSystem() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        for (std::thread &thread : threads_) {
            thread.join();
        }
    }

    Ticket submit(std::function<void()> work) {
        Ticket job = std::make_shared<Job>();
        job->work = std::move(work);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            queue_.push_back(job);
        }
        wake_.notify_one();
        return job;
    }

    // Does other jobs until this one is done.
    void wait(const Ticket &job) {
        while (!job->done) {
            if (!do_one()) {
                std::this_thread::yield();
            }
        }
    }

private:
    bool do_one() {
        Ticket job;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (queue_.empty()) {
                return false;
            }
            job = queue_.front();
            queue_.pop_front();
        }
        job->work();
        job->done = true;
        return true;
    }

    void live() {
        // As some hosts have their threads; what a task computes must not know.
        std::fesetround(FE_UPWARD);
        for (;;) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
                if (stop_) {
                    return;
                }
            }
            do_one();
            environments_changed += rounds_upwards() ? 0 : 1;
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Ticket> queue_;
    std::vector<std::thread> threads_;
    bool stop_ = false;

public:
    std::atomic<int> environments_changed{0};
};

// ---- drystone on it ----------------------------------------------------------------------------

// What a world of the host's knows in its callbacks.
struct Host {
    JobSystem *jobs;
    std::function<void()> foreign; // one for each task: done by the thread that comes to it, or by the one that waits
    std::atomic<int> tasks{0};
    std::atomic<int> waits{0};

    explicit Host(JobSystem *system) : jobs(system) {}
};

struct Handle {
    Ticket task, foreign;
    bool foreign_in_wait = false;
};

void *run_task(void *user_data, dry_task task, void *argument) {
    Host *host = static_cast<Host *>(user_data);
    const int number = host->tasks++;
    Handle *handle = new Handle;
    if (host->foreign && number % 2 == 0) {
        handle->foreign = host->jobs->submit(host->foreign);
    }
    handle->foreign_in_wait = host->foreign && number % 2 == 1;
    handle->task = host->jobs->submit([=] { task(argument); });
    return handle;
}

void wait_for(void *user_data, void *opaque) {
    Host *host = static_cast<Host *>(user_data);
    std::unique_ptr<Handle> handle(static_cast<Handle *>(opaque));
    ++host->waits;
    if (handle->foreign_in_wait) {
        host->foreign();
    }
    host->jobs->wait(handle->task);
    // So that foreign jobs fall into the step.
    if (handle->foreign) {
        host->jobs->wait(handle->foreign);
    }
}

dry_task_callbacks callbacks_of(void *user_data, dry_task_run run, dry_task_wait wait, uint32_t workers) {
    dry_task_callbacks callbacks{};
    callbacks.struct_size = sizeof callbacks;
    callbacks.user_data = user_data;
    callbacks.run_task = run;
    callbacks.wait = wait;
    callbacks.worker_count = workers;
    return callbacks;
}

// ---- scenes ------------------------------------------------------------------------------------

constexpr int steps = 12;

// Boxes and spheres that fall onto the floor and each other; of some hundred bodies a step has several pieces.
// The world is made by a thread that rounds like this.
dry_world *make_scene(int count, uint32_t threads, const dry_task_callbacks *tasks, int rounding = FE_TONEAREST) {
    dry_world_def def;
    dry_world *world = nullptr;
    dry_shape ball, box, floor;
    must(dry_world_def_init(&def, sizeof def));
    def.threads = threads;
    def.tasks = tasks;
    std::fesetround(rounding);
    must(dry_world_create(&def, &world));
    std::fesetround(FE_TONEAREST);
    const double up[3] = {0, 0, 1}, half[3] = {0.1, 0.08, 0.09};
    must(dry_shape_sphere(world, 0.1, &ball));
    must(dry_shape_box(world, half, &box));
    must(dry_shape_half_space(world, up, 0.0, &floor));
    dry_body body;
    dry_body_def place;
    must(dry_body_def_init(&place, sizeof place));
    place.shape = floor;
    place.kind = DRY_STATIC;
    must(dry_body_add(world, &place, &body));
    for (int k = 0; k < count; ++k) {
        must(dry_body_def_init(&place, sizeof place));
        place.shape = k % 3 == 0 ? box : ball;
        place.position[0] = 0.21 * (k % 9) + 0.004 * (k % 7);
        place.position[1] = 0.21 * (k / 9 % 9) + 0.003 * (k % 5);
        place.position[2] = 0.1 + 0.195 * (k / 81);
        place.angular_velocity[k % 3] = 0.1 * (k % 11);
        must(dry_body_add(world, &place, &body));
    }
    return world;
}

uint64_t hash_of(const dry_world *world) {
    uint64_t hash = 0;
    must(dry_world_hash(world, &hash));
    return hash;
}

uint64_t run(dry_world *world, int count) {
    for (int k = 0; k < count; ++k) {
        must(dry_world_step(world, 0.01, nullptr));
    }
    const uint64_t hash = hash_of(world);
    dry_world_destroy(world);
    return hash;
}

constexpr int bodies = 700, others = 150;

// ---- checks ------------------------------------------------------------------------------------

void threads_of_its_own(uint64_t expected) {
    check("2 threads: the same bits", run(make_scene(bodies, 2, nullptr), steps) == expected);
    check("4 threads: the same bits", run(make_scene(bodies, 4, nullptr), steps) == expected);
    // On some systems new threads inherit how the thread rounds that makes them.
    const uint64_t hash = run(make_scene(bodies, 2, nullptr, FE_DOWNWARD), steps);
    check("2 threads, made by one that rounds downwards: the same bits", hash == expected);
}

// A job system that does a task at once, in an environment of its own, and restores the default one.
void *run_rounding_upwards(void *user_data, dry_task task, void *argument) {
    std::fesetround(FE_UPWARD);
    task(argument);
    if (!rounds_upwards()) {
        *static_cast<bool *>(user_data) = false;
    }
    std::fesetround(FE_TONEAREST);
    return nullptr;
}

// And one whose wait leaves the calling thread another environment.
void *run_nothing(void *, dry_task, void *argument) {
    return argument;
}

void wait_and_spoil(void *, void *) {
    std::fesetround(FE_UPWARD);
}

void environments(uint64_t expected) {
    bool kept = true;
    dry_task_callbacks tasks = callbacks_of(&kept, run_rounding_upwards, wait_and_spoil, 2);
    check("a task that starts rounding upwards: the same bits", run(make_scene(bodies, 1, &tasks), steps) == expected);
    check("it leaves the environment unchanged", kept);
    tasks = callbacks_of(nullptr, run_nothing, wait_and_spoil, 2);
    check("a wait that leaves another rounding: the same bits", run(make_scene(bodies, 1, &tasks), steps) == expected);
    check("the stepping thread rounds as it did", !rounds_upwards());
    std::fesetround(FE_TONEAREST);
}

// Calls on a world that steps, of a kind that changes with the number.
dry_status call(dry_world *world, int number) {
    const double gravity[3] = {0, 0, -1};
    double kinetic, potential;
    uint64_t hash;
    size_t count;
    switch (number % 6) {
    case 0: return dry_world_step(world, 0.01, nullptr);
    case 1: return dry_world_hash(world, &hash);
    case 2: return dry_world_set_gravity(world, gravity);
    case 3: return dry_query_energy(world, &kinetic, &potential);
    case 4: return dry_query_contacts(world, nullptr, sizeof(dry_contact), 0, &count);
    default: return dry_query_bodies(world, nullptr, 0, &count);
    }
}

void a_real_job_system(uint64_t expected) {
    JobSystem jobs(3);
    Host host(&jobs), nested(&jobs);
    const dry_task_callbacks tasks = callbacks_of(&host, run_task, wait_for, 4);
    const dry_task_callbacks nested_tasks = callbacks_of(&nested, run_task, wait_for, 3);
    dry_world *world = make_scene(bodies, 1, &tasks);
    dry_world *plain = make_scene(others, 1, nullptr);
    dry_world *inner = make_scene(bodies / 2, 1, &nested_tasks);
    std::atomic<int> number{0}, on_stepping_thread{0}, not_busy{0}, plain_failed{0}, plain_steps{0}, inner_steps{0},
        inner_failed{0};
    const std::thread::id stepping = std::this_thread::get_id();
    host.foreign = [&] {
        // Jobs of the host round as its threads do, except on the thread that steps.
        const int rounding = std::fegetround();
        std::fesetround(FE_TONEAREST);
        const int mine = number++;
        on_stepping_thread += std::this_thread::get_id() == stepping;
        not_busy += call(world, mine) != DRY_ERR_BUSY;
        if (mine % 3 == 0) {
            const dry_status status = dry_world_step(plain, 0.01, nullptr);
            plain_failed += status != DRY_OK;
            plain_steps += status == DRY_OK;
        }
        if (mine % 3 == 1) {
            // Another job may be stepping it already.
            const dry_status status = dry_world_step(inner, 0.01, nullptr);
            inner_failed += status != DRY_OK && status != DRY_ERR_BUSY;
            inner_steps += status == DRY_OK;
        }
        std::fesetround(rounding);
    };
    // Another thread that queries all the time: it gets the results of the last step, or that the world is busy.
    std::atomic<bool> stop{false};
    std::atomic<int> odd{0};
    std::thread asks([&] {
        while (!stop) {
            const dry_status status = call(world, 3);
            odd += status != DRY_OK && status != DRY_ERR_BUSY;
        }
    });
    for (int k = 0; k < steps; ++k) {
        must(dry_world_step(world, 0.01, nullptr));
    }
    stop = true;
    asks.join();
    host.foreign = nullptr;
    check("a job system: the same bits", hash_of(world) == expected);
    check("it was given tasks, and each was waited for", host.tasks >= 6 * steps && host.waits == host.tasks);
    check("foreign jobs ran on the stepping thread too", number == host.tasks && on_stepping_thread >= host.tasks / 2);
    check("in them the world was busy", not_busy == 0);
    check("and a plain world was not", plain_failed == 0 && plain_steps > 0);
    check("nor failed a world on the same job system", inner_failed == 0 && inner_steps > 0);
    check("another thread heard nothing odd", odd == 0);
    check("the threads round as they did", jobs.environments_changed == 0);
    must(dry_world_step(inner, 0.01, nullptr));
    ++inner_steps;
    check("the plain world's bits", hash_of(plain) == run(make_scene(others, 1, nullptr), plain_steps));
    check("the inner world's bits", hash_of(inner) == run(make_scene(bodies / 2, 1, nullptr), inner_steps));
    std::printf("     %d tasks, %d of %d foreign jobs on the stepping thread, %d and %d inner steps\n", host.tasks.load(),
                on_stepping_thread.load(), number.load(), plain_steps.load(), inner_steps.load());
    dry_world_destroy(world);
    dry_world_destroy(plain);
    dry_world_destroy(inner);
}

} // namespace

int main() {
    const uint64_t expected = run(make_scene(bodies, 1, nullptr), steps);
    check("the scene moves", expected != run(make_scene(bodies, 1, nullptr), steps - 1));
    threads_of_its_own(expected);
    environments(expected);
    a_real_job_system(expected);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
