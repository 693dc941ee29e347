// Vectors of whatever library, and spans. Part of drystone.hpp.
#ifndef DRYSTONE_VECTORS_HPP
#define DRYSTONE_VECTORS_HPP

#include "error.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>
#ifdef __cpp_lib_span
#include <span>
#endif

namespace drystone {
inline namespace DRYSTONE_VARIANT {

#ifdef __cpp_lib_span
/// Contiguous elements that the span does not own.
template <class T> using span = std::span<T>;
#else
/// Contiguous elements that the span does not own. With C++20 it is std::span; this class has the part of it that the
/// bindings need.
template <class T> class span {
    template <class Container>
    using data_of = std::remove_pointer_t<decltype(std::declval<Container &>().data())>;
    // what is to be written to must outlast the call
    template <class Container>
    static constexpr bool lasts = std::is_lvalue_reference_v<Container> || std::is_const_v<T>;

public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /// Of anything with data() and size() whose elements are T, with or without const.
    template <class Container,
              class = std::enable_if_t<lasts<Container> && std::is_convertible_v<data_of<Container> (*)[], T (*)[]>>>
    constexpr span(Container &&container) : data_(container.data()), size_(container.size()) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

namespace detail {

template <class T> using plain = std::remove_cv_t<std::remove_reference_t<T>>;

template <template <class> class Expression, class V, class = void> constexpr bool can = false;
template <template <class> class Expression, class V>
constexpr bool can<Expression, V, std::void_t<Expression<V>>> = true;

template <class V> using tuple_size = decltype(std::tuple_size<V>::value);
// Eigen's: below 0 for a vector of variable size, 0 for a matrix
template <class V>
using eigen_size = std::integral_constant<int, V::IsVectorAtCompileTime ? static_cast<int>(V::SizeAtCompileTime) : 0>;
template <class V> using static_length = std::integral_constant<std::size_t, static_cast<std::size_t>(V::length())>;
template <class V>
using xyz_members = decltype(std::declval<V &>().x, std::declval<V &>().y, std::declval<V &>().z);
template <class V>
using xyz_functions = decltype(std::declval<V &>().x(), std::declval<V &>().y(), std::declval<V &>().z());
template <class V> using w_member = decltype(std::declval<V &>().w);
template <class V> using w_function = decltype(std::declval<V &>().w());
template <class V> using indexed = decltype(std::declval<V &>()[0]);

/// How many elements a type has by itself; 0: not known, or none.
template <class V> constexpr std::size_t length() {
    if constexpr (std::is_array_v<V>) return std::extent_v<V>;
    else if constexpr (can<tuple_size, V>) return can<indexed, V> ? std::tuple_size<V>::value : 0;
    else if constexpr (can<eigen_size, V>)
        return eigen_size<V>::value < 0 ? 0 : static_cast<std::size_t>(eigen_size<V>::value);
    else if constexpr (can<static_length, V>) return static_length<V>::value;
    else if constexpr (can<xyz_members, V>) return can<w_member, V> ? 4 : 3;
    else if constexpr (can<xyz_functions, V>) return can<w_function, V> ? 4 : 3;
    else return 0;
}

/// An element, by name where there are names: quaternions are stored in more than one order.
template <std::size_t I, class V> decltype(auto) component(V &v) {
    constexpr bool few = length<std::remove_cv_t<V>>() <= 4;
    if constexpr (few && can<xyz_members, V>) {
        if constexpr (I == 0) return (v.x);
        else if constexpr (I == 1) return (v.y);
        else if constexpr (I == 2) return (v.z);
        else return (v.w);
    } else if constexpr (few && can<xyz_functions, V>) {
        if constexpr (I == 0) return v.x();
        else if constexpr (I == 1) return v.y();
        else if constexpr (I == 2) return v.z();
        else return v.w();
    } else {
        return v[I];
    }
}

/// How many components a vector has; 0: it is none, as a matrix, whose elements are vectors.
template <class V> constexpr std::size_t components() {
    if constexpr (length<V>() == 0) return 0;
    else return std::is_arithmetic_v<plain<decltype(component<0>(std::declval<V &>()))>> ? length<V>() : 0;
}

} // namespace detail

/// Describes a vector's type. Types with a fixed number of components are built in: C arrays, std::array, Eigen's and
/// glm's vectors and quaternions. So is any type with x, y, z (and w) as members or as functions. For another type a
/// program specialises this structure. Pointers and containers of variable size are not vectors: write vector3(p[0],
/// p[1], p[2]).
template <class V, class = void> struct vector_traits {
    /// How many components; 0: no vector.
    static constexpr std::size_t size = detail::components<V>();
    /// Component I, converted: never reinterpreted.
    template <std::size_t I> static double get(const V &v) {
        return static_cast<double>(detail::component<I>(v));
    }
    /// Sets component I, rounded to the type that it has.
    template <std::size_t I> static void set(V &v, double number) {
        auto &&place = detail::component<I>(v);
        place = static_cast<detail::plain<decltype(place)>>(number);
    }
};

/// N doubles: the vectors of this interface, made from any vector of N numbers, and into any.
template <std::size_t N> class numbers {
    template <class V>
    static constexpr bool is_vector = vector_traits<V>::size == N && !std::is_same_v<V, numbers>;
    template <class... C>
    static constexpr bool are_components = sizeof...(C) == N && (std::is_arithmetic_v<C> && ...);

public:
    /// All zero.
    constexpr numbers() noexcept = default;
    /// From N numbers.
    template <class... C, class = std::enable_if_t<are_components<C...>>>
    constexpr numbers(C... values) noexcept : values_{{static_cast<double>(values)...}} {}
    /// From a vector of whatever library; see vector_traits.
    template <class V, class = std::enable_if_t<is_vector<V>>> numbers(const V &v) {
        take(v, std::make_index_sequence<N>());
    }
    /// As a vector of another library: to<Eigen::Vector3d>().
    template <class V> V to() const {
        static_assert(vector_traits<V>::size == N, "a vector of another length, or no vector (see vector_traits)");
        V v{};
        give(v, std::make_index_sequence<N>());
        return v;
    }
    /// Writes them into an array of the C interface.
    void copy_to(double (&array)[N]) const noexcept { give(array, std::make_index_sequence<N>()); }
    /// How many.
    static constexpr std::size_t size() noexcept { return N; }
    const double *data() const noexcept { return values_.data(); }
    double *data() noexcept { return values_.data(); }
    const double *begin() const noexcept { return values_.data(); }
    const double *end() const noexcept { return values_.data() + N; }
    const double &operator[](std::size_t index) const noexcept { return values_[index]; }
    double &operator[](std::size_t index) noexcept { return values_[index]; }
    friend bool operator==(const numbers &a, const numbers &b) noexcept { return a.values_ == b.values_; }
    friend bool operator!=(const numbers &a, const numbers &b) noexcept { return !(a == b); }

private:
    template <class V, std::size_t... I> void take(const V &v, std::index_sequence<I...>) {
        ((values_[I] = vector_traits<V>::template get<I>(v)), ...);
    }
    template <class V, std::size_t... I> void give(V &v, std::index_sequence<I...>) const {
        (vector_traits<V>::template set<I>(v, values_[I]), ...);
    }
    std::array<double, N> values_{};
};

/// A vector in space.
using vector3 = numbers<3>;
/// A quaternion (x, y, z, w) from body to world axes; of Eigen's and glm's quaternions by these names.
using quaternion = numbers<4>;
/// A symmetric tensor: xx yy zz xy yz xz.
using symmetric = numbers<6>;
/// A tensor, row major.
using tensor = numbers<9>;

/// A member of a C structure as a vector of another library: to<Eigen::Vector3d>(contact.normal).
template <class V, std::size_t N> V to(const double (&array)[N]) { return numbers<N>(array).template to<V>(); }

namespace detail {

/// The numbers of a range one after the other: of a range of numbers, or of one of vectors.
template <class Range> std::vector<double> flat(const Range &range) {
    std::vector<double> numbers;
    for (const auto &element : range) {
        using element_type = plain<decltype(element)>;
        if constexpr (std::is_arithmetic_v<element_type>) {
            static_assert(std::is_floating_point_v<element_type>, "points are float or double");
            numbers.push_back(static_cast<double>(element));
        } else {
            const vector3 point(element);
            numbers.insert(numbers.end(), point.begin(), point.end());
        }
    }
    return numbers;
}

/// The indices of a range one after the other: of a range of uint32_t, or of one of three of them.
template <class Range> std::vector<std::uint32_t> flat_indices(const Range &range) {
    std::vector<std::uint32_t> indices;
    for (const auto &element : range) {
        using element_type = plain<decltype(element)>;
        if constexpr (std::is_arithmetic_v<element_type>) {
            static_assert(std::is_same_v<element_type, std::uint32_t>, "indices are uint32_t");
            indices.push_back(element);
        } else {
            static_assert(std::is_same_v<plain<decltype(component<0>(element))>, std::uint32_t>, "indices are uint32_t");
            static_assert(vector_traits<element_type>::size == 3, "a triangle has three indices");
            indices.insert(indices.end(), {component<0>(element), component<1>(element), component<2>(element)});
        }
    }
    return indices;
}

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
