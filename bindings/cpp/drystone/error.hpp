// How a failed call is reported: thrown, or returned. Part of drystone.hpp.
#ifndef DRYSTONE_ERROR_HPP
#define DRYSTONE_ERROR_HPP

#include <drystone.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// Exceptions are thrown where the compiler has them, unless the program defines DRYSTONE_NO_EXCEPTIONS.
#if !defined(DRYSTONE_NO_EXCEPTIONS) && !defined(__cpp_exceptions) && !defined(_CPPUNWIND)
#define DRYSTONE_NO_EXCEPTIONS
#endif
#ifndef DRYSTONE_NO_EXCEPTIONS
#include <exception>
#include <stdexcept>
#endif

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif

// Files of one program may choose differently, since the names for the linker differ.
#if defined(__cpp_lib_span) && defined(DRYSTONE_NO_EXCEPTIONS)
#define DRYSTONE_VARIANT results_std_span
#elif defined(__cpp_lib_span)
#define DRYSTONE_VARIANT throws_std_span
#elif defined(DRYSTONE_NO_EXCEPTIONS)
#define DRYSTONE_VARIANT results_own_span
#else
#define DRYSTONE_VARIANT throws_own_span
#endif

/// Rigid bodies in frictional contact. What functions and members mean stands in drystone.h.
namespace drystone {
/// One set of names for each way of compiling; programs write drystone:: alone.
inline namespace DRYSTONE_VARIANT {

/// The name of a status: "DRY_ERR_NULL".
inline const char *status_name(dry_status status) noexcept { return dry_status_name(status); }

/// The library's version in one number: major << 22 | minor << 12 | patch.
inline std::uint32_t version() noexcept { return dry_version(); }

/// The library's version as a text: "major.minor.patch".
inline const char *version_string() noexcept { return dry_version_string(); }

/// The message of this thread's last failing call of the library: which argument, its value, what was expected. Errors of
/// the wrapper itself are only in the error or result.
inline std::string last_error() {
    std::size_t needed = 0;
    if (dry_last_error(nullptr, 0, &needed) != DRY_OK || needed == 0) return {};
    std::string text(needed, '\0');
    if (dry_last_error(&text[0], text.size(), nullptr) != DRY_OK) return {};
    text.resize(needed - 1); // its zero
    return text;
}

#ifndef DRYSTONE_NO_EXCEPTIONS

/// A call that failed. what() begins with the name of the status.
class error : public std::runtime_error {
public:
    error(dry_status status, std::string message)
        : std::runtime_error(std::string(dry_status_name(status)) + ": " + message), status_(status),
          message_(std::move(message)) {}
    /// What the C function answered.
    dry_status status() const noexcept { return status_; }
    /// drystone's own sentence.
    const std::string &message() const noexcept { return message_; }

private:
    dry_status status_;
    std::string message_;
};

/// The return type of functions that can fail. It is T, and a failure is thrown as drystone::error. With
/// DRYSTONE_NO_EXCEPTIONS it is result<T>.
template <class T> using returns = T;

#else

/// The status of a call, and the value if it succeeded. The value of a failed call is T(), except for results that the
/// header describes as written nevertheless. An empty world and a null handle are refused wherever they are used.
template <class T> class [[nodiscard]] result {
public:
    result(dry_status status, T value, std::string message)
        : status_(status), value_(std::move(value)), message_(std::move(message)) {}
    /// True if the call did what it says.
    explicit operator bool() const noexcept { return status_ == DRY_OK; }
    /// What the C function answered.
    dry_status status() const noexcept { return status_; }
    /// drystone's own sentence; empty after a success.
    const std::string &message() const noexcept { return message_; }
    /// The value.
    T &operator*() & noexcept { return value_; }
    /// The value.
    const T &operator*() const & noexcept { return value_; }
    /// The value, to be moved from.
    T &&operator*() && noexcept { return std::move(value_); }
    /// The value's members.
    T *operator->() noexcept { return &value_; }
    /// The value's members.
    const T *operator->() const noexcept { return &value_; }

private:
    dry_status status_;
    T value_;
    std::string message_;
};

/// What a call without a value answered.
template <> class [[nodiscard]] result<void> {
public:
    result(dry_status status, std::string message) : status_(status), message_(std::move(message)) {}
    /// True if the call did what it says.
    explicit operator bool() const noexcept { return status_ == DRY_OK; }
    /// What the C function answered.
    dry_status status() const noexcept { return status_; }
    /// drystone's own sentence; empty after a success.
    const std::string &message() const noexcept { return message_; }

private:
    dry_status status_;
    std::string message_;
};

/// The return type of functions that can fail: a status, a message and T. Without DRYSTONE_NO_EXCEPTIONS it is T itself.
template <class T> using returns = result<T>;

#endif

namespace detail {

// The only place where a failure becomes an exception or a result.
template <class T> returns<T> deliver(dry_status status, T value, std::string message) {
#ifndef DRYSTONE_NO_EXCEPTIONS
    if (status != DRY_OK) throw error(status, std::move(message));
    return value;
#else
    return result<T>(status, std::move(value), std::move(message));
#endif
}

inline returns<void> deliver(dry_status status, std::string message) {
#ifndef DRYSTONE_NO_EXCEPTIONS
    if (status != DRY_OK) throw error(status, std::move(message));
#else
    return result<void>(status, std::move(message));
#endif
}

inline std::string message_of(dry_status status) { return status == DRY_OK ? std::string() : last_error(); }

/// The answer of a call that has no value.
inline returns<void> done(dry_status status) { return deliver(status, message_of(status)); }

/// The answer of a call that fills in a T.
template <class T, class Call> returns<T> filled(Call &&call) {
    T value{};
    const dry_status status = call(value);
    return deliver<T>(status, std::move(value), message_of(status));
}

/// An argument that the wrapper itself refuses, where C has no size to check.
template <class T> returns<T> refused(std::string message) {
    if constexpr (std::is_void_v<T>) return deliver(DRY_ERR_ARGUMENT, std::move(message));
    else return deliver<T>(DRY_ERR_ARGUMENT, T{}, std::move(message));
}

/// Empty if an array has the right number of elements, otherwise the error message.
inline std::string unlike(const char *name, std::size_t size, std::size_t expected) {
    if (size == expected) return {};
    return std::string(name) + ": " + std::to_string(size) + " elements, expected " + std::to_string(expected);
}

} // namespace detail
} // namespace DRYSTONE_VARIANT
} // namespace drystone

#endif
