"""The examples for several servers agree with each other and with the program."""
import re

import yaml

import program

EXAMPLES = program.ROOT / "docs" / "examples"


def read(name):
    return (EXAMPLES / name).read_text("utf-8")


def test_the_unit_for_several_servers_is_that_of_the_package():
    unit = (program.ROOT / "packaging" / "parley.service").read_text("utf-8")
    for old, new in (("@BINDIR@", "/usr/bin"), ("Parley, an AI chat and automation server", "Parley, server %i"),
                     ("/etc/parley/parley.toml", "/etc/parley/%i.toml"), ("/var/lib/parley", "/var/lib/parley-%i"),
                     ("StateDirectory=parley", "StateDirectory=parley-%i")):
        assert old in unit
        unit = unit.replace(old, new)
    example = read("parley@.service")
    assert example[example.index("[Unit]"):] == unit


def test_the_addresses_of_the_composed_servers_are_those_of_haproxy():
    composed = yaml.safe_load(read("replicas.compose.yaml"))["services"]

    def address(name):
        return composed[name]["networks"]["inside"]["ipv4_address"]
    named = dict(re.findall(r"server (\w+) ([\d.]+):8080", read("haproxy.cfg")))
    assert named == {name: address(name) for name in ("one", "two", "three")}
    for name in named:
        assert composed[name]["environment"]["PARLEY_SERVER_TRUSTED_PROXIES"] == address("haproxy") + "/32"


def test_the_settings_of_the_composed_servers_exist():
    known = program.run("serve", "--help-settings").stdout
    for name in yaml.safe_load(read("replicas.compose.yaml"))["services"]["one"]["environment"]:
        room, _, rest = name.removeprefix("PARLEY_").lower().partition("_")
        assert f"{room}.{rest}" in known, name
