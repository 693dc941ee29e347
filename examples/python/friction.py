# %% [markdown]
# # Static friction as a constraint
#
# J. Chen, A. Schinner and H.-G. Matuttis (Static Friction, Differential Algebraic Systems and Numerical Stability,
# section 3) hold that static friction is a constraint and no force law. Their test: with a_I and a_II, the accelerations
# that full friction would leave in either direction, a body at rest stays where both are negative. The bound on the
# friction impulse in drystone is the same test. Here are their three experiments: an oscillator, a block on a slope, ten
# cannonballs.
#
#     python friction.py [picture.png]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import BodyKind, JointDef, JointFlag, JointKind, Lock, Settings, World

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "friction.png"
GRAVITY = 9.81  # [m/s^2]
STEP = 0.01  # [s]

# %% [markdown]
# ## An oscillator
# 1 kg on a spring of 1 N/m with a friction of 0.2 N: a slider with a spring and dry friction. Each half swing is 0.4 m
# shorter than the one before, until one ends between -0.2 and 0.2 m, where the spring cannot overcome the friction.

# %%
FRICTION = 0.2  # [N]
RESTS = {1.0: 0.2, 1.5: -0.1, 3.3: 0.1}  # where it starts, and where it must stop [m]


def oscillator(start: float) -> dict[str, np.ndarray]:
    """40 s of place, speed, and whether the friction sticks."""
    world = World(gravity=(0, 0, 0))
    mass = world.add_body(shape=world.sphere(0.1), mass=1, position=(start, 0, 0))
    definition = JointDef(kind=JointKind.SLIDER, body_b=mass)
    slider = world.add_joint(world.place_joint(definition, (0, 0, 0), (1, 0, 0)), point_b=(0, 0, 0))
    world.set_joint_axis(slider, 2, stiffness=1, friction=FRICTION)
    rows = [(start, 0.0, False)]
    for _ in range(4000):
        world.step(STEP)
        state = world.joint_state(slider)
        rows.append((state.position[2], state.velocity[2], bool(state.axis_flags[2] & JointFlag.STICKING)))
    place, speed, sticks = np.array(rows).T
    return {"place": place, "speed": speed, "sticks": sticks != 0}


oscillators = {start: oscillator(start) for start in RESTS}
misses, tested, wrong, moves = [], 0, 0, 0.0
print(f"drystone {drystone.version()}: static friction")
for start, motion in oscillators.items():
    place, sticks = motion["place"], motion["sticks"]
    first = len(sticks) - np.argmin(sticks[::-1])  # the first of the last steps, in which it sticks
    misses.append(abs(place[-1] - RESTS[start]))
    moves = max(moves, float(np.ptp(place[first:])))
    # of steps that begin at rest, whether they stick is what the signs of both accelerations say
    still = np.flatnonzero(np.abs(motion["speed"][:-1]) < 1e-14)
    negative = (-place[still] - FRICTION < 0) & (place[still] - FRICTION < 0)
    tested, wrong = tested + len(still), wrong + np.count_nonzero(sticks[still + 1] != negative)
    print(
        f"oscillator from {start} m: at rest from {STEP * first:5.2f} s on, {misses[-1]:.1e} m beside {RESTS[start]:4.1f} m"
    )
print(f"steps that begin at rest: {tested}; friction goes against the signs of a_I and a_II in {wrong} of them")
print(f"   from then on they move by {moves:.0e} m")

# %% [markdown]
# ## A block on a slope
# It starts down a slope at 1 m/s. With friction below the slope it goes on faster, at the slope at the same speed, above
# it stops. A force law of sliding friction, with Runge-Kutta's method, cannot hold it: it trembles at every step.

# %%
SLOPE = np.arctan(0.25)
PULL, PRESS = GRAVITY * np.sin(SLOPE), GRAVITY * np.cos(SLOPE)  # gravity along the slope and onto it [m/s^2]
RATIOS = {"below, 1/3": 1 / 3, "at the slope": 1.0, "above, 3": 3.0}  # friction over tan of the slope
START_SPEED, SLIDE = 1.0, 150  # [m/s], steps


