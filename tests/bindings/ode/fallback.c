/*
 * Joints that the adapter has no rows for. ODE's own solver steps what is connected with them and gives the same
 * bits as ODE alone. drystone solves the rest of the world. ODE's message function receives one message.
 */
#include "check.h"

#include <stdarg.h>

/* ODE's own, past the adapter */
#undef dWorldStep
#undef dWorldQuickStep
#undef dJointCreateHinge
static const struct stepper {
    const char *name;
    int (*own)(dWorldID, dReal), (*with_drystone)(dWorldID, dReal);
} STEPPERS[] = {{"dWorldQuickStep", dWorldQuickStep, dry_ode_world_quick_step},
                {"dWorldStep", dWorldStep, dry_ode_world_step}};
static dJointID strange_hinge(dWorldID world, dJointGroupID group) { return dJointCreateHinge(world, group); }

static int messages;
static char message[256];
static void receive(int number, const char *text, va_list values) {
    (void)number;
    messages++;
    vsnprintf(message, sizeof message, text, values);
}

enum { BOXES = 3, MAX_CONTACTS = 8 };

/* Box 0 hangs on a joint, box 1 lies on it, box 2 rests on the floor far away or, alone, falls far from it. */
struct scene {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID boxes[BOXES];
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

static struct scene begin(double height) {
    const double places[BOXES][2] = {{0, 5}, {0.2, 5.9999}, {10, height}};
    struct scene scene = {dWorldCreate(), dSimpleSpaceCreate(0), dJointGroupCreate(0), {0}};
    dWorldSetGravity(scene.world, 0, 0, -GRAVITY);
    dCreatePlane(scene.space, 0, 0, 1, 0);
    for (int k = 0; k < BOXES; ++k) {
        dMass mass;
        scene.boxes[k] = dBodyCreate(scene.world);
        dMassSetBoxTotal(&mass, 100, 1, 1, 1);
        dBodySetMass(scene.boxes[k], &mass);
        dBodySetPosition(scene.boxes[k], places[k][0], 0, places[k][1]);
        dGeomSetBody(dCreateBox(scene.space, 1, 1, 1), scene.boxes[k]);
    }
    return scene;
}

static void end(struct scene *scene) {
    dJointGroupDestroy(scene->contacts);
    dSpaceDestroy(scene->space);
    dWorldDestroy(scene->world);
}

/* Answers how many steps of 60 failed. */
static int run(struct scene *scene, int (*step)(dWorldID, dReal)) {
    int bad = 0;
    dRandSetSeed(7); /* dWorldQuickStep shuffles its rows, island by island */
    for (int k = 0; k < 60; ++k) {
        dJointGroupEmpty(scene->contacts);
        dSpaceCollide(scene->space, scene, touch);
        bad += step(scene->world, STEP) == 0;
    }
    return bad;
}

static int same_place(const struct scene *a, const struct scene *b, int box) {
    return memcmp(dBodyGetPosition(a->boxes[box]), dBodyGetPosition(b->boxes[box]), 3 * sizeof(dReal)) == 0;
}

static void hang_double_hinge(dBodyID body, dJointID joint) {
    dJointAttach(joint, body, 0);
    dJointSetDHingeAnchor1(joint, 0, 0, 5);
    dJointSetDHingeAnchor2(joint, 0.5, 0, 7);
    dJointSetDHingeAxis(joint, 0, 1, 0);
}

static void hang_transmission(dWorldID world, dBodyID body, dJointID joint) {
    const dJointID hinge = dJointCreateHinge2(world, 0); /* one that the adapter has rows for, in the same island */
    const dBodyID wheel = dBodyCreate(world);
    dBodySetPosition(wheel, 0, 1, 5);
    dJointAttach(hinge, body, wheel);
    dJointSetHinge2Anchor(hinge, 0, 1, 5);
    const dVector3 up = {0, 0, 1, 0}, across = {0, 1, 0, 0};
    dJointSetHinge2Axes(hinge, up, across);
    dJointAttach(joint, body, wheel);
    dJointSetTransmissionMode(joint, dTransmissionParallelAxes);
    dJointSetTransmissionRatio(joint, 1);
    dJointSetTransmissionAnchor1(joint, 0, 0, 5);
    dJointSetTransmissionAnchor2(joint, 0, 1, 5);
    dJointSetTransmissionAxis(joint, 0, 1, 0);
}

static const struct kind {
    const char *name, *says;
    dJointID (*create)(dWorldID, dJointGroupID);
} KINDS[] = {
    {"PR", "a PR joint is not offered", dJointCreatePR},
    {"PU", "a PU joint is not offered", dJointCreatePU},
    {"piston", "a piston joint is not offered", dJointCreatePiston},
    {"double hinge", "a double hinge joint is not offered", dJointCreateDHinge},
    {"transmission", "a transmission joint is not offered", dJointCreateTransmission},
    {"fixed, never set", "a fixed joint was attached, but never set", dJointCreateFixed},
    {"hinge past the header", "a hinge joint was made by a file that does not include drystone_ode.h", strange_hinge},
};

/* Hangs box 0 on such a joint and steps the world; answers how many steps failed. */
static int hang(struct scene *scene, const struct kind *kind, int (*step)(dWorldID, dReal), dJointFeedback *feedback) {
    const dJointID joint = kind->create(scene->world, 0);
    const dJointType type = dJointGetType(joint);
    if (type == dJointTypeTransmission) hang_transmission(scene->world, scene->boxes[0], joint);
    else if (type == dJointTypeDHinge) hang_double_hinge(scene->boxes[0], joint);
    else dJointAttach(joint, scene->boxes[0], 0);
    dJointSetFeedback(joint, feedback);
    return run(scene, step);
}

static void left_to_ode(const struct kind *kind, const struct stepper *stepper) {
    struct scene own = begin(1000), mixed = begin(0.5), none = begin(0.5);
    dJointFeedback feedback[2];
    memset(feedback, 0, sizeof feedback);
    printf("-- %s, %s\n", kind->name, stepper->name);
    hang(&own, kind, stepper->own, &feedback[0]);
    messages = 0;
    check("steps that fail", hang(&mixed, kind, stepper->with_drystone, &feedback[1]), 0, 0);
    check("messages", messages, 1, 0);
    say(strstr(message, kind->says) != NULL, "the message");
    puts(message);
    check("the hanging box as with ODE alone: the same bits", same_place(&own, &mixed, 0), 1, 0);
    check("the box on it, too", same_place(&own, &mixed, 1), 1, 0);
    check("the joint's feedback, too", memcmp(&feedback[0], &feedback[1], sizeof feedback[0]), 0, 0);
    run(&none, stepper->with_drystone);
    check("the third box as without the joint: the same bits", same_place(&none, &mixed, 2), 1, 0);
    end(&own);
    end(&mixed);
    end(&none);
}

static void said_once(void) {
    struct scene scene = begin(0.5);
    const double place = dBodyGetPosition(scene.boxes[2])[2];
    dBodySetLinearVel(scene.boxes[2], NAN, 0, 0);
    messages = 0;
    check("steps that fail", run(&scene, dry_ode_world_quick_step), 60, 0);
    check("messages", messages, 1, 0);
    say(strstr(message, "does not move") != NULL && strstr(message, "velocity") != NULL, "the message");
    puts(message);
    check("height [m]", dBodyGetPosition(scene.boxes[2])[2], place, 0);
    end(&scene);
}

int main(void) {
    dInitODE2(0);
    dSetMessageHandler(receive);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; ++i)
        for (int k = 0; k < 2; ++k) left_to_ode(&KINDS[i], &STEPPERS[k]);
    said_once();
    dCloseODE();
    printf("%d failed\n", failures);
    return failures != 0;
}
