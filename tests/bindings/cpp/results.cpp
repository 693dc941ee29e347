// Errors that are returned: compiled with -fno-exceptions, or with DRYSTONE_NO_EXCEPTIONS beside files that throw.
#include "check.hpp"

#include <cmath>

#ifndef DRYSTONE_NO_EXCEPTIONS
#error "without exceptions functions return results by themselves"
#endif

int results();

int results() {
    auto made = drystone::world::create();
    check("a world is created", made && made.status() == DRY_OK && made.message().empty());
    drystone::world world = *std::move(made);
    const auto ball = world.add_sphere(0.5);
    check("a shape is added", ball && *ball);
    const auto none = world.add_sphere(-1.0);
    check("a shape is refused", !none && none.status() == DRY_ERR_ARGUMENT && !*none);
    check_text("with drystone's words", none.message(), "radius is -1");
    const auto body = world.add_body(drystone::body_def(*ball));
    const auto refused = world.add_body(drystone::body_def(*none));
    check("a null handle is refused", body && refused.status() == DRY_ERR_STALE_HANDLE);
    check("a step", world.step(0.01)->bodies == 1);
    std::vector<drystone::body_state> states(2);
    const drystone::result<void> wrong = world.states(states);
    check("an array of another length", !wrong && wrong.status() == DRY_ERR_ARGUMENT);
    check_text("with drystone's words", wrong.message(), "count is 2");
    drystone::world moved = std::move(world);
    check("a world that was moved from", world.step(0.01).status() == DRY_ERR_NULL && moved.step(0.01));

    drystone::world_def def;
    def.gravity[0] = HUGE_VAL;
    const auto no_world = drystone::world::create(def);
    check("a world that was not made is empty", !no_world && !*no_world);
    auto solver = drystone::solver::create();
    drystone::solution solution;
    check("a solver", solver && solver->solve({0.01, {}, {}, {}}, drystone::settings(), solution));
    check("a solver says no", solver->solve({-0.01, {}, {}, {}}, drystone::settings(), solution).status() == DRY_ERR_ARGUMENT);
    return failures;
}