def block(ratio: float) -> np.ndarray:
    """Place and speed along the slope at the ends of all steps; the world is turned, and x points down the slope."""
    world = World(settings=Settings(iterations=200, tolerance=1e-13), gravity=(PULL, 0, -PRESS))
    material = world.add_material(friction=ratio * np.tan(SLOPE))
    world.add_body(kind=BodyKind.STATIC, shape=world.half_space((0, 0, 1), 0), material=material)
    shape = world.box((0.2, 0.2, 0.05))
    body = world.add_body(shape=shape, material=material, position=(0, 0, 0.05), linear_velocity=(START_SPEED, 0, 0))
    rows = [(0.0, START_SPEED)]
    for _ in range(SLIDE):
        world.step(STEP)
        state = world.state(body)
        rows.append((state.position[0], state.linear_velocity[0]))
    return np.array(rows).T


def force_law(ratio: float, step: float) -> np.ndarray:
    """The speed with sliding friction alone, by the classical Runge-Kutta method."""

    def acceleration(speed: float) -> float:
        return float(PULL - ratio * PULL * np.sign(speed))

    speeds = [START_SPEED]
    for _ in range(round(SLIDE * STEP / step)):
        v = speeds[-1]
        k1 = acceleration(v)
        k2 = acceleration(v + 0.5 * step * k1)
        k3 = acceleration(v + 0.5 * step * k2)
        speeds.append(v + step / 6 * (k1 + 2 * k2 + 2 * k3 + acceleration(v + step * k3)))
    return np.array(speeds)


times = STEP * np.arange(SLIDE + 1)
blocks = {name: block(ratio) for name, ratio in RATIOS.items()}
trembling = force_law(3, 0.1)
speed_error = 0.0
for name, ratio in RATIOS.items():
    place, speed = blocks[name]
    exact = np.maximum(START_SPEED + (1 - ratio) * PULL * times, 0)
    speed_error = max(speed_error, float(np.abs(speed - exact).max()))
    print(f"block, friction {name:12}: {place[-1]:.4f} m and {speed[-1]:.2e} m/s after {times[-1]} s")
slip = float(np.ptp(blocks["above, 3"][0][-50:]))
print(f"speeds differ from the closed form by {speed_error:.1e} m/s; at rest it slips by {slip:.1e} m in 50 steps")

# %% [markdown]
# ## Ten cannonballs
# As in the paper, in a plane and without turns, with a friction of 0.5; on a floor, each lifted a little and dropped. The
# paper's pile of soft balls comes to rest only with its projection.

# %%
RADIUS, FLOOR_FRICTION, FALL = 0.1, 0.5, 400  # [m], [-], steps


def pile() -> tuple[World, np.ndarray]:
    """A world with the ten balls, of 1 kg each, and their handles."""
    world = World(settings=Settings(iterations=500, tolerance=1e-14), gravity=(0, 0, -GRAVITY))
    material = world.add_material(friction=FLOOR_FRICTION)
    world.add_body(kind=BodyKind.STATIC, shape=world.half_space((0, 0, 1), 0), material=material)
    balls = drystone.body_defs(10, shape=world.sphere(RADIUS), material=material, mass=1.0)
    balls["lock"] = Lock.Y | Lock.ROTATION_X | Lock.ROTATION_Y | Lock.ROTATION_Z
    layers = np.repeat(np.arange(4), (4, 3, 2, 1))
    columns = np.concatenate([np.arange(4 - layer) - 0.5 * (3 - layer) for layer in range(4)])
    balls["position"][:, 0] = 2 * RADIUS * columns
    balls["position"][:, 2] = RADIUS + layers * (np.sqrt(3) * RADIUS) + 0.05 * RADIUS * (layers + 1)
    return world, world.add_bodies(balls)


world, balls = pile()
kinetic = np.array([world.step(1e-3).kinetic_energy for _ in range(FALL)])
before = world.states(balls)["position"]
for _ in range(100):
    world.step(1e-3)
settled = world.states(balls)["position"]
contacts = world.contacts()
creep = float(np.abs(settled - before).max())
floor = contacts["body_a"] == world.bodies()[0]
carried = (contacts["normal_force"] * contacts["normal"][:, 2])[floor].sum()
print(f"ten cannonballs: kinetic energy at most {kinetic.max():.1e} J, {kinetic[-1]:.1e} J in the end")
print(f"   the floor carries {carried:.9f} N of {10 * GRAVITY:.1f} N; in 100 more steps they move by {creep:.1e} m")

# %% [markdown]
# ## The picture

# %%
COLOURS = ("#3b518b", "#4c8c4a", "#b5472f")
figure, ((phase, rest), (signs, slope), (stack, decay)) = plt.subplots(3, 2, figsize=(10, 10), layout="constrained")
time = STEP * np.arange(4001)
for colour, (start, motion) in zip(COLOURS, oscillators.items()):
    phase.plot(motion["place"], motion["speed"], color=colour, linewidth=1.3, label=f"from {start} m")
    phase.plot(motion["place"][-1], 0, "o", color=colour, markersize=6, zorder=3)
    rest.plot(time[:2800], motion["place"][:2800], color=colour, linewidth=1.3, label=f"from {start} m")
