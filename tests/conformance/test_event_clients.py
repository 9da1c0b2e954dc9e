"""Event streams read by other clients: httpx-sse and npm's eventsource-parser get the same events, also for
texts that have broken other programs (npm's big-list-of-naughty-strings)."""
import json

import httpx
import httpx_sse
import pytest

import chats
import feeds
import node
import people
import program
from chats import text_of

NASTY = ["a\r\nb\rc\n\nd", "\0", "\u2028 \u2029 \u0085 \x0b \x0c \x1c \x1d \x1e",
         "data: x\n\nid: 9\n\n", "\ufeff", "🦀 🧑‍🚀", "{words:300}", ": ping\n\n"]


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


@pytest.fixture(name="naughty", scope="module")
def naughty_strings():
    """The strings of npm's big list, without the empty one."""
    file = node.packages() / "big-list-of-naughty-strings/blns.json"
    strings = [text for text in json.loads(file.read_text("utf-8")) if text]
    assert len(strings) > 400
    return strings


@pytest.fixture(name="runs", scope="module")
def runs_of_naughty_strings(ana, naughty):
    """Each was the message of a stream; returns the events by run and text."""
    runs = {}
    for text in NASTY + naughty:
        body = json.dumps({"message": text, "stream": True}, ensure_ascii=False).encode()
        with feeds.Feed(ana.house.server, "POST", "/chat/query", ana.token, body) as feed:
            runs[feed.run_id] = (text, feeds.check_events(feed.rest()))
    return runs


def test_naughty_strings_are_kept_byte_by_byte(ana, runs):
    for run_id, (text, events) in runs.items():
        run = events[-1].data["run"]
        assert run["status"] == "completed" and text_of(run["user_message"]) == text
        if not text.startswith("{words"):
            assert feeds.written(events) == text == text_of(run["message"])
        stored = ana.messages(run["session_id"])
        assert [text_of(message).encode() for message in stored] == [
            text.encode(), feeds.written(events).encode()]
        assert ana.run(run_id) == run


def test_naughty_strings_as_titles_and_metadata(ana, naughty):
    short = [text for text in naughty if len(text) <= 64]
    for first in range(0, len(short), 16):
        metadata = {f"{number}": text for number, text in enumerate(short[first:first + 16])}
        metadata |= {} if first else {short[0]: "as a key"}
        metadata = dict(list(metadata.items())[:16])
        session = ana.request("POST", "/chat/sessions", {"metadata": metadata})
        assert session.status == 201 and session.json()["metadata"] == metadata
        run = ana.ask("hello", metadata=metadata)
        assert ana.run(run)["metadata"] == metadata == run["user_message"]["metadata"]
    for text in short:
        made = ana.request("POST", "/chat/sessions", {"title": text})
        if made.status == 201:  # Titles have their own rules, such as no line breaks.
            assert ana.get(f"/chat/sessions/{made.json()['id']}")["title"] == text
        else:
            assert people.faults(made)[0][0] == "#/title"


def check_client(events, seen):
    """Compares a client's result for a stream, as [(id, event, data), …]."""
    assert seen == [(str(event.number), event.type,
                     event.frame.decode().split("\ndata: ", 1)[1].removesuffix("\n\n"))
                    for event in events]


def events_of(source):
    """The events of httpx-sse, of which each has data: of a `retry` line with a block of its own it would make an
    event without data, which is none."""
    for sse in source.iter_sse():
        assert sse.data, sse
        yield sse


