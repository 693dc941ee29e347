# %% [markdown]
# # A slider crank
#
# A motor turns a crank at a constant speed. A connecting rod drives a piston, which a slider guides. Where the piston is
# follows from the crank's angle in closed form, and so does the torque of the motor: what it does in a step is the change
# of the energy.
#
#     python slider_crank.py [picture.png]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import JointDef, JointKind, JointMotor, Settings, World
from planar import FIXED, angle_of, direction, hinge, rod

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "slider_crank.png"
CRANK, ROD = 0.1, 0.3  # lengths [m]
CRANK_MASS, ROD_MASS, PISTON_MASS = 2.0, 1.5, 1.0  # [kg]
SPEED = 20.0  # of the crank [rad/s]
GRAVITY = 9.81  # [m/s^2]
TURNS = 3
CYLINDER = (1.0, 0.0, 0.0)  # the piston's direction

# %% [markdown]
# ## What must come out
# The piston is at `x = r cos q + sqrt(l^2 - r^2 sin^2 q)`. The speeds of all bodies are proportional to the crank's, so
# the kinetic energy is `J(q) q'^2 / 2`. At a constant speed the motor's torque is then `J'(q) q'^2 / 2 + V'(q)`.


# %%
def piston_at(angle: np.ndarray) -> np.ndarray:
    """The place of the piston along x [m]."""
    return CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)


def energy_at(angle: np.ndarray) -> np.ndarray:
    """Kinetic and potential energy at the motor's speed [J]."""
    sine, cosine = CRANK * np.sin(angle) / ROD, np.sqrt(1 - (CRANK * np.sin(angle) / ROD) ** 2)
    tilt = CRANK * np.cos(angle) / (ROD * cosine)  # turn of the connecting rod over that of the crank
    piston = -CRANK * np.sin(angle) - ROD * sine * tilt
    middle = np.stack([-CRANK * np.sin(angle) - 0.5 * ROD * sine * tilt, 0.5 * CRANK * np.cos(angle)])
    inertia = CRANK_MASS * CRANK**2 / 3 + PISTON_MASS * piston**2
    inertia += ROD_MASS * ((middle**2).sum(axis=0) + ROD**2 / 12 * tilt**2)
    height = 0.5 * CRANK * np.sin(angle)  # of the middle of the crank, and of the middle of the rod
    return 0.5 * inertia * SPEED**2 + (CRANK_MASS + ROD_MASS) * GRAVITY * height


def torque_at(angle: np.ndarray, turn: float = 1e-5) -> np.ndarray:
    """The motor's torque [N m]: the derivative of the energy by the angle, as central differences."""
    return (energy_at(angle + turn) - energy_at(angle - turn)) / (2 * turn)


# %% [markdown]
# ## The machine
# The crank starts along x, at the motor's speed. The first step makes the speeds of rod and piston fit, which costs an
# impulse.


# %%
def run(step: float) -> dict[str, np.ndarray]:
    """Angle, place of the piston, torque and energy at the ends of all steps, the torque as the mean of each step."""
    world = World(settings=Settings(tolerance=1e-13), gravity=(0, 0, -GRAVITY))
    pin, end = np.array([CRANK, 0.0]), np.array([CRANK + ROD, 0.0])
    crank, connecting = rod(world, CRANK_MASS, np.zeros(2), pin), rod(world, ROD_MASS, pin, end)
    piston = world.add_body(shape=world.box((0.03, 0.04, 0.03)), mass=PISTON_MASS, position=(end[0], 0, 0), filter_mask=0)
    drive = hinge(world, FIXED, crank, np.zeros(2))
    hinge(world, crank, connecting, pin)
    hinge(world, connecting, piston, end)
    guide = JointDef(kind=JointKind.SLIDER, body_b=piston)
    cylinder = world.add_joint(world.place_joint(guide, (end[0], 0, 0), CYLINDER))
    world.set_joint_axis(drive, 5, motor=JointMotor.VELOCITY, target_velocity=SPEED)

    bodies, rows = [crank, connecting, piston], []
    states = []
    for _ in range(round(TURNS * 2 * np.pi / SPEED / step) + 1):
        world.step(step)
        motor, guided = world.joint_state(drive), world.joint_state(cylinder)
        rows.append(
            (motor.position[5], end[0] + guided.position[2], motor.motor_force[5], sum(world.energy()), guided.force[2])
        )
        states.append(world.states(bodies))
    names = "angle", "piston", "torque", "energy", "side"
    motion = dict(zip(names, np.array(rows).T))
    return motion | {"states": np.array(states), "time": step * (1 + np.arange(len(rows)))}


def worst(motion: dict[str, np.ndarray], step: float) -> tuple[float, float, float]:
    """Largest differences: the piston's place [m], the torque [N m], the motor's work less the change of the energy [J]."""
    angle, torque = motion["angle"], motion["torque"]
    place = np.abs(motion["piston"] - piston_at(angle)).max()
    # the motion is that of forces at the starts of the steps
    force = torque[2:] - torque_at(angle[1:-1])
    work = np.cumsum(torque[1:] * np.diff(angle)) - (motion["energy"][1:] - motion["energy"][0])
    return place, np.abs(force).max(), np.abs(work).max()


