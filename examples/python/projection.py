# %% [markdown]
# # A pendulum that keeps its length, or not
#
# J. Chen, A. Schinner and H.-G. Matuttis (Static Friction, Differential Algebraic Systems and Numerical Stability,
# section 2) integrate a pendulum in Cartesian coordinates: Runge-Kutta's method for the accelerations of their equation
# (18), and after each step projections of position (22)-(23) and velocity (24)-(25) back onto the constraint. Here are
# their four combinations, beside a rod of drystone.
#
#     python projection.py [picture.png] [steps]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import JointDef, JointKind, Settings, World

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "projection.png"
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000  # steps
STEPS = 0.1, 0.01  # [s]
GRAVITY = np.array([0.0, -9.81])  # [m/s^2]; mass 1 kg, length 1 m
# whether position and velocity are projected
CASES = {"none": (False, False), "position": (True, False), "velocity": (False, True), "both": (True, True)}

# %% [markdown]
# ## The paper's integrator
# All combinations and both step lengths at once: one row each. The multiplier follows from (12), whose velocities are
# those of the stage. A projection scales a place to the rod's length, and takes from a velocity its part along the rod.


# %%
def dot(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The scalar products of all rows."""
    return one[:, :1] * other[:, :1] + one[:, 1:] * other[:, 1:]


def acceleration(place: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Of a mass of 1 kg: gravity, and the force along the rod that (18) asks for."""
    return GRAVITY - place * ((dot(place, np.broadcast_to(GRAVITY, place.shape)) + dot(speed, speed)) / dot(place, place))


def runge_kutta(place: np.ndarray, speed: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One step of the classical method of fourth order."""
    v1, a1 = speed, acceleration(place, speed)
    v2 = speed + 0.5 * h * a1
    a2 = acceleration(place + 0.5 * h * v1, v2)
    v3 = speed + 0.5 * h * a2
    a3 = acceleration(place + 0.5 * h * v2, v3)
    v4 = speed + h * a3
    a4 = acceleration(place + h * v3, v4)
    return place + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4), speed + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


def integrate() -> tuple[np.ndarray, np.ndarray]:
    """Errors of length [m] and energies [J], of shape (steps + 1, step lengths, combinations)."""
    h = np.repeat(STEPS, len(CASES))[:, None]
    on_place, on_speed = (np.tile(each, len(STEPS))[:, None] for each in np.array(list(CASES.values())).T)
    place, speed = np.tile([1.0, 0.0], (len(h), 1)), np.zeros((len(h), 2))
    lengths, energies = np.empty((2, COUNT + 1, len(h)))
    for at in range(COUNT + 1):
        lengths[at] = np.sqrt(dot(place, place))[:, 0]
        energies[at] = (0.5 * dot(speed, speed) - place @ GRAVITY[:, None])[:, 0]
        place, speed = runge_kutta(place, speed, h)
        place = np.where(on_place, place / np.sqrt(dot(place, place)), place)
        speed = np.where(on_speed, speed - place * (dot(place, speed) / dot(place, place)), speed)
    shape = COUNT + 1, len(STEPS), len(CASES)
    return np.abs(lengths - 1).reshape(shape), energies.reshape(shape)


with np.errstate(all="ignore"):  # what blows up overflows
    lengths, energies = integrate()

# %% [markdown]
# ## The same pendulum as a joint
# A mass on a rod: a distance joint with two equal lengths. Its constraint is aimed at the end of the step, which keeps
# the length without taking energy, and a position pass undoes what round-off leaves.


# %%
def rod(step: float) -> tuple[np.ndarray, np.ndarray]:
    """Errors of length [m] and energies [J] of a rod of drystone, of shape (steps + 1,)."""
    world = World(settings=Settings(tolerance=1e-13), gravity=(GRAVITY[0], 0, GRAVITY[1]))
    mass = world.add_body(shape=world.sphere(0.05), mass=1, position=(1, 0, 0))
    joint = JointDef(kind=JointKind.DISTANCE, body_b=mass)
    world.add_joint(world.place_joint_points(joint, (0, 0, 0), (1, 0, 0)))
    state, places, speeds = np.empty(1, drystone.BODY_STATE_DTYPE), *np.zeros((2, COUNT + 1, 3))
    places[0] = 1, 0, 0
    for at in range(1, COUNT + 1):
        world.step(step)
        world.states(out=state)
        places[at], speeds[at] = state["position"][0], state["linear_velocity"][0]
    length = np.sqrt((places**2).sum(axis=1))
    return np.abs(length - 1), 0.5 * (speeds**2).sum(axis=1) - places[:, 2] * GRAVITY[1]


def blown_up(length: np.ndarray, energy: np.ndarray) -> int:
    """The first step whose length is off by a kilometre or whose energy by a megajoule; 0: none."""
    return int((~(length < 1e3) | ~(np.abs(energy) < 1e6)).argmax())


rods = [rod(step) for step in STEPS]
motions = {
    step: {name: (lengths[:, k, case], energies[:, k, case]) for case, name in enumerate(CASES)} | {"drystone": rods[k]}
    for k, step in enumerate(STEPS)
}
print(f"drystone {drystone.version()}: a pendulum of 1 kg and 1 m from 90 degrees, {COUNT} steps")
for step, motion in motions.items():
    print(f"step {step} s    largest error of length, last energy error")
    for name, (length, energy) in motion.items():
        end = f"blows up at step {blown_up(length, energy)}"
        if not blown_up(length, energy):
            end = f"{length.max():.1e} m {energy[-1]:12.1e} J"
        print(f"  {'projects ' + name if name in CASES else 'a rod of drystone':19} {end}")
for step, (length, energy) in zip(STEPS, rods):
    halves = [np.abs(half).max() for half in np.array_split(energy, 2)]
    print(f"energy of the rod at {step} s: within {halves[0]:.4f} J in the first half, {halves[1]:.4f} J in the second")

# %% [markdown]
# ## The picture
# The largest errors up to each step, of those that blow up until they do.

# %%
COLOURS = {"none": "#999999", "position": "#c9a227", "velocity": "#4c8c4a", "both": "#b5472f", "drystone": "#3b518b"}
figure, rows = plt.subplots(2, 2, figsize=(10, 6.5), layout="constrained", sharex=True, sharey="row")
shown = np.unique(np.geomspace(1, COUNT, 400).astype(int))
for (above, below), (step, motion) in zip(rows.T, motions.items()):
    above.set_title(f"step {step} s")
    for name, (length, energy) in motion.items():
        style = {"color": COLOURS[name], "linewidth": 2.5 if name == "drystone" else 1.5}
        until = shown[shown < (blown_up(length, energy) or COUNT + 1)]
        for axes, error in ((above, length), (below, np.abs(energy))):
            worst = np.maximum.accumulate(error[: until[-1] + 1])[until]
            label = "rod of drystone" if name == "drystone" else f"projection: {name}"
            axes.loglog(until, np.maximum(worst, 1e-17), **style, label=label)
            if until[-1] < COUNT:
                axes.plot(until[-1], min(worst[-1], 1e2), "x", color=COLOURS[name], markersize=9, markeredgewidth=2)
    below.set_xlabel("step")
rows[0, 0].set(ylabel="error of the length [m]", ylim=(1e-17, 1e3))
rows[1, 0].set(ylabel="error of the energy [J]", ylim=(1e-10, 1e3))
for axes in rows.flat:
    axes.grid(color="#e4e4e0", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
figure.legend(*rows[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=5, frameon=False, fontsize=9)
figure.suptitle("Largest errors so far of a pendulum; a cross: blown up", size=11)
figure.savefig(PICTURE, dpi=80)
print(f"picture: {PICTURE}")

# %%
kept = all(length.max() < 1e-13 for length, _ in rods)
bounded = all(np.abs(energy).max() < bound for (_, energy), bound in zip(rods, (1.8, 0.14)))
level = all(np.abs(energy).max() < 1.05 * np.abs(energy[: COUNT // 2]).max() for _, energy in rods)
both = all(motions[step]["both"][0].max() < 1e-15 for step in STEPS)
# what another implementation of the paper's integrator gave: steps of blowing up, and energies after 100 000 steps [J]
steps = [blown_up(*motions[0.1][name]) for name in ("none", "position")]
as_known = [abs(step - known) <= 2 for step, known in zip(steps, (110, 165))]
if COUNT >= 100_000:
    losses = [motions[step]["both"][1][100_000] for step in STEPS]
    as_known += [abs(loss / known - 1) < 0.02 for loss, known in zip(losses, (-9.2, -1.6e-4))]
drifting = motions[0.1]["velocity"][0][-1] > 1e-4 and not any(blown_up(*motions[h]["velocity"]) for h in STEPS)
sys.exit(
    0 if kept and bounded and level and both and all(as_known) and drifting else "a pendulum does not behave as it should"
)
