"""Limits: the number of admissions, the keys that are counted, and the header fields."""
import bisect
import concurrent.futures
import re
import signal
import time
import typing

import pytest

import people
import program
import wire
from people import ROOMY, faults, refused

QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded"
PROXY = {**ROOMY, "server.trusted_proxies": "127.0.0.1/32", "limits.auth": 10}
TOO_LONG = "x" * 1025  # A password that is refused without hashing, but counted.


def standing(response):
    """(class, limit, window, remaining, seconds) from all five header fields."""
    policy = re.fullmatch(r'"(\w+)";q=(\d+);w=(\d+)', response.header("ratelimit-policy"))
    now = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', response.header("ratelimit"))
    assert policy[1] == now[1]
    assert response.header("x-ratelimit-limit") == policy[2]
    assert response.header("x-ratelimit-remaining") == now[2]
    assert abs(int(response.header("x-ratelimit-reset")) - time.time() - int(now[3])) < 5
    return policy[1], int(policy[2]), int(policy[3]), int(now[2]), int(now[3])


def limited(response, of, limit, window=60):
    """Checks a 429 completely, and returns the seconds to wait."""
    problem = refused(response, 429, "rate_limited", "violated-policies")
    assert problem["type"] == QUOTA_EXCEEDED and problem["violated-policies"] == [of]
    wait = int(response.header("retry-after"))
    assert standing(response) == (of, limit, window, 0, wait) and 1 <= wait <= window
    return wait


def from_address(address):
    return {"X-Forwarded-For": address}


def attempt(house, username, address=None, password=TOO_LONG):
    return house.try_login(username, password,
                           headers=from_address(address) if address else None)


def test_the_101st_request_of_a_user_is_one_too_many():
    with people.house(settings={"limits.general": 100}) as house:
        other = house.token_for(house.add("other"))["token"]
        told = []
        while (response := house.ask("GET", "/me", house.admin)).status == 200:
            told.append(standing(response))
        # Two were used to create the other user and its token.
        assert [entry[:4] for entry in told] == [("general", 100, 60, left)
                                                 for left in range(97, -1, -1)]
        assert all(1 <= entry[4] <= 60 for entry in told)
        limited(response, "general", 100)
        for _ in range(3):  # Unknown paths and forbidden requests are limited, too.
            limited(house.ask("GET", "/nothing", house.admin), "general", 100)
            limited(house.ask("DELETE", "/me", house.admin), "general", 100)
        assert standing(house.ask("GET", "/me", other))[3] == 99, "each user has their own"
        assert standing(house.ask("GET", "/me"))[3] == 99, "and so has each address"
        assert house.login("olga"), "another class is not concerned"


def test_without_a_token_the_address_counts():
    with people.house(settings={**PROXY, "limits.general": 5}) as house:
        first, second = from_address("192.0.2.1"), from_address("192.0.2.2")
        answers = [house.ask("GET", "/me", headers=first),
                   house.ask("GET", "/me", "plp_nonsense", headers=first),
                   house.ask("OPTIONS", "/me", headers=first),
                   house.ask("GET", "/nothing", headers=first),
                   house.ask("POST", "/auth/login", people.invented_token(), {}, headers=first)]
        assert [answer.status for answer in answers] == [401, 401, 204, 401, 401]
        assert [standing(answer)[:4] for answer in answers] == [
            ("general", 5, 60, left) for left in range(4, -1, -1)]
        for token in (None, people.invented_token()):
            limited(house.ask("GET", "/me", token, headers=first), "general", 5)
        limited(house.ask("OPTIONS", "/me", headers=first), "general", 5)
        assert house.ask("GET", "/me", headers=second).status == 401
        assert house.ask("GET", "/me", house.admin, headers=first).status == 200