STEPS = (1e-3, 5e-4, 2.5e-4)
runs = {step: run(step) for step in STEPS}
errors = {step: worst(motion, step) for step, motion in runs.items()}
finest = runs[STEPS[-1]]
print(f"drystone {drystone.version()}: a slider crank, {TURNS} turns at {SPEED:.0f} rad/s")
print(f"torque of the motor from {finest['torque'][2:].min():.2f} to {finest['torque'][2:].max():.2f} N m")
for step, (place, torque, work) in errors.items():
    print(
        f"step {1e3 * step:4.2f} ms: piston off by {place:.0e} m, torque by {torque:.1e} N m, work less energy {work:.1e} J"
    )
orders = [np.log2(errors[STEPS[0]][k] / errors[STEPS[-1]][k]) / 2 for k in (1, 2)]
print(f"order of the errors in the step: torque {orders[0]:.2f}, work {orders[1]:.2f}")

# %% [markdown]
# ## The picture

# %%
COLOURS = {"crank": "#b5472f", "connecting rod": "#3b518b", "piston": "#6a6a6a"}
middle, tilt = finest["states"]["position"][..., [0, 2]], angle_of(finest["states"]["rotation"])
half = 0.5 * np.array([CRANK, ROD])[:, None] * direction(tilt[:, :2])
ends = np.stack([middle[:, :2] - half, middle[:, :2] + half], axis=2)
turn = np.degrees(finest["angle"])

figure = plt.figure(figsize=(9, 8), layout="constrained")
grid = figure.add_gridspec(3, 2, height_ratios=[1.5, 1, 1])
plane = figure.add_subplot(grid[0, :])
per_turn = round(2 * np.pi / SPEED / STEPS[-1])
for at, strength in ((round(0.6 * per_turn), 0.3), (round(0.35 * per_turn), 0.5), (round(0.12 * per_turn), 1.0)):
    box = plt.Rectangle(middle[at, 2] - (0.03, 0.03), 0.06, 0.06, color=COLOURS["piston"], alpha=strength, linewidth=0)
    plane.add_patch(box).set_label("piston" if strength == 1 else None)
    for bar, name in enumerate(("crank", "connecting rod")):
        style = {"color": COLOURS[name], "alpha": strength, "label": name if strength == 1 else None}
        plane.plot(*ends[at, bar].T, linewidth=5, solid_capstyle="round", **style)
    plane.plot(*ends[at].reshape(-1, 2).T, "o", color="white", markeredgecolor="#333333", markersize=5)
    plane.annotate(f"{turn[at]:.0f}°", ends[at, 0, 1], xytext=(0, 7), textcoords="offset points", ha="center", size=9)
middles = middle[:per_turn, 1]
plane.plot(*middles.T, color="#c9a227", linewidth=1, label="path of the rod's middle")
for side in (-0.035, 0.035):
    plane.plot([0.15, 0.45], [side, side], color="#333333", linewidth=1.5)
plane.plot(0, 0, "^", color="#333333", markersize=12, zorder=0)
plane.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", ylim=(-0.12, 0.14), title=f"The crank turns at {SPEED:.0f} rad/s")
plane.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=4, frameon=False, fontsize=9)

places, torques, sides, lengths = (figure.add_subplot(grid[row, column]) for row in (1, 2) for column in (0, 1))
shown = np.linspace(0, turn[-1], 500)
places.plot(turn, finest["piston"], color="#6a6a6a", linewidth=3, alpha=0.5, label="simulated")
places.plot(shown, piston_at(np.radians(shown)), "k--", linewidth=0.8, label="closed form")
places.set(ylabel="x [m]", title="Place of the piston")
torques.plot(turn[2:], finest["torque"][2:], color=COLOURS["crank"], linewidth=3, alpha=0.5, label="simulated")
torques.plot(shown, torque_at(np.radians(shown)), "k--", linewidth=0.8, label="closed form")
torques.set(ylabel="torque [N m]", title="Torque of the motor")
sides.plot(turn[2:], finest["side"][2:], color="#6a6a6a")
sides.set(ylabel="force [N]", title="Vertical force of the cylinder on the piston")
lengths.loglog(
    [1e3 * step for step in STEPS], [errors[step][1] for step in STEPS], "o-", color=COLOURS["crank"], label="torque [N m]"
)
lengths.loglog([1e3 * step for step in STEPS], [errors[step][2] for step in STEPS], "s-", color="#3b518b", label="work [J]")
lengths.set(xlabel="step [ms]", ylabel="largest error", title="Errors against the step")
lengths.set_xticks([1e3 * step for step in STEPS], [f"{1e3 * step:g}" for step in STEPS])
lengths.minorticks_off()
lengths.legend(frameon=False, fontsize=8, loc="center right")
for axes in (places, torques):
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.3 * (high - low))
    axes.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)
for axes in (places, torques, sides):
    axes.set_xlabel("angle of the crank [°]")
    axes.set_xticks(range(0, 360 * TURNS + 1, 180))
for axes in (places, torques, sides, lengths):
    axes.spines[["top", "right"]].set_visible(False)
    axes.title.set_size(10)
figure.savefig(PICTURE, dpi=80)
print(f"picture: {PICTURE}")

# %%
placed = all(place < 1e-12 for place, _, _ in errors.values())
right = errors[STEPS[-1]][1] < 1e-3 * np.ptp(finest["torque"][2:]) and orders[0] > 1.9 and orders[1] > 0.9
sys.exit(0 if placed and right else "the piston or the torque of the motor differs from its closed form")
