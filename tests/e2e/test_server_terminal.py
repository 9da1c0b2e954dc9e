"""`parley serve` on a terminal: five lines at its start, and an orderly shutdown when the terminal is closed;
under nohup it continues."""
import os
import pty
import re
import select
import signal
import subprocess
import termios
import fcntl
import time

import pytest

import program
import wire

WEIGHTS = program.BINARY.parent / "models/smollm2-135m.gguf"
SERVE = [program.BINARY, "serve", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off"]


def hear_hangups():
    """Restores the signal as a shell does, even if these tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def take_terminal():
    hear_hangups()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def start(data, log=None, prefix=(), stdin=None, stdout=None, more=()):
    outside, inside = pty.openpty()
    process = subprocess.Popen(
        [*prefix, *SERVE, "--data", str(data), *more], stdin=stdin or inside, stdout=stdout or inside,
        stderr=log or inside, start_new_session=True,
        preexec_fn=hear_hangups if stdin else take_terminal, env=program.clean_environment())
    os.close(inside)
    return process, outside


def read_until(outside, text):
    printed = ""
    deadline = time.monotonic() + program.PATIENCE
    while text not in printed:
        ready, _, _ = select.select([outside], [], [], deadline - time.monotonic())
        assert ready, printed
        printed += os.read(outside, 65536).decode()
    return printed


def end(process, outside):
    if process.poll() is None:
        process.kill()
        process.wait()
    os.close(outside)


def test_the_first_start_prints_five_lines(tmp_path):
    process, outside = start(tmp_path / "data")
    try:
        lines = read_until(outside, "Ctrl-C\r\n").split("\r\n")[:-1]
        assert len(lines) == 5, lines
        assert re.match(r"Parley +http://127\.0\.0\.1:\d+ \(version ", lines[0]), lines
        assert re.match(r"Set up +http://127\.0\.0\.1:\d+/#setup=", lines[1]), lines
        assert re.match(r"Model +scripted \(only repeats messages; ", lines[2]), lines
        assert "`parley model pull qwen" in lines[2] and "--model qwen" in lines[2], lines
        assert lines[3].split() == ["Data", str(tmp_path / "data")], lines
        process.send_signal(signal.SIGINT)
        read_until(outside, "Stopping")
        assert process.wait(program.PATIENCE) == 0
    finally:
        end(process, outside)


@pytest.mark.skipif(not WEIGHTS.exists(), reason="built without the embedded model")
def test_the_embedded_model_is_called_a_demonstration(tmp_path):
    """Wherever somebody meets it: on the terminal, and in what the web app reads."""
    process, outside = start(tmp_path / "data", more=["--model", "smollm2-135m"])
    try:
        lines = read_until(outside, "Ctrl-C\r\n").split("\r\n")
        shown, = (line for line in lines if line.startswith("Model"))
        address = re.search(r"http://(127\.0\.0\.1):(\d+)", lines[0]).groups()
        with wire.Connection((address[0], int(address[1]))) as connection:
            note = connection.ask("GET", "/app.json").json()["note"]
        for said in (shown, note):
            assert "demonstration" in said and "often wrong" in said
            assert "parley model pull qwen2.5-coder-1.5b" in said and "1.1 GB" in said
            assert "OpenAI's interface" in said
    finally:
        end(process, outside)


def test_a_closed_terminal_ends_the_server_and_a_signal_alone_does_not(tmp_path):
    with open(tmp_path / "log", "wb") as log:
        process, outside = start(tmp_path / "data", log=log)
    try:
        read_until(outside, "Ctrl-C\r\n")
        process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + program.PATIENCE
        while b"nothing to reload" not in (tmp_path / "log").read_bytes():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        os.close(outside)
        assert process.wait(program.PATIENCE) == 0
        assert b'"stopped"' in (tmp_path / "log").read_bytes(), "in an orderly way"
    finally:
        end(process, os.dup(0))


def test_under_nohup_it_outlives_its_terminal(tmp_path):
    with open(tmp_path / "log", "wb") as log:
        process, outside = start(tmp_path / "data", log=log, prefix=("nohup",),
                                 stdin=subprocess.DEVNULL)
    try:
        def logged(text):
            deadline = time.monotonic() + program.PATIENCE
            while text not in (tmp_path / "log").read_bytes():
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.05)
        logged(b'"listening"')
        os.close(outside)
        process.send_signal(signal.SIGHUP)
        logged(b"nothing to reload")
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(program.PATIENCE) == 0
    finally:
        end(process, os.dup(0))
