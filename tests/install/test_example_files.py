"""The examples for several servers agree with each other and with the program."""
import re
import tomllib

import pytest
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


def services_of(name):
    return yaml.safe_load(read(name))["services"]


def address_of(service):
    return service["networks"]["inside"]["ipv4_address"]


@pytest.mark.parametrize("name", ["compose.yaml", "replicas.compose.yaml"])
def test_no_container_can_get_the_address_of_another_one(name):
    addresses = [address_of(service) for service in services_of(name).values()]
    assert len(set(addresses)) == len(addresses), "each has its own, or Docker chooses one that another has to have"


def test_the_composed_server_trusts_caddy_alone():
    services = services_of("compose.yaml")
    trusted = services["parley"]["environment"]["PARLEY_SERVER_TRUSTED_PROXIES"]
    assert trusted == address_of(services["caddy"]) + "/32"


@pytest.mark.parametrize("name", ["Caddyfile", "haproxy.cfg"])
def test_browsers_are_told_to_use_tls_alone(name):
    assert "Strict-Transport-Security max-age=31536000\n" in read(name)


def test_gpus_of_all_drivers_are_allowed():
    allowed = re.findall(r"DeviceAllow=char-(\S+) rw\n", read("gpu.conf"))
    assert {"nvidia", "nvidiactl", "nvidia-frontend", "nvidia-uvm"} <= set(allowed)


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


def test_each_composed_service_has_the_secrets_that_it_reads():
    """Compose mounts files as they are: it ignores a user and a mode. Parley refuses one that others can read, so
    PostgreSQL, which has another user, needs a file of its own."""
    composed = yaml.safe_load(read("replicas.compose.yaml"))
    readers = {}
    for name, service in composed["services"].items():
        named = service.get("secrets", [])
        assert all(isinstance(secret, str) for secret in named), name
        assert set(named) == set(re.findall(r"/run/secrets/([\w-]+)", yaml.safe_dump(service))), name
        for secret in named:
            readers.setdefault(secret, set()).add(service["image"])
    assert readers.keys() == composed["secrets"].keys()
    assert all(len(images) == 1 for images in readers.values()), readers


def test_the_settings_of_a_replica_are_valid_and_those_of_the_others(tmp_path):
    file = EXAMPLES / "replica.toml"
    shown = program.run("serve", "--config", str(file), "--print-settings", "--data", str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    settings = tomllib.loads(file.read_text("utf-8"))
    composed = yaml.safe_load(read("replicas.compose.yaml"))["services"]["one"]["environment"]
    assert settings["server"]["trusted_proxies"] == [composed["PARLEY_SERVER_TRUSTED_PROXIES"]]
    assert settings["server"]["listen"].endswith(":8080")  # As in haproxy.cfg.
