"""Settings: their sources, precedence, and refusals of invalid ones."""
import json
import os
import re
import stat

import pytest

import program


def shown(*arguments, env=None):
    """The settings in use, by key, with the source of each."""
    result = program.run("serve", "--print-settings", "--json", *arguments,
                         env=program.clean_environment(PARLEY_DATA="/nowhere", **(env or {})))
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    return {line["key"]: (line["value"], line["from"]) for line in lines if "from" in line}


def refusal(*arguments, env=None, code=2):
    """The line on standard error of a `parley serve` that does not start."""
    result = program.run("serve", *arguments,
                         env=program.clean_environment(PARLEY_DATA="/nowhere", **(env or {})))
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("parley: "), lines
    return lines[0].removeprefix("parley: ")


@pytest.fixture
def config(tmp_path):
    """Writes a settings file."""
    def write(text, mode=0o600):
        file = tmp_path / "parley.toml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        file.chmod(mode)
        return file
    return write


def test_each_place_is_stronger_than_the_one_before(config):
    file = config('[server]\nlisten = "127.0.0.1:1001"\nloops = 1\n[log]\nlevel = "warn"\n')
    assert shown()["server.listen"] == ("127.0.0.1:8080", "default")
    arguments = ["--config", file]
    assert shown(*arguments)["server.listen"] == ("127.0.0.1:1001", f"{file}:2")
    env = {"PARLEY_SERVER_LISTEN": "127.0.0.1:1002"}
    assert shown(*arguments, env=env)["server.listen"] == ("127.0.0.1:1002", "PARLEY_SERVER_LISTEN")
    arguments += ["--set", "server.listen=127.0.0.1:1003"]
    assert shown(*arguments, env=env)["server.listen"] == ("127.0.0.1:1003", "--set")
    arguments += ["--listen", "127.0.0.1:1004"]
    found = shown(*arguments, env=env)
    assert found["server.listen"] == ("127.0.0.1:1004", "--listen")
    assert found["server.loops"] == (1, f"{file}:3")
    assert found["log.level"] == ("warn", f"{file}:5")


def test_a_server_obeys_its_settings_file(start, config):
    server = start("--config", config('[log]\nlevel = "debug"\nformat = "json"\n'),
                   environment={"PARLEY_SERVER_LOOPS": "1"})
    assert server.log.wait_for(message="listening")["loops"] == 1


def test_what_is_printed_is_a_settings_file_that_says_the_same(config):
    arguments = ["--set", 'server.contact="Zoë" \\ co', "--set", "server.loops=3",
                 "--set", "server.cors_origins=https://a.example, https://b.example"]
    printed = program.run("serve", "--print-settings", *arguments).stdout
    again = shown("--config", config(printed))
    for key, (value, _) in shown(*arguments).items():
        assert again[key][0] == value, key


def test_the_example_of_the_help_is_accepted(config):
    page = program.run("serve", "--help-settings").stdout
    example = page.partition("A settings file:\n\n")[2]
    assert "[server]" in example
    assert shown("--config", config(example))["log.level"][0] == "warn"


def test_the_help_tells_everything_of_each_setting():
    page = program.run("serve", "--help-settings").stdout
    listed = [json.loads(line) for line in
              program.run("serve", "--help-settings", "--json").stdout.splitlines()]
    assert len(listed) > 10
    for setting in listed:
        variable = "PARLEY_" + setting["key"].upper().replace(".", "_")
        if setting["key"].startswith("models."):  # Their names may not be valid in variables.
            assert "environment" not in setting
            variable = ""
        else:
            assert setting["environment"] == variable
        told = rf"^  {re.escape(setting['key'])} \(.+\)\n +{re.escape(setting['meaning'])}\n +" \
               rf"{re.escape(setting['form'])}{variable and ' · ' + variable}$"
        assert re.search(told, page, re.M), setting


