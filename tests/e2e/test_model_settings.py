"""Models by settings, `models.NAME.engine` and `models.NAME.context`: sources, refusals of invalid ones, and
the effect of a small context on a conversation."""
import json
import re

import pytest

import chats
import completions
import program
import wire
from people import refused

# A quarter of it is reserved for an answer without a limit.
SMALL = {"models.small.context": 80, "models.tiny-0.5.context": 8}


def shown(*arguments):
    """The settings of models in use, by key, with the source of each."""
    done = program.run("serve", "--print-settings", "--json", *arguments)
    assert done.returncode == 0, done
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["key"]: (line["value"], line["from"]) for line in lines
            if "from" in line and line["key"].startswith(("models.", "model."))}


def refusal(*arguments, code=2):
    done = program.run("serve", "--listen", "127.0.0.1:0", "--set", "metrics.listen=off",
                       *arguments)
    complaint = done.stderr.splitlines()[-1]
    assert done.returncode == code and complaint.startswith("parley: "), done
    assert code != 2 or len(done.stderr.splitlines()) == 1, done
    return complaint.removeprefix("parley: ")


@pytest.fixture(name="config")
def settings_file(tmp_path):
    def write(text):
        file = tmp_path / "parley.toml"
        file.write_text(text, encoding="utf-8")
        file.chmod(0o600)
        return file
    return write


@pytest.fixture(name="house", scope="module")
def one_house():
    with chats.house(SMALL) as opened:
        yield opened


@pytest.fixture(name="ana", scope="module")
def somebody(house):
    return chats.somebody(house, "ana")


def models(person, path=""):
    with wire.Connection(person.house.server.address) as connection:
        return connection.ask("GET", "/v1/models" + path,
                              {"Authorization": f"Bearer {person.token}"})


def test_each_place_is_stronger_than_the_one_before(config):
    assert shown() == {"model.default": ("scripted", "PARLEY_MODEL_DEFAULT")}
    file = config('[model]\ndefault = "a"\n[models.a]\ncontext = 100\n'
                  '[models."llama-3.2"]\nengine = "scripted"\ncontext = 200\n')
    found = shown("--config", file)
    assert found.items() >= {"model.default": ("scripted", "PARLEY_MODEL_DEFAULT"),
                             "models.a.engine": ("auto", "default"),
                             "models.a.context": (100, f"{file}:4"),
                             "models.llama-3.2.engine": ("scripted", f"{file}:6"),
                             "models.llama-3.2.context": (200, f"{file}:7")}.items()
    found = shown("--config", file, "--set", "models.llama-3.2.context=300", "--set",
                  "models.b.engine=scripted", "--set", "model.default=b")
    assert found["models.llama-3.2.context"] == (300, "--set")
    assert found["models.a.context"] == (100, f"{file}:4")
    assert found["models.b.context"] == (0, "default")
    assert found["model.default"] == ("b", "--set")


@pytest.mark.parametrize("name", ["a", "A-1", "llama-3.2", "Qwen2.5_0.5B", "a.b.c", "context",
                                  "x" * 64, "9"])
def test_many_names_are_good_ones(config, name):
    key = f"models.{name}.context"
    assert shown("--set", f"{key}=77")[key] == (77, "--set")
    for table in (f'[models."{name}"]\ncontext = 77\n', f'models."{name}".context = 77\n',
                  f'[models]\n"{name}" = {{ context = 77 }}\n', f"[models.{name}]\ncontext = 77\n"):
        assert shown("--config", config(table))[key][0] == 77, table
    printed = program.run("serve", "--print-settings", "--set", f"{key}=77").stdout
    assert shown("--config", config(printed))[key][0] == 77, "it is printed as it is read"


@pytest.mark.parametrize("assignment, told", [
    ("models.a.contxt=1", r'"models.a.contxt"\. Did you mean models.a.context\?'),
    ("models.llama-3.2.engin=x", r"Did you mean models.llama-3.2.engine\?"),
    ("model.defalt=a", r"Did you mean model.default\?"),
    ("models.a.context=-1", "models.a.context: -1 is not a whole number from 0 to 1000000"),
    ("models.a.context=1000001", "1000001 is not a whole number from 0 to"),
    ("models.a.context=many", 'models.a.context: "many" is not a whole number'),
    ("models.a.context=", 'models.a.context: "" is not a whole number'),
    ("models.a.engine=magic", 'models.a.engine: "magic" is not auto, scripted'),
    ("models.a.engine=", 'models.a.engine: "" is not auto, scripted'),
    ("models.-a.context=1", 'no setting "models.-a.context"'),
    ("models.a b.context=1", 'no setting "models.a b.context"'),
    ("models.a/b.context=1", 'no setting "models.a/b.context"'),
    ("models.é.context=1", "no setting"),
    ("models..context=1", r'no setting "models\.\.context"'),
    ("models." + "x" * 65 + ".context=1", "no setting"),
    ("models.a=1", 'no setting "models.a"'), ("models=1", 'no setting "models"'),
    ("model.default=\x07", "control characters")])
def test_a_wrong_one_after_set_is_refused_in_one_sentence(assignment, told):
    assert re.search(told, refusal("--set", assignment))


