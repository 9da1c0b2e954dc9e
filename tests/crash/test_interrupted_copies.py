"""`parley backup` and `parley restore`, killed in the middle: an incomplete copy must not look complete, and
no server may start with a part of the data."""
import subprocess

import data
import program
import pytest
import straced

pytestmark = straced.needed

# Early, between the pages, before the commit of the copy, before its sync.
MOMENTS = [("pwrite64", 2), ("pwrite64", 20), ("unlink", 1), ("fsync", 1), ("fsync", 2)]


def run_until_killed(call, number, *arguments):
    """True if it was killed before that call."""
    done = subprocess.run(
        ["strace", "-f", "-o", "/dev/null", *straced.kill_before(call, number), program.BINARY,
         *arguments], capture_output=True, timeout=program.PATIENCE, check=False,
        env=program.clean_environment(**straced.ENVIRONMENT))
    assert done.returncode in (-9, 0), done
    return done.returncode == -9


@pytest.mark.parametrize("call, number", MOMENTS, ids=lambda value: str(value))
def test_a_backup_is_there_once_it_is_complete(stopped, life, tmp_path, call, number):
    backup = tmp_path / "backup.db"
    run_until_killed(call, number, "backup", backup, "--data", life.directory)
    if not backup.exists():
        return
    restored = program.run("restore", backup, "--data", tmp_path / "restored")
    assert restored.returncode == 0, f"it looks like a backup and is none: {restored.stderr}"
    assert data.events_on_disk(tmp_path / "restored") == data.events_on_disk(stopped.directory)


def notes(events):
    """Without the server's own events, such as a new token."""
    return [event for event in events if event["action"] == "note"]


@pytest.mark.parametrize("call, number", MOMENTS, ids=lambda value: str(value))
def test_no_server_begins_with_half_of_what_was_restored(stopped, tmp_path, call, number):
    backup = tmp_path / "backup.db"
    assert program.run("backup", backup, "--data", stopped.directory).returncode == 0
    target = tmp_path / "restored"
    run_until_killed(call, number, "restore", backup, "--data", target)
    try:
        server = program.Program("--data", target)
    except RuntimeError:
        return  # It refused.
    try:
        told = notes(data.events_over_http(server, target))
        assert told == notes(data.events_on_disk(stopped.directory)), f"only {len(told)} notes"
    finally:
        server.stop()
