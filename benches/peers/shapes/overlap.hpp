// How deep bodies overlap, from their shapes and places alone.
//
// The depth of a pair is the least distance by which one body must move to leave the other: the least value, over all
// directions d, of the support function of their Minkowski difference. For two polytopes the least value is that of a
// face normal or of a pair of edges, and the result is exact. For round surfaces the search begins from the faces and
// edges of a prism and then moves d downhill; any d gives an upper bound, so no overlap is measured too small.
#pragma once
#include "geometry.hpp"

struct Placed {
  const PeerShape *shape = nullptr;
  const Features *features = nullptr;
  Vec position;
  Rotation rotation;
  double reach = 0;
  bool fixed = false;
};

struct Overlap {
  double largest = 0, mean = 0, percentile = 0; // the 99th, over the pairs that overlap [m]
  long pairs = 0;                               // that overlap
};

class Depth {
public:
  // The depth of the overlap; 0 or less: there is none.
  static double of(const Placed &a, const Placed &b) { return Depth(a, b).search(); }

private:
  const Placed &a, &b;
  const Vec between;
  struct Start {
    double depth;
    Vec d;
  };
  std::vector<Start> starts;

  Depth(const Placed &a, const Placed &b) : a(a), b(b), between(b.position - a.position) {}

  // The point of the Minkowski difference that is farthest along d.
  Vec farthest(Vec d) const {
    const Vec one = support(*a.shape, a.rotation.back(d)), other = support(*b.shape, b.rotation.back(-d));
    return a.rotation * one - b.rotation * other - between;
  }

  // How far the bodies overlap along d, which points from a to b and has length 1.
  double along(Vec d) const { return dot(d, farthest(d)); }

  // False: d separates the bodies.
  bool add(Vec d) {
    const double depth = along(d);
    starts.push_back({depth, d});
    return depth > 0;
  }

  static bool is_round(const PeerShape &s) { return s.kind != PEER_BOX && s.kind != PEER_HULL; }

  double search() {
    const double apart = length(between);
    if (apart > a.reach + b.reach) return -1;
    if (apart > 0 && !add(unit(between))) return starts.back().depth;
    for (const Vec &n : a.features->normals)
      if (!add(a.rotation * n)) return starts.back().depth;
    for (const Vec &n : b.features->normals)
      if (!add(-(b.rotation * n))) return starts.back().depth;
    if (!add_edges()) return starts.back().depth;
    if (starts.empty()) starts.push_back({along({0, 0, 1}), {0, 0, 1}});
    std::sort(starts.begin(), starts.end(), [](const Start &s, const Start &t) { return s.depth < t.depth; });
    return is_round(*a.shape) || is_round(*b.shape) ? refine() : starts[0].depth;
  }

  // The directions at right angles to an edge of each body. Only those edges count whose arcs of normals cross: others
  // make no face of the Minkowski difference.
  bool add_edges() {
    std::vector<Edge> turned;
    for (const Edge &e : b.features->edges)
      turned.push_back({b.rotation * e.along, -(b.rotation * e.first), -(b.rotation * e.second)});
    for (const Edge &local : a.features->edges) {
      const Vec first = a.rotation * local.first, second = a.rotation * local.second, line = a.rotation * local.along;
      const Vec normal = cross(first, second);
      for (const Edge &other : turned) {
        const double slack = 1e-9, u = dot(normal, other.first), v = dot(normal, other.second);
        if (u * v > slack) continue;
        const Vec across = cross(other.first, other.second);
        const double p = dot(across, first), q = dot(across, second);
        if (p * q > slack || u * q < -slack) continue;
        Vec d = cross(line, other.along);
        const double size = length(d);
        if (size < 1e-9 * length(line) * length(other.along)) continue;
        d = d * (1 / size);
        if (dot(d, first + second + other.first + other.second) < 0) d = -d;
        if (!add(d)) return false;
      }
    }
    return true;
  }

