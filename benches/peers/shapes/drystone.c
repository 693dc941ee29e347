/*
 * drystone behind peer.h, through include/drystone.h alone.
 *
 * The settings are those of ../drystone.c: every iteration is done (tolerance 0), and contacts are made up to a gap of
 * 0.02 m, as bodies are about 1 m large. Everything else is stock. `--variant` changes that, see ../variant.h.
 */
#include "../variant.h"

#include "peer.h"

struct PeerWorld {
  dry_world *world;
  double dt;
  dry_material material;
  dry_body *moving; /* in the order of peer_add */
  size_t count;
  PeerShape last; /* shape of the body added last, which the next body shares if it is alike */
  dry_shape shape;
  dry_body_state *states;
  dry_step_report report;
};

const char *peer_engine(void) { return "drystone"; }
const char *peer_version(void) { return dry_version_string(); }
const char *peer_precision(void) { return "f64"; }

PeerWorld *peer_create(const PeerConfig *config) {
  dry_settings settings;
  dry_world_def def;
  dry_material_def material;
  PeerWorld *w;
  if (!fill_settings(&settings, config->iterations, 1.0, config->variant)) return NULL;

  CHECK(dry_world_def_init(&def, sizeof def));
  def.settings = &settings;
  def.threads = 1;
  memcpy(def.gravity, config->gravity, sizeof def.gravity);
  w = allocate(1, sizeof *w);
  CHECK(dry_world_create(&def, &w->world));
  w->dt = config->dt;
  w->moving = allocate((size_t)config->max_bodies, sizeof *w->moving);
  w->states = allocate((size_t)config->max_bodies, sizeof *w->states);
  CHECK(dry_material_def_init(&material, sizeof material));
  material.friction = config->friction;
  CHECK(dry_material_add(w->world, &material, &w->material));
  return w;
}

static dry_shape shape_of(PeerWorld *w, const PeerShape *s) {
  if (w->shape && memcmp(&w->last, s, sizeof *s) == 0) return w->shape;
  switch (s->kind) {
    case PEER_SPHERE: CHECK(dry_shape_sphere(w->world, s->radius, &w->shape)); break;
    case PEER_BOX: CHECK(dry_shape_box(w->world, s->half, &w->shape)); break;
    case PEER_HULL: CHECK(dry_shape_hull(w->world, s->points, (size_t)s->point_count, &w->shape)); break;
    case PEER_CYLINDER: CHECK(dry_shape_cylinder(w->world, s->half_length, s->radius, &w->shape)); break;
    case PEER_CAPSULE: CHECK(dry_shape_capsule(w->world, s->half_length, s->radius, &w->shape)); break;
  }
  w->last = *s;
  return w->shape;
}

int peer_add(PeerWorld *w, const PeerBody *b) {
  dry_body_def def;
  dry_body body;
  CHECK(dry_body_def_init(&def, sizeof def));
  def.kind = b->fixed ? DRY_STATIC : DRY_DYNAMIC;
  def.shape = shape_of(w, &b->shape);
  def.material = w->material;
  if (!b->fixed) {
    def.mass = b->mass;
    memcpy(def.inertia, b->inertia, sizeof b->inertia);
  }
  memcpy(def.position, b->position, sizeof def.position);
  memcpy(def.rotation, b->rotation, sizeof def.rotation);
  CHECK(dry_body_add(w->world, &def, &body));
  if (!b->fixed) w->moving[w->count++] = body;
  return 0;
}

void peer_finish(PeerWorld *w) { (void)w; }

void peer_step(PeerWorld *w) {
  w->report.struct_size = sizeof w->report;
  CHECK(dry_world_step(w->world, w->dt, &w->report));
}

void peer_states(PeerWorld *w, PeerState *states) {
  size_t i;
  CHECK(dry_bodies_get_states(w->world, w->moving, w->count, w->states));
  for (i = 0; i < w->count; i++) {
    const dry_body_state *s = &w->states[i];
    memcpy(states[i].position, s->position, sizeof s->position);
    memcpy(states[i].rotation, s->rotation, sizeof s->rotation);
    memcpy(states[i].velocity, s->linear_velocity, sizeof s->linear_velocity);
    memcpy(states[i].angular_velocity, s->angular_velocity, sizeof s->angular_velocity);
  }
}

long peer_contacts(PeerWorld *w) { return (long)w->report.contacts; }
