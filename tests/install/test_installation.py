"""`make install`: the files, the program in its new place, the unit and its sandbox."""
import json
import os
import re
import stat
import subprocess

import installed
import pytest

import chats
import people
import program

pytestmark = program.once

FILES = {
    "usr/bin/parley": 0o755,
    "usr/share/parley/models/smollm2-135m.gguf": 0o644,
    "usr/share/man/man1/parley.1.gz": 0o644,
    "usr/share/man/man5/parley.toml.5.gz": 0o644,
    "usr/lib/systemd/system/parley.service": 0o644,
    "usr/lib/sysusers.d/parley.conf": 0o644,
    "etc/parley/parley.toml": 0o644,
    "usr/share/doc/parley/sbom.cdx.json": 0o644,
    "usr/share/doc/parley/NOTICES.gz": 0o644,
    "usr/share/doc/parley/examples/parley.toml": 0o644,
    "usr/share/doc/parley/examples/compose.yaml": 0o644,
    "usr/share/doc/parley/examples/grafana-dashboard.json": 0o644,
    "usr/share/doc/parley/examples/parley.rules.yml": 0o644,
    "usr/share/doc/parley/examples/prometheus.yml": 0o644,
    "usr/share/bash-completion/completions/parley": 0o644,
}


def test_files_are_where_they_belong(staged):
    for name, mode in FILES.items():
        assert stat.S_IMODE((staged / name).stat().st_mode) == mode, name
    assert {path.name for path in staged.iterdir()} == {"usr", "etc"}


def run_installed(folder, *arguments, **changes):
    return subprocess.run([folder / "bin/parley", *arguments], capture_output=True, text=True, check=False,
                          env=program.clean_environment(**changes))


def test_the_installed_program_finds_its_model(staged, tmp_path):
    listed = run_installed(staged / "usr", "model", "list", "--json", "--data", tmp_path)
    assert listed.returncode == 0, listed.stderr
    names = {line["name"]: line for line in map(json.loads, listed.stdout.splitlines())}
    assert "smollm2-135m" in names, listed.stdout


def test_the_settings_of_the_package_are_valid_with_and_without_comments(staged, tmp_path):
    settings = staged / "etc/parley/parley.toml"
    every = tmp_path / "parley.toml"
    every.write_text(re.sub(r"^# (?=\[|\w+ = )", "", settings.read_text("utf-8"), flags=re.M), encoding="utf-8")
    assert every.read_text("utf-8").count(" = ") >= 10
    for file in (settings, every):
        read = run_installed(staged / "usr", "serve", "--config", file, "--print-settings", "--data", tmp_path)
        assert read.returncode == 0, read.stderr


def test_settings_and_prefix_of_the_administrator_are_kept(tmp_path):
    (tmp_path / "etc/parley").mkdir(parents=True)
    (tmp_path / "etc/parley/parley.toml").write_text("# mine\n")
    installed.stage(tmp_path, prefix="/opt/parley")
    assert (tmp_path / "etc/parley/parley.toml").read_text() == "# mine\n"
    unit = tmp_path / "opt/parley/lib/systemd/system/parley.service"
    assert installed.unit_values(unit, "ExecStart")[0] == "/opt/parley/bin/parley"


def test_systemd_accepts_the_unit_and_its_sandbox_is_tight(unit, tmp_path):
    # As on a machine where it is installed: systemd looks for the program and the manual pages.
    text = unit.read_text("utf-8").replace("/usr/bin/parley", str(program.BINARY))
    text = "".join(line for line in text.splitlines(True) if not line.startswith("Documentation="))
    copy = tmp_path / "parley.service"
    copy.write_text(text, encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True,
                              check=False)
    assert verified.returncode == 0 and "parley.service" not in verified.stderr, verified.stderr
    rated = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", copy],
                           capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout[-300:]


def test_the_sandbox_allows_what_a_server_does(unit, start, tmp_path):
    """With its embedded model, over HTTP, and at its end."""
    trace = tmp_path / "trace"
    server = start(under=["strace", "-D", "-f", "-qq", "-o", str(trace)], settings={
        "model.default": "smollm2-135m", "models.smollm2-135m.engine": "llama", "models.smollm2-135m.context": 512})
    ana = chats.somebody(people.House(server).set_up(), "ana")
    assert ana.ask("Hello", model="smollm2-135m", max_output_tokens=4)["status"] == "completed"
    server.stop()
    lines = trace.read_text("utf-8", errors="replace").splitlines()
    # Calls before the program begins, such as execve of strace itself, are not the service's.
    called = {match[1] for line in lines if (match := re.match(r"\d+ +(?:<\.\.\. )?([a-z_0-9]+)[( ]", line))}
    assert {"epoll_wait", "pwrite64"} & called and len(called) > 40
    denied = called - installed.allowed_system_calls(unit)
    denied -= {"fchown"} if os.geteuid() == 0 else set()  # SQLite keeps the owner of its files if it is root.
    assert not denied, denied
    assert not [line for line in lines if re.search(r"mmap\(.*PROT_WRITE\|PROT_EXEC", line)]
    assert not [line for line in lines if re.search(r"mprotect\(.*PROT_EXEC", line)]
    families = {match[1] for line in lines if (match := re.search(r"socket\((AF_\w+)", line))}
    assert families <= {*installed.unit_values(unit, "RestrictAddressFamilies"), "AF_NETLINK"}, families


def test_the_list_of_parts_names_what_was_linked(staged):
    bom = json.loads((staged / "usr/share/doc/parley/sbom.cdx.json").read_text("utf-8"))
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bom["serialNumber"])
    components = {each["name"]: each for each in bom["components"]}
    assert {"llama.cpp", "SmolLM2-135M-Instruct", "preact", "libsqlite3-dev", "libssl-dev"} <= set(components)
    assert not {"vite", "typescript"} & set(components), "tools are no parts"
    references = [each["bom-ref"] for each in bom["components"]]
    assert len(references) == len(set(references)) == len(bom["dependencies"][0]["dependsOn"])
    for each in bom["components"]:
        assert re.fullmatch(r"pkg:(pypi|npm|deb)/\S+@\S+", each["purl"]), each
    needed = subprocess.run(["readelf", "--dynamic", program.BINARY], capture_output=True, text=True, check=True)
    for library in re.findall(r"\(NEEDED\).*\[(lib(?:ssl|sqlite3|sodium|edit|fmt))\.so", needed.stdout):
        assert any(name.startswith(library) for name in components), library


def test_the_licences_of_the_parts_are_included(staged):
    notices = subprocess.run(["zcat", staged / "usr/share/doc/parley/NOTICES.gz"], capture_output=True, text=True,
                             check=True).stdout
    for words in ("\nllama.cpp\n", "The ggml authors", "\npreact\n", "Jason Miller", "\nlibfmt-dev\n",
                  "Copyright (c) 2023-present Scalar", "Apache License\n"):
        assert words in notices, words


def test_no_path_of_this_machine_is_installed(staged):
    home = os.path.expanduser("~").encode()
    for path in staged.rglob("*"):
        if path.is_file() and path.suffix != ".gguf" and home != b"/":
            content = path.read_bytes()
            assert home + b"/." not in content and bytes(program.ROOT) not in content, path


@pytest.mark.parametrize("prefix", ["usr", "./usr"])
def test_a_relative_prefix_is_refused(tmp_path, prefix):
    with pytest.raises(subprocess.CalledProcessError):
        installed.stage(tmp_path, prefix=prefix)
