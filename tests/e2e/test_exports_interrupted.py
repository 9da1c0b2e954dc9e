"""Exports whose connection to the database is lost in the middle."""
import collections
import concurrent.futures

import chats
import people
import postgres
from moved import exported, gpt_chain, imported

# Ends the connection that reads messages for an export; fails if there is none for a minute.
INTERRUPT = """DO $$ BEGIN
    FOR look IN 1..60000 LOOP
        PERFORM pg_stat_clear_snapshot();
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
            AND query LIKE '%messages.session = $1 AND messages.position > $2%' AND state <> 'idle';
        IF FOUND THEN RETURN; END IF;
        PERFORM pg_sleep(0.001);
    END LOOP;
    RAISE 'there is no export';
END $$"""


def test_an_export_that_lost_its_connection_has_nothing_twice(start, tmp_path):
    database = postgres.url_for(tmp_path)
    house = people.House(start("--data", str(tmp_path / "data"),
                               settings={**chats.ROOMY, "store.url": database})).set_up()
    ana = chats.Person(house, house.add_and_login("ana")["access_token"])
    imported(ana, "chatgpt", gpt_chain("Long", 4000))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        interrupted = pool.submit(postgres.shared().query, INTERRUPT)
        # Again and again: the first ones may be over before it looks.
        while True:
            lines = exported(ana)
            seen = collections.Counter(line["id"] for line in lines)
            assert set(seen.values()) == {1}, seen.most_common(3)
            assert len(lines) == 1 + 1 + 4000
            if interrupted.done():
                break
        interrupted.result()
