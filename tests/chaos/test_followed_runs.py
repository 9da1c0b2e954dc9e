"""What it costs a server to follow the runs of another one, and that no event is missing (bench/followed_runs.py).

In `make chaos MINUTES=30` or more these are 500 runs."""
import subprocess
import sys

import postgres
import program
import pytest
from replicas import IS_LONG

RUNS, SECONDS = (500, 10) if IS_LONG else (96, 3)


@program.once
def test_following_runs_costs_little():
    if not postgres.is_there():
        pytest.skip("PostgreSQL is not installed and cannot be installed here (tools/postgres)")
    done = subprocess.run([sys.executable, program.ROOT / "bench/followed_runs.py", "--runs", str(RUNS),
                           "--seconds", str(SECONDS)], capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
