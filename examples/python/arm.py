# %% [markdown]
# # A robot arm that grips, lifts and holds
#
# Four hinges with position motors carry a gripper of two sliders with force motors. It takes a box off the floor by
# friction alone, lifts it, turns, and holds it. What matters is whether the box creeps in the grip, and what the grip
# carries.
#
#     python arm.py [picture.png] [seconds of holding]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import Body, BodyKind, Joint, JointDef, JointKind, JointMotor, Settings, World
from planar import direction, hinge, rod

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "arm.png"
HOLD = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0  # [s]
GRAVITY, STEP = 9.81, 5e-3  # [m/s^2], [s]
SHOULDER, UPPER, FORE, HAND = 0.6, 0.5, 0.45, 0.08  # height; lengths [m]
REACH, LOW, HIGH = 0.6, 0.22, 0.55  # of the wrist: from the column, above the floor [m]
SIDE, BOX, FRICTION = 0.08, 1.0, 0.6  # of the box: edge [m], mass [kg]; friction of box and fingers [-]
GRIP, DRAG = 40.0, 4.0  # force of a finger's motor, dry friction of its slider [N]
FINGER = np.array([0.02, 0.01, 0.06])  # half its edges [m]
OPEN = 0.02  # between a finger and the box at first [m]
# motors of yaw, shoulder, elbow, wrist [N m/rad], and the inertia that each of them moves [kg m^2]
STIFFNESS, MOVED = np.array([4e4, 1e5, 4e4, 1e4]), np.array([2.0, 3.0, 1.0, 0.1])
# Sweeps meet the inertia of the whole arm. Many of them make the grip exact while it closes; held still, it takes few.
SETTINGS = Settings(iterations=2000, tolerance=1e-12)

# %% [markdown]
# ## Where the arm must be
# The wrist goes down, the fingers close, the wrist goes up, the column turns. The hand always points down.

# %%
DOWN, CLOSE, LIFT, TURN = (0.1, 0.9), (0.9, 1.5), (1.5, 2.4), (2.4, 3.6)  # when each begins and ends [s]
END = TURN[1] + HOLD


def smooth(time: float, span: tuple[float, float]) -> float:
    """From 0 to 1 over a span of time, without a jump of the acceleration."""
    s = float(np.clip((time - span[0]) / (span[1] - span[0]), 0, 1))
    return s**3 * (10 - 15 * s + 6 * s * s)


def angles(time: float) -> np.ndarray:
    """Yaw, and the angles of upper arm, forearm and hand from x towards z [rad]."""
    height = HIGH - (HIGH - LOW) * (smooth(time, DOWN) - smooth(time, LIFT))
    drop = height - SHOULDER
    distance = np.hypot(REACH, drop)
    bend = np.arccos((UPPER**2 + distance**2 - FORE**2) / (2 * UPPER * distance))
    upper = np.arctan2(drop, REACH) + bend
    fore = np.arctan2(drop - UPPER * np.sin(upper), REACH - UPPER * np.cos(upper))
    return np.array([0.5 * np.pi * smooth(time, TURN), upper, fore, -0.5 * np.pi])


def targets(time: float) -> np.ndarray:
    """What the four hinges must show: each counts from the link before it, and from the start."""
    turned_by = angles(time) - angles(0)
    return np.array([turned_by[0], turned_by[1], turned_by[2] - turned_by[1], turned_by[3] - turned_by[2]])


# %% [markdown]
# ## The arm


# %%
def links(world: World) -> tuple[list[Body], list[Joint]]:
    """Column, upper arm, forearm and hand, with a motor in each of their hinges."""
    _, upper, fore, _ = angles(0)
    points = [np.array([0.0, 0.0]), np.array([0.0, SHOULDER])]
    points.append(points[-1] + UPPER * direction(upper))
    points.append(points[-1] + FORE * direction(fore))
    points.append(points[-1] - (0, HAND))
    bodies = [rod(world, mass, *ends) for mass, ends in zip((20.0, 6.0, 4.0, 1.0), zip(points, points[1:]))]
    yaw = JointDef(kind=JointKind.HINGE, body_b=bodies[0])
    joints = [world.add_joint(world.place_joint(yaw, (0, 0, 0), (0, 0, 1)))]
    joints += [hinge(world, a, b, point) for a, b, point in zip(bodies, bodies[1:], points[1:])]
    for joint, stiffness, moved in zip(joints, STIFFNESS, MOVED):
        damping = 2 * np.sqrt(stiffness * moved)  # critical
        world.set_joint_axis(joint, 5, motor=JointMotor.POSITION, motor_stiffness=stiffness, motor_damping=damping)
    return bodies, joints


