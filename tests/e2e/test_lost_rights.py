"""Pending answers of a user who loses the rights: nothing is delivered, and answers that are not stored are
not computed further."""
import pytest

import automations
import chats
import completions
import people
import responses
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


def busy(house, name='parley_runs{state="running"}'):
    """The number of running answers, or another figure."""
    with chats.wire.Connection(house.server.metrics_address) as connection:
        text = connection.ask("GET", "/metrics").body.decode()
    return int(float(next(line.split()[-1] for line in text.splitlines() if line.startswith(name))))


def check_tells_nothing(response, code):
    """Of a run, its id included: who asks with a token that is not valid must not learn that it exists."""
    assert response.status == 401, (response.status, response.body)
    assert response.header("www-authenticate")
    assert (response.json().get("error") or response.json())["code"] == code
    assert response.header("x-run-id") is None and response.header("idempotency-replayed") is None
    assert b"run_" not in response.body


WAYS = {
    "unstored": lambda person: completions.post(person, SILENT),
    "unstored stream": lambda person: completions.post(person, SILENT, stream=True),
    "stored": lambda person: completions.post(person, SILENT, store=True),
    "query": lambda person: person.query(SILENT),
    "response": lambda person: responses.post(person, SILENT),
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
    check_tells_nothing(response, "invalid_token" if way == "query" else "invalid_api_key")
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


@pytest.mark.parametrize("way, ask, code", [
    ("query", lambda person, key: person.query(SILENT, key), "invalid_token"),
    ("completion", lambda person, key: completions.post(person, SILENT, key, store=True), "invalid_api_key"),
    ("response", lambda person, key: responses.post(person, SILENT, key), "invalid_api_key")],
    ids=["query", "completion", "response"])
def test_a_repeated_answer_is_not_delivered(house, way, ask, code):
    """Two tokens of a user ask with one key; the one of the second call is revoked while it waits."""
    user = house.add(f"twice-{way}")
    token = house.token_for(user)
    owner, other = (chats.Person(house, each["token"]) for each in (house.token_for(user), token))
    key = {"Idempotency-Key": "twice"}
    before = busy(house, "parley_run_readers")

    def ask_or_lose(number):
        people.until(lambda: busy(house, "parley_run_readers") >= before + number)
        if number < 2:
            return ask((owner, other)[number], key)
        lose(house, user, token, "revoked")
        people.until(lambda: busy(house, "parley_run_readers") == before + 1)
        run, = owner.get("/chat/runs?status=running")["data"]
        return owner.cancel(run)
    first, second, run = people.at_once(3, ask_or_lose)
    check_tells_nothing(second, code)
    assert first.header("x-run-id") == run["id"] and first.status != 401, "the first call's token is valid"
    people.until(lambda: busy(house) == 0)


def test_a_run_of_an_automation_that_was_waited_for_is_not_delivered(house):
    user = house.add("waiting")
    owner, token = (house.token_for(user, scopes=automations.SCOPES) for _ in range(2))
    person = chats.Person(house, token["token"])
    automation = automations.created(chats.Person(house, owner["token"]), message="{words:4} {delay_ms:1000}")

    def start_or_lose(number):
        if number == 0:
            return person.request("POST", f"/automations/{automation['id']}/runs", {}, {"Prefer": "wait=60"})
        people.until(lambda: busy(house) > 0)
        return lose(house, user, token, "revoked")
    response, _ = people.at_once(2, start_or_lose)
    people.refused(response, 401, "invalid_token")
    assert b"w1" not in response.body
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
