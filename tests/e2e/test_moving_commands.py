"""`parley import` and `parley export`, on a data directory and with a token (--url)."""
import json
import os
import signal
import stat
import subprocess
import zipfile

import pytest

import automations
import chats
import people
import program
from moved import TRIP, WEB, branch, conversations, exported, gpt_chain


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="command", params=["data directory", "url"])
def one_command(request, house, tmp_path):
    return automations.command_of(request, house, tmp_path)


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def counts(command, *arguments, code=0):
    """The last line that an import writes, and the ended process."""
    done = program.run("import", *arguments, *command.who)
    assert done.returncode == code, done
    return "".join(done.stderr.splitlines()[-1:]), done


def test_files_of_other_programs(command, tmp_path):
    gpt = written(tmp_path / "conversations.json", [TRIP, gpt_chain("Two", 4)])
    said, done = counts(command, gpt)
    assert said == "2 imported, 0 imported before, 0 failed"
    first, second = done.stdout.splitlines()
    assert first.startswith("ses_") and first.endswith("  4 messages, 5 skipped  A trip")
    assert second.endswith("  4 messages  Two")
    said, done = counts(command, gpt, "--json")
    assert not said
    assert [json.loads(line)["imported"] for line in done.stdout.splitlines()] == [4, 4]
    assert counts(command, gpt)[0] == "0 imported, 2 imported before, 0 failed"
    assert counts(command, written(tmp_path / "chat-export-1.json", [WEB]))[0] == "1 imported, 0 imported before, 0 failed"
    assert counts(command, written(tmp_path / "one.json", gpt_chain("One", 2)))[0] == "1 imported, 0 imported before, 0 failed"
    assert len(command.person.pages("/chat/sessions", archived="all")) == 4


