"""Python packages for tests, in folders of their own in the cache: apart from the test tools, so that a change of
one list does not install all others again."""
import pathlib
import sys

import node

HERE = pathlib.Path(__file__).resolve().parent


def installed(name, timeout=300, lists=HERE):
    """The folder with the packages that tests/NAME.txt lists, or NAME.txt in another folder."""
    listed = lists / f"{name}.txt"
    place = node.cache() / name
    wanted = f"{sys.version}\n{listed.read_text('utf-8')}"
    made_from = place / "made_from"
    with node.alone():
        if not made_from.exists() or made_from.read_text("utf-8") != wanted:
            node.run(sys.executable, "-m", "pip", "install", "--disable-pip-version-check",
                     "--no-deps", "--no-compile", "--upgrade", "--target", place, "--requirement",
                     listed, timeout=timeout)
            made_from.write_text(wanted, "utf-8")
    return place


def source(name, timeout=300):
    """The archive of the source of the one package that tests/NAME.txt lists with its hash."""
    listed = HERE / f"{name}.txt"
    place = node.cache() / name
    made_from = place / "made_from"
    wanted = listed.read_text("utf-8")
    with node.alone():
        if not made_from.exists() or made_from.read_text("utf-8") != wanted:
            package = wanted.splitlines()[-1].partition("==")[0]
            node.run(sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--no-binary",
                     package, "--require-hashes", "--dest", place, "--requirement", listed, timeout=timeout)
            made_from.write_text(wanted, "utf-8")
    archive, = place.glob("*.tar.gz")
    return archive
