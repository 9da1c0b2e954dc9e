"""BERT in plain Python, to compare embeddings with: slow, and independent of the program under test. Also a tiny
model with random weights, as a GGUF file."""
import array
import importlib.util
import math
import operator
import pathlib
import random
import string
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[1]


def _tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gguf = _tool("embedding_gguf")


def dot(one, other):
    return sum(map(operator.mul, one, other))


def normalized(vector):
    length = math.sqrt(dot(vector, vector))
    return [each / length for each in vector]


def cosine(one, other):
    return dot(normalized(one), normalized(other))


def softmax(numbers):
    most = max(numbers)
    powers = [math.exp(each - most) for each in numbers]
    return [each / sum(powers) for each in powers]


def gelu(number):
    return number * (1 + math.erf(number / math.sqrt(2))) / 2


class Bert:
    """`tensors` are triples of name, shape and numbers."""

    def __init__(self, config, tokens, tensors):
        self.heads = config["num_attention_heads"]
        self.layers = config["num_hidden_layers"]
        self.eps = config["layer_norm_eps"]
        self.numbers = {token: index for index, token in enumerate(tokens)}
        self.weights = {}
        for name, shape, numbers in tensors:
            width = shape[-1]
            rows = [list(numbers[i:i + width]) for i in range(0, len(numbers), width)]
            self.weights[name.removeprefix("bert.")] = rows[0] if len(shape) == 1 else rows

    def _word(self, word):
        pieces, rest = [], word
        while rest:
            mark = "##" if pieces else ""
            size = next((i for i in range(len(rest), 0, -1) if mark + rest[:i] in self.numbers), 0)
            if not size:
                return [self.numbers["[UNK]"]]
            pieces.append(self.numbers[mark + rest[:size]])
            rest = rest[size:]
        return pieces

    def tokens(self, text):
        """WordPiece: lower case, without accents, punctuation apart."""
        plain = "".join(each for each in unicodedata.normalize("NFD", text.lower())
                        if unicodedata.category(each) != "Mn")
        spaced = "".join(f" {each} " if each in string.punctuation else each for each in plain)
        inner = [piece for word in spaced.split() for piece in self._word(word)]
        return [self.numbers["[CLS]"], *inner, self.numbers["[SEP]"]]

    def _linear(self, name, rows):
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return [[dot(row, column) + shift for column, shift in zip(weight, bias)] for row in rows]

    def _norm(self, name, rows):
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        normed = []
        for row in rows:
            mean = sum(row) / len(row)
            spread = math.sqrt(sum((each - mean) ** 2 for each in row) / len(row) + self.eps)
            normed.append([(each - mean) / spread * scale + shift
                           for each, scale, shift in zip(row, weight, bias)])
        return normed

    def _attention(self, name, rows):
        query, key, value = (self._linear(f"{name}.self.{part}", rows)
                             for part in ("query", "key", "value"))
        size = len(rows[0]) // self.heads
        mixed = [[] for _ in rows]
        for at in range(0, size * self.heads, size):
            cut = slice(at, at + size)
            for out, asked in zip(mixed, query):
                shares = softmax([dot(asked[cut], each[cut]) / math.sqrt(size) for each in key])
                out += [dot(shares, column) for column in zip(*(each[cut] for each in value))]
        return self._linear(f"{name}.output.dense", mixed)

    def vector(self, text):
        """The mean over all tokens, scaled to the length 1."""
        words, places, kinds = (self.weights[f"embeddings.{part}_embeddings.weight"]
                                for part in ("word", "position", "token_type"))
        rows = [[a + b + c for a, b, c in zip(words[token], places[place], kinds[0])]
                for place, token in enumerate(self.tokens(text))]
        rows = self._norm("embeddings.LayerNorm", rows)
        for number in range(self.layers):
            layer = f"encoder.layer.{number}"
            seen = self._attention(f"{layer}.attention", rows)
            rows = self._norm(f"{layer}.attention.output.LayerNorm",
                              [list(map(operator.add, *pair)) for pair in zip(rows, seen)])
            wide = [list(map(gelu, row)) for row in self._linear(f"{layer}.intermediate.dense", rows)]
            back = self._linear(f"{layer}.output.dense", wide)
            rows = self._norm(f"{layer}.output.LayerNorm",
                              [list(map(operator.add, *pair)) for pair in zip(rows, back)])
        return normalized([sum(column) / len(rows) for column in zip(*rows)])


TINY = {"model_type": "bert", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
        "intermediate_size": 64, "max_position_embeddings": 64, "type_vocab_size": 2,
        "layer_norm_eps": 1e-12}
# Some words, and all letters, so that every text has tokens.
TINY_TOKENS = [*gguf.SPECIAL, "the", "cat", "dog", "sat", "on", "mat", *string.ascii_lowercase,
               *(f"##{letter}" for letter in string.ascii_lowercase), *string.digits, *string.punctuation]


def _shapes(config, tokens):
    width, wide = config["hidden_size"], config["intermediate_size"]
    yield "embeddings.word_embeddings.weight", [len(tokens), width]
    yield "embeddings.token_type_embeddings.weight", [config["type_vocab_size"], width]
    yield "embeddings.position_embeddings.weight", [config["max_position_embeddings"], width]
    parts = ["embeddings.LayerNorm"]
    for number in range(config["num_hidden_layers"]):
        parts += [f"encoder.layer.{number}.{part}" for part in gguf.INNER]
    for part in parts:
        rows = wide if part.endswith("intermediate.dense") else width
        columns = wide if part.endswith("output.dense") and "attention" not in part else width
        yield f"{part}.weight", [rows] if part.endswith("LayerNorm") else [rows, columns]
        yield f"{part}.bias", [rows]


def tiny(file):
    """Writes a tiny model with random weights; returns the reference for it."""
    chance = random.Random(7)

    def numbers(name, shape):
        # The file has weights of 16 bits: others would not be the same there.
        middle = 1.0 if name.endswith("LayerNorm.weight") else 0.0
        count = math.prod(shape)
        return array.array("f", (middle + chance.randint(-512, 512) / 1024 for _ in range(count)))

    tensors = [(name, shape, numbers(name, shape)) for name, shape in _shapes(TINY, TINY_TOKENS)]
    gguf.write(file, TINY, 1, TINY_TOKENS, tensors, "Tiny")
    return Bert(TINY, TINY_TOKENS, tensors)