phase.plot([-FRICTION, FRICTION], [0, 0], color="black", linewidth=4, solid_capstyle="butt", label="places of rest")
phase.set(
    xlabel="place [m]", ylabel="speed [m/s]", aspect="equal", title="Oscillator with friction: phase space", ylim=(-3.6, 3.6)
)
phase.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
rest.axhspan(-FRICTION, FRICTION, color="#e8e4d8", label="places of rest")
rest.set(xlabel="time [s]", ylabel="place [m]", title="Oscillator with friction: place", ylim=(-3.6, 4.9))
rest.legend(frameon=False, fontsize=8, loc="upper right", ncols=2)

shown = oscillators[1.5]
for name, force, colour in (("a_I", -shown["place"], COLOURS[0]), ("a_II", shown["place"], COLOURS[2])):
    signs.plot(time[:1600], (force - FRICTION)[:1600], color=colour, linewidth=1.3, label=f"${name[0]}_{{{name[2:]}}}$")
stuck = len(shown["sticks"]) - np.argmin(shown["sticks"][::-1])
signs.axvspan(time[stuck], time[1599], color="#e8e4d8")
signs.text(0.5 * (time[stuck] + time[1599]), 0.4, "at rest", ha="center", size=9)
signs.axhline(0, color="black", linewidth=0.6)
signs.set(
    xlabel="time [s]", ylabel="acceleration [m/s²]", title="From 1.5 m: it rests where both are negative", ylim=(-1.9, 2.2)
)
signs.legend(frameon=False, fontsize=8, loc="upper center", ncols=2)

for colour, (name, (_, speed)) in zip(COLOURS, blocks.items()):
    slope.plot(times, speed, color=colour, linewidth=1.5, label=f"friction {name}")
slope.plot(
    0.1 * np.arange(len(trembling)), trembling, color="#999999", linewidth=1, label="3, sliding friction alone, 0.1 s"
)
slope.set(
    xlabel="time [s]",
    ylabel="speed [m/s]",
    title="Block on a slope: friction over the tangent of the slope",
    ylim=(-0.7, 3.6),
)
slope.legend(frameon=False, fontsize=8, loc="upper left")

for place in settled:
    stack.add_patch(plt.Circle(place[[0, 2]], RADIUS, facecolor="#f0efea", edgecolor="#b8b6ae", linewidth=0.8))
at = {handle: place for handle, place in zip([world.bodies()[0], *balls], [None, *settled])}
total = contacts["normal_force"][:, None] * contacts["normal"] + contacts["friction_force"]
largest = np.linalg.norm(total, axis=1).max()
for contact, force in zip(contacts, total):
    size = np.linalg.norm(force)
    for body in (contact["body_a"], contact["body_b"]):
        if at[body] is not None and size > 1e-6 * largest:
            line = np.stack([at[body], contact["point"]])[:, [0, 2]].T
            stack.plot(*line, color=COLOURS[0], linewidth=0.3 + 7 * size / largest, solid_capstyle="round")
stack.axhline(0, color="#333333", linewidth=1.5)
stack.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", xlim=(-0.48, 0.48), ylim=(-0.05, 0.8))
stack.set_title(f"Ten cannonballs: contact forces, {largest:.1f} N at most")
decay.semilogy(1e-3 * np.arange(1, FALL + 1), np.maximum(kinetic, 1e-32), color=COLOURS[1], linewidth=1.2)
decay.set(xlabel="time [s]", ylabel="kinetic energy [J]", title="Ten cannonballs: kinetic energy")
for axes in figure.axes:
    axes.spines[["top", "right"]].set_visible(False)
    axes.title.set_size(10)
figure.savefig(PICTURE, dpi=72)
print(f"picture: {PICTURE}")

# %%
stopped = max(misses) < 0.5 * STEP**2 and wrong == 0 and tested > 1000 and moves == 0
held = speed_error < 1e-10 and slip < 1e-12 and np.ptp(trembling[-10:]) > 0.1
at_rest = kinetic[-1] < 1e-24 and creep < 1e-14 and abs(carried - 10 * GRAVITY) < 1e-9
sys.exit(0 if stopped and held and at_rest else "friction does not hold what it should, or holds what it should not")
