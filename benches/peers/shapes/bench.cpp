// bench --peer ADAPTER.so --scene NAME [--n N] [--iterations I] [--label L] [--variant V] [--hz 240] [--settle S]
//       [--measure S] [--max-time S]
// bench --test
//
// Runs one scene in one engine and prints one line of JSON. Only peer_step is timed, in processor time. Overlap, energy
// and drift are computed here, from the places and velocities that the engine reports. --max-time limits the processor
// time of settling. --test checks the measure of overlap against known cases.
#include "overlap.hpp"
#include "scenes.hpp"
#include "test.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>

struct Peer {
  decltype(&peer_engine) engine;
  decltype(&peer_version) version;
  decltype(&peer_precision) precision;
  decltype(&peer_create) create;
  decltype(&peer_add) add;
  decltype(&peer_finish) finish;
  decltype(&peer_step) step;
  decltype(&peer_states) states;
  decltype(&peer_contacts) contacts;
};

struct Options {
  std::string peer, scene, label, variant;
  int n = 0, iterations = 10;
  double hz = 240, settle = -1, measure = -1, max_time = 1e9;
};

struct Times {
  double median = 0, mean = 0, least = 0; // of a step [ms]
  long steps = 0, settled = 0, wanted = 0;
};

static void fail(const std::string &message) {
  fprintf(stderr, "%s\n", message.c_str());
  exit(2);
}

static double processor_time() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

static Peer load(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(dlerror());
  Peer p;
  auto find = [&](const char *name, auto &function) {
    void *found = dlsym(library, name);
    if (!found) fail(path + " lacks " + name);
    memcpy(&function, &found, sizeof function);
  };
  find("peer_engine", p.engine), find("peer_version", p.version), find("peer_precision", p.precision);
  find("peer_create", p.create), find("peer_add", p.add), find("peer_finish", p.finish);
  find("peer_step", p.step), find("peer_states", p.states), find("peer_contacts", p.contacts);
  return p;
}

static Options options_of(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) fail(name + " has no value; see the head of bench.cpp");
    const std::string value = argv[i + 1];
    if (name == "--peer") o.peer = value;
    else if (name == "--scene") o.scene = value;
    else if (name == "--label") o.label = value;
    else if (name == "--variant") o.variant = value;
    else if (name == "--n") o.n = atoi(value.c_str());
    else if (name == "--iterations") o.iterations = atoi(value.c_str());
    else if (name == "--hz") o.hz = atof(value.c_str());
    else if (name == "--settle") o.settle = atof(value.c_str());
    else if (name == "--measure") o.measure = atof(value.c_str());
    else if (name == "--max-time") o.max_time = atof(value.c_str());
    else fail("there is no option " + name + "; see the head of bench.cpp");
  }
  if (o.peer.empty() || o.scene.empty()) fail("--peer and --scene are needed; see the head of bench.cpp");
  if (o.n <= 0) o.n = o.scene == "cylinders" ? 700 : o.scene == "wall" ? 20 : o.scene == "slab" ? 1 : 1000;
  return o;
}

// Times the steps in blocks of at least 0.2 ms, for the clock takes part of a microsecond itself.
static Times run(const Peer &peer, PeerWorld *world, const Options &o, const Scene &scene) {
  Times t;
  const double begin = processor_time();
  t.wanted = std::lround((o.settle >= 0 ? o.settle : scene.settle) * o.hz);
  while (t.settled < t.wanted && processor_time() - begin < o.max_time) peer.step(world), t.settled++;
  const double each = t.settled > 0 ? (processor_time() - begin) / double(t.settled) : 1;
  const long block = std::max(1L, std::lround(2e-4 / each));
  const long steps = std::max(block, std::lround((o.measure >= 0 ? o.measure : scene.measure) * o.hz));
  std::vector<double> blocks;
  double total = 0;
  // tiny worlds: for at least a fifth of a second
  while (t.steps < steps || (scene.tiny && total < 0.2)) {
    const double start = processor_time();
    for (long i = 0; i < block; i++) peer.step(world);
    const double spent = processor_time() - start;
    total += spent;
    blocks.push_back(1e3 * spent / double(block));
    t.steps += block;
  }
  std::sort(blocks.begin(), blocks.end());
  t.median = blocks[blocks.size() / 2], t.least = blocks[0], t.mean = 1e3 * total / double(t.steps);
  return t;
}

