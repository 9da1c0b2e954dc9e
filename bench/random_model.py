#!/usr/bin/env python3
"""Writes a model of random weights in the shape of a larger one, with the vocabulary of another file:

    bench/random_model.py --like build/release/models/smollm2-135m.gguf --shape 1.5b OUT.gguf

The speed of a model does not depend on the values of its weights, so this measures machines to which no large
file can be brought. Its answers mean nothing. It writes ordinary tokens alone, and never ends by itself: the
others have zero weights."""
import argparse
import os
import struct

ALIGNMENT = 32
F32, F16, Q4_0, Q8_0 = 0, 1, 2, 8
BLOCK = {F32: (1, 4), F16: (1, 2), Q4_0: (32, 18), Q8_0: (32, 34)}
U32, FLOAT, TEXT, ARRAY = 4, 6, 8, 9
NORMAL = 1  # The type of a token.
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
SHAPES = {  # Layers, width, inner width, heads, heads of keys and values, context.
    "tiny": (2, 256, 512, 4, 2, 4096),
    "1.5b": (28, 1536, 8960, 12, 2, 32768),
    "8b": (32, 4096, 14336, 32, 8, 32768),
}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def text(self):
        length = self.take("Q")
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def skip(self, kind):
        if kind == TEXT:
            self.text()
        elif kind == ARRAY:
            kind, count = self.take("I"), self.take("Q")
            if kind in SIZES:
                self.at += SIZES[kind] * count
            else:
                for _ in range(count):
                    self.skip(kind)
        else:
            self.at += SIZES[kind]


def vocabulary(path):
    """The entries about the vocabulary, as bytes, the number of tokens, and those that are not text."""
    with open(path, "rb") as file:
        reader = Reader(file.read(64 << 20))
    assert reader.data[:4] == b"GGUF" and reader.data[4:8] == b"\3\0\0\0", f"{path} is not GGUF 3"
    reader.at = 16
    entries, kinds = [], ()
    for _ in range(reader.take("Q")):
        begin = reader.at
        key, kind = reader.text(), reader.take("I")
        value = reader.at
        reader.skip(kind)
        if key.startswith("tokenizer."):
            entries.append(reader.data[begin:reader.at])
        if key == "tokenizer.ggml.token_type":
            count, = struct.unpack_from("<Q", reader.data, value + 4)
            kinds = struct.unpack_from(f"<{count}i", reader.data, value + 12)
    return entries, len(kinds), {token for token, kind in enumerate(kinds) if kind != NORMAL}


def entry(key, kind, value):
    head = struct.pack("<Q", len(key)) + key.encode() + struct.pack("<I", kind)
    if kind == TEXT:
        return head + struct.pack("<Q", len(value)) + value.encode()
    return head + struct.pack({U32: "<I", FLOAT: "<f"}[kind], value)


def metadata(shape, words):
    layers, width, inner, heads, kv_heads, context = shape
    return [entry("general.architecture", TEXT, "llama"),
            entry("general.name", TEXT, "random weights"),
            entry("llama.block_count", U32, layers),
            entry("llama.context_length", U32, context),
            entry("llama.embedding_length", U32, width),
            entry("llama.feed_forward_length", U32, inner),
            entry("llama.attention.head_count", U32, heads),
            entry("llama.attention.head_count_kv", U32, kv_heads),
            entry("llama.attention.layer_norm_rms_epsilon", FLOAT, 1e-5),
            entry("llama.rope.dimension_count", U32, width // heads),
            entry("llama.rope.freq_base", FLOAT, 100000.0),
            entry("llama.vocab_size", U32, words)]


def tensors(shape, words, kind):
    """Name, dimensions and type of each."""
    layers, width, inner, heads, kv_heads, _ = shape
    narrow = width // heads * kv_heads
    yield "token_embd.weight", (width, words), Q8_0
    yield "output_norm.weight", (width,), F32
    for layer in range(layers):
        for name, size in (("attn_norm", (width,)), ("ffn_norm", (width,)), ("attn_q", (width, width)),
                           ("attn_k", (width, narrow)), ("attn_v", (width, narrow)),
                           ("attn_output", (width, width)), ("ffn_gate", (width, inner)),
                           ("ffn_up", (width, inner)), ("ffn_down", (inner, width))):
            yield f"blk.{layer}.{name}.weight", size, F32 if len(size) == 1 else kind


def byte_count(size, kind):
    numbers = 1
    for each in size:
        numbers *= each
    each, count = BLOCK[kind]
    assert size[0] % each == 0
    return numbers // each * count


def random_row(width, kind):
    """The bytes of one row, with a standard deviation that keeps the results of a layer as large as its input."""
    deviation = width ** -0.5
    if kind == F32:
        return struct.pack("<f", 1.0) * width
    if kind == Q4_0:
        scale = struct.pack("<e", deviation / 4.6)
        return b"".join(scale + os.urandom(16) for _ in range(width // 32))
    if kind == Q8_0:
        scale = struct.pack("<e", deviation / 74)
        return b"".join(scale + os.urandom(32) for _ in range(width // 32))
    raise ValueError(kind)


def write_rows(file, size, kind):
    """Rows that repeat: writing all of a large model as different ones takes minutes."""
    rows = size[1] if len(size) > 1 else 1
    pattern = b"".join(random_row(size[0], kind) for _ in range(min(rows, 257)))
    length = byte_count(size, kind)
    file.write((pattern * (length // len(pattern) + 1))[:length])


def write_vocabulary(file, size, kind, omitted):
    length = byte_count((size[0],), kind)
    for token in range(size[1]):
        file.write(bytes(length) if token in omitted else random_row(size[0], kind))


def write(path, shape, kind, like):
    entries, words, omitted = vocabulary(like)
    entries += metadata(shape, words)
    listed = list(tensors(shape, words, kind))
    with open(path, "wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(listed), len(entries)) + b"".join(entries))
        offset = 0
        for name, size, its_kind in listed:
            file.write(struct.pack("<Q", len(name)) + name.encode() + struct.pack("<I", len(size))
                       + struct.pack(f"<{len(size)}Q", *size) + struct.pack("<IQ", its_kind, offset))
            offset += -(-byte_count(size, its_kind) // ALIGNMENT) * ALIGNMENT
        for name, size, its_kind in listed:
            file.write(bytes(-file.tell() % ALIGNMENT))
            if name == "token_embd.weight":
                write_vocabulary(file, size, its_kind, omitted)
            else:
                write_rows(file, size, its_kind)
        file.write(bytes(-file.tell() % ALIGNMENT))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--like", required=True, help="file with the vocabulary")
    parser.add_argument("--shape", choices=SHAPES, default="1.5b")
    parser.add_argument("--type", choices=["q4_0", "q8_0"], default="q4_0")
    parser.add_argument("out")
    options = parser.parse_args()
    write(options.out, SHAPES[options.shape], {"q4_0": Q4_0, "q8_0": Q8_0}[options.type], options.like)


if __name__ == "__main__":
    main()
