// Checks of the measure of overlap: pairs whose depth is known, and random pairs beside a search over many directions.
#pragma once
#include "overlap.hpp"
#include "scenes.hpp"

#include <cstdio>

struct TestBody {
  PeerShape shape{};
  Features features;
  Vec position;
  Rotation rotation;
  Placed placed() const { return {&shape, &features, position, rotation, reach(shape), false}; }
};

inline TestBody test_body(PeerKind kind, Vec half, double radius, double half_length, Vec position, Rotation rotation = {}) {
  TestBody t;
  t.shape.kind = kind;
  t.shape.half[0] = half.x, t.shape.half[1] = half.y, t.shape.half[2] = half.z;
  t.shape.radius = radius, t.shape.half_length = half_length;
  t.features = features_of(t.shape);
  t.position = position, t.rotation = rotation;
  return t;
}

inline int test_overlap() {
  const Vec cube{0.5, 0.5, 0.5};
  const double r2 = std::sqrt(2.0), r3 = std::sqrt(3.0);
  const Rotation eighth{{r2 / 2, r2 / 2, 0}, {-r2 / 2, r2 / 2, 0}, {0, 0, 1}}; // an eighth turn about z
  const Rotation lying{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};                     // z lies along x
  const Rotation diagonal{{1 / r2, -1 / r2, 0}, {1 / std::sqrt(6.0), 1 / std::sqrt(6.0), -2 / std::sqrt(6.0)}, {1 / r3, 1 / r3, 1 / r3}};
  auto box = [&](Vec p, Rotation r = {}) { return test_body(PEER_BOX, cube, 0, 0, p, r); };
  auto ball = [&](double radius, Vec p) { return test_body(PEER_SPHERE, {}, radius, 0, p); };
  auto cylinder = [&](Vec p, Rotation r = {}) { return test_body(PEER_CYLINDER, {}, 0.5, 1, p, r); };
  auto capsule = [&](Vec p, Rotation r = {}) { return test_body(PEER_CAPSULE, {}, 0.25, 1, p, r); };
  struct Case {
    const char *name;
    TestBody a, b;
    double depth;
  };
  const Rotation edge_x{{1, 0, 0}, {0, r2 / 2, r2 / 2}, {0, -r2 / 2, r2 / 2}}, edge_y{{r2 / 2, 0, -r2 / 2}, {0, 1, 0}, {r2 / 2, 0, r2 / 2}};
  const Case cases[] = {
      {"box on box", box({}), box({0.1, 0.2, 0.99}), 0.01},
      {"corner of a turned box in a face", box({}), box({0.5 + r2 / 2 - 0.01, 0.1, 0.2}, eighth), 0.01},
      {"edge across edge", box({}, edge_x), box({0, 0, r2 - 0.02}, edge_y), 0.02},
      {"sphere in a face", box({}), ball(0.3, {0.79, 0.1, 0.1}), 0.01},
      {"sphere at a corner", box({}), ball(0.3, Vec{0.5, 0.5, 0.5} + Vec{1, 1, 1} * (0.29 / r3)), 0.01},
      {"sphere inside a box", box({}), ball(0.1, {0.3, 0, 0}), 0.3},
      {"sphere and sphere", ball(1, {}), ball(0.5, {1, 1, 0}), 1.5 - r2},
      {"capsules crossed", capsule({}), capsule({0.1, 0.49, 0.3}, lying), 0.01},
      {"capsules end to end", capsule({}), capsule({0.03, 0.04, 2.45}), 0.5 - std::hypot(0.05, 0.45)},
      {"capsule at an edge", box({}), capsule({0.5 + 0.24 / r2, 0.5 + 0.24 / r2, 0.2}), 0.01},
      {"cylinders side by side", cylinder({}), cylinder({0.594, 0.792, 0.3}), 0.01},
      {"cylinders crossed", cylinder({}), cylinder({0.2, 0.98, 0.1}, lying), 0.02},
      {"cap on cap", cylinder({}), cylinder({0.2, 0.3, 1.99}), 0.01},
      {"cylinder lying on a cap", cylinder({}), cylinder({0.1, 0.2, 1.48}, lying), 0.02},
      {"cylinder lying on a box", box({}), cylinder({0.1, 0.2, 0.97}, lying), 0.03},
      {"cylinder at the edge of a box", box({}), cylinder({0.5 + 0.48 / r2, 0.5 + 0.48 / r2, 0}), 0.02},
      {"sphere at a rim", cylinder({}), ball(0.3, {0.5 + 0.29 * 0.6, 0, 1 + 0.29 * 0.8}), 0.01},
      {"corner of a box in a cap", cylinder({}), box({0, 0, 1 + r3 / 2 - 0.01}, {diagonal.back({1, 0, 0}), diagonal.back({0, 1, 0}), diagonal.back({0, 0, 1})}), 0.01},
  };
  int wrong = 0;
  for (const Case &c : cases) {
    const double one = Depth::of(c.a.placed(), c.b.placed()), other = Depth::of(c.b.placed(), c.a.placed());
    if (std::fabs(one - c.depth) < 1e-6 && std::fabs(other - c.depth) < 1e-6) continue;
    printf("%s: %.9g and %.9g instead of %.9g\n", c.name, one, other, c.depth);
    wrong++;
  }

  // random pairs of the scene of mixed shapes
  Builder builder;
  builder.build("mixed", 400);
  std::vector<TestBody> bodies;
  for (const PeerBody &b : builder.scene.bodies)
    if (!b.fixed) {
      bodies.push_back({b.shape, features_of(b.shape), {}, rotation_of(b.rotation)});
    }
  int compared = 0;
  double worst = 0;
  for (size_t i = 0; i + 7 < bodies.size(); i++) {
    TestBody a = bodies[i], b = bodies[i + 1 + i % 7];
    const Vec way = unit({std::sin(1.0 * i), std::sin(2.3 * i + 1), std::sin(3.7 * i + 2)});
    b.position = way * (0.75 * (reach(a.shape) + reach(b.shape)));
    const double measured = Depth::of(a.placed(), b.placed());
    double searched = 1e9; // over 20 000 directions on a spiral
    for (int k = 0; k < 20000; k++) {
      const double z = 1 - 2 * (k + 0.5) / 20000, flat = std::sqrt(1 - z * z), turn = 2.399963229728653 * k;
      const Vec d{flat * std::cos(turn), flat * std::sin(turn), z};
      const Vec one = support(a.shape, a.rotation.back(d)), other = support(b.shape, b.rotation.back(-d));
      searched = std::min(searched, dot(d, a.rotation * one) - dot(d, b.rotation * other) - dot(d, b.position));
    }
    if (searched < 0) {
      if (measured > 0) printf("pair %zu: %.9g where a direction separates them\n", i, measured), wrong++;
      continue;
    }
    compared++;
    worst = std::max(worst, searched - measured); // the search stops up to a few mm short
    if (measured > searched + 1e-7 || measured < searched - 0.01) printf("pair %zu: %.9g, searched %.9g\n", i, measured, searched), wrong++;
  }
  printf("overlap: %zu known cases, %d random pairs (largest difference %.2g m), %d wrong\n", sizeof cases / sizeof *cases, compared, worst, wrong);
  return wrong > 0;
}
