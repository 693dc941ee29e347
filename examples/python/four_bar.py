# %% [markdown]
# # A four-bar linkage
#
# Three rods and the ground, held together by four hinges, fall under gravity. In space this closed loop has 20 locked
# axes for 18 coordinates, and yet it moves: three of its conditions say what others say already. The crank's angle is set
# beside an integration with one minimal coordinate.
#
#     python four_bar.py [picture.png]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import Settings, World
from planar import FIXED, angle_of, direction, hinge, rod

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "four_bar.png"
CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.8, 0.6, 0.7  # [m]
MASSES = 1.0, 2.0, 1.5  # of crank, coupler and rocker [kg]
START = np.radians(60)  # of the crank, from x
GRAVITY = 9.81  # [m/s^2]
TRACER = np.array([0.0, 0.25])  # a point of the coupler, from its middle: along it and across it [m]
DURATION = 5.0  # [s]
REFERENCE = {0.25: 0.2625141, 0.5: -1.0999376, 1.0: -4.0974649}  # crank angle by minimal coordinates [rad]

# %% [markdown]
# ## The linkage
# The crank turns about the origin, the rocker about a point of x. Where the other two ends of crank and rocker are, a
# triangle says. The loop starts closed, so its hinges have nothing to pull together.


# %%
def corners(angle: float) -> np.ndarray:
    """The four hinges as (x, z): ground, crank and coupler, coupler and rocker, ground. The loop is not crossed."""
    ground, first = np.array([GROUND, 0.0]), CRANK * direction(np.array(angle))
    across = ground - first
    distance = np.hypot(*across)
    along = (COUPLER**2 - ROCKER**2 + distance**2) / (2 * distance)
    height = np.sqrt(COUPLER**2 - along**2)
    unit = across / distance
    second = first + along * unit + height * np.array([-unit[1], unit[0]])
    return np.stack([np.zeros(2), first, second, ground])


def linkage() -> tuple[World, list, list]:
    """A world with three rods and four hinges, the hinge of the crank first."""
    world = World(settings=Settings(tolerance=1e-13), gravity=(0, 0, -GRAVITY))
    points = corners(START)
    rods = [rod(world, mass, *ends) for mass, ends in zip(MASSES, zip(points[:3], points[1:]))]
    pairs = zip([FIXED, *rods], [*rods, FIXED])
    return world, rods, [hinge(world, a, b, point) for (a, b), point in zip(pairs, points)]


# %% [markdown]
# ## Five seconds at two step lengths
# The angle at the ends of the steps has an error of first order in the step. What two lengths say together has one of
# second.


# %%
def run(step: float) -> dict[str, np.ndarray]:
    """The motion at the ends of all steps."""
    world, rods, hinges = linkage()
    count = round(DURATION / step)
    angle, error, energy = np.full(count + 1, START), np.zeros(count + 1), np.zeros(count + 1)
    states = np.empty((count + 1, 3), drystone.BODY_STATE_DTYPE)
    first = world.joint_state(hinges[0]).position[5]
    for at in range(count + 1):
        if at > 0:
            world.step(step)
        joints = world.joint_states(hinges)
        angle[at] = START + joints["position"][0, 5] - first
        error[at] = max(joints["linear_error"].max(), joints["angular_error"].max())
        energy[at] = sum(world.energy())
        states[at] = world.states(rods)
    return {"angle": angle, "error": error, "energy": energy, "states": states, "time": step * np.arange(count + 1)}


coarse, fine = run(5e-3), run(2.5e-3)
print(f"drystone {drystone.version()}: a four-bar linkage, {len(fine['time']) - 1} steps of 2.5 ms")
off = {}
for time, expected in REFERENCE.items():
    extrapolated = 2 * fine["angle"][round(time / 2.5e-3)] - coarse["angle"][round(time / 5e-3)]
    off[time] = abs(extrapolated - expected)
    print(f"crank at {time:4.2f} s: {extrapolated:10.6f} rad, minimal coordinates {expected:10.6f}, apart {off[time]:.1e}")

# the scale of the energy: what goes from height to motion and back
swing = GRAVITY * np.ptp(fine["states"]["position"][..., 2] @ np.array(MASSES))
drift = {name: (each["energy"] - each["energy"][0]) / swing for name, each in (("5 ms", coarse), ("2.5 ms", fine))}
early, late = (np.abs(part).max() for part in np.array_split(drift["2.5 ms"], 2))
outside = np.abs(fine["states"]["position"][..., 1]).max()
print(f"hinges open by at most {fine['error'].max():.1e} m or rad, the rods leave their plane by {outside:.1e} m")
print(f"energy off by at most {early:.1e} of {swing:.1f} J in the first half, {late:.1e} in the second")
print(f"the crank swings from {np.degrees(fine['angle'].max()):.1f} to {np.degrees(fine['angle'].min()):.1f} degrees")

