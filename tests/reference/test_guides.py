"""Every example of the guides does what the guide says, against a real server."""
import pathlib

import pytest

import program
import readme

GUIDES = sorted((program.ROOT / "docs/guides").glob("*.md"))
PASSWORD = "correct horse battery staple"


def examples():
    for page in GUIDES:
        for number, example in enumerate(readme.examples(page.read_text("utf-8")), 1):
            yield pytest.param(example, id=f"{page.stem}-{number}-{example.language}")


@pytest.fixture(scope="module")
def variables():
    """A server with a user as the guides have it, and the variables that they speak of."""
    started = program.Program(settings={"limits.chat": 1000, "limits.auth": 1000,
                                        "limits.general": 1000})
    made = program.run("user", "add", "ana", "--password-stdin", "--data", str(started.data),
                       input=PASSWORD + "\n")
    assert made.returncode == 0, made.stderr
    token = program.run("token", "create", "--user", "ana", "--name", "guides", "--scope",
                        "chat:read", "--scope", "chat:write", "--scope", "account",
                        "--data", str(started.data))
    assert token.returncode == 0, token.stderr
    client = (pathlib.Path(started.data) / "client-token").read_text("utf-8").strip()
    yield program.clean_environment(PARLEY=started.url(), TOKEN=token.stdout.strip(),
                                    CLIENT_TOKEN=client)
    started.stop()


@pytest.mark.parametrize("example", list(examples()))
def test_example(variables, example, tmp_path):
    readme.run(example, tmp_path, env=variables)


def test_every_way_to_call_is_shown_where_it_matters():
    shown = {(page.stem, example.language) for page in GUIDES
             for example in readme.examples(page.read_text("utf-8"))}
    for guide in ("first-call", "logging-in", "streaming", "limits", "errors", "idempotency",
                  "rehearsing"):
        for language in ("sh", "python", "js"):
            assert (guide, language) in shown
