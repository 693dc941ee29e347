/*
 * What every host needs beside the library, for the examples of this folder: a status that is looked at, memory that
 * is there.
 */
#ifndef HOST_H
#define HOST_H

#include "drystone.h"

#include <stdio.h>
#include <stdlib.h>

/* Every call of the library goes through this: a host that ignores a status does not know what it computed. */
#define CHECK(call) check((call), #call)

static inline void check(dry_status status, const char *call)
{
    char message[512] = "";
    if (status == DRY_OK) {
        return;
    }
    (void)dry_last_error(message, sizeof message, NULL);
    fprintf(stderr, "\n%s\n  %s: %s\n", call, dry_status_name(status), message);
    exit(EXIT_FAILURE);
}

static inline void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* A report as the calls want it: zero, with its size. */
static inline dry_step_report empty_report(void)
{
    const dry_step_report report = {.struct_size = sizeof report};
    return report;
}

#endif
