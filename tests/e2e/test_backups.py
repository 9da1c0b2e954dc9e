"""Backups that are not fetched from the data directory."""
import os
import time

import chats


def test_their_number_is_limited(tmp_path, start):
    directory = tmp_path / "data"
    house = chats.people.House(start("--data", str(directory), settings=chats.ROOMY)).set_up()

    def make():
        return house.ask("POST", "/backups", house.admin)
    files = [make().json()["file"] for _ in range(8)]
    refused = make()
    assert refused.status == 409 and refused.json()["code"] == "conflict", refused.body
    (directory / files[0]).unlink()
    assert make().status == 200
    # A day later: the oldest ones are removed.
    yesterday = time.time() - 25 * 3600
    for name in files[1:]:
        os.utime(directory / name, (yesterday, yesterday))
    assert make().status == 200
    assert len(list(directory.glob("backup_*.db"))) == 2
