"""`parley model`: files are checked before they are offered, with or without a running server."""
import json
import os
import stat

import pytest

import bert
import ggufs
import program
import terminals


@pytest.fixture(name="data")
def data_directory(tmp_path):
    return tmp_path / "data"


@pytest.fixture(name="tiny")
def sound_file(tmp_path):
    file = tmp_path / "tiny.gguf"
    file.write_bytes(ggufs.model())
    return file


def model(data, *arguments):
    return program.run("model", *arguments, "--data", str(data))


def listed(data):
    lines = [json.loads(line) for line in model(data, "list", "--json").stdout.splitlines()]
    return {line["name"]: line for line in lines if not line["embedded"]}


def test_a_sound_file_is_copied_and_described(data, tiny):
    assert listed(data) == {} and not data.exists()
    done = model(data, "add", str(tiny))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tiny  llama, 0M parameters, q4_0, context 2048, 0 MiB, needs ")
    assert "no chat template" in done.stdout and done.stderr == ""
    copy = data / "models" / "tiny.gguf"
    assert copy.read_bytes() == tiny.read_bytes() and not copy.is_symlink()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == stat.S_IMODE(data.stat().st_mode) == 0o700
    assert sorted(os.listdir(copy.parent)) == ["tiny.gguf"]
    assert listed(data)["tiny"] == {
        "name": "tiny", "file": str(copy), "embedded": False, "architecture": "llama", "title": "Tiny",
        "parameters": 704, "quantization": "q4_0", "context": 2048, "chat_template": False, "embeddings": False,
        "bytes": tiny.stat().st_size, "memory_bytes": listed(data)["tiny"]["memory_bytes"],
        "conversation_bytes": listed(data)["tiny"]["conversation_bytes"]}


def test_an_embedding_model_is_named_as_one(data, tmp_path):
    file = tmp_path / "small.gguf"
    bert.tiny(file)
    done = model(data, "add", str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("small  bert, 0M parameters, f16, context 64, 0 MiB, needs ")
    assert done.stdout.endswith(" MiB of memory, for embeddings of 32 dimensions\n")
    assert listed(data)["small"]["embeddings"] is True and listed(data)["small"]["conversation_bytes"] == 0


def test_a_name_is_taken_once(data, tiny):
    assert model(data, "add", str(tiny), "--name", "my-model-1.5").returncode == 0
    again = model(data, "add", str(tiny), "--name", "my-model-1.5")
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr == "parley: There is already a model my-model-1.5: give this one another --name.\n"
    assert "already a model scripted" in model(data, "add", str(tiny), "--name", "scripted").stderr
    for name in ("../x", "a b", ".a", "a" * 65):
        refused = model(data, "add", str(tiny), "--name", name)
        assert refused.returncode == 1 and "is not a valid model name" in refused.stderr, name
    assert list(listed(data)) == ["my-model-1.5"]


def test_a_link_is_followed(data, tiny):
    assert model(data, "add", str(tiny), "--link", "--json").returncode == 0
    assert (data / "models" / "tiny.gguf").readlink() == tiny
    assert listed(data)["tiny"]["parameters"] == 704
    tiny.unlink()
    assert "cannot be opened" in listed(data)["tiny"]["error"]
    assert "tiny  broken: " in model(data, "list").stdout


@pytest.mark.parametrize("kind", ggufs.BROKEN)
def test_a_broken_file_is_refused_with_a_sentence(kind, data, tmp_path):
    content, sentence = ggufs.BROKEN[kind]
    file = tmp_path / "broken.gguf"
    file.write_bytes(content)
    refused = model(data, "add", str(file))
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"parley: {file} cannot be used as a model: ")
    assert sentence in refused.stderr and refused.stderr.count("\n") == 1
    assert not data.exists()


def test_what_is_no_file_is_refused(data, tmp_path):
    assert model(data, "add", str(tmp_path / "nowhere.gguf")).returncode == 2
    assert model(data, "add", str(tmp_path)).returncode == 2
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert "is not a plain file" in model(data, "add", str(fifo), "--name", "a").stderr
    assert model(data, "add").returncode == 2
    assert model(data).returncode == 2


def test_a_full_disk_leaves_nothing_behind(data, tmp_path):
    data.mkdir(mode=0o700)
    file = tmp_path / "big.gguf"
    file.write_bytes(ggufs.model(data=4 << 20))
    done = program.run("model", "add", str(file), "--data", str(data),
                       preexec_fn=lambda: program.resource.setrlimit(
                           program.resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
    assert done.returncode != 0 and os.listdir(data / "models") in ([], ["big.part"])
    assert listed(data) == {}


def test_a_running_server_is_not_in_the_way(data, tiny):
    server = program.Program("--data", str(data))
    try:
        done = model(data, "add", str(tiny))
        assert done.returncode == 0 and "Restart the server" in done.stderr
        assert list(listed(data)) == ["tiny"]
    finally:
        server.stop()


def test_a_model_is_removed_after_a_question(data, tiny):
    model(data, "add", str(tiny))
    refused = model(data, "remove", "tiny")
    assert refused.returncode == 1 and "give --yes" in refused.stderr
    assert "There is no model nope" in model(data, "remove", "nope", "--yes").stderr
    asked = terminals.Terminal("model", "remove", "tiny", "--data", data)
    try:
        assert str(data / "models" / "tiny.gguf") in asked.read_until("[y/N] ")
        asked.type(b"\r")
        assert asked.end() == 1 and list(listed(data)) == ["tiny"]
    finally:
        asked.close()
    done = model(data, "remove", "tiny", "--yes")
    assert (done.stdout, done.returncode) == ("Removed the model tiny.\n", 0)
    assert listed(data) == {} and os.listdir(data / "models") == []
    assert tiny.exists(), "the file that was copied stays"


def test_a_link_is_removed_and_its_file_stays(data, tiny):
    model(data, "add", str(tiny), "--link")
    assert model(data, "remove", "tiny", "--yes").returncode == 0
    assert listed(data) == {} and tiny.exists()


def test_the_next_start_without_its_default_model_is_foretold(data, tiny):
    model(data, "add", str(tiny))
    done = model(data, "remove", "tiny", "--yes", "--set", "model.default=tiny")
    assert done.returncode == 0 and "model.default still names it" in done.stderr


def test_models_of_the_settings_are_listed_without_their_keys(data, tmp_path):
    (tmp_path / "key").write_text("very-secret-key", encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    settings = tmp_path / "parley.toml"
    settings.write_text(f"""[models.far]
engine = "upstream"
base_url = "https://models.example.org/v1"
api_key_file = "{tmp_path / "key"}"
upstream_model = "large"
""", encoding="utf-8")
    settings.chmod(0o600)
    line = "far  upstream, https://models.example.org/v1, model large\n"
    shown = model(data, "list", "--config", str(settings))
    assert line in shown.stdout and "secret" not in shown.stdout, shown
    lines = model(data, "list", "--json", "--config", str(settings)).stdout.splitlines()
    assert {"name": "far", "embedded": False, "engine": "upstream",
            "base_url": "https://models.example.org/v1",
            "upstream_model": "large"} in map(json.loads, lines)
