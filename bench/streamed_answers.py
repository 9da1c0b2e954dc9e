"""Requests streamed answers from any OpenAI-compatible server, and records when each piece arrives."""
import http.client
import json
import threading
import time


class Answer:
    """One streamed answer, from its request to its end or until `enough()`."""

    def __init__(self, target, messages, max_tokens, enough=lambda: False, **more):
        self.asked = time.perf_counter()
        self.times, self.text, self.usage = [], "", {}
        body = {"model": target.model, "messages": messages, "max_tokens": max_tokens,
                "temperature": 0, "stream": True, "stream_options": {"include_usage": True}, **more}
        connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=600)
        connection.request("POST", "/v1/chat/completions", json.dumps(body),
                           {"Content-Type": "application/json", **target.headers})
        response = connection.getresponse()
        if response.status != 200:
            raise RuntimeError(f"{target.name}: {response.status} {response.read(500)!r}")
        while not enough() and (line := response.readline()):
            if line.startswith(b"data: {"):
                self._take(json.loads(line[6:]))
        response.close()
        connection.close()
        self.ended = time.perf_counter()

    def _take(self, chunk):
        if "error" in chunk:
            raise RuntimeError(chunk["error"])
        self.usage = chunk.get("usage") or self.usage
        for choice in chunk["choices"]:
            if choice["delta"].get("content"):
                self.times.append(time.perf_counter())
                self.text += choice["delta"]["content"]

    @property
    def first(self):
        """Seconds to the first piece."""
        return self.times[0] - self.asked

    def pieces(self, begin, end):
        """The number of pieces in this time range."""
        return sum(begin < each <= end for each in self.times)

    def longest_gap(self, begin, end):
        """The longest gap between pieces that touches this time range."""
        return max((after - before for before, after in zip(self.times, self.times[1:])
                    if after > begin and before < end), default=0)


def all_at_once(count, ask):
    """The results of `ask(number)` for each number, all started together."""
    answers, faults = [None] * count, []

    def one(number):
        try:
            answers[number] = ask(number)
        except Exception as fault:  # pylint: disable=broad-except
            faults.append(fault)
    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return answers
