"""Open WebUI with its default settings: only the address and the key of Parley are given. It lists the models, and a
chat is sent as its own pages send it: streamed, with a title, tags and suggestions from the model."""
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import uuid

import httpx
import pytest

import chats
import people
import python_packages
import upstreams
from upstream_ways import USAGE, way

pytestmark = pytest.mark.skipif(os.environ.get("PARLEY_CLIENTS") != "full", reason="fetches 1 GB (make clients)")

PATIENCE = 900  # Its first start creates a database.
EXTRAS = {"title": "A title", "tags": ["first"], "follow_ups": ["And then?"]}
LIMIT = 30  # limits.chat by default.


@way
def assistant(it):
    """Repeats the question, and answers the tasks that Open WebUI has for a model."""
    text = it.body["messages"][-1]["content"]
    if text.startswith("### Task:"):
        text = json.dumps(EXTRAS)
    if it.body.get("stream"):
        it.begin()
        return it.rest([text[:4], text[4:]], usage=bool(it.body.get("stream_options")))
    answer = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": it.body["model"], "choices": [
        {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
              "usage": USAGE["usage"]}
    return it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")


@pytest.fixture(name="mock", scope="module")
def one_mock():
    with upstreams.mock() as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(mock, tmp_path_factory):
    """With the limits that a server has by default."""
    key = upstreams.write_key(tmp_path_factory.mktemp("keys"))
    settings = {"limits.auth": 10, "limits.chat": LIMIT, "limits.general": 100,
                **upstreams.settings_of(mock, key, "assistant")}
    with chats.house(settings) as house:
        yield chats.somebody(house, "ana")


@contextlib.contextmanager
def open_webui(folder, ana):
    """The program, and a client for it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    packages = python_packages.installed("open_webui", timeout=PATIENCE)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": str(packages),
                   "DATA_DIR": str(folder), "OPENAI_API_BASE_URL": ana.house.server.url("/v1"),
                   "OPENAI_API_KEY": ana.token,
                   "OFFLINE_MODE": "true"}  # It would fetch a model for embeddings.
    with open(folder / "log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", "from open_webui import app; app()", "serve", "--host", "127.0.0.1",
             "--port", str(port)],
            env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=people.program.PATIENCE) as client:
                wait_until_it_serves(client, process, folder / "log")
                yield client
        finally:
            process.terminate()
            process.wait(60)


def wait_until_it_serves(client, process, log):
    deadline = time.monotonic() + PATIENCE
    while True:
        assert process.poll() is None and time.monotonic() < deadline, log.read_text("utf-8")[-4000:]
        with contextlib.suppress(httpx.TransportError):
            if client.get("/health").status_code == 200:
                return
        time.sleep(0.2)


@pytest.fixture(name="client", scope="module")
def its_client(ana, tmp_path_factory):
    """Logged in as its first user, who is its administrator."""
    with open_webui(tmp_path_factory.mktemp("open-webui"), ana) as client:
        user = ok(client.post("/api/v1/auths/signup", json={
            "name": "Ana", "email": "ana@example.org", "password": "correct horse battery staple"}))
        client.headers["Authorization"] = f"Bearer {user['token']}"
        yield client


def ok(response):
    assert response.status_code == 200, response.text
    return response.json()


def left(ana):
    """How many more requests of the class `chat` are allowed now."""
    return next(limit["remaining"] for limit in ana.get("/limits")["data"] if limit["class"] == "chat")


def ask(client, text, model, chat=None, parent=None):
    """Sends a question as its pages do; returns the chat and the id of the answer."""
    question, answer = str(uuid.uuid4()), str(uuid.uuid4())
    tasks = {"follow_up_generation": True} | ({} if chat else {"title_generation": True, "tags_generation": True})
    begun = ok(client.post("/api/chat/completions", json={
        "stream": True, "model": model, "messages": [{"role": "user", "content": text}], "params": {}, "features": {},
        "variables": {}, "tool_servers": [], "session_id": "of-no-socket", "id": answer, "parent_id": parent,
        "user_message": {"id": question, "parentId": parent, "childrenIds": [answer], "role": "user", "content": text,
                         "timestamp": int(time.time()), "models": [model]},
        **({"chat_id": chat} if chat else {}), "background_tasks": tasks}))
    return begun.get("chat_id") or chat, answer


def message_of(client, chat, answer):
    """A chat of Open WebUI, and its answer once that and the suggestions after it are there."""
    def come():
        kept = ok(client.get(f"/api/v1/chats/{chat}"))
        message = kept["chat"]["history"]["messages"].get(answer, {})
        assert not message.get("error"), message
        return (kept, message) if message.get("done") and message.get("followUps") else None
    return people.until(come)


def test_models(client):
    listed = [model["id"] for model in ok(client.get("/api/models"))["data"]]
    assert {"assistant", "scripted"} <= set(listed)


def test_a_chat(client, ana, mock):
    """The limits guide says how many calls a message takes: 4 for the first one of a chat, then 2."""
    ok(client.get("/api/models"))
    before = left(ana)
    chat, answer = ask(client, "Hello there", "assistant")
    kept, message = message_of(client, chat, answer)
    assert message["content"] == "Hello there" and message["followUps"] == EXTRAS["follow_ups"]

    def with_title():
        now = ok(client.get(f"/api/v1/chats/{chat}"))
        return now if now["title"] == "A title" and now["meta"].get("tags") else None
    kept = people.until(with_title)
    assert kept["meta"]["tags"] == ["first"]
    assert len(mock.asked("assistant")) == 4 and left(ana) >= before - 4
    chat, answer = ask(client, "And now?", "assistant", chat, answer)
    assert message_of(client, chat, answer)[1]["content"] == "And now?"
    assert len(mock.asked("assistant")) == 6 and left(ana) >= before - 6


def test_a_title_on_demand(client):
    said = ok(client.post("/api/v1/tasks/title/completions", json={
        "model": "assistant", "messages": [{"role": "user", "content": "Hello there"}]}))
    assert json.loads(said["choices"][0]["message"]["content"]) == EXTRAS


@pytest.mark.parametrize("stream", [False, True])
def test_its_own_interface(client, stream):
    """Other programs may use Open WebUI as a server for chat completions."""
    response = client.post("/api/chat/completions", json={
        "model": "scripted", "stream": stream, "messages": [{"role": "user", "content": "{words:5}"}]})
    if not stream:
        assert ok(response)["choices"][0]["message"]["content"] == chats.words(5)
        return
    lines = [line[6:] for line in response.text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    choices = [json.loads(line)["choices"] for line in lines[:-1]]
    assert "".join(each[0]["delta"].get("content") or "" for each in choices if each) == chats.words(5)


def test_nothing_failed(client, ana):
    """After all others: no request of Open WebUI was refused, and Parley logged no errors."""
    assert client
    log = ana.house.server.log
    assert not log.entries(level="error") and not log.entries(level="warn"), log.text()[-4000:]
    refused = [entry for entry in log.entries() if entry.get("status", 0) >= 400]
    assert not refused, refused
