# %% [markdown]
# # What a pyramid of spheres carries
#
# The cannonball pyramid of T. Olsen and K. Kamrin (Resolving Force Indeterminacy in Contact Dynamics Using Compatibility
# Conditions, section 8.2): frictionless spheres, the base fixed, each layer lifted a little over the one below and dropped.
# The pile is stepped to rest, then two force networks are drawn: the one that the sweeps happened to find, and of all that
# move the spheres alike the only one that stiff elastic spheres could carry. The same pile as `examples/c/pyramid.c`.
#
#     python pyramid.py [picture.png] [spheres along an edge of the base]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import EllipseCollection, LineCollection

import drystone
from drystone import BodyKind, Compatibility, Settings, Sweep, World

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "pyramid.png"
SIDE = int(sys.argv[2]) if len(sys.argv) > 2 else 20
RADIUS, DENSITY, GRAVITY = 1.25e-3, 2000.0, 9.81  # [m], [kg/m^3], [m/s^2]
LIFT = 0.05 * RADIUS  # of each layer above its place on the one below [m]
STEP = 1e-3  # [s]

# %% [markdown]
# ## The pile
# A layer has one sphere less along each edge than the one below, and lies in its hollows, higher by the diameter over sqrt 2.


# %%
def places(side: int) -> np.ndarray:
    """The centres of all spheres, layer by layer."""
    layers = []
    for layer in range(side):
        along = 2 * RADIUS * np.arange(side - layer) - (side - layer - 1) * RADIUS
        y, x = np.meshgrid(along, along, indexing="ij")
        layers.append(np.stack([x, y, np.full_like(x, layer * (np.sqrt(2) * RADIUS + LIFT))], axis=-1).reshape(-1, 3))
    return np.concatenate(layers)


settings = Settings(sweep=Sweep.SYMMETRIC, iterations=100, contact_margin=0.04 * RADIUS)
world = World(settings=settings, gravity=(0, 0, -GRAVITY))
slippery = world.add_material(friction=0.0, density=DENSITY)
spheres = drystone.body_defs(len(places(SIDE)), shape=world.sphere(RADIUS), material=slippery)
spheres["position"] = places(SIDE)
base = slice(0, SIDE * SIDE)
spheres["kind"][base] = BodyKind.STATIC
bodies = world.add_bodies(spheres)
print(f"drystone {drystone.version()}: a pyramid of {len(bodies)} spheres")

# %% [markdown]
# ## To rest
# No sphere is faster than 1e-8 m/s, ten steps in a row; gravity adds 1e-2 m/s in one.

# %%
states, quiet, steps = np.empty(len(bodies), drystone.BODY_STATE_DTYPE), 0, 0
while quiet < 10 and steps < 5000:
    report, steps = world.step(STEP), steps + 1
    fastest = np.linalg.norm(world.states(out=states)["linear_velocity"], axis=1).max()
    quiet = quiet + 1 if fastest < 1e-8 else 0
print(f"at rest after {steps} steps: {report.contacts} contacts, residual {report.residual_max:.1e} m/s")

# %% [markdown]
# ## The forces, as found and corrected
# One step more with the correction: the motion stays as it is, and every contact has a second, unique force.

# %%
world.configure(compatibility=Compatibility.HOOKE)
world.step(STEP)
states, contacts = world.states(), world.contacts()
a, b = (np.searchsorted(bodies, contacts[name]) for name in ("body_a", "body_b"))
weight = 4 / 3 * np.pi * RADIUS**3 * DENSITY * GRAVITY * (len(bodies) - SIDE * SIDE)


def load(force: np.ndarray) -> np.ndarray:
    """The vertical force on each sphere of the base, downwards positive: body b receives the force, body a its opposite."""
    vertical = force * contacts["normal"][:, 2]
    return (np.bincount(a, vertical, len(bodies)) - np.bincount(b, vertical, len(bodies)))[base].reshape(SIDE, SIDE)


def asymmetry(square: np.ndarray) -> float:
    """The largest difference between loads that the symmetries of the square make equal, over the largest load."""
    turned = [np.rot90(each, turns) for each in (square, square.T) for turns in range(4)]
    return max(np.abs(square - each).max() for each in turned) / np.abs(square).max()


