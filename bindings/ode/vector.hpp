// Vectors and symmetric matrices of three dimensions, as few as the adapter needs. Double, whatever dReal is.
#ifndef DRYSTONE_ODE_VECTOR_HPP
#define DRYSTONE_ODE_VECTOR_HPP

#include <ode/common.h>

#include <cmath>

namespace drystone_ode {

struct Vector {
  double x = 0, y = 0, z = 0;

  Vector() = default;
  Vector(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
  explicit Vector(const dReal *v) : x(v[0]), y(v[1]), z(v[2]) {}

  double &operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  Vector &operator+=(const Vector &o) { return x += o.x, y += o.y, z += o.z, *this; }
  Vector &operator-=(const Vector &o) { return x -= o.x, y -= o.y, z -= o.z, *this; }
};

inline Vector operator+(Vector a, const Vector &b) { return a += b; }
inline Vector operator-(Vector a, const Vector &b) { return a -= b; }
inline Vector operator-(const Vector &a) { return {-a.x, -a.y, -a.z}; }
inline Vector operator*(const Vector &a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vector operator*(double s, const Vector &a) { return a * s; }
inline double dot(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(const Vector &a, const Vector &b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector &a) { return std::sqrt(dot(a, a)); }
inline void store(double *to, const Vector &v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

// Two unit vectors across a unit vector, right handed with it.
inline void plane_space(const Vector &normal, Vector &p, Vector &q) {
  const double s = normal.z < 0 ? -1.0 : 1.0, c = 1.0 / (s + normal.z);
  p = {1.0 - s * c * normal.x * normal.x, -s * c * normal.x * normal.y, -s * normal.x};
  q = cross(normal, p);
}

// A rotation, body to world; made of ODE's 3 rows of 4 numbers.
struct Rotation {
  Vector row[3];

  Rotation() : row{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {}
  explicit Rotation(const dReal *r) : row{Vector(r), Vector(r + 4), Vector(r + 8)} {}

  Vector to_world(const Vector &v) const { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
  Vector to_body(const Vector &v) const { return row[0] * v.x + row[1] * v.y + row[2] * v.z; }
};

// A rotation as a quaternion, body to world; made of ODE's (w, x, y, z).
struct Quaternion {
  double w = 1;
  Vector v;

  Quaternion() = default;
  Quaternion(double w_, const Vector &v_) : w(w_), v(v_) {}
  explicit Quaternion(const dReal *q) : w(q[0]), v(q + 1) {}
  Quaternion turned_back() const { return {w, -v}; }
};

inline Quaternion operator*(const Quaternion &a, const Quaternion &b) {
  return {a.w * b.w - dot(a.v, b.v), b.v * a.w + a.v * b.w + cross(a.v, b.v)};
}

// A symmetric matrix: xx yy zz xy yz xz, the order of drystone.
struct Symmetric {
  double m[6] = {0, 0, 0, 0, 0, 0};

  Vector operator*(const Vector &v) const {
    return {m[0] * v.x + m[3] * v.y + m[5] * v.z, m[3] * v.x + m[1] * v.y + m[4] * v.z,
            m[5] * v.x + m[4] * v.y + m[2] * v.z};
  }
  bool isotropic() const { return m[0] == m[1] && m[1] == m[2] && m[3] == 0 && m[4] == 0 && m[5] == 0; }
};

// The solution of M x = b, M given by its rows; by Cramer's rule.
inline Vector solve(const Vector row[3], const Vector &b) {
  const Vector a01 = cross(row[0], row[1]), a12 = cross(row[1], row[2]), a20 = cross(row[2], row[0]);
  return (a12 * b.x + a20 * b.y + a01 * b.z) * (1.0 / dot(row[0], a12));
}

// The inverse of a positive definite matrix.
inline Symmetric inverse(const Symmetric &a) {
  const Vector row[3] = {{a.m[0], a.m[3], a.m[5]}, {a.m[3], a.m[1], a.m[4]}, {a.m[5], a.m[4], a.m[2]}};
  const Vector c0 = cross(row[1], row[2]), c1 = cross(row[2], row[0]), c2 = cross(row[0], row[1]);
  const double d = 1.0 / dot(row[0], c0);
  Symmetric result;
  result.m[0] = c0.x * d, result.m[1] = c1.y * d, result.m[2] = c2.z * d;
  result.m[3] = c0.y * d, result.m[4] = c1.z * d, result.m[5] = c0.z * d;
  return result;
}

// R A R^T: body axes to world axes. An isotropic matrix stays isotropic to the last bit.
inline Symmetric rotated(const Symmetric &a, const Rotation &r) {
  if (a.isotropic()) return a;
  const Vector c0 = a * r.row[0], c1 = a * r.row[1], c2 = a * r.row[2];
  Symmetric result;
  result.m[0] = dot(r.row[0], c0), result.m[1] = dot(r.row[1], c1), result.m[2] = dot(r.row[2], c2);
  result.m[3] = dot(r.row[0], c1), result.m[4] = dot(r.row[1], c2), result.m[5] = dot(r.row[0], c2);
  return result;
}

}  // namespace drystone_ode

#endif
