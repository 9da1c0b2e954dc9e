"""The table of the benchmarks: how figures are judged, and that each line has a program. Nothing is measured here."""
import importlib
import pathlib
import sys

import pytest

import program

BENCH = program.ROOT / "bench"

pytestmark = program.once


@pytest.fixture(name="bench")
def modules(monkeypatch):
    """The modules of the benchmarks, without a file of records."""
    monkeypatch.delenv("BENCH_RECORDS", raising=False)
    monkeypatch.syspath_prepend(str(BENCH))
    names = ("bars", "results", "machine", "contenders", "programs")
    yield {name: importlib.import_module(name) for name in names}
    for name in names:
        sys.modules.pop(name, None)


def judged(bench, row, **figures):
    """The row of the table for these figures, one for each round; a text is the reason why there are none."""
    records = []
    for contender, values in figures.items():
        contender = contender.replace("_", "-")
        if isinstance(values, str):
            records.append({"row": row, "contender": contender, "absent": values})
        else:
            records += [{"row": row, "contender": contender, "value": value, "round": number}
                        for number, value in enumerate(values)]
    return bench["results"].judge(bench["bars"].BY_NAME[row], records)


def test_a_cost_is_compared_round_by_round(bench):
    row = judged(bench, "B1/relay", parley=[20, 40, 60], nginx=[10, 20, 30])
    assert row["verdict"] == "pass" and row["ratio"]["median"] == 2 and row["parley"]["median"] == 40
    assert judged(bench, "B1/relay", parley=[26], nginx=[10])["verdict"] == "missed"
    assert judged(bench, "B1/relay", parley=[15], nginx=[10])["verdict"] == "goal"


def test_a_gain_counts_in_the_better_direction(bench):
    assert judged(bench, "B4/8", parley=[130], llama_server=[100])["verdict"] == "goal"
    assert judged(bench, "B4/8", parley=[90], llama_server=[100])["verdict"] == "missed"
    assert judged(bench, "B5/shared", parley=[0.5], llama_server=[9.0])["ratio"]["median"] == 18


def test_values_need_no_peer(bench):
    row = judged(bench, "B8/idle", parley=[5.0, 5.2], llama_server="not built")
    assert row["verdict"] == "pass" and row["absent"] == {"llama-server": "not built"}
    assert judged(bench, "B10/over", parley=[0])["verdict"] == "goal"
    assert judged(bench, "B10/over", parley=[1])["verdict"] == "missed"


def test_an_absent_peer_is_the_reason(bench):
    row = judged(bench, "B4/1", parley=[100], llama_server="not built")
    assert row["verdict"] == "not measured" and row["reason"] == "llama-server: not built"
    assert judged(bench, "B4/1")["verdict"] == "not measured"


def test_rounds_that_one_of_them_lacks_do_not_count(bench):
    assert judged(bench, "B1/relay", parley=[20, 90], nginx=[10])["ratio"]["median"] == 2


def test_each_line_has_a_program_that_is_there(bench):
    measured = bench["programs"].MEASUREMENTS
    assert {number for each in measured for number in each.bars} == set(bench["bars"].NUMBERS)
    for each in measured + bench["programs"].OTHERS:
        assert (BENCH / f"{each.name}.py").is_file() or (BENCH / f"{each.name}.cpp").is_file(), each.name


def test_what_is_run_can_be_named(bench):
    chosen = bench["programs"].chosen
    assert [each.name for each in chosen(["B12", "pages"])] == ["idle_server", "pages"]
    assert not any("B15" in each.bars for each in chosen([])) and chosen(["B15"])
    with pytest.raises(KeyError):
        chosen(["B99"])


def test_cells_of_the_table(bench):
    row = judged(bench, "B2/first", parley=[90, 92, 94], nginx=[60, 60, 60])
    assert bench["results"].cells(row) == ["92 (91 to 93)", "nginx 60", "1.53× (1.52 to 1.55)", "≤ 1.5×", "≤ 50 µs", "missed"]
    assert pathlib.Path(BENCH / "run").is_file()
