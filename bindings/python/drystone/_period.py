"""The period of a world that was read from a snapshot. The library does not return it."""

from __future__ import annotations

import numpy as np

from ._arrays import Numbers

SAMPLE = np.array([0.7123, 0.8456, 0.9789])
"""Lengths of a box whose bytes occur once in a snapshot."""


def period_of(snapshot: bytes, sample: bytes) -> Numbers:
    """The lengths of the box of a snapshot, (3,) [m].

    sample: a snapshot of a world with the box `SAMPLE`. The lengths stand before all data whose size differs between worlds, hence at
        the same place in both.
    """
    return np.frombuffer(snapshot, np.float64, 3, sample.index(SAMPLE.tobytes())).copy()
