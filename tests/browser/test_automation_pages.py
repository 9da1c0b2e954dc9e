"""The pages of automations, against the real server and the scripted model."""
import pytest

from flows import another_client


@pytest.mark.parametrize("name", ["creates_one", "schedules", "runs_now", "cancels_and_tries_again",
                                  "pauses_edits_and_deletes", "edited_twice", "another_client", "comes_due"])
def test_automations(at_home, home, name):
    username = home.new_user()
    at_home("automations.mjs", name, username, api=another_client(home.house, username))
