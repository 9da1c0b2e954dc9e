"""The unit tests of the web app: stream parser, resuming, leading tab, branches, Markdown blocks."""
import subprocess

import program


def test_units_of_the_web_app():
    done = subprocess.run([program.ROOT / "tools/web", "test"], capture_output=True, text=True,
                          timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