def test_every_answer_under_v1_tells_how_it_stands():
    with people.house() as house:
        admin = house.admin
        asked = [  # Asked one by one, since the header fields tell how it stands at that time.
            ("general", 200, lambda: house.ask("GET", "/me", admin)),
            ("general", 200, lambda: house.ask("HEAD", "/me", admin)),
            ("general", 204, lambda: house.ask("OPTIONS", "/me")),
            ("general", 401, lambda: house.ask("GET", "/me")),
            ("general", 401, lambda: house.ask("POST", "/auth/login", "x", {})),
            ("general", 403, lambda: house.ask("GET", "/me", house.client_token)),
            ("general", 404, lambda: house.ask("GET", "/nothing", admin)),
            ("general", 405, lambda: house.ask("DELETE", "/me", admin)),
            ("general", 501, lambda: house.ask("BREW", "/me", admin)),
            ("general", 400, lambda: house.ask("GET", "/me", admin, headers={"AUTHORIZATION": "x"})),
            ("general", 400, lambda: house.ask("POST", "/tokens", admin, b"{")),
            ("general", 400, lambda: house.ask("GET", "/users?after=x", admin)),
            ("general", 415, lambda: house.ask("POST", "/tokens", admin, b"{}", {"Content-Type": "text/plain"})),
            ("general", 422, lambda: house.ask("GET", "/me?x=y", admin)),
            ("general", 204, lambda: house.ask("POST", "/auth/logout", house.login("olga")["access_token"])),
            ("auth", 200, lambda: house.try_login("olga")),
            ("auth", 401, lambda: house.try_login("olga", "wrong")),
            ("auth", 422, lambda: house.ask("POST", "/auth/login", admin, {})),
            ("auth", 400, lambda: house.ask("POST", "/auth/login", admin, b"[")),
            ("auth", 401, lambda: house.refresh("x")),
            ("auth", 422, lambda: house.ask("PUT", "/me/password", admin, {})),
            ("auth", 401, lambda: house.ask("POST", "/auth/setup", house.client_token, {
                "setup_code": "x", "username": "olga", "password": "some phrase"}))]
        for of, status, ask in asked:
            response = ask()
            assert response.status == status, response.body
            assert standing(response)[:3] == (of, 5000, 60), (status, of)
        with wire.Connection(house.server.address) as connection:
            assert connection.ask("GET", "/healthz").header("ratelimit") is None
            assert connection.ask("GET", "/v1").header("ratelimit") is not None


def test_the_11th_login_from_an_address_is_one_too_many():
    """X-Forwarded-For is used only from a trusted proxy."""
    with people.house(settings={"limits.auth": 10}) as house:
        for left in range(8, -1, -1):  # One was used by the set-up.
            answer = attempt(house, f"name {left}", f"192.0.2.{left}")
            assert faults(answer) and standing(answer)[:4] == ("auth", 10, 60, left)
        limited(attempt(house, "one more", "192.0.2.99"), "auth", 10)
        limited(house.try_login("olga"), "auth", 10)
        limited(house.refresh(house.operator["refresh_token"]), "auth", 10)
        limited(house.ask("PUT", "/me/password", house.admin, {}), "auth", 10)
        assert house.works(house.admin), "another class is not concerned"


def test_logins_are_counted_by_name_wherever_they_come_from():
    with people.house(settings=PROXY) as house:
        spellings = ["Ren\u00e9", "rene\u0301", "REN\u00c9"]
        for number in range(10):
            answer = attempt(house, spellings[number % 3], f"192.0.2.{number}", "wrong")
            refused(answer, 401, "invalid_credentials")
            assert standing(answer)[3] == 9 - number, "the tighter of the two is told"
        for spelling in spellings:
            limited(attempt(house, spelling, "198.51.100.1"), "auth", 10)
        answer = attempt(house, "another", "198.51.100.1")
        assert standing(answer)[3] == 9, "refused ones cost nothing, neither name nor address"


def test_an_ipv6_network_counts_as_one_address():
    with people.house(settings=PROXY) as house:
        for number in range(10):
            answer = attempt(house, f"n{number}", f"2001:db8:1:2::{number:x}")
            assert standing(answer)[3] == 9 - number
        limited(attempt(house, "more", "2001:db8:1:2:ffff:ffff:ffff:ffff"), "auth", 10)
        limited(attempt(house, "more", "[2001:db8:1:2::77]:4711"), "auth", 10)
        assert standing(attempt(house, "more", "2001:db8:1:3::1"))[3] == 9
        assert standing(attempt(house, "mapped", "192.0.2.1"))[3] == 9
        assert standing(attempt(house, "mapped 2", "::ffff:192.0.2.1"))[3] == 8


def test_only_what_a_trusted_proxy_says_counts():
    with people.house(settings=PROXY) as house:
        for number in range(10):
            attempt(house, f"n{number}", f"10.9.8.{number}, 192.0.2.7")
        limited(attempt(house, "more", "10.9.8.77, 192.0.2.7"), "auth", 10)
        limited(attempt(house, "more", "192.0.2.7, 127.0.0.1"), "auth", 10)
        assert attempt(house, "more", "192.0.2.8").status == 422


def test_refreshing_is_counted_by_login():
    with people.house(settings=PROXY) as house:
        house.add("rita")
        one, other = (house.try_login("rita", headers=from_address("192.0.2.200")).json()
                      for _ in range(2))

        def refresh(login, address):
            return house.ask("POST", "/auth/refresh", house.client_token,
                             {"refresh_token": login["refresh_token"]}, from_address(address))

        for number in range(10):
            answer = refresh(one, f"192.0.2.{number}")
            assert answer.status == 200 and standing(answer)[:4] == ("auth", 10, 60, 9 - number)
            one = answer.json()
        limited(refresh(one, "198.51.100.1"), "auth", 10)
        assert refresh(other, "198.51.100.1").status == 200
        assert standing(attempt(house, "rita", "198.51.100.2"))[3] == 7, "the name: three logins"


