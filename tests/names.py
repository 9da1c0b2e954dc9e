"""The names that servers under test look up (names.c)."""
import shutil
import subprocess

import program


class Names:
    """Called with names (_ stands for a dot): (milliseconds, addresses) sets them, also for servers that run. Servers
    that are started with `environment` know them and no others; `log` has each look-up."""

    def __init__(self, folder):
        compiler = next(filter(None, map(shutil.which, ("clang-19", "clang", "cc"))))
        library = folder / "names.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, program.ROOT / "tests/names.c"], check=True)
        self._file = folder / "names"
        self.all = {}
        self.log = folder / "names.log"
        self.environment = {"LD_PRELOAD": str(library), "NAMES": str(self._file)}
        self()

    def __call__(self, **more):
        self.all.update({name.replace("_", "."): entry for name, entry in more.items()})
        written = self._file.with_suffix(".new")
        written.write_text("".join(f"{name} {delay} {' '.join(addresses)}\n"
                                   for name, (delay, addresses) in self.all.items()), encoding="utf-8")
        written.replace(self._file)
