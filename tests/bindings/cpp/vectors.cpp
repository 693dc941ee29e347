// Vectors of other libraries. Compiled with Eigen and glm where they are there (WITH_EIGEN, WITH_GLM).
#include "check.hpp"

#include <array>
#include <cmath>
#include <list>
#ifdef WITH_EIGEN
#include <Eigen/Dense>
#endif
#ifdef WITH_GLM
#include <glm/ext.hpp>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#endif

using namespace drystone;

// One's own vectors: with members, with functions, with operator[] alone, and with a name for everything.
struct members {
    float x, y, z;
};
struct members_of_four {
    double w, x, y, z;
};
class functions {
public:
    double &x() { return data_[0]; }
    double &y() { return data_[1]; }
    double &z() { return data_[2]; }
    double x() const { return data_[0]; }
    double y() const { return data_[1]; }
    double z() const { return data_[2]; }

private:
    double data_[3] = {1, 2, 3};
};
struct east_north_up {
    double east, north, up;
};
template <> struct drystone::vector_traits<east_north_up> {
    static constexpr std::size_t size = 3;
    template <std::size_t I> static double get(const east_north_up &v) { return I == 0 ? v.east : I == 1 ? v.north : v.up; }
    template <std::size_t I> static void set(east_north_up &v, double number) {
        (I == 0 ? v.east : I == 1 ? v.north : v.up) = number;
    }
};

// What is no vector: of unknown length, of another length, no numbers.
template <class V> constexpr bool taken = std::is_convertible_v<const V &, vector3>;
static_assert(taken<std::array<double, 3>> && taken<double[3]> && taken<float[3]> && taken<members> && taken<functions>);
static_assert(!taken<double *> && !taken<const double *> && !taken<std::vector<double>> && !taken<double> && !taken<int>);
static_assert(!taken<std::array<double, 4>> && !taken<double[2]> && !taken<members_of_four> && !taken<body>);
static_assert(!taken<std::tuple<double, double, double>> && !taken<std::string>);
static_assert(std::is_convertible_v<members_of_four, quaternion> && std::is_convertible_v<double[6], symmetric>);

template <class V> void both_ways(const char *what, const V &one_two_three) {
    check(what, vector3(one_two_three) == vector3(1, 2, 3));
    check(what, vector3(vector3(1, 2, 3).to<V>()) == vector3(1, 2, 3));
}