def gripper(world: World, hand: Body, material: int) -> tuple[list[Body], list[Joint]]:
    """Two fingers below the hand, one on either side of y, on sliders that count inwards."""
    bodies, joints = [], []
    bottom = HIGH - HAND - FINGER[2]
    for side in (1, -1):
        place = (REACH, side * (0.5 * SIDE + OPEN + FINGER[1]), bottom)
        bodies.append(world.add_body(shape=world.box(FINGER), mass=0.3, position=place, material=material))
        slide = JointDef(kind=JointKind.SLIDER, body_a=hand, body_b=bodies[-1])
        joints.append(world.add_joint(world.place_joint(slide, place, (0, -side, 0))))
        bounds = {"force_lower": -GRIP, "force_upper": GRIP}
        world.set_joint_axis(joints[-1], 2, motor=JointMotor.VELOCITY, friction=DRAG, **bounds)
    return bodies, joints


world = World(settings=SETTINGS, gravity=(0, 0, -GRAVITY))
material = world.add_material(friction=FRICTION)
floor = world.add_body(kind=BodyKind.STATIC, shape=world.half_space((0, 0, 1), 0), material=material)
arm, hinges = links(world)
fingers, sliders = gripper(world, arm[-1], material)
box = world.add_body(shape=world.box((0.5 * SIDE,) * 3), material=material, mass=BOX, position=(REACH, 0, 0.5 * SIDE))
bodies = [*arm, *fingers, box]


def load(finger: Body) -> tuple[float, float, float]:
    """What a finger gives the box: force onto its face, friction upwards, and friction over its bound [N], [N], [-]."""
    contacts = world.contacts()
    touching = contacts[(contacts["body_a"] == finger) | (contacts["body_b"] == finger)]
    onto_box = np.where(touching["body_b"] == box, 1.0, -1.0)
    normal, upwards = touching["normal_force"].sum(), onto_box @ touching["friction_force"][:, 2]
    total = np.linalg.norm(onto_box @ touching["friction_force"])
    return normal, upwards, total / (FRICTION * normal) if normal > 0 else 0.0


rows, states = [], []
for at in range(round(END / STEP)):
    before = STEP * at
    speeds = (targets(before + STEP) - targets(before - STEP)) / (2 * STEP)
    world.set_joint_targets(hinges, [5] * 4, positions=targets(before), velocities=speeds)
    if before >= CLOSE[0]:
        world.set_joint_targets(sliders, [2, 2], velocities=[0.05, 0.05])
    report = world.step(STEP)
    motors = world.joint_states(hinges)
    missed = np.abs(motors["position"][:, 5] - targets(before + STEP)).max()
    carried = world.body_force(box).force[2]
    grips = [number for finger in fingers for number in load(finger)]
    rows.append(
        (before + STEP, missed, report.residual_max, -world.body_force(floor).force[2], *grips, *motors["motor_force"][:, 5])
    )
    states.append(world.states(bodies))
data, states = np.array(rows), np.array(states)
time, missed, residual, on_floor = data[:, :4].T
normal, upwards, used, torque = data[:, 4:9:3], data[:, 5:10:3], data[:, 6:10:3], data[:, 10:]

# %% [markdown]
# ## Slip
# In the axes of the fingers: where the box is along their faces, and how it is turned.


# %%
def axes_of(rotation: np.ndarray) -> np.ndarray:
    """The body's axes in the columns of matrices, from quaternions."""
    v, w = rotation[..., :3], rotation[..., 3:, None]
    cross = np.cross(v[..., None, :], np.eye(3)).swapaxes(-1, -2)
    return (2 * w**2 - 1) * np.eye(3) + 2 * v[..., :, None] * v[..., None, :] + 2 * w * cross


