"""Ways in which a chat completions server may answer, right and wrong; each is a function of the conversation
(upstreams.py).

The right ones send WORDS, one event each; those that break in the middle send HALF before."""
import contextlib
import json

WORDS = ["One", " two", " thré", "e", " four."]
TEXT = "".join(WORDS)
HALF = "".join(WORDS[:2])
KEY = "sk-secret-of-the-tests-0123456789"
STREAM = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
RETRY_AFTER = 7


def delta(text, **more):
    return {"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": None, **more}]}


def finish(reason="stop"):
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


USAGE = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16,
                                  "prompt_tokens_details": {"cached_tokens": 4}}}


class Gone(Exception):
    """The other side has disconnected, or this connection must be closed."""


HOW = {}


def way(function):
    HOW[function.__name__] = function
    return function


@way
def ok(it):
    if not it.body.get("stream"):
        answer = {"object": "chat.completion", "model": it.body["model"], "choices": [
            {"index": 0, "message": {"role": "assistant", "content": TEXT},
             "finish_reason": "stop"}], "usage": USAGE["usage"]}
        return it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")
    it.begin()
    return it.rest(WORDS)


@way
def embeds(it):
    """Answers requests for embeddings, one vector each."""
    answer = {"object": "list", "model": it.body["model"], "usage": {"prompt_tokens": 3, "total_tokens": 3},
              "data": [{"object": "embedding", "index": 0, "embedding": [0.6, 0.8]}]}
    it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")


@way
def structured(it):
    """Answers with JSON, not compact."""
    text = '{"name": "Ana", "age": 4}'
    if not it.body.get("stream"):
        answer = {"object": "chat.completion", "model": it.body["model"], "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text},
             "finish_reason": "stop"}], "usage": USAGE["usage"]}
        return it.answer(200, json.dumps(answer).encode(), Content_Type="application/json")
    it.begin()
    return it.rest([text[:9], text[9:]])


@way
def named(it):
    """Sends the model's name with each piece, as most servers do."""
    it.begin()
    for word in WORDS:
        it.event({"id": "c", "model": it.body["model"], **delta(word)})
    it.event({"model": it.body["model"], **finish()})
    it.event(b"[DONE]")
    it.chunk(b"")


@way
def all_at_once(it):
    """All events in one packet, with comments and other line ends between."""
    it.begin()
    events = b": hello\r\n\r\n" + b"".join(
        b"data: %s\r\n\r\n" % json.dumps(delta(word)).encode() for word in WORDS)
    it.chunk(events + b"data:" + json.dumps(finish()).encode() + b"\n\ndata: [DONE]\n\n")
    it.chunk(b"")


@way
def no_usage(it):
    it.begin()
    it.rest(WORDS, usage=False)


@way
def length(it):
    it.begin()
    it.rest(WORDS, "length")


@way
def empty(it):
    it.begin()
    it.rest([])


def status(number, **fields):
    def answer(it):
        it.answer(number, b'{"error":{"message":"no"}}', Content_Type="application/json", **fields)
    HOW[f"status{number}"] = answer


for each in (201, 204, 302, 307, 401, 403, 404, 409, 418, 500, 502, 504):
    status(each, Location="http://127.0.0.1:9/v1/chat/completions")
status(503)
status(429, Retry_After=RETRY_AFTER)


@way
def restarting(it):
    """503 once, then as usual."""
    if len(it.mock.asked("restarting")) % 2 == 1:
        it.answer(503, b"{}", Content_Type="application/json", Retry_After=1)
    else:
        ok(it)


@way
def too_long(it):
    it.answer(400, b'{"error":{"message":"too long","code":"context_length_exceeded"}}',
              Content_Type="application/json")


@way
def tells_the_key(it):
    said = json.dumps({"error": {"message": it.head["authorization"]}})
    it.answer(400, said.encode(), Content_Type="application/json")


@way
def garbage(it):
    it.say(b"\x16\x03\x01 this is not HTTP\r\n\r\n")
    raise Gone


@way
def html(it):
    it.answer(200, b"<html>It works!</html>", Content_Type="text/html")


@way
def unasked_json(it):
    it.answer(200, json.dumps({"choices": []}).encode(), Content_Type="application/json")


@way
def compressed(it):
    it.answer(200, b"\x1f\x8b\x08\0", Content_Type="text/event-stream", Content_Encoding="gzip")


@way
def endless_head(it):
    it.say(b"HTTP/1.1 200 OK\r\n")
    while True:
        it.say(b"X-Field: " + b"x" * 1000 + b"\r\n")


@way
def hang(it):
    it.wait_until_left()


@way
def unheard(it):
    """Never answers, and reports the disconnect."""
    try:
        it.wait_until_left()
    finally:
        it.mock.left.release()


@way
def only_comments(it):
    """A server that is up but never answers."""
    it.begin()
    it.connection.settimeout(0.2)
    while True:
        it.chunk(b": still thinking\n\n")
        with contextlib.suppress(TimeoutError):
            it.wait_until_left()


@way
def garbage_event(it):
    it.half()
    it.event(b'{"choices":[')


@way
def wrong_shape(it):
    it.half()
    it.event({"choices": [{"delta": {"content": 5}}]})


@way
def error_event(it):
    it.half()
    it.event({"error": {"message": "out of memory on " + it.head["authorization"], "code": 500}})
    it.event(b"[DONE]")
    it.chunk(b"")


@way
def huge_line(it):
    it.half()
    it.chunk(b"data: ")
    while True:
        it.chunk(b"x" * 65536)


@way
def endless_answer(it):
    it.begin()
    while True:
        it.event(delta("x" * 32768))


@way
def invalid_utf8(it):
    it.half()
    it.event(b'{"choices":[{"delta":{"content":"\xc3\x28"}}]}')
    it.rest([])


@way
def cut(it):
    it.half()
    raise Gone


@way
def reset(it):
    it.half()
    it.reset()


@way
def cut_in_a_line(it):
    it.half()
    it.say(b"40\r\ndata: {\"cho")
    raise Gone


@way
def no_done(it):
    it.half()
    it.event(finish())
    it.chunk(b"")


@way
def silent(it):
    it.half()
    try:
        it.wait_until_left()
    finally:
        it.mock.left.release()


@way
def filtered(it):
    it.half()
    it.rest([], "content_filter")


@way
def tools(it):
    it.half()
    it.rest([], "tool_calls")