@pytest.mark.parametrize("text, told", [
    ("[models.a]\nengine = 1\n", ":2:10: models.a.engine takes .*this is"),
    ("[models.a]\n\n context = \"3\"\n", ":3:12: models.a.context takes a whole number .*is text"),
    ("[models.a]\ncontext = -1\n", ":2:11: models.a.context: -1 is not"),
    ("[models.\"b-1.5\"]\nengine = \"magic\"\n", ":2:10: models.b-1.5.engine: \"magic\" is not"),
    ("[modles.a]\ncontext = 1\n", r":1:2: .*Did you mean \[models\]\?"),
    ("[models.\"a/b\"]\ncontext = 1\n", ":1:9: .*\"models.a/b\""),
    ("[models.\"-a\"]\ncontext = 1\n", ":1:9: .*\"models.-a\""),
    ("[models.\"\"]\ncontext = 1\n", ":1:9: "),
    ("[model]\ndefalt = \"a\"\n", r":2:1: .*Did you mean model.default\?"),
    ("[model]\ndefault = 1\n", ":2:11: model.default takes text"),
    ("models = 3\n", ":1:1: models is a table"),
    ("[models]\na = 3\n", ":2:1: models.a is a table"),
    ("[[models.a]]\ncontext = 1\n", ":1:"),
], ids=lambda value: str(value)[:30])
def test_a_wrong_one_in_a_file_is_refused_with_its_place(config, text, told):
    file = config(text)
    said = refusal("--config", file)
    assert said.startswith(str(file)) and re.search(told, said), said


def test_a_default_that_nobody_offers_is_refused():
    told = refusal("--set", "model.default=nope", code=1)
    assert told == 'model.default: there is no model "nope" on this server.'


def test_all_of_them_are_offered(ana):
    listed = models(ana)
    assert listed.status == 200, listed.body
    assert [model["id"] for model in listed.json()["data"]] == ["small", "tiny-0.5", "scripted"]
    one = models(ana, "/tiny-0.5")
    assert one.status == 200 and one.json() == listed.json()["data"][1]
    completions.refused(models(ana, "/tiny-0"), 404, "model_not_found", "model")


def test_each_of_them_can_be_asked(ana):
    for name in ("scripted", "small", "tiny-0.5"):
        run = ana.ask("hello", model=name)
        assert run["model"] == run["message"]["model"] == name
    session = ana.request("POST", "/chat/sessions", {"model": "tiny-0.5"}).json()
    assert ana.ask("hello", session_id=session["id"])["model"] == "tiny-0.5"
    refused(ana.query("hello", model="tiny-0"), 422, "unknown_model")


def test_the_default_answers_where_nobody_is_named():
    with chats.house({"models.other.engine": "scripted", "model.default": "other"}) as house:
        ana = chats.somebody(house, "ana")
        assert ana.ask("hello")["model"] == "other"
        assert ana.ask("hello", model="scripted")["model"] == "scripted"


def test_history_is_cut_in_big_steps(ana):
    """Turns of ten words each: a cut removes more than necessary, so that some more turns fit."""
    session, counts = None, []
    for number in range(16):
        run = ana.ask(f"turn {number} a b c d e f g h", model="small",
                      **({"session_id": session} if session else {}))
        session = run["session_id"]
        counts.append(run["usage"]["input_tokens"])
    assert counts[:3] == [10, 30, 50] and max(counts) <= 60, counts
    for before, after in zip(counts, counts[1:]):
        assert after == before + 20 or after <= 36, f"whole turns, and down to 60 %: {counts}"
    assert sum(after < before for before, after in zip(counts, counts[1:])) < 10, counts
    assert len(ana.messages(session)) == 32, "nothing is lost"


def test_room_for_the_answer_is_kept(ana):
    text = " ".join(["word"] * 60)
    assert ana.ask(text, model="small")["usage"]["input_tokens"] == 60
    refused(ana.query(text, model="small", max_output_tokens=40), 422, "message_too_long")
    assert ana.ask("a " * 39 + "a", model="small", max_output_tokens=32_768)["usage"]


def test_what_cannot_fit_is_too_long(ana):
    before = len(ana.pages("/chat/sessions"))
    for fields in ({}, {"stream": True}, {"background": True}):
        refused(ana.query(" ".join(["word"] * 61), model="small", **fields), 422,
                "message_too_long")
    assert len(ana.pages("/chat/sessions")) == before, "nothing was stored"
    assert ana.ask(" ".join(["word"] * 61))["status"] == "completed"
    session = ana.request("POST", "/chat/sessions",
                          {"model": "small", "instructions": " ".join(["be"] * 30)}).json()
    refused(ana.query(" ".join(["word"] * 31), session_id=session["id"]), 422, "message_too_long")
    assert ana.ask(" ".join(["word"] * 30), session_id=session["id"])["status"] == "completed"


def test_a_model_that_is_offered_no_longer_is_told(start, tmp_path):
    house = chats.LastingHouse(start, tmp_path / "data", {"models.old.engine": "scripted"})
    ana = chats.somebody(house, "ana")
    run = ana.ask("hello", model="old")
    session = ana.request("POST", "/chat/sessions", {"model": "old"}).json()
    house.server.stop()
    house.server = start("--data", tmp_path / "data", settings=chats.FRUGAL)
    refused(ana.query("again", session_id=session["id"]), 422, "unknown_model")
    assert ana.run(run) == run
    assert ana.ask("again", session_id=session["id"], model="scripted")["model"] == "scripted"
