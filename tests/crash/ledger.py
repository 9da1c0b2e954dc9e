"""The ledger of the clients: every note that they sent, and the server's response. And its comparison with
the stored data: nothing acknowledged is lost or changed, nothing is there twice, and nothing is there that
was not sent."""
import collections
import dataclasses
import json
import re

SIGNATURE = re.compile(r"^client (\d+) note (\d+): ", re.A)


@dataclasses.dataclass
class Entry:
    note: str
    event: dict | None  # From a 201 response; None otherwise.
    status: int | None  # None if the connection ended first: it may be stored or not.
    at: float           # The time of the response, by the clock that all processes share.

    def line(self):
        return json.dumps(dataclasses.asdict(self)) + "\n"


def read(file):
    """The entries of a file, in the order of the responses."""
    with open(file, encoding="utf-8") as lines:
        return [Entry(**json.loads(line)) for line in lines if line.endswith("\n")]


def write_note(random, client, number):
    """A unique text of any length and any characters."""
    signature = f"client {client} note {number}: "
    letters = "aZ 09'\"\\/%;-\n\t\r\x01\x7fßñж中\u2028\ufeff\U0001f980"
    most = random.choice((8, 80, 950))
    return signature + "".join(random.choices(letters, k=random.randrange(most)))


def who_wrote(note):
    """The client and the number in a note."""
    client, number = SIGNATURE.match(note).groups()
    return int(client), int(number)


def acknowledged(entries):
    return [entry for entry in entries if entry.event is not None]


def compare(entries, events):
    """Compares the ledger with the stored events, oldest first, in the format of the API."""
    notes = [event for event in events if event["action"] == "note"]
    _nothing_is_there_twice(events, notes)
    _nothing_is_lost(entries, {event["id"]: event for event in events})
    unknown = {event["target"] for event in notes} - {entry.note for entry in entries}
    assert not unknown, f"stored, and nobody sent it: {unknown}"
    refused = {entry.note for entry in entries if entry.status not in (201, None)}
    kept = refused & {event["target"] for event in notes}
    assert not kept, f"refused, and stored all the same: {kept}"
    _each_client_is_in_order(notes)


def _nothing_is_there_twice(events, notes):
    for what, each in (("id", [event["id"] for event in events]),
                       ("note", [event["target"] for event in notes])):
        again = [value for value, times in collections.Counter(each).items() if times > 1]
        assert not again, f"{what} stored twice: {again}"


def _nothing_is_lost(entries, stored):
    for entry in acknowledged(entries):
        assert entry.event["target"] == entry.note, f"answered with another text: {entry}"
        found = stored.get(entry.event["id"])
        assert found is not None, f"acknowledged, and lost: {entry}"
        assert found == entry.event, f"acknowledged, and changed: {entry} is now {found}"


def _each_client_is_in_order(notes):
    """A client waits for the answer to one note before it sends the next."""
    latest = {}
    for event in notes:
        client, number = who_wrote(event["target"])
        assert number > latest.get(client, -1), f"out of order: {event}"
        latest[client] = number
