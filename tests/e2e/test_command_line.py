"""The command line: its output and its error messages."""
import json
import re
import shutil
import socket
import subprocess

import pytest

import certificates
import program


def complaint(result, code):
    """The error message (one or two sentences) of a command that failed with this code."""
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    # A server that reached its store has also logged that.
    lines = [line for line in result.stderr.strip().splitlines() if not program.entry_of(line)]
    assert len(lines) == 1, f"more than one line: {lines}"
    return lines[0]


def test_version():
    for argument in ("version", "--version"):
        result = program.run(argument)
        assert result.returncode == 0 and result.stderr == ""
        assert re.search(r"\d+\.\d+\.\d+", result.stdout)


def commands():
    """The names of all commands, as the help lists them."""
    listed = program.run("--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  (\S+)", listed, re.M)


def test_version_as_json():
    line = json.loads(program.run("version", "--json").stdout)
    assert line["name"] == "parley" and re.fullmatch(r"\d+\.\d+\.\d+", line["version"])


def test_help_shows_examples():
    assert {"serve", "doctor", "openapi", "completion", "version"} <= set(commands())
    for arguments in [[], *([command] for command in commands())]:
        result = program.run(*arguments, "--help")
        assert result.returncode == 0 and result.stderr == ""
        assert re.search("^Examples:$", result.stdout, re.M), arguments
        assert re.search("^  parley " + " ".join(arguments), result.stdout, re.M), arguments
        assert not arguments or ("--data DIR" in result.stdout and "--json" in result.stdout)


def test_lists_all_settings_with_their_defaults():
    result = program.run("serve", "--help-settings")
    assert result.returncode == 0
    for key in ("server.listen", "server.loops", "server.max_connections", "server.cors_origins",
                "server.public_url", "metrics.listen", "log.level", "log.format"):
        assert re.search(rf"^ +{re.escape(key)} \(.+\)$", result.stdout, re.M), key


@pytest.mark.parametrize("arguments", [
    [], ["sevre"], ["serve", "--lisen", "127.0.0.1:0"], ["serve", "--listen"], ["serve", "extra"],
    ["version", "extra"], ["--json", "version"], ["serve", "--data"], ["serve", "--data", ""],
    ["completion"], ["completion", "csh"], ["-x"], [""],
], ids=" ".join)
def test_usage_errors(arguments):
    said = complaint(program.run(*arguments), code=2)
    assert said.startswith("parley: ") and said.endswith("--help`.")


@pytest.mark.parametrize("arguments, meant", [
    (["sevre"], "serve"), (["Serve"], "serve"), (["docter"], "doctor"), (["verison"], "version"),
    (["serve", "--lisen", "127.0.0.1:0"], "--listen"), (["serve", "--tls_cert=x"], "--tls-cert"),
    (["doctor", "--jsn"], "--json"), (["version", "--dta", "x"], "--data"),
], ids=lambda value: value if isinstance(value, str) else " ".join(value))
def test_a_typing_error_is_recognised(arguments, meant):
    assert f" Did you mean {meant}?" in complaint(program.run(*arguments), code=2)


def test_complaints_are_objects_too_where_objects_are_wanted():
    result = program.run("serve", "--json", "--set", "log.levle=debug")
    assert result.returncode == 2 and result.stdout == ""
    assert "log.level" in json.loads(result.stderr)["error"]


def test_output_that_cannot_be_written_is_a_failure():
    with open("/dev/full", "wb") as full:
        result = subprocess.run([program.BINARY, "version"], stdout=full, stderr=subprocess.PIPE,
                                text=True, check=False)
    assert result.returncode == 1 and "could not be written" in result.stderr


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


