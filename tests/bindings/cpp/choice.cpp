// A program whose files choose differently: this one throws, where there are exceptions, results.cpp returns.
#include "check.hpp"

int results();

int main() {
#ifndef DRYSTONE_NO_EXCEPTIONS
    drystone::world world;
    refused("a shape is refused", DRY_ERR_ARGUMENT, "radius is -1", [&] { world.add_sphere(-1.0); });
#endif
    return results() == 0 && failures == 0 ? 0 : 1;
}
