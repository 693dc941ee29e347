/*
 * What the adapter for ODE makes of contacts, against closed forms; and what it refuses.
 */
#include "check.h"

/* A box of 1 m and 1000 kg on the plane z = 0, and the surface of its contacts. */
static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;
static dBodyID box;
static dGeomID geom;
static dSurfaceParameters surface;
static dJointFeedback feedback[8];
static int touching;

static void touch(void *data, dGeomID a, dGeomID b) {
    dContact contact[8];
    (void)data;
    memset(contact, 0, sizeof contact);
    touching = dCollide(a, b, 8, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < touching; ++i) {
        contact[i].surface = surface;
        contact[i].fdir1[0] = 1;
        const dJointID joint = dJointCreateContact(world, contacts, &contact[i]);
        dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
        dJointSetFeedback(joint, &feedback[i]);
    }
}

static void begin(dReal height) {
    dMass mass;
    world = dWorldCreate();
    space = dSimpleSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -GRAVITY);
    dCreatePlane(space, 0, 0, 1, 0);
    box = dBodyCreate(world);
    geom = dCreateBox(space, 1, 1, 1);
    dGeomSetBody(geom, box);
    dMassSetBoxTotal(&mass, 1000, 1, 1, 1);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0, 0, height);
    memset(&surface, 0, sizeof surface);
    surface.mode = dContactApprox1;
    surface.mu = 0.5;
}

static int advance(void) {
    dJointGroupEmpty(contacts);
    touching = 0;
    dSpaceCollide(space, 0, touch);
    return dWorldQuickStep(world, STEP);
}

static void end(void) {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
}

/* The force of the contacts on the box along an axis: it is body 1 of its joints or body 2. */
static double force(int axis) {
    double sum = 0;
    for (int i = 0; i < touching; ++i) {
        const dJointID joint = dBodyGetJoint(box, i);
        sum += dJointGetBody(joint, 0) == box ? feedback[i].f1[axis] : feedback[i].f2[axis];
    }
    return sum;
}

static void rest(void) {
    begin(0.5);
    for (int k = 0; k < 240; ++k) advance();
    /* the feedback is what changed the momentum: at rest the weight, to the round-off of 41 N s */
    check("weight at rest [N]", force(2), 1000 * GRAVITY, 1e-6);
    dReal place[3], turn[4];
    memcpy(place, dBodyGetPosition(box), sizeof place);
    memcpy(turn, dBodyGetQuaternion(box), sizeof turn);
    /* a third of what friction holds */
    for (int k = 0; k < 240; ++k) {
        dBodyAddForce(box, 1500, 0, 0);
        advance();
    }
    check_vector("place under a push that friction holds [m]", dBodyGetPosition(box), place[0], place[1],
                 place[2], 0);
    check("turn under it: bits that changed", memcmp(turn, dBodyGetQuaternion(box), sizeof turn) != 0, 0, 0);
    check("friction [N]", force(0), -1500, 1e-6);
    for (int k = 0; k < 24; ++k) {
        dBodyAddForce(box, 6000, 0, 0);
        advance();
    }
    /* friction takes mu of the normal impulse, which is the weight's and what the box gained upwards */
    const double lost = 0.5 * (0.1 * GRAVITY + dBodyGetLinearVel(box)[2]);
    check("speed after 0.1 s of more than that [m/s]", dBodyGetLinearVel(box)[0], 0.1 * 6 - lost, 1e-6);
    end();
}

static void rebound(void) {
    begin(0.5 + 1e-3);
    surface.mode |= dContactBounce;
    surface.bounce = 0.5;
    surface.bounce_vel = 0.01;
    dBodySetLinearVel(box, 0, 0, -2);
    double before = 0;
    for (int k = 0; k < 20; ++k) {
        const double down = dBodyGetLinearVel(box)[2];
        advance();
        if (down < 0 && dBodyGetLinearVel(box)[2] > 0) before = down;
        if (before < 0) break;
    }
    check("speed after over speed before the impact [-]", dBodyGetLinearVel(box)[2] / before, -0.5, 1e-9);
    end();
}

static void belt(void) {
    begin(0.5);
    surface.mode |= dContactMotion1 | dContactFDir1;
    surface.motion1 = 0.25;
    for (int k = 0; k < 240; ++k) advance();
    check("speed on a belt of 0.25 m/s", fabs(dBodyGetLinearVel(box)[0]), 0.25, 1e-6);
    end();
}

static void sliding(void) {
    begin(0.5);
    for (int k = 0; k < 60; ++k) advance();
    dBodySetLinearVel(box, 3, 0, 0);
    advance();
    const double fast = dBodyGetLinearVel(box)[0];
    for (int k = 0; k < 24; ++k) advance();
    /* 0.1 s of mu g; it tips forward by nothing, for mu is below half of width over height */
    check("speed lost in 0.1 s of sliding [m/s]", fast - dBodyGetLinearVel(box)[0], 0.1 * 0.5 * GRAVITY,
          1e-3);
    end();
}

