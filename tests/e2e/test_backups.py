"""Backups that are not fetched from the data directory."""
import os
import time

import chats
import people
import program


def test_their_number_is_limited(tmp_path, start):
    directory = tmp_path / "data"
    house = people.House(start("--data", str(directory), settings=chats.ROOMY)).set_up()

    def make():
        return house.ask("POST", "/backups", house.admin)
    files = [make().json()["file"] for _ in range(8)]
    refused = make()
    assert refused.status == 409 and refused.json()["code"] == "conflict", refused.body
    (directory / files[0]).unlink()
    assert make().status == 200
    # They are a day old. In the first hour after its start, a server does not trust the clock that says so.
    yesterday = time.time() - 25 * 3600
    for name in files[1:]:
        os.utime(directory / name, (yesterday, yesterday))
    assert make().status == 409
    assert len(list(directory.glob("backup_*.db"))) == 8


def test_those_in_progress_count(tmp_path, start):
    directory = tmp_path / "data"
    house = people.House(start("--data", str(directory), settings=chats.ROOMY)).set_up()
    made = people.at_once(16, lambda number: house.ask("POST", "/backups", house.admin).status)
    assert sorted(made) == [200] * 8 + [409] * 8
    assert len(list(directory.glob("backup_*.db"))) == 8


def test_they_are_removed_after_a_day(tmp_path, start, passed):
    directory = tmp_path / "data"
    house = people.House(start("--data", str(directory), settings=chats.ROOMY, environment=passed.environment))
    old = house.ask("POST", "/backups", house.command_line).json()["file"]
    assert (directory / old).exists()
    passed(hours=25)
    assert house.ask("POST", "/backups", house.command_line).status == 200
    assert not (directory / old).exists()


def test_nothing_is_replaced(tmp_path, start):
    """A link to nothing is there as well, though it does not look like a file."""
    house = people.House(start("--data", str(tmp_path / "data"))).set_up()
    file = tmp_path / "backup.db"
    file.symlink_to(tmp_path / "nowhere" / "backup.db")
    done = program.run("backup", file, "--data", house.server.data)
    assert done.returncode == 1 and f"{file} cannot be written" in done.stderr, done
    assert file.is_symlink()
    assert not list(house.server.data.glob("backup_*.db")), "the copy that nobody has fetched"
    file.unlink()
    assert program.run("backup", file, "--data", house.server.data).returncode == 0
    assert file.stat().st_mode & 0o777 == 0o600
    done = program.run("backup", file, "--data", house.server.data)
    assert done.returncode == 1 and "already exists" in done.stderr, done
