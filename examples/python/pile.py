"""A pile of 91 spheres, stepped for two seconds, and what can be known of it.

The examples in the other languages make the same calls in the same order, and print the same numbers.

    pip install drystone    # the wheel that `make wheel` builds
    python pile.py
"""

import drystone
from drystone import BodyKind

GRAVITY = 9.81


def main() -> None:
    # what is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 50 sweeps, 1000 kg/m^3
    with drystone.World() as world:
        ground = world.half_space((0.0, 0.0, 1.0), 0.0)
        ball = world.sphere(0.1)
        # without rolling friction the pile would roll apart
        material = world.add_material(friction=0.5, rolling_friction=0.2)
        bottom = world.add_body(kind=BodyKind.STATIC, shape=ground, material=material)
        spheres = 0
        for k in range(6):
            for i in range(6 - k):
                for j in range(6 - k):
                    x, y = (i - (5 - k) * 0.5) * 0.21, (j - (5 - k) * 0.5) * 0.21
                    sphere = world.add_body(shape=ball, material=material, position=(x, y, 0.1 + k * 0.17))
                    spheres += 1
        for _ in range(480):
            world.step(1.0 / 240.0)

        contacts = world.contacts()
        states = world.states()  # as they were added: the floor is the first
        weight = spheres * world.mass(sphere).mass * GRAVITY
        print(f"contacts {len(contacts)}")
        print(f"floor_over_weight {-world.body_force(bottom).force[2] / weight:.12e}")
        print(f"largest_normal_force {contacts['normal_force'].max():.12e}")
        print(f"kinetic_energy {world.energy().kinetic:.12e}")
        print(f"highest_centre {states['position'][1:, 2].max():.12e}")
        print(f"hash {world.hash():016x}")


main()
