/*
 * 1000 kg on 1 kg, as a program of ODE's writes it. With drystone_ode.h instead of ode/ode.h it holds.
 */
#ifdef WITH_DRYSTONE
#include <drystone_ode.h>
#else
#include <ode/ode.h>
#endif
#include <stdio.h>
#include <string.h>

static dWorldID world;
static dSpaceID space;
static dJointGroupID contacts;

static void touch(void *data, dGeomID a, dGeomID b) {
    dContact contact[8];
    (void)data;
    memset(contact, 0, sizeof contact);
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; ++i) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dBodyID cube(double kilograms, double height) {
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&mass, kilograms, 1, 1, 1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0, 0, height);
    dGeomSetBody(dCreateBox(space, 1, 1, 1), body);
    return body;
}

int main(void) {
    dInitODE2(0);
    world = dWorldCreate();
    space = dHashSpaceCreate(0);
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dCreatePlane(space, 0, 0, 1, 0);
    cube(1, 0.5);
    const dBodyID above = cube(1000, 1.5);
    for (int step = 0; step < 1200; ++step) {
        dJointGroupEmpty(contacts);
        dSpaceCollide(space, 0, touch);
        if (!dWorldQuickStep(world, 1.0 / 240)) return 1;
    }
    printf("1000 kg on 1 kg: the upper box is at %.3f m\n", (double)dBodyGetPosition(above)[2]);
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
