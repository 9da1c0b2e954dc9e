"""Logins at an OpenID provider, in a real browser."""
import socket

import pytest

import people
import providers
from flows import add_user, PASSWORD, SETTINGS


@pytest.fixture(name="team")
def one_team(start):
    """A server and its provider: each has to know the address of the other one before it starts."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        address = "127.0.0.1:%d" % place.getsockname()[1]
    url = f"http://{address}"
    with providers.provider(redirect_uri=url + "/") as provider:
        settings = {**SETTINGS, **provider.settings(name="Team"), "server.public_url": url}
        house = people.House(start("--listen", address, settings=settings)).set_up(password=PASSWORD)
        add_user(house, "ana")
        yield house, provider


@pytest.mark.parametrize("name", ["there_and_back", "replaces_another_login"])
def test_logins_at_a_provider(flow, team, name):
    house, provider = team
    provider.put("1", preferred_username="bob", name="Bob B.")
    provider.put("2", preferred_username="cleo", name="Cleo C.")
    flow(house.server, "provider.mjs", name, provider=lambda: provider.issuer,
         works=lambda token: house.ask("GET", "/me", token).status == 200)
