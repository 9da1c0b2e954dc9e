"""Models inside the program: a model that cannot be loaded prevents the start with one sentence; /readyz
reports when models are ready."""
import json
import os
import shutil
import subprocess
import time

import pytest

import chats
import ggufs
import program
import wire

WEIGHTS = program.BINARY.parent / "models" / "smollm2-135m.gguf"
needs_weights = pytest.mark.skipif(not WEIGHTS.exists(), reason="built without llama.cpp")
PARTED = {"metrics.listen": "off", "server.listen": "127.0.0.1:0"}


def refused(tmp_path, *arguments, **settings):
    """The message of a server that cannot start: one sentence."""
    options = [f"--set={key}={value}" for key, value in {**PARTED, **settings}.items()]
    ended = program.run("serve", *options, *arguments, "--data", str(tmp_path / "data"))
    lines = [line for line in ended.stderr.splitlines() if not program.entry_of(line)]
    assert ended.returncode == 1 and len(lines) == 1, ended.stderr
    assert '"listening"' not in ended.stderr
    return lines[0]


def written(tmp_path, content, name="tiny.gguf"):
    file = tmp_path / name
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


@pytest.mark.parametrize("kind", ggufs.BROKEN)
def test_a_broken_file_stops_the_start(kind, tmp_path):
    content, sentence = ggufs.BROKEN[kind]
    file = written(tmp_path, content)
    told = refused(tmp_path, **{"models.tiny.path": file})
    assert told.startswith("parley: The model tiny cannot be loaded. ") and str(file) in told
    assert sentence in told


def test_a_file_that_only_has_the_form_stops_the_start(tmp_path):
    told = refused(tmp_path, **{"models.tiny.path": written(tmp_path, ggufs.model())})
    assert told.startswith("parley: The model tiny cannot be loaded. ")


def test_a_broken_file_in_the_data_directory_stops_the_start(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    written(data / "models", b"GGUF", "mine.gguf")
    if WEIGHTS.exists():
        assert "The model mine cannot be loaded." in refused(tmp_path)
    found = program.run("doctor", "--json", "--data", str(data), "--set=server.listen=127.0.0.1:0")
    if WEIGHTS.exists():
        findings = [json.loads(line) for line in found.stdout.splitlines()]
        model = next(each for each in findings if each["check"] == "model")
        assert model["verdict"] == "fail" and "ends in the middle" in model["finding"]
        assert found.returncode == 1


def test_a_model_that_does_not_fit_into_memory_stops_the_start(tmp_path):
    huge = ggufs.model(entries={"context": ggufs.number("llama.context_length", 1 << 30),
                                "layers": ggufs.number("llama.block_count", 500),
                                "embedding": ggufs.number("llama.embedding_length", 1 << 20)})
    told = refused(tmp_path, **{"models.huge.path": written(tmp_path, huge), "models.huge.context": 1000000})
    assert "The model huge cannot be loaded. It needs " in told
    assert "MiB of memory with a context of 1000000 tokens" in told


def test_layers_on_a_gpu_need_one(tmp_path):
    """The program under test has no backend for GPUs."""
    told = refused(tmp_path, **{"models.tiny.path": written(tmp_path, ggufs.model()), "models.tiny.gpu_layers": 3})
    assert "The model tiny cannot be loaded. gpu_layers is 3, but there is no GPU" in told
    assert not WEIGHTS.exists() or "-DPARLEY_CUDA=ON" in told


@program.once
@needs_weights
def test_a_backend_that_cannot_be_used_is_reported(tmp_path):
    """Beside a copy of the program, as an installation has it."""
    program_copy = tmp_path / "bin" / "parley"
    program_copy.parent.mkdir()
    shutil.copy(program.BINARY, program_copy)
    backend = tmp_path / "lib" / "parley" / "libggml-cuda.so"
    backend.parent.mkdir(parents=True)
    backend.write_bytes(b"damaged")
    file = written(tmp_path, ggufs.model())
    found = subprocess.run([program_copy, "doctor", "--json", "--data", tmp_path / "data",
                            f"--set=models.tiny.path={file}"], capture_output=True, text=True, check=False)
    findings = [json.loads(line) for line in found.stdout.splitlines()]
    gpu = next(each for each in findings if each["check"] == "gpu")
    assert gpu["verdict"] == "warn" and f"{backend} cannot be used" in gpu["finding"]


def test_a_model_without_a_file_stops_the_start(tmp_path):
    told = refused(tmp_path, **{"models.mine.engine": "llama"})
    assert "models.mine.path: the model needs a GGUF file" in told
    assert 'there is no model "nobody"' in refused(tmp_path, "--model", "nobody")


@pytest.mark.skipif(WEIGHTS.exists(), reason="built with llama.cpp")
def test_without_llama_a_question_is_told_why():
    with chats.house({"model.default": ""}) as house:
        answer = chats.somebody(house, "ana").query("hello")
        assert (answer.status, answer.json()["code"]) == (503, "model_unavailable")


def wait_until_ready(server):
    """Polls until it is ready; before that, the response is 503 with the model's name."""
    deadline = time.monotonic() + program.PATIENCE
    while True:
        with wire.Connection(server.address) as connection:
            answer = connection.ask("GET", "/readyz")
        if answer.status == 200:
            return
        assert answer.status == 503 and answer.json()["code"] == "model_unavailable"
        assert time.monotonic() < deadline


@needs_weights
def test_files_of_the_data_directory_are_offered_by_their_name(tmp_path):
    data = tmp_path / "data"
    added = program.run("model", "add", str(WEIGHTS), "--link", "--name", "mine", "--data", str(data))
    assert added.returncode == 0, added.stderr
    assert added.stdout.startswith("mine  llama, 135M parameters, q4_1, context 8192, 93 MiB, needs ")
    assert os.readlink(data / "models" / "mine.gguf") == str(WEIGHTS)
    server = program.Program("--data", str(data), "--model", "mine", settings={"models.mine.context": 512})
    try:
        assert server.log.wait_for(message="listening")["model"] == "mine"
        wait_until_ready(server)
        assert server.log.wait_for(message="model ready", model="mine")
    finally:
        server.stop()
