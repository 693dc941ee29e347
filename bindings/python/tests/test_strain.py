"""Strained periodic boxes: a random cloud of grains is compressed from all sides to a pressure, as before a triaxial test."""

from __future__ import annotations

import numpy as np
import pytest

import drystone
from drystone import Method, Settings, World
from drystone.granular import packings

STEP = 1e-4


def stress(world: World) -> np.ndarray:
    """The mean stress of the whole box (3, 3) [Pa]: pressure is negative."""
    return np.asarray(world.stress((0, 0, 0), world.period)).reshape(3, 3)


def test_the_periods_follow_the_rates() -> None:
    with World(gravity=(0, 0, 0), period=(4, 0, 8)) as world:
        assert world.strain_rate.tolist() == [0, 0, 0]
        world.set_strain_rate((-0.5, 0, 0.25))
        world.step(0.5)
        assert (world.strain_rate.tolist(), world.period.tolist()) == ([-0.5, 0, 0.25], [3, 0, 9])
        with pytest.raises(drystone.ArgumentError, match=r"rates\[1\] is 1 1/s"):
            world.set_strain_rate((0, 1, 0))
        with pytest.raises(ValueError, match="rates is of shape"):
            world.set_strain_rate((0, 1))


def test_a_cloud_is_compressed_to_a_pressure() -> None:
    target, edge = 5e3, 0.1
    settings = Settings(method=Method.SPOOK, iterations=100, contact_margin=1e-4, diagnostics=1)
    with World(settings=settings, gravity=(0, 0, 0), period=(edge, edge, edge)) as world:
        diameters = np.random.default_rng(3).uniform(0.010, 0.016, 300)
        material = world.add_material(young_modulus=1e7, friction=0.3, restitution=0.2)
        places = packings.random_box((0, 0, 0), (edge, edge, edge), diameters, seed=1, gap=1e-4, periodic=True)
        rate, work = -1.0, 0.0
        for place, diameter in zip(places, diameters):
            # With these velocities the strain is homogeneous from the first step on.
            world.add_body(
                shape=world.sphere(diameter / 2),
                material=material,
                position=place,
                linear_velocity=rate * place,
                linear_damping=20,
                angular_damping=20,
            )
        for _ in range(12000):
            # Each side shrinks while the pressure on it is too low, and grows back where it is too high.
            pressures = -np.diag(stress(world))
            rates = rate * np.clip(1 - pressures / target, -0.05, 1)
            world.set_strain_rate(rates)
            report = world.step(STEP)
            work += report.wall_work
            if np.all(abs(pressures / target - 1) < 0.01) and report.kinetic_energy < 1e-3 * report.elastic_energy:
                break
        pressures = -np.diag(stress(world))
        assert pressures == pytest.approx(3 * [target], rel=0.02)
        # Closer than random clouds, and a little more than random close packing at most.
        solid = np.sum(np.pi / 6 * diameters**3) / np.prod(world.period)
        assert 0.55 < solid < 0.68
        # The box put in what is stored, and what friction and damping took.
        assert work > report.elastic_energy > 0
