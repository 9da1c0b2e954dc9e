"""`kill -9` while clients write, and a test that the comparison with the ledger detects faults."""
import crashes
import data
import ledger
import pytest


@pytest.mark.parametrize("directory", range(crashes.how_often(1, 20)))
def test_25_kills_lose_nothing_that_was_acknowledged(start, tmp_path, directory):
    chance = crashes.chance_for(f"kills {directory}")
    life = crashes.Life(start, tmp_path)

    def kill(server, clients, seed):
        clients.begin(server, life.directory, life.ledger, seed=seed,
                      kill={"pid": server.pid, "after": chance.randrange(1, 250)})

    crashes.crash_again_and_again(life, chance, 25, kill)


COLUMNS = ", ".join(data.COLUMNS[1:])

FAULTS = {
    "acknowledged, and lost": ("DELETE FROM audit WHERE id = ?", "acknowledged, and lost"),
    "a byte changed": ("UPDATE audit SET target = target || ' ' WHERE id = ?",
                       "acknowledged, and changed"),
    "another time": ("UPDATE audit SET at_ms = at_ms + 1 WHERE id = ?",
                     "acknowledged, and changed"),
    "twice": (f"INSERT INTO audit (id, {COLUMNS}) SELECT 'evt_again', {COLUMNS} FROM audit "
              "WHERE id = ?", "note stored twice"),
    "sent by nobody": (f"INSERT INTO audit (id, {COLUMNS}) SELECT 'evt_new', at_ms, actor, action, "
                       "'client 99 note 9: hello', address, request_id FROM audit WHERE id = ?",
                       "nobody sent it"),
    "out of order": ("UPDATE audit SET position = 1000000 WHERE id = ?", "out of order"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_comparison_sees(start, tmp_path, fault):
    statement, complaint = FAULTS[fault]
    life = crashes.Life(start, tmp_path)
    with crashes.Clients() as clients:
        server = life.start()
        clients.begin(server, life.directory, life.ledger, 4, seed=fault,
                      kill={"pid": server.pid, "after": 50})
        clients.result()
    life.see_its_end()
    first = ledger.acknowledged(ledger.read(life.ledger))[0]
    data.change(life.directory, statement, first.event["id"])
    with pytest.raises(AssertionError, match=complaint):
        life.start()
    with pytest.raises(AssertionError, match=complaint):
        ledger.compare(ledger.read(life.ledger), data.events_on_disk(life.directory))
