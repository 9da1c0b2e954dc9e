"""The command line: what it prints, and how it says that it cannot do what was asked."""
import re
import socket

import pytest

import program


def complaint(result, code):
    """The one sentence, or two, on standard error of a command that failed with this code."""
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, f"more than one line: {lines}"
    return lines[0]


def test_version():
    for argument in ("version", "--version"):
        result = program.run(argument)
        assert result.returncode == 0 and result.stderr == ""
        assert re.search(r"\d+\.\d+\.\d+", result.stdout)


@pytest.mark.parametrize("arguments", [["--help"], ["serve", "--help"]])
def test_help_shows_examples(arguments):
    result = program.run(*arguments)
    assert result.returncode == 0 and result.stderr == ""
    assert "serve" in result.stdout and "Examples:" in result.stdout
    assert re.search(r"^ +parley serve --listen \S+", result.stdout, re.M)


def test_lists_all_settings_with_their_defaults():
    result = program.run("serve", "--help-settings")
    assert result.returncode == 0
    for key in ("server.listen", "server.loops", "server.max_connections", "server.cors_origins",
                "server.public_url", "metrics.listen", "log.level", "log.format"):
        assert re.search(rf"^ +{re.escape(key)} \(.+\)$", result.stdout, re.M), key


@pytest.mark.parametrize("arguments", [
    [], ["sevre"], ["serve", "--lisen", "127.0.0.1:0"], ["serve", "--listen"], ["serve", "extra"],
    ["version", "extra"],
], ids=" ".join)
def test_usage_errors(arguments):
    result = program.run(*arguments)
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr.strip()


@pytest.mark.parametrize("arguments, told", [
    (["--set", "server.lisen=127.0.0.1:0"], "server.listen"),
    (["--set", "log.levle=debug"], "log.level"),
    (["--set", "sever.public_ulr=http://a"], "server.public_url"),
    (["--set", "server.loops"], "KEY=VALUE"),
    (["--set", "server.loops=many"], "server.loops"),
    (["--set", "server.loops=-1"], "server.loops"),
    (["--set", "server.max_connections=0"], "server.max_connections"),
    (["--set", "log.level=loud"], "debug, info, warn or error"),
    (["--set", "log.format=xml"], "log.format"),
    (["--set", "metrics.listen=somewhere"], "metrics.listen"),
    (["--set", "server.cors_origins=example.org"], "example.org"),
    (["--set", "server.cors_origins=https://a.example/path"], "https://a.example/path"),
    (["--listen", "localhost"], "server.listen"),
    (["--listen", "127.0.0.1:65536"], "server.listen"),
    (["--listen", "127.0.0.1:x"], "server.listen"),
    (["--tls-cert", "cert.pem"], "--tls-key"),
    (["--tls-key", "key.pem"], "--tls-cert"),
    (["--listen", "0.0.0.0:0"], "server.allow_plain_http"),
    (["--listen", "[::]:0"], "server.allow_plain_http"),
], ids=lambda value: value if isinstance(value, str) else " ".join(value))
def test_settings_that_cannot_be_are_named_in_one_sentence(arguments, told):
    said = complaint(program.run("serve", "--set", "metrics.listen=off", *arguments), code=2)
    assert said.startswith("parley: ") and told in said


def test_a_port_in_use_is_told_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = "127.0.0.1:%d" % other.getsockname()[1]
        said = complaint(program.run("serve", "--listen", address, "--set", "metrics.listen=off"),
                         code=1)
        assert address in said and "--listen" in said


def test_a_metrics_port_in_use_is_told_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = "127.0.0.1:%d" % other.getsockname()[1]
        said = complaint(program.run("serve", "--listen", "127.0.0.1:0", "--set",
                                     "metrics.listen=" + address), code=1)
        assert address in said and "metrics.listen" in said


def test_an_address_that_is_not_ours_is_told_in_one_sentence():
    said = complaint(program.run("serve", "--listen", "192.0.2.1:0", "--set", "metrics.listen=off",
                                 "--set", "server.allow_plain_http=true"), code=1)
    assert "192.0.2.1:0" in said
