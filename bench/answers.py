#!/usr/bin/env python3
"""How well a local model answers everyday questions with given sampling parameters.

    bench/answers.py [--binary build/release/parley] [--rounds 2] [SETTING …]

A SETTING is a set of request fields: `temperature=0.2,repeat_penalty=1.1`; `default` sends none. Each
round asks all questions of answers.json with another seed, the settings in turn, so that all of them meet
the same machine. An answer counts as right if it fits its pattern, and as a loop if it repeats a phrase.
Good answers are right and no loops; the table says how many of them there were."""
import argparse
import concurrent.futures
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
EMBEDDED = "smollm2-135m"
MOST_TOKENS = 160
AT_ONCE = 8


def is_loop(text):
    """Whether the answer repeats itself: the same four words four times, or a phrase three times in a row."""
    words = re.findall(r"\w+", text.lower())
    fours = [tuple(words[i:i + 4]) for i in range(len(words) - 3)]
    if any(fours.count(four) >= 4 for four in set(fours)):
        return True
    for size in range(1, 13):
        for at in range(len(words) - 3 * size + 1):
            phrase = words[at:at + size]
            if size < 3 and words[at:at + 6 * size] == phrase * 6:
                return True
            if size >= 3 and words[at:at + 3 * size] == phrase * 3:
                return True
    return False


def score(question, text):
    return {"right": bool(re.search(question["accept"], text)), "loop": is_loop(text)}


class Server:
    """A program with a local model, with its own port and data directory."""

    def __init__(self, binary, threads, file=None, slots=AT_ONCE):
        """Without a file it is the embedded model."""
        self._data = tempfile.TemporaryDirectory(prefix="parley-answers-")
        self.model = "measured" if file else EMBEDDED
        of_model = {"engine": "llama", "threads": threads, "slots": slots, "context": 1024}
        if file:
            of_model["path"] = file
        command = [binary, "serve", "--data", self._data.name, "--listen", "127.0.0.1:0",
                   "--set", "metrics.listen=127.0.0.1:0", "--set", "log.format=json",
                   "--set", "limits.chat=1000", "--set", "runs.timeout_s=3600",
                   "--set", f"model.default={self.model}"]
        for name, value in of_model.items():
            command += ["--set", f"models.{self.model}.{name}={value}"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.pid = self._process.pid
        self.url = None
        for line in self._process.stderr:
            entry = json.loads(line)
            if entry["message"] == "listening":
                self.url = f"http://{entry['address']}"
                break
        # Reads all output, so that the program never blocks on the pipe.
        threading.Thread(target=self._process.stderr.read, daemon=True).start()
        self._run(binary, "user", "add", "bench", "--password-stdin",
                  input="correct horse battery staple")
        self.token = self._run(binary, "token", "create", "--user", "bench").strip()

    def _run(self, binary, *arguments, **options):
        return subprocess.run([binary, *arguments, "--data", self._data.name], check=True,
                              capture_output=True, text=True, **options).stdout

    def ask(self, question, fields):
        return self.complete(question, fields)["choices"][0]["message"]["content"]

    def complete(self, question, fields):
        body = {"model": self.model, "max_tokens": MOST_TOKENS,
                "messages": [{"role": "user", "content": question}], **fields}
        request = urllib.request.Request(
            self.url + "/v1/chat/completions", json.dumps(body).encode(),
            {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=600) as response:
            return json.load(response)

    def stop(self):
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        self._data.cleanup()


def fields_of(setting):
    if setting == "default":
        return {}
    return {name: json.loads(value) for name, value in
            (pair.split("=", 1) for pair in setting.split(","))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--binary", default="build/release/parley")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print all answers")
    parser.add_argument("settings", nargs="*", default=["default"], metavar="SETTING")
    asked = parser.parse_args()
    questions = json.loads((HERE / "answers.json").read_text(encoding="utf-8"))
    totals = {setting: {"right": 0, "loop": 0, "good": 0} for setting in asked.settings}
    server = Server(asked.binary, asked.threads)
    try:
        for seed in range(1, asked.rounds + 1):
            for setting in asked.settings:
                fields = {"seed": seed, **fields_of(setting)}
                with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                    texts = list(pool.map(lambda each: server.ask(each["question"], fields),
                                          questions))
                for question, text in zip(questions, texts):
                    scored = score(question, text)
                    totals[setting]["right"] += scored["right"]
                    totals[setting]["loop"] += scored["loop"]
                    totals[setting]["good"] += scored["right"] and not scored["loop"]
                    if asked.show:
                        print(f"--- {question['question']} {scored}\n{text}\n")
    finally:
        server.stop()
    count = asked.rounds * len(questions)
    print(f"{'good':>5} {'right':>5} {'loops':>5}  of {count}")
    for setting, total in sorted(totals.items(), key=lambda item: -item[1]["good"]):
        print(f"{total['good']:5} {total['right']:5} {total['loop']:5}  {setting}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
