# %% [markdown]
# # A crane
#
# A trolley on a rail carries a load on a rope, stops, and lowers it onto a crate. The trolley is a slider with a velocity
# motor. The rope is a distance joint whose upper bound is the rope's length: it pulls and does not push. The winch moves
# that bound. A ramp of the trolley's speed that lasts one period of the swing leaves the load hanging still, one of half
# a period leaves it swinging.
#
#     python crane.py [picture.png]

# %%
import sys

import matplotlib

matplotlib.use("agg")  # writes files, needs no screen

import matplotlib.pyplot as plt
import numpy as np

import drystone
from drystone import BodyKind, JointDef, JointKind, JointMode, JointMotor, Settings, SolverKind, World

PICTURE = sys.argv[1] if len(sys.argv) > 1 else "crane.png"
GRAVITY, STEP = 9.81, 5e-3  # [m/s^2], [s]
HEIGHT, ROPE, HALF = 8.0, 5.0, 0.4  # of the rail, of the rope at first, half the edges of load and crate [m]
LOAD, TROLLEY, CRATE = 500.0, 200.0, 400.0  # [kg]
WEIGHT = LOAD * GRAVITY
TRAVEL, SPEED = 10.0, 1.2  # [m], [m/s]
WINCH, SLACK = 0.4, 0.5  # speed of the rope [m/s], how much more rope is let out than the load needs [m]
PERIOD = 2 * np.pi * np.sqrt((ROPE + HALF) / GRAVITY)  # of the load as a point [s]
# Newton steps solve the contacts of load and crate together with the rope.
SETTINGS = Settings(solver=SolverKind.NEWTON, tolerance=1e-12)

# %% [markdown]
# ## The crane
# The rope is held by the load's upper face. It starts taut, and the load hangs still.


# %%
def trolley_speed(time: float, ramp: float) -> float:
    """Up over the time of a ramp, along, down over another one: TRAVEL in all."""
    along = TRAVEL / SPEED - ramp
    return SPEED * float(np.interp(time, [1, 1 + ramp, 1 + ramp + along, 1 + 2 * ramp + along], [0, 1, 1, 0]))


def arrival(ramp: float) -> float:
    """When the trolley stands [s]."""
    return 1 + TRAVEL / SPEED + ramp


def rope_length(time: float, start: float) -> float:
    """The winch lets out rope from a time on, with a ramp of 1 s at both ends, until SLACK is left over."""
    out = HEIGHT - ROPE - 4 * HALF + SLACK
    duration = out / WINCH
    speeds, times = [0, 1, 1, 0], start + np.array([0, 1, duration, duration + 1])
    moments = np.append(times[times < time], time)
    passed = np.interp(moments, times, speeds)
    return ROPE + WINCH * float(0.5 * (passed[1:] + passed[:-1]) @ np.diff(moments)) if time > start else ROPE


def run(ramp: float, lower: bool) -> dict[str, np.ndarray]:
    """The motion at the ends of all steps; with `lower` the load is let down after a while, without it hangs on."""
    world = World(settings=SETTINGS, gravity=(0, 0, -GRAVITY))
    material = world.add_material(friction=0.6)
    world.add_body(kind=BodyKind.STATIC, shape=world.half_space((0, 0, 1), 0), material=material)
    box = world.box((HALF, HALF, HALF))
    crate = world.add_body(shape=box, material=material, mass=CRATE, position=(TRAVEL, 0, HALF))
    load = world.add_body(shape=box, material=material, mass=LOAD, position=(0, 0, HEIGHT - ROPE - HALF))
    trolley = world.add_body(shape=world.box((0.6, 0.3, 0.2)), mass=TROLLEY, position=(0, 0, HEIGHT), filter_mask=0)
    rail = JointDef(kind=JointKind.SLIDER, body_b=trolley)
    slider = world.add_joint(world.place_joint(rail, (0, 0, HEIGHT), (1, 0, 0)))
    world.set_joint_axis(slider, 2, motor=JointMotor.VELOCITY)
    joint = JointDef(kind=JointKind.DISTANCE, body_a=trolley, body_b=load)
    joint = world.place_joint_points(joint, (0, 0, HEIGHT), (0, 0, HEIGHT - ROPE))
    rope = world.add_joint(joint, length_min=0, length_max=np.inf)
    world.set_joint_axis(rope, 0, mode=JointMode.LIMITED, lower=0, upper=ROPE)

    start = arrival(ramp) + 4
    rows, states = [], []
    for at in range(round((start + 11) / STEP)):
        time = STEP * (at + 1)
        world.set_joint_target(slider, 2, 0, trolley_speed(time, ramp))
        length = rope_length(time, start) if lower else ROPE
        if length != ROPE:
            world.set_joint_axis(rope, 0, upper=length)
        world.step(STEP)
        pull, drive = world.joint_state(rope), world.joint_state(slider)
        on_load = world.body_force(load).force
        rows.append(
            (time, length, pull.position[0], -pull.limit_force[0], drive.motor_force[2], on_load[2], *pull.force, *on_load)
        )
        states.append(world.states([trolley, load, crate]))
    names = "time", "length", "distance", "tension", "drive", "contact"
    data = np.array(rows)
    motion = dict(zip(names, data.T)) | {"rope": data[:, 6:9], "touch": data[:, 9:12], "states": np.array(states)}
    across = motion["states"]["position"][:, 1] - motion["states"]["position"][:, 0]
    return motion | {"swing": np.arctan2(across[:, 0], -across[:, 2]), "start": np.array(start)}