  // Moves the best directions downhill. Two starts that lie close to each other lead to the same place.
  double refine() const {
    std::vector<Vec> used;
    double best = starts[0].depth;
    for (const Start &start : starts) {
      const bool near = std::any_of(used.begin(), used.end(), [&](Vec d) { return dot(d, start.d) > 0.98; });
      if (near) continue;
      used.push_back(start.d);
      best = std::min(best, descend(start));
      if (used.size() == 5) break;
    }
    return best;
  }

  // Tries eight directions around d, and the normals of the planes through three of the points found there: at a corner
  // of the support function, only such a normal leads down. With success it doubles their distance from d. Without success it turns the eight directions,
  // and then halves the distance.
  double descend(Start at) const {
    double step = 0.1, turn = 0;
    int failed = 0;
    while (step > 1e-8) {
      const Vec side = unit(std::fabs(at.d.x) < 0.6 ? cross(at.d, {1, 0, 0}) : cross(at.d, {0, 1, 0}));
      const Vec up = cross(at.d, side);
      Start best = at;
      Vec points[8];
      auto attempt = [&](Vec d) {
        const Vec point = farthest(d);
        const double depth = dot(d, point);
        if (depth < best.depth) best = {depth, d};
        return point;
      };
      for (int k = 0; k < 8; k++) {
        const double angle = turn + k * pi / 4;
        points[k] = attempt(unit(at.d + side * (step * std::cos(angle)) + up * (step * std::sin(angle))));
      }
      for (int k = 0; k < 8; k++) {
        const Vec normal = cross(points[(k + 3) % 8] - points[k], points[(k + 5) % 8] - points[k]);
        const double size = length(normal), forward = dot(normal, at.d);
        if (size > 1e-20 && std::fabs(forward) > 0.5 * size) attempt(normal * ((forward > 0 ? 1 : -1) / size));
      }
      // Along an edge of the support function: there the two points that are farthest from each other are equally far
      // along d.
      Vec jump;
      for (int k = 0; k < 8; k++)
        for (int m = 0; m < k; m++)
          if (length(points[k] - points[m]) > length(jump)) jump = points[k] - points[m];
      if (length(jump) > 1e-6) {
        const Vec level = unit(at.d - jump * (dot(at.d, jump) / dot(jump, jump))), ahead = unit(cross(jump, level));
        for (double way : {0.0, step, -step}) attempt(unit(level + ahead * way));
      }
      if (best.depth < at.depth - 1e-10) {
        at = best, failed = 0, step = std::min(0.1, 2 * step);
        continue;
      }
      turn += 0.618 * pi / 4;
      if (++failed == 3) failed = 0, step /= 2;
    }
    return at.depth;
  }
};

// Of all pairs but those of two fixed bodies. Bodies sorted along x are compared with those that follow within reach.
inline Overlap overlap_of(std::vector<Placed> bodies) {
  std::vector<Placed> large; // walls and floors
  auto fixed = std::stable_partition(bodies.begin(), bodies.end(), [](const Placed &p) { return !p.fixed; });
  large.assign(fixed, bodies.end());
  bodies.erase(fixed, bodies.end());
  std::sort(bodies.begin(), bodies.end(), [](const Placed &p, const Placed &q) { return p.position.x < q.position.x; });
  double reach = 0;
  for (const Placed &p : bodies) reach = std::max(reach, p.reach);

  std::vector<double> depths;
  auto pair = [&](const Placed &a, const Placed &b) {
    const double depth = Depth::of(a, b);
    if (depth > 0) depths.push_back(depth);
  };
  for (size_t i = 0; i < bodies.size(); i++) {
    for (const Placed &p : large) pair(bodies[i], p);
    for (size_t j = i + 1; j < bodies.size() && bodies[j].position.x - bodies[i].position.x <= bodies[i].reach + reach; j++)
      pair(bodies[i], bodies[j]);
  }
  Overlap result;
  result.pairs = long(depths.size());
  if (depths.empty()) return result;
  std::sort(depths.begin(), depths.end());
  for (double depth : depths) result.mean += depth / double(depths.size());
  result.largest = depths.back();
  result.percentile = depths[size_t(0.99 * double(depths.size() - 1))];
  return result;
}