def test_whoever_waits_as_told_is_admitted():
    with people.house(settings={"limits.general": 3, "limits.window_s": 2}) as house:
        for _ in range(2):
            answers = [house.ask("GET", "/me", house.admin) for _ in range(8)]
            people.until(lambda: answers[-1].status == 429 or answers.append(
                house.ask("GET", "/me", house.admin)))
            time.sleep(limited(answers[-1], "general", 3, 2))
            assert house.ask("GET", "/me", house.admin).status == 200


def test_a_refused_request_costs_nothing():
    with people.house(settings={"limits.general": 2, "limits.window_s": 3}) as house:
        asked = []

        def status_of_next():
            before = time.monotonic()
            answer = house.ask("GET", "/me", house.admin)
            asked.append(Asked(before, time.monotonic(), answer.status))
            if answer.status == 429:
                limited(answer, "general", 2, 3)
                time.sleep(0.01)
            return answer.status
        assert [status_of_next() for _ in range(2)] == [200, 200]
        while status_of_next() == 429:
            pass
        first, last = asked[0], asked[-1]
        assert last.heard - first.sent >= 3, "not too early"
        # Nor late, though hundreds were refused in between. However slow the machine is, a request that is sent after
        # the time is admitted.
        assert asked[-2].sent - first.heard < 3 + 0.5


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_restart_forgets_nothing(start, tmp_path, end):
    def open_house():
        return people.House(start("--data", tmp_path / "data", settings={
            "limits.general": 5, "limits.auth": 3}))

    def close(opened):
        opened.server.signal(end)
        assert opened.server.wait() == (0 if end == signal.SIGTERM else -end)

    house = open_house().set_up()
    token = house.admin
    for left in (4, 3, 2):
        assert standing(house.ask("GET", "/me", token))[3] == left
    assert standing(attempt(house, "x"))[3] == 1
    close(house)
    house = open_house()
    people.until(lambda: not (house.server.data / "setup-link").exists())
    for left in (1, 0):
        assert standing(house.ask("GET", "/me", token))[3] == left
    assert standing(attempt(house, "y"))[3] == 0
    close(house)
    house = open_house()
    limited(house.ask("GET", "/me", token), "general", 5)
    limited(attempt(house, "z"), "auth", 3)


def test_how_one_stands_can_be_asked():
    with people.house(settings={"limits.chat": 30, "limits.auth": 10, "limits.general": 100,
                                "limits.window_s": 60}) as house:
        response = house.ask("GET", "/limits", house.admin)
        shown = response.json()
        assert response.status == 200 and set(shown) == {"object", "data"}
        assert shown["object"] == "limits"
        by_class = {each["class"]: each for each in shown["data"]}
        assert by_class["chat"] == {"class": "chat", "limit": 30, "window_seconds": 60,
                                    "remaining": 30, "reset_seconds": 0}
        for of, limit, left in (("auth", 10, 9), ("general", 100, 99)):
            assert 1 <= by_class[of].pop("reset_seconds") <= 60
            assert by_class[of] == {"class": of, "limit": limit, "window_seconds": 60,
                                    "remaining": left}
        assert standing(response)[:4] == ("general", 100, 60, 99)


LIMIT, WINDOW = 20, 1


class Asked(typing.NamedTuple):
    """The server decided at some time between `sent` and `heard`. Status None: unknown, because the server
    was killed or stopped in between."""
    sent: float
    heard: float
    status: int | None


class Client:
    """Sends requests for one user, over one connection while it lasts, to the current server."""

    def __init__(self, find_server, token):
        self.find_server = find_server
        self.request = wire.request_bytes("GET", "/v1/api/me", {"Authorization": f"Bearer {token}"})
        self.connection = None
        self.asked = []
        self.admitted = 0
        self.was_refused = False

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def ask(self):
        """The response; None if there was none, or if the server is shutting down."""
        sent, response = None, None
        try:
            if not self.connection:
                self.connection = wire.Connection(self.find_server().address,
                                                  timeout=program.PATIENCE)
            sent = time.monotonic()
            self.connection.send(self.request)
            response = self.connection.read_response()
        except (OSError, AssertionError):  # No server, or cut off in the middle.
            pass
        if response is None or response.closes:
            self.close()
        if response is not None and response.status == 503:
            response = None
        if sent is not None:
            self.asked.append(Asked(sent, time.monotonic(), response and response.status))
        if response is None:
            time.sleep(0.01)
        elif response.status == 200:
            self.admitted += 1
        else:
            self.was_refused = True
        return response

    def hammer(self, until):
        """As fast as it can."""
        while time.monotonic() < until():
            self.ask()
        self.close()

    def obey(self, until):
        """Sends requests until one is refused, waits as told, and must then be admitted: no other client uses
        this limit. (A request without a response may have used it.)"""
        waited = False
        while time.monotonic() < until():
            response = self.ask()
            if response is None or response.status == 200:
                waited = False
            else:
                assert not waited, "it waited as it was told and was refused"
                time.sleep(int(response.header("retry-after")))
                waited = True
        self.close()


