/*
 * drystone behind the twelve functions of the peer harness (peer.h, found by -I), through its public header alone.
 *
 * The harness gives friction per pair: every body has one material, and the geometric mean of equal values is that value.
 * Iterations are sweeps, all of which are done (tolerance 0). The contact margin is a fraction of the typical body size.
 * Everything else is stock. `--variant` changes that: settings separated by commas, for example "margin=0.01,factor=0.9":
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
#include "peer.h"

#include "drystone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double stock_margin = 0.02; /* in units of the typical body size */

struct PeerWorld {
  dry_world *world;
  double step; /* [s] */
  dry_material material;
  PeerBody last; /* the body added last, whose shape the next one shares if it is alike */
  dry_shape shape;
  dry_body *bodies; /* in order of peer_add */
  int *fixed;       /* parallel to bodies */
  size_t count, capacity;
  dry_body_state *states;
  dry_step_report report; /* of the last step */
};

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

static int apply_variant(dry_settings *settings, const char *variant, double length) {
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

const char *peer_engine(void) { return "drystone"; }
const char *peer_version(void) { return dry_version_string(); }
const char *peer_precision(void) { return "f64"; }

PeerWorld *peer_create(const PeerConfig *cfg) {
  dry_settings settings;
  dry_world_def def;
  dry_material_def material;
  PeerWorld *w;
  CHECK(dry_settings_init(&settings, sizeof settings));
  settings.iterations = (uint32_t)cfg->iterations;
  settings.tolerance = 0.0;
  settings.contact_margin = stock_margin * cfg->length;
  if (!apply_variant(&settings, cfg->variant, cfg->length)) return NULL;

  CHECK(dry_world_def_init(&def, sizeof def));
  def.settings = &settings;
  def.threads = (uint32_t)cfg->threads;
  memcpy(def.gravity, cfg->gravity, sizeof def.gravity);

  w = allocate(1, sizeof *w);
  if (dry_world_create(&def, &w->world) != DRY_OK) { /* more threads than are offered */
    free(w);
    return NULL;
  }
  w->step = cfg->dt;
  w->capacity = (size_t)cfg->max_bodies;
  w->bodies = allocate(w->capacity, sizeof *w->bodies);
  w->fixed = allocate(w->capacity, sizeof *w->fixed);
  w->states = allocate(w->capacity, sizeof *w->states);
  CHECK(dry_material_def_init(&material, sizeof material));
  material.friction = cfg->friction;
  CHECK(dry_material_add(w->world, &material, &w->material));
  return w;
}

/* Bodies alike share one shape. */
static dry_shape shape_of(PeerWorld *w, const PeerBody *b) {
  if (w->shape && w->last.shape == b->shape && memcmp(w->last.half, b->half, sizeof b->half) == 0) return w->shape;
  if (b->shape == PEER_SPHERE) CHECK(dry_shape_sphere(w->world, b->half[0], &w->shape));
  else CHECK(dry_shape_box(w->world, b->half, &w->shape));
  w->last = *b;
  return w->shape;
}

int peer_add(PeerWorld *w, const PeerBody *b) {
  dry_body_def def;
  if (w->count == w->capacity) return 1;
  CHECK(dry_body_def_init(&def, sizeof def));
  def.kind = b->fixed ? DRY_STATIC : DRY_DYNAMIC;
  def.shape = shape_of(w, b);
  def.material = w->material;
  def.mass = b->fixed ? 0.0 : b->mass;
  memcpy(def.position, b->pos, sizeof def.position);
  def.rotation[0] = b->quat[1]; /* the harness has w first */
  def.rotation[1] = b->quat[2];
  def.rotation[2] = b->quat[3];
  def.rotation[3] = b->quat[0];
  CHECK(dry_body_add(w->world, &def, &w->bodies[w->count]));
  w->fixed[w->count++] = b->fixed;
  return 0;
}

int peer_finish(PeerWorld *w) {
  (void)w;
  return 0;
}

void peer_set_iterations(PeerWorld *w, int iterations) {
  dry_settings settings;
  CHECK(dry_world_get_settings(w->world, &settings, sizeof settings));
  settings.iterations = (uint32_t)iterations;
  CHECK(dry_world_set_settings(w->world, &settings));
}

void peer_step(PeerWorld *w) {
  memset(&w->report, 0, sizeof w->report);
  w->report.struct_size = sizeof w->report;
  CHECK(dry_world_step(w->world, w->step, &w->report));
}

void peer_state(PeerWorld *w, double *pos, double *quat, double *vel, double *angvel) {
  size_t i, k = 0;
  CHECK(dry_bodies_get_states(w->world, w->bodies, w->count, w->states));
  for (i = 0; i < w->count; i++) {
    const dry_body_state *state = &w->states[i];
    if (w->fixed[i]) continue;
    memcpy(pos + 3 * k, state->position, sizeof state->position);
    memcpy(vel + 3 * k, state->linear_velocity, sizeof state->linear_velocity);
    memcpy(angvel + 3 * k, state->angular_velocity, sizeof state->angular_velocity);
    quat[4 * k] = state->rotation[3];
    memcpy(quat + 4 * k + 1, state->rotation, 3 * sizeof state->rotation[0]);
    k++;
  }
}

long peer_contacts(PeerWorld *w) { return (long)w->report.contacts; }

int peer_fixed_forces(PeerWorld *w, double *f) {
  size_t i;
  for (i = 0; i < w->count; i++) {
    double torque[3];
    if (!w->fixed[i]) continue;
    CHECK(dry_query_body_force(w->world, w->bodies[i], f, torque));
    f += 3;
  }
  return 0;
}

void peer_destroy(PeerWorld *w) {
  dry_world_destroy(w->world);
  free(w->bodies);
  free(w->fixed);
  free(w->states);
  free(w);
}
