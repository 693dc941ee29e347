// The same scenes with Bullet's own solver and with drystone's, alternately, 10 iterations each at 1/240 s.
//
//     compare            shorter runs; every quality of drystone's is asserted to be better
//     compare bench      10 s, and the same table with times
//
// Times are means of processor time over the run, of the whole step and of the solver alone. They are printed, never
// judged.
#include "check.hpp"
#include "measure.hpp"

#include <drystone_bullet.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

namespace {

constexpr double STEP = 1.0 / 240;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Processor time: what other programs take does not count.
double processor() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Measures the time in another solver.
class Timed : public btConstraintSolver {
public:
    double seconds = 0;

    explicit Timed(btConstraintSolver &solver) : solver_(solver) {}
    void prepareSolve(int bodies, int manifolds) override {
        measured([&] { solver_.prepareSolve(bodies, manifolds); });
    }
    btScalar solveGroup(btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds,
                        int manifold_count, btTypedConstraint **joints, int joint_count,
                        const btContactSolverInfo &info, btIDebugDraw *drawer, btDispatcher *dispatcher) override {
        measured([&] {
            solver_.solveGroup(bodies, body_count, manifolds, manifold_count, joints, joint_count, info, drawer,
                               dispatcher);
        });
        return 0;
    }
    void allSolved(const btContactSolverInfo &info, btIDebugDraw *drawer) override {
        measured([&] { solver_.allSolved(info, drawer); });
    }
    void reset() override { solver_.reset(); }
    btConstraintSolverType getSolverType() const override { return solver_.getSolverType(); }

private:
    btConstraintSolver &solver_;

    template <class Work>
    void measured(const Work &work) {
        const double begin = now();
        work();
        seconds += now() - begin;
    }
};

/// The results of a scene with one solver.
struct Result {
    double drift = 0, overlap = 0, energy = 0, step = 0, solve = 0;
};

struct Scene {
    std::string name;
    /// Of the check and of the table [s].
    double short_run, long_run;
    std::function<void(scenes::World &, bool is_long)> build;
    /// What counts as drift [m].
    const char *drift;
};

class Run {
public:
    Run(btConstraintSolver &solver, const Scene &scene, bool is_long) : timed_(solver), world_(timed_), scene_(scene) {
        scene.build(world_, is_long);
        duration_ = is_long ? scene.long_run : scene.short_run;
        for (const auto &body : world_.bodies) start_.push_back(body->getWorldTransform().getOrigin());
    }

    /// A tenth of a second.
    void advance() {
        const double begin = now(), worked = processor(), solved = timed_.seconds;
        for (int i = 0; i < 24; ++i) world_.step(STEP);
        const double elapsed = now() - begin, work = processor() - worked;
        result_.step += work;
        // reading the processor's time in every step would take longer than some of them
        result_.solve += (timed_.seconds - solved) * work / elapsed;
        time_ += 0.1;
        if (std::strcmp(scene_.drift, "joints") == 0) result_.drift = std::max(result_.drift, scenes::apart(world_));
        if (std::strcmp(scene_.drift, "creep") == 0 && time_ < duration_ - 0.45) remember();
        if (time_ > 0.8 * duration_) {
            result_.energy += measure::kinetic_energy(world_);
            ++samples_;
        }
    }

    bool is_over() const { return time_ > duration_ - 0.05; }

    Result result() const {
        Result result = result_;
        if (std::strcmp(scene_.drift, "joints") != 0) result.drift = moved();
        result.overlap = measure::overlap(world_);
        result.energy /= samples_;
        const double steps = 240 * time_;
        result.step *= 1e3 / steps;
        result.solve *= 1e3 / steps;
        return result;
    }

private:
    Timed timed_;
    scenes::World world_;
    const Scene &scene_;
    std::vector<btVector3> start_;
    Result result_;
    double time_ = 0, duration_ = 0;
    int samples_ = 0;

    void remember() {
        for (size_t i = 0; i < start_.size(); ++i) start_[i] = world_.bodies[i]->getWorldTransform().getOrigin();
    }

