// Worlds on the host's job system through drystone.hpp: what its functions throw comes out of step(), nothing of it
// crosses C, and the bits stay what they are.
#include "check.hpp"

#include <deque>
#include <mutex>
#include <stdexcept>

using namespace drystone;

// A pile that is worth sharing out.
static void fill(world &all) {
    const shape ball = all.add_sphere(0.1);
    all.add_body(body_def(all.add_half_space({0, 0, 1}, 0), DRY_STATIC));
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j)
            for (int k = 0; k < 6; ++k) all.add_body(body_def(ball).set_position({0.199 * i, 0.199 * j, 0.1 + 0.199 * k}));
}

// Two threads with one queue.
class pool : public job_system {
public:
    pool() {
        for (std::thread &thread : threads_) thread = std::thread([this] { live(); });
    }
    ~pool() override {
        ended_ = true;
        for (std::thread &thread : threads_) thread.join();
    }
    void submit(task work) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        queue_.push_back(std::move(work));
        ++submitted;
    }
    int submitted = 0;

private:
    void live() {
        while (!ended_) {
            std::unique_lock<std::mutex> lock(mutex_);
            if (queue_.empty()) {
                lock.unlock();
                std::this_thread::yield();
                continue;
            }
            const task work = queue_.front();
            queue_.pop_front();
            lock.unlock();
            work();
            work(); // once too often, which does nothing
        }
    }
    std::mutex mutex_;
    std::deque<task> queue_;
    std::atomic<bool> ended_{false};
    std::thread threads_[2];
};

// Fails in one way or another, once.
class failing : public job_system {
public:
    enum kind { before_queueing, after_queueing, in_wait, calls_the_world, never };
    explicit failing(kind how) : how_(how) {}
    ~failing() override {
        for (const task &work : left_) {
            check("each task was done while the world lived", work.ended());
            work(); // nothing happens, or valgrind sees what
        }
    }
    void submit(task work) override {
        if (how_ == before_queueing && once()) throw std::runtime_error("before queueing");
        left_.push_back(work);
        if (how_ == after_queueing && once()) throw std::runtime_error("after queueing");
        if (how_ == calls_the_world && once()) busy->step(0.01);
    }
    void wait(const task &work) override {
        check("no thread did it yet", !work.ended());
        if (how_ == in_wait && once()) throw 17;
    }
    world *busy = nullptr;

private:
    bool once() { return !std::exchange(failed_, true); }
    kind how_;
    bool failed_ = false;
    std::vector<task> left_;
};

static std::uint64_t expected;

static void goes_on(const char *what, world &all) {
    all.step(0.01);
    check(what, all.hash() == expected);
}

static void fails(failing::kind how, const char *what) {
    failing jobs(how);
    world all(world_def(), jobs, 3);
    fill(all);
    jobs.busy = &all;
    try {
        all.step(0.01);
        check(what, false);
    } catch (const std::runtime_error &error) {
        check_text(what, error.what(), how == failing::calls_the_world ? "DRY_ERR_BUSY" : what);
    } catch (int number) {
        check(what, number == 17);
    }
    goes_on(what, all); // the step was made, and so is the next
}

int main() {
    world alone;
    fill(alone);
    alone.step(0.01);
    alone.step(0.01);
    expected = alone.hash();

    {
        pool jobs;
        world all(world_def(), jobs, 3);
        fill(all);
        all.step(0.01);
        world moved = std::move(all);
        goes_on("the host's threads, the same bits", moved);
        check("they were asked", jobs.submitted > 0);
    }
    {
        failing nothing(failing::never); // a job system that never does a thing
        world all(world_def(), nothing, 3);
        fill(all);
        all.step(0.01);
        goes_on("no thread helps, the same bits", all);
    }
    fails(failing::before_queueing, "before queueing");
    fails(failing::after_queueing, "after queueing");
    fails(failing::in_wait, "in wait");
    fails(failing::calls_the_world, "a call of the same world");
    failing jobs(failing::never);
    refused("no workers", DRY_ERR_ARGUMENT, "worker_count is 0", [&] { world all(world_def(), jobs, 0); });
    return failures == 0 ? 0 : 1;
}