def test_what_users_rely_on_is_the_default():
    listed = [json.loads(line) for line in program.run("serve", "--help-settings", "--json").stdout.splitlines()]
    defaults = {each["key"]: each["default"] for each in listed}
    promised = {"limits.chat": 30, "limits.general": 100, "limits.automation": 30, "limits.hook": 60,
                "events.keep_days": 30, "automations.max_per_user": 100, "automations.max_concurrent": 0,
                "automations.runs_keep_days": 90, "webhooks.allow_http": False, "webhooks.allowed_networks": [],
                "webhooks.max_per_user": 10, "webhooks.max_concurrent": 4, "webhooks.timeout_s": 15,
                "retention.max_days": 0}
    assert {key: defaults[key] for key in promised} == promised


@pytest.mark.parametrize("text, told", [
    ("[server]\nlisen = \"127.0.0.1:0\"\n", ":2:1: .*Did you mean server.listen?"),
    ("[sever]\nlisten = \"127.0.0.1:0\"\n", ":1:2: .*Did you mean \\[server\\]?"),
    ("[server]\n\n  loops = \"2\"\n", ":3:11: server.loops takes a whole number .*this is text"),
    ("[server]\nloops = 2.0\n", ":2:9: .*a number with a point"),
    ("[server]\nloops = 257\n", ":2:9: server.loops: 257 is not a whole number from 0 to 256"),
    ("[server]\nloops = 1\nloops = 2\n", ":3:\\d+: This is not TOML: .*redefine"),
    ("[server]\nloops = 1\n[server]\n", ":3:\\d+: This is not TOML: .*redefine"),
    ("server = [1, 2\n", ":\\d+:\\d+: This is not TOML"),
    ("[server]\nallow_plain_http = 1\n", ":2:20: .*true or false"),
    ("[server]\ncors_origins = \"https://a\"\n", ":2:16: .*a list of origins"),
    ("[server]\ncors_origins = [\"https://a\", \"b\"]\n", ":2:16: .*\"b\" is not an origin"),
    ("[server]\nlisten = \"here\"\n", ":2:10: server.listen: \"here\" is not an address"),
    ("[log]\nlevel = \"loud\"\n", ":2:9: .*debug, info, warn or error"),
    ("[store]\nkind = \"postgres\"\n", ":2:8: .*sqlite or memory"),
    ("[store]\nreaders = 65\n", ":2:11: .*0 to 64"),
    ("[store]\nmin_free_mib = -1\n", ":2:16: .*-1 is not"),
    (b"[server]\ncontact = \"\xff\"\n", ":2:\\d+: This is not TOML: .*utf-8"),
    (b"\x00\x01\x02", ":1:\\d+: This is not TOML"),
    ("a." * 200_000 + "a = 1", "more dots"),
    ("a = " + "[" * 100_000, "This is not TOML"),
    ("#" * (1 << 20) + "#", "larger than 1 MiB"),
], ids=lambda value: str(value)[:40])
def test_a_wrong_settings_file_is_refused_in_one_sentence(config, text, told):
    said = refusal("--config", config(text))
    assert str(config(text)) in said and re.search(told, said), said


def test_what_is_not_a_plain_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for place in (tmp_path / "fifo", tmp_path, "/dev/zero"):
        assert "not a plain file" in refusal("--config", place)
    assert "No such file" in refusal("--config", tmp_path / "missing")


def test_a_settings_file_that_everybody_may_change_is_refused(config):
    for mode in (0o602, 0o646, 0o666, 0o777):
        assert "chmod o-w" in refusal("--config", config("", mode))
    shown("--config", config("", 0o664))


@pytest.mark.parametrize("name, value, told", [
    ("PARLEY_SERVER_LISEN", "127.0.0.1:0", "Did you mean PARLEY_SERVER_LISTEN?"),
    ("PARLEY_server_listen", "127.0.0.1:0", "Did you mean PARLEY_SERVER_LISTEN?"),
    ("PARLEY_LISTEN", "127.0.0.1:0", "PARLEY_LISTEN is not a setting"),
    ("PARLEY_SERVER_LOOPS", "many", 'PARLEY_SERVER_LOOPS: "many" is not a whole number'),
    ("PARLEY_SERVER_LOOPS", "", 'PARLEY_SERVER_LOOPS: "" is not a whole number'),
    ("PARLEY_SERVER_LOOPS", " 2", "is not a whole number"),
    ("PARLEY_SERVER_ALLOW_PLAIN_HTTP", "1", "true or false"),
    ("PARLEY_SERVER_TLS_KEY", "a\nb", "control characters"),
    ("PARLEY_PORT", "8080", "PARLEY_PORT is not a setting"),
])
def test_a_wrong_variable_is_refused_in_one_sentence(name, value, told):
    assert told in refusal(env={name: value})


