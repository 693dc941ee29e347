"""A semicircular arch of 16 voussoirs, and the acceleration at which it falls: examples/c/arch.c in Python."""

from __future__ import annotations

import numpy as np

import drystone

VOUSSOIRS = 16
GRAVITY = 9.81


def corners_between(start: float, end: float) -> np.ndarray:
    """The corners of a voussoir between two angles, in the axes of the world, so that its body is at the origin."""
    # the thickness is a fifth of the radius [m]
    corners = [(r * np.cos(a), y, r * np.sin(a)) for y in (-0.5, 0.5) for r in (0.9, 1.1) for a in (start, end)]
    return np.array(corners)


def main() -> None:
    # what is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 1000 kg/m^3
    with drystone.World() as world:
        material = world.add_material(friction=0.8)
        abutment = world.box((0.2, 0.5, 0.1))
        for x in (1.0, -1.0):
            world.add_body(kind=drystone.BodyKind.STATIC, shape=abutment, material=material, position=(x, 0.0, -0.1))
        angles = np.pi * np.arange(VOUSSOIRS + 1) / VOUSSOIRS
        for start, end in zip(angles, angles[1:]):
            world.add_body(shape=world.hull(corners_between(start, end)), material=material)
        last = world.bodies()[-1]  # the last voussoir, beside the abutment
        loads = np.zeros((VOUSSOIRS + 2, 6))
        loads[2:, 0] = world.mass(last).mass * GRAVITY

        report, _ = world.solve_static(tolerance=1e-9)
        if report.flags:
            raise SystemExit("the arch does not stand")
        print(f"weight_of_a_voussoir {loads[-1, 0]:.6f}")
        print(f"contacts_carry {world.body_force(last).force[2]:.6f}")
        report, moves = world.limit_load(loads, tolerance=1e-9)
        print(f"falls_at_acceleration_over_g {report.load_factor:.6f}")
        print(f"slides {bool(drystone.StaticFlag.SLIDING_MECHANISM & report.flags):d}")
        # Between two voussoirs that turn apart there is a hinge. Abutments do not turn.
        turns = np.concatenate(([0.0], moves[2:, 4], [0.0]))
        for hinge in np.flatnonzero(np.abs(np.diff(turns)) > 1e-6):
            print(f"hinge_at_degrees {180 * hinge / VOUSSOIRS:.2f}")


if __name__ == "__main__":
    main()
