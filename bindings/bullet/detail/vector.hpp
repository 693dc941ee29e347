// Vectors in double precision, world axes.
#ifndef DRYSTONE_BULLET_VECTOR_HPP
#define DRYSTONE_BULLET_VECTOR_HPP

#include <LinearMath/btVector3.h>

#include <cmath>

namespace drystone {
namespace bullet {

struct Vector {
    double x = 0, y = 0, z = 0;

    Vector() = default;
    Vector(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
    explicit Vector(const btVector3 &v) : x(double(v.x())), y(double(v.y())), z(double(v.z())) {}
    explicit Vector(const double *v) : x(v[0]), y(v[1]), z(v[2]) {}

    Vector operator+(const Vector &v) const { return {x + v.x, y + v.y, z + v.z}; }
    Vector operator-(const Vector &v) const { return {x - v.x, y - v.y, z - v.z}; }
    Vector operator-() const { return {-x, -y, -z}; }
    Vector operator*(double s) const { return {x * s, y * s, z * s}; }
    double dot(const Vector &v) const { return x * v.x + y * v.y + z * v.z; }
    Vector cross(const Vector &v) const { return {y * v.z - z * v.y, z * v.x - x * v.z, x * v.y - y * v.x}; }
    Vector times(const Vector &v) const { return {x * v.x, y * v.y, z * v.z}; }
    double length() const { return std::sqrt(dot(*this)); }
    double largest() const { return std::fmax(std::fabs(x), std::fmax(std::fabs(y), std::fabs(z))); }
    /// Without components up to `rest`.
    Vector rounded(double rest) const {
        return {std::fabs(x) > rest ? x : 0, std::fabs(y) > rest ? y : 0, std::fabs(z) > rest ? z : 0};
    }

    void write(double *v) const {
        v[0] = x;
        v[1] = y;
        v[2] = z;
    }
    btVector3 bullet() const { return {btScalar(x), btScalar(y), btScalar(z)}; }
};

/// A symmetric matrix xx yy zz xy yz xz times a vector.
inline Vector times(const double *m, const Vector &v) {
    return {m[0] * v.x + m[3] * v.y + m[5] * v.z, m[3] * v.x + m[1] * v.y + m[4] * v.z,
            m[5] * v.x + m[4] * v.y + m[2] * v.z};
}

}  // namespace bullet
}  // namespace drystone

#endif
