"""A NURBS grain that comes to rest on an elastic floor by the theta method: examples/c/grain.c in Python."""

from __future__ import annotations

import numpy as np

import drystone

POINTS = 9
STIFFNESS = 1e6
GRAVITY = 9.81


def main() -> None:
    # theta: 0.5 keeps the energy, 1 damps most
    settings = drystone.Settings(method=drystone.Method.THETA, theta=0.7)
    with drystone.World(settings=settings, gravity=(0.0, -GRAVITY, 0.0)) as world:
        # of grain and floor in series, at each contact point [N/m]
        material = world.add_material(friction=0.5, normal_stiffness=2.0 * STIFFNESS)
        world.add_body(kind=drystone.BodyKind.STATIC, shape=world.half_space((0, 1, 0), 0.0), material=material)

        # every third point is nearer to the middle: the curve is not convex there
        angles = 2.0 * np.pi * np.arange(POINTS) / POINTS
        radii = np.where(np.arange(POINTS) % 3 == 1, 0.25, 0.5)
        points = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
        curve = world.nurbs_curve(points, range(POINTS + 1))  # cubic, periodic, a prism 1 m long
        grain = world.add_body(shape=curve, material=material, lock=drystone.Lock.PLANAR, position=(0.0, 1.0, 0.0))

        for _ in range(2400):
            world.step(1.0 / 240.0)
        contacts, state = world.contacts(), world.state(grain)
        print(f"weight {world.mass(grain).mass * GRAVITY:.6f}\ncontacts {len(contacts)}")
        print(f"contacts_carry {sum(contacts['normal_force']):.6f}")
        print(f"stiffness_times_overlap {-STIFFNESS * sum(contacts['gap']):.6f}")
        print(f"height {state.position[1]:.6f}")
        print(f"turned_by_degrees {np.degrees(2.0 * np.arctan2(state.rotation[2], state.rotation[3])):.3f}")


if __name__ == "__main__":
    main()
