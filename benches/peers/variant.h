/*
 * What both adapters of drystone share: a check of every call, memory, and the settings of --variant.
 *
 * Settings are separated by commas, for example "margin=0.01,factor=0.9":
 *
 *     margin=M      contact margin, in units of the typical body size
 *     warm=W        warm start, the number of a dry_warm_start
 *     factor=B      warm start factor
 *     sweep=S       the order of a sweep, the number of a dry_sweep
 *     relaxation=R
 *     substeps=N    substeps of a step; iterations stay as they are
 *     projection=0  overlap undone through the velocities instead of by the position pass
 *
 * A failing call ends the program with drystone's own message: a benchmark that goes on would measure something else.
 */
#ifndef DRYSTONE_PEERS_VARIANT_H
#define DRYSTONE_PEERS_VARIANT_H

#include "drystone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double stock_margin = 0.02; /* in units of the typical body size */

#define CHECK(call) check((call), #call)

static void check(dry_status status, const char *call) {
  char message[512] = "";
  if (status == DRY_OK) return;
  (void)dry_last_error(message, sizeof message, NULL);
  (void)fprintf(stderr, "%s: %s: %s\n", call, dry_status_name(status), message);
  exit(EXIT_FAILURE);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (!memory) {
    (void)fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
  }
  return memory;
}

/* One setting of --variant; 0: no such setting. */
static int apply(dry_settings *settings, const char *name, double value, double length) {
  if (strcmp(name, "margin") == 0) settings->contact_margin = value * length;
  else if (strcmp(name, "warm") == 0) settings->warm_start = (dry_warm_start)value;
  else if (strcmp(name, "factor") == 0) settings->warm_start_factor = value;
  else if (strcmp(name, "sweep") == 0) settings->sweep = (dry_sweep)value;
  else if (strcmp(name, "relaxation") == 0) settings->relaxation = value;
  else if (strcmp(name, "substeps") == 0) settings->substeps = (uint32_t)value;
  else if (strcmp(name, "projection") == 0) settings->position_projection = value != 0.0;
  else return 0;
  return 1;
}

/* Settings of a harness: all iterations are done (tolerance 0), everything else is stock, then those of --variant. `length` is the
 * typical body size [m]. 0: a setting that does not exist. */
static int fill_settings(dry_settings *settings, int iterations, double length, const char *variant) {
  CHECK(dry_settings_init(settings, sizeof *settings));
  settings->iterations = (uint32_t)iterations;
  settings->tolerance = 0.0;
  settings->contact_margin = stock_margin * length;
  while (variant && *variant) {
    char name[32];
    double value = 0.0;
    int used = 0;
    if (sscanf(variant, "%31[a-z]=%lf%n", name, &value, &used) != 2 || !apply(settings, name, value, length)) return 0;
    variant += used;
    if (*variant == ',') variant++;
    else if (*variant) return 0;
  }
  return 1;
}

#endif
