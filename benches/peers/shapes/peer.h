/*
 * peer.h: what an adapter exports, so that one program (bench.cpp) runs the same scenes in every engine.
 *
 * SI units; z is up. Quaternions are (x, y, z, w), from body to world axes. The origin of every body is its centre of
 * mass, and its axes are its principal axes. Cylinders and capsules lie along the body's z axis.
 */
#ifndef PEER_H
#define PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PeerKind { PEER_SPHERE, PEER_BOX, PEER_HULL, PEER_CYLINDER, PEER_CAPSULE } PeerKind;

typedef struct PeerShape {
  PeerKind kind;
  double half[3];       /* PEER_BOX: half its edges [m] */
  double radius;        /* of a sphere, cylinder or capsule [m] */
  double half_length;   /* half the length of a cylinder, or of a capsule without its two half spheres [m] */
  const double *points; /* PEER_HULL: x y z of each corner [m]; they live as long as the world */
  int point_count;
} PeerShape;

typedef struct PeerBody {
  PeerShape shape;
  int fixed;          /* 1: it never moves */
  double mass;        /* [kg] */
  double inertia[3];  /* principal moments about the centre of mass [kg m^2] */
  double position[3]; /* [m] */
  double rotation[4];
} PeerBody;

typedef struct PeerConfig {
  double dt;           /* [s] */
  double gravity[3];   /* [m/s^2] */
  double friction;     /* Coulomb's coefficient between any two bodies [-] */
  int iterations;      /* the number of iterations of the engine's solver */
  int max_bodies;      /* fixed ones included */
  const char *variant; /* settings of one engine, "" for its own defaults */
} PeerConfig;

typedef struct PeerState {
  double position[3];
  double rotation[4];
  double velocity[3];         /* of the centre of mass, world axes [m/s] */
  double angular_velocity[3]; /* world axes [rad/s] */
} PeerState;

typedef struct PeerWorld PeerWorld;

#define PEER_EXPORT __attribute__((visibility("default")))

/* Name and version of the engine, and "f32" or "f64". */
PEER_EXPORT const char *peer_engine(void);
PEER_EXPORT const char *peer_version(void);
PEER_EXPORT const char *peer_precision(void);

/* Creates a world on one thread. Bodies never sleep, nothing is damped, restitution is 0. NULL: not supported. */
PEER_EXPORT PeerWorld *peer_create(const PeerConfig *config);

/* Adds a body. 0, or 1: the engine does not have this shape. */
PEER_EXPORT int peer_add(PeerWorld *world, const PeerBody *body);

/* Called once after the last body. */
PEER_EXPORT void peer_finish(PeerWorld *world);

/* Advances the world by dt. The only call that is timed. */
PEER_EXPORT void peer_step(PeerWorld *world);

/* Writes the states of the bodies that are not fixed, in the order of peer_add. */
PEER_EXPORT void peer_states(PeerWorld *world, PeerState *states);

/* Contact points of the last step, or -1: the engine does not report them. */
PEER_EXPORT long peer_contacts(PeerWorld *world);

#ifdef __cplusplus
}
#endif

#endif
