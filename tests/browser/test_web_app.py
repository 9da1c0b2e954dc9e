"""The web app in a real browser, against the real server."""
import signal

import pytest

import people


def test_set_up_by_the_link(flow, start):
    server = start(settings=people.ROOMY)
    link = server.url("/#setup=" + people.House(server).setup_code())
    flow(server, "entering.mjs", "set_up_by_the_link", link=lambda: link)


@pytest.mark.parametrize("name", ["log_in_and_out", "tokens_lie_in_one_place"])
def test_entering(flow, with_ana, name):
    flow(with_ana(), "entering.mjs", name)


def test_a_login_is_refreshed_once_for_all_tabs(flow, with_ana):
    flow(with_ana(settings={"auth.access_ttl_s": 15}), "entering.mjs", "stays_logged_in")


@pytest.mark.parametrize("name", [
    "answers_are_markdown", "stops", "survives_a_reload", "survives_a_cut_network",
    "list_of_conversations", "renames_on_a_phone", "drafts_are_kept",
    "typing_goes_on", "the_end_stays_in_view"])
def test_asking(flow, with_ana, name):
    flow(with_ana(), "asking.mjs", name)


def test_the_list_is_fetched_when_looked_at(flow, with_ana):
    server = with_ana()
    house = people.House(server)
    token = house.login("ana", "otter lantern quarry seven")["access_token"]

    def elsewhere():
        return house.ask("POST", "/chat/sessions", token, {"title": "From another device"}).status

    flow(server, "asking.mjs", "the_list_is_fetched_when_looked_at", elsewhere=elsewhere)


@pytest.mark.parametrize("name", ["survives_a_killed_server", "sends_when_the_server_is_back"])
def test_killed_server(flow, with_ana, start, tmp_path, name):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    server = with_ana("--data", str(data))
    address = "%s:%d" % server.address

    def kill():
        server.signal(signal.SIGKILL)
        server.wait()
        return True

    def restart():
        start("--data", str(data), "--listen", address,
              settings={**people.ROOMY, "limits.chat": 1000})
        return True

    flow(server, "asking.mjs", name, kill=kill, start=restart)


@pytest.mark.parametrize("name", ["branches", "settings_of_a_conversation", "exports_a_conversation",
                                  "takes_text_files", "keys"])
def test_branching(flow, with_ana, name):
    flow(with_ana(), "branching.mjs", name)


def test_hostile_texts_never_run(flow, with_ana):
    flow(with_ana(), "safety.mjs", "hostile_texts_never_run")


def test_a_limit_is_counted_down(flow, with_ana):
    flow(with_ana(settings={"limits.chat": 3, "limits.window_s": 15}), "safety.mjs",
         "a_limit_is_counted_down")


@pytest.mark.parametrize("name", ["ten_tabs", "a_second_tab_shows_the_same",
                                  "what_one_tab_does_others_show"])
def test_tabs(flow, with_ana, name):
    flow(with_ana(), "tabs.mjs", name)


@pytest.mark.parametrize("device", ["light", "dark", "phone"])
def test_every_screen(flow, with_ana, device):
    server = with_ana()
    flow(server, "looks.mjs", f"every_screen_{device}", link=lambda: server.url("/#setup=" + "a" * 24))


def test_everything_by_keyboard(flow, with_ana):
    flow(with_ana(), "keyboard.mjs", "everything_by_keyboard")


def test_in_german(flow, with_ana):
    flow(with_ana(), "looks.mjs", "in_german")


@pytest.mark.parametrize("name", ["tokens_and_logins", "password_and_limits", "users_and_invitations",
                                  "audit_and_status", "members_see_no_administration"])
def test_account(flow, with_ana, name):
    server = with_ana()
    house = people.House(server)
    flow(server, "account.mjs", name, works=lambda token: house.ask("GET", "/me", token).status == 200)
