"""A refused request lists all its faults, including those between fields and about times."""
import pytest

import people
from people import faults


@pytest.fixture(scope="module")
def house():
    with people.house(settings={"retention.max_days": 30}) as opened:
        yield opened


def test_of_a_question(house):
    answer = house.ask("POST", "/chat/query", house.admin, {
        "message": "", "stream": True, "background": True, "temperature": 7, "nonsense": 1})
    assert set(faults(answer)) == {
        ("#/message", "too_short"), ("#/background", "not_allowed"),
        ("#/temperature", "out_of_range"), ("#/nonsense", "unknown_field")}


def test_of_a_change_to_a_session(house):
    session = house.ask("POST", "/chat/sessions", house.admin, {}).json()
    answer = house.ask("PATCH", f"/chat/sessions/{session['id']}", house.admin, {
        "title": 1, "archived": "yes", "metadata": [], "model": "", "nonsense": 1})
    assert set(faults(answer)) == {
        ("#/title", "wrong_type"), ("#/archived", "wrong_type"), ("#/metadata", "wrong_type"),
        ("#/model", "too_short"), ("#/nonsense", "unknown_field")}


@pytest.mark.parametrize("expires_at, code", [
    ("yesterday", "wrong_format"), ("2020-01-31T09:30:00.000Z", "in_the_past")])
def test_of_a_token(house, expires_at, code):
    answer = house.ask("POST", "/tokens", house.admin, {
        "name": "", "scopes": ["chat:reed"], "expires_at": expires_at, "nonsense": 1})
    assert set(faults(answer)) == {
        ("#/name", "too_short"), ("#/scopes/0", "not_allowed"), ("#/expires_at", code),
        ("#/nonsense", "unknown_field")}


SHORT = "мама"  # 8 bytes, but 4 characters.


@pytest.mark.parametrize("method, path, body, expected", [
    ("POST", "/chat/query", {"temperature": 7, "nonsense": 1}, {
        ("#/message", "required"), ("#/temperature", "out_of_range"), ("#/nonsense", "unknown_field")}),
    ("POST", "/chat/query", {"message": [{"type": "text", "text": "a"}, {"type": "zz"}], "temperature": 7}, {
        ("#/message/1/type", "not_allowed"), ("#/temperature", "out_of_range")}),
    ("POST", "/chat/query", {"parent_message_id": 1, "temperature": 7}, {
        ("#/parent_message_id", "wrong_type"), ("#/temperature", "out_of_range")}),
    ("POST", "/users", {"username": "a\tb", "display_name": "a\nb", "password": SHORT, "role": "owner"}, {
        ("#/username", "not_allowed"), ("#/display_name", "not_allowed"), ("#/password", "too_short"),
        ("#/role", "not_allowed")}),
    ("POST", "/users", {"username": 1, "password": "", "role": "owner"}, {
        ("#/username", "wrong_type"), ("#/password", "too_short"), ("#/role", "not_allowed")}),
    ("PATCH", "/users/usr_0", {"display_name": "a\nb", "password": SHORT, "role": "owner"}, {
        ("#/display_name", "not_allowed"), ("#/password", "too_short"), ("#/role", "not_allowed")}),
    ("PATCH", "/me", {"display_name": "a\nb", "retention_days": 31, "nonsense": 1}, {
        ("#/display_name", "not_allowed"), ("#/retention_days", "out_of_range"),
        ("#/nonsense", "unknown_field")}),
    ("PUT", "/me/password", {"new_password": SHORT}, {
        ("#/current_password", "required"), ("#/new_password", "too_short")}),
    ("POST", "/auth/setup", {
        "setup_code": "", "username": "a\tb", "display_name": "a\nb", "password": SHORT}, {
        ("#/setup_code", "too_short"), ("#/username", "not_allowed"), ("#/display_name", "not_allowed"),
        ("#/password", "too_short")}),
    ("POST", "/auth/accept", {"code": "", "password": SHORT}, {
        ("#/code", "too_short"), ("#/password", "too_short")}),
    ("POST", "/auth/reset", {"reset_code": "", "password": SHORT}, {
        ("#/reset_code", "too_short"), ("#/password", "too_short")})])
def test_of_every_stage(house, method, path, body, expected):
    answer = house.ask(method, path, house.admin, body)
    assert sorted(faults(answer)) == sorted(expected)


def test_of_every_stage_of_a_token(house):
    """What its creator may not grant is listed together with the faults of the fields."""
    user = house.add("parent")
    operators = house.make_token(house.admin, scopes=["account", "admin"], limits={"chat": 7})
    parent = house.make_token(house.login("parent")["access_token"], scopes=["account"], test=True,
                              expires_at="2100-01-01T00:00:00.000Z", limits={"chat": 7})
    of_rights = {("#/test", "not_allowed"), ("#/expires_at", "too_late"),
                 ("#/limits/chat", "out_of_range")}
    wanted = {"name": "", "test": False, "expires_at": None, "limits": {"chat": 8}}
    answer = house.ask("POST", "/tokens", parent["token"], wanted)
    assert set(faults(answer)) == {("#/name", "too_short"), *of_rights}
    answer = house.ask("POST", "/tokens", parent["token"], {**wanted, "name": "child"})
    assert set(faults(answer)) == of_rights
    answer = house.ask("PATCH", f"/tokens/{parent['id']}", parent["token"], {
        "name": "", "limits": {"chat": 8}})
    assert set(faults(answer)) == {("#/name", "too_short"), ("#/limits/chat", "out_of_range")}
    for_another = {"name": "", "scopes": ["admin"], "limits": {"chat": 8}}
    answer = house.ask("POST", f"/users/{user['id']}/tokens", operators["token"], for_another)
    assert set(faults(answer)) == {("#/name", "too_short"), ("#/scopes", "not_allowed"),
                                   ("#/limits/chat", "out_of_range")}
    answer = house.ask("POST", "/users/usr_none/tokens", operators["token"], for_another)
    assert faults(answer) == [("#/name", "too_short")]
    errors = house.ask("POST", "/tokens?limit=1", parent["token"], wanted).json()["errors"]
    assert [error.get("pointer", error.get("parameter")) for error in errors] == ["limit", "#/name"]


def test_fifty_are_listed_and_all_are_counted(house):
    answer = house.ask("POST", "/chat/sessions", house.admin,
                       {f"unknown{number}": 1 for number in range(137)})
    assert len(faults(answer)) == 50
    assert "(137 faults, of which the first 50 are listed)" in answer.json()["detail"]
