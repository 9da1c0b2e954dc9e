"""The tests of the whole program again, with Prism between them and the server: every response must match the
document.

Their results do not count here: Prism passes streams on when they are complete, and changes header fields."""
import json
import os
import sys

import program
import toolbox
from toolbox import only_in_full

pytestmark = only_in_full

FILES = ["test_answers", "test_chat_branches", "test_chat_faults", "test_chat_idempotency",
         "test_chat_query", "test_chat_session_lists", "test_chat_sessions",
         "test_chat_validation", "test_completion_errors", "test_completion_store",
         "test_completions", "test_login", "test_problem_pages", "test_rate_limits",
         "test_tokens", "test_users"]


def seen_by_prism(files, folder, document=program.ROOT / "docs/openapi.json"):
    report = folder / "report.json"
    toolbox.packages()
    result = toolbox.run(
        sys.executable, "-m", "pytest", "-q", "-p", "reference.prism", "-o", "faulthandler_timeout=0",
        *(f"tests/e2e/{name}.py" for name in files), cwd=program.ROOT, timeout=1800,
        env={**os.environ, "PYTHONPATH": str(program.ROOT / "tests"),
             "PARLEY_PRISM_DOCUMENT": str(document), "PARLEY_PRISM_REPORT": str(report)})
    assert report.exists(), result.stdout + result.stderr
    return json.loads(report.read_text("utf-8"))


def test_every_answer_is_as_the_document_says(tmp_path):
    seen = seen_by_prism(FILES, tmp_path)
    assert seen["violations"] == []
    assert seen["answers"] > 1000


def test_a_wrong_document_is_noticed(tmp_path):
    document = json.loads((program.ROOT / "docs/openapi.json").read_text("utf-8"))
    document["components"]["schemas"]["User"]["required"].append("shoe_size")
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document), "utf-8")
    assert seen_by_prism(["test_users"], tmp_path, wrong)["violations"]
