"""Stores that a server must refuse: it prints the reason in one sentence, and changes nothing."""
import contextlib
import os
import random
import shutil
import sqlite3
import subprocess

import data
import program
import pytest

PAGE = 4096


def refusal(directory):
    """The message of `parley serve` for this directory; other output must be log lines."""
    before = data.fingerprint(directory)
    result = program.run("serve", "--data", directory, "--listen", "127.0.0.1:0",
                         "--set=metrics.listen=off")
    assert result.returncode == 1 and result.stdout == "", result
    said = [line for line in result.stderr.splitlines() if not program.entry_of(line)]
    assert len(said) == 1 and said[0].startswith("parley: "), result.stderr
    assert data.fingerprint(directory) == before, "it touched what it refused"
    return said[0]


def overwrite(file, at, content):
    with open(file, "r+b") as opened:
        opened.seek(at)
        opened.write(content)


def pages_of(file):
    return file.stat().st_size // PAGE


def a_tree_page(file, where):
    """The number of a page at that position of the file. It must be a tree page: SQLite has no checksums, so
    it cannot detect damage in the overflow pages of a long value."""
    content = file.read_bytes()
    page = 1 + round(where * (pages_of(file) - 2))
    while content[page * PAGE] not in (2, 5, 10, 13):
        page = page - 1 if where else page + 1
    return page


def a_page(content):
    return {"garbage": random.Random(7).randbytes(PAGE), "zeros": bytes(PAGE)}[content]


@pytest.mark.parametrize("content", ["garbage", "zeros"])
def test_a_damaged_first_page(life, content):
    overwrite(life.directory / "parley.db", 0, a_page(content))
    said = refusal(life.directory)
    assert "parley.db is damaged and was left as it is" in said and "parley restore" in said


@pytest.mark.parametrize("content", ["garbage", "zeros"])
@pytest.mark.parametrize("where", [0.0, 0.3, 0.6, 1.0])
def test_a_damaged_page_elsewhere(life, content, where):
    database = life.directory / "parley.db"
    overwrite(database, a_tree_page(database, where) * PAGE, a_page(content))
    assert "parley.db is damaged and was left as it is" in refusal(life.directory)


def test_a_database_that_was_cut_off(life):
    database = life.directory / "parley.db"
    os.truncate(database, pages_of(database) // 2 * PAGE)
    assert "parley.db is damaged and was left as it is" in refusal(life.directory)


def test_no_database_at_all_but_a_text(life):
    (life.directory / "parley.db").write_text("Dear diary, " * 1000, "utf-8")
    assert "parley.db is damaged and was left as it is" in refusal(life.directory)


def test_a_newer_schema(life):
    data.change(life.directory, "PRAGMA user_version = 99")
    said = refusal(life.directory)
    assert "newer Parley (schema 99, this one knows" in said


def test_a_database_of_another_program(tmp_path):
    directory = tmp_path / "data"
    directory.mkdir(mode=0o700)
    with contextlib.closing(sqlite3.connect(directory / "parley.db")) as database, database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    assert "belongs to another program and was left as it is" in refusal(directory)


def test_two_servers_in_one_directory(life):
    first = life.start()
    said = program.run("serve", "--data", life.directory, "--listen", "127.0.0.1:0",
                       "--set=metrics.listen=off")
    assert said.returncode == 1 and said.stdout == ""
    assert f"Another Parley (process {first.pid}) uses" in said.stderr
    assert said.stderr.count("\n") == 1
    assert data.leave_note(first, life.directory, "client 0 note 5000: still here").status == 201
    assert data.ask(first, life.directory, "GET", "/v1/api/audit?limit=1").status == 200


def test_a_database_that_another_program_writes_to(life):
    """It holds SQLite's own lock, not ours."""
    with contextlib.closing(sqlite3.connect(life.directory / "parley.db")) as database:
        database.execute("PRAGMA locking_mode=EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        said = program.run("serve", "--data", life.directory, "--listen", "127.0.0.1:0",
                           "--set=metrics.listen=off")
    assert said.returncode == 1 and said.stdout == ""
    assert "is in use by another program" in said.stderr and said.stderr.count("\n") == 1


def test_a_disk_that_is_read_only(life, small_disk):
    directory = small_disk / "data"
    shutil.copytree(life.directory, directory)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    assert "read-only" in refusal(directory)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    life.directory = directory
    life.start().stop()


def test_a_log_of_sqlite_that_is_garbage_is_passed_over(life):
    """It contains no commit; SQLite then begins a new one."""
    (life.directory / "parley.db-wal").write_bytes(random.Random(7).randbytes(50_000))
    server = life.start()
    assert data.leave_note(server, life.directory, "client 0 note 5000: go on").status == 201


def test_garbage_in_the_journal_is_set_aside_and_told(life):
    journal = life.directory / "journal"
    garbage = random.Random(7).randbytes(5000)
    (journal / "00000001.segment").write_bytes(garbage)
    (journal / "notes.txt").write_bytes(garbage)
    server = life.start()
    told = server.log.wait_for_line(lambda line: "journal" in line and "damaged" in line)
    assert program.entry_of(told)["level"] == "warn"
    assert [path.name for path in journal.iterdir() if path.read_bytes() == garbage and
            path.name != "notes.txt"] == ["00000001.segment.damaged"]
    assert (journal / "notes.txt").read_bytes() == garbage
