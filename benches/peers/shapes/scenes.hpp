// The scenes: which bodies, where they begin, and for how long they settle and are timed.
#pragma once
#include "geometry.hpp"

#include <cstdint>
#include <deque>
#include <string>

struct Scene {
  std::vector<PeerBody> bodies;
  std::deque<std::vector<double>> corners; // of hulls; a deque does not move them
  double settle = 4, measure = 1;          // [s]
  bool placed = false;                     // the bodies begin at rest: drift is counted from there
  bool tiny = false;                       // a step takes microseconds: many are timed
  double half_width = 0;                   // of the container, or 0: there is none
};

class Builder {
public:
  // `n` is the number of bodies, of stacks, or of boxes in the lowest row of the wall. False: there is no such scene.
  bool build(const std::string &name, int n) {
    if (name == "boxes") heap(n, 1, [this](int) { return box(); });
    else if (name == "hulls") heap(n, 1, [this](int) { return hull(); });
    else if (name == "cylinders") heap(n, 1, [this](int) { return cylinder(); });
    else if (name == "mixed")
      heap(n, 5, [this](int k) { return k == 0 ? sphere() : k == 1 ? box() : k == 2 ? capsule() : k == 3 ? cylinder() : hull(); });
    else if (name == "stacks") stacks(n);
    else if (name == "wall") wall(n);
    else if (name == "slab") slab(n);
    else return false;
    return true;
  }

  Scene scene;

private:
  static constexpr double density = 1000; // [kg/m^3]
  uint64_t state = 12345;

