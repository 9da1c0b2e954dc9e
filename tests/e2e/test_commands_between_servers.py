"""Commands without a running server: they open the store with the settings of the server, and leave every
other file of the data directory unchanged."""
import hashlib
import json
import re

import pytest

import ggufs
import people
import program

PASSWORD = "an old oak behind the barn"
SETTINGS = {"limits.general": 1000, "limits.chat": 77, "limits.auth": 55, "limits.window_s": 3600}
BESIDE = {"parley.db-wal", "parley.db-shm"}  # SQLite's own files; reading creates them, too.
STORE = {"parley.db"} | BESIDE
REQUESTS = 40

# Each command with the files that it must change: the store, or others by their first folder. The test
# provides {backup} and {model}.
CHANGES_THE_STORE = [
    ("user", "add", "bob", "--password-stdin"), ("user", "disable", "bob"), ("user", "enable", "bob"),
    ("user", "passwd", "bob", "--password-stdin"), ("user", "reset-link", "bob"), ("user", "budget", "bob", "1000"),
    ("user", "limits", "bob", "--chat", "5"), ("user", "role", "bob", "operator"), ("user", "role", "bob", "member"),
    ("user", "invite", "bob"),
    ("token", "create", "--user", "bob"),
    ("token", "create", "--client"), ("token", "revoke", "--user", "bob", "{token}"),
    ("audit", "note", "seen"),
]
CHANGES_NOTHING = [
    ("user", "list"), ("token", "list", "--user", "olga"), ("token", "list", "--client"), ("audit",),
    ("model", "list"), ("doctor",), ("openapi",), ("completion", "bash"), ("man",), ("version",),
    ("serve", "--print-settings"),
]
REFUSED = [("chat", "hello"), ("automation", "list"), ("webhook", "list"), ("events",), ("health",),
           ("restore", "{backup}"), ("import", "{backup}"), ("export",), ("replicas",),
           ("user", "remove", "olga", "--yes"), ("user", "totp-remove", "olga")]


def files_of(directory):
    """The content of every file by path; without the lock, which names the last process."""
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in directory.rglob("*") if path.is_file() and path.name != "lock"}


class Between:
    """A data directory whose server has stopped, and that server's limits."""

    def __init__(self, folder):
        self.directory = folder / "data"
        self.config = folder / "parley.toml"
        self.config.write_text("[limits]\n" + "".join(
            f"{key.removeprefix('limits.')} = {value}\n" for key, value in SETTINGS.items()))
        self.backup = folder / "backup.db"
        self.model = folder / "tiny.gguf"
        self.model.write_bytes(ggufs.model())
        with people.house("--data", str(self.directory), settings=SETTINGS) as house:
            self.token = house.token_for(house.add("ana"), scopes=["account", "chat:read"])["token"]
            for _ in range(REQUESTS):
                assert house.ask("GET", "/me", self.token).status == 200
            self.remaining = self.remaining_in(house)
        assert self.remaining["general"] == 1000 - REQUESTS - 1
        (self.directory / "model-cache").mkdir()
        (self.directory / "model-cache" / "smollm2-135m.kept").write_bytes(b"read before")

    def remaining_in(self, house):
        """The remaining requests, by class; this request counts, too."""
        told = house.get("/limits", self.token)["data"]
        return {each["class"]: each["remaining"] for each in told}

    def run(self, *arguments, settings=True):
        values = {"{backup}": self.backup, "{model}": self.model}
        arguments = [values.get(each, each) for each in arguments]
        reads_settings = arguments[0] not in ("openapi", "completion", "man", "version")
        return program.run(*arguments, "--data", self.directory,
                           *(("--config", self.config) if reads_settings and settings else ()),
                           input=PASSWORD + "\n")

    def changed_by(self, *arguments, fails=False, settings=True):
        """The files that a command has changed, created or removed."""
        before = files_of(self.directory)
        done = self.run(*arguments, settings=settings)
        assert (done.returncode != 0) == fails, (arguments, done.stdout, done.stderr)
        after = files_of(self.directory)
        self.said = done.stdout
        return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


