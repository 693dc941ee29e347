// Vectors, rotations, and the geometry of the shapes of peer.h: support points, faces, edges, mass and inertia.
#pragma once
#include "peer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

constexpr double pi = 3.14159265358979323846;

struct Vec {
  double x = 0, y = 0, z = 0;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec unit(Vec a) { return a * (1 / length(a)); }

// A rotation from body to world axes, by columns.
struct Rotation {
  Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Vec operator*(Vec v) const { return x * v.x + y * v.y + z * v.z; }
  Vec back(Vec v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
};

// Of a quaternion (x, y, z, w), which need not have length 1.
inline Rotation rotation_of(const double *q) {
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const double x = q[0] / size, y = q[1] / size, z = q[2] / size, w = q[3] / size;
  return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
          {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

// An edge of a polytope: its direction, and the normals of the two faces that meet there.
struct Edge {
  Vec along, first, second;
};

// What the search for the depth of an overlap begins from, body axes. Round surfaces have faces and edges of a prism.
struct Features {
  std::vector<Vec> normals;
  std::vector<Edge> edges;
};

// The point of a shape that is farthest along a direction, body axes. Exact for every kind.
inline Vec support(const PeerShape &s, Vec d) {
  switch (s.kind) {
  case PEER_BOX:
    return {std::copysign(s.half[0], d.x), std::copysign(s.half[1], d.y), std::copysign(s.half[2], d.z)};
  case PEER_HULL: {
    const double *best = s.points;
    double most = -1e300;
    for (int i = 0; i < s.point_count; i++) {
      const double *p = s.points + 3 * i, along = p[0] * d.x + p[1] * d.y + p[2] * d.z;
      if (along > most) most = along, best = p;
    }
    return {best[0], best[1], best[2]};
  }
  case PEER_CYLINDER: {
    const double flat = std::hypot(d.x, d.y), k = flat > 0 ? s.radius / flat : 0;
    return {d.x * k, d.y * k, std::copysign(s.half_length, d.z)};
  }
  default: {
    const Vec round = unit(d) * s.radius;
    const double end = s.kind == PEER_CAPSULE ? std::copysign(s.half_length, d.z) : 0;
    return {round.x, round.y, round.z + end};
  }
  }
}

// Radius of a sphere about the origin that holds the shape.
inline double reach(const PeerShape &s) {
  switch (s.kind) {
  case PEER_BOX: return std::sqrt(s.half[0] * s.half[0] + s.half[1] * s.half[1] + s.half[2] * s.half[2]);
  case PEER_CYLINDER: return std::hypot(s.radius, s.half_length);
  case PEER_CAPSULE: return s.radius + s.half_length;
  case PEER_SPHERE: return s.radius;
  default: {
    double most = 0;
    for (int i = 0; i < s.point_count; i++) {
      const double *p = s.points + 3 * i;
      most = std::max(most, length({p[0], p[1], p[2]}));
    }
    return most;
  }
  }
}

// The faces of the convex hull of points, as triangles wound counter-clockwise seen from outside. It tries all triples:
// for few points, no four of them in one plane.
inline std::vector<std::array<int, 3>> triangles_of(const std::vector<Vec> &points) {
  std::vector<std::array<int, 3>> found;
  const int n = int(points.size());
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++)
      for (int c = b + 1; c < n; c++) {
        const Vec normal = cross(points[b] - points[a], points[c] - points[a]);
        int above = 0, below = 0;
        for (int k = 0; k < n && !(above && below); k++) {
          if (k == a || k == b || k == c) continue;
          (dot(normal, points[k] - points[a]) > 0 ? above : below)++;
        }
        if (!above) found.push_back({a, b, c});
        else if (!below) found.push_back({a, c, b});
      }
  return found;
}

inline Features features_of_hull(const PeerShape &s) {
  std::vector<Vec> points;
  for (int i = 0; i < s.point_count; i++) points.push_back({s.points[3 * i], s.points[3 * i + 1], s.points[3 * i + 2]});
  Features f;
  const auto faces = triangles_of(points);
  std::vector<int> face_of(points.size() * points.size(), -1); // the face that has the edge from one corner to another
  for (const auto &t : faces) {
    const int face = int(f.normals.size());
    f.normals.push_back(unit(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]])));
    for (int k = 0; k < 3; k++) face_of[t[k] * points.size() + t[(k + 1) % 3]] = face;
  }
  for (size_t a = 0; a < points.size(); a++)
    for (size_t b = a + 1; b < points.size(); b++) {
      const int one = face_of[a * points.size() + b], other = face_of[b * points.size() + a];
      if (one >= 0 && other >= 0) f.edges.push_back({points[b] - points[a], f.normals[one], f.normals[other]});
    }
  return f;
}

