// drystone for C++17 and later: rigid bodies in frictional contact, with contact forces a host can trust.
//
//     drystone::world world;
//     drystone::shape ball = world.add_sphere(0.5);
//     drystone::body body = world.add_body(drystone::body_def(ball).set_position({0, 0, 1}));
//     world.step(1.0 / 240.0);
//
// A thin layer over drystone.h, whose words on units, axes, signs, errors and threads hold here too. Header only: link
// what a C program links.
//
// * world and solver own what they stand for, and can be moved; bodies, shapes, materials and joints are handles of types of
//   their own.
// * A failure is thrown as drystone::error, with drystone's status and sentence. Where there are no exceptions, or the
//   program defines DRYSTONE_NO_EXCEPTIONS, every function returns a drystone::result in place of its value.
// * Vectors may be Eigen's, glm's, std::array, double[3] or one's own, of double or float (vector_traits); they are
//   converted number by number. drystone::to<V>() gives them back.
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