static void plain() {
    both_ways("std::array", std::array<double, 3>{1, 2, 3});
    both_ways("std::array of float", std::array<float, 3>{1, 2, 3});
    both_ways("std::array of int", std::array<int, 3>{1, 2, 3});
    both_ways("members", members{1, 2, 3});
    both_ways("functions", functions());
    both_ways("traits of one's own", east_north_up{1, 2, 3});
    const double array[3] = {1, 2, 3};
    check("an array", vector3(array) == vector3(1, 2, 3) && to<members>(array).z == 3);
    check("a float is widened, not reread", vector3(members{0.1f, 0, 0})[0] == double{0.1f});
    const quaternion turned(members_of_four{1, 2, 3, 4}); // w first in memory
    check("a quaternion goes by names", turned == quaternion(2, 3, 4, 1) && turned.to<members_of_four>().w == 1);
    world all;
    check("points of a list", all.add_hull(std::list<members>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
}

#ifdef WITH_EIGEN
static void eigen() {
    static_assert(taken<Eigen::Vector3d> && taken<Eigen::Vector3f> && taken<Eigen::RowVector3d>);
    static_assert(!taken<Eigen::VectorXd> && !taken<Eigen::Vector4d> && !taken<Eigen::Matrix3d> && !taken<Eigen::Quaterniond>);
    both_ways("Eigen::Vector3d", Eigen::Vector3d(1, 2, 3));
    both_ways("Eigen::Vector3f", Eigen::Vector3f(1, 2, 3));
    const Eigen::Vector3d half(0.5, 1, 1.5);
    check("an expression of Eigen", vector3(half + half) == vector3(1, 2, 3));
    check("a quaternion of Eigen", quaternion(Eigen::Quaterniond(1, 2, 3, 4)) == quaternion(2, 3, 4, 1) &&
                                       quaternion(2, 3, 4, 1).to<Eigen::Quaternionf>().w() == 1);

    world all;
    const std::vector<Eigen::Vector3d> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::vector<Eigen::Matrix<std::uint32_t, 3, 1>> triangles{{0, 1, 2}};
    check("a mesh of Eigen's vectors", all.add_mesh(corners, triangles));
    const shape hull = all.add_hull(corners);
    for (int i = 0; i < 3; ++i)
        all.add_body(body_def(hull).set_position(Eigen::Vector3d(i, 2 * i, 3 * i)).set_rotation(Eigen::Quaterniond::Identity()));
    // all positions as the columns of a matrix that looks into the states
    std::vector<body_state> states = all.states();
    using columns = Eigen::Map<const Eigen::Matrix3Xd, 0, Eigen::OuterStride<>>;
    const columns positions(states[0].position, 3, 3, Eigen::OuterStride<>(sizeof(body_state) / sizeof(double)));
    check("a matrix that looks into the states", positions.rowwise().sum() == Eigen::Vector3d(3, 6, 9));
}
#endif

#ifdef WITH_GLM
static void glm_vectors() {
    static_assert(taken<glm::dvec3> && taken<glm::vec3> && taken<glm::ivec3>);
    static_assert(!taken<glm::dvec4> && !taken<glm::dvec2> && !taken<glm::dquat> && !taken<glm::dmat3>);
    both_ways("glm::dvec3", glm::dvec3(1, 2, 3));
    both_ways("glm::vec3", glm::vec3(1, 2, 3));
    check("glm's float is widened, not reread", vector3(glm::vec3(0.1f, 0, 0))[0] == double{0.1f});
    check("a quaternion of glm", quaternion(glm::dquat(1, 2, 3, 4)) == quaternion(2, 3, 4, 1) &&
                                     quaternion(2, 3, 4, 1).to<glm::quat>().w == 1);
    world all;
    const std::vector<glm::vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const glm::uvec3 triangles[1] = {{0, 1, 2}};
    check("a mesh of glm's vectors", all.add_mesh(corners, triangles) && all.add_hull(corners));
    const glm::quat about_z = glm::angleAxis(1.0f, glm::vec3(0, 0, 1)); // of length 1 to 1e-7
    const body turned = all.add_body(body_def(all.add_sphere(1)).set_position(glm::vec3(1, 2, 3)).set_rotation(about_z));
    const body_state state = all.state(turned);
    check("floats of glm in a body", to<glm::vec3>(state.position) == glm::vec3(1, 2, 3));
    check("a rotation of glm in a body", std::abs(state.rotation[2] - std::sin(0.5)) < 1e-7); // float's round-off
}
#endif

static void spans() {
    std::vector<double> numbers(4, 1.0);
    const span<double> all(numbers);
    const span<const double> read = all, none;
    double array[2] = {};
    check("spans", all.size() == 4 && read.data() == numbers.data() && none.empty() && span<double>(array).size() == 2);
    all[1] = 2;
    double sum = 0;
    for (const double number : read) sum += number;
    check("spans are looked through", sum == 5 && span<const double>(numbers.data(), 2)[1] == 2);
    static_assert(!std::is_constructible_v<span<double>, const std::vector<double> &>, "const stays const");
    static_assert(!std::is_constructible_v<span<double>, std::vector<double>>, "what is written must last");
    static_assert(!std::is_convertible_v<std::vector<float> &, span<const double>>, "floats are not reread");
    static_assert(!std::is_convertible_v<std::vector<shape> &, span<const body>>, "handles are not mixed up");
}

int main() {
    plain();
    spans();
#ifdef WITH_EIGEN
    eigen();
#endif
#ifdef WITH_GLM
    glm_vectors();
#endif
    return failures == 0 ? 0 : 1;
}