def test_folders_and_archives(command, tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()
    written(folder / "conversations-000.json", [gpt_chain("A", 2)])
    written(folder / "conversations-001.json", [gpt_chain("B", 2)])
    written(folder / "user.json", {"id": "someone"})
    assert counts(command, folder)[0] == "2 imported, 0 imported before, 0 failed"
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for file in folder.iterdir():
            out.write(file, f"chatgpt/{file.name}")
        out.writestr("image.png", os.urandom(10_000))
        out.writestr("conversations.json", json.dumps([gpt_chain("C", 300)]), zipfile.ZIP_STORED)
    assert counts(command, archive)[0] == "1 imported, 2 imported before, 0 failed"
    damaged = bytearray(archive.read_bytes())
    at = damaged.index(b'"mapping"')
    damaged[at + 200] ^= 1
    archive.write_bytes(damaged)
    assert "is damaged" in counts(command, archive, code=1)[0]
    archive.write_bytes(damaged[:-30])
    assert "not a ZIP archive, or it is damaged" in counts(command, archive, code=1)[0]
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("user.json", "{}")
    assert "has no conversations" in counts(command, archive, code=1)[0]


@pytest.mark.parametrize("command", ["data directory"], indirect=True)
@pytest.mark.parametrize("content, complaint", [
    ('[{"mapping": {"a"', "ends inside of an object"), ("[1, 2]", "not a list of JSON objects"), ("hello", "not a list of JSON objects"),
    ('{"x": 1}', "unknown format"), (b"\xff\xfe", "not a list of JSON objects")], ids=["cut", "numbers", "text", "unknown", "bytes"])
def test_files_that_cannot_be_read(command, tmp_path, content, complaint):
    file = tmp_path / "conversations.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert complaint in counts(command, file, code=1)[0]
    assert "does not exist" in counts(command, tmp_path / "nothing", code=1)[0]


@pytest.mark.parametrize("command", ["data directory"], indirect=True)
def test_one_bad_conversation_does_not_end_the_import(command, tmp_path):
    deep = '{"mapping":' * 2000 + "1" + "}" * 2000
    pair = '{"title":"\\ud83d","mapping":{}}'
    large = json.dumps({"title": "Large", "mapping": {}, "x": "y" * (17 << 20)})
    texts = [json.dumps(gpt_chain("First", 2)), deep, pair, '{"mapping":7}', large, json.dumps(gpt_chain("Last", 2))]
    said, done = counts(command, written(tmp_path / "conversations.json", "[" + ",".join(texts) + "]"), code=1)
    assert said == "2 imported, 0 imported before, 4 failed"
    assert "16 MiB" in done.stderr or "15 MiB" in done.stderr
    assert {each["title"] for each in command.person.pages("/chat/sessions")} == {"First", "Last"}


def memory_for(command, file, count):
    """The most memory that an import of so many small objects has taken while it imported the first ones."""
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        for number in range(count):
            out.write('%s{"mapping":%d,"x":"%s"}' % ("," if number else "", number % 10, "y" * 200))
        out.write("]")
    process = subprocess.Popen([program.BINARY, "import", str(file), *map(str, command.who)],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=program.clean_environment())
    for _ in range(200):  # Each is refused, and told. It waits when the pipe is full.
        assert process.stderr.readline()
    taken = program.most_memory(process)
    process.send_signal(signal.SIGINT)
    process.stderr.read()
    process.stderr.close()
    assert process.wait(program.PATIENCE) == 130
    return taken


@pytest.mark.parametrize("command", ["data directory"], indirect=True)
def test_a_hundred_thousand_objects_cost_no_memory(command, tmp_path):
    few, many = (memory_for(command, tmp_path / f"conversations-{count}.json", count) for count in (4_000, 100_000))
    # Their text alone would be 20 MB.
    assert program.IS_SANITIZED or many - few < 8_000_000


def test_an_export_goes_to_another_user(command, house, tmp_path):
    ana = command.person
    first = ana.ask("One")
    ana.ask(session_id=first["session_id"], parent_message_id=first["user_message"]["id"])
    file = tmp_path / "export.ndjson"
    assert command("export", file) == f"Exported to {file} ({file.stat().st_size} bytes).\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert lines == exported(ana)
    assert "already exists" in command("export", file, code=1)
    assert [json.loads(line) for line in command("export").splitlines()] == lines
    one = command("export", "--session", first["session_id"])
    assert [json.loads(line)["object"] for line in one.splitlines()] == ["chat.session"] + ["chat.message"] * 3
    missing = tmp_path / "missing"
    assert "not found" in command("export", missing, "--session", "ses_none", code=1)
    assert not missing.exists()
    ben = chats.somebody(house, "ben" + first["id"][-8:].lower())
    (tmp_path / "ben").write_text(ben.token, encoding="utf-8")
    done = program.run("import", file, "--url", house.server.url(), "--token-file", tmp_path / "ben")
    assert done.returncode == 0 and done.stderr == "1 imported, 0 imported before, 0 failed\n", done
    [session] = conversations(exported(ben))
    assert len(session["messages"]) == 3 and len(branch(ben, session["session"])) == 2


@pytest.mark.parametrize("command", ["data directory"], indirect=True)
def test_a_session_of_any_size_ends_no_import(command, tmp_path):
    file = tmp_path / "export.ndjson"
    with file.open("w", encoding="utf-8") as out:
        for title, count in (("Large", 40), ("Small", 2)):
            out.write(json.dumps({"object": "chat.session", "id": title, "title": title}) + "\n")
            for number in range(count):
                out.write(json.dumps({"object": "chat.message", "id": f"{title}{number}", "role": "assistant" if number % 2 else "user",
                                      "parent_id": f"{title}{number - 1}" if number else None,
                                      "content": [{"type": "text", "text": "x" * (500_000 if count == 40 else 5)}]}) + "\n")
    said, done = counts(command, file, code=1)
    assert said == "1 imported, 0 imported before, 1 failed"
    assert "The session Large has more than 16 MiB" in done.stderr


def test_imports_wait_for_the_limit(start, tmp_path):
    server = start("--data", str(tmp_path / "data"), settings={**chats.FRUGAL, "limits.general": 20})
    house = people.House(server).set_up()
    house.add("ana")
    file = written(tmp_path / "conversations.json", [gpt_chain(str(number), 2) for number in range(45)])
    done = program.run("import", file, "--data", server.data, "--user", "ana")
    assert done.returncode == 0 and done.stderr.endswith("45 imported, 0 imported before, 0 failed\n"), done


def test_a_title_stays_on_one_line(command, tmp_path):
    file = written(tmp_path / "chat.json", [{"title": "One\r\nses_forged  1 messages", "messages": [
        {"role": "user", "content": "Hello"}]}])
    _, done = counts(command, "--format", "open_webui", file)
    [line] = done.stdout.splitlines()
    assert line.startswith("ses_") and "One\\u000d\\nses_forged" in line
