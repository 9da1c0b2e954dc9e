"""The alerts for Prometheus and the dashboard for Grafana: right for these programs, and for what Parley measures."""
import json
import re
import subprocess

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

import chats
import completions
import postgres
import program
import upstreams
import wire

pytestmark = program.once

EXAMPLES = program.ROOT / "docs" / "examples"
RULES = EXAMPLES / "parley.rules.yml"
# Labels and metrics that Prometheus adds.
TARGET = {"job", "instance"}
METRIC = re.compile(r"\b((?:parley|process)_\w+|up)\b(?:\{([^}]*)\})?")


@pytest.fixture(scope="module")
def promtool():
    found = subprocess.run([program.ROOT / "tools" / "promtool"], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.skip("promtool is not installed and cannot be fetched here (tools/promtool): " + found.stderr)
    path = found.stdout.strip().splitlines()[-1]

    def run(*arguments):
        done = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout
    return run


def alerts():
    return yaml.safe_load(RULES.read_text("utf-8"))["groups"][0]["rules"]


def dashboard():
    return json.loads((EXAMPLES / "grafana-dashboard.json").read_text("utf-8"))


def charts():
    return [panel for panel in dashboard()["panels"] if panel["type"] != "row"]


def expressions():
    """All of them, with a place in the files for messages."""
    yield from ((rule["alert"], rule["expr"]) for rule in alerts())
    for panel in charts():
        yield from ((panel["title"], target["expr"]) for target in panel["targets"])


def labels_of(server):
    """The labels of each measured name."""
    with wire.Connection(server.metrics_address) as connection:
        text = connection.ask("GET", "/metrics").body.decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The metrics of a server that has answered: one with an upstream, and one with PostgreSQL."""
    known = {"up": set()}
    key = upstreams.write_key(tmp_path_factory.mktemp("key"))
    kinds = [{}]
    if postgres.is_there():
        kinds.append({"store.url": postgres.url_for(tmp_path_factory.mktemp("monitored"))})
    for kind in kinds:
        with upstreams.mock() as mock, chats.house({**upstreams.settings_of(mock, key, "ok"), **kind}) as house:
            ana = chats.somebody(house, "ana")
            ana.ask("one two three", model="scripted")
            assert completions.post(ana, "hi", model="ok").status == 200
            chats.people.until(lambda house=house: "parley_loop_lag_seconds_bucket" in labels_of(house.server))
            for name, labels in labels_of(house.server).items():
                known.setdefault(name, set()).update(labels)
    return known


def is_measured(name, known):
    return name in known or (name.startswith("parley_cluster_") and not postgres.is_there())


def test_every_metric_and_label_is_measured(measured):
    checked = 0
    for place, expression in expressions():
        labels = set()
        for name, matchers in METRIC.findall(expression):
            assert is_measured(name, measured), f"{place}: {name}"
            matched = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers))
            assert matched <= measured.get(name, set()) | TARGET, f"{place}: {name}{{{matchers}}}"
            labels |= measured.get(name, set())
            checked += 1
        for grouped in re.findall(r"\bby \(([^)]*)\)", expression):
            assert set(re.split(r",\s*", grouped)) <= labels | TARGET, f"{place}: by ({grouped})"
    assert checked > 50


def test_the_dashboard_shows_every_metric(measured):
    """A metric that is added would otherwise be forgotten."""
    shown = {name for panel in charts() for target in panel["targets"]
             for name, _ in METRIC.findall(target["expr"])}
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in measured}
    unseen = families - {re.sub(r"_(bucket|sum|count)$", "", name) for name in shown}
    assert unseen == {"up", "process_virtual_memory_bytes", "process_start_time_seconds", "parley_journal_segments",
                      "parley_journal_waiting_bytes", "parley_store_checkpoint_duration_seconds",
                      "parley_webhook_attempts_active", "parley_webhooks_active"}


def test_legends_name_labels_of_their_expression():
    for panel in charts():
        for target in panel["targets"]:
            named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
            grouped = {label for group in re.findall(r"\bby \(([^)]*)\)", target["expr"])
                       for label in re.split(r",\s*", group)}
            assert named <= (grouped or TARGET), panel["title"]


def test_panels_do_not_overlap():
    taken = set()
    for panel in dashboard()["panels"]:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])}
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
    ids = [panel["id"] for panel in dashboard()["panels"]]
    assert len(set(ids)) == len(ids)


def test_prometheus_takes_the_files(promtool):
    assert f"{len(alerts())} rules found" in promtool("check", "rules", RULES)
    promtool("check", "config", EXAMPLES / "prometheus.yml")


def test_prometheus_understands_the_dashboard(promtool, tmp_path):
    """Each of its expressions as a rule; Grafana replaces the variables."""
    written = [expression.replace("$__rate_interval", "1m").replace("$instance", ".*") for _, expression in expressions()]
    rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(written)]
    file = tmp_path / "dashboard.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}), "utf-8")
    promtool("check", "rules", file)


# For each alert: series that raise it, as in promtool's tests.
SERIES = {
    "ParleyDown": {"up": "0x120"},
    "ParleyRestarts": {"process_start_time_seconds": "1x92 2x5 3x5 4x40"},
    "ParleyServerErrors": {'parley_http_requests_total{status="500"}': "0+1x120",
                           'parley_http_requests_total{status="200"}': "0+9x120"},
    "ParleyRunsFail": {'parley_runs_ended_total{state="failed"}': "0+1x120",
                       'parley_runs_ended_total{state="completed"}': "0+4x120"},
    "ParleyRunsWait": {'parley_runs{state="queued"}': "1x120"},
    "ParleyFirstTokenSlow": {'parley_run_first_delta_seconds_bucket{le="10"}': "0x120",
                             'parley_run_first_delta_seconds_bucket{le="30"}': "0+5x120",
                             'parley_run_first_delta_seconds_bucket{le="+Inf"}': "0+5x120"},
    "ParleyUpstreamErrors": {'parley_upstream_errors_total{model="m"}': "0+12x120"},
    "ParleyDiskFillsUp": {"parley_disk_free_bytes": "1000000000x120"},
    "ParleyCommitsSlow": {'parley_store_commit_duration_seconds_bucket{le="0.5"}': "0x120",
                          'parley_store_commit_duration_seconds_bucket{le="1"}': "0+5x120",
                          'parley_store_commit_duration_seconds_bucket{le="+Inf"}': "0+5x120"},
    "ParleyLoopsLag": {'parley_loop_lag_seconds_bucket{le="0.1"}': "0x120",
                       'parley_loop_lag_seconds_bucket{le="0.25"}': "0+5x120",
                       'parley_loop_lag_seconds_bucket{le="+Inf"}': "0+5x120"},
    "ParleyConnectionsRefused": {"parley_http_connections_turned_away_total": "0+120x120"},
    "ParleyFewDescriptors": {"process_open_fds": "900x120", "process_max_fds": "1000x120"},
    "ParleyWebhooksFail": {'parley_webhook_attempts_total{outcome="failed"}': "0+3x120",
                           'parley_webhook_attempts_total{outcome="succeeded"}': "0+1x120"},
    "ParleyServerFenced": {"parley_cluster_fenced_total": "0x115 1x5"},
    "ParleyDatabaseSilent": {"parley_cluster_silence_milliseconds": "20000x120"},
}
HEALTHY = {
    "up": "1x120",
    "process_start_time_seconds": "1x120",
    'parley_http_requests_total{status="500"}': "0+1x120",
    'parley_http_requests_total{status="200"}': "0+99x120",
    'parley_runs_ended_total{state="failed"}': "0+1x120",
    'parley_runs_ended_total{state="completed"}': "0+99x120",
    'parley_runs{state="queued"}': "0 1 1 1 0 1x5 " * 12,
    'parley_run_first_delta_seconds_bucket{le="1"}': "0+5x120",
    'parley_run_first_delta_seconds_bucket{le="+Inf"}': "0+5x120",
    'parley_upstream_errors_total{model="m"}': "0+1x120",
    "parley_disk_free_bytes": "50000000000x120",
    'parley_store_commit_duration_seconds_bucket{le="0.01"}': "0+5x120",
    'parley_store_commit_duration_seconds_bucket{le="+Inf"}': "0+5x120",
    'parley_loop_lag_seconds_bucket{le="0.001"}': "0+5x120",
    'parley_loop_lag_seconds_bucket{le="+Inf"}': "0+5x120",
    "parley_http_connections_turned_away_total": "0+1x120",
    "process_open_fds": "100x120",
    "process_max_fds": "1000x120",
    'parley_webhook_attempts_total{outcome="failed"}': "0+1x120",
    'parley_webhook_attempts_total{outcome="succeeded"}': "0+9x120",
    "parley_cluster_fenced_total": "1x120",
    "parley_cluster_silence_milliseconds": "400x120",
}


def with_target(series):
    name, _, labels = series.partition("{")
    return name + '{job="parley",instance="one"' + ("," + labels if labels else "}")


def fires(series, *alerts_then):
    """A test for promtool: after two hours of these series exactly these alerts fire."""
    return {"interval": "1m",
            "input_series": [{"series": with_target(name), "values": values} for name, values in series.items()],
            "promql_expr_test": [{
                "expr": 'count by (alertname) (ALERTS{alertstate="firing", instance="one"})', "eval_time": "119m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in alerts_then]}]}


def test_alerts_fire_when_they_should(promtool, tmp_path):
    assert set(SERIES) == {rule["alert"] for rule in alerts()}
    file = tmp_path / "test.yml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": [
        fires(HEALTHY), *(fires(series, alert) for alert, series in SERIES.items())]}), "utf-8")
    promtool("test", "rules", file)