networks = {"Classic": contacts["normal_force"], "Compatible": contacts["compatible_normal_force"]}
for name, force in networks.items():
    carried = load(force).sum() / weight
    print(f"{name}: largest force {1e3 * force.max():.4f} mN, base over weight {carried:.9f}, ", end="")
    print(f"asymmetry {asymmetry(load(force)):.1e}, {np.count_nonzero(force > 1e-6 * force.max())} contacts carry")

# %% [markdown]
# ## The picture
# Force chains in the cut along a diagonal of the base, where spheres meet in the plane; the vertical force on the base, from
# above; how many contacts carry how much.

# %%
position = states["position"]
in_cut = np.abs(position[:, 0] - position[:, 1]) < 0.5 * RADIUS
plane = np.stack([(position[:, 0] + position[:, 1]) / np.sqrt(2), position[:, 2]], axis=-1)
largest = max(force.max() for force in networks.values())
most = max(load(force).max() for force in networks.values())
colours = plt.get_cmap("viridis_r")


def discs(axes: plt.Axes, centres: np.ndarray, **style: object) -> EllipseCollection:
    """Spheres, seen from the side or from above."""
    size = np.full(len(centres), 2 * RADIUS)
    return axes.add_collection(
        EllipseCollection(size, size, 0 * size, units="xy", offsets=centres, transOffset=axes.transData, **style)
    )


figure, rows = plt.subplots(3, 2, figsize=(10, 11), height_ratios=[2.4, 3.6, 2], layout="constrained")
for (chains, pressure, histogram), (name, force) in zip(rows.T, networks.items()):
    chains.set_title(f"{name}\nlargest {1e3 * force.max():.3f} mN, base asymmetric by {asymmetry(load(force)):.1g}", size=11)
    pressure.set_title("Vertical force on the spheres of the base, from above", size=10)
    histogram.set_title("Load bearing contacts of the whole pile by force", size=10)
    discs(chains, plane[in_cut], facecolor="#f4f4f2", edgecolor="#dcdcd8", linewidth=0.5)
    drawn = in_cut[a] & in_cut[b] & (force > 1e-3 * largest)
    share = force[drawn] / largest
    ends = np.stack([plane[a[drawn]], plane[b[drawn]]], axis=1)
    lines = LineCollection(ends, colors=colours(share), linewidths=0.5 + 7 * share, capstyle="round")
    chains.add_collection(lines)
    above = discs(pressure, position[base, :2], array=load(force).ravel() * 1e3, cmap=colours, clim=(0, 1e3 * most))
    for axes in (chains, pressure):
        axes.autoscale_view()
        axes.set_aspect("equal")
        axes.axis("off")
    bearing = 1e3 * force[force > 1e-6 * force.max()]
    histogram.hist(bearing, bins=30, range=(0, 1e3 * largest), color="#3b518b", rwidth=0.9, log=True)
    histogram.set_xlabel("normal force of a contact [mN]")
    histogram.spines[["top", "right"]].set_visible(False)
scale = plt.cm.ScalarMappable(plt.Normalize(0, 1e3 * largest), colours)
figure.colorbar(scale, ax=rows[0], location="bottom", shrink=0.4, aspect=30, label="normal force of a contact [mN]")
figure.colorbar(above, ax=rows[1], location="bottom", shrink=0.4, aspect=30, label="vertical force on a base sphere [mN]")
rows[2, 0].set_ylabel("contacts")
rows[2, 1].sharey(rows[2, 0])
figure.suptitle(
    f"{len(bodies)} spheres at rest, and what their {len(contacts)} contacts carry\n"
    "force chains in the diagonal cut, seen from the side",
)
figure.savefig(PICTURE, dpi=100)
print(f"picture: {PICTURE}")

# %%
balanced = all(abs(load(force).sum() / weight - 1) < 1e-6 for force in networks.values())
sys.exit(0 if balanced and quiet == 10 else "the base does not carry the weight of the pile, or it is not at rest")
