"""machines.py FIRST SECOND

Two machines edit the same photos in a folder of a network, which FIRST and SECOND are to each of them: in parts, as both at
once, and with one that is killed. Every photo must have one result, with the bytes that it has in a folder of one machine.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid

import numpy
import safelight
from conftest import png
from safelight._places import Folder
from safelight._worker import Worker, find_program

PHOTOS = [f"{number:02}.jpg" for number in range(12)]
EDIT = ["--exposure", "0.5"]


def check(holds, what):
    if not holds:
        sys.exit(f"Error: {what}")


def contents(folder):
    return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder) if name.endswith(".jpg")}


def batch(root, result, *options, seen_as=None):
    """
    Args:
        seen_as: Where this machine has the folder; None: where it is.
    """
    command = [find_program(), "batch", f"{seen_as or root}/photos", "-o", f"{seen_as or root}/{result}", *EDIT, *options]
    if seen_as:
        mounted = f'mount --bind {root} {seen_as} && exec "$@"'
        command = ["unshare", "--mount", "sh", "-c", mounted, "sh", *command]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def in_parts(first, second, expected):
    """`safelight batch --shard`, one part on each machine."""
    parts = [batch(first, "parts", "--shard", "1/2"), batch(second, "parts", "--shard", "2/2", seen_as=first)]
    check([part.wait() for part in parts] == [0, 0], "a part has failed")
    check(contents(f"{second}/parts") == expected, "the parts are not the whole")


def killed(first, second, expected):
    """A machine is lost in the middle of its work, and another one takes it over."""
    lost = batch(first, "killed", "--jobs", "1")
    while not os.path.isdir(f"{first}/killed") or not contents(f"{first}/killed"):
        check(lost.poll() is None, "the batch ended before it was killed")
        time.sleep(0.01)
    lost.send_signal(signal.SIGKILL)
    lost.wait()
    made = {name: os.stat(f"{first}/killed/{name}").st_mtime_ns for name in contents(f"{first}/killed")}
    check(len(made) < len(PHOTOS), "the batch was done before it was killed")
    check(batch(second, "killed", "--resume", seen_as=first).wait() == 0, "the batch that went on has failed")
    check(contents(f"{second}/killed") == expected, "something was lost with the machine")
    again = [name for name, time in made.items() if os.stat(f"{second}/killed/{name}").st_mtime_ns != time]
    # The one under way when it was killed may be complete without being written down.
    check(len(again) <= 1, f"{again} were made twice")
    check(not [name for name in os.listdir(f"{second}/killed") if "tmp" in name], "unfinished files were left")


def machine(root, names, results):
    """What an actor of safelight.ray does with its photos, without Ray."""
    made, worker = Folder(f"{root}/both", makes=True), Worker(EDIT)
    for name in names:
        path = made.unfinished("_safelight/run", ".jpg")
        worker.edit(f"{root}/photos/{name}", path)
        results.put((name, made.publish(path, name)))
        if os.path.exists(path):
            os.unlink(path)
        made.settle()
    results.put(("rows", made.put("_safelight/run", "rows/00000000.parquet", uuid.uuid4().bytes)))
    worker.close()


def at_once(first, second, expected):
    """Both machines edit every photo, one of them from the last one on."""
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    machines = [
        context.Process(target=machine, args=(first, PHOTOS, results)),
        context.Process(target=machine, args=(second, PHOTOS[::-1], results)),
    ]
    for one in machines:
        one.start()
    told = [results.get(timeout=200) for _ in range(2 * len(PHOTOS) + 2)]
    for one in machines:
        one.join()
    check([one.exitcode for one in machines] == [0, 0], "a machine has failed")
    for name in PHOTOS + ["rows"]:
        check(sorted(is_new for key, is_new in told if key == name) == [False, True], f"{name} was not made once: {told}")
    check(contents(f"{second}/both") == expected, "results differ")
    check(os.listdir(f"{first}/both/_safelight/run/unfinished") == [], "unfinished files were left")
    check(len(os.listdir(f"{second}/both/_safelight/run/rows")) == 1, "there is not one file of rows")


def main(first, second):
    with tempfile.TemporaryDirectory() as local:
        os.mkdir(f"{local}/photos")
        random = numpy.random.default_rng(1)
        for name in PHOTOS:
            photo = numpy.kron(random.integers(0, 256, (12, 16, 3), dtype=numpy.uint8), numpy.ones((20, 20, 1), numpy.uint8))
            with open(f"{local}/photo.png", "wb") as file:
                file.write(png(photo))
            safelight.Recipe().edit(f"{local}/photo.png", f"{local}/photos/{name}")
        check(batch(local, "result").wait() == 0, "the batch in a folder of one machine has failed")
        expected = contents(f"{local}/result")
        check(sorted(expected) == PHOTOS, "the batch in a folder of one machine is not complete")
        subprocess.run(["cp", "-r", f"{local}/photos", f"{first}/photos"], check=True)
    for part in (in_parts, at_once, killed):
        part(first, second, expected)
        print(f"{part.__name__.replace('_', ' ')}: {len(expected)} photos, each once", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
