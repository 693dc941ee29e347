"""Setting up and analysing grains: sizes, packings, sources, statistics and tables, with numpy alone.

    import drystone
    from drystone import granular

    diameters = granular.sizes.log_normal(0.02, 0.2, 0.01, 0.04).sample(500, seed=1)
    centres = granular.packings.random_box((0, 0, 0), (0.5, 0.5, 0.5), diameters, seed=1)

Modules:
    sizes: size distributions, exact samples, sieve curves.
    packings: places without overlap: lattices, random clouds in boxes, cylinders and meshes, dense clouds by growth, layers.
    fields: density, velocity and stress on grids, means over time, profiles.
    statistics: coordination, fabric, forces, packing fraction, inertial number.
    tables: grains as text.

`Emitter` is a source of grains, and `Obstacles` are what its grains must not overlap. `import drystone` alone does not load this sub-package. Units are SI.
Randomness comes from a seed: the same seed gives the same bits, as long as numpy's PCG64 and the functions of its Generator do.
"""

from __future__ import annotations

from . import fields, packings, sizes, statistics, tables
from ._emitter import Emitter
from ._free import Obstacles

__all__ = ["Emitter", "Obstacles", "fields", "packings", "sizes", "statistics", "tables"]