def beside(name: str) -> np.ndarray:
    """Of the box less the mean of the fingers, in the axes of the first finger."""
    value = states[name][:, -1] - states[name][:, -3:-1].mean(axis=1)
    return np.einsum("tij,ti->tj", axes_of(states["rotation"][:, -3]), value)


place = beside("position")[:, [0, 2]]  # along the faces: sideways and along the fingers
relative = np.einsum("tki,tkj->tij", axes_of(states["rotation"][:, -3]), axes_of(states["rotation"][:, -1]))
gripped = time >= LIFT[0]
slip = np.where(gripped[:, None], place - place[np.argmax(gripped)], 0.0)
slip = np.linalg.norm(slip, axis=1)
holding = time > TURN[1] + 0.2  # the arm has come to rest
creep = np.linalg.norm(np.ptp(place[holding], axis=0))
tilt = np.einsum("tij,ij->t", relative[gripped], relative[np.argmax(gripped)])
tilt = np.arccos(np.clip(0.5 * (tilt[-1] - 1), -1, 1))
lifted = states["position"][-1, -1, 2] - 0.5 * SIDE
weight = BOX * GRAVITY
print(f"drystone {drystone.version()}: an arm of four hinges grips a box of {BOX:.0f} kg with {GRIP:.0f} N")
print(f"   {len(time)} steps of {1e3 * STEP:.1f} ms, residual at most {residual.max():.1e} m/s")
print(f"the hinges are within {missed.max():.1e} rad of their targets")
print(f"the box is lifted by {lifted:.4f} m and turned by {np.degrees(angles(END)[0]):.0f} degrees")
print(f"slip on the way: {1e6 * slip.max():.1f} micrometres and {1e3 * tilt:.2f} mrad")
print(f"   while it is held, {HOLD:.1f} s: {creep:.1e} m")
print(f"the fingers press with {normal[-1, 0]:.3f} and {normal[-1, 1]:.3f} N")
print(f"   and carry {upwards[-1].sum():.6f} N, the box weighs {weight:.2f} N")

# %% [markdown]
# ## The picture
# The arm from the side, at some times, with its turn taken off; the box from above.

# %%
COLOURS = {"arm": "#3b518b", "finger": "#4c8c4a", "box": "#c9a227", "other": "#b5472f"}
figure = plt.figure(figsize=(10.5, 9), layout="constrained")
grid = figure.add_gridspec(3, 2, height_ratios=[1.9, 1, 1], width_ratios=[1.25, 1])
side, above = figure.add_subplot(grid[0, 0]), figure.add_subplot(grid[0, 1])


def outline(axes: plt.Axes, centre: np.ndarray, half: np.ndarray, angle: float, **style: object) -> None:
    """A rectangle that is turned."""
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    corners = centre + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn
    axes.fill(*corners.T, linewidth=0.8, **style)


for moment, strength in ((LIFT[0], 0.5), (LIFT[1], 1.0)):
    at = max(round(moment / STEP) - 1, 0)
    _, upper, fore, _ = angles(moment)
    joints = np.cumsum([(0, 0), (0, SHOULDER), UPPER * direction(upper), FORE * direction(fore), (0, -HAND)], axis=0)
    side.plot(*joints.T, color=COLOURS["arm"], alpha=strength, linewidth=6, solid_capstyle="round", solid_joinstyle="round")
    side.plot(*joints[1:4].T, "o", color="white", markeredgecolor="#333333", markersize=5, alpha=strength)
    for body, half, name in ((-1, np.full(2, 0.5 * SIDE), "box"), (-2, FINGER[[0, 2]], "finger")):
        place_of = states["position"][at, body]
        outline(side, place_of[[0, 2]], half, 0.0, facecolor=COLOURS[name], edgecolor="#333333", alpha=strength)
    side.annotate(f"{moment:.1f} s", joints[3], xytext=(9, 3), textcoords="offset points", size=9)