def completed(line):
    """The completions of bash for the last word of a line."""
    words = line.split(" ")
    script = """
        source <("$1" completion bash) && shift
        [[ $(complete -p parley) == *"-F _parley parley" ]] || exit 1
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _parley parley "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    result = subprocess.run(["bash", "-c", script, "bash", program.BINARY, *words],
                            capture_output=True, text=True, check=True, cwd="/usr")
    assert result.stderr == ""
    return result.stdout.split()


def test_bash_completes_commands_options_and_values():
    assert completed("parley ser") == ["serve"]
    assert set(commands()) <= set(completed("parley "))
    assert completed("parley serve --lis") == ["--listen"]
    assert completed("parley serve --set server.lo") == ["server.loops="]
    assert completed("parley completion b") == ["bash"]
    assert completed("parley serve --data lo") == ["local"]
    assert completed("parley serve --config loc") == ["local"]
    assert completed("parley serve --listen ") == []
    assert "--config" in completed("parley serve --json --")
    assert completed("parley nonsense") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_valid(shell, tmp_path):
    script = program.run("completion", shell).stdout
    for command in commands():
        assert command in script
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} to ask")
    file = tmp_path / "script"
    file.write_text(script, encoding="utf-8")
    subprocess.run([shell, "-n", file], check=True)


def test_the_description_of_the_interface():
    result = program.run("openapi")
    assert result.returncode == 0 and result.stderr == ""
    document = json.loads(result.stdout)
    assert document["openapi"] == "3.1.0"
    assert "/healthz" in document["paths"] and "/problems/{code}" in document["paths"]


def examined(*arguments, code=0, **options):
    """The findings of the doctor, by check."""
    result = program.run("doctor", "--json", *arguments, **options)
    assert result.returncode == code, result.stdout + result.stderr
    assert result.stderr == ""
    return {line["check"]: line for line in map(json.loads, result.stdout.splitlines())}


FREE = ["--listen", "127.0.0.1:0", "--set", "metrics.listen=off"]


def test_the_doctor_finds_nothing_wrong_with_a_new_server(tmp_path):
    found = examined(*FREE, "--data", tmp_path / "data")
    assert {"settings", "data directory", "store", "port", "TLS", "clock", "disk space",
            "open files"} <= set(found)
    assert not (tmp_path / "data").exists(), "looking must not make anything"
    people = program.run("doctor", *FREE)
    assert people.returncode == 0
    assert len(people.stdout.splitlines()) >= len(found)
    assert re.search(r"^ok +settings ", people.stdout, re.M)


def test_the_doctor_knows_our_own_server(start):
    server = start()
    found = examined("--listen", "%s:%d" % server.address, "--data", server.data, "--set",
                     "metrics.listen=%s:%d" % server.metrics_address)
    assert f"in use by process {server.pid}" in found["data directory"]["finding"]
    assert "in use by this server" in found["port"]["finding"]
    assert "in use by this server" in found["metrics port"]["finding"]
    assert found["store"]["verdict"] == "ok"


def test_the_doctor_does_not_take_another_program_for_our_server(start):
    server = start(settings={"metrics.listen": "off"})
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = "127.0.0.1:%d" % other.getsockname()[1]
        found = examined("--listen", "%s:%d" % server.address, "--data", server.data, "--set",
                         "metrics.listen=" + address, code=1)
    assert "in use by this server" in found["port"]["finding"]
    assert found["metrics port"]["verdict"] == "fail" and address in found["metrics port"]["finding"]
    assert "this server" not in found["metrics port"]["finding"]


def test_the_doctor_tells_what_is_wrong(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = "127.0.0.1:%d" % other.getsockname()[1]
        found = examined("--listen", address, "--set", "metrics.listen=off", "--data", data, "--set",
                         "store.min_free_mib=1000000000", code=1)
    assert found["port"]["verdict"] == "fail" and address in found["port"]["finding"]
    assert found["data directory"]["verdict"] == "fail"
    assert found["disk space"]["verdict"] in ("warn", "fail")
    for line in found.values():
        assert line["verdict"] == "ok" or line["advice"].endswith(".")


def test_the_doctor_goes_on_after_wrong_settings():
    found = examined("--set", "log.levle=debug", code=1)
    assert "Did you mean log.level?" in found["settings"]["finding"]
    assert "clock" in found and "data directory" in found


def test_the_doctor_reads_the_certificate(tmp_path):
    authority = certificates.Authority(tmp_path)
    first, second = (authority.issue(name, serial) for serial, name in enumerate(["a", "b"], 1))
    soon = examined(*FREE, "--tls-cert", first[0], "--tls-key", first[1])["TLS"]
    assert soon["verdict"] == "warn" and re.search("valid for [12] more days", soon["finding"])
    mixed = examined(*FREE, "--tls-cert", first[0], "--tls-key", second[1], code=1)["TLS"]
    assert mixed["verdict"] == "fail"
    missing = examined(*FREE, "--tls-cert", tmp_path / "x", "--tls-key", first[1], code=1)["TLS"]
    assert "does not exist" in missing["finding"]
