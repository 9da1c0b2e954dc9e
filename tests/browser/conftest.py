"""A browser for the flows beside this file: flow(server, "asking.mjs", "stops", name=handler, …) runs one of
them against a server. Actions that a browser cannot do are handlers that the flow calls. All flows share
one browser, and most of them one server (`home`), on which each has its own user."""
import shutil

import pytest

import node
import people
import program
from flows import ALL, HERE, PASSWORD, SETTINGS, Browser, Home, add_user

# Browser tests are slow, and all other tests run with the sanitizers.
ONCE = pytest.mark.skipif(program.CHECKS_VPTRS and not ALL, reason="tested with the release build alone")
NODE = (18, 19)
PICTURES = program.ROOT / "build/pictures"


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(ONCE)


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium, "these tests need Chromium (on Debian: the package chromium)"
    packages = node.packages(HERE / "npm", node.cache() / "browser-npm", NODE)
    PICTURES.mkdir(parents=True, exist_ok=True)
    one = Browser([*node.commands(NODE)[0], HERE / "run.mjs", packages, chromium, PICTURES])
    yield one
    one.end()


@pytest.fixture
def flow(browser):
    def run(server, file, name, users=None, **handlers):
        said = browser.flow(server.url(), file, name, users or {}, handlers)
        assert said["faults"] == [], "\n".join(said["faults"])
        return said["result"]
    return run


@pytest.fixture(scope="session")
def home():
    one = Home()
    yield one
    one.server.stop()


@pytest.fixture
def at_home(flow, home):
    """Runs a flow as a new user of the shared server: at_home("asking.mjs", "stops")."""
    def run(file, name, username=None, **handlers):
        result = flow(home.server, file, name, users={"ana": username or home.new_user()}, **handlers)
        assert home.server.is_alive()
        return result
    return run


@pytest.fixture
def with_ana(start):
    """Starts a separate server with a member, Ana: with_ana(settings={…})."""
    def begin(*arguments, settings=None):
        server = start(*arguments, settings={**SETTINGS, **(settings or {})})
        add_user(people.House(server).set_up(password=PASSWORD), "ana")
        return server
    return begin