def reference(motion: dict[str, np.ndarray], ramp: float) -> np.ndarray:
    """The swing of a point on a rope under the same trolley, by small steps of second order [rad]."""
    fine, parts = STEP / 4, 4
    length, angle, turn = ROPE + HALF, 0.0, 0.0
    swing = np.empty(len(motion["time"]))
    for at in range(len(swing) * parts):
        time = fine * (at + 0.5)
        push = (trolley_speed(time + 0.5 * fine, ramp) - trolley_speed(time - 0.5 * fine, ramp)) / fine
        angle += 0.5 * fine * turn
        turn -= fine * (GRAVITY * np.sin(angle) + push * np.cos(angle)) / length
        angle += 0.5 * fine * turn
        if at % parts == parts - 1:
            swing[at // parts] = angle
    return swing


RAMPS = {"half a period": 0.5 * PERIOD, "one period": PERIOD}
runs = {name: run(ramp, name == "one period") for name, ramp in RAMPS.items()}
references = {name: reference(motion, RAMPS[name]) for name, motion in runs.items()}
print(f"drystone {drystone.version()}: a load of {LOAD:.0f} kg on a rope of {ROPE:.0f} m, one swing takes {PERIOD:.2f} s")
left, apart = {}, {}
for name, motion in runs.items():
    before = motion["time"] < motion["start"]
    settled = before & (motion["time"] > arrival(RAMPS[name]))
    left[name] = np.degrees(np.abs(motion["swing"][settled]).max())
    apart[name] = np.degrees(np.abs(motion["swing"] - references[name])[before].max())
    print(
        f"ramp of {name}: swings by {left[name]:.2f} degrees at the goal, {apart[name]:.2f} at most beside a point on a rope"
    )


def unbalanced(motion: dict[str, np.ndarray]) -> float:
    """The largest difference of the load's change of momentum from rope, contacts and weight [N]."""
    change = LOAD * np.diff(motion["states"]["linear_velocity"][:, 1], axis=0) / STEP
    return float(np.abs(change - motion["rope"][1:] - motion["touch"][1:] + (0, 0, WEIGHT)).max())


landing = runs["one period"]
overlong = max(float((motion["distance"] - motion["length"]).max()) for motion in runs.values())
touched = landing["time"][np.argmax(landing["contact"] > 0)]
slack = landing["length"][-1] - landing["distance"][-1]
aside = landing["states"]["position"][-1, 1, 0] - landing["states"]["position"][-1, 2, 0]
balance = max(unbalanced(motion) for motion in runs.values())
least, most = landing["tension"].min(), runs["half a period"]["tension"].max()
print(f"rope: tension from {abs(least):.1f} to {most:.1f} N, the load weighs {WEIGHT:.1f} N")
print(f"   it spans at most {overlong:.1e} m more than its length")
print(f"   forces and change of momentum of the load differ by {balance:.1e} N at most")
print(f"the load touches the crate at {touched:.2f} s and stands {1e3 * aside:.2f} mm beside its middle")
print(f"   in the end the rope is slack by {slack:.3f} m and pulls with {abs(landing['tension'][-1]):.1f} N")
print(f"   the crate carries {landing['contact'][-1]:.6f} N")

# %% [markdown]
# ## The picture

# %%
COLOURS = {"half a period": "#b5472f", "one period": "#3b518b"}
figure = plt.figure(figsize=(10, 9), layout="constrained")
grid = figure.add_gridspec(3, 2, height_ratios=[2, 1, 1])
scene = figure.add_subplot(grid[0, :])


def block(centre: np.ndarray, angle: float, **style: object) -> None:
    """A box of load or crate, turned about y."""
    square = HALF * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    scene.fill(*(centre + square @ turn).T, **style)


places = landing["states"]["position"][..., [0, 2]]
tilts = -2 * np.arctan2(landing["states"]["rotation"][..., 1], landing["states"]["rotation"][..., 3])
moments = (0.0, 4.0, 7.0, 10.5, landing["start"] + 3, landing["time"][-1])
for moment in moments:
    at = min(round(moment / STEP), len(places) - 1)
    trolley, load = places[at, :2]
    tilt, last = tilts[at, 1], moment == moments[-1]
    hook = load + HALF * np.array([-np.sin(tilt), np.cos(tilt)])
    scene.plot(*np.stack([trolley, hook]).T, color="#333333", linewidth=1, linestyle=":" if last else "-")
    block(load, tilt, facecolor="#c9a227", edgecolor="#7a6318", alpha=1.0 if last else 0.45)
    scene.add_patch(plt.Rectangle(trolley - (0.4, 0.15), 0.8, 0.3, color=COLOURS["one period"], alpha=0.7))
    beside = (0.55, 0.0) if moment > 12 else (0.0, -0.75)
    scene.text(*(load + beside), f"{moment:.1f} s", ha="left" if moment > 12 else "center", va="center", size=9)
block(places[-1, 2], tilts[-1, 2], facecolor="#9a9a94", edgecolor="#55554f")
scene.plot(*places[:, 1].T, color=COLOURS["one period"], linewidth=1, label="path of the load")
scene.axhline(HEIGHT + 0.2, color="#333333", linewidth=3)
scene.axhline(0, color="#333333", linewidth=1.5)
scene.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", xlim=(-1.5, 12), ylim=(-0.3, HEIGHT + 0.6))
scene.set_title("Ramps of one period; the rope is slack where it is dotted")
scene.legend(frameon=False, fontsize=9, loc="lower left")

swings, tensions, lengths, drives = (figure.add_subplot(grid[row, column]) for row in (1, 2) for column in (0, 1))
for name, motion in runs.items():
    swings.plot(motion["time"], np.degrees(motion["swing"]), color=COLOURS[name], linewidth=1.3, label=f"ramps of {name}")
    before = motion["time"] < motion["start"]
    drives.plot(
        motion["time"][before], 1e-3 * motion["drive"][before], color=COLOURS[name], linewidth=1.2, label=f"ramps of {name}"
    )
    swings.plot(motion["time"][before], np.degrees(references[name][before]), "k:", linewidth=0.9)
swings.plot([], [], "k:", linewidth=0.9, label="a point on a rope")
swings.set(ylabel="swing [°]", title="Angle of the rope", ylim=(-12, 22))
drives.set(ylabel="force [kN]", title="Force of the trolley's motor", ylim=(-1.2, 2))
tensions.plot(landing["time"], 1e-3 * landing["tension"], color=COLOURS["one period"], label="tension of the rope")
tensions.plot(landing["time"], 1e-3 * landing["contact"], color="#7a6318", label="force of the crate")
tensions.set(ylabel="force [kN]", title="What carries the load, ramps of one period", ylim=(-0.3, 7.5))
lengths.plot(landing["time"], landing["length"], color="#333333", linestyle="--", label="rope")
lengths.plot(landing["time"], landing["distance"], color="#7a6318", label="trolley to load")
lengths.set(ylabel="length [m]", title="Length of the rope, and what it spans", ylim=(4.8, 7.2))
for axes in (swings, tensions, lengths, drives):
    axes.legend(frameon=False, fontsize=8, loc="upper left", ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(0, landing["time"][-1])
    axes.title.set_size(10)
for axes in (lengths, drives):
    axes.set_xlabel("time [s]")
figure.savefig(PICTURE, dpi=72)
print(f"picture: {PICTURE}")

# %%
hangs = all(abs(motion["tension"][0] - WEIGHT) < 1e-9 and motion["tension"].min() > -1e-9 for motion in runs.values())
swung = left["half a period"] > 5 and left["one period"] < 0.05 and max(apart.values()) < 0.3
rope_holds = overlong < 1e-11 and balance < 1e-8
landed = abs(landing["contact"][-1] - WEIGHT) < 1e-6 and landing["tension"][-1] == 0 and abs(slack - SLACK) < 1e-3
sys.exit(
    0
    if hangs and swung and rope_holds and landed and abs(aside) < 0.01
    else "the load does not hang, swing or stand as it should"
)
