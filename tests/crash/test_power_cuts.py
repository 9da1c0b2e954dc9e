"""Power failures while clients write: the disk keeps only a part of the writes since its last sync. A test
build simulates that (src/store/faults)."""
import crashes
import pytest


@pytest.mark.skipif(not crashes.knows("test.faults"), reason="only a test build can cut its power")
@pytest.mark.parametrize("directory", range(crashes.how_often(1, 10)))
def test_20_power_cuts_lose_nothing_that_was_acknowledged(start, tmp_path, directory):
    chance = crashes.chance_for(f"power cuts {directory}")
    life = crashes.Life(start, tmp_path)

    def cut_power(server, clients, seed):
        # The first writes of a load are chosen as often as those of a long one, with its checkpoints.
        moment = chance.choice((round(1500 ** chance.random()), chance.randrange(1, 1500)))
        crashes.break_disk(server, fault="power_cut", at_operation=moment, seed=seed)
        clients.begin(server, life.directory, life.ledger, chance.choice((1, 4, 16, 16)), seed=seed)

    crashes.crash_again_and_again(life, chance, 20, cut_power)
