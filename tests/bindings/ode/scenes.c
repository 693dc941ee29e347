/*
 * Scenes in ODE, stepped by ODE's own solver or by drystone's: the same program, compiled with or without the
 * header of the adapter (-DWITH_DRYSTONE). One line for each scene:
 *
 *     name  drift [m]  overlap [m]  kinetic energy [J]  ms of the step call, mean
 *
 * drift: how far the body that went furthest is from where it began (of the pile: how far the fastest went in
 * the last second); overlap: the largest depth of a contact, of the chain the widest gap of a hinge, and
 * kinetic energy: the mean, both over the last second.
 *
 *     scenes [-t TIMES] [-i ITERATIONS] [SCENE...]     TIMES: of the simulated time of each scene, default 1
 */
#ifdef WITH_DRYSTONE
#include <drystone_ode.h>
#endif
#include <ode/ode.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_BODIES = 1100, MAX_CONTACTS = 8 };
static const dReal STEP = 1.0 / 240, GRAVITY = 9.81;

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID bodies[MAX_BODIES];
static dReal places[3 * MAX_BODIES]; /* where each one began */
static int body_count, iterations;
static double largest_depth, largest_error;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void touch(void *data, dGeomID a, dGeomID b) {
  dContact contact[MAX_CONTACTS];
  const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
  (void)data;
  if (!body_a && !body_b) return;
  if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
  memset(contact, 0, sizeof contact);
  const int count = dCollide(a, b, MAX_CONTACTS, &contact[0].geom, sizeof contact[0]);
  for (int i = 0; i < count; i++) {
    contact[i].surface.mode = dContactApprox1;
    contact[i].surface.mu = 0.5;
    dJointAttach(dJointCreateContact(world, contacts, &contact[i]), body_a, body_b);
    if (contact[i].geom.depth > largest_depth) largest_depth = contact[i].geom.depth;
  }
}

static dBodyID add(dGeomID geom, dMass mass, dReal x, dReal y, dReal z) {
  const dBodyID body = bodies[body_count++] = dBodyCreate(world);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, x, y, z);
  dGeomSetBody(geom, body);
  return body;
}

static dBodyID add_box(dReal mass, dReal x, dReal y, dReal z) {
  dMass m;
  dMassSetBoxTotal(&m, mass, 1, 1, 1);
  return add(dCreateBox(space, 1, 1, 1), m, x, y, z);
}

static void add_wall(dReal x, dReal y, dReal z, dReal lx, dReal ly, dReal lz) {
  dGeomSetPosition(dCreateBox(space, lx, ly, lz), x, y, z);
}

static void stack(void) {
  add_wall(0, 0, -1, 40, 40, 2);
  for (int k = 0; k < 20; k++) add_box(1000, 0, 0, 0.5 + k);
}

static void wall(void) {
  const int n = 20;
  add_wall(0, 0, -1, 80, 40, 2);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n - k; i++) add_box(1000, (i - (n - k - 1) / 2.0) * 1.1, 0, 0.5 + k);
}

