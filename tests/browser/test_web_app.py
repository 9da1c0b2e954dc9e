"""The web app in a real browser, against the real server."""
import signal

import pytest

import people
import receivers
from flows import another_client, PASSWORD, SETTINGS


def test_set_up_by_the_link(flow, start):
    server = start(settings=people.ROOMY)
    link = server.url("/#setup=" + people.House(server).setup_code())
    flow(server, "entering.mjs", "set_up_by_the_link", link=lambda: link)


@pytest.mark.parametrize("name", ["log_in_and_out", "tokens_lie_in_one_place"])
def test_entering(at_home, name):
    at_home("entering.mjs", name)


def test_a_login_is_refreshed_once_for_all_tabs(flow, with_ana):
    flow(with_ana(settings={"auth.access_ttl_s": 15}), "entering.mjs", "stays_logged_in")


@pytest.mark.parametrize("name", [
    "answers_are_markdown", "stops", "survives_a_reload", "survives_a_cut_network",
    "list_of_conversations", "all_are_archived", "renames_on_a_phone", "drafts_are_kept",
    "typing_goes_on", "the_end_stays_in_view"])
def test_asking(at_home, name):
    at_home("asking.mjs", name)


def a_program(house, username):
    """A program that creates a session for a user."""
    token = house.login(username, PASSWORD)["access_token"]
    return lambda: house.ask("POST", "/chat/sessions", token, {"title": "By a program"}).status


def test_two_devices_show_the_same(at_home, home):
    username = home.new_user()
    at_home("events.mjs", "two_devices", username, elsewhere=a_program(home.house, username))


def test_another_client_of_the_api(at_home, home):
    username = home.new_user()
    at_home("events.mjs", "another_client", username, api=another_client(home.house, username))


def test_the_position_in_the_log_is_gone(flow, with_ana, start, tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    server = with_ana("--data", str(data))

    def cut():
        server.stop()
        start("--data", str(data), "--listen", "%s:%d" % server.address, settings=SETTINGS)
        return True

    flow(server, "events.mjs", "the_position_is_gone", cut=cut, api=another_client(people.House(server), "ana"))


@pytest.mark.parametrize("file, name", [("asking.mjs", "survives_a_killed_server"),
                                        ("asking.mjs", "sends_when_the_server_is_back"),
                                        ("events.mjs", "after_a_killed_server")])
def test_killed_server(flow, with_ana, start, tmp_path, file, name):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    server = with_ana("--data", str(data))
    address = "%s:%d" % server.address
    house = people.House(server)

    def kill():
        server.signal(signal.SIGKILL)
        server.wait()
        return True

    def restart():
        start("--data", str(data), "--listen", address, settings=SETTINGS)
        return True

    flow(server, file, name, kill=kill, start=restart, elsewhere=a_program(house, "ana"),
         api=another_client(house, "ana"))


@pytest.mark.parametrize("name", ["branches", "versions_of_a_growing_answer", "settings_of_a_conversation",
                                  "exports_a_conversation", "takes_text_files", "keys"])
def test_branching(at_home, name):
    at_home("branching.mjs", name)


def test_a_model_is_chosen(flow, with_ana):
    flow(with_ana(settings={"models.second.engine": "scripted"}), "branching.mjs", "chooses_a_model")


def test_hostile_texts_never_run(at_home):
    at_home("safety.mjs", "hostile_texts_never_run")


def test_a_limit_is_counted_down(flow, with_ana):
    # A slow browser, too, asks so often within the window.
    flow(with_ana(settings={"limits.chat": 4, "limits.window_s": 30}), "safety.mjs",
         "a_limit_is_counted_down")


@pytest.mark.parametrize("name", ["ten_tabs", "a_second_tab_shows_the_same",
                                  "what_one_tab_does_others_show"])
def test_tabs(at_home, name):
    at_home("tabs.mjs", name)


@pytest.mark.parametrize("device", ["wide", "phone"])
def test_every_screen(at_home, home, device):
    with receivers.Receiver(lambda count, request: (200, {}, b"thank you")) as receiver:
        at_home("looks.mjs", f"every_screen_{device}", link=lambda: home.server.url("/#setup=" + "a" * 24),
                url=lambda: receiver.url("/parley"))


@pytest.mark.parametrize("name", ["everything_by_keyboard", "an_automation_by_keyboard"])
def test_by_keyboard(at_home, name):
    at_home("keyboard.mjs", name)


def test_in_german(at_home):
    at_home("looks.mjs", "in_german")


@pytest.mark.parametrize("name", ["tokens_and_logins", "password_and_limits", "users_and_invitations",
                                  "audit_and_status", "members_see_no_administration"])
def test_account(at_home, home, name):
    at_home("account.mjs", name, works=lambda token: home.house.ask("GET", "/me", token).status == 200)


def test_second_factor(at_home):
    at_home("second_factor.mjs", "from_set_up_to_the_end")