@pytest.fixture(scope="module", name="between")
def between_two_servers(tmp_path_factory):
    return Between(tmp_path_factory.mktemp("between"))


def test_the_table_names_every_command():
    listed = program.run("--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
    tried = {command[0] for command in (*CHANGES_THE_STORE, *CHANGES_NOTHING, *REFUSED)}
    assert set(re.findall(r"^  (\S+)", listed, re.M)) == tried | {"backup"}


@pytest.mark.parametrize("settings", [True, False], ids=["with settings", "without settings"])
def test_commands_change_what_they_are_asked_to_change_and_no_other_file(between, settings):
    for command in CHANGES_NOTHING:
        assert between.changed_by(*command, settings=settings) <= BESIDE, command
    token = None
    for command in CHANGES_THE_STORE:
        words = [token if word == "{token}" else word for word in command]
        changed = between.changed_by(*words, settings=settings)
        assert changed and changed <= STORE, (command, changed)
        if words[:2] == ["token", "create"] and "--user" in words:
            listed = between.run("token", "list", "--user", "bob", "--json").stdout.splitlines()
            token = json.loads(listed[0])["id"]
    for command in REFUSED:
        assert between.changed_by(*command, fails=True, settings=settings) <= STORE, command
    between.backup.unlink(missing_ok=True)
    assert between.changed_by("backup", "{backup}", settings=settings) <= STORE
    assert between.changed_by("model", "add", "{model}", "--name", f"tiny-{settings}".lower(),
                              settings=settings) - BESIDE == {f"models/tiny-{settings}.gguf".lower()}
    for added in (between.directory / "models").iterdir():
        added.unlink()  # Only the form of a model: no server could load it.
    # Without a loaded model, removing a user deletes the whole prompt cache.
    between.backup.unlink()
    kept = between.directory / "model-cache" / "smollm2-135m.kept"
    text = kept.read_bytes()
    changed = between.changed_by("user", "remove", "bob", "--yes", settings=settings)
    assert changed - STORE == {"model-cache/smollm2-135m.kept"}
    kept.parent.mkdir()
    kept.write_bytes(text)


def test_the_next_server_goes_on_with_the_same_limits(between):
    """After all the commands above, all requests still count."""
    server = program.Program("--data", str(between.directory), settings=SETTINGS)
    try:
        left = between.remaining_in(people.House(server))
    finally:
        server.stop()
    assert left == {**between.remaining, "general": between.remaining["general"] - 1}


def test_settings_are_those_of_the_server(between):
    """From --config, the environment and --set, as `parley serve` reads them."""
    for arguments, words in ((("--config", "/nowhere.toml"), "/nowhere.toml"),
                             (("--set", "limits.genral=5"), "limits.general"),
                             (("--set", "store.kind=memory"), "in memory")):
        done = program.run("user", "list", "--data", between.directory, *arguments)
        assert done.returncode == 1 and words in done.stderr, done
    done = program.run("user", "list", env=program.clean_environment(
        PARLEY_DATA=str(between.directory), PARLEY_LIMITS_GENRAL="5"))
    assert done.returncode == 1 and "PARLEY_LIMITS_GENERAL" in done.stderr


def test_the_first_user_makes_the_data_directory(tmp_path, start):
    directory = tmp_path / "new"
    made = program.run("user", "add", "ana", "--role", "operator", "--password-stdin", "--data",
                       directory, input=PASSWORD)
    assert made.returncode == 0 and made.stdout.startswith("ana  operator  active")
    assert made.stderr == f"Created a new data directory: {directory}\n"
    assert directory.stat().st_mode & 0o777 == 0o700
    assert set(files_of(directory)) - BESIDE == {"parley.db"}
    again = program.run("user", "add", "bob", "--password-stdin", "--data", directory, input=PASSWORD)
    assert again.returncode == 0 and again.stderr == ""
    house = people.House(start("--data", str(directory)))
    assert house.login("ana", PASSWORD)["user"]["role"] == "operator"
    assert not (directory / "setup-link").exists()