    /// The farthest that a body went, except for sinking where it is to stand.
    double moved() const {
        double farthest = 0;
        for (size_t i = 0; i < start_.size(); ++i) {
            btVector3 way = world_.bodies[i]->getWorldTransform().getOrigin() - start_[i];
            if (std::strcmp(scene_.drift, "aside") == 0) way.setZ(0);
            farthest = std::max(farthest, double(way.length()));
        }
        return farthest;
    }
};

const Scene SCENES[] = {
    {"stack of 20 boxes", 3, 10, [](scenes::World &world, bool) { scenes::stack(world); }, "aside"},
    {"wall of 210 boxes", 1.5, 10, [](scenes::World &world, bool) { scenes::wall(world); }, "aside"},
    {"pile of 1000 spheres (checked: 400)", 4, 5,
     [](scenes::World &world, bool is_long) { scenes::pile(world, is_long ? 1000 : 400); }, "creep"},
    {"weight of 50 on a chain of 20 hinges", 3, 10, [](scenes::World &world, bool) { scenes::chain(world, false); },
     "joints"},
    {"1000 kg on 1 kg", 4, 10, [](scenes::World &world, bool) { scenes::heavy_on_light(world); }, "all"},
    {"slope of 0.4, friction 0.5", 3, 10, [](scenes::World &world, bool) { scenes::slope(world); }, "all"},
};

/// What moves, in which drystone is not better in every column, and slower: shown in the long run.
const Scene MOVING[] = {
    {"the stack, dropped askew", 3, 10,
     [](scenes::World &world, bool) {
         scenes::stack(world);
         scenes::askew(world);
     },
     "aside"},
    {"the wall, dropped askew", 3, 10,
     [](scenes::World &world, bool) {
         scenes::wall(world);
         scenes::askew(world);
     },
     "aside"},
    {"puppet of 11 boxes, falls and lies", 3, 10, [](scenes::World &world, bool) { scenes::ragdoll(world); }, "joints"},
    {"the chain, swinging", 3, 10, [](scenes::World &world, bool) { scenes::chain(world, true); }, "joints"},
};

void print(const char *who, const Result &result) {
    std::printf("    %-10s %10.1e %10.1e %10.1e %10.4f %10.4f\n", who, result.drift, result.overlap, result.energy,
                result.solve, result.step);
}

void compare(const Scene &scene, bool is_long, Result &stock, Result &dry) {
    btSequentialImpulseConstraintSolver stock_solver;
    drystone::BulletSolver dry_solver;
    dry_solver.on_error = [](dry_status, const std::string &message) { check::that(false, "refused: " + message); };
    Run one(stock_solver, scene, is_long), other(dry_solver, scene, is_long);
    while (!one.is_over()) {
        one.advance();
        other.advance();
    }
    stock = one.result();
    dry = other.result();
    std::printf("  %s\n", scene.name.c_str());
    print("Bullet", stock);
    print("drystone", dry);
    std::printf("    %-42s %10.2f %10.2f\n", "ratio of times", dry.solve / stock.solve, dry.step / stock.step);
}

/// Better, or nothing but rounding.
void better(double dry, double stock, double rounding, const std::string &what) {
    check::at_most(dry, std::max(stock, rounding), what);
}

}  // namespace

int main(int count, char **arguments) {
    const bool is_long = count > 1 && std::strcmp(arguments[1], "bench") == 0;
    const bool is_double = sizeof(btScalar) == 8;
    std::printf("Bullet in %s precision, 10 iterations, step 1/240 s\n", is_double ? "double" : "single");
    std::printf("    %-10s %10s %10s %10s %10s %10s\n", "", "drift, m", "overlap, m", "energy, J", "solve, ms",
                "step, ms");
    std::vector<std::pair<Result, Result>> results;
    for (const Scene &scene : SCENES) {
        results.emplace_back();
        compare(scene, is_long, results.back().first, results.back().second);
    }
    for (const Scene &scene : MOVING) {
        Result stock, dry;
        if (is_long) compare(scene, is_long, stock, dry);
    }
    // An ulp of a place 10 to 20 m from the origin is 2e-6 m in single precision, 4e-15 m in double. A body of 1000 kg
    // that has the rounding of what gravity gives it in a step, 4e-9 m/s or 7e-18 m/s, has an energy of 1e-14 J, 210 of
    // them of 2e-12 J; a link of the chain turns by the rounding of its places over its length in a step, 2e-6 m / 0.4
    // m * 240/s, and has 3e-8 J.
    const double length = is_double ? 1e-12 : 2e-6, energy = is_double ? 1e-20 : 1e-7;
    for (size_t i = 0; i < results.size(); ++i) {
        const std::string &name = SCENES[i].name;
        const auto &[stock, dry] = results[i];
        better(dry.drift, stock.drift, length, "drift [m], " + name);
        better(dry.overlap, stock.overlap, length, "overlap [m], " + name);
        better(dry.energy, stock.energy, energy, "kinetic energy [J], " + name);
    }
    // what Bullet's own solver drops, drystone holds
    check::at_most(results[4].second.drift, 1e-3, "1000 kg stay on 1 kg [m]");
    return check::failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