# %% [markdown]
# ## The picture

# %%
middle, tilt = fine["states"]["position"][..., [0, 2]], angle_of(fine["states"]["rotation"])
along = direction(tilt)
across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
half = 0.5 * np.array([CRANK, COUPLER, ROCKER])[:, None]
starts, ends = middle - half * along, middle + half * along
tracer = middle[:, 1] + TRACER[0] * along[:, 1] + TRACER[1] * across[:, 1]
COLOURS = {"crank": "#b5472f", "coupler": "#3b518b", "rocker": "#4c8c4a"}

figure = plt.figure(figsize=(11, 6.2), layout="constrained")
grid = figure.add_gridspec(3, 2, width_ratios=[1.25, 1])
plane = figure.add_subplot(grid[:, 0])
plane.plot(*tracer.T, color="#c9a227", linewidth=1, label="a point of the coupler")
plane.plot(*ends[:, 0].T, color=COLOURS["crank"], linewidth=0.6, alpha=0.6)
plane.plot(*ends[:, 1].T, color=COLOURS["rocker"], linewidth=0.6, alpha=0.6)
for at, strength in zip((300, 200, 100, 0), (0.25, 0.4, 0.6, 1.0)):
    for bar, (name, colour) in enumerate(COLOURS.items()):
        line = np.stack([starts[at, bar], ends[at, bar]]).T
        plane.plot(*line, color=colour, alpha=strength, linewidth=4, solid_capstyle="round", label=name if at == 0 else None)
    plane.fill(*np.stack([starts[at, 1], ends[at, 1], tracer[at]]).T, color=COLOURS["coupler"], alpha=0.15 * strength)
    plane.plot(*tracer[at], "o", color="#c9a227", markersize=5, alpha=strength)
    plane.plot(*np.concatenate([starts[at], ends[at]]).T, "o", color="white", markeredgecolor="#333333", markersize=4)
    plane.annotate(f"{2.5 * at / 1000:.2f} s", tracer[at], xytext=(-6, 7), textcoords="offset points", ha="right", size=9)
plane.plot([0, GROUND], [0, 0], "^", color="#333333", markersize=11, zorder=0)
plane.set(
    xlabel="x [m]",
    ylabel="z [m]",
    aspect="equal",
    ylim=(-0.35, 0.74),
    title="Positions, and the path of a point of the coupler",
)
plane.legend(loc="upper center", bbox_to_anchor=(0.5, -0.09), ncols=4, frameon=False)

angles, errors, energies = (figure.add_subplot(grid[row, 1]) for row in range(3))
angles.plot(fine["time"], fine["angle"], color=COLOURS["crank"], label="simulated, 2.5 ms")
angles.plot(REFERENCE.keys(), REFERENCE.values(), "k+", markersize=9, label="minimal coordinates")
angles.set(ylabel="crank [rad]", title="Angle of the crank")
errors.semilogy(fine["time"][1:], np.maximum(fine["error"][1:], 1e-18), color="#3b518b", linewidth=0.6)
errors.set(ylabel="opening [m], [rad]", title="Largest error of the four hinges", ylim=(1e-18, 1e-13))
for (name, each), run_of, colour in zip(drift.items(), (coarse, fine), ("#bbbbbb", "#4c8c4a")):
    energies.plot(run_of["time"], 100 * each, color=colour, linewidth=0.9, label=name)
energies.set(ylabel="error [%]", xlabel="time [s]", title=f"Energy, in parts of the {swing:.1f} J that a swing exchanges")
for axes, room in ((angles, (-4.5, 3.2)), (energies, (-1.8, 3.0))):
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
    axes.set_ylim(room)
for axes in (angles, errors, energies):
    axes.spines[["top", "right"]].set_visible(False)
    axes.title.set_size(10)
figure.savefig(PICTURE, dpi=80)
print(f"picture: {PICTURE}")

# %%
matches = all(each < 6e-4 for each in off.values())
closed = fine["error"].max() < 1e-13 and outside < 1e-12
steady = late < 1.2 * early
sys.exit(0 if matches and closed and steady else "the linkage is not where it should be, open, or its energy drifts")
