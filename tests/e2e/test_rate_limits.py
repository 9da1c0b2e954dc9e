"""Limits: how many are admitted, by whom they are counted, and what all are told (CONTRACT §7)."""
import re
import signal
import threading
import time

import pytest

import people
import program
import wire
from people import ROOMY, faults, refused

QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded"
PROXY = {**ROOMY, "server.trusted_proxies": "127.0.0.1/32", "limits.auth": 10}
TOO_LONG = "x" * 1025  # As a password: refused without hashing it, and counted all the same.


def standing(response):
    """(class, limit, window, remaining, seconds) as all five header fields tell it."""
    policy = re.fullmatch(r'"(\w+)";q=(\d+);w=(\d+)', response.header("ratelimit-policy"))
    now = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', response.header("ratelimit"))
    assert policy[1] == now[1]
    assert response.header("x-ratelimit-limit") == policy[2]
    assert response.header("x-ratelimit-remaining") == now[2]
    assert abs(int(response.header("x-ratelimit-reset")) - time.time() - int(now[3])) < 5
    return policy[1], int(policy[2]), int(policy[3]), int(now[2]), int(now[3])


def limited(response, of, limit, window=60):
    """Checks a 429 in all that it says, and gives the seconds to wait."""
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
        # Two were spent on making the other user and its token.
        assert [entry[:4] for entry in told] == [("general", 100, 60, left)
                                                 for left in range(97, -1, -1)]
        assert all(1 <= entry[4] <= 60 for entry in told)
        limited(response, "general", 100)
        for _ in range(3):  # What nobody answers and what is not allowed is limited, too.
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
        asked = [
            ("general", 200, house.ask("GET", "/me", admin)),
            ("general", 200, house.ask("HEAD", "/me", admin)),
            ("general", 204, house.ask("OPTIONS", "/me")),
            ("general", 401, house.ask("GET", "/me")),
            ("general", 401, house.ask("POST", "/auth/login", "x", {})),
            ("general", 403, house.ask("GET", "/me", house.client_token)),
            ("general", 404, house.ask("GET", "/nothing", admin)),
            ("general", 405, house.ask("DELETE", "/me", admin)),
            ("general", 501, house.ask("BREW", "/me", admin)),
            ("general", 400, house.ask("GET", "/me", admin, headers={"AUTHORIZATION": "x"})),
            ("general", 400, house.ask("POST", "/tokens", admin, b"{")),
            ("general", 400, house.ask("GET", "/users?after=x", admin)),
            ("general", 415, house.ask("POST", "/tokens", admin, b"{}",
                                       {"Content-Type": "text/plain"})),
            ("general", 422, house.ask("GET", "/me?x=y", admin)),
            ("general", 204, house.ask("POST", "/auth/logout",
                                       house.login("olga")["access_token"])),
            ("auth", 200, house.try_login("olga")),
            ("auth", 401, house.try_login("olga", "wrong")),
            ("auth", 422, house.ask("POST", "/auth/login", admin, {})),
            ("auth", 400, house.ask("POST", "/auth/login", admin, b"[")),
            ("auth", 401, house.refresh("x")),
            ("auth", 422, house.ask("PUT", "/me/password", admin, {})),
            ("auth", 401, house.ask("POST", "/auth/setup", house.client_token, {
                "setup_code": "x", "username": "olga", "password": "some phrase"}))]
        for of, status, response in asked:
            assert response.status == status, response.body
            assert standing(response)[:3] == (of, 5000, 60), (status, of)
        with wire.Connection(house.server.address) as connection:
            assert connection.ask("GET", "/healthz").header("ratelimit") is None
            assert connection.ask("GET", "/v1").header("ratelimit") is not None


def test_the_11th_login_from_an_address_is_one_too_many():
    """X-Forwarded-For is believed only where a proxy is trusted."""
    with people.house(settings={"limits.auth": 10}) as house:
        for left in range(8, -1, -1):  # One was the set-up.
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
        admitted = []
        for _ in range(2):
            before = time.monotonic()
            assert house.ask("GET", "/me", house.admin).status == 200
            admitted.append((before, time.monotonic()))
        while (answer := house.ask("GET", "/me", house.admin)).status == 429:
            limited(answer, "general", 2, 3)
            time.sleep(0.01)
        freed = time.monotonic()
        assert freed - admitted[0][0] >= 3, "not too early"
        assert freed - admitted[0][1] < 3 + 2, "nor late: hundreds were refused in between"


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


def hammer(house, until, seen):
    """Asks as fast as it can; notes when it asked, when it heard, and what."""
    ask = wire.request_bytes("GET", "/v1/api/me", {"Authorization": f"Bearer {house.admin}"})
    with wire.Connection(house.server.address, timeout=program.PATIENCE) as connection:
        while (sent := time.monotonic()) < until:
            connection.send(ask)
            status = connection.read_response().status
            seen.append((sent, time.monotonic(), status))


def test_it_is_exact_wherever_the_window_begins():
    """The server admits a request at some time between `sent` and `heard`. What can be proved by
    that must hold: never more than the limit in a window, and nobody refused without need."""
    with people.house(settings={"limits.general": LIMIT, "limits.window_s": WINDOW}) as house:
        seen = [[] for _ in range(8)]
        end = time.monotonic() + 4.5 * WINDOW
        threads = [threading.Thread(target=hammer, args=(house, end, mine)) for mine in seen]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    everything = [entry for mine in seen for entry in mine]
    assert {status for *_, status in everything} == {200, 429}
    admitted = sorted(entry[:2] for entry in everything if entry[2] == 200)
    refusals = [entry[:2] for entry in everything if entry[2] == 429]
    assert len(admitted) >= 4 * LIMIT and len(refusals) > LIMIT
    for begin, _ in admitted:
        surely = sum(sent >= begin and heard < begin + WINDOW for sent, heard in admitted)
        assert surely <= LIMIT, f"{surely} in a window of {WINDOW} s"
    for asked, told in refusals:
        perhaps = sum(heard > asked - WINDOW and sent < told for sent, heard in admitted)
        assert perhaps >= LIMIT, f"refused, though only {perhaps} were admitted"
