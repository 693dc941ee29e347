/*
 * ODE's joints, solved by drystone: what each holds stays held, what it leaves free moves as in closed form,
 * and its feedback is the weight that it carries.
 */
#include "check.h"

static dWorldID world;
static dJointFeedback carried;
static const double MASS = 2, WEIGHT = 2 * 9.81, INERTIA = 2 / 6.0; /* of a cube of 1 m */

/* The feedback and velocities are sums of a few numbers of this size: hundreds of roundings of them. */
static const double EXACT = 1e-11;

static void begin(dReal gravity) {
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -gravity);
}

static dBodyID cube(dReal x, dReal y, dReal z) {
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&mass, MASS, 1, 1, 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x, y, z);
    return body;
}

static dJointID with_feedback(dJointID joint) {
    dJointSetFeedback(joint, &carried);
    return joint;
}

static void run(int steps) {
    for (int k = 0; k < steps; ++k)
        if (!dWorldQuickStep(world, STEP)) refused("a step", 1, "no step should fail");
}

/*
 * How long a body takes from x > 0 at rest to where x changes its sign: a quarter of its period. A step moves
 * the body by the speed of its end, so that all is half a step early; of the second order 1e-5 is left.
 */
static double quarter(dBodyID body) {
    for (int k = 1; k < 2000; ++k) {
        const double before = dBodyGetPosition(body)[0];
        run(1);
        const double after = dBodyGetPosition(body)[0];
        if (after <= 0) return STEP * (k + 0.5 - after / (after - before));
    }
    return INFINITY;
}

