"""The server of a reader who follows README.md or a guide: with the embedded model as its default, as `make
run` starts it, except for smaller conversations."""
import contextlib
import os

import program

SETTINGS = {"model.default": "smollm2-135m", "models.smollm2-135m.engine": "llama",
            "models.smollm2-135m.context": 1024}


@contextlib.contextmanager
def server(settings=None):
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})  # One compute thread, see test_embedded_model.py.
    started = program.Program(settings={**SETTINGS, **(settings or {})})
    os.sched_setaffinity(0, allowed)
    try:
        yield started
    finally:
        started.stop()
