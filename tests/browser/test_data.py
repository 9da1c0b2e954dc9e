"""Search, import, export and retention in the web app, against the real server."""
import pytest

from flows import another_client


@pytest.mark.parametrize("name", ["finds_messages", "finds_messages_in_branches", "imports_and_exports",
                                  "keeps_for_a_time"])
def test_data(at_home, home, name):
    username = home.new_user()
    at_home("data.mjs", name, username, api=another_client(home.house, username))