static void spring(void) {
    /* k and d of each of the four corners, as ODE's manual turns them into ERP and CFM */
    const double k = 1e6, d = 1e4;
    begin(0.5);
    surface.mode |= dContactSoftERP | dContactSoftCFM;
    surface.soft_erp = STEP * k / (STEP * k + d);
    surface.soft_cfm = 1 / (STEP * k + d);
    for (int n = 0; n < 480; ++n) advance();
    check("depth on four springs [m]", 0.5 - dBodyGetPosition(box)[2], 1000 * GRAVITY / (4 * k), 1e-9);
    end();
}

static void slip(void) {
    begin(0.5);
    surface.mode |= dContactSlip1 | dContactSlip2;
    surface.slip1 = surface.slip2 = 1e-4;
    for (int n = 0; n < 480; ++n) {
        dBodyAddForceAtPos(box, 800, 0, 0, dBodyGetPosition(box)[0], 0, 0);
        advance();
    }
    /* four corners carry 200 N each */
    check("slip under 800 N [m/s]", dBodyGetLinearVel(box)[0], 1e-4 * 200, 1e-6);
    end();
}

static void grain(void) {
    begin(0.5);
    for (int n = 0; n < 60; ++n) advance();
    surface.mode |= dContactMu2 | dContactFDir1;
    surface.mu = 0;
    surface.mu2 = 0.5;
    dBodySetLinearVel(box, 1, 1, 0);
    for (int n = 0; n < 24; ++n) advance();
    check("speed along the smooth direction [m/s]", dBodyGetLinearVel(box)[0], 1, 1e-9);
    check("speed across it [m/s]", dBodyGetLinearVel(box)[1], 1 - 0.1 * 0.5 * GRAVITY, 1e-3);
    end();
}

static void rolling(void) {
    const double radius = 0.5, rho = 0.01;
    dMass mass;
    begin(0.5);
    dGeomDestroy(geom);
    geom = dCreateSphere(space, radius);
    dGeomSetBody(geom, box);
    dMassSetSphereTotal(&mass, 1000, radius);
    dBodySetMass(box, &mass);
    surface.mode |= dContactRolling;
    surface.rho = surface.rho2 = surface.rhoN = rho;
    dBodySetLinearVel(box, 1, 0, 0);
    dBodySetAngularVel(box, 0, 1 / radius, 0);
    for (int n = 0; n < 48; ++n) advance();
    const double before = dBodyGetLinearVel(box)[0];
    for (int n = 0; n < 48; ++n) advance();
    /* the torque rho N slows mass and spin: a = rho g / (r (1 + 2/5)) */
    check("rolling slows down by [m/s^2]", (before - dBodyGetLinearVel(box)[0]) / 0.2,
          rho * GRAVITY / (1.4 * radius), 1e-3);
    end();
}

static void hinge(void) {
    dJointFeedback carried;
    begin(5);
    const dJointID joint = dJointCreateHinge(world, 0);
    dJointAttach(joint, box, 0);
    dJointSetHingeAnchor(joint, 0, 0, 5);
    dJointSetHingeAxis(joint, 0, 1, 0);
    dJointSetFeedback(joint, &carried);
    dJointSetHingeParam(joint, dParamVel, 2);
    dJointSetHingeParam(joint, dParamFMax, 1e6);
    for (int n = 0; n < 60; ++n) advance();
    check("spin by a motor [rad/s]", fabs(dJointGetHingeAngleRate(joint)), 2, 1e-9);
    check("force of the hinge [N]", carried.f1[2], 1000 * GRAVITY, 1e-6);
    dJointSetHingeParam(joint, dParamHiStop, 1);
    dJointSetHingeParam(joint, dParamLoStop, -1);
    for (int n = 0; n < 240; ++n) advance();
    check("angle at its stop [rad]", fabs(dJointGetHingeAngle(joint)), 1, 1e-3);
    end();
}

static void refusals(void) {
    begin(0.5);
    surface.mu = NAN;
    refused("mu is NaN", advance(), "mu");
    check("height after the refusal", dBodyGetPosition(box)[2], 0.5, 0);
    surface.mu = 0.5;
    surface.mode = dContactApprox1 | 0x40000000;
    refused("a mode of no ODE", advance(), "mode");
    surface.mode = dContactApprox1;
    refused("a step of nothing", dWorldQuickStep(world, 0), "step");
    if (!advance()) failures++;
    end();
}

int main(void) {
    dInitODE2(0);
    rest();
    rebound();
    belt();
    sliding();
    spring();
    slip();
    grain();
    rolling();
    hinge();
    refusals();
    dCloseODE();
    printf("%d failed\n", failures);
    return failures != 0;
}
