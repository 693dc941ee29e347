// Checks that go on after a failure and are counted.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <drystone.hpp>

#include <cstdio>
#include <string>

inline int failures = 0;

template <class Truth> void check(const char *what, const Truth &truth) {
    const bool holds(truth);
    if (!holds) std::printf("FAIL %s\n", what);
    failures += holds ? 0 : 1;
}

inline void check_text(const char *what, const std::string &text, const char *part) {
    const bool holds = text.find(part) != std::string::npos;
    if (!holds) std::printf("FAIL %s: \"%s\" does not contain \"%s\"\n", what, text.c_str(), part);
    failures += holds ? 0 : 1;
}

#ifndef DRYSTONE_NO_EXCEPTIONS
// The call must throw this status, with a message that contains this part.
template <class Call> void refused(const char *what, dry_status status, const char *part, Call &&call) {
    try {
        call();
        check(what, false);
    } catch (const drystone::error &error) {
        check(what, error.status() == status);
        check_text(what, error.message(), part);
        check_text(what, error.what(), dry_status_name(status));
    }
}
#endif

#endif