class TestHttpxSse:
    def test_reads_every_stream(self, ana, runs):
        headers = {"Authorization": f"Bearer {ana.token}"}
        with httpx.Client(base_url=ana.house.server.url("/v1/api"), headers=headers,
                          timeout=program.PATIENCE) as client:
            for run_id, (_, events) in runs.items():
                path = f"/chat/runs/{run_id}/events"
                with httpx_sse.connect_sse(client, "GET", path) as source:
                    source.response.raise_for_status()
                    seen = [(sse.id, sse.event, sse.data) for sse in events_of(source)]
                check_client(events, seen)

    def test_asks_and_resumes(self, ana):
        headers = {"Authorization": f"Bearer {ana.token}"}
        body = {"message": "{words:30} {delay_ms:20}", "stream": True}
        with httpx.Client(base_url=ana.house.server.url("/v1/api"), headers=headers,
                          timeout=program.PATIENCE) as client:
            text, last = "", None
            with httpx_sse.connect_sse(client, "POST", "/chat/query", json=body) as source:
                run_id = source.response.headers["x-run-id"]
                for sse in events_of(source):
                    last = sse.id
                    text += (sse.json().get("delta") or {"text": ""})["text"]
                    if last == "9":
                        break
            with httpx_sse.connect_sse(client, "GET", f"/chat/runs/{run_id}/events",
                                       headers={"Last-Event-ID": last}) as source:
                for sse in events_of(source):
                    assert sse.id == str(int(last) + 1)
                    last = sse.id
                    text += (sse.json().get("delta") or {"text": ""})["text"]
            assert text == chats.words(30) and sse.event == "run.completed"
            assert client.get(f"/chat/runs/{run_id}/events",
                              headers={"Last-Event-ID": last}).status_code == 204


PARSER = """
const [packages, base, token, ...runs] = process.argv.slice(1);
const {createParser} = await import(packages + "/eventsource-parser/dist/index.js");
const seen = {};
for (const run of runs) {
  const events = [], retries = [];
  const parser = createParser({
    onEvent: event => events.push([event.id, event.event, event.data]),
    onRetry: wait => retries.push(wait),
    onError: error => { throw error; }});
  const response = await fetch(`${base}/chat/runs/${run}/events`,
                               {headers: {authorization: `Bearer ${token}`}});
  const decoder = new TextDecoder("utf-8", {fatal: true, ignoreBOM: true});
  for await (const bytes of response.body)
    parser.feed(decoder.decode(bytes, {stream: true}));
  seen[run] = {status: response.status, events, retries};
}
console.log(JSON.stringify(seen));
"""


def test_eventsource_parser_reads_every_stream(ana, runs):
    seen = node.script(PARSER, ana.house.server.url("/v1/api"), ana.token, *runs)
    assert set(seen) == set(runs)
    for run_id, (_, events) in runs.items():
        assert seen[run_id]["status"] == 200 and seen[run_id]["retries"] == [1000]
        check_client(events, [tuple(event) for event in seen[run_id]["events"]])


def test_fetch_leaves_and_resumes(ana):
    run = ana.begin("{words:30} {delay_ms:20}")
    seen = node.script("""
const [packages, base, token, run] = process.argv.slice(1);
const {createParser} = await import(packages + "/eventsource-parser/dist/index.js");
const events = [];
let status = 200;
for (let turn = 0; status === 200; ++turn) {
  const last = events.length ? events.at(-1).id : "0";
  const response = await fetch(`${base}/chat/runs/${run}/events`, {
    headers: {authorization: `Bearer ${token}`, "last-event-id": last}});
  status = response.status;
  if (status !== 200) break;
  const before = events.length;
  const parser = createParser({onEvent: event => events.push(event)});
  const decoder = new TextDecoder();
  // Leaving the loop cancels the response. (An AbortController would do the same, but Node 18 then
  // sometimes never wakes who waits for the next bytes.)
  for await (const bytes of response.body) {
    parser.feed(decoder.decode(bytes, {stream: true}));
    if (events.length > before + 6) break;
  }
}
console.log(JSON.stringify({status, numbers: events.map(event => event.id),
  text: events.map(event => JSON.parse(event.data).delta?.text ?? "").join("")}));
""", ana.house.server.url("/v1/api"), ana.token, run["id"])
    assert seen["status"] == 204, "it is told to stop"
    assert seen["numbers"] == [str(number) for number in range(1, 33)]
    assert seen["text"] == chats.words(30)
