"""The memory of a server with its default model, compared with the figures that it prints."""
import json

import pytest

import chats
import program

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
MIB = 1 << 20

pytestmark = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")


def figures():
    """The figures of `parley model list` for the embedded model."""
    listed = program.run("model", "list", "--json").stdout.splitlines()
    return next(line for line in map(json.loads, listed) if line["embedded"])


@pytest.mark.skipif(program.BINARY.is_file() and b"__asan_init" in program.BINARY.read_bytes(),
                    reason="a sanitizer takes memory of its own; engine/llama/memory_test.cpp measures "
                           "the model in such builds, too")
def test_a_server_takes_as_much_memory_as_it_is_said_to():
    with chats.house({"model.default": "smollm2-135m"}) as house:
        ana = chats.somebody(house, "ana")
        ana.ask("Hello!", max_output_tokens=4)
        said = figures()
        taken = house.server.resident_bytes()
    assert taken < 400 * MIB
    assert 0.7 * said["memory_bytes"] < taken < 1.15 * said["memory_bytes"], (
        taken // MIB, said["memory_bytes"] // MIB)


def test_the_doctor_says_the_same():
    said = figures()
    found = program.run("doctor", "--json", env=program.clean_environment(
        PARLEY_MODEL_DEFAULT="smollm2-135m")).stdout
    assert f"needs {said['memory_bytes'] // MIB} MiB of memory at rest" in found, found