def check_exactness(asked, limit, window):
    """Checks what these times prove: never more than the limit in any window, and no unnecessary refusal."""
    admitted = sorted(each for each in asked if each.status == 200)
    for begin, *_ in admitted:
        surely = sum(each.sent >= begin and each.heard < begin + window for each in admitted)
        assert surely <= limit, f"{surely} in a window of {window} s"
    possible = [each for each in asked if each.status != 429]
    sent, heard = sorted(each.sent for each in possible), sorted(each.heard for each in possible)
    for asked_at, told_at, status in asked:
        if status == 429:
            perhaps = (bisect.bisect_left(sent, told_at) -
                       bisect.bisect_right(heard, asked_at - window))
            assert perhaps >= limit, f"refused, though only {perhaps} were admitted"
    return admitted


def all_at_once(works):
    """Runs each in its own thread, and raises their exceptions."""
    with concurrent.futures.ThreadPoolExecutor(len(works)) as threads:
        for each in [threads.submit(work) for work in works]:
            each.result()


def test_it_is_exact_wherever_the_window_begins():
    with people.house(settings={"limits.general": LIMIT, "limits.window_s": WINDOW}) as house:
        clients = [Client(lambda: house.server, house.admin) for _ in range(8)]
        begun = time.monotonic()

        def end():
            """After some windows, and later if a slow machine has filled fewer of them."""
            admitted, asked = (sum(each) for each in zip(*((one.admitted, len(one.asked)) for one in clients)))
            is_enough = admitted >= 4 * LIMIT and asked - admitted > LIMIT
            return begun + (4.5 * WINDOW if is_enough else program.PATIENCE)
        all_at_once([lambda each=each: each.hammer(end) for each in clients])
    everything = [each for client in clients for each in client.asked]
    assert {each.status for each in everything} == {200, 429}
    admitted = check_exactness(everything, LIMIT, WINDOW)
    assert len(admitted) >= 4 * LIMIT and len(everything) - len(admitted) > LIMIT


def test_it_stays_exact_while_the_server_is_restarted_and_killed(start, tmp_path):
    """Eight clients exhaust one user's limit, two more obey their own limits, over several windows; meanwhile
    the server ends twice: by an operator, and by kill -9. Both times just after a window was filled: a
    server that lost its counts would fill it again."""
    window = 2

    def open_server():
        return start("--data", tmp_path / "data",
                     settings={"limits.general": LIMIT, "limits.window_s": window})

    house = people.House(open_server()).set_up()
    servers = [house.server]
    busy, *calm = [house.token_for(house.add(name))["token"] for name in ("ana", "bob", "eve")]
    clients = [Client(lambda: servers[-1], busy) for _ in range(8)]
    obeying = [Client(lambda: servers[-1], token) for token in calm]
    end = float("inf")

    def admissions():
        return sum(client.admitted for client in clients)

    def disturb():
        nonlocal end
        try:
            for number in (signal.SIGTERM, signal.SIGKILL):
                enough = admissions() + 2 * LIMIT
                people.until(lambda: admissions() >= enough)
                servers[-1].signal(number)
                assert servers[-1].wait() == (0 if number == signal.SIGTERM else -number)
                servers.append(open_server())
            # On a slow machine they need some windows until one of them is filled.
            people.until(lambda: all(each.was_refused for each in obeying))
        finally:
            end = time.monotonic() + 1.5 * window

    all_at_once([disturb] +
                [lambda each=each: each.hammer(lambda: end) for each in clients] +
                [lambda each=each: each.obey(lambda: end) for each in obeying])
    admitted = check_exactness([each for client in clients for each in client.asked], LIMIT, window)
    assert len(admitted) >= 4 * LIMIT, "several windows were filled"
    for client in obeying:
        assert len(check_exactness(client.asked, LIMIT, window)) >= LIMIT
        assert any(each.status == 429 for each in client.asked)
