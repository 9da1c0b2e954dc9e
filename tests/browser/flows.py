"""Shared by the tests beside this file: one browser for all flows, and one server for most of them."""
import itertools
import json
import os
import pathlib
import subprocess
import threading

import pytest

import people
import program

ALL = bool(os.environ.get("PARLEY_BROWSER"))
long = pytest.mark.skipif(not ALL, reason="part of `make browser`")
HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 240
PASSWORD = "otter lantern quarry seven"
SETTINGS = {**people.ROOMY, "limits.general": 100_000, "limits.chat": 10_000, "server.contact": "ops@example.org",
            "webhooks.allow_http": "true", "webhooks.allowed_networks": "127.0.0.0/8"}  # Receivers are on this machine.


class Browser:
    def __init__(self, command):
        self.command = command
        self.process = None

    def flow(self, url, file, name, users, handlers):
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                            start_new_session=True)
        deadline = threading.Timer(LONGEST, self.process.kill)  # Shorter than the timeout of pytest, which ends all tests.
        deadline.daemon = True
        deadline.start()
        try:
            self.say({"origin": url, "file": file, "name": name, "people": users})
            for line in self.process.stdout:
                said = json.loads(line)
                if "ask" not in said:
                    return said
                self.say(handlers[said["ask"]](*said["details"]))
        finally:
            deadline.cancel()
        self.end()
        raise AssertionError(f"{name} ended early")

    def say(self, what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def end(self):
        if self.process is None:
            return
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None


def add_user(house, username):
    made = house.ask("POST", "/users", house.admin,
                     {"username": username, "password": PASSWORD, "display_name": "Ana"})
    assert made.status == 201, made.body
    return username


def another_client(house, username):
    """Another client of the API: its requests are made by a flow."""
    token = house.login(username, PASSWORD)["access_token"]

    def request(method, path, body=None):
        answer = house.ask(method, path, token, body)
        assert answer.status < 300, answer.body
        return answer.json() if answer.body else None
    return request


class Home:
    """A server that flows share. Olga is its operator."""

    def __init__(self):
        self.server = program.Program(settings=SETTINGS)
        self.house = people.House(self.server).set_up(password=PASSWORD)
        self.numbers = itertools.count(1)

    def new_user(self):
        return add_user(self.house, f"ana{next(self.numbers)}")

    def token_of(self, username):
        return self.house.login(username, PASSWORD)["access_token"]
