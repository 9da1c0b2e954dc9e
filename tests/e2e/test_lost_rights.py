"""Pending answers of a user who loses the rights: nothing is delivered, and answers that are not stored are
not computed further."""
import pytest

import chats
import completions
import people
import upstreams

SILENT = "{first_delay_ms:60000} hello"


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="house", scope="module")
def one_house(mock, tmp_path_factory):
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    with chats.house(upstreams.settings_of(mock, key, "unheard")) as opened:
        yield opened


def lose(house, user, token, how):
    path = f"/users/{user['id']}"
    if how == "revoked":
        account = house.token_for(user, scopes=["account"])["token"]
        assert house.ask("DELETE", f"/tokens/{token['id']}", account).status == 204
    elif how == "disabled":
        assert house.ask("PATCH", path, house.admin, {"disabled": True}).status == 200
    else:
        assert house.ask("DELETE", path, house.admin).status == 204


def busy(house):
    """The number of running answers."""
    with chats.wire.Connection(house.server.metrics_address) as connection:
        text = connection.ask("GET", "/metrics").body.decode()
    return int(float(next(line.split()[-1] for line in text.splitlines()
                          if line.startswith('parley_runs{state="running"}'))))


WAYS = {
    "unstored": lambda person: completions.post(person, SILENT),
    "unstored stream": lambda person: completions.post(person, SILENT, stream=True),
    "stored": lambda person: completions.post(person, SILENT, store=True),
    "query": lambda person: person.query(SILENT),
    "relayed": lambda person: completions.post(person, "hello", model="unheard"),
}


@pytest.mark.parametrize("how", ["revoked", "disabled", "deleted"])
@pytest.mark.parametrize("way", list(WAYS))
def test_a_plain_answer_is_not_delivered(house, mock, way, how):
    name = f"{way} {how}".replace(" ", "-")
    user = house.add(name)
    token = house.token_for(user)
    person = chats.Person(house, token["token"])
    before = len(mock.asked("unheard"))

    def ask_or_lose(number):
        if number == 0:
            return WAYS[way](person)
        if way == "relayed":
            people.until(lambda: len(mock.asked("unheard")) > before)
        else:
            people.until(lambda: busy(house) > 0)
        return lose(house, user, token, how)
    response, _ = people.at_once(2, ask_or_lose)
    assert response.status == 401, (response.status, response.body)
    assert response.header("www-authenticate")
    code = (response.json().get("error") or response.json())["code"]
    assert code == ("invalid_token" if way == "query" else "invalid_api_key")
    if way == "relayed":
        assert mock.left.acquire(timeout=30), "the other server was told"
    elif how == "deleted" or way.startswith("unstored"):
        people.until(lambda: busy(house) == 0)
    else:
        house.ask("PATCH", f"/users/{user['id']}", house.admin, {"disabled": False})
        owner = chats.Person(house, house.token_for(user)["token"])
        run, = owner.get("/chat/runs")["data"]
        assert run["status"] == "running", "a stored one goes on"
        owner.cancel(run)
        people.until(lambda: busy(house) == 0)


def test_a_token_that_is_being_ended_leaves_no_other_one(house):
    """The holder of a stolen token makes others without pause while an operator sets another password."""
    user = house.add("robbed")
    for number in range(3):
        stolen = house.token_for(user, scopes=["account"])["token"]
        made = []

        def make_or_reset(who, stolen=stolen, made=made, number=number):
            if who == 0:
                people.until(lambda: len(made) > 8)
                return house.ask("PATCH", f"/users/{user['id']}", house.admin,
                                 {"password": f"{people.password_of('robbed')} {number}"}).status
            while True:
                response = house.ask("POST", "/tokens", stolen, {"name": "x", "scopes": ["account"]})
                if response.status != 201:
                    return response.status
                made.append(response.json()["token"])
        assert people.at_once(9, make_or_reset) == [200] + [401] * 8
        assert {house.ask("GET", "/me", token).status for token in made} == {401}
