"""Calls from several threads, ends while calls run, threads of this program, and that nothing is left behind."""

from __future__ import annotations

import gc
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import drystone
from drystone import Solver, Tasks, World
from scenes import Scene


def heap(world: World, side: int = 12) -> None:
    """A heap of side^3 balls, still falling into each other: a step of it takes milliseconds."""
    world.add_body(shape=world.half_space((0, 0, 1), 0), kind=drystone.BodyKind.STATIC)
    definitions = drystone.body_defs(side**3, shape=world.sphere(0.5))
    for index, definition in enumerate(definitions):
        layer, cell = divmod(index, side * side)
        definition["position"] = (cell % side, cell // side + 0.01 * layer, 0.5 + layer)
    world.add_bodies(definitions)


def test_a_step_lets_other_threads_run() -> None:
    """While one thread is within a step, this one runs Python."""
    with World() as world:
        heap(world)
        inside, ticks = threading.Event(), 0

        def steps() -> None:
            for _ in range(10):
                world.step(1 / 240)
            inside.set()

        thread = threading.Thread(target=steps)
        thread.start()
        while not inside.wait(0.001):
            ticks += 1
        thread.join()
    # with the lock of the interpreter held there would be one tick for a step at most
    assert ticks > 10


def test_readers_of_one_world_in_several_threads() -> None:
    with World() as world:
        heap(world, 5)
        failures: list[BaseException] = []

        def read() -> None:
            try:
                for _ in range(200):
                    assert len(world.states()) == 126
                    assert world.contacts().dtype == drystone.CONTACT_DTYPE
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=read) for _ in range(3)]
        for thread in threads:
            thread.start()
        for _ in range(50):
            world.step(1 / 240)
        for thread in threads:
            thread.join()
        assert not failures


def test_the_end_waits_for_calls_of_other_threads() -> None:
    world = World()
    heap(world)
    stepping, outcome = threading.Event(), []

    def steps() -> None:
        try:
            while True:
                stepping.set()
                world.step(1 / 240)
        except drystone.ClosedError:
            outcome.append("closed")

    threads = [threading.Thread(target=steps) for _ in range(2)]
    for thread in threads:
        thread.start()
    stepping.wait()
    time.sleep(0.02)
    world.close()
    for thread in threads:
        thread.join(timeout=20)
    assert outcome == ["closed", "closed"]


def test_last_errors_are_those_of_the_thread() -> None:
    def refused(radius: float) -> str:
        with World() as world, pytest.raises(drystone.ArgumentError) as caught:
            world.sphere(radius)
        return caught.value.message

    with ThreadPoolExecutor(4) as pool:
        for number, message in enumerate(pool.map(refused, range(-100, 0))):
            assert f"radius is {number - 100}," in message


def test_a_step_on_threads_of_this_program() -> None:
    with ThreadPoolExecutor(2) as pool, World(tasks=Tasks(pool, 3)) as world, World() as alone:
        for each in (world, alone):
            heap(each)
            for _ in range(3):
                each.step(1 / 240)
        assert world.hash() == alone.hash()


def test_a_world_that_steps_on_tasks_is_busy() -> None:
    class Curious(ThreadPoolExecutor):
        answers: list[str] = []

        def submit(self, *arguments: Any, **named: Any) -> Any:
            for call in (world.hash, world.close):
                try:
                    call()
                except drystone.BusyError as error:
                    self.answers.append(error.message)
            return super().submit(*arguments, **named)

    with Curious(1) as pool, World(tasks=Tasks(pool, 2)) as world:
        heap(world, 6)
        world.step(1 / 240)
        assert len(pool.answers) >= 2
        assert "closed from within" in pool.answers[1] and "closed" not in pool.answers[0]


def test_tasks_that_cannot_be_handed_out_are_done_by_the_step() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with World(tasks=Tasks(pool, 2)) as world, World() as alone:
        for each in (world, alone):
            heap(each, 6)
            each.step(1 / 240)
        assert world.hash() == alone.hash()


def test_tasks_that_are_refused() -> None:
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(drystone.ArgumentError, match="worker_count"):
            World(tasks=Tasks(pool, 0))
        with pytest.raises(drystone.ArgumentError, match="threads"):
            World(tasks=Tasks(pool, 2), threads=2)


def resident() -> int:
    """Bytes of memory that this process has."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
@pytest.mark.parametrize("closed", [True, False])
def test_nothing_is_left_behind(closed: bool) -> None:
    """10 000 worlds and solvers, closed or forgotten, after a thousand that warm up."""

    def cycles(count: int) -> None:
        for _ in range(count):
            scene, solver = Scene(World()), Solver()
            scene.steps(1)
            scene.world.contacts()
            if closed:
                scene.world.close()
                solver.close()

    cycles(1000)
    gc.collect()
    before = resident()
    cycles(10_000)
    gc.collect()
    # a world holds some 10 kB: 100 MB would be left; a MiB is the allocator's
    assert resident() - before < 2**20
