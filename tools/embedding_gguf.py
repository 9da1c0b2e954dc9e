#!/usr/bin/env python3
"""Writes a BERT embedding model as a GGUF file, which `parley model add` takes.

    tools/embedding_gguf.py FOLDER FILE.gguf [--name NAME]

FOLDER is one of sentence-transformers: config.json, model.safetensors, vocab.txt, and 1_Pooling/config.json.
Needs only the standard library. Weights are stored as 16-bit numbers, the rest as 32-bit ones."""
import argparse
import array
import json
import math
import pathlib
import struct

ALIGNMENT = 32
F32, F16 = 0, 1
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
POOLING = {"pooling_mode_mean_tokens": 1, "pooling_mode_cls_token": 2}

# Names in the model and in the file; the latter of each layer follow "blk.N.".
OUTER = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.LayerNorm": "token_embd_norm",
}
INNER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def entry(key, value):
    """A pair of the header: its type follows from the value's."""
    if isinstance(value, bool):
        kind, raw = 7, struct.pack("<?", value)
    elif isinstance(value, int):
        kind, raw = 4, struct.pack("<I", value)
    elif isinstance(value, float):
        kind, raw = 6, struct.pack("<f", value)
    elif isinstance(value, str):
        kind, raw = 8, text(value)
    elif isinstance(value[0], str):
        kind, raw = 9, struct.pack("<IQ", 8, len(value)) + b"".join(map(text, value))
    else:
        kind, raw = 9, struct.pack(f"<IQ{len(value)}i", 5, len(value), *value)
    return text(key) + struct.pack("<I", kind) + raw


def stored_name(name):
    """The name of a tensor in the file; None if the file does not need it."""
    name = name.removeprefix("bert.")
    whole, _, part = name.rpartition(".")
    if whole.startswith("encoder.layer."):
        number, _, inner = whole.removeprefix("encoder.layer.").partition(".")
        return f"blk.{number}.{INNER[inner]}.{part}"
    return f"{OUTER[whole]}.{part}" if whole in OUTER else None


def as_stored(name, shape, numbers):
    """(type, bytes) of a tensor whose numbers are given as 32-bit floats in an array."""
    if len(shape) == 1 or name.startswith(("token_types", "position_embd")):
        return F32, numbers.tobytes()
    return F16, struct.pack(f"<{len(numbers)}e", *numbers)


def phantom(token):
    """llama.cpp marks the beginning of a word, WordPiece its continuation."""
    if token in SPECIAL:
        return token
    return token[2:] if token.startswith("##") else "\u2581" + token


def header(config, pooling, tokens, name):
    entries = {
        "general.architecture": "bert",
        "general.name": name,
        "general.type": "model",
        "bert.context_length": config["max_position_embeddings"],
        "bert.embedding_length": config["hidden_size"],
        "bert.feed_forward_length": config["intermediate_size"],
        "bert.block_count": config["num_hidden_layers"],
        "bert.attention.head_count": config["num_attention_heads"],
        "bert.attention.layer_norm_epsilon": float(config["layer_norm_eps"]),
        "bert.attention.causal": False,
        "bert.pooling_type": pooling,
        "tokenizer.ggml.model": "bert",
        "tokenizer.ggml.token_type_count": config["type_vocab_size"],
        "tokenizer.ggml.tokens": [phantom(token) for token in tokens],
        "tokenizer.ggml.token_type": [3 if token in SPECIAL else 1 for token in tokens],
    }
    if not config.get("do_lower_case", True):
        entries["tokenizer.ggml.normalizer.lowercase"] = False
    for key, token in (("padding", "[PAD]"), ("unknown", "[UNK]"), ("bos", "[CLS]"), ("cls", "[CLS]"),
                       ("seperator", "[SEP]"), ("mask", "[MASK]")):  # Spelt so in the format.
        entries[f"tokenizer.ggml.{key}_token_id"] = tokens.index(token)
    return b"".join(entry(*each) for each in entries.items()), len(entries)


def write(file, config, pooling, tokens, tensors, name):
    """`tensors` are triples of name, shape and numbers, in the names and the order of the model."""
    entries, count = header(config, pooling, tokens, name)
    infos, data, offset, kept = b"", [], 0, 0
    for given, shape, numbers in tensors:
        stored = stored_name(given)
        if not stored:
            continue
        kind, raw = as_stored(stored, shape, numbers)
        infos += text(stored) + struct.pack(f"<I{len(shape)}Q", len(shape), *reversed(shape))
        infos += struct.pack("<IQ", kind, offset)
        padded = raw + b"\0" * (-len(raw) % ALIGNMENT)
        data.append(padded)
        offset += len(padded)
        kept += 1
    start = b"GGUF" + struct.pack("<IQQ", 3, kept, count) + entries + infos
    with open(file, "wb") as out:
        out.write(start + b"\0" * (-len(start) % ALIGNMENT))
        out.writelines(data)


def read_safetensors(file):
    """Triples of name, shape and numbers."""
    raw = memoryview(pathlib.Path(file).read_bytes())
    size = struct.unpack("<Q", raw[:8])[0]
    for name, info in json.loads(bytes(raw[8:8 + size])).items():
        if name == "__metadata__" or not stored_name(name):
            continue
        begin, end = (8 + size + each for each in info["data_offsets"])
        count = math.prod(info["shape"])
        if info["dtype"] == "F32":
            numbers = array.array("f", bytes(raw[begin:end]))
        elif info["dtype"] == "F16":
            numbers = array.array("f", struct.unpack(f"<{count}e", raw[begin:end]))
        else:
            raise SystemExit(f"{file}: {name} has the type {info['dtype']}; F32 and F16 are supported")
        yield name, info["shape"], numbers


def pooling_of(folder):
    file = folder / "1_Pooling" / "config.json"
    modes = json.loads(file.read_text("utf-8")) if file.exists() else {"pooling_mode_mean_tokens": True}
    for mode, number in POOLING.items():
        if modes.get(mode):
            return number
    raise SystemExit(f"{file}: the kind of pooling is not supported")


def convert_bert(folder, file, name):
    config = json.loads((folder / "config.json").read_text("utf-8"))
    tokenizer = folder / "tokenizer_config.json"
    if tokenizer.exists():
        config["do_lower_case"] = json.loads(tokenizer.read_text("utf-8")).get("do_lower_case", True)
    if config.get("model_type") != "bert":
        raise SystemExit(f"{folder} is not a BERT model")
    tokens = (folder / "vocab.txt").read_text("utf-8").split("\n")[:config["vocab_size"]]
    write(file, config, pooling_of(folder), tokens, read_safetensors(folder / "model.safetensors"), name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--name", default="")
    given = parser.parse_args()
    convert_bert(given.folder, given.file, given.name or given.folder.name)


if __name__ == "__main__":
    main()
