"""Servers of two versions on one database, as during an upgrade in turn."""
import pytest

import chats
import feeds
import people
import program
from replicas import Replicas


def works(replicas):
    """Each server answers, and each reads what another one writes."""
    for asked in replicas.people:
        run = asked.begin("{words:20} {delay_ms:10}")
        for reader in replicas.people:
            assert feeds.written(reader.events(run)) == chats.words(20)


def test_a_schema_that_has_more_is_used_and_one_that_has_less_is_not(start, tmp_path):
    """As if a newer version had updated it: first one that this version can work beside, then one that it cannot."""
    two = Replicas(start, tmp_path, 2)
    run = two.people[0].begin("{words:200} {delay_ms:30}")
    two.query("ALTER TABLE runs ADD COLUMN of_the_next_version bigint NOT NULL DEFAULT 7")
    two.query("UPDATE schema_state SET version = version + 1")
    two.replace(1)
    works(two)
    two.query("UPDATE schema_state SET oldest_program = version")
    with pytest.raises(RuntimeError, match="was updated by a newer Parley"):
        start("--data", str(tmp_path / "third"), settings={**chats.ROOMY, "store.url": two.url})
    works(two)  # Those that run already continue.
    assert feeds.written(two.people[1].events(run)) == chats.words(200)


@pytest.mark.skipif(not program.OLDER_BINARY, reason="needs an earlier version: PARLEY_OLDER_BINARY")
def test_an_earlier_version_is_replaced_in_turn_and_comes_back(start, tmp_path):
    two = Replicas(start, tmp_path, 2, {"runs.max_concurrent": 1}, binary=program.OLDER_BINARY)
    works(two)
    runs = []

    def ask_much():
        """More than the servers can begin, so that runs wait in both kinds of queues."""
        for person in two.people:
            runs.extend(person.begin("{words:10} {delay_ms:100}") for _ in range(4))

    for binary in (program.BINARY, program.OLDER_BINARY):
        two.binary = binary
        for number in (0, 1):
            ask_much()
            two.replace(number)
            assert people.until(lambda: two.people[0].ask("still there?")["status"] == "completed")
            works(two)
    two.binary = program.BINARY
    two.replace(0)
    for run in runs:
        for person in two.people:
            assert feeds.written(person.events(run)) == chats.words(10)
    assert two.query("SELECT count(*) FROM runs WHERE completed_ms IS NULL") == ["0"]
