"""A refused request lists all its faults, including those between fields and about times."""
import pytest

import people
from people import faults


@pytest.fixture(scope="module")
def house():
    with people.house() as opened:
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


def test_fifty_are_listed_and_all_are_counted(house):
    answer = house.ask("POST", "/chat/sessions", house.admin,
                       {f"unknown{number}": 1 for number in range(137)})
    assert len(faults(answer)) == 50
    assert "(137 faults, of which the first 50 are listed)" in answer.json()["detail"]
