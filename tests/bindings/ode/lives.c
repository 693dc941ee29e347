/*
 * What comes and goes between steps: bodies, geoms, joints, worlds; steps that fail and what follows them;
 * worlds in two threads at once.
 */
#include "check.h"

#include <pthread.h>
#include <stdlib.h>

enum { BOXES = 3, MAX_CONTACTS = 8 };

/* Three boxes, one on the other, on a floor; the uppermost hangs out and falls. A fourth one swings. */
struct scene {
    dThreadingImplementationID threading; /* its own: ODE's default is for one thread */
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dGeomID floor, geoms[BOXES];
    dBodyID boxes[BOXES], swinging;
    dJointID hinge;
};

static void touch(void *data, dGeomID a, dGeomID b) {
    const struct scene *scene = data;
    dContact contact[MAX_CONTACTS];
    memset(contact, 0, sizeof contact);
    const int count = dCollide(a, b, MAX_CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; ++i) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.5;
        const dJointID joint = dJointCreateContact(scene->world, scene->contacts, &contact[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID box(struct scene *scene, double mass, double x, double z) {
    dMass m;
    const dBodyID body = dBodyCreate(scene->world);
    dMassSetBoxTotal(&m, mass, 1, 1, 1);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, 0, z);
    return body;
}

static struct scene begin(void) {
    struct scene scene;
    scene.world = dWorldCreate();
    scene.threading = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(scene.world, dThreadingImplementationGetFunctions(scene.threading),
                                         scene.threading);
    scene.space = dSimpleSpaceCreate(0);
    scene.contacts = dJointGroupCreate(0);
    dWorldSetGravity(scene.world, 0, 0, -GRAVITY);
    scene.floor = dCreatePlane(scene.space, 0, 0, 1, 0);
    for (int k = 0; k < BOXES; ++k) {
        scene.boxes[k] = box(&scene, 100 * (k + 1), k < 2 ? 0 : 0.6, 0.5 + k);
        scene.geoms[k] = dCreateBox(scene.space, 1, 1, 1);
        dGeomSetBody(scene.geoms[k], scene.boxes[k]);
    }
    scene.swinging = box(&scene, 5, 10, 10);
    scene.hinge = dJointCreateHinge(scene.world, 0);
    dJointAttach(scene.hinge, scene.swinging, 0);
    dJointSetHingeAnchor(scene.hinge, 9, 0, 10);
    dJointSetHingeAxis(scene.hinge, 0, 1, 0);
    return scene;
}

static int advance(struct scene *scene) {
    dJointGroupEmpty(scene->contacts);
    dSpaceCollide(scene->space, scene, touch);
    return dWorldQuickStep(scene->world, STEP);
}

static int run(struct scene *scene, int steps) {
    int good = 1;
    for (int k = 0; k < steps; ++k) good &= advance(scene);
    return good;
}

static void end(struct scene *scene) {
    dJointGroupDestroy(scene->contacts);
    dSpaceDestroy(scene->space);
    dWorldDestroy(scene->world);
    dThreadingFreeImplementation(scene->threading);
}

/* Places and turns of all bodies, to the last bit. */
struct state {
    dReal numbers[BOXES + 1][7];
};

static struct state state_of(const struct scene *scene) {
    struct state state;
    for (int k = 0; k <= BOXES; ++k) {
        const dBodyID body = k < BOXES ? scene->boxes[k] : scene->swinging;
        memcpy(state.numbers[k], dBodyGetPosition(body), 3 * sizeof(dReal));
        memcpy(state.numbers[k] + 3, dBodyGetQuaternion(body), 4 * sizeof(dReal));
    }
    return state;
}

static void check_same(const char *what, const struct state *a, const struct state *b) {
    say(memcmp(a, b, sizeof *a) == 0, what);
    printf("%.17g and %.17g\n", (double)a->numbers[BOXES - 1][0], (double)b->numbers[BOXES - 1][0]);
}

static void bodies_end(void) {
    struct scene scene = begin();
    check("steps before a body ends", run(&scene, 20), 1, 0);
    /* while its contacts are still there */
    dBodyDestroy(scene.boxes[1]);
    check("a step with contacts of a body that is gone", dWorldQuickStep(scene.world, STEP), 1, 0);
    dGeomDestroy(scene.geoms[1]);
    const double height = dBodyGetPosition(scene.boxes[2])[2], speed = dBodyGetLinearVel(scene.boxes[2])[2];
    check("steps after it", run(&scene, 24), 1, 0);
    /* 24 steps, each by the speed of its end */
    check("the box above it falls [m]", dBodyGetPosition(scene.boxes[2])[2],
          height + 24 * STEP * speed - GRAVITY * STEP * STEP * 24 * 25 / 2, 1e-9);
    check("the box below it stays [m]", dBodyGetPosition(scene.boxes[0])[2], 0.5, 1e-4);
    /* while its hinge is still there */
    dBodyDestroy(scene.swinging);
    check("steps with the hinge of a body that is gone", run(&scene, 10), 1, 0);
    end(&scene);
}

static void joints_end(void) {
    struct scene scene = begin();
    check("steps before a joint ends", run(&scene, 20), 1, 0);
    dJointDestroy(scene.hinge);
    const double height = dBodyGetPosition(scene.swinging)[2], speed = dBodyGetLinearVel(scene.swinging)[2];
    check("steps after it", run(&scene, 24), 1, 0);
    check("what hung on it falls [m]", dBodyGetPosition(scene.swinging)[2],
          height + 24 * STEP * speed - GRAVITY * STEP * STEP * 24 * 25 / 2, 1e-9);

    /* a joint of a group ends with it; the same group goes on */
    const dJointGroupID group = dJointGroupCreate(0);
    for (int k = 0; k < 3; ++k) {
        const dJointID ball = dJointCreateBall(scene.world, group);
        dJointAttach(ball, scene.swinging, 0);
        dJointSetBallAnchor(ball, 10, 0, 10);
        check("a step with a joint of a group", advance(&scene), 1, 0);
        dJointGroupEmpty(group);
        check("a step after its end", advance(&scene), 1, 0);
    }
    dJointGroupDestroy(group);
    end(&scene);
}

/* Of the three boxes: their height [m] and its speed [m/s], as of one body. */
static double mean(const struct scene *scene, const dReal *(*of)(dBodyID)) {
    double sum = 0;
    for (int k = 0; k < BOXES; ++k) sum += 100 * (k + 1) * of(scene->boxes[k])[2];
    return sum / 600;
}

static void geoms_end(void) {
    struct scene scene = begin();
    check("steps before the floor ends", run(&scene, 20), 1, 0);
    const double height = mean(&scene, dBodyGetPosition), speed = mean(&scene, dBodyGetLinearVel);
    dGeomDestroy(scene.floor);
    check("steps after it", run(&scene, 24), 1, 0);
    check("the boxes fall as one [m]", mean(&scene, dBodyGetPosition),
          height + 24 * STEP * speed - GRAVITY * STEP * STEP * 24 * 25 / 2, 1e-9);
    end(&scene);
}

static void worlds_end(void) {
    struct state first;
    for (int k = 0; k < 3; ++k) {
        struct scene scene = begin();
        check("steps of a new world", run(&scene, 60), 1, 0);
        const struct state state = state_of(&scene);
        if (k == 0) first = state;
        else check_same("a world after the end of another: the same bits", &first, &state);
        end(&scene);
    }
}

static void failing_steps(void) {
    struct scene first = begin(), other = begin();
    check("steps", run(&first, 60) && run(&other, 30), 1, 0);
    const struct state before = state_of(&other);

    const dVector3 speed = {dBodyGetLinearVel(other.boxes[2])[0], dBodyGetLinearVel(other.boxes[2])[1],
                            dBodyGetLinearVel(other.boxes[2])[2], 0};
    dBodySetLinearVel(other.boxes[2], NAN, 0, 0);
    refused("a body at a speed that is no number", advance(&other), "velocity");
    const struct state after = state_of(&other);
    check_same("what failed changed nothing", &before, &after);
    dBodySetLinearVel(other.boxes[2], speed[0], speed[1], speed[2]);

    refused("a step of -1 s", dWorldStep(other.world, -1), "step");
    refused("a step of no world", dry_ode_step(0, STEP) == DRY_OK, "world");

    check("steps after the causes are gone", run(&other, 30), 1, 0);
    const struct state a = state_of(&first), b = state_of(&other);
    check_same("as if nothing had failed: the same bits", &a, &b);
    end(&first);
    end(&other);
}

static void *stepped(void *result) {
    dAllocateODEDataForThread(dAllocateMaskAll);
    struct scene scene = begin();
    const int good = run(&scene, 480);
    *(struct state *)result = state_of(&scene);
    end(&scene);
    dCleanupODEAllDataForThread();
    return good ? result : NULL;
}

static void threads(void) {
    struct state alone, together[2];
    check("a world of this thread", stepped(&alone) != NULL, 1, 0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    pthread_t workers[2];
    for (int k = 0; k < 2; ++k)
        if (pthread_create(&workers[k], NULL, stepped, &together[k]) != 0) abort();
    for (int k = 0; k < 2; ++k) {
        void *good;
        pthread_join(workers[k], &good);
        check("a world of a thread beside another", good != NULL, 1, 0);
        check_same("the same bits as alone", &alone, &together[k]);
    }
}

int main(void) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    bodies_end();
    joints_end();
    geoms_end();
    worlds_end();
    failing_steps();
    threads();
    dCloseODE();
    printf("%d failed\n", failures);
    return failures != 0;
}
