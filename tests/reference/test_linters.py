"""Common linters have no complaints about the document. If a rule does not apply, the rules file says why."""
import json

import toolbox
from toolbox import only_in_full
import program

DOCUMENT = program.ROOT / "docs/openapi.json"

pytestmark = only_in_full

# Pages outside /v1 read neither a token nor a query nor a body: no request for them is wrong, apart
# from malformed HTTP, which `default` describes.
UNDER_V1 = "#/paths/~1v1"


def test_redocly_recommended_strict():
    result = toolbox.run(*toolbox.tool("redocly"), "lint", DOCUMENT, "--config",
                         toolbox.HERE / "redocly.yaml", "--format", "json",
                         env=program.clean_environment(REDOCLY_TELEMETRY="off", CI="true",
                                                       REDOCLY_SUPPRESS_UPDATE_NOTICE="true",
                                                       HOME="/nonexistent"))
    found = [(each["ruleId"], each["message"], each["location"][0]["pointer"])
             for each in json.loads(result.stdout)["problems"]]
    assert [each for each in found
            if each[0] != "operation-4xx-response" or each[2].startswith(UNDER_V1)] == []


def test_spectral_openapi_and_owasp():
    # A ruleset names packages by their folders, which differ between machines.
    rules = (toolbox.HERE / "spectral.yaml").read_text("utf-8")
    place = toolbox.packages().parent / "spectral.yaml"
    place.write_text(rules.replace("@stoplight/spectral-owasp-ruleset", str(
        toolbox.packages() / "@stoplight/spectral-owasp-ruleset/dist/ruleset.mjs")), "utf-8")
    result = toolbox.run(*toolbox.tool("spectral"), "lint", DOCUMENT, "--ruleset", place,
                         "--format", "json", "--fail-severity", "hint")
    start = result.stdout.find("[")
    report = json.loads(result.stdout[start:result.stdout.rfind("]") + 1]) if start >= 0 else []
    assert result.returncode == 0 and report == [], result.stderr + str([
        (each["code"], each["message"], ".".join(map(str, each["path"]))) for each in report[:20]])
