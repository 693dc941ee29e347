/*
 * What the bad input hosts share: a call that must be refused, with the right status and a message that names the
 * argument (and the value, for numbers), leaving every output, the world and standard error untouched.
 */
#ifndef DRYSTONE_TESTS_REFUSE_H
#define DRYSTONE_TESTS_REFUSE_H
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "scene.h"

/* Every output of every call lies here, so that one comparison finds a write. */
typedef union outputs {
    unsigned char bytes[4096];
    uint64_t handles[16];
    double numbers[64];
    size_t count;
    dry_world *world;
    dry_solver *solver;
    dry_settings settings;
    dry_world_def world_def;
    dry_material_def material_def;
    dry_pair_def pair_def;
    dry_body_def body_def;
    dry_body_state states[8];
    dry_contact contacts[8];
    dry_joint_def joint_def;
    dry_joint_axis joint_axis;
    dry_joint_state joint_states[8];
} outputs;

enum { PATTERN = 0xA5 };

static outputs out;
static dry_world *world;   /* must not change */
static uint64_t unchanged; /* its hash */
static int refused_calls, refused_wrongly;

static inline void accept_state(void)
{
    memset(&out, PATTERN, sizeof out);
    unchanged = world_hash(world);
}

/* A call with good arguments, beside the bad ones: it succeeds, and its effect is the state to be kept from now on. */
#define ACCEPTED(call) (MUST(call), accept_state())

static inline int contains(const char *text, const char *word)
{
    char low_text[1024] = "", low_word[64] = "";
    for (size_t k = 0; k + 1 < sizeof low_text && text[k]; ++k)
        low_text[k] = (char)(text[k] >= 'A' && text[k] <= 'Z' ? text[k] - 'A' + 'a' : text[k]);
    for (size_t k = 0; k + 1 < sizeof low_word && word[k]; ++k)
        low_word[k] = (char)(word[k] >= 'A' && word[k] <= 'Z' ? word[k] - 'A' + 'a' : word[k]);
    return strstr(low_text, low_word) != NULL;
}

static inline void refused(int line, const char *call, dry_status expected, const char *word, const char *value,
                           dry_status status)
{
    char message[1024] = "";
    (void)dry_last_error(message, sizeof message, NULL);
    const char *wrong = NULL;
    size_t touched = 0;
    for (size_t k = 0; k < sizeof out; ++k)
        touched += out.bytes[k] != PATTERN;
    if (status != expected)
        wrong = dry_status_name(status);
    else if (!contains(message, word) || !contains(message, value))
        wrong = "the message lacks a word";
    else if (touched > 0)
        wrong = "an output was written";
    else if (world_hash(world) != unchanged)
        wrong = "the world changed";
    ++refused_calls;
    if (wrong) {
        printf("FAIL line %d, value %s: %s\n     expected %s naming \"%s\", found: %s; message: %s\n", line,
               value[0] ? value : "-", call, dry_status_name(expected), word, wrong, message);
        ++refused_wrongly;
        accept_state();
    }
}
#define REFUSED(expected, word, call) refused(__LINE__, #call, expected, word, "", call)

/* One line for all calls refused since the last one. */
static inline void check_refused(const char *group)
{
    char name[96];
    snprintf(name, sizeof name, "%s: wrong among %d refused calls", group, refused_calls);
    check_at_most(name, refused_wrongly, 0);
    refused_calls = refused_wrongly = 0;
}

/* ---- tables of bad values ------------------------------------------------------------------ */

enum { NEGATIVE = 1, ZERO = 2, LARGE = 4 }; /* what is out of range, in addition to what is not finite */

typedef struct bad_number {
    double value;
    const char *text;
    int range; /* 0: never a good value */
    dry_status status;
} bad_number;