static double distance(const dReal *a, const dReal *b) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void ball(void) {
    begin(GRAVITY);
    const dBodyID body = cube(1, 2, 3);
    const dJointID joint = with_feedback(dJointCreateBall(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetBallAnchor(joint, 1, 2, 3);
    dBodySetAngularVel(body, 1, 2, 3);
    run(240);
    const dReal place[3] = {1, 2, 3};
    check("ball, held at its centre: way of the centre [m]", distance(dBodyGetPosition(body), place), 0,
          EXACT);
    check_vector("ball: spin is free [rad/s]", dBodyGetAngularVel(body), 1, 2, 3, EXACT);
    check_vector("ball: force [N]", carried.f1, 0, 0, WEIGHT, 1e-9);
    dWorldDestroy(world);

    /* 2 m below its anchor a cube swings as a pendulum of I = m (1/6 + 4) */
    begin(GRAVITY);
    const dBodyID swinging = cube(2 * sin(0.01), 0, -2 * cos(0.01));
    const dJointID pendulum = dJointCreateBall(world, 0);
    dJointAttach(pendulum, swinging, 0);
    dJointSetBallAnchor(pendulum, 0, 0, 0);
    check("ball: a quarter of the period [s]", quarter(swinging),
          M_PI / 2 * sqrt((1 / 6.0 + 4) / (GRAVITY * 2)), 2e-5);
    dVector3 a, b;
    dJointGetBallAnchor(pendulum, a);
    dJointGetBallAnchor2(pendulum, b);
    /* a step goes along the tangent: h^2 v^2 / 2 r, of which ERP leaves some steps' worth */
    check("ball: gap of the anchors [m]", distance(a, b), 0, 1e-6);
    dWorldDestroy(world);
}

static void slider(void) {
    const double slope = 0.3;
    begin(GRAVITY);
    const dBodyID body = cube(0, 0, 5);
    const dJointID joint = with_feedback(dJointCreateSlider(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetSliderAxis(joint, cos(slope), 0, -sin(slope));
    dBodySetAngularVel(body, 1, 2, 3);
    run(240);
    const double speed = GRAVITY * sin(slope);
    check_vector("slider: speed after 1 s [m/s]", dBodyGetLinearVel(body), speed * cos(slope), 0,
                 -speed * sin(slope), EXACT);
    check_vector("slider: spin is held [rad/s]", dBodyGetAngularVel(body), 0, 0, 0, EXACT);
    /* the speed of the end of each of 240 steps */
    check("slider: way after 1 s [m]", fabs(dJointGetSliderPosition(joint)), speed * STEP * 241 / 2, 1e-9);
    const double across = WEIGHT * cos(slope);
    check_vector("slider: force [N]", carried.f1, across * sin(slope), 0, across * cos(slope), 1e-9);
    dWorldDestroy(world);
}

static void universal(void) {
    begin(GRAVITY);
    const dBodyID body = cube(1, 2, 3);
    const dJointID joint = with_feedback(dJointCreateUniversal(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetUniversalAnchor(joint, 1, 2, 3);
    dJointSetUniversalAxis1(joint, 1, 0, 0);
    dJointSetUniversalAxis2(joint, 0, 1, 0);
    dBodySetAngularVel(body, 1, 2, 3);
    run(1);
    check_vector("universal: spin about two axes is free [rad/s]", dBodyGetAngularVel(body), 1, 2, 0, EXACT);
    run(239);
    dVector3 one, two;
    dJointGetUniversalAxis1(joint, one);
    dJointGetUniversalAxis2(joint, two);
    /* in a step the axes turn by 0.01; what is of the second order is undone in a few */
    check("universal: cosine of the angle of its axes [-]", dDOT(one, two), 0, 1e-3);
    const dReal place[3] = {1, 2, 3};
    check("universal: way of the anchor [m]", distance(dBodyGetPosition(body), place), 0, EXACT);
    check_vector("universal: force [N]", carried.f1, 0, 0, WEIGHT, 1e-9);
    dWorldDestroy(world);
}

static void hinge2(void) {
    const double k = 1000, d = 200;
    const dVector3 up = {0, 0, 1, 0}, axle = {0, 1, 0, 0};
    begin(GRAVITY);
    const dBodyID chassis = cube(0, 0, 2), wheel = cube(0, 0, 1);
    dBodySetKinematic(chassis);
    const dJointID joint = with_feedback(dJointCreateHinge2(world, 0));
    dJointAttach(joint, chassis, wheel);
    dJointSetHinge2Anchor(joint, 0, 0, 1);
    dJointSetHinge2Axes(joint, up, axle);
    dJointSetHinge2Param(joint, dParamSuspensionERP, STEP * k / (STEP * k + d));
    dJointSetHinge2Param(joint, dParamSuspensionCFM, 1 / (STEP * k + d));
    dBodySetLinearVel(wheel, 1, 1, 0);
    dBodySetAngularVel(wheel, 1, 7, 0);
    /* its slow mode falls as exp(-5 t) */
    run(1920);
    check_vector("hinge-2: place on its spring [m]", dBodyGetPosition(wheel), 0, 0, 1 - WEIGHT / k, 1e-9);
    check_vector("hinge-2: spin about the axle is free [rad/s]", dBodyGetAngularVel(wheel), 0, 7, 0, 1e-9);
    check_vector("hinge-2: force on the wheel [N]", carried.f2, 0, 0, WEIGHT, 1e-6);
    check_vector("hinge-2: force on the chassis [N]", carried.f1, 0, 0, -WEIGHT, 1e-6);
    dWorldDestroy(world);
}

static void fixed(void) {
    dJointFeedback outer;
    begin(GRAVITY);
    const dBodyID inner_cube = cube(0, 0, 5), outer_cube = cube(1, 0, 5);
    const dJointID wall = with_feedback(dJointCreateFixed(world, 0)), between = dJointCreateFixed(world, 0);
    dJointAttach(wall, inner_cube, 0);
    dJointSetFixed(wall);
    dJointAttach(between, outer_cube, inner_cube);
    dJointSetFixed(between);
    dJointSetFeedback(between, &outer);
    run(480);
    const dReal place[3] = {1, 0, 5};
    check("fixed: way of the outer cube [m]", distance(dBodyGetPosition(outer_cube), place), 0, EXACT);
    check_vector("fixed: force of the wall [N]", carried.f1, 0, 0, 2 * WEIGHT, 1e-9);
    /* the outer weight a metre away turns about +y; the wall turns back */
    check_vector("fixed: torque of the wall [N m]", carried.t1, 0, -WEIGHT, 0, 1e-9);
    check_vector("fixed: force on the outer cube [N]", outer.f1, 0, 0, WEIGHT, 1e-9);
    check_vector("fixed: force on the inner cube [N]", outer.f2, 0, 0, -WEIGHT, 1e-9);
    dWorldDestroy(world);
}

static void angular_motor(void) {
    begin(0);
    const dBodyID body = cube(0, 0, 0);
    const dJointID joint = with_feedback(dJointCreateAMotor(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetAMotorNumAxes(joint, 1);
    dJointSetAMotorAxis(joint, 0, 0, 0, 0, 1);
    dJointSetAMotorParam(joint, dParamVel, 2);
    dJointSetAMotorParam(joint, dParamFMax, 0.5);
    dBodySetAngularVel(body, 1, 0, 0);
    run(24);
    check_vector("angular motor: spin after 0.1 s of 0.5 N m [rad/s]", dBodyGetAngularVel(body), 1, 0,
                 0.05 / INERTIA, EXACT);
    check_vector("angular motor: torque [N m]", carried.t1, 0, 0, 0.5, 1e-9);
    run(480);
    check_vector("angular motor: spin in the end [rad/s]", dBodyGetAngularVel(body), 1, 0, 2, EXACT);
    dWorldDestroy(world);

    begin(0);
    const dBodyID held = cube(0, 0, 0);
    const dJointID euler = with_feedback(dJointCreateAMotor(world, 0));
    dJointAttach(euler, held, 0);
    dJointSetAMotorMode(euler, dAMotorEuler);
    dJointSetAMotorAxis(euler, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(euler, 2, 2, 0, 0, 1);
    for (int k = 0; k < 3; ++k) {
        dJointSetAMotorParam(euler, dParamLoStop + k * dParamGroup, 0);
        dJointSetAMotorParam(euler, dParamHiStop + k * dParamGroup, 0);
    }
    for (int n = 0; n < 240; ++n) {
        dBodyAddTorque(held, 1, 2, 3);
        run(1);
    }
    check_vector("angular motor, Euler: spin at its stops [rad/s]", dBodyGetAngularVel(held), 0, 0, 0, EXACT);
    check_vector("angular motor, Euler: torque of its stops [N m]", carried.t1, -1, -2, -3, 1e-9);
    dWorldDestroy(world);
}

static void linear_motor(void) {
    begin(0);
    const dBodyID body = cube(0, 0, 0);
    const dJointID joint = with_feedback(dJointCreateLMotor(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetLMotorNumAxes(joint, 1);
    dJointSetLMotorAxis(joint, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(joint, dParamVel, 3);
    dJointSetLMotorParam(joint, dParamFMax, 4);
    dBodySetLinearVel(body, 0, 1, 0);
    run(120);
    check_vector("linear motor: speed after 0.5 s of 4 N [m/s]", dBodyGetLinearVel(body), 1, 1, 0, EXACT);
    check_vector("linear motor: force [N]", carried.f1, 4, 0, 0, 1e-9);
    run(480);
    check_vector("linear motor: speed in the end [m/s]", dBodyGetLinearVel(body), 3, 1, 0, EXACT);
    dWorldDestroy(world);
}

static void plane(void) {
    begin(GRAVITY);
    const dBodyID body = cube(0, 0, 0);
    const dJointID joint = with_feedback(dJointCreatePlane2D(world, 0));
    dJointAttach(joint, body, 0);
    dBodySetLinearVel(body, 1, 2, 3);
    dBodySetAngularVel(body, 1, 2, 3);
    run(240);
    check_vector("plane-2D: place after 1 s [m]", dBodyGetPosition(body), 1, 2, 0, 1e-9);
    check_vector("plane-2D: spin [rad/s]", dBodyGetAngularVel(body), 0, 0, 3, EXACT);
    check_vector("plane-2D: force [N]", carried.f1, 0, 0, WEIGHT, 1e-9);
    dJointSetPlane2DXParam(joint, dParamVel, 0);
    dJointSetPlane2DXParam(joint, dParamFMax, 4);
    run(60);
    check_vector("plane-2D: speed after 0.25 s of a brake of 4 N [m/s]", dBodyGetLinearVel(body), 0.5, 2, 0,
                 EXACT);
    dWorldDestroy(world);
}

static void double_ball(void) {
    begin(GRAVITY);
    const dBodyID body = cube(0, 0, -2);
    const dJointID joint = with_feedback(dJointCreateDBall(world, 0));
    dJointAttach(joint, body, 0);
    dJointSetDBallAnchor1(joint, 0, 0, -2);
    dJointSetDBallAnchor2(joint, 0, 0, 0);
    dBodySetAngularVel(body, 1, 2, 3);
    run(240);
    check_vector("double ball: place [m]", dBodyGetPosition(body), 0, 0, -2, EXACT);
    check_vector("double ball: spin is free [rad/s]", dBodyGetAngularVel(body), 1, 2, 3, EXACT);
    check_vector("double ball: force [N]", carried.f1, 0, 0, WEIGHT, 1e-9);
    dBodySetAngularVel(body, 0, 0, 0);
    /* held at its centre a body swings as a point does */
    dBodySetPosition(body, 2 * sin(0.01), 0, -2 * cos(0.01));
    check("double ball: a quarter of the period [s]", quarter(body), M_PI / 2 * sqrt(2 / GRAVITY), 2e-5);
    const dReal anchor[3] = {0, 0, 0};
    check("double ball: distance [m]", distance(dBodyGetPosition(body), anchor), 2, 1e-6);
    dWorldDestroy(world);
}

int main(void) {
    dInitODE2(0);
    ball();
    slider();
    universal();
    hinge2();
    fixed();
    angular_motor();
    linear_motor();
    plane();
    double_ball();
    dCloseODE();
    printf("%d failed\n", failures);
    return failures != 0;
}