side.axhline(0, color="#333333", linewidth=1.5)
side.set(
    xlabel="x [m]",
    ylabel="z [m]",
    aspect="equal",
    xlim=(-0.15, 0.85),
    ylim=(-0.04, 1.05),
    title="From the side: down, grip, lift",
)
for moment, strength in ((LIFT[1], 0.35), (0.5 * (TURN[0] + TURN[1]), 0.55), (END, 1.0)):
    at = round(moment / STEP) - 1
    yaw = float(np.arctan2(*states["position"][at, 3, [1, 0]]))
    above.plot(
        *np.stack([np.zeros(2), states["position"][at, 3, :2]]).T,
        color=COLOURS["arm"],
        alpha=strength,
        linewidth=6,
        zorder=0,
    )
    for body, half, name in ((-1, np.full(2, 0.5 * SIDE), "box"), (-2, FINGER[:2], "finger"), (-3, FINGER[:2], "finger")):
        outline(
            above, states["position"][at, body, :2], half, yaw, facecolor=COLOURS[name], edgecolor="#333333", alpha=strength
        )
    label = states["position"][at, 3, :2] * (1 + 0.16)
    above.text(*label, f"{moment:.1f} s", size=9, ha="center", va="center")
above.plot(
    *states["position"][time > LIFT[0]][:, -1, :2].T,
    color="#7a6318",
    linewidth=1,
    linestyle="--",
    zorder=3,
    label="path of the box",
)
above.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", xlim=(-0.15, 0.85), ylim=(-0.1, 0.85), title="From above: turn")
above.legend(frameon=False, fontsize=9, loc="upper right")

grips, friction, slips, torques = (figure.add_subplot(grid[row, column]) for row in (1, 2) for column in (0, 1))
for finger, colour in enumerate((COLOURS["finger"], COLOURS["other"])):
    grips.plot(time, normal[:, finger], color=colour, linewidth=1.2, label=f"finger {finger + 1}")
    friction.plot(time, used[:, finger], color=colour, linewidth=1.2, label=f"finger {finger + 1}")
grips.axhspan(GRIP - DRAG, GRIP + DRAG, color="#e8e4d8", zorder=0, label="motor and drag")
grips.set(ylabel="force [N]", title="Force of the fingers on the box", ylim=(-2, 80))
friction.set(ylabel="friction over bound [-]", title="Friction of the fingers over its bound", ylim=(0, 1.5))
slips.semilogy(time[gripped], np.maximum(slip[gripped], 1e-13), color=COLOURS["box"], linewidth=1.5)
slips.set(ylabel="slip [m]", title="Slip of the box along the fingers", ylim=(1e-13, 1e-3))
for hinge_of, name in enumerate(("yaw", "shoulder", "elbow", "wrist")):
    torques.plot(time, torque[:, hinge_of], linewidth=1.2, label=name, color=list(COLOURS.values())[hinge_of])
torques.set(ylabel="torque [N m]", title="Torque of the motors")
low, high = torques.get_ylim()
torques.set_ylim(low, high + 0.45 * (high - low))
for axes in (grips, friction, torques):
    axes.legend(frameon=False, fontsize=8, loc="upper left", ncols=4)
for axes in (grips, friction, slips, torques):
    axes.set_xlim(0, END)
    for begin, _ in (LIFT, TURN, (TURN[1], END)):
        axes.axvline(begin, color="#bbbbbb", linewidth=0.7, zorder=0)
for axes in figure.axes:
    axes.spines[["top", "right"]].set_visible(False)
    axes.title.set_size(10)
for axes in (slips, torques):
    axes.set_xlabel("time [s]; lines: lift, turn, hold")
figure.savefig(PICTURE, dpi=72)
print(f"picture: {PICTURE}")

# %%
follows = missed.max() < 2e-3 and residual.max() < 1e-4 and abs(lifted - (HIGH - LOW)) < 5e-3
holds = slip.max() < 1e-6 and creep < 1e-9 and abs(upwards[-1].sum() - weight) < 1e-6
presses = np.all((normal[-1] > GRIP - DRAG - 1e-3) & (normal[-1] < GRIP + DRAG + 1e-3))
sys.exit(0 if follows and holds and presses else "the arm does not follow, or the box slips")
