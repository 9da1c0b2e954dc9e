"""The programs of the guide "Webhooks in five languages" and the libraries of Standard Webhooks accept what the server
really sends, and nothing else."""
import datetime
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest
import standardwebhooks

import automations
import chats
import node
import program
import receivers

pytestmark = program.once

HERE = pathlib.Path(__file__).resolve().parent
PAGE = program.ROOT / "docs/guides/webhook-verification.md"
PROGRAMS = dict(re.findall(r"^<!-- verify (\S+) -->\n```\w+\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S))
PACKAGES = functools.partial(node.packages, HERE / "webhooks_npm", node.cache() / "webhooks-npm")
LIMIT = 150  # The first program in Go compiles its libraries.

# The library from npm, as a program of the same kind.
LIBRARY = """
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
const { Webhook } = createRequire(process.argv[1] + "/")("standardwebhooks");
const { WEBHOOK_SECRET, HTTP_WEBHOOK_ID, HTTP_WEBHOOK_TIMESTAMP, HTTP_WEBHOOK_SIGNATURE } = process.env;
try {
  new Webhook(WEBHOOK_SECRET).verify(readFileSync(0, "utf8"), { "webhook-id": HTTP_WEBHOOK_ID ?? "",
    "webhook-timestamp": HTTP_WEBHOOK_TIMESTAMP ?? "", "webhook-signature": HTTP_WEBHOOK_SIGNATURE ?? "" });
  console.log("valid");
} catch (error) {
  console.log("invalid");
  process.exitCode = 1;
}
"""


def java(file, folder):
    subprocess.run(["javac", "-d", folder, file], check=True, timeout=LIMIT)
    return ["java", "-Xshare:auto", "-cp", str(folder), "Verify"]


def go(file, folder):
    subprocess.run(["go", "build", "-o", str(folder / "verify"), str(file)], check=True, timeout=LIMIT)
    return [str(folder / "verify")]


# For each program: what it needs (a program, and its Debian package), and its command.
LANGUAGES = {
    "verify.py": (sys.executable, "python3", lambda file, folder: [sys.executable, file]),
    "verify.mjs": (None, "", lambda file, folder: [*node.commands()[0], file]),
    "verify.go": ("go", "golang-go", go),
    "verify.php": ("php", "php-cli", lambda file, folder: ["php", file]),
    "Verify.java": ("javac", "default-jdk-headless", java),
}


def test_the_guide_has_a_program_for_each_language():
    assert list(PROGRAMS) == list(LANGUAGES)


@pytest.fixture(name="deliveries")
def real_deliveries():
    """Requests of a real server, which are valid for five minutes: one signed with one secret, one with two while it
    was replaced; the secrets, and that of another webhook."""
    with receivers.Receiver() as receiver, chats.house(receivers.SETTINGS) as house:
        ana = automations.automator(house, "ana")
        made = receivers.created(ana, receiver.url(), payload="full")
        other = receivers.created(ana, receiver.url("/other"), event_types=["chat.session.deleted"])
        receivers.happen(ana, title="Grüße, 世界")  # The body has more than ASCII.
        receiver.wait_for(1)
        new = ana.request("POST", f"/webhooks/{made['id']}/rotate", {"overlap_s": 600}).json()["secret"]
        receivers.happen(ana)
        one, two = receiver.wait_for(2)
    return {"one": one, "two": two, "secret": made["secret"], "new": new, "foreign": other["secret"]}


def verdict(command, request, secret, body=None, **fields):
    headers = {name.lower(): value for name, value in request.headers.items()} | fields
    names = {"HTTP_WEBHOOK_ID": "webhook-id", "HTTP_WEBHOOK_TIMESTAMP": "webhook-timestamp",
             "HTTP_WEBHOOK_SIGNATURE": "webhook-signature"}
    given = {name: headers[field] for name, field in names.items() if headers[field] is not None}
    done = subprocess.run(command, input=request.body if body is None else body, capture_output=True, timeout=60,
                          check=False, env=program.clean_environment(WEBHOOK_SECRET=secret, **given))
    printed = done.stdout.decode().strip()
    assert (printed, done.returncode) in (("valid", 0), ("invalid", 1)), done
    return printed


def examine(command, deliveries):
    one, two = deliveries["one"], deliveries["two"]
    secret, new = deliveries["secret"], deliveries["new"]
    assert verdict(command, one, secret) == "valid"
    assert verdict(command, two, secret) == verdict(command, two, new) == "valid"
    signature = one.headers["webhook-signature"]
    timestamp = int(one.headers["webhook-timestamp"])
    wrong = [dict(secret=deliveries["foreign"]), dict(secret=new), dict(body=two.body), dict(body=one.body + b"\n"),
             dict(body=b""), {"webhook-id": "evt_other"}, {"webhook-timestamp": str(timestamp + 1)},
             {"webhook-timestamp": "now"}, {"webhook-timestamp": ""}, {"webhook-timestamp": None},
             {"webhook-signature": ""}, {"webhook-signature": None}, {"webhook-signature": "v1,"},
             {"webhook-signature": signature.removeprefix("v1,")}, {"webhook-signature": "v2" + signature[2:]},
             {"webhook-signature": signature[:-4]}, {"webhook-signature": "v1," + 44 * "A"}]
    for change in wrong:
        assert verdict(command, one, **{"secret": secret, **change}) == "invalid", change


def signed_at(request, secret, seconds):
    """The same request, sent at another time."""
    name = request.headers["webhook-id"]
    time_of = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    signature = standardwebhooks.Webhook(secret).sign(name, time_of, request.body.decode())
    return {"webhook-timestamp": str(seconds), "webhook-signature": signature}


@pytest.mark.parametrize("name", list(LANGUAGES))
def test_a_program_of_the_guide(deliveries, tmp_path, name):
    needs, package, command_of = LANGUAGES[name]
    if needs and not shutil.which(needs):
        pytest.skip(f"needs {needs} (on Debian: the package {package})")
    file = tmp_path / name
    file.write_text(PROGRAMS[name], "utf-8")
    command = command_of(file, tmp_path)
    examine(command, deliveries)
    for age in (-400, 400):
        late = signed_at(deliveries["one"], deliveries["secret"], int(time.time()) + age)
        assert verdict(command, deliveries["one"], deliveries["secret"], **late) == "invalid"
    late = signed_at(deliveries["one"], deliveries["secret"], int(time.time()) - 200)
    assert verdict(command, deliveries["one"], deliveries["secret"], **late) == "valid"


def test_the_library_from_npm(deliveries):
    examine([*map(str, node.commands()[0]), "--input-type=module", "-e", LIBRARY, str(PACKAGES())], deliveries)


def test_the_library_from_pypi(deliveries):
    one, two = deliveries["one"], deliveries["two"]
    receivers.verified(one, deliveries["secret"])
    receivers.verified(two, deliveries["secret"], deliveries["new"])
    assert not receivers.is_signed_by(one, deliveries["foreign"])
    assert not receivers.is_signed_by(one._replace(body=two.body), deliveries["secret"])