static double random_number(void) {
  static unsigned long long state = 12345;
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void pile(void) {
  const double d = 0.1, r = d / 2, edge = 10 * d, height = 30 * d;
  const int n = 1000, m = 9;
  dMass mass;
  dMassSetSphereTotal(&mass, 2000 * 4.0 / 3 * M_PI * r * r * r, r);
  add_wall(0, 0, -0.5, edge + 2, edge + 2, 1);
  for (int s = -1; s <= 1; s += 2) {
    add_wall(s * (edge / 2 + 0.5), 0, height / 2, 1, edge + 2, height);
    add_wall(0, s * (edge / 2 + 0.5), height / 2, edge + 2, 1, height);
  }
  for (int c = 0; c < n; c++) {
    const int i = c % m, j = c / m % m, k = c / (m * m);
    const double x = (random_number() - 0.5) * 0.08 * d, y = (random_number() - 0.5) * 0.08 * d,
                 z = (random_number() - 0.5) * 0.08 * d;
    add(dCreateSphere(space, r), mass, (i - (m - 1) * 0.5) * edge / m + x, (j - (m - 1) * 0.5) * edge / m + y,
        r + 0.06 * d + k * 1.1 * d + z);
  }
}

static void mass_ratio(void) {
  add_wall(0, 0, -1, 40, 40, 2);
  add_box(1, 0, 0, 0.5);
  add_box(1000, 0, 0, 1.5);
}

static void slope(void) {
  const double angle = atan(0.4);
  dQuaternion turn;
  dQFromAxisAndAngle(turn, 0, 1, 0, angle);
  const dGeomID floor = dCreateBox(space, 100, 40, 2);
  dGeomSetQuaternion(floor, turn);
  dGeomSetPosition(floor, -sin(angle), 0, -cos(angle));
  dBodySetQuaternion(add_box(1000, 0.5 * sin(angle), 0, 0.5 * cos(angle)), turn);
}

static void topple(void) {
  stack();
  for (int k = 0; k < body_count; k++) dBodySetLinearVel(bodies[k], 0.12 * k, 0.05 * k, 0);
}

/* 20 links of a metre hang by hinges between two fixed points, 14 m apart, and swing. */
static dJointID hinges[32];
static int hinge_count;

static void chain(void) {
  const int n = 20;
  dMass m;
  dMassSetBoxTotal(&m, 10, 1, 0.2, 0.2);
  for (int i = 0; i < n; i++) {
    add(dCreateBox(space, 0.9, 0.2, 0.2), m, i + 0.5, 0, 0);
    const dJointID hinge = hinges[hinge_count++] = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bodies[i], i ? bodies[i - 1] : 0);
    dJointSetHingeAnchor(hinge, i, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
  }
}

/* A parked car: four wheels with locked brakes and held steering on springs, ballast fixed below the chassis. */
static void car(void) {
  const dVector3 up = {0, 0, 1, 0}, across = {0, 1, 0, 0};
  dMass m;
  add_wall(0, 0, -1, 40, 40, 2);
  dMassSetBoxTotal(&m, 500, 3.5, 2, 0.6);
  const dBodyID chassis = add(dCreateBox(space, 3.5, 2, 0.6), m, 0, 0, 1);
  for (int k = 0; k < 4; k++) {
    dMassSetSphereTotal(&m, 100, 0.5);
    const double x = k < 2 ? 1.2 : -1.2, y = k % 2 ? 1.25 : -1.25;
    const dBodyID wheel = add(dCreateSphere(space, 0.5), m, x, y, 0.5);
    const dJointID joint = dJointCreateHinge2(world, 0);
    dJointAttach(joint, chassis, wheel);
    dJointSetHinge2Anchor(joint, x, y, 0.5);
    dJointSetHinge2Axes(joint, up, across);
    dJointSetHinge2Param(joint, dParamSuspensionERP, 0.8);
    dJointSetHinge2Param(joint, dParamSuspensionCFM, 1e-6);
    dJointSetHinge2Param(joint, dParamFMax, dInfinity);
    dJointSetHinge2Param(joint, dParamFMax2, 5000);
  }
  dMassSetBoxTotal(&m, 500, 3.5, 2, 0.6);
  const dBodyID ballast = bodies[body_count++] = dBodyCreate(world);
  dBodySetMass(ballast, &m);
  dBodySetPosition(ballast, 0, 0, -4);
  const dJointID joint = dJointCreateFixed(world, 0);
  dJointAttach(joint, chassis, ballast);
  dJointSetFixed(joint);
}

/* The largest distance of the two anchors of a hinge. */
static double hinge_error(void) {
  double largest = 0;
  for (int i = 0; i < hinge_count; i++) {
    dVector3 a, b;
    dJointGetHingeAnchor(hinges[i], a);
    dJointGetHingeAnchor2(hinges[i], b);
    largest = fmax(largest, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
  }
  return largest;
}

static double energy(dBodyID body) {
  dMass m;
  dVector3 w;
  const dReal *v = dBodyGetLinearVel(body), *spin = dBodyGetAngularVel(body);
  dBodyGetMass(body, &m);
  dBodyVectorFromWorld(body, spin[0], spin[1], spin[2], w);
  return 0.5 * m.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
         0.5 * (m.I[0] * w[0] * w[0] + m.I[5] * w[1] * w[1] + m.I[10] * w[2] * w[2]);
}

static void remember(void) {
  for (int i = 0; i < body_count; i++) memcpy(&places[3 * i], dBodyGetPosition(bodies[i]), 3 * sizeof(dReal));
}

static double furthest(void) {
  double largest = 0;
  for (int i = 0; i < body_count; i++) {
    const dReal *p = dBodyGetPosition(bodies[i]), *q = &places[3 * i];
    const double way =
        sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
    largest = way <= largest ? largest : way;
  }
  return largest;
}

static const struct scene {
  const char *name;
  void (*make)(void);
  double seconds;
  int settles; /* drift counts from the last second on */
} scenes[] = {
    {"stack", stack, 10, 0},          {"wall", wall, 10, 0},   {"pile", pile, 4, 1},
    {"mass_ratio", mass_ratio, 5, 0}, {"slope", slope, 10, 0}, {"chain", chain, 10, 0},
    {"topple", topple, 6, 1},         {"car", car, 12, 1},
};

static void run(const struct scene *scene, double times) {
  const int steps = (int)(scene->seconds * times / STEP + 0.5), last = steps - (int)(1 / STEP + 0.5);
  double kinetic = 0;
  world = dWorldCreate();
  space = dHashSpaceCreate(0);
  contacts = dJointGroupCreate(0);
  dWorldSetGravity(world, 0, 0, -GRAVITY);
  dWorldSetAutoDisableFlag(world, 0);
  if (iterations > 0) dWorldSetQuickStepNumIterations(world, iterations);
  body_count = hinge_count = 0;
  scene->make();
  remember();
  double all = 0;
  for (int k = 0; k < steps; k++) {
    if (k == last) {
      largest_depth = largest_error = 0;
      if (scene->settles) remember();
    }
    dJointGroupEmpty(contacts);
    dSpaceCollide(space, 0, touch);
    const double begin = now();
    if (!dWorldQuickStep(world, STEP)) {
#ifdef WITH_DRYSTONE
      char text[256];
      dry_ode_last_error(text, sizeof text, NULL);
      fprintf(stderr, "%s: step %d: %s\n", scene->name, k, text);
#endif
      exit(1);
    }
    all += now() - begin;
    largest_error = fmax(largest_error, hinge_error());
    for (int i = 0; k >= last && i < body_count; i++) kinetic += energy(bodies[i]);
  }
  const double drift = furthest();
  printf("%-10s %10.3e %10.3e %10.3e %9.4f\n", scene->name, drift,
         hinge_count ? largest_error : largest_depth, kinetic / (steps - last), 1e3 * all / steps);
  fflush(stdout);
  dJointGroupDestroy(contacts);
  dSpaceDestroy(space);
  dWorldDestroy(world);
}

int main(int argc, char **argv) {
  double times = 1;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    if (argv[first][1] == 't') times = atof(argv[first + 1]);
    else iterations = atoi(argv[first + 1]);
  }
  dInitODE2(0);
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
    int wanted = first == argc;
    for (int k = first; k < argc; k++) wanted |= strcmp(argv[k], scenes[i].name) == 0;
    if (wanted) run(&scenes[i], times);
  }
  dCloseODE();
  return 0;
}
