// drystone for C++17 and later: rigid bodies in frictional contact, with contact forces a host can trust.
//
//     drystone::world world;
//     drystone::shape ball = world.add_sphere(0.5);
//     drystone::body body = world.add_body(drystone::body_def(ball).set_position({0, 0, 1}));
//     world.step(1.0 / 240.0);
//
// A thin layer over drystone.h. The first page of drystone.h on units, axes, signs, errors and threads holds here too. This
// is a header only; a program links the same library as in C.
//
// * world and solver own a world and a solver of C, and can be moved. Bodies, shapes, materials and joints are handles, each
//   kind with its own type.
// * A failure is thrown as drystone::error, with the status and message of the library. If there are no exceptions, or the
//   program defines DRYSTONE_NO_EXCEPTIONS, every function returns a drystone::result in place of its value.
// * Vectors may be those of Eigen or glm, std::array, double[3] or other types (vector_traits), of double or float. They are
//   converted number by number. drystone::to<V>() converts back.
// * Arrays are spans: std::span where the standard library has it.
// * Enumerations and bits are those of drystone.h: DRY_STATIC, DRY_SOLVER_NEWTON.
#ifndef DRYSTONE_HPP
#define DRYSTONE_HPP

#include "drystone/error.hpp"
#include "drystone/vectors.hpp"
#include "drystone/types.hpp"
#include "drystone/run.hpp"
#include "drystone/tasks.hpp"
#include "drystone/joints.hpp"
#include "drystone/world.hpp"
#include "drystone/solver.hpp"

#endif
