"""GGUF files for tests: a valid one of a few kilobytes, and one for each kind of fault. No model can answer
from them; they have the right form, and weights of zero."""
import struct


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def number(key, value):
    return text(key) + struct.pack("<II", 4, value)


def words(key, value):
    return text(key) + struct.pack("<I", 8) + text(value)


def tokens(count):
    return (text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, count) +
            b"".join(text(f"t{i}") for i in range(count)))


ENTRIES = {
    "architecture": words("general.architecture", "llama"),
    "name": words("general.name", "Tiny"),
    "context": number("llama.context_length", 2048),
    "layers": number("llama.block_count", 3),
    "embedding": number("llama.embedding_length", 64),
    "heads": number("llama.attention.head_count", 4),
    "tokens": tokens(10),
}
# Name, shape, type (2: q4_0, 0: f32), offset.
TENSORS = (("token_embd.weight", (64, 10), 2, 0), ("output_norm.weight", (64,), 0, 384))
DATA = 384 + 256


def model(magic=b"GGUF", version=3, entries=None, tensors=TENSORS, data=DATA, counts=None):
    """The bytes of a file; `entries` are changed or added, or removed if they are None."""
    kept = [each for each in {**ENTRIES, **(entries or {})}.values() if each is not None]
    file = magic + struct.pack("<IQQ", version, *(counts or (len(tensors), len(kept)))) + b"".join(kept)
    for name, shape, kind, offset in tensors:
        file += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        file += struct.pack("<IQ", kind, offset)
    return file + b"\0" * (-len(file) % 32) + b"\0" * data


def trained_to_embed(source, file, pooling):
    """Writes a copy of a language model whose metadata name a kind of pooling (1: mean, 3: last token)."""
    content = source.read_bytes()
    magic, version, tensors, entries = struct.unpack_from("<4sIQQ", content)
    added = number("llama.pooling_type", pooling) + words("general.x", "x")
    assert len(added) % 32 == 0, "the weights must stay aligned"
    file.write_bytes(struct.pack("<4sIQQ", magic, version, tensors, entries + 2) + added + content[24:])


def with_tensor(*tensor):
    return model(tensors=(TENSORS[0], tensor))


# Each fault, with its message.
BROKEN = {
    "empty": (b"", "does not begin with GGUF"),
    "something else": (b"PK\x03\x04" + b"x" * 5000, "does not begin with GGUF"),
    "cut in the header": (model()[:200], "ends in the middle of its header"),
    "cut in the weights": (model(data=DATA - 1), "lies beyond the end of the file"),
    "an old version": (model(version=1), "version 1 of the format"),
    "the wrong byte order": (model(version=3 << 24), "the wrong byte order"),
    "a count of entries": (model(counts=(2, 1 << 40)), "claims 1099511627776 entries"),
    "a count of tensors": (model(counts=(1 << 40, len(ENTRIES))), "claims 1099511627776 tensors"),
    "an entry twice": (model(entries={"again": ENTRIES["name"]}), "occurs twice"),
    "a type of an entry": (model(entries={"odd": text("a") + struct.pack("<I", 99)}), "type that does not exist"),
    "a long text": (model(entries={"odd": text("a") + struct.pack("<IQ", 8, 1 << 62)}), "which is too long"),
    "a long list": (model(entries={"odd": text("a") + struct.pack("<IIQ", 9, 4, 1 << 62)}), "which is too long"),
    "no architecture": (model(entries={"architecture": None}), "name its architecture"),
    "no layers": (model(entries={"layers": None}), "\"llama.block_count\" is missing"),
    "no heads": (model(entries={"heads": number("llama.attention.head_count", 0)}), "is not between 1 and"),
    "no vocabulary": (model(entries={"tokens": None}), "it has no vocabulary"),
    "not a model": (model(entries={"type": words("general.type", "adapter")}), "its type is \"adapter\""),
    "a part": (model(entries={"split": text("split.count") + struct.pack("<IH", 2, 3)}), "one of 3 parts"),
    "alignment": (model(entries={"odd": number("general.alignment", 31)}), "not a power of two"),
    "no tensors": (model(tensors=()), "it has no tensors"),
    "a type of a tensor": (with_tensor("a", (64,), 77, 384), "type that does not exist (77)"),
    "a shape": (with_tensor("a", (1 << 40, 1 << 40), 0, 384), "an impossible shape"),
    "a row": (with_tensor("a", (63,), 2, 384), "rows of 63 numbers"),
    "an odd offset": (with_tensor("a", (64,), 0, 390), "a multiple of 32"),
    "an offset beyond": (with_tensor("a", (64,), 0, 1 << 62), "lies beyond the end of the file"),
    "an overlap": (with_tensor("a", (64,), 0, 352), "overlaps another"),
}
