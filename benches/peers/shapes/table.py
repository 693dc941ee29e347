"""table.py RESULTS.jsonl: prints a table for each scene from the lines of JSON that run.sh collected."""

import json
import statistics
import sys

TITLES = {
    "boxes": "heap of {} boxes",
    "hulls": "heap of {} hulls of 20 corners",
    "cylinders": "heap of {} cylinders",
    "mixed": "heap of {} spheres, boxes, capsules, cylinders and hulls",
    "stacks": "{} stacks of 5 boxes",
    "wall": "wall of boxes, {} in its lowest row",
    "slab": "separate boxes on a slab: {}",
}


def short(value):
    """Three digits."""
    if value == 0:
        return "0"
    size = abs(value)
    if not 1e-3 <= size < 1e5:
        return f"{value:.1e}"
    return f"{value:.{3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0}f}"


def median(runs, name, unit=1.0):
    values = [run[name] for run in runs if isinstance(run.get(name), (int, float))]
    return short(statistics.median(values) / unit) if values else "-"


def remarks(runs):
    """What a reader must know before comparing."""
    said = []
    if any(not run["finite"] for run in runs):
        said.append("not finite")
    if any(run["settle_steps"] < run["settle_steps_wanted"] for run in runs):
        said.append("stopped before it had settled")
    escaped = max(run.get("escaped", 0) for run in runs)
    if escaped:
        said.append(f"{escaped} outside the container")
    return ", ".join(said)


def table(scene, size, iterations, engines):
    placed = any("drift" in run for runs in engines.values() for run in runs)
    unit = 1e-3 if scene == "slab" else 1.0
    heads = ["engine", "", "us per step" if scene == "slab" else "ms per step", "of the fastest peer", "largest overlap, mm"]
    heads += ["mean, mm", "99th percentile, mm", "J per body"] + (["drift, mm", "sideways, mm"] if placed else []) + ["contacts", "remarks"]
    print(f"\n### {TITLES.get(scene, scene + ' {}').format(size)}, {iterations} iterations\n")
    print("| " + " | ".join(heads) + " |\n|---|---|" + "---:|" * (len(heads) - 3) + "---|")
    times = {engine: [run["cpu_ms_median"] / unit for run in runs] for engine, runs in engines.items()}
    medians = {engine: statistics.median(values) for engine, values in times.items()}
    peers = [value for engine, value in medians.items() if not engine.startswith("drystone")]
    for engine in sorted(engines, key=medians.get):
        runs = engines[engine]
        ratio = f"{medians[engine] / min(peers):.2f}" if peers else "-"
        cells = [engine, runs[0]["precision"], f"{short(medians[engine])} ({short(min(times[engine]))} .. {short(max(times[engine]))})", ratio]
        cells += [median(runs, name, 1e-3) for name in ("max_penetration", "mean_penetration", "p99_penetration")]
        cells.append(median(runs, "kinetic_energy_per_body"))
        cells += [median(runs, name, 1e-3) for name in ("drift", "sideways")] if placed else []
        contacts = median(runs, "contacts") if runs[0]["contacts"] >= 0 else "-"
        print("| " + " | ".join(cells + [contacts, remarks(runs)]) + " |")


def main():
    scenes = {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                run = json.loads(line)
                if "about" in run:
                    print(f"drystone {run['commit']}, {run['processor']}, {run['date']}, load at the start {run['load']}")
                    continue
                key = (run["scene"], run["N"], run["iterations"])
                scenes.setdefault(key, {}).setdefault(run["engine"], []).append(run)
    print("Times are processor time: the median over the steps of a run, then the median (least .. most) over the rounds.")
    for (scene, size, iterations), engines in scenes.items():
        table(scene, size, iterations, engines)


if __name__ == "__main__":
    main()
