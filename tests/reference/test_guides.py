"""Every example of the guides works as shown, against a real server with its default model, and only with the
set-up of the guide itself."""
import functools

import pytest

import newcomer
import program
import readme

pytestmark = program.once

GUIDES = sorted((program.ROOT / "docs/guides").glob("*.md"))
ADDRESS = "http://127.0.0.1:8080"
# All other guides use the variables of this one.
FIRST = program.ROOT / "docs/guides/first-call.md"


def examples():
    for page in GUIDES:
        for number, example in enumerate(readme.examples(page.read_text("utf-8")), 1):
            yield pytest.param(page, example, id=f"{page.stem}-{number}-{example.language}")


class Reader:
    """A reader who starts a server as `make run` does, and follows the guides exactly."""

    def __init__(self, server):
        self.replace = [(ADDRESS, server.url()), ("build/release/parley", str(program.BINARY))]
        self.environment = program.clean_environment(PARLEY_DATA=str(server.data))

    @functools.cache
    def variables(self, page):
        before = self.environment if page == FIRST else self.variables(FIRST)
        return readme.variables(page.read_text("utf-8"), program.ROOT, self.replace, before)

    def run(self, page, example, folder):
        readme.run(example, folder, self.replace, env=self.variables(page))


@pytest.fixture(scope="module", name="reader")
def reader_of_guides():
    """All guides are run within a minute here, so the server has higher limits."""
    settings = {"limits.chat": 1000, "limits.auth": 1000, "limits.general": 1000,
                "webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8"}
    with newcomer.server(settings) as server:
        yield Reader(server)


@pytest.mark.parametrize("page, example", list(examples()))
def test_example(reader, page, example, tmp_path):
    reader.run(page, example, tmp_path)


def test_every_way_to_call_is_shown_where_it_matters():
    shown = {(page.stem, example.language) for page in GUIDES
             for example in readme.examples(page.read_text("utf-8"))}
    for guide in ("first-call", "logging-in", "streaming", "limits", "errors", "idempotency",
                  "rehearsing"):
        for language in ("sh", "python", "js"):
            assert (guide, language) in shown
