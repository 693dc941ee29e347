/*
 * drystone behind the twelve functions of the peer harness (peer.h, found by -I), through its public header alone.
 *
 * The harness gives friction per pair: every body has one material, and the geometric mean of equal values is that value.
 * Iterations are sweeps, all of which are done (tolerance 0). The contact margin is a fraction of the typical body size.
 * Everything else is stock. `--variant` changes that, see variant.h.
 */
#include "peer.h"

#include "variant.h"

#include <math.h>

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

const char *peer_engine(void) { return "drystone"; }
const char *peer_version(void) { return dry_version_string(); }
const char *peer_precision(void) { return "f64"; }

PeerWorld *peer_create(const PeerConfig *cfg) {
  dry_settings settings;
  dry_world_def def;
  dry_material_def material;
  PeerWorld *w;
  if (!fill_settings(&settings, cfg->iterations, cfg->length, cfg->variant)) return NULL;

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