inline Features features_of(const PeerShape &s) {
  const Vec x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Features f;
  switch (s.kind) {
  case PEER_SPHERE: break;
  case PEER_BOX:
    f.normals = {x, -x, y, -y, z, -z};
    for (double i : {-1.0, 1.0})
      for (double j : {-1.0, 1.0}) {
        f.edges.push_back({x, y * i, z * j});
        f.edges.push_back({y, z * i, x * j});
        f.edges.push_back({z, x * i, y * j});
      }
    break;
  case PEER_HULL: return features_of_hull(s);
  case PEER_CAPSULE: // its core, a line along z
    f.edges = {{z, x, y}, {z, y, -x}, {z, -x, -y}, {z, -y, x}};
    break;
  case PEER_CYLINDER: {
    const int sides = 32;
    auto side = [&](double k) { return Vec{std::cos(2 * pi * k / sides), std::sin(2 * pi * k / sides), 0}; };
    f.normals = {z, -z};
    for (int k = 0; k < sides; k++) {
      const Vec normal = side(k), along = cross(z, normal);
      f.normals.push_back(normal);
      f.edges.push_back({z, normal, side(k + 1)});
      f.edges.push_back({along, normal, z});
      f.edges.push_back({along, normal, -z});
    }
  }
  }
  return f;
}

// Volume, and the second moments of the volume about the origin (the integrals of x*x, y*y, z*z, x*y, y*z, x*z) of a
// shape whose centre of mass is its origin.
struct Moments {
  double volume = 0;
  Vec first;
  double second[6] = {0, 0, 0, 0, 0, 0};
};

// Of a hull: the sum over the tetrahedra between the origin and its faces. Its centre of mass may be anywhere.
inline Moments moments_of(const std::vector<Vec> &points) {
  Moments m;
  for (const auto &t : triangles_of(points)) {
    const Vec a = points[t[0]], b = points[t[1]], c = points[t[2]], sum = a + b + c;
    const double volume = dot(a, cross(b, c)) / 6;
    m.volume += volume;
    m.first = m.first + sum * (volume / 4);
    auto add = [&](int k, auto p, auto q) {
      m.second[k] += volume / 20 * (p(a) * q(a) + p(b) * q(b) + p(c) * q(c) + p(sum) * q(sum));
    };
    auto x = [](Vec v) { return v.x; };
    auto y = [](Vec v) { return v.y; };
    auto z = [](Vec v) { return v.z; };
    add(0, x, x), add(1, y, y), add(2, z, z), add(3, x, y), add(4, y, z), add(5, x, z);
  }
  return m;
}

// Mass and principal moments of inertia of every kind but a hull.
inline void set_mass(PeerBody &b, double density) {
  const PeerShape &s = b.shape;
  const double r = s.radius, h = s.half_length;
  double volume = 0, xx = 0, yy = 0, zz = 0; // mean squares of the coordinates
  switch (s.kind) {
  case PEER_BOX:
    volume = 8 * s.half[0] * s.half[1] * s.half[2];
    xx = s.half[0] * s.half[0] / 3, yy = s.half[1] * s.half[1] / 3, zz = s.half[2] * s.half[2] / 3;
    break;
  case PEER_CYLINDER:
    volume = 2 * pi * r * r * h;
    xx = yy = r * r / 4, zz = h * h / 3;
    break;
  case PEER_CAPSULE: {
    const double body = 2 * pi * r * r * h, ends = 4 * pi * r * r * r / 3;
    volume = body + ends;
    xx = yy = (body * r * r / 4 + ends * r * r / 5) / volume;
    zz = (body * h * h / 3 + ends * (r * r / 5 + h * h + 0.75 * r * h)) / volume;
    break;
  }
  default:
    volume = 4 * pi * r * r * r / 3;
    xx = yy = zz = r * r / 5;
  }
  b.mass = density * volume;
  b.inertia[0] = b.mass * (yy + zz), b.inertia[1] = b.mass * (xx + zz), b.inertia[2] = b.mass * (xx + yy);
}

// The principal axes of a symmetric matrix (xx yy zz xy yz xz), by Jacobi's rotations, as a right-handed frame.
inline Rotation principal_axes(const double s[6]) {
  double a[3][3] = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
  double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(angle), t = std::sin(angle);
        for (int k = 0; k < 3; k++) {
          const double one = a[k][p], other = a[k][q];
          a[k][p] = c * one - t * other, a[k][q] = t * one + c * other;
        }
        for (int k = 0; k < 3; k++) {
          const double one = a[p][k], other = a[q][k], left = v[k][p], right = v[k][q];
          a[p][k] = c * one - t * other, a[q][k] = t * one + c * other;
          v[k][p] = c * left - t * right, v[k][q] = t * left + c * right;
        }
      }
  const Vec x{v[0][0], v[1][0], v[2][0]}, y{v[0][1], v[1][1], v[2][1]};
  return {x, y, cross(x, y)};
}