static const bad_number bad_numbers[] = {
    {NAN, "nan", 0, DRY_ERR_NOT_FINITE},      {INFINITY, "inf", 0, DRY_ERR_NOT_FINITE},
    {-INFINITY, "-inf", 0, DRY_ERR_NOT_FINITE}, {-3, "-3", NEGATIVE, DRY_ERR_ARGUMENT},
    {0, "0", ZERO, DRY_ERR_ARGUMENT},         {7.5, "7.5", LARGE, DRY_ERR_ARGUMENT},
};

/* The call with each bad number in `variable`, which has its good value again afterwards. */
#define BAD_NUMBERS(word, variable, out_of_range, call)                                                            \
    for (size_t bad_ = 0; bad_ < sizeof bad_numbers / sizeof bad_numbers[0]; ++bad_) {                             \
        const bad_number *number_ = &bad_numbers[bad_];                                                            \
        if (number_->range != 0 && (number_->range & (out_of_range)) == 0)                                         \
            continue;                                                                                              \
        const double good_ = (variable);                                                                           \
        (variable) = number_->value;                                                                               \
        refused(__LINE__, #call, number_->status, word, number_->text, call);                                      \
        (variable) = good_;                                                                                        \
    }

/* The call with one value that is not allowed: an enumeration, a flag, a reserved member, what is not offered. */
#define BAD_VALUE(expected, word, variable, type, bad, call)                                                     \
    do {                                                                                                           \
        const type good_ = (variable);                                                                             \
        (variable) = (type)(bad);                                                                                  \
        refused(__LINE__, #call, expected, word, "", call);                                                        \
        (variable) = good_;                                                                                        \
    } while (0)

/* The call with every size that no version of the structure had: not initialised, one more, one less. */
#define BAD_SIZES(word, variable, call)                                                                            \
    for (int bad_ = 0; bad_ < 4; ++bad_) {                                                                         \
        const size_t good_ = (variable), sizes_[4] = {0, good_ - 1, good_ + 1, SIZE_MAX};                          \
        char text_[32];                                                                                            \
        (variable) = sizes_[bad_];                                                                                 \
        snprintf(text_, sizeof text_, "%zu", sizes_[bad_]);                                                        \
        refused(__LINE__, #call, DRY_ERR_ABI, word, text_, call);                                                  \
        (variable) = good_;                                                                                        \
    }

/* The call with each handle of a list. */
#define BAD_HANDLES(word, variable, list, call)                                                                    \
    for (size_t bad_ = 0; bad_ < sizeof list / sizeof list[0]; ++bad_) {                                           \
        const uint64_t good_ = (variable);                                                                         \
        (variable) = list[bad_];                                                                                   \
        REFUSED(DRY_ERR_STALE_HANDLE, word, call);                                                                 \
        (variable) = good_;                                                                                        \
    }

/* A count whose bytes no memory holds: refused by itself or by the allocation, before an element is read. */
#define ABSURD(word, call)                                                                                         \
    do {                                                                                                           \
        dry_status status_ = call;                                                                                 \
        refused(__LINE__, #call, status_ == DRY_ERR_MEMORY ? status_ : DRY_ERR_ARGUMENT, word, "", status_);       \
    } while (0)

static const size_t OVERFLOWING_TO_SMALL = SIZE_MAX / sizeof(double[3]) + 1;
static const size_t HUNDREDS_OF_TERABYTES = (size_t)1 << 44;

/* ---- standard error -------------------------------------------------------------------------- */

static FILE *standard_error;

/* Whatever is written to standard error from here on is kept for check_silence. */
static inline void watch_standard_error(void)
{
    standard_error = tmpfile();
    if (standard_error == NULL || dup2(fileno(standard_error), STDERR_FILENO) < 0) {
        printf("FAIL no temporary file for the test itself\n");
        exit(EXIT_FAILURE);
    }
}

static inline void check_silence(void)
{
    fflush(stderr);
    check_at_most("bytes on standard error", (double)lseek(STDERR_FILENO, 0, SEEK_END), 0);
    fclose(standard_error);
}
#endif