  // A number from 0 to 1, from a linear congruential generator: the same sequence for every engine.
  double next() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return double(state >> 11) / 9007199254740992.0;
  }
  double between(double low, double high) { return low + (high - low) * next(); }

  static PeerBody body(PeerKind kind) {
    PeerBody b{};
    b.shape.kind = kind;
    b.rotation[3] = 1;
    return b;
  }

  static PeerBody cuboid(Vec half) {
    PeerBody b = body(PEER_BOX);
    b.shape.half[0] = half.x, b.shape.half[1] = half.y, b.shape.half[2] = half.z;
    set_mass(b, density);
    return b;
  }

  // Sides of 0.5 to 1.5 m, then scaled so that the diagonal is that of a cube of 1 m.
  PeerBody box() {
    const Vec sides{between(0.5, 1.5), between(0.5, 1.5), between(0.5, 1.5)};
    return cuboid(sides * (0.5 * std::sqrt(3.0) / length(sides)));
  }

  PeerBody rounded(PeerKind kind, double radius, double half_length) {
    PeerBody b = body(kind);
    b.shape.radius = radius, b.shape.half_length = half_length;
    set_mass(b, density);
    return b;
  }
  PeerBody sphere() { return rounded(PEER_SPHERE, between(0.35, 0.6), 0); }
  PeerBody cylinder() {
    const double radius = between(0.25, 0.5);
    return rounded(PEER_CYLINDER, radius, between(0.25, 0.6));
  }
  PeerBody capsule() {
    const double radius = between(0.2, 0.4);
    return rounded(PEER_CAPSULE, radius, between(0.2, 0.5));
  }

  // A random direction, each equally likely.
  Vec direction() {
    for (;;) {
      const Vec v{between(-1, 1), between(-1, 1), between(-1, 1)};
      const double size = length(v);
      if (size > 0.1 && size <= 1) return v * (1 / size);
    }
  }

  // The hull of 20 points on an ellipsoid with half axes of 0.4 to 0.6 m. On the unit sphere, no two of them are nearer
  // than 0.3. The points are given about their centre of mass and along the principal axes.
  PeerBody hull() {
    std::vector<Vec> points;
    while (points.size() < 20) {
      const Vec v = direction();
      if (std::none_of(points.begin(), points.end(), [&](Vec p) { return length(p - v) < 0.3; })) points.push_back(v);
    }
    const Vec half{between(0.4, 0.6), between(0.4, 0.6), between(0.4, 0.6)};
    for (Vec &p : points) p = {p.x * half.x, p.y * half.y, p.z * half.z};
    const Moments about_origin = moments_of(points);
    const Vec centre = about_origin.first * (1 / about_origin.volume);
    for (Vec &p : points) p = p - centre;
    const Rotation axes = principal_axes(moments_of(points).second);
    for (Vec &p : points) p = axes.back(p);
    const Moments m = moments_of(points);

    PeerBody b = body(PEER_HULL);
    std::vector<double> &stored = scene.corners.emplace_back();
    for (Vec p : points) stored.insert(stored.end(), {p.x, p.y, p.z});
    b.shape.points = stored.data();
    b.shape.point_count = int(points.size());
    b.mass = density * m.volume;
    b.inertia[0] = density * (m.second[1] + m.second[2]);
    b.inertia[1] = density * (m.second[0] + m.second[2]);
    b.inertia[2] = density * (m.second[0] + m.second[1]);
    return b;
  }

  void add(PeerBody b, Vec position) {
    b.position[0] = position.x, b.position[1] = position.y, b.position[2] = position.z;
    scene.bodies.push_back(b);
  }

  void add_fixed(Vec half, Vec position) {
    PeerBody b = cuboid(half);
    b.fixed = 1;
    add(b, position);
  }

  void turn_at_random(PeerBody &b) {
    for (;;) {
      double sum = 0;
      for (double &part : b.rotation) part = between(-1, 1), sum += part * part;
      if (sum < 0.01 || sum > 1) continue;
      for (double &part : b.rotation) part /= std::sqrt(sum);
      return;
    }
  }

  // Bodies turned at random on a lattice in which none can touch another, above an open container. It is about so
  // wide that they settle to a depth of five bodies. `kinds` shapes follow each other in equal shares.
  template <class Make> void heap(int n, int kinds, Make make) {
    std::vector<PeerBody> bodies;
    double volume = 0, spacing = 0;
    for (int i = 0; i < n; i++) {
      bodies.push_back(make(i % kinds));
      volume += bodies.back().mass / density / n;
      spacing = std::max(spacing, 2.02 * reach(bodies.back().shape));
    }
    const int side = std::max(1, int(std::lround(1.15 * std::cbrt(volume) * std::sqrt(n / 5.0) / spacing)));
    const double half = scene.half_width = 0.5 * side * spacing, height = 0.5 * spacing * (n / (side * side) + 2), thick = 1;
    add_fixed({half + 2 * thick, half + 2 * thick, thick}, {0, 0, -thick});
    for (double s : {-1.0, 1.0}) {
      add_fixed({thick, half + 2 * thick, height}, {s * (half + thick), 0, height});
      add_fixed({half + 2 * thick, thick, height}, {0, s * (half + thick), height});
    }
    for (int i = 0; i < n; i++) {
      const int layer = i / (side * side), row = i / side % side, column = i % side;
      turn_at_random(bodies[i]);
      add(bodies[i], {-half + (column + 0.5) * spacing, -half + (row + 0.5) * spacing, (layer + 0.5) * spacing});
    }
  }

  void stacks(int n) {
    const int side = int(std::ceil(std::sqrt(double(n))));
    add_fixed({side + 2.0, side + 2.0, 1}, {0, 0, -1});
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 5; k++) add(cuboid({0.5, 0.5, 0.5}), {2.0 * (i % side) - side + 1, 2.0 * (i / side) - side + 1, 0.5 + k});
    scene.placed = true;
    scene.settle = 3;
  }

  void wall(int base) {
    add_fixed({base + 10.0, 20, 1}, {0, 0, -1});
    for (int k = 0; k < base; k++)
      for (int i = 0; i < base - k; i++) add(cuboid({0.5, 0.5, 0.5}), {1.1 * (i - 0.5 * (base - k - 1)), 0, 0.5 + k});
    scene.placed = true;
    scene.settle = 5, scene.measure = 5;
  }

  void slab(int n) {
    const int side = int(std::ceil(std::sqrt(double(n))));
    add_fixed({side + 2.0, side + 2.0, 1}, {0, 0, -1});
    for (int i = 0; i < n; i++) add(cuboid({0.5, 0.5, 0.5}), {2.0 * (i % side) - side + 1, 2.0 * (i / side) - side + 1, 0.5});
    scene.placed = scene.tiny = true;
    scene.settle = 1, scene.measure = 20;
  }
};