static double kinetic_energy(const PeerBody &b, const PeerState &s) {
  const Vec v{s.velocity[0], s.velocity[1], s.velocity[2]};
  const Vec w = rotation_of(s.rotation).back({s.angular_velocity[0], s.angular_velocity[1], s.angular_velocity[2]});
  return 0.5 * (b.mass * dot(v, v) + b.inertia[0] * w.x * w.x + b.inertia[1] * w.y * w.y + b.inertia[2] * w.z * w.z);
}

struct Quality {
  Overlap overlap;
  double energy = 0;              // kinetic, per body [J]
  double drift = 0, sideways = 0; // the largest way from the start, and its horizontal part [m]
  long escaped = 0;               // bodies outside the container
  bool finite = true;
};

static Quality quality_of(const Scene &scene, const std::vector<PeerState> &states) {
  Quality q;
  std::vector<Placed> placed;
  std::deque<Features> features;
  size_t next = 0, moving = 0;
  for (const PeerBody &b : scene.bodies) moving += !b.fixed;
  for (const PeerBody &b : scene.bodies) {
    const PeerState *s = b.fixed ? nullptr : &states[next++];
    const double *at = s ? s->position : b.position;
    const Vec position{at[0], at[1], at[2]}, start{b.position[0], b.position[1], b.position[2]}, way = position - start;
    if (s) {
      const double energy = kinetic_energy(b, *s);
      if (!std::isfinite(energy + length(position))) {
        q.finite = false;
        continue;
      }
      q.energy += energy / double(moving);
      q.drift = std::max(q.drift, length(way)), q.sideways = std::max(q.sideways, std::hypot(way.x, way.y));
      const double half = scene.half_width;
      if (half > 0 && (std::fabs(position.x) > half || std::fabs(position.y) > half || position.z < 0)) q.escaped++;
    }
    features.push_back(features_of(b.shape));
    placed.push_back({&b.shape, &features.back(), position, rotation_of(s ? s->rotation : b.rotation), reach(b.shape), !s});
  }
  q.overlap = overlap_of(placed);
  return q;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--test") == 0) return test_overlap();
  const Options o = options_of(argc, argv);
  const Peer peer = load(o.peer);
  Builder builder;
  if (!builder.build(o.scene, o.n)) fail("there is no scene " + o.scene + "; see scenes.hpp");
  const Scene &scene = builder.scene;

  PeerConfig config{};
  config.dt = 1 / o.hz, config.gravity[2] = -9.81, config.friction = 0.5, config.iterations = o.iterations;
  config.max_bodies = int(scene.bodies.size()), config.variant = o.variant.c_str();
  PeerWorld *world = peer.create(&config);
  if (!world) fail(std::string(peer.engine()) + " does not support these settings");
  size_t moving = 0;
  for (const PeerBody &b : scene.bodies) {
    if (peer.add(world, &b)) fail(std::string(peer.engine()) + " does not have a shape of the scene " + o.scene);
    moving += !b.fixed;
  }
  peer.finish(world);

  const Times t = run(peer, world, o, scene);
  std::vector<PeerState> states(moving);
  peer.states(world, states.data());
  const Quality q = quality_of(scene, states);
  printf("{\"engine\":\"%s\",\"version\":\"%s\",\"precision\":\"%s\",\"variant\":\"%s\",\"scene\":\"%s\",\"N\":%d,\"bodies\":%zu,",
         o.label.empty() ? peer.engine() : o.label.c_str(), peer.version(), peer.precision(), o.variant.c_str(), o.scene.c_str(), o.n, moving);
  printf("\"iterations\":%d,\"threads\":1,\"hz\":%g,\"cpu_ms_median\":%.6g,\"cpu_ms_mean\":%.6g,\"cpu_ms_min\":%.6g,", o.iterations, o.hz,
         t.median, t.mean, t.least);
  printf("\"settle_steps\":%ld,\"settle_steps_wanted\":%ld,\"measured_steps\":%ld,\"contacts\":%ld,", t.settled, t.wanted, t.steps,
         peer.contacts(world));
  printf("\"max_penetration\":%.6g,\"mean_penetration\":%.6g,\"p99_penetration\":%.6g,\"touching_pairs\":%ld,", q.overlap.largest,
         q.overlap.mean, q.overlap.percentile, q.overlap.pairs);
  printf("\"kinetic_energy_per_body\":%.6g,", q.energy);
  if (scene.placed) printf("\"drift\":%.6g,\"sideways\":%.6g,", q.drift, q.sideways);
  if (scene.half_width > 0) printf("\"escaped\":%ld,", q.escaped);
  printf("\"finite\":%s}\n", q.finite ? "true" : "false");
  fflush(stdout);
  _Exit(0); // some engines do not end cleanly
}
