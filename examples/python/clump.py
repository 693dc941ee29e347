"""A dumbbell, a clump of two balls and a bar, that comes to rest on ice: examples/c/clump.c in Python."""

from __future__ import annotations

import numpy as np

import drystone
from drystone import ClumpPart

GRAVITY = 9.81


def main() -> None:
    with drystone.World(gravity=(0.0, 0.0, -GRAVITY)) as world:
        ice = world.add_material(friction=0.0)
        world.add_body(kind=drystone.BodyKind.STATIC, shape=world.half_space((0, 0, 1), 0.0), material=ice)
        parts = [
            ClumpPart(shape=world.sphere(0.3), position=(-0.5, 0.0, 0.0)),
            ClumpPart(shape=world.sphere(0.2), position=(0.5, 0.0, 0.0)),
            ClumpPart(shape=world.box((0.5, 0.08, 0.08))),  # it reaches into both balls
        ]
        clump = world.clump(parts)
        for part in parts:
            world.remove_shape(part.shape)  # the clump has copies
        whole = world.mass_properties(clump)
        dumbbell = world.add_body(shape=clump, material=ice, position=(0.0, 0.0, 0.5))

        for _ in range(480):
            world.step(1.0 / 240.0)
        contacts, state = world.contacts(), world.state(dumbbell)
        is_large = contacts["point"][:, 0] < state.position[0]
        print(f"volume {whole.volume:.6f}\ncenter_of_mass {whole.center_of_mass[0]:.6f}")
        print(f"weight {world.mass(dumbbell).mass * GRAVITY:.6f}\ncontacts {len(contacts)}")
        print(f"on_large_ball {sum(contacts['normal_force'][is_large]):.6f}")
        print(f"on_small_ball {sum(contacts['normal_force'][~is_large]):.6f}")
        print(f"leaning_degrees {np.degrees(2.0 * np.arctan2(state.rotation[1], state.rotation[3])):.2f}")


if __name__ == "__main__":
    main()