def test_variables_of_others_are_left_alone():
    found = shown(env={"PARLEY_SERVICE_HOST": "10.0.0.1", "PARLEY_PORT": "tcp://10.0.0.1:80",
                       "PARLEY_PORT_80_TCP_ADDR": "10.0.0.1", "PARLEY_BINARY": "x",
                       "PARLEY_SERVER_CORS_ORIGINS": "https://a,https://b"})
    assert found["server.cors_origins"][0] == ["https://a", "https://b"]
    # All commands of these tests set the model.
    assert {key for key, (_, place) in found.items() if place != "default"} == {
        "server.cors_origins", "model.default"}


@pytest.mark.parametrize("mode, refused", [
    (0o644, True), (0o604, True), (0o602, True), (0o640, False), (0o600, False)])
def test_a_private_key_that_everybody_may_read_is_refused(tmp_path, mode, refused):
    key = tmp_path / "key.pem"
    key.write_text("no key")
    key.chmod(mode)
    arguments = ["--tls-cert", tmp_path / "missing.pem", "--tls-key", key,
                 "--set", "metrics.listen=off"]
    result = program.run("serve", *arguments)
    assert ("chmod o-rwx" in result.stderr) == refused, result.stderr
    assert result.returncode == (2 if refused else 1)


def serve_in(data, **options):
    return program.run("serve", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off", "--data",
                       data, **options)


@pytest.mark.parametrize("mode", [0o755, 0o750, 0o701, 0o710, 0o777])
def test_a_data_directory_that_others_can_look_into_is_refused(tmp_path, mode):
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(mode)
    result = serve_in(data)
    assert result.returncode == 1 and f"chmod 700 {data}" in result.stderr
    assert list(data.iterdir()) == []


def test_the_data_directory_is_made_for_its_user_alone(start, tmp_path):
    data = tmp_path / "a" / "b" / "data"
    server = start("--data", data)
    for directory in (data, data.parent, data.parent.parent):
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    for file in data.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    server.stop()


@pytest.mark.parametrize("place, told", [
    ("file", "a file is in its place"), ("file/data", "a file is in its place"),
    ("/proc/data", "cannot be created"), ("x" * 300, "too long")])
def test_a_data_directory_that_cannot_be_is_told_in_one_sentence(tmp_path, place, told):
    (tmp_path / "file").write_text("")
    result = serve_in(tmp_path / place)
    assert result.returncode == 1 and told in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_without_a_home_the_data_directory_must_be_named():
    result = program.run("serve", env=program.clean_environment())
    assert result.returncode == 2
    assert "give --data DIR, or set PARLEY_DATA" in result.stderr


@pytest.mark.parametrize("env, expected", [
    ({"HOME": "/home/ana"}, "/home/ana/.local/share/parley"),
    ({"HOME": "/home/ana", "XDG_DATA_HOME": "/xdg"}, "/xdg/parley"),
    ({"HOME": "/home/ana", "XDG_DATA_HOME": "/xdg", "PARLEY_DATA": "/srv/data"}, "/srv/data"),
])
def test_the_data_directory_is_the_first_that_is_named(env, expected):
    result = program.run("serve", "--print-settings", env=program.clean_environment(**env))
    assert expected in result.stdout.splitlines()[0]
    result = program.run("serve", "--print-settings", "--data", "/other/",
                         env=program.clean_environment(**env))
    assert "/other" in result.stdout.splitlines()[0]


def test_two_servers_do_not_share_a_data_directory(start, tmp_path):
    data = tmp_path / "data"
    first = start("--data", data)
    result = serve_in(data)
    assert result.returncode == 1
    assert result.stderr == (f"parley: Another Parley (process {first.pid}) uses {data}; stop it, "
                             "or give another --data.\n")
    first.process.kill()
    first.wait()
    second = start("--data", data)
    assert second.is_alive()
